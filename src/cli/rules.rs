//! `sim rules`: how a game is played.

use super::exit::{Exit, bad_input, print};
use super::json::{self, Json};
use super::list::list_options;
use crate::registry::Registry;
use crate::screen::Screen;
use clap::Args as ClapArgs;
use serde_json::json;

#[derive(ClapArgs)]
pub struct Args {
    /// The game (`sim list games`)
    game: String,
    #[command(flatten)]
    json: Json,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<Exit> {
    let game = registry.game(&args.game).map_err(bad_input)?;
    let mut text = game.rules_text().to_owned();
    if text.is_empty() {
        text = format!("# {}\n\n{}\n", game.name(), game.summary());
    }
    let options = game.rules();
    if args.json.json {
        json::print(&json!({ "game": game.name(), "text": text, "rules": options }))?;
        return Ok(Exit::Done);
    }
    if !options.is_empty() {
        text += "\n## Options\n\n`--rule NAME=VALUE` changes them.\n\n";
        list_options(&mut text, &options);
    }
    print(&Screen::stdout().own(&text))?;
    Ok(Exit::Done)
}
