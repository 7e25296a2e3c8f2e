//! The rules by their worked examples, by a second engine, and what searches lean on by enumeration.

use super::twin::Twin;
use super::*;
use crate::cards::Suit;
use clap::ValueEnum as _;
use knave_agents::Role;
use knave_agents::rng::stream;
use knave_agents::testkit::uniform;
use rand::seq::SliceRandom as _;
use std::collections::BTreeMap;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

/// The deck that deals these hands; the last card of the last hand is shown.
fn deck(hands: [&str; 4]) -> Vec<Card> {
    let hands = hands.map(cards);
    (0..hands[0].len() * 4).map(|i| hands[i % 4][i / 4]).collect()
}

/// The position after these cards.
fn after(rules: Rules, hands: [&str; 4], played: &str) -> Whist {
    let mut position = Whist::from_deck(&rules, &deck(hands)).unwrap();
    for card in played.split_whitespace() {
        let m = position.parse_move(&format!("play {card}")).unwrap_or_else(|error| panic!("{error}"));
        position.try_play(m).unwrap();
    }
    position
}

fn legal(position: &Whist) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.iter().map(|m| m.0.to_string()).collect()
}

fn sorted(mut cards: Vec<Card>) -> Vec<Card> {
    cards.sort_unstable();
    cards
}

fn all_rules() -> Vec<Rules> {
    let mut all = Vec::new();
    for &scoundrels in Scoundrels::value_variants() {
        for &count in Count::value_variants() {
            all.extend([-1, 0, 1].map(|ace| Rules { scoundrels, ace, count }));
        }
    }
    all
}

const FREE: Rules = Rules { scoundrels: Scoundrels::Free, ace: -1, count: Count::Ko };

/// Cards go round one at a time from the dealer's left; the last is the dealer's, its suit is trump.
#[test]
fn the_deal() {
    let position = Whist::from_deck(&Rules::default(), &cards("2C 3C 4C 5C 6D 7D 8D 9D")).unwrap();
    let hands = [0, 1, 2, 3].map(|seat| position.hand(seat).into_iter().collect::<Vec<_>>());
    assert_eq!(hands, ["2C 6D", "3C 7D", "4C 8D", "5C 9D"].map(cards));
    assert_eq!(position.table().trump, Suit::Diamonds);
    assert_eq!(position.table().shown, cards("9D")[0]);
    assert_eq!(position.turn(), Turn::Player(0));
}

/// Decks that cannot be dealt are refused with the reason.
#[test]
fn impossible_decks_are_refused() {
    let refusal = |text| Whist::from_deck(&Rules::default(), &cards(text)).unwrap_err().to_string();
    assert_eq!(refusal("2C 3C 4C 5C 6C"), "5 cards cannot be dealt evenly to 4 players");
    assert_eq!(refusal(""), "0 cards cannot be dealt evenly to 4 players");
    assert_eq!(refusal("2C 3C 4C 2C"), "2C comes twice");
}

/// Who holds the led suit plays it; who does not may play anything, a scoundrel or a trump among them.
#[test]
fn following() {
    let hands = ["5H 2D", "9H JS", "JC 3S", "4S 7D"];
    assert_eq!(legal(&after(Rules::default(), hands, "")), ["2D", "5H"]);
    assert_eq!(legal(&after(Rules::default(), hands, "5H")), ["9H"]);
    assert_eq!(legal(&after(Rules::default(), hands, "5H 9H")), ["JC", "3S"]);
    // A printed scoundrel follows its suit, and must when it is the only card of it.
    let spades = ["5S 2D", "9H JS", "JC 3S", "4S 7D"];
    assert_eq!(legal(&after(Rules::default(), spades, "5S")), ["JS"]);
    // A free one never has to, and always may.
    assert_eq!(legal(&after(FREE, spades, "5S")), ["9H", "JS"]);
    assert_eq!(legal(&after(FREE, spades, "5S JS")), ["JC", "3S"]);
}

/// A free scoundrel leads no suit: the first other card does, however many scoundrels come before it.
#[test]
fn free_scoundrels_lead_nothing() {
    let hands = ["JS 2D", "JC 5H", "9C 6H", "7H 8H"];
    assert_eq!(legal(&after(FREE, hands, "JS")), ["JC", "5H"]);
    assert_eq!(legal(&after(FREE, hands, "JS JC")), ["9C", "6H"]);
    assert_eq!(legal(&after(FREE, hands, "JS JC 6H")), ["7H", "8H"]);
    let position = after(FREE, ["JS 2D", "JC 5H", "9C 6H", "9S 8H"], "JS JC 6H");
    assert_eq!(position.table().led(), Some(Suit::Hearts));
    assert_eq!(legal(&position), ["8H"]);
    // Printed, the scoundrel leads spades.
    assert_eq!(legal(&after(Rules::default(), ["JS 2D", "3S 5H", "9C 6H", "7H 8H"], "JS")), ["3S"]);
}

/// A free scoundrel that is shown still makes its printed suit trump, and beats trumps as ever.
#[test]
fn a_shown_scoundrel_makes_trump() {
    let position = after(FREE, ["2H AC", "3H 4C", "5H 6H", "7H JC"], "");
    assert_eq!(position.table().trump, Suit::Clubs);
    let hands = ["2H 8D", "3H 4C", "5D 6C", "7D JC"];
    assert_eq!(after(FREE, hands, "2H 3H 6C 7D").turn(), Turn::Player(2));
    assert_eq!(after(FREE, hands, "2H 3H 6C JC").turn(), Turn::Player(3));
}

/// The last scoundrel beats everything, then the highest trump, then the highest card of the led suit.
#[test]
fn winners_of_tricks() {
    let winner = |hands, played| match after(Rules::default(), hands, played).turn() {
        Turn::Player(seat) => (seat, after(Rules::default(), hands, played).table().won),
        turn => panic!("{turn:?}"),
    };
    let hands = ["5H 2D", "AH 3S", "6H 4C", "KH 7D"];
    assert_eq!(winner(hands, "5H AH 6H KH"), (1, Won::Suit));
    let hands = ["5H 2D", "AS 3S", "6D 4C", "8D 7D"];
    assert_eq!(winner(hands, "5H AS 6D 8D"), (3, Won::Ruff));
    assert_eq!(winner(hands, "5H AS 6D 7D"), (3, Won::Ruff));
    assert_eq!(winner(hands, "5H AS 4C 8D"), (3, Won::Ruff));
    // Neither trump nor of the led suit: the lead stands.
    assert_eq!(winner(["5H 2D", "AS 3S", "6C 4C", "9S 7D"], "5H AS 6C 9S"), (0, Won::Suit));
    assert_eq!(winner(["5D 2D", "9D 3S", "6D 4C", "AS 7D"], "5D 9D 6D 7D"), (1, Won::Suit));
    let hands = ["5H 2D", "JC 3S", "AD 4C", "JS 7D"];
    assert_eq!(winner(hands, "5H JC AD 7D"), (1, Won::Scoundrel));
    assert_eq!(winner(hands, "5H JC AD JS"), (3, Won::Scoundrel));
    // Even where spades are led and the other scoundrel follows suit.
    assert_eq!(winner(["AS 2D", "JS 3H", "JC 4C", "6H 7D"], "AS JS JC 6H"), (2, Won::Scoundrel));
    assert_eq!(winner(["AS 2D", "JC 3H", "JS 4C", "6H 7D"], "AS JC JS 6H"), (2, Won::Scoundrel));
}

/// The values of the text, the ace as ruled, and the scoundrels for nothing.
#[test]
fn points() {
    let score = |rules, hands, played| {
        let position = after(rules, hands, played);
        assert_eq!(position.turn(), Turn::Over);
        [0, 1, 2, 3].map(|seat| position.score(seat))
    };
    let rules = Rules::default();
    assert_eq!(score(rules, ["2H", "7H", "8H", "9H"], "2H 7H 8H 9H"), [0, 0, 0, 2]);
    assert_eq!(score(rules, ["TH", "JH", "QH", "KH"], "TH JH QH KH"), [0, 0, 0, -4]);
    assert_eq!(score(rules, ["2H", "AH", "3H", "4H"], "2H AH 3H 4H"), [0, 2, 0, 0]);
    // 6 - 1 for the queen, nothing for the two scoundrels.
    assert_eq!(score(rules, ["6H", "JS", "JC", "QD"], "6H JS JC QD"), [0; 4]);
    assert_eq!(score(rules, ["6H", "JS", "JC", "5H"], "6H JS JC 5H"), [0, 0, 2, 0]);
    // Jacks of the other suits are ordinary.
    assert_eq!(score(rules, ["6H", "JH", "2H", "3H"], "6H JH 2H 3H"), [0, 2, 0, 0]);
    let aces = ["2H", "AH", "7H", "TH"];
    let points = |ace, count| score(Rules { ace, count, ..rules }, aces, "2H AH 7H TH")[1];
    assert_eq!([-1, 0, 1].map(|ace| points(ace, Count::Ko)), [0, 1, 2]);
    assert_eq!([-1, 0, 1].map(|ace| points(ace, Count::Hilo)), [-1, 0, 1]);
}

/// Most points win; equal ones share it.
#[test]
fn the_most_points_win() {
    // Seat 1 wins the first trick (+2) and leads the second to seat 3 (+2).
    let hands = ["2H 3C", "9H 4D", "8H 5C", "7H 6D"];
    let position = after(Rules::default(), hands, "2H 9H 8H 7H 4D 5C 6D 3C");
    assert_eq!([0, 1, 2, 3].map(|seat| position.score(seat)), [0, 2, 0, 4]);
    assert_eq!([0, 1, 2, 3].map(|seat| position.won(seat)), [false, false, false, true]);
    let utility = |share: f64, margin: f64| (7.0 * share + margin + 20.0) / 47.0;
    assert_eq!(position.utility(3), utility(1.0, 2.0));
    assert_eq!(position.utility(0), utility(0.0, -4.0));
    let hands = ["2H 3C", "9H 4D", "8H 8C", "7H 9D"];
    let position = after(Rules::default(), hands, "2H 9H 8H 7H 4D 8C 9D 3C");
    assert_eq!([0, 1, 2, 3].map(|seat| position.score(seat)), [0, 2, 0, 2]);
    assert_eq!(position.utility(3), utility(0.5, 0.0));
    assert_eq!(position.utility(0), utility(0.0, -2.0));
    assert_eq!(position.end(), "played_out");
}

/// Every option's values are read, `-1` among them, and others are refused with what would be right.
#[test]
fn options() {
    use knave_agents::options::{pairs, parse};
    let read = |text| parse::<Rules>("rules of whist", &pairs("rules of whist", [text]).unwrap());
    for (text, ace) in [("ace=-1", -1), ("ace=0", 0), ("ace=1", 1)] {
        assert_eq!(read(text).unwrap(), Rules { ace, ..Rules::default() });
    }
    assert_eq!(parse::<Rules>("rules of whist", &[]).unwrap(), Rules::default());
    let refusal = read("ace=2").unwrap_err().to_string();
    assert!(refusal.starts_with("rules of whist: ace=2 is refused: expected one of -1, 0, 1"), "{refusal}");
}

/// The engine and its twin agree in every position of 100 random games under each of the twelve rules.
#[test]
fn random_games_agree_with_the_twin() {
    for (r, rules) in all_rules().into_iter().enumerate() {
        for index in 0..100 {
            let mut rng = stream(40 + r as u64, index, Role::Deal);
            let mut position = Whist::deal(&rules, &mut rng);
            let mut twin = Twin::deal(&rules, &position.deck());
            let mut buffer = Vec::new();
            for _ in 0..52 {
                assert_eq!(position.turn(), Turn::Player(twin.seat()));
                position.moves(&mut buffer);
                let moves: Vec<Card> = buffer.iter().map(|m| m.0).collect();
                assert_eq!(moves, twin.legal());
                let m = position.random_move(&mut buffer, &mut rng);
                position.play(m);
                twin.play(m.0);
                for seat in 0..4 {
                    assert_eq!(position.hand(seat).into_iter().collect::<Vec<_>>(), sorted(twin.hand(seat)));
                    assert_eq!(position.score(seat), twin.points()[seat]);
                }
            }
            assert_eq!(position.turn(), Turn::Over);
        }
    }
}

/// Leaves of the game tree and a sum over their scores.
type Perft = (u64, [i64; 4]);

fn perft(position: &Whist) -> Perft {
    if position.turn() == Turn::Over {
        return (1, [0, 1, 2, 3].map(|seat| position.score(seat)));
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    sum(moves.into_iter().map(|m| {
        let mut next = *position;
        next.play(m);
        perft(&next)
    }))
}

fn perft_twin(twin: &Twin) -> Perft {
    let moves = twin.legal();
    if moves.is_empty() {
        return (1, twin.points());
    }
    sum(moves.into_iter().map(|card| {
        let mut next = twin.clone();
        next.play(card);
        perft_twin(&next)
    }))
}

fn sum(parts: impl Iterator<Item = Perft>) -> Perft {
    parts.fold((0, [0; 4]), |(leaves, scores), (more, other)| {
        (leaves + more, [0, 1, 2, 3].map(|seat| scores[seat] + other[seat]))
    })
}

/// The whole game tree of short decks has as many leaves as the twin's, and the same scores in them:
/// three cards each, half of the decks of few suits, both scoundrels always among them.
#[test]
fn perft_agrees_with_the_twin() {
    let mut rng = Rng::new(12);
    let mut leaves = 0;
    for case in 0..24 {
        let rules = Rules { scoundrels: Scoundrels::value_variants()[case % 2], ..Rules::default() };
        let mut all = Whist::full_deck();
        all.shuffle(&mut rng);
        let few = case / 2 % 2 == 0;
        all.retain(|&card| !SCOUNDRELS.contains(card));
        if few {
            all.retain(|card| card.suit() != Suit::Hearts);
        }
        let mut deck: Vec<Card> = all[..10].iter().copied().chain(SCOUNDRELS).collect();
        deck.shuffle(&mut rng);
        let found = perft(&Whist::from_deck(&rules, &deck).unwrap());
        assert_eq!(found, perft_twin(&Twin::deal(&rules, &deck)), "{deck:?}");
        leaves += found.0;
    }
    assert!(leaves > 2_000, "{leaves} leaves are too few to tell much");
}

/// The counts themselves, with four cards each: printed and free.
#[test]
fn perft_of_a_fixed_deck() {
    let deck = deck(["2C JC 9H AD", "3C 5H JS 8D", "4C TC 6H 7D", "QC 2H 8S KS"]);
    for (rules, leaves) in [(Rules::default(), 624), (FREE, 6504)] {
        let found = perft(&Whist::from_deck(&rules, &deck).unwrap());
        assert_eq!(found.0, leaves);
        assert_eq!(found, perft_twin(&Twin::deal(&rules, &deck)));
    }
}

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

/// The hands that a seat must hold possible: those with which the play as it was would have been legal,
/// card by card, the shown card with the dealer.
fn possible(position: &Whist, record: &[Card], seat: Seat) -> Vec<[CardSet; 4]> {
    let table = position.table();
    let hidden: Vec<Card> = position.others(seat).into_iter().collect();
    let mut hands = [CardSet::EMPTY; 4];
    hands[seat] = position.hand(seat);
    let mut all = Vec::new();
    hands_of(&hidden, [0, 1, 2, 3].map(|seat| position.hand(seat).len()), &hands, &mut all);
    // What each seat has played is known.
    all.retain(|hands| {
        let dealt: [Vec<Card>; 4] = [0, 1, 2, 3].map(|seat| {
            record
                .iter()
                .copied()
                .filter(|&card| position.dealt[seat].contains(card))
                .chain(hands[seat])
                .collect()
        });
        dealt[DEALER].contains(&table.shown)
            && Twin::resume(&table.rules, dealt, table.trump, record).is_possible()
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
    uniform(&format!("seat {seat} after {record:?}"), &counts, &vec![each as f64; all.len()]);
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
        let rules = Rules { scoundrels: Scoundrels::value_variants()[case % 2], ..Rules::default() };
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
        let rules = Rules { scoundrels: Scoundrels::value_variants()[case % 2], ..Rules::default() };
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
    let (table, view) = (position.table(), position.view(seat));
    let out = Twin::resume(&table.rules, Default::default(), table.trump, record).shown_out();
    let may = |card: Card| {
        [0, 1, 2, 3].map(|other| {
            let free = table.rules.free().contains(card);
            other != seat
                && (free || !out.contains(&(other, card.suit())))
                && (card != table.shown || other == DEALER)
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
