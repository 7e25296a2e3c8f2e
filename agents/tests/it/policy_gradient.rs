//! Policies that are learnt, against the best play of pig.

use knave_agents::game::{Game as _, Seat, Turn, played};
use knave_agents::kit::Tools as _;
use knave_agents::learn::policy_gradient::PolicyTrainer;
use knave_agents::learn::td::Trainer;
use knave_agents::learn::{Header, LearnedValue, Model};
use knave_agents::options;
use knave_agents::policy::Policy;
use knave_agents::rng::{Role, stream};
use knave_agents::toys::pig::{Exact, Pig};
use knave_agents::training::{DrawnRules, Method, Schedule, Training as _};
use serde_json::json;
use std::sync::Arc;

const TARGET: u8 = 12;

fn schedule(games: u64, more: &str) -> Schedule {
    let text = format!("games={games},method=policy_gradient,first=16,second=8,rate=0.01,batch=8{more}");
    let given = options::fields("schedule", text.split(',')).unwrap();
    options::read("schedule", &given).unwrap()
}

fn trainer(games: u64, more: &str) -> PolicyTrainer<Pig> {
    PolicyTrainer::new(DrawnRules::only(TARGET), schedule(games, more), Box::new(|_, _, _| None), 9000)
}

/// The policy after so many games.
fn policy(games: u64, more: &str) -> LearnedValue<Pig> {
    let mut trainer = trainer(games, more);
    for _ in 0..games {
        trainer.train();
    }
    trainer.held_out(9001, 0);
    let header = Header {
        schema: 2,
        game: "pig".to_owned(),
        rules_version: 1,
        rules: TARGET.into(),
        features_version: 1,
        shape: trainer.net().shape(),
        unit: 0,
        training: json!({ "schedule": schedule(games, more) }),
        fnv1a: None,
    };
    let largest = trainer.largest();
    let model = Model::new(header, trainer.net(), largest).unwrap();
    assert_eq!(model.header.method(), Method::PolicyGradient);
    LearnedValue::new(Arc::new(model))
}

/// The share of the games that `policy` wins against `other`, from both seats.
fn wins(policy: &dyn Policy<Pig>, other: &dyn Policy<Pig>) -> f64 {
    const GAMES: u64 = 4_000;
    let play = |index: u64| {
        let (seat, mut rng) = ((index % 2) as Seat, stream(3, index, Role::Chance));
        let mut position = Pig::deal(&TARGET, &mut rng);
        while position.turn() != Turn::Over {
            match position.turn() {
                Turn::Player(mover) => {
                    let player = if mover == seat { policy } else { other };
                    let m = player.choose(&position, &mut Vec::new(), &mut rng);
                    position.play(m);
                }
                _ => drop(position.roll(&mut rng)),
            }
        }
        position.utility(seat)
    };
    (0..GAMES).map(play).sum::<f64>() / GAMES as f64
}

/// By its own games alone the net finds nearly the best play of pig (value iteration): where its games go it gives away less than a
/// point in a hundred games at a decision, and before it has learnt it gives away much more.
#[test]
fn a_policy_finds_the_best_play_of_pig() {
    let exact = Exact::new(TARGET);
    let regret = |policy: LearnedValue<Pig>| {
        let (mut lost, mut decisions, mut rng) = (0.0, 0, stream(1, 0, Role::Chance));
        for _ in 0..500 {
            let mut position = Pig::deal(&TARGET, &mut rng);
            while let turn @ (Turn::Player(_) | Turn::Chance) = position.turn() {
                let Turn::Player(seat) = turn else {
                    position.roll(&mut rng);
                    continue;
                };
                let mut moves = Vec::new();
                position.moves(&mut moves);
                let best =
                    moves.iter().map(|&m| exact.win(&played(&position, &[m]), seat)).fold(0.0, f64::max);
                position.play(policy.choose(&position, &mut moves, &mut rng));
                lost += best - exact.win(&position, seat);
                decisions += 1;
            }
        }
        lost / f64::from(decisions)
    };
    let (before, after) = (regret(policy(8, "")), regret(policy(20_000, "")));
    assert!(after < 0.01 && before > 0.03, "{before}, then {after}");
}

/// Against a rival alone it wins about as often as the best play of both does. It may win more, for it may play to the
/// rival's weakness. And it learns from its own seat, for the rival has its own in every game.
#[test]
fn a_policy_learns_to_beat_its_rival() {
    let timid = Pig::kit(&TARGET).find_policy("timid", &TARGET).unwrap();
    let exact = Exact::new(TARGET);
    let learnt = policy(20_000, ",temperature=0.1,rival=timid,rivals=1");
    let (learnt, best) = (wins(&learnt, &*timid), wins(&ByExact(exact), &*timid));
    assert!(learnt > best - 0.03 && best > 0.55, "{learnt} where the best play of both has {best}");
}

/// In games of a rival that has every seat it learns to choose as the rival does, well or badly. By its own games it comes to
/// choose otherwise.
#[test]
fn a_policy_imitates_a_rival_that_has_every_seat() {
    let timid = Pig::kit(&TARGET).find_policy("timid", &TARGET).unwrap();
    let agrees = |policy: LearnedValue<Pig>| {
        let (mut alike, mut decisions, mut rng) = (0.0, 0.0, stream(2, 0, Role::Chance));
        for _ in 0..200 {
            let mut position = Pig::deal(&TARGET, &mut rng);
            while let turn @ (Turn::Player(_) | Turn::Chance) = position.turn() {
                if turn == Turn::Chance {
                    position.roll(&mut rng);
                    continue;
                }
                let [own, timids] = [&policy as &dyn Policy<Pig>, &*timid]
                    .map(|policy| policy.choose(&position, &mut Vec::new(), &mut rng));
                alike += f64::from(u8::from(own == timids));
                decisions += 1.0;
                position.play(timids);
            }
        }
        alike / decisions
    };
    let [imitator, own] =
        [",rival=timid,rivals=1,rival_seats=all", ""].map(|more| agrees(policy(3_000, more)));
    assert!(imitator > 0.98 && own < 0.9, "{imitator} where its own games give {own}");
}

struct ByExact(Exact);

impl Policy<Pig> for ByExact {
    fn choose(
        &self,
        position: &Pig,
        moves: &mut Vec<knave_agents::toys::pig::Move>,
        _: &mut knave_agents::Rng,
    ) -> knave_agents::toys::pig::Move {
        position.moves(moves);
        let value = |&m: &_| self.0.win(&played(position, &[m]), position.mover());
        moves.iter().copied().max_by(|a, b| value(a).total_cmp(&value(b))).unwrap()
    }
}

/// The same seed gives the same nets, and a training that was interrupted ends with them, too. In the middle of a batch it goes back to the last
/// learning step.
#[test]
fn a_training_of_a_policy_can_be_interrupted() {
    let train = |trainer: &mut PolicyTrainer<Pig>, games: u64| {
        for _ in 0..games {
            trainer.train();
        }
    };
    let mut whole = trainer(400, "");
    train(&mut whole, 400);
    let mut first = trainer(400, "");
    train(&mut first, 125);
    first.held_out(1, 1);
    let mut second = trainer(400, "");
    assert!(second.resume(&first.progress()));
    assert_eq!(second.games(), 120);
    train(&mut second, 280);
    assert_eq!(second.progress(), whole.progress());
    assert!(!trainer(400, "").resume(&whole.progress()[..100]));
    assert!(!trainer(100, "").resume(&whole.progress()), "more games than the schedule has");
}

/// A critic begins with a model of values, and not with one of a policy: those are no values of anything.
#[test]
fn a_critic_begins_with_values_alone() {
    let mut values = trainer(8, "");
    for _ in 0..8 {
        values.train();
    }
    let net = values.net().clone();
    let state = |method| {
        let mut trainer = trainer(8, "");
        assert!(trainer.begin_with(&net, method));
        trainer.progress()
    };
    let schedule = Schedule { first: 16, second: 8, ..Schedule::default() };
    let mut td = Trainer::<Pig>::new(DrawnRules::only(TARGET), schedule, Box::new(|_, _, _| None), 9000);
    assert!(td.begin_with(&net, Method::Td) && !td.begin_with(&net, Method::PolicyGradient), "no values");
    let (of_values, of_policy) = (state(Method::Td), state(Method::PolicyGradient));
    let half = 8 + (of_values.len() - 8) / 2;
    assert_eq!(of_values[8..half], of_policy[8..half], "the policy begins with it in any case");
    assert_ne!(of_values[half..], of_policy[half..]);
}

/// What belongs to one method is refused with the other.
#[test]
fn schedules_of_the_other_method_are_refused() {
    let refused = |text: &str| {
        let given = options::fields("schedule", text.split(',')).unwrap();
        options::read::<Schedule>("schedule", &given).unwrap_err().to_string()
    };
    let td = ["temperature=0.2", "entropy=0.1"];
    assert!(td.iter().all(|option| refused(option).contains("it needs method=policy_gradient")));
    assert!(refused("method=policy_gradient,explore=0.5").contains("it needs method=td"));
}
