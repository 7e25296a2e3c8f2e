//! Kits: what a game offers to players and solvers, as one value.
//!
//! Strength comes from the games, and search stays general. A kit holds functions that make things, so that
//! listing a game's evaluators loads no model.

use crate::agent::Agent;
use crate::bound::Bounding;
use crate::deal_solver::Objective;
use crate::encoding::Encoding;
use crate::end_game_solver::EndGameSolver;
use crate::evaluator::{Evaluator, ModelId};
use crate::exact::{Listing, Starts};
use crate::game::{Event, Game};
use crate::learn::{Model, ModelError};
use crate::options::{self, Fields, OptionDoc, OptionError, hint, listed};
use crate::policy::Policy;
use crate::shown::{Shown, ViewError};
use crate::steps::StepList;
use crate::training::{BEFORE, DrawnDeals, MakePlayer, Schedule, Training};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::cell::RefCell;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

/// A game for agents: its steps, and its [`Kit`].
pub trait Tools: Game {
    /// Whether steps are coarser than moves. Otherwise they are the legal moves, in their order.
    const COARSE: bool = false;

    /// Replaces the contents of `out` with the steps of the player whose turn it is: whole turns or phases.
    ///
    /// A step is one or more legal moves of this player, played one after another without chance between them.
    /// Each outcome is reached by one step, and the list is never empty. A game may leave out steps that it
    /// proves to be dominated. Only what the player knows may matter. The default makes every legal move a
    /// step.
    fn steps(&self, out: &mut StepList<Self::Move>) {
        out.set_moves(|moves| self.moves(moves));
    }

    /// The kit of the game under these rules.
    #[must_use]
    fn kit(_rules: &Self::Rules) -> Kit<Self> {
        Kit::default()
    }
}

/// Makes an evaluator; `None` under rules that it is not made for, as of a model trained for others.
pub type MakeEvaluator<G> = fn(&<G as Game>::Rules) -> Option<Arc<dyn Evaluator<G>>>;

/// Makes a policy; `None` under rules that it is not made for.
pub type MakePolicy<G> = fn(&<G as Game>::Rules) -> Option<Arc<dyn Policy<G>>>;

/// Makes an evaluator of a model that somebody trained.
pub type EvaluatorOfModel<G> = fn(Model, &<G as Game>::Rules) -> Result<Arc<dyn Evaluator<G>>, ModelError>;

/// Lists the trained models that come with a game.
pub type ListModels = fn() -> Vec<Arc<Model>>;

/// Makes a policy of a model that somebody trained.
pub type PolicyOfModel<G> = fn(Model, &<G as Game>::Rules) -> Result<Arc<dyn Policy<G>>, ModelError>;

/// Counts the cards that the player whose turn it is has not seen. It depends only on what that player knows.
pub type CountHidden<G> = fn(&G) -> u32;

/// Takes out of a view what only counts time and does not matter to play, so that positions may come back.
pub type DropClock<G> = fn(&mut <G as Game>::View);

/// Makes an exact solver of end-games.
pub type MakeEndGameSolver<G> = fn() -> Box<dyn EndGameSolver<G>>;

/// Makes a net that is about to be trained on these deals; everything random follows from the seed. A player beside the net that is no
/// policy of the game is looked up among the agents.
pub type MakeTraining<G> = fn(DrawnDeals<G>, &Schedule, MakePlayer<G>, u64) -> Box<dyn Training>;

/// Reconstructs the start of a game from a position and its public events, the oldest first. `None` where they do not tell it, for
/// all positions that look alike to a player or for none of them: a world without a start is weighed as if its moves were certain.
/// Worlds are not weighed by what happened after a [`Turn::Shuffle`](crate::Turn::Shuffle), so games with shuffles gain nothing.
pub type ReconstructStart<G> = fn(&G, &[Event<G>]) -> Option<G>;

/// The kit of a game. It is built in [`Tools::kit`], and every part of it may be missing.
pub struct Kit<G: Game> {
    evaluators: Vec<(&'static str, MakeEvaluator<G>)>,
    policies: Vec<(&'static str, MakePolicy<G>)>,
    evaluator_of_model: Option<EvaluatorOfModel<G>>,
    policy_of_model: Option<PolicyOfModel<G>>,
    pub(crate) models: Option<ListModels>,
    /// The exact end-game solver.
    pub end_game: Option<MakeEndGameSolver<G>>,
    /// The count of hidden cards.
    pub hidden: Option<CountHidden<G>>,
    /// The removal of the part of a view that only counts time.
    pub clock: Option<DropClock<G>>,
    /// Agents of the game's own; one with the name of a general agent takes its place.
    pub agents: Vec<Entry<G>>,
    defaults: Vec<(&'static str, &'static str, Value)>,
    /// Of these defaults those that stand in for a trained model: agent, option and evaluator.
    pub(crate) stand_ins: Vec<(&'static str, &'static str, &'static str)>,
    /// The training of a net for the game.
    pub training: Option<MakeTraining<G>>,
    /// The questions about whole deals that have exact answers, the default first.
    pub objectives: Vec<Objective<G>>,
    /// The upper bound on fair play.
    pub bounding: Option<Bounding<G>>,
    /// Whether the game is about the score, and not about winning.
    pub by_score: bool,
    /// The enumeration of small versions of the game, for exact solutions.
    pub exact: Option<Listing<G>>,
    /// The reconstruction of a start, which inference from the moves seen needs.
    pub reconstruct_start: Option<ReconstructStart<G>>,
    /// The public form of a view, for players in other processes.
    pub shown: Option<Shown<G>>,
    /// The array encoding.
    pub encoding: Option<Encoding<G>>,
}

impl<G: Game> Default for Kit<G> {
    fn default() -> Self {
        Self {
            evaluators: Vec::new(),
            policies: Vec::new(),
            evaluator_of_model: None,
            policy_of_model: None,
            models: None,
            end_game: None,
            hidden: None,
            clock: None,
            agents: Vec::new(),
            defaults: Vec::new(),
            stand_ins: Vec::new(),
            training: None,
            objectives: Vec::new(),
            bounding: None,
            by_score: false,
            exact: None,
            reconstruct_start: None,
            shown: None,
            encoding: None,
        }
    }
}

/// Building a kit.
impl<G: Game> Kit<G> {
    /// Adds an evaluator. The first one that is made for the rules is the default.
    #[must_use]
    pub fn evaluator(mut self, name: &'static str, make: MakeEvaluator<G>) -> Self {
        self.evaluators.push((name, make));
        self
    }

    /// Adds a policy. The first one that is made for the rules is the default.
    #[must_use]
    pub fn policy(mut self, name: &'static str, make: MakePolicy<G>) -> Self {
        self.policies.push((name, make));
        self
    }

    /// Has model files stand for evaluators.
    #[must_use]
    pub fn evaluator_of_model(mut self, make: EvaluatorOfModel<G>) -> Self {
        self.evaluator_of_model = Some(make);
        self
    }

    /// Has model files stand for policies.
    #[must_use]
    pub fn policy_of_model(mut self, make: PolicyOfModel<G>) -> Self {
        self.policy_of_model = Some(make);
        self
    }

    /// Adds the trained models that come with the game, for listings.
    #[must_use]
    pub fn models(mut self, models: ListModels) -> Self {
        self.models = Some(models);
        self
    }

    /// Adds the exact solver of end-games.
    #[must_use]
    pub fn end_game(mut self, make: MakeEndGameSolver<G>) -> Self {
        self.end_game = Some(make);
        self
    }

    /// Adds the count of hidden cards.
    #[must_use]
    pub fn hidden(mut self, count: CountHidden<G>) -> Self {
        self.hidden = Some(count);
        self
    }

    /// Has positions come back that differ only in what counts time.
    #[must_use]
    pub fn clock(mut self, drop: DropClock<G>) -> Self {
        self.clock = Some(drop);
        self
    }

    /// Adds a default of this game for an option of an agent.
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

    /// Adds such a default where an agent would have a trained model, but none serves the rules. Who plays by it is told so.
    #[must_use]
    pub fn default_stand_in(
        mut self,
        agent: &'static str,
        option: &'static str,
        evaluator: &'static str,
    ) -> Self {
        self.stand_ins.push((agent, option, evaluator));
        self.default_option(agent, option, evaluator)
    }

    /// Adds the training of a net.
    #[must_use]
    pub fn training(mut self, make: MakeTraining<G>) -> Self {
        self.training = Some(make);
        self
    }

    /// Adds the objectives of whole-deal solvers.
    #[must_use]
    pub fn objectives(mut self, objectives: Vec<Objective<G>>) -> Self {
        self.objectives = objectives;
        self
    }

    /// Says that the game is about the score, and not about winning: exact answers, hints and analyses are of it where nothing else is
    /// asked for. A bound on fair play that is one on scores says the same.
    #[must_use]
    pub fn by_score(mut self) -> Self {
        self.by_score = true;
        self
    }

    /// Adds the upper bound on fair play.
    #[must_use]
    pub fn bounding(mut self, bounding: Bounding<G>) -> Self {
        self.bounding = Some(bounding);
        self
    }

    /// Adds how small versions of the game are written out.
    #[must_use]
    pub fn exact(mut self, listing: Listing<G>) -> Self {
        self.exact = Some(listing);
        self
    }

    /// Adds the reconstruction of a start.
    #[must_use]
    pub fn reconstruct_start(mut self, reconstruct: ReconstructStart<G>) -> Self {
        self.reconstruct_start = Some(reconstruct);
        self
    }

    /// Adds what players in other processes are told of a view.
    #[must_use]
    pub fn shown<T: Serialize + JsonSchema + 'static>(mut self, show: fn(&G::View) -> T) -> Self {
        self.shown = Some(Shown::new(show));
        self
    }

    /// Adds the way back from what players in other processes are told, if that was added before.
    #[must_use]
    pub fn reading<T: Serialize + DeserializeOwned + 'static>(
        mut self,
        read: fn(&G::Rules, &T) -> Result<G::View, ViewError>,
    ) -> Self {
        self.shown = self.shown.map(|shown| shown.reading(read));
        self
    }

    /// Adds how the game becomes arrays.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding<G>) -> Self {
        self.encoding = Some(encoding);
        self
    }
}

/// Reading a kit.
impl<G: Game> Kit<G> {
    /// The names of the evaluators. The default is the first that is made for the rules.
    #[must_use]
    pub fn evaluators(&self) -> Vec<&'static str> {
        self.evaluators.iter().map(|entry| entry.0).collect()
    }

    /// The names of the policies. The default is the first that is made for the rules.
    #[must_use]
    pub fn policies(&self) -> Vec<&'static str> {
        self.policies.iter().map(|entry| entry.0).collect()
    }

    /// The evaluator of this name, or the default for an empty one. `None` where there is none for these rules.
    #[must_use]
    pub fn find_evaluator(&self, name: &str, rules: &G::Rules) -> Option<Arc<dyn Evaluator<G>>> {
        find(&self.evaluators, name, |make| make(rules)).map(|found| found.1)
    }

    /// The policy of this name, or the default for an empty one. `None` where there is none for these rules.
    #[must_use]
    pub fn find_policy(&self, name: &str, rules: &G::Rules) -> Option<Arc<dyn Policy<G>>> {
        find(&self.policies, name, |make| make(rules)).map(|found| found.1)
    }

    /// Why a model is refused under whatever rules, if it is: as one of another version of the game is.
    #[must_use]
    pub fn refusal(&self, model: &Model, rules: &G::Rules) -> Option<ModelError> {
        self.policy_of_model?(model.clone(), rules).err().filter(|error| !error.is_about_rules())
    }

    /// The trained models that come with the game.
    #[must_use]
    pub fn list_models(&self) -> Vec<Arc<Model>> {
        self.models.map_or_else(Vec::new, |list| list())
    }

    /// The agents that this game has defaults for.
    pub fn agents_with_defaults(&self) -> impl Iterator<Item = &'static str> {
        self.defaults.iter().map(|(agent, ..)| *agent)
    }

    /// This game's own defaults for the options of an agent.
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
    // The default is the first for these rules: a trained one may be for others.
    named.find_map(|entry| Some((entry.0, make(&entry.1)?)))
}

/// The set-up of an agent: kit and rules. It finds evaluators and policies, and notes which are used.
pub struct Setup<'a, G: Game> {
    agent: &'a str,
    /// The kit of the game.
    pub kit: &'a Kit<G>,
    /// The rules.
    pub rules: &'a G::Rules,
    /// The positions after every deal, in a game with few cards.
    pub starts: Option<&'a Starts<G>>,
    /// The model of the name [`BEFORE`].
    before: Option<&'a Model>,
    found: RefCell<Found>,
}

/// The findings of a set-up.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// What the agent plays by.
    pub uses: Vec<Used>,
    /// Options that left the choice to the game, and what it chose.
    pub chosen: Vec<(String, String)>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// The note that no trained model serves the rules, and that this stands in.
pub(crate) fn untrained(name: &str) -> String {
    format!("no trained model for these rules: hand-written values ({name})")
}

/// Whether a name is that of a model file.
fn is_file(name: &str) -> bool {
    name.ends_with(".model") || name.contains(['/', '\\'])
}

/// An evaluator, a policy or a program that an agent uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Used {
    /// `evaluator`, `policy` or `program`.
    pub kind: &'static str,
    /// Its name, or the path of its file.
    pub name: String,
    /// The 64-bit FNV-1a hash of a program's file, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fnv1a: Option<String>,
    /// The trained model behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelId>,
}

impl<'a, G: Game> Setup<'a, G> {
    /// For the agent of this name in a game under these rules.
    #[must_use]
    pub fn new(agent: &'a str, kit: &'a Kit<G>, rules: &'a G::Rules) -> Self {
        Self { agent, kit, rules, starts: None, before: None, found: RefCell::default() }
    }

    /// The same in a game with few cards, all of whose deals are known.
    #[must_use]
    pub fn with_starts(self, starts: Option<&'a Starts<G>>) -> Self {
        Self { starts, ..self }
    }

    /// The same in a training, where [`BEFORE`] is the name of this model.
    #[must_use]
    pub fn with_before(self, before: Option<&'a Model>) -> Self {
        Self { before, ..self }
    }

    /// Whether a name is that of a model: the one before, or one in a file.
    fn is_model(&self, name: &str) -> bool {
        is_file(name) || self.before.is_some() && name == BEFORE
    }

    /// The evaluator that an option names, or that a model file holds; an empty name is the game's default.
    ///
    /// # Errors
    /// When the game has no such evaluator, or the model does not fit.
    pub fn evaluator(&self, option: &str, name: &str) -> Result<Arc<dyn Evaluator<G>>, OptionError> {
        let (kind, known) = ("evaluator", self.kit.evaluators());
        let make = |make: &MakeEvaluator<G>| make(self.rules);
        let (found, evaluator) = match self.kit.evaluator_of_model {
            Some(of_model) if self.is_model(name) => {
                (name, self.of_model(option, name, |model, rules| of_model(model.of_values()?, rules))?)
            }
            _ => find(&self.kit.evaluators, name, make)
                .ok_or_else(|| self.missing(option, name, kind, &known))?,
        };
        self.uses(kind, (option, name), found, &known, evaluator.model());
        Ok(evaluator)
    }

    /// The policy that an option names, or that a model file holds; an empty name is the game's default.
    ///
    /// # Errors
    /// When the game has no such policy, or the model does not fit.
    pub fn policy(&self, option: &str, name: &str) -> Result<Arc<dyn Policy<G>>, OptionError> {
        let (kind, known) = ("policy", self.kit.policies());
        let make = |make: &MakePolicy<G>| make(self.rules);
        let (found, policy) = match self.kit.policy_of_model {
            Some(of_model) if self.is_model(name) => (name, self.of_model(option, name, of_model)?),
            _ => find(&self.kit.policies, name, make)
                .ok_or_else(|| self.missing(option, name, kind, &known))?,
        };
        self.uses(kind, (option, name), found, &known, policy.model());
        Ok(policy)
    }

    /// What the model before is, or that in a file.
    fn of_model<T>(
        &self,
        option: &str,
        name: &str,
        make: impl FnOnce(Model, &G::Rules) -> Result<T, ModelError>,
    ) -> Result<T, OptionError> {
        let refused = |reason: String| self.refuse(option, &name, reason);
        let model = match self.before.filter(|_| name == BEFORE) {
            Some(before) => before.clone().named(BEFORE),
            None => {
                let model = Model::read(Path::new(name));
                let model = model.map_err(|error| refused(format!("cannot read it: {error}")))?;
                model.map_err(|error| refused(error.to_string()))?
            }
        };
        make(model, self.rules).map_err(|error| refused(error.to_string()))
    }

    /// The refusal of an option's value.
    #[must_use]
    pub fn refuse(&self, option: &str, value: &dyn Display, reason: impl Into<String>) -> OptionError {
        OptionError::refused(option, value, reason).of(&format!("agent {}", self.agent))
    }

    /// The refusal of the agent itself, whatever its options are.
    #[must_use]
    pub fn unfit(&self, reason: impl Into<String>) -> OptionError {
        OptionError::Unfit { owner: format!("agent {}", self.agent), reason: reason.into() }
    }

    /// Whether this value is the game's own default for an option.
    #[must_use]
    pub fn is_own_default(&self, option: &str, value: &str) -> bool {
        self.kit.defaults(self.agent).get(option).is_some_and(|own| options::shown(own) == value)
    }

    /// Notes something for the user, who sees it before any work.
    pub fn note(&self, note: String) {
        self.found.borrow_mut().notes.push(note);
    }

    /// Notes what another set-up has found, for an agent with a search inside that has a kit of its own. Manifests then name its
    /// evaluators and policies, too.
    pub fn note_uses(&self, inner: Found) {
        let mut found = self.found.borrow_mut();
        for used in inner.uses {
            if !found.uses.contains(&used) {
                found.uses.push(used);
            }
        }
        found.notes.extend(inner.notes);
    }

    /// The findings so far.
    #[must_use]
    pub fn into_found(self) -> Found {
        self.found.into_inner()
    }

    fn uses(
        &self,
        kind: &'static str,
        (option, name): (&str, &str),
        chosen: &str,
        known: &[&str],
        model: Option<&ModelId>,
    ) {
        let mut found = self.found.borrow_mut();
        let used = Used { kind, name: chosen.to_owned(), fnv1a: None, model: model.cloned() };
        if !found.uses.contains(&used) {
            found.uses.push(used);
        }
        if name.is_empty() {
            found.chosen.push((option.to_owned(), chosen.to_owned()));
            // In a game with models a trained one stands before those that are written by hand.
            if self.kit.models.is_some() && known.first() != Some(&chosen) {
                found.notes.push(untrained(chosen));
            }
        }
    }

    fn missing(&self, option: &str, name: &str, kind: &str, known: &[&str]) -> OptionError {
        let reason = if self.is_model(name) {
            let known = listed(known.iter().copied());
            format!("this game makes no {kind} of a model file; expected one of {known}")
        } else if known.is_empty() {
            format!("this game has no {kind}")
        } else if name.starts_with('[') {
            let known = listed(known.iter().copied());
            format!(
                "no name of the list is that of a {kind} for these rules; expected a list such as [\"a\",\"b\"] with one of {known}"
            )
        } else if known.contains(&name) {
            let others = known.iter().copied().filter(|other| *other != name);
            format!("it is not made for these rules; expected one of {}", listed(others))
        } else {
            let expected = listed(known.iter().copied());
            let hint = match Path::new(name).is_file() {
                true => {
                    format!("; a file is named by a path that ends in .model or has a slash, as in ./{name}")
                }
                false => hint(name, known.iter().copied()),
            };
            format!("expected one of {expected}{hint}")
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
    pub(crate) by_name: bool,
    pub(crate) is_trusted: bool,
    pub(crate) renamed: &'static [(&'static str, &'static str)],
    pub(crate) describe: fn() -> Vec<OptionDoc>,
    pub(crate) is_text: fn(&str) -> bool,
    pub(crate) accepts: fn(&str, &Fields) -> Result<(), OptionError>,
    pub(crate) make: Make<G>,
}

/// Makes an agent: returns every parameter, defaults included, and a function that copies the agent.
pub(crate) type Make<G> = fn(&Fields, &Setup<'_, G>) -> Result<(Value, Copies<G>), OptionError>;

/// Fresh copies of an agent.
pub(crate) type Copies<G> = Arc<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>;

impl<G: Game> Clone for Entry<G> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}
