//! Lines of play, counted by both engines and kept here: a missing, doubled or misplaced move changes the numbers, and so does a
//! change of both engines.

use crate::targets::engines::Both;
use knave::agents::options::{self, Fields};
use knave::cards::Card;
use knave::games::{
    self, CardGame, columns::Columns, doubles::Doubles, dungeon::Dungeon, verslun::Verslun, whist::Whist,
};
use knave_agents::{ChanceRecord, Game as _, Turn};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

/// A game on both engines, with these options of the rules.
fn both<G: CardGame>(rules: &[&str], deck: &[Card]) -> Both<G> {
    let given: Fields = options::fields("rules", rules.iter().copied()).unwrap();
    let rules = games::read_rules::<G>(&given).unwrap();
    Both::new(&rules, &options::recorded(&rules), deck)
}

/// The number of ways to play on for `depth` moves and rolls with these dice, or to the end. In every position both engines agree.
fn lines<G: CardGame>(both: &Both<G>, dice: &[&[u8]], depth: u32) -> u64 {
    let moves = both.moves();
    if depth == 0 {
        return 1;
    }
    let after = |change: &dyn Fn(&mut Both<G>)| {
        let mut next = both.clone();
        change(&mut next);
        lines(&next, dice, depth - 1)
    };
    match both.position.turn() {
        Turn::Over => 1,
        Turn::Player(_) => moves.iter().map(|text| after(&|next| next.play(text))).sum(),
        Turn::Chance | Turn::Shuffle if dice.is_empty() => 1,
        Turn::Chance | Turn::Shuffle => {
            dice.iter().map(|dice| after(&|next| next.chance(&ChanceRecord::Roll(dice.to_vec())))).sum()
        }
    }
}

/// Every way to play small dungeons, under every option that changes the moves.
#[test]
fn dungeon() {
    let short = "5D 3C JS QC 6S 2H";
    let long = "9D 7C 7S 4H 2C 8H 3D KS";
    let cases = [
        (short, "health=20"),
        (short, "weapon_limit=below"),
        (long, "health=20"),
        (long, "weapon_limit=below"),
        (long, "health=9"),
        // Up to the first shuffle.
        (long, "avoid_order=shuffled"),
    ];
    let found = cases.map(|(deck, rules)| lines(&both::<Dungeon>(&[rules], &cards(deck)), &[], u32::MAX));
    assert_eq!(found, [940, 940, 27_525, 23_822, 7_010, 8_175]);
}

/// From fresh deals after one roll: a placement, the phases of both players and whatever fits into the depth.
#[test]
fn columns() {
    for (seed, dice, counts) in [
        (1, [5, 5, 6], [12, 141, 839, 3627]),
        (2, [2, 3, 6], [24, 288, 1670, 8684]),
        (3, [6, 6, 6], [4, 100, 1509, 12_470]),
    ] {
        let deck = Columns::deal(&Default::default(), &mut knave_agents::Rng::new(seed)).deck();
        let mut start = both::<Columns>(&[], &deck);
        start.chance(&ChanceRecord::Roll(dice.to_vec()));
        for (depth, expected) in (1..).zip(counts) {
            assert_eq!(lines(&start, &[], depth), expected, "seed {seed}, depth {depth}");
        }
    }
}

/// All lines of small decks, with all rolls or with a few.
#[test]
fn doubles() {
    let all: Vec<[u8; 2]> = (1..=6).flat_map(|a| (1..=6).map(move |b| [a, b])).collect();
    let all: Vec<&[u8]> = all.iter().map(|dice| &dice[..]).collect();
    let few: [&[u8]; 2] = [&[1, 1], &[1, 2]];
    type Case<'a> = (u8, u8, u32, &'a str, &'a [&'a [u8]], u32, u64);
    // (players, cards, max_rolls, deck, dice, depth, lines)
    let cases: [Case<'_>; 6] = [
        (2, 1, 2, "5C 9D", &all, 99, 15_912),
        (2, 1, 3, "5C 9D", &few, 99, 85),
        (2, 2, 4, "5C 9D 5H KS", &few, 99, 3_812),
        (3, 1, 6, "5C 9D 5H", &few, 99, 8_093),
        (3, 2, 9, "2C 7D AH 7S KS 3C 4C", &few, 13, 10_668),
        (4, 1, 9, "9C 7D 7H AS", &few, 15, 2_369),
    ];
    for (players, per_player, max_rolls, deck, dice, depth, expected) in cases {
        let rules =
            [format!("players={players}"), format!("cards={per_player}"), format!("max_rolls={max_rolls}")];
        let start = both::<Doubles>(&rules.each_ref().map(String::as_str), &cards(deck));
        assert_eq!(lines(&start, dice, depth), expected, "{rules:?}");
    }
}

/// The lines of one small deck under every option that says what pairs.
#[test]
fn verslun() {
    let deck = cards("2C 7H KD 5S  3C AH 4D JS  TC 9H 6D QS  8C 5D 2H AS KC 4H 7D 9S");
    for (columns, aces_wild, matching, expected) in [
        (1, false, "suit", 150),
        (2, false, "suit", 226),
        (2, true, "suit", 370),
        (2, false, "suit_or_rank", 279),
        (2, true, "suit_or_rank", 444),
    ] {
        let rules = [
            "hand=4".to_owned(),
            format!("columns={columns}"),
            format!("aces_wild={aces_wild}"),
            format!("match={matching}"),
        ];
        let start = both::<Verslun>(&rules.each_ref().map(String::as_str), &deck);
        assert_eq!(lines(&start, &[], u32::MAX), expected, "{rules:?}");
    }
}

/// The whole tree of a deck of four cards each, and of short decks in which both scoundrels are always found and half of which
/// have few suits.
#[test]
fn whist() {
    let hands = ["2C JC 9H AD", "3C 5H JS 8D", "4C TC 6H 7D", "QC 2H 8S KS"].map(cards);
    let deck: Vec<Card> = (0..16).map(|i| hands[i % 4][i / 4]).collect();
    for (rules, expected) in [("scoundrels=printed", 624), ("scoundrels=free", 6504)] {
        assert_eq!(lines(&both::<Whist>(&[rules], &deck), &[], u32::MAX), expected, "{rules}");
    }
    let mut rng = knave_agents::Rng::seed_from_u64(12);
    let mut all = 0;
    for case in 0..24 {
        let mut deck = Whist::full_deck();
        deck.shuffle(&mut rng);
        let few = case / 2 % 2 == 0;
        deck.retain(|card| !["JC", "JS"].contains(&&*card.to_string()));
        deck.retain(|card| !few || !card.to_string().ends_with('H'));
        deck.truncate(10);
        deck.extend(cards("JC JS"));
        deck.shuffle(&mut rng);
        let rules = ["scoundrels=printed", "scoundrels=free"][case % 2];
        all += lines(&both::<Whist>(&[rules], &deck), &[], u32::MAX);
    }
    assert!(all > 2_000, "{all} lines are too few to tell much");
}
