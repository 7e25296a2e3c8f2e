//! Small games with exact answers, on which every search is tested.

pub mod kuhn;
pub mod ladder;
pub mod pig;
pub mod tree;
