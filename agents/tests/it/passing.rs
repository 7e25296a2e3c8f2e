//! A game in which the turn passes after each move: how probable its worlds are is noticed like that of any other game.

use knave_agents::{Game, Rng, Seat, Turn, testkit};
use rand::RngExt as _;
use rand::seq::SliceRandom as _;

/// Two seats hold two of six cards each, and play one in turn. With a flaw every second world is one that was not shuffled.
#[derive(Clone)]
struct Hands<const FLAWED: bool> {
    hands: [Vec<u8>; 2],
    played: Vec<u8>,
}

/// What a seat knows: who it is, its hand, the cards that it has not seen, and those that were played.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct View(Seat, Vec<u8>, Vec<u8>, Vec<u8>);

fn sorted(cards: &[u8]) -> Vec<u8> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    cards
}

impl<const FLAWED: bool> Game for Hands<FLAWED> {
    type Rules = ();
    type Move = u8;
    type Chance = ();
    type View = View;

    fn deal((): &(), rng: &mut Rng) -> Self {
        let mut deck = [1, 2, 3, 4, 5, 6];
        deck.shuffle(rng);
        Self { hands: [sorted(&deck[..2]), sorted(&deck[2..4])], played: Vec::new() }
    }

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if self.played.len() < 4 { Turn::Player(self.played.len() % 2) } else { Turn::Over }
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.clear();
        if let Turn::Player(seat) = self.turn() {
            out.extend(&self.hands[seat]);
        }
    }

    fn play(&mut self, card: u8) {
        self.hands[self.played.len() % 2].retain(|&other| other != card);
        self.played.push(card);
    }

    fn utility(&self, seat: Seat) -> f64 {
        f64::from(self.played[seat]) / 6.0
    }

    fn view(&self, seat: Seat) -> View {
        let own = self.hands[seat].clone();
        let is_unseen = |card: &u8| !own.contains(card) && !self.played.contains(card);
        let unseen = (1..=6).filter(is_unseen).collect();
        View(seat, own, unseen, self.played.clone())
    }

    fn sample_world(View(seat, own, unseen, played): &View, rng: &mut Rng) -> Self {
        let mut unseen = unseen.clone();
        if !FLAWED || rng.random() {
            unseen.shuffle(rng);
        }
        let theirs = 2 - (played.len() + seat) / 2;
        let other = sorted(&unseen[..theirs]);
        let hands = if *seat == 0 { [own.clone(), other] } else { [other, own.clone()] };
        Self { hands, played: played.clone() }
    }
}

#[test]
fn probable_worlds_pass() {
    testkit::sampled_worlds::<Hands<false>>(&[()], 1_000);
}

/// Most games are dropped here, for the other seat moves before their decision. Others come in their place: an eighth of a thousand
/// would not show it.
#[test]
#[should_panic(expected = "sample_world: worlds are not as probable as they should be: in 1000 games")]
fn improbable_worlds_are_noticed() {
    testkit::sampled_worlds::<Hands<true>>(&[()], 1_000);
}
