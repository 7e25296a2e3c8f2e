//! The options of the rules.

use crate::games::Ruleset;
use clap::{Args, ValueEnum};
use serde::Serialize;

/// Every option of the dungeon's rules. Defaults first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Args, Serialize)]
#[command(rename_all = "snake_case")]
pub struct Rules {
    /// which way four avoided cards go under the pile
    #[arg(long, value_enum, default_value = "kept")]
    pub avoid_order: AvoidOrder,
    /// which monsters a weapon that has slain may still be used on
    #[arg(long, value_enum, default_value = "at_most")]
    pub weapon_limit: WeaponLimit,
    /// which monsters count against a player who died
    #[arg(long, value_enum, default_value = "pile_and_room")]
    pub unfaced: Unfaced,
    /// the health at the start, which is also its ceiling (1 to 99)
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u8).range(1..=99))]
    pub health: u8,
    /// what players are after, which changes neither the game nor how it is counted
    #[arg(long, value_enum, default_value = "win")]
    #[serde(skip_serializing_if = "Aim::is_win")]
    pub objective: Aim,
}

/// How an avoided room goes under the pile.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, ValueEnum, Serialize)]
#[value(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum AvoidOrder {
    /// in slot order, first slot nearest the top
    Kept,
    /// in an order that nobody knows
    Shuffled,
}

/// The limit of a weapon that has slain a monster.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, ValueEnum, Serialize)]
#[value(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum WeaponLimit {
    /// monsters not above the last one it slew
    AtMost,
    /// monsters strictly below the last one it slew
    Below,
}

/// What players are after.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, ValueEnum, Serialize)]
#[value(rename_all = "snake_case")]
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
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, ValueEnum, Serialize)]
#[value(rename_all = "snake_case")]
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

impl Ruleset for Rules {}
