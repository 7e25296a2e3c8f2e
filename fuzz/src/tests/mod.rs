//! Every target for a moment, lines of play counted by both engines, and what targets have found.
//!
//! All of it is one program: a fuzzer's engine cannot be linked to one that has no target.

mod found;
mod perft;
mod targets;
