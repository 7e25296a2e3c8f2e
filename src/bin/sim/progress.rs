//! How far a run is: a bar on a terminal, a line every few seconds elsewhere.

use crate::exit::say;
use crate::table::{duration, percent, rate, thousands};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use knave::games::CardGame;
use knave::runner::Totals;
use std::io::IsTerminal as _;
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
            let template = "{bar:24} {percent:>3} %  {msg}";
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
    #[expect(clippy::disallowed_methods, reason = "the clock decides when the next line is printed")]
    pub fn show<G: CardGame>(&mut self, totals: &Totals<G>) {
        match &self.form {
            Form::Quiet => {}
            Form::Bar(bar) => {
                bar.set_message(self.state(totals));
                bar.set_position(totals.games);
            }
            Form::Lines if self.printed.elapsed() < LINES => {}
            Form::Lines => {
                self.printed = Instant::now();
                let (done, all) = (thousands(totals.games), thousands(self.games));
                say(format_args!("{done} of {all} games, {}", self.state(totals)));
            }
        }
    }

    /// The speed, the time left and the running estimate.
    fn state<G: CardGame>(&self, totals: &Totals<G>) -> String {
        let speed = totals.games as f64 / self.began.elapsed().as_secs_f64();
        let left = (self.games - totals.games) as f64 / speed;
        // Tenths of a second would only flicker.
        let left = if left < 60.0 { format!("{left:.0} s") } else { duration(left) };
        format!("{}, {left} left, {}", rate(speed), estimate(totals))
    }

    /// Removes the bar.
    pub fn end(self) {
        if let Form::Bar(bar) = self.form {
            bar.finish_and_clear();
        }
    }
}

/// The win rate of each seat so far, with its interval.
fn estimate<G: CardGame>(totals: &Totals<G>) -> String {
    let seats = totals.seats.iter().map(|seat| match (seat.win_rate(), seat.win_interval()) {
        (Some(rate), Some(interval)) => {
            let (rate, interval) = percent(rate, interval);
            format!("{rate} ({interval})")
        }
        _ => "-".to_owned(),
    });
    format!("wins {}", seats.collect::<Vec<_>>().join(", "))
}
