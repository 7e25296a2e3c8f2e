//! Games that are played from outside: by the text of moves, and by actions.

use crate::common::ok;
use knave::agents::AgentSpec;
use knave::agents::options::Fields;
use knave::cards::Card;
use knave::live::{Autoreset, LaneSettings, Rewards, Seen, Step};
use knave::play::Transcript;
use knave::registry::{AnyGame, Registry};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn registry() -> Registry {
    Registry::builtin().build()
}

/// Rules other than those that a game is played by below.
fn options_of_another(game: &str) -> Value {
    match game {
        "columns" => json!({}),
        "doubles" => json!({ "cards": 3 }),
        "dungeon" => json!({ "health": 15 }),
        "verslun" => json!({ "hand": 6 }),
        _ => json!({ "ace": 1 }),
    }
}

/// A position that is played to the end, move by move, has a transcript that the referee accepts; a copy goes its own way, and a world
/// that was sampled has no transcript.
#[test]
fn positions_are_games_that_a_referee_accepts() {
    let registry = registry();
    for game in registry.games() {
        let rules = if game.name() == "columns" { json!({ "max_rounds": 20 }) } else { json!({}) };
        let ruleset = game.ruleset(rules.as_object().unwrap()).unwrap();
        let mut position = ruleset.deal(5, 3);
        let mut moves = 0;
        while let Some(seat) = position.turn() {
            let legal = position.moves();
            assert!(position.play("nonsense").is_err() && position.moves() == legal, "{}", game.name());
            let before = position.copy();
            let world = position.sample_world(moves as u64).unwrap();
            assert_eq!(world.view(seat), position.view(seat), "{}", game.name());
            // Who could pass is nobody else's business: a world tells what everybody was told.
            let told: Vec<_> = position
                .public()
                .into_iter()
                .filter_map(|seen| match seen {
                    Seen::Move(seat, m) => Some((seat, m)),
                    _ => None,
                })
                .collect();
            assert_eq!(world.played(), told, "{}", game.name());
            position.play(&legal[moves % legal.len()]).unwrap();
            assert_eq!(before.moves(), legal);
            moves += 1;
        }
        assert_eq!(position.played().len(), moves);
        let players = vec!["somebody".to_owned(); position.seats()];
        let text = position.transcript(&players).unwrap();
        registry.check(&text).unwrap();
        // It is followed by its own rules alone.
        let record: Transcript = serde_json::from_str(&text).unwrap();
        assert_eq!(ruleset.reach(&record, Some(1)).unwrap().origin(), None);
        let other = options_of_another(game.name());
        let refused =
            game.ruleset(other.as_object().unwrap()).unwrap().reach(&record, Some(1)).err().unwrap();
        assert!(refused.to_string().contains("or of other rules"), "{}: {refused}", game.name());
        assert!(position.transcript(&players[1..]).is_err() && position.sample_world(1).is_err());
        // Dealt from its own deck, with the same seed and index, it is the same game.
        let hidden = position.reveal_hidden();
        let deck: Vec<_> = hidden["deck"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| card.as_str().unwrap().parse().unwrap())
            .collect();
        let mut again = ruleset.deal_deck(&deck, (5, 3)).unwrap();
        position.played().iter().for_each(|(_, text)| again.play(text).unwrap());
        assert_eq!(again.results(), position.results(), "{}", game.name());
    }
}

/// Where a game lacks an agent that other games have, that is said, and no other name is guessed.
#[test]
fn agents_of_other_games_are_known() {
    let registry = registry();
    let names: BTreeSet<&str> = registry.games().flat_map(AnyGame::agents).map(|(name, ..)| name).collect();
    let mut missing = 0;
    for game in registry.games() {
        let position = game.ruleset(&Fields::new()).unwrap().deal(1, 0);
        let has: Vec<&str> = game.agents().into_iter().map(|(name, ..)| name).collect();
        for name in names.iter().filter(|name| !has.contains(name)) {
            let refused = position.check_agent(&name.parse().unwrap()).unwrap_err().to_string();
            let expected = format!("unknown agent '{name}' in {} (other games have it); ", game.name());
            assert!(refused.starts_with(&expected), "{refused}");
            missing += 1;
        }
    }
    assert!(missing > 2, "{missing} agents are of some games alone");
}

/// Lanes deal all cards, and so do positions, unless they were dealt others: their notes name models that have learnt from others.
#[test]
fn models_with_other_cards_are_noted() {
    let work = tempfile::tempdir().unwrap();
    let train = "train --game doubles --rule cards=1 --first 16 --second 8 --batch 2 -n 2 --held-out 1";
    ok(work.path(), &format!("{train} --cards 2-6C --quiet --out a.model"));
    let path = work.path().join("a.model");
    let agent: AgentSpec = format!("greedy:evaluator={}", path.display()).parse().unwrap();
    let registry = registry();
    let ruleset = registry.game("doubles").unwrap().ruleset(json!({ "cards": 1 }).as_object().unwrap());
    let ruleset = ruleset.unwrap();
    let settings = LaneSettings {
        lanes: 1,
        seat: None,
        opponents: vec![agent.clone()],
        rewards: Rewards::Win,
        autoreset: Autoreset::SameStep,
    };
    let note = "a.model learnt from games with a short deck";
    assert_eq!(ruleset.lanes(&settings).unwrap().notes(), [note]);
    assert_eq!(ruleset.deal(1, 0).check_agent(&agent).unwrap(), [note]);
    let deck: Vec<Card> = ["6C", "2C", "4C", "3C", "5C"].map(|card| card.parse().unwrap()).to_vec();
    let short = ruleset.deal_deck(&deck, (1, 0)).unwrap();
    let world = short.sample_world(1).unwrap();
    for position in [short, world] {
        assert_eq!(position.check_agent(&agent).unwrap(), [""; 0]);
    }
}

/// Lanes with an agent in the other seats play legal games by their masks alone, and the same ones again after the same reset. Each
/// game is dealt once, in order.
#[test]
fn lanes_are_reproducible() {
    let registry = registry();
    for game in registry.games() {
        let rules = if game.name() == "columns" { json!({ "max_rounds": 20 }) } else { json!({}) };
        let ruleset = game.ruleset(rules.as_object().unwrap()).unwrap();
        let (observation, actions) = ruleset.arrays().unwrap();
        let length = knave::agents::encoding::length;
        let (columns, actions) = (length(observation), length(actions));
        let opponents: Vec<AgentSpec> =
            if ruleset.seats() > 1 { vec!["greedy".parse().unwrap()] } else { Vec::new() };
        let settings = LaneSettings {
            lanes: 3,
            seat: None,
            opponents,
            rewards: Rewards::Win,
            autoreset: Autoreset::SameStep,
        };
        let mut lanes = ruleset.lanes(&settings).unwrap();
        let mut play = || {
            let (mut rows, mut masks) = (vec![0.0; 3 * columns], vec![0; 3 * actions]);
            lanes.reset(9, &mut rows, &mut masks, &mut || true).unwrap();
            let mut log = Vec::new();
            for step in 0..150 {
                let choose = |mask: &[u8]| {
                    let legal: Vec<usize> = (0..actions).filter(|&action| mask[action] == 1).collect();
                    legal[step % legal.len()] as i64
                };
                let chosen: Vec<i64> = masks.chunks_exact(actions).map(choose).collect();
                let (mut rewards, mut over) = ([0.0; 3], [0; 3]);
                let mut out = Step {
                    observations: &mut rows,
                    masks: &mut masks,
                    rewards: &mut rewards,
                    ended: &mut over,
                };
                let ended = lanes.step(&chosen, &mut out, &mut || true).unwrap();
                assert!(ended.iter().all(|end| !end.illegal && over[end.lane] == 1), "{}", game.name());
                assert!(ended.iter().all(|end| rewards[end.lane] == f64::from(u8::from(end.won))));
                log.extend(ended);
            }
            log
        };
        let (first, again) = (play(), play());
        assert_eq!(first, again, "{}", game.name());
        let mut indices: Vec<u64> = first.iter().map(|end| end.index).collect();
        let games = indices.len();
        indices.sort_unstable();
        indices.dedup();
        assert!(games > 2 && indices.len() == games, "{}: {indices:?}", game.name());
    }
}
