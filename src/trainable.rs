//! What a training needs of a game: its net, the rules that its games draw from, and the players whom the net meets.

use crate::cards::Card;
use crate::games::promises::{BrokenPromise, check_rules};
use crate::games::{self, CardGame, DeckError, ShortDeck, rules_owner};
use crate::learnt;
use knave_agents::learn::Model;
use knave_agents::options::spread::Spreads;
use knave_agents::options::{self, Fields, OptionError};
use knave_agents::registry::{self, Prepared};
use knave_agents::rng::stream;
use knave_agents::training::{DrawnDeals, DrawnRules, RivalSeats, Schedule, Training};
use knave_agents::{AgentSpec, Entry, ModelId, Role, SpecError};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::iter::once;

pub use knave_agents::training::BEFORE;

/// Whether this rival, or player whom it meets, plays by the model that its training goes on from.
#[must_use]
pub fn plays_by_the_model_before(player: &str) -> bool {
    player.parse::<AgentSpec>().is_ok_and(|spec| spec.options.values().any(|value| value == BEFORE))
}

/// A net that is about to be trained, and what a model's header says of its game.
pub struct Trainable {
    /// The net.
    pub training: Box<dyn Training>,
    /// Every option of the rules, as a model's header has them ([`knave_agents::learn::Header::rules`]).
    pub rules: Value,
    /// The short deck of every game, if it is one.
    pub cards: Option<ShortDeck>,
    /// The version of the rules.
    pub rules_version: u32,
    /// By what the rival and the player whom it meets play.
    pub rivals: Rivals,
}

/// By what rivals play, beside what their texts say, and what there is to say of them.
#[derive(Default)]
pub struct Rivals {
    /// Their models, without the one that [`BEFORE`] stands for.
    pub models: Vec<ModelId>,
    /// What preset files come to, by the text of the player: agents and all their parameters, under each of the rules.
    pub presets: BTreeMap<String, Vec<Value>>,
    /// Notes for the user, each once.
    pub notes: Vec<String>,
}

impl Rivals {
    /// Notes a model that plays in games with these cards.
    fn note_model<G: CardGame>(&mut self, model: &ModelId, deck: &[Card]) {
        if !self.models.contains(model) {
            self.models.push(model.clone());
        }
        learnt::notes::<G>(once(model), deck).into_iter().for_each(|note| self.say(note));
    }

    fn say(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Notes an agent, in games with these cards.
    fn note<G: CardGame>(&mut self, player: &str, agent: &Prepared<G>, deck: &[Card]) {
        // A header tells of the model before as what the training goes on from.
        let uses = agent.uses.iter().filter(|used| used.name != BEFORE);
        uses.filter_map(|used| used.model.as_ref()).for_each(|model| self.note_model::<G>(model, deck));
        agent.notes.iter().for_each(|note| self.say(note.clone()));
        if player.split(':').next().is_some_and(|name| name.ends_with(".toml")) {
            let resolved = json!({ "agent": agent.agent, "parameters": agent.parameters });
            let presets = self.presets.entry(player.to_owned()).or_default();
            if !presets.contains(&resolved) {
                presets.push(resolved);
            }
        }
    }
}

/// An error of setting up a training.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrainingError {
    /// The rules were refused.
    #[error(transparent)]
    Rules(#[from] OptionError),
    /// The game breaks a promise under some of the rules.
    #[error("rules: {0}")]
    Promise(#[from] BrokenPromise),
    /// The cards were refused.
    #[error("cards: {0}")]
    Cards(#[from] DeckError),
    /// The game has nothing that a net could learn from.
    #[error("{0} has no features to learn from")]
    NoFeatures(&'static str),
    /// The game is for one.
    #[error(
        "{option}={player} is refused: {game} is for one, so there is no other seat for a rival; {expected}"
    )]
    NoSeat {
        /// The option that names the player.
        option: &'static str,
        /// What was asked for.
        player: String,
        /// The game.
        game: &'static str,
        /// What would be right.
        expected: &'static str,
    },
    /// A player is a policy of the game, which is not made for the rules.
    #[error(
        "{option}={player} is refused: it is not made for these rules; expected one of {policies}, or an agent"
    )]
    NotMade {
        /// The option that names the player.
        option: &'static str,
        /// What was asked for.
        player: String,
        /// The policies for these rules.
        policies: String,
    },
    /// A player is none of the game's policies, nor an agent that can take a seat.
    #[error(
        "{option} {player} is no policy for {game} under these rules (its policies: {policies}), and as an agent: {reason}"
    )]
    Rival {
        /// The option that names the player.
        option: &'static str,
        /// What was asked for.
        player: String,
        /// The game.
        game: &'static str,
        /// Its policies for these rules.
        policies: String,
        /// Why it is no agent that can take a seat.
        reason: String,
    },
}

/// Sets up a training of this game, which these agents play, with a short deck or all cards. `before` is the model that [`BEFORE`]
/// stands for.
///
/// # Errors
/// When the rules, the cards or the schedule are refused.
pub(crate) fn set_up<G: CardGame>(
    agents: &[Entry<G>],
    (rules, cards): (&Spreads, Option<&ShortDeck>),
    schedule: &Schedule,
    seed: u64,
    before: Option<&Model>,
) -> Result<Trainable, TrainingError> {
    let (rules, recorded) = drawn_rules::<G>(rules)?;
    rules.iter().try_for_each(|rules| check_rules::<G>(rules).map(|_| ()))?;
    if let Some(cards) = cards {
        rules.iter().try_for_each(|rules| cards.check::<G>(rules))?;
    }
    let kit = G::kit(rules.first());
    let make = kit.training.ok_or(TrainingError::NoFeatures(G::NAME))?;
    // Prepared before the first game: a model that is replaced meanwhile changes nothing.
    let mut prepared: Vec<(String, Fields, Prepared<G>)> = Vec::new();
    let mut rivals = Rivals::default();
    let deck = cards.map_or_else(G::full_deck, |cards| cards.as_slice().to_vec());
    for (option, player) in schedule.others() {
        let refused = |rules: &G::Rules, reason: String| {
            let is_made = |name: &&str| kit.find_policy(name, rules).is_some();
            let policies = options::listed(kit.policies().into_iter().filter(is_made));
            let player = player.to_owned();
            match kit.policies().contains(&&*player) {
                true => TrainingError::NotMade { option, player, policies },
                false => TrainingError::Rival { option, player, game: G::NAME, policies, reason },
            }
        };
        let seats = G::deal(rules.first(), &mut stream(seed, 0, Role::Deal)).seats();
        let expected = match schedule.rival_seats {
            RivalSeats::Others => Some("leave it out, or give it every seat with rival_seats=all"),
            RivalSeats::All => (option != "rival").then_some("leave it out"),
        };
        if let Some(expected) = expected.filter(|_| seats == 1) {
            let player = player.to_owned();
            return Err(TrainingError::NoSeat { option, player, game: G::NAME, expected });
        }
        let find = find_agent(agents, player, before);
        for rules in rules.iter() {
            if let Some(policy) = kit.find_policy(player, rules) {
                policy.model().into_iter().for_each(|model| rivals.note_model::<G>(model, &deck));
                continue;
            }
            let agent = find(rules).map_err(|error| refused(rules, error.to_string()))?.one_at_a_time();
            if agent.is_batched() {
                return Err(refused(rules, "it plays in runs and comparisons alone".to_owned()));
            }
            rivals.note(player, &agent, &deck);
            prepared.push((player.to_owned(), options::recorded(rules), agent));
        }
    }
    let make_player = move |player: &str, rules: &G::Rules, seats: usize| {
        let rules = options::recorded(rules);
        let known = prepared.iter().find(|(name, known, _)| name == player && *known == rules);
        let (_, _, agent) = known.expect("one for all players and rules");
        Some((0..seats).map(|_| agent.make()).collect())
    };
    let cards = cards.filter(|cards| cards.cards() < G::full_deck().len()).cloned();
    let deals = match cards.clone() {
        None => rules.into(),
        Some(cards) => DrawnDeals::new(rules, move |rules, rng| {
            cards.deal(rules, rng).unwrap_or_else(|error| unreachable!("checked: {error}"))
        }),
    };
    Ok(Trainable {
        training: make(deals, schedule, Box::new(make_player), seed),
        rules: recorded,
        cards,
        rules_version: G::RULES_VERSION,
        rivals,
    })
}

/// Finds an agent by its text, under any rules. [`BEFORE`] in its options is this model.
fn find_agent<'a, G: CardGame>(
    agents: &'a [Entry<G>],
    name: &str,
    before: Option<&'a Model>,
) -> impl Fn(&G::Rules) -> Result<Prepared<G>, SpecError> + use<'a, G> {
    let spec: Result<AgentSpec, _> = name.parse();
    move |rules| registry::prepare_rival(agents, G::NAME, spec.as_ref().map_err(Clone::clone)?, rules, before)
}

/// The rules that the games of a training draw from, and the same as a model's header records them.
fn drawn_rules<G: CardGame>(spreads: &Spreads) -> Result<(DrawnRules<G::Rules>, Value), OptionError> {
    let (mut kinds, mut recorded) = (Vec::new(), Vec::new());
    for (share, given) in spreads.tables()? {
        let sets = options::spread::spread(&rules_owner::<G>(), &given)?;
        let sets = sets.iter().map(games::read_rules::<G>).collect::<Result<Vec<_>, _>>()?;
        let mut all = options::recorded(&sets[0]);
        for (name, value) in &given {
            // Lists and ranges stay; single values are recorded as the rules have read them.
            let recorded = |set| options::recorded(set).get(name).cloned().unwrap_or_default();
            let values: Vec<Value> = sets.iter().map(recorded).collect();
            if values.iter().any(|other| *other != values[0]) {
                let mut different: Vec<Value> = Vec::new();
                values.into_iter().for_each(|value| {
                    if !different.contains(&value) {
                        different.push(value);
                    }
                });
                let spread = if value.is_string() { value.clone() } else { different.into() };
                all.insert(name.clone(), spread);
            }
        }
        kinds.push((share, sets));
        recorded.push(Value::Object(all));
    }
    let rules = DrawnRules::mixed(kinds).ok_or_else(|| {
        OptionError::refused("rules", &"[]", "expected at least one table").of(&rules_owner::<G>())
    })?;
    let recorded = if recorded.len() == 1 { recorded.remove(0) } else { recorded.into() };
    Ok((rules, recorded))
}
