//! Coverage of intervals and error rates of tests, by simulation with known truth.
//!
//! Prints the tables of the chapter on statistics, `docs/statistics.md`. Outcomes are simulated; intervals, p-values and
//! decisions are those of the library.
//!
//! ```sh
//! cargo run --release -p knave-lab --bin coverage -- 4000
//! ```
//!
//! The argument is the number of runs for a row. The same number prints the same tables.

#![allow(clippy::type_complexity, reason = "the rows of a table are read as they stand")]

mod sequential;

use knave::games::{BuiltIn, CardGame, GameList as _, Visitor, WIN_UNIT};
use knave::play::Bench;
use knave::stats::control::corrected;
use knave::stats::ratings::{ratings, slot, slots};
use knave::stats::sequence::{Betting, asymptotic};
use knave::stats::{Estimate, Interval, Moments, SeatStats, mean_interval};
use knave::studies::compare::Goal;
use knave::studies::run::{Plan, Request, Totals};
use knave_agents::Rng;
use knave_agents::registry;
use knave_agents::rng::{Role, below, stream};
use knave_lab::arguments::texts;
use std::collections::BTreeMap;

/// The tables, by the name that chooses one alone.
const TABLES: [(&str, fn(u32)); 7] = [
    ("wins", win_rates),
    ("scores", scores),
    ("differences", differences),
    ("controls", controls),
    ("stopping", stopping),
    ("sequential", sequential::sequential),
    ("ratings", rated),
];

fn main() {
    let [runs, only] = texts(["RUNS", "TABLE"]);
    let runs = runs.map_or(4000, |text| text.parse().expect("a number of runs"));
    let is_table = |only: &String| TABLES.iter().any(|(name, _)| name == only);
    assert!(
        only.as_ref().is_none_or(is_table),
        "no table {only:?}; tables: {:?}",
        TABLES.map(|(name, _)| name)
    );
    for (_, table) in TABLES.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name)) {
        table(runs);
    }
}

/// The generator of a run. Every row begins with the same seeds, so rows can be done alone.
fn generator(run: u64) -> Rng {
    stream(9100, run, Role::Chance)
}

/// Whether a draw with this probability comes true.
fn chance(rng: &mut Rng, probability: f64) -> bool {
    uniform(rng) < probability
}

/// A uniform number between 0 and 1, neither included.
fn uniform(rng: &mut Rng) -> f64 {
    (f64::from(below(rng, 1 << 24)) + 0.5) / f64::from(1 << 24)
}

/// A normal number (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let (u, v) = (uniform(rng), uniform(rng));
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// The head of a table, with a column for each of these.
fn head(title: &str, columns: &[&str]) {
    println!("\n### {title}\n\n| {} |\n|{}", columns.join(" | "), "---|".repeat(columns.len()));
}

/// How often intervals contain the truth.
#[derive(Default)]
struct Count {
    shown: u32,
    right: u32,
}

impl Count {
    fn add(&mut self, interval: Option<Interval>, truth: f64) {
        let Some(Interval { low, high }) = interval else {
            return;
        };
        // An end that is the truth up to rounding contains it.
        let least = 1e-9 * truth.abs().max(1.0);
        self.shown += 1;
        self.right += u32::from(low <= truth + least && truth <= high + least);
    }

    fn text(&self) -> String {
        if self.shown == 0 { "–".to_owned() } else { percent(self.right, self.shown) }
    }
}

fn percent(count: u32, of: u32) -> String {
    format!("{:.1}", 100.0 * f64::from(count) / f64::from(of))
}

/// A row of coverage: a case, and for each number of units that of one interval and of another.
fn row(
    case: &str,
    sizes: &[usize],
    runs: u32,
    truth: f64,
    mut both: impl FnMut(&mut Rng, usize) -> [Option<Interval>; 2],
) {
    let cells = sizes.iter().map(|&size| {
        let mut counts = [Count::default(), Count::default()];
        for run in 0..runs {
            let found = both(&mut generator(u64::from(run)), size);
            counts.iter_mut().zip(found).for_each(|(count, interval)| count.add(interval, truth));
        }
        format!("{} ({})", counts[0].text(), counts[1].text())
    });
    println!("| {case} | {} |", cells.collect::<Vec<_>>().join(" | "));
}

fn sized_head(title: &str, sizes: &[usize]) {
    let sizes: Vec<String> = sizes.iter().map(|size| format!("n = {size}")).collect();
    let columns: Vec<&str> = ["case"].into_iter().chain(sizes.iter().map(String::as_str)).collect();
    head(title, &columns);
}

/// Student's t alone.
fn student(estimate: Estimate) -> Option<Interval> {
    mean_interval(estimate.mean, estimate.sd, estimate.units)
}

/// Win rates of equal players who throw a die each; the highest win, shared when tied.
fn win_rates(runs: u32) {
    let sizes = [2, 5, 10, 20, 50, 200];
    sized_head("Win rates", &sizes);
    let unit = WIN_UNIT as f64;
    let wilson = |stats: &SeatStats, wins: &[f64]| {
        let mut moments = Moments::new(1);
        wins.iter().for_each(|&share| moments.add(&[(share * unit).round() as i64]));
        [stats.win_interval(), student(moments.of(&[(0, 1)]).times(1.0 / unit))]
    };
    let one_seat = |rng: &mut Rng, size: usize, rate: f64| {
        let (mut stats, mut wins) = (SeatStats::default(), Vec::new());
        for _ in 0..size {
            let won = chance(rng, rate);
            stats.add(0, usize::from(won), 0);
            wins.push(f64::from(u8::from(won)));
        }
        wilson(&stats, &wins)
    };
    for rate in [0.5, 0.1, 0.02] {
        row(&format!("one seat, {rate}"), &sizes, runs, rate, |rng, size| one_seat(rng, size, rate));
    }
    // One win is just too many for the interval, so that hardly any other rate is missed as often.
    let times = |n: f64| move |Interval { low, high }: Interval| Interval { low: n * low, high: n * high };
    row("one seat, 0.176 / n", &sizes, runs, 0.176, |rng, size| {
        let n = size as f64;
        one_seat(rng, size, 0.176 / n).map(|found| found.map(times(n)))
    });
    let equal = (2..=7).map(|seats| (seats, 6, ""));
    for (seats, faces, name) in equal.chain([(2, 40, ", few ties"), (7, 1, ", all tied")]) {
        row(&format!("seats: {seats}{name}"), &sizes, runs, 1.0 / f64::from(seats), |rng, size| {
            let (mut stats, mut wins) = (SeatStats::default(), Vec::new());
            for _ in 0..size {
                let throws: Vec<u32> = (0..seats).map(|_| below(rng, faces)).collect();
                let most = throws.iter().max().copied().unwrap_or_default();
                let winners = throws.iter().filter(|&&throw| throw == most).count();
                let won = throws[0] == most;
                stats.add(0, if won { winners } else { 0 }, 0);
                wins.push(if won { 1.0 / winners as f64 } else { 0.0 });
            }
            wilson(&stats, &wins)
        });
    }
    // Games that nearly always end in the same tie, and hide how much the few others differ. The rate is told above its least.
    row("seats: 7, tied except 1.6 / n", &sizes, runs, 1.6 * 6.0 / 7.0, |rng, size| {
        let n = size as f64;
        let (mut stats, mut wins) = (SeatStats::default(), Vec::new());
        for _ in 0..size {
            let winners = if chance(rng, 1.6 / n) { 1 } else { 7 };
            stats.add(0, winners, 0);
            wins.push(1.0 / winners as f64);
        }
        let above =
            |Interval { low, high }: Interval| Interval { low: low - 1.0 / 7.0, high: high - 1.0 / 7.0 };
        wilson(&stats, &wins).map(|found| found.map(above).map(times(n)))
    });
}

/// Mean scores.
fn scores(runs: u32) {
    let sizes = [2, 3, 5, 10, 20, 30, 100, 1000];
    sized_head("Mean scores", &sizes);
    type Draw = fn(&mut Rng) -> i64;
    let even: Draw = |rng| i64::from(below(rng, 11)) - 5;
    let die: Draw = |rng| (0..3).map(|_| i64::from(below(rng, 6)) + 1).sum();
    let one: Draw = |rng| if chance(rng, 0.01) { -50 } else { i64::from(below(rng, 11)) - 5 };
    let five: Draw = |rng| if chance(rng, 0.05) { -50 } else { i64::from(below(rng, 11)) - 5 };
    let dungeon: Draw =
        |rng| if chance(rng, 0.09) { -60 - i64::from(below(rng, 81)) } else { i64::from(below(rng, 20)) + 1 };
    let waiting: Draw = |rng| (-20.0 * uniform(rng).ln()) as i64;
    // The mean of the whole part of an exponential number of mean m is 1 / (e^(1/m) − 1).
    let wait = 1.0 / ((1.0_f64 / 20.0).exp() - 1.0);
    let cases: [(&str, Draw, Option<(i64, i64)>, f64); 8] = [
        ("even, -5 to 5", even, Some((-5, 5)), 0.0),
        ("three dice", die, Some((3, 18)), 10.5),
        ("even, but -50 in 1 %", one, Some((-50, 5)), -0.5),
        ("even, but -50 in 5 %", five, Some((-50, 5)), -2.5),
        ("as of dungeon", dungeon, Some((-208, 30)), 0.91 * 10.5 - 0.09 * 100.0),
        ("three dice, range unknown", die, None, 10.5),
        ("exponential, range unknown", waiting, None, wait),
        ("even, but -50 in 5 %, range unknown", five, None, -2.5),
    ];
    for (name, draw, range, truth) in cases {
        score_row(name, &sizes, runs, truth, range, draw);
    }
    for game in BuiltIn::each(Played(20_000)) {
        let name = format!("`{}`, as `rule` plays it", game.name);
        let total = game.counts.iter().map(|(_, count)| count).sum::<u64>();
        let sum: i64 = game.counts.iter().map(|&(score, count)| score * count as i64).sum();
        score_row(&name, &sizes, runs, sum as f64 / total as f64, game.range, |rng| {
            let mut place = u64::from(below(rng, total as u32));
            let here = game.counts.iter().find(|&&(_, count)| {
                let found = place < count;
                place = place.wrapping_sub(count);
                found
            });
            here.map_or(0, |&(score, _)| score)
        });
    }
}

/// A row of mean scores that are drawn like this.
fn score_row(
    name: &str,
    sizes: &[usize],
    runs: u32,
    truth: f64,
    range: Option<(i64, i64)>,
    draw: impl Fn(&mut Rng) -> i64,
) {
    row(name, sizes, runs, truth, |rng, size| {
        let mut stats = SeatStats::default();
        (0..size).for_each(|_| stats.add(draw(rng), 0, 0));
        let estimate = stats.score(range).expect("there are games");
        [estimate.interval(), student(estimate)]
    });
}

/// Plays so many games of each game by `rule`.
#[derive(Clone)]
struct Played(u64);

/// The scores of seat 0.
struct Scores {
    name: &'static str,
    range: Option<(i64, i64)>,
    counts: Vec<(i64, u64)>,
}

impl Visitor for Played {
    type Output = Scores;

    fn visit<G: CardGame>(self) -> Scores {
        let request = Request {
            game: G::NAME.to_owned(),
            rules: Default::default(),
            cards: None,
            agents: vec!["rule".parse().expect("the name of an agent")],
            n: self.0,
            seed: 9101,
        };
        let entries = registry::agents(&G::kit(&G::Rules::default()));
        let plan = Plan::<G>::new(&request, &entries).expect("every game has this agent");
        let (mut totals, mut games) = (Totals::new(&plan), plan.game_loop(&mut Bench::default()));
        (0..self.0).for_each(|index| games.play(index, &mut totals).expect("agents of Knave do not fail"));
        let range = G::score_range(&plan.rules);
        Scores { name: G::NAME, range, counts: totals.seats[0].scores.counts().collect() }
    }
}

/// Differences of wins on the same deals, and p-values where there is none.
fn differences(runs: u32) {
    let sizes = [2, 5, 10, 20, 50, 100, 300, 1000];
    sized_head("Differences of wins", &sizes);
    let cases = [
        ("equal, differ on 1 %", 0.01, 0.5),
        ("equal, differ on 5 %", 0.05, 0.5),
        ("equal, differ on half", 0.5, 0.5),
        ("better on 1 %, never worse", 0.01, 1.0),
        ("better on 5 %, never worse", 0.05, 1.0),
        ("better on 20 %, worse on 10 %", 0.3, 2.0 / 3.0),
    ];
    let unit = |rng: &mut Rng, differ: f64, better: f64| match (chance(rng, differ), chance(rng, better)) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => -1,
    };
    let estimate = |rng: &mut Rng, size: usize, differ, better| {
        let mut moments = Moments::within(vec![Some((-1, 1))]);
        (0..size).for_each(|_| moments.add(&[unit(rng, differ, better)]));
        moments.of(&[(0, 1)])
    };
    for (name, differ, better) in cases {
        row(name, &sizes, runs, differ * (2.0 * better - 1.0), |rng, size| {
            let estimate = estimate(rng, size, differ, better);
            [estimate.interval(), student(estimate)]
        });
    }
    sized_head("Tests of equal agents", &sizes);
    for (name, differ, better) in &cases[..3] {
        let cells = sizes.iter().map(|&size| {
            let mut counts = [0; 2];
            for run in 0..runs {
                let p =
                    estimate(&mut generator(u64::from(run)), size, *differ, *better).p_value().unwrap_or(1.0);
                counts[0] += u32::from(p < 0.05);
                counts[1] += u32::from(p < 0.5);
            }
            format!("{} ({})", percent(counts[0], runs), percent(counts[1], runs))
        });
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

/// Differences of wins with luck taken off. Luck is counted in thousandths.
fn controls(runs: u32) {
    let sizes = [20, 21, 40, 80, 200];
    sized_head("Differences of wins with luck taken off", &sizes);
    type Draw = fn(&mut Rng) -> (i64, f64);
    let independent: Draw = |rng| {
        let (a, b) = (normal(rng), normal(rng));
        let won = |luck: f64, rng: &mut Rng| i64::from(luck + 0.5 * normal(rng) > 0.0);
        (won(a, rng) - won(b, rng), a - b)
    };
    let near: Draw = |rng| {
        if !chance(rng, 0.05) {
            return (0, 0.0);
        }
        let luck = normal(rng);
        (if luck > 0.0 { 1 } else { -1 }, luck)
    };
    let rare: Draw = |rng| {
        let better = chance(rng, 0.05);
        (i64::from(better), if better { 0.95 } else { -0.05 } + 0.2 * normal(rng))
    };
    let useless: Draw = |rng| (i64::from(below(rng, 3)) - 1, normal(rng));
    let cases: [(&str, Draw, f64); 4] = [
        ("luck decides most games", independent, 0.0),
        ("equal, differ on 5 %, by luck", near, 0.0),
        ("better on 5 %, never worse", rare, 0.05),
        ("luck that decides nothing", useless, 0.0),
    ];
    for (name, draw, truth) in cases {
        row(name, &sizes, runs, truth, |rng, size| {
            let mut halves = [(); 2].map(|()| Moments::within(vec![Some((-1, 1)), None]));
            for unit in 0..size {
                let (result, luck) = draw(rng);
                halves[unit % 2].add(&[result, (luck * 1000.0).round() as i64]);
            }
            let found = corrected(&halves, &[(0, 1)], &[(1, 1)]).expect("ten units in each half");
            [found.interval(), student(found)]
        });
    }
}

/// The most units of a sequential run.
const MOST: u64 = 1 << 15;

/// Intervals at the moment when they are as narrow as asked.
fn stopping(runs: u32) {
    head(
        "Stopping at a width",
        &[
            "case",
            "width",
            "coverage, %",
            "Student's t, %",
            "units, mean",
            "mean at the end, less the truth",
            "never",
        ],
    );
    type Draw = fn(&mut Rng) -> i64;
    let equal: Draw = |rng| i64::from(below(rng, 3)) - 1;
    let rare: Draw = |rng| if chance(rng, 0.02) { 2 * i64::from(below(rng, 2)) - 1 } else { 0 };
    let better: Draw = |rng| if chance(rng, 0.3) { if chance(rng, 0.8) { 1 } else { -1 } } else { 0 };
    let same: Draw = |_| 0;
    let one: Draw = |rng| if chance(rng, 0.01) { 10 } else { 0 };
    let few: Draw = |rng| if chance(rng, 0.003) { 10 } else { 0 };
    let loss: Draw = |rng| if chance(rng, 0.01) { -50 } else { i64::from(below(rng, 11)) - 5 };
    let cases: [(&str, Draw, (i64, i64), f64, f64, bool); 9] = [
        ("wins, equal", equal, (-1, 1), 0.0, 0.1, true),
        ("wins, differ on 2 %", rare, (-1, 1), 0.0, 0.04, true),
        ("wins, better by 18 %", better, (-1, 1), 0.18, 0.1, true),
        ("score, even from -1 to 1", equal, (-1, 1), 0.0, 0.1, false),
        ("score, even from -5 to 5, but -50 in 1 %", loss, (-50, 5), -0.5, 1.0, false),
        ("score, differ by 1 on 2 %, range -10 to 10", rare, (-10, 10), 0.0, 0.04, false),
        ("score, better by 10 on 1 %, range -10 to 10", one, (-10, 10), 0.1, 0.4, false),
        ("score, better by 10 on 0.3 %, range -10 to 10", few, (-10, 10), 0.03, 0.2, false),
        ("score, identical, range -10 to 10", same, (-10, 10), 0.0, 0.04, false),
    ];
    // Looking costs far more than drawing, so fewer runs.
    let runs = runs / 4;
    for (name, draw, range, truth, width, is_wins) in cases {
        let (mut valid, mut naive, mut units, mut sum, mut never) =
            (Count::default(), Count::default(), 0, 0.0, 0);
        for run in 0..runs {
            let mut rng = generator(u64::from(run));
            let (mut counts, mut moments) = (BTreeMap::new(), Moments::within(vec![Some(range)]));
            let mut stopped = None;
            for unit in 1..=MOST {
                let value = draw(&mut rng);
                *counts.entry(value).or_default() += 1;
                moments.add(&[value]);
                if !Goal::is_due(unit) {
                    continue;
                }
                let estimate = moments.of(&[(0, 1)]);
                let interval = if is_wins {
                    let counts = counts.iter().map(|(&value, &count)| (value, count));
                    Some(Betting::new(counts, range.0, range.1, width).interval())
                } else {
                    asymptotic(estimate, 10_000).map(|(interval, _)| interval)
                };
                if let Some(interval) = interval.filter(|interval| interval.high - interval.low <= width) {
                    stopped = Some((interval, estimate));
                    break;
                }
            }
            let Some((interval, estimate)) = stopped else {
                never += 1;
                continue;
            };
            valid.add(Some(interval), truth);
            naive.add(student(estimate), truth);
            units += estimate.units;
            sum += estimate.mean - truth;
        }
        let stopped = f64::from(valid.shown.max(1));
        println!(
            "| {name} | {width} | {} | {} | {:.0} | {:.4} | {never} |",
            valid.text(),
            naive.text(),
            units as f64 / stopped,
            sum / stopped,
        );
    }
}

/// Ratings of agents whose strengths follow the model.
fn rated(runs: u32) {
    head(
        "Ratings of simulated agents",
        &["case", "n", "coverage, %", "misfit p < 0.05, %", "misfit p < 0.5, %", "cycles, %"],
    );
    let elo = 400.0 / std::f64::consts::LN_10;
    // Of some, the games of a deal go alike: the better one wins them all on a few deals, and all else is shared.
    let cases: [(&str, &[f64], usize, bool); 11] = [
        ("two agents, two seats", &[0.2, -0.2], 2, false),
        ("two agents, 400 Elo apart", &[1.15, -1.15], 2, false),
        ("two agents, 800 Elo apart", &[2.3, -2.3], 2, false),
        ("two agents, better on 2 %, never worse", &[0.02, -0.02], 2, true),
        ("two agents, better on 6 %, never worse", &[0.06, -0.06], 2, true),
        ("one of three agents 800 Elo below", &[1.5, 1.5, -3.0], 2, false),
        ("one of three agents 1400 Elo above", &[5.4, -2.7, -2.7], 2, false),
        ("three equal agents, two seats", &[0.0; 3], 2, false),
        ("four equal agents, two seats", &[0.0; 4], 2, false),
        ("four agents, four seats", &[0.6, 0.1, -0.2, -0.5], 4, false),
        ("three agents, seven seats", &[0.4, 0.0, -0.4], 7, false),
    ];
    let runs = runs / 4;
    for (name, strengths, seats, are_alike) in cases {
        let agents = strengths.len();
        for size in [10, 30, 100, 400] {
            let (mut count, mut misfits, mut cycles) = (Count::default(), [0; 2], 0);
            for run in 0..runs {
                let mut rng = generator(u64::from(run));
                let mut moments = Moments::new(slots(agents));
                for _ in 0..size {
                    let mut values = vec![0; slots(agents)];
                    if are_alike {
                        // The surplus of this rating.
                        let is_better = chance(&mut rng, strengths[0].tanh());
                        moments.add(&if is_better { [2, 0] } else { [1, 1] });
                        continue;
                    }
                    for a in 0..agents {
                        for b in (0..agents).filter(|&b| b != a) {
                            let odds = (seats - 1) as f64 * (strengths[b] - strengths[a]).exp();
                            let won = |_| i64::from(chance(&mut rng, 1.0 / (1.0 + odds)));
                            values[slot(agents, a, b)] = (0..seats).map(won).sum();
                        }
                    }
                    moments.add(&values);
                }
                let found = ratings(&moments, seats as i64, agents, seats).expect("enough units");
                for (&strength, &(_, interval)) in strengths.iter().zip(&found.ratings) {
                    count.add(interval, elo * strength);
                }
                let misfit = found.misfit.unwrap_or(1.0);
                misfits[0] += u32::from(misfit < 0.05);
                misfits[1] += u32::from(misfit < 0.5);
                cycles += u32::from(!found.cycles.is_empty());
            }
            let [low, half] = if agents > 2 {
                misfits.map(|count| percent(count, runs))
            } else {
                [(); 2].map(|()| "–".to_owned())
            };
            println!("| {name} | {size} | {} | {low} | {half} | {} |", count.text(), percent(cycles, runs));
        }
    }
}
