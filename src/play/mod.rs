//! One game at a time: played by agents, written down, refereed.

mod game_loop;
pub mod referee;
mod transcript;

pub use game_loop::{GameLoop, Observer};
pub use transcript::points;
pub(crate) use transcript::{Heading, Transcriber};
