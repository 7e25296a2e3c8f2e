//! One game that is played by actions.

use crate::games::CardGame;
use crate::play::GameStreams;
use knave_agents::encoding::Spelling;
use knave_agents::rng::Streams;
use knave_agents::{Decision, Encoding, Event, Seat, Turn};

/// A game under way, and the move that is being spelled.
pub(super) struct ActionGame<G: CardGame> {
    pub index: u64,
    pub streams: Streams,
    pub position: G,
    game_streams: GameStreams,
    /// What the player whose turn it is knows.
    view: Option<G::View>,
    /// The legal moves that begin as the one that is being spelled, and how they are spelled.
    moves: Vec<(G::Move, Spelling)>,
    begun: Spelling,
    buffer: Vec<G::Move>,
    /// The public events so far, if they are kept.
    history: Option<Vec<Event<G>>>,
}

impl<G: CardGame> Clone for ActionGame<G> {
    fn clone(&self) -> Self {
        Self {
            position: self.position.clone(),
            game_streams: self.game_streams.clone(),
            view: self.view.clone(),
            moves: self.moves.clone(),
            begun: self.begun.clone(),
            buffer: Vec::new(),
            history: self.history.clone(),
            ..*self
        }
    }
}

/// What an action came to.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Acted {
    /// The move is not complete.
    Begun,
    /// The move was played.
    Played,
    /// The action leads to no legal move. Nothing has changed.
    Illegal,
}

impl<G: CardGame> ActionGame<G> {
    /// Deals game `index` of the run with this seed, and plays on to its first decision.
    pub fn deal(rules: &G::Rules, (seed, index): (u64, u64), keeps_history: bool) -> Self {
        let streams = Streams::new(seed, index);
        let mut game_streams = GameStreams::new(streams);
        let position = G::deal(rules, game_streams.deal());
        let mut game = Self {
            index,
            streams,
            position,
            game_streams,
            view: None,
            moves: Vec::new(),
            begun: Spelling::new(),
            buffer: Vec::new(),
            history: keeps_history.then(Vec::new),
        };
        game.go_on();
        game
    }

    /// Deals another game in its place.
    pub fn deal_again(&mut self, rules: &G::Rules, (seed, index): (u64, u64)) {
        self.index = index;
        self.streams = Streams::new(seed, index);
        self.game_streams = GameStreams::new(self.streams);
        self.position = G::deal(rules, self.game_streams.deal());
        self.history.iter_mut().for_each(Vec::clear);
        self.go_on();
    }

    /// The seat whose turn it is; `None` after the end.
    #[inline]
    pub fn seat(&self) -> Option<Seat> {
        match self.position.turn() {
            Turn::Player(seat) => Some(seat),
            _ => None,
        }
    }

    /// Has chance move until a player decides or the game is over.
    #[inline]
    fn go_on(&mut self) {
        loop {
            let turn = self.position.turn();
            if !matches!(turn, Turn::Chance | Turn::Shuffle) {
                break;
            }
            let outcome = self.position.roll(self.game_streams.next(&self.position));
            if let Some(history) = &mut self.history {
                let event = Event::of_chance(turn, outcome);
                self.position.tell(event, history);
            }
        }
        self.begun.clear();
        self.moves.clear();
        self.view = None;
    }

    /// Works out how the legal moves of this seat are spelled, if that is not done.
    #[inline]
    fn spell(&mut self, encoding: &Encoding<G>, seat: Seat) {
        if self.view.is_none() {
            let view = self.position.view(seat);
            self.position.moves(&mut self.buffer);
            let spelled = |&m: &G::Move| (m, (encoding.spell)(&view, m));
            self.moves.extend(self.buffer.iter().map(spelled));
            self.view = Some(view);
        }
    }

    /// Writes 1 for every action that leads to a legal move and 0 for the others; all zeros after the end.
    #[inline]
    pub fn mask(&mut self, encoding: &Encoding<G>, mask: &mut [u8]) {
        mask.fill(0);
        let Some(seat) = self.seat() else { return };
        self.spell(encoding, seat);
        let at = self.begun.len();
        self.moves.iter().for_each(|(_, spelling)| mask[usize::from(spelling[at])] = 1);
    }

    /// Writes what this seat sees.
    #[inline]
    pub fn observe(&mut self, encoding: &Encoding<G>, seat: Seat, row: &mut [f32]) {
        match (&self.view, self.seat()) {
            (Some(view), Some(mover)) if mover == seat => encoding.write(view, &self.begun, row),
            _ => encoding.write(&self.position.view(seat), &[], row),
        }
    }

    /// Does an action of the player whose turn it is.
    #[inline]
    pub fn act(&mut self, encoding: &Encoding<G>, action: u16) -> Acted {
        let Some(seat) = self.seat() else { return Acted::Illegal };
        self.spell(encoding, seat);
        let at = self.begun.len();
        let Some(first) = self.moves.iter().position(|(_, spelling)| spelling[at] == action) else {
            return Acted::Illegal;
        };
        let (m, spelling) = &self.moves[first];
        if spelling.len() == at + 1 {
            let m = *m;
            self.play(seat, m);
            return Acted::Played;
        }
        self.begun.push(action);
        self.moves.retain(|(_, spelling)| spelling[at] == action);
        Acted::Begun
    }

    /// Plays a legal move of this seat, whose turn it is, and chance to the next decision.
    #[inline]
    pub fn play(&mut self, seat: Seat, m: G::Move) {
        self.position.play(m);
        if let Some(history) = &mut self.history {
            self.position.tell(Event::Move(seat, m), history);
        }
        self.go_on();
    }

    /// The decision of the player whose turn it is.
    pub fn decision(&self) -> Decision<'_, G> {
        Decision::new(&self.position, self.history.as_deref().unwrap_or_default())
    }
}
