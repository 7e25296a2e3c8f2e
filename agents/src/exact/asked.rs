//! Profiles of agents: what they play in every information set of a tree, found by asking them.

use super::profile::Profile;
use super::tree::{InformationSet, Tree};
use crate::agent::Agent;
use crate::decision::Decision;
use crate::game::{Game, Seat};
use crate::rng::Rng;

/// An agent chose a move that is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the agent in seat {seat} chose the illegal move {chosen}")]
pub struct IllegalChoice {
    /// The seat of the agent.
    pub seat: Seat,
    /// The move.
    pub chosen: String,
}

/// The counts of an agent's choices in an information set, move by move.
pub type Counts = Vec<u32>;

/// Asks an agent for its move in an information set, `times` times, each as the first decision of a game. One that plays at
/// random is not asked, for it is known to choose every move equally often.
///
/// The agent must play one game at a time.
///
/// # Errors
/// When it chooses an illegal move: what it would have played instead, nobody knows.
pub fn ask<G: Game>(
    agent: &mut dyn Agent<G>,
    set: &InformationSet<G>,
    times: u32,
    rng: &mut Rng,
) -> Result<Counts, IllegalChoice> {
    if agent.plays_uniformly() {
        return Ok(vec![1; set.moves.len()]);
    }
    let decision = Decision::new(&set.position, &set.history).told_to(agent);
    let mut counts = vec![0; set.moves.len()];
    for _ in 0..times {
        agent.begin_game();
        let m = agent.choose(decision, rng);
        let number = set
            .moves
            .binary_search(&m)
            .map_err(|_| IllegalChoice { seat: set.seat, chosen: m.to_string() })?;
        counts[number] += 1;
    }
    Ok(counts)
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
