//! Every target for a moment: `cargo test -p knave-fuzz`. `docs/development.md` tells how to run one for long.

use knave_fuzz::choices::Choices;
use knave_fuzz::targets;

/// Runs a target on inputs of the engine, for as long as that says.
macro_rules! target {
    ($(#[$doc:meta])* $name:ident, $target:path) => {
        $(#[$doc])*
        #[test]
        fn $name() {
            bolero::check!().with_max_len(512).for_each(|bytes: &[u8]| $target(&mut Choices::new(bytes)));
        }
    };
}

target! {
    /// Every engine plays as its reference does: legal moves, turns, scores, winners and ends, whatever the rules and the deck.
    engines, targets::engines::engines
}
