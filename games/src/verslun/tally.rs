//! Strategy counts of verslun.

use super::board::{Board, ENDS};
use super::deck::COLUMN_POINTS;
use super::moves::{Move, letter};
use super::position::Verslun;
use super::rules::{HEIGHT, MAX_COLUMNS, MAX_HAND, Rules};
use crate::{Tally, TallyMeasure, TallyRow};
use knave_agents::{Event, Seat};
use std::slice::from_mut;

const MOST: usize = COLUMN_POINTS as usize;

/// The counts of [`Verslun`].
#[derive(Clone, Debug)]
pub struct VerslunTally {
    hand: u8,
    columns: u8,
    /// By the cards in the hand.
    draws: [u64; MAX_HAND],
    stays: [u64; MAX_HAND],
    keeps: u64,
    /// By the points given up.
    redeals: [u64; MOST + 1],
    /// By the number of pairs.
    claims: [u64; HEIGHT + 1],
    claim_points: [u64; HEIGHT + 1],
    claims_by_column: [u64; MAX_COLUMNS],
    passes: u64,
    /// Final points by column.
    points: [u64; MAX_COLUMNS],
    /// By the number of columns claimed at the end.
    claimed: [u64; MAX_COLUMNS + 1],
    ends: [u64; 3],
}

impl VerslunTally {
    /// Counts a move on this board.
    #[inline(always)]
    pub(super) fn count(&mut self, board: &Board, m: Move) {
        match m {
            Move::Draw => self.draws[board.hand.len()] += 1,
            Move::Stay => self.stays[board.hand.len()] += 1,
            Move::Redeal(column) => {
                self.redeals[usize::from(board.worth[usize::from(column)])] += 1;
            }
            Move::Keep => self.keeps += 1,
            Move::Claim(claim) => {
                let height = claim.height();
                self.claims[height] += 1;
                self.claim_points[height] += u64::from(board.points_of(&claim));
                self.claims_by_column[usize::from(claim.column)] += 1;
            }
            Move::Pass => self.passes += 1,
            // Every claim is followed by one of the two, and a game that was stopped by an end.
            Move::End | Move::On => {}
        }
    }
}

impl Tally<Verslun> for VerslunTally {
    const MEASURES: &'static [TallyMeasure] = &[
        TallyMeasure::new(
            "draws_by_hand",
            "turns",
            "the cards in the hand before",
            "turns in which cards were drawn",
        ),
        TallyMeasure::new(
            "stays_by_hand",
            "turns",
            "the cards in the hand before",
            "turns in which none were drawn",
        ),
        TallyMeasure::new(
            "redeals_by_points",
            "redeals",
            "the points given up, from 2 on",
            "columns that were redealt",
        ),
        TallyMeasure::new(
            "claims_by_height",
            "claims",
            "the pairs of the claim, 1 to 4",
            "every claim, also of columns that were redealt later",
        ),
        TallyMeasure::new(
            "claim_points_by_height",
            "points",
            "the pairs of the claim, 1 to 4",
            "the points of every claim",
        ),
        TallyMeasure::new(
            "columns_claimed_at_end",
            "games",
            "the columns claimed at the end",
            "games that ended so",
        ),
        TallyMeasure::new(
            "claims_by_column",
            "claims",
            "the column",
            "every claim, also of columns that were redealt later",
        ),
        TallyMeasure::new(
            "points_by_column",
            "points",
            "the column",
            "the points of columns that were still claimed at the end",
        ),
        TallyMeasure::new("keeps", "turns", "", "turns in which a column could be redealt and none was"),
        TallyMeasure::new("passes", "games", "", "games that a pass ended"),
        TallyMeasure::new(
            "ends",
            "games",
            "what ended the game",
            "games that ended so; a redeal with too few cards in the pile counts as pile_empty, and a pass as no_claim",
        ),
    ];

    fn new(rules: &Rules) -> Self {
        Self {
            hand: rules.hand,
            columns: rules.columns,
            draws: [0; MAX_HAND],
            stays: [0; MAX_HAND],
            keeps: 0,
            redeals: [0; MOST + 1],
            claims: [0; HEIGHT + 1],
            claim_points: [0; HEIGHT + 1],
            claims_by_column: [0; MAX_COLUMNS],
            passes: 0,
            points: [0; MAX_COLUMNS],
            claimed: [0; MAX_COLUMNS + 1],
            ends: [0; 3],
        }
    }

    #[inline]
    fn event(&mut self, position: &Verslun, event: &Event<Verslun>) {
        let Event::Move(_, m) = *event else {
            return;
        };
        self.count(&position.board, m);
    }

    #[inline]
    fn finish(&mut self, end: &Verslun, _: impl Fn(Seat) -> bool) {
        let board = &end.board;
        // Columns that are not claimed are worth 0. To ask which are would mislead the processor in most games.
        for (points, &worth) in self.points.iter_mut().zip(&board.worth[..usize::from(self.columns)]) {
            *points += u64::from(worth);
        }
        self.claimed[board.claimed.count_ones() as usize] += 1;
        self.ends[board.phase.end()] += 1;
    }

    fn counts(&mut self) -> Vec<&mut [u64]> {
        vec![
            &mut self.draws,
            &mut self.stays,
            from_mut(&mut self.keeps),
            &mut self.redeals,
            &mut self.claims,
            &mut self.claim_points,
            &mut self.claims_by_column,
            from_mut(&mut self.passes),
            &mut self.points,
            &mut self.claimed,
            &mut self.ends,
        ]
    }

    fn rows(&self, _: Seat) -> Vec<TallyRow> {
        let mut rows = Vec::new();
        let mut list = |measure, counts: &[u64], from: usize| {
            for (key, &count) in counts.iter().enumerate().skip(from) {
                rows.push(TallyRow { measure, key: key.to_string(), count });
            }
        };
        let (hand, columns) = (usize::from(self.hand), usize::from(self.columns));
        list("draws_by_hand", &self.draws[..hand], 0);
        list("stays_by_hand", &self.stays[..hand], 0);
        list("redeals_by_points", &self.redeals, 2);
        list("claims_by_height", &self.claims, 1);
        list("claim_points_by_height", &self.claim_points, 1);
        list("columns_claimed_at_end", &self.claimed[..=columns], 0);
        let mut by_column = |measure, counts: &[u64]| {
            for (column, &count) in (0..self.columns).zip(counts) {
                rows.push(TallyRow { measure, key: letter(column).to_string(), count });
            }
        };
        by_column("claims_by_column", &self.claims_by_column);
        by_column("points_by_column", &self.points);
        let mut single = |measure, count| rows.push(TallyRow { measure, key: String::new(), count });
        single("keeps", self.keeps);
        single("passes", self.passes);
        for (word, &count) in ENDS.iter().zip(&self.ends) {
            rows.push(TallyRow { measure: "ends", key: (*word).to_owned(), count });
        }
        rows
    }
}
