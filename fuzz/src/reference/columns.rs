//! Columns by its ruling: vectors of cards, moves as text, and slots matched by trying.

use super::{Reference, card, dice, is, letter, number, reshuffled, words};
use knave::agents::options::Fields;
use knave::cards::Card;
use knave_agents::{ChanceRecord, Seat, Turn};

#[derive(Clone)]
struct Pile {
    cards: Vec<Card>,
    direction: i8,
    finished: bool,
}

/// A whole game as the ruling describes it.
#[derive(Clone)]
pub struct Columns {
    exact: bool,
    max_rounds: u32,
    hands: [Vec<Card>; 2],
    columns: [Vec<Pile>; 2],
    stock: Vec<Card>,
    stolen: Vec<Card>,
    roller: usize,
    round: u32,
    dice: [u8; 4],
    rolled: Vec<u8>,
    /// Who plays, once the dice are placed.
    mover: Option<usize>,
    played: [u8; 4],
    stole: [bool; 4],
    over: Option<&'static str>,
    /// Cards to be drawn, by seat, the first one next.
    wanted: Vec<usize>,
    round_done: bool,
    reshuffle: bool,
}

const RANKS: &str = "A23456789TJQK";

/// 0 for an ace to 12 for a king.
fn rank(card: Card) -> i8 {
    RANKS.find(letter(card)).unwrap_or_default() as i8
}

impl Columns {
    pub fn new(rules: &Fields, deck: &[Card]) -> Self {
        let mut deck = deck.to_vec();
        let mut take = |n: usize| deck.drain(..n).collect::<Vec<_>>();
        let hands = [take(7), take(7)];
        let mut columns = || {
            let pile = |card| Pile { cards: vec![card], direction: 0, finished: false };
            take(4).into_iter().map(pile).collect::<Vec<_>>()
        };
        let columns = [columns(), columns()];
        Self {
            exact: is(rules, "finish", "exact"),
            max_rounds: number(rules, "max_rounds"),
            hands,
            columns,
            stock: deck,
            stolen: Vec::new(),
            roller: 0,
            round: 1,
            dice: [0; 4],
            rolled: Vec::new(),
            mover: None,
            played: [0; 4],
            stole: [false; 4],
            over: None,
            wanted: Vec::new(),
            round_done: false,
            reshuffle: false,
        }
    }

    fn open(&self, pair: usize) -> bool {
        !(self.columns[0][pair].finished && self.columns[1][pair].finished)
    }

    fn dice_count(&self) -> usize {
        let closed = (0..4).filter(|&pair| !self.open(pair)).count();
        if closed >= 2 { 1 } else { 3 - closed }
    }

    /// Draws what is wanted, until the stolen pile must be shuffled.
    fn draw(&mut self) {
        while let Some(&seat) = self.wanted.first() {
            if self.stock.is_empty() {
                if !self.stolen.is_empty() {
                    self.reshuffle = true;
                    return;
                }
                self.wanted.clear();
                break;
            }
            let card = self.stock.remove(0);
            self.hands[seat].push(card);
            self.wanted.remove(0);
        }
        if self.round_done {
            self.round_done = false;
            if self.round == self.max_rounds {
                self.over = Some("round_limit");
            }
            self.round += 1;
            self.roller = 1 - self.roller;
        }
    }

    /// Whether columns of these lengths can be given different slots, tried one by one.
    fn slots(&self, lengths: &[usize], slots: &[usize]) -> bool {
        let Some((&len, rest)) = lengths.split_first() else {
            return true;
        };
        (0..slots.len()).any(|i| {
            let fits = if self.exact { len.min(6) == slots[i] } else { len >= slots[i] };
            let mut others = slots.to_vec();
            others.remove(i);
            fits && self.slots(rest, &others)
        })
    }

    /// Every die goes to each open pair in turn; the same text twice is one move.
    fn placements(&self, moves: &mut Vec<String>) {
        let n = self.rolled.len();
        for code in 0..4_usize.pow(n as u32) {
            let at: Vec<usize> = (0..n).map(|i| code / 4_usize.pow(i as u32) % 4).collect();
            let different = (0..n).all(|i| self.open(at[i]) && (0..i).all(|j| at[i] != at[j]));
            if different {
                let mut words: Vec<String> =
                    (0..n).map(|i| format!(" {}{}", ["a", "b", "c", "d"][at[i]], self.rolled[i])).collect();
                words.sort();
                moves.push(format!("place{}", words.concat()));
            }
        }
        moves.sort();
        moves.dedup();
    }

    fn begin(&mut self, seat: usize) {
        self.mover = Some(seat);
        self.played = [0; 4];
        self.stole = [false; 4];
    }

    /// By turns, the one who did not roll first, up to seven.
    fn want_all(&mut self) {
        let mut count = [self.hands[0].len(), self.hands[1].len()];
        while count != [7, 7] {
            for seat in [1 - self.roller, self.roller] {
                if count[seat] < 7 {
                    count[seat] += 1;
                    self.wanted.push(seat);
                }
            }
        }
    }
}

impl Reference for Columns {
    fn turn(&self) -> Turn {
        match self.mover {
            _ if self.over.is_some() => Turn::Over,
            _ if self.reshuffle => Turn::Shuffle,
            Some(mover) => Turn::Player(mover),
            None if self.rolled.is_empty() => Turn::Chance,
            None => Turn::Player(self.roller),
        }
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.over.is_some() || self.reshuffle {
            return moves;
        }
        let Some(mover) = self.mover else {
            if !self.rolled.is_empty() {
                self.placements(&mut moves);
            }
            return moves;
        };
        for pair in 0..4 {
            let letter = ["a", "b", "c", "d"][pair];
            let own = &self.columns[mover][pair];
            let other = &self.columns[1 - mover][pair];
            let die = self.dice[pair];
            for &card in &self.hands[mover] {
                let most = if die == 6 { 1 } else { die };
                if !own.finished && !self.stole[pair] && self.played[pair] < most && fits(own, card, die) {
                    moves.push(format!("play {letter} {card}"));
                }
                let steals = die > 0 && self.played[pair] == 0 && !self.stole[pair] && !other.finished;
                if steals && other.cards.last().is_some_and(|&last| rank(last) == rank(card)) {
                    moves.push(format!("steal {letter} {card}"));
                }
            }
            if !own.finished && own.cards.len() >= 4 {
                let mut lengths: Vec<usize> =
                    self.columns[mover].iter().filter(|c| c.finished).map(|c| c.cards.len()).collect();
                lengths.push(own.cards.len());
                if self.slots(&lengths, &[4, 5, 5, 6]) {
                    moves.push(format!("finish {letter}"));
                }
            }
        }
        moves.push("done".to_owned());
        moves.sort();
        moves
    }

    fn play(&mut self, text: &str) {
        assert!(self.moves().iter().any(|m| m == text), "{text}");
        let words: Vec<&str> = text.split(' ').collect();
        let pair = |word: &str| "abcd".find(&word[..1]).unwrap_or_default();
        if words[0] == "place" {
            for word in &words[1..] {
                self.dice[pair(word)] = word.as_bytes()[1] - b'0';
            }
            self.rolled.clear();
            self.begin(1 - self.roller);
            return;
        }
        let Some(mover) = self.mover else { return };
        if words[0] == "done" {
            if mover == self.roller {
                self.mover = None;
                self.round_done = true;
                self.want_all();
                self.draw();
            } else {
                self.begin(self.roller);
            }
            return;
        }
        let at = pair(words[1]);
        if words[0] == "finish" {
            self.columns[mover][at].finished = true;
            if self.columns[mover].iter().all(|column| column.finished) {
                self.over = Some("finished");
            }
            return;
        }
        let card = card(words[2]);
        self.hands[mover].retain(|&other| other != card);
        if words[0] == "play" {
            let (die, column) = (self.dice[at], &mut self.columns[mover][at]);
            match column.cards.last().map(|&last| (rank(card) - rank(last) + 13) % 13) {
                Some(1) if die < 6 => column.direction = 1,
                Some(12) if die < 6 => column.direction = -1,
                Some(0) if die < 6 => {}
                _ => column.direction = 0,
            }
            column.cards.push(card);
            self.played[at] += 1;
        } else {
            let column = &mut self.columns[1 - mover][at];
            self.stolen.append(&mut column.cards);
            column.direction = 0;
            self.stolen.push(card);
            self.stole[at] = true;
        }
        if self.hands[mover].is_empty() {
            self.wanted = vec![mover; 7];
            self.draw();
        }
    }

    fn chance(&mut self, record: &ChanceRecord) -> Result<(), String> {
        if self.reshuffle {
            self.stock = reshuffled(record, &self.stolen)?;
            self.stolen.clear();
            self.reshuffle = false;
            self.draw();
        } else {
            self.rolled = dice(record, self.dice_count())?.to_vec();
            self.dice = [0; 4];
        }
        Ok(())
    }

    fn seats(&self) -> usize {
        2
    }

    fn score(&self, seat: Seat) -> f64 {
        match self.winners()[..] {
            [] => 0.5,
            [winner, ..] => f64::from(u8::from(winner == seat)),
        }
    }

    fn winners(&self) -> Vec<Seat> {
        (0..2).filter(|&seat| self.columns[seat].iter().all(|column| column.finished)).collect()
    }

    fn end(&self) -> &'static str {
        self.over.unwrap_or_default()
    }

    fn copy(&self) -> Box<dyn Reference> {
        Box::new(self.clone())
    }

    /// The dice of a placement may stand in any order.
    fn canonical(&self, text: &str) -> Option<String> {
        let mut words = words(text);
        if words.first() == Some(&"place") {
            words[1..].sort_unstable();
        }
        let text = words.join(" ");
        self.moves().contains(&text).then_some(text)
    }
}

fn fits(column: &Pile, card: Card, die: u8) -> bool {
    let Some(&last) = column.cards.last() else {
        return true;
    };
    let step = (rank(card) - rank(last) + 13) % 13;
    die == 6 || step == 0 || (step == 1 && column.direction >= 0) || (step == 12 && column.direction <= 0)
}
