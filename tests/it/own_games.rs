//! Games from outside of Knave: what they may leave to Knave, and what is refused of them.

use knave::agents::options::{self, Fields};
use knave::agents::players::random;
use knave::agents::{
    Agent, Configure, Decision, Game, Kit, Notation, NotationError, OptionError, Options, Rng, Seat, Setup,
    Tools, Turn, testkit,
};
use knave::analysis::JudgeSpec;
use knave::cards::Card;
use knave::games::{CardGame, DeckError, NoTally, check_deck};
use knave::live::Position;
use knave::play::Measure;
use knave::registry::Registry;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::atomic::AtomicBool;

/// `pips`, without cards: every player in turn picks 1, 2 or 3, and not what the player before has picked. With `CALLED` its kit has an
/// agent that is called like a preset.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pips<const CALLED: bool> {
    rules: Rules,
    picked: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Rules {
    /// The number of players
    seats: u8,
    /// The score for each pip
    worth: i64,
}

impl Default for Rules {
    fn default() -> Self {
        Self { seats: 2, worth: 1 }
    }
}

impl Options for Rules {}

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Pick(u8);

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pick {}", self.0)
    }
}

impl<const CALLED: bool> Game for Pips<CALLED> {
    type Rules = Rules;
    type Move = Pick;
    type Chance = ();
    type View = Self;

    fn deal(rules: &Rules, _: &mut Rng) -> Self {
        Self { rules: rules.clone(), picked: Vec::new() }
    }

    fn seats(&self) -> usize {
        usize::from(self.rules.seats)
    }

    fn turn(&self) -> Turn {
        if self.picked.len() < self.seats() { Turn::Player(self.picked.len()) } else { Turn::Over }
    }

    fn moves(&self, out: &mut Vec<Pick>) {
        out.clear();
        if self.turn() != Turn::Over {
            out.extend((1..=3).filter(|pips| self.picked.last() != Some(pips)).map(Pick));
        }
    }

    fn play(&mut self, Pick(pips): Pick) {
        self.picked.push(pips);
    }

    fn utility(&self, seat: Seat) -> f64 {
        f64::from(self.picked[seat]) / 3.0
    }

    fn view(&self, _: Seat) -> Self {
        self.clone()
    }

    fn sample_world(view: &Self, _: &mut Rng) -> Self {
        view.clone()
    }
}

impl<const CALLED: bool> Notation for Pips<CALLED> {
    /// Reads what may not be played here, too.
    fn parse_move(&self, text: &str) -> Result<Pick, NotationError> {
        let pips = text.strip_prefix("pick ").and_then(|pips| pips.parse().ok());
        pips.filter(|pips| (1..=3).contains(pips)).map(Pick).ok_or_else(|| NotationError::illegal(text, self))
    }
}

impl<const CALLED: bool> Tools for Pips<CALLED> {
    fn kit(_: &Rules) -> Kit<Self> {
        if CALLED { Kit::default().agent::<First<CALLED>>() } else { Kit::default() }
    }
}

impl<const CALLED: bool> CardGame for Pips<CALLED> {
    const NAME: &'static str = "pips";
    const SUMMARY: &'static str = "pick what the player before has not picked";
    type Tally = NoTally;

    fn full_deck() -> Vec<Card> {
        Vec::new()
    }

    fn from_deck(rules: &Rules, deck: &[Card]) -> Result<Self, DeckError> {
        check_deck(&Self::full_deck(), deck)?;
        Ok(Self { rules: rules.clone(), picked: Vec::new() })
    }

    fn deck(&self) -> Vec<Card> {
        Vec::new()
    }

    fn score(&self, seat: Seat) -> i64 {
        i64::from(self.picked[seat]) * self.rules.worth
    }
}

/// Makes the first move. With `CALLED` its name is that of a preset.
#[derive(Clone)]
struct First<const CALLED: bool>;

impl<const CALLED: bool> Configure<Pips<CALLED>> for First<CALLED> {
    const NAME: &'static str = if CALLED { "fast" } else { "first" };
    const SUMMARY: &'static str = "the first move";
    type Options = random::Options;

    fn configure(_: &random::Options, _: &Setup<'_, Pips<CALLED>>) -> Result<Self, OptionError> {
        Ok(Self)
    }
}

impl<const CALLED: bool> Agent<Pips<CALLED>> for First<CALLED> {
    fn choose(&mut self, decision: Decision<'_, Pips<CALLED>>, _: &mut Rng) -> Pick {
        let mut moves = Vec::new();
        decision.moves(&mut moves);
        moves[0]
    }
}

fn deal(rules: &[&str]) -> Box<dyn Position> {
    let registry = Registry::empty().game::<Pips<false>>().build();
    let rules = options::fields("rules", rules.iter().copied()).unwrap();
    registry.game("pips").unwrap().ruleset(&rules).unwrap().deal(1, 0)
}

fn judge() -> JudgeSpec {
    JudgeSpec { worlds: Some(20), measure: Some(Measure::Score), ..JudgeSpec::default() }
}

/// A game without cards has transcripts that the referee accepts.
#[test]
fn a_game_needs_no_cards() {
    let registry = Registry::empty().game::<Pips<false>>().build();
    let mut position = deal(&[]);
    position.play("pick 1").unwrap();
    position.play("pick 3").unwrap();
    let transcript = position.transcript(&["a".to_owned(), "b".to_owned()]).unwrap();
    registry.check(&transcript).unwrap();
    assert!(registry.check(&transcript.replace("pick 3", "pick 1")).is_err());
}

/// A game that reads moves which may not be played there does not have them played, and conformance tells its author.
#[test]
fn moves_that_are_read_need_not_be_legal() {
    let mut position = deal(&[]);
    position.play("pick 2").unwrap();
    let refused = position.play("pick 2").unwrap_err().to_string();
    assert_eq!(refused, "'pick 2' is not legal here; legal moves are: pick 1, pick 3");
    assert_eq!((position.turn(), position.played().len()), (Some(1), 1));
    let asked = position.appraise(&judge(), Some("pick 2"), 1, &AtomicBool::new(false));
    assert_eq!(asked.unwrap_err().to_string(), refused);
}

#[test]
#[should_panic(expected = "reads as Ok(Pick(")]
fn moves_that_are_read_and_illegal_are_noticed() {
    testkit::conformance::<Pips<false>>(&[Rules::default()], 20, 3, |_| ());
}

/// Scores beyond 32 bits are judged as they are.
#[test]
fn large_scores_are_judged() {
    let mut position = deal(&["worth=3000000000"]);
    position.play("pick 1").unwrap();
    let appraised = position.appraise(&judge(), None, 1, &AtomicBool::new(false)).unwrap();
    let best = &appraised.moves[0];
    assert_eq!((best.r#move.as_str(), best.mean, best.se), ("pick 3", 9e9, 0.0));
}

/// A game for more players than results are counted for is not begun at the terminal either.
#[test]
fn too_many_seats_are_refused_where_games_are_played() {
    let registry = Registry::empty().game::<Pips<false>>().build();
    let game = registry.game("pips").unwrap();
    for (seats, refused) in [(7, false), (8, true), (0, true)] {
        let rules = options::fields("rules", [format!("seats={seats}").as_str()]).unwrap();
        let error = game.ruleset(&rules).err().map(|error| error.to_string());
        let expected = refused.then(|| format!("rules of pips: {seats} seats: a game has 1 to 7"));
        assert_eq!(error, expected);
    }
}

/// An agent of a kit that is called like a preset could never be reached, as one that is added by itself.
#[test]
#[should_panic(expected = "an agent is called 'fast', which is a preset")]
fn agents_of_kits_are_not_called_like_presets() {
    let _ = Registry::empty().game::<Pips<true>>();
}

/// An agent of a game that is not there would be listed nowhere, and nobody would know why.
#[test]
fn agents_come_after_their_game() {
    let added = Registry::builtin().game::<Pips<false>>().agent_of::<Pips<false>, First<false>>().build();
    let game = added.game("pips").unwrap();
    assert!(game.agents().iter().any(|(name, ..)| *name == "first"));
    let position = game.ruleset(&Fields::new()).unwrap().deal(1, 0);
    assert_eq!(position.hint(&"first".parse().unwrap(), 1).unwrap(), "pick 1");
    let early =
        std::panic::catch_unwind(|| Registry::builtin().agent_of::<Pips<false>, First<false>>().build());
    let message = early.err().and_then(|panic| panic.downcast::<String>().ok()).unwrap();
    assert_eq!(*message, "the agent 'first' is of the game pips: add that first, by `.game`");
}
