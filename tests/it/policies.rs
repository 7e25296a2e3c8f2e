//! Policies that are learnt: where their models may stand, and what they may be made of.

use crate::common::{call, error, ok};
use crate::models::{manifest, refused};
use std::fs;

/// In every game a model stands for the policy that takes the step with the best value. One that has learnt to choose stands for a
/// policy alone: its numbers are no values. The manifest and the list of models tell which it is.
#[test]
fn policies_of_ones_own_play() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path();
    for game in ["dungeon", "verslun", "columns", "doubles", "whist"] {
        let train = format!("train --game {game} --first 16 --second 8 --batch 2 -n 2 --held-out 1 --quiet");
        ok(folder, &format!("{train} --method policy_gradient --out {game}.model"));
        ok(folder, &format!("{train} --out values.model --force"));
        let run = format!("run --game {game} -n 2 --quiet --force --out r --agent");
        for model in [&*format!("{game}.model"), "values.model"] {
            ok(folder, &format!("{run} rule:policy={model}"));
            let used = &manifest(folder, "r")["facts"]["players"][0][0];
            assert_eq!((&used["kind"], &used["model"]["name"]), (&"policy".into(), &model.into()));
        }
        let reason = "the model is of a policy (method=policy_gradient)";
        refused(folder, &format!("{run} greedy:evaluator={game}.model"), reason);
        let train = format!("{train} --seed 1 --from {game}.model --out from.model");
        refused(folder, &train, "no values but a policy; expected one of");
        let listed = ok(folder, &format!("list models {game}.model"));
        assert!(listed.contains("a policy, which chooses steps"), "{listed}");
        assert!(!ok(folder, "list models values.model").contains("a policy"));
    }
}

/// Nets that learn different things have no mean, and a policy is no beginning for values.
#[test]
fn stages_learn_by_one_method() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path();
    let stage = |seed: u64, more: &str| {
        format!("[[stages]]\nseed = {seed}\nschedule = {{ games = 8, first = 16, second = 8{more} }}\n")
    };
    let (td, policy) = ("", ", method = \"policy_gradient\"");
    for (first, second, afresh, reason) in [
        (td, policy, true, "stage 1: its method is not that of the last stage"),
        (policy, td, true, "stage 1: its method is not that of the last stage"),
        (policy, td, false, "stage 2: method=td is refused"),
    ] {
        let afresh = if afresh { "afresh = true\n" } else { "" };
        let second = stage(3, second).replacen('\n', &format!("\n{afresh}"), 1);
        let recipe = format!("game = 'dungeon'\nheld_out = 1\n{}{second}", stage(1, first));
        fs::write(folder.join("r.toml"), recipe).unwrap();
        refused(folder, "train --recipe r.toml --out m", reason);
    }
}

/// A policy may play the rollouts of `flat`, or be kept to while others do. Without a part to play it is refused.
#[test]
fn flat_takes_policies_by_name() {
    let work = tempfile::tempdir().unwrap();
    let folder = work.path();
    let run = "run --game doubles -n 2 --quiet --force --out r --agent flat:worlds=8";
    for (options, kinds) in [
        (",min_z=1,policy=net", vec!["evaluator rule", "policy net"]),
        (",min_z=1,base=net", vec!["evaluator rule", "policy rule", "policy net"]),
        (",min_z=1", vec!["evaluator rule", "policy rule"]),
        (",min_z=1,rollout=random,base=net", vec!["evaluator rule", "policy net"]),
    ] {
        ok(folder, &format!("{run}{options}"));
        let used = manifest(folder, "r")["facts"]["players"][0].clone();
        let used = used.as_array().unwrap().iter();
        let used: Vec<String> = used
            .map(|used| format!("{} {}", used["kind"].as_str().unwrap(), used["name"].as_str().unwrap()))
            .collect();
        assert_eq!(used, kinds, "{options}");
    }
    refused(folder, &format!("{run},base=net"), "nothing keeps to its choice with min_z=0");
    refused(
        folder,
        "run --game doubles -n 2 --out x --agent strong:min_z=0",
        "set min_z above 0, or leave it empty",
    );
    refused(folder, &format!("{run},rollout=random,min_z=1"), "set rollout=rule, or name one by base");
    refused(folder, &format!("{run},rollout=none,policy=net"), "nothing is played by it; set rollout=rule");
    refused(folder, &format!("{run},min_z=1,base=best"), "expected one of rule, net");
}

/// Where several options of a preset fall back on what is written by hand, each is told.
#[test]
fn every_fallback_is_told() {
    let work = tempfile::tempdir().unwrap();
    let preset = "agent = \"flat\"\nsummary = \"\"\n[options]\nrollout = \"rule\"\n\
                  leaf = [\"net\", \"rule\"]\npolicy = [\"net\", \"rule\"]\n";
    fs::write(work.path().join("p.toml"), preset).unwrap();
    let run = "run --game doubles --rule players=3 --rule target=5 -n 1 --out r --agent p.toml";
    let told = error(&call(work.path(), run));
    for note in ["no trained model for these rules", "no trained policy for these rules"] {
        assert!(told.contains(note), "{note}: {told}");
    }
    // Studies say it, too.
    let study = "summary = 's'\nseed = 1\n[[cells]]\ncommand = 'run'\ngame = 'dungeon'\nagents = ['fast']\nrules = [{ health = 45 }]\nn = 2\n";
    fs::write(work.path().join("s.toml"), study).unwrap();
    let told = error(&call(work.path(), "experiment s.toml"));
    assert!(told.contains("note: no trained model for these rules"), "{told}");
    // What a search keeps to is told where nothing of it was learnt, and no other note says so.
    for (rules, note) in [
        ("--rule target=5", Some("no trained policy for these rules: the hand-written one (rule)")),
        (
            "--rule players=3 --rule target=5",
            Some("no trained model for these rules: hand-written values (rule)"),
        ),
        ("--rule players=3 --rule cards=2", None),
    ] {
        let run = format!("run --game doubles {rules} -n 1 --out r --force --agent strong:worlds=2");
        let told = error(&call(work.path(), &run));
        assert_eq!(told.matches("no trained").count(), usize::from(note.is_some()), "{rules}: {told}");
        assert!(note.is_none_or(|note| told.contains(note)), "{rules}: {told}");
    }
}
