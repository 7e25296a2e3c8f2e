//! Steps: stretches of play between two random events.
//!
//! A step plays on until a random event is due or the game is over. Where the player stays with another claim at hand it ends
//! there, and the next step claims.
//!
//! Moves are left out that are never better than others, whatever the rules. Only the points of a claimed column matter
//! later, and the score is their sum.
//!
//! - `pass` ends the game with the present points; any claim adds at least two to them.
//! - `end` is no better than `on`: `stay` and `keep` then lead to another claim, or to the same end with the same points. With
//!   an empty pile `on` is that end.
//! - `stay` where nothing more can be claimed with this hand, unless a redeal follows, ends the game with the present points;
//!   `draw` and `keep` end it with no fewer.
//! - `redeal` with too few cards in the pile ends the game without the column's points; `keep` ends it with no fewer than all
//!   of them.
//! - `redeal` of a column with more points than another is no better than giving up the other, with the places of the two
//!   exchanged. The same cards come, and wherever the one column counts in the end the better one counts instead.
//! - A claim that takes another card of the same suit and points is the same where suits alone decide what pairs: the card
//!   pairs with the same cards and counts the same in every column.

use super::board::{Board, Phase};
use super::claims;
use super::deck::{TENS, lane};
use super::moves::Move;
use crate::cards::CardSet;
use arrayvec::ArrayVec;
use knave_agents::StepList;

/// The longest step: keep, claim, on, stay, redeal.
type Path = ArrayVec<Move, 5>;

/// The claimed column with the fewest points, the first among equals.
#[must_use]
pub fn lowest(board: &Board) -> Option<u8> {
    board.claimed().min_by_key(|&place| board.worth[place]).map(|place| place as u8)
}

/// Replaces the contents of `out` with the steps from a decision; `pile` is the number of cards in the
/// pile.
pub fn steps(board: &Board, pile: usize, out: &mut StepList<Move>) {
    out.clear();
    let path = Path::new();
    match board.phase {
        Phase::Turn => turn(board, pile, path, out),
        Phase::Redeal => {
            redeal(board, pile, path.clone(), out);
            keep(board, pile, path, out);
        }
        Phase::Claim => claim(board, pile, &path, out),
        Phase::End => on(board, pile, path, out),
        _ => {}
    }
}

/// `draw`, or `stay` and what may follow it.
fn turn(board: &Board, pile: usize, mut path: Path, out: &mut StepList<Move>) {
    path.push(Move::Draw);
    out.push(&path);
    path.pop();
    path.push(Move::Stay);
    let mut stayed = *board;
    stayed.play(Move::Stay, pile);
    match stayed.phase {
        Phase::Redeal => {
            redeal(&stayed, pile, path.clone(), out);
            if stayed.can_claim() {
                path.push(Move::Keep);
                out.push(&path);
            }
        }
        Phase::Claim => out.push(&path),
        _ => {}
    }
}

fn redeal(board: &Board, pile: usize, mut path: Path, out: &mut StepList<Move>) {
    if let Some(column) = lowest(board).filter(|_| pile >= board.rules.redealt()) {
        path.push(Move::Redeal(column));
        out.push(&path);
    }
}

/// `keep` and the claims after it, or the end where there is none.
fn keep(board: &Board, pile: usize, mut path: Path, out: &mut StepList<Move>) {
    let mut kept = *board;
    kept.play(Move::Keep, pile);
    path.push(Move::Keep);
    if kept.phase == Phase::Claim {
        claim(&kept, pile, &path, out);
    } else {
        out.push(&path);
    }
}

fn claim(board: &Board, pile: usize, path: &Path, out: &mut StepList<Move>) {
    claims::list(board, |claim| {
        if board.rules.suits_only() && takes_an_equal(board.hand, claim.cards()) {
            return;
        }
        let mut claimed = *board;
        claimed.play(Move::Claim(claim), pile);
        let mut path = path.clone();
        path.push(Move::Claim(claim));
        on(&claimed, pile, path, out);
    });
}

fn on(board: &Board, pile: usize, mut path: Path, out: &mut StepList<Move>) {
    let mut next = *board;
    next.play(Move::On, pile);
    path.push(Move::On);
    if next.phase == Phase::Turn {
        turn(&next, pile, path, out);
    } else {
        out.push(&path);
    }
}

/// Whether a card is taken though the hand keeps a lower one of the same suit and points.
fn takes_an_equal(hand: CardSet, taken: CardSet) -> bool {
    let (left, taken) = ((hand.bits() & !taken.bits()) & TENS, taken.bits() & TENS);
    (0..4).any(|suit| {
        let (left, taken) = (lane(left, suit), lane(taken, suit));
        left != 0 && taken > left & left.wrapping_neg()
    })
}
