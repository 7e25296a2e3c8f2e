//! Exact answers against brute force over every single move, and against each other.

use super::*;
use crate::dungeon::clairvoyant::end_game::DungeonSolver;
use crate::dungeon::clairvoyant::{DungeonDeals, objectives};
use knave_agents::{Answer, DealSolver, EndGameSolver as _, Solution, Verdict, verdict};
use std::collections::HashMap;

fn solver(objective: &str) -> Box<dyn DealSolver<Dungeon>> {
    let found = objectives().into_iter().find(|other| other.name == objective).unwrap();
    (found.solver)()
}

fn solve(solver: &mut dyn DealSolver<Dungeon>, deal: &Dungeon) -> Answer<Dungeon> {
    solver.solve(&deal.board.rules, deal, u64::MAX)
}

fn value(answer: &Answer<Dungeon>) -> Option<i64> {
    match verdict(answer.reached, answer.bound) {
        Verdict::Solved(value) => Some(value),
        Verdict::Unsolvable => None,
        Verdict::Undecided => panic!("undecided without a budget"),
    }
}

/// A deal with these rules of a deck of the first `cards` cards in an order drawn from `rng`.
fn deal(rules: Rules, cards: usize, rng: &mut Rng) -> Dungeon {
    let mut deck = DECK;
    deck.shuffle(rng);
    Dungeon::from_deck(&rules, &deck[..cards]).unwrap()
}

fn with_health(deal: &Dungeon, health: u8) -> Dungeon {
    Dungeon::from_deck(&Rules { health, ..deal.board.rules }, &deal.deck()).unwrap()
}

/// The best score by single moves, every one of them tried in every position that differs in anything; nothing
/// when there are more than `most` positions.
fn best_score(position: &Dungeon, most: usize) -> Option<i64> {
    search(position, most, &mut HashMap::new())
}

type Seen = HashMap<(Board, Vec<Card>), i64>;

fn search(position: &Dungeon, most: usize, seen: &mut Seen) -> Option<i64> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    if position.turn() == Turn::Over {
        return Some(position.score(0));
    }
    let key = (position.board, position.pile.order());
    if let Some(&best) = seen.get(&key) {
        return Some(best);
    }
    let mut best = i64::MIN;
    if moves.is_empty() {
        let mut next = position.clone();
        next.roll(&mut Rng::new(1));
        best = search(&next, most, seen)?;
    }
    for m in moves {
        let mut next = position.clone();
        next.play(m);
        best = best.max(search(&next, most, seen)?);
    }
    seen.insert(key, best);
    (seen.len() <= most).then_some(best)
}

/// Plays the line of an answer to its end.
fn replay(deal: &Dungeon, answer: &Answer<Dungeon>) -> Dungeon {
    let line = answer.line.as_ref().unwrap();
    line.replay(Dungeon::from_deck(&line.rules, &deal.deck()).unwrap()).unwrap()
}

/// Checks all three objectives of a deal against its best score by brute force, and their lines.
fn agrees(deal: &Dungeon, expected: i64) {
    let score = solve(&mut *solver("score"), deal);
    assert_eq!(value(&score), Some(expected), "{deal:?}");
    assert_eq!(replay(deal, &score).score(0), expected);
    let win = solve(&mut *solver("win"), deal);
    assert_eq!(value(&win), (expected > 0).then_some(1), "{deal:?}");
    assert_eq!(win.line.is_some(), expected > 0);
    if expected > 0 {
        assert!(replay(deal, &win).won(0));
    }
}

/// Small decks under every option: best scores, wins and deaths, agree with brute force over every move. The
/// smallest health wins by brute force, and one less does not.
#[test]
fn small_decks_agree_with_brute_force() {
    let mut rng = Rng::new(14);
    let (mut wins, mut ceilings) = (0, 0);
    let cases = 300;
    for case in 0..cases {
        let rules = Rules {
            weapon_limit: [WeaponLimit::AtMost, WeaponLimit::Below][case % 2],
            unfaced: [Unfaced::PileAndRoom, Unfaced::Pile][case / 2 % 2],
            health: rng.random_range(1..=24),
            ..Rules::default()
        };
        let cards = rng.random_range(1..=8);
        let deal = deal(rules, cards, &mut rng);
        let expected = best_score(&deal, usize::MAX).unwrap();
        agrees(&deal, expected);
        wins += u32::from(expected > 0);
        ceilings += u32::from(expected > i64::from(rules.health));
        let health = solve(&mut *solver("health"), &deal);
        let least = value(&health).unwrap();
        let wins_with = |health: i64| best_score(&with_health(&deal, health as u8), usize::MAX).unwrap() > 0;
        assert!(wins_with(least) && (least == 1 || !wins_with(least - 1)), "{least} for {deal:?}");
        assert!(replay(&deal, &health).won(0));
    }
    assert!((50..250).contains(&wins) && ceilings > 20, "{wins} wins, {ceilings} with a last potion");
}

/// A player who is after the score is told the best one there is, and how to get it, from the deal or in the middle
/// of a game; with too few nodes nothing is claimed.
#[test]
fn the_solver_in_play_finds_the_best_score() {
    let mut rng = Rng::new(18);
    let (mut wins, mut deaths, mut undecided) = (0, 0, 0);
    for case in 0..150 {
        let rules = Rules {
            objective: Aim::Score,
            unfaced: [Unfaced::PileAndRoom, Unfaced::Pile][case % 2],
            health: rng.random_range(1..=20),
            ..Rules::default()
        };
        let cards = rng.random_range(1..=9);
        let mut position = deal(rules, cards, &mut rng);
        for _ in 0..case % 4 {
            if position.turn() == Turn::Chance {
                position.roll(&mut rng);
            } else if let Turn::Player(_) = position.turn() {
                let m = position.random_move(&mut Vec::new(), &mut rng);
                position.play(m);
            }
        }
        if position.turn() == Turn::Over {
            continue;
        }
        let best = best_score(&position, usize::MAX).unwrap();
        let mut solver = DungeonSolver::default();
        let mut line = Vec::new();
        undecided += u32::from(solver.solve(&position, 1, &mut line) == Solution::Undecided);
        let Solution::Value(value) = solver.solve(&position, u64::MAX, &mut line) else {
            panic!("undecided without a budget");
        };
        assert_eq!(solver.value(&position, u64::MAX), Solution::Value(value));
        let mut moves = line.iter();
        while position.turn() != Turn::Over {
            if let Turn::Player(_) = position.turn() {
                position.try_play(*moves.next().unwrap()).unwrap();
            } else {
                position.roll(&mut rng);
            }
        }
        assert_eq!(position.score(0), best);
        assert_eq!(position.utility(0), value);
        (wins, deaths) = (wins + u32::from(best > 0), deaths + u32::from(best < 0));
    }
    assert!(wins > 20 && deaths > 20 && undecided > 20, "{wins} won, {deaths} lost, {undecided} undecided");
}

/// Larger decks as far as brute force can settle them: whole ones of players who die soon, and halves of them.
#[test]
fn large_decks_agree_with_brute_force() {
    let mut rng = Rng::new(15);
    let (mut whole, mut wins) = (0, 0);
    for case in 0..36 {
        let cards = [44, 44, 14][case % 3];
        let rules = Rules {
            weapon_limit: [WeaponLimit::AtMost, WeaponLimit::Below][case % 2],
            unfaced: [Unfaced::PileAndRoom, Unfaced::Pile][case / 2 % 2],
            health: if cards == 44 { 1 + (case / 6) as u8 } else { rng.random_range(8..=20) },
            ..Rules::default()
        };
        let deal = deal(rules, cards, &mut rng);
        if let Some(expected) = best_score(&deal, 100_000) {
            agrees(&deal, expected);
            whole += u32::from(cards == 44);
            wins += u32::from(expected > 0);
        }
    }
    assert!(whole >= 10 && wins >= 3, "{whole} whole decks settled, {wins} wins");
}

/// The answers to different questions about a deal fit together: more health never hurts, the stricter limit of
/// weapons never helps, and the objectives agree with each other.
#[test]
fn answers_fit_together() {
    let mut rng = Rng::new(16);
    let [mut win, mut score, mut health] = ["win", "score", "health"].map(solver);
    let (mut lost, mut strict) = (0, 0);
    for case in 0..60 {
        let deal = deal(Rules::default(), [12, 16, 20][case % 3], &mut rng);
        let least = value(&solve(&mut *health, &deal)).unwrap();
        let mut before = i64::MIN;
        for tried in [1, 3, 5, 8, 12, 20] {
            let deal = with_health(&deal, tried);
            let best = value(&solve(&mut *score, &deal)).unwrap();
            assert!(best >= before, "more health scored less: {deal:?}");
            before = best;
            let wins = value(&solve(&mut *win, &deal)).is_some();
            assert_eq!(wins, best > 0, "{deal:?}");
            assert_eq!(wins, i64::from(tried) >= least, "{deal:?}");
            let rules = Rules { weapon_limit: WeaponLimit::Below, ..deal.board.rules };
            let below = Dungeon::from_deck(&rules, &deal.deck()).unwrap();
            let below = value(&solve(&mut *score, &below)).unwrap();
            assert!(below <= best, "a stricter limit scored more: {deal:?}");
            lost += u32::from(!wins);
            strict += u32::from(below < best);
        }
    }
    assert!(lost > 50 && strict > 10, "{lost} lost, {strict} worse below: the cases must tell");
}

/// Best first, given room for all, and depth first alone find the same. The decks are long enough for many orders of
/// play to meet in one position, and about as many are won as not.
#[test]
fn both_searches_agree() {
    let mut rng = Rng::new(17);
    let score: fn(&mut _, &_) -> _ = DungeonDeals::score;
    for (find, cards, cases) in [(score, 16, 40), (DungeonDeals::win, 44, 80)] {
        let mut best_first = DungeonDeals::new(find).with_capacity(1 << 20);
        let mut depth_first = DungeonDeals::new(find).with_capacity(1);
        let mut won = 0;
        for case in 0..cases {
            let rules = Rules { health: [6, 7, 8, 9][case % 4], ..Rules::default() };
            let deal = deal(rules, cards, &mut rng);
            let (first, second) = (solve(&mut best_first, &deal), solve(&mut depth_first, &deal));
            assert_eq!(value(&first), value(&second), "{deal:?}");
            if second.line.is_some() {
                let end = replay(&deal, &second);
                assert!(end.won(0) || value(&second) == Some(end.score(0)));
                won += usize::from(end.won(0));
            }
        }
        assert!((cases / 10..cases - cases / 10).contains(&won), "{won} of {cases} won");
    }
}

/// Protects the promise that results do not depend on which worker solved a deal: a used solver visits the same
/// nodes as a fresh one. And that a budget never makes an answer wrong, only wider.
#[test]
fn answers_depend_on_the_deal_alone() {
    for objective in ["win", "score", "health"] {
        let mut rng = Rng::new(18);
        let mut used = solver(objective);
        for case in 0..12 {
            let rules = Rules { health: [6, 20][case % 2], ..Rules::default() };
            let deal = deal(rules, 16, &mut rng);
            let exact = solve(&mut *used, &deal);
            let fresh = solve(&mut *solver(objective), &deal);
            assert_eq!((exact.reached, exact.bound, exact.nodes), (fresh.reached, fresh.bound, fresh.nodes));
            for budget in [1, 10, 100, exact.nodes, exact.nodes - 1] {
                let within = used.solve(&rules, &deal, budget);
                assert!(within.nodes <= budget);
                let sense = objectives().into_iter().find(|other| other.name == objective).unwrap().sense;
                if let (Some(reached), Some(best)) = (within.reached, exact.reached) {
                    assert!(sense.at_least(best, reached));
                }
                if let (Some(bound), Some(best)) = (within.bound, exact.reached) {
                    assert!(sense.at_least(bound, best));
                }
                assert!(within.reached.is_none() || exact.reached.is_some());
                assert!(within.bound.is_some() || exact.bound.is_none());
                let decided = verdict(within.reached, within.bound) != Verdict::Undecided;
                assert_eq!(decided, budget >= exact.nodes, "{objective} in {budget} of {}", exact.nodes);
            }
        }
    }
}

/// Deals that no health wins are unsolvable for the objective health. No such deal of the whole deck is known; here
/// the ceiling of the search is what the rules allow at most, so a lone monster shows that small answers are right.
#[test]
fn the_smallest_health_of_plain_decks() {
    let least = |deck: &str| {
        let cards: Vec<Card> = deck.split(' ').map(|card| card.parse().unwrap()).collect();
        let deal = Dungeon::from_deck(&Rules::default(), &cards).unwrap();
        value(&solve(&mut *solver("health"), &deal))
    };
    assert_eq!(least("2H"), Some(1));
    assert_eq!(least("9C"), Some(10));
    assert_eq!(least("AC AS"), Some(29));
    assert_eq!(least("TD AC AS"), Some(9));
    // Without weapons and potions the deck's monsters cost more than the rules allow.
    let monsters = DECK.iter().filter(|&&card| kind(card) == CardKind::Monster).map(ToString::to_string);
    assert_eq!(least(&monsters.collect::<Vec<_>>().join(" ")), None);
}

/// What has no exact answer is refused with the option that stands against it.
#[test]
fn shuffled_avoiding_has_no_exact_answer() {
    let rules = Rules { avoid_order: AvoidOrder::Shuffled, ..Rules::default() };
    for objective in objectives() {
        assert!((objective.check)(&Rules::default()).is_ok());
        let message = (objective.check)(&rules).unwrap_err().to_string();
        assert!(message.contains("avoid_order=shuffled is refused"), "{message}");
    }
}
