//! Features of the position after a move, as its player sees it.
//!
//! Forced passes look like any others. So the features describe a position before anybody answers: the opponents that
//! may, and the stakes.

use crate::cards::CardSet;
use crate::doubles::{Board, Doubles, Hands, Move, NO_ONE, Phase};
use std::sync::LazyLock;

/// The situation of a seat after a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Situation {
    /// The turn is over.
    Settled,
    /// The own team has challenged: will anybody beat it?
    Bid,
    /// Another team has challenged, and the seat has passed or is not asked yet.
    Yielded,
    /// The own team rolls, and nobody has challenged yet.
    Waiting,
    /// Another team rolls, and nobody has challenged yet.
    Watching,
    /// The roller rolls again.
    Rolling,
}

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

/// What is still to come while so many cards are held.
#[derive(Copy, Clone)]
struct Rest {
    /// The share of the cards held that will be played: those that the limit of rolls leaves are worth nothing. One is played in
    /// about three rolls.
    worth: f32,
    /// The cards to come. In a match the games to come count as cards, one for five points.
    cards: f32,
    /// The unit of leads, in points: about the points that are still to be had.
    unit: f32,
}

impl Rest {
    fn new(board: &Board, held: u8, leader: f32) -> Self {
        let held = f32::from(held);
        let worth = ((board.max_rolls - board.rolls) as f32 / (3.0 * held.max(1.0))).min(1.0);
        let cards = (held * worth).max((board.target as f32 - leader) / 5.0);
        Self { worth, cards, unit: 10.0 + 12.0 * cards.sqrt() }
    }
}

/// The cards of a deck, and none.
const COUNTS: usize = 53;

/// The probability that cards in hand are none of those above some rank: by the number of unseen cards, of those in hand and of
/// those above it. Rollouts ask for it at every challenge.
static SAFE: LazyLock<Vec<[[f32; COUNTS]; COUNTS]>> = LazyLock::new(|| {
    let mut safe = vec![[[1.0; COUNTS]; COUNTS]; COUNTS];
    for (unseen, safe) in safe.iter_mut().enumerate() {
        for held in 1..COUNTS {
            let fewer = safe[held - 1];
            safe[held] = std::array::from_fn(|above| {
                // The last card of the hand is none of them, either.
                let lower = (unseen + 1).saturating_sub(above + held);
                let part = if lower == 0 { 0.0 } else { lower as f32 / (unseen + 1 - held) as f32 };
                fewer[above] * part
            });
        }
    }
    safe
});

/// The knowledge of a seat, in the numbers that the features need.
pub(super) struct SeatKnowledge<'a> {
    pub board: &'a Board,
    pub seat: u8,
    pub hand: CardSet,
    /// The number of cards that all opponents hold, and the most that one of them holds.
    pub others: u32,
    pub most: u32,
    /// The number of cards that the roller holds.
    roller: u32,
    /// The lead of the own team over the best other, in points.
    pub lead: f32,
    /// The number of unseen cards, and how many of them are above each rank.
    pub unseen: u32,
    pub above: [u8; 16],
    /// By rank, the part of the unseen cards that is not above it.
    strength: [f32; 16],
    /// The highest score of a seat.
    pub leader: f32,
    /// With the cards that are held now, and with one less.
    rest: [Rest; 2],
}

fn flag(condition: bool) -> f32 {
    f32::from(u8::from(condition))
}

impl<'a> SeatKnowledge<'a> {
    pub(super) fn new(board: &'a Board, hands: &Hands, seat: u8) -> Self {
        let own = board.sides[usize::from(seat)];
        let (mut others, mut most, mut best) = (0, 0, 0);
        for other in 0..board.players {
            if board.sides[usize::from(other)] != own {
                let count = hands[usize::from(other)].len() as u32;
                others += count;
                most = most.max(count);
                best = best.max(board.side_score(other));
            }
        }
        let hand = hands[usize::from(seat)];
        let unseen = board.deck - board.played - hand;
        let mut above = [0; 16];
        for rank in (2..15).rev() {
            above[rank - 1] = above[rank] + (unseen & CardSet::of_rank(rank as u8)).len() as u8;
        }
        let unseen = unseen.len() as u32;
        let leader = board.scores.iter().max().map_or(0.0, |&score| score as f32);
        Self {
            board,
            seat,
            hand,
            others,
            most,
            roller: hands[usize::from(board.roller)].len() as u32,
            lead: board.side_score(seat) as f32 - best as f32,
            unseen,
            above,
            strength: above.map(|above| 1.0 - f32::from(above) / unseen.max(1) as f32),
            leader,
            rest: [board.held, board.held.saturating_sub(1)].map(|held| Rest::new(board, held, leader)),
        }
    }

    /// The probability that no opponent holds a card above this rank.
    fn safe(&self, rank: u8) -> f32 {
        SAFE[self.unseen as usize][self.others as usize][usize::from(self.above[usize::from(rank)])]
    }

    /// What is to come with this hand: the own cards, or all but one.
    fn rest(&self, hand: CardSet) -> Rest {
        self.rest[usize::from(hand != self.hand)]
    }

    /// The unit of leads, in points, with this hand: the own cards, or all but one.
    pub fn unit(&self, hand: CardSet) -> f32 {
        self.rest(hand).unit
    }

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
            masters += flag(self.above[rank] == 0);
        }
        let alone = self.most == 0 && cards > 0;
        let empty = cards == 0 && self.most > 0;
        let settled = situation == Situation::Settled && board.phase == Phase::Roll;
        let last = board.phase == Phase::Shuffle
            || board.target > 0 && u32::from(board.held) + cards == self.hand.len() as u32;
        let roller = if settled { board.roller } else { board.next_roller(last) };
        let next = flag(roller == self.seat);
        let mut base = [
            1.0,
            lead / (5.0 + 4.0 * rest),
            lead / unit,
            own / 7.0,
            most / 7.0,
            flag(cards > self.most),
            flag(cards < self.most),
            flag(empty),
            flag(alone),
            if alone { own / 7.0 } else { 0.0 },
            if empty { most / 7.0 } else { 0.0 },
            flag(cards == 1),
            flag(self.most == 1),
            self.others as f32 / 7.0 / f32::from(board.players - 1),
            next,
            next * flag(empty),
            next * flag(alone),
            next * flag(cards == 1),
            strength / 7.0,
            best,
            masters / 7.0,
            masters * flag(cards > self.most) / 7.0,
            (own - most) / (1.0 + rest),
            strength / (1.0 + rest),
        ];
        base[ON_CARDS..].iter_mut().for_each(|x| *x *= worth);
        let s = stakes as f32 / unit;
        let one = flag(cards == 1);
        let pending = match situation {
            Situation::Settled => [0.0; PENDING],
            Situation::Bid => {
                let safe = self.safe(rank);
                let last = flag(cards == 0);
                [1.0, s, safe, safe * s, (1.0 - safe) * flag(self.most == 1), last, last * safe, last * s]
            }
            Situation::Yielded => {
                let (few, none) = (flag(self.most == 1), flag(self.most == 0));
                [1.0, s, one, one * s, few, few * s, none, none * s]
            }
            Situation::Waiting => {
                let (lone, few) = (flag(alone), flag(self.most == 1));
                [1.0, s, lone, lone * s, few, few * s, one, one * s]
            }
            Situation::Watching => {
                let (bare, lone) = (flag(self.roller == 0), flag(alone));
                [1.0, s, bare, bare * s, one, one * s, lone, lone * s]
            }
            Situation::Rolling => {
                let (bare, lone) = (flag(cards == 0), flag(alone));
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

    /// The situation in the round under way.
    pub(super) fn situation(&self) -> Situation {
        let own = |seat: u8| self.board.sides[usize::from(seat)] == self.board.sides[usize::from(self.seat)];
        match self.board.challenger {
            NO_ONE if own(self.board.roller) => Situation::Waiting,
            NO_ONE => Situation::Watching,
            challenger if own(challenger) => Situation::Bid,
            _ => Situation::Yielded,
        }
    }

    /// The features of the round under way.
    fn pending(&self) -> RuleFeatures {
        self.features(self.situation(), self.hand, 0.0, self.board.stakes, self.board.high)
    }

    /// The expected share of a win with these log-odds of the team, which its seats share.
    pub(super) fn share(&self, logit: f32) -> f64 {
        let sides = &self.board.sides[..usize::from(self.board.players)];
        let team = sides.iter().filter(|&&side| side == sides[usize::from(self.seat)]).count();
        1.0 / (1.0 + f64::from(-logit).exp()) / team as f64
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
