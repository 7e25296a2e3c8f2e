//! Files of transcripts that a command reads line by line.

use super::exit::bad_input;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// An open file of transcripts.
pub struct OpenTranscripts {
    /// Its name in messages.
    pub name: String,
    pub text: Box<dyn BufRead>,
}

/// Opens a file; `-` is standard input.
///
/// # Errors
/// When it cannot be opened, or is a folder.
pub fn open(file: &Path) -> anyhow::Result<OpenTranscripts> {
    if file.as_os_str() == "-" {
        return Ok(OpenTranscripts { name: "standard input".to_owned(), text: Box::new(io::stdin().lock()) });
    }
    let name = file.display().to_string();
    let opened = match file.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => File::open(file),
    };
    let opened = opened.map_err(|error| unreadable(&name, &error))?;
    Ok(OpenTranscripts { name, text: Box::new(BufReader::new(opened)) })
}

/// The error of a file that cannot be read.
pub fn unreadable(name: &str, error: &io::Error) -> anyhow::Error {
    bad_input(format_args!("cannot read {name}: {error}"))
}
