//! The protocol as JSON Schema.

use knave_agents::protocol::{Introduction, Message, PROTOCOL, Pong, Reply};
use schemars::Schema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The JSON Schema of every message, and of the views of these games, each with its name.
pub fn schema<'a>(games: impl IntoIterator<Item = (&'a str, Schema)>) -> Value {
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
    for (game, view) in games {
        let mut view = view.to_value();
        if let Some(fields) = view.as_object_mut() {
            fields.remove("$schema");
            if let Some(Value::Object(own)) = fields.remove("$defs") {
                definitions.extend(own);
            }
        }
        views.insert(game.to_owned(), view);
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
