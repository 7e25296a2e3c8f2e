//! The features of a learned value: what a turn leaves behind, as the player knows it.

use super::board::Phase;
use super::rules::AvoidOrder;
use super::{DECK, Dungeon, Rules};
use crate::cards::Card;
use crate::games::CardGame as _;
use knave_agents::Seat;
use knave_agents::learn::{Features, LearnedValue, Model};
use std::sync::{Arc, LazyLock};

/// Health above this counts as this.
const HEALTH: u16 = 40;
/// Places among the avoided cards; those further down count as the last.
const PLACES: u16 = 24;
const CARDS: u16 = DECK.len() as u16;

// Where each group of features begins.
const GEAR: u16 = HEALTH + 1;
const CARRIED: u16 = GEAR + 11 * 16;
const MUST_FACE: u16 = CARRIED + CARDS;
const UNSEEN: u16 = MUST_FACE + 1;
const UNSEEN_LEFT: u16 = UNSEEN + CARDS;
const AVOIDED: u16 = UNSEEN_LEFT + CARDS + 1;
const SOMEWHERE: u16 = AVOIDED + CARDS * PLACES;
const AT_LEAST: u16 = SOMEWHERE + CARDS;
const WEAPON: u16 = AT_LEAST + HEALTH + 1;
const LIMIT: u16 = WEAPON + 11;
const AREA: u16 = LIMIT + 16;
const INPUTS: u16 = AREA + CARDS * 6;

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

fn place(card: Card) -> u16 {
    PLACE[usize::from(card.id())]
}

impl Features for Dungeon {
    const FEATURES_VERSION: u32 = 1;
    const INPUTS: usize = INPUTS as usize;

    /// Health; weapon and limit together; the card carried on; whether the next room must be faced; the
    /// unseen cards and their number; each avoided card with its place below them.
    fn features(&self, _: Seat, out: &mut Vec<u16>) {
        let board = &self.board;
        out.clear();
        out.push(u16::from(board.health).min(HEALTH));
        out.push(GEAR + u16::from(board.weapon) * 16 + u16::from(board.limit));
        let mut room = board.room();
        // Cards of a room that is still being faced are cards still to come.
        let mut coming = self.unseen();
        if board.phase == Phase::Play {
            room.by_ref().for_each(|card| coming.insert(card));
        }
        out.extend(room.next().map(|card| CARRIED + place(card)));
        if !board.may_avoid {
            out.push(MUST_FACE);
        }
        out.extend(coming.into_iter().map(|card| UNSEEN + place(card)));
        out.push(UNSEEN_LEFT + coming.len() as u16);
        let start = out.len();
        let mut avoided = |(i, id): (usize, u8)| {
            let card = Card::from_id(id);
            out.push(AVOIDED + (i as u16).min(PLACES - 1) * CARDS + place(card));
        };
        if board.rules.avoid_order == AvoidOrder::Kept {
            self.pile.avoided().enumerate().for_each(&mut avoided);
        } else {
            let view = self.pile.view(board.rules.avoid_order);
            view.avoided.into_iter().take(usize::from(view.avoided_len)).enumerate().for_each(&mut avoided);
        }
        // Only the places beyond the last may be out of order.
        let tail = start + usize::from(PLACES - 1);
        if out.len() > tail {
            out[tail..].sort_unstable();
        }
        let known = crate::cards::CardSet::from_bits(self.pile.cards().bits() & !self.unseen().bits());
        out.extend(known.into_iter().map(|card| SOMEWHERE + place(card)));
        out.extend((1..=u16::from(board.health).min(HEALTH)).map(|health| AT_LEAST + health));
        out.push(WEAPON + u16::from(board.weapon));
        out.push(LIMIT + u16::from(board.limit));
        let start = out.len();
        let area = |(i, id): (usize, u8)| AREA + (i as u16 / 4).min(5) * CARDS + place(Card::from_id(id));
        out.extend(self.pile.avoided().enumerate().map(area));
        out[start..].sort_unstable();
    }
}

static MODEL: LazyLock<Arc<Model>> = LazyLock::new(|| {
    let model = Model::from_bytes(include_bytes!("../../../agents/models/dungeon.model"));
    Arc::new(model.unwrap_or_else(|error| unreachable!("a test reads this file: {error}")))
});

/// The trained value, where it was trained for these rules.
pub fn value(rules: &Rules) -> Option<LearnedValue<Dungeon>> {
    let rules = serde_json::to_value(rules).unwrap_or_default();
    MODEL.check::<Dungeon>(Dungeon::NAME, Dungeon::RULES_VERSION, &rules).ok()?;
    Some(LearnedValue::new(Arc::clone(&MODEL)))
}
