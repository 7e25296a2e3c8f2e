//! Kinds of studies: a folder each, with its request, job, totals, tables and summary.
//!
//! A [`Request`] is what is asked, as data; every front end builds one and every manifest records one. A [`Session`] does
//! it. A further kind is:
//!
//! - a folder here and a variant of [`Request`], with its name in [`Request::KINDS`] and an arm in each function of this file that tells
//!   kinds apart;
//! - its tables in `TABLES`, those with a row for each index in `BY_INDEX` too, and its summary in the list of `summary`;
//! - a command, which is a file in `cli`, and in `cli::show` the words before its tables;
//! - its part of pages, which is a file in `report::sections`;
//! - in `experiment::file`, whether its cells have agents, and how a list of them is read.
//!
//! Where a game may lack what the kind needs, `registry` names the games that have it.

pub mod analyse;
pub mod bound;
mod carry_out;
pub mod compare;
pub(crate) mod faults;
pub(crate) mod input;
mod join;
mod merge;
mod outcome;
mod planned;
pub(crate) mod request;
mod rows;
pub mod run;
mod session;
pub mod solve;
mod study_plan;
pub(crate) mod summary;

pub use join::MergeRequestError;
pub use merge::Merge;
pub use outcome::{Done, End, Progress, SessionError, SessionObserver};
pub use planned::{Planned, Planner};
pub use request::RequestError;
pub(crate) use request::spec;
pub use session::Session;
pub use study_plan::Outputs;
pub(crate) use study_plan::{StudyPlan, Writes};
pub use summary::{Head, Summary};

use crate::games::CardGame;
use crate::store::PlanRecord;
use knave_agents::options::{field_names, plainly, shown};
use knave_agents::{AgentSpec, Entry};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment};

/// The tables of all kinds; games may have more of their own.
pub(crate) const TABLES: [&str; 20] = [
    run::tables::SUMMARY.file,
    run::tables::SCORES.file,
    run::tables::TALLY.file,
    run::tables::GAMES.file,
    compare::tables::COMPARISON.file,
    compare::tables::MATRIX.file,
    compare::tables::RATINGS.file,
    compare::tables::SEATS.file,
    solve::tables::SOLVABILITY.file,
    solve::tables::VALUES.file,
    solve::tables::NODES.file,
    solve::tables::SOLUTIONS.file,
    bound::tables::BOUND.file,
    analyse::tables::ANALYSIS.file,
    analyse::tables::ERRORS.file,
    analyse::tables::DECISIONS.file,
    analyse::tables::MOVES.file,
    analyse::tables::LUCKS.file,
    analyse::tables::BALANCE.file,
    faults::FAULTS.file,
];

/// The files of all kinds that have a row for each game or deal: too long to be joined, or read by eye.
pub(crate) const BY_INDEX: [&str; 6] = [
    run::tables::GAMES.file,
    solve::tables::SOLUTIONS.file,
    analyse::tables::DECISIONS.file,
    analyse::tables::MOVES.file,
    analyse::tables::LUCKS.file,
    analyse::tables::BALANCE.file,
];

/// A request for a study.
///
/// ```
/// use knave::studies::Request;
///
/// let request: Request = serde_json::from_str(
///     r#"{ "study": "run", "game": "dungeon", "agents": ["mcts:iterations=20"], "rules": { "health": 15 }, "n": 100 }"#,
/// )?;
/// assert_eq!(request.game(), "dungeon");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "study", rename_all = "lowercase")]
pub enum Request {
    /// Games are played.
    Run(run::Request),
    /// Agents are compared on the same deals.
    Compare(compare::Request),
    /// Deals are solved with every card known.
    Solve(solve::Request),
    /// Fair play is bounded from above.
    Bound(bound::Request),
    /// Decisions are judged.
    Analyse(analyse::Request),
}

impl Request {
    /// The kinds of studies, by name.
    pub const KINDS: [&'static str; 5] = ["run", "compare", "solve", "bound", "analyse"];

    /// The names of the fields of a request of this kind; none where there is no such kind.
    #[must_use]
    pub fn fields(kind: &str) -> Vec<&'static str> {
        match kind {
            "run" => field_names::<run::Request>(),
            "compare" => field_names::<compare::Request>(),
            "solve" => field_names::<solve::Request>(),
            "bound" => field_names::<bound::Request>(),
            "analyse" => field_names::<analyse::Request>(),
            _ => Vec::new(),
        }
    }

    /// Checks that a manifest can name the files that it reads.
    ///
    /// # Errors
    /// Names the field and the file.
    pub(super) fn check_files(&self) -> Result<(), RequestError> {
        let (field, files) = match self {
            Self::Solve(solve::Request { deals: Some(deals), .. }) => {
                ("deals", std::slice::from_ref(&deals.file))
            }
            Self::Analyse(analyse::Request { transcripts: Some(transcripts), .. }) => {
                ("transcripts", &transcripts.files[..])
            }
            _ => return Ok(()),
        };
        match files.iter().find(|file| file.to_str().is_none()) {
            None => Ok(()),
            Some(file) => {
                let name = file.display();
                let reason = format!(
                    "{field}: {name} is not UTF-8, so that the manifest could not name it: rename the file or link to it"
                );
                Err(RequestError::new(field, reason))
            }
        }
    }

    /// What a study of this kind can write beside its tables.
    pub(crate) fn writes(kind: &str) -> Writes {
        match kind {
            "run" => run::WRITES,
            "solve" => solve::WRITES,
            _ => Writes::default(),
        }
    }

    /// Reads a request of this kind from its fields.
    ///
    /// # Errors
    /// The field that is wrong, and what is wrong with it.
    pub fn read(kind: &str, fields: Map<String, Value>) -> Result<Self, (String, String)> {
        let fields = Value::Object(fields);
        match kind {
            "run" => read_fields(&fields).map(Self::Run),
            "compare" => read_fields(&fields).map(Self::Compare),
            "solve" => read_fields(&fields).map(Self::Solve),
            "bound" => read_fields(&fields).map(Self::Bound),
            "analyse" => read_fields(&fields).map(Self::Analyse),
            _ => Err(("study".to_owned(), format!("study: '{kind}' is none of {}", Self::KINDS.join(", ")))),
        }
    }

    /// The request that a manifest records.
    ///
    /// # Errors
    /// When it is none of this version.
    pub fn recorded(plan: &PlanRecord) -> serde_json::Result<Self> {
        Self::deserialize(Value::Object(plan.request.clone()))
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &str {
        match self {
            Self::Run(request) => &request.game,
            Self::Compare(request) => &request.game,
            Self::Solve(request) => &request.game,
            Self::Bound(request) => &request.game,
            Self::Analyse(request) => &request.game,
        }
    }

    /// What its indices stand for: games or deals.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Self::Run(_) => run::NOUN,
            Self::Compare(_) => compare::NOUN,
            Self::Solve(_) => solve::NOUN,
            Self::Bound(_) => bound::NOUN,
            Self::Analyse(_) => analyse::NOUN,
        }
    }

    /// The agents that are asked for, the judge of an analysis among them.
    pub fn agents(&self) -> impl Iterator<Item = &AgentSpec> {
        let (agents, judge): (&[AgentSpec], Option<&AgentSpec>) = match self {
            Self::Run(request) => (&request.agents, None),
            Self::Compare(request) => (&request.agents, None),
            Self::Solve(_) => (&[], None),
            Self::Bound(request) => (&request.agents, None),
            Self::Analyse(request) => (&request.agents, request.judge.as_ref()),
        };
        agents.iter().chain(judge)
    }
}

fn read_fields<T: DeserializeOwned>(fields: &Value) -> Result<T, (String, String)> {
    serde_path_to_error::deserialize(fields).map_err(|error| {
        let reason = plainly(&error.inner().to_string());
        // An unknown field stands in the message alone.
        let unknown = reason.strip_prefix("unknown field '").and_then(|rest| rest.split('\'').next());
        let field = match (unknown, error.path().iter().next()) {
            (Some(name), _) => name.to_owned(),
            (None, Some(first)) => first.to_string(),
            (None, None) => return (String::new(), reason),
        };
        if unknown.is_some() {
            return (field, reason);
        }
        let told = match (expected(&reason), at(fields, error.path())) {
            (Some(expected), Some(value)) => {
                // As data 3.0 and 1e3 are no whole numbers, which only their form tells.
                let is_whole = |number: f64| number.fract() == 0.0 && number.abs() < 2.0_f64.powi(64);
                let is_formed = value.is_f64() && value.as_f64().is_some_and(is_whole);
                let (value, form) = if is_formed && expected.contains("whole number") {
                    (value.to_string(), ", without a point or an exponent")
                } else {
                    (shown(value), "")
                };
                format!("{}={value} is refused: {expected}{form}", error.path())
            }
            _ => format!("{field}: {reason}"),
        };
        (field, told)
    })
}

/// What a message of serde says would be right, where it is about a value as a whole.
fn expected(reason: &str) -> Option<&str> {
    const ABOUT_VALUES: [&str; 4] =
        ["invalid type: ", "invalid value: ", "invalid length ", "unknown variant "];
    if reason.starts_with("expected ") {
        return Some(reason);
    }
    let (found, _) = reason
        .rsplit_once(", expected ")
        .filter(|_| ABOUT_VALUES.iter().any(|about| reason.starts_with(about)))?;
    Some(&reason[found.len() + ", ".len()..])
}

/// The value at a place of the fields.
fn at<'v>(fields: &'v Value, path: &Path) -> Option<&'v Value> {
    path.iter().try_fold(fields, |value, segment| match segment {
        Segment::Map { key } => value.get(key),
        Segment::Seq { index } => value.get(index),
        _ => None,
    })
}

/// Checks a request for this game, which these agents can play.
pub(crate) fn plan<G: CardGame>(
    request: &Request,
    agents: &[Entry<G>],
) -> Result<Box<dyn Planned>, RequestError> {
    Ok(match request {
        Request::Run(request) => Box::new(run::Plan::new(request, agents)?),
        Request::Compare(request) => Box::new(compare::Plan::new(request, agents)?),
        Request::Solve(request) => Box::new(solve::Plan::<G>::new(request)?),
        Request::Bound(request) => Box::new(bound::Plan::new(request, agents)?),
        Request::Analyse(request) => Box::new(analyse::Plan::new(request, agents)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(more: Value) -> Result<Request, (String, String)> {
        let mut fields = Map::new();
        for part in [json!({ "game": "doubles", "agents": ["rule", "fast"], "n": 8 }), more] {
            fields.extend(part.as_object().cloned().unwrap_or_default());
        }
        Request::read("compare", fields)
    }

    /// A table that is missing in the list would stay beside those that a study joins later. All are documented, games' own with the
    /// games that have them.
    #[test]
    fn all_documented_tables_are_listed() {
        let text = include_str!("../../results/README.md");
        let heads = text.lines().filter_map(|line| line.strip_prefix("## ")?.split_once(".csv: "));
        let common = heads.filter(|(name, about)| *name != "cells" && !about.contains("only for"));
        let mut documented: Vec<String> = common.map(|(name, _)| format!("{name}.csv")).collect();
        let mut listed = TABLES.to_vec();
        documented.sort();
        listed.sort_unstable();
        assert_eq!(documented, listed);
        assert!(BY_INDEX.iter().all(|name| listed.contains(name)));
    }

    /// A refusal shows the value that was given, and what would be right without the words of a parser.
    #[test]
    fn refusals_show_the_value() {
        for (more, field, told) in [
            (
                json!({ "measure": "win" }),
                "measure",
                "measure=win is refused: expected 'wins' or 'score', did you mean 'wins'?",
            ),
            (
                json!({ "sprt": 5 }),
                "sprt",
                "sprt=5 is refused: expected two differences in Elo, the smaller first",
            ),
            (
                json!({ "sprt": [0, 5, 9] }),
                "sprt",
                "sprt=[0,5,9] is refused: expected two differences in Elo",
            ),
            (
                json!({ "until": "width=0.1" }),
                "until",
                "until=width=0.1 is refused: expected the width of the",
            ),
            (json!({ "game": 3 }), "game", "game=3 is refused: expected a text"),
            (
                json!({ "control": "two" }),
                "control",
                "control=two is refused: expected a whole number from 0 to",
            ),
            (json!({ "control": -1 }), "control", "control=-1 is refused: expected a whole number from 0 to"),
            (
                json!({ "n": 1e9 }),
                "n",
                "n=1000000000.0 is refused: expected a whole number from 0 to 18446744073709551615 (2^64 - 1), \
                 without a point or an exponent",
            ),
            (
                json!({ "control": 20.0 }),
                "control",
                "control=20.0 is refused: expected a whole number from 0 to 4294967295, without a point or an exponent",
            ),
            (
                json!({ "untl": 0.1 }),
                "untl",
                "unknown field 'untl', did you mean 'until'?; expected one of 'game'",
            ),
            (
                json!({ "agents": [{ "a": 1 }] }),
                "agents",
                "agents: agent: unknown field 'a', expected one of 'agent', 'options', 'label'",
            ),
            (json!({ "cards": "2-6" }), "cards", "cards: '2-6' names no cards: expected cards such as 9H"),
        ] {
            let (found, reason) = read(more).unwrap_err();
            assert_eq!(found, field);
            assert!(reason.starts_with(told), "{reason}");
        }
        assert!(read(json!({ "cards": "2-6CD", "until": null, "sprt": [0, 5] })).is_ok());
    }
}
