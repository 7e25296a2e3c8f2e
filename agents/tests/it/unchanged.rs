//! What every player plays, to the letter: moves and random numbers of whole games on games small enough to play thousands of.
//! Other tests say that play is good; this one, that it is the same as before.

use crate::prepared;
use knave_agents::players::expectimax::Expectimax;
use knave_agents::rng::{Role, stream};
use knave_agents::toys::kuhn::Kuhn;
use knave_agents::toys::ladder::{Ladder, Rules};
use knave_agents::toys::pig::Pig;
use knave_agents::toys::tree::Tree;
use knave_agents::{Decision, Entry, EnumerableChance, Event, Notation, Tools, Turn, registry};
use std::hash::Hasher as _;

/// The checksum of all games of a player, or why it cannot play.
fn games<G: Tools + Notation>(entries: &[Entry<G>], spec: &str, rules: &G::Rules, games: u64) -> String {
    let parsed = spec.parse().unwrap();
    if let Err(error) = registry::prepare(entries, "toy", &parsed, rules) {
        return error.to_string();
    }
    let prepared = prepared(entries, spec, rules);
    let mut text = fnv::FnvHasher::default();
    // The same copies play all games, so that nothing of one may be left for the next.
    let mut table: Vec<_> = Vec::new();
    for index in 0..games {
        let mut position = G::deal(rules, &mut stream(8, index, Role::Deal));
        let mut chance = stream(8, index, Role::Chance);
        table.resize_with(position.seats(), || prepared.make());
        let mut randoms: Vec<_> =
            (0..position.seats()).map(|seat| stream(8, index, Role::Agent(seat))).collect();
        table.iter_mut().for_each(|agent| agent.begin_game());
        let mut history = Vec::new();
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
                    let (agent, rng) = (&mut table[seat], &mut randoms[seat]);
                    let decision = Decision::new(&position, &history).told_to(&**agent);
                    let m = agent.choose(decision, rng);
                    text.write(m.to_string().as_bytes());
                    text.write(b" ");
                    history.push(Event::Move(seat, m));
                    position.play(m);
                }
            }
        }
        // Where the random numbers stand tells how many were drawn.
        randoms.iter_mut().for_each(|rng| text.write_u64(rand::Rng::next_u64(rng)));
    }
    format!("{:016x}", text.finish())
}

const SPECS: &[&str] = &[
    "random",
    "greedy",
    "greedy:steps=turns",
    "greedy:solver_nodes=1000",
    "rule",
    "rule:solver_nodes=0",
    "flat:worlds=12",
    "flat:worlds=12,steps=moves,rollout=random",
    "flat:worlds=12,halving=true,rollout=random",
    "flat:worlds=40,halving=true,steps=moves",
    "flat:worlds=12,min_z=1,rollout=rule",
    "flat:worlds=12,min_z=3,rollout=rule",
    "flat:worlds=24,min_z=1,drop_z=1,rollout=rule",
    "flat:worlds=12,rollout=greedy,rollout_depth=2,leaf=",
    "flat:worlds=12,rollout=random,rollout_depth=1,leaf=",
    "flat:worlds=12,rollout=none,leaf=",
    "flat:worlds=12,rollout=rule,rollout_depth=1,leaf=",
    "flat:worlds=6,solver_nodes=0",
    "mcts:iterations=40",
    "mcts:iterations=40,rollout=random",
    "mcts:iterations=40,rollout=random,steps=moves",
    "mcts:iterations=40,rollout=greedy",
    "mcts:iterations=40,rollout=none,leaf=",
    "mcts:iterations=40,rollout=none,leaf=,steps=moves,prior_visits=5",
    "mcts:iterations=40,rollout=none,leaf=,width=2",
    "mcts:iterations=40,rollout=none,leaf=,width=1,steps=moves",
    "mcts:iterations=60,rollout=random,widen_k=3,widen_alpha=0.3",
    "mcts:iterations=60,rollout=random,widen_alpha=1",
    "mcts:iterations=60,rollout=random,widen_k=2,widen_alpha=0",
    "mcts:iterations=40,rollout=random,paired=true",
    "mcts:iterations=40,rollout=random,reuse=false",
    "mcts:iterations=40,rollout=none,leaf=,others=evaluator",
    "mcts:iterations=40,rollout=none,leaf=,others=evaluator,policy_share=0.5",
    "mcts:iterations=40,rollout=random,inference=20",
    "mcts:iterations=40,rollout=none,leaf=,inference=20,others=evaluator",
    "mcts:iterations=40,rollout=random,solver_nodes=0",
    "mcts:iterations=40,c=0,rollout=random",
    "mcts:iterations=200,c=2,rollout=random,steps=moves",
];

const EXPECTIMAX: &[&str] = &[
    "expectimax",
    "expectimax:depth=1",
    "expectimax:depth=2,steps=moves",
    "expectimax:depth=3,samples=3",
    "expectimax:depth=4,enumerate=2,samples=2",
    "expectimax:depth=4,enumerate=3,samples=2,nodes=60",
    "expectimax:depth=3,enumerate=2,samples=4,table=0",
    "expectimax:depth=3,enumerate=2,samples=2,nodes=9",
    "expectimax:depth=4,nodes=100",
    "expectimax:depth=5,leaf=none,nodes=500",
    "expectimax:depth=3,solver_nodes=0",
    "expectimax:nodes=30",
];

fn list<G: Tools + Notation>(name: &str, entries: &[Entry<G>], specs: &[&str], rules: &G::Rules) -> String {
    specs.iter().map(|spec| format!("{name} {spec}: {}\n", games(entries, spec, rules, 20))).collect()
}

fn all<G: Tools + EnumerableChance + Notation>(name: &str, rules: &G::Rules) -> String {
    let mut entries = registry::general();
    entries.push(Entry::of::<Expectimax<G>>());
    list(name, &entries, SPECS, rules) + &list(name, &entries, EXPECTIMAX, rules)
}

/// Results are the same to the byte until somebody says why not: no player plays otherwise, or draws other random numbers,
/// than it did.
#[test]
fn players_play_as_they_did() {
    let tree = Tree::new(
        "c[1:0[1[90/10 20/80 c[1:50/50 2:10/90]] 0[1[50/50 60/40] 40/60]] 2:1[0[0/100 70/30] 55/45]]",
    );
    let shown = [
        all::<Pig>("pig", &20),
        all::<Ladder>("ladder", &Rules { cards: 6, shuffled: false }),
        all::<Ladder>("ladder, shuffled", &Rules { cards: 6, shuffled: true }),
        all::<Tree>("tree", tree.shape()),
        list::<Kuhn>("kuhn", &registry::agents(&Kuhn::kit(&())), SPECS, &()),
    ];
    insta::assert_snapshot!(shown.concat());
}
