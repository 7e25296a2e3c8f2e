//! A second engine for the tests, and what it says of the first.
//!
//! It is written straight from the rules and as slowly as they read: lists of cards, every order of every selection, moves as
//! text.

use super::*;

#[derive(Clone, Debug)]
pub struct Reference {
    rules: Rules,
    pile: Vec<Card>,
    hand: Vec<Card>,
    /// The columns as they were laid out, top first.
    columns: Vec<Vec<Card>>,
    /// What lies in place of a claimed column.
    claimed: Vec<Option<Vec<Card>>>,
    pub stage: Stage,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    Draw,
    Redeal,
    Claim,
    End,
    Over(&'static str),
}

fn letter(place: usize) -> char {
    "abcdefghijk".chars().nth(place).unwrap()
}

fn points(card: Card) -> i64 {
    match card.to_string().chars().next().unwrap() {
        'A' => 1,
        'T' | 'J' | 'Q' | 'K' => 10,
        digit => i64::from(digit.to_digit(10).unwrap()),
    }
}

/// Every order of `size` of the cards.
fn arrangements(cards: &[Card], size: usize) -> Vec<Vec<Card>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in arrangements(cards, size - 1) {
        for &card in cards.iter().filter(|card| !shorter.contains(card)) {
            let mut longer = shorter.clone();
            longer.push(card);
            all.push(longer);
        }
    }
    all
}

impl Reference {
    pub fn new(rules: Rules, deck: &[Card]) -> Self {
        let mut pile = deck.to_vec();
        let columns: Vec<Vec<Card>> = (0..rules.columns).map(|_| pile.drain(..4).collect()).collect();
        let claimed = vec![None; columns.len()];
        let mut reference = Self { rules, pile, hand: Vec::new(), columns, claimed, stage: Stage::Draw };
        reference.first();
        reference
    }

    fn pairs(&self, a: Card, b: Card) -> bool {
        let wild = self.rules.aces_wild && (a.rank() == 14 || b.rank() == 14);
        let rank = self.rules.matching == Match::SuitOrRank && a.rank() == b.rank();
        a.suit() == b.suit() || rank || wild
    }

    fn claim_texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for (place, column) in self.columns.iter().enumerate() {
            if self.claimed[place].is_some() {
                continue;
            }
            let upwards: Vec<Card> = column.iter().rev().copied().collect();
            for height in 1..=4.min(self.hand.len()) {
                // The smallest of the texts that take the same cards.
                let mut moves: BTreeMap<Vec<Card>, String> = BTreeMap::new();
                for order in arrangements(&self.hand, height) {
                    if upwards.iter().zip(&order).all(|(&a, &b)| self.pairs(a, b)) {
                        let cards: Vec<String> = order.iter().map(ToString::to_string).collect();
                        let text = format!("claim {} {}", letter(place), cards.join(" "));
                        let mut set = order;
                        set.sort();
                        let entry = moves.entry(set).or_insert_with(|| text.clone());
                        *entry = text.min(entry.clone());
                    }
                }
                texts.extend(moves.into_values());
            }
        }
        texts
    }

    pub fn moves(&self) -> Vec<String> {
        let texts = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        match self.stage {
            Stage::Draw => texts(&["draw", "stay"]),
            Stage::Redeal => {
                let mut moves = vec!["keep".to_owned()];
                for (place, claimed) in self.claimed.iter().enumerate() {
                    if claimed.is_some() {
                        moves.push(format!("redeal {}", letter(place)));
                    }
                }
                moves
            }
            Stage::Claim => {
                let mut moves = self.claim_texts();
                moves.push("pass".to_owned());
                moves
            }
            Stage::End => texts(&["end", "on"]),
            Stage::Over(_) => Vec::new(),
        }
    }

    /// Step 1 of a turn.
    fn first(&mut self) {
        self.stage = if self.pile.is_empty() { Stage::Over("pile_empty") } else { Stage::Draw };
    }

    /// Step 2.
    fn second(&mut self) {
        if self.claimed.iter().any(Option::is_some) {
            self.stage = Stage::Redeal;
        } else {
            self.third();
        }
    }

    /// Step 3.
    fn third(&mut self) {
        self.stage = if self.claim_texts().is_empty() { Stage::Over("no_claim") } else { Stage::Claim };
    }

    pub fn play(&mut self, text: &str) {
        let words: Vec<&str> = text.split(' ').collect();
        let place = || (0..11).find(|&place| words[1] == letter(place).to_string()).unwrap();
        match words[0] {
            "draw" => {
                while self.hand.len() < usize::from(self.rules.hand) && !self.pile.is_empty() {
                    self.hand.push(self.pile.remove(0));
                }
                self.second();
            }
            "stay" => self.second(),
            "keep" => self.third(),
            "redeal" => {
                let place = place();
                self.claimed[place] = None;
                self.columns[place].clear();
                self.hand.clear();
                for dealt in 0..4 + usize::from(self.rules.hand) {
                    if self.pile.is_empty() {
                        self.stage = Stage::Over("pile_empty");
                        return;
                    }
                    let card = self.pile.remove(0);
                    if dealt < 4 { self.columns[place].push(card) } else { self.hand.push(card) }
                }
                self.third();
            }
            "claim" => {
                let place = place();
                let mut cards: Vec<Card> = words[2..].iter().map(|word| word.parse().unwrap()).collect();
                self.hand.retain(|card| !cards.contains(card));
                cards.extend(self.columns[place].iter().rev().take(words.len() - 2));
                self.claimed[place] = Some(cards);
                self.stage = Stage::End;
            }
            "pass" => self.stage = Stage::Over("no_claim"),
            "end" => self.stage = Stage::Over("stopped"),
            "on" => self.first(),
            _ => panic!("{text}"),
        }
    }

    pub fn score(&self) -> i64 {
        self.claimed.iter().flatten().flatten().map(|&card| points(card)).sum()
    }
}

/// Asserts that position and reference offer the same moves and ended the same way; the moves in byte order.
fn same(position: &Verslun, reference: &Reference) -> Vec<String> {
    let (mut moves, mut texts) = (legal(position), reference.moves());
    moves.sort();
    texts.sort();
    assert_eq!(moves, texts, "{position:?}");
    if let Stage::Over(end) = reference.stage {
        assert_eq!((position.end(), position.score(0)), (end, reference.score()), "{position:?}");
    }
    moves
}

/// The number of ways to play the game to its end, the reference beside it at every move.
fn lines(position: &Verslun, reference: &Reference) -> u64 {
    let moves = same(position, reference);
    let below = moves.iter().map(|text| {
        let (mut next, mut other) = (position.clone(), reference.clone());
        go(&mut next, text);
        other.play(text);
        lines(&next, &other)
    });
    below.sum::<u64>().max(1)
}

fn both(rules: Rules, deck: &[Card]) -> (Verslun, Reference) {
    (Verslun::from_deck(&rules, deck).unwrap(), Reference::new(rules, deck))
}

/// The same legal moves, by their texts, the same ends and the same scores as the reference, under every
/// option: every line of small decks, and lines of full decks that go on for as long as they can.
#[test]
fn the_reference_plays_the_same_game() {
    let mut rng = Rng::new(3);
    let mut total = 0;
    for rules in many_rules() {
        let mut deck = Verslun::full_deck();
        deck.shuffle(&mut rng);
        if rules.columns <= 2 && rules.hand <= 5 {
            for extra in [0, 3, 6, 9, 12] {
                deck.shuffle(&mut rng);
                let (position, reference) = both(rules, &deck[..rules.laid_out() + extra]);
                total += lines(&position, &reference);
            }
        }
        for _ in 0..20 {
            deck.shuffle(&mut rng);
            let (mut position, mut reference) = both(rules, &deck);
            loop {
                let mut moves = same(&position, &reference);
                moves.retain(|text| moves_on(text));
                let Some(text) = moves.get(rng.random_range(0..moves.len().max(1))) else {
                    break;
                };
                go(&mut position, text);
                reference.play(text);
            }
        }
    }
    assert!(total > 1_000, "{total} lines: the small decks must branch");
}

/// The number of lines of one small deck, so that a change of both engines shows too.
#[test]
fn perft() {
    let deck = cards("2C 7H KD 5S  3C AH 4D JS  TC 9H 6D QS  8C 5D 2H AS KC 4H 7D 9S");
    let count = |columns, aces_wild, matching| {
        let rules = Rules { columns, aces_wild, matching, hand: 4, ..Rules::default() };
        let (position, reference) = both(rules, &deck);
        lines(&position, &reference)
    };
    assert_eq!(count(1, false, Match::Suit), 150);
    assert_eq!(count(2, false, Match::Suit), 226);
    assert_eq!(count(2, true, Match::Suit), 370);
    assert_eq!(count(2, false, Match::SuitOrRank), 279);
    assert_eq!(count(2, true, Match::SuitOrRank), 444);
}
