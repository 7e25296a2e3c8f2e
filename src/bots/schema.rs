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
    // What is no name is refused, see `connection::introduction`.
    definitions["Introduction"]["properties"]["name"]["pattern"] = r"\S".into();
    // Each has definitions of its own. That of a card is the same in all games, others have only the name in common.
    let mut views = Map::new();
    for (game, view) in games {
        let view = view.to_value();
        let mut text = view.to_string();
        let own = view.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
        let taken = |name: &String| definitions.get(name).is_some_and(|other| *other != own[name]);
        let renamed: Vec<String> = own.keys().filter(|name| taken(name)).cloned().collect();
        for name in &renamed {
            text = text.replace(&format!("\"#/$defs/{name}\""), &format!("\"#/$defs/{game}.{name}\""));
        }
        let mut view: Value = serde_json::from_str(&text).unwrap_or_default();
        if let Some(fields) = view.as_object_mut() {
            fields.remove("$schema");
            if let Some(Value::Object(own)) = fields.remove("$defs") {
                let name =
                    |name: String| if renamed.contains(&name) { format!("{game}.{name}") } else { name };
                definitions.extend(own.into_iter().map(|(own, schema)| (name(own), schema)));
            }
        }
        views.insert(game.to_owned(), view);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Knave's protocol for players in other processes, version {PROTOCOL}"),
        "description": "Each line is one of these. `sim` sends messages, the program answers with the others. The view of a question is \
            one of `views`, by game. Whole numbers are written without a point and an exponent: 0, and not 0.0.",
        "anyOf": messages.map(|(_, schema)| schema),
        "views": views,
        "$defs": definitions,
    })
}
