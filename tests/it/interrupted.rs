//! Trainings that are interrupted, or fail, and go on.

use crate::common::{call, error, ok};
use knave::agents::{Agent, Configure, Decision, OptionError, Options, Rng, Setup};
use knave::cards::{Card, Suit};
use knave::games::whist::{Move, Whist};
use knave::registry::Registry;
use knave::store::{Existing, FolderError};
use knave::training::{Recipe, Train, TrainError};
use serde::{Deserialize, Serialize};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A player that has its training stopped in the sixth game. Each game has one in every seat.
#[derive(Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Stopping {}

static BEGUN: AtomicU64 = AtomicU64::new(0);
static STOP: AtomicBool = AtomicBool::new(false);

impl Options for Stopping {}

impl Configure<Whist> for Stopping {
    const NAME: &'static str = "stopping";
    const SUMMARY: &'static str = "one that stops";
    type Options = Self;

    fn configure(options: &Self, _: &Setup<'_, Whist>) -> Result<Self, OptionError> {
        Ok(options.clone())
    }
}

impl Agent<Whist> for Stopping {
    fn begin_game(&mut self) {
        let begun = 1 + BEGUN.fetch_add(1, Ordering::Relaxed);
        STOP.store(begun == 4 * 6, Ordering::Relaxed);
    }

    fn choose(&mut self, decision: Decision<'_, Whist>, _: &mut Rng) -> Move {
        let mut moves =
            Suit::ALL.into_iter().flat_map(|suit| (2..=14).map(move |rank| Move(Card::new(suit, rank))));
        moves.find(|&m| decision.is_legal(m)).unwrap()
    }
}

/// A training of whist in twenty batches.
fn recipe(seed: u64) -> Recipe {
    let schedule = "{ games = 80, first = 16, second = 8, batch = 4 }";
    toml::from_str(&format!(
        "game = 'whist'\nheld_out = 1\n[[stages]]\nseed = {seed}\nschedule = {schedule}\n"
    ))
    .unwrap()
}

/// What a training has found at its file stays so until it ends: another to the same file waits, and then finds what was made.
#[test]
fn what_was_found_stays_until_the_end() {
    let work = tempfile::tempdir().unwrap();
    let (registry, out) = (Registry::builtin().build(), work.path().join("m"));
    let begin = |seed, existing| Train::new(&registry, recipe(seed), None, &out, existing);
    let first = begin(1, Existing::Resume).unwrap();
    for existing in [Existing::Keep, Existing::Resume, Existing::Replace] {
        let error = begin(3, existing).err().unwrap();
        assert!(matches!(error, TrainError::Folder(FolderError::Busy { .. })), "{error}");
    }
    assert!(first.run(&AtomicBool::new(false), &mut |_| {}).unwrap());
    assert!(begin(1, Existing::Resume).unwrap().is_made);
    assert!(matches!(begin(3, Existing::Resume).err(), Some(TrainError::Exists { .. })));
}

/// A file that somebody puts where the model is to be written stays, unless it may be replaced, and the training can be finished.
#[test]
fn a_file_that_appears_meanwhile_stays() {
    let work = tempfile::tempdir().unwrap();
    let (registry, out) = (Registry::builtin().build(), work.path().join("m"));
    let begin = |existing| Train::new(&registry, recipe(1), None, &out, existing).unwrap();
    let stop = AtomicBool::new(false);
    let mut appears = |_: &_| fs::write(&out, "own").unwrap();
    let error = begin(Existing::Keep).run(&stop, &mut appears).unwrap_err();
    assert!(matches!(error, TrainError::Appeared { .. }) && !error.is_bad_input(), "{error}");
    assert_eq!(fs::read(&out).unwrap(), b"own");
    fs::remove_file(&out).unwrap();
    assert!(begin(Existing::Resume).run(&stop, &mut |_| panic!("it learns")).unwrap());
    let model = fs::read(&out).unwrap();
    assert!(begin(Existing::Replace).run(&stop, &mut appears).unwrap());
    assert_eq!(fs::read(&out).unwrap(), model);
}

/// A training through a link keeps others from the file to which the link leads, and has its progress beside that.
#[test]
#[cfg(unix)]
fn a_link_is_the_file_to_which_it_leads() {
    let work = tempfile::tempdir().unwrap();
    let [file, link, nowhere] = ["m", "link", "nowhere"].map(|name| work.path().join(name));
    let registry = Registry::builtin().build();
    let begin = |out, existing| Train::new(&registry, recipe(1), None, out, existing);
    fs::write(&file, "").unwrap();
    std::os::unix::fs::symlink("m", &link).unwrap();
    std::os::unix::fs::symlink("none", &nowhere).unwrap();
    let first = begin(&file, Existing::Replace).unwrap();
    let error = begin(&link, Existing::Replace).err().unwrap();
    assert!(matches!(error, TrainError::Folder(FolderError::Busy { .. })), "{error}");
    drop(first);
    assert!(!begin(&link, Existing::Replace).unwrap().run(&AtomicBool::new(true), &mut |_| {}).unwrap());
    assert!(work.path().join("m.progress").exists());
    assert!(begin(&file, Existing::Resume).unwrap().run(&AtomicBool::new(false), &mut |_| {}).unwrap());
    let error = begin(&nowhere, Existing::Keep).err().unwrap();
    assert!(error.is_bad_input() && error.to_string().contains("nowhere"), "{error}");
}

/// A panic of the observer reaches the caller as it is, and the training can go on from there.
#[test]
fn a_panic_of_the_observer_reaches_the_caller() {
    let work = tempfile::tempdir().unwrap();
    let (registry, out) = (Registry::builtin().build(), work.path().join("m"));
    let run = |existing, panics: bool| {
        let train = Train::new(&registry, recipe(1), None, &out, existing).unwrap();
        train.run(&AtomicBool::new(false), &mut |_| assert!(!panics, "the observer's own"))
    };
    let panic = catch_unwind(AssertUnwindSafe(|| run(Existing::Keep, true))).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"the observer's own"));
    assert!(run(Existing::Resume, false).unwrap());
}

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
    let text = "game = 'whist'\nheld_out = 3\n[[stages]]\nseed = 1\nschedule = { games = 1, first = 16, second = 8, batch = 1 }";
    let begin =
        |existing| Train::new(&registry, toml::from_str(text).unwrap(), None, &out, existing).unwrap();
    // All that follows on one game are held-out games.
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

/// A finished model records neither the rules of earlier trainings nor the shares of tables of rules. So nobody says that it is what a recipe
/// makes that has some: it stays, and what was compared is told.
#[test]
fn a_finished_model_is_compared_as_far_as_it_records() {
    let work = tempfile::tempdir().unwrap();
    let stage = |seed: u64, rules: &str| {
        format!(
            "[[stages]]\nseed = {seed}\nschedule = {{ games = 4, first = 16, second = 8 }}\nrules = {rules}\n"
        )
    };
    let tables = |share: u32| format!("[{{ share = {share}, health = 8 }}, {{ health = 9 }}]");
    let compared = "m stays: it records the seeds, schedules and cards of this recipe and the rules of its last stage. Models do not record";
    let (rules, shares) = ("the rules of earlier stages", "the shares of tables of rules");
    for (stages, others, said) in [
        (stage(1, "{}"), stage(1, "{}"), "It was finished before: m\n".to_owned()),
        (
            stage(1, "{ health = 40 }") + &stage(3, "{}"),
            stage(1, "{}") + &stage(3, "{}"),
            format!("{compared} {rules}; --force makes it anew\n"),
        ),
        (stage(1, &tables(1)), stage(1, &tables(9)), format!("{compared} {shares}; --force makes it anew\n")),
        (
            stage(1, "{}") + &stage(3, &tables(1)),
            stage(1, "{}") + &stage(3, &tables(9)),
            format!("{compared} {rules}, nor {shares}; --force makes it anew\n"),
        ),
    ] {
        let recipe = |stages: String| {
            let text = format!("game = 'dungeon'\nheld_out = 1\n{stages}");
            fs::write(work.path().join("r.toml"), text).unwrap();
        };
        recipe(stages);
        ok(work.path(), "train --recipe r.toml --out m --quiet --force");
        let model = fs::read(work.path().join("m")).unwrap();
        recipe(others);
        let output = call(work.path(), "train --recipe r.toml --out m --resume");
        assert_eq!((output.status.code(), error(&output)), (Some(0), said));
        assert_eq!(fs::read(work.path().join("m")).unwrap(), model);
    }
    let train = "train --game dungeon -n 4 --first 16 --second 8 --held-out 1";
    let start = |health: u32| {
        ok(work.path(), &format!("{train} --rule health={health} --out start --force --quiet"));
    };
    // Both models of the start lose the game that is held out, and record the same.
    start(1);
    ok(work.path(), &format!("{train} --seed 3 --from start --out m --force --quiet"));
    start(2);
    let output = call(work.path(), &format!("{train} --seed 3 --from start --out m --resume"));
    let told = format!("{compared} the rules of the model to begin with; --force makes it anew\n");
    assert_eq!((output.status.code(), error(&output)), (Some(0), told));
}

/// After a stage whose weights no model can hold, another rate goes on from the stage before, and no more than this stage may be another.
#[test]
fn a_stage_that_diverges_can_have_another_rate() {
    let work = tempfile::tempdir().unwrap();
    let recipe = |held_out: u32, health: u32, rate: f64| {
        let text = format!(
            "game = 'dungeon'\nheld_out = {held_out}\n\
             [[stages]]\nseed = 1\nrules = {{ health = {health} }}\nschedule = {{ games = 8, first = 16, second = 8 }}\n\
             [[stages]]\nseed = 3\nschedule = {{ games = 8, first = 16, second = 8 }}\n\
             [[stages]]\nseed = 5\nschedule = {{ games = 400, batch = 1, first = 16, second = 8, rate = {rate} }}\n"
        );
        fs::write(work.path().join("r.toml"), text).unwrap();
    };
    let train = |more: &str| call(work.path(), &format!("train --recipe r.toml --quiet {more}"));
    recipe(5, 40, 0.001);
    assert!(train("--out whole").status.success());
    recipe(5, 40, 1.0);
    assert_eq!(train("--out m").status.code(), Some(1));
    for (held_out, health) in [(5, 20), (6, 40)] {
        recipe(held_out, health, 0.001);
        let output = train("--out m --resume");
        let told = "m.progress belongs to a training with other arguments: give those";
        assert!(output.status.code() == Some(2) && error(&output).contains(told), "{}", error(&output));
    }
    recipe(5, 40, 0.001);
    let output = train("--out m --resume");
    assert!(output.status.success(), "{}", error(&output));
    let read = |name: &str| fs::read(work.path().join(name)).unwrap();
    assert_eq!(read("m"), read("whole"));
}

/// A training ends after the game in which it is asked to, however many games a batch has, and goes on from the learning step before.
#[test]
fn trainings_are_stopped_in_the_middle_of_a_batch() {
    let registry = Registry::builtin().agent_of::<Whist, Stopping>().build();
    for method in ["td", "policy_gradient"] {
        let work = tempfile::tempdir().unwrap();
        let out = work.path().join("m");
        let text = format!(
            "game = 'whist'\nheld_out = 1\n[[stages]]\nseed = 1\n\
             schedule = {{ games = 80, method = '{method}', first = 16, second = 8, batch = 4, rival = 'stopping', rivals = 1.0 }}\n"
        );
        let train = |existing, stop: &AtomicBool| {
            let mut last = 0;
            let train = Train::new(&registry, toml::from_str(&text).unwrap(), None, &out, existing).unwrap();
            let done = train.run(stop, &mut |report| last = report.games).unwrap();
            (done, last)
        };
        BEGUN.store(0, Ordering::Relaxed);
        assert_eq!(train(Existing::Keep, &STOP), (false, 4));
        assert_eq!(BEGUN.load(Ordering::Relaxed), 4 * 6, "{method}");
        assert_eq!(train(Existing::Resume, &AtomicBool::new(false)), (true, 80));
        let model = fs::read(&out).unwrap();
        // The fifth and the sixth game were played again.
        assert_eq!(BEGUN.load(Ordering::Relaxed), 4 * (6 + 76), "{method}");
        assert_eq!(train(Existing::Replace, &AtomicBool::new(false)), (true, 80));
        assert_eq!(fs::read(&out).unwrap(), model, "{method}");
    }
}
