//! What pages say first: no more than their tables show.

use crate::bots::{done, odd};
use crate::common::ok;
use crate::report::{findings, page};
use std::fs;

/// Runs that differ in their seed alone are no finding.
#[test]
fn runs_that_do_not_differ_are_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for seed in [1, 2] {
        ok(at, &format!("run --game dungeon --quiet --agent rule -n 60 --seed {seed} --out s{seed}"));
    }
    let text = page(at, "s1 s2");
    let told = findings(&text);
    let all = "<li><code>rule</code> wins between 78 % (66 to 87) and 88 % (78 to 94), whose intervals overlap.</li>";
    assert!(told.contains(all) && !told.contains("s1") && !told.contains("seed"), "{told}");
}

/// Runs of their own are told apart by what they were asked for, before their folders are: players with the same seeds are compared.
#[test]
fn runs_of_the_same_seed_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (agent, seed) in [("rule", 4), ("rule", 5), ("random", 4), ("random", 5)] {
        let line = format!("--agent {agent} --seed {seed} --out {agent}{seed}");
        ok(at, &format!("run --game dungeon --quiet -n 60 {line}"));
    }
    let text = page(at, "rule4 rule5 random4 random5");
    let told = findings(&text);
    for seed in [4, 5] {
        let than = format!(" percentage points more than <code>random</code> (seed {seed}).</li>");
        assert!(told.contains(&than), "{told}");
    }
    // A folder is no place at a table.
    ok(at, "run --game dungeon --quiet -n 60 --agent rule --seed 4 --out same");
    let text = page(at, "rule4 same random4");
    let told = findings(&text);
    assert!(told.contains(" in the run random4.</li>") && !told.contains(" at "), "{told}");
}

/// Results name the rules and the cards in which runs of the game differ, also where all rows of their own table share these; what all
/// runs share stands under the title alone.
#[test]
fn rules_of_other_tables_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for line in [
        "run --agent random -n 20 --out a",
        "compare --agent random --agent rule -n 20 --out same",
        "compare --agent random --agent rule -n 20 --rule health=40 --out b",
        "bound --agent rule -n 3 --cards 2-4CD --out c",
    ] {
        ok(at, &format!("{line} --game dungeon --rule weapon_limit=below --quiet"));
    }
    let text = page(at, "a same");
    let told = findings(&text);
    assert!(
        told.contains("<li><code>random</code> wins ") && told.contains("<li><code>rule</code> wins "),
        "{told}"
    );
    let text = page(at, "a b c");
    let told = findings(&text);
    for part in [
        "<li><code>random</code> (all cards, health=20) wins ",
        "<li>all cards, health=40: <code>rule</code> wins ",
        " (cards=2-4CD, health=20): the bound is ",
    ] {
        assert!(told.contains(part), "{told}");
    }
    assert!(text.contains("<p>Rules of dungeon in all runs: <code>weapon_limit=below</code>.</p>"), "{text}");
}

/// Values that read alike are no range, whatever their intervals.
#[test]
fn values_that_read_alike_are_no_range() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, "run --game columns --quiet --agent random -n 20 --out c");
    let rows = ["0,0.5,0.490,0.509", "1,0.5,0.491,0.510"].map(|row| format!("columns,random,{row},20\n"));
    let table = format!("game,agent,seat,win_rate,win_low,win_high,games\n{}", rows.concat());
    fs::write(at.join("c/summary.csv"), table).unwrap();
    let text = page(at, "c");
    let told = "<code>random</code> wins 50.0 % throughout, by intervals that overlap.";
    assert!(findings(&text).contains(told), "{}", findings(&text));
}

/// What no fair player exceeds is the upper end of a bound, and a few deals have none.
#[test]
fn bounds_are_no_more_certain_than_their_deals() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, asked, told) in [
        (
            "one",
            "-n 1 --seed 1 --agent fast",
            "<li>There are too few deals to tell a limit of fair play: the bound is 169.4; <code>fast</code> scores 198; ",
        ),
        (
            "three",
            "-n 3 --seed 19 --agent fast",
            "<li>No fair player scores more than 280 on average, by an interval of 95 %: the bound is 173 (0 to 280); <code>fast</code> scores ",
        ),
    ] {
        ok(at, &format!("bound --game verslun {asked} --out {name} --quiet"));
        let text = page(at, name);
        assert!(text.contains(told), "{}", findings(&text));
    }
    // Both places of the same end have it rounded up.
    let head = "game,quantity,measure,agent,deals,mean,low,high,sd\n";
    let rows = ["fair,fast,20,0.9,0.69,0.99,0.3", "bound,,20,0.96953125,0.804342448,0.984764962,0.03"];
    let rows = rows.map(|row| format!("dungeon,wins,{row}\n")).concat();
    ok(at, "bound --game dungeon -n 1 --agent fast --cards 2-4CD --out won --quiet");
    fs::write(at.join("won/bound.csv"), format!("{head}{rows}")).unwrap();
    let text = page(at, "won");
    let told = "<li>No fair player wins more than 99 % on average, by an interval of 95 %: the bound is 97 % (80 to 99); ";
    assert!(text.contains(told), "{}", findings(&text));
}

/// A difference in score is told where wins show none, and what a sequential test has decided stands beside its difference.
#[test]
fn comparisons_are_told_in_every_measure() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let compare = "compare --agent greedy --agent rule --quiet --game";
    let teams = "--rule players=7 --rule teams=a,a,a,a,a,a,b";
    ok(at, &format!("{compare} doubles -n 30 {teams} --out teams"));
    ok(at, &format!("{compare} whist -n 60 --sprt 40,80 --measure score --out accepted"));
    ok(at, &format!("{compare} whist -n 2 --sprt=-40,80 --out open"));
    ok(at, "compare --game columns --agent rule --agent random -n 200 --sprt 0,20 --out worse --quiet");
    for (first, second) in [("rule", "random"), ("random", "rule")] {
        let two = format!("--agent {first} --agent {second} --out {second}");
        ok(at, &format!("compare --game columns -n 200 --sprt=-20,0 --quiet {two}"));
    }
    for (name, parts) in [
        (
            "random",
            &[
                " accepts \u{2212}20 Elo rather than 0: <code>random</code> is worse than <code>rule</code>.</li>",
            ][..],
        ),
        (
            "rule",
            &[
                " accepts 0 Elo rather than \u{2212}20: <code>rule</code> is not 20 Elo worse than <code>random</code>.</li>",
            ],
        ),
        (
            "teams",
            &[
                "<code>greedy</code> and <code>rule</code>: no difference in wins is shown on the same deals, 0 percentage points (",
                "), but <code>rule</code> scores 427 points (",
                ") more than <code>greedy</code>.</li>",
            ],
        ),
        (
            "accepted",
            &[
                "no difference in wins is shown on the same deals, ",
                ". The sequential test in score accepts 80 Elo rather than 40: <code>rule</code> is more than 40 Elo better \
                 than <code>greedy</code>.</li>",
            ],
        ),
        (
            "worse",
            &[
                ". The sequential test in wins accepts 0 Elo rather than 20: <code>random</code> is not 20 Elo better than \
                 <code>rule</code>.</li>",
            ],
        ),
        (
            "open",
            &[
                ". The sequential test in wins has not decided between \u{2212}40 and 80 Elo of <code>rule</code> over \
                 <code>greedy</code>.</li>",
            ],
        ),
    ] {
        let text = page(at, name);
        let told = findings(&text);
        assert!(parts.iter().all(|part| told.contains(part)), "{told}");
    }
}

/// A share of the decided deals is not told as one of all, nor the interval as one of the decided.
#[test]
fn undecided_deals_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let shown = ok(at, "solve --game dungeon -n 30 --budget 20 --out win");
    assert!(
        shown.contains("  yes                    2  100 % of the decided (2 to 100 of all)\n"),
        "{shown}"
    );
    ok(at, "solve --game dungeon -n 40 --objective health --budget 3000 --out health --quiet");
    let text = page(at, "win");
    let all = "<li>100 % of the decided deals can be won with every card known, and 2 to 100 % of all; 28 of 30 are undecided.</li>";
    assert!(text.contains(all), "{}", findings(&text));
    let text = page(at, "health");
    let told = findings(&text);
    assert!(
        told.contains(" of the decided deals come to at most ")
            && told.contains(" % of all; ")
            && told.contains(" of 40 are undecided."),
        "{told}"
    );
    ok(at, "solve --game dungeon -n 30 --budget 40 --rule health=18..20 --out swept --quiet");
    let text = page(at, "swept");
    let told = findings(&text);
    assert!(told.contains("<li>Shares are of the decided deals, intervals of all.</li>"), "{told}");
}

/// What others hold is luck, too, where nothing is told of it: only in a game for one it is noise.
#[test]
fn hidden_luck_is_no_noise() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let [hidden, noise] = ["from hidden cards and the noise of other worlds", "is the noise of other worlds"];
    for (game, told, other) in [("whist", hidden, noise), ("dungeon", noise, hidden)] {
        let line = format!(
            "analyse --game {game} --agent greedy -n 1 --judge rule --worlds 20 --out {game} --quiet"
        );
        ok(at, &line);
        let text = page(at, game);
        assert!(text.contains(told) && !text.contains(other) && !text.contains("hen : luck"), "{game}");
    }
}

/// Moves that stood out in the first half of the worlds and are worth no more in the second are not called better.
#[test]
fn no_better_move_is_worse() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    ok(at, "analyse --game dungeon --agent random -n 3 --judge rule --worlds 20 --out a --quiet");
    let text = page(at, "a");
    assert!(text.contains("in the second half it is worth"), "the case is gone");
    let tables = text.split(", decision by decision\"><table>").skip(1);
    let bodies = tables.map(|table| table.split("</tbody>").next().unwrap());
    let rows = bodies.flat_map(|body| body.split("<tr>").skip(2));
    let loss = |row: &'_ str| row.split("</td>").nth(5).unwrap().rsplit('>').next().unwrap().to_owned();
    let losses: Vec<String> = rows.map(loss).collect();
    assert!(
        losses.len() > 10 && losses.iter().all(|loss| !loss.starts_with(['-', '\u{2212}'])),
        "{losses:?}"
    );
}

/// A judge is told apart from the player that it judges: its name stood bare behind that one.
#[test]
fn judges_are_called_judges() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for judge in ["random", "greedy"] {
        let line = format!("--agent random -n 2 --judge {judge} --worlds 20 --moves 2 --out {judge}");
        ok(at, &format!("analyse --game dungeon --quiet {line}"));
    }
    let text = page(at, "random greedy");
    let told = findings(&text);
    for judge in ["random", "greedy"] {
        assert!(told.contains(&format!("<code>random</code> (judge {judge})")), "{told}");
        assert!(text.contains(&format!(">Where random (judge {judge}) loses, % of a win a game<")), "{text}");
    }
}

/// Where there are teams, a page says that partners share a win.
#[test]
fn shared_wins_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = "run --game doubles --agent random -n 4 --quiet --rule players=4";
    ok(at, &format!("{run} --out alone"));
    ok(at, &format!("{run} --rule teams=a,b,a,b --out teams"));
    let told = "where two partners win every game, each of them has 50 %.</p>";
    assert!(page(at, "teams").contains(told) && !page(at, "alone").contains(told));
}

/// Results of a program that were made by its faults are not told without them: a page said how much more the other won, and no more.
#[test]
fn faults_are_told_before_findings() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let agent = odd("illegal", "on_fault=forfeit");
    done(at, "compare --game whist -n 5 --quiet --out both", &[&agent, "random"]);
    done(at, "run --game dungeon -n 3 --quiet --out run", &[&odd("illegal", "on_fault=random")]);
    let head = |folders: &str| page(at, folders).split_once("<h2>Findings</h2>").unwrap().0.to_owned();
    let told =
        format!("Faults of <code>{agent}</code>: <code>illegal</code>, 140 times, 70 games lost by it.</p>");
    assert!(head("both").contains(&format!("<p>{told}")), "{}", head("both"));
    assert!(head("both run").contains(&format!("<p>whist: {told}")), "{}", head("both run"));
    assert!(head("run").contains(" times.</p>"), "{}", head("run"));
    // A study may join other tables alone.
    let study = format!(
        "summary = 's'\ntables = ['summary.csv']\nseed = 1\n[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = [\"{}\"]\nn = 3\n",
        odd("illegal", "on_fault=random")
    );
    fs::write(at.join("s.toml"), study).unwrap();
    ok(at, "experiment s.toml --out s --quiet");
    assert!(!at.join("s/faults.csv").exists() && head("s").contains("<p>Faults of <code>"), "{}", head("s"));
    // Rows of a table are texts.
    let rows = ["2,unrepeatable,1,0", "2,late,1,1"].map(|row| format!("dungeon,a`b,{row}\n"));
    let table = format!("game,agent,seat,kind,faults,forfeits\n{}", rows.concat());
    fs::write(at.join("run/faults.csv"), table).unwrap();
    let head = head("run");
    for told in [
        "does not give the same answers again: neither will the commands on this page.",
        "<code>late</code>, 1 time, 1 game lost by it.",
    ] {
        assert!(head.contains("<code>a'b</code> in seat 2") && head.contains(told), "{head}");
    }
}
