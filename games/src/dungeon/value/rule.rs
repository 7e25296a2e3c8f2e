//! The hand-written evaluator and policy `rule`: logistic regression on named features of an afterstate. Where rules make the score the
//! objective, it estimates that from the same features.
//!
//! The weights are fitted to self-play; they stand in `models/dungeon-rule.toml`, and those of the score in
//! `models/dungeon-rule-score.toml`.

use crate::cards::{CardSet, Suit};
use crate::dungeon::board::{Board, NO_LIMIT, Phase, utility_of_score};
use crate::dungeon::deck::{CardKind, kind, rank_sum, ranks_upto};
use crate::dungeon::moves::Move;
use crate::dungeon::position::Dungeon;
use crate::dungeon::rules::Aim;
use crate::dungeon::steps::{self, Outcomes};
use crate::models::named_weights;
use knave_agents::learn::probability;
use knave_agents::net::logistic;
use knave_agents::{Evaluator, Policy, Rng, Seat};
use std::sync::{Arc, LazyLock};

/// The names of the features, in order.
pub const FEATURES: [&str; N] = [
    "bias",
    "health",
    "health_to_4",
    "health_to_8",
    "health_to_12",
    "monsters",
    "high_monsters",
    "potions",
    "potion_count",
    "weapons",
    "best_weapon",
    "weapon",
    "weapon_fresh",
    "limit",
    "absorbed",
    "spilled",
    "beyond",
    "beyond_bare",
    "carried_cost",
    "carried_potion",
    "carried_weapon",
    "carried_better",
    "unseen",
    "known_monsters",
    "known_potions",
    "rooms_left",
    "health_margin",
    "weapon_rooms",
    "must_face",
    "limit_high",
];
/// The number of features.
pub const N: usize = 30;

/// What the score of a won game is estimated from, in order. The health is that of the rules.
pub const OF_WON: [&str; 3] = ["bias", "log_odds", "health"];

/// The features of a position, in the order of [`FEATURES`]. Cards of the room that are still to be faced count like those of the
/// pile. `pile` are the cards in the pile, and `unseen` those of them that the player has not seen.
#[must_use]
pub fn features(board: &Board, pile: CardSet, unseen: CardSet) -> [f32; N] {
    let faced_next = match board.phase {
        Phase::Play => board.room().collect::<CardSet>(),
        _ => CardSet::EMPTY,
    };
    Coming::new(pile | faced_next, pile, unseen).features(board)
}

/// The ranks of the monsters to come, by suit.
#[derive(Copy, Clone)]
struct Monsters([u16; 2]);

impl Monsters {
    /// The sum of those in `mask`.
    fn sum(self, mask: u16) -> f32 {
        self.0.iter().map(|&lane| rank_sum(lane & mask)).sum::<u32>() as f32
    }

    /// How many of them are in `mask`.
    fn count(self, mask: u16) -> f32 {
        let [clubs, spades] = self.0.map(|lane| u32::from(lane & mask));
        (clubs << 16 | spades).count_ones() as f32
    }
}

/// What the features say of the cards to come, which the ways to play a turn have in common.
struct Coming {
    monsters: Monsters,
    /// The sum of the monsters.
    sum: f32,
    /// By how much those above 10 are above it.
    high: f32,
    potions: f32,
    potion_count: f32,
    weapons: f32,
    best_weapon: u8,
    cards: f32,
    unseen: f32,
    known_monsters: f32,
    known_potions: f32,
}

impl Coming {
    /// Of the cards to come, those of them in the pile, and those that the player has not seen.
    fn new(left: CardSet, pile: CardSet, unseen: CardSet) -> Self {
        let monsters = |cards: CardSet| Monsters([cards.lane(Suit::Clubs), cards.lane(Suit::Spades)]);
        let known = pile - unseen;
        let (potions, weapons) = (left.lane(Suit::Hearts), left.lane(Suit::Diamonds));
        let high = monsters(left).sum(0x7800) - 10.0 * monsters(left).count(0x7800);
        Self {
            monsters: monsters(left),
            sum: monsters(left).sum(!0),
            high,
            potions: rank_sum(potions) as f32,
            potion_count: potions.count_ones() as f32,
            weapons: rank_sum(weapons) as f32,
            best_weapon: if weapons == 0 { 0 } else { weapons.ilog2() as u8 },
            cards: left.len() as f32,
            unseen: unseen.len() as f32,
            known_monsters: monsters(known).sum(!0),
            known_potions: rank_sum(known.lane(Suit::Hearts)) as f32,
        }
    }

    fn features(&self, board: &Board) -> [f32; N] {
        let Self { monsters, potions, .. } = *self;
        let carried = match board.phase {
            Phase::Play => None,
            _ => board.room().next(),
        };
        let health = f32::from(board.health);
        let reach = ranks_upto(board.reach());
        // Within reach, a monster above the weapon spills the difference.
        let above = !ranks_upto(board.weapon);
        let spilled = monsters.sum(reach & above) - f32::from(board.weapon) * monsters.count(reach & above);
        let within = monsters.sum(reach);
        let cards = self.cards + f32::from(carried.is_some());
        let rooms = cards / 3.0;
        let strong = board.weapon.max(self.best_weapon);
        let above_best = !ranks_upto(strong);
        let least = monsters.sum(above_best) - f32::from(strong) * monsters.count(above_best);
        let (mut cost, mut potion, mut weapon, mut better) = (0.0, 0.0, 0.0, 0.0);
        if let Some(card) = carried {
            let rank = card.rank();
            match kind(card) {
                CardKind::Monster if rank <= board.reach() => {
                    cost = f32::from(rank.saturating_sub(board.weapon));
                }
                CardKind::Monster => cost = f32::from(rank),
                CardKind::Potion => potion = f32::from(rank),
                CardKind::Weapon => {
                    weapon = f32::from(rank);
                    better = f32::from(rank.saturating_sub(board.weapon));
                }
            }
        }
        [
            1.0,
            health / 20.0,
            health.min(4.0) / 4.0,
            health.min(8.0) / 8.0,
            health.min(12.0) / 12.0,
            self.sum / 100.0,
            self.high / 10.0,
            potions / 30.0,
            self.potion_count / 5.0,
            self.weapons / 30.0,
            f32::from(self.best_weapon) / 10.0,
            f32::from(board.weapon) / 10.0,
            if board.limit == NO_LIMIT { f32::from(board.weapon) / 10.0 } else { 0.0 },
            f32::from(board.limit) / 15.0,
            (within - spilled) / 50.0,
            spilled / 20.0,
            (self.sum - within) / 100.0,
            monsters.count(!reach) / 10.0,
            cost / 10.0,
            potion / 10.0,
            weapon / 10.0,
            better / 10.0,
            self.unseen / 40.0,
            self.known_monsters / 100.0,
            self.known_potions / 30.0,
            rooms / 10.0,
            (health + potions - least) / 20.0,
            f32::from(board.weapon) * f32::from(board.limit) / (150.0 + 15.0 * cards),
            if board.may_avoid { 0.0 } else { 1.0 },
            (f32::from(board.limit) - 9.0).max(0.0) / 6.0,
        ]
    }
}

/// [`features`] as a function of the ends of a turn, which have the pile in common.
fn features_after(pile: CardSet, unseen: CardSet) -> impl Fn(&Board) -> [f32; N] {
    let coming = Coming::new(pile, pile, unseen);
    // Once the pile is empty, the card that stays is a room of its own.
    move |board| match board.phase {
        Phase::Play => features(board, pile, unseen),
        _ => coming.features(board),
    }
}

/// The weighted sum. Eight sums side by side: one after the other, each addition would wait for the last.
fn weigh(weights: &[f32; N], features: &[f32; N]) -> f32 {
    let ((features, last), (weights, last_weights)) = (features.as_chunks::<8>(), weights.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (features, weights) in features.iter().zip(weights) {
        for i in 0..8 {
            sums[i] += features[i] * weights[i];
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    let rest: f32 = last.iter().zip(last_weights).map(|(x, w)| x * w).sum();
    ((a + e) + (b + f)) + ((c + g) + (d + h)) + rest
}

/// What a score is estimated from.
///
/// The score of a win is estimated from the log-odds of winning: these order positions well where a win is likely, and a sum of the
/// features fitted to the score does not.
#[derive(Clone, Debug)]
pub struct ScoreWeights {
    /// Of games that are won: the score in points, in the order of [`OF_WON`].
    pub won: [f32; 3],
    /// Of games that are lost: the log-odds of the part of the monsters' ranks not yet faced that the score counts in the end, in the
    /// order of [`FEATURES`].
    pub lost: [f32; N],
}

impl ScoreWeights {
    /// The weights of a file such as `models/dungeon-rule-score.toml`.
    ///
    /// # Errors
    /// Unless the file has a row for each weight, and no others.
    pub(in crate::dungeon) fn read(file: &str) -> Result<Self, String> {
        Ok(Self { won: named_weights(file, "won", &OF_WON)?, lost: named_weights(file, "lost", &FEATURES)? })
    }

    /// The expected score of a won game from the log-odds of winning, within 0 and the health of the rules.
    #[must_use]
    pub fn won(&self, board: &Board, logit: f32) -> f32 {
        let [bias, log_odds, health] = self.won;
        let most = f32::from(board.rules.health);
        (bias + log_odds * logit + health * most / 20.0).clamp(0.0, most)
    }

    /// The part of the monsters' ranks not yet faced that the score of a lost game is expected to count.
    #[must_use]
    pub fn left(&self, features: &[f32; N]) -> f32 {
        logistic(weigh(&self.lost, features))
    }
}

/// The evaluator and policy `rule`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The log-odds of winning, in the order of [`FEATURES`].
    pub weights: [f32; N],
    /// What the score is estimated from, where that is the objective.
    pub score: ScoreWeights,
}

impl Rule {
    /// The rule with the weights that come with Knave.
    #[must_use]
    pub fn fitted() -> Arc<Self> {
        Arc::clone(&RULE)
    }

    /// The rule with the weights of files such as `models/dungeon-rule.toml` and `models/dungeon-rule-score.toml`.
    ///
    /// # Errors
    /// Unless the files have a row for each weight, and no others.
    pub(in crate::dungeon) fn read(win: &str, score: &str) -> Result<Self, String> {
        Ok(Self { weights: named_weights(win, "weights", &FEATURES)?, score: ScoreWeights::read(score)? })
    }

    /// The log-odds of winning; see [`features`].
    #[must_use]
    pub fn logit(&self, board: &Board, pile: CardSet, unseen: CardSet) -> f32 {
        weigh(&self.weights, &features(board, pile, unseen))
    }

    /// [`Rule::logit`] as a function of the ends of a turn, which have the pile in common.
    pub fn logit_after(&self, pile: CardSet, unseen: CardSet) -> impl Fn(&Board) -> f32 {
        let features_after = features_after(pile, unseen);
        move |board| weigh(&self.weights, &features_after(board))
    }

    /// The expected score from a position that is not over, in points. The features are those of the position with this board.
    #[must_use]
    pub fn points(&self, board: &Board, features: &[f32; N]) -> f32 {
        let logit = weigh(&self.weights, features);
        let (win, lost) = (logistic(logit), -f32::from(board.unfaced) * self.score.left(features));
        win * self.score.won(board, logit) + (1.0 - win) * lost
    }

    /// How good a position of a game that goes on is for the objective of its rules; the higher, the better.
    fn worth(&self, board: &Board, features: &[f32; N]) -> f32 {
        match board.rules.objective {
            Aim::Win => weigh(&self.weights, features),
            Aim::Score => self.points(board, features),
        }
    }

    /// The expected score in points, or the score itself once the game is over.
    #[must_use]
    pub fn expected_score(&self, position: &Dungeon) -> f64 {
        let (board, pile) = (&position.board, &position.pile);
        match board.phase {
            Phase::Cleared | Phase::Died => board.score() as f64,
            _ => self.points(board, &features(board, pile.cards(), pile.unseen())).into(),
        }
    }

    /// The probability of winning.
    #[must_use]
    pub fn win(&self, position: &Dungeon) -> f64 {
        match position.board.phase {
            Phase::Cleared => 1.0,
            Phase::Died => 0.0,
            _ => {
                let pile = &position.pile;
                let logit = self.logit(&position.board, pile.cards(), pile.unseen());
                probability(logit.into())
            }
        }
    }
}

impl Evaluator<Dungeon> for Rule {
    fn value(&self, position: &Dungeon, _: Seat) -> f64 {
        let rules = &position.board.rules;
        match rules.objective {
            Aim::Win => self.win(position),
            Aim::Score => utility_of_score(self.expected_score(position), rules),
        }
    }
}

impl Policy<Dungeon> for Rule {
    fn choose(&self, position: &Dungeon, _: &mut Vec<Move>, _: &mut Rng) -> Move {
        let (board, pile) = (&position.board, &position.pile);
        let mut outcomes = Outcomes::new();
        steps::outcomes(board, pile.len() == 0, &mut outcomes);
        let mut best = (f32::NEG_INFINITY, Move::AVOID);
        let features_after = features_after(pile.cards(), pile.unseen());
        for outcome in &outcomes {
            let after = &outcome.board;
            let value = match (after.phase, board.rules.objective) {
                (Phase::Cleared | Phase::Died, Aim::Score) => after.score() as f32,
                (Phase::Cleared, Aim::Win) => 100.0 + after.score() as f32,
                (Phase::Died, Aim::Win) => -100.0 - f32::from(after.unfaced),
                _ => self.worth(after, &features_after(after)),
            };
            if value > best.0 {
                best = (value, outcome.moves()[0]);
            }
        }
        if board.may_avoid {
            let mut after = *board;
            let pile_after = pile.cards() | CardSet::of_ids(&after.avoid());
            if self.worth(&after, &features(&after, pile_after, pile.unseen())) > best.0 {
                best.1 = Move::AVOID;
            }
        }
        best.1
    }
}

static RULE: LazyLock<Arc<Rule>> = LazyLock::new(|| {
    let rule = Rule::read(
        include_str!("../models/dungeon-rule.toml"),
        include_str!("../models/dungeon-rule-score.toml"),
    );
    Arc::new(rule.unwrap_or_else(|error| unreachable!("a test reads these files: {error}")))
});
