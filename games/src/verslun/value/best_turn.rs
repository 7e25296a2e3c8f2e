//! The best turn by the value of its afterstate: among claims, each with the best beginning of the turn after it.

use super::context::{Afterstate, DecisionContext, Upcoming};
use crate::cards::CardSet;
use crate::verslun::board::{Board, Phase};
use crate::verslun::claims;
use crate::verslun::deck::{TENS, highest, not_below, points, points_of};
use crate::verslun::moves::{Claim, Move};
use crate::verslun::position::Verslun;
use crate::verslun::rules::HEIGHT;
use crate::verslun::steps::lowest;
use arrayvec::ArrayVec;

/// The most candidates that get a second look.
pub const FINALISTS: usize = 16;

/// The most sets of partners that are tried for a column and a height where more than suits decides what pairs: all there are
/// with a hand of five.
const SETS: usize = 10;

/// The value of afterstates, in points.
pub trait TurnValue {
    /// The points that are expected at the end, at a first look.
    fn first_look(&self, context: &DecisionContext, after: &Afterstate) -> f32;

    /// Whether claims with lower partners are tried too where suits alone decide what pairs. A column that will be given up
    /// had better not cost a king. Otherwise every claim takes the highest partners there.
    fn thorough(&self) -> bool {
        false
    }

    /// The margin of a second look, in points: a candidate gets one if it can still win when it is raised by this much more
    /// than others were. `None` where the first look is the last.
    fn margin(&self) -> Option<f32> {
        None
    }

    /// The points that are expected at the end, at a second look; `first` is the value at the first.
    fn second_look(&mut self, _context: &DecisionContext, _after: &Afterstate, first: f32) -> f32 {
        first
    }
}

/// A turn that may be played.
#[derive(Copy, Clone)]
struct Candidate {
    value: f32,
    claim: Option<Claim>,
    /// The afterstate. [`Afterstate::upcoming`] is how the next turn begins.
    after: Afterstate,
}

/// So many of the cards with the most points.
fn dearest(cards: u64, count: usize) -> u64 {
    let (mut left, mut taken) = (CardSet::from_bits(cards), 0);
    for _ in 0..count {
        let Some(card) = left.into_iter().max_by_key(|card| points(card.id())) else { break };
        left.remove(card);
        taken |= 1 << card.id();
    }
    taken
}

/// Partners of a column's cards.
struct Partners {
    points: u16,
    cards: u64,
    partners: [u8; HEIGHT],
}

/// The moves up to the next random event, and their value in points.
pub struct BestTurn {
    /// The moves.
    pub moves: ArrayVec<Move, 6>,
    /// The points that they promise.
    pub value: f32,
}

/// The candidates of a decision, the most promising first, the first among equals.
struct Candidates<'a, V> {
    values: &'a mut V,
    context: &'a DecisionContext,
    board: &'a Board,
    now: Afterstate,
    best: ArrayVec<Candidate, FINALISTS>,
}

impl<V: TurnValue> Candidates<'_, V> {
    fn push(&mut self, claim: Option<Claim>, after: Afterstate) {
        // With an empty pile the game is over.
        let over = self.context.pile == 0;
        let value = if over { f32::from(after.points) } else { self.values.first_look(self.context, &after) };
        let room = if self.values.margin().is_some() { FINALISTS } else { 1 };
        let at = self.best.iter().position(|other| other.value < value).unwrap_or(self.best.len());
        if at < room {
            self.best.truncate(room - 1);
            self.best.insert(at, Candidate { value, claim, after });
        }
    }

    /// Gives up the poorest column.
    fn redeal(&mut self, claim: Option<Claim>, after: &Afterstate) {
        if let Some(redealt) = after.redealt(self.context) {
            self.push(claim, redealt);
        }
    }

    /// The ways to begin a turn, with or without a redeal.
    fn turn(&mut self, claim: Option<Claim>, after: &Afterstate, redeal: bool) {
        self.push(claim, *after);
        if redeal {
            self.redeal(claim, after);
        }
        if self.context.pile > 0 && self.context.can_claim(after) {
            self.push(claim, Afterstate { upcoming: Upcoming::Claim, ..*after });
        }
    }

    fn claims(&mut self) {
        for place in self.board.open() {
            let mut claim = Claim { column: place as u8, partners: [0; HEIGHT] };
            let after = Afterstate { open: self.now.open & !(1 << place), ..self.now };
            if self.context.rules.suits_only() {
                self.extend(&mut claim, 0, after, u64::MAX, true);
            } else {
                self.richest(place, after);
            }
        }
    }

    /// The claims of a column where more than suits decides what pairs: of each height the sets of partners with the most
    /// points. The highest partner of one card may be the only one of another, so cards cannot be paired one by one.
    fn richest(&mut self, place: usize, after: Afterstate) {
        let pairs = self.board.pairing(place);
        // With as many partners as a column has cards, a card can be paired whatever the others take.
        let hand = pairs.iter().fold(0, |hand, pairs| hand | dearest(pairs & after.hand, HEIGHT));
        let mut sets: [ArrayVec<Partners, SETS>; HEIGHT] = Default::default();
        claims::selections(&pairs, hand, |height, cards| {
            let (sets, points) = (&mut sets[height - 1], points_of(cards));
            let at = sets.iter().position(|other| other.points < points).unwrap_or(sets.len());
            if at < SETS
                && let Some(partners) = claims::arranged(&pairs, cards)
            {
                sets.truncate(SETS - 1);
                sets.insert(at, Partners { points, cards, partners });
            }
        });
        let twice = self.values.margin().is_some();
        let heights = sets.iter().take_while(|sets| !sets.is_empty()).count();
        let mut column = 0;
        for (at, sets) in sets[..heights].iter().enumerate() {
            column += u16::from(points(self.board.columns[place][at]));
            for (i, &Partners { points, cards, partners }) in sets.iter().enumerate() {
                let worth = column + points;
                let next = Afterstate {
                    hand: after.hand & !cards,
                    hand_points: after.hand_points - points as u8,
                    points: after.points + worth,
                    poorest: self.context.poorest_with(worth as u8),
                    ..after
                };
                let most = at + 1 == heights && i == 0;
                self.turn(Some(Claim { column: place as u8, partners }), &next, !twice || most);
            }
        }
    }

    /// The claims that pair one card more, with partners out of `allowed`. Of one suit the higher ones go to the lower
    /// places, so that no set of partners comes twice. `most` says whether all partners so far were the highest.
    fn extend(&mut self, claim: &mut Claim, at: usize, after: Afterstate, allowed: u64, mut most: bool) {
        let place = usize::from(claim.column);
        let column = &self.context.columns[place];
        let thorough = self.values.thorough();
        let twice = self.values.margin().is_some();
        let mut pairing = after.hand & column[at].pairing & allowed;
        while let Some(id) = highest(pairing) {
            claim.partners[at] = id;
            let points_now = after.points + u16::from(points(id) + points(self.board.columns[place][at]));
            let next = Afterstate {
                hand: after.hand & !(1 << id),
                hand_points: after.hand_points - points(id),
                points: points_now,
                poorest: self.context.poorest_with((points_now - self.now.points) as u8),
                ..after
            };
            let allowed = if thorough { allowed & !not_below(id) } else { allowed };
            let end = at + 1 == HEIGHT || next.hand & column[at + 1].pairing & allowed == 0;
            // The hand does not outlast a redeal: a second look is lost on one after a claim that could have had more points.
            self.turn(Some(*claim), &next, !twice || most && end);
            if !end {
                self.extend(claim, at + 1, next, allowed, most);
            }
            claim.partners[at] = 0;
            if !thorough {
                return;
            }
            most = false;
            // Cards of one suit with equal points are the same.
            pairing &= !(not_below(id) | if points(id) == 10 { TENS } else { 0 });
        }
    }

    /// The best candidate.
    fn best(self) -> Option<Candidate> {
        let first = *self.best.first()?;
        let Some(margin) = self.values.margin().filter(|_| self.context.pile > 0) else {
            return Some(first);
        };
        let (mut best, mut raised, mut seen): (Option<Candidate>, f32, f32) = (None, 0.0, 0.0);
        for mut candidate in self.best {
            let value = candidate.value;
            if best.is_some_and(|best| value + raised / seen + margin < best.value) {
                continue;
            }
            candidate.value = self.values.second_look(self.context, &candidate.after, value);
            raised += candidate.value - value;
            seen += 1.0;
            if best.is_none_or(|best| candidate.value > best.value) {
                best = Some(candidate);
            }
        }
        best
    }
}

/// The moves up to the next random event that have the highest value.
pub fn best_turn(values: &mut impl TurnValue, position: &Verslun) -> BestTurn {
    let Verslun { board, pile } = &*position.laid_out();
    let context = DecisionContext::new(board, pile.cards());
    let now = Afterstate::new(board, &context, Upcoming::Draw);
    let mut turn = BestTurn { moves: ArrayVec::new(), value: f32::from(board.points) };
    let mut candidates = Candidates { values, context: &context, board, now, best: ArrayVec::new() };
    if matches!(board.phase, Phase::Redeal | Phase::Claim) {
        candidates.claims();
        if board.phase == Phase::Redeal {
            candidates.redeal(None, &now);
        }
    } else {
        candidates.turn(None, &now, true);
    }
    let best = candidates.best();
    // A redeal with nothing to claim is worth it if it is better than the end.
    let best =
        best.filter(|best| best.claim.is_some() || board.phase != Phase::Redeal || best.value > turn.value);
    if let Some(best) = &best {
        turn.value = best.value;
    }
    match (board.phase, best) {
        (Phase::Redeal, Some(Candidate { claim: None, .. })) => {
            turn.moves.extend(lowest(board).map(Move::Redeal));
        }
        (phase, best) => {
            match phase {
                Phase::Redeal => turn.moves.push(Move::Keep),
                Phase::End => turn.moves.push(Move::On),
                _ => {}
            }
            if let Some(best) = best {
                turn.moves.extend(best.moves(board, context.pile));
            }
        }
    }
    turn
}

impl Candidate {
    /// The claim and the moves after it. There are none after it where the pile is empty and the game over.
    fn moves(&self, board: &Board, pile: usize) -> ArrayVec<Move, 4> {
        let mut moves = ArrayVec::new();
        let mut after = *board;
        if let Some(claim) = self.claim {
            // The partners pair in the order in which they were found.
            let claim = Move::Claim(claims::canonical(board, &claim).unwrap_or(claim));
            after.play(claim, pile);
            moves.extend([claim, Move::On]);
        }
        match self.after.upcoming {
            _ if pile == 0 => {}
            Upcoming::Draw => moves.push(Move::Draw),
            Upcoming::Deal => {
                moves.push(Move::Stay);
                moves.extend(lowest(&after).map(Move::Redeal));
            }
            Upcoming::Claim => moves.extend([Move::Stay, Move::Keep]),
        }
        moves
    }
}
