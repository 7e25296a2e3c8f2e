//! `sim experiment`: studies as data. A TOML file says which runs, comparisons, searches for exact answers and bounds belong
//! to it; each is a cell with a folder of its own, and the tables of all cells are joined.

mod file;
mod join;

use crate::cli::exit::{Exit, bad_input, say};
use crate::cli::subject::Planned as _;
use crate::cli::work::{stop_on_interrupt, whole};
use crate::cli::{Cli, Command, bound, compare, run, solve};
use crate::store::{Manifest, PlanRecord, names};
use anyhow::Context as _;
use clap::{Args as ClapArgs, Parser as _};
use file::{Cell, Study};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Where studies lie.
const STUDIES: &str = "experiments";

#[derive(ClapArgs)]
pub struct Args {
    /// The study, such as experiments/dungeon-agents.toml
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,
    /// Show the studies in `experiments` and how far each is
    #[arg(long, conflicts_with_all = ["file", "check"])]
    list: bool,
    /// Check the study, show its cells and how far each is, and do nothing
    #[arg(long)]
    check: bool,
    /// The number of worker threads, by default one for each core; results do not depend on it
    #[arg(long, value_name = "T", value_parser = whole(1, 1024))]
    threads: Option<u64>,
    /// The folder for the results, by default `results/<name of the file>`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Do cells anew whose folder holds something else, because their agents' options or the rules have changed
    #[arg(long)]
    force: bool,
    /// Do all cells anew, finished ones too: for results of another version of sim
    #[arg(long)]
    again: bool,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> anyhow::Result<Exit> {
    match &args.file {
        Some(file) => carry_out(args, file),
        None => list(),
    }
}

/// A cell that has been found right.
struct Ready {
    cell: Cell,
    folder: PathBuf,
    command: Command,
    state: State,
}

/// How far a cell is.
#[derive(Copy, Clone, PartialEq)]
enum State {
    /// Its folder is not there.
    New,
    /// Its folder holds a part of it.
    Begun,
    /// Its folder holds all of it.
    Finished,
    /// Its folder holds the manifest of all of it, but not the tables.
    Bare,
    /// Its folder holds something else.
    Other,
}

impl State {
    fn of(folder: &Path, plan: &PlanRecord) -> Self {
        if !folder.exists() {
            return Self::New;
        }
        match manifest(folder) {
            Some(manifest) if manifest.plan != *plan => Self::Other,
            Some(manifest) if manifest.partial => Self::Begun,
            Some(manifest) => {
                let mut tables = manifest.files.iter().filter(|name| name.ends_with(".csv"));
                if tables.all(|name| folder.join(name).exists()) { Self::Finished } else { Self::Bare }
            }
            None => Self::Other,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::New | Self::Bare => "to do",
            Self::Begun => "begun",
            Self::Finished => "finished",
            Self::Other => "holds something else",
        }
    }
}

/// The manifest in this folder.
fn manifest(folder: &Path) -> Option<Manifest> {
    serde_json::from_slice(&fs::read(folder.join(names::MANIFEST)).ok()?).ok()
}

/// Reads a study and checks every cell.
fn read(
    file: &Path,
    out: Option<&Path>,
    threads: Option<u64>,
) -> Result<(Study, PathBuf, Vec<Ready>), String> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"))?;
    let study = Study::read(&name.to_string(), &text)?;
    let stem = file.file_stem().unwrap_or_default();
    let out = out.map_or_else(|| Path::new("results").join(stem), Path::to_owned);
    let ready = study.cells.iter().map(|cell| {
        let folder = out.join(&cell.name);
        let wrong = |error: &dyn std::fmt::Display| {
            let text = error.to_string();
            let text = text.trim_start_matches("error: ");
            // What the command line has to say beyond the first paragraph is about the command line.
            let text = text.split("\n\nUsage").next().unwrap_or(text).trim_end();
            format!("{name}: line {}: cell {}: {text}", cell.line, cell.name)
        };
        let mut line = vec!["sim".to_owned()];
        line.extend(cell.arguments.iter().cloned());
        line.extend(["--quiet".to_owned(), "--out".to_owned(), folder.display().to_string()]);
        line.extend(threads.map(|threads| format!("--threads={threads}")));
        let command = Cli::try_parse_from(&line).map_err(|error| wrong(&error))?.command;
        let plan = match &command {
            Command::Run(args) => args.record(),
            Command::Compare(args) => args.record(),
            Command::Solve(args) => args.record(),
            Command::Bound(args) => args.record(),
            _ => return Err(wrong(&"no such command in a study")),
        };
        let plan = plan.map_err(|error| wrong(&error))?;
        let state = State::of(&folder, &plan);
        Ok(Ready { cell: cell.clone(), folder, command, state })
    });
    let ready = ready.collect::<Result<_, String>>()?;
    Ok((study, out, ready))
}

fn carry_out(args: &Args, file: &Path) -> anyhow::Result<Exit> {
    let (study, out, mut cells) = read(file, args.out.as_deref(), args.threads).map_err(bad_input)?;
    if args.check {
        let mut text = format!("{}\n", study.summary);
        for Ready { cell, state, .. } in &cells {
            text += &format!("  {:<9} {}: sim {}\n", state.word(), cell.name, cell.arguments.join(" "));
        }
        std::io::stdout().write_all(text.as_bytes())?;
        return Ok(Exit::Done);
    }
    if args.again {
        cells
            .iter_mut()
            .filter(|ready| ready.state != State::New)
            .for_each(|ready| ready.state = State::Other);
    }
    let may_replace = args.force || args.again;
    let other = cells.iter().find(|ready| ready.state == State::Other && !may_replace);
    if let Some(Ready { folder, .. }) = other {
        let folder = folder.display();
        return Err(bad_input(format!(
            "{folder} does not hold this cell, but something else: remove it, choose another place with --out, or \
             do it anew with --force"
        )));
    }
    let stop = stop_on_interrupt()?;
    let all = cells.len();
    for (i, ready) in cells.iter_mut().enumerate() {
        let Ready { cell, command, state, .. } = ready;
        if !args.quiet {
            let word = if *state == State::Finished { ", finished before" } else { "" };
            say(format_args!("{} of {all}: {}{word}", i + 1, cell.name));
        }
        let (force, resume) = (matches!(state, State::Other | State::Bare), *state == State::Begun);
        let exit = match command {
            _ if *state == State::Finished => continue,
            Command::Run(args) => {
                args.workspace.set(force, resume);
                run::run(args)?
            }
            Command::Compare(args) => {
                args.workspace.set(force, resume);
                compare::run(args)?
            }
            Command::Solve(args) => {
                args.workspace.set(force, resume);
                solve::run(args)?
            }
            Command::Bound(args) => {
                args.workspace.set(force, resume);
                bound::run(args)?
            }
            _ => continue,
        };
        if exit != Exit::Done || stop.load(Ordering::Relaxed) {
            return Ok(if exit == Exit::Done { Exit::Interrupted } else { exit });
        }
    }
    let cells: Vec<(&Cell, &Path)> =
        cells.iter().map(|ready| (&ready.cell, ready.folder.as_path())).collect();
    let tables = join::join(&out, &cells, study.tables.as_deref())
        .with_context(|| format!("cannot join the tables in {}", out.display()))?;
    if !args.quiet {
        let text = format!("{} cells; {} in {}\n", all, tables.join(", "), out.display());
        std::io::stdout().write_all(text.as_bytes())?;
    }
    Ok(Exit::Done)
}

/// Shows all studies.
fn list() -> anyhow::Result<Exit> {
    let entries =
        fs::read_dir(STUDIES).map_err(|error| bad_input(format!("cannot read {STUDIES}: {error}")))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut text = String::new();
    for file in files {
        match read(&file, None, None) {
            Ok((study, _, cells)) => {
                let finished = cells.iter().filter(|ready| ready.state == State::Finished).count();
                text += &format!(
                    "{}  {} ({finished} of {} cells finished)\n",
                    file.display(),
                    study.summary,
                    cells.len()
                );
            }
            Err(error) => text += &format!("{}  cannot be used: {error}\n", file.display()),
        }
    }
    if text.is_empty() {
        text = format!("There are no studies in {STUDIES}.\n");
    }
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(Exit::Done)
}
