//! Notes of models that have learnt from games with other cards than those that are in play.

use crate::cards::Card;
use crate::games::CardGame;
use knave_agents::ModelId;
use knave_agents::options::listed;
use knave_agents::registry::Prepared;
use std::collections::BTreeSet;

/// Notes such models of an agent.
pub(crate) fn note_models<G: CardGame>(agent: &mut Prepared<G>, cards: &[Card]) {
    for note in notes::<G>(agent.uses.iter().filter_map(|used| used.model.as_ref()), cards) {
        // Recorded games may have several decks.
        if !agent.notes.contains(&note) {
            agent.notes.push(note);
        }
    }
}

/// Notes of those of these models that have learnt from games with other cards.
pub(crate) fn notes<'a, G: CardGame>(
    models: impl Iterator<Item = &'a ModelId>,
    cards: &[Card],
) -> Vec<String> {
    let is_short = cards.len() < G::full_deck().len();
    // Models that have learnt from games with all cards tell none.
    let played: BTreeSet<String> = cards.iter().filter(|_| is_short).map(ToString::to_string).collect();
    let others =
        models.filter(|model| model.cards.iter().collect::<BTreeSet<_>>() != played.iter().collect());
    let learnt = others.map(|model| match (model.cards.is_empty(), is_short) {
        (true, _) => ("all cards", model.name.as_str()),
        (false, false) => ("a short deck", model.name.as_str()),
        (false, true) => ("another short deck", model.name.as_str()),
    });
    let learnt: Vec<(&str, &str)> = learnt.collect::<BTreeSet<_>>().into_iter().collect();
    let short = if is_short { "short deck: " } else { "" };
    learnt
        .chunk_by(|(one, _), (other, _)| one == other)
        .map(|models| {
            let names = listed(models.iter().map(|(_, name)| *name));
            format!("{short}{names} learnt from games with {}", models[0].0)
        })
        .collect()
}
