//! Players: an agent whose options are accepted plays a game to its end, whatever they are.

use super::registry;
use crate::choices::Choices;
use crate::random;
use knave::agents::options::{Fields, OptionDoc};
use knave::games::{self, CardGame, GameList as _, Visitor};
use knave::studies::{Request, Session, run};
use knave_agents::AgentSpec;
use serde_json::{Value, json};

/// The largest number that an option is given: work grows with most of them.
const MOST: usize = 4;

/// Texts that name something in one game or another.
const NAMES: [&str; 8] = ["", "none", "random", "rule", "net", "points", "missing", "first"];

/// A value for an option.
fn value(doc: &OptionDoc, choices: &mut Choices<'_>) -> Value {
    if !doc.values.is_empty() {
        return choices.pick(&doc.values).clone().into();
    }
    let number = choices.below(MOST + 1);
    match doc.default.parse::<f64>() {
        Err(_) => (*choices.pick(&NAMES)).into(),
        Ok(_) if choices.once_in(4) => json!(number as f64 / MOST as f64),
        Ok(_) => number.into(),
    }
}

/// Random rules, as they are recorded.
struct Rules<'a, 'b>(&'a mut Choices<'b>);

impl Visitor for Rules<'_, '_> {
    type Output = Fields;

    fn visit<G: CardGame>(self) -> Fields {
        random::rules::<G>(self.0).1
    }
}

/// Seats a random agent with random options in a game under random rules.
///
/// # Panics
/// When a request is accepted, and the game cannot be played.
pub fn players(choices: &mut Choices<'_>) {
    let name = *choices.pick(&games::names());
    let Ok(game) = registry().game(name) else { return };
    let agents = game.agents();
    let (agent, _, docs) = choices.pick(&agents);
    let mut options = Fields::new();
    for doc in docs {
        // Defaults of this size are budgets of work, of players that are meant to be strong.
        let budget = doc.default.parse::<f64>().is_ok_and(|number| number > MOST as f64);
        if budget || choices.once_in(3) {
            options.insert(doc.name.clone(), value(doc, choices));
        }
    }
    let mut rules = match choices.once_in(2) {
        true => Fields::new(),
        false => games::BuiltIn::visit(name, Rules(choices)).unwrap_or_default(),
    };
    // Rollouts to the end of every game for every move are for those who have hours.
    for (rule, most) in [("max_rounds", 4), ("max_rolls", 50), ("target", 30)] {
        if game.rules().iter().any(|doc| doc.name == rule) {
            rules.insert(rule.to_owned(), choices.below(most).max(1).into());
        }
    }
    let agents = vec![AgentSpec { name: (*agent).to_owned(), options, label: None }];
    let mut request = run::Request { game: name.to_owned(), rules, cards: None, agents, n: 1, seed: 1 };
    request.seed = choices.below(1 << 16) as u64;
    let text = format!("{request:?}");
    let Ok(session) = Session::new(registry(), &Request::Run(request)) else { return };
    let done = session.threads(1).run(&mut ()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(done.manifest.finished, 1, "{text}: {:?}", done.end);
}
