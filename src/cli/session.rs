//! Does a request from the command line: progress, interrupts, and what is said in the end.

use super::args::{RESULTS, Workspace};
use super::estimate;
use super::exit::{self, Exit, bad_input, busy, complain, say};
use super::experiment::{self, Told};
use super::json;
use super::progress::Progress;
use crate::exec::Failure;
use crate::experiment::{Experiment, Redo, Sweep};
use crate::registry::Registry;
use crate::screen::Screen;
use crate::store::FolderError;
use crate::studies::{self, Done, End, Observer, Outputs, Request, Session, SessionError, Summary};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// The signals that ask a command to end, and what they ask for. The second of a kind ends it at once.
const SIGNALS: [(i32, Exit); 2] = [(SIGINT, Exit::Interrupted), (SIGTERM, Exit::TryAgain)];

/// What signals raise.
struct Signals {
    /// Whether any came.
    stop: Arc<AtomicBool>,
    /// The place of the last among [`SIGNALS`].
    last: Arc<AtomicUsize>,
}

static RAISED: OnceLock<Signals> = OnceLock::new();

/// A flag that Ctrl-C and SIGTERM raise; the second time they end the command at once. It is the same whenever it is asked for.
pub fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    if let Some(signals) = RAISED.get() {
        return Ok(Arc::clone(&signals.stop));
    }
    let signals = RAISED.get_or_init(|| Signals { stop: Arc::default(), last: Arc::default() });
    let again = Arc::<AtomicBool>::default();
    for (place, (signal, exit)) in SIGNALS.into_iter().enumerate() {
        flag::register_conditional_shutdown(signal, exit.code().into(), Arc::clone(&again))?;
        flag::register_usize(signal, Arc::clone(&signals.last), place)?;
        flag::register(signal, Arc::clone(&signals.stop))?;
    }
    acknowledge(Arc::clone(&signals.stop), again)?;
    Ok(Arc::clone(&signals.stop))
}

/// Says at once that a signal has come, for games under way may take their time, and lets a further one stop the process soon
/// after: who ends a job often sends one signal twice, to the process and to its group.
fn acknowledge(stop: Arc<AtomicBool>, again: Arc<AtomicBool>) -> io::Result<()> {
    const LOOK: Duration = Duration::from_millis(50);
    const ONE: Duration = Duration::from_millis(500);
    let wait = move || {
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
        }
        say("Finishing what is under way; once more stops at once");
        thread::sleep(ONE);
        again.store(true, Ordering::Relaxed);
    };
    // It ends with the process.
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// How a command ends that a signal has stopped.
pub fn stopped() -> Exit {
    let last = RAISED.get().map_or(0, |signals| signals.last.load(Ordering::Relaxed));
    SIGNALS[last].1
}

/// The error of a session as the command ends with it.
pub fn failed(error: SessionError) -> anyhow::Error {
    match error {
        SessionError::Folder(FolderError::Busy { .. }) => busy(error),
        error if error.is_bad_input() => bad_input(error),
        error => error.into(),
    }
}

/// Does what is asked and says what came of it.
pub fn carry_out(
    registry: &Registry,
    request: &Request,
    outputs: Outputs,
    workspace: &Workspace,
) -> anyhow::Result<Exit> {
    if let Some(swept) = Sweep::of(registry, request, &outputs).map_err(bad_input)? {
        return sweep(registry, swept, &outputs, workspace);
    }
    let to_stderr = outputs.transcripts.as_ref().is_some_and(|path| path.as_os_str() == "-");
    let read_at_once = outputs.lines || to_stderr;
    if workspace.json.json && read_at_once {
        let other = if to_stderr { "--transcripts -" } else { "--line" };
        return Err(bad_input(format_args!("--json and {other} would both write to standard output")));
    }
    let session = Session::new(registry, request).map_err(failed)?.outputs(outputs).shard(workspace.shard);
    session.check().map_err(failed)?;
    session.notes().iter().for_each(|note| say(format_args!("note: {note}")));
    if let Some(wanted) = workspace.estimate {
        return estimate::run(session, workspace, wanted);
    }
    let session = match &workspace.out {
        Some(path) => session.folder(path),
        None => session.folder_in(Path::new(RESULTS)),
    };
    let session = session.existing(workspace.existing()).threads(workspace.threads());
    let stop = stop_on_signals()?;
    let mut front = Front { progress: Progress::new(workspace.quiet) };
    let done = session.stop(stop).run(&mut front);
    front.progress.end();
    let Done { manifest, tables, summary, folder, end, before } = match done {
        Err(error) if error.is_closed_pipe() => return Ok(Exit::Done),
        done => done.map_err(failed)?,
    };
    if !workspace.quiet {
        let folder = folder.as_deref();
        if let Some(folder) = folder.filter(|_| before) {
            say(format_args!("note: {} held all of this already", folder.display()));
        }
        // Of nothing there is no summary.
        if !workspace.json.json && manifest.finished > 0 {
            let printed = print(&*summary, folder, to_stderr);
            if let End::Complete = end {
                printed?;
            }
        }
    }
    if workspace.json.json {
        json::print(&json::results(Some(&manifest), &tables))?;
    }
    let kept = folder.map_or_else(String::new, |folder| {
        let resumed = if read_at_once { "" } else { ", --resume goes on" };
        format!("; {} holds what was finished{resumed}", folder.display())
    });
    Ok(match end {
        End::Complete => Exit::Done,
        End::Interrupted => {
            say(format_args!("Interrupted{kept}"));
            stopped()
        }
        End::Failed(Failure::Sink(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        End::Failed(failure) => {
            complain(format!("{failure}{kept}"));
            Exit::Failed
        }
    })
}

/// Does a request under several rules, in a folder for each.
fn sweep(
    registry: &Registry,
    Sweep { study, options }: Sweep,
    outputs: &Outputs,
    workspace: &Workspace,
) -> anyhow::Result<Exit> {
    for (given, option) in [
        (outputs.transcripts.is_some(), "--transcripts"),
        (outputs.lines, "--line"),
        (workspace.shard.is_some(), "--shard"),
        (workspace.estimate.is_some(), "--estimate"),
    ] {
        if given {
            return Err(bad_input(format_args!("{option} cannot be used with several values of a rule")));
        }
    }
    let out = match (&workspace.out, study.cells.first()) {
        (Some(out), _) => out.clone(),
        (None, Some(cell)) => {
            let name = Session::new(registry, &cell.request).map_err(failed)?.folder_name();
            let name = name.ok_or_else(|| bad_input("several values of a rule need a folder for results of deals from a file: name it with --out"))?;
            Path::new(RESULTS).join(format!("{name}-{options}"))
        }
        (None, None) => return Ok(Exit::Done),
    };
    let experiment =
        Experiment::new(registry, study, out, &|_, error| error.to_string()).map_err(bad_input)?;
    let redo = Redo { force: workspace.force, again: false };
    let folder = experiment.out.display();
    let stranger =
        experiment.stranger().map_err(|error| bad_input(format_args!("cannot read {folder}: {error}")))?;
    if let Some(name) = stranger.filter(|_| !redo.force) {
        return Err(bad_input(format_args!(
            "{folder} holds {name}, which is not of this sweep: choose another folder with --out, or write into it with --force"
        )));
    }
    experiment.notes().iter().for_each(|note| say(format_args!("note: {note}")));
    let shown = if workspace.json.json { Told::Json } else { Told::Brief };
    experiment::complete(registry, &experiment, redo, (workspace.threads(), workspace.quiet), shown)
}

/// Prints a summary, and where the results lie.
pub fn print(summary: &dyn Summary, folder: Option<&Path>, to_stderr: bool) -> io::Result<()> {
    let screen = if to_stderr { Screen::stderr() } else { Screen::stdout() };
    let mut text = summary.on_screen(screen.width);
    if let Some(folder) = folder {
        text += &format!("Written to {}\n", folder.display());
    }
    if to_stderr { io::stderr().write_all(screen.show(&text).as_bytes()) } else { exit::print(&text) }
}

/// Shows progress, and text that is to be read at once.
struct Front {
    progress: Progress,
}

impl Observer for Front {
    fn progress(&mut self, progress: &studies::Progress<'_>) {
        self.progress.show(progress);
    }

    fn print(&mut self, text: &[u8]) -> io::Result<()> {
        exit::print(&String::from_utf8_lossy(text))
    }
}
