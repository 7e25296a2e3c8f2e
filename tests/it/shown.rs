//! What players in other processes are told of views: nothing hidden, everything else, and as its schema says.

use fnv::FnvHashMap;
use knave::agents::rng::{Role, below, stream};
use knave::agents::{Seat, Shown, StepList, Turn, options, played};
use knave::games::cards::Card;
use knave::games::{BuiltIn, CardGame, GameList as _, Visitor, read_rules};
use rand::seq::SliceRandom as _;
use serde_json::Value;
use std::collections::BTreeMap;

/// Rules that differ in what a view holds. A new game is tested with its default rules, too.
pub(super) fn rules(game: &str) -> &'static [&'static str] {
    match game {
        "dungeon" => &["", "avoid_order=shuffled weapon_limit=below", "health=99 avoid_order=shuffled"],
        "verslun" => &["", "aces_wild=true match=suit_or_rank", "columns=11 hand=8", "columns=1 hand=20"],
        "columns" => &["", "finish=exact", "max_rounds=3"],
        "doubles" => &[
            "",
            "players=7",
            "players=3 cards=2 target=40",
            "players=4 teams=[0,1,0,1]",
            "max_rolls=2",
            "players=5 cards=1 max_rolls=3 target=60",
        ],
        "whist" => &["", "scoundrels=free", "ace=1 count=hilo"],
        _ => &[""],
    }
}

/// The options of rules in a line.
fn fields(text: &str) -> options::Fields {
    options::fields("rules", text.split(' ').filter(|text| !text.is_empty())).unwrap()
}

fn written<G: CardGame>(shown: &Shown<G>, view: &G::View) -> String {
    let mut out = Vec::new();
    shown.write(view, &mut out);
    String::from_utf8(out).unwrap()
}

/// A decision of a random game.
struct Asked<'a, G: CardGame> {
    rules: &'static str,
    game: u64,
    /// The number of decisions before it.
    number: usize,
    shown: &'a Shown<G>,
    position: &'a G,
    seat: Seat,
}

/// Plays so many random games under each of the rules, and calls `f` in every decision.
fn decisions<G: CardGame>(
    games: u64,
    deal: fn(&G::Rules, u64) -> Option<G>,
    mut f: impl FnMut(Asked<'_, G>),
) {
    for text in rules(G::NAME) {
        let rules = read_rules::<G>(&fields(text)).unwrap();
        let shown = &G::kit(&rules).shown.unwrap_or_else(|| panic!("{} shows nothing", G::NAME));
        for game in 0..games {
            let Some(mut position) = deal(&rules, game) else { break };
            let mut rng = stream(4, game, Role::Chance);
            let (mut buffer, mut number) = (Vec::new(), 0);
            loop {
                match position.turn() {
                    Turn::Over => break,
                    Turn::Chance | Turn::Shuffle => {
                        position.roll(&mut rng);
                    }
                    Turn::Player(seat) => {
                        f(Asked { rules: text, game, number, shown, position: &position, seat });
                        number += 1;
                        let m = position.random_move(&mut buffer, &mut rng);
                        position.play(m);
                    }
                }
            }
        }
    }
}

fn full<G: CardGame>(rules: &G::Rules, game: u64) -> Option<G> {
    Some(G::deal(rules, &mut stream(4, game, Role::Deal)))
}

/// Deals from short decks, from each so often that games come to the same position in different ways.
fn short<G: CardGame>(rules: &G::Rules, game: u64) -> Option<G> {
    let number = game / 100;
    let mut deck = G::full_deck();
    deck.shuffle(&mut stream(4, number, Role::Deal));
    let least = [12, 16, 26][number as usize % 3];
    (least..=deck.len()).find_map(|cards| G::from_deck(rules, &deck[..cards]).ok())
}

#[derive(Clone)]
struct Hidden;

impl Visitor for Hidden {
    type Output = ();

    fn visit<G: CardGame>(self) {
        let mut rng = stream(4, 0, Role::Agent(0));
        decisions::<G>(12, full, |asked| {
            let view = asked.position.view(asked.seat);
            let truth = written(asked.shown, &view);
            for _ in 0..2 {
                let world = G::sample_world(&view, &mut rng);
                assert_eq!(written(asked.shown, &world.view(asked.seat)), truth, "{}", G::NAME);
            }
        });
    }
}

/// In two positions that a seat cannot tell apart, it is told the same, to the byte.
#[test]
fn nothing_hidden_is_told() {
    BuiltIn::each(Hidden);
}

/// Whether these views come to the same: from worlds of both, the same moves are legal and lead to the same scores.
fn come_to_the_same<G: CardGame>(a: &G::View, b: &G::View) -> bool {
    let (mut luck, mut same_luck) = (stream(4, 0, Role::Chance), stream(4, 0, Role::Chance));
    let (mut a, mut b) = (G::sample_world(a, &mut luck), G::sample_world(b, &mut same_luck));
    let (mut moves, mut same_moves, mut rng) = (Vec::new(), Vec::new(), stream(4, 0, Role::Agent(0)));
    for _ in 0..300 {
        if a.turn() != b.turn() {
            return false;
        }
        match a.turn() {
            Turn::Over => return (0..a.seats()).all(|seat| a.score(seat) == b.score(seat)),
            Turn::Chance | Turn::Shuffle => {
                a.roll(&mut luck);
                b.roll(&mut same_luck);
            }
            Turn::Player(_) => {
                a.moves(&mut moves);
                b.moves(&mut same_moves);
                if moves != same_moves {
                    return false;
                }
                let m = moves[below(&mut rng, moves.len() as u32) as usize];
                a.play(m);
                b.play(m);
            }
        }
    }
    true
}

#[derive(Clone)]
struct Distinct;

impl Visitor for Distinct {
    type Output = ();

    fn visit<G: CardGame>(self) {
        // By rules, for they come with another message.
        let mut seen: FnvHashMap<(&str, String), G::View> = FnvHashMap::default();
        let mut moves = Vec::new();
        decisions::<G>(320, short, |asked| {
            // Later ones rarely come twice.
            if asked.number >= 20 {
                return;
            }
            asked.position.moves(&mut moves);
            let next = moves.iter().take(4).map(|&m| played(asked.position, &[m]));
            for position in std::iter::once(asked.position.clone()).chain(next) {
                let Turn::Player(seat) = position.turn() else { continue };
                let view = position.view(seat);
                let key = (asked.rules, written(asked.shown, &view));
                let other = seen.entry(key).or_insert_with(|| view.clone());
                let same = view == *other || come_to_the_same::<G>(&view, other);
                assert!(same, "{}: {view:?} and {other:?} are told alike", G::NAME);
            }
        });
        assert!(seen.len() > 500, "{}: {} views test little", G::NAME, seen.len());
    }
}

/// Different views are told differently, also where they are one move apart.
///
/// Some parts are left out that change nothing any more: the card of the dungeon that was faced last and the free slots, the
/// order of dice that are placed, who last won stakes, how the last trick was won. Views that differ in nothing else come
/// to the same.
#[test]
fn everything_known_is_told() {
    BuiltIn::each(Distinct);
}

#[derive(Clone)]
struct ReadAgain;

impl Visitor for ReadAgain {
    type Output = ();

    fn visit<G: CardGame>(self) {
        let mut hidden = 0;
        decisions::<G>(12, full, |asked| {
            let rules = read_rules::<G>(&fields(asked.rules)).unwrap();
            let view = asked.position.view(asked.seat);
            let told: Value = serde_json::from_str(&written(asked.shown, &view)).unwrap();
            let read =
                asked.shown.read(&rules, &told).unwrap_or_else(|| panic!("{} reads no views", G::NAME));
            let read = read.unwrap_or_else(|error| panic!("{}: {error}: {told}", G::NAME));
            assert!(read == view || come_to_the_same::<G>(&read, &view), "{}: {told}", G::NAME);
            hidden += 1;
        });
        assert!(hidden > 100, "{}: {hidden} views test little", G::NAME);
    }
}

/// What is told is enough to go on from: the view that is read again leads to the same games.
#[test]
fn views_are_read_again() {
    BuiltIn::each(ReadAgain);
}

/// Every place in a document, as a pointer.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| places(value, &format!("{at}/{name}"), out));
        }
        Value::Array(items) => {
            (0..items.len()).for_each(|i| places(&items[i], &format!("{at}/{i}"), out));
        }
        _ => {}
    }
}

/// The document with another value in one place.
fn damaged(told: &Value, places: &[String], rng: &mut knave::agents::Rng) -> Value {
    let mut pick = |of: usize| below(rng, of as u32) as usize;
    let mut told = told.clone();
    let other = told.pointer(&places[pick(places.len())]).cloned().unwrap_or_default();
    let place = told.pointer_mut(&places[pick(places.len())]).unwrap();
    let numbers = [0_u32, 1, 2, 3, 4, 6, 7, 13, 14, 15, 40, 99, 255, u32::MAX];
    *place = match (pick(4), &place) {
        (0, _) => other,
        (1, Value::Array(items)) if !items.is_empty() => {
            let mut items = items.clone();
            items.remove(pick(items.len()));
            items.into()
        }
        (1, Value::Bool(is)) => (!is).into(),
        (2, Value::Number(number)) => (number.as_i64().unwrap_or_default() + pick(5) as i64 - 2).into(),
        (3, _) => Value::Null,
        _ => numbers[pick(numbers.len())].into(),
    };
    told
}

/// Asks for all that players ask a position for.
fn judged<G: CardGame>(world: &G, rules: &G::Rules, rng: &mut knave::agents::Rng) {
    let (kit, mut buffer) = (G::kit(rules), Vec::new());
    for evaluator in kit.evaluators().into_iter().filter_map(|name| kit.find_evaluator(name, rules)) {
        assert!((0..world.seats()).all(|seat| evaluator.value(world, seat).is_finite()));
    }
    if let Turn::Player(_) = world.turn() {
        let mut steps = StepList::default();
        world.steps(&mut steps);
        assert!(!steps.is_empty());
        for policy in kit.policies().into_iter().filter_map(|name| kit.find_policy(name, rules)) {
            policy.choose(world, &mut buffer, rng);
        }
    }
}

#[derive(Clone)]
struct Damaged;

impl Visitor for Damaged {
    type Output = ();

    fn visit<G: CardGame>(self) {
        let (mut rng, mut buffer) = (stream(4, 1, Role::Agent(0)), Vec::new());
        let (mut accepted, mut refused) = (0, 0);
        decisions::<G>(5, full, |asked| {
            let rules = read_rules::<G>(&fields(asked.rules)).unwrap();
            let told: Value =
                serde_json::from_str(&written(asked.shown, &asked.position.view(asked.seat))).unwrap();
            let mut all = Vec::new();
            for _ in 0..12 {
                // Two mistakes may hide each other.
                let mut told = told.clone();
                for _ in 0..=below(&mut rng, 3) {
                    all.clear();
                    places(&told, "", &mut all);
                    told = damaged(&told, &all, &mut rng);
                }
                let Ok(view) = asked.shown.read(&rules, &told).unwrap() else {
                    refused += 1;
                    continue;
                };
                accepted += 1;
                let mut world = G::sample_world(&view, &mut rng);
                judged(&world, &rules, &mut rng);
                for _ in 0..2_000 {
                    match world.turn() {
                        Turn::Over => break,
                        Turn::Chance | Turn::Shuffle => {
                            world.roll(&mut rng);
                        }
                        Turn::Player(_) => {
                            world.moves(&mut buffer);
                            assert!(!buffer.is_empty(), "{}: nothing can be played from {told}", G::NAME);
                            world.play(buffer[below(&mut rng, buffer.len() as u32) as usize]);
                        }
                    }
                }
            }
        });
        assert!(accepted > 4 && refused > 100, "{}: {accepted} and {refused} views test little", G::NAME);
    }
}

/// A view that is damaged is refused, or is one from which games can be played: nothing panics.
#[test]
fn damaged_views_do_no_harm() {
    BuiltIn::each(Damaged);
}

/// The schema with its reference followed, if it is one.
fn resolved<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    schema["$ref"].as_str().map_or(schema, |path| root.pointer(&path[1..]).unwrap())
}

/// Says why the value is not as the schema says. All keywords are known that the schemas of views have.
fn fits(value: &Value, schema: &Value, root: &Value) -> Result<(), String> {
    let schema = resolved(schema, root);
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    let list = |said: &Value| said.as_array().unwrap().clone();
    for (keyword, said) in schema.as_object().unwrap() {
        let holds = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "format" => true,
            "type" => {
                let kind = match value {
                    Value::Null => "null",
                    Value::Bool(_) => "boolean",
                    Value::Number(_) => "integer",
                    Value::String(_) => "string",
                    Value::Array(_) => "array",
                    Value::Object(_) => "object",
                };
                said == kind || said.as_array().is_some_and(|kinds| kinds.contains(&kind.into()))
            }
            "const" => value == said,
            "enum" => list(said).contains(value),
            "anyOf" | "oneOf" => list(said).iter().any(|one| fits(value, one, root).is_ok()),
            "minimum" => value.as_i64().is_none_or(|number| number >= said.as_i64().unwrap()),
            "maximum" => value.as_i64().is_none_or(|number| number <= said.as_i64().unwrap()),
            "minLength" | "maxLength" => value.as_str().is_none_or(|text| *said == text.chars().count()),
            "pattern" => value.as_str().is_none_or(|text| text.parse::<Card>().is_ok()),
            "minItems" => items.len() as u64 >= said.as_u64().unwrap(),
            "maxItems" => items.len() as u64 <= said.as_u64().unwrap(),
            "uniqueItems" => items.iter().enumerate().all(|(i, item)| !items[..i].contains(item)),
            "items" => items.iter().try_for_each(|item| fits(item, said, root)).map(|()| true)?,
            "required" => list(said).iter().all(|name| value.get(name.as_str().unwrap()).is_some()),
            "properties" => {
                for (key, value) in value.as_object().into_iter().flatten() {
                    let described = said[key]["description"].as_str().is_some_and(|text| text.ends_with('.'));
                    if !described {
                        return Err(format!("{key} has no description"));
                    }
                    fits(value, &said[key], root)?;
                }
                true
            }
            _ => false,
        };
        if !holds {
            return Err(format!("{keyword}: {value} by {schema}"));
        }
    }
    Ok(())
}

#[derive(Clone)]
struct Described;

impl Visitor for Described {
    type Output = ();

    fn visit<G: CardGame>(self) {
        decisions::<G>(2, full, |asked| {
            let schema = asked.shown.schema().to_value();
            let view = written(asked.shown, &asked.position.view(asked.seat));
            let value: Value = serde_json::from_str(&view).unwrap();
            let required = schema["required"].as_array().unwrap();
            assert!(value.is_object() && required.len() == value.as_object().unwrap().len());
            fits(&value, &schema, &schema).unwrap_or_else(|error| panic!("{}: {error}", G::NAME));
        });
    }
}

/// What is told is as its schema says, and every field has a description there.
#[test]
fn schemas_describe_all_that_is_told() {
    BuiltIn::each(Described);
}

#[derive(Clone)]
struct Written;

impl Visitor for Written {
    type Output = ();

    fn visit<G: CardGame>(self) {
        let mut games: BTreeMap<(usize, u64), Vec<String>> = BTreeMap::new();
        decisions::<G>(12, full, |asked| {
            let rules = rules(G::NAME).iter().position(|rules| *rules == asked.rules).unwrap();
            let view = written(asked.shown, &asked.position.view(asked.seat));
            games.entry((rules, asked.game)).or_default().push(view);
        });
        let mut lines = String::new();
        for (i, rules) in rules(G::NAME).iter().enumerate() {
            let views = games.range((i, 0)..(i + 1, 0)).map(|game| game.1).max_by_key(|views| views.len());
            let views = views.unwrap();
            let picked = [0, views.len() / 2, views.len() - 1].map(|decision| &views[decision][..]);
            lines.push_str(&format!("{rules:?}\n{}\n", picked.join("\n")));
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(format!("shown-{}", G::NAME), lines));
    }
}

/// The first view, one in the middle and the last, to the letter: programs elsewhere read them.
#[test]
fn views_are_written_as_they_were() {
    BuiltIn::each(Written);
}
