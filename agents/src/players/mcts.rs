//! `mcts`: tree search over information sets, with one sampled world an iteration.
//!
//! This is single-observer ISMCTS with availability counts (Cowling, Powley and Whitehouse 2012), and max^n for
//! several seats. A node is a list of steps and random events below the root; it keeps the value to the seat
//! that moved into it. Without a public history ([`Game::PUBLIC_HISTORY`](crate::Game::PUBLIC_HISTORY)) the
//! tree tells more than players see: a chosen pass has a node, a forced one has not. Chance nodes widen
//! progressively (Couëtoux and others 2011).
//!
//! In a solo game candidates may share their worlds. A quick evaluator of decisions saves valuing the steps of
//! a node that is seen once. With several seats, opponents may be modelled by the evaluator alone, or by the
//! policy in some iterations. Worlds may be weighted by the likelihood of the moves seen ([`super::belief`]).
//! Decisions that come back are answered as before.

mod options;
mod tree;

use super::belief::{Belief, share_by_value};
use super::come_back::Chosen;
use super::decide::{DecisionLoop, Search};
use super::end_game::{EndGame, Hidden};
use super::judge::{Judge, JudgeOptions};
use crate::decision::{Decision, Event};
use crate::game::{MAX_SEATS, Seat, Turn, Values, played, solo, utilities};
use crate::kit::{CountHidden, Setup, Tools};
use crate::options::OptionError;
use crate::policy::Policy;
use crate::rng::Rng;
pub use options::{OpponentModel, Options, Root};
use rand::{RngExt as _, SeedableRng as _};
use std::collections::HashMap;
use std::sync::Arc;
use tree::{Edge, NONE, Tree, UNKNOWN};

/// Tree search over information sets.
pub type Mcts<G> = DecisionLoop<G, TreeSearch<G>>;

/// The search of [`Mcts`].
#[derive(Clone)]
pub struct TreeSearch<G: Tools> {
    options: Options,
    judge: Judge<G>,
    /// How many cards are hidden, where the game counts them.
    hidden: Option<CountHidden<G>>,
    /// What was chosen at decisions that may come back.
    chosen: Chosen<G>,
    /// The candidates of nodes in this search: see [`Self::key`].
    known: HashMap<(u32, G::View), Vec<u32>>,
    /// The iterations of this decision.
    iterations: u32,
    /// The policy of the others in some iterations.
    policy: Option<Arc<dyn Policy<G>>>,
    belief: Belief<G>,
    tree: Tree<G>,
    spare: Tree<G>,
    /// The length of the history at the root; `None` when there is no tree to keep.
    seen: Option<usize>,
    path: Vec<u32>,
    candidates: Vec<u32>,
    /// The candidates of the root in this search, the same in every world.
    root_candidates: Vec<u32>,
    /// The indices of the steps that are looked at.
    kept: Vec<u32>,
    moves: Vec<G::Move>,
    low: Values,
    high: Values,
    logs: Arc<[f64]>,
}

/// The number of logarithms kept.
const LOGS: u32 = 4096;

impl<G: Tools> TreeSearch<G> {
    /// Reuses the tree below the events since it was grown, or starts anew.
    fn reuse_tree(&mut self, history: &[Event<G>]) {
        let kept = self
            .seen
            .filter(|_| self.options.reuse)
            .and_then(|seen| history.get(seen..))
            .filter(|events| !events.is_empty())
            .and_then(|events| self.tree.find(events));
        match kept {
            Some(node) => {
                self.tree.copy_below(node, &mut self.spare);
                std::mem::swap(&mut self.tree, &mut self.spare);
            }
            None => self.tree.reset(),
        }
        self.seen = Some(history.len());
    }

    /// Collects the children of the root that `seat` can play in `world`. A tree that was kept may hold steps
    /// with cards that the player has not drawn.
    fn begin(&mut self, world: &G, seat: Seat) {
        self.tree.nodes[0].seat = seat;
        self.root_candidates.clear();
        if world.seats() > 1 {
            self.match_steps(0, world, seat);
            self.tree.nodes[0].expanded = true;
        } else {
            self.root_candidates.extend(self.tree.children(0));
        }
        self.low = [f64::INFINITY; MAX_SEATS];
        self.high = [f64::NEG_INFINITY; MAX_SEATS];
        for i in 0..self.root_candidates.len() {
            let node = self.tree.nodes[self.root_candidates[i] as usize];
            if node.weight() > 0.0 {
                self.widen_range(node.seat, node.mean());
            }
        }
        if world.seats() == 1 {
            // The first iteration may make them.
            self.root_candidates.clear();
        }
    }

    /// Shares the iterations out by sequential halving (Karnin, Koren and Somekh 2013), as the root of a Gumbel search
    /// without the noise does (Danihelka and others 2022): the candidates that look best are visited equally often, and
    /// the better half goes on. Values are those of the visits completed by the prior. Returns the best.
    fn halve(&mut self, world: &G, (view, seat): (&G::View, Seat), seed: u64, rng: &mut Rng) -> u32 {
        let mut left = self.iterations;
        if !self.tree.nodes[0].expanded {
            self.iterate((view, seat), None, seed, rng);
            left -= 1;
        }
        self.match_steps(0, world, seat);
        let mut candidates = self.candidates.clone();
        let mean = |tree: &Tree<G>, id: &u32| {
            let node = &tree.nodes[*id as usize];
            if node.weight() > 0.0 { node.mean() } else { f64::NEG_INFINITY }
        };
        let tree = &self.tree;
        // The stable sort keeps the first of equals first.
        candidates.sort_by(|a, b| mean(tree, b).total_cmp(&mean(tree, a)));
        if self.judge.evaluates() {
            candidates.truncate(self.options.candidates as usize);
        }
        while candidates.len() > 1 {
            let rounds = (candidates.len() as u32).next_power_of_two().ilog2();
            let visits = (left / rounds / candidates.len() as u32).max(1);
            for _ in 0..visits {
                for &candidate in &candidates {
                    if left > 0 {
                        self.iterate((view, seat), Some(candidate), seed, rng);
                        left -= 1;
                    }
                }
            }
            let tree = &self.tree;
            candidates.sort_by(|a, b| mean(tree, b).total_cmp(&mean(tree, a)));
            candidates.truncate(candidates.len().div_ceil(2));
        }
        candidates[0]
    }

    fn widen_range(&mut self, seat: Seat, value: f64) {
        self.low[seat] = self.low[seat].min(value);
        self.high[seat] = self.high[seat].max(value);
    }

    /// Makes the children of a node, with priors when the judge has valued the steps.
    fn expand(&mut self, at: u32, seat: Seat, valued: bool) {
        self.keep(valued);
        for i in 0..self.kept.len() {
            let i = self.kept[i] as usize;
            let prior = if valued { (self.judge.priors[i], self.options.prior_visits) } else { UNKNOWN };
            self.tree.add_step(at, self.judge.steps.get(i), seat, prior);
            if valued && at == 0 {
                self.widen_range(seat, prior.0);
            }
        }
        self.tree.nodes[at as usize].expanded = true;
    }

    /// Keeps all listed steps, or the best of those that were valued, in their order.
    fn keep(&mut self, valued: bool) {
        let (count, width) = (self.judge.steps.len() as u32, self.options.width as usize);
        self.kept.clear();
        self.kept.extend(0..count);
        if valued && width > 0 && width < count as usize {
            let priors = &self.judge.priors;
            let better =
                |a: &u32, b: &u32| priors[*b as usize].total_cmp(&priors[*a as usize]).then(a.cmp(b));
            self.kept.select_nth_unstable_by(width, better);
            self.kept.truncate(width);
            self.kept.sort_unstable();
        }
    }

    /// Under this key a node keeps its candidates, where they are chosen by values and worlds differ: these values depend on no
    /// more than what the player knows there, unless what follows a step tells hidden cards.
    fn key(&self, at: u32, world: &G, seat: Seat) -> Option<(u32, G::View)> {
        let kept = self.options.width > 0 && world.seats() > 1 && G::PUBLIC_HISTORY;
        kept.then(|| (at, world.view(seat)))
    }

    /// Collects the children that are possible in this world, and makes missing ones. All worlds of a search
    /// look the same to the player at its root.
    fn match_steps(&mut self, at: u32, world: &G, seat: Seat) {
        if at == 0 && !self.root_candidates.is_empty() {
            self.candidates.clone_from(&self.root_candidates);
            return;
        }
        let key = self.key(at, world, seat);
        if let Some(known) = key.as_ref().and_then(|key| self.known.get(key)) {
            self.candidates.clone_from(known);
            return;
        }
        self.candidates.clear();
        let valued = self.options.width > 0;
        if self.judge.single() && !valued {
            world.moves(&mut self.moves);
            for i in 0..self.moves.len() {
                self.candidate(at, world, &[self.moves[i]], seat, None);
            }
        } else {
            if valued {
                self.judge.best(world, seat);
            } else {
                self.judge.list(world);
            }
            self.keep(valued);
            let steps = std::mem::take(&mut self.judge.steps);
            for i in 0..self.kept.len() {
                let i = self.kept[i] as usize;
                let prior = valued.then(|| self.judge.priors[i]);
                self.candidate(at, world, steps.get(i), seat, prior);
            }
            self.judge.steps = steps;
        }
        if let Some(key) = key {
            self.known.insert(key, self.candidates.clone());
        }
        if at == 0 {
            self.root_candidates.clone_from(&self.candidates);
        }
    }

    fn candidate(&mut self, at: u32, world: &G, step: &[G::Move], seat: Seat, prior: Option<f64>) {
        let child = self.tree.child(at, seat, step).unwrap_or_else(|| {
            let valued = prior.or_else(|| {
                let after = self.judge.evaluates().then(|| played(world, step))?;
                Some(self.judge.afterstate(&after, seat))
            });
            let prior = valued.map_or(UNKNOWN, |value| (value, self.options.prior_visits));
            self.tree.add_step(at, step, seat, prior)
        });
        self.candidates.push(child);
    }

    fn score(&self, child: u32, log: f64) -> f64 {
        let node = &self.tree.nodes[child as usize];
        let weight = node.weight();
        let range = self.high[node.seat] - self.low[node.seat];
        let value = if range > 0.0 { (node.mean() - self.low[node.seat]) / range } else { 0.5 };
        value + self.options.c * (log / weight).sqrt()
    }

    /// ln(n + 1), kept because searches ask for the same few.
    fn log(&self, n: u32) -> f64 {
        self.logs.get(n as usize).copied().unwrap_or_else(|| f64::from(n + 1).ln())
    }

    /// Whether no candidate can overtake the most visited one in `left` iterations.
    fn is_decided(&self, left: u32) -> bool {
        let (mut first, mut second) = (0, 0);
        let alone = self.root_candidates.is_empty();
        let children = self.tree.children(0).filter(|_| alone);
        for child in children.chain(self.root_candidates.iter().copied()) {
            let visits = self.tree.nodes[child as usize].visits;
            if visits > first {
                (first, second) = (visits, first);
            } else {
                second = second.max(visits);
            }
        }
        first - second > left
    }

    /// The child to visit: an unvisited one at random, or the one with the highest bound.
    fn select(&mut self, at: u32, world: &G, seat: Seat, rng: &mut Rng) -> u32 {
        // A solo player sees everything public, so the steps are those of the first visit.
        let fixed = world.seats() == 1;
        if !fixed {
            self.match_steps(at, world, seat);
        }
        let node = self.tree.nodes[at as usize];
        let count = if fixed { node.children as usize } else { self.candidates.len() };
        let log_all = self.log(node.visits);
        let (mut best, mut best_score, mut fresh) = (NONE, f64::NEG_INFINITY, 0_u32);
        for i in 0..count {
            // The children of a solo game were made together and lie side by side.
            let child = if fixed { node.first + i as u32 } else { self.candidates[i] };
            let entry = &mut self.tree.nodes[child as usize];
            entry.available += 1;
            let (available, weight) = (entry.available, entry.weight());
            let log = if fixed { log_all } else { self.log(available) };
            if weight == 0.0 {
                fresh += 1;
                if rng.random_range(0..fresh) == 0 {
                    best = child;
                }
            } else if fresh == 0 {
                let score = self.score(child, log);
                if score > best_score {
                    (best, best_score) = (child, score);
                }
            }
        }
        debug_assert!(self.tree.nodes[best as usize].seat == seat, "a step of another seat");
        best
    }

    /// Samples an outcome at a chance node, within the widening.
    fn chance(&mut self, at: u32, world: &mut G, rng: &mut Rng) -> u32 {
        let node = self.tree.nodes[at as usize];
        let limit = self.options.widen_k * f64::from(node.visits + 1).powf(self.options.widen_alpha);
        let outcomes = self.tree.outcomes(at).count();
        if outcomes == 0 || (outcomes as f64) < limit {
            let outcome = world.roll(rng);
            let found = self.tree.children(at).find(
                |&child| matches!(self.tree.nodes[child as usize].edge, Edge::Chance(o) if o == outcome),
            );
            let child = found.unwrap_or_else(|| self.tree.add(at, Edge::Chance(outcome), node.seat, UNKNOWN));
            self.tree.nodes[child as usize].available += 1;
            return child;
        }
        // An outcome that was drawn twice deserves twice the visits.
        let load = |&child: &u32| {
            let node = &self.tree.nodes[child as usize];
            f64::from(node.visits) / f64::from(node.available)
        };
        let least = self.tree.outcomes(at).min_by(|a, b| load(a).total_cmp(&load(b)));
        let child = least.unwrap_or(NONE);
        if let Edge::Chance(outcome) = self.tree.nodes[child as usize].edge {
            world.play_chance(outcome);
        }
        child
    }

    fn exact(&mut self, at: u32, world: &G) -> Option<Values> {
        if at == 0 || world.seats() != 1 {
            return None;
        }
        if self.tree.nodes[at as usize].exact.is_nan() {
            let value = self.judge.end.values(world).map_or(f64::INFINITY, |values| values[0]);
            self.tree.nodes[at as usize].exact = value;
        }
        let value = self.tree.nodes[at as usize].exact;
        value.is_finite().then(|| solo(value))
    }

    /// Plays the step that leads to a node.
    fn follow(&self, to: u32, world: &mut G) {
        for &m in self.tree.step(to) {
            world.play(m);
        }
    }

    /// An iteration, in a world of its own; `candidate` is the child of the root to visit, if that is not left to
    /// [`Self::select`].
    fn iterate(&mut self, (view, seat): (&G::View, Seat), candidate: Option<u32>, seed: u64, rng: &mut Rng) {
        self.path.clear();
        self.path.push(0);
        let world = self.belief.draw(rng).cloned().unwrap_or_else(|| G::sample_world(view, rng));
        // Nothing below the candidate is kept, as the policy would choose the same again.
        if let Some(policy) = self.policy.clone()
            && self.tree.nodes[0].expanded
            && rng.random::<f64>() < self.options.policy_share
        {
            let child = candidate.unwrap_or_else(|| self.select(0, &world, seat, rng));
            let mut world = played(&world, self.tree.step(child));
            self.path.push(child);
            let values = self.judge.play_by(&*policy, &mut world, seat, rng);
            self.count(&values);
            return;
        }
        if !(self.options.paired && world.seats() == 1 && self.tree.nodes[0].expanded) {
            if let Some(child) = candidate {
                let world = played(&world, self.tree.step(child));
                self.path.push(child);
                self.descend(child, world, rng);
            } else {
                self.descend(0, world, rng);
            }
            return;
        }
        // Common random numbers: candidates are compared and not their luck.
        let child = candidate.unwrap_or_else(|| self.select(0, &world, seat, rng));
        let visits = u64::from(self.tree.nodes[child as usize].visits);
        let mut shared_rng = Rng::seed_from_u64(seed.wrapping_add(visits));
        let world = played(&G::sample_world(view, &mut shared_rng), self.tree.step(child));
        self.path.push(child);
        self.descend(child, world, &mut shared_rng);
    }

    /// Descends from a node, then backs the values up.
    fn descend(&mut self, mut at: u32, mut world: G, rng: &mut Rng) {
        let values = loop {
            if world.turn() == Turn::Over {
                break utilities(&world);
            }
            if let Some(values) = self.exact(at, &world) {
                break values;
            }
            match world.turn() {
                Turn::Player(seat) => {
                    let node = self.tree.nodes[at as usize];
                    if at != 0
                        && node.visits == 0
                        && self.judge.evaluates()
                        && let Some(values) = self.judge.quick(&world, seat)
                    {
                        // Most outcomes are seen once. Their steps are valued when they come again.
                        break values;
                    }
                    if !node.expanded && self.judge.evaluates() {
                        let values = self.judge.lookahead(&world, seat);
                        // Valuing the others leaves steps and priors as they are.
                        self.expand(at, seat, true);
                        if let Some(key) = self.key(at, &world, seat) {
                            self.known.insert(key, self.tree.children(at).collect());
                        }
                        break values;
                    }
                    if at != 0 && node.visits == 0 {
                        break self.judge.play_out(world, rng);
                    }
                    // With several seats the steps of every world are matched later.
                    if !node.expanded && world.seats() == 1 {
                        self.judge.list(&world);
                        self.expand(at, seat, false);
                    }
                    at = self.select(at, &world, seat, rng);
                    self.follow(at, &mut world);
                }
                Turn::Shuffle => {
                    world.roll(rng);
                    let seat = self.tree.nodes[at as usize].seat;
                    let is_shuffle =
                        |&child: &u32| matches!(self.tree.nodes[child as usize].edge, Edge::Shuffle);
                    let found = self.tree.children(at).find(is_shuffle);
                    at = found.unwrap_or_else(|| self.tree.add(at, Edge::Shuffle, seat, UNKNOWN));
                }
                _ => at = self.chance(at, &mut world, rng),
            }
            self.path.push(at);
        };
        self.count(&values);
    }

    /// Backs the values of a visit up along its path.
    fn count(&mut self, values: &Values) {
        for &id in &self.path {
            let node = &mut self.tree.nodes[id as usize];
            let seat = node.seat;
            node.visits += 1;
            let value = if self.judge.only.is_none_or(|only| only == seat) {
                values[seat]
            } else if matches!(node.edge, Edge::Step { .. }) {
                node.prior
            } else {
                continue;
            };
            node.total += value;
            self.low[seat] = self.low[seat].min(value);
            self.high[seat] = self.high[seat].max(value);
        }
    }

    /// Grows the tree and puts the step that looks best in `line`.
    fn grow(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, rng: &mut Rng) {
        let (seat, view) = (decision.seat(), decision.view());
        let late = self.hidden.is_some_and(|count| count(world) <= self.options.late_hidden);
        self.iterations = self.options.iterations.max(if late { self.options.late_iterations } else { 0 });
        if self.iterations == 1 && world.seats() == 1 && self.judge.evaluates() {
            // A single iteration does no more than value the steps of the root.
            let best = self.judge.best(world, seat);
            line.extend_from_slice(self.judge.steps.get(best));
            self.seen = None;
            return;
        }
        self.reuse_tree(decision.history());
        self.begin(world, seat);
        self.judge.only = (self.options.others == OpponentModel::Evaluator).then_some(seat);
        if self.options.inference > 0 {
            let judge = &mut self.judge;
            let mut share = |position: &G, mover, m| share_by_value(judge, position, mover, m);
            self.belief.form(decision, self.options.inference, &mut share, rng);
        }
        let seed = if self.options.paired { rng.random() } else { 0 };
        if self.options.root == Root::Halving {
            let best = self.halve(world, (&view, seat), seed, rng);
            line.extend_from_slice(self.tree.step(best));
            return;
        }
        for left in (0..self.iterations).rev() {
            self.iterate((&view, seat), None, seed, rng);
            if left % 8 == 0 && self.is_decided(left) {
                break;
            }
        }
        self.match_steps(0, world, seat);
        let rank = |id: u32| {
            let node = &self.tree.nodes[id as usize];
            (node.visits, node.mean())
        };
        let best = self.candidates[1..].iter().fold(self.candidates[0], |best, &child| {
            let (a, b) = (rank(child), rank(best));
            if a.0 > b.0 || (a.0 == b.0 && a.1 > b.1) { child } else { best }
        });
        line.extend_from_slice(self.tree.step(best));
    }
}

impl<G: Tools> Search<G> for TreeSearch<G> {
    const NAME: &'static str = "mcts";
    const SUMMARY: &'static str = "tree search over information sets, one sampled world an iteration";
    type Options = Options;

    fn configure(options: &Options, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let judge = Judge::new(
            &JudgeOptions {
                granularity: options.steps,
                rollout: options.rollout,
                depth: 0,
                leaf: &options.leaf,
                solver_nodes: options.solver_nodes,
                hidden: Hidden { decision: options.solver_hidden, search: options.leaf_hidden },
            },
            setup,
        )?;
        if options.width > 0 && !judge.evaluates() {
            let reason =
                "only an evaluator can tell which steps are best; set rollout=none and a leaf, or width=0";
            return Err(setup.refuse("width", &options.width, reason));
        }
        let evaluated = "it asks an evaluator for the values of steps; set rollout=none and a leaf";
        if options.others == OpponentModel::Evaluator && !judge.evaluates() {
            return Err(setup.refuse("others", &"evaluator", evaluated));
        }
        let reconstruct = setup.kit.reconstruct_start;
        if options.inference > 0 && !(judge.evaluates() && reconstruct.is_some()) {
            let reason =
                if reconstruct.is_some() { evaluated } else { "this game cannot tell how a position began" };
            return Err(setup.refuse("inference", &options.inference, reason));
        }
        let policy = match options.policy_share {
            0.0 => None,
            share if !judge.evaluates() => {
                return Err(setup.refuse("policy_share", &share, evaluated));
            }
            _ => Some(setup.policy("policy_share", "")?),
        };
        let hidden = setup.kit.hidden;
        for (option, value) in
            [("late_iterations", options.late_iterations), ("late_hidden", options.late_hidden)]
        {
            if value > 0 && hidden.is_none() {
                return Err(setup.refuse(option, &value, "this game does not count its hidden cards"));
            }
        }
        let tree = Tree::default();
        Ok(Self {
            options: options.clone(),
            hidden,
            known: HashMap::new(),
            chosen: Chosen::new(setup.kit.clock),
            iterations: 0,
            judge,
            policy,
            belief: Belief::new(reconstruct),
            spare: tree.clone(),
            tree,
            seen: None,
            path: Vec::new(),
            candidates: Vec::new(),
            root_candidates: Vec::new(),
            kept: Vec::new(),
            moves: Vec::new(),
            low: [0.0; MAX_SEATS],
            high: [0.0; MAX_SEATS],
            logs: (1..=LOGS).map(|n| f64::from(n).ln()).collect(),
        })
    }

    fn end_game(&mut self) -> &mut EndGame<G> {
        &mut self.judge.end
    }

    fn begin_game(&mut self) {
        self.seen = None;
        self.chosen.forget();
    }

    fn uses_history(&self) -> bool {
        self.options.reuse || self.options.inference > 0
    }

    fn break_tie(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, _: &mut Rng) {
        self.judge.break_tie(world, decision.seat(), line);
    }

    fn search(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, rng: &mut Rng) {
        if let Some(chosen) = self.chosen.of(decision) {
            line.extend_from_slice(chosen);
        } else {
            self.grow(decision, world, line, rng);
            self.known.clear();
            self.chosen.keep(decision, line);
        }
    }
}
