//! What the dungeon cannot show of the runner, on a toy: several seats, dice in transcripts, half points, shared wins, and
//! a game that panics.

use crate::common;
use knave::agents::batch::{Question, Unanswered};
use knave::agents::options::{Fields, OptionError};
use knave::agents::{
    Agent, AgentSpec, ChanceRecord, Configure, Decision, Entry, Event, Game, Notation, Options, Rng, Seat,
    Setup, Tools, Turn, testkit,
};
use knave::cards::{Card, Suit};
use knave::exec::{Failure, Job as _, Outcome, Text, Workers, run_job};
use knave::games::testkit::card_game;
use knave::games::{CardGame, DeckError, Tally, TallyRow, check_deck};
use knave::play::referee::{self, ReplayError};
use knave::registry::Registry;
use knave::studies::run::tables as export;
use knave::studies::run::{self, Games, Plan, Totals, Wanted};
use knave::studies::{Request, Session};
use rand::RngExt as _;
use std::cell::Cell;
use std::fmt;
use std::sync::Once;
use std::sync::atomic::AtomicBool;

/// `duel`: each of two players holds a card of four and gets a die; first one, then the other may swap
/// the dice. The die counts a point an eye, the card half a point a rank; the most points win, and
/// equal points share the win.
#[derive(Clone, Debug)]
struct Duel {
    rules: Rules,
    deck: [u8; 4],
    dice: [u8; 2],
    phase: u8,
}

thread_local! {
    /// What is wrong with the cards of the duel on this thread.
    static FLAW: Cell<Flaw> = const { Cell::new(Flaw::None) };
}

/// What its author may get wrong in a game of cards.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    /// The deck is told sorted.
    Order,
    /// The deck is not told.
    Empty,
    /// No deck is dealt.
    Refused,
    /// Every deck is dealt.
    Accepted,
    /// The deck is dealt from below.
    Reversed,
    /// The third card, which nobody holds, is another one once the dice have come.
    Exchanged,
    /// A card that has left comes back.
    Returned,
    /// The last card is left out.
    Lost,
    /// Scores are too large to be added up.
    Scores,
}

#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Rules {
    /// whether the game breaks when both dice show 6
    trap: bool,
    /// whether more sit down than can be counted
    crowd: bool,
}

impl Options for Rules {}

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Move {
    Keep,
    Swap,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Keep { "keep" } else { "swap" })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct View {
    seat: Seat,
    trap: bool,
    card: u8,
    dice: [u8; 2],
    phase: u8,
}

const RANKS: [u8; 4] = [2, 3, 4, 5];

fn shuffle(cards: &mut [u8], rng: &mut Rng) {
    for i in (1..cards.len()).rev() {
        cards.swap(i, rng.random_range(0..=i));
    }
}

impl Game for Duel {
    type Rules = Rules;
    type Move = Move;
    type Chance = [u8; 2];
    type View = View;

    fn deal(rules: &Rules, rng: &mut Rng) -> Self {
        let mut deck = RANKS;
        shuffle(&mut deck, rng);
        Self { rules: rules.clone(), deck, dice: [0; 2], phase: 0 }
    }

    fn seats(&self) -> usize {
        if self.rules.crowd { 8 } else { 2 }
    }

    fn turn(&self) -> Turn {
        match self.phase {
            0 => Turn::Chance,
            phase @ (1 | 2) => Turn::Player(usize::from(phase) - 1),
            _ => Turn::Over,
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.clear();
        if let Turn::Player(_) = self.turn() {
            out.extend([Move::Keep, Move::Swap]);
        }
    }

    fn play(&mut self, m: Move) {
        assert!(!self.rules.trap || self.dice != [6, 6], "the dice broke");
        if m == Move::Swap {
            self.dice.swap(0, 1);
        }
        self.phase += 1;
    }

    fn roll(&mut self, rng: &mut Rng) -> [u8; 2] {
        let dice = [rng.random_range(1..=6), rng.random_range(1..=6)];
        self.play_chance(dice);
        dice
    }

    fn play_chance(&mut self, dice: [u8; 2]) {
        self.dice = dice;
        self.phase = 1;
    }

    fn utility(&self, seat: Seat) -> f64 {
        match (self.won(seat), self.won(1 - seat)) {
            (true, true) => 0.5,
            (won, _) => f64::from(u8::from(won)),
        }
    }

    fn view(&self, seat: Seat) -> View {
        View { seat, trap: self.rules.trap, card: self.deck[seat], dice: self.dice, phase: self.phase }
    }

    fn sample_world(view: &View, rng: &mut Rng) -> Self {
        let mut others: Vec<u8> = RANKS.into_iter().filter(|&rank| rank != view.card).collect();
        shuffle(&mut others, rng);
        others.insert(view.seat, view.card);
        let deck = others.try_into().unwrap();
        Self { rules: Rules { trap: view.trap, crowd: false }, deck, dice: view.dice, phase: view.phase }
    }
}

impl Notation for Duel {
    fn chance_record(dice: &[u8; 2]) -> Option<ChanceRecord> {
        Some(ChanceRecord::Roll(dice.to_vec()))
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<[u8; 2], String> {
        match record {
            ChanceRecord::Roll(dice) if dice.iter().all(|die| (1..=6).contains(die)) => {
                dice.clone().try_into().ok()
            }
            _ => None,
        }
        .ok_or_else(|| "expected a roll of two dice".to_owned())
    }

    fn chance_is_recorded(&self) -> bool {
        true
    }
}

impl Tools for Duel {}

fn card(rank: u8) -> Card {
    Card::new(Suit::Clubs, rank)
}

impl CardGame for Duel {
    const NAME: &'static str = "duel";
    const SUMMARY: &'static str = "two players, two dice";
    const RULES_VERSION: u32 = 1;
    const SCORE_UNITS: i64 = 2;

    type Tally = Swaps;

    fn full_deck() -> Vec<Card> {
        RANKS.map(card).to_vec()
    }

    fn from_deck(rules: &Rules, deck: &[Card]) -> Result<Self, DeckError> {
        let flaw = FLAW.get();
        if flaw != Flaw::Accepted {
            check_deck(&Self::full_deck(), deck)?;
        }
        let mut ranks: Vec<u8> = deck.iter().map(|card| card.rank()).take(4).collect();
        if flaw == Flaw::Reversed {
            ranks.reverse();
        }
        let needed = if flaw == Flaw::Refused { 5 } else { 4 };
        let short = DeckError::Short { cards: deck.len(), needed };
        let deck = ranks.try_into().ok().filter(|_| deck.len() >= needed).ok_or(short)?;
        Ok(Self { rules: rules.clone(), deck, dice: [0; 2], phase: 0 })
    }

    fn deck(&self) -> Vec<Card> {
        match FLAW.get() {
            Flaw::Order => Self::full_deck(),
            Flaw::Empty => Vec::new(),
            _ => self.deck.map(card).to_vec(),
        }
    }

    fn cards(&self) -> Vec<Card> {
        let mut cards = self.deck.map(card).to_vec();
        match FLAW.get() {
            Flaw::Exchanged if self.phase > 0 => cards[2] = cards[0],
            Flaw::Returned if self.phase > 0 => cards.truncate(1 + usize::from(self.phase)),
            Flaw::Lost => cards.truncate(3),
            _ => {}
        }
        cards
    }

    fn score(&self, seat: Seat) -> i64 {
        if FLAW.get() == Flaw::Scores {
            return 1 << 50;
        }
        i64::from(self.deck[seat]) + 2 * i64::from(self.dice[seat])
    }

    fn won(&self, seat: Seat) -> bool {
        self.score(seat) >= self.score(1 - seat)
    }

    fn end(&self) -> &'static str {
        if self.score(0) == self.score(1) { "level" } else { "decided" }
    }
}

/// How often each seat swapped.
#[derive(Clone)]
struct Swaps([u64; 2]);

impl Tally<Duel> for Swaps {
    fn new(_: &Rules) -> Self {
        Self([0; 2])
    }

    fn event(&mut self, _: &Duel, event: &Event<Duel>) {
        if let Event::Move(seat, Move::Swap) = event {
            self.0[*seat] += 1;
        }
    }

    fn counts(&mut self) -> Vec<&mut [u64]> {
        vec![&mut self.0]
    }

    fn rows(&self, seat: Seat) -> Vec<TallyRow> {
        vec![TallyRow { measure: "swaps", key: String::new(), count: self.0[seat] }]
    }
}

const GAMES: u64 = 500;

fn plan(rules: &[&str], agents: &[&str]) -> Plan<Duel> {
    common::plan(rules, agents, GAMES, 4).unwrap()
}

fn check(line: &str) -> Result<(), ReplayError> {
    referee::check::<Duel>(&referee::read(line)?)
}

fn play(plan: &Plan<Duel>, threads: usize) -> (Outcome<Totals<Duel>>, [String; 2]) {
    let stop = AtomicBool::new(false);
    let wanted = Wanted { games: true, transcripts: GAMES };
    let mut keep = Text::default();
    let job = Games { plan, wanted };
    let workers = Workers { threads, stop: &stop };
    let outcome = run_job(&job, job.totals(), 0..GAMES, workers, &mut keep);
    let Text { rows, transcripts, .. } = keep;
    (outcome, [rows.concat(), transcripts].map(|text| String::from_utf8(text).unwrap()))
}

#[test]
fn the_duel_conforms() {
    testkit::conformance::<Duel>(&[Rules::default()], 50, 10, |_| ());
}

/// What is wrong with decks is met by `sim replay` alone, long after it was recorded, so the test of card games names it.
#[test]
fn flaws_of_card_games_are_named() {
    for (flaw, told) in [
        (Flaw::None, ""),
        (Flaw::Order, "game 0, ply 0: from_deck of the deck makes another game: views of seat 0 differ"),
        (Flaw::Empty, "game 0: deck: 2C is missing"),
        (Flaw::Refused, "from_deck refuses the deck of a deal: 4 cards are too few: these rules deal 5"),
        (Flaw::Accepted, "from_deck takes a wrong deck: "),
        (Flaw::Reversed, "from_deck of the deck makes another game"),
        (Flaw::Exchanged, "ply 1: a card lies in two places"),
        (Flaw::Returned, "ply 2: a card came from nowhere"),
        (Flaw::Lost, "and not the whole deck"),
        (Flaw::Scores, "expected scores within ±10^12"),
    ] {
        FLAW.set(flaw);
        let tested = std::panic::catch_unwind(|| card_game::<Duel>(&[Rules::default()], 5));
        FLAW.set(Flaw::None);
        let message = tested.map_or_else(|panic| *panic.downcast::<String>().unwrap(), |()| String::new());
        assert!(message.contains(told) && message.is_empty() == told.is_empty(), "{flaw:?}: {message}");
    }
}

/// Transcripts of two seats with dice agree with the referee; each kind of tampering is found.
#[test]
fn rolls_and_seats_are_refereed() {
    let (_, [_, transcripts]) = play(&plan(&[], &["random"]), 2);
    assert_eq!(transcripts.lines().count() as u64, GAMES);
    for line in transcripts.lines() {
        check(line).unwrap();
    }
    let line = "{\"schema\":1,\"game\":\"duel\",\"rules\":{\"trap\":false,\"crowd\":false},\"seed\":4,\"index\":0,\
                \"players\":[\"random\",\"random\"],\"deck\":[\"4C\",\"2C\",\"3C\",\"5C\"],\
                \"events\":[{\"roll\":[2,3]},{\"move\":\"keep\",\"player\":0},{\"move\":\"keep\",\"player\":1}],\
                \"scores\":[4.0,4.0],\"winners\":[0,1],\"end\":\"level\"}";
    assert_eq!(check(line), Ok(()));
    for (from, to, reason) in [
        ("[2,3]", "[2,7]", "event 1: expected a roll of two dice"),
        ("{\"roll\":[2,3]},", "", "event 1: the move 'keep' of player 0, but a roll is due"),
        ("\"player\":1", "\"player\":0", "event 3: player 0 moves, but player 1 is to move"),
        ("4.0,4.0", "4.0,4.5", "scores is [4.0, 4.5] in the transcript, but the replay gives [4.0, 4.0]"),
        ("[0,1]", "[0]", "winners is [0] in the transcript, but the replay gives [0, 1]"),
        ("[\"random\",\"random\"]", "[\"random\"]", "players: 1 name for 2 seats"),
        ("\"duel\"", "\"dungeon\"", "a game of dungeon, not of duel"),
    ] {
        let error = check(&line.replacen(from, to, 1)).unwrap_err();
        assert_eq!(error.to_string(), reason);
    }
}

/// Scores are written in points, wins as shares, and the tables agree with the rows of the games.
#[test]
fn halves_and_shares_add_up() {
    let plan = plan(&[], &["random", "flat:worlds=2"]);
    let (outcome, [games, _]) = play(&plan, 2);
    let rows: Vec<Vec<&str>> = games.lines().map(|line| line.split(',').collect()).collect();
    let (mut wins, mut scores, mut shared) = ([0.0; 2], [0.0; 2], 0);
    for pair in rows.chunks(2) {
        let won: Vec<bool> = pair.iter().map(|row| row[4] == "1").collect();
        shared += usize::from(won[0] && won[1]);
        for seat in 0..2 {
            assert_eq!(pair[seat][1], seat.to_string());
            scores[seat] += pair[seat][3].parse::<f64>().unwrap();
            wins[seat] += f64::from(u8::from(won[seat])) / if won[0] && won[1] { 2.0 } else { 1.0 };
        }
    }
    assert!(shared > 0 && rows.iter().any(|row| row[3].ends_with(".5")));
    for (seat, row) in export::summary(&plan, &outcome.totals).enumerate() {
        assert_eq!(row.agent, ["random", "flat:worlds=2"][seat]);
        assert_eq!((row.games, row.wins), (GAMES, wins[seat]));
        assert!((row.score_mean.unwrap() - scores[seat] / GAMES as f64).abs() < 1e-9);
    }
    assert!((wins[0] + wins[1] - GAMES as f64).abs() < 1e-9);
}

/// A game for more players than results are counted for is refused before it begins.
#[test]
fn too_many_seats_are_refused() {
    let refused = common::plan::<Duel>(&["crowd=true"], &["random"], GAMES, 4).err().unwrap();
    assert_eq!(refused.to_string(), "8 seats: a game has 1 to 7");
}

/// A panic in a game ends the run with the seed and the index of that game; what was finished counts.
#[test]
fn a_panic_names_its_game() {
    quietly();
    let (_, [_, transcripts]) = play(&plan(&[], &["random"]), 1);
    let first = transcripts.lines().position(|line| line.contains("{\"roll\":[6,6]}")).unwrap() as u64;
    for threads in [1, 2] {
        let (outcome, [_, written]) = play(&plan(&["trap=true"], &["random"]), threads);
        let failure = outcome.failure.unwrap();
        let Failure::Panic { index, message, .. } = &failure else { panic!("{failure}") };
        assert_eq!(message, "the dice broke");
        assert!(*index == first || threads > 1);
        let line = transcripts.lines().nth(*index as usize).unwrap();
        assert!(line.contains("{\"roll\":[6,6]}"), "game {index} had another roll");
        assert!(failure.to_string().starts_with(&format!("game {index} with seed 4 failed: the dice broke")));
        assert_eq!(outcome.next, outcome.totals.games);
        assert!(outcome.next <= *index);
        // What is written is whole lines of finished games.
        assert!(written.lines().all(|line| check(line).is_ok()));
    }
}

/// An agent for many games at once that gives too many moves, or too few.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Batched {
    /// the moves beyond one for each question
    more: i8,
}

impl Options for Batched {}

impl Configure<Duel> for Batched {
    const NAME: &'static str = "batched";
    const SUMMARY: &'static str = "one that cannot count";
    type Options = Self;

    fn configure(options: &Self, _: &Setup<'_, Duel>) -> Result<Self, OptionError> {
        Ok(options.clone())
    }
}

impl Agent<Duel> for Batched {
    fn choose(&mut self, _: Decision<'_, Duel>, _: &mut Rng) -> Move {
        unreachable!("it is asked by choose_batch alone")
    }

    fn batch(&self) -> Option<usize> {
        Some(4)
    }

    fn choose_batch(
        &mut self,
        questions: &mut [Question<'_, Duel>],
        moves: &mut Vec<Move>,
        _: &AtomicBool,
    ) -> Result<(), Unanswered> {
        moves.clear();
        moves.resize(questions.len().saturating_add_signed(self.more.into()), Move::Keep);
        Ok(())
    }
}

/// The contract of batches holds for agents of one's own: with a move too few a game would be asked about again and again, and one
/// too many would be lost without a word. Either ends the run.
#[test]
fn a_batch_has_a_move_for_each_question() {
    for more in [0, -1, 1] {
        let plan = Plan::new(
            &run::Request {
                game: Duel::NAME.to_owned(),
                rules: Fields::new(),
                cards: None,
                agents: vec![format!("batched:more={more}").parse().unwrap()],
                n: GAMES,
                seed: 4,
            },
            &[Entry::of::<Batched>()],
        );
        let (outcome, _) = play(&plan.unwrap(), 1);
        match outcome.failure {
            None => assert_eq!((more, outcome.totals.games), (0, GAMES)),
            Some(Failure::Outside { message, .. }) => {
                assert!(more != 0 && message.starts_with("the agent in seat 0 was asked for"), "{message}");
            }
            Some(other) => panic!("more={more}: {other}"),
        }
    }
}

/// A game without a solver says so, and names those that have one.
#[test]
fn a_game_without_a_solver_is_refused() {
    let registry = Registry::builtin().game::<Duel>().build();
    let request: Request = serde_json::from_str(r#"{ "study": "solve", "game": "duel", "n": 1 }"#).unwrap();
    let Err(error) = Session::new(&registry, &request) else { panic!("the duel has no solver") };
    assert!(error.to_string().starts_with("duel has no solver of whole deals; games that have one: dungeon"));
}

/// The tests' output should show the panics that are none of theirs only.
fn quietly() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if info.payload().downcast_ref::<&str>() != Some(&"the dice broke") {
                usual(info);
            }
        }));
    });
}

/// Agents by seat: as many as there are seats, or one for all.
#[test]
fn agents_fit_the_seats() {
    assert!(common::plan::<Duel>(&[], &["random", "random", "random"], 1, 1).is_err());
    let plan = plan(&[], &["random"]);
    assert!(plan.labels().eq(["random"]));
    assert_eq!(plan.agents().count(), 2);
    assert_eq!("random".parse::<AgentSpec>().unwrap().name, plan.agent(1).agent);
}
