//! The options of the rules.

use knave_agents::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most health that any rules have.
pub const MAX_HEALTH: u8 = 99;

/// Every option of the dungeon's rules. Defaults first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// how four avoided cards go under the pile: kept in their order, or shuffled into one that nobody knows
    pub avoid_order: AvoidOrder,
    /// which monsters a weapon that has slain still works on: worth at most as much as the last one, or below it
    pub weapon_limit: WeaponLimit,
    /// which monsters count against a player who died: those in pile_and_room, or those in the pile alone
    pub unfaced: Unfaced,
    /// the health at the start, which is also its ceiling
    #[schemars(range(min = 1, max = MAX_HEALTH))]
    pub health: u8,
    /// what players are after, to win or the highest score; it changes neither the game nor how it is counted
    #[serde(skip_serializing_if = "Aim::is_win")]
    #[schemars(!skip_serializing_if)]
    pub objective: Aim,
}

/// How an avoided room goes under the pile.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AvoidOrder {
    /// in slot order, first slot nearest the top
    Kept,
    /// in an order that nobody knows
    Shuffled,
}

/// The limit of a weapon that has slain a monster.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WeaponLimit {
    /// monsters not above the last one it slew
    AtMost,
    /// monsters strictly below the last one it slew
    Below,
}

/// What players are after.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// to clear the dungeon
    Win,
    /// the highest score
    Score,
}

impl Aim {
    /// The ruling knows no such option, so records name it only where it is another than this.
    fn is_win(&self) -> bool {
        *self == Self::Win
    }
}

/// The monsters that count in the score of a player who died.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unfaced {
    /// those in the pile and those face up in the room
    PileAndRoom,
    /// those in the pile
    Pile,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            avoid_order: AvoidOrder::Kept,
            weapon_limit: WeaponLimit::AtMost,
            unfaced: Unfaced::PileAndRoom,
            health: 20,
            objective: Aim::Win,
        }
    }
}

impl Options for Rules {}
