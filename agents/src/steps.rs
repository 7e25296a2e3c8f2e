//! Step lists: sequences of moves that a search branches on.

/// A list of steps, in one piece of memory.
#[derive(Clone, Debug)]
pub struct StepList<M> {
    moves: Vec<M>,
    ends: Vec<u32>,
    scratch: Vec<M>,
}

impl<M> Default for StepList<M> {
    fn default() -> Self {
        Self { moves: Vec::new(), ends: Vec::new(), scratch: Vec::new() }
    }
}

impl<M: Copy> StepList<M> {
    /// Removes all steps and keeps the memory.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
    }

    /// Turns every move that `list` puts into an empty buffer into a step of its own.
    pub fn set_moves(&mut self, list: impl FnOnce(&mut Vec<M>)) {
        self.clear();
        let mut moves = std::mem::take(&mut self.scratch);
        list(&mut moves);
        for &m in &moves {
            self.push(&[m]);
        }
        self.scratch = moves;
    }

    /// Appends the step that consists of these moves.
    pub fn push(&mut self, step: &[M]) {
        debug_assert!(!step.is_empty());
        self.moves.extend_from_slice(step);
        self.ends.push(self.moves.len() as u32);
    }

    /// The number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no step.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The moves of step `i`.
    ///
    /// # Panics
    /// If there is no step `i`.
    #[must_use]
    pub fn get(&self, i: usize) -> &[M] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.moves[start..self.ends[i] as usize]
    }

    /// The steps in the order in which they were pushed.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[M]> {
        (0..self.len()).map(|i| self.get(i))
    }
}
