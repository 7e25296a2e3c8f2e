//! Episodes: one game whose seats are all played by actions.

use super::action_game::{Acted, ActionGame};
use super::ruled::{Ruled, RulesetError};
use crate::games::CardGame;
use crate::play::points;
use knave_agents::{Encoding, Seat};

/// The rewards of a seat when the game is over. Until then it gets nothing.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Rewards {
    /// The utility, in [0, 1], that agents maximise.
    #[default]
    Utility,
    /// 1 for a win, alone or with others, 0 otherwise.
    Win,
    /// The score, in points.
    Score,
}

impl Rewards {
    /// The kinds by name.
    pub const NAMES: [(&'static str, Self); 3] =
        [("utility", Self::Utility), ("win", Self::Win), ("score", Self::Score)];

    /// The kind of this name.
    ///
    /// # Errors
    /// Names the right ones.
    pub fn named(name: &str) -> Result<Self, RulesetError> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, rewards)| *rewards).ok_or_else(|| RulesetError::Setting {
            field: "reward",
            value: name.to_owned(),
            reason: format!("expected one of {}", Self::NAMES.map(|(name, _)| name).join(", ")),
        })
    }

    /// The reward of this seat in a finished game.
    pub(super) fn of<G: CardGame>(self, end: &G, seat: Seat) -> f64 {
        match self {
            Self::Utility => end.utility(seat),
            Self::Win => f64::from(u8::from(end.won(seat))),
            Self::Score => points::<G>(end.score(seat)),
        }
    }
}

/// One game whose seats are all played by actions.
pub trait Episode: Send {
    /// Deals game `index` of the run with this seed.
    fn reset(&mut self, seed: u64, index: u64);

    /// The seat whose turn it is; `None` after the end.
    fn seat(&self) -> Option<Seat>;

    /// Writes what this seat sees; `row` has the length of an observation.
    fn observe(&mut self, seat: Seat, row: &mut [f32]);

    /// Writes 1 for every action of the player whose turn it is that leads to a legal move, and 0 for the others.
    fn mask(&mut self, mask: &mut [u8]);

    /// Does an action of the player whose turn it is. `false` when it leads to no legal move, or when the game is over: nothing has changed
    /// then.
    fn act(&mut self, action: u16) -> bool;

    /// The reward, the score in points and whether the game was won, for this seat in a finished game.
    fn result(&self, seat: Seat) -> (f64, f64, bool);

    /// Another episode that goes on from here.
    fn copy(&self) -> Box<dyn Episode>;
}

/// One game of these types.
#[derive(Clone)]
pub(super) struct Arrays<G: CardGame> {
    ruled: Ruled<G>,
    encoding: Encoding<G>,
    rewards: Rewards,
    game: ActionGame<G>,
}

impl<G: CardGame> Arrays<G> {
    pub fn new(ruled: &Ruled<G>, rewards: Rewards) -> Result<Self, RulesetError> {
        let game = ActionGame::deal(&*ruled.rules, (0, 0), false);
        Ok(Self { encoding: ruled.encoding()?, ruled: ruled.clone(), rewards, game })
    }
}

impl<G: CardGame> Episode for Arrays<G> {
    fn reset(&mut self, seed: u64, index: u64) {
        self.game.deal_again(&self.ruled.rules, (seed, index));
    }

    fn seat(&self) -> Option<Seat> {
        self.game.seat()
    }

    fn observe(&mut self, seat: Seat, row: &mut [f32]) {
        self.game.observe(&self.encoding, seat, row);
    }

    fn mask(&mut self, mask: &mut [u8]) {
        self.game.mask(&self.encoding, mask);
    }

    fn act(&mut self, action: u16) -> bool {
        self.game.act(&self.encoding, action) != Acted::Illegal
    }

    fn result(&self, seat: Seat) -> (f64, f64, bool) {
        let end = &self.game.position;
        (self.rewards.of(end, seat), points::<G>(end.score(seat)), end.won(seat))
    }

    fn copy(&self) -> Box<dyn Episode> {
        Box::new(self.clone())
    }
}
