//! Knowledge of a seat, shared by the values: what their features are counted from.

use crate::cards::CardSet;
use crate::doubles::{Board, Hands, NO_ONE};
use knave_agents::learn::probability;
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

/// What is still to come while so many cards are held.
#[derive(Copy, Clone)]
pub(super) struct Rest {
    /// The share of the cards held that will be played: those that the limit of rolls leaves are worth nothing. One is played in
    /// about three rolls.
    pub worth: f32,
    /// The cards to come. In a match the games to come count as cards, one for five points.
    pub cards: f32,
    /// The unit of leads, in points: about the points that are still to be had.
    pub unit: f32,
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
    pub roller: u32,
    /// The lead of the own team over the best other, in points.
    pub lead: f32,
    /// The number of unseen cards, and how many of them are above each rank.
    pub unseen: u32,
    pub above: [u8; 16],
    /// By rank, the part of the unseen cards that is not above it.
    pub strength: [f32; 16],
    /// The highest score of a seat.
    pub leader: f32,
    /// With the cards that are held now, and with one less.
    rest: [Rest; 2],
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
    pub(super) fn safe(&self, rank: u8) -> f32 {
        SAFE[self.unseen as usize][self.others as usize][usize::from(self.above[usize::from(rank)])]
    }

    /// What is to come with this hand: the own cards, or all but one.
    pub(super) fn rest(&self, hand: CardSet) -> Rest {
        self.rest[usize::from(hand != self.hand)]
    }

    /// The unit of leads, in points, with this hand: the own cards, or all but one.
    pub fn unit(&self, hand: CardSet) -> f32 {
        self.rest(hand).unit
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

    /// The expected share of a win with these log-odds of the team, which its seats share.
    pub(super) fn share(&self, logit: f32) -> f64 {
        let sides = &self.board.sides[..usize::from(self.board.players)];
        let team = sides.iter().filter(|&&side| side == sides[usize::from(self.seat)]).count();
        probability(logit.into()) / team as f64
    }
}
