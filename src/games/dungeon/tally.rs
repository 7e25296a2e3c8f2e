//! What a player of the dungeon does, counted.

use super::{Dungeon, Kind, Move, Phase, Rules, kind};
use crate::cards::Card;
use crate::games::{Tally, TallyRow};
use knave_agents::{Event, Seat};

/// The counts of [`Dungeon`].
#[derive(Clone, Debug)]
pub struct DungeonTally {
    rooms_avoided: u64,
    /// By rank.
    bare: [u64; 15],
    weapon: [u64; 15],
    /// Health lost in one fight.
    damage_bare: [u64; 15],
    damage_weapon: [u64; 15],
    taken: [u64; 11],
    /// Health gained from the potion that heals in a turn.
    healed: [u64; 11],
    /// The second and later potions of a turn, by rank.
    wasted: [u64; 11],
    /// The monster that killed, by [`Card::id`].
    cause: [u64; 64],
    /// Monsters and other cards that a player who died had not faced.
    left: [u64; 45],
    /// The health of a player who cleared the dungeon.
    health: Vec<u64>,
}

impl Tally<Dungeon> for DungeonTally {
    fn new(rules: &Rules) -> Self {
        Self {
            rooms_avoided: 0,
            bare: [0; 15],
            weapon: [0; 15],
            damage_bare: [0; 15],
            damage_weapon: [0; 15],
            taken: [0; 11],
            healed: [0; 11],
            wasted: [0; 11],
            cause: [0; 64],
            left: [0; 45],
            health: vec![0; usize::from(rules.health) + 1],
        }
    }

    fn event(&mut self, position: &Dungeon, event: &Event<Dungeon>) {
        let Event::Move(_, m) = *event else {
            return;
        };
        let board = &position.board;
        // Health cannot be lost beyond what there is.
        let damage = usize::from(board.damage(m).min(board.health));
        match m {
            Move::Avoid => self.rooms_avoided += 1,
            Move::Bare(card) => {
                self.bare[usize::from(card.rank())] += 1;
                self.damage_bare[damage] += 1;
            }
            Move::Weapon(card) => {
                self.weapon[usize::from(card.rank())] += 1;
                self.damage_weapon[damage] += 1;
            }
            Move::Take(card) => self.taken[usize::from(card.rank())] += 1,
            Move::Drink(card) if board.drunk => self.wasted[usize::from(card.rank())] += 1,
            Move::Drink(card) => {
                let gain = card.rank().min(board.rules.health - board.health);
                self.healed[usize::from(gain)] += 1;
            }
        }
    }

    fn finish(&mut self, end: &Dungeon) {
        let board = &end.board;
        if board.phase == Phase::Cleared {
            self.health[usize::from(board.health)] += 1;
        } else {
            self.cause[usize::from(board.last)] += 1;
            self.left[board.room_len() + end.pile_len()] += 1;
        }
    }

    fn merge(&mut self, other: &Self) {
        fn add(a: &mut [u64], b: &[u64]) {
            for (a, b) in a.iter_mut().zip(b) {
                *a += b;
            }
        }
        self.rooms_avoided += other.rooms_avoided;
        add(&mut self.bare, &other.bare);
        add(&mut self.weapon, &other.weapon);
        add(&mut self.damage_bare, &other.damage_bare);
        add(&mut self.damage_weapon, &other.damage_weapon);
        add(&mut self.taken, &other.taken);
        add(&mut self.healed, &other.healed);
        add(&mut self.wasted, &other.wasted);
        add(&mut self.cause, &other.cause);
        add(&mut self.left, &other.left);
        add(&mut self.health, &other.health);
    }

    fn rows(&self, _: Seat) -> Vec<TallyRow> {
        let mut rows =
            vec![TallyRow { measure: "rooms_avoided", key: String::new(), count: self.rooms_avoided }];
        let mut list = |measure, counts: &[u64], from: usize| {
            for (key, &count) in counts.iter().enumerate().skip(from) {
                rows.push(TallyRow { measure, key: key.to_string(), count });
            }
        };
        list("fights_bare", &self.bare, 2);
        list("fights_weapon", &self.weapon, 2);
        list("damage_bare", &self.damage_bare, 1);
        list("damage_weapon", &self.damage_weapon, 0);
        list("weapons_taken", &self.taken, 2);
        list("health_gained", &self.healed, 0);
        list("potions_wasted", &self.wasted, 2);
        list("cards_left_at_death", &self.left, 0);
        list("health_at_end", &self.health, 1);
        let monsters = super::DECK.iter().filter(|&&card| kind(card) == Kind::Monster);
        rows.extend(monsters.map(|card: &Card| TallyRow {
            measure: "cause_of_death",
            key: card.to_string(),
            count: self.cause[usize::from(card.id())],
        }));
        rows
    }
}
