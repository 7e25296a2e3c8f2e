//! Valid inputs, from which mutations begin: the transcripts, presets, studies and models of the repository.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The files in a folder of the repository whose names end like this, in order.
///
/// # Panics
/// When there are none.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files.sort();
    assert!(!files.is_empty(), "no files in {}", folder.display());
    files
}

fn texts(folder: &str, ending: &str) -> Vec<String> {
    let read = |path: &PathBuf| {
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    files(folder, ending).iter().map(read).collect()
}

/// Accepted transcripts of all games: their lines, and the same as data.
///
/// # Panics
/// When the repository is not there.
pub fn transcripts() -> &'static [(String, Value)] {
    static SEEDS: OnceLock<Vec<(String, Value)>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let texts = ["tests/accepted", "tests/golden"].map(|folder| texts(folder, "jsonl"));
        let lines = texts.iter().flatten().flat_map(|text| text.lines());
        lines.map(|line| (line.to_owned(), serde_json::from_str(line).unwrap_or_default())).collect()
    })
}

/// The presets that come with Knave.
///
/// # Panics
/// When the repository is not there.
pub fn presets() -> &'static [String] {
    static SEEDS: OnceLock<Vec<String>> = OnceLock::new();
    SEEDS.get_or_init(|| texts("agents/presets", "toml"))
}

/// A study of few words with what the others leave out.
const STUDY: &str = r#"summary = "small"
seed = 1
tables = ["summary.csv"]

[[cells]]
command = "run"
game = ["dungeon", "whist"]
agents = ["random", ["random:", { agent = "rule", label = "by rule" }]]
n = [1, 2]
seed = 5
label = "a.b_c/d e"
options = { games = true, transcripts = "t.jsonl", transcript_limit = 3 }

[[cells]]
command = "compare"
game = "doubles"
agents = ["random", "rule"]
rules = { players = 3, teams = [0, 1, 0] }
n = 4
label = "..-"
options = { until = 0.5, measure = "score" }
"#;

/// The studies that come with Knave, and a small one.
///
/// # Panics
/// When the repository is not there.
pub fn studies() -> &'static [String] {
    static SEEDS: OnceLock<Vec<String>> = OnceLock::new();
    // The small one twice over: its changes cost less to read.
    SEEDS.get_or_init(|| {
        let mut all = texts("experiments", "toml");
        all.extend([STUDY.to_owned(), STUDY.to_owned()]);
        all
    })
}
