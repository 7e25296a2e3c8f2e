//! The best fair play of a solo game, by expectimax over everything that the player may know.

use super::{ExactError, Listing, MOST_DEPTH, Outcomes, Payoff, Starts, listed_outcomes};
use crate::game::{Game, Turn};
use crate::rng::Rng;
use std::collections::HashMap;

/// The best fair play of a small solo game: the values of all positions that can come up before a random event.
///
/// Every legal move is tried: nothing rests on a game's proof that some moves are dominated.
pub struct Optimum<G: Game> {
    outcomes: Outcomes<G>,
    fingerprint: fn(&G) -> u128,
    payoff: Payoff<G>,
    limit: usize,
    /// How many moves and events lie between the deal and the position that is being solved.
    depth: usize,
    values: HashMap<u128, f64>,
}

/// The values of positions in which the player decides, between two random events. Many orders of moves and of cards drawn
/// come to the same.
type Decisions = HashMap<u128, f64>;

impl<G: Game> Optimum<G> {
    /// Solves the game from these starts, and says what the best fair play reaches on average.
    ///
    /// # Errors
    /// When it is no solo game, its listing has no fingerprints or wrong probabilities, it has more than `limit` positions before
    /// random events, or a game can have more than 400 moves and random events.
    pub fn new(
        starts: &Starts<G>,
        listing: &Listing<G>,
        payoff: Payoff<G>,
        limit: usize,
    ) -> Result<(Self, f64), ExactError> {
        let seats = starts.first().map_or(0, |(start, _)| start.seats());
        if seats != 1 {
            return Err(ExactError::Seats(seats));
        }
        let fingerprint = listing.fingerprint.ok_or(ExactError::Fingerprint)?;
        let mut optimum =
            Self { outcomes: listing.outcomes, fingerprint, payoff, limit, depth: 0, values: HashMap::new() };
        let mut value = 0.0;
        for (start, probability) in starts {
            value += probability * optimum.solve(start, &mut Decisions::new())?;
        }
        Ok((optimum, value))
    }

    /// The number of positions before random events.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    fn solve(&mut self, position: &G, decisions: &mut Decisions) -> Result<f64, ExactError> {
        if self.depth > MOST_DEPTH {
            return Err(ExactError::TooLong(MOST_DEPTH));
        }
        self.depth += 1;
        let value = self.worked_out(position, decisions);
        self.depth -= 1;
        value
    }

    fn worked_out(&mut self, position: &G, decisions: &mut Decisions) -> Result<f64, ExactError> {
        match position.turn() {
            Turn::Over => Ok((self.payoff)(position, 0)),
            Turn::Shuffle => self.solve(&shuffled(position), decisions),
            Turn::Player(_) => {
                let fingerprint = (self.fingerprint)(position);
                if let Some(&value) = decisions.get(&fingerprint) {
                    return Ok(value);
                }
                let (mut moves, mut best) = (Vec::new(), f64::NEG_INFINITY);
                position.moves(&mut moves);
                for m in moves {
                    let mut after = position.clone();
                    after.play(m);
                    best = best.max(self.solve(&after, decisions)?);
                }
                decisions.insert(fingerprint, best);
                Ok(best)
            }
            Turn::Chance => {
                let fingerprint = (self.fingerprint)(position);
                if let Some(&value) = self.values.get(&fingerprint) {
                    return Ok(value);
                }
                let (outcomes, mut value) = (listed_outcomes(self.outcomes, position)?, 0.0);
                let mut decisions = Decisions::new();
                for (outcome, probability) in outcomes {
                    let mut after = position.clone();
                    after.play_chance(outcome);
                    value += probability * self.solve(&after, &mut decisions)?;
                }
                if self.values.len() >= self.limit {
                    return Err(ExactError::TooLarge { limit: self.limit, what: "positions" });
                }
                self.values.insert(fingerprint, value);
                Ok(value)
            }
        }
    }

    /// The value of a position with the best play from there on. `None` for one that does not come up in this game.
    #[must_use]
    pub fn value(&self, position: &G) -> Option<f64> {
        match position.turn() {
            Turn::Over => Some((self.payoff)(position, 0)),
            Turn::Shuffle => self.value(&shuffled(position)),
            Turn::Chance => self.values.get(&(self.fingerprint)(position)).copied(),
            Turn::Player(_) => self.best(position).map(|(_, value)| value),
        }
    }

    /// The best move, the first of equal ones, and its value. `None` where it is no player's turn, and for a position that
    /// does not come up in this game.
    #[must_use]
    pub fn best(&self, position: &G) -> Option<(G::Move, f64)> {
        /// Sums in another order differ by less.
        const EQUAL: f64 = 1e-12;
        let (mut moves, mut best) = (Vec::new(), None);
        position.moves(&mut moves);
        for m in moves {
            let mut after = position.clone();
            after.play(m);
            let value = self.value(&after)?;
            if best.is_none_or(|(_, most)| value > most + EQUAL) {
                best = Some((m, value));
            }
        }
        best
    }
}

/// The position after a shuffle. Nobody sees the new order, and outcomes are listed by what the player knows: any will do.
fn shuffled<G: Game>(position: &G) -> G {
    let mut after = position.clone();
    after.roll(&mut Rng::new(1));
    after
}
