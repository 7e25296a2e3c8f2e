//! The best fair play of small games against brute force over single moves.

use super::*;
use crate::verslun::listing::listing;
use knave_agents::exact::Payoff;
use knave_agents::exact::optimum::Optimum;
use knave_agents::testkit::best_fair_value;

/// One column and two, cards by suit and by suit or rank, with redeals where enough cards are left.
#[test]
fn small_games_agree_with_brute_force() {
    let payoff: Payoff<Verslun> = |end, seat| end.score(seat) as f64;
    let mut deck: Vec<Card> = cards("2C 5C 9C KC AC 3D 7D TD 4H 8H QH 6S JS");
    let mut rng = Rng::new(32);
    for (columns, matching, cards, cases) in
        [(1, Match::Suit, 9, 6), (1, Match::SuitOrRank, 9, 3), (2, Match::Suit, 13, 3)]
    {
        let rules = Rules { columns, hand: 4, matching, ..Rules::default() };
        for _ in 0..cases {
            deck.shuffle(&mut rng);
            let start = Verslun::from_deck(&rules, &deck[..cards]).unwrap();
            let (_, value) =
                Optimum::new(&vec![(start.clone(), 1.0)], &listing(), payoff, 1_000_000).unwrap();
            let expected = best_fair_value(&start, payoff);
            assert!(
                (value - expected).abs() < 1e-9,
                "{value}, not {expected}: {:?} {rules:?}",
                &deck[..cards]
            );
        }
    }
}
