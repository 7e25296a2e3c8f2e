//! The rules by their worked examples, and everything that is counted or left out by brute force.

use super::twin::{Stage, Twin};
use super::*;
use crate::games::Tally as _;
use knave_agents::Options as _;
use knave_agents::rng::stream;
use knave_agents::{Event, Role, testkit};
use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use std::collections::BTreeMap;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

fn settle(position: &mut Verslun) {
    while position.turn() == Turn::Chance {
        position.roll(&mut Rng::new(1));
    }
}

/// Plays these moves, separated by commas; cards come as soon as they can.
fn go(position: &mut Verslun, moves: &str) {
    for text in moves.split(',') {
        let m = position.parse_move(text.trim()).unwrap_or_else(|error| panic!("{error}"));
        position.try_play(m).unwrap();
        settle(position);
    }
}

fn after(rules: Rules, deck: &str, moves: &str) -> Verslun {
    let mut position = Verslun::from_deck(&rules, &cards(deck)).unwrap();
    go(&mut position, moves);
    position
}

fn legal(position: &Verslun) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

/// Rules with every value of every option, in all combinations of the two that decide what pairs.
fn many_rules() -> Vec<Rules> {
    let mut rules = Vec::new();
    for aces_wild in [false, true] {
        for matching in [Match::Suit, Match::SuitOrRank] {
            for (hand, columns) in [(5, 4), (4, 11), (4, 1), (5, 2), (6, 3), (8, 2)] {
                rules.push(Rules { aces_wild, matching, hand, columns, ..Rules::default() });
            }
        }
    }
    rules
}

/// The game of the text: 7 points for a six, given up; then all four cards of a column for 65, whichever
/// order its clubs are named in; then 27 more, and the game ends without a claim at 92.
#[test]
fn the_example_of_the_text() {
    // Columns as in the text where it tells, from the top: the four lie in the order a to d.
    let deck = "2S 3H 4S TH  9S 5H 4D KH  3D 7S QC 7C  2C 4C JH 6D \
                AD 2D 9C TC 3C \
                5D 4H QS KS \
                KC JC 8S QD 6C \
                8H 5C 9D 2H \
                5S 7D";
    let mut game = after(Rules::default(), deck, "draw, claim d AD, on, stay");
    assert_eq!(game.board().points, 7);
    go(&mut game, "redeal d");
    assert_eq!(game.board().points, 0);
    for order in ["JC KC 8S QD", "KC JC 8S QD", "6C KC 8S QD", "KC 6C 8S QD"] {
        let m = game.parse_move(&format!("claim c {order}")).unwrap();
        let canonical = if order.contains("6C") { "claim c 6C KC 8S QD" } else { "claim c JC KC 8S QD" };
        assert_eq!(m.to_string(), canonical);
    }
    assert!(game.parse_move("claim c 8S KC JC QD").is_err(), "an order in which the cards do not pair");
    go(&mut game, "claim c KC JC 8S QD");
    assert_eq!(game.board().points, 65);
    assert_eq!(game.board().hand, cards("6C").into_iter().collect());
    go(&mut game, "on, draw, keep");
    assert_eq!(game.board().hand.len(), 5);
    go(&mut game, "claim b 8H 9D, on");
    assert_eq!(game.board().points, 65 + 10 + 4 + 8 + 9);
}

/// Ends as the rules say: without a claim at all, without a legal one there is no decision, by choice,
/// and where a card is needed that the pile does not have.
#[test]
fn ends() {
    let rules = Rules { columns: 1, hand: 4, ..Rules::default() };
    let end = |deck: &str, moves: &str| {
        let position = after(rules, deck, moves);
        assert_eq!(position.turn(), Turn::Over, "{moves}");
        (position.end(), position.score(0))
    };
    let first = "2C 3C 4C 5C 6C 2H 3H 4H ";
    assert_eq!(end(first, "stay"), ("no_claim", 0));
    assert_eq!(end("2C 3C 4C 5C 5H 2H 3H 4H", "draw"), ("no_claim", 0));
    assert_eq!(end(first, "draw, pass"), ("no_claim", 0));
    assert_eq!(end(first, "draw, claim a 6C, end"), ("stopped", 11));
    // The pile is empty: it is still asked whether to go on.
    assert_eq!(end(first, "draw, claim a 6C, on"), ("pile_empty", 11));
    let claimed = "draw, claim a 6C, on, ";
    // Seven cards do not fill a column and a hand of four, eight do and empty the pile.
    let seven = "6H 7H 8H 9H 6D 7D 8D ";
    let eight = "6H 7H 8H 9H 6D 7D 8D 9S ";
    let nine_hearts = "9H 7H 8H 9D 6D 7D 8D TD ";
    assert_eq!(end(&format!("{first}{seven}"), &format!("{claimed}stay, redeal a")), ("pile_empty", 0));
    assert_eq!(end(&format!("{first}{eight}"), &format!("{claimed}stay, redeal a")), ("no_claim", 0));
    let goes_on = format!("{claimed}stay, redeal a, claim a 6D, on");
    assert_eq!(end(&format!("{first}{nine_hearts}"), &goes_on), ("pile_empty", 15));
    // Drawing takes what there is, and a redeal is offered though nothing is left.
    let one = format!("{first}9H");
    assert_eq!(end(&one, &format!("{claimed}draw, redeal a")), ("pile_empty", 0));
    assert_eq!(end(&one, &format!("{claimed}draw, keep")), ("no_claim", 11));
    let position = after(rules, &one, &format!("{claimed}draw"));
    assert_eq!(legal(&position), ["redeal a", "keep"]);
    // A deck that the columns use up.
    assert_eq!(Verslun::from_deck(&rules, &cards("2C 3C 4C 5C")).unwrap().end(), "pile_empty");
    assert!(Verslun::from_deck(&rules, &cards("2C 3C 4C")).is_err());
}

/// What a redeal that fails gives up is not counted, and other columns are.
#[test]
fn other_columns_outlast_a_failed_redeal() {
    let rules = Rules { columns: 2, hand: 4, ..Rules::default() };
    let deck = "2C 3C 4C 5C 2H 3H 4H 5H TC TH 6D 7D 8D";
    let position = after(rules, deck, "draw, claim a TC, on, stay, keep, claim b TH, on, stay, redeal a");
    assert_eq!((position.end(), position.score(0)), ("pile_empty", 15));
}

/// A game is won from the target on, and the target changes no score.
#[test]
fn winning() {
    for (target, won) in [(0, true), (15, true), (16, false)] {
        let rules = Rules { columns: 1, target, ..Rules::default() };
        let position = after(rules, "2C 3C 4C 5C TC", "draw, claim a TC, end");
        assert_eq!((position.score(0), position.won(0)), (15, won));
    }
}

/// What pairs under the variants, and that a claim is a matching: each card of the column has one of its
/// own, and any order of the same cards is read as the same move.
#[test]
fn variants_of_pairing() {
    let claims = |aces_wild, matching, deck: &str| {
        let rules = Rules { aces_wild, matching, columns: 1, hand: 4, ..Rules::default() };
        let mut moves = legal(&after(rules, deck, "draw"));
        assert_eq!(moves.pop().as_deref(), Some("pass"));
        moves.into_iter().map(|text| text.replace("claim a ", "")).collect::<Vec<_>>()
    };
    // From the bottom: 5C, AD, 3H, 2S.
    let deck = "2S 3H AD 5C  AC 5H 9D KS";
    assert_eq!(claims(false, Match::Suit, deck), ["AC", "AC 9D", "AC 9D 5H", "AC 9D 5H KS"]);
    assert_eq!(
        claims(false, Match::SuitOrRank, deck),
        // 5C takes 5H as well, and AD then AC or 9D; but 3H takes no other than 5H.
        ["AC", "AC 9D", "AC 9D 5H", "AC 9D 5H KS", "5H", "5H AC", "5H 9D"]
    );
    // The ace of the column takes any card: AC and any other, and 5C takes no other but the ace.
    let wild = claims(true, Match::Suit, deck);
    assert_eq!(wild.iter().filter(|text| text.len() == 5).count(), 3);
    assert!(wild.contains(&"AC 5H".to_owned()) && wild.contains(&"AC KS".to_owned()));
    let rules = Rules { aces_wild: true, columns: 1, hand: 4, ..Rules::default() };
    let position = after(rules, "2S 3H 4C 5C  AC AD 9C KS", "draw");
    let read = |text: &str| position.parse_move(text).map(|m| m.to_string());
    assert_eq!(read("claim a AD AC"), Ok("claim a AC AD".to_owned()));
    assert_eq!(read("claim a AC 9C"), Ok("claim a 9C AC".to_owned()));
    assert!(read("claim a AC AC").is_err() && read("claim a KS").is_err() && read("claim b AC").is_err());
    assert!(read("claim a").is_err() && read("claim a AC AD 9C KS KC").is_err());
}

/// Asserts that position and twin offer the same moves and ended the same way; the moves in byte order.
fn same(position: &Verslun, twin: &Twin) -> Vec<String> {
    let (mut moves, mut texts) = (legal(position), twin.moves());
    moves.sort();
    texts.sort();
    assert_eq!(moves, texts, "{position:?}");
    if let Stage::Over(end) = twin.stage {
        assert_eq!((position.end(), position.score(0)), (end, twin.score()), "{position:?}");
    }
    moves
}

/// The number of ways to play the game to its end, the twin beside it at every move.
fn lines(position: &Verslun, twin: &Twin) -> u64 {
    let moves = same(position, twin);
    let below = moves.iter().map(|text| {
        let (mut next, mut other) = (position.clone(), twin.clone());
        go(&mut next, text);
        other.play(text);
        lines(&next, &other)
    });
    below.sum::<u64>().max(1)
}

fn both(rules: Rules, deck: &[Card]) -> (Verslun, Twin) {
    (Verslun::from_deck(&rules, deck).unwrap(), Twin::new(rules, deck))
}

/// The same legal moves, by their texts, the same ends and the same scores as the twin, under every
/// option: every line of small decks, and lines of full decks that go on for as long as they can.
#[test]
fn the_twin_plays_the_same_game() {
    let mut rng = Rng::new(3);
    let mut total = 0;
    for rules in many_rules() {
        let mut deck = Verslun::full_deck();
        deck.shuffle(&mut rng);
        if rules.columns <= 2 && rules.hand <= 5 {
            for extra in [0, 3, 6, 9, 12] {
                deck.shuffle(&mut rng);
                let (position, twin) = both(rules, &deck[..rules.laid_out() + extra]);
                total += lines(&position, &twin);
            }
        }
        for _ in 0..20 {
            deck.shuffle(&mut rng);
            let (mut position, mut twin) = both(rules, &deck);
            loop {
                let mut moves = same(&position, &twin);
                moves.retain(|text| moves_on(text));
                let Some(text) = moves.get(rng.random_range(0..moves.len().max(1))) else {
                    break;
                };
                go(&mut position, text);
                twin.play(text);
            }
        }
    }
    assert!(total > 1_000, "{total} lines: the small decks must branch");
}

fn moves_on(text: &str) -> bool {
    !["pass", "end"].contains(&text)
}

/// The number of lines of one small deck, so that a change of both engines shows too.
#[test]
fn perft() {
    let deck = cards("2C 7H KD 5S  3C AH 4D JS  TC 9H 6D QS  8C 5D 2H AS KC 4H 7D 9S");
    let count = |columns, aces_wild, matching| {
        let rules = Rules { columns, aces_wild, matching, hand: 4, ..Rules::default() };
        let (position, twin) = both(rules, &deck);
        lines(&position, &twin)
    };
    assert_eq!(count(1, false, Match::Suit), 150);
    assert_eq!(count(2, false, Match::Suit), 226);
    assert_eq!(count(2, true, Match::Suit), 370);
    assert_eq!(count(2, false, Match::SuitOrRank), 279);
    assert_eq!(count(2, true, Match::SuitOrRank), 444);
}

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
        testkit::uniform(&format!("place {place}"), row, &[deals as f64 / 52.0; 52]);
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
        testkit::uniform("orders", &counts, &vec![1_000.0; orders]);
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
    testkit::uniform("deals", &counts.into_values().collect::<Vec<_>>(), &vec![20.0; outcomes.len()]);
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
    testkit::uniform("next card", &possible, &[1_000.0; 31]);
}

/// The best mean score from here over single moves or over steps, for one who knows the deck or for one who
/// does not.
fn best(position: &Verslun, by_steps: bool, knows: bool) -> f64 {
    match position.turn() {
        Turn::Over => return position.score(0) as f64,
        Turn::Chance if knows => {
            let mut next = position.clone();
            settle(&mut next);
            return best(&next, by_steps, knows);
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            position.outcomes(&mut outcomes);
            let values = outcomes.iter().map(|&(outcome, probability)| {
                let mut next = position.clone();
                next.play_chance(outcome);
                probability * best(&next, by_steps, knows)
            });
            return values.sum();
        }
        _ => {}
    }
    let mut steps = StepList::default();
    if by_steps {
        position.steps(&mut steps);
    } else {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves.iter().for_each(|&m| steps.push(&[m]));
    }
    let values = steps.iter().map(|step| {
        let mut next = position.clone();
        for &m in step {
            assert_eq!(next.turn(), Turn::Player(0));
            next.try_play(m).unwrap();
        }
        best(&next, by_steps, knows)
    });
    values.fold(0.0, f64::max)
}

/// What the steps leave out is not missed by one who knows the deck. Small decks, every option.
#[test]
fn steps_leave_out_nothing_better() {
    let mut rng = Rng::new(6);
    let mut scores = 0.0;
    for aces_wild in [false, true] {
        for matching in [Match::Suit, Match::SuitOrRank] {
            for (columns, extra, decks) in [(1, 14, 12), (2, 7, 6), (2, 10, 2), (3, 6, 2)] {
                let rules = Rules { aces_wild, matching, columns, hand: 4, ..Rules::default() };
                for _ in 0..decks {
                    let mut deck = Verslun::full_deck();
                    deck.shuffle(&mut rng);
                    let deck = &deck[..rules.laid_out() + extra];
                    let position = Verslun::from_deck(&rules, deck).unwrap();
                    let expected = best(&position, false, true);
                    assert_eq!(best(&position, true, true), expected, "{rules:?}, {deck:?}");
                    scores += expected;
                }
            }
        }
    }
    assert!(scores > 1_000.0, "{scores}: most games must bring something");
}

/// Of two claimed columns only the lowest is given up in a step. Positions in which both could be: nothing better is left
/// out, and giving up the other would often be worse.
#[test]
fn steps_give_up_only_the_lowest_column() {
    let rules = Rules { columns: 2, hand: 4, ..Rules::default() };
    let mut rng = Rng::new(9);
    let (mut compared, mut worse, mut buffer) = (0, 0, Vec::new());
    while compared < 40 {
        let mut deck = Verslun::full_deck();
        deck.shuffle(&mut rng);
        let mut position = Verslun::from_deck(&rules, &deck[..rules.laid_out() + 17]).unwrap();
        let both = |board: &Board| board.phase == Phase::Redeal && board.claimed().count() == 2;
        while position.turn() != Turn::Over && !both(&position.board()) {
            position.moves(&mut buffer);
            buffer.retain(|m| moves_on(&m.to_string()) && !matches!(m, Move::Redeal(_)));
            position.play(buffer[rng.random_range(0..buffer.len())]);
            settle(&mut position);
        }
        let worth = position.board().worth;
        if position.turn() == Turn::Over || worth[0] == worth[1] || position.pile_len() < rules.redealt() {
            continue;
        }
        compared += 1;
        assert_eq!(best(&position, true, true), best(&position, false, true), "{position:?}");
        let given_up = |column: u8| {
            let mut next = position.clone();
            next.play(Move::Redeal(column));
            best(&next, false, true)
        };
        let (low, high) = if worth[0] < worth[1] { (0, 1) } else { (1, 0) };
        assert!(given_up(low) >= given_up(high), "{position:?}");
        worse += usize::from(given_up(low) > given_up(high));
    }
    assert!(worse > 10, "{worse} of {compared}");
}

/// Nor is it missed by one who does not know the deck: exact values of the ends of random games, every option.
#[test]
fn steps_leave_out_nothing_better_of_the_unknown() {
    let mut rng = Rng::new(7);
    let (mut compared, mut buffer) = (0, Vec::new());
    for rules in many_rules().into_iter().filter(|rules| rules.columns <= 3 && rules.hand <= 6) {
        for _ in 0..24 {
            let mut position = Verslun::deal(&rules, &mut rng);
            // To the last turns of a game that goes on for as long as it can.
            while position.turn() != Turn::Over && position.pile_len() > 8 {
                position.moves(&mut buffer);
                buffer.retain(|m| moves_on(&m.to_string()));
                position.play(buffer[rng.random_range(0..buffer.len())]);
                settle(&mut position);
            }
            if position.turn() == Turn::Over {
                continue;
            }
            compared += 1;
            let (moves, steps) = (best(&position, false, false), best(&position, true, false));
            assert!((moves - steps).abs() < 1e-9, "{moves} by moves, {steps} by steps: {position:?}");
        }
    }
    assert!(compared > 30, "{compared} positions");
}

/// The tally of the text's game, count by count: what a player did must stand in the row that says so.
#[test]
fn the_tally_of_a_known_game() {
    let deck = "2S 3H 4S TH  9S 5H 4D KH  3D 7S QC 7C  2C 4C JH 6D AD 2D 9C TC 3C 5D 4H QS KS KC JC 8S QD 6C \
                8H 5C 9D 2H 5S 7D";
    let mut tally = VerslunTally::new(&Rules::default());
    let mut game = Verslun::from_deck(&Rules::default(), &cards(deck)).unwrap();
    for text in
        "draw, claim d AD, on, stay, redeal d, claim c KC JC 8S QD, on, draw, keep, claim b 8H 9D, end"
            .split(", ")
    {
        let m = game.parse_move(text).unwrap();
        tally.event(&game, &Event::Move(0, m));
        game.play(m);
        settle(&mut game);
    }
    tally.finish(&game);
    assert_eq!((game.turn(), game.end()), (Turn::Over, "stopped"));
    let rows = tally.rows(0);
    let counted: BTreeMap<(&str, &str), u64> = rows
        .iter()
        .filter(|row| row.count > 0)
        .map(|row| ((row.measure, row.key.as_str()), row.count))
        .collect();
    let expected = [
        (("draws_by_hand", "0"), 1),
        (("draws_by_hand", "1"), 1),
        (("stays_by_hand", "4"), 1),
        (("redeals_by_points", "7"), 1),
        (("claims_by_height", "1"), 1),
        (("claims_by_height", "4"), 1),
        (("claim_points_by_height", "1"), 7),
        (("claims_by_height", "2"), 1),
        (("claim_points_by_height", "2"), 10 + 4 + 8 + 9),
        (("claim_points_by_height", "4"), 65),
        (("columns_claimed_at_end", "2"), 1),
        (("claims_by_column", "b"), 1),
        (("points_by_column", "b"), 10 + 4 + 8 + 9),
        (("claims_by_column", "c"), 1),
        (("claims_by_column", "d"), 1),
        (("points_by_column", "c"), 65),
        (("keeps", ""), 1),
        (("ends", "stopped"), 1),
    ];
    assert_eq!(counted, expected.into_iter().collect());
}

/// The joint limit of columns and hand is named with its value.
#[test]
fn too_many_cards_are_refused() {
    let refused = Rules { hand: 9, columns: 11, ..Rules::default() }.check().unwrap_err().to_string();
    for part in ["columns=11", "hand=9", "52", "53"] {
        assert!(refused.contains(part), "{refused}");
    }
    for (hand, columns) in [(20, 8), (8, 11), (4, 1)] {
        assert!(Rules { hand, columns, ..Rules::default() }.check().is_ok());
    }
}
