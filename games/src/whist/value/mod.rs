//! Values: the evaluators and the policy of whist.
//!
//! | room | contents |
//! |---|---|
//! | `rule_policy` | the hand-written policy `rule`, quick enough for rollouts |
//! | `rule` | the hand-written evaluator `rule` |
//! | `features` | what the learned value looks at |
//! | `net` | the learned evaluator `net` |

mod features;
pub(super) mod net;
pub mod rule;
pub mod rule_policy;
