//! Exact answers on toys, against known values and brute force.

use knave_agents::agent::Agent;
use knave_agents::configure::Configure as _;
use knave_agents::exact::asked::{IllegalChoice, ask, profile};
use knave_agents::exact::best_response::best_response;
use knave_agents::exact::cfr;
use knave_agents::exact::optimum::Optimum;
use knave_agents::exact::profile::Profile;
use knave_agents::exact::tree::{InformationSet, Tree};
use knave_agents::exact::{ExactError, Listing, Starts, efg, fingerprint};
use knave_agents::game::{EnumerableChance as _, Game, Seat, Turn};
use knave_agents::kit::{Setup, Tools as _};
use knave_agents::players::exact::Exact;
use knave_agents::registry;
use knave_agents::rng::{Rng, Role, stream};
use knave_agents::toys::kuhn::{Kuhn, Move};
use knave_agents::toys::ladder::{Ladder, Rules};

fn near(a: f64, b: f64, error: f64) {
    assert!((a - b).abs() <= error, "{a} is not {b}");
}

/// Kuhn's poker with all its deals, and results in chips won.
fn kuhn() -> (Starts<Kuhn>, Listing<Kuhn>) {
    let cards = [[1, 2], [1, 3], [2, 1], [2, 3], [3, 1], [3, 2]];
    let starts = cards.into_iter().map(|cards| (Kuhn::at(cards, &[]), 1.0 / 6.0)).collect();
    (
        starts,
        Listing {
            dealt: |()| 2,
            outcomes: |_, _| unreachable!("nothing is random"),
            listed: |outcome| outcome,
            fingerprint: None,
        },
    )
}

fn chips(end: &Kuhn, seat: Seat) -> f64 {
    (end.utility(seat) - 0.5) * 4.0
}

fn tree() -> Tree<Kuhn> {
    let (starts, listing) = kuhn();
    Tree::new(&starts, &listing, chips, 1000).unwrap()
}

/// Six deals, each with nine positions; three cards at two decisions of each seat.
#[test]
fn a_tree_is_written_out() {
    let tree = tree();
    assert_eq!((tree.size(), tree.sets().len(), tree.moves()), (1 + 6 * 9, 12, 24));
    assert_eq!(tree.constant_sum(), Some(0.0));
    let (starts, listing) = kuhn();
    let small = Tree::new(&starts, &listing, chips, 54);
    assert_eq!(small.err(), Some(ExactError::TooLarge { limit: 54, what: "nodes" }));
}

/// Kuhn (1950): the first player loses 1/18 of a chip a game.
#[test]
fn an_equilibrium_has_the_known_value() {
    let tree = tree();
    let found = cfr::solve(&tree, 1e-4, 100_000).unwrap();
    assert!(found.low <= -1.0 / 18.0 && -1.0 / 18.0 <= found.high, "{} to {}", found.low, found.high);
    assert!(found.high - found.low <= 1e-4, "{} iterations", found.iterations);
    near(found.profile.values(&tree)[0], -1.0 / 18.0, 1e-3);
    // A king is bet or held back, but never folded to a bet.
    for set in tree.sets().iter().filter(|set| set.position.card(set.seat) == 3 && set.position.facing_bet())
    {
        assert!(found.profile.at(set)[1] > 0.999);
    }
}

/// Against uniformly random play, by every one of the 2⁶ strategies of a seat.
#[test]
fn a_best_response_is_the_best_of_all_strategies() {
    let tree = tree();
    let uniform = Profile::uniform(&tree);
    for seat in 0..2 {
        let own: Vec<_> = tree.sets().iter().filter(|set| set.seat == seat).collect();
        let most = (0..1 << own.len()).map(|strategy: u32| {
            let mut profile = uniform.clone();
            for (number, set) in own.iter().enumerate() {
                let move_2 = f64::from(strategy >> number & 1);
                profile.at_mut(set).copy_from_slice(&[1.0 - move_2, move_2]);
            }
            profile.values(&tree)[seat]
        });
        near(best_response(&tree, &uniform, seat).value, most.fold(f64::MIN, f64::max), 1e-12);
    }
}

/// Agents are asked as what they are: the random one is uniform without being asked, and the policy `plain` bets with a king,
/// never with a jack, and half of the time with a queen.
#[test]
fn agents_are_asked_for_their_strategies() {
    let tree = tree();
    let entries = registry::general::<Kuhn>();
    let agent = |text: &str| registry::prepare(&entries, "kuhn", &text.parse().unwrap(), &()).unwrap().make();
    let mut plain = agent("rule");
    for set in tree.sets() {
        let counts = ask(&mut *agent("random"), set, 3, &mut stream(1, 0, Role::Agent(0))).unwrap();
        assert_eq!(counts, [1, 1]);
        let counts = ask(&mut *plain, set, 1000, &mut stream(1, 0, Role::Agent(0))).unwrap();
        match set.position.card(set.seat) {
            1 => assert_eq!(counts, [1000, 0]),
            3 => assert_eq!(counts, [0, 1000]),
            _ => assert!((400..600).contains(&counts[0]), "{counts:?}"),
        }
    }
    let nothing = vec![Vec::new(); tree.sets().len()];
    assert_eq!(profile(&tree, &nothing), Profile::uniform(&tree));
}

/// An agent that plays what is not legal has no strategy to be measured: it was taken for one that plays at random.
#[test]
fn illegal_choices_are_refused() {
    let tree = tree();
    let entries = registry::general::<Kuhn>();
    let mut plain = registry::prepare(&entries, "kuhn", &"rule".parse().unwrap(), &()).unwrap().make();
    let king = tree.sets().iter().find(|set| set.position.card(set.seat) == 3).unwrap();
    let (seat, position) = (king.seat, king.position);
    // It bets with a king, which these rules would not let it do.
    let set = InformationSet { seat, depth: 0, moves: vec![Move::Pass], position, history: vec![], first: 0 };
    let error = ask(&mut *plain, &set, 1, &mut stream(1, 0, Role::Agent(0))).unwrap_err();
    assert_eq!(error, IllegalChoice { seat, chosen: "bet".into() });
    assert_eq!(error.to_string(), format!("the agent in seat {seat} chose the illegal move bet"));
}

/// The agent `exact` follows a game by its own memory: many games of it against itself reach the value.
#[test]
fn the_agent_plays_the_equilibrium() {
    let (starts, listing) = kuhn();
    let kit = Kuhn::kit(&()).exact(listing);
    let setup = Setup::new("exact", &kit, &()).with_starts(Some(&starts));
    let prepared = Exact::<Kuhn>::configure(&Default::default(), &setup).unwrap();
    let mut seats = [prepared.clone(), prepared];
    let (mut sum, games) = (0.0, 40_000);
    for index in 0..games {
        let mut position = Kuhn::deal(&(), &mut stream(2, index, Role::Deal));
        let mut history = Vec::new();
        seats.iter_mut().for_each(Agent::begin_game);
        while let Turn::Player(seat) = position.turn() {
            let mut rng = stream(2, index, Role::Agent(10 + history.len()));
            let m: Move = seats[seat].choose(knave_agents::Decision::new(&position, &history), &mut rng);
            history.push(knave_agents::Event::Move(seat, m));
            position.play(m);
        }
        sum += chips(&position, 0);
    }
    // Five standard errors of results between -2 and 2 whose standard deviation is below 1.5.
    near(sum / games as f64, -1.0 / 18.0, 5.0 * 1.5 / (games as f64).sqrt());
}

/// Without its deals a game cannot be solved, and the message says what is missing.
#[test]
fn the_agent_needs_the_deals() {
    let kit = Kuhn::kit(&());
    let error = Exact::<Kuhn>::configure(&Default::default(), &Setup::new("exact", &kit, &())).err().unwrap();
    assert!(error.to_string().contains("plays with a short deck alone"), "{error}");
}

/// A listing that is wrong gives no value: chances that are none or do not sum to 1, and a solo game without
/// fingerprints, whose message says what it lacks.
#[test]
fn wrong_listings_are_refused() {
    let rules = Rules { cards: 4, shuffled: false };
    let starts = vec![(Ladder::deal(&rules, &mut stream(3, 0, Role::Deal)), 1.0)];
    let mut listing = Listing::<Ladder> {
        dealt: |_| 0,
        outcomes: |position, out| {
            position.outcomes(out);
            out.iter_mut().for_each(|(_, probability)| *probability /= 2.0);
        },
        listed: |outcome| outcome,
        fingerprint: Some(|position| fingerprint(&position.key())),
    };
    let solve = |listing: &Listing<Ladder>| Optimum::new(&starts, listing, Ladder::utility, 1000).err();
    let half = ExactError::Probabilities { wrong: "probabilities that sum to 0.5".into() };
    assert_eq!(solve(&listing), Some(half.clone()));
    assert_eq!(Tree::new(&starts, &listing, Ladder::utility, 1000).err(), Some(half.clone()));
    assert!(
        half.to_string().contains("probabilities that sum to 0.5; expected probabilities from 0"),
        "{half}"
    );
    listing.outcomes = |position, out| {
        position.outcomes(out);
        out[0].1 = f64::NAN;
    };
    assert_eq!(solve(&listing), Some(ExactError::Probabilities { wrong: "the probability NaN".into() }));
    listing.outcomes = |position, out| {
        position.outcomes(out);
        let (first, more) = (out[0], 1.5 - out[0].1);
        out[0].1 += more;
        out.push((first.0, -more));
    };
    assert_eq!(solve(&listing), Some(ExactError::Probabilities { wrong: "the probability 1.5".into() }));
    listing.outcomes = knave_agents::EnumerableChance::outcomes;
    listing.fingerprint = None;
    assert_eq!(solve(&listing), Some(ExactError::Fingerprint));
    assert!(ExactError::Fingerprint.to_string().contains("`Listing::fingerprint`"));
}

/// A solo game in which a player can walk in a circle for ever.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Circle;

impl Game for Circle {
    type Rules = ();
    type Move = u8;
    type Chance = ();
    type View = Self;

    fn deal((): &(), _: &mut Rng) -> Self {
        Self
    }

    fn seats(&self) -> usize {
        1
    }

    fn turn(&self) -> Turn {
        Turn::Player(0)
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.clear();
        out.push(0);
    }

    fn play(&mut self, _: u8) {}

    fn utility(&self, _: Seat) -> f64 {
        0.0
    }

    fn view(&self, _: Seat) -> Self {
        Self
    }

    fn sample_world(view: &Self, _: &mut Rng) -> Self {
        view.clone()
    }
}

/// A game without an end is refused, and does not end the program.
#[test]
fn games_without_end_are_refused() {
    let listing = Listing::<Circle> {
        dealt: |()| 0,
        outcomes: |_, out| out.clear(),
        listed: |outcome| outcome,
        fingerprint: Some(fingerprint),
    };
    let solved = Optimum::new(&vec![(Circle, 1.0)], &listing, Circle::utility, 1000);
    assert_eq!(solved.err(), Some(ExactError::TooLong(400)));
}

/// The best fair play of ladders is that of exhausting every move and outcome, with the deck in a known order behind the
/// unseen cards and in an unknown one. It is found from any position that comes up, and the agent reaches it.
#[test]
fn the_best_fair_play_is_that_of_brute_force() {
    let listing = Listing::<Ladder> {
        dealt: |_| 0,
        outcomes: knave_agents::EnumerableChance::outcomes,
        listed: |outcome| outcome,
        fingerprint: Some(|position| fingerprint(&position.key())),
    };
    for (cards, shuffled) in [(4, false), (6, false), (6, true)] {
        let rules = Rules { cards, shuffled };
        let start = Ladder::deal(&rules, &mut stream(3, 0, Role::Deal));
        let starts = vec![(start.clone(), 1.0)];
        let solve = |limit| Optimum::new(&starts, &listing, Ladder::utility, limit);
        let (optimum, value) = solve(100_000).unwrap();
        near(value, start.exact(), 1e-12);
        assert_eq!(solve(1).err(), Some(ExactError::TooLarge { limit: 1, what: "positions" }));
        let mut rng = stream(3, 1, Role::Agent(0));
        let (mut sum, games) = (0.0, 4000_u16);
        for game in 0..games {
            let mut position = Ladder::deal(&rules, &mut rng);
            while position.turn() != Turn::Over {
                if let Some((m, value)) = optimum.best(&position) {
                    if game < 10 {
                        near(value, position.exact(), 1e-12);
                    }
                    position.play(m);
                } else {
                    position.roll(&mut rng);
                }
            }
            sum += position.utility(0);
        }
        near(sum / f64::from(games), value, 5.0 * 0.5 / f64::from(games).sqrt());
    }
    let (starts, listing) = kuhn();
    assert!(cfr::solve(&Tree::new(&starts, &listing, |_, _| 0.0, 99).unwrap(), 0.1, 1).is_ok());
    let unequal: knave_agents::exact::Payoff<Kuhn> = |end, seat| if seat == 0 { chips(end, 0) } else { 0.0 };
    let tree = Tree::new(&starts, &listing, unequal, 99).unwrap();
    assert_eq!(cfr::solve(&tree, 0.1, 1), Err(ExactError::GeneralSum));
}

/// The format: a header, and a line a node.
#[test]
fn a_tree_is_exported() {
    let mut text = Vec::new();
    efg::write(&tree(), &"Kuhn's \"poker\"", &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], r#"EFG 2 R "Kuhn's \"poker\"" { "seat 0" "seat 1" }"#);
    let of = |kind: &str| lines.iter().filter(|line| line.starts_with(kind)).count();
    assert_eq!((of("c "), of("p "), of("t ")), (1, 6 * 4, 6 * 5));
    assert_eq!(lines[4], "p \"\" 1 1 \"\" { \"pass\" \"bet\" } 0");
    assert_eq!(lines[6], "t \"\" 1 \"\" { -1, 1 }");
}

/// The printed probabilities of a random event sum to exactly 1, whatever the weights, for Gambit reads no others. Probabilities of
/// few parts are fractions; no denominator is larger than OpenSpiel reads.
#[test]
fn exported_probabilities_sum_to_exactly_one() {
    let (starts, listing) = kuhn();
    let few = [1.0, 2.0, 3.0, 4.0, 6.0, 20.0];
    for (weights, fractions) in [
        ([1.0; 6], Some([1, 1, 1, 1, 1, 1])),
        (few, Some([1, 2, 3, 4, 6, 20])),
        (few.map(f64::sqrt), None),
        (few.map(|weight| if weight > 9.0 { 1e10 } else { weight }), None),
    ] {
        let sum: f64 = weights.iter().sum();
        let starts = starts.iter().zip(weights).map(|(start, weight)| (start.0, weight / sum)).collect();
        let mut text = Vec::new();
        efg::write(&Tree::new(&starts, &listing, chips, 1000).unwrap(), &"Kuhn", &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let event = text.lines().find(|line| line.starts_with("c ")).unwrap();
        let printed: Vec<&str> = event.split(' ').skip(6).step_by(2).take(6).collect();
        // All numbers as parts of a whole.
        let parts: Vec<(u64, u64)> = printed
            .iter()
            .map(|number| match number.split_once('/') {
                Some((part, whole)) => (part.parse().unwrap(), whole.parse().unwrap()),
                None => (number.replace('.', "").parse().unwrap(), 10_u64.pow(number.len() as u32 - 2)),
            })
            .collect();
        let whole = parts[0].1;
        assert!(parts.iter().all(|part| part.1 == whole), "{event}");
        assert_eq!(parts.iter().map(|part| part.0).sum::<u64>(), whole, "{event}");
        for (part, weight) in parts.iter().zip(weights) {
            near(part.0 as f64 / whole as f64, weight / sum, 1e-15);
        }
        assert_eq!(event.contains('/'), fractions.is_some(), "{event}");
        assert!(fractions.is_none_or(|numbers| parts.iter().map(|part| part.0).eq(numbers)), "{event}");
    }
}

/// Fingerprints tell values apart, and not much else is asked of them.
#[test]
fn fingerprints_tell_apart() {
    let all: std::collections::HashSet<_> = (0..10_000_u32).map(|value| fingerprint(&value)).collect();
    assert_eq!(all.len(), 10_000);
}
