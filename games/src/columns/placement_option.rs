//! The option `placement` of the agents: with `random`, dice are placed uniformly at random.
//!
//! The difference in results tells how much good placement is worth.

use super::{Columns, Move, Phase};
use knave_agents::{Agent, Configure, Decision, OptionError, Options, Rng, Setup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who places the dice.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// The agent.
    #[default]
    Own,
    /// Luck: all placements with the same probability. The agent does the rest.
    Random,
}

/// The options of an agent, and `placement`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(bound(deserialize = "O: Options"))]
pub struct WithPlacement<O: Options> {
    #[serde(flatten)]
    options: O,
    /// Who places the dice: the agent, or luck
    #[serde(default)]
    placement: Placement,
}

impl<O: Options> Options for WithPlacement<O> {
    const RENAMED: &'static [(&'static str, &'static str)] = O::RENAMED;

    fn check(&self) -> Result<(), OptionError> {
        self.options.check()
    }

    fn names() -> Vec<&'static str> {
        [&O::names()[..], &["placement"]].concat()
    }
}

/// An agent whose dice may be placed at random.
#[derive(Clone)]
pub struct RandomPlacement<A> {
    agent: A,
    placement: Placement,
    moves: Vec<Move>,
}

impl<A: Configure<Columns>> Configure<Columns> for RandomPlacement<A> {
    const NAME: &'static str = A::NAME;
    const SUMMARY: &'static str = A::SUMMARY;
    type Options = WithPlacement<A::Options>;

    fn configure(options: &Self::Options, setup: &Setup<'_, Columns>) -> Result<Self, OptionError> {
        let agent = A::configure(&options.options, setup)?;
        Ok(Self { agent, placement: options.placement, moves: Vec::new() })
    }
}

/// The agents of the kit that it wraps decide within this process, one game at a time. So readiness, batches, faults and logs have
/// their defaults, as they have in those agents. To hand batches on would also leave the dice to the agent.
impl<A: Agent<Columns>> Agent<Columns> for RandomPlacement<A> {
    fn begin_game(&mut self) {
        self.agent.begin_game();
    }

    fn uses_history(&self) -> bool {
        self.agent.uses_history()
    }

    fn plays_uniformly(&self) -> bool {
        self.agent.plays_uniformly()
    }

    fn choose(&mut self, decision: Decision<'_, Columns>, rng: &mut Rng) -> Move {
        let view = decision.view();
        // Without a card anywhere it does not matter where dice go, in any of the rounds to come.
        let idle = || {
            view.hand.is_empty() && view.other_count() == 0 && view.stock == 0 && view.board.stolen.is_empty()
        };
        if view.board.phase == Phase::Place && (self.placement == Placement::Random || idle()) {
            return decision.random_move(&mut self.moves, rng);
        }
        self.agent.choose(decision, rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Rules;
    use knave_agents::rng::stream;
    use knave_agents::{Game as _, Role, Tools as _, Turn, registry};

    /// Every general agent has the option, except `random`.
    #[test]
    fn no_agent_is_left_out() {
        let kit = Columns::kit(&Rules::default());
        for entry in registry::agents(&kit) {
            let has = entry.options(&kit).iter().any(|doc| doc.name == "placement");
            assert_eq!(has, entry.name != "random", "{}", entry.name);
        }
    }

    /// With `placement=random` the cards are played as ever and only the dice are not placed as the agent would.
    #[test]
    fn only_the_dice_are_left_to_luck() {
        let rules = Rules::default();
        let agent = |name: &str| {
            let spec = name.parse().unwrap();
            registry::prepare(&registry::agents(&Columns::kit(&rules)), "columns", &spec, &rules)
                .unwrap()
                .make()
        };
        let (mut own, mut lucky) = (agent("rule"), agent("rule:placement=random"));
        let (mut placed, mut same) = (0, 0);
        for index in 0..20 {
            own.begin_game();
            lucky.begin_game();
            let mut chance = stream(1, index, Role::Chance);
            let mut position = Columns::deal(&rules, &mut stream(1, index, Role::Deal));
            while position.turn() != Turn::Over {
                if !matches!(position.turn(), Turn::Player(_)) {
                    position.roll(&mut chance);
                    continue;
                }
                let mut rng = stream(2, index, Role::Agent(0));
                let m = own.choose(Decision::new(&position, &[]), &mut rng.clone());
                let other = lucky.choose(Decision::new(&position, &[]), &mut rng);
                if position.board().phase == Phase::Place {
                    placed += 1;
                    same += u32::from(m == other);
                } else {
                    assert_eq!(m, other);
                }
                position.play(m);
            }
        }
        assert!(placed > 100 && same > 0 && 3 * same < placed, "{same} of {placed} placements");
    }
}
