//! Players written in Python, as agents.

use super::decisions::{Batch, Decisions, Question as Asked, Tools};
use knave::games::CardGame;
use knave_agents::batch::{Ending, Question, Unanswered};
use knave_agents::options::{OptionError, Options};
use knave_agents::{Agent, Configure, Decision, Rng, Setup};
use numpy::{PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rand::Rng as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The games that a player is asked about at once, unless it says so itself.
const BATCH: usize = 256;
/// The most that it may ask for.
const MOST: usize = 1 << 16;

/// An object with a method `choose`.
struct Registered {
    object: Py<PyAny>,
    batch: usize,
    uses_history: bool,
    /// Whether it wants to hear of the ends of games.
    hears_ends: bool,
    /// The first exception that it raised.
    raised: Mutex<Option<PyErr>>,
}

static PLAYERS: LazyLock<Mutex<BTreeMap<u64, Arc<Registered>>>> = LazyLock::new(Mutex::default);

fn players() -> std::sync::MutexGuard<'static, BTreeMap<u64, Arc<Registered>>> {
    PLAYERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes an object known as a player, and returns its number for the agent `python`.
#[pyfunction]
pub fn register_player(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let name = object.get_type().qualname()?;
    if !object.getattr("choose").is_ok_and(|method| method.is_callable()) {
        return Err(PyTypeError::new_err(format!("{name} is no player: it has no method choose(decisions)")));
    }
    let attribute = |name: &str| object.getattr(name).ok();
    let batch = match attribute("batch") {
        None => BATCH,
        Some(batch) => match batch.extract::<usize>() {
            Ok(batch @ 1..=MOST) => batch,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "{name}.batch={batch} is refused: expected 1 to {MOST}"
                )));
            }
        },
    };
    let uses_history =
        attribute("uses_history").map(|value| value.is_truthy()).transpose()?.unwrap_or_default();
    let hears_ends = attribute("end").is_some_and(|method| method.is_callable());
    let object = object.clone().unbind();
    let player = Registered { object, batch, uses_history, hears_ends, raised: Mutex::new(None) };
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

/// The exception that a player raised, if it did.
pub fn take_raised(number: u64) -> Option<PyErr> {
    let player = players().get(&number).cloned()?;
    player.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The options of such a player.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlayerOptions {
    /// the class of the object, as manifests record it
    pub class: String,
    /// the number of the object in this process
    #[serde(skip_serializing)]
    #[schemars(range(min = 0))]
    pub number: u64,
}

impl Options for PlayerOptions {}

/// A player written in Python. All its copies are one object, which is asked by one thread at a time.
#[derive(Clone)]
pub struct Player {
    registered: Arc<Registered>,
    /// [`Tools`] of the game.
    tools: Arc<dyn Any + Send + Sync>,
    /// The numbers of games, for its own use.
    ended: Vec<(u64, usize, bool, f64)>,
}

impl<G: CardGame> Configure<G> for Player {
    const NAME: &'static str = "python";
    const SUMMARY: &'static str = "an object of Python's with a method choose";
    type Options = PlayerOptions;

    fn configure(options: &PlayerOptions, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let registered = players().get(&options.number).cloned().ok_or_else(|| {
            let reason =
                "expected an object with a method choose, which is given in place of an agent's name";
            OptionError::refused("class", &options.class, reason).of("agent python")
        })?;
        let tools = Tools::<G> { shown: setup.kit.shown.clone(), encoding: setup.kit.encoding };
        Ok(Self { registered, tools: Arc::new(Arc::new(tools)), ended: Vec::new() })
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

    fn choose_batch(
        &mut self,
        questions: &mut [Question<'_, G>],
        moves: &mut Vec<G::Move>,
        _: &AtomicBool,
    ) -> Result<(), Unanswered> {
        let tools = self.tools.downcast_ref::<Arc<Tools<G>>>().expect("it was configured for this game");
        let mut batch = Batch::new(Arc::clone(tools));
        for question in &mut *questions {
            batch.push(
                Asked {
                    game: question.game,
                    seat: question.decision.seat(),
                    seats: question.decision.seats(),
                    // Whole in a floating-point number, too.
                    seed: question.rng.next_u64() >> 11,
                },
                &question.decision,
            );
        }
        let batch = Arc::new(batch);
        let answers = Python::attach(|py| self.ask(py, Decisions::new(Arc::clone(&batch) as _)));
        moves.clear();
        let answered = answers.and_then(|answers| batch.find(&answers, moves));
        answered.map_err(|Wrong { question, error }| {
            let message = Python::attach(|py| {
                let name = self.registered.object.bind(py).get_type().qualname().map(|name| name.to_string());
                format!("player {}: {error}", name.unwrap_or_default())
            });
            self.registered.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            Unanswered::Failed { question, message }
        })
    }

    fn end_game(&mut self, ending: &Ending) {
        if self.registered.hears_ends {
            self.ended.push((ending.game, ending.seat, ending.won, ending.score));
        }
    }
}

/// Why answers cannot be used.
pub struct Wrong {
    /// The question.
    pub question: Option<usize>,
    /// What was raised.
    pub error: PyErr,
}

impl From<PyErr> for Wrong {
    fn from(error: PyErr) -> Self {
        Self { question: None, error }
    }
}

impl Player {
    /// Asks the object, after it was told of the games that have ended since.
    fn ask(&mut self, py: Python<'_>, decisions: Decisions) -> Result<Vec<i64>, Wrong> {
        self.tell(py)?;
        let object = self.registered.object.bind(py);
        let asked = decisions.length();
        let answer = object.call_method1("choose", (decisions,))?;
        let answers: Vec<i64> = match answer.extract::<PyReadonlyArray1<'_, i64>>() {
            Ok(array) => array.to_vec().map_err(|error| PyValueError::new_err(error.to_string()))?,
            Err(_) => answer.extract().map_err(|_| {
                let found = answer.get_type().qualname().map(|name| name.to_string()).unwrap_or_default();
                PyTypeError::new_err(format!(
                    "choose: expected a list of whole numbers, found {found}: {answer}"
                ))
            })?,
        };
        if answers.len() != asked {
            let reason =
                format!("choose: expected {asked} answers, one for each decision, found {}", answers.len());
            return Err(PyValueError::new_err(reason).into());
        }
        Ok(answers)
    }

    fn tell(&mut self, py: Python<'_>) -> PyResult<()> {
        let object = self.registered.object.bind(py);
        self.ended.drain(..).try_for_each(|ending| object.call_method1("end", ending).map(|_| ()))
    }
}

impl Drop for Player {
    /// The ends of the last games are told, too.
    fn drop(&mut self) {
        if !self.ended.is_empty() {
            Python::attach(|py| {
                if let Err(error) = self.tell(py) {
                    error.write_unraisable(py, None);
                }
            });
        }
    }
}
