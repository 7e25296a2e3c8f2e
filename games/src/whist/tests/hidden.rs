//! Hidden parts: sampled worlds against enumeration and exact counts.

use super::*;
use knave_agents::Event;
use knave_agents::testkit::frequencies;
use std::collections::BTreeMap;

/// A real game up to some card, and what happened in it.
fn played(rules: &Rules, deck: &[Card], cards: usize, rng: &mut Rng) -> (Whist, Vec<Card>) {
    let mut position = Whist::from_deck(rules, deck).unwrap();
    let mut record = Vec::new();
    for _ in 0..cards {
        let m = position.random_move(&mut Vec::new(), rng);
        position.play(m);
        record.push(m.0);
    }
    (position, record)
}

/// All ways to hand out these cards, so many to each seat.
fn hands_of(cards: &[Card], sizes: [usize; 4], so_far: &[CardSet; 4], out: &mut Vec<[CardSet; 4]>) {
    let Some((&card, rest)) = cards.split_first() else {
        out.push(*so_far);
        return;
    };
    for seat in (0..4).filter(|&seat| so_far[seat].len() < sizes[seat]) {
        let mut next = *so_far;
        next[seat].insert(card);
        hands_of(rest, sizes, &next, out);
    }
}

/// Whether these cards could have been played one after the other from these hands.
fn is_possible(rules: &Rules, dealt: [CardSet; 4], shown: Card, record: &[Card]) -> bool {
    let mut position = Whist::start(rules, dealt, shown);
    record.iter().all(|&card| position.try_play(Move(card)).is_ok())
}

/// The suits that each seat has shown to be out of, from the cards played and who played them.
fn shown_out(start: &Whist, record: &[Card]) -> Vec<(Seat, Suit)> {
    let (mut position, mut out) = (*start, Vec::new());
    let free = start.board.rules.free();
    for trick in record.chunks(4) {
        let led = trick.iter().find(|&&card| !free.contains(card)).map(|card| card.suit());
        for &card in trick {
            let Turn::Player(seat) = position.turn() else { unreachable!("a card was played") };
            if !free.contains(card) && Some(card.suit()) != led {
                out.extend(led.map(|suit| (seat, suit)));
            }
            position.play(Move(card));
        }
    }
    out
}

/// The hands that a seat must hold possible: those with which the play as it was would have been legal,
/// card by card, the shown card with the dealer.
fn possible(position: &Whist, record: &[Card], seat: Seat) -> Vec<[CardSet; 4]> {
    let board = position.board();
    let hidden: Vec<Card> = position.others(seat).into_iter().collect();
    let mut hands = [CardSet::EMPTY; 4];
    hands[seat] = position.hand(seat);
    let mut all = Vec::new();
    hands_of(&hidden, [0, 1, 2, 3].map(|seat| position.hand(seat).len()), &hands, &mut all);
    // What each seat has played is known.
    all.retain(|hands| {
        let played =
            |seat: Seat| record.iter().copied().filter(move |&card| position.dealt[seat].contains(card));
        let dealt = [0, 1, 2, 3].map(|seat| played(seat).chain(hands[seat]).collect::<CardSet>());
        dealt[DEALER].contains(board.shown) && is_possible(&board.rules, dealt, board.shown, record)
    });
    all
}

/// Draws many worlds and compares their hands with the possible ones. Returns how many are possible.
fn check_sampling(position: &Whist, record: &[Card], seat: Seat, rng: &mut Rng) -> usize {
    let all = possible(position, record, seat);
    let view = position.view(seat);
    let mut counts: BTreeMap<[CardSet; 4], u64> = all.iter().map(|&hands| (hands, 0)).collect();
    let each = 12;
    for _ in 0..each * all.len() {
        let world = Whist::sample_world(&view, rng);
        let hands = [0, 1, 2, 3].map(|seat| world.hand(seat));
        let count = counts.get_mut(&hands);
        *count.unwrap_or_else(|| panic!("{hands:?} is impossible for seat {seat} after {record:?}")) += 1;
    }
    let counts: Vec<u64> = counts.into_values().collect();
    frequencies(&format!("seat {seat} after {record:?}"), &counts, &vec![each as f64; all.len()]);
    all.len()
}

/// Sampled worlds are exactly uniform over the hands that are possible, by brute force: late positions
/// of games with the full deck and with short decks, under both readings of the scoundrels; above all
/// those in which the unseen cards can be split in several ways.
#[test]
fn sampled_worlds_are_uniform() {
    let mut rng = Rng::new(77);
    let mut by_splits = [0; 5];
    for case in 0..600 {
        let rules =
            Rules { scoundrels: [Scoundrels::Printed, Scoundrels::Free][case % 2], ..Rules::default() };
        let mut deck = Whist::full_deck();
        deck.shuffle(&mut rng);
        if case % 4 < 2 {
            // Both scoundrels are there, and one of them is shown in some decks.
            deck.sort_by_key(|&card| !SCOUNDRELS.contains(card));
            deck.truncate([16, 20][case / 4 % 2]);
            deck.shuffle(&mut rng);
        }
        // The last eight to eleven cards.
        let cards = deck.len() - (8 + case / 8 % 4);
        let (position, record) = played(&rules, &deck, cards, &mut rng);
        for seat in 0..4 {
            let splits = position.view(seat).splits().min(4);
            if splits > 2 || splits == 2 && case % 4 == 0 || case < 40 {
                check_sampling(&position, &record, seat, &mut rng);
                by_splits[splits] += 1;
            }
        }
    }
    assert!(by_splits[2..].iter().all(|&views| views >= 15), "{by_splits:?}: too little is tested");
}

/// How many hands are possible, by counting card by card who may hold it.
fn count_hands(
    cards: &[(Card, [bool; 4])],
    left: &mut BTreeMap<(usize, [usize; 4]), u64>,
    sizes: [usize; 4],
) -> u64 {
    let Some(((_, may), rest)) = cards.split_first() else {
        return 1;
    };
    if let Some(&known) = left.get(&(cards.len(), sizes)) {
        return known;
    }
    let with = (0..4).filter(|&seat| may[seat] && sizes[seat] > 0);
    let hands = with
        .map(|seat| {
            let mut smaller = sizes;
            smaller[seat] -= 1;
            count_hands(rest, left, smaller)
        })
        .sum();
    left.insert((cards.len(), sizes), hands);
    hands
}

/// Where there are too many hands to list them, every unseen card lies with every other seat as often as
/// the exact count of the hands says (±5 sigma): positions in the middle of games with the full deck, most
/// of them with several splits; what the players have shown is worked out anew from the play.
#[test]
fn cards_of_sampled_worlds_lie_where_they_should() {
    let mut rng = Rng::new(78);
    let mut views = 0;
    for case in 0..900 {
        let rules =
            Rules { scoundrels: [Scoundrels::Printed, Scoundrels::Free][case % 2], ..Rules::default() };
        let mut deck = Whist::full_deck();
        deck.shuffle(&mut rng);
        let (position, record) = played(&rules, &deck, 10 + case / 2 % 26, &mut rng);
        let seat = case % 4;
        let view = position.view(seat);
        if view.splits() > 1 || case % 90 == 0 {
            views += 1;
            check_margins(&position, &record, seat, &mut rng);
        }
    }
    assert!(views > 40, "{views} views test too little");
}

fn check_margins(position: &Whist, record: &[Card], seat: Seat, rng: &mut Rng) {
    let (board, view) = (position.board(), position.view(seat));
    let out = shown_out(&Whist::start(&board.rules, position.dealt, board.shown), record);
    let may = |card: Card| {
        [0, 1, 2, 3].map(|other| {
            let free = board.rules.free().contains(card);
            other != seat
                && (free || !out.contains(&(other, card.suit())))
                && (card != board.shown || other == DEALER)
        })
    };
    let mut unseen: Vec<(Card, [bool; 4])> =
        position.others(seat).into_iter().map(|card| (card, may(card))).collect();
    let sizes = [0, 1, 2, 3].map(|seat| position.hand(seat).len());
    let all = count_hands(&unseen, &mut BTreeMap::new(), sizes) as f64;
    let samples = 2_000;
    let mut counts = BTreeMap::new();
    for _ in 0..samples {
        let world = Whist::sample_world(&view, rng);
        for other in 0..4 {
            for card in world.hand(other) {
                *counts.entry((other, card)).or_insert(0_u32) += 1;
            }
        }
    }
    // Cards that may lie with the same seats do so equally often.
    let mut shares = BTreeMap::new();
    for i in 0..unseen.len() {
        let (card, may) = unseen[i];
        for other in (0..4).filter(|&other| other != seat) {
            let share = *shares.entry((may, other)).or_insert_with(|| {
                unseen[i].1 = [0, 1, 2, 3].map(|seat| seat == other && may[seat]);
                count_hands(&unseen, &mut BTreeMap::new(), sizes) as f64 / all
            });
            unseen[i].1 = may;
            let found = f64::from(counts.get(&(other, card)).copied().unwrap_or(0));
            let expected = f64::from(samples) * share;
            let sigma = (expected * (1.0 - share)).sqrt();
            assert!(
                (found - expected).abs() <= 5.0 * sigma + 1e-6,
                "after {record:?}, to seat {seat}, {card} lies with seat {other} {found} times, not {expected}"
            );
        }
    }
}

/// A sampled world goes back to a deal from which the same cards lead to that world again.
#[test]
fn worlds_go_back_to_their_deal() {
    for index in 0..20 {
        let mut rng = stream(74, index, Role::Deal);
        let mut position = Whist::deal(&FREE, &mut rng);
        let mut history = Vec::new();
        while let Turn::Player(seat) = position.turn() {
            let world = Whist::sample_world(&position.view(seat), &mut rng);
            let mut again = kit::reconstruct_start(&world, &history).unwrap();
            assert!((0..4).all(|seat| again.hand(seat).len() == 13));
            for event in &history {
                if let Event::Move(seat, m) = *event {
                    assert_eq!(again.turn(), Turn::Player(seat));
                    again.try_play(m).unwrap();
                }
            }
            assert!((0..4).all(|seat| again.view(seat) == world.view(seat)));
            let m = position.random_move(&mut Vec::new(), &mut rng);
            position.play(m);
            history.push(Event::Move(seat, m));
        }
    }
}
