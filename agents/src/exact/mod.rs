//! Exact answers about fair play, in games small enough to be written out.
//!
//! [`optimum`] finds the best fair play of a solo game by expectimax. [`tree`] writes a game out in extensive form, with the
//! information sets of every seat. On a tree [`cfr`] finds an equilibrium of two seats, [`best_response`] says what a profile of
//! strategies gives away, [`asked`] makes a profile of agents, and [`efg`] writes the tree for other programs.
//!
//! Small versions come from short decks. A game says by its [`Listing`] how its chance is enumerated. The caller, who knows its
//! cards, gives the positions after every deal.

pub mod asked;
pub mod best_response;
pub mod cfr;
pub mod efg;
pub mod optimum;
pub mod profile;
pub mod tree;

use crate::game::{Game, Seat};
use std::hash::{DefaultHasher, Hash, Hasher as _};

/// Lists the outcomes of the random event that is due.
pub type Outcomes<G> = fn(&G, &mut Vec<(<G as Game>::Chance, f64)>);

/// The enumeration of small versions of a game.
pub struct Listing<G: Game> {
    /// The number of cards on top of a deck that the deal hands out or lays open. The order of the others is chance, or
    /// never matters.
    pub dealt: fn(&G::Rules) -> usize,
    /// Replaces the contents of a list with the outcomes of the random event that is due and their probabilities, given all
    /// that players know. Outcomes that make no difference from there on may stand as one. The probabilities must sum to 1.
    pub outcomes: Outcomes<G>,
    /// The outcome in such a list that stands for this one.
    pub listed: fn(G::Chance) -> G::Chance,
    /// The fingerprint of a position: equal ones promise that equal play is worth the same. Solo games need it, and games of
    /// several seats make no use of it.
    pub fingerprint: Option<fn(&G) -> u128>,
}

/// The result of a finished game for a seat.
pub type Payoff<G> = fn(&G, Seat) -> f64;

/// The positions after every possible deal, with their probabilities.
pub type Starts<G> = Vec<(G, f64)>;

/// The most moves and random events between the deal and an end. Games are walked by recursion, and small ones are far from it.
const MOST_DEPTH: usize = 400;

/// An error of enumerating or solving a small game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExactError {
    /// There are more positions than memory was granted for.
    #[error("there are more than {limit} {what}, the limit `positions`: take fewer cards, or raise it")]
    TooLarge {
        /// The limit.
        limit: usize,
        /// The noun for what was counted.
        what: &'static str,
    },
    /// Games can go on for too long.
    #[error("a game can have more than {0} moves and random events: a limit in its rules makes it finite")]
    TooLong(usize),
    /// Cards are shuffled in mid-game.
    #[error("cards are shuffled in mid-game, which is not written out: choose rules without it")]
    Shuffle,
    /// The probabilities of outcomes are wrong.
    #[error(
        "the outcomes that are listed for a random event have {wrong}; expected probabilities from 0 to 1 that sum to 1"
    )]
    Probabilities {
        /// What is wrong with them.
        wrong: String,
    },
    /// A solo game has no fingerprints.
    #[error(
        "a solo game is solved by fingerprints of its positions, and its listing has none: `Listing::fingerprint` is `None`"
    )]
    Fingerprint,
    /// A number of seats for which there is no solver, or not this one.
    #[error("the exact solver supports one or two seats; this game has {0}")]
    Seats(usize),
    /// The results of the seats do not always sum to the same.
    #[error("the results of the two seats do not have the same sum in every game, so there is no one value")]
    GeneralSum,
}

/// The outcomes of the random event that is due.
///
/// # Errors
/// When their probabilities are none, or do not sum to 1: every value would be wrong without a sign of it.
fn listed_outcomes<G: Game>(
    outcomes: Outcomes<G>,
    position: &G,
) -> Result<Vec<(G::Chance, f64)>, ExactError> {
    /// Rounding leaves sums of millions of probabilities nearer to 1.
    const ERROR: f64 = 1e-9;
    let mut listed = Vec::new();
    outcomes(position, &mut listed);
    let mut probabilities = listed.iter().map(|&(_, probability)| probability);
    let sum: f64 = probabilities.clone().sum();
    let wrong = match probabilities.find(|probability| !(0.0..=1.0 + ERROR).contains(probability)) {
        Some(other) => format!("the probability {other}"),
        None if (sum - 1.0).abs() <= ERROR => return Ok(listed),
        // As exactly as they are compared.
        None => format!("probabilities that sum to {}", (sum * 1e9).round() / 1e9),
    };
    Err(ExactError::Probabilities { wrong })
}

/// A fingerprint of data, for [`Listing::fingerprint`]. Two different values have the same one with a probability of 2⁻¹²⁸.
#[must_use]
pub fn fingerprint(value: &impl Hash) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        value.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
