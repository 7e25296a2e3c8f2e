//! `sim train`: learns the value of positions by self-play and writes a model.

use super::args::{Deck, count, rules, whole};
use super::exit::{Exit, bad_input, busy, say};
use super::options::{Flags, flag};
use super::signals::{stop_on_signals, stopped};
use crate::experiment::with_lists;
use crate::registry::Registry;
use crate::store::Existing;
use crate::training::{Recipe, Report, Stage, Train, TrainError};
use clap::builder::Resettable;
use clap::{Arg, Args as ClapArgs};
use knave_agents::options::spread::Spreads;
use knave_agents::options::{Fields, toml_reason};
use knave_agents::training::Schedule;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(ClapArgs)]
#[command(mut_arg("games", counted))]
pub struct Args {
    /// The game (`sim list games`)
    #[arg(long, short, required_unless_present = "recipe")]
    game: Option<String>,
    /// Make the model of this recipe, a TOML file: game, seeds, rules and schedules of its stages stand there
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "rules", "cards", "seed", "held_out"])]
    recipe: Option<PathBuf>,
    /// An option of the rules, or a range or list like health=5..40 or weapon_limit=at_most,below of which each game draws one;
    /// repeated for others
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    #[command(flatten)]
    deck: Deck,
    /// The seed of the games of self-play; the held-out games have the next one
    #[arg(long, default_value_t = 9000, value_parser = whole(0, u64::MAX - 1))]
    seed: u64,
    /// The model file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Begin with this model of the same game and features instead of a random one; --first and --second are its own then
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Overwrite the file if it is there
    #[arg(long)]
    force: bool,
    /// Go on where an interrupted training with the same arguments stopped (FILE.progress); begins it where there is none. A
    /// finished model that records the same stays
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Games held out for each estimate
    #[arg(long, value_name = "N", default_value = "5000", value_parser = count)]
    held_out: u64,
    /// Print neither progress nor notes of rivals
    #[arg(long, short)]
    quiet: bool,
    /// The old name of -n
    #[arg(long = "games", value_name = "N", value_parser = count, hide = true, conflicts_with = "games")]
    old_games: Option<u64>,
    #[command(flatten)]
    schedule: Flags<Schedule>,
}

/// The number of games as every command counts them: -n.
fn counted(games: Arg) -> Arg {
    let number = |text: &str| count(text).map(|games| games.to_string());
    games.long(Resettable::Reset).short('n').value_name("N").value_parser(number)
}

#[expect(clippy::disallowed_methods, reason = "progress shows the time")]
pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let existing = match (args.force, args.resume) {
        (true, _) => Existing::Replace,
        (_, true) => Existing::Resume,
        _ => Existing::Keep,
    };
    if args.out.as_os_str() == "-" {
        return Err(bad_input(
            "--out - is refused: what goes on after an interrupt stands beside the model; expected a file, such as my.model",
        ));
    }
    let mut schedule = args.schedule.given.clone();
    if let Some(games) = args.old_games {
        say("note: --games is called -n now");
        schedule.insert("games".to_owned(), games.into());
    }
    let recipe = match (&args.recipe, &args.game) {
        (Some(_), _) if !schedule.is_empty() => {
            let spelled =
                |name: &String| if name == "games" { "-n".to_owned() } else { format!("--{}", flag(name)) };
            let names: Vec<String> = schedule.keys().map(spelled).collect();
            return Err(bad_input(format!(
                "--recipe goes without {}: the schedules of its stages stand in the recipe",
                names.join(", ")
            )));
        }
        (Some(path), _) => read(path)?,
        (None, Some(game)) => Recipe {
            game: game.clone(),
            held_out: args.held_out,
            stages: vec![Stage {
                afresh: false,
                seed: args.seed,
                rules: Spreads::One(drawn(registry, game, rules(game, &args.rules)?)?),
                cards: args.deck.cards.clone(),
                schedule,
            }],
        },
        (None, None) => return Err(bad_input("name a game, or a recipe")),
    };
    let stages = recipe.stages.len();
    let failed = |error: TrainError| match error {
        TrainError::Folder(error) if error.is_busy() => busy(error),
        TrainError::Batch { games, batch } if args.recipe.is_none() => {
            bad_input(format_args!("-n {games} is refused: expected a multiple of --batch {batch}"))
        }
        // Without a recipe there are no stages.
        TrainError::Stage { reason, .. } if args.recipe.is_none() => bad_input(reason),
        error if error.is_bad_input() => match &args.recipe {
            Some(path) if error.is_of_recipe() => bad_input(format_args!("{}: {error}", path.display())),
            _ => bad_input(error),
        },
        error => error.into(),
    };
    let train = Train::new(registry, recipe, args.from.as_deref(), &args.out, existing).map_err(failed)?;
    if !args.quiet && !train.is_made {
        train.notes.iter().for_each(|note| say(format_args!("note: {note}")));
    }
    let (stop, clock) = (stop_on_signals()?, Instant::now());
    let mut report = |report: &Report| {
        let Report { stage, games, trained, held_out } = report;
        let stage = if stages > 1 { format!("stage {stage} of {stages}, ") } else { String::new() };
        let seconds = clock.elapsed().as_secs_f64();
        if !args.quiet {
            say(format_args!(
                "{stage}{games} games, {seconds:.0} s: mean utility {trained:.4} in training, {held_out:.4} held out"
            ));
        }
    };
    let out = args.out.display();
    let (is_made, unrecorded, progress) = (train.is_made, train.unrecorded(), train.progress());
    if !train.run(&stop, &mut report).map_err(failed)? {
        say(format_args!("Interrupted; {} holds what was learnt, --resume goes on", progress.display()));
        return Ok(stopped());
    }
    if !args.quiet {
        match (is_made, unrecorded) {
            (false, _) => say(format_args!("Written to {out}")),
            (true, None) => say(format_args!("It was finished before: {out}")),
            (true, Some(unrecorded)) => say(format_args!(
                "{out} stays: it records the seeds, schedules and cards of this recipe and the rules of its last stage. Models do not record {unrecorded}; --force makes it anew"
            )),
        }
    }
    Ok(Exit::Done)
}

/// Rules with lists of values as data. Of an unknown game they stay as they are.
fn drawn(registry: &Registry, game: &str, rules: Fields) -> anyhow::Result<Fields> {
    match registry.game(game) {
        Ok(game) => with_lists(rules, &game.rules()).map_err(bad_input),
        Err(_) => Ok(rules),
    }
}

fn read(path: &Path) -> anyhow::Result<Recipe> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| bad_input(format!("cannot read {name}: {error}")))?;
    toml::from_str(&text).map_err(|error| bad_input(format!("{name}: {}", toml_reason(&text, &error))))
}
