//! The bound on fair play: its penalty is worth nothing to fair play, its search leaves out nothing, and it bounds what is
//! exactly known of mini-decks.

#![allow(clippy::needless_range_loop, reason = "several lists are walked side by side")]

use super::*;
use crate::verslun::bound::penalty::{CASES, CardEvent, FEATURES, N, Weights, case_name, fitted};
use crate::verslun::bound::{Bounder, Relaxation, bounding};
use crate::verslun::clairvoyant::objectives;
use knave_agents::DealBounder as _;
use std::collections::HashMap;
use std::sync::Arc;

/// Weights of all signs, some large.
fn weights(rng: &mut Rng, size: f64) -> Weights {
    std::array::from_fn(|_| std::array::from_fn::<f64, N, _>(|_| (rng.random::<f64>() - 0.5) * size))
}

fn deal(rules: &Rules, cards: usize, rng: &mut Rng) -> Verslun {
    let mut deck = Verslun::full_deck();
    deck.shuffle(rng);
    Verslun::from_deck(rules, &deck[..cards]).unwrap()
}

/// What a random event surprises by.
fn surprise(before: &Verslun, outcome: &Chance, seed: u64) -> (usize, [f64; N]) {
    let board = before.board();
    let known = board.open().map(|place| board.columns[place]).filter(|column| column[0] != 0);
    let open: Vec<[u8; HEIGHT]> = known.collect();
    let (column, drawn) = match *outcome {
        Chance::Draw(cards) => (None, cards),
        Chance::Deal { column, hand } => (Some(column), hand),
    };
    let event = CardEvent {
        open: &open,
        hand: board.hand.bits(),
        unseen: before.unseen().bits(),
        column,
        drawn: drawn.bits(),
        rules: board.rules,
        seed,
    };
    event.surprise()
}

/// The most that points less prices can be, by single moves, every one of them tried. Points so far leave the key, or
/// every sequence would be a position of its own.
fn brute_force(
    position: &Verslun,
    price: &mut impl FnMut(&Verslun, &Chance) -> f64,
    seen: &mut HashMap<(View, usize), f64>,
) -> f64 {
    match position.turn() {
        Turn::Over => position.score(0) as f64,
        Turn::Chance => {
            let mut next = position.clone();
            let outcome = next.roll(&mut Rng::new(1));
            brute_force(&next, price, seen) - price(position, &outcome)
        }
        _ => {
            let key = (position.key(), position.pile_len());
            if let Some(&best) = seen.get(&key) {
                return best;
            }
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let values = moves.iter().map(|&m| {
                let mut next = position.clone();
                next.play(m);
                brute_force(&next, price, seen)
            });
            let best = values.fold(f64::MIN, f64::max);
            seen.insert(key, best);
            best
        }
    }
}

/// The best that fair play can expect, exactly.
fn fair(position: &Verslun, seen: &mut HashMap<View, f64>) -> f64 {
    if position.turn() == Turn::Over {
        return position.score(0) as f64;
    }
    let key = position.key();
    if let Some(&value) = seen.get(&key) {
        return value;
    }
    let value = if position.turn() == Turn::Chance {
        let mut outcomes = Vec::new();
        position.outcomes(&mut outcomes);
        let each = outcomes.into_iter().map(|(outcome, probability)| {
            let mut next = position.clone();
            next.play_chance(outcome);
            probability * fair(&next, seen)
        });
        each.sum()
    } else {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let each = moves.into_iter().map(|m| {
            let mut next = position.clone();
            next.play(m);
            fair(&next, seen)
        });
        each.fold(f64::MIN, f64::max)
    };
    seen.insert(key, value);
    value
}

const FORESIGHT: usize = 6;

/// A fair move that claims what it can, and redeals while the pile has the cards.
fn eager(position: &Verslun, buffer: &mut Vec<Move>) -> Move {
    position.moves(buffer);
    let find = |is: fn(&Move) -> bool| buffer.iter().copied().find(is);
    let enough = position.pile_len() >= position.board.rules.redealt();
    let redeal = find(|m| matches!(m, Move::Redeal(_))).filter(|_| enough);
    let stay = find(|m| matches!(m, Move::Stay)).filter(|_| enough && position.board.claimed != 0);
    let claim = find(|m| matches!(m, Move::Claim(_)));
    redeal.or(stay).or(claim).or(find(|m| matches!(m, Move::On))).unwrap_or(buffer[0])
}

/// Protects the heart of the bound: over all cards that can come, every feature of every event surprises by nothing on
/// average; where deals are sampled, on average over the samples.
#[test]
fn surprises_cost_nothing_on_average() {
    assert_eq!(FEATURES[FORESIGHT], "foresight");
    let mut rng = Rng::new(31);
    let (mut draws, mut deals) = (0, 0);
    for case in 0..30 {
        let rules = Rules { columns: 1 + case % 3, hand: 4, ..Rules::default() };
        let start = deal(&rules, rules.laid_out() + [8, 12][usize::from(case % 2)], &mut rng);
        let mut position = start.clone();
        let mut buffer = Vec::new();
        while position.turn() != Turn::Over {
            if position.turn() == Turn::Chance && position.outcome_count() < 3_000 {
                let mut outcomes = Vec::new();
                position.outcomes(&mut outcomes);
                let (mut mean, mut size) = ([0.0; N], [0.0_f64; N]);
                for (outcome, probability) in &outcomes {
                    let (_, surprise) = surprise(&position, outcome, 0);
                    for i in 0..N {
                        mean[i] += probability * surprise[i];
                        size[i] = size[i].max(surprise[i].abs());
                    }
                }
                match outcomes[0].0 {
                    Chance::Draw(_) => draws += u32::from(size[0] > 0.1 && size[FORESIGHT] > 0.1),
                    Chance::Deal { .. } => {
                        deals += u32::from(size[N - 1] > 0.1 && size[FORESIGHT] > 0.1);
                        let of = |seed| surprise(&position, &outcomes[0].0, seed).1[FORESIGHT];
                        let means: Vec<f64> =
                            (0..100).map(|seed| mean[FORESIGHT] + of(seed) - of(0)).collect();
                        let average = means.iter().sum::<f64>() / 100.0;
                        let square = means.iter().map(|m| (m - average).powi(2)).sum::<f64>() / 99.0;
                        assert!(average.abs() < 4.5 * square.sqrt() / 10.0 + 1e-9, "{average}");
                        mean[FORESIGHT] = 0.0;
                    }
                }
                assert!(mean.iter().all(|mean| mean.abs() < 1e-9), "{mean:?}");
            }
            if position.turn() == Turn::Chance {
                position.roll(&mut rng);
            } else {
                position.play(eager(&position, &mut buffer));
            }
        }
    }
    assert!(draws > 20 && deals > 3, "{draws} draws and {deals} deals that surprise");
}

/// A fair player is charged nothing on average over whole games with the full deck, for any feature, and so for the fitted penalty.
#[test]
fn fair_play_pays_nothing_on_average() {
    const GAMES: usize = 400;
    let (weights, mut redeals) = (fitted(), 0);
    let mut sums = vec![[0.0; 2 * N + 1]; GAMES];
    for (game, sums) in sums.iter_mut().enumerate() {
        let mut rng = stream(34, game as u64, Role::Deal);
        let mut position = Verslun::deal(&Rules::default(), &mut rng);
        let mut buffer = Vec::new();
        while position.turn() != Turn::Over {
            if position.turn() != Turn::Chance {
                position.play(eager(&position, &mut buffer));
                continue;
            }
            let before = position.clone();
            let outcome = position.roll(&mut rng);
            let (case, surprise) = surprise(&before, &outcome, game as u64);
            let dealt = matches!(outcome, Chance::Deal { .. });
            redeals += u32::from(dealt);
            for i in 0..N {
                sums[i + N * usize::from(dealt)] += surprise[i];
                sums[2 * N] += surprise[i] * weights[case][i];
            }
        }
    }
    assert!(redeals > 800, "{redeals}");
    for i in 0..=2 * N {
        let mean = sums.iter().map(|sum| sum[i]).sum::<f64>() / GAMES as f64;
        let square = sums.iter().map(|sum| (sum[i] - mean).powi(2)).sum::<f64>() / GAMES as f64;
        assert!(mean.abs() < 4.0 * (square / GAMES as f64).sqrt() + 1e-9, "{i}: {mean} with {square}");
    }
}

/// The search agrees with brute force over every move, whatever the weights: nothing that it leaves out matters for
/// points less penalties either.
#[test]
fn the_search_agrees_with_brute_force() {
    let mut rng = Rng::new(32);
    let (mut settled, mut changed) = (0, 0);
    for case in 0..60 {
        // Every fourth time cards pair by more than their suits, and there are more ways.
        let other = case % 4 == 3;
        let rules = Rules {
            columns: 1 + case % 3,
            hand: 4 + case / 30 * u8::from(!other),
            aces_wild: other && case % 8 == 3,
            matching: if other && case % 8 == 7 { Match::SuitOrRank } else { Match::Suit },
            ..Rules::default()
        };
        let cards = rules.laid_out() + rng.random_range(5..=if other { 13 } else { 18 });
        let deal = deal(&rules, cards, &mut rng);
        let weights = weights(&mut rng, [0.0, 4.0, 40.0][usize::from(case) / 3 % 3]);
        let mut seen = HashMap::new();
        let mut price = |before: &Verslun, outcome: &Chance| {
            let (case, surprise) = surprise(before, outcome, 0);
            surprise.iter().zip(&weights[case]).map(|(f, w)| f * w).sum()
        };
        let expected = brute_force(&deal, &mut price, &mut seen);
        let mut relaxed = Relaxation::new(Arc::new(weights));
        let mut line = Vec::new();
        let found = relaxed.line(&rules, &deal, 0, &mut line);
        // A fair player draws at first; who stays has nothing, which is never the most.
        assert!(
            (found - expected.max(0.0)).abs() < 1e-9,
            "{found} is not {expected}: {rules:?} {:?}",
            deal.deck()
        );
        assert_eq!(relaxed.value(&rules, &deal, 0), found);
        settled += 1;
        changed += u32::from(line.iter().any(|(_, surprise)| surprise.iter().any(|f| f.abs() > 1e-6)));
    }
    assert!(settled == 60 && changed > 40, "{changed}");
}

/// All orders of the pile of a mini-deck.
fn orders(deck: &[Card], laid_out: usize) -> Vec<Vec<Card>> {
    let mut all = vec![deck[..laid_out].to_vec()];
    for _ in laid_out..deck.len() {
        let longer = all.iter().flat_map(|order| {
            let rest = deck.iter().filter(|card| !order.contains(card));
            rest.map(|&card| order.iter().copied().chain([card]).collect())
        });
        all = longer.collect();
    }
    all
}

/// Weak duality where everything is known: over all 720 orders of a pile the mean of the bound is not below what fair play
/// can expect, with any weights; without a penalty it is what the clairvoyant reaches. With the exact value of fair
/// play as the penalty it is tight, on every single deal.
#[test]
fn the_bound_holds_and_the_exact_value_is_tight() {
    let mut rng = Rng::new(33);
    let mut wide = 0.0;
    for case in 0..6 {
        let rules = Rules { columns: 2, hand: 4, ..Rules::default() };
        let start = deal(&rules, 14, &mut rng);
        let mut values = HashMap::new();
        let exact = fair(&start, &mut values);
        let orders = orders(&start.deck(), 8);
        assert_eq!(orders.len(), 720);
        let deals: Vec<Verslun> =
            orders.iter().map(|deck| Verslun::from_deck(&rules, deck).unwrap()).collect();
        let bound = |weights: Weights| {
            let mut relaxed = Relaxation::new(Arc::new(weights));
            deals.iter().map(|deal| relaxed.value(&rules, deal, 0)).sum::<f64>() / deals.len() as f64
        };
        let free = bound([[0.0; N]; CASES]);
        assert!(free >= exact - 1e-9);
        wide += free - exact;
        for size in [1.0, 10.0, 50.0] {
            let bound = bound(weights(&mut rng, size));
            assert!(bound >= exact - 1e-9, "{bound} is below {exact}");
        }
        assert!(bound(*fitted()) >= exact - 1e-9);
        for deal in deals.iter().skip(case).step_by(36) {
            let mut price = |before: &Verslun, outcome: &Chance| {
                let mut next = before.clone();
                next.play_chance(*outcome);
                fair(&next, &mut values) - fair(before, &mut values)
            };
            let tight = brute_force(deal, &mut price, &mut HashMap::new());
            assert!((tight - exact).abs() < 1e-9, "{tight} is not {exact}");
        }
    }
    assert!(wide > 0.2, "the clairvoyant must be ahead of fair play for this to tell: {wide}");
}

/// The file of weights names cases and features that there are, and the fitted penalty does what it is for.
#[test]
fn the_fitted_penalty_lowers_the_bound() {
    let text = include_str!("../models/verslun-penalty.toml");
    let file: toml::Table = toml::from_str(text).unwrap();
    for (case, row) in file["weights"].as_table().unwrap() {
        assert!((0..CASES).any(|known| case_name(known) == *case), "{case}");
        assert!(row.as_table().unwrap().keys().all(|name| FEATURES.contains(&name.as_str())));
    }
    let rules = Rules::default();
    let mut bounder = (bounding(&rules).bounder)();
    let (mut gain, mut most) = (0.0, f64::MIN);
    for seed in 0..12 {
        let deal = deal(&rules, 52, &mut Rng::new(seed));
        let found = bounder.bound(&rules, &deal, &mut Rng::new(0));
        gain += (found.clairvoyant - found.bound) / 12.0;
        most = most.max(found.bound);
    }
    assert!(gain > 8.0 && most < f64::from(ALL_POINTS), "{gain}");
}

/// What cannot be decided with so few nodes is bounded from above all the same, and not taken for nothing.
#[test]
fn undecided_deals_have_a_bound() {
    let rules = Rules { columns: 6, ..Rules::default() };
    let dealt = deal(&rules, 52, &mut Rng::new(3));
    let [few, enough] =
        [10, u64::MAX].map(|budget| Bounder::new(budget).bound(&rules, &dealt, &mut Rng::new(0)));
    let (_, most) = Verslun::score_range(&rules).unwrap();
    assert!(few.bound == few.clairvoyant && few.bound <= most as f64, "{few:?}");
    assert!(enough.bound < few.bound, "{enough:?}");
    let (mut exact, mut closer) = ((objectives()[0].solver)(), 0);
    for rules in many_rules() {
        let cards = (rules.laid_out() + 12).min(52);
        let dealt = deal(&rules, cards, &mut Rng::new(36));
        let mut within = |budget| exact.solve(&rules, &dealt, budget).bound.unwrap();
        let (bound, best) = (within(0), within(20_000));
        let (_, most) = Verslun::score_range(&rules).unwrap();
        assert!(best <= bound && bound <= most, "{rules:?}: {best}, {bound}, {most}");
        closer += u32::from(bound < most);
    }
    assert!(closer > 10, "{closer}");
}

/// Every rule is served, by a penalty where it lowers the bound, and no bound is far beyond what the cards can score.
#[test]
fn every_rule_has_a_bound() {
    let (mut bounder, mut sum) = ((bounding(&Rules::default()).bounder)(), 0.0);
    for rules in many_rules() {
        assert!((bounding(&rules).check)(&rules).is_ok());
        let cards = (rules.laid_out() + 24).min(52);
        let found = bounder.bound(&rules, &deal(&rules, cards, &mut Rng::new(35)), &mut Rng::new(0));
        assert!(found.bound >= 0.0 && found.bound < f64::from(ALL_POINTS) + 50.0, "{rules:?}: {found:?}");
        let has_one = rules.matching == Match::Suit && rules.columns <= 5;
        assert_eq!(bounding(&rules).method.contains("penalty"), has_one, "{rules:?}");
        sum += found.bound;
    }
    assert!(sum > 1_000.0, "{sum}");
    let mut gain = |rules: Rules| {
        let each = (0..3).map(|seed| {
            let found = bounder.bound(&rules, &deal(&rules, 52, &mut Rng::new(seed)), &mut Rng::new(seed));
            found.clairvoyant - found.bound
        });
        each.sum::<f64>() / 3.0
    };
    assert!(gain(Rules { aces_wild: true, ..Rules::default() }) > 1.0);
    // Few cards are left after a large first hand. Beside wild aces only few columns or a small hand leave the search for a
    // penalty short.
    let none = [(false, 6, 5), (false, 4, 17), (false, 3, 20), (true, 4, 8), (true, 5, 7)];
    let some = [(false, 4, 16), (false, 2, 20), (true, 1, 8), (true, 2, 10)];
    for (aces_wild, columns, hand) in none.into_iter().chain(some) {
        let rules = Rules { aces_wild, columns, hand, ..Rules::default() };
        let (gain, has_one) = (gain(rules), some.contains(&(aces_wild, columns, hand)));
        assert!(if has_one { gain > 0.0 } else { gain == 0.0 }, "{rules:?}: {gain}");
        assert_eq!(bounding(&rules).method.contains("penalty"), has_one, "{rules:?}");
    }
}
