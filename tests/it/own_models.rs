//! Models of one's own: which files are refused, and who tells of them.

use crate::common::{call, error, ok};
use crate::models::{TRAIN, manifest, refused};
use crate::report::{page, sound};
use knave::agents::learn::{Header, Model};
use std::fs;

/// A wrong file is refused by its first line, before all of it is read: it may be larger than the memory.
#[test]
fn wrong_models_are_not_read_to_their_end() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path();
    // A terabyte of nothing.
    fs::File::create(folder.join("huge.model")).unwrap().set_len(1 << 40).unwrap();
    for line in [
        "run --game dungeon -n 1 --out x --agent greedy:evaluator=",
        "list models ",
        "train --game dungeon -n 10 --out x --from ",
    ] {
        refused(folder, &format!("{line}./huge.model"), "the model's first line is no header");
        refused(folder, &format!("{line}/dev/zero"), "it is no plain file");
        refused(folder, &format!("{line}./none.model"), "No such file or directory");
    }
}

/// A model of another version of the game serves nothing, whatever its rules are, and lists say so. Other rules are no reason.
#[test]
fn lists_tell_of_models_that_are_refused() {
    let work = tempfile::tempdir().unwrap();
    let path = work.path().join("own.model");
    ok(work.path(), &format!("{TRAIN} --rule health=19 --out own.model"));
    let listed = ok(work.path(), "list models own.model");
    assert!(listed.contains("\n  serves ") && !listed.contains("refused"), "{listed}");
    let change = |change: fn(&mut Header)| {
        let mut model = Model::from_bytes(&fs::read(&path).unwrap()).unwrap();
        change(&mut model.header);
        // The form without a checksum.
        (model.header.schema, model.header.fnv1a) = (2, None);
        fs::write(work.path().join("other.model"), model.to_bytes()).unwrap();
        ok(work.path(), "list models other.model")
    };
    for (listed, why) in [
        (change(|header| header.features_version = 77), "the model is for features version 77, not "),
        (change(|header| header.rules_version = 77), "the model is for rules version 77, not "),
        (change(|header| header.game = "chess".to_owned()), "unknown game 'chess'"),
    ] {
        assert!(listed.contains(&format!("\n  refused by this version: {why}")), "{listed}");
    }
}

/// Another model under the same name is another player. Models that come with Knave and change with the rules have names of their own.
#[test]
fn players_by_other_models_of_the_same_name_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (seed, run) in [(1, "r1"), (3, "r2"), (1, "r3")] {
        let sizes = "--first 16 --second 8 --batch 10 -n 20 --held-out 1 --quiet";
        ok(folder.path(), &format!("train --game dungeon {sizes} --seed {seed} --out own.model --force"));
        ok(
            folder.path(),
            &format!("run --game dungeon --quiet --agent greedy:evaluator=./own.model -n 4 --out {run}"),
        );
    }
    let sum =
        |run: &str| manifest(folder.path(), run)["facts"]["players"][0][0]["model"]["fnv1a"].to_string();
    let [first, second] = ["r1", "r2"].map(|run| sum(run)[1..9].to_owned());
    let text = page(folder.path(), "r1 r2 r3");
    sound(&text);
    let said = format!(
        "<p><code>greedy:evaluator=./own.model</code> is not the same player in all runs: \
         <code>own.model {first}…</code> in <code>r1</code>, <code>r3</code>, \
         <code>own.model {second}…</code> in <code>r2</code>. "
    );
    assert!(text.contains(&said), "{text}");
    assert!(!page(folder.path(), "r1 r3").contains("not the same player"));
    for players in [4, 5] {
        let rules = format!("--rule players={players} --out d{players}");
        ok(folder.path(), &format!("run --game doubles --quiet --agent flat:rollout_depth=5 -n 1 {rules}"));
    }
    assert!(!page(folder.path(), "d4 d5").contains("not the same player"));
}

/// Judges, opponents, rivals and players of small games say where models meet other cards than those that they have learnt from.
#[test]
fn models_with_other_cards_are_told() {
    let work = tempfile::tempdir().unwrap();
    let train = "train --game dungeon -n 8 --held-out 4 --first 16 --second 8 --out a.model --quiet";
    ok(work.path(), &format!("{train} --cards 2-6D,2H"));
    ok(work.path(), "run --game dungeon --cards 2-6D,2H --agent random -n 1 --quiet --out r --transcripts g");
    let (own, worlds) = ("greedy:evaluator=./a.model", "--worlds 20");
    let small = "--first 16 --second 8 --held-out 1 -n 4 --batch 4 --seed 50 --force --out b.model";
    let short = "note: short deck: a.model learnt from games with another short deck";
    for (line, note) in [
        (format!("analyse g --judge {own} {worlds}"), None),
        (
            format!("analyse --game dungeon --agent random -n 1 --judge {own} {worlds}"),
            Some("note: a.model learnt from games with a short deck"),
        ),
        (format!("hint g --decision 1 --judge {own} {worlds}"), None),
        (
            format!("play --game dungeon --judge {own}"),
            Some("note: a.model learnt from games with a short deck"),
        ),
        (format!("exploit --game dungeon --cards 2-3D,2H --samples 2 --agent {own}"), Some(short)),
        (
            format!("train --game dungeon {small} --rival {own} --rivals 1 --rival-seats all"),
            Some("note: a.model learnt from games with a short deck"),
        ),
        (
            format!(
                "train --game dungeon {small} --rival {own} --rivals 1 --rival-seats all --cards 2-3D,2H"
            ),
            Some(short),
        ),
        (
            format!("train --game doubles {small} --rival net --rivals 1 --cards 2-6C --rule cards=1"),
            Some("note: short deck: doubles-2-policy.model learnt from games with all cards"),
        ),
    ] {
        let output = call(work.path(), &line);
        assert!(output.status.success(), "{line}: {}", error(&output));
        let told = error(&output);
        assert_eq!(
            told.lines().find(|line| line.contains(" learnt from games with")),
            note,
            "{line}: {told}"
        );
    }
}
