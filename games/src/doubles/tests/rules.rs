//! The rules by worked examples, and their options.

use super::*;
use knave_agents::options;

/// Cards are dealt one at a time from the top, seat 0 first; the stakes are the sum of the dice; the first
/// challenge may be any card, a further one must be strictly higher, aces are high; the last challenger
/// wins and the dice pass to the left.
#[test]
fn a_turn() {
    let mut game = Script::new(&rules(2, 3), "5C 5D 9H KS AH 2C 3C");
    assert_eq!(game.0.hand(0).into_iter().collect::<Vec<_>>(), cards("5C 9H AH"));
    assert_eq!(game.0.hand(1).into_iter().collect::<Vec<_>>(), cards("2C 5D KS"));
    assert_eq!(game.play("34").due(), player(0, "pass 5C 9H AH", 7));
    // Neither the five nor anything below it.
    assert_eq!(game.play("5C").due(), player(1, "pass KS", 7));
    assert_eq!(game.play("KS").due(), player(0, "pass AH", 7));
    assert_eq!(game.play("pass").due(), (Turn::Chance, String::new(), 0));
    assert_eq!((game.scores(), game.0.board.roller), (vec![0, 7], 1));
}

/// A pass does not bind: the turn to challenge goes round until all others have passed after a challenge.
#[test]
fn passes_do_not_bind() {
    let mut game = Script::new(&rules(3, 2), "9C 5D 7H KS QH 2C");
    assert_eq!(game.play("12 pass pass").due(), player(2, "pass 2C 7H", 3));
    assert_eq!(game.play("7H").due(), player(0, "pass 9C KS", 3));
    assert_eq!(game.play("pass").due(), player(1, "pass QH", 3));
    assert_eq!(game.play("QH").due(), player(0, "pass KS", 3), "seat 2 passes without being asked");
    assert_eq!(game.play("KS").due().0, Turn::Chance);
    assert_eq!(game.scores(), [3, 0, 0]);
}

/// Nobody challenges: the roller pockets the stakes or rolls for more, as often as it likes, and everybody
/// is asked again after every roll.
#[test]
fn pocket_or_roll() {
    let mut game = Script::new(&rules(2, 2), "9C 5D 7H KS");
    assert_eq!(game.play("12 pass pass").due(), player(0, "pocket roll", 3));
    assert_eq!(game.play("roll 56").due(), player(0, "pass 9C 7H", 14));
    assert_eq!(game.play("pass pass pocket").due().0, Turn::Chance);
    assert_eq!((game.scores(), game.0.board.roller), (vec![14, 0], 1));
}

/// Doubles force the roller to challenge, on any roll of the turn; one card alone is still a decision.
#[test]
fn doubles_force_a_challenge() {
    let mut game = Script::new(&rules(2, 2), "9C 5D 7H KS");
    assert_eq!(game.play("33").due(), player(0, "9C 7H", 6));
    assert_eq!(game.play("9C").due(), player(1, "pass KS", 6));
    game.play("pass 12 pass pass roll 44");
    assert_eq!(game.due(), player(1, "5D KS", 11));
    assert_eq!(game.play("5D").due(), player(0, "pass 7H", 11));
    assert_eq!(game.play("pass 22").due(), player(0, "7H", 4));
}

/// An empty-handed roller of doubles: the first player to the left who has cards must challenge, and the
/// turn to challenge goes on from there; the last to be asked is the one to its right.
#[test]
fn an_empty_roller_of_doubles_forces_the_next() {
    let mut game = Script::new(&rules(4, 2), "2C 3C AH KH 4D 5D 6D 7D");
    // Seats 0 and 1 are rid of their cards; seat 3 keeps the king and the seven, seat 2 the ace and the six.
    game.play("12 4D pass pass pass 12 pass pass pass 2C pass pass pass");
    assert_eq!(game.scores(), [6, 0, 0, 0]);
    game.play("12 pass pass 3C pass pass 12 pass 5D pass pass");
    assert_eq!((game.scores(), game.0.board.roller), (vec![6, 6, 0, 0], 0));
    assert_eq!(game.play("11").due(), player(2, "6D AH", 2));
    assert_eq!(game.play("6D").due(), player(3, "pass 7D KH", 2));
    assert_eq!(game.play("7D").due(), player(2, "pass AH", 2));
    assert_eq!(game.play("pass").due().0, Turn::Chance);
    // Seat 1 rolls without cards: it is not asked for a challenge, and chooses like any other.
    assert_eq!(game.play("12").due(), player(2, "pass AH", 3));
    assert_eq!(game.play("pass pass").due(), player(1, "pocket roll", 3));
}

/// Who has no legal challenge passes without being asked: the king settles it at once.
#[test]
fn those_who_cannot_challenge_are_not_asked() {
    let mut game = Script::new(&rules(3, 1), "KC 5D QH 2C");
    assert_eq!(game.play("46 KC").due().0, Turn::Chance);
    assert_eq!(game.scores(), [10, 0, 0]);
    // An empty-handed player is passed over, also as the roller.
    game.play("12 pass pass pocket 12 pass pass pocket");
    assert_eq!(game.play("15").due(), player(1, "pass 5D", 6));
}

/// The game ends with the turn in which the last dealt card was played, whatever was dealt or is left in the
/// deck; no further roll.
#[test]
fn cards_out() {
    let mut game = Script::new(&rules(2, 1), "9C 5D AS");
    game.play("34 9C");
    assert_eq!((game.0.turn(), game.0.board.held), (Turn::Chance, 1));
    assert_eq!(game.play("56 5D").due().0, Turn::Over);
    assert_eq!((game.scores(), game.0.end()), (vec![7, 11], "cards_out"));
    assert_eq!((game.0.won(0), game.0.won(1)), (false, true));
    let mut game = Script::new(&rules(2, 1), "9C TD AS");
    assert_eq!(game.play("34 9C TD").due().0, Turn::Over);
    assert_eq!(game.scores(), [0, 7]);
}

/// When one more roll than the limit is due the game ends as it stands; unless its last card was played.
#[test]
fn the_limit_of_rolls() {
    let limit = |max_rolls, words| {
        let mut game = Script::new(&Rules { max_rolls, ..rules(2, 1) }, "9C 5D AS");
        game.play(words);
        assert_eq!(game.0.turn(), Turn::Over, "{words}");
        (game.scores(), game.0.end())
    };
    // Another roll of the same turn: the stakes are lost.
    assert_eq!(limit(1, "34 pass pass roll"), (vec![0, 0], "roll_limit"));
    assert_eq!(limit(1, "34 pass pass pocket"), (vec![7, 0], "roll_limit"));
    assert_eq!(limit(2, "34 pass pass pocket 35 pass 9C"), (vec![15, 0], "roll_limit"));
    assert_eq!(limit(2, "34 9C 35 5D"), (vec![7, 8], "cards_out"));
    let mut level = Script::new(&Rules { max_rolls: 1, ..rules(2, 1) }, "9C 5D AS");
    level.play("34 pass pass roll");
    assert_eq!((level.0.utility(0), level.0.utility(1)), (0.5, 0.5));
}

/// A match: scores add up, cards are always dealt from seat 0 on, the first roller moves one seat left, the
/// limit of rolls counts anew, and the game that reaches the target is played to its end.
#[test]
fn matches() {
    let rules = Rules { max_rolls: 2, target: 12, ..rules(2, 1) };
    let deck = "9C 5D AS";
    let mut game = Script::new(&rules, deck);
    game.play("34 pass pass roll 12 pass 5D pass");
    assert_eq!((game.0.turn(), game.0.end()), (Turn::Shuffle, "roll_limit"));
    assert_eq!((game.scores(), game.0.score(1)), (vec![0, 10], 10));
    let mut again = game.0.clone();
    let record = |text: &str| ChanceRecord::reshuffle(cards(text));
    for wrong in ["9C 5D", "9C 5D 9C", "9C 5D AH", "9C 5D AS AH"] {
        let error = again.read_chance(&record(wrong)).unwrap_err();
        assert_eq!(error, "expected a reshuffle of all 3 cards");
    }
    assert!(again.read_chance(&ChanceRecord::Roll(vec![1, 2])).is_err());
    again.play_chance(again.read_chance(&record("AS 9C 5D")).unwrap());
    game.0 = again;
    assert_eq!(game.0.board.roller, 1);
    assert_eq!(game.play("12").due(), player(1, "pass 9C", 3));
    assert!(game.0.read_chance(&record("AS 9C 5D")).is_err());
    // Seat 1 reaches the target in the middle of the game, which goes on to its last card.
    assert_eq!(game.play("pass pass pocket").due().0, Turn::Chance);
    assert_eq!(game.play("66 AS").due().0, Turn::Over);
    assert_eq!((game.scores(), game.0.end()), (vec![12, 13], "roll_limit"));
    assert!(game.0.won(1) && !game.0.won(0));
    // The whole deck comes in a new order each time; a shorter match needs no second one.
    let mut short = Script::new(&Rules { target: 7, ..rules }, deck);
    assert_eq!(short.play("34 9C 35 5D").due().0, Turn::Over);
}

/// The winners are all seats of the best team, or of the best teams.
#[test]
fn teams() {
    let winners = |teams: &[i64], words: &str| {
        let rules = Rules { max_rolls: 3, teams: teams.iter().copied().collect(), ..rules(3, 1) };
        let mut game = Script::new(&rules, "2C 3D 4H");
        game.play(words);
        assert_eq!(game.0.turn(), Turn::Over);
        let shares: f64 = (0..3).map(|seat| game.0.utility(seat)).sum();
        assert!((shares - 1.0).abs() < 1e-12);
        (0..3).filter(|&seat| game.0.won(seat)).collect::<Vec<_>>()
    };
    // Scores 4, 5 and 9.
    let words = "13 pass pass pass pocket 14 pass pass pass pocket 36 pass pass pass pocket";
    assert_eq!(winners(&[], words), [2]);
    assert_eq!(winners(&[7, -2, 7], words), [0, 2]);
    assert_eq!(winners(&[1, 1, 0], words), [0, 1, 2]);
    assert_eq!(winners(&[5, 5, 5], words), [0, 1, 2]);
}

/// Additional spaces in a move are no other move; the referee tells how it should be written. Other words, more or fewer, are none.
#[test]
fn moves_are_read_with_any_spaces() {
    for (text, expected) in [
        ("pass ", Some("pass")),
        (" pocket", Some("pocket")),
        ("\troll", Some("roll")),
        ("challenge  9H", Some("challenge 9H")),
        ("challenge 9H ", Some("challenge 9H")),
        ("pass pass", None),
        ("roll 9H", None),
        ("challenge", None),
        ("challenge 9H 2C", None),
        ("challenge9H", None),
        (" ", None),
    ] {
        let read = Move::parse(text).map(|m| m.to_string());
        assert_eq!(read.as_deref(), expected, "{text:?}");
    }
}

/// The options as they stand on the command line and in transcripts, and the refusals.
#[test]
fn options_are_read_and_refused() {
    let read = |text: &str| {
        let given = options::fields("rules of doubles", text.split(';').filter(|t| !t.is_empty())).unwrap();
        options::read::<Rules>("rules of doubles", &given).map_err(|error| error.to_string())
    };
    assert_eq!(read(""), Ok(Rules::default()));
    for text in ["[0,1,0,1]", "0,1,0,1", "[0, 1, 0, 1]", " 0 ,1,0,1"] {
        let rules = read(&format!("players=4;teams={text}")).unwrap();
        assert_eq!(rules.teams, Teams::from_iter([0, 1, 0, 1]));
        assert_eq!(serde_json::to_value(&rules).unwrap()["teams"].to_string(), "[0,1,0,1]");
    }
    assert_eq!(read("teams=[]").unwrap().teams, Teams::default());
    // Digits are a number, however they are written, and all else is a word.
    for (text, recorded) in [
        ("red,blue", r#"["red","blue"]"#),
        (r#"["red","blue"]"#, r#"["red","blue"]"#),
        ("[02,b-2]", r#"[2,"b-2"]"#),
        ("Grün,हिन्दी", r#"["Grün","हिन्दी"]"#),
        ("a.b,Gru\u{308}n", "[\"a.b\",\"Gru\u{308}n\"]"),
    ] {
        let rules = read(&format!("teams={text}")).unwrap();
        assert_eq!(serde_json::to_value(&rules).unwrap()["teams"].to_string(), recorded);
    }
    let data = |teams: &str| serde_json::from_str::<Teams>(teams).map_err(|error| error.to_string());
    assert_eq!(data(r#"[7,"x7"]"#).unwrap().to_string(), "[7,x7]");
    for refused in [r#"["7"]"#, "[1.5]", r#"["a b"]"#, r#"[""]"#, "[[1]]", "[18446744073709551615]"] {
        assert_eq!(
            data(refused).unwrap_err(),
            "expected for each player a whole number or a word, such as [0,1,0,1]",
            "{refused}"
        );
    }
    for (text, reason) in [
        ("players=8", "players=8 is refused: expected a whole number from 2 to 7"),
        ("players=1", "players=1 is refused: expected a whole number from 2 to 7"),
        ("cards=8", "cards=8 is refused: expected a whole number from 1 to 7"),
        ("max_rolls=0", "max_rolls=0 is refused: expected a whole number from 1 to 100000000"),
        ("target=-1", "target=-1 is refused: expected a whole number from 0 to 1000000000"),
        (
            "teams=0,1,0",
            "teams=[0,1,0] is refused: it lists 3, and there are 2 players: list 2, one for each, or []",
        ),
        (
            "teams=red,a blue",
            "teams=red,a blue is refused: expected for each player a whole number or a word, such as [0,1,0,1]",
        ),
        ("teams=[0,1", "expected for each player a whole number or a word"),
        ("teams=0,99999999999999999999", "expected for each player a whole number or a word"),
        ("teams=-,_", "expected for each player a whole number or a word"),
        ("teams=0,,1", "expected for each player a whole number or a word"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let short = Doubles::from_deck(&rules(2, 2), &cards("2C 3C 4C")).unwrap_err();
    assert_eq!(short, DeckError::Short { cards: 3, needed: 4 });
}
