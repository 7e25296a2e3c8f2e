//! Ratings of agents from how each did alone among each other.
//!
//! The model is Bradley and Terry's (1952), for more than two seats Luce's choice axiom (Plackett and Luce with the
//! winner only): an agent of strength e^θ among n − 1 of strength e^φ wins the share e^θ / (e^θ + (n − 1) e^φ). The
//! ratings are those of the largest quasi-likelihood of the mean shares. Their intervals do not trust the model: they
//! come from the spread of the shares between deals (the sandwich estimator, with deals as clusters).
//!
//! A rating is one number, and strength need not be: a may beat b, b beat c, and c beat a. [`Ratings::misfit`] and
//! [`Ratings::cycles`] say what the ratings hide.

use super::cycles::shortest_cycles;
use super::interval::{mean_p_value, student_quantile};
use super::{Estimate, Interval, Moments, Range};

/// Elo a unit of θ: 400 Elo make odds of ten to one.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// More than any difference of θ that results can tell.
const FAR: f64 = 60.0;

/// The slot of the agent `a` alone among agents `b`, of `agents` agents.
#[must_use]
pub fn slot(agents: usize, a: usize, b: usize) -> usize {
    a * (agents - 1) + b - usize::from(b > a)
}

/// The number of slots: ordered pairs of different agents.
#[must_use]
pub fn slots(agents: usize) -> usize {
    agents * (agents - 1)
}

/// The ratings of all agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// The rating of each agent in logistic Elo, their mean is 0, with its 95 % interval. An end is infinite where the results leave
    /// it open how much stronger or weaker the agent is.
    pub ratings: Vec<(f64, Option<Interval>)>,
    /// The p-value of the hypothesis that these ratings tell how each pair does, by the pair that they tell worst
    /// (Bonferroni's correction for the number of pairs). It is too large rather than too small for four agents and more.
    /// Three need no correction: what is left of their pairs is one number. `None` for two agents, which ratings always fit.
    pub misfit: Option<f64>,
    /// Cycles: each agent beats the next one, and the last the first, each beyond doubt (Bonferroni's correction for the number
    /// of pairs, at 5 % in all). For every agent in some cycle all its shortest ones, each from its smallest index on.
    pub cycles: Vec<Vec<usize>>,
}

/// The ratings of `agents` agents at a table of `seats`, from the shares of [`slots`] in each unit; a share of 1
/// counts `whole`. `None` for fewer than two units.
#[must_use]
pub fn ratings(moments: &Moments, whole: i64, agents: usize, seats: usize) -> Option<Ratings> {
    let fit = Fit::new(Shares::new(moments, whole, agents, seats)?)?;
    let beaten = |a| (0..agents).filter(|&b| b != a && fit.shares.beats(a, b)).collect();
    let beaten: Vec<Vec<usize>> = (0..agents).map(beaten).collect();
    Some(Ratings { ratings: fit.rated(), misfit: fit.misfit(), cycles: shortest_cycles(&beaten) })
}

/// Ordered pairs of different agents, in the order of their slots.
fn pairs(agents: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..agents).flat_map(move |a| (0..agents).map(move |b| (a, b))).filter(|(a, b)| a != b)
}

/// The mean shares of all slots, with one unit more in which everybody does the same: who always wins has a rating as well, and nobody
/// is rated beyond doubt for never having lost.
struct Shares<'m> {
    moments: &'m Moments,
    /// What a share of 1 counts.
    whole: i64,
    agents: usize,
    seats: usize,
    /// The mean share of each slot.
    mean: Vec<f64>,
}

impl<'m> Shares<'m> {
    fn new(moments: &'m Moments, whole: i64, agents: usize, seats: usize) -> Option<Self> {
        let n = moments.units();
        let fair = 1.0 / seats as f64;
        let share = |slot| {
            let mean = moments.mean(slot).unwrap_or_default() / whole as f64;
            (mean * n as f64 + fair) / (n + 1) as f64
        };
        let mean = (0..slots(agents)).map(share).collect();
        (n > 1).then_some(Self { moments, whole, agents, seats, mean })
    }

    /// The share of `a` alone among agents `b`.
    fn of(&self, a: usize, b: usize) -> f64 {
        self.mean[slot(self.agents, a, b)]
    }

    /// The number of units, the fair one among them.
    fn units(&self) -> u64 {
        self.moments.units() + 1
    }

    /// The standard deviation between units of the sum of shares with these weights, the fair unit among them.
    fn sd(&self, weights: &[f64]) -> f64 {
        let (n, all) = (self.moments.units(), self.units() as f64);
        let (whole, fair) = (self.whole as f64, 1.0 / self.seats as f64);
        let distance = |slot: usize| self.moments.mean(slot).unwrap_or_default() / whole - fair;
        let mut variance = 0.0;
        for (i, a) in weights.iter().enumerate() {
            for (j, b) in weights.iter().enumerate() {
                let own = self.moments.covariance(i, j).unwrap_or_default() / whole.powi(2);
                variance +=
                    a * b * (own * (n - 1) as f64 + distance(i) * distance(j) * n as f64 / all) / n as f64;
            }
        }
        variance.max(0.0).sqrt()
    }

    /// Whether `a` beats `b` beyond doubt, among all pairs.
    fn beats(&self, a: usize, b: usize) -> bool {
        let mut change = vec![0.0; self.mean.len()];
        (change[slot(self.agents, a, b)], change[slot(self.agents, b, a)]) = (1.0, -1.0);
        let mean = self.of(a, b) - self.of(b, a);
        let most = 0.05 / (self.mean.len() / 2) as f64;
        mean > 0.0 && mean_p_value(mean, self.sd(&change), self.units()).is_some_and(|p| p < most)
    }
}

/// The most likely ratings for the shares.
struct Fit<'m> {
    shares: Shares<'m>,
    /// The strength of each agent; their mean is 0.
    theta: Vec<f64>,
    /// How the strength of each agent moves with the share of each slot.
    slopes: Vec<Vec<f64>>,
}

impl<'m> Fit<'m> {
    /// Newton's method; the likelihood is concave.
    fn new(shares: Shares<'m>) -> Option<Self> {
        let Shares { agents, seats, .. } = shares;
        let mut theta = vec![0.0; agents];
        let mut inverse = Vec::new();
        for _ in 0..50 {
            let mut gradient = vec![0.0; agents];
            let mut matrix = vec![vec![1.0 / agents as f64; agents]; agents];
            for (a, b) in pairs(agents) {
                let p = expected(theta[a] - theta[b], seats);
                let (more, weight) = (shares.of(a, b) - p, p * (1.0 - p));
                gradient[a] += more;
                gradient[b] -= more;
                for (row, column, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
                    matrix[row][column] += sign * weight;
                }
            }
            inverse = invert(matrix)?;
            let step: Vec<f64> = inverse.iter().map(|row| dot(row, &gradient)).collect();
            // A step in which the logarithm of the odds moves by more than 1 would leave where the parabola is good.
            let largest = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
            let scale = 1.0 / largest.max(1.0);
            theta.iter_mut().zip(&step).for_each(|(theta, step)| *theta += scale * step);
            if largest < 1e-12 {
                break;
            }
        }
        let slopes = inverse.iter().map(|row| pairs(agents).map(|(a, b)| row[a] - row[b]).collect());
        let slopes = slopes.collect();
        Some(Self { shares, theta, slopes })
    }

    /// The rating of each agent with its interval.
    fn rated(&self) -> Vec<(f64, Option<Interval>)> {
        let Shares { moments, whole, agents, .. } = self.shares;
        let surpluses: Vec<Estimate> =
            (0..agents).map(|agent| surplus(moments, whole, (agents, agent))).collect();
        // Two agents have nothing but their surplus. With two or three sides it says what the difference of their wins says.
        let is_curved = |agent: usize| agents == 2 || is_lopsided(surpluses[agent]);
        let reach = |agent: usize| {
            if is_curved(agent) { self.by_surplus(surpluses[agent], agent) } else { self.by_slopes(agent) }
        };
        let reach: Vec<Option<[f64; 2]>> = (0..agents).map(reach).collect();
        let rated = |agent: usize| {
            let rating = ELO * self.theta[agent];
            let ends = reach[agent].map(|own| ends_among(own, agent, &reach, is_curved));
            let interval =
                ends.map(|[down, up]| Interval { low: rating - ELO * down, high: rating + ELO * up });
            (rating, interval.filter(|ends| ends.low.is_finite() || ends.high.is_finite()))
        };
        (0..agents).map(rated).collect()
    }

    /// How far the strength of an agent reaches down and up by the straight line through the ratings. It makes the same allowance for
    /// what was not seen as other intervals do.
    fn by_slopes(&self, agent: usize) -> Option<[f64; 2]> {
        let (slopes, units) = (&self.slopes[agent], self.shares.units());
        let mean = dot(slopes, &self.shares.mean);
        let end = |keep: fn(f64, f64) -> f64| slopes.iter().map(|&slope| keep(slope, 0.0)).sum();
        let range = Range { low: end(f64::min), high: end(f64::max), is_known: true };
        let quantile = student_quantile(units)?;
        let spreads = Estimate { units, mean, sd: self.shares.sd(slopes), range }.spreads(quantile)?;
        Some(spreads.map(|sd| quantile * sd / (units as f64).sqrt()))
    }

    /// The same by the interval of how much more the agent wins than the others.
    fn by_surplus(&self, surplus: Estimate, agent: usize) -> Option<[f64; 2]> {
        let Interval { low, high } = surplus.interval()?;
        let rating = |surplus| rating_of(surplus, &self.theta, agent, self.shares.seats);
        Some([self.theta[agent] - rating(low), rating(high) - self.theta[agent]])
    }

    /// The p-value of [`Ratings::misfit`].
    fn misfit(&self) -> Option<f64> {
        let Shares { agents, seats, .. } = self.shares;
        let misfit = |(a, b): (usize, usize)| {
            let difference = self.theta[a] - self.theta[b];
            let (there, back) = (expected(difference, seats), expected(-difference, seats));
            let weight = there * (1.0 - there) + back * (1.0 - back);
            let slopes = self.slopes[a].iter().zip(&self.slopes[b]);
            let mut change: Vec<f64> = slopes.map(|(a, b)| -weight * (a - b)).collect();
            change[slot(agents, a, b)] += 1.0;
            change[slot(agents, b, a)] -= 1.0;
            let rest = self.shares.of(a, b) - self.shares.of(b, a) - (there - back);
            mean_p_value(rest, self.shares.sd(&change), self.shares.units()).unwrap_or(1.0)
        };
        let unordered = || pairs(agents).filter(|(a, b)| a < b);
        // The rests of each agent's pairs add up to nothing: those of three agents differ in their signs alone.
        let tests = if agents == 3 { 1 } else { unordered().count() };
        let worst = unordered().map(misfit).fold(1.0, f64::min) * tests as f64;
        (agents > 2).then(|| worst.min(1.0))
    }
}

/// The share that is expected alone among agents that are weaker by this difference of θ.
fn expected(difference: f64, seats: usize) -> f64 {
    1.0 / (1.0 + (seats - 1) as f64 * (-difference).exp())
}

/// How much more an agent wins alone among each other than that one does alone among agents like it, from -1 to 1: the agent's part
/// of the gradient of the likelihood.
fn surplus(moments: &Moments, whole: i64, (agents, agent): (usize, usize)) -> Estimate {
    let others = (0..agents).filter(|&other| other != agent);
    let slots: Vec<(usize, f64)> = others
        .flat_map(|other| [(slot(agents, agent, other), 1.0), (slot(agents, other, agent), -1.0)])
        .collect();
    let scale = (whole * (agents - 1) as i64) as f64;
    let mean: f64 = slots.iter().map(|&(slot, sign)| sign * moments.mean(slot).unwrap_or_default()).sum();
    let pairs = slots.iter().flat_map(|a| slots.iter().map(move |b| (a, b)));
    let variance: f64 =
        pairs.map(|(a, b)| a.1 * b.1 * moments.covariance(a.0, b.0).unwrap_or_default()).sum();
    let range = Range { low: -1.0, high: 1.0, is_known: true };
    Estimate { units: moments.units(), mean: mean / scale, sd: variance.max(0.0).sqrt() / scale, range }
}

/// The rating at which a surplus is expected, where the others are further away by as much in all.
fn rating_of(surplus: f64, theta: &[f64], agent: usize, seats: usize) -> f64 {
    let rest = (theta.len() - 1) as f64;
    let expected = |by: f64| {
        let others = theta.iter().enumerate().filter(|(other, _)| *other != agent);
        let differences = others.map(|(_, other)| theta[agent] - other + by + by / rest);
        differences.map(|d| expected(d, seats) - expected(-d, seats)).sum::<f64>() / rest
    };
    if surplus.abs() >= 1.0 {
        return surplus * f64::INFINITY;
    }
    let (mut low, mut high) = (-FAR, FAR);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if expected(middle) < surplus { low = middle } else { high = middle }
    }
    theta[agent] + low
}

/// How far a rating reaches down and up, when its own ends do so as far as `own`. Ratings have a mean of 0: where an agent may be
/// better by more than a straight line tells, all others may be worse by their part of it.
fn ends_among(
    own: [f64; 2],
    agent: usize,
    reach: &[Option<[f64; 2]>],
    is_curved: impl Fn(usize) -> bool,
) -> [f64; 2] {
    let others = reach.len() - 1;
    if others == 1 {
        return own;
    }
    let mut squares = own.map(|end| end.powi(2));
    for (_, ends) in reach.iter().enumerate().filter(|&(other, _)| other != agent && is_curved(other)) {
        let [down, up] = ends.unwrap_or([f64::INFINITY; 2]).map(|end| (end / others as f64).powi(2));
        squares[0] += up;
        squares[1] += down;
    }
    squares.map(f64::sqrt)
}

/// Whether so few results go the other way, less than ten units and than a fifth of all, that the logarithm of the odds is no
/// straight line over what is plausible.
fn is_lopsided(surplus: Estimate) -> bool {
    let others = (1.0 - surplus.mean.abs()) / 2.0;
    others < 0.2 && others * (surplus.units as f64) < 10.0
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The inverse of a small positive definite matrix (Gauss and Jordan); `None` where it has none.
fn invert(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|j| f64::from(u8::from(i == j))));
    }
    for i in 0..size {
        let pivot = matrix[i][i];
        if pivot.abs() < 1e-300 || !pivot.is_finite() {
            return None;
        }
        matrix[i].iter_mut().for_each(|cell| *cell /= pivot);
        let row = matrix[i].clone();
        for (_, other) in matrix.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = other[i];
            other.iter_mut().zip(&row).for_each(|(cell, &one)| *cell -= factor * one);
        }
    }
    Some(matrix.into_iter().map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use knave_agents::rng::{Role, below, stream};

    /// Simulated units: each slot is the number of wins in `seats` games with the given probability.
    fn simulate(
        run: u64,
        units: usize,
        agents: usize,
        seats: usize,
        p: impl Fn(usize, usize) -> f64,
    ) -> Moments {
        let mut moments = Moments::new(slots(agents));
        let mut rng = stream(9002, run, Role::Chance);
        for _ in 0..units {
            let mut values = vec![0; slots(agents)];
            for a in 0..agents {
                for b in (0..agents).filter(|&b| b != a) {
                    let won =
                        |_| i64::from(f64::from(below(&mut rng, 1 << 24)) < p(a, b) * f64::from(1 << 24));
                    values[slot(agents, a, b)] = (0..seats).map(won).sum();
                }
            }
            moments.add(&values);
        }
        moments
    }

    /// Two agents at two seats: the rating is the difference in Elo that the mean share says.
    #[test]
    fn two_agents_have_the_elo_of_their_share() {
        let mut moments = Moments::new(2);
        for unit in 0..1000 {
            let won = i64::from(unit % 4 != 0);
            moments.add(&[won, 1 - won]);
        }
        let found = ratings(&moments, 1, 2, 2).unwrap();
        let elo = 400.0 * 3_f64.log10();
        assert!((found.ratings[0].0 - found.ratings[1].0 - elo).abs() < 0.5, "{found:?}");
        assert!((found.ratings[0].0 + found.ratings[1].0).abs() < 1e-9);
        assert_eq!((found.misfit, found.cycles.len()), (None, 0));
        // The interval of the difference is twice that of each: the delta method by hand.
        let sd = (0.75_f64 * 0.25).sqrt() / (0.75 * 0.25) * ELO / 1000_f64.sqrt() * 1.96;
        let interval = found.ratings[0].1.unwrap();
        assert!((interval.high - interval.low - sd).abs() < 0.05 * sd, "{interval:?} against {sd}");
    }

    /// Who has won all deals may be better by any amount, and who has lost two of forty by much: the logarithm of the odds is no straight
    /// line there. The ends are those of the share, and a lopsided result is told alike from both sides.
    #[test]
    fn lopsided_results_leave_an_end_open() {
        let found = |lost: i64, units: i64| {
            let mut moments = Moments::new(2);
            (0..units).for_each(|unit| moments.add(&[i64::from(unit >= lost), i64::from(unit < lost)]));
            let ratings = ratings(&moments, 1, 2, 2).unwrap().ratings;
            let [(a, first), (b, second)] = [ratings[0], ratings[1]];
            let (first, second) = (first.unwrap(), second.unwrap());
            assert!((a + b).abs() < 1e-6 && first.low < a && a < first.high, "{a} {first:?} {b} {second:?}");
            assert!(
                (first.low + second.high).abs() < 1e-6 && (first.high + second.low).abs() < 1e-6
                    || first.high.is_infinite()
            );
            first
        };
        let all = found(0, 40);
        // Of what did not come in 40 deals, 2 · 3.4 / 40 of the surplus may be missing.
        let odds = |surplus: f64| ELO * ((1.0 + surplus) / (1.0 - surplus)).ln() / 2.0;
        let low = odds(1.0 - 2.0 * 1.96 * 3_f64.sqrt() / 40.0);
        assert!((all.low - low).abs() < 0.1 && all.high == f64::INFINITY, "{all:?}, not {low}");
        assert_eq!(found(1, 100).high, f64::INFINITY);
        let some = found(5, 1000);
        assert!(some.high.is_finite() && some.high - odds(0.99) > odds(0.99) - some.low, "{some:?}");
    }

    /// With more agents and seats, too, an agent that wins nearly always has the rating that gives its surplus, and an interval around it.
    #[test]
    fn a_surplus_is_that_of_its_rating() {
        for (agents, seats) in [(2, 2), (2, 4), (3, 2), (3, 4), (4, 7)] {
            for (theta, units) in [(3.0, 40), (5.0, 40), (6.0, 400)] {
                let p = |a: usize, b: usize| match (a == 0, b == 0) {
                    (true, false) => expected(theta, seats),
                    (false, true) => expected(-theta, seats),
                    _ => expected(0.0, seats),
                };
                let moments = simulate(79, units, agents, seats, p);
                let found = ratings(&moments, seats as i64, agents, seats).unwrap();
                let (rating, interval) = found.ratings[0];
                let Interval { low, high } = interval.unwrap();
                assert!(
                    low < rating && rating < high,
                    "{agents}, {seats}: {rating} not from {low} to {high}"
                );
                let known: Vec<f64> = (0..agents).map(|agent| if agent == 0 { theta } else { 0.0 }).collect();
                let whole = expected(theta, seats) - expected(-theta, seats);
                assert!(
                    (rating_of(whole, &known, 0, seats) - theta).abs() < 1e-6,
                    "{agents}, {seats}, {theta}"
                );
            }
        }
    }

    /// Values of choix 0.4, `mm_pairwise` of these 600 games in Elo; the added unit moves them by less than 0.1.
    #[test]
    fn choix_agrees() {
        let wins = [[0, 70, 80, 65], [30, 0, 55, 40], [20, 45, 0, 48], [35, 60, 52, 0]];
        let mut moments = Moments::new(slots(4));
        for unit in 0..5_000 {
            let mut values = vec![0; slots(4)];
            for a in 0..4 {
                for b in (0..4).filter(|&b| b != a) {
                    // One of two is won by each game; the draw is the same for both.
                    let first = a.min(b);
                    let won = unit % 100 < wins[first][a.max(b)];
                    values[slot(4, a, b)] = i64::from(won == (a == first));
                }
            }
            moments.add(&values);
        }
        let found = ratings(&moments, 1, 4, 2).unwrap();
        let expected = [121.522_439, -46.458_879, -68.691_225, -6.372_335];
        for ((rating, _), expected) in found.ratings.iter().zip(expected) {
            assert!((rating - expected).abs() < 0.1, "{rating} against {expected}");
        }
    }

    /// Four and five agents in a circle, of whom those that do not stand side by side are equal: there is no cycle of three to be
    /// found, only the whole.
    #[test]
    fn longer_cycles_are_found() {
        for agents in [4, 5] {
            let p = |a: usize, b: usize| match (b + agents - a) % agents {
                1 => 0.7,
                step if step == agents - 1 => 0.3,
                _ => 0.5,
            };
            let found = ratings(&simulate(78, 1000, agents, 2, p), 2, agents, 2).unwrap();
            assert_eq!(found.cycles, [(0..agents).collect::<Vec<_>>()]);
        }
    }

    /// The p-value of three equal agents is uniform: of 200, 10 are expected below 0.05 and 100 below 0.5; 20 and 123 are 3.2
    /// standard deviations above, 77 as much below.
    #[test]
    fn the_misfit_of_three_equal_agents_is_uniform() {
        let p =
            |run: u64| ratings(&simulate(500 + run, 100, 3, 2, |_, _| 0.5), 2, 3, 2).unwrap().misfit.unwrap();
        let values: Vec<f64> = (0..200).map(p).collect();
        let below = |limit| values.iter().filter(|&&p| p < limit).count();
        assert!(below(0.05) <= 20 && (77..=123).contains(&below(0.5)), "{}, {}", below(0.05), below(0.5));
    }

    /// Known strengths at four seats are found, the 95 % intervals contain them in 95 % of 160 (of which 8 are
    /// expected to miss, and 18 is 3.6 standard deviations above), and a model that is true is rarely called a
    /// misfit.
    #[test]
    fn known_strengths_are_found() {
        let strength = [0.6_f64, 0.1, -0.2, -0.5];
        let p = |a: usize, b: usize| 1.0 / (1.0 + 3.0 * (strength[b] - strength[a]).exp());
        let (mut missed, mut misfits) = (0, 0);
        for run in 0..40 {
            let found = ratings(&simulate(run, 300, 4, 4, p), 4, 4, 4).unwrap();
            for (theta, (_, interval)) in strength.iter().zip(&found.ratings) {
                let interval = interval.unwrap();
                missed += u32::from(!(interval.low..=interval.high).contains(&(ELO * theta)));
            }
            misfits += u32::from(found.misfit.unwrap() < 0.05);
            assert!(found.cycles.is_empty());
        }
        assert!(missed <= 18, "{missed} of 160 intervals miss");
        assert!(misfits <= 7, "{misfits} of 40 true models are called misfits");
    }

    /// Stone, paper, scissors: equal ratings hide everything, and the check says so.
    #[test]
    fn a_cycle_is_found() {
        let p = |a: usize, b: usize| if (b + 3 - a) % 3 == 1 { 0.6 } else { 0.4 };
        let found = ratings(&simulate(77, 1000, 3, 2, p), 2, 3, 2).unwrap();
        assert_eq!(found.cycles, [vec![0, 1, 2]]);
        assert!(found.misfit.unwrap() < 1e-6);
        assert!(found.ratings.iter().all(|(rating, _)| rating.abs() < 15.0), "{found:?}");
    }

    /// A cycle without any luck is found too, but not after two units.
    #[test]
    fn a_certain_cycle_is_found() {
        let p = |a: usize, b: usize| f64::from(u8::from((b + 3 - a) % 3 == 1));
        let found = |units| ratings(&simulate(1, units, 3, 2, p), 2, 3, 2).unwrap();
        assert!(found(50).cycles == [vec![0, 1, 2]] && found(50).misfit.unwrap() < 1e-6);
        assert!(found(2).cycles.is_empty() && found(2).misfit.unwrap() > 0.05);
    }

    /// True strengths that lie far apart, and few units: hardly any loss is seen, and still the model is not called a misfit.
    #[test]
    fn far_strengths_are_no_misfit() {
        let strength = [-4.3_f64, 1.7, 2.7];
        let p = |a: usize, b: usize| 1.0 / (1.0 + (strength[b] - strength[a]).exp());
        let misfits = (0..60).filter(|&run| {
            ratings(&simulate(100 + run, 40, 3, 2, p), 2, 3, 2).unwrap().misfit.unwrap() < 0.05
        });
        let misfits = misfits.count();
        assert!(misfits <= 9, "{misfits} of 60");
    }

    /// One who always wins has a rating, and a large one.
    #[test]
    fn always_winning_is_no_error() {
        let found = ratings(&simulate(5, 50, 3, 2, |a, b| f64::from(u8::from(a < b))), 2, 3, 2).unwrap();
        let ratings: Vec<f64> = found.ratings.iter().map(|(rating, _)| *rating).collect();
        assert!(ratings[0] > ratings[1] + 200.0 && ratings[1] > ratings[2] + 200.0, "{ratings:?}");
        assert!(ratings.iter().all(|rating| rating.is_finite()));
    }

    /// Agents that always did the same are not known to be equal: the 95 % interval holds an agent that wins one more unit in a
    /// thousand, and one whose units would have shown a difference lies outside.
    #[test]
    fn equals_are_not_equal_beyond_doubt() {
        for (units, seats) in [(1000, 2), (1000, 3), (4000, 3)] {
            let mut moments = Moments::new(slots(2));
            (0..units).for_each(|_| moments.add(&[1, 1]));
            let found = ratings(&moments, seats as i64, 2, seats).unwrap();
            let Interval { low, high } = found.ratings[0].1.unwrap();
            // By how much the rating moves with the share at a table of fair shares.
            let fair = 1.0 / seats as f64;
            let elo = |share: f64| ELO * share / (fair * (1.0 - fair)) / 2.0;
            assert!(
                high > elo(0.9 / f64::from(units)) && high < elo(6.0 / f64::from(units)),
                "{units}, {seats}: {high}"
            );
            assert!((low + high).abs() < 1e-6, "{low} to {high}");
        }
    }

    /// At four seats the unit that is added has everybody win a quarter: the rating of who always wins is that of these shares.
    #[test]
    fn the_added_unit_is_fair_at_any_table() {
        let units = 10;
        let found =
            ratings(&simulate(5, units, 2, 4, |a, _| if a == 0 { 1.0 } else { 0.0 }), 4, 2, 4).unwrap();
        let shares = [(units as f64 + 0.25) / 11.0, 0.25 / 11.0];
        // The likelihood is largest where what both win more than they should is the same.
        let rest = |theta: f64| {
            let won = |theta: f64| 1.0 / (1.0 + 3.0 * (-theta).exp());
            (shares[0] - won(theta)) - (shares[1] - won(-theta))
        };
        let (mut low, mut high) = (0.0, 20.0);
        while high - low > 1e-12 {
            let middle = (low + high) / 2.0;
            if rest(middle) > 0.0 { low = middle } else { high = middle }
        }
        let difference = found.ratings[0].0 - found.ratings[1].0;
        assert!((difference - ELO * low).abs() < 1e-6, "{difference} against {}", ELO * low);
    }
}
