//! Values: the evaluators and the policy of doubles. Nothing is trained here.
//!
//! | room | contents |
//! |---|---|
//! | `features` | the position after a move, as its player sees it |
//! | `rule` | the hand-written evaluator and policy `rule` |
//! | `points` | the evaluator `points`, a yardstick |

pub mod features;
pub(super) mod points;
pub mod rule;
