//! Parallel execution of a job over many indices, merged so that results depend on nothing but the job.

mod pool;
mod ranges;

pub(crate) use pool::panic_text;
pub use pool::{Failure, Halt, Job, Outcome, Sink, Text, Work, Workers, run_job};
pub use ranges::Ranges;
