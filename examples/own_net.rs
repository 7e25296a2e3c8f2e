//! A player that looks at many games at once, as one with a net of its own would: the rows of all moves of all games go
//! through the net in one piece. `cargo run --release --example own_net -- run --game dungeon --agent linear -n 100000`.
use knave::agents::batch::{Question, Unanswered};
use knave::agents::{Agent, Configure, Decision, OptionError, Options, Rng, Setup};
use knave::games::dungeon::{Dungeon, Move};
use knave::registry::Registry;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// What the net sees of a move: its kind (avoid, take, drink, bare, weapon), and the card's rank.
const INPUTS: usize = 6;

/// The net: here one layer. It takes weapons and uses them, then drinks; low cards come first, and it avoids no room that it may face.
const WEIGHTS: [f32; INPUTS] = [-2.0, 6.0, 2.0, 1.0, 5.0, -0.1];

/// The net's player.
#[derive(Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Linear {
    /// How many games are played at once
    #[schemars(range(min = 1))]
    batch: u32,
}

impl Default for Linear {
    fn default() -> Self {
        Self { batch: 256 }
    }
}

impl Options for Linear {}

impl Configure<Dungeon> for Linear {
    const NAME: &'static str = "linear";
    const SUMMARY: &'static str = "a net of one layer, asked about many games at once";
    type Options = Self;

    fn configure(options: &Self, _: &Setup<'_, Dungeon>) -> Result<Self, OptionError> {
        Ok(options.clone())
    }
}

/// The values of these rows.
fn forward(rows: &[[f32; INPUTS]]) -> Vec<f32> {
    rows.iter().map(|row| row.iter().zip(WEIGHTS).map(|(x, w)| x * w).sum()).collect()
}

fn row(text: &str) -> [f32; INPUTS] {
    let mut row = [0.0; INPUTS];
    let kinds = ["avoid", "take", "drink", "bare", "weapon"];
    let kind = kinds.iter().position(|kind| text.contains(kind)).unwrap_or(0);
    row[kind] = 1.0;
    let rank = text.split(' ').nth(1).and_then(|card| "23456789TJQKA".find(&card[..1]));
    row[5] = rank.map_or(0.0, |rank| rank as f32 + 2.0);
    row
}

impl Agent<Dungeon> for Linear {
    fn choose(&mut self, decision: Decision<'_, Dungeon>, rng: &mut Rng) -> Move {
        let (mut moves, mut alone) = (Vec::new(), [Question { game: 0, decision, rng }]);
        let answered = self.choose_batch(&mut alone, &mut moves, &AtomicBool::new(false));
        answered.map_or(Move::AVOID, |()| moves[0])
    }

    fn batch(&self) -> Option<usize> {
        Some(self.batch as usize)
    }

    fn choose_batch(
        &mut self,
        questions: &mut [Question<'_, Dungeon>],
        chosen: &mut Vec<Move>,
        _: &AtomicBool,
    ) -> Result<(), Unanswered> {
        let (mut rows, mut moves, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for question in &*questions {
            let mut legal = Vec::new();
            question.decision.moves(&mut legal);
            rows.extend(legal.iter().map(|m| row(&m.to_string())));
            moves.append(&mut legal);
            ends.push(moves.len());
        }
        let values = forward(&rows);
        chosen.clear();
        let mut start = 0;
        for end in ends {
            let best = (start..end).max_by(|&a, &b| values[a].total_cmp(&values[b]));
            chosen.extend(best.map(|best| moves[best]));
            start = end;
        }
        Ok(())
    }
}

fn main() -> std::process::ExitCode {
    knave::cli::main_with(Registry::builtin().agent_of::<Dungeon, Linear>())
}
