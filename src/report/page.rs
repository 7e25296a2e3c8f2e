//! The page itself.

use super::charts;
use super::folder::Folder;
use super::number::Unit;
use super::repeat;
use super::sections::{Figure, Section, Shown};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

/// Nothing may be fetched and nothing may run, whatever a folder holds.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The page.
pub(super) fn render(games: &[String], folders: &[Folder], runs: &[&Folder], sections: &[Section]) -> String {
    let names: Vec<&str> = folders.iter().map(|folder| folder.name.as_str()).collect();
    let title = format!(
        "{}: {}",
        if games.is_empty() { "knave".to_owned() } else { games.join(", ") },
        names.join(", ")
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "knave " (env!("CARGO_PKG_VERSION")) };
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(include_str!("page.css"))) (PreEscaped(charts::style_sheet())) }
            }
            body {
                header {
                    h1 { (games.join(", ")) }
                    p { @for (i, name) in names.iter().enumerate() { @if i > 0 { ", " } code { (name) } } }
                    nav aria-label="Sections" {
                        ul {
                            li { a href="#runs" { "What was run" } }
                            @for (i, section) in sections.iter().enumerate() { li { a href={ "#s" (i) } { (section.title) } } }
                        }
                    }
                }
                main {
                    section id="runs" {
                        h2 { "What was run, and how to have it again" }
                        (table(&runs_table(runs)))
                        pre { code { @for run in runs { (repeat::command(&run.manifest)) "\n" } } }
                    }
                    @for (i, section) in sections.iter().enumerate() { (part(i, section)) }
                }
                footer { "Made by " code { "sim report" } ", knave " (env!("CARGO_PKG_VERSION")) ". All of the page is in this one file." }
            }
        }
    };
    page.into_string()
}

fn part(i: usize, section: &Section) -> Markup {
    html! {
        section id={ "s" (i) } {
            h2 { (section.title) }
            @if !section.note.is_empty() { p { (section.note) } }
            div.figures { @for figure in &section.figures { (chart(figure)) } }
            @for shown in &section.tables { (table(shown)) }
        }
    }
}

fn chart(figure: &Figure) -> Markup {
    html! {
        figure {
            figcaption { (figure.title) }
            @if figure.legend.len() > 1 {
                ul.legend {
                    @for (i, name) in figure.legend.iter().enumerate() { li { span class={ "swatch series" (i) } {} (name) } }
                }
            }
            (PreEscaped(&figure.svg))
        }
    }
}

fn table(shown: &Shown) -> Markup {
    let rows = shown.rows.len() as u64;
    let all = rows + shown.more;
    html! {
        details open[!shown.folded] {
            summary { (shown.title) " (" (all) @if all == 1 { " row" } @else { " rows" } @if shown.more > 0 { ", of which the first " (rows) } ")" }
            div.wide tabindex="0" role="region" aria-label=(shown.title) {
                table {
                    thead { tr { @for column in &shown.columns { th scope="col" { (column) } } } }
                    tbody {
                        @for row in &shown.rows {
                            tr { @for cell in row { td.number[is_number(cell)] { (cell) } } }
                        }
                    }
                }
            }
        }
    }
}

fn is_number(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit() || "-+\u{2212}".contains(c))
}

fn runs_table(runs: &[&Folder]) -> Shown {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    let row = |run: &&Folder| {
        let manifest = &run.manifest;
        let plan = &manifest["plan"];
        let mut agents: Vec<String> =
            plan["agents"].as_array().into_iter().flatten().map(|agent| text(&agent["label"])).collect();
        agents.dedup();
        let agents = match plan["solve"]["objective"].as_str() {
            Some(objective) => format!("exact answers: {objective}"),
            None => agents.join(", "),
        };
        let game = run.game().unwrap_or_default();
        let rules: Vec<String> = repeat::changed_rules(game, &plan["rules"])
            .into_iter()
            .map(|(name, value)| format!("{name}={}", text(value)))
            .collect();
        let partial = if manifest["partial"].as_bool() == Some(true) {
            format!(" of {}", plan["games"])
        } else {
            String::new()
        };
        let timing = &manifest["timing"];
        let seconds =
            timing["seconds"].as_f64().map_or_else(String::new, |seconds| Unit::Plain.text(seconds));
        let build = format!("{} {}", text(&manifest["version"]), text(&manifest["commit"]));
        vec![
            run.name.clone(),
            game.to_owned(),
            agents,
            format!("{}{partial}", manifest["finished"]),
            plan["seed"].to_string(),
            if rules.is_empty() { "the defaults".to_owned() } else { rules.join(", ") },
            seconds,
            timing["threads"].to_string(),
            text(&timing["started"]),
            build.trim().to_owned(),
        ]
    };
    let columns =
        ["folder", "game", "agents", "games", "seed", "rules", "seconds", "threads", "started", "version"];
    Shown::new("Runs", &columns, runs.iter().map(row).collect())
}
