//! The tally of a known game.

use super::*;
use crate::Tally as _;
use knave_agents::Event;

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
    tally.finish(&game, |seat| game.won(seat));
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
