//! Tests of doubles: worked examples of the rules, shuffles and sampled worlds.

mod encoding;
mod hidden;
mod net;
mod rule;
mod rules;
mod shown;
mod tally;

use super::*;
use crate::cards::{Card, CardSet};
use crate::shuffle::CARDS;
use crate::{CardGame as _, DeckError};
use knave_agents::rng::stream;
use knave_agents::{ChanceRecord, Event, Game as _, Notation as _, Rng, Role, Seat, Turn};

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

fn rules(players: u8, cards: u8) -> Rules {
    Rules { players, cards, ..Rules::default() }
}

/// A game that is played by hand, and what everybody saw.
struct Script(Doubles, Vec<Event<Doubles>>);

impl Script {
    fn new(rules: &Rules, deck: &str) -> Self {
        Self(Doubles::from_deck(rules, &cards(deck)).unwrap(), Vec::new())
    }

    /// Plays words such as `34` (dice), `pass`, `9H` (a challenge), `pocket` and `roll`.
    fn play(&mut self, words: &str) -> &mut Self {
        for word in words.split_whitespace() {
            if let [a @ b'1'..=b'6', b @ b'1'..=b'6'] = *word.as_bytes() {
                assert_eq!(self.0.turn(), Turn::Chance, "{word}");
                let roll = Chance::Roll([a - b'0', b - b'0']);
                self.0.play_chance(roll);
                self.0.tell(Event::Chance(roll), &mut self.1);
                continue;
            }
            let challenge = format!("challenge {word}");
            let text = if matches!(word, "pass" | "pocket" | "roll") { word } else { &challenge };
            let m = self.0.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
            let Turn::Player(seat) = self.0.turn() else { panic!("{word}: nobody is to move") };
            self.0.try_play(m).unwrap();
            self.0.tell(Event::Move(seat, m), &mut self.1);
        }
        self
    }

    fn legal(&self) -> String {
        let mut moves = Vec::new();
        self.0.moves(&mut moves);
        let words = moves.iter().map(|m| m.to_string().replace("challenge ", ""));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Who is to move, the legal moves, and the stakes.
    fn due(&self) -> (Turn, String, u32) {
        (self.0.turn(), self.legal(), self.0.board.stakes)
    }

    fn scores(&self) -> Vec<i64> {
        (0..self.0.seats()).map(|seat| self.0.score(seat)).collect()
    }
}

fn player(seat: Seat, legal: &str, stakes: u32) -> (Turn, String, u32) {
    (Turn::Player(seat), legal.to_owned(), stakes)
}
