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

mod candidates;
mod options;
mod select;
mod tree;

use super::belief::{Belief, share_by_value};
use super::come_back::Chosen;
use super::decide::{DecisionLoop, Search};
use super::end_game::{EndGame, Hidden};
use super::valuer::{Valuer, ValuerOptions};
use crate::decision::Decision;
use crate::game::{Event, MAX_SEATS, Seat, Turn, Values, played, solo, utilities};
use crate::kit::{CountHidden, Setup, Tools};
use crate::options::OptionError;
use crate::policy::Policy;
use crate::rng::Rng;
pub use options::{OpponentModel, Options, Root};
use rand::{RngExt as _, SeedableRng as _};
use std::collections::HashMap;
use std::sync::Arc;
use tree::{Edge, SearchTree, UNKNOWN};

/// Tree search over information sets.
pub type Mcts<G> = DecisionLoop<G, TreeSearch<G>>;

/// The search of [`Mcts`].
#[derive(Clone)]
pub struct TreeSearch<G: Tools> {
    options: Options,
    valuer: Valuer<G>,
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
    tree: SearchTree<G>,
    spare: SearchTree<G>,
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
            .filter(|_| self.options.reuse && G::PUBLIC_HISTORY)
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
        // Where the evaluator values steps, each has a prior, though it may weigh nothing.
        let evaluates = self.valuer.evaluates();
        let mean = |tree: &SearchTree<G>, id: &u32| {
            let node = &tree.nodes[*id as usize];
            if evaluates || node.weight() > 0.0 { node.mean() } else { f64::NEG_INFINITY }
        };
        let tree = &self.tree;
        // The stable sort keeps the first of equals first.
        candidates.sort_by(|a, b| mean(tree, b).total_cmp(&mean(tree, a)));
        if evaluates {
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

    fn exact(&mut self, at: u32, world: &G) -> Option<Values> {
        if at == 0 || world.seats() != 1 {
            return None;
        }
        if self.tree.nodes[at as usize].exact.is_nan() {
            let value = self.valuer.end.values(world).map_or(f64::INFINITY, |values| values[0]);
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
            let values = self.valuer.play_by(&*policy, &mut world, seat, rng);
            self.count(&values);
            return;
        }
        if !(self.options.paired && self.tree.nodes[0].expanded) {
            if let Some(child) = candidate {
                let world = played(&world, self.tree.step(child));
                self.path.push(child);
                self.descend(child, world, rng);
            } else {
                self.descend(0, world, rng);
            }
            return;
        }
        // Common random numbers: candidates are compared and not their luck. Visits that a kept tree brings along count: a candidate
        // that has more of them begins with a later world, and is paired with the others on the whole alone.
        let child = candidate.unwrap_or_else(|| self.select(0, &world, seat, rng));
        let visits = u64::from(self.tree.nodes[child as usize].visits);
        let mut after = played(&world, self.tree.step(child));
        if after.turn() != Turn::Over {
            after = G::nth_world(&after.view(seat), seed, visits);
        }
        self.path.push(child);
        // Seeds that no world has: the two must not be drawn from the same numbers.
        self.descend(child, after, &mut Rng::seed_from_u64((!seed).wrapping_sub(visits)));
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
                        && self.valuer.evaluates()
                        && let Some(values) = self.valuer.quick(&world, seat)
                    {
                        // Most outcomes are seen once. Their steps are valued when they come again.
                        break values;
                    }
                    if !node.expanded && self.valuer.evaluates() {
                        let values = self.valuer.lookahead(&world, seat);
                        // Valuing the others leaves steps and priors as they are.
                        self.expand(at, &world, seat, true);
                        break values;
                    }
                    if at != 0 && node.visits == 0 {
                        break self.valuer.play_out(world, rng);
                    }
                    // With several seats the steps of every world are matched later.
                    if !node.expanded && world.seats() == 1 {
                        self.valuer.list(&world);
                        self.expand(at, &world, seat, false);
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
            let value = if self.valuer.only.is_none_or(|only| only == seat) {
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
        if self.iterations == 1 && world.seats() == 1 && self.valuer.evaluates() {
            // A single iteration does no more than value the steps of the root.
            let best = self.valuer.best(world, seat);
            line.extend_from_slice(self.valuer.steps.get(best));
            self.seen = None;
            return;
        }
        self.reuse_tree(decision.history());
        self.begin(world, seat);
        self.valuer.only = (self.options.others == OpponentModel::Evaluator).then_some(seat);
        if self.options.inference > 0 {
            let valuer = &mut self.valuer;
            let mut share = |position: &G, mover, m| share_by_value(valuer, position, mover, m);
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
        let valuer = Valuer::new(
            &ValuerOptions {
                granularity: options.steps,
                rollout: options.rollout,
                policy: "",
                depth: 0,
                leaf: &options.leaf,
                solver_nodes: options.solver_nodes,
                hidden: Hidden { decision: options.solver_hidden, search: options.leaf_hidden },
            },
            setup,
        )?;
        let evaluates = valuer.evaluates();
        options.check(setup, evaluates)?;
        let policy = if options.policy_share > 0.0 { Some(setup.policy("policy_share", "")?) } else { None };
        let tree = SearchTree::default();
        Ok(Self {
            // The game's default gives way where no steps are valued.
            options: Options { width: if evaluates { options.width } else { 0 }, ..options.clone() },
            hidden: setup.kit.hidden,
            known: HashMap::new(),
            chosen: Chosen::new(setup.kit.clock),
            iterations: 0,
            valuer,
            policy,
            belief: Belief::new(setup.kit.reconstruct_start),
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
        &mut self.valuer.end
    }

    fn begin_game(&mut self) {
        self.seen = None;
        self.chosen.forget();
    }

    fn uses_history(&self) -> bool {
        (self.options.reuse && G::PUBLIC_HISTORY) || self.options.inference > 0
    }

    fn break_tie(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, _: &mut Rng) {
        self.valuer.break_tie(world, decision.seat(), line);
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
