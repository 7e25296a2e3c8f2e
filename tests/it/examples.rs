//! What the examples show a user keeps the laws: the own game conforms, and agents are fair there and with the own agent.

#![allow(dead_code, reason = "the examples are programs of their own")]

#[path = "../../examples/own_agent.rs"]
mod own_agent;
#[path = "../../examples/own_evaluator.rs"]
mod own_evaluator;
#[path = "../../examples/own_game.rs"]
mod own_game;

use crate::common::plan;
use knave::agents::options::Fields;
use knave::agents::rng::{Role, stream};
use knave::agents::{
    Agent, AgentSpec, Configure, Decision, Entry, Game, OptionError, Rng, Setup, Tools, Turn, registry,
    testkit,
};
use knave::analysis::JudgeSpec;
use knave::games::CardGame;
use knave::games::dungeon::Dungeon;
use knave::games::testkit::card_game;
use knave::games::whist::Whist;
use knave::registry::Registry;
use knave::studies::{Request, Session};
use own_agent::Playouts;
use own_evaluator::Careful;
use own_game::{Nines, Rules};
use serde_json::json;
use std::sync::atomic::AtomicBool;

#[test]
fn the_own_game_conforms() {
    let rules = [Rules { low: false }, Rules { low: true }];
    testkit::conformance::<Nines>(&rules, 100, 20, |_| ());
    card_game::<Nines>(&rules, 100);
    testkit::hidden_information::<Nines>(&rules, 20);
    testkit::sampled_worlds::<Nines>(&rules, 1_000);
    testkit::features::<Nines>(&rules, 20);
}

#[test]
fn agents_are_fair_in_the_own_game() {
    let mut agents = registry::agents(&Nines::kit(&Rules::default()));
    agents.push(Entry::of::<Playouts>());
    let checked =
        testkit::all_agents_are_fair(&agents, "nines", &Rules::default(), 20, &["mcts:iterations=20"]);
    // It has neither a policy nor, without a model, an evaluator.
    assert_eq!(checked, ["random", "flat", "mcts:iterations=20", "playouts"]);
}

/// A short deck is refused, or makes a game that can be played by what a seat sees.
#[test]
fn short_decks_of_the_own_game_are_refused_or_played() {
    let deck = Nines::full_deck();
    for cards in 0..=deck.len() {
        let Ok(mut position) = Nines::from_deck(&Rules::default(), &deck[..cards]) else { continue };
        let mut rng = stream(1, 0, Role::Deal);
        while let Turn::Player(seat) = position.turn() {
            let world = Nines::sample_world(&position.view(seat), &mut rng);
            position.play(world.random_move(&mut Vec::new(), &mut rng));
        }
        assert_eq!(position.turn(), Turn::Over);
    }
    assert!(Nines::from_deck(&Rules::default(), &deck[..8]).is_err());
    assert!(Nines::from_deck(&Rules::default(), &deck[..9]).is_ok());
}

#[test]
fn the_own_agent_is_fair_in_a_game_of_knave() {
    let agents = [Entry::<Whist>::of::<Playouts>()];
    let checked =
        testkit::all_agents_are_fair(&agents, "whist", &Default::default(), 2, &["playouts:worlds=2"]);
    assert_eq!(checked, ["playouts:worlds=2"]);
    assert!(plan::<Whist>(&[], &["playouts"], 1, 1).is_err(), "it plays where it is registered");
}

/// A search by values that the game does not list plays legal moves and peeks at nothing, and the manifest names its evaluator.
#[test]
fn the_own_evaluator_is_fair_and_named() {
    let agents = [Entry::<Dungeon>::of::<Careful>()];
    let budgets = ["careful:iterations=20"];
    let checked = testkit::all_agents_are_fair(&agents, "dungeon", &Default::default(), 2, &budgets);
    assert_eq!(checked, budgets);
    let registry = Registry::builtin().agent_of::<Dungeon, Careful>().build();
    let request = json!({ "study": "run", "game": "dungeon", "agents": budgets, "n": 1 });
    let request: Request = serde_json::from_value(request).unwrap();
    let done = Session::new(&registry, &request).unwrap().run(&mut ()).unwrap();
    let manifest = serde_json::to_value(&done.manifest).unwrap();
    assert!(manifest.to_string().contains(r#"{"kind":"evaluator","name":"health_left"}"#), "{manifest}");
}

/// A game without policies can be played at the terminal, and its moves can be judged: nobody needs a policy who did not ask for
/// one, and what a player sees is there. Who asks for a preset that needs one is told so by the name of the preset.
#[test]
fn a_game_without_policy_has_opponents_and_judges() {
    let registry = Registry::builtin().game::<Nines>().build();
    let spec = |name: &str| name.parse::<AgentSpec>().unwrap();
    let game = registry.game("nines").unwrap();
    let position = game.ruleset(&Fields::new()).unwrap().deal(1, 0);
    let opponent = position.hint(&spec(game.opponent()), 1).unwrap();
    assert!(position.moves().contains(&opponent));
    let appraised = position
        .appraise(&JudgeSpec { worlds: Some(20), ..JudgeSpec::default() }, None, 1, &AtomicBool::new(false))
        .unwrap();
    assert_eq!(appraised.moves.len(), 4);
    let view = position.debug_view(0).unwrap();
    assert!(position.moves().iter().all(|card| view.contains(card)), "{view}");
    let refused = position.hint(&spec("fast"), 1).unwrap_err().to_string();
    assert_eq!(refused, "preset fast: agent rule: policy= is refused: this game has no policy");
    assert_eq!(registry.game("whist").unwrap().opponent(), "fast");
}

/// An agent that is called like a preset could never be reached.
#[test]
#[should_panic(expected = "an agent is called 'fast', which is a preset")]
fn agents_are_not_called_like_presets() {
    #[derive(Clone)]
    struct Quick(Playouts);
    impl<G: Game> Agent<G> for Quick {
        fn choose(&mut self, decision: Decision<'_, G>, rng: &mut Rng) -> G::Move {
            self.0.choose(decision, rng)
        }
    }
    impl<G: Tools> Configure<G> for Quick {
        const NAME: &'static str = "fast";
        const SUMMARY: &'static str = "";
        type Options = Playouts;
        fn configure(options: &Playouts, _: &Setup<'_, G>) -> Result<Self, OptionError> {
            Ok(Self(options.clone()))
        }
    }
    let _ = Registry::builtin().agent::<Quick>();
}
