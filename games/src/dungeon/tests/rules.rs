//! The rules by their worked examples, and conservation of cards.

use super::*;

/// The text's example: a weapon of 5 takes a 3 without harm and a jack for 6; what it slew last limits
/// it, it may slay a 6 after a queen, and a queen after a 6 only falls to bare hands.
#[test]
fn weapons_and_their_limits() {
    let start = ["take 5D"];
    let base = after(Rules::default(), "5D 3C JS QC 6S 2H", &start);
    let health = |m: &str| {
        let mut position = base.clone();
        position.play(position.parse_move(m).unwrap());
        position.board().health
    };
    assert_eq!(health("fight 3C weapon"), 20);
    assert_eq!(health("fight JS weapon"), 14);
    assert_eq!(health("fight JS bare"), 9);

    let slain = after(
        Rules::default(),
        "5D QC 6S 2H QS 6C 5C 3C",
        &["take 5D", "fight QC weapon", "fight 6S weapon"],
    );
    assert_eq!(slain.board().health, 20 - 7 - 1);
    assert_eq!(
        legal(&slain),
        [
            "avoid",
            "fight 5C bare",
            "fight 6C bare",
            "drink 2H",
            "fight QS bare",
            "fight 5C weapon",
            "fight 6C weapon"
        ]
    );
    let rules = Rules { weapon_limit: WeaponLimit::Below, ..Rules::default() };
    let strict = after(rules, "5D QC 6S 2H QS 6C 5C 3C", &["take 5D", "fight QC weapon", "fight 6S weapon"]);
    assert!(!legal(&strict).contains(&"fight 6C weapon".to_owned()));
    assert!(legal(&strict).contains(&"fight 5C weapon".to_owned()));
    // A new weapon starts without a limit.
    let fresh =
        after(Rules::default(), "5D QC 6S 7D QS 6C 5C 3C", &["take 5D", "fight QC weapon", "take 7D"]);
    assert_eq!((fresh.board().weapon, fresh.board().limit), (7, NO_LIMIT));
}

/// One potion a turn heals, never above the ceiling; the next turn's first heals again.
#[test]
fn potions() {
    let position =
        after(Rules::default(), "9C 5H 7H 2C 3H 4C 5C 6C", &["fight 9C bare", "drink 5H", "drink 7H"]);
    assert_eq!(position.board().health, 16);
    let again = after(
        Rules::default(),
        "9C 5H 7H 2C 8H 4C 5C 6C",
        &["fight 9C bare", "drink 5H", "drink 7H", "drink 8H"],
    );
    assert_eq!(again.board().health, 20);
}

/// A room is avoided only as the first act, only when it holds four, and not twice running; it goes
/// under the pile in slot order, the carried card first.
#[test]
fn avoiding() {
    let deck = "2C 3C 4C 5C 6C 7C 8C 9C TC JC";
    let avoided = after(Rules::default(), deck, &["avoid"]);
    assert!(!legal(&avoided).contains(&"avoid".to_owned()));
    assert_eq!(avoided.pile.order(), cards("TC JC 2C 3C 4C 5C"));
    let begun = after(Rules::default(), deck, &["fight 2C bare"]);
    assert!(!legal(&begun).contains(&"avoid".to_owned()));
    let next = after(Rules::default(), deck, &["avoid", "fight 6C bare", "fight 7C bare"]);
    assert_eq!(next.board().phase, Phase::Play);
    let carried = after(
        Rules::default(),
        "2C 3C 2H 9H 6C 7C 8C 2D",
        &["fight 2C bare", "fight 3C bare", "drink 2H", "avoid"],
    );
    assert_eq!(carried.board().room().collect::<Vec<_>>(), cards("2D 9H 6C 7C"));
    assert_eq!(carried.pile.order(), cards("8C"));
    let small = after(Rules::default(), "2C 3C 4C", &[]);
    assert_eq!(legal(&small), ["fight 2C bare", "fight 3C bare", "fight 4C bare"]);
}

/// The scores of the text: health, or health and the potion that came last at full health; or minus the
/// monsters not faced, the killer never among them.
#[test]
fn scores() {
    let score = |rules, deck, moves: &[&str]| {
        let position = after(rules, deck, moves);
        assert_eq!(position.turn(), Turn::Over);
        (position.score(0), position.end())
    };
    let rules = Rules::default();
    assert_eq!(score(rules, "2C 3H", &["fight 2C bare", "drink 3H"]), (23, "cleared"));
    assert_eq!(score(rules, "2C 3H", &["drink 3H", "fight 2C bare"]), (18, "cleared"));
    assert_eq!(score(rules, "9C 3H", &["fight 9C bare", "drink 3H"]), (14, "cleared"));
    // A second potion heals nothing and counts all the same.
    assert_eq!(score(rules, "5H 3H", &["drink 5H", "drink 3H"]), (23, "cleared"));
    let deck = "KC AC 5S 6H 9S 2S";
    let moves = ["fight KC bare", "fight AC bare"];
    assert_eq!(score(rules, deck, &moves), (-(5 + 9 + 2), "died"));
    let pile = Rules { unfaced: Unfaced::Pile, ..rules };
    assert_eq!(score(pile, deck, &moves), (-(9 + 2), "died"));
    assert_eq!(score(rules, "KC AC", &moves), (0, "died"));
}

/// Three cards of four are faced until two are left in the last room, 44 = 14 × 3 + 2, and no card is
/// lost on the way: 200 games of players who cannot die early, with every option of the order.
#[test]
fn cards_are_conserved() {
    for order in [AvoidOrder::Kept, AvoidOrder::Shuffled] {
        let rules = Rules { health: 99, avoid_order: order, ..Rules::default() };
        let mut cleared = 0;
        for index in 0..200 {
            let mut rng = stream(3, index, Role::Deal);
            let mut position = Dungeon::deal(&rules, &mut rng);
            let deck = position.deck();
            let mut faced = 0;
            let mut steps = StepList::default();
            while position.turn() != Turn::Over {
                settle(&mut position, &mut rng);
                let mut left: Vec<Card> = position.pile.order();
                left.extend(position.board().room());
                assert_eq!(left.len() + faced, 44);
                assert_eq!(position.pile.cards(), position.pile.order().into_iter().collect());
                if left.len() == 2 {
                    assert_eq!(position.board().to_face, 2);
                }
                position.steps(&mut steps);
                for &m in steps.get(rng.random_range(0..steps.len())) {
                    faced += usize::from(m != Move::AVOID);
                    position.try_play(m).unwrap();
                }
            }
            assert_eq!(deck.into_iter().collect::<CardSet>().len(), 44);
            cleared += u32::from(position.won(0));
        }
        assert!(cleared > 0, "some of these games must reach the end");
    }
}
