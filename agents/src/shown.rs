//! Views as data, for players in other processes.

use crate::game::Game;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use std::sync::Arc;

/// Appends a view as JSON.
type Write<V> = Arc<dyn Fn(&V, &mut Vec<u8>) + Send + Sync>;

/// What players in other processes are told of a view.
///
/// It is made of the view alone, so nothing hidden can get into it.
pub struct Shown<G: Game> {
    write: Write<G::View>,
    schema: fn() -> Schema,
}

impl<G: Game> Clone for Shown<G> {
    fn clone(&self) -> Self {
        Self { write: Arc::clone(&self.write), schema: self.schema }
    }
}

impl<G: Game> Shown<G> {
    /// What `show` makes of a view.
    #[must_use]
    pub fn new<T: Serialize + JsonSchema + 'static>(show: fn(&G::View) -> T) -> Self {
        let write = move |view: &G::View, out: &mut Vec<u8>| {
            serde_json::to_writer(out, &show(view)).expect("a view can be written to memory");
        };
        let schema = || {
            // What is written has all fields, those of options among them.
            let settings = SchemaSettings::draft2020_12().for_serialize();
            settings.into_generator().into_root_schema_for::<T>()
        };
        Self { write: Arc::new(write), schema }
    }

    /// Appends the view to `out`, as JSON on one line.
    pub fn write(&self, view: &G::View, out: &mut Vec<u8>) {
        (self.write)(view, out);
    }

    /// The JSON Schema of what is written.
    #[must_use]
    pub fn schema(&self) -> Schema {
        (self.schema)()
    }
}
