//! Reads deals, a line each: a transcript, an object with a deck and, if wanted, a name and rules, or the cards alone. Empty
//! lines and those that begin with `#` are passed over.

use crate::cards::Card;
use crate::games::{self, CardGame};
use crate::json::{UniqueFields, of_line};
use crate::play::referee;
use crate::studies::input;
use knave_agents::options::{self, Fields};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// A deal that stands in a file.
pub struct ListedDeal<G: CardGame> {
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
    /// The name that the line gives the deal.
    pub name: Option<String>,
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
    name: Option<String>,
    #[serde(default)]
    rules: Fields,
}

/// Cards in a list, as people type them.
fn typed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Card>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| Card::typed(text).map_err(D::Error::custom)).collect()
}

/// Reads all deals of a text. The rules of a line win over those that are given; unless `short`, every deck is whole.
///
/// # Errors
/// Names the first line that is wrong, and the field. A text without lines is wrong as well.
pub(super) fn read<G: CardGame>(
    text: &[u8],
    given: &Fields,
    short: bool,
) -> Result<Vec<ListedDeal<G>>, DealError> {
    let mut deals = Vec::new();
    for (number, line) in input::lines(text) {
        let wrong = |reason| DealError { line: number, reason };
        let line = line.map_err(|error| wrong(error.to_string()))?;
        if !line.starts_with('#') {
            let read = Reader { given, short, index: deals.len() as u64 };
            let deal = read.line(&line).map_err(wrong)?;
            deals.push(ListedDeal { line: number, ..deal });
        }
    }
    Ok(deals)
}

const EXPECTED: &str =
    r#"expected cards such as TD 2C, top first, a transcript, or {"deck":["TD",…],"name":"…","rules":{…}}"#;

/// How a line is read.
struct Reader<'a> {
    given: &'a Fields,
    short: bool,
    /// The place of the deal among the others.
    index: u64,
}

impl Reader<'_> {
    fn line<G: CardGame>(&self, line: &str) -> Result<ListedDeal<G>, String> {
        if !line.starts_with(['{', '"']) {
            let is_between = |c: char| c == ',' || c.is_whitespace();
            let listed: Option<Vec<String>> = serde_json::from_str(line).ok();
            let texts = listed.unwrap_or_else(|| line.split(is_between).map(ToOwned::to_owned).collect());
            let card =
                |text: &String| Card::typed(text).map_err(|_| format!("'{text}' is no card: {EXPECTED}"));
            let cards = texts.iter().filter(|text| !text.is_empty());
            let deck: Vec<Card> = cards.map(card).collect::<Result<_, _>>()?;
            let rules = games::read_rules::<G>(self.given).map_err(|error| error.to_string())?;
            return self.listed(rules, &deck, (0, self.index));
        }
        let UniqueFields(fields) = serde_json::from_str(line)
            .map_err(|error| format!("not a JSON object ({}): {EXPECTED}", of_line(&error.to_string())))?;
        if fields.contains_key("schema") {
            let transcript = referee::read(line).map_err(|error| error.to_string())?;
            if transcript.game != G::NAME {
                return Err(format!("game: a transcript of {}, not of {}", transcript.game, G::NAME));
            }
            let rules = referee::rules::<G>(&transcript.rules).map_err(|error| error.to_string())?;
            return self.listed(rules, &transcript.deck, (transcript.seed, transcript.index));
        }
        if let Some(name) = fields.keys().find(|name| !["deck", "name", "rules"].contains(&name.as_str())) {
            return Err(format!("'{name}' is no field of a deal: {EXPECTED}"));
        }
        if !fields.contains_key("deck") {
            return Err(format!("deck is missing: {EXPECTED}"));
        }
        let Deal { deck, name, rules } = options::read_json(line).map_err(|error| of_line(&error))?;
        let rules = games::read_rules::<G>(&options::overlay(self.given.clone(), &rules))
            .map_err(|error| error.to_string())?;
        Ok(ListedDeal { name, ..self.listed(rules, &deck, (0, self.index))? })
    }

    fn listed<G: CardGame>(
        &self,
        rules: G::Rules,
        deck: &[Card],
        (seed, index): (u64, u64),
    ) -> Result<ListedDeal<G>, String> {
        let full = G::full_deck();
        let missing: Vec<Card> = full.iter().copied().filter(|card| !deck.contains(card)).collect();
        if !self.short && !missing.is_empty() && deck.iter().all(|card| full.contains(card)) {
            return Err(not_whole(deck, &missing));
        }
        let deal = G::from_deck(&rules, deck).map_err(|error| format!("deck: {error}"))?;
        Ok(ListedDeal { rules, deal, seed, index, line: 0, name: None })
    }
}

/// The refusal of a deck that is not whole: which cards come twice, and which are missing.
fn not_whole(deck: &[Card], missing: &[Card]) -> String {
    const MOST: usize = 8;
    let listed = |cards: &[Card]| {
        let shown: Vec<String> = cards.iter().take(MOST).map(ToString::to_string).collect();
        let more = cards.len().saturating_sub(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        shown.join(" ") + &more
    };
    let again = |(place, card): (usize, &Card)| deck[..place].contains(card).then_some(*card);
    let twice: Vec<Card> = deck.iter().enumerate().filter_map(again).collect();
    let twice = match &twice[..] {
        [] => String::new(),
        [card] => format!("{card} comes twice, "),
        cards => format!("{} come twice, ", listed(cards)),
    };
    let verb = if missing.len() == 1 { "is" } else { "are" };
    format!(
        "deck: {twice}{} {verb} missing (decks that are meant to be short: --short-deck)",
        listed(missing)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dungeon::Dungeon;

    fn read(text: &str, short: bool) -> Result<Vec<ListedDeal<Dungeon>>, DealError> {
        super::read(text.as_bytes(), &Fields::new(), short)
    }

    /// A card that was forgotten or typed twice is named, rather than another deal being solved.
    #[test]
    fn decks_are_whole_unless_they_may_be_short() {
        let cards: Vec<String> = Dungeon::full_deck().iter().map(ToString::to_string).collect();
        assert_eq!(read(&cards.join(" "), false).unwrap()[0].deal.deck().len(), 44);
        let forgotten = cards[1..].join(" ");
        let error = read(&forgotten, false).err().unwrap().to_string();
        assert!(error.starts_with(&format!("line 1: deck: {} is missing", cards[0])), "{error}");
        assert_eq!(read(&forgotten, true).unwrap()[0].deal.deck().len(), 43);
        let twice = format!("{forgotten} {}", cards[5]);
        let error = read(&format!("# a deck\n\n{twice}"), false).err().unwrap().to_string();
        let told = format!("line 3: deck: {} comes twice, {} is missing", cards[5], cards[0]);
        assert!(error.starts_with(&told), "{error}");
        let error = read("2C 3C", false).err().unwrap().to_string();
        assert!(error.contains("and 34 more are missing"), "{error}");
        assert!(read("2C 2C", true).err().unwrap().to_string().contains("2C comes twice"));
    }

    /// What programs and people put around cards is no reason to refuse them, and what is no card is shown as it was typed.
    #[test]
    fn cards_are_read_as_they_come() {
        let deck = |text: &str| read(text, true).unwrap()[0].deal.deck();
        let plain = deck("5H 10S");
        for text in [
            "\u{feff}5H 10S",
            "5\u{2665}\u{fe0f}, 10S",
            "\u{2665}5 \u{2660}10",
            "[\"5h\",\"TS\"]",
            "{\"deck\":[\"5\u{2665}\",\"10S\"]}",
        ] {
            assert_eq!(deck(text), plain, "{text}");
        }
        let error = read("5H 1S", true).err().unwrap().to_string();
        assert!(error.starts_with("line 1: '1S' is no card: expected cards such as TD 2C"), "{error}");
    }

    #[test]
    fn deals_have_names() {
        let deals = read("{\"name\":\"all aces\",\"deck\":[\"AC\",\"AS\"]}\nAC AS", true).unwrap();
        assert_eq!(deals[0].name.as_deref(), Some("all aces"));
        assert_eq!((deals[1].name.as_deref(), deals[1].line), (None, 2));
        assert!(read("{\"name\":7,\"deck\":[\"AC\"]}", true).err().unwrap().reason.starts_with("name: "));
    }
}
