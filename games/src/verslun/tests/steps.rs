//! What steps leave out is missed by nobody: brute force over single moves.

use super::*;

/// The best mean score from here over single moves or over steps, for one who knows the deck or for one who
/// does not.
fn best(position: &Verslun, by_steps: bool, knows: bool) -> f64 {
    match position.turn() {
        Turn::Over => return position.score(0) as f64,
        Turn::Chance if knows => {
            let mut next = position.clone();
            settle(&mut next);
            return best(&next, by_steps, knows);
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            position.outcomes(&mut outcomes);
            let values = outcomes.iter().map(|&(outcome, probability)| {
                let mut next = position.clone();
                next.play_chance(outcome);
                probability * best(&next, by_steps, knows)
            });
            return values.sum();
        }
        _ => {}
    }
    let mut steps = StepList::default();
    if by_steps {
        position.steps(&mut steps);
    } else {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves.iter().for_each(|&m| steps.push(&[m]));
    }
    let values = steps.iter().map(|step| {
        let mut next = position.clone();
        for &m in step {
            assert_eq!(next.turn(), Turn::Player(0));
            next.try_play(m).unwrap();
        }
        best(&next, by_steps, knows)
    });
    values.fold(0.0, f64::max)
}

/// What the steps leave out is not missed by one who knows the deck. Small decks, every option.
#[test]
fn steps_leave_out_nothing_better() {
    let mut rng = Rng::new(6);
    let mut scores = 0.0;
    for aces_wild in [false, true] {
        for matching in [Match::Suit, Match::SuitOrRank] {
            for (columns, extra, decks) in [(1, 14, 12), (2, 7, 6), (2, 10, 2), (3, 6, 2)] {
                let rules = Rules { aces_wild, matching, columns, hand: 4, ..Rules::default() };
                for _ in 0..decks {
                    let mut deck = Verslun::full_deck();
                    deck.shuffle(&mut rng);
                    let deck = &deck[..rules.laid_out() + extra];
                    let position = Verslun::from_deck(&rules, deck).unwrap();
                    let expected = best(&position, false, true);
                    assert_eq!(best(&position, true, true), expected, "{rules:?}, {deck:?}");
                    scores += expected;
                }
            }
        }
    }
    assert!(scores > 1_000.0, "{scores}: most games must bring something");
}

/// Of two claimed columns only the lowest is given up in a step. Positions in which both could be: nothing better is left
/// out, and giving up the other would often be worse.
#[test]
fn steps_give_up_only_the_lowest_column() {
    let rules = Rules { columns: 2, hand: 4, ..Rules::default() };
    let mut rng = Rng::new(9);
    let (mut compared, mut worse, mut buffer) = (0, 0, Vec::new());
    while compared < 40 {
        let mut deck = Verslun::full_deck();
        deck.shuffle(&mut rng);
        let mut position = Verslun::from_deck(&rules, &deck[..rules.laid_out() + 17]).unwrap();
        let both = |board: &Board| board.phase == Phase::Redeal && board.claimed().count() == 2;
        while position.turn() != Turn::Over && !both(&position.board()) {
            position.moves(&mut buffer);
            buffer.retain(|m| moves_on(&m.to_string()) && !matches!(m, Move::Redeal(_)));
            position.play(buffer[rng.random_range(0..buffer.len())]);
            settle(&mut position);
        }
        let worth = position.board().worth;
        if position.turn() == Turn::Over || worth[0] == worth[1] || position.pile_len() < rules.redealt() {
            continue;
        }
        compared += 1;
        assert_eq!(best(&position, true, true), best(&position, false, true), "{position:?}");
        let given_up = |column: u8| {
            let mut next = position.clone();
            next.play(Move::Redeal(column));
            best(&next, false, true)
        };
        let (low, high) = if worth[0] < worth[1] { (0, 1) } else { (1, 0) };
        assert!(given_up(low) >= given_up(high), "{position:?}");
        worse += usize::from(given_up(low) > given_up(high));
    }
    assert!(worse > 10, "{worse} of {compared}");
}

/// Nor is it missed by one who does not know the deck: exact values of the ends of random games, every option.
#[test]
fn steps_leave_out_nothing_better_of_the_unknown() {
    let mut rng = Rng::new(7);
    let (mut compared, mut buffer) = (0, Vec::new());
    for rules in many_rules().into_iter().filter(|rules| rules.columns <= 3 && rules.hand <= 6) {
        for _ in 0..24 {
            let mut position = Verslun::deal(&rules, &mut rng);
            // To the last turns of a game that goes on for as long as it can.
            while position.turn() != Turn::Over && position.pile_len() > 8 {
                position.moves(&mut buffer);
                buffer.retain(|m| moves_on(&m.to_string()));
                position.play(buffer[rng.random_range(0..buffer.len())]);
                settle(&mut position);
            }
            if position.turn() == Turn::Over {
                continue;
            }
            compared += 1;
            let (moves, steps) = (best(&position, false, false), best(&position, true, false));
            assert!((moves - steps).abs() < 1e-9, "{moves} by moves, {steps} by steps: {position:?}");
        }
    }
    assert!(compared > 30, "{compared} positions");
}
