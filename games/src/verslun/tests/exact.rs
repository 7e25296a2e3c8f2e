//! The best score with the deck known, against brute force over every single move, and its invariances.

use super::*;
use crate::verslun::clairvoyant::objectives;
use knave_agents::{Answer, Verdict, verdict};
use std::collections::HashMap;

fn solve(deal: &Verslun) -> Answer<Verslun> {
    let mut solver = (objectives()[0].solver)();
    solver.solve(&deal.board.rules, deal, u64::MAX)
}

fn value(answer: &Answer<Verslun>) -> i64 {
    match verdict(answer.reached, answer.bound) {
        Verdict::Solved(value) => value,
        other => panic!("{other:?} without a budget"),
    }
}

/// A deal with these rules of a deck of so many cards, all drawn from `rng`.
fn deal(rules: &Rules, cards: usize, rng: &mut Rng) -> Verslun {
    let mut deck = Verslun::full_deck();
    deck.shuffle(rng);
    Verslun::from_deck(rules, &deck[..cards]).unwrap()
}

/// The best score by single moves, every one of them tried in every position that differs in anything face up;
/// nothing when there are more than `most` positions.
fn best_score(position: &Verslun, most: usize, seen: &mut HashMap<(Board, usize), i64>) -> Option<i64> {
    if position.turn() == Turn::Over {
        return Some(position.score(0));
    }
    if position.turn() == Turn::Chance {
        let mut next = position.clone();
        next.roll(&mut Rng::new(1));
        return best_score(&next, most, seen);
    }
    let key = (position.board, position.pile.len());
    if let Some(&best) = seen.get(&key) {
        return Some(best);
    }
    let (mut moves, mut best) = (Vec::new(), 0);
    position.moves(&mut moves);
    for m in moves {
        let mut next = position.clone();
        next.play(m);
        best = best.max(best_score(&next, most, seen)?);
    }
    seen.insert(key, best);
    (seen.len() <= most).then_some(best)
}

/// Plays the line of an answer to its end.
fn replay(deal: &Verslun, answer: &Answer<Verslun>) -> Verslun {
    let line = answer.line.as_ref().unwrap();
    line.replay(Verslun::from_deck(&line.rules, &deal.deck()).unwrap()).unwrap()
}

fn agrees(deal: &Verslun, expected: i64) {
    let answer = solve(deal);
    let rules = deal.board.rules;
    assert_eq!(value(&answer), expected, "{rules:?} {:?}", deal.deck());
    assert_eq!(replay(deal, &answer).score(0), expected);
}

/// Protects every reduction at once, under every option: small decks agree with brute force over every move, and
/// the printed lines reach what they promise.
#[test]
fn small_decks_agree_with_brute_force() {
    let mut rng = Rng::new(21);
    let (mut settled, mut redealt) = (0, 0);
    for case in 0..240 {
        let rules = Rules {
            aces_wild: case % 3 == 1,
            matching: [Match::Suit, Match::Suit, Match::SuitOrRank][case % 3],
            hand: rng.random_range(4..=6),
            columns: rng.random_range(1..=4),
            ..Rules::default()
        };
        let cards = rules.laid_out() + rng.random_range(0..=26);
        let deal = deal(&rules, cards.min(52), &mut rng);
        if let Some(expected) = best_score(&deal, 3_000, &mut HashMap::new()) {
            agrees(&deal, expected);
            settled += 1;
            let line = solve(&deal).line.unwrap();
            redealt += u32::from(line.moves.iter().any(|m| matches!(m, Move::Redeal(_))));
        }
    }
    assert!(
        settled >= 120 && redealt >= 20,
        "{settled} settled, {redealt} with redeals: the cases must tell"
    );
}

/// Whole decks as far as brute force can settle them.
#[test]
fn whole_decks_agree_with_brute_force() {
    let mut rng = Rng::new(22);
    let mut settled = 0;
    for case in 0..40 {
        let rules = Rules { columns: [1, 1, 2, 9][case % 4], hand: [5, 4][case % 2], ..Rules::default() };
        let deal = deal(&rules, 52, &mut rng);
        if let Some(expected) = best_score(&deal, 20_000, &mut HashMap::new()) {
            agrees(&deal, expected);
            settled += 1;
        }
    }
    assert!(settled >= 15, "{settled}");
}

/// Suits are names: exchanging them changes no best score. Freer pairs never cost points, nor does one card more at the
/// bottom of the pile.
#[test]
fn best_scores_fit_together() {
    let mut rng = Rng::new(23);
    let (mut freer, mut longer) = (0, 0);
    for case in 0..40 {
        let rules = Rules { columns: [4, 3][case % 2], ..Rules::default() };
        let deal = deal(&rules, [34, 38][case % 2], &mut rng);
        let (deck, best) = (deal.deck(), value(&solve(&deal)));
        let suits = [1, 3, 0, 2];
        let renamed =
            deck.iter().map(|card| Card::from_id(suits[usize::from(card.id() >> 4)] << 4 | card.id() & 15));
        let renamed = Verslun::from_deck(&rules, &renamed.collect::<Vec<_>>()).unwrap();
        assert_eq!(value(&solve(&renamed)), best, "{deck:?}");
        let shorter = Verslun::from_deck(&rules, &deck[..deck.len() - 1]).unwrap();
        let less = value(&solve(&shorter));
        assert!(less <= best, "{deck:?}");
        longer += u32::from(less < best);
        for rules in [Rules { aces_wild: true, ..rules }, Rules { matching: Match::SuitOrRank, ..rules }] {
            let more = value(&solve(&Verslun::from_deck(&rules, &deck).unwrap()));
            assert!(more >= best, "{deck:?}");
            freer += u32::from(more > best);
        }
    }
    assert!(freer > 30 && longer > 3, "{freer} freer, {longer} longer");
}

/// Protects the promise that results do not depend on which worker solved a deal: a used solver visits the same nodes as a
/// fresh one. And that a budget that runs out is said to.
#[test]
fn answers_depend_on_the_deal_alone() {
    let mut rng = Rng::new(24);
    let mut used = (objectives()[0].solver)();
    for _ in 0..8 {
        let deal = deal(&Rules::default(), 40, &mut rng);
        let exact = used.solve(&deal.board.rules, &deal, u64::MAX);
        let fresh = solve(&deal);
        assert_eq!((exact.reached, exact.bound, exact.nodes), (fresh.reached, fresh.bound, fresh.nodes));
        for budget in [0, 1, exact.nodes - 1, exact.nodes] {
            let within = used.solve(&deal.board.rules, &deal, budget);
            assert!(within.nodes <= budget);
            let decided = verdict(within.reached, within.bound) != Verdict::Undecided;
            assert_eq!(decided, budget >= exact.nodes);
            let points = Some(ALL_POINTS.into());
            assert!((exact.bound..points).contains(&within.bound), "{:?}", within.bound);
        }
    }
}
