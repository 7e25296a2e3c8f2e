//! Games from outside of Knave: what they may leave to Knave, and what is refused of them.

use knave::agents::options::spread::Spreads;
use knave::agents::options::{self, Fields};
use knave::agents::players::random;
use knave::agents::training::Schedule;
use knave::agents::{
    Agent, Bounding, Configure, Decision, Game, Kit, Notation, NotationError, Objective, OptionError,
    Options, Rng, Seat, Sense, Setup, Tools, Turn, testkit,
};
use knave::analysis::JudgeSpec;
use knave::cards::Card;
use knave::games::testkit::card_game;
use knave::games::{CardGame, DeckError, NoTally, check_deck};
use knave::live::Position;
use knave::registry::Registry;
use knave::small::SmallGameRequest;
use knave::studies::{End, Request, Session};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::cell::Cell;
use std::fmt;
use std::process::Command;
use std::sync::atomic::AtomicBool;

thread_local! {
    /// What is wrong with the kit that this thread is given, if anything.
    static WRONG: Cell<Option<Wrong>> = const { Cell::new(None) };
}

/// What its author may get wrong in a kit.
#[derive(Copy, Clone)]
enum Wrong {
    /// An agent is called like a preset.
    Called,
    /// A default of the game is not one of the agent's options.
    Unknown,
    /// A default of the game is out of range.
    Refused,
    /// A default is for an agent that nobody adds.
    Nobody,
}

/// `pips`, without cards: every player in turn picks 1, 2 or 3, and not what the player before has picked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Pips {
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
    /// The highest score that is promised, the lowest being 0; none where it is 0
    most: i64,
    /// The pips that are a utility of 1
    best: u8,
    /// The first seat of everybody's team, 255 for seat 0; everybody plays alone where it is 0
    team: u8,
}

impl Default for Rules {
    fn default() -> Self {
        Self { seats: 2, worth: 1, most: 0, best: 3, team: 0 }
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

impl Game for Pips {
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
        f64::from(self.picked[seat]) / f64::from(self.rules.best)
    }

    fn view(&self, _: Seat) -> Self {
        self.clone()
    }

    fn sample_world(view: &Self, _: &mut Rng) -> Self {
        view.clone()
    }
}

impl Notation for Pips {
    /// Reads what may not be played here, too.
    fn parse_move(&self, text: &str) -> Result<Pick, NotationError> {
        let pips = text.strip_prefix("pick ").and_then(|pips| pips.parse().ok());
        pips.filter(|pips| (1..=3).contains(pips)).map(Pick).ok_or_else(|| NotationError::illegal(text, self))
    }
}

impl Tools for Pips {
    fn kit(_: &Rules) -> Kit<Self> {
        let check = |rules: &Rules| Err(OptionError::refused("seats", &rules.seats, "expected other rules"));
        let objective = Objective {
            name: "most",
            question: "the most pips, which nobody works out",
            sense: Sense::Most,
            unknown: None,
            budget: 1,
            check,
            anywhere: false,
            solver: || unreachable!("no rules are right"),
        };
        let bounding = Bounding {
            quantity: "score",
            method: "none",
            check,
            value: |_| 0.0,
            bounder: || unreachable!("no rules are right"),
        };
        let kit = Kit::default().by_score().objectives(vec![objective]).bounding(bounding);
        match WRONG.get() {
            None => kit,
            Some(Wrong::Called) => kit.agent::<First<true>>(),
            Some(Wrong::Unknown) => kit.default_option("mcts", "nosuch", 3),
            Some(Wrong::Refused) => kit.default_option("mcts", "iterations", -1),
            Some(Wrong::Nobody) => kit.default_option("mtcs", "iterations", 3),
        }
    }
}

impl CardGame for Pips {
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

    fn score_range(rules: &Rules) -> Option<(i64, i64)> {
        (rules.most != 0).then_some((0, rules.most))
    }

    fn teams(rules: &Rules, seats: usize) -> Vec<Seat> {
        let first = |seat| match rules.team {
            0 => seat,
            u8::MAX => 0,
            first => usize::from(first),
        };
        (0..seats).map(first).collect()
    }
}

/// Makes the first move. With `CALLED` its name is that of a preset.
#[derive(Clone)]
struct First<const CALLED: bool>;

impl<const CALLED: bool> Configure<Pips> for First<CALLED> {
    const NAME: &'static str = if CALLED { "fast" } else { "first" };
    const SUMMARY: &'static str = "the first move";
    type Options = random::Options;

    fn configure(_: &random::Options, _: &Setup<'_, Pips>) -> Result<Self, OptionError> {
        Ok(Self)
    }
}

impl<const CALLED: bool> Agent<Pips> for First<CALLED> {
    fn choose(&mut self, decision: Decision<'_, Pips>, _: &mut Rng) -> Pick {
        let mut moves = Vec::new();
        decision.moves(&mut moves);
        moves[0]
    }
}

fn deal(rules: &[&str]) -> Box<dyn Position> {
    let registry = Registry::empty().game::<Pips>().build();
    let rules = options::fields("rules", rules.iter().copied()).unwrap();
    registry.game("pips").unwrap().ruleset(&rules).unwrap().deal(1, 0)
}

fn judge() -> JudgeSpec {
    JudgeSpec { worlds: Some(20), ..JudgeSpec::default() }
}

/// A game without cards passes the test of those with cards, and has transcripts that the referee accepts.
#[test]
fn a_game_needs_no_cards() {
    card_game::<Pips>(&[Rules::default()], 20);
    let registry = Registry::empty().game::<Pips>().build();
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
    testkit::conformance::<Pips>(&[Rules::default()], 20, 3, |_| ());
}

/// A team is not forgotten in the scores: else `run` would have partners win apart whom `compare` has win together.
#[test]
#[should_panic(expected = "seats 0 and 1 are a team")]
fn partners_who_win_apart_are_noticed() {
    card_game::<Pips>(&[Rules { team: u8::MAX, ..Rules::default() }], 20);
}

/// Scores beyond 32 bits are judged as they are, without being asked for in a game that is about them.
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
    let registry = Registry::empty().game::<Pips>().build();
    let game = registry.game("pips").unwrap();
    for (seats, refused) in [(7, false), (8, true), (0, true)] {
        let rules = options::fields("rules", [format!("seats={seats}").as_str()]).unwrap();
        let error = game.ruleset(&rules).err().map(|error| error.to_string());
        let expected = refused.then(|| format!("rules of pips: {seats} seats: a game has 1 to 7"));
        assert_eq!(error, expected);
    }
    // Nor is it solved, or learnt.
    let rules = options::fields("rules", ["seats=8"]).unwrap();
    let small = SmallGameRequest { rules, cards: "2C".parse().unwrap(), measure: None, limit: 9 };
    let refused = game.small(&small).err().map(|error| error.to_string());
    assert_eq!(refused.as_deref(), Some("8 seats: a game has 1 to 7"));
    let spreads = Spreads::One(options::fields("rules", ["seats=8"]).unwrap());
    let trained = game.training((&spreads, None), &Schedule::default(), 1, None);
    assert_eq!(
        trained.err().map(|error| error.to_string()).as_deref(),
        Some("rules: 8 seats: a game has 1 to 7")
    );
}

/// What an author gets wrong in a kit is told to the author when the game is added, not to users who have named no option.
#[test]
fn kits_are_looked_at_when_a_game_is_added() {
    for (wrong, told) in [
        (Wrong::Called, "an agent is called 'fast', which is a preset"),
        (Wrong::Unknown, "the game pips has defaults that do not fit: agent mcts has no option 'nosuch'"),
        (Wrong::Refused, "the game pips has defaults that do not fit: agent mcts: iterations=-1 is refused"),
        (Wrong::Nobody, "the game pips has defaults for the agent 'mtcs', which is not there"),
    ] {
        WRONG.set(Some(wrong));
        let added = std::panic::catch_unwind(|| Registry::empty().game::<Pips>().build());
        WRONG.set(None);
        let message = added.err().and_then(|panic| panic.downcast::<String>().ok()).unwrap();
        assert!(message.contains(told), "{message}");
    }
}

/// The command tells the author what is wrong with a kit, and not that a panic has ended it.
#[test]
fn a_command_tells_what_is_wrong_with_a_kit() {
    let itself = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "own_games::a_command_with_a_wrong_kit"])
        .env_remove("RUST_BACKTRACE")
        .env("KNAVE_WRONG_KIT", "1")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&itself.stderr);
    assert!(told.contains("the game pips has defaults for the agent 'mtcs', which is not there"), "{told}");
}

/// What a command of one's own does, for the test above, which reads how it ends.
#[test]
#[ignore = "it is a part of the test above"]
fn a_command_with_a_wrong_kit() {
    if std::env::var_os("KNAVE_WRONG_KIT").is_none() {
        return;
    }
    WRONG.set(Some(Wrong::Nobody));
    knave::cli::main_with(Registry::empty().game::<Pips>());
}

/// Utilities, scores, ranges and teams that cannot be would give wrong numbers without a word.
#[test]
fn broken_promises_are_told() {
    let registry = Registry::empty().game::<Pips>().build();
    let failure = |rules: &[&str]| {
        let rules = options::fields("rules", rules.iter().copied()).unwrap();
        let request = json!({ "study": "run", "game": "pips", "rules": rules, "agents": ["random"], "n": 9 });
        let request: Request = serde_json::from_value(request).unwrap();
        match Session::new(&registry, &request) {
            Err(error) => error.to_string(),
            Ok(session) => match session.threads(1).run(&mut ()).unwrap().end {
                End::Failed(failure) => failure.to_string(),
                _ => "nothing".to_owned(),
            },
        }
    };
    assert_eq!(failure(&["most=5"]), "nothing");
    for (rules, told) in [
        (&["most=2"], "or what some add up to, is not within score_range=0 to 2"),
        // That of one seat is 3 at most, and of both together 5.
        (&["most=4"], "or what some add up to, is not within score_range=0 to 4"),
        (&["most=-1"], "score_range=0 to -1: expected the lower one first"),
        // The first game in which somebody picks 3.
        (&["best=2"], "breaks a promise: utilities=["),
        (&["worth=1000000000001"], "expected scores within ±10^12"),
        (&["team=1"], "teams=[1, 1] of 2 seats: expected the first seat of its team for every seat"),
    ] {
        let failure = failure(rules);
        assert!(failure.contains(told), "{failure}");
    }
}

/// What refuses an option need not know whose it is: the message says so all the same.
#[test]
fn refusals_name_the_rules() {
    let registry = Registry::empty().game::<Pips>().build();
    for request in [
        json!({ "study": "solve", "game": "pips", "n": 1 }),
        json!({ "study": "bound", "game": "pips", "agents": ["random"], "n": 1 }),
    ] {
        let request: Request = serde_json::from_value(request).unwrap();
        let Err(error) = Session::new(&registry, &request) else { panic!("no rules are right") };
        assert_eq!(error.to_string(), "rules of pips: seats=2 is refused: expected other rules");
    }
}

/// An agent of a game that is not there would be listed nowhere, and nobody would know why.
#[test]
fn agents_come_after_their_game() {
    let added = Registry::builtin().game::<Pips>().agent_of::<Pips, First<false>>().build();
    let game = added.game("pips").unwrap();
    assert!(game.agents().iter().any(|(name, ..)| *name == "first"));
    let position = game.ruleset(&Fields::new()).unwrap().deal(1, 0);
    assert_eq!(position.hint(&"first".parse().unwrap(), 1).unwrap(), "pick 1");
    let early = std::panic::catch_unwind(|| Registry::builtin().agent_of::<Pips, First<false>>().build());
    let message = early.err().and_then(|panic| panic.downcast::<String>().ok()).unwrap();
    assert_eq!(*message, "the agent 'first' is of the game pips: add that first, by `.game`");
}
