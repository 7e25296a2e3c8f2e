//! Labels of rows and of what is drawn of them, as data: charts show them whole, and sentences take them apart.

use std::fmt;

/// What tells a row apart from others.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Label {
    /// What the row is about: an agent, the two of a comparison, an objective.
    pub names: Vec<String>,
    /// Other columns in which rows differ, such as the seat.
    pub columns: Vec<String>,
    /// The rules and cards in which their runs differ.
    pub settings: Vec<String>,
    /// Further differences of runs that would have the same label: seed, size, cell, folder.
    pub further: Vec<String>,
}

impl Label {
    /// The label of what has a name alone.
    pub fn named(name: &str) -> Self {
        Self { names: vec![name.to_owned()], ..Self::default() }
    }

    /// What tells it apart from others with these names; empty where nothing does.
    pub fn apart(&self) -> String {
        let parts = self.columns.iter().chain(&self.settings).chain(&self.further);
        parts.map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// The same in brackets, behind what it is about.
    pub fn in_brackets(&self) -> String {
        bracketed(&self.apart())
    }
}

/// A text in brackets behind another, if there is one.
pub(super) fn bracketed(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" ({text})") }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = self.settings.join(", ");
        let settings = Some(&settings).filter(|settings| !settings.is_empty());
        let parts = self.names.iter().chain(&self.columns).chain(settings).chain(&self.further);
        f.write_str(&parts.map(String::as_str).collect::<Vec<_>>().join(" · "))
    }
}
