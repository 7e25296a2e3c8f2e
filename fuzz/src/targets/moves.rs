//! Moves: what is read as one is among the legal moves, and has one notation.

use super::{GameTarget, of_any_game};
use crate::choices::Choices;
use crate::{mutate, random};
use knave::games::CardGame;
use knave_agents::Turn;

/// Changes the text of a move and reads it, in a random position under random rules.
pub fn moves(choices: &mut Choices<'_>) {
    struct Moves;
    impl GameTarget for Moves {
        fn run<G: CardGame>(&self, choices: &mut Choices<'_>) {
            let (rules, _) = random::rules::<G>(choices);
            let (mut position, _) = random::deal::<G>(&rules, choices, 3);
            let depth = choices.below(30);
            random::play_on(&mut position, depth, choices);
            for _ in 0..8 {
                read(&position, choices);
            }
        }
    }
    of_any_game(&Moves, choices);
}

fn read<G: CardGame>(position: &G, choices: &mut Choices<'_>) {
    let mut legal = Vec::new();
    position.moves(&mut legal);
    let texts: Vec<String> = legal.iter().map(ToString::to_string).collect();
    for (m, text) in legal.iter().zip(&texts) {
        assert_eq!(position.parse_move(text).as_ref(), Ok(m), "{}: '{text}' reads back", G::NAME);
    }
    // In a position without moves there are texts of other positions all the same.
    let any = ["pass".to_owned(), "play a 5H".to_owned(), "claim a 5H 6H".to_owned(), "avoid".to_owned()];
    let texts = if texts.is_empty() { &any[..] } else { &texts };
    let text = mutate::utf8(choices.pick(texts), choices.pick(texts), choices);
    let Ok(m) = position.parse_move(&text) else {
        assert!(!texts.contains(&text) || texts == any, "{}: the legal '{text}' is refused", G::NAME);
        return;
    };
    assert!(matches!(position.turn(), Turn::Player(_)), "{}: '{text}' is read out of turn", G::NAME);
    assert!(legal.contains(&m), "{}: '{text}' is read as {m}, which is not legal", G::NAME);
    let sorted = |text: &str| {
        let mut words: Vec<String> = text.split_whitespace().map(ToOwned::to_owned).collect();
        words.sort();
        words
    };
    assert_eq!(sorted(&text), sorted(&m.to_string()), "{}: '{text}' is read as {m}", G::NAME);
}
