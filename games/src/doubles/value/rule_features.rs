//! Features of the hand-written `rule`: the position after a move, as its player sees it.
//!
//! Forced passes look like any others. So the features describe a position before anybody answers: the opponents that
//! may, and the stakes.

use super::knowledge::{Rest, SeatKnowledge, Situation};
use crate::cards::CardSet;
use crate::doubles::{Doubles, Move, Phase};

/// The number of features in every situation.
const BASE: usize = 24;
/// The first of them that is about cards.
const ON_CARDS: usize = 3;
/// The number of features of each situation that is not settled.
const PENDING: usize = 8;
/// The number of features.
pub const N: usize = BASE + 5 * PENDING;

/// The weighted sum has lanes, so that the compiler can vectorise it.
const LANES: usize = 8;
const _: () =
    assert!(BASE.is_multiple_of(LANES) && PENDING.is_multiple_of(LANES), "every feature lies in a lane");

/// The names of the features, in order.
pub const FEATURES: [&str; N] = [
    "bias",
    "lead_near",
    "lead_far",
    "cards",
    "most",
    "more_cards",
    "fewer_cards",
    "empty",
    "alone",
    "alone_cards",
    "empty_most",
    "one_card",
    "most_one",
    "others",
    "rolls_next",
    "rolls_next_empty",
    "rolls_next_alone",
    "rolls_next_one_card",
    "strength",
    "best_strength",
    "masters",
    "master_of_more",
    "edge_near",
    "strength_near",
    "bid",
    "bid_stakes",
    "bid_safe",
    "bid_safe_stakes",
    "bid_unsafe_most_one",
    "bid_last",
    "bid_last_safe",
    "bid_last_stakes",
    "yielded",
    "yielded_stakes",
    "yielded_one_card",
    "yielded_one_card_stakes",
    "yielded_most_one",
    "yielded_most_one_stakes",
    "yielded_most_none",
    "yielded_most_none_stakes",
    "waiting",
    "waiting_stakes",
    "waiting_alone",
    "waiting_alone_stakes",
    "waiting_most_one",
    "waiting_most_one_stakes",
    "waiting_one_card",
    "waiting_one_card_stakes",
    "watching",
    "watching_stakes",
    "watching_empty_roller",
    "watching_empty_roller_stakes",
    "watching_one_card",
    "watching_one_card_stakes",
    "watching_alone",
    "watching_alone_stakes",
    "rolling",
    "rolling_stakes",
    "rolling_empty",
    "rolling_empty_stakes",
    "rolling_alone",
    "rolling_alone_stakes",
    "rolling_one_card",
    "rolling_one_card_stakes",
];

/// What the rule looks at in a position after a move: the features of every situation, and those of the one that it is.
#[derive(Clone, Debug)]
pub struct RuleFeatures {
    base: [f32; BASE],
    situation: Situation,
    pending: [f32; PENDING],
}

impl RuleFeatures {
    /// The place of the first feature of the situation; `None` when the turn is settled.
    fn place(&self) -> Option<usize> {
        (self.situation as usize).checked_sub(1).map(|place| BASE + place * PENDING)
    }

    /// All features, in the order of [`FEATURES`]; those of other situations are 0.
    #[must_use]
    pub fn all(&self) -> [f32; N] {
        let mut all = [0.0; N];
        all[..BASE].copy_from_slice(&self.base);
        if let Some(place) = self.place() {
            all[place..place + PENDING].copy_from_slice(&self.pending);
        }
        all
    }

    /// The sum of the features, each with its weight.
    #[must_use]
    pub fn weighted(&self, weights: &[f32; N]) -> f32 {
        let mut lanes = [0.0; LANES];
        let mut add = |x: &[f32], weights: &[f32]| {
            for (x, w) in x.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
                for (lane, (x, w)) in lanes.iter_mut().zip(x.iter().zip(w)) {
                    *lane += w * x;
                }
            }
        };
        add(&self.base, &weights[..BASE]);
        if let Some(place) = self.place() {
            add(&self.pending, &weights[place..place + PENDING]);
        }
        lanes.iter().sum()
    }
}

/// The features of the rule.
impl SeatKnowledge<'_> {
    /// The features with this hand and these stakes, with so many points more; `rank` is that of an own team's bid.
    fn features(
        &self,
        situation: Situation,
        hand: CardSet,
        lead: f32,
        stakes: u32,
        rank: u8,
    ) -> RuleFeatures {
        let board = self.board;
        let cards = hand.len() as u32;
        let (own, most) = (cards as f32, self.most as f32);
        let Rest { worth, cards: rest, unit } = self.rest(hand);
        let lead = self.lead + lead;
        let (mut strength, mut best, mut masters) = (0.0_f32, 0.0_f32, 0.0);
        for card in hand {
            let rank = usize::from(card.rank());
            strength += self.strength[rank];
            best = best.max(self.strength[rank]);
            masters += f32::from(self.above[rank] == 0);
        }
        let alone = self.most == 0 && cards > 0;
        let empty = cards == 0 && self.most > 0;
        let settled = situation == Situation::Settled && board.phase == Phase::Roll;
        let last = board.phase == Phase::Shuffle
            || board.target > 0 && u32::from(board.held) + cards == self.hand.len() as u32;
        let roller = if settled { board.roller } else { board.next_roller(last) };
        let next = f32::from(roller == self.seat);
        let mut base = [
            1.0,
            lead / (5.0 + 4.0 * rest),
            lead / unit,
            own / 7.0,
            most / 7.0,
            f32::from(cards > self.most),
            f32::from(cards < self.most),
            f32::from(empty),
            f32::from(alone),
            if alone { own / 7.0 } else { 0.0 },
            if empty { most / 7.0 } else { 0.0 },
            f32::from(cards == 1),
            f32::from(self.most == 1),
            self.others as f32 / 7.0 / f32::from(board.players - 1),
            next,
            next * f32::from(empty),
            next * f32::from(alone),
            next * f32::from(cards == 1),
            strength / 7.0,
            best,
            masters / 7.0,
            masters * f32::from(cards > self.most) / 7.0,
            (own - most) / (1.0 + rest),
            strength / (1.0 + rest),
        ];
        base[ON_CARDS..].iter_mut().for_each(|x| *x *= worth);
        let s = stakes as f32 / unit;
        let one = f32::from(cards == 1);
        let pending = match situation {
            Situation::Settled => [0.0; PENDING],
            Situation::Bid => {
                let safe = self.safe(rank);
                let last = f32::from(cards == 0);
                [
                    1.0,
                    s,
                    safe,
                    safe * s,
                    (1.0 - safe) * f32::from(self.most == 1),
                    last,
                    last * safe,
                    last * s,
                ]
            }
            Situation::Yielded => {
                let (few, none) = (f32::from(self.most == 1), f32::from(self.most == 0));
                [1.0, s, one, one * s, few, few * s, none, none * s]
            }
            Situation::Waiting => {
                let (lone, few) = (f32::from(alone), f32::from(self.most == 1));
                [1.0, s, lone, lone * s, few, few * s, one, one * s]
            }
            Situation::Watching => {
                let (bare, lone) = (f32::from(self.roller == 0), f32::from(alone));
                [1.0, s, bare, bare * s, one, one * s, lone, lone * s]
            }
            Situation::Rolling => {
                let (bare, lone) = (f32::from(cards == 0), f32::from(alone));
                [1.0, s, bare, bare * s, lone, lone * s, one, one * s]
            }
        };
        RuleFeatures { base, situation, pending }
    }

    /// The features after a move of this seat, the mover.
    pub(super) fn after(&self, m: Move) -> RuleFeatures {
        let board = self.board;
        if let Some(card) = m.card() {
            let mut hand = self.hand;
            hand.remove(card);
            return self.features(Situation::Bid, hand, 0.0, board.stakes, card.rank());
        }
        match m {
            Move::PASS => self.pending(),
            Move::POCKET => self.features(Situation::Settled, self.hand, board.stakes as f32, 0, 0),
            _ if board.rolls == board.max_rolls => self.features(Situation::Settled, self.hand, 0.0, 0, 0),
            _ => self.features(Situation::Rolling, self.hand, 0.0, board.stakes, 0),
        }
    }

    /// The features of the round under way.
    fn pending(&self) -> RuleFeatures {
        self.features(self.situation(), self.hand, 0.0, self.board.stakes, self.board.high)
    }

    /// The features of a position after a move, perhaps answered already.
    pub(super) fn now(&self) -> RuleFeatures {
        let board = self.board;
        match board.phase {
            Phase::Roll if board.stakes > 0 && board.roller == self.seat => self.after(Move::ROLL),
            Phase::Forced | Phase::Challenge | Phase::Choose => self.pending(),
            Phase::Roll if board.stakes > 0 => self.pending(),
            _ => self.features(Situation::Settled, self.hand, 0.0, 0, 0),
        }
    }
}

/// The features after a move of the mover.
#[must_use]
pub fn features(position: &Doubles, m: Move) -> RuleFeatures {
    SeatKnowledge::new(&position.board, &position.hands, position.board.mover).after(m)
}
