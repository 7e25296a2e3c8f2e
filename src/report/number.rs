//! Numbers as people read them.

/// What the numbers on an axis are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// A share from 0 to 1, printed as per cent.
    Share,
    /// Anything else.
    Plain,
}

impl Unit {
    /// A number as people read it.
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Share => format!("{} %", plain(value * 100.0)),
            Self::Plain => plain(value),
        }
    }
}

/// A number with about three digits that matter, and no zeros behind them.
pub(super) fn plain(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 1000.0 || size == 0.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.01 => 3,
        _ => 5,
    };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.replace('-', "\u{2212}") }
}

/// A value with its interval.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    pub label: String,
    pub value: f64,
    pub ends: Option<(f64, f64)>,
}

impl Estimate {
    /// The value and its interval as people read them.
    pub fn text(&self, unit: Unit) -> String {
        let value = unit.text(self.value);
        self.ends.map_or(value.clone(), |(low, high)| {
            format!("{value} ({} to {})", unit.text(low), unit.text(high))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers are short, and never a minus in front of nothing.
    #[test]
    fn numbers_are_short() {
        for (value, text) in
            [(0.0, "0"), (-0.0, "0"), (1234.5, "1234"), (12.34, "12.3"), (0.5, "0.5"), (-2.0, "\u{2212}2")]
        {
            assert_eq!(plain(value), text);
        }
        assert_eq!(Unit::Share.text(0.912), "91.2 %");
    }
}
