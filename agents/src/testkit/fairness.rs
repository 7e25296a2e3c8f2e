//! Fairness, a metamorphic test: re-deal what the view hides, get the same move.

use super::LONGEST;
use crate::agent::Agent;
use crate::batch::{Ending, Question};
use crate::decision::Decision;
use crate::game::{Event, Game, Turn};
use crate::kit::Entry;
use crate::kit::Tools;
use crate::registry;
use crate::rng::{Rng, Role, stream};
use crate::spec::AgentSpec;
use std::sync::atomic::AtomicBool;

/// Plays games with the same agents in all seats. Twins that are fresh in every game, with the same random numbers and histories, must
/// choose the same moves at re-dealt positions. Batched agents are asked by [`Agent::choose_batch`], one question at a time.
///
/// # Panics
/// When an agent's move depends on something hidden or on earlier games, is illegal or does not come, or a game does not end.
pub fn fairness<G: Game>(name: &str, make: &dyn Fn() -> Box<dyn Agent<G>>, rules: &G::Rules, games: u64) {
    let mut agents = Vec::new();
    for index in 0..games {
        let mut position = G::deal(rules, &mut stream(2, index, Role::Deal));
        let mut chance = stream(2, index, Role::Chance);
        let mut redeal = stream(3, index, Role::Deal);
        let seats = position.seats();
        agents.resize_with(seats, make);
        let seated = agents.iter_mut().enumerate();
        let mut seated: Vec<_> = seated
            .map(|(seat, agent)| {
                (agent, make(), stream(2, index, Role::Agent(seat)), stream(2, index, Role::Agent(seat)))
            })
            .collect();
        for (agent, twin, ..) in &mut seated {
            for agent in [&mut **agent, twin] {
                if agent.batch().is_none() {
                    agent.begin_game();
                }
            }
        }
        let or = if index == 0 { "" } else { ", or remembers an earlier game," };
        let mut history: Vec<Event<G>> = Vec::new();
        for ply in 0.. {
            assert!(ply < LONGEST, "{name}, seed 2, game {index}: the game does not end");
            match position.turn() {
                Turn::Over => {
                    for (seat, (agent, twin, ..)) in seated.iter_mut().enumerate() {
                        // Of a result the testkit knows utilities alone.
                        let won = position.utility(seat) == 1.0;
                        let ending = Ending { game: index, seat, won, score: position.utility(seat) };
                        for agent in [&mut **agent, twin].into_iter().filter(|agent| agent.batch().is_some())
                        {
                            agent.end_game(&ending);
                        }
                    }
                    break;
                }
                turn @ (Turn::Chance | Turn::Shuffle) => {
                    let outcome = position.roll(&mut chance);
                    position.tell(Event::of_chance(turn, outcome), &mut history);
                }
                Turn::Player(seat) => {
                    let (agent, twin, rng, twin_rng) = &mut seated[seat];
                    let world = G::sample_world(&position.view(seat), &mut redeal);
                    let [decision, again] = [&position, &world]
                        .map(|position| Decision::new(position, &history).told_to(&***agent));
                    let m = ask(agent, (name, index), decision, rng);
                    let other = ask(twin, (name, index), again, twin_rng);
                    assert!(
                        position.is_legal(m),
                        "{name}: illegal move {m} in seed 2, game {index}, ply {ply}"
                    );
                    assert!(
                        m == other,
                        "{name} peeks{or} in seed 2, game {index}, ply {ply}: {m}, and {other} when re-dealt"
                    );
                    position.play(m);
                    position.tell(Event::Move(seat, m), &mut history);
                }
            }
        }
    }
}

/// The move of an agent in a game of this number, however it likes to be asked.
fn ask<G: Game>(
    agent: &mut Box<dyn Agent<G>>,
    (name, game): (&str, u64),
    decision: Decision<'_, G>,
    rng: &mut Rng,
) -> G::Move {
    if agent.batch().is_none() {
        return agent.choose(decision, rng);
    }
    let mut moves = Vec::new();
    let mut questions = [Question { game, decision, rng }];
    if let Err(error) = agent.choose_batch(&mut questions, &mut moves, &AtomicBool::new(false)) {
        panic!("{name} does not answer in seed 2, game {game}: {error}");
    }
    let [m] = moves[..] else { panic!("{name} has {} answers to one question", moves.len()) };
    m
}

/// Checks every entry. `budgets` are agent specs, such as `mcts:iterations=50`, in place of an agent's
/// defaults; all that name an agent are checked. Agents that the game cannot support are left out. Returns what was checked, for a
/// test that expects some agents.
///
/// # Panics
/// When an agent peeks, or when a budget is refused.
pub fn all_agents_are_fair<G: Tools>(
    entries: &[Entry<G>],
    game: &str,
    rules: &G::Rules,
    games: u64,
    budgets: &[&str],
) -> Vec<String> {
    let mut checked = Vec::new();
    for entry in entries {
        let given = budgets.iter().copied().filter(|text| text.split(':').next() == Some(entry.name));
        let mut called: Vec<&str> = given.collect();
        let by_default = called.is_empty();
        if by_default {
            called.push(entry.name);
        }
        for text in called {
            let spec: AgentSpec = text.parse().unwrap_or_else(|error| panic!("budget {text}: {error}"));
            match registry::prepare(entries, game, &spec, rules) {
                Ok(prepared) => {
                    fairness(text, &|| prepared.make(), rules, games);
                    checked.push(text.to_owned());
                }
                Err(error) => assert!(by_default, "budget {text}: {error}"),
            }
        }
    }
    checked
}
