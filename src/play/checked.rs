//! The check that moves are legal, for agents of one's own. Knave's are tested, and spared it.

use crate::games::CardGame;
use knave_agents::Seat;
use knave_agents::exact::asked::IllegalChoice;
use knave_agents::registry::Prepared;
use std::fmt::Display;

/// The check of the moves of an agent.
pub(crate) struct Checked {
    /// The agent, unless its moves are trusted.
    label: Option<String>,
}

impl Checked {
    /// For this agent.
    pub fn of<G: CardGame>(prepared: &Prepared<G>) -> Self {
        Self { label: (!prepared.is_trusted()).then(|| prepared.label.clone()) }
    }

    /// The same where nothing but a panic ends the work.
    ///
    /// # Panics
    /// As [`Checked::check`] has errors.
    #[inline]
    pub fn demand<M: Copy + Display>(&self, seat: Seat, m: M, is_legal: impl FnOnce(M) -> bool) {
        self.check(seat, m, is_legal).unwrap_or_else(|message| panic!("{message}"));
    }

    /// Checks a move that the agent has chosen for this seat.
    ///
    /// # Errors
    /// When it is not legal; the text names agent, seat and move.
    #[inline]
    pub fn check<M: Copy + Display>(
        &self,
        seat: Seat,
        m: M,
        is_legal: impl FnOnce(M) -> bool,
    ) -> Result<(), String> {
        match &self.label {
            None => {
                debug_assert!(is_legal(m), "the agent in seat {seat} chose the illegal move {m}");
                Ok(())
            }
            Some(_) if is_legal(m) => Ok(()),
            Some(label) => Err(format!("{label}: {}", IllegalChoice { seat, chosen: m.to_string() })),
        }
    }
}
