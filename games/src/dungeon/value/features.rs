//! The features of an afterstate that the learned value sees, and what they share.

use crate::cards::{CardSet, Suit};
use crate::dungeon::board::{Board, Phase};
use crate::dungeon::deck::{self, place, ranks_upto};
use crate::dungeon::position::Dungeon;
use crate::dungeon::rules::{Aim, AvoidOrder, Rules, Unfaced, WeaponLimit};
use knave_agents::Seat;
use knave_agents::learn::Features;

/// The ceilings of health that the features tell apart; others count as the nearest.
pub const LOWEST: u16 = 5;
const HIGHEST: u16 = 40;
/// The places among the avoided cards that are told apart. Those further down count as the last.
const PLACES: u16 = 24;
/// The same where every four avoided cards are shuffled: which four.
const FOURS: u16 = PLACES / 4;
const CARDS: u16 = deck::CARDS as u16;
/// The suits of monsters.
const MONSTER_SUITS: CardSet =
    CardSet::from_bits(CardSet::of_suit(Suit::Clubs).bits() | CardSet::of_suit(Suit::Spades).bits());
const RANKS: u16 = 11;
const LIMITS: u16 = 16;
const LEFT: u16 = CARDS + 1;

// The first feature of each group. What the rules say has no features of its own, which would cost time in every position. Health
// comes with its ceiling, the weapon with the limit's option, avoided cards with the order's, and the number of unseen cards with the objective.
const VITALS: u16 = 0;
const GEAR: u16 = VITALS + vitals(HIGHEST + 1, 1);
const CARRIED: u16 = GEAR + 2 * RANKS * LIMITS;
const MUST_FACE: u16 = CARRIED + CARDS;
const UNSEEN: u16 = MUST_FACE + 1;
const UNSEEN_LEFT: u16 = UNSEEN + CARDS;
const AVOIDED: u16 = UNSEEN_LEFT + 2 * AIMS * LEFT;
const SHUFFLED: u16 = AVOIDED + CARDS * PLACES;
// By weapon and card. The rows of other cards than monsters stay unused.
const IN_REACH: u16 = SHUFFLED + CARDS * FOURS;
const INPUTS: u16 = IN_REACH + RANKS * CARDS;

/// What players are after: to win, or the score by either count of a death.
const AIMS: u16 = 3;

// The same for the shared features.
const HEALTH: u16 = INPUTS;
const LACK: u16 = HEALTH + AMOUNTS;
const CEILING: u16 = LACK + AMOUNTS;
const AT_LEAST: u16 = CEILING + AMOUNTS;
const LACKING: u16 = AT_LEAST + STEPS.len() as u16;
const ABOVE: u16 = LACKING + STEPS.len() as u16;
const ANY_GEAR: u16 = ABOVE + STEPS.len() as u16;
const WEAPON: u16 = ANY_GEAR + RANKS * LIMITS;
const LIMIT: u16 = WEAPON + RANKS;
const BELOW: u16 = LIMIT + LIMITS;
const ANY_LEFT: u16 = BELOW + 1;
const AIM: u16 = ANY_LEFT + LEFT;
const ORDER: u16 = AIM + AIMS;
const SOMEWHERE: u16 = ORDER + 1;
const AREA: u16 = SOMEWHERE + CARDS;
const REACHED: u16 = AREA + CARDS * FOURS;
const ALL: u16 = REACHED + CARDS;

/// Amounts of health, from 0.
const AMOUNTS: u16 = HIGHEST + 1;
/// Amounts from which on health, the lack of it and its ceiling share a feature.
const STEPS: [u16; 19] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 21, 24, 27, 30, 34, 38];

/// The feature of a health, from 1 to its ceiling.
const fn vitals(ceiling: u16, health: u16) -> u16 {
    let before = (ceiling + LOWEST - 1) * (ceiling - LOWEST) / 2;
    VITALS + before + health - 1
}

/// The ceiling and the health of a feature.
fn health_of(vital: u16) -> (u16, u16) {
    let ceiling = (LOWEST..=HIGHEST).rev().find(|&ceiling| vitals(ceiling, 1) <= vital).unwrap_or(LOWEST);
    (ceiling, vital - vitals(ceiling, 1) + 1)
}

impl Features for Dungeon {
    const FEATURES_VERSION: u32 = 5;
    const INPUTS: usize = INPUTS as usize;
    const SHARED: usize = (ALL - INPUTS) as usize;
    /// One for winning, one for the score.
    const HEADS: usize = 2;

    /// The number of unseen cards comes first, and tells what the player is after.
    fn head(features: &[u16]) -> usize {
        let aim = (features[0] - UNSEEN_LEFT) / LEFT % AIMS;
        usize::from(aim > 0)
    }

    /// The number of unseen cards, and which; each avoided card with its place below them; health and its ceiling; weapon and
    /// limit together; the carried card; whether the next room must be faced; each unseen monster that the weapon still slays,
    /// with the weapon: sums of cards alone would not tell which of them it is good for.
    fn features(&self, _: Seat, out: &mut Vec<u16>) {
        out.clear();
        let mut coming = self.unseen();
        // Cards of a room that is still being faced are cards still to come.
        if self.board.phase == Phase::Play {
            self.board.room().for_each(|card| coming.insert(card));
        }
        out.push(unseen_left(&self.board.rules, coming.len()));
        out.extend(unseen_cards(coming));
        avoided_cards(self, out);
        out.extend([health(&self.board, LOWEST), gear(&self.board)]);
        out.extend(staying(&self.board));
        out.extend(in_reach(&self.board, coming));
    }

    fn shared(feature: u16, out: &mut Vec<u16>) {
        let steps = |from: u16, amount: u16| (from..).zip(STEPS).filter(move |&(_, step)| step <= amount);
        match feature {
            VITALS..GEAR => {
                let (ceiling, health) = health_of(feature);
                let amounts = [
                    (HEALTH, AT_LEAST, health),
                    (LACK, LACKING, ceiling - health),
                    (CEILING, ABOVE, ceiling),
                ];
                for (each, from, amount) in amounts {
                    out.push(each + amount);
                    out.extend(steps(from, amount).map(|(step, _)| step));
                }
            }
            GEAR..CARRIED => {
                let (below, gear) =
                    ((feature - GEAR) / (RANKS * LIMITS), (feature - GEAR) % (RANKS * LIMITS));
                // The limit that is still in reach.
                let reach = gear - below.min(gear % LIMITS);
                out.extend([ANY_GEAR + reach, WEAPON + reach / LIMITS, LIMIT + reach % LIMITS]);
                out.extend((below > 0).then_some(BELOW));
            }
            UNSEEN_LEFT..AVOIDED => {
                let (aim, left) = ((feature - UNSEEN_LEFT) / LEFT, (feature - UNSEEN_LEFT) % LEFT);
                out.extend([ANY_LEFT + left, AIM + aim % AIMS]);
                out.extend((aim >= AIMS).then_some(ORDER));
            }
            AVOIDED..SHUFFLED => {
                let (above, card) = ((feature - AVOIDED) / CARDS, (feature - AVOIDED) % CARDS);
                out.extend([SOMEWHERE + card, AREA + above / 4 * CARDS + card]);
            }
            SHUFFLED..IN_REACH => {
                out.extend([SOMEWHERE + (feature - SHUFFLED) % CARDS, AREA + (feature - SHUFFLED)]);
            }
            IN_REACH..INPUTS => out.push(REACHED + (feature - IN_REACH) % CARDS),
            _ => {}
        }
    }
}

/// The feature of health. A ceiling of health below `lowest` counts as that.
pub fn health(board: &Board, lowest: u16) -> u16 {
    let ceiling = u16::from(board.rules.health).clamp(lowest, HIGHEST);
    vitals(ceiling, u16::from(board.health).clamp(1, ceiling))
}

/// The feature of the weapon and its limit.
pub fn gear(board: &Board) -> u16 {
    let below = u16::from(board.rules.weapon_limit == WeaponLimit::Below);
    GEAR + (below * RANKS + u16::from(board.weapon)) * LIMITS + u16::from(board.limit)
}

/// The features of everything else face up: the card that stays, and whether the next room must be faced.
pub fn staying(board: &Board) -> impl Iterator<Item = u16> {
    // The card that stays is in the first slot; in a room that is still being faced none has been chosen.
    let stays = board.phase != Phase::Play && board.room[0] != 0;
    let carried = stays.then(|| CARRIED + place(board.room[0]));
    carried.into_iter().chain((!board.may_avoid).then_some(MUST_FACE))
}

/// The features of the unseen monsters that the weapon can slay as it is.
pub fn in_reach(board: &Board, unseen: CardSet) -> impl Iterator<Item = u16> {
    let reached = unseen & MONSTER_SUITS & CardSet::of_ranks(ranks_upto(board.reach()));
    let first = IN_REACH + u16::from(board.weapon) * CARDS;
    reached.into_iter().map(move |card| first + place(card.id()))
}

/// The feature of so many unseen cards, which also tells what the player is after.
pub fn unseen_left(rules: &Rules, unseen: usize) -> u16 {
    let shuffled = u16::from(rules.avoid_order == AvoidOrder::Shuffled);
    let aim = match (rules.objective, rules.unfaced) {
        (Aim::Win, _) => 0,
        (Aim::Score, Unfaced::PileAndRoom) => 1,
        (Aim::Score, Unfaced::Pile) => 2,
    };
    UNSEEN_LEFT + (shuffled * AIMS + aim) * LEFT + unseen as u16
}

/// The features of the unseen cards.
pub fn unseen_cards(unseen: CardSet) -> impl Iterator<Item = u16> {
    unseen.into_iter().map(|card| UNSEEN + place(card.id()))
}

/// Appends the features of the avoided cards.
pub fn avoided_cards(position: &Dungeon, out: &mut Vec<u16>) {
    let (pile, rules) = (&position.pile, &position.board.rules);
    if rules.avoid_order == AvoidOrder::Shuffled {
        let view = pile.view(rules.avoid_order);
        let places = usize::from(view.drawn_of_block)..;
        let avoided = view.avoided.into_iter().take(usize::from(view.avoided_len));
        out.extend(places.zip(avoided).map(|(place, id)| shuffled(place, id)));
        return;
    }
    let start = out.len();
    out.extend(pile.avoided().enumerate().map(|(i, id)| avoided(i, id)));
    // Only the places beyond the last may be out of order.
    let tail = start + usize::from(PLACES - 1);
    if out.len() > tail {
        out[tail..].sort_unstable();
    }
}

/// The feature of an avoided card with so many avoided ones above it.
pub fn avoided(above: usize, id: u8) -> u16 {
    AVOIDED + (above as u16).min(PLACES - 1) * CARDS + place(id)
}

/// The feature of an avoided card at this place below the dealt ones, where every four are shuffled.
pub fn shuffled(place_below: usize, id: u8) -> u16 {
    SHUFFLED + (place_below as u16 / 4).min(FOURS - 1) * CARDS + place(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Card;
    use crate::dungeon::deck::{CardKind, kind};
    use crate::dungeon::moves::Move;
    use crate::dungeon::tests::all_kinds;
    use knave_agents::rng::stream;
    use knave_agents::{Game as _, Role, Turn, played};
    use rand::RngExt as _;

    /// The monsters to come that the weapon still slays, by the text of the rules, and no other cards have features with it. What a
    /// net learns of such a monster it learns with every weapon.
    #[test]
    fn features_tell_what_the_weapon_slays() {
        let (mut slain, mut spared) = (0, 0);
        for (index, rules) in (0..).zip(all_kinds().iter().cycle().take(64)) {
            let mut rng = stream(45, index, Role::Deal);
            let mut position = Dungeon::deal(rules, &mut rng);
            let (mut moves, mut features) = (Vec::new(), Vec::new());
            while position.turn() != Turn::Over {
                if position.turn() == Turn::Player(0) {
                    position.moves(&mut moves);
                    position.play(moves[rng.random_range(0..moves.len())]);
                } else {
                    position.roll(&mut rng);
                }
                if position.turn() == Turn::Over {
                    break;
                }
                let Board { weapon, limit, .. } = position.board;
                let mut coming = position.unseen();
                // What lies in a room that is being faced is still to come.
                if position.turn() == Turn::Player(0) {
                    position.board.room().for_each(|card| coming.insert(card));
                }
                let monsters = coming.into_iter().filter(|&card| kind(card) == CardKind::Monster);
                let (within, beyond): (Vec<Card>, Vec<Card>) =
                    monsters.partition(|card| match rules.weapon_limit {
                        WeaponLimit::AtMost => weapon > 0 && card.rank() <= limit,
                        WeaponLimit::Below => weapon > 0 && card.rank() < limit,
                    });
                position.features(0, &mut features);
                let told = features.iter().filter(|&&feature| feature >= IN_REACH);
                let expected: Vec<u16> = within
                    .iter()
                    .map(|card| IN_REACH + u16::from(weapon) * CARDS + place(card.id()))
                    .collect();
                assert!(told.eq(&expected), "{position:?}: {features:?}");
                slain += within.len();
                spared += beyond.len();
            }
        }
        let shared = |weapon: u16| {
            let mut out = Vec::new();
            Dungeon::shared(IN_REACH + weapon * CARDS + 7, &mut out);
            out
        };
        assert_eq!(shared(3), shared(9));
        assert!(slain > 500 && spared > 500, "{slain} within reach, {spared} beyond");
    }

    /// Every health below every ceiling has a feature of its own, and tells both; what the rules change has other features.
    #[test]
    fn features_tell_rules_apart() {
        let mut next = VITALS;
        for ceiling in LOWEST..=HIGHEST {
            for health in 1..=ceiling {
                assert_eq!((vitals(ceiling, health), health_of(next)), (next, (ceiling, health)));
                next += 1;
            }
        }
        assert_eq!(next, GEAR);
        let all = all_kinds();
        let lists: Vec<Vec<u16>> = all
            .iter()
            .map(|rules| {
                let mut position = Dungeon::deal(rules, &mut stream(42, 0, Role::Deal));
                position.roll(&mut stream(42, 0, Role::Chance));
                let mut features = Vec::new();
                played(&position, &[Move::AVOID]).features(0, &mut features);
                assert!(features.iter().all(|&feature| feature < INPUTS));
                assert_eq!(Dungeon::head(&features), usize::from(rules.objective == Aim::Score));
                features
            })
            .collect();
        for (i, list) in lists.iter().enumerate() {
            assert!(lists[..i].iter().all(|other| other != list), "{:?}", all[i]);
        }
        // What is shared lies behind the features and within bounds.
        let mut shared = Vec::new();
        for feature in 0..INPUTS {
            shared.clear();
            Dungeon::shared(feature, &mut shared);
            assert!(shared.iter().all(|&shared| (INPUTS..ALL).contains(&shared)), "{feature}: {shared:?}");
        }
    }

    /// A weapon that reaches as far under either option of the limit shares what is learnt of it.
    #[test]
    fn weapons_share_their_reach() {
        let shared = |feature: u16| {
            let mut out = Vec::new();
            Dungeon::shared(feature, &mut out);
            out
        };
        let gear = |below: u16, limit: u16| GEAR + (below * RANKS + 7) * LIMITS + limit;
        assert_eq!(shared(gear(0, 9)), shared(gear(1, 10))[..3]);
        assert_eq!(shared(gear(1, 10))[3..], [BELOW]);
        assert_ne!(shared(gear(0, 9)), shared(gear(1, 9))[..3]);
    }
}
