//! What the commands that work for long share: numbers on the command line, workers, interrupts, the end.

use crate::exit::{Exit, complain, say};
use knave::export::{Manifest, Unwritten};
use knave::runner::{Failure, Ranges};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A value parser for whole numbers from `low` to `high`, both included.
pub fn whole(low: u64, high: u64) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |text| match text.parse() {
        Ok(value) if (low..=high).contains(&value) => Ok(value),
        _ => Err(format!("expected a whole number from {low} to {high}")),
    }
}

/// Reads a count: digits with underscores between them, or such as 1e6.
pub fn count(text: &str) -> Result<u64, String> {
    let wrong = || "expected a whole number such as 1000000, 1_000_000 or 1e6".to_owned();
    let digits = text.replace('_', "");
    let (digits, zeros) = match digits.split_once(['e', 'E']) {
        Some((digits, zeros)) => (digits, zeros.parse().map_err(|_| wrong())?),
        None => (digits.as_str(), 0),
    };
    if text.starts_with('_') || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    let digits: u64 = digits.parse().map_err(|_| wrong())?;
    let count = 10_u64.checked_pow(zeros).and_then(|power| digits.checked_mul(power));
    count.filter(|&count| count > 0).ok_or_else(|| format!("expected a number from 1 to {}", u64::MAX))
}

/// The number of workers, one for each core unless something else was asked for.
pub fn threads(wanted: Option<u64>) -> usize {
    match wanted {
        Some(threads) => threads as usize,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// A flag that Ctrl-C raises; the second time it ends the command at once.
pub fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}

/// How a run ended.
pub struct End<'a> {
    /// What was asked for.
    pub asked: u64,
    /// What was finished.
    pub finished: &'a Ranges,
    /// Why it ended early, unless it was interrupted.
    pub failure: Option<Failure>,
    /// Where the results lie.
    pub folder: Option<&'a Path>,
    /// Whether the summary goes to standard error, for standard output is taken.
    pub to_stderr: bool,
}

impl End<'_> {
    /// Prints the summary, or what went wrong.
    pub fn report(
        self,
        written: Result<Manifest, Unwritten>,
        summary: impl FnOnce(&Manifest) -> Option<String>,
    ) -> anyhow::Result<Exit> {
        let manifest = match written {
            Ok(manifest) => manifest,
            Err(unwritten) if unwritten.is_closed_pipe() => return Ok(Exit::Done),
            Err(unwritten) => return Err(unwritten.into()),
        };
        let complete = self.failure.is_none() && self.finished.len() == self.asked;
        if let Some(mut text) = summary(&manifest) {
            if let Some(folder) = self.folder {
                text += &format!("Written to {}\n", folder.display());
            }
            let printed = if self.to_stderr {
                io::stderr().write_all(text.as_bytes())
            } else {
                io::stdout().write_all(text.as_bytes())
            };
            if complete {
                printed?;
            }
        }
        let kept = match self.folder {
            Some(folder) => format!("; {} holds what was finished", folder.display()),
            None => String::new(),
        };
        match self.failure {
            Some(Failure::Text(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done),
            Some(failure) => {
                complain(format!("{failure}{kept}"));
                Ok(Exit::Failed)
            }
            None if !complete => {
                say(format_args!("Interrupted{kept}"));
                Ok(Exit::Interrupted)
            }
            None => Ok(Exit::Done),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts_are_read() {
        for (text, value) in [("7", 7), ("1_000_000", 1_000_000), ("1e6", 1_000_000), ("25e3", 25_000)] {
            assert_eq!(count(text), Ok(value), "{text}");
        }
        for text in
            ["", "0", "-1", "1.5", "e6", "1e", "1e99", "_1", "1x", "+3", "0e3", "99999999999999999999"]
        {
            assert!(count(text).is_err(), "{text}");
        }
    }
}
