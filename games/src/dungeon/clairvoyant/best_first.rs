//! Best-first search: it finds a line where one is easily found, before the depth-first search is asked.
//!
//! Depth first thrashes when an early choice was wrong; here all choices of all turns compete. The value of a node has three
//! parts: what was given up against the best choice at every turn before it, the number of turns played, and its log-odds by
//! the hand-written evaluator. Only the order of search depends on that guess. A line that is found is a proof, and so is an
//! end to the nodes.

use super::search::{Node, OutOfBudget, Search, Way};
use crate::dungeon::moves::Move;
use arrayvec::ArrayVec;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The most nodes kept, expanded or not: 1 MiB. More would find a few lines more, and slow down every proof that there is none.
const NODES: usize = 1 << 14;

/// The worth of a turn played, in log-odds given up.
const DEPTH: f32 = 0.2;

/// The weight of the log-odds of a node against those given up before it.
const ODDS: f32 = 0.3;

/// A node, and how it was reached.
struct Record {
    /// Its room is still to be filled.
    node: Node,
    /// The cards avoided last, 0 after the beginning, and the avoiding before that.
    under: u32,
    parent: u32,
    moves: ArrayVec<Move, 4>,
    /// The log-odds given up by the choices before it, as a negative number, and the turns played.
    given_up: f32,
    turns: f32,
}

/// A record to be expanded: the highest value first, of equals the eldest.
#[derive(PartialEq)]
struct Open {
    value: f32,
    record: u32,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.total_cmp(&other.value).then(other.record.cmp(&self.record))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The memory of the best-first search.
pub(super) struct BestFirst {
    /// The most records kept.
    capacity: usize,
    records: Vec<Record>,
    open: BinaryHeap<Open>,
    /// Avoided rooms, each with the index of the one before it on its line of play; the first stands for none.
    avoided: Vec<([u8; 4], u32)>,
}

impl Default for BestFirst {
    fn default() -> Self {
        Self::with_capacity(NODES)
    }
}

impl BestFirst {
    /// With room for so many records.
    pub fn with_capacity(records: usize) -> Self {
        Self { capacity: records, records: Vec::new(), open: BinaryHeap::new(), avoided: Vec::new() }
    }

    /// Whether the goal of `search` can be reached from `start`; nothing when the memory is full. On a yes
    /// `line` receives the moves up to where it is settled.
    pub fn reaches(
        &mut self,
        search: &mut Search,
        start: &Node,
        line: &mut Vec<Move>,
    ) -> Result<Option<bool>, OutOfBudget> {
        self.records.clear();
        self.open.clear();
        self.avoided.clear();
        self.avoided.push(([0; 4], 0));
        let first =
            Record { node: *start, under: 0, parent: 0, moves: ArrayVec::new(), given_up: 0.0, turns: 0.0 };
        self.records.push(first);
        self.open.push(Open { value: 0.0, record: 0 });
        while let Some(Open { record, .. }) = self.open.pop() {
            search.visit()?;
            let node = self.restore(search, record);
            match search.settled(&node) {
                Some(true) => {
                    self.line(record, line);
                    return Ok(Some(true));
                }
                Some(false) => continue,
                None => {}
            }
            let mut entry = search.lookup(search.key(&node));
            if node.board.health <= entry.fails {
                continue;
            }
            entry.fails = node.board.health;
            search.store(entry);
            let ways = search.ways(&node);
            let best = ways.first().map_or(0.0, |way| way.0);
            if best == f32::INFINITY {
                self.line(record, line);
                line.extend_from_slice(ways[0].1.moves());
                return Ok(Some(true));
            }
            if self.records.len() + ways.len() > self.capacity {
                return Ok(None);
            }
            for (odds, way) in &ways {
                self.add(search, record, node, *odds - best, *odds, way);
            }
        }
        Ok(Some(false))
    }

    /// The node of a record with its room filled and its pile in place.
    fn restore(&self, search: &mut Search, record: u32) -> Node {
        let record = &self.records[record as usize];
        let mut node = record.node;
        let mut tail = node.tail;
        let mut under = record.under;
        while under != 0 {
            let (cards, before) = self.avoided[under as usize];
            search.write(tail - 4, cards);
            tail -= 4;
            under = before;
        }
        search.fill(&mut node);
        node
    }

    fn add(&mut self, search: &mut Search, parent: u32, mut node: Node, lost: f32, odds: f32, way: &Way) {
        let before = &self.records[parent as usize];
        let (mut under, mut turns) = (before.under, before.turns);
        match way {
            Way::Face(outcome) => {
                node.board = outcome.board;
                turns += 1.0;
            }
            Way::Avoid => {
                let cards = node.board.avoid();
                search.put_under(&mut node, cards);
                self.avoided.push((cards, under));
                under = self.avoided.len() as u32 - 1;
            }
        }
        let given_up = before.given_up + lost;
        let record = self.records.len() as u32;
        self.open.push(Open { value: given_up + DEPTH * turns + ODDS * odds, record });
        let moves = way.moves().iter().copied().collect();
        self.records.push(Record { node, under, parent, moves, given_up, turns });
    }

    /// Appends the moves that lead to a record.
    fn line(&self, mut record: u32, line: &mut Vec<Move>) {
        let start = line.len();
        while record != 0 {
            let step = &self.records[record as usize];
            line.extend(step.moves.iter().rev());
            record = step.parent;
        }
        line[start..].reverse();
    }
}
