//! Exact answers about whole deals, for someone who knows every card.
//!
//! A game joins by listing its [`Objective`]s in its [`Kit`](crate::Kit), each with a [`DealSolver`]. What
//! they find is no player's result: it bounds what any player could reach with a deal.

use crate::game::{Game, Turn};
use crate::options::OptionError;
use crate::rng::Rng;

/// A question about a deal that has an exact answer.
pub struct Objective<G: Game> {
    /// Its name on the command line.
    pub name: &'static str,
    /// The question, in one line.
    pub question: &'static str,
    /// How answers compare.
    pub sense: Sense,
    /// The option of the rules that the answer is a value of, where it is one: whatever the rules say of it
    /// does not matter.
    pub unknown: Option<&'static str>,
    /// The nodes that may be visited for each deal unless something else is asked for.
    pub budget: u64,
    /// Whether the question makes sense under these rules.
    ///
    /// Its error names the option that stands against it, and why.
    pub check: fn(&G::Rules) -> Result<(), OptionError>,
    /// A solver, for one worker.
    pub solver: fn() -> Box<dyn DealSolver<G>>,
}

/// How the answers to a question compare.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sense {
    /// Yes, as the value 1, or unsolvable.
    Whether,
    /// The most is the best: every deal has values from its own down.
    Most,
    /// The least is the best: every deal has values from its own up.
    Least,
}

impl Sense {
    /// Whether the value `a` is at least as good as `b`.
    #[must_use]
    pub fn at_least(self, a: i64, b: i64) -> bool {
        if self == Sense::Least { a <= b } else { a >= b }
    }
}

/// What is known about the best value of a deal.
#[derive(Clone)]
pub struct Answer<G: Game> {
    /// The best value that a line reaches; none where no line has been found.
    pub reached: Option<i64>,
    /// No line reaches a better value than this; none where no line reaches any.
    pub bound: Option<i64>,
    /// The nodes visited.
    pub nodes: u64,
    /// The line that reaches `reached`.
    pub line: Option<Line<G>>,
}

/// A game to its end, without random events but those that follow from the deck.
#[derive(Clone)]
pub struct Line<G: Game> {
    /// The rules, with the unknown option at the value reached.
    pub rules: G::Rules,
    /// The moves.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Line<G> {
    /// Plays the line from its deal, which was dealt under the rules of the line; `None` where a move is illegal, missing
    /// or left over.
    #[must_use]
    pub fn replay(&self, deal: G) -> Option<G> {
        let (mut position, mut moves) = (deal, self.moves.iter());
        loop {
            match position.turn() {
                Turn::Over => return moves.next().is_none().then_some(position),
                Turn::Player(_) => position.try_play(*moves.next()?).ok()?,
                // It follows from the deck.
                Turn::Chance | Turn::Shuffle => {
                    position.roll(&mut Rng::new(1));
                }
            }
        }
    }
}

/// What an answer comes to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// This is the best value.
    Solved(i64),
    /// No line reaches any value.
    Unsolvable,
    /// The budget ran out first.
    Undecided,
}

/// The verdict on a deal of which this is known: see [`Answer`].
#[must_use]
pub fn verdict(reached: Option<i64>, bound: Option<i64>) -> Verdict {
    match (reached, bound) {
        (_, None) => Verdict::Unsolvable,
        (Some(reached), Some(bound)) if reached == bound => Verdict::Solved(reached),
        _ => Verdict::Undecided,
    }
}

/// Finds the best value of deals, to the proof.
pub trait DealSolver<G: Game>: Send {
    /// What can be found about a freshly dealt position, the order of its deck included, in `budget` nodes.
    ///
    /// The answer depends on nothing but the arguments, above all not on earlier deals.
    fn solve(&mut self, rules: &G::Rules, deal: &G, budget: u64) -> Answer<G>;
}
