//! Reads deals from JSON Lines: each line a transcript, or an object with a deck and, if wanted, rules.

use crate::cards::Card;
use crate::games::{self, CardGame};
use crate::json::UniqueFields;
use crate::play::referee;
use knave_agents::options::{self, Fields};
use serde::Deserialize;

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

/// A deal as a line of a file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deal {
    deck: Vec<Card>,
    #[serde(default)]
    rules: Fields,
}

/// Reads all deals of a text. The rules of a line win over those that are given.
///
/// # Errors
/// Names the first line that is wrong, and the field. A text without lines is wrong as well.
pub(super) fn read<G: CardGame>(text: &[u8], given: &Fields) -> Result<Vec<Listed<G>>, DealError> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let deals = text.split(|&byte| byte == b'\n').enumerate().map(|(index, line)| {
        let wrong = |reason| DealError { line: index + 1, reason };
        let line = str::from_utf8(line).map_err(|_| wrong("not UTF-8 text".to_owned()))?;
        read_line(line, index as u64, given).map_err(wrong)
    });
    deals.collect()
}

fn read_line<G: CardGame>(line: &str, index: u64, given: &Fields) -> Result<Listed<G>, String> {
    const EXPECTED: &str = r#"expected a transcript or {"deck":["TD",…],"rules":{…}}"#;
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
    Ok(Listed { rules, deal, seed, index, whole })
}
