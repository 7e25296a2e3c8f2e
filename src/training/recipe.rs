//! The recipe of a model as data.

use crate::games::ShortDeck;
use crate::json::{self, Unique};
use knave_agents::net::Shape;
use knave_agents::options::Fields;
use knave_agents::options::spread::Spreads;
use knave_agents::training::Schedule;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};

/// The recipe of a model.
///
/// ```
/// use knave::training::Recipe;
///
/// let recipe: Recipe = toml::from_str(
///     "game = 'whist'\nheld_out = 100\n[[stages]]\nseed = 9000\nschedule = { games = 1000, first = 16, second = 8 }",
/// )?;
/// assert_eq!(recipe.stages.len(), 1);
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The game.
    pub game: String,
    /// The games held out for each estimate.
    #[serde(default = "default_held_out", deserialize_with = "json::whole")]
    pub held_out: u64,
    /// The stages. Each begins with the model of the stage before, or afresh.
    pub stages: Vec<Stage>,
}

fn default_held_out() -> u64 {
    5_000
}

/// One training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Whether it begins with random weights in place of the model of the stage before; not for the first. The model of the
    /// recipe is the mean of all nets that came to their end this way, which are for the same rules and
    /// cards. Each begins with a seed that no net before it has.
    #[serde(default)]
    pub afresh: bool,
    /// The seed of the games of self-play; the held-out games have the next one. No stage before, of the same net, has learnt from
    /// these.
    #[serde(deserialize_with = "json::whole")]
    pub seed: u64,
    /// The rules.
    #[serde(default, deserialize_with = "spreads")]
    pub rules: Spreads,
    /// A short deck that every game is dealt from, in place of all the game's cards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<ShortDeck>,
    /// Options of the schedule; the others keep their defaults.
    #[serde(default, deserialize_with = "json::fields")]
    pub schedule: Fields,
}

impl Recipe {
    /// Gives the stages that go on from a model its sizes, where none are given.
    pub(super) fn begin_with(&mut self, shape: Shape) {
        let default = Schedule::default();
        let sizes = [("first", shape.first, default.first), ("second", shape.second, default.second)];
        let afresh = self.stages.iter().position(|stage| stage.afresh).unwrap_or(self.stages.len());
        for schedule in self.stages[..afresh].iter_mut().map(|stage| &mut stage.schedule) {
            // What is the default stays away, so that a training goes on that was begun without it.
            for (name, size, _) in sizes.iter().filter(|(_, size, default)| *size != *default as usize) {
                schedule.entry(*name).or_insert_with(|| (*size).into());
            }
        }
    }
}

/// Reads rules in which numbers that JSON cannot have are texts, which refusals can show.
fn spreads<'de, D: Deserializer<'de>>(from: D) -> Result<Spreads, D::Error> {
    let Unique(value) = Unique::deserialize(from)?;
    Spreads::deserialize(value).map_err(Error::custom)
}
