//! Small games: fair play solved to the end, with few cards.
//!
//! A short deck makes a game small. [`solve`](SmallGame::solve) finds the best fair play of a solo game and an equilibrium of
//! two seats; [`exploit`](SmallGame::exploit) says how much agents give away there; [`export`](SmallGame::export) writes the
//! extensive form for other programs. The algorithms know no cards: they are in [`knave_agents::exact`].

mod exploit;
mod solve;

pub use exploit::{Exploited, SeatExploited};
pub use solve::Solved;

use crate::games::promises::check_rules;
use crate::games::{self, CardGame, ShortDeck, ShortDeckError};
use crate::json::plain;
use crate::play::{Finished, Measure, Seats};
use crate::studies::RequestError;
use crate::studies::summary::changed_rules;
use knave_agents::exact::tree::Tree;
use knave_agents::exact::{ExactError, Listing, Payoff, Starts};
use knave_agents::options::{self, Fields};
use knave_agents::{AgentSpec, Entry, Seat};
use rayon::ThreadPool;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

/// A small game that is asked about.
#[derive(Clone, Debug)]
pub struct SmallGameRequest {
    /// Options of the rules; the others keep their defaults.
    pub rules: Fields,
    /// The cards.
    pub cards: ShortDeck,
    /// The result that counts: that of [`Measure::of_game`] unless it is named.
    pub measure: Option<Measure>,
    /// The most positions, or nodes of a tree, that may be worked out.
    pub limit: usize,
}

/// What was asked about a small game, as results name it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SmallGameAsked {
    /// The game.
    pub game: String,
    /// Every option of the rules.
    pub rules: Fields,
    /// The cards.
    pub cards: ShortDeck,
    /// The options of the rules that differ from the game's own.
    #[serde(skip)]
    pub changed: Vec<(String, Value)>,
    /// The result that counts.
    #[serde(skip)]
    pub measure: Measure,
}

impl SmallGameAsked {
    /// The changed rules as they are told behind the cards: `, cards=1, max_rolls=2`.
    pub(crate) fn told_rules(&self) -> String {
        self.changed.iter().map(|(name, value)| format!(", {name}={}", plain(value))).collect()
    }
}

/// A small game, whatever its types.
pub trait SmallGame {
    /// What was asked.
    fn asked(&self) -> SmallGameAsked;

    /// Solves it. With two seats the value is found to `gap`, if that many iterations do.
    ///
    /// # Errors
    /// When it is too large, has more than two seats, or is wrongly listed.
    fn solve(&self, gap: f64, iterations: u64) -> Result<Solved, ExactError>;

    /// What these agents, one for each seat or one for all, give away to best responses. Each is asked `samples` times, an even
    /// number, in every information set, with random numbers of this seed.
    ///
    /// # Errors
    /// When the game is too large, the samples have no halves, or an agent is refused or chooses an illegal move.
    fn exploit(
        &self,
        agents: &[AgentSpec],
        samples: u32,
        seed: u64,
        pool: &ThreadPool,
    ) -> Result<Exploited, RequestError>;

    /// Writes its extensive form in Gambit's format.
    ///
    /// # Errors
    /// When the game cannot be written out, with an [`ExactError`] inside and before anything is written; or when writing fails.
    fn export(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// A validated small game.
struct Small<'e, G: CardGame> {
    entries: &'e [Entry<G>],
    rules: G::Rules,
    cards: ShortDeck,
    measure: Measure,
    limit: usize,
    listing: Listing<G>,
    seats: usize,
}

/// Checks a request about a game with these agents. Its deals are not listed before there is something to be worked out: that can
/// take a minute.
///
/// # Errors
/// Names the field and what would be right.
pub fn small<'e, G: CardGame>(
    entries: &'e [Entry<G>],
    request: &SmallGameRequest,
) -> Result<Box<dyn SmallGame + 'e>, RequestError> {
    let rules = games::read_rules::<G>(&request.rules).map_err(|error| RequestError::new("rules", error))?;
    let seats = check_rules::<G>(&rules).map_err(|promise| RequestError::new("rules", promise))?;
    let kit = G::kit(&rules);
    let listing = kit.exact.ok_or_else(|| {
        RequestError::new("game", format!("{} has no exact solver for small decks", G::NAME))
    })?;
    request
        .cards
        .check_starts::<G>(&rules, (listing.dealt)(&rules))
        .map_err(|error| RequestError::new("cards", format!("cards: {error}")))?;
    Ok(Box::new(Small {
        entries,
        cards: request.cards.clone(),
        measure: request.measure.unwrap_or_else(|| Measure::of_game::<G>(&rules)),
        limit: request.limit,
        rules,
        listing,
        seats,
    }))
}

impl<G: CardGame> Small<'_, G> {
    fn payoff(&self) -> Payoff<G> {
        match self.measure {
            Measure::Wins => |end, seat| result(Measure::Wins, end, seat),
            Measure::Score => |end, seat| result(Measure::Score, end, seat),
        }
    }

    /// The positions after all deals, at most as many as these.
    fn starts(&self, most: usize) -> Result<Starts<G>, ExactError> {
        let starts = self.cards.starts(&self.rules, (self.listing.dealt)(&self.rules), most);
        starts.map_err(|error| match error {
            ShortDeckError::Starts(limit) => ExactError::TooLarge { limit, what: "nodes" },
            error => unreachable!("checked: {error}"),
        })
    }

    /// The tree, in which every start is a node.
    fn tree(&self) -> Result<Tree<G>, ExactError> {
        Tree::new(&self.starts(self.limit)?, &self.listing, self.payoff(), self.limit)
    }
}

/// What a finished game brought a seat, in wins or printed points.
fn result<G: CardGame>(measure: Measure, end: &G, seat: Seat) -> f64 {
    measure.results(&Finished::new(end, &[], Seats::default()))[seat] as f64 / measure.unit::<G>()
}

impl<G: CardGame> SmallGame for Small<'_, G> {
    fn asked(&self) -> SmallGameAsked {
        let rules = options::recorded(&self.rules);
        let changed = changed_rules::<G>(|name| rules.get(name));
        let (game, cards, measure) = (G::NAME.to_owned(), self.cards.clone(), self.measure);
        SmallGameAsked { game, rules, cards, changed, measure }
    }

    fn solve(&self, gap: f64, iterations: u64) -> Result<Solved, ExactError> {
        self.solved(gap, iterations)
    }

    fn exploit(
        &self,
        agents: &[AgentSpec],
        samples: u32,
        seed: u64,
        pool: &ThreadPool,
    ) -> Result<Exploited, RequestError> {
        pool.install(|| self.exploited(agents, samples, seed))
    }

    fn export(&self, out: &mut dyn Write) -> io::Result<()> {
        let tree = self.tree().map_err(io::Error::other)?;
        let asked = self.asked();
        let title = format!("{} with {}{}: {}", G::NAME, self.cards, asked.told_rules(), self.measure.name());
        let mut out = io::BufWriter::new(out);
        knave_agents::exact::efg::write(&tree, &title, &mut out)?;
        // Dropped, it would not say what failed.
        out.flush()
    }
}
