//! Fits what the dungeon's hand-written evaluator `rule` expects of a score, by self-play.
//!
//! `cargo run --release -p knave-lab --bin fit_dungeon_score -- [GAMES] [SEED]` plays whole turns by the weights themselves, for the
//! score. Every game draws its health, the limit of its weapon and the count of a death, and one in two a deck that lacks cards of
//! some suits; avoided cards stay in order. From games that are won the weights of their score are learnt, from the others the part of
//! the monsters' ranks that it counts. The log-odds of winning stay as they are.
//! Prints a weights file. Runs without ambient randomness: the same arguments give the same file.

use knave::cards::Card;
use knave::games::CardGame as _;
use knave::games::dungeon::value::rule::{FEATURES, N, OF_WON, Rule, features};
use knave::games::dungeon::{Aim, Dungeon, Rules, Unfaced, WeaponLimit};
use knave_agents::rng::stream;
use knave_agents::{Game as _, Rng, Role, StepList, Tools as _, Turn};
use knave_lab::arguments::numbers;
use knave_lab::learner::{Learner, probability, weighted};
use rand::RngExt as _;
use rand::seq::SliceRandom as _;

/// How often a step is drawn at random instead.
const EXPLORE: f64 = 0.02;

/// A position after a decision.
struct Seen {
    features: [f32; N],
    unfaced: f32,
}

/// Plays a game by the weights, and returns its last position.
fn game(rule: &Rule, mut position: Dungeon, seen: &mut Vec<Seen>, rng: &mut Rng) -> Dungeon {
    let mut steps = StepList::default();
    seen.clear();
    loop {
        match position.turn() {
            Turn::Over => return position,
            Turn::Chance | Turn::Shuffle => drop(position.roll(rng)),
            Turn::Player(_) => {
                position.steps(&mut steps);
                let worth = |step: &[knave::games::dungeon::Move]| {
                    let mut after = position.clone();
                    step.iter().for_each(|&m| after.play(m));
                    rule.expected_score(&after)
                };
                let step = if rng.random::<f64>() < EXPLORE {
                    rng.random_range(0..steps.len())
                } else {
                    let worths = steps.iter().map(worth).enumerate();
                    worths.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(step, _)| step)
                };
                steps.get(step).iter().for_each(|&m| position.play(m));
                if position.turn() == Turn::Chance {
                    let board = position.board();
                    let features = features(board, position.pile_cards(), position.unseen());
                    seen.push(Seen { features, unfaced: f32::from(board.unfaced) });
                }
            }
        }
    }
}

/// Draws rules, and in half of the games a part of the cards, and deals them.
fn deal(rng: &mut Rng) -> Dungeon {
    let most = if rng.random::<f64>() < 0.3 { 20 } else { 99 };
    let rules = Rules {
        health: rng.random_range(1..=most),
        objective: Aim::Score,
        unfaced: if rng.random() { Unfaced::Pile } else { Unfaced::PileAndRoom },
        weapon_limit: if rng.random() { WeaponLimit::AtMost } else { WeaponLimit::Below },
        ..Rules::default()
    };
    if rng.random() {
        return Dungeon::deal(&rules, rng);
    }
    let kept: [f64; 4] = std::array::from_fn(|_| [0.0, 0.5, 1.0, 1.0][rng.random_range(0..4)]);
    let mut deck = Dungeon::full_deck();
    deck.retain(|card: &Card| rng.random::<f64>() < kept[card.suit() as usize]);
    deck.shuffle(rng);
    Dungeon::from_deck(&rules, &deck).unwrap_or_else(|_| Dungeon::deal(&rules, rng))
}

fn main() {
    let [games, seed] = numbers(["GAMES", "SEED"]);
    let (games, seed) = (games.unwrap_or(200_000), seed.unwrap_or(9501));
    let mut rule = (*Rule::fitted()).clone();
    (rule.score.won, rule.score.lost) = ([0.0; 3], [0.0; N]);
    let (mut won, mut lost) = (Learner::new([0.0; 3], 3.0), Learner::new([0.0; N], 3.0));
    let (mut seen, mut sum) = (Vec::new(), 0);
    for index in 0..games {
        if index == games / 2 {
            (won.average, won.rate) = (rule.score.won, 1.0);
            (lost.average, lost.rate) = (rule.score.lost, 1.0);
        }
        let deal = deal(&mut stream(seed, index, Role::Deal));
        let end = game(&rule, deal, &mut seen, &mut stream(seed, index, Role::Agent(0)));
        let score = end.score(0);
        sum += score;
        // Errors count in tens of points.
        let (score, health) = (score as f32, f32::from(end.board().rules.health) / 20.0);
        for Seen { features, unfaced } in &seen {
            if end.won(0) {
                let of_won = [1.0, weighted(&rule.weights, features), health];
                let error = (score - weighted(&rule.score.won, &of_won)) / 10.0;
                won.step(&mut rule.score.won, of_won.map(|x| error * x));
            } else {
                let left = probability(weighted(&rule.score.lost, features));
                // Logistic regression in which each point of a rank is a case.
                let error = (-score - unfaced * left) / 10.0;
                lost.step(&mut rule.score.lost, features.map(|x| error * x));
            }
        }
        won.follow(&rule.score.won, |difference| 0.001 * difference);
        lost.follow(&rule.score.lost, |difference| 0.001 * difference);
        let tenth = (games / 10).max(1);
        if (index + 1).is_multiple_of(tenth) {
            eprintln!("{} games, mean score {:.2} in the last tenth", index + 1, sum as f64 / tenth as f64);
            sum = 0;
        }
    }
    println!(
        "made_by = \"cargo run --release -p knave-lab --bin fit_dungeon_score -- {games} {seed}\"\n[won]"
    );
    OF_WON.iter().zip(won.average).for_each(|(name, weight)| println!("{name} = {weight:.4}"));
    println!("[lost]");
    FEATURES.iter().zip(lost.average).for_each(|(name, weight)| println!("{name} = {weight:.4}"));
}
