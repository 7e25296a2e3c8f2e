//! What files, disks and other programs may do to a command: nothing that is not its own is touched, nothing that was
//! changed is believed, nothing on the screen comes from a file unseen.

use crate::common::{call, error, ok, sim};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const RUN: &str = "run --game dungeon --agent random --quiet -n 40";

fn refused(folder: &Path, line: &str, reasons: &[&str]) {
    let output = call(folder, line);
    let message = error(&output);
    assert_eq!(output.status.code(), Some(2), "{line}: {message}");
    for reason in reasons {
        assert!(message.contains(reason), "{line}: {message}");
    }
}

fn edit(path: &Path, change: impl Fn(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, serde_json::to_vec_pretty(&value).unwrap()).unwrap();
}

/// A `sim` that may write so many kilobytes to a file and no more: for it the disk is full after that.
#[cfg(unix)]
fn on_a_full_disk(folder: &Path, line: &str, kilobytes: u64) -> std::process::Output {
    let script = format!("ulimit -f {}; exec {} {line}", 2 * kilobytes, env!("CARGO_BIN_EXE_sim"));
    Command::new("sh").current_dir(folder).args(["-c", &script]).stdin(Stdio::null()).output().unwrap()
}

/// A journal is no proof that a folder is ours: one that is not, and other files with names of ours, stay as they are.
#[test]
fn a_diary_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for name in ["journal.json", "manifest.json", ".diary.new", ".journal.json.new", "games.csv"] {
        fs::create_dir_all(folder.join("d")).unwrap();
        let file = folder.join("d").join(name);
        fs::write(&file, "dear diary").unwrap();
        for rest in ["", " --games", " --resume", " --transcripts nodir/t"] {
            let output = call(folder, &format!("{RUN} --out d{rest}"));
            assert_eq!(output.status.code(), Some(2), "{name}{rest}: {}", error(&output));
            assert_eq!(fs::read_to_string(&file).unwrap(), "dear diary", "{name}{rest}");
            assert_eq!(fs::read_dir(folder.join("d")).unwrap().count(), 1, "{name}{rest}");
        }
        fs::remove_dir_all(folder.join("d")).unwrap();
    }
    // Even --force touches nothing but files that the run writes, and a refusal leaves what was there.
    fs::create_dir(folder.join("d")).unwrap();
    fs::write(folder.join("d/.diary.new"), "dear diary").unwrap();
    ok(folder, &format!("{RUN} --out d --force"));
    assert!(folder.join("d/.diary.new").exists());
    let before = fs::read(folder.join("d/manifest.json")).unwrap();
    refused(folder, &format!("{RUN} --seed 2 --out d --force --transcripts nodir/t"), &["nodir/t"]);
    assert!(before == fs::read(folder.join("d/manifest.json")).unwrap());
}

/// The transcripts of a study lie with its cells: no file elsewhere is named, and one that is there already stays.
#[test]
fn a_study_overwrites_no_thesis() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let study = |options: &str| {
        let text = format!(
            "summary = 's'\nseed = 1\n[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = ['random', 'greedy']\nn = 5\n\
             options = {{ {options} }}\n"
        );
        fs::write(folder.join("s.toml"), text).unwrap();
    };
    fs::write(folder.join("thesis.txt"), "chapter one").unwrap();
    for elsewhere in ["../thesis.txt", "/tmp/thesis.txt", "a/b", ".."] {
        study(&format!("transcripts = '{elsewhere}'"));
        refused(folder, "experiment s.toml", &["s.toml: line 8", "transcripts", "folder of each cell"]);
    }
    study("'shard=1/2' = true");
    refused(folder, "experiment s.toml", &["s.toml: line 8", "shard=1/2"]);
    study("transcripts = 'thesis.txt'");
    ok(folder, "experiment s.toml --quiet");
    assert_eq!(fs::read_to_string(folder.join("thesis.txt")).unwrap(), "chapter one");
    let cell = folder.join("results/s/dungeon-random");
    let transcripts = fs::read(cell.join("thesis.txt")).unwrap();
    ok(folder, "replay results/s/dungeon-random/thesis.txt");
    // As in a committed study: the manifests alone, and something in the place of the transcripts.
    for entry in fs::read_dir(&cell).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap() != "manifest.json" {
            fs::remove_file(path).unwrap();
        }
    }
    fs::remove_file(folder.join("results/s/cells.csv")).unwrap();
    fs::write(cell.join("thesis.txt"), "chapter two").unwrap();
    refused(folder, "experiment s.toml --quiet", &["thesis.txt exists already"]);
    assert_eq!(fs::read_to_string(cell.join("thesis.txt")).unwrap(), "chapter two");
    fs::remove_file(cell.join("thesis.txt")).unwrap();
    ok(folder, "experiment s.toml --quiet");
    assert!(transcripts == fs::read(cell.join("thesis.txt")).unwrap());
}

/// A manifest leads nobody out of its folder, neither a reader nor a writer, and its numbers are looked at.
#[test]
fn a_manifest_stays_in_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("secret.csv"), "a,b\n1,2\n").unwrap();
    let secret = folder.join("secret.csv").display().to_string();
    for name in [secret.as_str(), "../secret.csv", "..", ""] {
        ok(folder, &format!("{RUN} --out r --force"));
        edit(&folder.join("r/manifest.json"), |manifest| {
            manifest["files"].as_array_mut().unwrap().push(name.into());
        });
        for line in [
            &format!("show r --table {}", if name.is_empty() { "x" } else { name }),
            "show r",
            "report r --out -",
            "merge r --out m",
        ] {
            refused(folder, line, &["files: "]);
        }
    }
    for shard in [json!({ "part": 1, "of": 0 }), json!({ "part": 3, "of": 2 }), json!({ "part": 0, "of": 1 })]
    {
        ok(folder, &format!("{RUN} --out r --force"));
        edit(&folder.join("r/manifest.json"), |manifest| manifest["shard"] = shard.clone());
        refused(folder, "merge r --out m", &["no part"]);
    }
    // A study joins what its cells wrote.
    let text =
        "summary = 's'\nseed = 1\n[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = ['random']\nn = 5\n";
    fs::write(folder.join("s.toml"), text).unwrap();
    ok(folder, "experiment s.toml --quiet");
    let before = fs::read(folder.join("secret.csv")).unwrap();
    edit(&folder.join("results/s/dungeon-random/manifest.json"), |manifest| {
        manifest["files"].as_array_mut().unwrap().push(secret.as_str().into());
    });
    refused(folder, "experiment s.toml --quiet", &["something else"]);
    assert!(before == fs::read(folder.join("secret.csv")).unwrap());
}

/// A page may go to a pipe or a device, which takes it and stays what it is.
#[cfg(unix)]
#[test]
fn pipes_are_not_replaced() {
    use std::os::unix::fs::FileTypeExt as _;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent random -n 9 --quiet --out o");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    ok(folder, "report o --out pipe");
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert!(reader.join().unwrap().starts_with("<!DOCTYPE html>"));
}

/// On a full disk the old page, model and joined tables stay, and nothing half written lies about.
#[cfg(unix)]
#[test]
fn a_full_disk_takes_nothing_away() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game columns --agent random --quiet -n 40 --out r");
    ok(folder, "report r --out page.html");
    let train = "train --game whist --first 16 --second 8 --held-out 1 --batch 10 --games 10 --quiet --out m.bin --force";
    ok(folder, train);
    let rows = "n = [1, 2, 3, 4, 5, 6, 7, 8]";
    let text = format!(
        "summary = 's'\nseed = 1\n[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = ['random']\n{rows}\n"
    );
    fs::write(folder.join("s.toml"), &text).unwrap();
    ok(folder, "experiment s.toml --quiet");
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.extend(fs::read_dir(folder.join("results/s")).unwrap().map(|entry| entry.unwrap().file_name()));
        names.sort();
        names
    };
    // What is as it would be written is not written.
    let tally = folder.join("results/s/tally.csv");
    let text_before = fs::read_to_string(&tally).unwrap();
    let (columns, all) = text_before.split_once('\n').unwrap();
    fs::write(&tally, format!("{columns}\n{all}{all}")).unwrap();
    let before = names();
    for (line, file) in [
        ("report r --out page.html --force", "page.html"),
        (train, "m.bin"),
        ("experiment s.toml --quiet", "results/s/tally.csv"),
    ] {
        let old = fs::read(folder.join(file)).unwrap();
        assert!(old.len() > 1024, "{file} fits");
        let output = on_a_full_disk(folder, line, 1);
        assert_eq!(output.status.code(), Some(1), "{line}: {}", error(&output));
        assert!(error(&output).contains("File too large"), "{line}: {}", error(&output));
        assert!(old == fs::read(folder.join(file)).unwrap(), "{file}");
    }
    let left: Vec<_> = names().into_iter().filter(|name| !before.contains(name)).collect();
    assert!(left.is_empty(), "{left:?}");
    // A study has no --resume.
    let text = text.replace(rows, "n = 4000\noptions = { games = true }");
    fs::write(folder.join("s.toml"), text).unwrap();
    let message = error(&on_a_full_disk(folder, "experiment s.toml --quiet", 6));
    assert!(message.contains("the same command goes on") && !message.contains("--resume"), "{message}");
    ok(folder, "experiment s.toml --quiet");
    // Joining names what could not be written, not what was read, and can be repeated.
    ok(folder, &format!("{RUN} --games --out whole"));
    ok(folder, &format!("{RUN} --games --shard 1/2 --out a"));
    ok(folder, &format!("{RUN} --games --shard 2/2 --out b"));
    for kilobytes in [1, 2, 3, 5] {
        let output = on_a_full_disk(folder, "merge a b --out m --quiet", kilobytes);
        let message = error(&output);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(
            message.contains("cannot write m/") && message.matches("incomplete: ").count() == 1,
            "{message}"
        );
        ok(folder, "merge a b --out m --quiet");
        fs::remove_file(folder.join("m/manifest.json")).unwrap();
        fs::rename(folder.join("m"), folder.join(format!("m{kilobytes}"))).unwrap();
    }
    ok(folder, "merge a b --out m --quiet");
    for name in ["summary.csv", "games.csv", "journal.json"] {
        assert!(
            fs::read(folder.join("whole").join(name)).unwrap()
                == fs::read(folder.join("m").join(name)).unwrap()
        );
    }
}

/// Joining does not go on with an unfinished run, and does not advise what it cannot do.
#[test]
fn joining_advises_what_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent random --quiet -n 1e15 --shard 1/1000000000000000 --out a");
    let mut child = sim(folder, "run --game dungeon --agent random --quiet -n 1e15 --out m").spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1300));
    child.kill().unwrap();
    child.wait().unwrap();
    let output = call(folder, "merge a --out m");
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("--force") && !error(&output).contains("--resume"), "{}", error(&output));
}

/// A row or a transcript that was changed after it was counted is neither gone on with nor joined.
#[test]
fn changed_rows_are_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = format!("{RUN} --games --out r --transcripts r/t.jsonl");
    ok(folder, &line);
    for file in ["r/games.csv", "r/t.jsonl"] {
        let right = fs::read(folder.join(file)).unwrap();
        for place in [30, right.len() / 2, right.len() - 2] {
            let mut wrong = right.clone();
            wrong[place] ^= 1;
            fs::write(folder.join(file), &wrong).unwrap();
            refused(folder, &format!("{line} --resume"), &[file, "checksum"]);
            if file == "r/games.csv" {
                refused(folder, "merge r --out m", &[file, "checksum"]);
            }
            assert!(wrong == fs::read(folder.join(file)).unwrap());
        }
        fs::write(folder.join(file), right).unwrap();
    }
    // Nor is the journal of another run.
    ok(folder, &format!("{RUN} --games --seed 2 --out other --transcripts other/t.jsonl"));
    fs::copy(folder.join("other/journal.json"), folder.join("r/journal.json")).unwrap();
    refused(folder, &format!("{line} --resume"), &["another run"]);
    refused(folder, "merge r --out m", &["another run"]);
    assert!(!folder.join("m").exists());
}

/// A folder that was moved with its transcripts goes on where it is.
#[cfg(unix)]
#[test]
fn a_moved_folder_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = |out: &str| {
        format!(
            "run --game whist --agent greedy --quiet -n 4000 --games --out {out} --transcripts {out}/t.jsonl --resume"
        )
    };
    ok(folder, &line("whole"));
    let mut child = sim(folder, &line("before")).stderr(Stdio::null()).spawn().unwrap();
    while !folder.join("before/manifest.json").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "it has ended before");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(100));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130), "it was done before");
    fs::rename(folder.join("before"), folder.join("after")).unwrap();
    ok(folder, &line("after"));
    for name in ["games.csv", "t.jsonl", "summary.csv", "journal.json"] {
        assert!(
            fs::read(folder.join("whole").join(name)).unwrap()
                == fs::read(folder.join("after").join(name)).unwrap(),
            "{name}"
        );
    }
}

/// A finished run that is asked for again writes nothing, so that its folder may be one that nobody can write to.
#[test]
fn a_finished_run_is_not_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = format!("{RUN} --games --out r --transcripts t.jsonl");
    let first = ok(folder, &line.replace(" --quiet", ""));
    let stamp = |name: &str| {
        let data = fs::metadata(folder.join(name)).unwrap();
        (data.modified().unwrap(), data.len())
    };
    let names = ["r/manifest.json", "r/journal.json", "r/summary.csv", "r/games.csv", "t.jsonl", "r"];
    let before = names.map(stamp);
    for rest in ["", " --resume"] {
        assert_eq!(ok(folder, &format!("{}{rest}", line.replace(" --quiet", ""))), first);
        assert_eq!(names.map(stamp), before, "{rest}");
    }
    // What is missing is made again.
    fs::write(folder.join("r/summary.csv"), "").unwrap();
    ok(folder, &line);
    assert_eq!(fs::metadata(folder.join("r/summary.csv")).unwrap().len(), before[2].1);
}

/// A training that was begun in place of a model goes on in place of it, and a place for the model that cannot be is refused
/// at once.
#[cfg(unix)]
#[test]
fn a_training_goes_on_as_it_was_begun() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "train --game whist --first 16 --second 8 --held-out 50 --batch 10 --quiet --games";
    fs::write(folder.join("m.bin"), "an old model").unwrap();
    refused(folder, &format!("{line} 400 --out m.bin"), &["m.bin exists already"]);
    fs::create_dir(folder.join("d")).unwrap();
    for rest in ["", " --force"] {
        refused(folder, &format!("{line} 100000000 --out d{rest}"), &["cannot write d: is a directory"]);
    }
    let child =
        sim(folder, &format!("{line} 100000000 --out m.bin --force")).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(400));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    assert!(folder.join("m.bin.progress").exists() && !folder.join("m.bin.lock").exists());
    let mut child = sim(folder, &format!("{line} 100000000 --out m.bin --resume")).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it does not go on");
    child.kill().unwrap();
    child.wait().unwrap();
    refused(folder, &format!("{line} 400 --out m.bin --resume"), &["other arguments"]);
    let mut bytes = fs::read(folder.join("m.bin.progress")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(folder.join("m.bin.progress"), bytes).unwrap();
    refused(folder, &format!("{line} 100000000 --out m.bin --resume"), &["m.bin.progress is damaged"]);
    assert_eq!(fs::read_to_string(folder.join("m.bin")).unwrap(), "an old model");
}

/// Neither a folder that holds itself nor a pipe with the name of a table keeps a reader busy.
#[cfg(unix)]
#[test]
fn odd_folders_are_read_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, &format!("{RUN} --out r"));
    let page = ok(folder, "report r --out -");
    std::os::unix::fs::symlink(".", folder.join("r/itself")).unwrap();
    std::os::unix::fs::symlink("../r", folder.join("r/again")).unwrap();
    let pipe = folder.join("r/x.csv");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(ok(folder, "report r --out -"), page);
    ok(folder, "show r");
    for name in ["summary.csv", "manifest.json"] {
        fs::remove_file(folder.join("r").join(name)).unwrap();
        assert!(Command::new("mkfifo").arg(folder.join("r").join(name)).status().unwrap().success());
        refused(folder, "show r", &["no plain file"]);
    }
    refused(folder, "replay r", &["cannot read r: is a directory"]);
    // A folder above names studies as well as results.
    ok(folder, &format!("{RUN} --rule health=10..11 --out above/s"));
    refused(folder, "show above", &["there are results in above/s"]);
    // Neither a folder with the name of a table nor a file without a name of text is a table of a study.
    let shown = ok(folder, "show above/s");
    fs::create_dir(folder.join("above/s/old.csv")).unwrap();
    let odd = std::os::unix::ffi::OsStrExt::from_bytes(b"\xff.csv");
    fs::write(folder.join("above/s").join::<&std::ffi::OsStr>(odd), "a\n1\n").unwrap();
    assert_eq!(ok(folder, "show above/s"), shown);
}

/// An analysis of what came through a pipe is shown without its games, which nobody sends again.
#[cfg(unix)]
#[test]
fn an_analysed_pipe_is_not_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, "run --game dungeon --agent random -n 2 --quiet --out r --transcripts t");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn({
        let (games, pipe) = (fs::read(folder.join("t")).unwrap(), pipe.clone());
        move || fs::write(pipe, games).unwrap()
    });
    ok(folder, "analyse pipe --game dungeon --judge fast --worlds 20 --moves 2 --quiet --out a");
    writer.join().unwrap();
    let mut show = sim(folder, "show a").stdout(Stdio::piped()).spawn().unwrap();
    for _ in 0..200 {
        if show.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    // One that waits for a writer would do so for ever.
    let _ = show.kill();
    let output = show.wait_with_output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("The worst of") && !shown.contains("sim hint"), "{shown}");
}

/// A link that is called like a page leads to a table: the table stays.
#[cfg(unix)]
#[test]
fn a_page_follows_no_link_to_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, &format!("{RUN} --out r"));
    let table = fs::read(folder.join("r/summary.csv")).unwrap();
    std::os::unix::fs::symlink("r/summary.csv", folder.join("link.html")).unwrap();
    refused(folder, "report r --out link.html --force", &["link.html lies in r", "ends in .html"]);
    assert!(table == fs::read(folder.join("r/summary.csv")).unwrap());
    // A page in the folder may be overwritten, also through a link with any name.
    ok(folder, "report r --out r/page.html");
    std::os::unix::fs::symlink("r/page.html", folder.join("link")).unwrap();
    ok(folder, "report r --out link --force");
}

/// What a file says reaches the terminal as text: no colours, no moved cursor, no line without end.
#[test]
fn nothing_hidden_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The last are marks that colour words on the screen, and a letter without width.
    let escape = "\u{1b}[2J\u{9b}1m\u{2062}\u{200b}";
    let clean = |text: &str| {
        !text.contains(|c: char| (c.is_control() && c != '\n') || ['\u{200b}', '\u{2062}'].contains(&c))
    };
    fs::write(folder.join("s.toml"), format!("summary = 's'\nseed = 1\nwhat = '{escape}'\n")).unwrap();
    fs::write(folder.join("long.toml"), format!("summary = '{}'\nseed = x\n", "é".repeat(1 << 20))).unwrap();
    fs::write(folder.join("wide.toml"), format!("seed = {}", "x".repeat(1 << 20))).unwrap();
    for line in ["experiment s.toml", "experiment long.toml", "experiment wide.toml"] {
        let output = call(folder, line);
        assert_eq!(output.status.code(), Some(2));
        let message = error(&output);
        assert!(clean(&message) && message.len() < 20_000, "{line}: {} bytes", message.len());
    }
    ok(folder, &format!("{RUN} --out r"));
    let text = fs::read_to_string(folder.join("r/summary.csv")).unwrap();
    fs::write(folder.join("r/summary.csv"), text.replace("random", escape)).unwrap();
    edit(&folder.join("r/manifest.json"), |manifest| {
        manifest["request"]["agents"][0]["label"] = escape.into();
    });
    for format in ["text", "markdown"] {
        let shown = ok(folder, &format!("show r --format {format}"));
        assert!(clean(&shown) && shown.contains(r"\u{1b}[2J"), "{shown}");
    }
    let coloured = sim(folder, "show r").env("CLICOLOR_FORCE", "1").output().unwrap();
    let coloured = String::from_utf8(coloured.stdout).unwrap();
    assert!(coloured.contains(r"[2J\u{9b}1m\u{2062}\u{200b}"), "{coloured}");
    let bold = |text: &str| text.matches("\u{1b}[").count();
    // The title, and the name of each table.
    assert_eq!(bold(&coloured), 2 * (1 + coloured.matches(".csv\u{1b}").count()), "{coloured}");
    // Another program gets the bytes of the file.
    assert!(ok(folder, "show r --format csv").contains(escape));
}

/// A referee takes a record at its word: it says one thing, in the one way in which it is written.
#[test]
fn a_transcript_says_one_thing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    ok(folder, &format!("{RUN} --transcripts t.jsonl --out r"));
    let text = fs::read_to_string(folder.join("t.jsonl")).unwrap();
    let line = text.lines().next().unwrap();
    let first = line.split('{').find(|event| event.starts_with("\"move\":\"fight ")).unwrap();
    let first = &first[..first.find(",\"player\"").unwrap()];
    let spaced = first.replacen(' ', "  ", 1);
    let tabbed = first.replacen(' ', "\\t", 1);
    let twice = format!("{first},{first}");
    for (from, to, code, reason) in [
        ("\"seed\":1", "\"seed\":1,\"seed\":1", 2, "duplicate field `seed`"),
        ("\"health\":20", "\"health\":15,\"health\":20", 2, "'health' stands twice"),
        (first, &twice, 2, "'move' stands twice"),
        (
            "\"health\":20",
            "\"health\":\"020\"",
            2,
            "option 'health' is recorded as \"020\", which should be 20",
        ),
        ("\"health\":20", "\"health\":\"+20\"", 2, "option 'health' is recorded as \"+20\""),
        ("\"health\":20", "\"health\":\"20\"", 2, "option 'health' is recorded as \"20\""),
        (first, &spaced, 3, "should be written 'fight "),
        (first, &tabbed, 3, "should be written 'fight "),
        ("[\"random\"]", "[\"\"]", 2, "players: \"\" of seat 0"),
        ("[\"random\"]", "[\" \"]", 2, "players: \" \" of seat 0"),
        ("[\"random\"]", "[\"a\\u001b[2J\"]", 2, "of seat 0"),
        ("\"seed\":1", "\"seed\":18446744073709551616", 2, "a number of 2^64 or more"),
        ("\"index\":0", "\"index\":-1", 2, "a whole number from 0 to 18446744073709551615"),
    ] {
        let changed = line.replacen(from, to, 1);
        assert_ne!(changed, line, "{from}");
        fs::write(folder.join("c.jsonl"), changed).unwrap();
        let output = call(folder, "replay c.jsonl");
        let message = error(&output);
        assert_eq!(output.status.code(), Some(code), "{to}: {message}");
        assert!(message.contains("c.jsonl: line 1: ") && message.contains(reason), "{to}: {message}");
    }
    // Deals are read with the same care.
    let deck = &line[line.find("\"deck\":").unwrap()..line.find(",\"events\"").unwrap()];
    for (rules, reason) in [("{\"health\":3,\"health\":4}", "'health' stands twice"), ("{}", "")] {
        fs::write(folder.join("d.jsonl"), format!("{{{deck},\"rules\":{rules}}}\n")).unwrap();
        match reason {
            "" => drop(ok(folder, "solve --game dungeon --deals d.jsonl")),
            reason => refused(folder, "solve --game dungeon --deals d.jsonl", &[reason]),
        }
    }
}

/// A seed that does not fit into 64 bits is named, wherever it stands.
#[test]
fn seeds_that_do_not_fit_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let seed = "18446744073709551616";
    refused(folder, &format!("{RUN} --seed {seed}"), &[seed, "18446744073709551615"]);
    refused(folder, &format!("train --game whist --out m --seed {seed}"), &[seed, "18446744073709551614"]);
    for place in ["seed = SEED\n[[cells]]\n", "seed = 1\n[[cells]]\nseed = SEED\n"] {
        let cells = "command = 'run'\ngame = 'dungeon'\nagents = ['random']\nn = 5\n";
        let text = format!("summary = 's'\n{}{cells}", place.replace("SEED", seed));
        fs::write(folder.join("s.toml"), text).unwrap();
        refused(folder, "experiment s.toml", &["18446744073709551615"]);
    }
}
