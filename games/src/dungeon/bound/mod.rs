//! An upper bound on the win rate of fair play, by an information relaxation with a penalty (Brown, Smith and Sun 2010).
//!
//! The relaxed player knows the deck, wins 1 for clearing the dungeon, and is *charged* for the luck that it saw coming: whenever a room
//! is filled, W(room) − U(before). Both say how likely somebody wins who from there on knows the order of the unseen cards, which is
//! uniformly random: W when the room has been filled, U just before. W is as high as U on average, so a fair player is charged nothing
//! on average. The most that the relaxed player can keep is therefore, on average over deals, at least what fair play wins.
//!
//! **Samples.** U and W are means over [`ORDERS`] random orders of the unseen cards, each solved exactly. There is one list of orders for
//! each number of unseen cards. All positions with so many unseen cards share it. The lists belong to the deal and are drawn apart from
//! its deck: a fair player knows nothing of them, and is still charged nothing on average.
//!
//! **The end.** Once [`UNTIL`] cards or fewer are unseen the game is over for the relaxed player, who is paid U: no fair player wins more
//! on average.
//!
//! **Ways that are left out.** The relaxed player only plays whole turns that [`search`](super::clairvoyant::search) does not find
//! dominated, and dies only where nothing else is left. There is a best fair player who does the same, and the bound holds for that one.
//!
//! **The search** is best first. With the charges so far taken from 0, C, no more than C + U can be kept from before a room: after it is
//! filled C + U becomes C' + W, and on the same orders W is at least the U of every way on, for it is the mean of the best of them.
//! So the first end that comes up is the best one. All of these are whole numbers of orders. Until an order has been looked at, it counts
//! as won. Each that is lost may put another point first, and most points are left before all of their orders are solved.

use super::board::Phase;
use super::clairvoyant::search::{Node, OutOfBudget, Search, WIN, Way};
use super::clairvoyant::{self, DungeonDeals};
use super::deck::CARDS;
use super::position::Dungeon;
use super::rules::Rules;
use crate::CardGame as _;
use crate::cards::Card;
use arrayvec::ArrayVec;
use knave_agents::{Bounding, DealBound, DealBounder, DealSolver as _, Rng};
use rand::seq::SliceRandom as _;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The orders in a list, at most 64: 16 give a bound one point higher, and 256 none that is lower.
const ORDERS: usize = 64;

/// The game ends for the relaxed player when so many cards are unseen. Later charges hardly lower the bound.
const UNTIL: usize = 6;

/// Entries of the transposition table of each order: 384 KiB. A quarter of them takes half as long again, and more save little.
const ENTRIES: usize = 1 << 14;

/// The nodes for each order that is solved.
const BUDGET: u64 = 1_000_000;

/// How often a point comes up in a deal. After that the most that may still be kept is the bound.
const POINTS: usize = 20_000;

/// How fair play is bounded.
pub(super) fn bounding() -> Bounding<Dungeon> {
    Bounding {
        quantity: "wins",
        method: "what is won by someone who knows the deck and pays for lucky rooms, by 64 random orders of the unseen cards",
        check: clairvoyant::check,
        value: |end| f64::from(u8::from(end.won(0))),
        bounder: || {
            Box::new(ChargedDeals {
                charged: Charged::new(ORDERS, UNTIL),
                exact: DungeonDeals::new(DungeonDeals::win),
            })
        },
    }
}

/// Bounder of deals.
struct ChargedDeals {
    charged: Charged,
    exact: DungeonDeals,
}

impl DealBounder<Dungeon> for ChargedDeals {
    fn bound(&mut self, rules: &Rules, deal: &Dungeon, rng: &mut Rng) -> DealBound {
        // What cannot be decided counts as won: nobody wins more.
        let clairvoyant = self.exact.solve(rules, deal, clairvoyant::BUDGET).bound.is_some();
        DealBound {
            bound: self.charged.value(rules, &deal.deck(), rng),
            clairvoyant: f64::from(u8::from(clairvoyant)),
        }
    }
}

/// The relaxed player.
pub(super) struct Charged {
    /// Knows the deck.
    deck: Search,
    /// The number of cards in it.
    cards: usize,
    /// Each knows one order of the unseen cards.
    orders: Vec<Search>,
    /// For each number of unseen cards the list of orders: the places of the cards, which are sorted.
    lists: Vec<Vec<ArrayVec<u8, CARDS>>>,
    /// For each number of unseen cards the orders, as bits, that were lost anywhere: they are looked at first.
    lost: Vec<u64>,
    /// When the game ends.
    until: usize,
    /// What is still to be looked at.
    next: BinaryHeap<Next>,
    points: Vec<Point>,
}

/// What comes up first: no more can be kept from any other point. Of equals the one that is known best comes first, then the one with
/// the fewest unseen cards, then the latest.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Next {
    /// No more can be kept, in orders.
    most: i64,
    stage: Stage,
    unseen: Reverse<usize>,
    /// The place among the points.
    point: usize,
}

/// How much is known of a point.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Some orders have not been looked at.
    Chosen,
    /// All have: U is known.
    Valued,
    /// The game is over: `most` is what has been kept.
    Over,
}

/// A point before a room is filled.
#[derive(Clone)]
struct Point {
    node: Node,
    /// The cards that were avoided, in order.
    avoided: ArrayVec<u8, 64>,
    /// What has been charged so far, as a negative number.
    charges: i64,
    /// The orders, as bits, that are won from here, or may be.
    winnable: u64,
    /// Those of them that have not been looked at.
    unknown: u64,
}

impl Point {
    /// No more can be kept from here.
    fn most(&self) -> i64 {
        self.charges + i64::from(self.winnable.count_ones())
    }
}

impl Charged {
    /// With lists of so many orders, and a game that ends when so many cards are unseen.
    pub fn new(orders: usize, until: usize) -> Self {
        Self {
            deck: Search::default(),
            cards: 0,
            orders: (0..orders).map(|_| Search::with_entries(ENTRIES)).collect(),
            lists: Vec::new(),
            lost: Vec::new(),
            until,
            next: BinaryHeap::new(),
            points: Vec::new(),
        }
    }

    /// The most that can be kept in this deck, from 0 to 1; 1 where the budget does not suffice.
    pub fn value(&mut self, rules: &Rules, deck: &[Card], rng: &mut Rng) -> f64 {
        let deal = Dungeon::from_deck(rules, deck).expect("a deck that has been dealt");
        self.cards = deck.len();
        for search in std::iter::once(&mut self.deck).chain(&mut self.orders) {
            search.ask(WIN);
        }
        let orders = self.orders.len();
        let order = |unseen: usize, rng: &mut Rng| {
            let mut order: ArrayVec<u8, CARDS> = (0..unseen as u8).collect();
            order.shuffle(rng);
            order
        };
        self.lists =
            (0..=deck.len()).map(|unseen| (0..orders).map(|_| order(unseen, rng)).collect()).collect();
        self.lost = vec![0; self.lists.len()];
        let node = self.deck.before(&deal);
        self.best(Point { node, avoided: ArrayVec::new(), charges: 0, winnable: 0, unknown: 0 })
            .map_or(1.0, |kept| kept as f64 / orders as f64)
    }

    /// The orders of so many unseen cards in the last deal.
    #[cfg(test)]
    pub fn orders(&self, unseen: usize) -> &[ArrayVec<u8, CARDS>] {
        &self.lists[unseen]
    }

    /// All orders, as bits.
    fn all(&self) -> u64 {
        u64::MAX >> (64 - self.orders.len())
    }

    /// The number of cards that nobody has seen.
    fn unseen(&self, node: &Node) -> usize {
        self.cards.saturating_sub(usize::from(node.head))
    }

    /// The most that can be kept from the first room on, which is not charged.
    fn best(&mut self, mut start: Point) -> Result<i64, OutOfBudget> {
        self.next.clear();
        self.points.clear();
        self.enter(&mut start)?;
        self.go_on(&start);
        for _ in 0..POINTS {
            let Some(Next { most, stage, point, .. }) = self.next.pop() else { break };
            let mut point = self.points[point].clone();
            match stage {
                Stage::Over => return Ok(most),
                Stage::Chosen => {
                    while point.unknown != 0 && point.most() == most {
                        self.look(&mut point)?;
                    }
                    let stage = match point.unknown {
                        0 if self.unseen(&point.node) <= self.until => Stage::Over,
                        0 => Stage::Valued,
                        _ => Stage::Chosen,
                    };
                    self.push(stage, point);
                }
                Stage::Valued => {
                    for (place, four) in point.avoided.chunks_exact(4).enumerate() {
                        self.deck.write((self.cards + 4 * place) as u8, [four[0], four[1], four[2], four[3]]);
                    }
                    self.enter(&mut point)?;
                    point.charges = most - i64::from(point.winnable.count_ones());
                    self.go_on(&point);
                }
            }
        }
        Ok(self.next.peek().map_or(0, |next| next.most))
    }

    /// Fills the room, and looks at all orders of the cards that are then unseen.
    fn enter(&mut self, point: &mut Point) -> Result<(), OutOfBudget> {
        self.deck.fill(&mut point.node);
        point.winnable = self.all();
        point.unknown = point.winnable;
        while point.unknown != 0 {
            self.look(point)?;
        }
        Ok(())
    }

    /// Keeps all ways on from a room.
    fn go_on(&mut self, room: &Point) {
        let ways = if room.winnable == 0 { Default::default() } else { self.deck.ways(&room.node) };
        for (_, way) in ways.iter().rev() {
            // From no way on is an order won that is lost in the room.
            let mut next = Point { unknown: room.winnable, ..room.clone() };
            next.node = self.deck.unfilled(&room.node, way);
            if let Way::Avoid = way {
                next.avoided.extend(room.node.board.room);
            }
            if next.node.board.phase == Phase::Cleared {
                next.winnable = self.all();
                self.push(Stage::Over, next);
            } else {
                self.push(Stage::Chosen, next);
            }
        }
        if ways.is_empty() {
            self.push(Stage::Over, Point { winnable: 0, ..room.clone() });
        }
    }

    fn push(&mut self, stage: Stage, point: Point) {
        let unseen = Reverse(self.unseen(&point.node));
        self.next.push(Next { most: point.most(), stage, unseen, point: self.points.len() });
        self.points.push(point);
    }

    /// Looks at one more order of the unseen cards: does somebody win from here who knows it?
    fn look(&mut self, point: &mut Point) -> Result<(), OutOfBudget> {
        let (head, unseen) = (usize::from(point.node.head), self.unseen(&point.node));
        let likely = point.unknown & self.lost[unseen];
        let k = (if likely == 0 { point.unknown } else { likely }).trailing_zeros() as usize;
        let mut cards: ArrayVec<u8, CARDS> = self.deck.pile(head..head + unseen).iter().copied().collect();
        cards.sort_unstable();
        // Of the avoided cards some have come back.
        let under = &point.avoided[head.saturating_sub(self.cards)..];
        let (search, order) = (&mut self.orders[k], &self.lists[unseen][k]);
        search.lay(head, order.iter().map(|&place| cards[usize::from(place)]).chain(under.iter().copied()));
        (search.nodes, search.budget) = (0, BUDGET);
        let mut node = point.node;
        search.fill(&mut node);
        let order = 1 << k;
        point.unknown &= !order;
        if !search.reaches(&node)? {
            point.winnable &= !order;
            self.lost[unseen] |= order;
        }
        Ok(())
    }
}
