//! The best fair play of small dungeons against brute force over single moves.

use super::*;
use crate::dungeon::listing::listing;
use knave_agents::exact::Payoff;
use knave_agents::exact::optimum::Optimum;
use knave_agents::testkit::best_fair_value;

const WINS: Payoff<Dungeon> = |end, _| f64::from(u8::from(end.won(0)));
const SCORE: Payoff<Dungeon> = |end, seat| end.score(seat) as f64;

/// Every deck has a pair of monsters that differ in nothing but their suit. Rooms are filled from avoided cards too, in a
/// known order and in an unknown one.
#[test]
fn small_dungeons_agree_with_brute_force() {
    let mut rng = Rng::new(31);
    let (mut undecided, cases) = (0, 8);
    for case in 0..cases {
        let mut deck = cards("7C 7S");
        let mut others: Vec<Card> = DECK.iter().copied().filter(|card| !deck.contains(card)).collect();
        others.shuffle(&mut rng);
        deck.extend(&others[..5]);
        let shuffled = case % 4 == 3;
        let rules = Rules {
            health: rng.random_range(8..=20),
            avoid_order: if shuffled { AvoidOrder::Shuffled } else { AvoidOrder::Kept },
            objective: if case % 2 == 0 { Aim::Win } else { Aim::Score },
            ..Rules::default()
        };
        let start = Dungeon::from_deck(&rules, &deck).unwrap();
        let payoff = if case % 2 == 0 { WINS } else { SCORE };
        let (optimum, value) =
            Optimum::new(&vec![(start.clone(), 1.0)], &listing(), payoff, 1_000_000).unwrap();
        let expected = best_fair_value(&start, payoff);
        assert!((value - expected).abs() < 1e-9, "{value}, not {expected}: {deck:?} {rules:?}");
        undecided += usize::from(optimum.positions() > 20 && value != 1.0 && value != 0.0);
    }
    assert!(undecided >= cases / 2, "{undecided} of {cases} tell anything");
}
