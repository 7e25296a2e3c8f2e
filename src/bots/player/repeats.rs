//! Whether a process repeats itself: the questions that it answered first are asked again, as those of other games.

use super::{Exec, Problem, Question, Sent, push_numbers, seed_of};
use crate::bots::connection::{Connection, push};
use crate::bots::options::OnFault;
use crate::games::CardGame;
use knave_agents::Rng;
use knave_agents::batch::{Fault, FaultKind};
use knave_agents::protocol::{End, Message, New};
use std::sync::atomic::AtomicBool;

/// What the number of a game that repeats a question is above the other's. All numbers are whole in a `double`. It is odd, so that an
/// answer by whether the number is even differs, too.
const TWIN: u64 = (1 << 52) + 1;

/// Spreads bits over a word: 2^64 over the golden ratio.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

impl<G: CardGame> Exec<G> {
    /// Finds out whether the process repeats itself. What else it does wrong meanwhile has its own name and costs no game, for the
    /// questions themselves were answered.
    pub(super) fn test(
        &mut self,
        running: &mut Connection,
        questions: &mut [Question<'_, G>],
        (lines, sent): (&[u8], &[Sent<G::Move>]),
        stop: &AtomicBool,
    ) -> Result<(), Problem> {
        let (first, again, mut twins) = self.repeated(questions, lines, sent);
        running.process.send(again.clone());
        let lost = self.lost.clone();
        let mut rngs: Vec<Rng> = questions.iter().map(|question| question.rng.clone()).collect();
        let mut copies: Vec<Question<'_, G>> = questions
            .iter()
            .zip(&mut rngs)
            .map(|(question, rng)| Question { game: question.game, decision: question.decision, rng })
            .collect();
        let read = self.read(running, &mut copies, &mut twins, (first, &again), stop);
        self.lost = lost;
        let mut faults = std::mem::take(&mut self.faults);
        faults.iter_mut().for_each(|fault| fault.forfeits = false);
        // An illegal move is another answer. A line that is no answer is none, and what was drawn in its place says nothing.
        let differs = |(twin, sent): (&Sent<G::Move>, &Sent<G::Move>)| {
            let game = questions[sent.at].game;
            let mut wrong = faults.iter().filter(|fault| fault.game == game);
            match wrong.find(|fault| fault.kind != FaultKind::UnknownId) {
                Some(fault) => fault.kind == FaultKind::Illegal,
                None => twin.answer.is_some() && twin.answer != sent.answer,
            }
        };
        let mut repeats = !twins.iter().zip(sent).any(differs);
        faults.retain(|fault| fault.kind != FaultKind::Illegal);
        let result = match read {
            Err(Problem::Fault(_, FaultKind::Illegal, _)) => {
                (repeats, self.differs) = (false, true);
                // What it still says to the repeated questions would be taken for something else.
                Err(Problem::Ended(FaultKind::Illegal))
            }
            Err(Problem::Ended(kind)) => {
                let open = twins.iter().find(|twin| twin.answer.is_none()).unwrap_or(&twins[0]);
                if self.set_up.options.on_fault == OnFault::Stop {
                    let message = self.end_in_words(kind, running, &again[open.line.clone()]);
                    Err(Problem::Fault(open.at, kind, message))
                } else {
                    faults.push(Fault { game: questions[open.at].game, kind, forfeits: false });
                    Err(Problem::Ended(kind))
                }
            }
            other => other,
        };
        if !repeats {
            let game = questions[sent[0].at].game;
            faults.push(Fault { game, kind: FaultKind::Unrepeatable, forfeits: false });
        }
        self.faults = faults;
        result
    }

    /// The same questions of games with other numbers, to the letter, for a program may go by the text of a view: the number of the
    /// first, the lines, and where each of them stands.
    fn repeated(
        &mut self,
        questions: &[Question<'_, G>],
        lines: &[u8],
        sent: &[Sent<G::Move>],
    ) -> (u64, Vec<u8>, Vec<Sent<G::Move>>) {
        // The seeds are known by now. These bits come again as the seed of the next question, whose number must not follow from this.
        let bits = seed_of(&mut questions[sent[0].at].rng.clone());
        let first = self.first(bits.wrapping_mul(MIX) >> 11);
        self.next += sent.len() as u64;
        let (mut again, mut twins) = (Vec::new(), Vec::with_capacity(sent.len()));
        for (id, sent) in (first..).zip(sent) {
            let question = &questions[sent.at];
            let game_id = TWIN + question.game;
            let (seat, seats) = (question.decision.seat(), question.decision.seats());
            let rules = self.set_up.rules.clone();
            push(&mut again, &Message::New(New { game_id, game: G::NAME.into(), rules, seat, seats }));
            let start = again.len();
            push_numbers(&mut again, id, game_id);
            let numbered = again.len();
            again.extend_from_slice(&lines[sent.numbered..sent.line.end]);
            let (at, moves) = (sent.at, sent.moves.clone());
            twins.push(Sent { at, line: start..again.len(), numbered, moves, answer: None });
            push(&mut self.outbox, &Message::End(End { game_id, won: false, score: 0.0 }));
        }
        (first, again, twins)
    }
}
