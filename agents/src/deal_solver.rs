//! Whole-deal solvers: exact answers for someone who knows every card.
//!
//! A game lists its [`Objective`]s in its [`Kit`](crate::Kit), each with a [`DealSolver`]. The answers are no
//! player's results: they bound what any player could reach with a deal.

use crate::game::{Game, Turn};
use crate::options::OptionError;
use crate::rng::Rng;

/// An objective: a question about a deal that has an exact answer.
pub struct Objective<G: Game> {
    /// Its name on the command line.
    pub name: &'static str,
    /// The question, in one line.
    pub question: &'static str,
    /// The order of answers.
    pub sense: Sense,
    /// The option of the rules that is sought, such as the smallest health that wins. Its value in the rules is
    /// ignored.
    pub unknown: Option<&'static str>,
    /// The default budget of nodes for each deal.
    pub budget: u64,
    /// A check that the question makes sense under these rules.
    ///
    /// Its error names the option that stands against it, and why.
    pub check: fn(&G::Rules) -> Result<(), OptionError>,
    /// Whether the solver takes any position of a game, and not fresh deals alone.
    pub anywhere: bool,
    /// Makes a solver, for one worker.
    pub solver: fn() -> Box<dyn DealSolver<G>>,
}

/// The order of answers to an objective.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sense {
    /// Yes, as the value 1, or unsolvable.
    Whether,
    /// Maximise: a deal that reaches a value reaches all lower ones.
    Most,
    /// Minimise: a deal that reaches a value reaches all higher ones.
    Least,
}

impl Sense {
    /// Whether the value `a` is at least as good as `b`.
    #[must_use]
    pub fn at_least(self, a: i64, b: i64) -> bool {
        if self == Sense::Least { a <= b } else { a >= b }
    }
}

/// Bounds on the best value of a deal. Values are whole numbers, which tables and screens show as they are: a game whose scores
/// count parts of a point says so in the objective's question.
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

/// A line: a game to its end whose random events all follow from the deck.
#[derive(Clone)]
pub struct Line<G: Game> {
    /// The rules, with the unknown option at the value reached.
    pub rules: G::Rules,
    /// The moves.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Line<G> {
    /// Replays the line from its deal, dealt under the rules of the line. `None` where a move is illegal,
    /// missing or left over.
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

/// The verdict on a deal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// This is the best value.
    Solved(i64),
    /// No line reaches any value.
    Unsolvable,
    /// The budget ran out first.
    Undecided,
}

/// The verdict that follows from the two bounds of an [`Answer`].
#[must_use]
pub fn verdict(reached: Option<i64>, bound: Option<i64>) -> Verdict {
    match (reached, bound) {
        (_, None) => Verdict::Unsolvable,
        (Some(reached), Some(bound)) if reached == bound => Verdict::Solved(reached),
        _ => Verdict::Undecided,
    }
}

/// A solver of whole deals, with proof.
pub trait DealSolver<G: Game>: Send {
    /// The answer for a freshly dealt position, its deck included, within `budget` nodes; for any position where the objective
    /// says so ([`Objective::anywhere`]).
    ///
    /// It depends on the arguments alone, not on earlier deals.
    fn solve(&mut self, rules: &G::Rules, deal: &G, budget: u64) -> Answer<G>;
}
