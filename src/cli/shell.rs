//! `sim completions` and `sim man`: what a shell and `man` want to know about the command line.

use super::exit::{Exit, bad_input, print, print_bytes};
use crate::registry::{AnyGame, Registry};
use crate::store::HAS_PARQUET;
use clap::builder::{PossibleValue, PossibleValuesParser, Resettable};
use clap::{Arg, Args as ClapArgs, Command, ValueHint};
use clap_complete::Shell;
use knave_agents::presets::Preset;
use std::collections::BTreeSet;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

#[derive(ClapArgs)]
pub struct Man {
    /// The folder for the pages, one a command
    #[arg(value_hint = ValueHint::DirPath)]
    folder: PathBuf,
}

/// Bash splits `--option=value` into three words, and adds a blank after a word that ends in `=`. Versions before 4 have no `compopt`
/// and add one all the same.
const EQUALS_SIGN: &str = r#"
_sim_equals_sign() {
    local previous="$3"
    # What follows `health=` is not known.
    if [[ "${COMP_WORDS[COMP_CWORD]}" == [=:] && "$previous" != --* ]]; then
        COMPREPLY=()
        return 0
    fi
    [[ "$previous" == "=" ]] && previous="${COMP_WORDS[COMP_CWORD - 2]}"
    _sim "$1" "$2" "$previous"
    [[ "${COMPREPLY[0]-}" == *= ]] && compopt -o nospace 2> /dev/null
    return 0
}
_sim_spec="$(complete -p sim)"
eval "${_sim_spec/ _sim / _sim_equals_sign }"
unset _sim_spec
"#;

/// The agents that play in runs and comparisons alone, `exact` also beside bounds: `sim play` and judges ask about single positions.
const IN_RUNS_ALONE: [&str; 2] = ["exact", "exec"];

/// Prints the script that completes commands, options, and the names of games, agents, presets and rules.
pub fn completions(registry: &Registry, command: Command, args: &Completions) -> anyhow::Result<Exit> {
    let names = Names::of(registry);
    let mut script = Vec::new();
    let mut command = named(command, &names);
    clap_complete::generate(args.shell, &mut command, "sim", &mut script);
    // The value of a rule follows its name at once, without the blank that bash and zsh add.
    let mut script = String::from_utf8(script)?;
    match args.shell {
        Shell::Bash => script += EQUALS_SIGN,
        Shell::Zsh => {
            let rules = names.rules.join(" ");
            script = script.replace(&format!("({rules})"), &format!("compadd -S \"\" {rules}"));
        }
        Shell::Fish => {
            // Where `help` itself counts as a command that was named, fish offers none.
            script = script.replace(" help\" -f -a", "\" -f -a") + &positionals(&command);
        }
        _ => {}
    }
    // A shell reads lines as they are.
    print_bytes(script.as_bytes())?;
    Ok(Exit::Done)
}

/// Writes the manual pages.
pub fn man(command: Command, args: &Man) -> anyhow::Result<Exit> {
    let folder = &args.folder;
    let failed = |error| bad_input(format_args!("cannot write to {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(command, folder).map_err(failed)?;
    print(&format!("Written to {}\n", folder.display()))?;
    Ok(Exit::Done)
}

/// The names that the values of options can have.
struct Names<'a> {
    registry: &'a Registry,
    agents: Vec<&'static str>,
    rules: Vec<String>,
}

impl<'a> Names<'a> {
    fn of(registry: &'a Registry) -> Self {
        let mut agents: Vec<&str> = Vec::new();
        let mut rules: Vec<String> = Vec::new();
        for game in registry.games() {
            let known = game.agents().into_iter().map(|(name, ..)| name);
            agents.extend(known.filter(|name| !agents.contains(name)).collect::<Vec<_>>());
            rules.extend(game.rules().iter().map(|option| format!("{}=", option.name)));
        }
        agents.extend(Preset::names());
        rules.sort_unstable();
        rules.dedup();
        Self { registry, agents, rules }
    }

    /// The values to offer for an option of a command; nothing where it takes others.
    fn values(&self, command: &str, option: &str) -> Option<Vec<PossibleValue>> {
        let games = |can: fn(&dyn AnyGame) -> bool| {
            let names = self.registry.games().filter(|game| can(*game)).map(AnyGame::name);
            names.map(PossibleValue::new).collect()
        };
        let agents = |refused: &[&str]| {
            let names = self.agents.iter().filter(|name| !refused.contains(name));
            names.map(PossibleValue::new).collect()
        };
        Some(match (command, option) {
            ("solve", "game") => games(|game| !game.objectives().is_empty()),
            ("bound", "game") => games(|game| game.has_bounds()),
            ("exact" | "exploit", "game") => games(|game| game.has_exact()),
            (_, "game") => games(|_| true),
            ("run" | "compare", "agent") => agents(&[]),
            ("bound", "agent") => agents(&["exec"]),
            (_, "agent" | "judge" | "opponent") => agents(&IN_RUNS_ALONE),
            (_, "rules") => self.rules.iter().map(PossibleValue::new).collect(),
            ("run", "format") if HAS_PARQUET => vec!["csv".into(), "parquet".into()],
            ("run", "format") => vec!["csv".into()],
            ("solve", "objective") => {
                let objectives = self.registry.games().flat_map(AnyGame::objectives);
                let names: BTreeSet<&str> = objectives.map(|(name, _)| name).collect();
                names.into_iter().map(PossibleValue::new).collect()
            }
            _ => return None,
        })
    }
}

/// The command line with these names, and without what is hidden. It serves the scripts alone: an agent with options is none of the
/// names.
fn named(command: Command, names: &Names<'_>) -> Command {
    command.mut_subcommands(|command| {
        let offered = |arg: &Arg| match names.values(command.get_name(), arg.get_id().as_str()) {
            Some(values) => arg.clone().value_parser(PossibleValuesParser::new(values)),
            // Without this hint bash takes a blank for the end of a name, and a folder for the end of a path.
            None if arg.get_value_hint() == ValueHint::AnyPath => arg.clone().value_hint(ValueHint::FilePath),
            None => arg.clone(),
        };
        let [about, long] = [command.get_about(), command.get_long_about()].map(Option::<&_>::cloned);
        Command::new(command.get_name().to_owned())
            .about(Resettable::from(about))
            .long_about(Resettable::from(long))
            .args(command.get_arguments().filter(|arg| !arg.is_hide_set()).map(offered))
    })
}

/// The lines that have fish complete arguments without an option's name. clap_complete writes none.
fn positionals(command: &Command) -> String {
    let mut lines = String::new();
    for command in command.get_subcommands() {
        let using = format!("__fish_sim_using_subcommand {}", command.get_name());
        for words in command.get_positionals().map(Arg::get_possible_values) {
            let words = words.iter().map(PossibleValue::get_name).collect::<Vec<_>>().join(" ");
            let seen = format!("__fish_seen_subcommand_from {words}");
            if !words.is_empty() {
                lines += &format!("complete -c sim -n \"{using}; and not {seen}\" -f -a \"{words}\"\n");
            }
        }
    }
    lines
}
