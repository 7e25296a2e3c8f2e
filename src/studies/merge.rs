//! Parts of one plan, done apart, joined to the whole.

use super::join::{MergeRequestError, Out};
use super::outcome::{Done, SessionError};
use super::planned::{Planned, Planner};
use super::{Request, RequestError};
use crate::store::{Existing, Parts, PlanRecord};
use std::path::{Path, PathBuf};

/// Folders that hold parts of one plan, checked.
pub struct Merge {
    parts: Parts,
    plan: Box<dyn Planned>,
}

impl Merge {
    /// Reads the parts, and checks that they are different ones of one plan that is still the same today.
    ///
    /// # Errors
    /// Names the folder that cannot be read or does not belong to the others, or says what has changed.
    pub fn new(registry: &impl Planner, folders: &[PathBuf]) -> Result<Self, SessionError> {
        let parts = Parts::read(folders)?;
        let changed =
            |why: String| SessionError::Request(RequestError::new("parts", MergeRequestError::Changed(why)));
        let request = Request::recorded(&parts.plan).map_err(|error| changed(error.to_string()))?;
        let plan = registry.plan(&request).map_err(|error| changed(error.to_string()))?;
        let again = PlanRecord { shard: parts.plan.shard, ..plan.record() };
        if again != parts.plan {
            return Err(changed(format!("{} since", parts.plan.difference(&again))));
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

    /// How many indices the parts hold, and how many there are.
    #[must_use]
    pub fn held(&self) -> (u64, u64) {
        (self.parts.ranges.len(), self.parts.plan.size())
    }
}
