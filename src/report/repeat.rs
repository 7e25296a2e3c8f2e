//! What to type to have a run again.

use crate::games::{self, CardGame, Visitor};
use crate::studies::run;
use serde_json::Value;

/// The command that makes the run of this manifest, as far as it stands there.
pub(super) fn command(manifest: &Value) -> String {
    let plan = &manifest["plan"];
    let game = plan["game"].as_str().unwrap_or_default();
    let (solve, compare) = (&plan["solve"], &plan["compare"]);
    let verb = ["solve", "compare", "bound"].into_iter().find(|verb| !plan[verb].is_null()).unwrap_or("run");
    let mut words = vec!["sim".to_owned(), verb.to_owned(), "--game".to_owned(), quoted(game)];
    let mut option = |name: &str, value: &Value| match value {
        Value::Null => {}
        Value::String(text) => words.extend([name.to_owned(), quoted(text)]),
        other => words.extend([name.to_owned(), quoted(&other.to_string())]),
    };
    let mut agents: Vec<&Value> =
        plan["agents"].as_array().into_iter().flatten().map(|agent| &agent["label"]).collect();
    if verb != "compare" && agents.iter().all(|agent| *agent == agents[0]) {
        agents.truncate(1);
    }
    for agent in agents {
        option("--agent", agent);
    }
    option("--objective", &solve["objective"]);
    if solve["deals"].is_null() {
        option("-n", &plan["games"]);
        option("--seed", &plan["seed"]);
    } else {
        option("--deals", &solve["deals"]["name"]);
    }
    option("--budget", &solve["budget"]);
    for (name, value) in changed_rules(game, &plan["rules"]) {
        let value = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        option("--rule", &Value::String(format!("{name}={value}")));
    }
    let goal = &compare["goal"];
    let ends = (goal["sprt"]["test"]["elo0"].as_f64(), goal["sprt"]["test"]["elo1"].as_f64());
    if let Some(width) = goal["width"]["width"].as_f64() {
        option("--until", &Value::String(format!("width={width}")));
        option("--measure", &goal["width"]["measure"]);
    } else if let (Some(low), Some(high)) = ends {
        option("--sprt", &Value::String(format!("{low},{high}")));
        option("--measure", &goal["sprt"]["measure"]);
    }
    option("--control", &compare["control"]);
    if let (Some(part), Some(of)) = (plan["shard"]["part"].as_u64(), plan["shard"]["of"].as_u64()) {
        option("--shard", &Value::String(format!("{part}/{of}")));
    }
    let files: Vec<&str> =
        manifest["files"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (file, flag) in [("games.csv", "--games"), ("solutions.csv", "--solutions")] {
        if files.contains(&file) {
            words.push(flag.to_owned());
        }
    }
    words.join(" ")
}

/// The options of the rules that differ from the defaults of the game; what an objective looks for is null and left out.
pub(super) fn changed_rules<'v>(game: &str, rules: &'v Value) -> Vec<(&'v str, &'v Value)> {
    let defaults = games::visit(game, Defaults).unwrap_or_default();
    let all = rules.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    all.filter(|(name, value)| defaults.get(name) != Some(value))
        .map(|(name, value)| (name.as_str(), value))
        .collect()
}

/// The default rules of a game.
struct Defaults;

impl Visitor for Defaults {
    type Output = Value;

    fn visit<G: CardGame>(self) -> Value {
        run::rules::<G>(&Default::default())
            .ok()
            .and_then(|rules| serde_json::to_value(rules).ok())
            .unwrap_or_default()
    }
}

/// The word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-=:.,/+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Commands name what differs from the defaults and are quoted for a shell.
    #[test]
    fn commands_are_what_one_types() {
        let agent = |label: &str| json!({ "label": label });
        let rules = json!({ "players": 3, "cards": 7, "max_rolls": 10_000, "target": 0, "teams": [0, 1, 0] });
        let mut plan = json!({ "game": "doubles", "rules": rules, "agents": [agent("a b"), agent("a b"), agent("a b")], "games": 5, "seed": 2 });
        let run = json!({ "plan": plan, "files": ["games.csv"] });
        let expected = "sim run --game doubles --agent 'a b' -n 5 --seed 2 --rule players=3 --rule 'teams=[0,1,0]' --games";
        assert_eq!(command(&run), expected);
        plan["agents"][1] = agent("rule");
        assert!(command(&json!({ "plan": plan })).contains("--agent 'a b' --agent rule --agent 'a b' -n"));
        let goal = json!({ "sprt": { "measure": "score", "test": { "elo0": -2.0, "elo1": 5.5 } } });
        let plan = json!({ "game": "dungeon", "rules": {}, "agents": [agent("x"), agent("x")], "games": 5, "seed": 2,
            "compare": { "goal": goal, "control": 3 } });
        let expected = "sim compare --game dungeon --agent x --agent x -n 5 --seed 2 --sprt -2,5.5 --measure score --control 3";
        assert_eq!(command(&json!({ "plan": plan })), expected);
        let solve = json!({ "objective": "win", "budget": 9, "deals": { "name": "it's" } });
        let solve = json!({ "plan": { "game": "dungeon", "rules": { "health": null }, "agents": [], "games": 5, "seed": 0, "solve": solve } });
        assert_eq!(command(&solve), r"sim solve --game dungeon --objective win --deals 'it'\''s' --budget 9");
    }
}
