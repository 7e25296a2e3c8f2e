//! `sim`: plays millions of games and says what is true about them.

use std::process::ExitCode;

fn main() -> ExitCode {
    knave::cli::main()
}
