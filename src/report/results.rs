//! What players reached and did.

use super::ReportError;
use super::charts::{self, SERIES, Series};
use super::folder::{Row, labels};
use super::number::{Estimate, Unit};
use super::sections::{Figure, Section, Shown};
use super::solved::groups;
use std::collections::BTreeMap;

pub(super) const PLACEMENTS: &str = "placements.csv";

/// More lines make one chart too long.
const LINES: usize = 30;
/// A chart of scores has about so many steps.
const STEPS: f64 = 40.0;
/// So few different scores are shown one by one.
const FEW: usize = 20;
/// A share of fewer placements says little.
const LEAST: f64 = 30.0;
/// A chart of counts has at most so many keys.
const KEYS: usize = 60;

fn estimate(label: &str, row: &Row<'_>, [value, low, high]: [&str; 3]) -> Option<Estimate> {
    let ends = row.number(low).zip(row.number(high));
    Some(Estimate { label: label.to_owned(), value: row.number(value)?, ends })
}

const WINS: [&str; 3] = ["win_rate", "win_low", "win_high"];
const SCORES: [&str; 3] = ["score_mean", "score_low", "score_high"];

/// Win rates and scores with their intervals.
pub(super) fn summary(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let labels = labels(rows, &["agent"], &["seat"]);
    let mut figures = Vec::new();
    for (title, columns, unit) in
        [("Win rate", WINS, Unit::Share), ("Mean score, points", SCORES, Unit::Plain)]
    {
        let lines: Vec<Estimate> =
            labels.iter().zip(rows).filter_map(|(label, row)| estimate(label, row, columns)).collect();
        for lines in lines.chunks(LINES) {
            let words: Vec<String> =
                lines.iter().map(|line| format!("{}: {}", line.label, line.text(unit))).collect();
            let svg = charts::intervals(lines, unit, None, &format!("{title}. {}", words.join("; ")))?;
            figures.push(Figure { title: title.to_owned(), svg, legend: Vec::new() });
        }
    }
    let text =
        |row: &Row<'_>, columns, unit| estimate("", row, columns).map_or_else(String::new, |e| e.text(unit));
    let number =
        |row: &Row<'_>, column| row.number(column).map_or_else(String::new, |value| Unit::Plain.text(value));
    let line = |(label, row): (&String, &Row<'_>)| {
        let spread = format!("{} to {}", number(row, "score_q05"), number(row, "score_q95"));
        let [wins, scores] = [text(row, WINS, Unit::Share), text(row, SCORES, Unit::Plain)];
        let [sd, median, moves] =
            ["score_sd", "score_median", "moves_mean"].map(|column| number(row, column));
        vec![label.clone(), row.text("games").to_owned(), wins, scores, sd, median, spread, moves]
    };
    let columns = [
        "agent",
        "games",
        "win rate (95 %)",
        "mean score (95 %)",
        "sd",
        "median",
        "5 % to 95 % quantile",
        "moves",
    ];
    let tables = if rows.is_empty() {
        Vec::new()
    } else {
        let shown = Shown::new("Summary", &columns, labels.iter().zip(rows).map(line).collect());
        vec![Shown { folded: false, ..shown }, Shown::raw("summary.csv", rows)]
    };
    let note = "Intervals are 95 %: Wilson's for rates, Student's t for means.";
    Ok(Section { title: "Results".to_owned(), note, figures, tables })
}

/// Win rate, or score where nobody can lose, against the time of a game.
pub(super) fn cost(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let wins = rows.iter().any(|row| row.number("win_rate").is_some_and(|rate| rate > 0.0 && rate < 1.0));
    let columns = if wins { WINS } else { SCORES };
    // The time of a game belongs to an agent only where nobody else plays.
    let alone = |row: &&Row<'_>| rows.iter().filter(|other| other.run().path == row.run().path).count() == 1;
    let single: Vec<Row<'_>> = rows.iter().filter(alone).copied().collect();
    let mut points = Vec::new();
    for (label, row) in labels(&single, &["agent"], &[]).into_iter().zip(&single) {
        let manifest = &row.run().manifest;
        let timing = &manifest["timing"];
        let finished = manifest["finished"].as_f64().filter(|&finished| finished > 0.0);
        let (Some(seconds), Some(threads), Some(finished)) =
            (timing["seconds"].as_f64(), timing["threads"].as_f64(), finished)
        else {
            continue;
        };
        let cost = seconds * threads / finished * 1000.0;
        points.extend(estimate(&label, row, columns).filter(|_| cost > 0.0).map(|estimate| (cost, estimate)));
    }
    let title = "What strength costs".to_owned();
    if points.len() < 2 {
        return Ok(Section::default());
    }
    let unit = if wins { Unit::Share } else { Unit::Plain };
    let axis = "milliseconds a game, all threads together";
    let words: Vec<String> = points
        .iter()
        .map(|(cost, e)| format!("{}: {} ms, {}", e.label, Unit::Plain.text(*cost), e.text(unit)))
        .collect();
    let svg = charts::scatter(&points, (axis, unit), &format!("{title}. {}", words.join("; ")))?;
    let what = if wins { "win rate (95 %)" } else { "mean score (95 %)" };
    let line = |(cost, e): &(f64, Estimate)| vec![e.label.clone(), Unit::Plain.text(*cost), e.text(unit)];
    let tables =
        vec![Shown::new(title.clone(), &["agent", "ms a game", what], points.iter().map(line).collect())];
    let figures = vec![Figure { title: format!("{what} against cost"), svg, legend: Vec::new() }];
    let note = "Times were taken while the games were played, on whatever else the machine had to do: read them as ratios.";
    Ok(Section { title, note, figures, tables })
}

/// How often each score came.
pub(super) fn scores(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let title = "Scores".to_owned();
    let all = groups(rows, &labels(rows, &["agent"], &["seat"]));
    let mut distinct: Vec<f64> = rows.iter().filter_map(|row| row.number("score")).collect();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    let (Some(&low), Some(&high)) = (distinct.first(), distinct.last()) else {
        return Ok(Section { title, ..Section::default() });
    };
    let few = distinct.len() <= FEW;
    let width = round_step((high - low) / STEPS);
    let step = |score: f64| match few {
        true => distinct.iter().position(|&known| known == score).unwrap_or(0),
        false => ((score - low) / width) as usize,
    };
    let edge = |i: usize| low + i as f64 * width;
    let name = |i: usize| match few {
        true => Unit::Plain.text(distinct[i]),
        false => format!("{} to below {}", Unit::Plain.text(edge(i)), Unit::Plain.text(edge(i + 1))),
    };
    let (mut figures, mut lines) = (Vec::new(), Vec::new());
    for group in all.chunks(SERIES) {
        let (mut series, mut words) = (Vec::new(), Vec::new());
        for (label, rows) in group {
            let pairs: Vec<(f64, f64)> =
                rows.iter().filter_map(|row| row.number("score").zip(row.number("games"))).collect();
            let games: f64 = pairs.iter().map(|pair| pair.1).sum();
            let mut shares = vec![0.0; if few { distinct.len() } else { step(high) + 1 }];
            for (score, count) in &pairs {
                shares[step(*score)] += count / games;
            }
            words.push(format!("{label}: {}", quantiles(pairs, games)));
            let filled = shares.iter().enumerate().filter(|(_, share)| **share > 0.0);
            lines.extend(filled.map(|(i, &share)| vec![label.clone(), name(i), Unit::Share.text(share)]));
            series.push(shares);
        }
        let alt = format!("Share of the games with each score. {}", words.join("; "));
        let legend: Vec<String> = group.iter().map(|(label, _)| label.clone()).collect();
        let (title, svg) = if few {
            let keys: Vec<String> = (0..distinct.len()).map(name).collect();
            (
                "Share of the games with each score".to_owned(),
                charts::bars(&keys, &series, Unit::Share, &alt)?,
            )
        } else {
            let flat = |shares: &Vec<f64>| {
                let steps = shares.iter().enumerate();
                steps.flat_map(|(i, &share)| [(edge(i), share), (edge(i + 1), share)]).collect()
            };
            let line =
                |(label, shares): (&String, &Vec<f64>)| Series { label: label.clone(), points: flat(shares) };
            let series: Vec<Series> = legend.iter().zip(&series).map(line).collect();
            let title = format!("Share of the games, in steps of width {}", Unit::Plain.text(width));
            (title, charts::lines(&series, &[], ("score, points", Unit::Share), &alt)?)
        };
        figures.push(Figure { title, svg, legend });
    }
    let shown = Shown::new("Scores", &["agent", "score", "share of the games"], lines);
    Ok(Section { title, note: "", figures, tables: vec![Shown { folded: true, ..shown }] })
}

/// The smallest of 1, 2, 5, 10, 20, … that is not below `step`.
fn round_step(step: f64) -> f64 {
    let steps = (0..12).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    steps.into_iter().find(|&round| round >= step).unwrap_or(step)
}

/// The median and the 5 % and 95 % quantiles, in words.
fn quantiles(mut pairs: Vec<(f64, f64)>, games: f64) -> String {
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let quantile = |share: f64| {
        let mut before = 0.0;
        let found = pairs.iter().find(|pair| {
            before += pair.1;
            before >= share * games
        });
        found.map_or_else(String::new, |pair| Unit::Plain.text(pair.0))
    };
    format!("median {}, nine games in ten from {} to {}", quantile(0.5), quantile(0.05), quantile(0.95))
}

/// What the players did, for each game that an agent played in a seat.
pub(super) fn tally(rows: &[Row<'_>], summary: &[Row<'_>]) -> Result<Section, ReportError> {
    let agents = labels(rows, &["agent"], &[]);
    let mut games: BTreeMap<&str, f64> = BTreeMap::new();
    let of_summary = labels(summary, &["agent"], &[]);
    for (label, row) in of_summary.iter().zip(summary) {
        *games.entry(label).or_default() += row.number("games").unwrap_or(0.0);
    }
    // For each measure the agents, with the counts of all their seats by key.
    let measures: Vec<String> = rows.iter().map(|row| row.text("measure").to_owned()).collect();
    let (mut figures, mut single) = (Vec::new(), Vec::new());
    for (measure, rows_of) in groups(rows, &measures) {
        let mut keys: Vec<String> = Vec::new();
        let mut counts: Vec<(String, BTreeMap<&str, f64>)> = Vec::new();
        let labels = rows
            .iter()
            .zip(&agents)
            .filter(|(row, _)| row.text("measure") == measure)
            .map(|(_, label)| label);
        for (label, row) in labels.zip(&rows_of) {
            let key = row.text("key");
            if !keys.iter().any(|known| known == key) {
                keys.push(key.to_owned());
            }
            let place = counts.iter().position(|(other, _)| other == label).unwrap_or_else(|| {
                counts.push((label.clone(), BTreeMap::new()));
                counts.len() - 1
            });
            *counts[place].1.entry(key).or_default() += row.number("count").unwrap_or(0.0);
        }
        let a_game = |(label, counts): &(String, BTreeMap<&str, f64>), key: &String| {
            let of = games.get(label.as_str()).copied().unwrap_or(0.0);
            if of > 0.0 { counts.get(key.as_str()).copied().unwrap_or(0.0) / of } else { 0.0 }
        };
        if keys.len() == 1 {
            for agent in &counts {
                single.push(vec![
                    measure.replace('_', " "),
                    keys[0].clone(),
                    agent.0.clone(),
                    Unit::Plain.text(a_game(agent, &keys[0])),
                ]);
            }
            continue;
        }
        if keys.len() > KEYS {
            continue;
        }
        for agents in counts.chunks(SERIES) {
            let series: Vec<Vec<f64>> =
                agents.iter().map(|agent| keys.iter().map(|key| a_game(agent, key)).collect()).collect();
            let most = |values: &Vec<f64>| {
                let most = values.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
                most.map_or_else(String::new, |(i, &value)| {
                    format!("most at {}, {} a game", keys[i], Unit::Plain.text(value))
                })
            };
            let words: Vec<String> = agents
                .iter()
                .zip(&series)
                .map(|(agent, values)| format!("{}: {}", agent.0, most(values)))
                .collect();
            let title = measure.replace('_', " ");
            let svg =
                charts::bars(&keys, &series, Unit::Plain, &format!("{title}, a game. {}", words.join("; ")))?;
            figures.push(Figure { title, svg, legend: agents.iter().map(|agent| agent.0.clone()).collect() });
        }
    }
    let mut tables = Vec::new();
    if !single.is_empty() {
        tables.push(Shown::new("Counts for a game", &["measure", "case", "agent", "a game"], single));
    }
    if !rows.is_empty() {
        tables.push(Shown::raw("tally.csv", rows));
    }
    let note = "Counts for each game that an agent played, its seats together.";
    Ok(Section { title: "What players did".to_owned(), note, figures, tables })
}

/// Where dice were placed.
pub(super) fn placements(rows: &[Row<'_>]) -> Result<Section, ReportError> {
    let agents = groups(rows, &labels(rows, &["agent"], &[]));
    let dice = distinct(rows, "die");
    let own = |row: &Row<'_>| format!("{}/{}", row.text("own_state"), row.text("opp_state"));
    let lead = |row: &Row<'_>| {
        let lead = row.number("own_length").unwrap_or(0.0) - row.number("opp_length").unwrap_or(0.0);
        format!("{:+}", lead.clamp(-4.0, 4.0))
    };
    // The player who scatters the dice is what chance would do; where there is none, one who plays at random comes near.
    let is = |word: &str| agents.iter().find(|(label, _)| label.contains(word));
    let chance = is("placement=random").or_else(|| is("random"));
    let mut figures = Vec::new();
    for (what, look, order) in [
        ("state of the own column / the opponent's", &own as &dyn Fn(&Row<'_>) -> String, None),
        (
            "lead of the own column in cards, to 4",
            &lead,
            Some(["-4", "-3", "-2", "-1", "+0", "+1", "+2", "+3", "+4"]),
        ),
    ] {
        let mut looks: Vec<String> = Vec::new();
        for row in rows {
            let look = look(row);
            if !looks.contains(&look) {
                looks.push(look);
            }
        }
        looks.sort_by_key(|look| order.and_then(|order| order.iter().position(|known| known == look)));
        for (label, rows) in &agents {
            let cells = shares(rows, &looks, &dice, look);
            let title = format!("{label}: where a die went, % of the placements that allowed it");
            figures.push(heat(&title, what, (&looks, &dice), &cells, 0.0)?);
        }
        for (label, rows) in
            agents.iter().filter(|(label, _)| chance.is_some_and(|(other, _)| other != label))
        {
            let by_chance = chance.map_or_else(Vec::new, |(_, rows)| shares(rows, &looks, &dice, look));
            let ratio = |(a, b): (&Option<f64>, &Option<f64>)| Some((*a)? / (*b).filter(|&b| b > 0.0)?);
            let line = |(a, b): (&Vec<Option<f64>>, &Vec<Option<f64>>)| a.iter().zip(b).map(ratio).collect();
            let cells: Vec<Vec<Option<f64>>> =
                shares(rows, &looks, &dice, look).iter().zip(&by_chance).map(line).collect();
            let title = format!("{label}: as a multiple of chance");
            figures.push(heat(&title, what, (&looks, &dice), &cells, 1.0)?);
        }
    }
    let tables = if rows.is_empty() { Vec::new() } else { vec![Shown::raw("placements.csv", rows)] };
    let note = "A row for each look of a pair, a column for each number of eyes; 0 is no die. Shares depend on how many pairs \
                look the same: compare players in the same cell. Cells with fewer than 30 placements are empty.";
    Ok(Section { title: "Where the dice go".to_owned(), note, figures, tables })
}

fn heat(
    title: &str,
    what: &str,
    (looks, dice): (&[String], &[String]),
    cells: &[Vec<Option<f64>>],
    neutral: f64,
) -> Result<Figure, ReportError> {
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
    let best = best.map_or_else(String::new, |(value, r, c)| {
        format!("; most is {} with die {} at {}", unit.text(value), dice[c], looks[r])
    });
    let svg =
        charts::heat((looks, dice), cells, (unit, neutral), &format!("{title}, by {what} and eyes{best}"))?;
    Ok(Figure { title: format!("{title}, by {what}"), svg, legend: Vec::new() })
}

/// The share of the offered placements that were made, for each look and die; nothing where few were offered.
fn shares(
    rows: &[Row<'_>],
    looks: &[String],
    dice: &[String],
    look: &dyn Fn(&Row<'_>) -> String,
) -> Vec<Vec<Option<f64>>> {
    let mut counts = vec![vec![(0.0, 0.0); dice.len()]; looks.len()];
    for row in rows {
        let name = look(row);
        let places = looks
            .iter()
            .position(|known| *known == name)
            .zip(dice.iter().position(|die| die == row.text("die")));
        if let Some((r, c)) = places {
            counts[r][c].0 += row.number("placed").unwrap_or(0.0);
            counts[r][c].1 += row.number("offered").unwrap_or(0.0);
        }
    }
    let share = |(placed, offered): &(f64, f64)| (*offered >= LEAST).then(|| placed / offered);
    counts.iter().map(|row| row.iter().map(share).collect()).collect()
}

/// The different cells of a column, in alphabetical order.
fn distinct(rows: &[Row<'_>], column: &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for row in rows {
        if !values.iter().any(|known| known == row.text(column)) {
            values.push(row.text(column).to_owned());
        }
    }
    values.sort();
    values
}
