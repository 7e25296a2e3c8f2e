//! Conformance: the laws of [`Game`], [`Notation`] and [`Tools`], over random games.

use super::{chi_square_limit, frequencies};
use crate::evaluator::Evaluator;
use crate::exact::fingerprint;
use crate::game::{Game, MAX_SEATS, Notation, Seat, Turn};
use crate::kit::{Kit, Tools};
use crate::rng::{Rng, Role, stream};
use crate::steps::StepList;
use rand::{RngExt as _, SeedableRng as _};
use std::fmt::Debug;

/// The illegal moves of a decision that are read: the error lists legal ones, which takes a while.
const FEW: usize = 3;

fn same<G: Game>(a: &G, b: &G, at: &str) {
    assert!(a.turn() == b.turn(), "{at}: turns differ");
    assert!(a.seats() == b.seats(), "{at}: {} seats and {} seats", a.seats(), b.seats());
    for seat in 0..a.seats() {
        assert!(a.view(seat) == b.view(seat), "{at}: views of seat {seat} differ");
        if a.turn() == Turn::Over {
            let [here, there] = [a, b].map(|end| utility(end, seat, at));
            assert!(here == there, "{at}: utilities of seat {seat} differ");
        }
    }
}

/// The utility of a finished game, which is a number in its range.
fn utility<G: Game>(end: &G, seat: Seat, at: &str) -> f64 {
    let utility = end.utility(seat);
    assert!((0.0..=1.0).contains(&utility), "{at}: utility {utility} of seat {seat}, expected 0 to 1");
    utility
}

/// There are as many seats as at the deal, and it is the turn of one of them.
fn seated<G: Game>(position: &G, seats: usize, at: &str) {
    let now = position.seats();
    assert!(now == seats, "{at}: the game has {now} seats, and was dealt to {seats}");
    if let Turn::Player(seat) = position.turn() {
        assert!(
            seat < seats,
            "{at}: it is the turn of seat {seat}, and seats are numbered from 0 to {}",
            seats - 1
        );
    }
}

/// What random events have brought in positions and in worlds sampled from their views, which hide what is to come: those that follow
/// from the deck, and those that are recorded, which always differ and would hide that a view tells of the deck.
#[derive(Default)]
struct Foretold([Compared; 2]);

#[derive(Default)]
struct Compared {
    events: u32,
    different: u32,
}

impl Foretold {
    /// So many events do not come out as in a sampled world by chance alone.
    const MANY: u32 = 50;

    /// Compares the event that is due in a position with that in a world sampled from a view of it.
    fn compare<G: Notation>(&mut self, position: &G, world: &G, mut rng: Rng) {
        // What has one outcome cannot be told.
        let is_open = size_of::<G::Chance>() > 0;
        if is_open && position.turn() == Turn::Chance && world.turn() == Turn::Chance {
            let [comes, foretold] = [position, world].map(|position| position.clone().roll(&mut rng));
            let compared = &mut self.0[usize::from(position.chance_is_recorded())];
            compared.events += 1;
            compared.different += u32::from(comes != foretold);
        }
    }

    fn check(&self, at: &str) {
        for Compared { events, different } in &self.0 {
            assert!(
                *events < Self::MANY || *different > 0,
                "{at}: views tell what random events bring, or these have one outcome: all {events} came out as in a sampled world"
            );
        }
    }
}

/// What random games have brought so far.
struct Seen<G: Game> {
    /// Moves, to be tried where they are not legal.
    strange: Vec<G::Move>,
    foretold: Foretold,
    /// A decision of this game, and where it is.
    stretch: Option<(G, String)>,
}

impl<G: Game> Default for Seen<G> {
    fn default() -> Self {
        Self { strange: Vec::new(), foretold: Foretold::default(), stretch: None }
    }
}

/// Checks every law in every position of `games` random games under each of the rules. A game must end within
/// `limit` moves and random events. `invariant` is called on every position.
///
/// It cannot know which cards are meant to be hidden: see [`super::hidden_information`]. Nor does it know how probable worlds are:
/// see [`super::sampled_worlds`]. The deck of two deals by the same random numbers is compared as far as seats see it.
///
/// # Panics
/// When a law is broken; the message names the rules' index, the game's index and the ply.
pub fn conformance<G: Tools + Notation>(
    rules: &[G::Rules],
    games: u64,
    limit: usize,
    invariant: impl Fn(&G),
) {
    for (r, rules) in rules.iter().enumerate() {
        let kit = G::kit(rules);
        let mut seen = Seen::default();
        for index in 0..games {
            let mut position = G::deal(rules, &mut stream(1, index, Role::Deal));
            let mut rng = stream(1, index, Role::Chance);
            let mut ply = 0;
            // Dealt again, it plays the same moves and outcomes as `position`, by the other half of the contract.
            let mut replay = G::deal(rules, &mut stream(1, index, Role::Deal));
            let seats = position.seats();
            assert!((1..=MAX_SEATS).contains(&seats), "rules {r}: {seats} seats, expected 1 to {MAX_SEATS}");
            same(
                &position,
                &replay,
                &format!("rules {r}, seed 1, game {index}, dealt twice by the same random numbers"),
            );
            while position.turn() != Turn::Over {
                let at = format!("rules {r}, seed 1, game {index}, ply {ply}");
                seated(&position, seats, &at);
                assert!(ply < limit, "{at}: the game does not end");
                invariant(&position);
                if let Turn::Player(_) = position.turn() {
                    replay.play(decision(&mut position, (&kit, rules), &mut seen, &mut rng, &at));
                } else {
                    let follows = !position.chance_is_recorded();
                    let outcome = chance(&mut position, &mut seen.foretold, &mut rng, &at);
                    if follows {
                        let again = replay.clone().roll(&mut rng.clone());
                        assert!(
                            again == outcome,
                            "{at}: dealt twice by the same random numbers, it brings {outcome:?} and {again:?}"
                        );
                    }
                    replay.play_chance(outcome);
                }
                same(&position, &replay, &format!("{at}, replayed"));
                ply += 1;
            }
            let at = format!("rules {r}, seed 1, game {index}, end");
            seated(&position, seats, &at);
            invariant(&position);
            let mut moves = Vec::new();
            position.moves(&mut moves);
            assert!(moves.is_empty(), "{at}: a finished game has moves");
            for seat in 0..seats {
                utility(&position, seat, &at);
            }
            // Only now, for in a game without an end no stretch need have one.
            if let Some((position, at)) = seen.stretch.take() {
                stretches(&position, &mut rng, &at);
            }
        }
        seen.foretold.check(&format!("rules {r}"));
    }
}

fn chance<G: Notation>(position: &mut G, foretold: &mut Foretold, rng: &mut Rng, at: &str) -> G::Chance {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    assert!(moves.is_empty(), "{at}: moves while chance is due");
    recorded(position, rng.clone(), at);
    if position.seats() == 1 {
        series(position, 0, rng.clone(), at);
        let mut others = rng.clone();
        foretold.compare(position, &G::sample_world(&position.view(0), &mut others), others);
    }
    position.roll(rng)
}

/// What stands in a transcript reads back, and the rest follows from the deck, whatever the random numbers are.
fn recorded<G: Notation>(position: &G, mut rng: Rng, at: &str) {
    let mut other = Rng::seed_from_u64(rng.random());
    let again = position.clone().roll(&mut rng.clone());
    let outcome = position.clone().roll(&mut rng);
    let record = G::chance_record(&outcome);
    if position.chance_is_recorded() {
        assert!(again == outcome, "{at}: the same random numbers bring {outcome:?} and {again:?}");
        let record =
            record.unwrap_or_else(|| panic!("{at}: {outcome:?} is to be recorded, and has no record"));
        let read = position.read_chance(&record);
        assert!(
            read.as_ref() == Ok(&outcome),
            "{at}: {outcome:?} is recorded as {record:?}, which reads as {read:?}"
        );
    } else {
        assert!(record.is_none(), "{at}: {outcome:?} is not to be recorded, and has the record {record:?}");
        let again = position.clone().roll(&mut other);
        assert!(
            again == outcome,
            "{at}: random numbers bring {outcome:?} or {again:?}, which no transcript tells: dice and shuffles need \
             chance_is_recorded, chance_record and read_chance"
        );
    }
}

/// Worlds of a series look like the position, whatever is due.
fn series<G: Game>(position: &G, seat: Seat, mut rng: Rng, at: &str) {
    let world = G::nth_world(&position.view(seat), rng.random(), rng.random_range(0..100));
    assert!(world.view(seat) == position.view(seat), "{at}: a world of a series looks different");
    assert!(world.turn() == position.turn(), "{at}: a world of a series has another turn");
}

fn decision<G: Tools + Notation>(
    position: &mut G,
    (kit, rules): (&Kit<G>, &G::Rules),
    Seen { strange, foretold, stretch }: &mut Seen<G>,
    rng: &mut Rng,
    at: &str,
) -> G::Move {
    let Turn::Player(seat) = position.turn() else { panic!("{at}: a decision needs a player to move") };
    let mut moves = Vec::new();
    position.moves(&mut moves);
    assert!(!moves.is_empty(), "{at}: a player without a move");
    assert!(moves.is_sorted_by(|a, b| a < b), "{at}: moves not sorted or not unique: {moves:?}");
    for &m in &moves {
        assert!(position.is_legal(m), "{at}: {m} is listed and not legal");
        let read = position.parse_move(&m.to_string());
        assert!(read == Ok(m), "{at}: '{m}' reads as {read:?}");
    }
    for garbage in ["", "\u{0}", "no such move", "-1", "🂡"] {
        assert!(position.parse_move(garbage).is_err(), "{at}: '{garbage}' is read as a move");
    }
    for &m in strange.iter().filter(|m| !moves.contains(m)) {
        let mut tried = position.clone();
        assert!(tried.try_play(m).is_err(), "{at}: illegal {m} is accepted");
        same(position, &tried, at);
    }
    for m in strange.iter().filter(|m| !moves.contains(m)).take(FEW) {
        let read = position.parse_move(&m.to_string());
        assert!(
            read.as_ref().is_ok_and(|read| moves.contains(read)) || read.is_err(),
            "{at}: illegal '{m}' reads as {read:?}"
        );
    }
    if strange.len() < 200 {
        let new: Vec<_> = moves.iter().filter(|m| !strange.contains(m)).copied().collect();
        strange.extend(new);
    }
    let mut buffer = Vec::new();
    if moves.len() > 1 && moves.len() <= 50 && rng.random_range(0..20) == 0 {
        let draws = 200 * moves.len();
        let mut counts = vec![0; moves.len()];
        for _ in 0..draws {
            let m = position.random_move(&mut buffer, rng);
            let i = moves.binary_search(&m).unwrap_or_else(|_| panic!("{at}: random move {m} is illegal"));
            counts[i] += 1;
        }
        frequencies(&format!("{at}: random_move"), &counts, &vec![200.0; moves.len()]);
        stretch.get_or_insert_with(|| (position.clone(), at.to_owned()));
    }
    let mut again = rng.clone();
    let world = G::sample_world(&position.view(seat), rng);
    assert!(world.view(seat) == position.view(seat), "{at}: a sampled world looks different");
    let again = G::sample_world(&world.view(seat), &mut again);
    same(&world, &again, &format!("{at}, worlds of equal views with the same random numbers"));
    assert!(world.turn() == position.turn(), "{at}: a sampled world has another turn");
    world.moves(&mut buffer);
    assert!(buffer == moves, "{at}: a sampled world has other moves: {buffer:?}, not {moves:?}");
    steps(position, &world, seat, at);
    series(position, seat, rng.clone(), at);
    let policies = kit.policies();
    for name in &policies {
        // A trained one may be for other rules.
        let policy = kit.find_policy(name, rules);
        assert!(policy.is_some() || policies.len() > 1, "{at}: no policy {name}");
        let Some(policy) = policy else { continue };
        let m = policy.choose(position, &mut buffer, &mut rng.clone());
        assert!(moves.contains(&m), "{at}: policy {name} plays illegal {m}");
        let other = policy.choose(&world, &mut buffer, &mut rng.clone());
        assert!(m == other, "{at}: policy {name} peeks: {m}, and {other} when re-dealt");
        let by_view = policy.choose_by_view(&position.view(seat), &mut rng.clone());
        assert!(
            by_view.is_none_or(|by_view| by_view == m),
            "{at}: by its view, policy {name} plays {by_view:?}, not {m}"
        );
        let mut planned = position.clone();
        let mut plan_of_other = Vec::new();
        policy.plan(&world, &mut plan_of_other, &mut rng.clone());
        policy.plan(position, &mut buffer, &mut rng.clone());
        assert!(
            buffer == plan_of_other,
            "{at}: policy {name} peeks: it plans {buffer:?}, and {plan_of_other:?} when re-dealt"
        );
        assert!(!buffer.is_empty(), "{at}: policy {name} plans nothing");
        for &m in &buffer {
            assert!(planned.turn() == Turn::Player(seat), "{at}: the plan of {name} outlasts the turn");
            assert!(planned.try_play(m).is_ok(), "{at}: policy {name} plans illegal {m}");
        }
    }
    // They cost more than all the rest.
    if rng.random_range(0..8) == 0 {
        for name in kit.evaluators() {
            let Some(evaluator) = kit.find_evaluator(name, rules) else { continue };
            let [here, there] = [&*position, &world].map(|position| quick(&*evaluator, position, seat));
            assert!(here == there, "{at}: evaluator {name} peeks: {here:?} and {there:?}");
        }
    }
    let m = moves[rng.random_range(0..moves.len())];
    let (mut played, mut redealt) = (position.clone(), world);
    played.play(m);
    redealt.play(m);
    foretold.compare(&played, &redealt, rng.clone());
    position.try_play(m).unwrap_or_else(|_| panic!("{at}: legal {m} is refused"));
    same(position, &played, at);
    // The move may have shown the mover something hidden. Values are compared where it has not.
    if played.turn() != Turn::Over
        && redealt.turn() == played.turn()
        && redealt.view(seat) == played.view(seat)
    {
        for name in kit.evaluators() {
            let Some(evaluator) = kit.find_evaluator(name, rules) else { continue };
            let (a, b) = (evaluator.value(&played, seat), evaluator.value(&redealt, seat));
            assert!((0.0..=1.0).contains(&a), "{at}: evaluator {name} says {a}");
            assert!(a.to_bits() == b.to_bits(), "{at}: evaluator {name} peeks: {a} and {b}");
        }
    }
    m
}

/// [`Game::play_at_random`] comes to the same as one random move after another, as often: what the seats see then, or what the end is
/// worth to them, is sorted into bins at random.
fn stretches<G: Game>(position: &G, rng: &mut Rng, at: &str) {
    const DRAWS: u32 = 60;
    let mut bins = [[0.0; 8]; 2];
    let mut buffer = Vec::new();
    for (way, counts) in bins.iter_mut().enumerate() {
        for _ in 0..DRAWS {
            let mut end = position.clone();
            if way == 0 {
                end.play_at_random(&mut buffer, rng);
            }
            while let Turn::Player(seat) = end.turn() {
                assert!(way == 1, "{at}: play_at_random stops where it is the turn of seat {seat}");
                let m = end.random_move(&mut buffer, rng);
                end.play(m);
            }
            let seats = 0..end.seats();
            let found = match end.turn() {
                Turn::Over => fingerprint(&seats.map(|seat| end.utility(seat).to_bits()).collect::<Vec<_>>()),
                _ => fingerprint(&seats.map(|seat| end.view(seat)).collect::<Vec<_>>()),
            };
            counts[found as usize % counts.len()] += 1.0;
        }
    }
    let [quick, slow] = bins;
    let seen = quick.iter().zip(&slow).filter(|(a, b)| *a + *b > 0.0);
    let cells: Vec<f64> = seen.map(|(a, b): (&f64, &f64)| (a - b).powi(2) / (a + b)).collect();
    let chi: f64 = cells.iter().sum();
    assert!(
        cells.len() < 2 || chi < chi_square_limit(cells.len() - 1),
        "{at}: play_at_random does not play as random_move does: chi-square {chi:.1} of {quick:?} and {slow:?}"
    );
}

/// What an evaluator says of a decision by its quicker ways, with values as bits.
fn quick<G: Tools>(evaluator: &dyn Evaluator<G>, position: &G, seat: Seat) -> impl PartialEq + Debug {
    let (mut list, mut values) = (StepList::default(), Vec::new());
    let lists = evaluator.steps(position, seat, &mut list, &mut values);
    let steps: Vec<Vec<G::Move>> = list.iter().map(<[G::Move]>::to_vec).collect();
    let values: Vec<u64> = values.into_iter().map(f64::to_bits).collect();
    let steps = lists.then_some((steps, values));
    (evaluator.decision(position, seat).map(f64::to_bits), evaluator.quiescent(position), steps)
}

fn steps<G: Tools>(position: &G, world: &G, seat: usize, at: &str) {
    let (mut list, mut other) = (StepList::default(), StepList::default());
    position.steps(&mut list);
    world.steps(&mut other);
    assert!(!list.is_empty(), "{at}: no steps");
    assert!(list.iter().eq(other.iter()), "{at}: steps depend on what is hidden");
    for step in list.iter() {
        assert!(!step.is_empty(), "{at}: an empty step");
        let mut after = position.clone();
        for &m in step {
            assert!(after.turn() == Turn::Player(seat), "{at}: step {step:?} outlasts the turn");
            assert!(after.try_play(m).is_ok(), "{at}: step {step:?} has an illegal move");
        }
    }
}
