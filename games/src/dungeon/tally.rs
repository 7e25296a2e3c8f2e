//! Strategy counts of the dungeon.

use super::board::Phase;
use super::deck::{CardKind, DECK, kind};
use super::moves::{Action, Move};
use super::position::Dungeon;
use super::rules::Rules;
use crate::cards::Card;
use crate::{Tally, TallyMeasure, TallyRow};
use knave_agents::{Event, Seat};
use std::slice::from_mut;

/// The number of [`Action`]s and, after them, the potions that heal nothing.
const ACTIONS: usize = 6;
const WASTED: usize = 5;

/// The counts of [`Dungeon`].
#[derive(Clone, Debug)]
pub struct DungeonTally {
    rooms_avoided: u64,
    /// The cards faced: by action, by rank, and by the health that it cost or gave.
    faced: [[[u64; 16]; 16]; ACTIONS],
    /// The monster that killed, by [`Card::id`].
    cause: [u64; 64],
    /// Monsters and other cards that a player who died had not faced.
    left: [u64; 45],
    /// The health of a player who cleared the dungeon.
    health: Vec<u64>,
}

/// What [`DungeonTally::face`] takes beside the move's number if a potion was drunk before in the same turn.
pub(super) const DRUNK: usize = 128;

/// The row of [`DungeonTally::faced`] in which a move counts.
const ROWS: [u8; 2 * DRUNK] = {
    let (mut rows, mut number) = ([0; 2 * DRUNK], 0);
    while number < rows.len() {
        let m = Move::from_parts(number as u8 % 64, number as u8 / 64 % 2);
        let wasted = number >= DRUNK && matches!(m.action(), Action::Drink);
        let action = if wasted { WASTED } else { m.action() as usize };
        rows[number] = (action * 16 + number % 16) as u8;
        number += 1;
    }
    rows
};

impl DungeonTally {
    /// A room was avoided.
    pub(super) fn avoid(&mut self) {
        self.rooms_avoided += 1;
    }

    /// A card was faced by the move of this number, with [`DRUNK`] or without, which changed the health by so much.
    #[inline]
    pub(super) fn face(&mut self, number: usize, change: u32) {
        let row = ROWS[number % ROWS.len()];
        self.faced.as_flattened_mut()[usize::from(row)][change as usize & 15] += 1;
    }
}

fn by_rank(counts: &[[u64; 16]; 16]) -> [u64; 16] {
    counts.map(|changes| changes.iter().sum())
}

fn by_change(counts: &[[u64; 16]; 16]) -> [u64; 16] {
    std::array::from_fn(|change| counts.iter().map(|changes| changes[change]).sum())
}

impl Tally<Dungeon> for DungeonTally {
    const MEASURES: &'static [TallyMeasure] = &[
        TallyMeasure::new("rooms_avoided", "rooms", "", "rooms avoided"),
        TallyMeasure::new(
            "fights_bare",
            "fights",
            "the worth of the monster, 2 to 14",
            "fights with bare hands",
        ),
        TallyMeasure::new(
            "fights_weapon",
            "fights",
            "the worth of the monster, 2 to 14",
            "fights with the weapon",
        ),
        TallyMeasure::new(
            "damage_bare",
            "fights",
            "the health really lost",
            "what fights with bare hands cost; a last one costs no more than the health that was left",
        ),
        TallyMeasure::new(
            "damage_weapon",
            "fights",
            "the health really lost",
            "what fights with the weapon cost; a last one costs no more than the health that was left",
        ),
        TallyMeasure::new("weapons_taken", "cards", "the worth, 2 to 10", "weapons taken"),
        TallyMeasure::new(
            "health_gained",
            "potions",
            "the health really gained, 0 to 10",
            "the first potions of turns; one that was drunk at the ceiling gains 0",
        ),
        TallyMeasure::new(
            "potions_wasted",
            "potions",
            "the worth, 2 to 10",
            "further potions of a turn, which do nothing",
        ),
        TallyMeasure::new(
            "cards_left_at_death",
            "games",
            "the cards in room and pile that were not faced, 0 to 44",
            "games in which the player died",
        ),
        TallyMeasure::new("health_at_end", "games", "the health, from 1 on", "dungeons cleared"),
        TallyMeasure::new(
            "cause_of_death",
            "games",
            "the monster that killed",
            "games in which the player died",
        ),
    ];

    fn new(rules: &Rules) -> Self {
        Self {
            rooms_avoided: 0,
            faced: [[[0; 16]; 16]; ACTIONS],
            cause: [0; 64],
            left: [0; 45],
            health: vec![0; usize::from(rules.health) + 1],
        }
    }

    fn event(&mut self, position: &Dungeon, event: &Event<Dungeon>) {
        let Event::Move(_, m) = *event else {
            return;
        };
        let Some(card) = m.card() else {
            self.avoid();
            return;
        };
        let board = &position.board;
        let (harm, cure) = board.harm_and_cure(card, m.is_armed());
        // Health cannot be lost beyond what there is, or gained beyond the ceiling.
        let change = harm.min(board.health) + cure.min(board.rules.health - board.health);
        self.face(m.number() + usize::from(board.drunk) * DRUNK, change.into());
    }

    fn finish(&mut self, end: &Dungeon, _: impl Fn(Seat) -> bool) {
        let board = &end.board;
        if board.phase == Phase::Cleared {
            self.health[usize::from(board.health)] += 1;
        } else {
            self.cause[usize::from(board.last)] += 1;
            self.left[board.room_len() + end.pile_len()] += 1;
        }
    }

    fn counts(&mut self) -> Vec<&mut [u64]> {
        let faced = self.faced.as_flattened_mut().as_flattened_mut();
        vec![from_mut(&mut self.rooms_avoided), faced, &mut self.cause, &mut self.left, &mut self.health]
    }

    fn rows(&self, _: Seat) -> Vec<TallyRow> {
        let mut rows =
            vec![TallyRow { measure: "rooms_avoided", key: String::new(), count: self.rooms_avoided }];
        let mut list = |measure, counts: &[u64], from: usize| {
            for (key, &count) in counts.iter().enumerate().skip(from) {
                rows.push(TallyRow { measure, key: key.to_string(), count });
            }
        };
        let [_, take, drink, bare, weapon, wasted] = &self.faced;
        list("fights_bare", &by_rank(bare)[..15], 2);
        list("fights_weapon", &by_rank(weapon)[..15], 2);
        list("damage_bare", &by_change(bare)[..15], 1);
        list("damage_weapon", &by_change(weapon)[..15], 0);
        list("weapons_taken", &by_rank(take)[..11], 2);
        list("health_gained", &by_change(drink)[..11], 0);
        list("potions_wasted", &by_rank(wasted)[..11], 2);
        list("cards_left_at_death", &self.left, 0);
        list("health_at_end", &self.health, 1);
        let monsters = DECK.iter().filter(|&&card| kind(card) == CardKind::Monster);
        rows.extend(monsters.map(|card: &Card| TallyRow {
            measure: "cause_of_death",
            key: card.to_string(),
            count: self.cause[usize::from(card.id())],
        }));
        rows
    }
}
