//! Agents as data, as command lines, studies and manifests name them.

use crate::options::{self, Fields, OptionError, shown};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// An agent as data: an agent's or a preset's name, options on top of its defaults, and the label it goes by.
///
/// A text `NAME:option=value,…` and a table `{agent, options, label}` are two spellings of it; a text is its own
/// label.
///
/// ```
/// use knave_agents::AgentSpec;
///
/// let text: AgentSpec = "mcts:iterations=50".parse()?;
/// let table: AgentSpec =
///     serde_json::from_str(r#"{"agent": "mcts", "options": {"iterations": 50}, "label": "slow"}"#).unwrap();
/// assert_eq!((text.to_string(), table.to_string()), ("mcts:iterations=50".into(), "slow".into()));
/// # Ok::<(), knave_agents::options::OptionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Spelling")]
pub struct AgentSpec {
    /// An agent's or a preset's name, or the path of a preset file (it ends in `.toml`).
    pub name: String,
    /// The options as given.
    pub options: Fields,
    /// The agent's name in outputs. By default it is the name with the options.
    pub label: Option<String>,
}

/// The two spellings of an agent.
#[derive(Serialize)]
#[serde(untagged)]
enum Spelling {
    Text(String),
    Fields(SpecFields),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpecFields {
    agent: String,
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    options: Fields,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

impl TryFrom<Value> for AgentSpec {
    type Error = OptionError;

    fn try_from(spelling: Value) -> Result<Self, OptionError> {
        let unfit = |reason: String| OptionError::Unfit { owner: "agent".to_owned(), reason };
        let fields = match spelling {
            Value::String(text) => return text.parse(),
            Value::Object(fields) => Value::Object(fields),
            other => {
                let reason =
                    format!("{other} is none: expected a text, or the fields agent, options and label");
                return Err(unfit(reason));
            }
        };
        let SpecFields { agent, options, label } =
            serde_json::from_value(fields).map_err(|error| unfit(options::plainly(&error.to_string())))?;
        Ok(Self { name: agent, options, label })
    }
}

impl From<AgentSpec> for Spelling {
    fn from(spec: AgentSpec) -> Self {
        let text = spec.to_string();
        if text.parse().as_ref() == Ok(&spec) {
            return Self::Text(text);
        }
        let AgentSpec { name, options, label } = spec;
        Self::Fields(SpecFields { agent: name, options, label })
    }
}

impl FromStr for AgentSpec {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        if name.is_empty() {
            let reason = format!("'{text}' names none: expected NAME or NAME:option=value,…");
            return Err(OptionError::Unfit { owner: "agent".to_owned(), reason });
        }
        let texts = parts(rest);
        let options = options::fields(&format!("agent {name}"), texts.iter().copied())?;
        let pairs = texts.iter().filter_map(|text| text.split_once('='));
        let label = labelled(name, pairs.map(|(name, value)| (name.trim(), value.trim().to_owned())));
        Ok(Self { name: name.to_owned(), options, label: Some(label) })
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = || self.options.iter().map(|(name, value)| (name.as_str(), shown(value)));
        match &self.label {
            Some(label) => f.write_str(label),
            None => f.write_str(&labelled(&self.name, options())),
        }
    }
}

/// The options of a text, between commas; those in brackets are commas of a list. An empty text has none.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut open) = (Vec::new(), 0, 0_usize);
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => open += 1,
            ']' => open = open.saturating_sub(1),
            ',' if open == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.is_empty() {
        parts.push(&text[start..]);
    }
    parts
}

/// The text `NAME:option=value,…`.
fn labelled<'a>(name: &str, options: impl Iterator<Item = (&'a str, String)>) -> String {
    let options: Vec<String> = options.map(|(name, value)| format!("{name}={value}")).collect();
    if options.is_empty() { name.to_owned() } else { format!("{name}:{}", options.join(",")) }
}

/// An error of preparing an agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No agent and no preset of this name.
    #[error("unknown agent '{name}'{hint}; agents: {agents}; presets: {presets}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// `, did you mean '…'?` or nothing.
        hint: String,
        /// The agents that can play the game.
        agents: String,
        /// The presets.
        presets: String,
    },
    /// An option was refused.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A preset file could not be used.
    #[error("preset {path}: {reason}")]
    Preset {
        /// The file or the preset's name.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_round_trip() {
        for text in
            ["mcts", "mcts:iterations=2000,c=1.2", "my/own.toml:c=1", r#"rule:policy=["net","rule"],c=1"#]
        {
            assert_eq!(text.parse::<AgentSpec>().unwrap().to_string(), text);
        }
    }

    /// A text keeps the order in which its options were given, and blanks mean nothing.
    #[test]
    fn a_text_is_its_own_label() {
        assert_eq!(
            " mcts : iterations = 5 , c=1".parse::<AgentSpec>().unwrap().to_string(),
            "mcts:iterations=5,c=1"
        );
        let spec: AgentSpec = serde_json::from_str(r#"{"agent":"mcts","options":{"c":1,"a":0.5}}"#).unwrap();
        assert_eq!(spec.to_string(), "mcts:a=0.5,c=1");
        assert!(serde_json::from_str::<AgentSpec>(r#"{"agent":"mcts","option":{}}"#).is_err());
    }

    #[test]
    fn data_round_trips() {
        for text in [
            r#""mcts:c=1""#,
            r#"{"agent":"mcts","options":{"c":1}}"#,
            r#"{"agent":"mcts","options":{"c":1},"label":"slow"}"#,
        ] {
            let spec: AgentSpec = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&spec).unwrap(), text);
        }
    }

    #[test]
    fn malformed_specs_are_refused() {
        for text in ["", ":", "mcts:iterations", "mcts:=3", "mcts:a=1,a=2", "mcts:a=1,"] {
            assert!(text.parse::<AgentSpec>().is_err(), "{text}");
        }
    }
}
