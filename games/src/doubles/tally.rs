//! Tally: strategy counts of a run of doubles.

use super::{Chance, Doubles, Move, Phase, Rules};
use crate::cards::rank_letter;
use crate::{Tally, TallyMeasure, TallyRow, class_name};
use knave_agents::{Event, Seat};
use std::hint::select_unpredictable;
use std::ops::Range;
use std::slice::from_mut;

/// The lowest stakes of each class.
const FROM: [u32; CLASSES] = [2, 5, 8, 11, 15, 21, 31, 51];
const CLASSES: usize = 8;

/// The class of stakes; higher ones are in the last class.
const CLASS: [u8; FROM[CLASSES - 1] as usize + 1] = {
    let (mut table, mut stakes, mut class) = ([0; FROM[CLASSES - 1] as usize + 1], 0, 0);
    while stakes < table.len() {
        if class + 1 < CLASSES && stakes as u32 == FROM[class + 1] {
            class += 1;
        }
        table[stakes] = class as u8;
        stakes += 1;
    }
    table
};

fn class(stakes: u32) -> usize {
    usize::from(CLASS[(stakes as usize).min(CLASS.len() - 1)])
}

/// The counts of one seat.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct SeatTally {
    /// Moves, by whether doubles forced them, by [`Move::slot`] and by class of stakes.
    moves: [[[u64; CLASSES]; 16]; 2],
    /// Stakes won by challenges, by class.
    wins: [u64; CLASSES],
    points_pocketed: u64,
    points_challenged: u64,
    /// Own rolls: those that were not doubles, and doubles.
    rolls: [u64; 2],
}

impl SeatTally {
    /// Rolled dice, as many times as `times` says.
    #[inline]
    pub(super) fn rolled(&mut self, doubles: u32, times: u32) {
        self.rolls[usize::from(doubles > 0)] += u64::from(times);
    }

    /// Answered, by whether doubles forced it, with a card of this rank or with 0 for a pass.
    #[inline]
    pub(super) fn answered(&mut self, forced: u32, rank: u32, stakes: u32) {
        self.moves[usize::from(forced > 0)][rank as usize & 15][class(stakes)] += 1;
    }

    /// Won these stakes by a challenge, or nothing.
    #[inline]
    pub(super) fn took(&mut self, stakes: u32) {
        self.wins[class(stakes)] += u64::from(stakes > 0);
        self.points_challenged += u64::from(stakes);
    }

    /// Pocketed these stakes or rolled again.
    pub(super) fn chose(&mut self, pockets: bool, stakes: u32) {
        let m = if pockets { Move::POCKET } else { Move::ROLL };
        self.moves[0][m.slot()][class(stakes)] += 1;
        self.points_pocketed += u64::from(if pockets { stakes } else { 0 });
    }
}

/// The ranks, lowest first.
const RANKS: Range<usize> = 2..15;

/// The counts of [`Doubles`]. A match counts as its single games.
#[derive(Clone, Debug)]
pub struct DoublesTally {
    seats: Vec<SeatTally>,
    games: u64,
    /// The games that the limit of rolls cut off.
    limited: u64,
}

impl DoublesTally {
    /// The counts of the first two seats.
    pub(super) fn two_seats(&mut self) -> Option<&mut [SeatTally; 2]> {
        self.seats.first_chunk_mut()
    }

    /// Counts the stakes that a challenge won in the last round, if that round has just ended.
    #[inline]
    fn count_taken(&mut self, position: &Doubles, ended: bool) {
        let board = &position.board;
        // A count of nothing in place of a branch, which could not be predicted.
        self.seats[usize::from(board.taker)].took(select_unpredictable(ended, board.taken, 0));
    }

    /// Counts the end of a game, in its last position or the first of the next game.
    fn count_game(&mut self, position: &Doubles) {
        self.count_taken(position, true);
        self.games += 1;
        self.limited += u64::from(position.board.limited);
    }
}

impl Tally<Doubles> for DoublesTally {
    const MEASURES: &'static [TallyMeasure] = &[
        TallyMeasure::new(
            "games",
            "games",
            "",
            "games, where a match counts as many as it had; each seat has the whole",
        ),
        TallyMeasure::new(
            "games_cut_off",
            "games",
            "",
            "games that max_rolls ended, every such game of a match; each seat has the whole",
        ),
        TallyMeasure::new("rolls", "rolls", "", "own rolls"),
        TallyMeasure::new("doubles", "rolls", "", "own rolls with two equal dice"),
        TallyMeasure::new("points_by_pocket", "points", "", "stakes pocketed"),
        TallyMeasure::new("points_by_challenge", "points", "", "stakes won by challenges"),
        TallyMeasure::new(
            "pockets_by_stakes",
            "moves",
            "the stakes",
            "times that the roller pocketed where nobody had challenged",
        ),
        TallyMeasure::new(
            "rolls_again_by_stakes",
            "moves",
            "the stakes",
            "times that the roller rolled again where nobody had challenged",
        ),
        TallyMeasure::new(
            "passes_by_stakes",
            "moves",
            "the stakes",
            "passes of a player who could have challenged",
        ),
        TallyMeasure::new("challenges_won_by_stakes", "turns", "the stakes", "turns won by a challenge"),
        TallyMeasure::new(
            "forced_challenges_by_rank",
            "moves",
            "the rank",
            "first challenges that doubles forced",
        ),
        TallyMeasure::new(
            "challenges",
            "moves",
            "the rank and the stakes, such as 9 at 5-7",
            "all other challenges",
        ),
    ];

    fn new(rules: &Rules) -> Self {
        Self { seats: vec![SeatTally::default(); usize::from(rules.players)], games: 0, limited: 0 }
    }

    #[inline]
    fn event(&mut self, position: &Doubles, event: &Event<Doubles>) {
        let board = &position.board;
        match *event {
            Event::Move(seat, m) => {
                let seat = &mut self.seats[seat];
                let forced = usize::from(board.phase == Phase::Forced);
                seat.moves[forced][m.slot()][class(board.stakes)] += 1;
                let pocketed = select_unpredictable(m == Move::POCKET, board.stakes, 0);
                seat.points_pocketed += u64::from(pocketed);
            }
            Event::Chance(Chance::Roll([a, b])) => {
                self.seats[usize::from(board.roller)].rolls[usize::from(a == b)] += 1;
                // The first roll of a turn that another turn of this game has gone before.
                let ended = (board.stakes == u32::from(a + b)) & (board.rolls > 1);
                self.count_taken(position, ended);
            }
            Event::Chance(Chance::Deck(_)) | Event::Shuffle => self.count_game(position),
        }
    }

    fn finish(&mut self, end: &Doubles, _: impl Fn(Seat) -> bool) {
        self.count_game(end);
    }

    fn counts(&mut self) -> Vec<&mut [u64]> {
        let seats = self.seats.iter_mut().flat_map(|seat| -> [&mut [u64]; 5] {
            [
                seat.moves.as_flattened_mut().as_flattened_mut(),
                &mut seat.wins,
                from_mut(&mut seat.points_pocketed),
                from_mut(&mut seat.points_challenged),
                &mut seat.rolls,
            ]
        });
        seats.chain([from_mut(&mut self.games), from_mut(&mut self.limited)]).collect()
    }

    fn rows(&self, seat: Seat) -> Vec<TallyRow> {
        let counts = &self.seats[seat];
        let mut rows = Vec::new();
        let mut row = |measure, key, count| rows.push(TallyRow { measure, key, count });
        for (measure, count) in [
            ("games", self.games),
            ("games_cut_off", self.limited),
            ("rolls", counts.rolls.iter().sum()),
            ("doubles", counts.rolls[1]),
            ("points_by_pocket", counts.points_pocketed),
            ("points_by_challenge", counts.points_challenged),
        ] {
            row(measure, String::new(), count);
        }
        let [chosen, forced] = &counts.moves;
        for (measure, counts) in [
            ("pockets_by_stakes", &chosen[Move::POCKET.slot()]),
            ("rolls_again_by_stakes", &chosen[Move::ROLL.slot()]),
            ("passes_by_stakes", &chosen[Move::PASS.slot()]),
            ("challenges_won_by_stakes", &counts.wins),
        ] {
            for (class, &count) in counts.iter().enumerate() {
                row(measure, class_name(&FROM, class, 1), count);
            }
        }
        for rank in RANKS {
            row("forced_challenges_by_rank", rank_letter(rank as u8).to_string(), forced[rank].iter().sum());
        }
        for rank in RANKS {
            for (class, &count) in chosen[rank].iter().enumerate() {
                let key = format!("{} at {}", rank_letter(rank as u8), class_name(&FROM, class, 1));
                row("challenges", key, count);
            }
        }
        rows
    }
}
