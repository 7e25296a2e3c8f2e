//! Hidden cards: Kuhn's poker.

use crate::prepared;
use knave_agents::rng::{Role, stream};
use knave_agents::toys::kuhn::{Kuhn, Move};
use knave_agents::{Decision, Game, Turn, registry, testkit};

const SPECS: [&str; 5] = [
    "mcts:iterations=300",
    "mcts:iterations=300,reuse=false",
    "mcts:iterations=300,steps=moves,c=1.4",
    "flat:worlds=200",
    "flat:worlds=200,steps=moves",
];

fn choice(spec: &str, position: &Kuhn, seed: u64) -> Move {
    let mut agent = prepared(&registry::general(), spec, &()).make();
    agent.begin_game();
    agent.choose(Decision::new(position, &[]), &mut stream(seed, 0, Role::Agent(0)))
}

/// Facing a bet, the king wins and the jack loses for certain. Folding the one or calling with the other
/// ignores the own card. In every world the gap is 0.75 or 0.25, so no seed may fail.
#[test]
fn nobody_folds_the_king_or_calls_with_the_jack() {
    for spec in SPECS {
        for moves in [&[Move::Bet][..], &[Move::Pass, Move::Bet]] {
            for other in 1..=3 {
                for (own, right) in [(3, Move::Bet), (1, Move::Pass)].into_iter().filter(|c| c.0 != other) {
                    let cards = if moves.len() == 1 { [other, own] } else { [own, other] };
                    for seed in 0..10 {
                        let chosen = choice(spec, &Kuhn::at(cards, moves), seed);
                        assert_eq!(chosen, right, "{spec} with {own} against {other}, seed {seed}");
                    }
                }
            }
        }
    }
}

/// The same random numbers give the same move whatever the other holds.
#[test]
fn nobody_peeks() {
    for budget in SPECS {
        testkit::all_agents_are_fair(&registry::general::<Kuhn>(), "kuhn", &(), 60, &[budget]);
    }
}

fn mean(position: &Kuhn, seat: usize) -> f64 {
    if position.turn() == Turn::Over {
        return position.utility(seat);
    }
    let after = |m| {
        let mut after = *position;
        after.play(m);
        mean(&after, seat)
    };
    f64::midpoint(after(Move::Pass), after(Move::Bet))
}

/// `flat` maximises the mean over both cards of the other, with random moves from there on. Utilities differ by
/// at most 1, so a difference of two moves has a standard error below 1 / sqrt(5000) = 0.014. Gaps over four of
/// those must never be missed.
#[test]
fn flat_is_the_best_reply_to_random_play() {
    let mut clear = 0;
    for own in 1..=3_u8 {
        for moves in [&[][..], &[Move::Pass], &[Move::Bet], &[Move::Pass, Move::Bet]] {
            let seat = moves.len() % 2;
            let value = |m| {
                let line = [moves, &[m]].concat();
                let others = (1..=3).filter(|&other| other != own);
                let cards = |other| if seat == 0 { [own, other] } else { [other, own] };
                others.map(|other| mean(&Kuhn::at(cards(other), &line), seat)).sum::<f64>() / 2.0
            };
            let gap = value(Move::Bet) - value(Move::Pass);
            if gap.abs() < 4.0 / 5000_f64.sqrt() {
                continue;
            }
            clear += 1;
            let right = if gap > 0.0 { Move::Bet } else { Move::Pass };
            let other = own % 3 + 1;
            let position = Kuhn::at(if seat == 0 { [own, other] } else { [other, own] }, moves);
            for seed in 0..3 {
                assert_eq!(choice("flat:worlds=5000", &position, seed), right, "{own} after {moves:?}");
            }
        }
    }
    assert!(clear >= 8, "only {clear} of 12 decisions are clear enough to say anything");
}
