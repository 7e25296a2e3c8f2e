//! Sets of seats.

use knave_agents::Seat;
use knave_agents::game::MAX_SEATS;

/// A set of seats, as bits.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seats(u8);

const _: () = assert!(MAX_SEATS <= u8::BITS as usize, "every seat has a bit");

impl Seats {
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn contains(self, seat: Seat) -> bool {
        self.0 >> seat & 1 == 1
    }

    /// The seats in ascending order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Seat> {
        (0..MAX_SEATS).filter(move |&seat| self.contains(seat))
    }
}

impl Extend<Seat> for Seats {
    fn extend<I: IntoIterator<Item = Seat>>(&mut self, seats: I) {
        seats.into_iter().for_each(|seat| self.0 |= 1 << seat);
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut all = Self::default();
        all.extend(seats);
        all
    }
}
