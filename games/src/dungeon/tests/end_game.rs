//! The solver for play against brute force over single moves.

use super::*;
use crate::dungeon::clairvoyant::end_game::DungeonSolver;
use crate::dungeon::value::rule::Rule;
use knave_agents::testkit::best_fair_value;
use knave_agents::{EndGameSolver as _, Policy as _, Solution};

/// The solver agrees with brute force over every single move on small decks, and its lines win.
#[test]
fn the_solver_agrees_with_brute_force() {
    let mut rng = Rng::new(4);
    let mut solver = DungeonSolver::default();
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

/// A question about the score leaves nothing behind that a later one about winning would take for its own.
#[test]
fn a_score_is_no_answer_to_winning() {
    let mut rng = Rng::new(8);
    let mut solver = DungeonSolver::default();
    let mut apart = 0;
    for _ in 0..200 {
        let mut deck = DECK;
        deck.shuffle(&mut rng);
        let deal = |objective| {
            let rules = Rules { health: 8, objective, ..Rules::default() };
            Dungeon::from_deck(&rules, &deck[..9]).unwrap()
        };
        let win = deal(Aim::Win);
        solver.solve(&win, u64::MAX, &mut Vec::new());
        solver.solve(&deal(Aim::Score), u64::MAX, &mut Vec::new());
        let answer = solver.value(&win, u64::MAX);
        assert_eq!(answer, Solution::Value(f64::from(u8::from(can_win(&win)))), "{win:?}");
        apart += u32::from(answer == Solution::Value(0.0));
    }
    assert!((20..180).contains(&apart), "{apart} of 200 cannot be won: the cases must cover both answers");
}

/// One draw before the last hidden cards are seen, values and lines are those of the best fair play, whatever the true order is.
#[test]
fn a_last_draw_is_solved() {
    let mut rng = Rng::new(6);
    let mut solver = DungeonSolver::default();
    solver.allow_hidden(solver.most_hidden());
    let won = |position: &Dungeon, _| f64::from(u8::from(position.won(0)));
    let (mut cases, mut between, mut filling, mut undecided, mut by_unseen) = (0, 0, 0, 0, [0; 4]);
    for game in 0..1_200 {
        let mut deck = DECK;
        deck.shuffle(&mut rng);
        let rules = Rules {
            weapon_limit: [WeaponLimit::AtMost, WeaponLimit::Below][game % 2],
            health: rng.random_range(5..=16),
            ..Rules::default()
        };
        let mut position = Dungeon::from_deck(&rules, &deck[..rng.random_range(9..=12)]).unwrap();
        let mut moves = Vec::new();
        while position.turn() != Turn::Over && !solver.applies(&position) {
            if position.turn() == Turn::Chance {
                position.roll(&mut rng);
            } else {
                position.moves(&mut moves);
                let avoids = moves.contains(&Move::AVOID) && rng.random_range(0..2) == 0;
                position.play(if avoids { Move::AVOID } else { moves[rng.random_range(0..moves.len())] });
            }
        }
        let unseen = position.unseen().len();
        if position.turn() == Turn::Over || unseen == 0 {
            continue;
        }
        let expected = best_fair_value(&position, won);
        let (mut line, mut other) = (Vec::new(), Vec::new());
        solver.forget();
        let found = solver.solve(&position, u64::MAX, &mut line);
        let nodes = solver.nodes();
        let Solution::Value(value) = found else { panic!("{found:?}") };
        assert!((value - expected).abs() < 1e-9, "game {game}: {value} for {expected}");
        // Another order of the same cards is the same to the player.
        let world = Dungeon::sample_world(&position.view(0), &mut rng);
        assert_eq!((solver.solve(&world, u64::MAX, &mut other), &other), (found, &line));
        assert_eq!(solver.value(&position, u64::MAX), found);
        if position.turn() == Turn::Player(0) && value > 0.0 {
            // Out of budget nothing is left of what was found so far.
            for budget in (1..nodes).step_by(1 + nodes as usize / 50) {
                solver.forget();
                if solver.solve(&position, budget, &mut other) == Solution::Undecided {
                    assert!(other.is_empty(), "game {game}: {budget} nodes");
                    undecided += 1;
                }
            }
            line.iter().for_each(|&m| position.try_play(m).unwrap());
            assert!((best_fair_value(&position, won) - expected).abs() < 1e-9, "game {game}: the line");
        } else {
            assert!(line.is_empty());
            filling += 1;
        }
        cases += 1;
        between += u32::from(value > 0.0 && value < 1.0);
        by_unseen[unseen] += 1;
    }
    let enough = cases > 200
        && between > 0
        && filling > 20
        && undecided > 100
        && by_unseen[1..].iter().all(|&n| n > 20);
    assert!(
        enough,
        "{cases} cases, {between} between 0 and 1, {filling} fills, {undecided} undecided, {by_unseen:?}"
    );
}

/// With the whole deck, where brute force cannot reach: the value of a last draw is that of the best turn, and the value of a turn
/// is the mean over the orders of the unseen cards of what the solver says once they are known.
#[test]
fn a_last_draw_is_the_mean_over_its_orders() {
    let mut rng = Rng::new(7);
    let mut solver = DungeonSolver::default();
    let (mut cases, mut between, mut steps) = (0, 0, StepList::default());
    for game in 0..3_000 {
        let rules = Rules { health: rng.random_range(9..=13), ..Rules::default() };
        let mut position = Dungeon::deal(&rules, &mut stream(23, game, Role::Deal));
        let mut line = Vec::new();
        while position.turn() != Turn::Over
            && (position.unseen().len() > 3 || position.turn() == Turn::Chance)
        {
            if position.turn() == Turn::Chance {
                position.roll(&mut rng);
            } else if rng.random_range(0..3) == 0 && position.board().may_avoid {
                position.play(Move::AVOID);
            } else {
                Rule::fitted().plan(&position, &mut line, &mut rng);
                line.iter().for_each(|&m| position.play(m));
            }
        }
        let unseen = position.unseen();
        if position.turn() == Turn::Over || unseen.is_empty() {
            continue;
        }
        // Worlds are uniform over the orders, so a few dozen of them hold every order.
        let mut orders: Vec<Dungeon> = Vec::new();
        for _ in 0..200 {
            let world = Dungeon::sample_world(&position.view(0), &mut rng);
            if !orders.iter().any(|other| other.pile.order() == world.pile.order()) {
                orders.push(world);
            }
        }
        assert_eq!(orders.len(), (1..=unseen.len()).product::<usize>());
        solver.forget();
        solver.allow_hidden(3);
        let Solution::Value(found) = solver.value(&position, u64::MAX) else { unreachable!("no budget") };
        solver.allow_hidden(0);
        position.steps(&mut steps);
        let mean = |step: &[Move], solver: &mut DungeonSolver| {
            let known = |world: &Dungeon| {
                let mut next = knave_agents::played(world, step);
                if next.turn() == Turn::Chance {
                    next.roll(&mut Rng::new(1));
                }
                if next.turn() == Turn::Over {
                    return f64::from(u8::from(next.won(0)));
                }
                match solver.value(&next, u64::MAX) {
                    Solution::Value(value) => value,
                    Solution::Undecided => unreachable!("no budget"),
                }
            };
            orders.iter().map(known).sum::<f64>() / orders.len() as f64
        };
        let best = steps.iter().map(|step| mean(step, &mut solver)).fold(0.0, f64::max);
        assert!((found - best).abs() < 1e-9, "game {game}: {found} for {best}");
        cases += 1;
        between += u32::from(found > 0.0 && found < 1.0);
    }
    assert!(cases > 100 && between > 5, "{cases} cases, {between} between 0 and 1");
}

/// Protects the promise that results do not depend on which worker played a game: after `forget` a used
/// solver does what a fresh one does, node for node, also where the budget is tight and the table full.
#[test]
fn a_used_solver_forgets_everything() {
    let mut line = Vec::new();
    let mut answers = |solver: &mut DungeonSolver, games: std::ops::Range<u64>| {
        games
            .map(|index| {
                let mut rng = stream(21, index, Role::Deal);
                let deal = Dungeon::deal(&Rules::default(), &mut rng);
                (solver.solve(&deal, 3_000, &mut line), solver.nodes())
            })
            .collect::<Vec<_>>()
    };
    let mut used = DungeonSolver::default();
    for _ in 0..5 {
        answers(&mut used, 0..40);
        used.forget();
    }
    assert_eq!(answers(&mut used, 40..100), answers(&mut DungeonSolver::default(), 40..100));
}

/// Out of budget is an answer of its own.
#[test]
fn the_solver_gives_up_at_its_budget() {
    let deal = Dungeon::deal(&Rules::default(), &mut Rng::new(3));
    let mut solver = DungeonSolver::default();
    let mut line = Vec::new();
    assert_eq!(solver.solve(&deal, 1, &mut line), Solution::Undecided);
    assert!(line.is_empty());
    assert!(!solver.applies(&deal), "unseen cards are hidden");
}
