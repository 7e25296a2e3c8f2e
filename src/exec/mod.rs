//! How a job of many indices is shared out to workers, and merged so that results depend on nothing but the job.

mod pool;
mod ranges;

pub use pool::{Control, Failure, Halt, Job, Outcome, Sink, Text, Work, run_job};
pub use ranges::Ranges;
