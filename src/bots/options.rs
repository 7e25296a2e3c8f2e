//! How a player in a process of its own is named.

use super::process::Launch;
use crate::store::{PROGRAM, Sum};
use knave_agents::kit::Used;
use knave_agents::options::{OptionError, Options};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::env;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options of `exec`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ExecOptions {
    /// The program and its arguments, in words as a shell has them, but no shell reads them
    pub command: String,
    /// Further arguments, a list such as `["--depth","3,5"]`: a comma or a blank may stand in one
    pub args: Vec<String>,
    /// The environment: names of variables that the program gets as they are, or `NAME=value`, separated by blanks. It gets no others
    pub env: String,
    /// The folder in which it runs; empty for the current one
    pub dir: String,
    /// How many games it plays at once
    #[schemars(range(min = 1, max = 65_536))]
    pub batch: u32,
    /// Seconds without an answer, from the questions or from the answer before on
    #[schemars(range(min = 0.001, max = 1e6))]
    pub timeout: f64,
    /// Seconds for its first answer
    #[schemars(range(min = 0.001, max = 1e6))]
    pub start_timeout: f64,
    /// What a missing or wrong answer leads to: the run stops, the game is lost (what is left of it is played at random), or the
    /// one move is drawn at random
    pub on_fault: OnFault,
    /// The most address space of a process in MiB (ulimit -v), also what it only reserves; 0 for no limit
    #[schemars(range(max = 1_048_576))]
    pub memory_mb: u32,
    /// The most processor time of a process in its whole life, in seconds; 0 for no limit
    pub cpu_seconds: u32,
}

/// What a missing or wrong answer leads to.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnFault {
    /// The run stops.
    #[default]
    Stop,
    /// The game is lost; what is left of it is played at random.
    Forfeit,
    /// The move is drawn at random.
    Random,
}

impl Default for ExecOptions {
    fn default() -> Self {
        Self {
            command: String::new(),
            args: Vec::new(),
            env: "PATH".to_owned(),
            dir: String::new(),
            batch: 64,
            timeout: 60.0,
            start_timeout: 10.0,
            on_fault: OnFault::Stop,
            memory_mb: 0,
            cpu_seconds: 0,
        }
    }
}

impl Options for ExecOptions {
    /// Finds the program.
    fn check(&self) -> Result<(), OptionError> {
        self.launch().map(|_| ())
    }
}

impl ExecOptions {
    /// What is to be started.
    pub(super) fn launch(&self) -> Result<Launch, OptionError> {
        let refused = |name, value: &String, reason: &str| Err(OptionError::refused(name, value, reason));
        let Some(words) = shlex::split(&self.command) else {
            return refused("command", &self.command, "a quotation mark is missing");
        };
        let [program, args @ ..] = &words[..] else {
            return refused("command", &self.command, "expected a program, such as: python3 bot.py");
        };
        let dir = if self.dir.is_empty() { None } else { Some(PathBuf::from(&self.dir)) };
        if dir.as_ref().is_some_and(|dir| !dir.is_dir()) {
            return refused("dir", &self.dir, "there is no such folder");
        }
        let program = match find(program, dir.as_deref()) {
            Ok(program) => program,
            Err(reason) => return refused("command", &self.command, reason),
        };
        let mut env = Vec::new();
        for word in self.env.split_whitespace() {
            match word.split_once('=') {
                Some(("", _)) => return refused("env", &self.env, "expected names, or NAME=value"),
                Some((name, value)) => env.push((name.into(), value.into())),
                None => env.extend(env::var_os(word).map(|value| (word.into(), value))),
            }
        }
        let args = args.iter().chain(&self.args).cloned().collect();
        let limits = (self.memory_mb, self.cpu_seconds);
        Ok(Launch { program, args, env, dir, limits })
    }

    /// The files of the command that make the player, with their hashes: the program, unless it is found on the `PATH`, and if it is no
    /// script itself, the first argument that is a file, such as the script of an interpreter.
    pub(super) fn files(&self) -> Vec<Used> {
        let words = shlex::split(&self.command).unwrap_or_default();
        let found = |word: &String| hashed(&Path::new(&self.dir).join(word)).map(|file| (word.clone(), file));
        let program = words.first().filter(|program| program.contains('/')).and_then(found);
        let is_player = program.as_ref().is_some_and(|(_, file)| file.is_script);
        let script = if is_player { None } else { words.iter().skip(1).find_map(found) };
        let used = |(name, file): (String, Hashed)| Used {
            kind: PROGRAM,
            name,
            fnv1a: Some(file.sum.to_string()),
            model: None,
        };
        program.into_iter().chain(script).map(used).collect()
    }

    pub(super) fn timeouts(&self) -> (Duration, Duration) {
        (Duration::from_secs_f64(self.start_timeout), Duration::from_secs_f64(self.timeout))
    }
}

/// A file of a program.
struct Hashed {
    sum: Sum,
    /// Whether its first line says what runs it.
    is_script: bool,
}

/// The hash of a file; nothing where there is none, or where it cannot be read.
fn hashed(path: &Path) -> Option<Hashed> {
    let mut file = Some(path).filter(|path| path.is_file()).and_then(|path| File::open(path).ok())?;
    let mut bytes = vec![0; 1 << 16];
    let mut read = file.read(&mut bytes).ok()?;
    let mut hashed = Hashed { sum: Sum::default(), is_script: bytes[..read].starts_with(b"#!") };
    while read > 0 {
        hashed.sum.add(&bytes[..read]);
        read = file.read(&mut bytes).ok()?;
    }
    Some(hashed)
}

/// The file of a program: a path as it is, seen from the folder in which it runs; a mere name on the `PATH`.
///
/// # Errors
/// Says what would be right.
fn find(program: &str, dir: Option<&Path>) -> Result<PathBuf, &'static str> {
    const NONE: &str = "no such program: expected one on the PATH, or the path of one";
    let is_program = |path: &Path| {
        #[cfg(unix)]
        let runs = |data: &std::fs::Metadata| {
            std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 != 0
        };
        #[cfg(not(unix))]
        let runs = |_: &std::fs::Metadata| true;
        path.metadata().is_ok_and(|data| data.is_file() && runs(&data))
    };
    let here = env::current_dir().map_err(|_| NONE)?;
    if program.contains('/') {
        let path = here.join(dir.unwrap_or(Path::new(""))).join(program);
        return match path {
            path if is_program(&path) => Ok(path),
            path if path.is_file() => Err(
                "this file cannot be executed: allow it with chmod +x, or name what runs it, as in: python3 bot.py",
            ),
            _ => Err(NONE),
        };
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut paths = env::split_paths(&folders).map(|folder| here.join(folder).join(program));
    paths.find(|path| is_program(path)).ok_or(NONE)
}
