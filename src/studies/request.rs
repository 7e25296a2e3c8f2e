//! What requests of all kinds share: their errors, and the resolved form that manifests record.

use super::Request;
use crate::games::CardGame;
use crate::store::{PLAYERS, PlanRecord};
use knave_agents::AgentSpec;
use knave_agents::options::Fields;
use knave_agents::registry::Prepared;
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fmt;

/// An error in a request. Its text names the value and what would be right.
#[derive(Debug)]
pub struct RequestError {
    field: &'static str,
    source: Box<dyn Error + Send + Sync>,
}

impl RequestError {
    /// The refusal of this field of the request.
    pub fn new(field: &'static str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { field, source: source.into() }
    }

    /// The field that was refused.
    #[must_use]
    pub fn field(&self) -> &'static str {
        self.field
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

impl Error for RequestError {}

/// The seed of requests that name none.
pub(super) fn default_seed() -> u64 {
    1
}

/// An agent with every option.
pub(crate) fn spec<G: CardGame>(agent: &Prepared<G>) -> AgentSpec {
    AgentSpec {
        name: agent.agent.clone(),
        options: agent.parameters.as_object().cloned().unwrap_or_default(),
        label: Some(agent.label.clone()),
    }
}

/// These agents with every option.
pub(super) fn specs<'a, G: CardGame>(agents: impl Iterator<Item = &'a Prepared<G>>) -> Vec<AgentSpec> {
    agents.map(spec).collect()
}

/// The evaluators, policies, models and programs that these agents play by, agent by agent.
pub(super) fn uses<'a, G: CardGame>(agents: impl Iterator<Item = &'a Prepared<G>>) -> Map<String, Value> {
    let uses: Vec<_> = agents.map(|agent| &agent.uses).collect();
    if uses.iter().all(|uses| uses.is_empty()) {
        return Map::new();
    }
    Map::from_iter([(PLAYERS.to_owned(), json!(uses))])
}

/// The record of a resolved request.
pub(super) fn record<G: CardGame>(request: &Request, facts: Map<String, Value>) -> PlanRecord {
    let mut request = fields(request);
    // An agent without options is a mere name elsewhere; here all have the same form.
    if let Some(Value::Array(agents)) = request.get_mut("agents") {
        for agent in agents.iter_mut().filter(|agent| agent.is_string()) {
            *agent = json!({ "agent": agent, "label": agent, "options": {} });
        }
    }
    PlanRecord { request, rules_version: G::RULES_VERSION, facts, shard: None }
}

/// The fields of a request.
fn fields(request: &Request) -> Fields {
    match serde_json::to_value(request) {
        Ok(Value::Object(fields)) => fields,
        _ => Fields::new(),
    }
}
