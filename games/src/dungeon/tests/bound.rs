//! The bound on fair play against brute force on tiny decks, and against the exact value of fair play on mini-decks.

use super::*;
use crate::dungeon::bound::{Charged, bounding};
use crate::dungeon::clairvoyant::search::{Node, Search};
use knave_agents::testkit::best_fair_value;

/// The relaxed player's own game, move by move, with nothing left out but what it is told.
struct Brute<'a> {
    charged: &'a Charged,
    until: usize,
}

impl Brute<'_> {
    /// The share of the orders in which a position can be won.
    fn share(&self, position: &Dungeon) -> f64 {
        let unseen: Vec<u8> = position.pile.unseen().into_iter().map(Card::id).collect();
        let orders = self.charged.orders(unseen.len());
        let won = orders.iter().filter(|order| {
            let mut world = position.clone();
            let next: Vec<u8> = order.iter().map(|&place| unseen[usize::from(place)]).collect();
            world.pile.force(&next, world.board.rules.avoid_order);
            can_win(&world)
        });
        won.count() as f64 / orders.len() as f64
    }

    /// The most that can be kept from a position, by every move; from before a room it has the share `before`.
    fn every_move(&self, position: &Dungeon, before: Option<f64>) -> f64 {
        match position.turn() {
            Turn::Over => f64::from(u8::from(position.won(0))),
            Turn::Player(_) => {
                let mut moves = Vec::new();
                position.moves(&mut moves);
                let each = moves.into_iter().map(|m| {
                    let mut next = position.clone();
                    next.play(m);
                    let share = (next.turn() == Turn::Chance).then(|| self.share(&next));
                    self.every_move(&next, share)
                });
                each.fold(f64::NEG_INFINITY, f64::max)
            }
            _ => match before {
                Some(share) if position.pile.unseen().len() <= self.until => share,
                _ => {
                    let mut next = position.clone();
                    next.roll(&mut Rng::new(1));
                    before.map_or(0.0, |share| share - self.share(&next)) + self.every_move(&next, None)
                }
            },
        }
    }

    /// The same by the whole turns that the search does not leave out, from a room.
    fn every_way(&self, search: &mut Search, node: &Node, position: &Dungeon) -> f64 {
        let share = self.share(position);
        let ways = if share == 0.0 { Default::default() } else { search.ways(node) };
        let each = ways.iter().map(|(_, way)| {
            let mut next = position.clone();
            way.moves().iter().for_each(|&m| next.play(m));
            if next.turn() == Turn::Over {
                return f64::from(u8::from(next.won(0)));
            }
            let before = self.share(&next);
            if next.pile.unseen().len() <= self.until {
                return before;
            }
            next.roll(&mut Rng::new(1));
            let after = search.after(node, way);
            before - self.share(&next) + self.every_way(search, &after, &next)
        });
        // Who has no way on dies, and pays nothing more.
        if ways.is_empty() { 0.0 } else { each.fold(f64::NEG_INFINITY, f64::max) }
    }
}

fn deck(cards: usize, rng: &mut Rng) -> Vec<Card> {
    let mut deck = DECK;
    deck.shuffle(rng);
    deck[..cards].to_vec()
}

/// These rules with the least health that wins the deck.
fn with_least_health(rules: Rules, deck: &[Card]) -> Rules {
    let deal = Dungeon::from_deck(&rules, deck).unwrap();
    let objective = clairvoyant::objectives().into_iter().find(|other| other.name == "health").unwrap();
    let least = (objective.solver)().solve(&rules, &deal, u64::MAX).reached.unwrap();
    Rules { health: least as u8, ..rules }
}

/// The best-first search agrees with trying every way, on tiny decks; what it leaves out never makes the bound higher.
#[test]
fn the_search_agrees_with_brute_force() {
    let mut rng = Rng::new(41);
    let mut between = 0;
    for case in 0..120 {
        let until = case % 3;
        let weapon_limit = [WeaponLimit::AtMost, WeaponLimit::Below][case / 3 % 2];
        let cards = rng.random_range(6..=9);
        let own = deck(cards, &mut rng);
        // With just enough health for the own deck others are won or not.
        let rules = with_least_health(Rules { weapon_limit, ..Rules::default() }, &own);
        let mut charged = Charged::new(5, until);
        let value = charged.value(&rules, &own, &mut rng);
        let brute = Brute { charged: &charged, until };
        let deal = Dungeon::from_deck(&rules, &own).unwrap();
        let mut room = deal.clone();
        room.roll(&mut Rng::new(1));
        let mut search = Search::default();
        let node = search.start(&deal);
        let expected = brute.every_way(&mut search, &node, &room);
        assert!((value - expected).abs() < 1e-9, "{value} is not {expected}: {own:?} {rules:?}");
        if cards <= 8 {
            let all = brute.every_move(&deal, None);
            assert!(value <= all + 1e-9, "{value} is above {all}: {own:?} {rules:?}");
        }
        between += u32::from(value > 0.0 && value < 1.0);
    }
    assert!(between >= 5, "{between} values between 0 and 1");
}

/// The means over some deals of a deck's cards of what can be won with every card known, and of the bound.
fn means(rules: &Rules, order: &mut [Card], deals: u32, rng: &mut Rng) -> [f64; 2] {
    // Where the game ends for the relaxed player at once, W of the first room is left.
    let mut bounders = [Charged::new(16, order.len()), Charged::new(16, 0)];
    let mut means = [0.0; 2];
    for _ in 0..deals {
        order.shuffle(rng);
        for (mean, bounder) in means.iter_mut().zip(&mut bounders) {
            *mean += bounder.value(rules, order, rng) / f64::from(deals);
        }
    }
    means
}

/// Weak duality on mini-decks whose fair value is known exactly: over many orders of the deck the mean of the bound lies between
/// that and the mean of the clairvoyant, up to chance. Rooms are filled from avoided cards too.
#[test]
fn the_bound_lies_between_fair_play_and_clairvoyance() {
    let mut rng = Rng::new(42);
    let mut open = 0;
    for _ in 0..3 {
        let mut order = deck(8, &mut rng);
        let rules = with_least_health(Rules::default(), &order);
        let start = Dungeon::from_deck(&rules, &order).unwrap();
        let exact = best_fair_value(&start, |end, _| f64::from(u8::from(end.won(0))));
        let deals = 500;
        let [known, bound] = means(&rules, &mut order, deals, &mut rng);
        // Three standard errors of a mean of values from 0 to 1.
        let error = 3.0 * 0.5 / f64::from(deals).sqrt();
        assert!(bound <= known + error && bound >= exact - error, "{bound} is not in {exact} to {known}");
        open += u32::from(exact > 0.01 && exact < 0.99);
    }
    assert!(open >= 1, "all decks are won or lost whatever their order");
}

/// Where it helps much to know the order, the charges take much of that: in decks of 20 cards, half of which are deadly.
#[test]
fn luck_is_charged() {
    let mut rng = Rng::new(44);
    let mut order: Vec<Card> = "KC QC JC TC 9C 8C KS QS JS TS 9S 8S 4D 6D 8D TD 3H 5H 7H 9H"
        .split(' ')
        .map(|card| card.parse().unwrap())
        .collect();
    let rules = Rules { health: 14, ..Rules::default() };
    let [known, bound] = means(&rules, &mut order, 60, &mut rng);
    assert!(bound < known - 0.05, "{bound} against {known}");
}

/// A random order of avoided cards is refused, with the option.
#[test]
fn shuffled_avoiding_has_no_bound() {
    let rules = Rules { avoid_order: AvoidOrder::Shuffled, ..Rules::default() };
    assert!((bounding().check)(&Rules::default()).is_ok());
    assert!((bounding().check)(&rules).unwrap_err().to_string().contains("avoid_order=shuffled is refused"));
}
