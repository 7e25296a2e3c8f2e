//! A study as it stands in its file.
//!
//! ```toml
//! summary = "What health is worth"
//! seed = 7001
//! tables = ["summary.csv"]             # those that are joined, by default all
//!
//! [[cells]]
//! command = "run"                      # run, compare, solve or bound
//! game = "dungeon"                     # or a list
//! agents = ["rule", "mcts:iterations=8"]
//! rules = [{}, { health = 15 }]        # by default the game's own
//! n = 2000                             # or a list
//! options = { games = true }           # further options of the command
//! ```
//!
//! Lists multiply: this block has four cells. `run` has a cell for each of its agents; a list in the list of agents names
//! them by seat. `compare` compares all its agents in one cell; a list of lists has a cell for each. `bound` has
//! a cell for each agent that is set beside the bound, `solve` has no agents.

use serde::Deserialize;
use std::collections::BTreeMap;
use toml::{Spanned, Table, Value};

/// A study, with all its cells.
pub struct Study {
    /// One line about it.
    pub summary: String,
    /// The tables that are joined, if not all are.
    pub tables: Option<Vec<String>>,
    /// What is to be done.
    pub cells: Vec<Cell>,
}

/// One run, comparison or search for exact answers.
#[derive(Clone)]
pub struct Cell {
    /// The name of its folder.
    pub name: String,
    /// The line of the file that it comes from.
    pub line: usize,
    /// The command line after `sim`.
    pub arguments: Vec<String>,
    /// The command.
    pub command: String,
    /// The agents as they were named.
    pub agents: Vec<String>,
    /// The options of the rules that were given.
    pub rules: BTreeMap<String, String>,
    /// The seed.
    pub seed: u64,
    /// The number of games or deals asked for.
    pub n: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    summary: String,
    seed: u64,
    tables: Option<Vec<String>>,
    cells: Vec<Spanned<Block>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    command: Spanned<String>,
    game: Spanned<Value>,
    agents: Option<Spanned<Value>>,
    rules: Option<Spanned<Value>>,
    n: Spanned<Value>,
    seed: Option<u64>,
    /// What is added to the names of these cells, to tell them from others that differ in options or seed only.
    label: Option<String>,
    options: Option<Spanned<Table>>,
}

/// What the study says in other places, or is not for a study to say.
const NO_OPTIONS: [&str; 11] =
    ["agent", "force", "game", "n", "out", "quiet", "resume", "rule", "seed", "shard", "threads"];

/// What a value in the file should have been.
struct Wrong(usize, String);

impl Study {
    /// Reads a study. Whether games, agents and options exist is not looked at.
    ///
    /// # Errors
    /// Names the file, the line and the field.
    pub fn read(file: &str, text: &str) -> Result<Self, String> {
        let study: File =
            toml::from_str(text).map_err(|error| format!("{file}: {}", error.to_string().trim_end()))?;
        let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
        let mut cells = Vec::new();
        for block in &study.cells {
            let made = block.get_ref().cells(study.seed, line(block.span().start));
            cells.extend(made.map_err(|Wrong(at, reason)| format!("{file}: line {}: {reason}", line(at)))?);
        }
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for cell in &cells {
            if let Some(first) = names.insert(&cell.name, cell.line) {
                return Err(format!(
                    "{file}: line {}: the cell {} stands in line {first} already; a label tells cells apart",
                    cell.line, cell.name
                ));
            }
        }
        if cells.is_empty() {
            return Err(format!("{file}: cells: there are none"));
        }
        Ok(Self { summary: study.summary, tables: study.tables, cells })
    }
}

impl Block {
    fn cells(&self, seed: u64, line: usize) -> Result<Vec<Cell>, Wrong> {
        let command = self.command.get_ref().as_str();
        if !["run", "compare", "solve", "bound"].contains(&command) {
            let reason = format!("command: '{command}' is none of run, compare, solve, bound");
            return Err(Wrong(self.command.span().start, reason));
        }
        let games = each("game", &self.game, |value| value.as_str().map(ToOwned::to_owned), "a name")?;
        let positive =
            |value: &Value| value.as_integer().and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0);
        let counts = each("n", &self.n, positive, "a whole number from 1")?;
        let rules = match &self.rules {
            None => vec![BTreeMap::new()],
            Some(value) => each("rules", value, rules, "a table such as { health = 15 }")?,
        };
        let agents = self.agents(command, line)?;
        let seed = self.seed.unwrap_or(seed);
        let options = self.options.as_ref().map(Spanned::get_ref).cloned().unwrap_or_default();
        if let Some(name) = options.keys().find(|name| NO_OPTIONS.contains(&name.as_str())) {
            let at = self.options.as_ref().map_or(0, |options| options.span().start);
            return Err(Wrong(at, format!("options: '{name}' cannot be set here")));
        }
        let mut cells = Vec::new();
        for game in &games {
            for rules in &rules {
                for agents in &agents {
                    for n in &counts {
                        let mut parts: Vec<String> = Vec::new();
                        parts.extend((command != "run").then(|| command.to_owned()));
                        parts.push(game.clone());
                        parts.extend(agents.iter().cloned());
                        parts.extend(rules.iter().map(|(name, value)| format!("{name}-{value}")));
                        parts.extend((counts.len() > 1).then(|| format!("n{n}")));
                        if let Some(objective) = options.get("objective").and_then(Value::as_str) {
                            parts.push(objective.to_owned());
                        }
                        parts.extend(self.label.clone());
                        let mut arguments = vec![command.to_owned(), "--game".to_owned(), game.clone()];
                        for agent in agents {
                            arguments.extend(["--agent".to_owned(), agent.clone()]);
                        }
                        for (name, value) in rules {
                            arguments.extend(["--rule".to_owned(), format!("{name}={value}")]);
                        }
                        arguments.extend([
                            "-n".to_owned(),
                            n.to_string(),
                            "--seed".to_owned(),
                            seed.to_string(),
                        ]);
                        for (name, value) in &options {
                            match value {
                                Value::Boolean(true) => arguments.push(format!("--{name}")),
                                Value::Boolean(false) => {}
                                other => arguments.push(format!("--{name}={}", plain(other))),
                            }
                        }
                        cells.push(Cell {
                            name: safe(&parts.join("-")),
                            line,
                            arguments,
                            command: command.to_owned(),
                            agents: agents.clone(),
                            rules: rules.clone(),
                            seed,
                            n: *n,
                        });
                    }
                }
            }
        }
        Ok(cells)
    }

    /// The agents of each cell.
    fn agents(&self, command: &str, line: usize) -> Result<Vec<Vec<String>>, Wrong> {
        let Some(value) = &self.agents else {
            if ["solve", "bound"].contains(&command) {
                return Ok(vec![Vec::new()]);
            }
            return Err(Wrong(
                self.command.span().start,
                format!("agents: missing in the block of line {line}"),
            ));
        };
        let wrong = |reason: &str| Wrong(value.span().start, format!("agents: {reason}"));
        if command == "solve" {
            return Err(wrong("solve has none"));
        }
        let name = |value: &Value| value.as_str().map(ToOwned::to_owned);
        let names = |value: &Value| -> Option<Vec<String>> { value.as_array()?.iter().map(name).collect() };
        let list = value.get_ref().as_array().filter(|list| !list.is_empty());
        let list = list.ok_or_else(|| wrong("expected a list of names"))?;
        let found: Option<Vec<Vec<String>>> = match command {
            "compare" if list.iter().all(Value::is_str) => names(value.get_ref()).map(|names| vec![names]),
            "compare" => list.iter().map(names).collect(),
            _ => list.iter().map(|item| name(item).map(|name| vec![name]).or_else(|| names(item))).collect(),
        };
        found.ok_or_else(|| wrong("expected names, or lists of names"))
    }
}

/// A value or each value of a list.
fn each<T>(
    field: &str,
    value: &Spanned<Value>,
    read: impl Fn(&Value) -> Option<T>,
    expected: &str,
) -> Result<Vec<T>, Wrong> {
    let wrong = |what: &Value| {
        Wrong(value.span().start, format!("{field}: expected {expected}, or a list, not {what}"))
    };
    match value.get_ref() {
        Value::Array(list) if !list.is_empty() => {
            list.iter().map(|item| read(item).ok_or_else(|| wrong(item))).collect()
        }
        one => Ok(vec![read(one).ok_or_else(|| wrong(one))?]),
    }
}

/// Options of the rules.
fn rules(value: &Value) -> Option<BTreeMap<String, String>> {
    Some(value.as_table()?.iter().map(|(name, value)| (name.clone(), plain(value))).collect())
}

/// A value as it stands on the command line.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => format!("[{}]", list.iter().map(plain).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// A name for a folder.
fn safe(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || c == '.' || c == '_' => text.push(c),
            _ if text.ends_with('-') => {}
            _ => text.push('-'),
        }
    }
    text.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let study = Study::read("s.toml", &format!("summary = 's'\nseed = 1\n{text}")).unwrap();
        study.cells.into_iter().map(|cell| cell.name).collect()
    }

    #[test]
    fn lists_multiply() {
        let block =
            "[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = ['rule', 'mcts:c=1,iterations=2']\n";
        assert_eq!(names(&format!("{block}n = 1")), ["dungeon-rule", "dungeon-mcts-c-1-iterations-2"]);
        let many =
            names(&format!("{block}n = [1, 2]\nrules = [{{}}, {{ health = 3, weapon_limit = 'below' }}]"));
        assert_eq!(many.len(), 8);
        assert_eq!(many[5], "dungeon-rule-health-3-weapon_limit-below-n2");
        let compare = "[[cells]]\ncommand = 'compare'\ngame = ['whist', 'columns']\nn = 1\n";
        assert_eq!(
            names(&format!("{compare}agents = ['a', 'b']")),
            ["compare-whist-a-b", "compare-columns-a-b"]
        );
        assert_eq!(names(&format!("{compare}agents = [['a', 'b'], ['c', 'd']]")).len(), 4);
    }

    /// Every refusal names the line and the field.
    #[test]
    fn refusals_name_line_and_field() {
        let head = "summary = 's'\nseed = 1\n[[cells]]\n";
        for (text, part) in [
            ("command = 'play'\ngame = 'a'\nn = 1", "line 4: command: 'play' is none of"),
            ("command = 'run'\ngame = 'a'\nn = 1", "agents: missing in the block of line 3"),
            ("command = 'run'\ngame = 3\nn = 1\nagents = ['a']", "line 5: game: expected a name"),
            (
                "command = 'run'\ngame = 'a'\nn = 0\nagents = ['a']",
                "line 6: n: expected a whole number from 1",
            ),
            ("command = 'run'\ngame = 'a'\nn = 1\nagents = 'a'", "line 7: agents: expected a list"),
            ("command = 'run'\ngame = 'a'\nn = 1\nagents = [[1]]", "line 7: agents: expected names"),
            ("command = 'solve'\ngame = 'a'\nn = 1\nagents = ['a']", "line 7: agents: solve has none"),
            (
                "command = 'run'\ngame = 'a'\nn = 1\nagents = ['a']\nrules = ['x']",
                "line 8: rules: expected a table",
            ),
            ("command = 'run'\ngame = 'a'\nn = 1\nagnets = ['a']", "line 7"),
            ("command = 'run'\ngame = 'a'\nn = 1\nagents = ['a', 'a']", "stands in line 3 already"),
        ] {
            let error = Study::read("s.toml", &format!("{head}{text}")).err().unwrap();
            assert!(error.starts_with("s.toml: ") && error.contains(part), "{text}: {error}");
        }
        assert!(Study::read("s.toml", "summary = 's'").err().unwrap().contains("seed"));
    }
}
