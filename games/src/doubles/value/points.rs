//! The evaluator `points`: the lead alone, as a yardstick.

use super::knowledge::{SeatKnowledge, Situation};
use crate::doubles::{Doubles, Phase};
use knave_agents::{Evaluator, Seat};

/// The evaluator `points`: the lead in points if the last challenger wins. Cards are worth nothing to it.
pub struct Points;

impl Evaluator<Doubles> for Points {
    fn value(&self, position: &Doubles, seat: Seat) -> f64 {
        let board = &position.board;
        let known = SeatKnowledge::new(board, &position.hands, seat as u8);
        let bids = known.situation() == Situation::Bid;
        let asked = matches!(board.phase, Phase::Forced | Phase::Challenge);
        let bid = if asked && bids { board.stakes as f32 } else { 0.0 };
        known.share((known.lead + bid) / 20.0)
    }
}
