//! Statistics of one's own, in parallel: `cargo run --release --example own_statistics`.
//!
//! How many moves does a won game of the dungeon have, and how many a lost one?

use knave::agents::{Tools as _, registry};
use knave::exec::Halt;
use knave::games::dungeon::{Dungeon, Rules};
use knave::play::{Bench, Finished, Observer};
use knave::studies::run::{Plan, Request};
use rayon::prelude::*;
use serde_json::json;

/// The number of games and of their moves, lost games first.
#[derive(Default)]
struct Lengths {
    games: [u64; 2],
    moves: [u64; 2],
}

impl Observer<Dungeon> for Lengths {
    fn finish(&mut self, end: &Finished<'_, Dungeon>) {
        let won = usize::from(end.won(0));
        self.games[won] += 1;
        self.moves[won] += end.moves[0];
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const GAMES: u64 = 2000;
    const PARTS: u64 = 8;
    let agents = registry::agents(&Dungeon::kit(&Rules::default()));
    let request: Request =
        serde_json::from_value(json!({ "game": "dungeon", "agents": ["rule"], "n": GAMES }))?;
    let plan = Plan::<Dungeon>::new(&request, &agents)?;
    // A game depends on the seed and its number alone, so the parts may be played anywhere.
    let play = |part| {
        let (mut lengths, mut games) = (Lengths::default(), plan.game_loop(&mut Bench::default()));
        (part..GAMES).step_by(PARTS as usize).try_for_each(|index| games.play(index, &mut lengths))?;
        Ok(lengths)
    };
    let parts: Vec<Lengths> = (0..PARTS).into_par_iter().map(play).collect::<Result<_, Halt>>()?;
    for (result, name) in ["lost", "won"].into_iter().enumerate() {
        let sum = |of: fn(&Lengths) -> [u64; 2]| parts.iter().map(|part| of(part)[result]).sum::<u64>();
        let (games, moves) = (sum(|part| part.games), sum(|part| part.moves));
        println!("{games} games {name}: {:.1} moves on average", moves as f64 / games as f64);
    }
    Ok(())
}
