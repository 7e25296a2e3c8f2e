//! The agent `exec`: a player in a process of its own.

mod repeats;

use super::connection::{
    Connection, Spare, happening, in_words, object, push, push_value, quoted, said, unfinished,
};
use super::options::{ExecOptions, OnFault};
use super::patience::Patience;
use super::process::Launch;
use crate::games::CardGame;
use crate::play::referee::is_written_alike;
use knave_agents::batch::{Ending, Fault, FaultKind, Question, Unanswered};
use knave_agents::kit::Found;
use knave_agents::options::OptionError;
use knave_agents::protocol::{Choice, End, Message, New, Reply};
use knave_agents::shown::Shown;
use knave_agents::{Agent, Configure, Decision, Rng, Setup};
use rand::Rng as _;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How many processes in a row that were asked one question may end without an answer before the run stops, whatever becomes of
/// faults. A program that dies of one question in ten has so many of them in a row once in a hundred million.
const MOST_STARTS: u32 = 8;

/// The first number of games of single decisions, which no other game has. All numbers are whole in a `double`.
const ALONE: u64 = 1 << 51;

/// The most answers to no question from one process in a batch, beside one for each question that was sent at once.
const MOST_STRAYS: usize = 10_000;

/// The most faults of a batch, which are kept until its end. After them any answer to no question is too many.
const MOST_FAULTS: usize = 1_000_000;

/// A player in a process of its own. Every copy has its own process, which starts with its first question.
pub struct Exec<G: CardGame> {
    set_up: Arc<SetUp<G>>,
    running: Option<Connection>,
    /// How many questions were asked, and one more.
    next: u64,
    /// By game: how many of its events were told, or nothing where the game itself was not.
    told: BTreeMap<u64, usize>,
    /// The games that are lost.
    lost: BTreeSet<u64>,
    /// Messages for which no answer is awaited; they go out with the next question.
    outbox: Vec<u8>,
    faults: Vec<Fault>,
    log: Vec<u8>,
    /// The processes in a row that gave no answer.
    silent: u32,
    /// Whether one had to be ended, since its answer to a repeated question was illegal. The next ones would have to be, too.
    differs: bool,
    /// Whether a process has introduced itself: what then fails to start may have other reasons than a wrong command.
    introduced: bool,
    moves: Vec<G::Move>,
    text: String,
}

/// What all copies share.
struct SetUp<G: CardGame> {
    options: ExecOptions,
    launch: Launch,
    rules: serde_json::Map<String, serde_json::Value>,
    shown: Shown<G>,
    spare: Spare,
}

/// A question that was sent.
struct Sent<M> {
    /// Its place among all that were asked for.
    at: usize,
    /// Its line among those that were sent.
    line: Range<usize>,
    /// Where its numbers end there.
    numbered: usize,
    /// Its legal moves.
    moves: Range<usize>,
    /// The move that came back.
    answer: Option<M>,
}

impl<G: CardGame> Clone for Exec<G> {
    /// A copy with a process of its own.
    fn clone(&self) -> Self {
        Self::new(Arc::clone(&self.set_up))
    }
}

impl<G: CardGame> Drop for Exec<G> {
    /// The ends of the last games are told, too.
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            running.process.send(std::mem::take(&mut self.outbox));
        }
    }
}

impl<G: CardGame> Configure<G> for Exec<G> {
    const NAME: &'static str = "exec";
    const SUMMARY: &'static str = "a program of your own, in any language";
    type Options = ExecOptions;

    fn configure(options: &ExecOptions, setup: &Setup<'_, G>) -> Result<Self, OptionError> {
        let Some(shown) = setup.kit.shown.clone() else {
            let reason = format!("{} does not tell programs what a seat knows", G::NAME);
            return Err(OptionError::refused("command", &options.command, reason).of("agent exec"));
        };
        let launch = options.launch()?;
        // Results by a program that was changed are those of another player.
        setup.note_uses(Found { uses: options.files(), ..Found::default() });
        let rules = knave_agents::options::recorded(setup.rules);
        let (options, spare) = (options.clone(), Spare::default());
        Ok(Self::new(Arc::new(SetUp { options, launch, rules, shown, spare })))
    }
}

/// Appends the beginning of a question: the numbers, which alone differ where it is asked again.
fn push_numbers(lines: &mut Vec<u8>, id: u64, game_id: u64) {
    // Memory can be written.
    let _ = write!(lines, r#"{{"type":"choose","id":{id},"game_id":{game_id}"#);
}

/// The seed of a question: 53 bits, which numbers of all languages hold.
fn seed_of(rng: &mut Rng) -> u64 {
    rng.next_u64() >> 11
}

impl<G: CardGame> Exec<G> {
    fn new(set_up: Arc<SetUp<G>>) -> Self {
        Self {
            set_up,
            running: None,
            next: 1,
            told: BTreeMap::new(),
            lost: BTreeSet::new(),
            outbox: Vec::new(),
            faults: Vec::new(),
            log: Vec::new(),
            silent: 0,
            differs: false,
            introduced: false,
            moves: Vec::new(),
            text: String::new(),
        }
    }

    /// The process that runs, or a fresh one that has introduced itself.
    fn start(&mut self, stop: &AtomicBool) -> Result<Connection, Unanswered> {
        if let Some(running) = self.running.take() {
            return Ok(running);
        }
        let SetUp { options, launch, spare, .. } = &*self.set_up;
        let open = || Connection::open(launch, G::NAME, options, stop);
        let (connection, introduction) = spare.take().map_or_else(open, Ok)?;
        self.log.extend(introduction.into_bytes());
        self.introduced = true;
        Ok(connection)
    }

    /// The number of the first of several questions, from random bits that no program has been told. So what one says before it was
    /// asked is never taken for an answer, however late it is heard.
    fn first(&self, bits: u64) -> u64 {
        (bits >> 1) + self.next
    }

    /// Appends the question, and the start of its game if that was not told.
    fn ask(
        &mut self,
        running: &Connection,
        (id, at, question, seed): (u64, usize, &Question<'_, G>, u64),
        lines: &mut Vec<u8>,
    ) -> Sent<G::Move> {
        let Question { game, decision, .. } = question;
        let (game_id, view) = (*game, decision.view());
        let told = self.told.get(game).copied();
        if told.is_none() {
            let (seat, seats) = (decision.seat(), decision.seats());
            let rules = self.set_up.rules.clone();
            push(lines, &Message::New(New { game_id, game: G::NAME.into(), rules, seat, seats }));
        }
        let start = lines.len();
        // Written by hand, for this is most of what is sent.
        push_numbers(lines, id, game_id);
        let numbered = lines.len();
        let _ = write!(lines, r#","seed":{seed},"moves":["#);
        let text = &mut self.text;
        let first = self.moves.len();
        let mut moves = Vec::new();
        decision.moves(&mut moves);
        for (i, m) in moves.iter().enumerate() {
            if i > 0 {
                lines.push(b',');
            }
            text.clear();
            let _ = write!(text, "{m}");
            push_value(lines, text.as_str());
        }
        self.moves.append(&mut moves);
        lines.push(b']');
        if running.wants_view {
            lines.extend_from_slice(br#","view":"#);
            self.set_up.shown.write(&view, lines);
        }
        let history = decision.history();
        if running.wants_events {
            lines.extend_from_slice(br#","events":"#);
            let events: Vec<_> = history[told.unwrap_or(0)..].iter().filter_map(happening::<G>).collect();
            push_value(lines, &events);
        }
        self.told.insert(game_id, history.len());
        lines.extend_from_slice(b"}\n");
        Sent { at, line: start..lines.len(), numbered, moves: first..self.moves.len(), answer: None }
    }

    /// Reads answers until every question has one.
    fn read(
        &mut self,
        running: &mut Connection,
        questions: &mut [Question<'_, G>],
        sent: &mut [Sent<G::Move>],
        (first, lines): (u64, &[u8]),
        stop: &AtomicBool,
    ) -> Result<(), Problem> {
        let (_, timeout) = self.set_up.options.timeouts();
        let mut patience = Patience::new(timeout);
        let mut missing = sent.iter().filter(|sent| sent.answer.is_none()).count();
        while missing > 0 {
            let line = match running.process.line(&mut patience, stop) {
                Ok(Some(line)) => line,
                Ok(None) => return Err(Problem::Stopped),
                Err(kind) => return Err(Problem::Ended(kind)),
            };
            let pending = sent.iter().position(|sent| sent.answer.is_none()).unwrap_or_default();
            let (at, result) = match object::<Reply<'_>>(line) {
                Err(reason) => {
                    // It may tell its number all the same.
                    let id = object::<Numbered>(String::from_utf8_lossy(line).as_bytes());
                    let id = id.ok().and_then(|line| line.id.checked_sub(first));
                    let named =
                        id.map(|at| at as usize).filter(|&at| at < sent.len() && sent[at].answer.is_none());
                    (named.unwrap_or(pending), Err((FaultKind::Malformed, reason)))
                }
                Ok(Reply { id, choice }) => match id.checked_sub(first).map(|at| at as usize) {
                    Some(at) if at < sent.len() && sent[at].answer.is_none() => {
                        let decision = &questions[sent[at].at].decision;
                        let found = self.find(&sent[at], decision, &choice).ok_or_else(|| {
                            (FaultKind::Illegal, "the move is none of those in the question".to_owned())
                        });
                        (at, found)
                    }
                    Some(at) if at < sent.len() => {
                        let reason = format!("question {id} has its answer already");
                        (at, Err((FaultKind::UnknownId, reason)))
                    }
                    _ => {
                        let reason = format!("no answer to a question {id} is awaited");
                        (pending, Err((FaultKind::UnknownId, reason)))
                    }
                },
            };
            match result {
                Ok(m) => {
                    self.silent = 0;
                    running.has_answered = true;
                    sent[at].answer = Some(m);
                    missing -= 1;
                    patience.renew();
                }
                Err((kind, reason)) if self.set_up.options.on_fault == OnFault::Stop => {
                    let question = quoted(&lines[sent[at].line.clone()]);
                    let message = format!("{kind}: {reason}; sent {question}, got {}", quoted(line));
                    return Err(Problem::Fault(sent[at].at, kind, message));
                }
                Err((FaultKind::UnknownId, _))
                    if running.strays >= MOST_STRAYS + sent.len() || self.faults.len() >= MOST_FAULTS =>
                {
                    running.is_flooding = true;
                    return Err(Problem::Ended(FaultKind::Flood));
                }
                // The question itself may still be answered.
                Err((FaultKind::UnknownId, _)) => {
                    running.strays += 1;
                    self.faults.push(Fault {
                        game: questions[sent[at].at].game,
                        kind: FaultKind::UnknownId,
                        forfeits: false,
                    });
                }
                Err((kind, _)) => {
                    sent[at].answer = Some(self.settle(kind, &mut questions[sent[at].at]));
                    missing -= 1;
                    patience.renew();
                }
            }
        }
        Ok(())
    }

    /// Asks these questions once. Answers that came before it failed are kept.
    fn attempt(
        &mut self,
        questions: &mut [Question<'_, G>],
        asked: &[usize],
        seeds: &[u64],
        answers: &mut [Option<G::Move>],
        stop: &AtomicBool,
    ) -> Result<(), Attempt> {
        if asked.is_empty() {
            return Ok(());
        }
        let mut running = match self.start(stop) {
            Ok(running) => running,
            Err(Unanswered::Stopped) => return Err(Attempt::Stopped),
            Err(Unanswered::Failed { message, .. }) if self.introduced => {
                self.silent += 1;
                return Err(Attempt::Ended(FaultKind::Crashed, message));
            }
            Err(Unanswered::Failed { message, .. }) => return Err(Attempt::Failed(None, message)),
        };
        let mut lines = std::mem::take(&mut self.outbox);
        self.moves.clear();
        let first = self.first(seeds[asked[0]]);
        let mut sent: Vec<Sent<G::Move>> = Vec::with_capacity(asked.len());
        self.next += asked.len() as u64;
        for (id, &at) in (first..).zip(asked) {
            sent.push(self.ask(&running, (id, at, &questions[at], seeds[at]), &mut lines));
        }
        running.process.send(lines.clone());
        let mut result = self.read(&mut running, questions, &mut sent, (first, &lines), stop);
        sent.iter().for_each(|sent| answers[sent.at] = sent.answer);
        // Later questions go on with games that a twin was not told. What was wrong the first time tells nothing.
        let is_first = !std::mem::replace(&mut running.was_asked, true);
        if is_first && result.is_ok() && self.faults.is_empty() && !self.differs {
            result = self.test(&mut running, questions, (&lines, &sent), stop);
        }
        let problem = match result {
            Ok(()) => {
                self.log.extend(running.process.take_log());
                self.running = Some(running);
                return Ok(());
            }
            Err(problem) => problem,
        };
        // Another process knows nothing of what this one was told.
        self.told.clear();
        self.outbox.clear();
        let pending = sent.iter().find(|sent| sent.answer.is_none());
        let question = pending.map_or(&lines[..0], |sent| &lines[sent.line.clone()]);
        let problem = match problem {
            Problem::Stopped => Attempt::Stopped,
            Problem::Fault(at, _, message) => Attempt::Failed(Some(at), message + &said(&running.process)),
            Problem::Ended(kind) => {
                // Of several questions those without an answer are asked again, which tells more.
                self.silent += u32::from(asked.len() == 1 && !running.has_answered);
                let message = self.end_in_words(kind, &mut running, question);
                Attempt::Ended(kind, message + &said(&running.process))
            }
        };
        running.process.kill();
        self.log.extend(running.process.take_log());
        // All questions were answered if it failed only when they were asked again.
        if pending.is_none() && matches!(problem, Attempt::Ended(..)) { Ok(()) } else { Err(problem) }
    }

    /// What becomes of a question that was not answered when it was asked alone.
    fn give_in(
        &mut self,
        problem: Attempt,
        question: &mut Question<'_, G>,
        at: usize,
    ) -> Result<G::Move, Unanswered> {
        match problem {
            Attempt::Stopped => Err(Unanswered::Stopped),
            Attempt::Failed(of, message) => Err(Unanswered::Failed { question: of.or(Some(at)), message }),
            Attempt::Ended(kind, _)
                if self.set_up.options.on_fault != OnFault::Stop && self.silent < MOST_STARTS =>
            {
                Ok(self.settle(kind, question))
            }
            Attempt::Ended(_, mut message) => {
                if self.set_up.options.on_fault != OnFault::Stop {
                    let _ = write!(message, "; {MOST_STARTS} processes in a row gave no answer");
                }
                Err(Unanswered::Failed { question: Some(at), message })
            }
        }
    }

    /// Why a process gives no more answers, with the question that has none.
    fn end_in_words(&self, kind: FaultKind, running: &mut Connection, question: &[u8]) -> String {
        let what = match kind {
            FaultKind::Flood if running.is_flooding => "a heap of answers to no question".to_owned(),
            _ => in_words(kind, &mut running.process, self.set_up.options.timeouts().1),
        };
        let rest = unfinished(kind, &running.process);
        format!("{kind}: {what}; sent {}{rest}", quoted(question))
    }

    /// The move of an answer.
    fn find(&self, sent: &Sent<G::Move>, decision: &Decision<'_, G>, choice: &Choice<'_>) -> Option<G::Move> {
        let moves = &self.moves[sent.moves.clone()];
        match choice {
            Choice::Index(index) => moves.get(usize::try_from(*index).ok()?).copied(),
            Choice::Text(text) => {
                let listed = moves.iter().find(|m| m.to_string() == **text).copied();
                listed.or_else(|| {
                    decision.parse_move(text).ok().filter(|m| is_written_alike(text, &m.to_string()))
                })
            }
        }
    }

    /// What becomes of a question that got no right answer, where the run goes on.
    fn settle(&mut self, kind: FaultKind, question: &mut Question<'_, G>) -> G::Move {
        let forfeits = self.set_up.options.on_fault == OnFault::Forfeit;
        self.faults.push(Fault { game: question.game, kind, forfeits });
        if forfeits {
            self.lost.insert(question.game);
        }
        question.decision.random_move(&mut Vec::new(), question.rng)
    }
}

/// The number of an answer that is none.
#[derive(Deserialize)]
struct Numbered {
    id: u64,
}

/// Why an attempt to have questions answered failed.
enum Attempt {
    /// The answers are no longer wanted.
    Stopped,
    /// The process ended, or had to be ended; in words, with the question.
    Ended(FaultKind, String),
    /// The run cannot go on, for this question if it is known.
    Failed(Option<usize>, String),
}

/// Why answers are missing.
enum Problem {
    /// They are no longer wanted.
    Stopped,
    /// The process gives no more.
    Ended(FaultKind),
    /// What was wrong with the answer to this question, which ends the run.
    Fault(usize, FaultKind, String),
}

impl<G: CardGame> Agent<G> for Exec<G> {
    fn uses_history(&self) -> bool {
        true
    }

    fn batch(&self) -> Option<usize> {
        Some(self.set_up.options.batch as usize)
    }

    fn may_fail(&self) -> bool {
        true
    }

    fn get_ready(&mut self, stop: &AtomicBool) -> Result<(), String> {
        let SetUp { options, launch, spare, .. } = &*self.set_up;
        match Connection::open(launch, G::NAME, options, stop) {
            Ok(opened) => spare.put(opened),
            Err(Unanswered::Failed { message, .. }) => return Err(message),
            Err(Unanswered::Stopped) => {}
        }
        Ok(())
    }

    /// A single decision, as of a game of its own. Where an answer is missing it is drawn at random.
    fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
        let (mut moves, game) = (Vec::new(), ALONE + self.next);
        let mut question = [Question { game, decision, rng }];
        let answered = self.choose_batch(&mut question, &mut moves, &AtomicBool::new(false));
        self.end_game(&Ending { game, seat: decision.seat(), won: false, score: 0.0 });
        let answer = moves.first().filter(|_| answered.is_ok()).copied();
        answer.unwrap_or_else(|| decision.random_move(&mut Vec::new(), rng))
    }

    fn choose_batch(
        &mut self,
        questions: &mut [Question<'_, G>],
        moves: &mut Vec<G::Move>,
        stop: &AtomicBool,
    ) -> Result<(), Unanswered> {
        moves.clear();
        let mut answers: Vec<Option<G::Move>> = vec![None; questions.len()];
        // Drawn once: who is asked again is asked the same.
        let seeds: Vec<u64> = questions.iter_mut().map(|question| seed_of(question.rng)).collect();
        for (question, answer) in questions.iter_mut().zip(&mut answers) {
            if self.lost.contains(&question.game) {
                *answer = Some(question.decision.random_move(&mut Vec::new(), question.rng));
            }
        }
        let asked: Vec<usize> = (0..answers.len()).filter(|&at| answers[at].is_none()).collect();
        let goes_on = self.set_up.options.on_fault != OnFault::Stop;
        match self.attempt(questions, &asked, &seeds, &mut answers, stop) {
            Ok(()) => {}
            // Which of them ended the process shows when they are asked one by one.
            Err(Attempt::Ended(..)) if goes_on && asked.len() > 1 => {
                let missing = asked.iter().copied().filter(|&at| answers[at].is_none()).collect::<Vec<_>>();
                for at in missing {
                    if let Err(problem) = self.attempt(questions, &[at], &seeds, &mut answers, stop) {
                        answers[at] = Some(self.give_in(problem, &mut questions[at], at)?);
                    }
                }
            }
            Err(problem) => {
                let at = asked.iter().copied().find(|&at| answers[at].is_none()).unwrap_or_default();
                answers[at] = Some(self.give_in(problem, &mut questions[at], at)?);
            }
        }
        moves.extend(answers.into_iter().flatten());
        Ok(())
    }

    fn end_game(&mut self, ending: &Ending) {
        self.lost.remove(&ending.game);
        if self.told.remove(&ending.game).is_some() {
            let Ending { game, won, score, .. } = *ending;
            push(&mut self.outbox, &Message::End(End { game_id: game, won, score }));
        }
    }

    fn take_faults(&mut self) -> Vec<Fault> {
        if let Some(running) = &mut self.running {
            running.strays = 0;
        }
        std::mem::take(&mut self.faults)
    }

    fn take_log(&mut self) -> Vec<u8> {
        if let Some(running) = &self.running {
            self.log.extend(running.process.take_log());
        }
        std::mem::take(&mut self.log)
    }
}
