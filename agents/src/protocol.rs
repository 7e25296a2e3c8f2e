//! The protocol between Knave and players in processes of their own: JSON objects, one a line.
//!
//! The types are those of the JSON Schema in `docs/protocol.schema.json`; `docs/protocol.md` explains them.

use schemars::JsonSchema;
use serde::de::{Error, IgnoredAny, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// The version of the protocol. Versions of the same number only add fields and types of messages.
pub const PROTOCOL: u32 = 1;

/// What a question holds beside the moves, by the names in [`Introduction::wants`].
pub const PARTS: [&str; 2] = ["view", "events"];

/// A message to the player.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message<'a> {
    /// The first message.
    Hello(Hello<'a>),
    /// A game begins for a seat.
    #[serde(borrow)]
    New(New<'a>),
    /// The seat is to decide.
    Choose(Choose),
    /// A game is over for a seat.
    End(End),
    /// Asks whether the player is there. The answer is a [`Pong`].
    Ping {
        /// The number that the answer repeats.
        id: u64,
    },
    /// The player is to end.
    Quit,
}

/// The first message. The answer is an [`Introduction`].
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Hello<'a> {
    /// The version of the protocol.
    pub protocol: u32,
    /// Knave's version.
    pub knave: Cow<'a, str>,
    /// The game that will be played.
    pub game: Cow<'a, str>,
}

/// A game begins for a seat.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct New<'a> {
    /// The number of the game for this seat, which no other game and seat has.
    pub game_id: u64,
    /// The game.
    pub game: Cow<'a, str>,
    /// The options of its rules; some that are switched off by default only where they are set.
    pub rules: Map<String, Value>,
    /// The seat, counted from 0.
    pub seat: usize,
    /// The number of seats.
    pub seats: usize,
}

/// A question: the seat is to decide. The answer is a [`Reply`].
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Choose {
    /// The number of the question, which the answer repeats.
    pub id: u64,
    /// The number of the game.
    pub game_id: u64,
    /// Where everything random in the answer should come from; below 2^53.
    pub seed: u64,
    /// The legal moves in their notation.
    pub moves: Vec<String>,
    /// All that the seat may know, in a shape of the game's own. Left out when the player does not want it.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub view: Value,
    /// The public events since the last question of this game, the oldest first. Left out when the player does not
    /// want them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Happening>,
}

/// A public event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Happening {
    /// A move.
    Move {
        /// Its notation.
        #[serde(rename = "move")]
        text: String,
        /// The seat that played it.
        player: usize,
    },
    /// Dice in the order in which they were rolled.
    Roll {
        /// Their eyes.
        roll: Vec<u8>,
    },
    /// Cards were put into a new order that nobody saw.
    Shuffle {
        /// Always true.
        shuffle: bool,
    },
}

/// A game is over for a seat.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct End {
    /// The number of the game.
    pub game_id: u64,
    /// Whether the seat won, alone or with others.
    pub won: bool,
    /// Its score in points.
    pub score: f64,
}

/// The player's answer to [`Hello`].
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Introduction {
    /// The version of the protocol that the player speaks.
    pub protocol: u32,
    /// The player's name.
    pub name: String,
    /// The player's version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What the player reads of a question beside the moves: `view`, `events`. Everything when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("items" = serde_json::json!({"type": "string", "enum": PARTS})))]
    pub wants: Option<Vec<String>>,
}

/// The player's answer to a question.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Reply<'a> {
    /// The number of the question.
    pub id: u64,
    /// The move.
    #[serde(rename = "move", borrow)]
    pub choice: Choice<'a>,
}

/// The player's answer to a ping.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Pong<'a> {
    /// The number of the ping.
    pub id: u64,
    /// Always `pong`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "pong"))]
    pub kind: Cow<'a, str>,
}

/// A move: its notation, or its place among the moves of the question, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Choice<'a> {
    /// The place.
    Index(u64),
    /// The notation.
    Text(Cow<'a, str>),
}

impl<'de: 'a, 'a> Deserialize<'de> for Choice<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Choice<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a move or its index")
            }

            fn visit_u64<E: Error>(self, index: u64) -> Result<Choice<'de>, E> {
                Ok(Choice::Index(index))
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Choice<'de>, E> {
                Ok(Choice::Text(text.into()))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Choice<'de>, E> {
                Ok(Choice::Text(text.to_owned().into()))
            }
        }

        deserializer.deserialize_any(Either)
    }
}

/// The type of a message, to be read before the rest.
#[derive(Deserialize)]
pub(crate) struct Head<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
}

/// A question as a player in Rust reads it, without a copy of what it may not need.
#[derive(Deserialize)]
pub(crate) struct RawChoose<'a> {
    pub id: u64,
    pub game_id: u64,
    pub seed: u64,
    #[serde(borrow)]
    pub moves: Vec<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub view: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "known")]
    pub events: Vec<Happening>,
}

/// The events of kinds that this version knows. Later versions may tell of others.
fn known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Happening>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Told {
        Known(Happening),
        Other(IgnoredAny),
    }
    let told = Vec::<Told>::deserialize(deserializer)?;
    Ok(told
        .into_iter()
        .filter_map(|told| if let Told::Known(known) = told { Some(known) } else { None })
        .collect())
}
