//! The learned evaluator `net`, and the features of an afterstate that it sees.

use crate::cards::{CardSet, Suit};
use crate::dungeon::board::{Board, Phase};
use crate::dungeon::deck::{DECK, place, ranks_upto};
use crate::dungeon::moves::Move;
use crate::dungeon::position::Dungeon;
use crate::dungeon::rules::{Aim, AvoidOrder, Rules, Unfaced, WeaponLimit};
use crate::dungeon::steps::{self, Outcome, Outcomes};
use crate::models::{self, Models};
use arrayvec::ArrayVec;
use knave_agents::learn::{Features, LearnedValue, Model, ModelError, probability};
use knave_agents::{Evaluator, ModelId, Seat, StepList};

/// The ceilings of health that the features tell apart; others count as the nearest.
const LOWEST: u16 = 5;
const HIGHEST: u16 = 40;
/// The least ceiling under which enough games are won to learn from.
const LEAST_WON: u16 = 8;
/// The places among the avoided cards that are told apart. Those further down count as the last.
const PLACES: u16 = 24;
/// The same where every four avoided cards are shuffled: which four.
const FOURS: u16 = PLACES / 4;
const CARDS: u16 = DECK.len() as u16;
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
        out.extend(coming.into_iter().map(|card| UNSEEN + place(card.id())));
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
fn health(board: &Board, lowest: u16) -> u16 {
    let ceiling = u16::from(board.rules.health).clamp(lowest, HIGHEST);
    vitals(ceiling, u16::from(board.health).clamp(1, ceiling))
}

/// The feature of the weapon and its limit.
fn gear(board: &Board) -> u16 {
    let below = u16::from(board.rules.weapon_limit == WeaponLimit::Below);
    GEAR + (below * RANKS + u16::from(board.weapon)) * LIMITS + u16::from(board.limit)
}

/// The features of everything else face up: the card that stays, and whether the next room must be faced.
fn staying(board: &Board) -> impl Iterator<Item = u16> {
    // The card that stays is in the first slot; in a room that is still being faced none has been chosen.
    let stays = board.phase != Phase::Play && board.room[0] != 0;
    let carried = stays.then(|| CARRIED + place(board.room[0]));
    carried.into_iter().chain((!board.may_avoid).then_some(MUST_FACE))
}

/// The features of the unseen monsters that the weapon can slay as it is.
fn in_reach(board: &Board, unseen: CardSet) -> impl Iterator<Item = u16> {
    let reached = unseen & MONSTER_SUITS & CardSet::of_ranks(ranks_upto(board.reach()));
    let first = IN_REACH + u16::from(board.weapon) * CARDS;
    reached.into_iter().map(move |card| first + place(card.id()))
}

/// The feature of so many unseen cards, which also tells what the player is after.
fn unseen_left(rules: &Rules, unseen: usize) -> u16 {
    let shuffled = u16::from(rules.avoid_order == AvoidOrder::Shuffled);
    let aim = match (rules.objective, rules.unfaced) {
        (Aim::Win, _) => 0,
        (Aim::Score, Unfaced::PileAndRoom) => 1,
        (Aim::Score, Unfaced::Pile) => 2,
    };
    UNSEEN_LEFT + (shuffled * AIMS + aim) * LEFT + unseen as u16
}

/// Appends the features of the avoided cards.
fn avoided_cards(position: &Dungeon, out: &mut Vec<u16>) {
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
fn avoided(above: usize, id: u8) -> u16 {
    AVOIDED + (above as u16).min(PLACES - 1) * CARDS + place(id)
}

/// The feature of an avoided card at this place below the dealt ones, where every four are shuffled.
fn shuffled(place_below: usize, id: u8) -> u16 {
    SHUFFLED + (place_below as u16 / 4).min(FOURS - 1) * CARDS + place(id)
}

/// The learned value.
pub struct Learned {
    value: LearnedValue<Dungeon>,
    /// Lower ceilings of health are valued as if they were this one.
    lowest: u8,
}

impl Learned {
    /// Calls `each` with the outcomes of the turn and their log-odds, `None` where the game is over. Avoiding comes first, with
    /// no outcome. Returns `false` where the exact end-game may know better.
    fn each(&self, position: &Dungeon, mut each: impl FnMut(Option<&Outcome>, Option<f64>)) -> bool {
        let Dungeon { board, pile } = position;
        let unseen = pile.unseen();
        if unseen.is_empty() || board.phase != Phase::Play {
            return false;
        }
        let mut outcomes = Outcomes::new();
        steps::outcomes(board, false, &mut outcomes);
        let left = unseen_left(&board.rules, unseen.len());
        let lowest = u16::from(self.lowest);
        self.value.batch(
            (0, Dungeon::head(&[left])),
            // Ascending, unlike in training, which needs the head first.
            |common| {
                common.extend(unseen.into_iter().map(|card| UNSEEN + place(card.id())));
                common.push(left);
                avoided_cards(position, common);
            },
            |batch| {
                // Many outcomes leave the same weapon, and so the same monsters in its reach.
                let mut logit = |after: &Board, more: &[u16]| {
                    let part = |out: &mut Vec<u16>| {
                        out.push(gear(after));
                        out.extend(in_reach(after, unseen));
                    };
                    batch.logit_with(gear(after), part, more)
                };
                let rest = |after: &Board| -> ArrayVec<u16, 7> {
                    std::iter::once(health(after, lowest)).chain(staying(after)).collect()
                };
                if board.may_avoid {
                    let mut after = *board;
                    let avoided_now = after.avoid();
                    let mut features = rest(&after);
                    let above = pile.avoided_len();
                    // While cards are unseen, none of those avoided has been drawn.
                    let feature = |(i, id): (usize, u8)| match board.rules.avoid_order {
                        AvoidOrder::Kept => avoided(above + i, id),
                        AvoidOrder::Shuffled => shuffled(above + i, id),
                    };
                    features.extend(avoided_now.into_iter().enumerate().map(feature));
                    each(None, Some(logit(&after, &features)));
                }
                for outcome in &outcomes {
                    let after = &outcome.board;
                    let over = matches!(after.phase, Phase::Died | Phase::Cleared);
                    let odds = (!over).then(|| logit(after, &rest(after)));
                    each(Some(outcome), odds);
                }
            },
        );
        true
    }
}

impl Evaluator<Dungeon> for Learned {
    fn model(&self) -> Option<&ModelId> {
        Some(self.value.model_id())
    }

    fn value(&self, position: &Dungeon, seat: Seat) -> f64 {
        if position.board.rules.health >= self.lowest {
            return self.value.value(position, seat);
        }
        let mut position = position.clone();
        position.board.rules.health = self.lowest;
        self.value.value(&position, seat)
    }

    fn decision(&self, position: &Dungeon, _: Seat) -> Option<f64> {
        let (mut best, mut over) = (f64::NEG_INFINITY, 0.0_f64);
        self.each(position, |outcome, odds| match (outcome, odds) {
            (Some(outcome), None) => over = over.max(outcome.board.utility()),
            (_, odds) => best = best.max(odds.unwrap_or(best)),
        })
        .then(|| probability(best).max(over))
    }

    fn steps(&self, position: &Dungeon, _: Seat, steps: &mut StepList<Move>, values: &mut Vec<f64>) -> bool {
        steps.clear();
        values.clear();
        self.each(position, |outcome, odds| {
            steps.push(outcome.map_or(&[Move::AVOID], Outcome::moves));
            let over = |outcome: &Outcome| outcome.board.utility();
            values.push(odds.map_or_else(|| outcome.map_or(0.0, over), probability));
        })
    }
}

/// The trained models. Rules are served by the first that is for them: the one for the score as the objective, the one for avoided
/// cards that are shuffled, or the one for all others.
pub static MODELS: Models = Models::new(&[
    ("dungeon-score.model", include_bytes!("../models/dungeon-score.model")),
    ("dungeon-shuffled.model", include_bytes!("../models/dungeon-shuffled.model")),
    ("dungeon.model", include_bytes!("../models/dungeon.model")),
]);

/// The rules that a model must have been trained for to serve these: to players who want to win it makes no difference how a
/// death is counted.
fn trained(rules: &Rules) -> Rules {
    let unfaced = if rules.objective == Aim::Win { Rules::default().unfaced } else { rules.unfaced };
    Rules { unfaced, ..*rules }
}

/// The learned value; `None` where no model was trained for these rules.
pub fn value(rules: &Rules) -> Option<Learned> {
    // A score tells something of every game, a win that hardly ever comes does not.
    let lowest = if rules.objective == Aim::Win { LEAST_WON } else { LOWEST };
    MODELS.value(&trained(rules)).map(|value| Learned { value, lowest: lowest as u8 })
}

/// The learned choice of steps of a model; an error where that does not fit.
pub fn policy_of_model(model: Model, rules: &Rules) -> Result<LearnedValue<Dungeon>, ModelError> {
    models::value_alike(model, rules, trained)
}

/// The learned value of a model; an error where that does not fit.
pub fn of_model(model: Model, rules: &Rules) -> Result<Learned, ModelError> {
    let value = models::value_alike(model, rules, trained)?;
    Ok(Learned { value, lowest: LOWEST as u8 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Card;
    use crate::dungeon::deck::{CardKind, kind};
    use knave_agents::played;
    use knave_agents::rng::stream;
    use knave_agents::{Game as _, Role, Tools as _, Turn};
    use rand::RngExt as _;

    /// Rules of every kind that the features tell apart.
    fn all_kinds() -> Vec<Rules> {
        let mut all = Vec::new();
        for weapon_limit in [WeaponLimit::AtMost, WeaponLimit::Below] {
            for avoid_order in [AvoidOrder::Kept, AvoidOrder::Shuffled] {
                let rules = Rules { weapon_limit, avoid_order, ..Rules::default() };
                all.extend([
                    rules,
                    Rules { health: 9, ..rules },
                    Rules { health: 6, ..rules },
                    Rules { objective: Aim::Score, ..rules },
                    Rules { objective: Aim::Score, unfaced: Unfaced::Pile, health: 33, ..rules },
                ]);
            }
        }
        all
    }

    /// The values of all steps of a decision at once are those of each step, and the best is that of the decision.
    #[test]
    fn a_batch_is_what_its_parts_are() {
        let (mut steps, mut listed, mut values) = (StepList::default(), StepList::default(), Vec::new());
        let (mut decisions, mut avoided) = (0, 0);
        for (index, rules) in (0..).zip(all_kinds().iter().cycle().take(64)) {
            let learned = value(rules).expect("the model is for all of these rules");
            let mut rng = stream(41, index, Role::Deal);
            let mut position = Dungeon::deal(rules, &mut rng);
            while position.turn() != Turn::Over {
                if position.turn() != Turn::Player(0) {
                    position.roll(&mut rng);
                    continue;
                }
                if !learned.steps(&position, 0, &mut steps, &mut values) {
                    assert!(position.unseen().is_empty());
                    break;
                }
                position.steps(&mut listed);
                assert!(listed.iter().eq(steps.iter()));
                for (step, &value) in steps.iter().zip(&values) {
                    assert_eq!(learned.value(&played(&position, step), 0), value, "{rules:?}");
                }
                let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(learned.decision(&position, 0), Some(most));
                // Every so often the room is avoided, so that cards of several rooms lie under the pile.
                let best = values.iter().position(|&value| value == most).unwrap();
                let chosen = if position.board.may_avoid && decisions % 3 > 0 { 0 } else { best };
                position = played(&position, steps.get(chosen));
                decisions += 1;
                avoided += usize::from(position.pile.avoided_len() > 4);
            }
        }
        assert!(decisions > 300 && avoided > 100, "{decisions} decisions, {avoided} with many avoided cards");
    }

    /// Where winning is the aim, little health is valued as if it could rise to 8; where the score is, as the model has it.
    #[test]
    fn little_health_is_valued_as_if_it_could_rise() {
        for objective in [Aim::Win, Aim::Score] {
            let rules = Rules { health: 7, objective, ..Rules::default() };
            let learned = value(&rules).expect("the models are for these rules");
            let (mut steps, mut values, mut otherwise) = (StepList::default(), Vec::new(), 0);
            for index in 0..50 {
                let mut rng = stream(44, index, Role::Deal);
                let mut position = Dungeon::deal(&rules, &mut rng);
                position.roll(&mut rng);
                while learned.steps(&position, 0, &mut steps, &mut values) {
                    let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap();
                    position = played(&position, steps.get(best));
                    if position.turn() == Turn::Over {
                        break;
                    }
                    let mut risen = position.clone();
                    risen.board.rules.health = 8;
                    let expected = if objective == Aim::Win { &risen } else { &position };
                    assert_eq!(learned.value(&position, 0), learned.value.value(expected, 0));
                    otherwise +=
                        usize::from(learned.value.value(&position, 0) != learned.value.value(&risen, 0));
                    if position.turn() == Turn::Chance {
                        position.roll(&mut rng);
                    }
                }
            }
            assert!(
                otherwise > 20,
                "{objective:?}: the model itself values only {otherwise} positions otherwise"
            );
        }
    }

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

    /// The model serves all rules that it was trained for, and rules that make no difference to it: how a death is counted
    /// matters only to players who maximise the score.
    #[test]
    fn models_keep_to_their_rules() {
        let default = Rules::default();
        let odds = |rules: Rules| {
            let mut position = Dungeon::deal(&rules, &mut stream(42, 0, Role::Deal));
            position.roll(&mut stream(42, 0, Role::Chance));
            value(&rules).map(|learned| learned.value(&position, 0).to_bits())
        };
        assert!(odds(default).is_some());
        assert_eq!(odds(Rules { unfaced: Unfaced::Pile, ..default }), odds(default));
        for other in all_kinds().into_iter().filter(|other| *other != default) {
            assert!(odds(other).is_some() && odds(other) != odds(default), "{other:?}");
        }
        for health in [4, 41] {
            assert!(odds(Rules { health, ..default }).is_none(), "{health}");
        }
    }
}
