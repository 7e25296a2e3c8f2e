//! The tables of all cells of a study, joined, with the settings of the cell before each row.

use super::file::{Cell, plain};
use crate::store::{Manifest, Table, replace};
use crate::studies::BY_INDEX;
use std::collections::BTreeSet;
use std::path::Path;

/// The cells of a study, a row each; its other tables are joined from theirs.
pub const CELLS: &str = "cells.csv";

/// Joins the tables, those of `chosen` or all, and returns the names of the files.
pub fn join(out: &Path, cells: &[(&Cell, &Path)], chosen: Option<&[String]>) -> anyhow::Result<Vec<String>> {
    let rules: BTreeSet<&String> = cells.iter().flat_map(|(cell, _)| cell.rules.keys()).collect();
    let mut settings: Vec<String> = ["cell", "seed", "n"].map(ToOwned::to_owned).to_vec();
    settings.extend(rules.iter().map(|rule| format!("rule_{rule}")));
    // What a cell does not name is at its default, which the manifest tells; empty is one that means nothing there.
    let of = |cell: &Cell, manifest: &Manifest| -> Vec<String> {
        let mut cells = vec![cell.name.clone(), cell.seed.to_string(), cell.n.to_string()];
        let all = &manifest.plan.request["rules"];
        let default = |rule: &String| all.get(rule).filter(|value| !value.is_null());
        cells.extend(
            rules
                .iter()
                .map(|&rule| cell.rules.get(rule).or_else(|| default(rule)).map(plain).unwrap_or_default()),
        );
        cells
    };

    // Tables in the order in which cells first have them.
    let mut joined: Vec<Table> = Vec::new();
    let more = ["command", "game", "agents", "finished", "partial", "seconds", "games_per_second", "threads"]
        .map(ToOwned::to_owned);
    let columns = settings.iter().chain(&more).cloned().collect();
    let mut list = Table { file: CELLS.to_owned(), columns, ..Table::default() };
    for &(cell, folder) in cells {
        let Ok(manifest) = Manifest::read(folder) else {
            continue;
        };
        let timing = &manifest.timing;
        let speed = timing.games_per_second.map_or_else(String::new, |speed| format!("{speed:.3}"));
        let row = of(cell, &manifest).into_iter().chain([
            cell.command.clone(),
            manifest.plan.game().to_owned(),
            cell.agents.join(" "),
            manifest.finished.to_string(),
            u8::from(manifest.partial).to_string(),
            format!("{:.3}", timing.seconds),
            speed,
            timing.threads.to_string(),
        ]);
        list.rows.push(row.collect());
        let tables = manifest.files.iter().filter(|name| name.ends_with(".csv"));
        // Tables with a row for each index stay where they are.
        let long = |name: &String| BY_INDEX.contains(&name.as_str());
        let joins = |name: &String| chosen.map_or(!long(name), |chosen| chosen.contains(name));
        for name in tables.filter(|name| joins(name)) {
            let table = Table::read(&folder.join(name), usize::MAX)?;
            let columns: Vec<String> = settings.iter().chain(&table.columns).cloned().collect();
            let place = joined.iter().position(|other| other.file == *name).unwrap_or_else(|| {
                joined.push(Table { file: name.clone(), columns: columns.clone(), ..Table::default() });
                joined.len() - 1
            });
            anyhow::ensure!(joined[place].columns == columns, "{name} of {} has other columns", cell.name);
            joined[place].rows.extend(
                table.rows.into_iter().map(|row| of(cell, &manifest).into_iter().chain(row).collect()),
            );
        }
    }
    joined.insert(0, list);
    for table in &joined {
        replace(&out.join(&table.file), &table.csv()?)?;
    }
    Ok(joined.into_iter().map(|table| table.file).collect())
}
