//! Seats in observations: counted from the player who looks.

use super::*;
use crate::whist::encoding::encoding;
use knave_agents::encoding::first;

/// Each player sees the leader, the dealer and who is ahead from its own place.
#[test]
fn seats_are_counted_from_oneself() {
    let encoding = encoding();
    let hands = ["2C 3D", "4C 5D", "6C 7D", "8C 9H"];
    let position = after(Rules::default(), hands, "2C 4C");
    for seat in 0..4 {
        let mut row = vec![0.0; encoding.observation_length()];
        encoding.write(&position.view(seat), &[], &mut row);
        let parts = [("mover", 2), ("leader", 0), ("dealer", 3), ("ahead", 1)];
        for (name, place) in parts {
            let from = usize::from(first(encoding.observation, name));
            let seen: Vec<usize> = (0..4).filter(|place| row[from + place] == 1.0).collect();
            assert_eq!(seen, [(place + 4 - seat) % 4], "{name} from seat {seat}");
        }
    }
}
