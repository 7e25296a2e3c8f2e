//! The ends of a turn in a whole room of four, without trying every order.
//!
//! For each card that stays, the other three are faced. An end is settled by which monsters its weapon is used on. Few ways
//! are dominated by no other:
//! - A monster that costs no reach of that weapon is fought in the cheapest way at hand: armed is never dearer than
//!   bare, and descending order serves all fights with one weapon.
//! - Without a new weapon, a player who uses the old one down to some monster uses it on all the higher ones within reach.
//! - Of weapons that only change places the best is kept; of potions only the first heals, and the best is drunk first.
//! - A potion is drunk as late as the health lasts, where the ceiling cuts off least.

use super::ends::{Slot, State, TurnSearch};
use crate::dungeon::board::NO_LIMIT;
use crate::dungeon::deck::CardKind;
use crate::dungeon::moves::Move;

/// Fights and weapons taken, in order: the moves, and the health that each costs.
#[derive(Copy, Clone)]
struct Events {
    moves: [Move; 3],
    harm: [u8; 3],
    len: usize,
    /// The health that all of them cost.
    all: u8,
}

impl Events {
    const NONE: Self = Self { moves: [Move::AVOID; 3], harm: [0; 3], len: 0, all: 0 };

    #[inline(always)]
    fn push(&mut self, m: Move, harm: u8) {
        self.moves[self.len] = m;
        self.harm[self.len] = harm;
        self.all += harm;
        self.len += 1;
    }

    #[inline(always)]
    fn take(&mut self, weapon: Slot) {
        self.push(weapon.facing, 0);
    }
}

/// The monsters and potions of a room that are faced, the highest first.
struct Faced<'a> {
    monsters: &'a [Slot],
    potions: &'a [Slot],
}

impl TurnSearch<'_> {
    /// Adds the ends of a turn in which nothing has been done yet in a room of four.
    pub fn whole_room(&mut self, start: State) {
        let mut sorted: [(Slot, u8); 4] = std::array::from_fn(|slot| (self.room[slot], slot as u8));
        for i in 1..4 {
            let mut at = i;
            while at > 0 && sorted[at - 1].0.order() > sorted[at].0.order() {
                sorted.swap(at - 1, at);
                at -= 1;
            }
        }
        for stays in 0..4 {
            let faced: [Slot; 3] = std::array::from_fn(|i| sorted[i + usize::from(i >= stays)].0);
            let count = |kind: CardKind| faced.iter().filter(|slot| slot.kind == kind).count();
            let (monsters, rest) = faced.split_at(count(CardKind::Monster));
            let (weapons, potions) = rest.split_at(count(CardKind::Weapon));
            let slain = monsters.iter().map(|slot| slot.rank).sum();
            let start = State { slots: 1 << sorted[stays].1, slain, ..start };
            let faced = Faced { monsters, potions };
            self.next_carried_card();
            match weapons {
                [] => self.old_weapon(start, &faced),
                [new] => self.new_weapon(start, *new, &faced),
                [best, others @ ..] => self.new_weapons(start, *best, others, &faced),
            }
        }
    }

    /// Fights a monster: with the weapon of `state` if it is at least `lowest` and within reach, otherwise bare.
    #[inline(always)]
    fn fight(&self, state: &mut State, monster: Slot, lowest: u8, events: &mut Events) {
        if monster.rank >= lowest && monster.rank <= self.reach(state.limit) {
            state.limit = monster.rank;
            events.push(monster.facing.with_weapon(), monster.rank.saturating_sub(state.weapon));
        } else {
            events.push(monster.facing, monster.rank);
        }
    }

    fn old_weapon(&mut self, start: State, faced: &Faced<'_>) {
        let reach = self.reach(start.limit);
        let mut last = 0;
        // Down to each of the monsters within reach; bare is above all of them.
        let lowest = faced.monsters.iter().map(|slot| slot.rank).chain([u8::MAX]);
        for lowest in lowest {
            if lowest == last || (lowest > reach && lowest < u8::MAX) {
                continue;
            }
            last = lowest;
            let (mut state, mut events) = (start, Events::NONE);
            for &monster in faced.monsters {
                self.fight(&mut state, monster, lowest, &mut events);
            }
            self.close(state, &mut events, faced.potions);
        }
    }

    fn new_weapon(&mut self, start: State, new: Slot, faced: &Faced<'_>) {
        // The monsters that the new weapon is used on, a bit each.
        for after in 0..1_u8 << faced.monsters.len() {
            let (mut old, mut events) = (start, Events::NONE);
            let mut armed = State { weapon: new.rank, limit: NO_LIMIT, ..start };
            let chosen = |part: u8| {
                let bit = move |i: usize| after >> i & 1 == part;
                faced.monsters.iter().enumerate().filter(move |(i, _)| bit(*i)).map(|(_, slot)| *slot)
            };
            chosen(0).for_each(|monster| self.fight(&mut old, monster, 0, &mut events));
            events.take(new);
            chosen(1).for_each(|monster| self.fight(&mut armed, monster, 0, &mut events));
            self.close(armed, &mut events, faced.potions);
        }
    }

    /// Two weapons, or three.
    fn new_weapons(&mut self, start: State, best: Slot, others: &[Slot], faced: &Faced<'_>) {
        let armed = |slot: Slot| State { weapon: slot.rank, limit: NO_LIMIT, ..start };
        let &[monster] = faced.monsters else {
            let mut events = Events::NONE;
            others.iter().chain([&best]).for_each(|slot| events.take(*slot));
            return self.close(armed(best), &mut events, faced.potions);
        };
        for (first, last) in [(others[0], best), (best, others[0])] {
            // With the last weapon.
            let (mut state, mut events) = (armed(last), Events::NONE);
            events.take(first);
            events.take(last);
            self.fight(&mut state, monster, 0, &mut events);
            self.close(state, &mut events, &[]);
            // Before it is taken: with the one that takes off more.
            let mut events = Events::NONE;
            if start.weapon > first.rank && monster.rank <= self.reach(start.limit) {
                let mut old = start;
                self.fight(&mut old, monster, 0, &mut events);
                events.take(first);
            } else {
                events.take(first);
                self.fight(&mut armed(first), monster, 0, &mut events);
            }
            events.take(last);
            self.close(armed(last), &mut events, &[]);
        }
    }

    /// Adds the end that these events lead to, with the potions drunk where they help most, if the player lives
    /// to see it. The order of the events may change. They are not passed by value: the processor would wait for what was just
    /// written before it copied it.
    #[inline(always)]
    fn close(&mut self, state: State, events: &mut Events, potions: &[Slot]) {
        if let Some((best, others)) = potions.split_first() {
            self.close_with_potions(state, events, *best, others);
        } else if state.health > events.all {
            let [a, b, c] = events.moves;
            let health = state.health - events.all;
            self.arrive(State { health, ..state }, [a, b, c, Move::AVOID]);
        }
    }

    fn close_with_potions(&mut self, state: State, events: &mut Events, potion: Slot, others: &[Slot]) {
        let Events { harm: [a, b, _], all, .. } = *events;
        let armed = events.moves[0].is_armed() && events.moves[1].is_armed();
        if all >= state.health && others.is_empty() && a > 0 && b > 0 && !armed {
            // One of the two comes before the potion: the one that costs more, if that can be borne.
            let first = if a.max(b) < state.health { a.max(b) } else { a.min(b) };
            if first != a {
                events.moves.swap(0, 1);
                events.harm.swap(0, 1);
            }
        }
        let (mut before, mut borne) = (events.len, all);
        while borne >= state.health {
            before -= 1;
            borne -= events.harm[before];
        }
        let health = (state.health - borne + potion.rank).min(self.board.rules.health);
        let Some(left) = health.checked_sub(all - borne).filter(|&left| left > 0) else {
            return;
        };
        let mut moves = [Move::AVOID; 4];
        moves[..before].copy_from_slice(&events.moves[..before]);
        moves[before] = potion.facing;
        moves[before + 1..=events.len].copy_from_slice(&events.moves[before..events.len]);
        let rest = moves[events.len + 1..].iter_mut().zip(others);
        rest.for_each(|(m, other)| *m = other.facing);
        self.arrive(State { health: left, ..state }, moves);
    }
}
