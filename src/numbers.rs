//! Numbers as people read them, in the terminal and on pages.

use crate::play::Measure;
use crate::stats::Interval;
use indicatif::{HumanCount, HumanDuration};
use std::time::Duration;

/// The sign for an undefined value.
pub const NONE: &str = "-";

/// The title of a column of intervals.
pub const INTERVAL: &str = "95 % interval";

/// A value and its interval, with as many decimals as the interval is worth. An end that is open is infinite.
#[must_use]
pub fn with_interval(value: f64, interval: Interval) -> (String, String) {
    rounded(value, interval, decimals(value, interval))
}

/// A difference and its interval, with as many decimals as the interval is worth, and as tell on which side of zero it lies.
#[must_use]
pub fn difference(value: f64, interval: Interval) -> (String, String) {
    let nearest = if interval.low > 0.0 { interval.low } else { -interval.high };
    let is_told = |decimals: &usize| nearest <= 0.0 || nearest > 0.5 * 0.1_f64.powi(*decimals as i32);
    let enough = (decimals(value, interval)..MOST_DECIMALS).find(is_told);
    rounded(value, interval, enough.unwrap_or(MOST_DECIMALS))
}

/// The upper end of the interval of a value, with as many decimals as the interval is worth, and not rounded down; and the interval
/// with this end.
#[must_use]
pub fn upper_end(value: f64, interval: Interval) -> (String, String) {
    let decimals = decimals(value, interval);
    let scale = 10_f64.powi(decimals as i32);
    // What is a hair above such a decimal is that decimal.
    let high = (interval.high * scale - 1e-6).ceil() / scale;
    rounded(high, Interval { high, ..interval }, decimals)
}

/// The most decimals that are shown.
const MOST_DECIMALS: usize = 8;

/// The decimals that an interval is worth.
fn decimals(value: f64, Interval { low, high }: Interval) -> usize {
    let width = match (low.is_finite(), high.is_finite()) {
        (true, true) => high - low,
        (true, false) => 2.0 * (value - low),
        _ => 2.0 * (high - value),
    };
    if width > 0.0 { (1.0 - width.log10().floor()).clamp(0.0, MOST_DECIMALS as f64) as usize } else { 2 }
}

fn rounded(value: f64, Interval { low, high }: Interval, decimals: usize) -> (String, String) {
    let show = |value| fixed(value, decimals);
    let interval = match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{} to {}", show(low), show(high)),
        (true, false) => format!("{} or more", show(low)),
        (false, true) => format!("{} or less", show(high)),
        (false, false) => NONE.to_owned(),
    };
    (show(value), interval)
}

/// A number with so many decimals.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    // A half in decimals goes to the even neighbour, also where binary numbers have no such half: a rate of 0.225 is 0.22 and 22 %.
    let scale = 10_f64.powi(decimals as i32);
    let halves = (2.0 * scale * value).round();
    let is_half = (2.0 * scale * value - halves).abs() < 1e-6;
    let value = if is_half { (halves / 2.0).round_ties_even() / scale } else { value };
    let text = format!("{value:.decimals$}");
    // What rounds to zero has no sign.
    let zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
    if zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// A rate with its interval, in per cent.
#[must_use]
pub fn percent(rate: f64, interval: Interval) -> (String, String) {
    let (rate, interval) = with_interval(rate * 100.0, hundredfold(interval));
    (format!("{rate} %"), interval)
}

/// A difference of rates with its interval, in percentage points.
#[must_use]
pub fn difference_of_rates(rate: f64, interval: Interval) -> (String, String) {
    let (rate, interval) = difference(rate * 100.0, hundredfold(interval));
    (format!("{rate} %"), interval)
}

fn hundredfold(Interval { low, high }: Interval) -> Interval {
    Interval { low: low * 100.0, high: high * 100.0 }
}

/// A value with three digits, or as many more as tell it from another one.
#[must_use]
pub fn beside(value: f64, other: f64) -> String {
    let digits = |size: f64| if size > 0.0 { -size.log10().floor() } else { 0.0 };
    let decimals =
        (digits(value.abs()) + 2.0).max(digits((value - other).abs()) + 1.0).clamp(0.0, 12.0) as usize;
    format!("{value:.decimals$}")
}

/// A count with a comma for every thousand.
#[must_use]
pub fn thousands(count: u64) -> String {
    HumanCount(count).to_string()
}

/// A count with its noun, which is given in the plural: "1 cell", "2 cells".
#[must_use]
pub fn counted(count: usize, nouns: &str) -> String {
    format!("{count} {}", noun(count as u64, nouns))
}

/// The noun, given in the plural, that goes with a count.
#[must_use]
pub fn noun(count: u64, nouns: &str) -> &str {
    if count == 1 { nouns.trim_end_matches('s') } else { nouns }
}

/// A speed with three digits that matter: `8,910 games/s`.
#[must_use]
pub fn rate(per_second: f64, noun: &str) -> String {
    let size = if per_second > 0.0 { per_second.log10().floor() as i32 } else { 0 };
    let text = if size >= 2 {
        let unit = 10_u64.saturating_pow((size - 2).unsigned_abs());
        thousands(((per_second / unit as f64).round() as u64).saturating_mul(unit))
    } else {
        format!("{per_second:.decimals$}", decimals = (2 - size).clamp(0, 4) as usize)
    };
    format!("{text} {noun}/s")
}

/// A time in words: up to a minute in seconds, from there on in its largest unit, such as "2 hours".
#[must_use]
pub fn duration(seconds: f64) -> String {
    match Duration::try_from_secs_f64(seconds) {
        Ok(_) if seconds < 10.0 => format!("{seconds:.2} s"),
        Ok(_) if seconds < 59.95 => format!("{seconds:.1} s"),
        Ok(time) => HumanDuration(time).to_string(),
        Err(_) => "an unknown time".to_owned(),
    }
}

/// A cell of a table: a number with at most four decimals, anything else as it is.
#[must_use]
pub fn short(cell: &str) -> String {
    match cell.parse::<f64>() {
        Ok(value) if cell.contains('.') && (value == 0.0 || value.abs() >= 0.001) => {
            // Zero has no sign.
            let text = format!("{:.4}", value + 0.0);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        Ok(value) if cell.contains('.') => format!("{value:.1e}"),
        _ => cell.to_owned(),
    }
}

/// What numbers are, in a table or on an axis.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A share from 0 to 1, printed as per cent.
    Share,
    /// Anything else.
    Plain,
}

impl Unit {
    /// A number with about three digits that matter.
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Share => format!("{} %", plain(value * 100.0)),
            Self::Plain => plain(value),
        }
    }

    /// A value and its interval, with as many decimals as the interval is worth.
    pub fn show(self, value: impl Into<Option<f64>>, interval: Option<Interval>) -> [String; 2] {
        let Some(value) = value.into().filter(|value| value.is_finite()) else {
            return [NONE, NONE].map(ToOwned::to_owned);
        };
        match (self, interval) {
            (Self::Share, Some(interval)) => percent(value, interval).into(),
            (Self::Plain, Some(interval)) => with_interval(value, interval).into(),
            (Self::Share, None) => [fixed(value * 100.0, 1) + " %", NONE.to_owned()],
            (Self::Plain, None) => [fixed(value, 2), NONE.to_owned()],
        }
    }

    /// A difference and its interval, with as many decimals as the interval is worth, and as tell on which side of zero it lies.
    pub fn difference(self, value: impl Into<Option<f64>>, interval: Option<Interval>) -> [String; 2] {
        let value = value.into();
        match (self, value, interval) {
            (Self::Share, Some(value), Some(interval)) => difference_of_rates(value, interval).into(),
            (Self::Plain, Some(value), Some(interval)) => difference(value, interval).into(),
            _ => self.show(value, None),
        }
    }
}

impl From<Measure> for Unit {
    fn from(measure: Measure) -> Self {
        match measure {
            Measure::Wins => Self::Share,
            Measure::Score => Self::Plain,
        }
    }
}

/// A number with about three digits that matter, and no zeros behind them.
pub(crate) fn plain(value: f64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_go_with_their_counts() {
        let counts = [0, 1, 2].map(|count| counted(count, "nodes"));
        assert_eq!(counts, ["0 nodes", "1 node", "2 nodes"]);
    }

    #[test]
    fn decimals_follow_the_interval() {
        let show = |value, low, high| with_interval(value, Interval { low, high });
        assert_eq!(show(-175.8812, -175.95, -175.81), ("-175.88".into(), "-175.95 to -175.81".into()));
        assert_eq!(show(50.0, 20.1, 79.9), ("50".into(), "20 to 80".into()));
        assert_eq!(show(-0.001, -0.3, 0.3), ("0.00".into(), "-0.30 to 0.30".into()));
        assert_eq!(show(3.0, 3.0, 3.0), ("3.00".into(), "3.00 to 3.00".into()));
        assert_eq!(show(323.4, 137.2, f64::INFINITY), ("323".into(), "137 or more".into()));
        assert_eq!(show(-323.4, f64::NEG_INFINITY, -137.2), ("-323".into(), "-137 or less".into()));
        assert_eq!(show(323.4, 0.003, f64::INFINITY), ("323".into(), "0 or more".into()));
        // What is not exceeded is not rounded down.
        let upper = |value, low, high| upper_end(value, Interval { low, high });
        assert_eq!(upper(93.0, 80.0, 105.466), ("106".into(), "80 to 106".into()));
        assert_eq!([upper(98.0, 97.0, 99.168), upper(98.0, 97.0, 99.2)].map(|told| told.0), ["99.2", "99.2"]);
        assert_eq!(upper(97.0, 80.0, 98.476), ("99".into(), "80 to 99".into()));
        assert_eq!(upper(123.4, f64::NEG_INFINITY, 345.67), ("346".into(), "346 or less".into()));
        // Whether zero is outside is told of differences.
        let difference = |value, low, high| difference(value, Interval { low, high });
        assert_eq!(show(-20.3, -36.2, -0.31), ("-20".into(), "-36 to 0".into()));
        assert_eq!(difference(-20.3, -36.2, -0.31), ("-20.3".into(), "-36.2 to -0.3".into()));
        assert_eq!(difference(20.3, 0.0, 40.0), ("20".into(), "0 to 40".into()));
        assert_eq!(beside(0.0041, 0.002), "0.00410");
        assert_eq!(beside(0.010_004, 0.01), "0.0100040");
        assert_eq!(beside(27.25, 5.0), "27.2");
        // The same rate is rounded in the same way as a number and in per cent.
        for (rate, text) in [(0.225, "0.22"), (0.235, "0.24"), (0.575, "0.58"), (0.2251, "0.23")] {
            let interval = Interval { low: rate - 0.1, high: rate + 0.1 };
            assert_eq!(with_interval(rate, interval).0, text);
            assert_eq!(percent(rate, interval).0, format!("{} %", &text[2..]));
        }
        let (rate, interval) = percent(0.25, Interval { low: 0.2231, high: 0.2789 });
        assert_eq!((rate.as_str(), interval.as_str()), ("25.0 %", "22.3 to 27.9"));
    }

    #[test]
    fn rates_and_times_are_readable() {
        for (value, text) in [
            (0.0, "0.00"),
            (0.0123, "0.0123"),
            (0.5, "0.500"),
            (7.0, "7.00"),
            (42.25, "42.2"),
            (999.7, "1,000"),
            (1_776_360.0, "1,780,000"),
        ] {
            assert_eq!(rate(value, "games"), format!("{text} games/s"));
        }
        for (value, text) in [
            (0.061, "0.06 s"),
            (12.34, "12.3 s"),
            (59.96, "60 seconds"),
            (3600.0, "60 minutes"),
            (8000.0, "2 hours"),
            (f64::NAN, "an unknown time"),
        ] {
            assert_eq!(duration(value), text);
        }
    }

    #[test]
    fn cells_have_few_decimals() {
        for (cell, text) in [
            ("0.123456", "0.1235"),
            ("2.50000", "2.5"),
            ("0.00012", "1.2e-4"),
            ("0.0", "0"),
            ("-0.0", "0"),
            ("12", "12"),
            ("a", "a"),
        ] {
            assert_eq!(short(cell), text);
        }
    }

    /// Numbers on pages are short, and never a minus in front of nothing.
    #[test]
    fn numbers_on_pages_are_short() {
        for (value, text) in
            [(0.0, "0"), (-0.0, "0"), (1234.5, "1234"), (12.34, "12.3"), (0.5, "0.5"), (-2.0, "\u{2212}2")]
        {
            assert_eq!(plain(value), text);
        }
        assert_eq!(Unit::Share.text(0.912), "91.2 %");
        assert_eq!(Unit::Share.show(-0.0001, None)[0], "0.0 %");
        assert_eq!(Unit::Plain.show(-0.001, None)[0], "0.00");
    }
}
