//! Upper bounds on fair play, by information relaxation (Brown, Smith and Sun 2010).
//!
//! The bound of a single deal need not hold for that deal. Its mean over deals bounds the mean of every player
//! who knows no more than the rules allow. A relaxation plays with more knowledge than is fair. It may be
//! charged a penalty whose mean is zero for uninformed players, which makes the bound tighter.

use crate::game::Game;
use crate::options::OptionError;
use crate::rng::Rng;

/// The bounded quantity of a game, and the method.
pub struct Bounding<G: Game> {
    /// The quantity, in one word: `score` or `wins`.
    pub quantity: &'static str,
    /// The method, in one line.
    pub method: &'static str,
    /// A check that the bound makes sense under these rules.
    ///
    /// Its error names the option that stands against it, and why.
    pub check: fn(&G::Rules) -> Result<(), OptionError>,
    /// The quantity of a finished game.
    pub value: fn(&G) -> f64,
    /// Makes a bounder, for one worker.
    pub bounder: fn() -> Box<dyn DealBounder<G>>,
}

/// The bound of a deal.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct DealBound {
    /// Its mean over deals bounds fair play from above.
    pub bound: f64,
    /// The most that is reached on this deal with every card known, without a penalty; what is not decided counts as reached.
    pub clairvoyant: f64,
}

/// A bounder of deals.
pub trait DealBounder<G: Game>: Send {
    /// The bound of a freshly dealt position, its deck included. `rng` draws alternative deals.
    ///
    /// It depends on the arguments alone, not on earlier deals.
    fn bound(&mut self, rules: &G::Rules, deal: &G, rng: &mut Rng) -> DealBound;
}
