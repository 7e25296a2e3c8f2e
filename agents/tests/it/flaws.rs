//! The testkit must notice what it is there for: a sound game with one flaw at a time.

use knave_agents::batch::{Question, Unanswered};
use knave_agents::configure::Configure as _;
use knave_agents::learn::td::Trainer;
use knave_agents::learn::{Afterstate, Features};
use knave_agents::players::random::{Options, Random};
use knave_agents::toys::ladder::{Key, Ladder, Outcome, Rules};
use knave_agents::training::{DrawnRules, Schedule, Training as _};
use knave_agents::{
    Agent, ChanceRecord, Decision, EnumerableChance, Evaluator, Game, Kit, Notation, NotationError, Policy,
    Rng, Seat, Setup, StepList, Tools, Turn, registry, testkit,
};
use rand::{RngExt as _, SeedableRng as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a game of this test does wrong.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Flaw {
    /// Nothing.
    Sound,
    Unsorted,
    ListPeeks,
    LopsidedChoice,
    ChoicePeeks,
    WorldDiffers,
    WorldBiased,
    ReplayDiffers,
    OutcomeForgotten,
    OutcomeTwice,
    CountTooLow,
    PolicyPeeks,
    StepTooLong,
    OutcomesPeek,
    SeriesDiffers,
    OrderTold,
    PlanPeeks,
    ViewMoveDiffers,
    QuickWayPeeks,
    ShuffleUnrecorded,
    ShuffleMisread,
    IllegalRead,
    FeaturesPeek,
    FeaturesBeyond,
    SettledPeeks,
    AfterstatesPeek,
    NoUtility,
    SeatAppears,
    SeatBeyond,
    DealDiffers,
    StretchLopsided,
    WorldHardlyShuffled,
    SeriesConstant,
    HistoryPeeks,
    ShuffleTold,
    RollUnseeded,
}

/// The ladder with a flaw.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Broken {
    ladder: Ladder,
    flaw: Flaw,
}

/// The rules of the ladder, and what goes wrong.
#[derive(Copy, Clone)]
struct BrokenRules {
    ladder: Rules,
    flaw: Flaw,
}

/// What chance does. How it is recorded depends on the flaw, too.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
struct Event {
    outcome: Outcome,
    flaw: Flaw,
}

impl Broken {
    /// Random numbers that no seed tells.
    fn unseeded() -> Rng {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        Rng::seed_from_u64(CALLS.fetch_add(1, Ordering::Relaxed))
    }

    fn event(&self, outcome: Outcome) -> Event {
        Event { outcome, flaw: self.flaw }
    }

    /// A secret: whether the next two cards of the deck come in order.
    fn secret(&self) -> bool {
        let mut next = self.ladder.clone();
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

impl Game for Broken {
    type Rules = BrokenRules;
    type Move = u8;
    type Chance = Event;
    type View = Self;

    fn deal(rules: &BrokenRules, rng: &mut Rng) -> Self {
        let rng = if rules.flaw == Flaw::DealDiffers { &mut Self::unseeded() } else { rng };
        Self { ladder: Ladder::deal(&rules.ladder, rng), flaw: rules.flaw }
    }

    fn seats(&self) -> usize {
        1 + usize::from(self.flaw == Flaw::SeatAppears && self.ladder.hidden() < 4)
    }

    fn turn(&self) -> Turn {
        match self.ladder.turn() {
            Turn::Player(seat) if self.flaw == Flaw::SeatBeyond => Turn::Player(seat + 5),
            turn => turn,
        }
    }

    fn moves(&self, out: &mut Vec<u8>) {
        self.ladder.moves(out);
        if self.flaw == Flaw::Unsorted {
            out.reverse();
        }
        if self.flaw == Flaw::ListPeeks && out.len() == 3 && self.secret() {
            out.remove(0);
        }
    }

    fn play(&mut self, m: u8) {
        self.ladder.play(m);
    }

    fn roll(&mut self, rng: &mut Rng) -> Event {
        let rng = if self.flaw == Flaw::RollUnseeded { &mut Self::unseeded() } else { rng };
        let outcome = self.ladder.roll(rng);
        self.event(outcome)
    }

    fn play_chance(&mut self, event: Event) {
        self.ladder.play_chance(match event.outcome {
            Outcome::Room([a, b]) if self.flaw == Flaw::ReplayDiffers => Outcome::Room([a, 7 - b]),
            outcome => outcome,
        });
    }

    fn utility(&self, seat: Seat) -> f64 {
        if self.flaw == Flaw::NoUtility { f64::NAN } else { self.ladder.utility(seat) }
    }

    fn view(&self, seat: Seat) -> Self {
        // The order of the deck is in it, and every world that is sampled keeps it.
        if self.flaw == Flaw::OrderTold {
            return self.clone();
        }
        Self { ladder: self.ladder.view(seat), flaw: self.flaw }
    }

    fn sample_world(view: &Self, rng: &mut Rng) -> Self {
        let world = Ladder::sample_world(&view.ladder, rng);
        let ladder = match view.flaw {
            Flaw::WorldDiffers => Ladder::deal(&RULES, rng),
            // As good as any one world, but always the same.
            Flaw::WorldBiased | Flaw::OrderTold => view.ladder.clone(),
            Flaw::WorldHardlyShuffled if rng.random_range(0..10) > 0 => view.ladder.clone(),
            _ => world,
        };
        Self { ladder, flaw: view.flaw }
    }

    fn nth_world(view: &Self, seed: u64, n: u64) -> Self {
        let rng = &mut Rng::seed_from_u64(seed.wrapping_add(n));
        if view.flaw == Flaw::SeriesDiffers {
            return Self { ladder: Ladder::deal(&RULES, rng), flaw: view.flaw };
        }
        if view.flaw == Flaw::SeriesConstant {
            return Self::sample_world(view, &mut Rng::new(1));
        }
        Self::sample_world(view, rng)
    }

    fn random_move(&self, buffer: &mut Vec<u8>, rng: &mut Rng) -> u8 {
        self.moves(buffer);
        let drawn = rng.random_range(0..buffer.len());
        let at = match self.flaw {
            Flaw::LopsidedChoice => drawn.min(rng.random_range(0..buffer.len())),
            Flaw::ChoicePeeks if self.secret() => 0,
            _ => drawn,
        };
        buffer[at]
    }

    fn play_at_random(&mut self, buffer: &mut Vec<u8>, rng: &mut Rng) {
        while let Turn::Player(_) = self.turn() {
            let m = self.random_move(buffer, rng);
            self.play(if self.flaw == Flaw::StretchLopsided { buffer[0] } else { m });
        }
    }

    fn tell(&self, event: knave_agents::Event<Self>, history: &mut Vec<knave_agents::Event<Self>>) {
        let is_told = match self.flaw {
            Flaw::HistoryPeeks => true,
            Flaw::ShuffleTold => event == knave_agents::Event::Shuffle,
            _ => false,
        };
        history.push(event);
        if is_told && self.secret() {
            history.push(knave_agents::Event::Shuffle);
        }
    }
}

impl EnumerableChance for Broken {
    type Key = Key;

    fn outcome_count(&self) -> u64 {
        self.ladder.outcome_count() - u64::from(self.flaw == Flaw::CountTooLow)
    }

    fn outcomes(&self, out: &mut Vec<(Event, f64)>) {
        let mut outcomes = Vec::new();
        self.ladder.outcomes(&mut outcomes);
        *out = outcomes.into_iter().map(|(outcome, p)| (self.event(outcome), p)).collect();
        match self.flaw {
            Flaw::OutcomeForgotten if out.len() > 1 => {
                out.pop();
                let each = 1.0 / out.len() as f64;
                out.iter_mut().for_each(|outcome| outcome.1 = each);
            }
            Flaw::OutcomeTwice if out.len() > 1 => out[0].0 = out[1].0,
            Flaw::OutcomesPeek if out.len() > 1 && self.secret() => {
                out[0].1 *= 1.5;
                out[1].1 *= 0.5;
            }
            _ => {}
        }
    }

    fn key(&self) -> Key {
        self.ladder.key()
    }
}

impl Notation for Broken {
    fn parse_move(&self, text: &str) -> Result<u8, NotationError> {
        match text.parse() {
            Ok(m) if self.flaw == Flaw::IllegalRead => Ok(m),
            _ => self.ladder.parse_move(text),
        }
    }

    fn chance_record(event: &Event) -> Option<ChanceRecord> {
        Ladder::chance_record(&event.outcome).filter(|_| event.flaw != Flaw::ShuffleUnrecorded)
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<Event, String> {
        let outcome = match self.ladder.read_chance(record)? {
            Outcome::Order(mut order) if self.flaw == Flaw::ShuffleMisread => {
                order.swap(0, 1);
                Outcome::Order(order)
            }
            outcome => outcome,
        };
        Ok(self.event(outcome))
    }

    fn chance_is_recorded(&self) -> bool {
        self.flaw != Flaw::ShuffleUnrecorded && self.ladder.chance_is_recorded()
    }
}

/// The number of unseen cards, and nothing of their order.
impl Features for Broken {
    const FEATURES_VERSION: u32 = 1;
    const INPUTS: usize = 6 + 1;

    fn settled(&self, _: Seat) -> f64 {
        if self.flaw == Flaw::SettledPeeks && self.secret() { 0.5 } else { 0.0 }
    }

    fn features(&self, _: Seat, out: &mut Vec<u16>) {
        out.clear();
        out.push(self.ladder.hidden() as u16 + u16::from(self.flaw == Flaw::FeaturesBeyond) * 6);
        if self.flaw == Flaw::FeaturesPeek && self.secret() {
            out.push(0);
        }
    }

    fn afterstates(
        &self,
        seat: Seat,
        steps: &mut StepList<u8>,
        buffer: &mut Vec<u16>,
        each: &mut dyn FnMut(usize, Afterstate<'_>),
    ) {
        self.steps(steps);
        buffer.clear();
        let peeks = self.flaw == Flaw::AfterstatesPeek && self.secret();
        buffer.push(u16::from(peeks) + u16::from(self.flaw == Flaw::FeaturesBeyond) * 7);
        (0..steps.len())
            .for_each(|i| each(i, Afterstate::Open { features: buffer, settled: self.settled(seat) }));
    }
}

/// A policy and evaluator with the flaw of their game. The policy otherwise makes the last move.
struct Flawed;

impl Policy<Broken> for Flawed {
    fn choose(&self, position: &Broken, buffer: &mut Vec<u8>, _: &mut Rng) -> u8 {
        position.moves(buffer);
        buffer[if position.flaw == Flaw::PolicyPeeks && position.secret() { 0 } else { buffer.len() - 1 }]
    }

    fn choose_by_view(&self, view: &Broken, _: &mut Rng) -> Option<u8> {
        let mut moves = Vec::new();
        view.moves(&mut moves);
        (view.flaw == Flaw::ViewMoveDiffers).then(|| moves[0])
    }

    fn plan(&self, position: &Broken, line: &mut Vec<u8>, _: &mut Rng) {
        position.moves(line);
        let m = line[if position.flaw == Flaw::PlanPeeks && position.secret() { 0 } else { line.len() - 1 }];
        line.clear();
        line.push(m);
    }
}

impl Evaluator<Broken> for Flawed {
    fn value(&self, _: &Broken, _: Seat) -> f64 {
        0.5
    }

    fn decision(&self, position: &Broken, _: Seat) -> Option<f64> {
        Some(if position.flaw == Flaw::QuickWayPeeks && position.secret() { 1.0 } else { 0.5 })
    }
}

impl Tools for Broken {
    fn steps(&self, out: &mut StepList<u8>) {
        self.ladder.steps(out);
        if self.flaw == Flaw::StepTooLong && self.ladder.outcome_count() > 1 {
            let first = out.get(0).to_vec();
            out.push(&[&first[..], &[0, 1]].concat());
        }
    }

    fn kit(_: &BrokenRules) -> Kit<Self> {
        Kit::default()
            .policy("flawed", |_| Some(Arc::new(Flawed)))
            .evaluator("flawed", |_| Some(Arc::new(Flawed)))
    }
}

const RULES: Rules = Rules { cards: 6, shuffled: false };

fn rules(flaw: Flaw) -> BrokenRules {
    BrokenRules { ladder: RULES, flaw }
}

fn shuffled(flaw: Flaw) -> BrokenRules {
    BrokenRules { ladder: Rules { shuffled: true, ..RULES }, flaw }
}

fn conformance(flaw: Flaw) {
    testkit::conformance::<Broken>(&[rules(flaw)], 200, 60, |_| ());
}

fn conformance_with_shuffles(flaw: Flaw) {
    testkit::conformance::<Broken>(&[shuffled(flaw)], 60, 60, |_| ());
}

fn enumeration(flaw: Flaw) {
    testkit::enumeration::<Broken>(&[rules(flaw)], 60);
}

fn hidden_information(flaw: Flaw) {
    testkit::hidden_information::<Broken>(&[rules(flaw)], 20);
}

fn sampled_worlds(flaw: Flaw) {
    testkit::sampled_worlds::<Broken>(&[rules(flaw)], 1_000);
}

fn public_history(flaw: Flaw) {
    testkit::public_history::<Broken>(&[rules(flaw), shuffled(flaw)], 20);
}

fn features(flaw: Flaw) {
    testkit::features::<Broken>(&[rules(flaw)], 20);
}

fn training(flaw: Flaw) {
    let schedule = Schedule { games: 1, first: 16, second: 8, ..Schedule::default() };
    Trainer::<Broken>::new(DrawnRules::only(rules(flaw)), schedule, Box::new(|_, _, _| None), 1).train();
}

fn fairness(flaw: Flaw) {
    let rules = rules(flaw);
    let make = || -> Box<dyn Agent<Broken>> {
        let kit = Kit::default();
        Box::new(Random::configure(&Options {}, &Setup::new("random", &kit, &rules)).unwrap())
    };
    testkit::fairness("random", &make, &rules, 60);
}

/// A sound game passes every test, so that what fails below fails for the flaw.
#[test]
fn a_sound_game_passes() {
    conformance(Flaw::Sound);
    conformance_with_shuffles(Flaw::Sound);
    enumeration(Flaw::Sound);
    hidden_information(Flaw::Sound);
    sampled_worlds(Flaw::Sound);
    public_history(Flaw::Sound);
    features(Flaw::Sound);
    training(Flaw::Sound);
    fairness(Flaw::Sound);
}

macro_rules! noticed {
    ($($name:ident: $test:ident($flaw:ident), $message:literal;)*) => { $(
        #[test]
        #[should_panic(expected = $message)]
        fn $name() {
            $test(Flaw::$flaw);
        }
    )* };
}

noticed! {
    unsorted_moves: conformance(Unsorted), "moves not sorted";
    moves_that_peek: conformance(ListPeeks), "a sampled world has other moves";
    lopsided_choice: conformance(LopsidedChoice), "random_move: chi-square";
    worlds_that_look_different: conformance(WorldDiffers), "a sampled world looks different";
    series_that_look_different: conformance(SeriesDiffers), "a world of a series looks different";
    games_that_cannot_be_replayed: conformance(ReplayDiffers), "replayed: views of seat 0 differ";
    policies_that_peek: conformance(PolicyPeeks), "policy flawed peeks: ";
    plans_that_peek: conformance(PlanPeeks), "policy flawed peeks: it plans";
    moves_by_view_that_differ: conformance(ViewMoveDiffers), "by its view, policy flawed plays";
    evaluators_with_a_quick_way_that_peeks: conformance(QuickWayPeeks), "evaluator flawed peeks";
    steps_that_outlast_the_turn: conformance(StepTooLong), "step [";
    utilities_that_are_no_numbers: conformance(NoUtility), "utility NaN of seat 0, expected 0 to 1";
    seats_that_appear: conformance(SeatAppears), "the game has 2 seats, and was dealt to 1";
    turns_of_nobody: conformance(SeatBeyond), "it is the turn of seat 5, and seats are numbered from 0 to 0";
    views_that_tell_what_comes: conformance(OrderTold), "views tell what random events bring";
    views_that_tell_everything: hidden_information(OrderTold), "nothing is hidden from seat 0";
    deals_by_more_than_random_numbers: conformance(DealDiffers), "dealt twice by the same random numbers";
    lopsided_stretches: conformance(StretchLopsided), "play_at_random does not play as random_move does";
    worlds_that_are_hardly_shuffled: sampled_worlds(WorldHardlyShuffled), "sample_world: worlds are not as probable";
    series_of_one_world: sampled_worlds(SeriesConstant), "nth_world: worlds are not as probable";
    histories_that_tell_what_views_hide: public_history(HistoryPeeks), "what its view hides";
    histories_that_tell_shuffles: public_history(ShuffleTold), "the history tells seat 0 more of a random event";
    random_events_by_more_than_random_numbers: conformance_with_shuffles(RollUnseeded), "the same random numbers bring ";
    shuffles_that_no_transcript_tells: conformance_with_shuffles(ShuffleUnrecorded), "which no transcript tells";
    shuffles_that_read_as_others: conformance_with_shuffles(ShuffleMisread), "which reads as Ok(Event { outcome: Order(";
    illegal_moves_that_are_read: conformance(IllegalRead), "reads as Ok(";
    features_that_peek: features(FeaturesPeek), "features of seat 0 peek";
    features_beyond_the_last: features(FeaturesBeyond), "expected one of 0 to below 7";
    settled_parts_that_peek: features(SettledPeeks), "settled peeks for seat 0";
    afterstates_that_peek: features(AfterstatesPeek), "override Features::afterstates";
    biased_worlds: enumeration(WorldBiased), "chi-square";
    forgotten_outcomes: enumeration(OutcomeForgotten), "is rolled, not listed";
    outcomes_listed_twice: enumeration(OutcomeTwice), "an outcome is listed twice";
    outcome_counts_too_low: enumeration(CountTooLow), "outcomes, but at most";
    outcomes_that_peek: enumeration(OutcomesPeek), "outcomes depend on what is hidden";
    trainings_without_utilities: training(NoUtility), "utilities=[NaN]: expected numbers from 0 to 1";
    trainings_with_features_beyond_the_last: training(FeaturesBeyond), "expected one below INPUTS=7";
    agents_that_peek: fairness(ChoicePeeks), "random peeks in seed 2";
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

/// An agent that plays otherwise once it has played a game.
struct Experienced {
    games: u32,
}

impl Agent<Ladder> for Experienced {
    fn begin_game(&mut self) {
        self.games += 1;
    }

    fn choose(&mut self, decision: Decision<'_, Ladder>, rng: &mut Rng) -> u8 {
        Moody(self.games > 1).choose(decision, rng)
    }
}

#[test]
#[should_panic(expected = "experienced peeks, or remembers an earlier game, in seed 2, game 1")]
fn agents_that_remember_earlier_games_are_noticed() {
    testkit::fairness("experienced", &|| Box::new(Experienced { games: 0 }), &RULES, 2);
}

/// The same as [`Moody`] for an agent that is asked about many games at once, and must not be asked otherwise.
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
