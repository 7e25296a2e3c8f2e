//! `kuhn`: Kuhn's poker (1950), the smallest game in which hidden cards matter.
//!
//! A deck of jack, queen and king, one card each, and a stake of one. A player may bet one more. The other
//! calls the bet or gives up the hand.

use crate::evaluator::Evaluator;
use crate::game::{Game, Notation, Seat, Turn};
use crate::kit::{Kit, Tools};
use crate::policy::Policy;
use crate::rng::Rng;
use rand::RngExt as _;
use std::fmt;
use std::sync::Arc;

/// What a player can do.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Check, or fold when the other has bet.
    Pass,
    /// Bet, or call when the other has bet.
    Bet,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Move::Pass => "pass",
            Move::Bet => "bet",
        })
    }
}

/// The past moves, at most three.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Line {
    moves: [Option<Move>; 3],
}

impl Line {
    fn len(self) -> usize {
        self.moves.iter().flatten().count()
    }

    fn over(self) -> bool {
        use Move::{Bet, Pass};
        matches!(
            self.moves,
            [Some(Pass), Some(Pass), _] | [Some(Bet), Some(_), _] | [Some(Pass), Some(Bet), Some(_)]
        )
    }
}

/// A position: both cards (1 jack, 2 queen, 3 king) and the moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kuhn {
    cards: [u8; 2],
    line: Line,
}

/// The view of a seat.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    seat: Seat,
    own: u8,
    /// The other's card, once it was shown.
    shown: Option<u8>,
    line: Line,
}

impl Kuhn {
    /// The position after `moves` with these cards, 1 to 3.
    #[must_use]
    pub fn at(cards: [u8; 2], moves: &[Move]) -> Self {
        let mut position = Self { cards, line: Line::default() };
        for &m in moves {
            position.play(m);
        }
        position
    }

    /// The card of a seat.
    #[must_use]
    pub fn card(&self, seat: Seat) -> u8 {
        self.cards[seat]
    }

    /// Whether the player whose turn it is faces a bet.
    #[must_use]
    pub fn facing_bet(&self) -> bool {
        self.line.len() > 0 && self.line.moves[self.line.len() - 1] == Some(Move::Bet)
    }
}

impl Game for Kuhn {
    type Rules = ();
    type Move = Move;
    /// Nothing is random after the deal.
    type Chance = ();
    type View = View;

    fn deal(_: &(), rng: &mut Rng) -> Self {
        let own = rng.random_range(1..=3);
        let cards = [own, (own + rng.random_range(0..2)) % 3 + 1];
        Self { cards, line: Line::default() }
    }

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if self.line.over() { Turn::Over } else { Turn::Player(self.line.len() % 2) }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.clear();
        if !self.line.over() {
            out.extend([Move::Pass, Move::Bet]);
        }
    }

    fn play(&mut self, m: Move) {
        self.line.moves[self.line.len()] = Some(m);
    }

    /// Half, and a quarter for each chip won: from 0 (two lost) to 1 (two won).
    fn utility(&self, seat: Seat) -> f64 {
        use Move::{Bet, Pass};
        let showdown = if self.cards[0] > self.cards[1] { 1.0 } else { -1.0 };
        let won = match self.line.moves {
            [Some(Pass), Some(Pass), _] => showdown,
            [Some(Bet), Some(Pass), _] => 1.0,
            [Some(Pass), Some(Bet), Some(Pass)] => -1.0,
            _ => 2.0 * showdown,
        };
        0.5 + 0.25 * if seat == 0 { won } else { -won }
    }

    fn view(&self, seat: Seat) -> View {
        use Move::{Bet, Pass};
        let folded =
            matches!(self.line.moves, [Some(Bet), Some(Pass), _] | [Some(Pass), Some(Bet), Some(Pass)]);
        let shown = (self.line.over() && !folded).then_some(self.cards[1 - seat]);
        View { seat, own: self.cards[seat], shown, line: self.line }
    }

    fn sample_world(view: &View, rng: &mut Rng) -> Self {
        let other = view.shown.unwrap_or_else(|| (view.own + rng.random_range(0..2)) % 3 + 1);
        let cards = if view.seat == 0 { [view.own, other] } else { [other, view.own] };
        Self { cards, line: view.line }
    }
}

impl Notation for Kuhn {}

impl Tools for Kuhn {
    fn kit((): &()) -> Kit<Self> {
        Kit::default()
            .evaluator("strength", |()| Some(Arc::new(Strength)))
            .policy("plain", |()| Some(Arc::new(Plain)))
            .reconstruct_start(|position, _| Some(Self::at(position.cards, &[])))
    }
}

/// The evaluator `strength`: a quarter for a jack, a half for a queen and three quarters for a king.
struct Strength;

impl Evaluator<Kuhn> for Strength {
    fn value(&self, position: &Kuhn, seat: Seat) -> f64 {
        f64::from(position.card(seat)) / 4.0
    }

    /// A bet that is faced must be answered first.
    fn quiescent(&self, position: &Kuhn) -> Option<bool> {
        Some(!position.facing_bet())
    }
}

/// The policy `plain`: bets and calls with a king, half of the time with a queen, and never with a jack.
struct Plain;

impl Policy<Kuhn> for Plain {
    fn choose(&self, position: &Kuhn, _: &mut Vec<Move>, rng: &mut Rng) -> Move {
        let Turn::Player(seat) = position.turn() else { return Move::Pass };
        Self::by_card(position.card(seat), rng)
    }

    fn choose_by_view(&self, view: &View, rng: &mut Rng) -> Option<Move> {
        Some(Self::by_card(view.own, rng))
    }
}

impl Plain {
    fn by_card(card: u8, rng: &mut Rng) -> Move {
        let bold = match card {
            1 => false,
            2 => rng.random(),
            _ => true,
        };
        if bold { Move::Bet } else { Move::Pass }
    }
}
