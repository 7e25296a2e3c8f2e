//! Engines against references: random play under random rules, on full decks and on short ones, move by move.

use super::{GameTarget, of_any_game};
use crate::choices::Choices;
use crate::random;
use crate::reference::{self, Reference};
use knave::agents::options::Fields;
use knave::cards::Card;
use knave::games::CardGame;
use knave::play::points;
use knave_agents::{ChanceRecord, Turn};

/// The most events of a game that are looked at: some rules let games go on for as good as ever.
const MOST: usize = 3_000;

/// Plays a game on both engines.
pub fn engines(choices: &mut Choices<'_>) {
    struct Engines;
    impl GameTarget for Engines {
        fn run<G: CardGame>(&self, choices: &mut Choices<'_>) {
            play_both::<G>(choices);
        }
    }
    of_any_game(&Engines, choices);
}

/// Both engines in the same position.
pub struct Both<G> {
    /// The engine that is tested.
    pub position: G,
    /// The slow one.
    pub reference: Box<dyn Reference>,
}

impl<G: CardGame> Both<G> {
    /// Deals on both.
    ///
    /// # Panics
    /// When the deck is refused.
    #[must_use]
    pub fn new(rules: &G::Rules, recorded: &Fields, deck: &[Card]) -> Self {
        let position = G::from_deck(rules, deck).unwrap_or_else(|error| panic!("{}: {error}", G::NAME));
        let mut both = Self { position, reference: reference::of(G::NAME, recorded, deck) };
        both.settle();
        both
    }

    /// Lets the engine draw what follows from the deck, which the reference does at once.
    fn settle(&mut self) {
        while matches!(self.position.turn(), Turn::Chance | Turn::Shuffle)
            && !self.position.chance_is_recorded()
        {
            self.position.roll(&mut Choices::new(&[]).rng());
        }
    }

    /// The legal moves, on which both agree, and so they do on whose turn it is and on how the game ended.
    ///
    /// # Panics
    /// When the two disagree.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        let (position, reference) = (&self.position, &self.reference);
        assert_eq!(position.turn(), reference.turn(), "{}: whose turn it is", G::NAME);
        assert_eq!(position.seats(), reference.seats(), "{}: seats", G::NAME);
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        texts.sort();
        if !matches!(position.turn(), Turn::Player(_)) {
            assert!(texts.is_empty(), "{}: moves out of turn", G::NAME);
        } else {
            assert_eq!(texts, reference.moves(), "{}: legal moves", G::NAME);
        }
        if position.turn() == Turn::Over {
            let seats = 0..position.seats();
            for seat in seats.clone() {
                let score = points::<G>(position.score(seat));
                assert_eq!(score, reference.score(seat), "{}: score of seat {seat}", G::NAME);
            }
            let winners: Vec<_> = seats.filter(|&seat| position.won(seat)).collect();
            assert_eq!(winners, reference.winners(), "{}: winners", G::NAME);
            assert_eq!(position.end(), reference.end(), "{}: the reason for the end", G::NAME);
        }
        texts
    }

    /// Plays a legal move on both.
    ///
    /// # Panics
    /// When the engine cannot read it.
    pub fn play(&mut self, text: &str) {
        let m = self.position.parse_move(text).unwrap_or_else(|error| panic!("{}: {error}", G::NAME));
        assert_eq!(m.to_string(), text, "{}: a move has one notation", G::NAME);
        self.position.play(m);
        self.reference.play(text);
        self.settle();
    }

    /// Plays the random event on both.
    ///
    /// # Panics
    /// When one of them finds it impossible.
    pub fn chance(&mut self, record: &ChanceRecord) {
        let read = self.position.read_chance(record);
        let outcome = read.unwrap_or_else(|error| panic!("{}: {record:?}: {error}", G::NAME));
        self.position.play_chance(outcome);
        let agreed = self.reference.chance(record);
        agreed.unwrap_or_else(|error| panic!("{}: {record:?}: {error}", G::NAME));
        self.settle();
    }

    /// Lets chance bring something on both.
    fn roll(&mut self, choices: &mut Choices<'_>) {
        let outcome = self.position.clone().roll(&mut choices.rng());
        let Some(record) = G::chance_record(&outcome) else {
            panic!("{}: {outcome:?} is recorded, but has no record", G::NAME);
        };
        assert_eq!(self.position.read_chance(&record), Ok(outcome), "{}: {record:?}", G::NAME);
        self.chance(&record);
    }
}

impl<G: Clone> Clone for Both<G> {
    fn clone(&self) -> Self {
        Self { position: self.position.clone(), reference: self.reference.copy() }
    }
}

fn play_both<G: CardGame>(choices: &mut Choices<'_>) {
    let (rules, recorded) = random::rules::<G>(choices);
    let (_, deck) = random::deal::<G>(&rules, choices, 3);
    let mut both = Both::<G>::new(&rules, &recorded, &deck);
    // Moves that end a phase or a game are put off in some games, which reaches what haste never does.
    let patient = choices.once_in(2);
    for _ in 0..MOST {
        let moves = both.moves();
        match both.position.turn() {
            Turn::Over => return,
            Turn::Player(_) => {
                let mut text = choices.pick(&moves);
                if patient && ["done", "pass", "end", "pocket", "avoid"].contains(&text.as_str()) {
                    text = choices.pick(&moves);
                }
                both.play(text);
            }
            Turn::Chance | Turn::Shuffle => both.roll(choices),
        }
    }
}
