//! Upper bounds on the points that can still be gained with the whole deck known.
//!
//! The bound allows play more than the rules do, so that it can be read off tables:
//!
//! - **No card is used up.** Between two redeals a column that is kept takes its partners from all cards that the hand can
//!   have held by then: its **reach**. At the turn of the j-th claim after a redeal at place q, these are the cards dealt to the
//!   hand and at most 4 (j − 1) more, for a claim takes at most four and the next draw replaces no more. Alone, a column brings
//!   at most its highest pairs within the reach, from the bottom up as far as each suit lasts ([`Reach::alone`]). Several
//!   columns that are kept between the same two redeals bring together, suit by suit, at most the highest of their cards and
//!   the highest of the reach, as many as both have ([`Reach::joint`]). The best order of claims is taken.
//! - **Spares are free.** Columns that are not kept before a redeal may become spares. That costs nothing, except that claims
//!   widen the reach of others.
//! - **Redeals come at any place** that the pile can have come to: after t claims since the deal, at most 4 t cards further.
//! - **A new column that waits** past the next redeal brings at once what it brings alone with all cards from there. For its
//!   claim, whenever it is made, the reach of all others is taken to be 4 cards wider.
//!
//! [`UpperBounds::later`] holds the maximum over all that for a redeal at each place, by the columns of the first deal that are
//! still open, the number of spares, and the number of new columns that wait. Where there are too many columns for such
//! tables, and where ranks or aces pair across suits, bounds are coarser: all columns alone, each card with the best of the
//! partners that pair with it.

#![allow(clippy::needless_range_loop, reason = "several lists are walked side by side")]

use super::known_deck::{Column, KnownDeck, Node};
use crate::cards::CardSet;
use crate::verslun::bits::ones;
use crate::verslun::deck::{CARDS, lane, points};
use crate::verslun::rules::{HEIGHT, MAX_COLUMNS};
use arrayvec::ArrayVec;

/// The most columns for which there are tables.
const MOST_COLUMNS: usize = 5;

/// The numbers of waiting columns that are told apart: none, one, and more.
const WAITING: usize = 3;

/// The most cards of one suit.
const SUIT: usize = 13;

/// See [`HIGHEST`].
type Highest = [[u8; 16]; 1 << SUIT];

/// The points of the highest cards of one suit, by the suit's ranks from 2 up as bits and the number of cards.
static HIGHEST: Highest = {
    const ACE: usize = SUIT - 1;
    let (mut table, mut ranks) = ([[0; 16]; 1 << SUIT], 1_usize);
    while ranks < 1 << SUIT {
        let others = ranks & !(1 << ACE);
        let highest = if others == 0 { ACE } else { others.ilog2() as usize };
        let (rest, points, mut n) = (table[ranks ^ 1 << highest], points(highest as u8 + 2), 1);
        while n < 16 {
            table[ranks][n] = rest[n - 1] + points;
            n += 1;
        }
        ranks += 1;
    }
    table
};

/// A set of cards, by suits.
#[derive(Copy, Clone)]
pub struct Reach {
    highest: [&'static [u8; 16]; 4],
    /// The number of cards, a byte a suit.
    counts: u32,
}

impl Reach {
    #[inline]
    pub fn new(cards: u64) -> Self {
        let row = |s: usize| &HIGHEST[(cards >> (16 * s + 2)) as usize % (1 << SUIT)];
        let count = |s: usize| lane(cards, s).count_ones() << (8 * s);
        let highest = [row(0), row(1), row(2), row(3)];
        Self { highest, counts: count(0) | count(1) | count(2) | count(3) }
    }

    /// The most that a column can bring with these partners.
    #[inline]
    pub fn alone(&self, column: &Column) -> i32 {
        const TOPS: u32 = 0x8080_8080;
        let mut height = HEIGHT;
        loop {
            let need = column.suits[height];
            // A suit that does not last borrows the top bit of its byte.
            if ((self.counts | TOPS) - need) & TOPS == TOPS {
                let partners = |s: usize| i32::from(self.highest[s][(need >> (8 * s) & 15) as usize]);
                return i32::from(column.sums[height])
                    + partners(0)
                    + partners(1)
                    + partners(2)
                    + partners(3);
            }
            height -= 1;
        }
    }

    /// The most that the cards of columns can bring with these partners.
    #[inline]
    pub fn joint(&self, columns: &Reach) -> i32 {
        let suit = |s: usize| {
            let count = |reach: &Reach| (reach.counts >> (8 * s) & 15) as usize;
            i32::from(self.highest[s][count(columns)]) + i32::from(columns.highest[s][count(self)])
        };
        suit(0) + suit(1) + suit(2) + suit(3)
    }
}

/// A redeal, with the deck known.
struct Redeal {
    /// The place after its cards.
    next: usize,
    /// The most redeals that can follow.
    after: usize,
    /// The points of its new column if that waits past the next redeal.
    waits: i16,
}

/// Bounds for one deck.
#[derive(Default)]
pub struct UpperBounds {
    /// Whether bounds are read off tables.
    fine: bool,
    /// The points from a redeal on, by the claims since the last one (as a window of places), waiting columns, place, columns of
    /// the first deal and spares: see [`UpperBounds::at`].
    later: Vec<i16>,
    columns: usize,
    places: usize,
    /// The points of a new column that waits past the next redeal, by its place and that of the pile's top card.
    waiting: Vec<i16>,
    /// The points of several columns, by their set, for each width of the reach: see [`fill_sets`].
    together: Vec<[i16; 2 << MOST_COLUMNS]>,
    /// The most points of new columns, by their number, from each place on.
    coarse: Vec<[i16; 64]>,
}

/// The most points that can follow each claim at a choice, by the order of the open columns: where the column is kept, and where
/// it is a spare.
pub type Forecast = [(i32, i32); MAX_COLUMNS];

impl UpperBounds {
    #[inline]
    fn at(&self, window: usize, waiting: usize, place: usize, set: usize, spares: usize) -> usize {
        let place = (window * WAITING + waiting) * self.places + place;
        (place << self.columns | set) * (self.columns + 1) + spares
    }

    /// Fills the tables for a deck.
    pub fn begin(&mut self, deck: &KnownDeck) {
        self.columns = usize::from(deck.rules.columns);
        self.places = deck.len + 1;
        self.fine = self.columns <= MOST_COLUMNS && deck.rules.suits_only();
        if self.fine {
            self.fill(deck);
        } else {
            self.fill_coarse(deck);
        }
    }

    fn fill(&mut self, deck: &KnownDeck) {
        let (columns, places) = (self.columns, self.places);
        // In sets of all columns the new one is the last.
        self.later.clear();
        self.later.resize((columns + 2) * WAITING * places * ((columns + 1) << columns), 0);
        self.together.clear();
        self.together.resize(columns + 1, [0; 2 << MOST_COLUMNS]);
        self.waiting.clear();
        self.waiting.resize(places * places, 0);
        for q in (HEIGHT * columns..places.saturating_sub(deck.rules.redealt())).rev() {
            self.fill_place(deck, q);
        }
    }

    /// Fills the rows of a redeal at place `q` when those of later places are there.
    fn fill_place(&mut self, deck: &KnownDeck, q: usize) {
        let (columns, next) = (self.columns, q + deck.rules.redealt());
        for head in next..=deck.len {
            let ever = Reach::new(deck.range((head + HEIGHT).min(deck.len), deck.len));
            self.waiting[q * self.places + head] = ever.alone(&deck.columns[q]) as i16;
        }
        self.fill_together(deck, q);
        let waits = self.waiting[q * self.places + next];
        let redeal = Redeal { next, after: deck.redeals(next), waits };
        for held in 0..WAITING {
            for set in 0..1_usize << columns {
                for spares in 1..=columns - set.count_ones() as usize {
                    let at = self.at(0, held, q, set, spares);
                    self.later[at] = self.best_redeal(&redeal, held, set, spares);
                }
            }
            for set in 0..1_usize << columns {
                // Without spares one of the columns becomes one first.
                let one_spare = |c: usize| self.later[self.at(0, held, q, set ^ 1 << c, 1)];
                let best = ones::<MOST_COLUMNS>(set as u64).map(one_spare).max().unwrap_or(0);
                let at = self.at(0, held, q, set, 0);
                self.later[at] = best;
            }
            self.widen(held, q);
        }
    }

    /// The most points from this redeal on, with these numbers of waiting columns and of spares, over the columns of `set` that
    /// are kept before the next.
    #[inline]
    fn best_redeal(&self, redeal: &Redeal, held: usize, set: usize, spares: usize) -> i16 {
        let &Redeal { next, after, waits } = redeal;
        let (columns, new) = (self.columns, 1 << self.columns);
        // The last number of waiting columns stands for any more.
        let extra = if held + 1 == WAITING { columns + 1 } else { held };
        let more = |n: usize| (n + extra).min(columns);
        let window = |n: usize| (n + extra).min(columns + 1);
        let mut best = 0;
        let mut kept = set;
        loop {
            let rest = set ^ kept;
            let others = (rest.count_ones() as usize).min(after);
            let (wide, wider) = (more(others), more((others + 1).min(after)));
            let claims = kept.count_ones() as usize;
            let (soon, soon_more) = (window(claims + others), window(claims + 1 + others));
            let then = |window: usize, held: usize, spares: usize| {
                self.later[self.at(window, held, next, rest, spares)]
            };
            // The new column is kept.
            let with = self.together[wide][kept | new];
            best = best.max(with + then(soon_more, held, spares - 1));
            if after > 0 {
                // It waits.
                let without = self.together[wide][kept];
                let held_more = (held + 1).min(WAITING - 1);
                best = best.max(without + waits + then(soon, held_more, spares - 1));
                // It becomes a spare.
                let without = self.together[wider][kept];
                best = best.max(without + then(soon_more, held, spares));
            }
            if kept == 0 {
                return best;
            }
            kept = (kept - 1) & set;
        }
    }

    /// The points of columns that are kept after a redeal at `q` and before the next.
    fn fill_together(&mut self, deck: &KnownDeck, q: usize) {
        let dealt = q + deck.rules.redealt();
        let reach: ArrayVec<Reach, { MOST_COLUMNS + 1 }> = (0..=self.columns)
            .map(|claims| Reach::new(deck.range(q + HEIGHT, deck.len.min(dealt + HEIGHT * claims))))
            .collect();
        let columns: ArrayVec<&Column, { MOST_COLUMNS + 1 }> = (0..=self.columns)
            .map(|c| &deck.columns[if c < self.columns { HEIGHT * c } else { q }])
            .collect();
        fill_sets(&columns, &reach, 1 << columns.len(), &mut self.together);
    }

    /// Widens the windows that begin at place `q`, by four places at a time.
    fn widen(&mut self, held: usize, q: usize) {
        let row = (self.columns + 1) << self.columns;
        for window in 0..=self.columns {
            let (from, to) = (self.at(window, held, q, 0, 0), self.at(window + 1, held, q, 0, 0));
            let (narrow, wide) = self.later.split_at_mut(to);
            let wide = &mut wide[..row];
            for place in 0..=HEIGHT.min(self.places - 1 - q) {
                let narrow = &narrow[from + place * row..][..row];
                wide.iter_mut().zip(narrow).for_each(|(wide, &narrow)| *wide = narrow.max(*wide));
            }
        }
    }

    /// The most points that can follow each claim at a choice.
    #[inline]
    pub fn forecast(&self, deck: &KnownDeck, node: &Node) -> Forecast {
        if self.fine { self.fine_forecast(deck, node) } else { self.coarse_forecast(deck, node) }
    }

    fn fine_forecast(&self, deck: &KnownDeck, node: &Node) -> Forecast {
        let mut forecast = Forecast::default();
        let (head, spare) = (usize::from(node.head), usize::from(node.spare));
        if head == deck.len {
            return forecast;
        }
        let n = node.open.count_ones() as usize;
        let full = head + deck.missing(node.hand);
        let redeals = deck.redeals(head);
        let mut places = [0; MOST_COLUMNS];
        places.iter_mut().zip(ones::<CARDS>(node.open)).for_each(|(place, start)| *place = start);
        let columns: ArrayVec<&Column, MOST_COLUMNS> =
            places[..n].iter().map(|&start| &deck.columns[start]).collect();
        let reach: ArrayVec<Reach, MOST_COLUMNS> = (1..n)
            .map(|claims| Reach::new(node.hand | deck.range(head, deck.len.min(full + HEIGHT * claims))))
            .collect();
        // Not of all columns: one of them is claimed now.
        let mut together = [[0; 1 << MOST_COLUMNS]; MOST_COLUMNS];
        fill_sets(&columns, &reach, (1 << n) - 1, &mut together[..=redeals.min(n - 1)]);
        for claimed in 0..n {
            let others = ((1_usize << n) - 1) ^ 1 << claimed;
            let (mut kept_best, mut spare_best) = (0_i16, 0_i16);
            let mut kept = others;
            loop {
                let only = together[0][kept];
                (kept_best, spare_best) = (kept_best.max(only), spare_best.max(only));
                if redeals > 0 {
                    let left = others ^ kept;
                    let wider = (left.count_ones() as usize).min(redeals);
                    let window = kept.count_ones() as usize + wider + 1;
                    let base = together[wider][kept];
                    let (mut first, mut new) = (0, 0_usize);
                    for c in ones::<MOST_COLUMNS>(left as u64) {
                        if places[c] < HEIGHT * self.columns {
                            first |= 1 << (places[c] / HEIGHT);
                        } else {
                            new |= 1 << c;
                        }
                    }
                    // Each new column that is left waits or becomes a spare.
                    let mut waits = new;
                    loop {
                        let waiting = |c: usize| self.waiting[places[c] * self.places + head];
                        let sum = base + ones::<MOST_COLUMNS>(waits as u64).map(waiting).sum::<i16>();
                        let held = (waits.count_ones() as usize).min(WAITING - 1);
                        let spares = spare + (new ^ waits).count_ones() as usize;
                        let now = self.at(0, held, head, first, spares);
                        let mut then = [self.later[now], self.later[now + 1]];
                        if full < deck.len {
                            let drawn = self.at(window.min(self.columns + 1), held, full + 1, first, spares);
                            then = [then[0].max(self.later[drawn]), then[1].max(self.later[drawn + 1])];
                        }
                        kept_best = kept_best.max(sum + then[0]);
                        spare_best = spare_best.max(sum + then[1]);
                        if waits == 0 {
                            break;
                        }
                        waits = (waits - 1) & new;
                    }
                }
                if kept == 0 {
                    break;
                }
                kept = (kept - 1) & others;
            }
            forecast[claimed] = (i32::from(kept_best), i32::from(spare_best));
        }
        forecast
    }

    fn fill_coarse(&mut self, deck: &KnownDeck) {
        let (len, redealt) = (deck.len, deck.rules.redealt());
        self.coarse.clear();
        self.coarse.resize(MAX_COLUMNS + 1, [0; 64]);
        for number in 1..=self.columns {
            for q in (0..len.saturating_sub(redealt) + 1).rev() {
                if q + redealt > len {
                    continue;
                }
                let brings = best_partners(&deck.columns[q], deck.range(q + HEIGHT, len)) as i16;
                let with = brings + self.coarse[number - 1][q + redealt];
                self.coarse[number][q] = with.max(self.coarse[number][q + 1]);
            }
        }
    }

    fn coarse_forecast(&self, deck: &KnownDeck, node: &Node) -> Forecast {
        let mut forecast = Forecast::default();
        let (head, spare) = (usize::from(node.head), usize::from(node.spare));
        if head == deck.len {
            return forecast;
        }
        let n = node.open.count_ones() as usize;
        let redeals = deck.redeals(head);
        let full = head + deck.missing(node.hand);
        let mut brings = [(0, 0); MAX_COLUMNS];
        let soon = node.hand | deck.range(head, deck.len.min(full + HEIGHT * (n - 1)));
        let ever = node.hand | deck.range(head, deck.len);
        for (brings, start) in brings.iter_mut().zip(ones::<CARDS>(node.open)) {
            let column = &deck.columns[start];
            *brings =
                (best_partners(column, soon), if redeals > 0 { best_partners(column, ever) } else { 0 });
        }
        let all: i32 = brings.iter().map(|brings| brings.0).sum();
        let mut order: [usize; MAX_COLUMNS] = std::array::from_fn(|c| c);
        order[..n].sort_unstable_by_key(|&c| -brings[c].1);
        for claimed in 0..n {
            let without = all - brings[claimed].0;
            let with = |spares: usize| {
                let slots = n - 1 + spares;
                let mut best = without;
                for new in 0..=redeals.min(slots) {
                    let others = order[..n].iter().filter(|&&c| c != claimed).take(slots - new);
                    let sum: i32 = others.map(|&c| brings[c].1).sum();
                    if redeals > 0 {
                        best = best.max(sum + i32::from(self.coarse[new][head]));
                    }
                }
                best
            };
            forecast[claimed] = (with(spare), with(spare + 1));
        }
        forecast
    }
}

/// The most points of the first `sets` sets of columns, for each number of claims that are made between theirs (the rows of
/// `together`, as many as are there). `reach` is the reach of each claim; the last stands for all after it.
#[inline(always)]
fn fill_sets<const SETS: usize>(
    columns: &[&Column],
    reach: &[Reach],
    sets: usize,
    together: &mut [[i16; SETS]],
) {
    let mut alone = [[0_i16; MOST_COLUMNS + 1]; MOST_COLUMNS + 1];
    for (row, reach) in alone.iter_mut().zip(reach) {
        row.iter_mut().zip(columns).for_each(|(brings, column)| *brings = reach.alone(column) as i16);
    }
    for set in 1..sets {
        let claims = set.count_ones() as usize;
        let mut cards = 0;
        if claims > 1 {
            ones::<{ MOST_COLUMNS + 1 }>(set as u64).for_each(|c| cards |= columns[c].set);
        }
        let cards = Reach::new(cards);
        for (wider, together) in together.iter_mut().enumerate() {
            let width = (claims - 1 + wider).min(reach.len() - 1);
            let alone = &alone[width];
            // A plain loop: searches spend half of their time here.
            let (mut best, mut members) = (0, set);
            while members != 0 {
                let c = members.trailing_zeros() as usize;
                members &= members - 1;
                best = best.max(together[set ^ 1 << c] + alone[c]);
            }
            if claims > 1 {
                best = best.min(reach[width].joint(&cards) as i16);
            }
            together[set] = best;
        }
    }
}

/// The most that a column can bring with these partners if each card may have the best of them.
fn best_partners(column: &Column, cards: u64) -> i32 {
    let mut sum = 0;
    for (id, pairs) in column.cards.iter().zip(column.pairs) {
        let partners = CardSet::from_bits(cards & pairs).into_iter();
        let Some(best) = partners.map(|card| i32::from(points(card.id()))).max() else {
            break;
        };
        sum += best + i32::from(points(*id));
    }
    sum
}
