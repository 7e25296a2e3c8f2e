//! `sim exact`: the best fair play of a small game.

use super::args::whole;
use super::exit::{Exit, bad_input, of_stdout, print};
use super::json::{self, Json};
use super::small::{Document, Small, shown, title};
use crate::json::plain;
use crate::numbers::thousands;
use crate::play::Measure;
use crate::registry::Registry;
use crate::small::{SmallGame, SmallGameAsked, Solved};
use crate::store::Replacement;
use crate::text::aligned;
use clap::Args as ClapArgs;
use knave_agents::exact::ExactError;
use serde::Serialize;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    pub small: Small,
    /// Two seats: stop when the value is known to within GAP
    #[arg(long, default_value_t = 1e-5, value_name = "GAP")]
    gap: f64,
    /// Two seats: the most iterations of CFR+
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = whole(1, u64::MAX))]
    iterations: u64,
    /// Write the extensive form to this file, in Gambit's format, and solve nothing; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "gap", "iterations"])]
    export: Option<PathBuf>,
    /// Overwrite a file that is there already
    #[arg(long, requires = "export")]
    force: bool,
    #[command(flatten)]
    json: Json,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    if !(args.gap > 0.0 && args.gap.is_finite()) {
        return Err(bad_input(format_args!("--gap {}: expected a number above 0", args.gap)));
    }
    let game = args.small.found(registry)?;
    if let Some(path) = &args.export {
        return export(&*game, path, args.force);
    }
    let solved =
        game.solve(args.gap, args.iterations).map_err(|error| refused(registry, &game.asked(), &error))?;
    if args.json.json {
        let (positions, gap, iterations) = (args.small.positions, args.gap, args.iterations);
        let request = Request { asked: game.asked(), positions, gap, iterations };
        json::print(&Document::new(request, &solved))?;
    } else {
        print(&(title(&game.asked()) + &table(&solved)))?;
    }
    Ok(Exit::Done)
}

/// A refusal with the option that is to be changed, as far as it is known.
fn refused(registry: &Registry, asked: &SmallGameAsked, error: &ExactError) -> anyhow::Error {
    let SmallGameAsked { game, rules, changed, measure, .. } = asked;
    match *error {
        ExactError::GeneralSum if *measure == Measure::Score => {
            bad_input(format_args!("--measure score: {error}: expected wins"))
        }
        ExactError::Seats(_) => {
            // An option without which there are few enough.
            let adds_seats = |(name, _): &&(String, Value)| {
                let mut rules = rules.clone();
                rules.remove(name);
                registry.game(game).is_ok_and(|game| game.seats(&rules).is_ok_and(|found| found <= 2))
            };
            let option = changed
                .iter()
                .find(adds_seats)
                .map_or_else(String::new, |(name, value)| format!("--rule {name}={}: ", plain(value)));
            bad_input(format_args!("{option}{error}; `sim exploit` takes more"))
        }
        _ => bad_input(error),
    }
}

/// What was asked, as data.
#[derive(Serialize)]
struct Request {
    #[serde(flatten)]
    asked: SmallGameAsked,
    positions: u64,
    gap: f64,
    iterations: u64,
}

fn export(game: &dyn SmallGame, path: &Path, force: bool) -> anyhow::Result<Exit> {
    let refused = |error: &io::Error| matches!(error.get_ref(), Some(inner) if inner.is::<ExactError>());
    if path.as_os_str() == "-" {
        return match game.export(&mut io::stdout()) {
            Err(error) if refused(&error) => Err(bad_input(error)),
            done => Ok(done.map(|()| Exit::Done).map_err(|error| of_stdout(&error))?),
        };
    }
    let shown = path.display();
    // A device is no file that could be lost.
    if path.is_file() && !force {
        return Err(bad_input(format!(
            "{shown} exists already: choose another file, or overwrite with --force"
        )));
    }
    // A place that cannot be written to is known before minutes of work, and what is there stays until there is something else.
    let failed = |error: io::Error| anyhow::Error::new(error).context(format!("cannot write {shown}"));
    let file = Replacement::of(path);
    let mut file = file.map_err(|error| bad_input(format!("cannot write {shown}: {error}")))?;
    match game.export(&mut file) {
        Err(error) if refused(&error) => return Err(bad_input(error)),
        done => done.and_then(|()| file.finish()).map_err(failed)?,
    }
    print(&format!("Written to {shown}\n"))?;
    Ok(Exit::Done)
}

fn table(solved: &Solved) -> String {
    let Solved { measure, low, high, .. } = *solved;
    let line = |name: &str, value: String| vec![name.to_owned(), value];
    let mut lines = Vec::new();
    let name = measure.name();
    if solved.seats == 1 {
        lines.push(line(&format!("best fair play, {name}"), shown(measure, low)));
        lines.push(line("positions before random events", thousands(solved.positions as u64)));
    } else {
        let value = format!("{} to {}", shown(measure, low), shown(measure, high));
        lines.push(line(&format!("value for seat 0, {name}"), value));
        lines.push(line("nodes", thousands(solved.positions as u64)));
    }
    for (name, count) in [
        ("information sets", solved.information_sets.map(|sets| sets as u64)),
        ("iterations of CFR+", solved.iterations),
    ] {
        lines.extend(count.map(|count| line(name, thousands(count))));
    }
    aligned(&lines, 1)
}
