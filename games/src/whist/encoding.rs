//! Views and moves as arrays, for players that learn.

use super::moves::Move;
use super::position::Whist;
use super::rules::{Count, DEALER, SEATS, Scoundrels};
use super::view::View;
use crate::cards::{Card, Suit};
use crate::shuffle::CARDS;
use knave_agents::encoding::{Part, Row, Spelling};
use knave_agents::{Encoding, Seat};

const SUITS: usize = Suit::ALL.len();
/// The most cards in a hand.
const HAND: f32 = 13.0;
/// No seat wins or loses more points.
const POINTS: f32 = 28.0;

const OBSERVATION: &[Part] = &[
    Part::new("mover", SEATS, "the seat that plays, one-hot; zeros when the game is over"),
    Part::new("leader", SEATS, "the seat that leads this trick, one-hot"),
    Part::new("trump", SUITS, "the trump suit, one-hot"),
    Part::new("shown", CARDS, "the card that was shown at the deal, while the dealer still holds it"),
    Part::new("dealer", SEATS, "the seat of the dealer, one-hot"),
    Part::new("hand", CARDS, "the cards in the own hand"),
    Part::new("others", CARDS, "the cards in the other hands, the one shown among them"),
    Part::new("counts", SEATS, "for each seat: the number of its cards, as a share of 13"),
    Part::new("trick", CARDS, "the cards of the trick so far"),
    Part::new("led", SUITS, "the suit led, one-hot; zeros before one is"),
    Part::new("ahead", SEATS, "the seat that would win the trick as it lies, one-hot; zeros before the lead"),
    Part::new("voids", SEATS * SUITS, "for each seat: the suits that it has shown to be out of"),
    Part::new("taken", SEATS * CARDS, "for each seat: the cards of the tricks that it has won"),
    Part::new("points", SEATS, "for each seat: the points n of those cards, as (n + 28) / 56"),
    Part::new("rules", 5, "scoundrels = free, the points of an ace, one-hot from -1 to 1, count = hilo"),
];

const ACTIONS: &[Part] = &[Part::new("play", CARDS, "play this card")];

/// How whist becomes arrays.
pub fn encoding() -> Encoding<Whist> {
    Encoding { observation: OBSERVATION, actions: ACTIONS, observe, spell }
}

fn observe(view: &View, _: &[u16], row: &mut Row<'_>) {
    let (board, rules) = (&view.board, &view.board.rules);
    let from_here = |seat: Seat| seat.wrapping_sub(view.seat) & 3;
    // The seats from oneself on to the left.
    let seats = || (0..SEATS).map(|places| (view.seat + places) & 3);
    let over = view.hand.is_empty() && view.others.is_empty();
    row.part("mover");
    row.one_hot(SEATS, (!over).then(|| from_here(board.mover())));
    row.part("leader");
    row.one_hot(SEATS, from_here(board.leader()));
    row.part("trump");
    row.one_hot(SUITS, board.trump as usize);
    row.part("shown");
    let held = if view.seat == DEALER { view.hand } else { view.others };
    row.one_hot(CARDS, held.contains(board.shown).then(|| board.shown.place()));
    row.part("dealer");
    row.one_hot(SEATS, from_here(DEALER));
    row.part("hand");
    row.set(CARDS, view.hand.places());
    row.part("others");
    row.set(CARDS, view.others.places());
    row.part("counts");
    // All hands have the same size before a trick.
    let before = view.hand.len() + usize::from(board.has_played(view.seat));
    seats().for_each(|seat| row.share((before - usize::from(board.has_played(seat))) as f32, HAND));
    row.part("trick");
    row.set(CARDS, board.trick.places());
    row.part("led");
    row.one_hot(SUITS, board.led().map(|suit| suit as usize));
    row.part("ahead");
    row.one_hot(SEATS, (board.count > 0).then(|| from_here(board.ahead())));
    row.part("voids");
    for seat in seats() {
        // No two is a scoundrel, so a seat that may hold the two may hold the suit.
        Suit::ALL.iter().for_each(|&suit| row.flag(!board.possible[seat].contains(Card::new(suit, 2))));
    }
    row.part("taken");
    seats().for_each(|seat| row.set(CARDS, board.taken[seat].places()));
    row.part("points");
    seats().for_each(|seat| row.share(f32::from(board.points[seat]) + POINTS, 2.0 * POINTS));
    row.part("rules");
    row.flag(rules.scoundrels == Scoundrels::Free);
    row.one_hot(3, (rules.ace + 1) as usize);
    row.flag(rules.count == Count::Hilo);
}

fn spell(_: &View, m: Move) -> Spelling {
    Spelling::from_iter([m.0.place() as u16])
}
