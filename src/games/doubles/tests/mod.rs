//! The rules by worked examples, the tally and the hand-written player.

mod hidden;
mod reference;

use super::*;
use crate::cards::{Card, CardSet};
use crate::games::{CardGame as _, DeckError, Tally as _};
use crate::shuffle::CARDS;
use knave_agents::options;
use knave_agents::rng::stream;
use knave_agents::{ChanceRecord, Event, Game as _, Notation as _, Rng, Role, Seat, Turn};

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

fn rules(players: u8, cards: u8) -> Rules {
    Rules { players, cards, ..Rules::default() }
}

/// A game that is played by hand.
struct Script(Doubles);

impl Script {
    fn new(rules: &Rules, deck: &str) -> Self {
        Self(Doubles::from_deck(rules, &cards(deck)).unwrap())
    }

    /// Plays words such as `34` (dice), `pass`, `9H` (a challenge), `pocket` and `roll`.
    fn play(&mut self, words: &str) -> &mut Self {
        for word in words.split_whitespace() {
            if let [a @ b'1'..=b'6', b @ b'1'..=b'6'] = *word.as_bytes() {
                assert_eq!(self.0.turn(), Turn::Chance, "{word}");
                self.0.play_chance(Chance::Roll([a - b'0', b - b'0']));
                continue;
            }
            let challenge = format!("challenge {word}");
            let text = if matches!(word, "pass" | "pocket" | "roll") { word } else { &challenge };
            let m = self.0.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
            self.0.try_play(m).unwrap();
        }
        self
    }

    fn legal(&self) -> String {
        let mut moves = Vec::new();
        self.0.moves(&mut moves);
        let words = moves.iter().map(|m| m.to_string().replace("challenge ", ""));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Who is to move, the legal moves, and the stakes.
    fn due(&self) -> (Turn, String, u32) {
        (self.0.turn(), self.legal(), self.0.board.stakes)
    }

    fn scores(&self) -> Vec<i64> {
        (0..self.0.seats()).map(|seat| self.0.score(seat)).collect()
    }
}

fn player(seat: Seat, legal: &str, stakes: u32) -> (Turn, String, u32) {
    (Turn::Player(seat), legal.to_owned(), stakes)
}

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
        let rules = Rules { max_rolls: 3, teams: Teams(teams.to_vec()), ..rules(3, 1) };
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
        assert_eq!(rules.teams, Teams(vec![0, 1, 0, 1]));
        assert_eq!(serde_json::to_value(&rules).unwrap()["teams"].to_string(), "[0,1,0,1]");
    }
    assert_eq!(read("teams=[]").unwrap().teams, Teams::default());
    for (text, reason) in [
        ("players=8", "players=8 is refused: expected a whole number from 2 to 7"),
        ("players=1", "players=1 is refused: expected a whole number from 2 to 7"),
        ("cards=8", "cards=8 is refused: expected a whole number from 1 to 7"),
        ("max_rolls=0", "max_rolls=0 is refused: expected a whole number from 1 to 100000000"),
        ("target=-1", "target=-1 is refused: expected a whole number from 0 to 1000000000"),
        (
            "teams=0,1,0",
            "teams=[0,1,0] is refused: 3 teams are listed for 2 players: list 2, one for each, or []",
        ),
        (
            "teams=red,blue",
            "teams=red,blue is refused: expected whole numbers, one for each player, such as [0,1,0,1]",
        ),
        ("teams=[0,1", "expected whole numbers"),
        ("teams=0,,1", "expected whole numbers"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let short = Doubles::from_deck(&rules(2, 2), &cards("2C 3C 4C")).unwrap_err();
    assert_eq!(short, DeckError::Short { cards: 3, needed: 4 });
}

/// The counts of the tally add up to what the games came to, whatever the rules: every point was pocketed or
/// won by a challenge, every roll has its roller, and the games of matches are counted one by one.
#[test]
fn the_tally_adds_up() {
    let teams = Teams(vec![1, 2, 1]);
    let (mut challenges_seen, mut limited_seen) = (0, 0);
    for rules in [
        Rules::default(),
        Rules { max_rolls: 4, target: 40, teams, ..rules(3, 2) },
        Rules { target: 60, ..rules(7, 1) },
    ] {
        let players = usize::from(rules.players);
        let mut tally = DoublesTally::new(&rules);
        let (mut scores, mut moves, mut rolls) = (vec![0; players], vec![0; players], 0);
        let (mut games, mut limited) = (0, 0);
        for index in 0..200 {
            let mut rng = stream(8, index, Role::Chance);
            let mut position = Doubles::deal(&rules, &mut rng);
            loop {
                let event = match position.turn() {
                    Turn::Over => break,
                    Turn::Player(seat) => {
                        let m = position.random_move(&mut Vec::new(), &mut rng);
                        let event = Event::Move(seat, m);
                        tally.event(&position, &event);
                        position.play(m);
                        moves[seat] += 1;
                        continue;
                    }
                    Turn::Chance => {
                        rolls += 1;
                        Event::Chance(position.roll(&mut rng))
                    }
                    Turn::Shuffle => {
                        games += 1;
                        limited += u64::from(position.end() == "roll_limit");
                        position.roll(&mut rng);
                        Event::Shuffle
                    }
                };
                tally.event(&position, &event);
            }
            games += 1;
            limited += u64::from(position.end() == "roll_limit");
            tally.finish(&position);
            for (seat, score) in scores.iter_mut().enumerate() {
                *score += position.score(seat) as u64;
            }
        }
        let mut twice = tally.clone();
        twice.merge(tally.clone());
        let mut all_rolls = 0;
        for seat in 0..players {
            let rows = tally.rows(seat);
            let count = |measure: &str| -> u64 {
                let rows = rows.iter().filter(|row| row.measure == measure);
                rows.map(|row| row.count).sum()
            };
            assert_eq!(count("points_by_pocket") + count("points_by_challenge"), scores[seat]);
            let challenges = count("challenges") + count("forced_challenges_by_rank");
            let others =
                count("passes_by_stakes") + count("pockets_by_stakes") + count("rolls_again_by_stakes");
            assert_eq!(challenges + others, moves[seat]);
            assert_eq!((count("games"), count("games_cut_off")), (games, limited));
            assert!(count("challenges_won_by_stakes") <= challenges);
            all_rolls += count("rolls");
            challenges_seen += challenges;
            let doubled = rows.iter().map(|row| 2 * row.count);
            assert!(twice.rows(seat).iter().map(|row| row.count).eq(doubled));
        }
        assert_eq!(all_rolls, rolls);
        limited_seen += limited;
    }
    assert!(challenges_seen > 1_000 && limited_seen > 10);
}

/// The rows of a game by hand: who challenged with what at which stakes, who won by it, who pocketed.
#[test]
fn the_tally_of_a_game() {
    let mut position = Script::new(&rules(2, 2), "9C 5D 7H KS").0;
    let mut tally = DoublesTally::new(&rules(2, 2));
    let mut play = |words: &str| {
        for word in words.split(' ') {
            let Turn::Player(seat) = position.turn() else {
                let dice = [word.as_bytes()[0] - b'0', word.as_bytes()[1] - b'0'];
                position.play_chance(Chance::Roll(dice));
                tally.event(&position, &Event::Chance(Chance::Roll(dice)));
                continue;
            };
            let m = Move::parse(word).unwrap_or_else(|| Move::challenge(word.parse().unwrap()));
            tally.event(&position, &Event::Move(seat, m));
            position.try_play(m).unwrap();
        }
    };
    play("12 pass pass roll 56 pass pass pocket 33 5D 9C KS 46 7H");
    tally.finish(&position);
    let rows = |seat| {
        let rows = tally.rows(seat).into_iter().filter(|row| row.count > 0 && row.measure != "games");
        rows.map(|row| format!("{} {} {}", row.measure, row.key, row.count)).collect::<Vec<_>>()
    };
    let expected = [
        "rolls  3",
        "points_by_pocket  14",
        "points_by_challenge  10",
        "pockets_by_stakes 11-14 1",
        "rolls_again_by_stakes 2-4 1",
        "passes_by_stakes 2-4 1",
        "passes_by_stakes 11-14 1",
        "challenges_won_by_stakes 8-10 1",
        "challenges 7 at 8-10 1",
        "challenges 9 at 5-7 1",
    ];
    assert_eq!(rows(0), expected);
    let expected = [
        "rolls  1",
        "doubles  1",
        "points_by_challenge  6",
        "passes_by_stakes 2-4 1",
        "passes_by_stakes 11-14 1",
        "challenges_won_by_stakes 5-7 1",
        "forced_challenges_by_rank 5 1",
        "challenges K at 5-7 1",
    ];
    assert_eq!(rows(1), expected);
}

/// What is known of good play: a lone holder on the own roll never pockets, an empty-handed roller rolls again
/// for low stakes, and nobody rolls again where the limit would take the stakes away.
#[test]
fn the_rule_knows_the_end() {
    let rule = value::rule::Rule::fitted();
    let chosen = |max_rolls, deck: &str, words: &str| {
        let mut game = Script::new(&Rules { max_rolls, ..rules(2, 1) }, deck);
        game.play(words);
        assert_eq!(game.0.board.phase, Phase::Choose);
        rule.best(&game.0).0
    };
    let deck = "AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD";
    // Seat 1 holds the last card on its own roll; then seat 0 does not, on its own.
    for words in ["12 AC 56 pass", "12 AC 56 pass roll 56 pass", "12 AC 12 pass"] {
        assert_eq!(chosen(10_000, deck, words), Move::ROLL, "{words}");
    }
    assert_eq!(chosen(10_000, deck, "12 AC 56 pass pocket 12 pass"), Move::ROLL);
    assert_eq!(chosen(2, deck, "12 AC 56 pass"), Move::POCKET);
}
