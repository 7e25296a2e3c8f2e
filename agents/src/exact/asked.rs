//! Profiles of agents: what they play in every information set of a tree, found by asking them.

use super::profile::Profile;
use super::tree::{InformationSet, Tree};
use crate::agent::Agent;
use crate::decision::Decision;
use crate::game::Game;
use crate::rng::Rng;

/// The counts of an agent's choices in an information set, move by move.
pub type Counts = Vec<u32>;

/// Asks an agent for its move in an information set, `times` times, each as the first decision of a game. One that plays at
/// random is not asked, for it is known to choose every move equally often.
///
/// The agent must play one game at a time.
pub fn ask<G: Game>(agent: &mut dyn Agent<G>, set: &InformationSet<G>, times: u32, rng: &mut Rng) -> Counts {
    if agent.plays_uniformly() {
        return vec![1; set.moves.len()];
    }
    let history = if agent.uses_history() { &set.history[..] } else { &[] };
    let mut counts = vec![0; set.moves.len()];
    for _ in 0..times {
        agent.begin_game();
        let m = agent.choose(Decision::new(&set.position, history), rng);
        if let Ok(number) = set.moves.binary_search(&m) {
            counts[number] += 1;
        }
    }
    counts
}

/// The profile of these counts, one list for each information set. Where nothing was counted all moves are as probable.
#[must_use]
pub fn profile<G: Game>(tree: &Tree<G>, counts: &[Counts]) -> Profile {
    let mut profile = Profile::uniform(tree);
    for (set, counts) in tree.sets().iter().zip(counts) {
        let total: u32 = counts.iter().sum();
        if total > 0 {
            for (probability, &count) in profile.at_mut(set).iter_mut().zip(counts) {
                *probability = f64::from(count) / f64::from(total);
            }
        }
    }
    profile
}
