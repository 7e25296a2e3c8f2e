//! Two players on the same deals, from code: `cargo run --release --example compare_two`.

use knave::registry::Registry;
use knave::studies::{End, Request, Session};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::builtin().build();
    // The same form as the `request` of a manifest.
    let request: Request = serde_json::from_value(json!({
        "study": "compare",
        "game": "dungeon",
        "agents": ["rule", { "agent": "mcts", "options": { "iterations": 20 }, "label": "quick search" }],
        "rules": { "health": 15 },
        "n": 200,
    }))?;
    let done = Session::new(&registry, &request)?.run(&mut ())?;
    if let End::Failed(failure) = done.end {
        return Err(failure.into());
    }
    println!("{}", done.summary);
    let difference = &done.summary.data()["differences"][0]["difference"];
    println!("rule less quick search: {} wins a game", difference["mean"]);
    Ok(())
}
