//! Quick ways against slow ones: play of all-random games, learned values, and exact answers on short decks.

use super::{GameTarget, of_any_game};
use crate::choices::Choices;
use crate::random;
use knave::games::{CardGame, Tally as _};
use knave_agents::rng::Streams;
use knave_agents::testkit::random_game;
use knave_agents::{DealSolver, Event, Objective, Sense, StepList, Turn, Verdict, played, verdict};
use rand::Rng as _;
use rand::seq::SliceRandom as _;
use std::collections::HashMap;

/// Random games on the quick path, where there is one, against games move by move: ends, counts of moves and tallies.
pub fn fast_random(choices: &mut Choices<'_>) {
    // Games without a quick path have nothing to be checked.
    struct Fast;
    impl GameTarget for Fast {
        fn run<G: CardGame>(&self, choices: &mut Choices<'_>) {
            let (rules, _) = random::rules::<G>(choices);
            let Some(fast) = G::fast_random(&rules) else { return };
            let count = 1 + choices.below(fast.batch);
            // Games at once are dealt from as many cards.
            let cards = random::deal::<G>(&rules, choices, 5).1.len();
            let mut rng = choices.rng();
            let mut deal = || {
                let mut deck = G::full_deck();
                deck.shuffle(&mut rng);
                G::from_deck(&rules, &deck[..cards])
            };
            let Ok(starts) = (0..count).map(|_| deal()).collect::<Result<Vec<G>, _>>() else { return };
            let seats = starts[0].seats();
            let seed = choices.rng().next_u64();
            let streams: Vec<Streams> = (0..count as u64).map(|game| Streams::new(seed, game)).collect();
            let (mut quick, mut tally, mut moves) =
                (starts.clone(), G::Tally::new(&rules), vec![0; count * seats]);
            (fast.play)(&mut quick, &streams, &mut tally, &mut moves);
            let mut slow_tally = G::Tally::new(&rules);
            for ((start, quick), (streams, moves)) in
                starts.iter().zip(&quick).zip(streams.iter().zip(moves.chunks(seats)))
            {
                let (end, slow_moves) = random_game(start.clone(), *streams, |position, event| {
                    if let Event::Move(_, m) = event {
                        assert!(position.is_legal(*m), "{}: the random move {m} is not legal", G::NAME);
                    }
                    slow_tally.event(position, event);
                });
                slow_tally.finish(&end, |seat| end.won(seat));
                tally.finish(quick, |seat| quick.won(seat));
                for seat in 0..seats {
                    assert_eq!(quick.score(seat), end.score(seat), "{}: score of seat {seat}", G::NAME);
                    assert_eq!(quick.won(seat), end.won(seat), "{}: winners", G::NAME);
                    assert_eq!(quick.utility(seat), end.utility(seat), "{}: utilities", G::NAME);
                }
                assert_eq!((quick.end(), moves), (end.end(), &slow_moves[..]), "{}: end and moves", G::NAME);
            }
            let counts = |tally: &mut G::Tally| {
                tally.counts().into_iter().map(|part| part.to_vec()).collect::<Vec<_>>()
            };
            assert_eq!(counts(&mut tally), counts(&mut slow_tally), "{}: tallies", G::NAME);
        }
    }
    of_any_game(&Fast, choices);
}

/// The values of all steps of a decision at once, and of the best one, against the value of each; and what an evaluator remembers
/// against one that is asked for the first time.
pub fn values(choices: &mut Choices<'_>) {
    struct Values;
    impl GameTarget for Values {
        fn run<G: CardGame>(&self, choices: &mut Choices<'_>) {
            // Trained values serve the default rules and many others, but random ones are often beyond all of them.
            let rules = if choices.once_in(2) { G::Rules::default() } else { random::rules::<G>(choices).0 };
            let kit = G::kit(&rules);
            let names = kit.evaluators();
            let name = *choices.pick(&names);
            let Some(used) = kit.find_evaluator(name, &rules) else { return };
            let (mut position, _) = random::deal::<G>(&rules, choices, 4);
            let depth = choices.below(20);
            random::play_on(&mut position, depth, choices);
            // In doubles an answer is valued before those of others, whose cards are hidden. Its own tests compare
            // the two where nobody is left to answer.
            let alone_too = G::NAME != "doubles";
            let (mut steps, mut values) = (StepList::default(), Vec::new());
            let (mut same_steps, mut same_values) = (StepList::default(), Vec::new());
            for _ in 0..3 {
                let Turn::Player(seat) = position.turn() else { return };
                let fresh = kit.find_evaluator(name, &rules);
                let Some(fresh) = fresh else { return };
                if used.steps(&position, seat, &mut steps, &mut values) {
                    assert_eq!(steps.len(), values.len(), "{}, {name}: values of steps", G::NAME);
                    assert!(fresh.steps(&position, seat, &mut same_steps, &mut same_values));
                    assert!(
                        steps.iter().eq(same_steps.iter()),
                        "{}, {name}: steps remembered and fresh",
                        G::NAME
                    );
                    assert_eq!(values.len(), same_values.len(), "{}, {name}: remembered and fresh", G::NAME);
                    for (step, (&value, &same)) in steps.iter().zip(values.iter().zip(&same_values)) {
                        close(value, same, &format!("{}, {name}: {step:?} remembered and fresh", G::NAME));
                    }
                    for (step, &value) in steps.iter().zip(&values).filter(|_| alone_too) {
                        let after = played(&position, step);
                        let over = after.turn() == Turn::Over;
                        let alone = if over { after.utility(seat) } else { fresh.value(&after, seat) };
                        close(value, alone, &format!("{}, {name}: {step:?} at once and alone", G::NAME));
                    }
                }
                let alone = fresh.value(&position, seat);
                close(
                    used.value(&position, seat),
                    alone,
                    &format!("{}, {name}: remembered and fresh", G::NAME),
                );
                let more = choices.below(6);
                random::play_on(&mut position, 1 + more, choices);
            }
        }
    }
    of_any_game(&Values, choices);
}

/// Sums in another order may differ in the last digits.
fn close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-9, "{what}: {a} and {b}");
}

/// The answers of a game's solvers against brute force over every move, on decks that are short enough.
pub fn solvers(choices: &mut Choices<'_>) {
    struct Solvers;
    impl GameTarget for Solvers {
        fn run<G: CardGame>(&self, choices: &mut Choices<'_>) {
            let (rules, _) = random::rules::<G>(choices);
            let objectives = G::kit(&rules).objectives;
            if objectives.is_empty() {
                return;
            }
            let objective = choices.pick(&objectives);
            // What is sought is no rule of the deal.
            if (objective.check)(&rules).is_err() || objective.unknown.is_some() {
                return;
            }
            let mut deck = random::deck::<G>(choices, usize::MAX);
            let most = if G::NAME == "dungeon" { 9 } else { 34 };
            deck.truncate(1 + choices.below(most));
            let Ok(deal) = G::from_deck(&rules, &deck) else { return };
            solve(objective, &rules, &deal);
        }
    }
    of_any_game(&Solvers, choices);
}

fn solve<G: CardGame>(objective: &Objective<G>, rules: &G::Rules, deal: &G) {
    let Some(best) = best(deal, objective, &mut HashMap::new()) else { return };
    let mut solver: Box<dyn DealSolver<G>> = (objective.solver)();
    let answer = solver.solve(rules, deal, u64::MAX);
    let what = format!("{}, {}", G::NAME, objective.name);
    let expected = match objective.sense {
        Sense::Whether if best == 0 => Verdict::Unsolvable,
        _ => Verdict::Solved(best),
    };
    assert_eq!(verdict(answer.reached, answer.bound), expected, "{what}");
    let Some(line) = &answer.line else {
        return assert_eq!(expected, Verdict::Unsolvable, "{what}: no line");
    };
    let end = line.replay(deal.clone()).unwrap_or_else(|| panic!("{what}: its line cannot be played"));
    assert_eq!(worth(&end, objective), best, "{what}: its line reaches something else");
    // With less work an answer is wider, never wrong.
    let half = solver.solve(rules, deal, answer.nodes / 2);
    assert!(
        half.reached.is_none_or(|reached| objective.sense.at_least(best, reached)),
        "{what}: reached too much"
    );
    assert!(half.bound.is_none_or(|bound| objective.sense.at_least(bound, best)), "{what}: bound too tight");
}

/// What the end of a game is worth to an objective.
fn worth<G: CardGame>(end: &G, objective: &Objective<G>) -> i64 {
    if objective.sense == Sense::Whether { i64::from(end.won(0)) } else { end.score(0) }
}

/// The best that can be reached, by trying every move; nothing when there are too many positions.
fn best<G: CardGame>(
    position: &G,
    objective: &Objective<G>,
    seen: &mut HashMap<(G::View, Vec<knave::cards::Card>), i64>,
) -> Option<i64> {
    if position.turn() == Turn::Over {
        return Some(worth(position, objective));
    }
    let key = (position.view(0), position.cards());
    if let Some(&known) = seen.get(&key) {
        return Some(known);
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut found = i64::MIN;
    if moves.is_empty() {
        let mut next = position.clone();
        next.roll(&mut Choices::new(&[]).rng());
        found = best(&next, objective, seen)?;
    }
    for m in moves {
        found = found.max(best(&played(position, &[m]), objective, seen)?);
    }
    seen.insert(key, found);
    (seen.len() <= 4_000).then_some(found)
}
