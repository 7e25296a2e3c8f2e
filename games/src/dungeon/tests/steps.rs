//! The steps of a turn against brute force over single moves.

use super::*;
use crate::dungeon::steps::{Outcomes, outcomes};

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
        deck.shuffle(&mut rng);
        let rules = Rules {
            weapon_limit: [WeaponLimit::AtMost, WeaponLimit::Below][case % 2],
            objective: [Aim::Win, Aim::Score][case / 2 % 2],
            health: rng.random_range(1..=40),
            ..Rules::default()
        };
        let pile_empty = case % 5 == 0;
        let mut board = Dungeon::start(&rules, Pile::ordered(&deck[..4]), 208).board;
        board.health = rng.random_range(1..=rules.health);
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
        // How a player dies who only wants to win is not compared: commuting fights are tried in one order only.
        let compared = |end: &&Board| rules.objective == Aim::Score || end.phase != Phase::Died;
        for end in all.iter().filter(compared) {
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
