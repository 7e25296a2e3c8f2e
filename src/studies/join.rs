//! Joins parts of one plan: adds up their counts, and writes the tables of the whole.

use super::carry_out::tables;
use super::outcome::{Done, End, SessionError};
use super::request::RequestError;
use super::study_plan::{Outputs, StudyPlan};
use crate::numbers::thousands;
use crate::store::{
    Existing, Folder, FolderError, GAMES_PARQUET, HAS_PARQUET, Journal, Manifest, Parts, Writer,
};
use std::path::{Path, PathBuf};

/// Why parts cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeRequestError {
    /// What their manifests ask for is refused today.
    #[error("these parts cannot be joined: {0}")]
    Changed(String),
    /// The folder for the whole holds a part.
    #[error("--out: {out} is one of the parts", out = out.display())]
    Part {
        /// The folder.
        out: PathBuf,
    },
}

/// Where the whole goes.
#[derive(Copy, Clone)]
pub struct Out<'a> {
    pub(super) folder: &'a Path,
    pub(super) existing: Existing,
}

/// Adds up the counts of the parts and writes the tables of the whole.
pub(super) fn join<T: Send>(
    study: &dyn StudyPlan<Totals = T>,
    parts: &Parts,
    out: Out<'_>,
) -> Result<Done, SessionError> {
    let holds = |table: &str| parts.files().iter().any(|name| name == table);
    let all = Outputs { rows: true, ..Outputs::default() };
    let rows = study.files(&all).is_ok_and(|files| files.rows.iter().any(|table| holds(table.file)));
    let outputs = Outputs { rows, parquet: holds(GAMES_PARQUET), ..Outputs::default() };
    if outputs.parquet && !HAS_PARQUET {
        let why = format!("they hold {GAMES_PARQUET}, and this sim was built without --features parquet");
        return Err(RequestError::new("parts", MergeRequestError::Changed(why)).into());
    }
    let files = study.files(&outputs)?;
    if !files.names().eq(parts.files().iter().map(String::as_str)) {
        let why = "their manifests list their files otherwise than a run does".to_owned();
        return Err(RequestError::new("parts", MergeRequestError::Changed(why)).into());
    }
    let job = study.job(&Outputs::default());
    parts.check_rows(&files.rows)?;
    let totals = parts.totals(&*job)?;
    let tables = tables(study, &totals, &files)?;
    let done = |manifest: Manifest, tables, before| {
        let summary = study.summary(&totals, &manifest);
        Done { manifest, tables, summary, folder: Some(out.folder.to_owned()), end: End::Complete, before }
    };
    let check = |existing| Folder::check(out.folder, &parts.plan, &files, existing);
    let taken = |what: String| Err(FolderError::Taken { path: out.folder.to_owned(), what });
    let folder = match check(out.existing) {
        Ok(folder) if folder.resumed().is_some() => {
            let held = is_held(out.folder, parts);
            if held
                && folder.is_finished(&files, &tables)
                && let Some((old, _)) = folder.resumed()
            {
                return Ok(done(old.clone(), tables, true));
            }
            drop(folder);
            if held {
                check(Existing::Remake)
            } else {
                taken("holds more of this plan than these parts do".to_owned())
            }
        }
        // What joining began is done anew, and so is whatever else the parts hold as well.
        Err(FolderError::Unfinished { .. } | FolderError::Gaps { .. }) if is_held(out.folder, parts) => {
            check(Existing::Remake)
        }
        Err(FolderError::Unfinished { finished, .. }) => {
            taken(format!("holds an unfinished run of this plan ({} done)", thousands(finished)))
        }
        checked => checked,
    }?;
    let mut writer = Writer::open(Some(folder), Manifest::new(parts.plan.clone()), &files)?;
    parts.copy_rows(&files.rows, &mut writer)?;
    parts.copy_log(&mut writer);
    // The end tells of failures.
    let _ = writer.keep(&parts.ranges, job.record(&totals), parts.timing.clone());
    tables.iter().for_each(|table| writer.table(table));
    let held = parts.ranges.len();
    // A comparison that ended early, because it knew enough, is whole.
    let enough = held.is_multiple_of(job.round()) && job.is_enough(&totals);
    let partial = held < parts.plan.size() && !enough;
    let manifest =
        writer.finish(partial).map_err(|source| SessionError::Unwritten { source, kept: false })?;
    Ok(done(manifest, tables, false))
}

/// Whether parts hold all that a folder of the same plan does.
fn is_held(folder: &Path, parts: &Parts) -> bool {
    Journal::read(folder).is_ok_and(|journal| parts.ranges.covers(&journal.ranges))
}
