//! Whist by its ruling: the deal and a full record of the play, from which everything else is worked out.

use super::{Reference, card, is, number, words};
use knave::agents::options::Fields;
use knave::cards::{Card, Suit};
use knave_agents::{ChanceRecord, Seat, Turn};

/// A game as its deal and all cards played so far.
#[derive(Clone)]
pub struct Whist {
    free: bool,
    hilo: bool,
    ace: i64,
    dealt: [Vec<Card>; 4],
    trump: Suit,
    record: Vec<Card>,
}

fn scoundrel(card: Card) -> bool {
    ["JC", "JS"].contains(&card.to_string().as_str())
}

impl Whist {
    /// Deals one card at a time.
    pub fn new(rules: &Fields, deck: &[Card]) -> Self {
        let mut dealt: [Vec<Card>; 4] = Default::default();
        for (i, card) in deck.iter().enumerate() {
            dealt[i % 4].push(*card);
        }
        Self {
            free: is(rules, "scoundrels", "free"),
            hilo: is(rules, "count", "hilo"),
            ace: number(rules, "ace"),
            dealt,
            trump: deck[deck.len() - 1].suit(),
            record: Vec::new(),
        }
    }

    fn suit(&self, card: Card) -> Option<Suit> {
        (!(self.free && scoundrel(card))).then(|| card.suit())
    }

    fn winner(&self, leader: usize, trick: &[Card]) -> usize {
        if let Some(last) = trick.iter().rposition(|&card| scoundrel(card)) {
            return (leader + last) % 4;
        }
        let led = trick.iter().find_map(|&card| self.suit(card));
        let of = |suit| trick.iter().filter(move |card| card.suit() == suit).max_by_key(|card| card.rank());
        let best = of(self.trump).or_else(|| of(led?));
        (leader + trick.iter().position(|card| Some(card) == best).unwrap_or_default()) % 4
    }

    /// The leader of each trick, the one to come included.
    fn leaders(&self) -> Vec<usize> {
        let mut leaders = vec![0];
        for trick in self.record.chunks_exact(4) {
            leaders.push(self.winner(leaders[leaders.len() - 1], trick));
        }
        leaders
    }

    /// Whose turn it is.
    fn seat(&self) -> usize {
        let leaders = self.leaders();
        (leaders[leaders.len() - 1] + self.record.len() % 4) % 4
    }

    fn hand(&self, seat: usize) -> Vec<Card> {
        self.dealt[seat].iter().copied().filter(|card| !self.record.contains(card)).collect()
    }

    /// The points of each seat for the tricks played.
    fn points(&self) -> [i64; 4] {
        let mut points = [0; 4];
        let tricks = self.record.chunks_exact(4);
        for (winner, trick) in self.leaders()[1..].iter().zip(tricks) {
            for &card in trick.iter().filter(|&&card| !scoundrel(card)) {
                let zeros: &[u8] = if self.hilo { &[7, 8, 9] } else { &[8, 9] };
                points[*winner] += match card.rank() {
                    14 => self.ace,
                    rank if zeros.contains(&rank) => 0,
                    rank if rank < 8 => 1,
                    _ => -1,
                };
            }
        }
        points
    }
}

impl Reference for Whist {
    fn turn(&self) -> Turn {
        let cards: usize = self.dealt.iter().map(Vec::len).sum();
        if self.record.len() == cards { Turn::Over } else { Turn::Player(self.seat()) }
    }

    fn moves(&self) -> Vec<String> {
        let mut legal = self.hand(self.seat());
        let trick = &self.record[self.record.len() / 4 * 4..];
        let led = trick.iter().find_map(|&card| self.suit(card));
        let must_follow = led.is_some() && legal.iter().any(|&card| self.suit(card) == led);
        legal.retain(|&card| !must_follow || self.suit(card).is_none() || self.suit(card) == led);
        let mut moves: Vec<String> = legal.iter().map(|card| format!("play {card}")).collect();
        moves.sort();
        moves
    }

    fn play(&mut self, text: &str) {
        self.record.push(card(words(text)[1]));
    }

    fn chance(&mut self, _: &ChanceRecord) -> Result<(), String> {
        Err("nothing is random".to_owned())
    }

    fn seats(&self) -> usize {
        4
    }

    fn score(&self, seat: Seat) -> f64 {
        self.points()[seat] as f64
    }

    fn winners(&self) -> Vec<Seat> {
        let points = self.points();
        (0..4).filter(|&seat| points.iter().all(|&other| other <= points[seat])).collect()
    }

    fn end(&self) -> &'static str {
        "played_out"
    }

    fn copy(&self) -> Box<dyn Reference> {
        Box::new(self.clone())
    }
}
