//! The request for a comparison.

use super::{CompareError, Goal, Measure};
use crate::games::ShortDeck;
use crate::json;
use crate::stats::control::LEAST_CORRECTED;
use crate::stats::sequence::LEAST_UNITS;
use crate::stats::sprt::Sprt;
use crate::studies::request::default_seed;
use knave_agents::AgentSpec;
use knave_agents::options::{self, Fields};
use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Agents to be compared on the same deals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The game.
    pub game: String,
    /// Options of the rules; the others keep their defaults.
    #[serde(default)]
    pub rules: Fields,
    /// The cards of the game, where they are not all: a short deck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<ShortDeck>,
    /// Two or more agents.
    pub agents: Vec<AgentSpec>,
    /// The number of deals, or the most of them where a goal may be reached sooner.
    #[serde(deserialize_with = "json::whole")]
    pub n: u64,
    /// The seed of everything random.
    #[serde(default = "default_seed", deserialize_with = "json::whole")]
    pub seed: u64,
    /// Stop when the interval of every difference is at most so wide, in wins a game or in points; above 0.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "width")]
    pub until: Option<f64>,
    /// Stop when a sequential test says by which of these differences the second agent is better, in Elo from -2,000 to 2,000, the
    /// smaller first.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "differences")]
    pub sprt: Option<[f64; 2]>,
    /// What `until` and `sprt` are about.
    #[serde(default, skip_serializing_if = "options::is_nothing")]
    pub measure: Measure,
    /// The sampled outcomes for each random event, at least 1, where results are corrected for chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<u32>,
}

fn width<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    expecting(from, "expected the width of the intervals as a number above 0, such as 0.002")
}

fn differences<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[f64; 2]>, D::Error> {
    let right = "expected two differences in Elo, the smaller first, from -2000 to 2000, such as [0, 5]";
    expecting(from, right)
}

/// Reads a goal, and says what is right in place of a type: the command line has it in another form.
fn expecting<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    from: D,
    right: &str,
) -> Result<Option<T>, D::Error> {
    serde_json::from_value(Value::deserialize(from)?).map_err(|_| D::Error::custom(right))
}

impl Request {
    /// When to stop, if not after all deals.
    ///
    /// # Errors
    /// When both goals are set, or one that cannot be reached.
    pub fn goal(&self) -> Result<Option<Goal>, CompareError> {
        let wrong = |field, reason: &str| Err(CompareError::Goal { field, reason: reason.to_owned() });
        let measure = self.measure;
        if self.control == Some(0) {
            return wrong("control", "control=0 is refused: expected a whole number from 1");
        }
        match (self.until, self.sprt) {
            (None, None) if measure != Measure::default() => wrong(
                "measure",
                &format!(
                    "measure={} is refused: it says what until or sprt tests; set one of them, or leave it out",
                    measure.name()
                ),
            ),
            (None, None) if self.control.is_some() && self.n < LEAST_CORRECTED => wrong(
                "n",
                &format!("n={} is refused: control corrects from {LEAST_CORRECTED} deals on", self.n),
            ),
            (None, None) => Ok(None),
            (Some(_), Some(_)) => wrong("until", "until: leave it out, or sprt: a comparison has one goal"),
            (Some(_), None) if measure == Measure::Score && self.n < LEAST_UNITS => wrong(
                "n",
                &format!(
                    "n={} is refused: with until, scores have an interval from {LEAST_UNITS} deals on",
                    self.n
                ),
            ),
            (Some(width), None) if width.is_finite() && width > 0.0 => {
                Ok(Some(Goal::Width { measure, width }))
            }
            (Some(width), None) => {
                wrong("until", &format!("until: {width} is no width of an interval: expected one above 0"))
            }
            (None, Some([elo0, elo1])) if -2000.0 <= elo0 && elo0 < elo1 && elo1 <= 2000.0 => {
                Ok(Some(Goal::Sprt { measure, test: Sprt { elo0, elo1 } }))
            }
            (None, Some(_)) => {
                wrong("sprt", "sprt: expected two differences in Elo, the smaller first, from -2000 to 2000")
            }
        }
    }

    /// A request with this goal, and nothing else.
    pub(super) fn of_goal(goal: Option<Goal>) -> Self {
        match goal {
            None => Self::default(),
            Some(Goal::Width { measure, width }) => Self { until: Some(width), measure, ..Self::default() },
            Some(Goal::Sprt { measure, test }) => {
                Self { sprt: Some([test.elo0, test.elo1]), measure, ..Self::default() }
            }
        }
    }
}
