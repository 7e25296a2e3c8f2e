//! How far a run is: a bar on a terminal, a line every few seconds elsewhere.

use crate::cli::exit::say;
use crate::cli::table::{duration, rate, thousands};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

/// How often a line is printed where there is no terminal.
const LINES: Duration = Duration::from_secs(5);

/// The display of a running command; it writes to standard error.
pub struct Progress {
    /// What is counted: `games`.
    unit: &'static str,
    /// How many were done before the command began.
    before: u64,
    all: u64,
    began: Instant,
    printed: Instant,
    form: Form,
}

enum Form {
    Quiet,
    Lines,
    Bar(ProgressBar),
}

impl Progress {
    #[expect(clippy::disallowed_methods, reason = "the display shows the rate and the time left")]
    pub fn new(unit: &'static str, before: u64, all: u64, quiet: bool) -> Self {
        let form = if quiet {
            Form::Quiet
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr_with_hz(10));
            let template = "{bar:24} {percent:>3} %  {msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            Form::Bar(bar)
        } else {
            Form::Lines
        };
        Self { unit, before, all, began: Instant::now(), printed: Instant::now(), form }
    }

    /// Shows how far it is, with the estimate so far.
    #[expect(clippy::disallowed_methods, reason = "the clock decides when the next line is printed")]
    pub fn show(&mut self, done: u64, estimate: impl FnOnce() -> String) {
        match &self.form {
            Form::Quiet => {}
            Form::Bar(bar) => {
                bar.set_message(self.state(done, &estimate()));
                bar.set_position(done);
            }
            Form::Lines if self.printed.elapsed() < LINES => {}
            Form::Lines => {
                self.printed = Instant::now();
                let (count, all) = (thousands(done), thousands(self.all));
                say(format_args!("{count} of {all} {}, {}", self.unit, self.state(done, &estimate())));
            }
        }
    }

    /// The speed, the time left and the estimate.
    fn state(&self, done: u64, estimate: &str) -> String {
        let speed = (done - self.before) as f64 / self.began.elapsed().as_secs_f64();
        let left = (self.all - done) as f64 / speed;
        // Tenths of a second would only flicker.
        let left = if left < 60.0 { format!("{left:.0} s") } else { duration(left) };
        format!("{}, {left} left, {estimate}", rate(speed, self.unit))
    }

    /// Removes the bar.
    pub fn end(self) {
        if let Form::Bar(bar) = self.form {
            bar.finish_and_clear();
        }
    }
}
