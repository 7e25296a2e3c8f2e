//! What readers of views check.

use crate::cards::CardSet;
use knave_agents::ViewError;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Display;

/// Checks that a field is as it can be.
///
/// # Errors
/// Unless it holds: the field with its value, and what was expected.
pub(crate) fn ok(
    holds: bool,
    field: &str,
    value: impl Display,
    expected: impl Display,
) -> Result<(), ViewError> {
    if holds { Ok(()) } else { Err(ViewError::new(field, value, expected)) }
}

/// A value as it was told: `null` where there is none.
pub(crate) fn or_null(value: Option<impl Display>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}

/// A value as it stands in a view, a text without quotes.
pub(crate) fn written(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(text)) => text,
        other => other.unwrap_or_default().to_string(),
    }
}

/// Checks that no card is in two of these places.
///
/// # Errors
/// Names the card and the second place.
pub(crate) fn apart<'a>(places: impl IntoIterator<Item = (&'a str, CardSet)>) -> Result<CardSet, ViewError> {
    let mut all = CardSet::EMPTY;
    for (place, cards) in places {
        if let Some(card) = (all & cards).into_iter().next() {
            return Err(ViewError::new(place, card, "a card that is in no other place"));
        }
        all |= cards;
    }
    Ok(all)
}

/// Checks the refusals of the mover's view of this position, each where these places hold these values.
#[cfg(test)]
pub(crate) fn refused<G: crate::CardGame>(
    rules: &G::Rules,
    position: &G,
    wrong: &[(&[(&str, Value)], &str)],
) {
    for (changes, expected) in wrong {
        assert_eq!(refusal(rules, position, changes), format!("view: {expected}"));
    }
}

/// Why the mover's view of this position is refused where these places hold these values.
#[cfg(test)]
pub(crate) fn refusal<G: crate::CardGame>(
    rules: &G::Rules,
    position: &G,
    changes: &[(&str, Value)],
) -> String {
    let knave_agents::Turn::Player(seat) = position.turn() else { panic!("nobody is to move") };
    let (shown, mut told) = (G::kit(rules).shown.unwrap(), Vec::new());
    shown.write(&position.view(seat), &mut told);
    let mut told: Value = serde_json::from_slice(&told).unwrap();
    let read = |told: &Value| shown.read(rules, told).unwrap().map(|_| ());
    assert_eq!(read(&told), Ok(()), "{told}");
    for (place, value) in changes {
        *told.pointer_mut(place).unwrap() = value.clone();
    }
    read(&told).expect_err("the view is taken").to_string()
}
