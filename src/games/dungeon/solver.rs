//! The exact answer once every card of the pile is known: can the dungeon still be cleared?
//!
//! Depth-first over whole turns (`turn`) with a transposition table. Health is monotone: who
//! wins with some health wins with more, move for move. So the table keeps, for everything but the
//! health (pile in order, room, weapon, limit, right to avoid), the highest health known to lose and
//! the lowest known to win.

use super::Dungeon;
use super::board::{Board, Kind, Phase, kind};
use super::heuristic::Rule;
use super::moves::Move;
use super::rules::{AvoidOrder, Rules};
use super::turn::{self, Outcome, Outcomes};
use crate::cards::{Card, CardSet};
use arrayvec::ArrayVec;
use knave_agents::{Solution, Solver};
use std::sync::Arc;

/// Decides fully known positions of the dungeon.
///
/// The value of a lost position is given as 0: how far a doomed player gets is below its resolution.
pub struct DungeonSolver {
    table: Vec<Entry>,
    /// Cards of the pile by place. An avoided room is written behind `tail`; only the line of play that
    /// is being searched reads there.
    cards: [u8; 256],
    nodes: u64,
    budget: u64,
    /// Part of the key that is compared, so that a new game invalidates the table without clearing it; not
    /// of the one that chooses the slot, so that what is overwritten does not depend on earlier games.
    game: u64,
    /// Orders the ways on.
    rule: Arc<Rule>,
    /// The rules that the table was filled under.
    rules: Rules,
}

/// Entries of the transposition table: 2 MiB in all.
const ENTRIES: usize = 1 << 16;

#[derive(Copy, Clone, Default)]
struct Entry {
    key: (u64, u64),
    loses: u8,
    /// 0 where nothing is known: a node that is searched has health.
    wins_from: u8,
}

/// A turn's start or a point within it; the pile is `cards[head..tail]`.
#[derive(Copy, Clone)]
struct Node {
    board: Board,
    head: u8,
    tail: u8,
}

struct OutOfBudget;

/// The ways on from a node: the outcomes of its turn, and avoiding.
type Ways = ArrayVec<(f32, Way), 65>;

#[derive(Copy, Clone)]
enum Way {
    Face(Outcome),
    Avoid,
}

impl Default for DungeonSolver {
    fn default() -> Self {
        Self {
            table: vec![Entry::default(); ENTRIES],
            cards: [0; 256],
            nodes: 0,
            budget: 0,
            game: 1,
            rule: Rule::fitted(),
            rules: Rules::default(),
        }
    }
}

impl Node {
    fn pile_empty(&self) -> bool {
        self.head == self.tail
    }
}

impl DungeonSolver {
    /// The nodes that the last call visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn fill(&self, node: &mut Node) {
        if node.board.phase == Phase::Fill {
            let missing = node.board.missing(usize::from(node.tail - node.head));
            let mut cards = [0; 4];
            cards[..missing].copy_from_slice(&self.cards[usize::from(node.head)..][..missing]);
            node.board.fill(cards);
            node.head += missing as u8;
        }
    }

    /// The node after a way on, the next room filled.
    fn after(&mut self, node: &Node, way: &Way) -> Node {
        let mut next = *node;
        match way {
            Way::Face(outcome) => next.board = outcome.board,
            Way::Avoid => {
                let room = next.board.avoid();
                let tail = usize::from(next.tail);
                self.cards[tail..tail + 4].copy_from_slice(&room);
                next.tail += 4;
            }
        }
        self.fill(&mut next);
        next
    }

    /// The ways on, the most promising first by the hand-written evaluator.
    fn ways(&self, node: &Node) -> Ways {
        let mut ways = Ways::new();
        let pile = self.pile(node);
        let mut outcomes = Outcomes::new();
        turn::outcomes(&node.board, node.pile_empty(), &mut outcomes);
        for outcome in outcomes {
            match outcome.board.phase {
                Phase::Died => {}
                Phase::Cleared => ways.push((f32::INFINITY, Way::Face(outcome))),
                _ => ways.push((self.rule.logit(&outcome.board, pile, CardSet::EMPTY), Way::Face(outcome))),
            }
        }
        if node.board.may_avoid {
            let mut after = node.board;
            let under: CardSet = after.avoid().map(Card::from_id).into_iter().collect();
            let pile = CardSet::from_bits(pile.bits() | under.bits());
            ways.push((self.rule.logit(&after, pile, CardSet::EMPTY), Way::Avoid));
        }
        ways.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        ways
    }

    /// The cards in the pile.
    fn pile(&self, node: &Node) -> CardSet {
        self.cards[usize::from(node.head)..usize::from(node.tail)]
            .iter()
            .map(|&id| Card::from_id(id))
            .collect()
    }

    fn key(&self, node: &Node) -> (u64, u64) {
        let board = &node.board;
        let state = u64::from(u32::from_le_bytes(board.room))
            | u64::from(board.weapon) << 32
            | u64::from(board.limit) << 40
            | u64::from(board.may_avoid) << 48
            | u64::from(board.drunk) << 49
            | u64::from(board.to_face) << 50;
        let mut key = (fold(state, 0x9e37_79b9_7f4a_7c15), state ^ self.game.rotate_left(56));
        let pile = &self.cards[usize::from(node.head)..usize::from(node.tail)];
        for chunk in pile.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let word = u64::from_le_bytes(word);
            key.0 = fold(key.0 ^ word, 0xa076_1d64_78bd_642f);
            key.1 = fold(key.1 ^ word.rotate_left(29), 0xe703_7ed1_a0b4_28db);
        }
        key
    }

    fn wins(&mut self, node: &Node) -> Result<bool, OutOfBudget> {
        match node.board.phase {
            Phase::Cleared => return Ok(true),
            Phase::Died => return Ok(false),
            _ => {}
        }
        if self.nodes >= self.budget {
            return Err(OutOfBudget);
        }
        self.nodes += 1;
        if self.hopeless(node) {
            return Ok(false);
        }
        let health = node.board.health;
        let key = self.key(node);
        let slot = key.0 as usize % ENTRIES;
        let mut known = self.table[slot];
        if known.key == key {
            if health <= known.loses {
                return Ok(false);
            }
            if known.wins_from != 0 && health >= known.wins_from {
                return Ok(true);
            }
        } else {
            known = Entry { key, ..Entry::default() };
        }
        let mut won = false;
        for (_, way) in &self.ways(node) {
            let next = self.after(node, way);
            if self.wins(&next)? {
                won = true;
                break;
            }
        }
        if self.table[slot].key == key {
            known = self.table[slot];
        }
        if won {
            known.wins_from = health;
        } else {
            known.loses = known.loses.max(health);
        }
        self.table[slot] = known;
        Ok(won)
    }

    /// Whether even the best weapon on every monster and every potion would not be enough.
    fn hopeless(&self, node: &Node) -> bool {
        let pile = &self.cards[usize::from(node.head)..usize::from(node.tail)];
        let left = node.board.room.iter().filter(|&&id| id != 0).chain(pile).map(|&id| Card::from_id(id));
        let mut monsters = [0_u8; 15];
        let mut health = i32::from(node.board.health);
        let mut weapon = node.board.weapon;
        for card in left {
            match kind(card) {
                Kind::Monster => monsters[usize::from(card.rank())] += 1,
                Kind::Weapon => weapon = weapon.max(card.rank()),
                Kind::Potion => health += i32::from(card.rank()),
            }
        }
        for (rank, &count) in monsters.iter().enumerate().skip(usize::from(weapon)) {
            health -= (rank as i32 - i32::from(weapon)) * i32::from(count);
        }
        health <= 0
    }

    /// The moves of a won node, to the end. The search is made again with what the table still knows.
    fn line(&mut self, mut node: Node, line: &mut Vec<Move>) -> Result<(), OutOfBudget> {
        while node.board.phase == Phase::Play {
            let mut found = None;
            for (_, way) in &self.ways(&node) {
                let next = self.after(&node, way);
                if self.wins(&next)? {
                    found = Some((*way, next));
                    break;
                }
            }
            let Some((way, _)) = found else {
                return Err(OutOfBudget);
            };
            match &way {
                Way::Face(outcome) => line.extend_from_slice(outcome.moves()),
                Way::Avoid => line.push(Move::AVOID),
            }
            // The search may have written over the places behind `tail` of this line: play it again.
            node = self.after(&node, &way);
        }
        Ok(())
    }
}

fn fold(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    (wide >> 64) as u64 ^ wide as u64
}

impl Solver<Dungeon> for DungeonSolver {
    fn applies(&self, position: &Dungeon) -> bool {
        position.board.rules.avoid_order == AvoidOrder::Kept && position.pile.unseen().is_empty()
    }

    fn forget(&mut self) {
        self.game += 1;
    }

    fn solve(&mut self, position: &Dungeon, budget: u64, line: &mut Vec<Move>) -> Solution {
        line.clear();
        if self.rules != position.board.rules {
            self.rules = position.board.rules;
            self.forget();
        }
        self.nodes = 0;
        self.budget = budget;
        let pile = position.pile.order();
        for (place, card) in self.cards.iter_mut().zip(&pile) {
            *place = card.id();
        }
        let mut node = Node { board: position.board, head: 0, tail: pile.len() as u8 };
        self.fill(&mut node);
        match self.wins(&node) {
            Ok(true) => {
                // Finding the line again mostly reads the table; it has an allowance of its own.
                self.budget = self.nodes.saturating_add(budget);
                if self.line(node, line).is_ok() {
                    return Solution::Value(1.0);
                }
                line.clear();
                Solution::Undecided
            }
            Ok(false) => Solution::Value(0.0),
            Err(OutOfBudget) => Solution::Undecided,
        }
    }
}
