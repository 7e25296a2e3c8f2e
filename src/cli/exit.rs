//! How `sim` ends: exit codes and the one place where errors are printed.

use crate::screen::{Screen, warning};
use crate::studies::SessionError;
use crate::text::{shortened, visible};
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

/// The exit codes, for `--help`.
pub const HELP: &str = "\
Exit codes:
  0    done (also when the reader of a pipe has closed it)
  1    failed while running, for example when the disk is full
  2    bad input: nothing was played
  3    replay: a transcript breaks the rules
       experiment --check: results are of another request, such as more games,
       or of other rules, players, models or programs, or a study would remove
       rows that are nowhere else
       check-bot: the program does not follow the protocol
  75   asked to end by SIGTERM (what was finished is written and marked
       partial), or another sim is writing to the folder, or parts are
       missing (merge --whole) or have nothing: the same command goes on
       later, with --resume where it is one run, and without the --again of
       a study
  130  interrupted by Ctrl-C: what was finished is written and marked partial
  143  ended by SIGTERM: commands that save nothing before they end";

/// How the command ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    Done,
    Failed,
    BadInput,
    Disagreement,
    /// What `EX_TEMPFAIL` of BSD's sysexits means, which schedulers can be told to begin again after.
    TryAgain,
    Interrupted,
    /// By SIGTERM, with nothing saved.
    Ended,
}

impl Exit {
    /// The code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::BadInput => 2,
            Exit::Disagreement => 3,
            Exit::TryAgain => 75,
            Exit::Interrupted => 130,
            Exit::Ended => 143,
        }
    }
}

/// An error that says how the command ends.
#[derive(Debug)]
struct Ending(String, Exit);

impl Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Ending {}

/// Turns an error into bad input: it was found before anything was played.
pub fn bad_input(error: impl Display) -> anyhow::Error {
    Ending(error.to_string(), Exit::BadInput).into()
}

/// Turns an error into one that goes away by itself.
pub fn busy(error: impl Display) -> anyhow::Error {
    Ending(error.to_string(), Exit::TryAgain).into()
}

/// The error of a session as the command ends with it.
pub fn failed(error: SessionError) -> anyhow::Error {
    match error {
        error if error.is_busy() => busy(error),
        error if error.is_bad_input() => bad_input(error),
        error => error.into(),
    }
}

/// Prints the error and says how to end.
pub fn report(error: &anyhow::Error) -> Exit {
    let closed = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    if error.downcast_ref::<io::Error>().is_some_and(closed) {
        return Exit::Done;
    }
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Many errors tell their cause themselves.
        if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    complain(message);
    error.downcast_ref().map_or(Exit::Failed, |Ending(_, exit)| *exit)
}

/// Prints an error message.
pub fn complain(message: impl Display) {
    say_after(&format!("{} ", warning("error:")), message);
}

/// Prints a message to standard error, on a terminal as wide as that is. That this may be closed is nobody's concern.
pub fn say(message: impl Display) {
    say_after("", message);
}

/// Prints a message after a word with marks. The message repeats what stands in files, which bring none.
fn say_after(word: &str, message: impl Display) {
    let (message, screen) = (message.to_string(), Screen::stderr());
    let message = visible(&message);
    let message = format!("{word}{}", screen.message(&shortened(&message)));
    // Elsewhere a line is one message.
    let text = if io::stderr().is_terminal() { screen.show(&message) } else { screen.painted(&message) };
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints bytes to standard output as they are: for other programs.
///
/// # Errors
/// When nobody reads them.
pub fn print_bytes(bytes: &[u8]) -> io::Result<()> {
    io::stdout().write_all(bytes).map_err(|error| of_stdout(&error))
}

/// The same failure with the name of what could not be written.
pub fn of_stdout(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write standard output: {error}"))
}

/// Prints text to standard output, as wide as the screen is.
///
/// # Errors
/// When nobody reads it.
pub fn print(text: &str) -> io::Result<()> {
    print_marked(&visible(text))
}

/// The same of a text with marks, in which all that comes from elsewhere is visible.
///
/// # Errors
/// When nobody reads it.
pub fn print_marked(text: &str) -> io::Result<()> {
    print_bytes(Screen::stdout().show(text).as_bytes())
}
