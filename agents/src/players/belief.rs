//! Belief over hidden cards: worlds weighted by the likelihood of the moves seen.
//!
//! Players are modelled as choosing by value, so that a move is the more likely the more it is worth to a player, or by a policy.
//! Worlds drawn without regard to that ([`Game::sample_world`]) are weighted and drawn again (importance
//! resampling, Rubin 1987). On hands of cards: Ginsberg 2001, Buro and others 2009.

use super::valuer::Valuer;
use crate::decision::Decision;
use crate::game::{Event, Game, Seat};
use crate::kit::{ReconstructStart, Tools};
use crate::policy::Policy;
use crate::rng::Rng;
use rand::RngExt as _;

/// The temperature: the difference of values that makes a move e times as likely. On whist's tuning deals
/// 0.0025 and 0.005 did as well, 0.01 and 0.03 worse.
const TEMPERATURE: f64 = 0.004;

/// The share of moves that are modelled as random.
const NOISE: f64 = 0.1;

/// A belief: worlds with their weights.
#[derive(Clone)]
pub struct Belief<G: Game> {
    reconstruct_start: Option<ReconstructStart<G>>,
    worlds: Vec<G>,
    /// The cumulative weights.
    sums: Vec<f64>,
}

impl<G: Tools> Belief<G> {
    /// A belief without worlds. In a game that cannot reconstruct its start all worlds weigh the same.
    #[must_use]
    pub fn new(reconstruct_start: Option<ReconstructStart<G>>) -> Self {
        Self { reconstruct_start, worlds: Vec::new(), sums: Vec::new() }
    }

    /// Forgets all worlds.
    pub fn clear(&mut self) {
        self.worlds.clear();
        self.sums.clear();
    }

    /// Samples `count` worlds for a decision and weighs them by the others' moves. `share` says how likely a move is: the position, its
    /// mover and the move.
    pub fn form(
        &mut self,
        decision: &Decision<'_, G>,
        count: u32,
        share: &mut dyn FnMut(&G, Seat, G::Move) -> f64,
        rng: &mut Rng,
    ) {
        let (view, history) = (decision.view(), decision.history());
        self.clear();
        let mut logs: Vec<f64> = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let world = G::sample_world(&view, rng);
            let start = self.reconstruct_start.and_then(|reconstruct| reconstruct(&world, history));
            let log = start.map_or(0.0, |start| log_likelihood(start, history, decision.seat(), share));
            logs.push(log);
            self.worlds.push(world);
        }
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        self.sums.extend(logs.iter().map(|log| {
            sum += (log - most).exp();
            sum
        }));
    }

    /// A world drawn by weight; `None` where there are none.
    pub fn draw(&self, rng: &mut Rng) -> Option<&G> {
        let pick = rng.random::<f64>() * self.sums.last()?;
        let at = self.sums.partition_point(|&sum| sum <= pick);
        self.worlds.get(at.min(self.worlds.len() - 1))
    }
}

/// The probability of a move by a player who chooses by the values of the valuer.
pub fn share_by_value<G: Tools>(valuer: &mut Valuer<G>, position: &G, mover: Seat, m: G::Move) -> f64 {
    valuer.best(position, mover);
    let (steps, values) = (&valuer.steps, &valuer.priors);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds = |value: f64| ((value - most) / TEMPERATURE).exp();
    let all: f64 = values.iter().map(|&value| odds(value)).sum();
    let this = steps.iter().zip(values).find(|(step, _)| *step == [m]);
    let share = this.map_or(0.0, |(_, &value)| odds(value) / all);
    (1.0 - NOISE) * share + NOISE / values.len() as f64
}

/// The probability of a move by a player who chooses by the policy; `moves` is scratch space.
pub fn share_by_policy<G: Tools>(
    policy: &dyn Policy<G>,
    position: &G,
    m: G::Move,
    moves: &mut Vec<G::Move>,
    rng: &mut Rng,
) -> f64 {
    let share = if policy.choose(position, moves, rng) == m { 1.0 } else { 0.0 };
    position.moves(moves);
    (1.0 - NOISE) * share + NOISE / moves.len() as f64
}

/// The log-likelihood of the others' moves in a game that began like this.
fn log_likelihood<G: Tools>(
    mut position: G,
    history: &[Event<G>],
    seat: Seat,
    share: &mut dyn FnMut(&G, Seat, G::Move) -> f64,
) -> f64 {
    let mut log = 0.0;
    for event in history {
        match *event {
            Event::Move(mover, m) => {
                if mover != seat {
                    log += share(&position, mover, m).ln();
                }
                position.play(m);
            }
            Event::Chance(outcome) => position.play_chance(outcome),
            Event::Shuffle => return 0.0,
        }
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;
    use crate::players::end_game::EndGame;
    use crate::players::valuer::Granularity;
    use crate::rng::{Role, stream};
    use crate::testkit;
    use crate::toys::kuhn::{Kuhn, Move};
    use std::sync::Arc;

    /// Likes a bet the more, the higher the own card is.
    struct Bold;

    /// What a bet is worth beyond a pass, by the card.
    fn gain(card: u8) -> f64 {
        TEMPERATURE * (f64::from(card) - 2.0)
    }

    impl Evaluator<Kuhn> for Bold {
        fn value(&self, position: &Kuhn, seat: Seat) -> f64 {
            0.5 + if position.facing_bet() { gain(position.card(seat)) } else { 0.0 }
        }
    }

    /// A bettor holds the king rather than the jack, and a checker the jack, as often as Bayes' rule says.
    #[test]
    fn worlds_are_as_likely_as_the_moves_that_they_explain() {
        let mut valuer = Valuer::of(Some(Arc::new(Bold)), Granularity::Turns, EndGame::new(None, 0));
        let mut rng = stream(3, 0, Role::Agent(1));
        let mut belief = Belief::new(Kuhn::kit(&()).reconstruct_start);
        for m in [Move::Bet, Move::Pass] {
            let odds = |card| {
                let bet = 1.0 / (1.0 + (-gain(card) / TEMPERATURE).exp());
                (1.0 - NOISE) * if m == Move::Bet { bet } else { 1.0 - bet } + NOISE / 2.0
            };
            let position = Kuhn::at([1, 2], &[m]);
            let history = [Event::Move(0, m)];
            let mut kings = 0;
            for _ in 0..100 {
                let mut share = |position: &Kuhn, mover, m| share_by_value(&mut valuer, position, mover, m);
                belief.form(&Decision::new(&position, &history), 400, &mut share, &mut rng);
                kings += (0..40).filter(|_| belief.draw(&mut rng).unwrap().card(0) == 3).count() as u64;
            }
            let king = odds(3) / (odds(1) + odds(3));
            testkit::frequencies("cards", &[kings, 4000 - kings], &[4000.0 * king, 4000.0 * (1.0 - king)]);
        }
    }

    /// Bets with the king, and with nothing else.
    struct Honest;

    impl Policy<Kuhn> for Honest {
        fn choose(&self, position: &Kuhn, moves: &mut Vec<Move>, _: &mut Rng) -> Move {
            moves.clear();
            let crate::game::Turn::Player(seat) = position.turn() else {
                unreachable!("it is asked in its turn")
            };
            if position.card(seat) == 3 { Move::Bet } else { Move::Pass }
        }
    }

    /// The policy bets with the king alone. So a bettor holds the king, unless the bet is one of the moves that are modelled as random.
    #[test]
    fn worlds_are_weighed_by_what_a_policy_would_have_done() {
        let mut rng = stream(3, 0, Role::Agent(1));
        let (mut belief, mut moves, mut own) =
            (Belief::new(Kuhn::kit(&()).reconstruct_start), Vec::new(), rng.clone());
        for (m, likely) in [(Move::Bet, 3), (Move::Pass, 1)] {
            let position = Kuhn::at([1, 2], &[m]);
            let history = [Event::Move(0, m)];
            let mut seen = 0;
            for _ in 0..100 {
                let mut share =
                    |position: &Kuhn, _, m| share_by_policy(&Honest, position, m, &mut moves, &mut own);
                belief.form(&Decision::new(&position, &history), 400, &mut share, &mut rng);
                seen += (0..40).filter(|_| belief.draw(&mut rng).unwrap().card(0) == likely).count() as u64;
            }
            let share = 1.0 - NOISE / 2.0;
            testkit::frequencies("cards", &[seen, 4000 - seen], &[4000.0 * share, 4000.0 * (1.0 - share)]);
        }
    }

    /// The likelihood of a history is the product over the others' moves: each is the model's share, beside the noise that
    /// falls on all moves alike. One's own moves tell oneself nothing.
    #[test]
    fn the_likelihood_is_the_product_of_the_shares() {
        let mut valuer = Valuer::of(Some(Arc::new(Bold)), Granularity::Turns, EndGame::new(None, 0));
        // A pass, a bet and a pass: player 0 holds the king, player 1 the jack.
        let start = || Kuhn::at([3, 1], &[]);
        let history = [Event::Move(0, Move::Pass), Event::Move(1, Move::Bet), Event::Move(0, Move::Pass)];
        let share = |values: [f64; 2], chosen: usize| {
            let odds = values.map(|value| (value / TEMPERATURE).exp());
            (1.0 - NOISE) * odds[chosen] / (odds[0] + odds[1]) + NOISE / 2.0
        };
        let by_hand = |seat: Seat| -> f64 {
            let mut position = start();
            let mut log = 0.0;
            for event in &history {
                let Event::Move(mover, m) = *event else { unreachable!() };
                let worth = [Move::Pass, Move::Bet].map(|m| {
                    let mut after = position;
                    after.play(m);
                    if after.turn() == crate::game::Turn::Over {
                        after.utility(mover)
                    } else {
                        Bold.value(&after, mover)
                    }
                });
                if mover != seat {
                    log += share(worth, usize::from(m == Move::Bet)).ln();
                }
                position.play(m);
            }
            log
        };
        for seat in 0..2 {
            let mut share = |position: &Kuhn, mover, m| share_by_value(&mut valuer, position, mover, m);
            let log = log_likelihood(start(), &history, seat, &mut share);
            assert!((log - by_hand(seat)).abs() < 1e-9, "{seat}: {log} and {}", by_hand(seat));
        }
    }
}
