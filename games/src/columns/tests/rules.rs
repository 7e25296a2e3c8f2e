//! The rules by worked examples.

use super::*;

const EMPTY: [[&str; PAIRS]; 2] = [[""; PAIRS]; 2];

/// After `place`: seat 1 has nothing to do, and seat 0 plays.
fn playing(mut position: Columns, roll: &str, place: &str) -> Columns {
    position.hands[1] = CardSet::EMPTY;
    act(&mut position, &[&format!("roll {roll}"), place, "done"]);
    position
}

/// The placements of the text's example, a one, a three and a four: 24 ways; equal dice are interchangeable.
#[test]
fn placements_by_hand() {
    let position = Columns::from_deck(&Rules::default(), &deck("")).unwrap();
    for (roll, ways) in [("roll 1 3 4", 24), ("roll 3 3 4", 12), ("roll 4 4 4", 4)] {
        let mut position = position.clone();
        act(&mut position, &[roll]);
        assert_eq!(legal(&position).len(), ways, "{roll}");
    }
    let mut position = position;
    act(&mut position, &["roll 4 1 3"]);
    assert_eq!(legal(&position)[..3], ["place b1 c3 d4", "place b1 c4 d3", "place b3 c1 d4"]);
    assert_eq!(position.parse_move("place d3 a4 c1").unwrap().to_string(), "place a4 c1 d3");
    for wrong in
        ["place a4 c1", "place a4 a1 c3", "place a4 c1 d6", "place", "place a4 c1 e3", "place a4 c1 d3 b3"]
    {
        assert!(position.parse_move(wrong).is_err(), "{wrong}");
    }
}

/// The text's example of a direction: a four takes a three, a four or a five; once a three lies on it, it descends.
#[test]
fn directions() {
    let take = |columns: &str, roll: &str| {
        let mut columns = [[columns, "", "", ""], [""; PAIRS]];
        columns[0][1] = "9C";
        let hands = ["AC 2C 3C 4D 5C 6C KC", ""];
        let position = made_up(Rules::default(), columns, hands, "QD", "");
        let place = format!("place a{} b1 c1", &roll[..1]);
        let position = playing(position, roll, &place);
        let takes =
            legal(&position).into_iter().filter_map(|m| m.strip_prefix("play a ").map(ToOwned::to_owned));
        takes.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(take("4C", "3 1 1"), "3C 5C 4D");
    assert_eq!(take("4C 3D <", "3 1 1"), "2C 3C");
    assert_eq!(take("4C 5D >", "3 1 1"), "5C 6C");
    assert_eq!(take("QC KD >", "3 1 1"), "KC AC");
    assert_eq!(take("2D AD <", "3 1 1"), "KC AC");
    assert_eq!(take("KS AD >", "3 1 1"), "2C AC");
    assert_eq!(take("4C 5D >", "6 1 1"), "2C 3C 5C 6C KC AC 4D");
    assert_eq!(take("", "2 1 1"), "2C 3C 5C 6C KC AC 4D");
    assert_eq!(take("4C 5D 6D 7D > !", "2 1 1"), "");
}

/// The first step sets the direction, cards of the same rank leave it alone, and a six takes it away.
#[test]
fn steps_set_the_direction() {
    let run = |start: &str, roll: &str, plays: &[&str]| {
        let columns = [[start, "9C", "", ""], [""; PAIRS]];
        let position = made_up(Rules::default(), columns, ["3C 4D 4H 5C 5D 6C QS", ""], "QD", "");
        let mut position = playing(position, roll, &format!("place a{} b1 c1", &roll[..1]));
        act(&mut position, plays);
        position.board.columns[0][0].direction
    };
    assert_eq!(run("4C", "5 1 1", &["play a 4D", "play a 4H"]), Direction::None);
    assert_eq!(run("4C", "5 1 1", &["play a 4D", "play a 5C", "play a 5D", "play a 6C"]), Direction::Up);
    assert_eq!(run("4C", "5 1 1", &["play a 3C"]), Direction::Down);
    assert_eq!(run("4C 5H >", "6 1 1", &["play a 6C"]), Direction::None);
    assert_eq!(run("4C 5H >", "6 1 1", &["play a 5C"]), Direction::None);
    assert_eq!(run("", "5 1 1", &["play a 4D", "play a 5C"]), Direction::Up);
    assert_eq!(run("", "5 1 1", &["play a 4D"]), Direction::None);
}

/// A die is the number of cards that may be played, a six allows one; without a die nothing is played.
#[test]
fn the_die_limits_the_cards() {
    let columns = [["4C", "4S", "8C", "9C"], ["2C", "2D", "2H", "2S"]];
    let position = made_up(Rules::default(), columns, ["4D 4H 5C 5D 8D 9D 9S", ""], "QD", "");
    let mut position = playing(position, "2 1 6", "place a2 b1 c6");
    act(&mut position, &["play a 4D", "play a 4H"]);
    assert!(legal(&position).iter().all(|m| !m.starts_with("play a")));
    act(&mut position, &["play b 5C"]);
    assert!(legal(&position).iter().all(|m| !m.starts_with("play b")));
    act(&mut position, &["play c 9D"]);
    assert_eq!(legal(&position), ["done"]);
}

/// Stealing takes the column and the card away, instead of playing in that pair; finished columns are safe.
#[test]
fn stealing() {
    let columns = [["4C", "5S", "8C", "9C"], ["2C 3C", "7D", "KC KD KH KS !", ""]];
    let position = made_up(Rules::default(), columns, ["3D 3H 5C 5D 7S 4S", ""], "QD", "");
    let position = playing(position, "2 1 5", "place a2 b1 c5");
    let steals = |position: &Columns| {
        legal(position).into_iter().filter(|m| m.starts_with("steal")).collect::<Vec<_>>()
    };
    assert_eq!(steals(&position), ["steal a 3D", "steal a 3H", "steal b 7S"]);
    let mut stolen = position.clone();
    act(&mut stolen, &["steal a 3H"]);
    assert_eq!(stolen.board.stolen, set("2C 3C 3H"));
    assert_eq!(stolen.board.columns[1][0], Column::default());
    assert!(legal(&stolen).iter().all(|m| !m.ends_with("a 4S") && !m.starts_with("steal a")));
    let mut played = position;
    act(&mut played, &["play b 5C"]);
    assert_eq!(steals(&played), ["steal a 3D", "steal a 3H"]);
}

/// Slots of 4, 5, 5 and 6: what a player with these finished columns may finish next, under both options.
#[test]
fn slots() {
    let ranks = ["2", "3", "4", "5", "6", "7", "8"];
    let may = |finish: Finish, finished: &[usize], len: usize| {
        let rules = Rules { finish, ..Rules::default() };
        let mut position = made_up(rules, EMPTY, ["", ""], "", "");
        let long = |pair: usize, len: usize| {
            let cards = ranks[..len].iter().map(|rank| format!("{rank}{}", ["C", "D", "H", "S"][pair]));
            column(&cards.collect::<Vec<_>>().join(" "))
        };
        for (pair, &len) in finished.iter().enumerate() {
            position.board.columns[0][pair] = long(pair, len);
            position.board.columns[0][pair].finished = true;
            position.board.finished[0] = position.board.finished[0].with(len);
        }
        position.board.columns[0][3] = long(3, len);
        let position = playing(position, "1 1 1", "place b1 c1 d1");
        legal(&position).contains(&"finish d".to_owned())
    };
    for (finished, len, at_least, exact) in [
        (&[][..], 3, false, false),
        (&[], 4, true, true),
        (&[], 7, true, true),
        (&[4], 4, false, false),
        (&[4], 5, true, true),
        (&[5, 5], 4, true, true),
        (&[5, 5], 5, true, false),
        (&[5, 5, 5], 4, false, false),
        (&[5, 5, 5], 5, false, false),
        (&[5, 5, 5], 6, true, true),
        (&[4, 5, 5], 5, false, false),
        (&[4, 5, 5], 6, true, true),
        (&[6], 6, true, false),
        (&[6, 7, 6], 4, true, false),
        (&[6, 7, 6], 7, true, false),
        (&[4, 6, 6], 5, true, false),
    ] {
        assert_eq!(may(Finish::AtLeast, finished, len), at_least, "{finished:?} and {len}");
        let legal_before = finished.iter().enumerate().all(|(i, &len)| {
            let before = finished[..i].iter().fold(FinishedColumns::default(), |f, &len| f.with(len));
            before.with(len).fit(Finish::Exact)
        });
        if legal_before {
            assert_eq!(may(Finish::Exact, finished, len), exact, "{finished:?} and {len}, exact");
        }
    }
}

/// A column is finished beside a theft and without a die, and the fourth one wins at once.
#[test]
fn finishing() {
    let columns = [
        ["4C 5C 6C 7C", "2D 3D 4D 5D 6D !", "2H 3H 4H 5H 6H !", "2S 3S 4S 5S 6S 7S !"],
        ["9C", "", "", "TC"],
    ];
    let base = made_up(Rules::default(), columns, ["9D KC", "TD"], "QD", "");
    let mut position = base.clone();
    act(&mut position, &["roll 1 1 1", "place a1 b1 c1", "done", "steal a 9D"]);
    let mut finished = position.clone();
    act(&mut finished, &["finish a"]);
    assert_eq!((finished.turn(), finished.end()), (Turn::Over, "finished"));
    assert_eq!([finished.score(0), finished.score(1)], [2, 0]);
    assert!(finished.won(0) && !finished.won(1) && legal(&finished).is_empty());
    // Beside an own finished column the opponent's may be stolen; no die, no theft.
    let mut beside = base;
    act(&mut beside, &["roll 1 1 1", "place b1 c1 d1"]);
    beside.hands[1] = set("7D");
    assert_eq!(legal(&beside).last().map(String::as_str), Some("done"));
    act(&mut beside, &["done"]);
    beside.hands[0] = set("TH 9D");
    assert_eq!(legal(&beside), ["steal d TH", "finish a", "done"]);
}

/// A die leaves with every pair whose columns are both finished; the last one stays.
#[test]
fn dice_leave_the_game() {
    let long = ["2C 3C 4C 5C 6C 7C !", "2D 3D 4D 5D 6D !", "2H 3H 4H 5H 6H !", "2S 3S 4S 5S"];
    let other = ["8C 9C TC JC QC KC !", "8D 9D TD JD QD !", "8H 9H TH JH QH !", "8S 9S TS JS"];
    let open = |column: &'static str| column.trim_end_matches(" !");
    for (closed, dice, ways) in [(1, 2, 6), (2, 1, 2), (3, 1, 1)] {
        let mut columns = [long, other];
        for side in &mut columns {
            for (pair, column) in side.iter_mut().enumerate() {
                *column = if pair < closed { column } else { open(column) };
            }
        }
        let mut position = made_up(Rules::default(), columns, ["AC", "AD"], "", "");
        assert_eq!(position.board.dice_count(), dice);
        let roll: Vec<u8> = (1..=dice as u8).collect();
        for roll in [vec![1; dice + 1], vec![7; dice]] {
            let wrong = position.read_chance(&ChanceRecord::Roll(roll)).unwrap_err();
            assert!(wrong.starts_with(&format!("expected a roll of {dice} di")), "{wrong}");
            assert!(wrong.ends_with(", 1 to 6"), "{wrong}");
        }
        let outcome = position.read_chance(&ChanceRecord::Roll(roll)).unwrap();
        position.play_chance(outcome);
        assert_eq!(legal(&position).len(), ways, "{closed} pairs closed: {:?}", legal(&position));
        assert!(legal(&position).iter().all(|m| !m.contains('a') || m.matches('a').count() == 1));
    }
}

/// Who plays the last card draws seven at once and goes on, a theft's own card included in what is shuffled; the draw
/// goes on after a reshuffle in its midst. Who begins without cards draws nothing.
#[test]
fn out_of_cards_in_mid_play() {
    let columns = [["9C", "4C", "", ""], ["2C 3C", "7D", "", ""]];
    let base = made_up(Rules::default(), columns, ["3D", ""], "QD QH", "JC JD JH");
    let mut position = playing(base.clone(), "2 1 5", "place a2 b1 c5");
    // Both had room for the two cards when the dice were rolled; that is put back.
    position.hands = [set("3D"), CardSet::EMPTY];
    position.stock = Stock::new(Order::of(cards("QD QH")));
    act(&mut position, &["steal a 3D"]);
    assert_eq!((position.turn(), position.board.due), (Turn::Shuffle, Due::Reshuffle));
    let wrong = ChanceRecord::reshuffle(cards("JC JD JH 2C 3C"));
    assert!(position.read_chance(&wrong).unwrap_err().contains("expected a reshuffle"));
    let order = cards("3D JC 2C JH 3C JD");
    let outcome = position.read_chance(&ChanceRecord::reshuffle(order)).unwrap();
    position.play_chance(outcome);
    assert_eq!(position.hands[0], set("QD QH 3D JC 2C JH 3C"));
    assert_eq!(position.stock.cards().collect::<Vec<_>>(), cards("JD"));
    assert_eq!((position.turn(), position.board.phase), (Turn::Player(0), Phase::Second));
    // The two cards drawn before the reshuffle are known to the other player, the others are not.
    assert_eq!(position.view(1).known(), set("QD QH"));
    assert_eq!(position.view(1).unseen, set("3D JC 2C JH 3C JD"));
    assert!(legal(&position).iter().all(|m| !m.contains(" a ")), "the pair of the theft is done with");

    let mut empty = playing(made_up(Rules::default(), columns, ["", ""], "", ""), "2 1 5", "place a2 b1 c5");
    assert_eq!(legal(&empty), ["done"]);
    act(&mut empty, &["done"]);
    assert_eq!((empty.turn(), empty.hands), (Turn::Chance, [CardSet::EMPTY; 2]));
}

/// Replenishing goes by turns, the player who did not roll first, and skips a full hand; the stolen pile is
/// shuffled only when a card is missing.
#[test]
fn replenishing() {
    let columns = [["9C", "4C", "5C", "6C"], ["2C", "7D", "8D", "9D"]];
    let hands = ["AC AD AH AS KC KD", "QC QD QH QS"];
    let ended = |stock: &str| {
        let mut position = made_up(Rules::default(), columns, hands, "", "");
        act(&mut position, &["roll 6 1 5", "place a6 b1 c5", "done"]);
        position.board.stolen = set("TC TD TH");
        position.stock = Stock::new(Order::of(cards(stock)));
        act(&mut position, &["done"]);
        position
    };
    // Exactly enough: no reshuffle.
    let mut enough = ended("2S 3S 4S 5S");
    assert_eq!(enough.turn(), Turn::Chance);
    act(&mut enough, &["roll 1 2 3"]);
    assert_eq!(enough.hands, [set("AC AD AH AS KC KD 3S"), set("QC QD QH QS 2S 4S 5S")]);
    assert_eq!((enough.board.roller(), enough.board.round), (1, 2));
    let mut short = ended("2S 3S");
    assert_eq!(short.turn(), Turn::Shuffle);
    let order = short.read_chance(&ChanceRecord::reshuffle(cards("TH TC TD"))).unwrap();
    short.play_chance(order);
    assert_eq!(short.hands, [set("AC AD AH AS KC KD 3S"), set("QC QD QH QS 2S TH TC")]);
    assert_eq!(short.view(0).known(), set("QC QD QH QS 2S"));
    act(&mut short, &["roll 1 2 3"]);
    assert_eq!(short.stock.cards().collect::<Vec<_>>(), cards("TD"));
}

/// With neither stock nor stolen cards nobody draws; the game ends without a winner after the last round.
#[test]
fn the_round_limit() {
    let rules = Rules { max_rounds: 2, ..Rules::default() };
    let columns = [["9C", "4C", "5C", "6C"], ["2C", "7D", "8D", "9D"]];
    let mut position = made_up(rules, columns, ["AC", "QC"], "", "");
    let round = |a: &str| [a.to_owned(), "place b1 c2 d3".to_owned(), "done".to_owned(), "done".to_owned()];
    act(&mut position, &round("roll 1 2 3").each_ref().map(String::as_str));
    assert_eq!(position.turn(), Turn::Chance);
    let mut last = position.clone();
    act(&mut last, &round("roll 1 2 3").each_ref().map(String::as_str));
    assert_eq!((last.turn(), last.end()), (Turn::Over, "round_limit"));
    assert_eq!([last.score(0), last.score(1)], [1, 1]);
    assert!(!last.won(0) && !last.won(1));
    // Also in the last round hands are replenished, with a reshuffle where one is needed.
    act(&mut position, &["roll 1 2 3", "place b1 c2 d3", "done"]);
    position.board.stolen = set("TC TD");
    act(&mut position, &["done"]);
    assert_eq!(position.turn(), Turn::Shuffle);
    position.roll(&mut Rng::new(1));
    assert_eq!(position.turn(), Turn::Over);
    assert_eq!(position.hands.map(CardSet::len), [2, 2]);
}

/// Fewer cards than are dealt make no game; a deck of just those makes one with an empty stock.
#[test]
fn short_decks() {
    let deck = deck("");
    let error = Columns::from_deck(&Rules::default(), &deck[..21]).unwrap_err();
    assert_eq!(error.to_string(), "21 cards are too few: these rules deal 22");
    let position = Columns::from_deck(&Rules::default(), &deck[..22]).unwrap();
    assert_eq!((position.stock_len(), position.deck()), (0, deck[..22].to_vec()));
    assert_eq!(position.hand(0), deck[..7].iter().copied().collect());
    assert_eq!(position.board.columns[1][3].cards, deck[21..22].iter().copied().collect());
}
