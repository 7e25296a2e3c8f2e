//! Features: what a seat knows of a position, as a net sees it.

use crate::game::{Game, Seat, Turn, played};
use crate::kit::Tools;
use crate::net::Groups;
use crate::steps::StepList;

/// A game whose positions are described by features: a position has a feature or lacks it, and has few of them.
pub trait Features: Game {
    /// The version of the features. It grows with every change, and models of other versions are refused.
    const FEATURES_VERSION: u32;

    /// The number of features that there are. `INPUTS + SHARED` is at most 65,535, for features are numbered and counted by 16 bits.
    const INPUTS: usize;

    /// Whether a seat also learns from the afterstates of other seats' steps. Searches with several seats ask
    /// for their values.
    const LEARNS_FROM_ALL_STEPS: bool = false;

    /// The number of further features in training: see [`Features::shared`].
    const SHARED: usize = 0;

    /// The groups into which a list of features falls. Each group goes through the first layer alone, by the
    /// same weights. Like positions share most groups, which makes the net quick. A list is at least as long as all groups
    /// together; the rest of it is the last group.
    const GROUPS: Groups = Groups([0; 8]);

    /// The number of heads: kinds of positions whose values are learnt apart, with a shared first layer.
    const HEADS: usize = 1;

    /// The head for a list of features, below [`Features::HEADS`].
    fn head(_features: &[u16]) -> usize {
        0
    }

    /// The range of learnt values: the most utility that a seat can get beyond what is settled.
    const RANGE: f64 = 1.0;

    /// The settled part of the utility of `seat`, such as points that only grow.
    fn settled(&self, _seat: Seat) -> f64 {
        0.0
    }

    /// The certain value for `seat` in place of the model's, such as its utility where nothing can change that any more.
    fn decided(&self, seat: Seat) -> Option<f64> {
        (self.turn() == Turn::Over).then(|| self.utility(seat))
    }

    /// What [`Evaluator::quiescent`](crate::Evaluator::quiescent) says of the position for the learned value.
    fn quiescent(&self) -> Option<bool> {
        None
    }

    /// Replaces the contents of `out` with the features of `seat`, each below [`Features::INPUTS`]. A feature
    /// that is there twice counts twice. Lists of like positions should hold the same features in the same
    /// places, or be ascending, for speed. Only what the seat knows may matter. The position is not over.
    fn features(&self, seat: Seat, out: &mut Vec<u16>);

    /// Appends the shared features of `feature`, from [`Features::INPUTS`] on. For example, a card in one place
    /// shares "this card anywhere" with the card in other places. They are present wherever the feature is, so
    /// all features of a kind learn together. For play their weights are added to the feature's own and cost
    /// nothing.
    fn shared(_feature: u16, _out: &mut Vec<u16>) {}

    /// Replaces the contents of `line` with the best step of `seat` by `net`, and returns its value. It is for
    /// games that find it quicker than by valuing all steps.
    fn decide(
        &self,
        _seat: Seat,
        _net: &mut dyn FnMut(&[u16]) -> f64,
        _line: &mut Vec<Self::Move>,
    ) -> Option<f64> {
        None
    }

    /// Lists the steps of `seat`, whose turn it is, and calls `each` with the afterstate of every step once it
    /// is listed. `buffer` is scratch space. A list that has become shorter drops the last afterstates. Games
    /// override it where they need not play the steps, or where answers that follow at once would tell what is
    /// hidden from `seat`.
    fn afterstates(
        &self,
        seat: Seat,
        steps: &mut StepList<Self::Move>,
        buffer: &mut Vec<u16>,
        each: &mut dyn FnMut(usize, Afterstate<'_>),
    ) where
        Self: Tools,
    {
        self.steps(steps);
        for (i, step) in steps.iter().enumerate() {
            let after = played(self, step);
            if after.turn() == Turn::Over {
                each(i, Afterstate::Over(after.utility(seat)));
            } else {
                after.features(seat, buffer);
                each(i, Afterstate::Open { features: buffer, settled: after.settled(seat) });
            }
        }
    }
}

/// The afterstate of a step.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Afterstate<'a> {
    /// The end of the game, with this utility.
    Over(f64),
    /// A position.
    Open {
        /// Its features.
        features: &'a [u16],
        /// The settled part of the utility: see [`Features::settled`].
        settled: f64,
    },
}
