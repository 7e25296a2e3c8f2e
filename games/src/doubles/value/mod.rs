//! Values: the evaluators and the policy of doubles.
//!
//! | room | contents |
//! |---|---|
//! | `knowledge` | what a seat knows, shared by all values |
//! | `rule`, `rule_features` | the hand-written evaluator and policy `rule`, and what it looks at |
//! | `features` | what the learned values look at |
//! | `net` | the learned values and the learned policy `net` |
//! | `points` | the evaluator `points`, a yardstick |

pub(super) mod features;
mod knowledge;
pub(super) mod net;
pub(super) mod points;
pub mod rule;
pub mod rule_features;
