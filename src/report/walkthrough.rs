//! A game to step through: its curve, and one part of the page for every decision. Links lead from part to part, and the style
//! sheet hides those that nobody asked for, so that no script is needed.

use super::parts::{Figure, ShownTable};
use maud::{Markup, PreEscaped, html};

/// A game, decision by decision.
#[derive(Debug)]
pub(super) struct Walkthrough {
    /// Names the game among all of the page.
    pub name: String,
    /// The curve, whose marks lead to the steps.
    pub figure: Figure,
    pub steps: Vec<Step>,
}

/// A decision and what came of it.
#[derive(Debug)]
pub(super) struct Step {
    pub title: String,
    /// Whether it has a grade, so that it can be looked for.
    pub is_error: bool,
    /// What the player saw, as lines of text.
    pub board: String,
    /// What was played and what happened, in sentences.
    pub told: Vec<String>,
    /// The values of the moves.
    pub moves: ShownTable,
}

/// The name of a step's place on the page; steps are counted from 0.
pub(super) fn place(walkthrough: &str, step: usize) -> String {
    format!("{walkthrough}-{}", step + 1)
}

impl Walkthrough {
    /// The game as HTML.
    pub fn render(&self) -> Markup {
        html! {
            div.course id=(self.name) {
                style { (PreEscaped(self.here())) }
                (self.figure.render())
                div.steps { @for number in 0..self.steps.len() { (self.step(number)) } }
            }
        }
    }

    /// The rule that marks the shown step on the curve.
    fn here(&self) -> String {
        let shown = |step| {
            let place = place(&self.name, step);
            format!(":has(#{place}:target)>figure [href=\"#{place}\"] circle")
        };
        let marks: Vec<String> = (0..self.steps.len()).map(shown).collect();
        format!("{} {{ stroke: var(--text); stroke-width: 3 }}", marks.join(", "))
    }

    fn step(&self, number: usize) -> Markup {
        let step = &self.steps[number];
        let is_error = |other: &usize| self.steps[*other].is_error;
        let links = [
            ("later", (number + 1 < self.steps.len()).then_some(number + 1)),
            ("earlier", number.checked_sub(1)),
            ("next error", (number + 1..self.steps.len()).find(is_error)),
            ("error before", (0..number).rev().find(is_error)),
        ];
        html! {
            article.step id=(place(&self.name, number)) aria-label=(step.title) {
                h3 { (step.title) }
                nav aria-label="Steps" {
                    ul {
                        @for (name, to) in links {
                            li { @match to { Some(to) => { a href={ "#" (place(&self.name, to)) } { (name) } }, None => { span { (name) } } } }
                        }
                    }
                }
                pre.board tabindex="0" role="region" aria-label="What the player sees" { (step.board) }
                @for sentence in &step.told { p { (sentence) } }
                (step.moves.render())
            }
        }
    }
}
