//! The counts of a run.

use super::Plan;
use crate::games::{CardGame, Tally, counts};
use crate::play::{Charge, Finished, Observer};
use crate::stats::SeatStats;
use crate::studies::faults::Faults;
use knave_agents::batch::FaultKind;
use knave_agents::{Event, Seat};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The counts of a run or of a part of it. Parts add up to the whole, in any order.
#[derive(Clone)]
pub struct Totals<G: CardGame> {
    /// The number of games.
    pub games: u64,
    /// The counts of each seat.
    pub seats: Vec<SeatStats>,
    /// The game's own counts.
    pub tally: G::Tally,
    /// What players did wrong, by seat, or under 0 where one agent fills all seats.
    pub faults: Faults,
    /// Those of the game that is being told.
    told: Vec<Charge>,
    /// Whether one agent fills all seats.
    one_agent: bool,
    /// How many games ended for which reason, in the game's words, in any order.
    ends: Vec<(Cow<'static, str>, u64)>,
}

/// [`Totals`] as a journal keeps them.
#[derive(Serialize, Deserialize)]
struct Record {
    games: u64,
    seats: Vec<SeatStats>,
    /// [`Tally::counts`] one after another, as [`counts::pack`] makes of them.
    tally: Vec<i64>,
    ends: Vec<(String, u64)>,
    #[serde(default, skip_serializing_if = "Faults::is_empty")]
    faults: Faults,
}

impl<G: CardGame> Totals<G> {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(plan: &Plan<G>) -> Self {
        Self {
            games: 0,
            seats: vec![SeatStats::default(); plan.seats()],
            tally: Tally::new(&plan.rules),
            faults: Faults::default(),
            told: Vec::new(),
            one_agent: plan.labels().count() == 1,
            ends: Vec::new(),
        }
    }

    /// How many games ended for which reason, in the game's words, in alphabetical order.
    #[must_use]
    pub fn ends(&self) -> Vec<(&str, u64)> {
        let mut ends: Vec<_> = self.ends.iter().map(|(word, games)| (word.as_ref(), *games)).collect();
        ends.sort_unstable();
        ends
    }

    /// Counts the end of a game.
    #[inline]
    fn count_end(&mut self, word: &'static str) {
        // There are two or three words, and most often it is the same text in memory. Each is asked, for which of them it is
        // cannot be predicted.
        let mut found = 0;
        for (known, count) in &mut self.ends {
            let same = u64::from(std::ptr::eq(&**known, word));
            *count += same;
            found |= same;
        }
        if found == 0 {
            self.add_end(Cow::Borrowed(word), 1);
        }
    }

    fn add_end(&mut self, word: Cow<'static, str>, games: u64) {
        match self.ends.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += games,
            None => self.ends.push((word, games)),
        }
    }

    /// Adds the counts of a part.
    pub fn merge(&mut self, part: Self) {
        self.games += part.games;
        for (seat, more) in self.seats.iter_mut().zip(&part.seats) {
            seat.merge(more);
        }
        self.tally.merge(part.tally);
        self.faults.merge(&part.faults);
        for (word, games) in part.ends {
            self.add_end(word, games);
        }
    }

    /// The counts as a journal keeps them.
    #[must_use]
    pub fn record(&self) -> serde_json::Value {
        let (mut tally, mut copy) = (Vec::new(), self.tally.clone());
        for part in copy.counts() {
            counts::pack(part, &mut tally);
        }
        let ends = self.ends().into_iter().map(|(word, games)| (word.to_owned(), games)).collect();
        let record =
            Record { games: self.games, seats: self.seats.clone(), tally, ends, faults: self.faults.clone() };
        serde_json::to_value(record).unwrap_or_default()
    }

    /// The counts of such a record.
    ///
    /// # Errors
    /// When it is no record of this plan.
    pub fn restore(plan: &Plan<G>, record: serde_json::Value) -> Result<Self, String> {
        let record: Record = serde_json::from_value(record).map_err(|error| error.to_string())?;
        let mut totals = Self::new(plan);
        counts::unpack(&record.tally, &mut totals.tally.counts())?;
        let ended = record.ends.iter().try_fold(0_u64, |sum, (_, games)| sum.checked_add(*games));
        if record.seats.len() != totals.seats.len()
            || record.seats.iter().any(|seat| !seat.is_of(record.games))
            || ended != Some(record.games)
            || !record.faults.are_of(plan.seats())
        {
            return Err("seats or games are missing".to_owned());
        }
        totals.games = record.games;
        totals.seats = record.seats;
        totals.faults = record.faults;
        totals.ends = record.ends.into_iter().map(|(word, games)| (word.into(), games)).collect();
        Ok(totals)
    }
}

impl<G: CardGame> Observer<G> for Totals<G> {
    fn event(&mut self, before: &G, event: &Event<G>, _: Option<&G::Chance>) {
        self.tally.event(before, event);
    }

    fn tally(&mut self) -> Option<&mut G::Tally> {
        Some(&mut self.tally)
    }

    fn fault(&mut self, seat: Seat, kind: FaultKind, forfeits: bool) {
        self.told.push(Charge { to: if self.one_agent { 0 } else { seat }, kind, forfeits });
    }

    fn finish(&mut self, end: &Finished<'_, G>) {
        let Finished { position, moves, .. } = *end;
        self.games += 1;
        if !self.told.is_empty() {
            self.faults.add_game(self.told.drain(..));
        }
        if let ([stats], [moves]) = (&mut self.seats[..], moves) {
            // Short random games would spend a tenth of their time on what only more seats need.
            stats.add(position.score(0), usize::from(end.won(0)), *moves);
        } else {
            let won = (0..moves.len()).fold(0_u32, |won, seat| won | u32::from(end.won(seat)) << seat);
            let winners = won.count_ones() as usize;
            for (seat, (stats, &moves)) in self.seats.iter_mut().zip(moves).enumerate() {
                let share = if won >> seat & 1 == 1 { winners } else { 0 };
                stats.add(position.score(seat), share, moves);
            }
        }
        self.tally.finish(position, |seat| end.won(seat));
        self.count_end(position.end());
    }
}
