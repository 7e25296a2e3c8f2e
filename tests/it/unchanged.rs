//! What games and their players do, to the letter. Other tests say that it is right; these, that it is the same as before.

use fnv::FnvHasher;
use knave::games::{self, CardGame, Cell, Tally as _, Visitor};
use knave_agents::rng::{Role, stream};
use knave_agents::{Decision, Event, StepList, Turn, options, registry};
use std::fmt::Write as _;
use std::hash::Hasher as _;

/// By game: its players, the options of its rules, and how many games are played of each pair.
type Case = (&'static str, &'static [&'static str], &'static [&'static str], u64);

const CASES: &[Case] = &[
    (
        "dungeon",
        &[
            "random",
            "greedy",
            "greedy:solver_nodes=10000",
            "rule",
            "fast",
            "flat:worlds=6",
            "mcts:iterations=20",
            "mcts:iterations=20,rollout=random,leaf=none",
            "mcts:iterations=20,leaf=rule",
            "expectimax:nodes=400",
        ],
        &[
            "",
            "weapon_limit=below avoid_order=shuffled",
            "unfaced=pile health=9 objective=score",
            "health=40 avoid_order=shuffled",
        ],
        8,
    ),
    (
        "verslun",
        &[
            "random",
            "greedy",
            "greedy:solver_nodes=10000",
            "rule",
            "fast",
            "flat:worlds=3",
            "mcts:iterations=8",
            "expectimax:nodes=200",
        ],
        &[
            "",
            "aces_wild=true match=suit_or_rank hand=4",
            "match=suit_or_rank columns=3 target=150",
            "hand=8 columns=2",
            "aces_wild=true columns=8",
        ],
        5,
    ),
    (
        "columns",
        &[
            "random",
            "greedy",
            "rule",
            "fast",
            "mcts:iterations=5",
            "mcts:iterations=20,width=8,others=evaluator",
        ],
        &["", "finish=exact max_rounds=12"],
        3,
    ),
    (
        "doubles",
        &[
            "random",
            "greedy",
            "rule",
            "fast",
            "flat:worlds=4",
            "mcts:iterations=10",
            "mcts:iterations=60,width=4",
        ],
        &[
            "",
            "players=4 cards=5 teams=0,1,0,1",
            "players=7 cards=2 target=30 max_rolls=60",
            "players=3 cards=1",
        ],
        4,
    ),
    (
        "whist",
        &[
            "random",
            "greedy",
            "rule",
            "fast",
            "flat:worlds=4",
            "mcts:iterations=8",
            "mcts:iterations=8,rollout=none,leaf=,inference=8",
            "mcts:iterations=40,rollout=none,leaf=,width=4",
        ],
        &["", "scoundrels=free ace=1 count=hilo", "ace=0"],
        3,
    ),
];

/// No player plays otherwise than it did, and no rule, legal move or count is another, until somebody says why.
#[test]
fn games_are_what_they_were() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for name in games::names() {
        let case = CASES.iter().find(|case| case.0 == name);
        let case = case.unwrap_or_else(|| panic!("{name} has no case"));
        let shown = games::visit(name, Unchanged(case)).unwrap();
        settings.bind(|| insta::assert_snapshot!(format!("unchanged-{name}"), shown));
    }
}

#[derive(Copy, Clone)]
struct Unchanged(&'static Case);

impl Visitor for Unchanged {
    type Output = String;

    fn visit<G: CardGame>(self) -> String {
        let (_, agents, rules, count) = self.0;
        played::<G>(agents, rules, *count)
    }
}

/// The games of these players under these rules, a line for each pair: how often each end came, and a checksum of all decks,
/// random events, legal moves, steps, moves, scores and counts.
fn played<G: CardGame>(agents: &[&str], rules: &[&str], games: u64) -> String {
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
                    position.tell(event, &mut history);
                }
                Turn::Player(seat) => {
                    position.moves(&mut moves);
                    moves.iter().for_each(|m| note(m));
                    position.steps(&mut steps);
                    steps.iter().flatten().for_each(|m| note(m));
                    let agent = &mut table[seat];
                    let decision = Decision::new(&position, &history).told_to(&**agent);
                    let m = agent.choose(decision, &mut randoms[seat]);
                    note(&format!("{seat}: {m}"));
                    tally.event(&position, &Event::Move(seat, m));
                    position.play(m);
                    position.tell(Event::Move(seat, m), &mut history);
                }
            }
        }
        tally.finish(&position, |seat| position.won(seat));
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
