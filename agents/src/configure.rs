//! Configuration: how an agent is made from its options.

use crate::agent::Agent;
use crate::game::Game;
use crate::kit::{Entry, Kit, Setup};
use crate::options::{self, OptionDoc, OptionError, Options};
use std::sync::Arc;

/// An agent that can be made from its options.
pub trait Configure<G: Game>: Agent<G> + Clone + Sync + Sized + 'static {
    /// The name on the command line.
    const NAME: &'static str;
    /// One line for `sim list agents`.
    const SUMMARY: &'static str;
    /// Whether its name alone says which agent it is. Errors about an unknown name leave the others out.
    const BY_NAME: bool = true;
    /// The options.
    type Options: Options;

    /// Makes the agent for the game and the rules of the set-up. Options that were not read have to be
    /// [validated](crate::options::validate) before.
    ///
    /// # Errors
    /// When options contradict each other or ask for what the game does not offer.
    fn configure(options: &Self::Options, setup: &Setup<'_, G>) -> Result<Self, OptionError>;
}

impl<G: Game> Entry<G> {
    /// The entry of an agent type.
    #[must_use]
    pub fn of<A: Configure<G>>() -> Self {
        Self {
            name: A::NAME,
            summary: A::SUMMARY,
            by_name: A::BY_NAME,
            is_trusted: false,
            renamed: A::Options::RENAMED,
            describe: options::describe::<A::Options>,
            is_text: options::is_text::<A::Options>,
            accepts: |owner, defaults| {
                let own = options::recorded(&A::Options::default());
                options::read_each::<A::Options>(owner, &options::overlay(own, defaults)).map(drop)
            },
            make: |given, setup| {
                let owner = format!("agent {}", A::NAME);
                let options: A::Options = options::read(&owner, given)?;
                let agent = A::configure(&options, setup).map_err(|error| error.of(&owner))?;
                let defaults = setup.kit.defaults(A::NAME);
                let parameters = options::recorded_beside(&options, given, &defaults).into();
                Ok((parameters, Arc::new(move || Box::new(agent.clone()))))
            },
        }
    }

    /// The same agent, whose moves are played without a check: Knave's own are tested to play none but legal ones.
    #[must_use]
    pub fn trusted(self) -> Self {
        Self { is_trusted: true, ..self }
    }

    /// Checks that the agent accepts each of its own defaults, and of those of this kit for it. One of them may ask for more, as
    /// a command that is empty.
    ///
    /// # Errors
    /// When one of them is refused.
    pub fn check_defaults(&self, kit: &Kit<G>) -> Result<(), OptionError> {
        (self.accepts)(&format!("agent {}", self.name), &kit.defaults(self.name))
    }

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

impl<G: Game> Kit<G> {
    /// Adds an agent of the game's own. One with the name of a general agent takes its place.
    #[must_use]
    pub fn agent<A: Configure<G>>(mut self) -> Self {
        self.agents.push(Entry::of::<A>());
        self
    }
}
