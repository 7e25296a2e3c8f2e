//! `sim bound`: how good fair play can be at most.

use crate::cli::exit::{Exit, bad_input};
use crate::cli::subject::{Planned, Subject};
use crate::cli::table::{NONE, aligned, changed_rules, percent, speed, thousands, with_interval};
use crate::cli::task::{Report, Task};
use crate::cli::work::{Workspace, count};
use crate::games::{CardGame, Visitor};
use crate::stats::Estimate;
use crate::store::{Files, Manifest, PlanRecord, Writer, default_name};
use crate::studies::bound::{BoundPlan, BoundTotals, BoundingDeals};
use crate::studies::run::Request;
use clap::Args as ClapArgs;
use std::fmt::Write as _;

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    subject: Subject,
    /// The fair player beside the bound, on the same deals (`sim list agents`)
    #[arg(long, short, value_name = "AGENT", default_value = "rule")]
    agent: String,
    /// The number of deals: those of `sim run` with the same seed (1_000_000 and 1e6 are the same)
    #[arg(short, value_name = "N", value_parser = count)]
    n: u64,
    #[command(flatten)]
    pub workspace: Workspace,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    args.subject.visit(Bound(args))
}

impl Planned for Args {
    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn record_of<G: CardGame>(&self) -> anyhow::Result<PlanRecord> {
        Ok(PlanRecord::of_bound(&self.plan::<G>()?))
    }
}

impl Args {
    fn plan<G: CardGame>(&self) -> anyhow::Result<BoundPlan<G>> {
        let request = Request {
            rules: self.subject.rules.clone(),
            agents: vec![self.agent.clone()],
            games: self.n,
            seed: self.subject.seed,
        };
        BoundPlan::new(&request).map_err(bad_input)
    }
}

struct Bound<'a>(&'a Args);

impl Visitor for Bound<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: CardGame>(self) -> anyhow::Result<Exit> {
        let args = self.0;
        let plan: BoundPlan<G> = args.plan()?;
        let workspace = &args.workspace;
        let path = workspace.out.clone().unwrap_or_else(|| {
            let labels = ["bound", args.agent.as_str()];
            workspace.default_path(&default_name(G::NAME, labels.into_iter(), args.n, args.subject.seed))
        });
        let task =
            Task { workspace, plan: PlanRecord::of_bound(&plan), path: Some(path), files: Files::of_bound() };
        task.carry_out(&BoundingDeals { plan: &plan }, &BoundReport(&plan))
    }
}

/// What is told about bounds.
pub struct BoundReport<'p, G: CardGame>(pub &'p BoundPlan<G>);

impl<G: CardGame> BoundReport<'_, G> {
    /// A mean and its interval.
    fn show(&self, estimate: Estimate) -> [String; 2] {
        let shown = estimate.interval().map(|interval| match self.0.bounding.quantity {
            "wins" => percent(estimate.mean, interval),
            _ => with_interval(estimate.mean, interval),
        });
        shown.map_or_else(|| [NONE.to_owned(), NONE.to_owned()], |(mean, interval)| [mean, interval])
    }
}

impl<G: CardGame> Report<BoundTotals> for BoundReport<'_, G> {
    const NOUN: &'static str = "deals";

    fn estimate(&self, totals: &BoundTotals) -> String {
        let [bound, interval] = self.show(totals.bound());
        format!("bound {bound} ({interval})")
    }

    fn tables(&self, writer: &mut Writer, totals: &BoundTotals) {
        writer.bound(self.0, totals);
    }

    fn summary(&self, totals: &BoundTotals, manifest: &Manifest) -> String {
        let noun = if totals.deals() == 1 { "deal" } else { "deals" };
        let rules = changed_rules::<G>(manifest);
        let mut text = format!("\n{} {noun} of {}{rules}", thousands(totals.deals()), G::NAME);
        let _ = write!(text, ", seed {}", self.0.base.seed);
        if manifest.partial {
            let _ = write!(text, " (partial: {} were asked for)", thousands(self.0.base.games));
        }
        let _ = writeln!(
            text,
            "\n\n{}: no fair player reaches more than the bound on average",
            self.0.bounding.quantity
        );
        let row = |name: String, estimate: Estimate| {
            let [mean, interval] = self.show(estimate);
            vec![name, mean, interval]
        };
        let agent = self.0.player();
        let lines = [
            vec![String::new(), "mean".to_owned(), "95 % interval".to_owned()],
            row(format!("{agent} (fair)"), totals.fair()),
            row("bound".to_owned(), totals.bound()),
            row("clairvoyant".to_owned(), totals.clairvoyant()),
            row(format!("bound - {agent}"), totals.gap()),
        ];
        text.push_str(&aligned(&lines, 1));
        let _ = writeln!(text, "\nThe bound: {}", self.0.bounding.method);
        let _ = writeln!(text, "{}", speed(manifest, "deals"));
        text
    }
}
