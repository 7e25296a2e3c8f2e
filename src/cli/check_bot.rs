//! `sim check-bot`: whether a program keeps to the protocol.

use super::args::rules;
use super::exit::{Exit, bad_input, print};
use super::signals::{stop_on_signals, stopped_for_good};
use crate::bots::ExecOptions;
use crate::bots::check::{CheckedGame, Finding, check};
use crate::registry::Registry;
use clap::{Args as ClapArgs, ValueHint};
use knave_agents::options;
use std::sync::atomic::Ordering;

#[derive(ClapArgs)]
pub struct Args {
    /// The program and its arguments in one text, such as 'python3 bot.py'
    program: String,
    /// One game only, instead of all
    #[arg(long, short)]
    game: Option<String>,
    /// An option of its rules; repeated for others
    #[arg(long = "rule", value_name = "NAME=VALUE", requires = "game")]
    rules: Vec<String>,
    /// Seconds for its answers
    #[arg(long, default_value_t = 10.0, value_parser = seconds)]
    timeout: f64,
    /// Its environment, as the option `env` of the agent `exec` has it
    #[arg(long, default_value = "PATH")]
    env: String,
    /// The folder in which it runs
    #[arg(long, default_value = "", value_hint = ValueHint::DirPath)]
    dir: String,
}

/// Reads a time; its range is that of the option of `exec`.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite());
    seconds.ok_or_else(|| "expected a number of seconds".to_owned())
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let options = ExecOptions {
        command: args.program.clone(),
        env: args.env.clone(),
        dir: args.dir.clone(),
        timeout: args.timeout,
        start_timeout: args.timeout,
        ..ExecOptions::default()
    };
    options::validate("check-bot", &options).map_err(bad_input)?;
    let games = match &args.game {
        Some(name) => {
            let game = registry.game(name).map_err(bad_input)?;
            // No program can be blamed for that.
            if game.view_schema().is_none() {
                return Err(bad_input(format!(
                    "{name} does not tell programs what a seat knows: its kit has no `shown`"
                )));
            }
            vec![game]
        }
        None => registry.games().filter(|game| game.view_schema().is_some()).collect(),
    };
    let mut checked = Vec::new();
    for game in games {
        let rules = rules(game.name(), &args.rules)?;
        let seats = game.seats(&rules).map_err(bad_input)?;
        checked.push(CheckedGame { name: game.name().to_owned(), rules, seats });
    }
    let mut unsaid = Ok(());
    let mut tell = |Finding { what, problem }: &Finding| {
        let text = match problem {
            None => format!("ok     {what}\n"),
            Some(problem) => format!("WRONG  {what}\n       {problem}\n"),
        };
        if let Err(error) = print(&text) {
            unsaid = Err(error);
        }
    };
    let stop = stop_on_signals()?;
    let fine = check(registry, &options, &checked, &mut tell, &stop);
    let fine = fine.map_err(|error| bad_input(error.of("check-bot")))?;
    unsaid?;
    if stop.load(Ordering::Relaxed) {
        return Ok(stopped_for_good());
    }
    Ok(if fine { Exit::Done } else { Exit::Disagreement })
}
