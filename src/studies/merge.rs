//! Parts of one plan, done apart, joined to the whole.

use super::input::named_twice;
use super::join::{MergeRequestError, Out};
use super::outcome::{Done, SessionError};
use super::planned::{Planned, Planner};
use super::{Request, RequestError};
use crate::numbers::thousands;
use crate::store::{Existing, MANIFEST, Manifest, Parts, PlanRecord};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold parts of one plan, checked.
pub struct Merge {
    parts: Parts,
    plan: Box<dyn Planned>,
}

impl Merge {
    /// Reads the parts, and checks that they are different ones of one plan that is still the same today. Programs may have changed, and
    /// models into others for the same rules. A folder is a part, or holds parts in folders of their own. What was joined before in the folder `out` may
    /// lie among these.
    ///
    /// # Errors
    /// Names the folders that cannot be read or do not belong to the others, or says what has changed.
    pub fn new(
        registry: &impl Planner,
        folders: &[PathBuf],
        out: Option<&Path>,
    ) -> Result<Self, SessionError> {
        let whole = out.filter(|out| Manifest::read(out).is_ok_and(|manifest| manifest.plan.shard.is_none()));
        let whole = whole.and_then(|whole| whole.canonicalize().ok());
        let mut paths = Vec::new();
        for folder in folders {
            match parts_in(folder, whole.as_deref()) {
                parts if parts.is_empty() => paths.push(folder.clone()),
                parts => paths.extend(parts),
            }
        }
        // Parts that overlap have an error of their own.
        if let Some(twice) = named_twice(&paths) {
            return Err(RequestError::new("parts", format!("{} is named twice", twice.display())).into());
        }
        let parts = Parts::read(&paths)?;
        let changed =
            |why: String| SessionError::Request(RequestError::new("parts", MergeRequestError::Changed(why)));
        let read = |plan: &PlanRecord| {
            let request = Request::recorded(plan).map_err(|error| changed(error.to_string()))?;
            registry.plan(&request).map_err(|error| changed(error.to_string()))
        };
        // From here an input file may be found by the path that another part has.
        let by_another = || parts.plans().find_map(|plan| read(&plan).ok());
        let plan = read(&parts.plan).or_else(|error| by_another().ok_or(error))?;
        // Nothing is asked of programs and models: that the parts are by the same ones is known.
        let then = parts.plan.without_programs().without_models();
        let now = PlanRecord { shard: then.shard, ..plan.record() }.without_programs().without_models();
        if now != then {
            return Err(changed(format!("{} since", then.difference(&now))));
        }
        Ok(Self { parts, plan })
    }

    /// Joins the parts in this folder.
    ///
    /// # Errors
    /// When the folder cannot be used or written.
    pub fn write(&self, folder: &Path, existing: Existing) -> Result<Done, SessionError> {
        if self.parts.lie_in(folder) {
            let error = MergeRequestError::Part { out: folder.to_owned() };
            return Err(RequestError::new("out", error).into());
        }
        self.plan.merge(&self.parts, Out { folder, existing })
    }

    /// Checks that it is not too early to join the parts: that something is finished, or all of the `whole`.
    ///
    /// # Errors
    /// Names the parts that are missing or unfinished.
    pub fn check(&self, whole: bool) -> Result<(), SessionError> {
        let too_early = |what, missing| Err(SessionError::TooEarly { what, missing });
        match self.missing() {
            Some(missing) if whole => too_early("not all parts", missing),
            Some(missing) if self.parts.ranges.is_empty() => too_early("nothing", missing),
            _ => Ok(()),
        }
    }

    /// Says what these parts lack, joined to partial results.
    #[must_use]
    pub fn partial(&self, done: &Done) -> Option<String> {
        let (held, all) = (thousands(self.parts.ranges.len()), thousands(self.parts.plan.size()));
        let missing = self.missing().map_or_else(String::new, |missing| format!("; {missing}"));
        done.manifest.partial.then(|| format!("Partial: these parts hold {held} of {all}{missing}"))
    }

    /// Which parts are missing or unfinished, in words; nothing where the parts are the whole.
    fn missing(&self) -> Option<String> {
        self.parts.missing(self.plan.noun())
    }

    /// The name of the folder for the whole unless another is named.
    #[must_use]
    pub fn folder_name(&self) -> Option<String> {
        self.plan.folder_name()
    }
}

/// The parts that lie in a folder which is none itself, in the order of their names, without the whole. What has no manifest has not
/// begun.
fn parts_in(folder: &Path, whole: Option<&Path>) -> Vec<PathBuf> {
    if folder.join(MANIFEST).exists() {
        return Vec::new();
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut parts: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.join(MANIFEST).is_file()).collect();
    if let Some(whole) = whole {
        parts.retain(|path| path.canonicalize().ok().as_deref() != Some(whole));
    }
    parts.sort();
    parts
}
