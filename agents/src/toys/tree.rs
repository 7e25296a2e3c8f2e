//! `tree`: a game read from text, with nothing hidden. The value of any position is found by recursion.
//!
//! ```text
//! node    = utility | decision | chance
//! utility = whole number from 0 to 100, one for each seat, separated by `/`   40   or   90/10
//! decision = seat `[` node … `]`                                              0[10 40]
//! chance  = `c[` weight `:` node … `]`                                        c[1:0 3:100]
//! ```

use crate::evaluator::Evaluator;
use crate::game::{ChanceRecord, EnumerableChance, Game, MAX_SEATS, Notation, Seat, Turn, Values};
use crate::kit::{Kit, Tools};
use crate::rng::Rng;
use crate::steps::StepList;
use rand::RngExt as _;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Leaf(Vec<u32>),
    Decision(Seat, Vec<usize>),
    Chance(Vec<(u32, usize)>),
}

/// The nodes of a tree; the children of a node come before it, the root is the last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape(Arc<[Node]>);

impl Shape {
    /// Reads a tree; see the module for the form.
    ///
    /// # Errors
    /// With the place where the text goes wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, at: 0, nodes: Vec::new() };
        reader.node()?;
        reader.space();
        if reader.at < text.len() {
            return Err(reader.error("the end"));
        }
        let shape = Self(reader.nodes.into());
        let seats = shape.seats();
        let one_length = shape.0.iter().all(|node| match node {
            Node::Leaf(values) => values.len() == seats,
            Node::Decision(seat, _) => *seat < seats,
            Node::Chance(_) => true,
        });
        if !one_length || seats > MAX_SEATS {
            return Err(format!("every leaf needs one utility for each of the seats: {text}"));
        }
        Ok(shape)
    }

    fn seats(&self) -> usize {
        self.0
            .iter()
            .find_map(|node| if let Node::Leaf(v) = node { Some(v.len()) } else { None })
            .unwrap_or(0)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    nodes: Vec<Node>,
}

impl Reader<'_> {
    fn error(&self, expected: &str) -> String {
        format!("expected {expected} at byte {} of '{}'", self.at, self.text)
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, mark: char) -> bool {
        let found = self.text[self.at..].starts_with(mark);
        self.at += if found { mark.len_utf8() } else { 0 };
        found
    }

    fn number(&mut self) -> Result<u32, String> {
        let rest = &self.text[self.at..];
        let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..len].parse().map_err(|_| self.error("a number"))?;
        self.at += len;
        Ok(number)
    }

    fn node(&mut self) -> Result<usize, String> {
        self.space();
        let node = if self.eat('c') {
            if !self.eat('[') {
                return Err(self.error("'['"));
            }
            Node::Chance(self.list(|reader| {
                reader.space();
                let weight = reader.number()?;
                if weight == 0 || !reader.eat(':') {
                    return Err(reader.error("a weight and ':'"));
                }
                Ok((weight, reader.node()?))
            })?)
        } else {
            let number = self.number()?;
            if self.eat('[') {
                Node::Decision(number as usize, self.list(Self::node)?)
            } else {
                let mut values = vec![number];
                while self.eat('/') {
                    values.push(self.number()?);
                }
                if values.iter().any(|&value| value > 100) {
                    return Err(self.error("utilities up to 100 before this"));
                }
                Node::Leaf(values)
            }
        };
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }

    fn list<T>(&mut self, entry: impl Fn(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        let mut list = Vec::new();
        loop {
            self.space();
            if self.eat(']') && !list.is_empty() {
                return Ok(list);
            }
            list.push(entry(self)?);
        }
    }
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tree {
    shape: Shape,
    at: usize,
}

impl Tree {
    /// The root of the tree that this text describes.
    ///
    /// # Panics
    /// If the text describes no tree.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let shape = Shape::parse(text).unwrap_or_else(|error| panic!("{error}"));
        Self { at: shape.0.len() - 1, shape }
    }

    /// The tree as rules, for [`Game::deal`] and for agents.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    fn node(&self) -> &Node {
        &self.shape.0[self.at]
    }

    fn to(&self, at: usize) -> Self {
        Self { shape: self.shape.clone(), at }
    }

    /// The exact utilities when every seat maximises its own (max^n); the first among equal moves.
    #[must_use]
    pub fn exact(&self) -> Values {
        self.fold(&|seat, children| {
            let best = (1..children.len())
                .fold(0, |best, i| if children[i][seat] > children[best][seat] { i } else { best });
            children[best]
        })
    }

    /// The expected utilities when every seat plays uniformly random moves.
    #[must_use]
    pub fn random(&self) -> Values {
        self.fold(&|_, children| {
            let mut mean = [0.0; MAX_SEATS];
            for (seat, value) in mean.iter_mut().enumerate() {
                *value = children.iter().map(|values| values[seat]).sum::<f64>() / children.len() as f64;
            }
            mean
        })
    }

    fn fold(&self, decide: &dyn Fn(Seat, &[Values]) -> Values) -> Values {
        let mut values = [0.0; MAX_SEATS];
        match self.node() {
            Node::Leaf(leaf) => {
                for (value, &percent) in values.iter_mut().zip(leaf) {
                    *value = f64::from(percent) / 100.0;
                }
            }
            Node::Decision(seat, children) => {
                let below: Vec<Values> = children.iter().map(|&at| self.to(at).fold(decide)).collect();
                values = decide(*seat, &below);
            }
            Node::Chance(children) => {
                let total: u32 = children.iter().map(|&(weight, _)| weight).sum();
                for &(weight, at) in children {
                    let below = self.to(at).fold(decide);
                    for (value, part) in values.iter_mut().zip(below) {
                        *value += part * f64::from(weight) / f64::from(total);
                    }
                }
            }
        }
        values
    }
}

impl Game for Tree {
    type Rules = Shape;
    /// The number of a child.
    type Move = u8;
    /// The number of a child.
    type Chance = u8;
    type View = Tree;

    fn deal(rules: &Shape, _: &mut Rng) -> Self {
        Self { at: rules.0.len() - 1, shape: rules.clone() }
    }

    fn seats(&self) -> usize {
        self.shape.seats()
    }

    fn turn(&self) -> Turn {
        match self.node() {
            Node::Leaf(_) => Turn::Over,
            Node::Decision(seat, _) => Turn::Player(*seat),
            Node::Chance(_) => Turn::Chance,
        }
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.clear();
        if let Node::Decision(_, children) = self.node() {
            out.extend(0..children.len() as u8);
        }
    }

    fn play(&mut self, m: u8) {
        if let Node::Decision(_, children) = self.node() {
            self.at = children[usize::from(m)];
        }
    }

    fn roll(&mut self, rng: &mut Rng) -> u8 {
        let Node::Chance(children) = self.node() else { return 0 };
        let mut left = rng.random_range(0..children.iter().map(|&(weight, _)| weight).sum::<u32>());
        let mut outcome = 0;
        while left >= children[outcome].0 {
            left -= children[outcome].0;
            outcome += 1;
        }
        self.play_chance(outcome as u8);
        outcome as u8
    }

    fn play_chance(&mut self, outcome: u8) {
        if let Node::Chance(children) = self.node() {
            self.at = children[usize::from(outcome)].1;
        }
    }

    fn utility(&self, seat: Seat) -> f64 {
        match self.node() {
            Node::Leaf(values) => f64::from(values[seat]) / 100.0,
            _ => 0.0,
        }
    }

    fn view(&self, _: Seat) -> Tree {
        self.clone()
    }

    fn sample_world(view: &Tree, _: &mut Rng) -> Self {
        view.clone()
    }
}

impl EnumerableChance for Tree {
    type Key = usize;

    fn outcome_count(&self) -> u64 {
        if let Node::Chance(children) = self.node() { children.len() as u64 } else { 0 }
    }

    fn outcomes(&self, out: &mut Vec<(u8, f64)>) {
        out.clear();
        if let Node::Chance(children) = self.node() {
            let total: u32 = children.iter().map(|&(weight, _)| weight).sum();
            for (i, &(weight, _)) in children.iter().enumerate() {
                out.push((i as u8, f64::from(weight) / f64::from(total)));
            }
        }
    }

    fn key(&self) -> usize {
        self.at
    }
}

impl Notation for Tree {
    fn chance_record(outcome: &u8) -> Option<ChanceRecord> {
        Some(ChanceRecord::Roll(vec![*outcome]))
    }

    fn read_chance(&self, record: &ChanceRecord) -> Result<u8, String> {
        match (self.node(), record) {
            (Node::Chance(children), ChanceRecord::Roll(roll))
                if roll.len() == 1 && usize::from(roll[0]) < children.len() =>
            {
                Ok(roll[0])
            }
            _ => Err("expected the number of a child".to_owned()),
        }
    }

    fn chance_is_recorded(&self) -> bool {
        true
    }
}

struct Exact;

impl Evaluator<Tree> for Exact {
    fn value(&self, position: &Tree, seat: Seat) -> f64 {
        position.exact()[seat]
    }
}

/// The evaluator `blind`: every position is worth 0.5.
struct Blind;

impl Evaluator<Tree> for Blind {
    fn value(&self, _: &Tree, _: Seat) -> f64 {
        0.5
    }
}

impl Tools for Tree {
    const COARSE: bool = true;

    /// All sequences of moves of one player, up to chance or another player.
    fn steps(&self, out: &mut StepList<u8>) {
        fn walk(position: &Tree, seat: Seat, moves: &mut Vec<u8>, out: &mut StepList<u8>) {
            match position.node() {
                Node::Decision(mover, children) if *mover == seat => {
                    for (i, &at) in children.iter().enumerate() {
                        moves.push(i as u8);
                        walk(&position.to(at), seat, moves, out);
                        moves.pop();
                    }
                }
                _ => out.push(moves),
            }
        }
        out.clear();
        if let Node::Decision(seat, _) = self.node() {
            walk(self, *seat, &mut Vec::new(), out);
        }
    }

    fn kit(_: &Shape) -> Kit<Self> {
        Kit::default()
            .evaluator("exact", |_| Some(Arc::new(Exact)))
            .evaluator("blind", |_| Some(Arc::new(Blind)))
    }
}
