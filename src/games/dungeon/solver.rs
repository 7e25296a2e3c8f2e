//! placeholder
use super::*;
use knave_agents::Solution;
#[derive(Default)]
pub struct DungeonSolver;
impl Solver<Dungeon> for DungeonSolver {
    fn applies(&self, _: &Dungeon) -> bool {
        false
    }
    fn solve(&mut self, _: &Dungeon, _: u64, _: &mut Vec<Move>) -> Solution {
        Solution::Undecided
    }
}
