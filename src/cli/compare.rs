//! `sim compare`: compares agents on the same deals.

use crate::cli::compared;
use crate::cli::exit::{Exit, bad_input};
use crate::cli::subject::{Planned, Subject};
use crate::cli::task::{Report, Task};
use crate::cli::work::{Workspace, count, whole};
use crate::games::{CardGame, Visitor};
use crate::stats::sprt::Sprt;
use crate::store::{Files, Manifest, PlanRecord, Writer, default_name};
use crate::studies::compare::{ComparePlan, CompareRequest, CompareTotals, Comparing, Goal, Measure};
use clap::{Args as ClapArgs, ValueEnum};

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    subject: Subject,
    /// An agent (`sim list agents`), NAME or NAME:option=value,…; given two or more times
    #[arg(long, short, required = true, value_name = "AGENT")]
    agent: Vec<String>,
    /// The number of deals, or the most of them with --until and --sprt (1_000_000 and 1e6 are the same)
    #[arg(short, value_name = "N", value_parser = count)]
    n: u64,
    /// Stop when the interval of every difference is at most so wide, such as width=0.002. Intervals and p-values
    /// are then valid whenever one stops
    #[arg(long, value_name = "width=W", value_parser = width, conflicts_with = "sprt")]
    until: Option<f64>,
    /// Stop when a sequential test says whether the second agent is better than the first by ELO0 or by ELO1,
    /// such as 0,5
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// What --until and --sprt are about
    #[arg(long, value_enum, default_value = "wins")]
    measure: MeasureName,
    /// Take off the luck of random events as the game's evaluator sees it, with K sampled outcomes for each of
    /// them: fewer deals for the same interval, but a slower one
    #[arg(long, value_name = "K", value_parser = whole(1, 10_000))]
    control: Option<u64>,
    #[command(flatten)]
    pub workspace: Workspace,
}

#[derive(Copy, Clone, Debug, ValueEnum)]
enum MeasureName {
    /// Games won
    Wins,
    /// The score; --sprt then asks who has the better one on a deal
    Score,
}

/// Reads `width=0.002`.
fn width(text: &str) -> Result<f64, String> {
    let width = text.strip_prefix("width=").and_then(|width| width.parse().ok());
    width
        .filter(|width: &f64| width.is_finite() && *width > 0.0)
        .ok_or_else(|| "expected the width of the intervals, such as width=0.002, above 0".to_owned())
}

/// Reads `0,5`.
fn sprt(text: &str) -> Result<Sprt, String> {
    let wrong = "expected two differences in Elo, the smaller first, from -2000 to 2000, such as 0,5";
    let (low, high) = text.split_once(',').ok_or(wrong)?;
    let (elo0, elo1) = (low.parse().map_err(|_| wrong)?, high.parse().map_err(|_| wrong)?);
    let right = -2000.0 <= elo0 && elo0 < elo1 && elo1 <= 2000.0;
    if right { Ok(Sprt { elo0, elo1 }) } else { Err(wrong.to_owned()) }
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    args.subject.visit(Compare(args))
}

impl Planned for Args {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn record_of<G: CardGame>(&self) -> anyhow::Result<PlanRecord> {
        Ok(PlanRecord::of_compare(&ComparePlan::<G>::new(&self.request()).map_err(bad_input)?))
    }
}

struct Compare<'a>(&'a Args);

impl Args {
    fn request(&self) -> CompareRequest {
        let measure = match self.measure {
            MeasureName::Wins => Measure::Wins,
            MeasureName::Score => Measure::Score,
        };
        let goal = self.until.map(|width| Goal::Width { measure, width });
        CompareRequest {
            rules: self.subject.rules.clone(),
            agents: self.agent.clone(),
            deals: self.n,
            seed: self.subject.seed,
            goal: goal.or(self.sprt.map(|test| Goal::Sprt { measure, test })),
            control: self.control.map(|samples| samples as u32),
        }
    }
}

impl Visitor for Compare<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: CardGame>(self) -> anyhow::Result<Exit> {
        let args = self.0;
        let plan: ComparePlan<G> = ComparePlan::new(&args.request()).map_err(bad_input)?;
        let workspace = &args.workspace;
        if plan.goal.is_some() && workspace.shard.is_some() {
            return Err(bad_input(
                "--shard cannot be used with --until or --sprt: no part knows when to stop",
            ));
        }
        let path = workspace.out.clone().unwrap_or_else(|| {
            let labels =
                ["compare"].into_iter().chain(plan.agents().iter().map(|agent| agent.label.as_str()));
            workspace.default_path(&default_name(G::NAME, labels, args.n, args.subject.seed))
        });
        let task = Task {
            workspace,
            plan: PlanRecord::of_compare(&plan),
            path: Some(path),
            files: Files::of_compare(plan.seats()),
        };
        task.carry_out(&Comparing { plan: &plan }, &CompareReport(&plan))
    }
}

/// What is told about a comparison.
pub struct CompareReport<'p, G: CardGame>(pub &'p ComparePlan<G>);

impl<G: CardGame> Report<CompareTotals> for CompareReport<'_, G> {
    const NOUN: &'static str = "deals";

    fn estimate(&self, totals: &CompareTotals) -> String {
        compared::estimate(self.0, totals)
    }

    fn tables(&self, writer: &mut Writer, totals: &CompareTotals) {
        writer.compare(self.0, totals);
    }

    fn summary(&self, totals: &CompareTotals, manifest: &Manifest) -> String {
        compared::summary(self.0, totals, manifest)
    }
}
