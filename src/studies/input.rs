//! Files that requests name.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

/// The bytes of a file; `-` is standard input.
pub(super) fn read(file: &Path) -> io::Result<Vec<u8>> {
    if file.as_os_str() != "-" {
        return fs::read(file);
    }
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    Ok(text)
}
