//! Observers of games, and the data of a finished one.

use super::seats::Seats;
use crate::games::CardGame;
use knave_agents::batch::FaultKind;
use knave_agents::{Event, Seat};

/// Watches games and keeps what it wants to know of them.
pub trait Observer<G: CardGame> {
    /// Game `index` has been dealt.
    fn begin(&mut self, _index: u64, _start: &G) {}

    /// Something happened: a move in `position`, or a random event that led to it. `outcome` is what chance brought, which the event
    /// does not tell when no player sees it.
    fn event(&mut self, _position: &G, _event: &Event<G>, _outcome: Option<&G::Chance>) {}

    /// Where to count games in which everybody plays at random, if nothing of them is wanted but the game's own
    /// counts: they may then be played without telling of anything but their ends.
    fn tally(&mut self) -> Option<&mut G::Tally> {
        None
    }

    /// The player in this seat did something wrong, which is told at the end of the game.
    fn fault(&mut self, _seat: Seat, _kind: FaultKind, _forfeits: bool) {}

    /// The game is over.
    fn finish(&mut self, _end: &Finished<'_, G>) {}
}

/// A fault as a game counts it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Charge {
    /// The seat to which it is charged, or the agent.
    pub to: usize,
    /// What was done.
    pub kind: FaultKind,
    /// Whether the game is lost by it.
    pub forfeits: bool,
}

/// A finished game.
pub struct Finished<'a, G> {
    /// Its last position.
    pub position: &'a G,
    /// The number of moves by seat.
    pub moves: &'a [u64],
    /// The seats that gave the game up.
    forfeited: Seats,
}

impl<'a, G: CardGame> Finished<'a, G> {
    pub(crate) fn new(position: &'a G, moves: &'a [u64], forfeited: Seats) -> Self {
        Self { position, moves, forfeited }
    }

    /// The seats that gave the game up.
    #[must_use]
    pub fn forfeited(&self) -> Vec<Seat> {
        self.forfeited.iter().collect()
    }

    /// Whether the seat has won, alone or with others. Who gave the game up has not; if nobody else has won, those of the others
    /// have whose score is the highest.
    #[must_use]
    pub fn won(&self, seat: Seat) -> bool {
        let end = self.position;
        if self.forfeited.is_empty() {
            return end.won(seat);
        }
        let stayed = |seat: Seat| !self.forfeited.contains(seat);
        let others = || (0..end.seats()).filter(|&seat| stayed(seat));
        if others().any(|seat| end.won(seat)) {
            return stayed(seat) && end.won(seat);
        }
        let most = others().map(|seat| end.side_score(seat)).max();
        stayed(seat) && Some(end.side_score(seat)) == most
    }
}

impl<G: CardGame, A: Observer<G>, B: Observer<G>> Observer<G> for (&mut A, &mut B) {
    fn begin(&mut self, index: u64, start: &G) {
        self.0.begin(index, start);
        self.1.begin(index, start);
    }

    fn event(&mut self, position: &G, event: &Event<G>, outcome: Option<&G::Chance>) {
        self.0.event(position, event, outcome);
        self.1.event(position, event, outcome);
    }

    fn fault(&mut self, seat: Seat, kind: FaultKind, forfeits: bool) {
        self.0.fault(seat, kind, forfeits);
        self.1.fault(seat, kind, forfeits);
    }

    fn finish(&mut self, end: &Finished<'_, G>) {
        self.0.finish(end);
        self.1.finish(end);
    }
}
