//! What a seat knows of a position, as features that a net learns from.

use crate::game::{Game, Seat, Turn, played};
use crate::kit::Tools;
use crate::net::Groups;
use crate::steps::StepList;

/// What a seat knows of a position, as features that are there or not.
pub trait Features: Game {
    /// Grows whenever the features change: a model for other features is refused.
    const FEATURES_VERSION: u32;

    /// The number of features that there are.
    const INPUTS: usize;

    /// Whether a seat also learns from what the steps of others leave behind: searches ask for its value
    /// there.
    const WATCHES: bool = false;

    /// The number of further features that only training sees: see [`Features::shared`].
    const SHARED: usize = 0;

    /// The groups into which a list falls: features in one of them are seen together before the groups are, and all groups go
    /// through the same weights. Those of like positions are often the same, which makes the net quick.
    const GROUPS: Groups = Groups([0; 8]);

    /// The number of heads: kinds of positions whose values are learnt apart. They share the first layer.
    const HEADS: usize = 1;

    /// The head for a list of features, below [`Features::HEADS`].
    fn head(_features: &[u16]) -> usize {
        0
    }

    /// What is learnt is a share of this: the utility that a seat can get beyond what is settled.
    const RANGE: f64 = 1.0;

    /// The part of the utility of `seat` that a position has settled already, such as points that only grow.
    fn settled(&self, _seat: Seat) -> f64 {
        0.0
    }

    /// Replaces the contents of `out` with the features that are there for `seat`, each below
    /// [`Features::INPUTS`]. One that is there several times counts as often. The net is quicker where the lists of like
    /// positions have the same features in the same places, or are ascending. Only what the seat knows may matter. Asked of positions that are not over.
    fn features(&self, seat: Seat, out: &mut Vec<u16>);

    /// Appends what `feature` shares with others, as features from [`Features::INPUTS`] on, of which there are
    /// [`Features::SHARED`]: a card in some place shares that it is anywhere with the same card in other places. They
    /// are there wherever the feature is. So what is learnt of one is learnt of all its kind; when the net
    /// plays, their weights have been added to those of the feature and cost nothing.
    fn shared(_feature: u16, _out: &mut Vec<u16>) {}

    /// Replaces the contents of `line` with the step of `seat`, whose turn it is, that is best by what `net` makes of
    /// features, and gives the utility that it promises; for a game that finds it quicker than by valuing all
    /// steps.
    fn decide(
        &self,
        _seat: Seat,
        _net: &mut dyn FnMut(&[u16]) -> f64,
        _line: &mut Vec<Self::Move>,
    ) -> Option<f64> {
        None
    }

    /// Lists the steps of `seat`, whose turn it is, and calls `each` with what every one leaves behind when it has
    /// been added to the list; `buffer` is scratch space. A list that has become shorter forgets what was left
    /// behind by the steps that are gone. Games override it where they need not play the steps.
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

/// What a step leaves behind.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Afterstate<'a> {
    /// The end of the game, with this utility.
    Over(f64),
    /// A position.
    Open {
        /// Its features.
        features: &'a [u16],
        /// What it has settled: see [`Features::settled`].
        settled: f64,
    },
}
