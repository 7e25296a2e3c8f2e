//! Reads deals from JSON Lines: each line a transcript, or an object with a deck and, if wanted, rules.

use crate::cards::Card;
use crate::games::CardGame;
use crate::play::referee as replay;
use crate::studies::run as plan;
use knave_agents::options::{self, Fields};
use serde_json::{Map, Value};

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

/// Reads all deals of a text. The rules of a line win over those in `pairs`.
///
/// # Errors
/// Names the first line that is wrong, and the field. A text without lines is wrong as well.
pub fn read<G: CardGame>(text: &[u8], pairs: &Fields) -> Result<Vec<Listed<G>>, DealError> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let deals = text.split(|&byte| byte == b'\n').enumerate().map(|(index, line)| {
        let wrong = |reason| DealError { line: index + 1, reason };
        let line = str::from_utf8(line).map_err(|_| wrong("not UTF-8 text".to_owned()))?;
        read_line(line, index as u64, pairs).map_err(wrong)
    });
    deals.collect()
}

fn read_line<G: CardGame>(line: &str, index: u64, pairs: &Fields) -> Result<Listed<G>, String> {
    const EXPECTED: &str = r#"expected a transcript or {"deck":["TD",…],"rules":{…}}"#;
    let fields: Map<String, Value> =
        serde_json::from_str(line).map_err(|error| format!("not a JSON object ({error}): {EXPECTED}"))?;
    if fields.contains_key("schema") {
        let transcript = replay::read(line).map_err(|error| error.to_string())?;
        if transcript.game != G::NAME {
            return Err(format!("game: a transcript of {}, not of {}", transcript.game, G::NAME));
        }
        let pairs = replay::rule_pairs::<G>(&transcript.rules).map_err(|error| error.to_string())?;
        return listed(&pairs, &transcript.deck, transcript.seed, transcript.index);
    }
    if let Some(name) = fields.keys().find(|name| !["deck", "rules"].contains(&name.as_str())) {
        return Err(format!("'{name}' is no field of a deal: {EXPECTED}"));
    }
    let own = match fields.get("rules") {
        None => Fields::new(),
        Some(Value::Object(rules)) => rules.clone(),
        Some(other) => return Err(format!("rules: {other} is no object")),
    };
    let Some(deck) = fields.get("deck") else {
        return Err(format!("deck is missing: {EXPECTED}"));
    };
    let deck: Vec<Card> = serde_json::from_value(deck.clone()).map_err(|error| format!("deck: {error}"))?;
    listed(&options::overlay(pairs.clone(), &own), &deck, 0, index)
}

fn listed<G: CardGame>(pairs: &Fields, deck: &[Card], seed: u64, index: u64) -> Result<Listed<G>, String> {
    let rules = plan::rules::<G>(pairs).map_err(|error| error.to_string())?;
    let deal = G::from_deck(&rules, deck).map_err(|error| format!("deck: {error}"))?;
    let whole = deck.len() == G::full_deck().len();
    Ok(Listed { rules, deal, seed, index, whole })
}
