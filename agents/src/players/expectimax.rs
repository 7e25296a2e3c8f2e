//! `expectimax`: full-width search with exact expectations over chance (Michie 1966), and max^n for several
//! seats (Luckhardt and Irani 1986).
//!
//! It is for games whose chance can be listed, and which hide nothing but future chance. Events with too many
//! outcomes are sampled from worlds that agree with the view. The candidates of a decision race in the same
//! worlds, so that they are compared and not their luck. Events further down draw the same random
//! numbers within a world, for the same reason. The table of values is shared by all worlds of a decision. Where events below a
//! position are sampled, the worlds that reach it share these samples, and the race takes them for independent all the same. The
//! budget is shared evenly from the root down. A node that has spent its share is valued by the evaluator, so no candidate is
//! searched deeply at the cost of the next.
//!
//! The evaluator may prune: steps that it values far below the best are left out (`margin`). To drop candidates
//! that fall behind in the race saves as much, and does not take the evaluator at its word. Decisions at the edge
//! take one step of lookahead, in one call where the evaluator has a quick way. With a depth of 1 the first decision is the edge.

mod options;
mod race;
#[cfg(test)]
mod tests;

use super::decide::{DecisionLoop, Search};
use super::end_game::EndGame;
use super::valuer::{Granularity, Valuer};
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
    valuer: Valuer<G>,
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
        Self::new(self.options.clone(), self.valuer.clone())
    }
}

impl<G: Tools + EnumerableChance> ExpectimaxSearch<G> {
    fn new(options: Options, valuer: Valuer<G>) -> Self {
        Self {
            valuer,
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
            && let Some(values) = self.valuer.quick(position, seat)
        {
            self.left -= u64::from(!spent);
            return values;
        }
        let key = (position.key(), depth);
        if let Some(&values) = self.table.get(&key) {
            return values;
        }
        let values = if let Some(values) = self.valuer.end.values(position) {
            values
        } else if depth > 0
            && spent
            && let Turn::Player(seat) = turn
        {
            // Chance may have led here, and the evaluator values what a step leaves behind.
            return self.valuer.lookahead(position, seat);
        } else if depth == 0 || spent {
            return self.valuer.afterstate_values(position);
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
            return self.valuer.lookahead(position, seat);
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
            self.valuer.best(position, seat);
        } else {
            self.valuer.list(position);
        }
        std::mem::swap(&mut self.valuer.steps, &mut frame.steps);
        frame.kept.clear();
        frame.kept.extend(0..frame.steps.len() as u32);
        if valued {
            std::mem::swap(&mut self.valuer.priors, &mut frame.priors);
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
    /// needs one world, as nobody sees it. Sampled events in a row come from one world: drawn apart they would draw the same numbers.
    fn sampled(&mut self, position: &G, depth: u32, floor: u64) -> Values {
        let shuffle = position.turn() == Turn::Shuffle;
        let (worlds, prior) =
            if shuffle { (1, 0.0) } else { (self.options.samples, self.options.prior_samples) };
        let view = position.view(self.seat);
        let mut rng = Rng::seed_from_u64(self.seed.wrapping_add(u64::from(depth)));
        let all = f64::from(worlds) + prior;
        let mut mean = [0.0; MAX_SEATS];
        if prior > 0.0 {
            mean = self.valuer.afterstate_values(position).map(|value| value * prior / all);
        }
        for i in 0..worlds {
            let share = self.share(floor, (worlds - i) as usize);
            let mut world = G::sample_world(&view, &mut rng);
            world.roll(&mut rng);
            while !shuffle && (world.turn() == Turn::Shuffle || self.is_sampled(&world)) {
                world.roll(&mut rng);
            }
            let values = self.value(&world, depth, share);
            for (sum, value) in mean.iter_mut().zip(values) {
                *sum += value / all;
            }
        }
        mean
    }

    /// Collects the candidates: `line`, played up to `position`, and every step after it that is searched. Where the
    /// evaluator is asked, lines go on while the player has another step before chance, `more` steps at most, and while there are
    /// fewer candidates than nodes: a player may have many steps in a row, and each candidate is kept.
    fn collect(&mut self, position: &G, line: &mut Vec<G::Move>, more: u32) {
        let mut frame = self.frames.pop().unwrap_or_default();
        self.list(position, self.seat, &mut frame);
        let (start, valued) = (line.len(), self.options.values_steps());
        for (i, &step) in frame.kept.iter().enumerate() {
            let moves = frame.steps.get(step as usize);
            let mut after = played(position, moves);
            line.truncate(start);
            line.extend_from_slice(moves);
            let has_room = ((self.afters.len() + frame.kept.len() - i) as u64) < self.options.nodes;
            if valued && more > 0 && has_room && after.turn() == Turn::Player(self.seat) {
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
        // Those that race have their shares, too: none finds the budget spent before it has had a world.
        let mut units = count;
        for (i, after) in afters.iter().enumerate() {
            if !self.is_sampled(after) {
                let share = self.share(0, units);
                let value = self.value(after, depth, share)[self.seat];
                self.race.settle(i, value);
                units -= 1;
            }
        }
        for world in 1..=self.options.samples {
            let waiting = self.race.waiting();
            if waiting == 0 || world > 1 && self.left == 0 {
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
                let (share, left) = (self.share(0, units), self.left);
                let value = self.value(&next, depth, share)[self.seat];
                // A world costs a node at least, or many would never spend the budget.
                self.left = self.left.min(left.saturating_sub(1));
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
        Ok(Self::new(options.clone(), Valuer::of(evaluator, options.steps, end)))
    }

    fn end_game(&mut self) -> &mut EndGame<G> {
        &mut self.valuer.end
    }

    fn begin_decision(&mut self, rng: &mut Rng) {
        self.seed = rng.random();
    }

    fn search(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, _: &mut Rng) {
        if self.options.depth == 1 {
            // All candidates are valued before the next event, or none could be compared with those whose event is sampled.
            let best = self.valuer.best(world, decision.seat());
            line.extend_from_slice(self.valuer.steps.get(best));
            return;
        }
        self.seat = decision.seat();
        self.left = self.options.nodes;
        self.table.clear();
        self.race.begin(self.options.prior_samples, self.options.drop_z > 0.0);
        self.lines.clear();
        self.afters.clear();
        self.collect(world, line, self.options.depth);
        let best = if self.lines.len() > 1 { self.run(&decision.view()) } else { 0 };
        line.extend_from_slice(self.lines.get(best));
    }

    fn break_tie(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, _: &mut Rng) {
        self.valuer.break_tie(world, decision.seat(), line);
    }
}
