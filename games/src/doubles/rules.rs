//! Rules: the options.

use knave_agents::game::MAX_SEATS;
use knave_agents::options::{OptionError, Options};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The most cards that any rules deal to a player.
pub const MAX_CARDS: usize = 7;

/// Options of the rules of doubles. The limits of `max_rolls` and `target` keep the score of a seat within 32 bits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// how many play
    #[schemars(range(min = 2, max = 7))]
    pub players: u8,
    /// how many cards each is dealt
    #[schemars(range(min = 1, max = 7))]
    pub cards: u8,
    /// how many rolls a game may have; it ends as it stands when one more is due
    #[schemars(range(min = 1, max = 100_000_000))]
    pub max_rolls: u32,
    /// a match: games are dealt until one ends with some player at this score or above; 0 for one game
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub target: u32,
    /// the team of every seat, a number or a word each, such as `[0,1,0,1]` (brackets may be left out); `[]` when
    /// everybody plays alone
    pub teams: Teams,
}

/// The team of every seat; empty when everybody plays alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "TextOrList")]
pub struct Teams(pub Vec<Team>);

/// What a team is called. Digits are a number and never a word, so that every team is recorded in one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Team {
    /// A whole number of 64 bits.
    Number(i64),
    /// Without blanks, commas, brackets and quotation marks. There is a letter in it, of any script; capitals differ from others.
    Word(String),
}

/// What a refusal says; also in the attribute below, which takes no constant.
const EXPECTED: &str = "expected for each player a whole number or a word, such as [0,1,0,1]";

/// How teams are given: as data, or as the text of a command line.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected for each player a whole number or a word, such as [0,1,0,1]")]
enum TextOrList {
    List(Vec<Team>),
    Text(String),
}

impl TryFrom<TextOrList> for Teams {
    type Error = String;

    fn try_from(given: TextOrList) -> Result<Self, String> {
        // Data is taken as it stands: `"7"` is no word, and the number is 7.
        let is_right = |team: &Team| team.to_string().parse().as_ref() == Ok(team);
        match given {
            TextOrList::List(teams) if !teams.iter().all(is_right) => Err(EXPECTED.to_owned()),
            TextOrList::List(teams) => Ok(Self(teams)),
            TextOrList::Text(text) => text.parse(),
        }
    }
}

impl FromStr for Teams {
    type Err = String;

    /// Reads `[0,1,0,1]`, `red,blue` or `["red","blue"]`.
    fn from_str(text: &str) -> Result<Self, String> {
        let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text).trim();
        if bare.is_empty() {
            return Ok(Self::default());
        }
        let unquoted = |team: &str| -> Result<Team, String> {
            let inner = team.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            inner.unwrap_or(team).parse()
        };
        bare.split(',').map(|team| unquoted(team.trim())).collect::<Result<_, _>>().map(Self)
    }
}

impl FromStr for Team {
    type Err = String;

    /// Reads `0` or `red`.
    fn from_str(text: &str) -> Result<Self, String> {
        let ends_it = |c: char| c.is_whitespace() || c.is_control() || ",[]\"'".contains(c);
        let is_word = text.contains(char::is_alphabetic) && !text.contains(ends_it);
        match text.parse() {
            Ok(number) => Ok(Self::Number(number)),
            Err(_) if is_word => Ok(Self::Word(text.to_owned())),
            Err(_) => Err(EXPECTED.to_owned()),
        }
    }
}

/// Teams with numbers for names.
impl FromIterator<i64> for Teams {
    fn from_iter<T: IntoIterator<Item = i64>>(numbers: T) -> Self {
        Self(numbers.into_iter().map(Team::Number).collect())
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Word(word) => word.fmt(f),
        }
    }
}

impl fmt::Display for Teams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        write!(f, "[{}]", labels.join(","))
    }
}

impl Rules {
    /// The team of every seat as the first seat of that team.
    pub(super) fn sides(&self) -> [u8; MAX_SEATS] {
        let labels = &self.teams.0;
        if labels.is_empty() {
            return std::array::from_fn(|seat| seat as u8);
        }
        std::array::from_fn(|seat| {
            let first = labels.get(seat).and_then(|own| labels.iter().position(|label| label == own));
            first.unwrap_or(seat) as u8
        })
    }

    /// The number of cards dealt.
    pub(super) fn dealt(&self) -> usize {
        usize::from(self.players) * usize::from(self.cards)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self { players: 2, cards: 7, max_rolls: 10_000, target: 0, teams: Teams::default() }
    }
}

impl Options for Rules {
    fn check(&self) -> Result<(), OptionError> {
        let (given, players) = (self.teams.0.len(), self.players);
        if given == 0 || given == usize::from(players) {
            return Ok(());
        }
        let reason =
            format!("it lists {given}, and there are {players} players: list {players}, one for each, or []");
        Err(OptionError::refused("teams", &self.teams, reason))
    }
}
