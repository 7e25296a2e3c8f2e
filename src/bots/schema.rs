//! The protocol as JSON Schema.

use crate::registry::Registry;
use knave_agents::protocol::{Introduction, Message, PROTOCOL, Pong, Reply};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The JSON Schema of every message, and of the views of these games.
#[must_use]
pub fn schema(registry: &Registry) -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let messages = [
        ("message", generator.subschema_for::<Message<'_>>()),
        ("introduction", generator.subschema_for::<Introduction>()),
        ("reply", generator.subschema_for::<Reply<'_>>()),
        ("pong", generator.subschema_for::<Pong<'_>>()),
    ];
    let mut definitions = generator.take_definitions(true);
    // Each has definitions of its own, such as that of a card, which are alike in all games.
    let mut views = Map::new();
    for game in registry.games() {
        let Some(mut view) = game.view_schema().map(schemars::Schema::to_value) else { continue };
        if let Some(fields) = view.as_object_mut() {
            fields.remove("$schema");
            if let Some(Value::Object(own)) = fields.remove("$defs") {
                definitions.extend(own);
            }
        }
        views.insert(game.name().to_owned(), view);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Knave's protocol for players in other processes, version {PROTOCOL}"),
        "description": "Each line is one of these. `sim` sends messages, the program answers with the others. The view of a question is \
            one of `views`, by game.",
        "oneOf": messages.map(|(_, schema)| schema),
        "views": views,
        "$defs": definitions,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The schema that people read is that of this version. `sim list protocol > docs/protocol.schema.json` writes it anew.
    #[test]
    fn the_document_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/protocol.schema.json");
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), schema(&Registry::builtin().build()));
    }
}
