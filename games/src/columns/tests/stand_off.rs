//! Stand-offs: players who wait, decisions that come back, and what ends the waiting.

use super::*;
use crate::columns::value::net::{STAND_OFF, value};
use knave_agents::{Agent, Decision, Evaluator as _, registry};

/// Nothing is hidden and nothing left to draw. Seat 0 can finish its last column but one, and seat 1 as well.
fn waiting() -> Columns {
    let mine = ["9C 8C 7C 6C !", "4C 3C 2C AC KC !", "TD JD QD", "5S 6S 7S 8S 9S >"];
    let yours = ["9D 8D 7D 6D !", "4D 3D 2D AD KD !", "TH JH QH", "TS JS QS KS AS >"];
    let mut position = made_up(Rules::default(), [mine, yours], ["2H 5H", "3H 6H"], "", "");
    position.revealed = position.hands[0] | position.hands[1];
    position
}

/// Plays a round in which nobody plays a card; the next is rolled.
fn wait(position: &mut Columns) {
    act(position, &["place c4", "done", "done", "roll 4"]);
}

fn rolled() -> Columns {
    let mut position = waiting();
    position.board.phase = Phase::Roll;
    act(&mut position, &["roll 4"]);
    position
}

/// Rounds without a play are counted; whatever changes the table begins the count anew.
#[test]
fn quiet_rounds_are_counted() {
    let mut position = rolled();
    for rounds in 1..5 {
        wait(&mut position);
        assert_eq!((position.board.waited, position.board.round), (rounds, 1 + rounds));
    }
    // A stolen column, a card of one's own and a finished column.
    let steal = made_up(
        Rules::default(),
        [["9C 8C", "4C", "TD", "5S"], ["9D 8D", "4D", "TH", "TS"]],
        ["9H 2H", "8S 3H"],
        "QH KH",
        "",
    );
    for (mut position, play) in [(steal.clone(), "steal a 8S"), (steal, "play a 8S"), (position, "finish d")]
    {
        position.board.waited = 7;
        position.board.phase = Phase::Roll;
        let roll = ["roll 1", "roll 1 1 1"][usize::from(position.board.open == 15)];
        let place = ["place c1", "place a1 b1 c1"][usize::from(position.board.open == 15)];
        act(&mut position, &[roll, place]);
        assert_eq!(position.board.waited, 7);
        act(&mut position, &[play]);
        assert_eq!(position.board.waited, 0, "{play}");
        act(&mut position, &["done", "done"]);
        assert_eq!(position.board.waited, 1, "{play}");
    }
}

/// After forty rounds of waiting both seats value another one less than the half that it scores, whichever way they are asked.
/// Before that they do not, nor in games that are short anyway.
#[test]
fn waiting_loses_its_worth() {
    let (mut steps, mut values) = (StepList::default(), Vec::new());
    let mut asked = |max_rounds: u32, before: u32| {
        let rules = Rules { max_rounds, ..Rules::default() };
        let net = value(&rules).unwrap();
        let mut position = rolled();
        position.board.rules = rules;
        position.board.waited = before;
        act(&mut position, &["place c4", "done"]);
        assert!(net.steps(&position, position.board.mover(), &mut steps, &mut values));
        let done = steps.iter().position(|step| step == [Move::Done]).unwrap();
        let listed = values[done];
        act(&mut position, &["done"]);
        let seats = [0, 1].map(|seat| net.value(&position, seat));
        assert_eq!(listed.to_bits(), seats[0].to_bits(), "the mover was seat 0");
        seats
    };
    assert_eq!(asked(1000, STAND_OFF - 1), [0.2, 0.2]);
    assert_eq!(asked(1000, STAND_OFF + 5), [0.2, 0.2]);
    assert_eq!(asked(50, STAND_OFF), [0.2, 0.2]);
    // Games with shorter limits are learnt from, and a stand-off is not to be learnt as a loss.
    for (max_rounds, before) in [(1000, STAND_OFF - 2), (49, STAND_OFF)] {
        let values = asked(max_rounds, before);
        assert!((values[0] + values[1] - 1.0).abs() < 0.3 && values != [0.2, 0.2], "{values:?}");
    }
}

/// A search answers a decision that came before in its game as it did then, and does not think again: it draws no random
/// numbers. It thinks again once waiting has lost its worth, near the last round, and in the next game.
#[test]
fn decisions_come_back() {
    let entries = registry::agents(&Columns::kit(&Rules::default()));
    let spec = "mcts:iterations=40".parse().unwrap();
    let mut agent: Box<dyn Agent<Columns>> =
        registry::prepare(&entries, "columns", &spec, &Rules::default()).unwrap().make();
    let mut thinks = |position: &Columns, seed: u64, fresh: bool| {
        if fresh {
            agent.begin_game();
        }
        let (mut rng, unused) = (stream(44, seed, Role::Chance), stream(44, seed, Role::Chance));
        let m = agent.choose(Decision::new(position, &[]), &mut rng);
        (m, rng != unused)
    };
    let mut position = rolled();
    let (first, thought) = thinks(&position, 0, true);
    assert!(thought);
    wait(&mut position);
    wait(&mut position);
    assert_eq!(thinks(&position, 1, false), (first, false), "two rounds later");
    position.board.waited = STAND_OFF + 3;
    assert!(thinks(&position, 2, false).1, "when waiting is worth less");
    position.board.waited += 2;
    assert!(!thinks(&position, 3, false).1, "and then no more");
    position.board.round = position.board.rules.max_rounds - 32;
    assert!(!thinks(&position, 4, false).1, "while the last round is far");
    position.board.round += 1;
    assert!(thinks(&position, 4, false).1, "near the last round");
    assert!(thinks(&rolled(), 5, true).1, "in another game");
}
