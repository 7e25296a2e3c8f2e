//! The book keeps its word: the `sim` commands in its pages and in README.md run, and its Rust code is that of the examples.
//!
//! A page is read from top to bottom, in a folder of its own, so that commands may use files of those before them. Numbers of
//! games are cut down. Blocks of `sh` run, and so do the lines of `console` that begin with `$`. A block of `sh no_run` is passed
//! over; the line above it says why, in a comment: `<!-- not run: … -->`.

use crate::common::ok;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The most games, deals or lines of `-n`, by command; the judge and the bound take longer for each.
const LIMITS: &[(&str, u32)] = &[("analyse", 1), ("bound", 1), ("compare", 4)];
const LIMIT: u32 = 10;

#[test]
fn commands_run() {
    let failures: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = pages().into_iter().map(|page| scope.spawn(move || run(&page))).collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn rust_code_is_that_of_the_examples() {
    let read = |entry: fs::DirEntry| fs::read_to_string(entry.path()).unwrap();
    let mut examples: Vec<String> =
        fs::read_dir(home().join("examples")).unwrap().map(|entry| read(entry.unwrap())).collect();
    // A game with dice, which no example is.
    examples.push(fs::read_to_string(home().join("tests/it/toy.rs")).unwrap());
    let mut seen = 0;
    for page in pages() {
        for block in blocks(&page).into_iter().filter(|block| block.language == "rust") {
            let found = examples.iter().any(|example| example.contains(&block.text));
            assert!(found, "{}:{} is in no example:\n{}", page.display(), block.line, block.text);
            seen += 1;
        }
    }
    assert!(seen > 5, "the chapters on players and games show their code");
}

/// What is shown of small games, whose numbers are exact, is what is printed; the equilibrium of doubles takes too long.
#[test]
fn small_games_are_shown_as_they_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let page = blocks(&home().join("docs/exact.md"));
    let shown =
        page.iter().filter(|block| block.language == "console").flat_map(|block| block.text.split("$ "));
    let mut seen = 0;
    for (command, text) in shown.filter_map(|shown| shown.split_once('\n')) {
        if ["sim exact --game dungeon ", "sim exploit "].iter().any(|begins| command.starts_with(begins)) {
            let words =
                command.strip_prefix("sim ").unwrap().replace("'5CS 8CS JCS 6D 5H'", "5CS,8CS,JCS,6D,5H");
            assert_eq!(ok(folder.path(), &words), text, "{command}");
            seen += 1;
        }
    }
    assert_eq!(seen, 2);
}

/// Every page is a chapter, and what is passed over has its reason.
#[test]
fn pages_are_listed_and_reasons_given() {
    let contents = fs::read_to_string(home().join("docs/contents.yml")).unwrap();
    for page in pages() {
        let file = page.strip_prefix(home()).unwrap().to_str().unwrap();
        let chapter = format!(": {}\n", file.strip_suffix(".md").unwrap());
        assert!(contents.contains(&chapter), "docs/contents.yml lacks {file}");
        for block in blocks(&page).into_iter().filter(|block| block.language == "sh no_run") {
            assert!(block.above.starts_with("<!-- not run: "), "{file}:{} gives no reason", block.line);
        }
    }
}

/// A crate of one's own has what the example uses, in the versions that Knave asks for, and is compiled for as much speed.
#[test]
fn the_crate_of_an_own_game_fits() {
    let toml = |text: String| text.parse::<toml::Table>().unwrap();
    let knave = toml(fs::read_to_string(home().join("Cargo.toml")).unwrap());
    let page = blocks(&home().join("docs/writing-a-game.md"));
    let own = toml(page.into_iter().find(|block| block.language == "toml").unwrap().text);
    assert_eq!(own["package"]["edition"], knave["workspace"]["package"]["edition"]);
    let dependencies = own["dependencies"].as_table().unwrap();
    for (name, wanted) in dependencies.iter().filter(|(name, _)| *name != "knave") {
        let given = &knave["workspace"]["dependencies"][name];
        for (field, wanted) in wanted.as_table().unwrap() {
            match wanted.as_array() {
                Some(features) => {
                    let given = given[field].as_array().unwrap();
                    assert!(features.iter().all(|feature| given.contains(feature)), "{name}: {field}");
                }
                None => assert_eq!(Some(wanted), given.get(field), "{name}: {field}"),
            }
        }
    }
    let example = fs::read_to_string(home().join("examples/own_game.rs")).unwrap();
    for line in example.lines().filter_map(|line| line.strip_prefix("use ")) {
        let name = line.split("::").next().unwrap();
        assert!(name == "std" || dependencies.contains_key(name), "{line}: {name} is no dependency");
    }
    let (own, knave) = (&own["profile"]["release"], &knave["profile"]["release"]);
    assert_eq!(own["lto"], knave["lto"]);
    assert_eq!(own["codegen-units"], knave["package"]["knave"]["codegen-units"]);
}

fn home() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(home().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> =
        docs.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.extend(["README.md", "bots/README.md", "results/README.md"].map(|page| home().join(page)));
    pages.sort();
    pages
}

struct Block {
    language: String,
    /// The last line before it that is not empty.
    above: String,
    line: usize,
    text: String,
}

fn blocks(page: &Path) -> Vec<Block> {
    let (mut blocks, mut open, mut above) = (Vec::new(), None::<Block>, String::new());
    for (number, line) in fs::read_to_string(page).unwrap().lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => {
                let (language, text) = (language.to_owned(), String::new());
                open = Some(Block { language, above: above.clone(), line: number + 1, text });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.text += &format!("{line}\n"),
            (None, None) if !line.trim().is_empty() => line.clone_into(&mut above),
            (None, None) => {}
        }
    }
    blocks
}

/// The commands of a page in a folder with what they lead to; a message for each that fails.
fn run(page: &Path) -> Vec<String> {
    let commands: Vec<(usize, String)> = blocks(page).iter().flat_map(commands).collect();
    let folder = tempfile::tempdir().unwrap();
    for name in ["bots", "games", "experiments", "examples"] {
        symlink(home().join(name), folder.path().join(name)).unwrap();
    }
    // Results of Knave are read; those of the page lie beside them.
    fs::create_dir(folder.path().join("results")).unwrap();
    for entry in fs::read_dir(home().join("results")).unwrap().map(Result::unwrap) {
        symlink(entry.path(), folder.path().join("results").join(entry.file_name())).unwrap();
    }
    let sim = Path::new(env!("CARGO_BIN_EXE_sim")).parent().unwrap();
    let path = format!("{}:{}", sim.display(), std::env::var("PATH").unwrap());
    // Where shells look for completions.
    for place in [".local/share/bash-completion/completions", ".config/fish/completions", ".zfunc"] {
        fs::create_dir_all(folder.path().join(place)).unwrap();
    }
    let mut failures = Vec::new();
    for (line, command) in commands {
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(&folder).env("PATH", &path).env("HOME", folder.path());
        let output = shell.stdin(Stdio::null()).output().unwrap();
        if !output.status.success() {
            let error = String::from_utf8_lossy(&output.stderr);
            failures.push(format!("{}:{line}: {command}\n{}: {error}", page.display(), output.status));
        }
    }
    failures
}

/// The commands of `sim` in a block, cut down, with their lines.
fn commands(block: &Block) -> Vec<(usize, String)> {
    let prompt = match block.language.as_str() {
        "sh" => "",
        "console" => "$ ",
        _ => return Vec::new(),
    };
    // A command that goes on in the next line keeps the line that it began in.
    let (mut commands, mut begun) = (Vec::new(), String::new());
    for (number, line) in block.text.lines().enumerate() {
        if begun.is_empty() && !line.starts_with(prompt) {
            continue;
        }
        begun += if begun.is_empty() { &line[prompt.len()..] } else { line };
        if let Some(head) = begun.strip_suffix('\\') {
            begun = head.to_owned();
            continue;
        }
        let command = std::mem::take(&mut begun).replace("cargo run --release -- ", "sim ");
        // scripts/check has the kits checked, which takes seconds.
        if command.starts_with("sim ") && !command.starts_with("sim check-bot ") {
            commands.push((block.line + number + 1, cut_down(&command)));
        }
    }
    commands
}

/// The command with few games, quick analyses and few cards.
fn cut_down(command: &str) -> String {
    let command = command.replace("--cards 2-7C", "--cards 2-4C");
    let words: Vec<&str> = command.split(' ').collect();
    let limit = LIMITS.iter().find(|(name, _)| words[1] == *name).map_or(LIMIT, |(_, limit)| *limit);
    let shorter = |i: usize| {
        let word = words[i];
        let before = words[i - 1];
        if before == "-n" {
            return word.parse::<f64>().map_or(limit, |n| limit.min(n as u32)).to_string();
        }
        word.to_owned()
    };
    let mut cut = vec![words[0].to_owned()];
    cut.extend((1..words.len()).map(shorter));
    if words[1] == "analyse" {
        cut.splice(2..2, ["--worlds", "20", "--moves", "2"].map(str::to_owned));
    }
    cut.join(" ")
}
