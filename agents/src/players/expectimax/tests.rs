//! Tests of `expectimax`: exact answers on toys, and its limits.

use super::*;
use crate::evaluator::Evaluator;
use crate::options;
use crate::rng::{Role, stream};
use crate::toys::ladder::{Ladder, Rules};
use crate::toys::pig::{Exact, Move, Pig};
use crate::toys::tree::Tree;
use std::sync::Arc;

fn agent<G: Tools + EnumerableChance>(rules: &G::Rules, text: &str) -> ExpectimaxSearch<G> {
    let given = options::fields("agent", text.split(',')).unwrap();
    let options = options::read("agent", &given).unwrap();
    ExpectimaxSearch::configure(&options, &Setup::new("expectimax", &G::kit(rules), rules)).unwrap()
}

/// The value of a position by the search, and the nodes that it took.
fn search<G: Tools + EnumerableChance>(agent: &mut ExpectimaxSearch<G>, position: &G) -> (Values, u64) {
    agent.left = agent.options.nodes;
    agent.table.clear();
    agent.seed = 1;
    let values = agent.value(position, agent.options.depth, 0);
    (values, agent.options.nodes - agent.left)
}

fn agree(found: f64, exact: f64, what: &str) {
    assert!((found - exact).abs() < 1e-9, "{what}: {found}, exactly {exact}");
}

#[test]
fn trees_are_valued_exactly() {
    for text in [
        "0[50 c[1:0 1:90] c[1:20 3:70]]",
        "0[0[10 100 10] c[1:50 1:50]]",
        "0[1[90/10 20/80] 1[50/50 60/40]]",
        "0[1[2[60/20/20 0/0/100] 30/60/10] 2[40/30/30 20/20/60]]",
        "c[2:0[10/90 1[c[3:0/100 1:100/0] 30/20]] 3:1[0[20/80 40/60] 90/10]]",
    ] {
        let tree = Tree::new(text);
        for steps in ["moves", "turns"] {
            let options = format!("depth=10,leaf=none,steps={steps}");
            let (found, _) = search(&mut agent(tree.shape(), &options), &tree);
            for (seat, exact) in tree.exact().into_iter().enumerate() {
                agree(found[seat], exact, &format!("{text}, {steps}, seat {seat}"));
            }
        }
    }
}

/// With perfect values at the edge every depth is exact, at decisions and at the die; the table
/// changes nothing but the number of nodes.
#[test]
fn pig_is_valued_exactly() {
    const TARGET: u8 = 12;
    let exact = Exact::new(TARGET);
    for depth in 1..=3 {
        let mut plain = agent(&TARGET, &format!("depth={depth},leaf=exact,table=0"));
        let mut kept = agent(&TARGET, &format!("depth={depth},leaf=exact"));
        for (scores, seat, gathered) in [([0, 0], 0, 0), ([7, 3], 1, 4), ([11, 11], 0, 1), ([2, 10], 0, 9)] {
            let mut position = Pig::at(TARGET, scores, seat, gathered);
            for _ in 0..2 {
                let (found, nodes) = search(&mut plain, &position);
                agree(found[0], exact.win(&position, 0), &format!("{position:?}, depth {depth}"));
                agree(found[1], exact.win(&position, 1), &format!("{position:?}, depth {depth}"));
                let (same, fewer) = search(&mut kept, &position);
                agree(same[seat], found[seat], "with the table");
                assert!(fewer <= nodes, "the table costs nodes: {fewer}, without {nodes}");
                position.play(Move::Roll);
            }
        }
    }
}

/// The heuristic values at the edge are backed up exactly: compared with a plain recursion.
#[test]
fn depth_limited_values_are_backed_up() {
    fn plain(position: &Pig, depth: u32, evaluator: &dyn Evaluator<Pig>) -> f64 {
        match position.turn() {
            Turn::Over => position.utility(0),
            _ if depth == 0 => evaluator.value(position, 0),
            Turn::Player(seat) => {
                let mut moves = Vec::new();
                position.moves(&mut moves);
                let values = moves.iter().map(|&m| plain(&played(position, &[m]), depth - 1, evaluator));
                if seat == 0 { values.fold(0.0, f64::max) } else { values.fold(1.0, f64::min) }
            }
            _ => {
                let after = |die| {
                    let mut next = *position;
                    next.play_chance(die);
                    plain(&next, depth, evaluator)
                };
                (1..=6).map(after).sum::<f64>() / 6.0
            }
        }
    }
    let lead = Pig::kit(&12).find_evaluator("lead", &12).unwrap();
    for depth in 1..=4 {
        let position = Pig::at(12, [3, 5], 1, 2);
        let (found, _) = search(&mut agent(&12, &format!("depth={depth}")), &position);
        agree(found[0], plain(&position, depth, &*lead), &format!("depth {depth}"));
    }
}

#[test]
fn ladder_is_valued_exactly() {
    for (cards, shuffled) in [(4, false), (4, true), (6, false)] {
        let rules = Rules { cards, shuffled };
        for options in ["steps=turns", "steps=moves", "solver_nodes=0", "table=0", "steps=moves,table=5"] {
            let options = format!("depth=40,leaf=none,nodes=100000000,{options}");
            let mut agent = agent(&rules, &options);
            let start = Ladder::deal(&rules, &mut stream(1, 0, Role::Deal));
            let (found, _) = search(&mut agent, &start);
            agree(found[0], start.exact(), &format!("{rules:?}, {options}"));
        }
    }
}

/// Sampled events are unbiased: over 400 seeds the mean of a sampled expectation agrees with the
/// exact one within 4 standard errors, and one seed draws the same samples twice.
#[test]
fn sampling_is_unbiased_and_repeatable() {
    let rules = Rules { cards: 6, shuffled: false };
    let mut agent = agent::<Ladder>(&rules, "depth=1,leaf=exact,enumerate=0,samples=2,solver_nodes=0");
    let start = Ladder::deal(&rules, &mut stream(1, 0, Role::Deal));
    let (mut sum, mut squares, runs) = (0.0, 0.0, 400.0);
    for seed in 0..400 {
        let run = |agent: &mut ExpectimaxSearch<Ladder>| {
            agent.left = 1000;
            agent.table.clear();
            agent.seed = seed;
            agent.value(&start, 1, 0)[0]
        };
        let value = run(&mut agent);
        assert_eq!(value.to_bits(), run(&mut agent).to_bits(), "seed {seed}");
        sum += value;
        squares += value * value;
    }
    let (mean, exact) = (sum / runs, start.exact());
    let error = ((squares / runs - mean * mean) / runs).sqrt();
    assert!(error > 0.0 && (mean - exact).abs() < 4.0 * error, "{mean} ± {error}, exactly {exact}");
}

/// Two sampled events in a row draw numbers of their own: where a fair coin decides whether the next one is turned, the game is
/// even.
#[test]
fn events_in_a_row_are_independent() {
    let tree = Tree::new("c[1:c[1:100 1:0] 1:c[1:0 1:100]]");
    let mut agent = agent::<Tree>(tree.shape(), "enumerate=0,samples=1,leaf=none");
    let runs = 400_u32;
    let sum: f64 = (0..runs)
        .map(|seed| {
            agent.left = 1000;
            agent.table.clear();
            agent.seed = u64::from(seed);
            agent.value(&tree, 1, 0)[0]
        })
        .sum();
    // The standard error of the mean of 400 fair coins is 1/40.
    assert!((sum / f64::from(runs) - 0.5).abs() < 0.1, "{sum} of {runs}");
}

/// A search at the root of a game: the values of the candidates, and the worlds that were drawn.
fn decide<G: Tools + EnumerableChance>(agent: &mut ExpectimaxSearch<G>, start: &G, seed: u64) -> Vec<f64> {
    let Turn::Player(seat) = start.turn() else { return Vec::new() };
    (agent.seat, agent.seed, agent.left) = (seat, seed, agent.options.nodes);
    agent.table.clear();
    agent.race.begin(agent.options.prior_samples, agent.options.drop_z > 0.0);
    agent.lines.clear();
    agent.afters.clear();
    agent.collect(start, &mut Vec::new(), agent.options.depth);
    agent.run(&start.view(seat));
    (0..agent.lines.len()).map(|i| agent.race.value(i)).collect()
}

/// A ladder of six cards, at the first decision.
fn first_decision() -> (Rules, Ladder) {
    let rules = Rules { cards: 6, shuffled: false };
    let mut rng = stream(1, 0, Role::Deal);
    let mut start = Ladder::deal(&rules, &mut rng);
    while !matches!(start.turn(), Turn::Player(_)) {
        start.roll(&mut rng);
    }
    (rules, start)
}

/// A margin as wide as the values prunes nothing: the search is as exact with the evaluator asked as without.
#[test]
fn a_wide_margin_changes_no_value() {
    let (rules, start) = first_decision();
    for options in ["steps=moves,leaf=exact", "steps=turns,leaf=score,prior_samples=5", "leaf=score,drop_z=3"]
    {
        for margin in ["margin=1", "margin=0.999999"] {
            let options = format!("depth=40,nodes=100000000,solver_nodes=0,{options},{margin}");
            let mut agent = agent::<Ladder>(&rules, &options);
            let best = decide(&mut agent, &start, 1).into_iter().fold(0.0, f64::max);
            agree(best, start.exact(), &options);
        }
    }
    for text in ["0[50 c[1:0 1:90] c[1:20 3:70]]", "0[1[2[60/20/20 0/0/100] 30/60/10] 2[40/30/30 20/20/60]]"]
    {
        let tree = Tree::new(text);
        let (found, _) = search(&mut agent(tree.shape(), "depth=10,leaf=blind,margin=0.999999"), &tree);
        agree(found[0], tree.exact()[0], text);
    }
}

/// Lines go on while there are fewer candidates than nodes, so a decision with many steps in a row does not take all memory.
#[test]
fn a_budget_bounds_the_candidates() {
    let tree = (0..3).fold("0".to_owned(), |tree, _| format!("0[{}]", [tree.as_str(); 4].join(" ")));
    let tree = Tree::new(&tree);
    for (nodes, candidates) in [(1000, 64), (10, 13), (1, 4)] {
        let options = format!("depth=9,steps=moves,leaf=blind,margin=0.999999,nodes={nodes}");
        assert_eq!(decide(&mut agent(tree.shape(), &options), &tree, 1).len(), candidates, "{nodes} nodes");
    }
}

/// A margin of 0 trusts the evaluator: one candidate is left, and no world is drawn.
#[test]
fn a_narrow_margin_prunes() {
    let (rules, start) = first_decision();
    let all = decide(&mut agent(&rules, "leaf=exact,enumerate=0,solver_nodes=0"), &start, 1).len();
    let mut agent = agent::<Ladder>(&rules, "leaf=exact,enumerate=0,solver_nodes=0,margin=0");
    let kept = decide(&mut agent, &start, 1).len();
    assert!(kept < all && agent.left == agent.options.nodes, "{kept} of {all}");
}

/// The evaluator's value in place of samples does not bias where it is right: over 400 seeds the mean value of
/// each candidate agrees with the exact one within 4 standard errors, sampled at the root and below.
#[test]
fn prior_samples_do_not_bias() {
    let (rules, start) = first_decision();
    let options = "enumerate=0,solver_nodes=0,leaf=exact,samples=4,prior_samples=4,depth=2,steps=turns";
    let mut agent = agent::<Ladder>(&rules, options);
    let count = decide(&mut agent, &start, 0).len();
    let (mut sums, runs) = (vec![(0.0, 0.0); count], 400.0);
    let exact: Vec<f64> = agent.afters.iter().map(Ladder::exact).collect();
    for seed in 0..400 {
        for (sum, value) in sums.iter_mut().zip(decide(&mut agent, &start, seed)) {
            *sum = (sum.0 + value, sum.1 + value * value);
        }
    }
    for ((sum, squares), exact) in sums.into_iter().zip(exact) {
        let mean = sum / runs;
        let error = ((squares / runs - mean * mean).max(0.0) / runs).sqrt();
        assert!((mean - exact).abs() < 4.0 * error + 1e-9, "{mean} ± {error}, exactly {exact}");
        assert!(error > 0.0 || exact == 1.0, "nothing is sampled");
    }
}

/// No more nodes than allowed, and with the edge valued perfectly a small budget is as good.
#[test]
fn the_budget_is_kept() {
    let exact = Exact::new(12);
    for nodes in [1, 2, 10, 1000] {
        let mut agent = agent(&12, &format!("depth=6,leaf=exact,table=0,nodes={nodes}"));
        let position = Pig::at(12, [5, 7], 0, 3);
        let (found, used) = search(&mut agent, &position);
        assert!(used <= nodes && (used > nodes / 2), "{used} of {nodes} nodes");
        agree(found[0], exact.win(&position, 0), "a cut search");
    }
}

/// A budget of few nodes is not spent before the candidates whose next event is sampled have had a world. The one whose event is
/// listed leaves them their shares.
#[test]
fn waiting_candidates_have_a_share() {
    let tree = Tree::new("0[c[1:0[10 30] 1:0[20 30]] c[1:0[80 90] 1:0[80 90] 1:0[70 90]]]");
    for nodes in [1, 2, 3, 100] {
        let options = format!("depth=3,leaf=exact,steps=moves,enumerate=2,samples=4,nodes={nodes}");
        let values = decide(&mut agent(tree.shape(), &options), &tree, 1);
        agree(values[0], 0.3, &options);
        agree(values[1], 0.9, &options);
    }
}

/// Once the budget is spent no further worlds are played, however many were asked for.
#[test]
fn a_spent_budget_ends_the_race() {
    let tree = Tree::new("0[c[1:0[10 30] 1:0[20 30]] c[1:0[80 90] 1:0[80 90] 1:0[70 90]]]");
    for (nodes, least, most) in [(1, 1, 2), (1_000_000, 5000, 5000)] {
        let mut agent = agent(
            tree.shape(),
            &format!("depth=3,leaf=exact,enumerate=0,samples=5000,drop_z=0,nodes={nodes}"),
        );
        decide(&mut agent, &tree, 1);
        assert!(
            (least..=most).contains(&agent.race.worlds()),
            "{} worlds with nodes={nodes}",
            agent.race.worlds()
        );
    }
}

/// Where the budget is spent, a decision that chance has led to is worth its best step. The evaluator is not asked about the
/// decision itself, for it values what a step leaves behind.
#[test]
fn spent_decisions_are_valued_by_their_best_step() {
    struct OfAfterstates;

    impl Evaluator<Tree> for OfAfterstates {
        fn value(&self, position: &Tree, seat: Seat) -> f64 {
            if matches!(position.turn(), Turn::Player(_)) { 0.0 } else { position.exact()[seat] }
        }
    }

    let tree = Tree::new("0[c[1:0[80 90] 1:0[70 90]] c[1:0[70 60] 3:0[70 50]]]");
    for options in ["enumerate=0", "enumerate=2", "enumerate=2,steps=moves", "enumerate=0,steps=moves"] {
        let mut agent = agent::<Tree>(tree.shape(), &format!("depth=3,leaf=none,nodes=1,{options}"));
        agent.valuer = Valuer::of(Some(Arc::new(OfAfterstates)), agent.options.steps, EndGame::new(None, 0));
        let values = decide(&mut agent, &tree, 1);
        agree(values[0], 0.9, options);
        agree(values[1], 0.7, options);
    }
}

/// Outcomes that are listed are kept in memory, so there are not more of them than fit.
#[test]
fn more_outcomes_than_can_be_listed_are_refused() {
    let read = |many: u64| {
        let given = options::fields("agent", [format!("enumerate={many}").as_str()]).unwrap();
        options::read::<Options>("agent", &given).map_err(|error| error.to_string())
    };
    assert_eq!(read(1_000_000).unwrap().enumerate, 1_000_000);
    for many in [1_000_001, u64::MAX] {
        let error = read(many).unwrap_err();
        assert!(error.contains("expected a whole number from 0 to 1000000"), "{error}");
    }
}

/// A small table is never outgrown.
#[test]
fn the_table_is_bounded() {
    let mut agent = agent(&12, "depth=5,table=50");
    search(&mut agent, &Pig::at(12, [5, 7], 0, 3));
    assert_eq!(agent.table.len(), 50);
}
