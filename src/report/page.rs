//! The frame of a page as HTML: head, findings, sections, and at its end the runs with their commands.

use super::charts;
use super::findings;
use super::folder::{Folder, Run};
use super::notes;
use super::parts::{Figure, ShownTable};
use super::repeat::Asked;
use super::walkthrough::Walkthrough;
use crate::numbers::Unit;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Nothing may be fetched and nothing may run, whatever a folder holds.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// A part of the page.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub title: String,
    pub rank: Rank,
    /// What one should know to read it.
    pub note: &'static str,
    /// What stands on top of the page: sentences with names between backticks.
    pub findings: Vec<String>,
    pub figures: Vec<Figure>,
    pub tables: Vec<ShownTable>,
    /// Games to step through.
    pub walkthroughs: Vec<Walkthrough>,
}

/// Where a section stands among those of a game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// How well players do.
    #[default]
    Strength,
    /// What they do, and what the deals allow.
    Detail,
}

/// So many notes of a kind are open.
const OPEN: usize = 6;

/// Notes. Of a hundred parts a reader wants to see that there are, and not all at once.
fn told(notes: &[String]) -> Markup {
    let (open, rest) = notes.split_at(notes.len().min(OPEN));
    html! {
        @for note in open { p { (findings::inline(note)) } }
        @if !rest.is_empty() {
            details { summary { (rest.len()) " more of these notes" } @for note in rest { p { (findings::inline(note)) } } }
        }
    }
}

/// The page as HTML; `asked` is what was asked of each of the runs.
pub(super) fn render(
    games: &[&str],
    folders: &[Folder],
    runs: &[(&Folder, &Run)],
    asked: &[Asked],
    shown: &[Section],
) -> String {
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
                    @for sentence in notes::rules(games, runs, asked) { p { (findings::inline(&sentence)) } }
                    nav aria-label="Sections" {
                        ul {
                            @if !findings.is_empty() { li { a href="#findings" { "Findings" } } }
                            @for (i, section) in shown.iter().enumerate() { li { a href={ "#s" (i) } { (section.title) } } }
                            li { a href="#runs" { "What was run" } }
                        }
                    }
                }
                main {
                    (told(&notes::incomplete(runs)))
                    (told(&notes::left_out(folders)))
                    (told(&notes::faults(folders, games)))
                    (told(&notes::changing(runs)))
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
                            pre { code { @for asked in asked { (asked.command) "\n" } } }
                        }
                        (ShownTable { folded: true, ..runs_table(runs, asked) }.render())
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
            div.figures { @for figure in &section.figures { (figure.render()) } }
            @for walkthrough in &section.walkthroughs { (walkthrough.render()) }
            @for shown in &section.tables { (shown.render()) }
        }
    }
}

fn runs_table(runs: &[(&Folder, &Run)], asked: &[Asked]) -> ShownTable {
    let row = |((folder, run), asked): (&(&Folder, &Run), &Asked)| {
        let (manifest, timing) = (&run.manifest, &run.manifest.timing);
        let is_whole = !manifest.partial && manifest.plan.shard.is_none();
        let of = if is_whole { String::new() } else { format!(" of {}", manifest.plan.size()) };
        vec![
            folder.name.clone(),
            manifest.plan.game().to_owned(),
            asked.players.clone(),
            format!("{}{of}", manifest.finished),
            manifest.plan.seed().to_string(),
            if asked.rules.is_empty() { "the defaults".to_owned() } else { asked.rules.join(", ") },
            Unit::Plain.text(timing.seconds),
            Unit::Plain.text(timing.mean_threads()),
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
    ShownTable::new("Runs", &columns, runs.iter().zip(asked).map(row).collect())
}
