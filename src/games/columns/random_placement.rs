//! The option `placement` of the agents: how much is it worth to place the dice well?

use super::{Columns, Move, Phase, Rules};
use clap::{Args, ValueEnum};
use knave_agents::options::OptionError;
use knave_agents::registry::{Configure, Entry};
use knave_agents::{Agent, Decision, Rng};
use serde::Serialize;

/// Who places the dice.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// The agent.
    Own,
    /// Luck: all placements with the same probability. The agent does the rest.
    Random,
}

/// The options of an agent and `placement`. (The name must not be that of the agent's own options.)
#[derive(Clone, Debug, Args, Serialize)]
pub struct WithPlacement<O: Args> {
    #[command(flatten)]
    #[serde(flatten)]
    options: O,
    /// Who places the dice: the agent, or luck
    #[arg(long, default_value = "own", value_enum)]
    placement: Placement,
}

/// An agent that may have its dice placed at random.
#[derive(Clone)]
pub struct Placing<A> {
    agent: A,
    placement: Placement,
    moves: Vec<Move>,
}

impl<A: Configure<Columns>> Configure<Columns> for Placing<A> {
    const NAME: &'static str = A::NAME;
    const SUMMARY: &'static str = A::SUMMARY;
    type Options = WithPlacement<A::Options>;

    fn configure(options: &Self::Options, rules: &Rules) -> Result<Self, OptionError> {
        let agent = A::configure(&options.options, rules)?;
        Ok(Self { agent, placement: options.placement, moves: Vec::new() })
    }
}

impl<A: Agent<Columns>> Agent<Columns> for Placing<A> {
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
        let idle =
            || view.hand.is_empty() && view.others() == 0 && view.stock == 0 && view.board.stolen.is_empty();
        if view.board.phase == Phase::Place && (self.placement == Placement::Random || idle()) {
            return decision.random_move(&mut self.moves, rng);
        }
        self.agent.choose(decision, rng)
    }
}

/// The agents that can play every game, with the option; `random` places at random anyway.
pub fn agents() -> Vec<Entry<Columns>> {
    use knave_agents::players::{flat::Flat, greedy::Greedy, mcts::Mcts, random::Random, rule::Rule};
    vec![
        Entry::of::<Random<Columns>>(),
        Entry::of::<Placing<Greedy<Columns>>>(),
        Entry::of::<Placing<Rule<Columns>>>(),
        Entry::of::<Placing<Flat<Columns>>>(),
        Entry::of::<Placing<Mcts<Columns>>>(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use knave_agents::rng::stream;
    use knave_agents::{Game as _, Role, Turn, registry};

    /// An agent that can play every game must not be missing here.
    #[test]
    fn no_agent_is_left_out() {
        let names = |entries: Vec<Entry<Columns>>| entries.iter().map(|entry| entry.name).collect::<Vec<_>>();
        assert_eq!(names(agents()), names(registry::agents()));
    }

    /// With `placement=random` the cards are played as ever and only the dice are not placed as the agent would.
    #[test]
    fn only_the_dice_are_left_to_luck() {
        let rules = Rules::default();
        let agent = |name: &str| {
            let spec = name.parse().unwrap();
            registry::prepare(&agents(), "columns", &spec, &rules).unwrap().make()
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
