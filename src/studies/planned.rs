//! A planned study, whatever its kind and game.

use super::carry_out::{How, carry_out, is_intact};
use super::join::{Out, join};
use super::outcome::{Done, SessionError, SessionObserver};
use super::study_plan::{Outputs, StudyPlan};
use super::{Request, RequestError};
use crate::store::{Journal, Parts, PlanRecord};
use std::path::Path;

/// Plans requests: a registry of games.
pub trait Planner {
    /// Checks a request, and prepares its agents.
    ///
    /// # Errors
    /// Names the field, its value and what would be right.
    fn plan(&self, request: &Request) -> Result<Box<dyn Planned>, RequestError>;
}

/// A planned study of any kind and game.
pub trait Planned: Send + Sync {
    /// The resolved request.
    fn record(&self) -> PlanRecord;

    /// Notes for the user.
    fn notes(&self) -> Vec<String>;

    /// The name of the folder for the results unless another is named.
    fn folder_name(&self) -> Option<String>;

    /// What is counted: `games` or `deals`.
    fn noun(&self) -> &'static str;

    /// The files of results with these outputs, which are checked.
    ///
    /// # Errors
    /// When this kind of study cannot write them.
    fn file_names(&self, outputs: &Outputs) -> Result<Vec<String>, RequestError>;

    /// Checks that parts of the work can be done apart.
    ///
    /// # Errors
    /// Says why not.
    fn check_shards(&self) -> Result<(), RequestError>;

    #[doc(hidden)]
    fn is_intact(&self, folder: &Path, journal: &Journal) -> bool;

    #[doc(hidden)]
    fn carry_out(&self, how: How<'_>, observer: &mut dyn SessionObserver) -> Result<Done, SessionError>;

    #[doc(hidden)]
    fn merge(&self, parts: &Parts, out: Out<'_>) -> Result<Done, SessionError>;
}

impl<S: StudyPlan> Planned for S {
    fn record(&self) -> PlanRecord {
        StudyPlan::record(self)
    }

    fn notes(&self) -> Vec<String> {
        StudyPlan::notes(self)
    }

    fn folder_name(&self) -> Option<String> {
        StudyPlan::folder_name(self)
    }

    fn noun(&self) -> &'static str {
        StudyPlan::noun(self)
    }

    fn file_names(&self, outputs: &Outputs) -> Result<Vec<String>, RequestError> {
        Ok(self.files(outputs)?.names().map(ToOwned::to_owned).collect())
    }

    fn check_shards(&self) -> Result<(), RequestError> {
        StudyPlan::check_shards(self)
    }

    fn is_intact(&self, folder: &Path, journal: &Journal) -> bool {
        is_intact(self, folder, journal)
    }

    fn carry_out(&self, how: How<'_>, observer: &mut dyn SessionObserver) -> Result<Done, SessionError> {
        carry_out(self, how, observer)
    }

    fn merge(&self, parts: &Parts, out: Out<'_>) -> Result<Done, SessionError> {
        join(self, parts, out)
    }
}
