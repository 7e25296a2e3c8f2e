//! `expectimax`: full-width search with exact expectations over chance (Michie 1966), and max^n for several
//! seats (Luckhardt and Irani 1986).
//!
//! It is for games whose chance can be listed, and which hide nothing but future chance. Events with too many
//! outcomes are sampled from worlds that agree with the view. All events of one depth draw the same random
//! numbers, so that candidates are compared and not their luck. The budget is shared evenly from the root down.
//! A node that has spent its share is valued by the evaluator, so no candidate is searched deeply at the cost
//! of the next.

use super::decide::{DecisionLoop, Search};
use super::end_game::EndGame;
use super::judge::Granularity;
use crate::agent::Decision;
use crate::evaluator::Evaluator;
use crate::game::{EnumerableChance, Game, MAX_SEATS, Seat, Turn, Values, played, utilities};
use crate::kit::{MakeSolver, Setup, Tools};
use crate::options::{self, OptionError};
use crate::rng::Rng;
use crate::steps::StepList;
use rand::{RngExt as _, SeedableRng as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

/// The options of `expectimax`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Steps ahead, the candidate included; a game that is over sooner is searched to its end
    #[schemars(range(min = 1, max = 200))]
    pub depth: u32,
    /// An event with at most this many outcomes is taken exactly, any other is sampled
    pub enumerate: u64,
    /// Worlds sampled for an event with more outcomes
    #[schemars(range(min = 1, max = 1_000_000))]
    pub samples: u32,
    /// Nodes a decision; what lies below a node that has spent its share is valued at once
    #[schemars(range(min = 1))]
    pub nodes: u64,
    /// The evaluator at the edge; empty for the game's default, none for 0.5 everywhere
    pub leaf: String,
    /// Whether the candidates are single moves or whole turns
    pub steps: Granularity,
    /// Positions that the transposition table holds; 0 turns it off
    pub table: usize,
    /// Nodes for the exact solver where nothing is hidden any more; 0 turns it off
    pub solver_nodes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            depth: 2,
            enumerate: 512,
            samples: 32,
            nodes: 100_000,
            leaf: String::new(),
            steps: Granularity::Turns,
            table: 100_000,
            solver_nodes: 10_000,
        }
    }
}

impl options::Options for Options {}

type Transpositions<G> =
    HashMap<(<G as EnumerableChance>::Key, u32), Values, BuildHasherDefault<DefaultHasher>>;

/// The buffers of one node on the path.
struct Frame<G: Game> {
    steps: StepList<G::Move>,
    outcomes: Vec<(G::Chance, f64)>,
}

/// Expectimax: exact expectations over chance, and the best step for every seat.
pub type Expectimax<G> = DecisionLoop<G, ExpectimaxSearch<G>>;

/// The search of [`Expectimax`].
pub struct ExpectimaxSearch<G: Tools + EnumerableChance> {
    options: Options,
    evaluator: Option<Arc<dyn Evaluator<G>>>,
    end: EndGame<G>,
    frames: Vec<Frame<G>>,
    // Entries are valid for one decision, with its samples and its budget.
    table: Transpositions<G>,
    seat: Seat,
    seed: u64,
    left: u64,
}

impl<G: Tools + EnumerableChance> Clone for ExpectimaxSearch<G> {
    fn clone(&self) -> Self {
        Self {
            evaluator: self.evaluator.clone(),
            end: self.end.clone(),
            ..Self::bare(self.options.clone(), None)
        }
    }
}

impl<G: Tools + EnumerableChance> ExpectimaxSearch<G> {
    fn bare(options: Options, solver: Option<MakeSolver<G>>) -> Self {
        Self {
            evaluator: None,
            end: EndGame::new(solver, options.solver_nodes),
            frames: Vec::new(),
            table: Transpositions::<G>::default(),
            seat: 0,
            seed: 0,
            left: 0,
            options,
        }
    }

    fn leaf(&self, position: &G) -> Values {
        let mut values = [0.0; MAX_SEATS];
        for (seat, value) in values.iter_mut().enumerate().take(position.seats()) {
            *value = self.evaluator.as_ref().map_or(0.5, |evaluator| evaluator.value(position, seat));
        }
        values
    }

    /// The floor of the budget for the next of `children` nodes that share it evenly.
    fn share(&self, floor: u64, children: usize) -> u64 {
        self.left - self.left.saturating_sub(floor) / children.max(1) as u64
    }

    /// The values of a position, `depth` steps deep, while more than `floor` of the budget is left.
    fn value(&mut self, position: &G, depth: u32, floor: u64) -> Values {
        if position.turn() == Turn::Over {
            return utilities(position);
        }
        let key = (position.key(), depth);
        if let Some(&values) = self.table.get(&key) {
            return values;
        }
        let values = if let Some(values) = self.end.values(position) {
            values
        } else if depth == 0 || self.left <= floor {
            return self.leaf(position);
        } else {
            self.left -= 1;
            self.inner(position, depth, floor)
        };
        if self.table.len() < self.options.table {
            self.table.insert(key, values);
        }
        values
    }

    fn inner(&mut self, position: &G, depth: u32, floor: u64) -> Values {
        let mut frame =
            self.frames.pop().unwrap_or_else(|| Frame { steps: StepList::default(), outcomes: Vec::new() });
        let values = match position.turn() {
            Turn::Player(seat) => {
                self.options.steps.list(position, &mut frame.steps);
                self.best(position, seat, &frame.steps, depth, floor).1
            }
            Turn::Chance if position.outcome_count() <= self.options.enumerate => {
                position.outcomes(&mut frame.outcomes);
                self.expectation(position, &frame.outcomes, depth, floor)
            }
            _ => self.sampled(position, depth, floor),
        };
        self.frames.push(frame);
        values
    }

    /// The best step for `seat`, the first among equals, and the values after it.
    fn best(
        &mut self,
        position: &G,
        seat: Seat,
        steps: &StepList<G::Move>,
        depth: u32,
        floor: u64,
    ) -> (usize, Values) {
        let (mut best, mut values) = (0, [f64::NEG_INFINITY; MAX_SEATS]);
        for (i, step) in steps.iter().enumerate() {
            let share = self.share(floor, steps.len() - i);
            let after = self.value(&played(position, step), depth - 1, share);
            if after[seat] > values[seat] {
                (best, values) = (i, after);
            }
        }
        (best, values)
    }

    /// The best step by the evaluator, where no move can change the value.
    fn most_promising(&self, position: &G, steps: &StepList<G::Move>) -> usize {
        let (mut best, mut best_value) = (0, f64::NEG_INFINITY);
        for (i, step) in steps.iter().enumerate() {
            let after = played(position, step);
            let values = if after.turn() == Turn::Over { utilities(&after) } else { self.leaf(&after) };
            if values[self.seat] > best_value {
                (best, best_value) = (i, values[self.seat]);
            }
        }
        best
    }

    fn expectation(&mut self, position: &G, outcomes: &[(G::Chance, f64)], depth: u32, floor: u64) -> Values {
        let mut mean = [0.0; MAX_SEATS];
        for (i, &(outcome, probability)) in outcomes.iter().enumerate() {
            let share = self.share(floor, outcomes.len() - i);
            let mut next = position.clone();
            next.play_chance(outcome);
            let values = self.value(&next, depth, share);
            for (sum, value) in mean.iter_mut().zip(values) {
                *sum += probability * value;
            }
        }
        mean
    }

    /// The mean over worlds in which chance takes its course. A shuffle needs one world, as nobody sees it.
    fn sampled(&mut self, position: &G, depth: u32, floor: u64) -> Values {
        let worlds = if position.turn() == Turn::Shuffle { 1 } else { self.options.samples };
        let view = position.view(self.seat);
        let mut rng = Rng::seed_from_u64(self.seed.wrapping_add(u64::from(depth)));
        let mut mean = [0.0; MAX_SEATS];
        for i in 0..worlds {
            let share = self.share(floor, (worlds - i) as usize);
            let mut world = G::sample_world(&view, &mut rng);
            world.roll(&mut rng);
            let values = self.value(&world, depth, share);
            for (sum, value) in mean.iter_mut().zip(values) {
                *sum += value / f64::from(worlds);
            }
        }
        mean
    }
}

impl<G: Tools + EnumerableChance> Search<G> for ExpectimaxSearch<G> {
    const NAME: &'static str = "expectimax";
    const SUMMARY: &'static str = "full-width search with exact expectations over chance";
    type Options = Options;

    fn configure(options: &Options, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let evaluator = match options.leaf.as_str() {
            "none" => None,
            "" if setup.kit.evaluators().is_empty() => {
                let reason = "this game has no evaluator; leaf=none searches without, with a depth that \
                              reaches the end";
                return Err(setup.refuse("leaf", &"", reason));
            }
            name => Some(setup.evaluator("leaf", name)?),
        };
        Ok(Self { evaluator, ..Self::bare(options.clone(), setup.kit.end_game) })
    }

    fn end_game(&mut self) -> &mut EndGame<G> {
        &mut self.end
    }

    fn begin_decision(&mut self, rng: &mut Rng) {
        self.seed = rng.random();
    }

    fn search(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, _: &mut Rng) {
        self.seat = decision.seat();
        self.left = self.options.nodes;
        self.table.clear();
        let mut steps = StepList::default();
        self.options.steps.list(world, &mut steps);
        let best =
            if steps.len() > 1 { self.best(world, self.seat, &steps, self.options.depth, 0).0 } else { 0 };
        line.extend_from_slice(steps.get(best));
    }

    fn break_tie(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, _: &mut Rng) {
        self.seat = decision.seat();
        let mut steps = StepList::default();
        self.options.steps.list(world, &mut steps);
        line.extend_from_slice(steps.get(self.most_promising(world, &steps)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Role, stream};
    use crate::toys::ladder::{Ladder, Rules};
    use crate::toys::pig::{Exact, Move, Pig};
    use crate::toys::tree::Tree;

    fn agent<G: Tools + EnumerableChance>(rules: &G::Rules, text: &str) -> ExpectimaxSearch<G> {
        let given = options::fields("agent", text.split(',')).unwrap();
        let options = options::read("agent", &given).unwrap();
        ExpectimaxSearch::configure(&options, &Setup::new("expectimax", &G::kit(rules), rules)).unwrap()
    }

    /// The value of a position by the search, and the nodes that it took.
    fn search<G: Tools + EnumerableChance>(agent: &mut ExpectimaxSearch<G>, position: &G) -> (Values, u64) {
        agent.left = agent.options.nodes;
        agent.table.clear();
        agent.seed = 1;
        let values = agent.value(position, agent.options.depth, 0);
        (values, agent.options.nodes - agent.left)
    }

    fn agree(found: f64, exact: f64, what: &str) {
        assert!((found - exact).abs() < 1e-9, "{what}: {found}, exactly {exact}");
    }

    #[test]
    fn trees_are_valued_exactly() {
        for text in [
            "0[50 c[1:0 1:90] c[1:20 3:70]]",
            "0[0[10 100 10] c[1:50 1:50]]",
            "0[1[90/10 20/80] 1[50/50 60/40]]",
            "0[1[2[60/20/20 0/0/100] 30/60/10] 2[40/30/30 20/20/60]]",
            "c[2:0[10/90 1[c[3:0/100 1:100/0] 30/20]] 3:1[0[20/80 40/60] 90/10]]",
        ] {
            let tree = Tree::new(text);
            for steps in ["moves", "turns"] {
                let options = format!("depth=10,leaf=none,steps={steps}");
                let (found, _) = search(&mut agent(tree.shape(), &options), &tree);
                for (seat, exact) in tree.exact().into_iter().enumerate() {
                    agree(found[seat], exact, &format!("{text}, {steps}, seat {seat}"));
                }
            }
        }
    }

    /// With perfect values at the edge every depth is exact, at decisions and at the die; the table
    /// changes nothing but the number of nodes.
    #[test]
    fn pig_is_valued_exactly() {
        const TARGET: u8 = 12;
        let exact = Exact::new(TARGET);
        for depth in 1..=3 {
            let mut plain = agent(&TARGET, &format!("depth={depth},leaf=exact,table=0"));
            let mut kept = agent(&TARGET, &format!("depth={depth},leaf=exact"));
            for (scores, seat, gathered) in
                [([0, 0], 0, 0), ([7, 3], 1, 4), ([11, 11], 0, 1), ([2, 10], 0, 9)]
            {
                let mut position = Pig::at(TARGET, scores, seat, gathered);
                for _ in 0..2 {
                    let (found, nodes) = search(&mut plain, &position);
                    agree(found[0], exact.win(&position, 0), &format!("{position:?}, depth {depth}"));
                    agree(found[1], exact.win(&position, 1), &format!("{position:?}, depth {depth}"));
                    let (same, fewer) = search(&mut kept, &position);
                    agree(same[seat], found[seat], "with the table");
                    assert!(fewer <= nodes, "the table costs nodes: {fewer}, without {nodes}");
                    position.play(Move::Roll);
                }
            }
        }
    }

    /// The heuristic values at the edge are backed up exactly: compared with a plain recursion.
    #[test]
    fn depth_limited_values_are_backed_up() {
        fn plain(position: &Pig, depth: u32, evaluator: &dyn Evaluator<Pig>) -> f64 {
            match position.turn() {
                Turn::Over => position.utility(0),
                _ if depth == 0 => evaluator.value(position, 0),
                Turn::Player(seat) => {
                    let mut moves = Vec::new();
                    position.moves(&mut moves);
                    let values = moves.iter().map(|&m| plain(&played(position, &[m]), depth - 1, evaluator));
                    if seat == 0 { values.fold(0.0, f64::max) } else { values.fold(1.0, f64::min) }
                }
                _ => {
                    let after = |die| {
                        let mut next = *position;
                        next.play_chance(die);
                        plain(&next, depth, evaluator)
                    };
                    (1..=6).map(after).sum::<f64>() / 6.0
                }
            }
        }
        let lead = Pig::kit(&12).find_evaluator("lead", &12).unwrap();
        for depth in 1..=4 {
            let position = Pig::at(12, [3, 5], 1, 2);
            let (found, _) = search(&mut agent(&12, &format!("depth={depth}")), &position);
            agree(found[0], plain(&position, depth, &*lead), &format!("depth {depth}"));
        }
    }

    #[test]
    fn ladder_is_valued_exactly() {
        for (cards, shuffled) in [(4, false), (4, true), (6, false)] {
            let rules = Rules { cards, shuffled };
            for options in ["steps=turns", "steps=moves", "solver_nodes=0", "table=0", "steps=moves,table=5"]
            {
                let options = format!("depth=40,leaf=none,nodes=100000000,{options}");
                let mut agent = agent(&rules, &options);
                let start = Ladder::deal(&rules, &mut stream(1, 0, Role::Deal));
                let (found, _) = search(&mut agent, &start);
                agree(found[0], start.exact(), &format!("{rules:?}, {options}"));
            }
        }
    }

    /// Sampled events are unbiased: over 400 seeds the mean of a sampled expectation agrees with the
    /// exact one within 4 standard errors, and one seed draws the same samples twice.
    #[test]
    fn sampling_is_unbiased_and_repeatable() {
        let rules = Rules { cards: 6, shuffled: false };
        let mut agent = agent::<Ladder>(&rules, "depth=1,leaf=exact,enumerate=0,samples=2,solver_nodes=0");
        let start = Ladder::deal(&rules, &mut stream(1, 0, Role::Deal));
        let (mut sum, mut squares, runs) = (0.0, 0.0, 400.0);
        for seed in 0..400 {
            let run = |agent: &mut ExpectimaxSearch<Ladder>| {
                agent.left = 1000;
                agent.table.clear();
                agent.seed = seed;
                agent.value(&start, 1, 0)[0]
            };
            let value = run(&mut agent);
            assert_eq!(value.to_bits(), run(&mut agent).to_bits(), "seed {seed}");
            sum += value;
            squares += value * value;
        }
        let (mean, exact) = (sum / runs, start.exact());
        let error = ((squares / runs - mean * mean) / runs).sqrt();
        assert!(error > 0.0 && (mean - exact).abs() < 4.0 * error, "{mean} ± {error}, exactly {exact}");
    }

    /// No more nodes than allowed, and with the edge valued perfectly a small budget is as good.
    #[test]
    fn the_budget_is_kept() {
        let exact = Exact::new(12);
        for nodes in [1, 2, 10, 1000] {
            let mut agent = agent(&12, &format!("depth=6,leaf=exact,table=0,nodes={nodes}"));
            let position = Pig::at(12, [5, 7], 0, 3);
            let (found, used) = search(&mut agent, &position);
            assert!(used <= nodes && (used > nodes / 2), "{used} of {nodes} nodes");
            agree(found[0], exact.win(&position, 0), "a cut search");
        }
    }

    /// A small table is never outgrown.
    #[test]
    fn the_table_is_bounded() {
        let mut agent = agent(&12, "depth=5,table=50");
        search(&mut agent, &Pig::at(12, [5, 7], 0, 3));
        assert_eq!(agent.table.len(), 50);
    }
}
