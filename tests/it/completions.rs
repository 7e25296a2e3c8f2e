//! What shells complete, and the manual pages.

use crate::common::{call, error, ok};
use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::process::Command;

/// Shells complete commands and names, `man` has a page for each command, and near misses are named.
#[test]
fn shells_are_served() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let script = ok(folder.path(), &format!("completions {shell}"));
        for name in ["analyse", "verslun", "expectimax", "strong", "weapon_limit="] {
            assert!(script.contains(name), "{shell}: {name} is missing");
        }
        // Broken as text is on a screen, a script has other commands.
        assert!(script.lines().any(|line| line.len() > 200), "{shell}: {script}");
    }
    ok(folder.path(), "man pages");
    let page = fs::read_to_string(folder.path().join("pages/sim-run.1")).unwrap();
    assert!(page.contains("--transcripts") || page.contains("\\-\\-transcripts"), "{page}");
    for (line, name) in [("rnu", "'run'"), ("run -g dungeon -a MCTS -n 1", "'mcts'")] {
        assert!(error(&call(folder.path(), line)).contains(name), "{line}");
    }
}

/// What bash offers for the last of these words, a line each, and the options of completion that it is given.
#[cfg(unix)]
fn in_bash(folder: &Path, words: &[&str]) -> String {
    fs::write(folder.join("sim.bash"), ok(folder, "completions bash")).unwrap();
    let [.., before, begun] = words else { panic!("{words:?}") };
    // `complete` calls the function that it is told of, as the Tab key does.
    let line = format!(
        "source sim.bash; compopt() {{ echo $*; }}; COMP_WORDS=({words}); COMP_CWORD={last}
        complete() {{ while [ $1 != -F ]; do shift; done; $2 sim '{begun}' {before}; printf '%s\n' \"${{COMPREPLY[@]}}\"; }}
        eval $(builtin complete -p sim)",
        words = words.iter().map(|word| format!("'{word}' ")).collect::<String>(),
        last = words.len() - 1,
    );
    let output = Command::new("bash").args(["--norc", "-c", &line]).current_dir(folder).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {}", error(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The value of a rule follows its name without a blank, fixed words are offered, and no name that the command always refuses.
#[cfg(unix)]
#[test]
fn bash_completes_what_can_be_said() {
    let folder = tempfile::tempdir().unwrap();
    for (line, offered) in [
        ("sim play --rule hea", "-o nospace\nhealth="),
        ("sim play --judge ex", "expectimax"),
        ("sim play --opponent ex", "expectimax"),
        ("sim run --agent ex", "exact\nexpectimax\nexec"),
        ("sim bound --agent ex", "exact\nexpectimax"),
        ("sim exploit --agent ex", "expectimax"),
        ("sim run --game = du", "dungeon"),
        ("sim run --rule = hea", "-o nospace\nhealth="),
        ("sim run --rule health =", ""),
        ("sim run --agent mcts :", ""),
        ("sim run --game ", "dungeon\nverslun\ncolumns\ndoubles\nwhist"),
        ("sim solve --game ", "dungeon\nverslun"),
        ("sim bound --game ", "dungeon\nverslun"),
        ("sim exact --game ", "dungeon\nverslun\ndoubles\nwhist"),
        ("sim run --format c", "csv"),
        ("sim show --format c", "csv"),
        ("sim solve --objective ", "health\nscore\nwin"),
        ("sim train --g", "--game"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(in_bash(folder.path(), &words), format!("{offered}\n"), "{line}");
    }
}

/// A blank in a name does not end it, and a folder gets its slash: before version 4 bash cannot.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes_files_and_folders() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("my deals"), "").unwrap();
    assert_eq!(in_bash(folder.path(), &["sim", "solve", "--deals", "my"]), "-o filenames\nmy deals\n");
    for command in ["run", "merge", "experiment"] {
        assert_eq!(in_bash(folder.path(), &["sim", command, "--out", "res"]), "-o plusdirs\n\n");
    }
}

/// fish completes words without an option's name, too: once, after which files may come.
#[test]
fn fish_completes_words_and_the_commands_of_help() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let script = ok(folder, "completions fish");
    fs::write(folder.join("sim.fish"), &script).unwrap();
    let help = "\"__fish_sim_using_subcommand help; and not __fish_seen_subcommand_from run compare ";
    let own = |line: &&str| line.contains(help) && line.contains(" man\" -f -a \"hint\"");
    assert_eq!(script.lines().filter(own).count(), 1, "{script}");
    for words in ["dungeon verslun columns doubles whist", "games agents presets measures models protocol"] {
        assert!(script.contains(&format!("_from {words}\" -f -a \"{words}\"\n")), "{script}");
    }
    if Command::new("fish").arg("--version").output().is_err() {
        return;
    }
    for (line, offered) in [
        ("help hi", "hint"),
        ("help run sim.f", "sim.fish"),
        ("rules ", "columns doubles dungeon verslun whist"),
        ("list m", "measures models"),
        ("list models s", "sim.fish"),
        ("completions b", "bash"),
        ("bound --game ", "dungeon verslun"),
        ("train --g", "--game"),
    ] {
        let line = format!("source sim.fish; complete -C 'sim {line}'");
        let output =
            Command::new("fish").args(["--no-config", "-c", &line]).current_dir(folder).output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        let words: Vec<&str> = told.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(words.join(" "), offered, "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// zsh adds no blank after the name of a rule either.
#[test]
fn zsh_completes_rules_without_a_blank() {
    let folder = tempfile::tempdir().unwrap();
    let script = ok(folder.path(), "completions zsh");
    let offered: Vec<&str> = script.split(":NAME=VALUE:").skip(1).collect();
    assert!(
        !offered.is_empty() && offered.iter().all(|rules| rules.starts_with("compadd -S \"\" ace=")),
        "{script}"
    );
}
