//! The end-game solver: the exact answer in play, once every card of the pile is known.
//!
//! It can also answer one draw before, when at most three cards are unseen. Whatever is done in the room, the next draw shows
//! them all: the cards of the next room are known already, and only their order in it is not. That matters only if that room is
//! avoided, and by then it is seen. So the value after a turn is the mean over the orders of the exact answer to each.
//!
//! The question is whether the dungeon can still be cleared or, where players maximise the score, what the highest is. The
//! search is depth first over whole turns with a transposition table; `search` says why it is exact.

use super::best_score::{FinishedGame, Found, best_score};
use super::search::{MOST_WAYS, Node, OutOfBudget, Search, WIN, Way};
use crate::dungeon::board::{Phase, utility_of_score};
use crate::dungeon::moves::Move;
use crate::dungeon::position::Dungeon;
use crate::dungeon::rules::{Aim, AvoidOrder, Rules};
use arrayvec::ArrayVec;
use knave_agents::{EndGameSolver, Solution};

/// Exact solver of fully known positions.
///
/// Where players want to win, a lost position has the value 0: how far a doomed player gets is below its resolution.
pub struct DungeonSolver {
    search: Search,
    /// The rules that the table was filled under.
    rules: Rules,
    /// The unseen cards with which it still answers.
    hidden: u32,
}

/// Entries of the transposition table. So few stay near the processor, and the questions of an end-game are small.
const ENTRIES: usize = 1 << 12;

impl Default for DungeonSolver {
    fn default() -> Self {
        Self { search: Search::with_entries(ENTRIES), rules: Rules::default(), hidden: 0 }
    }
}

/// The most cards that every draw shows: three are drawn to the card that stays, or more to none.
const LAST_DRAW: u32 = 3;

/// The orders of three cards; those of fewer are the ones that leave the rest in place.
const ORDERS: [[usize; LAST_DRAW as usize]; 6] =
    [[0, 1, 2], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl DungeonSolver {
    /// The nodes that the last call visited.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.search.nodes
    }
}

impl EndGameSolver<Dungeon> for DungeonSolver {
    fn applies(&self, position: &Dungeon) -> bool {
        position.board.rules.avoid_order == AvoidOrder::Kept
            && (position.pile.unseen().is_empty() || self.looks_beyond_draw(position))
    }

    fn most_hidden(&self) -> u32 {
        LAST_DRAW
    }

    fn allow_hidden(&mut self, hidden: u32) {
        self.hidden = hidden;
    }

    fn forget(&mut self) {
        self.search.ask(WIN);
    }

    fn solve(&mut self, position: &Dungeon, budget: u64, line: &mut Vec<Move>) -> Solution {
        line.clear();
        if position.board.rules.objective == Aim::Score {
            return self.score(position, budget, line);
        }
        if self.looks_beyond_draw(position) {
            return self.before_draw(position, budget, line).map_or_else(
                |OutOfBudget| {
                    line.clear();
                    Solution::Undecided
                },
                Solution::Value,
            );
        }
        let node = self.start(position, budget);
        let search = &mut self.search;
        match search.finds(&node, line) {
            Ok((true, true)) => Solution::Value(1.0),
            Ok((true, false)) => {
                // Finding the line again mostly reads the table; it has an allowance of its own.
                search.budget = search.nodes.saturating_add(budget);
                if search.line(node, line).is_ok() {
                    return Solution::Value(1.0);
                }
                line.clear();
                Solution::Undecided
            }
            Ok((false, _)) => Solution::Value(0.0),
            Err(OutOfBudget) => Solution::Undecided,
        }
    }

    fn value(&mut self, position: &Dungeon, budget: u64) -> Solution {
        if position.board.rules.objective == Aim::Score {
            return self.score(position, budget, &mut Vec::new());
        }
        if self.looks_beyond_draw(position) {
            return self.solve(position, budget, &mut Vec::new());
        }
        let node = self.start(position, budget);
        match self.search.reaches(&node) {
            Ok(reached) => Solution::Value(f64::from(u8::from(reached))),
            Err(OutOfBudget) => Solution::Undecided,
        }
    }
}

impl DungeonSolver {
    /// The highest score that can still be reached, as a utility.
    fn score(&mut self, position: &Dungeon, budget: u64, line: &mut Vec<Move>) -> Solution {
        self.begin(&position.board.rules, budget);
        let search = &mut self.search;
        let Found { reached, bound, line: found } = best_score(position, |score| {
            search.ask(score);
            let start = search.start(position);
            let mut moves = Vec::new();
            let reached = search.reaches_by(start, &mut moves)?;
            Ok(reached.then(|| FinishedGame::finish(position, moves)))
        });
        // All other questions are about winning.
        search.ask(WIN);
        match (reached, found) {
            (Some(score), Some(found)) if reached == bound => {
                line.extend_from_slice(&found.moves);
                Solution::Value(utility_of_score(score as f64, &position.board.rules))
            }
            _ => Solution::Undecided,
        }
    }

    /// Whether some cards are unseen, but few enough to answer all the same.
    fn looks_beyond_draw(&self, position: &Dungeon) -> bool {
        position.board.rules.objective == Aim::Win
            && (1..=self.hidden).contains(&(position.pile.unseen().len() as u32))
    }

    /// The probability of a win where the next draw shows all unseen cards, and the moves up to it that promise it.
    fn before_draw(
        &mut self,
        position: &Dungeon,
        budget: u64,
        line: &mut Vec<Move>,
    ) -> Result<f64, OutOfBudget> {
        self.begin(&position.board.rules, budget);
        let (node, unseen) = (self.search.before(position), position.pile.unseen().len());
        if node.board.phase == Phase::Fill {
            return Ok(if self.wins_facing(&node)? { 1.0 } else { self.avoiding(&node, unseen, 0.0)? });
        }
        let ways = self.search.ways(&node);
        // What is faced in any order costs one search, and mostly settles the matter.
        let mut left: ArrayVec<(Node, &Way), MOST_WAYS> = ArrayVec::new();
        for (_, way) in &ways {
            let after = self.search.unfilled(&node, way);
            if self.wins_facing(&after)? {
                line.extend_from_slice(way.moves());
                return Ok(1.0);
            }
            // Who avoids this room must face the next.
            if after.board.may_avoid {
                left.push((after, way));
            }
        }
        let mut best = 0.0;
        for (after, way) in left {
            let value = self.avoiding(&after, unseen, best)?;
            if value > best {
                best = value;
                line.clear();
                line.extend_from_slice(way.moves());
            }
            if best >= 1.0 {
                break;
            }
        }
        Ok(best)
    }

    /// Whether the dungeon can be cleared by facing the room that is drawn, in whatever order its cards come.
    fn wins_facing(&mut self, before: &Node) -> Result<bool, OutOfBudget> {
        let mut node = *before;
        self.search.fill(&mut node);
        node.board.may_avoid = false;
        self.search.reaches(&node)
    }

    /// The mean over the orders of the unseen cards, which lie on top, of whether the dungeon can be cleared by avoiding the room
    /// that is drawn; 0 where it is found to be at most `least`.
    fn avoiding(&mut self, before: &Node, unseen: usize, least: f64) -> Result<f64, OutOfBudget> {
        let mut filled = *before;
        self.search.fill(&mut filled);
        if !filled.board.may_avoid {
            return Ok(0.0);
        }
        let top = usize::from(before.head);
        let cards: ArrayVec<u8, { LAST_DRAW as usize }> =
            self.search.pile(top..top + unseen).iter().copied().collect();
        let orders: usize = (1..=unseen).product();
        let (mut won, mut open) = (0_usize, orders);
        let mut of_these = ORDERS.iter().filter(|order| (unseen..order.len()).all(|i| order[i] == i));
        // The rest could not make it the best any more.
        while (won + open) as f64 / orders as f64 > least
            && let Some(order) = of_these.next()
        {
            self.search.lay(top, order[..unseen].iter().map(|&i| cards[i]));
            let mut node = *before;
            self.search.fill(&mut node);
            let avoided = self.search.after(&node, &Way::Avoid);
            won += usize::from(self.search.reaches(&avoided)?);
            open -= 1;
        }
        // The node that was given is about the cards as they lay.
        self.search.lay(top, cards.iter().copied());
        Ok(if open == 0 { won as f64 / orders as f64 } else { 0.0 })
    }

    fn start(&mut self, position: &Dungeon, budget: u64) -> Node {
        self.begin(&position.board.rules, budget);
        self.search.start(position)
    }

    /// Begins a call.
    fn begin(&mut self, rules: &Rules, budget: u64) {
        if self.rules != *rules {
            self.rules = *rules;
            self.forget();
        }
        (self.search.nodes, self.search.budget) = (0, budget);
    }
}
