//! The games of a comparison as the job that workers share.

use super::totals::{CORRECTION_UNIT, Deal, SEAT_UNIT};
use super::{CompareTotals, Goal, Lineup, Plan};
use crate::exec::{Halt, Job, Text, Work};
use crate::games::{CardGame, WIN_UNIT};
use crate::play::{Bench, Charge, Finished, GameLoop, Observer, Played};
use crate::stats::ratings;
use knave_agents::batch::FaultKind;
use knave_agents::chance_correction::{Alternatives, ChanceCorrection};
use knave_agents::rng::{Role, stream};
use knave_agents::{Event, Rng, Seat, Turn};
use serde_json::Value;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// The deals of a plan, to be played.
pub struct Comparing<'p, G: CardGame> {
    /// What is compared.
    pub plan: &'p Plan<G>,
}

impl<G: CardGame> Job for Comparing<'_, G> {
    type Totals = CompareTotals;

    fn totals(&self) -> CompareTotals {
        CompareTotals::new(self.plan)
    }

    fn counted(&self, totals: &CompareTotals) -> u64 {
        totals.deals()
    }

    fn merge(&self, totals: &mut CompareTotals, part: CompareTotals) {
        totals.merge(&part);
    }

    fn record(&self, totals: &CompareTotals) -> Value {
        serde_json::to_value(totals).unwrap_or_default()
    }

    fn restore(&self, record: Value) -> Result<CompareTotals, String> {
        let totals: CompareTotals = serde_json::from_value(record).map_err(|error| error.to_string())?;
        let is_whole = totals.is_like(&self.totals()) && totals.faults().are_of(self.plan.agents().len());
        if is_whole { Ok(totals) } else { Err("counts are missing".to_owned()) }
    }

    fn worker<'a>(&'a self, stop: &'a AtomicBool) -> Box<dyn Work<CompareTotals> + 'a> {
        let mut bench = Bench::new(stop);
        let game_loop = |lineup: &'a Lineup<G>| lineup.plan.game_loop(&mut bench);
        let game_loops = self.plan.lineups().iter().map(game_loop).collect();
        let watch = Watch {
            seed: self.plan.base().seed,
            sides: self.plan.sides(),
            chance_correction: self.plan.chance_correction(),
            ..Watch::default()
        };
        Box::new(CompareWorker { plan: self.plan, game_loops, bench, watch, deal: Deal::new(self.plan) })
    }

    /// Every deal is a game for each line-up. An interrupt takes deals that not all line-ups have played, so the fewest count.
    fn at_once(&self) -> u64 {
        self.plan.lineups().iter().filter_map(|lineup| lineup.plan.at_once()).min().unwrap_or(1)
    }

    /// Several objects may be asked at the same time, but in one interpreter they hardly are.
    fn is_serial(&self) -> bool {
        self.plan.lineups().iter().all(|lineup| lineup.plan.is_shared())
    }

    fn has_text(&self) -> bool {
        false
    }

    fn name(&self, index: u64) -> String {
        format!("deal {index} with seed {}", self.plan.base().seed)
    }

    fn round(&self) -> u64 {
        if self.plan.goal.is_some() { Goal::ROUND } else { u64::MAX }
    }

    fn is_enough(&self, totals: &CompareTotals) -> bool {
        self.plan.goal.is_some_and(|goal| Goal::is_due(totals.deals()) && goal.is_reached(self.plan, totals))
    }
}

/// A worker: a game loop for each line-up.
pub struct CompareWorker<'p, G: CardGame> {
    plan: &'p Plan<G>,
    game_loops: Vec<GameLoop<'p, G>>,
    bench: Bench<'p, G>,
    watch: Watch<'p, G>,
    deal: Deal,
}

impl<G: CardGame> CompareWorker<'_, G> {
    /// Counts the games of a deal. `play` plays one of them, or tells of it.
    fn count(
        &mut self,
        index: u64,
        totals: &mut CompareTotals,
        mut play: impl FnMut(usize, &mut GameLoop<'_, G>, &mut Watch<'_, G>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let (plan, watch, deal) = (self.plan, &mut self.watch, &mut self.deal);
        let slots = plan.slots();
        deal.clear();
        for (game, (game_loop, lineup)) in self.game_loops.iter_mut().zip(plan.lineups()).enumerate() {
            watch.seats.clear();
            // Partners share their chances: the correction of the first seat stands for the side.
            watch.seats.extend(lineup.alone.iter().map(|&(_, side)| plan.sides()[side][0]));
            play(game, game_loop, watch)?;
            totals.add_end(watch.end);
            totals.add_faults(watch.faults.drain(..).map(|fault| {
                let side = plan.sides().iter().position(|side| side.contains(&fault.to)).unwrap_or_default();
                Charge { to: lineup.agents[side], ..fault }
            }));
            for (i, &(slot, side)) in lineup.alone.iter().enumerate() {
                deal.alone[slot] += watch.results[side][0];
                if watch.chance_correction.is_some() {
                    deal.values[2 * slots + slot] += (watch.sums[i] * CORRECTION_UNIT).round() as i64;
                }
            }
            let other = |agent: usize| lineup.agents.iter().copied().find(|&other| other != agent);
            for (side, (&agent, results)) in lineup.agents.iter().zip(&watch.results).enumerate() {
                // With one side the slot is that of the agent.
                let slot =
                    other(agent).map_or(agent, |other| ratings::slot(plan.agents().len(), agent, other));
                let sides = lineup.agents.iter().filter(|&&other| other == agent).count() as i64;
                let sign = if other(agent).is_none_or(|other| other > agent) { 1 } else { -1 };
                for (measure, &result) in results.iter().enumerate() {
                    let part = result * (SEAT_UNIT / sides);
                    deal.values[measure * slots + slot] += part;
                    deal.games[game][measure] += sign * part;
                    deal.seats[agent][measure][side] += result;
                    deal.table[measure][side] += result;
                }
            }
        }
        totals.add(plan, index, deal);
        Ok(())
    }
}

impl<G: CardGame> Work<CompareTotals> for CompareWorker<'_, G> {
    fn work(&mut self, index: u64, totals: &mut CompareTotals) -> Result<(), Halt> {
        self.count(index, totals, |_, game_loop, watch| game_loop.play(index, watch))
    }

    /// Where games are played side by side, those of each line-up are.
    fn work_some(&mut self, indices: Range<u64>, totals: &mut CompareTotals) -> Result<u64, Halt> {
        let many = |game_loop: &mut GameLoop<'_, G>| game_loop.play_many(indices.clone()).transpose();
        let played: Vec<Option<Vec<Played<G>>>> =
            self.game_loops.iter_mut().map(many).collect::<Result<_, _>>()?;
        if played.iter().all(Option::is_none) {
            self.work(indices.start, totals)?;
            return Ok(1);
        }
        // Where one line-up had to halt, the deals that all have played.
        let all = played.iter().flatten().map(Vec::len).min().unwrap_or_default() as u64;
        for (at, index) in (indices.start..indices.start + all).enumerate() {
            self.count(index, totals, |game, game_loop, watch| match &played[game] {
                Some(played) => {
                    played[at].tell(watch);
                    Ok(())
                }
                None => game_loop.play(index, watch),
            })?;
        }
        Ok(all)
    }

    fn take(&mut self) -> Text {
        Text { log: self.bench.take_log(), ..Text::default() }
    }
}

/// Watches one game: its results, and the corrections for chance of some seats.
struct Watch<'p, G: CardGame> {
    seed: u64,
    sides: &'p [Vec<Seat>],
    /// How results are corrected for chance, if they are.
    chance_correction: Option<&'p ChanceCorrection<G>>,
    /// Whose results are corrected.
    seats: Vec<Seat>,
    /// Their corrections so far.
    sums: Vec<f64>,
    rng: Option<Rng>,
    /// The position before the next event.
    before: Option<G>,
    /// Wins in [`WIN_UNIT`]s and the score, by side: that of a team is the sum of its seats'.
    results: Vec<[i64; 2]>,
    /// Why the game ended, in its word.
    end: &'static str,
    /// What players did wrong.
    faults: Vec<Charge>,
}

impl<G: CardGame> Default for Watch<'_, G> {
    fn default() -> Self {
        Self {
            seed: 0,
            sides: &[],
            chance_correction: None,
            seats: Vec::new(),
            sums: Vec::new(),
            rng: None,
            before: None,
            results: Vec::new(),
            end: "",
            faults: Vec::new(),
        }
    }
}

impl<G: CardGame> Observer<G> for Watch<'_, G> {
    fn begin(&mut self, index: u64, start: &G) {
        if self.chance_correction.is_some() {
            self.sums.clear();
            self.sums.resize(self.seats.len(), 0.0);
            self.rng = Some(stream(self.seed, index, Role::ControlVariate));
            self.before = Some(start.clone());
        }
    }

    fn event(&mut self, position: &G, event: &Event<G>, _: Option<&G::Chance>) {
        let (Some(correction), Some(before), Some(rng)) =
            (self.chance_correction, &mut self.before, &mut self.rng)
        else {
            return;
        };
        match event {
            Event::Move(_, m) => {
                before.clone_from(position);
                before.play(*m);
            }
            Event::Chance(_) => {
                debug_assert_eq!(before.turn(), Turn::Chance);
                let alternatives = match before.chance_is_recorded() {
                    true => Some(Alternatives::Dice),
                    // Among several players their moves tell of hidden cards, which a sampled world does not heed.
                    false => (before.seats() == 1).then_some(Alternatives::Worlds),
                };
                if let Some(alternatives) = alternatives {
                    for (&seat, sum) in self.seats.iter().zip(&mut self.sums) {
                        *sum += correction.of(before, position, alternatives, seat, rng);
                    }
                }
                before.clone_from(position);
            }
            Event::Shuffle => before.clone_from(position),
        }
    }

    fn fault(&mut self, seat: Seat, kind: FaultKind, forfeits: bool) {
        self.faults.push(Charge { to: seat, kind, forfeits });
    }

    fn finish(&mut self, end: &Finished<'_, G>) {
        let won = |side: &Vec<Seat>| side.iter().any(|&seat| end.won(seat));
        let winners = self.sides.iter().filter(|side| won(side)).count().max(1) as u64;
        let result = |side: &Vec<Seat>| {
            let wins = if won(side) { (WIN_UNIT / winners) as i64 } else { 0 };
            [wins, side.iter().map(|&seat| end.position.score(seat)).sum()]
        };
        self.results.clear();
        self.results.extend(self.sides.iter().map(result));
        self.end = end.position.end();
    }
}
