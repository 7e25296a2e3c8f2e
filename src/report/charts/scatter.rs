//! Points on two axes, with their names.

use super::{
    GRID, LINE, NARROW, Ticks, axes, draw, fitted, range, series_ink, tick_text, usual_height, write_lines,
};
use crate::numbers::{Unit, plain};
use crate::report::ReportError;
use crate::report::estimate::Estimate;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// The space between the points and their names, which lines from one to the other cross.
const GAP: u32 = 40;
/// The space between two names, one above the other.
const APART: i32 = 5;
/// The empty space around the chart.
const MARGIN: u32 = 6;
/// The height of the axis below, with its title.
const AXIS: u32 = 36;

/// Points with intervals over an axis on which every step is a factor. Their names stand in a column beside them, in the order of the
/// points from top to bottom, each with a line to its point.
///
/// # Errors
/// When the chart cannot be drawn.
pub(in crate::report) fn scatter(
    points: &[(f64, Estimate)],
    (x_title, y_unit): (&str, Unit),
    alt: &str,
) -> Result<String, ReportError> {
    let ends = points
        .iter()
        .flat_map(|(_, p)| [p.value, p.ends.map_or(p.value, |e| e.0), p.ends.map_or(p.value, |e| e.1)]);
    let y = range(ends);
    let (low, high) = points.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), (x, _)| (l.min(*x), h.max(*x)));
    let labels: Vec<String> = points.iter().map(|(_, point)| point.label.to_string()).collect();
    let names = |width: u32| fitted(&labels, width * 2 / 5);
    let tall = |name: &Vec<String>| (name.len() as u32 * LINE) as i32 + APART;
    let height = |width: u32| {
        let all = names(width).0.iter().map(tall).sum::<i32>() as u32 + AXIS + 2 * MARGIN;
        all.max(usual_height(width) + 60)
    };
    draw(height, alt, |area, width| {
        let (names, widest) = names(width);
        let left = width - MARGIN - widest;
        let (x_ticks, y_ticks) = if width > NARROW { (9, 9) } else { (4, 6) };
        let mut chart = ChartBuilder::on(area)
            .margin(MARGIN)
            .margin_right(MARGIN + widest + GAP)
            .x_label_area_size(AXIS)
            .y_label_area_size(52)
            .build_cartesian_2d(Ticks::factors(low / 2.0, high * 2.0, x_ticks), y.clone())?;
        axes(
            chart
                .configure_mesh()
                .x_desc(x_title)
                .y_labels(y_ticks)
                .x_label_formatter(&|v| plain(10_f64.powf(*v)))
                .y_label_formatter(&tick_text(y_unit, &y, y_ticks)),
        )?;
        let places: Vec<(i32, i32)> =
            points.iter().map(|(cost, point)| chart.backend_coord(&(cost.log10(), point.value))).collect();
        let bottom = (height(width) - MARGIN - AXIS) as i32;
        let wishes: Vec<(i32, i32)> =
            places.iter().zip(&names).map(|(place, name)| (place.1, tall(name))).collect();
        let middles = spread(&wishes, (MARGIN as i32, bottom));
        for ((place, name), middle) in places.iter().zip(&names).zip(middles) {
            let text = (left as i32, middle);
            area.draw(&PathElement::new([*place, (text.0 - 3, text.1)], GRID.light))?;
            write_lines(area, name, text, HPos::Left)?;
        }
        for (cost, point) in points {
            let x = cost.log10();
            let (low, high) = point.ends.unwrap_or((point.value, point.value));
            chart.draw_series([PathElement::new([(x, low), (x, high)], series_ink(0).stroke_width(2))])?;
            chart.draw_series([Circle::new((x, point.value), 4, series_ink(0).filled())])?;
        }
        Ok(())
    })
}

/// Places for names between a top and a bottom, in the order of their wishes and none over another: of each the middle it wishes for
/// and its height. They lie below the bottom only where there are too many.
fn spread(wishes: &[(i32, i32)], (top, bottom): (i32, i32)) -> Vec<i32> {
    let mut order: Vec<usize> = (0..wishes.len()).collect();
    order.sort_by_key(|&i| wishes[i].0);
    let mut starts = vec![0; wishes.len()];
    let mut free = top;
    for &i in &order {
        let (middle, height) = wishes[i];
        starts[i] = free.max(middle - height / 2);
        free = starts[i] + height;
    }
    // What stands too low moves up, and pushes what stands above it.
    let mut limit = bottom.max(top + wishes.iter().map(|wish| wish.1).sum::<i32>());
    for &i in order.iter().rev() {
        starts[i] = starts[i].min(limit - wishes[i].1);
        limit = starts[i];
    }
    starts.iter().zip(wishes).map(|(start, (_, height))| start + height / 2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names keep their order and never touch, whether there is room to spare, they crowd at an end, or fill all there is.
    #[test]
    fn names_do_not_overlap() {
        let ends = (10, 110);
        for wishes in [
            vec![(50, 20)],
            vec![(105, 20), (104, 30), (20, 20)],
            vec![(12, 20); 5],
            vec![(60, 10), (60, 10), (61, 20)],
        ] {
            let middles = spread(&wishes, ends);
            let mut boxes: Vec<(i32, i32)> =
                middles.iter().zip(&wishes).map(|(m, (_, h))| (m - h / 2, m - h / 2 + h)).collect();
            boxes.sort_unstable();
            assert!(boxes.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{boxes:?}");
            assert!(boxes.iter().all(|(top, bottom)| *top >= ends.0 && *bottom <= ends.1), "{boxes:?}");
        }
        assert_eq!(spread(&[(50, 20), (80, 20)], ends), [50, 80]);
    }
}
