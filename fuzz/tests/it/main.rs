//! Every target for a moment, and what targets have found. One program, because a fuzzer's engine is linked into each.

mod perft;
mod targets;
