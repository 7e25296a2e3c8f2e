//! The learned evaluator `net`, and the features of an afterstate that it sees.

use crate::cards::CardSet;
use crate::games::dungeon::board::{Board, Phase};
use crate::games::dungeon::deck::DECK;
use crate::games::dungeon::moves::Move;
use crate::games::dungeon::position::Dungeon;
use crate::games::dungeon::rules::Rules;
use crate::games::dungeon::rules::{Aim, AvoidOrder};
use crate::games::dungeon::steps::{self, Outcome, Outcomes};
use crate::games::models::Models;
use arrayvec::ArrayVec;
use knave_agents::learn::{Features, LearnedValue, probability};
use knave_agents::{Evaluator, ModelId, Seat, StepList};

/// The most health that is told apart.
const HEALTH: u16 = 40;
/// The places among the avoided cards that are told apart. Those further down count as the last.
const PLACES: u16 = 24;
const CARDS: u16 = DECK.len() as u16;

// The first feature of each group.
const GEAR: u16 = HEALTH + 1;
const CARRIED: u16 = GEAR + 11 * 16;
const MUST_FACE: u16 = CARRIED + CARDS;
const UNSEEN: u16 = MUST_FACE + 1;
const UNSEEN_LEFT: u16 = UNSEEN + CARDS;
const AVOIDED: u16 = UNSEEN_LEFT + CARDS + 1;
const INPUTS: u16 = AVOIDED + CARDS * PLACES;

// The same for the shared features.
const AT_LEAST: u16 = INPUTS;
const WEAPON: u16 = AT_LEAST + HEALTH + 1;
const LIMIT: u16 = WEAPON + 11;
const SOMEWHERE: u16 = LIMIT + 16;
const AREA: u16 = SOMEWHERE + CARDS;
const ALL: u16 = AREA + CARDS * (PLACES / 4);

/// The place of a card in the ordered deck, by [`Card::id`].
const PLACE: [u16; 64] = {
    let mut places = [0; 64];
    let mut i = 0;
    while i < DECK.len() {
        places[DECK[i].id() as usize] = i as u16;
        i += 1;
    }
    places
};

fn place(id: u8) -> u16 {
    PLACE[usize::from(id & 63)]
}

impl Features for Dungeon {
    const FEATURES_VERSION: u32 = 3;
    const INPUTS: usize = INPUTS as usize;
    const SHARED: usize = (ALL - INPUTS) as usize;

    /// Health; weapon and limit together; the carried card; whether the next room must be faced; the unseen cards and their
    /// number; each avoided card with its place below them.
    fn features(&self, _: Seat, out: &mut Vec<u16>) {
        out.clear();
        let mut coming = self.unseen();
        // Cards of a room that is still being faced are cards still to come.
        if self.board.phase == Phase::Play {
            self.board.room().for_each(|card| coming.insert(card));
        }
        out.extend(face_up(&self.board));
        face_down(self, coming, out);
    }

    fn shared(feature: u16, out: &mut Vec<u16>) {
        match feature {
            0..GEAR => out.extend((1..=feature).map(|health| AT_LEAST + health)),
            GEAR..CARRIED => out.extend([WEAPON + (feature - GEAR) / 16, LIMIT + (feature - GEAR) % 16]),
            AVOIDED..INPUTS => {
                let (above, card) = ((feature - AVOIDED) / CARDS, (feature - AVOIDED) % CARDS);
                out.extend([SOMEWHERE + card, AREA + above / 4 * CARDS + card]);
            }
            _ => {}
        }
    }
}

/// The features of everything face up.
fn face_up(board: &Board) -> ArrayVec<u16, 4> {
    let mut out = ArrayVec::new();
    out.push(u16::from(board.health).min(HEALTH));
    out.push(GEAR + u16::from(board.weapon) * 16 + u16::from(board.limit));
    // The card that stays is in the first slot; in a room that is still being faced none has been chosen.
    if board.phase != Phase::Play && board.room[0] != 0 {
        out.push(CARRIED + place(board.room[0]));
    }
    if !board.may_avoid {
        out.push(MUST_FACE);
    }
    out
}

/// Appends the features of the `unseen` cards and of the avoided ones.
fn face_down(position: &Dungeon, unseen: CardSet, out: &mut Vec<u16>) {
    out.extend(unseen.into_iter().map(|card| UNSEEN + place(card.id())));
    out.push(UNSEEN_LEFT + unseen.len() as u16);
    let start = out.len();
    let pile = &position.pile;
    let mut avoided = |(i, id): (usize, u8)| out.push(avoided(i, id));
    if position.board.rules.avoid_order == AvoidOrder::Kept {
        pile.avoided().enumerate().for_each(&mut avoided);
    } else {
        let view = pile.view(position.board.rules.avoid_order);
        view.avoided.into_iter().take(usize::from(view.avoided_len)).enumerate().for_each(&mut avoided);
    }
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

/// The learned value.
pub struct Learned(LearnedValue<Dungeon>);

impl Learned {
    /// Calls `each` with the outcomes of the turn and their log-odds, `None` where the game is over. Avoiding comes first, with
    /// no outcome. Returns `false` where the exact end-game may know better, or the order of avoided cards is not known.
    fn each(&self, position: &Dungeon, mut each: impl FnMut(Option<&Outcome>, Option<f64>)) -> bool {
        let Dungeon { board, pile } = position;
        let unseen = pile.unseen();
        if unseen.is_empty() || board.rules.avoid_order != AvoidOrder::Kept || board.phase != Phase::Play {
            return false;
        }
        let mut outcomes = Outcomes::new();
        steps::outcomes(board, false, &mut outcomes);
        self.0.batch(
            0,
            |common| face_down(position, unseen, common),
            |logit| {
                if board.may_avoid {
                    let mut after = *board;
                    let room = after.avoid();
                    let mut features: ArrayVec<u16, 8> = face_up(&after).into_iter().collect();
                    let above = pile.avoided_len();
                    features.extend(room.into_iter().enumerate().map(|(i, id)| avoided(above + i, id)));
                    each(None, Some(logit(&[], &features)));
                }
                for outcome in &outcomes {
                    let over = matches!(outcome.board.phase, Phase::Died | Phase::Cleared);
                    let odds = (!over).then(|| logit(&[], &face_up(&outcome.board)));
                    each(Some(outcome), odds);
                }
            },
        );
        true
    }
}

impl Evaluator<Dungeon> for Learned {
    fn model(&self) -> Option<&ModelId> {
        Some(self.0.model_id())
    }

    fn value(&self, position: &Dungeon, seat: Seat) -> f64 {
        self.0.value(position, seat)
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

/// The trained models: for the default rules, for the stricter limit of weapons, and for the score as the objective.
static MODELS: Models = Models::new(&[
    ("dungeon.model", include_bytes!("../models/dungeon.model")),
    ("dungeon-below.model", include_bytes!("../models/dungeon-below.model")),
    ("dungeon-score.model", include_bytes!("../models/dungeon-score.model")),
]);

/// The learned value; `None` where no model was trained for these rules.
pub fn value(rules: &Rules) -> Option<Learned> {
    // To players who want to win it makes no difference how a death is counted.
    let unfaced = if rules.objective == Aim::Win { Rules::default().unfaced } else { rules.unfaced };
    MODELS.value(&Rules { unfaced, ..*rules }).map(Learned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dungeon::rules::{Unfaced, WeaponLimit};
    use knave_agents::played;
    use knave_agents::rng::stream;
    use knave_agents::{Game as _, Role, Tools as _, Turn};

    /// The values of all steps of a decision at once are those of each step, and the best is that of the decision.
    #[test]
    fn a_batch_is_what_its_parts_are() {
        let learned = value(&Rules::default()).expect("the model is for the default rules");
        let (mut steps, mut listed, mut values) = (StepList::default(), StepList::default(), Vec::new());
        let mut decisions = 0;
        for index in 0..20 {
            let mut rng = stream(41, index, Role::Deal);
            let mut position = Dungeon::deal(&Rules::default(), &mut rng);
            while position.turn() != Turn::Over {
                if position.turn() == Turn::Chance {
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
                    assert_eq!(learned.value(&played(&position, step), 0), value);
                }
                let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(learned.decision(&position, 0), Some(most));
                let best = values.iter().position(|&value| value == most).unwrap();
                position = played(&position, steps.get(best));
                decisions += 1;
            }
        }
        assert!(decisions > 150, "{decisions}");
    }

    /// A model serves the rules that it was trained for, and rules that make no difference to it: how a death is counted
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
        let below = odds(Rules { weapon_limit: WeaponLimit::Below, ..default });
        assert!(below.is_some() && below != odds(default));
        let score = Rules { objective: Aim::Score, ..default };
        assert!(odds(score).is_some() && odds(score) != odds(default));
        assert!(odds(Rules { unfaced: Unfaced::Pile, ..score }).is_none());
        assert!(odds(Rules { health: 19, ..default }).is_none());
    }
}
