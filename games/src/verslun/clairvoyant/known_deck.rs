//! Play with the whole deck known: positions without points, and the ways on from them.
//!
//! The use of a claimed column can be decided when it is claimed. Either it is **kept** to the end and counts, or it is a
//! **spare**, given up for a redeal sooner or later, and counts nothing. A player who knows the deck knows which. So points are
//! gained at once for a column that is kept, and never for a spare. A position is then only the cards left in the pile, the
//! open columns, the hand and the number of spares: which cards lie in a claimed column, and which of several spares is given
//! up, changes nothing that follows. A spare that is never given up scores more than was counted for it, so the best count is
//! the best score.
//!
//! The ways on from the start of a turn lead over one claim to the start of the next: draw or stay, redeal or keep, claim, go
//! on. To end the game there is always possible. Two kinds of ways are left out, each with a way at least as good:
//!
//! - **More spares than redeals.** A spare is claimed only while the pile has the cards to give it up and all those before it.
//!   Otherwise one of them is never given up, and keeping it instead with the same cards scores more.
//! - **Cards that swap.** Let a claim take x and leave y in the hand. Let y pair with every card of the claimed column that x
//!   pairs with. Let x pair with every card that y pairs with among those of the other open columns and of the pile (all
//!   cards that can still lie in a column). Then y can be taken now, and whatever is done later with y can be done with x.
//!   If the column is kept and y has more points, this scores at least as much: y counts now, and x counts later if y did. If
//!   the column is a spare and y has fewer points, likewise: x counts later if y did. Of cards with equal points the one with
//!   the higher number counts as the one with more. Each such exchange raises (for a spare lowers) the sum of the taken cards
//!   in that order, so exchanges come to an end, and a claim without any is at least as good. Where suits alone decide what
//!   pairs, that leaves one claim for each column and height: the highest cards of the suits for a column that is kept, the
//!   lowest for a spare.

use crate::cards::{Card, CardSet};
use crate::verslun::bits::ones;
use crate::verslun::claims::{arranged, selections};
use crate::verslun::deck::{CARDS, TENS, highest, lane, lowest, points, points_of};
use crate::verslun::rules::{HEIGHT, Rules};
use arrayvec::ArrayVec;

/// Four cards of the deck as a column.
#[derive(Copy, Clone, Default)]
pub struct Column {
    /// From the bottom up.
    pub cards: [u8; HEIGHT],
    /// The same as a set.
    pub set: u64,
    /// The cards that pair with each.
    pub pairs: [u64; HEIGHT],
    /// The points of the lowest cards, by their number.
    pub sums: [u8; HEIGHT + 1],
    /// How many of the lowest cards are of each suit, a byte a suit, by their number.
    pub suits: [u32; HEIGHT + 1],
}

/// A deck with every card known.
pub struct KnownDeck {
    pub rules: Rules,
    pub len: usize,
    /// The first cards of the deck as a set, by their number.
    prefix: [u64; CARDS + 1],
    /// The column that the four cards from each place on make.
    pub columns: [Column; CARDS],
}

/// The start of a turn, or the choice of a claim within it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The hand.
    pub hand: u64,
    /// The open columns, each as the place in the deck where its cards begin.
    pub open: u64,
    /// The place of the pile's top card in the deck.
    pub head: u8,
    /// The number of spares.
    pub spare: u8,
}

/// The whole start of a turn as a key of transposition tables. The empty key is no node's.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
pub struct Key {
    hand: u64,
    /// Open columns, pile and spares.
    place: u64,
}

impl Key {
    /// A hash, good in its upper bits.
    #[inline]
    pub fn hash(self) -> u64 {
        let hash = (self.place ^ self.hand.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash ^ hash >> 29 ^ self.hand).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}

/// A turn.
#[derive(Copy, Clone, Debug)]
pub struct Way {
    /// The hand is filled at the beginning.
    pub draw: bool,
    /// A spare is given up.
    pub redeal: bool,
    /// The place in the deck where the claimed column begins.
    pub column: u8,
    /// The cards taken from the hand.
    pub taken: u64,
    /// The points, 0 for a spare.
    pub gain: i32,
    /// The start of the next turn.
    pub next: Node,
}

impl Default for KnownDeck {
    fn default() -> Self {
        Self { rules: Rules::default(), len: 0, prefix: [0; CARDS + 1], columns: [Column::default(); CARDS] }
    }
}

impl KnownDeck {
    /// Looks at a deck, its cards as [`crate::cards::Card::id`] from the top; the start of the first turn.
    pub fn begin(&mut self, rules: &Rules, deck: &[u8]) -> Node {
        self.rules = *rules;
        self.len = deck.len();
        for (i, &id) in deck.iter().enumerate() {
            self.prefix[i + 1] = self.prefix[i] | 1 << id;
        }
        for (column, cards) in self.columns.iter_mut().zip(deck.windows(HEIGHT)) {
            let cards = [cards[3], cards[2], cards[1], cards[0]];
            *column = Column { cards, pairs: cards.map(|id| rules.pairing(id)), ..Column::default() };
            for (at, id) in cards.into_iter().enumerate() {
                column.set |= 1 << id;
                column.sums[at + 1] = column.sums[at] + points(id);
                column.suits[at + 1] = column.suits[at] + (1 << (8 * (id >> 4)));
            }
        }
        let open = (0..rules.columns).fold(0, |open, i| open | 1 << (4 * i));
        Node { hand: 0, open, head: 4 * rules.columns, spare: 0 }
    }

    /// The cards of the deck from one place to before another.
    #[inline]
    pub fn range(&self, from: usize, to: usize) -> u64 {
        self.prefix[to] & !self.prefix[from]
    }

    /// How many redeals the pile has cards for.
    #[inline]
    pub fn redeals(&self, head: usize) -> usize {
        (self.len - head) / self.rules.redealt()
    }

    /// How many cards the hand lacks.
    #[inline]
    pub fn missing(&self, hand: u64) -> usize {
        usize::from(self.rules.hand) - hand.count_ones() as usize
    }

    /// Calls `f` with every way to come to the choice of a claim: whether cards are drawn, whether a spare is given up, and
    /// the node then. None where the pile is empty.
    #[inline]
    pub fn openings(&self, node: &Node, mut f: impl FnMut(bool, bool, &Node)) {
        let head = usize::from(node.head);
        if head == self.len {
            return;
        }
        let drawn = self.missing(node.hand).min(self.len - head);
        for draw in [true, false] {
            let mut after = *node;
            if draw {
                after.hand |= self.range(head, head + drawn);
                after.head += drawn as u8;
            }
            if after.hand != 0 {
                f(draw, false, &after);
            }
            let from = usize::from(after.head);
            let to = from + self.rules.redealt();
            if node.spare > 0 && to <= self.len {
                after.hand = self.range(from + HEIGHT, to);
                after.open |= 1 << from;
                after.spare -= 1;
                after.head = to as u8;
                f(draw, true, &after);
            }
        }
    }

    /// The cards of these columns, from the bottom up.
    pub fn open_columns(&self, open: u64) -> impl Iterator<Item = &[u8; HEIGHT]> {
        ones::<CARDS>(open).map(|start| &self.columns[start].cards)
    }

    /// Whether any column can be claimed at a choice.
    #[inline]
    pub fn can_claim(&self, node: &Node) -> bool {
        ones::<CARDS>(node.open).any(|start| self.columns[start].pairs[0] & node.hand != 0)
    }

    /// Calls `f` with every claim at a choice: the column, the cards taken, and its points, once for a column that
    /// is kept and once, with no points, for a spare.
    #[inline]
    pub fn claims(&self, node: &Node, mut f: impl FnMut(u8, u64, Option<i32>)) {
        let spares = usize::from(node.spare) < self.redeals(usize::from(node.head));
        if !self.rules.suits_only() {
            return self.all_claims(node, spares, &mut f);
        }
        for start in ones::<CARDS>(node.open) {
            let column = &self.columns[start];
            let (mut high, mut low, mut gain) = (node.hand, node.hand, 0);
            // A plain loop in place of `upwards`, by which solving would take 5 % longer.
            for (pairs, &card) in column.pairs.iter().zip(&column.cards) {
                let Some(partner) = highest(high & pairs) else { break };
                high ^= 1 << partner;
                gain += i32::from(points(partner) + points(card));
                f(start as u8, node.hand ^ high, Some(gain));
                if let Some(partner) = lowest(low & pairs).filter(|_| spares) {
                    low ^= 1 << partner;
                    f(start as u8, node.hand ^ low, None);
                }
            }
        }
    }

    /// The same where pairs are not made by suits alone.
    fn all_claims(&self, node: &Node, spares: bool, f: &mut impl FnMut(u8, u64, Option<i32>)) {
        let hand: ArrayVec<u8, CARDS> = CardSet::from_bits(node.hand).into_iter().map(Card::id).collect();
        let redeals = self.redeals(usize::from(node.head)) > 0;
        let pile = if redeals { self.range(usize::from(node.head), self.len) } else { 0 };
        for start in ones::<CARDS>(node.open) {
            let column = &self.columns[start];
            let open = ones::<CARDS>(node.open & !(1 << start));
            let others = open.fold(pile, |others, start| others | self.columns[start].set);
            // For each card of the hand those that had better be taken in its place.
            let mut better = [(0_u64, 0_u64); 64];
            for &x in &hand {
                let pairs = self.rules.pairing(x);
                for &y in &hand {
                    let with = self.rules.pairing(y);
                    let able = pairs & column.set & !with == 0 && with & others & !pairs == 0;
                    if able && (points(y), y) > (points(x), x) {
                        better[usize::from(x)].0 |= 1 << y;
                    }
                    if able && (points(y), y) < (points(x), x) {
                        better[usize::from(x)].1 |= 1 << y;
                    }
                }
            }
            selections(&column.pairs, node.hand, |height, taken| {
                let left = node.hand & !taken;
                let swaps =
                    |of: fn(&(u64, u64)) -> u64| ones::<64>(taken).any(|card| of(&better[card]) & left != 0);
                let (kept, spare) = (!swaps(|b| b.0), spares && !swaps(|b| b.1));
                if (kept || spare) && arranged(&column.pairs, taken).is_some() {
                    if kept {
                        let gain = i32::from(column.sums[height]) + i32::from(points_of(taken));
                        f(start as u8, taken, Some(gain));
                    }
                    if spare {
                        f(start as u8, taken, None);
                    }
                }
            });
        }
    }

    /// The start of the next turn after a claim.
    #[inline]
    pub fn after(node: &Node, column: u8, taken: u64, kept: bool) -> Node {
        Node {
            hand: node.hand & !taken,
            open: node.open & !(1 << column),
            spare: node.spare + u8::from(!kept),
            head: node.head,
        }
    }

    /// The key of the start of a turn. Where suits alone decide what pairs, cards of one suit with equal points are the same.
    #[inline]
    pub fn key(&self, node: &Node) -> Key {
        let place = node.open | u64::from(node.head) << 52 | u64::from(node.spare) << 58;
        if !self.rules.suits_only() {
            return Key { hand: node.hand, place };
        }
        let tens = node.hand & TENS;
        let mut hand = node.hand & !TENS;
        for suit in 0..4 {
            let n = lane(tens, suit).count_ones();
            hand |= ((1 << n) - 1) << (10 + 16 * suit);
        }
        Key { hand, place }
    }
}
