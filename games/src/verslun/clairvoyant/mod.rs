//! Exact answers about whole deals: the best score, and a game that reaches it.
//!
//! `search` finds it; [`known_deck`] says which ways on it tries, and `upper_bound` which of them cannot pay.

pub(super) mod known_deck;
mod search;
mod upper_bound;

use super::board::Phase;
use super::claims::arranged;
use super::moves::{Claim, Move};
use super::position::Verslun;
use super::rules::{HEIGHT, Rules};
use crate::CardGame as _;
use crate::cards::Card;
use knave_agents::{Answer, DealSolver, Line, Objective, Sense};
use knave_agents::{Game as _, Rng, Turn};
use known_deck::Way;
use search::Search;

/// The nodes for a deal by default: more than twice what a deal with five cards in the hand and at most five columns has needed.
pub(in crate::verslun) const BUDGET: u64 = 10_000_000;

/// The questions with exact answers.
pub(in crate::verslun) fn objectives() -> Vec<Objective<Verslun>> {
    vec![Objective {
        name: "score",
        question: "the best score",
        sense: Sense::Most,
        unknown: None,
        budget: BUDGET,
        check: |_| Ok(()),
        anywhere: false,
        solver: || Box::new(VerslunDeals::default()),
    }]
}

/// Solver of whole deals.
#[derive(Default)]
pub(in crate::verslun) struct VerslunDeals {
    search: Search,
}

impl DealSolver<Verslun> for VerslunDeals {
    fn solve(&mut self, rules: &Rules, deal: &Verslun, budget: u64) -> Answer<Verslun> {
        let deck: Vec<u8> = deal.deck().into_iter().map(Card::id).collect();
        let search = &mut self.search;
        let start = search.begin(rules, &deck);
        (search.nodes, search.budget) = (0, budget);
        let Ok(value) = search.value(&start, -1) else {
            let most = Verslun::score_range(rules).map_or(i64::MAX, |(_, most)| most);
            let bound = most.min(search.most(&start).into());
            return Answer { reached: None, bound: Some(bound), nodes: search.nodes, line: None };
        };
        // The answer is known; finding the line again mostly reads the table.
        let nodes = search.nodes;
        search.budget = u64::MAX;
        let mut ways = Vec::new();
        let found = search.line(start, value, &mut ways);
        debug_assert!(found.is_ok(), "the best score has a line");
        let moves = moves(deal, &ways);
        Answer {
            reached: Some(value.into()),
            bound: Some(value.into()),
            nodes,
            line: Some(Line { rules: *rules, moves }),
        }
    }
}

/// The moves of these turns from a fresh deal, and the end of the game after them.
fn moves(deal: &Verslun, ways: &[Way]) -> Vec<Move> {
    let (mut position, mut moves) = (deal.clone(), Vec::new());
    let deck = deal.deck();
    let mut spares = 0_u16;
    let mut ways = ways.iter();
    let mut way = ways.next();
    loop {
        match position.turn() {
            Turn::Over => break,
            Turn::Chance | Turn::Shuffle => {
                // What comes follows from the deck.
                position.roll(&mut Rng::new(0));
                continue;
            }
            Turn::Player(_) => {}
        }
        let board = &position.board;
        let m = match (board.phase, way) {
            (Phase::Turn, Some(way)) if !way.draw => Move::Stay,
            // Without a way on nothing can be claimed, or there would be one.
            (Phase::Turn, _) => Move::Draw,
            (Phase::Redeal, Some(way)) if way.redeal => {
                let place = spares.trailing_zeros() as u8;
                spares &= spares.wrapping_sub(1);
                Move::Redeal(place)
            }
            (Phase::Redeal, _) => Move::Keep,
            (Phase::Claim, Some(&turn)) => {
                let claim = claim(&position, &deck, &turn);
                if turn.gain == 0 {
                    spares |= 1 << claim.column;
                }
                way = ways.next();
                Move::Claim(claim)
            }
            (Phase::Claim, None) => Move::Pass,
            (_, Some(_)) => Move::On,
            (_, None) => Move::End,
        };
        debug_assert!(position.is_legal(m), "the line holds the illegal move {m}");
        moves.push(m);
        position.play(m);
    }
    moves
}

/// The claim of a turn.
fn claim(position: &Verslun, deck: &[Card], way: &Way) -> Claim {
    let board = &position.board;
    let start = usize::from(way.column);
    let bottom = deck[start + HEIGHT - 1].id();
    let place = board.open().find(|&place| board.columns[place][0] == bottom).unwrap_or_default();
    let partners = arranged(&board.pairing(place), way.taken).unwrap_or_default();
    Claim { column: place as u8, partners }
}
