//! Episodes and lanes, for environments.

use super::convert::{busy, lock, refused, to_json, without_players};
use super::decisions::array;
use super::game::Game;
use super::session::warn;
use knave::live::{self, Autoreset, LaneSettings, Rewards, RulesetError};
use knave_agents::options::read_data;
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

type Row<'py> = Bound<'py, PyArray1<f32>>;
type Mask<'py> = Bound<'py, PyArray1<i8>>;

/// One game whose seats are all played by actions.
#[pyclass(frozen, module = "knave._knave")]
pub struct Episode {
    episode: Mutex<Box<dyn live::Episode>>,
    columns: usize,
    actions: usize,
}

fn shape(game: &Game) -> Result<(usize, usize), RulesetError> {
    let (observation, actions) = game.ruleset.arrays().ok_or(RulesetError::NoArrays(game.ruleset.game()))?;
    let length = |parts: &[knave_agents::encoding::Part]| knave_agents::encoding::length(parts);
    Ok((length(observation), length(actions)))
}

#[pymethods]
impl Episode {
    #[new]
    fn new(py: Python<'_>, game: &Game, reward: &str) -> PyResult<Self> {
        let (columns, actions) = shape(game).map_err(|error| refused(py, &error))?;
        let made = Rewards::named(reward).and_then(|rewards| game.ruleset.episode(rewards));
        Ok(Self { episode: Mutex::new(made.map_err(|error| refused(py, &error))?), columns, actions })
    }

    /// Deals game `index` of the run with this seed.
    fn reset(&self, seed: u64, index: u64) {
        lock(&self.episode).reset(seed, index);
    }

    /// The seat whose turn it is; `None` after the end.
    #[getter]
    fn seat(&self) -> Option<usize> {
        lock(&self.episode).seat()
    }

    /// What this seat sees.
    fn observe<'py>(&self, py: Python<'py>, seat: usize) -> Row<'py> {
        let mut row = vec![0.0; self.columns];
        lock(&self.episode).observe(seat, &mut row);
        row.into_pyarray(py)
    }

    /// 1 for every action of the player whose turn it is that leads to a legal move.
    fn mask<'py>(&self, py: Python<'py>) -> Mask<'py> {
        let mut mask = vec![0; self.actions];
        lock(&self.episode).mask(&mut mask);
        signed(mask).into_pyarray(py)
    }

    /// Does an action of the player whose turn it is. Returns whether it was legal, the seat whose turn it is then, what that seat
    /// sees (or seat 0 after the end), and its mask.
    fn step<'py>(&self, py: Python<'py>, action: i64) -> (bool, Option<usize>, Row<'py>, Mask<'py>) {
        let mut episode = lock(&self.episode);
        let legal = u16::try_from(action).is_ok_and(|action| episode.act(action));
        let seat = episode.seat();
        let (mut row, mut mask) = (vec![0.0; self.columns], vec![0; self.actions]);
        episode.mask(&mut mask);
        episode.observe(seat.unwrap_or_default(), &mut row);
        // Before anything of Python's happens, which could wait for a thread that waits for the episode.
        drop(episode);
        (legal, seat, row.into_pyarray(py), signed(mask).into_pyarray(py))
    }

    /// Does an action of the player whose turn it is, and returns whether it was legal.
    fn act(&self, action: i64) -> bool {
        u16::try_from(action).is_ok_and(|action| lock(&self.episode).act(action))
    }

    /// The reward, the score in points and whether the game was won, for a seat of a finished game.
    fn result(&self, seat: usize) -> (f64, f64, bool) {
        lock(&self.episode).result(seat)
    }

    /// Another episode that goes on from here.
    fn copy(&self) -> Self {
        let episode = Mutex::new(lock(&self.episode).copy());
        Self { episode, columns: self.columns, actions: self.actions }
    }
}

/// Masks are signed in Gymnasium and PettingZoo.
fn signed(mask: Vec<u8>) -> Vec<i8> {
    mask.into_iter().map(u8::cast_signed).collect()
}

/// How often the interpreter looks whether the user wants to stop while games go on.
const LOOK: Duration = Duration::from_millis(50);

/// Looks now and then.
struct Lookout<'a> {
    looked: Instant,
    /// The thread that looks at the moment.
    looking: &'a Mutex<Option<ThreadId>>,
    /// What a signal has raised.
    raised: Option<PyErr>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "the clock decides when signals are looked at, which changes no game"
)]
fn now() -> Instant {
    Instant::now()
}

impl<'a> Lookout<'a> {
    fn new(looking: &'a Mutex<Option<ThreadId>>) -> Self {
        Self { looked: now(), looking, raised: None }
    }

    fn goes_on(&mut self) -> bool {
        if self.looked.elapsed() >= LOOK {
            *lock(self.looking) = Some(thread::current().id());
            self.raised = Python::attach(|py| py.check_signals().err());
            *lock(self.looking) = None;
            self.looked = now();
        }
        self.raised.is_none()
    }
}

/// Many games side by side, in each of which one seat is played by actions.
#[pyclass(frozen, module = "knave._knave")]
pub struct Lanes {
    lanes: Mutex<Box<dyn live::Lanes>>,
    /// The thread that holds the lanes while it handles signals, where anything may be called.
    looking: Mutex<Option<ThreadId>>,
    /// The process whose threads hold them, if any does.
    process: AtomicU32,
    count: usize,
    columns: usize,
    actions: usize,
}

type Rows<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<i8>>);
type Stepped<'py> = (
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<i8>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
    Option<Bound<'py, PyDict>>,
);

#[pymethods]
impl Lanes {
    #[new]
    #[pyo3(signature = (game, count, *, seat=None, opponents=None, reward="utility", next_step=false))]
    fn new(
        py: Python<'_>,
        game: &Game,
        count: usize,
        seat: Option<usize>,
        opponents: Option<&Bound<'_, PyAny>>,
        reward: &str,
        next_step: bool,
    ) -> PyResult<Self> {
        let opponents = match opponents {
            // What is wrong is told with its place, `[0]: …`.
            Some(opponents) => read_data(to_json(opponents, "opponents")?)
                .map_err(|error| refused(py, &format!("opponents{error}")))?,
            None => Vec::new(),
        };
        let autoreset = if next_step { Autoreset::NextStep } else { Autoreset::SameStep };
        let (columns, actions) = shape(game).map_err(|error| refused(py, &error))?;
        let lanes = Rewards::named(reward).and_then(|rewards| {
            let settings = LaneSettings { lanes: count, seat, opponents, rewards, autoreset };
            py.detach(|| game.ruleset.lanes(&settings))
        });
        let lanes = lanes.map_err(|error| match error {
            RulesetError::Opponent(error) => refused(py, &without_players(error)),
            error => refused(py, &error),
        })?;
        // At the line that makes the environment.
        warn(py, lanes.notes(), 2)?;
        let lanes = Mutex::new(lanes);
        Ok(Self {
            lanes,
            looking: Mutex::new(None),
            process: AtomicU32::new(process::id()),
            count,
            columns,
            actions,
        })
    }

    /// Deals the games 0, 1, 2, … of the run with this seed. What a signal raises ends it, and then they have to be dealt anew.
    fn reset<'py>(&self, py: Python<'py>, seed: u64) -> PyResult<Rows<'py>> {
        let (rows, masks) = py.detach(|| {
            let (mut rows, mut masks) = self.fresh()?;
            self.watched(|lanes, go_on| lanes.reset(seed, &mut rows, &mut masks, go_on))?;
            Ok::<_, PyErr>((rows, masks))
        })?;
        Ok((array(py, self.count, self.columns, rows)?, array(py, self.count, self.actions, signed(masks))?))
    }

    /// Does an action in every lane. Returns observations, masks, rewards, which games ended, and what is known of those.
    fn step<'py>(&self, py: Python<'py>, actions: PyReadonlyArray1<'py, i64>) -> PyResult<Stepped<'py>> {
        let actions = actions.as_slice().map_err(|error| PyValueError::new_err(error.to_string()))?;
        if actions.len() != self.count {
            let (found, expected) = (actions.len(), self.count);
            return Err(PyValueError::new_err(format!(
                "actions: expected {expected}, one for each game, found {found}"
            )));
        }
        let (rows, masks, rewards, over, ended) = py.detach(|| {
            let (mut rows, mut masks) = self.fresh()?;
            let (mut rewards, mut over) = (vec![0.0; self.count], vec![0; self.count]);
            let mut step = live::Step {
                observations: &mut rows,
                masks: &mut masks,
                rewards: &mut rewards,
                ended: &mut over,
            };
            let ended = self.watched(|lanes, go_on| lanes.step(actions, &mut step, go_on))?;
            let over: Vec<bool> = over.into_iter().map(|over| over == 1).collect();
            Ok::<_, PyErr>((rows, masks, rewards, over, ended))
        })?;
        let finals = if ended.is_empty() { None } else { Some(self.finals(py, &ended)?) };
        Ok((
            array(py, self.count, self.columns, rows)?,
            array(py, self.count, self.actions, signed(masks))?,
            rewards.into_pyarray(py),
            over.into_pyarray(py),
            finals,
        ))
    }

    /// Refuses what a signal's handler asks while its own thread plays on.
    fn check_idle(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_looking() { Err(playing(py)) } else { Ok(()) }
    }

    /// The learner's seat in every lane.
    #[getter]
    fn seats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        // Without the interpreter, which a step that goes on needs to look for signals.
        let seats = py.detach(|| self.held().map(|lanes| lanes.seats()))?;
        Ok(seats.into_iter().map(|seat| seat as i64).collect::<Vec<_>>().into_pyarray(py))
    }
}

impl Lanes {
    /// The lanes, once no other thread holds them. In a signal's handler the thread itself may hold them, and would wait for ever; so
    /// would a forked process, which has none of the threads of its parent.
    fn held(&self) -> PyResult<MutexGuard<'_, Box<dyn live::Lanes>>> {
        if self.is_looking() {
            return Err(Python::attach(playing));
        }
        let own = process::id();
        if self.process.load(Ordering::Relaxed) != own {
            if let Err(TryLockError::WouldBlock) = self.lanes.try_lock() {
                return Err(Python::attach(forked));
            }
            // They are free: threads of this process alone can hold them from now on.
            self.process.store(own, Ordering::Relaxed);
        }
        Ok(lock(&self.lanes))
    }

    /// Whether this thread holds the lanes, and handles signals.
    fn is_looking(&self) -> bool {
        *lock(&self.looking) == Some(thread::current().id())
    }

    /// Has the games go on, on a thread that has left the interpreter, and looks for signals meanwhile.
    fn watched<T>(
        &self,
        go: impl FnOnce(&mut dyn live::Lanes, live::GoOn<'_>) -> Result<T, live::Halted>,
    ) -> PyResult<T> {
        let mut lanes = self.held()?;
        let mut lookout = Lookout::new(&self.looking);
        let done = go(&mut **lanes, &mut || lookout.goes_on());
        drop(lanes);
        match lookout.raised {
            Some(error) => Err(error),
            None => Ok(done.expect("nothing else tells it not to go on")),
        }
    }

    /// Arrays for all lanes. They may be large, and short memory is no reason to abort.
    fn fresh(&self) -> PyResult<(Vec<f32>, Vec<u8>)> {
        Ok((zeros(self.count * self.columns)?, zeros(self.count * self.actions)?))
    }

    /// What is known of the games that ended, as arrays.
    fn finals<'py>(&self, py: Python<'py>, ended: &[live::Ended]) -> PyResult<Bound<'py, PyDict>> {
        let result = PyDict::new(py);
        let whole = |of: fn(&live::Ended) -> i64| ended.iter().map(of).collect::<Vec<_>>().into_pyarray(py);
        let truth = |of: fn(&live::Ended) -> bool| ended.iter().map(of).collect::<Vec<_>>().into_pyarray(py);
        result.set_item("lane", whole(|ended| ended.lane as i64))?;
        result.set_item("index", whole(|ended| ended.index as i64))?;
        result.set_item("seat", whole(|ended| ended.seat as i64))?;
        result
            .set_item("score", ended.iter().map(|ended| ended.score).collect::<Vec<_>>().into_pyarray(py))?;
        result.set_item("won", truth(|ended| ended.won))?;
        result.set_item("illegal", truth(|ended| ended.illegal))?;
        let rows: Vec<f32> = ended.iter().flat_map(|ended| ended.observation.iter().copied()).collect();
        result.set_item("observation", array(py, ended.len(), self.columns, rows)?)?;
        Ok(result)
    }
}

fn playing(py: Python<'_>) -> PyErr {
    busy(py, &"the games are being played on: a signal's handler can ask nothing of them")
}

fn forked(py: Python<'_>) -> PyErr {
    refused(
        py,
        &"a step of this VectorEnv was under way when the process was forked: make another one in this process",
    )
}

fn zeros<T: Clone + Default>(len: usize) -> PyResult<Vec<T>> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(len).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    zeros.resize(len, T::default());
    Ok(zeros)
}
