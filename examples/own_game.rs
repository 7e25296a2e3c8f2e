//! A game of one's own in `sim`: `cargo run --release --example own_game -- run --game nines --agent mcts -n 1000`.
//!
//! Nines: two players hold four each of the clubs from 2 to 10; one lies aside, face down. The higher card takes the trick.

use knave::agents::learn::Features;
use knave::agents::{Game, Kit, Notation, Options, Rng, Seat, Tools, Turn};
use knave::cards::{Card, Suit};
use knave::games::{CardGame, DeckError, NoTally, check_deck, value_of_model};
use knave::registry::Registry;
use rand::seq::SliceRandom as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The options of the rules; the doc comments are what `sim list games` shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Whether the lower card takes the trick
    pub low: bool,
}

impl Options for Rules {}

/// What lies open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Open {
    rules: Rules,
    led: Option<(Seat, Card)>,
    leader: Seat,
    tricks: [u8; 2],
}

/// A position, with the deck as it was dealt and the cards in hand, sorted.
#[derive(Clone, Debug)]
pub struct Nines {
    open: Open,
    deck: Vec<Card>,
    hands: [Vec<Card>; 2],
}

/// What a seat knows: what lies open, its hand, the cards that it has not seen, and how many of those the other holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View(Open, Seat, Vec<Card>, Vec<Card>, usize);

fn sorted(cards: &[Card]) -> Vec<Card> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    cards
}

impl Game for Nines {
    type Rules = Rules;
    type Move = Card;
    type Chance = ();
    type View = View;

    fn deal(rules: &Rules, rng: &mut Rng) -> Self {
        let mut deck = Self::full_deck();
        deck.shuffle(rng);
        Self::from_deck(rules, &deck).expect("a whole deck can be dealt")
    }

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        match self.open.led {
            Some((seat, _)) => Turn::Player(1 - seat),
            None if self.hands[0].is_empty() => Turn::Over,
            None => Turn::Player(self.open.leader),
        }
    }

    fn moves(&self, out: &mut Vec<Card>) {
        out.clear();
        if let Turn::Player(seat) = self.turn() {
            out.extend(&self.hands[seat]);
        }
    }

    fn play(&mut self, card: Card) {
        let open = &mut self.open;
        let seat = open.led.map_or(open.leader, |(leader, _)| 1 - leader);
        self.hands[seat].retain(|&other| other != card);
        let Some((leader, led)) = open.led.take() else {
            open.led = Some((seat, card));
            return;
        };
        open.leader = if (card.rank() > led.rank()) != open.rules.low { seat } else { leader };
        open.tricks[open.leader] += 1;
    }

    fn utility(&self, seat: Seat) -> f64 {
        f64::from(self.open.tricks[seat]) / 4.0
    }

    fn view(&self, seat: Seat) -> View {
        let theirs = &self.hands[1 - seat];
        let unseen = sorted(&[&theirs[..], &self.deck[8..]].concat());
        View(self.open, seat, self.hands[seat].clone(), unseen, theirs.len())
    }

    fn sample_world(View(open, seat, hand, unseen, theirs): &View, rng: &mut Rng) -> Self {
        let mut unseen = unseen.clone();
        unseen.shuffle(rng);
        let other = sorted(&unseen[..*theirs]);
        let hands = if *seat == 0 { [hand.clone(), other] } else { [other, hand.clone()] };
        Self { open: *open, deck: vec![unseen[*theirs]; 9], hands }
    }
}

impl Notation for Nines {}

impl Tools for Nines {
    fn kit(_: &Rules) -> Kit<Self> {
        Kit::default()
            .trainable()
            .evaluator_of_model(|model, rules| Ok(Arc::new(value_of_model(model, rules)?)))
            .policy_of_model(|model, rules| Ok(Arc::new(value_of_model(model, rules)?)))
    }
}

/// What a net sees: the cards in hand, those unseen, the one that was led and by whom, the rules, and who leads.
impl Features for Nines {
    const FEATURES_VERSION: u32 = 1;
    const INPUTS: usize = 4 * 9 + 2;

    fn settled(&self, seat: Seat) -> f64 {
        f64::from(self.open.tricks[seat]) / 4.0
    }

    fn features(&self, seat: Seat, out: &mut Vec<u16>) {
        let View(open, _, hand, unseen, _) = self.view(seat);
        let feature = |group: u16, card: Card| 9 * group + u16::from(card.rank()) - 2;
        out.clear();
        out.extend(hand.iter().map(|&card| feature(0, card)));
        out.extend(unseen.iter().map(|&card| feature(1, card)));
        out.extend(open.led.map(|(leader, card)| feature(if leader == seat { 2 } else { 3 }, card)));
        out.extend(open.rules.low.then_some(36));
        out.extend((open.leader == seat).then_some(37));
    }
}

impl CardGame for Nines {
    const NAME: &'static str = "nines";
    const SUMMARY: &'static str = "two players, four tricks: the higher card takes it";
    type Tally = NoTally;

    fn full_deck() -> Vec<Card> {
        (2..=10).map(|rank| Card::new(Suit::Clubs, rank)).collect()
    }

    fn from_deck(rules: &Rules, deck: &[Card]) -> Result<Self, DeckError> {
        check_deck(&Self::full_deck(), deck)?;
        if deck.len() < 9 {
            return Err(DeckError::Short { cards: deck.len(), needed: 9 });
        }
        let hands = [sorted(&deck[..4]), sorted(&deck[4..8])];
        let open = Open { rules: *rules, led: None, leader: 0, tricks: [0; 2] };
        Ok(Self { open, deck: deck.to_vec(), hands })
    }

    fn deck(&self) -> Vec<Card> {
        self.deck.clone()
    }

    fn score(&self, seat: Seat) -> i64 {
        i64::from(self.open.tricks[seat])
    }
}

fn main() -> std::process::ExitCode {
    knave::cli::main_with(Registry::builtin().game::<Nines>())
}
