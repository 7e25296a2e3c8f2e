//! Trainings that are interrupted, or fail, and go on.

use crate::common::{call, error, ok};
use knave::registry::Registry;
use knave::store::Existing;
use knave::training::Train;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

/// A training draws its rules as it did when it was begun: by the same weights.
#[test]
fn weights_of_rules_make_another_training() {
    let work = tempfile::tempdir().unwrap();
    let (registry, out) = (Registry::builtin().build(), work.path().join("m"));
    let begin = |share: u32, existing| {
        let text = format!(
            "game = 'whist'\nheld_out = 1\n[[stages]]\nseed = 1\nschedule = {{ games = 12, first = 16, second = 8, batch = 4 }}\n\
             [[stages.rules]]\nshare = {share}\nace = 0\n[[stages.rules]]\nace = 1\n"
        );
        Train::new(&registry, toml::from_str(&text).unwrap(), None, &out, existing).unwrap()
    };
    let stop = AtomicBool::new(false);
    let done = begin(1, Existing::Keep).run(&stop, &mut |_| stop.store(true, Ordering::Relaxed));
    assert!(!done.unwrap());
    stop.store(false, Ordering::Relaxed);
    let error = begin(9, Existing::Resume).run(&stop, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("with other arguments"), "{error}");
    assert!(begin(1, Existing::Resume).run(&stop, &mut |_| {}).unwrap());
}

/// A training can be asked to end while it plays the games that are held out, and goes on to the same model.
#[test]
fn held_out_games_are_no_obstacle_to_an_interrupt() {
    let work = tempfile::tempdir().unwrap();
    let (registry, out) = (Registry::builtin().build(), work.path().join("m"));
    let text = "game = 'whist'\nheld_out = 3\n[[stages]]\nseed = 1\nschedule = { games = 4, first = 16, second = 8, batch = 4 }";
    let begin =
        |existing| Train::new(&registry, toml::from_str(text).unwrap(), None, &out, existing).unwrap();
    // Of one batch all that follows are held-out games.
    assert!(!begin(Existing::Keep).run(&AtomicBool::new(true), &mut |_| panic!("it told")).unwrap());
    assert!(begin(Existing::Resume).run(&AtomicBool::new(false), &mut |_| {}).unwrap());
    let model = fs::read(&out).unwrap();
    assert!(begin(Existing::Replace).run(&AtomicBool::new(false), &mut |_| {}).unwrap());
    assert_eq!(fs::read(&out).unwrap(), model);
}

/// Weights that no model can hold leave nothing behind: there is nothing to go on with.
#[test]
fn a_training_that_diverges_leaves_nothing() {
    let work = tempfile::tempdir().unwrap();
    let train =
        "train --game dungeon -n 400 --batch 1 --held-out 5 --first 16 --second 8 --quiet --out u.model";
    let failed = call(work.path(), &format!("{train} --rate 1"));
    assert_eq!(failed.status.code(), Some(1), "{}", error(&failed));
    assert_eq!(fs::read_dir(work.path()).unwrap().count(), 0);
    ok(work.path(), &format!("{train} --rate 0.001"));
}

/// A training that tells of every batch ends after a batch, too, when it is asked to.
#[test]
fn trainings_of_few_batches_are_stopped() {
    let work = tempfile::tempdir().unwrap();
    let text = "game = 'whist'\nheld_out = 1\n[[stages]]\nseed = 1\nschedule = { games = 12, first = 16, second = 8, batch = 4 }";
    let (registry, out) = (Registry::builtin().build(), work.path().join("m"));
    let begin =
        |existing| Train::new(&registry, toml::from_str(text).unwrap(), None, &out, existing).unwrap();
    let (stop, mut told) = (AtomicBool::new(false), 0);
    let done = begin(Existing::Keep).run(&stop, &mut |_| {
        told += 1;
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!((done.unwrap(), told, out.exists()), (false, 1, false));
    assert!(begin(Existing::Resume).run(&AtomicBool::new(false), &mut |_| told += 1).unwrap());
    assert_eq!((told, out.exists()), (3, true));
}
