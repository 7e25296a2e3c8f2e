//! Positions by the text of their moves.

use super::ruled::Ruled;
use crate::analysis::{Judge, JudgeError, JudgeSpec, Judging};
use crate::board::Board;
use crate::cards::Card;
use crate::games::{CardGame, rounded};
use crate::learnt::note_models;
use crate::play::referee::Reached;
use crate::play::{
    Finished, GameStreams, Heading, Measure, NameError, Seats, Transcriber, Transcript, check_names, points,
};
use knave_agents::exact::asked::IllegalChoice;
use knave_agents::registry::{Prepared, prepare};
use knave_agents::rng::{Role, Streams, stream};
use knave_agents::{
    AgentSpec, ChanceRecord, Decision, Event, NotationError, Seat, SpecError, Turn, ViewError,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// A game under way. Random events are played as soon as they are due, so it is always a player's turn or the end.
pub trait Position: Send + Sync {
    /// The seat whose turn it is; `None` after the end.
    fn turn(&self) -> Option<Seat>;

    /// The number of seats.
    fn seats(&self) -> usize;

    /// The origin of a game that was dealt here: seed and index; `None` in a sampled world, and in one that
    /// [follows a record](super::Ruleset::reach).
    fn origin(&self) -> Option<(u64, u64)>;

    /// The legal moves in their notation, in order.
    fn moves(&self) -> Vec<String>;

    /// Plays a move of the player whose turn it is, and chance to the next decision.
    ///
    /// # Errors
    /// When the text is no legal move; nothing has changed then.
    fn play(&mut self, text: &str) -> Result<(), PlayError>;

    /// The moves so far: seat and text. Not all players may know them where [`Position::is_public`] is false. A sampled world has
    /// those that everybody was told, before its own.
    fn played(&self) -> &[(Seat, String)];

    /// Whether all players know all moves.
    fn is_public(&self) -> bool;

    /// What everybody has seen so far, in order. Where moves are not public, what the game tells of them, such as a pass of everybody who
    /// may have been asked.
    fn public(&self) -> Vec<Seen>;

    /// How the game ended; `None` before the end.
    fn end(&self) -> Option<&'static str>;

    /// All that a seat knows, as players in other processes are told.
    ///
    /// # Errors
    /// When there is no such seat, or the game shows nothing.
    fn view(&self, seat: Seat) -> Result<Value, PositionError>;

    /// The same, to be drawn.
    ///
    /// # Errors
    /// As [`Position::view`].
    fn board(&self, seat: Seat) -> Result<Board, PositionError>;

    /// All that a seat knows, in the form of [`std::fmt::Debug`]: for people, in a game that shows nothing.
    ///
    /// # Errors
    /// When there is no such seat.
    fn debug_view(&self, seat: Seat) -> Result<String, PositionError>;

    /// The hidden state: the deck before the deal, top first (`null` where there is no [origin](Position::origin)), the moves, and the
    /// views of all seats.
    fn reveal_hidden(&self) -> Value;

    /// A position that the player whose turn it is cannot tell from this one, drawn with its probability. What is random in it from
    /// there on follows from the seed.
    ///
    /// # Errors
    /// After the end.
    fn sample_world(&self, seed: u64) -> Result<Box<dyn Position>, PositionError>;

    /// The utility of a seat that this evaluator of the game expects, in [0, 1]; an empty name is the default one. After the end the utility
    /// itself.
    ///
    /// # Errors
    /// When there is no such seat or evaluator.
    fn value(&self, evaluator: &str, seat: Seat) -> Result<f64, PositionError>;

    /// What the moves are worth to the player whose turn it is, by rollouts from worlds that are sampled with the seed. A move that
    /// was `played` is valued in all worlds, and others as long as they could be better.
    ///
    /// # Errors
    /// After the end, when the judge or the move is refused, and once `stop` is set.
    fn appraise(
        &self,
        judge: &JudgeSpec,
        played: Option<&str>,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Appraised, PositionError>;

    /// Checks that somebody can judge like this, and gives notes for the user, such as that no model serves the rules.
    ///
    /// # Errors
    /// When the judge is refused.
    fn check_judge(&self, judge: &JudgeSpec) -> Result<Vec<String>, PositionError>;

    /// Checks that an agent can give [hints](Position::hint), and gives notes for the user.
    ///
    /// # Errors
    /// When there is no such agent, or it plays in runs and comparisons alone.
    fn check_agent(&self, agent: &AgentSpec) -> Result<Vec<String>, PositionError>;

    /// The move that this agent would play, with its random numbers from the seed.
    ///
    /// # Errors
    /// When there is no such agent, when it chooses an illegal move, or after the end.
    fn hint(&self, agent: &AgentSpec, seed: u64) -> Result<String, PositionError>;

    /// The score in points, and whether the game was won, by seat; `None` before the end.
    fn results(&self) -> Option<Vec<(f64, bool)>>;

    /// The game so far as one line of JSON that a referee accepts, with the players by seat.
    ///
    /// # Errors
    /// Before the end, without an [origin](Position::origin), and when the number of players is not that of the seats.
    fn transcript(&self, players: &[String]) -> Result<String, PositionError>;

    /// Another game that goes on from here, by the same hidden cards: a search in it would see them.
    fn copy(&self) -> Box<dyn Position>;
}

/// What everybody has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A move of a seat.
    Move(Seat, String),
    /// Dice in the order in which they were rolled.
    Roll(Vec<u8>),
    /// Cards were drawn or shuffled, and nobody is told which.
    Shuffle,
}

/// An error of playing a move.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayError {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// No legal move.
    #[error(transparent)]
    Move(#[from] NotationError),
}

/// An error of a query about a position.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PositionError {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// The game goes on.
    #[error("the game is not over")]
    NotOver,
    /// Somebody has asked to stop.
    #[error("stopped")]
    Stopped,
    /// No such seat.
    #[error("seat={0} is refused: expected 0 to {last}", last = .1 - 1)]
    Seat(Seat, usize),
    /// The game does not say what a seat knows.
    #[error("{0} does not tell what a seat knows")]
    NoView(&'static str),
    /// A view that nobody is shown.
    #[error(transparent)]
    View(#[from] ViewError),
    /// The game does not read views.
    #[error("{0} does not read views")]
    NoReader(&'static str),
    /// A view of somebody whose turn it is not.
    #[error("view: no player is to move")]
    NoMoves,
    /// No such evaluator.
    #[error("evaluator={name} is refused: {game} has {known} under these rules")]
    Evaluator {
        /// What was asked for.
        name: String,
        /// The game.
        game: &'static str,
        /// Its evaluators.
        known: String,
    },
    /// No such agent.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// An agent that is asked about many games at once, and may fail.
    #[error("agent {0} plays in runs and comparisons alone")]
    NoHints(String),
    /// An agent chose what it may not.
    #[error("{agent}: {choice}")]
    Illegal {
        /// The agent.
        agent: String,
        /// Its choice.
        choice: IllegalChoice,
    },
    /// No legal move.
    #[error(transparent)]
    Move(#[from] NotationError),
    /// A judge was refused.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// A sampled world, or a game that follows a record, was never dealt here.
    #[error("only a game that was dealt has a transcript, no sampled world and none that follows a record")]
    World,
    /// Too few or too many names.
    #[error("players: expected {1} names, one for each seat, found {0}")]
    Players(usize, usize),
    /// A name that the referee would refuse.
    #[error(transparent)]
    Name(#[from] NameError),
}

/// The values of moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Appraised {
    /// The seat that decides.
    pub seat: Seat,
    /// What counts.
    pub measure: Measure,
    /// The number of legal moves.
    pub legal: usize,
    /// The judge's own move.
    pub judge: String,
    /// The moves that were valued, the best first.
    pub moves: Vec<MoveValue>,
}

/// The value of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveValue {
    /// The move.
    pub r#move: String,
    /// The mean result: wins, or points.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// The worlds in which it was played.
    pub worlds: usize,
    /// What is lost by it against the best move, as far as other worlds tell than those that found the best; not of moves that
    /// were left behind before.
    pub regret: Option<f64>,
    /// The standard error of that.
    pub regret_se: Option<f64>,
}

/// A game under way of these types.
#[derive(Clone)]
pub(super) struct Live<G: CardGame> {
    ruled: Ruled<G>,
    position: G,
    game_streams: GameStreams,
    /// Where a dealt game comes from: seed and index; none in a sampled world.
    origin: Option<(u64, u64)>,
    deck: Vec<Card>,
    /// The cards of the game, in an order that tells nothing; all of them where a view is all that is known.
    cards: Vec<Card>,
    transcriber: Transcriber,
    played: Vec<(Seat, String)>,
    history: Vec<Event<G>>,
}

/// The cards of a deck, in an order that tells nothing.
fn sorted(deck: &[Card]) -> Vec<Card> {
    let mut cards = deck.to_vec();
    cards.sort_unstable();
    cards
}

impl<G: CardGame> Live<G> {
    /// Deals game `index` of the run with this seed.
    pub fn deal(ruled: Ruled<G>, seed: u64, index: u64) -> Self {
        let mut game_streams = GameStreams::new(Streams::new(seed, index));
        let start = G::deal(&ruled.rules, game_streams.deal());
        Self::new(ruled, start, game_streams, Some((seed, index)))
    }

    /// The game that starts like this.
    pub fn start(ruled: Ruled<G>, start: G, (seed, index): (u64, u64)) -> Self {
        Self::new(ruled, start, GameStreams::new(Streams::new(seed, index)), Some((seed, index)))
    }

    /// The position of a recorded game. What is random from here on follows from the seed.
    pub fn reached(ruled: Ruled<G>, reached: Reached<G>, transcript: &Transcript) -> Self {
        let Reached { position, history, played } = reached;
        let game_streams = GameStreams::new(Streams::new(transcript.seed, 0));
        let mut live = Self::new(ruled, position, game_streams, None);
        (live.history, live.played, live.cards) = (history, played, sorted(&transcript.deck));
        live
    }

    /// A sampled world of a view.
    pub fn of_view(ruled: Ruled<G>, view: &Value, seed: u64) -> Result<Self, PositionError> {
        let shown = G::kit(&ruled.rules).shown.ok_or(PositionError::NoView(G::NAME))?;
        let view = shown.read(&ruled.rules, view).ok_or(PositionError::NoReader(G::NAME))??;
        let world = G::sample_world(&view, &mut stream(seed, 0, Role::Agent(0)));
        let mut moves = Vec::new();
        if let Turn::Player(_) = world.turn() {
            world.moves(&mut moves);
        }
        if moves.is_empty() {
            return Err(PositionError::NoMoves);
        }
        Ok(Self::new(ruled, world, GameStreams::new(Streams::new(seed, 0)), None))
    }

    fn new(ruled: Ruled<G>, position: G, game_streams: GameStreams, origin: Option<(u64, u64)>) -> Self {
        let (mut transcriber, mut deck, mut cards) = (Transcriber::default(), Vec::new(), G::full_deck());
        if origin.is_some() {
            deck = position.deck();
            cards = sorted(&deck);
            transcriber.begin(&position);
        }
        let (played, history) = (Vec::new(), Vec::new());
        let mut live =
            Self { ruled, position, game_streams, origin, deck, cards, transcriber, played, history };
        live.go_on();
        live
    }

    /// Has chance move until a player decides or the game is over.
    fn go_on(&mut self) {
        loop {
            let turn = self.position.turn();
            if !matches!(turn, Turn::Chance | Turn::Shuffle) {
                return;
            }
            let outcome = self.position.roll(self.game_streams.next(&self.position));
            let event = Event::of_chance(turn, outcome);
            self.transcriber.event(&event, Some(&outcome));
            self.remember(event);
        }
    }

    fn remember(&mut self, event: Event<G>) {
        self.position.tell(event, &mut self.history);
    }

    /// An agent that can be asked about one position.
    fn prepared(&self, agent: &AgentSpec) -> Result<Prepared<G>, PositionError> {
        let mut prepared = prepare(&self.ruled.agents, G::NAME, agent, &self.ruled.rules)?.one_at_a_time();
        note_models(&mut prepared, &self.cards);
        match prepared.is_batched() {
            true => Err(PositionError::NoHints(prepared.label)),
            false => Ok(prepared),
        }
    }

    /// The legal move that a text says. Games may read one that is not.
    fn read(&self, text: &str) -> Result<G::Move, NotationError> {
        let m = self.position.parse_move(text)?;
        if self.position.is_legal(m) { Ok(m) } else { Err(NotationError::illegal(text, &self.position)) }
    }

    /// What a seat knows, in JSON.
    fn shown(&self, seat: Seat) -> Result<Vec<u8>, PositionError> {
        self.check(seat)?;
        let shown = G::kit(&self.ruled.rules).shown.ok_or(PositionError::NoView(G::NAME))?;
        let mut text = Vec::new();
        shown.write(&self.position.view(seat), &mut text);
        Ok(text)
    }

    fn check(&self, seat: Seat) -> Result<(), PositionError> {
        let seats = self.position.seats();
        if seat < seats { Ok(()) } else { Err(PositionError::Seat(seat, seats)) }
    }
}

impl<G: CardGame> Position for Live<G> {
    fn turn(&self) -> Option<Seat> {
        match self.position.turn() {
            Turn::Player(seat) => Some(seat),
            _ => None,
        }
    }

    fn seats(&self) -> usize {
        self.position.seats()
    }

    fn origin(&self) -> Option<(u64, u64)> {
        self.origin
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.position.moves(&mut moves);
        moves.iter().map(ToString::to_string).collect()
    }

    fn play(&mut self, text: &str) -> Result<(), PlayError> {
        let seat = self.turn().ok_or(PlayError::Over)?;
        let m = self.read(text)?;
        let event = Event::Move(seat, m);
        self.transcriber.event(&event, None);
        self.played.push((seat, m.to_string()));
        self.position.play(m);
        self.remember(event);
        self.go_on();
        Ok(())
    }

    fn played(&self) -> &[(Seat, String)] {
        &self.played
    }

    fn is_public(&self) -> bool {
        G::PUBLIC_HISTORY
    }

    fn public(&self) -> Vec<Seen> {
        let told = |event: &Event<G>| match event {
            Event::Move(seat, m) => Some(Seen::Move(*seat, m.to_string())),
            Event::Chance(outcome) => G::chance_record(outcome).map(|record| match record {
                ChanceRecord::Roll(dice) => Seen::Roll(dice),
                ChanceRecord::Reshuffle(_) => Seen::Shuffle,
            }),
            Event::Shuffle => Some(Seen::Shuffle),
        };
        self.history.iter().filter_map(told).collect()
    }

    fn end(&self) -> Option<&'static str> {
        self.turn().is_none().then(|| self.position.end())
    }

    fn view(&self, seat: Seat) -> Result<Value, PositionError> {
        self.shown(seat).map(|text| serde_json::from_slice(&text).unwrap_or_default())
    }

    fn board(&self, seat: Seat) -> Result<Board, PositionError> {
        self.shown(seat).map(|text| Board::read(&text))
    }

    fn debug_view(&self, seat: Seat) -> Result<String, PositionError> {
        self.check(seat)?;
        Ok(format!("{:?}", self.position.view(seat)))
    }

    fn reveal_hidden(&self) -> Value {
        let views: Vec<Value> =
            (0..self.position.seats()).map(|seat| self.view(seat).unwrap_or_default()).collect();
        let deck = if self.origin.is_some() { json!(self.deck) } else { Value::Null };
        json!({ "deck": deck, "played": self.played, "views": views })
    }

    fn sample_world(&self, seed: u64) -> Result<Box<dyn Position>, PositionError> {
        let seat = self.turn().ok_or(PositionError::Over)?;
        let world = G::sample_world(&self.position.view(seat), &mut stream(seed, 0, Role::Agent(seat)));
        let game_streams = GameStreams::new(Streams::new(seed, 0));
        let mut live = Self::new(self.ruled.clone(), world, game_streams, None);
        // What the player has seen is the same, and no more of the moves than that.
        let moves = self.public().into_iter().filter_map(|seen| match seen {
            Seen::Move(seat, m) => Some((seat, m)),
            Seen::Roll(_) | Seen::Shuffle => None,
        });
        live.played = moves.collect();
        (live.history, live.cards) = (self.history.clone(), self.cards.clone());
        Ok(Box::new(live))
    }

    fn value(&self, evaluator: &str, seat: Seat) -> Result<f64, PositionError> {
        self.check(seat)?;
        if self.turn().is_none() {
            return Ok(self.position.utility(seat));
        }
        let found = self.ruled.evaluator(evaluator);
        found.map(|found| found.value(&self.position, seat)).ok_or_else(|| {
            let known = G::kit(&self.ruled.rules).evaluators().into_iter();
            PositionError::Evaluator {
                name: evaluator.to_owned(),
                game: G::NAME,
                known: knave_agents::options::listed(
                    known.filter(|name| self.ruled.evaluator(name).is_some()),
                ),
            }
        })
    }

    fn check_judge(&self, judge: &JudgeSpec) -> Result<Vec<String>, PositionError> {
        let mut agent = Judging::<G>::of(judge, &self.ruled.rules, &self.ruled.agents)?.agent;
        note_models(&mut agent, &self.cards);
        Ok(agent.notes)
    }

    fn check_agent(&self, agent: &AgentSpec) -> Result<Vec<String>, PositionError> {
        self.prepared(agent).map(|prepared| prepared.notes)
    }

    fn appraise(
        &self,
        judge: &JudgeSpec,
        played: Option<&str>,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Appraised, PositionError> {
        let seat = self.turn().ok_or(PositionError::Over)?;
        let played = played.map(|text| self.read(text)).transpose()?;
        let Ruled { rules, agents, .. } = &self.ruled;
        let judging = Judging::<G>::of(judge, rules, agents)?;
        let mut rng = stream(seed, 0, Role::Analysis);
        let appraisal =
            Judge::new(&judging, stop).appraise(&self.position, &self.history, played, true, &mut rng);
        let appraisal = appraisal.map_err(|_| PositionError::Stopped)?;
        let (units, measure) = (judging.units(), judging.measure);
        let mut moves: Vec<MoveValue> = (0..appraisal.moves.len())
            .map(|place| {
                let (mean, se, worlds) = appraisal.mean(place);
                let regret = appraisal.is_whole(place).then(|| appraisal.regret(place));
                MoveValue {
                    r#move: appraisal.moves[place].played.to_string(),
                    mean: rounded(mean / units.0),
                    se: rounded(se / units.0),
                    worlds,
                    regret: regret.map(|(sum, _)| rounded(units.value(sum))),
                    regret_se: regret.map(|(_, error)| rounded(error / units.0)),
                }
            })
            .collect();
        let best = appraisal.moves[appraisal.best].played.to_string();
        moves.sort_by(|a, b| (b.r#move == best).cmp(&(a.r#move == best)).then(b.mean.total_cmp(&a.mean)));
        let judge = appraisal.moves[appraisal.choice].played.to_string();
        Ok(Appraised { seat, measure, legal: appraisal.legal, judge, moves })
    }

    fn hint(&self, agent: &AgentSpec, seed: u64) -> Result<String, PositionError> {
        let seat = self.turn().ok_or(PositionError::Over)?;
        let prepared = self.prepared(agent)?;
        let mut agent = prepared.make();
        agent.begin_game();
        let decision = Decision::new(&self.position, &self.history).told_to(&*agent);
        let m = agent.choose(decision, &mut stream(seed, 0, Role::Agent(seat)));
        if !self.position.is_legal(m) {
            let choice = IllegalChoice { seat, chosen: m.to_string() };
            return Err(PositionError::Illegal { agent: prepared.label, choice });
        }
        Ok(m.to_string())
    }

    fn results(&self) -> Option<Vec<(f64, bool)>> {
        let end = &self.position;
        let result = |seat| (points::<G>(end.score(seat)), end.won(seat));
        self.turn().is_none().then(|| (0..end.seats()).map(result).collect())
    }

    fn transcript(&self, players: &[String]) -> Result<String, PositionError> {
        if self.turn().is_some() {
            return Err(PositionError::NotOver);
        }
        let (seed, index) = self.origin.ok_or(PositionError::World)?;
        let seats = self.position.seats();
        if players.len() != seats {
            return Err(PositionError::Players(players.len(), seats));
        }
        check_names(players)?;
        let players: Vec<&str> = players.iter().map(String::as_str).collect();
        let heading = Heading { rules: &*self.ruled.rules, seed, index, players: &players };
        let mut line = Vec::new();
        self.transcriber.clone().finish(
            &heading,
            &Finished::new(&self.position, &[], Seats::default()),
            &mut line,
        );
        Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
    }

    fn copy(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
}
