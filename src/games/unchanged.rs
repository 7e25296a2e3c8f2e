//! What a game and its players do, to the letter. Other tests say that it is right; these, that it is the same as before.

use super::{CardGame, Cell, Tally as _};
use fnv::FnvHasher;
use knave_agents::rng::{Role, stream};
use knave_agents::{Decision, Event, StepList, Turn, options, registry};
use std::fmt::Write as _;
use std::hash::Hasher as _;

/// The games of these players under these rules, a line for each pair: how often each end came, and a check sum of all decks,
/// random events, legal moves, steps, moves, scores and counts.
pub fn games<G: CardGame>(agents: &[&str], rules: &[&str], games: u64) -> String {
    let mut lines = String::new();
    for text in rules {
        let fields = options::fields("rules", text.split(' ').filter(|text| !text.is_empty())).unwrap();
        let rules: G::Rules = options::read("rules", &fields).unwrap();
        for agent in agents {
            let _ = writeln!(lines, "{text:?} {agent}: {}", play::<G>(agent, &rules, games));
        }
    }
    lines
}

fn play<G: CardGame>(agent: &str, rules: &G::Rules, games: u64) -> String {
    let entries = registry::agents(&G::kit(rules));
    let prepared = match registry::prepare(&entries, G::NAME, &agent.parse().unwrap(), rules) {
        Ok(prepared) => prepared,
        Err(error) => return error.to_string(),
    };
    let mut sum = FnvHasher::default();
    let mut note = |text: &dyn std::fmt::Display| sum.write(format!("{text} ").as_bytes());
    let (mut table, mut ends, mut tally) = (Vec::new(), Vec::new(), G::Tally::new(rules));
    let (mut moves, mut steps) = (Vec::new(), StepList::default());
    for index in 0..games {
        let mut position = G::deal(rules, &mut stream(8, index, Role::Deal));
        let mut chance = stream(8, index, Role::Chance);
        let mut randoms: Vec<_> =
            (0..position.seats()).map(|seat| stream(8, index, Role::Agent(seat))).collect();
        table.resize_with(position.seats(), || prepared.make());
        table.iter_mut().for_each(|agent| agent.begin_game());
        position.deck().iter().for_each(|card| note(card));
        let mut history = Vec::new();
        loop {
            match position.turn() {
                Turn::Over => break,
                turn @ (Turn::Chance | Turn::Shuffle) => {
                    let recorded = position.chance_is_recorded();
                    let outcome = position.roll(&mut chance);
                    if recorded {
                        note(
                            &serde_json::to_string(&G::chance_record(&outcome).map(|it| format!("{it:?}")))
                                .unwrap(),
                        );
                    }
                    let event = if turn == Turn::Chance { Event::Chance(outcome) } else { Event::Shuffle };
                    tally.event(&position, &event);
                    history.push(event);
                }
                Turn::Player(seat) => {
                    position.moves(&mut moves);
                    moves.iter().for_each(|m| note(m));
                    position.steps(&mut steps);
                    steps.iter().flatten().for_each(|m| note(m));
                    let agent = &mut table[seat];
                    let past: &[Event<G>] = if agent.uses_history() { &history } else { &[] };
                    let m = agent.choose(Decision::new(&position, past), &mut randoms[seat]);
                    note(&format!("{seat}: {m}"));
                    tally.event(&position, &Event::Move(seat, m));
                    history.push(Event::Move(seat, m));
                    position.play(m);
                }
            }
        }
        tally.finish(&position);
        for seat in 0..position.seats() {
            note(&position.score(seat));
            note(&position.utility(seat));
        }
        ends.push(position.end());
        // Where the random numbers stand tells how many were drawn.
        randoms.iter_mut().for_each(|rng| note(&rand::Rng::next_u64(rng)));
    }
    for seat in 0..table.len() {
        tally.rows(seat).iter().for_each(|row| note(&format!("{} {} {}", row.measure, row.key, row.count)));
        for form in G::Tally::TABLES {
            tally.table(form.file, &[seat]).iter().flatten().for_each(|cell| note(&shown(cell)));
        }
    }
    ends.sort_unstable();
    let kinds: Vec<String> =
        ends.chunk_by(|a, b| a == b).map(|same| format!("{} {}", same.len(), same[0])).collect();
    format!("{}; {:016x}", kinds.join(", "), sum.finish())
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Number(number) => number.to_string(),
        Cell::Empty => String::new(),
    }
}
