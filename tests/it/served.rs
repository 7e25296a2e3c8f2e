//! Which rules a model of one's own serves, and what is said of those that it does not.

use crate::common::ok;
use crate::models::refused;
use std::fs;
use std::path::Path;

/// Trains a model of a game, with these arguments, for no longer than it must.
fn train(folder: &Path, game: &str, more: &str) {
    let train = "--first 16 --second 8 --batch 2 -n 2 --held-out 1 --quiet --force --out own.model";
    ok(folder, &format!("train --game {game}{more} {train}"));
}

/// Several options that make no difference may differ at once, also one that is a list itself, and in any of several tables.
#[test]
fn all_rules_that_make_no_difference_are_served() {
    let work = tempfile::tempdir().unwrap();
    for (game, trained, served) in [
        ("doubles", " --rule players=4", " --rule players=4 --rule teams=0,1,2,3"),
        ("doubles", " --rule players=4", " --rule players=4 --rule teams=a,b,c,d --rule max_rolls=600"),
        ("doubles", " --rule players=3 --rule teams=2,1,0", " --rule players=3 --rule max_rolls=400"),
        (
            "doubles",
            " --rule players=3..4 --rule max_rolls=300..500",
            " --rule players=4 --rule max_rolls=9000",
        ),
        ("dungeon", " --rule unfaced=pile --rule health=8,20", " --rule health=8"),
        ("columns", " --rule max_rounds=30..45", " --rule max_rounds=70"),
    ] {
        train(work.path(), game, trained);
        let run = "-n 1 --quiet --out r --force --agent greedy:evaluator=own.model";
        ok(work.path(), &format!("run --game {game}{served} {run}"));
    }
}

/// What is told of rules that a model does not serve is wrong indeed: with that option as the model has it, and the others as they were,
/// it serves them, or tells of a further one.
#[test]
fn the_option_that_is_wrong_is_named() {
    let work = tempfile::tempdir().unwrap();
    for (game, trained, played, reason) in [
        (
            "dungeon",
            " --rule unfaced=pile",
            " --rule weapon_limit=below",
            "weapon_limit=below, but for at_most",
        ),
        (
            "doubles",
            " --rule players=4",
            " --rule players=3 --rule max_rolls=400 --rule teams=0,1,2",
            "players=3, but for 4",
        ),
        (
            "doubles",
            " --rule players=4",
            " --rule players=4 --rule teams=0,1,0,1",
            "teams=[0,1,0,1], but for []",
        ),
        ("verslun", " --rule target=50", " --rule hand=7", "hand=7, but for 5"),
        // Records leave out an objective that is the default.
        ("dungeon", " --rule objective=score", "", "objective=win, but for score"),
        ("dungeon", "", " --rule objective=score", "objective=score, but for win"),
    ] {
        train(work.path(), game, trained);
        let run = "-n 1 --out x --agent greedy:evaluator=own.model";
        refused(
            work.path(),
            &format!("run --game {game}{played} {run}"),
            &format!("not trained for {reason}"),
        );
    }
}

/// A model in a file whose name is none of a model's is found by a path, and a name with a comma in a list; who gives the bare name is
/// told so.
#[test]
fn files_of_models_are_found() {
    let work = tempfile::tempdir().unwrap();
    train(work.path(), "dungeon", "");
    for name in ["noext", "a,b.model"] {
        fs::copy(work.path().join("own.model"), work.path().join(name)).unwrap();
    }
    let run = "run --game dungeon -n 1 --quiet --out r --force --agent greedy:evaluator=";
    refused(work.path(), &format!("{run}noext"), "a path that ends in .model or has a slash, as in ./noext");
    ok(work.path(), &format!("{run}./noext"));
    ok(work.path(), &format!("{run}[\"a,b.model\"]"));
}

/// Several values of an option are those that a recipe lists: the same model to the byte.
#[test]
fn lists_of_rules_are_those_of_a_recipe() {
    let work = tempfile::tempdir().unwrap();
    train(work.path(), "whist", " --rule count=ko,hilo --seed 1");
    let recipe = "game = 'whist'\nheld_out = 1\n[[stages]]\nseed = 1\nrules = { count = ['ko', 'hilo'] }\n\
                  schedule = { games = 2, first = 16, second = 8, batch = 2 }\n";
    fs::write(work.path().join("r.toml"), recipe).unwrap();
    ok(work.path(), "train --recipe r.toml --quiet --out other.model");
    let read = |name: &str| fs::read(work.path().join(name)).unwrap();
    assert_eq!(read("own.model"), read("other.model"));
    refused(work.path(), "train --game whist --rule count=ko,,hilo --out m", "nothing between two commas");
    refused(work.path(), "train --game whist --rule count=ko,hila --out m", "did you mean 'hilo'?");
}
