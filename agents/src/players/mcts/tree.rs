//! The tree of `mcts`: nodes in one piece of memory, and an index from steps and outcomes to children.

use crate::game::{Event, Game, Seat};
use std::hash::{Hash, Hasher};

/// The edge into a node.
#[derive(Copy, Clone)]
pub enum Edge<M, C> {
    /// The root has none.
    Root,
    /// A step: its first move, and where all of them stand.
    Step { first: M, start: u32, len: u32 },
    /// A random event that everybody saw.
    Chance(C),
    /// One that nobody saw.
    Shuffle,
}

/// No prior.
pub const UNKNOWN: (f64, f64) = (0.0, 0.0);

/// No node.
pub const NONE: u32 = u32::MAX;

/// The most nodes of a tree, and about the most moves of its steps: their numbers and sums fit 32 bits. Memory mostly ends sooner,
/// with some 100 bytes a node.
const MOST: usize = 4_000_000_000;

/// A node: a history below the root.
#[derive(Copy, Clone)]
pub struct Node<M, C> {
    pub edge: Edge<M, C>,
    /// The seat that moved into the node.
    pub seat: Seat,
    parent: u32,
    /// Its first child and its next sibling.
    pub first: u32,
    pub next: u32,
    last: u32,
    pub children: u32,
    pub visits: u32,
    /// The number of times that the node could be chosen. For an outcome, the number of times that it was
    /// drawn.
    pub available: u32,
    /// The sum of the values to the seat that moved into the node.
    pub total: f64,
    /// The prior value, and the visits that it is worth: 0 without a prior.
    pub prior: f64,
    pub prior_visits: f64,
    /// The solver's value: NaN before it is asked, infinite when it has none.
    pub exact: f64,
    /// Whether its children were made together.
    pub expanded: bool,
}

impl<M, C> Node<M, C> {
    pub fn new(edge: Edge<M, C>, seat: Seat, (prior, prior_visits): (f64, f64)) -> Self {
        Self {
            edge,
            seat,
            parent: NONE,
            first: NONE,
            next: NONE,
            last: NONE,
            children: 0,
            visits: 0,
            available: 0,
            total: 0.0,
            prior,
            prior_visits,
            exact: f64::NAN,
            expanded: false,
        }
    }

    /// Visits, the prior included.
    pub fn weight(&self) -> f64 {
        f64::from(self.visits) + self.prior_visits
    }

    /// The mean value to the seat that moved here; the prior, where nothing weighs anything.
    pub fn mean(&self) -> f64 {
        let weight = self.weight();
        if weight > 0.0 { (self.total + self.prior_visits * self.prior) / weight } else { self.prior }
    }
}

/// A tree of a search: nodes and the moves of their steps, each in one piece of memory.
#[derive(Clone)]
pub struct SearchTree<G: Game> {
    pub nodes: Vec<Node<G::Move, G::Chance>>,
    moves: Vec<G::Move>,
    /// An index from steps and outcomes to nodes: an open hash table with `NONE` where free. It is at most half full, and a
    /// power of two long. Nothing depends on its order.
    index: Vec<u32>,
}

impl<G: Game> Default for SearchTree<G> {
    fn default() -> Self {
        Self { nodes: Vec::new(), moves: Vec::new(), index: Vec::new() }
    }
}

impl<G: Game> SearchTree<G> {
    /// Adds a child and gives its number.
    pub fn add(&mut self, parent: u32, edge: Edge<G::Move, G::Chance>, seat: Seat, prior: (f64, f64)) -> u32 {
        let id = number(self.nodes.len());
        self.nodes.push(Node::new(edge, seat, prior));
        self.attach(parent, id);
        id
    }

    fn attach(&mut self, parent: u32, id: u32) {
        self.nodes[id as usize].parent = parent;
        let node = &mut self.nodes[parent as usize];
        let last = std::mem::replace(&mut node.last, id);
        node.children += 1;
        if last == NONE {
            node.first = id;
        } else {
            self.nodes[last as usize].next = id;
        }
    }

    /// Adds the child that a step leads to.
    pub fn add_step(&mut self, parent: u32, step: &[G::Move], seat: Seat, prior: (f64, f64)) -> u32 {
        let edge = self.edge(step);
        let id = self.add(parent, edge, seat, prior);
        self.enter(id);
        id
    }

    /// Adds the child that a random event leads to.
    pub fn add_outcome(&mut self, parent: u32, outcome: G::Chance, seat: Seat) -> u32 {
        let id = self.add(parent, Edge::Chance(outcome), seat, UNKNOWN);
        self.enter(id);
        id
    }

    /// The edge of a step, whose moves are kept.
    fn edge(&mut self, step: &[G::Move]) -> Edge<G::Move, G::Chance> {
        let start = number(self.moves.len());
        self.moves.extend_from_slice(step);
        Edge::Step { first: step[0], start, len: step.len() as u32 }
    }

    /// Puts an attached node into the index.
    fn enter(&mut self, id: u32) {
        if self.index.len() < 2 * self.nodes.len() {
            let len = (4 * self.nodes.len()).next_power_of_two();
            self.index.clear();
            self.index.resize(len, NONE);
            for id in 0..self.nodes.len() as u32 {
                self.enter_into_space(id);
            }
        } else {
            self.enter_into_space(id);
        }
    }

    fn enter_into_space(&mut self, id: u32) {
        let node = &self.nodes[id as usize];
        let hash = match &node.edge {
            Edge::Step { .. } => hash(node.parent, self.step(id)),
            Edge::Chance(outcome) => hash(node.parent, std::slice::from_ref(outcome)),
            Edge::Root | Edge::Shuffle => return,
        };
        let mask = self.index.len() - 1;
        let mut slot = hash & mask;
        while self.index[slot] != NONE {
            slot = (slot + 1) & mask;
        }
        self.index[slot] = id;
    }

    /// The child for this outcome of a random event. There may be very many.
    pub fn outcome(&self, parent: u32, outcome: G::Chance) -> Option<u32> {
        let mask = self.index.len().checked_sub(1)?;
        let mut slot = hash(parent, &[outcome]) & mask;
        loop {
            let id = self.index[slot];
            if id == NONE {
                return None;
            }
            let node = &self.nodes[id as usize];
            if node.parent == parent && matches!(node.edge, Edge::Chance(other) if other == outcome) {
                return Some(id);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The child for this step of `seat`. The seat to move may depend on the world.
    pub fn child(&self, parent: u32, seat: Seat, step: &[G::Move]) -> Option<u32> {
        let mask = self.index.len().checked_sub(1)?;
        let mut slot = hash(parent, step) & mask;
        loop {
            let id = self.index[slot];
            if id == NONE {
                return None;
            }
            let node = &self.nodes[id as usize];
            // The first move is at hand; a step of one has no other.
            if node.parent == parent
                && node.seat == seat
                && let Edge::Step { first, len, .. } = node.edge
                && first == step[0]
                && len as usize == step.len()
                && (len == 1 || self.step(id) == step)
            {
                return Some(id);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The moves of the step that leads to a node; none for anything else.
    pub fn step(&self, id: u32) -> &[G::Move] {
        match self.nodes[id as usize].edge {
            Edge::Step { start, len, .. } => &self.moves[start as usize..(start + len) as usize],
            _ => &[],
        }
    }

    /// The children in the order in which they were added.
    pub fn children(&self, id: u32) -> impl Iterator<Item = u32> {
        let first = self.nodes[id as usize].first;
        std::iter::successors((first != NONE).then_some(first), |&child| {
            let next = self.nodes[child as usize].next;
            (next != NONE).then_some(next)
        })
    }

    /// The children for outcomes of a random event. In other worlds a player may be to move here.
    pub fn outcomes(&self, id: u32) -> impl Iterator<Item = u32> {
        self.children(id).filter(|&child| matches!(self.nodes[child as usize].edge, Edge::Chance(_)))
    }

    /// Leaves nothing but a fresh root.
    pub fn reset(&mut self) {
        self.nodes.clear();
        self.moves.clear();
        self.index.fill(NONE);
        self.nodes.push(Node::new(Edge::Root, 0, UNKNOWN));
    }

    /// The node that these events lead to from the root.
    pub fn find(&self, mut events: &[Event<G>]) -> Option<u32> {
        let mut at = 0;
        while !events.is_empty() {
            let (child, used) = self.children(at).find_map(|child| {
                let node = &self.nodes[child as usize];
                match (node.edge, &events[0]) {
                    (Edge::Chance(a), Event::Chance(b)) if a == *b => Some((child, 1)),
                    (Edge::Shuffle, Event::Shuffle) => Some((child, 1)),
                    (Edge::Step { .. }, Event::Move(..)) => {
                        let step = self.step(child);
                        let same = events.len() >= step.len()
                            && step.iter().zip(events).all(
                                |(m, event)| matches!(event, Event::Move(s, n) if *s == node.seat && n == m),
                            );
                        same.then_some((child, step.len()))
                    }
                    _ => None,
                }
            })?;
            at = child;
            events = &events[used..];
        }
        Some(at)
    }

    /// Copies the subtree of `root` to `out`, with siblings in order.
    pub fn copy_below(&self, root: u32, out: &mut Self) {
        out.reset();
        out.nodes[0] = Node { parent: NONE, next: NONE, edge: Edge::Root, ..self.nodes[root as usize] };
        let mut at = 0;
        while at < out.nodes.len() {
            let first = std::mem::replace(&mut out.nodes[at].first, NONE);
            out.nodes[at].last = NONE;
            out.nodes[at].children = 0;
            let mut from = first;
            while from != NONE {
                let mut node = self.nodes[from as usize];
                if let Edge::Step { .. } = node.edge {
                    node.edge = out.edge(self.step(from));
                }
                from = std::mem::replace(&mut node.next, NONE);
                let id = number(out.nodes.len());
                out.nodes.push(node);
                out.attach(at as u32, id);
                out.enter(id);
            }
            at += 1;
        }
    }
}

/// A place in a tree as a number of 32 bits, clear of [`NONE`].
fn number(place: usize) -> u32 {
    assert!(place < MOST, "a search tree has more than {MOST} nodes or moves: it needs fewer iterations");
    place as u32
}

/// A hash of a step of a node, or of an outcome. Nothing depends on its value.
fn hash<M: Hash>(parent: u32, step: &[M]) -> usize {
    let mut hasher = Mixer(u64::from(parent));
    for m in step {
        m.hash(&mut hasher);
    }
    hasher.finish() as usize
}

/// A quick hash: multiply and take the high bits.
struct Mixer(u64);

impl Hasher for Mixer {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u8(&mut self, i: u8) {
        self.write_u64(u64::from(i));
    }

    #[inline]
    fn write_u64(&mut self, i: u64) {
        self.0 = (self.0.rotate_left(5) ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0 >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers never wrap: a tree that is too large stops the search.
    #[test]
    fn numbers_do_not_wrap() {
        assert_eq!(number(MOST - 1) as usize, MOST - 1);
        assert!(std::panic::catch_unwind(|| number(MOST)).is_err());
    }
}
