//! What a plan is about, and its record, whatever the game and the command.

use crate::cli::exit::bad_input;
use crate::cli::work::whole;
use crate::games::{self, CardGame, Visitor};
use crate::store::PlanRecord;
use clap::Args;

/// The options of every command that plans games or deals.
#[derive(Clone, Args)]
pub struct Subject {
    /// The game (`sim list games`)
    #[arg(long, short)]
    game: String,
    /// An option of the rules; repeated for others
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    pub rules: Vec<String>,
    /// The seed of everything random
    #[arg(long, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
}

impl Subject {
    /// Does what there is to do for the game.
    ///
    /// # Errors
    /// Those of the visitor; when there is no such game.
    pub fn visit<T>(&self, visitor: impl Visitor<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
        games::visit(&self.game, visitor).map_err(bad_input)?
    }
}

/// The arguments of a command that plans games or deals.
pub trait Planned {
    /// What they are about.
    fn subject(&self) -> &Subject;

    /// What would be done in this game.
    ///
    /// # Errors
    /// What is wrong with the arguments.
    fn record_of<G: CardGame>(&self) -> anyhow::Result<PlanRecord>;

    /// What would be done.
    ///
    /// # Errors
    /// What is wrong with the arguments.
    fn record(&self) -> anyhow::Result<PlanRecord>
    where
        Self: Sized,
    {
        struct Record<'a, P>(&'a P);
        impl<P: Planned> Visitor for Record<'_, P> {
            type Output = anyhow::Result<PlanRecord>;

            fn visit<G: CardGame>(self) -> anyhow::Result<PlanRecord> {
                self.0.record_of::<G>()
            }
        }
        self.subject().visit(Record(self))
    }
}
