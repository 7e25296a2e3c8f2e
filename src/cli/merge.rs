//! `sim merge`: joins the parts of a run that was shared out with `--shard`.

use crate::cli::bound::BoundReport;
use crate::cli::compare::CompareReport;
use crate::cli::exit::{Exit, bad_input, say};
use crate::cli::run::RunReport;
use crate::cli::solve::SolveReport;
use crate::cli::task::{self, Report};
use crate::exec::Job;
use crate::games::{self, CardGame, Visitor};
use crate::store::{Existing, Files, Folder, Manifest, PARQUET, Parts, Writer, names};
use crate::studies::bound::{BoundPlan, BoundingDeals};
use crate::studies::compare::{ComparePlan, Comparing};
use crate::studies::run::{Games, Plan, Wanted};
use crate::studies::solve::{SolvePlan, SolveWanted, Solving};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub struct Args {
    /// The folders of the parts
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// The folder for the whole
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Overwrite what another run has left in the folder
    #[arg(long)]
    force: bool,
    /// Print no summary
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let parts = Parts::read(&args.parts).map_err(bad_input)?;
    let game = parts.plan.game.clone();
    games::visit(&game, Merge { args, parts }).map_err(bad_input)?
}

struct Merge<'a> {
    args: &'a Args,
    parts: Parts,
}

impl Visitor for Merge<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: CardGame>(self) -> anyhow::Result<Exit> {
        let record = &self.parts.plan;
        let changed = |why: String| bad_input(format!("these parts cannot be joined: {why}"));
        let holds = |table: &str| self.parts.files().iter().any(|name| name == table);
        if record.compare.is_some() {
            let plan: ComparePlan<G> = ComparePlan::again(record).map_err(changed)?;
            self.join(&Comparing { plan: &plan }, &CompareReport(&plan), &Files::of_compare(plan.seats()))
        } else if record.bound.is_some() {
            let plan: BoundPlan<G> = BoundPlan::again(record).map_err(changed)?;
            self.join(&BoundingDeals { plan: &plan }, &BoundReport(&plan), &Files::of_bound())
        } else if record.solve.is_some() {
            let plan: SolvePlan<G> = SolvePlan::again(record).map_err(changed)?;
            let job = Solving { plan: &plan, wanted: SolveWanted::default() };
            self.join(&job, &SolveReport(&plan), &Files::of_solve(holds(names::SOLUTIONS)))
        } else {
            let plan: Plan<G> = Plan::again(record).map_err(changed)?;
            let job = Games { plan: &plan, wanted: Wanted::default() };
            let parquet = holds(names::GAMES_PARQUET);
            if parquet && !PARQUET {
                let name = names::GAMES_PARQUET;
                return Err(changed(format!(
                    "they hold {name}, and this sim was built without --features parquet"
                )));
            }
            let files = Files { parquet, ..Files::of_run::<G>(holds(names::GAMES)) };
            self.join(&job, &RunReport(&plan), &files)
        }
    }
}

impl Merge<'_> {
    fn join<J: Job, R: Report<J::Totals>>(&self, job: &J, report: &R, files: &Files) -> anyhow::Result<Exit> {
        let Self { args, parts } = self;
        let existing = if args.force { Existing::Replace } else { Existing::Keep };
        if parts.lie_in(&args.out) {
            return Err(bad_input(format!("--out: {} is one of the parts", args.out.display())));
        }
        let totals = parts.totals(job).map_err(bad_input)?;
        let folder = Folder::check(&args.out, &parts.plan, files, existing).map_err(bad_input)?;
        let manifest = Manifest::new(parts.plan.clone());
        let mut writer = Writer::open(Some(folder), manifest, files).map_err(bad_input)?;
        if let Some(table) = files.rows {
            parts.copy_rows(table, &mut writer)?;
        }
        writer.keep(&parts.ranges, job.record(&totals), parts.timing.clone())?;
        report.tables(&mut writer, &totals);
        let partial = parts.ranges.len() < parts.plan.games;
        let manifest = writer.finish(partial)?;
        if partial {
            let (done, all) = (parts.ranges.len(), parts.plan.games);
            say(format_args!("Partial: these parts hold {done} of {all}"));
        }
        if !args.quiet {
            task::print(report.summary(&totals, &manifest), Some(&args.out), false)?;
        }
        Ok(Exit::Done)
    }
}
