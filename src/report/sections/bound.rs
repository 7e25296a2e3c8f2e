//! Bounds on fair play, beside a fair player and the clairvoyant.

use super::{Figure, Kind, Rank, Section, Shown, Tables};
use crate::numbers::Unit;
use crate::report::ReportError;
use crate::report::repeat::{Asked, Line, labels as players};
use crate::report::rows::{Row, groups, labels};
use crate::studies::bound::Request;
use crate::studies::bound::tables::BOUND;

pub(super) const KIND: Kind = Kind { files: &[BOUND.file], sections };

/// What was asked.
pub(super) fn asked(request: &Request, line: Line<'_>) -> Asked {
    let Request { agents, n, seed, .. } = request;
    line.agents(agents).option("-n", n).option("--seed", seed).rules().end(players(agents), None)
}

fn sections(tables: &Tables<'_>) -> Result<Vec<Section>, ReportError> {
    let rows = tables.rows(BOUND.file);
    let mut figures = Vec::new();
    for (quantity, rows) in groups(&rows, &labels(&rows, &["quantity"], &[])) {
        let unit = if quantity.starts_with("win") { Unit::Share } else { Unit::Plain };
        let values: Vec<Row<'_>> = rows.into_iter().filter(|row| row.text("measure") != "gap").collect();
        let title = format!("What can be reached: {quantity}");
        let always = ["measure", "agent"];
        let names = labels(&values, &always, &[]);
        figures.extend(Figure::over_rules(
            &title,
            (&names, &always),
            &values,
            ["mean", "low", "high"],
            unit,
        )?);
    }
    let note =
        "No fair player can do better than the bound in expectation; the clairvoyant knows every card.";
    let tables = Shown::raw("Bounds", &rows).into_iter().collect();
    let title = "Bounds on fair play".to_owned();
    Ok(vec![Section { title, rank: Rank::Detail, note, figures, tables, ..Section::default() }])
}
