//! Tells the program which commit it is built from: `KNAVE_COMMIT`, or what git says; empty where neither is.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=KNAVE_COMMIT");
    let commit = std::env::var("KNAVE_COMMIT").unwrap_or_else(|_| described());
    println!("cargo:rustc-env=KNAVE_COMMIT={commit}");
}

/// What the program is made of.
const SOURCES: [&str; 6] = ["Cargo.toml", "Cargo.lock", "build.rs", "src", "games", "agents"];

/// The commit, with `-dirty` behind it where these files differ from it.
fn described() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // A source archive inside somebody else's repository is not at that one's commit.
    let top = git(&["rev-parse", "--show-toplevel"]).map(|top| Path::new(&top).join("agents/src/lib.rs"));
    if !top.is_some_and(|ours| ours.exists()) {
        return String::new();
    }
    // What is committed changes with the log of HEAD, what differs from it with the sources. A debug build looks again only
    // with the sources: a commit alone should not compile everything anew while one works.
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|_| release);
    for path in log.iter().map(String::as_str).chain(SOURCES) {
        println!("cargo:rerun-if-changed={path}");
    }
    let commit = git(&["describe", "--always", "--abbrev=12", "--exclude=*"]).unwrap_or_default();
    let is_dirty = git(&[&["diff", "--quiet", "HEAD", "--"], &SOURCES[..]].concat()).is_none();
    if is_dirty && !commit.is_empty() { commit + "-dirty" } else { commit }
}
