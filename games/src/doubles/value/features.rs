//! Features of the learned value: a position after a move, as a seat sees it.
//!
//! A forced pass looks like a chosen one. So an answer is described before anybody gives it, by those who may still give
//! one, except where the counts of cards tell everybody that none is left.

use super::knowledge::{SeatKnowledge, Situation};
use super::rule::Rule;
use crate::bins::bin;
use crate::cards::{Card, CardSet};
use crate::doubles::{Board, Doubles, Hands, MAX_CARDS, Move, NO_ONE, Phase};
use arrayvec::ArrayVec;
use knave_agents::learn::Cross;

/// Kinds of positions, each with a head of its own.
pub const KINDS: u16 = 8;
/// Heads: the kinds with two players, and with more.
pub const HEADS: usize = 2 * KINDS as usize;

/// Cards of one player, from 0. The following constants are numbers of bins, too.
const HELD: u16 = MAX_CARDS as u16 + 1;
const RANKS: u16 = 13;
const PLACES: u16 = MAX_CARDS as u16;
/// Expected cards above a rank in some hands.
const ODDS: u16 = 12;
/// Leads in points, in units of the points that are still to be had, or as they are.
const LEADS: u16 = 33;
/// Cards of all opponents.
const OTHERS: u16 = 14;
/// Stakes.
const STAKES: u16 = 16;
/// Seats.
const SEATS: u16 = 7;
/// Log-odds, in fifths.
const LOGITS: u16 = 49;
/// Points that a match is still to last.
const TO_COME: u16 = 12;
/// Rolls before the limit for each card.
const ROLLS: u16 = 10;

const OWN: Cross<1> = Cross::new(0, [RANKS]);
/// By place among the own cards, the best first: the cards of opponents that are expected above it.
const STRENGTH: Cross<2> = Cross::new(OWN.end(), [PLACES, ODDS]);
/// Own cards, and the most of an opponent.
const COUNTS: Cross<2> = Cross::new(STRENGTH.end(), [HELD, HELD]);
/// Own cards, and those of all opponents.
const TOTAL: Cross<2> = Cross::new(COUNTS.end(), [HELD, OTHERS]);
/// By rank, how many are unseen.
const UNSEEN: Cross<2> = Cross::new(TOTAL.end(), [RANKS, 5]);
/// Of every other seat: whether it is of the same team, its cards, the lead over it.
const SEAT: Cross<3> = Cross::new(UNSEEN.end(), [2, HELD, LEADS]);
/// Of the next roller: distance, cards, whether it is of the same team.
pub(in crate::doubles) const NEXT: Cross<3> = Cross::new(SEAT.end(), [SEATS, HELD, 2]);
/// The lead over the best other team in points, and the cards that are held.
const LEAD: Cross<2> = Cross::new(NEXT.end(), [LEADS, OTHERS]);
/// The kind, and the lead in units.
const SCALED: Cross<2> = Cross::new(LEAD.end(), [KINDS, LEADS]);
/// The kind, and the lead in units if the stakes go to the challenger, or else to the roller.
const OUTLOOK: Cross<2> = Cross::new(SCALED.end(), [KINDS, LEADS]);
/// The kind, and the stakes.
const AT_STAKE: Cross<2> = Cross::new(OUTLOOK.end(), [KINDS, STAKES]);
/// The kind, the opponents that may still answer, and the most cards that one of them holds.
const ANSWERS: Cross<3> = Cross::new(AT_STAKE.end(), [KINDS, SEATS, HELD]);
/// The kind, the higher cards expected in their hands, and the stakes.
const BEATEN: Cross<3> = Cross::new(ANSWERS.end(), [KINDS, ODDS, STAKES]);
/// The kind, and the own cards above the last challenge.
const ABOVE: Cross<2> = Cross::new(BEATEN.end(), [KINDS, HELD]);
/// Players, cards that each was dealt, whether there are teams.
const RULES: Cross<3> = Cross::new(ABOVE.end(), [6, MAX_CARDS as u16, 2]);
/// The kind, and the log-odds by the hand-written evaluator, which the net corrects.
const BY_RULE: Cross<2> = Cross::new(RULES.end(), [KINDS, LOGITS]);
const MATCH: Cross<1> = Cross::new(BY_RULE.end(), [TO_COME]);
const LIMIT: Cross<1> = Cross::new(MATCH.end(), [ROLLS]);
/// The number of features.
pub const INPUTS: u16 = LIMIT.end();

const ANY_STRENGTH: Cross<1> = Cross::new(INPUTS, [ODDS]);
const OWN_COUNT: Cross<1> = Cross::new(ANY_STRENGTH.end(), [HELD]);
const MOST: Cross<1> = Cross::new(OWN_COUNT.end(), [HELD]);
const MORE: Cross<1> = Cross::new(MOST.end(), [2 * HELD]);
const SUM: Cross<1> = Cross::new(MORE.end(), [OTHERS]);
const SEAT_COUNT: Cross<2> = Cross::new(SUM.end(), [2, HELD]);
const SEAT_LEAD: Cross<2> = Cross::new(SEAT_COUNT.end(), [2, LEADS]);
const NEXT_SEAT: Cross<1> = Cross::new(SEAT_LEAD.end(), [SEATS]);
const NEXT_COUNT: Cross<2> = Cross::new(NEXT_SEAT.end(), [HELD, 2]);
/// A lead of at least so much.
const LEAD_FROM: Cross<1> = Cross::new(NEXT_COUNT.end(), [LEADS]);
const SCALED_FROM: Cross<1> = Cross::new(LEAD_FROM.end(), [LEADS]);
const OUTLOOK_FROM: Cross<2> = Cross::new(SCALED_FROM.end(), [KINDS, LEADS]);
const STAKES_FROM: Cross<2> = Cross::new(OUTLOOK_FROM.end(), [KINDS, STAKES]);
const ASKED: Cross<2> = Cross::new(STAKES_FROM.end(), [KINDS, SEATS]);
const ODDS_FROM: Cross<2> = Cross::new(ASKED.end(), [KINDS, ODDS]);
const PLAYERS: Cross<1> = Cross::new(ODDS_FROM.end(), [6]);
const DEALT: Cross<1> = Cross::new(PLAYERS.end(), [MAX_CARDS as u16]);
const TEAMS: Cross<1> = Cross::new(DEALT.end(), [2]);
const LOGIT_FROM: Cross<1> = Cross::new(TEAMS.end(), [LOGITS]);
/// The number of shared features, in training alone.
pub const SHARED: u16 = LOGIT_FROM.end() - INPUTS;

/// Appends the shared features of a feature.
pub fn shared(feature: u16, out: &mut Vec<u16>) {
    if let Some([_, odds]) = STRENGTH.numbers(feature) {
        out.push(ANY_STRENGTH.at([odds]));
    } else if let Some([own, most]) = COUNTS.numbers(feature) {
        out.extend([OWN_COUNT.at([own]), MOST.at([most]), MORE.at([HELD + own - most])]);
    } else if let Some([own, others]) = TOTAL.numbers(feature) {
        out.extend([OWN_COUNT.at([own]), SUM.at([others])]);
    } else if let Some([team, count, lead]) = SEAT.numbers(feature) {
        out.extend([SEAT_COUNT.at([team, count]), SEAT_LEAD.at([team, lead])]);
    } else if let Some([distance, count, team]) = NEXT.numbers(feature) {
        out.extend([NEXT_SEAT.at([distance]), NEXT_COUNT.at([count, team])]);
    } else if let Some([lead, _]) = LEAD.numbers(feature) {
        out.extend((0..=lead).map(|bound| LEAD_FROM.at([bound])));
    } else if let Some([_, lead]) = SCALED.numbers(feature) {
        out.extend((0..=lead).map(|bound| SCALED_FROM.at([bound])));
    } else if let Some([kind, lead]) = OUTLOOK.numbers(feature) {
        out.extend((0..=lead).map(|bound| OUTLOOK_FROM.at([kind, bound])));
    } else if let Some([kind, stakes]) = AT_STAKE.numbers(feature) {
        out.extend((0..=stakes).map(|bound| STAKES_FROM.at([kind, bound])));
    } else if let Some([kind, seats, _]) = ANSWERS.numbers(feature) {
        out.push(ASKED.at([kind, seats]));
    } else if let Some([kind, odds, _]) = BEATEN.numbers(feature) {
        out.extend((0..=odds).map(|bound| ODDS_FROM.at([kind, bound])));
    } else if let Some([_, logit]) = BY_RULE.numbers(feature) {
        out.extend((0..=logit).map(|bound| LOGIT_FROM.at([bound])));
    } else if let Some([players, dealt, teams]) = RULES.numbers(feature) {
        out.extend([PLAYERS.at([players]), DEALT.at([dealt]), TEAMS.at([teams])]);
    }
}

/// The head of a list of features, by the kind and the number of players in its first two.
pub fn head(features: &[u16]) -> usize {
    let kind = AT_STAKE.numbers(features[0]).map_or(0, |[kind, _]| kind);
    let more = RULES.numbers(features[1]).is_some_and(|[players, ..]| players > 0);
    usize::from(kind + if more { KINDS } else { 0 })
}

/// The bin of a count.
fn few(count: u32, most: u16) -> u16 {
    (count as u16).min(most - 1)
}

const ODDS_EDGES: [f32; ODDS as usize - 1] = [1e-6, 0.06, 0.13, 0.22, 0.34, 0.5, 0.7, 0.95, 1.3, 1.8, 2.6];
const OTHERS_EDGES: [f32; OTHERS as usize - 1] =
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 13.0, 17.0, 22.0, 29.0];
const STAKES_EDGES: [f32; STAKES as usize - 1] =
    [1.0, 4.0, 6.0, 8.0, 10.0, 12.0, 15.0, 18.0, 22.0, 26.0, 31.0, 37.0, 45.0, 55.0, 70.0];
const TO_COME_EDGES: [f32; TO_COME as usize - 1] =
    [1.0, 10.0, 20.0, 30.0, 45.0, 60.0, 80.0, 110.0, 150.0, 220.0, 350.0];
const ROLLS_EDGES: [f32; ROLLS as usize - 1] = [0.3, 0.6, 1.0, 1.4, 1.9, 2.5, 3.2, 4.5, 7.0];
const LEAD_EDGES: [f32; LEADS as usize / 2] =
    [1.0, 2.0, 3.0, 5.0, 7.0, 9.0, 12.0, 15.0, 19.0, 24.0, 30.0, 37.0, 46.0, 57.0, 71.0, 90.0];

/// The bin of a lead in points: alike on both sides of 0.
fn lead_bin(lead: f32) -> u16 {
    let size: u16 = bin(lead.abs(), &LEAD_EDGES);
    if lead < 0.0 { LEADS / 2 - size } else { LEADS / 2 + size }
}

/// The bin of a lead in units.
fn scaled_bin(lead: f32) -> u16 {
    let most = f32::from(LEADS / 2);
    ((lead * 9.0).round().clamp(-most, most) + most) as u16
}

/// Those who may still answer.
#[derive(Copy, Clone, Default)]
struct Asked {
    /// Opponents with cards.
    seats: u32,
    /// Their cards.
    cards: u32,
    /// The most cards of one of them.
    most: u32,
    /// Whether anybody holds cards, team mates included.
    any: bool,
}

impl Asked {
    /// The seats from `from` up to `until`. The first is asked in any case.
    fn from(board: &Board, hands: &Hands, me: u8, from: u8, until: u8) -> Self {
        let (mut asked, mut seat) = (Self::default(), from);
        loop {
            let count = hands[usize::from(seat)].len() as u32;
            if seat != me && count > 0 {
                asked.any = true;
                if board.sides[usize::from(seat)] != board.sides[usize::from(me)] {
                    asked.seats += 1;
                    asked.cards += count;
                    asked.most = asked.most.max(count);
                }
            }
            seat = board.left_of(seat);
            if seat == until {
                return asked;
            }
        }
    }

    /// Those after the mover's answer.
    fn after_answer(board: &Board, hands: &Hands, challenges: bool) -> Self {
        let me = board.mover;
        let last = match board.challenger {
            _ if challenges => me,
            NO_ONE => board.roller,
            challenger => challenger,
        };
        let next = board.left_of(me);
        if next == last { Self::default() } else { Self::from(board, hands, me, next, last) }
    }
}

/// A position after a move, before anybody answers.
struct After {
    situation: Situation,
    /// Whether all have passed and the roller chooses.
    chooses: bool,
    hand: CardSet,
    /// The rank of the last challenge.
    high: u8,
    /// The challenger.
    challenger: u8,
    asked: Asked,
    /// The log-odds of winning by the hand-written evaluator.
    by_rule: f32,
}

/// Replaces `out` with the features of the position after the mover's move, if that depends on answers that are
/// still to come.
pub fn after_answer(position: &Doubles, m: Move, out: &mut Vec<u16>) -> bool {
    let (board, hands) = (&position.board, &position.hands);
    let me = board.mover;
    let mut hand = hands[usize::from(me)];
    let known = SeatKnowledge::new(board, hands, me);
    let asked = match m {
        Move::POCKET | Move::ROLL => return false,
        m => Asked::after_answer(board, hands, m != Move::PASS),
    };
    if !asked.any {
        return false;
    }
    let by_rule = Rule::weighted(board.players, &known.after(m));
    let after = match m.card() {
        Some(card) => {
            hand.remove(card);
            let situation = Situation::Bid;
            After { situation, chooses: false, hand, high: card.rank(), challenger: me, asked, by_rule }
        }
        None => {
            let situation = known.situation();
            let (high, challenger) = (board.high, board.challenger);
            After { situation, chooses: false, hand, high, challenger, asked, by_rule }
        }
    };
    list(&known, hands, &after, out);
    true
}

/// Replaces `out` with the features of a position.
pub fn features(position: &Doubles, seat: u8, out: &mut Vec<u16>) {
    let (board, hands) = (&position.board, &position.hands);
    let known = SeatKnowledge::new(board, hands, seat);
    let mut asked = Asked::default();
    let situation = match board.phase {
        Phase::Roll if board.stakes > 0 => Situation::Rolling,
        Phase::Roll | Phase::Shuffle | Phase::Over => Situation::Settled,
        Phase::Forced | Phase::Challenge | Phase::Choose => known.situation(),
    };
    if matches!(board.phase, Phase::Forced | Phase::Challenge) {
        let last = if board.challenger == NO_ONE { board.roller } else { board.challenger };
        asked = Asked::from(board, hands, seat, board.mover, last);
    }
    let after = After {
        situation,
        chooses: board.phase == Phase::Choose,
        hand: hands[usize::from(seat)],
        high: board.high,
        challenger: board.challenger,
        asked,
        by_rule: Rule::weighted(board.players, &known.now()),
    };
    list(&known, hands, &after, out);
}

fn list(known: &SeatKnowledge<'_>, hands: &Hands, after: &After, out: &mut Vec<u16>) {
    let SeatKnowledge { board, seat: me, others, most, lead, unseen, .. } = *known;
    let own_side = board.sides[usize::from(me)];
    let mine = |seat: u8| board.sides[usize::from(seat)] == own_side;
    let kind = match after.situation {
        Situation::Settled => 0,
        Situation::Bid => 1,
        Situation::Yielded => 2,
        Situation::Waiting | Situation::Watching if after.chooses => 7,
        Situation::Waiting => 3,
        Situation::Watching => 4,
        Situation::Rolling if mine(board.roller) => 5,
        Situation::Rolling => 6,
    };
    let own = after.hand.len() as u32;
    let held = (u32::from(board.held) + own).saturating_sub(known.hand.len() as u32) as f32;
    let rolls = (board.max_rolls - board.rolls) as f32 / held.max(1.0);
    let (scale, leader) = (known.unit(after.hand), known.leader);
    let stakes = board.stakes as f32;
    let bins = bin(stakes, &STAKES_EDGES);
    // Where the stakes would go.
    let taker = match (kind, after.challenger) {
        (0, _) => None,
        (1 | 2, challenger) if challenger != NO_ONE => Some(challenger),
        _ => Some(board.roller),
    };
    let outlook = match taker {
        None => lead,
        Some(taker) if mine(taker) => lead + stakes,
        Some(taker) => {
            let behind = board.side_score(me) as f32 - board.side_score(taker) as f32 - stakes;
            lead.min(behind)
        }
    };
    let others_bin = bin(others as f32, &OTHERS_EDGES);
    let held_bin = bin(held, &OTHERS_EDGES);
    let above = |rank: u8| f32::from(known.above[usize::from(rank)]) / unseen.max(1) as f32;
    let higher = if kind == 0 { 0.0 } else { above(after.high.max(1)) * after.asked.cards as f32 };
    let settled = kind == 0 && board.phase == Phase::Roll;
    let next = if settled { board.roller } else { board.next_roller(board.phase == Phase::Shuffle) };
    let distance = (next + board.players - me) % board.players;
    let next_cards = if next == me { own } else { hands[usize::from(next)].len() as u32 };
    let teams = u16::from(board.teams);
    let over = after.hand.into_iter().filter(|card| card.rank() > after.high).count() as u32;
    let logit = ((after.by_rule * 5.0).round().clamp(-24.0, 24.0) + 24.0) as u16;
    let to_come = if board.target == 0 { 0.0 } else { (board.target as f32 - leader).max(1.0) };
    out.clear();
    out.extend([
        AT_STAKE.at([kind, bins]),
        RULES.at([u16::from(board.players) - 2, u16::from(board.cards) - 1, teams]),
        COUNTS.at([few(own, HELD), few(most, HELD)]),
        TOTAL.at([few(own, HELD), others_bin]),
        NEXT.at([u16::from(distance), few(next_cards, HELD), u16::from(mine(next))]),
        LEAD.at([lead_bin(lead), held_bin]),
        SCALED.at([kind, scaled_bin(lead / scale)]),
        OUTLOOK.at([kind, scaled_bin(outlook / scale)]),
        ANSWERS.at([kind, few(after.asked.seats, SEATS), few(after.asked.most, HELD)]),
        BEATEN.at([kind, bin(higher, &ODDS_EDGES), bins]),
        ABOVE.at([kind, few(over, HELD)]),
        BY_RULE.at([kind, logit]),
        MATCH.at([bin(to_come, &TO_COME_EDGES)]),
        LIMIT.at([bin(rolls, &ROLLS_EDGES)]),
    ]);
    let unseen_cards = board.deck - board.played - known.hand;
    for rank in 0..RANKS {
        let count = (unseen_cards & CardSet::of_rank(rank as u8 + 2)).len() as u32;
        out.push(UNSEEN.at([rank, few(count, 5)]));
    }
    for seat in (0..board.players).filter(|&seat| seat != me) {
        let ahead = board.side_score(me) as f32 - board.side_score(seat) as f32;
        let count = hands[usize::from(seat)].len() as u32;
        out.push(SEAT.at([u16::from(mine(seat)), few(count, HELD), lead_bin(ahead)]));
    }
    let mut ranks = after.hand.into_iter().map(Card::rank).collect::<ArrayVec<u8, MAX_CARDS>>();
    ranks.sort_unstable_by(|a, b| b.cmp(a));
    out.extend(ranks.iter().map(|&rank| OWN.at([u16::from(rank) - 2])));
    for (place, &rank) in (0..PLACES).zip(&ranks) {
        out.push(STRENGTH.at([place, bin(above(rank) * others as f32, &ODDS_EDGES)]));
    }
}
