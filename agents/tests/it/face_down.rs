//! Moves that are made face down: who may not see them is not told them either.

use crate::prepared;
use knave_agents::rng::{Role, stream};
use knave_agents::{Decision, Event, Game, Notation, Rng, Seat, Tools, Turn, registry, testkit};
use rand::RngExt as _;

/// Seat 1 calls for a coin, in one of two ways that mean the same. Seat 0 puts one down, heads (1) or tails (0), and seat 1 guesses which.
/// Its view hides the coin, and so does the history where the game says so.
#[derive(Clone)]
struct Coin<const TELLS: bool> {
    call: Option<u8>,
    hidden: Option<u8>,
    guess: Option<u8>,
}

/// What a seat knows: who it is, the call, the coin if it put it down, whether one lies there, and the guess.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct View(Seat, Option<u8>, Option<u8>, bool, Option<u8>);

impl<const TELLS: bool> Game for Coin<TELLS> {
    type Rules = ();
    type Move = u8;
    type Chance = ();
    type View = View;

    const PUBLIC_HISTORY: bool = TELLS;

    fn deal(_: &(), _: &mut Rng) -> Self {
        Self { call: None, hidden: None, guess: None }
    }

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        match (self.call, self.hidden, self.guess) {
            (None, ..) => Turn::Player(1),
            (_, None, _) => Turn::Player(0),
            (.., None) => Turn::Player(1),
            _ => Turn::Over,
        }
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.clear();
        out.extend(if self.turn() == Turn::Over { 0..0 } else { 0..2 });
    }

    fn play(&mut self, m: u8) {
        let played = [&mut self.call, &mut self.hidden, &mut self.guess].into_iter().find(|m| m.is_none());
        *played.expect("the game goes on") = Some(m);
    }

    fn utility(&self, seat: Seat) -> f64 {
        f64::from(u8::from((self.hidden == self.guess) == (seat == 1)))
    }

    fn view(&self, seat: Seat) -> View {
        let shown = self.hidden.filter(|_| seat == 0 || self.guess.is_some());
        View(seat, self.call, shown, self.hidden.is_some(), self.guess)
    }

    fn sample_world(&View(_, call, shown, lies, guess): &View, rng: &mut Rng) -> Self {
        let coin: u8 = rng.random_range(0..2);
        Self { call, hidden: lies.then(|| shown.unwrap_or(coin)), guess }
    }
}

impl<const TELLS: bool> Notation for Coin<TELLS> {}
impl<const TELLS: bool> Tools for Coin<TELLS> {}

/// How often a search guesses the coin, in so many games against random play.
fn guessed<const TELLS: bool>(games: u64) -> u32 {
    let prepared = prepared(&registry::general(), "mcts:iterations=40", &());
    let mut guessed = 0;
    for index in 0..games {
        let mut position = Coin::<TELLS>::deal(&(), &mut stream(1, index, Role::Deal));
        let [mut rng, mut own] = [0, 1].map(|seat| stream(1, index, Role::Agent(seat)));
        let mut history = Vec::new();
        let mut agent = prepared.make();
        agent.begin_game();
        while let Turn::Player(seat) = position.turn() {
            let m = match seat {
                0 => position.random_move(&mut Vec::new(), &mut rng),
                _ => agent.choose(Decision::new(&position, &history), &mut own),
            };
            position.play(m);
            position.tell(Event::Move(seat, m), &mut history);
        }
        guessed += u32::from(position.hidden == position.guess);
    }
    guessed
}

/// With the history that hides the coin, a search guesses it as often as chance does: 200 of 400 games, with a standard deviation of
/// 10. The other test says what that is worth: with a history that tells the coin it guesses nearly all.
#[test]
fn a_coin_that_lies_face_down_is_not_seen() {
    testkit::conformance::<Coin<false>>(&[()], 20, 5, |_| ());
    testkit::public_history::<Coin<false>>(&[()], 5);
    let seen = guessed::<false>(400);
    assert!((150..=250).contains(&seen), "{seen} of 400");
}

/// The default history tells it, and no other check notices: views and worlds are right.
#[test]
#[should_panic(expected = "the history tells seat 1 whether seat 0 played ")]
fn a_history_that_tells_face_down_moves_is_noticed() {
    testkit::conformance::<Coin<true>>(&[()], 20, 5, |_| ());
    testkit::all_agents_are_fair(
        &registry::general::<Coin<true>>(),
        "coin",
        &(),
        20,
        &["mcts:iterations=40"],
    );
    let seen = guessed::<true>(400);
    assert!(seen > 350, "{seen} of 400");
    testkit::public_history::<Coin<true>>(&[()], 5);
}
