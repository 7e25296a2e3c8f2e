//! Depth-first search, and the nodes, ways on and bounds that all exact searches share.
//!
//! The whole deck is known. A search asks whether play from a node can reach a goal: a final score of at
//! least so many points ([`WIN`] for any win). It leaves out only the following:
//!
//! - **More is better.** Of two nodes with equal cards everywhere, the one with health, weapon and reach all
//!   at least as high reaches every score that the other reaches. It plays the same moves: a fight costs at
//!   most as much, for a better weapon takes off more and a farther reach allows every fight with the weapon
//!   that a nearer one allows and leaves the same limit behind; a potion leaves at least as much health, for
//!   the ceiling is the same, and full health if the other's is full, so the bonus for a last potion is the
//!   same too. If the other dies and this one does not, it goes on without avoiding: from then on monsters only
//!   leave the pile and the room, so a death later costs no more points, and a win has a positive score.
//! - **Reach and weapon only count for what is left.** Of the monsters left, let r be the highest that the weapon
//!   may be used on. Then a limit of r, and a weapon that is stronger than r cut down to r, allow the same fights
//!   at the same cost from here on. Nodes are looked up with both replaced so.
//! - **Equal keys are equal nodes.** A key is 128 bits of a hash of all that matters except the health: the pile in order, the
//!   room, weapon and reach, and how far the turn is. A billion nodes collide with a probability below 10⁻²⁰.
//! - **The bound.** A player who clears the dungeon faces every monster left. One within reach costs at least its excess over
//!   the best of the present weapon and all those left. One beyond the reach costs at least its excess over the best of those
//!   left, for the reach of the present weapon never grows. Potions give at most their values, and none more than the ceiling
//!   less 1. If that leaves no health, the dungeon cannot be cleared. If it leaves less than the ceiling, that is the most that
//!   a win can score; otherwise it is the ceiling and the best potion left.
//! - **The bound on deaths.** A death with at most u points of monsters unfaced leaves out monsters of u points in all, those
//!   in the room where they do not count, and the killer. With b the weapon that counts, leaving out a monster of rank m saves
//!   at most m − b, which is at most m (14 − b) / 14.

use crate::cards::{CardSet, Suit};
use crate::dungeon::board::{Board, Phase};
use crate::dungeon::deck::{rank_sum, ranks_upto};
use crate::dungeon::moves::Move;
use crate::dungeon::position::Dungeon;
use crate::dungeon::rules::Unfaced;
use crate::dungeon::steps::{self, Outcome, Outcomes};
use crate::dungeon::value::rule::Rule;
use arrayvec::ArrayVec;
use std::ops::Range;
use std::sync::Arc;

/// The goal of any win. A win leaves at least 1 health, and no death scores that much.
pub const WIN: i64 = 1;

/// Entries of the transposition table: 1.5 MiB in all.
const ENTRIES: usize = 1 << 16;

/// The highest monster.
const ACE: i64 = 14;

/// A turn's start or a point within it.
#[derive(Copy, Clone, Debug)]
pub struct Node {
    pub board: Board,
    /// The pile lies at the places from here …
    pub head: u8,
    /// … to before here.
    pub tail: u8,
    /// The cards in the pile.
    pub pile: CardSet,
}

/// A way on: the rest of the turn, or avoiding the room.
#[derive(Copy, Clone, Debug)]
pub enum Way {
    Face(Outcome),
    Avoid,
}

impl Way {
    /// The moves, in order.
    pub fn moves(&self) -> &[Move] {
        match self {
            Way::Face(outcome) => outcome.moves(),
            Way::Avoid => &[Move::AVOID],
        }
    }
}

/// The most ways on from a node: all outcomes of a turn, and avoiding.
pub const MOST_WAYS: usize = steps::MOST + 1;

/// The ways on from a node, each with the log-odds of winning that the hand-written evaluator gives it.
pub type Ways = ArrayVec<(f32, Way), MOST_WAYS>;

/// An entry of the transposition table: what is known of a node, whatever its health.
#[derive(Copy, Clone, Default)]
pub struct Entry {
    key: (u64, u64),
    /// The highest health known to fail.
    pub fails: u8,
    /// The lowest health known to succeed; 0 where nothing is known, for a node that is searched has health.
    pub succeeds_from: u8,
}

/// The budget ran out before the answer was found.
#[derive(Debug)]
pub struct OutOfBudget;

/// The memory of a search.
pub struct Search {
    table: Vec<Entry>,
    /// Part of the key that is compared, so that a new question invalidates the table without clearing it;
    /// not of the one that chooses the slot, so that what is overwritten does not depend on earlier ones.
    question: u64,
    /// Cards of the pile by place. An avoided room is written behind the tail; only the line of play that is
    /// being searched reads there.
    places: [u8; 128],
    /// The least score that is asked for.
    goal: i64,
    /// The nodes visited.
    pub nodes: u64,
    /// How many may be.
    pub budget: u64,
    /// Orders the ways on.
    rule: Arc<Rule>,
    /// The moves from the node that reached the goal last, the last one first …
    reached: Vec<Move>,
    /// … unless the table knew of a node on the way that it does.
    whole: bool,
}

impl Default for Search {
    fn default() -> Self {
        Self::with_entries(ENTRIES)
    }
}

impl Search {
    /// With a table of so many entries, a power of two.
    pub fn with_entries(entries: usize) -> Self {
        debug_assert!(entries.is_power_of_two());
        Self {
            table: vec![Entry::default(); entries],
            question: 1,
            places: [0; 128],
            goal: WIN,
            nodes: 0,
            budget: 0,
            rule: Rule::fitted(),
            reached: Vec::new(),
            whole: true,
        }
    }

    /// Forgets everything: another goal, other rules, or another game.
    pub fn ask(&mut self, goal: i64) {
        self.question += 1;
        self.goal = goal;
    }

    /// Takes a position over, its whole pile included, and fills the room.
    pub fn start(&mut self, position: &Dungeon) -> Node {
        let mut node = self.before(position);
        self.fill(&mut node);
        node
    }

    /// Takes a position over, its whole pile included.
    pub fn before(&mut self, position: &Dungeon) -> Node {
        let pile = position.pile.order();
        for (place, card) in self.places.iter_mut().zip(&pile) {
            *place = card.id();
        }
        Node { board: position.board, head: 0, tail: pile.len() as u8, pile: pile.into_iter().collect() }
    }

    /// The cards at these places, as `Card::id`.
    pub fn pile(&self, places: Range<usize>) -> &[u8] {
        &self.places[places]
    }

    /// Lays cards, as `Card::id`, from this place on.
    pub fn lay(&mut self, from: usize, cards: impl Iterator<Item = u8>) {
        self.places[from..].iter_mut().zip(cards).for_each(|(place, card)| *place = card);
    }

    /// Fills the room if it is due.
    pub fn fill(&self, node: &mut Node) {
        if node.board.phase == Phase::Fill {
            let missing = node.board.missing(usize::from(node.tail - node.head));
            let mut cards = [0; 4];
            cards[..missing].copy_from_slice(&self.places[usize::from(node.head)..][..missing]);
            node.pile -= CardSet::of_ids(&cards[..missing]);
            node.board.fill(cards);
            node.head += missing as u8;
        }
    }

    /// Writes cards that were avoided under the pile.
    pub fn put_under(&mut self, node: &mut Node, cards: [u8; 4]) {
        self.write(node.tail, cards);
        node.tail += 4;
        node.pile |= CardSet::of_ids(&cards);
    }

    /// The node after a way on, the next room filled.
    pub fn after(&mut self, node: &Node, way: &Way) -> Node {
        let mut next = self.unfilled(node, way);
        self.fill(&mut next);
        next
    }

    /// The node after a way on.
    pub fn unfilled(&mut self, node: &Node, way: &Way) -> Node {
        let mut next = *node;
        match way {
            Way::Face(outcome) => next.board = outcome.board,
            Way::Avoid => {
                let room = next.board.avoid();
                self.put_under(&mut next, room);
            }
        }
        next
    }

    /// The ways on that may reach the goal, the most promising first. One that ends the game reaches it.
    pub fn ways(&self, node: &Node) -> Ways {
        let mut ways = Ways::new();
        let mut outcomes = Outcomes::new();
        steps::outcomes(&node.board, node.head == node.tail, &mut outcomes);
        let logit_after = self.rule.logit_after(node.pile, CardSet::EMPTY);
        for &outcome in &outcomes {
            match outcome.board.phase {
                // Deaths that reach the goal are found by `settled`.
                Phase::Died => {}
                Phase::Cleared if outcome.board.score() < self.goal => {}
                Phase::Cleared => ways.push((f32::INFINITY, Way::Face(outcome))),
                _ => ways.push((logit_after(&outcome.board), Way::Face(outcome))),
            }
        }
        if node.board.may_avoid {
            let mut after = node.board;
            let pile = node.pile | CardSet::of_ids(&after.avoid());
            ways.push((self.rule.logit(&after, pile, CardSet::EMPTY), Way::Avoid));
        }
        ways.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        ways
    }

    /// `true` where the goal is reached whatever follows, `false` where it is out of reach by the bound.
    pub fn settled(&self, node: &Node) -> Option<bool> {
        let board = &node.board;
        if self.goal < WIN {
            let unfaced = match board.rules.unfaced {
                Unfaced::Pile => monsters(node.pile).map(|lane| i64::from(rank_sum(lane))).iter().sum(),
                Unfaced::PileAndRoom => i64::from(board.unfaced) - i64::from(steps::most_slain(board)),
            };
            if -unfaced >= self.goal {
                return Some(true);
            }
        }
        let left = left(node);
        let weapons = left.lane(Suit::Diamonds);
        let future = if weapons == 0 { 0 } else { weapons.ilog2() as u8 };
        let now = future.max(board.weapon);
        let reach = ranks_upto(board.reach());
        let least: u32 = monsters(left)
            .map(|lane| {
                let within = lane & reach & !ranks_upto(now);
                let beyond = lane & !reach & !ranks_upto(future);
                rank_sum(within) - u32::from(now) * within.count_ones() + rank_sum(beyond)
                    - u32::from(future) * beyond.count_ones()
            })
            .iter()
            .sum();
        let potions = left.lane(Suit::Hearts);
        let ceiling = i64::from(board.rules.health);
        let small = potions & ranks_upto(board.rules.health.min(15) - 1);
        let cure = i64::from(rank_sum(small)) + (ceiling - 1) * i64::from((potions & !small).count_ones());
        let health = i64::from(board.health) + cure - i64::from(least);
        let reachable = if self.goal < WIN {
            let worst = ACE - i64::from(future);
            let spared = match board.rules.unfaced {
                Unfaced::Pile => 4,
                Unfaced::PileAndRoom => 1,
            };
            ACE * health + (-self.goal + spared * ACE) * worst > 0
        } else if health < ceiling {
            health >= self.goal
        } else {
            ceiling + if potions == 0 { 0 } else { i64::from(potions.ilog2()) } >= self.goal
        };
        if reachable { None } else { Some(false) }
    }

    /// The slot and the key of everything but the health.
    pub fn key(&self, node: &Node) -> (u64, u64) {
        let board = &node.board;
        let monsters = monsters(left(node));
        let within = (monsters[0] | monsters[1]) & ranks_upto(board.reach());
        let reach = if within == 0 { 0 } else { within.ilog2() as u8 };
        let state = u64::from(u32::from_le_bytes(board.room))
            | u64::from(board.weapon.min(reach)) << 32
            | u64::from(reach) << 40
            | u64::from(board.may_avoid) << 48
            | u64::from(board.drunk) << 49
            | u64::from(board.to_face) << 50;
        let mut key = (fold(state, 0x9e37_79b9_7f4a_7c15), state ^ self.question.rotate_left(56));
        let pile = &self.places[usize::from(node.head)..usize::from(node.tail)];
        debug_assert_eq!(CardSet::of_ids(pile), node.pile, "the pile and its places differ");
        for chunk in pile.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let word = u64::from_le_bytes(word);
            key.0 = fold(key.0 ^ word, 0xa076_1d64_78bd_642f);
            key.1 = fold(key.1 ^ word.rotate_left(29), 0xe703_7ed1_a0b4_28db);
        }
        key
    }

    fn slot(&self, key: (u64, u64)) -> usize {
        key.0 as usize & (self.table.len() - 1)
    }

    /// The entry of this key.
    pub fn lookup(&self, key: (u64, u64)) -> Entry {
        let entry = self.table[self.slot(key)];
        if entry.key == key { entry } else { Entry { key, ..Entry::default() } }
    }

    /// Keeps an entry, in the place of whatever was there.
    pub fn store(&mut self, entry: Entry) {
        let slot = self.slot(entry.key);
        self.table[slot] = entry;
    }

    /// Writes four cards from this place on.
    pub fn write(&mut self, place: u8, cards: [u8; 4]) {
        self.places[usize::from(place)..][..4].copy_from_slice(&cards);
    }

    /// Counts a node.
    pub fn visit(&mut self) -> Result<(), OutOfBudget> {
        if self.nodes >= self.budget {
            return Err(OutOfBudget);
        }
        self.nodes += 1;
        Ok(())
    }

    /// Whether the goal can be reached from here: depth first, to the end.
    pub fn reaches(&mut self, node: &Node) -> Result<bool, OutOfBudget> {
        self.reached.clear();
        self.whole = true;
        self.goes_on(node)
    }

    /// The same, from a node on the way.
    fn goes_on(&mut self, node: &Node) -> Result<bool, OutOfBudget> {
        match node.board.phase {
            // Ways that end the game without reaching the goal are not tried.
            Phase::Cleared => return Ok(true),
            Phase::Died => return Ok(false),
            _ => {}
        }
        self.visit()?;
        if let Some(reached) = self.settled(node) {
            return Ok(reached);
        }
        let health = node.board.health;
        let key = self.key(node);
        let entry = self.lookup(key);
        if health <= entry.fails {
            return Ok(false);
        }
        if entry.succeeds_from != 0 && health >= entry.succeeds_from {
            self.whole = false;
            return Ok(true);
        }
        let mut reached = false;
        for (_, way) in &self.ways(node) {
            let next = self.after(node, way);
            if self.goes_on(&next)? {
                reached = true;
                self.reached.extend(way.moves().iter().rev());
                break;
            }
        }
        let mut entry = self.lookup(key);
        if reached {
            entry.succeeds_from = health;
        } else {
            entry.fails = entry.fails.max(health);
        }
        self.store(entry);
        Ok(reached)
    }

    /// [`Search::reaches`]; on a yes the moves up to where it is settled are appended to `line`, if the search
    /// itself went all the way.
    pub fn finds(&mut self, node: &Node, line: &mut Vec<Move>) -> Result<(bool, bool), OutOfBudget> {
        let reached = self.reaches(node)?;
        let whole = self.whole;
        if reached && whole {
            line.extend(self.reached.iter().rev());
        }
        Ok((reached, whole))
    }

    /// [`Search::reaches`]; on a yes the moves up to where it is settled are appended to `line`, beyond the budget if need be.
    pub fn reaches_by(&mut self, node: Node, line: &mut Vec<Move>) -> Result<bool, OutOfBudget> {
        let (reached, whole) = self.finds(&node, line)?;
        if reached && !whole {
            // The answer is there; finding the line again mostly reads the table.
            let (nodes, budget) = (self.nodes, self.budget);
            self.budget = u64::MAX;
            self.line(node, line)?;
            (self.nodes, self.budget) = (nodes, budget);
        }
        Ok(reached)
    }

    /// Appends the moves from a node that reaches the goal, up to where it is settled. The search is made
    /// again with what the table still knows.
    pub fn line(&mut self, mut node: Node, line: &mut Vec<Move>) -> Result<(), OutOfBudget> {
        while node.board.phase == Phase::Play && self.settled(&node) != Some(true) {
            let mut found = None;
            for (_, way) in &self.ways(&node) {
                let next = self.after(&node, way);
                if self.reaches(&next)? {
                    found = Some(*way);
                    break;
                }
            }
            let Some(way) = found else {
                return Err(OutOfBudget);
            };
            line.extend_from_slice(way.moves());
            // The search may have written over the places behind the tail of this line: play it again.
            node = self.after(&node, &way);
        }
        Ok(())
    }
}

/// The cards that are still to be faced.
fn left(node: &Node) -> CardSet {
    node.pile | CardSet::of_ids(&node.board.room)
}

/// The ranks of the monsters, by suit.
fn monsters(cards: CardSet) -> [u16; 2] {
    [cards.lane(Suit::Clubs), cards.lane(Suit::Spades)]
}

fn fold(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    (wide >> 64) as u64 ^ wide as u64
}
