//! Reference engine, slow and plain, written from the ruling alone, and the engine against it.
//!
//! It keeps a list of the players still to be asked. The two agree move by move on every option, and count the same games
//! on small decks.

use super::*;
use rand::RngExt as _;
use rand::seq::SliceRandom as _;

#[derive(Clone, Debug)]
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

#[derive(Clone, Debug)]
struct Reference {
    rules: Rules,
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

impl Reference {
    fn new(rules: &Rules, deck: &[Card]) -> Self {
        let players = usize::from(rules.players);
        let mut reference = Self {
            rules: rules.clone(),
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
        for (i, &card) in deck.iter().enumerate().take(self.rules.dealt()) {
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
            self.state = State::Must(round.into_iter().find(|&seat| !self.hands[seat].is_empty()).unwrap());
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
        if self.rolls < self.rules.max_rolls {
            self.state = State::RollDue;
        } else {
            self.game_over("roll_limit");
        }
    }

    fn game_over(&mut self, end: &'static str) {
        self.end = end;
        self.games += 1;
        self.stakes = 0;
        let going_on = self.rules.target > 0 && self.scores.iter().all(|&score| score < self.rules.target);
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

    /// The legal moves, in any order.
    fn moves(&self) -> Vec<String> {
        let challenges = |seat: usize| {
            let cards = self.hands[seat].iter().filter(|&&card| self.beats(card));
            cards.map(|card| format!("challenge {card}")).collect::<Vec<_>>()
        };
        match &self.state {
            State::Asking(queue) => [challenges(queue[0]), vec!["pass".to_owned()]].concat(),
            State::Must(seat) => challenges(*seat),
            State::Choosing => vec!["pocket".to_owned(), "roll".to_owned()],
            _ => Vec::new(),
        }
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
                let seat = self.mover().unwrap();
                let card: Card = text.strip_prefix("challenge ").unwrap().parse().unwrap();
                self.hands[seat].retain(|&other| other != card);
                self.best = Some((seat, card));
                self.state = State::Asking(self.round_from(seat)[1..].to_vec());
                self.skip();
            }
        }
    }

    fn winners(&self) -> Vec<usize> {
        let team = |seat: usize| self.rules.teams.0.get(seat).copied().unwrap_or(seat as i64);
        let total = |of: i64| -> u32 {
            (0..self.players()).filter(|&seat| team(seat) == of).map(|seat| self.scores[seat]).sum()
        };
        let best = (0..self.players()).map(|seat| total(team(seat))).max().unwrap();
        (0..self.players()).filter(|&seat| total(team(seat)) == best).collect()
    }
}

/// Both engines are in the same position, as far as can be seen from outside.
fn agree(position: &Doubles, reference: &Reference, at: &str) {
    let turn = match reference.state {
        State::RollDue => Turn::Chance,
        State::DeckDue => Turn::Shuffle,
        State::Over => Turn::Over,
        _ => Turn::Player(reference.mover().unwrap()),
    };
    assert_eq!(position.turn(), turn, "{at}");
    let (mut moves, mut others) = (Vec::new(), reference.moves());
    position.moves(&mut moves);
    others.sort();
    let mut moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    moves.sort();
    assert_eq!(moves, others, "{at}");
    for seat in 0..reference.players() {
        assert_eq!(position.score(seat), i64::from(reference.scores[seat]), "{at}, seat {seat}");
        assert!(position.hand(seat).into_iter().all(|card| reference.hands[seat].contains(&card)), "{at}");
        assert_eq!(position.hand(seat).len(), reference.hands[seat].len(), "{at}");
        if turn == Turn::Over {
            assert_eq!(position.won(seat), reference.winners().contains(&seat), "{at}");
            let share = if position.won(seat) { 1.0 / reference.winners().len() as f64 } else { 0.0 };
            assert_eq!(position.utility(seat), share, "{at}");
        }
    }
    if turn == Turn::Over {
        assert_eq!(position.end(), reference.end, "{at}");
    }
}

/// Plays one random game on both engines; says how it ended and how many games the match had.
fn play_both(rules: &Rules, deck: &[Card], rng: &mut Rng, at: &str) -> (&'static str, usize) {
    let mut position = Doubles::from_deck(rules, deck).unwrap();
    let mut reference = Reference::new(rules, deck);
    loop {
        agree(&position, &reference, at);
        match position.turn() {
            Turn::Over => return (reference.end, reference.games),
            Turn::Player(_) => {
                let moves = reference.moves();
                let text = &moves[rng.random_range(0..moves.len())];
                reference.play(text);
                position.play(position.parse_move(text).unwrap());
            }
            _ => match position.roll(rng) {
                Chance::Roll([a, b]) => reference.roll(a, b),
                Chance::Deck(ids) => {
                    let deck: Vec<Card> =
                        ids.iter().take_while(|&&id| id > 0).map(|&id| Card::from_id(id)).collect();
                    reference.deal(&deck);
                }
            },
        }
    }
}

/// Protects the rules under every option and any mixture of them: 3,000 random games and matches with
/// decks of all sizes, every position compared.
#[test]
fn both_engines_play_the_same_games() {
    let mut rng = stream(1, 0, Role::Chance);
    let (mut ends, mut matches) = ([0; 2], 0);
    for case in 0..3_000 {
        let players: u8 = rng.random_range(2..=7);
        let cards = rng.random_range(1..=7);
        let teams = if rng.random_range(0..2) == 0 {
            Teams::default()
        } else {
            Teams((0..players).map(|_| rng.random_range(-1..=2)).collect())
        };
        let rules = Rules {
            players,
            cards,
            max_rolls: [1, 2, 5, 30, 10_000][rng.random_range(0..5)],
            target: [0, 0, 1, 25, 100][rng.random_range(0..5)],
            teams,
        };
        let mut deck: Vec<Card> = Card::all().collect();
        deck.shuffle(&mut rng);
        deck.truncate(rng.random_range(rules.dealt()..=52));
        let (end, games) = play_both(&rules, &deck, &mut rng, &format!("case {case}, {rules:?}"));
        ends[usize::from(end == "roll_limit")] += 1;
        matches += usize::from(games > 1);
    }
    assert!(ends.iter().all(|&count| count > 500) && matches > 500, "{ends:?}, {matches}: cover all");
}

/// How many ways there are to play on for `depth` moves and rolls with these dice, or to the end.
fn perft(position: &Doubles, dice: &[[u8; 2]], depth: u32) -> u64 {
    let mut moves = Vec::new();
    match position.turn() {
        Turn::Over => 1,
        _ if depth == 0 => 1,
        Turn::Player(_) => {
            position.moves(&mut moves);
            let after = |m| {
                let mut next = position.clone();
                next.play(m);
                perft(&next, dice, depth - 1)
            };
            moves.into_iter().map(after).sum()
        }
        _ => {
            assert_eq!(position.board.phase, Phase::Roll);
            let after = |&dice2: &[u8; 2]| {
                let mut next = position.clone();
                next.play_chance(Chance::Roll(dice2));
                perft(&next, dice, depth - 1)
            };
            dice.iter().map(after).sum()
        }
    }
}

fn perft_reference(reference: &Reference, dice: &[[u8; 2]], depth: u32) -> u64 {
    match reference.state {
        State::Over => 1,
        _ if depth == 0 => 1,
        State::RollDue => dice
            .iter()
            .map(|&[a, b]| {
                let mut next = reference.clone();
                next.roll(a, b);
                perft_reference(&next, dice, depth - 1)
            })
            .sum(),
        _ => reference
            .moves()
            .iter()
            .map(|text| {
                let mut next = reference.clone();
                next.play(text);
                perft_reference(&next, dice, depth - 1)
            })
            .sum(),
    }
}

/// Perft: the numbers of lines of play on small decks, all of them, agree with the reference's and with what they
/// were. A missing, doubled or misplaced move changes them.
#[test]
fn lines_of_play_are_counted() {
    let all: Vec<[u8; 2]> = (1..=6).flat_map(|a| (1..=6).map(move |b| [a, b])).collect();
    let few = [[1, 1], [1, 2]];
    type Case<'a> = (u8, u8, u32, &'a str, &'a [[u8; 2]], u32, u64);
    // (players, cards, max_rolls, deck, dice, depth, lines)
    let cases: [Case<'_>; 5] = [
        (2, 1, 3, "5C 9D", &all, 99, 1_337_112),
        (2, 2, 4, "5C 9D 5H KS", &few, 99, 3_812),
        (3, 1, 6, "5C 9D 5H", &few, 99, 8_093),
        (3, 2, 9, "2C 7D AH 7S KS 3C 4C", &few, 13, 10_668),
        (4, 1, 9, "9C 7D 7H AS", &few, 15, 2_369),
    ];
    for (players, cards, max_rolls, deck, dice, depth, lines) in cases {
        let rules = Rules { players, cards, max_rolls, ..Rules::default() };
        let deck: Vec<Card> = deck.split(' ').map(|card| card.parse().unwrap()).collect();
        let position = Doubles::from_deck(&rules, &deck).unwrap();
        let found = perft(&position, dice, depth);
        assert_eq!(found, perft_reference(&Reference::new(&rules, &deck), dice, depth), "{rules:?}");
        assert_eq!(found, lines, "{rules:?}");
    }
}
