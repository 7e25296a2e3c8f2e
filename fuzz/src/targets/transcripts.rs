//! Transcripts: what a referee accepts is a game that was played by the rules, and the reference says so too.

use super::registry;
use crate::choices::Choices;
use crate::reference::{self, Reference};
use crate::{mutate, seeds};
use knave::agents::options;
use knave::games::{self, CardGame, GameList as _, Visitor};
use knave::play::{Record, Transcript, referee};
use knave_agents::{ChanceRecord, Turn};
use serde::Deserialize as _;
use serde_json::Value;
use std::collections::BTreeSet;

/// Changes a transcript and has it replayed.
pub fn transcripts(choices: &mut Choices<'_>) {
    let seeds = seeds::transcripts();
    let (seed, other) = (choices.pick(seeds), choices.pick(seeds));
    let line = mutate::document(&seed.1, &other.0, choices);
    check(&line);
}

/// Checks that a line is refused, or is as good as the game that it tells of.
///
/// # Panics
/// When a line is accepted that should not be.
pub fn check(line: &str) {
    if registry().check(line).is_err() {
        return;
    }
    let transcript =
        referee::read(line).unwrap_or_else(|error| panic!("accepted, but cannot be read: {error}"));
    let written = serde_json::to_string(&transcript).unwrap_or_default();
    assert_eq!(registry().check(&written), Ok(()), "what was read is refused when it is written again");
    let same = |text: &str| serde_json::from_str::<Value>(text).map(|value| numbers(&value)).ok();
    assert_eq!(same(line), same(&written), "something of the transcript was not read");
    games::BuiltIn::visit(&transcript.game, Replay(&transcript));
}

/// The same with all numbers as floating point, for `1` and `1.0` are one score.
fn numbers(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(list) => list.iter().map(numbers).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), numbers(value))).collect(),
        other => other.clone(),
    }
}

/// Plays a transcript on the reference.
struct Replay<'a>(&'a Transcript);

impl Visitor for Replay<'_> {
    type Output = ();

    fn visit<G: CardGame>(self) {
        let transcript = self.0;
        let rules = games::read_rules::<G>(&transcript.rules).unwrap_or_else(|error| panic!("{error}"));
        let (deck, full) = (&transcript.deck, G::full_deck());
        let cards: BTreeSet<_> = deck.iter().filter(|card| full.contains(card)).collect();
        assert_eq!(cards.len(), deck.len(), "the deck has other cards than the game, or one twice");
        assert_eq!(deck.len() < full.len(), transcript.short_deck, "whether the deck is short");
        let mut game = reference::of(G::NAME, &options::recorded(&rules), &transcript.deck);
        for event in &transcript.events {
            let event = Record::deserialize(event).unwrap_or_else(|error| panic!("{event}: {error}"));
            happen(&mut *game, event);
        }
        assert_eq!(game.turn(), Turn::Over, "the events end before the game");
        assert_eq!(transcript.players.len(), game.seats(), "players");
        let scores: Vec<f64> = (0..game.seats()).map(|seat| game.score(seat)).collect();
        assert_eq!(transcript.scores, scores, "scores");
        assert_eq!(transcript.winners, game.winners(), "winners");
        assert_eq!(transcript.end, game.end(), "end");
    }
}

fn happen(game: &mut dyn Reference, event: Record) {
    let record = match event {
        Record::Move { text, player } => {
            assert_eq!(game.turn(), Turn::Player(player), "'{text}' out of turn");
            let m = game.canonical(&text).unwrap_or_else(|| panic!("'{text}' is not legal"));
            return game.play(&m);
        }
        Record::Roll { roll } => ChanceRecord::Roll(roll),
        Record::Reshuffle { reshuffle } => ChanceRecord::Reshuffle(reshuffle),
    };
    assert!(matches!(game.turn(), Turn::Chance | Turn::Shuffle), "nothing random is due");
    game.chance(&record).unwrap_or_else(|error| panic!("{error}"));
}
