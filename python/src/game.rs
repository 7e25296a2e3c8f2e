//! Games under certain rules, and positions.

use super::REGISTRY;
use super::convert::{self, failed, lock, refused, to_fields, to_python};
use super::session::{apart, warn};
use knave::cards::Card;
use knave::live::{self, PlayError, PositionError};
use knave_agents::AgentSpec;
use knave_agents::encoding::Part;
use knave_agents::presets::Preset;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

/// The games: a dictionary a game, with `game` (its name), `summary` and `rules` (the options); `objectives` of exact answers, and
/// `has_bounds`; the names of its `evaluators` and `policies`, the default first.
#[pyfunction]
pub fn games(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let mut games: Vec<Value> = Vec::new();
    for game in REGISTRY.games() {
        let mut objectives: Vec<Value> = Vec::new();
        for (name, question) in game.objectives() {
            objectives.push(serde_json::json!({ "objective": name, "question": question }));
        }
        games.push(serde_json::json!({
            "game": game.name(),
            "summary": game.summary(),
            "rules": game.rules(),
            "objectives": objectives,
            "has_bounds": game.has_bounds(),
            "evaluators": game.evaluators(),
            "policies": game.policies(),
        }));
    }
    to_python(py, &games)
}

/// The agents that play a game: a dictionary each, with `agent` (its name), `summary` and `options` with this game's defaults.
#[pyfunction]
pub fn agents<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = convert::game)] game: String,
) -> PyResult<Bound<'py, PyAny>> {
    let game = REGISTRY.game(&game).map_err(|error| refused(py, &error))?;
    // Objects of Python are given as such.
    let agents = game.agents().into_iter().filter(|(name, ..)| *name != "python");
    let agents: Vec<_> = agents
        .map(|(name, summary, options)| serde_json::json!({ "agent": name, "summary": summary, "options": options }))
        .collect();
    to_python(py, &agents)
}

/// The presets: a dictionary each, with `preset` (its name), `summary` and `agent`, the agent that it is in a game.
#[pyfunction]
pub fn presets<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = convert::game)] game: String,
) -> PyResult<Bound<'py, PyAny>> {
    let game = REGISTRY.game(&game).map_err(|error| refused(py, &error))?;
    let mut presets: Vec<Value> = Vec::new();
    for name in Preset::names() {
        let Some(preset) = Preset::find(name).map_err(|error| refused(py, &error))? else { continue };
        let agent = preset.spec(game.name()).to_string();
        presets.push(serde_json::json!({ "preset": name, "summary": preset.summary, "agent": agent }));
    }
    to_python(py, &presets)
}

/// What `tally.csv` counts in a game: a dictionary each, with `measure` (its name), `unit`, `key` (what its keys are) and `meaning`.
#[pyfunction]
pub fn measures<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = convert::game)] game: String,
) -> PyResult<Bound<'py, PyAny>> {
    let game = REGISTRY.game(&game).map_err(|error| refused(py, &error))?;
    to_python(py, &game.measures())
}

/// The trained models that come with a game: a dictionary each, as `sim list models --json` has it.
#[pyfunction]
pub fn models<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = convert::game)] game: String,
) -> PyResult<Bound<'py, PyAny>> {
    let game = REGISTRY.game(&game).map_err(|error| refused(py, &error))?;
    let models: Vec<Value> = game.models().iter().map(|model| model.described()).collect();
    to_python(py, &models)
}

/// How something is made again elsewhere: a function of Python's, and its arguments.
pub type Made<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

/// A game under certain rules. Games of the same name and rules are equal.
#[pyclass(frozen, module = "knave")]
pub struct Game {
    pub ruleset: Arc<dyn live::Ruleset>,
}

impl Game {
    fn parts(&self, py: Python<'_>) -> PyResult<(&'static [Part], &'static [Part])> {
        let game = self.ruleset.game();
        self.ruleset.arrays().ok_or_else(|| refused(py, &format!("{game} has no array encoding")))
    }

    /// The cards that a deck lacks, and `is` or `are`; `None` where it is whole, or wrong in another way.
    fn lacking(&self, deck: &[Card]) -> Option<String> {
        const MOST: usize = 8;
        // Every game is dealt from a whole deck.
        let mut whole: Vec<Card> =
            serde_json::from_value(self.ruleset.deal(1, 0).reveal_hidden()["deck"].clone()).ok()?;
        whole.sort();
        let missing: Vec<&Card> = whole.iter().filter(|card| !deck.contains(card)).collect();
        // Otherwise some come twice, or are not of this game.
        let is_part = deck.len() + missing.len() == whole.len();
        if !is_part || missing.is_empty() {
            return None;
        }
        let shown: Vec<String> = missing.iter().take(MOST).map(ToString::to_string).collect();
        let more = match missing.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!("{}{more} {}", shown.join(" "), if missing.len() == 1 { "is" } else { "are" }))
    }
}

/// Parts as a list of dictionaries: name, first position, length, meaning.
fn listed<'py>(py: Python<'py>, parts: &[Part]) -> PyResult<Bound<'py, PyAny>> {
    let mut first = 0;
    let parts: Vec<_> = parts
        .iter()
        .map(|part| {
            let part = serde_json::json!({ "name": part.name, "first": first, "length": part.length, "meaning": part.meaning });
            first += part["length"].as_u64().unwrap_or_default();
            part
        })
        .collect();
    to_python(py, &parts)
}

#[pymethods]
impl Game {
    /// The game of this name; options of the rules that are not given have their defaults.
    #[new]
    #[pyo3(signature = (name, rules=None))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = convert::name)] name: String,
        rules: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let rules = to_fields("rules", rules)?;
        let game = REGISTRY.game(&name).map_err(|error| refused(py, &error))?;
        let ruleset = game.ruleset(&rules).map_err(|error| refused(py, &error))?;
        Ok(Self { ruleset: ruleset.into() })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.ruleset.game()
    }

    /// The options of the rules, as transcripts record them: one that does nothing by default is left out until it has another value.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.ruleset.rules())
    }

    /// The number of seats.
    #[getter]
    fn seats(&self) -> usize {
        self.ruleset.seats()
    }

    /// The parts of an observation, in order: name, first position, length, meaning.
    #[getter]
    fn observation_parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        listed(py, self.parts(py)?.0)
    }

    /// The parts of the actions, in order: name, first action, length, meaning.
    #[getter]
    fn action_parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        listed(py, self.parts(py)?.1)
    }

    /// Deals game `index` of the run with this seed, and plays chance to the first decision.
    #[pyo3(signature = (seed=1, index=0))]
    fn deal(
        &self,
        #[pyo3(from_py_with = convert::seed)] seed: u64,
        #[pyo3(from_py_with = convert::index)] index: u64,
    ) -> Position {
        Position::new(&self.ruleset, self.ruleset.deal(seed, index), false)
    }

    /// Deals from these cards, top first. What is random after the deal follows from seed and index. A deck that lacks cards is refused
    /// unless it may be short.
    #[pyo3(signature = (deck, seed=1, index=0, *, short_deck=false))]
    fn deal_deck(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::deck)] deck: Vec<String>,
        #[pyo3(from_py_with = convert::seed)] seed: u64,
        #[pyo3(from_py_with = convert::index)] index: u64,
        #[pyo3(from_py_with = convert::short_deck)] short_deck: bool,
    ) -> PyResult<Position> {
        let cards = deck.iter().map(|card| card.parse()).collect::<Result<Vec<Card>, _>>();
        let cards = cards.map_err(|error| refused(py, &format!("deck: {error}")))?;
        if !short_deck && let Some(lacking) = self.lacking(&cards) {
            let advice = "(decks that are meant to be short: short_deck=True)";
            return Err(refused(py, &format!("deck: {lacking} missing {advice}")));
        }
        let position = self.ruleset.deal_deck(&cards, (seed, index));
        let position = position.map_err(|error| refused(py, &format!("deck: {error}")))?;
        Ok(Position::new(&self.ruleset, position, true))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.ruleset.game() == other.ruleset.game() && self.ruleset.rules() == other.ruleset.rules()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.ruleset.game(), Value::Object(self.ruleset.rules()).to_string()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Game('{}', {})", self.name(), self.rules(py)?.repr()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Made<'py, (&'static str, Bound<'py, PyAny>)>> {
        Ok((py.import("knave")?.getattr("Game")?, (self.name(), self.rules(py)?)))
    }
}

/// A game under way. What a player may not know is given by `reveal_hidden` alone.
#[pyclass(frozen, module = "knave")]
pub struct Position {
    game: Arc<dyn live::Ruleset>,
    /// Several threads may ask: nobody holds it for long.
    position: Mutex<Box<dyn live::Position>>,
    /// Whether the deck was given: in a match, decks after that one follow from other numbers than those of a deal.
    typed: bool,
}

fn told<T>(py: Python<'_>, result: Result<T, PositionError>) -> PyResult<T> {
    result.map_err(|error| match error {
        PositionError::Over | PositionError::NotOver | PositionError::World => failed(py, &error),
        PositionError::Agent(error) => refused(py, &convert::without_players(error)),
        error => refused(py, &error),
    })
}

impl Position {
    fn new(game: &Arc<dyn live::Ruleset>, position: Box<dyn live::Position>, typed: bool) -> Self {
        Self { game: Arc::clone(game), position: Mutex::new(position), typed }
    }

    /// Asks the position, or changes it. Nothing of Python's may happen meanwhile: the interpreter could turn to a thread that waits for
    /// the position, and would never come back.
    fn with<T>(&self, work: impl FnOnce(&mut dyn live::Position) -> T) -> T {
        work(&mut **lock(&self.position))
    }

    fn copied(&self) -> Box<dyn live::Position> {
        self.with(|position| position.copy())
    }

    /// The seat that is meant: this one, or the one whose turn it is.
    fn meant(&self, py: Python<'_>, seat: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        match seat {
            Some(seat) => convert::seat(seat, self.game.seats()),
            None => self.turn().ok_or_else(|| failed(py, &"the game is over: name a seat")),
        }
    }
}

#[pymethods]
impl Position {
    /// The game and its rules.
    #[getter]
    fn game(&self) -> Game {
        Game { ruleset: Arc::clone(&self.game) }
    }

    /// The seat whose turn it is; `None` when the game is over.
    #[getter]
    fn turn(&self) -> Option<usize> {
        self.with(|position| position.turn())
    }

    /// Whether the game is over.
    #[getter]
    fn over(&self) -> bool {
        self.turn().is_none()
    }

    /// The moves so far: seat and notation. Refused before the end in a game whose moves tell what seats hold: `reveal_hidden` has them.
    #[getter]
    fn played(&self, py: Python<'_>) -> PyResult<Vec<(usize, String)>> {
        let played = self.with(|position| {
            let is_public = position.is_public() || position.turn().is_none();
            is_public.then(|| position.played().to_vec())
        });
        played.ok_or_else(|| {
            let game = self.game.game();
            refused(
                py,
                &format!("played: the moves of {game} tell what seats hold; reveal_hidden() has them, too"),
            )
        })
    }

    /// The scores by seat, in points; `None` before the end.
    #[getter]
    fn scores(&self) -> Option<Vec<f64>> {
        Some(self.with(|position| position.results())?.into_iter().map(|(score, _)| score).collect())
    }

    /// The seats that won; `None` before the end.
    #[getter]
    fn winners(&self) -> Option<Vec<usize>> {
        let results = self.with(|position| position.results())?;
        Some(results.into_iter().enumerate().filter(|(_, (_, won))| *won).map(|(seat, _)| seat).collect())
    }

    /// The legal moves in their notation, in order; none when the game is over.
    fn moves(&self) -> Vec<String> {
        self.with(|position| position.moves())
    }

    /// Plays a move, and chance to the next decision. Returns the position itself.
    fn play<'py>(
        slf: Bound<'py, Self>,
        #[pyo3(from_py_with = convert::notation)] text: String,
    ) -> PyResult<Bound<'py, Self>> {
        let played = slf.get().with(|position| position.play(&text));
        played.map_err(|error| match error {
            PlayError::Over => failed(slf.py(), &error),
            PlayError::Move(_) => refused(slf.py(), &error),
        })?;
        Ok(slf)
    }

    /// All that the player knows whose turn it is: the data of `docs/protocol.md`. After the end any seat may look.
    #[pyo3(signature = (seat=None))]
    fn view<'py>(&self, py: Python<'py>, seat: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let meant = self.meant(py, seat)?;
        let (view, turn) = self.with(|position| (position.view(meant), position.turn()));
        let view = told(py, view)?;
        if turn.is_some_and(|turn| turn != meant) {
            let reason = "it is not this seat's turn; reveal_hidden() has the views of all";
            return Err(refused(py, &format!("seat={meant} is refused: {reason}")));
        }
        to_python(py, &view)
    }

    /// What nobody may know: the deck before the deal, top first (`None` in a sampled world), the moves, and the views of all seats.
    fn reveal_hidden<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let hidden = self.with(|position| position.reveal_hidden());
        to_python(py, &hidden)
    }

    /// A position that the player whose turn it is cannot tell from this one, drawn with its probability.
    fn sample_world(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::seed)] seed: u64,
    ) -> PyResult<Self> {
        let world = self.with(|position| position.sample_world(seed));
        Ok(Self::new(&self.game, told(py, world)?, self.typed))
    }

    /// The expected utility of a seat, in [0, 1], by an evaluator of the game; after the end the utility itself. The value goes by what
    /// that seat knows: for a seat that is not to move it tells of hidden cards.
    #[pyo3(
        signature = (seat=None, evaluator=String::new()),
        text_signature = "($self, seat=None, evaluator='')"
    )]
    fn value(
        &self,
        py: Python<'_>,
        seat: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = convert::evaluator)] evaluator: String,
    ) -> PyResult<f64> {
        let seat = self.meant(py, seat)?;
        let position = self.copied();
        told(py, py.detach(|| position.value(&evaluator, seat)))
    }

    /// The move that an agent would play. An interrupt ends the wait. The agent goes on in the background until it has decided: it cannot
    /// be stopped.
    #[pyo3(signature = (agent=None, seed=0))]
    fn hint(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::agent)] agent: Option<AgentSpec>,
        #[pyo3(from_py_with = convert::seed)] seed: u64,
    ) -> PyResult<String> {
        let spec = match agent {
            Some(agent) => agent,
            None => "mcts".parse::<AgentSpec>().map_err(|error| refused(py, &error))?,
        };
        let position = self.copied();
        let hinted = apart(py, move || Ok((position.hint(&spec, seed)?, position.check_agent(&spec)?)))?;
        let (hint, notes) = told(py, hinted)?;
        warn(py, &notes, 1)?;
        Ok(hint)
    }

    /// The finished game as one line of JSON, as `sim replay` reads it.
    #[pyo3(signature = (players=None))]
    fn transcript(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::players)] players: Option<Vec<String>>,
    ) -> PyResult<String> {
        let transcript = self.with(|position| {
            let players = players.unwrap_or_else(|| vec!["python".to_owned(); position.seats()]);
            position.transcript(&players)
        });
        told(py, transcript)
    }

    /// Another position that goes on from here by the same hidden cards. A search in it would see them; a fair one goes by
    /// `sample_world`.
    fn copy_hidden(&self) -> Self {
        Self::new(&self.game, self.copied(), self.typed)
    }

    fn __copy__(&self) -> PyResult<Self> {
        let reason =
            "a copy holds the hidden cards: take sample_world(seed) for a fair search, or copy_hidden()";
        Err(PyTypeError::new_err(reason))
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> PyResult<Self> {
        self.__copy__()
    }

    fn __repr__(&self) -> String {
        let turn = self.turn().map_or_else(|| "over".to_owned(), |seat| format!("seat {seat} to move"));
        format!("<Position of {}: {turn}>", self.game.game())
    }

    /// A position travels as its deck, where that was given, its seed and its moves.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Made<'py, (Bound<'py, PyAny>,)>> {
        let data = self.with(|position| {
            let (seed, index) = position.origin()?;
            let moves: Vec<&str> = position.played().iter().map(|(_, text)| text.as_str()).collect();
            let deck = if self.typed { position.reveal_hidden()["deck"].clone() } else { Value::Null };
            Some(serde_json::json!({
                "game": self.game.game(), "rules": self.game.rules(), "deck": deck, "seed": seed, "index": index, "moves": moves,
            }))
        });
        let sampled = || PyValueError::new_err("a sampled world cannot be pickled: it was never dealt");
        let data = data.ok_or_else(sampled)?;
        Ok((py.import("knave._pickle")?.getattr("position")?, (to_python(py, &data)?,)))
    }
}
