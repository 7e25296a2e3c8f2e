//! What readers of views check.

use crate::cards::CardSet;
use knave_agents::ViewError;
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
