//! A study as it stands in its file.
//!
//! ```toml
//! summary = "What health is worth"
//! seed = 7001
//! tables = ["summary.csv"]             # those that are joined, by default all without a row for each game
//!
//! [[cells]]
//! command = "run"                      # run, compare, solve, bound or analyse
//! game = "dungeon"                     # or a list
//! agents = ["rule", "mcts:iterations=8"]
//! rules = [{}, { health = 15 }]        # by default the game's own
//! n = 2000                             # or a list
//! options = { games = true }           # further fields of the request, and further outputs
//! ```
//!
//! Lists multiply: this block has four cells. `run` has a cell for each of its agents; a list in the list of agents names
//! them by seat, and so in `analyse`. `compare` compares all its agents in one cell; a list of lists has a cell
//! for each. `bound` has a cell for each agent that is set beside the bound, `solve` has no agents.

use crate::json::{self, Unique, plain};
use crate::store::is_plain_name;
use crate::studies::{Outputs, Request};
use knave_agents::AgentSpec;
use knave_agents::options::{hint, line_of, listed, toml_reason};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use toml::{Spanned, Value};

/// A study, with all its cells.
pub struct Study {
    /// One line about it.
    pub summary: String,
    /// The tables that are joined, if not all are.
    pub tables: Option<Vec<String>>,
    /// What is to be done.
    pub cells: Vec<Cell>,
}

/// One request of a study.
#[derive(Clone)]
pub struct Cell {
    /// The name of its folder.
    pub name: String,
    /// What is asked.
    pub request: Request,
    /// What is written beside the tables.
    pub outputs: Outputs,
    /// The command.
    pub command: String,
    /// The agents as they were named.
    pub agents: Vec<String>,
    /// The options of the rules that were given.
    pub rules: Map<String, Json>,
    /// The seed.
    pub seed: u64,
    /// The number of games or deals asked for.
    pub n: u64,
    /// The line of the block, and those of its fields.
    line: usize,
    lines: BTreeMap<String, usize>,
}

impl Cell {
    /// A cell that stands in no file, with its command, the names of its agents, and its number and seed.
    pub(super) fn single(
        name: String,
        request: Request,
        outputs: Outputs,
        rules: Map<String, Json>,
        (command, agents, (n, seed)): (&str, &[String], (u64, u64)),
    ) -> Self {
        let (command, agents) = (command.to_owned(), agents.to_vec());
        Self { name, request, outputs, command, agents, rules, seed, n, line: 0, lines: BTreeMap::new() }
    }

    /// The line of the file in which a field of the request stands.
    #[must_use]
    pub fn line(&self, field: &str) -> usize {
        self.lines.get(field).copied().unwrap_or(self.line)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    summary: String,
    #[serde(deserialize_with = "json::whole")]
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
    n: Spanned<Unique>,
    seed: Option<Spanned<Seed>>,
    /// What is added to the names of these cells, to tell them from others that differ in options or seed only.
    label: Option<String>,
    #[serde(default)]
    options: BTreeMap<String, Spanned<Value>>,
}

#[derive(Deserialize)]
#[serde(transparent)]
struct Seed(#[serde(deserialize_with = "json::whole")] u64);

/// What the study says in other places.
const NO_OPTIONS: [&str; 6] = ["study", "agents", "game", "n", "rules", "seed"];

/// Fields of requests about games or deals in files. A cell has a seed and a number of its own, so it has none of them.
const FILES: [&str; 3] = ["deals", "short_deck", "transcripts"];

/// No file system takes longer names.
const LONGEST_NAME: usize = 255;

/// The most cells of a block: lists multiply, and more would be a mistake.
const MOST_CELLS: usize = 10_000;

/// A field of the file that is wrong, where it stands, and why.
struct Wrong {
    at: usize,
    reason: String,
}

impl Wrong {
    fn new<T>(field: &str, value: &Spanned<T>, reason: impl std::fmt::Display) -> Self {
        Self { at: value.span().start, reason: format!("{field}: {reason}") }
    }
}

impl Study {
    /// Reads a study. Whether games, agents and rules exist is not looked at.
    ///
    /// # Errors
    /// Names the file, the line and the field.
    pub fn read(file: &str, text: &str) -> Result<Self, String> {
        let study: File =
            toml::from_str(text).map_err(|error| format!("{file}: {}", toml_reason(text, &error)))?;
        let line = |at: usize| line_of(text, at);
        let mut cells: Vec<Cell> = Vec::new();
        for block in &study.cells {
            let made = block.get_ref().cells(study.seed, line(block.span().start), &line);
            cells
                .extend(made.map_err(|Wrong { at, reason }| format!("{file}: line {}: {reason}", line(at)))?);
        }
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for cell in &cells {
            if cell.name.len() > LONGEST_NAME {
                return Err(format!(
                    "{file}: line {}: the folder of a cell would be called {}, which has {} bytes; expected at most {LONGEST_NAME}",
                    cell.line,
                    cell.name,
                    cell.name.len()
                ));
            }
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
    fn cells(&self, seed: u64, line: usize, line_of: &dyn Fn(usize) -> usize) -> Result<Vec<Cell>, Wrong> {
        let command = self.command.get_ref().as_str();
        if !Request::KINDS.contains(&command) {
            let reason = format!("'{command}' is none of {}", Request::KINDS.join(", "));
            return Err(Wrong::new("command", &self.command, reason));
        }
        let games = each("game", &self.game, |value| value.as_str().map(ToOwned::to_owned), "a name")?;
        let counts = self.counts()?;
        let rules = match &self.rules {
            None => vec![Map::new()],
            Some(value) => each("rules", value, rules, "a table such as { health = 15 }")?,
        };
        let agents = self.agents(command, line)?;
        let seed = self.seed.as_ref().map_or(seed, |seed| seed.get_ref().0);
        let (outputs, options) = self.options(command)?;
        let lists = [games.len(), rules.len(), agents.len(), counts.len()];
        if lists.iter().try_fold(1_usize, |all, &len| all.checked_mul(len)).is_none_or(|all| all > MOST_CELLS)
        {
            let reason = format!("the lists multiply to more than {MOST_CELLS} cells");
            return Err(Wrong::new("cells", &self.command, reason));
        }
        let lines: BTreeMap<_, _> = self.places().into_iter().map(|(name, at)| (name, line_of(at))).collect();
        let mut cells = Vec::new();
        for game in &games {
            for rules in &rules {
                for agents in &agents {
                    for &n in &counts {
                        let names: Vec<String> = agents.iter().map(name).collect();
                        let count = (counts.len() > 1).then(|| format!("n{n}"));
                        let objective = options.get("objective").and_then(Json::as_str);
                        cells.push(Cell {
                            name: self.cell_name(game, &names, rules, count, objective),
                            request: self.request(game, agents, rules, (n, seed), options.clone())?,
                            outputs: outputs.clone(),
                            command: command.to_owned(),
                            agents: names,
                            rules: rules.clone(),
                            seed,
                            n,
                            line,
                            lines: lines.clone(),
                        });
                    }
                }
            }
        }
        Ok(cells)
    }

    /// The name of a cell's folder: what tells it apart from the others.
    fn cell_name(
        &self,
        game: &str,
        agents: &[String],
        rules: &Map<String, Json>,
        count: Option<String>,
        objective: Option<&str>,
    ) -> String {
        let command = self.command.get_ref();
        let mut parts: Vec<String> = Vec::new();
        parts.extend((command != "run").then(|| command.clone()));
        parts.push(game.to_owned());
        parts.extend_from_slice(agents);
        parts.extend(rules.iter().map(|(name, value)| match plain(value) {
            negative if negative.starts_with('-') => part(name, &negative),
            text => format!("{name}-{text}"),
        }));
        parts.extend(count);
        parts.extend(objective.map(ToOwned::to_owned));
        parts.extend(self.label.clone());
        safe(&parts.join("-"))
    }

    /// What a cell asks for; `fields` has the options of the block.
    fn request(
        &self,
        game: &str,
        agents: &[Json],
        rules: &Map<String, Json>,
        (n, seed): (u64, u64),
        mut fields: Map<String, Json>,
    ) -> Result<Request, Wrong> {
        fields.extend([
            ("game".to_owned(), json!(game)),
            ("rules".to_owned(), json!(rules)),
            ("n".to_owned(), json!(n)),
            ("seed".to_owned(), json!(seed)),
        ]);
        if !agents.is_empty() {
            fields.insert("agents".to_owned(), Json::Array(agents.to_vec()));
        }
        Request::read(self.command.get_ref(), fields).map_err(|(field, reason)| {
            let at = self.places().get(&field).copied();
            Wrong { at: at.unwrap_or(self.command.span().start), reason }
        })
    }

    /// Where the fields of the request stand.
    fn places(&self) -> BTreeMap<String, usize> {
        let mut places = BTreeMap::from([
            ("game".to_owned(), self.game.span().start),
            ("n".to_owned(), self.n.span().start),
        ]);
        let more = [("agents", self.agents.as_ref()), ("rules", self.rules.as_ref())];
        places.extend(
            more.into_iter().filter_map(|(field, value)| Some((field.to_owned(), value?.span().start))),
        );
        places.extend(self.seed.iter().map(|seed| ("seed".to_owned(), seed.span().start)));
        places.extend(self.options.iter().map(|(name, value)| (name.clone(), value.span().start)));
        places
    }

    /// What the options ask for: outputs, and fields of the request.
    fn options(&self, command: &str) -> Result<(Outputs, Map<String, Json>), Wrong> {
        let writes = Request::writes(command);
        let fields_of = |command| Request::fields(command).into_iter();
        let known = || {
            let fields =
                fields_of(command).filter(|name| !NO_OPTIONS.contains(name) && !FILES.contains(name));
            let outputs = [
                writes.rows,
                writes.parquet.then_some("parquet"),
                writes.transcripts.then_some("transcripts"),
                writes.transcripts.then_some("transcript_limit"),
            ];
            fields.chain(outputs.into_iter().flatten())
        };
        let (mut outputs, mut fields) = (Map::new(), Map::new());
        for (name, value) in &self.options {
            let wrong = |reason: String| Err(Wrong::new("options", value, reason));
            let read = value.get_ref();
            if NO_OPTIONS.contains(&name.as_str()) {
                return wrong(format!("'{name}' cannot be set here"));
            }
            if FILES.contains(&name.as_str()) && fields_of(command).any(|field| field == name) {
                return wrong(format!(
                    "'{name}' cannot be set here: a cell has a seed and a number of its own"
                ));
            }
            match name.as_str() {
                "games" | "solutions" if writes.rows != Some(name) => {
                    return wrong(format!("'{name}': {command} writes no such table"));
                }
                name if !known().any(|known| known == name) => {
                    let (hint, all) = (hint(name, known()), listed(known()));
                    return wrong(format!("{command} has no '{name}'{hint}; options: {all}"));
                }
                "games" | "solutions" | "parquet" if !read.is_bool() => {
                    return wrong(format!("{name} = {read}: expected true or false"));
                }
                "transcript_limit" if read.as_integer().is_none_or(|limit| limit < 1) => {
                    return wrong(format!("{name} = {read}: expected a whole number from 1"));
                }
                // Each cell has its own, in its folder.
                "transcripts" if !read.as_str().is_some_and(is_plain_name) => {
                    return wrong(format!(
                        "{name} = {read}: expected the name of a file, which is written in the folder of each cell"
                    ));
                }
                // What ends so in the folder of a cell is one of its tables, which are read and joined.
                "transcripts" if read.as_str().is_some_and(|file| file.ends_with(".csv")) => {
                    return wrong(format!(
                        "{name} = {read}: tables have names that end in .csv; expected another one, such as \"games.jsonl\""
                    ));
                }
                name if writes.rows == Some(name) => outputs.insert("rows".to_owned(), data(read)),
                "parquet" | "transcripts" | "transcript_limit" => outputs.insert(name.clone(), data(read)),
                _ => fields.insert(name.clone(), data(read)),
            };
        }
        let read: Result<Outputs, _> = serde_json::from_value(Json::Object(outputs));
        let wrong = |error: serde_json::Error| Wrong {
            at: self.options.values().next().map_or(0, |value| value.span().start),
            reason: format!("options: {error}"),
        };
        Ok((read.map_err(wrong)?, fields))
    }

    /// The numbers of games or deals. Those from 2^63 on are whole numbers to every other front end, and none of TOML's.
    fn counts(&self) -> Result<Vec<u64>, Wrong> {
        let wrong = |value: &Json| {
            let expected = format!("a whole number from 1 to {} (2^64 - 1)", u64::MAX);
            let shown = if value.is_object() { "a table or a date".to_owned() } else { plain(value) };
            Wrong::new("n", &self.n, format!("expected {expected}, or a list, not {shown}"))
        };
        let one = |value: &Json| value.as_u64().filter(|&n| n > 0).ok_or_else(|| wrong(value));
        match &self.n.get_ref().0 {
            Json::Array(list) if !list.is_empty() => list.iter().map(one).collect(),
            value => Ok(vec![one(value)?]),
        }
    }

    /// The agents of each cell.
    fn agents(&self, command: &str, line: usize) -> Result<Vec<Vec<Json>>, Wrong> {
        let Some(value) = &self.agents else {
            if ["solve", "bound"].contains(&command) {
                return Ok(vec![Vec::new()]);
            }
            let reason = format!("agents: missing in the block of line {line}");
            return Err(Wrong { at: self.command.span().start, reason });
        };
        let wrong = |reason: &str| Wrong::new("agents", value, reason);
        if command == "solve" {
            return Err(wrong("solve has none"));
        }
        let unnamed = || wrong("expected names, or lists of names");
        let one = |value: &Value| {
            if !(value.is_str() || value.is_table()) {
                return Err(unnamed());
            }
            let spec = data(value);
            match serde_json::from_value::<AgentSpec>(spec.clone()) {
                Ok(_) => Ok(spec),
                Err(error) => Err(wrong(&error.to_string())),
            }
        };
        let several = |value: &Value| -> Result<Vec<Json>, Wrong> {
            value.as_array().ok_or_else(unnamed)?.iter().map(one).collect()
        };
        let list = value.get_ref().as_array().filter(|list| !list.is_empty());
        let list = list.ok_or_else(|| wrong("expected a list with one name or more"))?;
        match command {
            "compare" if list.iter().all(|item| !item.is_array()) => Ok(vec![several(value.get_ref())?]),
            "compare" => list.iter().map(several).collect(),
            _ => {
                let seats = |item: &Value| if item.is_array() { several(item) } else { Ok(vec![one(item)?]) };
                list.iter().map(seats).collect()
            }
        }
    }
}

/// A value or each value of a list.
fn each<T>(
    field: &str,
    value: &Spanned<Value>,
    read: impl Fn(&Value) -> Option<T>,
    expected: &str,
) -> Result<Vec<T>, Wrong> {
    let wrong =
        |what: &Value| Wrong::new(field, value, format!("expected {expected}, or a list, not {what}"));
    match value.get_ref() {
        Value::Array(list) if !list.is_empty() => {
            list.iter().map(|item| read(item).ok_or_else(|| wrong(item))).collect()
        }
        one => Ok(vec![read(one).ok_or_else(|| wrong(one))?]),
    }
}

/// A value of the file as other front ends have it. A number that JSON cannot have is a text, which refusals can show.
fn data(value: &Value) -> Json {
    Unique::deserialize(value.clone()).map_or(Json::Null, |Unique(value)| value)
}

/// Options of the rules.
fn rules(value: &Value) -> Option<Map<String, Json>> {
    data(value).as_object().cloned()
}

/// An agent as it goes by.
pub(super) fn name(spec: &Json) -> String {
    serde_json::from_value::<AgentSpec>(spec.clone()).map_or_else(|_| plain(spec), |spec| spec.to_string())
}

/// A part of a name for folders that tells values apart, signs included.
pub(super) fn part(option: &str, value: &str) -> String {
    safe(&format!("{option}-{}", value.replace('-', "minus")))
}

/// A name for a folder.
fn safe(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            c if c.is_alphanumeric() || c == '.' || c == '_' => text.push(c),
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

    /// A study may ask for as much as the command line: the largest whole number of TOML is smaller.
    #[test]
    fn counts_have_64_bits() {
        let text =
            "summary = 's'\nseed = 1\n[[cells]]\ncommand = 'solve'\ngame = 'a'\nn = 9223372036854775808";
        assert_eq!(Study::read("s.toml", text).unwrap().cells[0].n, 1 << 63);
    }

    /// Letters of every script tell cells apart.
    #[test]
    fn labels_have_letters_of_any_script() {
        let block = |label: &str| {
            format!("[[cells]]\ncommand = 'solve'\ngame = 'dungeon'\nn = 1\nlabel = '{label}'\n")
        };
        assert_eq!(
            names(&(block("früh") + &block("早い") + &block("a/b c"))),
            ["solve-dungeon-früh", "solve-dungeon-早い", "solve-dungeon-a-b-c"]
        );
    }

    /// A number below 0 is another cell than the one above.
    #[test]
    fn cells_keep_signs() {
        let block = "[[cells]]\ncommand = 'run'\ngame = 'whist'\nagents = ['random']\nn = 1\n";
        assert_eq!(
            names(&format!("{block}rules = [{{ ace = 1 }}, {{ ace = -1 }}, {{ ace = '-2' }}]")),
            ["whist-random-ace-1", "whist-random-ace-minus1", "whist-random-ace-minus2"]
        );
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
            (
                "command = 'run'\ngame = 'a'\nn = 1\nagents = ['a', 'mcts:iterations']",
                "line 7: agents: agent mcts: 'iterations' is not of the form name=value",
            ),
            (
                "command = 'compare'\ngame = 'a'\nn = 1\nagents = [['a', 'b'], ['a', 'mcts:c=1,c=2']]",
                "line 7: agents: agent mcts: option 'c' is given twice",
            ),
            (
                "command = 'run'\ngame = 'a'\nn = 1\nagents = ['a', '']",
                "line 7: agents: agent: '' names none",
            ),
            (
                "command = 'run'\ngame = 'a'\nn = [1, 18446744073709551616]\nagents = ['a']",
                "line 6: n: expected a whole number from 1 to 18446744073709551615 (2^64 - 1), or a list, \
                 not 18446744073709551616",
            ),
            ("command = 'solve'\ngame = 'a'\nn = 1\nagents = ['a']", "line 7: agents: solve has none"),
            (
                "command = 'run'\ngame = 'a'\nn = 1\nagents = ['a']\nrules = ['x']",
                "line 8: rules: expected a table",
            ),
            ("command = 'run'\ngame = 'a'\nn = 1\nagnets = ['a']", "line 7"),
            (
                "command = 'run'\ngame = 'a'\nn = 1\nagents = ['a']\noptions = { solutions = true }",
                "line 8: options: 'solutions': run writes no such table",
            ),
            (
                "command = 'analyse'\ngame = 'a'\nn = 1\nagents = ['a']\noptions = { games = true }",
                "line 8: options: 'games': analyse writes no such table",
            ),
            (
                "command = 'run'\ngame = 'a'\nn = 1\nagents = ['a']\noptions = { transcripts = 'games.csv' }",
                "line 8: options: transcripts = \"games.csv\": tables have names that end in .csv",
            ),
            ("command = 'run'\ngame = 'a'\nn = 1\nagents = ['a', 'a']", "stands in line 3 already"),
        ] {
            let error = Study::read("s.toml", &format!("{head}{text}")).err().unwrap();
            assert!(error.starts_with("s.toml: ") && error.contains(part), "{text}: {error}");
        }
        assert!(Study::read("s.toml", "summary = 's'").err().unwrap().contains("seed"));
    }
}
