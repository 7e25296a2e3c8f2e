//! `dungeon`: Scoundrel by Zach Gage and Kurt Bieg (2011), for one player.
//!
//! 44 cards: 26 monsters, 9 weapons, 9 potions. Rooms of four; three cards of a room are faced and the
//! fourth stays. What follows from the order of the deck is modelled as chance: the room fills by a
//! [`Chance::Fill`] whose outcome the deck has settled, so that a search can value what a turn leaves
//! behind before the next cards are known.

mod best;
mod board;
mod deals;
pub mod heuristic;
mod kit;
mod learned;
mod moves;
mod pile;
mod relaxed;
mod room;
mod rules;
mod search;
pub mod solver;
mod tally;
mod turn;

#[cfg(test)]
mod bound_tests;
#[cfg(test)]
mod exact_tests;
#[cfg(test)]
mod tests;

pub use board::{Board, Kind, NO_LIMIT, Phase, kind};
pub use moves::{Move, Sort};
pub use pile::PileView;
pub use rules::{AvoidOrder, Rules, Unfaced, WeaponLimit};
pub use tally::DungeonTally;

use crate::cards::{Card, CardSet, NTH, Suit};
use crate::games::{CardGame, DeckError, check_deck};
use knave_agents::rng::below;
use knave_agents::{
    ChanceRecord, EnumerableChance, Game, Kit, Notation, NotationError, Rng, Seat, StepList, Tools, Turn,
};
use pile::Pile;
use rand::Rng as _;
use std::hint::select_unpredictable;

/// A position of the dungeon.
#[derive(Clone, Debug)]
pub struct Dungeon {
    board: Board,
    pile: Pile,
}

/// All that the player knows: everything face up, the cards that nobody has seen, and the avoided ones.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Everything face up.
    pub board: Board,
    /// What is known of the pile.
    pub pile: PileView,
}

/// A random event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// The cards that fill the room, in the order drawn, as [`Card::id`]; 0 after the last.
    Fill([u8; 4]),
    /// The order of the four avoided cards, top first, as [`Card::id`].
    Order([u8; 4]),
}

impl Dungeon {
    /// Everything face up.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The number of cards in the pile.
    #[must_use]
    pub fn pile_len(&self) -> usize {
        self.pile.len()
    }

    /// The cards that nobody has seen.
    #[must_use]
    pub fn unseen(&self) -> CardSet {
        self.pile.unseen()
    }

    /// The cards in the pile, seen or not.
    #[must_use]
    pub fn pile_cards(&self) -> CardSet {
        self.pile.cards()
    }

    fn start(rules: &Rules, pile: Pile, monsters: u16) -> Self {
        let board = Board {
            rules: *rules,
            phase: Phase::Fill,
            health: rules.health,
            weapon: 0,
            limit: 0,
            room: [0; 4],
            to_face: 0,
            may_avoid: true,
            drunk: false,
            last: 0,
            unfaced: monsters,
        };
        Self { board, pile }
    }
}

/// The sum of all monsters: twice 2 to 14.
const MONSTERS: u16 = 208;

impl Game for Dungeon {
    type Rules = Rules;
    type Move = Move;
    type Chance = Chance;
    type View = View;

    #[inline]
    fn deal(rules: &Rules, rng: &mut Rng) -> Self {
        let state = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        Self::start(rules, Pile::shuffled(Rng::new(state)), MONSTERS)
    }

    fn seats(&self) -> usize {
        1
    }

    fn turn(&self) -> Turn {
        match self.board.phase {
            Phase::Play => Turn::Player(0),
            Phase::Fill => Turn::Chance,
            Phase::Order => Turn::Shuffle,
            Phase::Died | Phase::Cleared => Turn::Over,
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.clear();
        self.board.moves(out);
        out.sort_unstable();
    }

    fn is_legal(&self, m: Move) -> bool {
        let board = &self.board;
        let mut legal = board.phase == Phase::Play && m == Move::AVOID && board.may_avoid;
        if board.phase == Phase::Play {
            board.for_each_facing(|other| legal |= other == m);
        }
        legal
    }

    #[inline]
    fn play(&mut self, m: Move) {
        if m == Move::AVOID {
            let room = self.board.avoid();
            self.pile.put_under(room);
        } else {
            self.board.face(m, self.pile.len() == 0);
        }
    }

    #[inline]
    fn roll(&mut self, rng: &mut Rng) -> Chance {
        if self.board.phase == Phase::Order {
            let mut cards = self.pile.bottom();
            pile::shuffle_all(&mut cards, rng);
            let outcome = Chance::Order(cards);
            self.play_chance(outcome);
            return outcome;
        }
        let missing = self.board.missing(self.pile.len());
        let cards = self.pile.draw(missing);
        self.board.fill(cards);
        Chance::Fill(cards)
    }

    fn play_chance(&mut self, outcome: Chance) {
        match outcome {
            Chance::Fill(cards) => {
                let missing = self.board.missing(self.pile.len());
                self.pile.force(&cards[..missing], self.board.rules.avoid_order);
                self.pile.draw(missing);
                self.board.fill(cards);
            }
            Chance::Order(cards) => {
                self.pile.reorder_bottom(cards);
                self.board.phase = Phase::Fill;
            }
        }
    }

    fn utility(&self, _: Seat) -> f64 {
        self.board.utility()
    }

    fn view(&self, _: Seat) -> View {
        View { board: self.board, pile: self.pile.view(self.board.rules.avoid_order) }
    }

    fn sample_world(view: &View, rng: &mut Rng) -> Self {
        Self { board: view.board, pile: Pile::sample(&view.pile, &view.board.rules, rng) }
    }

    fn random_move(&self, _: &mut Vec<Move>, rng: &mut Rng) -> Move {
        let board = &self.board;
        let ways = board.ways();
        let count = ways.count_ones();
        let pick = below(rng, count + u32::from(board.may_avoid));
        // Shifts in place of loads: every load would wait for the one before.
        let way = NTH[usize::from(ways)][pick as usize & 7];
        let facing =
            Move::from_parts((u32::from_le_bytes(board.room) >> (8 * (way & 3))) as u8 & 63, way >> 2);
        select_unpredictable(pick == count, Move::AVOID, facing)
    }
}

impl EnumerableChance for Dungeon {
    type Key = View;

    fn outcome_count(&self) -> u64 {
        let missing = self.board.missing(self.pile.len());
        self.pile.candidates(missing, self.board.rules.avoid_order).map(|n| n as u64).product()
    }

    fn outcomes(&self, out: &mut Vec<(Chance, f64)>) {
        out.clear();
        let missing = self.board.missing(self.pile.len());
        let order = self.board.rules.avoid_order;
        let mut prefixes = vec![[0; 4]];
        for drawn in 0..missing {
            prefixes = prefixes
                .iter()
                .flat_map(|prefix| {
                    self.pile.possible(&prefix[..drawn], order).map(move |id| {
                        let mut longer = *prefix;
                        longer[drawn] = id;
                        longer
                    })
                })
                .collect();
        }
        let probability = 1.0 / prefixes.len() as f64;
        out.extend(prefixes.into_iter().map(|cards| (Chance::Fill(cards), probability)));
    }

    fn key(&self) -> View {
        self.view(0)
    }
}

impl Notation for Dungeon {
    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let m = Move::parse(text).ok_or_else(|| NotationError::Syntax {
            text: text.to_owned(),
            expected: "'avoid', 'take 7D', 'drink 5H', 'fight QS bare' or 'fight QS weapon'",
        })?;
        if self.is_legal(m) { Ok(m) } else { Err(NotationError::illegal(text, self)) }
    }

    fn chance_record(outcome: &Chance) -> Option<ChanceRecord> {
        match outcome {
            Chance::Fill(_) => None,
            Chance::Order(cards) => Some(ChanceRecord::reshuffle(cards.map(Card::from_id))),
        }
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<Chance, String> {
        let mut avoided = self.pile.bottom();
        let expected = || {
            let cards = self.pile.bottom().map(|id| Card::from_id(id).to_string());
            format!("a reshuffle of the avoided cards {}", cards.join(" "))
        };
        let cards = record.cards().unwrap_or_default();
        let order = cards.into_iter().map(Card::id).collect::<Vec<_>>();
        let order: [u8; 4] = order.try_into().map_err(|_| expected())?;
        let mut sorted = order;
        sorted.sort_unstable();
        avoided.sort_unstable();
        if sorted == avoided { Ok(Chance::Order(order)) } else { Err(expected()) }
    }

    fn chance_is_recorded(&self) -> bool {
        self.board.phase == Phase::Order
    }
}

impl Tools for Dungeon {
    const COARSE: bool = true;

    fn steps(&self, out: &mut StepList<Move>) {
        turn::steps(&self.board, self.pile.len() == 0, out);
    }

    fn kit(_: &Rules) -> Kit<Self> {
        kit::kit()
    }
}

const DECK: [Card; 44] = {
    let mut deck = [Card::new(Suit::Clubs, 2); 44];
    let mut n = 0;
    let mut s = 0;
    while s < 4 {
        let suit = Suit::ALL[s];
        let top = if matches!(suit, Suit::Clubs | Suit::Spades) { 14 } else { 10 };
        let mut rank = 2;
        while rank <= top {
            deck[n] = Card::new(suit, rank);
            n += 1;
            rank += 1;
        }
        s += 1;
    }
    deck
};

impl CardGame for Dungeon {
    const NAME: &'static str = "dungeon";
    const SUMMARY: &'static str =
        "Scoundrel (Gage and Bieg 2011): one player clears a dungeon of 44 cards with 20 health";
    const RULES_VERSION: u32 = 2;

    type Tally = DungeonTally;

    fn full_deck() -> Vec<Card> {
        DECK.to_vec()
    }

    fn from_deck(rules: &Rules, deck: &[Card]) -> Result<Self, DeckError> {
        check_deck(&DECK, deck)?;
        if deck.is_empty() {
            return Err(DeckError::Short { cards: 0, needed: 1 });
        }
        let monsters = deck.iter().filter(|&&card| kind(card) == Kind::Monster);
        let sum = monsters.map(|card| u16::from(card.rank())).sum();
        Ok(Self::start(rules, Pile::ordered(deck), sum))
    }

    fn deck(&self) -> Vec<Card> {
        self.pile.order()
    }

    fn cards(&self) -> Vec<Card> {
        self.board.room().chain(self.pile.order()).collect()
    }

    fn score(&self, _: Seat) -> i64 {
        self.board.score()
    }

    fn won(&self, _: Seat) -> bool {
        self.board.phase == Phase::Cleared
    }

    fn end(&self) -> &'static str {
        if self.board.phase == Phase::Cleared { "cleared" } else { "died" }
    }
}
