//! Always plays the first move: how quick the protocol is.

use knave_agents::bot::{Bot, Question, serve};

struct First;

impl Bot for First {
    const NAME: &'static str = "first";
    const WANTS: &'static [&'static str] = &[];

    fn choose(&mut self, _: &Question<'_>) -> usize {
        0
    }
}

fn main() -> std::io::Result<()> {
    serve(&mut First)
}
