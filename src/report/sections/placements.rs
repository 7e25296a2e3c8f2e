//! Where players of columns place their dice.

use crate::numbers::Unit;
use crate::report::ReportError;
use crate::report::charts;
use crate::report::page::{Rank, Section};
use crate::report::parts::{Figure, ShownTable};
use crate::report::rows::{Row, distinct, groups, labels};
use serde_json::Value;

/// The table, which runs of columns write beside those of every game.
pub(super) const FILE: &str = "placements.csv";

/// A share of fewer offers says little.
const LEAST: f64 = 30.0;

/// Leads of the own column in cards, as they are shown.
const LEADS: [&str; 9] = ["-4", "-3", "-2", "-1", "+0", "+1", "+2", "+3", "+4"];

/// A way to look at a pair of columns: its name, what it tells of a row, and its values in order where it has one.
struct Look {
    name: &'static str,
    of: fn(&Row<'_>) -> String,
    order: &'static [&'static str],
}

const LOOKS: [Look; 2] = [
    Look {
        name: "state of the own column / the opponent's",
        of: |row| format!("{}/{}", row.text("own_state"), row.text("opp_state")),
        order: &[],
    },
    Look {
        name: "lead of the own column in cards, to 4",
        of: |row| {
            let lead = row.number("own_length").unwrap_or(0.0) - row.number("opp_length").unwrap_or(0.0);
            format!("{:+}", lead.clamp(-4.0, 4.0))
        },
        order: &LEADS,
    },
];

/// Who does what chance would do.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Chance {
    /// Scatters the dice.
    Scatters,
    /// Plays at random, which comes near.
    Plays,
}

impl Chance {
    /// By the agent's own name and options: its label may name others, and folders.
    fn of(row: &Row<'_>) -> Option<Self> {
        let agent = row.agent()?;
        match agent.options.get("placement").and_then(Value::as_str) {
            Some("random") => Some(Self::Scatters),
            _ => (agent.name == "random").then_some(Self::Plays),
        }
    }
}

/// The shares of each place, and how they compare with chance.
pub(super) fn section(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let agents = groups(rows, &labels(rows, &["agent"], &[]));
    let mut dice = distinct(rows.iter().map(|row| row.text("die")));
    dice.sort();
    let chances: Vec<Option<Chance>> = agents.iter().map(|(_, rows)| Chance::of(&rows[0])).collect();
    let chance_for = |own: &[Row<'_>]| {
        let same_rules = |place: &usize| agents[*place].1[0].settings() == own[0].settings();
        let places = (0..agents.len()).filter(|&place| chances[place].is_some()).filter(same_rules);
        places.min_by_key(|&place| chances[place])
    };
    let mut figures = Vec::new();
    for look in LOOKS {
        let texts: Vec<String> = rows.iter().map(look.of).collect();
        let mut values = distinct(texts.iter().map(String::as_str));
        values.sort_by_key(|value| look.order.iter().position(|known| known == value));
        let names = (&values[..], &dice[..]);
        let cells: Vec<Cells> = agents.iter().map(|(_, rows)| shares(rows, names, look.of)).collect();
        for ((label, _), cells) in agents.iter().zip(&cells) {
            let title = format!("{label}: where a die went, % of its offers");
            figures.extend(heat(&title, look.name, names, cells, 0.0)?);
        }
        for (i, ((label, rows), own)) in agents.iter().zip(&cells).enumerate() {
            let Some(chance) = chance_for(rows).filter(|&chance| chance != i) else { continue };
            let ratio = |(a, b): (&Option<f64>, &Option<f64>)| Some((*a)? / (*b).filter(|&b| b > 0.0)?);
            let line = |(a, b): (&Vec<Option<f64>>, &Vec<Option<f64>>)| a.iter().zip(b).map(ratio).collect();
            let ratios: Cells = own.iter().zip(&cells[chance]).map(line).collect();
            let title = format!("{label}: as a multiple of chance");
            figures.extend(heat(&title, look.name, names, &ratios, 1.0)?);
        }
    }
    let note = "A row for each look of a pair, a column for each number of eyes; 0 is no die. A placement offers a die once to every \
                pair of other lengths or states. Shares depend on how many such pairs there are: compare players in the same cell. \
                Cells with fewer than 30 offers are empty, and charts without a value are left out.";
    let tables = ShownTable::raw(FILE, rows).into_iter().collect();
    Ok(Section {
        title: "Where the dice go".to_owned(),
        rank: Rank::Detail,
        note,
        figures,
        tables,
        ..Section::default()
    })
}

/// Values by row and column of a chart; none where too little is known.
type Cells = Vec<Vec<Option<f64>>>;

/// The chart of these cells; none where all of them are empty.
fn heat(
    title: &str,
    what: &str,
    (looks, dice): (&[String], &[String]),
    cells: &Cells,
    neutral: f64,
) -> Result<Option<Figure>, ReportError> {
    let unit = if neutral == 0.0 { Unit::Share } else { Unit::Plain };
    let mut best: Option<(f64, usize, usize)> = None;
    for (r, row) in cells.iter().enumerate() {
        for (c, value) in row.iter().enumerate() {
            if let Some(value) = *value
                && best.is_none_or(|(most, ..)| value > most)
            {
                best = Some((value, r, c));
            }
        }
    }
    let Some((value, r, c)) = best else { return Ok(None) };
    let best = format!("most is {} with die {} at {}", unit.text(value), dice[c], looks[r]);
    let alt = format!("{title}, by {what} and eyes; {best}");
    let shaded: Vec<Vec<_>> =
        cells.iter().map(|row| row.iter().map(|value| Some(((*value)?, neutral))).collect()).collect();
    let svg = charts::heat((looks, dice), &shaded, unit, &alt)?;
    Ok(Some(Figure::new(format!("{title}, by {what}"), svg)))
}

/// The share of the offers that were taken, for each look and die; none where few were made.
fn shares(rows: &[Row<'_>], (looks, dice): (&[String], &[String]), look: fn(&Row<'_>) -> String) -> Cells {
    let mut counts = vec![vec![(0.0, 0.0); dice.len()]; looks.len()];
    for row in rows {
        let (name, die) = (look(row), row.text("die"));
        let place = |names: &[String], name: &str| names.iter().position(|known| known == name);
        if let (Some(r), Some(c)) = (place(looks, &name), place(dice, die)) {
            counts[r][c].0 += row.number("placed").unwrap_or(0.0);
            counts[r][c].1 += row.number("offered").unwrap_or(0.0);
        }
    }
    let share = |(placed, offered): &(f64, f64)| (*offered >= LEAST).then(|| placed / offered);
    counts.iter().map(|row| row.iter().map(share).collect()).collect()
}
