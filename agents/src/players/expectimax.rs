//! `expectimax`: full-width search with exact expectations over chance (Michie 1966), and max^n for several
//! seats (Luckhardt and Irani 1986).
//!
//! It is for games whose chance can be listed, and which hide nothing but future chance. Events with too many
//! outcomes are sampled from worlds that agree with the view. The candidates of a decision race in the same
//! worlds, so that they are compared and not their luck. Events further down draw the same random
//! numbers within a world, for the same reason. The budget is shared evenly from the root down. A node that has
//! spent its share is valued by the evaluator, so no candidate is searched deeply at the cost of the next.
//!
//! The evaluator may prune: steps that it values far below the best are left out (`margin`). To drop candidates
//! that fall behind in the race saves as much, and does not take the evaluator at its word. Decisions at the edge
//! take one step of lookahead, in one call where the evaluator has a quick way.

mod options;
mod race;

use super::decide::{DecisionLoop, Search};
use super::end_game::EndGame;
use super::judge::{Granularity, Judge};
use crate::decision::Decision;
use crate::game::{EnumerableChance, Game, MAX_SEATS, Seat, Turn, Values, played, utilities};
use crate::kit::{Setup, Tools};
use crate::options::OptionError;
use crate::rng::Rng;
use crate::steps::StepList;
pub use options::Options;
use race::Race;
use rand::{RngExt as _, SeedableRng as _};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

/// The number of worlds between two looks at who can be dropped.
const ROUND: u32 = 8;

type Transpositions<G> =
    HashMap<(<G as EnumerableChance>::Key, u32), Values, BuildHasherDefault<DefaultHasher>>;

/// The buffers of one node on the path.
struct Frame<G: Game> {
    steps: StepList<G::Move>,
    /// The evaluator's values of the steps, where it was asked.
    priors: Vec<f64>,
    /// The indices of the steps that are searched.
    kept: Vec<u32>,
    outcomes: Vec<(G::Chance, f64)>,
}

impl<G: Game> Default for Frame<G> {
    fn default() -> Self {
        Self { steps: StepList::default(), priors: Vec::new(), kept: Vec::new(), outcomes: Vec::new() }
    }
}

/// Expectimax: exact expectations over chance, and the best step for every seat.
pub type Expectimax<G> = DecisionLoop<G, ExpectimaxSearch<G>>;

/// The search of [`Expectimax`].
pub struct ExpectimaxSearch<G: Tools + EnumerableChance> {
    options: Options,
    judge: Judge<G>,
    frames: Vec<Frame<G>>,
    race: Race,
    /// The candidates of the decision, as lines of moves, and the positions after them.
    lines: StepList<G::Move>,
    afters: Vec<G>,
    // Entries are valid for one decision, with its samples and its budget.
    table: Transpositions<G>,
    seat: Seat,
    seed: u64,
    left: u64,
}

impl<G: Tools + EnumerableChance> Clone for ExpectimaxSearch<G> {
    fn clone(&self) -> Self {
        Self::new(self.options.clone(), self.judge.clone())
    }
}

impl<G: Tools + EnumerableChance> ExpectimaxSearch<G> {
    fn new(options: Options, judge: Judge<G>) -> Self {
        Self {
            judge,
            frames: Vec::new(),
            race: Race::default(),
            lines: StepList::default(),
            afters: Vec::new(),
            table: Transpositions::<G>::default(),
            seat: 0,
            seed: 0,
            left: 0,
            options,
        }
    }

    /// The floor of the budget for the next of `children` nodes that share it evenly.
    fn share(&self, floor: u64, children: usize) -> u64 {
        self.left - self.left.saturating_sub(floor) / children.max(1) as u64
    }

    /// Whether a random event is due that is sampled.
    fn is_sampled(&self, position: &G) -> bool {
        position.turn() == Turn::Chance && position.outcome_count() > self.options.enumerate
    }

    /// The values of a position, `depth` steps deep, while more than `floor` of the budget is left.
    fn value(&mut self, position: &G, depth: u32, floor: u64) -> Values {
        let turn = position.turn();
        if turn == Turn::Over {
            return utilities(position);
        }
        let spent = self.left <= floor;
        // At the edge most positions come once: they are not kept.
        if (depth == 1 || spent)
            && self.options.steps == Granularity::Turns
            && let Turn::Player(seat) = turn
            && let Some(values) = self.judge.quick(position, seat)
        {
            self.left -= u64::from(!spent);
            return values;
        }
        let key = (position.key(), depth);
        if let Some(&values) = self.table.get(&key) {
            return values;
        }
        let values = if let Some(values) = self.judge.end.values(position) {
            values
        } else if depth == 0 || spent {
            return self.judge.afterstate_values(position);
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
        if depth == 1
            && let Turn::Player(seat) = position.turn()
        {
            return self.judge.lookahead(position, seat);
        }
        let mut frame = self.frames.pop().unwrap_or_default();
        let values = match position.turn() {
            Turn::Player(seat) => {
                self.list(position, seat, &mut frame);
                self.best(position, seat, &frame, depth, floor)
            }
            Turn::Chance if !self.is_sampled(position) => {
                position.outcomes(&mut frame.outcomes);
                self.expectation(position, &frame.outcomes, depth, floor)
            }
            _ => self.sampled(position, depth, floor),
        };
        self.frames.push(frame);
        values
    }

    /// Lists the steps that are searched. Where the evaluator is asked, the most promising comes first.
    fn list(&mut self, position: &G, seat: Seat, frame: &mut Frame<G>) {
        let valued = self.options.values_steps();
        if valued {
            self.judge.best(position, seat);
        } else {
            self.judge.list(position);
        }
        std::mem::swap(&mut self.judge.steps, &mut frame.steps);
        frame.kept.clear();
        frame.kept.extend(0..frame.steps.len() as u32);
        if valued {
            std::mem::swap(&mut self.judge.priors, &mut frame.priors);
            let prior = |i: u32| frame.priors[i as usize];
            frame.kept.sort_unstable_by(|&a, &b| prior(b).total_cmp(&prior(a)).then(a.cmp(&b)));
            let least = frame.kept.first().map_or(0.0, |&best| prior(best)) - self.options.margin;
            frame.kept.retain(|&i| prior(i) >= least);
        }
    }

    /// The values after the best step for `seat`, the first among equals.
    fn best(&mut self, position: &G, seat: Seat, frame: &Frame<G>, depth: u32, floor: u64) -> Values {
        let mut values = [f64::NEG_INFINITY; MAX_SEATS];
        for (i, &step) in frame.kept.iter().enumerate() {
            let share = self.share(floor, frame.kept.len() - i);
            let after = self.value(&played(position, frame.steps.get(step as usize)), depth - 1, share);
            if after[seat] > values[seat] {
                values = after;
            }
        }
        values
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

    /// The mean over worlds in which chance takes its course, and the evaluator's value for some more. A shuffle
    /// needs one world, as nobody sees it.
    fn sampled(&mut self, position: &G, depth: u32, floor: u64) -> Values {
        let shuffle = position.turn() == Turn::Shuffle;
        let (worlds, prior) =
            if shuffle { (1, 0.0) } else { (self.options.samples, self.options.prior_samples) };
        let view = position.view(self.seat);
        let mut rng = Rng::seed_from_u64(self.seed.wrapping_add(u64::from(depth)));
        let all = f64::from(worlds) + prior;
        let mut mean = [0.0; MAX_SEATS];
        if prior > 0.0 {
            mean = self.judge.afterstate_values(position).map(|value| value * prior / all);
        }
        for i in 0..worlds {
            let share = self.share(floor, (worlds - i) as usize);
            let mut world = G::sample_world(&view, &mut rng);
            world.roll(&mut rng);
            let values = self.value(&world, depth, share);
            for (sum, value) in mean.iter_mut().zip(values) {
                *sum += value / all;
            }
        }
        mean
    }

    /// Collects the candidates: `line`, played up to `position`, and every step after it that is searched. Where the
    /// evaluator is asked, lines go on while the player has another step before chance, `more` steps at most.
    fn collect(&mut self, position: &G, line: &mut Vec<G::Move>, more: u32) {
        let mut frame = self.frames.pop().unwrap_or_default();
        self.list(position, self.seat, &mut frame);
        let (start, valued) = (line.len(), self.options.values_steps());
        for &step in &frame.kept {
            let moves = frame.steps.get(step as usize);
            let mut after = played(position, moves);
            line.truncate(start);
            line.extend_from_slice(moves);
            if valued && more > 0 && after.turn() == Turn::Player(self.seat) {
                self.collect(&after, line, more - 1);
                continue;
            }
            // Nobody sees a shuffle, so one is as good as another.
            if after.turn() == Turn::Shuffle {
                after.roll(&mut Rng::seed_from_u64(self.seed));
            }
            self.lines.push(line);
            self.race.enter(if valued { frame.priors[step as usize] } else { 0.5 });
            self.afters.push(after);
        }
        line.truncate(start);
        self.frames.push(frame);
    }

    /// The best candidate. Those whose next event is sampled race in the same worlds, the others are valued at once.
    fn run(&mut self, view: &G::View) -> usize {
        let (afters, lines) = (std::mem::take(&mut self.afters), std::mem::take(&mut self.lines));
        let (depth, seed, count) = (self.options.depth - 1, self.seed, afters.len());
        for (i, after) in afters.iter().enumerate() {
            if !self.is_sampled(after) {
                let share = self.share(0, count - i);
                let value = self.value(after, depth, share)[self.seat];
                self.race.settle(i, value);
            }
        }
        for world in 1..=self.options.samples {
            let waiting = self.race.waiting();
            if waiting == 0 || self.left == 0 {
                break;
            }
            // Further seeds belong to the events below.
            self.seed = seed.wrapping_add(u64::from(world) << 16);
            let mut rng = Rng::seed_from_u64(self.seed);
            let start = G::sample_world(view, &mut rng);
            self.race.add_world();
            let mut units = (self.options.samples - world + 1) as usize * waiting;
            for i in 0..count {
                if !self.race.needs(i) {
                    continue;
                }
                let mut next = played(&start, lines.get(i));
                let mut rng = rng.clone();
                while matches!(next.turn(), Turn::Chance | Turn::Shuffle) {
                    next.roll(&mut rng);
                }
                let share = self.share(0, units);
                let value = self.value(&next, depth, share)[self.seat];
                self.race.draw(i, value);
                units -= 1;
            }
            if self.options.drop_z > 0.0 && world % ROUND == 0 {
                self.race.drop_losers(self.options.drop_z);
            }
        }
        (self.afters, self.lines) = (afters, lines);
        self.race.leader()
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
        let end = EndGame::new(setup.kit.end_game, options.solver_nodes);
        Ok(Self::new(options.clone(), Judge::of(evaluator, options.steps, end)))
    }

    fn end_game(&mut self) -> &mut EndGame<G> {
        &mut self.judge.end
    }

    fn begin_decision(&mut self, rng: &mut Rng) {
        self.seed = rng.random();
    }

    fn search(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, _: &mut Rng) {
        self.seat = decision.seat();
        self.left = self.options.nodes;
        self.table.clear();
        self.race.begin(self.options.prior_samples);
        self.lines.clear();
        self.afters.clear();
        self.collect(world, line, self.options.depth);
        let best = if self.lines.len() > 1 { self.run(&decision.view()) } else { 0 };
        line.extend_from_slice(self.lines.get(best));
    }

    fn break_tie(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, _: &mut Rng) {
        self.judge.break_tie(world, decision.seat(), line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;
    use crate::options;
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

    /// A search at the root of a game: the values of the candidates, and the worlds that were drawn.
    fn decide<G: Tools + EnumerableChance>(
        agent: &mut ExpectimaxSearch<G>,
        start: &G,
        seed: u64,
    ) -> Vec<f64> {
        let Turn::Player(seat) = start.turn() else { return Vec::new() };
        (agent.seat, agent.seed, agent.left) = (seat, seed, agent.options.nodes);
        agent.table.clear();
        agent.race.begin(agent.options.prior_samples);
        agent.lines.clear();
        agent.afters.clear();
        agent.collect(start, &mut Vec::new(), agent.options.depth);
        agent.run(&start.view(seat));
        (0..agent.lines.len()).map(|i| agent.race.value(i)).collect()
    }

    /// A ladder of six cards, at the first decision.
    fn first_decision() -> (Rules, Ladder) {
        let rules = Rules { cards: 6, shuffled: false };
        let mut rng = stream(1, 0, Role::Deal);
        let mut start = Ladder::deal(&rules, &mut rng);
        while !matches!(start.turn(), Turn::Player(_)) {
            start.roll(&mut rng);
        }
        (rules, start)
    }

    /// A margin as wide as the values prunes nothing: the search is as exact with the evaluator asked as without.
    #[test]
    fn a_wide_margin_changes_no_value() {
        let (rules, start) = first_decision();
        for options in
            ["steps=moves,leaf=exact", "steps=turns,leaf=score,prior_samples=5", "leaf=score,drop_z=3"]
        {
            for margin in ["margin=1", "margin=0.999999"] {
                let options = format!("depth=40,nodes=100000000,solver_nodes=0,{options},{margin}");
                let mut agent = agent::<Ladder>(&rules, &options);
                let best = decide(&mut agent, &start, 1).into_iter().fold(0.0, f64::max);
                agree(best, start.exact(), &options);
            }
        }
        for text in
            ["0[50 c[1:0 1:90] c[1:20 3:70]]", "0[1[2[60/20/20 0/0/100] 30/60/10] 2[40/30/30 20/20/60]]"]
        {
            let tree = Tree::new(text);
            let (found, _) = search(&mut agent(tree.shape(), "depth=10,leaf=blind,margin=0.999999"), &tree);
            agree(found[0], tree.exact()[0], text);
        }
    }

    /// A margin of 0 trusts the evaluator: one candidate is left, and no world is drawn.
    #[test]
    fn a_narrow_margin_prunes() {
        let (rules, start) = first_decision();
        let all = decide(&mut agent(&rules, "leaf=exact,enumerate=0,solver_nodes=0"), &start, 1).len();
        let mut agent = agent::<Ladder>(&rules, "leaf=exact,enumerate=0,solver_nodes=0,margin=0");
        let kept = decide(&mut agent, &start, 1).len();
        assert!(kept < all && agent.left == agent.options.nodes, "{kept} of {all}");
    }

    /// The evaluator's value in place of samples does not bias where it is right: over 400 seeds the mean value of
    /// each candidate agrees with the exact one within 4 standard errors, sampled at the root and below.
    #[test]
    fn prior_samples_do_not_bias() {
        let (rules, start) = first_decision();
        let options = "enumerate=0,solver_nodes=0,leaf=exact,samples=4,prior_samples=4,depth=2,steps=turns";
        let mut agent = agent::<Ladder>(&rules, options);
        let count = decide(&mut agent, &start, 0).len();
        let (mut sums, runs) = (vec![(0.0, 0.0); count], 400.0);
        let exact: Vec<f64> = agent.afters.iter().map(Ladder::exact).collect();
        for seed in 0..400 {
            for (sum, value) in sums.iter_mut().zip(decide(&mut agent, &start, seed)) {
                *sum = (sum.0 + value, sum.1 + value * value);
            }
        }
        for ((sum, squares), exact) in sums.into_iter().zip(exact) {
            let mean = sum / runs;
            let error = ((squares / runs - mean * mean).max(0.0) / runs).sqrt();
            assert!((mean - exact).abs() < 4.0 * error + 1e-9, "{mean} ± {error}, exactly {exact}");
            assert!(error > 0.0 || exact == 1.0, "nothing is sampled");
        }
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

    /// Outcomes that are listed are kept in memory, so there are not more of them than fit.
    #[test]
    fn more_outcomes_than_can_be_listed_are_refused() {
        let read = |many: u64| {
            let given = options::fields("agent", [format!("enumerate={many}").as_str()]).unwrap();
            options::read::<Options>("agent", &given).map_err(|error| error.to_string())
        };
        assert_eq!(read(1_000_000).unwrap().enumerate, 1_000_000);
        for many in [1_000_001, u64::MAX] {
            let error = read(many).unwrap_err();
            assert!(error.contains("expected a whole number from 0 to 1000000"), "{error}");
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
