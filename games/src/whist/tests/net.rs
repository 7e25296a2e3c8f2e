//! The learned evaluator `net` and its features.

use super::*;
use knave_agents::StepList;
use knave_agents::learn::Features;
use knave_agents::played;
use std::collections::BTreeSet;

fn features(position: &Whist, seat: Seat) -> Vec<u16> {
    let mut out = Vec::new();
    position.features(seat, &mut out);
    out
}

/// In every position of 60 random games under all rules, for every seat: the features are within their bounds, those of
/// another world that the seat cannot tell apart are the same, and every card that somebody holds is there once. Under the
/// default rules they are ascending, but for that of the rules, which makes them quick to compare.
#[test]
fn features_tell_what_a_seat_knows() {
    let mut seen = BTreeSet::new();
    for index in 0..60 {
        let mut rng = stream(71, index, Role::Deal);
        let rules = all_rules()[index as usize % 12];
        let mut position = Whist::deal(&rules, &mut rng);
        while let Turn::Player(turn) = position.turn() {
            for seat in 0..4 {
                let known = features(&position, seat);
                assert!(rules != Rules::default() || known[1..].is_sorted(), "{known:?}");
                assert!(known.iter().all(|&feature| usize::from(feature) < Whist::INPUTS));
                // A card is the seat's own, with another, or gone.
                let held: usize = (0..4).map(|seat| position.hand(seat).len()).sum();
                let cards: Vec<u16> =
                    known.iter().copied().filter(|&feature| feature < 2 * 3 * 104).collect();
                assert_eq!(cards.len(), held);
                assert_eq!(cards.into_iter().collect::<BTreeSet<_>>().len(), held, "{known:?}");
                if seat == turn {
                    let other = Whist::sample_world(&position.view(seat), &mut rng);
                    assert_eq!(features(&other, seat), known);
                }
                seen.extend(known);
            }
            let m = position.random_move(&mut Vec::new(), &mut rng);
            position.play(m);
        }
    }
    assert!(seen.len() > 400, "{} features came up", seen.len());
}

/// An own card is told by the cards of its suit with others that beat it and that it beats: the 9 of clubs is beaten by the king
/// and, as the jack is a scoundrel, by that. Once the king has been played it stands as well as the queen, which the jack beats, too.
#[test]
fn own_cards_are_told_by_their_standing() {
    let position = after(Rules::default(), ["7H 9C TC", "3H 3C JC", "4H 4C KC", "2H QH 7D"], "7H 3H 4H 2H");
    let of = |card: &str, others: &str| {
        position.standing_of(card.parse().unwrap(), cards(others).into_iter().collect())
    };
    assert_eq!(of("9C", "3C 4C JC KC"), of("TC", "2C 3C JC QC"));
    assert_ne!(of("9C", "3C 4C JC KC"), of("9C", "3C 4C JC"));
    assert_eq!(of("9C", "3C 4C JC"), of("QC", "3C 4C JC"));
    assert_ne!(of("9C", "3C 4C JC"), of("9C", "3C 4C TS"));
    assert_eq!(of("JC", "3C 4C KC"), None);
    let told: Vec<u16> = ["9C", "TC"].map(|card| of(card, "3C JC 4C KC").unwrap()).to_vec();
    assert!(told.iter().all(|feature| features(&position, 0).contains(feature)));
}

/// Suits that play the same part are told alike: with red trumps, hearts and diamonds exchanged throughout change
/// nothing, but a black suit in place of a red one does.
#[test]
fn suits_of_the_same_part_share_their_features() {
    let told = |hands, played| features(&after(Rules::default(), hands, played), 0);
    let hearts = told(["2D 5C 7H", "3D 6C 9S", "4D 8C TS", "QC KD AH"], "7H 9S TS AH");
    let diamonds = told(["2H 5C 7D", "3H 6C 9S", "4H 8C TS", "QC KH AD"], "7D 9S TS AD");
    assert_eq!(hearts, diamonds);
    let spades = told(["2D 5C 7S", "3D 6C 9H", "4D 8C TH", "QC KD AS"], "7S 9H TH AS");
    assert_ne!(hearts, spades);
}

/// The shipped model must be readable, serve all rules, and know what is good: to have won three low cards is better than to have
/// won three high ones.
#[test]
fn the_shipped_value_knows_low_cards_from_high_ones() {
    let net = Whist::kit(&Rules::default()).find_evaluator("net", &Rules::default()).unwrap();
    for rules in all_rules() {
        assert!(Whist::kit(&rules).find_evaluator("net", &rules).is_some(), "{rules:?}");
    }
    let low = after(Rules::default(), ["7H 9C TC", "3H 3S 8S", "4H 4C 8C", "2H QH 7D"], "7H 3H 4H 2H");
    let high = after(Rules::default(), ["AH 9C TC", "KH 3S 8S", "QH 4C 8C", "TH 2H 7D"], "AH KH QH TH");
    assert!(net.value(&low, 0) > net.value(&high, 0) + 0.1);
    assert_eq!(net.quiescent(&low), Some(true));
}

/// The values of all steps of a decision, found at once, agree with the values of the positions after them.
#[test]
fn steps_are_worth_what_they_leave_behind() {
    let (mut steps, mut listed, mut values) = (StepList::default(), StepList::default(), Vec::new());
    for index in 0..24 {
        let rules = all_rules()[index as usize % 12];
        let net = Whist::kit(&rules).find_evaluator("net", &rules).unwrap();
        let mut rng = stream(42, index, Role::Deal);
        let mut position = Whist::deal(&rules, &mut rng);
        while let Turn::Player(seat) = position.turn() {
            assert!(net.steps(&position, seat, &mut steps, &mut values));
            position.steps(&mut listed);
            assert!(listed.iter().eq(steps.iter()));
            for (step, &value) in steps.iter().zip(&values) {
                let after = played(&position, step);
                let right = match after.turn() {
                    Turn::Over => after.utility(seat),
                    _ => net.value(&after, seat),
                };
                assert_eq!(right, value);
            }
            let m = position.random_move(&mut Vec::new(), &mut rng);
            position.play(m);
        }
    }
}
