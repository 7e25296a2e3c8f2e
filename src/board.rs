//! A view as lines of text, drawn from what a game shows of it: the same for every game.

use crate::cards::{Card, Suit, rank_letter};
use crate::screen::has_unicode;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// So many cards are listed suit by suit where they are sorted: any other order may tell something, such as which card comes next.
const MANY: usize = 14;

/// The style of suits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Suits {
    /// As symbols.
    Symbols,
    /// As the letters of the notation.
    Letters,
}

impl Suits {
    /// The style that the terminal of this process can show, as its locale says.
    #[must_use]
    pub fn of_locale() -> Self {
        if has_unicode() { Self::Symbols } else { Self::Letters }
    }

    fn suit(self, suit: Suit) -> char {
        let place = Suit::ALL.iter().position(|other| *other == suit).unwrap_or_default();
        match self {
            Self::Symbols => ['♣', '♦', '♥', '♠'][place],
            Self::Letters => ['C', 'D', 'H', 'S'][place],
        }
    }

    fn card(self, card: Card) -> String {
        format!("{}{}", rank_letter(card.rank()), self.suit(card.suit()))
    }
}

/// The display of a view: its fields, in the game's order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board(Vec<(String, Value)>);

impl Board {
    /// The names of its fields.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Reads a view as JSON; nothing where it is none.
    #[must_use]
    pub fn read(view: &[u8]) -> Self {
        serde_json::from_slice(view).unwrap_or_default()
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Board;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Board, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Board(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// The most letters of a name under which others are aligned: views come from files, too.
const WIDEST: usize = 40;

/// Draws a board: a line for each of its fields, none wider than `screen`.
#[must_use]
pub fn draw(Board(fields): &Board, suits: Suits, screen: usize) -> String {
    let widest = fields.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).min(WIDEST);
    let mut text = String::new();
    for (name, value) in fields {
        let name = name.replace('_', " ");
        for (place, line) in lines(value, suits).into_iter().enumerate() {
            let label = if place == 0 { name.as_str() } else { "" };
            for (place, part) in wrapped(&line, screen.saturating_sub(widest + 2)).into_iter().enumerate() {
                let label = if place == 0 { label } else { "" };
                text += format!("{label:<widest$}  {part}").trim_end();
                text.push('\n');
            }
        }
    }
    text
}

/// A board in one line, long lists of cards left out.
#[must_use]
pub fn line(Board(fields): &Board, suits: Suits) -> String {
    let is_long = |value: &Value| value.as_array().is_some_and(|items| items.len() >= MANY);
    let told = fields.iter().filter(|(_, value)| !value.is_null() && !is_long(value));
    let told = told.map(|(name, value)| {
        let items = lines(value, suits);
        format!("{} {}", name.replace('_', " "), items.join("; "))
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The lines of a field.
fn lines(value: &Value, suits: Suits) -> Vec<String> {
    let Some(items) = value.as_array() else {
        return vec![cell(value, suits)];
    };
    if items.iter().any(|item| item.is_object() || item.is_array()) {
        let item = |(place, item): (usize, &Value)| match item.is_object() {
            true => lettered(place, item, suits),
            false => format!("{place}: {}", inline(item, suits)),
        };
        return items.iter().enumerate().map(item).collect();
    }
    vec![cell(value, suits)]
}

/// What has fields of its own and stands in a list is a column or a pair of columns, which moves call by a letter.
fn lettered(place: usize, item: &Value, suits: Suits) -> String {
    let letter = char::from_u32('a' as u32 + place as u32).unwrap_or('?');
    format!("{letter}: {}", inline(item, suits))
}

/// A value within a line.
fn inline(value: &Value, suits: Suits) -> String {
    match value.as_object() {
        None => cell(value, suits),
        Some(fields) => {
            let told = fields.iter().filter(|(_, value)| !value.is_null());
            let told = told.map(|(name, value)| format!("{} {}", name.replace('_', " "), cell(value, suits)));
            told.collect::<Vec<_>>().join(", ")
        }
    }
}

/// A value without fields.
fn cell(value: &Value, suits: Suits) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.parse().map_or_else(|_| text.replace('_', " "), |card| suits.card(card)),
        Value::Array(items) => {
            let cards: Option<Vec<Card>> = items.iter().map(|item| item.as_str()?.parse().ok()).collect();
            match cards {
                Some(cards) if cards.is_empty() => "-".to_owned(),
                Some(cards) if cards.len() >= MANY && cards.is_sorted() => by_suit(&cards, suits),
                Some(cards) => joined(cards.into_iter().map(|card| suits.card(card))),
                None if items.iter().any(Value::is_object) => {
                    let items = items.iter().enumerate().map(|(place, item)| lettered(place, item, suits));
                    items.collect::<Vec<_>>().join("; ")
                }
                None => joined(items.iter().map(|item| inline(item, suits))),
            }
        }
        other => other.to_string(),
    }
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

/// Many cards, suit by suit.
fn by_suit(cards: &[Card], suits: Suits) -> String {
    let of = |suit: Suit| {
        let ranks: String =
            cards.iter().filter(|card| card.suit() == suit).map(|card| rank_letter(card.rank())).collect();
        (!ranks.is_empty()).then(|| format!("{}:{ranks}", suits.suit(suit)))
    };
    joined(Suit::ALL.into_iter().filter_map(of))
}

/// The words of a text in lines of at most this width, if none is wider.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        let room = lines[last].is_empty() || lines[last].chars().count() + 1 + word.chars().count() <= width;
        if !room {
            lines.push(word.to_owned());
        } else {
            if !lines[last].is_empty() {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::WIDTH;
    use serde_json::json;

    /// Cards are drawn with symbols or letters, many of them suit by suit unless they lie in an order, nothing wider than a screen,
    /// and every field has its line.
    #[test]
    fn views_are_drawn() {
        let all: Vec<String> = Card::all().map(|card| card.to_string()).collect();
        let pile: Vec<&String> = all.iter().rev().take(14).collect();
        let view = json!({ "health": 7, "limit": null, "may_avoid": true, "room": ["TC", "2D"], "unseen": all, "pile": pile,
            "columns": [{ "cards": ["AS"], "points": 3 }, { "cards": [], "points": 0 }], "phase": "two_words",
            "pairs": [[{ "length": 2 }, { "length": 1 }]] });
        let view = Board::read(view.to_string().as_bytes());
        let text = draw(&view, Suits::Letters, WIDTH);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        for line in [
            "health     7",
            "limit      -",
            "may avoid  yes",
            "room       TC 2D",
            "unseen     C:23456789TJQKA D:23456789TJQKA H:23456789TJQKA S:23456789TJQKA",
            "pile       AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AH",
            "columns    a: cards AS, points 3",
            "           b: cards -, points 0",
            "pairs      0: a: length 2; b: length 1",
            "phase      two words",
        ] {
            assert!(text.lines().any(|other| other == line), "{line} is missing in\n{text}");
        }
        assert!(draw(&view, Suits::Symbols, WIDTH).contains("T♣ 2♦"));
        let shown = line(&view, Suits::Letters);
        assert!(
            shown.starts_with("columns a: cards AS, points 3; b:")
                || shown.starts_with("health 7, may avoid yes"),
            "{shown}"
        );
        assert!(!shown.contains("unseen") && !shown.contains("limit"), "{shown}");
        let long = Board::read(json!({ "a": vec!["word"; 60] }).to_string().as_bytes());
        for width in [40, WIDTH, 200] {
            let text = draw(&long, Suits::Letters, width);
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
            assert!(widest <= width && widest + "word ".len() > width, "{text}");
        }
    }
}
