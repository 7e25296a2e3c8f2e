//! Hidden parts: views and sampled worlds against exhaustive enumeration.

use super::*;
use knave_agents::testkit::frequencies;
use std::collections::BTreeMap;

/// Every order of these cards.
fn orders(cards: &[Card]) -> Vec<Vec<Card>> {
    if cards.is_empty() {
        return vec![Vec::new()];
    }
    let rest = |i: usize| [&cards[..i], &cards[i + 1..]].concat();
    (0..cards.len())
        .flat_map(|i| orders(&rest(i)).into_iter().map(move |order| [vec![cards[i]], order].concat()))
        .collect()
}

/// The hidden part: the opponent's hand, and the stock, top first.
type Hidden = (CardSet, Vec<Card>);

fn hidden(position: &Columns, seat: Seat) -> Hidden {
    (position.hands[1 - seat], position.stock.cards().collect())
}

/// Every continuation of the script in every order of whatever is shuffled on the way; `seen` are the views of the
/// seat so far. Continuations that are not legal are none.
fn continuations(
    position: &Columns,
    seat: Seat,
    script: &[&str],
    seen: &mut Vec<View>,
    found: &mut dyn FnMut(&Columns, &[View]),
) {
    seen.push(position.view(seat));
    let length = seen.len();
    match position.board.due {
        Due::Reshuffle => {
            for order in orders(&position.board.stolen.into_iter().collect::<Vec<_>>()) {
                let mut next = position.clone();
                next.play_chance(Chance::Reshuffle(Order::of(order)));
                continuations(&next, seat, script, seen, found);
                seen.truncate(length);
            }
        }
        Due::Draw => {
            let mut next = position.clone();
            next.play_chance(Chance::Draw);
            continuations(&next, seat, script, seen, found);
        }
        Due::Nothing => match script.split_first() {
            None => found(position, seen),
            Some((first, rest)) => {
                let mut next = position.clone();
                if let Some(dice) = first.strip_prefix("roll ") {
                    let dice = dice.split(' ').map(|die| die.parse().unwrap()).collect();
                    let outcome = next.read_chance(&ChanceRecord::Roll(dice)).unwrap();
                    next.play_chance(outcome);
                } else if let Ok(m) = next.parse_move(first) {
                    next.play(m);
                } else {
                    return;
                }
                continuations(&next, seat, rest, seen, found);
            }
        },
    }
    seen.truncate(length - 1);
}

/// Worlds drawn for `seat` come as often as the truth is any of them: all ways to deal what is hidden from it at the start
/// (the cards of the other hand and the stock) and to shuffle what is shuffled, all equally likely, that show this seat the
/// same in every moment of the script.
fn worlds_are_exact(start: &Columns, seat: Seat, script: &[&str], at_least: usize) {
    let (known, all) = (start.view(seat).known(), start.hands[1 - seat]);
    let held: Vec<Card> = all.into_iter().filter(|&card| !known.contains(card)).collect();
    let size = held.len();
    let pool: Vec<Card> = held.into_iter().chain(start.stock.cards()).collect();
    let mut by_views: BTreeMap<String, BTreeMap<Hidden, u64>> = BTreeMap::new();
    let mut views: BTreeMap<String, View> = BTreeMap::new();
    // A hand has no order: one of them will do.
    for order in orders(&pool).into_iter().filter(|order| order[..size].is_sorted()) {
        let mut position = start.clone();
        position.hands[1 - seat] = order[..size].iter().copied().chain(known).collect();
        position.stock = Stock::new(Order::of(order[size..].iter().copied()));
        continuations(&position, seat, script, &mut Vec::new(), &mut |end, seen| {
            let key = format!("{seen:?}");
            *by_views.entry(key.clone()).or_default().entry(hidden(end, seat)).or_default() += 1;
            views.entry(key).or_insert_with(|| end.view(seat));
        });
    }
    assert!(!views.is_empty(), "the script is never legal");
    // What the seat drew itself makes histories of different views; the first and the last stand for all.
    let mut rng = Rng::new(77);
    let picks = [by_views.first_key_value().unwrap(), by_views.last_key_value().unwrap()];
    for (key, worlds) in picks {
        assert!(worlds.len() >= at_least, "{} worlds test little", worlds.len());
        let total: u64 = worlds.values().sum();
        let samples = 200 * worlds.len() as u64;
        let mut counts: BTreeMap<Hidden, u64> = worlds.keys().map(|world| (world.clone(), 0)).collect();
        for _ in 0..samples {
            let world = Columns::sample_world(&views[key], &mut rng);
            assert_eq!(world.view(seat), views[key]);
            let count = counts.get_mut(&hidden(&world, seat));
            *count.unwrap_or_else(|| panic!("an impossible world: {:?}", hidden(&world, seat))) += 1;
        }
        let expected: Vec<f64> = worlds.values().map(|&n| n as f64 * samples as f64 / total as f64).collect();
        frequencies("worlds", &counts.into_values().collect::<Vec<_>>(), &expected);
    }
}

/// Cards that nobody has seen, some of them played by the opponent and then drawn anew.
#[test]
fn worlds_before_a_reshuffle() {
    let columns = [["2C", "7D", "", ""], ["9C", "9D", "", ""]];
    let hands = ["3C 3D 5H AC AD AH 8S", "TC JC QC KC TD JD QD"];
    let mut start = made_up(Rules::default(), columns, hands, "4C 6H 6S", "");
    start.revealed = set("AC AD AH 8S");
    let roll = ["roll 2 1 1", "place a2 b1 c1", "done"];
    worlds_are_exact(&start, 1, &roll, 120);
    let script = [&roll[..], &["play a 3C", "done", "roll 1 1 1"]].concat();
    worlds_are_exact(&start, 1, &script, 20);
    let script = [&roll[..], &["play a AC", "done", "roll 1 1 1"]].concat();
    worlds_are_exact(&start, 1, &script, 30);
    start.revealed = set("TC JC QC KC");
    worlds_are_exact(&start, 0, &roll, 120);
}

/// After a reshuffle the opponent's hand is known as far as it was there before, and nothing is known of what was
/// drawn since, until it is played.
#[test]
fn worlds_after_a_reshuffle() {
    let columns = [["2C", "7D", "", ""], ["9C", "9D", "", ""]];
    let hands = ["3C 4D AC AD AH", "TC JC QC KC TD JD QD"];
    let start = made_up(Rules::default(), columns, hands, "5C 6H", "2D 2H 8C 8H 8D");
    let script = ["roll 2 1 1", "place a2 b1 c1", "done", "play a 3C", "play a 4D", "done"];
    // Both draw: seat 0 the two cards of the stock and two of five.
    worlds_are_exact(&start, 1, &script, 60);
    let script = [&script[..], &["roll 6 1 1", "place a6 b1 c1"]].concat();
    worlds_are_exact(&start, 1, &script, 60);
    // A card that was known is played, and one that was not.
    worlds_are_exact(&start, 1, &[&script[..], &["play a AC"]].concat(), 60);
    worlds_are_exact(&start, 1, &[&script[..], &["play a 2D"]].concat(), 24);
    // The other seat knows all of the hand that does not change.
    worlds_are_exact(&start, 0, &script, 6);
}

/// A reshuffle during a draw in mid-play.
#[test]
fn worlds_after_a_draw_in_mid_play() {
    let columns = [["2C", "7D", "", ""], ["9C TC", "9S 9D", "", ""]];
    let mut start =
        made_up(Rules::default(), columns, ["9H", "JC QC KC TD JD QD KD"], "", "2D 2H 8C 8H 8D 8S");
    act(&mut start, &["roll 2 1 1", "place a2 b1 c1", "done"]);
    start.hands[0] = set("9H");
    start.stock = Stock::new(Order::of(cards("4C 5C")));
    let script = ["steal b 9H"];
    // The two cards of the stock are known to be in the hand; five of nine others are.
    let mut position = start.clone();
    act(&mut position, &script);
    position.roll(&mut Rng::new(1));
    assert_eq!((position.view(1).known(), position.view(1).unseen.len()), (set("4C 5C"), 9));
    let mut counts = BTreeMap::new();
    let mut rng = Rng::new(3);
    for _ in 0..126 * 200 {
        let world = Columns::sample_world(&position.view(1), &mut rng);
        assert_eq!(world.hands[0].len(), HAND);
        *counts.entry(world.hands[0]).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 126, "the ways to choose five of nine");
    frequencies("hands", &counts.into_values().collect::<Vec<_>>(), &[200.0; 126]);
}

/// No event tells more than the view: with the same view the same moves are legal, and what is hidden may be any world.
#[test]
fn views_hide_hands_and_stock() {
    let position = Columns::deal(&Rules::default(), &mut Rng::new(5));
    let mut redealt = position.clone();
    redealt.hands[1] = CardSet::EMPTY;
    let mut hidden: Vec<Card> = position.hands[1].into_iter().chain(position.stock.cards()).collect();
    hidden.reverse();
    redealt.hands[1] = hidden[..HAND].iter().copied().collect();
    redealt.stock = Stock::new(Order::of(hidden[HAND..].iter().copied()));
    assert_eq!(position.view(0), redealt.view(0));
    assert_ne!(position.view(1), redealt.view(1));
    assert_eq!((position.view(0).other_count(), position.view(0).known()), (HAND, CardSet::EMPTY));
}
