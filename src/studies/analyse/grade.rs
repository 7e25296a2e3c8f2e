//! Grades of decisions.

use crate::play::Measure;
use serde::{Deserialize, Serialize};

/// How bad a decision was.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// A loss of at least 0.02 wins, or of one point.
    Doubtful,
    /// Twice as much.
    Bad,
    /// Four times as much.
    VeryBad,
}

impl Grade {
    /// From the mildest.
    pub const ALL: [Self; 3] = [Self::Doubtful, Self::Bad, Self::VeryBad];

    /// The grade of a loss with this standard error, in wins or points. There is none where the loss lies within 1.96 errors
    /// of 0. The thresholds for wins are those of GNU Backgammon (0.04, 0.08 and 0.16), whose equity goes from -1 to 1.
    #[must_use]
    pub fn of(measure: Measure, loss: f64, error: f64) -> Option<Self> {
        let one = match measure {
            Measure::Wins => 0.02,
            Measure::Score => 1.0,
        };
        if loss <= 1.96 * error || loss < one {
            return None;
        }
        Some(match loss / one {
            times if times >= 4.0 => Self::VeryBad,
            times if times >= 2.0 => Self::Bad,
            _ => Self::Doubtful,
        })
    }

    /// As it stands in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Doubtful => "doubtful",
            Self::Bad => "bad",
            Self::VeryBad => "very_bad",
        }
    }
}
