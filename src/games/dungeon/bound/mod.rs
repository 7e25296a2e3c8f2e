//! An upper bound on the win rate of fair play, by an information relaxation: the player is shown a tree of decks.
//!
//! To a deal belongs a tree of decks, its own among them. All begin with the same cards. There the tree branches: each branch
//! goes on with the remaining cards in another uniformly drawn order, and so on at each of [`STAGES`]. A relaxed player is
//! shown the whole tree, but not which of its decks is dealt. A card beyond those that the branches share tells at which
//! branch the player is. Up to there play must be the same in all of them; in a single deck every card is known. The value of
//! a tree is the most, over all ways to play the shared cards, of the mean value of the branches.
//!
//! **It is a bound.** Let a fair player play each of the decks, with the same private random numbers. Branches look the same
//! until a card beyond those that they share is seen, so up to there the player plays the same in all. By induction from the
//! single decks, the share of a tree's decks that the player wins is at most its value. Each of the decks is as good a deal
//! as any, for the rest of a deal is in uniformly random order whatever its first cards are. So the win rate is the mean
//! share of the decks that are won, which is at most the mean of the values (Brown, Smith and Sun 2010, with the branching
//! of Broadie and Glasserman 1997).
//!
//! Ways to play the shared cards are searched as in [`search`](super::clairvoyant::search), whose dominances hold for every
//! deck alike. Of two nodes with the same cards everywhere, the one with more health, weapon and reach wins every deck that
//! the other wins. A node that was searched before with at least that health brings nothing new. If the budget runs out, the
//! value is taken to be 1, and the bound still holds.

use super::board::Phase;
use super::clairvoyant::search::{Node, OutOfBudget, Search, WIN};
use super::clairvoyant::{self, DungeonDeals};
use super::position::Dungeon;
use super::rules::Rules;
use crate::cards::Card;
use crate::games::CardGame as _;
use knave_agents::{Bounding, DealBound, DealBounder, DealSolver as _, Rng};
use rand::seq::SliceRandom as _;

/// The stages of a tree: how many cards the branches share, and how many branches there are. To branch widely and early costs
/// the relaxed player most, who is shown this many of all decks with the same first room.
const STAGES: &[(usize, usize)] = &[(4, 64)];

/// Entries of the transposition table of each deck: 128 KiB.
const ENTRIES: usize = 1 << 12;

/// The nodes for the shared cards of one branching, and for each deck after it.
const BUDGET: u64 = 1_000_000;

/// How fair play is bounded.
pub(super) fn bounding() -> Bounding<Dungeon> {
    Bounding {
        quantity: "wins",
        method: "what can be won by someone who is shown 64 decks with the same first room, and not which is dealt",
        check: clairvoyant::check,
        value: |end| f64::from(u8::from(end.won(0))),
        bounder: || Box::new(DeckTrees::new(STAGES)),
    }
}

/// Bounder of deals by trees of decks.
pub(super) struct DeckTrees {
    tree: Tree,
    exact: DungeonDeals,
}

/// A tree of decks: all that begin with the same cards.
struct Tree {
    /// The search of the shared cards; it sees the first deck.
    search: Search,
    /// How many cards are shared.
    shared: usize,
    /// None where there is one deck.
    branches: Vec<Tree>,
    /// The number of cards in a deck.
    cards: usize,
    /// The highest value that has been found.
    best: f64,
}

impl DealBounder<Dungeon> for DeckTrees {
    fn bound(&mut self, rules: &Rules, deal: &Dungeon, rng: &mut Rng) -> DealBound {
        let clairvoyant = self.exact.solve(rules, deal, clairvoyant::BUDGET).reached.is_some();
        DealBound {
            bound: self.value(rules, &deal.deck(), rng),
            clairvoyant: f64::from(u8::from(clairvoyant)),
        }
    }
}

impl DeckTrees {
    /// With trees of these [`STAGES`].
    pub fn new(stages: &[(usize, usize)]) -> Self {
        Self { tree: Tree::new(stages), exact: DungeonDeals::new(DungeonDeals::win) }
    }

    /// The decks of the last tree.
    #[cfg(test)]
    pub fn decks(&self) -> Vec<Vec<Card>> {
        let mut decks = Vec::new();
        self.tree.decks(&mut decks);
        decks
    }

    /// The value of a tree of decks with this one among them.
    pub fn value(&mut self, rules: &Rules, deck: &[Card], rng: &mut Rng) -> f64 {
        let deal = Dungeon::from_deck(rules, deck).expect("a deck that has been dealt");
        let start = self.tree.deal(&deal, &mut deck.to_vec(), rng);
        self.tree.value(&start, 0.0).unwrap_or(1.0)
    }
}

impl Tree {
    fn new(stages: &[(usize, usize)]) -> Self {
        let (shared, branches) = match stages.split_first() {
            Some((&(shared, branches), rest)) => (shared, (0..branches).map(|_| Self::new(rest)).collect()),
            None => (usize::MAX, Vec::new()),
        };
        Self { search: Search::with_entries(ENTRIES), shared, branches, cards: 0, best: 0.0 }
    }

    /// Takes a deck over and draws the decks of the branches. Returns the node before the first room.
    fn deal(&mut self, deal: &Dungeon, deck: &mut [Card], rng: &mut Rng) -> Node {
        self.cards = deck.len();
        self.search.ask(WIN);
        let shared = self.shared.min(deck.len());
        for (i, branch) in self.branches.iter_mut().enumerate() {
            if i > 0 {
                deck[shared..].shuffle(rng);
            }
            let deal = Dungeon::from_deck(&deal.board.rules, deck).expect("a deck that has been dealt");
            branch.deal(&deal, &mut deck.to_vec(), rng);
        }
        self.search.before(deal)
    }

    /// The decks, in order.
    #[cfg(test)]
    fn decks(&self, decks: &mut Vec<Vec<Card>>) {
        if self.branches.is_empty() {
            decks.push(self.search.places(0..self.cards));
        }
        self.branches.iter().for_each(|branch| branch.decks(decks));
    }

    /// The value from a node whose room is about to be filled, if it is above `least`; otherwise `least`.
    fn value(&mut self, node: &Node, least: f64) -> Result<f64, OutOfBudget> {
        (self.search.nodes, self.search.budget) = (0, BUDGET);
        let mut node = *node;
        if self.branches.is_empty() {
            self.search.fill(&mut node);
            return Ok(f64::from(u8::from(self.search.reaches(&node)?)).max(least));
        }
        self.best = least;
        // What was seen before was seen with another value to beat.
        self.search.ask(WIN);
        self.go(&mut node)?;
        Ok(self.best)
    }

    /// Goes on where a room is about to be filled.
    fn go(&mut self, node: &mut Node) -> Result<(), OutOfBudget> {
        let seen = usize::from(node.head) + node.board.missing(usize::from(node.tail - node.head));
        if seen > self.shared && usize::from(node.head) < self.cards {
            self.branch(node)
        } else {
            self.search.fill(node);
            self.play(node)
        }
    }

    /// Tries every way to go on while cards are shared, from a filled room.
    fn play(&mut self, node: &Node) -> Result<(), OutOfBudget> {
        self.search.visit()?;
        if self.best >= 1.0 || self.search.settled(node) == Some(false) {
            return Ok(());
        }
        let mut entry = self.search.lookup(self.search.key(node));
        if node.board.health <= entry.fails {
            return Ok(());
        }
        entry.fails = node.board.health;
        self.search.store(entry);
        for (_, way) in &self.search.ways(node) {
            let mut next = self.search.unfilled(node, way);
            if next.board.phase == Phase::Cleared {
                self.best = 1.0;
                return Ok(());
            }
            self.go(&mut next)?;
        }
        Ok(())
    }

    /// The mean value of the branches, from a room whose cards they do not share.
    fn branch(&mut self, node: &Node) -> Result<(), OutOfBudget> {
        let all = self.branches.len() as f64;
        let (mut sum, mut left) = (0.0, all);
        for branch in &mut self.branches {
            left -= 1.0;
            branch.search.copy_places(&self.search, self.cards..usize::from(node.tail));
            // With less than that the mean cannot be above the best any more.
            let least = (self.best * all - sum - left).max(0.0);
            sum += branch.value(node, least)?;
            if (sum + left) / all <= self.best + 1e-9 {
                return Ok(());
            }
        }
        self.best = self.best.max(sum / all);
        Ok(())
    }
}
