//! The frame of a page as HTML: head, findings, sections, and at its end the runs with their commands.

use super::charts;
use super::findings;
use super::folder::{Folder, Run};
use super::repeat::Asked;
use super::sections::{self, Figure, Section, Shown};
use crate::numbers::Unit;
use crate::registry::Registry;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Nothing may be fetched and nothing may run, whatever a folder holds.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The page, as HTML.
pub(super) fn render(
    registry: &Registry,
    games: &[&str],
    folders: &[Folder],
    runs: &[(&Folder, &Run)],
    shown: &[Section],
) -> String {
    let asked: Vec<Asked> = runs.iter().map(|(_, run)| sections::asked(registry, run)).collect();
    let findings: Vec<&String> = shown.iter().flat_map(|section| &section.findings).collect();
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
                            @if !findings.is_empty() { li { a href="#findings" { "Findings" } } }
                            @for (i, section) in shown.iter().enumerate() { li { a href={ "#s" (i) } { (section.title) } } }
                            li { a href="#runs" { "What was run" } }
                        }
                    }
                }
                main {
                    @if !findings.is_empty() {
                        section id="findings" {
                            h2 { "Findings" }
                            ul { @for sentence in &findings { li { (findings::inline(sentence)) } } }
                            p { "In brackets: 95 % intervals." }
                        }
                    }
                    @for (i, section) in shown.iter().enumerate() { (part(i, section)) }
                    section id="runs" {
                        h2 { "What was run, and how to have it again" }
                        details {
                            summary { "Commands (" (asked.len()) ")" }
                            pre { code { @for asked in &asked { (asked.command) "\n" } } }
                        }
                        (table(&Shown { folded: true, ..runs_table(runs, &asked) }))
                    }
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
            @for course in &section.courses { (course.render()) }
            @for shown in &section.tables { (table(shown)) }
        }
    }
}

pub(super) fn chart(figure: &Figure) -> Markup {
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

pub(super) fn table(shown: &Shown) -> Markup {
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

fn runs_table(runs: &[(&Folder, &Run)], asked: &[Asked]) -> Shown {
    let row = |((folder, run), asked): (&(&Folder, &Run), &Asked)| {
        let (manifest, timing) = (&run.manifest, &run.manifest.timing);
        let partial = if manifest.partial { format!(" of {}", manifest.plan.size()) } else { String::new() };
        vec![
            folder.name.clone(),
            manifest.plan.game().to_owned(),
            asked.players.clone(),
            format!("{}{partial}", manifest.finished),
            manifest.plan.seed().to_string(),
            if asked.rules.is_empty() { "the defaults".to_owned() } else { asked.rules.join(", ") },
            Unit::Plain.text(timing.seconds),
            timing.threads.to_string(),
            timing.started.clone(),
            manifest.build(),
        ]
    };
    let columns = [
        "folder",
        "game",
        "agents",
        "games or deals",
        "seed",
        "rules",
        "seconds",
        "threads",
        "started",
        "version",
    ];
    Shown::new("Runs", &columns, runs.iter().zip(asked).map(row).collect())
}
