//! How far a run is: a bar on a terminal, a line every few seconds elsewhere.

use crate::table::{percent, thousands};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use knave::games::CardGame;
use knave::runner::Totals;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// How often a line is printed where there is no terminal.
const LINES: Duration = Duration::from_secs(5);

/// The display of a running command; it writes to standard error.
pub struct Progress {
    games: u64,
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
    pub fn new(games: u64, quiet: bool) -> Self {
        let form = if quiet {
            Form::Quiet
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(10));
            let template = "{bar:30} {percent:>3} % {per_sec} {eta} left  {msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            Form::Bar(bar)
        } else {
            Form::Lines
        };
        Self { games, began: Instant::now(), printed: Instant::now(), form }
    }

    /// Shows the counts so far.
    #[expect(clippy::disallowed_methods, reason = "the display shows the rate and the time left")]
    pub fn show<G: CardGame>(&mut self, totals: &Totals<G>) {
        match &self.form {
            Form::Quiet => {}
            Form::Bar(bar) => {
                bar.set_message(estimate(totals));
                bar.set_position(totals.games);
            }
            Form::Lines if self.printed.elapsed() < LINES => {}
            Form::Lines => {
                self.printed = Instant::now();
                let seconds = self.began.elapsed().as_secs_f64();
                let rate = totals.games as f64 / seconds;
                let left = if rate > 0.0 { (self.games - totals.games) as f64 / rate } else { f64::NAN };
                // Nobody may be reading; that must not end the run.
                let _ = writeln!(
                    std::io::stderr(),
                    "{} of {} games, {} games/s, {} left, {}",
                    thousands(totals.games),
                    thousands(self.games),
                    thousands(rate as u64),
                    duration(left),
                    estimate(totals),
                );
            }
        }
    }

    /// Removes the bar.
    pub fn end(self) {
        if let Form::Bar(bar) = self.form {
            bar.finish_and_clear();
        }
    }
}

fn duration(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "unknown time".to_owned();
    }
    let seconds = seconds.ceil() as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, _) => format!("{minutes} min {} s", seconds % 60),
        _ => format!("{hours} h {minutes} min"),
    }
}

/// The win rate of each seat so far, with its interval.
fn estimate<G: CardGame>(totals: &Totals<G>) -> String {
    let seats = totals.seats.iter().map(|seat| match (seat.win_rate(), seat.win_interval()) {
        (Some(rate), Some(interval)) => percent(rate, interval),
        _ => "-".to_owned(),
    });
    format!("wins {}", seats.collect::<Vec<_>>().join(" · "))
}
