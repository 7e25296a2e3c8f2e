//! The registry of agents for every game. A new one is a file in `players/` and a line here.

use crate::agent::Agent;
use crate::batch::OneGame;
use crate::exact::Starts;
use crate::game::Game;
use crate::kit::{Copies, Entry, Kit, Setup, Tools, Used, untrained};
use crate::learn::Model;
use crate::options::{self, OptionError, listed};
use crate::players;
use crate::presets::{Preset, choose_for_rules};
use crate::spec::{AgentSpec, SpecError};
use serde_json::Value;
use std::sync::Arc;

/// A prepared agent: its options are fixed, and it is ready to be copied to every worker.
pub struct Prepared<G: Game> {
    /// Its label, or the agent's or preset's name with the given options.
    pub label: String,
    /// The agent's own name.
    pub agent: String,
    /// Every parameter, defaults included.
    pub parameters: Value,
    /// The evaluators and policies that it uses.
    pub uses: Vec<Used>,
    /// Notes for the user, such as options that have other names now.
    pub notes: Vec<String>,
    is_trusted: bool,
    make: Copies<G>,
}

impl<G: Game> Clone for Prepared<G> {
    fn clone(&self) -> Self {
        Self {
            label: self.label.clone(),
            agent: self.agent.clone(),
            parameters: self.parameters.clone(),
            uses: self.uses.clone(),
            notes: self.notes.clone(),
            is_trusted: self.is_trusted,
            make: Arc::clone(&self.make),
        }
    }
}

impl<G: Game> Prepared<G> {
    /// The identity of a prepared agent: the same for its clones, and for no other that is alive.
    #[must_use]
    pub fn id(&self) -> usize {
        Arc::as_ptr(&self.make).addr()
    }

    /// A fresh copy of the agent.
    #[must_use]
    pub fn make(&self) -> Box<dyn Agent<G>> {
        (self.make)()
    }

    /// Whether its moves are played without a check ([`Entry::trusted`]).
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// The same agent, asked about one position at a time, whatever it likes. One that may fail stays as it is, for in games alone that is
    /// counted, and so does one whose copies wait for each other.
    #[must_use]
    pub fn one_at_a_time(mut self) -> Self {
        let agent = self.make();
        if agent.batch().is_some() && !agent.may_fail() && !agent.is_shared() {
            let make = Arc::clone(&self.make);
            self.make = Arc::new(move || Box::new(OneGame::new(Arc::clone(&make))));
        }
        self
    }

    /// Whether it plays many games at once, and is asked by [`Agent::choose_batch`] alone.
    #[must_use]
    pub fn is_batched(&self) -> bool {
        self.make().batch().is_some()
    }
}

/// The general agents, which can play every game.
#[must_use]
pub fn general<G: Tools>() -> Vec<Entry<G>> {
    let entries = vec![
        Entry::of::<players::random::Random<G>>(),
        Entry::of::<players::greedy::Greedy<G>>(),
        Entry::of::<players::rule::ByPolicy<G>>(),
        Entry::of::<players::flat::Flat<G>>(),
        Entry::of::<players::mcts::Mcts<G>>(),
    ];
    entries.into_iter().map(Entry::trusted).collect()
}

/// The agents that can play a game with this kit: the general ones, the exact one where small games are written out, and its own.
#[must_use]
pub fn agents<G: Tools>(kit: &Kit<G>) -> Vec<Entry<G>> {
    let mut entries = general();
    entries.extend(kit.exact.is_some().then(|| Entry::of::<players::exact::Exact<G>>().trusted()));
    for own in &kit.agents {
        match entries.iter_mut().find(|entry| entry.name == own.name) {
            Some(entry) => entry.clone_from(own),
            None => entries.push(own.clone()),
        }
    }
    entries
}

/// The agents that some games alone have. There the name is right, so that no other is guessed.
const OF_SOME_GAMES: [&str; 2] = ["exact", "expectimax"];

/// What to say of a name that no agent of a game has: that other games have it, or which one is near.
fn hint_of<'a>(game: &str, name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    match OF_SOME_GAMES.contains(&name) {
        true => format!(" in {game} (other games have it)"),
        false => options::hint(name, names),
    }
}

/// Prepares the agent or preset that `spec` names.
///
/// Options are layered: the agent's own defaults, the game's, the preset's, and those that were given.
///
/// # Errors
/// When there is no such agent, preset or option, or a value is refused.
pub fn prepare<G: Tools>(
    entries: &[Entry<G>],
    game: &str,
    spec: &AgentSpec,
    rules: &G::Rules,
) -> Result<Prepared<G>, SpecError> {
    prepare_for(entries, game, spec, rules, None)
}

/// The same for a game with few cards, all of whose deals are known.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_for<G: Tools>(
    entries: &[Entry<G>],
    game: &str,
    spec: &AgentSpec,
    rules: &G::Rules,
    starts: Option<&Starts<G>>,
) -> Result<Prepared<G>, SpecError> {
    prepare_with(entries, game, spec, rules, (starts, None))
}

/// The same for a training, in which [`BEFORE`](crate::training::BEFORE) is the name of this model.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_rival<G: Tools>(
    entries: &[Entry<G>],
    game: &str,
    spec: &AgentSpec,
    rules: &G::Rules,
    before: Option<&Model>,
) -> Result<Prepared<G>, SpecError> {
    prepare_with(entries, game, spec, rules, (None, before))
}

/// Whether a text can stand in tables and on the screen: something in it is seen, on one line and in the order in which it stands.
fn is_seen(text: &str) -> bool {
    let turns = |c| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let has_no_width = |c| matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
    !text.contains(|c| turns(c) || breaks(c)) && text.chars().any(|c| !c.is_whitespace() && !has_no_width(c))
}

fn prepare_with<G: Tools>(
    entries: &[Entry<G>],
    game: &str,
    spec: &AgentSpec,
    rules: &G::Rules,
    (starts, before): (Option<&Starts<G>>, Option<&Model>),
) -> Result<Prepared<G>, SpecError> {
    if let Some(label) = spec.label.as_ref().filter(|label| !is_seen(label)) {
        let owner = format!("agent {}", spec.name);
        let reason = format!(
            "label={label:?} is refused: expected a text on one line, with something to be seen and nothing that turns its order"
        );
        return Err(OptionError::Unfit { owner, reason }.into());
    }
    let preset = Preset::find(&spec.name)?;
    let (name, preset_options) = match &preset {
        Some(preset) => preset.for_game(game),
        None => (spec.name.as_str(), options::Fields::new()),
    };
    let Some(entry) = entries.iter().find(|entry| entry.name == name) else {
        let names = || entries.iter().filter(|entry| entry.by_name).map(|entry| entry.name);
        let (agents, presets) = (listed(names()), listed(Preset::names()));
        return Err(match &preset {
            Some(preset) if Preset::names().any(|known| known == name) => {
                preset.refuse_agent(game, format!("'{name}' is a preset itself; agents: {agents}"))
            }
            Some(preset) => {
                let hint = hint_of(game, name, names());
                preset.refuse_agent(game, format!("unknown agent '{name}'{hint}; agents: {agents}"))
            }
            None => {
                let hint = hint_of(game, name, names().chain(Preset::names()));
                SpecError::Unknown { name: name.to_owned(), hint, agents, presets }
            }
        });
    };
    let kit = G::kit(rules);
    let owner = format!("agent {}", entry.name);
    let (given, given_notes) = options::rename(&owner, spec.options.clone(), entry.renamed)?;
    // What is wrong with a preset is told with its file and line.
    let located = |error: OptionError| match &preset {
        Some(preset) => preset.located(game, &given, error),
        None => error.into(),
    };
    let (preset_options, mut notes) =
        options::rename(&owner, preset_options, entry.renamed).map_err(&located)?;
    let named = options::overlay(preset_options, &given);
    let (named, mut untrained_notes, of_base) = choose_for_rules(named, &given, entry, &kit, rules);
    notes.extend(given_notes);
    let options = options::overlay(kit.defaults(entry.name), &named);
    let setup = Setup::new(entry.name, &kit, rules).with_starts(starts).with_before(before);
    let (mut parameters, make) = (entry.make)(&options, &setup).map_err(&located)?;
    let found = setup.into_found();
    // What an empty name stood for.
    for (option, name) in found.chosen {
        if let Some(value) = parameters.get_mut(&option).filter(|value| **value == "") {
            *value = name.into();
        }
    }
    let stands_in =
        |&&(agent, option, _): &&(&str, &str, _)| agent == entry.name && !named.contains_key(option);
    untrained_notes.splice(..0, kit.stand_ins.iter().filter(stands_in).map(|(.., name)| untrained(name)));
    // What a search keeps to is no player of its own, and the rest of it may be learnt.
    if untrained_notes.is_empty() && found.uses.iter().all(|used| used.model.is_none()) {
        untrained_notes.extend(of_base);
    }
    notes.extend(untrained_notes);
    notes.extend(found.notes);
    let (label, agent) = (spec.to_string(), entry.name.to_owned());
    Ok(Prepared { label, agent, parameters, uses: found.uses, notes, is_trusted: entry.is_trusted, make })
}

#[cfg(test)]
mod tests {
    use super::is_seen;

    /// Tables could not tell labels apart that are not seen, or that another order of writing makes look alike. What somebody writes
    /// in a script of their own is seen.
    #[test]
    fn labels_are_seen() {
        let persian = "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}";
        for label in ["mcts", "a \"b\" \\ 'c'", persian, "\u{5f37}\u{3000}\u{624b}", "a\u{a0}b"] {
            assert!(is_seen(label), "{label:?}");
        }
        for label in ["", " ", "a\nb", "\u{200b}", "\u{202e}abc", "a\u{2028}b", "\u{1b}[2J"] {
            assert!(!is_seen(label), "{label:?}");
        }
    }
}
