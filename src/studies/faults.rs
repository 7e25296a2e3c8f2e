//! What players in processes of their own did wrong, counted.

use crate::games::CardGame;
use crate::numbers::counted;
use crate::play::Charge;
use crate::screen::warning;
use crate::store::{Table, TableForm};
use crate::text::visible;
use knave_agents::Seat;
use knave_agents::batch::FaultKind;
use knave_agents::registry::Prepared;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;

/// A row for each agent, or each seat of a run where several were named, and kind of fault that there was.
pub const FAULTS: TableForm =
    TableForm { file: "faults.csv", columns: &["game", "agent", "seat", "kind", "faults", "forfeits"] };

/// Whether some of these agents may do something wrong, so that the table is written.
pub(crate) fn are_possible<'a, G: CardGame>(mut agents: impl Iterator<Item = &'a Prepared<G>>) -> bool {
    agents.any(|agent| agent.make().may_fail())
}

/// The counts of what each agent did, and of the games that it lost by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<Count>", from = "Vec<Count>")]
pub struct Faults(BTreeMap<(usize, FaultKind), [u64; 2]>);

/// An entry of [`Faults`] as a journal keeps it.
#[derive(Copy, Clone, Debug, Serialize, Deserialize)]
struct Count {
    agent: usize,
    kind: FaultKind,
    faults: u64,
    forfeits: u64,
}

impl From<Faults> for Vec<Count> {
    fn from(faults: Faults) -> Self {
        let count = |((agent, kind), [faults, forfeits]): ((usize, FaultKind), [u64; 2])| Count {
            agent,
            kind,
            faults,
            forfeits,
        };
        faults.0.into_iter().map(count).collect()
    }
}

impl From<Vec<Count>> for Faults {
    fn from(counts: Vec<Count>) -> Self {
        let entry = |count: Count| ((count.agent, count.kind), [count.faults, count.forfeits]);
        Self(counts.into_iter().map(entry).collect())
    }
}

/// What players did wrong, to be read.
pub(super) fn text(lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines.iter().map(|line| format!("  {}\n", visible(line))).collect();
    format!("\n{}\n{lines}", warning("Faults:"))
}

impl Faults {
    /// Whether there was none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds those of a game in their order, charged to agents. In however many seats an agent loses a game, it has lost one, by what it
    /// did first.
    pub(super) fn add_game(&mut self, game: impl IntoIterator<Item = Charge>) {
        let mut losers = Vec::new();
        for Charge { to: agent, kind, forfeits } in game {
            let [faults, lost] = self.0.entry((agent, kind)).or_default();
            *faults += 1;
            if forfeits && !losers.contains(&agent) {
                losers.push(agent);
                *lost += 1;
            }
        }
    }

    /// Adds those of a part.
    pub(super) fn merge(&mut self, part: &Self) {
        for (key, more) in &part.0 {
            let counts = self.0.entry(*key).or_default();
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
    }

    /// Whether no agent is counted but the first so many.
    pub(super) fn are_of(&self, agents: usize) -> bool {
        self.0.keys().all(|(agent, _)| *agent < agents)
    }

    /// What to say of them, in a line each; `named` tells the label of an agent, and the seat where agents are told apart by it.
    pub(super) fn lines<'a>(
        &'a self,
        named: impl Fn(usize) -> (&'a str, Option<Seat>) + 'a,
    ) -> impl Iterator<Item = String> + 'a {
        self.0.iter().map(move |((agent, kind), [faults, forfeits])| {
            let label = match named(*agent) {
                (label, None) => label.to_owned(),
                (label, Some(seat)) => format!("{label} in seat {seat}"),
            };
            if *kind == FaultKind::Unrepeatable {
                return format!("{label} does not give the same answers again: neither will a run with it");
            }
            let lost = match *forfeits {
                0 => String::new(),
                games => format!(", {} lost by it", counted(games as usize, "games")),
            };
            format!("{label}: {kind}, {}{lost}", counted(*faults as usize, "times"))
        })
    }

    /// The table.
    pub(super) fn table<'a>(
        &self,
        game: &str,
        named: impl Fn(usize) -> (&'a str, Option<Seat>),
    ) -> io::Result<Table> {
        let row = |(&(agent, kind), &[faults, forfeits]): (&(usize, FaultKind), &[u64; 2])| {
            let (label, seat) = named(agent);
            (game.to_owned(), label, seat, kind.name(), faults, forfeits)
        };
        Table::of(&FAULTS, self.0.iter().map(row))
    }
}
