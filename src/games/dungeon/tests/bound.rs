//! The bound on fair play against brute force over every move of a tree of decks, and against the exact value of fair play
//! on mini-decks.

use super::*;
use crate::games::dungeon::bound::{DeckTrees, bounding};
use std::collections::HashMap;

/// The most that play of these decks wins on average, by single moves, every one of them tried. All look the same until
/// as many cards have been seen as the first stage says.
fn brute_force(decks: &[Dungeon], stages: &[(usize, usize)], cards: usize) -> f64 {
    let first = &decks[0];
    let mean = |parts: &mut dyn Iterator<Item = f64>| {
        let parts: Vec<f64> = parts.collect();
        parts.iter().sum::<f64>() / parts.len() as f64
    };
    if let Some((&(shared, branches), rest)) = stages.split_first()
        && cards - first.pile.unseen().len() > shared
    {
        let each = decks.len() / branches;
        return mean(&mut decks.chunks(each).map(|branch| brute_force(branch, rest, cards)));
    }
    match first.turn() {
        Turn::Over => mean(&mut decks.iter().map(|deck| f64::from(u8::from(deck.won(0))))),
        Turn::Player(_) => {
            let mut moves = Vec::new();
            first.moves(&mut moves);
            let mut best = 0.0;
            for m in moves {
                let next: Vec<Dungeon> = decks
                    .iter()
                    .cloned()
                    .map(|mut deck| {
                        deck.play(m);
                        deck
                    })
                    .collect();
                best = f64::max(best, brute_force(&next, stages, cards));
            }
            best
        }
        _ => {
            let next: Vec<Dungeon> = decks
                .iter()
                .cloned()
                .map(|mut deck| {
                    deck.roll(&mut Rng::new(1));
                    deck
                })
                .collect();
            brute_force(&next, stages, cards)
        }
    }
}

fn deck(cards: usize, rng: &mut Rng) -> Vec<Card> {
    let mut deck = DECK;
    deck.shuffle(rng);
    deck[..cards].to_vec()
}

/// These rules with the least health that wins the deck.
fn with_least_health(rules: Rules, deck: &[Card]) -> Rules {
    let deal = Dungeon::from_deck(&rules, deck).unwrap();
    let objective = clairvoyant::objectives().into_iter().find(|other| other.name == "health").unwrap();
    let least = (objective.solver)().solve(&rules, &deal, u64::MAX).reached.unwrap();
    Rules { health: least as u8, ..rules }
}

/// The search of a tree agrees with brute force over every move; the decks begin as they should, and the first is the
/// deal's own.
#[test]
fn the_search_agrees_with_brute_force() {
    let mut rng = Rng::new(41);
    let (mut between, mut two) = (0, 0);
    for case in 0..270 {
        let stages: &[(usize, usize)] = [&[(4, 3)][..], &[(5, 4)], &[(4, 2), (7, 3)]][case % 3];
        let weapon_limit = [WeaponLimit::AtMost, WeaponLimit::Below][case / 3 % 2];
        let cards = rng.random_range(6..=9);
        let own = deck(cards, &mut rng);
        // With just enough health for the own deck the others are won or not.
        let rules = with_least_health(Rules { weapon_limit, ..Rules::default() }, &own);
        let mut futures = DeckTrees::new(stages);
        let value = futures.value(&rules, &own, &mut rng);
        let decks = futures.decks();
        assert_eq!(decks.len(), stages.iter().map(|stage| stage.1).product::<usize>());
        assert!(decks[0] == own && decks.iter().all(|deck| deck[..4] == own[..4]));
        let decks: Vec<Dungeon> =
            decks.iter().map(|deck| Dungeon::from_deck(&rules, deck).unwrap()).collect();
        let expected = brute_force(&decks, stages, cards);
        assert!((value - expected).abs() < 1e-9, "{value} is not {expected}: {own:?} {rules:?}");
        between += u32::from(value > 0.0 && value < 1.0);
        two += u32::from(case % 3 == 2 && value > 0.0 && value < 1.0);
    }
    assert!(between >= 4 && two >= 1, "{between} values between 0 and 1, {two} of trees that branch twice");
}

/// The best win rate of fair play, exactly.
fn fair(position: &Dungeon, seen: &mut HashMap<View, f64>) -> f64 {
    if position.turn() == Turn::Over {
        return f64::from(u8::from(position.won(0)));
    }
    let key = position.view(0);
    if let Some(&value) = seen.get(&key) {
        return value;
    }
    let value = if let Turn::Player(_) = position.turn() {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let each = moves.into_iter().map(|m| {
            let mut next = position.clone();
            next.play(m);
            fair(&next, seen)
        });
        each.fold(0.0, f64::max)
    } else {
        let mut outcomes = Vec::new();
        position.outcomes(&mut outcomes);
        let each = outcomes.into_iter().map(|(outcome, probability)| {
            let mut next = position.clone();
            next.play_chance(outcome);
            probability * fair(&next, seen)
        });
        each.sum()
    };
    seen.insert(key, value);
    value
}

/// Weak duality on mini-decks whose fair value is known exactly: over many orders of the deck the mean of the bound lies between
/// that and the mean of the clairvoyant, up to chance. In mini-decks the order matters little, so the three lie close together;
/// that the values are right to the last digit is for the test above to see.
#[test]
fn the_bound_lies_between_fair_play_and_clairvoyance() {
    let mut rng = Rng::new(42);
    let mut open = 0;
    for _ in 0..3 {
        let mut order = deck(8, &mut rng);
        let rules = with_least_health(Rules::default(), &order);
        let exact = fair(&Dungeon::from_deck(&rules, &order).unwrap(), &mut HashMap::new());
        let deals = 800;
        let (mut clairvoyant, mut bound) = (0.0, 0.0);
        let mut bounders = [DeckTrees::new(&[]), DeckTrees::new(&[(4, 6)])];
        for _ in 0..deals {
            order.shuffle(&mut rng);
            let [one, tree] = &mut bounders;
            clairvoyant += one.value(&rules, &order, &mut rng) / f64::from(deals);
            bound += tree.value(&rules, &order, &mut rng) / f64::from(deals);
        }
        // Three standard errors of a mean of values from 0 to 1.
        let error = 3.0 * 0.5 / f64::from(deals).sqrt();
        assert!(
            bound <= clairvoyant + error && bound >= exact - error,
            "{bound} is not in {exact} to {clairvoyant}"
        );
        assert!(clairvoyant >= exact - error, "{clairvoyant} is below {exact}");
        open += u32::from(exact > 0.01 && exact < 0.99);
    }
    assert!(open >= 1, "all decks are won or lost whatever their order");
}

/// A random order of avoided cards is refused, with the option.
#[test]
fn shuffled_avoiding_has_no_bound() {
    let rules = Rules { avoid_order: AvoidOrder::Shuffled, ..Rules::default() };
    assert!((bounding().check)(&Rules::default()).is_ok());
    assert!((bounding().check)(&rules).unwrap_err().to_string().contains("avoid_order=shuffled is refused"));
}
