//! `sim experiment`: studies as data.

use super::args::whole;
use super::exit::{Exit, bad_input, complain, failed, print, print_marked, say};
use super::json;
use super::show;
use super::signals::{stop_on_signals, stopped};
use crate::experiment::{Cell, Experiment, ExperimentError, Redo, State, Watcher};
use crate::numbers::counted;
use crate::registry::Registry;
use crate::store::Manifest;
use crate::studies::solve::tables::SOLVABILITY;
use crate::studies::{Done, End, SessionError, SessionObserver};
use crate::text::visible;
use clap::{Args as ClapArgs, ValueHint};
use std::fs;
use std::path::{Path, PathBuf};

/// Where studies lie.
const STUDIES: &str = "experiments";

#[derive(ClapArgs)]
pub struct Args {
    /// The study: runs, comparisons, exact answers, bounds and analyses, such as experiments/dungeon-agents.toml
    #[arg(required_unless_present_any = ["list", "check"])]
    file: Option<PathBuf>,
    /// Show the studies in `experiments` and how far each is
    #[arg(long, conflicts_with_all = ["file", "check", "threads", "out", "force", "again", "quiet"])]
    list: bool,
    /// Check the study, or all in `experiments`, and show the cells; ends with code 3 where a folder was made by
    /// another request, such as of more games, or by other rules, players, models or programs than the present ones.
    /// Does nothing
    #[arg(long, conflicts_with_all = ["threads", "force", "again", "quiet"])]
    check: bool,
    /// The number of worker threads, by default one for each core; results do not depend on it
    #[arg(long, value_name = "T", value_parser = whole(1, 1024))]
    threads: Option<u64>,
    /// The folder for the results, by default `results/<name of the file>`
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "file")]
    out: Option<PathBuf>,
    /// Do cells anew whose folder holds something else, because their agents' options or the rules have changed, and
    /// remove joined rows that are nowhere else
    #[arg(long)]
    force: bool,
    /// Do all cells anew, finished ones too: for results of another version of sim
    #[arg(long)]
    again: bool,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    match &args.file {
        Some(file) => {
            let experiment = Experiment::read(registry, file, args.out.as_deref()).map_err(bad_input)?;
            if args.check { check(&[experiment]) } else { carry_out(registry, args, &experiment) }
        }
        None if args.check => {
            // One that cannot be used keeps no other from being checked.
            let (mut good, mut wrong) = (Vec::new(), Vec::new());
            for file in studies()? {
                match Experiment::read(registry, &file, None) {
                    Ok(experiment) => good.push(experiment),
                    Err(error) => wrong.push(error),
                }
            }
            let exit = check(&good)?;
            wrong.iter().for_each(complain);
            Ok(if wrong.is_empty() { exit } else { Exit::BadInput })
        }
        None => list(registry),
    }
}

/// Shows the cells, and complains of those whose folder holds something else.
fn check(experiments: &[Experiment]) -> anyhow::Result<Exit> {
    let mut text = String::new();
    let mut stale = false;
    for experiment in experiments {
        text += &format!("{}\n", experiment.study.summary);
        for (i, (cell, state)) in experiment.cells().enumerate() {
            // A committed study keeps no more than the manifests of its cells. Once one is to do, the tables of all are needed.
            let again = *state == State::Finished && experiment.is_due(i, Redo::default());
            let word = if again { "to do again" } else { state.word() };
            text += &format!("  {word:<9} {}: {}\n", cell.name, described(cell));
            if let State::Other(why) = state {
                complain(format!("{}: {why}", experiment.out.join(&cell.name).display()));
                stale = true;
            }
        }
        if let Some(why) = experiment.loses(Redo::default()) {
            complain(why);
            stale = true;
        }
    }
    print(&text)?;
    Ok(if stale { Exit::Disagreement } else { Exit::Done })
}

/// What a cell asks, in short.
fn described(cell: &Cell) -> String {
    let Cell { command, agents, rules, n, seed, request, .. } = cell;
    let mut words = vec![command.clone(), request.game().to_owned()];
    words.extend(agents.iter().cloned());
    words.extend(rules.iter().map(|(name, value)| format!("{name}={value}")));
    words.push(format!("n={n} seed={seed}"));
    words.join(" ")
}

fn carry_out(registry: &Registry, args: &Args, experiment: &Experiment) -> anyhow::Result<Exit> {
    let redo = Redo { force: args.force, again: args.again };
    complete(registry, experiment, redo, (super::args::threads(args.threads), args.quiet), Told::Files)
}

/// What is said of a finished study.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Told {
    /// The names of the joined tables.
    Files,
    /// The same after the first of them, in brief.
    Brief,
    /// All of them as a JSON document.
    Json,
}

/// Does the cells of a study and says what came of it.
pub fn complete(
    registry: &Registry,
    experiment: &Experiment,
    redo: Redo,
    (threads, quiet): (usize, bool),
    told: Told,
) -> anyhow::Result<Exit> {
    experiment.check(redo).map_err(bad_input)?;
    experiment.notes().iter().for_each(|note| say(format_args!("note: {note}")));
    let stop = stop_on_signals()?;
    let all = experiment.study.cells.len();
    let mut lines = Lines { all, quiet, last: None };
    let anew = if redo.again { "--again begins anew; without it " } else { "" };
    let done = experiment.complete(registry, redo, (threads, stop), &mut lines);
    let (joined, end) = match done {
        Err(ExperimentError::Session(SessionError::Unwritten { source, kept: true })) => {
            complain(format_args!("{source}; {anew}the same command goes on from what was kept"));
            return Ok(Exit::Failed);
        }
        Err(ExperimentError::Session(error)) => return Err(failed(error)),
        done => done?,
    };
    match (end, joined) {
        (End::Complete, _) if told == Told::Json => json::print(&show::document(&experiment.out)?)?,
        (End::Complete, Some(tables)) if !quiet => {
            let brief = |table: &String| match table == SOLVABILITY.file {
                true if show::asks_for_values(&experiment.out, table)? => show::best_values(&experiment.out),
                _ => show::brief(&experiment.out, table),
            };
            let shown = tables.get(1).filter(|_| told == Told::Brief).map(brief);
            let shown = shown.transpose().map_err(anyhow::Error::msg)?.unwrap_or_default();
            let (cells, tables, out) = (counted(all, "cells"), tables.join(", "), experiment.out.display());
            let files = format!("{cells}; {tables} in {out}\n");
            print_marked(format!("{shown}\n{}", visible(&files)).trim_start())?;
        }
        (End::Complete, _) => {}
        (End::Interrupted, _) => {
            let folder = experiment.out.join(lines.last.unwrap_or_default());
            let is_begun = Manifest::read(&folder).is_ok_and(|manifest| manifest.finished > 0);
            let folder = folder.display();
            let kept = if is_begun { format!("{folder} holds what was finished, ") } else { String::new() };
            let later =
                if redo.again { ", and later cells that were finished before stay as they are" } else { "" };
            say(format_args!("Interrupted; {kept}{anew}the same command goes on{later}"));
            return Ok(stopped());
        }
        (End::Failed(failure), _) => {
            // Cells have the same seeds and numbers of games.
            let cell = experiment.out.join(lines.last.unwrap_or_default());
            complain(format_args!("{}: {failure}", cell.display()));
            return Ok(Exit::Failed);
        }
    }
    Ok(Exit::Done)
}

/// Says a line for each cell, and for what programs did wrong in it.
struct Lines {
    all: usize,
    quiet: bool,
    /// The cell whose turn came last.
    last: Option<String>,
}

impl SessionObserver for Lines {}

impl Watcher for Lines {
    fn cell(&mut self, number: usize, cell: &Cell, finished: bool) {
        if !self.quiet {
            let word = if finished { ", finished before" } else { "" };
            say(format_args!("{} of {}: {}{word}", number + 1, self.all, cell.name));
        }
        self.last = Some(cell.name.clone());
    }

    fn ended(&mut self, done: &Done) {
        // As after a run, but without the rest of its summary.
        for line in done.summary.faults().iter().filter(|_| !self.quiet) {
            say(format_args!("Faults: {line}"));
        }
    }
}

/// The files of all studies.
fn studies() -> anyhow::Result<Vec<PathBuf>> {
    let failed = |error| bad_input(format!("cannot read {STUDIES}, where studies are looked for: {error}"));
    let entries = fs::read_dir(STUDIES).map_err(failed)?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    Ok(files)
}

/// Shows all studies.
fn list(registry: &Registry) -> anyhow::Result<Exit> {
    let mut text = String::new();
    for file in studies()? {
        let shown = |file: &Path, what: String| format!("{}  {what}\n", file.display());
        text += &match Experiment::read(registry, &file, None) {
            Ok(experiment) => {
                let (finished, all) = (experiment.finished(), experiment.study.cells.len());
                let summary = &experiment.study.summary;
                shown(&file, format!("{summary} ({finished} of {all} cells finished)"))
            }
            Err(error) => shown(&file, format!("cannot be used: {error}")),
        };
    }
    if text.is_empty() {
        text = format!("There are no studies in {STUDIES}.\n");
    }
    print(&text)?;
    Ok(Exit::Done)
}
