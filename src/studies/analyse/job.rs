//! The games of an analysis as the job that workers share.

use super::totals::{Cost, ErrorKey, LUCK, Lapse, OTHERS, OWN, REGRET, RESULT, SLOTS, START};
use super::{AnalysisTotals, Grade, Plan, Source, tables};
use crate::analysis::{Course, Judge, Judged, Recorded, Recording};
use crate::exec::{Halt, Job, Text, Work};
use crate::games::{CardGame, rounded};
use crate::play::{Bench, Finished, GameLoop, Measure, Seats, points};
use knave_agents::rng::{Role, stream};
use knave_agents::{DealSolver, Objective, Seat, Sense, Shown, Turn, Verdict, verdict};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// The games of a plan, to be analysed.
pub struct Analysing<'p, G: CardGame> {
    /// The plan.
    pub plan: &'p Plan<G>,
}

impl<G: CardGame> Job for Analysing<'_, G> {
    type Totals = AnalysisTotals;

    fn totals(&self) -> AnalysisTotals {
        AnalysisTotals::new(self.plan.players.len())
    }

    fn counted(&self, totals: &AnalysisTotals) -> u64 {
        totals.games
    }

    fn merge(&self, totals: &mut AnalysisTotals, part: AnalysisTotals) {
        totals.merge(part);
    }

    fn record(&self, totals: &AnalysisTotals) -> Value {
        serde_json::to_value(totals).unwrap_or_default()
    }

    fn restore(&self, record: Value) -> Result<AnalysisTotals, String> {
        let totals: AnalysisTotals = serde_json::from_value(record).map_err(|error| error.to_string())?;
        let fresh = self.totals();
        let alike = totals.seats.len() == fresh.seats.len()
            && totals.seats.iter().zip(&fresh.seats).all(|(seat, fresh)| seat.is_like(fresh));
        if alike && totals.seats.iter().all(|seat| seat.units() == totals.games) {
            Ok(totals)
        } else {
            Err("counts are missing".to_owned())
        }
    }

    fn worker<'a>(&'a self, stop: &'a AtomicBool) -> Box<dyn Work<AnalysisTotals> + 'a> {
        let plan = self.plan;
        let game_loop = match &plan.source {
            Source::Played(base) => Some(base.game_loop(&mut Bench::new(stop))),
            Source::Recorded(_) => None,
        };
        Box::new(AnalyseWorker {
            plan,
            game_loop,
            recording: Recording::default(),
            judge: Judge::new(&plan.judging, stop),
            shown: G::kit(plan.rules()).shown,
            solver: clairvoyant(plan),
            rows: tables::AnalysisRows::new(),
        })
    }

    fn has_text(&self) -> bool {
        true
    }

    fn name(&self, index: u64) -> String {
        match &self.plan.source {
            Source::Played(base) => format!("game {index} with seed {}", base.seed),
            Source::Recorded(_) => format!("transcript {}", index + 1),
        }
    }
}

/// The solver that says what could still be reached.
fn clairvoyant<G: CardGame>(plan: &Plan<G>) -> Option<(Objective<G>, Box<dyn DealSolver<G>>)> {
    let sense = match plan.judging.measure {
        Measure::Wins => Sense::Whether,
        Measure::Score => Sense::Most,
    };
    let fits = |objective: &Objective<G>| {
        objective.anywhere && objective.sense == sense && (objective.check)(plan.rules()).is_ok()
    };
    let objective = G::kit(plan.rules()).objectives.into_iter().find(fits)?;
    let solver = (objective.solver)();
    Some((objective, solver))
}

/// A worker: a game loop, a judge, and the rows that it writes.
pub struct AnalyseWorker<'p, G: CardGame> {
    plan: &'p Plan<G>,
    game_loop: Option<GameLoop<'p, G>>,
    recording: Recording<G>,
    judge: Judge<'p, G>,
    shown: Option<Shown<G>>,
    /// Who knows every card, where there is a solver that takes any position.
    solver: Option<(Objective<G>, Box<dyn DealSolver<G>>)>,
    rows: tables::AnalysisRows,
}

impl<G: CardGame> Work<AnalysisTotals> for AnalyseWorker<'_, G> {
    fn work(&mut self, index: u64, totals: &mut AnalysisTotals) -> Result<(), Halt> {
        let plan = self.plan;
        let played;
        let (game, players) = match &plan.source {
            Source::Recorded(recorded) => {
                let (game, players) = &recorded.games[index as usize];
                (game, players)
            }
            Source::Played(_) => {
                if let Some(game_loop) = &mut self.game_loop {
                    game_loop.play(index, &mut self.recording)?;
                }
                played = self.recording.take().pop();
                (played.as_ref().expect("the game was played to its end"), &plan.players)
            }
        };
        let mut rng = stream(plan.seed, index, Role::Analysis);
        let course = Course::new(&plan.judging, &mut self.judge, game, &mut rng)?;
        let judged = self.decisions(index, game, players, &course, totals);
        self.moves(index, &course);
        self.luck(index, game, &course);
        self.balance(index, players, (&course, &game.forfeited), &judged, totals);
        totals.games += 1;
        Ok(())
    }

    fn take(&mut self) -> Text {
        Text { rows: self.rows.take(), ..Text::default() }
    }
}

/// A decision as the counts see it: the seat, its class, its regret and grade.
struct Classed {
    seat: Seat,
    phase: u8,
    kind: String,
    regret: i64,
    grade: Option<Grade>,
}

impl<G: CardGame> AnalyseWorker<'_, G> {
    /// The rows of `decisions.csv`, and the worst of them. Returns those that count.
    fn decisions(
        &mut self,
        index: u64,
        game: &Recorded<G>,
        players: &[String],
        course: &Course<G>,
        totals: &mut AnalysisTotals,
    ) -> Vec<Classed> {
        let plan = self.plan;
        let judging = &plan.judging;
        let units = judging.units();
        let mut judged = Vec::with_capacity(course.decisions.len());
        for (place, (made, decision)) in game.decisions.iter().zip(&course.decisions).enumerate() {
            let Judged { appraisal, played, value, gain, .. } = decision;
            let seat = made.seat;
            let (regret, error) = appraisal.regret(*played);
            // Who has given the game up was played at random from some move on, and nothing tells from which.
            let is_own = !game.forfeited.contains(&seat);
            let grade = Grade::of(judging.measure, units.value(regret), error / units.0).filter(|_| is_own);
            let text = |place: usize| appraisal.moves[place].played.to_string();
            let mut view = Vec::new();
            if let Some(shown) = &self.shown {
                shown.write(&made.position.view(seat), &mut view);
            }
            let view = String::from_utf8(view).unwrap_or_default();
            let clairvoyant_before = self.clairvoyant(&made.position);
            let mut after = made.position.clone();
            after.play(made.played);
            let clairvoyant_after = self.clairvoyant(&after);
            let own = || game.decisions.iter().filter(|other| other.seat == seat).count();
            let before = game.decisions[..place].iter().filter(|other| other.seat == seat).count();
            let class = Classed {
                seat,
                phase: (3 * before / own().max(1)) as u8,
                kind: text(*played).split(' ').next().unwrap_or_default().to_owned(),
                regret,
                grade,
            };
            let row = tables::DecisionRow {
                index,
                number: place as u64 + 1,
                seat,
                agent: &players[seat],
                phase: tables::PHASES[usize::from(class.phase)],
                kind: &class.kind,
                legal: appraisal.legal as u64,
                played: text(*played),
                judge: text(appraisal.choice),
                best: text(appraisal.best),
                before: rounded(units.value(value[seat])),
                gain: rounded(units.value(gain[seat])),
                gain_se: rounded(appraisal.difference(*played, appraisal.choice).1 / units.0),
                regret: rounded(units.value(regret)),
                regret_se: rounded(error / units.0),
                grade: grade.map(Grade::name),
                clairvoyant_before,
                clairvoyant_after,
                view: &view,
            };
            self.rows.decisions.write(&row);
            if grade.is_some() {
                totals.note(Lapse {
                    index,
                    number: place as u64 + 1,
                    seat,
                    agent: players[seat].clone(),
                    played: text(*played),
                    best: text(appraisal.best),
                    regret,
                    error,
                    view,
                });
            }
            if is_own {
                judged.push(class);
            }
        }
        judged
    }

    /// What somebody could still reach who knows every card, where that can be said.
    fn clairvoyant(&mut self, position: &G) -> Option<f64> {
        let measure = self.plan.judging.measure;
        let (objective, solver) = self.solver.as_mut()?;
        if position.turn() == Turn::Over {
            // Who knows every card plays alone.
            let result = measure.results(&Finished::new(position, &[], Seats::default()))[0];
            return Some(result as f64 / measure.unit::<G>());
        }
        let answer = solver.solve(self.plan.rules(), position, objective.budget);
        match (measure, verdict(answer.reached, answer.bound)) {
            (Measure::Wins, Verdict::Solved(_)) => Some(1.0),
            (Measure::Wins, Verdict::Unsolvable) => Some(0.0),
            (Measure::Score, Verdict::Solved(value)) => Some(points::<G>(value)),
            _ => None,
        }
    }

    /// The rows of `moves.csv`.
    fn moves(&mut self, index: u64, course: &Course<G>) {
        let units = self.plan.judging.units();
        for (place, Judged { appraisal, .. }) in course.decisions.iter().enumerate() {
            for (i, valued) in appraisal.moves.iter().enumerate() {
                let (mean, se, worlds) = appraisal.mean(i);
                let row = tables::MoveRow {
                    index,
                    number: place as u64 + 1,
                    r#move: valued.played.to_string(),
                    mean: rounded(mean / units.0),
                    se: rounded(se / units.0),
                    worlds: worlds as u64,
                };
                self.rows.moves.write(&row);
            }
        }
    }

    /// The rows of `luck.csv`.
    fn luck(&mut self, index: u64, game: &Recorded<G>, course: &Course<G>) {
        let units = self.plan.judging.units();
        for (place, decision) in course.decisions.iter().enumerate() {
            let chance = game.decisions.get(place + 1).map_or(&game.chance, |next| &next.chance);
            for seat in 0..self.plan.players.len() {
                let luck = rounded(units.value(decision.luck[seat]));
                let row = tables::LuckRow { index, number: place as u64 + 1, seat, chance, luck };
                self.rows.luck.write(&row);
            }
        }
    }

    /// The rows of `balance.csv`, and the counts.
    fn balance(
        &mut self,
        index: u64,
        players: &[String],
        (course, gave_up): (&Course<G>, &[Seat]),
        judged: &[Classed],
        totals: &mut AnalysisTotals,
    ) {
        let units = self.plan.judging.units();
        for (seat, player) in players.iter().enumerate() {
            let gains = |own: bool| {
                let some =
                    course.decisions.iter().filter(|decision| (decision.appraisal.seat == seat) == own);
                some.map(|decision| decision.gain[seat]).sum::<i64>()
            };
            let own = || judged.iter().filter(|class| class.seat == seat);
            let mut slots = [0; SLOTS];
            slots[RESULT] = course.result[seat] + course.forfeit[seat];
            slots[START] = course.value[seat];
            slots[LUCK] = course.decisions.iter().map(|decision| decision.luck[seat]).sum();
            slots[OWN] = gains(true);
            slots[OTHERS] = gains(false);
            slots[if gave_up.contains(&seat) { OWN } else { OTHERS }] += course.forfeit[seat];
            slots[REGRET] = own().map(|class| class.regret).sum();
            totals.seats[seat].add(&slots);
            *totals.played.entry(player.clone()).or_default() += 1;
            let mut classes: BTreeMap<(u8, &str), Vec<Cost>> = BTreeMap::new();
            for class in own() {
                classes.entry((class.phase, &class.kind)).or_default().push((class.regret, class.grade));
            }
            for ((phase, kind), decisions) in classes {
                totals.count(ErrorKey { agent: player.clone(), phase, kind: kind.to_owned() }, &decisions);
            }
            let value = |slot: usize| rounded(units.value(slots[slot]));
            let row = tables::BalanceRow {
                index,
                seat,
                agent: player,
                result: value(RESULT),
                start: value(START),
                luck: value(LUCK),
                own: value(OWN),
                others: value(OTHERS),
                regret: value(REGRET),
            };
            self.rows.balance.write(&row);
        }
    }
}
