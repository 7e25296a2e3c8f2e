//! Folders of results with a file changed: on resume and merge they are refused or come to the true result, and what shows them
//! shows them or says why not.

use super::registry;
use crate::choices::Choices;
use crate::mutate;
use fnv::FnvHasher;
use knave::cli::show;
use knave::report;
use knave::store::{Existing, Shard};
use knave::studies::{Merge, Outputs, Request, Session};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The files of a folder.
type Files = BTreeMap<String, Vec<u8>>;

/// A request, and folders about it.
struct Case {
    request: Request,
    outputs: Outputs,
    /// All of it.
    whole: Files,
    /// Its two halves.
    parts: [Files; 2],
    /// A session that was interrupted after the first half.
    begun: Files,
}

const REQUESTS: [&str; 6] = [
    r#"{"study":"run","game":"dungeon","agents":["random"],"n":12}"#,
    r#"{"study":"run","game":"doubles","agents":["random","rule"],"rules":{"max_rolls":20},"n":6}"#,
    r#"{"study":"compare","game":"dungeon","agents":["random","rule"],"n":6}"#,
    r#"{"study":"solve","game":"verslun","rules":{"columns":1},"n":4}"#,
    r#"{"study":"bound","game":"dungeon","agents":["random"],"n":4}"#,
    r#"{"study":"analyse","game":"verslun","rules":{"columns":1},"agents":["random"],"n":4,"worlds":20}"#,
];

/// An empty folder, in memory where that can be had: what is written there waits for no disk.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
    made.unwrap_or_else(|error| panic!("no folder can be made: {error}"))
}

fn read(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    entries.map(|path| (name(&path), fs::read(&path).unwrap_or_default())).collect()
}

fn write(files: &Files, folder: &Path) {
    fs::create_dir_all(folder).unwrap_or_else(|error| panic!("no folder can be made: {error}"));
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// Does a request in a folder.
fn session(
    case: (&Request, &Outputs),
    folder: &Path,
    shard: Option<Shard>,
    existing: Existing,
) -> Result<(), String> {
    let session = Session::new(registry(), case.0).map_err(|error| error.to_string())?;
    let session = session.outputs(case.1.clone()).folder(folder).shard(shard).existing(existing).threads(1);
    session.run(&mut ()).map(|_| ()).map_err(|error| error.to_string())
}

fn merge(parts: &[PathBuf], out: &Path) -> Result<(), String> {
    let merge = Merge::new(registry(), parts, None).map_err(|error| error.to_string())?;
    merge.write(out, Existing::Keep).map(|_| ()).map_err(|error| error.to_string())
}

fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| REQUESTS.iter().map(|request| Case::new(request)).collect())
}

impl Case {
    fn new(request: &str) -> Self {
        let request: Request =
            serde_json::from_str(request).unwrap_or_else(|error| panic!("{request}: {error}"));
        let outputs =
            Outputs { rows: matches!(request, Request::Run(_) | Request::Solve(_)), ..Outputs::default() };
        let root = folder();
        let at = |name: &str| root.path().join(name);
        let made = |done: Result<(), String>| done.unwrap_or_else(|error| panic!("{error}"));
        let case = (&request, &outputs);
        made(session(case, &at("whole"), None, Existing::Keep));
        for part in 1..=2 {
            made(session(case, &at(&part.to_string()), Some(Shard { part, of: 2 }), Existing::Keep));
        }
        made(merge(&[at("1")], &at("begun")));
        let [whole, first, second, begun] = ["whole", "1", "2", "begun"].map(|name| read(&at(name)));
        Self { request, outputs, whole, parts: [first, second], begun }
    }
}

/// Everything in a folder but when and how it came to be.
fn timeless(files: &Files) -> Files {
    let mut files = files.clone();
    if let Some(manifest) = files.get_mut("manifest.json") {
        let mut read: Value = serde_json::from_slice(manifest).unwrap_or_default();
        read["timing"].take();
        *manifest = read.to_string().into_bytes();
    }
    files
}

/// Changes a file of a folder. With `seal` a changed journal may have a checksum that is right.
fn change(files: &mut Files, seal: bool, choices: &mut Choices<'_>) {
    let names: Vec<String> = files.keys().cloned().collect();
    // The journal and the manifest more often than the tables, which are made from them.
    let name = match choices.below(4) {
        0 => choices.pick(&names).clone(),
        1 => "manifest.json".to_owned(),
        _ => "journal.json".to_owned(),
    };
    let Some(bytes) = files.get_mut(&name) else { return };
    let text = String::from_utf8_lossy(bytes).into_owned();
    *bytes = match serde_json::from_str::<Value>(&text) {
        Ok(value) => mutate::document(&value, &text, choices).into_bytes(),
        Err(_) => mutate::text(&text, &text, choices),
    };
    if name == "journal.json" && seal && choices.once_in(2) {
        *bytes = sealed(bytes);
    }
}

/// A journal with the checksum of its present text, as somebody would write it who means to deceive.
fn sealed(journal: &[u8]) -> Vec<u8> {
    const SUM: &[u8] = b",\"sum\":\"";
    let Some(end) = journal.windows(SUM.len()).rposition(|part| part == SUM) else {
        return journal.to_owned();
    };
    let mut sum = FnvHasher::default();
    sum.write(&journal[..end]);
    [&journal[..end], SUM, format!("{:016x}", sum.finish()).as_bytes(), b"\"}\n"].concat()
}

/// Resumes or merges folders about a request, one of which is changed; says whether that came to the true result, if it was accepted.
fn carried_on(case: &Case, resume: bool, change: impl FnOnce(&mut [Files])) -> Option<bool> {
    let root = folder();
    let at = |name: &str| root.path().join(name);
    let (out, done);
    if resume {
        let mut begun = [case.begun.clone()];
        change(&mut begun);
        out = at("begun");
        write(&begun[0], &out);
        done = session((&case.request, &case.outputs), &out, None, Existing::Resume);
        if done.is_err() {
            assert_eq!(begun[0], read(&out), "what was refused was changed: {done:?}");
        }
    } else {
        let mut parts = case.parts.clone();
        change(&mut parts);
        let folders = [at("1"), at("2")];
        parts.iter().zip(&folders).for_each(|(files, folder)| write(files, folder));
        out = at("out");
        done = merge(&folders, &out);
        assert_eq!(done.is_ok(), out.exists(), "what was refused was begun: {done:?}");
    }
    done.ok().map(|()| timeless(&read(&out)) == timeless(&case.whole))
}

/// Changes a file of a folder about a request, and resumes or merges.
fn one_changed(seal: bool, choices: &mut Choices<'_>) -> Option<bool> {
    let (case, resume) = (choices.pick(cases()), choices.once_in(2));
    carried_on(case, resume, |folders| {
        let which = choices.below(folders.len());
        change(&mut folders[which], seal, choices);
    })
}

/// Puts `to` in place of `from` in a file of the folders about the request of this number, the first in the list being 0; resumes and
/// merges what that comes to, and says for each whether it came to the true result, if it was accepted. `seal` gives a
/// journal the checksum of its present text.
///
/// # Panics
/// When there is no such file, or no such text in it.
#[must_use]
pub fn replaced(request: usize, file: &str, from: &str, to: &str, seal: bool) -> [Option<bool>; 2] {
    [true, false].map(|resume| {
        carried_on(&cases()[request], resume, |folders| {
            let bytes = folders[0].get_mut(file).unwrap_or_else(|| panic!("{file} is not there"));
            let text = String::from_utf8_lossy(bytes).replacen(from, to, 1);
            assert_ne!(text.as_bytes(), &bytes[..], "{from} is not in {file}");
            *bytes = if file == "journal.json" && seal { sealed(text.as_bytes()) } else { text.into_bytes() };
        })
    })
}

/// Folders as they were written, resumed and merged.
///
/// # Panics
/// When they do not come to the true result: the other targets would look at refusals alone.
pub fn unchanged() {
    for case in cases() {
        for resume in [false, true] {
            assert_eq!(carried_on(case, resume, |_| ()), Some(true), "resume: {resume}, {:?}", case.request);
        }
    }
}

/// Folders with a file changed, resumed and merged: no more than that nothing breaks.
pub fn changed(choices: &mut Choices<'_>) {
    one_changed(true, choices);
}

/// The same, and what is accepted is true.
///
/// # Panics
/// When a folder is accepted that is not what was written.
pub fn true_or_refused(choices: &mut Choices<'_>) {
    assert_ne!(
        one_changed(false, choices),
        Some(false),
        "a changed folder was accepted, and its tables are wrong"
    );
}

/// Pages and tables about folders with a file changed.
///
/// # Panics
/// When markup of a table gets into a page.
pub fn shown(choices: &mut Choices<'_>) {
    let case = choices.pick(cases());
    let root = folder();
    let mut files = case.whole.clone();
    for _ in 0..=choices.below(2) {
        let names: Vec<String> = files.keys().cloned().collect();
        let name = choices.pick(&names);
        let bytes = files.get_mut(name).unwrap_or_else(|| panic!("{name} is there"));
        let text = String::from_utf8_lossy(bytes).into_owned();
        *bytes = match serde_json::from_str::<Value>(&text) {
            Ok(value) => mutate::document(&value, &text, choices).into_bytes(),
            Err(_) => mutate::text(&text, &text, choices),
        };
    }
    write(&files, root.path());
    if choices.once_in(2) {
        if let Ok(page) = report::page(registry(), &[root.path().to_owned()]) {
            assert!(!page.contains(mutate::MARKUP), "markup of a table is in the page");
        }
        return;
    }
    let format =
        *choices.pick(&[show::Format::Text, show::Format::Markdown, show::Format::Json, show::Format::Csv]);
    let names: Vec<&String> = files.keys().collect();
    let table = choices.once_in(2).then(|| (*choices.pick(&names)).clone());
    let folder = root.path().to_owned();
    let _ = show::text(registry(), &show::Args { folder, format, table, measure: None, json: false });
}

/// Makes a page about the request of this number with `to` in place of `from` in a file.
///
/// # Panics
/// When the page does.
pub fn page(request: usize, file: &str, from: &str, to: &str) {
    let root = folder();
    let mut files = cases()[request].whole.clone();
    let bytes = files.get_mut(file).unwrap_or_else(|| panic!("{file} is not there"));
    let changed = String::from_utf8_lossy(bytes).replacen(from, to, 1).into_bytes();
    assert_ne!(*bytes, changed, "{file} does not contain '{from}'");
    *bytes = changed;
    write(&files, root.path());
    let _ = report::page(registry(), &[root.path().to_owned()]);
}
