//! Does a request from the command line: progress, interrupts, and what is said in the end.

use super::args::Workspace;
use super::exit::{self, Exit, bad_input, complain, say};
use super::progress::Progress;
use crate::exec::Failure;
use crate::registry::Registry;
use crate::studies::{self, Done, End, Observer, Outputs, Request, Session, SessionError};
use crate::text::visible;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A flag that Ctrl-C raises; the second time it ends the command at once. It is the same whenever it is asked for.
pub fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    if let Some(flag) = FLAG.get() {
        return Ok(Arc::clone(flag));
    }
    let stop = Arc::clone(FLAG.get_or_init(Arc::default));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}

/// The error of a session as the command ends with it.
pub fn failed(error: SessionError) -> anyhow::Error {
    if error.is_bad_input() { bad_input(error) } else { error.into() }
}

/// Does what is asked and says what came of it.
pub fn carry_out(
    registry: &Registry,
    request: &Request,
    outputs: Outputs,
    workspace: &Workspace,
) -> anyhow::Result<Exit> {
    let to_stderr = outputs.transcripts.as_ref().is_some_and(|path| path.as_os_str() == "-");
    let read_at_once = outputs.lines || to_stderr;
    let session = Session::new(registry, request).map_err(failed)?.outputs(outputs).shard(workspace.shard);
    session.check().map_err(failed)?;
    session.notes().iter().for_each(|note| say(format_args!("note: {note}")));
    let session = match &workspace.out {
        Some(path) => session.folder(path),
        None => session.folder_in(Path::new("results")),
    };
    let session = session.existing(workspace.existing()).threads(workspace.threads());
    let stop = stop_on_interrupt()?;
    let mut front = Front { progress: Progress::new(workspace.quiet) };
    let done = session.stop(stop).run(&mut front);
    front.progress.end();
    let Done { summary, folder, end, .. } = match done {
        Err(error) if error.is_closed_pipe() => return Ok(Exit::Done),
        done => done.map_err(failed)?,
    };
    if !workspace.quiet {
        let printed = print(summary.to_string(), folder.as_deref(), to_stderr);
        if let End::Complete = end {
            printed?;
        }
    }
    let kept = folder.map_or_else(String::new, |folder| {
        let resumed = if read_at_once { "" } else { ", --resume goes on" };
        format!("; {} holds what was finished{resumed}", folder.display())
    });
    Ok(match end {
        End::Complete => Exit::Done,
        End::Interrupted => {
            say(format_args!("Interrupted{kept}"));
            Exit::Interrupted
        }
        End::Failed(Failure::Sink(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        End::Failed(failure) => {
            complain(format!("{failure}{kept}"));
            Exit::Failed
        }
    })
}

/// Prints a summary, and where the results lie.
pub fn print(mut summary: String, folder: Option<&Path>, to_stderr: bool) -> io::Result<()> {
    if let Some(folder) = folder {
        summary += &format!("Written to {}\n", folder.display());
    }
    if to_stderr { io::stderr().write_all(visible(&summary).as_bytes()) } else { exit::print(&summary) }
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
        io::stdout().write_all(text)
    }
}
