//! Encodings of all games: actions spell the moves and nothing else, and observations are as documented.

use super::common::documentation_is;
use super::shown::rules;
use knave::agents::encoding::{Encoding, Part, Spelling};
use knave::agents::options::fields;
use knave::agents::rng::{Role, below, stream};
use knave::agents::{Rng, Turn};
use knave::games::{BuiltIn, CardGame, GameList as _, Visitor, read_rules};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Every action of a legal spelling is one of the game's, every move has its own spelling, and none is the beginning of another:
/// otherwise a learner could play a move that it did not mean. What is written has all parts, in [0, 1], for every seat and for
/// every beginning of a move.
#[test]
fn actions_spell_moves_and_observations_have_their_parts() {
    #[derive(Clone)]
    struct Check;
    impl Visitor for Check {
        type Output = ();
        fn visit<G: CardGame>(self) {
            for (i, text) in rules(G::NAME).iter().enumerate() {
                let given = fields("rules", text.split(' ').filter(|text| !text.is_empty())).unwrap();
                let rules = read_rules::<G>(&given).unwrap();
                let encoding = G::kit(&rules).encoding.expect("every game of Knave's own becomes arrays");
                for game in 0..12 {
                    play::<G>(&rules, &encoding, &mut stream(i as u64, game, Role::Chance));
                }
            }
        }
    }
    BuiltIn::each(Check);
}

fn play<G: CardGame>(rules: &G::Rules, encoding: &Encoding<G>, rng: &mut Rng) {
    let mut position = G::deal(rules, rng);
    let (mut moves, mut row) = (Vec::new(), vec![0.0; encoding.observation_length()]);
    let mut observe = |position: &G, begun: &[u16]| {
        for seat in 0..position.seats() {
            row.fill(f32::NAN);
            encoding.write(&position.view(seat), begun, &mut row);
            assert!(row.iter().all(|number| (0.0..=1.0).contains(number)), "{}: {row:?}", G::NAME);
        }
    };
    loop {
        observe(&position, &[]);
        match position.turn() {
            Turn::Over => break,
            Turn::Player(seat) => {
                let view = position.view(seat);
                position.moves(&mut moves);
                let spellings: Vec<Spelling> = moves.iter().map(|&m| (encoding.spell)(&view, m)).collect();
                let known = 0..encoding.action_count() as u16;
                assert!(spellings.iter().flatten().all(|action| known.contains(action)), "{}", G::NAME);
                let mut sorted: Vec<_> = spellings.iter().collect();
                sorted.sort_unstable();
                for pair in sorted.windows(2) {
                    assert!(!pair[1].starts_with(pair[0]), "{}: {:?} and {:?}", G::NAME, pair[0], pair[1]);
                }
                let pick = below(rng, moves.len() as u32) as usize;
                for begun in 1..spellings[pick].len() {
                    observe(&position, &spellings[pick][..begun]);
                }
                position.play(moves[pick]);
            }
            _ => {
                position.roll(rng);
            }
        }
    }
}

/// What a learner sees tells apart what matters: of the positions of some games, all with different views have different
/// observations. A part that was written from the wrong field, or not at all, would merge them.
#[test]
fn different_views_look_different() {
    #[derive(Clone)]
    struct Check;
    impl Visitor for Check {
        type Output = ();
        fn visit<G: CardGame>(self) {
            let rules = G::Rules::default();
            let encoding = G::kit(&rules).encoding.expect("every game of Knave's own becomes arrays");
            let (mut views, mut rows) = (Vec::new(), BTreeSet::new());
            let mut buffer = Vec::new();
            for game in 0..8 {
                let rng = &mut stream(9, game, Role::Chance);
                let mut position = G::deal(&rules, rng);
                while position.turn() != Turn::Over {
                    let Turn::Player(seat) = position.turn() else {
                        position.roll(rng);
                        continue;
                    };
                    let view = position.view(seat);
                    if !views.contains(&view) {
                        let mut row = vec![0.0; encoding.observation_length()];
                        encoding.write(&view, &[], &mut row);
                        rows.insert(row.iter().map(|number| number.to_bits()).collect::<Vec<_>>());
                        views.push(view);
                    }
                    let m = position.random_move(&mut buffer, rng);
                    position.play(m);
                }
            }
            let (views, rows) = (views.len(), rows.len());
            assert_eq!(rows, views, "{}: {rows} observations of {views} views", G::NAME);
        }
    }
    BuiltIn::each(Check);
}

/// The documentation lists every position of an observation and every action as they are.
#[test]
fn the_documentation_lists_every_part() {
    #[derive(Clone)]
    struct Document;
    impl Visitor for Document {
        type Output = String;
        fn visit<G: CardGame>(self) -> String {
            let encoding =
                G::kit(&G::Rules::default()).encoding.expect("every game of Knave's own becomes arrays");
            let table = |head: &str, parts: &[Part]| {
                let (mut text, mut from) = (format!("| {head} | part | meaning |\n|---|---|---|\n"), 0);
                for Part { name, length, meaning } in parts {
                    text += &format!("| {from} to {} | `{name}` | {meaning} |\n", from + length - 1);
                    from += length;
                }
                text
            };
            let (observation, actions) = (encoding.observation_length(), encoding.action_count());
            assert!(actions <= 500, "a learner's last layer has a unit for each action");
            format!(
                "## {}\n\nAn observation has {observation} numbers, and there are {actions} actions.\n\n{}\n{}",
                G::NAME,
                table("positions", encoding.observation),
                table("actions", encoding.actions)
            )
        }
    }
    let text = BuiltIn::each(Document).join("\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/encodings.md");
    let documented = fs::read_to_string(&path).unwrap_or_default();
    let (head, _) = documented.split_once("\n## ").unwrap_or((documented.as_str(), ""));
    documentation_is(&path, &format!("{}\n\n{text}", head.trim_end()));
}
