//! The best turn by what it leaves behind, for whatever values that: among claims, each with the best beginning of
//! the turn after it.

use super::context::{Kind, Left, Scene};
use crate::games::verslun::board::{Board, Phase};
use crate::games::verslun::claims;
use crate::games::verslun::deck::points;
use crate::games::verslun::moves::{Claim, Move};
use crate::games::verslun::position::Verslun;
use crate::games::verslun::rules::HEIGHT;
use crate::games::verslun::steps::lowest;
use arrayvec::ArrayVec;

/// The most candidates that are looked at twice.
pub(in crate::games::verslun) const FINALISTS: usize = 16;

/// Values what a turn leaves behind.
pub(in crate::games::verslun) trait Worth {
    /// The points that can be expected at the end, at a first look.
    fn guess(&self, scene: &Scene, left: &Left) -> f32;

    /// Whether claims with lower partners are looked at too, where suits alone decide what pairs: a column that will be
    /// given up had better not cost a king. Without it every claim takes the highest.
    fn thorough(&self) -> bool {
        false
    }

    /// By how much more than other candidates of the same decision a second look may raise one that is worth it; `None`
    /// where the first look is the last.
    fn margin(&self) -> Option<f32> {
        None
    }

    /// The points that can be expected at the end, at a second look.
    fn worth(&mut self, _scene: &Scene, _left: &Left, guess: f32) -> f32 {
        guess
    }
}

/// A turn that may be played.
#[derive(Copy, Clone)]
struct Candidate {
    value: f32,
    claim: Option<Claim>,
    /// What it leaves behind; [`Left::kind`] is how the next turn begins.
    left: Left,
}

/// The moves up to the next random event, and their value in points.
pub(in crate::games::verslun) struct Choice {
    pub moves: ArrayVec<Move, 6>,
    pub value: f32,
}

/// The candidates of a decision, the most promising first, the first among equals.
struct Candidates<'a, W> {
    worth: &'a mut W,
    scene: &'a Scene,
    board: &'a Board,
    now: Left,
    best: ArrayVec<Candidate, FINALISTS>,
}

impl<W: Worth> Candidates<'_, W> {
    fn push(&mut self, claim: Option<Claim>, left: Left) {
        // With an empty pile the game is over.
        let over = self.scene.pile == 0;
        let value = if over { f32::from(left.points) } else { self.worth.guess(self.scene, &left) };
        let room = if self.worth.margin().is_some() { FINALISTS } else { 1 };
        let at = self.best.iter().position(|other| other.value < value).unwrap_or(self.best.len());
        if at < room {
            self.best.truncate(room - 1);
            self.best.insert(at, Candidate { value, claim, left });
        }
    }

    /// Giving up the poorest column.
    fn redeal(&mut self, claim: Option<Claim>, left: &Left) {
        let [lowest, second, third] = left.poorest;
        if lowest == u8::MAX || self.scene.pile < self.scene.rules.redealt() {
            return;
        }
        let points = left.points - u16::from(lowest);
        let poorest = [second, third, u8::MAX];
        let after = Left { kind: Kind::Deal, points, hand: 0, hand_points: 0, open: left.open, poorest };
        self.push(claim, after);
    }

    /// The ways to begin a turn, with or without a redeal.
    fn turn(&mut self, claim: Option<Claim>, left: &Left, redeal: bool) {
        self.push(claim, *left);
        if redeal {
            self.redeal(claim, left);
        }
        if self.scene.pile > 0 && self.scene.pairs(left) {
            self.push(claim, Left { kind: Kind::Claim, ..*left });
        }
    }

    fn claims(&mut self) {
        for place in self.board.open() {
            let mut claim = Claim { column: place as u8, partners: [0; HEIGHT] };
            let left = Left { open: self.now.open & !(1 << place), ..self.now };
            self.extend(&mut claim, 0, left, u64::MAX, true);
        }
    }

    /// The claims that pair one card more, with partners out of `allowed`: of one suit the higher ones go to the lower
    /// places, so that no set of partners comes twice. `most` says whether all partners so far were the highest.
    fn extend(&mut self, claim: &mut Claim, at: usize, left: Left, allowed: u64, mut most: bool) {
        let place = usize::from(claim.column);
        let column = &self.scene.columns[place];
        let (thorough, twice) =
            (self.worth.thorough() && self.scene.rules.suits_only(), self.worth.margin().is_some());
        let mut pairing = left.hand & column[at].pairing & allowed;
        while let Some(id) = highest(pairing) {
            claim.partners[at] = id;
            let points_now = left.points + u16::from(points(id) + points(self.board.columns[place][at]));
            let next = Left {
                hand: left.hand & !(1 << id),
                hand_points: left.hand_points - points(id),
                points: points_now,
                poorest: self.scene.poorest_with((points_now - self.now.points) as u8),
                ..left
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
        let Some(margin) = self.worth.margin().filter(|_| self.scene.pile > 0) else {
            return Some(first);
        };
        let (mut best, mut raised, mut seen): (Option<Candidate>, f32, f32) = (None, 0.0, 0.0);
        for mut candidate in self.best {
            let guess = candidate.value;
            if best.is_some_and(|best| guess + raised / seen + margin < best.value) {
                continue;
            }
            candidate.value = self.worth.worth(self.scene, &candidate.left, guess);
            raised += candidate.value - guess;
            seen += 1.0;
            if best.is_none_or(|best| candidate.value > best.value) {
                best = Some(candidate);
            }
        }
        best
    }
}

/// The moves up to the next random event that `worth` likes best.
pub(in crate::games::verslun) fn choice(worth: &mut impl Worth, position: &Verslun) -> Choice {
    let Verslun { board, pile } = &*position.laid_out();
    let scene = Scene::new(board, pile.cards());
    let now = Left::new(board, &scene, Kind::Draw);
    let mut choice = Choice { moves: ArrayVec::new(), value: f32::from(board.points) };
    let mut candidates = Candidates { worth, scene: &scene, board, now, best: ArrayVec::new() };
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
        best.filter(|best| best.claim.is_some() || board.phase != Phase::Redeal || best.value > choice.value);
    if let Some(best) = &best {
        choice.value = best.value;
    }
    match (board.phase, best) {
        (Phase::Redeal, Some(Candidate { claim: None, .. })) => {
            choice.moves.extend(lowest(board).map(Move::Redeal));
        }
        (phase, best) => {
            match phase {
                Phase::Redeal => choice.moves.push(Move::Keep),
                Phase::End => choice.moves.push(Move::On),
                _ => {}
            }
            if let Some(best) = best {
                choice.moves.extend(best.moves(board, scene.pile));
            }
        }
    }
    choice
}

impl Candidate {
    /// The claim and the moves after it; none of these where the pile is empty and the game over.
    fn moves(&self, board: &Board, pile: usize) -> ArrayVec<Move, 4> {
        let mut moves = ArrayVec::new();
        let mut after = *board;
        if let Some(claim) = self.claim {
            // The partners pair in the order in which they were found.
            let claim = Move::Claim(claims::canonical(board, &claim).unwrap_or(claim));
            after.play(claim, pile);
            moves.extend([claim, Move::On]);
        }
        match self.left.kind {
            _ if pile == 0 => {}
            Kind::Draw => moves.push(Move::Draw),
            Kind::Deal => {
                moves.push(Move::Stay);
                moves.extend(lowest(&after).map(Move::Redeal));
            }
            Kind::Claim => moves.extend([Move::Stay, Move::Keep]),
        }
        moves
    }
}

const ACES: u64 = 0x4000_4000_4000_4000;
/// The cards of ten points.
const TENS: u64 = 0x3c00_3c00_3c00_3c00;

/// The card with the most points, of those of the last suit.
pub(in crate::games::verslun) fn highest(cards: u64) -> Option<u8> {
    let cards = if cards & !ACES == 0 { cards } else { cards & !ACES };
    (cards != 0).then(|| cards.ilog2() as u8)
}

/// The card of this number and those of its suit that [`highest`] puts before it.
fn not_below(id: u8) -> u64 {
    let suit = 0xffff << (id & 48);
    if ACES >> id & 1 == 1 { suit } else { suit & u64::MAX << id & !ACES }
}
