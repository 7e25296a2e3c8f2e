//! The candidates of a node: which steps are looked at there, and in which world.

use super::TreeSearch;
use super::tree::UNKNOWN;
use crate::game::{Seat, played};
use crate::kit::Tools;

impl<G: Tools> TreeSearch<G> {
    /// Makes the children of a node from the steps that the valuer has listed, with priors where it has valued them.
    pub(super) fn expand(&mut self, at: u32, world: &G, seat: Seat, valued: bool) {
        self.keep(valued);
        for i in 0..self.kept.len() {
            let i = self.kept[i] as usize;
            let prior = if valued { (self.valuer.priors[i], self.options.prior_visits) } else { UNKNOWN };
            self.tree.add_step(at, self.valuer.steps.get(i), seat, prior);
            if valued && at == 0 {
                self.widen_range(seat, prior.0);
            }
        }
        self.tree.nodes[at as usize].expanded = true;
        if let Some(key) = self.key(at, world, seat) {
            self.known.insert(key, self.tree.children(at).collect());
        }
    }

    /// Keeps all listed steps, or the best of those that were valued, in their order.
    fn keep(&mut self, valued: bool) {
        let (count, width) = (self.valuer.steps.len() as u32, self.options.width as usize);
        self.kept.clear();
        self.kept.extend(0..count);
        if valued && width > 0 && width < count as usize {
            let priors = &self.valuer.priors;
            let better =
                |a: &u32, b: &u32| priors[*b as usize].total_cmp(&priors[*a as usize]).then(a.cmp(b));
            self.kept.select_nth_unstable_by(width, better);
            self.kept.truncate(width);
            self.kept.sort_unstable();
        }
    }

    /// Under this key a node keeps its candidates, where they are chosen by values and worlds differ: these values depend on no
    /// more than what the player knows there, unless what follows a step tells hidden cards.
    fn key(&self, at: u32, world: &G, seat: Seat) -> Option<(u32, G::View)> {
        let kept = self.options.width > 0 && world.seats() > 1 && G::PUBLIC_HISTORY;
        kept.then(|| (at, world.view(seat)))
    }

    /// Collects the children that are possible in this world, and makes missing ones. All worlds of a search
    /// look the same to the player at its root.
    pub(super) fn match_steps(&mut self, at: u32, world: &G, seat: Seat) {
        if at == 0 && !self.root_candidates.is_empty() {
            self.candidates.clone_from(&self.root_candidates);
            return;
        }
        let key = self.key(at, world, seat);
        if let Some(known) = key.as_ref().and_then(|key| self.known.get(key)) {
            self.candidates.clone_from(known);
            return;
        }
        self.candidates.clear();
        let mut valued = self.options.width > 0;
        if self.valuer.single() && !valued {
            world.moves(&mut self.moves);
            for i in 0..self.moves.len() {
                self.candidate(at, world, &[self.moves[i]], seat, None);
            }
        } else {
            if !valued {
                self.valuer.list(world);
                // An answer is valued before those of others, which one world would settle: by the whole list, as everywhere.
                valued = world.seats() > 1 && self.valuer.evaluates() && !self.has_all(at, seat);
            }
            if valued {
                self.valuer.best(world, seat);
            }
            self.keep(valued);
            let steps = std::mem::take(&mut self.valuer.steps);
            for i in 0..self.kept.len() {
                let i = self.kept[i] as usize;
                let prior = valued.then(|| self.valuer.priors[i]);
                self.candidate(at, world, steps.get(i), seat, prior);
            }
            self.valuer.steps = steps;
        }
        if let Some(key) = key {
            self.known.insert(key, self.candidates.clone());
        }
        if at == 0 {
            self.root_candidates.clone_from(&self.candidates);
        }
    }

    /// Whether a node has a child for every listed step.
    fn has_all(&self, at: u32, seat: Seat) -> bool {
        self.valuer.steps.iter().all(|step| self.tree.child(at, seat, step).is_some())
    }

    fn candidate(&mut self, at: u32, world: &G, step: &[G::Move], seat: Seat, prior: Option<f64>) {
        let child = self.tree.child(at, seat, step).unwrap_or_else(|| {
            let valued = prior.or_else(|| {
                let after = self.valuer.evaluates().then(|| played(world, step))?;
                Some(self.valuer.afterstate(&after, seat))
            });
            let prior = valued.map_or(UNKNOWN, |value| (value, self.options.prior_visits));
            self.tree.add_step(at, step, seat, prior)
        });
        self.candidates.push(child);
    }
}
