//! Everything face up, the room, the health and the weapon, and how moves change it.

use super::deck::{CardKind, DECK, HIGHEST_RED, MONSTERS, kind};
use super::moves::Move;
use super::rules::{Aim, AvoidOrder, Rules, WeaponLimit};
use crate::cards::{Card, NTH};
use std::hint::select_unpredictable;

/// The limit of a weapon that has slain nothing: above every monster.
pub const NO_LIMIT: u8 = 15;

/// The most utility of a death: that of one behind the last monster. In front of the first it is 0.
///
/// It tells positions apart that are lost, or that a search cannot win yet. Evaluators and the solver give
/// the probability of winning alone, so it must be too small to be weighed against one.
const DEATH_UTILITY: f64 = 1e-6;

/// The lowest and the highest score: all monsters at worst, full health and the best potion at best.
pub(super) fn score_range(rules: &Rules) -> (i64, i64) {
    (-i64::from(MONSTERS), i64::from(rules.health) + i64::from(HIGHEST_RED))
}

/// The utility of a score or the mean of some: its share of the way from the lowest to the highest.
pub(super) fn utility_of_score(score: f64, rules: &Rules) -> f64 {
    let (lowest, highest) = score_range(rules);
    (score - lowest as f64) / (highest - lowest) as f64
}

/// The rank of a card by its kind, 0 for the other kinds. Which kind comes next cannot be predicted, so a branch costs more
/// than a load.
#[derive(Copy, Clone)]
struct RankByKind {
    monster: u8,
    potion: u8,
    weapon: u8,
}

fn rank_by_kind(card: Card) -> RankByKind {
    /// By [`Card::id`].
    const RANKS: [RankByKind; 64] = {
        let mut ranks = [RankByKind { monster: 0, potion: 0, weapon: 0 }; 64];
        let mut i = 0;
        while i < DECK.len() {
            let card = DECK[i];
            let rank = &mut ranks[card.id() as usize];
            match kind(card) {
                CardKind::Monster => rank.monster = card.rank(),
                CardKind::Potion => rank.potion = card.rank(),
                CardKind::Weapon => rank.weapon = card.rank(),
            }
            i += 1;
        }
        ranks
    };
    RANKS[usize::from(card.id() & 63)]
}

/// The top bits of four bytes.
const TOP: u32 = 0x8080_8080;

/// What [`ways`] takes as the reach of a weapon whose highest monster this is, 15 at most.
#[inline]
pub(super) const fn reach(highest: u8) -> u32 {
    TOP | (highest as u32 * 0x0101_0101)
}

/// The ways to face a card of this room as bits, one byte for each slot: bit 0 for the card, and bit 4 for a monster within
/// [`reach`] of the weapon. So one can be drawn without a branch that would be mispredicted.
#[inline]
pub(super) fn ways(room: u32, reach: u32) -> u32 {
    // The four bytes of the room side by side; the results are the top bits of the bytes.
    let ranks = room & 0x0f0f_0f0f;
    let present = (ranks + 0x7f7f_7f7f) & TOP;
    let reached = (reach - ranks) & TOP;
    // Clubs are 0 and spades are 3: the two bits of a monster's suit are equal.
    let monsters = (!(room ^ room >> 1) & 0x1010_1010) << 3;
    present >> 7 | (present & reached & monsters) >> 3
}

/// The move that faces a card of this room in this of its [`ways`], counted from 0, and the place of the card's bits in the room.
/// The bare hands come first, each by slot.
#[inline]
pub(super) fn nth_way(room: u32, ways: u32, n: u32) -> (Move, u32) {
    // One product brings both sets of four bits together: no two of its partial sums meet.
    let gathered = ((u64::from(ways) * 0x1020_4080) >> 28) as u8;
    // Shifts in place of loads: a load would wait for the number that was drawn, and each for the one before.
    let way = (u64::from_le_bytes(NTH[usize::from(gathered)]) >> (8 * (n & 7))) as u8;
    let place = 8 * u32::from(way & 3);
    (Move::from_parts((room >> place) as u8 & 63, way >> 2 & 1), place)
}

/// The next event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Four avoided cards are about to be put into an unknown order.
    Order,
    /// The room is about to be filled.
    Fill,
    /// The player decides.
    Play,
    /// Nothing: the player died.
    Died,
    /// Nothing: every card has been faced.
    Cleared,
}

/// Everything face up.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The rules.
    pub rules: Rules,
    /// The next event.
    pub phase: Phase,
    /// Health, 0 to the ceiling.
    pub health: u8,
    /// The weapon's value, 0 without one.
    pub weapon: u8,
    /// The last monster that the weapon slew, or [`NO_LIMIT`]; 0 without a weapon.
    pub limit: u8,
    /// The cards in the room by slot, as [`Card::id`], 0 where there is none.
    pub room: [u8; 4],
    /// How many cards the player has yet to face in this room.
    pub to_face: u8,
    /// Whether nothing has been done in this room yet and the room before was not avoided.
    pub may_avoid: bool,
    /// Whether a potion was drunk in this turn.
    pub drunk: bool,
    /// The card faced last, as [`Card::id`], 0 before the first.
    pub last: u8,
    /// The sum of the monsters not yet faced, those in the pile included.
    pub unfaced: u16,
}

impl Board {
    /// The board before the first room. `monsters` is the sum of the ranks of all monsters in the game.
    #[inline]
    pub(super) const fn new(rules: &Rules, monsters: u16) -> Self {
        Self {
            rules: *rules,
            phase: Phase::Fill,
            health: rules.health,
            weapon: 0,
            limit: 0,
            room: [0; 4],
            to_face: 0,
            may_avoid: true,
            drunk: false,
            last: 0,
            unfaced: monsters,
        }
    }

    /// The cards in the room, by slot.
    pub fn room(&self) -> impl Iterator<Item = Card> + Clone + use<> {
        self.room.into_iter().filter(|&id| id != 0).map(Card::from_id)
    }

    /// The number of cards in the room.
    #[must_use]
    pub fn room_len(&self) -> usize {
        // The top bit of each byte that is not 0.
        ((u32::from_le_bytes(self.room) + 0x7f7f_7f7f) & 0x8080_8080).count_ones() as usize
    }

    /// The highest monster that the weapon may be used on.
    #[must_use]
    pub fn reach(&self) -> u8 {
        self.limit.saturating_sub(u8::from(self.rules.weapon_limit == WeaponLimit::Below))
    }

    /// The health that facing this card costs, and the health that it gives before the ceiling.
    #[must_use]
    #[inline]
    pub fn harm_and_cure(&self, card: Card, armed: bool) -> (u8, u8) {
        let rank = rank_by_kind(card);
        let harm = rank.monster.saturating_sub(select_unpredictable(armed, self.weapon, 0));
        (harm, select_unpredictable(self.drunk, 0, rank.potion))
    }

    /// Calls `f` with every move that faces a card of the room, by slot.
    pub fn for_each_facing(&self, mut f: impl FnMut(Move)) {
        for card in self.room() {
            f(Move::facing(card));
            if kind(card) == CardKind::Monster && card.rank() <= self.reach() {
                f(Move::armed(card));
            }
        }
    }

    /// Appends the legal moves, unsorted.
    pub fn moves(&self, out: &mut Vec<Move>) {
        if self.phase != Phase::Play {
            return;
        }
        if self.may_avoid {
            out.push(Move::AVOID);
        }
        self.for_each_facing(|m| out.push(m));
    }

    /// Faces a card with a legal move other than [`Move::AVOID`]. `pile_empty` says whether the room
    /// can be filled again.
    #[inline]
    pub fn face(&mut self, m: Move, pile_empty: bool) {
        let Some(card) = m.card() else {
            unreachable!("avoiding faces no card");
        };
        // Selections in place of branches: which kind of card comes next cannot be predicted.
        let (rank, armed) = (rank_by_kind(card), m.is_armed());
        let (harm, cure) = self.harm_and_cure(card, armed);
        self.health = (self.health.saturating_sub(harm) + cure).min(self.rules.health);
        self.drunk |= rank.potion > 0;
        self.unfaced -= u16::from(rank.monster);
        let taken = rank.weapon > 0;
        self.weapon = select_unpredictable(taken, rank.weapon, self.weapon);
        let limit = select_unpredictable(armed, rank.monster, self.limit);
        self.limit = select_unpredictable(taken, NO_LIMIT, limit);
        self.room = self.room.map(|id| if id == card.id() { 0 } else { id });
        self.after_facing(m, 1, pile_empty);
    }

    /// Finishes the facing of `cards` cards, the last of them by `m`, once health, weapon and room are right.
    pub fn after_facing(&mut self, m: Move, cards: u8, pile_empty: bool) {
        if let Some(card) = m.card() {
            self.last = card.id();
        }
        self.may_avoid = false;
        self.to_face -= cards;
        if self.health == 0 {
            self.phase = Phase::Died;
        } else if self.to_face == 0 {
            self.end_turn(pile_empty);
        }
    }

    /// Takes the cards out of the room but those in these four slots, a bit each.
    pub fn keep(&mut self, slots: u8) {
        debug_assert!(slots < 16, "a room has four slots: {slots:b}");
        // All at once, for the room is read as a whole next: a bit for each byte, then all bits of it.
        let bits = u32::from(slots).wrapping_mul(0x0020_4081) & 0x0101_0101;
        self.room = (u32::from_le_bytes(self.room) & (bits * 0xff)).to_le_bytes();
    }

    fn end_turn(&mut self, pile_empty: bool) {
        // The card that stays takes the first slot of the next room.
        let room = u32::from_le_bytes(self.room);
        let carried = (room | room >> 8 | room >> 16 | room >> 24) as u8;
        self.room = u32::from(carried).to_le_bytes();
        self.drunk = false;
        self.may_avoid = true;
        if !pile_empty {
            self.phase = Phase::Fill;
        } else if carried == 0 {
            self.phase = Phase::Cleared;
        } else {
            self.enter();
        }
    }

    /// Empties the room for [`Move::AVOID`] and returns its cards in slot order.
    pub fn avoid(&mut self) -> [u8; 4] {
        self.may_avoid = false;
        self.phase = match self.rules.avoid_order {
            AvoidOrder::Kept => Phase::Fill,
            AvoidOrder::Shuffled => Phase::Order,
        };
        std::mem::take(&mut self.room)
    }

    /// How many cards fill the room from a pile of this size.
    #[must_use]
    pub fn missing(&self, pile: usize) -> usize {
        let free = if self.room[0] == 0 { 4 } else { 3 };
        free.min(pile)
    }

    /// Fills the room with these cards, 0 after the last; `may_avoid` still says whether the room before
    /// was not avoided.
    pub fn fill(&mut self, cards: [u8; 4]) {
        // As one number, which is quicker to store and load than four bytes: behind the card that stays.
        let shift = select_unpredictable(self.room[0] == 0, 0, 8);
        let room = u32::from(self.room[0]) | u32::from_le_bytes(cards) << shift;
        self.room = room.to_le_bytes();
        self.enter();
    }

    fn enter(&mut self) {
        let cards = self.room_len() as u8;
        // Three of a room of four are faced; a smaller room is the last one and faced to the end.
        self.to_face = if cards == 4 { 3 } else { cards };
        self.may_avoid &= cards == 4;
        self.phase = Phase::Play;
    }

    /// The utility of a finished game: to have won, or the score.
    #[must_use]
    pub fn utility(&self) -> f64 {
        if self.rules.objective == Aim::Score {
            return utility_of_score(self.score() as f64, &self.rules);
        }
        if self.phase == Phase::Cleared {
            return 1.0;
        }
        DEATH_UTILITY * (1.0 - f64::from(self.unfaced) / f64::from(MONSTERS))
    }

    /// The final score.
    #[must_use]
    pub fn score(&self) -> i64 {
        use super::rules::Unfaced;
        if self.phase == Phase::Cleared {
            let last = Card::from_id(self.last);
            let bonus = kind(last) == CardKind::Potion && self.health == self.rules.health;
            return i64::from(self.health) + if bonus { i64::from(last.rank()) } else { 0 };
        }
        let mut lost = i64::from(self.unfaced);
        if self.rules.unfaced == Unfaced::Pile {
            let face_up = self.room().filter(|&card| kind(card) == CardKind::Monster);
            lost -= face_up.map(|card| i64::from(card.rank())).sum::<i64>();
        }
        -lost
    }
}
