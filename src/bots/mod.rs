//! Players in processes of their own: the agent `exec`.
//!
//! | file | contents |
//! |---|---|
//! | `options` | how such a player is named: command, environment, limits, what becomes of faults |
//! | `process` | the process with its pipes; none outlives Knave |
//! | `patience` | how long its answers are awaited |
//! | `connection` | how a process introduces itself, and what is sent to it |
//! | `player` | the agent, which speaks the [protocol](knave_agents::protocol) |
//! | `schema` | the protocol as JSON Schema |
//! | `check` | `sim check-bot`: whether a program keeps to it |

pub mod check;
mod connection;
mod options;
mod patience;
mod player;
mod process;
mod schema;

pub use connection::happening;
pub use options::{ExecOptions, OnFault};
pub use player::Exec;
pub use schema::schema;
