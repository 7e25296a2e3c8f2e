//! The features of a learned value: what a seat knows of a position.
//!
//! Suits that play the same part share their features: the trumps come first, then the black suits, whose
//! jacks are scoundrels, then the red ones. A black trump suit takes a scoundrel with it, so there are two
//! tables of cards.

use super::table::SEATS;
use super::{DEALER, Rules, SCOUNDRELS, Whist};
use crate::cards::{CardSet, Suit};
use crate::games::models;
use knave_agents::learn::{Features, LearnedValue, Model};
use knave_agents::{Evaluator, Seat};
use std::sync::{Arc, LazyLock};

/// The ranks of a suit.
const RANKS: u16 = 13;
/// The cards, and how many of them a table has for either colour of the trumps.
const CARDS: u16 = 4 * RANKS;
/// Leads over another seat beyond this many points count as this many.
const LEAD: i32 = 12;
const LEADS: u16 = 2 * LEAD as u16 + 1;

// Where each group of features begins.
const OWN: u16 = 0;
const UNSEEN: u16 = OWN + 2 * CARDS;
const SHOWN: u16 = UNSEEN + 2 * CARDS;
const OUT: u16 = SHOWN + 4 * RANKS;
const AHEAD_OF: u16 = OUT + 3 * 4;
const BEST: u16 = AHEAD_OF + 3 * LEADS;
const LEFT: u16 = BEST + LEADS * 14;
const LEADER: u16 = LEFT + 14;
const TRICK: u16 = LEADER + 4;
const BEATEN_BY: u16 = TRICK + 3 * 4 * 7;
const LENGTH: u16 = BEATEN_BY + 3 * 8;
const INPUTS: u16 = LENGTH + 4 * 14;

/// The suits in the order of the features, by the trump suit.
const ORDER: [[Suit; 4]; 4] = {
    use Suit::{Clubs, Diamonds, Hearts, Spades};
    [
        [Clubs, Spades, Diamonds, Hearts],
        [Diamonds, Clubs, Spades, Hearts],
        [Hearts, Clubs, Spades, Diamonds],
        [Spades, Clubs, Diamonds, Hearts],
    ]
};

impl Features for Whist {
    const FEATURES_VERSION: u32 = 1;
    const INPUTS: usize = INPUTS as usize;

    /// The own cards and those that others hold; the shown trump, by the seat that holds it; who is out of which
    /// suit; the leads over the others, that over the best with the tricks to come; who leads; who wins the trick as
    /// it lies, for how many points, and how many cards could still take it away; the lengths of the own suits.
    fn features(&self, seat: Seat, out: &mut Vec<u16>) {
        let table = &self.table;
        let (hand, others) = (self.hand(seat), self.others(seat));
        let order = &ORDER[table.trump as usize];
        let red = u16::from(matches!(table.trump, Suit::Diamonds | Suit::Hearts));
        out.clear();
        let mut cards = |set: CardSet, from: u16| {
            for (place, &suit) in (0..).zip(order) {
                let mut lane = set.lane(suit) >> 2;
                let first = from + red * CARDS + place * RANKS;
                while lane != 0 {
                    out.push(first + lane.trailing_zeros() as u16);
                    lane &= lane - 1;
                }
            }
        };
        cards(hand, OWN);
        cards(others, UNSEEN);
        let relative = |other: Seat| (other.wrapping_sub(seat) & 3) as u16;
        if self.hand(DEALER).contains(table.shown) {
            out.push(SHOWN + relative(DEALER) * RANKS + u16::from(table.shown.rank()) - 2);
        }
        for other in 1..SEATS {
            let open = table.open[(seat + other) & 3];
            for (place, &suit) in (0..).zip(order) {
                if open.lane(suit) & !(SCOUNDRELS.lane(suit)) == 0 {
                    out.push(OUT + (other as u16 - 1) * 4 + place);
                }
            }
        }
        let lead = |over: Seat| {
            let lead = i32::from(table.points[seat & 3]) - i32::from(table.points[over & 3]);
            lead.clamp(-LEAD, LEAD)
        };
        let mut least = LEAD;
        for other in 1..SEATS {
            let lead = lead(seat + other);
            least = least.min(lead);
            out.push(AHEAD_OF + (other as u16 - 1) * LEADS + (lead + LEAD) as u16);
        }
        let left = hand.len() as u16;
        out.push(BEST + left * LEADS + (least + LEAD) as u16);
        out.push(LEFT + left);
        if table.count == 0 {
            out.push(LEADER + relative(table.seat()));
        } else {
            let ahead = relative(table.ahead());
            let points = (table.trick_points().clamp(-3, 3) + 3) as u16;
            out.push(TRICK + ((u16::from(table.count) - 1) * 4 + ahead) * 7 + points);
            if ahead == 0 {
                let beating = CardSet::from_bits(others.bits() & table.winning.bits()).len() as u16;
                out.push(BEATEN_BY + (u16::from(table.count) - 1) * 8 + beating.min(7));
            }
        }
        for (place, &suit) in (0..).zip(order) {
            out.push(LENGTH + place * 14 + hand.lane(suit).count_ones() as u16);
        }
    }
}

static MODEL: LazyLock<Arc<Model>> =
    LazyLock::new(|| models::shipped(include_bytes!("../../../agents/models/whist.model")));

/// The trained value; rollouts go on to the end of the trick for it, where little is left to guess.
pub struct AfterTrick(LearnedValue<Whist>);

impl AfterTrick {
    /// The trained value, where it was trained for these rules.
    pub fn new(rules: &Rules) -> Option<Self> {
        models::value(std::slice::from_ref(&*MODEL), rules).map(Self)
    }
}

impl Evaluator<Whist> for AfterTrick {
    fn value(&self, position: &Whist, seat: Seat) -> f64 {
        self.0.value(position, seat)
    }

    fn settled(&self, position: &Whist) -> Option<bool> {
        Some(position.table.count == 0)
    }
}
