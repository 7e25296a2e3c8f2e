//! Tally: strategy counts of a run of columns.

mod placements;

use crate::TableForm;
use crate::columns::{Columns, Move, Phase, Rules};
use crate::{Cell, Tally, TallyMeasure, TallyRow, class_name};
use knave_agents::{Event, Seat};
use placements::Placements;
use std::slice::from_mut;

/// The length from which on columns are counted together.
const LONG: usize = 10;
/// The first numbers of the classes of rounds.
const ROUNDS: [u32; 13] = [1, 3, 5, 7, 9, 11, 15, 21, 31, 51, 101, 301, 1001];

/// No die and six dice, padded to a power of two.
const DICE: usize = 8;

/// The counts of one seat.
#[derive(Clone, Debug, Default)]
struct Counts {
    /// Cards played to the own column, by the die.
    played: [u64; DICE],
    /// Columns stolen, by their length.
    stolen: [u64; LONG + 1],
    /// Columns finished, by their length.
    finished: [u64; LONG + 1],
    /// Columns at the end of the game that were not finished, by their length.
    unfinished: [u64; LONG + 1],
    /// Phases of play that ended with `done`; `idle` ones are those without a card.
    phases: u64,
    idle: u64,
    mid_play_draws: u64,
}

/// The counts of [`Columns`].
#[derive(Clone, Debug)]
pub struct ColumnsTally {
    seats: [Counts; 2],
    placements: Placements,
    games: [u64; ROUNDS.len()],
    rounds: u64,
    reshuffles: u64,
    round_limit: u64,
    /// Games that reached the limit with neither stock nor stolen cards.
    stand_offs: u64,
}

impl ColumnsTally {
    /// Counts a move in this position.
    #[inline(always)]
    pub(super) fn count(&mut self, position: &Columns, m: Move) {
        let board = &position.board;
        let seat = board.mover();
        let length = |seat: Seat, pair: u8| board.columns[seat][usize::from(pair)].len().min(LONG);
        match m {
            Move::Play(pair, _) | Move::Steal(pair, _) => {
                let counts = &mut self.seats[seat];
                if let Move::Play(..) = m {
                    counts.played[usize::from(board.dice[usize::from(pair)]) % DICE] += 1;
                } else {
                    counts.stolen[length(1 - seat, pair)] += 1;
                }
                // The last card, and there are others to draw: a card that steals is one itself.
                let last = position.hands[seat].len() == 1;
                let left =
                    position.stock_len() > 0 || !board.stolen.is_empty() || matches!(m, Move::Steal(..));
                counts.mid_play_draws += u64::from(last && left);
            }
            Move::Done => {
                let counts = &mut self.seats[seat];
                counts.phases += 1;
                counts.idle += u64::from(board.is_untouched());
            }
            Move::Place(dice) => self.placements.add(board, dice),
            Move::Finish(pair) => self.seats[seat].finished[length(seat, pair)] += 1,
        }
    }
}

impl Tally<Columns> for ColumnsTally {
    const TABLES: &'static [TableForm] =
        &[TableForm { file: placements::FILE, columns: placements::COLUMNS }];

    const MEASURES: &'static [TallyMeasure] = &[
        TallyMeasure::new("cards_played", "cards", "the die, 1 to 6", "cards added to own columns"),
        TallyMeasure::new(
            "columns_stolen",
            "columns",
            "the length, where 10+ is ten and more",
            "columns stolen",
        ),
        TallyMeasure::new(
            "columns_finished",
            "columns",
            "the length, where 10+ is ten and more",
            "own columns finished",
        ),
        TallyMeasure::new(
            "dice_placed",
            "dice",
            "the eyes, 1 to 6",
            "dice placed; equal dice of a placement on pairs that look alike count once, as in placements.csv",
        ),
        TallyMeasure::new(
            "columns_left",
            "columns",
            "the length, 0 for empty ones, where 10+ is ten and more",
            "own columns that were not finished at the end of the game",
        ),
        TallyMeasure::new(
            "phases_ended",
            "phases",
            "",
            "own phases of play that ended with done, which a winning one does not",
        ),
        TallyMeasure::new(
            "phases_idle",
            "phases",
            "",
            "phases that ended with done without a card played; one with nothing but finish is among them",
        ),
        TallyMeasure::new(
            "mid_play_draws",
            "draws",
            "",
            "times that the hand was filled because its last card was played",
        ),
        TallyMeasure::new("rounds", "rounds", "", "the rounds of all games; each seat has the whole"),
        TallyMeasure::new(
            "reshuffles",
            "shuffles",
            "",
            "shuffles of the stolen pile; each seat has the whole",
        ),
        TallyMeasure::new("round_limit", "games", "", "games that max_rounds ended; each seat has the whole"),
        TallyMeasure::new(
            "round_limit_no_cards",
            "games",
            "",
            "games that max_rounds ended with neither stock nor stolen cards left; each seat has the whole",
        ),
        TallyMeasure::new(
            "game_rounds",
            "games",
            "the rounds, such as 3-4",
            "games of so many rounds; each seat has the whole",
        ),
    ];

    fn new(_: &Rules) -> Self {
        Self {
            seats: Default::default(),
            placements: Placements::new(),
            games: [0; ROUNDS.len()],
            rounds: 0,
            reshuffles: 0,
            round_limit: 0,
            stand_offs: 0,
        }
    }

    #[inline]
    fn event(&mut self, position: &Columns, event: &Event<Columns>) {
        if let Event::Move(_, m) = *event {
            self.count(position, m);
        }
    }

    fn finish(&mut self, end: &Columns, won: impl Fn(Seat) -> bool) {
        let board = &end.board;
        self.placements.finish(won);
        for (counts, columns) in self.seats.iter_mut().zip(&board.columns) {
            for column in columns.iter().filter(|column| !column.finished) {
                counts.unfinished[column.len().min(LONG)] += 1;
            }
        }
        debug_assert_eq!(board.phase, Phase::Over);
        self.games[ROUNDS.iter().rposition(|&first| first <= board.round).unwrap_or(0)] += 1;
        self.rounds += u64::from(board.round);
        self.reshuffles += u64::from(board.reshuffles);
        if board.winner().is_none() {
            self.round_limit += 1;
            self.stand_offs += u64::from(end.stock_len() == 0 && board.stolen.is_empty());
        }
    }

    fn counts(&mut self) -> Vec<&mut [u64]> {
        let seats = self.seats.iter_mut().flat_map(|seat| -> [&mut [u64]; 7] {
            [
                &mut seat.played,
                &mut seat.stolen,
                &mut seat.finished,
                &mut seat.unfinished,
                from_mut(&mut seat.phases),
                from_mut(&mut seat.idle),
                from_mut(&mut seat.mid_play_draws),
            ]
        });
        let games: [&mut [u64]; 5] = [
            &mut self.games,
            from_mut(&mut self.rounds),
            from_mut(&mut self.reshuffles),
            from_mut(&mut self.round_limit),
            from_mut(&mut self.stand_offs),
        ];
        seats.chain(self.placements.counts()).chain(games).collect()
    }

    fn rows(&self, seat: Seat) -> Vec<TallyRow> {
        let counts = &self.seats[seat];
        let mut rows = Vec::new();
        let mut list = |measure, counts: &[u64], from: usize| {
            for (key, &count) in counts.iter().enumerate().skip(from) {
                let more = if key == LONG { "+" } else { "" };
                rows.push(TallyRow { measure, key: format!("{key}{more}"), count });
            }
        };
        list("cards_played", &counts.played[..7], 1);
        list("columns_stolen", &counts.stolen, 1);
        list("columns_finished", &counts.finished, 4);
        list("dice_placed", &self.placements.placed(seat)[..7], 1);
        list("columns_left", &counts.unfinished, 0);
        for (measure, count) in [
            ("phases_ended", counts.phases),
            ("phases_idle", counts.idle),
            ("mid_play_draws", counts.mid_play_draws),
            ("rounds", self.rounds),
            ("reshuffles", self.reshuffles),
            ("round_limit", self.round_limit),
            ("round_limit_no_cards", self.stand_offs),
        ] {
            rows.push(TallyRow { measure, key: String::new(), count });
        }
        for (i, &count) in self.games.iter().enumerate() {
            rows.push(TallyRow { measure: "game_rounds", key: class_name(&ROUNDS, i, 1), count });
        }
        rows
    }

    fn table(&self, _: &str, seats: &[Seat]) -> Vec<Vec<Cell>> {
        self.placements.rows(seats)
    }
}
