//! What decisions cost and what was luck.

use super::over_rules::Quantity;
use super::{Kind, Tables, unit, walkthroughs};
use crate::numbers::Unit;
use crate::play::Measure;
use crate::report::ReportError;
use crate::report::estimate::Estimate;
use crate::report::findings::{self, Verb};
use crate::report::folder::{Folder, Run};
use crate::report::label::Label;
use crate::report::page::{Rank, Section};
use crate::report::parts::{Figure, ShownTable};
use crate::report::repeat::{Asked, Line, labels as players};
use crate::report::rows::{Row, groups, labels};
use crate::studies;
use crate::studies::analyse::Request;
use crate::studies::analyse::tables::{ANALYSIS, ERRORS};
use crate::text::file_word;

/// What decisions cost.
const REGRET: [&str; 3] = ["regret", "regret_low", "regret_high"];

pub(super) const KIND: Kind = Kind { files: &[ANALYSIS.file, ERRORS.file], sections };

/// What was asked.
pub(super) fn asked(request: &Request, line: Line<'_>) -> Asked {
    let Request { agents, n, seed, transcripts, .. } = request;
    match transcripts {
        Some(transcripts) => {
            let line = transcripts.files.iter().fold(line, |line, file| line.word(file_word(file)));
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
    let judge = judge.as_ref().map(|judge| line.spelled(judge));
    line.maybe("--judge", judge)
        .maybe("--worlds", *worlds)
        .maybe("--moves", *moves)
        .maybe("--measure", measure.map(Measure::name))
}

fn sections(all: &Tables<'_>) -> Result<Vec<Section>, ReportError> {
    let rows = all.rows(ANALYSIS.file);
    let (mut figures, mut findings) = (Vec::new(), Vec::new());
    let measures: Vec<String> = rows.iter().map(|row| row.text("measure").to_owned()).collect();
    for (measure, rows) in groups(&rows, &measures) {
        let unit = unit(&measure);
        let names = labels(&rows, &["agent"], &["seat", "judge"]);
        let mut lost = Estimate::all(&names, &rows, REGRET);
        lost.sort_by(|a, b| b.value.total_cmp(&a.value));
        findings.extend(lost.iter().map(|lost| {
            let (much, name) = (findings::in_results(lost, unit), findings::called(&lost.label));
            match lost.ends {
                Some((low, _)) if low > 0.0 => format!("{name} loses {much} a game by decisions."),
                Some(_) => format!("{name}: no loss by decisions is shown, {much} a game."),
                None if lost.value > 0.0 => {
                    format!("{name} has lost {much} a game by decisions, without an interval to tell more.")
                }
                None => format!("{name}: no loss by decisions is seen, {much} a game."),
            }
        }));
        for (title, columns) in [
            (format!("Lost by decisions, {} a game", counted(unit)), REGRET),
            (
                format!("Results without luck, {}", counted(unit)),
                ["adjusted", "adjusted_low", "adjusted_high"],
            ),
        ] {
            let quantity = Quantity { title: &title, columns, verb: Verb::of(unit), mark: None };
            let (drawn, _) = quantity.over_rules(&names, &rows)?;
            figures.extend(drawn);
        }
    }
    let errors = all.rows(ERRORS.file);
    for (agent, rows) in groups(&errors, &labels(&errors, &["agent"], &["judge", "measure"])) {
        let unit = unit(rows[0].text("measure"));
        // The rules and the like stand in the title.
        let name = |row: &Row<'_>| Label {
            names: ["phase", "kind"].map(|column| row.text(column).to_owned()).into(),
            ..Label::default()
        };
        let names: Vec<Label> = rows.iter().map(name).collect();
        let estimates = Estimate::all(&names, &rows, REGRET);
        let (name, apart) = (agent.names.join(", "), agent.in_brackets());
        let title = format!("Where {name}{apart} loses, {} a game", counted(unit));
        figures.extend(Figure::intervals(&title, &estimates, unit, None)?);
    }
    let note = "What is lost against the best move that the judge found, by fair means; the result of a game is its value at the \
                deal, luck, and what decisions were worth.";
    let tables = [ShownTable::raw("Balance", &rows), ShownTable::raw("Decisions by kind", &errors)]
        .into_iter()
        .flatten();
    let title = "Decisions and luck".to_owned();
    let findings = findings::limited(findings);
    let tables = tables.collect();
    let mut sections =
        vec![Section { title, rank: Rank::Detail, note, findings, figures, tables, ..Section::default() }];
    for (place, folder) in analyses(all).enumerate() {
        sections.extend(walkthroughs::section(
            folder,
            &format!("{}{place}", all.game.replace(|c: char| !c.is_ascii_alphanumeric(), "")),
        )?);
    }
    Ok(sections)
}

/// What is counted in this unit.
fn counted(unit: Unit) -> &'static str {
    match unit {
        Unit::Share => "% of a win",
        Unit::Plain => "points",
    }
}

/// The folders of analyses of this game.
fn analyses<'a>(tables: &Tables<'a>) -> impl Iterator<Item = &'a Folder> {
    let is_analysis =
        |run: &Run| matches!(&run.request, studies::Request::Analyse(request) if request.game == tables.game);
    tables.folders.iter().copied().filter(move |folder| folder.run.as_ref().is_some_and(is_analysis))
}
