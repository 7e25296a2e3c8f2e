//! An agent as it is named on the command line: `NAME` or `NAME:option=value,option=value`.

use crate::options::{self, OptionError, Pairs};
use std::fmt;
use std::str::FromStr;

/// The name of an agent or a preset, and options on top of its defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSpec {
    /// An agent's or a preset's name, or the path of a preset file (it ends in `.toml`).
    pub name: String,
    /// The options as given.
    pub options: Pairs,
}

impl FromStr for AgentSpec {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        if name.is_empty() {
            return Err(OptionError::Form { owner: "agent".to_owned(), text: text.to_owned() });
        }
        let texts = rest.split(',').filter(|_| !rest.is_empty());
        let options = options::pairs(&format!("agent {name}"), texts)?;
        Ok(Self { name: name.to_owned(), options })
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (i, (name, value)) in self.options.iter().enumerate() {
            write!(f, "{}{name}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

/// Why an agent could not be made.
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
        for text in ["mcts", "mcts:iterations=2000,c=1.2", "my/own.toml:c=1"] {
            assert_eq!(text.parse::<AgentSpec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn malformed_specs_are_refused() {
        for text in ["", ":", "mcts:iterations", "mcts:=3", "mcts:a=1,a=2", "mcts:a=1,"] {
            assert!(text.parse::<AgentSpec>().is_err(), "{text}");
        }
    }
}
