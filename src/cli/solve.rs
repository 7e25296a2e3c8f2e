//! `sim solve`: exact answers about deals, for someone who knows every card.

use crate::cli::exit::{Exit, bad_input};
use crate::cli::subject::{Planned, Subject};
use crate::cli::table;
use crate::cli::task::{Report, Task};
use crate::cli::work::{Workspace, count};
use crate::games::{CardGame, Visitor};
use crate::store::{Files, Manifest, PlanRecord, Writer, default_name};
use crate::studies::solve::{Deals, DealsWanted, SolvePlan, SolveRequest, SolveTotals, SolveWanted, Solving};
use clap::Args as ClapArgs;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    subject: Subject,
    /// What is asked, by default the first objective of the game (`sim list games`)
    #[arg(long, value_name = "OBJECTIVE")]
    objective: Option<String>,
    /// The number of deals: those of `sim run` with the same seed (1_000_000 and 1e6 are the same)
    #[arg(short, value_name = "N", value_parser = count, required_unless_present = "deals")]
    n: Option<u64>,
    /// Solve the deals of this file instead: on each line a transcript, or an object such as
    /// {"deck":["TD","2C"],"rules":{"health":12}}; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["n", "seed"])]
    deals: Option<PathBuf>,
    /// The nodes that may be visited for each deal before it is left undecided
    #[arg(long, value_name = "NODES", value_parser = count)]
    budget: Option<u64>,
    /// Also write solutions.csv, a row for each deal
    #[arg(long)]
    solutions: bool,
    /// Print a best line of each deal, move by move
    #[arg(long)]
    line: bool,
    /// Write the best lines to this file, as transcripts; `-` is standard output
    #[arg(long, value_name = "FILE")]
    transcripts: Option<PathBuf>,
    #[command(flatten)]
    pub workspace: Workspace,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    args.subject.visit(Solve(args))
}

impl Planned for Args {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn record_of<G: CardGame>(&self) -> anyhow::Result<PlanRecord> {
        Ok(PlanRecord::of_solve(&self.plan::<G>()?))
    }
}

struct Solve<'a>(&'a Args);

impl Visitor for Solve<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: CardGame>(self) -> anyhow::Result<Exit> {
        let args = self.0;
        if args.line && args.transcripts_to_stdout() {
            return Err(bad_input("--line and --transcripts - would both write to standard output"));
        }
        let workspace = &args.workspace;
        if args.solutions && args.deals.is_some() && workspace.out.is_none() {
            return Err(bad_input("--solutions needs a folder: name one with --out"));
        }
        if workspace.shard.is_some() && args.deals.is_some() {
            return Err(bad_input("--shard shares out seeded deals: leave out --deals, or split its file"));
        }
        let plan: SolvePlan<G> = args.plan()?;
        let wanted = SolveWanted {
            solutions: args.solutions,
            transcripts: args.transcripts.is_some(),
            lines: args.line,
        };
        let task = Task {
            workspace,
            plan: PlanRecord::of_solve(&plan),
            path: args.folder(&plan),
            files: Files {
                transcripts: args.transcripts.clone(),
                prints: args.line,
                ..Files::of_solve(args.solutions)
            },
        };
        task.carry_out(&Solving { plan: &plan, wanted }, &SolveReport(&plan))
    }
}

impl Args {
    fn plan<G: CardGame>(&self) -> anyhow::Result<SolvePlan<G>> {
        let request = SolveRequest {
            objective: self.objective.clone(),
            rules: self.subject.rules.clone(),
            deals: match &self.deals {
                Some(path) => read(path)?,
                None => DealsWanted::Seeded { games: self.n.unwrap_or(0), seed: self.subject.seed },
            },
            budget: self.budget,
            transcripts: self.transcripts.is_some(),
        };
        SolvePlan::new(request).map_err(bad_input)
    }

    fn transcripts_to_stdout(&self) -> bool {
        self.transcripts.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }

    /// The folder for the results, if there is to be one.
    fn folder<G: CardGame>(&self, plan: &SolvePlan<G>) -> Option<PathBuf> {
        self.workspace.out.clone().or(match plan.deals {
            Deals::Seeded { games, seed } => {
                let label = format!("solve-{}", plan.objective.name);
                let name = default_name(G::NAME, [label.as_str()].into_iter(), games, seed);
                Some(self.workspace.default_path(&name))
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

/// What is told about solved deals.
pub struct SolveReport<'p, G: CardGame>(pub &'p SolvePlan<G>);

impl<G: CardGame> Report<SolveTotals> for SolveReport<'_, G> {
    const NOUN: &'static str = "deals";

    fn estimate(&self, totals: &SolveTotals) -> String {
        table::answers(self.0, totals)
    }

    fn tables(&self, writer: &mut Writer, totals: &SolveTotals) {
        writer.solve(self.0, totals);
    }

    fn summary(&self, totals: &SolveTotals, manifest: &Manifest) -> String {
        table::solved(self.0, totals, manifest)
    }
}
