//! Whether a program keeps to the protocol: every message, odd ones too, then whole games.

use super::connection::{LONG, hello, in_words, introduction, object, quoted, said, unfinished};
use super::options::ExecOptions;
use super::patience::Patience;
use super::process::{GRACE, Process};
use crate::games;
use crate::store::Existing;
use crate::studies::faults::FAULTS;
use crate::studies::{End, Outputs, Planner, Request, Session, run};
use knave_agents::AgentSpec;
use knave_agents::batch::FaultKind;
use knave_agents::options::{Fields, OptionError, recorded};
use knave_agents::protocol::Pong;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The number of games that are played at once, and after one another, in each check of whole games.
const GAMES: u64 = 40;

/// How long nothing may be said where nothing was asked.
const QUIET: Duration = Duration::from_millis(100);

/// How many messages are sent at once.
const HEAP: u64 = 2_000;

/// How long a program may take to end: more than a run leaves it, for the machine may be busy.
const END: Duration = GRACE.saturating_mul(4);

/// What a check has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was checked.
    pub what: String,
    /// What is wrong, with the lines that tell; nothing when all is well.
    pub problem: Option<String>,
}

/// A game to be played in the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedGame {
    /// Its name.
    pub name: String,
    /// Its rules.
    pub rules: Fields,
    /// The number of seats under these rules.
    pub seats: usize,
}

/// Checks a program; tells of each check when it is done. Whether nothing was wrong. When `stop` is set it ends, and tells nothing
/// of the check under way.
///
/// # Errors
/// When the program cannot be started with these options.
pub fn check(
    planner: &impl Planner,
    options: &ExecOptions,
    games: &[CheckedGame],
    tell: &mut dyn FnMut(&Finding),
    stop: &Arc<AtomicBool>,
) -> Result<bool, OptionError> {
    let launch = options.launch()?;
    let mut fine = true;
    let is_stopped = || stop.load(Ordering::Relaxed);
    let mut note = |what: &str, result: Result<(), String>| {
        // What was broken off says nothing of the program.
        if is_stopped() {
            return false;
        }
        let is_right = result.is_ok();
        fine &= is_right;
        tell(&Finding { what: what.to_owned(), problem: result.err() });
        is_right
    };
    let game = games.first().map_or(games::names()[0], |game| &game.name);
    // What cannot be started at all is refused, as a run refuses it.
    let start = || {
        Process::start(&launch).map_err(|error| {
            OptionError::refused("command", &options.command, format!("it cannot be started: {error}"))
        })
    };
    let begun = Talk::begin(start()?, options, game, stop);
    let introduced = begun.as_ref().map(|_| ()).map_err(Clone::clone);
    let mut alive = note("starts and answers hello", introduced);
    if let Ok(mut talk) = begun {
        alive &= note("says nothing unasked", talk.is_quiet());
        alive = alive && note("answers a ping", talk.ping("{\"type\":\"ping\",\"id\":7}\n", 7));
        if alive {
            let odd = "{\"type\":\"weather\",\"sun\":true}\n{\"type\":\"ping\",\"id\":8,\"more\":[{}]}\n";
            note("passes over messages and fields that it does not know", talk.ping(odd, 8));
            note("reads a line that comes in pieces", talk.pieces());
            note("answers many messages at once", talk.heap());
            if !is_stopped() {
                note("ends when it is told to quit", talk.quits());
            }
        }
    }
    if alive && !is_stopped() {
        note("ends when its input ends", Talk::begin(start()?, options, game, stop).and_then(Talk::ends));
        for game in games {
            let name = if game.rules.is_empty() {
                game.name.clone()
            } else {
                format!("{} with {}", game.name, json!(game.rules))
            };
            let play = |batch: u32| play(planner, options, game, batch, stop);
            let alone = play(1);
            if is_stopped() {
                return Ok(fine);
            }
            let right = alone.as_ref().map(|_| ()).map_err(Clone::clone);
            if !note(&format!("plays {GAMES} games of {name}, one after another"), right) {
                continue;
            }
            let many = play(64);
            let right = many.as_ref().map(|_| ()).map_err(Clone::clone);
            if note(&format!("plays {GAMES} games of {name} side by side"), right) {
                let same = alone.and_then(|alone| same(&alone, &many?));
                note(&format!("plays the same games of {name} again"), same);
            }
        }
    }
    Ok(fine)
}

/// Games that were played.
struct Played {
    transcripts: String,
    /// Whether the first questions got the same answers when they were asked again, as those of games with other numbers.
    repeats: bool,
}

/// Plays some of these games.
fn play(
    planner: &impl Planner,
    options: &ExecOptions,
    game: &CheckedGame,
    batch: u32,
    stop: &Arc<AtomicBool>,
) -> Result<Played, String> {
    let own = AgentSpec {
        name: "exec".to_owned(),
        options: recorded(&ExecOptions { batch, ..options.clone() }),
        label: Some("the program".to_owned()),
    };
    let random = AgentSpec { name: "random".to_owned(), options: Fields::new(), label: None };
    // In every second seat, so that there are others whose moves it sees.
    let agents = (0..game.seats).map(|seat| if seat % 2 == 0 { own.clone() } else { random.clone() });
    let request = Request::Run(run::Request {
        game: game.name.clone(),
        rules: game.rules.clone(),
        cards: None,
        agents: agents.collect(),
        n: GAMES,
        seed: 1,
    });
    let in_words = |error: &dyn std::fmt::Display| error.to_string();
    let folder = tempfile::tempdir().map_err(|error| in_words(&error))?;
    let transcripts = folder.path().join("games.jsonl");
    let outputs = Outputs { transcripts: Some(transcripts.clone()), ..Outputs::default() };
    let session = Session::new(planner, &request).map_err(|error| in_words(&error))?;
    let session = session.outputs(outputs).existing(Existing::Replace).threads(1).stop(Arc::clone(stop));
    let done = session.run(&mut ()).map_err(|error| in_words(&error))?;
    if let End::Failed(failure) = done.end {
        return Err(failure.to_string());
    }
    let faults = done.tables.iter().filter(|table| table.file == FAULTS.file).flat_map(|table| &table.rows);
    let repeats = !faults.flatten().any(|cell| cell == FaultKind::Unrepeatable.name());
    let transcripts = std::fs::read_to_string(&transcripts).map_err(|error| in_words(&error))?;
    Ok(Played { transcripts, repeats })
}

/// Whether these are the same games, of a program that repeats itself.
fn same(first: &Played, second: &Played) -> Result<(), String> {
    let mut lines = first.transcripts.lines().zip(second.transcripts.lines());
    let what = match lines.position(|(a, b)| a != b) {
        Some(game) => format!("game {game} went another way"),
        None if first.repeats && second.repeats => return Ok(()),
        None => {
            "a question got another answer when it was asked again in a game with another number".to_owned()
        }
    };
    Err(format!(
        "{what}. A program should draw everything random from the seed of the question, and remember nothing from one \
         game to another; else its results cannot be repeated"
    ))
}

/// A program that does not end, in words.
fn too_long(after: &str) -> String {
    let (end, grace) = (END.as_secs_f64(), GRACE.as_secs_f64());
    format!("it still runs {end} s after {after}; a run kills it after {grace} s")
}

/// A program that is talked to, and the last that was said.
struct Talk<'a> {
    process: Process,
    timeout: Duration,
    sent: String,
    stop: &'a AtomicBool,
}

impl<'a> Talk<'a> {
    /// Has the program introduce itself.
    fn begin(
        process: Process,
        options: &ExecOptions,
        game: &str,
        stop: &'a AtomicBool,
    ) -> Result<Self, String> {
        let (first, timeout) = options.timeouts();
        let mut talk = Self { process, timeout: first, sent: String::new(), stop };
        talk.say(hello(game));
        let line = talk.line()?;
        introduction(&line).map_err(|error| talk.wrong(&line, &error))?;
        talk.timeout = timeout;
        Ok(talk)
    }

    fn say(&mut self, lines: impl Into<Vec<u8>>) {
        let lines = lines.into();
        self.sent = quoted(&lines);
        self.process.send(lines);
    }

    /// The next line.
    fn line(&mut self) -> Result<Vec<u8>, String> {
        let kind = match self.process.line(&mut Patience::new(self.timeout), self.stop) {
            Ok(Some(line)) => return Ok(line.to_vec()),
            // Nobody will read this.
            Ok(None) => return Err(String::new()),
            Err(kind) => kind,
        };
        let mut problem = in_words(kind, &mut self.process, self.timeout);
        if kind == FaultKind::Late {
            problem += " (is standard output flushed after each answer?)";
        }
        let rest = unfinished(kind, &self.process);
        Err(format!("{problem}; sent {}{rest}{}", self.sent, said(&self.process)))
    }

    fn wrong(&self, line: &[u8], what: &str) -> String {
        format!("{what}; sent {}, got {}", self.sent, quoted(line))
    }

    /// Sends these lines and awaits the answer to their last one, a ping.
    fn ping(&mut self, lines: &str, id: u64) -> Result<(), String> {
        self.say(lines);
        self.pong(id)
    }

    fn pong(&mut self, id: u64) -> Result<(), String> {
        let line = self.line()?;
        let pong: Pong<'_> = object(&line).map_err(|error| self.wrong(&line, &error))?;
        if pong.id == id && pong.kind == "pong" {
            return Ok(());
        }
        Err(self.wrong(&line, &format!("expected {}", json!({ "id": id, "type": "pong" }))))
    }

    fn is_quiet(&mut self) -> Result<(), String> {
        match self.process.line(&mut Patience::new(QUIET), self.stop) {
            Ok(None) | Err(FaultKind::Late) => Ok(()),
            Ok(Some(line)) => {
                let line = quoted(line);
                Err(format!("nothing was asked; got {line}"))
            }
            Err(FaultKind::Flood) => Err(format!("nothing was asked; got {LONG}")),
            Err(kind) => Err(in_words(kind, &mut self.process, QUIET) + &said(&self.process)),
        }
    }

    fn pieces(&mut self) -> Result<(), String> {
        self.say("{\"type\":\"ping\",");
        std::thread::sleep(QUIET / 2);
        self.ping("\"id\":9}\n", 9)
    }

    fn heap(&mut self) -> Result<(), String> {
        let pings: String = (0..HEAP).map(|id| format!("{{\"type\":\"ping\",\"id\":{id}}}\n")).collect();
        self.say(pings);
        (0..HEAP).try_for_each(|id| self.pong(id))
    }

    fn quits(mut self) -> Result<(), String> {
        self.process.send(b"{\"type\":\"quit\"}\n".to_vec());
        // Its input stays open: the word is enough.
        if !self.process.ends(END) {
            return Err(too_long("quit"));
        }
        match self.process.failure() {
            Some(status) => {
                let said = said(&self.process);
                Err(format!("it ended with a failure ({status}), which a run does not look at{said}"))
            }
            None => Ok(()),
        }
    }

    fn ends(mut self) -> Result<(), String> {
        if !self.process.quit(END) {
            return Err(too_long("the end of its input"));
        }
        Ok(())
    }
}
