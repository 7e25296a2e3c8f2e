//! Tally: strategy counts of a run of whist.

use super::board::Won;
use super::{Rules, SCOUNDRELS, SEATS, Whist};
use crate::cards::{Card, Suit, rank_letter};
use crate::{Tally, TallyMeasure, TallyRow};
use knave_agents::{Event, Seat};

/// The number of ranks.
const RANKS: usize = 13;

/// The counts of [`Whist`].
#[derive(Clone, Debug)]
pub struct WhistTally {
    /// Tricks won, by [`Won`]; the first count is that of games.
    tricks: [[u64; 4]; SEATS],
    /// Leads, by trump suit and [`Card::id`].
    leads: [[[u64; 64]; 4]; SEATS],
    /// The last tricks won.
    last: [u64; SEATS],
    /// Scoundrels played and caught, by scoundrel.
    played: [[u64; 2]; SEATS],
    caught: [[u64; 2]; SEATS],
    /// The cards won, by rank.
    won: RankCounts,
}

/// The two scoundrels.
const TWO: [Card; 2] = [Card::new(Suit::Clubs, 11), Card::new(Suit::Spades, 11)];

impl WhistTally {
    /// Counts the lead of a trick by the seat that won the one before, and how.
    #[inline]
    pub(super) fn lead(&mut self, trump: Suit, won: Won, seat: Seat, card: Card) {
        self.tricks[seat & 3][won as usize & 3] += 1;
        self.leads[seat & 3][trump as usize & 3][usize::from(card.id() & 63)] += 1;
    }
}

impl Tally<Whist> for WhistTally {
    const MEASURES: &'static [TallyMeasure] = &[
        TallyMeasure::new(
            "tricks_won",
            "tricks",
            "what won the trick",
            "tricks won; suit is the highest card of the suit that was led, ruff a trump on another suit",
        ),
        TallyMeasure::new("last_trick_won", "games", "", "games whose last trick the seat won"),
        TallyMeasure::new(
            "scoundrels_played",
            "cards",
            "the scoundrel",
            "scoundrels dealt to the seat, and so played",
        ),
        TallyMeasure::new(
            "scoundrels_caught",
            "cards",
            "the scoundrel",
            "scoundrels in tricks that the seat won",
        ),
        TallyMeasure::new(
            "leads_plain",
            "leads",
            "the rank",
            "leads of another suit than trump, without scoundrels",
        ),
        TallyMeasure::new("leads_trump", "leads", "the rank", "leads of trump, without scoundrels"),
        TallyMeasure::new("leads_scoundrel", "leads", "", "leads of a scoundrel"),
        TallyMeasure::new(
            "cards_won",
            "cards",
            "the rank",
            "cards in tricks that the seat won, without scoundrels",
        ),
    ];

    fn new(_: &Rules) -> Self {
        Self {
            tricks: [[0; 4]; SEATS],
            leads: [[[0; 64]; 4]; SEATS],
            last: [0; SEATS],
            played: [[0; 2]; SEATS],
            caught: [[0; 2]; SEATS],
            won: RankCounts::default(),
        }
    }

    #[inline]
    fn event(&mut self, position: &Whist, event: &Event<Whist>) {
        // Everything is counted at the lead of a trick: its leader has won the one before.
        if let Event::Move(seat, m) = *event
            && position.board.count == 0
        {
            self.lead(position.board.trump, position.board.won, seat, m.0);
        }
    }

    #[inline]
    fn finish(&mut self, end: &Whist, _: impl Fn(Seat) -> bool) {
        let board = &end.board;
        self.tricks[board.mover()][board.won as usize & 3] += 1;
        self.last[board.mover()] += 1;
        for seat in 0..SEATS {
            for (i, card) in TWO.into_iter().enumerate() {
                self.played[seat][i] += u64::from(end.dealt[seat].contains(card));
                self.caught[seat][i] += u64::from(board.taken[seat].contains(card));
            }
        }
        self.won.add(board.taken.map(|cards| (cards - SCOUNDRELS).bits()));
    }

    fn counts(&mut self) -> Vec<&mut [u64]> {
        vec![
            self.tricks.as_flattened_mut(),
            self.leads.as_flattened_mut().as_flattened_mut(),
            &mut self.last,
            self.played.as_flattened_mut(),
            self.caught.as_flattened_mut(),
            self.won.settled().as_flattened_mut(),
        ]
    }

    fn rows(&self, seat: Seat) -> Vec<TallyRow> {
        let mut rows = Vec::new();
        let mut row = |measure, key: &str, count| rows.push(TallyRow { measure, key: key.to_owned(), count });
        for (key, how) in [("suit", Won::Suit), ("ruff", Won::Ruff), ("scoundrel", Won::Scoundrel)] {
            row("tricks_won", key, self.tricks[seat][how as usize]);
        }
        row("last_trick_won", "", self.last[seat]);
        for (i, card) in TWO.iter().enumerate() {
            row("scoundrels_played", &card.to_string(), self.played[seat][i]);
        }
        for (i, card) in TWO.iter().enumerate() {
            row("scoundrels_caught", &card.to_string(), self.caught[seat][i]);
        }
        let mut led = [[0; RANKS]; 2];
        let mut scoundrels = 0;
        for trump in Suit::ALL {
            for card in Card::all() {
                let count = self.leads[seat][trump as usize][usize::from(card.id())];
                if SCOUNDRELS.contains(card) {
                    scoundrels += count;
                } else {
                    led[usize::from(card.suit() == trump)][usize::from(card.rank()) - 2] += count;
                }
            }
        }
        let rank_name = |rank: usize| rank_letter(rank as u8 + 2).to_string();
        for (measure, counts) in ["leads_plain", "leads_trump"].into_iter().zip(led) {
            for (rank, count) in counts.into_iter().enumerate() {
                row(measure, &rank_name(rank), count);
            }
        }
        row("leads_scoundrel", "", scoundrels);
        for (rank, count) in self.won.counts()[seat].into_iter().enumerate() {
            row("cards_won", &rank_name(rank), count);
        }
        rows
    }
}

/// The number of planes: bits of a count that is pending.
const PLANES: usize = 6;

/// Counts of cards by rank and seat, with vertical counters.
///
/// A set of cards is added to 64 small counters at once: plane i holds bit i of each. They are read out before they can
/// overflow.
#[derive(Copy, Clone, Debug, Default)]
struct RankCounts {
    planes: [[u64; SEATS]; PLANES],
    pending: u32,
    read: [[u64; RANKS]; SEATS],
}

impl RankCounts {
    #[inline]
    fn add(&mut self, sets: [u64; SEATS]) {
        let mut carries = sets;
        for plane in &mut self.planes {
            for seat in 0..SEATS {
                (plane[seat], carries[seat]) = (plane[seat] ^ carries[seat], plane[seat] & carries[seat]);
            }
        }
        self.pending += 1;
        if self.pending == (1 << PLANES) - 1 {
            self.settled();
        }
    }

    fn counts(&self) -> [[u64; RANKS]; SEATS] {
        let mut counts = self.read;
        for (seat, counts) in counts.iter_mut().enumerate() {
            for (rank, count) in counts.iter_mut().enumerate() {
                let cards = 0x0001_0001_0001_0001 << (rank + 2);
                for (i, plane) in self.planes.iter().enumerate() {
                    *count += u64::from((plane[seat] & cards).count_ones()) << i;
                }
            }
        }
        counts
    }

    /// The counts, with nothing pending.
    fn settled(&mut self) -> &mut [[u64; RANKS]; SEATS] {
        *self = Self { read: self.counts(), ..Self::default() };
        &mut self.read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::CardSet;
    use knave_agents::Rng;
    use rand::Rng as _;

    /// Counting in planes loses neither carries nor pending counts: 1,000 times four random sets, in two parts that are
    /// merged, against counting card by card.
    #[test]
    fn sums_count_like_one_by_one() {
        let mut rng = Rng::new(3);
        let (mut first, mut second) = (RankCounts::default(), RankCounts::default());
        let mut expected = [[0; RANKS]; SEATS];
        let deck: CardSet = Card::all().collect();
        for i in 0..1_000 {
            let sets = [(); SEATS].map(|()| deck.bits() & (rng.next_u64() | rng.next_u64()));
            for (counts, set) in expected.iter_mut().zip(sets) {
                for card in CardSet::from_bits(set) {
                    counts[usize::from(card.rank()) - 2] += 1;
                }
            }
            if i < 470 { first.add(sets) } else { second.add(sets) }
        }
        first
            .settled()
            .as_flattened_mut()
            .iter_mut()
            .zip(second.settled().as_flattened())
            .for_each(|(a, b)| *a += b);
        assert_eq!(first.counts(), expected);
    }
}
