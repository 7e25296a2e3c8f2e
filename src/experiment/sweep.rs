//! A sweep: one request under several rules, as a study with a cell for each.

use super::file::{Cell, Study, name, part};
use crate::json::plain;
use crate::registry::Registry;
use crate::studies::{Outputs, Request, solve};
use knave_agents::options::{Fields, Form, OptionDoc, whole_number};
use serde_json::{Value, json};
use std::fs;

/// More cells would be a mistake.
const MOST: usize = 1000;
/// A longer list of values does not stand in the name of a folder.
const LONG: usize = 40;

/// A request under several rules.
pub struct Sweep {
    /// A cell for each.
    pub study: Study,
    /// The options and their values, as a part of the name of a folder.
    pub options: String,
}

impl Sweep {
    /// The sweep of a request in which options of the rules have ranges of whole numbers such as `10..30`, or lists such as
    /// `at_most,below`; nothing where none has. Ranges and lists multiply.
    ///
    /// # Errors
    /// Names the option and what would be right.
    pub fn of(registry: &Registry, request: &Request, outputs: &Outputs) -> Result<Option<Self>, String> {
        let Ok(Value::Object(mut fields)) = serde_json::to_value(request) else { return Ok(None) };
        let Ok(game) = registry.game(request.game()) else { return Ok(None) };
        let rules = match fields.remove("rules") {
            Some(Value::Object(rules)) => rules,
            _ => Fields::new(),
        };
        let (all, swept) = expanded(&rules, &game.rules())?;
        if swept.is_empty() {
            return Ok(None);
        }
        if let Request::Solve(solve::Request { deals: Some(deals), .. }) = request {
            let is_pipe = deals.file.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir());
            if is_pipe || deals.file.as_os_str() == "-" {
                let name =
                    if is_pipe { deals.file.display().to_string() } else { "standard input".to_owned() };
                return Err(format!("{} cannot have several values: {name} is read once", swept.join(", ")));
            }
            // What cannot be read is said when the deals are.
            let text = fs::read(&deals.file).unwrap_or_default();
            if let Some((line, option)) = own_rule(&String::from_utf8_lossy(&text), &swept) {
                let file = deals.file.display();
                return Err(format!(
                    "{option} cannot have several values: line {line} of {file} sets it, and that would win"
                ));
            }
        }
        let command =
            fields.remove("study").and_then(|kind| kind.as_str().map(ToOwned::to_owned)).unwrap_or_default();
        let number = |name: &str| fields.get(name).and_then(Value::as_u64).unwrap_or(0);
        let (n, seed) = (number("n"), number("seed"));
        let agents: Vec<String> = fields
            .get("agents")
            .and_then(Value::as_array)
            .map_or_else(Vec::new, |agents| agents.iter().map(name).collect());
        let named = |rules: &Fields| {
            let texts = swept.iter().map(|option| part(option, &plain(&rules[*option])));
            texts.collect::<Vec<_>>().join("-")
        };
        let options = |option: &&str| {
            let text = plain(&rules[*option]);
            // A folder has a name of limited length.
            if text.len() > LONG { format!("{option}-several") } else { part(option, &text) }
        };
        let cell = |rules: Fields| {
            let mut fields = fields.clone();
            fields.insert("rules".to_owned(), json!(rules));
            let request = Request::read(&command, fields).map_err(|(_, reason)| reason)?;
            let setting = (command.as_str(), agents.as_slice(), (n, seed));
            Ok(Cell::single(named(&rules), request, outputs.clone(), rules, setting))
        };
        let cells = all.into_iter().map(cell).collect::<Result<Vec<_>, String>>()?;
        let summary = format!("{command} of {} with several {}", request.game(), swept.join(", "));
        let options = swept.iter().map(options).collect::<Vec<_>>().join("-");
        Ok(Some(Self { study: Study { summary, tables: None, cells }, options }))
    }
}

/// The first line of a file of deals that sets one of these options of the rules itself, and the option.
fn own_rule<'a>(text: &str, options: &[&'a str]) -> Option<(usize, &'a str)> {
    let own = |(place, line): (usize, &str)| {
        let line: Value = serde_json::from_str(line).ok()?;
        let option = options.iter().find(|option| line.pointer(&format!("/rules/{option}")).is_some())?;
        Some((place + 1, *option))
    };
    // As where the deals are read.
    text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate().find_map(own)
}

/// An option of the rules with several values.
struct Several<'a> {
    option: &'a str,
    values: Vec<Value>,
}

/// The options that have several values, and the rules with each of them: those of all options multiply.
fn expanded<'a>(rules: &'a Fields, docs: &[OptionDoc]) -> Result<(Vec<Fields>, Vec<&'a str>), String> {
    let mut several = Vec::new();
    for (option, value) in rules {
        let Some(text) = value.as_str() else { continue };
        several.extend(values(option, text, form(docs, option))?.map(|values| Several { option, values }));
    }
    let count = several.iter().try_fold(1_usize, |count, one| count.checked_mul(one.values.len()));
    if count.is_none_or(|count| count > MOST) {
        let names: Vec<&str> = several.iter().map(|one| one.option).collect();
        return Err(format!("{}: the values come to more than {MOST} runs", names.join(", ")));
    }
    let mut all = vec![rules.clone()];
    for Several { option, values } in &several {
        let with = |rules: Fields| {
            values.iter().map(move |value| {
                let mut rules = rules.clone();
                rules.insert((*option).to_owned(), value.clone());
                rules
            })
        };
        all = all.into_iter().flat_map(with).collect();
    }
    Ok((all, several.iter().map(|one| one.option).collect()))
}

/// Rules as data. A text with commas, such as `at_most,below`, becomes the list of its values. Ranges stay as they are.
///
/// # Errors
/// Names the option and what would be right.
pub(crate) fn with_lists(mut rules: Fields, docs: &[OptionDoc]) -> Result<Fields, String> {
    for (option, value) in &mut rules {
        let Some(text) = value.as_str().filter(|text| text.contains(',')) else { continue };
        if let Some(values) = values(option, text, form(docs, option))? {
            *value = values.into();
        }
    }
    Ok(rules)
}

/// The form of an option; nothing of one that does not exist.
fn form(docs: &[OptionDoc], option: &str) -> Option<Form> {
    docs.iter().find(|doc| doc.name == option).map(|doc| doc.form)
}

/// The values of a range or of a list, as an option of this form takes them; nothing where the text is one value.
fn values(option: &str, text: &str, form: Option<Form>) -> Result<Option<Vec<Value>>, String> {
    let wrong = |reason: &str| Err(format!("{option}={text} is refused: {reason}"));
    let is_number = form == Some(Form::Number);
    // A list of teams is one value.
    if form == Some(Form::List) {
        return Ok(None);
    }
    let values: Vec<Value> = if let Some((low, high)) = text.split_once("..") {
        // An option that does not exist is refused where the rules are read, with those that do.
        if form.is_none() {
            return Ok(None);
        }
        if !is_number {
            return wrong(
                "a range is one of whole numbers; the values of this option are named, with commas between them",
            );
        }
        if text.contains(',') {
            return wrong(
                "a list has no ranges: expected one range such as 10..30, or its values with commas between them",
            );
        }
        let end = |text: &str| whole_number(text.trim());
        let (Some(low), Some(high)) = (end(low), end(high)) else {
            return wrong("expected whole numbers such as 10..30");
        };
        if low > high {
            return wrong("expected the smaller number first");
        }
        // A number beyond 64 bits is none of any option.
        let (Ok(low), Ok(high)) = (i64::try_from(low), i64::try_from(high)) else {
            return wrong("expected smaller numbers, such as 10..30");
        };
        if high.abs_diff(low) >= MOST as u64 {
            return Err(format!("{option}={text} is refused: these are more than {MOST} values"));
        }
        (low..=high).map(|value| json!(value)).collect()
    } else if text.contains(',') {
        let parts = text.split(',').map(str::trim);
        if parts.clone().any(str::is_empty) {
            return wrong("there is nothing between two commas or at an end");
        }
        // What is no number is refused, or understood, by the option itself.
        let value = |part: &str| {
            let number = whole_number(part).and_then(|number| i64::try_from(number).ok());
            number.filter(|_| is_number).map_or_else(|| json!(part), |number| json!(number))
        };
        parts.map(value).collect()
    } else {
        return Ok(None);
    };
    match values.iter().enumerate().find(|(place, value)| values[..*place].contains(value)) {
        Some((_, value)) => Err(format!("{option}={text} is refused: {} stands there twice", plain(value))),
        None => Ok(Some(values)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use knave_agents::options::{Options, describe};

    /// Options of several forms.
    #[derive(Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[serde(default)]
    struct Rules {
        number: i32,
        optional: Option<u8>,
        word: String,
        list: Vec<u8>,
    }

    impl Options for Rules {}

    fn read(text: &str, option: &str) -> Result<Option<Vec<Value>>, String> {
        values(option, text, form(&describe::<Rules>(), option))
    }

    /// Values are those of the option's kind, and what cannot be read is said in its own words.
    #[test]
    fn values_are_read_by_the_kind_of_the_option() {
        let (number, optional, word) = ("number", "optional", "word");
        assert_eq!(read("1..3", optional).unwrap().unwrap(), [1, 2, 3].map(|value| json!(value)));
        assert_eq!(read("-1..1", number).unwrap().unwrap(), [-1, 0, 1].map(|value| json!(value)));
        assert_eq!(read("1e1..1_1", number).unwrap().unwrap(), [10, 11].map(|value| json!(value)));
        assert_eq!(read("020,+7", number).unwrap().unwrap(), [20, 7].map(|value| json!(value)));
        assert_eq!(
            read("at_most, below", word).unwrap().unwrap(),
            ["at_most", "below"].map(|value| json!(value))
        );
        assert_eq!(read("20", number).unwrap(), None);
        assert_eq!(read("[0,1,0]", "list").unwrap(), None);
        for (text, option, reason) in [
            ("3..1", number, "the smaller number first"),
            ("1..2000", number, "more than 1000 values"),
            ("1..1e10", number, "more than 1000 values"),
            ("-1e18..1e18", number, "more than 1000 values"),
            ("1..1e30", number, "smaller numbers"),
            ("10..12,11", number, "a list has no ranges"),
            ("9,10..12", number, "a list has no ranges"),
            ("a..b", number, "whole numbers such as"),
            ("at_most..below", word, "a range is one of whole numbers"),
            ("10,,12", number, "nothing between two commas"),
            ("20,020", number, "20 stands there twice"),
            ("10,1e1", number, "10 stands there twice"),
        ] {
            let error = read(text, option).unwrap_err();
            assert!(error.contains(reason) && error.contains(text), "{error}");
        }
    }

    /// Too many runs are refused before they are listed.
    #[test]
    fn products_are_limited() {
        let rules = Fields::from_iter(["number", "optional"].map(|name| (name.to_owned(), json!("1..1000"))));
        assert_eq!(
            expanded(&rules, &describe::<Rules>()).unwrap_err(),
            "number, optional: the values come to more than 1000 runs"
        );
    }

    /// Rows would carry a value that no deal was solved with.
    #[test]
    fn lines_with_rules_of_their_own_are_found() {
        let text = "TD 2C\n\n{\"deck\":[],\"rules\":{\"health\":3}}\n";
        assert_eq!(own_rule(text, &["weapon_limit", "health"]), Some((3, "health")));
        assert_eq!(own_rule(text, &["weapon_limit"]), None);
        let marked = "\u{feff}{\"deck\":[],\"rules\":{\"health\":3}}\n";
        assert_eq!(own_rule(marked, &["health"]), Some((1, "health")));
    }

    /// A number below 0 has another folder than the one above.
    #[test]
    fn folders_keep_signs() {
        assert_ne!(part("ace", "-1"), part("ace", "1"));
    }
}
