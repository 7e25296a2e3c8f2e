//! An upper bound on the score of fair play, by an information relaxation with a penalty.
//!
//! The relaxed player knows the deck and pays the penalty of [`penalty`], whose mean is zero for fair players. The bound of a
//! deal is the most that points less penalties can be. The ways on are those of `known_deck`, and two more at every point: to draw or
//! redeal and then claim nothing, for a penalty below 0 is worth taking.
//!
//! The ways that are left out there are rightly left out here, too. Penalties depend on the open columns, the place of the
//! pile's top card and the suits of the hand. All of these stay the same when cards of one suit or the uses of claimed columns
//! are exchanged. Every position is valued once; a table of fixed size keeps the values.

mod foresight;
pub mod penalty;

use super::clairvoyant::known_deck::{Key, KnownDeck, Node};
use super::clairvoyant::{self, VerslunDeals};
use super::deck::CARDS;
use super::position::Verslun;
use super::rules::{HEIGHT, MAX_COLUMNS, Match, Rules};
use crate::CardGame as _;
use crate::cards::Card;
use arrayvec::ArrayVec;
use foresight::Suits;
use knave_agents::{Bounding, DealBound, DealBounder, DealSolver as _, Rng};
use penalty::{CardEvent, N, Weights, suits};
use rand::RngExt as _;
use std::collections::HashMap;
use std::sync::Arc;

/// Entries of the table: 8 MiB in all.
const ENTRIES: usize = 1 << 18;

#[derive(Copy, Clone, Default)]
struct Entry {
    key: Key,
    /// The deal that it belongs to.
    question: u64,
    value: f64,
}

/// The value of deals to a player who knows the deck and pays the penalty.
pub struct Relaxation {
    deck: KnownDeck,
    weights: Arc<Weights>,
    /// The penalties of the deal, by the open columns, the place of the pile's top card and the suits of the hand before. No hand
    /// stands for a deal.
    penalties: HashMap<(u64, u8, Option<Suits>), f64>,
    table: Vec<Entry>,
    question: u64,
    seed: u64,
}

/// The surprise of a random event: its case and f − E f.
pub type Surprise = (usize, [f64; N]);

impl Relaxation {
    /// With these weights of the penalty.
    #[must_use]
    pub fn new(weights: Arc<Weights>) -> Self {
        Self {
            deck: KnownDeck::default(),
            weights,
            penalties: HashMap::new(),
            table: vec![Entry::default(); ENTRIES],
            question: 0,
            seed: 0,
        }
    }

    /// The most that points less penalties can be on this deal; `seed` decides about sampled deals.
    pub fn value(&mut self, rules: &Rules, deal: &Verslun, seed: u64) -> f64 {
        let start = self.begin(rules, deal, seed);
        self.from(&start)
    }

    fn begin(&mut self, rules: &Rules, deal: &Verslun, seed: u64) -> Node {
        self.question += 1;
        self.seed = seed;
        self.penalties.clear();
        let cards: Vec<u8> = deal.deck().into_iter().map(Card::id).collect();
        self.deck.begin(rules, &cards)
    }

    /// The value of the start of a turn.
    fn from(&mut self, node: &Node) -> f64 {
        if usize::from(node.head) == self.deck.len {
            return 0.0;
        }
        let key = self.deck.key(node);
        let slot = (key.hash() >> 40) as usize % ENTRIES;
        let entry = self.table[slot];
        if entry.question == self.question && entry.key == key {
            return entry.value;
        }
        let mut best = 0.0;
        self.each(node, |search, cost, choice| {
            best = f64::max(best, search.choice(choice).0 - cost);
        });
        self.table[slot] = Entry { key, question: self.question, value: best };
        best
    }

    /// Calls `f` with every way to come to the choice of a claim, and what it costs.
    fn each(&mut self, node: &Node, mut f: impl FnMut(&mut Self, f64, &Node)) {
        let mut ways = ArrayVec::<_, 4>::new();
        self.deck.openings(node, |draw, redeal, choice| ways.push((draw, redeal, *choice)));
        let head = usize::from(node.head);
        let mut drawing = None;
        for (draw, redeal, choice) in ways {
            let mut cost = 0.0;
            if draw {
                cost += *drawing.get_or_insert_with(|| self.penalty(node.open, Some(node.hand), head));
            }
            if redeal {
                let from = usize::from(choice.head) - self.deck.rules.redealt();
                cost += self.penalty(node.open, None, from);
            }
            f(self, cost, &choice);
        }
    }

    /// The value of the choice of a claim, and the start of the turn after the best one; to claim nothing is worth 0.
    fn choice(&mut self, node: &Node) -> (f64, Option<Node>) {
        let mut claims = Vec::new();
        self.deck.claims(node, |column, taken, gain| claims.push((column, taken, gain)));
        let mut best = (0.0, None);
        for (column, taken, gain) in claims {
            let after = KnownDeck::after(node, column, taken, gain.is_some());
            let value = f64::from(gain.unwrap_or(0)) + self.from(&after);
            if value > best.0 {
                best = (value, Some(after));
            }
        }
        best
    }

    /// The same, and the surprises of a best line.
    pub fn line(&mut self, rules: &Rules, deal: &Verslun, seed: u64, line: &mut Vec<Surprise>) -> f64 {
        line.clear();
        let mut node = self.begin(rules, deal, seed);
        let value = self.from(&node);
        loop {
            let mut best = (0.0, None);
            let before = node;
            self.each(&before, |search, cost, choice| {
                let (value, after) = search.choice(choice);
                if value - cost > best.0 {
                    best = (value - cost, Some((*choice, after)));
                }
            });
            let Some((choice, after)) = best.1 else {
                return value;
            };
            self.surprises(&before, &choice, line);
            let Some(after) = after else {
                return value;
            };
            node = after;
        }
    }

    /// The random events between the start of a turn and the choice of a claim.
    fn surprises(&self, before: &Node, choice: &Node, line: &mut Vec<Surprise>) {
        let (from, mut to) = (usize::from(before.head), usize::from(choice.head));
        let redeal = choice.open != before.open;
        if redeal {
            to -= self.deck.rules.redealt();
            line.extend(self.surprise(before.open, None, to));
        }
        if from < to {
            line.extend(self.surprise(before.open, Some(before.hand), from));
        }
    }

    /// What the cards that come at this place of the deck surprise by: those of a draw to a hand, or of a deal. Nothing does where
    /// all that is left is drawn.
    fn surprise(&self, open: u64, hand: Option<u64>, head: usize) -> Option<Surprise> {
        let deck = &self.deck;
        let columns: ArrayVec<_, MAX_COLUMNS> = deck.open_columns(open).copied().collect();
        let from = head + if hand.is_none() { HEIGHT } else { 0 };
        let to = deck.len.min(from + deck.missing(hand.unwrap_or(0)));
        if hand.is_some() && to == deck.len {
            return None;
        }
        let event = CardEvent {
            open: &columns,
            hand: hand.unwrap_or(0),
            unseen: deck.range(head, deck.len),
            column: hand.is_none().then(|| deck.columns[head].cards),
            drawn: deck.range(from, to),
            rules: deck.rules,
            seed: self.seed,
        };
        Some(event.surprise())
    }

    /// The penalty for these cards.
    fn penalty(&mut self, open: u64, hand: Option<u64>, head: usize) -> f64 {
        let key = (open, head as u8, hand.map(suits));
        if let Some(&penalty) = self.penalties.get(&key) {
            return penalty;
        }
        let weigh = |(case, surprise): Surprise| -> f64 {
            surprise.iter().zip(&self.weights[case]).map(|(f, w)| f * w).sum()
        };
        let penalty = self.surprise(open, hand, head).map_or(0.0, weigh);
        self.penalties.insert(key, penalty);
        penalty
    }
}

/// How fair play is bounded.
pub(in crate::verslun) fn bounding(rules: &Rules) -> Bounding<Verslun> {
    let method = if penalised(rules) {
        "the best score with every card known, less a penalty for what cards surprise by, which costs fair \
         play nothing on average; none with match=suit_or_rank or more than 5 columns"
    } else {
        "the best score with every card known"
    };
    Bounding {
        quantity: "score",
        method,
        check: |_| Ok(()),
        value: |end| end.score(0) as f64,
        bounder: || Box::new(Bounder::new(clairvoyant::BUDGET)),
    }
}

/// Whether there is a penalty under these rules, which are more than those that it was fitted for. With wild aces it brings little.
/// Where a first hand is so large that nobody could pay for a redeal from a full deck, it can raise the bound.
fn penalised(rules: &Rules) -> bool {
    let left = CARDS.saturating_sub(rules.laid_out() + usize::from(rules.hand));
    rules.columns <= 5 && rules.matching == Match::Suit && left >= rules.redealt() && !is_too_wide(rules)
}

/// Whether a large hand and many columns stand beside wild aces. A penalty brings nothing there that could be told from chance, and
/// its search takes up to minutes for a deal whose best score is found in about a second.
fn is_too_wide(rules: &Rules) -> bool {
    rules.aces_wild && matches!(rules.columns, 4 | 5) && rules.columns + rules.hand > 11
}

pub(in crate::verslun) struct Bounder {
    relaxed: Relaxation,
    exact: VerslunDeals,
    /// The nodes for the best score of a deal.
    budget: u64,
}

impl Bounder {
    pub fn new(budget: u64) -> Self {
        Self { relaxed: Relaxation::new(penalty::fitted()), exact: VerslunDeals::default(), budget }
    }
}

impl DealBounder<Verslun> for Bounder {
    fn bound(&mut self, rules: &Rules, deal: &Verslun, rng: &mut Rng) -> DealBound {
        // Where the best score is not found, an upper bound of it counts.
        let clairvoyant = self.exact.solve(rules, deal, self.budget).bound.unwrap_or_default() as f64;
        let bound =
            if penalised(rules) { self.relaxed.value(rules, deal, rng.random()) } else { clairvoyant };
        DealBound { bound, clairvoyant }
    }
}
