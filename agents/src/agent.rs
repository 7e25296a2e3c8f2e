//! Agents: fair players.

use crate::batch::{Ending, Fault, Question, Unanswered};
use crate::decision::Decision;
use crate::game::Game;
use crate::rng::Rng;
use std::sync::atomic::AtomicBool;

/// A fair player: it decides from a view and the public history, never from a position.
///
/// An agent owns its scratch space (trees, buffers), so one thread at a time uses it. Its choices depend only
/// on what it was told in this game and on `rng`. Results must not depend on which games it played before.
pub trait Agent<G: Game>: Send {
    /// Forgets everything. Called before the first decision of every game, and in the middle of a game wherever an agent is asked
    /// about one position: by `sim exploit` before each sample, by a judge before each decision that it judges and each game that
    /// it plays on, and by `sim play` before each move of an opponent. An agent that remembers its own decisions of a game plays
    /// another strategy there than in runs; [`Decision::history`] tells of the game in both.
    fn begin_game(&mut self) {}

    /// Whether the agent needs [`Decision::history`]; without it the history is empty.
    fn uses_history(&self) -> bool {
        false
    }

    /// Whether every choice is a [`Decision::random_move`]. The caller may then draw the moves itself, with the
    /// agent's generator.
    fn plays_uniformly(&self) -> bool {
        false
    }

    /// Does what the first answer needs and what can fail, as the start of another process can. It may give up when `stop` is set.
    ///
    /// Runs and comparisons call it on a copy of each agent before they write anything, unless no game is left to play. Other
    /// copies play the games. Nothing else calls it: not `sim analyse`, `exploit`, `hint`, `play` or `train`. So a copy has to answer
    /// without it, too.
    ///
    /// # Errors
    /// Says why the agent cannot play.
    fn get_ready(&mut self, _stop: &AtomicBool) -> Result<(), String> {
        Ok(())
    }

    /// One of the legal moves of the decision.
    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move;

    /// The number of games that the agent likes to play at once, at least 1; `None` for an agent that plays one
    /// game at a time.
    ///
    /// An agent with a number is asked by [`Agent::choose_batch`] alone, and [`Agent::begin_game`] is not called.
    /// What it remembers of a game it keeps by [`Question::game`], until [`Agent::end_game`]. Where positions are asked for one by one,
    /// as at the terminal, a fresh copy is asked for each game. One that [may fail](Agent::may_fail) or [is shared](Agent::is_shared)
    /// plays in runs and comparisons alone.
    fn batch(&self) -> Option<usize> {
        None
    }

    /// Whether all copies wait for one and the same, so that more threads do not answer more.
    fn is_shared(&self) -> bool {
        false
    }

    /// Replaces the contents of `moves` with a legal move for each question, in their order. It may give up when
    /// `stop` is set.
    ///
    /// # Errors
    /// [`Unanswered`] when the run cannot go on, or when it was told to stop.
    fn choose_batch(
        &mut self,
        questions: &mut [Question<'_, G>],
        moves: &mut Vec<G::Move>,
        _stop: &AtomicBool,
    ) -> Result<(), Unanswered> {
        moves.clear();
        moves.extend(questions.iter_mut().map(|question| self.choose(question.decision, question.rng)));
        Ok(())
    }

    /// A game is over that [`Agent::choose_batch`] was asked about.
    fn end_game(&mut self, _ending: &Ending) {}

    /// Whether the agent can do something wrong that is counted, as one in a process of its own can. A run fails whose agent has
    /// faults to tell and has said that it makes none.
    fn may_fail(&self) -> bool {
        false
    }

    /// The faults of the agent since the last call, in the games that it has just been asked about.
    fn take_faults(&mut self) -> Vec<Fault> {
        Vec::new()
    }

    /// The log of the agent for its author since the last call, as lines of text.
    fn take_log(&mut self) -> Vec<u8> {
        Vec::new()
    }
}
