//! Files that requests name, and their lines.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, ErrorKind, Read as _};
use std::iter::from_fn;
use std::path::{Path, PathBuf};

/// What some editors begin a file with.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The bytes of a file; `-` is standard input.
pub(super) fn read(file: &Path) -> io::Result<Vec<u8>> {
    if file.as_os_str() != "-" {
        return fs::read(file);
    }
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    Ok(text)
}

/// The first of these paths that leads to the same place as one before it: a file has many names.
pub(crate) fn named_twice(paths: &[PathBuf]) -> Option<&PathBuf> {
    let mut places = BTreeSet::new();
    paths.iter().find(|path| !places.insert(path.canonicalize().unwrap_or_else(|_| path.to_path_buf())))
}

/// The lines that hold something, with their numbers from 1: without blanks around them, the returns that other systems end
/// lines with among them. One that is no text is [`ErrorKind::InvalidData`].
pub(crate) fn lines(mut input: impl BufRead) -> impl Iterator<Item = (usize, io::Result<String>)> {
    let (mut number, mut failed) = (0, false);
    from_fn(move || {
        while !failed {
            number += 1;
            let mut line = Vec::new();
            match input.read_until(b'\n', &mut line) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => {
                    failed = true;
                    return Some((number, Err(error)));
                }
            }
            let Ok(text) = str::from_utf8(&line) else {
                return Some((number, Err(io::Error::new(ErrorKind::InvalidData, "not UTF-8 text"))));
            };
            let text = if number == 1 { text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text) } else { text };
            if !text.trim().is_empty() {
                return Some((number, Ok(text.trim().to_owned())));
            }
        }
        None
    })
}
