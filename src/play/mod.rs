//! Games: played by agents, one after the other or side by side, written down, refereed.

mod checked;
mod deals;
mod game_loop;
mod measure;
mod observer;
pub mod referee;
mod seats;
mod side_by_side;
mod streams;
mod transcript;

pub(crate) use checked::Checked;
pub use deals::Deals;
pub use game_loop::GameLoop;
pub use measure::Measure;
pub(crate) use observer::Charge;
pub use observer::{Finished, Observer};
pub(crate) use seats::Seats;
pub use side_by_side::{Bench, Played};
pub(crate) use streams::GameStreams;
pub(crate) use transcript::{Heading, Transcriber, check_names};
pub use transcript::{NameError, Record, SCHEMA, Transcript, points};
