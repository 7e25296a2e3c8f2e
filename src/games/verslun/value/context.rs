//! What a turn leaves behind, as named features.
//!
//! At their heart is what the open columns are likely to yield: a column's card is paired if enough cards
//! that pair with it are in the hand or come with the next draw, a hypergeometric chance; the chances of the
//! cards below it are taken to be independent.

use crate::cards::CardSet;
use crate::games::verslun::board::{Board, Phase};
use crate::games::verslun::deck::{CARDS, points};
use crate::games::verslun::position::Verslun;
use crate::games::verslun::rules::{HEIGHT, MAX_COLUMNS, MAX_HAND, Rules};
use std::sync::LazyLock;

/// The names of the features, in order.
pub const FEATURES: [&str; N] = [
    "bias",
    "no_open",
    "one_open",
    "two_open",
    "three_open",
    "pile_to_redeal",
    "pile_to_second",
    "pile_to_third",
    "pile_beyond",
    "pile_empty",
    "lowest",
    "second_lowest",
    "third_lowest",
    "lowest_poor",
    "second_poor",
    "best_column",
    "all_columns",
    "stuck",
    "stuck_for_good",
    "columns_afresh",
    "best_afresh",
    "hand_cards",
    "hand_points",
    "best_at_last",
    "columns_at_last",
    "open_and_pile",
    "second_column",
    "later",
    "later_redeal",
    "rich",
    "rich_open",
    "best_pile",
    "afresh_pile",
    "points_pile",
];
/// The number of features.
pub const N: usize = 34;

/// What is about to happen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The hand will be filled.
    Draw,
    /// A column and a hand will be dealt.
    Deal,
    /// A column will be claimed with this hand.
    Claim,
}

/// The kinds of what is about to happen, by their names in the file of weights.
pub const KINDS: [(&str, Kind); 3] = [("draw", Kind::Draw), ("deal", Kind::Deal), ("claim", Kind::Claim)];

/// The most cards that pair with one card, as far as chances are told apart.
const MOST_PAIRING: usize = 20;

/// The chances for one pile and draw; see [`CHANCES`].
pub(in crate::games::verslun) type Chances = [[f32; HEIGHT]; MOST_PAIRING + 1];

/// The chance that one more of the cards that pair is drawn, where as many as are needed but for the last
/// are there: by the cards in the pile, the cards drawn, the cards of the pile that pair, and the cards
/// needed beyond those in the hand, less one.
static CHANCES: LazyLock<Vec<Chances>> = LazyLock::new(|| {
    let mut table = Vec::with_capacity((CARDS + 1) * (MAX_HAND + 1));
    for pile in 0..=CARDS {
        for drawn in 0..=MAX_HAND {
            let mut rows = [[0.0; HEIGHT]; MOST_PAIRING + 1];
            for (pairing, row) in rows.iter_mut().enumerate() {
                let drawn = drawn.min(pile);
                let exactly = |k: usize| hypergeometric(pile, pairing.min(pile), drawn, k);
                let mut at_least = 1.0;
                for (k, chance) in row.iter_mut().enumerate() {
                    let more = at_least - exactly(k);
                    *chance = if more > 1e-9 { (more / at_least) as f32 } else { 0.0 };
                    at_least = more.max(0.0);
                }
            }
            table.push(rows);
        }
    }
    table
});

/// The chance to draw exactly `k` of `good` cards in `drawn` of `pile`.
fn hypergeometric(pile: usize, good: usize, drawn: usize, k: usize) -> f64 {
    let choose = |n: usize, k: usize| -> f64 {
        if k > n {
            return 0.0;
        }
        (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
    };
    if k > drawn { 0.0 } else { choose(good, k) * choose(pile - good, drawn - k) / choose(pile, drawn) }
}

/// The chances for a pile and a draw of so many cards.
pub(in crate::games::verslun) fn chances(pile: usize, drawn: usize) -> &'static Chances {
    &CHANCES[pile * (MAX_HAND + 1) + drawn.min(MAX_HAND)]
}

/// The points of a partner that is not known yet.
const PARTNER: f32 = 7.0;

/// A card of an open column.
#[derive(Copy, Clone, Default)]
pub(in crate::games::verslun) struct Needed {
    /// The cards that pair with it.
    pub(in crate::games::verslun) pairing: u64,
    /// How many of them are in the pile, as far as chances are told apart.
    pub(in crate::games::verslun) unseen: u8,
    /// How many cards of its suit lie here and below it.
    pub(in crate::games::verslun) rank: u8,
    /// Its suit.
    pub(in crate::games::verslun) suit: u8,
    /// What a pair with it brings.
    pub(in crate::games::verslun) worth: f32,
}

/// What a column is likely to bring.
#[derive(Copy, Clone, Default)]
pub(in crate::games::verslun) struct Prospect {
    /// The points that are expected of it after the next draw.
    pub(in crate::games::verslun) soon: f32,
    /// The chance that it can then be claimed at all.
    pub(in crate::games::verslun) any: f32,
    /// The points that are expected of it after [`LATER`] more cards.
    pub(in crate::games::verslun) later: f32,
}

/// The cards that are drawn in about two turns.
pub(in crate::games::verslun) const LATER: usize = 4;

/// What the candidates of one decision share.
pub(in crate::games::verslun) struct Scene {
    pub(in crate::games::verslun) rules: Rules,
    pub(in crate::games::verslun) pile: usize,
    /// The cards in the pile.
    pub(in crate::games::verslun) unseen: u64,
    pub(in crate::games::verslun) columns: [[Needed; HEIGHT]; MAX_COLUMNS],
    /// What each column would bring with a fresh hand.
    pub(in crate::games::verslun) afresh: [Prospect; MAX_COLUMNS],
    /// The points of the claimed columns, ascending.
    pub(in crate::games::verslun) claimed: [u8; MAX_COLUMNS],
    /// How much richer the pile is than seven points a card, as a share of that.
    pub(in crate::games::verslun) rich: f32,
}

/// What a turn leaves behind.
#[derive(Copy, Clone)]
pub(in crate::games::verslun) struct Left {
    pub(in crate::games::verslun) kind: Kind,
    pub(in crate::games::verslun) points: u16,
    pub(in crate::games::verslun) hand: u64,
    pub(in crate::games::verslun) hand_points: u8,
    pub(in crate::games::verslun) open: u16,
    /// The points of the three poorest claimed columns, ascending; 255 where there is none.
    pub(in crate::games::verslun) poorest: [u8; 3],
}

impl Scene {
    pub(in crate::games::verslun) fn new(board: &Board, unseen: CardSet) -> Self {
        let rules = board.rules;
        let sum: u32 = unseen.into_iter().map(|card| u32::from(points(card.id()))).sum();
        let mut scene = Self {
            rules,
            pile: unseen.len(),
            unseen: unseen.bits(),
            columns: [[Needed::default(); HEIGHT]; MAX_COLUMNS],
            afresh: [Prospect::default(); MAX_COLUMNS],
            claimed: [u8::MAX; MAX_COLUMNS],
            rich: sum as f32 / (unseen.len().max(1) as f32 * PARTNER) - 1.0,
        };
        for (len, place) in board.claimed().enumerate() {
            let mut at = len;
            while at > 0 && scene.claimed[at - 1] > board.worth[place] {
                scene.claimed[at] = scene.claimed[at - 1];
                at -= 1;
            }
            scene.claimed[at] = board.worth[place];
        }
        let drawn = usize::from(rules.hand);
        let chances = (scene.chances(drawn), scene.chances(drawn + LATER));
        for place in board.open() {
            let mut suits = 0_u32;
            for (needed, &id) in scene.columns[place].iter_mut().zip(&board.columns[place]) {
                if id == 0 {
                    break;
                }
                let shift = u32::from(id >> 4) * 8;
                suits += 1 << shift;
                let pairing = rules.pairing(id);
                *needed = Needed {
                    pairing,
                    unseen: ((pairing & unseen.bits()).count_ones() as u8).min(MOST_PAIRING as u8),
                    rank: (suits >> shift) as u8,
                    suit: id >> 4,
                    worth: f32::from(points(id)) + PARTNER,
                };
            }
            scene.afresh[place] = scene.prospect(place, 0, chances);
        }
        scene
    }

    pub(in crate::games::verslun) fn chances(&self, drawn: usize) -> &'static Chances {
        chances(self.pile, drawn)
    }

    pub(in crate::games::verslun) fn prospect(
        &self,
        place: usize,
        hand: u64,
        (soon, later): (&Chances, &Chances),
    ) -> Prospect {
        let mut prospect = Prospect::default();
        let (mut chance, mut later_chance) = (1.0, 1.0);
        for (at, needed) in self.columns[place].iter().enumerate() {
            let lacking = i32::from(needed.rank) - (hand & needed.pairing).count_ones() as i32;
            if lacking > 0 {
                let (row, k) = (usize::from(needed.unseen) % (MOST_PAIRING + 1), (lacking - 1) as usize & 3);
                chance *= soon[row][k];
                later_chance *= later[row][k];
            }
            prospect.soon += chance * needed.worth;
            prospect.later += later_chance * needed.worth;
            if at == 0 {
                prospect.any = chance;
            }
        }
        prospect
    }

    pub(in crate::games::verslun) fn features(&self, left: &Left) -> [f32; N] {
        let redealt = self.rules.redealt();
        let drawn = left.drawn(self);
        let gone = if left.kind == Kind::Deal { redealt } else { drawn };
        let pile = self.pile.saturating_sub(gone);
        let chances = (self.chances(drawn), self.chances(drawn + LATER));
        let (mut best, mut second, mut all, mut stuck, mut later) = (0.0_f32, 0.0_f32, 0.0, 1.0, 0.0);
        let (mut best_afresh, mut afresh) = (0.0_f32, 0.0);
        let mut open = left.open;
        while open != 0 {
            let place = open.trailing_zeros() as usize;
            open &= open - 1;
            let fresh = self.afresh[place];
            let prospect =
                if left.kind == Kind::Deal { fresh } else { self.prospect(place, left.hand, chances) };
            second = second.max(prospect.soon.min(best));
            best = best.max(prospect.soon);
            all += prospect.soon;
            later += prospect.later;
            stuck *= 1.0 - prospect.any;
            best_afresh = best_afresh.max(fresh.soon);
            afresh += fresh.soon;
        }
        let redeal = redealt as f32;
        let (p, share) = (pile as f32, pile as f32 / 36.0);
        let piece = |n: f32| ((p - n * redeal) / redeal).clamp(0.0, 1.0);
        let is = |condition: bool| if condition { 1.0 } else { 0.0 };
        let redeals = |n: usize| is(pile >= n * redealt && left.poorest[n - 1] < u8::MAX);
        let poorest = left.poorest.map(f32::from);
        let count = left.open.count_ones();
        [
            1.0,
            is(count == 0),
            is(count == 1),
            is(count == 2),
            is(count == 3),
            piece(0.0),
            piece(1.0),
            piece(2.0),
            piece(3.0),
            is(pile == 0),
            redeals(1) * poorest[0] / 40.0,
            redeals(2) * poorest[1] / 40.0,
            redeals(3) * poorest[2] / 40.0,
            redeals(1) * (30.0 - poorest[0]).max(0.0) / 30.0,
            redeals(2) * (30.0 - poorest[1]).max(0.0) / 30.0,
            best / 40.0,
            all / 80.0,
            stuck * is(pile >= redealt),
            stuck * is(pile < redealt),
            afresh / 80.0,
            best_afresh / 40.0,
            left.hand.count_ones() as f32 / 5.0,
            f32::from(left.hand_points) / 30.0,
            best / 40.0 * is(pile == 0),
            all / 80.0 * is(pile < redealt),
            count as f32 * piece(0.0) / 4.0,
            second / 40.0,
            later / 80.0,
            later / 80.0 * is(pile >= redealt),
            self.rich,
            self.rich * count as f32 / 4.0,
            best / 40.0 * share,
            afresh / 80.0 * share,
            f32::from(left.points) / 100.0 * share,
        ]
    }

    /// Whether any open column can be claimed with the hand.
    pub(in crate::games::verslun) fn pairs(&self, left: &Left) -> bool {
        let pairs = |place: &[Needed; HEIGHT]| place[0].pairing & left.hand != 0;
        self.columns.iter().enumerate().any(|(place, column)| left.open >> place & 1 == 1 && pairs(column))
    }

    /// The three poorest claimed columns, with one more of these points.
    pub(in crate::games::verslun) fn poorest_with(&self, more: u8) -> [u8; 3] {
        let [a, b, c] = self.poorest(0);
        if more <= a {
            [more, a, b]
        } else if more <= b {
            [a, more, b]
        } else {
            [a, b, c.min(more)]
        }
    }

    /// The three poorest claimed columns but for the first `skip`.
    pub(in crate::games::verslun) fn poorest(&self, skip: usize) -> [u8; 3] {
        std::array::from_fn(|i| self.claimed[(skip + i).min(MAX_COLUMNS - 1)])
    }
}

impl Left {
    /// How many cards come into the hand next, if the pile holds so many.
    pub(in crate::games::verslun) fn drawn(&self, scene: &Scene) -> usize {
        let hand = usize::from(scene.rules.hand);
        match self.kind {
            Kind::Draw => hand.saturating_sub(self.hand.count_ones() as usize),
            Kind::Deal => hand,
            Kind::Claim => 0,
        }
    }

    /// A position as it stands.
    pub(in crate::games::verslun) fn new(board: &Board, scene: &Scene, kind: Kind) -> Self {
        // A column that is about to be dealt is not known.
        let known = board.open().filter(|&place| board.columns[place][0] != 0);
        Self {
            kind,
            points: board.points,
            hand: board.hand.bits(),
            hand_points: board.hand.into_iter().map(|card| points(card.id())).sum(),
            open: known.fold(0, |open, place| open | 1 << place),
            poorest: scene.poorest(0),
        }
    }
}

/// Calls `f` with what the player knows of a position that is not over, and what is about to happen there.
pub(in crate::games::verslun) fn seen<T>(position: &Verslun, f: impl FnOnce(&Scene, &Left) -> T) -> T {
    let Verslun { board, pile } = &*position.laid_out();
    let scene = Scene::new(board, pile.cards());
    let kind = match board.phase {
        Phase::Dealing => Kind::Deal,
        Phase::Claim | Phase::Redeal => Kind::Claim,
        _ => Kind::Draw,
    };
    f(&scene, &Left::new(board, &scene, kind))
}

/// What is about to happen in a position that is not over, and its features.
#[must_use]
pub fn features(position: &Verslun) -> (Kind, [f32; N]) {
    seen(position, |scene, left| (left.kind, scene.features(left)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two of six cards pair and three are drawn: 16 of the 20 draws hold one of them or more, 4 hold both.
    /// The second is drawn in 4 of those 16.
    #[test]
    fn chances_are_hypergeometric() {
        let row = CHANCES[6 * (MAX_HAND + 1) + 3][2];
        assert_eq!(row, [16.0 / 20.0, 4.0 / 16.0, 0.0, 0.0]);
        // All cards are drawn, and more are asked for than there are.
        assert_eq!(CHANCES[4 * (MAX_HAND + 1) + 5][3], [1.0, 1.0, 1.0, 0.0]);
        assert_eq!(CHANCES[0][0], [0.0; HEIGHT]);
    }
}
