//! Games: played by agents, one after the other or side by side, written down, refereed.

mod game_loop;
pub mod referee;
mod side_by_side;
mod transcript;

pub use game_loop::{Finished, GameLoop, Observer, deal};
pub use side_by_side::{Bench, Played};
pub(crate) use transcript::{Heading, Transcriber};
pub use transcript::{Record, SCHEMA, Transcript, points};
