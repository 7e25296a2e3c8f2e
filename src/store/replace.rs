//! Atomic replacement: a file that is never seen half written.

use std::io::{self, Write as _};
use std::path::Path;
use tempfile::NamedTempFile;

/// How the name of a file ends that is to take the place of another; it begins with a dot.
const FRESH: &str = ".new";

/// An empty file beside `path` that can take its place.
pub(crate) fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    let builder = builder.prefix(&prefix).suffix(FRESH);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    readable(builder).tempfile_in(folder.unwrap_or(Path::new("."))).map_err(without_path)
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
    builder.permissions(std::fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn readable<'a, 'p, 's>(builder: &'a mut tempfile::Builder<'p, 's>) -> &'a mut tempfile::Builder<'p, 's> {
    builder
}

/// Puts such a file in the place of `path`, with all its bytes on the disk.
pub(crate) fn put(fresh: NamedTempFile, path: &Path) -> io::Result<()> {
    fresh.as_file().sync_data()?;
    fresh.persist(path)?;
    Ok(())
}

/// Puts this text in place of a file.
pub(crate) fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut fresh = beside(path)?;
    fresh.write_all(text)?;
    put(fresh, path)
}

/// Whether a file of this name was left by a process that was killed while it replaced a file.
pub(crate) fn is_left_over(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(FRESH)
}
