//! Verslun by its ruling, as slowly as it reads: lists of cards, every order of every selection, moves as text.

use super::{Reference, card, is, letter as rank, number, words};
use knave::agents::options::Fields;
use knave::cards::Card;
use knave_agents::{ChanceRecord, Seat, Turn};
use serde_json::Value;
use std::collections::BTreeMap;

/// A game.
#[derive(Clone)]
pub struct Verslun {
    aces_wild: bool,
    ranks_pair: bool,
    full_hand: usize,
    target: i64,
    pile: Vec<Card>,
    hand: Vec<Card>,
    /// The columns as they were laid out, top first.
    columns: Vec<Vec<Card>>,
    /// What lies in place of a claimed column.
    claimed: Vec<Option<Vec<Card>>>,
    stage: Stage,
}

/// The decision that is due.
#[derive(Clone, PartialEq)]
enum Stage {
    Draw,
    Redeal,
    Claim,
    End,
    Over(&'static str),
}

fn letter(place: usize) -> char {
    char::from(b"abcdefghijk"[place])
}

fn points(card: Card) -> i64 {
    match rank(card) {
        'A' => 1,
        'T' | 'J' | 'Q' | 'K' => 10,
        digit => i64::from(digit.to_digit(10).unwrap_or_default()),
    }
}

/// Every order of `size` of the cards.
fn arrangements(cards: &[Card], size: usize) -> Vec<Vec<Card>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in arrangements(cards, size - 1) {
        for &card in cards.iter().filter(|card| !shorter.contains(card)) {
            let mut longer = shorter.clone();
            longer.push(card);
            all.push(longer);
        }
    }
    all
}

impl Verslun {
    pub fn new(rules: &Fields, deck: &[Card]) -> Self {
        let mut pile = deck.to_vec();
        let count: usize = number(rules, "columns");
        let columns: Vec<Vec<Card>> = (0..count).map(|_| pile.drain(..4).collect()).collect();
        let mut verslun = Self {
            aces_wild: rules.get("aces_wild").and_then(Value::as_bool).unwrap_or_default(),
            ranks_pair: is(rules, "match", "suit_or_rank"),
            full_hand: number(rules, "hand"),
            target: number(rules, "target"),
            pile,
            hand: Vec::new(),
            claimed: vec![None; columns.len()],
            columns,
            stage: Stage::Draw,
        };
        verslun.first();
        verslun
    }

    fn pairs(&self, a: Card, b: Card) -> bool {
        let wild = self.aces_wild && (a.rank() == 14 || b.rank() == 14);
        let rank = self.ranks_pair && a.rank() == b.rank();
        a.suit() == b.suit() || rank || wild
    }

    fn claim_texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for (place, column) in self.columns.iter().enumerate() {
            if self.claimed[place].is_some() {
                continue;
            }
            let upwards: Vec<Card> = column.iter().rev().copied().collect();
            for height in 1..=4.min(self.hand.len()) {
                // The smallest of the texts that take the same cards.
                let mut moves: BTreeMap<Vec<Card>, String> = BTreeMap::new();
                for order in arrangements(&self.hand, height) {
                    if upwards.iter().zip(&order).all(|(&a, &b)| self.pairs(a, b)) {
                        let cards: Vec<String> = order.iter().map(ToString::to_string).collect();
                        let text = format!("claim {} {}", letter(place), cards.join(" "));
                        let mut set = order;
                        set.sort();
                        let entry = moves.entry(set).or_insert_with(|| text.clone());
                        *entry = text.min(entry.clone());
                    }
                }
                texts.extend(moves.into_values());
            }
        }
        texts
    }

    /// Step 1 of a turn.
    fn first(&mut self) {
        self.stage = if self.pile.is_empty() { Stage::Over("pile_empty") } else { Stage::Draw };
    }

    /// Step 2.
    fn second(&mut self) {
        if self.claimed.iter().any(Option::is_some) {
            self.stage = Stage::Redeal;
        } else {
            self.third();
        }
    }

    /// Step 3.
    fn third(&mut self) {
        self.stage = if self.claim_texts().is_empty() { Stage::Over("no_claim") } else { Stage::Claim };
    }

    fn points(&self) -> i64 {
        self.claimed.iter().flatten().flatten().map(|&card| points(card)).sum()
    }
}

impl Reference for Verslun {
    fn turn(&self) -> Turn {
        if let Stage::Over(_) = self.stage { Turn::Over } else { Turn::Player(0) }
    }

    fn moves(&self) -> Vec<String> {
        let texts = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        let mut moves = match self.stage {
            Stage::Draw => texts(&["draw", "stay"]),
            Stage::Redeal => {
                let mut moves = vec!["keep".to_owned()];
                for (place, claimed) in self.claimed.iter().enumerate() {
                    if claimed.is_some() {
                        moves.push(format!("redeal {}", letter(place)));
                    }
                }
                moves
            }
            Stage::Claim => {
                let mut moves = self.claim_texts();
                moves.push("pass".to_owned());
                moves
            }
            Stage::End => texts(&["end", "on"]),
            Stage::Over(_) => Vec::new(),
        };
        moves.sort();
        moves
    }

    fn play(&mut self, text: &str) {
        let words: Vec<&str> = text.split(' ').collect();
        let place = || (0..11).find(|&place| words[1] == letter(place).to_string()).unwrap_or_default();
        match words[0] {
            "draw" => {
                while self.hand.len() < self.full_hand && !self.pile.is_empty() {
                    self.hand.push(self.pile.remove(0));
                }
                self.second();
            }
            "stay" => self.second(),
            "keep" => self.third(),
            "redeal" => {
                let place = place();
                self.claimed[place] = None;
                self.columns[place].clear();
                self.hand.clear();
                for dealt in 0..4 + self.full_hand {
                    if self.pile.is_empty() {
                        self.stage = Stage::Over("pile_empty");
                        return;
                    }
                    let card = self.pile.remove(0);
                    if dealt < 4 { self.columns[place].push(card) } else { self.hand.push(card) }
                }
                self.third();
            }
            "claim" => {
                let place = place();
                let mut cards: Vec<Card> = words[2..].iter().map(|word| card(word)).collect();
                self.hand.retain(|card| !cards.contains(card));
                cards.extend(self.columns[place].iter().rev().take(words.len() - 2));
                self.claimed[place] = Some(cards);
                self.stage = Stage::End;
            }
            "pass" => self.stage = Stage::Over("no_claim"),
            "end" => self.stage = Stage::Over("stopped"),
            "on" => self.first(),
            _ => panic!("{text}"),
        }
    }

    fn chance(&mut self, _: &ChanceRecord) -> Result<(), String> {
        Err("nothing is random but the deck".to_owned())
    }

    fn seats(&self) -> usize {
        1
    }

    fn score(&self, _: Seat) -> f64 {
        self.points() as f64
    }

    fn winners(&self) -> Vec<Seat> {
        if self.points() >= self.target { vec![0] } else { Vec::new() }
    }

    fn end(&self) -> &'static str {
        if let Stage::Over(end) = self.stage { end } else { "" }
    }

    fn copy(&self) -> Box<dyn Reference> {
        Box::new(self.clone())
    }

    /// The cards of a claim may stand in any order in which each pairs with its card of the column.
    fn canonical(&self, text: &str) -> Option<String> {
        let words = words(text);
        let sorted = |words: &[&str]| {
            let mut words: Vec<String> = words.iter().map(ToString::to_string).collect();
            words.sort();
            words
        };
        if let ["claim", place, cards @ ..] = &words[..] {
            let place = (0..self.columns.len()).find(|&other| letter(other).to_string() == *place)?;
            let upwards = self.columns[place].iter().rev();
            let given = cards.iter().map(|card| card.parse().ok()).collect::<Option<Vec<Card>>>()?;
            if !upwards.zip(&given).all(|(&a, &b)| self.pairs(a, b)) {
                return None;
            }
        }
        let same = |m: &String| {
            let others = super::words(m);
            others[..others.len().min(2)] == words[..words.len().min(2)] && sorted(&others) == sorted(&words)
        };
        self.moves().into_iter().find(same)
    }
}
