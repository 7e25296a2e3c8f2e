//! Sections of a page: charts and tables, made from the tables of all folders by the kind of study that writes them.
//!
//! A kind is a file here, a line in [`KINDS`] and an arm in [`asked`].

mod analyse;
mod bound;
mod compare;
mod courses;
mod placements;
mod run;
mod solve;

use super::ReportError;
use super::charts::{self, Base, Series};
use super::course::Course;
use super::estimate::{Estimate, in_words};
use super::findings::{self, Verb};
use super::folder::{Folder, Run};
use super::repeat::{Asked, Line};
use super::rows::{self, Row};
use crate::numbers::Unit;
use crate::registry::Registry;
use crate::store::Table;
use crate::studies::Request;
use std::collections::BTreeSet;

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
    pub tables: Vec<Shown>,
    /// Games to step through.
    pub courses: Vec<Course>,
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

/// A chart.
#[derive(Debug)]
pub(super) struct Figure {
    pub title: String,
    pub svg: String,
    /// The names of the series, if there are several.
    pub legend: Vec<String>,
}

/// A table as it is shown.
#[derive(Debug)]
pub(super) struct Shown {
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Rows that are not shown.
    pub more: u64,
    /// Whether a reader has to ask for it.
    pub folded: bool,
}

/// More rows of a table are not shown.
const MOST: usize = 400;
/// A table with more rows waits until a reader asks for it.
const LONG: usize = 14;
/// More lines make one chart too long.
const LINES: usize = 30;

impl Figure {
    /// A chart of one series, with its title.
    fn new(title: impl Into<String>, svg: String) -> Self {
        Self { title: title.into(), svg, legend: Vec::new() }
    }

    /// Charts of intervals, beside the value `mark` if there is one.
    fn intervals(
        title: &str,
        estimates: &[Estimate],
        unit: Unit,
        mark: Option<f64>,
    ) -> Result<Vec<Self>, ReportError> {
        let chart = |lines: &[Estimate]| {
            let alt = format!("{title}. {}", in_words(lines, unit));
            Ok(Self::new(title, charts::intervals(lines, unit, mark, &alt)?))
        };
        estimates.chunks(LINES).map(chart).collect()
    }
}

/// Rows over an option of the rules with numbers.
struct Swept<'a> {
    /// The column of the option.
    option: &'a str,
    /// The line of each row.
    lines: Vec<String>,
}

impl<'a> Swept<'a> {
    /// The option in which rows have the most values, and lines for whatever else tells them apart: the first of the columns `always`, the
    /// others where they differ, other options, and the seed or the folder where two rows of a line would stand at the same value. None where lines would have fewer than three
    /// points on average.
    fn of(rows: &[Row<'a>], always: &[&str]) -> Option<Self> {
        let values = |column: &str| -> Option<usize> {
            let numbers: Option<Vec<f64>> = rows.iter().map(|row| row.number(column)).collect();
            let mut numbers = numbers?;
            numbers.sort_by(f64::total_cmp);
            numbers.dedup();
            (numbers.len() > 2).then_some(numbers.len())
        };
        let differs = |column: &&str| rows.iter().any(|row| row.text(column) != rows[0].text(column));
        let rules = rows.first()?.columns().filter(|column| column.starts_with("rule_")).filter(differs);
        let rules: Vec<&str> = rules.collect();
        let counted = rules.iter().filter_map(|&column| Some((values(column)?, column)));
        let (_, option) = counted.rev().max_by_key(|(count, _)| *count)?;
        let name = |row: &Row<'_>| {
            let fixed = always.iter().enumerate().filter(|(place, column)| *place == 0 || differs(column));
            let fixed = fixed.map(|(_, column)| rows::named(column, row.text(column)));
            let others = rules.iter().filter(|&&rule| rule != option && !row.text(rule).is_empty());
            let others =
                others.map(|rule| format!("{}={}", rule.trim_start_matches("rule_"), row.text(rule)));
            fixed.chain(others).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
        };
        let mut lines: Vec<String> = rows.iter().map(name).collect();
        let further: [&dyn Fn(&Row<'_>) -> String; 2] =
            [&|row| format!("seed {}", row.origin().seed()), &|row| row.folder.name.clone()];
        for text in further {
            let mut seen = BTreeSet::new();
            if lines.iter().zip(rows).all(|(line, row)| seen.insert((line.as_str(), row.text(option)))) {
                break;
            }
            lines.iter_mut().zip(rows).for_each(|(line, row)| *line += &format!(" · {}", text(row)));
        }
        let count = lines.iter().collect::<BTreeSet<_>>().len();
        (rows.len() >= 3 * count).then_some(Self { option, lines })
    }
}

/// A quantity that rows tell, with its interval.
struct Quantity<'a> {
    title: &'a str,
    /// Its columns: value, lower end, upper end.
    columns: [&'a str; 3],
    verb: Verb,
    /// A value to compare with.
    mark: Option<f64>,
}

impl Figure {
    /// Charts over the option of the rules in which the rows differ, with a line and its band for each of the columns `always`, and the
    /// sentences about them; intervals one under the other where there is no such option.
    fn over_rules(
        &Quantity { title, columns, verb, mark }: &Quantity<'_>,
        (labels, always): (&[String], &[&str]),
        rows: &[Row<'_>],
    ) -> Result<(Vec<Self>, Vec<String>), ReportError> {
        let unit = verb.unit;
        let Some(Swept { option, lines: names }) = Swept::of(rows, always) else {
            let estimate = |(label, row): (&String, &Row<'_>)| {
                let others = rows::others(row, rows);
                Some(Estimate { others, ..Estimate::of(label, row, columns)? })
            };
            let estimates: Vec<Estimate> = labels.iter().zip(rows).filter_map(estimate).collect();
            let figures = Self::intervals(title, &estimates, unit, mark)?;
            return Ok((figures, findings::strengths(&estimates, verb)));
        };
        let named = option.trim_start_matches("rule_");
        let (mut lines, mut words, mut told) = (Vec::new(), Vec::new(), Vec::new());
        for (label, rows) in rows::groups(rows, &names) {
            let at = |row: &Row<'_>| Some((row.number(option)?, Estimate::of("", row, columns)?));
            let mut points: Vec<(f64, Estimate)> = rows.iter().filter_map(at).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
            let [low, high] = [first, last].map(|(at, value)| format!("{} at {at}", value.text(unit)));
            words.push(format!("{label}: {low}, {high}"));
            told.extend(findings::along(&label, named, &points, verb));
            // A band has no open side.
            let is_closed = |(low, high): &(f64, f64)| low.is_finite() && high.is_finite();
            let ends = |value: &Estimate| value.ends.filter(is_closed).unwrap_or((value.value, value.value));
            let lower = points.iter().map(|(at, value)| (*at, ends(value).0));
            let upper = points.iter().rev().map(|(at, value)| (*at, ends(value).1));
            let band: Vec<(f64, f64)> = lower.chain(upper).collect();
            let points = points.iter().map(|(at, value)| (*at, value.value)).collect();
            lines.push((Series { label, points }, band));
        }
        let title = format!("{title} by {named}");
        let chart = |lines: &[(Series, Vec<(f64, f64)>)]| {
            let (series, bands): (Vec<_>, Vec<_>) = lines.iter().cloned().unzip();
            let alt = format!("{title}. {}", words.join("; "));
            let svg = charts::lines(&series, &bands, (named, unit, Base::Data), &alt)?;
            let legend = series.into_iter().map(|series| series.label).collect();
            Ok(Self { title: title.clone(), svg, legend })
        };
        let figures = lines.chunks(charts::SERIES).map(chart).collect::<Result<_, ReportError>>()?;
        Ok((figures, findings::limited(told)))
    }
}

impl Shown {
    /// A table with these columns.
    pub fn new(title: impl Into<String>, columns: &[&str], mut rows: Vec<Vec<String>>) -> Self {
        let more = rows.len().saturating_sub(MOST) as u64;
        rows.truncate(MOST);
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { title: title.into(), columns, folded: rows.len() > LONG, rows, more }
    }

    /// The table that lies behind a chart, as it stands in its file; none without rows.
    fn raw(title: impl Into<String>, rows: &[Row<'_>]) -> Option<Self> {
        let columns: Vec<&str> = rows.first()?.columns().collect();
        let cells = rows
            .iter()
            .take(MOST)
            .map(|row| columns.iter().map(|column| row.text(column).to_owned()).collect());
        let more = rows.len().saturating_sub(MOST) as u64;
        Some(Self { folded: true, more, ..Self::new(title, &columns, cells.collect()) })
    }

    /// A table that no section knows.
    fn file(folder: &Folder, table: &Table) -> Self {
        let columns: Vec<&str> = table.columns.iter().map(String::as_str).collect();
        let shown = Self::new(format!("{} of {}", table.file, folder.name), &columns, table.rows.clone());
        Self { more: shown.more + table.more, folded: true, ..shown }
    }
}

/// The tables of all folders, as far as they are about one game.
struct Tables<'a> {
    folders: &'a [&'a Folder],
    game: &'a str,
}

impl<'a> Tables<'a> {
    /// The rows of the tables in files of this name.
    fn rows(&self, file: &str) -> Vec<Row<'a>> {
        rows::rows(self.folders, file, self.game)
    }
}

/// The games that the tables of these folders are about, as often as they name them.
pub(super) fn games<'a>(folders: &[&'a Folder]) -> impl Iterator<Item = &'a str> {
    let tables = folders.iter().flat_map(|folder| &folder.tables);
    let columns = tables.filter_map(|table| Some((table, table.column("game")?)));
    columns.flat_map(|(table, place)| table.rows.iter().map(move |row| row[place].as_str()))
}

/// All sections, game by game; then the tables that no section knows.
pub(super) fn all(games: &[&str], folders: &[&Folder]) -> Result<Vec<Section>, ReportError> {
    let mut sections = Vec::new();
    for game in games {
        let tables = Tables { folders, game };
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
    let known = |table: &Table| {
        KINDS.iter().any(|kind| kind.files.contains(&table.file.as_str())) && table.column("game").is_some()
    };
    let tables = folders.iter().flat_map(|folder| folder.tables.iter().map(move |table| (folder, table)));
    let unknown = tables.filter(|(_, table)| !known(table));
    let tables: Vec<Shown> = unknown.map(|(folder, table)| Shown::file(folder, table)).collect();
    if !tables.is_empty() {
        let note =
            "Tables that are shown as they are; of tables with a row for every game or deal, the first rows.";
        sections.push(Section { title: "Further tables".to_owned(), note, tables, ..Section::default() });
    }
    Ok(sections)
}

/// The unit of a measure of games.
fn unit(measure: &str) -> Unit {
    if ["wins", "better"].contains(&measure) { Unit::Share } else { Unit::Plain }
}
