//! What an unfinished training leaves beside its model: how far it is, and who is at it.

use super::{TrainError, write};
use crate::store::{FolderError, Sum, is_at, lock};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The ending of a file of progress, behind the name of the model.
pub(super) const PROGRESS: &str = ".progress";

/// That of the file that says who is at it.
pub(super) const LOCK: &str = ".lock";

/// A file of progress: what is needed to go on with a stage.
pub(super) struct ProgressFile {
    /// Whether the training was begun in place of a model that was there.
    pub replaces: bool,
    /// The stage, from 1. Earlier versions wrote none.
    pub stage: Option<usize>,
    /// The checksum of the model's header and the stages before.
    pub model: Sum,
    /// The same without the models and preset files of rivals. Earlier versions wrote none.
    pub arguments: Option<Sum>,
    /// What the training needs; nothing before it began.
    pub training: Vec<u8>,
}

/// The first line of a file of progress; what the training needs follows.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgressLine {
    replaces: bool,
    #[serde(default)]
    stage: Option<usize>,
    model: Sum,
    #[serde(default)]
    arguments: Option<Sum>,
    /// The checksum of what follows.
    training: Sum,
}

impl ProgressFile {
    /// Reads a file of progress.
    pub fn read(path: &Path) -> Result<Self, TrainError> {
        let bytes = fs::read(path).map_err(FolderError::io("read", path))?;
        let damaged = || TrainError::Damaged { path: path.to_owned() };
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or_else(damaged)?;
        let line: ProgressLine = serde_json::from_slice(&bytes[..end]).map_err(|_| damaged())?;
        let training = bytes[end + 1..].to_vec();
        if line.training != Sum::of(&training) {
            return Err(damaged());
        }
        let ProgressLine { replaces, stage, model, arguments, .. } = line;
        Ok(Self { replaces, stage, model, arguments, training })
    }

    pub fn write(&self, path: &Path) -> Result<(), TrainError> {
        let &Self { replaces, stage, model, arguments, .. } = self;
        let line = ProgressLine { replaces, stage, model, arguments, training: Sum::of(&self.training) };
        let mut bytes = serde_json::to_vec(&line).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend(&self.training);
        write(path, &bytes)
    }
}

/// A file that keeps others from training the same model, as long as it is there.
pub(super) struct Claim {
    path: PathBuf,
    _lock: Option<File>,
}

impl Claim {
    pub fn new(path: PathBuf, model: &Path) -> Result<Self, TrainError> {
        loop {
            let opened = File::options().write(true).create(true).truncate(false).open(&path);
            let opened = opened.map_err(FolderError::io("write", &path))?;
            let locked = lock(model, Some(opened))?;
            // Who had the lock until now has taken the file away: a third could make another and lock that.
            if locked.as_ref().is_none_or(|file| is_at(file, &path)) {
                return Ok(Self { _lock: locked, path });
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // A file that is left over is in nobody's way, and one with something in it is not ours.
        if self.path.metadata().is_ok_and(|data| data.len() == 0) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    /// Who waited for a claim has one that others see: the file that was waited for is gone with the one who made it.
    #[test]
    fn a_claim_that_was_waited_for_keeps_others_away() {
        let folder = tempfile::tempdir().unwrap();
        let (path, model) = (folder.path().join("m.model.lock"), folder.path().join("m.model"));
        let claim = || Claim::new(path.clone(), &model);
        let first = claim().unwrap();
        let (begins, begun) = mpsc::channel();
        let second = std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                begins.send(()).unwrap();
                // A claim is waited for a tenth of a second, and a busy machine may be slower.
                loop {
                    if let Ok(claim) = claim() {
                        return claim;
                    }
                }
            });
            begun.recv().unwrap();
            std::thread::sleep(Duration::from_millis(30));
            drop(first);
            second.join().unwrap()
        });
        assert!(claim().is_err());
        drop(second);
        claim().unwrap();
    }
}
