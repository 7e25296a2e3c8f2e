//! `sim analyse`: what decisions cost and what was luck.

use super::args::{JudgeArgs, Workspace, agents, check_name, count, rules, whole};
use super::exit::{Exit, bad_input};
use super::session::carry_out;
use super::transcripts::{OpenTranscripts, open};
use crate::play::referee;
use crate::registry::Registry;
use crate::studies::analyse::{self, Transcripts};
use crate::studies::{Outputs, Request, input};
use clap::Args as ClapArgs;
use std::fmt::Display;
use std::path::{Path, PathBuf};

#[derive(ClapArgs)]
pub struct Args {
    /// Files of transcripts, as `sim run --transcripts` writes them
    #[arg(value_name = "FILE", conflicts_with_all = ["agent", "n", "rules"])]
    files: Vec<PathBuf>,
    /// The game (`sim list games`); files tell theirs
    #[arg(long, short)]
    game: Option<String>,
    /// An option of the rules; repeated for others. Several values such as health=10..30 make an analysis for each
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// Play games by this agent (`sim list agents`) and analyse them, NAME or NAME:option=value,…; repeated for the seats in
    /// order, one alone fills all seats
    #[arg(long, short, value_name = "AGENT")]
    agent: Vec<String>,
    /// The number of games (1_000_000 and 1e6 are the same)
    #[arg(short, value_name = "N", value_parser = count)]
    n: Option<u64>,
    /// Random seed, also of the judge's worlds
    #[arg(long, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    seed: u64,
    #[command(flatten)]
    judging: JudgeArgs,
    #[command(flatten)]
    workspace: Workspace,
}

impl Args {
    /// Checks that there are files, or all that games to be played need. Two ways in one command are too much for the
    /// messages of the command line's own checks.
    fn check(&self) -> anyhow::Result<()> {
        self.files.iter().try_for_each(|file| check_name("FILE", file))?;
        if !self.files.is_empty() {
            return Ok(());
        }
        let given =
            [("--game", self.game.is_some()), ("--agent", !self.agent.is_empty()), ("-n", self.n.is_some())];
        let missing: Vec<&str> = given.iter().filter(|(_, given)| !given).map(|(name, _)| *name).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let missing = if missing.len() < given.len() { missing.join(" and ") } else { "FILE".to_owned() };
        let expected = "expected files of transcripts, or --game, --agent and -n for games to be played";
        Err(bad_input(format!("missing: {missing}; {expected}")))
    }
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    args.check()?;
    let game = match (&args.game, args.files.first()) {
        (None, Some(file)) => game_of(file)?,
        (game, _) => game.clone().unwrap_or_default(),
    };
    let listed = !args.files.is_empty();
    let transcripts = listed.then(|| Transcripts { files: args.files.clone(), fnv1a: None });
    let judge = args.judging.spec()?;
    let request = Request::Analyse(analyse::Request {
        rules: rules(&game, &args.rules)?,
        game,
        agents: agents(&args.agent)?,
        n: args.n.unwrap_or(0),
        seed: args.seed,
        transcripts,
        judge: judge.agent,
        worlds: judge.worlds,
        moves: judge.moves,
        measure: judge.measure,
    });
    carry_out(registry, &request, Outputs::default(), &args.workspace)
}

/// The game that the first transcript of a file is of.
fn game_of(file: &Path) -> anyhow::Result<String> {
    if file.as_os_str() == "-" {
        return Err(bad_input("FILE: name the game of what comes through standard input with --game"));
    }
    // The first line of a pipe could not be read again.
    if file.metadata().is_ok_and(|kind| !kind.is_file() && !kind.is_dir()) {
        let name = file.display();
        return Err(bad_input(format_args!(
            "{name} is no plain file: name the game of what is in it with --game"
        )));
    }
    let OpenTranscripts { name, text } = open(file)?;
    let Some((number, line)) = input::lines(text).next() else {
        return Err(bad_input(format_args!("transcripts: there are no games in {name}")));
    };
    let wrong = |error: &dyn Display| bad_input(format_args!("{name}: line {number}: {error}"));
    let transcript = referee::read(&line.map_err(|error| wrong(&error))?).map_err(|error| wrong(&error))?;
    Ok(transcript.game)
}
