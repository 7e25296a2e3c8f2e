//! Values: the evaluators and the policy of doubles.
//!
//! | room | contents |
//! |---|---|
//! | `features` | the position after a move, as its player sees it |
//! | `net`, `net_features` | the learned value, and what it sees |
//! | `rule` | the hand-written evaluator and policy `rule` |
//! | `points` | the evaluator `points`, a yardstick |

pub mod features;
pub(super) mod net;
pub(super) mod net_features;
pub(super) mod points;
pub mod rule;
