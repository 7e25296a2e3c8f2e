//! The course of a game: its result as the value at the deal, what decisions were worth, and luck.

use super::{Appraisal, Judge, Judging, Recorded};
use crate::exec::Halt;
use crate::games::CardGame;
use crate::play::{Finished, Seats};
use knave_agents::Rng;
use knave_agents::game::MAX_SEATS;

/// Sums of results over worlds, by seat.
type Sums = [i64; MAX_SEATS];

/// A game, valued decision by decision. All numbers are sums over the worlds, see [`super::Units`], and for every seat
/// `value + Σ gain + Σ luck = result` holds exactly.
pub struct Course<G: CardGame> {
    /// The value at the deal, as the first player to decide sees it. Without a decision it is the result.
    pub value: Sums,
    /// The decisions.
    pub decisions: Vec<Judged<G>>,
    /// The result, as the game was played to its end.
    pub result: Sums,
    /// The effect of forfeits: what some seats lose and others win by them. It is no luck, and no decision of the game.
    pub forfeit: Sums,
}

/// A decision that was judged.
pub struct Judged<G: CardGame> {
    /// The values of its moves.
    pub appraisal: Appraisal<G>,
    /// The place of the move that was played.
    pub played: usize,
    /// The value before it: the judge's own move.
    pub value: Sums,
    /// The gain of the move over the judge's own.
    pub gain: Sums,
    /// The luck that followed, up to the next decision or the end.
    pub luck: Sums,
}

impl<G: CardGame> Course<G> {
    /// Values the decisions of a game.
    ///
    /// # Errors
    /// When the judge was told to stop.
    pub fn new(
        judging: &Judging<G>,
        judge: &mut Judge<'_, G>,
        game: &Recorded<G>,
        rng: &mut Rng,
    ) -> Result<Self, Halt> {
        let seats = 0..game.end.seats();
        let forfeited = game.forfeited.iter().copied().collect();
        let worlds = i64::from(judging.worlds);
        let results = |forfeited| {
            judging.measure.results(&Finished::new(&game.end, &[], forfeited)).map(|result| result * worlds)
        };
        let result = results(Seats::default());
        let forfeit = minus(results(forfeited), result);
        let mut decisions: Vec<Judged<G>> = Vec::with_capacity(game.decisions.len());
        let mut value = result;
        // What the move before is worth.
        let mut expected: Option<Sums> = None;
        for made in &game.decisions {
            let history = &game.history[..made.events];
            let appraisal = judge.appraise(&made.position, history, Some(made.played), false, rng)?;
            let played = appraisal.place(made.played).unwrap_or(appraisal.choice);
            let sums = |place| {
                let mut sums = [0; MAX_SEATS];
                seats.clone().for_each(|seat| sums[seat] = appraisal.sum(place, seat));
                sums
            };
            let (before, after) = (sums(appraisal.choice), sums(played));
            match (expected, decisions.last_mut()) {
                (Some(expected), Some(last)) => last.luck = minus(before, expected),
                _ => value = before,
            }
            expected = Some(after);
            let gain = minus(after, before);
            decisions.push(Judged { appraisal, played, value: before, gain, luck: [0; MAX_SEATS] });
        }
        if let (Some(expected), Some(last)) = (expected, decisions.last_mut()) {
            last.luck = minus(result, expected);
        }
        Ok(Self { value, decisions, result, forfeit })
    }
}

fn minus(a: Sums, b: Sums) -> Sums {
    std::array::from_fn(|seat| a[seat] - b[seat])
}
