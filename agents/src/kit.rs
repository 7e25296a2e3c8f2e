//! What a game offers to players and solvers, as one value: its [`Kit`].
//!
//! Strength comes from the games, search stays general. A kit holds functions that make things, not the things:
//! to list a game's evaluators loads no model.

use crate::agent::{Agent, Event};
use crate::bound::Bounding;
use crate::deals::Objective;
use crate::evaluator::{Evaluator, ModelId};
use crate::game::Game;
use crate::options::{self, Fields, OptionDoc, OptionError, hint, listed};
use crate::policy::Policy;
use crate::solver::Solver;
use crate::steps::StepList;
use crate::training::{Schedule, Training};
use serde::Serialize;
use serde_json::Value;
use std::cell::RefCell;
use std::fmt::Display;
use std::sync::Arc;

/// A game that agents can play: its coarser moves, and its [`Kit`].
pub trait Tools: Game {
    /// Whether steps are coarser than moves. Without it the steps are the legal moves, in their order.
    const COARSE: bool = false;

    /// Replaces the contents of `out` with the steps of the player whose turn it is: whole turns or phases.
    ///
    /// A step is a sequence of one or more legal moves of this player, played one after another with
    /// no chance between them. Each outcome is reached by one step, dominated ones may be left out (a
    /// game proves what it calls dominated), and the list is never empty. Only what the player knows
    /// may matter. Without an override every legal move is a step of its own.
    fn steps(&self, out: &mut StepList<Self::Move>) {
        out.set_moves(|moves| self.moves(moves));
    }

    /// What the game offers to players and solvers under these rules.
    #[must_use]
    fn kit(_rules: &Self::Rules) -> Kit<Self> {
        Kit::default()
    }
}

/// Makes an evaluator for these rules; `None` where there is none for them, as of a model trained for others.
pub type MakeEvaluator<G> = fn(&<G as Game>::Rules) -> Option<Arc<dyn Evaluator<G>>>;

/// Makes a policy for these rules; `None` where there is none for them.
pub type MakePolicy<G> = fn(&<G as Game>::Rules) -> Option<Arc<dyn Policy<G>>>;

/// Makes an exact solver of end-games.
pub type MakeSolver<G> = fn() -> Box<dyn Solver<G>>;

/// Makes a net that is about to be trained; everything random follows from the seed.
pub type MakeTraining<G> = fn(&<G as Game>::Rules, &Schedule, u64) -> Box<dyn Training>;

/// The position with which the game began if this one came of it by these public events, the oldest first.
pub type ReconstructStart<G> = fn(&G, &[Event<G>]) -> Option<G>;

/// What a game offers to players and solvers.
///
/// A game builds it once, in [`Tools::kit`]; all parts may be missing.
pub struct Kit<G: Game> {
    evaluators: Vec<(&'static str, MakeEvaluator<G>)>,
    policies: Vec<(&'static str, MakePolicy<G>)>,
    /// The exact end-game solver.
    pub end_game: Option<MakeSolver<G>>,
    /// Agents of the game's own; one with the name of a general agent takes its place.
    pub agents: Vec<Entry<G>>,
    defaults: Vec<(&'static str, &'static str, Value)>,
    /// How a net for the game is trained.
    pub training: Option<MakeTraining<G>>,
    /// The questions about whole deals that have exact answers, the default first.
    pub objectives: Vec<Objective<G>>,
    /// How fair play is bounded from above.
    pub bounding: Option<Bounding<G>>,
    /// How the start of a game is reconstructed from a position and the public history.
    pub reconstruct_start: Option<ReconstructStart<G>>,
}

impl<G: Game> Default for Kit<G> {
    fn default() -> Self {
        Self {
            evaluators: Vec::new(),
            policies: Vec::new(),
            end_game: None,
            agents: Vec::new(),
            defaults: Vec::new(),
            training: None,
            objectives: Vec::new(),
            bounding: None,
            reconstruct_start: None,
        }
    }
}

/// Building a kit.
impl<G: Game> Kit<G> {
    /// Offers an evaluator; the first one that is made for the rules is the default.
    #[must_use]
    pub fn evaluator(mut self, name: &'static str, make: MakeEvaluator<G>) -> Self {
        self.evaluators.push((name, make));
        self
    }

    /// Offers a policy; the first one that is made for the rules is the default.
    #[must_use]
    pub fn policy(mut self, name: &'static str, make: MakePolicy<G>) -> Self {
        self.policies.push((name, make));
        self
    }

    /// Offers an exact solver of end-games.
    #[must_use]
    pub fn end_game(mut self, make: MakeSolver<G>) -> Self {
        self.end_game = Some(make);
        self
    }

    /// Gives an option of an agent another default in this game.
    #[must_use]
    pub fn default_option(
        mut self,
        agent: &'static str,
        option: &'static str,
        value: impl Into<Value>,
    ) -> Self {
        self.defaults.push((agent, option, value.into()));
        self
    }

    /// Offers to train a net.
    #[must_use]
    pub fn training(mut self, make: MakeTraining<G>) -> Self {
        self.training = Some(make);
        self
    }

    /// Offers exact answers about whole deals.
    #[must_use]
    pub fn objectives(mut self, objectives: Vec<Objective<G>>) -> Self {
        self.objectives = objectives;
        self
    }

    /// Offers an upper bound on fair play.
    #[must_use]
    pub fn bounding(mut self, bounding: Bounding<G>) -> Self {
        self.bounding = Some(bounding);
        self
    }

    /// Tells how the start of a game is reconstructed, which inference from the moves seen needs.
    #[must_use]
    pub fn reconstruct_start(mut self, reconstruct: ReconstructStart<G>) -> Self {
        self.reconstruct_start = Some(reconstruct);
        self
    }
}

/// Reading a kit.
impl<G: Game> Kit<G> {
    /// The names of the evaluators, the default first.
    #[must_use]
    pub fn evaluators(&self) -> Vec<&'static str> {
        self.evaluators.iter().map(|entry| entry.0).collect()
    }

    /// The names of the policies, the default first.
    #[must_use]
    pub fn policies(&self) -> Vec<&'static str> {
        self.policies.iter().map(|entry| entry.0).collect()
    }

    /// The evaluator of this name, the default for an empty one; `None` where there is none for these rules.
    #[must_use]
    pub fn find_evaluator(&self, name: &str, rules: &G::Rules) -> Option<Arc<dyn Evaluator<G>>> {
        find(&self.evaluators, name, |make| make(rules)).map(|found| found.1)
    }

    /// The policy of this name, the default for an empty one; `None` where there is none for these rules.
    #[must_use]
    pub fn find_policy(&self, name: &str, rules: &G::Rules) -> Option<Arc<dyn Policy<G>>> {
        find(&self.policies, name, |make| make(rules)).map(|found| found.1)
    }

    /// The options of an agent that have another default in this game.
    #[must_use]
    pub fn defaults(&self, agent: &str) -> Fields {
        let own = self.defaults.iter().filter(|(of, ..)| *of == agent);
        own.map(|(_, option, value)| ((*option).to_owned(), value.clone())).collect()
    }
}

fn find<M, T>(
    entries: &[(&'static str, M)],
    name: &str,
    make: impl Fn(&M) -> Option<T>,
) -> Option<(&'static str, T)> {
    let mut named = entries.iter().filter(|entry| name.is_empty() || entry.0 == name);
    // The default is the first that knows these rules: a trained one may not.
    named.find_map(|entry| Some((entry.0, make(&entry.1)?)))
}

/// What an agent is made from, besides its options. It finds evaluators and policies, and notes which are used.
pub struct Setup<'a, G: Game> {
    agent: &'a str,
    /// What the game offers.
    pub kit: &'a Kit<G>,
    /// The rules.
    pub rules: &'a G::Rules,
    uses: RefCell<Vec<Used>>,
}

/// An evaluator or policy that an agent uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Used {
    /// `evaluator` or `policy`.
    pub kind: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The trained model behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelId>,
}

impl<'a, G: Game> Setup<'a, G> {
    /// For the agent of this name in a game under these rules.
    #[must_use]
    pub fn new(agent: &'a str, kit: &'a Kit<G>, rules: &'a G::Rules) -> Self {
        Self { agent, kit, rules, uses: RefCell::default() }
    }

    /// The evaluator that an option names; an empty name is the game's default.
    ///
    /// # Errors
    /// When the game has no such evaluator.
    pub fn evaluator(&self, option: &str, name: &str) -> Result<Arc<dyn Evaluator<G>>, OptionError> {
        let found = find(&self.kit.evaluators, name, |make| make(self.rules));
        let (name, found) =
            found.ok_or_else(|| self.missing(option, name, "evaluator", &self.kit.evaluators()))?;
        self.note("evaluator", name, found.model());
        Ok(found)
    }

    /// The policy that an option names; an empty name is the game's default.
    ///
    /// # Errors
    /// When the game has no such policy.
    pub fn policy(&self, option: &str, name: &str) -> Result<Arc<dyn Policy<G>>, OptionError> {
        let found = find(&self.kit.policies, name, |make| make(self.rules));
        let (name, found) =
            found.ok_or_else(|| self.missing(option, name, "policy", &self.kit.policies()))?;
        self.note("policy", name, found.model());
        Ok(found)
    }

    /// The refusal of an option's value.
    #[must_use]
    pub fn refuse(&self, option: &str, value: &dyn Display, reason: impl Into<String>) -> OptionError {
        OptionError::refused(option, value, reason).of(&format!("agent {}", self.agent))
    }

    /// Whether the game has made this value the default of an option.
    #[must_use]
    pub fn is_own_default(&self, option: &str, value: &str) -> bool {
        self.kit.defaults(self.agent).get(option).is_some_and(|own| options::shown(own) == value)
    }

    /// The evaluators and policies that have been found.
    #[must_use]
    pub fn into_uses(self) -> Vec<Used> {
        self.uses.into_inner()
    }

    fn note(&self, kind: &'static str, name: &'static str, model: Option<&ModelId>) {
        let used = Used { kind, name, model: model.cloned() };
        let mut uses = self.uses.borrow_mut();
        if !uses.contains(&used) {
            uses.push(used);
        }
    }

    fn missing(&self, option: &str, name: &str, kind: &str, known: &[&str]) -> OptionError {
        let reason = if known.is_empty() {
            format!("this game has no {kind}")
        } else if known.contains(&name) {
            let others = known.iter().copied().filter(|other| *other != name);
            format!("it is not made for these rules; expected one of {}", listed(others))
        } else {
            format!("expected one of {}{}", listed(known.iter().copied()), hint(name, known.iter().copied()))
        };
        self.refuse(option, &name, reason)
    }
}

/// A registered agent: its name, its options, and how it is made.
pub struct Entry<G: Game> {
    /// The name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    pub(crate) renamed: &'static [(&'static str, &'static str)],
    pub(crate) describe: fn() -> Vec<OptionDoc>,
    pub(crate) make: Make<G>,
}

/// Makes agents: gives every parameter, defaults included, and a function that copies the agent.
pub(crate) type Make<G> = fn(&Fields, &Setup<'_, G>) -> Result<(Value, Copies<G>), OptionError>;

/// Fresh copies of an agent.
pub(crate) type Copies<G> = Arc<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>;

impl<G: Game> Clone for Entry<G> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<G: Game> Entry<G> {
    /// The agent's options, with this game's defaults.
    #[must_use]
    pub fn options(&self, kit: &Kit<G>) -> Vec<OptionDoc> {
        let mut docs = (self.describe)();
        for (option, value) in kit.defaults(self.name) {
            if let Some(doc) = docs.iter_mut().find(|doc| doc.name == option) {
                doc.default = options::shown(&value);
            }
        }
        docs
    }
}
