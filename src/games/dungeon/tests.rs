//! The rules by their worked examples, and what searches lean on by brute force on small decks.

use super::turn::{Outcomes, outcomes};
use super::*;
use knave_agents::{Solution, Solver as _};
use rand::RngExt as _;
use std::collections::BTreeMap;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

/// The position after these moves from this deck; every room is filled as soon as it can be.
fn after(rules: Rules, deck: &str, moves: &[&str]) -> Dungeon {
    let mut position = Dungeon::from_deck(&rules, &cards(deck)).unwrap();
    let mut rng = Rng::new(1);
    settle(&mut position, &mut rng);
    for text in moves {
        let m = position.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        position.try_play(m).unwrap();
        settle(&mut position, &mut rng);
    }
    position
}

fn settle(position: &mut Dungeon, rng: &mut Rng) {
    while matches!(position.turn(), Turn::Chance | Turn::Shuffle) {
        position.roll(rng);
    }
}

fn legal(position: &Dungeon) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

/// The text's example: a weapon of 5 takes a 3 without harm and a jack for 6; what it slew last limits
/// it, it may slay a 6 after a queen, and a queen after a 6 only falls to bare hands.
#[test]
fn weapons_and_their_limits() {
    let start = ["take 5D"];
    let base = after(Rules::default(), "5D 3C JS QC 6S 2H", &start);
    let health = |m: &str| {
        let mut position = base.clone();
        position.play(position.parse_move(m).unwrap());
        position.board().health
    };
    assert_eq!(health("fight 3C weapon"), 20);
    assert_eq!(health("fight JS weapon"), 14);
    assert_eq!(health("fight JS bare"), 9);

    let slain = after(
        Rules::default(),
        "5D QC 6S 2H QS 6C 5C 3C",
        &["take 5D", "fight QC weapon", "fight 6S weapon"],
    );
    assert_eq!(slain.board().health, 20 - 7 - 1);
    assert_eq!(
        legal(&slain),
        [
            "avoid",
            "fight 5C bare",
            "fight 6C bare",
            "drink 2H",
            "fight QS bare",
            "fight 5C weapon",
            "fight 6C weapon"
        ]
    );
    let rules = Rules { weapon_limit: WeaponLimit::Below, ..Rules::default() };
    let strict = after(rules, "5D QC 6S 2H QS 6C 5C 3C", &["take 5D", "fight QC weapon", "fight 6S weapon"]);
    assert!(!legal(&strict).contains(&"fight 6C weapon".to_owned()));
    assert!(legal(&strict).contains(&"fight 5C weapon".to_owned()));
    // A new weapon starts without a limit.
    let fresh =
        after(Rules::default(), "5D QC 6S 7D QS 6C 5C 3C", &["take 5D", "fight QC weapon", "take 7D"]);
    assert_eq!((fresh.board().weapon, fresh.board().limit), (7, NO_LIMIT));
}

/// One potion a turn heals, never above the ceiling; the next turn's first heals again.
#[test]
fn potions() {
    let position =
        after(Rules::default(), "9C 5H 7H 2C 3H 4C 5C 6C", &["fight 9C bare", "drink 5H", "drink 7H"]);
    assert_eq!(position.board().health, 16);
    let again = after(
        Rules::default(),
        "9C 5H 7H 2C 8H 4C 5C 6C",
        &["fight 9C bare", "drink 5H", "drink 7H", "drink 8H"],
    );
    assert_eq!(again.board().health, 20);
}

/// A room is avoided only as the first act, only when it holds four, and not twice running; it goes
/// under the pile in slot order, the carried card first.
#[test]
fn avoiding() {
    let deck = "2C 3C 4C 5C 6C 7C 8C 9C TC JC";
    let avoided = after(Rules::default(), deck, &["avoid"]);
    assert!(!legal(&avoided).contains(&"avoid".to_owned()));
    assert_eq!(avoided.pile.order(), cards("TC JC 2C 3C 4C 5C"));
    let begun = after(Rules::default(), deck, &["fight 2C bare"]);
    assert!(!legal(&begun).contains(&"avoid".to_owned()));
    let next = after(Rules::default(), deck, &["avoid", "fight 6C bare", "fight 7C bare"]);
    assert_eq!(next.board().phase, Phase::Play);
    let carried = after(
        Rules::default(),
        "2C 3C 2H 9H 6C 7C 8C 2D",
        &["fight 2C bare", "fight 3C bare", "drink 2H", "avoid"],
    );
    assert_eq!(carried.board().room().collect::<Vec<_>>(), cards("2D 9H 6C 7C"));
    assert_eq!(carried.pile.order(), cards("8C"));
    let small = after(Rules::default(), "2C 3C 4C", &[]);
    assert_eq!(legal(&small), ["fight 2C bare", "fight 3C bare", "fight 4C bare"]);
}

/// The scores of the text: health, or health and the potion that came last at full health; or minus the
/// monsters not faced, the killer never among them.
#[test]
fn scores() {
    let score = |rules, deck, moves: &[&str]| {
        let position = after(rules, deck, moves);
        assert_eq!(position.turn(), Turn::Over);
        (position.score(0), position.end())
    };
    let rules = Rules::default();
    assert_eq!(score(rules, "2C 3H", &["fight 2C bare", "drink 3H"]), (23, "cleared"));
    assert_eq!(score(rules, "2C 3H", &["drink 3H", "fight 2C bare"]), (18, "cleared"));
    assert_eq!(score(rules, "9C 3H", &["fight 9C bare", "drink 3H"]), (14, "cleared"));
    // A second potion heals nothing and counts all the same.
    assert_eq!(score(rules, "5H 3H", &["drink 5H", "drink 3H"]), (23, "cleared"));
    let deck = "KC AC 5S 6H 9S 2S";
    let moves = ["fight KC bare", "fight AC bare"];
    assert_eq!(score(rules, deck, &moves), (-(5 + 9 + 2), "died"));
    let pile = Rules { unfaced: Unfaced::Pile, ..rules };
    assert_eq!(score(pile, deck, &moves), (-(9 + 2), "died"));
    assert_eq!(score(rules, "KC AC", &moves), (0, "died"));
}

/// Three cards of four are faced until two are left in the last room, 44 = 14 × 3 + 2, and no card is
/// lost on the way: 200 games of players who cannot die early, with every option of the order.
#[test]
fn cards_are_conserved() {
    for order in [AvoidOrder::Kept, AvoidOrder::Shuffled] {
        let rules = Rules { health: 99, avoid_order: order, ..Rules::default() };
        let mut cleared = 0;
        for index in 0..200 {
            let mut rng = knave_agents::rng::stream(3, index, knave_agents::Role::Deal);
            let mut position = Dungeon::deal(&rules, &mut rng);
            let deck = position.deck();
            let mut faced = 0;
            let mut steps = StepList::default();
            while position.turn() != Turn::Over {
                settle(&mut position, &mut rng);
                let mut left: Vec<Card> = position.pile.order();
                left.extend(position.board().room());
                assert_eq!(left.len() + faced, 44);
                assert_eq!(position.pile.cards(), position.pile.order().into_iter().collect());
                if left.len() == 2 {
                    assert_eq!(position.board().to_face, 2);
                }
                position.steps(&mut steps);
                for &m in steps.get(rng.random_range(0..steps.len())) {
                    faced += usize::from(m != Move::AVOID);
                    position.try_play(m).unwrap();
                }
            }
            assert_eq!(deck.into_iter().collect::<CardSet>().len(), 44);
            cleared += u32::from(position.won(0));
        }
        assert!(cleared > 0, "some of these games must reach the end");
    }
}

/// The deck is uniform, and it does not depend on when its cards are drawn.
#[test]
fn the_lazy_shuffle_is_a_shuffle() {
    let rules = Rules::default();
    let mut seen = vec![[0_u32; 44]; 44];
    let deals = 44_000;
    for index in 0..deals {
        let deal = Dungeon::deal(&rules, &mut knave_agents::rng::stream(11, index, knave_agents::Role::Deal));
        let deck = deal.deck();
        for (place, card) in deck.iter().enumerate() {
            let id = DECK.iter().position(|other| other == card).unwrap();
            seen[place][id] += 1;
        }
        if index < 200 {
            let mut played = deal.clone();
            let mut drawn = Vec::new();
            while played.pile_len() > 0 {
                drawn.push(Card::from_id(played.pile.draw(1)[0]));
            }
            assert_eq!(drawn, deck);
        }
    }
    // Every row is a multinomial with 43 degrees of freedom; all 44 rows stay below the quantile 1 - 1e-8.
    let expected = deals as f64 / 44.0;
    for row in seen {
        let chi: f64 = row.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        assert!(chi < 115.0, "chi-square {chi}");
    }
}

/// Sampled worlds are uniform over all orders that the view allows: unseen cards in any order; avoided
/// ones as they went under, or in any order within their four when they were shuffled.
#[test]
fn sampled_worlds_are_uniform() {
    let cases = [
        (AvoidOrder::Kept, "2C 3C 4C 5C 6C 7C 8C 9C 2H 3H 4H", &["avoid", "fight 6C bare"][..], 6),
        (AvoidOrder::Shuffled, "2C 3C 4C 5C 6C 7C 8C 9C 2H", &["avoid", "fight 6C bare"], 24),
        // One of the shuffled four has been drawn: the other three may come in any order.
        (
            AvoidOrder::Shuffled,
            "2C 3C 4C 5C 2H 3H 4H 5H 6H 7H",
            &["avoid", "drink 2H", "drink 3H", "drink 4H"],
            6,
        ),
    ];
    for (avoid_order, deck, moves, orders) in cases {
        let rules = Rules { avoid_order, ..Rules::default() };
        let view = after(rules, deck, moves).view(0);
        let mut rng = Rng::new(5);
        let mut counts = BTreeMap::new();
        let samples = 2_000 * orders;
        for _ in 0..samples {
            let mut world = Dungeon::sample_world(&view, &mut rng);
            assert_eq!(world.view(0), view);
            let settled = world.pile.order();
            let drawn: Vec<Card> =
                (0..world.pile_len()).map(|_| Card::from_id(world.pile.draw(1)[0])).collect();
            assert_eq!(settled, drawn);
            *counts.entry(drawn).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), orders, "{avoid_order:?}");
        let chi: f64 = counts.values().map(|&n| (f64::from(n) - 2000.0).powi(2) / 2000.0).sum();
        assert!(chi < 70.0, "chi-square {chi} with {} degrees of freedom", orders - 1);
    }
}

/// Making an outcome come leaves the rest as random as it was: after forcing the first four cards, the
/// fifth is any other with equal probability.
#[test]
fn forced_outcomes_leave_the_rest_random() {
    let rules = Rules::default();
    let mut counts = [0_u32; 44];
    let view = Dungeon::deal(&rules, &mut Rng::new(1)).view(0);
    let mut rng = Rng::new(2);
    for _ in 0..40_000 {
        let mut world = Dungeon::sample_world(&view, &mut rng);
        world.play_chance(Chance::Fill([DECK[0].id(), DECK[9].id(), DECK[20].id(), DECK[43].id()]));
        let next = Card::from_id(world.pile.draw(1)[0]);
        counts[DECK.iter().position(|&card| card == next).unwrap()] += 1;
    }
    assert_eq!(counts.iter().filter(|&&n| n == 0).count(), 4);
    let chi: f64 = counts.iter().filter(|&&n| n > 0).map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi < 110.0, "chi-square {chi} with 39 degrees of freedom");
}

/// Every way to play out a turn, by brute force over the single moves.
fn all_ends(board: &Board, pile_empty: bool, out: &mut Vec<Board>) {
    let mut moves = Vec::new();
    board.moves(&mut moves);
    for m in moves.into_iter().filter(|&m| m != Move::AVOID) {
        let mut next = *board;
        next.face(m, pile_empty);
        if next.phase == Phase::Play && next.to_face < board.to_face {
            all_ends(&next, pile_empty, out);
        } else {
            out.push(next);
        }
    }
}

/// The outcomes of a turn are ways to play it, and for every way to play it one of them is at least as
/// good; no outcome is worth less than another. 3,000 random rooms with all weapons and limits.
#[test]
fn turn_outcomes_dominate_all_play() {
    let mut rng = Rng::new(9);
    for case in 0..3_000 {
        let mut deck = DECK;
        use rand::seq::SliceRandom as _;
        deck.shuffle(&mut rng);
        let rules =
            Rules { weapon_limit: [WeaponLimit::AtMost, WeaponLimit::Below][case % 2], ..Rules::default() };
        let pile_empty = case % 5 == 0;
        let mut board = Dungeon::start(&rules, Pile::ordered(&deck[..4]), 208).board;
        board.health = rng.random_range(1..=20);
        if case % 3 > 0 {
            board.weapon = rng.random_range(2..=10);
            board.limit = rng.random_range(2..=NO_LIMIT);
        }
        let cards = if pile_empty { 2 + case % 3 } else { 4 };
        board.fill(std::array::from_fn(|i| if i < cards { deck[i].id() } else { 0 }));
        let mut found = Outcomes::new();
        outcomes(&board, pile_empty, &mut found);
        let mut all = Vec::new();
        all_ends(&board, pile_empty, &mut all);
        let at_least = |a: &Board, b: &Board| match (a.phase, b.phase) {
            (Phase::Died, Phase::Died) => a.unfaced <= b.unfaced,
            (_, Phase::Died) => true,
            (Phase::Cleared, Phase::Cleared) => a.score() >= b.score(),
            (Phase::Died, _) => false,
            _ => a.room == b.room && a.health >= b.health && a.weapon >= b.weapon && a.limit >= b.limit,
        };
        // How a doomed player dies is not compared: commuting fights are tried in one order only.
        for end in all.iter().filter(|end| end.phase != Phase::Died) {
            assert!(found.iter().any(|o| at_least(&o.board, end)), "{board:?} misses {end:?}");
        }
        assert!(!found.is_empty());
        for (i, outcome) in found.iter().enumerate() {
            let mut replayed = board;
            outcome.moves().iter().for_each(|&m| replayed.face(m, pile_empty));
            assert_eq!(replayed, outcome.board);
            let others = found.iter().enumerate().filter(|&(j, _)| j != i);
            assert!(others.into_iter().all(|(_, o)| !at_least(&o.board, &outcome.board)), "{board:?}");
        }
    }
}

/// Whether single moves can clear the dungeon, by brute force.
fn can_win(position: &Dungeon) -> bool {
    match position.turn() {
        Turn::Over => position.won(0),
        Turn::Player(_) => {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            moves.into_iter().any(|m| {
                let mut next = position.clone();
                next.play(m);
                can_win(&next)
            })
        }
        _ => {
            let mut next = position.clone();
            next.roll(&mut Rng::new(1));
            can_win(&next)
        }
    }
}

/// The solver agrees with brute force over every single move on small decks, and its lines win.
#[test]
fn the_solver_agrees_with_brute_force() {
    use rand::seq::SliceRandom as _;
    let mut rng = Rng::new(4);
    let mut solver = solver::DungeonSolver::default();
    let mut wins = 0;
    let cases = 400;
    for case in 0..cases {
        let mut deck = DECK;
        deck.shuffle(&mut rng);
        let rules = Rules {
            weapon_limit: [WeaponLimit::AtMost, WeaponLimit::Below][case % 2],
            health: rng.random_range(8..=24),
            ..Rules::default()
        };
        let position = Dungeon::from_deck(&rules, &deck[..rng.random_range(5..=9)]).unwrap();
        let mut line = Vec::new();
        solver.forget();
        let expected = can_win(&position);
        let solution = solver.solve(&position, u64::MAX, &mut line);
        assert_eq!(solution, Solution::Value(f64::from(u8::from(expected))), "case {case}");
        wins += u32::from(expected);
        if expected {
            let mut replay = position.clone();
            for m in line {
                settle(&mut replay, &mut rng);
                replay.try_play(m).unwrap();
            }
            assert!(replay.won(0), "case {case}");
        }
    }
    assert!((50..350).contains(&wins), "{wins} of {cases}: the cases must cover both answers");
}

/// In the last room the way with the best score is kept: the potion comes last at full health.
#[test]
fn the_last_room_is_played_for_score() {
    let position = after(Rules::default(), "5H 3D", &[]);
    let mut steps = StepList::default();
    position.steps(&mut steps);
    let mut end = position.clone();
    assert_eq!(steps.len(), 1);
    steps.get(0).iter().for_each(|&m| end.play(m));
    assert_eq!(end.score(0), 25);
}

/// Protects the promise that results do not depend on which worker played a game: after `forget` a used
/// solver does what a fresh one does, node for node, also where the budget is tight and the table full.
#[test]
fn a_used_solver_forgets_everything() {
    let mut line = Vec::new();
    let mut answers = |solver: &mut solver::DungeonSolver, games: std::ops::Range<u64>| {
        games
            .map(|index| {
                let mut rng = knave_agents::rng::stream(21, index, knave_agents::Role::Deal);
                let deal = Dungeon::deal(&Rules::default(), &mut rng);
                (solver.solve(&deal, 3_000, &mut line), solver.nodes())
            })
            .collect::<Vec<_>>()
    };
    let mut used = solver::DungeonSolver::default();
    for _ in 0..5 {
        answers(&mut used, 0..40);
        used.forget();
    }
    assert_eq!(answers(&mut used, 40..100), answers(&mut solver::DungeonSolver::default(), 40..100));
}

/// Out of budget is an answer of its own.
#[test]
fn the_solver_gives_up_at_its_budget() {
    let deal = Dungeon::deal(&Rules::default(), &mut Rng::new(3));
    let mut solver = solver::DungeonSolver::default();
    let mut line = Vec::new();
    assert_eq!(solver.solve(&deal, 1, &mut line), Solution::Undecided);
    assert!(line.is_empty());
    assert!(!solver.applies(&deal), "unseen cards are hidden");
}

/// The weights file names every feature.
#[test]
fn the_rule_has_all_its_weights() {
    let (rules, kit) = (Rules::default(), Dungeon::kit(&Rules::default()));
    let rule = kit.find_evaluator("rule", &rules).unwrap();
    let deal =
        after(Rules::default(), "2C 3C 4C 5C 6C 7C", &["fight 2C bare", "fight 3C bare", "fight 4C bare"]);
    assert!((0.0..=1.0).contains(&rule.value(&deal, 0)));
    assert!(kit.find_evaluator("none such", &rules).is_none());
}
