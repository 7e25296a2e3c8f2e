//! The tally and the table of placements, counted once more.

use super::*;
use crate::{Cell, Tally as _};
use std::collections::BTreeMap;

/// Rounds of a game in the buckets of the table, from the documentation.
fn bucket(round: u32) -> &'static str {
    match round {
        1..=3 => "01-03",
        4..=6 => "04-06",
        7..=9 => "07-09",
        10..=14 => "10-14",
        15..=24 => "15-24",
        _ => "25+",
    }
}

fn words(cells: &[Cell]) -> Vec<String> {
    let word = |cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Empty => String::new(),
    };
    cells.iter().map(word).collect()
}

type Key = (String, u8, usize, usize, &'static str, &'static str);

/// Protects `placements.csv` and the counts of `tally.csv`: games of random players, counted here case by case from the
/// legal placements themselves, and split over two tallies that are merged.
#[test]
fn placements_are_counted_exactly() {
    let rules = Rules::default();
    let mut halves = [ColumnsTally::new(&rules), ColumnsTally::new(&rules)];
    let mut expected: [BTreeMap<Key, [u64; 3]>; 2] = Default::default();
    let (mut draws, mut steals) = ([0; 2], [0; 2]);
    for index in 0..60 {
        let mut rng = stream(51, index, Role::Deal);
        let mut position = Columns::deal(&rules, &mut rng);
        let tally = &mut halves[(index % 2) as usize];
        let mut placed: Vec<(usize, Key)> = Vec::new();
        let (mut buffer, mut moves) = (Vec::new(), Vec::new());
        while position.turn() != Turn::Over {
            let Turn::Player(seat) = position.turn() else {
                position.roll(&mut rng);
                tally.event(&position, &Event::Shuffle);
                continue;
            };
            let mut m = position.random_move(&mut buffer, &mut rng);
            // Who is slow to end a phase runs out of cards now and then.
            for _ in 0..index % 7 {
                if m != Move::Done {
                    break;
                }
                m = position.random_move(&mut buffer, &mut rng);
            }
            if let Move::Place(dice) = m {
                let board = &position.board;
                let key = |pair: usize, die: u8| -> Key {
                    let [own, opp] = [seat, 1 - seat].map(|seat| &board.columns[seat][pair]);
                    let state = |column: &Column| match column.len() {
                        0 => "empty",
                        _ if column.finished => "finished",
                        _ => "growing",
                    };
                    let length = |column: &Column| column.len().min(8);
                    (bucket(board.round).to_owned(), die, length(own), length(opp), state(own), state(opp))
                };
                position.moves(&mut moves);
                // A placement counts once for a number and a look, however many dice and pairs share them.
                let (mut seen, mut chosen_keys) = (Vec::new(), Vec::new());
                for (pair, &chosen) in dice.iter().enumerate() {
                    if board.columns[0][pair].finished && board.columns[1][pair].finished {
                        continue;
                    }
                    // What the legal placements offer to this pair.
                    let mut offered: Vec<u8> = moves
                        .iter()
                        .map(|m| if let Move::Place(dice) = m { dice[pair] } else { unreachable!() })
                        .collect();
                    offered.sort_unstable();
                    offered.dedup();
                    seen.extend(offered.into_iter().map(|die| key(pair, die)));
                    chosen_keys.push(key(pair, chosen));
                }
                for keys in [&mut seen, &mut chosen_keys] {
                    keys.sort();
                    keys.dedup();
                }
                for key in seen {
                    expected[seat].entry(key).or_default()[0] += 1;
                }
                placed.extend(chosen_keys.into_iter().map(|key| (seat, key)));
            }
            steals[seat] += u64::from(matches!(m, Move::Steal(..)));
            tally.event(&position, &Event::Move(seat, m));
            position.play(m);
            let drawn = position.board.due != Due::Nothing && !matches!(m, Move::Done | Move::Finish(_));
            draws[seat] += u64::from(drawn);
        }
        tally.finish(&position, |seat| position.won(seat));
        for (seat, key) in placed {
            let case = expected[seat].get_mut(&key).unwrap();
            case[1] += 1;
            case[2] += u64::from(position.won(seat));
        }
    }
    let [mut tally, second] = halves;
    tally.merge(second);
    for (seats, expected) in [
        (&[0][..], expected[0].clone()),
        (&[1], expected[1].clone()),
        (&[0, 1], {
            let mut both = expected[0].clone();
            for (key, case) in &expected[1] {
                let sum = both.entry(key.clone()).or_default();
                (0..3).for_each(|i| sum[i] += case[i]);
            }
            both
        }),
    ] {
        let mut rows: Vec<Vec<String>> =
            tally.table("placements.csv", seats).iter().map(|row| words(row)).collect();
        let rate = |count: u64, of: u64| match of {
            0 => String::new(),
            _ => ((count as f64 / of as f64 * 1e9).round() / 1e9).to_string(),
        };
        let mut wanted: Vec<Vec<String>> = expected
            .iter()
            .map(|((bucket, die, own, opp, own_state, opp_state), [offered, placed, won])| {
                let mut row = vec![bucket.clone()];
                row.extend([usize::from(*die), *own, *opp].map(|n| n.to_string()));
                row.extend([own_state, opp_state].map(|&state| state.to_owned()));
                row.extend([offered, placed].map(ToString::to_string));
                row.extend([rate(*placed, *offered), rate(*won, *placed)]);
                row
            })
            .collect();
        rows.sort();
        wanted.sort();
        assert_eq!(rows, wanted, "seats {seats:?}");
    }
    for seat in 0..2 {
        let rows = tally.rows(seat);
        let sum = |measure: &str| -> u64 {
            rows.iter().filter(|row| row.measure == measure).map(|row| row.count).sum()
        };
        assert_eq!((sum("mid_play_draws"), sum("columns_stolen")), (draws[seat], steals[seat]));
        assert_eq!(sum("game_rounds"), 60);
        // Each of four columns is finished or left.
        assert_eq!(sum("columns_finished") + sum("columns_left"), 240);
    }
    assert!(draws[0] > 0, "nobody ran out of cards");
}
