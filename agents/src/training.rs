//! The training of a net: its schedule as options, and its progress.

use crate::agent::Agent;
use crate::game::Game;
use crate::net::Net;
use crate::options::{self, OptionError, Options};
use crate::rng::Rng;
use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name, in an option of a rival, of the model that its training goes on from.
pub const BEFORE: &str = "before";

/// The most units of the first hidden layer in a training.
pub const MOST_FIRST: u32 = 1024;

/// The most units of the second. A mean of nets has more.
pub const MOST_SECOND: u32 = 256;

/// The schedule of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Schedule {
    /// Games of self-play
    #[schemars(range(min = 1))]
    pub games: u64,
    /// What the net learns: with `td` what afterstates are worth, with `policy_gradient` which of them to choose
    #[serde(skip_serializing_if = "options::is_nothing")]
    #[schemars(!skip_serializing_if)]
    pub method: Method,
    /// Units of the first hidden layer, a multiple of 16
    #[schemars(range(min = 16, max = MOST_FIRST), extend("multipleOf" = 16))]
    pub first: u32,
    /// Units of the second hidden layer, a multiple of 8
    #[schemars(range(min = 8, max = MOST_SECOND), extend("multipleOf" = 8))]
    pub second: u32,
    /// TD(λ) trace decay; with method=policy_gradient the λ of generalised advantage estimation
    #[schemars(range(min = 0.0, max = 1.0))]
    pub lambda: f64,
    /// The same at the end of the schedule; lambda moves there in a straight line, and without it stays where it is
    #[schemars(range(min = 0.0, max = 1.0))]
    pub lambda_end: Option<f64>,
    /// Discount per position; below 1 it discourages stalling
    #[schemars(range(min = 0.0, max = 1.0))]
    pub discount: f64,
    /// With method=td: how often a step is drawn at random instead of the best one
    #[schemars(range(min = 0.0, max = 1.0))]
    pub explore: f64,
    /// With method=policy_gradient: steps are drawn by the softmax of their values, as parts of the range of values, over this
    #[serde(skip_serializing_if = "is_usual_temperature")]
    #[schemars(!skip_serializing_if, range(min = 1e-6, max = 10.0))]
    pub temperature: f64,
    /// With method=policy_gradient: the reward for a nat of entropy at a decision, in parts of the range of values
    #[serde(skip_serializing_if = "is_usual_entropy")]
    #[schemars(!skip_serializing_if, range(min = 0.0, max = 1.0))]
    pub entropy: f64,
    /// The size of a learning step at the start; it falls along a cosine, to nothing at the last step, so a training needs many batches
    /// (twenty at least)
    #[schemars(range(min = 1e-9, max = 1.0))]
    pub rate: f64,
    /// The size of a learning step of the first layer, as a part of `rate`: a position has many features, whose steps add up,
    /// and with long ones many units end beyond their range
    #[serde(skip_serializing_if = "is_whole")]
    #[schemars(!skip_serializing_if, range(min = 1e-3, max = 1.0))]
    pub first_rate: f64,
    /// Games between two learning steps
    #[schemars(range(min = 1, max = 10_000))]
    pub batch: u32,
    /// A policy of the game, or an agent, that takes seats in a share of the games; empty for none. In its options `before` is the
    /// model that the training goes on from
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(!skip_serializing_if)]
    pub rival: String,
    /// The share of the games in which it does
    #[serde(skip_serializing_if = "options::is_nothing")]
    #[schemars(!skip_serializing_if, range(min = 0.0, max = 1.0))]
    pub rivals: f64,
    /// The seats that it takes there: the others, or all of them. With `all` the net learns what positions are worth under its play,
    /// or with method=policy_gradient to choose as it does
    #[serde(skip_serializing_if = "options::is_nothing")]
    #[schemars(!skip_serializing_if)]
    pub rival_seats: RivalSeats,
    /// With `rival_seats=all`: a second policy or agent, whom the rival meets. How many seats it has is drawn for each game, none to all
    /// but one with the same probability. The net learns from the rival's seats alone
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(!skip_serializing_if)]
    pub rival_meets: String,
    /// Nodes for the exact solver where nothing is hidden any more; 0 turns it off
    pub solver_nodes: u64,
}

/// What a net learns.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// What afterstates are worth: [`crate::learn::td`].
    #[default]
    Td,
    /// Which afterstate to choose: [`crate::learn::policy_gradient`].
    PolicyGradient,
}

const EXPLORE: f64 = 0.02;
const TEMPERATURE: f64 = 0.03;
const ENTROPY: f64 = 0.002;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_usual_temperature(temperature: &f64) -> bool {
    *temperature == TEMPERATURE
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_usual_entropy(entropy: &f64) -> bool {
    *entropy == ENTROPY
}

/// The seats of a rival.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RivalSeats {
    /// All but one, which is the net's.
    #[default]
    Others,
    /// Every seat: policy evaluation, or imitation.
    All,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_whole(part: &f64) -> bool {
    *part == 1.0
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            games: 1_000_000,
            method: Method::Td,
            first: 128,
            second: 32,
            lambda: 0.7,
            lambda_end: None,
            discount: 1.0,
            explore: EXPLORE,
            temperature: TEMPERATURE,
            entropy: ENTROPY,
            rate: 0.002,
            first_rate: 1.0,
            batch: 4,
            rival: String::new(),
            rivals: 0.0,
            rival_seats: RivalSeats::Others,
            rival_meets: String::new(),
            solver_nodes: 2_000,
        }
    }
}

impl Options for Schedule {
    fn check(&self) -> Result<(), OptionError> {
        if self.rivals > 0.0 && self.rival.is_empty() {
            return Err(OptionError::refused("rivals", &self.rivals, "it needs a rival"));
        }
        if !self.rival.is_empty() && self.rivals == 0.0 {
            let reason = "it takes no game with rivals=0; expected rivals above 0 beside it";
            return Err(OptionError::refused("rival", &self.rival, reason));
        }
        if self.rival.is_empty() && self.rival_seats != RivalSeats::Others {
            return Err(OptionError::refused("rival_seats", &"all", "it needs a rival"));
        }
        let td = self.method == Method::Td;
        if td && !is_usual_temperature(&self.temperature) {
            return Err(OptionError::refused(
                "temperature",
                &self.temperature,
                "it needs method=policy_gradient",
            ));
        }
        if td && !is_usual_entropy(&self.entropy) {
            return Err(OptionError::refused("entropy", &self.entropy, "it needs method=policy_gradient"));
        }
        if !td && self.explore != EXPLORE {
            return Err(OptionError::refused("explore", &self.explore, "it needs method=td"));
        }
        if !self.rival_meets.is_empty() && self.rival_seats != RivalSeats::All {
            return Err(OptionError::refused("rival_meets", &self.rival_meets, "it needs rival_seats=all"));
        }
        Ok(())
    }
}

impl Schedule {
    /// How much of the schedule is done before this game, from 0 to 1.
    pub(crate) fn done(&self, game: u64) -> f64 {
        (game as f64 / self.games as f64).min(1.0)
    }

    /// The trace decay when so much of the schedule is done.
    pub(crate) fn lambda_after(&self, done: f64) -> f64 {
        self.lambda + (self.lambda_end.unwrap_or(self.lambda) - self.lambda) * done
    }

    /// The size of a learning step when so much of the schedule is done.
    pub(crate) fn rate_after(&self, done: f64) -> f64 {
        self.rate * 0.5 * (1.0 + (std::f64::consts::PI * done).cos())
    }

    /// The same without players beside the net.
    #[must_use]
    pub fn alone(&self) -> Self {
        let Self { rivals, rival_seats, .. } = Self::default();
        Self { rival: String::new(), rivals, rival_seats, rival_meets: String::new(), ..self.clone() }
    }

    /// The players beside the net that there are, by the options that name them.
    pub fn others(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [("rival", &*self.rival), ("rival_meets", &*self.rival_meets)];
        all.into_iter().filter(|(_, player)| !player.is_empty())
    }
}

/// The rules of a training: sets of rules, of which each game draws one.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnRules<R> {
    /// Kinds of rules, each with its share of the games; within a kind all are as likely.
    kinds: Vec<(f64, Vec<R>)>,
}

impl<R> DrawnRules<R> {
    /// The same rules in every game.
    #[must_use]
    pub fn only(rules: R) -> Self {
        Self { kinds: vec![(1.0, vec![rules])] }
    }

    /// Kinds of rules with their shares, in any unit. `None` when there are none, a share is not positive, or their sum is not finite.
    #[must_use]
    pub fn mixed(kinds: Vec<(f64, Vec<R>)>) -> Option<Self> {
        let fits = |(share, rules): &(f64, Vec<R>)| *share > 0.0 && !rules.is_empty();
        let all: f64 = kinds.iter().map(|(share, _)| share).sum();
        (!kinds.is_empty() && all.is_finite() && kinds.iter().all(fits)).then_some(Self { kinds })
    }

    /// All rules that may be drawn.
    pub fn iter(&self) -> impl Iterator<Item = &R> {
        self.kinds.iter().flat_map(|(_, rules)| rules)
    }

    /// The rules that stand first.
    #[must_use]
    pub fn first(&self) -> &R {
        &self.kinds[0].1[0]
    }

    /// The rules of a game. Nothing random is used up where there is no choice.
    pub fn draw(&self, rng: &mut Rng) -> &R {
        if let [(_, rules)] = &self.kinds[..]
            && let [only] = &rules[..]
        {
            return only;
        }
        let all: f64 = self.kinds.iter().map(|(share, _)| share).sum();
        let mut point = rng.random::<f64>() * all;
        let kind = self.kinds.iter().find(|(share, _)| {
            point -= share;
            point < 0.0
        });
        // Rounding may leave a point beyond the last.
        let (_, rules) = kind.unwrap_or(&self.kinds[0]);
        &rules[rng.random_range(0..rules.len())]
    }
}

type Deal<G> = dyn Fn(&<G as Game>::Rules, &mut Rng) -> G;

/// The deals of a training: the rules that each game draws, and how it is dealt under them.
pub struct DrawnDeals<G: Game> {
    /// The rules.
    pub rules: DrawnRules<G::Rules>,
    deal: Box<Deal<G>>,
}

impl<G: Game> DrawnDeals<G> {
    /// Deals in a way of their own.
    #[must_use]
    pub fn new(rules: DrawnRules<G::Rules>, deal: impl Fn(&G::Rules, &mut Rng) -> G + 'static) -> Self {
        Self { rules, deal: Box::new(deal) }
    }

    /// A deal under rules that were drawn.
    #[must_use]
    pub fn deal(&self, rules: &G::Rules, rng: &mut Rng) -> G {
        (self.deal)(rules, rng)
    }
}

/// Every game is dealt as the game deals.
impl<G: Game> From<DrawnRules<G::Rules>> for DrawnDeals<G> {
    fn from(rules: DrawnRules<G::Rules>) -> Self {
        Self::new(rules, G::deal)
    }
}

/// Makes a player that a schedule names beside the net, where it is an agent: by its text, under rules of the training, one for each
/// of so many seats.
pub type MakePlayer<G> = Box<dyn Fn(&str, &<G as Game>::Rules, usize) -> Option<Vec<Box<dyn Agent<G>>>>>;

/// A training in progress, of any game.
pub trait Training {
    /// Plays the next game and learns from it; returns the utility of the first seat.
    fn train(&mut self) -> f64;

    /// Plays a held-out game, without exploration and learning; returns the utility of the first seat. Game 0
    /// begins a new estimate.
    fn held_out(&mut self, seed: u64, index: u64) -> f64;

    /// Begins with these weights, which were learnt by `method`. `false` when they have another shape, or are no values where values
    /// are learnt.
    fn begin_with(&mut self, net: &Net, method: Method) -> bool;

    /// The net as it is.
    fn net(&mut self) -> &Net;

    /// The largest sum of the first layer in the last estimate, without its sign.
    fn largest(&self) -> f32;

    /// The games trained on so far.
    fn games(&self) -> u64;

    /// The version of the features.
    fn features_version(&self) -> u32;

    /// The state after the last learning step, which [`Training::resume`] needs. The games since then are played again.
    fn progress(&self) -> Vec<u8>;

    /// Resumes from [`Training::progress`] of a training with the same rules, schedule and seed. `false` for
    /// any other.
    fn resume(&mut self, progress: &[u8]) -> bool;
}
