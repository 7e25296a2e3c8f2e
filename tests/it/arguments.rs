//! What messages call the options of `sim` where Python tells them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Options that stand in messages, but have no argument in Python.
const EXCEPTIONS: [(&str, &str); 2] = [
    ("--features", "it is one of cargo's"),
    ("--line", "nothing is printed in Python, so that this is never refused there"),
];

fn home(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The files with code in this folder and those below.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

/// The texts in quotes of some code, without those of comments.
fn texts(code: &str) -> Vec<String> {
    let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n").replace("'\"'", "").replace("\\\"", "");
    code.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Messages advise options of `sim`, and Python has arguments. An option that the table of the Python package lacks would be told there
/// as it is on the command line, where no reader of it could give it.
#[test]
fn python_has_an_argument_for_every_option_in_messages() {
    let table = fs::read_to_string(home("python/src/convert.rs")).unwrap();
    let table = table.split("const ARGUMENTS").nth(1).unwrap().split("];\n").next().unwrap();
    let known: BTreeSet<String> = texts(table).into_iter().step_by(2).collect();
    assert!(known.contains("--resume"), "the table is read wrongly: {known:?}");
    let mut told = BTreeSet::new();
    for room in ["studies", "store", "experiment", "training"] {
        for path in sources(&home("src").join(room)) {
            for text in texts(&fs::read_to_string(&path).unwrap()) {
                // As the package reads words: an option in brackets would not be found.
                let words = text.split_whitespace().map(|word| word.trim_end_matches([',', ':', ';', ')']));
                told.extend(words.filter(|word| word.contains("--") && word.len() > 2).map(str::to_owned));
            }
        }
    }
    assert!(told.contains("--resume"), "the code is read wrongly: {told:?}");
    let excepted: BTreeSet<String> = EXCEPTIONS.map(|(option, _)| option.to_owned()).into();
    let unknown: Vec<_> =
        told.iter().filter(|&option| !known.contains(option) && !excepted.contains(option)).collect();
    assert!(unknown.is_empty(), "python/src/convert.rs has no argument for {unknown:?}");
    let idle: Vec<_> = excepted.iter().filter(|&option| !told.contains(option)).collect();
    assert!(idle.is_empty(), "no message has {idle:?}, so it is no exception");
}
