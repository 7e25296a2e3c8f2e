//! Models from outside: which rules they serve, files of one's own, and what manifests say of them.

use crate::common::{call, error, ok};
use knave::agents::learn::Model;
use knave::agents::options;
use knave::agents::training::Schedule;
use knave::registry::Registry;
use knave::store::Existing;
use knave::training::{Recipe, Train, TrainError};
use serde_json::{Value, json};
use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

pub const TRAIN: &str =
    "train --game dungeon --first 16 --second 8 --batch 10 --games 20 --held-out 5 --quiet";

pub fn manifest(folder: &Path, run: &str) -> Value {
    serde_json::from_slice(&fs::read(folder.join(run).join("manifest.json")).unwrap()).unwrap()
}

/// The line is bad input, and says why.
pub fn refused(folder: &Path, line: &str, reason: &str) {
    let output = call(folder, line);
    let said = error(&output);
    assert_eq!(output.status.code(), Some(2), "{line}: {said}");
    assert!(said.contains(reason), "{line}: {said}");
}

/// A model that somebody trained plays at once, under the rules that it was trained for and under no others. The manifest names the
/// file and its hash, and a run by another model is another run.
#[test]
fn models_of_ones_own_play() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path();
    ok(folder, &format!("{TRAIN} --rule health=18..22 --rule weapon_limit=below --out own.model"));
    let run = "run --game dungeon -n 3 --quiet --rule weapon_limit=below --agent";
    ok(folder, &format!("{run} greedy:evaluator=own.model,steps=turns --rule health=19 --out r"));
    let found = manifest(folder, "r");
    assert_eq!(found["request"]["agents"][0]["options"]["evaluator"], "own.model");
    let used = &found["facts"]["players"][0][0];
    assert_eq!((&used["kind"], &used["name"]), (&"evaluator".into(), &"own.model".into()));
    let hash = used["model"]["fnv1a"].as_str().unwrap();
    assert_eq!((used["model"]["name"].as_str(), hash.len()), (Some("own.model"), 16));
    assert!(ok(folder, "show r").contains(&format!("\nModel: own.model, fnv1a {hash}\n")));
    // The same with another agent's option, and by a longer path.
    let own = folder.join("own.model");
    ok(folder, &format!("{run} mcts:leaf={} --rule health=22 --out m", own.display()));
    for (line, reason) in [
        (format!("{run} greedy:evaluator=own.model --rule health=23 --out x"), "health=23, but for 18..22"),
        (
            "run --game dungeon -n 3 --agent greedy:evaluator=own.model --out x".to_owned(),
            "weapon_limit=at_most, but for below",
        ),
        (
            "run --game whist -n 3 --agent greedy:evaluator=own.model --out x".to_owned(),
            "the model is for game dungeon, not whist",
        ),
        (format!("{run} greedy:evaluator=none.model --out x"), "cannot read it"),
        (format!("{run} rule:policy=own.model --rule health=23 --out x"), "health=23, but for 18..22"),
        (format!("{run} greedy:evaluator=r/manifest.json --out x"), "no header"),
    ] {
        refused(folder, &line, reason);
        assert!(!folder.join("x").exists(), "{line}");
    }
    ok(
        folder,
        &format!("{TRAIN} --rule health=18..22 --rule weapon_limit=below --out own.model --force --seed 1"),
    );
    let again = format!("{run} greedy:evaluator=own.model,steps=turns --rule health=19 --out r");
    refused(folder, &again, "another run");
}

/// What the game chose in place of an empty name stands in the manifest; where no trained model serves the rules, that is said
/// once, however many agents it concerns.
#[test]
fn what_was_really_used_is_named() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path();
    ok(folder, "run --game dungeon -n 3 --quiet --agent mcts --rule health=13 --out trained");
    let found = manifest(folder, "trained");
    assert_eq!(found["request"]["agents"][0]["options"]["leaf"], "net");
    assert_eq!(found["facts"]["players"][0][0]["model"]["name"], "dungeon.model");
    assert!(!ok(folder, "show trained").contains("Model: "));
    let line = "compare --game dungeon -n 2 --quiet --agent mcts --agent fast --rule health=50 --out outside";
    let output = call(folder, line);
    let said = String::from_utf8_lossy(&output.stderr);
    let note = "note: no trained model for these rules: hand-written values (rule)";
    assert_eq!(said.matches(note).count(), 1, "{said}");
    let found = manifest(folder, "outside");
    assert_eq!(found["request"]["agents"][0]["options"]["leaf"], "rule");
    assert_eq!(found["facts"]["players"][1][0]["name"], "rule");
    // Short games of columns have a model of their own.
    for (rounds, name) in [(8, "columns-short.model"), (9, "columns.model")] {
        let rule = format!("--rule max_rounds={rounds} --out rounds --force");
        ok(folder, &format!("run --game columns -n 1 --quiet --agent fast {rule}"));
        assert_eq!(manifest(folder, "rounds")["facts"]["players"][0][0]["model"]["name"], name);
    }
    // In doubles the agents with a trained model have it for three players and more alone; others never have one.
    let line = "run --game doubles -n 1 --quiet --out rolls --rule max_rolls=5 --agent";
    for (agent, notes) in [
        ("flat --rule players=3", 1),
        ("flat:leaf=rule --rule players=3", 0),
        ("greedy --rule players=3", 0),
        ("flat", 0),
    ] {
        let said = error(&call(folder, &format!("{line} {agent} --force")));
        assert_eq!(said.matches(note).count(), notes, "{agent}: {said}");
    }
}

/// The games tell which models come with them, and which rules these serve.
#[test]
fn models_are_listed_with_their_rules() {
    let work = tempfile::tempdir().unwrap();
    for game in ["dungeon", "verslun", "columns", "whist", "doubles"] {
        let listed = ok(work.path(), &format!("list models --game {game}"));
        assert!(listed.contains(&format!("{game}  {game}")) && listed.contains(".model  "), "{listed}");
        assert!(listed.contains("\n  serves ") && listed.contains("fnv1a"), "{listed}");
        assert!(listed.contains("\n  and rules that make no difference to it\n"), "{listed}");
    }
    let dungeon = ok(work.path(), "list models --game dungeon");
    assert!(
        dungeon.contains("\n  learnt from 31000000 games") && !dungeon.contains("the mean of"),
        "{dungeon}"
    );
    assert!(
        dungeon.contains("health=5..40") && dungeon.contains("weapon_limit=[\"at_most\",\"below\"]"),
        "{dungeon}"
    );
}

/// A model serves the rules that it was trained for, and others where the difference makes none to it: what the target is, how a death
/// counts for who wants to win, and how high a limit is that games hardly ever reach.
#[test]
fn rules_that_make_no_difference_are_served() {
    let work = tempfile::tempdir().unwrap();
    for (game, agent, trained, served, refusal) in [
        ("verslun", "rule:policy=own.model", "target=50", ["target=50", "target=90"], "hand=7"),
        ("verslun", "rule:policy=own.model", "target=50..90", ["target=60", "target=100"], "columns=6"),
        (
            "dungeon",
            "greedy:steps=turns,evaluator=own.model",
            "unfaced=pile",
            ["unfaced=pile", "unfaced=pile_and_room"],
            "health=19",
        ),
        (
            "columns",
            "greedy:steps=turns,evaluator=own.model",
            "max_rounds=60",
            ["max_rounds=60", "max_rounds=100"],
            "max_rounds=49",
        ),
        (
            "doubles",
            "flat:leaf=own.model",
            "max_rolls=500",
            ["max_rolls=600", "max_rolls=10000"],
            "max_rolls=300",
        ),
        (
            "columns",
            "greedy:steps=turns,evaluator=own.model",
            "max_rounds=30",
            ["max_rounds=30", "max_rounds=30"],
            "max_rounds=100",
        ),
    ] {
        let train = "--first 16 --second 8 --batch 2 --games 2 --held-out 1 --quiet --force --out own.model";
        ok(work.path(), &format!("train --game {game} --rule {trained} {train}"));
        let seats = if game == "columns" || game == "doubles" { 2 } else { 1 };
        let agents = format!(" --agent {agent}").repeat(seats);
        for rules in served {
            ok(
                work.path(),
                &format!("run --game {game}{agents} --rule {rules} -n 1 --quiet --out r --force"),
            );
        }
        let told = format!("not trained for {refusal}, but for ");
        refused(work.path(), &format!("run --game {game}{agents} --rule {refusal} -n 1 --out x"), &told);
    }
}

/// A sweep says for which of its values no model was trained.
#[test]
fn a_sweep_says_where_no_model_serves() {
    let work = tempfile::tempdir().unwrap();
    let run = "run --game dungeon --agent fast -n 2 --quiet --out s --force --rule health";
    for (values, told) in [
        ("40..42", "hand-written values (rule) (in health-41, health-42)\n"),
        ("41,42", "hand-written values (rule)\n"),
        ("50..60", "hand-written values (rule)\n"),
    ] {
        let said = error(&call(work.path(), &format!("{run}={values}")));
        assert!(said.contains(told), "{values}: {said}");
    }
}

/// `flat` with a high `min_z` keeps to the policy, in a game where that chooses single moves and `flat` whole turns: it wins about as
/// often. When it took the first turn that began with the policy's move, it won half as often.
#[test]
fn a_high_min_z_keeps_to_the_policy() {
    let work = tempfile::tempdir().unwrap();
    let compare =
        "compare --game dungeon --agent rule:solver_nodes=0 --agent flat:min_z=100,worlds=8,solver_nodes=0";
    let told = ok(work.path(), &format!("{compare} -n 60 --seed 3 --json"));
    let told: Value = serde_json::from_str(&told).unwrap();
    let wins = &told["tables"]["comparison"][0];
    let [policy, flat] = ["mean_a", "mean_b"].map(|mean| wins[mean].as_f64().unwrap());
    assert!(flat > 0.8 * policy, "{flat} for {policy}");
}

/// A value of the evaluator that weighs no visit still tells which candidates are the best: of one alone it is the first choice. When
/// nothing told them apart, the first in the list was played, for 22 points instead of 150.
#[test]
fn priors_without_weight_choose_the_candidates() {
    let work = tempfile::tempdir().unwrap();
    let played = |visits: &str| {
        let agent = format!("mcts:root=halving,candidates=1,iterations=8,prior_visits={visits}");
        let told = ok(work.path(), &format!("run --game verslun --agent {agent} -n 20 --seed 6 --json"));
        let told: Value = serde_json::from_str(&told).unwrap();
        told["tables"]["summary"][0]["score_mean"].as_f64().unwrap()
    };
    let (without, with_next_to_none) = (played("0"), played("0.000001"));
    assert!(without == with_next_to_none && without > 100.0, "{without}, {with_next_to_none}");
}

/// What a training would pass over in silence is refused.
#[test]
fn arguments_without_effect_are_refused() {
    let work = tempfile::tempdir().unwrap();
    fs::write(work.path().join("r.toml"), "game = 'whist'\n[[stages]]\nseed = 1\n").unwrap();
    for (line, reason) in [
        ("train --recipe r.toml -n 40 --lambda 0.1 --out m", "--recipe goes without -n, --lambda"),
        ("train --game whist --rival rule --out m", "rival=rule is refused: it takes no game with rivals=0"),
        ("train --game whist --rivals 0.5 --out m", "rivals=0.5 is refused: it needs a rival"),
        ("train --game dungeon --rival rule --rivals 0.5 --out m", "there is no other seat for a rival"),
        (
            "train --game whist --rival rule --rivals 1 --rival-meets fast --out m",
            "rival_meets=fast is refused: it needs rival_seats=all",
        ),
        (
            "train --game dungeon --rival rule --rivals 1 --rival-seats all --rival-meets fast --out m",
            "rival_meets=fast is refused: dungeon is for one, so there is no other seat for a rival; leave it out",
        ),
        (
            "train --game whist --rival rule --rivals 1 --rival-seats all --rival-meets mist --out m",
            "rival_meets mist is no policy for whist under these rules",
        ),
        ("train --game whist --held-out 0 --out m", "--held-out"),
    ] {
        refused(work.path(), line, reason);
        assert_eq!(fs::read_dir(work.path()).unwrap().count(), 1, "{line}");
    }
    ok(
        work.path(),
        "train --game whist --first 16 --second 8 --batch 10 -n 1e1 --held-out 1e1 --quiet --out m",
    );
}

/// Rules that no game of a training can have are refused before it begins.
#[test]
fn impossible_rules_of_a_training_are_refused() {
    let work = tempfile::tempdir().unwrap();
    for (rule, reason) in [
        ("health=0..5", "health=0 is refused: expected a whole number from 1 to 99"),
        ("health=9..5", "health=9..5 is refused: expected the smaller number first"),
        ("helth=5..9", "did you mean 'health'?"),
    ] {
        refused(work.path(), &format!("{TRAIN} --rule {rule} --out m"), reason);
    }
    for (rules, reason) in [
        ("[]", "expected at least one table"),
        ("[{ share = 0 }]", "share=0 is refused: expected a number above 0"),
        ("[{ share = nan }]", "share=nan is refused: expected a number above 0"),
        ("[{}, { share = 1e308 }, { share = 1e308 }]", "table 3: share=1e+308 is refused: the sum of all is"),
        ("{ health = [] }", "health=[] is refused: the list is empty"),
    ] {
        let recipe = format!("game = 'dungeon'\n[[stages]]\nseed = 1\nrules = {rules}\n");
        fs::write(work.path().join("r.toml"), recipe).unwrap();
        refused(work.path(), "train --recipe r.toml --out m", reason);
    }
}

/// Every model has its recipe beside it, and the recipe says what the header of the model says and is accepted. So what makes a model
/// again is never lost.
#[test]
fn every_model_has_its_recipe() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/games/src");
    let folders = fs::read_dir(games).unwrap().map(|game| game.unwrap().path().join("models"));
    let files =
        folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().map(|file| file.unwrap().path());
    let registry = Registry::builtin().build();
    let work = tempfile::tempdir().unwrap();
    let mut models = 0;
    for path in files.filter(|path| path.extension().is_some_and(|ending| ending == "model")) {
        let model = Model::from_bytes(&fs::read(&path).unwrap()).unwrap();
        let recipe = fs::read_to_string(path.with_extension("recipe.toml")).unwrap();
        let recipe: Recipe = toml::from_str(&recipe).unwrap();
        assert_eq!(recipe.game, model.header.game);
        let last = recipe.stages.last().unwrap();
        let schedule: Schedule = options::read("training", &last.schedule).unwrap();
        let trainable = registry
            .game(&recipe.game)
            .unwrap()
            .training((&last.rules, last.cards.as_ref()), &schedule.alone(), 0, None)
            .unwrap();
        assert_eq!(trainable.rules, model.header.rules, "{}", path.display());
        assert_eq!(trainable.training.features_version(), model.header.features_version);
        let mut nets = match model.header.training["mean_of"].as_array() {
            Some(nets) => nets.iter().rev().collect(),
            None => vec![&model.header.training],
        }
        .into_iter();
        let mut training = nets.next().unwrap();
        for (i, stage) in recipe.stages.iter().enumerate().rev() {
            let mut schedule = json!(Schedule::default());
            for (field, value) in &stage.schedule {
                schedule[field] = value.clone();
            }
            assert_eq!(training["schedule"], schedule, "{}", path.display());
            assert_eq!(training["seed"], stage.seed, "{}", path.display());
            assert_eq!(training["held_out"]["games"], recipe.held_out, "{}", path.display());
            training = if stage.afresh && i > 0 {
                assert_eq!(training["from"], Value::Null, "{}: a stage is missing", path.display());
                nets.next().unwrap()
            } else {
                &training["from"]
            };
        }
        assert_eq!(*training, Value::Null, "{}: a stage is missing", path.display());
        assert_eq!(nets.next(), None, "{}: a net is missing", path.display());
        let train = Train::new(&registry, recipe, None, &work.path().join("m"), Existing::Keep);
        assert!(train.is_ok(), "{}: {:?}", path.display(), train.err());
        models += 1;
    }
    assert!(models >= 4, "{models} models");
}

/// A recipe of several nets makes the mean of those that each part of it makes alone.
#[test]
fn a_recipe_of_several_nets_makes_their_mean() {
    let work = tempfile::tempdir().unwrap();
    let stage = |seed: u64, more: &str| {
        format!("[[stages]]\n{more}seed = {seed}\nschedule = {{ games = 8, first = 16, second = 8 }}\n")
    };
    let head = "game = 'dungeon'\nheld_out = 2\n";
    let make = |name: &str, stages: &str| {
        fs::write(work.path().join("r.toml"), format!("{head}{stages}")).unwrap();
        ok(work.path(), &format!("train --recipe r.toml --out {name} --quiet"));
        Model::from_bytes(&fs::read(work.path().join(name)).unwrap()).unwrap()
    };
    let (first, then, second) = (stage(1, ""), stage(3, ""), stage(5, ""));
    let one = make("one", &format!("{first}{then}"));
    let other = make("other", &second);
    let both = make("both", &format!("{first}{then}{}", stage(5, "afresh = true\n")));
    assert_eq!(both, Model::mean(&[one, other]).unwrap());
    let files: Vec<_> = fs::read_dir(work.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(!files.iter().any(|file| file.to_string_lossy().contains("stage")), "{files:?}");
}

/// A recipe that begins with a model makes what a recipe of all stages makes, to the byte.
#[test]
fn a_recipe_goes_on_from_a_model() {
    let work = tempfile::tempdir().unwrap();
    let make = |name: &str, seeds: &[u64], from: &str| {
        let stage =
            |seed| format!("[[stages]]\nseed = {seed}\nschedule = {{ games = 8, first = 16, second = 8 }}\n");
        let stages: String = seeds.iter().map(stage).collect();
        fs::write(work.path().join("r.toml"), format!("game = 'columns'\nheld_out = 2\n{stages}")).unwrap();
        ok(work.path(), &format!("train --recipe r.toml --out {name} --quiet{from}"));
        fs::read(work.path().join(name)).unwrap()
    };
    make("first", &[1], "");
    let whole = make("whole", &[1, 3], "");
    assert_eq!(make("second", &[3], " --from first"), whole);
    assert_ne!(make("other", &[3], ""), whole);
}

/// Whom a rival meets may be a policy or the agent that plays by it: a rival that looks back at the game sees the same, at tables of
/// four.
#[test]
fn a_rival_meets_a_policy_or_an_agent() {
    let work = tempfile::tempdir().unwrap();
    let make = |name: &str, meets: &str| {
        let train = "train --game whist --first 16 --second 8 --held-out 2 --batch 4 --quiet";
        let rival = "--rival flat:worlds=2,inference=8 --rivals 1 --rival-seats all";
        ok(work.path(), &format!("{train} {rival} --rival-meets {meets} -n 12 --out {name}"));
        Model::from_bytes(&fs::read(work.path().join(name)).unwrap()).unwrap().net()
    };
    let policy = make("policy", "rule");
    assert_eq!(make("agent", "rule:policy=rule"), policy);
    assert_ne!(make("other", "random"), policy);
}

/// A rival that plays by the model of the stage before makes the net that one playing by that model's file makes, whatever file is
/// written.
#[test]
fn a_rival_plays_by_the_model_before() {
    let work = tempfile::tempdir().unwrap();
    let stage = |seed: u64, more: &str| {
        format!("[[stages]]\nseed = {seed}\nschedule = {{ games = 8, first = 16, second = 8{more} }}\n")
    };
    let rival = |leaf: &str| {
        let rival = format!("flat:worlds=1,rollout_depth=3,leaf={leaf}");
        stage(3, &format!(", rival = '{rival}', rivals = 1.0, rival_seats = 'all'"))
    };
    let make = |name: &str, stages: &str, from: &str| {
        fs::write(work.path().join("r.toml"), format!("game = 'doubles'\nheld_out = 2\n{stages}")).unwrap();
        ok(work.path(), &format!("train --recipe r.toml --out {name} --quiet{from}"));
        fs::read(work.path().join(name)).unwrap()
    };
    make("first.model", &stage(1, ""), "");
    let whole = make("whole", &(stage(1, "") + &rival("before")), "");
    assert_eq!(make("second", &rival("before"), " --from first.model"), whole);
    let net = |bytes: &[u8]| Model::from_bytes(bytes).unwrap().net();
    assert_eq!(net(&make("named", &rival("first.model"), " --from first.model")), net(&whole));
    assert_ne!(net(&make("other", &rival("rule"), " --from first.model")), net(&whole));
    // Whatever the file is called, and whatever an earlier training has left there.
    fs::write(work.path().join("a,[b.model.stage1"), "nothing").unwrap();
    assert_eq!(make("a,[b.model", &(stage(1, "") + &rival("before")), " --force"), whole);
    ok(work.path(), "train --recipe r.toml --out a,[b.model --resume --quiet");
    for (stages, reason) in [
        (rival("before"), "this one goes on from none"),
        (
            stage(1, "") + "rules = { players = 3 }\n" + &rival("before"),
            "`before` is the model of stage 1, which has other rules",
        ),
    ] {
        fs::write(work.path().join("r.toml"), format!("game = 'doubles'\n{stages}")).unwrap();
        refused(work.path(), "train --recipe r.toml --out m", reason);
    }
}

/// A recipe whose stages do not fit each other is refused before anything is learnt.
#[test]
fn stages_that_do_not_fit_are_refused() {
    let work = tempfile::tempdir().unwrap();
    let seed = Cell::new(0);
    let stage = |first: usize, more: &str| {
        // Stages of one net learn from games of different seeds, held-out ones included.
        let seed = seed.replace(seed.get() + 2);
        format!(
            "[[stages]]\nseed = {seed}\nschedule = {{ games = 8, first = {first}, second = 8 }}\n{more}\n"
        )
    };
    for (stages, reason) in [
        (stage(16, "afresh = true"), "stage 1: afresh=true is refused: no stage is before it"),
        (
            stage(16, "") + &stage(32, ""),
            "stage 2: first=32, second=8 is refused: it goes on from the stage before; expected first=16, second=8",
        ),
        (
            stage(16, "") + &stage(16, "rules = { health = 19 }") + &stage(32, "afresh = true"),
            "stage 2: its rules or cards are not those of the last stage",
        ),
    ] {
        fs::write(work.path().join("r.toml"), format!("game = 'dungeon'\nheld_out = 2\n{stages}")).unwrap();
        refused(work.path(), "train --recipe r.toml --out m", reason);
        assert_eq!(fs::read_dir(work.path()).unwrap().count(), 1, "{reason}");
    }
}

/// A net neither learns from the same games again nor is estimated by games that it has learnt from, be it in an earlier stage or
/// before that.
#[test]
fn games_are_not_learnt_from_again() {
    let work = tempfile::tempdir().unwrap();
    let recipe = |stages: &[(u64, bool)]| {
        let stage = |(seed, afresh): &(u64, bool)| {
            format!(
                "[[stages]]\nseed = {seed}\nafresh = {afresh}\nschedule = {{ games = 8, first = 16, second = 8 }}\n"
            )
        };
        let stages: String = stages.iter().map(stage).collect();
        fs::write(work.path().join("r.toml"), format!("game = 'dungeon'\nheld_out = 2\n{stages}")).unwrap();
    };
    let train = "train --recipe r.toml --quiet --force --out";
    recipe(&[(5, false), (7, false), (4, false)]);
    let reason = "stage 3: seed=4 is refused: its held-out games have seed 5, from which stage 1 learnt; expected another seed";
    refused(work.path(), &format!("{train} m"), reason);
    recipe(&[(5, false), (5, false)]);
    let reason = "stage 2: seed=5 is refused: stage 1 learnt from the same games; expected another seed";
    refused(work.path(), &format!("{train} m"), reason);
    // A mean of equal nets is no better than one of them.
    recipe(&[(3, false), (5, false), (7, true), (5, true)]);
    let reason = "stage 4: seed=5 is refused: stage 2, of another net, learnt from the same games";
    refused(work.path(), &format!("{train} m"), reason);
    // What is held out first may be learnt from later, and another net may have learnt from it.
    for stages in
        [&[(5, false), (4, true)][..], &[(5, false), (7, true), (5, false)], &[(4, false), (5, false)]]
    {
        recipe(stages);
        ok(work.path(), &format!("{train} m"));
    }
    recipe(&[(3, false)]);
    refused(work.path(), &format!("{train} more --from m"), "have seed 4, from which m learnt");
    recipe(&[(5, false)]);
    refused(
        work.path(),
        &format!("{train} more --from m"),
        "seed=5 is refused: m learnt from the same games",
    );
    recipe(&[(6, false)]);
    ok(work.path(), &format!("{train} more --from m"));
}

/// A training by a recipe that is interrupted, in whichever stage, goes on to the same model; and what another training has left
/// over is not taken for a part of it.
#[test]
fn a_recipe_goes_on_wherever_it_was_interrupted() {
    let work = tempfile::tempdir().unwrap();
    let stage = |seed: u64, afresh: bool| {
        format!(
            "[[stages]]\nseed = {seed}\nafresh = {afresh}\nschedule = {{ games = 20, first = 16, second = 8, batch = 1 }}\n"
        )
    };
    let recipe = |seed: u64| -> Recipe {
        let stages = [stage(seed, false), stage(3, false), stage(5, true), stage(9, false)].concat();
        toml::from_str(&format!("game = 'whist'\nheld_out = 2\n{stages}")).unwrap()
    };
    let registry = Registry::builtin().build();
    let (out, progress) = (work.path().join("m"), work.path().join("m.progress"));
    // The model, or nothing where it was stopped after so many reports.
    let train = |seed: u64, existing: Existing, reports: usize| {
        let train = Train::new(&registry, recipe(seed), None, &out, existing).unwrap();
        let (stop, mut told) = (AtomicBool::new(false), 0);
        let done = train.run(&stop, &mut |_| {
            told += 1;
            stop.store(told >= reports, Ordering::Relaxed);
            if told == 20 {
                fs::copy(&progress, work.path().join("end of stage 1")).unwrap();
            }
        });
        done.unwrap().then(|| fs::read(&out).unwrap())
    };
    // What was never begun begins.
    let whole = train(1, Existing::Resume, usize::MAX).unwrap();
    // What is finished stays, and only the same training may say so.
    assert_eq!(train(1, Existing::Resume, 0).as_ref(), Some(&whole));
    assert!(Train::new(&registry, recipe(1), None, &out, Existing::Resume).unwrap().is_made);
    for change in [
        |recipe: &mut Recipe| recipe.held_out = 3,
        |recipe: &mut Recipe| recipe.stages[0].seed = 2,
        |recipe: &mut Recipe| recipe.stages[3].seed = 2,
        |recipe: &mut Recipe| recipe.stages.truncate(2),
        |recipe: &mut Recipe| {
            recipe.stages[3].rules = serde_json::from_str(r#"{ "ace": 0 }"#).unwrap();
            recipe.stages[1].rules = recipe.stages[3].rules.clone();
        },
    ] {
        let mut other = recipe(1);
        change(&mut other);
        let error = Train::new(&registry, other, None, &out, Existing::Resume).err().unwrap();
        assert!(matches!(error, TrainError::Exists { .. }), "{error}");
    }
    // There are twenty reports in a stage of so many games.
    for reports in [1, 20, 21, 40, 41, 79] {
        assert_eq!(train(1, Existing::Replace, reports), None, "after {reports}");
        assert_eq!(train(1, Existing::Resume, usize::MAX).as_ref(), Some(&whole), "after {reports}");
    }
    // A stage was written, and the session ended before the progress of the next.
    assert_eq!(train(1, Existing::Replace, 21), None);
    fs::rename(work.path().join("end of stage 1"), &progress).unwrap();
    assert_eq!(train(1, Existing::Resume, usize::MAX).as_ref(), Some(&whole));
    // The second training is stopped in its first stage, where the other has left a second one.
    assert_eq!(train(7, Existing::Replace, 41), None);
    assert_eq!(train(1, Existing::Replace, 1), None);
    assert_eq!(train(1, Existing::Resume, usize::MAX), Some(whole));
    // A stage of another training is not taken for one of this, though nothing else is left of it.
    assert_eq!(train(7, Existing::Replace, 21), None);
    fs::remove_file(&progress).unwrap();
    fs::remove_file(&out).ok();
    let again = Train::new(&registry, recipe(1), None, &out, Existing::Resume).unwrap();
    let error = again.run(&AtomicBool::new(false), &mut |_| panic!("it learns")).unwrap_err();
    assert!(
        error.is_bad_input() && error.to_string().contains("m.stage1 belongs to a training with other"),
        "{error}"
    );
    // A shorter recipe that begins anew leaves nothing of a longer one.
    let mut short = recipe(1);
    short.stages.truncate(1);
    let short = Train::new(&registry, short, None, &out, Existing::Replace).unwrap();
    assert!(
        short.run(&AtomicBool::new(false), &mut |_| {}).unwrap() && !work.path().join("m.stage1").exists()
    );
    // A net that the mean needs is missed at once.
    assert_eq!(train(1, Existing::Replace, 61), None);
    fs::remove_file(work.path().join("m.stage2")).unwrap();
    let again = Train::new(&registry, recipe(1), None, &out, Existing::Resume).unwrap();
    let error = again.run(&AtomicBool::new(false), &mut |_| panic!("it learns")).unwrap_err();
    assert!(error.is_bad_input() && error.to_string().contains("m.stage2"), "{error}");
}
