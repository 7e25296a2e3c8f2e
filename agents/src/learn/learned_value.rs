//! The evaluator of a trained net, with its caches of a thread.

use super::features::{Afterstate, Features};
use super::model::{Model, add};
use crate::evaluator::{Evaluator, ModelId};
use crate::game::{MAX_SEATS, Seat, Turn};
use crate::kit::Tools;
use crate::net::group_cache::GroupCache;
use crate::net::{Shape, differences};
use crate::policy::Policy;
use crate::rng::Rng;
use crate::steps::StepList;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The sums of the first layer for a list of features. They are whole numbers, so changing them feature by
/// feature is exact.
#[derive(Default)]
struct Sums {
    /// Which [`LearnedValue`] they belong to.
    of: u64,
    features: Vec<u16>,
    sums: Vec<i16>,
}

/// The scratch space of a thread, with its last sums.
#[derive(Default)]
struct Last {
    /// By seat, as its features change little from one position to the next.
    seats: [Sums; MAX_SEATS],
    buffer: Vec<u16>,
    changes: Vec<(u16, i8)>,
    parts: Parts,
    units: Vec<i16>,
    second: Vec<i32>,
    cache: GroupCache<i32>,
}

impl Last {
    /// The log-odds for these features of a seat.
    fn logit<G: Features>(&mut self, model: &Model, id: u64, seat: Seat, features: &[u16]) -> f64 {
        let head = G::head(features);
        if !G::GROUPS.is_none() {
            let Shape { second, .. } = model.header.shape;
            self.second.clear();
            self.second.extend_from_slice(&model.second_bias[head * second..][..second]);
            for group in G::GROUPS.of(features) {
                let work_out = |part: &mut [i32]| model.part(head, group, &mut self.units, part);
                let part = self.cache.part((id as u32, head), group, second, work_out);
                self.second.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            }
            return model.output(head, self.second.iter().copied());
        }
        self.change(model, id, seat, features);
        self.units.clone_from(&self.seats[seat].sums);
        model.logit(head, &mut self.units, &mut self.second)
    }

    /// Changes the sums of a seat to those of these features.
    fn change(&mut self, model: &Model, id: u64, seat: Seat, next: &[u16]) {
        let Self { seats, changes, .. } = self;
        let Sums { of, features, sums } = &mut seats[seat];
        let same = *of == id;
        changes.clear();
        if same {
            differences(features, next, |feature, sign| changes.push((feature, sign)));
        }
        // Adding up anew takes less time for each feature.
        if !same || 2 * changes.len() > next.len() {
            *of = id;
            sums.clone_from(&model.first_bias);
            model.add_rows(sums, next);
        } else {
            for &(feature, sign) in &*changes {
                let change = if sign > 0 { add } else { subtract };
                change(sums, model.row(feature));
            }
        }
        features.clear();
        features.extend_from_slice(next);
    }
}

/// Sums of the first layer for what is common to a batch and a part more.
#[derive(Default)]
struct Parts {
    keys: Vec<u16>,
    /// The sums of one part after the other.
    sums: Vec<i16>,
}

/// Lists of features that share most of them ([`LearnedValue::batch`]).
pub struct Batch<'a> {
    model: &'a Model,
    head: usize,
    /// The sums of the common features.
    common: &'a [i16],
    parts: &'a mut Parts,
    features: &'a mut Vec<u16>,
    units: &'a mut Vec<i16>,
    second: &'a mut Vec<i32>,
}

impl Batch<'_> {
    /// The log-odds of a list: the common features without `less`, and with `more`.
    pub fn logit(&mut self, less: &[u16], more: &[u16]) -> f64 {
        let Self { model, head, common, units, second, .. } = self;
        model.sum_rows(units, common, more);
        less.iter().for_each(|&feature| subtract(units, model.row(feature)));
        model.logit(*head, units, second)
    }

    /// The log-odds of a list: the common features, a part that several lists have, and `more`. `part` fills an empty list. Lists
    /// with the same key have the same part, which is added up once.
    pub fn logit_with(&mut self, key: u16, part: impl FnOnce(&mut Vec<u16>), more: &[u16]) -> f64 {
        let Self { model, head, common, parts, features, units, second } = self;
        let width = common.len();
        let known = parts.keys.iter().position(|&other| other == key);
        let place = known.unwrap_or_else(|| {
            features.clear();
            part(features);
            model.sum_rows(units, common, features);
            let place = parts.keys.len();
            parts.keys.push(key);
            parts.sums.extend_from_slice(units);
            place
        });
        model.sum_rows(units, &parts.sums[place * width..][..width], more);
        model.logit(*head, units, second)
    }
}

thread_local! {
    static LAST: RefCell<Last> = RefCell::default();
}

/// The evaluator of a trained net.
pub struct LearnedValue<G: Features> {
    model: Arc<Model>,
    id: u64,
    game: PhantomData<fn(&G)>,
}

impl<G: Features> LearnedValue<G> {
    /// The evaluator of a model that the caller has checked ([`Model::check`]).
    #[must_use]
    pub fn new(model: Arc<Model>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { model, id: NEXT.fetch_add(1, Ordering::Relaxed), game: PhantomData }
    }

    /// The log-odds of the expected utility of `seat`. The position must not be over.
    pub fn logit(&self, position: &G, seat: Seat) -> f64 {
        self.with_last(|model, last, features| {
            position.features(seat, features);
            last.logit::<G>(model, self.id, seat, features)
        })
    }

    /// Values many lists that share most features and the head, in a game without groups. `common` fills an empty list, best an
    /// ascending one.
    pub fn batch<T>(
        &self,
        (seat, head): (Seat, usize),
        common: impl FnOnce(&mut Vec<u16>),
        each: impl FnOnce(&mut Batch<'_>) -> T,
    ) -> T {
        self.with_last(|model, last, features| {
            features.clear();
            common(features);
            last.change(model, self.id, seat, features);
            let Last { seats, parts, units, second, .. } = last;
            parts.keys.clear();
            parts.sums.clear();
            each(&mut Batch { model, head, common: &seats[seat].sums, parts, features, units, second })
        })
    }

    /// The identity of the model.
    #[must_use]
    pub fn model_id(&self) -> &ModelId {
        &self.model.id
    }

    /// Lists the steps of `seat`, whose turn it is, with the values of their afterstates.
    fn afterstates(&self, position: &G, seat: Seat, steps: &mut StepList<G::Move>, values: &mut Vec<f64>)
    where
        G: Tools,
    {
        self.with_last(|model, last, buffer| {
            values.clear();
            position.afterstates(seat, steps, buffer, &mut |i, after| {
                values.truncate(i);
                values.push(match after {
                    Afterstate::Over(utility) => utility,
                    Afterstate::Open { features, settled } => {
                        settled + G::RANGE * probability(last.logit::<G>(model, self.id, seat, features))
                    }
                });
            });
        });
    }

    /// Calls `f` with the last sums and a buffer for features.
    fn with_last<T>(&self, f: impl FnOnce(&Model, &mut Last, &mut Vec<u16>) -> T) -> T {
        LAST.with_borrow_mut(|last| {
            let mut buffer = std::mem::take(&mut last.buffer);
            let value = f(&self.model, last, &mut buffer);
            last.buffer = buffer;
            value
        })
    }
}

/// The probability of these log-odds.
#[must_use]
pub fn probability(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

impl<G: Features + Tools> Evaluator<G> for LearnedValue<G> {
    fn model(&self) -> Option<&ModelId> {
        Some(self.model_id())
    }

    fn value(&self, position: &G, seat: Seat) -> f64 {
        if let Some(value) = position.decided(seat) {
            return value;
        }
        position.settled(seat) + G::RANGE * probability(self.logit(position, seat))
    }

    fn quiescent(&self, position: &G) -> Option<bool> {
        position.quiescent()
    }

    fn steps(&self, position: &G, seat: Seat, steps: &mut StepList<G::Move>, values: &mut Vec<f64>) -> bool {
        // In a solo game the exact end-game may know better.
        if position.seats() == 1 {
            return false;
        }
        self.afterstates(position, seat, steps, values);
        true
    }
}

/// The policy that takes the step with the best afterstate.
impl<G: Features + Tools> Policy<G> for LearnedValue<G> {
    fn choose(&self, position: &G, buffer: &mut Vec<G::Move>, rng: &mut Rng) -> G::Move {
        self.plan(position, buffer, rng);
        buffer[0]
    }

    fn plan(&self, position: &G, line: &mut Vec<G::Move>, _: &mut Rng) {
        let Turn::Player(seat) = position.turn() else { unreachable!("a player's turn") };
        let mut steps = StepList::default();
        let mut values = Vec::new();
        self.afterstates(position, seat, &mut steps, &mut values);
        let best = (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best });
        line.clear();
        line.extend_from_slice(steps.get(best));
    }

    fn model(&self) -> Option<&ModelId> {
        Some(self.model_id())
    }
}

fn subtract(sums: &mut [i16], row: &[i16]) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
}
