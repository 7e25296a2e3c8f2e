//! Lines over an axis of numbers.

use super::{
    Canvas, NARROW, TEXT, axes, draw, draw_once, escaped, range, series_ink, tick_text, usual_height,
};
use crate::numbers::Unit;
use crate::report::ReportError;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::fmt::Write as _;
use std::ops::Range;

/// Two axes of numbers.
type Plane = Cartesian2d<RangedCoordf64, RangedCoordf64>;

/// So many points of a line are marked.
const FEW: usize = 40;

/// A line through points.
#[derive(Clone, Debug)]
pub(in crate::report) struct Series {
    pub label: String,
    /// In rising order of the first coordinate.
    pub points: Vec<(f64, f64)>,
}

/// Where the upright axis of lines begins.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::report) enum Base {
    /// At 0: the height of a line is read from there.
    Zero,
    /// At the lowest value: differences along the lines are what matters.
    Data,
}

/// The axes of lines, which several charts may share.
pub(in crate::report) struct Plot {
    x: Range<f64>,
    y: Range<f64>,
    /// A height to compare with.
    mark: Option<f64>,
}

impl Plot {
    /// Axes with room for all of these lines and bands, and for the mark.
    pub fn of<'a>(
        series: impl Iterator<Item = &'a Series>,
        bands: impl Iterator<Item = &'a Vec<(f64, f64)>>,
        base: Base,
        mark: Option<f64>,
    ) -> Self {
        let points: Vec<(f64, f64)> =
            series.flat_map(|series| &series.points).chain(bands.flatten()).copied().collect();
        let heights = || points.iter().map(|p| p.1).chain(mark);
        let (x, y) = (range(points.iter().map(|p| p.0)), range(heights()));
        // No room is left below 0 where nothing lies there.
        let y = match base {
            _ if heights().any(|height| height.is_finite() && height < 0.0) => y,
            Base::Zero => 0.0..y.end,
            Base::Data => y.start.max(0.0)..y.end,
        };
        Self { x, y, mark }
    }
}

/// Lines on common axes; each series of `bands` is the ends of an interval, forth and back, around the line
/// of the same place. Open ends lie at the edge of the chart.
///
/// # Errors
/// When the chart cannot be drawn.
pub(in crate::report) fn lines(
    series: &[Series],
    bands: &[Vec<(f64, f64)>],
    Plot { x, y, mark }: &Plot,
    titles: (&str, Unit),
    alt: &str,
) -> Result<String, ReportError> {
    draw(usual_height, alt, |area, width| {
        let mut chart = on_axes(area, width, (x, y), titles)?;
        for (i, band) in bands.iter().enumerate() {
            let band: Vec<_> = band.iter().map(|&(at, end)| (at, end.clamp(y.start, y.end))).collect();
            chart.draw_series([Polygon::new(band, series_ink(i).mix(0.25))])?;
        }
        let level = |mark| PathElement::new([(x.start, mark), (x.end, mark)], TEXT.light.mix(0.6));
        chart.draw_series(mark.map(level))?;
        for (i, series) in series.iter().enumerate() {
            chart
                .draw_series(LineSeries::new(series.points.iter().copied(), series_ink(i).stroke_width(2)))?;
            // Few points are points, and one alone is no line.
            let few = series.points.iter().filter(|_| series.points.len() <= FEW);
            chart.draw_series(few.map(|point| Circle::new(*point, 3, series_ink(i).filled())))?;
        }
        Ok(())
    })
}

/// A point of [`marked_lines`], which leads to another place of the page.
#[derive(Clone, Debug)]
pub(in crate::report) struct Mark {
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
pub(in crate::report) fn marked_lines(
    series: &[(Series, Vec<Mark>)],
    (x_title, y_unit): (&str, Unit),
    alt: &str,
) -> Result<String, ReportError> {
    let points = || series.iter().flat_map(|(series, _)| &series.points);
    let (x, y) = (range(points().map(|p| p.0)), range(points().map(|p| p.1)));
    // A game stands beside its steps, where there is no room for a wide chart.
    let svg = draw_once("narrow", (NARROW, usual_height(NARROW)), alt, |area| {
        let mut chart = on_axes(area, NARROW, (&x, &y), (x_title, y_unit))?;
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

/// A chart with two axes of numbers.
fn on_axes<'a, 'b>(
    area: &'a Canvas<'b>,
    width: u32,
    (x, y): (&Range<f64>, &Range<f64>),
    (x_title, y_unit): (&str, Unit),
) -> Result<ChartContext<'a, SVGBackend<'b>, Plane>, ReportError> {
    let (x_ticks, y_ticks) = if width > NARROW { (12, 7) } else { (6, 5) };
    let mut chart = ChartBuilder::on(area)
        .margin(6)
        .margin_right(24)
        .x_label_area_size(36)
        .y_label_area_size(52)
        .build_cartesian_2d(x.clone(), y.clone())?;
    axes(
        chart
            .configure_mesh()
            .x_desc(x_title)
            .x_labels(x_ticks)
            .y_labels(y_ticks)
            .x_label_formatter(&tick_text(Unit::Plain, x, x_ticks))
            .y_label_formatter(&tick_text(y_unit, y, y_ticks)),
    )?;
    Ok(chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The heights of the corners of the polygons in a chart, in pixels from above.
    fn corners(svg: &str) -> Vec<f64> {
        let points = svg.split("<polygon").skip(1).filter_map(|part| part.split("points=\"").nth(1));
        let corners = points.flat_map(|part| part.split('"').next().unwrap_or("").split_whitespace());
        corners.map(|corner| corner.split_once(',').unwrap().1.parse().unwrap()).collect()
    }

    /// An open end of an interval lies at the edge of the chart: drawn at the value it looked as if that were known exactly. A height to
    /// compare with has its place, also where no line comes near.
    #[test]
    fn open_ends_lie_at_the_edge() {
        let series = [Series { label: "a".to_owned(), points: vec![(1.0, 10.0), (2.0, 12.0)] }];
        let bands = [vec![(1.0, 8.0), (2.0, 9.0), (2.0, f64::INFINITY), (1.0, 11.0)]];
        let plot = Plot::of(series.iter(), bands.iter(), Base::Data, Some(0.0));
        assert!(plot.y.start <= 0.0 && plot.y.end < 13.0, "{:?}", plot.y);
        let svg = lines(&series, &bands, &plot, ("x", Unit::Plain), "").unwrap();
        let heights = corners(svg.split("</svg>").next().unwrap());
        let top = heights.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(top == 6.0 && heights.iter().filter(|&&height| height == top).count() == 1, "{heights:?}");
    }
}
