//! How small games of verslun are written out and solved.

use super::position::Verslun;
use super::rules::{HEIGHT, MAX_COLUMNS};
use knave_agents::EnumerableChance;
use knave_agents::exact::{Listing, fingerprint};

/// The listing of verslun. The columns are dealt before the first decision.
pub fn listing() -> Listing<Verslun> {
    Listing {
        dealt: |rules| usize::from(rules.columns) * HEIGHT,
        outcomes: EnumerableChance::outcomes,
        listed: |outcome| outcome,
        fingerprint: Some(of_position),
    }
}

/// The fingerprint of a position: its key, with the columns in an order that does not depend on their places.
fn of_position(position: &Verslun) -> u128 {
    let mut view = position.key();
    let board = &mut view.board;
    let mut columns: [_; MAX_COLUMNS] = std::array::from_fn(|place| {
        (board.columns[place], board.partners[place], board.worth[place], board.is_claimed(place))
    });
    columns[..usize::from(board.rules.columns)].sort_unstable();
    board.claimed = 0;
    for (place, (cards, partners, worth, claimed)) in columns.into_iter().enumerate() {
        (board.columns[place], board.partners[place], board.worth[place]) = (cards, partners, worth);
        board.claimed |= u16::from(claimed) << place;
    }
    fingerprint(&view)
}
