//! The best score with the whole deck known: branch and bound, depth first over whole turns.
//!
//! [`super::known_deck`] says which ways on are left out and why. [`super::upper_bound`] bounds the points that a way can
//! still bring; a way that cannot bring more than the best so far is not followed. The rest is tried, the most promising
//! first. A transposition table of fixed size compares whole positions, not hashes, so that no position is taken for
//! another.

use super::known_deck::{Key, KnownDeck, Node, Way};
use super::upper_bound::UpperBounds;
use crate::verslun::rules::Rules;

/// Entries of the transposition table: 384 KiB in all.
const ENTRIES: usize = 1 << 14;

/// The weight of a point that may still come in the order of ways, in sixteenths of a point gained.
const TO_COME: i32 = 8;

/// An entry of the transposition table: bounds on the value of the start of a turn.
#[derive(Copy, Clone, Default)]
struct Entry {
    key: Key,
    /// The deal that it belongs to.
    question: u32,
    low: i16,
    high: i16,
}

/// The budget ran out before the answer was found.
#[derive(Debug)]
pub struct OutOfBudget;

/// A way on and the most that it can bring.
#[derive(Copy, Clone)]
struct Choice {
    order: i32,
    bound: i32,
    way: Way,
}

/// The memory of a search.
pub struct Search {
    deck: KnownDeck,
    bounds: UpperBounds,
    table: Vec<Entry>,
    question: u32,
    /// Lists of ways for each depth, used again.
    lists: Vec<Vec<Choice>>,
    /// The nodes visited.
    pub nodes: u64,
    /// How many may be.
    pub budget: u64,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            deck: KnownDeck::default(),
            bounds: UpperBounds::default(),
            table: vec![Entry::default(); ENTRIES],
            question: 0,
            lists: Vec::new(),
            nodes: 0,
            budget: 0,
        }
    }
}

impl Search {
    /// Looks at a deck; the start of the first turn.
    pub fn begin(&mut self, rules: &Rules, deck: &[u8]) -> Node {
        self.question = self.question.wrapping_add(1);
        if self.question == 0 {
            self.table.fill(Entry::default());
            self.question = 1;
        }
        let node = self.deck.begin(rules, deck);
        self.bounds.begin(&self.deck);
        node
    }

    /// The most that can be gained from the start of a turn, if that is more than `least`; otherwise an upper bound of it
    /// that is not more than `least`.
    pub fn value(&mut self, node: &Node, least: i32) -> Result<i32, OutOfBudget> {
        if usize::from(node.head) == self.deck.len {
            return Ok(0);
        }
        if self.nodes >= self.budget {
            return Err(OutOfBudget);
        }
        self.nodes += 1;
        let key = self.deck.key(node);
        let slot = (key.hash() >> 48) as usize % ENTRIES;
        let entry = self.table[slot];
        if entry.question == self.question
            && entry.key == key
            && (i32::from(entry.high) <= least || entry.low == entry.high)
        {
            return Ok(i32::from(entry.high));
        }
        let mut list = self.lists.pop().unwrap_or_default();
        let mut high = self.list(node, least.max(0), &mut list);
        // To end the game is always possible.
        let mut best = 0;
        for option in &list {
            let need = best.max(least);
            if option.bound <= need {
                high = high.max(option.bound);
                continue;
            }
            let gain = option.way.gain;
            let value = gain + self.value(&option.way.next, need - gain)?;
            if value > need {
                best = value;
            }
            high = high.max(value);
        }
        self.lists.push(list);
        let exact = best > least;
        let high = if exact { best } else { high.max(0) };
        let low = if exact { best } else { 0 };
        self.table[slot] = Entry { key, question: self.question, low: low as i16, high: high as i16 };
        Ok(high)
    }

    /// An upper bound of what can be gained from the start of a turn, without a search.
    pub fn most(&self, node: &Node) -> i32 {
        self.list(node, i32::MAX, &mut Vec::new())
    }

    /// Lists the ways that may bring more than `need`, the most promising first; the most that the others can bring.
    fn list(&self, node: &Node, need: i32, list: &mut Vec<Choice>) -> i32 {
        let mut most = 0;
        list.clear();
        self.deck.openings(node, |draw, redeal, choice| {
            if !self.deck.can_claim(choice) {
                return;
            }
            let forecast = self.bounds.forecast(&self.deck, choice);
            let mut at = (u8::MAX, usize::MAX);
            self.deck.claims(choice, |column, taken, kept| {
                if at.0 != column {
                    at = (column, (choice.open & ((1 << column) - 1)).count_ones() as usize);
                }
                let to_come = forecast[at.1];
                let (gain, to_come) = kept.map_or((0, to_come.1), |gain| (gain, to_come.0));
                if gain + to_come <= need {
                    most = most.max(gain + to_come);
                    return;
                }
                let next = KnownDeck::after(choice, column, taken, kept.is_some());
                let way = Way { draw, redeal, column, taken, gain, next };
                list.push(Choice { order: -(16 * gain + TO_COME * to_come), bound: gain + to_come, way });
            });
        });
        list.sort_unstable_by_key(|option| option.order);
        most
    }

    /// Appends the turns that gain `value` from the start of a turn, which is the most that can be gained. The search is made
    /// again with what the table still knows.
    pub fn line(&mut self, mut node: Node, mut value: i32, line: &mut Vec<Way>) -> Result<(), OutOfBudget> {
        while value > 0 {
            let mut list = self.lists.pop().unwrap_or_default();
            self.list(&node, value - 1, &mut list);
            let mut found = None;
            for option in &list {
                let rest = value - option.way.gain;
                if rest == 0 || rest > 0 && self.value(&option.way.next, rest - 1)? == rest {
                    found = Some((option.way, rest));
                    break;
                }
            }
            self.lists.push(list);
            let Some((way, rest)) = found else {
                return Err(OutOfBudget);
            };
            line.push(way);
            (node, value) = (way.next, rest);
        }
        Ok(())
    }
}
