//! Trainings that go wrong: rivals that break rules or change, recipes with mistakes, and sessions that meet.

use crate::common::{call, error, ok};
use crate::models::refused;
use knave::agents::learn::{Header, Model};
use knave::agents::net::Groups;
use knave::agents::{Agent, Configure, Decision, OptionError, Options, Rng, Setup};
use knave::cards::{Card, Suit};
use knave::games::whist::{Move, Whist};
use knave::registry::Registry;
use knave::store::{Existing, FolderError};
use knave::training::{Recipe, Train, TrainError};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// A player with a mistake.
#[derive(Clone, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Odd {
    /// Whether it panics, and does not only play what it does not hold
    panics: bool,
}

impl Options for Odd {}

impl Configure<Whist> for Odd {
    const NAME: &'static str = "odd";
    const SUMMARY: &'static str = "one with a mistake";
    type Options = Self;

    fn configure(options: &Self, _: &Setup<'_, Whist>) -> Result<Self, OptionError> {
        Ok(options.clone())
    }
}

impl Agent<Whist> for Odd {
    fn choose(&mut self, decision: Decision<'_, Whist>, _: &mut Rng) -> Move {
        assert!(!self.panics, "out of ideas");
        let all =
            Suit::ALL.into_iter().flat_map(|suit| (2..=14).map(move |rank| Move(Card::new(suit, rank))));
        all.into_iter().find(|&m| !decision.is_legal(m)).unwrap()
    }
}

fn registry() -> Registry {
    Registry::builtin().agent_of::<Whist, Odd>().build()
}

/// A recipe of whist with a rival, in one stage.
fn against(rival: &str) -> Recipe {
    let schedule =
        format!("{{ games = 80, first = 16, second = 8, batch = 2, rival = '{rival}', rivals = 1.0 }}");
    let text = format!("game = 'whist'\nheld_out = 2\n[[stages]]\nseed = 1\nschedule = {schedule}\n");
    toml::from_str(&text).unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

/// What a rival does wrong ends the training with its words, and leaves nothing behind that looks like an interrupted one.
#[test]
fn mistakes_of_rivals_end_a_training() {
    let work = tempfile::tempdir().unwrap();
    let registry = registry();
    for (rival, said) in [
        ("odd", " chose the illegal move play "),
        ("odd:panics=true", "after 0 games the training failed: out of ideas"),
    ] {
        let train =
            Train::new(&registry, against(rival), None, &work.path().join("m"), Existing::Keep).unwrap();
        let error = train.run(&AtomicBool::new(false), &mut |_| {}).unwrap_err();
        assert!(matches!(error, TrainError::Panic { .. }) && !error.is_bad_input(), "{error}");
        assert!(error.to_string().contains(said) && error.to_string().contains("0 games"), "{error}");
        assert_eq!(files(work.path()), [""; 0]);
    }
}

/// A training does not go on with another rival than it was begun with: the file of its model is known by what stands in it. One
/// that changes while a session runs changes nothing there.
#[test]
fn the_model_of_a_rival_stays_the_same() {
    let work = tempfile::tempdir().unwrap();
    let train = "train --game whist --first 16 --second 8 --batch 2 -n 4 --held-out 1 --quiet --out";
    ok(work.path(), &format!("{train} one.model"));
    ok(work.path(), &format!("{train} other.model --seed 1"));
    let [one, other, rival, out] =
        ["one.model", "other.model", "rival.model", "m"].map(|name| work.path().join(name));
    let registry = registry();
    let recipe = || against(&format!("greedy:evaluator={}", rival.display()));
    let begin = |existing: Existing| Train::new(&registry, recipe(), None, &out, existing).unwrap();
    fs::copy(&one, &rival).unwrap();
    let stop = AtomicBool::new(false);
    assert!(begin(Existing::Keep).run(&stop, &mut |_| {}).unwrap());
    let whole = fs::read(&out).unwrap();
    let interrupted = || {
        fs::copy(&one, &rival).unwrap();
        let done = begin(Existing::Replace).run(&stop, &mut |_| stop.store(true, Ordering::Relaxed));
        stop.store(false, Ordering::Relaxed);
        assert!(!done.unwrap());
    };
    interrupted();
    fs::copy(&other, &rival).unwrap();
    let error = begin(Existing::Resume).run(&stop, &mut |_| {}).unwrap_err();
    let said = "with other models or preset files of its rivals: put those back";
    assert!(error.is_bad_input() && error.to_string().contains(said), "{error}");
    fs::copy(&one, &rival).unwrap();
    assert!(begin(Existing::Resume).run(&stop, &mut |_| {}).unwrap());
    assert_eq!(fs::read(&out).unwrap(), whole);
    // A finished one is not taken for it either.
    fs::copy(&other, &rival).unwrap();
    let error = Train::new(&registry, recipe(), None, &out, Existing::Resume).err().unwrap();
    assert!(matches!(error, TrainError::Exists { .. }), "{error}");
    interrupted();
    let change = &mut |_: &_| drop(fs::copy(&other, &rival));
    assert!(begin(Existing::Resume).run(&stop, change).unwrap());
    assert_eq!(fs::read(&out).unwrap(), whole);
}

/// A training whose rival plays otherwise is another one: by a model beside the one before, or by what a preset file says.
#[test]
fn trainings_know_by_what_their_rivals_play() {
    let work = tempfile::tempdir().unwrap();
    let train = "train --game whist -n 8 --first 16 --second 8 --held-out 2 --batch 4 --quiet";
    let policy = |seed: u64| {
        ok(work.path(), &format!("{train} --method policy_gradient --out p.model --force --seed {seed}"));
    };
    ok(work.path(), &format!("{train} --out a.model"));
    policy(3);
    let rival = "--from a.model --seed 5 --rivals 1 --rival flat:worlds=2,rollout=rule,rollout_depth=1,leaf=before,policy=p.model";
    ok(work.path(), &format!("{train} {rival} --out m"));
    let models = Model::from_bytes(&fs::read(work.path().join("m")).unwrap()).unwrap().header.training;
    assert_eq!(models["rival_models"].as_array().map(Vec::len), Some(1), "{models}");
    ok(work.path(), &format!("{train} {rival} --out m --resume"));
    policy(7);
    refused(work.path(), &format!("{train} {rival} --out m --resume"), "m exists");

    // A policy of the game may be learnt, too.
    let doubles = train.replace("whist", "doubles");
    let models = [("p", "net"), ("q", "rule:policy=net")].map(|(out, rival)| {
        ok(work.path(), &format!("{doubles} --rival {rival} --rivals 0.5 --out {out}"));
        Model::from_bytes(&fs::read(work.path().join(out)).unwrap()).unwrap().header.training
    });
    let models = models.each_ref().map(|training| training["rival_models"].as_array());
    assert!(models[0].is_some_and(|models| models.len() == 1) && models[0] == models[1], "{models:?}");

    let said = "rival=net is refused: it is not made for these rules; expected one of rule, or an agent";
    refused(work.path(), &format!("{doubles} --rule players=2,3 --rival net --rivals 0.5 --out r"), said);

    // The same where a preset file names the model.
    let text =
        "summary = 'own'\nagent = 'flat'\n[games.whist]\nworlds = 2\nrollout_depth = 1\npolicy = 'p.model'\n";
    fs::write(work.path().join("by.toml"), text).unwrap();
    let rival = "--from a.model --seed 5 --rivals 1 --rival by.toml:leaf=before";
    ok(work.path(), &format!("{train} {rival} --out k"));
    ok(work.path(), &format!("{train} {rival} --out k --resume"));
    policy(11);
    refused(work.path(), &format!("{train} {rival} --out k --resume"), "k exists");

    let preset = |worlds: u32| {
        let text = format!("summary = 'own'\nagent = 'flat'\n[games.whist]\nworlds = {worlds}\n");
        fs::write(work.path().join("own.toml"), text).unwrap();
    };
    preset(2);
    ok(work.path(), &format!("{train} --rivals 1 --rival own.toml --out n"));
    ok(work.path(), &format!("{train} --rivals 1 --rival own.toml --out n --resume"));
    preset(3);
    refused(work.path(), &format!("{train} --rivals 1 --rival own.toml --out n --resume"), "n exists");
}

/// Two sessions that meet are told from one that was interrupted, and a model of an earlier stage that is gone is named.
#[test]
fn what_stands_in_the_way_is_named() {
    let work = tempfile::tempdir().unwrap();
    let registry = registry();
    let stage = |seed: u64| {
        format!("[[stages]]\nseed = {seed}\nschedule = {{ games = 80, first = 16, second = 8, batch = 2 }}\n")
    };
    let text = format!("game = 'whist'\nheld_out = 2\n{}{}", stage(1), stage(3));
    let out = work.path().join("m");
    let begin = |existing| Train::new(&registry, toml::from_str(&text).unwrap(), None, &out, existing);
    let (stop, mut met) = (AtomicBool::new(false), false);
    let done = begin(Existing::Keep).unwrap().run(&stop, &mut |report| {
        let error = begin(Existing::Keep).err().unwrap();
        met |= matches!(error, TrainError::Folder(FolderError::Busy { .. }));
        // There are twenty reports in a stage.
        stop.store(report.stage == 2, Ordering::Relaxed);
    });
    assert!(!done.unwrap() && met);
    assert!(matches!(begin(Existing::Keep).err(), Some(TrainError::Unfinished { .. })));
    fs::rename(work.path().join("m.stage1"), work.path().join("away")).unwrap();
    let go_on = || begin(Existing::Resume).unwrap().run(&AtomicBool::new(false), &mut |_| {});
    let error = go_on().unwrap_err();
    assert!(error.is_bad_input() && error.to_string().contains("m.stage1 is missing, from which"), "{error}");
    fs::rename(work.path().join("away"), work.path().join("m.stage1")).unwrap();
    assert!(go_on().unwrap());
}

/// A rival of a later stage may play by the model of the stage before. Whether it can is known by what that stage learns, and told before
/// the first game.
#[test]
fn rivals_of_later_stages_are_looked_at_first() {
    let work = tempfile::tempdir().unwrap();
    for (game, method, rival, said) in [
        (
            "whist",
            "td",
            "flat:worlds=2,leaf=before",
            "leaf=before is refused: rollouts to the end use no evaluator",
        ),
        (
            "whist",
            "policy_gradient",
            "greedy:evaluator=before",
            "evaluator=before is refused: the model is of a policy",
        ),
        (
            "dungeon",
            "td",
            "flat:leaf=before",
            "set rollout=none (flat has rollout_depth, too), or leave leaf=none",
        ),
    ] {
        let stage = |seed: u64, more: &str| {
            format!(
                "[[stages]]\nseed = {seed}\nschedule = {{ games = 8, first = 16, second = 8, method = '{method}'{more} }}\n"
            )
        };
        let second = stage(3, &format!(", rival = '{rival}', rivals = 1.0, rival_seats = 'all'"));
        let recipe = format!("game = '{game}'\nheld_out = 2\n{}{second}", stage(1, ""));
        fs::write(work.path().join("r.toml"), recipe).unwrap();
        refused(work.path(), "train --recipe r.toml --out m", said);
        assert_eq!(files(work.path()), ["r.toml"]);
    }
}

/// The example of the page for a rival that plays by the model before is one in every game with a seat for it.
#[test]
fn the_rival_of_the_page_plays() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/training.md")).unwrap();
    let (_, example) = page.split_once("`--from my.model --rival ").unwrap();
    let (rival, _) = example.split_once('`').unwrap();
    let work = tempfile::tempdir().unwrap();
    for game in ["dungeon", "verslun", "columns", "doubles", "whist"] {
        let train = format!("train --game {game} -n 4 --first 16 --second 8 --held-out 1 --quiet --force");
        ok(work.path(), &format!("{train} --out my.model"));
        ok(work.path(), &format!("{train} --from my.model --seed 3 --rival {rival} --out m"));
    }
}

/// A model that does not fit is told before the rival that would play by it, with what differs.
#[test]
fn a_model_to_begin_with_is_looked_at_first() {
    let work = tempfile::tempdir().unwrap();
    let train = "train -n 8 --first 16 --second 8 --held-out 1 --quiet --game";
    ok(work.path(), &format!("{train} columns --out a.model"));
    let rival = "--rival flat:leaf=before,worlds=1 --rivals 1 --rival-seats all";
    let said = "a.model is a model of columns; expected one of dungeon";
    refused(work.path(), &format!("{train} dungeon --from a.model --out m {rival}"), said);
    let changed = |change: &dyn Fn(&mut Header)| {
        let mut model = Model::from_bytes(&fs::read(work.path().join("a.model")).unwrap()).unwrap();
        // Files of the second form have no checksum.
        (model.header.schema, model.header.fnv1a) = (2, None);
        change(&mut model.header);
        fs::write(work.path().join("b.model"), model.to_bytes()).unwrap();
    };
    let line = format!("{train} columns --from b.model --seed 3 --out m {rival}");
    changed(&|header| header.rules_version += 1);
    refused(work.path(), &line, "second=8, rules version ");
    changed(&|header| header.shape.groups = Groups::default());
    refused(work.path(), &line, "second=8, groups [0, ");
    // As it was it fits, and `flat` can play by it there.
    changed(&|_| {});
    ok(work.path(), &line);
}

/// A pipe is no place for a model, which is written as a whole; it is refused before anything is learnt.
#[test]
#[cfg(unix)]
fn a_model_goes_to_a_plain_file() {
    let work = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(work.path().join("pipe")).status();
    assert!(made.unwrap().success());
    let train = "train --game dungeon -n 4 --first 16 --second 8 --held-out 1 --quiet --out";
    refused(work.path(), &format!("{train} pipe --force"), "cannot write pipe: it is no plain file");
    // A link stays, and the file to which it leads is written.
    ok(work.path(), &format!("{train} a.model"));
    std::os::unix::fs::symlink("a.model", work.path().join("link.model")).unwrap();
    ok(work.path(), &format!("{train} link.model --force --seed 3"));
}

/// A model that no file could hold is refused before its first game: each training is nested in the header of the next.
#[test]
fn trainings_in_a_row_are_as_many_as_headers_can_hold() {
    let work = tempfile::tempdir().unwrap();
    let train = "train --game dungeon -n 4 --first 16 --second 8 --held-out 1 --quiet";
    ok(work.path(), &format!("{train} --out one.model"));
    let model = Model::from_bytes(&fs::read(work.path().join("one.model")).unwrap()).unwrap();
    let write = |name: &str, trainings: usize, mean: bool| {
        let mut header = Header { schema: 2, fnv1a: None, ..model.header.clone() };
        for seed in 1..trainings {
            let mut next = model.header.training.clone();
            next["seed"] = (10 * seed).into();
            next["from"] = header.training;
            header.training = next;
        }
        if mean {
            header.training = serde_json::json!({ "mean_of": [header.training] });
        }
        fs::write(work.path().join(name), Model::new(header, &model.net(), 0.0).unwrap().to_bytes()).unwrap();
    };
    let go_on = |name: &str| format!("{train} --seed 5 --out next.model --force --from {name}");
    let said = |trainings: usize| {
        format!(
            "{trainings} trainings that go on from each other are refused: expected at most 100, where a mean"
        )
    };
    write("some.model", 99, false);
    ok(work.path(), &go_on("some.model"));
    refused(work.path(), &go_on("next.model"), &said(101));
    write("mean.model", 97, true);
    ok(work.path(), &go_on("mean.model"));
    // A recipe may end with the mean of such nets.
    write("long.model", 100, true);
    ok(work.path(), "list models long.model");
    refused(work.path(), &go_on("long.model"), &said(103));
    let stages = |count: u64| -> String {
        let stage =
            |i| format!("[[stages]]\nseed = {}\nschedule = {{ games = 4, first = 16, second = 8 }}\n", 2 * i);
        (0..count).map(stage).collect()
    };
    fs::write(work.path().join("r.toml"), format!("game = 'dungeon'\n{}", stages(101))).unwrap();
    refused(work.path(), "train --recipe r.toml --out m", &format!("r.toml: stage 101: {}", said(101)));
}

/// What `sim run` notes of an agent, `sim train` notes of a rival: once before all stages, and nowhere else.
#[test]
fn rivals_have_notes() {
    let work = tempfile::tempdir().unwrap();
    let rival = "mcts:iterations=5";
    let stage = |seed: u64| {
        format!(
            "[[stages]]\nseed = {seed}\nrules = {{ health = 45 }}\n\
             schedule = {{ games = 4, first = 16, second = 8, rival = '{rival}', rivals = 1.0, rival_seats = 'all' }}\n"
        )
    };
    let recipe = format!("game = 'dungeon'\nheld_out = 1\n{}{}", stage(1), stage(3));
    fs::write(work.path().join("r.toml"), recipe).unwrap();
    let note = "note: no trained model for these rules: hand-written values (rule)\n";
    let run = call(work.path(), &format!("run --game dungeon --rule health=45 --agent {rival} -n 1"));
    assert_eq!(error(&run).matches(note).count(), 1, "{}", error(&run));
    let train = |more: &str| error(&call(work.path(), &format!("train --recipe r.toml --out m{more}")));
    let told = train("");
    assert!(told.starts_with(note) && told.matches("note: ").count() == 1, "{told}");
    assert_eq!(train(" --force --quiet"), "");
    assert!(train(" --resume").starts_with("m stays: "));
}

/// A mistake in a recipe is told with the file, the stage, the field and what would be right.
#[test]
fn mistakes_in_recipes_have_a_place() {
    let work = tempfile::tempdir().unwrap();
    let stage = |more: &str| {
        format!("[[stages]]\nseed = 1\nschedule = {{ games = 8, first = 16, second = 8 }}\n{more}\n")
    };
    for (stages, said) in [
        (
            stage("") + &stage("rules = [{ share = 1 }, { share = -1 }]"),
            "r.toml: stage 2: rules, table 2: share=-1 is refused: expected a number above 0",
        ),
        (
            stage("") + "[[stages]]\nseed = 3\nschedule = { games = 40, batch = 7 }\n",
            "r.toml: stage 2: training: games=40 is refused: expected a multiple of batch=7",
        ),
        (
            stage("") + "[[stages]]\nseed = 3\nschedule = { gamess = 40 }\n",
            "r.toml: stage 2: training has no option 'gamess', did you mean 'games'?",
        ),
        (
            stage("") + "[[stages]]\nseed = 3\nschedule = { lambda = nan }\n",
            "r.toml: stage 2: training: lambda=nan is refused: expected a number from 0 to 1",
        ),
        (
            stage("") + "[[stages]]\nseed = 3\nschedule = { rate = -inf }\n",
            "r.toml: stage 2: training: rate=-inf is refused: expected a number from ",
        ),
        (
            stage("").replace("games = 8", "games = 2000000000000000000000"),
            "training: games=2000000000000000000000 is refused: expected a whole number from 1 to 18446744073709551615",
        ),
        (
            stage("rules = { health = nan }"),
            "rules of dungeon: health=nan is refused: expected a whole number from 1 to 99",
        ),
        ("stages = []".to_owned(), "r.toml: stages: there are none; expected one [[stages]] at least"),
        (
            stage("").replace("seed = 1", "seed = -5"),
            "line 4: invalid value: integer '-5', expected a whole number from 0 to 18446744073709551615",
        ),
        (
            stage("").replace("seed = 1", "seed = 0.5"),
            "expected a whole number from 0 to 18446744073709551615",
        ),
    ] {
        fs::write(work.path().join("r.toml"), format!("game = 'dungeon'\nheld_out = 2\n{stages}")).unwrap();
        let output = call(work.path(), "train --recipe r.toml --out m");
        let told = error(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("r.toml: ") && told.contains(said), "{told}");
    }
    assert_eq!(files(work.path()), ["r.toml"]);
}

/// Standard output is no place for a model: a file of that name would surprise everybody.
#[test]
fn a_model_goes_to_a_file() {
    let work = tempfile::tempdir().unwrap();
    let output = call(work.path(), "train --game dungeon -n 8 --out -");
    assert_eq!(output.status.code(), Some(2));
    assert!(error(&output).contains("--out - is refused: ") && error(&output).contains("expected a file"));
    assert!(files(work.path()).is_empty());
}

/// A training that goes on from a model has its sizes, unless others are given, and `sim list models` shows the sizes of a file.
#[test]
fn sizes_are_those_of_the_model() {
    let work = tempfile::tempdir().unwrap();
    let train = "train --game whist -n 8 --held-out 1 --quiet";
    ok(work.path(), &format!("{train} --first 16 --second 8 --out a.model"));
    let listed = ok(work.path(), "list models a.model");
    assert!(listed.starts_with("whist  a.model  ") && listed.contains(" x 16 x 8 units, fnv1a "), "{listed}");
    let document = ok(work.path(), "list models a.model --json");
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let model = &document[0]["models"][0];
    assert_eq!((&model["name"], &model["method"]), (&"a.model".into(), &"td".into()), "{model}");
    assert_eq!(
        (&model["first"], &model["second"], &model["games"]),
        (&16.into(), &8.into(), &[8].into()),
        "{model}"
    );
    let held_out = &model["held_out"][0];
    assert!(held_out["games"] == 1 && held_out["mean_utility"].is_number(), "{model}");
    ok(work.path(), &format!("{train} --from a.model --out b.model --seed 3"));
    ok(work.path(), &format!("{train} --from a.model --out c.model --seed 3 --first 16 --second 8"));
    let read = |name: &str| fs::read(work.path().join(name)).unwrap();
    assert_eq!(read("b.model"), read("c.model"));
    for (line, said) in [
        (
            format!("{train} --from a.model --out d.model --seed 3 --first 32"),
            "expected one of whist, features",
        ),
        ("list agents a.model".to_owned(), "a file goes with models alone"),
        ("list models none.model".to_owned(), "cannot read none.model"),
    ] {
        let output = call(work.path(), &line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(error(&output).contains(said), "{line}: {}", error(&output));
    }
}

/// A mean of wide nets may have more units than a training can have, whatever is asked for.
#[test]
fn models_may_be_too_wide_to_begin_with() {
    let work = tempfile::tempdir().unwrap();
    let stage = |seed: u64, afresh: bool| {
        format!(
            "[[stages]]\nseed = {seed}\nafresh = {afresh}\nschedule = {{ games = 4, first = 16, second = 256 }}\n"
        )
    };
    let recipe = format!("game = 'whist'\nheld_out = 1\n{}{}", stage(1, false), stage(3, true));
    fs::write(work.path().join("r.toml"), recipe).unwrap();
    ok(work.path(), "train --recipe r.toml --out w.model --quiet");
    for more in ["", " --second 128"] {
        let line = format!("train --game whist -n 4 --seed 5 --from w.model --out m{more}");
        let said = "w.model has 512 units in its second layer, and trainings at most 256";
        refused(work.path(), &line, said);
    }
}

/// A training deals the short deck that it is given, its model tells of it, and players say where it meets other cards.
#[test]
fn a_model_tells_of_its_short_deck() {
    let work = tempfile::tempdir().unwrap();
    // Without monsters every game is won.
    let train = "train --game dungeon -n 8 --held-out 4 --first 16 --second 8 --out a.model";
    let output = call(work.path(), &format!("{train} --cards 2-6D,2H"));
    assert!(
        error(&output).contains("mean utility 1.0000 in training, 1.0000 held out"),
        "{}",
        error(&output)
    );
    let cards = ["2D", "3D", "4D", "5D", "6D", "2H"];
    let listed = ok(work.path(), "list models a.model");
    assert!(listed.contains(&format!("  learnt with a short deck: {}\n", cards.join(" "))), "{listed}");
    let document: serde_json::Value =
        serde_json::from_str(&ok(work.path(), "list models a.model --json")).unwrap();
    assert_eq!(document[0]["models"][0]["cards"], serde_json::json!(cards));
    for (played, note) in [
        (" --cards 2H,2-6D", None),
        ("", Some("note: a.model learnt from games with a short deck")),
        (" --cards 2-6C", Some("note: short deck: a.model learnt from games with another short deck")),
    ] {
        let run = "run --game dungeon --agent greedy:evaluator=./a.model -n 2";
        let output = call(work.path(), &format!("{run}{played}"));
        assert!(output.status.success(), "{}", error(&output));
        let told = error(&output);
        assert_eq!(told.lines().find(|line| line.contains("a.model learnt")), note, "{played}: {told}");
    }
    for (more, code, said) in [
        (" --cards 2-6D,2H --resume", 0, "It was finished before: a.model"),
        (" --resume", 2, "a.model exists already"),
        (" --cards 2-6D,3H --resume", 2, "a.model exists already"),
        (" --cards 2C,2C --force", 2, "cards: 2C comes twice"),
        (" --recipe r.toml --cards 2C", 2, "cannot be used with"),
    ] {
        let output = call(work.path(), &format!("{train}{more}"));
        assert_eq!(output.status.code(), Some(code), "{more}: {}", error(&output));
        assert!(error(&output).contains(said), "{more}: {}", error(&output));
    }
}

/// All cards of the game are no short deck, however they are named.
#[test]
fn all_cards_are_no_short_deck() {
    let work = tempfile::tempdir().unwrap();
    let train = "train --game dungeon -n 8 --held-out 1 --first 16 --second 8 --quiet";
    ok(work.path(), &format!("{train} --out a.model"));
    ok(work.path(), &format!("{train} --out b.model --cards 2-ACS,2-TDH"));
    let read = |name: &str| fs::read(work.path().join(name)).unwrap();
    assert_eq!(read("a.model"), read("b.model"));
}

/// The recipe that docs/training.md shows is one, and leads to a training.
#[test]
fn the_recipe_of_the_page_is_accepted() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/training.md")).unwrap();
    let blocks = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let whole: Vec<&str> = blocks.filter(|block| block.starts_with("game = ")).collect();
    assert_eq!(whole.len(), 1);
    let recipe: Recipe = toml::from_str(whole[0]).unwrap();
    let registry = registry();
    let train = Train::new(&registry, recipe, None, Path::new("never.model"), Existing::Keep);
    assert!(train.is_ok(), "{:?}", train.err());
}

/// The decay stays where it is told to be: with `--lambda 1` alone a net learns from the ends of games. Models tell both numbers.
#[test]
fn lambda_stays_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let train = "train --game dungeon --seed 1 -n 4 --held-out 1 --first 16 --second 8 -q --out";
    for (options, ends) in
        [("", r#""lambda":0.7,"lambda_end":0.7"#), (" --lambda 1", r#""lambda":1.0,"lambda_end":1.0"#)]
    {
        ok(folder.path(), &format!("{train} m.model --force{options}"));
        let model = String::from_utf8_lossy(&fs::read(folder.path().join("m.model")).unwrap()).into_owned();
        assert!(model.contains(ends), "{options}: {}", model.lines().next().unwrap_or_default());
    }
}
