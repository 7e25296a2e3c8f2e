//! `sim run`: plays games and writes what they tell.

use crate::cli::exit::{Exit, bad_input};
use crate::cli::subject::{Planned, Subject};
use crate::cli::table;
use crate::cli::task::{Report, Task};
use crate::cli::work::{Workspace, count};
use crate::games::{CardGame, Visitor};
use crate::store::{Files, Manifest, PARQUET, PlanRecord, Writer, default_name};
use crate::studies::run::{Games, Plan, Request, Totals, Wanted};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    subject: Subject,
    /// An agent (`sim list agents`), NAME or NAME:option=value,…; repeated for the seats in order, one
    /// alone fills all seats
    #[arg(long, short, required = true, value_name = "AGENT")]
    agent: Vec<String>,
    /// The number of games (1_000_000 and 1e6 are the same)
    #[arg(short, value_name = "N", value_parser = count)]
    n: u64,
    /// Also write games.csv, a row for each game and seat
    #[arg(long)]
    games: bool,
    /// `parquet` also writes games.parquet, the same rows for quick loading
    #[arg(long, value_name = "csv|parquet", requires = "games", value_parser = parquet)]
    format: Option<bool>,
    /// Write transcripts to this file, a JSON object a line; `-` is standard output
    #[arg(long, value_name = "FILE")]
    transcripts: Option<PathBuf>,
    /// Write transcripts of the first K games only
    #[arg(long, value_name = "K", requires = "transcripts", value_parser = count)]
    transcript_limit: Option<u64>,
    #[command(flatten)]
    pub workspace: Workspace,
}

/// Whether a format is Parquet, if this `sim` can write it.
fn parquet(format: &str) -> Result<bool, String> {
    match format {
        "csv" => Ok(false),
        "parquet" if PARQUET => Ok(true),
        "parquet" => {
            Err("this sim was built without it: cargo build --release --features parquet".to_owned())
        }
        _ => Err("expected csv or parquet".to_owned()),
    }
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    args.subject.visit(Run(args))
}

impl Planned for Args {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn record_of<G: CardGame>(&self) -> anyhow::Result<PlanRecord> {
        Ok(PlanRecord::of(&self.plan::<G>()?))
    }
}

impl Args {
    fn plan<G: CardGame>(&self) -> anyhow::Result<Plan<G>> {
        let request = Request {
            rules: self.subject.rules.clone(),
            agents: self.agent.clone(),
            games: self.n,
            seed: self.subject.seed,
        };
        Plan::new(&request).map_err(bad_input)
    }
}

struct Run<'a>(&'a Args);

impl Visitor for Run<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: CardGame>(self) -> anyhow::Result<Exit> {
        let args = self.0;
        let plan: Plan<G> = args.plan()?;
        let workspace = &args.workspace;
        let path = workspace.out.clone().unwrap_or_else(|| {
            workspace.default_path(&default_name(G::NAME, plan.labels(), plan.games, plan.seed))
        });
        let transcripts =
            args.transcripts.as_ref().map_or(0, |_| args.transcript_limit.unwrap_or(plan.games));
        let wanted = Wanted { games: args.games, transcripts };
        let task = Task {
            workspace,
            plan: PlanRecord::of(&plan),
            path: Some(path),
            files: Files {
                transcripts: args.transcripts.clone(),
                transcript_limit: args.transcript_limit,
                parquet: args.format == Some(true),
                ..Files::of_run::<G>(args.games)
            },
        };
        task.carry_out(&Games { plan: &plan, wanted }, &RunReport(&plan))
    }
}

/// What is told about the games of a plan.
pub struct RunReport<'p, G: CardGame>(pub &'p Plan<G>);

impl<G: CardGame> Report<Totals<G>> for RunReport<'_, G> {
    const NOUN: &'static str = "games";

    fn estimate(&self, totals: &Totals<G>) -> String {
        table::wins(totals)
    }

    fn tables(&self, writer: &mut Writer, totals: &Totals<G>) {
        writer.run(self.0, totals);
    }

    fn summary(&self, totals: &Totals<G>, manifest: &Manifest) -> String {
        table::summary(self.0, totals, manifest)
    }
}
