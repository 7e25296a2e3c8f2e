//! Short decks: games with few cards, which can be played many times over or solved to their end.

use super::{CardGame, DeckError};
use crate::cards::{Card, Suit, rank_letter};
use knave_agents::exact::Starts;
use rand::seq::SliceRandom as _;
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// The cards of a short deck. Their order means nothing: they are shuffled for every game. As data it is a list of cards, or a text
/// such as `2-6CD 9H`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ShortDeck(Vec<Card>);

/// The most orders of the cards that are dealt. Which of them make no difference is not known here.
const MOST_DEALS: u64 = 10_000_000;

/// Why a short deck does not serve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShortDeckError {
    /// A part of the text names no cards.
    #[error(
        "'{0}' names no cards: expected cards such as 9H, ranks of suits such as 2-6CD, the lower one first, and spaces between them"
    )]
    Cards(String),
    /// No game can be dealt.
    #[error(transparent)]
    Deck(#[from] DeckError),
    /// There are too many orders of the cards that are dealt to list them.
    #[error("the cards can be dealt in more than 10,000,000 orders: take fewer cards")]
    Deals,
    /// There are more starts than were asked for.
    #[error("players can tell more than {0} deals apart: take fewer cards")]
    Starts(usize),
}

impl ShortDeck {
    /// Checks that games can be dealt from these cards.
    ///
    /// # Errors
    /// When a card is not of the game or comes twice, or there are too few.
    pub fn check<G: CardGame>(&self, rules: &G::Rules) -> Result<(), DeckError> {
        G::from_deck(rules, &self.0).map(|_| ())
    }

    /// The number of cards.
    #[must_use]
    pub fn cards(&self) -> usize {
        self.0.len()
    }

    /// The cards.
    #[must_use]
    pub fn as_slice(&self) -> &[Card] {
        &self.0
    }

    /// The cards in as few words as they can be typed in: `2-6CD 9H`.
    #[must_use]
    pub fn ranges(&self) -> String {
        let follows = |a: &Card, b: &Card| b.suit() == a.suit() && b.rank() == a.rank() + 1;
        let ranks = |run: &[Card]| match [run[0], run[run.len() - 1]].map(|card| rank_letter(card.rank())) {
            [low, high] if low == high => low.to_string(),
            [low, high] => format!("{low}-{high}"),
        };
        let runs: Vec<(String, Suit)> =
            self.0.chunk_by(follows).map(|run| (ranks(run), run[0].suit())).collect();
        let words = runs.chunk_by(|(a, _), (b, _)| a == b).map(|alike| {
            let suits = alike.iter().map(|(_, suit)| Card::new(*suit, 2).to_string().split_off(1));
            alike[0].0.clone() + &suits.collect::<String>()
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Deals a game from these cards in random order.
    ///
    /// # Errors
    /// As [`ShortDeck::check`].
    pub fn deal<G: CardGame>(&self, rules: &G::Rules, rng: &mut knave_agents::Rng) -> Result<G, DeckError> {
        let mut deck = self.0.clone();
        deck.shuffle(rng);
        G::from_deck(rules, &deck)
    }

    /// Checks that the positions after all deals can be listed, whatever time that takes.
    ///
    /// # Errors
    /// As [`ShortDeck::check`], and when the cards that are dealt have too many orders.
    pub fn check_starts<G: CardGame>(&self, rules: &G::Rules, dealt: usize) -> Result<(), ShortDeckError> {
        let all = self.0.len();
        let deals =
            (0..dealt.min(all)).try_fold(1_u64, |deals, taken| deals.checked_mul((all - taken) as u64));
        if deals.is_none_or(|deals| deals > MOST_DEALS) {
            return Err(ShortDeckError::Deals);
        }
        Ok(self.check::<G>(rules)?)
    }

    /// The positions after all deals, with their probabilities. Deals that no player can tell apart are one.
    ///
    /// `dealt` is the number of cards that the deal hands out or lays open.
    ///
    /// # Errors
    /// As [`ShortDeck::check_starts`], and when there are more than `most`.
    pub fn starts<G: CardGame>(
        &self,
        rules: &G::Rules,
        dealt: usize,
        most: usize,
    ) -> Result<Starts<G>, ShortDeckError> {
        self.check_starts::<G>(rules, dealt)?;
        let dealt = dealt.min(self.0.len());
        let mut listing = Starting { rules, dealt, most, starts: Vec::new(), places: HashMap::new() };
        listing.add(&mut self.0.clone(), 0)?;
        let total: f64 = listing.starts.iter().map(|(_, count)| count).sum();
        listing.starts.iter_mut().for_each(|(_, count)| *count /= total);
        Ok(listing.starts)
    }
}

/// The deals so far.
struct Starting<'r, G: CardGame> {
    rules: &'r G::Rules,
    dealt: usize,
    most: usize,
    starts: Starts<G>,
    /// The place of the start with these views.
    places: HashMap<Vec<G::View>, usize>,
}

impl<G: CardGame> Starting<'_, G> {
    /// Adds every deal whose first `fixed` cards are these.
    fn add(&mut self, deck: &mut [Card], fixed: usize) -> Result<(), ShortDeckError> {
        if fixed < self.dealt {
            for place in fixed..deck.len() {
                deck.swap(fixed, place);
                self.add(deck, fixed + 1)?;
                deck.swap(fixed, place);
            }
            return Ok(());
        }
        let start = G::from_deck(self.rules, deck)?;
        let views = (0..start.seats()).map(|seat| start.view(seat)).collect();
        let next = self.starts.len();
        let place = *self.places.entry(views).or_insert(next);
        if place == next {
            if next == self.most {
                return Err(ShortDeckError::Starts(self.most));
            }
            self.starts.push((start, 0.0));
        }
        self.starts[place].1 += 1.0;
        Ok(())
    }
}

impl FromStr for ShortDeck {
    type Err = ShortDeckError;

    fn from_str(text: &str) -> Result<Self, ShortDeckError> {
        let parts = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|part| !part.is_empty());
        let mut deck = Vec::new();
        for part in parts {
            deck.extend(cards(part).ok_or_else(|| ShortDeckError::Cards(part.to_owned()))?);
        }
        if deck.is_empty() { Err(ShortDeckError::Cards(text.to_owned())) } else { Ok(Self(deck)) }
    }
}

impl<'de> Deserialize<'de> for ShortDeck {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Cards;
        impl<'de> Visitor<'de> for Cards {
            type Value = ShortDeck;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("cards such as \"2-6CD 9H\", or a list of them")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<ShortDeck, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<ShortDeck, A::Error> {
                let mut deck = Vec::new();
                while let Some(part) = parts.next_element::<String>()? {
                    let found = cards(&part).ok_or_else(|| A::Error::custom(ShortDeckError::Cards(part)))?;
                    deck.extend(found);
                }
                Ok(ShortDeck(deck))
            }
        }
        deserializer.deserialize_any(Cards)
    }
}

/// The cards of a part such as `9H`, `10S` or `2-6CD`.
fn cards(part: &str) -> Option<Vec<Card>> {
    if let Ok(card) = Card::typed(part) {
        return Some(vec![card]);
    }
    let upper = part.to_uppercase().replace("10", "T");
    let suits = upper.find(|c| "CDHS".contains(c))?;
    let (ranks, suits) = upper.split_at(suits);
    let rank = |text: &str| Card::typed(&format!("{text}C")).ok().map(Card::rank);
    let (low, high) = ranks.split_once('-').unwrap_or((ranks, ranks));
    let (low, high) = (rank(low)?, rank(high)?);
    let suits: Vec<Suit> = suits
        .chars()
        .map(|letter| "CDHS".find(letter).map(|place| Suit::ALL[place]))
        .collect::<Option<_>>()?;
    let cards: Vec<_> =
        suits.iter().flat_map(|&suit| (low..=high).map(move |rank| Card::new(suit, rank))).collect();
    (!cards.is_empty()).then_some(cards)
}

impl fmt::Display for ShortDeck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doubles::Doubles;
    use crate::dungeon::Dungeon;

    fn deck(text: &str) -> ShortDeck {
        text.parse().unwrap()
    }

    #[test]
    fn decks_are_read() {
        for (text, cards) in
            [("9H", "9H"), ("2-4CD 10s", "2C 3C 4C 2D 3D 4D TS"), ("T-JH,qc", "TH JH QC"), ("5CS", "5C 5S")]
        {
            assert_eq!(deck(text).to_string(), cards, "{text}");
        }
        for text in ["", "X", "2-", "4-2C", "1C", "2-6", "CD", "2-4CX"] {
            assert!(text.parse::<ShortDeck>().is_err(), "{text}");
        }
    }

    /// Every deck is read as it is written, its order with it.
    #[test]
    fn decks_are_written_in_ranges() {
        for (text, ranges) in [
            ("2-9CDHS", "2-9CDHS"),
            ("5C 6C 7C 6S 4D", "5-7C 6S 4D"),
            ("9S 8S 9-JH TD JD QD", "9S 8S 9-JH T-QD"),
            ("AC 2C 2S", "AC 2CS"),
        ] {
            assert_eq!(deck(text).ranges(), ranges, "{text}");
            assert_eq!(deck(ranges), deck(text), "{text}");
        }
    }

    /// A study says it as a command line does, or as a manifest records it.
    #[test]
    fn decks_are_read_from_data() {
        for data in [r#""2-4CD TS""#, r#"["2-4CD","TS"]"#, r#"["2C","3C","4C","2D","3D","4D","TS"]"#] {
            let read: ShortDeck = serde_json::from_str(data).unwrap();
            assert_eq!(read, deck("2-4CD 10s"), "{data}");
            let again = serde_json::to_string(&read).unwrap();
            assert_eq!(again, r#"["2C","3C","4C","2D","3D","4D","TS"]"#);
        }
        for data in [r#""2-6""#, r#"["2-6"]"#, r#""""#] {
            let error = serde_json::from_str::<ShortDeck>(data).unwrap_err().to_string();
            assert!(error.contains("names no cards: expected cards such as 9H"), "{error}");
        }
        assert!(serde_json::from_str::<ShortDeck>("5").unwrap_err().to_string().contains("2-6CD 9H"));
    }

    /// Two players with one card each of four: twelve deals, all as probable. In the dungeon nothing is seen before the
    /// first room. A thirteenth deal would be one too many.
    #[test]
    fn every_deal_is_listed() {
        let rules = crate::read_rules::<Doubles>(&knave_agents::options::fields("", ["cards=1"]).unwrap());
        let rules = rules.unwrap();
        let starts = deck("2-5C").starts::<Doubles>(&rules, 2, 12).unwrap();
        assert_eq!(starts.len(), 12);
        assert!(starts.iter().all(|(_, probability)| (probability - 1.0 / 12.0).abs() < 1e-12));
        let refused = deck("2-5C").starts::<Doubles>(&rules, 2, 11).err();
        assert_eq!(refused, Some(ShortDeckError::Starts(11)));
        let starts = deck("2-9C").starts::<Dungeon>(&Default::default(), 0, 1).unwrap();
        assert_eq!(starts.len(), 1);
    }
}
