//! The worst decisions of an analysis, with the positions that they were taken in.

use super::read;
use crate::board::{Board, Suits, draw};
use crate::numbers::{short, thousands};
use crate::registry::Registry;
use crate::report::spelled;
use crate::store::{Manifest, Sum, Table, plain_file};
use crate::studies::analyse::tables::DECISIONS;
use crate::studies::analyse::{self, Transcripts};
use crate::studies::{Request, input};
use crate::text::{file_word, quoted};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

/// How many are shown.
const SHOWN: usize = 5;

/// The worst decisions that have a grade; nothing for other folders, nor where their table is gone.
///
/// # Errors
/// When the decisions cannot be read.
pub fn text(
    registry: &Registry,
    folder: &Path,
    (manifest, request): (&Manifest, &Request),
    width: usize,
) -> Result<String, String> {
    let Request::Analyse(request) = request else { return Ok(String::new()) };
    let is_listed = manifest.files.iter().any(|file| file == DECISIONS.file);
    if !is_listed || !folder.join(DECISIONS.file).exists() {
        return Ok(String::new());
    }
    let table = read(folder, DECISIONS.file)?;
    let mut bad: Vec<&Vec<String>> =
        table.rows.iter().filter(|row| !cell(&table, row, "grade").is_empty()).collect();
    let loss = |row: &[String]| cell(&table, row, "regret").parse().unwrap_or(0.0_f64);
    // Equal ones stay in their order.
    bad.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
    // Of several files the games do not tell from which they are. Where lines are empty, a game is not in the line of its number.
    let lines = request.transcripts.as_ref().and_then(numbers).unwrap_or_default();
    let judge = request.judge.as_ref().map(|judge| spelled(registry, &manifest.plan, judge));
    let mut text = String::new();
    match bad.len() {
        0 => {}
        1 => text += "\nThe only decision with a grade:\n",
        all => {
            let _ = writeln!(text, "\nThe worst of {} decisions with a grade:", thousands(all as u64));
        }
    }
    for row in bad.into_iter().take(SHOWN) {
        let cell = |name| cell(&table, row, name);
        let _ = writeln!(
            text,
            "\nGame {}, decision {}, {} in seat {}: {} instead of {} loses {} (se {}), {}",
            cell("index"),
            cell("number"),
            cell("agent"),
            cell("seat"),
            cell("played"),
            cell("best"),
            short(cell("regret")),
            short(cell("regret_se")),
            cell("grade").replace('_', " ")
        );
        if let Some(line) = cell("index").parse().ok().and_then(|game: usize| lines.get(game)) {
            let _ = writeln!(text, "  {}", hint(request, judge.as_deref(), *line, cell("number")));
        }
        text += &draw(&Board::read(cell("view").as_bytes()), Suits::of_locale(), width);
    }
    Ok(text)
}

/// The numbers of the lines that hold games, where they stand in one plain file that is still as it was.
fn numbers(games: &Transcripts) -> Option<Vec<usize>> {
    let [file] = &games.files[..] else { return None };
    let mut text = Vec::new();
    plain_file(file).and_then(|mut file| file.read_to_end(&mut text)).ok()?;
    let is_same = Some(Sum::of(&text).to_string()) == games.fnv1a;
    is_same.then(|| input::lines(&text[..]).map(|(number, _)| number).collect())
}

/// The command that values the moves of a decision as the analysis did.
fn hint(request: &analyse::Request, judge: Option<&str>, line: usize, decision: &str) -> String {
    let analyse::Request { transcripts, worlds, moves, measure, .. } = request;
    let file = transcripts.iter().flat_map(|games| &games.files).map(|file| quoted(&file_word(file)));
    let options = [
        ("--line", Some(line.to_string())),
        ("--decision", Some(decision.to_owned())),
        ("--judge", judge.map(quoted)),
        ("--worlds", worlds.map(|worlds| worlds.to_string())),
        ("--moves", moves.map(|moves| moves.to_string())),
        ("--measure", measure.map(|measure| measure.name().to_owned())),
    ];
    let options = options.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value?)));
    ["sim hint".to_owned()].into_iter().chain(file).chain(options).collect::<Vec<_>>().join(" ")
}

fn cell<'a>(table: &Table, row: &'a [String], name: &str) -> &'a str {
    table.column(name).map_or("", |place| &row[place])
}
