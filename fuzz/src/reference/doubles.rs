//! Doubles by its ruling: lists of cards, and a list of the players still to be asked.

use super::{Reference, card, dice, number, reshuffled, words};
use knave::agents::options::Fields;
use knave::cards::Card;
use knave_agents::{ChanceRecord, Seat, Turn};
use serde_json::Value;

/// What is due.
#[derive(Clone)]
enum State {
    RollDue,
    /// These are still to be asked, in this order, whether they beat the last challenge.
    Asking(Vec<usize>),
    /// This one must challenge.
    Must(usize),
    Choosing,
    DeckDue,
    Over,
}

/// A game, or a match of several.
#[derive(Clone)]
pub struct Doubles {
    cards: usize,
    max_rolls: u32,
    target: u32,
    /// By seat: labels of whatever kind.
    teams: Vec<Value>,
    deck: Vec<Card>,
    state: State,
    hands: Vec<Vec<Card>>,
    scores: Vec<u32>,
    games: usize,
    roller: usize,
    rolls: u32,
    stakes: u32,
    /// Who challenged last since the last roll, and with what.
    best: Option<(usize, Card)>,
    end: &'static str,
}

impl Doubles {
    pub fn new(rules: &Fields, deck: &[Card]) -> Self {
        let players = number(rules, "players");
        let mut teams = rules.get("teams").and_then(Value::as_array).cloned().unwrap_or_default();
        if teams.is_empty() {
            teams = (0..players).map(Value::from).collect();
        }
        let mut reference = Self {
            cards: number(rules, "cards"),
            max_rolls: number(rules, "max_rolls"),
            target: number(rules, "target"),
            teams,
            deck: deck.to_vec(),
            state: State::DeckDue,
            hands: Vec::new(),
            scores: vec![0; players],
            games: 0,
            roller: 0,
            rolls: 0,
            stakes: 0,
            best: None,
            end: "",
        };
        reference.deal(deck);
        reference
    }

    fn players(&self) -> usize {
        self.scores.len()
    }

    /// All seats, this one first, then round to the left.
    fn round_from(&self, seat: usize) -> Vec<usize> {
        (0..self.players()).map(|i| (seat + i) % self.players()).collect()
    }

    fn deal(&mut self, deck: &[Card]) {
        self.hands = vec![Vec::new(); self.players()];
        for (i, &card) in deck.iter().enumerate().take(self.players() * self.cards) {
            let seat = i % self.players();
            self.hands[seat].push(card);
        }
        self.roller = self.games % self.players();
        self.rolls = 0;
        self.state = State::RollDue;
    }

    fn roll(&mut self, a: u8, b: u8) {
        self.rolls += 1;
        self.stakes += u32::from(a) + u32::from(b);
        self.best = None;
        let round = self.round_from(self.roller);
        if a == b {
            let challenger = round.into_iter().find(|&seat| !self.hands[seat].is_empty());
            self.state = challenger.map_or(State::Over, State::Must);
        } else {
            self.state = State::Asking(round);
            self.skip();
        }
    }

    fn beats(&self, card: Card) -> bool {
        self.best.is_none_or(|(_, best)| card.rank() > best.rank())
    }

    /// Those who cannot challenge pass; when none is left to ask, the round is over.
    fn skip(&mut self) {
        while let State::Asking(mut queue) = self.state.clone() {
            if queue.is_empty() {
                match self.best {
                    Some((seat, _)) => self.turn_won(seat),
                    None => self.state = State::Choosing,
                }
            } else if self.hands[queue[0]].iter().any(|&card| self.beats(card)) {
                return;
            } else {
                queue.remove(0);
                self.state = State::Asking(queue);
            }
        }
    }

    fn turn_won(&mut self, seat: usize) {
        self.scores[seat] += self.stakes;
        self.stakes = 0;
        if self.hands.iter().all(Vec::is_empty) {
            self.game_over("cards_out");
        } else {
            self.roller = (self.roller + 1) % self.players();
            self.want_roll();
        }
    }

    fn want_roll(&mut self) {
        if self.rolls < self.max_rolls {
            self.state = State::RollDue;
        } else {
            self.game_over("roll_limit");
        }
    }

    fn game_over(&mut self, end: &'static str) {
        self.end = end;
        self.games += 1;
        self.stakes = 0;
        let going_on = self.target > 0 && self.scores.iter().all(|&score| score < self.target);
        self.state = if going_on { State::DeckDue } else { State::Over };
    }

    fn mover(&self) -> Option<usize> {
        match &self.state {
            State::Asking(queue) => Some(queue[0]),
            State::Must(seat) => Some(*seat),
            State::Choosing => Some(self.roller),
            _ => None,
        }
    }
}

impl Reference for Doubles {
    fn turn(&self) -> Turn {
        match self.state {
            State::RollDue => Turn::Chance,
            State::DeckDue => Turn::Shuffle,
            State::Over => Turn::Over,
            _ => self.mover().map_or(Turn::Over, Turn::Player),
        }
    }

    fn moves(&self) -> Vec<String> {
        let challenges = |seat: usize| {
            let cards = self.hands[seat].iter().filter(|&&card| self.beats(card));
            cards.map(|card| format!("challenge {card}")).collect::<Vec<_>>()
        };
        let mut moves = match &self.state {
            State::Asking(queue) => [challenges(queue[0]), vec!["pass".to_owned()]].concat(),
            State::Must(seat) => challenges(*seat),
            State::Choosing => vec!["pocket".to_owned(), "roll".to_owned()],
            _ => Vec::new(),
        };
        moves.sort();
        moves
    }

    fn play(&mut self, text: &str) {
        match (text, self.state.clone()) {
            ("pass", State::Asking(queue)) => {
                self.state = State::Asking(queue[1..].to_vec());
                self.skip();
            }
            ("pocket", _) => self.turn_won(self.roller),
            ("roll", _) => self.want_roll(),
            _ => {
                let Some(seat) = self.mover() else { return };
                let card = card(words(text)[1]);
                self.hands[seat].retain(|&other| other != card);
                self.best = Some((seat, card));
                self.state = State::Asking(self.round_from(seat)[1..].to_vec());
                self.skip();
            }
        }
    }

    fn chance(&mut self, record: &ChanceRecord) -> Result<(), String> {
        if matches!(self.state, State::DeckDue) {
            let deck = reshuffled(record, &self.deck)?;
            self.deal(&deck);
        } else {
            let dice = dice(record, 2)?;
            self.roll(dice[0], dice[1]);
        }
        Ok(())
    }

    fn seats(&self) -> usize {
        self.players()
    }

    fn score(&self, seat: Seat) -> f64 {
        f64::from(self.scores[seat])
    }

    fn winners(&self) -> Vec<Seat> {
        let team = |seat: usize| &self.teams[seat];
        let total = |of: &Value| -> u32 {
            (0..self.players()).filter(|&seat| team(seat) == of).map(|seat| self.scores[seat]).sum()
        };
        let best = (0..self.players()).map(|seat| total(team(seat))).max();
        (0..self.players()).filter(|&seat| Some(total(team(seat))) == best).collect()
    }

    fn end(&self) -> &'static str {
        self.end
    }

    fn copy(&self) -> Box<dyn Reference> {
        Box::new(self.clone())
    }
}
