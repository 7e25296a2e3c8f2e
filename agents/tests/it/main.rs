//! What is promised of agents and of the testkit, checked from outside on games with exact answers.

mod chance_correction;
mod exact;
mod face_down;
mod flaws;
mod hidden;
mod learn;
mod naming;
mod passing;
mod policy_gradient;
mod small;
mod toys;
mod unchanged;

use knave_agents::rng::{Role, stream};
use knave_agents::{AgentSpec, Decision, Entry, Event, Tools, Turn, Values, registry};

/// The agent that a spec names, with its options fixed.
fn prepared<G: Tools>(entries: &[Entry<G>], spec: &str, rules: &G::Rules) -> registry::Prepared<G> {
    let spec: AgentSpec = spec.parse().unwrap();
    registry::prepare(entries, "toy", &spec, rules).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// The regret of an agent that plays all seats of `games` games. It is the sum over decisions of the exact
/// value of the best move less that of its move. Returns the mean per game and the number of decisions.
fn regret<G: Tools>(
    entries: &[Entry<G>],
    spec: &str,
    rules: &G::Rules,
    games: u64,
    exact: &dyn Fn(&G) -> Values,
) -> (f64, u32) {
    let prepared = prepared(entries, spec, rules);
    let (mut lost, mut decisions) = (0.0, 0);
    for index in 0..games {
        let mut position = G::deal(rules, &mut stream(5, index, Role::Deal));
        let mut chance = stream(5, index, Role::Chance);
        let mut table: Vec<_> = (0..position.seats())
            .map(|seat| (prepared.make(), stream(5, index, Role::Agent(seat))))
            .collect();
        for (agent, _) in &mut table {
            agent.begin_game();
        }
        let mut history = Vec::new();
        let mut moves = Vec::new();
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    let outcome = position.roll(&mut chance);
                    position.tell(Event::Chance(outcome), &mut history);
                }
                Turn::Shuffle => {
                    position.roll(&mut chance);
                    position.tell(Event::Shuffle, &mut history);
                }
                Turn::Player(seat) => {
                    let (agent, rng) = &mut table[seat];
                    let decision = Decision::new(&position, &history).told_to(&**agent);
                    let chosen = agent.choose(decision, rng);
                    assert!(position.is_legal(chosen), "{spec}: illegal {chosen}");
                    position.moves(&mut moves);
                    if moves.len() > 1 {
                        decisions += 1;
                        let value = |m| {
                            let mut after = position.clone();
                            after.play(m);
                            exact(&after)[seat]
                        };
                        let best = moves.iter().map(|&m| value(m)).fold(0.0, f64::max);
                        lost += best - value(chosen);
                    }
                    position.play(chosen);
                    history.push(Event::Move(seat, chosen));
                }
            }
        }
    }
    (lost / games as f64, decisions)
}
