//! Tables whose cells are shaded.

use super::{LETTER, LINE, SIZE, draw, fitted, series_ink, text_style, write_lines};
use crate::numbers::{Unit, plain};
use crate::report::ReportError;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// The least height of a row.
const ROW: u32 = 26;
/// The height of the names of the columns, which are short.
const HEAD: u32 = 24;
/// The empty space around the table.
const MARGIN: u32 = 6;

/// Numbers in the cells of a table, each with one that is neutral: the ground tells how far it is above or below that. The number itself
/// stands where the cell is wide enough for it.
///
/// # Errors
/// When the chart cannot be drawn.
pub(in crate::report) fn heat(
    (rows, columns): (&[String], &[String]),
    cells: &[Vec<Option<(f64, f64)>>],
    unit: Unit,
    alt: &str,
) -> Result<String, ReportError> {
    let far = cells
        .iter()
        .flatten()
        .flatten()
        .fold(0.0_f64, |far, &(value, neutral)| far.max((value - neutral).abs()));
    let names = |width: u32| fitted(rows, width * 2 / 5);
    let tall = |name: &Vec<String>| (name.len() as u32 * LINE + 8).max(ROW);
    let height = |width: u32| names(width).0.iter().map(tall).sum::<u32>() + HEAD + 2 * MARGIN;
    draw(height, alt, |area, width| {
        let (names, widest) = names(width);
        let left = MARGIN + widest + LETTER;
        let cell = f64::from(width - left - MARGIN) / columns.len().max(1) as f64;
        let edge = |column: usize| left as i32 + (column as f64 * cell).round() as i32;
        let middle = |column: usize| i32::midpoint(edge(column), edge(column + 1));
        for (c, name) in columns.iter().enumerate() {
            write_lines(
                area,
                std::slice::from_ref(name),
                (middle(c), (MARGIN + HEAD / 2) as i32),
                HPos::Center,
            )?;
        }
        let mut top = (MARGIN + HEAD) as i32;
        for (name, row) in names.iter().zip(cells) {
            let bottom = top + tall(name) as i32;
            let center = i32::midpoint(top, bottom);
            write_lines(area, name, ((left - LETTER) as i32, center), HPos::Right)?;
            for (c, value) in row.iter().enumerate() {
                let Some((value, neutral)) = *value else { continue };
                let depth = if far > 0.0 { 0.6 * (value - neutral).abs() / far } else { 0.0 };
                let ground = series_ink(usize::from(value < neutral)).mix(depth);
                area.draw(&Rectangle::new([(edge(c), top), (edge(c + 1), bottom)], ground.filled()))?;
                let text = match unit {
                    Unit::Share => format!("{:.0}", value * 100.0),
                    Unit::Plain => plain(value),
                };
                if f64::from(text.chars().count() as u32 * LETTER) <= cell {
                    let style = text_style(SIZE - 1).pos(Pos::new(HPos::Center, VPos::Center));
                    area.draw(&Text::new(text, (middle(c), center), style))?;
                }
            }
            top = bottom;
        }
        Ok(())
    })
}
