//! Steps: whole phases against every order of single moves.

use super::*;
use std::collections::BTreeSet;

/// A position up to an exchange of cards of the same rank: the ranks of everything, and what may still be done.
fn signature(position: &Columns) -> String {
    let ranks = |cards: CardSet| {
        let mut ranks: Vec<u8> = cards.into_iter().map(Card::rank).collect();
        ranks.sort_unstable();
        ranks
    };
    let board = &position.board;
    let columns: Vec<_> = board
        .columns
        .iter()
        .flatten()
        .map(|column| (ranks(column.cards), column.top, column.direction, column.finished))
        .collect();
    let hands = position.hands.map(ranks);
    let left = (board.phase, board.due, board.left, board.untouched);
    format!("{columns:?} {hands:?} {:?} {left:?}", ranks(board.stolen))
}

/// The signatures of all ends of the phase of `seat`, by single moves; `seen` are those on the way.
fn ends(
    position: &Columns,
    seat: Seat,
    seen: &mut BTreeSet<String>,
    out: &mut BTreeSet<String>,
    wins: &mut bool,
) {
    if position.turn() != Turn::Player(seat) || position.board.phase == Phase::Place {
        *wins |= position.board.winner() == Some(seat);
        out.insert(signature(position));
        return;
    }
    if !seen.insert(signature(position)) {
        return;
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    for m in moves {
        let (mut next, phase) = (position.clone(), position.board.phase);
        next.play(m);
        if next.board.phase == phase || next.turn() != Turn::Player(seat) {
            ends(&next, seat, seen, out, wins);
        } else {
            out.insert(signature(&next));
        }
    }
}

/// Whether a phase that ended with a draw wins whatever is drawn.
fn wins_after_the_draw(position: &Columns, seat: Seat) -> bool {
    let mut after = position.clone();
    after.board.due = Due::Nothing;
    (0..2).any(|_| {
        for pair in 0..PAIRS {
            if after.board.phase != Phase::Over && after.board.may_finish(seat, pair) {
                after.board.finish(pair);
            }
        }
        after.board.winner() == Some(seat)
    })
}

/// Protects what searches walk: the steps are legal and lead to every end of the phase that single moves can reach up to
/// suits, each once; a phase that can win has a winning step alone. Random positions of all options and sizes, some of
/// them in the middle of a phase, with hands that are nearly empty now and then.
#[test]
fn steps_are_all_outcomes_each_once() {
    let (mut phases, mut winning, mut drawing, mut most) = (0, 0, 0, 0);
    for case in 0..150 {
        let rules =
            Rules { finish: [Finish::AtLeast, Finish::Exact][case % 2], max_rounds: [1000, 4][case % 3 / 2] };
        let mut rng = stream(41, case as u64, Role::Deal);
        let full = Columns::deal(&rules, &mut rng).deck();
        let mut position = Columns::from_deck(&rules, &full[..[52, 30, 22][case % 3]]).unwrap();
        let mut buffer = Vec::new();
        let mut steps = StepList::default();
        for _ in 0..120 {
            match position.turn() {
                Turn::Over => break,
                Turn::Player(seat) if position.board.phase != Phase::Place => {
                    if rng.random_range(0..6) == 0 {
                        check(&position, seat, &mut steps);
                        phases += 1;
                        most = most.max(steps.len());
                        let mut after = position.clone();
                        steps.get(0).iter().for_each(|&m| after.play(m));
                        winning += u32::from(after.turn() == Turn::Over && after.board.winner().is_some());
                        drawing += u32::from(steps.iter().any(|step| step.last() != Some(&Move::Done)));
                    }
                    let mut m = position.random_move(&mut buffer, &mut rng);
                    if m == Move::Done && case % 5 > 0 {
                        m = position.random_move(&mut buffer, &mut rng);
                    }
                    position.play(m);
                }
                Turn::Player(_) => {
                    let m = position.random_move(&mut buffer, &mut rng);
                    position.play(m);
                }
                _ => {
                    position.roll(&mut rng);
                    if rng.random_range(0..8) == 0 {
                        // A nearly empty hand; the cards leave the game.
                        let hand = position.hands[case % 2];
                        position.hands[case % 2] = hand.into_iter().take(3).collect();
                    }
                }
            }
        }
    }
    assert!(
        phases > 1000 && winning > 5 && drawing > 20 && most > 300,
        "{phases} {winning} {drawing} {most}"
    );
}

fn check(position: &Columns, seat: Seat, steps: &mut StepList<Move>) {
    let (mut all, mut wins) = (BTreeSet::new(), false);
    ends(position, seat, &mut BTreeSet::new(), &mut all, &mut wins);
    position.steps(steps);
    let mut found = BTreeSet::new();
    for step in steps.iter() {
        let mut after = position.clone();
        for &m in step {
            assert_eq!(after.turn(), Turn::Player(seat));
            after.try_play(m).unwrap();
        }
        assert!(found.insert(signature(&after)), "{step:?} is no new outcome");
        wins |= wins_after_the_draw(&after, seat);
    }
    if wins {
        assert_eq!(steps.len(), 1);
        let mut after = position.clone();
        steps.get(0).iter().for_each(|&m| after.play(m));
        assert!(after.board.winner() == Some(seat) || wins_after_the_draw(&after, seat));
        assert!(found.is_subset(&all));
    } else {
        assert!(found == all, "{} steps, {} ends of {position:?}", found.len(), all.len());
    }
}

/// Of two cards of a rank the one that the opponent knows of is played.
#[test]
fn known_cards_are_played_first() {
    let columns = [["4C", "", "", ""], ["QC", "", "", ""]];
    let mut position = made_up(Rules::default(), columns, ["4D 4H", "QD QH"], "", "");
    act(&mut position, &["roll 1 1 1", "place a1 b1 c1", "done"]);
    position.revealed = set("4H");
    let mut steps = StepList::default();
    position.steps(&mut steps);
    let first = Move::Play(0, "4H".parse().unwrap());
    assert!(steps.iter().any(|step| step == [first, Move::Done]));
    assert!(steps.iter().all(|step| step[0] != Move::Play(0, "4D".parse().unwrap())));
}
