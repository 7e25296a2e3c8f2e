//! Agents from outside of Knave: what they do wrong is told in their name, and not played.

use knave::agents::batch::{Question, Unanswered};
use knave::agents::options::Fields;
use knave::agents::{Agent, AgentSpec, Configure, Decision, OptionError, Options, Rng, Setup};
use knave::cards::{Card, Suit};
use knave::games::whist::{Move, Whist};
use knave::live::{Autoreset, LaneSettings, Rewards};
use knave::registry::Registry;
use knave::small::SmallGameRequest;
use knave::studies::{Done, End, Request, Session};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// A player that plays what it may not where it has fewer choices than it likes.
#[derive(Clone, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Odd {
    /// The fewest legal moves with which it makes no mistake
    below: u32,
    /// Whether it is asked about many games at once
    batched: bool,
    /// The questions of each game.
    #[serde(skip)]
    asked: BTreeMap<u64, u32>,
}

impl Default for Odd {
    fn default() -> Self {
        Self { below: 100, batched: false, asked: BTreeMap::new() }
    }
}

impl Options for Odd {}

impl Configure<Whist> for Odd {
    const NAME: &'static str = "odd";
    const SUMMARY: &'static str = "one with a mistake";
    type Options = Self;

    fn configure(options: &Self, _: &Setup<'_, Whist>) -> Result<Self, OptionError> {
        if options.below > 1000 {
            return Err(OptionError::refused("below", &options.below, "expected at most 1000"));
        }
        Ok(options.clone())
    }
}

impl Agent<Whist> for Odd {
    fn choose(&mut self, decision: Decision<'_, Whist>, _: &mut Rng) -> Move {
        assert!(decision.history().is_empty(), "it has not asked for events");
        let mut legal = Vec::new();
        decision.moves(&mut legal);
        if legal.len() >= self.below as usize {
            return legal[0];
        }
        let all =
            Suit::ALL.into_iter().flat_map(|suit| (2..=14).map(move |rank| Move(Card::new(suit, rank))));
        all.into_iter().find(|&m| !decision.is_legal(m)).unwrap()
    }

    fn batch(&self) -> Option<usize> {
        self.batched.then_some(8)
    }

    fn choose_batch(
        &mut self,
        questions: &mut [Question<'_, Whist>],
        moves: &mut Vec<Move>,
        _: &AtomicBool,
    ) -> Result<(), Unanswered> {
        for question in &*questions {
            let asked = self.asked.entry(question.game).or_default();
            *asked += 1;
            assert!(*asked <= 13, "a game of whist has 13 tricks: another one goes by the same number");
        }
        moves.clear();
        moves.extend(questions.iter_mut().map(|question| self.choose(question.decision, question.rng)));
        Ok(())
    }
}

fn registry() -> Registry {
    Registry::builtin().agent_of::<Whist, Odd>().build()
}

fn done(request: Value) -> Done {
    let request: Request = serde_json::from_value(request).unwrap();
    Session::new(&registry(), &request).unwrap().threads(1).run(&mut ()).unwrap()
}

/// How a request fails.
fn failure(request: Value) -> String {
    let End::Failed(failure) = done(request).end else { panic!("it does not fail") };
    failure.to_string()
}

/// An illegal move of an agent from outside ends a study, in builds without debug assertions too: the text is not that of the
/// assertion, for it names the agent. Otherwise the game goes on as nobody meant, and tables show the wins that came of it.
#[test]
fn illegal_moves_are_not_played() {
    for odd in ["odd", "odd:batched=true"] {
        let agents = ["random", odd, "random", "random"];
        for study in ["run", "compare", "analyse"] {
            let agents = if study == "compare" { &agents[..2] } else { &agents };
            let told = failure(json!({ "study": study, "game": "whist", "agents": agents, "n": 4 }));
            assert!(told.contains(" 0 with seed 1"), "{study}: {told}");
            let named = format!("{odd}: the agent in seat ");
            assert!(
                told.contains(&named) && told.contains(" chose the illegal move play "),
                "{study}: {told}"
            );
        }
    }
}

/// What an agent is told depends on itself, not on who else at the table wants the history: beside others it would play differently.
#[test]
fn who_uses_no_history_is_told_none() {
    for odd in ["odd:below=0", "odd:below=0,batched=true"] {
        let agents = [odd, "mcts:iterations=2", "random", "mcts:iterations=2"];
        let end = done(json!({ "study": "run", "game": "whist", "agents": agents, "n": 2 })).end;
        assert!(matches!(end, End::Complete), "{odd}: {end:?}");
    }
}

/// A player that refuses its options need not name itself.
#[test]
fn refusals_name_the_agent() {
    let request = json!({ "study": "run", "game": "whist", "agents": ["odd:below=2000"], "n": 1 });
    let request: Request = serde_json::from_value(request).unwrap();
    let Err(error) = Session::new(&registry(), &request) else { panic!("it is not refused") };
    assert_eq!(error.to_string(), "agent odd: below=2000 is refused: expected at most 1000");
}

/// A judge from outside that plays what it may not is no measure of others.
#[test]
fn judges_play_legal_moves() {
    // Its first move is right, and what it would play later on is not.
    for judge in ["odd", "odd:below=2"] {
        let told = failure(json!({
            "study": "analyse", "game": "whist", "agents": ["random"], "n": 1, "judge": judge, "worlds": 20
        }));
        assert!(told.contains(&format!("{judge}: the agent in seat ")), "{told}");
    }
}

/// At the terminal, an agent that is asked for a move is named, too.
#[test]
fn illegal_hints_are_refused() {
    let registry = registry();
    let position = registry.game("whist").unwrap().ruleset(&Fields::new()).unwrap().deal(1, 0);
    let seat = position.turn().unwrap();
    let error = position.hint(&"odd".parse::<AgentSpec>().unwrap(), 1).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("odd: the agent in seat {seat} chose the illegal move play ")),
        "{error}"
    );
}

/// An agent that likes many games at once serves wherever one position is asked, as it would if it played one after the other.
#[test]
fn batched_agents_serve_everywhere() {
    let registry = registry();
    let game = registry.game("whist").unwrap();
    let ruleset = game.ruleset(&Fields::new()).unwrap();
    // Tables name the judge: both by the same name.
    let [alone, batched] = ["odd:below=0", "odd:below=0,batched=true"].map(|text| {
        let spec = text.parse::<AgentSpec>().unwrap();
        AgentSpec { label: Some("calm".to_owned()), ..spec }
    });
    let position = ruleset.deal(1, 0);
    assert_eq!(position.hint(&alone, 1).unwrap(), position.hint(&batched, 1).unwrap());
    let [one, other] = [&alone, &batched].map(|judge| {
        let done = done(json!({
            "study": "analyse", "game": "whist", "agents": ["random"], "n": 1, "judge": judge, "worlds": 20, "moves": 2
        }));
        assert!(matches!(done.end, End::Complete));
        done.tables.into_iter().find(|table| table.stem() == "analysis").unwrap().csv().unwrap()
    });
    assert_eq!(one, other);
    let settings = LaneSettings {
        lanes: 2,
        seat: None,
        opponents: vec![batched.clone()],
        rewards: Rewards::Win,
        autoreset: Autoreset::SameStep,
    };
    assert!(ruleset.lanes(&settings).is_ok());
    let request = SmallGameRequest {
        rules: Fields::new(),
        cards: "2-3CDHS".parse().unwrap(),
        measure: None,
        limit: 1_000_000,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let small = game.small(&request).unwrap();
    let [one, other] = [alone, batched].map(|agent| {
        small
            .exploit(&[agent], 2, 1, &pool)
            .unwrap()
            .seats
            .into_iter()
            .map(|seat| seat.gain)
            .collect::<Vec<_>>()
    });
    assert_eq!(one, other);
}
