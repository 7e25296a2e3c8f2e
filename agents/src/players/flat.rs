//! `flat`: flat Monte Carlo, with every candidate played out in the same sampled worlds.
//!
//! Candidates share worlds and random numbers (common random numbers), so that they are compared and not their
//! luck. With many candidates and few worlds the best mean is mostly the luckiest one. Then `min_z` keeps to
//! the policy unless a candidate is better by more than chance explains. It is the rollout algorithm of
//! Bertsekas, Tsitsiklis and Wu (1997), with a significance test.

use super::belief::{Belief, share_by_policy};
use super::decide::{DecisionLoop, Search};
use super::end_game::{EndGame, Hidden};
use super::valuer::{Granularity, Rollout, Valuer, ValuerOptions};
use crate::decision::Decision;
use crate::game::played;
use crate::kit::{Setup, Tools};
use crate::options::{self, OptionError};
use crate::policy::Policy;
use crate::rng::Rng;
use crate::steps::StepList;
use rand::{RngExt as _, SeedableRng as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Flat Monte Carlo: plays the candidate with the best mean over sampled worlds, the first among equals.
pub type Flat<G> = DecisionLoop<G, FlatSearch<G>>;

/// The number of worlds between two looks at who can be dropped.
const ROUND: u32 = 8;

/// The search of [`Flat`].
#[derive(Clone)]
pub struct FlatSearch<G: Tools> {
    worlds: u32,
    inference: u32,
    belief: Belief<G>,
    moves: Vec<G::Move>,
    valuer: Valuer<G>,
    candidates: StepList<G::Move>,
    totals: Vec<f64>,
    halving: bool,
    /// The policy to whose choice `min_z` keeps.
    base: Option<Arc<dyn Policy<G>>>,
    min_z: f64,
    drop_z: f64,
    /// The sum of squares of each candidate's gain over the policy's choice.
    squares: Vec<f64>,
    /// The candidates that are still in the running.
    left: Vec<usize>,
}

/// The options of `flat`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The number of sampled worlds in which every candidate is played out
    #[schemars(range(min = 1, max = 1_000_000))]
    pub worlds: u32,
    /// Number of worlds weighted by the likelihood of opponents' moves under the policy, with rollout=rule; 0 turns it off
    #[serde(skip_serializing_if = "options::is_nothing")]
    #[schemars(!skip_serializing_if, range(min = 0, max = 100_000))]
    pub inference: u32,
    /// Whether the candidates are tried in rounds, the worse half dropped after each; every round has the same part of the worlds, rounded
    /// down, but at least one
    pub halving: bool,
    /// The standard errors by which the best candidate must beat the choice of the policy to be played in its place, with
    /// rollout=rule or base; 0 plays the best mean
    #[schemars(range(min = 0.0, max = 100.0))]
    pub min_z: f64,
    /// The standard errors by which a candidate must do worse than the choice of the policy to be dropped before all worlds are
    /// sampled, with min_z; 0 drops none
    #[serde(skip_serializing_if = "options::is_nothing")]
    #[schemars(!skip_serializing_if, range(min = 0.0, max = 100.0))]
    pub drop_z: f64,
    /// How a candidate is played out; with none, the next decision is valued by the evaluator
    pub rollout: Rollout,
    /// The policy of rollout=rule; empty for the game's default
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(!skip_serializing_if)]
    pub policy: String,
    /// The policy to whose choice min_z keeps; empty for the one of the rollouts
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(!skip_serializing_if)]
    pub base: String,
    /// Steps after which a rollout stops and the evaluator values it; 0 plays to the end
    #[schemars(range(min = 0, max = 10_000))]
    pub rollout_depth: u32,
    /// The evaluator where a playout stops before the end, or none; empty for the game's default where one is
    /// needed
    pub leaf: String,
    /// Whether the candidates are single moves or whole turns
    pub steps: Granularity,
    /// Nodes for the exact solver where nothing is hidden any more; 0 turns it off
    pub solver_nodes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            worlds: 32,
            inference: 0,
            halving: false,
            min_z: 0.0,
            drop_z: 0.0,
            rollout: Rollout::Random,
            policy: String::new(),
            base: String::new(),
            rollout_depth: 0,
            leaf: "none".to_owned(),
            steps: Granularity::Turns,
            solver_nodes: 10_000,
        }
    }
}

impl options::Options for Options {
    const RENAMED: &'static [(&'static str, &'static str)] = &[("caution", "min_z")];
}

impl<G: Tools> FlatSearch<G> {
    /// The standard error of a candidate's total over so many worlds.
    fn standard_error(&self, candidate: usize, worlds: u32) -> f64 {
        let (sum, count) = (self.totals[candidate], f64::from(worlds));
        let spread = (self.squares[candidate] - sum * sum / count).max(0.0) * count / (count - 1.0).max(1.0);
        spread.sqrt()
    }

    /// The best of the candidates that are left after so many worlds, or the policy's choice where it is not clearly better.
    fn choice(&self, usual: Option<usize>, worlds: u32) -> usize {
        let better = |best: usize, i: usize| if self.totals[i] > self.totals[best] { i } else { best };
        let best = self.left.iter().copied().reduce(better).unwrap_or(0);
        let is_unclear = |_: &usize| self.totals[best] <= self.min_z * self.standard_error(best, worlds);
        usual.filter(is_unclear).unwrap_or(best)
    }

    /// Drops the candidates that are behind the policy's choice by more than `drop_z` standard errors.
    fn drop_losers(&mut self, usual: usize, worlds: u32) {
        let mut left = std::mem::take(&mut self.left);
        left.retain(|&i| i == usual || self.totals[i] >= -self.drop_z * self.standard_error(i, worlds));
        self.left = left;
    }
}

impl<G: Tools> Search<G> for FlatSearch<G> {
    const NAME: &'static str = "flat";
    const SUMMARY: &'static str = "flat Monte Carlo: every candidate played out in the same sampled worlds";
    type Options = Options;

    fn configure(options: &Options, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let valuer = Valuer::new(
            &ValuerOptions {
                granularity: options.steps,
                rollout: options.rollout,
                policy: &options.policy,
                depth: options.rollout_depth as usize,
                leaf: &options.leaf,
                solver_nodes: options.solver_nodes,
                hidden: Hidden::default(),
            },
            setup,
        )?;
        if options.min_z > 0.0 && options.halving {
            let reason = "it compares with the policy in all worlds: set halving=false";
            return Err(setup.refuse("min_z", &options.min_z, reason));
        }
        if options.min_z > 0.0 && options.rollout != Rollout::Rule && options.base.is_empty() {
            let reason = "there is no policy to keep to: set rollout=rule, or name one by base";
            return Err(setup.refuse("min_z", &options.min_z, reason));
        }
        if !options.base.is_empty() && options.min_z == 0.0 {
            let reason =
                "nothing keeps to its choice with min_z=0: set min_z above 0, or leave it empty (base=)";
            return Err(setup.refuse("base", &options.base, reason));
        }
        if options.min_z > 0.0 && options.worlds < 2 {
            let reason =
                format!("worlds={} has no spread to measure it by: set worlds to at least 2", options.worlds);
            return Err(setup.refuse("min_z", &options.min_z, reason));
        }
        if options.drop_z > 0.0 && options.min_z == 0.0 {
            let reason = "it compares with the policy, which takes part with min_z above 0 only";
            return Err(setup.refuse("drop_z", &options.drop_z, reason));
        }
        let reconstruct = setup.kit.reconstruct_start;
        if options.inference > 0 && (options.rollout != Rollout::Rule || reconstruct.is_none()) {
            let reason = match reconstruct {
                Some(_) => "it asks the policy for its moves: set rollout=rule",
                None => "this game cannot tell how a position began",
            };
            return Err(setup.refuse("inference", &options.inference, reason));
        }
        let base = match &*options.base {
            "" => valuer.policy(),
            name => Some(setup.policy("base", name)?),
        };
        Ok(Self {
            worlds: options.worlds,
            base,
            inference: options.inference,
            belief: Belief::new(reconstruct),
            moves: Vec::new(),
            valuer,
            candidates: StepList::default(),
            totals: Vec::new(),
            halving: options.halving,
            min_z: options.min_z,
            drop_z: options.drop_z,
            squares: Vec::new(),
            left: Vec::new(),
        })
    }

    fn end_game(&mut self) -> &mut EndGame<G> {
        &mut self.valuer.end
    }

    fn uses_history(&self) -> bool {
        self.inference > 0
    }

    fn break_tie(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, _: &mut Rng) {
        self.valuer.break_tie(world, decision.seat(), line);
    }

    fn search(&mut self, decision: &Decision<'_, G>, world: &mut G, line: &mut Vec<G::Move>, rng: &mut Rng) {
        let (seat, view) = (decision.seat(), decision.view());
        self.valuer.only = Some(seat);
        if let Some(policy) = self.valuer.policy().filter(|_| self.inference > 0) {
            let (moves, mut own_rng) = (&mut self.moves, Rng::seed_from_u64(rng.random()));
            let mut share = |position: &G, _, m| share_by_policy(&*policy, position, m, moves, &mut own_rng);
            self.belief.form(decision, self.inference, &mut share, rng);
        }
        self.valuer.list(world);
        std::mem::swap(&mut self.valuer.steps, &mut self.candidates);
        let usual = match &self.base {
            Some(base) if self.min_z > 0.0 => {
                self.valuer.choice_of(&**base, world, &mut self.candidates, rng)
            }
            _ => None,
        };
        self.totals.clear();
        self.totals.resize(self.candidates.len(), 0.0);
        self.left.clear();
        self.left.extend(0..self.candidates.len());
        // Sequential halving (Karnin, Koren and Somekh 2013), with as many rounds as leave one.
        let rounds = if self.halving { self.left.len().next_power_of_two().ilog2().max(1) } else { 1 };
        self.squares.clear();
        self.squares.resize(self.candidates.len(), 0.0);
        // The world that came with the decision is one of any.
        let mut tried = self.inference > 0;
        let mut worlds = 0_u32;
        for round in 0..rounds {
            for _ in 0..(self.worlds / rounds).max(1) {
                worlds += 1;
                if tried {
                    let believed = if self.inference > 0 { self.belief.draw(rng).cloned() } else { None };
                    *world = believed.unwrap_or_else(|| G::sample_world(&view, rng));
                }
                tried = true;
                let shared_rng = Rng::seed_from_u64(rng.random());
                let mut try_out = |i: usize| {
                    let start = played(world, self.candidates.get(i));
                    self.valuer.play_out(start, &mut shared_rng.clone())[seat]
                };
                let by_policy = usual.map_or(0.0, &mut try_out);
                for &i in &self.left {
                    let more = if usual == Some(i) { 0.0 } else { try_out(i) - by_policy };
                    self.totals[i] += more;
                    self.squares[i] += more * more;
                }
                if let Some(usual) = usual
                    && self.drop_z > 0.0
                    && worlds.is_multiple_of(ROUND)
                {
                    self.drop_losers(usual, worlds);
                    if self.left.len() == 1 {
                        break;
                    }
                }
            }
            if round + 1 < rounds {
                // All that are left share their worlds; the stable sort keeps the first of equals first.
                self.left.sort_by(|&a, &b| self.totals[b].total_cmp(&self.totals[a]));
                self.left.truncate(self.left.len().div_ceil(2));
            }
        }
        line.extend_from_slice(self.candidates.get(self.choice(usual, worlds)));
    }
}
