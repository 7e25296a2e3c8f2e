//! Views and moves as arrays, for players that learn.

use super::board::{NO_LIMIT, Phase};
use super::deck::{self, CARDS, CardKind, MONSTERS, kind};
use super::moves::Move;
use super::position::Dungeon;
use super::rules::{AvoidOrder, WeaponLimit};
use super::view::View;
use crate::cards::{Card, cards_of};
use knave_agents::Encoding;
use knave_agents::encoding::{Part, Row, Spelling, first};

/// The slots of a room.
const SLOTS: usize = 4;
/// The ranks of monsters, 2 to 14.
const RANKS: usize = 13;
/// The largest ceiling of health that is told apart.
const HEALTH: usize = 40;

const OBSERVATION: &[Part] = &[
    Part::new("health", HEALTH + 1, "health, one-hot from 0; more than 40 counts as 40"),
    Part::new("lack", 1, "the health that is missing to the ceiling, as a share of the ceiling"),
    Part::new("weapon", 11, "the value of the weapon, one-hot from 0 for none to 10"),
    Part::new(
        "limit",
        RANKS,
        "the rank of the monster that the weapon slew last, one-hot from 2; zeros if it has slain none",
    ),
    Part::new(
        "kind",
        SLOTS * 3,
        "for each slot of the room: whether it holds a monster, a weapon, a potion; the slot of a card that was faced stays empty, and the card that stays is in slot 0 of the next room",
    ),
    Part::new("rank", SLOTS * RANKS, "for each slot of the room: the rank of its card, one-hot from 2"),
    Part::new("to_face", 5, "how many cards of the room are yet to be faced, one-hot from 0"),
    Part::new("may_avoid", 1, "whether the room may be avoided"),
    Part::new("drunk", 1, "whether a potion was drunk in this turn"),
    Part::new("unfaced", 1, "the sum of the monsters not yet faced, as a share of all"),
    Part::new(
        "unseen",
        CARDS,
        "the cards that nobody has seen, by suit and rank, red faces and aces left out",
    ),
    Part::new(
        "avoided",
        CARDS,
        "1 − i/44 for the avoided card i, counted from 0 at the top; if they are shuffled, i counts the drawn cards of the top block, too, and is rounded down to a multiple of 4; 0 for other cards",
    ),
    Part::new("rules", 2, "weapon_limit = below, avoid_order = shuffled"),
];

const ACTIONS: &[Part] = &[
    Part::new("face", SLOTS, "face the card in this slot, a monster with bare hands"),
    Part::new("weapon", SLOTS, "fight the monster in this slot with the weapon"),
    Part::new("avoid", 1, "avoid the room"),
];

const FACE: u16 = first(ACTIONS, "face");
const WEAPON: u16 = first(ACTIONS, "weapon");
const AVOID: u16 = first(ACTIONS, "avoid");

/// How the dungeon becomes arrays.
pub fn encoding() -> Encoding<Dungeon> {
    Encoding { observation: OBSERVATION, actions: ACTIONS, observe, spell }
}

fn place(card: Card) -> usize {
    deck::place(card.id()).into()
}

fn observe(view: &View, _: &[u16], row: &mut Row<'_>) {
    let (board, rules) = (&view.board, &view.board.rules);
    row.part("health");
    row.one_hot(HEALTH + 1, usize::from(board.health));
    row.part("lack");
    row.share(f32::from(rules.health - board.health), f32::from(rules.health));
    row.part("weapon");
    row.one_hot(11, usize::from(board.weapon));
    row.part("limit");
    let has_slain = board.weapon > 0 && board.limit != NO_LIMIT;
    row.one_hot(RANKS, has_slain.then(|| usize::from(board.limit) - 2));
    // After the end the room counts no more.
    let room = if board.phase == Phase::Play { board.room } else { [0; SLOTS] };
    let cards = room.map(|id| (id != 0).then(|| Card::from_id(id)));
    row.part("kind");
    for card in cards {
        row.one_hot(
            3,
            card.map(|card| match kind(card) {
                CardKind::Monster => 0,
                CardKind::Weapon => 1,
                CardKind::Potion => 2,
            }),
        );
    }
    row.part("rank");
    for card in cards {
        row.one_hot(RANKS, card.map(|card| usize::from(card.rank()) - 2));
    }
    row.part("to_face");
    row.one_hot(5, usize::from(board.to_face));
    row.part("may_avoid");
    row.flag(board.may_avoid);
    row.part("drunk");
    row.flag(board.drunk);
    row.part("unfaced");
    row.share(f32::from(board.unfaced), f32::from(MONSTERS));
    row.part("unseen");
    row.set(CARDS, view.pile.unseen.into_iter().map(place));
    row.part("avoided");
    let depth = |i: usize| {
        // Four that were shuffled lie at one depth, less those drawn of the first four.
        let i = if rules.avoid_order == AvoidOrder::Shuffled {
            (i + usize::from(view.pile.drawn_of_block)) / 4 * 4
        } else {
            i
        };
        1.0 - i as f32 / CARDS as f32
    };
    let avoided = cards_of(&view.pile.avoided).enumerate();
    row.numbers(CARDS, avoided.map(|(i, card)| (place(card), depth(i))));
    row.part("rules");
    row.flag(rules.weapon_limit == WeaponLimit::Below);
    row.flag(rules.avoid_order == AvoidOrder::Shuffled);
}

fn spell(view: &View, m: Move) -> Spelling {
    let slot = |card: Card| view.board.room.iter().position(|&id| id == card.id()).unwrap_or_default() as u16;
    let action = match m.card() {
        None => AVOID,
        Some(card) if m.is_armed() => WEAPON + slot(card),
        Some(card) => FACE + slot(card),
    };
    Spelling::from_iter([action])
}
