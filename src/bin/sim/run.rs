//! `sim run`: plays games and writes what they tell.

use crate::exit::{Exit, bad_input, complain, say};
use crate::progress::Progress;
use crate::table;
use clap::Args as ClapArgs;
use knave::export::{Files, Folder, PlanRecord, Timing, Writer, default_name};
use knave::games::{self, CardGame, Visitor};
use knave::runner::{Control, Desk, Failure, Plan, Request, Text, Totals, Wanted, run as play};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

#[derive(ClapArgs)]
pub struct Args {
    /// The game (`sim list games`)
    #[arg(long, short)]
    game: String,
    /// An agent (`sim list agents`), NAME or NAME:option=value,…; repeated for the seats in order, one
    /// alone fills all seats
    #[arg(long, short, required = true, value_name = "AGENT")]
    agent: Vec<String>,
    /// The number of games (1_000_000 and 1e6 are the same)
    #[arg(short, value_name = "N", value_parser = count)]
    n: u64,
    /// The seed of everything random
    #[arg(long, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    seed: u64,
    /// An option of the rules; repeated for others
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// The number of worker threads, by default one for each core; results do not depend on it
    #[arg(long, value_name = "T", value_parser = whole(1, 1024))]
    threads: Option<u64>,
    /// The folder for the results, by default `results/<game>-<agents>-n<N>-seed<S>`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite what another run has left in the folder
    #[arg(long)]
    force: bool,
    /// Also write games.csv, a row for each game and seat
    #[arg(long)]
    games: bool,
    /// Write transcripts to this file, a JSON object a line; `-` is standard output
    #[arg(long, value_name = "FILE")]
    transcripts: Option<PathBuf>,
    /// Write transcripts of the first K games only
    #[arg(long, value_name = "K", requires = "transcripts", value_parser = count)]
    transcript_limit: Option<u64>,
    /// Print no progress and no summary
    #[arg(long, short)]
    quiet: bool,
}

/// A value parser for whole numbers from `low` to `high`, both included.
fn whole(low: u64, high: u64) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
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

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    games::visit(&args.game, Run(args)).map_err(bad_input)?
}

struct Run<'a>(&'a Args);

impl Visitor for Run<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: CardGame>(self) -> anyhow::Result<Exit> {
        let args = self.0;
        let request =
            Request { rules: args.rules.clone(), agents: args.agent.clone(), games: args.n, seed: args.seed };
        let plan: Plan<G> = Plan::new(&request).map_err(bad_input)?;
        let path = args.out.clone().unwrap_or_else(|| {
            PathBuf::from("results").join(default_name(G::NAME, plan.labels(), plan.games, plan.seed))
        });
        let folder = Folder::check(&path, &PlanRecord::of(&plan), args.force).map_err(bad_input)?;
        let files = Files { games: args.games, transcripts: args.transcripts.clone() };
        let writer = Writer::open(folder, &plan, &files).map_err(bad_input)?;
        execute(args, &plan, writer)
    }
}

/// Where the text and the counts of a run go.
struct Front {
    writer: Writer,
    progress: Progress,
}

impl<G: CardGame> Desk<G> for Front {
    fn text(&mut self, text: Text) -> io::Result<()> {
        self.writer.text(&text)
    }

    fn progress(&mut self, totals: &Totals<G>) {
        self.progress.show(totals);
    }
}

#[expect(clippy::disallowed_methods, reason = "the manifest says when a run began and how long it took")]
fn execute<G: CardGame>(args: &Args, plan: &Plan<G>, writer: Writer) -> anyhow::Result<Exit> {
    let stop = stop_on_interrupt()?;
    let threads = match args.threads {
        Some(threads) => threads as usize,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let transcripts = args.transcripts.as_ref().map_or(0, |_| args.transcript_limit.unwrap_or(plan.games));
    let control = Control { threads, stop: &stop, wanted: Wanted { games: args.games, transcripts } };
    let mut front = Front { writer, progress: Progress::new(plan.games, args.quiet) };
    let (started, clock) = (SystemTime::now(), Instant::now());
    let outcome = play(plan, 0..plan.games, control, &mut front);
    let timing = Timing::new(started, clock.elapsed().as_secs_f64(), outcome.finished.len(), threads);
    let Front { writer, progress } = front;
    progress.end();
    let folder = writer.folder().to_owned();
    match writer.finish(plan, &outcome, timing) {
        Ok(manifest) => {
            if !args.quiet {
                let text = table::summary(plan, &outcome.totals, &manifest)
                    + &format!("Written to {}\n", folder.display());
                let to_stderr = args.transcripts.as_ref().is_some_and(|path| path.as_os_str() == "-");
                let printed = if to_stderr {
                    io::stderr().write_all(text.as_bytes())
                } else {
                    io::stdout().write_all(text.as_bytes())
                };
                if outcome.failure.is_none() && !stop.load(Ordering::Relaxed) {
                    printed?;
                }
            }
        }
        Err(unwritten) if unwritten.is_closed_pipe() => return Ok(Exit::Done),
        Err(unwritten) => return Err(unwritten.into()),
    }
    match outcome.failure {
        Some(failure @ (Failure::Panic { .. } | Failure::Threads(_) | Failure::Text(_))) => {
            complain(format!("{failure}; {} holds what was finished", folder.display()));
            Ok(Exit::Failed)
        }
        None if outcome.finished.len() < plan.games => {
            say(format_args!("Interrupted; {} holds what was finished", folder.display()));
            Ok(Exit::Interrupted)
        }
        None => Ok(Exit::Done),
    }
}

/// A flag that Ctrl-C raises; the second time it ends the command at once.
fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(stop)
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
