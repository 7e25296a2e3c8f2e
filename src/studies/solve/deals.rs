//! Reads deals, a line each: a transcript, an object with a deck and, if wanted, rules, or the cards alone. Empty lines and those that
//! begin with `#` are passed over.

use crate::cards::Card;
use crate::games::{self, CardGame};
use crate::json::UniqueFields;
use crate::play::referee;
use knave_agents::options::{self, Fields};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// A deal that stands in a file.
pub struct Listed<G: CardGame> {
    /// The rules.
    pub rules: G::Rules,
    /// The freshly dealt position.
    pub deal: G,
    /// The seed and the index that the line tells; the seed 0 and the place among the deals otherwise.
    pub seed: u64,
    /// See `seed`.
    pub index: u64,
    /// The line of the file, counted from 1.
    pub line: usize,
    /// Whether no card of the game is missing.
    pub whole: bool,
}

/// What is wrong with a line of a file of deals.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct DealError {
    /// The line, counted from 1.
    pub line: usize,
    /// The field and what is wrong with it.
    pub reason: String,
}

/// A deal as a line of a file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deal {
    #[serde(deserialize_with = "typed")]
    deck: Vec<Card>,
    #[serde(default)]
    rules: Fields,
}

/// Cards in a list, as people type them.
fn typed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Card>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| Card::typed(text).map_err(D::Error::custom)).collect()
}

/// Reads all deals of a text. The rules of a line win over those that are given.
///
/// # Errors
/// Names the first line that is wrong, and the field. A text without lines is wrong as well.
pub(super) fn read<G: CardGame>(text: &[u8], given: &Fields) -> Result<Vec<Listed<G>>, DealError> {
    let mut deals = Vec::new();
    for (place, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let wrong = |reason| DealError { line: place + 1, reason };
        let line = str::from_utf8(line).map_err(|_| wrong("not UTF-8 text".to_owned()))?.trim();
        if !line.is_empty() && !line.starts_with('#') {
            let deal = read_line(line, deals.len() as u64, given).map_err(wrong)?;
            deals.push(Listed { line: place + 1, ..deal });
        }
    }
    Ok(deals)
}

const EXPECTED: &str =
    r#"expected cards such as TD 2C, top first, a transcript, or {"deck":["TD",…],"rules":{…}}"#;

fn read_line<G: CardGame>(line: &str, index: u64, given: &Fields) -> Result<Listed<G>, String> {
    if !line.starts_with(['{', '[', '"']) {
        let cards = line.split(|c: char| c == ',' || c.is_whitespace()).filter(|card| !card.is_empty());
        let deck: Vec<Card> = cards
            .map(Card::typed)
            .collect::<Result<_, _>>()
            .map_err(|error| format!("{error}: {EXPECTED}"))?;
        let rules = games::read_rules::<G>(given).map_err(|error| error.to_string())?;
        return listed(rules, &deck, (0, index));
    }
    let UniqueFields(fields) =
        serde_json::from_str(line).map_err(|error| format!("not a JSON object ({error}): {EXPECTED}"))?;
    if fields.contains_key("schema") {
        let transcript = referee::read(line).map_err(|error| error.to_string())?;
        if transcript.game != G::NAME {
            return Err(format!("game: a transcript of {}, not of {}", transcript.game, G::NAME));
        }
        let rules = referee::rules::<G>(&transcript.rules).map_err(|error| error.to_string())?;
        return listed(rules, &transcript.deck, (transcript.seed, transcript.index));
    }
    if let Some(name) = fields.keys().find(|name| !["deck", "rules"].contains(&name.as_str())) {
        return Err(format!("'{name}' is no field of a deal: {EXPECTED}"));
    }
    if !fields.contains_key("deck") {
        return Err(format!("deck is missing: {EXPECTED}"));
    }
    let mut reader = serde_json::Deserializer::from_str(line);
    let Deal { deck, rules } = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        format!(
            "{}: {}",
            error.path().iter().next().map_or(String::new(), ToString::to_string),
            error.inner()
        )
    })?;
    let rules = games::read_rules::<G>(&options::overlay(given.clone(), &rules))
        .map_err(|error| error.to_string())?;
    listed(rules, &deck, (0, index))
}

fn listed<G: CardGame>(
    rules: G::Rules,
    deck: &[Card],
    (seed, index): (u64, u64),
) -> Result<Listed<G>, String> {
    let deal = G::from_deck(&rules, deck).map_err(|error| format!("deck: {error}"))?;
    let whole = deck.len() == G::full_deck().len();
    Ok(Listed { rules, deal, seed, index, line: 0, whole })
}
