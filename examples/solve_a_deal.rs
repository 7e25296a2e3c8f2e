//! Whether one deal can be won, and how: `cargo run --release --example solve_a_deal`.

use knave::agents::rng::{Role, stream};
use knave::agents::{Game as _, Tools as _};
use knave::games::CardGame as _;
use knave::games::dungeon::{Dungeon, Rules};

fn main() {
    let rules = Rules::default();
    let deal = Dungeon::deal(&rules, &mut stream(1, 0, Role::Deal));
    let deck: Vec<String> = deal.deck().iter().map(ToString::to_string).collect();
    println!("The deck, top first: {}", deck.join(" "));
    // The first question of the game: can this deal be won by someone who knows every card?
    let objective = &Dungeon::kit(&rules).objectives[0];
    let answer = (objective.solver)().solve(&rules, &deal, objective.budget);
    println!("{} {} nodes", objective.question, answer.nodes);
    match answer.line {
        None => println!("no line was found"),
        Some(line) => {
            let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
            println!("yes: {}", moves.join(", "));
        }
    }
}
