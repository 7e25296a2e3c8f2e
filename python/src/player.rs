//! Players written in Python, as agents.

use super::convert::{lock, refused, whole_numbers};
use super::decisions::{Batch, Decisions, Question as Asked, Tools, Wrong};
use knave::games::CardGame;
use knave_agents::batch::{Ending, Question, Unanswered};
use knave_agents::options::{OptionError, Options};
use knave_agents::{Agent, Configure, Decision, Rng, Setup};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use rand::Rng as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

/// An object with a method `choose`.
struct Registered {
    object: Py<PyAny>,
    /// Its label, for messages.
    label: String,
    batch: usize,
    uses_history: bool,
    /// Whether it wants to hear of the ends of games.
    hears_ends: bool,
    /// The copies so far: each numbers its games from 1.
    copies: AtomicU64,
    /// One thread at a time asks it.
    turn: Mutex<()>,
    /// The thread of Python that asks or tells it; 0 while none does.
    asking: AtomicU64,
    /// Set when the user stops the run: from then on it is asked and told nothing. Set with the interpreter held.
    stopped: AtomicBool,
    /// The exceptions that it raised, the first one first: one worker may be asking it yet when that of another has ended a run.
    raised: Mutex<Vec<Raised>>,
}

/// An exception of a player.
pub struct Raised {
    pub error: PyErr,
    /// What the failure of the run says of it, if it is the one that ended the run.
    pub message: String,
    /// The game in which it was raised.
    pub game: Blamed,
}

/// The game in which a player raised an exception.
pub enum Blamed {
    /// One whose end it was told.
    Ended,
    /// One that it was asked about, which the failure of the run names.
    Known,
    /// One of those that it was asked about: the failure of the run names the first of them.
    OneOf,
}

impl Registered {
    fn keep(&self, error: PyErr, message: String, game: Blamed) {
        lock(&self.raised).push(Raised { error, message, game });
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Calls the object by `call`, which [`interrupt`] can reach meanwhile.
    fn reached<T>(&self, py: Python<'_>, call: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        let thread: u64 = py.import("threading")?.call_method0("get_ident")?.extract()?;
        self.asking.store(thread, Ordering::Relaxed);
        let result = call();
        self.asking.store(0, Ordering::Relaxed);
        result
    }
}

static PLAYERS: LazyLock<Mutex<BTreeMap<u64, Arc<Registered>>>> = LazyLock::new(Mutex::default);

fn players() -> std::sync::MutexGuard<'static, BTreeMap<u64, Arc<Registered>>> {
    lock(&PLAYERS)
}

/// Makes an object known as a player, and returns its number for the agent `python`. It has passed `players.check`; its label is that
/// of the tables, and it is asked about so many games at once.
#[pyfunction]
pub fn register_player(object: &Bound<'_, PyAny>, label: String, batch: usize) -> PyResult<u64> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let name = object.get_type().qualname()?;
    // What an attribute raises is the player's own: only one that is missing is none.
    let attribute = |name: &str| object.getattr_opt(name);
    let data = object.py().import("knave._data")?;
    let uses_history = match attribute("uses_history")? {
        None => false,
        Some(value) => data.call_method1("truth", (value, format!("{name}.uses_history")))?.extract()?,
    };
    // A class may take back the method of another by `end = None`.
    let end = attribute("end")?.filter(|end| !end.is_none());
    if let Some(end) = end.as_ref().filter(|end| !end.is_callable()) {
        let shown = data.call_method1("shown", (end,))?;
        let reason = "expected a method end(game_id, seat, won, score)";
        return Err(refused(object.py(), &format!("{name}.end={shown} is refused: {reason}")));
    }
    let hears_ends = end.is_some();
    let object = object.clone().unbind();
    let player = Registered {
        object,
        label,
        batch,
        uses_history,
        hears_ends,
        copies: AtomicU64::new(0),
        turn: Mutex::new(()),
        asking: AtomicU64::new(0),
        stopped: AtomicBool::new(false),
        raised: Mutex::default(),
    };
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    players().insert(number, Arc::new(player));
    Ok(number)
}

/// Forgets a player.
#[pyfunction]
pub fn forget_player(number: u64) {
    let player = players().remove(&number);
    drop(player);
}

/// The exceptions that these players raised.
pub fn take_raised(numbers: &[u64]) -> Vec<Raised> {
    let known: Vec<_> = {
        let players = players();
        numbers.iter().filter_map(|number| players.get(number).cloned()).collect()
    };
    known.iter().flat_map(|player| std::mem::take(&mut *lock(&player.raised))).collect()
}

/// Has these players asked and told nothing more, and raises an exception in those that are being asked or told. That takes a function
/// of Python's, in which a signal may be handled: its exception is returned, and then some of them were left alone.
pub fn interrupt(py: Python<'_>, numbers: &[u64], exception: &Bound<'_, PyType>) -> PyResult<()> {
    let asked: Vec<u64> = {
        let players = players();
        let stopped = numbers.iter().filter_map(|number| players.get(number));
        let stopped = stopped.inspect(|player| player.stopped.store(true, Ordering::Relaxed));
        stopped.map(|player| player.asking.load(Ordering::Relaxed)).filter(|&thread| thread != 0).collect()
    };
    asked.into_iter().try_for_each(|thread| {
        py.import("knave.players")?.call_method1("interrupt", (thread, exception)).map(|_| ())
    })
}

fn told_of_an_end(label: &str, error: &PyErr) -> String {
    format!("player {label}, told of an end: {error}")
}

/// The options of such a player.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlayerOptions {
    /// the class of the object, as manifests record it
    pub class: String,
    /// what tells players of one class apart, in the player's own words; empty if it says nothing
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(!skip_serializing_if)]
    pub version: String,
    /// the number of the object in this process
    #[serde(skip_serializing)]
    #[schemars(range(min = 0))]
    pub number: u64,
}

impl Options for PlayerOptions {}

/// A player written in Python. All its copies are one object, which is asked by one thread at a time.
pub struct Player {
    registered: Arc<Registered>,
    /// An `Arc` of the [`Tools`] of the game.
    tools: Arc<dyn Any + Send + Sync>,
    /// What is added to the numbers of this copy's games, so that no other copy has the same.
    first: u64,
    /// The games that are over and that it has not heard of: number, seat, whether it won, score.
    ended: Vec<(u64, usize, bool, f64)>,
}

impl Clone for Player {
    fn clone(&self) -> Self {
        Self::new(Arc::clone(&self.registered), Arc::clone(&self.tools))
    }
}

impl<G: CardGame> Configure<G> for Player {
    const NAME: &'static str = "python";
    const SUMMARY: &'static str = "an object of Python's with a method choose";
    const BY_NAME: bool = false;
    type Options = PlayerOptions;

    fn configure(options: &PlayerOptions, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let registered = players().get(&options.number).cloned().ok_or_else(|| {
            let reason = "it cannot be given by name: pass the object itself, where objects play".to_owned();
            OptionError::Unfit { owner: "agent python".to_owned(), reason }
        })?;
        let tools = Tools::<G> { shown: setup.kit.shown.clone(), encoding: setup.kit.encoding };
        Ok(Self::new(registered, Arc::new(Arc::new(tools))))
    }
}

impl<G: CardGame> Agent<G> for Player {
    fn uses_history(&self) -> bool {
        self.registered.uses_history
    }

    fn choose(&mut self, _: Decision<'_, G>, _: &mut Rng) -> G::Move {
        unreachable!("it is asked by choose_batch alone")
    }

    fn batch(&self) -> Option<usize> {
        Some(self.registered.batch)
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn choose_batch(
        &mut self,
        questions: &mut [Question<'_, G>],
        moves: &mut Vec<G::Move>,
        stop: &AtomicBool,
    ) -> Result<(), Unanswered> {
        let tools = self.tools.downcast_ref::<Arc<Tools<G>>>().expect("it was configured for this game");
        let mut batch = Batch::new(Arc::clone(tools));
        for question in &mut *questions {
            batch.push(
                Asked {
                    game: self.first + question.game,
                    seat: question.decision.seat(),
                    seats: question.decision.seats(),
                    // Whole in a floating-point number, too.
                    seed: question.rng.next_u64() >> 11,
                },
                &question.decision,
            );
        }
        let batch = Arc::new(batch);
        let registered = Arc::clone(&self.registered);
        // Taken without the interpreter, which whoever is asking needs.
        let turn = lock(&registered.turn);
        // The turn may have been waited for, and others are slow, too.
        if stop.load(Ordering::Relaxed) {
            return Err(Unanswered::Stopped);
        }
        let answers = Python::attach(|py| {
            self.tell(py).map_err(|error| {
                let message = told_of_an_end(&registered.label, &error);
                registered.keep(error, message.clone(), Blamed::Ended);
                Unanswered::Failed { question: None, message }
            })?;
            // The interpreter may have been waited for, too, while a signal was handled.
            if registered.is_stopped() {
                return Err(Unanswered::Stopped);
            }
            let answers = self.ask(py, Decisions::new(Arc::clone(&batch) as _));
            Ok(batch.answered(py, answers))
        });
        drop(turn);
        moves.clear();
        let answers = answers?;
        let asked = questions.len();
        let answered = answers.and_then(|answers| batch.find(&answers, moves));
        answered.map_err(|Wrong { question, error }| {
            let message = format!("player {}, asked for {asked} decisions: {error}", registered.label);
            let game = if question.is_some() { Blamed::Known } else { Blamed::OneOf };
            registered.keep(error, message.clone(), game);
            Unanswered::Failed { question, message }
        })
    }

    fn end_game(&mut self, ending: &Ending) {
        if self.registered.hears_ends {
            self.ended.push((self.first + ending.game, ending.seat, ending.won, ending.score));
        }
    }
}

impl Player {
    fn new(registered: Arc<Registered>, tools: Arc<dyn Any + Send + Sync>) -> Self {
        // So many games that no copy plays more, and few enough that numbers stay whole in a floating-point number.
        let first = registered.copies.fetch_add(1, Ordering::Relaxed) << 36;
        Self { registered, tools, first, ended: Vec::new() }
    }

    /// Asks the object.
    fn ask(&self, py: Python<'_>, decisions: Decisions) -> PyResult<Vec<i64>> {
        let object = self.registered.object.bind(py);
        let asked = decisions.length();
        let answer = self.registered.reached(py, || object.call_method1("choose", (decisions,)))?;
        let answers = whole_numbers(&answer, "choose")?;
        if answers.len() != asked {
            let reason =
                format!("choose: expected {asked} answers, one for each decision, found {}", answers.len());
            return Err(PyValueError::new_err(reason));
        }
        Ok(answers)
    }

    /// Tells the object of the games that have ended since. Of an exception a note says which game it was: that of the decisions
    /// to come is another.
    fn tell(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.ended.is_empty() {
            return Ok(());
        }
        let registered = &*self.registered;
        let Registered { object, label, .. } = registered;
        let tell = |ending: (u64, usize, bool, f64)| {
            let (game, seat, ..) = ending;
            object.bind(py).call_method1("end", ending).map(|_| ()).inspect_err(|error| {
                let note = format!(
                    "player {label}, told of the end of the game with game_id {game}, in seat {seat}"
                );
                let _ = error.value(py).call_method1("add_note", (note,));
            })
        };
        let mut ended = self.ended.drain(..).take_while(|_| !registered.is_stopped());
        registered.reached(py, || ended.try_for_each(tell))
    }
}

impl Drop for Player {
    /// The ends of the last games are told, too.
    fn drop(&mut self) {
        if !self.ended.is_empty() {
            let registered = Arc::clone(&self.registered);
            // Other threads may still be asking it.
            let _turn = lock(&registered.turn);
            if let Err(error) = Python::attach(|py| self.tell(py)) {
                let message = told_of_an_end(&registered.label, &error);
                registered.keep(error, message, Blamed::Ended);
            }
        }
    }
}
