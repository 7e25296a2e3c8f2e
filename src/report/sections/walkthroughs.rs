//! The first games of an analysis, to step through.

use super::unit;
use crate::board::{Board, Suits, draw};
use crate::numbers::Unit;
use crate::report::ReportError;
use crate::report::charts::{self, Mark, Series};
use crate::report::folder::Folder;
use crate::report::page::{Rank, Section};
use crate::report::parts::{Figure, ShownTable};
use crate::report::rows::{Row, distinct};
use crate::report::walkthrough::{Step, Walkthrough, place};
use crate::screen::WIDTH;
use crate::store::{Line, Table, TableForm};
use crate::studies::analyse::tables::{ANALYSIS, BALANCE, DECISIONS, LUCKS, MOVES};
use std::collections::{HashMap, HashSet};

/// The games that are shown.
const GAMES: usize = 3;
/// Decisions after these are not shown.
const STEPS: usize = 300;

const MOVE_COLUMNS: [&str; 4] = ["move", "value", "± se", ""];
const COLUMNS: [&str; 8] = ["", "agent", "value", "played", "better", "loses", "grade", "luck after"];

/// The games of this folder; `name` tells their places on the page from those of other folders.
///
/// # Errors
/// When a table cannot be read, or a chart not be drawn.
pub(super) fn section(folder: &Folder, name: &str) -> Result<Option<Section>, ReportError> {
    // These are long, and not everybody keeps them.
    if [DECISIONS, MOVES, LUCKS, BALANCE].iter().any(|form| !folder.path.join(form.file).is_file()) {
        return Ok(None);
    }
    let read = |form: TableForm, keep: &mut dyn FnMut(&Line<'_>) -> bool| {
        let path = folder.path.join(form.file);
        Table::read_where(&path, keep).map_err(|error| ReportError::wrong(&path, &error))
    };
    // Of each game that is shown, the number of decisions and those that are shown.
    let mut games: HashMap<String, (usize, HashSet<String>)> = HashMap::new();
    let balance = read(BALANCE, &mut |line| {
        if games.len() < GAMES {
            games.entry(line.text("index").to_owned()).or_default();
        }
        games.contains_key(line.text("index"))
    })?;
    let decisions = read(DECISIONS, &mut |line| {
        let Some((all, shown)) = games.get_mut(line.text("index")) else { return false };
        *all += 1;
        if *all <= STEPS {
            shown.insert(line.text("number").to_owned());
        }
        *all <= STEPS
    })?;
    let mut is_shown = |line: &Line<'_>| {
        games.get(line.text("index")).is_some_and(|(_, shown)| shown.contains(line.text("number")))
    };
    let (moves, lucks) = (read(MOVES, &mut is_shown)?, read(LUCKS, &mut is_shown)?);
    let measure = folder.table(ANALYSIS.file).and_then(|table| Row::of(folder, table).next());
    let unit = measure.map_or(Unit::Plain, |row| unit(row.text("measure")));
    let by_index = |table| grouped(Row::of(folder, table), |row| row.text("index"));
    let [decisions, moves, lucks, ends] = [&decisions, &moves, &lucks, &balance].map(by_index);
    let (mut walkthroughs, mut tables) = (Vec::new(), Vec::new());
    for index in &distinct(Row::of(folder, &balance).map(|row| row.text("index"))) {
        let decisions = of(&decisions, index);
        if decisions.is_empty() {
            continue;
        }
        let game = Game {
            name: format!("{name}-{}", walkthroughs.len()),
            index,
            unit,
            all: games[index].0,
            decisions,
            moves: grouped(of(&moves, index).into_iter(), |row| row.text("number")),
            lucks: of(&lucks, index),
            ends: of(&ends, index),
        };
        let figure = game.curve()?;
        let steps = (0..game.decisions.len()).map(|step| game.step(step)).collect();
        walkthroughs.push(Walkthrough { name: game.name.clone(), figure, steps });
        tables.push(game.table());
    }
    let note = "The values are those of the player who decides, in worlds that agree with what that player knows. Up to the middle \
                of a step a curve shows what the decision was worth, then, up to the player's next one, what luck brought, and \
                where others play, their decisions, too. Its marks lead to the decisions; larger ones have a grade.";
    let title = format!("Games of {}", folder.name);
    Ok(Some(Section { title, rank: Rank::Detail, note, tables, walkthroughs, ..Section::default() }))
}

type Grouped<'a> = HashMap<&'a str, Vec<Row<'a>>>;

/// The rows with the same key, in their order.
fn grouped<'a>(rows: impl Iterator<Item = Row<'a>>, key: impl Fn(&Row<'a>) -> &'a str) -> Grouped<'a> {
    let mut groups = Grouped::new();
    rows.for_each(|row| groups.entry(key(&row)).or_default().push(row));
    groups
}

/// The rows with this key.
fn of<'a>(groups: &Grouped<'a>, key: &str) -> Vec<Row<'a>> {
    groups.get(key).cloned().unwrap_or_default()
}

/// The rows about one game.
struct Game<'a> {
    name: String,
    index: &'a str,
    unit: Unit,
    /// How many decisions there were, shown or not.
    all: usize,
    decisions: Vec<Row<'a>>,
    /// By the number of the decision.
    moves: Grouped<'a>,
    lucks: Vec<Row<'a>>,
    /// A row a seat.
    ends: Vec<Row<'a>>,
}

impl Game<'_> {
    /// A number of a row as people read it.
    fn value(&self, row: &Row<'_>, column: &str) -> String {
        row.number(column).map_or_else(String::new, |value| self.unit.text(value))
    }

    /// Whether all its decisions are shown.
    fn is_whole(&self) -> bool {
        self.all == self.decisions.len()
    }

    /// The luck that followed a decision, for the player who took it.
    fn luck(&self, decision: &Row<'_>) -> Option<&Row<'_>> {
        let same =
            |other: &&Row<'_>| ["number", "seat"].iter().all(|key| other.text(key) == decision.text(key));
        self.lucks.iter().find(same)
    }

    /// What luck brought after a decision.
    fn happened(&self, luck: &Row<'_>) -> String {
        let value = self.value(luck, "luck");
        match luck.text("chance") {
            // What others hold shows in what can happen to them, though nobody is told of it.
            "" if self.ends.len() > 1 => {
                format!(
                    "Nothing comes up for all to see: luck {value}, from hidden cards and the noise of other worlds"
                )
            }
            "" => format!("Nothing comes up; {value} is the noise of other worlds"),
            chance => format!("Then {chance} comes up: luck {value}"),
        }
    }

    /// The values of all seats, from decision to decision.
    fn curve(&self) -> Result<Figure, ReportError> {
        let number = |row: &Row<'_>, column: &str| row.number(column).unwrap_or(0.0);
        let mut lines = Vec::new();
        for end in &self.ends {
            let seat = end.text("seat");
            let label = if self.ends.len() > 1 {
                format!("seat {seat}, {}", end.text("agent"))
            } else {
                String::new()
            };
            let (mut points, mut marks) = (Vec::new(), Vec::new());
            for (step, row) in self.decisions.iter().enumerate().filter(|(_, row)| row.text("seat") == seat) {
                let [x, before, gain] = ["number", "before", "gain"].map(|column| number(row, column));
                points.extend([(x, before), (x + 0.5, before + gain)]);
                let size = if row.text("grade").is_empty() { 3 } else { 6 };
                let title =
                    format!("{}. {}: {}", row.text("number"), row.text("played"), self.unit.text(before));
                marks.push(Mark { at: (x, before), size, place: place(&self.name, step), title });
                if let Some(luck) = self.luck(row) {
                    let title = self.happened(luck);
                    let at = (x + 0.5, before + gain);
                    marks.push(Mark { at, size: 2, place: place(&self.name, step), title });
                }
            }
            if self.is_whole() {
                let last = self.decisions.last().map_or(0.0, |row| number(row, "number"));
                points.push((last + 1.0, number(end, "result")));
            }
            lines.push((Series { label, points }, marks));
        }
        let end =
            if self.is_whole() { ", and the result".to_owned() } else { format!(", up to decision {STEPS}") };
        let title = format!("Game {}: the value of the position{end}", self.index);
        let svg = charts::marked_lines(&lines, ("decision", self.unit), &title)?;
        let legend = lines.into_iter().map(|(series, _)| series.label).collect();
        Ok(Figure::new(title, svg).with_legend(legend, self.ends.len()))
    }

    /// A decision: what was seen, what was played and what else could have been, and what happened then.
    fn step(&self, step: usize) -> Step {
        let row = &self.decisions[step];
        let cell = |column| row.text(column);
        let grade = cell("grade").replace('_', " ");
        let (number, agent, seat) = (cell("number"), cell("agent"), cell("seat"));
        let mut told = vec![format!("{} is played.", cell("played"))];
        if cell("best") != cell("played") {
            let (best, error) = (cell("best"), self.value(row, "regret_se"));
            let graded = if grade.is_empty() { String::new() } else { format!(": {grade}") };
            // It was chosen on the first half of the worlds and measured on the second.
            told.push(match row.number("regret") {
                Some(regret) if regret <= 0.0 => format!(
                    "{best} stood out in the first half of the worlds, and in the second half it is worth {} (± {error}).",
                    if regret < 0.0 { format!("{} less", self.unit.text(-regret)) } else { "no more".to_owned() }
                ),
                _ => format!("{best} is worth {} more (± {error}){graded}.", self.value(row, "regret")),
            });
        }
        if let Some(luck) = self.luck(row) {
            told.push(self.happened(luck) + ".");
        }
        if step + 1 == self.all {
            let results = self
                .ends
                .iter()
                .map(|end| format!("{} in seat {}", self.value(end, "result"), end.text("seat")));
            told.push(format!("The result: {}.", results.collect::<Vec<_>>().join(", ")));
        }
        Step {
            title: format!("Decision {number} of {}: {agent} in seat {seat}", self.all),
            is_error: !grade.is_empty(),
            board: draw(&Board::read(cell("view").as_bytes()), Suits::Symbols, WIDTH),
            told,
            moves: self.moves(row),
        }
    }

    /// The values of the moves of a decision, the best first.
    fn moves(&self, decision: &Row<'_>) -> ShownTable {
        let mut moves = of(&self.moves, decision.text("number"));
        let mean = |row: &Row<'_>| row.number("mean").unwrap_or(f64::NEG_INFINITY);
        moves.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
        let row = |row: &Row<'_>| {
            let is = |(column, name)| (row.text("move") == decision.text(column)).then_some(name);
            let notes =
                [("played", "played"), ("judge", "the judge's"), ("best", "best")].into_iter().filter_map(is);
            let notes = notes.collect::<Vec<_>>().join(", ");
            vec![row.text("move").to_owned(), self.value(row, "mean"), self.value(row, "se"), notes]
        };
        let title = format!("Values of {} of {} moves", moves.len(), decision.text("legal"));
        let shown = ShownTable::new(title, &MOVE_COLUMNS, moves.iter().map(row).collect());
        ShownTable { folded: false, ..shown }
    }

    /// All decisions as a table.
    fn table(&self) -> ShownTable {
        let row = |row: &Row<'_>| {
            // What stood out in the first half of the worlds may be worth no more in the second.
            let is_better = row.text("best") != row.text("played")
                && row.number("regret").is_none_or(|regret| regret > 0.0);
            let if_better = |text: String| if is_better { text } else { String::new() };
            vec![
                row.text("number").to_owned(),
                row.text("agent").to_owned(),
                self.value(row, "before"),
                row.text("played").to_owned(),
                if_better(row.text("best").to_owned()),
                if_better(self.value(row, "regret")),
                row.text("grade").replace('_', " "),
                self.luck(row).map_or_else(String::new, |luck| self.value(luck, "luck")),
            ]
        };
        let title = format!("Game {}, decision by decision", self.index);
        let shown = ShownTable::new(title, &COLUMNS, self.decisions.iter().map(row).collect());
        ShownTable { more: shown.more + (self.all - self.decisions.len()) as u64, ..shown }
    }
}
