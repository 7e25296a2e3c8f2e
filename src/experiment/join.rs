//! The tables of all cells of a study, joined, with the settings of the cell before each row.

use super::file::Cell;
use super::manifest;
use crate::store::names;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Joins the tables, those of `chosen` or all, and returns the names of the files.
pub fn join(out: &Path, cells: &[(&Cell, &Path)], chosen: Option<&[String]>) -> anyhow::Result<Vec<String>> {
    let rules: BTreeSet<&String> = cells.iter().flat_map(|(cell, _)| cell.rules.keys()).collect();
    let mut settings: Vec<String> = ["cell", "seed", "n"].map(ToOwned::to_owned).to_vec();
    settings.extend(rules.iter().map(|rule| format!("rule_{rule}")));
    let of = |cell: &Cell| -> Vec<String> {
        let mut cells = vec![cell.name.clone(), cell.seed.to_string(), cell.n.to_string()];
        cells.extend(rules.iter().map(|&rule| cell.rules.get(rule).cloned().unwrap_or_default()));
        cells
    };

    // Files in the order in which cells first have them.
    let mut order: Vec<String> = Vec::new();
    let mut joined: BTreeMap<String, csv::Writer<Vec<u8>>> = BTreeMap::new();
    let mut headers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = csv::Writer::from_writer(Vec::new());
    let more = ["command", "game", "agents", "finished", "partial", "seconds", "games_per_second", "threads"]
        .map(ToOwned::to_owned);
    list.write_record(settings.iter().chain(&more))?;
    for &(cell, folder) in cells {
        let Some(manifest) = manifest(folder) else {
            continue;
        };
        let timing = &manifest.timing;
        let speed = timing.games_per_second.map_or_else(String::new, |speed| format!("{speed:.3}"));
        list.write_record(of(cell).into_iter().chain([
            cell.command.clone(),
            manifest.plan.game.clone(),
            cell.agents.join(" "),
            manifest.finished.to_string(),
            u8::from(manifest.partial).to_string(),
            format!("{:.3}", timing.seconds),
            speed,
            timing.threads.to_string(),
        ]))?;
        let tables = manifest.files.iter().filter(|name| name.ends_with(".csv"));
        // Tables with a row for each index stay where they are.
        let long = |name: &String| [names::GAMES, names::SOLUTIONS].contains(&name.as_str());
        let joins = |name: &String| chosen.map_or(!long(name), |chosen| chosen.contains(name));
        for name in tables.filter(|name| joins(name)) {
            let mut reader = csv::Reader::from_path(folder.join(name))?;
            let header: Vec<String> = reader.headers()?.iter().map(ToOwned::to_owned).collect();
            if !joined.contains_key(name) {
                let mut writer = csv::Writer::from_writer(Vec::new());
                writer.write_record(settings.iter().chain(&header))?;
                joined.insert(name.clone(), writer);
                headers.insert(name.clone(), header.clone());
                order.push(name.clone());
            }
            anyhow::ensure!(headers.get(name) == Some(&header), "{name} of {} has other columns", cell.name);
            if let Some(writer) = joined.get_mut(name) {
                for row in reader.records() {
                    let row: Vec<String> = row?.iter().map(ToOwned::to_owned).collect();
                    writer.write_record(of(cell).iter().chain(&row))?;
                }
            }
        }
    }
    fs::write(out.join(names::CELLS), list.into_inner()?)?;
    for (name, writer) in joined {
        fs::write(out.join(name), writer.into_inner()?)?;
    }
    order.insert(0, names::CELLS.to_owned());
    Ok(order)
}
