//! What a page says first: results as sentences, with what can be said of their differences and nothing more.
//!
//! What stands between backticks is shown as code.

use super::estimate::Estimate;
use super::label::{Label, bracketed};
use super::rows::{Row, groups};
use crate::numbers::{self, Unit, plain};
use crate::stats::Interval;
use maud::{Markup, html};

/// So many sentences of a kind stand on top of a page.
const MOST: usize = 4;

/// What players do with a quantity.
#[derive(Copy, Clone, Debug)]
pub(super) struct Verb {
    pub does: &'static str,
    /// What is counted by it.
    pub unit: Unit,
}

impl Verb {
    /// How often somebody wins.
    pub const WINS: Self = Self { does: "wins", unit: Unit::Share };
    /// How many points somebody gets.
    pub const SCORES: Self = Self { does: "scores", unit: Unit::Plain };

    /// The verb for a measure of games.
    pub fn of(unit: Unit) -> Self {
        if unit == Unit::Share { Self::WINS } else { Self::SCORES }
    }
}

/// The unit of differences, and the factor to it.
fn points(unit: Unit) -> (&'static str, f64) {
    match unit {
        Unit::Share => ("percentage points", 100.0),
        Unit::Plain => ("points", 1.0),
    }
}

/// The same in points: of shares in percentage points.
pub(super) fn in_points(estimate: &Estimate, unit: Unit) -> String {
    with_side(estimate, points(unit))
}

/// So many times an estimate in a unit of this name. The interval tells on which side of 0 it lies.
fn with_side(estimate: &Estimate, (name, factor): (&str, f64)) -> String {
    let ends = estimate.ends.map(|(low, high)| (low * factor, high * factor));
    let scaled = Estimate { value: estimate.value * factor, ends, ..estimate.clone() };
    let text = match scaled.ends {
        Some((low, high)) => {
            let (value, interval) = numbers::difference(scaled.value, Interval { low, high });
            format!("{value} ({interval})").replace('-', "\u{2212}")
        }
        None => scaled.text(Unit::Plain),
    };
    match text.split_once(' ') {
        Some((value, interval)) => format!("{value} {name} {interval}"),
        None => format!("{text} {name}"),
    }
}

/// The same of a measure of results: points of the game, or per cent of a win.
pub(super) fn in_results(estimate: &Estimate, unit: Unit) -> String {
    match unit {
        Unit::Share => with_side(estimate, ("% of a win", 100.0)),
        Unit::Plain => in_points(estimate, unit),
    }
}

/// A text as code. A backtick of its own would end it.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", unquoted(text))
}

/// A text without backticks, which would begin or end code in a sentence.
pub(super) fn unquoted(text: &str) -> String {
    text.replace('`', "'")
}

/// The names of a label as code.
fn names(label: &Label) -> String {
    label.names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ")
}

/// A label in a sentence: the name as code, what tells it apart in brackets.
pub(super) fn called(label: &Label) -> String {
    names(label) + &label.in_brackets()
}

/// How players do. Where all play by the same rules, in the same seat and with the same others, from the best down; where some do,
/// the best of each such group; else the lowest and the highest of each player, as far as rules and others are the same.
pub(super) fn strengths(estimates: &[Estimate], verb: Verb) -> Vec<String> {
    let all: Vec<&Estimate> = estimates.iter().collect();
    let table = |own: &&Estimate| (own.label.apart(), own.others.clone());
    let alike = groups(&all, &all.iter().map(table).collect::<Vec<_>>());
    if let [(_, only)] = &alike[..] {
        return limited(ranked(only, verb));
    }
    if alike.iter().any(|(_, group)| group.len() > 1) {
        return limited(
            alike.iter().filter_map(|(_, group)| ranked(group, verb).into_iter().next()).collect(),
        );
    }
    let player = |own: &&Estimate| names(&own.label) + &bracketed(&own.label.settings.join(", "));
    let mut told = Vec::new();
    for (player, own) in groups(&all, &all.iter().map(player).collect::<Vec<_>>()) {
        let tables = groups(&own, &own.iter().map(|own| opponents(own)).collect::<Vec<_>>());
        for (others, own) in &tables {
            let others =
                if tables.len() > 1 { format!(", with {others} in the other seats,") } else { String::new() };
            told.extend(span(own, verb).map(|ends| format!("{player}{others} {} {ends}.", verb.does)));
        }
    }
    limited(told)
}

/// Who else sits at the table, in whatever order.
fn opponents(estimate: &Estimate) -> String {
    let mut agents: Vec<String> = estimate.others.values().map(|agent| code(agent)).collect();
    agents.sort();
    agents.join(", ")
}

/// The lowest and the highest of a player's values, and where they were reached if they differ.
fn span(own: &[&Estimate], verb: Verb) -> Option<String> {
    let at = |estimate: &Estimate| {
        let Label { columns, further, .. } = &estimate.label;
        // A run is no place at a table.
        let place = match (&columns[..], &further[..]) {
            ([], []) => String::new(),
            ([], [seed_or_size, ..]) if seed_or_size.contains(' ') => {
                format!(" in the run with {}", further.join(", "))
            }
            ([], run) => format!(" in the run {}", run.join(", ")),
            ([first, rest @ ..], run) => {
                format!(" at {first}{}", bracketed(&[rest, run].concat().join(", ")))
            }
        };
        format!("{}{place}", estimate.text(verb.unit))
    };
    range(own.iter().copied(), |own| own, at, verb)
}

/// The lowest and the highest of some estimates, each with its place where they differ by intervals that hold for all pairs together.
/// Elsewhere a place would claim a difference that is not shown. One, or several that read alike, are no range.
fn range<'a, T: Copy>(
    all: impl Iterator<Item = T> + Clone,
    estimate: impl Fn(T) -> &'a Estimate,
    at: impl Fn(T) -> String,
    verb: Verb,
) -> Option<String> {
    let order = |a: &T, b: &T| estimate(*a).value.total_cmp(&estimate(*b).value);
    // Of equal ones the first, which `max_by` does not give.
    let (lowest, highest) = (all.clone().min_by(order)?, all.clone().min_by(|a, b| order(b, a))?);
    let text = |own| estimate(own).text(verb.unit);
    let [low, high] = [lowest, highest].map(text);
    let value = |text: &str| text.split_once(" (").map_or(text, |(value, _)| value).to_owned();
    let count = all.clone().count();
    let (is_apart, is_far) = {
        let (lowest, highest) = (estimate(lowest), estimate(highest));
        (lowest.is_apart(highest), lowest.is_apart_among(highest, count))
    };
    Some(match count {
        1 => at(lowest),
        _ if all.map(text).all(|text| text == low) => format!("{low} throughout"),
        _ if is_far => format!("from {} to {}", at(lowest), at(highest)),
        _ if is_apart => format!("between {low} and {high}, as chance may spread {count} that are equal"),
        _ if [lowest, highest].iter().any(|&end| estimate(end).ends.is_none()) => {
            format!("between {low} and {high}, without intervals to compare")
        }
        _ if value(&low) == value(&high) => format!("{} throughout, by intervals that overlap", value(&low)),
        _ => format!("between {low} and {high}, whose intervals overlap"),
    })
}

/// Players from the best down, each compared with the next. A difference is told only where the intervals do not touch.
fn ranked(estimates: &[&Estimate], verb: Verb) -> Vec<String> {
    let mut sorted: Vec<&Estimate> = estimates.to_vec();
    sorted.sort_by(|a, b| b.value.total_cmp(&a.value));
    let sentence = |(place, own): (usize, &&Estimate)| {
        let own: &Estimate = own;
        let said = format!("{} {} {}", called(&own.label), verb.does, own.text(verb.unit));
        let Some(next) = sorted.get(place + 1) else { return format!("{said}.") };
        if own.ends.and(next.ends).is_none() {
            return format!("{said}.");
        }
        let (name, factor) = points(verb.unit);
        let more = plain((own.value - next.value) * factor);
        let apart = own.is_apart(next);
        let next = called(&next.label);
        if apart {
            format!("{said}, {more} {name} more than {next}.")
        } else {
            format!("{said}; the interval of {next} overlaps with it.")
        }
    };
    sorted.iter().enumerate().map(sentence).collect()
}

/// The lowest and the highest of estimates along an option: what they say of the whole line.
pub(super) fn along(label: &Label, option: &str, points: &[(f64, Estimate)], verb: Verb) -> Option<String> {
    let at = |(at, value): &(f64, Estimate)| format!("{} with {option} {at}", value.text(verb.unit));
    let is_named = !label.names.is_empty();
    let who = if is_named { format!("{} {} ", called(label), verb.does) } else { String::new() };
    let ends = range(points.iter(), |(_, value)| value, at, verb)?;
    Some(format!("{who}{ends}."))
}

/// How two differ in a measure on the same deals, or that no difference in it is shown, and then the one in the other measure if
/// that is shown.
pub(super) fn difference(
    agents: [&str; 2],
    (measure, more, verb): (&str, &Estimate, Verb),
    other: Option<(&Estimate, Verb)>,
) -> String {
    if let Some(more) = clear(agents, more, verb) {
        return format!("{more} on the same deals.");
    }
    let ([a, b], range) = (agents.map(code), in_points(more, verb.unit));
    if more.ends.is_none() {
        return format!("{a} less {b}: {range} on the same deals, without an interval to tell more.");
    }
    let other = other.and_then(|(more, verb)| clear(agents, more, verb));
    let other = other.map_or_else(String::new, |more| format!(", but {more}"));
    format!("{a} and {b}: no difference in {measure} is shown on the same deals, {range}{other}.")
}

/// Who has how much more, where the interval leaves out 0.
fn clear(agents: [&str; 2], more: &Estimate, verb: Verb) -> Option<String> {
    let (low, high) = more.ends?;
    let [a, b] = agents.map(code);
    let (a, b, more) = if more.value < 0.0 { (b, a, more.turned()) } else { (a, b, more.clone()) };
    (low > 0.0 || high < 0.0)
        .then(|| format!("{a} {} {} more than {b}", verb.does, in_points(&more, verb.unit)))
}

/// The estimate in these columns of the first row in which a column has this text.
pub(super) fn found(rows: &[Row<'_>], (column, text): (&str, &str), columns: [&str; 3]) -> Option<Estimate> {
    let row = rows.iter().find(|row| row.text(column) == text)?;
    Some(Estimate { label: Label::named(row.text("agent")), ..Estimate::of(row, columns)? })
}

/// The first sentences, and how many more there are.
pub(super) fn limited(mut sentences: Vec<String>) -> Vec<String> {
    let more = sentences.len().saturating_sub(MOST);
    if more > 1 {
        sentences.truncate(MOST);
        sentences.push(format!("{more} more below."));
    }
    sentences
}

/// A sentence as HTML.
pub(super) fn inline(sentence: &str) -> Markup {
    html! {
        @for (place, part) in sentence.split('`').enumerate() {
            @if place % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An estimate with a name, and what tells it apart.
    fn estimate(label: &str, value: f64, half: f64) -> Estimate {
        let mut parts = label.split(" · ").map(ToOwned::to_owned);
        let names = parts.by_ref().take(1).collect();
        let label = Label { names, columns: parts.collect(), ..Label::default() };
        Estimate { label, value, ends: Some((value - half, value + half)), ..Estimate::default() }
    }

    /// A difference is told where intervals are apart, and only there.
    #[test]
    fn only_what_is_shown_is_said() {
        let all =
            [estimate("rule", 0.785, 0.01), estimate("mcts", 0.91, 0.004), estimate("fast", 0.906, 0.004)];
        assert_eq!(
            strengths(&all, Verb::WINS),
            [
                "`mcts` wins 91.00 % (90.60 to 91.40); the interval of `fast` overlaps with it.",
                "`fast` wins 90.60 % (90.20 to 91.00), 12.1 percentage points more than `rule`.",
                "`rule` wins 78.5 % (77.5 to 79.5)."
            ]
        );
        let unknown = Estimate { ends: None, ..estimate("rule", 0.5, 0.0) };
        assert_eq!(
            strengths(&[estimate("mcts", 0.91, 0.004), unknown], Verb::WINS),
            ["`mcts` wins 91.00 % (90.60 to 91.40).", "`rule` wins 50 %."]
        );
        let (a, b) = ("`a`", "`b`");
        assert_eq!(
            difference(["a", "b"], ("wins", &estimate("", -0.115, 0.02), Verb::WINS), None),
            format!("{b} wins 11.5 percentage points (9.5 to 13.5) more than {a} on the same deals.")
        );
        let single = Estimate { ends: None, ..estimate("", 1.0, 0.0) };
        assert_eq!(
            difference(["a", "b"], ("wins", &single, Verb::WINS), None),
            format!(
                "{a} less {b}: 100 percentage points on the same deals, without an interval to tell more."
            )
        );
        let equal = ("wins", &estimate("", 0.0, 0.11), Verb::WINS);
        let points = |value| Some((estimate("", value, 2.5), Verb::SCORES));
        for (points, rest) in [
            (None, ""),
            (points(1.0), ""),
            (points(-4.0), ", but `b` scores 4.0 points (1.5 to 6.5) more than `a`"),
        ] {
            let points = points.as_ref().map(|(more, verb)| (more, *verb));
            assert_eq!(
                difference(["a", "b"], equal, points),
                format!(
                    "{a} and {b}: no difference in wins is shown on the same deals, \
                     0 percentage points (\u{2212}11 to 11){rest}."
                )
            );
        }
    }

    /// Where a player's lowest and highest intervals touch, or are missing, no place is said to be better than another.
    #[test]
    fn ranges_that_are_not_shown_name_no_place() {
        let seat = |seat, value, half| estimate(&format!("rule · seat {seat}"), value, half);
        assert_eq!(
            strengths(&[seat(0, 0.3, 0.15), seat(1, 0.21, 0.12), seat(2, 0.25, 0.01)], Verb::WINS),
            ["`rule` wins between 21 % (9 to 33) and 30 % (15 to 45), whose intervals overlap."]
        );
        let single = |place, value| Estimate { ends: None, ..seat(place, value, 0.0) };
        for other in [single(1, 9.0), seat(1, 9.0, 1.0)] {
            let told = &strengths(&[single(0, 4.0), other], Verb::SCORES)[0];
            assert!(told.ends_with(", without intervals to compare.") && !told.contains("seat"), "{told}");
        }
        let points = [(18.0, estimate("", 0.8, 0.1)), (19.0, estimate("", 0.7, 0.1))];
        assert_eq!(
            along(&Label::named("rule"), "health", &points, Verb::WINS).unwrap(),
            "`rule` wins between 70 % (60 to 80) and 80 % (70 to 90), whose intervals overlap."
        );
        // The ends of many are further apart than two that were chosen before.
        let many = |count: usize, half| {
            let value = |place: usize| 0.5 + 0.04 * place as f64 / (count - 1) as f64;
            let all: Vec<Estimate> = (0..count)
                .map(|place| estimate(&format!("rule · seat {place}"), value(place), half))
                .collect();
            strengths(&all, Verb::WINS).remove(0)
        };
        assert!(many(2, 0.015).ends_with("at seat 1."), "{}", many(2, 0.015));
        assert!(many(7, 0.015).ends_with("as chance may spread 7 that are equal."), "{}", many(7, 0.015));
        assert!(many(7, 0.012).ends_with("at seat 6."), "{}", many(7, 0.012));
    }

    /// Players are compared by the same rules and in the same seat, and only there.
    #[test]
    fn like_is_compared_with_like() {
        let all = [
            estimate("rule · health=15", 0.3, 0.01),
            estimate("rule", 0.8, 0.01),
            estimate("mcts · health=15", 0.5, 0.01),
            estimate("mcts", 0.91, 0.01),
        ];
        assert_eq!(
            strengths(&all, Verb::WINS),
            [
                "`mcts` (health=15) wins 50.0 % (49.0 to 51.0), 20 percentage points more than `rule` (health=15).",
                "`mcts` wins 91.0 % (90.0 to 92.0), 11 percentage points more than `rule`."
            ]
        );
        assert_eq!(
            strengths(
                &[estimate("rule · seat 0", 0.52, 0.01), estimate("rule · seat 1", 0.48, 0.01)],
                Verb::WINS
            ),
            ["`rule` wins from 48.0 % (47.0 to 49.0) at seat 1 to 52.0 % (51.0 to 53.0) at seat 0."]
        );
    }

    /// A rate of wins belongs to a whole table: the same agent among weaker ones wins more.
    #[test]
    fn other_opponents_are_not_compared() {
        let among = |label: &str, value, others: &str| Estimate {
            others: [("1".to_owned(), others.to_owned())].into(),
            ..estimate(label, value, 0.01)
        };
        assert_eq!(
            strengths(&[among("greedy", 0.43, "random"), among("rule", 0.25, "rule")], Verb::WINS),
            ["`greedy` wins 43.0 % (42.0 to 44.0).", "`rule` wins 25.0 % (24.0 to 26.0)."]
        );
        assert_eq!(
            strengths(&[among("greedy", 0.43, "random"), among("rule", 0.60, "random")], Verb::WINS)[0],
            "`rule` wins 60.0 % (59.0 to 61.0), 17 percentage points more than `greedy`."
        );
    }

    /// A range is of one player by the same rules and among the same others.
    #[test]
    fn ranges_span_seats_alone() {
        let seat = |seat: usize, settings: &str, value, others: [&str; 2]| Estimate {
            label: Label {
                columns: vec![format!("seat {seat}")],
                settings: vec![settings.to_owned()],
                further: vec!["cell".to_owned()],
                ..Label::named("rule")
            },
            others: [0, 1, 2]
                .into_iter()
                .filter(|&other| other != seat)
                .map(|other| other.to_string())
                .zip(others.map(ToOwned::to_owned))
                .collect(),
            ..estimate("", value, 0.01)
        };
        let told = strengths(
            &[
                seat(0, "cards=1", 0.52, ["rule", "fast"]),
                seat(1, "cards=1", 0.48, ["fast", "rule"]),
                seat(2, "cards=1", 0.30, ["fast", "fast"]),
                seat(0, "cards=7", 0.60, ["rule", "rule"]),
            ],
            Verb::WINS,
        );
        assert_eq!(
            told,
            [
                "`rule` (cards=1), with `fast`, `rule` in the other seats, wins from 48.0 % (47.0 to 49.0) at seat 1 (cell) \
                 to 52.0 % (51.0 to 53.0) at seat 0 (cell).",
                "`rule` (cards=1), with `fast`, `fast` in the other seats, wins 30.0 % (29.0 to 31.0) at seat 2 (cell).",
                "`rule` (cards=7) wins 60.0 % (59.0 to 61.0) at seat 0 (cell)."
            ]
        );
    }

    /// A line over an option is told by its lowest and its highest point, wherever they lie.
    #[test]
    fn lines_are_told_by_their_ends() {
        let points = [
            (18.0, estimate("", 0.8, 0.01)),
            (19.0, estimate("", 0.7, 0.01)),
            (20.0, estimate("", 0.9, 0.01)),
        ];
        assert_eq!(
            along(&Label::named("rule"), "health", &points, Verb::WINS).unwrap(),
            "`rule` wins from 70.0 % (69.0 to 71.0) with health 19 to 90.0 % (89.0 to 91.0) with health 20."
        );
        // Of equal ends the first is told.
        let same = [(18, 0.7), (19, 0.7), (20, 0.9), (21, 0.9)];
        let same = same.map(|(at, value)| (f64::from(at), estimate("", value, 0.01)));
        let told = along(&Label::named("rule"), "health", &same, Verb::WINS).unwrap();
        assert!(told.contains(" with health 18 to ") && told.ends_with(" with health 20."), "{told}");
        assert_eq!(
            along(&Label::named("rule"), "health", &points[..1], Verb::WINS).unwrap(),
            "`rule` wins 80.0 % (79.0 to 81.0) with health 18."
        );
        assert_eq!(along(&Label::named("rule"), "health", &[], Verb::WINS), None);
        // A range from 70 % to 70 % would be none.
        let alike = [(18.0, estimate("", 0.7, 0.01)), (19.0, estimate("", 0.700_001, 0.01))];
        assert_eq!(
            along(&Label::named("rule"), "health", &alike, Verb::WINS).unwrap(),
            "`rule` wins 70.0 % (69.0 to 71.0) throughout."
        );
    }

    /// Names are code, and nothing in them is HTML.
    #[test]
    fn names_are_code() {
        assert_eq!(inline("`a<b` wins & `c`").into_string(), "<code>a&lt;b</code> wins &amp; <code>c</code>");
        let script = Label::named("exec:o`t.py");
        assert_eq!(called(&script), "`exec:o't.py`", "a backtick does not turn code and text around");
        let parts = |parts: &[&str]| parts.iter().map(|&part| part.to_owned()).collect::<Vec<_>>();
        let settings = parts(&["health=15", "weapon_limit=below"]);
        let seat = Label { columns: parts(&["seat 1"]), settings, ..Label::named("a · b") };
        assert_eq!(called(&seat), "`a · b` (seat 1, health=15, weapon_limit=below)");
        assert_eq!(seat.to_string(), "a · b · seat 1 · health=15, weapon_limit=below");
        assert_eq!(limited(vec![String::new(); 5]).len(), 5);
        assert_eq!(limited(vec![String::new(); 9])[4], "5 more below.");
    }
}
