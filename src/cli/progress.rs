//! How far a session is: a bar on a terminal, a line every few seconds elsewhere.

use super::exit::say;
use crate::numbers::{duration, rate, thousands};
use crate::studies;
use crate::text::visible;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

/// How often a line is printed where there is no terminal.
const LINES: Duration = Duration::from_secs(5);

/// The display of a running command; it writes to standard error.
pub struct ProgressDisplay {
    began: Instant,
    printed: Instant,
    form: Form,
}

enum Form {
    Quiet,
    Lines,
    Bar(ProgressBar),
}

impl ProgressDisplay {
    #[expect(clippy::disallowed_methods, reason = "the display shows the rate and the time left")]
    pub fn new(quiet: bool) -> Self {
        let form = if quiet {
            Form::Quiet
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            let template = "{bar:24} {percent:>3} %  {msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            Form::Bar(bar)
        } else {
            Form::Lines
        };
        Self { began: Instant::now(), printed: Instant::now(), form }
    }

    /// Shows how far it is, with the estimate so far.
    #[expect(clippy::disallowed_methods, reason = "the clock decides when the next line is printed")]
    pub fn show(&mut self, progress: &studies::Progress<'_>) {
        match &self.form {
            Form::Quiet => {}
            Form::Bar(bar) => {
                bar.set_length(progress.all);
                bar.set_message(visible(&self.state(progress)).into_owned());
                bar.set_position(progress.done);
            }
            Form::Lines if self.printed.elapsed() < LINES => {}
            Form::Lines => {
                self.printed = Instant::now();
                let [done, all] = [progress.done, progress.all].map(thousands);
                say(format_args!("{done} of {all} {}, {}", progress.noun, self.state(progress)));
            }
        }
    }

    /// The speed, the time left and the estimate.
    fn state(&self, progress: &studies::Progress<'_>) -> String {
        let running = self.began.elapsed().as_secs_f64();
        if progress.done == progress.before && running >= LINES.as_secs_f64() {
            let noun = progress.noun;
            return format!(
                "none of the {noun} has ended after {}: they take long",
                duration(running.round())
            );
        }
        let speed = (progress.done - progress.before) as f64 / running;
        let left = (progress.all - progress.done) as f64 / speed;
        // Tenths of a second would only flicker.
        let left = if left < 60.0 { format!("{left:.0} s") } else { duration(left) };
        format!("{}, {left} left, {}", rate(speed, progress.noun), progress.estimate())
    }

    /// Removes the bar.
    pub fn end(self) {
        if let Form::Bar(bar) = self.form {
            bar.finish_and_clear();
        }
    }
}
