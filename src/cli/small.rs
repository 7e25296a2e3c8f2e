//! What commands about games with few cards share: the game, and the form of what is printed.

use super::args::{MeasureName, OneGame, whole};
use super::exit::bad_input;
use crate::games::ShortDeck;
use crate::numbers::{counted, fixed};
use crate::play::Measure;
use crate::registry::Registry;
use crate::small::{SmallGame, SmallGameAsked, SmallGameRequest};
use clap::Args as ClapArgs;
use serde::Serialize;

/// A small game.
#[derive(ClapArgs)]
pub struct Small {
    #[command(flatten)]
    game: OneGame,
    /// The cards, such as '2-6CD 9H': ranks of suits, and single cards
    #[arg(long, value_name = "CARDS")]
    pub cards: ShortDeck,
    /// The result that counts: by default the one that `sim bound` bounds, otherwise wins
    #[arg(long)]
    measure: Option<MeasureName>,
    /// The most positions that are worked out. A million take 70 to 900 MB
    ///
    /// For one seat `sim exact` first lists all orders of the cards that are dealt, whatever N is: 0.4 KB each, ten million at most
    #[arg(long, default_value_t = 20_000_000, value_name = "N", value_parser = whole(1, 4_000_000_000))]
    pub positions: u64,
}

impl Small {
    /// The game in question.
    ///
    /// # Errors
    /// Names the option and what would be right.
    pub fn found<'r>(&self, registry: &'r Registry) -> anyhow::Result<Box<dyn SmallGame + 'r>> {
        let request = SmallGameRequest {
            rules: self.game.rules()?,
            cards: self.cards.clone(),
            measure: self.measure.map(Into::into),
            limit: self.positions as usize,
        };
        let game = registry.game(&self.game.name).map_err(bad_input)?;
        game.small(&request).map_err(bad_input)
    }
}

/// The first line of what is printed.
pub fn title(asked: &SmallGameAsked) -> String {
    let SmallGameAsked { game, cards, .. } = asked;
    format!("{game} with {}{}: {}\n\n", counted(cards.cards(), "cards"), asked.told_rules(), cards.ranges())
}

/// What was asked and found, and by which sim, as a document.
#[derive(Serialize)]
pub struct Document<'a, R: Serialize, T: Serialize> {
    request: R,
    version: &'static str,
    commit: &'static str,
    #[serde(flatten)]
    found: &'a T,
}

impl<'a, R: Serialize, T: Serialize> Document<'a, R, T> {
    pub fn new(request: R, found: &'a T) -> Self {
        Self { request, version: env!("CARGO_PKG_VERSION"), commit: env!("KNAVE_COMMIT"), found }
    }
}

/// A mean result as people read it.
pub fn shown(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Wins => fixed(value * 100.0, 3) + " %",
        Measure::Score => fixed(value, 4),
    }
}
