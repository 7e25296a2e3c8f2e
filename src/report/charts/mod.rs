//! The charts of a report, drawn as SVG.
//!
//! Each is drawn twice, for a column of the width of a telephone and for a wide one, so that its letters have the same size in both.
//! The curve of a game stands beside its steps and is drawn once. Labels are broken into lines and never cut. Every colour is one
//! of [`Ink`]; the style sheet of the page exchanges them for others on a dark screen, and shades are the same ink thinned, which
//! suits both.

mod bars;
mod heat;
mod intervals;
mod lines;
mod scatter;

pub(super) use bars::bars;
pub(super) use heat::heat;
pub(super) use intervals::intervals;
pub(super) use lines::{Base, Mark, Plot, Series, lines, marked_lines};
pub(super) use scatter::scatter;

use super::ReportError;
use crate::numbers::Unit;
use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::fmt::Write as _;
use std::ops::Range;

/// The widths in which a chart is drawn, in pixels, with the class of each: the style sheet of the page shows the one that suits
/// the place of the chart.
const WIDTHS: [(&str, u32); 2] = [("narrow", NARROW), ("wide", 960)];
/// The width of a telephone.
const NARROW: u32 = 400;
/// The height of a line of text.
const LINE: u32 = 15;
/// The width of a letter. Capitals and [`WIDE`] ones count half as much again, and those of scripts with wide letters twice.
const LETTER: u32 = 7;
/// Letters and signs that are as wide as capitals.
const WIDE: &str = "mw@%&#+=<>~…×";
const FONT: &str = "sans-serif";
/// The library draws text a fifth smaller than it is told.
const SIZE: u32 = 15;

/// How many series one chart may hold.
pub(super) const SERIES: usize = 6;

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
    // Shaded cells of a table are darker there, so that the light numbers in them can be read.
    dark.push_str("svg rect:not([opacity=\"1\"]) { fill-opacity: .75 }\n");
    format!("{light}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n")
}

/// The smallest range that holds all of these but open ends, with room to spare; never empty.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let values = values.filter(|value| value.is_finite());
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

/// Where a chart is drawn.
type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The height of charts that do not grow with what they show.
fn usual_height(width: u32) -> u32 {
    if width > NARROW { 330 } else { 250 }
}

/// Draws in every width, each time on an empty canvas, and says the same in words.
fn draw(
    height: impl Fn(u32) -> u32,
    alt: &str,
    paint: impl Fn(&Canvas<'_>, u32) -> Result<(), ReportError>,
) -> Result<String, ReportError> {
    let in_width = |(class, width)| draw_once(class, (width, height(width)), alt, |area| paint(area, width));
    WIDTHS.into_iter().map(in_width).collect()
}

/// Draws in one width.
fn draw_once(
    class: &str,
    size: (u32, u32),
    alt: &str,
    paint: impl FnOnce(&Canvas<'_>) -> Result<(), ReportError>,
) -> Result<String, ReportError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        paint(&area)?;
        area.present()?;
    }
    // Inside a page no name space is needed, and what draws the text of a chart should not read it out bit by bit.
    let body = svg
        .find("<svg")
        .map_or("", |start| &svg[start..])
        .replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
    let head = format!("<svg class=\"{class}\" role=\"img\" aria-label=\"{}\" ", escaped(alt));
    Ok(body.replacen("<svg ", &head, 1))
}

/// A text as it may stand in an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// The text in lines of at most so many letters, broken behind blanks and punctuation where that is possible.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let letters = letters.max(4);
    let mut lines = vec![String::new()];
    for part in text.split_inclusive([' ', ',', ':', ';', '/', '_', '-']) {
        let mut part: &str = part;
        let line = lines.last().map_or("", String::as_str);
        if !line.is_empty() && length(&format!("{line}{}", part.trim_end())) > letters {
            lines.push(String::new());
        }
        while length(part.trim_end()) > letters {
            let ends = part.char_indices().map(|(at, _)| at).skip(1);
            let cut = ends.take_while(|&at| length(&part[..at]) <= letters).last().unwrap_or(part.len());
            lines.last_mut().expect("there is a line").push_str(&part[..cut]);
            lines.push(String::new());
            part = &part[cut..];
        }
        lines.last_mut().expect("there is a line").push_str(part);
    }
    lines
}

/// How many letters a text is as wide as.
fn length(text: &str) -> usize {
    let wide = text.chars().filter(|&letter| letter.is_uppercase() || WIDE.contains(letter)).count();
    console::measure_text_width(text) + wide.div_ceil(2)
}

/// How many letters fit into so many pixels.
fn letters(pixels: u32) -> usize {
    (pixels / LETTER) as usize
}

/// The labels in lines of at most so many pixels, and the pixels that the widest line takes.
fn fitted(labels: &[String], pixels: u32) -> (Vec<Vec<String>>, u32) {
    let lines: Vec<Vec<String>> = labels.iter().map(|label| wrapped(label, letters(pixels))).collect();
    let widest = lines.iter().flatten().map(|line| length(line.trim_end())).max().unwrap_or(0);
    (lines, widest as u32 * LETTER)
}

/// Writes lines of text one under the other, the middle of them at this place, in pixels.
fn write_lines(
    area: &Canvas<'_>,
    lines: &[String],
    (x, middle): (i32, i32),
    side: HPos,
) -> Result<(), ReportError> {
    let style = text_style(SIZE).pos(Pos::new(side, VPos::Center));
    let first = middle - (lines.len() as i32 - 1) * LINE as i32 / 2;
    for (i, line) in lines.iter().enumerate() {
        area.draw(&Text::new(
            line.trim_end().to_owned(),
            (x, first + i as i32 * LINE as i32),
            style.clone(),
        ))?;
    }
    Ok(())
}

/// What is written at the ticks of an axis: as many decimals as steps between about so many ticks need.
fn tick_text(unit: Unit, range: &Range<f64>, ticks: usize) -> impl Fn(&f64) -> String {
    let (factor, sign) = match unit {
        Unit::Share => (100.0, " %"),
        Unit::Plain => (1.0, ""),
    };
    let step = (range.end - range.start) * factor / ticks as f64;
    let decimals = if step > 0.0 { (-step.log10().floor()).clamp(0.0, 8.0) as usize } else { 0 };
    move |value| {
        let text = format!("{:.decimals$}", value * factor);
        let text = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        let text = if text == "-0" { "0" } else { text };
        format!("{}{sign}", text.replace('-', "\u{2212}"))
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

    /// The decimal logarithms of numbers between these, with a tick at each 1, 2 and 5 of a power of ten, or at fewer places where
    /// there would be more than `most`. One tick alone tells no scale.
    fn factors(low: f64, high: f64, most: usize) -> Self {
        let range = low.log10()..high.log10();
        let (start, end) = (range.start.floor() as i32, range.end.ceil() as i32);
        let at = |digits: &'static [f64], every: usize| -> Vec<f64> {
            let powers = (start..=end).step_by(every);
            let ticks =
                powers.flat_map(|power| digits.iter().map(move |digit| digit.log10() + f64::from(power)));
            ticks.filter(|tick| range.contains(tick)).collect()
        };
        let choices: [(&[f64], usize); 6] = [
            (&[1.0, 2.0, 5.0], 1),
            (&[1.0, 3.0], 1),
            (&[1.0], 1),
            (&[1.0], 2),
            (&[1.0], 4),
            (&[1.0, 2.0, 3.0, 5.0], 1),
        ];
        let choose = |least: usize| {
            let mut ticks = choices.into_iter().map(|(digits, every)| at(digits, every));
            ticks.find(|ticks| (least..=most).contains(&ticks.len()))
        };
        let ticks = choose(2).or_else(|| choose(0)).unwrap_or_default();
        Self { ticks, range }
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
    use super::super::estimate::Estimate;
    use super::super::label::Label;
    use super::*;
    use crate::numbers::Unit;

    /// What cannot fill an axis is drawn all the same: one point, equal values, nothing.
    #[test]
    fn odd_data_is_drawn() {
        let point = |value| Estimate { label: Label::named("a<b & \"c\""), value, ..Estimate::default() };
        let one = [Series { label: "a".to_owned(), points: vec![(1.0, 2.0)] }];
        for drawn in [
            intervals((&[point(0.0)], &[point(0.0)]), Unit::Share, None, "one \"value\" <here>").unwrap(),
            intervals((&[], &[]), Unit::Plain, None, "").unwrap(),
            lines(&one, &[], &Plot::of(one.iter(), [].iter(), Base::Zero, None), ("x", Unit::Plain), "")
                .unwrap(),
            bars(&["a".to_owned()], &[vec![0.0]], ("", Unit::Share), "").unwrap(),
            heat((&["a".to_owned()], &["b".to_owned()]), &[vec![None]], Unit::Share, "").unwrap(),
            scatter(&[(3.0, point(1.0))], ("x", Unit::Plain), "").unwrap(),
        ] {
            assert!(
                drawn.starts_with("<svg class=\"narrow\" role=\"img\"")
                    && drawn.trim_end().ends_with("</svg>"),
                "{drawn}"
            );
            assert!(!drawn.contains("NaN") && !drawn.contains("http") && !drawn.contains("<b "), "{drawn}");
        }
    }
    /// No letter of a label is lost, and no line is longer than there is room for.
    #[test]
    fn labels_are_broken_and_not_cut() {
        let name = "rule:policy=net,leaf=hand · seat 3, one_word_without_an_end_that_anybody_could_see";
        for room in [6, 12, 30, 200] {
            let lines = wrapped(name, room);
            assert_eq!(lines.concat(), name);
            assert!(lines.iter().all(|line| line.trim_end().chars().count() <= room), "{lines:?}");
        }
        assert_eq!(wrapped("fast · health=15", 10), ["fast · ", "health=15"]);
        // What is wide takes the room of more letters.
        assert_eq!(wrapped("日本語日本語", 8), ["日本語日", "本語"]);
        assert_eq!(wrapped("HOUSE_RULES", 8), ["HOUSE", "_", "RULES"]);
        assert_eq!(wrapped("command=bot", 11), ["command=b", "ot"]);
        assert_eq!(fitted(&["exec:command=python3".to_owned()], 160).1, 22 * LETTER);
    }

    /// An axis of factors has no more ticks than there is room for, and where it can be not one alone.
    #[test]
    fn axes_of_factors_show_their_scale() {
        let ticks = |low, high, most| -> Vec<f64> {
            let ticks = Ticks::factors(low, high, most).ticks.into_iter();
            ticks.map(|tick| 10_f64.powf(tick).round()).collect()
        };
        assert_eq!(ticks(1.25, 80.0, 9), [2.0, 5.0, 10.0, 20.0, 50.0]);
        assert_eq!(ticks(1.25, 80.0, 4), [3.0, 10.0, 30.0]);
        assert_eq!(ticks(1.1, 4.6, 4), [2.0, 3.0]);
        assert_eq!(ticks(0.5, 2e6, 4), [10.0, 1000.0, 1e5]);
    }

    /// Ticks close to each other are told apart.
    #[test]
    fn ticks_have_the_decimals_they_need() {
        let text = |unit, range: Range<f64>, value: f64| tick_text(unit, &range, 5)(&value);
        assert_eq!(text(Unit::Share, 0.990..0.992, 0.9905), "99.05 %");
        assert_eq!(text(Unit::Share, 0.0..1.0, 0.2), "20 %");
        assert_eq!(text(Unit::Plain, -3.0..3.0, -1.0), "\u{2212}1");
        assert_eq!(text(Unit::Plain, 1000.0..2000.0, 1200.0), "1200");
    }
}
