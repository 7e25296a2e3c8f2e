//! A sweep: one request under several rules, as a study with a cell for each.

use super::file::{Cell, Study, name, plain, safe};
use crate::registry::Registry;
use crate::studies::{Outputs, Request};
use knave_agents::options::Fields;
use serde_json::{Value, json};

/// More cells would be a mistake.
const MOST: usize = 1000;

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
        // A list of teams is one value.
        let takes_list = |name: &str| game.default_rules().get(name).is_some_and(Value::is_array);
        let (all, swept) = expanded(&rules, &takes_list)?;
        if swept.is_empty() {
            return Ok(None);
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
            let texts = swept.iter().map(|option| safe(&format!("{option}-{}", plain(&rules[*option]))));
            texts.collect::<Vec<_>>().join("-")
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
        Ok(Some(Self { study: Study { summary, tables: None, cells }, options: named(&rules) }))
    }
}

/// The rules with every value of every option, and the options that have several.
fn expanded<'a>(
    rules: &'a Fields,
    takes_list: &dyn Fn(&str) -> bool,
) -> Result<(Vec<Fields>, Vec<&'a str>), String> {
    let (mut all, mut swept) = (vec![rules.clone()], Vec::new());
    for (option, value) in rules {
        let Some(text) = value.as_str().filter(|_| !takes_list(option)) else { continue };
        let Some(values) = values(option, text)? else { continue };
        swept.push(option.as_str());
        let with = |rules: Fields| {
            values.iter().map(move |value| {
                let mut rules = rules.clone();
                rules.insert(option.clone(), value.clone());
                rules
            })
        };
        all = all.into_iter().flat_map(with).collect();
        if all.len() > MOST {
            return Err(format!("{option}: the values multiply to more than {MOST} runs"));
        }
    }
    Ok((all, swept))
}

/// The values of a range or of a list; nothing where the text is neither.
fn values(option: &str, text: &str) -> Result<Option<Vec<Value>>, String> {
    let Some((low, high)) = text.split_once("..") else {
        let values = text.contains(',').then(|| text.split(',').map(|value| json!(value.trim())).collect());
        return Ok(values);
    };
    let wrong =
        || format!("{option}={text} is refused: expected whole numbers such as 10..30, the smaller first");
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
    let (low, high) = (number(low)?, number(high)?);
    if low > high || (high - low) as usize >= MOST {
        return Err(wrong());
    }
    Ok(Some((low..=high).map(|value| json!(value.to_string())).collect()))
}
