//! The charts of a report, drawn as SVG.
//!
//! They are drawn for a column of the width of a telephone. Every colour is one of [`Ink`]; the style sheet of the page
//! exchanges them for others on a dark screen, and shades are the same ink thinned, which suits both.

use super::ReportError;
use super::estimate::Estimate;
use crate::numbers::{Unit, plain};
use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::fmt::Write as _;
use std::ops::Range;

/// The width of every chart, in pixels.
const WIDTH: u32 = 400;
/// The height of charts that do not grow with what they show.
const HEIGHT: u32 = 250;
/// The height of a line of [`intervals`].
const LINE: u32 = 38;
/// The height of a row of [`heat`].
const ROW: u32 = 26;
const FONT: &str = "sans-serif";
/// The library draws text a fifth smaller than it is told.
const SIZE: u32 = 15;

/// The most letters of a name beside a point.
const NAME: usize = 30;
/// How many series one chart may hold.
pub(super) const SERIES: usize = 6;

/// Two axes of numbers.
type Plane = Cartesian2d<RangedCoordf64, RangedCoordf64>;

/// A colour, and what stands for it on a dark screen.
struct Ink {
    light: RGBColor,
    dark: RGBColor,
}

const fn ink(light: (u8, u8, u8), dark: (u8, u8, u8)) -> Ink {
    Ink { light: RGBColor(light.0, light.1, light.2), dark: RGBColor(dark.0, dark.1, dark.2) }
}

/// Text and axes.
const TEXT: Ink = ink((32, 36, 42), (226, 230, 235));
/// Lines behind what is shown.
const GRID: Ink = ink((205, 210, 216), (66, 73, 82));
/// The series, told apart by people who see few colours as well (after Okabe and Ito 2008).
const PALETTE: [Ink; SERIES] = [
    ink((0, 104, 168), (104, 184, 246)),
    ink((190, 78, 0), (255, 150, 90)),
    ink((0, 128, 92), (72, 212, 166)),
    ink((158, 62, 128), (240, 166, 208)),
    ink((140, 104, 0), (238, 198, 80)),
    ink((88, 92, 98), (172, 178, 186)),
];

fn series_ink(series: usize) -> RGBColor {
    PALETTE[series % SERIES].light
}

/// The rules that colour legends, and charts on a dark screen.
pub(super) fn style_sheet() -> String {
    let hex = |colour: &RGBColor| format!("#{:02X}{:02X}{:02X}", colour.0, colour.1, colour.2);
    let (mut light, mut dark) = (String::new(), String::new());
    for (i, ink) in PALETTE.iter().enumerate() {
        let _ = writeln!(light, ".series{i} {{ border-color: {} }}", hex(&ink.light));
        let _ = writeln!(dark, ".series{i} {{ border-color: {} }}", hex(&ink.dark));
    }
    for ink in PALETTE.iter().chain([&TEXT, &GRID]) {
        let (from, to) = (hex(&ink.light), hex(&ink.dark));
        let _ = writeln!(
            dark,
            "svg [fill=\"{from}\"] {{ fill: {to} }} svg [stroke=\"{from}\"] {{ stroke: {to} }}"
        );
    }
    format!("{light}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n")
}

/// The smallest range that holds all of these, with room to spare; never empty.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low > high {
        return 0.0..1.0;
    }
    let room = if high > low { (high - low) * 0.04 } else { high.abs().max(1.0) * 0.1 };
    low - room..high + room
}

fn text_style(size: u32) -> TextStyle<'static> {
    (FONT, size).into_font().color(&TEXT.light)
}

/// Draws on an empty canvas and says the same in words.
fn draw(
    height: u32,
    alt: &str,
    paint: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), ReportError>,
) -> Result<String, ReportError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        paint(&area)?;
        area.present()?;
    }
    // Inside a page no name space is needed, and what draws the text of a chart should not read it out bit by bit.
    let body = svg
        .find("<svg")
        .map_or("", |start| &svg[start..])
        .replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
    Ok(body.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", escaped(alt)), 1))
}

/// A text as it may stand in an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// A line for every value, with its interval; `mark` is a value to compare with.
///
/// # Errors
/// When the chart cannot be drawn.
pub(super) fn intervals(
    lines: &[Estimate],
    unit: Unit,
    mark: Option<f64>,
    alt: &str,
) -> Result<String, ReportError> {
    let ends = lines.iter().flat_map(|line| {
        [line.value, line.ends.map_or(line.value, |e| e.0), line.ends.map_or(line.value, |e| e.1)]
    });
    let x = range(ends.chain(mark));
    let count = lines.len() as f64;
    draw(LINE * lines.len() as u32 + 34, alt, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(6)
            .margin_left(20)
            .margin_right(24)
            .x_label_area_size(24)
            .build_cartesian_2d(x.clone(), 0.0..count)?;
        axes(
            chart
                .configure_mesh()
                .disable_y_mesh()
                .disable_y_axis()
                .x_labels(5)
                .x_label_formatter(&|v| unit.text(*v)),
        )?;
        if let Some(mark) = mark {
            chart.draw_series([PathElement::new([(mark, 0.0), (mark, count)], TEXT.light.mix(0.6))])?;
        }
        for (i, line) in lines.iter().enumerate() {
            let (title, y) = (count - i as f64 - 0.24, count - i as f64 - 0.7);
            let (low, high) = line.ends.unwrap_or((line.value, line.value));
            let style = text_style(SIZE).pos(Pos::new(HPos::Left, VPos::Center));
            chart.draw_series([Text::new(named(line, unit), (x.start, title), style)])?;
            chart.draw_series([PathElement::new([(low, y), (high, y)], series_ink(0).stroke_width(3))])?;
            chart.draw_series([Circle::new((line.value, y), 5, series_ink(0).filled())])?;
        }
        Ok(())
    })
}

/// A line through points.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub label: String,
    /// In rising order of the first coordinate.
    pub points: Vec<(f64, f64)>,
}

/// Lines on common axes; each series of `bands` is the ends of an interval, forth and back, around the line
/// of the same place.
///
/// # Errors
/// When the chart cannot be drawn.
pub(super) fn lines(
    series: &[Series],
    bands: &[Vec<(f64, f64)>],
    (x_title, y_unit): (&str, Unit),
    alt: &str,
) -> Result<String, ReportError> {
    let points = || series.iter().flat_map(|series| &series.points).chain(bands.iter().flatten());
    let (x, y) = (range(points().map(|p| p.0)), range(points().map(|p| p.1)));
    // Shares are read from their distance to nothing.
    let y = if points().all(|p| p.1 >= 0.0) { 0.0..y.end } else { y };
    draw(HEIGHT, alt, |area| {
        let mut chart = on_axes(area, (x, y), (x_title, y_unit))?;
        for (i, band) in bands.iter().enumerate() {
            chart.draw_series([Polygon::new(band.clone(), series_ink(i).mix(0.25))])?;
        }
        for (i, series) in series.iter().enumerate() {
            chart
                .draw_series(LineSeries::new(series.points.iter().copied(), series_ink(i).stroke_width(2)))?;
        }
        Ok(())
    })
}

/// A point of [`course`], which leads to another place of the page.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub at: (f64, f64),
    /// The radius, in pixels.
    pub size: u32,
    /// The name of the place.
    pub place: String,
    /// What a pointer is told.
    pub title: String,
}

/// Lines with marks on them, which are links: `marks` has those of each series.
///
/// # Errors
/// When the chart cannot be drawn.
pub(super) fn course(
    series: &[(Series, Vec<Mark>)],
    (x_title, y_unit): (&str, Unit),
    alt: &str,
) -> Result<String, ReportError> {
    let points = || series.iter().flat_map(|(series, _)| &series.points);
    let (x, y) = (range(points().map(|p| p.0)), range(points().map(|p| p.1)));
    let svg = draw(HEIGHT, alt, |area| {
        let mut chart = on_axes(area, (x, y), (x_title, y_unit))?;
        for (i, (series, _)) in series.iter().enumerate() {
            let points = series.points.iter().copied();
            chart.draw_series(LineSeries::new(points, series_ink(i).mix(0.6).stroke_width(2)))?;
        }
        for (i, (_, marks)) in series.iter().enumerate() {
            let circle = |mark: &Mark| Circle::new(mark.at, mark.size, series_ink(i).filled());
            chart.draw_series(marks.iter().map(circle))?;
        }
        Ok(())
    })?;
    // The library knows no links. It draws a circle for each mark, in their order, and no others.
    let mut parts = svg.split("<circle ");
    let mut linked = parts.next().unwrap_or_default().replacen("role=\"img\"", "role=\"group\"", 1);
    for (part, mark) in parts.zip(series.iter().flat_map(|(_, marks)| marks)) {
        let (circle, rest) = part.split_once("/>").unwrap_or((part, ""));
        let (place, title) = (escaped(&mark.place), escaped(&mark.title));
        let _ = write!(linked, "<a href=\"#{place}\" aria-label=\"{title}\"><circle {circle}>");
        let _ = write!(linked, "<title>{title}</title></circle></a>{rest}");
    }
    Ok(linked)
}

/// Groups of bars from 0: for each key a bar of every series, in the order of the keys.
///
/// # Errors
/// When the chart cannot be drawn.
pub(super) fn bars(
    keys: &[String],
    series: &[Vec<f64>],
    unit: Unit,
    alt: &str,
) -> Result<String, ReportError> {
    let top = series.iter().flatten().fold(0.0_f64, |top, &value| top.max(value));
    let y = 0.0..if top > 0.0 { top * 1.05 } else { 1.0 };
    // As many labels as there is room for, of about seven pixels a letter.
    let letters = keys.iter().map(|key| key.chars().count()).max().unwrap_or(1) + 1;
    let every = (keys.len() * letters * 7).div_ceil(WIDTH as usize - 60).max(1);
    let name = |x: &f64| keys.get(*x as usize).cloned().unwrap_or_default();
    draw(HEIGHT - 40, alt, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(6)
            .x_label_area_size(24)
            .y_label_area_size(44)
            .build_cartesian_2d(Ticks::places(keys.len(), every), y)?;
        axes(
            chart
                .configure_mesh()
                .disable_x_mesh()
                .y_labels(5)
                .x_label_formatter(&name)
                .y_label_formatter(&|v| unit.text(*v)),
        )?;
        let width = 0.84 / series.len() as f64;
        for (s, values) in series.iter().enumerate() {
            chart.draw_series(values.iter().enumerate().map(|(i, &value)| {
                let left = i as f64 + 0.08 + width * s as f64;
                Rectangle::new([(left, 0.0), (left + width, value)], series_ink(s).filled())
            }))?;
        }
        Ok(())
    })
}

/// Numbers in the cells of a table, each on a ground that tells how far it is above or below `neutral`.
///
/// # Errors
/// When the chart cannot be drawn.
pub(super) fn heat(
    (rows, columns): (&[String], &[String]),
    cells: &[Vec<Option<f64>>],
    (unit, neutral): (Unit, f64),
    alt: &str,
) -> Result<String, ReportError> {
    let widest = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0).min(24) as u32;
    let far = cells.iter().flatten().flatten().fold(0.0_f64, |far, &value| far.max((value - neutral).abs()));
    let room = (WIDTH - 24 - widest * 7) as usize / columns.len().max(1) / 7;
    draw(ROW * rows.len() as u32 + 36, alt, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(6)
            .top_x_label_area_size(24)
            .y_label_area_size(widest * 7 + 12)
            .build_cartesian_2d(Ticks::places(columns.len(), 1), Ticks::places(rows.len(), 1))?;
        let column =
            |x: &f64| columns.get(*x as usize).map_or_else(String::new, |name| short(name, room.max(2)));
        // The first row stands on top.
        let height = |row: usize| rows.len() - 1 - row.min(rows.len() - 1);
        let row = |y: &f64| rows.get(height(*y as usize)).map_or_else(String::new, |name| short(name, 24));
        axes(chart.configure_mesh().disable_mesh().x_label_formatter(&column).y_label_formatter(&row))?;
        for (r, row) in cells.iter().enumerate() {
            for (c, value) in row.iter().enumerate() {
                let Some(value) = *value else { continue };
                let (x, y) = (c as f64, height(r) as f64);
                let depth = if far > 0.0 { 0.6 * (value - neutral).abs() / far } else { 0.0 };
                let ground = series_ink(usize::from(value < neutral)).mix(depth);
                chart.draw_series([Rectangle::new([(x, y), (x + 1.0, y + 1.0)], ground.filled())])?;
                let style = text_style(SIZE - 1).pos(Pos::new(HPos::Center, VPos::Center));
                let text = match unit {
                    Unit::Share => format!("{:.0}", value * 100.0),
                    Unit::Plain => plain(value),
                };
                chart.draw_series([Text::new(text, (x + 0.5, y + 0.5), style)])?;
            }
        }
        Ok(())
    })
}

/// Points with intervals over an axis on which every step is a factor.
///
/// # Errors
/// When the chart cannot be drawn.
pub(super) fn scatter(
    points: &[(f64, Estimate)],
    (x_title, y_unit): (&str, Unit),
    alt: &str,
) -> Result<String, ReportError> {
    let ends = points
        .iter()
        .flat_map(|(_, p)| [p.value, p.ends.map_or(p.value, |e| e.0), p.ends.map_or(p.value, |e| e.1)]);
    let y = range(ends);
    let (low, high) = points.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), (x, _)| (l.min(*x), h.max(*x)));
    draw(HEIGHT + 60, alt, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(6)
            .margin_right(24)
            .x_label_area_size(36)
            .y_label_area_size(44)
            .build_cartesian_2d(Ticks::factors(low / 2.0, high * 2.0), y)?;
        axes(
            chart
                .configure_mesh()
                .x_desc(x_title)
                .x_labels(6)
                .y_labels(6)
                .x_label_formatter(&|v| plain(10_f64.powf(*v)))
                .y_label_formatter(&|v| y_unit.text(*v)),
        )?;
        for (cost, point) in points {
            let x = cost.log10();
            let (low, high) = point.ends.unwrap_or((point.value, point.value));
            chart.draw_series([PathElement::new([(x, low), (x, high)], series_ink(0).stroke_width(2))])?;
            chart.draw_series([Circle::new((x, point.value), 4, series_ink(0).filled())])?;
        }
        let places: Vec<(i32, i32)> =
            points.iter().map(|(cost, point)| chart.backend_coord(&(cost.log10(), point.value))).collect();
        for ((cost, point), shift) in points.iter().zip(beside(&places, points)) {
            let (side, _) = shift;
            let anchor = if side < 0 { HPos::Right } else { HPos::Left };
            let style = text_style(SIZE).pos(Pos::new(anchor, VPos::Center));
            let name = Text::new(short(&point.label, NAME), shift, style);
            chart.draw_series([EmptyElement::at((cost.log10(), point.value)) + name])?;
        }
        Ok(())
    })
}

/// Where the name of each point stands, in pixels from the point: beside it, and above or below where another point or name
/// is in the way.
fn beside(places: &[(i32, i32)], points: &[(f64, Estimate)]) -> Vec<(i32, i32)> {
    const AWAY: i32 = 8;
    const HALF: i32 = 7;
    let mut taken: Vec<[i32; 4]> = places.iter().map(|(x, y)| [x - 5, x + 5, y - 5, y + 5]).collect();
    let mut shifts = Vec::new();
    for (i, ((x, y), (_, point))) in places.iter().zip(points).enumerate() {
        let width = 7 * point.label.chars().count().min(NAME) as i32;
        let around = |shift: (i32, i32)| {
            let (from, to) =
                if shift.0 < 0 { (x - AWAY - width, x - AWAY) } else { (x + AWAY, x + AWAY + width) };
            [from, to, y + shift.1 - HALF, y + shift.1 + HALF]
        };
        let free = |shift: &(i32, i32)| {
            let [from, to, top, bottom] = around(*shift);
            let apart = |(j, other): (usize, &[i32; 4])| {
                j == i || to < other[0] || other[1] < from || bottom < other[2] || other[3] < top
            };
            from > 50 && to < WIDTH as i32 && taken.iter().enumerate().all(apart)
        };
        let shifts_of = |up: i32| [(AWAY, up), (-AWAY, up)];
        let all = [0, -14, 14, -28, 28, -42, 42, 56].into_iter().flat_map(shifts_of);
        let shift = all.into_iter().find(free).unwrap_or((if *x > 200 { -AWAY } else { AWAY }, 0));
        taken.push(around(shift));
        shifts.push(shift);
    }
    shifts
}

/// The name of an estimate and its value, the name cut where both do not fit in a line.
fn named(line: &Estimate, unit: Unit) -> String {
    const LETTERS: usize = 54;
    let value = line.text(unit);
    let room = LETTERS.saturating_sub(value.chars().count() + 2).max(12);
    format!("{}: {value}", short(&line.label, room))
}

/// The text cut to so many letters.
fn short(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        text.to_owned()
    } else {
        text.chars().take(letters - 1).chain(['…']).collect()
    }
}

/// An axis with ticks of its own.
#[derive(Clone)]
struct Ticks {
    range: Range<f64>,
    ticks: Vec<f64>,
}

impl Ticks {
    /// Places in a row, each from i to i + 1, with a tick in the middle of every so manieth.
    fn places(count: usize, every: usize) -> Self {
        let ticks = (0..count).step_by(every).map(|place| place as f64 + 0.5).collect();
        Self { range: 0.0..count.max(1) as f64, ticks }
    }

    /// The decimal logarithms of numbers between these, with a tick at each 1, 2 and 5 of a power of ten, or at
    /// the powers alone where there are many.
    fn factors(low: f64, high: f64) -> Self {
        let range = low.log10()..high.log10();
        let digits: &[f64] = if range.end - range.start > 2.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let powers = range.start.floor() as i32..=range.end.ceil() as i32;
        let ticks = powers.flat_map(|power| digits.iter().map(move |digit| digit.log10() + f64::from(power)));
        Self { ticks: ticks.filter(|tick| range.contains(tick)).collect(), range }
    }
}

impl Ranged for Ticks {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        start + (share * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// A chart with two axes of numbers.
fn on_axes<'a, 'b>(
    area: &'a DrawingArea<SVGBackend<'b>, Shift>,
    (x, y): (Range<f64>, Range<f64>),
    (x_title, y_unit): (&str, Unit),
) -> Result<ChartContext<'a, SVGBackend<'b>, Plane>, ReportError> {
    let mut chart = ChartBuilder::on(area)
        .margin(6)
        .margin_right(24)
        .x_label_area_size(36)
        .y_label_area_size(44)
        .build_cartesian_2d(x, y)?;
    axes(
        chart
            .configure_mesh()
            .x_desc(x_title)
            .x_labels(6)
            .y_labels(5)
            .x_label_formatter(&|v| plain(*v))
            .y_label_formatter(&|v| y_unit.text(*v)),
    )?;
    Ok(chart)
}

/// Draws axes as all charts have them.
fn axes<'a, X, Y>(mesh: &mut MeshStyle<'a, '_, X, Y, SVGBackend<'_>>) -> Result<(), ReportError>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    mesh.axis_style(GRID.light)
        .bold_line_style(GRID.light)
        .light_line_style(TRANSPARENT)
        .label_style(text_style(SIZE))
        .axis_desc_style(text_style(SIZE))
        .draw()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What cannot fill an axis is drawn all the same: one point, equal values, nothing.
    #[test]
    fn odd_data_is_drawn() {
        let point = |value| Estimate { label: "a<b & \"c\"".to_owned(), value, ends: None };
        for drawn in [
            intervals(&[point(0.0)], Unit::Share, None, "one \"value\" <here>").unwrap(),
            intervals(&[], Unit::Plain, None, "").unwrap(),
            lines(&[Series { label: "a".to_owned(), points: vec![(1.0, 2.0)] }], &[], ("x", Unit::Plain), "")
                .unwrap(),
            bars(&["a".to_owned()], &[vec![0.0]], Unit::Share, "").unwrap(),
            heat((&["a".to_owned()], &["b".to_owned()]), &[vec![None]], (Unit::Share, 0.5), "").unwrap(),
            scatter(&[(3.0, point(1.0))], ("x", Unit::Plain), "").unwrap(),
        ] {
            assert!(
                drawn.starts_with("<svg role=\"img\"") && drawn.trim_end().ends_with("</svg>"),
                "{drawn}"
            );
            assert!(!drawn.contains("NaN") && !drawn.contains("http") && !drawn.contains("<b "), "{drawn}");
        }
    }
}
