//! A player for all games: change `value`. `cargo build --release -p knave-bot` makes `target/release/knave-bot`.

use knave_agents::bot::{Bot, Question, serve};
use knave_agents::protocol::{End, New};
use rand::RngExt as _;
use rand_pcg::Pcg64Mcg;
use std::collections::HashMap;

/// Takes the move of the highest value; chance decides between equals.
#[derive(Default)]
struct Player {
    /// What was said of the games that go on, by number.
    games: HashMap<u64, New<'static>>,
}

impl Bot for Player {
    const NAME: &'static str = "rust kit";
    const VERSION: &'static str = "1.0";
    /// What `value` reads of a question.
    const WANTS: &'static [&'static str] = &["view"];

    fn choose(&mut self, question: &Question<'_>) -> usize {
        // Every game is announced.
        let Some(game) = self.games.get(&question.game_id) else { return 0 };
        let view = question.view_data();
        let number = |name: &str| view[name].as_f64().unwrap_or_default();
        let mut luck = Pcg64Mcg::new(question.seed.into());
        let mut best = (f64::NEG_INFINITY, 0);
        for (index, text) in question.moves.iter().enumerate() {
            let words: Vec<&str> = text.split_whitespace().collect();
            let value = value(game, &words, &number) + luck.random::<f64>() / 1e3;
            if value > best.0 {
                best = (value, index);
            }
        }
        best.1
    }

    fn new_game(&mut self, game: &New<'_>) {
        let &New { game_id, seat, seats, .. } = game;
        let (name, rules) = (game.game.to_string().into(), game.rules.clone());
        self.games.insert(game_id, New { game_id, game: name, rules, seat, seats });
    }

    fn end_game(&mut self, end: &End) {
        self.games.remove(&end.game_id);
    }
}

/// What a move of this game is worth; `number` reads a number of the view.
fn value(game: &New<'_>, words: &[&str], number: &dyn Fn(&str) -> f64) -> f64 {
    let rank = |card: &str| {
        let place = card.chars().next().and_then(|rank| "23456789TJQKA".find(rank));
        place.unwrap_or_default() as f64 + 2.0
    };
    let rule = |name: &str| game.rules.get(name)?.as_f64();
    let card = words.get(1).map_or(0.0, |card| rank(card));
    match (game.game.as_ref(), words[0]) {
        // The strongest monsters with the weapon first, and potions for those who need them.
        ("dungeon", "fight") if words.contains(&"weapon") => 20.0 + card,
        ("dungeon", "drink") => {
            if number("health") < 0.7 * rule("health").unwrap_or(20.0) {
                30.0
            } else {
                1.0
            }
        }
        ("dungeon", "take") => 15.0 + card,
        ("dungeon", "fight") => 10.0 - card,
        ("dungeon", _) => 5.0,
        // The longest claims.
        ("verslun", "claim") => 10.0 + words.len() as f64,
        ("verslun", "redeal") => -10.0,
        ("columns", "finish") => 99.0,
        ("columns", "play") => 10.0,
        // Low cards for high stakes.
        ("doubles", "challenge") => number("stakes") - 12.0 - card,
        ("doubles", "pocket") => 1.0,
        ("whist", _) => -card,
        _ => 0.0,
    }
}

fn main() -> std::io::Result<()> {
    serve(&mut Player::default())
}
