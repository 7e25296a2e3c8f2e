//! `mcts`: tree search over information sets, one sampled world an iteration.
//!
//! Single-observer ISMCTS with availability counts (Cowling, Powley and Whitehouse 2012), max^n for
//! several seats: a node is a public history below the root and keeps the value to the seat that
//! moved into it. Chance nodes widen progressively (Couëtoux and others 2011). In a solo game the candidates
//! may be tried in the same worlds, and an evaluator that values decisions quickly saves valuing the steps of
//! a node that is seen once.

use super::common::{Judge, JudgeOptions, Plan, Rollout, Values, Walk, played, utilities};
use crate::agent::{Agent, Decision, Event};
use crate::game::{Game, MAX_SEATS, Seat, Turn};
use crate::options::{OptionError, real};
use crate::registry::Configure;
use crate::rng::Rng;
use crate::tools::Tools;
use rand::{RngExt as _, SeedableRng as _};
use serde::Serialize;

/// The options of `mcts`.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(rename_all = "snake_case")]
pub struct Options {
    /// Iterations a decision
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    iterations: u32,
    /// Exploration, in units of the range of values seen at the root
    #[arg(long, default_value_t = 0.7, value_parser = real(0.0, 100.0))]
    c: f64,
    /// How a game is played on from a new node; with none, the evaluator values its steps
    #[arg(long, default_value = "random", value_enum)]
    rollout: Rollout,
    /// The evaluator of new nodes, or none
    #[arg(long, default_value = "none")]
    leaf: String,
    /// Whether the tree branches on single moves or on whole turns
    #[arg(long, default_value = "turns", value_enum)]
    steps: Walk,
    /// A chance node visited n times has at most widen_k * n^widen_alpha outcomes
    #[arg(long, default_value_t = 1.0, value_parser = real(0.01, 1e6))]
    widen_k: f64,
    /// The exponent of the widening; 1 with widen_k=1 samples afresh every time
    #[arg(long, default_value_t = 0.5, value_parser = real(0.0, 1.0))]
    widen_alpha: f64,
    /// Visits that the evaluator's value of a step is worth
    #[arg(long, default_value_t = 1.0, value_parser = real(0.0, 1e6))]
    trust: f64,
    /// Whether the nth visits of the candidates see the same world, where one player plays alone
    #[arg(long, default_value_t = false, action = clap::ArgAction::Set)]
    paired: bool,
    /// Whether the tree below what has happened is kept for the next decision
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    reuse: bool,
    /// Nodes for the exact solver where nothing is hidden any more; 0 turns it off
    #[arg(long, default_value_t = 10_000)]
    solver_nodes: u64,
}

#[derive(Copy, Clone)]
enum Edge<C> {
    Root,
    Step { start: u32, len: u32 },
    Chance(C),
    Shuffle,
}

const NONE: u32 = u32::MAX;

/// No value, worth no visit.
const UNKNOWN: (f64, f64) = (0.0, 0.0);

#[derive(Copy, Clone)]
struct Node<C> {
    edge: Edge<C>,
    /// The seat that moved into the node.
    seat: Seat,
    first: u32,
    last: u32,
    next: u32,
    children: u32,
    visits: u32,
    /// How often the node could be chosen; for an outcome, how often it was drawn.
    available: u32,
    total: f64,
    /// The evaluator's value and the visits that it is worth; 0 when there is none.
    prior: f64,
    trust: f64,
    /// The solver's value; NaN when it was not asked yet, infinite when it has none.
    exact: f64,
    expanded: bool,
}

impl<C> Node<C> {
    fn new(edge: Edge<C>, seat: Seat, (prior, trust): (f64, f64)) -> Self {
        Self {
            edge,
            seat,
            first: NONE,
            last: NONE,
            next: NONE,
            children: 0,
            visits: 0,
            available: 0,
            total: 0.0,
            prior,
            trust,
            exact: f64::NAN,
            expanded: false,
        }
    }

    /// Visits, the prior included.
    fn weight(&self) -> f64 {
        f64::from(self.visits) + self.trust
    }

    /// The mean value to the seat that moved here.
    fn mean(&self) -> f64 {
        let weight = self.weight();
        if weight > 0.0 { (self.total + self.trust * self.prior) / weight } else { 0.0 }
    }
}

/// Nodes and the moves of their steps, each in one piece of memory.
#[derive(Clone)]
struct Tree<G: Game> {
    nodes: Vec<Node<G::Chance>>,
    moves: Vec<G::Move>,
}

impl<G: Game> Tree<G> {
    fn add(&mut self, parent: u32, edge: Edge<G::Chance>, seat: Seat, prior: (f64, f64)) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node::new(edge, seat, prior));
        self.attach(parent, id);
        id
    }

    fn attach(&mut self, parent: u32, id: u32) {
        let node = &mut self.nodes[parent as usize];
        let last = std::mem::replace(&mut node.last, id);
        node.children += 1;
        if last == NONE {
            node.first = id;
        } else {
            self.nodes[last as usize].next = id;
        }
    }

    fn add_step(&mut self, parent: u32, step: &[G::Move], seat: Seat, prior: (f64, f64)) -> u32 {
        let start = self.moves.len() as u32;
        self.moves.extend_from_slice(step);
        self.add(parent, Edge::Step { start, len: step.len() as u32 }, seat, prior)
    }

    fn step(&self, id: u32) -> &[G::Move] {
        match self.nodes[id as usize].edge {
            Edge::Step { start, len } => &self.moves[start as usize..(start + len) as usize],
            _ => &[],
        }
    }

    fn children(&self, id: u32) -> impl Iterator<Item = u32> {
        let first = self.nodes[id as usize].first;
        std::iter::successors((first != NONE).then_some(first), |&child| {
            let next = self.nodes[child as usize].next;
            (next != NONE).then_some(next)
        })
    }

    /// The children that are outcomes of a random event. In other worlds a player may be to move here.
    fn outcomes(&self, id: u32) -> impl Iterator<Item = u32> {
        self.children(id).filter(|&child| matches!(self.nodes[child as usize].edge, Edge::Chance(_)))
    }

    fn reset(&mut self) {
        self.nodes.clear();
        self.moves.clear();
        self.nodes.push(Node::new(Edge::Root, 0, UNKNOWN));
    }

    /// The node that these events lead to from the root.
    fn find(&self, mut events: &[Event<G>]) -> Option<u32> {
        let mut at = 0;
        while !events.is_empty() {
            let (child, used) = self.children(at).find_map(|child| {
                let node = &self.nodes[child as usize];
                match (node.edge, &events[0]) {
                    (Edge::Chance(a), Event::Chance(b)) if a == *b => Some((child, 1)),
                    (Edge::Shuffle, Event::Shuffle) => Some((child, 1)),
                    (Edge::Step { .. }, Event::Move(..)) => {
                        let step = self.step(child);
                        let same = events.len() >= step.len()
                            && step.iter().zip(events).all(
                                |(m, event)| matches!(event, Event::Move(s, n) if *s == node.seat && n == m),
                            );
                        same.then_some((child, step.len()))
                    }
                    _ => None,
                }
            })?;
            at = child;
            events = &events[used..];
        }
        Some(at)
    }

    /// Copies what hangs below `root` to `out`, where it becomes the whole tree. Siblings stay in order.
    fn copy_below(&self, root: u32, out: &mut Self) {
        out.nodes.clear();
        out.moves.clear();
        out.nodes.push(Node { next: NONE, edge: Edge::Root, ..self.nodes[root as usize] });
        let mut at = 0;
        while at < out.nodes.len() {
            let first = std::mem::replace(&mut out.nodes[at].first, NONE);
            out.nodes[at].last = NONE;
            out.nodes[at].children = 0;
            let mut from = first;
            while from != NONE {
                let mut node = self.nodes[from as usize];
                if let Edge::Step { len, .. } = node.edge {
                    let start = out.moves.len() as u32;
                    out.moves.extend_from_slice(self.step(from));
                    node.edge = Edge::Step { start, len };
                }
                from = std::mem::replace(&mut node.next, NONE);
                out.nodes.push(node);
                out.attach(at as u32, out.nodes.len() as u32 - 1);
            }
            at += 1;
        }
    }
}

/// Tree search over information sets.
#[derive(Clone)]
pub struct Mcts<G: Tools> {
    options: Options,
    judge: Judge<G>,
    plan: Plan<G>,
    tree: Tree<G>,
    spare: Tree<G>,
    /// How much of the history the root of the tree has seen; `None` when there is no tree to keep.
    seen: Option<usize>,
    path: Vec<u32>,
    candidates: Vec<u32>,
    moves: Vec<G::Move>,
    low: Values,
    high: Values,
}

impl<G: Tools> Configure<G> for Mcts<G> {
    const NAME: &'static str = "mcts";
    const SUMMARY: &'static str = "tree search over information sets, one sampled world an iteration";
    type Options = Options;

    fn configure(options: &Options, rules: &G::Rules) -> Result<Self, OptionError> {
        let judge = Judge::new(
            &JudgeOptions {
                agent: "mcts",
                walk: options.steps,
                rollout: options.rollout,
                depth: 0,
                leaf: &options.leaf,
                solver_nodes: options.solver_nodes,
            },
            rules,
        )?;
        let tree = Tree { nodes: Vec::new(), moves: Vec::new() };
        Ok(Self {
            options: options.clone(),
            judge,
            plan: Plan::default(),
            spare: tree.clone(),
            tree,
            seen: None,
            path: Vec::new(),
            candidates: Vec::new(),
            moves: Vec::new(),
            low: [0.0; MAX_SEATS],
            high: [0.0; MAX_SEATS],
        })
    }
}

impl<G: Tools> Mcts<G> {
    /// Keeps what the tree knows below the events since it was grown, or starts anew.
    fn take_up(&mut self, history: &[Event<G>]) {
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
        self.low = [f64::INFINITY; MAX_SEATS];
        self.high = [f64::NEG_INFINITY; MAX_SEATS];
        for id in 0..self.tree.nodes[0].children {
            let node = self.tree.nodes[1 + id as usize];
            if node.weight() > 0.0 {
                self.widen_range(node.seat, node.mean());
            }
        }
    }

    fn widen_range(&mut self, seat: Seat, value: f64) {
        self.low[seat] = self.low[seat].min(value);
        self.high[seat] = self.high[seat].max(value);
    }

    /// Makes the children of a node; their priors are the judge's when it has valued the steps.
    fn expand(&mut self, at: u32, seat: Seat, valued: bool) {
        for i in 0..self.judge.steps.len() {
            let prior = if valued { (self.judge.priors[i], self.options.trust) } else { UNKNOWN };
            self.tree.add_step(at, self.judge.steps.get(i), seat, prior);
            if valued && at == 0 {
                self.widen_range(seat, prior.0);
            }
        }
        self.tree.nodes[at as usize].expanded = true;
    }

    /// Collects the children that are possible in this world, and makes those that are missing.
    fn match_steps(&mut self, at: u32, world: &G, seat: Seat) {
        self.judge.list(world);
        self.candidates.clear();
        let mut hint = self.tree.nodes[at as usize].first;
        for i in 0..self.judge.steps.len() {
            let step = self.judge.steps.get(i);
            // Which seat is to move may depend on the world.
            let same =
                |child: u32| self.tree.nodes[child as usize].seat == seat && self.tree.step(child) == step;
            let found = if hint != NONE && same(hint) {
                Some(hint)
            } else {
                self.tree.children(at).find(|&child| same(child))
            };
            let child = if let Some(child) = found {
                child
            } else {
                let after = played(world, step);
                let prior = if self.judge.evaluates() {
                    (self.judge.afterstate(&after, seat), self.options.trust)
                } else {
                    UNKNOWN
                };
                self.tree.add_step(at, self.judge.steps.get(i), seat, prior)
            };
            hint = self.tree.nodes[child as usize].next;
            self.candidates.push(child);
        }
    }

    fn score(&self, child: u32, log: f64) -> f64 {
        let node = &self.tree.nodes[child as usize];
        let weight = node.weight();
        let range = self.high[node.seat] - self.low[node.seat];
        let value = if range > 0.0 { (node.mean() - self.low[node.seat]) / range } else { 0.5 };
        value + self.options.c * (log / weight).sqrt()
    }

    /// Whether no child of the root can overtake the most visited one in this many iterations. Every
    /// child of a solo game's root is possible in all worlds; elsewhere a rare one may still be missing,
    /// but has no visits to show.
    fn settled(&self, left: u32) -> bool {
        let (mut first, mut second) = (0, 0);
        for child in self.tree.children(0) {
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
        // All that a solo game's player sees is public, so its steps are those of the first visit.
        let fixed = world.seats() == 1;
        if !fixed {
            self.match_steps(at, world, seat);
        }
        let node = self.tree.nodes[at as usize];
        let count = if fixed { node.children as usize } else { self.candidates.len() };
        let log_all = f64::from(node.visits + 1).ln();
        let (mut best, mut best_score, mut fresh) = (NONE, f64::NEG_INFINITY, 0_u32);
        for i in 0..count {
            // The children of a solo game were made in one go and lie side by side.
            let child = if fixed { node.first + i as u32 } else { self.candidates[i] };
            let entry = &mut self.tree.nodes[child as usize];
            entry.available += 1;
            let log = if fixed { log_all } else { f64::from(entry.available + 1).ln() };
            if entry.weight() == 0.0 {
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
        debug_assert!(self.tree.nodes[best as usize].seat == seat, "a move of another seat");
        best
    }

    /// Lets chance move at a chance node, within the widening.
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
        // An outcome that was drawn twice deserves twice the visits of one that was drawn once.
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
        value.is_finite().then(|| {
            let mut values = [0.0; MAX_SEATS];
            values[0] = value;
            values
        })
    }

    /// One visit of the root, in a world of its own.
    fn iterate(&mut self, view: &G::View, seat: Seat, seed: u64, rng: &mut Rng) {
        self.path.clear();
        self.path.push(0);
        let world = G::sample_world(view, rng);
        if !(self.options.paired && world.seats() == 1 && self.tree.nodes[0].expanded) {
            self.descend(0, world, rng);
            return;
        }
        // Common random numbers: what is compared is the candidates and not their luck.
        let child = self.select(0, &world, seat, rng);
        let visits = u64::from(self.tree.nodes[child as usize].visits);
        let mut luck = Rng::seed_from_u64(seed.wrapping_add(visits));
        let world = played(&G::sample_world(view, &mut luck), self.tree.step(child));
        self.path.push(child);
        self.descend(child, world, &mut luck);
    }

    /// Plays on from a node and counts what comes of it in every node on the path.
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
                        // Most outcomes are seen once: their steps are valued when they come again.
                        break values;
                    }
                    if !node.expanded && self.judge.evaluates() {
                        let values = self.judge.look(&world, seat);
                        // Looking at the others' values solves nothing anew: steps and priors stand.
                        self.expand(at, seat, true);
                        break values;
                    }
                    if at != 0 && node.visits == 0 {
                        break self.judge.play_out(world, rng);
                    }
                    if !node.expanded {
                        self.judge.list(&world);
                        self.expand(at, seat, false);
                    }
                    at = self.select(at, &world, seat, rng);
                    for i in 0..self.tree.step(at).len() {
                        let m = self.tree.step(at)[i];
                        world.play(m);
                    }
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
        for &id in &self.path {
            let node = &mut self.tree.nodes[id as usize];
            node.visits += 1;
            node.total += values[node.seat];
            let (seat, value) = (node.seat, values[node.seat]);
            self.low[seat] = self.low[seat].min(value);
            self.high[seat] = self.high[seat].max(value);
        }
    }
}

impl<G: Tools> Agent<G> for Mcts<G> {
    fn begin_game(&mut self) {
        self.judge.end.forget();
        self.plan.clear();
        self.seen = None;
    }

    fn uses_history(&self) -> bool {
        self.options.reuse
    }

    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
        if let Some(m) = self.plan.follow(&decision, rng) {
            return m;
        }
        decision.moves(&mut self.moves);
        if let [only] = self.moves[..] {
            return only;
        }
        let seat = decision.seat();
        let view = decision.view();
        let world = <G as Game>::sample_world(&view, rng);
        if let Some(line) = self.judge.decided(&world, seat) {
            self.plan.start(world, line);
            return self.plan.follow(&decision, rng).unwrap_or(self.moves[0]);
        }
        self.take_up(decision.history());
        // What is backed up through the root itself counts for the seat that decides.
        self.tree.nodes[0].seat = seat;
        let seed = if self.options.paired { rng.random() } else { 0 };
        for left in (0..self.options.iterations).rev() {
            self.iterate(&view, seat, seed, rng);
            if left % 8 == 0 && self.settled(left) {
                break;
            }
        }
        self.match_steps(0, &world, seat);
        let rank = |id: u32| {
            let node = &self.tree.nodes[id as usize];
            (node.visits, node.mean())
        };
        let best = self.candidates[1..].iter().fold(self.candidates[0], |best, &child| {
            let (a, b) = (rank(child), rank(best));
            if a.0 > b.0 || (a.0 == b.0 && a.1 > b.1) { child } else { best }
        });
        self.plan.start(world, self.tree.step(best));
        self.plan.follow(&decision, rng).unwrap_or(self.moves[0])
    }
}
