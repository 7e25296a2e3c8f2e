//! What a run, or a search for exact answers, writes: a folder with a manifest and tidy tables, and transcripts.
//!
//! Every column is documented in `results/README.md`, and a test keeps it so. All files but the
//! manifest are the same to the byte for the same plan, on any number of threads.

mod folder;
mod journal;
mod manifest;
mod parquet;
mod parts;
mod resume;
mod writer;

pub use folder::{Existing, Folder, FolderError, default_name};
pub use journal::Journal;
pub use manifest::{
    BoundRecord, CompareRecord, FileRecord, Manifest, PlanRecord, Shard, SolveRecord, Timing, utc,
};
pub use parquet::PARQUET;
pub use parts::{MergeError, Parts};
pub use writer::{Files, Unwritten, Writer};

/// The file names in the folder of a run.
pub mod names {
    /// What was run, how, and how far.
    pub const MANIFEST: &str = "manifest.json";
    /// The exact counts, from which a run goes on.
    pub const JOURNAL: &str = "journal.json";
    /// The cells of a study, a row each; its other tables are joined from theirs.
    pub const CELLS: &str = "cells.csv";
    /// A row a seat.
    pub const SUMMARY: &str = "summary.csv";
    /// The histogram of the scores.
    pub const SCORES: &str = "scores.csv";
    /// The game's own counts.
    pub const TALLY: &str = "tally.csv";
    /// A row a game and seat, on request.
    pub const GAMES: &str = "games.csv";
    /// The same as columns, on request.
    pub const GAMES_PARQUET: &str = "games.parquet";
    /// Rates of deals that reach a value.
    pub const SOLVABILITY: &str = "solvability.csv";
    /// The distribution of the best values.
    pub const VALUES: &str = "values.csv";
    /// What the answers cost.
    pub const NODES: &str = "nodes.csv";
    /// A row a deal, on request.
    pub const SOLUTIONS: &str = "solutions.csv";
    /// How agents differ.
    pub const COMPARISON: &str = "comparison.csv";
    /// How each agent does against each other.
    pub const MATRIX: &str = "matrix.csv";
    /// The strength of agents.
    pub const RATINGS: &str = "ratings.csv";
    /// What seats are worth.
    pub const SEATS: &str = "seats.csv";
    /// How good fair play can be at most.
    pub const BOUND: &str = "bound.csv";
}

/// The columns of every table, in order.
pub const COLUMNS: [(&str, &[&str]); 13] = [
    (
        names::SUMMARY,
        &[
            "game",
            "agent",
            "seat",
            "games",
            "wins",
            "win_rate",
            "win_low",
            "win_high",
            "score_mean",
            "score_low",
            "score_high",
            "score_sd",
            "score_min",
            "score_q05",
            "score_q25",
            "score_median",
            "score_q75",
            "score_q95",
            "score_max",
            "moves_mean",
            "score_se",
        ],
    ),
    (names::SCORES, &["game", "agent", "seat", "score", "games"]),
    (names::TALLY, &["game", "agent", "seat", "measure", "key", "count"]),
    (names::GAMES, &["index", "seat", "agent", "score", "won", "end", "moves"]),
    (
        names::SOLVABILITY,
        &["game", "objective", "threshold", "deals", "yes", "no", "undecided", "rate", "low", "high"],
    ),
    (names::VALUES, &["game", "objective", "verdict", "value", "deals"]),
    (
        names::NODES,
        &["game", "objective", "deals", "mean", "min", "q25", "median", "q75", "q90", "q99", "q999", "max"],
    ),
    (names::SOLUTIONS, &["index", "verdict", "value", "nodes"]),
    (
        names::COMPARISON,
        &[
            "game",
            "agent_a",
            "agent_b",
            "measure",
            "unit",
            "units",
            "mean_a",
            "mean_b",
            "mean_difference",
            "low",
            "high",
            "p_value",
            "interval",
            "saved_by_pairs",
            "saved_by_control",
            "llr",
            "decision",
        ],
    ),
    (names::MATRIX, &["game", "agent", "opponent", "measure", "units", "mean", "low", "high", "fair"]),
    (names::BOUND, &["game", "quantity", "measure", "agent", "deals", "mean", "low", "high", "sd"]),
    (names::RATINGS, &["game", "agent", "units", "rating", "low", "high", "misfit_p", "in_cycle"]),
    (
        names::SEATS,
        &[
            "game",
            "agent",
            "seat",
            "measure",
            "units",
            "mean",
            "low",
            "high",
            "effect",
            "effect_low",
            "effect_high",
        ],
    ),
];
