//! Data and errors between Rust and Python.

use knave_agents::options::{self, Fields, plainly};
use knave_agents::{AgentSpec, SpecError};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What threads share. Where one of them panicked it is as that one left it.
pub fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something of Rust's as Python's data: dictionaries, lists, numbers, texts.
pub fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(|error| PyTypeError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
}

/// Python's data as JSON.
pub fn to_json(value: &Bound<'_, PyAny>, field: &str) -> PyResult<Value> {
    let py = value.py();
    let plain = py.import("knave._data")?.call_method1("plain", (value, field))?;
    let text: String = py.import("json")?.call_method1("dumps", (plain,))?.extract()?;
    let field = if field.is_empty() { "request" } else { field };
    serde_json::from_str(&text).map_err(|error| refused(py, &format!("{field}: {error}")))
}

/// A dictionary of options; `None` is an empty one.
pub fn to_fields(name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Fields> {
    let Some(value) = value else { return Ok(Fields::new()) };
    match to_json(value, name)? {
        Value::Object(fields) => Ok(fields),
        _ => {
            let found = value.get_type().name()?;
            Err(refused(value.py(), &format!("{name}: expected a dict of options, found {found}")))
        }
    }
}

/// Whole numbers, such as the answers of a player or actions. Arrays of the right kind are taken as they are, if their numbers lie one
/// after the other and at places for whole numbers: a column of records has other gaps, which `as_array` would round.
pub fn whole_numbers(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<i64>> {
    if let Ok(array) = value.extract::<PyReadonlyArray1<'_, i64>>()
        && let Ok(numbers) = array.as_slice()
    {
        return Ok(numbers.to_vec());
    }
    let numbers = value.py().import("knave._data")?.call_method1("numbers", (value, name))?;
    Ok(numbers.extract::<PyReadonlyArray1<'_, i64>>()?.as_slice()?.to_vec())
}

/// A text, as the argument of this name.
fn text(value: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    value.py().import("knave._data")?.call_method1("text", (value, name))?.extract()
}

/// The argument `name`.
pub fn name(value: &Bound<'_, PyAny>) -> PyResult<String> {
    text(value, "name")
}

/// The argument `game`.
pub fn game(value: &Bound<'_, PyAny>) -> PyResult<String> {
    text(value, "game")
}

/// The argument `text`, a move.
pub fn notation(value: &Bound<'_, PyAny>) -> PyResult<String> {
    text(value, "text")
}

/// The argument `evaluator`.
pub fn evaluator(value: &Bound<'_, PyAny>) -> PyResult<String> {
    text(value, "evaluator")
}

/// A whole number that is not negative, as the argument of this name.
fn natural(value: &Bound<'_, PyAny>, name: &str) -> PyResult<u64> {
    value.py().import("knave._data")?.getattr("seed")?.call1((value, name))?.extract()
}

/// The argument `seed`.
pub fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    natural(value, "seed")
}

/// The argument `n`.
pub fn n(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    natural(value, "n")
}

/// The argument `index`.
pub fn index(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    natural(value, "index")
}

/// The argument `seat`, one of so many.
pub fn seat(value: &Bound<'_, PyAny>, seats: usize) -> PyResult<usize> {
    let whole = value.py().import("knave._data")?.getattr("whole")?;
    whole.call1((value, "seat", 0, seats - 1))?.extract()
}

/// The argument `deck`.
pub fn deck(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    texts(value, "deck", "cards, such as ['TD', '2C']")
}

/// The argument `short_deck`.
pub fn short_deck(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.py().import("knave._data")?.call_method1("truth", (value, "short_deck"))?.extract()
}

/// The argument `agent`, an agent by name; `None` for the usual one.
pub fn agent(value: &Bound<'_, PyAny>) -> PyResult<Option<AgentSpec>> {
    if value.is_none() {
        return Ok(None);
    }
    let py = value.py();
    let named = py.import("knave._data")?.call_method1("by_name", (value, "agent"))?;
    serde_json::from_value(to_json(&named, "agent")?).map(Some).map_err(|error| refused(py, &error))
}

/// The argument `players`, which may be left out.
pub fn players(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    if value.is_none() { Ok(None) } else { texts(value, "players", "names").map(Some) }
}

/// A list of texts, as the argument of this name.
fn texts(value: &Bound<'_, PyAny>, name: &str, what: &str) -> PyResult<Vec<String>> {
    value.extract().or_else(|_| {
        let shown = value.py().import("knave._data")?.call_method1("shown", (value,))?;
        Err(refused(value.py(), &format!("{name}={shown} is refused: expected a list of {what}")))
    })
}

/// The error without the agent that can neither give hints nor be an opponent: programs, which play in requests alone.
pub fn without_players(mut error: SpecError) -> SpecError {
    if let SpecError::Unknown { agents, .. } = &mut error {
        let names = agents.split(", ").filter(|name| *name != "exec");
        *agents = options::listed(names);
    }
    error
}

/// The package's exception for input that is refused before any work.
pub fn refused(py: Python<'_>, error: &impl Display) -> PyErr {
    exception(py, "RequestError", error)
}

/// The package's exception for work that failed.
pub fn failed(py: Python<'_>, error: &impl Display) -> PyErr {
    exception(py, "RunError", error)
}

/// The package's exception for what another is writing to.
pub fn busy(py: Python<'_>, error: &impl Display) -> PyErr {
    exception(py, "BusyError", error)
}

fn exception(py: Python<'_>, name: &str, error: &impl Display) -> PyErr {
    let class = py.import("knave.errors").and_then(|module| module.getattr(name));
    match class.and_then(|class| class.call1((with_arguments(&plainly(&error.to_string())),))) {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// What the options of `sim` that messages advise are called here.
const ARGUMENTS: [(&str, &str); 11] = [
    ("--control", "control"),
    ("--deals", "deals"),
    ("--force", "force=True"),
    ("--out", "out"),
    ("--resume", "resume=True"),
    ("--rule", "the rule"),
    ("--shard", "shard"),
    ("--short-deck", "short_deck=True"),
    ("--sprt", "sprt"),
    ("--transcripts", "transcripts"),
    ("--until", "until"),
];

/// The message with arguments in place of options. Only whole words are options, and what is quoted stays: it is the user's own.
fn with_arguments(message: &str) -> String {
    let quoted = |(place, part): (usize, &str)| if place % 2 == 1 { part.to_owned() } else { advised(part) };
    message.split('\'').enumerate().map(quoted).collect::<Vec<_>>().join("'")
}

fn advised(message: &str) -> String {
    let argument = |word: &str| {
        let option = word.trim_end_matches([',', ':', ';', ')']);
        let (_, argument) = ARGUMENTS.iter().find(|(name, _)| *name == option)?;
        Some(format!("{argument}{}", &word[option.len()..]))
    };
    message
        .split(' ')
        .map(|word| argument(word).unwrap_or_else(|| word.to_owned()))
        .collect::<Vec<_>>()
        .join(" ")
}
