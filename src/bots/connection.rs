//! The connection with a player's process: how it begins, and what is sent and said.

use super::options::ExecOptions;
use super::patience::Patience;
use super::process::{Launch, Process};
use crate::games::CardGame;
use crate::text::visible;
use knave_agents::batch::{FaultKind, Unanswered};
use knave_agents::protocol::{Happening, Hello, Introduction, Message, PARTS, PROTOCOL};
use knave_agents::{ChanceRecord, Event};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The most of a line that messages show, in bytes.
const SHOWN: usize = 400;

/// A line that is too long, in words.
pub(super) const LONG: &str = "a line of more than a MiB";

/// A process that has introduced itself.
pub(super) struct Connection {
    pub process: Process,
    pub wants_view: bool,
    pub wants_events: bool,
    /// Whether it has been asked anything yet. Its first questions are asked twice, to see whether it repeats itself.
    pub was_asked: bool,
    /// Whether it has answered a question.
    pub has_answered: bool,
    /// The answers to no question that it has sent in this batch, and whether they were too many.
    pub strays: usize,
    pub is_flooding: bool,
}

/// A process that was started before the run, with the line for its log. The first copy of a player that needs one takes it.
#[derive(Default)]
pub(super) struct Spare(Mutex<Option<(Connection, String)>>);

impl Spare {
    /// Keeps it, in place of one before.
    pub(super) fn put(&self, opened: (Connection, String)) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(opened);
    }

    /// Hands it over.
    pub(super) fn take(&self) -> Option<(Connection, String)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Connection {
    /// Starts a process and has it introduce itself; returns also the line for its log.
    pub(super) fn open(
        launch: &Launch,
        game: &str,
        options: &ExecOptions,
        stop: &AtomicBool,
    ) -> Result<(Self, String), Unanswered> {
        let failed = |message: String| Unanswered::Failed { question: None, message };
        let (first, _) = options.timeouts();
        let mut process = Process::start(launch)
            .map_err(|error| failed(format!("cannot start '{}': {error}", options.command)))?;
        process.send(hello(game));
        let command = &options.command;
        let introduction = match process.line(&mut Patience::new(first), stop) {
            Ok(Some(line)) => introduction(line)
                .map_err(|error| format!("'{command}' answered hello with {}: {error}", quoted(line))),
            Ok(None) => return Err(Unanswered::Stopped),
            Err(kind) => {
                let what = in_words(kind, &mut process, first) + &unfinished(kind, &process);
                Err(format!("'{command}' did not answer hello: {what}"))
            }
        };
        let introduction = match introduction {
            Ok(introduction) => introduction,
            Err(message) => return Err(failed(message + &said(&process))),
        };
        let wants = introduction.wants.unwrap_or_else(|| PARTS.map(str::to_owned).to_vec());
        let wants = |part: &str| wants.iter().any(|wanted| wanted == part);
        let [wants_view, wants_events] = PARTS.map(wants);
        let named = format!("{} {}", introduction.name, introduction.version.unwrap_or_default());
        let named = quoted(named.trim_end().as_bytes()).replace('\n', r"\n");
        let said = format!("{command}: {named}\n");
        let connection = Self {
            process,
            wants_view,
            wants_events,
            was_asked: false,
            has_answered: false,
            strays: 0,
            is_flooding: false,
        };
        Ok((connection, said))
    }
}

/// The first line for a process.
pub(super) fn hello(game: &str) -> Vec<u8> {
    let hello = Hello { protocol: PROTOCOL, knave: env!("CARGO_PKG_VERSION").into(), game: game.into() };
    let mut line = Vec::new();
    push(&mut line, &Message::Hello(hello));
    line
}

/// Reads how a process introduces itself.
///
/// # Errors
/// Says what is wrong with it.
pub(super) fn introduction(line: &[u8]) -> Result<Introduction, String> {
    let introduction: Introduction = object(line)?;
    if introduction.protocol != PROTOCOL {
        return Err(format!("it speaks protocol {}: expected {PROTOCOL}", introduction.protocol));
    }
    if introduction.name.trim().is_empty() {
        return Err("expected a name".to_owned());
    }
    let unknown = |part: &&String| !PARTS.contains(&part.as_str());
    if let Some(part) = introduction.wants.iter().flatten().find(unknown) {
        return Err(format!("it wants '{part}': expected one of {}", PARTS.join(", ")));
    }
    Ok(introduction)
}

/// A public event as players outside are told, if it is not seen in the view alone.
pub fn happening<G: CardGame>(event: &Event<G>) -> Option<Happening> {
    match event {
        Event::Move(player, m) => Some(Happening::Move { text: m.to_string(), player: *player }),
        Event::Chance(outcome) => match G::chance_record(outcome) {
            Some(ChanceRecord::Roll(roll)) => Some(Happening::Roll { roll }),
            _ => None,
        },
        Event::Shuffle => Some(Happening::Shuffle { shuffle: true }),
    }
}

/// Appends a line.
pub(super) fn push(lines: &mut Vec<u8>, message: &impl Serialize) {
    push_value(lines, message);
    lines.push(b'\n');
}

pub(super) fn push_value<T: Serialize + ?Sized>(lines: &mut Vec<u8>, value: &T) {
    // Numbers, texts and lists can be written, and so can memory.
    let _ = serde_json::to_writer(lines, value);
}

/// A message that a player sent: one JSON object. Lists of its values are none, though Serde would take them.
///
/// # Errors
/// Says what is wrong with the line.
pub(super) fn object<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    // Serde does not look into the texts of fields that nobody reads.
    let line = std::str::from_utf8(line.trim_ascii_start())
        .map_err(|error| format!("it is not UTF-8 from column {} on", error.valid_up_to() + 1))?;
    let is_value = || serde_json::from_str::<IgnoredAny>(line).is_ok();
    if line.is_empty() || (!line.starts_with('{') && is_value()) {
        return Err("expected a JSON object".to_owned());
    }
    serde_json::from_str(line).map_err(|error| without_fractions(&error.to_string()))
}

/// An error without the number that was read in the place of a whole one: it may be rounded, and the line shows what was sent.
fn without_fractions(error: &str) -> String {
    let parts =
        error.split_once("floating point `").and_then(|(head, rest)| Some((head, rest.split_once('`')?.1)));
    parts.map_or_else(
        || error.to_owned(),
        |(head, rest)| format!("{head}a number with a point, an exponent or more than 64 bits{rest}"),
    )
}

/// A line for a message: shortened, and without what a terminal would obey.
pub(super) fn quoted(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    if line.is_empty() {
        return "an empty line".to_owned();
    }
    let some = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
    let more = line.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!("… ({more} more bytes)") } else { String::new() };
    let plain = visible(&some);
    format!("{plain}{more}")
}

/// Why a process gives no more answers.
pub(super) fn in_words(kind: FaultKind, process: &mut Process, time: Duration) -> String {
    match kind {
        FaultKind::Late => format!("no answer within {} s", time.as_secs_f64()),
        FaultKind::Flood => LONG.to_owned(),
        _ => process.status().map_or_else(
            || "it closed its standard output".to_owned(),
            |status| format!("it ended ({status})"),
        ),
    }
}

/// What a process that gives no more answers has written of a line.
pub(super) fn unfinished(kind: FaultKind, process: &Process) -> String {
    let rest = process.rest();
    if rest.is_empty() || kind == FaultKind::Flood {
        return String::new();
    }
    format!("; got {}, without an end of line", quoted(rest))
}

/// The end of what a process said on standard error.
pub(super) fn said(process: &Process) -> String {
    // Its last words may be on their way.
    std::thread::sleep(Duration::from_millis(20));
    let end = process.said(SHOWN);
    if end.is_empty() { String::new() } else { format!("; it said: {}", quoted(&end)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use knave_agents::protocol::Reply;

    /// A number that is rounded on its way into an error would send its reader after a number that nobody sent.
    #[test]
    fn errors_show_no_rounded_numbers() {
        let error = object::<Reply<'_>>(br#"{"id":9007199254740993.0,"move":0}"#).unwrap_err();
        assert!(
            error.contains("a number with a point, an exponent or more than 64 bits, expected u64"),
            "{error}"
        );
        assert!(!error.contains("90071992"), "{error}");
    }
}
