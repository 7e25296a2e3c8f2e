//! The features of the learned value.

use super::*;
use knave_agents::learn::{Afterstate, Features as _};
use knave_agents::{StepList, Tools as _, played};

/// The lists of features, or the utility of an end, that the steps of the mover leave behind.
fn afterstates(position: &Doubles, seat: Seat) -> Vec<Result<Vec<u16>, f64>> {
    let (mut steps, mut all) = (StepList::default(), Vec::new());
    position.afterstates(seat, &mut steps, &mut Vec::new(), &mut |i, after| {
        assert_eq!(i, all.len());
        all.push(match after {
            Afterstate::Over(utility) => Err(utility),
            Afterstate::Open { features, .. } => Ok(features.to_vec()),
        });
    });
    assert_eq!(steps.len(), all.len());
    all
}

/// Calls `f` with the decisions of random games under many rules.
fn decisions(mut f: impl FnMut(&Doubles, Seat, &mut Rng)) {
    let rules = [
        Rules::default(),
        Rules { players: 4, cards: 3, max_rolls: 60, ..Rules::default() },
        Rules { players: 7, cards: 2, ..Rules::default() },
        Rules { players: 4, teams: "0,1,0,1".parse().unwrap(), ..Rules::default() },
        Rules { players: 3, cards: 2, target: 40, ..Rules::default() },
    ];
    for (index, rules) in (0..).zip(rules.iter().cycle().take(15)) {
        let mut rng = stream(51, index, Role::Deal);
        let mut position = Doubles::deal(rules, &mut rng);
        while position.turn() != Turn::Over {
            let Turn::Player(seat) = position.turn() else {
                position.roll(&mut rng);
                continue;
            };
            f(&position, seat, &mut rng);
            let m = position.random_move(&mut Vec::new(), &mut rng);
            position.play(m);
        }
    }
}

/// The net chooses by what its seat knows: whoever holds which of the hidden cards, the steps leave the same features behind. All
/// of them are features that there are.
#[test]
fn afterstates_hide_what_is_hidden() {
    let (mut checked, mut pending) = (0, 0);
    decisions(|position, seat, rng| {
        let all = afterstates(position, seat);
        let other = Doubles::sample_world(&position.view(seat), rng);
        // Which card of a rank is held makes no difference, and what ends the game no other world can change.
        assert_eq!(all, afterstates(&other, seat));
        for features in all.iter().flatten() {
            assert!(features.iter().all(|&feature| usize::from(feature) < Doubles::INPUTS));
            assert!(Doubles::head(features) < Doubles::HEADS);
            pending += 1;
        }
        checked += 1;
    });
    assert!(checked > 400 && pending > 1_000, "{checked} decisions, {pending} afterstates");
}

/// Where everybody can tell that nobody will answer, an answer leaves behind what the position then tells; so do a pocketed stake
/// and a further roll.
#[test]
fn what_is_certain_is_played() {
    let mut certain = 0;
    decisions(|position, seat, _| {
        let mut steps = StepList::default();
        position.steps(&mut steps);
        for (step, after) in steps.iter().zip(afterstates(position, seat)) {
            let next = played(position, step);
            let answers = (0..position.seats()).filter(|&other| other != seat);
            let nobody = answers.map(|other| position.hand(other)).all(CardSet::is_empty);
            let choice = matches!(step[0], Move::POCKET | Move::ROLL);
            if !nobody && !choice {
                continue;
            }
            certain += 1;
            if next.turn() == Turn::Over {
                assert_eq!(after, Err(next.utility(seat)));
            } else {
                let mut features = Vec::new();
                next.features(seat, &mut features);
                assert_eq!(after, Ok(features));
            }
        }
    });
    assert!(certain > 100, "{certain}");
}

/// What is said without reading a model is what the model says of itself.
#[test]
fn the_model_serves_what_is_promised() {
    use crate::doubles::value::net;
    let default = Rules::default();
    let mut served = 0;
    for players in 2..=7 {
        for cards in 1..=7 {
            for rules in [
                Rules { players, cards, ..default.clone() },
                Rules { players, cards, max_rolls: 399, ..default.clone() },
                Rules { players, cards, target: 40, ..default.clone() },
                // Everybody plays alone.
                Rules { players, cards, teams: (0..i64::from(players)).collect(), ..default.clone() },
                Rules {
                    players,
                    cards,
                    teams: (0..i64::from(players)).map(|i| i % 2).collect(),
                    ..default.clone()
                },
            ] {
                let there = net::value(&rules).is_some();
                assert_eq!(net::serves(&rules), there, "{rules:?}");
                served += usize::from(there);
            }
        }
    }
    // Three to seven players with one to seven cards, whichever way they play alone, but not six with five or six.
    assert_eq!(served, 2 * (5 * 7 - 2));
}

/// Rollouts do not stop for the learned value while answers are due.
#[test]
fn the_net_values_no_open_challenge() {
    let rules = Rules { players: 3, ..Rules::default() };
    let net = Doubles::kit(&rules).find_evaluator("net", &rules).unwrap();
    assert_eq!(net.quiescent(&Doubles::deal(&rules, &mut Rng::new(53))), Some(true));
    decisions(|position, _, _| assert_eq!(net.quiescent(position), Some(false)));
}

/// Between the games of a match the net sees who begins the next one.
#[test]
fn who_rolls_next_is_known_between_games() {
    use crate::doubles::value::features::NEXT;
    let mut shuffles = 0;
    for (index, players) in [2, 3, 4].into_iter().enumerate() {
        let rules = Rules { players, cards: 2, target: 200, ..Rules::default() };
        let mut rng = stream(52, index as u64, Role::Deal);
        let mut position = Doubles::deal(&rules, &mut rng);
        loop {
            match position.turn() {
                Turn::Over => break,
                Turn::Player(_) => {
                    let m = position.random_move(&mut Vec::new(), &mut rng);
                    position.play(m);
                }
                Turn::Chance => {
                    position.roll(&mut rng);
                }
                Turn::Shuffle => {
                    let (seat, mut features) = (shuffles % usize::from(players), Vec::new());
                    position.features(seat, &mut features);
                    position.roll(&mut rng);
                    let roller = usize::from(position.view(0).board.roller);
                    let distance = (roller + usize::from(players) - seat) % usize::from(players);
                    let seen: Vec<_> = features.iter().filter_map(|&feature| NEXT.numbers(feature)).collect();
                    assert_eq!(seen.len(), 1);
                    assert_eq!(usize::from(seen[0][0]), distance, "{players} players");
                    shuffles += 1;
                }
            }
        }
    }
    assert!(shuffles > 10, "{shuffles} games test little");
}

/// Where a model does not fit, the option that is named is one that is wrong, and not a limit that makes no difference.
#[test]
fn what_does_not_fit_is_named() {
    use crate::doubles::value::net;
    let refusal = |rules: &Rules| {
        let model = (*net::MODELS.list()[0]).clone();
        net::of_model(model, rules).err().map_or_else(String::new, |error| error.to_string())
    };
    let three_players = Rules { players: 3, ..Rules::default() };
    let two_players = Rules { players: 2, ..three_players.clone() };
    let few_rolls = Rules { max_rolls: 399, ..three_players.clone() };
    assert_eq!(refusal(&three_players), "");
    for (rules, named) in [(two_players, "players=2, but for 3"), (few_rolls, "max_rolls=399, but for 400")] {
        let told = refusal(&rules);
        assert!(told.contains(named), "{told}");
    }
}
