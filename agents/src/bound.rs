//! Upper bounds on fair play.
//!
//! A game joins by its [`Kit`](crate::Kit). What it gives for a deal is no player's result and need not bound any on
//! that deal: its mean over deals bounds the mean of every player who knows no more than the rules allow. Such bounds come
//! from play that is told more than that (an information relaxation), and may be made to pay for it with what costs
//! others nothing on average (Brown, Smith and Sun 2010).

use crate::game::Game;
use crate::options::OptionError;
use crate::rng::Rng;

/// What is bounded in a game, and how.
pub struct Bounding<G: Game> {
    /// What is bounded, in one word: `score` or `wins`.
    pub quantity: &'static str,
    /// How, in one line.
    pub method: &'static str,
    /// Whether it makes sense under these rules.
    ///
    /// Its error names the option that stands against it, and why.
    pub check: fn(&G::Rules) -> Result<(), OptionError>,
    /// The quantity of a finished game.
    pub value: fn(&G) -> f64,
    /// One who bounds deals, for one worker.
    pub bounder: fn() -> Box<dyn DealBounder<G>>,
}

/// What is known of a deal.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct DealBound {
    /// Its mean over deals bounds fair play from above.
    pub bound: f64,
    /// The most that play reaches on this deal with every card known, for nothing.
    pub clairvoyant: f64,
}

/// Bounds deals.
pub trait DealBounder<G: Game>: Send {
    /// Bounds a freshly dealt position, the order of its deck included. `rng` is for what might have been dealt instead.
    ///
    /// The answer depends on nothing but the arguments, above all not on earlier deals.
    fn bound(&mut self, rules: &G::Rules, deal: &G, rng: &mut Rng) -> DealBound;
}
