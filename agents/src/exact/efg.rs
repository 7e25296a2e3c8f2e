//! Trees as text in Gambit's format for extensive-form games (`.efg`), which OpenSpiel reads as well.
//!
//! <https://gambitproject.readthedocs.io/en/latest/formats.html>

use super::tree::{InformationSet, Node, Tree};
use crate::game::Game;
use std::fmt::Display;
use std::io::{self, Write};

/// Writes a tree.
///
/// # Errors
/// When writing fails.
pub fn write<G: Game>(tree: &Tree<G>, title: &dyn Display, out: &mut impl Write) -> io::Result<()> {
    let seats: Vec<_> = (0..tree.seats()).map(|seat| format!("\"seat {seat}\"")).collect();
    let title = title.to_string().replace('"', "\\\"");
    writeln!(out, "EFG 2 R \"{title}\" {{ {} }}\n\"\"\n", seats.join(" "))?;
    // Each seat counts its information sets from 1.
    let mut counts = vec![0; tree.seats()];
    let count = |set: &InformationSet<G>| {
        counts[set.seat] += 1;
        counts[set.seat]
    };
    let numbers = tree.sets().iter().map(count).collect();
    let mut writer = Writer { tree, out, numbers, events: 0, ends: 0 };
    writer.node(0)
}

struct Writer<'t, G: Game, W> {
    tree: &'t Tree<G>,
    out: &'t mut W,
    /// The numbers of the information sets.
    numbers: Vec<u32>,
    /// The random events so far.
    events: u32,
    /// The ends so far.
    ends: u32,
}

impl<G: Game, W: Write> Writer<'_, G, W> {
    /// A node, and all that follows.
    fn node(&mut self, node: u32) -> io::Result<()> {
        let tree = self.tree;
        match tree.node(node) {
            Node::End(first) => {
                self.ends += 1;
                let results: Vec<_> = tree.results(first).iter().map(ToString::to_string).collect();
                writeln!(self.out, "t \"\" {} \"\" {{ {} }}", self.ends, results.join(", "))
            }
            Node::Chance(first, count) => {
                self.events += 1;
                write!(self.out, "c \"\" {} \"\" {{", self.events)?;
                let probabilities: Vec<f64> = tree.outcomes(first, count).map(|outcome| outcome.1).collect();
                for (number, probability) in printed(&probabilities).into_iter().enumerate() {
                    write!(self.out, " \"{number}\" {probability}")?;
                }
                writeln!(self.out, " }} 0")?;
                tree.outcomes(first, count).try_for_each(|(next, _)| self.node(next))
            }
            Node::Decision(set, first) => {
                let decides = &tree.sets()[set as usize];
                write!(self.out, "p \"\" {} {} \"\" {{", decides.seat + 1, self.numbers[set as usize])?;
                for m in &decides.moves {
                    write!(self.out, " \"{m}\"")?;
                }
                writeln!(self.out, " }} 0")?;
                (0..decides.moves.len()).try_for_each(|number| self.node(tree.after(first, number)))
            }
        }
    }
}

/// Probabilities as numbers that sum to exactly 1, as rounded sixths do not: Gambit reads no others. They are fractions of one
/// denominator if there is a small one, otherwise decimals.
fn printed(probabilities: &[f64]) -> Vec<String> {
    /// OpenSpiel reads no larger ones.
    const LARGEST: f64 = 2_147_483_647.0;
    /// Rounding leaves probabilities nearer than that to their fractions.
    const ERROR: f64 = 1e-12;
    /// The parts of 1 that the last digit of a decimal counts.
    const DECIMAL: u64 = 10_u64.pow(17);
    let least = probabilities.iter().copied().filter(|&p| p > 0.0).fold(1.0, f64::min);
    for parts in 1..=1000 {
        let whole = (f64::from(parts) / least).round();
        let part = |p: &f64| (p * whole).round();
        let fits = |p: &f64| (p * whole - part(p)).abs() <= ERROR * whole * p;
        if whole > LARGEST {
            break;
        }
        if probabilities.iter().all(fits) && probabilities.iter().map(part).sum::<f64>() == whole {
            return probabilities.iter().map(|p| format!("{}/{whole}", part(p))).collect();
        }
    }
    let mut parts: Vec<u64> = probabilities.iter().map(|p| (p * DECIMAL as f64).round() as u64).collect();
    let sum: u64 = parts.iter().sum();
    // The largest takes what rounding leaves over.
    if let Some(largest) = parts.iter_mut().max() {
        *largest = *largest + DECIMAL - sum;
    }
    parts.iter().map(|part| format!("{}.{:017}", part / DECIMAL, part % DECIMAL)).collect()
}
