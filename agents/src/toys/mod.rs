//! Small games with exact answers, on which every search is tested.

pub mod ladder;
