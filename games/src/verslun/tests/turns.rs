//! The best turn, against all claims that there are.

use super::*;
use crate::verslun::board::Phase;
use crate::verslun::value::best_turn::{TurnValue, best_turn};
use crate::verslun::value::context::{Afterstate, DecisionContext};

/// A position is worth the points that are claimed.
struct Claimed;

impl TurnValue for Claimed {
    fn first_look(&self, _: &DecisionContext, after: &Afterstate) -> f32 {
        after.points.into()
    }
}

/// Whatever pairs, the claim with the most points is found, also where the highest partner of one card is the only one of another.
#[test]
fn the_claim_with_the_most_points_is_found() {
    for (aces_wild, matching, hand) in [
        (false, Match::Suit, 5),
        (true, Match::Suit, 5),
        (false, Match::SuitOrRank, 5),
        (true, Match::SuitOrRank, 9),
        (true, Match::SuitOrRank, 20),
    ] {
        let rules = Rules { aces_wild, matching, hand, ..Rules::default() };
        let (mut rng, mut moves, mut seen) = (Rng::new(hand.into()), Vec::new(), 0);
        while seen < 60 {
            let mut position = Verslun::deal(&rules, &mut rng);
            while position.turn() != Turn::Over {
                if position.turn() != Turn::Player(0) {
                    position.roll(&mut rng);
                    continue;
                }
                let board = position.board;
                if board.phase == Phase::Claim {
                    let mut most = board.points;
                    claims::list(&board, |claim| {
                        let mut after = board;
                        after.play(Move::Claim(claim), position.pile.len());
                        most = most.max(after.points);
                    });
                    assert_eq!(best_turn(&mut Claimed, &position).value, f32::from(most), "{board:?}");
                    seen += 1;
                }
                position.play(position.random_move(&mut moves, &mut rng));
            }
        }
    }
}
