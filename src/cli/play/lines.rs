//! The lines that a person types, in an editor or as they come.

use crate::cli::exit::{complain, say};
use crate::cli::signals::restore_terminal_at_end;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::collections::VecDeque;
use std::io::{self, ErrorKind};

/// Where lines come from.
pub enum Lines {
    Plain,
    /// What is pasted can have several lines: those that are still to be taken.
    Edited(Box<Editor<Words, MemHistory>>, VecDeque<String>),
}

/// Completes what can be typed.
#[derive(Default)]
pub struct Words(Vec<String>);

impl Helper for Words {}
impl Highlighter for Words {}
impl Validator for Words {}

impl Hinter for Words {
    type Hint = String;
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = &line[..end];
        Ok((0, self.0.iter().filter(|word| word.starts_with(begun)).cloned().collect()))
    }
}

impl Lines {
    /// The editor of lines, for a terminal.
    pub fn editor() -> anyhow::Result<Self> {
        restore_terminal_at_end()?;
        let mut editor = Editor::new()?;
        editor.set_helper(Some(Words::default()));
        Ok(Self::Edited(Box::new(editor), VecDeque::new()))
    }

    /// The next line; nothing at the end.
    pub fn next(&mut self, words: Vec<String>) -> anyhow::Result<Option<String>> {
        if let Self::Edited(editor, _) = self
            && let Some(helper) = editor.helper_mut()
        {
            helper.0 = words;
        }
        loop {
            match self.read() {
                Ok(line) => return Ok(Some(line)),
                Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                    complain("that is not UTF-8 text");
                }
                // It may have been meant for a hint that was just finished.
                Err(ReadlineError::Interrupted) => say("`quit` leaves the game"),
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn read(&mut self) -> rustyline::Result<String> {
        match self {
            Self::Plain => {
                let mut line = String::new();
                if io::stdin().read_line(&mut line)? > 0 { Ok(line) } else { Err(ReadlineError::Eof) }
            }
            Self::Edited(editor, pasted) => loop {
                if let Some(line) = pasted.pop_front() {
                    editor.add_history_entry(&line)?;
                    return Ok(line);
                }
                pasted.extend(editor.readline("> ")?.lines().map(ToOwned::to_owned));
            },
        }
    }
}
