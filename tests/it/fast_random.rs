//! The fast paths for random play: the same games and counts as one move after another.

use knave::agents::rng::{Role, Streams, stream};
use knave::agents::testkit::random_game;
use knave::agents::{Event, options};
use knave::games::{BuiltIn, CardGame, GameList as _, Tally as _, Visitor, read_rules};
use rand::seq::SliceRandom as _;

/// Rules that the fast path of a game serves. They differ in what it has to do.
fn rules(game: &str) -> &'static [&'static str] {
    match game {
        "dungeon" => &["", "health=1", "health=40 unfaced=pile", "weapon_limit=below"],
        "verslun" => &["", "columns=11 hand=8", "columns=1 hand=20", "match=suit_or_rank aces_wild=true"],
        "columns" => &["", "finish=exact", "max_rounds=1"],
        "doubles" => &["", "cards=1", "cards=3 max_rolls=1", "teams=[0,0] max_rolls=5"],
        "whist" => &["", "ace=1 count=hilo"],
        _ => &[],
    }
}

/// Plays batches of all sizes both ways, from decks of so many cards. `case` names the game and the rules.
fn plays_the_same<G: CardGame>(case: &str, rules: &G::Rules, cards: usize, batches: u64) {
    let fast = G::fast_random(rules).unwrap_or_else(|| panic!("{case}: no fast path"));
    let [mut quick, mut slow] = [(); 2].map(|()| G::Tally::new(rules));
    for number in 0..batches {
        let size = 1 + number % fast.batch as u64;
        let streams: Vec<Streams> = (0..size).map(|game| Streams::new(61 + number, game)).collect();
        let starts: Vec<G> = streams
            .iter()
            .map(|streams| {
                let mut rng = streams.role(Role::Deal);
                let mut deck = G::full_deck();
                if cards == deck.len() {
                    return G::deal(rules, &mut rng);
                }
                deck.shuffle(&mut rng);
                G::from_deck(rules, &deck[..cards]).unwrap()
            })
            .collect();
        let seats = starts[0].seats();
        let (mut ends, mut moves) = (starts.clone(), vec![0; starts.len() * seats]);
        (fast.play)(&mut ends, &streams, &mut quick, &mut moves);
        for (i, start) in starts.into_iter().enumerate() {
            quick.finish(&ends[i], |seat| ends[i].won(seat));
            let watch = |position: &G, event: &Event<G>| slow.event(position, event);
            let (end, slow_moves) = random_game(start, streams[i], watch);
            slow.finish(&end, |seat| end.won(seat));
            let result = |game: &G| {
                let seats = (0..seats).map(|seat| (game.score(seat), game.won(seat), game.utility(seat)));
                (game.turn(), game.end(), seats.collect::<Vec<_>>())
            };
            assert_eq!(result(&ends[i]), result(&end), "{case}, {cards} cards");
            assert_eq!(moves[i * seats..][..seats], slow_moves, "{case}, {cards} cards");
        }
    }
    assert_eq!(quick.counts(), slow.counts(), "{case}, {cards} cards");
}

#[derive(Clone)]
struct FastPaths;

impl Visitor for FastPaths {
    type Output = ();

    fn visit<G: CardGame>(self) {
        let has_one = G::fast_random(&G::Rules::default()).is_some();
        assert_eq!(has_one, !rules(G::NAME).is_empty(), "{}: rules to try its fast path by", G::NAME);
        for text in rules(G::NAME) {
            let fields = options::fields("rules", text.split(' ').filter(|text| !text.is_empty())).unwrap();
            let rules = read_rules::<G>(&fields).unwrap();
            let mut deck = G::full_deck();
            deck.shuffle(&mut stream(61, 0, Role::Deal));
            // Whole decks, and the two shortest that can be dealt.
            let short = (1..deck.len()).filter(|&cards| G::from_deck(&rules, &deck[..cards]).is_ok()).take(2);
            for cards in short.chain([deck.len()]) {
                plays_the_same::<G>(&format!("{} {text}", G::NAME), &rules, cards, 150);
            }
        }
    }
}

/// Games that nobody watches must be the games that transcripts of the same seed show: batches of every size that the
/// fast path takes have the ends, moves and counts of the same games move by move. `tests/it/games.rs` holds it for whole
/// runs under more rules.
#[test]
fn fast_paths_play_the_same_games() {
    BuiltIn::each(FastPaths);
}
