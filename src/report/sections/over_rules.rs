//! Quantities over the rules: lines where rows differ in an option with numbers, or else intervals one under the other.

use crate::report::ReportError;
use crate::report::charts::{self, Base, Plot, Series};
use crate::report::estimate::Estimate;
use crate::report::findings::{self, Verb, unquoted};
use crate::report::folder::Setting;
use crate::report::label::Label;
use crate::report::parts::Figure;
use crate::report::rows::{self, RULE, Row};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Rows over an option of the rules with numbers.
pub(super) struct Swept<'a> {
    /// The column of the option.
    pub option: &'a str,
    /// The line of each row.
    pub lines: Vec<Label>,
}

impl<'a> Swept<'a> {
    /// The option in which rows have the most values, and lines for whatever else tells them apart:
    ///
    /// - the names and columns of their labels;
    /// - other options, and the cards;
    /// - the opponents, where a line would have several sets of them;
    /// - the seed, the size or the folder, where two rows of a line would stand at the same value.
    ///
    /// None where two rows stand there all the same, or lines would have fewer than three points on average.
    pub fn of(rows: &[Row<'a>], labels: &[Label]) -> Option<Self> {
        let values = |column: &str| -> Option<usize> {
            let numbers: Option<Vec<f64>> = rows.iter().map(|row| row.number(column)).collect();
            let mut numbers = numbers?;
            numbers.sort_by(f64::total_cmp);
            numbers.dedup();
            (numbers.len() > 2).then_some(numbers.len())
        };
        let rules = rows.first()?.columns().filter(|column| column.starts_with(RULE));
        let counted = rules.filter_map(|column| Some((values(column)?, column)));
        let (_, option) = counted.min_by_key(|(count, _)| Reverse(*count))?;
        let named = option.trim_start_matches(RULE);
        let line = |(label, settings): (&Label, Vec<Cow<'_, Setting>>)| {
            let others = settings.into_iter().filter(|setting| setting.option != named);
            let settings = others.map(|setting| setting.text.clone()).collect();
            Label { settings, further: Vec::new(), ..label.clone() }
        };
        let mut lines: Vec<Label> = labels.iter().zip(rows::settings(rows)).map(line).collect();
        let opponents: Vec<String> = rows::others(rows).iter().map(opponents).collect();
        if rows::do_differ(&opponents, &lines, &vec![(); rows.len()]) {
            for (line, opponents) in lines.iter_mut().zip(opponents).filter(|(_, text)| !text.is_empty()) {
                line.columns.push(opponents);
            }
        }
        let places: Vec<&str> = rows.iter().map(|row| row.text(option)).collect();
        rows::tell_apart(&mut lines, rows, &places);
        let points: BTreeSet<_> = lines.iter().zip(&places).collect();
        let count = lines.iter().collect::<BTreeSet<_>>().len();
        (points.len() == rows.len() && rows.len() >= 3 * count).then_some(Self { option, lines })
    }
}

/// Who else sits at a table, each agent once: more players of the same kind are the same opponents.
fn opponents(others: &BTreeMap<String, String>) -> String {
    let agents: BTreeSet<String> = others.values().map(|agent| unquoted(agent)).collect();
    let agents: Vec<String> = agents.into_iter().collect();
    if agents.is_empty() { String::new() } else { format!("with {}", agents.join(", ")) }
}

/// A line of a chart.
struct Line {
    series: Series,
    /// The ends of its intervals, forth and back.
    band: Vec<(f64, f64)>,
    words: String,
}

/// A quantity that rows tell, with its interval.
pub(super) struct Quantity<'a> {
    pub title: &'a str,
    /// Its columns: value, lower end, upper end.
    pub columns: [&'a str; 3],
    pub verb: Verb,
    /// A value to compare with.
    pub mark: Option<f64>,
}

impl Quantity<'_> {
    /// Charts over the option of the rules in which the rows differ, with a line and its band for whatever else their labels tell apart,
    /// and the sentences about them; intervals one under the other where there is no such option.
    pub fn over_rules(
        &self,
        labels: &[Label],
        rows: &[Row<'_>],
    ) -> Result<(Vec<Figure>, Vec<String>), ReportError> {
        let Self { title, columns, verb, mark } = *self;
        let unit = verb.unit;
        let Some(Swept { option, lines: names }) = Swept::of(rows, labels) else {
            let estimate = |((label, row), others): ((&Label, &Row<'_>), _)| {
                Some(Estimate { label: label.clone(), others, ..Estimate::of(row, columns)? })
            };
            let labelled = labels.iter().zip(rows).zip(rows::others(rows));
            let estimates: Vec<Estimate> = labelled.filter_map(estimate).collect();
            let figures = Figure::intervals(title, &estimates, unit, mark)?;
            return Ok((figures, findings::strengths(&estimates, verb)));
        };
        let named = option.trim_start_matches(RULE);
        let (mut lines, mut told) = (Vec::new(), Vec::new());
        for (label, rows) in rows::groups(rows, &names) {
            let at = |row: &Row<'_>| Some((row.number(option)?, Estimate::of(row, columns)?));
            let mut points: Vec<(f64, Estimate)> = rows.iter().filter_map(at).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
            let [low, high] = [first, last].map(|(at, value)| format!("{} at {at}", value.text(unit)));
            let words = format!("{label}: {low}, {high}");
            told.extend(findings::along(&label, named, &points, verb));
            let label = label.to_string();
            let ends = |value: &Estimate| value.ends.unwrap_or((value.value, value.value));
            let lower = points.iter().map(|(at, value)| (*at, ends(value).0));
            let upper = points.iter().rev().map(|(at, value)| (*at, ends(value).1));
            let band: Vec<(f64, f64)> = lower.chain(upper).collect();
            let points = points.iter().map(|(at, value)| (*at, value.value)).collect();
            lines.push(Line { series: Series { label, points }, band, words });
        }
        let plot = Plot::of(
            lines.iter().map(|line| &line.series),
            lines.iter().map(|line| &line.band),
            Base::Data,
            mark,
        );
        let title = format!("{title} by {named}");
        let all = lines.len().div_ceil(charts::SERIES);
        let chart = |(place, lines): (usize, &[Line])| {
            let title = if all > 1 { format!("{title}, {} of {all}", place + 1) } else { title.clone() };
            let series: Vec<Series> = lines.iter().map(|line| line.series.clone()).collect();
            let bands: Vec<Vec<(f64, f64)>> = lines.iter().map(|line| line.band.clone()).collect();
            let words: Vec<&str> = lines.iter().map(|line| line.words.as_str()).collect();
            let alt = format!("{title}. {}", words.join("; "));
            let svg = charts::lines(&series, &bands, &plot, (named, unit), &alt)?;
            // A line alone is named, too: the title does not say whose it is.
            let legend = series.into_iter().map(|series| series.label).collect();
            Ok(Figure { legend, ..Figure::new(&title, svg) })
        };
        let figures =
            lines.chunks(charts::SERIES).enumerate().map(chart).collect::<Result<_, ReportError>>()?;
        Ok((figures, findings::limited(told)))
    }
}
