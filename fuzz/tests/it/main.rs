//! Every target for a moment, and what targets have found. One program, because a fuzzer's engine is linked into each.

mod found;
mod perft;
mod targets;
