//! `sim run`: plays games and writes what they tell.

use crate::exit::{Exit, bad_input};
use crate::progress::Progress;
use crate::table;
use crate::work::{self, End, count, whole};
use clap::Args as ClapArgs;
use knave::export::{Files, Folder, Manifest, PlanRecord, Timing, Writer, default_name};
use knave::games::{self, CardGame, Visitor};
use knave::runner::{Control, Desk, Plan, Request, Text, Totals, Wanted, run as play};
use std::io;
use std::path::PathBuf;
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
        let record = PlanRecord::of(&plan);
        let folder = Folder::check(&path, &record, args.force).map_err(bad_input)?;
        let (transcripts, force) = (args.transcripts.clone(), args.force);
        let files = Files { transcripts, force, ..Files::of_run::<G>(args.games) };
        let writer = Writer::open(Some(folder), Manifest::new(record), &files).map_err(bad_input)?;
        execute(args, &plan, writer)
    }
}

/// Where the text and the counts of a run go.
struct Front {
    writer: Writer,
    progress: Progress,
}

impl<G: CardGame> Desk<Totals<G>> for Front {
    fn text(&mut self, text: Text) -> io::Result<()> {
        self.writer.text(&text)
    }

    fn progress(&mut self, totals: &Totals<G>) {
        self.progress.show(totals.games, || table::wins(totals));
    }
}

#[expect(clippy::disallowed_methods, reason = "the manifest says when a run began and how long it took")]
fn execute<G: CardGame>(args: &Args, plan: &Plan<G>, writer: Writer) -> anyhow::Result<Exit> {
    let stop = work::stop_on_interrupt()?;
    let threads = work::threads(args.threads);
    let transcripts = args.transcripts.as_ref().map_or(0, |_| args.transcript_limit.unwrap_or(plan.games));
    let wanted = Wanted { games: args.games, transcripts };
    let mut front = Front { writer, progress: Progress::new("games", plan.games, args.quiet) };
    let (started, clock) = (SystemTime::now(), Instant::now());
    let outcome = play(plan, wanted, 0..plan.games, Control { threads, stop: &stop }, &mut front);
    let timing = Timing::new(started, clock.elapsed().as_secs_f64(), outcome.finished.len(), threads);
    let Front { mut writer, progress } = front;
    progress.end();
    let folder = writer.folder().map(ToOwned::to_owned);
    let totals = &outcome.totals;
    writer.run(plan, totals);
    let end = End {
        asked: plan.games,
        finished: &outcome.finished,
        failure: outcome.failure,
        folder: folder.as_deref(),
        to_stderr: args.transcripts.as_ref().is_some_and(|path| path.as_os_str() == "-"),
    };
    end.report(writer.finish(&outcome.finished, timing), |manifest| {
        (!args.quiet).then(|| table::summary(plan, totals, manifest))
    })
}
