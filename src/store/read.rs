//! Reading what lies in a folder: anybody may have put it there.

use std::fs::File;
use std::io;
use std::path::{Component, Path};

/// Opens a file to read it. A pipe or a device would have the reader wait.
///
/// # Errors
/// When it cannot be opened, or is no plain file.
pub(crate) fn plain_file(path: &Path) -> io::Result<File> {
    if path.metadata()?.is_file() { File::open(path) } else { Err(io::Error::other("it is no plain file")) }
}

/// Whether a name is that of a file in a folder, and leads nowhere else.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let one = matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name);
    one && !name.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A manifest must not lead a reader or a writer out of its folder.
    #[test]
    fn plain_names_stay_in_their_folder() {
        for name in ["summary.csv", "a b", "..csv", ".hidden"] {
            assert!(is_plain_name(name), "{name}");
        }
        for name in ["", ".", "..", "/etc/passwd", "a/b", "../a", "./a", "a/", "a\nb", "a\u{1b}[2J"] {
            assert!(!is_plain_name(name), "{name}");
        }
    }
}
