//! Features of the learned value: the knowledge of a seat.
//!
//! Suits of the same part share their features. Trumps come first, then the black suits, whose jacks are scoundrels, then
//! the red ones. A black trump suit contains a scoundrel, so cards have other features with black trumps than with red. What the
//! rules say of a card (the points of aces and sevens, the suit of scoundrels) gives it other features, too.

use crate::cards::{Card, CardSet, Suit};
use crate::whist::{DEALER, Rules, SCOUNDRELS, SEATS, Whist};
use knave_agents::Seat;
use knave_agents::learn::Features;

/// The number of ranks in a suit.
const RANKS: u16 = 13;
/// The number of cards; they have features of their own for either colour of the trumps, and for what the rules say of them.
const CARDS: u16 = 4 * RANKS;
/// The number of features of cards where the rules say the same.
const COLOURED: u16 = 2 * CARDS;
/// The most that the rules can say of a card: the points of an ace.
const SAID: u16 = 3;
/// The number of rules.
const ALL_RULES: u16 = 2 * 3 * 2;
/// The numbers of cards that are told apart, from 0.
const COUNTS: u16 = 8;
/// The largest lead over another seat, in points.
const LEAD: i32 = 12;
const LEADS: u16 = 2 * LEAD as u16 + 1;

// The first feature of each group.
pub(super) const OWN: u16 = 0;
const UNSEEN: u16 = OWN + SAID * COLOURED;
const SHOWN: u16 = UNSEEN + SAID * COLOURED;
const OUT: u16 = SHOWN + 4 * RANKS;
const AHEAD_OF: u16 = OUT + 3 * 4;
const BEST: u16 = AHEAD_OF + 3 * LEADS;
const LEFT: u16 = BEST + LEADS * 14;
const LEADER: u16 = LEFT + 14;
const TRICK: u16 = LEADER + 4;
const BEATEN_BY: u16 = TRICK + 3 * 4 * 7;
const LENGTH: u16 = BEATEN_BY + 3 * 8;
const RULES: u16 = LENGTH + 4 * 14;
const STANDING: u16 = RULES + ALL_RULES;
const INPUTS: u16 = STANDING + 4 * COUNTS * COUNTS;

// The same for the shared features.
const OWN_CARD: u16 = INPUTS;
const UNSEEN_CARD: u16 = OWN_CARD + COLOURED;
const OPTIONS: u16 = UNSEEN_CARD + COLOURED;
const ABOVE: u16 = OPTIONS + 2 + 3 + 2;
const ALL: u16 = ABOVE + 4 * COUNTS;

/// The number of some rules.
fn number(rules: &Rules) -> u16 {
    let Rules { scoundrels, ace, count } = *rules;
    (scoundrels as u16 * 3 + (ace + 1) as u16) * 2 + count as u16
}

/// What each of the rules says of the cards of a rank in red and in black suits, as a distance between features.
const SAYS: [[[u16; 16]; 2]; ALL_RULES as usize] = {
    let mut says = [[[0; 16]; 2]; ALL_RULES as usize];
    let mut rules = 0;
    while rules < says.len() {
        let (scoundrels, ace, count) = (rules / 6, rules / 2 % 3, rules % 2);
        let mut black = 0;
        while black < 2 {
            says[rules][black][14 - 2] = ace as u16 * COLOURED;
            says[rules][black][7 - 2] = count as u16 * COLOURED;
            says[rules][black][11 - 2] = (black * scoundrels) as u16 * COLOURED;
            black += 1;
        }
        rules += 1;
    }
    says
};

/// The place of each suit in [`ORDER`].
const PLACE: [[u16; 4]; 4] = {
    let mut places = [[0; 4]; 4];
    let mut trump = 0;
    while trump < 4 {
        let mut place = 0;
        while place < 4 {
            places[trump][ORDER[trump][place] as usize] = place as u16;
            place += 1;
        }
        trump += 1;
    }
    places
};

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

/// The groups of features. Suits are in the order of [`ORDER`].
impl Whist {
    /// The place of a card within a group of cards.
    #[inline]
    pub(super) fn place(&self, card: Card) -> u16 {
        let (rank, black) = (u16::from(card.rank()) - 2, usize::from(is_black(card.suit())));
        let says = SAYS[usize::from(number(&self.board.rules))][black][usize::from(rank) & 15];
        says + u16::from(!is_black(self.board.trump)) * CARDS + self.place_of_suit(card.suit()) * RANKS + rank
    }

    /// The place of a suit in the order of the features.
    #[inline]
    pub(super) fn place_of_suit(&self, suit: Suit) -> u16 {
        PLACE[self.board.trump as usize][suit as usize]
    }

    /// The rules, the own cards, and those that others hold.
    pub(super) fn card_features(&self, seat: Seat, out: &mut Vec<u16>) {
        out.push(RULES + number(&self.board.rules));
        let (red, says) =
            (u16::from(!is_black(self.board.trump)), &SAYS[usize::from(number(&self.board.rules))]);
        for (set, from) in [(self.hand(seat), OWN), (self.others(seat), UNSEEN)] {
            for (place, &suit) in (0..).zip(&ORDER[self.board.trump as usize]) {
                let mut lane = set.lane(suit) >> 2;
                let (first, says) = (from + red * CARDS + place * RANKS, &says[usize::from(is_black(suit))]);
                while lane != 0 {
                    let rank = lane.trailing_zeros() as u16;
                    out.push(first + rank + says[usize::from(rank) & 15]);
                    lane &= lane - 1;
                }
            }
        }
    }

    /// An own card by the numbers of cards of its suit with others that beat it and that it beats: sums of cards alone do not
    /// tell them. `None` for a scoundrel.
    #[inline]
    pub(in crate::whist) fn standing_of(&self, card: Card, others: CardSet) -> Option<u16> {
        let (others, scoundrels) = (others.lane(card.suit()), SCOUNDRELS.lane(card.suit()));
        let above = others & (!0 << card.rank() | scoundrels);
        let count = |lane: u16| (lane.count_ones() as u16).min(COUNTS - 1);
        let (above, below) = (count(above), count(others & !above));
        let place = self.place_of_suit(card.suit());
        (!SCOUNDRELS.contains(card))
            .then(|| STANDING + (place * COUNTS + below) * COUNTS + COUNTS - 1 - above)
    }

    /// The same for all own cards. Two mostly have the same feature where no other card lies between them.
    pub(super) fn standings(&self, seat: Seat, out: &mut Vec<u16>) {
        let (own, others) = (self.hand(seat), self.others(seat));
        for suit in ORDER[self.board.trump as usize] {
            let own = own & CardSet::of_suit(suit);
            out.extend(own.into_iter().filter_map(|card| self.standing_of(card, others)));
        }
    }

    /// The shown trump, by the seat that holds it.
    #[inline]
    pub(super) fn shown(&self, seat: Seat) -> Option<u16> {
        let shown = self.board.shown;
        let held = self.hand(DEALER).contains(shown);
        held.then(|| SHOWN + relative(DEALER, seat) * RANKS + u16::from(shown.rank()) - 2)
    }

    /// The suits that the others have shown to be out of.
    pub(super) fn out_of(&self, seat: Seat, out: &mut Vec<u16>) {
        for other in 1..SEATS {
            let possible = self.board.possible[(seat + other) & 3];
            for (place, &suit) in (0..).zip(&ORDER[self.board.trump as usize]) {
                if possible.lane(suit) & !(SCOUNDRELS.lane(suit)) == 0 {
                    out.push(OUT + (other as u16 - 1) * 4 + place);
                }
            }
        }
    }

    /// The lead over each opponent, the least lead together with the tricks to come, and their number.
    #[inline]
    pub(super) fn leads(&self, seat: Seat) -> [u16; 5] {
        let points = self.board.points.map(i32::from);
        let lead = |other: Seat| (points[seat & 3] - points[(seat + other) & 3]).clamp(-LEAD, LEAD);
        let leads = [lead(1), lead(2), lead(3)];
        let least = leads.into_iter().fold(LEAD, i32::min);
        let left = self.hand(seat).len() as u16;
        let [a, b, c] = leads.map(|lead| (lead + LEAD) as u16);
        let best = BEST + left * LEADS + (least + LEAD) as u16;
        [AHEAD_OF + a, AHEAD_OF + LEADS + b, AHEAD_OF + 2 * LEADS + c, best, LEFT + left]
    }

    /// The leader of an empty trick, or else the seat ahead and the points of the trick.
    ///
    /// Where the seat itself is ahead, also the number of cards that could still beat it.
    #[inline]
    pub(super) fn trick(&self, seat: Seat) -> (u16, Option<u16>) {
        let board = &self.board;
        if board.count == 0 {
            return (LEADER + relative(board.mover(), seat), None);
        }
        let ahead = relative(board.ahead(), seat);
        let points = (board.trick_points().clamp(-3, 3) + 3) as u16;
        let played = u16::from(board.count) - 1;
        let beaten_by = (ahead == 0).then(|| {
            let beating = (self.others(seat) & board.winning).len() as u16;
            BEATEN_BY + played * 8 + beating.min(7)
        });
        (TRICK + (played * 4 + ahead) * 7 + points, beaten_by)
    }

    /// The length of an own suit.
    #[inline]
    pub(super) fn length(&self, seat: Seat, suit: Suit) -> u16 {
        LENGTH + self.place_of_suit(suit) * 14 + self.hand(seat).lane(suit).count_ones() as u16
    }
}

/// The distance of a seat to the left of another.
#[inline]
fn relative(of: Seat, to: Seat) -> u16 {
    (of.wrapping_sub(to) & 3) as u16
}

fn is_black(suit: Suit) -> bool {
    matches!(suit, Suit::Clubs | Suit::Spades)
}

impl Features for Whist {
    const FEATURES_VERSION: u32 = 3;
    const INPUTS: usize = INPUTS as usize;
    const SHARED: usize = (ALL - INPUTS) as usize;

    fn features(&self, seat: Seat, out: &mut Vec<u16>) {
        out.clear();
        self.card_features(seat, out);
        out.extend(self.shown(seat));
        self.out_of(seat, out);
        out.extend(self.leads(seat));
        let (trick, beaten_by) = self.trick(seat);
        out.push(trick);
        out.extend(beaten_by);
        out.extend(ORDER[self.board.trump as usize].map(|suit| self.length(seat, suit)));
        self.standings(seat, out);
    }

    fn shared(feature: u16, out: &mut Vec<u16>) {
        match feature {
            OWN..UNSEEN => out.push(OWN_CARD + (feature - OWN) % COLOURED),
            UNSEEN..SHOWN => out.push(UNSEEN_CARD + (feature - UNSEEN) % COLOURED),
            STANDING..INPUTS => {
                // The cards that beat it, whatever it beats.
                let (rest, above) = ((feature - STANDING) / COUNTS, (feature - STANDING) % COUNTS);
                out.push(ABOVE + rest / COUNTS * COUNTS + above);
            }
            RULES..STANDING => {
                let rules = feature - RULES;
                out.extend([rules / 6, 2 + rules / 2 % 3, 5 + rules % 2].map(|option| OPTIONS + option));
            }
            _ => {}
        }
    }
}
