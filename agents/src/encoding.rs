//! Encodings: views and moves as fixed arrays of numbers, for players that learn.
//!
//! An observation is a row of numbers in [0, 1], of the same length throughout a game. An action is a number below a bound that is
//! the same throughout a game. A move is spelled by one action or several, so that games with many moves need few actions.

use crate::game::Game;
use arrayvec::ArrayVec;

/// The most actions in the spelling of a move.
pub const LONGEST: usize = 8;

/// The actions that spell a move, one after the other.
pub type Spelling = ArrayVec<u16, LONGEST>;

/// A stretch of an observation or of the numbers of actions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name, which no other part has.
    pub name: &'static str,
    /// The number of positions in an observation, or of actions.
    pub length: usize,
    /// What it holds, in order.
    pub meaning: &'static str,
}

impl Part {
    /// A part.
    #[must_use]
    pub const fn new(name: &'static str, length: usize, meaning: &'static str) -> Self {
        Self { name, length, meaning }
    }
}

/// Writes an observation from a view and the first actions of a move that is being spelled.
pub type Observe<G> = fn(&<G as Game>::View, &[u16], &mut Row<'_>);

/// Spells a legal move of the player who has this view. No spelling is the beginning of another.
pub type Spell<G> = fn(&<G as Game>::View, <G as Game>::Move) -> Spelling;

/// The array encoding of a game. It is made of views alone, so nothing hidden can get into an observation.
pub struct Encoding<G: Game> {
    /// The parts of an observation, in order.
    pub observation: &'static [Part],
    /// The parts of the actions, in order.
    pub actions: &'static [Part],
    /// Writes an observation. The game may be over, and it may be another seat's turn.
    pub observe: Observe<G>,
    /// Spells a move.
    pub spell: Spell<G>,
}

impl<G: Game> Copy for Encoding<G> {}

impl<G: Game> Clone for Encoding<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Encoding<G> {
    /// The length of an observation.
    #[must_use]
    pub fn observation_length(&self) -> usize {
        length(self.observation)
    }

    /// The number of actions.
    #[must_use]
    pub fn action_count(&self) -> usize {
        length(self.actions)
    }

    /// Replaces the contents of `out`, which has the length of an observation.
    ///
    /// # Panics
    /// In builds with debug assertions, when the parts are not as listed.
    pub fn write(&self, view: &G::View, begun: &[u16], out: &mut [f32]) {
        out.fill(0.0);
        let mut row = Row { numbers: out, next: 0, parts: self.observation, end: 0 };
        (self.observe)(view, begun, &mut row);
        debug_assert_eq!((row.next, row.parts.len()), (row.end, 0), "an observation has all of its parts");
    }
}

/// The length of parts together.
#[must_use]
pub const fn length(parts: &[Part]) -> usize {
    let (mut length, mut i) = (0, 0);
    while i < parts.len() {
        length += parts[i].length;
        i += 1;
    }
    length
}

/// The first number of the part with this name.
///
/// # Panics
/// When there is no such part: a constant made of it then does not compile.
#[must_use]
pub const fn first(parts: &[Part], name: &str) -> u16 {
    let (mut first, mut i) = (0, 0);
    while i < parts.len() {
        if same(parts[i].name.as_bytes(), name.as_bytes()) {
            return first;
        }
        first += parts[i].length as u16;
        i += 1;
    }
    panic!("no part has this name")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// An observation that is being written, from left to right. It begins as zeros.
pub struct Row<'a> {
    numbers: &'a mut [f32],
    next: usize,
    /// The parts to come, and the end of the one that is being written.
    parts: &'static [Part],
    end: usize,
}

impl Row<'_> {
    /// Begins the part of this name, which must come next.
    #[inline]
    pub fn part(&mut self, name: &str) {
        if cfg!(debug_assertions) {
            assert_eq!(self.next, self.end, "the part before {name} is complete");
            let (part, rest) = self.parts.split_first().expect("no part is left");
            assert_eq!(part.name, name, "parts are written in their order");
            self.parts = rest;
            self.end += part.length;
        }
    }

    /// Goes on by some positions, which stay 0.
    #[inline]
    pub fn skip(&mut self, positions: usize) {
        self.next += positions;
    }

    /// Writes 1 if it is so.
    #[inline]
    pub fn flag(&mut self, is_so: bool) {
        self.numbers[self.next] = f32::from(is_so);
        self.next += 1;
    }

    /// Writes a share of the most that there can be; what is more counts as the most.
    #[inline]
    pub fn share(&mut self, of: f32, most: f32) {
        self.numbers[self.next] = (of / most).clamp(0.0, 1.0);
        self.next += 1;
    }

    /// Writes a number from 0 on that has no most: the larger the nearer to 1, and 0.5 at `half`.
    #[inline]
    pub fn unbounded(&mut self, number: f32, half: f32) {
        self.numbers[self.next] = number / (number + half);
        self.next += 1;
    }

    /// Writes 1 at `index` of so many positions. An index beyond counts as the last; none leaves zeros.
    #[inline]
    pub fn one_hot(&mut self, positions: usize, index: impl Into<Option<usize>>) {
        if let Some(index) = index.into() {
            self.numbers[self.next + index.min(positions - 1)] = 1.0;
        }
        self.next += positions;
    }

    /// Writes 1 at each of these indices of so many positions.
    #[inline]
    pub fn set(&mut self, positions: usize, indices: impl IntoIterator<Item = usize>) {
        let numbers = &mut self.numbers[self.next..self.next + positions];
        indices.into_iter().for_each(|index| numbers[index] = 1.0);
        self.next += positions;
    }

    /// Writes numbers in [0, 1] at indices of so many positions.
    #[inline]
    pub fn numbers(&mut self, positions: usize, numbers: impl IntoIterator<Item = (usize, f32)>) {
        let row = &mut self.numbers[self.next..self.next + positions];
        numbers.into_iter().for_each(|(index, number)| row[index] = number);
        self.next += positions;
    }
}
