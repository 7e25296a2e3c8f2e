//! Every search against exact answers, where nothing is hidden or only the order of a deck.

use crate::{prepared, regret};
use knave_agents::game::MAX_SEATS;
use knave_agents::players::expectimax::Expectimax;
use knave_agents::rng::{Role, stream};
use knave_agents::toys::ladder::{Ladder, Rules};
use knave_agents::toys::pig::{Exact, Pig};
use knave_agents::toys::tree::Tree;
use knave_agents::{Decision, Entry, EnumerableChance, Game, Tools, Turn, Values, registry};
use rand::{Rng as _, RngExt as _};

fn entries<G: Tools + EnumerableChance>() -> Vec<Entry<G>> {
    let mut entries = registry::general();
    entries.push(Entry::of::<Expectimax<G>>());
    entries
}

/// Trees of one, two and three seats, with chance, and with moves of one seat in a row. Some are traps for
/// players that average over the others' moves. The best moves are worth at least 0.05 more than the others.
const TREES: [&str; 7] = [
    "0[50 c[1:0 1:90] c[1:20 3:70]]",
    "0[0[10 100 10] c[1:50 1:50]]",
    "0[c[1:0[0 0 90] 1:0[0 80]] 0[70 60] 75]",
    "0[1[90/10 20/80] 1[50/50 60/40]]",
    "0[1[0[100/0 0/100 0/100] 40/60] 1[0/100 100/0 100/0]]",
    "0[1[2[60/20/20 0/0/100] 30/60/10] 2[40/30/30 20/20/60]]",
    "c[1:0[c[1:1[100/0 0/100] 3:70/30] 45/55] 1:1[0[30/70 10/90] c[1:0/100 1:90/10]]]",
];

/// One step ahead `expectimax` is `greedy`, whether the events that follow the steps are listed, sampled, or some of both: a
/// candidate valued after its event cannot be compared with one valued before.
#[test]
fn one_step_of_expectimax_is_greedy() {
    let rules = Rules { cards: 6, shuffled: false };
    for steps in ["moves", "turns"] {
        let greedy = prepared(&entries(), &format!("greedy:solver_nodes=0,steps={steps}"), &rules);
        for enumerate in [0, 2, 10, 1_000_000] {
            let spec =
                format!("expectimax:depth=1,solver_nodes=0,steps={steps},enumerate={enumerate},samples=2");
            let expectimax = prepared(&entries(), &spec, &rules);
            for index in 0..40 {
                let mut position = Ladder::deal(&rules, &mut stream(8, index, Role::Deal));
                let mut rng = stream(8, index, Role::Chance);
                while position.turn() != Turn::Over {
                    if position.turn() == Turn::Chance {
                        position.roll(&mut rng);
                        continue;
                    }
                    let choose = |player: &registry::Prepared<Ladder>| {
                        let mut agent = player.make();
                        agent.begin_game();
                        agent.choose(Decision::new(&position, &[]), &mut stream(8, index, Role::Agent(0)))
                    };
                    assert_eq!(choose(&expectimax), choose(&greedy), "{spec}, game {index}");
                    let mut moves = Vec::new();
                    position.moves(&mut moves);
                    position.play(moves[rng.random_range(0..moves.len())]);
                }
            }
        }
    }
}

/// The regret of UCT vanishes, but slowly: a good move among bad neighbours has a low mean while they are
/// tried. So the trees are given 10,000 iterations and exploration 1.4.
#[test]
fn mcts_finds_the_best_move_of_every_tree() {
    for text in TREES {
        let tree = Tree::new(text);
        for options in [
            "steps=moves",
            "steps=turns",
            "steps=moves,reuse=false",
            "steps=moves,widen_alpha=1",
            "steps=moves,rollout=none,leaf=blind",
            "steps=moves,rollout=none,leaf=exact",
            "steps=moves,rollout=none,leaf=exact,width=2",
            "steps=moves,rollout=none,leaf=exact,prior_visits=20",
            "steps=moves,root=halving",
            "steps=moves,root=halving,rollout=none,leaf=blind",
            "steps=turns,rollout=greedy,leaf=exact",
            "solver_nodes=0",
        ] {
            let spec = format!("mcts:iterations=10000,c=1.4,{options}");
            let (lost, decisions) = regret(&entries(), &spec, tree.shape(), 5, &Tree::exact);
            assert!(decisions > 0 && lost < 1e-9, "{text}, {spec}: loses {lost} a game");
        }
    }
}

/// What `greedy` sees is perfect, so its play must be; `expectimax` needs no evaluator at all.
#[test]
fn perfect_knowledge_gives_perfect_play() {
    for text in TREES {
        let tree = Tree::new(text);
        for spec in [
            "greedy:evaluator=exact",
            // Nothing is left but the best step.
            "mcts:iterations=5,rollout=none,leaf=exact,width=1,steps=moves",
            "expectimax:depth=9,leaf=none",
            "expectimax:depth=9,leaf=none,steps=moves",
        ] {
            let (lost, _) = regret(&entries(), spec, tree.shape(), 8, &Tree::exact);
            assert!(lost < 1e-9, "{text}, {spec}: loses {lost} a game");
        }
    }
    for spec in ["greedy:evaluator=exact", "expectimax:leaf=exact", "expectimax:leaf=exact,nodes=20"] {
        let (lost, _) = regret(&entries(), spec, &TARGET, 20, &pig_values());
        assert!(lost < 1e-9, "pig, {spec}: loses {lost} a game");
    }
    for shuffled in [false, true] {
        let rules = Rules { cards: 4, shuffled };
        for spec in [
            "greedy:evaluator=exact",
            "expectimax:depth=20,leaf=none",
            "expectimax:depth=20,leaf=none,steps=moves,solver_nodes=0",
            "expectimax:leaf=exact,depth=1",
        ] {
            let (lost, _) = regret(&entries(), spec, &rules, 20, &ladder_values);
            assert!(lost < 1e-9, "ladder, {rules:?}, {spec}: loses {lost} a game");
        }
    }
}

/// `flat` maximises the value under random play: 0.4 against 0.5 here, though perfect play makes 1 of the
/// first. On whole turns the second move is its own again. 4,000 worlds put the gap of 0.1 at 0.1 / (0.42 /
/// sqrt(4000)) = 15 standard errors.
#[test]
fn flat_maximises_the_value_of_random_play() {
    let tree = Tree::new("0[0[10 100 10] c[1:50 1:50]]");
    let first = |steps: &str| {
        let spec = format!("flat:worlds=4000,steps={steps}");
        let mut agent = prepared(&entries(), &spec, tree.shape()).make();
        agent.begin_game();
        agent.choose(Decision::new(&tree, &[]), &mut stream(1, 0, Role::Agent(0)))
    };
    assert_eq!(first("moves"), 1);
    assert_eq!(first("turns"), 0);
    for text in [
        "0[1[90/10 20/80] 1[50/50 54/46]]",
        "0[c[1:0 2:90] c[1:20 3:66] 50]",
        "0[1[2[9/0/0 9/0/0] 1/0/0] 8/0/0]",
    ] {
        let tree = Tree::new(text);
        let best = (0..3)
            .filter(|&m| tree.is_legal(m))
            .max_by(|&a, &b| {
                let value = |m| {
                    let mut after = tree.clone();
                    after.play(m);
                    after.random()[0]
                };
                value(a).total_cmp(&value(b))
            })
            .unwrap();
        for spec in ["flat:worlds=4000,steps=moves", "flat:worlds=8000,steps=moves,halving=true"] {
            for seed in 0..5 {
                let mut agent = prepared(&entries(), spec, tree.shape()).make();
                let chosen = agent.choose(Decision::new(&tree, &[]), &mut stream(seed, 0, Role::Agent(0)));
                assert_eq!(chosen, best, "{text}, {spec}, seed {seed}");
            }
        }
    }
}

const TARGET: u8 = 10;

fn pig_values() -> impl Fn(&Pig) -> Values {
    let exact = Exact::new(TARGET);
    move |position| {
        let mut values = [0.0; MAX_SEATS];
        values[0] = exact.win(position, 0);
        values[1] = exact.win(position, 1);
        values
    }
}

/// Two seats and endless chance: the regret vanishes with the iterations.
#[test]
fn mcts_regret_vanishes_in_pig() {
    let exact = pig_values();
    let lost = |spec: &str| regret(&entries(), spec, &TARGET, 20, &exact).0;
    let random = lost("random");
    for options in [
        "reuse=true",
        "reuse=false",
        "widen_alpha=1",
        "root=halving",
        "rollout=none,leaf=lead",
        "rollout=none,leaf=exact",
    ] {
        let many = lost(&format!("mcts:iterations=2000,{options}"));
        assert!(many < 0.02 && many < 0.1 * random, "{options}: loses {many}, random play {random}");
    }
}

fn ladder_values(position: &Ladder) -> Values {
    let mut values = [0.0; MAX_SEATS];
    values[0] = position.exact();
    values
}

/// A hidden deck: no setting of `mcts` loses more than a hundredth a game, where random play loses
/// more than a tenth.
#[test]
fn mcts_regret_is_small_on_the_ladder() {
    let rules = Rules { cards: 6, shuffled: false };
    let lost = |spec: &str| regret(&entries(), spec, &rules, 15, &ladder_values).0;
    let random = lost("random");
    assert!(random > 0.1, "random play loses {random}");
    for options in [
        "steps=moves",
        "steps=turns",
        "reuse=false",
        "widen_alpha=1",
        "widen_k=4,widen_alpha=0.3",
        "rollout=greedy",
        "rollout=rule",
        "rollout=none,leaf=score",
        "rollout=none,leaf=exact",
        "rollout=none,leaf=exact,prior_visits=10",
        "rollout=none,leaf=score,paired=true",
        "rollout=none,leaf=score,paired=true,root=halving",
        "rollout=none,leaf=exact,root=halving,candidates=2",
        "paired=true",
    ] {
        let few = lost(&format!("mcts:iterations=1500,{options}"));
        assert!(few < 0.01, "{options}: loses {few} a game");
    }
    for shuffled in [false, true] {
        let rules = Rules { cards: 4, shuffled };
        for more in ["steps=moves", "steps=moves,paired=true", "steps=turns", "steps=turns,paired=true"] {
            let spec = format!("mcts:iterations=4000,c=1.4,solver_nodes=0,{more}");
            let (few, _) = regret(&entries(), &spec, &rules, 15, &ladder_values);
            assert!(few < 0.03, "{rules:?}, {spec}: loses {few} a game");
        }
    }
}

/// Priors may weigh as little as a number can, and with `c=0` nothing is explored: there is a candidate to visit all the same.
#[test]
fn the_lightest_priors_are_searched() {
    let rules = Rules { cards: 6, shuffled: false };
    for prior_visits in ["1e-310", "5e-324"] {
        let spec = format!("mcts:iterations=50,c=0,rollout=none,leaf=score,prior_visits={prior_visits}");
        let lost = |spec: &str| regret(&entries(), spec, &rules, 15, &ladder_values).0;
        assert!(lost(&spec) < lost("random"), "{spec}");
    }
}

/// Without the solver six cards are hard, whatever the exploration. Putting cards back pays three decisions
/// later, which the mean of few visits hides (the trap of Coquelin and Munos 2007). The regret is bounded by a
/// sixth of that of random play.
#[test]
fn mcts_without_the_solver_still_plays_well() {
    let rules = Rules { cards: 6, shuffled: false };
    let lost = |spec: &str| regret(&entries(), spec, &rules, 15, &ladder_values).0;
    let (few, random) = (lost("mcts:iterations=1500,solver_nodes=0"), lost("random"));
    assert!(few < random / 6.0, "loses {few}, random play {random}");
}

/// Late iterations are those of decisions with few hidden cards, and of no others.
#[test]
fn late_iterations_come_with_few_hidden_cards() {
    let rules = Rules { cards: 8, shuffled: false };
    let choice = |position: &Ladder, options: &str, index: u64| {
        let spec = format!("mcts:solver_nodes=0,rollout=none,leaf=score,steps=moves,{options}");
        let mut agent = prepared(&entries(), &spec, &rules).make();
        agent.begin_game();
        agent.choose(Decision::new(position, &[]), &mut stream(8, index, Role::Agent(0)))
    };
    let (mut few, mut many, mut differ) = (0, 0, [0, 0]);
    for index in 0..80 {
        let mut position = Ladder::deal(&rules, &mut stream(8, index, Role::Deal));
        let mut rng = stream(8, index, Role::Chance);
        while position.turn() != Turn::Over {
            if position.turn() == Turn::Chance {
                position.roll(&mut rng);
                continue;
            }
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let hidden = position.hidden();
            let chosen = choice(&position, "iterations=2,late_iterations=60,late_hidden=4", index);
            let (short, long) =
                (choice(&position, "iterations=2", index), choice(&position, "iterations=60", index));
            assert_eq!(chosen, if hidden <= 4 { long } else { short }, "game {index}, {hidden} hidden");
            // More iterations than that are not cut down.
            assert_eq!(long, choice(&position, "iterations=60,late_iterations=2,late_hidden=8", index));
            *(if hidden <= 4 { &mut few } else { &mut many }) += 1;
            differ[usize::from(hidden <= 4)] += usize::from(short != long);
            position.play(moves[rng.random_range(0..moves.len())]);
        }
    }
    assert!(few > 100 && many > 100 && differ.iter().all(|&n| n > 10), "{few}, {many}, {differ:?}");
}

/// With `min_z`, `flat` keeps to its policy where few worlds tell little, and improves on it with many worlds.
/// With a large `min_z` only what is better by the same in every world is changed.
#[test]
fn caution_keeps_to_the_policy_unless_the_worlds_tell_better() {
    let rules = Rules { cards: 6, shuffled: false };
    let lost = |spec: &str| regret(&entries(), spec, &rules, 40, &ladder_values).0;
    let flat = |options: &str| lost(&format!("flat:rollout=rule,solver_nodes=0,steps=moves,{options}"));
    let policy = lost("rule");
    let stubborn = flat("worlds=30,min_z=100");
    assert!(stubborn <= policy, "loses {stubborn}, the policy {policy}");
    let (bold, cautious) = (flat("worlds=3"), flat("worlds=3,min_z=2"));
    assert!(cautious < bold, "loses {cautious}, without {bold}");
    let improved = flat("worlds=300,min_z=2");
    assert!(improved < policy * 0.9, "loses {improved}, the policy {policy}");
}

/// Candidates that fall behind the policy's choice are dropped early: that costs little, and nothing at all where none falls so far
/// behind.
#[test]
fn dropping_what_falls_behind_loses_little() {
    let rules = Rules { cards: 6, shuffled: false };
    let lost = |spec: &str| regret(&entries(), spec, &rules, 40, &ladder_values).0;
    let flat = |drop_z: &str| {
        lost(&format!("flat:rollout=rule,solver_nodes=0,steps=moves,worlds=300,min_z=2,drop_z={drop_z}"))
    };
    let (policy, all) = (lost("rule"), flat("0"));
    assert_eq!(flat("100"), all);
    for few in [flat("1"), flat("2")] {
        assert!(few < (all + policy) / 2.0, "loses {few}, with all worlds {all}, the policy {policy}");
    }
}

/// The solver is asked first: once the deck is known, games end without loss, even for a search of one
/// iteration.
#[test]
fn the_solver_is_asked_first() {
    let rules = Rules { cards: 4, shuffled: false };
    for spec in ["mcts:iterations=1", "flat:worlds=1", "expectimax:depth=1,nodes=1"] {
        let mut solved = 0;
        for index in 0..20 {
            let mut position = Ladder::deal(&rules, &mut stream(6, index, Role::Deal));
            let mut rng = stream(6, index, Role::Chance);
            // Skip the first room, look at the second: now the whole deck is known.
            position.roll(&mut rng);
            position.play(0);
            position.roll(&mut rng);
            let value = position.exact();
            let mut agent = prepared(&entries(), spec, &rules).make();
            agent.begin_game();
            while position.turn() != Turn::Over {
                if position.turn() == Turn::Chance {
                    position.roll(&mut rng);
                } else {
                    let m = agent.choose(Decision::new(&position, &[]), &mut rng);
                    position.try_play(m).unwrap();
                }
            }
            assert!((position.utility(0) - value).abs() < 1e-12, "{spec}, game {index}");
            solved += 1;
        }
        assert_eq!(solved, 20);
    }
}

/// A forced move costs no search and no random number.
#[test]
fn a_single_move_costs_nothing() {
    let rules = Rules { cards: 4, shuffled: false };
    let mut position = Ladder::deal(&rules, &mut stream(1, 0, Role::Deal));
    let mut moves = Vec::new();
    position.roll(&mut stream(1, 0, Role::Chance));
    position.moves(&mut moves);
    position.play(moves[1]);
    position.moves(&mut moves);
    for spec in ["mcts", "mcts:rollout=none,leaf=score,solver_nodes=0", "flat", "expectimax"] {
        let mut agent = prepared(&entries(), spec, &rules).make();
        agent.begin_game();
        let mut rng = stream(1, 0, Role::Agent(0));
        assert_eq!(agent.choose(Decision::new(&position, &[]), &mut rng), moves[0], "{spec}");
        assert_eq!(rng.next_u64(), stream(1, 0, Role::Agent(0)).next_u64(), "{spec} used random numbers");
    }
}

/// Games must not depend on the games before: an agent that has played plays as a fresh one.
#[test]
fn begin_game_forgets_everything() {
    let rules = Rules { cards: 6, shuffled: false };
    let start = |index| {
        let mut position = Ladder::deal(&rules, &mut stream(7, index, Role::Deal));
        position.roll(&mut stream(7, index, Role::Chance));
        position
    };
    for spec in [
        "mcts:iterations=50",
        "mcts:iterations=50,paired=true",
        "flat:worlds=4",
        "flat:worlds=9,halving=true",
        "expectimax:samples=4,enumerate=3,depth=3",
    ] {
        let prepared = prepared(&entries(), spec, &rules);
        let mut worn = prepared.make();
        for index in 0..30 {
            let position = start(index);
            let mut fresh = prepared.make();
            let (mut a, mut b) = (stream(7, index, Role::Agent(0)), stream(7, index, Role::Agent(0)));
            worn.begin_game();
            fresh.begin_game();
            let chosen = worn.choose(Decision::new(&position, &[]), &mut a);
            assert_eq!(chosen, fresh.choose(Decision::new(&position, &[]), &mut b), "{spec}, game {index}");
            assert_eq!(a.next_u64(), b.next_u64(), "{spec}, game {index}: random numbers differ");
        }
    }
}
