//! What tests share: plans of runs, and the command called as a user would.

use knave::agents::{AgentSpec, options, registry};
use knave::games::CardGame;
use knave::studies::run::{Plan, PlanError, Request};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A `sim` in this folder.
pub fn sim(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
    command.current_dir(folder).args(line.split(' ')).stdin(Stdio::null());
    command
}

/// What it says.
pub fn call(folder: &Path, line: &str) -> Output {
    sim(folder, line).output().unwrap()
}

/// What it prints, without an error.
pub fn ok(folder: &Path, line: &str) -> String {
    let output = call(folder, line);
    assert_eq!(output.status.code(), Some(0), "{line}: {}", error(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// What it complains about.
pub fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Does this with all of them at once, where most of the time is waiting.
pub fn at_once<T: Send>(items: impl IntoIterator<Item = T>, what: impl Fn(T) + Sync) {
    let what = &what;
    std::thread::scope(|scope| {
        for item in items {
            scope.spawn(move || what(item));
        }
    });
}

/// The table in this folder has these columns, in every row, and its section of the documentation names them.
pub fn documented(folder: &Path, table: &str, columns: &str, documentation: &str) {
    let text = fs::read_to_string(folder.join(table)).unwrap();
    assert_eq!(text.lines().next(), Some(columns), "{table}");
    let width = columns.split(',').count();
    assert!(text.lines().all(|line| line.split(',').count() == width), "{table} has a ragged row");
    let section = documentation.split("\n## ").find(|section| section.starts_with(table)).unwrap();
    for column in columns.split(',') {
        assert!(section.contains(&format!("`{column}`")), "{column} of {table} is not documented");
    }
}

/// A page of the documentation is as the code says. Where `KNAVE_WRITE_DOCS` is set it is written.
pub fn documentation_is(path: &Path, right: &str) {
    if fs::read_to_string(path).unwrap_or_default() == right {
        return;
    }
    let name = path.display();
    assert!(
        std::env::var_os("KNAVE_WRITE_DOCS").is_some(),
        "{name} is not up to date: run this test with KNAVE_WRITE_DOCS=1"
    );
    fs::write(path, right).unwrap();
}

/// A planned run of a game with its agents.
pub fn plan<G: CardGame>(rules: &[&str], agents: &[&str], n: u64, seed: u64) -> Result<Plan<G>, PlanError> {
    let request = Request {
        game: G::NAME.to_owned(),
        rules: options::fields("rules", rules.iter().copied())?,
        cards: None,
        agents: agents.iter().map(|agent| agent.parse::<AgentSpec>().unwrap()).collect(),
        n,
        seed,
    };
    Plan::new(&request, &registry::agents(&G::kit(&G::Rules::default())))
}

/// Waits until a command has made this place, and then for so many milliseconds: how long it takes to begin depends on the machine.
#[cfg(unix)]
pub fn begun(place: &Path, then: u64) {
    let pause = |millis| std::thread::sleep(std::time::Duration::from_millis(millis));
    let is_there = (0..600).any(|_| {
        pause(50);
        place.exists()
    });
    assert!(is_there, "{} is still not there", place.display());
    pause(then);
}

/// Sends Ctrl-C to a command that would write to the folder `o` for ever, and gives the manifest that it leaves.
#[cfg(unix)]
pub fn interrupted(folder: &Path, line: &str) -> serde_json::Value {
    let child = sim(folder, line).stderr(Stdio::piped()).spawn().unwrap();
    begun(&folder.join("o"), 600);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", error(&output));
    let manifest = fs::read_to_string(folder.join("o/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["partial"], true);
    manifest
}
