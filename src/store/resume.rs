//! Whether a run can go on from what a folder holds. Nothing is changed here.

use super::{Files, Journal, Manifest, PlanRecord};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Where a run of this plan goes on in a folder with this manifest, which is of the same plan.
///
/// # Errors
/// Says what stands against it.
pub(super) fn journal(
    folder: &Path,
    old: &Manifest,
    plan: &PlanRecord,
    files: &Files,
) -> Result<Journal, String> {
    let fresh = Manifest::new(plan.clone());
    if old.build() != fresh.build() {
        return Err(format!("it was made by knave {}, and this is {}", old.build(), fresh.build()));
    }
    let has = |name: &str| old.files.iter().any(|other| other == name);
    if let Some(name) = files.names().find(|name| !has(name)) {
        return Err(format!("it was made without {name}"));
    }
    if let Some(name) = old.files.iter().find(|other| files.names().all(|name| name != *other)) {
        return Err(format!("it was made with {name}"));
    }
    let said = |path: &Option<String>, limit: Option<u64>| match (path, limit) {
        (None, _) => "nowhere".to_owned(),
        (Some(path), None) => format!("to {path}"),
        (Some(path), Some(limit)) => format!("to {path}, {limit} of them"),
    };
    let (before, now) = (
        said(&old.transcripts, old.transcript_limit),
        said(&files.transcripts_name(), files.transcript_limit),
    );
    if before != now {
        return Err(format!("its transcripts were written {before}, not {now}"));
    }
    let journal = Journal::read(folder).map_err(|error| error.to_string())?;
    if journal.ranges.is_empty() {
        return Ok(journal);
    }
    if files.is_read_at_once() {
        return Err("what was printed before cannot be gone on with".to_owned());
    }
    let (range, done) = (plan.range(), &journal.ranges);
    let in_order = done.iter().count() == 1 && done.iter().all(|done| done.start == range.start);
    if !in_order || done.iter().any(|done| done.end > range.end) {
        return Err("games are missing before others that are there: merge all parts at once".to_owned());
    }
    if let Some(table) = files.rows {
        ends_with_a_line(&folder.join(table.file), journal.rows, table.header().trim_end())?;
    }
    if let Some(path) = &files.transcripts {
        ends_with_a_line(path, journal.transcripts, &transcripts_begin(plan.game()))?;
    }
    Ok(journal)
}

/// Checks that the first `bytes` of a file are whole lines, the first of which begins like this.
pub(super) fn ends_with_a_line(path: &Path, bytes: u64, begin: &str) -> Result<(), String> {
    let wrong = |why: &str| format!("{} {why}", path.display());
    let read = || -> io::Result<Option<&str>> {
        let mut file = File::open(path)?;
        let there = file.metadata()?.len();
        if there < bytes {
            return Ok(Some("has fewer bytes than the journal counts"));
        }
        if bytes == 0 {
            return Ok(None);
        }
        file.seek(SeekFrom::Start(bytes - 1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        file.seek(SeekFrom::Start(0))?;
        let mut first = Vec::new();
        BufReader::new(file.take(1 << 20)).read_until(b'\n', &mut first)?;
        let same = last == *b"\n" && first.starts_with(begin.as_bytes());
        Ok((!same).then_some("is not the file that was written"))
    };
    match read() {
        Ok(None) => Ok(()),
        Ok(Some(why)) => Err(wrong(why)),
        Err(error) => Err(wrong(&format!("cannot be read: {error}"))),
    }
}

/// Whether a file begins like transcripts of this game.
pub(super) fn holds_transcripts(path: &Path, game: &str) -> bool {
    let begin = transcripts_begin(game);
    let mut first = vec![0; begin.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
    read.is_ok() && first == begin.as_bytes()
}

/// How transcripts of this game begin.
fn transcripts_begin(game: &str) -> String {
    format!("{{\"schema\":1,\"game\":\"{game}\"")
}
