//! `sim`: plays millions of games and says what is true about them.

use knave::registry::Registry;

fn main() -> std::process::ExitCode {
    knave::cli::main_with(Registry::builtin())
}
