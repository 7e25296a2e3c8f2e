//! Does a request from the command line: progress, and what is said in the end.

use super::args::{RESULTS, Workspace};
use super::estimate;
use super::exit::{self, Exit, bad_input, complain, failed, say};
use super::experiment::{self, Told};
use super::json;
use super::progress::ProgressDisplay;
use super::signals::{stop_on_signals, stopped};
use crate::exec::Failure;
use crate::experiment::{Experiment, Redo, Sweep};
use crate::registry::Registry;
use crate::screen::Screen;
use crate::store::is_read_at_once;
use crate::studies::{self, Done, End, Outputs, Request, Session, SessionError, SessionObserver, Summary};
use crate::text::visible;
use std::io::{self, Write as _};
use std::path::Path;

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
    let outputs = match workspace.estimate {
        // Transcripts go to a file of their own, whether there is a folder or not.
        Some(_) => Outputs { transcripts: None, transcript_limit: None, ..outputs },
        None => outputs,
    };
    let to_stderr = outputs.transcripts.as_ref().is_some_and(|path| path.as_os_str() == "-");
    let read_at_once = outputs.lines || outputs.transcripts.as_deref().is_some_and(is_read_at_once);
    // An estimate prints no line.
    if workspace.json.json && (outputs.lines || to_stderr) && workspace.estimate.is_none() {
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
    let mut front = Front { progress: ProgressDisplay::new(workspace.quiet) };
    let done = session.stop(stop).run(&mut front);
    front.progress.end();
    let done = match done {
        Err(error) if error.is_closed_pipe() => {
            if !workspace.quiet {
                let closed = match &error {
                    SessionError::Unwritten { source, .. } => source.names(),
                    _ => "standard output".to_owned(),
                };
                say(format_args!("note: {closed} was closed before the end: the results are partial"));
            }
            return Ok(Exit::Done);
        }
        done => done.map_err(failed)?,
    };
    let note = done.note();
    let Done { manifest, tables, summary, folder, end, .. } = done;
    if !workspace.quiet {
        if let Some(note) = note {
            say(format_args!("note: {note}"));
        }
        // Of nothing there is no summary.
        if !workspace.json.json && manifest.finished > 0 {
            let printed = print(&*summary, folder.as_deref(), to_stderr);
            if let End::Complete = end {
                printed?;
            }
        }
    }
    if workspace.json.json {
        json::print(&json::results(Some(&manifest), &tables))?;
    }
    let kept = folder.filter(|_| manifest.finished > 0).map_or_else(String::new, |folder| {
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
            "{folder} holds {name}, which is not of these runs: choose another folder with --out, or write into it with --force"
        )));
    }
    let shown = if workspace.json.json { Told::Json } else { Told::Brief };
    experiment::complete(registry, &experiment, redo, (workspace.threads(), workspace.quiet), shown)
}

/// Prints a summary, and where the results lie.
pub fn print(summary: &dyn Summary, folder: Option<&Path>, to_stderr: bool) -> io::Result<()> {
    let screen = if to_stderr { Screen::stderr() } else { Screen::stdout() };
    let mut text = summary.on_screen(screen.width);
    if let Some(folder) = folder {
        text += &format!("Written to {}\n", visible(&folder.display().to_string()));
    }
    if to_stderr { io::stderr().write_all(screen.show(&text).as_bytes()) } else { exit::print_marked(&text) }
}

/// Shows progress, and text that is to be read at once.
struct Front {
    progress: ProgressDisplay,
}

impl SessionObserver for Front {
    fn progress(&mut self, progress: &studies::Progress<'_>) {
        self.progress.show(progress);
    }

    fn print(&mut self, text: &[u8]) -> io::Result<()> {
        exit::print(&String::from_utf8_lossy(text))
    }
}
