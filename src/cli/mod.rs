//! The command line of `sim`. Every subcommand has a file: it builds a request, and shows the results.

mod analyse;
mod args;
mod bound;
mod check_bot;
mod compare;
mod estimate;
mod exact;
mod examples;
mod exit;
mod experiment;
mod exploit;
mod hint;
mod json;
mod list;
mod merge;
mod options;
mod play;
mod progress;
mod replay;
mod report;
mod rules;
mod run;
mod session;
mod shell;
pub mod show;
mod signals;
mod small;
mod solve;
mod train;
mod transcripts;

use crate::exec::panic_text;
use crate::registry::Registry;
use crate::screen::{Screen, has_unicode};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use knave_agents::options::nearest;
use std::any::Any;
use std::ffi::OsString;
use std::io::Write as _;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

/// How good is this strategy, really?
#[derive(Parser)]
#[command(name = "sim", version = VERSION, about, after_help = exit::HELP, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The version, and the commit that it was built from.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " ", env!("KNAVE_COMMIT"));

#[derive(Subcommand)]
enum Command {
    /// Simulate games and write result tables
    #[command(after_help = examples::RUN)]
    Run(run::Args),
    /// Compare agents on the same deals, every seat in turn
    #[command(after_help = examples::COMPARE)]
    Compare(compare::Args),
    /// Solve deals exactly, with every card known
    #[command(after_help = examples::SOLVE)]
    Solve(solve::Args),
    /// Compute an upper bound on fair play
    #[command(after_help = examples::BOUND)]
    Bound(bound::Args),
    /// Solve a game with few cards: the best fair play, or an equilibrium of two seats
    #[command(after_help = examples::EXACT)]
    Exact(exact::Args),
    /// Measure exploitability in a small game
    ///
    /// Shows what each seat would gain by a best response to the others. With one seat that is what the agent gives away
    /// to the best fair play. With two seats whose results have a constant sum, half of both gains is the exploitability.
    #[command(after_help = examples::EXPLOIT)]
    Exploit(exploit::Args),
    /// Analyse decisions: mistakes and luck
    #[command(after_help = examples::ANALYSE)]
    Analyse(analyse::Args),
    /// Evaluate the moves of a position
    #[command(after_help = examples::HINT)]
    Hint(hint::Args),
    /// Play a game in the terminal
    #[command(after_help = examples::PLAY)]
    Play(play::Args),
    /// Join the parts of a run that was shared out with --shard
    #[command(after_help = examples::MERGE)]
    Merge(merge::Args),
    /// Tell how a game is played
    #[command(after_help = examples::RULES)]
    Rules(rules::Args),
    /// List games, agents, presets, models, measures or the bot protocol
    #[command(after_help = examples::LIST)]
    List(list::Args),
    /// Run an experiment file
    #[command(after_help = examples::EXPERIMENT)]
    Experiment(experiment::Args),
    /// Show what a folder of results holds
    #[command(after_help = examples::SHOW)]
    Show(show::Args),
    /// Check recorded games, move by move
    #[command(after_help = examples::REPLAY)]
    Replay(replay::Args),
    /// Check that a bot follows the protocol
    #[command(after_help = examples::CHECK_BOT)]
    CheckBot(check_bot::Args),
    /// Make a page with charts about the folders of runs
    #[command(after_help = examples::REPORT)]
    Report(report::Args),
    /// Learn the value of positions by self-play and write a model
    #[command(after_help = examples::TRAIN)]
    Train(train::Args),
    /// Print a script that completes command lines in a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(shell::Completions),
    /// Write manual pages
    #[command(after_help = examples::MAN)]
    Man(shell::Man),
}

/// The command `sim`, with the games and agents of this registry: reads the command line and does what it says.
///
/// ```no_run
/// use knave::registry::Registry;
///
/// fn main() -> std::process::ExitCode {
///     knave::cli::main_with(Registry::builtin())
/// }
/// ```
pub fn main_with(registry: impl Into<Registry>) -> ExitCode {
    // What is wrong with a game or an agent of one's own is told by a panic: as long as it can be read.
    let registry = &registry.into();
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        // A panic in a game becomes an error that names the game; its trace is for developers.
        std::panic::set_hook(Box::new(|_| {}));
    }
    signals::fail_beyond_file_limit();
    let cli = parse(std::env::args_os()).unwrap_or_else(|error| end(&with_nearest_command(error)));
    let done = std::panic::catch_unwind(AssertUnwindSafe(|| match cli.command {
        Command::Run(args) => run::run(registry, &args),
        Command::Compare(args) => compare::run(registry, &args),
        Command::Solve(args) => solve::run(registry, &args),
        Command::Bound(args) => bound::run(registry, &args),
        Command::Analyse(args) => analyse::run(registry, &args),
        Command::Hint(args) => hint::run(registry, &args),
        Command::Play(args) => play::run(registry, &args),
        Command::Merge(args) => merge::run(registry, &args),
        Command::List(args) => list::run(registry, &args),
        Command::Experiment(args) => experiment::run(registry, &args),
        Command::Show(args) => show::run(registry, &args),
        Command::Replay(args) => replay::run(registry, &args),
        Command::CheckBot(args) => check_bot::run(registry, &args),
        Command::Report(args) => report::run(registry, &args),
        Command::Exact(args) => exact::run(registry, &args),
        Command::Exploit(args) => exploit::run(registry, &args),
        Command::Train(args) => train::run(registry, &args),
        Command::Rules(args) => rules::run(registry, &args),
        Command::Completions(args) => shell::completions(registry, Cli::command(), &args),
        Command::Man(args) => shell::man(Cli::command(), &args),
    }));
    let done = done.unwrap_or_else(|panic| Err(bug(&*panic)));
    let exit = done.unwrap_or_else(|error| exit::report(&error));
    exit.code().into()
}

/// The error that a panic becomes. Its words say whose code it was.
fn bug(panic: &(dyn Any + Send)) -> anyhow::Error {
    let told = panic_text(panic);
    anyhow::anyhow!(
        "{told} (a bug, RUST_BACKTRACE=1 shows where: please report it to the authors of that code)"
    )
}

/// Reads a command line. Wherever a value is due, a negative number is one, so that it is refused by the name of its option.
fn parse(line: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Cli, clap::Error> {
    let with_negative = |arg: clap::Arg| {
        let takes_values = arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_values)
    };
    let mut command = Cli::command().mut_subcommands(|command| command.mut_args(with_negative));
    let mut matches = command.try_get_matches_from_mut(line)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Prints a help or what is wrong with a command line, in the characters of the screen, and ends.
fn end(error: &clap::Error) -> ! {
    let (screen, text) = (Screen::stdout(), error.render().to_string());
    let printed = match (has_unicode(), error.use_stderr()) {
        (true, _) => error.print().map_err(|failed| exit::of_stdout(&failed)),
        (false, true) => std::io::stderr().write_all(screen.message(&text).as_bytes()),
        (false, false) => exit::print_bytes(screen.own(&text).as_bytes()),
    };
    let code = match printed {
        Err(failed) if !error.use_stderr() => exit::report(&failed.into()).code().into(),
        // A message that nobody reads is missed by nobody.
        _ => error.exit_code(),
    };
    std::process::exit(code);
}

/// An unknown command gets the nearest one as a suggestion, as agents and options do.
fn with_nearest_command(mut error: clap::Error) -> clap::Error {
    if error.kind() == ErrorKind::InvalidSubcommand
        && error.get(ContextKind::SuggestedSubcommand).is_none()
        && let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand)
        && let command = Cli::command()
        && let Some(name) = nearest(given, command.get_subcommands().map(clap::Command::get_name))
    {
        let name = ContextValue::Strings(vec![name.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, name);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A panic that lost its words would not say which of somebody's own agents and games it was, also when threads of a pool pass
    /// it on.
    #[test]
    fn a_panic_keeps_its_words() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let panic = || pool.install(|| panic!("the dice of {} broke", "duel"));
        let error = bug(&*std::panic::catch_unwind(AssertUnwindSafe(panic)).unwrap_err());
        assert!(error.to_string().starts_with("the dice of duel broke (a bug"), "{error}");
    }

    /// An example that is refused, or a command without one, would teach nothing.
    #[test]
    fn every_command_has_examples_that_are_read() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  ")).collect();
            assert!(!examples.is_empty(), "{} has no example", command.get_name());
            for example in examples {
                let words = shlex::split(example).unwrap();
                assert_eq!(words[1], command.get_name(), "{example}");
                assert!(example.len() <= 78, "{example}");
                if let Err(error) = parse(words) {
                    panic!("{example}: {error}");
                }
            }
        }
    }
}
