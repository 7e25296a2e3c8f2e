//! Every target for a moment: `cargo test -p knave-fuzz`. `docs/development.md` tells how to run one for long.

use crate::choices::Choices;
use crate::limits::within_limits;
use crate::targets;

/// The most bytes of an input.
const LONGEST: usize = 512;

/// Runs a target on random inputs, as many as there is time for; with `cfg(fuzzing)` on those of a fuzzer that watches what they reach.
macro_rules! target {
    ($(#[$doc:meta])* $name:ident, $target:path) => {
        $(#[$doc])*
        #[test]
        fn $name() {
            let check = |bytes: &[u8]| within_limits(bytes, || $target(&mut Choices::new(bytes)));
            #[cfg(fuzzing)]
            bolero::check!().with_max_len(LONGEST).for_each(check);
            #[cfg(not(fuzzing))]
            arbtest::arbtest(|random| {
                let length = random.int_in_range(0..=LONGEST)?;
                check(random.bytes(length.min(random.len()))?);
                Ok(())
            })
            .size_min(LONGEST as u32)
            .size_max(LONGEST as u32);
        }
    };
}

target! {
    /// Every engine plays as its reference does: legal moves, turns, scores, winners and ends, whatever the rules and the deck.
    engines, targets::engines::engines
}

target! {
    /// What the referee accepts is a whole game by the rules, with the right result, and nothing of it is passed over.
    transcripts, targets::transcripts::transcripts
}

target! {
    /// What is read as a move is one of the legal ones, from its own words; every legal move is read.
    moves, targets::moves::moves
}

target! {
    /// An agent has one meaning as text, as data and as its record.
    agents, targets::requests::agents
}

target! {
    /// Rules mean what was given, and their record is accepted and means the same.
    rules, targets::requests::rules
}

target! {
    /// A preset file is refused, or makes a player that is recorded as it is.
    presets, targets::requests::presets
}

target! {
    /// A study is refused, or each of its cells has a name of its own that can be a folder's, and a request that is recorded as it is.
    studies, targets::requests::studies
}

target! {
    /// A file of deals is refused, or its decks can be dealt and are what is dealt.
    deals, targets::requests::deals
}

target! {
    /// A model file is refused, or is written again as it was read, and gives probabilities.
    models, targets::models::models
}

target! {
    /// Games on the quick path are what they are move by move.
    fast_random, targets::play::fast_random
}

target! {
    /// Values of many positions at once, and values that are made from others that were asked for before, are those of each alone.
    values, targets::play::values
}

target! {
    /// Solvers find what brute force finds, and lines that reach it.
    solvers, targets::play::solvers
}

target! {
    /// A folder with a changed file is resumed, merged or refused; what is refused is left as it was.
    folders, targets::folders::changed
}

target! {
    /// A folder with a changed file is refused, or comes to the true result, to the byte.
    folders_are_true, targets::folders::true_or_refused
}

target! {
    /// A page or a listing of a folder with a changed file is made or refused, and no page holds what a table says as markup.
    tables, targets::folders::shown
}

target! {
    /// An agent whose options are accepted plays to the end of a game.
    players, targets::players::players
}

/// The folders that the target `folders` changes can be resumed and merged as they are, so that it does not look at refusals alone.
#[test]
fn unchanged_folders_come_to_the_whole() {
    targets::folders::unchanged();
}
