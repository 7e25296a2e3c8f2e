//! The tally, counted once more.

use super::*;
use crate::Tally as _;

/// The counts of the tally add up to what the games came to, whatever the rules: every point was pocketed or
/// won by a challenge, every roll has its roller, and the games of matches are counted one by one.
#[test]
fn the_tally_adds_up() {
    let teams = Teams::from_iter([1, 2, 1]);
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
            tally.finish(&position, |seat| position.won(seat));
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
    tally.finish(&position, |seat| position.won(seat));
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
