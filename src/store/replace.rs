//! Atomic replacement: a file that is never seen half written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// How the name of a file ends that is to take the place of another; it begins with a dot.
const FRESH: &str = ".new";

/// An empty file beside `path` that can take its place.
pub(crate) fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    let builder = builder.prefix(&prefix).suffix(FRESH).rand_bytes(RANDOM);
    readable(builder).tempfile_in(folder_of(path)).map_err(without_path)
}

/// The folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The error without the random name of the file, which tempfile adds and nobody knows.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason),
        None => error,
    }
}

/// Results are for everybody whom the user's mask lets read them; a temporary file is for its owner alone.
#[cfg(unix)]
fn readable<'a, 'p, 's>(builder: &'a mut tempfile::Builder<'p, 's>) -> &'a mut tempfile::Builder<'p, 's> {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn readable<'a, 'p, 's>(builder: &'a mut tempfile::Builder<'p, 's>) -> &'a mut tempfile::Builder<'p, 's> {
    builder
}

/// Puts such a file in the place of `path`, a durable one with all its bytes on the disk.
pub(crate) fn put(fresh: NamedTempFile, path: &Path, durable: bool) -> io::Result<()> {
    if durable {
        fresh.as_file().sync_data()?;
    }
    fresh.persist(path).map_err(|error| without_path(error.error))?;
    Ok(())
}

/// What is written bit by bit, and takes the place of a file once it is whole. A link stays, and the file to which it leads is
/// replaced. What is no plain file, a device say, takes the bytes and stays what it is.
pub(crate) enum Replacement {
    Fresh(NamedTempFile, PathBuf),
    Device(File),
}

impl Replacement {
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        if path.metadata().is_ok_and(|data| !data.is_file()) {
            return Ok(Self::Device(File::options().write(true).open(path)?));
        }
        let target = if path.is_symlink() { fs::canonicalize(path)? } else { path.to_owned() };
        Ok(Self::Fresh(beside(&target)?, target))
    }

    /// Puts it in its place. Without this the file stays as it was.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.end(true)
    }

    fn end(self, durable: bool) -> io::Result<()> {
        match self {
            Self::Fresh(fresh, path) => put(fresh, &path, durable),
            Self::Device(_) => Ok(()),
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Fresh(fresh, _) => fresh.write(bytes).map_err(without_path),
            Self::Device(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Fresh(fresh, _) => fresh.flush().map_err(without_path),
            Self::Device(file) => file.flush(),
        }
    }
}

/// Puts this text in place of a file.
pub(crate) fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    replace_as(path, text, true)
}

/// The same for a file that is durable, or need not be.
pub(super) fn replace_as(path: &Path, text: &[u8], durable: bool) -> io::Result<()> {
    let mut file = Replacement::of(path)?;
    file.write_all(text)?;
    file.end(durable)
}

/// How many random characters [`beside`] puts into a name.
const RANDOM: usize = 6;

/// Whether a file of this name was left by a process that was killed while it replaced the file `of`.
fn is_left_over(name: &str, of: &str) -> bool {
    let rest = name.strip_prefix('.').and_then(|name| name.strip_prefix(of));
    let random = rest.and_then(|rest| rest.strip_prefix('.')).and_then(|rest| rest.strip_suffix(FRESH));
    random.is_some_and(|text| text.len() == RANDOM && text.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Whether a file of this name was left by a process that was killed while it replaced one of these files.
pub(crate) fn left_over(name: &str, names: &[String]) -> bool {
    names.iter().any(|own| is_left_over(name, own))
}

/// Removes from a folder what processes have left that were killed while they replaced these files. Nobody else may write them now.
pub(crate) fn remove_left_overs(folder: &Path, names: &[String]) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| left_over(name, names)) {
            // What cannot be removed is in nobody's way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a file of this name could be one that is about to take the place of another.
pub(crate) fn is_fresh(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(FRESH)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is removed as left over must be what was made here, and nobody's diary.
    #[test]
    fn own_left_overs_are_known() {
        let folder = tempfile::tempdir().unwrap();
        let fresh = beside(&folder.path().join("journal.json")).unwrap();
        let name = fresh.path().file_name().unwrap().to_str().unwrap();
        assert!(is_left_over(name, "journal.json") && !is_left_over(name, "games.csv"), "{name}");
        for other in
            [".diary.new", ".journal.json.new", ".journal.json.a.b.c1.new", "journal.json.abcdef.new"]
        {
            assert!(!is_left_over(other, "journal.json"), "{other}");
        }
    }
}
