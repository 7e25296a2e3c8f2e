//! Targets: functions of the choices that an input makes, each of which panics when a promise is broken. A file a subject.

pub mod engines;
pub mod folders;
pub mod models;
pub mod moves;
pub mod play;
pub mod players;
pub mod requests;
pub mod transcripts;

use crate::choices::Choices;
use knave::games::{self, CardGame, GameList as _, Visitor};
use knave::registry::Registry;
use std::sync::OnceLock;

/// A target that is generic over games.
trait GameTarget {
    /// Runs it with a game.
    fn run<G: CardGame>(&self, choices: &mut Choices<'_>);
}

/// Runs a target with the game that the input chooses.
fn of_any_game(target: &impl GameTarget, choices: &mut Choices<'_>) {
    struct With<'a, 'b, T>(&'a T, &'a mut Choices<'b>);
    impl<T: GameTarget> Visitor for With<'_, '_, T> {
        type Output = ();
        fn visit<G: CardGame>(self) {
            self.0.run::<G>(self.1);
        }
    }
    let name = *choices.pick(&games::names());
    games::BuiltIn::visit(name, With(target, choices));
}

/// Knave's own games and agents.
fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| Registry::builtin().build())
}
