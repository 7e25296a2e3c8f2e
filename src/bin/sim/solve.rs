//! `sim solve`: exact answers about deals, for someone who knows every card.

use crate::exit::{Exit, bad_input};
use crate::progress::Progress;
use crate::table;
use crate::work::{self, End, count, whole};
use clap::Args as ClapArgs;
use knave::export::{Files, Folder, Manifest, PlanRecord, Timing, Writer, default_name};
use knave::games::{self, CardGame, Visitor};
use knave::runner::solve::{Deals, DealsWanted, SolvePlan, SolveRequest, SolveTotals, SolveWanted, solve};
use knave::runner::{Control, Desk, Text};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

#[derive(ClapArgs)]
pub struct Args {
    /// The game (`sim list games` shows which have exact answers)
    #[arg(long, short)]
    game: String,
    /// What is asked, by default the first objective of the game (`sim list games`)
    #[arg(long, value_name = "OBJECTIVE")]
    objective: Option<String>,
    /// The number of deals: those of `sim run` with the same seed (1_000_000 and 1e6 are the same)
    #[arg(short, value_name = "N", value_parser = count, required_unless_present = "deals")]
    n: Option<u64>,
    /// The seed of the deals
    #[arg(long, default_value_t = 1, value_parser = whole(0, u64::MAX), conflicts_with = "deals")]
    seed: u64,
    /// Solve the deals of this file instead: on each line a transcript, or an object such as
    /// {"deck":["TD","2C"],"rules":{"health":12}}; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "n")]
    deals: Option<PathBuf>,
    /// An option of the rules; repeated for others
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// The nodes that may be visited for each deal before it is left undecided
    #[arg(long, value_name = "NODES", value_parser = count)]
    budget: Option<u64>,
    /// The number of worker threads, by default one for each core; results do not depend on it
    #[arg(long, value_name = "T", value_parser = whole(1, 1024))]
    threads: Option<u64>,
    /// The folder for the results, by default `results/<game>-solve-<objective>-n<N>-seed<S>`, and none for
    /// the deals of a file
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite what something else has left in the folder
    #[arg(long)]
    force: bool,
    /// Also write solutions.csv, a row for each deal
    #[arg(long)]
    solutions: bool,
    /// Print a best line of each deal, move by move
    #[arg(long)]
    line: bool,
    /// Write the best lines to this file, as transcripts; `-` is standard output
    #[arg(long, value_name = "FILE")]
    transcripts: Option<PathBuf>,
    /// Print no progress and no summary
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    games::visit(&args.game, Solve(args)).map_err(bad_input)?
}

struct Solve<'a>(&'a Args);

impl Visitor for Solve<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: CardGame>(self) -> anyhow::Result<Exit> {
        let args = self.0;
        if args.line && args.transcripts_to_stdout() {
            return Err(bad_input("--line and --transcripts - would both write to standard output"));
        }
        if args.solutions && args.deals.is_some() && args.out.is_none() {
            return Err(bad_input("--solutions needs a folder: name one with --out"));
        }
        let request = SolveRequest {
            objective: args.objective.clone(),
            rules: args.rules.clone(),
            deals: match &args.deals {
                Some(path) => read(path)?,
                None => DealsWanted::Seeded { games: args.n.unwrap_or(0), seed: args.seed },
            },
            budget: args.budget,
            transcripts: args.transcripts.is_some(),
        };
        let plan: SolvePlan<G> = SolvePlan::new(request).map_err(bad_input)?;
        let record = PlanRecord::of_solve(&plan);
        let folder = args.folder(&plan).map(|path| Folder::check(&path, &record, args.force));
        let folder = folder.transpose().map_err(bad_input)?;
        let (transcripts, force) = (args.transcripts.clone(), args.force);
        let files = Files { transcripts, force, ..Files::of_solve(args.solutions) };
        let writer = Writer::open(folder, Manifest::new(record), &files).map_err(bad_input)?;
        execute(args, &plan, writer)
    }
}

impl Args {
    fn transcripts_to_stdout(&self) -> bool {
        self.transcripts.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }

    /// The folder for the results, if there is to be one.
    fn folder<G: CardGame>(&self, plan: &SolvePlan<G>) -> Option<PathBuf> {
        self.out.clone().or(match plan.deals {
            Deals::Seeded { games, seed } => {
                let label = format!("solve-{}", plan.objective.name);
                let name = default_name(G::NAME, [label.as_str()].into_iter(), games, seed);
                Some(PathBuf::from("results").join(name))
            }
            Deals::Listed { .. } => None,
        })
    }
}

/// Reads the file of deals.
fn read(path: &Path) -> anyhow::Result<DealsWanted> {
    let name = path.display().to_string();
    let text = if name == "-" {
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text).map(|_| text)
    } else {
        fs::read(path)
    };
    let text = text.map_err(|error| bad_input(format!("cannot read {name}: {error}")))?;
    if text.is_empty() {
        return Err(bad_input(format!("{name} holds no deals")));
    }
    Ok(DealsWanted::Listed { name, text })
}

/// Where the text and the counts go.
struct Front<'p, G: CardGame> {
    plan: &'p SolvePlan<G>,
    writer: Writer,
    progress: Progress,
}

impl<G: CardGame> Desk<SolveTotals> for Front<'_, G> {
    fn text(&mut self, text: Text) -> io::Result<()> {
        if !text.print.is_empty() {
            io::stdout().write_all(&text.print)?;
        }
        self.writer.text(&text)
    }

    fn progress(&mut self, totals: &SolveTotals) {
        self.progress.show(totals.deals, || table::answers(self.plan, totals));
    }
}

#[expect(clippy::disallowed_methods, reason = "the manifest says when the work began and how long it took")]
fn execute<G: CardGame>(args: &Args, plan: &SolvePlan<G>, writer: Writer) -> anyhow::Result<Exit> {
    let stop = work::stop_on_interrupt()?;
    let threads = work::threads(args.threads);
    let wanted =
        SolveWanted { solutions: args.solutions, transcripts: args.transcripts.is_some(), lines: args.line };
    let progress = Progress::new("deals", plan.len(), args.quiet);
    let mut front = Front { plan, writer, progress };
    let (started, clock) = (SystemTime::now(), Instant::now());
    let outcome = solve(plan, wanted, 0..plan.len(), Control { threads, stop: &stop }, &mut front);
    let timing = Timing::new(started, clock.elapsed().as_secs_f64(), outcome.finished.len(), threads);
    let Front { mut writer, progress, .. } = front;
    progress.end();
    let folder = writer.folder().map(ToOwned::to_owned);
    let totals = &outcome.totals;
    writer.solve(plan, totals);
    let end = End {
        asked: plan.len(),
        finished: &outcome.finished,
        failure: outcome.failure,
        folder: folder.as_deref(),
        to_stderr: args.transcripts_to_stdout(),
    };
    end.report(writer.finish(&outcome.finished, timing), |manifest| {
        (!args.quiet).then(|| table::solved(plan, totals, manifest))
    })
}
