//! Knave's library for Python: the part of the package `knave` that is written in Rust.
//!
//! | file | contents |
//! |---|---|
//! | `convert` | data and errors between the two languages |
//! | `session` | requests and studies, carried out beside the interpreter |
//! | `table` | tables of results as Arrow |
//! | `game` | games under certain rules, and positions |
//! | `arrays` | episodes and lanes for environments |
//! | `player` | players written in Python |
//! | `decisions` | what such players are asked |

mod arrays;
mod convert;
mod decisions;
mod game;
mod player;
mod session;
mod table;

use knave::registry::Registry;
use pyo3::prelude::*;
use std::sync::LazyLock;

/// Knave's own games and agents, and players written in Python.
static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::builtin().agent::<player::Player>().build());

#[pymodule]
mod _knave {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::arrays::{Episode, Lanes};
    #[pymodule_export]
    use super::decisions::{Decision, Decisions, Speller};
    #[pymodule_export]
    use super::game::{Game, Position, agents, games, measures, models, presets};
    #[pymodule_export]
    use super::player::{forget_player, register_player};
    #[pymodule_export]
    use super::session::{carry_out, cells, experiment, manifest, merge, plan, stop_all};
    #[pymodule_export]
    use super::table::Table;

    /// Finds NumPy now: later a signal could come in between.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        numpy::PyArray1::<f32>::zeros(module.py(), 0, false);
        Ok(())
    }

    /// The version, and the commit that it was built from.
    #[pymodule_export]
    const VERSION: &str = knave::cli::VERSION;
}
