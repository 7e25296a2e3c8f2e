//! A person at the terminal: `sim play` tells what everybody sees, and Ctrl-C gives up on what takes its time.

use crate::common::{call, error, sim};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn begin(folder: &Path, line: &str) -> Child {
    let mut command = sim(folder, line);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Where a pass may have been forced by an empty hand, all that others do is told, and it is told alike: the rolls and challenges
/// of the transcript, and a pass of everybody who let a challenge go by.
#[test]
fn doubles_are_told_as_everybody_sees_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let line = "play --game doubles --rule players=3 --rule cards=2 --seat 1 --opponent rule --seed 4 --judge rule --worlds 20";
    let mut child = begin(folder, line);
    // Plays the first move always; after the end the first line that is understood saves the game.
    let input = "1\n".repeat(400) + "save game.jsonl\n";
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let game: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("game.jsonl")).unwrap()).unwrap();
    let mut expected = Vec::new();
    for event in game["events"].as_array().unwrap() {
        match (event["roll"].as_array(), event["move"].as_str(), event["player"].as_u64()) {
            (Some(dice), ..) => expected.push(format!("Roll: {} {}", dice[0], dice[1])),
            (_, Some(text), Some(seat)) if seat != 1 && text != "pass" => {
                expected.push(format!("Seat {seat}: {text}"));
            }
            _ => {}
        }
    }
    let is_news = |line: &&str| line.starts_with("Seat ") || line.starts_with("Roll: ");
    let news: Vec<&str> = told.lines().filter(is_news).collect();
    let seen: Vec<&str> = news.iter().copied().filter(|line| !line.ends_with(": pass")).collect();
    assert_eq!(seen, expected, "{told}");
    // Nobody can tell a player without cards: before another player rolls again, both others have let the last roll go by.
    let mut again = 0;
    for (place, _) in news.iter().enumerate().filter(|(_, line)| line.ends_with(": roll")) {
        let since = news[..place].iter().rposition(|line| line.starts_with("Roll: ")).unwrap();
        assert_eq!(news[since + 1..place].len(), 2, "{:?}", &news[since..=place]);
        assert!(news[since + 1..place].iter().all(|line| line.ends_with(": pass")), "{told}");
        again += 1;
    }
    assert!(again > 3, "{told}");
    assert!(seen.iter().any(|line| line.contains("challenge")), "{told}");
    assert!(told.contains("The game is over: cards out."), "{told}");
}

/// Where a game of a match ends, the next begins with new cards, which is told; and the headline names the rules.
#[test]
fn a_new_game_of_a_match_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let line = "play --game doubles --rule target=30 --rule cards=1 --seed 3 --opponent random --judge random --worlds 20";
    let mut child = begin(folder.path(), line);
    child.stdin.take().unwrap().write_all("1\n".repeat(12).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.starts_with("doubles, seed 3, game 0, cards=1, target=30, you in seat 0"), "{told}");
    let (before, after) = told.split_once("Cards are drawn or shuffled\n").unwrap();
    let game =
        |number: u32| move |line: &str| line.starts_with("game ") && line.ends_with(&format!(" {number}"));
    assert!(before.lines().any(game(0)) && !before.lines().any(game(1)), "{told}");
    assert!(after.lines().any(game(1)) && !after.lines().any(game(0)), "{told}");
}

/// Ctrl-C gives up on a hint, and the game goes on. A number of no move is told with those that there are.
#[cfg(unix)]
#[test]
fn a_hint_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = begin(folder.path(), "play --game columns --judge strong --worlds 1000000");
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    input.write_all(b"99999\nboard\nhint\n").unwrap();
    // The board comes twice: the hint is under way when it has come.
    for _ in 0..2 {
        assert!(lines.any(|line| line.unwrap().starts_with("stock")));
    }
    std::thread::sleep(Duration::from_secs(2));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    input.write_all(b"moves\nquit\n").unwrap();
    assert!(lines.any(|line| line.unwrap().starts_with("   1  place ")));
    drop(lines);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", error(&output));
    let told = error(&output);
    assert!(
        told.contains("Given up") && told.contains("99999 is no number of a move: expected 1 to"),
        "{told}"
    );
}

/// What all lines of a board mean is told, also within columns; and once a game is over, its last move can be asked about and taken
/// back.
#[test]
fn boards_are_explained_and_ends_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let play = |line: &str, input: &str| {
        let mut child = begin(folder.path(), line);
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", error(&output));
        (String::from_utf8(output.stdout.clone()).unwrap(), error(&output))
    };
    let (columns, _) = play("play --game columns", "fields\nquit\n");
    assert!(columns.contains("\n  cards: Its cards by suit and rank, not as they were played."), "{columns}");
    assert!(columns.contains("lists of cards by suit and rank.\n"), "{columns}");
    let (verslun, _) = play("play --game verslun", "fields\nquit\n");
    assert!(verslun.contains("\n  cards: Its cards from the bottom up"), "{verslun}");

    let line = "play --game dungeon --seed 5 --judge rule --worlds 20";
    let end = "The game is over: ";
    let moves = "1\n".repeat(60);
    // The first move always, more often than there are decisions, and once more after the last is taken back.
    let (told, said) = play(line, &format!("{moves}why\nundo\n1\nhelp\n\n"));
    assert_eq!(told.matches(end).count(), 2, "{told}\n{said}");
    let (_, rest) = told.split_once(end).unwrap();
    assert!(rest.contains("Your last move was") || rest.contains(" was the only legal move"), "{told}");
    assert!(rest.contains("Once the game is over there are save, why, undo"), "{told}");
    assert!(said.contains("the game is over: save FILE, why, undo, or quit"), "{said}");
}

/// Neither a line that is no text nor an empty one ends the command, also once there is a game to save. The analysis of that game alone
/// does not give it a number: it would not be the index of the headline.
#[test]
fn a_game_outlasts_wrong_lines() {
    let folder = tempfile::tempdir().unwrap();
    let line = "play --game dungeon --seed 3 --index 4 --judge rule --worlds 20";
    let mut child = begin(folder.path(), line);
    let input = [b"\xff\n", "1\n".repeat(60).as_bytes(), b"save \xe9.jsonl\n\nsave game.jsonl\n"].concat();
    child.stdin.take().unwrap().write_all(&input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", error(&output));
    assert_eq!(error(&output).matches("that is not UTF-8 text").count(), 2, "{}", error(&output));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains(", game 4") && told.ends_with("Saved to game.jsonl\n"), "{told}");
    let (_, worst) = told.split_once("The worst decisions:\n").unwrap();
    assert!(worst.starts_with("  decision ") && !worst.contains("game 0"), "{told}");
}

/// Opponents and judge are the same agent here, which has one note.
#[test]
fn a_note_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let output = call(folder.path(), "play --game doubles --rule players=4");
    assert_eq!(error(&output).matches("note: ").count(), 1, "{}", error(&output));
}

/// What a terminal shows of a game in it, how the command ended, and whether the terminal is as it was.
fn in_terminal(width: u32, typed: &str, line: &str) -> (String, i64, bool) {
    in_terminal_to("-", width, typed, line)
}

/// The same with standard output in a file.
fn in_terminal_to(file: &str, width: u32, typed: &str, line: &str) -> (String, i64, bool) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/terminal.py");
    let mut command = Command::new("python3");
    command.args([script, &width.to_string(), typed, file, env!("CARGO_BIN_EXE_sim")]).args(line.split(' '));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", error(&output));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = told["shown"].as_str().unwrap().to_owned();
    (text, told["code"].as_i64().unwrap(), told["restored"].as_bool().unwrap())
}

/// SIGTERM at the prompt must not leave a terminal that echoes nothing and brackets what is pasted.
#[cfg(unix)]
#[test]
fn a_terminal_is_left_as_it_was() {
    let (shown, code, restored) = in_terminal(80, "SIGTERM", "play --game dungeon");
    assert_eq!((code, restored), (143, true), "{shown:?}");
    let of_paste = |mode: &str| shown.rfind(&format!("\u{1b}[?2004{mode}"));
    assert!(of_paste("h").is_some() && of_paste("l") > of_paste("h"), "{shown:?}");
}

/// A word that takes nothing more is not done when more is said: `hint 3` would value every move, and `quit now` would leave.
#[test]
fn words_stand_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = begin(folder.path(), "play --game dungeon --judge rule --worlds 20");
    child.stdin.take().unwrap().write_all(b"quit now\nhint 3\nundo 2\nmoves\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.matches("(`help` lists what can be said)").count(), 3, "{said}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("   1  "));
}

/// Errors are as wide as the terminal, and coloured where colours are not switched off with all else that an editor sends.
#[cfg(unix)]
#[test]
fn errors_fit_the_terminal() {
    let typed = "a move that is none of those which the rules allow\nquit\n";
    let (shown, code, _) = in_terminal(50, typed, "play --game dungeon");
    assert!(code == 0 && shown.contains("\u{1b}[33merror:"), "{shown:?}");
    let (plain, code, _) = in_terminal(50, typed, "play --game dungeon --plain");
    assert!(code == 0 && !plain.contains('\u{1b}'), "{plain:?}");
    let (_, told) = plain.split_once("error: ").unwrap();
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("(`help` lists what can be said)"), "{plain:?}");
    assert!(told.lines().all(|line| line.chars().count() <= 50), "{plain:?}");
}

/// Two moves that are typed ahead, or pasted at once, are played one after the other: `undo` takes back the second and then the first.
#[cfg(unix)]
#[test]
fn no_line_is_lost() {
    let ahead = "1\\r1\\rundo\\rundo\\rundo\\rquit";
    let pasted = "\\x1b[200~1\\r1\\x1b[201~\nundo\nundo\nundo\nquit";
    for typed in [ahead, pasted] {
        let (shown, code, _) = in_terminal(80, typed, "play --game dungeon");
        assert!(code == 0 && shown.contains("there is nothing to undo"), "{shown:?}");
        assert_eq!(shown.matches("error:").count(), 1, "{shown:?}");
    }
}

/// A byte that no text has leaves the game as it is.
#[cfg(unix)]
#[test]
fn a_wrong_byte_ends_no_game() {
    let (shown, code, _) = in_terminal(80, "\\xff\nquit", "play --game dungeon");
    assert!(code == 0 && shown.contains("that is not UTF-8 text"), "{shown:?}");
    assert!(shown.contains("The game is left."), "{shown:?}");
}

/// An editor would write into the file how the terminal is to show what is typed.
#[cfg(unix)]
#[test]
fn a_file_gets_text_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("told.txt");
    let (_, code, _) = in_terminal_to(file.to_str().unwrap(), 80, "quit", "play --game dungeon");
    let told = fs::read_to_string(&file).unwrap();
    assert!(code == 0 && told.ends_with("The game is left.\n") && !told.contains('\u{1b}'), "{told:?}");
}
