//! What players written in Python are asked: many decisions at once.
//!
//! Nothing of a decision becomes an object of Python's before somebody asks for it.

use super::convert::{lock, to_python, whole_numbers};
use knave::bots::happening;
use knave::games::CardGame;
use knave_agents::encoding::Spelling;
use knave_agents::{Decision as Due, Encoding, Shown};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray as _, PyArray1, PyArray2};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyBaseException, PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PySlice;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How a game's views and moves are shown.
pub struct Tools<G: CardGame> {
    pub shown: Option<Shown<G>>,
    pub encoding: Option<Encoding<G>>,
}

/// What is asked, beside view and moves.
#[derive(Copy, Clone)]
pub struct Question {
    pub game: u64,
    pub seat: usize,
    pub seats: usize,
    pub seed: u64,
}

/// Why answers cannot be used.
pub struct Wrong {
    /// The question.
    pub question: Option<usize>,
    /// What was raised.
    pub error: PyErr,
}

/// Decisions of these types.
pub struct Batch<G: CardGame> {
    tools: Arc<Tools<G>>,
    questions: Vec<Question>,
    /// Views may keep what they have worked out, so that threads cannot share them.
    views: Mutex<Vec<G::View>>,
    moves: Vec<G::Move>,
    /// The moves of each decision.
    ranges: Vec<Range<usize>>,
    events: Vec<serde_json::Value>,
    buffer: Vec<G::Move>,
    /// The last exception about one decision alone, and that decision. Once there are answers it is dropped, for its traceback may
    /// hold the batch.
    blamed: Mutex<Option<(Py<PyBaseException>, usize)>>,
}

impl<G: CardGame> Batch<G> {
    pub fn new(tools: Arc<Tools<G>>) -> Self {
        Self {
            tools,
            questions: Vec::new(),
            views: Mutex::default(),
            moves: Vec::new(),
            ranges: Vec::new(),
            events: Vec::new(),
            buffer: Vec::new(),
            blamed: Mutex::default(),
        }
    }

    pub fn push(&mut self, question: Question, decision: &Due<'_, G>) {
        self.questions.push(question);
        self.views.get_mut().unwrap_or_else(PoisonError::into_inner).push(decision.view());
        decision.moves(&mut self.buffer);
        let first = self.moves.len();
        self.moves.append(&mut self.buffer);
        self.ranges.push(first..self.moves.len());
        let events: Vec<_> = decision.history().iter().filter_map(happening::<G>).collect();
        self.events.push(if events.is_empty() { serde_json::Value::Null } else { serde_json::json!(events) });
    }

    fn views(&self) -> MutexGuard<'_, Vec<G::View>> {
        lock(&self.views)
    }

    /// The answers, or the exception that came instead of them, with its question where that is known.
    pub fn answered(&self, py: Python<'_>, answers: PyResult<Vec<i64>>) -> Result<Vec<i64>, Wrong> {
        let blamed = lock(&self.blamed).take();
        answers.map_err(|error| {
            let blamed = blamed.filter(|(other, _)| error.value(py).is(other));
            let only = (self.questions.len() == 1).then_some(0);
            Wrong { question: blamed.map(|(_, at)| at).or(only), error }
        })
    }

    /// Appends the moves with these numbers, one for each decision.
    pub fn find(&self, answers: &[i64], moves: &mut Vec<G::Move>) -> Result<(), Wrong> {
        for (i, (&answer, range)) in answers.iter().zip(&self.ranges).enumerate() {
            let found = usize::try_from(answer).ok().and_then(|answer| self.moves[range.clone()].get(answer));
            let Some(&found) = found else {
                let error = PyValueError::new_err(format!(
                    "choose: {answer} for decision {i} is no move: expected 0 to {}",
                    range.len() - 1
                ));
                return Err(Wrong { question: Some(i), error });
            };
            moves.push(found);
        }
        Ok(())
    }
}

/// Decisions, whatever their game.
pub trait Asked: Send + Sync {
    fn length(&self) -> usize;
    fn game(&self) -> &'static str;
    fn question(&self, i: usize) -> Question;
    fn moves(&self, i: usize) -> Vec<String>;
    fn move_count(&self, i: usize) -> usize;
    /// The view as JSON; empty for a game that shows none.
    fn view(&self, i: usize) -> Vec<u8>;
    fn events(&self, i: usize) -> &serde_json::Value;
    /// The length of an observation and the number of actions.
    fn shape(&self) -> Option<(usize, usize)>;
    fn observe(&self, i: usize, begun: &[u16], row: &mut [f32]);
    /// How every legal move is spelled.
    fn spellings(&self, i: usize) -> Vec<Spelling>;
    /// Keeps in mind that this exception is about this decision.
    fn blame(&self, i: usize, error: Py<PyBaseException>);
}

impl<G: CardGame> Asked for Batch<G> {
    fn length(&self) -> usize {
        self.questions.len()
    }

    fn game(&self) -> &'static str {
        G::NAME
    }

    fn question(&self, i: usize) -> Question {
        self.questions[i]
    }

    fn moves(&self, i: usize) -> Vec<String> {
        self.moves[self.ranges[i].clone()].iter().map(ToString::to_string).collect()
    }

    fn move_count(&self, i: usize) -> usize {
        self.ranges[i].len()
    }

    fn view(&self, i: usize) -> Vec<u8> {
        let mut text = Vec::new();
        if let Some(shown) = &self.tools.shown {
            shown.write(&self.views()[i], &mut text);
        }
        text
    }

    fn events(&self, i: usize) -> &serde_json::Value {
        &self.events[i]
    }

    fn shape(&self) -> Option<(usize, usize)> {
        let encoding = self.tools.encoding?;
        Some((encoding.observation_length(), encoding.action_count()))
    }

    fn observe(&self, i: usize, begun: &[u16], row: &mut [f32]) {
        if let Some(encoding) = &self.tools.encoding {
            encoding.write(&self.views()[i], begun, row);
        }
    }

    fn spellings(&self, i: usize) -> Vec<Spelling> {
        let moves = &self.moves[self.ranges[i].clone()];
        let encoding = self.tools.encoding.as_ref();
        encoding.map_or_else(Vec::new, |encoding| {
            let views = self.views();
            moves.iter().map(|&m| (encoding.spell)(&views[i], m)).collect()
        })
    }

    fn blame(&self, i: usize, error: Py<PyBaseException>) {
        *lock(&self.blamed) = Some((error, i));
    }
}

/// Decisions of many games, each of another game or seat. They can be counted, indexed, sliced and gone through.
#[pyclass(frozen, sequence, module = "knave")]
pub struct Decisions {
    asked: Arc<dyn Asked>,
}

impl Decisions {
    pub fn new(asked: Arc<dyn Asked>) -> Self {
        Self { asked }
    }

    pub fn length(&self) -> usize {
        self.asked.length()
    }

    fn all<T>(&self, of: impl Fn(usize) -> T) -> Vec<T> {
        (0..self.asked.length()).map(of).collect()
    }
}

#[pymethods]
impl Decisions {
    fn __len__(&self) -> usize {
        self.asked.length()
    }

    fn __iter__(&self) -> DecisionIterator {
        DecisionIterator { asked: Arc::clone(&self.asked), next: 0 }
    }

    /// A decision by its place, or a list of several by a slice.
    fn __getitem__<'py>(&self, py: Python<'py>, i: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = self.asked.length();
        let decision = |at: usize| Decision { asked: Arc::clone(&self.asked), at };
        if let Ok(slice) = i.cast::<PySlice>() {
            let places = slice.indices(length as isize)?;
            let place = |k: usize| (places.start + k as isize * places.step) as usize;
            let several: Vec<Decision> = (0..places.slicelength).map(|k| decision(place(k))).collect();
            return several.into_bound_py_any(py);
        }
        let i: isize = i.extract()?;
        let at = if i < 0 { i + length as isize } else { i };
        match usize::try_from(at) {
            Ok(at) if at < length => decision(at).into_bound_py_any(py),
            _ => Err(PyIndexError::new_err(format!("there are {length} decisions"))),
        }
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.asked.game()
    }

    /// The number of legal moves of each decision, as an array of whole numbers.
    #[getter]
    fn move_counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.all(|i| self.asked.move_count(i) as i64).into_pyarray(py)
    }

    /// The seed of each decision, as an array of whole numbers below 2^53.
    #[getter]
    fn seeds<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.all(|i| self.asked.question(i).seed as i64).into_pyarray(py)
    }

    /// The seat of each decision, as an array of whole numbers.
    #[getter]
    fn seats<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.all(|i| self.asked.question(i).seat as i64).into_pyarray(py)
    }

    /// Spells the moves by actions, for players that answer observations with actions.
    fn spell(&self) -> PyResult<Speller> {
        let Some(shape) = self.asked.shape() else {
            return Err(PyValueError::new_err(format!("{} has no array encoding", self.asked.game())));
        };
        let row = |i| SpelledRow {
            at: i,
            begun: Spelling::new(),
            legal: self.asked.spellings(i).into_iter().enumerate().collect(),
        };
        Ok(Speller {
            asked: Arc::clone(&self.asked),
            shape,
            rows: self.all(row),
            choices: vec![0; self.asked.length()],
        })
    }
}

/// Goes through decisions.
#[pyclass(module = "knave")]
struct DecisionIterator {
    asked: Arc<dyn Asked>,
    next: usize,
}

#[pymethods]
impl DecisionIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&mut self) -> Option<Decision> {
        let at = self.next;
        self.next += 1;
        (at < self.asked.length()).then(|| Decision { asked: Arc::clone(&self.asked), at })
    }
}

/// A decision: everything that a seat knows, and its legal moves.
#[pyclass(frozen, module = "knave")]
pub struct Decision {
    asked: Arc<dyn Asked>,
    at: usize,
}

#[pymethods]
impl Decision {
    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.asked.game()
    }

    /// The number of the game for this seat, by which a player may remember it.
    #[getter]
    fn game_id(&self) -> u64 {
        self.asked.question(self.at).game
    }

    /// The seat that decides, counted from 0.
    #[getter]
    fn seat(&self) -> usize {
        self.asked.question(self.at).seat
    }

    /// The number of seats.
    #[getter]
    fn seats(&self) -> usize {
        self.asked.question(self.at).seats
    }

    /// Where everything random in the answer should come from: below 2^53.
    #[getter]
    fn seed(&self) -> u64 {
        self.asked.question(self.at).seed
    }

    /// The legal moves in their notation, in order. The answer is the number of one of them.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.asked.moves(self.at)
    }

    /// All that the seat knows: the data of `docs/protocol.md`.
    #[getter]
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.asked.view(self.at);
        if text.is_empty() {
            return Ok(py.None().into_bound(py));
        }
        py.import("json")?.call_method1("loads", (String::from_utf8_lossy(&text).into_owned(),))
    }

    /// The public events of the game so far, the oldest first; empty unless the player has `uses_history = True`.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.asked.events(self.at) {
            serde_json::Value::Null => Ok(pyo3::types::PyList::empty(py).into_any()),
            events => to_python(py, events),
        }
    }

    fn __repr__(&self) -> String {
        let (game, seat) = (self.asked.game(), self.seat());
        format!("<Decision of seat {seat} in {game}: {} moves>", self.asked.move_count(self.at))
    }
}

/// A decision whose move is being spelled: the legal moves that begin like this, by their numbers.
struct SpelledRow {
    at: usize,
    begun: Spelling,
    legal: Vec<(usize, Spelling)>,
}

/// Decisions that are answered by actions, several where a move is spelled by several.
///
/// While `len(speller)` is not 0, `observations()` and `action_masks()` have a row for each open decision, and `step(actions)` answers
/// them. In the end `choices()` has the answers for all.
#[pyclass(module = "knave")]
pub struct Speller {
    asked: Arc<dyn Asked>,
    shape: (usize, usize),
    rows: Vec<SpelledRow>,
    choices: Vec<i64>,
}

#[pymethods]
impl Speller {
    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// The observations of the open decisions: an array of 32-bit numbers in [0, 1], a row each.
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (columns, rows) = (self.shape.0, self.rows.len());
        let mut all = vec![0.0; rows * columns];
        for (row, out) in self.rows.iter().zip(all.chunks_exact_mut(columns)) {
            self.asked.observe(row.at, &row.begun, out);
        }
        array(py, rows, columns, all)
    }

    /// The masks of the open decisions: an array of 8-bit numbers, 1 for every action that leads to a legal move.
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let (columns, rows) = (self.shape.1, self.rows.len());
        let mut all = vec![0; rows * columns];
        for (row, out) in self.rows.iter().zip(all.chunks_exact_mut(columns)) {
            let at = row.begun.len();
            row.legal.iter().for_each(|(_, spelling)| out[usize::from(spelling[at])] = 1);
        }
        array(py, rows, columns, all)
    }

    /// Answers every open decision with an action.
    fn step(&mut self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = actions.py();
        let actions = whole_numbers(actions, "actions")?;
        if actions.len() != self.rows.len() {
            let (found, expected) = (actions.len(), self.rows.len());
            return Err(PyValueError::new_err(format!("actions: expected {expected}, found {found}")));
        }
        for (row, &action) in self.rows.iter().zip(&actions) {
            let at = row.begun.len();
            if !row.legal.iter().any(|(_, spelling)| i64::from(spelling[at]) == action) {
                let reason = format!("actions: {action} leads to no legal move of decision {}", row.at);
                let error = PyValueError::new_err(reason);
                self.asked.blame(row.at, error.value(py).clone().unbind());
                return Err(error);
            }
        }
        for (row, &action) in self.rows.iter_mut().zip(&actions) {
            let at = row.begun.len();
            row.legal.retain(|(_, spelling)| i64::from(spelling[at]) == action);
            let Some((number, spelling)) = row.legal.first() else { continue };
            row.begun.push(action as u16);
            if spelling.len() == at + 1 {
                self.choices[row.at] = *number as i64;
                row.legal.clear();
            }
        }
        self.rows.retain(|row| !row.legal.is_empty());
        Ok(())
    }

    /// The answers: for each decision the number of its move.
    fn choices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        if !self.rows.is_empty() {
            return Err(PyValueError::new_err(format!("{} decisions are still open", self.rows.len())));
        }
        Ok(self.choices.clone().into_pyarray(py))
    }
}

/// Rows one after the other as an array.
pub fn array<T: numpy::Element>(
    py: Python<'_>,
    rows: usize,
    columns: usize,
    all: Vec<T>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let array = Array2::from_shape_vec((rows, columns), all);
    Ok(array.map_err(|error| PyValueError::new_err(error.to_string()))?.into_pyarray(py))
}
