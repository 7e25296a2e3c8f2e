//! Trees: small games in extensive form.
//!
//! An information set of a seat is what it saw at each of its decisions so far, and what it played there. So every seat has
//! perfect recall, whatever a view leaves out. Where the history is public it belongs to what is seen.

use super::{ExactError, Listing, MOST_DEPTH, Payoff, Starts, fingerprint, listed_outcomes};
use crate::game::{Event, Game, MAX_SEATS, Seat, Turn};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// A node of a tree.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A random event: the first of its branches, and how many there are.
    Chance(u32, u32),
    /// A decision: its information set, and the first of its branches, one a move in their order.
    Decision(u32, u32),
    /// The end of a game: where its results begin, one a seat.
    End(u32),
}

/// An information set: everything a seat may know at a decision with at least two moves.
pub struct InformationSet<G: Game> {
    /// The seat that decides.
    pub seat: Seat,
    /// The number of earlier information sets of this seat on the way.
    pub depth: u32,
    /// The legal moves, sorted.
    pub moves: Vec<G::Move>,
    /// One of its positions.
    pub position: G,
    /// The public events before that position.
    pub history: Vec<Event<G>>,
    /// The place of the first move among the moves of all information sets.
    pub first: usize,
}

impl<G: Game> InformationSet<G> {
    /// The places of its moves among those of all information sets.
    #[must_use]
    pub fn places(&self) -> Range<usize> {
        self.first..self.first + self.moves.len()
    }
}

/// What a seat remembers, as a number: equal numbers for equal memories.
type Memory = u32;

/// The memory of a seat before its first decision.
const BLANK: Memory = 0;

/// The fingerprint of what a seat has learned at a decision: what it remembered, the number of the move that it then played,
/// what it sees now, and the public history.
fn learned<G: Game>(
    recall: Recall,
    view: &G::View,
    history: &[Event<G>],
    listed: fn(G::Chance) -> G::Chance,
) -> u128 {
    fingerprint(&(recall.memory, recall.played, view, Public { history, listed }))
}

/// A small game in extensive form. The first node is the deal.
pub struct Tree<G: Game> {
    nodes: Vec<Node>,
    branches: Vec<u32>,
    /// By branch; 0 for moves.
    probabilities: Vec<f64>,
    results: Vec<f64>,
    seats: usize,
    sets: Vec<InformationSet<G>>,
    moves: usize,
    memories: HashMap<u128, Memory>,
    listed: fn(G::Chance) -> G::Chance,
    /// By memory; [`NO_SET`] where the move was forced.
    set_of: Vec<u32>,
}

/// No information set.
const NO_SET: u32 = u32::MAX;

/// A player's memory in a game that is followed from outside.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Recall {
    memory: Memory,
    played: u32,
}

impl Default for Recall {
    fn default() -> Self {
        Self { memory: BLANK, played: 0 }
    }
}

impl Recall {
    /// Remembers the move that was played, by its number among the legal ones.
    pub fn played(&mut self, number: usize) {
        self.played = number as u32;
    }
}

impl<G: Game> Tree<G> {
    /// Writes out the game from these starts.
    ///
    /// # Errors
    /// When it has more than `limit` nodes, has no end, shuffles in mid-game, or its listing has wrong probabilities.
    pub fn new(
        starts: &Starts<G>,
        listing: &Listing<G>,
        payoff: Payoff<G>,
        limit: usize,
    ) -> Result<Self, ExactError> {
        let seats = starts.first().map_or(0, |(start, _)| start.seats());
        let tree = Self {
            nodes: Vec::new(),
            branches: Vec::new(),
            probabilities: Vec::new(),
            results: Vec::new(),
            seats,
            sets: Vec::new(),
            moves: 0,
            memories: HashMap::new(),
            listed: listing.listed,
            set_of: vec![NO_SET],
        };
        let mut builder = Builder { tree, listing, payoff, limit, history: Vec::new(), depth: 0 };
        let root = builder.node()?;
        let first = builder.branch(starts.len());
        builder.tree.nodes[root] = Node::Chance(first as u32, starts.len() as u32);
        for (number, (start, probability)) in starts.iter().enumerate() {
            builder.tree.probabilities[first + number] = *probability;
            builder.tree.branches[first + number] =
                builder.grow(start.clone(), [Recall::default(); MAX_SEATS], [0; MAX_SEATS])?;
        }
        Ok(builder.tree)
    }

    /// The number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The number of nodes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// A node; the first one has the number 0.
    #[must_use]
    pub fn node(&self, number: u32) -> Node {
        self.nodes[number as usize]
    }

    /// The node behind the branch of a move.
    #[must_use]
    pub fn after(&self, first: u32, number: usize) -> u32 {
        self.branches[first as usize + number]
    }

    /// The nodes behind a random event, with their probabilities.
    pub fn outcomes(&self, first: u32, count: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        (first as usize..(first + count) as usize)
            .map(|branch| (self.branches[branch], self.probabilities[branch]))
    }

    /// The results of an end, by seat.
    #[must_use]
    pub fn results(&self, first: u32) -> &[f64] {
        &self.results[first as usize..first as usize + self.seats]
    }

    /// The information sets of all seats.
    #[must_use]
    pub fn sets(&self) -> &[InformationSet<G>] {
        &self.sets
    }

    /// The number of moves of all information sets together.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// The sum of all seats' results, where it is the same at every end.
    #[must_use]
    pub fn constant_sum(&self) -> Option<f64> {
        let mut sums = self.results.chunks_exact(self.seats).map(|results| results.iter().sum::<f64>());
        let first = sums.next()?;
        sums.all(|sum| (sum - first).abs() < 1e-9).then_some(first)
    }

    /// Tells a player's memory what it sees at a decision, and says which information set that is. `None` where the move is
    /// forced, and in a game that the tree does not hold.
    pub fn see(&self, recall: &mut Recall, view: &G::View, history: &[Event<G>]) -> Option<u32> {
        recall.memory = *self.memories.get(&learned(*recall, view, history, self.listed))?;
        recall.played = 0;
        Some(self.set_of[recall.memory as usize]).filter(|&set| set != NO_SET)
    }
}

/// Public events, to be hashed as the tree's chances are listed.
struct Public<'h, G: Game> {
    history: &'h [Event<G>],
    listed: fn(G::Chance) -> G::Chance,
}

impl<G: Game> Hash for Public<'_, G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for event in self.history {
            match event {
                Event::Move(seat, m) => (0, seat, m).hash(state),
                Event::Chance(outcome) => (1, (self.listed)(*outcome)).hash(state),
                Event::Shuffle => 2.hash(state),
            }
        }
    }
}

/// A tree that grows.
struct Builder<'l, G: Game> {
    tree: Tree<G>,
    listing: &'l Listing<G>,
    payoff: Payoff<G>,
    limit: usize,
    history: Vec<Event<G>>,
    /// The branches to here.
    depth: usize,
}

impl<G: Game> Builder<'_, G> {
    /// A new node, to be filled in.
    fn node(&mut self) -> Result<usize, ExactError> {
        if self.tree.nodes.len() == self.limit {
            return Err(ExactError::TooLarge { limit: self.limit, what: "nodes" });
        }
        self.tree.nodes.push(Node::End(0));
        Ok(self.tree.nodes.len() - 1)
    }

    /// Room for the branches of a node.
    fn branch(&mut self, count: usize) -> usize {
        let first = self.tree.branches.len();
        self.tree.branches.resize(first + count, 0);
        self.tree.probabilities.resize(first + count, 0.0);
        first
    }

    /// Writes out everything from a position on: what the seats remember, and how many information sets each has passed.
    fn grow(
        &mut self,
        mut position: G,
        mut recalls: [Recall; MAX_SEATS],
        mut depths: [u32; MAX_SEATS],
    ) -> Result<u32, ExactError> {
        if self.depth == MOST_DEPTH {
            return Err(ExactError::TooLong(MOST_DEPTH));
        }
        self.depth += 1;
        let before = self.history.len();
        let (mut moves, mut forced) = (Vec::new(), 0);
        let decision = loop {
            let Turn::Player(seat) = position.turn() else { break None };
            // Moves without a choice are no nodes, and need no end either.
            forced += 1;
            if forced > MOST_DEPTH {
                return Err(ExactError::TooLong(MOST_DEPTH));
            }
            position.moves(&mut moves);
            let memory = self.learn(recalls[seat], &position, seat);
            recalls[seat] = Recall { memory, played: 0 };
            if moves.len() > 1 {
                break Some((seat, memory));
            }
            self.play(&mut position, seat, moves[0]);
        };
        let node = self.node()?;
        self.tree.nodes[node] = match (decision, position.turn()) {
            (Some((seat, memory)), _) => {
                let set = self.set(seat, memory, &position, &moves, depths[seat]);
                depths[seat] += 1;
                let first = self.branch(moves.len());
                for (number, &m) in moves.iter().enumerate() {
                    let (mut next, before) = (position.clone(), self.history.len());
                    self.play(&mut next, seat, m);
                    recalls[seat].played(number);
                    self.tree.branches[first + number] = self.grow(next, recalls, depths)?;
                    self.history.truncate(before);
                }
                Node::Decision(set, first as u32)
            }
            (None, Turn::Chance) => {
                let outcomes = listed_outcomes(self.listing.outcomes, &position)?;
                let first = self.branch(outcomes.len());
                for (number, &(outcome, probability)) in outcomes.iter().enumerate() {
                    let (mut next, before) = (position.clone(), self.history.len());
                    next.play_chance(outcome);
                    next.tell(Event::Chance(outcome), &mut self.history);
                    self.tree.probabilities[first + number] = probability;
                    self.tree.branches[first + number] = self.grow(next, recalls, depths)?;
                    self.history.truncate(before);
                }
                Node::Chance(first as u32, outcomes.len() as u32)
            }
            (None, Turn::Shuffle) => return Err(ExactError::Shuffle),
            (None, _) => {
                let first = self.tree.results.len() as u32;
                let results = (0..self.tree.seats).map(|seat| (self.payoff)(&position, seat));
                self.tree.results.extend(results);
                Node::End(first)
            }
        };
        self.history.truncate(before);
        self.depth -= 1;
        Ok(node as u32)
    }

    fn play(&mut self, position: &mut G, seat: Seat, m: G::Move) {
        position.play(m);
        position.tell(Event::Move(seat, m), &mut self.history);
    }

    /// What a seat remembers once it has seen the position.
    fn learn(&mut self, recall: Recall, position: &G, seat: Seat) -> Memory {
        let learned = learned(recall, &position.view(seat), &self.history, self.listing.listed);
        let next = self.tree.set_of.len() as Memory;
        let memory = *self.tree.memories.entry(learned).or_insert(next);
        if memory == next {
            self.tree.set_of.push(NO_SET);
        }
        memory
    }

    /// The information set of a memory.
    fn set(&mut self, seat: Seat, memory: Memory, position: &G, moves: &[G::Move], depth: u32) -> u32 {
        let tree = &mut self.tree;
        let set = &mut tree.set_of[memory as usize];
        if *set == NO_SET {
            *set = tree.sets.len() as u32;
            tree.sets.push(InformationSet {
                seat,
                depth,
                moves: moves.to_vec(),
                position: position.clone(),
                history: self.history.clone(),
                first: tree.moves,
            });
            tree.moves += moves.len();
        }
        *set
    }
}
