//! Views as data, for players in other processes.

use crate::game::Game;
use crate::options;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt::Display;
use std::sync::Arc;

/// Appends a view as JSON.
type Write<V> = Arc<dyn Fn(&V, &mut Vec<u8>) + Send + Sync>;

/// Makes a view of what a seat was told, and says what it was told as it would be written.
type Read<G> =
    Arc<dyn Fn(&<G as Game>::Rules, &Value) -> Result<(<G as Game>::View, Value), ViewError> + Send + Sync>;

/// An error of reading a view.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("view: {0}")]
pub struct ViewError(String);

impl ViewError {
    /// A field with a wrong value.
    pub fn new(field: &str, value: impl Display, expected: impl Display) -> Self {
        Self(format!("{field}={value}: expected {expected}"))
    }
}

/// The public form of a view: what players in other processes are told.
///
/// It is made of the view alone, so nothing hidden can get into it.
pub struct Shown<G: Game> {
    write: Write<G::View>,
    read: Option<Read<G>>,
    schema: fn() -> Schema,
}

impl<G: Game> Clone for Shown<G> {
    fn clone(&self) -> Self {
        Self { write: Arc::clone(&self.write), read: self.read.clone(), schema: self.schema }
    }
}

impl<G: Game> Shown<G> {
    /// The public form that `show` makes of a view.
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
        Self { write: Arc::new(write), read: None, schema }
    }

    /// Adds the way back: the view of the player who is told this and is to move.
    ///
    /// It refuses what no such seat is told as far as sampling worlds or playing on needs; that all fields go together is
    /// checked by showing the view again.
    #[must_use]
    pub fn reading<T: Serialize + DeserializeOwned + 'static>(
        mut self,
        read: fn(&G::Rules, &T) -> Result<G::View, ViewError>,
    ) -> Self {
        self.read = Some(Arc::new(move |rules, value| {
            let told = options::read_data::<T, _>(value).map_err(ViewError)?;
            let written = serde_json::to_value(&told).map_err(|error| ViewError(error.to_string()))?;
            Ok((read(rules, &told)?, written))
        }));
        self
    }

    /// The view of the player who is told this and is to move; `None` where the game does not say.
    ///
    /// # Errors
    /// Names the field and what would be right.
    pub fn read(&self, rules: &G::Rules, told: &Value) -> Option<Result<G::View, ViewError>> {
        let checked = |(view, read): (G::View, Value)| {
            let mut again = Vec::new();
            self.write(&view, &mut again);
            let again: Map<String, Value> = serde_json::from_slice(&again).unwrap_or_default();
            if let Some((name, value)) = again.iter().find(|(name, value)| read[name.as_str()] != **value) {
                let expected = format_args!("{value}, by the other fields");
                return Err(ViewError::new(name, &read[name.as_str()], expected));
            }
            // With a mistake in its name it would be taken for one that is left out.
            let mut given = told.as_object().into_iter().flatten();
            match given.find(|(name, value)| !value.is_null() && !again.contains_key(name.as_str())) {
                None => Ok(view),
                Some((name, value)) => {
                    let fields = options::listed(again.keys().map(String::as_str));
                    Err(ViewError::new(name, value, format_args!("the fields {fields}")))
                }
            }
        };
        Some(self.read.as_ref()?(rules, told).and_then(checked))
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
