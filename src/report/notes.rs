//! What a page says before its findings: what one must know about its runs to read them.

use super::findings::{code, unquoted};
use super::folder::{Folder, Run};
use super::repeat::Asked;
use super::rows::{Row, groups, named, rows};
use crate::numbers::{counted, thousands};
use crate::store::Shard;
use crate::studies::faults::FAULTS;
use knave_agents::batch::FaultKind;
use knave_agents::options::shown;
use serde_json::Value;
use std::collections::BTreeSet;

/// The cards and rules that are not those of the game itself, as far as all of its runs have them. Others stand beside the results.
pub(super) fn rules(games: &[&str], runs: &[(&Folder, &Run)], asked: &[Asked]) -> Vec<String> {
    let told = |game: &&str| {
        let own = runs.iter().zip(asked).filter(|((_, run), _)| run.manifest.plan.game() == *game);
        let own: Vec<&[String]> = own.map(|(_, asked)| &asked.rules[..]).collect();
        let in_all = |rule: &&String| own.iter().all(|rules| rules.contains(rule));
        let shared: Vec<String> = own.first()?.iter().filter(in_all).map(|rule| code(rule)).collect();
        let all = if own.len() > 1 { " in all runs" } else { "" };
        (!shared.is_empty()).then(|| format!("Rules of {game}{all}: {}.", shared.join(", ")))
    };
    games.iter().filter_map(told).collect()
}

/// Which runs are not whole, and how far they are.
pub(super) fn incomplete(runs: &[(&Folder, &Run)]) -> Vec<String> {
    let told = |(folder, run): &(&Folder, &Run)| {
        let (manifest, plan) = (&run.manifest, &run.manifest.plan);
        let noun = run.request.noun();
        let (name, finished) = (code(&folder.name), thousands(manifest.finished));
        let [size, share] = [plan.size(), plan.range().end - plan.range().start].map(thousands);
        match (plan.shard, manifest.partial) {
            (None, false) => None,
            (None, true) => Some(format!("{name} is not finished: it has {finished} of {size} {noun}.")),
            (Some(Shard { part, of }), is_partial) => {
                let so_far = if is_partial { format!("; it has {finished} so far") } else { String::new() };
                Some(format!("{name} is part {part} of {of}: {share} of {size} {noun}{so_far}."))
            }
        }
    };
    runs.iter().filter_map(told).collect()
}

/// What lies in these folders and is not shown.
pub(super) fn left_out(folders: &[Folder]) -> Vec<String> {
    let told = |folder: &Folder| {
        let (study, names) = (code(&folder.name), listed(&folder.left_out.iter().collect::<Vec<_>>()));
        format!("The joined tables of {study} do not hold what lies in {names}: it is not shown.")
    };
    folders.iter().flat_map(Folder::all).filter(|folder| !folder.left_out.is_empty()).map(told).collect()
}

/// What programs did wrong, in a sentence for each program, seat if it is told apart by that, and kind of fault: their results are also
/// those of their faults. A study may join other tables alone.
pub(super) fn faults(folders: &[Folder], games: &[&str]) -> Vec<String> {
    let telling: Vec<&Folder> = folders.iter().flat_map(|folder| folder.telling(FAULTS.file)).collect();
    let of_game = |game: &&str| {
        let rows = rows(&telling, FAULTS.file, game, &[]);
        let key = |row: &Row<'_>| {
            let [agent, seat, kind] = ["agent", "seat", "kind"].map(|column| row.text(column).to_owned());
            (agent, named("seat", &seat), kind)
        };
        let keys: Vec<_> = rows.iter().map(key).collect();
        let prefix = if games.len() > 1 { format!("{game}: ") } else { String::new() };
        let told = |((agent, seat, kind), rows): ((String, String, String), Vec<Row<'_>>)| {
            let seat = if seat.is_empty() { seat } else { format!(" in {}", unquoted(&seat)) };
            let agent = code(&agent) + &seat;
            if kind == FaultKind::Unrepeatable.name() {
                return format!(
                    "{prefix}{agent} does not give the same answers again: neither will the commands on this page."
                );
            }
            let sum = |column| rows.iter().filter_map(|row| row.number(column)).sum::<f64>() as usize;
            let lost = match sum("forfeits") {
                0 => String::new(),
                games => format!(", {} lost by it", counted(games, "games")),
            };
            let times = counted(sum("faults"), "times");
            format!("{prefix}Faults of {agent}: {}, {times}{lost}.", code(&kind))
        };
        groups(&rows, &keys).into_iter().map(told).collect::<Vec<_>>()
    };
    games.iter().flat_map(of_game).collect()
}

/// The first of these names as code, and how many more there are.
fn listed(names: &[&String]) -> String {
    /// So many are named.
    const NAMED: usize = 3;
    let first: Vec<String> = names.iter().take(NAMED).map(|name| code(name)).collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", first.join(", "))
}

/// Players whose options are not the same in all runs of a game, as where no model serves the rules, or whose models and programs have
/// changed under the same names: what sets such runs apart may be the player.
pub(super) fn changing(runs: &[(&Folder, &Run)]) -> Vec<String> {
    let agents = runs.iter().flat_map(|(folder, run)| {
        let plan = &run.manifest.plan;
        plan.agents().iter().map(move |agent| (format!("{} {}", plan.game(), agent["label"]), folder, agent))
    });
    let agents: Vec<(String, &&Folder, &Value)> = agents.collect();
    let plans = runs.iter().map(|(_, run)| &run.manifest.plan);
    let files = plans.flat_map(|plan| (0..plan.agents().len()).map(|place| plan.files(place).collect()));
    let files: Vec<BTreeSet<(&str, &str)>> = files.collect();
    let labels: Vec<String> = agents.iter().map(|(label, ..)| label.clone()).collect();
    let places: Vec<usize> = (0..agents.len()).collect();
    let told = |(_, places): (String, Vec<usize>)| {
        let own: Vec<&Value> = places.iter().map(|&place| agents[place].2).collect();
        let names: BTreeSet<&String> = own
            .iter()
            .filter_map(|agent| agent["options"].as_object())
            .flat_map(|options| options.keys())
            .collect();
        let differs =
            |name: &&String| own.iter().any(|agent| agent["options"][*name] != own[0]["options"][*name]);
        let differing: Vec<&String> = names.into_iter().filter(differs).collect();
        let all: BTreeSet<&(&str, &str)> = places.iter().flat_map(|&place| &files[place]).collect();
        let has_changed =
            |(name, sum): &&(&str, &str)| all.iter().any(|(other, theirs)| other == name && theirs != sum);
        let same_kind = own.iter().all(|agent| agent["agent"] == own[0]["agent"]);
        let variant = |place: &usize| {
            let options = &agents[*place].2["options"];
            let kind = agents[*place].2["agent"].as_str().filter(|_| !same_kind);
            let set = |name: &&String| Some(format!("{name}={}", shown(options.get(*name)?)));
            let changed = files[*place].iter().filter(has_changed);
            let changed = changed.map(|(name, sum)| format!("{name} {sum:.8}…"));
            let options = differing.iter().filter_map(set).chain(changed).collect::<Vec<_>>().join(",");
            kind.map_or(options.clone(), |kind| format!("{kind}:{options}"))
        };
        let variants = groups(&places, &places.iter().map(variant).collect::<Vec<_>>());
        let played_in = |places: &[usize]| {
            let folders: BTreeSet<&String> = places.iter().map(|&place| &agents[place].1.name).collect();
            listed(&folders.into_iter().collect::<Vec<_>>())
        };
        let parts: Vec<String> = variants
            .iter()
            .map(|(options, places)| format!("{} in {}", code(options), played_in(places)))
            .collect();
        let label = own[0]["label"].as_str().unwrap_or_default();
        (parts.len() > 1).then(|| {
            format!(
                "{} is not the same player in all runs: {}. What sets these runs apart may be the player.",
                code(label),
                parts.join(", ")
            )
        })
    };
    groups(&places, &labels).into_iter().filter_map(told).collect()
}
