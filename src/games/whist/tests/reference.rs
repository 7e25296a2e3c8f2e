//! A second engine for tests, straight from the ruling and as unlike the first as can be: lists of cards
//! and a full record of the play, nothing kept that could be worked out.

use crate::cards::{Card, Suit};
use crate::games::whist::{Count, Rules, Scoundrels};

/// A game as its deal and all cards played so far.
#[derive(Clone)]
pub struct Reference {
    rules: Rules,
    dealt: [Vec<Card>; 4],
    trump: Suit,
    record: Vec<Card>,
}

fn scoundrel(card: Card) -> bool {
    ["JC", "JS"].contains(&card.to_string().as_str())
}

impl Reference {
    /// Deals one card at a time.
    pub fn deal(rules: &Rules, deck: &[Card]) -> Self {
        let mut dealt: [Vec<Card>; 4] = Default::default();
        for (i, card) in deck.iter().enumerate() {
            dealt[i % 4].push(*card);
        }
        Self { rules: *rules, dealt, trump: deck[deck.len() - 1].suit(), record: Vec::new() }
    }

    /// A game with these hands, in which these cards have been played.
    pub fn resume(rules: &Rules, dealt: [Vec<Card>; 4], trump: Suit, record: &[Card]) -> Self {
        Self { rules: *rules, dealt, trump, record: record.to_vec() }
    }

    /// Whether every card of the record was held by the player whose turn it was, and legal.
    pub fn is_possible(&self) -> bool {
        (0..self.record.len()).all(|i| {
            let before = Self { record: self.record[..i].to_vec(), ..self.clone() };
            before.legal().contains(&self.record[i])
        })
    }

    fn suit(&self, card: Card) -> Option<Suit> {
        let free = self.rules.scoundrels == Scoundrels::Free && scoundrel(card);
        (!free).then(|| card.suit())
    }

    fn winner(&self, leader: usize, trick: &[Card]) -> usize {
        if let Some(last) = trick.iter().rposition(|&card| scoundrel(card)) {
            return (leader + last) % 4;
        }
        let led = trick.iter().find_map(|&card| self.suit(card));
        let of = |suit| trick.iter().filter(|card| card.suit() == suit).max_by_key(|card| card.rank());
        let best = of(self.trump).or_else(|| of(led.unwrap())).unwrap();
        (leader + trick.iter().position(|card| card == best).unwrap()) % 4
    }

    /// The leader of each trick, the one to come included.
    fn leaders(&self) -> Vec<usize> {
        let mut leaders = vec![0];
        for trick in self.record.chunks_exact(4) {
            leaders.push(self.winner(*leaders.last().unwrap(), trick));
        }
        leaders
    }

    /// Whose turn it is.
    pub fn seat(&self) -> usize {
        (self.leaders().last().unwrap() + self.record.len() % 4) % 4
    }

    pub fn hand(&self, seat: usize) -> Vec<Card> {
        self.dealt[seat].iter().copied().filter(|card| !self.record.contains(card)).collect()
    }

    /// The suits that each seat has shown to be out of.
    pub fn shown_out(&self) -> Vec<(usize, Suit)> {
        let mut out = Vec::new();
        for (leader, trick) in self.leaders().into_iter().zip(self.record.chunks(4)) {
            let led = trick.iter().find_map(|&card| self.suit(card));
            for (i, &card) in trick.iter().enumerate() {
                if self.suit(card).is_some() && self.suit(card) != led {
                    out.extend(led.map(|suit| ((leader + i) % 4, suit)));
                }
            }
        }
        out
    }

    /// The legal cards in order.
    pub fn legal(&self) -> Vec<Card> {
        let hand = self.hand(self.seat());
        let trick = &self.record[self.record.len() / 4 * 4..];
        let led = trick.iter().find_map(|&card| self.suit(card));
        let must_follow = led.is_some() && hand.iter().any(|&card| self.suit(card) == led);
        let mut legal = hand;
        legal.retain(|&card| !must_follow || self.suit(card).is_none() || self.suit(card) == led);
        legal.sort_unstable();
        legal
    }

    pub fn play(&mut self, card: Card) {
        self.record.push(card);
    }

    /// The points of each seat for the tricks played.
    pub fn points(&self) -> [i64; 4] {
        let mut points = [0; 4];
        let tricks = self.record.chunks_exact(4);
        for (winner, trick) in self.leaders()[1..].iter().zip(tricks) {
            for &card in trick.iter().filter(|&&card| !scoundrel(card)) {
                let zeros: &[u8] = if self.rules.count == Count::Ko { &[8, 9] } else { &[7, 8, 9] };
                points[*winner] += match card.rank() {
                    14 => i64::from(self.rules.ace),
                    rank if zeros.contains(&rank) => 0,
                    rank if rank < 8 => 1,
                    _ => -1,
                };
            }
        }
        points
    }
}
