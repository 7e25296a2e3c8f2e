//! The best turn by what it leaves behind, for whatever values that: among the claims with the highest partners
//! for every column and height, each with the best beginning of the turn after it.

use super::Verslun;
use super::board::{Board, Claim, Move, Phase, points};
use super::claims;
use super::prospects::{Kind, Left, Scene};
use super::rules::HEIGHT;
use super::turn::lowest;
use arrayvec::ArrayVec;

/// Values what a turn leaves behind.
pub(super) trait Worth {
    /// The points that can be expected at the end.
    fn worth(&mut self, scene: &Scene, left: &Left) -> f32;
}

/// How the next turn begins.
#[derive(Copy, Clone)]
enum Next {
    Draw,
    Redeal,
    Claim,
}

/// The best claim: its value, and how the next turn begins.
struct Best {
    value: f32,
    claim: Claim,
    next: Next,
}

/// The moves up to the next random event, and their value in points.
pub(super) struct Choice {
    pub moves: ArrayVec<Move, 6>,
    pub value: f32,
}

/// The value of giving up the poorest column.
fn redeal(worth: &mut impl Worth, scene: &Scene, left: &Left) -> Option<f32> {
    let [lowest, second, third] = left.poorest;
    if lowest == u8::MAX || scene.pile < scene.rules.redealt() {
        return None;
    }
    let points = left.points - u16::from(lowest);
    let poorest = [second, third, u8::MAX];
    let after = Left { kind: Kind::Deal, points, hand: 0, hand_points: 0, open: left.open, poorest };
    Some(worth.worth(scene, &after))
}

/// The best way to begin a turn, and its value.
fn turn(worth: &mut impl Worth, scene: &Scene, left: &Left) -> (f32, Next) {
    if scene.pile == 0 {
        return (f32::from(left.points), Next::Draw);
    }
    let mut best = (worth.worth(scene, left), Next::Draw);
    if let Some(value) = redeal(worth, scene, left).filter(|&value| value > best.0) {
        best = (value, Next::Redeal);
    }
    if scene.pairs(left) {
        let value = worth.worth(scene, &Left { kind: Kind::Claim, ..*left });
        if value > best.0 {
            best = (value, Next::Claim);
        }
    }
    best
}

/// The best claim, with the highest partners for every column and height.
fn claim(worth: &mut impl Worth, scene: &Scene, board: &Board, now: &Left) -> Option<Best> {
    let mut best: Option<Best> = None;
    for place in board.open() {
        let mut left = Left { open: now.open & !(1 << place), ..*now };
        let (mut gain, mut partners) = (0, [0; HEIGHT]);
        for (at, needed) in scene.columns[place].iter().enumerate() {
            let Some(id) = highest(left.hand & needed.pairing) else {
                break;
            };
            partners[at] = id;
            gain += points(id) + points(board.columns[place][at]);
            left.hand &= !(1 << id);
            left.hand_points -= points(id);
            left.points = now.points + u16::from(gain);
            left.poorest = scene.poorest_with(gain);
            let (value, next) = turn(worth, scene, &left);
            if best.as_ref().is_none_or(|best| value > best.value) {
                best = Some(Best { value, claim: Claim { column: place as u8, partners }, next });
            }
        }
    }
    best
}

/// The moves up to the next random event that `worth` likes best.
pub(super) fn choice(worth: &mut impl Worth, position: &Verslun) -> Choice {
    let Verslun { board, pile } = &*position.laid_out();
    let scene = Scene::new(board, pile.cards());
    let now = Left::new(board, &scene, Kind::Draw);
    let mut choice = Choice { moves: ArrayVec::new(), value: f32::from(board.points) };
    match board.phase {
        Phase::Redeal => {
            let kept = claim(worth, &scene, board, &now);
            choice.value = kept.as_ref().map_or(choice.value, |best| best.value);
            if let Some(value) = redeal(worth, &scene, &now).filter(|&value| value > choice.value) {
                choice.value = value;
                choice.moves.extend(lowest(board).map(Move::Redeal));
            } else {
                choice.moves.push(Move::Keep);
                choice.moves.extend(kept.into_iter().flat_map(|best| best.moves(board, scene.pile)));
            }
        }
        Phase::Claim => {
            let best = claim(worth, &scene, board, &now);
            choice.value = best.as_ref().map_or(choice.value, |best| best.value);
            choice.moves.extend(best.into_iter().flat_map(|best| best.moves(board, scene.pile)));
        }
        phase => {
            let (value, next) = turn(worth, &scene, &now);
            choice.value = value;
            choice.moves.extend((phase == Phase::End).then_some(Move::On));
            choice.moves.extend(next.moves(board, scene.pile));
        }
    }
    choice
}

impl Best {
    /// The claim and the moves after it.
    fn moves(&self, board: &Board, pile: usize) -> ArrayVec<Move, 4> {
        let mut moves = ArrayVec::new();
        // The partners pair in the order in which they were found.
        let claim = Move::Claim(claims::canonical(board, &self.claim).unwrap_or(self.claim));
        let mut after = *board;
        after.play(claim, pile);
        moves.extend([claim, Move::On]);
        moves.extend(self.next.moves(&after, pile));
        moves
    }
}

impl Next {
    /// The moves that begin the turn; none where the pile is empty and the game over.
    fn moves(self, board: &Board, pile: usize) -> ArrayVec<Move, 2> {
        let mut moves = ArrayVec::new();
        match self {
            _ if pile == 0 => {}
            Next::Draw => moves.push(Move::Draw),
            Next::Redeal => {
                moves.push(Move::Stay);
                moves.extend(lowest(board).map(Move::Redeal));
            }
            Next::Claim => moves.extend([Move::Stay, Move::Keep]),
        }
        moves
    }
}

/// The card with the most points, of those of the last suit.
fn highest(cards: u64) -> Option<u8> {
    const ACES: u64 = 0x4000_4000_4000_4000;
    let cards = if cards & !ACES == 0 { cards } else { cards & !ACES };
    (cards != 0).then(|| cards.ilog2() as u8)
}
