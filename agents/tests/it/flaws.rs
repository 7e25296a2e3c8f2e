//! The testkit must notice what it is there for: a sound game with one flaw at a time.

use knave_agents::batch::{Question, Unanswered};
use knave_agents::configure::Configure as _;
use knave_agents::learn::Features;
use knave_agents::players::random::{Options, Random};
use knave_agents::toys::ladder::{Key, Ladder, Outcome, Rules};
use knave_agents::{
    Agent, ChanceRecord, Decision, EnumerableChance, Evaluator, Game, Kit, Notation, NotationError, Policy,
    Rng, Seat, Setup, StepList, Tools, Turn, registry, testkit,
};
use rand::{RngExt as _, SeedableRng as _};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const NONE: u8 = 0;
const UNSORTED: u8 = 1;
const LIST_PEEKS: u8 = 2;
const LOPSIDED_CHOICE: u8 = 3;
const CHOICE_PEEKS: u8 = 4;
const WORLD_DIFFERS: u8 = 5;
const WORLD_BIASED: u8 = 6;
const REPLAY_DIFFERS: u8 = 7;
const OUTCOME_FORGOTTEN: u8 = 8;
const OUTCOME_TWICE: u8 = 9;
const COUNT_TOO_LOW: u8 = 10;
const POLICY_PEEKS: u8 = 11;
const STEP_TOO_LONG: u8 = 12;
const OUTCOMES_PEEK: u8 = 13;
const SERIES_DIFFERS: u8 = 14;
const ORDER_TOLD: u8 = 15;
const PLAN_PEEKS: u8 = 16;
const VIEW_MOVE_DIFFERS: u8 = 17;
const QUICK_WAY_PEEKS: u8 = 18;
const SHUFFLE_UNRECORDED: u8 = 19;
const SHUFFLE_MISREAD: u8 = 20;
const ILLEGAL_READ: u8 = 21;
const FEATURES_PEEK: u8 = 22;
const FEATURES_BEYOND: u8 = 23;
const SETTLED_PEEKS: u8 = 24;

/// The ladder with a flaw.
#[derive(Clone)]
struct Broken<const FLAW: u8>(Ladder);

impl<const FLAW: u8> Broken<FLAW> {
    /// A secret: whether the next two cards of the deck come in order.
    fn secret(&self) -> bool {
        let mut next = self.0.clone();
        if next.turn() == Turn::Player(0) {
            let mut moves = Vec::new();
            next.moves(&mut moves);
            for m in moves.into_iter().filter(|&m| m != 0) {
                next.play(m);
            }
        }
        match next.turn() {
            Turn::Chance => match next.roll(&mut Rng::new(1)) {
                Outcome::Room([a, _]) => a % 2 == 0,
                Outcome::Order(_) => false,
            },
            _ => false,
        }
    }
}

impl<const FLAW: u8> Game for Broken<FLAW> {
    type Rules = Rules;
    type Move = u8;
    type Chance = Outcome;
    type View = Ladder;

    fn deal(rules: &Rules, rng: &mut Rng) -> Self {
        Self(Ladder::deal(rules, rng))
    }

    fn seats(&self) -> usize {
        1
    }

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn moves(&self, out: &mut Vec<u8>) {
        self.0.moves(out);
        if FLAW == UNSORTED {
            out.reverse();
        }
        if FLAW == LIST_PEEKS && out.len() == 3 && self.secret() {
            out.remove(0);
        }
    }

    fn play(&mut self, m: u8) {
        self.0.play(m);
    }

    fn roll(&mut self, rng: &mut Rng) -> Outcome {
        self.0.roll(rng)
    }

    fn play_chance(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Room([a, b]) if FLAW == REPLAY_DIFFERS => self.0.play_chance(Outcome::Room([a, 7 - b])),
            _ => self.0.play_chance(outcome),
        }
    }

    fn utility(&self, seat: Seat) -> f64 {
        self.0.utility(seat)
    }

    fn view(&self, seat: Seat) -> Ladder {
        // The order of the deck is in it, and every world that is sampled keeps it.
        if FLAW == ORDER_TOLD { self.0.clone() } else { self.0.view(seat) }
    }

    fn sample_world(view: &Ladder, rng: &mut Rng) -> Self {
        let world = Ladder::sample_world(view, rng);
        match FLAW {
            WORLD_DIFFERS => Self(Ladder::deal(&RULES, rng)),
            // As good as any one world, but always the same.
            WORLD_BIASED | ORDER_TOLD => Self(view.clone()),
            _ => Self(world),
        }
    }

    fn nth_world(view: &Ladder, seed: u64, n: u64) -> Self {
        let rng = &mut Rng::seed_from_u64(seed.wrapping_add(n));
        if FLAW == SERIES_DIFFERS { Self(Ladder::deal(&RULES, rng)) } else { Self::sample_world(view, rng) }
    }

    fn random_move(&self, buffer: &mut Vec<u8>, rng: &mut Rng) -> u8 {
        self.moves(buffer);
        let drawn = rng.random_range(0..buffer.len());
        let at = match FLAW {
            LOPSIDED_CHOICE => drawn.min(rng.random_range(0..buffer.len())),
            CHOICE_PEEKS if self.secret() => 0,
            _ => drawn,
        };
        buffer[at]
    }
}

impl<const FLAW: u8> EnumerableChance for Broken<FLAW> {
    type Key = Key;

    fn outcome_count(&self) -> u64 {
        self.0.outcome_count() - u64::from(FLAW == COUNT_TOO_LOW)
    }

    fn outcomes(&self, out: &mut Vec<(Outcome, f64)>) {
        self.0.outcomes(out);
        match FLAW {
            OUTCOME_FORGOTTEN if out.len() > 1 => {
                out.pop();
                let each = 1.0 / out.len() as f64;
                out.iter_mut().for_each(|outcome| outcome.1 = each);
            }
            OUTCOME_TWICE if out.len() > 1 => out[0].0 = out[1].0,
            OUTCOMES_PEEK if out.len() > 1 && self.secret() => {
                out[0].1 *= 1.5;
                out[1].1 *= 0.5;
            }
            _ => {}
        }
    }

    fn key(&self) -> Key {
        self.0.key()
    }
}

impl<const FLAW: u8> Notation for Broken<FLAW> {
    fn parse_move(&self, text: &str) -> Result<u8, NotationError> {
        match text.parse() {
            Ok(m) if FLAW == ILLEGAL_READ => Ok(m),
            _ => self.0.parse_move(text),
        }
    }

    fn chance_record(outcome: &Outcome) -> Option<ChanceRecord> {
        Ladder::chance_record(outcome).filter(|_| FLAW != SHUFFLE_UNRECORDED)
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<Outcome, String> {
        match (self.0.read_chance(record)?, FLAW) {
            (Outcome::Order(mut order), SHUFFLE_MISREAD) => {
                order.swap(0, 1);
                Ok(Outcome::Order(order))
            }
            (outcome, _) => Ok(outcome),
        }
    }

    fn chance_is_recorded(&self) -> bool {
        FLAW != SHUFFLE_UNRECORDED && self.0.chance_is_recorded()
    }
}

/// The number of unseen cards, and nothing of their order.
impl<const FLAW: u8> Features for Broken<FLAW> {
    const FEATURES_VERSION: u32 = 1;
    const INPUTS: usize = 6 + 1;

    fn settled(&self, _: Seat) -> f64 {
        if FLAW == SETTLED_PEEKS && self.secret() { 0.5 } else { 0.0 }
    }

    fn features(&self, _: Seat, out: &mut Vec<u16>) {
        out.clear();
        out.push(self.0.hidden() as u16 + u16::from(FLAW == FEATURES_BEYOND) * 6);
        if FLAW == FEATURES_PEEK && self.secret() {
            out.push(0);
        }
    }
}

/// A policy with a flaw, which otherwise makes the last move.
struct Flawed;

impl<const FLAW: u8> Policy<Broken<FLAW>> for Flawed {
    fn choose(&self, position: &Broken<FLAW>, buffer: &mut Vec<u8>, _: &mut Rng) -> u8 {
        position.moves(buffer);
        buffer[if FLAW == POLICY_PEEKS && position.secret() { 0 } else { buffer.len() - 1 }]
    }

    fn choose_by_view(&self, view: &Ladder, _: &mut Rng) -> Option<u8> {
        let mut moves = Vec::new();
        view.moves(&mut moves);
        (FLAW == VIEW_MOVE_DIFFERS).then(|| moves[0])
    }

    fn plan(&self, position: &Broken<FLAW>, line: &mut Vec<u8>, _: &mut Rng) {
        position.moves(line);
        let m = line[if FLAW == PLAN_PEEKS && position.secret() { 0 } else { line.len() - 1 }];
        line.clear();
        line.push(m);
    }
}

impl<const FLAW: u8> Evaluator<Broken<FLAW>> for Flawed {
    fn value(&self, _: &Broken<FLAW>, _: Seat) -> f64 {
        0.5
    }

    fn decision(&self, position: &Broken<FLAW>, _: Seat) -> Option<f64> {
        Some(if FLAW == QUICK_WAY_PEEKS && position.secret() { 1.0 } else { 0.5 })
    }
}

impl<const FLAW: u8> Tools for Broken<FLAW> {
    fn steps(&self, out: &mut StepList<u8>) {
        self.0.steps(out);
        if FLAW == STEP_TOO_LONG && self.0.outcome_count() > 1 {
            let first = out.get(0).to_vec();
            out.push(&[&first[..], &[0, 1]].concat());
        }
    }

    fn kit(_: &Rules) -> Kit<Self> {
        Kit::default()
            .policy("flawed", |_| Some(Arc::new(Flawed)))
            .evaluator("flawed", |_| Some(Arc::new(Flawed)))
    }
}

const RULES: Rules = Rules { cards: 6, shuffled: false };

fn conformance<const FLAW: u8>() {
    testkit::conformance::<Broken<FLAW>>(&[RULES], 200, 60, |_| ());
}

fn conformance_with_shuffles<const FLAW: u8>() {
    testkit::conformance::<Broken<FLAW>>(&[Rules { shuffled: true, ..RULES }], 60, 60, |_| ());
}

fn enumeration<const FLAW: u8>() {
    testkit::enumeration::<Broken<FLAW>>(&[RULES], 60);
}

fn hidden_information<const FLAW: u8>() {
    testkit::hidden_information::<Broken<FLAW>>(&[RULES], 20);
}

fn features<const FLAW: u8>() {
    testkit::features::<Broken<FLAW>>(&[RULES], 20);
}

fn fairness<const FLAW: u8>() {
    let make = || -> Box<dyn Agent<Broken<FLAW>>> {
        let kit = Kit::default();
        Box::new(Random::configure(&Options {}, &Setup::new("random", &kit, &RULES)).unwrap())
    };
    testkit::fairness("random", &make, &RULES, 60);
}

/// A sound game passes every test, so that what fails below fails for the flaw.
#[test]
fn a_sound_game_passes() {
    conformance::<NONE>();
    conformance_with_shuffles::<NONE>();
    enumeration::<NONE>();
    hidden_information::<NONE>();
    features::<NONE>();
    fairness::<NONE>();
}

macro_rules! noticed {
    ($($name:ident: $test:ident::<$flaw:ident>, $message:literal;)*) => { $(
        #[test]
        #[should_panic(expected = $message)]
        fn $name() {
            $test::<$flaw>();
        }
    )* };
}

noticed! {
    unsorted_moves: conformance::<UNSORTED>, "moves not sorted";
    moves_that_peek: conformance::<LIST_PEEKS>, "a sampled world has other moves";
    lopsided_choice: conformance::<LOPSIDED_CHOICE>, "random_move: chi-square";
    worlds_that_look_different: conformance::<WORLD_DIFFERS>, "a sampled world looks different";
    series_that_look_different: conformance::<SERIES_DIFFERS>, "a world of a series looks different";
    games_that_cannot_be_replayed: conformance::<REPLAY_DIFFERS>, "replayed: views of seat 0 differ";
    policies_that_peek: conformance::<POLICY_PEEKS>, "policy flawed peeks: ";
    plans_that_peek: conformance::<PLAN_PEEKS>, "policy flawed peeks: it plans";
    moves_by_view_that_differ: conformance::<VIEW_MOVE_DIFFERS>, "by its view, policy flawed plays";
    evaluators_with_a_quick_way_that_peeks: conformance::<QUICK_WAY_PEEKS>, "evaluator flawed peeks";
    steps_that_outlast_the_turn: conformance::<STEP_TOO_LONG>, "step [";
    views_that_tell_what_comes: conformance::<ORDER_TOLD>, "views tell what random events bring";
    views_that_tell_everything: hidden_information::<ORDER_TOLD>, "nothing is hidden from seat 0";
    shuffles_that_no_transcript_tells: conformance_with_shuffles::<SHUFFLE_UNRECORDED>, "which no transcript tells";
    shuffles_that_read_as_others: conformance_with_shuffles::<SHUFFLE_MISREAD>, "which reads as Ok(Order(";
    illegal_moves_that_are_read: conformance::<ILLEGAL_READ>, "reads as Ok(";
    features_that_peek: features::<FEATURES_PEEK>, "features of seat 0 peek";
    features_beyond_the_last: features::<FEATURES_BEYOND>, "expected one of 0 to below 7";
    settled_parts_that_peek: features::<SETTLED_PEEKS>, "settled peeks for seat 0";
    biased_worlds: enumeration::<WORLD_BIASED>, "chi-square";
    forgotten_outcomes: enumeration::<OUTCOME_FORGOTTEN>, "is rolled, not listed";
    outcomes_listed_twice: enumeration::<OUTCOME_TWICE>, "an outcome is listed twice";
    outcome_counts_too_low: enumeration::<COUNT_TOO_LOW>, "outcomes, but at most";
    outcomes_that_peek: enumeration::<OUTCOMES_PEEK>, "outcomes depend on what is hidden";
    agents_that_peek: fairness::<CHOICE_PEEKS>, "random peeks in seed 2";
}

/// An agent whose choice depends on hidden state of its own.
struct Moody(bool);

impl Agent<Ladder> for Moody {
    fn choose(&mut self, decision: Decision<'_, Ladder>, _: &mut Rng) -> u8 {
        let mut moves = Vec::new();
        decision.moves(&mut moves);
        if self.0 { moves[0] } else { moves[moves.len() - 1] }
    }
}

#[test]
#[should_panic(expected = "moody peeks in seed 2")]
fn agents_with_moods_are_noticed() {
    let calls = std::cell::Cell::new(false);
    let make = || -> Box<dyn Agent<Ladder>> {
        calls.set(!calls.get());
        Box::new(Moody(calls.get()))
    };
    testkit::fairness("moody", &make, &RULES, 5);
}

/// The same for an agent that is asked about many games at once, and must not be asked otherwise.
struct MoodyInBatches(Moody);

impl Agent<Ladder> for MoodyInBatches {
    fn begin_game(&mut self) {
        unreachable!("it learns of games by their questions")
    }

    fn choose(&mut self, _: Decision<'_, Ladder>, _: &mut Rng) -> u8 {
        unreachable!("it is asked by choose_batch alone")
    }

    fn batch(&self) -> Option<usize> {
        Some(4)
    }

    fn choose_batch(
        &mut self,
        questions: &mut [Question<'_, Ladder>],
        moves: &mut Vec<u8>,
        _: &AtomicBool,
    ) -> Result<(), Unanswered> {
        moves.clear();
        moves.extend(questions.iter_mut().map(|question| self.0.choose(question.decision, question.rng)));
        Ok(())
    }
}

#[test]
fn batched_agents_are_asked_in_batches() {
    testkit::fairness("steady", &|| Box::new(MoodyInBatches(Moody(true))), &RULES, 5);
}

#[test]
#[should_panic(expected = "moody peeks in seed 2")]
fn batched_agents_with_moods_are_noticed() {
    let calls = std::cell::Cell::new(false);
    let make = || -> Box<dyn Agent<Ladder>> {
        calls.set(!calls.get());
        Box::new(MoodyInBatches(Moody(calls.get())))
    };
    testkit::fairness("moody", &make, &RULES, 5);
}

/// Broken budgets must not pass as "the game does not offer this".
#[test]
#[should_panic(expected = "budget mcts")]
fn refused_budgets_are_noticed() {
    testkit::all_agents_are_fair(&registry::general::<Ladder>(), "ladder", &RULES, 1, &["mcts:iteration=5"]);
}
