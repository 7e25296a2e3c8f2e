//! The types of the columns of all tables, by their names: the same name has the same type everywhere.

/// The type of a column.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Whole numbers.
    Whole,
    /// Whole numbers of 64 bits without a sign.
    Unsigned,
    /// Numbers. A column of a game of one's own may hold texts as well.
    Number,
    /// Texts.
    Text,
    /// An option of the rules, of whatever type its values have.
    Option,
}

const WHOLE: &[&str] = &[
    "index",
    "seat",
    "games",
    "count",
    "die",
    "own_length",
    "opp_length",
    "offered",
    "placed",
    "moves",
    "won",
    "deals",
    "yes",
    "no",
    "undecided",
    "threshold",
    "value",
    "nodes",
    "min",
    "q25",
    "median",
    "q75",
    "q90",
    "q99",
    "q999",
    "max",
    "units",
    "in_cycle",
    "n",
    "finished",
    "partial",
    "threads",
    "number",
    "legal",
    "worlds",
    "decisions",
    "doubtful",
    "bad",
    "very_bad",
    "faults",
    "forfeits",
];

const TEXT: &[&str] = &[
    "game",
    "agent",
    "agent_a",
    "agent_b",
    "opponent",
    "measure",
    "key",
    "rounds_bucket",
    "own_state",
    "opp_state",
    "end",
    "objective",
    "verdict",
    "unit",
    "interval",
    "quantity",
    "decision",
    "cell",
    "command",
    "agents",
    "judge",
    "name",
    "phase",
    "kind",
    "played",
    "best",
    "grade",
    "view",
    "move",
    "chance",
];

/// Columns of differences. Ratings and luck are some, too: 0 is the strength of the mean agent, and no luck.
const DIFFERENCE: &[&str] = &["mean_difference", "effect", "rating", "luck", "regret"];

/// Whether the column with this name has differences: where their intervals exclude 0, readers must see it.
#[must_use]
pub fn is_difference(name: &str) -> bool {
    DIFFERENCE.contains(&name)
}

/// The type of the column with this name. An undefined value is an empty cell in all of them.
#[must_use]
pub fn column_kind(name: &str) -> ColumnKind {
    match name {
        "seed" => ColumnKind::Unsigned,
        name if name.starts_with("rule_") => ColumnKind::Option,
        name if WHOLE.contains(&name) => ColumnKind::Whole,
        name if TEXT.contains(&name) => ColumnKind::Text,
        _ => ColumnKind::Number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Table;
    use std::fs;

    /// Every cell of the committed results is of the type of its column, and no column of texts holds nothing but numbers. So a notebook
    /// gets the same types from every run, and a new column is not forgotten here.
    #[test]
    fn cells_of_committed_results_are_of_their_types() {
        let (mut tables, mut texts) = (0, std::collections::BTreeSet::new());
        let studies = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/results")).unwrap();
        let folders = studies.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
        for path in
            folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path())
        {
            if path.extension().is_none_or(|ending| ending != "csv") {
                continue;
            }
            tables += 1;
            let table = Table::read(&path, usize::MAX).unwrap();
            for (place, name) in table.columns.iter().enumerate() {
                for cell in table.rows.iter().map(|row| &row[place]).filter(|cell| !cell.is_empty()) {
                    let fits = match column_kind(name) {
                        ColumnKind::Whole => cell.parse::<i64>().is_ok(),
                        ColumnKind::Unsigned => cell.parse::<u64>().is_ok(),
                        ColumnKind::Number => cell.parse::<f64>().is_ok(),
                        ColumnKind::Text | ColumnKind::Option => {
                            if cell.parse::<f64>().is_err() {
                                texts.insert(name.clone());
                            }
                            true
                        }
                    };
                    assert!(fits, "{}: {name} = {cell}", path.display());
                }
            }
        }
        assert!(tables > 20, "{tables} tables");
        let known: Vec<&String> = texts.iter().filter(|name| column_kind(name) == ColumnKind::Text).collect();
        assert!(known.len() > 10, "{known:?}");
    }
}
