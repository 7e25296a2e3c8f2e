//! Reference engine, straight from the ruling and as unlike the first as can be, and the engine against it.
//!
//! It has lists of cards and a full record of the play, and keeps nothing that can be worked out.

use super::*;

/// A game as its deal and all cards played so far.
#[derive(Clone)]
pub struct Reference {
    rules: Rules,
    dealt: [Vec<Card>; 4],
    trump: Suit,
    record: Vec<Card>,
}

fn scoundrel(card: Card) -> bool {
    ["JC", "JS"].contains(&card.to_string().as_str())
}

impl Reference {
    /// Deals one card at a time.
    pub fn deal(rules: &Rules, deck: &[Card]) -> Self {
        let mut dealt: [Vec<Card>; 4] = Default::default();
        for (i, card) in deck.iter().enumerate() {
            dealt[i % 4].push(*card);
        }
        Self { rules: *rules, dealt, trump: deck[deck.len() - 1].suit(), record: Vec::new() }
    }

    /// A game with these hands, in which these cards have been played.
    pub fn resume(rules: &Rules, dealt: [Vec<Card>; 4], trump: Suit, record: &[Card]) -> Self {
        Self { rules: *rules, dealt, trump, record: record.to_vec() }
    }

    /// Whether every card of the record was held by the player whose turn it was, and legal.
    pub fn is_possible(&self) -> bool {
        (0..self.record.len()).all(|i| {
            let before = Self { record: self.record[..i].to_vec(), ..self.clone() };
            before.legal().contains(&self.record[i])
        })
    }

    fn suit(&self, card: Card) -> Option<Suit> {
        let free = self.rules.scoundrels == Scoundrels::Free && scoundrel(card);
        (!free).then(|| card.suit())
    }

    fn winner(&self, leader: usize, trick: &[Card]) -> usize {
        if let Some(last) = trick.iter().rposition(|&card| scoundrel(card)) {
            return (leader + last) % 4;
        }
        let led = trick.iter().find_map(|&card| self.suit(card));
        let of = |suit| trick.iter().filter(|card| card.suit() == suit).max_by_key(|card| card.rank());
        let best = of(self.trump).or_else(|| of(led.unwrap())).unwrap();
        (leader + trick.iter().position(|card| card == best).unwrap()) % 4
    }

    /// The leader of each trick, the one to come included.
    fn leaders(&self) -> Vec<usize> {
        let mut leaders = vec![0];
        for trick in self.record.chunks_exact(4) {
            leaders.push(self.winner(*leaders.last().unwrap(), trick));
        }
        leaders
    }

    /// Whose turn it is.
    pub fn seat(&self) -> usize {
        (self.leaders().last().unwrap() + self.record.len() % 4) % 4
    }

    pub fn hand(&self, seat: usize) -> Vec<Card> {
        self.dealt[seat].iter().copied().filter(|card| !self.record.contains(card)).collect()
    }

    /// The suits that each seat has shown to be out of.
    pub fn shown_out(&self) -> Vec<(usize, Suit)> {
        let mut out = Vec::new();
        for (leader, trick) in self.leaders().into_iter().zip(self.record.chunks(4)) {
            let led = trick.iter().find_map(|&card| self.suit(card));
            for (i, &card) in trick.iter().enumerate() {
                if self.suit(card).is_some() && self.suit(card) != led {
                    out.extend(led.map(|suit| ((leader + i) % 4, suit)));
                }
            }
        }
        out
    }

    /// The legal cards in order.
    pub fn legal(&self) -> Vec<Card> {
        let hand = self.hand(self.seat());
        let trick = &self.record[self.record.len() / 4 * 4..];
        let led = trick.iter().find_map(|&card| self.suit(card));
        let must_follow = led.is_some() && hand.iter().any(|&card| self.suit(card) == led);
        let mut legal = hand;
        legal.retain(|&card| !must_follow || self.suit(card).is_none() || self.suit(card) == led);
        legal.sort_unstable();
        legal
    }

    pub fn play(&mut self, card: Card) {
        self.record.push(card);
    }

    /// The points of each seat for the tricks played.
    pub fn points(&self) -> [i64; 4] {
        let mut points = [0; 4];
        let tricks = self.record.chunks_exact(4);
        for (winner, trick) in self.leaders()[1..].iter().zip(tricks) {
            for &card in trick.iter().filter(|&&card| !scoundrel(card)) {
                let zeros: &[u8] = if self.rules.count == Count::Ko { &[8, 9] } else { &[7, 8, 9] };
                points[*winner] += match card.rank() {
                    14 => i64::from(self.rules.ace),
                    rank if zeros.contains(&rank) => 0,
                    rank if rank < 8 => 1,
                    _ => -1,
                };
            }
        }
        points
    }
}

/// The engine and its reference agree in every position of 100 random games under each of the twelve rules.
#[test]
fn random_games_agree_with_the_reference() {
    for (r, rules) in all_rules().into_iter().enumerate() {
        for index in 0..100 {
            let mut rng = stream(40 + r as u64, index, Role::Deal);
            let mut position = Whist::deal(&rules, &mut rng);
            let mut reference = Reference::deal(&rules, &position.deck());
            let mut buffer = Vec::new();
            for _ in 0..52 {
                assert_eq!(position.turn(), Turn::Player(reference.seat()));
                position.moves(&mut buffer);
                let moves: Vec<Card> = buffer.iter().map(|m| m.0).collect();
                assert_eq!(moves, reference.legal());
                let m = position.random_move(&mut buffer, &mut rng);
                position.play(m);
                reference.play(m.0);
                for seat in 0..4 {
                    assert_eq!(
                        position.hand(seat).into_iter().collect::<Vec<_>>(),
                        sorted(reference.hand(seat))
                    );
                    assert_eq!(position.score(seat), reference.points()[seat]);
                }
            }
            assert_eq!(position.turn(), Turn::Over);
        }
    }
}

/// Leaves of the game tree and a sum over their scores.
type Perft = (u64, [i64; 4]);

fn perft(position: &Whist) -> Perft {
    if position.turn() == Turn::Over {
        return (1, [0, 1, 2, 3].map(|seat| position.score(seat)));
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    sum(moves.into_iter().map(|m| {
        let mut next = *position;
        next.play(m);
        perft(&next)
    }))
}

fn perft_reference(reference: &Reference) -> Perft {
    let moves = reference.legal();
    if moves.is_empty() {
        return (1, reference.points());
    }
    sum(moves.into_iter().map(|card| {
        let mut next = reference.clone();
        next.play(card);
        perft_reference(&next)
    }))
}

fn sum(parts: impl Iterator<Item = Perft>) -> Perft {
    parts.fold((0, [0; 4]), |(leaves, scores), (more, other)| {
        (leaves + more, [0, 1, 2, 3].map(|seat| scores[seat] + other[seat]))
    })
}

/// The whole game tree of short decks has as many leaves as the reference's, and the same scores in them:
/// three cards each, half of the decks of few suits, both scoundrels always among them.
#[test]
fn perft_agrees_with_the_reference() {
    let mut rng = Rng::new(12);
    let mut leaves = 0;
    for case in 0..24 {
        let rules =
            Rules { scoundrels: [Scoundrels::Printed, Scoundrels::Free][case % 2], ..Rules::default() };
        let mut all = Whist::full_deck();
        all.shuffle(&mut rng);
        let few = case / 2 % 2 == 0;
        all.retain(|&card| !SCOUNDRELS.contains(card));
        if few {
            all.retain(|card| card.suit() != Suit::Hearts);
        }
        let mut deck: Vec<Card> = all[..10].iter().copied().chain(SCOUNDRELS).collect();
        deck.shuffle(&mut rng);
        let found = perft(&Whist::from_deck(&rules, &deck).unwrap());
        assert_eq!(found, perft_reference(&Reference::deal(&rules, &deck)), "{deck:?}");
        leaves += found.0;
    }
    assert!(leaves > 2_000, "{leaves} leaves are too few to tell much");
}

/// The counts themselves, with four cards each: printed and free.
#[test]
fn perft_of_a_fixed_deck() {
    let deck = deck(["2C JC 9H AD", "3C 5H JS 8D", "4C TC 6H 7D", "QC 2H 8S KS"]);
    for (rules, leaves) in [(Rules::default(), 624), (FREE, 6504)] {
        let found = perft(&Whist::from_deck(&rules, &deck).unwrap());
        assert_eq!(found.0, leaves);
        assert_eq!(found, perft_reference(&Reference::deal(&rules, &deck)));
    }
}
