//! Listings: whether what a game lists for exact answers is what it deals and rolls.

use super::LONGEST;
use crate::{CardGame, ShortDeck, rounded};
use knave_agents::exact::Listing;
use knave_agents::rng::{Rng, Role, stream};
use knave_agents::testkit::frequencies;
use knave_agents::{Game, Turn};
use rand::seq::SliceRandom as _;
use std::collections::HashMap;

/// The random events of a game that are counted.
const EVENTS: usize = 6;

/// Checks the [`Listing`] of a game in `games` random games with these cards, such as `2-6C 9H`:
/// - no seat sees at the deal more than the cards that it says are dealt;
/// - probabilities of outcomes sum to 1, and outcomes come as often as they say: the first of every game, the second, and so on.
///
/// With few cards the same events come again and again; 2,000 games notice an outcome that should be a quarter more or less frequent among
/// a dozen. It does not look at fingerprints: compare an [`Optimum`](knave_agents::exact::optimum::Optimum) with
/// [`best_fair_value`](knave_agents::testkit::best_fair_value).
///
/// # Panics
/// When the listing is wrong, when there is none, or when no game can be dealt from the cards.
pub fn listing<G: CardGame>(rules: &G::Rules, cards: &str, games: u64) {
    let Some(listing) = G::kit(rules).exact else { panic!("{} has no listing by these rules", G::NAME) };
    check(&listing, rules, cards, games);
}

fn check<G: CardGame>(listing: &Listing<G>, rules: &G::Rules, cards: &str, games: u64) {
    let cards: ShortDeck = cards.parse().unwrap_or_else(|error| panic!("{error}"));
    let mut events: [Events<G>; EVENTS] = std::array::from_fn(|_| Events::new());
    for index in 0..games {
        let at = format!("seed 10, game {index}");
        let mut rng = stream(10, index, Role::Deal);
        let mut position =
            cards.deal::<G>(rules, &mut rng).unwrap_or_else(|error| panic!("{cards}: {error}"));
        deals(listing, rules, &position, &mut rng, &at);
        let (mut buffer, mut events) = (Vec::new(), events.iter_mut());
        for ply in 0.. {
            assert!(ply < LONGEST, "{at}: the game does not end");
            match position.turn() {
                Turn::Player(_) => {
                    let m = position.random_move(&mut buffer, &mut rng);
                    position.play(m);
                }
                Turn::Chance => match events.next() {
                    Some(events) => events.count(listing, &mut position, &mut rng, &at),
                    None => break,
                },
                // Games with shuffles are not written out.
                Turn::Shuffle | Turn::Over => break,
            }
        }
    }
    for (number, Events { counts, expected, .. }) in
        events.iter().enumerate().filter(|(_, e)| !e.counts.is_empty())
    {
        frequencies(&format!("outcomes of random event {}", number + 1), counts, expected);
    }
}

/// The order of the cards that are not dealt is seen by nobody at the deal.
fn deals<G: CardGame>(listing: &Listing<G>, rules: &G::Rules, start: &G, rng: &mut Rng, at: &str) {
    let mut deck = start.deck();
    let dealt = (listing.dealt)(rules).min(deck.len());
    deck[dealt..].shuffle(rng);
    let other = G::from_deck(rules, &deck).unwrap_or_else(|error| {
        panic!("{at}: from_deck refuses the deck of a deal in another order: {error}")
    });
    for seat in 0..start.seats() {
        assert!(
            start.view(seat) == other.view(seat),
            "{at}: dealt is {dealt}, yet what seat {seat} sees at the deal depends on further cards of {deck:?}"
        );
    }
}

/// The outcomes of the random events with the same number in their games.
struct Events<G: Game> {
    places: HashMap<G::Chance, usize>,
    counts: Vec<u64>,
    expected: Vec<f64>,
}

impl<G: Game> Events<G> {
    fn new() -> Self {
        Self { places: HashMap::new(), counts: Vec::new(), expected: Vec::new() }
    }

    fn place(&mut self, outcome: G::Chance) -> usize {
        let next = self.counts.len();
        let place = *self.places.entry(outcome).or_insert(next);
        if place == next {
            self.counts.push(0);
            self.expected.push(0.0);
        }
        place
    }

    /// Has the event come that is due, and counts what it brings.
    fn count(&mut self, listing: &Listing<G>, position: &mut G, rng: &mut Rng, at: &str) {
        let mut outcomes = Vec::new();
        (listing.outcomes)(position, &mut outcomes);
        let total: f64 = outcomes.iter().map(|(_, probability)| probability).sum();
        assert!(
            (total - 1.0).abs() < 1e-9,
            "{at}: the probabilities of the listed outcomes sum to {}",
            rounded(total)
        );
        for &(outcome, probability) in &outcomes {
            assert!(
                (0.0..=1.0).contains(&probability),
                "{at}: {outcome:?} has the probability {probability}"
            );
            let stands = (listing.listed)(outcome);
            assert!(stands == outcome, "{at}: {stands:?} stands for {outcome:?}, which is itself listed");
            let place = self.place(outcome);
            self.expected[place] += probability;
        }
        let rolled = position.roll(rng);
        let outcome = (listing.listed)(rolled);
        let is_listed = outcomes.iter().any(|&(other, _)| other == outcome);
        assert!(is_listed, "{at}: {rolled:?} comes, and no listed outcome stands for it");
        let place = self.place(outcome);
        self.counts[place] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doubles::Doubles;
    use crate::dungeon::Dungeon;
    use crate::verslun::Verslun;
    use crate::whist::Whist;
    use knave_agents::{Tools as _, options};
    use std::panic::{UnwindSafe, catch_unwind};

    fn rules<G: CardGame>(pairs: &[&str]) -> G::Rules {
        crate::read_rules::<G>(&options::fields("rules", pairs.iter().copied()).unwrap()).unwrap()
    }

    /// Exact answers of all games rest on what they list.
    #[test]
    fn built_in_games_list_what_comes() {
        listing::<Dungeon>(&rules::<Dungeon>(&[]), "7CS 3H 4D 9S 2C", 2_000);
        listing::<Verslun>(&rules::<Verslun>(&["columns=1", "hand=4"]), "2-6CD", 2_000);
        listing::<Doubles>(&rules::<Doubles>(&["cards=1"]), "2-5C", 2_000);
        listing::<Whist>(&rules::<Whist>(&[]), "2-5CD", 20);
    }

    /// Wrong weights that sum to 1 would give wrong values without a word.
    #[test]
    fn wrong_listings_are_noticed() {
        type Flaw = fn(&mut Listing<Doubles>);
        let rules = rules::<Doubles>(&["cards=2"]);
        let flaws: [(Flaw, &str); 5] = [
            (
                |listing| listing.dealt = |_| 3,
                "dealt is 3, yet what seat 1 sees at the deal depends on further cards",
            ),
            (|listing| listing.listed = |outcome| outcome, "comes, and no listed outcome stands for it"),
            (
                |listing| {
                    listing.outcomes = |position, out| {
                        rolls(position, out);
                        let each = 1.0 / out.len() as f64;
                        out.iter_mut().for_each(|outcome| outcome.1 = each);
                    }
                },
                "outcomes of random event 1: chi-square",
            ),
            (
                |listing| {
                    listing.outcomes = |position, out| {
                        rolls(position, out);
                        out.iter_mut().for_each(|outcome| outcome.1 *= 0.9);
                    }
                },
                "the probabilities of the listed outcomes sum to 0.9",
            ),
            (
                |listing| listing.outcomes = |_, out| out.clear(),
                "the probabilities of the listed outcomes sum to 0",
            ),
        ];
        for (flaw, told) in flaws {
            let mut listing = Doubles::kit(&rules).exact.unwrap();
            flaw(&mut listing);
            noticed(told, || check(&listing, &rules, "2-7C", 500));
        }
        // Nothing is random in whist, so its listing can be wrong in what is dealt alone.
        let rules = self::rules::<Whist>(&[]);
        let mut listing = Whist::kit(&rules).exact.unwrap();
        listing.dealt = |_| 3;
        let told = "dealt is 3, yet what seat 0 sees at the deal depends on further cards";
        noticed(told, || check(&listing, &rules, "2-5CD", 20));
    }

    fn noticed(told: &str, check: impl FnOnce() + UnwindSafe) {
        let panic = catch_unwind(check).expect_err(told);
        let message = panic.downcast::<String>().unwrap();
        assert!(message.contains(told), "{message}, not: {told}");
    }

    fn rolls(position: &Doubles, out: &mut Vec<(<Doubles as Game>::Chance, f64)>) {
        let listing = Doubles::kit(&rules::<Doubles>(&[])).exact.unwrap();
        (listing.outcomes)(position, out);
    }
}
