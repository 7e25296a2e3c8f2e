//! The hidden order of the deck: shuffles, sampled worlds and forced outcomes are uniform.

use super::*;

/// The deck is uniform, and it does not depend on when its cards are drawn.
#[test]
fn the_lazy_shuffle_is_a_shuffle() {
    let rules = Rules::default();
    let mut seen = vec![[0_u64; 44]; 44];
    let deals = 44_000;
    for index in 0..deals {
        let deal = Dungeon::deal(&rules, &mut stream(11, index, Role::Deal));
        let deck = deal.deck();
        for (place, card) in deck.iter().enumerate() {
            let id = DECK.iter().position(|other| other == card).unwrap();
            seen[place][id] += 1;
        }
        if index < 200 {
            let mut played = deal.clone();
            let mut drawn = Vec::new();
            while played.pile_len() > 0 {
                drawn.push(Card::from_id(played.pile.draw(1)[0]));
            }
            assert_eq!(drawn, deck);
        }
    }
    for (place, row) in seen.iter().enumerate() {
        testkit::frequencies(&format!("place {place}"), row, &[deals as f64 / 44.0; 44]);
    }
}

/// Sampled worlds are uniform over all orders that the view allows: unseen cards in any order; avoided
/// ones as they went under, or in any order within their four when they were shuffled.
#[test]
fn sampled_worlds_are_uniform() {
    let cases = [
        (AvoidOrder::Kept, "2C 3C 4C 5C 6C 7C 8C 9C 2H 3H 4H", &["avoid", "fight 6C bare"][..], 6),
        (AvoidOrder::Shuffled, "2C 3C 4C 5C 6C 7C 8C 9C 2H", &["avoid", "fight 6C bare"], 24),
        // One of the shuffled four has been drawn: the other three may come in any order.
        (
            AvoidOrder::Shuffled,
            "2C 3C 4C 5C 2H 3H 4H 5H 6H 7H",
            &["avoid", "drink 2H", "drink 3H", "drink 4H"],
            6,
        ),
    ];
    for (avoid_order, deck, moves, orders) in cases {
        let rules = Rules { avoid_order, ..Rules::default() };
        let view = after(rules, deck, moves).view(0);
        let mut rng = Rng::new(5);
        let mut counts = BTreeMap::new();
        let samples = 2_000 * orders;
        for _ in 0..samples {
            let mut world = Dungeon::sample_world(&view, &mut rng);
            assert_eq!(world.view(0), view);
            let settled = world.pile.order();
            let drawn: Vec<Card> =
                (0..world.pile_len()).map(|_| Card::from_id(world.pile.draw(1)[0])).collect();
            assert_eq!(settled, drawn);
            *counts.entry(drawn).or_insert(0_u64) += 1;
        }
        assert_eq!(counts.len(), orders, "{avoid_order:?}");
        let counts: Vec<u64> = counts.into_values().collect();
        testkit::frequencies("orders", &counts, &vec![2_000.0; orders]);
    }
}

/// Worlds of a series make up for each other: until the unseen cards are through, none of them is drawn again; then they are
/// shuffled anew. Each world for itself is as random as any other: over many series every card comes next equally often.
#[test]
fn worlds_of_a_series_go_through_the_unseen_cards() {
    let deck = "6C 7C 8C 9C 2C 3C 4C 5C TC JC QC 2H 3H 4H 5H 6H 7H";
    let turn = ["fight 2C bare", "fight 3C bare", "fight 4C bare"];
    let mut turned = after(Rules::default(), deck, &["avoid", turn[0], turn[1]]);
    turned.play(turned.parse_move(turn[2]).unwrap());
    let mut avoided = after(Rules::default(), deck, &[]);
    avoided.play(Move::AVOID);
    // Two cards that nobody has seen, and four below them.
    let mut few = after(Rules::default(), "6C 7C 8C 9C 2C 3C 4C 5C TC JC", &["avoid", turn[0], turn[1]]);
    few.play(few.parse_move(turn[2]).unwrap());
    for (position, drawn) in [(turned, 3), (avoided, 4), (few, 2)] {
        assert_eq!(position.turn(), Turn::Chance);
        let view = position.view(0);
        let unseen = view.pile.unseen;
        let draws = (unseen.len() / drawn) as u64;
        let mut counts = [(); 3].map(|()| BTreeMap::new());
        let (series, mut repeated) = (9_000, 0);
        for seed in 0..series {
            let seed = seed << 32;
            let mut left = unseen;
            for n in 0..draws {
                let mut world = Dungeon::nth_world(&view, seed, n);
                assert_eq!(world.view(0), view);
                let next = CardSet::from_iter(world.pile.order()[..drawn].iter().copied());
                assert_eq!((next & left).len(), drawn, "world {n} of {seed}");
                left -= next;
                let Chance::Fill(room) = world.roll(&mut Rng::new(0)) else { panic!("a room is due") };
                assert_eq!(room[..drawn].iter().map(|&id| Card::from_id(id)).collect::<CardSet>(), next);
            }
            let order = |n| Dungeon::nth_world(&view, seed, n).pile.order();
            repeated += u32::from(order(0)[..drawn] == order(draws)[..drawn]);
            for (counts, n) in counts.iter_mut().zip([0, draws - 1, draws]) {
                *counts.entry(order(n)[0]).or_insert(0_u64) += 1;
            }
        }
        assert!(f64::from(repeated) < 0.6 * series as f64, "{repeated} of {series} are not shuffled anew");
        for counts in counts {
            let each = series as f64 / unseen.len() as f64;
            let counts: Vec<u64> = counts.into_values().collect();
            testkit::frequencies("the next card", &counts, &vec![each; unseen.len()]);
        }
    }
}

/// Making an outcome come leaves the rest as random as it was: after forcing the first four cards, the
/// fifth is any other with equal probability.
#[test]
fn forced_outcomes_leave_the_rest_random() {
    let rules = Rules::default();
    let mut counts = [0_u64; 44];
    let view = Dungeon::deal(&rules, &mut Rng::new(1)).view(0);
    let mut rng = Rng::new(2);
    for _ in 0..40_000 {
        let mut world = Dungeon::sample_world(&view, &mut rng);
        world.play_chance(Chance::Fill([DECK[0].id(), DECK[9].id(), DECK[20].id(), DECK[43].id()]));
        let next = Card::from_id(world.pile.draw(1)[0]);
        counts[DECK.iter().position(|&card| card == next).unwrap()] += 1;
    }
    let possible: Vec<u64> = counts.into_iter().filter(|&n| n > 0).collect();
    assert_eq!(possible.len(), 40);
    testkit::frequencies("the next card", &possible, &[1_000.0; 40]);
}
