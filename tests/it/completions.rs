//! What shells complete, and the manual pages.

use crate::common::{call, error, ok};
use std::fs;
#[cfg(unix)]
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

/// The value of a rule follows its name without a blank, and no judge is offered that `sim play` refuses.
#[cfg(unix)]
#[test]
fn bash_completes_what_can_be_said() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("sim.bash");
    fs::write(&script, ok(folder.path(), "completions bash")).unwrap();
    // `complete` calls the function that it is told of, as the Tab key does.
    let offered = |option: &str, begun: &str| {
        let line = format!(
            "source {script}; compopt() {{ echo $*; }}; COMP_WORDS=(sim play {option} '{begun}'); COMP_CWORD=3
            complete() {{ while [ $1 != -F ]; do shift; done; $2 sim '{begun}' {option}; echo ${{COMPREPLY[@]}}; }}
            eval $(builtin complete -p sim)",
            script = script.display()
        );
        let output = Command::new("bash").args(["--norc", "-c", &line]).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{}", error(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(offered("--rule", "hea"), "-o nospace\nhealth=\n");
    assert_eq!(offered("--judge", "ex"), "expectimax\n");
    assert_eq!(offered("--opponent", "ex"), "expectimax\n");
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
