//! The hidden order of the deck: shuffles, sampled worlds and random events are what they should be.

use super::*;
use knave_agents::testkit;

/// The deck is uniform, and it does not depend on when its cards are drawn.
#[test]
fn the_lazy_shuffle_is_a_shuffle() {
    let rules = Rules::default();
    let mut seen = vec![[0_u64; 52]; 52];
    let full = Verslun::full_deck();
    let deals = 26_000;
    for index in 0..deals {
        let deal = Verslun::deal(&rules, &mut stream(11, index, Role::Deal));
        let deck = deal.deck();
        for (place, card) in deck.iter().enumerate() {
            seen[place][full.binary_search(card).unwrap()] += 1;
        }
        if index < 200 {
            let mut pile = deal.pile.clone();
            let drawn = (0..pile.len()).flat_map(|_| pile.draw(1)).collect::<Vec<_>>();
            assert_eq!(drawn, deck[16..]);
            let mut pile = deal.pile.clone();
            assert_eq!(pile.draw(30), deck[16..46].iter().copied().collect());
            let column = Verslun::from_deck(&rules, &deck).unwrap().board;
            assert_eq!(column.columns, deal.board().columns);
        }
    }
    for (place, row) in seen.iter().enumerate() {
        testkit::frequencies(&format!("place {place}"), row, &[deals as f64 / 52.0; 52]);
    }
}

/// Sampled worlds are uniform over all orders of the unseen cards, before the first draw and after one.
#[test]
fn sampled_worlds_are_uniform() {
    let rules = Rules { columns: 1, hand: 4, ..Rules::default() };
    let fresh = Verslun::from_deck(&rules, &cards("2C 3C 4C 5C 6C 7C 8C 9C")).unwrap();
    let drawn = after(rules, "2C 3C 4C 5C 6C 7C 8C 9C 2H 3H 4H 5H", "draw, claim a 6C 7C");
    for (position, orders) in [(fresh, 24), (drawn, 24)] {
        let view = position.view(0);
        let mut rng = Rng::new(5);
        let mut counts = BTreeMap::new();
        for _ in 0..1_000 * orders {
            let mut world = Verslun::sample_world(&view, &mut rng);
            assert_eq!(world.view(0), view);
            let settled = world.pile.deck();
            let order: Vec<Card> = (0..world.pile_len()).flat_map(|_| world.pile.draw(1)).collect();
            assert_eq!(settled, order);
            *counts.entry(order).or_insert(0_u64) += 1;
        }
        assert_eq!(counts.len(), orders);
        let counts: Vec<u64> = counts.into_values().collect();
        testkit::frequencies("orders", &counts, &vec![1_000.0; orders]);
    }
}

/// Outcomes agree with what sampled worlds roll and do not depend on what is hidden, in games of full
/// decks as far as they can be listed, and for a redeal of a small deck.
#[test]
fn outcomes_are_exact() {
    testkit::enumeration::<Verslun>(&[Rules::default(), Rules { columns: 9, ..Rules::default() }], 60);
    let rules = Rules { columns: 1, hand: 4, ..Rules::default() };
    let mut position =
        after(rules, "2C 3C 4C 5C 6C 2H 3H 4H  2D 3D 4D 5D 6D 7D 8D 9D TD", "draw, claim a 6C, on, stay");
    position.play(Move::Redeal(0));
    let mut outcomes = Vec::new();
    position.outcomes(&mut outcomes);
    let count = 9 * 8 * 7 * 6 * 5;
    assert_eq!((outcomes.len() as u64, position.outcome_count()), (count, count));
    let mut counts: BTreeMap<_, u64> = BTreeMap::new();
    let sorted = |outcome| match outcome {
        Chance::Deal { column, hand } => (column, hand),
        Chance::Draw(_) => panic!("a column is due"),
    };
    for &(outcome, probability) in &outcomes {
        assert!((probability * count as f64 - 1.0).abs() < 1e-12);
        counts.insert(sorted(outcome), 0);
    }
    assert_eq!(counts.len(), outcomes.len(), "an outcome comes twice");
    let view = position.view(0);
    let mut rng = Rng::new(8);
    for _ in 0..20 * count {
        let outcome = Verslun::sample_world(&view, &mut rng).roll(&mut Rng::new(0));
        *counts.get_mut(&sorted(outcome)).unwrap() += 1;
    }
    testkit::frequencies("deals", &counts.into_values().collect::<Vec<_>>(), &vec![20.0; outcomes.len()]);
}

/// Making an outcome come leaves the rest as random as it was: the next card is any other with equal
/// probability.
#[test]
fn forced_outcomes_leave_the_rest_random() {
    let deal = Verslun::deal(&Rules::default(), &mut Rng::new(1));
    let full = Verslun::full_deck();
    let mut deal = deal;
    deal.play(Move::Draw);
    let unseen: Vec<Card> = deal.unseen().into_iter().collect();
    let view = deal.view(0);
    let outcome = Chance::Draw(unseen.iter().step_by(8).copied().collect());
    let mut counts = [0_u64; 52];
    let mut rng = Rng::new(2);
    for _ in 0..31_000 {
        let mut world = Verslun::sample_world(&view, &mut rng);
        world.play_chance(outcome);
        let next = world.pile.draw(1).into_iter().next().unwrap();
        counts[full.binary_search(&next).unwrap()] += 1;
    }
    let possible: Vec<u64> = counts.into_iter().filter(|&n| n > 0).collect();
    assert_eq!(possible.len(), 31);
    testkit::frequencies("next card", &possible, &[1_000.0; 31]);
}
