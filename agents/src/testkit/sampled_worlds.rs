//! Sampled worlds: as probable as the position that is really there.

use crate::game::{Game, Seat, Turn};
use crate::rng::{Rng, Role, stream};
use rand::{RngExt as _, SeedableRng as _};

/// One of so many first decisions of a game is looked at. Which one is drawn before the game, so that nothing hidden decides it.
const EARLY: u32 = 8;

/// The games dealt for one that is compared, at most: where the turn passes after each move, one of [`EARLY`] gets to its decision.
const DEALS: u64 = 4 * EARLY as u64;

/// The moves and random events after which a game that goes on is left alone.
const FAR: usize = 200;

/// The chi-square that two counts with the same mean exceed once in a million.
const LIMIT: f64 = 23.93;

/// Checks that worlds of [`Game::sample_world`] and [`Game::nth_world`] are drawn with their probability, in a decision of each of
/// `games` random games under each of the rules; a thousand games notice what is grossly wrong. Further games are dealt in place of
/// those that end, or in which another seat moves, before their decision.
///
/// Given a view, the position that is really there is one more such world. So two sampled worlds go on alike, and the position
/// otherwise, as often as one of them goes on like the position, and the other otherwise. Worlds that are hardly shuffled, or always
/// the same, are too often like each other.
///
/// It looks at the next move at random that another seat or a new card leads to, so it does not see every bias. And it looks at decisions
/// before another seat has moved, for later ones the moves of others make some worlds more probable, which worlds need not mind.
/// Worlds that are always the position itself are noticed by [`super::hidden_information`].
///
/// # Panics
/// When worlds are more often, or less often, like each other than like the position; the message names the rules' index.
pub fn sampled_worlds<G: Game>(rules: &[G::Rules], games: u64) {
    for (r, rules) in rules.iter().enumerate() {
        compare::<G>(&format!("rules {r}: sample_world"), rules, games, G::sample_world);
        compare::<G>(&format!("rules {r}: nth_world"), rules, games, |view, rng| {
            G::nth_world(view, rng.random(), rng.random_range(0..4))
        });
    }
}

fn compare<G: Game>(what: &str, rules: &G::Rules, games: u64, sample: impl Fn(&G::View, &mut Rng) -> G) {
    // How often two worlds agree against the position, and how often the first agrees with the position against the second.
    let (mut worlds_agree, mut truth_agrees) = (0_u32, 0_u32);
    let mut compared = 0;
    // A game that never gets to a decision has none to compare.
    for index in 0..games * DEALS {
        if compared == games {
            break;
        }
        let mut rng = stream(8, index, Role::Chance);
        let start = G::deal(rules, &mut stream(8, index, Role::Deal));
        let Some((position, seat)) = early_decision(start, &mut rng) else { continue };
        compared += 1;
        let view = position.view(seat);
        let worlds = [sample(&view, &mut rng), sample(&view, &mut rng)];
        let seed = rng.random();
        // Moves are drawn alike. Dice are not: what is rolled in a world may be settled in the position.
        let [truth, first, second] = [&position, &worlds[0], &worlds[1]]
            .map(|world| next_of_others(world.clone(), seat, &mut Rng::seed_from_u64(seed), &mut rng));
        worlds_agree += u32::from(first == second && first != truth);
        truth_agrees += u32::from(first == truth && first != second);
    }
    let [worlds, truth] = [worlds_agree, truth_agrees].map(f64::from);
    let chi = (worlds - truth).powi(2) / (worlds + truth).max(1.0);
    assert!(
        chi < LIMIT,
        "{what}: worlds are not as probable as they should be: in {compared} games two go on alike, and not like the position, \
         {worlds_agree} times, and one like the position, and not like the other, {truth_agrees} times"
    );
}

/// One of the first decisions of a game, and who makes it, if the game gets there before anybody else moves.
fn early_decision<G: Game>(mut position: G, rng: &mut Rng) -> Option<(G, Seat)> {
    let mut before = rng.random_range(0..EARLY);
    let (mut first, mut buffer) = (None, Vec::new());
    for _ in 0..FAR {
        match position.turn() {
            Turn::Player(seat) => {
                if *first.get_or_insert(seat) != seat {
                    return None;
                }
                if before == 0 {
                    return Some((position, seat));
                }
                before -= 1;
                let m = position.random_move(&mut buffer, rng);
                position.play(m);
            }
            Turn::Over => return None,
            _ => {
                position.roll(rng);
            }
        }
    }
    None
}

/// The first random move after another seat has come to move, or chance has brought something, or what the end is worth before.
fn next_of_others<G: Game>(
    mut world: G,
    seat: Seat,
    moves: &mut Rng,
    chance: &mut Rng,
) -> Result<G::Move, Option<u64>> {
    let (mut is_own, mut buffer) = (true, Vec::new());
    for _ in 0..FAR {
        match world.turn() {
            Turn::Player(mover) => {
                let m = world.random_move(&mut buffer, moves);
                if mover != seat || !is_own {
                    return Ok(m);
                }
                world.play(m);
            }
            Turn::Over => return Err(Some(world.utility(seat).to_bits())),
            _ => {
                world.roll(chance);
                is_own = false;
            }
        }
    }
    Err(None)
}
