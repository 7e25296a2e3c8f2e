//! The games and the agents that there are, by name: Knave's own, and those of whoever adds some.

use crate::bots::Exec;
use crate::games::promises::{check_game, is_callable};
use crate::games::{
    self, BuiltIn, CardGame, GameList as _, ShortDeck, TableForm, Tally, TallyMeasure, UnknownGame, Visitor,
};
use crate::live::{Ruled, Ruleset};
use crate::play::referee::{self, ReplayError};
use crate::play::{Measure, Transcript};
use crate::small::{self, SmallGame, SmallGameRequest};
use crate::store::{CELLS, is_plain_name};
use crate::studies::{self, Planned, Planner, Request, RequestError, TABLES};
use crate::trainable::{self, Trainable, TrainingError};
use knave_agents::learn::{Model, ModelError};
use knave_agents::options::spread::Spreads;
use knave_agents::options::{self, Fields, OptionDoc, OptionError};
use knave_agents::presets::Preset;
use knave_agents::training::Schedule;
use knave_agents::{AgentSpec, Configure, Entry, SpecError, registry};
use schemars::Schema;
use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

/// Games and agents by name.
///
/// ```
/// use knave::registry::Registry;
///
/// let registry = Registry::builtin().build();
/// assert_eq!(registry.names(), ["dungeon", "verslun", "columns", "doubles", "whist"]);
/// ```
pub struct Registry {
    games: Vec<Box<dyn AnyGame>>,
}

/// A registry that is being filled: first with games, then with agents that play all of them.
pub struct Builder<Games> {
    registry: Registry,
    games: PhantomData<Games>,
}

/// A game in the registry, whatever its types.
pub trait AnyGame: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// One line about it.
    fn summary(&self) -> &'static str;

    /// Its rules for people, in Markdown; empty where nobody has written them.
    fn rules_text(&self) -> &'static str;

    /// The options of its rules.
    fn rules(&self) -> Vec<OptionDoc>;

    /// Its rules where nothing else is asked for.
    fn default_rules(&self) -> Fields;

    /// The agents that play it: name, one line, and options with this game's defaults.
    fn agents(&self) -> Vec<(&'static str, &'static str, Vec<OptionDoc>)>;

    /// The number of seats under these rules.
    ///
    /// # Errors
    /// When the rules are refused.
    fn seats(&self, rules: &Fields) -> Result<usize, OptionError>;

    /// Whether players win together under these rules.
    ///
    /// # Errors
    /// When the rules are refused.
    fn has_teams(&self, rules: &Fields) -> Result<bool, OptionError>;

    /// The JSON Schema of what players in processes of their own are told of a view, if they can play it.
    fn view_schema(&self) -> Option<Schema>;

    /// The names of its evaluators. The default is the first that is made for the rules.
    fn evaluators(&self) -> Vec<&'static str>;

    /// The names of its policies. The default is the first that is made for the rules.
    fn policies(&self) -> Vec<&'static str>;

    /// The agent in the other seats of `sim play` unless another is named: `fast` plays by a policy where there is one.
    fn opponent(&self) -> &'static str {
        if self.policies().is_empty() { "mcts" } else { "fast" }
    }

    /// What `tally.csv` counts in it.
    fn measures(&self) -> &'static [TallyMeasure];

    /// The tables that it writes beside those of every game.
    fn tables(&self) -> &'static [TableForm];

    /// The trained models that come with it.
    fn models(&self) -> Vec<Arc<Model>>;

    /// Why a model from outside is refused under whatever rules, if it is.
    fn refusal(&self, model: &Model) -> Option<ModelError>;

    /// The questions about whole deals that have exact answers: name and question.
    fn objectives(&self) -> Vec<(&'static str, &'static str)>;

    /// Whether fair play can be bounded from above.
    fn has_bounds(&self) -> bool;

    /// Whether it can be solved with few cards.
    fn has_exact(&self) -> bool;

    /// What the game is about, where its kit says so, as a bound on fair play does.
    fn measure(&self) -> Option<Measure>;

    /// Checks a request of any kind, and prepares its agents.
    ///
    /// # Errors
    /// Names the field, its value and what would be right.
    fn plan(&self, request: &Request) -> Result<Box<dyn Planned>, RequestError>;

    /// An agent with every option, as records have it; `None` where it is refused.
    fn resolved(&self, agent: &AgentSpec, rules: &Fields) -> Option<AgentSpec>;

    /// The game under these rules, to be played from outside.
    ///
    /// # Errors
    /// When the rules are refused.
    fn ruleset(&self, rules: &Fields) -> Result<Box<dyn Ruleset>, OptionError>;

    /// The game with few cards, to be solved.
    ///
    /// # Errors
    /// Names the field and what would be right.
    fn small(&self, request: &SmallGameRequest) -> Result<Box<dyn SmallGame + '_>, RequestError>;

    /// Replays a transcript.
    ///
    /// # Errors
    /// Says what is wrong, and with which event.
    fn check(&self, transcript: &Transcript) -> Result<(), ReplayError>;

    /// A net that is about to be trained, on games by these rules with a short deck or all cards. In the options of a rival
    /// [`BEFORE`](trainable::BEFORE) stands for the model `before`.
    ///
    /// # Errors
    /// When the rules, the cards or the schedule are refused.
    fn training(
        &self,
        deals: (&Spreads, Option<&ShortDeck>),
        schedule: &Schedule,
        seed: u64,
        before: Option<&Model>,
    ) -> Result<Trainable, TrainingError>;

    /// An agent that the kit has defaults for, but nobody has added.
    #[doc(hidden)]
    fn missing_agent(&self) -> Option<&'static str>;

    #[doc(hidden)]
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// A game and the agents that play it.
struct Game<G: CardGame> {
    agents: Vec<Entry<G>>,
}

impl<G: CardGame> Game<G> {
    /// The game with the general agents, its own, and those in processes of their own.
    fn new() -> Self {
        let mut agents = registry::agents(&G::kit(&G::Rules::default()));
        agents.push(Entry::of::<Exec<G>>().trusted());
        Self { agents }
    }

    /// The same, when it is known that they can be used.
    ///
    /// # Panics
    /// Where the game or an agent breaks a promise.
    fn checked() -> Self {
        check_game::<G>().unwrap_or_else(|promise| panic!("the game {}: {promise}", G::NAME));
        let own: Vec<&str> = <G::Tally as Tally<G>>::TABLES.iter().map(|form| form.file).collect();
        check_tables(G::NAME, &own);
        let game = Self::new();
        game.agents.iter().for_each(check_agent);
        game
    }

    /// The same for a game of Knave's, where all agents are tested to play legal moves alone.
    fn builtin() -> Self {
        Self { agents: Self::new().agents.into_iter().map(Entry::trusted).collect() }
    }
}

/// Checks that the game's own tables have file names of their own: they would lie in the place of others.
///
/// # Panics
/// When they have not.
fn check_tables(game: &str, own: &[&str]) {
    for (place, &file) in own.iter().enumerate() {
        let is_new = !TABLES.contains(&file) && file != CELLS && !own[..place].contains(&file);
        assert!(
            is_new && is_plain_name(file) && file.ends_with(".csv"),
            "the game {game}: TABLES: {file:?}: expected the name of a CSV file that no other table has"
        );
    }
}

/// Checks that an agent can be called by its name, and has defaults that it accepts.
///
/// # Panics
/// When it cannot, or has not.
fn check_agent<G: CardGame>(entry: &Entry<G>) {
    let presets: Vec<&str> = Preset::names().collect();
    assert!(
        !presets.contains(&entry.name),
        "an agent is called '{}', which is a preset: expected a name other than {}",
        entry.name,
        options::listed(presets)
    );
    assert!(
        is_callable(entry.name),
        "an agent is called '{}': expected letters, digits, - and _, a - not first",
        entry.name
    );
    let defaults = entry.check_defaults(&G::kit(&G::Rules::default()));
    defaults.unwrap_or_else(|error| panic!("the game {} has defaults that do not fit: {error}", G::NAME));
}

impl Registry {
    /// Knave's own games and agents.
    #[must_use]
    pub fn builtin() -> Builder<BuiltIn> {
        #[derive(Clone)]
        struct Boxed;
        impl Visitor for Boxed {
            type Output = Box<dyn AnyGame>;
            fn visit<G: CardGame>(self) -> Self::Output {
                Box::new(Game::<G>::builtin())
            }
        }
        Builder { registry: Self { games: BuiltIn::each(Boxed) }, games: PhantomData }
    }

    /// No games yet.
    #[must_use]
    pub fn empty() -> Builder<()> {
        Builder { registry: Self { games: Vec::new() }, games: PhantomData }
    }

    fn add<G: CardGame>(&mut self) {
        let game = Box::new(Game::<G>::checked());
        match self.games.iter_mut().find(|other| other.name() == G::NAME) {
            Some(other) => *other = game,
            None => self.games.push(game),
        }
    }

    /// Adds an agent, and says whether there is the game.
    fn add_agent<G: CardGame>(&mut self, entry: &Entry<G>) -> bool {
        check_agent(entry);
        let mut games = self.games.iter_mut().filter_map(|game| game.as_any_mut().downcast_mut::<Game<G>>());
        let Some(game) = games.next() else { return false };
        game.agents.retain(|other| other.name != entry.name);
        game.agents.push(entry.clone());
        true
    }

    /// The games.
    pub fn games(&self) -> impl Iterator<Item = &dyn AnyGame> {
        self.games.iter().map(AsRef::as_ref)
    }

    /// Their names.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.games().map(AnyGame::name).collect()
    }

    /// The names of all tables that a study of one of these games may have.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &'static str> {
        TABLES.into_iter().chain(self.games().flat_map(|game| game.tables().iter().map(|form| form.file)))
    }

    /// The game of this name.
    ///
    /// # Errors
    /// When there is none; the nearest name is suggested.
    pub fn game(&self, name: &str) -> Result<&dyn AnyGame, UnknownGame> {
        self.games().find(|game| game.name() == name).ok_or_else(|| UnknownGame::new(name, &self.names()))
    }

    /// Checks that the presets among these agents are for games that there are. Agents and games that are unknown are refused
    /// where they are prepared.
    ///
    /// # Errors
    /// Names the file, the line and the game.
    pub fn check_presets<'a>(
        &self,
        agents: impl IntoIterator<Item = &'a AgentSpec>,
    ) -> Result<(), SpecError> {
        let names = self.names();
        for spec in agents.into_iter().filter(|spec| spec.name.ends_with(".toml")) {
            if let Some(preset) = Preset::find(&spec.name)? {
                preset.check_games(&names)?;
            }
        }
        Ok(())
    }

    /// Replays the transcript on this line.
    ///
    /// # Errors
    /// Says what is wrong, and with which event.
    pub fn check(&self, line: &str) -> Result<(), ReplayError> {
        let transcript = referee::read(line)?;
        let game = self.game(&transcript.game);
        game.map_err(|error| ReplayError::Malformed(error.to_string()))?.check(&transcript)
    }
}

impl Planner for Registry {
    fn plan(&self, request: &Request) -> Result<Box<dyn Planned>, RequestError> {
        let game = self.game(request.game()).map_err(|error| RequestError::new("game", error))?;
        self.check_presets(request.agents()).map_err(|error| RequestError::new("agents", error))?;
        let others = |has: &dyn Fn(&dyn AnyGame) -> bool| {
            options::listed(self.games().filter(|game| has(*game)).map(AnyGame::name))
        };
        game.plan(request).map_err(|error| match (error.field(), request) {
            ("game", Request::Solve(_)) => {
                let others = others(&|game| !game.objectives().is_empty());
                RequestError::new("game", format!("{error}; games that have one: {others}"))
            }
            ("game", Request::Bound(_)) => {
                let others = others(&|game| game.has_bounds());
                RequestError::new("game", format!("{error}; games that have: {others}"))
            }
            _ => error,
        })
    }
}

impl<Games> Builder<Games> {
    /// Adds a game; the general agents play it. One with the name of another takes its place.
    ///
    /// # Panics
    /// When it breaks a promise of [`CardGame`] that can be looked at here, and when an agent of its kit cannot be called by its name
    /// or refuses its own defaults.
    #[must_use]
    pub fn game<G: CardGame>(mut self) -> Builder<(G, Games)> {
        self.registry.add::<G>();
        Builder { registry: self.registry, games: PhantomData }
    }

    /// Adds an agent that plays all games so far, and none that are added after it. One with the name of another takes its place, in
    /// presets too: unless that is meant, it needs a name of its own (`sim list agents`).
    ///
    /// # Panics
    /// When it cannot be called by its name, as with that of a preset, or refuses its own defaults.
    #[must_use]
    pub fn agent<A>(mut self) -> Self
    where
        Games: PlayedBy<A>,
    {
        Games::add(&mut self.registry);
        self
    }

    /// Adds an agent that plays this game, which was added before. As for names, see [`Builder::agent`].
    ///
    /// # Panics
    /// As there, and when the game is not among those that were added.
    #[must_use]
    pub fn agent_of<G: CardGame, A: Configure<G>>(mut self) -> Self {
        let is_there = self.registry.add_agent(&Entry::<G>::of::<A>());
        assert!(is_there, "the agent '{}' is of the game {}: add that first, by `.game`", A::NAME, G::NAME);
        self
    }

    /// The registry.
    ///
    /// # Panics
    /// When the kit of a game has defaults for an agent that is not there: they would do nothing, without a word.
    #[must_use]
    pub fn build(self) -> Registry {
        for game in self.registry.games() {
            if let Some(agent) = game.missing_agent() {
                panic!("the game {} has defaults for the agent '{agent}', which is not there", game.name());
            }
        }
        self.registry
    }
}

impl<Games> From<Builder<Games>> for Registry {
    fn from(builder: Builder<Games>) -> Self {
        builder.build()
    }
}

/// A list of games all of which an agent can play.
pub trait PlayedBy<A> {
    #[doc(hidden)]
    fn add(registry: &mut Registry);
}

impl<A> PlayedBy<A> for () {
    fn add(_: &mut Registry) {}
}

impl<A: Configure<G>, G: CardGame, Rest: PlayedBy<A>> PlayedBy<A> for (G, Rest) {
    fn add(registry: &mut Registry) {
        registry.add_agent(&Entry::<G>::of::<A>());
        Rest::add(registry);
    }
}

impl<G: CardGame> AnyGame for Game<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn summary(&self) -> &'static str {
        G::SUMMARY
    }

    fn rules_text(&self) -> &'static str {
        G::RULES
    }

    fn rules(&self) -> Vec<OptionDoc> {
        options::describe::<G::Rules>()
    }

    fn default_rules(&self) -> Fields {
        options::recorded(&G::Rules::default())
    }

    fn agents(&self) -> Vec<(&'static str, &'static str, Vec<OptionDoc>)> {
        let kit = G::kit(&G::Rules::default());
        self.agents.iter().map(|entry| (entry.name, entry.summary, entry.options(&kit))).collect()
    }

    fn seats(&self, rules: &Fields) -> Result<usize, OptionError> {
        Ok(self.ruleset(rules)?.seats())
    }

    fn has_teams(&self, rules: &Fields) -> Result<bool, OptionError> {
        let teams = G::teams(&games::read_rules::<G>(rules)?, self.seats(rules)?);
        Ok(teams.into_iter().enumerate().any(|(seat, team)| seat != team))
    }

    fn view_schema(&self) -> Option<Schema> {
        G::kit(&G::Rules::default()).shown.map(|shown| shown.schema())
    }

    fn evaluators(&self) -> Vec<&'static str> {
        G::kit(&G::Rules::default()).evaluators()
    }

    fn policies(&self) -> Vec<&'static str> {
        G::kit(&G::Rules::default()).policies()
    }

    fn measures(&self) -> &'static [TallyMeasure] {
        <G::Tally as Tally<G>>::MEASURES
    }

    fn tables(&self) -> &'static [TableForm] {
        <G::Tally as Tally<G>>::TABLES
    }

    fn models(&self) -> Vec<Arc<Model>> {
        G::kit(&G::Rules::default()).list_models()
    }

    fn refusal(&self, model: &Model) -> Option<ModelError> {
        let rules = G::Rules::default();
        G::kit(&rules).refusal(model, &rules)
    }

    fn objectives(&self) -> Vec<(&'static str, &'static str)> {
        let objectives = G::kit(&G::Rules::default()).objectives;
        objectives.iter().map(|objective| (objective.name, objective.question)).collect()
    }

    fn has_bounds(&self) -> bool {
        G::kit(&G::Rules::default()).bounding.is_some()
    }

    fn has_exact(&self) -> bool {
        G::kit(&G::Rules::default()).exact.is_some()
    }

    fn measure(&self) -> Option<Measure> {
        let rules = G::Rules::default();
        let kit = G::kit(&rules);
        (kit.by_score || kit.bounding.is_some()).then(|| Measure::of_game::<G>(&rules))
    }

    fn plan(&self, request: &Request) -> Result<Box<dyn Planned>, RequestError> {
        studies::plan(request, &self.agents)
    }

    fn resolved(&self, agent: &AgentSpec, rules: &Fields) -> Option<AgentSpec> {
        let rules = games::read_rules::<G>(rules).ok()?;
        let prepared = registry::prepare_for(&self.agents, G::NAME, agent, &rules, None).ok()?;
        Some(studies::spec(&prepared))
    }

    fn ruleset(&self, rules: &Fields) -> Result<Box<dyn Ruleset>, OptionError> {
        Ok(Box::new(Ruled::new(rules, &self.agents)?))
    }

    fn small(&self, request: &SmallGameRequest) -> Result<Box<dyn SmallGame + '_>, RequestError> {
        small::small(&self.agents, request)
    }

    fn check(&self, transcript: &Transcript) -> Result<(), ReplayError> {
        referee::check::<G>(transcript)
    }

    fn training(
        &self,
        deals: (&Spreads, Option<&ShortDeck>),
        schedule: &Schedule,
        seed: u64,
        before: Option<&Model>,
    ) -> Result<Trainable, TrainingError> {
        trainable::set_up(&self.agents, deals, schedule, seed, before)
    }

    fn missing_agent(&self) -> Option<&'static str> {
        let kit = G::kit(&G::Rules::default());
        kit.agents_with_defaults().find(|agent| self.agents.iter().all(|entry| entry.name != *agent))
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::check_tables;
    use std::panic::catch_unwind;

    /// A table in the place of another would be lost, or be counted twice.
    #[test]
    fn own_tables_have_names_of_their_own() {
        check_tables("nines", &["pairs.csv", "colours.csv"]);
        for own in
            [&["tally.csv"][..], &["cells.csv"], &["a.csv", "a.csv"], &["manifest.json"], &["in/a.csv"]]
        {
            assert!(catch_unwind(|| check_tables("nines", own)).is_err(), "{own:?}");
        }
    }
}
