//! Sections of a page: charts and tables, made from the tables of all folders by the kind of study that writes them.
//!
//! A kind is a file here, a line in [`KINDS`] and an arm in [`asked`].

mod analyse;
mod bound;
mod compare;
mod distribution;
mod over_rules;
mod placements;
mod run;
mod solve;
mod tally;
mod walkthroughs;

use super::ReportError;
use super::folder::{Folder, Run, Setting};
use super::page::Section;
use super::parts::ShownTable;
use super::repeat::{Asked, Line};
use super::rows::{self, Row};
use crate::games::TallyMeasure;
use crate::numbers::Unit;
use crate::play::Measure;
use crate::registry::{AnyGame, Registry};
use crate::store::Table;
use crate::studies::Request;
use crate::studies::faults::FAULTS;

/// How pages show a kind of study.
struct Kind {
    /// The files of the tables that its sections show.
    files: &'static [&'static str],
    /// Its sections about a game; those without charts and tables are left out.
    sections: fn(&Tables<'_>) -> Result<Vec<Section>, ReportError>,
}

const KINDS: [Kind; 5] = [run::KIND, compare::KIND, bound::KIND, solve::KIND, analyse::KIND];

/// What was asked of a run.
pub(super) fn asked(registry: &Registry, run: &Run) -> Asked {
    let line = Line::new(registry, &run.manifest);
    match &run.request {
        Request::Run(request) => run::asked(request, line),
        Request::Compare(request) => compare::asked(request, line),
        Request::Solve(request) => solve::asked(request, line),
        Request::Bound(request) => bound::asked(request, line),
        Request::Analyse(request) => analyse::asked(request, line),
    }
}

/// The tables of all folders, as far as they are about one game.
struct Tables<'a> {
    folders: &'a [&'a Folder],
    game: &'a str,
    /// The settings that all runs of the game on the page share.
    shared: &'a [Setting],
    /// The game, if it is registered.
    known: Option<&'a dyn AnyGame>,
    /// What the game counts of the play; empty for a game that is not registered.
    measures: &'static [TallyMeasure],
    /// What the game is about, where it says so.
    about: Option<Measure>,
}

impl<'a> Tables<'a> {
    /// The rows of the tables in files of this name.
    fn rows(&self, file: &str) -> Vec<Row<'a>> {
        rows::rows(self.folders, file, self.game, self.shared)
    }

    /// Whether players win together by the rules of this run.
    fn has_teams(&self, run: &Run) -> bool {
        let rules = run.manifest.plan.rules().map(|(name, value)| (name.to_owned(), value.clone())).collect();
        self.known.is_some_and(|game| game.has_teams(&rules).unwrap_or(false))
    }
}

/// The games that the tables of these folders are about, as often as they name them.
pub(super) fn games<'a>(folders: &[&'a Folder]) -> impl Iterator<Item = &'a str> {
    let tables = folders.iter().flat_map(|folder| &folder.tables);
    let columns = tables.filter_map(|table| Some((table, table.column("game")?)));
    let named = columns.flat_map(|(table, place)| table.rows.iter().map(move |row| row[place].as_str()));
    named.filter(|game| !game.is_empty())
}

/// All sections, game by game; then the tables that no section knows.
pub(super) fn all(
    registry: &Registry,
    games: &[&str],
    folders: &[&Folder],
    runs: &[(&Folder, &Run)],
) -> Result<Vec<Section>, ReportError> {
    let mut sections = Vec::new();
    for game in games {
        let known = registry.game(game).ok();
        let measures = known.map_or(&[][..], |game| game.measures());
        let about = known.and_then(AnyGame::measure);
        let shared = &rows::shared(folders, runs, game);
        let tables = Tables { folders, game, shared, known, measures, about };
        let found = KINDS.iter().map(|kind| (kind.sections)(&tables)).collect::<Result<Vec<_>, _>>()?;
        let mut found: Vec<Section> = found.into_iter().flatten().collect();
        found.retain(|section| !section.figures.is_empty() || !section.tables.is_empty());
        found.sort_by_key(|section| section.rank);
        if games.len() > 1 {
            for section in &mut found {
                section.title = format!("{game}: {}", section.title);
                section.findings.iter_mut().for_each(|finding| *finding = format!("{game}: {finding}"));
            }
        }
        sections.extend(found);
    }
    // Where there were no faults their table says nothing.
    let is_empty = |table: &Table| table.file == FAULTS.file && table.rows.is_empty();
    let known = |table: &Table| {
        KINDS.iter().any(|kind| kind.files.contains(&table.file.as_str())) && table.column("game").is_some()
    };
    let tables = folders.iter().flat_map(|folder| folder.tables.iter().map(move |table| (folder, table)));
    let unknown = tables.filter(|(_, table)| !known(table) && !is_empty(table));
    let tables: Vec<ShownTable> = unknown.map(|(folder, table)| ShownTable::file(folder, table)).collect();
    if !tables.is_empty() {
        let note =
            "Tables that are shown as they are; of tables with a row for every game or deal, the first rows.";
        sections.push(Section { title: "Further tables".to_owned(), note, tables, ..Section::default() });
    }
    Ok(sections)
}

/// What has the highest value, if nothing else has the same.
fn highest<T>(values: impl IntoIterator<Item = (T, f64)>) -> Option<(T, f64)> {
    let (mut highest, mut is_shared) = (None, false);
    for (of, value) in values {
        match &highest {
            Some((_, most)) if value < *most => {}
            Some((_, most)) if value == *most => is_shared = true,
            _ => (highest, is_shared) = (Some((of, value)), false),
        }
    }
    highest.filter(|_| !is_shared)
}

/// The unit of a measure of games.
fn unit(measure: &str) -> Unit {
    if ["wins", "better"].contains(&measure) { Unit::Share } else { Unit::Plain }
}
