//! Requests: agents, rules, presets, studies and files of deals. What is accepted has one meaning, which its record keeps.

use super::{GameTarget, of_any_game, registry};
use crate::choices::Choices;
use crate::{mutate, random, seeds};
use knave::agents::options::{self, Fields};
use knave::agents::presets::Preset;
use knave::experiment::Study;
use knave::games::{self, CardGame};
use knave::studies::{Planner as _, Request, run, solve};
use knave_agents::AgentSpec;
use serde::Deserialize as _;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;

/// Agents as a command line names them.
const AGENTS: [&str; 13] = [
    "random",
    "greedy:evaluator=rule",
    "rule:policy=rule",
    "flat:worlds=3,rollout=random,halving=true",
    "mcts:iterations=20,c=0.5,rollout=none,leaf=,widen_alpha=1,width=4",
    "mcts:iterations=9,paired=true",
    "expectimax:leaf=rule,depth=2",
    "mcts:prior_visits=8,end_game=1000",
    "rule:placement=random",
    "fast",
    "strong",
    "best:iterations=9",
    "flat:rollout_depth=2",
];

/// A request that was accepted is accepted as it was recorded, and that says the same.
///
/// # Panics
/// When it does not.
fn planned(request: &Request) -> bool {
    let Ok(plan) = registry().plan(request) else { return false };
    let record = plan.record();
    let again = Request::recorded(&record).unwrap_or_else(|error| panic!("a record cannot be read: {error}"));
    let again = registry().plan(&again).unwrap_or_else(|error| panic!("a record is refused: {error}"));
    assert_eq!(again.record(), record, "a record of a record is another");
    let text = serde_json::to_string(request).unwrap_or_default();
    let read: Request = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read, *request, "{text}: read back");
    true
}

fn a_run(game: &str, rules: Fields, agents: Vec<AgentSpec>) -> Request {
    Request::Run(run::Request { game: game.to_owned(), rules, cards: None, agents, n: 1, seed: 1 })
}

/// Agents by text and as data.
pub fn agents(choices: &mut Choices<'_>) {
    let (seed, other) = (*choices.pick(&AGENTS), *choices.pick(&AGENTS));
    let spec = if choices.once_in(2) {
        mutate::utf8(seed, other, choices).parse::<AgentSpec>().ok()
    } else {
        let spec: Option<AgentSpec> = seed.parse().ok();
        let data =
            spec.map(|spec| json!({ "agent": spec.name, "options": spec.options, "label": spec.label }));
        serde_json::from_str(&mutate::document(&data.unwrap_or_default(), other, choices)).ok()
    };
    let Some(spec) = spec else { return };
    let data = serde_json::to_value(&spec).unwrap_or_default();
    let read = AgentSpec::deserialize(&data).unwrap_or_else(|error| panic!("{data}: {error}"));
    assert_eq!(read, spec, "{data}: read back");
    // A path leads anywhere; presets have a target of their own.
    if !spec.name.ends_with(".toml") {
        let game = *choices.pick(&games::names());
        planned(&a_run(game, Fields::new(), vec![spec]));
    }
}

/// Options of the rules as data.
pub fn rules(choices: &mut Choices<'_>) {
    struct Rules;
    impl GameTarget for Rules {
        fn run<G: CardGame>(&self, choices: &mut Choices<'_>) {
            let (_, seed) = random::rules::<G>(choices);
            let Ok(Value::Object(given)) =
                serde_json::from_str(&mutate::document(&Value::Object(seed), "{\"health\":3}", choices))
            else {
                return;
            };
            let Ok(rules) = games::read_rules::<G>(&given) else { return };
            let recorded = options::recorded(&rules);
            for (name, value) in &given {
                // An option that records leave out where it has its default.
                let Some(read) = recorded.get(name) else { continue };
                assert!(means(value, read), "{}: {name}={value} is read as {read}", G::NAME);
            }
            planned(&a_run(G::NAME, given, vec![a_random_player()]));
            let again = games::read_rules::<G>(&recorded).map(|rules| options::recorded(&rules));
            assert_eq!(again, Ok(recorded), "{}: recorded rules", G::NAME);
            let (mut position, _) = random::deal::<G>(&rules, choices, 3);
            random::play_on(&mut position, 40, choices);
        }
    }
    of_any_game(&Rules, choices);
}

fn a_random_player() -> AgentSpec {
    AgentSpec { name: "random".to_owned(), options: Fields::new(), label: None }
}

/// Whether a given value, which may be the text of another, is what was read.
fn means(given: &Value, read: &Value) -> bool {
    let number = |value: &Value| options::shown(value).trim().parse::<f64>().ok();
    match (given, read) {
        _ if given == read => true,
        (_, Value::Number(_)) => number(given) == number(read),
        (Value::String(text), Value::Array(list)) => {
            let labels = text.trim().trim_start_matches('[').trim_end_matches(']').split(',');
            let labels: Vec<i64> = labels.filter_map(|label| label.trim().parse().ok()).collect();
            labels.into_iter().map(Value::from).eq(list.iter().cloned())
        }
        _ => options::shown(given) == options::shown(read),
    }
}

/// Preset files.
pub fn presets(choices: &mut Choices<'_>) {
    let seeds = seeds::presets();
    let text = mutate::utf8(choices.pick(seeds), choices.pick(seeds), choices);
    let Ok(preset) = Preset::parse("preset.toml", &text) else { return };
    let game = *choices.pick(&games::names());
    let (agent, options) = preset.for_game(game);
    assert!(!options.contains_key("agent") || agent == preset.agent, "an agent is no option");
    in_file(&text, ".toml", |path| {
        let spec = AgentSpec { name: path.display().to_string(), options: Fields::new(), label: None };
        planned(&a_run(game, Fields::new(), vec![spec]));
    });
}

/// Study files.
///
/// # Panics
/// When a study is accepted that should not be.
pub fn studies(choices: &mut Choices<'_>) {
    let seeds = seeds::studies();
    let text = mutate::utf8(choices.pick(seeds), choices.pick(seeds), choices);
    let Ok(study) = Study::read("study.toml", &text) else { return };
    let lines = text.matches('\n').count() + 1;
    for (i, cell) in study.cells.iter().enumerate() {
        let fields = ["", "game", "agents", "rules", "n", "seed", "until", "nowhere"];
        assert!(fields.iter().all(|field| (1..=lines).contains(&cell.line(field))), "a line that is none");
        assert!(cell.n > 0, "a cell of nothing");
        assert!(study.cells[..i].iter().all(|other| other.name != cell.name), "two cells are {}", cell.name);
        // A few of them: cells of one block differ in little.
        if i < 4 && planned(&cell.request) {
            let name = Path::new(&cell.name);
            assert_eq!(name.file_name(), Some(name.as_os_str()), "{} is no name of a folder", cell.name);
        }
    }
}

/// Files of deals, and decks.
///
/// # Panics
/// When a deck is accepted that cannot be dealt.
pub fn deals(choices: &mut Choices<'_>) {
    let all = seeds::transcripts();
    let seed = &choices.pick(all).1;
    let Some(game) = seed["game"].as_str() else { return };
    let bare = json!({ "deck": seed["deck"], "rules": seed["rules"] });
    let seed = if choices.once_in(2) { seed } else { &bare };
    let line = mutate::document(seed, &all[0].0, choices);
    let short_deck = choices.once_in(2);
    let request = |path: &Path| {
        Request::Solve(solve::Request {
            game: game.to_owned(),
            rules: Fields::new(),
            objective: None,
            budget: Some(10),
            n: 0,
            seed: 0,
            deals: Some(solve::DealsFile { file: path.to_owned(), fnv1a: None }),
            short_deck,
        })
    };
    in_file(&line, ".jsonl", |path| planned(&request(path)));
    let deck = serde_json::from_str::<Value>(&line)
        .ok()
        .and_then(|line| serde_json::from_value(line["deck"].clone()).ok());
    let Some(deck) = deck else { return };
    struct Deck(Vec<knave::cards::Card>);
    impl games::Visitor for Deck {
        type Output = ();
        fn visit<G: CardGame>(self) {
            let Ok(position) = G::from_deck(&G::Rules::default(), &self.0) else { return };
            let full = G::full_deck();
            let right =
                |(i, card): (usize, &knave::cards::Card)| full.contains(card) && !self.0[..i].contains(card);
            assert!(self.0.iter().enumerate().all(right), "{}: {:?} is no deck", G::NAME, self.0);
            let again = G::from_deck(&G::Rules::default(), &position.deck());
            let views =
                |position: &G| (0..position.seats()).map(|seat| position.view(seat)).collect::<Vec<_>>();
            assert!(again.is_ok_and(|again| views(&again) == views(&position)), "{}: another deal", G::NAME);
            let mut choices = Choices::new(&[]);
            let mut end = position;
            random::play_on(&mut end, 200, &mut choices);
        }
    }
    let _ = games::visit(game, Deck(deck));
}

/// Writes a text to a file, and removes it after its use.
fn in_file<T>(text: &str, ending: &str, with: impl FnOnce(&Path) -> T) -> T {
    let mut file = tempfile::Builder::new()
        .suffix(ending)
        .tempfile()
        .unwrap_or_else(|error| panic!("no file can be made: {error}"));
    file.write_all(text.as_bytes()).unwrap_or_else(|error| panic!("no file can be written: {error}"));
    with(file.path())
}
