//! Seats in observations: counted from the player who looks.

use super::*;
use crate::doubles::encoding::encoding;
use knave_agents::encoding::first;

/// Each of three players sees the roller, the scores and the teams from its own place, and nothing beyond the three.
#[test]
fn seats_are_counted_from_oneself() {
    let encoding = encoding();
    let rules = Rules { teams: Teams::from_iter([0, 1, 0]), ..rules(3, 2) };
    let mut game = Script::new(&rules, "9C 5D 7H KS QH 2C");
    game.play("12 KS 34");
    assert_eq!(game.scores(), [3, 0, 0]);
    for (seat, [roller, winner]) in [[1, 0], [0, 2], [2, 1]].into_iter().enumerate() {
        let mut row = vec![0.0; encoding.observation_length()];
        encoding.write(&game.0.view(seat), &[], &mut row);
        let part = |name: &str, length: usize| {
            let from = usize::from(first(encoding.observation, name));
            let places = (0..length).filter(|place| row[from + place] > 0.0);
            places.collect::<Vec<_>>()
        };
        assert_eq!(part("roller", 7), [roller], "seat {seat}");
        assert_eq!(part("scores", 7), [winner], "seat {seat}");
        // The first seat of each one's team: seats 0 and 2 play together.
        let teams = [[0, 1, 0], [0, 1, 1], [0, 0, 2]][seat];
        let expected: Vec<usize> = teams.into_iter().enumerate().map(|(i, first)| 7 * i + first).collect();
        assert_eq!(part("team", 49), expected, "seat {seat}");
    }
}
