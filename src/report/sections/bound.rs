//! Bounds on fair play, beside a fair player and the clairvoyant.

use super::over_rules::Quantity;
use super::{Kind, Tables};
use crate::numbers::Unit;
use crate::report::ReportError;
use crate::report::findings::{self, Verb};
use crate::report::label::Label;
use crate::report::page::{Rank, Section};
use crate::report::parts::ShownTable;
use crate::report::repeat::{Asked, Line, labels as players};
use crate::report::rows::{Row, groups, labels};
use crate::studies::bound::Request;
use crate::studies::bound::tables::BOUND;
use std::collections::BTreeMap;

pub(super) const KIND: Kind = Kind { files: &[BOUND.file], sections };

/// What was asked.
pub(super) fn asked(request: &Request, line: Line<'_>) -> Asked {
    let Request { game: _, rules: _, cards, agents, n, seed } = request;
    line.cards(cards.as_ref())
        .agents(agents)
        .option("-n", n)
        .option("--seed", seed)
        .rules()
        .end(players(agents), None)
}

fn sections(tables: &Tables<'_>) -> Result<Vec<Section>, ReportError> {
    let rows = tables.rows(BOUND.file);
    let (mut figures, mut findings) = (Vec::new(), Vec::new());
    let quantities: Vec<String> = rows.iter().map(|row| row.text("quantity").to_owned()).collect();
    for (quantity, rows) in groups(&rows, &quantities) {
        let unit = if quantity.starts_with("win") { Unit::Share } else { Unit::Plain };
        let values: Vec<Row<'_>> = rows.into_iter().filter(|row| row.text("measure") != "gap").collect();
        let title = format!("What can be reached: {quantity}");
        let names = labels(&values, &["measure", "agent"], &[]);
        let columns = ["mean", "low", "high"];
        let verb = Verb::of(unit);
        let quantity = Quantity { title: &title, columns, verb, mark: None };
        let (drawn, _) = quantity.over_rules(&names, &values)?;
        figures.extend(drawn);
        let fair: Vec<Row<'_>> = values.iter().filter(|row| row.text("measure") == "fair").copied().collect();
        let labels: BTreeMap<String, Label> =
            runs(&fair).into_iter().zip(labels(&fair, &["agent"], &[])).collect();
        for (run, rows) in groups(&values, &runs(&values)) {
            let of = |measure| findings::found(&rows, ("measure", measure), columns);
            let (Some(bound), Some(fair)) = (of("bound"), of("fair")) else { continue };
            let clairvoyant = of("clairvoyant").map_or_else(String::new, |known| {
                format!("; with every card known it would be {}", known.text(unit))
            });
            let reached = fair.text(unit);
            let (does, player) = (verb.does, findings::called(&fair.label));
            let rules = labels.get(&run).map_or_else(String::new, Label::in_brackets);
            // Of a bound, what holds is the upper end, with the confidence of its interval. Nobody wins more than all games.
            let is_limit = |high: &str| unit == Unit::Plain || !high.starts_with("100");
            let (most, shown) = match bound.up_to(unit) {
                Some([high, shown]) if is_limit(&high) => (
                    format!("No fair player {does} more than {high} on average, by an interval of 95 %"),
                    shown,
                ),
                Some([_, shown]) => ("These deals show no limit of fair play".to_owned(), shown),
                None => ("There are too few deals to tell a limit of fair play".to_owned(), bound.text(unit)),
            };
            findings.push(format!(
                "{most}{rules}: the bound is {shown}; {player} {does} {reached}{clairvoyant}."
            ));
        }
    }
    let note =
        "No fair player can do better than the bound in expectation; the clairvoyant knows every card.";
    let tables = ShownTable::raw("Bounds", &rows).into_iter().collect();
    let title = "Bounds on fair play".to_owned();
    let findings = findings::limited(findings);
    Ok(vec![Section { title, rank: Rank::Detail, note, findings, figures, tables, ..Section::default() }])
}

/// The run of each row.
fn runs(rows: &[Row<'_>]) -> Vec<String> {
    rows.iter().map(|row| row.folder.path.join(row.text("cell")).display().to_string()).collect()
}
