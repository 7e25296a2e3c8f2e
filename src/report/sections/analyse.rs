//! What decisions cost and what was luck.

use super::{Figure, Kind, Rank, Section, Shown, Tables};
use crate::board::{self, Board, Suits};
use crate::numbers::Unit;
use crate::play::Measure;
use crate::report::ReportError;
use crate::report::charts::{self, Series};
use crate::report::estimate::Estimate;
use crate::report::folder::{Folder, Run};
use crate::report::repeat::{Asked, Line, labels as players};
use crate::report::rows::{Row, groups, labels};
use crate::store::{Table, TableForm};
use crate::studies;
use crate::studies::analyse::Request;
use crate::studies::analyse::tables::{ANALYSIS, BALANCE, DECISIONS, ERRORS, LUCKS};

/// The games that are shown decision by decision, and the rows that are read for them.
const GAMES: usize = 3;
const ROWS: usize = 5000;

pub(super) const KIND: Kind = Kind { files: &[ANALYSIS.file, ERRORS.file], sections };

/// What was asked.
pub(super) fn asked(request: &Request, line: Line<'_>) -> Asked {
    let Request { agents, n, seed, transcripts, .. } = request;
    match transcripts {
        Some(transcripts) => {
            let line = transcripts.files.iter().fold(line, |line, file| line.word(file.display()));
            judging(request, line.option("--seed", seed)).end("recorded games".to_owned(), None)
        }
        None => {
            let line = line.agents(agents).option("-n", n).option("--seed", seed);
            judging(request, line).rules().end(players(agents), None)
        }
    }
}

fn judging<'a>(request: &Request, line: Line<'a>) -> Line<'a> {
    let Request { judge, worlds, moves, measure, .. } = request;
    line.maybe("--judge", judge.as_ref())
        .maybe("--worlds", *worlds)
        .maybe("--moves", *moves)
        .maybe("--measure", measure.map(Measure::name))
}

fn sections(all: &Tables<'_>) -> Result<Vec<Section>, ReportError> {
    let rows = all.rows(ANALYSIS.file);
    let mut figures = Vec::new();
    for (measure, rows) in groups(&rows, &labels(&rows, &["measure"], &[])) {
        let unit = if measure.starts_with("win") { Unit::Share } else { Unit::Plain };
        let rows: Vec<Row<'_>> = rows.into_iter().collect();
        let names = labels(&rows, &["agent"], &["seat", "judge"]);
        for (title, columns) in [
            ("Lost by decisions, a game", ["regret", "regret_low", "regret_high"]),
            ("Results without luck", ["adjusted", "adjusted_low", "adjusted_high"]),
        ] {
            figures.extend(Figure::intervals(title, &Estimate::all(&names, &rows, columns), unit, None)?);
        }
    }
    let errors = all.rows(ERRORS.file);
    for (agent, rows) in groups(&errors, &labels(&errors, &["agent"], &["judge", "measure"])) {
        let rows: Vec<Row<'_>> = rows.into_iter().collect();
        let share = rows.iter().all(|row| row.text("measure") == "wins");
        let names = labels(&rows, &["phase", "kind"], &[]);
        let estimates = Estimate::all(&names, &rows, ["regret", "regret_low", "regret_high"]);
        let unit = if share { Unit::Share } else { Unit::Plain };
        figures.extend(Figure::intervals(&format!("Where {agent} loses, a game"), &estimates, unit, None)?);
    }
    let note = "What is lost against the best move that the judge found, by fair means; the result of a game is its value at the \
                deal, luck, and what decisions were worth.";
    let tables =
        [Shown::raw("Balance", &rows), Shown::raw("Decisions by kind", &errors)].into_iter().flatten();
    let title = "Decisions and luck".to_owned();
    let first = Section { title, rank: Rank::Detail, note, figures, tables: tables.collect() };
    let mut sections = vec![first];
    for folder in tables_of(all) {
        sections.extend(games(folder)?);
    }
    Ok(sections)
}

/// The folders of analyses of this game.
fn tables_of<'a>(tables: &Tables<'a>) -> impl Iterator<Item = &'a Folder> {
    let is_analysis =
        |run: &Run| matches!(&run.request, studies::Request::Analyse(request) if request.game == tables.game);
    tables.folders.iter().copied().filter(move |folder| folder.run.as_ref().is_some_and(is_analysis))
}

/// The first games of an analysis, decision by decision.
fn games(folder: &Folder) -> Result<Option<Section>, ReportError> {
    let read = |form: TableForm| {
        let path = folder.path.join(form.file);
        Table::read(&path, ROWS).map_err(|error| ReportError::wrong(&path, &error))
    };
    let (decisions, lucks, balance) = (read(DECISIONS)?, read(LUCKS)?, read(BALANCE)?);
    let text = |table: &Table, row: &[String], name: &str| {
        table.column(name).map_or_else(String::new, |place| row[place].clone())
    };
    let number = |table: &Table, row: &[String], name: &str| text(table, row, name).parse().unwrap_or(0.0);
    let unit = match folder.run.as_ref().map(|run| &run.request) {
        Some(studies::Request::Analyse(Request { measure: Some(Measure::Score), .. })) => Unit::Plain,
        _ => Unit::Share,
    };
    let mut indices: Vec<String> = balance.rows.iter().map(|row| text(&balance, row, "index")).collect();
    indices.dedup();
    let (mut figures, mut tables) = (Vec::new(), Vec::new());
    for index in indices.iter().take(GAMES) {
        let of = |table: &Table, row: &&Vec<String>| text(table, row, "index") == *index;
        let made: Vec<&Vec<String>> = decisions.rows.iter().filter(|row| of(&decisions, row)).collect();
        let ends: Vec<&Vec<String>> = balance.rows.iter().filter(|row| of(&balance, row)).collect();
        if made.is_empty() {
            continue;
        }
        let mut series = Vec::new();
        for end in &ends {
            let seat = text(&balance, end, "seat");
            let own = made.iter().filter(|row| text(&decisions, row, "seat") == seat);
            // Up to the half is what the decision was worth, from there on luck.
            let steps = |row: &&Vec<String>| {
                let [place, before, gain] =
                    ["number", "before", "gain"].map(|name| number(&decisions, row, name));
                [(place, before), (place + 0.5, before + gain)]
            };
            let mut points: Vec<(f64, f64)> = own.flat_map(steps).collect();
            points.push((made.len() as f64 + 1.0, number(&balance, end, "result")));
            series.push(Series { label: format!("seat {seat}, {}", text(&balance, end, "agent")), points });
        }
        let title = format!("Game {index}: the value before and after every decision, and the result");
        let svg = charts::lines(&series, &[], ("decision", unit), &title)?;
        let legend = series.into_iter().map(|series| series.label).collect();
        figures.push(Figure { title, svg, legend });
        let rows = made.iter().map(|row| {
            let cell = |name: &str| text(&decisions, row, name);
            let value = |name: &str| unit.text(number(&decisions, row, name));
            let same = |other: &&Vec<String>| {
                ["index", "number", "seat"].iter().all(|key| text(&lucks, other, key) == cell(key))
            };
            let luck = lucks.rows.iter().find(same);
            let [chance, luck] = match luck {
                Some(row) => [text(&lucks, row, "chance"), unit.text(number(&lucks, row, "luck"))],
                None => [String::new(), String::new()],
            };
            let better = if cell("best") == cell("played") { String::new() } else { cell("best") };
            let loss = if better.is_empty() { String::new() } else { value("regret") };
            let position = board::line(&Board::read(cell("view").as_bytes()), Suits::Symbols);
            let grade = cell("grade").replace('_', " ");
            vec![
                cell("number"),
                cell("agent"),
                value("before"),
                cell("played"),
                better,
                loss,
                grade,
                luck,
                chance,
                position,
            ]
        });
        let columns =
            ["", "agent", "value", "played", "better", "loses", "grade", "luck after", "chance", "position"];
        tables.push(Shown::new(format!("Game {index}, decision by decision"), &columns, rows.collect()));
    }
    let note = "The values are those of the player who decides; the worlds of one decision are not those of the next.";
    let title = format!("Games of {}", folder.name);
    Ok(Some(Section { title, rank: Rank::Detail, note, figures, tables }))
}
