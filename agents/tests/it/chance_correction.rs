//! Luck is nothing on average, and results without it spread less.

use knave_agents::chance_correction::{Alternatives, ChanceCorrection};
use knave_agents::rng::{Role, stream};
use knave_agents::toys::{ladder, ladder::Ladder, pig::Pig};
use knave_agents::{Tools, Turn};

/// Games of a toy, played by its policy or at random: (utility of seat 0, luck).
fn play<G: Tools>(rules: &G::Rules, name: &str, alternatives: Alternatives, games: u64) -> Vec<(f64, f64)> {
    let luck = ChanceCorrection::<G>::new(G::kit(rules).find_evaluator(name, rules).unwrap(), 2);
    let policy = G::kit(rules).find_policy("", rules);
    let mut buffer = Vec::new();
    let mut game = |index| {
        let mut position = G::deal(rules, &mut stream(9003, index, Role::Deal));
        let mut chance = stream(9003, index, Role::Chance);
        let (mut mover, mut sampler) =
            (stream(9003, index, Role::Agent(0)), stream(9003, index, Role::ControlVariate));
        let mut sum = 0.0;
        loop {
            match position.turn() {
                Turn::Over => return (position.utility(0), sum),
                Turn::Player(_) => {
                    let m = match &policy {
                        Some(policy) => policy.choose(&position, &mut buffer, &mut mover),
                        None => position.random_move(&mut buffer, &mut mover),
                    };
                    position.play(m);
                }
                turn => {
                    let before = position.clone();
                    position.roll(&mut chance);
                    if turn == Turn::Chance {
                        sum += luck.of(&before, &position, alternatives, 0, &mut sampler);
                    }
                }
            }
        }
    };
    (0..games).map(&mut game).collect()
}

/// The mean luck is 0 within four standard errors, whether the evaluator is good or not. Returns the
/// factors by which the best multiple of it lowers the variance.
fn factors<G: Tools>(rules: &G::Rules, names: &[&str], alternatives: Alternatives) -> Vec<f64> {
    let factor = |name: &&str| {
        let games = play::<G>(rules, name, alternatives, 4000);
        let n = games.len() as f64;
        let mean = |f: &dyn Fn(&(f64, f64)) -> f64| games.iter().map(f).sum::<f64>() / n;
        let (result, luck) = (mean(&|game| game.0), mean(&|game| game.1));
        let variance = mean(&|game| (game.1 - luck).powi(2));
        assert!(luck.abs() < 4.0 * (variance / n).sqrt(), "{name}: mean luck {luck} in {n} games");
        assert!(variance > 0.0, "{name} sees no luck");
        let covariance = mean(&|game| (game.1 - luck) * (game.0 - result));
        let raw = mean(&|game| (game.0 - result).powi(2));
        raw / (raw - covariance * covariance / variance)
    };
    names.iter().map(factor).collect()
}

#[test]
fn luck_is_unbiased_with_dice() {
    let factors = factors::<Pig>(&20, &["exact", "lead"], Alternatives::Dice);
    assert!(factors.iter().all(|&factor| factor > 1.02), "{factors:?}");
}

#[test]
fn luck_is_unbiased_with_hidden_cards() {
    let rules = ladder::Rules { cards: 6, shuffled: false };
    let factors = factors::<Ladder>(&rules, &["exact"], Alternatives::Worlds);
    assert!(factors[0] > 1.04, "{factors:?}");
}
