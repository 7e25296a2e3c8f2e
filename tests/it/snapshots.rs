//! What a user sees, kept to the byte: what command lines print and write must not change by accident.
//!
//! `tests/snapshots/*.cases` hold the command lines. A block is a scenario: a title (`# every agent`), then a command
//! a line, all in one new folder. Beside `sim` there are `@give FILE [AS]` (a file of `tests/snapshots/files`),
//! `@change FILE FROM TO` (the first place only) and `@remove PATH`; `< FILE` at the end of a line is standard input. The
//! snapshot of a scenario holds the command lines, exit codes and outputs, and then every file that is there; of long ones the
//! beginning and a hash. Times and speeds in manifests are replaced before the next command reads them, so that what is made
//! from them can be compared.
//!
//! When a change is intended, `INSTA_UPDATE=always cargo test --test it snapshots` accepts it; read what `git diff` shows.
//! `KNAVE_SIM=/path/to/sim` looks at another build instead, such as an older one.

use fnv::FnvHasher;
use std::fmt::Write as _;
use std::fs;
use std::hash::Hasher as _;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// A test for each file of cases.
macro_rules! cases {
    ($($name:ident)*) => {
        const CASES: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*
    };
}

cases! { help lists runs options comparisons exact parts studies pages replays trainings analyses refused }

/// Every file of cases has a test, and scenarios that are gone leave no snapshots.
#[test]
fn nothing_is_left_over() {
    let played: Vec<String> = CASES.iter().flat_map(|cases| scenarios(cases)).map(|(name, _)| name).collect();
    for path in files(&home()) {
        let name = path.file_stem().unwrap().to_str().unwrap();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("snap") => assert_eq!(played.iter().filter(|other| *other == name).count(), 1, "{name}"),
            Some("cases") => assert!(CASES.contains(&name), "{name}"),
            _ => {}
        }
    }
}

/// Plays all scenarios of a file and compares what they show with the snapshots: all of them, so that one change does not
/// hide another.
fn check(cases: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path(home());
    let mut changed = Vec::new();
    for (name, steps) in scenarios(cases) {
        let shown = play(&steps);
        let compare = || settings.bind(|| insta::assert_snapshot!(&*name, shown));
        if std::panic::catch_unwind(AssertUnwindSafe(compare)).is_err() {
            changed.push(name);
        }
    }
    assert!(changed.is_empty(), "{cases}.cases: changed: {}", changed.join(", "));
}

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

/// The scenarios in a file: the names of their snapshots, made from the titles, and their steps.
fn scenarios(cases: &str) -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(home().join(cases).with_extension("cases")).unwrap();
    let scenario = |block: &str| {
        let mut lines = block.lines().map(ToOwned::to_owned);
        let title = lines.next().unwrap();
        let words = title.strip_prefix("# ").unwrap_or_else(|| panic!("{cases}.cases: no title: {title}"));
        (format!("{cases}-{}", words.replace(' ', "-")), lines.collect())
    };
    text.trim().split("\n\n").map(scenario).collect()
}

/// Plays a scenario in a new folder, and gives all that a user sees of it.
fn play(steps: &[String]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut shown = String::new();
    for step in steps {
        writeln!(shown, "$ {step}").unwrap();
        let words: Vec<&str> = step.split(' ').collect();
        match words[..] {
            ["@give", file, ref to @ ..] => {
                let to = folder.join(to.first().unwrap_or(&file));
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::copy(home().join("files").join(file), to).unwrap();
            }
            ["@change", file, from, to] => {
                let text = fs::read_to_string(folder.join(file)).unwrap();
                assert!(text.contains(from), "{file} holds no {from}");
                fs::write(folder.join(file), text.replacen(from, to, 1)).unwrap();
            }
            ["@remove", path] if folder.join(path).is_dir() => fs::remove_dir_all(folder.join(path)).unwrap(),
            ["@remove", path] => fs::remove_file(folder.join(path)).unwrap(),
            ["sim", ref arguments @ .., "<", input] => sim(&mut shown, folder, arguments, Some(input)),
            ["sim", ref arguments @ ..] => sim(&mut shown, folder, arguments, None),
            _ => panic!("what is {step}?"),
        }
    }
    for path in files(folder) {
        writeln!(shown, "=== {}", path.strip_prefix(folder).unwrap().display()).unwrap();
        push(&mut shown, fs::read(path).unwrap(), 60);
    }
    shown
}

/// The `sim` that is looked at.
fn looked_at() -> Command {
    Command::new(std::env::var_os("KNAVE_SIM").unwrap_or_else(|| env!("CARGO_BIN_EXE_sim").into()))
}

/// Calls the command and adds what it says.
fn sim(shown: &mut String, folder: &Path, arguments: &[&str], input: Option<&str>) {
    let input = input.map_or_else(Stdio::null, |name| fs::File::open(folder.join(name)).unwrap().into());
    let output = looked_at().current_dir(folder).env_clear().args(arguments).stdin(input).output().unwrap();
    push(shown, output.stdout, 150);
    let told = without_progress(&output.stderr);
    if !told.is_empty() {
        shown.push_str("--- standard error\n");
        push(shown, told, 150);
    }
    writeln!(shown, "--- exit code {}", output.status.code().unwrap()).unwrap();
    for path in files(folder) {
        if path.ends_with("manifest.json") || path.ends_with("cells.csv") {
            fs::write(&path, settled(&fs::read_to_string(&path).unwrap())).unwrap();
        }
    }
}

/// What stands on standard error but lines of progress, which only a slow machine shows.
fn without_progress(told: &[u8]) -> Vec<u8> {
    let progress = |line: &[u8]| {
        let line = str::from_utf8(line).unwrap_or_default();
        line.starts_with(|c: char| c.is_ascii_digit())
            && (line.contains(" left, ") || line.contains(" has ended after "))
    };
    told.split_inclusive(|&byte| byte == b'\n').filter(|line| !progress(line)).flatten().copied().collect()
}

/// Adds a text, or its beginning and a hash if it is long or no text.
fn push(shown: &mut String, bytes: Vec<u8>, most_lines: usize) {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => hidden(&text).into_bytes(),
        Err(other) => other.into_bytes(),
    };
    match str::from_utf8(&bytes) {
        Ok(text) if text.lines().count() <= most_lines && text.len() <= 70 * most_lines => {
            shown.push_str(text);
            if !text.is_empty() && !text.ends_with('\n') {
                shown.push_str("\n(no end of line)\n");
            }
        }
        _ => {
            let mut hash = FnvHasher::default();
            hash.write(&bytes);
            let hash = hash.finish();
            writeln!(shown, "({} bytes, hash {hash:016x}, beginning with)", bytes.len()).unwrap();
            let lines = bytes.split(|&byte| byte == b'\n').map_while(|line| str::from_utf8(line).ok());
            for line in lines.take(6) {
                writeln!(shown, "{}", line.chars().take(160).collect::<String>()).unwrap();
            }
        }
    }
}

/// A manifest, or the list of cells of a study, as if everything had been done at the same time and speed.
fn settled(text: &str) -> String {
    let cells = text.lines().next().is_some_and(|line| line.ends_with(",seconds,games_per_second,threads"));
    let lines = text.split_inclusive('\n').enumerate().map(|(i, line)| {
        let (body, end) = line.split_at(line.trim_end_matches(['\n', ',']).len());
        let fixed = SETTLED.iter().find_map(|(key, value)| Some((body.split_once(key)?.0, key, value)));
        match fixed {
            Some((before, key, value)) => format!("{before}{key}{value}{end}"),
            None if cells && i > 0 => {
                format!("{},2.000,100.000,2{end}", body.rsplitn(4, ',').last().unwrap())
            }
            None => line.to_owned(),
        }
    });
    lines.collect()
}

/// What differs between the manifests of equal runs, and what takes its place.
const SETTLED: [(&str, &str); 6] = [
    ("\"started\": ", "\"2026-01-01T00:00:00Z\""),
    ("\"seconds\": ", "2.0"),
    ("\"worker_seconds\": ", "4.0"),
    ("\"games_per_second\": ", "100.0"),
    ("\"threads\": ", "2"),
    ("\"host\": ", "\"linux x86_64\""),
];

/// A text without the time that something took, the version and the commit.
fn hidden(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        if let Some((speed, _)) = line.split_once("/s on ") {
            let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
            let words = speed.split(' ').map(|word| if number(word) { "#" } else { word });
            format!("{}/s on # threads\n", words.collect::<Vec<_>>().join(" "))
        } else if let Some((before, after)) = line.split_once(" s: mean utility ") {
            format!("{}, # s: mean utility {after}", before.rsplit_once(", ").unwrap().0)
        } else {
            line.to_owned()
        }
    });
    let text = lines.collect::<String>();
    BUILD
        .iter()
        .fold(text, |text, (word, shown)| if word.is_empty() { text } else { text.replace(word, shown) })
}

/// The version and the commit of the `sim` that is looked at, which need not be that of this build, and what is shown for them.
static BUILD: LazyLock<[(String, &str); 2]> = LazyLock::new(|| {
    let told = String::from_utf8(looked_at().arg("--version").output().unwrap().stdout).unwrap();
    let mut words = told.split_whitespace().skip(1).map(ToOwned::to_owned);
    [(words.next().unwrap(), "VERSION"), (words.next().unwrap_or_default(), "COMMIT")]
});

/// All files in this folder and those below, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
