//! Requests and studies, carried out on threads of their own, while the interpreter stays free.

use super::convert::{busy, failed, lock, refused, to_json, to_python};
use super::player::{Blamed, Raised};
use super::{REGISTRY, player};
use knave::exec::Failure;
use knave::experiment::{Experiment, ExperimentError, Redo, Watcher};
use knave::store::{Existing, Manifest, ManifestError, Shard, Sum, holds_nothing};
use knave::studies::{self, Done, End, Merge, Outputs, Request, Session, SessionError, SessionObserver};
use pyo3::exceptions::{PyKeyboardInterrupt, PySystemExit, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// How often the interpreter looks whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(20);

/// What the worker tells.
enum Message<T> {
    /// How far it is: done, all, what is counted, the estimate.
    Progress(u64, u64, String, String),
    /// It has ended.
    Done(T),
}

/// What is under way.
struct Running {
    /// Its stop flag.
    stop: Arc<AtomicBool>,
    /// The numbers of its players.
    players: Vec<u64>,
    /// The process that does it.
    process: u32,
}

static RUNNING: Mutex<Vec<Running>> = Mutex::new(Vec::new());

/// What is under way in this process: a forked one has the list of its parent, and none of its threads.
fn running() -> MutexGuard<'static, Vec<Running>> {
    let mut running = lock(&RUNNING);
    running.retain(|run| run.process == std::process::id());
    running
}

/// Stops what is under way, players that are being asked with it, and waits for its end: the interpreter is about to go, and players
/// could not be asked any more. Returns whether all has ended within so many seconds.
#[pyfunction]
pub fn stop_all(py: Python<'_>, seconds: f64) -> PyResult<bool> {
    let pause = LOOK / 2;
    let mut left = seconds;
    loop {
        let players = {
            let running = running();
            if running.is_empty() {
                return Ok(true);
            }
            running.iter().for_each(|run| run.stop.store(true, Ordering::Relaxed));
            running.iter().flat_map(|run| run.players.iter().copied()).collect::<Vec<_>>()
        };
        if left <= 0.0 {
            return Ok(false);
        }
        // Threads end silently by SystemExit, and runs on other threads than daemons have ended by now.
        player::interrupt(py, &players, &py.get_type::<PySystemExit>())?;
        // Ctrl-C ends the wait.
        py.check_signals()?;
        py.detach(|| std::thread::sleep(pause));
        left -= pause.as_secs_f64();
    }
}

/// Does `work` on a thread of its own. Meanwhile progress is shown and signals are looked at; a signal that raises an exception, or a
/// progress that does, stops the work, and players that are still being asked are interrupted. Returns what came of it, and the first
/// such exception.
fn beside<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    (stop, players): (&Arc<AtomicBool>, &[u64]),
    work: impl FnOnce(Sender<Message<T>>) -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let (sender, receiver) = mpsc::channel();
    let process = std::process::id();
    running().push(Running { stop: Arc::clone(stop), players: players.to_vec(), process });
    let done = std::thread::scope(|scope| {
        let worker = sender.clone();
        let handle = scope.spawn(move || {
            let done = work(worker.clone());
            let _ = worker.send(Message::Done(done));
        });
        drop(sender);
        let mut raised = None;
        // A receiver may not be shared between threads, and the interpreter's state may change threads.
        let receiver = Mutex::new(receiver);
        loop {
            let message = py.detach(|| lock(&receiver).recv_timeout(LOOK));
            let shown = match message {
                Ok(Message::Done(done)) => return Ok((done, raised)),
                Ok(Message::Progress(done, all, noun, estimate)) => match progress {
                    Some(progress) if raised.is_none() => {
                        progress.call1((done, all, noun, estimate)).map(|_| ())
                    }
                    _ => Ok(()),
                },
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => {
                    let _ = handle.join();
                    return Err(panicked(py));
                }
            };
            // The loop goes on until the worker is done. Leaving it sooner would mean to wait for the worker with the interpreter held,
            // which players need.
            if let Err(error) = shown.and_then(|()| py.check_signals()) {
                raised.get_or_insert(error);
            }
            if raised.is_some() {
                stop.store(true, Ordering::Relaxed);
                // What is raised meanwhile is another Ctrl-C: the first one counts, and the next round interrupts again.
                let _ = player::interrupt(py, players, &py.get_type::<PyKeyboardInterrupt>());
            }
        }
    });
    running().retain(|run| !Arc::ptr_eq(&run.stop, stop));
    done
}

/// Does something that cannot be stopped on a thread of its own. When a signal raises an exception nobody waits for it any more.
pub fn apart<T: Send + 'static>(py: Python<'_>, work: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    let receiver = Mutex::new(receiver);
    loop {
        match py.detach(|| lock(&receiver).recv_timeout(LOOK)) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(panicked(py)),
        }
    }
}

fn panicked(py: Python<'_>) -> PyErr {
    failed(py, &"the worker panicked (a bug: please report it)")
}

/// Hands progress on.
struct Front<T>(Sender<Message<T>>);

impl<T> SessionObserver for Front<T> {
    fn progress(&mut self, progress: &studies::Progress<'_>) {
        let (done, all) = (progress.done, progress.all);
        let _ = self.0.send(Message::Progress(done, all, progress.noun.to_owned(), progress.estimate()));
    }
}

impl<T> Watcher for Front<T> {
    fn cell(&mut self, _: usize, _: &knave::experiment::Cell, _: bool) {}
}

/// What came of a request.
struct Outcome {
    text: String,
    data: Value,
    folder: Option<PathBuf>,
    partial: bool,
    end: End,
    note: Option<String>,
}

fn threads(py: Python<'_>, threads: Option<usize>) -> PyResult<usize> {
    match threads {
        Some(threads @ 1..=1024) => Ok(threads),
        Some(threads) => Err(refused(py, &format!("threads={threads} is refused: expected 1 to 1024"))),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

fn session_error(py: Python<'_>, error: &SessionError) -> PyErr {
    match error {
        error if error.is_busy() => busy(py, error),
        error if error.is_bad_input() => refused(py, error),
        error => failed(py, error),
    }
}

/// A session of the request (`study` and its fields), with these outputs.
fn session(
    py: Python<'_>,
    request: &Bound<'_, PyAny>,
    outputs: Option<&Bound<'_, PyAny>>,
) -> PyResult<Session> {
    let Value::Object(mut fields) = to_json(request, "")? else {
        return Err(PyTypeError::new_err("request: expected a dict"));
    };
    let kind = fields.remove("study").and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default();
    let request = Request::read(&kind, fields).map_err(|(_, reason)| refused(py, &reason))?;
    let outputs: Outputs = match outputs {
        Some(outputs) => {
            serde_json::from_value(to_json(outputs, "outputs")?).map_err(|error| refused(py, &error))?
        }
        None => Outputs::default(),
    };
    // Reading models takes a while.
    let session =
        py.detach(|| Session::new(&*REGISTRY, &request)).map_err(|error| session_error(py, &error))?;
    let session = session.outputs(outputs);
    session.check().map_err(|error| session_error(py, &error))?;
    Ok(session)
}

/// What becomes of results that are there already.
fn existing(py: Python<'_>, name: &str) -> PyResult<Existing> {
    Ok(match name {
        "keep" => Existing::Keep,
        "replace" => Existing::Replace,
        "remake" => Existing::Remake,
        "resume" => Existing::Resume,
        other => {
            let message = format!("existing={other} is refused: expected keep, replace, remake or resume");
            return Err(refused(py, &message));
        }
    })
}

/// Does a request (`study` and its fields) in a folder. Returns a dictionary: `text`, `data`, `folder`, `complete`.
///
/// A `KeyboardInterrupt` stops it; what was finished stays in the folder. What is `durable` is flushed to the disk.
#[pyfunction]
#[pyo3(signature = (request, folder, *, outputs=None, existing="keep", shard=None, threads=None, progress=None, players=Vec::new(), durable=true))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub fn carry_out<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyAny>,
    folder: PathBuf,
    outputs: Option<&Bound<'py, PyAny>>,
    existing: &str,
    shard: Option<(u64, u64)>,
    threads: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
    players: Vec<u64>,
    durable: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let existing = self::existing(py, existing)?;
    let shard =
        shard.map(|(part, of)| Shard::new(part, of)).transpose().map_err(|error| refused(py, &error))?;
    let threads = self::threads(py, threads)?;
    let session = self::session(py, request, outputs)?;
    let session = session.existing(existing).shard(shard).threads(threads).folder(folder);
    warn(py, &session.notes(), 3)?;
    let stop = Arc::new(AtomicBool::new(false));
    let session = session.stop(Arc::clone(&stop)).durable(durable);
    let (done, raised) =
        beside(py, progress, (&stop, &players), |sender| session.run(&mut Front(sender)).map(Outcome::of))?;
    if let Some(error) = raised {
        return Err(error);
    }
    let outcome = done.map_err(|error| session_error(py, &error))?;
    check_end(py, &outcome.end, &players)?;
    warn(py, outcome.note.as_slice(), 3)?;
    outcome.to_python(py)
}

impl Outcome {
    fn of(done: Done) -> Self {
        let note = done.note();
        let Done { summary, folder, end, manifest, .. } = done;
        Self { text: summary.to_string(), data: summary.data(), folder, partial: manifest.partial, end, note }
    }

    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let result = PyDict::new(py);
        result.set_item("text", &self.text)?;
        result.set_item("data", to_python(py, &self.data)?)?;
        result.set_item("folder", &self.folder)?;
        result.set_item("complete", !self.partial)?;
        Ok(result.into_any())
    }
}

/// Checks a request and says what it is: `sum`, the checksum of its plan; `size`, the number of games or deals, and which they are,
/// `noun`; `name`, that of a folder for it; `shards`, whether parts of it can be done apart; `notes` for the user; `finished`, whether
/// `folder` holds all of it; and `taken`, what stands in the way there.
#[pyfunction]
#[pyo3(signature = (request, *, outputs=None, folder=None))]
pub fn plan<'py>(
    py: Python<'py>,
    request: &Bound<'py, PyAny>,
    outputs: Option<&Bound<'py, PyAny>>,
    folder: Option<PathBuf>,
) -> PyResult<Bound<'py, PyDict>> {
    let session = session(py, request, outputs)?;
    let record = session.record();
    let plan = PyDict::new(py);
    plan.set_item("sum", Sum::of_plan(&record).to_string())?;
    plan.set_item("size", record.size())?;
    plan.set_item("noun", session.noun())?;
    plan.set_item("name", session.folder_name())?;
    plan.set_item("shards", session.check_shards().is_ok())?;
    plan.set_item("notes", session.notes())?;
    let files = session.files().map_err(|error| session_error(py, &error))?;
    let folder = folder.or_else(|| session.folder_name().map(|name| Path::new("results").join(name)));
    let held = folder.as_ref().and_then(|folder| Manifest::read(folder).ok());
    let same = held.as_ref().filter(|held| !held.partial && held.plan == record);
    let lacks = same.and_then(|held| files.iter().find(|name| !held.files.contains(name)));
    plan.set_item("finished", same.is_some() && lacks.is_none())?;
    let full = |folder: &PathBuf| folder.read_dir().is_ok_and(|mut entries| entries.next().is_some());
    let without = |name: &String| format!("holds this run already, but it was made without {name}");
    let taken = match (&held, &folder) {
        (Some(held), _) if held.plan != record => {
            Some(format!("holds another run ({})", held.plan.difference(&record)))
        }
        (None, Some(folder)) if full(folder) && !holds_nothing(folder, files.clone()) => {
            Some("is not empty and holds no manifest of a run".to_owned())
        }
        _ => None,
    };
    plan.set_item("taken", taken.or_else(|| lacks.map(without)))?;
    Ok(plan)
}

/// Joins parts of a plan in a folder; where the `whole` is wanted, only once all of them are finished. Returns what [`carry_out`] does;
/// `complete` says whether the parts are the whole.
#[pyfunction]
#[pyo3(signature = (parts, out, *, existing="keep", whole=false))]
pub fn merge<'py>(
    py: Python<'py>,
    parts: Vec<PathBuf>,
    out: PathBuf,
    existing: &str,
    whole: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let existing = self::existing(py, existing)?;
    let joined = py.detach(|| {
        let parts = Merge::new(&*REGISTRY, &parts, Some(&out))?;
        parts.check(whole)?;
        let done = parts.write(&out, existing)?;
        Ok((parts.partial(&done), Outcome::of(done)))
    });
    let (partial, outcome) = joined.map_err(|error| session_error(py, &error))?;
    let done = outcome.to_python(py)?;
    done.set_item("notes", outcome.note.into_iter().chain(partial).collect::<Vec<_>>())?;
    Ok(done)
}

/// The manifest of a folder, as data; `None` where there is none.
#[pyfunction]
pub fn manifest(py: Python<'_>, folder: PathBuf) -> PyResult<Option<Bound<'_, PyAny>>> {
    match Manifest::read(&folder) {
        Ok(manifest) => to_python(py, &manifest).map(Some),
        Err(ManifestError::Missing { .. }) => Ok(None),
        Err(error) => Err(refused(py, &error)),
    }
}

/// The cells of the study in a file: `name`, `request`, `outputs`, and whether they are `due`, to be done in the study's folder
/// before its tables can be joined. What stands in the way of doing them there is an error.
#[pyfunction]
#[pyo3(signature = (file, out, *, force=false))]
pub fn cells<'py>(
    py: Python<'py>,
    file: PathBuf,
    out: PathBuf,
    force: bool,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let study =
        py.detach(|| Experiment::read(&REGISTRY, &file, Some(&out))).map_err(|error| refused(py, &error))?;
    let redo = Redo { force, again: false };
    study.check(redo).map_err(|error| refused(py, &error))?;
    let cells = study.study.cells.iter().enumerate().map(|(place, cell)| {
        let data =
            |value: serde_json::Result<Value>| to_python(py, &value.map_err(|error| failed(py, &error))?);
        let fields = PyDict::new(py);
        fields.set_item("name", &cell.name)?;
        fields.set_item("request", data(serde_json::to_value(&cell.request))?)?;
        fields.set_item("outputs", data(serde_json::to_value(&cell.outputs))?)?;
        fields.set_item("due", study.is_due(place, redo))?;
        Ok(fields)
    });
    cells.collect()
}

/// The exception for work that ended early, or whose player raised one.
fn check_end(py: Python<'_>, end: &End, players: &[u64]) -> PyResult<()> {
    let mut raised = player::take_raised(players).into_iter();
    match end {
        End::Failed(failure) => {
            let Failure::Outside { name, message: told, .. } = failure else {
                return Err(failed(py, failure));
            };
            // With several workers there may be others, of later games.
            let Some(Raised { error, message, game }) = raised.find(|raised| told.ends_with(&raised.message))
            else {
                return Err(failed(py, failure));
            };
            let note = match game {
                // A note of its own tells which.
                Blamed::Ended => None,
                Blamed::Known => Some(failure.to_string()),
                Blamed::OneOf => Some(format!("one of the games from {name} on: {message}")),
            };
            // An exception that takes no note is raised without it.
            let _ = note.map(|note| error.value(py).call_method1("add_note", (note,)));
            Err(error)
        }
        // Of games beyond the goal of a comparison, which do not count, one may have failed, too.
        End::Complete => raised
            .find(|raised| matches!(raised.game, Blamed::Ended))
            .map_or(Ok(()), |raised| Err(raised.error)),
        End::Interrupted => raised.next().map_or(Ok(()), |raised| Err(raised.error)),
    }
}

/// Warns at a line so many calls above, that of the user: of equal warnings at one line Python shows the first.
pub fn warn(py: Python<'_>, notes: &[String], calls: u32) -> PyResult<()> {
    let warnings = py.import("warnings")?;
    notes.iter().try_for_each(|note| warnings.call_method1("warn", (note, py.None(), calls)).map(|_| ()))
}

/// Does the study in a file, cell by cell, and joins the tables. Returns the folder.
#[pyfunction]
#[pyo3(signature = (file, out=None, *, force=false, again=false, threads=None, progress=None))]
pub fn experiment(
    py: Python<'_>,
    file: PathBuf,
    out: Option<PathBuf>,
    force: bool,
    again: bool,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PathBuf> {
    let threads = self::threads(py, threads)?;
    let study = py
        .detach(|| Experiment::read(&REGISTRY, &file, out.as_deref()))
        .map_err(|error| refused(py, &error))?;
    let redo = Redo { force, again };
    study.check(redo).map_err(|error| refused(py, &error))?;
    warn(py, study.notes(), 2)?;
    let stop = Arc::new(AtomicBool::new(false));
    let (done, raised) = beside(py, progress, (&stop, &[]), |sender| {
        study.complete(&REGISTRY, redo, (threads, Arc::clone(&stop)), &mut Front(sender))
    })?;
    if let Some(error) = raised {
        return Err(error);
    }
    let (_, end) = done.map_err(|error| match &error {
        ExperimentError::Session(error) => session_error(py, error),
        error => failed(py, error),
    })?;
    check_end(py, &end, &[])?;
    Ok(study.out)
}
