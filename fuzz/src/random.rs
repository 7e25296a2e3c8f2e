//! Random rules, decks and positions of any game.

use crate::choices::Choices;
use knave::agents::options::{self, Fields, OptionDoc};
use knave::cards::Card;
use knave::games::{self, CardGame};
use knave_agents::{Game, Turn};
use rand::seq::SliceRandom as _;
use serde_json::Value;

/// Rules with any of their options at any value that a game accepts, small numbers more often than large ones. Every option is given,
/// as in a transcript.
pub fn rules<G: CardGame>(choices: &mut Choices<'_>) -> (G::Rules, Fields) {
    let mut given = Fields::new();
    for doc in options::describe::<G::Rules>() {
        if choices.once_in(2) {
            continue;
        }
        let mut with = given.clone();
        with.insert(doc.name.clone(), value(&doc, &given, choices));
        // Options that refuse each other come one after the other.
        if games::read_rules::<G>(&with).is_ok() {
            given = with;
        }
    }
    let rules = games::read_rules::<G>(&given).unwrap_or_default();
    let recorded = options::recorded(&rules);
    (rules, recorded)
}

/// A value for an option.
fn value(doc: &OptionDoc, given: &Fields, choices: &mut Choices<'_>) -> Value {
    if !doc.values.is_empty() {
        return choices.pick(&doc.values).clone().into();
    }
    if doc.default.starts_with('[') {
        // A label for each player, with ties.
        let labels = [Value::from(0), Value::from(1), Value::from("one")];
        let players = given.get("players").and_then(Value::as_u64).unwrap_or(2);
        return (0..players).map(|_| choices.pick(&labels).clone()).collect();
    }
    let number = match choices.below(8) {
        0..=4 => choices.below(13),
        5 | 6 => choices.below(128),
        _ => choices.below(1 << 20),
    };
    number.into()
}

/// A deck of the game in random order: the whole one, or one time in `short` the beginning of it.
pub fn deck<G: CardGame>(choices: &mut Choices<'_>, short: usize) -> Vec<Card> {
    let mut deck = G::full_deck();
    deck.shuffle(&mut choices.rng());
    if choices.once_in(short) {
        deck.truncate(1 + choices.below(deck.len()));
    }
    deck
}

/// A game dealt from a random deck, and the deck. Short ones are as long as the rules need.
///
/// # Panics
/// When a full deck is refused.
pub fn deal<G: CardGame>(rules: &G::Rules, choices: &mut Choices<'_>, short: usize) -> (G, Vec<Card>) {
    let deck = deck::<G>(choices, short);
    if let Ok(position) = G::from_deck(rules, &deck) {
        return (position, deck);
    }
    let mut whole = deck;
    let mut rest: Vec<Card> = G::full_deck();
    rest.retain(|card| !whole.contains(card));
    // The shortest longer deck that can be dealt.
    loop {
        let Some(card) = rest.pop() else {
            panic!("no deck is long enough");
        };
        whole.push(card);
        if let Ok(position) = G::from_deck(rules, &whole) {
            return (position, whole);
        }
    }
}

/// Plays random moves until a player decides and at least so many moves were made, or the game is over.
pub fn play_on<G: Game>(position: &mut G, moves: usize, choices: &mut Choices<'_>) {
    let mut rng = choices.rng();
    let (mut buffer, mut made) = (Vec::new(), 0);
    loop {
        match position.turn() {
            Turn::Over => return,
            Turn::Player(_) if made >= moves => return,
            Turn::Player(_) => {
                position.moves(&mut buffer);
                let m = *choices.pick(&buffer);
                position.play(m);
                made += 1;
            }
            Turn::Chance | Turn::Shuffle => {
                position.roll(&mut rng);
            }
        }
    }
}
