//! The store of results: a folder with a manifest, tidy tables, and a journal to go on from.
//!
//! All files but the manifest are the same to the byte for the same plan, on any number of threads. What is asked, and
//! which tables answer it, is a matter of the kind of study: here a request is data, and a table is rows of text.

mod columns;
mod folder;
mod journal;
mod manifest;
mod parquet;
mod parts;
mod read;
mod replace;
mod resume;
mod table;
mod writer;

pub use crate::games::TableForm;
pub(crate) use columns::is_difference;
pub use columns::{ColumnKind, column_kind};
pub(crate) use folder::is_at;
pub use folder::{
    Existing, Folder, FolderError, default_name, holds_nothing, is_under_way, lock, why_unwritten,
};
pub use journal::{Journal, Prefix, Sum};
pub use manifest::{Manifest, ManifestError, PlanRecord, Shard, Timing};
pub(crate) use manifest::{PLAYERS, PROGRAM, is_read_at_once};
pub(crate) use parquet::NO_PARQUET;
pub use parquet::{GAMES_PARQUET, HAS_PARQUET};
pub use parts::{MergeError, Parts};
pub(crate) use read::{is_plain_name, plain_file};
pub(crate) use replace::{Replacement, folder_of, left_over, remove_left_overs, replace};
pub(crate) use table::Line;
pub use table::Table;
pub(crate) use table::has_columns;
pub use writer::{Files, Unwritten, Writer};

/// What was run, how, and how far.
pub const MANIFEST: &str = "manifest.json";
/// The exact counts, from which a run goes on.
pub const JOURNAL: &str = "journal.json";

/// The cells of a study, a row each; its other tables are joined from theirs, and lie beside it.
pub const CELLS: &str = "cells.csv";

/// What helps where a table of a finished run is gone and its journal is not.
pub const REMADE: &str = "the command that made the results writes it again";
