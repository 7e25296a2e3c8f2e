//! Where the games of an analysis come from: they are played, or read from files of transcripts.

use super::request::Transcripts;
use crate::analysis::{Recorded, Recording};
use crate::cards::Card;
use crate::games::CardGame;
use crate::play::{Transcript, referee};
use crate::store::Sum;
use crate::studies::input;
use knave_agents::options::Fields;
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

/// The games of an analysis.
pub enum Source<G: CardGame> {
    /// They are played.
    Played(crate::studies::run::Plan<G>),
    /// They stand in files.
    Recorded(RecordedGames<G>),
}

/// Recorded games, from files.
pub struct RecordedGames<G: CardGame> {
    /// The files.
    pub files: Vec<PathBuf>,
    /// A hash of what stands in them (64-bit FNV-1a).
    pub hash: Sum,
    /// Their rules.
    pub rules: G::Rules,
    /// The decks of the games, each once and in order.
    pub decks: BTreeSet<Vec<Card>>,
    /// The games in order, with the players by seat.
    pub games: Vec<(Recorded<G>, Vec<String>)>,
}

/// What is wrong with files of transcripts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    /// A file cannot be read.
    #[error("cannot read {file}: {reason}", file = file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file was named twice, as it is or by another path.
    #[error("transcripts: {file} was named twice", file = file.display())]
    Twice {
        /// The file.
        file: PathBuf,
    },
    /// They hold nothing.
    #[error("transcripts: there are no games in the files")]
    Empty,
    /// They are not the ones that were asked about.
    #[error("the transcripts have changed: their hash is {found}, not {expected}")]
    Changed {
        /// Their hash.
        found: String,
        /// The one in the request.
        expected: String,
    },
    /// A line is wrong.
    #[error("{file}: line {line}: {reason}", file = file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// Reads and replays the games of files, which are all of one game under one set of rules.
///
/// # Errors
/// Names the file and the line that are wrong.
pub(super) fn read<G: CardGame>(given: &Transcripts) -> Result<RecordedGames<G>, TranscriptError> {
    let mut hash = Sum::default();
    let mut recorded: Option<(Fields, RecordedGames<G>)> = None;
    // The same games once more would pass for others.
    if let Some(file) = input::named_twice(&given.files) {
        return Err(TranscriptError::Twice { file: file.clone() });
    }
    for file in &given.files {
        let unreadable =
            |error: io::Error| TranscriptError::Unreadable { file: file.clone(), reason: error.to_string() };
        let text = input::read(file).map_err(unreadable)?;
        hash.add(&text);
        for (number, line) in input::lines(&text[..]) {
            let wrong = |reason: String| TranscriptError::Line { file: file.clone(), line: number, reason };
            let line = line.map_err(|error| wrong(error.to_string()))?;
            let transcript = referee::read(&line).map_err(|error| wrong(error.to_string()))?;
            if transcript.game != G::NAME {
                return Err(wrong(format!("game: a transcript of {}, not of {}", transcript.game, G::NAME)));
            }
            let rules = || referee::rules::<G>(&transcript.rules).map_err(|error| wrong(error.to_string()));
            let recorded = match &mut recorded {
                Some((rules, recorded)) if *rules == transcript.rules => recorded,
                Some(_) => return Err(wrong("rules: other ones than in the games before".to_owned())),
                none => {
                    let fresh = RecordedGames {
                        files: given.files.clone(),
                        hash,
                        rules: rules()?,
                        decks: BTreeSet::new(),
                        games: Vec::new(),
                    };
                    &mut none.insert((transcript.rules.clone(), fresh)).1
                }
            };
            let mut deck = transcript.deck.clone();
            deck.sort_unstable();
            recorded.decks.insert(deck);
            let index = recorded.games.len() as u64;
            recorded.games.push(replayed(transcript, index).map_err(wrong)?);
        }
    }
    let (_, recorded) = recorded.ok_or(TranscriptError::Empty)?;
    if let Some(expected) = given.fnv1a.as_ref().filter(|expected| **expected != hash.to_string()) {
        return Err(TranscriptError::Changed { found: hash.to_string(), expected: expected.clone() });
    }
    Ok(RecordedGames { hash, ..recorded })
}

/// A transcript as a recorded game.
fn replayed<G: CardGame>(transcript: Transcript, index: u64) -> Result<(Recorded<G>, Vec<String>), String> {
    let mut recording = Recording::default();
    referee::replay::<G>(&transcript, &mut recording).map_err(|error| error.to_string())?;
    let game = recording.take().pop().ok_or("the game has no end")?;
    Ok((Recorded { index, ..game }, transcript.players))
}
