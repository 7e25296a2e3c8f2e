//! Games that a program gave up, from outside: who has lost, and who has won.

use crate::bots::{done, faults, odd};
use crate::common::{error, ok, sim};
use std::fs;

/// Who gives a game up has lost it, and the others have won.
#[test]
fn a_forfeited_game_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let agent = odd("illegal", "on_fault=forfeit");
    let line = "run --game columns -n 10 --quiet --games --out games --transcripts games.jsonl";
    done(folder, line, &[&agent, "random"]);
    let text = fs::read_to_string(folder.join("games/games.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let column = |row: &csv::StringRecord, name: &str| {
        let names = text.lines().next().unwrap().split(',');
        row[names.into_iter().position(|other| other == name).unwrap()].to_owned()
    };
    for row in rows.records().map(Result::unwrap) {
        assert_eq!(column(&row, "won"), column(&row, "seat"), "{row:?}");
    }
    // Nor do its dice lead to games won.
    let text = fs::read_to_string(folder.join("games/placements.csv")).unwrap();
    let mut placed = [0; 2];
    for row in csv::Reader::from_reader(text.as_bytes()).records().map(Result::unwrap) {
        let seat = usize::from(&row[1] == "random");
        if let Ok(win_rate) = row[11].parse::<f64>() {
            placed[seat] += 1;
            assert_eq!(win_rate, seat as f64, "{row:?}");
        }
    }
    assert!(placed.iter().all(|&rows| rows > 5), "{placed:?} rows test little");
    for line in fs::read_to_string(folder.join("games.jsonl")).unwrap().lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&game["forfeited"], &game["winners"]), (&[0].into(), &[1].into()));
    }
    let replay = sim(folder, "replay games.jsonl").output().unwrap();
    assert_eq!(replay.status.code(), Some(0), "{}", error(&replay));
}

/// A program that sits in several seats loses a game once, though each of them gives it up: on any number of threads, and in parts.
#[test]
fn a_game_is_lost_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let agent = odd("illegal", "on_fault=forfeit");
    let line = "run --game whist -n 20 --threads";
    let output = done(folder, &format!("{line} 1 --out one"), &[&agent]);
    let told = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("illegal, 80 times, 20 games lost by it"), "{told}");
    done(folder, &format!("{line} 2 --quiet --out two"), &[&agent]);
    for part in [1, 2] {
        done(folder, &format!("{line} 1 --quiet --out part{part} --shard {part}/2"), &[&agent]);
    }
    ok(folder, "merge part1 part2 --out merged --quiet");
    for out in ["one", "two", "merged"] {
        assert_eq!(faults(&folder.join(out)), [("illegal".to_owned(), 80, 20)], "{out}");
    }
    // A study tells it, too, unless it is to be quiet.
    let study = |kind: &str, agents: &str, n: u32| {
        format!("[[cells]]\ncommand = '{kind}'\ngame = 'whist'\nagents = [{agents}]\nn = {n}\n")
    };
    let quoted = format!("\"{agent}\"");
    let cells = study("run", &quoted, 20) + &study("compare", &format!("{quoted}, 'random'"), 5);
    fs::write(folder.join("s.toml"), format!("summary = 's'\nseed = 1\n{cells}")).unwrap();
    for (rest, told) in [("", true), (" --again --quiet", false)] {
        let output = sim(folder, &format!("experiment s.toml --out s{rest}")).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", error(&output));
        let said = error(&output);
        for counts in ["illegal, 80 times, 20 games lost by it", "illegal, 140 times, 70 games lost by it"] {
            let is_told = said.lines().any(|line| line.starts_with("Faults: ") && line.ends_with(counts));
            assert_eq!(is_told, told, "{said}");
        }
    }
    // In a comparison it sits in one to three seats of each of 14 line-ups.
    done(folder, "compare --game whist -n 5 --quiet --out both", &[&agent, "random"]);
    assert_eq!(faults(&folder.join("both")), [("illegal".to_owned(), 140, 70)]);
}

/// Of several others the best have won, by seat or by team, and not all of them because the best of all gave up.
#[test]
fn the_best_of_the_others_win() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let agent = odd("seldom", "on_fault=forfeit");
    let (mut led, mut alone) = (0, 0);
    for (rules, teams) in [("", [0, 1, 2, 3]), (" --rule teams=[0,1,0,1]", [0, 1, 0, 1])] {
        let line = format!(
            "run --game doubles --rule players=4 --rule cards=2{rules} -n 100 --quiet --out d --force --transcripts d.jsonl"
        );
        done(folder, &line, &[&agent, "random", "random", "random"]);
        for line in fs::read_to_string(folder.join("d.jsonl")).unwrap().lines() {
            let game: serde_json::Value = serde_json::from_str(line).unwrap();
            let seats = |field: &str| -> Vec<usize> {
                serde_json::from_value(game[field].clone()).unwrap_or_default()
            };
            let scores: Vec<f64> = serde_json::from_value(game["scores"].clone()).unwrap();
            let side = |seat: usize| -> f64 {
                (0..4).filter(|&other| teams[other] == teams[seat]).map(|other| scores[other]).sum()
            };
            let lost = seats("forfeited");
            let left: Vec<usize> = (0..4).filter(|seat| !lost.contains(seat)).collect();
            let most = left.iter().map(|&seat| side(seat)).fold(f64::MIN, f64::max);
            let best: Vec<usize> = left.iter().copied().filter(|&seat| side(seat) == most).collect();
            assert_eq!(seats("winners"), best, "{line}");
            led += usize::from(!lost.is_empty() && side(0) > most);
            alone += usize::from(!lost.is_empty() && best.len() < left.len());
        }
    }
    assert!(led > 5 && alone > 5, "{led} and {alone} games test little");
}
