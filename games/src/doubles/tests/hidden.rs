//! Hidden and random parts: shuffles, dice, views, sampled worlds.

use super::*;
use knave_agents::testkit::frequencies;
use std::collections::{BTreeMap, BTreeSet};

/// The deck is uniform, whatever was dealt of it before it is asked for.
#[test]
fn the_lazy_shuffle_is_a_shuffle() {
    let mut seen = vec![vec![0_u64; 64]; CARDS];
    let deals = 26_000;
    for index in 0..deals {
        let few = Doubles::deal(&rules(2, 7), &mut stream(11, index, Role::Deal));
        let deck = few.deck();
        assert_eq!(deck.iter().copied().collect::<CardSet>().len(), CARDS);
        assert!(few.hand(0).contains(deck[0]) && few.hand(1).contains(deck[13]));
        for (place, card) in deck.iter().enumerate() {
            seen[place][usize::from(card.id())] += 1;
        }
        if index < 100 {
            let many = Doubles::deal(&rules(7, 7), &mut stream(11, index, Role::Deal));
            assert_eq!(many.deck(), deck);
        }
    }
    for (place, counts) in seen.into_iter().enumerate() {
        let counts: Vec<u64> = Card::all().map(|card| counts[usize::from(card.id())]).collect();
        frequencies(&format!("place {place}"), &counts, &[deals as f64 / CARDS as f64; CARDS]);
    }
}

/// The later decks of a match are uniform too: which card lies on top and which at the bottom.
#[test]
fn later_decks_are_shuffled() {
    let rules = Rules { max_rolls: 1, target: 1_000, ..rules(2, 1) };
    let deck: Vec<Card> = Card::all().collect();
    let mut over = Script(Doubles::from_deck(&rules, &deck).unwrap(), Vec::new());
    over.play("12 pass pass pocket");
    let mut rng = Rng::new(3);
    let mut ends = [[0_u64; 64]; 2];
    for _ in 0..26_000 {
        let Chance::Deck(ids) = over.0.clone().roll(&mut rng) else { panic!("a deck is due") };
        ends[0][usize::from(ids[0])] += 1;
        ends[1][usize::from(ids[51])] += 1;
    }
    for counts in ends {
        let counts: Vec<u64> = Card::all().map(|card| counts[usize::from(card.id())]).collect();
        frequencies("later decks", &counts, &[500.0; CARDS]);
    }
}

/// The decks of a match are the same whatever dice and moves came before: only so are its deals the same for every player.
#[test]
fn later_decks_do_not_depend_on_dice() {
    let rules = Rules { target: 1_000_000, ..rules(2, 2) };
    let hands = |luck: u64| {
        let mut position = Doubles::deal(&rules, &mut stream(5, 5, Role::Deal));
        let (mut rng, mut hands) = (Rng::new(u128::from(luck)), Vec::new());
        while hands.len() < 5 {
            match position.turn() {
                Turn::Player(_) => position.play(position.random_move(&mut Vec::new(), &mut rng)),
                Turn::Shuffle => {
                    position.roll(&mut rng);
                    hands.push([position.hand(0), position.hand(1)]);
                }
                _ => {
                    position.roll(&mut rng);
                }
            }
        }
        hands
    };
    let first = hands(1);
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]), "the same deck again");
    assert_eq!(first, hands(2));
}

/// Both dice are fair and independent.
#[test]
fn dice_are_fair() {
    let position = Doubles::deal(&Rules::default(), &mut Rng::new(1));
    let mut rng = Rng::new(5);
    let mut counts = [0; 36];
    for _ in 0..36_000 {
        let Chance::Roll([a, b]) = position.clone().roll(&mut rng) else { panic!("a roll is due") };
        counts[usize::from(a - 1) * 6 + usize::from(b - 1)] += 1;
    }
    frequencies("dice", &counts, &[1000.0; 36]);
}

/// What a seat may know does not tell a pass that was chosen from one that had to be made: the same cards
/// on the table, another hand in the dark, the same view.
#[test]
fn forced_passes_look_like_chosen_ones() {
    let after = |deck: &str, words: &str| {
        let mut game = Script::new(&rules(3, 2), deck);
        game.play(words);
        (game.0, format!("{:?}", game.1))
    };
    // The king is in seat 1's hand, or out of play; then it is seat 2's turn to decide.
    let (chosen, seen) = after("9C KD TH 2C 3C 4C 8D", "35 9C pass");
    let (forced, also_seen) = after("9C 8D TH 2C 3C 4C KD", "35 9C");
    assert_eq!(seen, also_seen);
    assert_eq!(chosen.turn(), Turn::Player(2));
    assert_eq!(chosen.view(2), forced.view(2));
    assert_ne!(chosen.view(1), forced.view(1));
    // The same with nobody else to ask: seat 1 rolls, and the others see the same.
    let (chosen, seen) = after("9C KD 8H 2C 3C 4C 7D", "35 9C pass 12");
    let (forced, also_seen) = after("9C 7D 8H 2C 3C 4C KD", "35 9C 12");
    assert_eq!(seen, also_seen);
    assert_eq!(chosen.turn(), Turn::Player(1));
    assert_eq!(chosen.view(0), forced.view(0));
    assert_eq!(chosen.view(2), forced.view(2));
    // The moves that were played tell which passes were chosen.
    const { assert!(!Doubles::PUBLIC_HISTORY) }
}

/// What everybody saw of a game: dice, challenges, and passes of either kind.
enum Seen<'a> {
    Roll(u8, u8),
    Move(Seat, &'a str),
}

/// Replays what was seen from this deal; `None` when it could not have happened with these hands. What is told on the way is what
/// was seen, whoever had to pass, and who is passed over next.
fn replay(rules: &Rules, deck: &[Card], seen: &[Seen<'_>]) -> Option<Doubles> {
    let mut position = Doubles::from_deck(rules, deck).unwrap();
    let mut told = Vec::new();
    for event in seen {
        match *event {
            Seen::Roll(a, b) => {
                let roll = Chance::Roll([a, b]);
                position.play_chance(roll);
                position.tell(Event::Chance(roll), &mut told);
            }
            Seen::Move(seat, text) => {
                let asked = position.turn() == Turn::Player(seat);
                // Whoever is not asked had to pass.
                if text == "pass" && !(asked && position.board.phase == Phase::Challenge) {
                    continue;
                }
                if !asked {
                    return None;
                }
                let m = position.parse_move(text).ok()?;
                position.try_play(m).ok()?;
                position.tell(Event::Move(seat, m), &mut told);
            }
        }
    }
    for (event, told) in seen.iter().zip(&told) {
        match (event, told) {
            (Seen::Roll(a, b), Event::Chance(Chance::Roll(dice))) => assert_eq!([*a, *b], *dice),
            (Seen::Move(seat, text), Event::Move(who, m)) => {
                assert_eq!((*seat, *text), (*who, &*m.to_string()));
            }
            _ => panic!("{told:?} is told"),
        }
    }
    assert!(told.len() >= seen.len());
    let further = &told[seen.len()..];
    assert!(further.iter().all(|event| matches!(event, Event::Move(_, Move::PASS))), "{further:?}");
    Some(position)
}

fn permutations(cards: &mut Vec<Card>, from: usize, each: &mut impl FnMut(&[Card])) {
    if from == cards.len() {
        each(cards);
        return;
    }
    for i in from..cards.len() {
        cards.swap(from, i);
        permutations(cards, from + 1, each);
        cards.swap(from, i);
    }
}

/// Sampled worlds against the enumeration of every deal of a short deck that could have led to what the
/// seat has seen: forced and chosen passes, a forced challenge, an empty hand, cards out of play.
#[test]
fn sampled_worlds_are_uniform() {
    use Seen::{Move, Roll};
    let passed = [Roll(1, 2), Move(0, "challenge 8H"), Move(1, "pass"), Roll(3, 4)];
    let forced = [Roll(2, 2), Move(0, "challenge 8H"), Move(1, "challenge TS"), Move(0, "pass"), Roll(5, 6)];
    let three = [
        Roll(1, 2),
        Move(0, "pass"),
        Move(1, "challenge 4D"),
        Move(2, "pass"),
        Move(0, "challenge 8H"),
        Move(1, "pass"),
    ];
    let empty = [
        Roll(1, 2),
        Move(0, "pass"),
        Move(1, "challenge 4D"),
        Move(2, "challenge TS"),
        Move(0, "pass"),
        Move(1, "pass"),
        Roll(1, 1),
        Move(1, "challenge 8H"),
        Move(2, "pass"),
    ];
    type Case<'a> = (u8, u8, &'a str, Seat, &'a str, &'a [Seen<'a>]);
    // (players, cards, deck, own seat, own hand, what was seen)
    let cases: [Case<'_>; 5] = [
        (2, 3, "2C 4D 6C 8H TS QD KS", 1, "6C TS QD", &passed),
        (2, 2, "2C 4D 6C 8H TS QD", 0, "8H 2C", &forced),
        (3, 2, "2C 4D 6C 8H TS QD KS", 2, "6C QD", &three),
        (3, 2, "2C 4D 6C 8H TS QD KS AS", 0, "2C QD", &empty),
        (4, 1, "2C 4D 6C 8H TS", 3, "TS", &[Roll(6, 5), Move(0, "challenge 8H"), Move(1, "pass")]),
    ];
    let mut rng = Rng::new(6);
    for (case, (players, count, deck, seat, own, seen)) in cases.into_iter().enumerate() {
        let rules = rules(players, count);
        let own: CardSet = cards(own).into_iter().collect();
        let mut worlds: BTreeMap<Vec<CardSet>, u64> = BTreeMap::new();
        let mut views = BTreeSet::new();
        let mut view = None;
        permutations(&mut cards(deck), 0, &mut |deck| {
            let start = Doubles::from_deck(&rules, deck).unwrap();
            if start.hand(seat) != own {
                return;
            }
            if let Some(end) = replay(&rules, deck, seen) {
                *worlds.entry(end.hands.to_vec()).or_default() += 1;
                // The view of a seat that is not asked shows who is; that is part of no decision.
                let mut known = end.view(seat);
                known.board.mover = 0;
                known.board.phase = Phase::Over;
                views.insert(format!("{known:?}"));
                view = Some(end.view(seat));
            }
        });
        assert_eq!(views.len(), 1, "case {case}: the view depends on what is hidden");
        let (view, deals) = (view.unwrap(), worlds.values().sum::<u64>());
        let samples = 300 * worlds.len();
        let mut counts: BTreeMap<Vec<CardSet>, u64> = worlds.keys().map(|key| (key.clone(), 0)).collect();
        for _ in 0..samples {
            let world = Doubles::sample_world(&view, &mut rng);
            assert_eq!(world.view(seat), view);
            *counts.get_mut(world.hands.as_slice()).expect("a possible world") += 1;
        }
        assert!(counts.len() >= 3, "case {case}: {} worlds", counts.len());
        let expected: Vec<f64> = worlds.values().map(|&n| n as f64 * samples as f64 / deals as f64).collect();
        frequencies(&format!("case {case}"), &counts.into_values().collect::<Vec<_>>(), &expected);
    }
}
