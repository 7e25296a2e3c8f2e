//! Values with their intervals, one under the other.

use super::{
    GRID, LETTER, LINE, TEXT, axes, draw, letters, range, series_ink, tick_text, wrapped, write_lines,
};
use crate::numbers::Unit;
use crate::report::ReportError;
use crate::report::estimate::Estimate;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// The height of a line with its interval, without the words above it.
const BAR: u32 = 24;
/// The height of the axis below.
const AXIS: u32 = 24;
/// The empty space around the chart, and to the left and right of the axis.
const MARGIN: (u32, u32, u32) = (6, 20, 24);
/// About so many ticks in the narrow chart.
const TICKS: usize = 5;

/// A line for every value, with its interval, on the scale of all of them; `mark` is a value to compare with.
///
/// # Errors
/// When the chart cannot be drawn.
pub(in crate::report) fn intervals(
    (lines, all): (&[Estimate], &[Estimate]),
    unit: Unit,
    mark: Option<f64>,
    alt: &str,
) -> Result<String, ReportError> {
    let ends = all.iter().flat_map(|line| {
        [line.value, line.ends.map_or(line.value, |e| e.0), line.ends.map_or(line.value, |e| e.1)]
    });
    let x = range(ends.chain(mark));
    let (around, left, right) = MARGIN;
    let words = |width: u32| -> Vec<Vec<String>> {
        let room = letters(width - left - right - LETTER);
        lines.iter().map(|line| wrapped(&format!("{}: {}", line.label, line.text(unit)), room)).collect()
    };
    let row = |words: &Vec<String>| words.len() as u32 * LINE + BAR;
    let rows = |width: u32| words(width).iter().map(row).sum::<u32>();
    draw(
        |width| rows(width) + AXIS + 2 * around,
        alt,
        |area, width| {
            let height = f64::from(rows(width).max(1));
            let ticks = if width > super::NARROW { 2 * TICKS } else { TICKS };
            let mut chart = ChartBuilder::on(area)
                .margin(around)
                .margin_left(left)
                .margin_right(right)
                .x_label_area_size(AXIS)
                .build_cartesian_2d(x.clone(), 0.0..height)?;
            // Lines behind the intervals stop at the words above them.
            let grid = RangedCoordf64::from(x.clone()).key_points(ticks);
            axes(
                chart
                    .configure_mesh()
                    .disable_mesh()
                    .disable_y_axis()
                    .x_labels(ticks)
                    .x_label_formatter(&tick_text(unit, &x, ticks)),
            )?;
            let mut top = 0;
            for (line, words) in lines.iter().zip(words(width)) {
                let (text, y) = (words.len() as u32 * LINE, top + row(&words));
                write_lines(area, &words, (left as i32, (around + top + 2 + text / 2) as i32), HPos::Left)?;
                let bottom = height - f64::from(y);
                let upright = |x: f64| [(x, bottom), (x, bottom + f64::from(BAR))];
                chart.draw_series(grid.iter().map(|&x| PathElement::new(upright(x), GRID.light)))?;
                chart.draw_series(mark.iter().map(|&x| PathElement::new(upright(x), TEXT.light.mix(0.6))))?;
                let y = bottom + f64::from(BAR) / 2.0;
                let (low, high) = line.within(&x);
                chart
                    .draw_series([PathElement::new([(low, y), (high, y)], series_ink(0).stroke_width(3))])?;
                chart.draw_series([Circle::new((line.value, y), 5, series_ink(0).filled())])?;
                top += row(&words);
            }
            Ok(())
        },
    )
}
