//! Groups of bars.

use super::{LETTER, Ticks, axes, draw, series_ink, tick_text, usual_height};
use crate::numbers::Unit;
use crate::report::ReportError;
use plotters::prelude::*;

/// Groups of bars from 0: for each key a bar of every series, in the order of the keys. A title of the axis of keys may be empty.
///
/// # Errors
/// When the chart cannot be drawn.
pub(in crate::report) fn bars(
    keys: &[String],
    series: &[Vec<f64>],
    (x_title, unit): (&str, Unit),
    alt: &str,
) -> Result<String, ReportError> {
    let top = series.iter().flatten().fold(0.0_f64, |top, &value| top.max(value));
    let y = 0.0..if top > 0.0 { top * 1.05 } else { 1.0 };
    let letters = keys.iter().map(|key| key.chars().count()).max().unwrap_or(1) + 1;
    let title_height = if x_title.is_empty() { 0 } else { 12 };
    // As many labels as there is room for.
    let every = |width: u32| (keys.len() * letters * LETTER as usize).div_ceil(width as usize - 68).max(1);
    let name = |x: &f64| keys.get(*x as usize).cloned().unwrap_or_default();
    draw(
        |width| usual_height(width) - 40 + title_height,
        alt,
        |area, width| {
            let mut chart = ChartBuilder::on(area)
                .margin(6)
                .x_label_area_size(24 + title_height)
                .y_label_area_size(52)
                .build_cartesian_2d(Ticks::places(keys.len(), every(width)), y.clone())?;
            axes(
                chart
                    .configure_mesh()
                    .x_desc(x_title)
                    .disable_x_mesh()
                    .y_labels(5)
                    .x_label_formatter(&name)
                    .y_label_formatter(&tick_text(unit, &y, 5)),
            )?;
            let width = 0.84 / series.len() as f64;
            for (s, values) in series.iter().enumerate() {
                chart.draw_series(values.iter().enumerate().map(|(i, &value)| {
                    let left = i as f64 + 0.08 + width * s as f64;
                    Rectangle::new([(left, 0.0), (left + width, value)], series_ink(s).filled())
                }))?;
            }
            Ok(())
        },
    )
}
