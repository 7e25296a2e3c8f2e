//! Placements as actions, and whose columns are whose.

use super::*;
use crate::columns::encoding::encoding;
use knave_agents::encoding::first;

/// A placement is one action for each pair that is not closed, in order. Either player sees its own columns first.
#[test]
fn closed_pairs_are_not_spelled() {
    let encoding = encoding();
    let finished = ["7C 7D 7H 7S !", "8C 8D 8H 8S !"];
    let columns = [["2C", finished[0], "3C", "4C"], ["5C", finished[1], "6C", "TC"]];
    let mut position = made_up(Rules::default(), columns, ["9H", "JC"], "QD KD", "");
    act(&mut position, &["roll 6 2"]);
    let place = first(encoding.actions, "place");
    let spelled = |text: &str| (encoding.spell)(&position.view(0), position.parse_move(text).unwrap());
    assert_eq!(spelled("place a6 d2")[..], [place + 6, place + 2 * 7, place + 3 * 7 + 2]);
    let top = usize::from(first(encoding.observation, "top"));
    let begun = usize::from(first(encoding.observation, "begun"));
    for (seat, tops) in [[2, 7, 3, 4, 5, 8, 6, 10], [5, 8, 6, 10, 2, 7, 3, 4]].into_iter().enumerate() {
        let mut row = vec![0.0; encoding.observation_length()];
        encoding.write(&position.view(seat), &spelled("place a6 d2")[..2], &mut row);
        for (i, rank) in tops.into_iter().enumerate() {
            assert_eq!(row[top + 13 * i + rank - 2], 1.0, "seat {seat}, column {i}");
        }
        let shown: Vec<usize> = (0..28).filter(|place| row[begun + place] == 1.0).collect();
        assert_eq!(shown, [6, 2 * 7]);
    }
}
