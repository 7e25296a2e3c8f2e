//! One game at a time: played by agents, written down, refereed.

mod game_loop;
pub mod referee;
mod transcript;

pub use game_loop::{GameLoop, Observer, deal};
pub(crate) use transcript::{Heading, Transcriber};
pub use transcript::{Record, SCHEMA, Transcript, points};
