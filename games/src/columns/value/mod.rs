//! Values: the evaluators and policies of columns.
//!
//! | room | contents |
//! |---|---|
//! | `knowledge` | what a seat knows beside board and hand, shared by all values |
//! | `slots` | how far the columns are from being finished; the evaluator `missing` |
//! | `rule` | the hand-written evaluator and policy `rule` |
//! | `ranks` | a hand seen from a column |
//! | `crosses`, `features` | what the learned value looks at |
//! | `net` | the learned evaluator `net` |

mod crosses;
mod features;
pub mod knowledge;
pub(super) mod net;
mod ranks;
pub mod rule;
pub(super) mod slots;
