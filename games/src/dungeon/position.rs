//! The position, board and pile, and the game that is played with it.

use super::board::{Board, Phase, nth_way, reach, ways};
use super::deck::MONSTERS;
use super::moves::Move;
use super::pile::{Pile, shuffle_all};
use super::rules::Rules;
use super::view::View;
use crate::cards::CardSet;
use knave_agents::rng::{below, split};
use knave_agents::{EnumerableChance, Game, Rng, Seat, Turn};
use rand::SeedableRng as _;
use std::hint::select_unpredictable;

/// A position of the dungeon.
#[derive(Clone, Debug)]
pub struct Dungeon {
    pub(super) board: Board,
    pub(super) pile: Pile,
}

/// A random event.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// The cards that fill the room, in the order drawn, as `Card::id`; 0 after the last.
    Fill([u8; 4]),
    /// The order of the four avoided cards, top first, as `Card::id`.
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

    /// A fresh game with this pile. `monsters` is the sum of the ranks of all monsters in it.
    pub(super) fn start(rules: &Rules, pile: Pile, monsters: u16) -> Self {
        Self { board: Board::new(rules, monsters), pile }
    }
}

impl Game for Dungeon {
    type Rules = Rules;
    type Move = Move;
    type Chance = Chance;
    type View = View;

    #[inline]
    fn deal(rules: &Rules, rng: &mut Rng) -> Self {
        Self::start(rules, Pile::shuffled(split(rng)), MONSTERS)
    }

    fn seats(&self) -> usize {
        1
    }

    #[inline]
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

    // Most outcomes follow from the deck: inlined, nothing is copied.
    #[inline(always)]
    fn roll(&mut self, rng: &mut Rng) -> Chance {
        if self.board.phase == Phase::Order {
            let mut cards = self.pile.bottom();
            shuffle_all(&mut cards, rng);
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

    /// The next draws of a series go through one shuffled pile from the top, before it is shuffled anew.
    fn nth_world(view: &View, seed: u64, n: u64) -> Self {
        let unseen = view.pile.unseen.len();
        let drawn = if view.board.room == [0; 4] { 4 } else { 3 }.min(unseen).max(1);
        let draws = (unseen / drawn).max(1) as u64;
        let mut world = Self::sample_world(view, &mut Rng::seed_from_u64(seed.wrapping_add(n / draws)));
        world.pile.rotate_unseen((n % draws) as usize * drawn);
        world
    }

    #[inline]
    fn random_move(&self, _: &mut Vec<Move>, rng: &mut Rng) -> Move {
        let board = &self.board;
        let room = u32::from_le_bytes(board.room);
        let ways = ways(room, reach(board.reach()));
        let count = ways.count_ones();
        let pick = below(rng, count + u32::from(board.may_avoid));
        let (facing, _) = nth_way(room, ways, pick);
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
