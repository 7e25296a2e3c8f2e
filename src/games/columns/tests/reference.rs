//! Reference engine: the rules once more, slowly and straight from the ruling, and the engine against it.
//!
//! It has vectors of cards, moves as text, and slots matched by trying. The two share only the notation of a card.

use super::*;

pub struct Pile {
    pub cards: Vec<Card>,
    pub direction: i8,
    pub finished: bool,
}

/// A whole game as the ruling describes it.
pub struct Reference {
    pub exact: bool,
    pub max_rounds: u32,
    pub hands: [Vec<Card>; 2],
    pub columns: [Vec<Pile>; 2],
    pub stock: Vec<Card>,
    pub stolen: Vec<Card>,
    pub roller: usize,
    pub round: u32,
    pub dice: [u8; 4],
    pub rolled: Vec<u8>,
    /// Who plays, once the dice are placed.
    pub mover: Option<usize>,
    played: [u8; 4],
    stole: [bool; 4],
    pub over: Option<&'static str>,
    /// Cards to be drawn, by seat, the first one next.
    wanted: Vec<usize>,
    round_done: bool,
    reshuffle: bool,
}

const RANKS: &str = "A23456789TJQK";

/// 0 for an ace to 12 for a king.
fn rank(card: Card) -> i8 {
    RANKS.find(card.to_string().chars().next().unwrap()).unwrap() as i8
}

impl Reference {
    pub fn new(exact: bool, max_rounds: u32, deck: &[Card]) -> Self {
        let mut deck = deck.to_vec();
        let mut take = |n: usize| deck.drain(..n).collect::<Vec<_>>();
        let hands = [take(7), take(7)];
        let mut columns = || {
            let pile = |card| Pile { cards: vec![card], direction: 0, finished: false };
            take(4).into_iter().map(pile).collect::<Vec<_>>()
        };
        let columns = [columns(), columns()];
        Self {
            exact,
            max_rounds,
            hands,
            columns,
            stock: deck,
            stolen: Vec::new(),
            roller: 0,
            round: 1,
            dice: [0; 4],
            rolled: Vec::new(),
            mover: None,
            played: [0; 4],
            stole: [false; 4],
            over: None,
            wanted: Vec::new(),
            round_done: false,
            reshuffle: false,
        }
    }

    fn open(&self, pair: usize) -> bool {
        !(self.columns[0][pair].finished && self.columns[1][pair].finished)
    }

    pub fn dice_count(&self) -> usize {
        let closed = (0..4).filter(|&pair| !self.open(pair)).count();
        if closed >= 2 { 1 } else { 3 - closed }
    }

    /// Whether the stolen pile has to be shuffled now.
    pub fn wants_reshuffle(&self) -> bool {
        self.reshuffle
    }

    pub fn roll(&mut self, dice: &[u8]) {
        assert_eq!(dice.len(), self.dice_count());
        self.rolled = dice.to_vec();
        self.dice = [0; 4];
    }

    pub fn shuffle(&mut self, order: &[Card]) {
        assert!(self.reshuffle);
        self.stock = order.to_vec();
        self.stolen.clear();
        self.reshuffle = false;
        self.draw();
    }

    /// Draws what is wanted, until the stolen pile must be shuffled.
    fn draw(&mut self) {
        while let Some(&seat) = self.wanted.first() {
            if self.stock.is_empty() {
                if !self.stolen.is_empty() {
                    self.reshuffle = true;
                    return;
                }
                self.wanted.clear();
                break;
            }
            let card = self.stock.remove(0);
            self.hands[seat].push(card);
            self.wanted.remove(0);
        }
        if self.round_done {
            self.round_done = false;
            if self.round == self.max_rounds {
                self.over = Some("round_limit");
            }
            self.round += 1;
            self.roller = 1 - self.roller;
        }
    }

    /// Whether columns of these lengths can be given different slots, tried one by one.
    fn slots(&self, lengths: &[usize], slots: &[usize]) -> bool {
        let Some((&len, rest)) = lengths.split_first() else {
            return true;
        };
        (0..slots.len()).any(|i| {
            let fits = if self.exact { len.min(6) == slots[i] } else { len >= slots[i] };
            let mut others = slots.to_vec();
            others.remove(i);
            fits && self.slots(rest, &others)
        })
    }

    pub fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.over.is_some() || self.reshuffle {
            return moves;
        }
        let Some(mover) = self.mover else {
            if !self.rolled.is_empty() {
                self.placements(&mut moves);
            }
            return moves;
        };
        for pair in 0..4 {
            let letter = ["a", "b", "c", "d"][pair];
            let own = &self.columns[mover][pair];
            let other = &self.columns[1 - mover][pair];
            let die = self.dice[pair];
            for &card in &self.hands[mover] {
                let most = if die == 6 { 1 } else { die };
                if !own.finished && !self.stole[pair] && self.played[pair] < most && fits(own, card, die) {
                    moves.push(format!("play {letter} {card}"));
                }
                let steals = die > 0 && self.played[pair] == 0 && !self.stole[pair] && !other.finished;
                if steals && other.cards.last().is_some_and(|&last| rank(last) == rank(card)) {
                    moves.push(format!("steal {letter} {card}"));
                }
            }
            if !own.finished && own.cards.len() >= 4 {
                let mut lengths: Vec<usize> =
                    self.columns[mover].iter().filter(|c| c.finished).map(|c| c.cards.len()).collect();
                lengths.push(own.cards.len());
                if self.slots(&lengths, &[4, 5, 5, 6]) {
                    moves.push(format!("finish {letter}"));
                }
            }
        }
        moves.push("done".to_owned());
        moves.sort();
        moves
    }

    /// Every die goes to each open pair in turn; the same text twice is one move.
    fn placements(&self, moves: &mut Vec<String>) {
        let n = self.rolled.len();
        for code in 0..4_usize.pow(n as u32) {
            let at: Vec<usize> = (0..n).map(|i| code / 4_usize.pow(i as u32) % 4).collect();
            let different = (0..n).all(|i| self.open(at[i]) && (0..i).all(|j| at[i] != at[j]));
            if different {
                let mut words: Vec<String> =
                    (0..n).map(|i| format!(" {}{}", ["a", "b", "c", "d"][at[i]], self.rolled[i])).collect();
                words.sort();
                moves.push(format!("place{}", words.concat()));
            }
        }
        moves.sort();
        moves.dedup();
    }

    pub fn play(&mut self, text: &str) {
        assert!(self.legal().iter().any(|m| m == text), "{text}");
        let words: Vec<&str> = text.split(' ').collect();
        let pair = |word: &str| "abcd".find(&word[..1]).unwrap();
        if words[0] == "place" {
            for word in &words[1..] {
                self.dice[pair(word)] = word[1..].parse().unwrap();
            }
            self.rolled.clear();
            self.begin(1 - self.roller);
            return;
        }
        let mover = self.mover.unwrap();
        if words[0] == "done" {
            if mover == self.roller {
                self.mover = None;
                self.round_done = true;
                self.want_all();
                self.draw();
            } else {
                self.begin(self.roller);
            }
            return;
        }
        let at = pair(words[1]);
        if words[0] == "finish" {
            self.columns[mover][at].finished = true;
            if self.columns[mover].iter().all(|column| column.finished) {
                self.over = Some("finished");
            }
            return;
        }
        let card: Card = words[2].parse().unwrap();
        self.hands[mover].retain(|&other| other != card);
        if words[0] == "play" {
            let (die, column) = (self.dice[at], &mut self.columns[mover][at]);
            match column.cards.last().map(|&last| (rank(card) - rank(last) + 13) % 13) {
                Some(1) if die < 6 => column.direction = 1,
                Some(12) if die < 6 => column.direction = -1,
                Some(0) if die < 6 => {}
                _ => column.direction = 0,
            }
            column.cards.push(card);
            self.played[at] += 1;
        } else {
            let column = &mut self.columns[1 - mover][at];
            self.stolen.append(&mut column.cards);
            column.direction = 0;
            self.stolen.push(card);
            self.stole[at] = true;
        }
        if self.hands[mover].is_empty() {
            self.wanted = vec![mover; 7];
            self.draw();
        }
    }

    fn begin(&mut self, seat: usize) {
        self.mover = Some(seat);
        self.played = [0; 4];
        self.stole = [false; 4];
    }

    /// By turns, the one who did not roll first, up to seven.
    fn want_all(&mut self) {
        let mut count = [self.hands[0].len(), self.hands[1].len()];
        while count != [7, 7] {
            for seat in [1 - self.roller, self.roller] {
                if count[seat] < 7 {
                    count[seat] += 1;
                    self.wanted.push(seat);
                }
            }
        }
    }
}

fn fits(column: &Pile, card: Card, die: u8) -> bool {
    let Some(&last) = column.cards.last() else {
        return true;
    };
    let step = (rank(card) - rank(last) + 13) % 13;
    die == 6 || step == 0 || (step == 1 && column.direction >= 0) || (step == 12 && column.direction <= 0)
}

fn reference_of(rules: &Rules, position: &Columns) -> Reference {
    Reference::new(rules.finish == Finish::Exact, rules.max_rounds, &position.deck())
}

/// What both engines must agree on.
fn agree(position: &Columns, reference: &Reference, at: &str) {
    let mut texts = legal(position);
    texts.sort();
    assert_eq!(texts, reference.legal(), "{at}");
    assert_eq!(position.board.stolen, reference.stolen.iter().copied().collect(), "{at}");
    for seat in 0..2 {
        for (column, other) in position.board.columns[seat].iter().zip(&reference.columns[seat]) {
            assert_eq!(column.cards, other.cards.iter().copied().collect(), "{at}");
            assert_eq!(column.finished, other.finished, "{at}");
        }
    }
    // The engine replenishes together with the roll, the reference before it.
    if matches!(position.turn(), Turn::Player(_)) {
        let hands = [0, 1].map(|seat| reference.hands[seat].iter().copied().collect::<CardSet>());
        assert_eq!(position.hands, hands, "{at}");
        assert_eq!(position.stock.cards().collect::<Vec<_>>(), reference.stock, "{at}");
        assert_eq!(
            (position.board.round, position.board.roller()),
            (reference.round, reference.roller),
            "{at}"
        );
    }
}

/// Lets chance move in both engines.
fn chance(position: &mut Columns, reference: &mut Reference, rng: &mut Rng) {
    assert_eq!(reference.wants_reshuffle(), position.board.due == Due::Reshuffle);
    match position.roll(rng) {
        Chance::Draw => {}
        Chance::Reshuffle(order) => reference.shuffle(&order.cards().collect::<Vec<_>>()),
        Chance::Roll(dice) => reference.roll(&dice.into_iter().filter(|&die| die > 0).collect::<Vec<_>>()),
    }
}

/// Protects the whole engine: random games under every option, on full decks and on short ones that run out of
/// cards all the time, agree move by move with the reference, to the end and its reason.
#[test]
fn random_games_agree_with_the_reference() {
    let (mut ends, mut reshuffles, mut draws) = ([0; 2], 0, 0);
    for (case, finish) in [Finish::AtLeast, Finish::Exact].into_iter().cycle().take(60).enumerate() {
        let rules = Rules { finish, max_rounds: [1000, 25, 300][case % 3] };
        let mut rng = stream(31, case as u64, Role::Deal);
        let full = Columns::deal(&rules, &mut rng).deck();
        let cards = [52, 52, 26, 22 + case % 10][case % 4];
        let mut position = Columns::from_deck(&rules, &full[..cards]).unwrap();
        let mut reference = reference_of(&rules, &position);
        let mut buffer = Vec::new();
        let mut ply = 0;
        while position.turn() != Turn::Over {
            let at = format!("case {case}, ply {ply}");
            if let Turn::Player(_) = position.turn() {
                agree(&position, &reference, &at);
                let mut m = position.random_move(&mut buffer, &mut rng);
                // Who rarely ends a phase runs out of cards now and then.
                if m == Move::Done && rng.random_range(0..4) > 0 {
                    m = position.random_move(&mut buffer, &mut rng);
                }
                position.play(m);
                reference.play(&m.to_string());
                draws += u32::from(position.board.due != Due::Nothing && position.board.phase != Phase::Roll);
            } else {
                chance(&mut position, &mut reference, &mut rng);
            }
            ply += 1;
        }
        agree(&position, &reference, &format!("case {case}, end"));
        assert_eq!(Some(position.end()), reference.over, "case {case}");
        ends[usize::from(position.board.winner().is_none())] += 1;
        reshuffles += position.board.reshuffles;
    }
    assert!(ends[0] > 5 && ends[1] > 5 && reshuffles > 50 && draws > 5, "{ends:?} {reshuffles} {draws}");
}

/// The number of ways to play on for `depth` moves, to the end of the phase.
fn perft(position: &Columns, depth: u32) -> u64 {
    let Turn::Player(_) = position.turn() else {
        return 1;
    };
    let mut moves = Vec::new();
    position.moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|m| {
            let mut next = position.clone();
            next.play(m);
            perft(&next, depth - 1)
        })
        .sum()
}

fn reference_perft(build: &dyn Fn() -> Reference, line: &mut Vec<String>, depth: u32) -> u64 {
    let mut reference = build();
    line.iter().for_each(|m| reference.play(m));
    let moves = reference.legal();
    if moves.is_empty() {
        return 1;
    }
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|m| {
            line.push(m);
            let count = reference_perft(build, line, depth - 1);
            line.pop();
            count
        })
        .sum()
}

/// Perft from fresh deals after one roll, counted by both engines and kept here: the sum over a placement, the phases of both
/// players and whatever fits into the depth.
#[test]
fn perft_agrees_with_the_reference() {
    for (seed, dice, counts) in [
        (1, [5, 5, 6], [12, 141, 839, 3627, 16_033]),
        (2, [2, 3, 6], [24, 288, 1670, 8684, 56_768]),
        (3, [6, 6, 6], [4, 100, 1509, 12_470, 78_704]),
    ] {
        let rules = Rules::default();
        let mut position = Columns::deal(&rules, &mut Rng::new(seed));
        let deck = position.deck();
        position.play_chance(Chance::Roll(dice));
        let build = || {
            let mut reference = Reference::new(false, 1000, &deck);
            reference.roll(&dice);
            reference
        };
        for (depth, expected) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), expected, "seed {seed}, depth {depth}");
            if depth < 5 {
                assert_eq!(
                    reference_perft(&build, &mut Vec::new(), depth),
                    expected,
                    "seed {seed}, depth {depth}"
                );
            }
        }
    }
}
