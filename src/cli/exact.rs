//! `sim exact`: the best fair play of a small game.

use super::args::{Subject, whole};
use super::compare::MeasureName;
use super::exit::{Exit, bad_input, print};
use super::json::{self, Json};
use crate::games::ShortDeck;
use crate::numbers::thousands;
use crate::play::Measure;
use crate::registry::Registry;
use crate::small::{Question, SmallGame, Solved};
use crate::text::aligned;
use clap::Args as ClapArgs;
use std::fs::File;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    pub small: Small,
    /// Two seats: find the value of the game to this
    #[arg(long, default_value_t = 1e-5, value_name = "GAP")]
    gap: f64,
    /// Two seats: the most iterations of CFR+
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = whole(1, u64::MAX))]
    iterations: u64,
    /// Write the extensive form to this file, in Gambit's format, and solve nothing
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    export: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// A small game.
#[derive(ClapArgs)]
pub struct Small {
    #[command(flatten)]
    pub subject: Subject,
    /// The cards, such as '2-6CD 9H': ranks of suits, and single cards
    #[arg(long, value_name = "CARDS")]
    pub cards: ShortDeck,
    /// The result that counts, by default the score in verslun and wins elsewhere
    #[arg(long)]
    measure: Option<MeasureName>,
    /// The most positions that are worked out. A million take some 50 MB, and more where rules make them large
    #[arg(long, default_value_t = 20_000_000, value_name = "N", value_parser = whole(1, 4_000_000_000))]
    positions: u64,
}

impl Small {
    /// The game in question.
    ///
    /// # Errors
    /// Names the option and what would be right.
    pub fn game<'r>(&self, registry: &'r Registry) -> anyhow::Result<Box<dyn SmallGame + 'r>> {
        let question = Question {
            rules: self.subject.rules()?,
            cards: self.cards.clone(),
            measure: self.measure.map(Into::into),
            limit: self.positions as usize,
        };
        let game = registry.game(&self.subject.game).map_err(bad_input)?;
        game.small(&question).map_err(bad_input)
    }

    /// The first line of what is printed.
    pub fn title(&self) -> String {
        let (game, cards) = (&self.subject.game, &self.cards);
        format!("{game} with {} cards: {cards}\n\n", cards.cards())
    }
}

/// A mean result as people read it.
pub fn shown(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Wins => format!("{:.3} %", value * 100.0),
        Measure::Score => format!("{value:.4}"),
    }
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    if !(args.gap > 0.0 && args.gap.is_finite()) {
        return Err(bad_input(format_args!("--gap {}: expected a number above 0", args.gap)));
    }
    let game = args.small.game(registry)?;
    if let Some(path) = &args.export {
        let failed = |error| anyhow::anyhow!("cannot write {}: {error}", path.display());
        game.export(&mut File::create(path).map_err(failed)?).map_err(failed)?;
        print(&format!("Written to {}\n", path.display()))?;
        return Ok(Exit::Done);
    }
    let solved = game.solve(args.gap, args.iterations).map_err(bad_input)?;
    if args.json.json {
        json::print(&solved)?;
    } else {
        print(&(args.small.title() + &table(&solved)))?;
    }
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
