//! The valuer: how a search values positions, by evaluator, rollout or exact end-game.

use super::end_game::{EndGame, Hidden};
use crate::evaluator::Evaluator;
use crate::game::{MAX_SEATS, Seat, Turn, Values, played, utilities};
use crate::kit::{Setup, Tools};
use crate::options::OptionError;
use crate::policy::Policy;
use crate::rng::Rng;
use crate::steps::StepList;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The granularity of a search: what it branches on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// Single moves.
    Moves,
    /// Whole steps, where the game has them.
    Turns,
}

impl Granularity {
    /// Replaces the contents of `steps` with the steps of the player whose turn it is.
    pub fn list<G: Tools>(self, position: &G, steps: &mut StepList<G::Move>) {
        match self {
            Self::Turns => position.steps(steps),
            Self::Moves => steps.set_moves(|moves| position.moves(moves)),
        }
    }
}

/// The rollout: how a game is played on from the edge of a search.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rollout {
    /// Uniformly random moves to the end.
    Random,
    /// The best step by the evaluator, to the end.
    Greedy,
    /// The game's own policy, to the end.
    Rule,
    /// No rollout: the evaluator values the position.
    None,
}

/// The options of a [`Valuer`].
pub struct ValuerOptions<'a> {
    /// What the search branches on.
    pub granularity: Granularity,
    /// The rollout.
    pub rollout: Rollout,
    /// The policy of [`Rollout::Rule`]; empty for the game's default.
    pub policy: &'a str,
    /// The depth at which a rollout is cut off and valued, in steps; 0 plays to the end.
    pub depth: usize,
    /// The evaluator's name, or `none`.
    pub leaf: &'a str,
    /// The solver's budget.
    pub solver_nodes: u64,
    /// The hidden cards with which it still answers.
    pub hidden: Hidden,
}

/// A valuer of positions.
#[derive(Clone)]
pub struct Valuer<G: Tools> {
    granularity: Granularity,
    rollout: Rollout,
    depth: usize,
    evaluator: Option<Arc<dyn Evaluator<G>>>,
    policy: Option<Arc<dyn Policy<G>>>,
    buffer: Vec<G::Move>,
    /// The only seat whose values are wanted, if it is one.
    pub only: Option<Seat>,
    /// The exact end-game.
    pub end: EndGame<G>,
    /// The steps that were listed last.
    pub steps: StepList<G::Move>,
    /// The values of those steps to their player, after [`Valuer::best`].
    pub priors: Vec<f64>,
}

impl<G: Tools> Valuer<G> {
    /// Finds the evaluator and policy that the options need.
    ///
    /// # Errors
    /// When the game lacks them or the options contradict each other.
    pub fn new(options: &ValuerOptions<'_>, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let ValuerOptions { rollout, policy, depth, leaf, .. } = *options;
        let stops = rollout != Rollout::None && depth > 0;
        if depth > 0 && !stops && !setup.is_own_default("rollout_depth", &depth.to_string()) {
            let reason = "there are no rollouts to stop: set a rollout, or rollout_depth=0";
            return Err(setup.refuse("rollout_depth", &depth, reason));
        }
        // The game's default gives way where nothing is played on.
        let depth = if stops { depth } else { 0 };
        let evaluated = rollout == Rollout::None || stops;
        let evaluator = if leaf != "none" {
            let unused = !evaluated && rollout != Rollout::Greedy;
            if unused && !leaf.is_empty() && !setup.is_own_default("leaf", leaf) {
                let reason = "rollouts to the end use no evaluator; set rollout=none (flat has rollout_depth, too), or leave leaf=none";
                return Err(setup.refuse("leaf", &leaf, reason));
            }
            // The game's default gives way where nothing is valued.
            if unused { None } else { Some(setup.evaluator("leaf", leaf)?) }
        } else if evaluated {
            let known = setup.kit.evaluators().join(", ");
            let known = if known.is_empty() { "this game has none".to_owned() } else { known };
            let reason = format!("the search stops before the end and needs an evaluator ({known})");
            return Err(setup.refuse("leaf", &leaf, reason));
        } else if rollout == Rollout::Greedy {
            Some(setup.evaluator("leaf", "")?)
        } else {
            None
        };
        let policy = match rollout {
            Rollout::Rule => {
                Some(setup.policy(if policy.is_empty() { "rollout" } else { "policy" }, policy)?)
            }
            _ if policy.is_empty() => None,
            _ => return Err(setup.refuse("policy", &policy, "nothing is played by it; set rollout=rule")),
        };
        let end = EndGame::with_hidden(setup, options.solver_nodes, options.hidden)?;
        Ok(Self { evaluator, policy, ..Self::bare(options.granularity, rollout, depth, end) })
    }

    /// A valuer by this evaluator alone; without one all positions are worth 0.5.
    #[must_use]
    pub fn of(evaluator: Option<Arc<dyn Evaluator<G>>>, granularity: Granularity, end: EndGame<G>) -> Self {
        Self { evaluator, ..Self::bare(granularity, Rollout::None, 0, end) }
    }

    fn bare(granularity: Granularity, rollout: Rollout, depth: usize, end: EndGame<G>) -> Self {
        Self {
            granularity,
            rollout,
            depth,
            evaluator: None,
            policy: None,
            buffer: Vec::new(),
            only: None,
            end,
            steps: StepList::default(),
            priors: Vec::new(),
        }
    }

    /// Puts the best step by the evaluator in `line`, where no move can change the value.
    pub fn break_tie(&mut self, position: &G, seat: Seat, line: &mut Vec<G::Move>) {
        self.list(position);
        let (mut best, mut best_value) = (0, f64::NEG_INFINITY);
        for (i, step) in self.steps.iter().enumerate() {
            let after = played(position, step);
            let value = match (&self.evaluator, after.turn()) {
                // To play on is never worse, and may score better.
                (_, Turn::Over) => after.utility(seat) - 1.0,
                (Some(evaluator), _) => evaluator.value(&after, seat),
                (None, _) => 0.0,
            };
            if value > best_value {
                (best, best_value) = (i, value);
            }
        }
        line.extend_from_slice(self.steps.get(best));
    }

    /// Whether positions are valued without playing on.
    #[must_use]
    pub fn evaluates(&self) -> bool {
        self.rollout == Rollout::None
    }

    /// Whether every step is a single move.
    #[must_use]
    pub fn single(&self) -> bool {
        self.granularity == Granularity::Moves || !G::COARSE
    }

    /// Lists the steps of the player whose turn it is in [`Valuer::steps`].
    pub fn list(&mut self, position: &G) {
        self.granularity.list(position, &mut self.steps);
    }

    /// The policy, where rollouts go by one.
    #[must_use]
    pub fn policy(&self) -> Option<Arc<dyn Policy<G>>> {
        self.policy.clone()
    }

    /// A policy's choice among these steps, where it chooses. If it is none of them, it becomes one.
    pub fn choice_of(
        &mut self,
        policy: &dyn Policy<G>,
        position: &G,
        steps: &mut StepList<G::Move>,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (mut world, mut line) = (position.clone(), Vec::new());
        // A policy that thinks in single moves is asked until it has made a whole step or, if none of these, until chance or another
        // player comes.
        while world.turn() == position.turn() && !steps.iter().any(|step| line.starts_with(step)) {
            policy.plan(&world, &mut self.buffer, rng);
            if self.buffer.is_empty() {
                return None;
            }
            self.buffer.iter().for_each(|&m| world.play(m));
            line.extend_from_slice(&self.buffer);
        }
        let listed = steps.iter().position(|step| line.starts_with(step));
        Some(listed.unwrap_or_else(|| {
            steps.push(&line);
            steps.len() - 1
        }))
    }

    /// The value of an afterstate to `seat`.
    pub fn afterstate(&mut self, position: &G, seat: Seat) -> f64 {
        if position.turn() == Turn::Over {
            return position.utility(seat);
        }
        if let Some(values) = self.end.values(position) {
            return values[seat];
        }
        self.evaluator.as_ref().map_or(0.5, |evaluator| evaluator.value(position, seat))
    }

    /// The values of an afterstate to all seats.
    pub fn afterstate_values(&mut self, position: &G) -> Values {
        let mut values = [0.0; MAX_SEATS];
        for (seat, value) in values.iter_mut().enumerate().take(position.seats()) {
            if self.only.is_none_or(|only| only == seat) {
                *value = self.afterstate(position, seat);
            }
        }
        values
    }

    /// Lists and values the steps of `seat`, whose turn it is. Returns the index of the best, the first among
    /// equals.
    pub fn best(&mut self, position: &G, seat: Seat) -> usize {
        let quick = self.evaluator.as_ref().filter(|_| self.granularity == Granularity::Turns);
        if !quick.is_some_and(|quick| quick.steps(position, seat, &mut self.steps, &mut self.priors)) {
            self.list(position);
            self.priors.clear();
            for i in 0..self.steps.len() {
                let after = played(position, self.steps.get(i));
                let value = self.afterstate(&after, seat);
                self.priors.push(value);
            }
        }
        (1..self.priors.len()).fold(0, |best, i| if self.priors[i] > self.priors[best] { i } else { best })
    }

    /// The values of a decision by one step of lookahead: `seat` takes the best step by the evaluator.
    pub fn lookahead(&mut self, position: &G, seat: Seat) -> Values {
        let best = self.best(position, seat);
        let mut values = [0.0; MAX_SEATS];
        if position.seats() > 1 {
            let after = played(position, self.steps.get(best));
            values = self.afterstate_values(&after);
        }
        values[seat] = self.priors[best];
        values
    }

    /// The values of a decision by an evaluator's quick way, in a solo game.
    pub fn quick(&self, position: &G, seat: Seat) -> Option<Values> {
        let quick = self.evaluator.as_ref().filter(|_| position.seats() == 1)?;
        let mut values = [0.0; MAX_SEATS];
        values[seat] = quick.decision(position, seat)?;
        Some(values)
    }

    /// The values of a decision at which a rollout is cut off.
    fn edge(&mut self, position: &G, seat: Seat) -> Values {
        self.quick(position, seat).unwrap_or_else(|| self.lookahead(position, seat))
    }

    /// Whether the evaluator takes the position as it stands.
    fn is_quiescent(&self, position: &G) -> bool {
        self.evaluator.as_ref().and_then(|evaluator| evaluator.quiescent(position)) == Some(true)
    }

    /// The values of a position by a rollout, to its end or its cut.
    pub fn play_out(&mut self, mut world: G, rng: &mut Rng) -> Values {
        if self.rollout == Rollout::Random && self.depth == 0 {
            world.play_at_random(&mut self.buffer, rng);
        }
        let mut steps = 0;
        loop {
            match world.turn() {
                Turn::Over => return utilities(&world),
                Turn::Chance | Turn::Shuffle => {
                    if let Some(values) = self.end.values(&world) {
                        return values;
                    }
                    // A step may lead to a position that is quiescent before anybody moves again.
                    if self.depth > 0 && steps + 1 >= self.depth && self.is_quiescent(&world) {
                        return self.afterstate_values(&world);
                    }
                    world.roll(rng);
                }
                Turn::Player(seat) => {
                    if self.rollout == Rollout::None || (self.depth > 0 && steps >= self.depth) {
                        match self.evaluator.as_ref().and_then(|evaluator| evaluator.quiescent(&world)) {
                            Some(true) => return self.afterstate_values(&world),
                            Some(false) if self.rollout != Rollout::None => {}
                            _ => return self.edge(&world, seat),
                        }
                    }
                    steps += 1;
                    self.play_on(&mut world, seat, rng);
                }
            }
        }
    }

    /// The values when the others play by a policy, up to the next decision of `seat` or a quiescent position.
    pub fn play_by(&mut self, policy: &dyn Policy<G>, world: &mut G, seat: Seat, rng: &mut Rng) -> Values {
        loop {
            match world.turn() {
                Turn::Over => return utilities(world),
                Turn::Chance | Turn::Shuffle => {
                    world.roll(rng);
                }
                Turn::Player(_) if self.is_quiescent(world) => return self.afterstate_values(world),
                Turn::Player(mover) if mover == seat => return self.lookahead(world, seat),
                Turn::Player(_) => policy.play(world, &mut self.buffer, rng),
            }
        }
    }

    fn play_on(&mut self, world: &mut G, seat: Seat, rng: &mut Rng) {
        match (self.rollout, &self.policy) {
            (Rollout::Greedy, _) => {
                let best = self.best(world, seat);
                for &m in self.steps.get(best) {
                    world.play(m);
                }
            }
            (Rollout::Rule, Some(policy)) => {
                policy.play(world, &mut self.buffer, rng);
            }
            _ => {
                let m = world.random_move(&mut self.buffer, rng);
                world.play(m);
            }
        }
    }
}
