//! The process of a player, with its pipes.
//!
//! The player and all that it starts are one process group. A guard is its first member: a shell that reads from a pipe of ours, and
//! kills the group when that pipe closes. The system closes it however we end, so no player outlives us. In an orderly end we kill
//! the group ourselves: a process that was forked from ours meanwhile holds the pipe, too. Three threads move bytes, so that neither
//! side can block the other for ever: one writes, one reads answers, one reads standard error.

use super::patience::Patience;
use knave_agents::batch::FaultKind;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The longest line of an answer, and the most bytes that wait to be read.
const LONGEST: usize = 1 << 20;

/// How many pieces of answers may wait before the player has to wait.
const PIECES: usize = 64;

/// The most bytes of standard error that wait to be taken. The last are kept: they say why a player crashed.
const MOST_LOG: usize = 1 << 16;

/// The number of the error for a file that no system can execute (`ENOEXEC`).
#[cfg(unix)]
const NO_PROGRAM: i32 = 8;

/// How long it may take until a player that was told to quit has ended, and until all that one said is here.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// The guard: it is told the number of the player, for one that leads a group of its own, as under `timeout` or `setsid`.
const GUARD: &str = "read player; read _; kill -KILL -$player 2>/dev/null; kill -KILL 0";

/// What is to be started.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    pub program: PathBuf,
    pub args: Vec<String>,
    pub env: Vec<(OsString, OsString)>,
    pub dir: Option<PathBuf>,
    /// MiB of memory and seconds of processor time; 0 for none.
    pub limits: (u32, u32),
}

/// A running player.
pub(super) struct Process {
    child: Child,
    guard: Guard,
    /// To the thread that writes.
    input: Option<Sender<Vec<u8>>>,
    /// Only ever asked by the one who owns all of this.
    pieces: Mutex<Receiver<Vec<u8>>>,
    /// What was read of lines that have not been taken.
    waiting: Vec<u8>,
    /// Where the next line begins in it.
    at: usize,
    log: Arc<Mutex<VecDeque<u8>>>,
    /// Reads its standard error into the log.
    listener: JoinHandle<()>,
}

/// A shell that kills its process group when its standard input closes.
struct Guard {
    shell: Child,
    /// `None` once the group is killed: its number may be that of another then.
    pipe: Option<ChildStdin>,
    /// The number of the player.
    player: Option<u32>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "the clock guards against players that hang; it changes no result of others"
)]
pub(super) fn now() -> Instant {
    Instant::now()
}

#[cfg(unix)]
fn in_group(command: &mut Command, group: i32) -> &mut Command {
    std::os::unix::process::CommandExt::process_group(command, group)
}

#[cfg(not(unix))]
fn in_group(command: &mut Command, _: i32) -> &mut Command {
    command
}

/// Kills all of a group, if there is one of this number.
#[cfg(unix)]
fn kill_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = Pid::from_raw(group.cast_signed()) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// Why a file that may be executed was not: the system's words tell of this file what is true of another.
fn explained(error: io::Error, program: &Path) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound if program.is_file() => {
            io::Error::other("its interpreter is missing, which a script names in its first line, after #!")
        }
        #[cfg(unix)]
        _ if error.raw_os_error() == Some(NO_PROGRAM) => io::Error::other(
            "it is no program for this machine; a script needs a first line such as #!/usr/bin/env python3",
        ),
        _ => error,
    }
}

impl Guard {
    fn new() -> io::Result<Self> {
        if cfg!(not(unix)) {
            return Err(io::Error::other("players in processes of their own need Unix"));
        }
        let mut command = Command::new("/bin/sh");
        command.args(["-c", GUARD]).env_clear();
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut shell = in_group(&mut command, 0).spawn()?;
        let pipe = shell.stdin.take();
        Ok(Self { shell, pipe, player: None })
    }

    fn group(&self) -> i32 {
        // The number of a process fits.
        self.shell.id().cast_signed()
    }

    /// Tells it the number of the player.
    fn watch(&mut self, player: u32) {
        self.player = Some(player);
        if let Some(pipe) = &mut self.pipe {
            // A guard that cannot be told still has the group.
            let _ = writeln!(pipe, "{player}");
        }
    }

    /// Kills the group, itself included, and that of a player that leads one of its own.
    fn kill(&mut self) {
        if self.pipe.take().is_some() {
            self.player.into_iter().chain([self.shell.id()]).for_each(kill_group);
            let _ = self.shell.wait();
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Process {
    /// Starts a player.
    pub(super) fn start(launch: &Launch) -> io::Result<Self> {
        let mut guard = Guard::new()?;
        let mut command = match launch.limits {
            (0, 0) => Command::new(&launch.program),
            (memory, seconds) => {
                let mut limits = String::new();
                if memory > 0 {
                    limits.push_str(&format!("ulimit -v {} && ", u64::from(memory) * 1024));
                }
                // At the soft limit it ends by SIGXCPU, which tells why. At the hard one, which may be lower already, by SIGKILL.
                if seconds > 0 {
                    let hard = u64::from(seconds) + 2;
                    limits.push_str(&format!(
                        "ulimit -S -t {seconds} && {{ ulimit -H -t {hard} 2>/dev/null || :; }} && "
                    ));
                }
                let mut shell = Command::new("/bin/sh");
                shell.arg("-c").arg(limits + "exec \"$0\" \"$@\"").arg(&launch.program);
                shell
            }
        };
        command.args(&launch.args).env_clear().envs(launch.env.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        let started = in_group(&mut command, guard.group()).spawn();
        let mut child = started.map_err(|error| explained(error, &launch.program))?;
        guard.watch(child.id());
        let missing = || io::Error::other("a pipe is missing");
        let mut stdin = child.stdin.take().ok_or_else(missing)?;
        let mut stdout = child.stdout.take().ok_or_else(missing)?;
        let mut stderr = child.stderr.take().ok_or_else(missing)?;
        let (input, lines) = mpsc::channel::<Vec<u8>>();
        thread::spawn(move || {
            for bytes in lines {
                if stdin.write_all(&bytes).is_err() {
                    return;
                }
            }
        });
        let (sender, pieces) = mpsc::sync_channel(PIECES);
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(some @ 1..) = stdout.read(&mut buffer) {
                if sender.send(buffer[..some].to_vec()).is_err() {
                    return;
                }
            }
        });
        let log = Arc::new(Mutex::new(VecDeque::new()));
        let said = Arc::clone(&log);
        let listener = thread::spawn(move || {
            let mut buffer = vec![0; 1 << 12];
            while let Ok(some @ 1..) = stderr.read(&mut buffer) {
                let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
                said.extend(&buffer[..some]);
                let over = said.len().saturating_sub(MOST_LOG);
                said.drain(..over);
            }
        });
        Ok(Self {
            child,
            guard,
            input: Some(input),
            pieces: Mutex::new(pieces),
            waiting: Vec::new(),
            at: 0,
            log,
            listener,
        })
    }

    fn pieces(&mut self) -> &mut Receiver<Vec<u8>> {
        self.pieces.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends lines.
    pub(super) fn send(&self, lines: Vec<u8>) {
        if let Some(input) = &self.input {
            // That nobody reads them shows when an answer is missing.
            let _ = input.send(lines);
        }
    }

    /// The next line, without its end; `Ok(None)` when it is no longer wanted.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn line(
        &mut self,
        patience: &mut Patience,
        stop: &AtomicBool,
    ) -> Result<Option<&[u8]>, FaultKind> {
        let mut searched = self.at;
        loop {
            if let Some(length) = self.waiting[searched..].iter().position(|&byte| byte == b'\n') {
                let (start, end) = (self.at, searched + length);
                if end - start > LONGEST {
                    return Err(FaultKind::Flood);
                }
                self.at = end + 1;
                let line = self.waiting[start..end].strip_suffix(b"\r").unwrap_or(&self.waiting[start..end]);
                return Ok(Some(line));
            }
            self.waiting.drain(..self.at);
            self.at = 0;
            searched = self.waiting.len();
            if searched > LONGEST {
                return Err(FaultKind::Flood);
            }
            // Also where one piece follows the other, none of them what is awaited.
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let look = patience.look();
            match self.pieces().recv_timeout(look) {
                Ok(piece) => self.waiting.extend_from_slice(&piece),
                // It may have answered before it ended, just now. Something that it has started may still hold its output.
                Err(RecvTimeoutError::Timeout) if self.has_ended() => {
                    match self.pieces().recv_timeout(GRACE) {
                        Ok(piece) => self.waiting.extend_from_slice(&piece),
                        Err(_) => return Err(self.ended()),
                    }
                }
                Err(RecvTimeoutError::Timeout) if look.is_zero() => return Err(FaultKind::Late),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
        }
    }

    /// What was read after the last line.
    pub(super) fn rest(&self) -> &[u8] {
        &self.waiting[self.at..]
    }

    /// How the player ended that closed its output: whether it did so by itself.
    fn ended(&mut self) -> FaultKind {
        let deadline = now() + GRACE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) if !status.success() => {
                    self.hear_out();
                    return FaultKind::Crashed;
                }
                Ok(None) if now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return FaultKind::Closed,
            }
        }
    }

    /// Takes what it said on standard error.
    pub(super) fn take_log(&self) -> Vec<u8> {
        std::mem::take(&mut *self.log.lock().unwrap_or_else(PoisonError::into_inner)).into()
    }

    /// The end of what it said, which stays to be taken.
    pub(super) fn said(&self, most: usize) -> Vec<u8> {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.range(log.len().saturating_sub(most)..).copied().collect()
    }

    /// Whether it has ended, whoever still holds its output.
    fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// How it ended, in words, if it has.
    pub(super) fn status(&mut self) -> Option<String> {
        self.child.try_wait().ok().flatten().map(|status| status.to_string())
    }

    /// How it ended, if that was no success.
    pub(super) fn failure(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok().flatten()?;
        (!status.success()).then(|| status.to_string())
    }

    /// Closes its input and waits for its end; whether it came in time.
    pub(super) fn quit(&mut self, time: Duration) -> bool {
        self.input = None;
        self.ends(time)
    }

    /// Waits for its end; whether it came in time.
    pub(super) fn ends(&mut self, time: Duration) -> bool {
        let deadline = now() + time;
        while now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return true;
            }
            // It may wait for somebody to read what it still has to say.
            while self.pieces().try_recv().is_ok() {}
            thread::sleep(Duration::from_millis(1));
        }
        false
    }

    /// Ends it at once.
    pub(super) fn kill(&mut self) {
        self.input = None;
        self.guard.kill();
        // It may have left its group.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.hear_out();
    }

    /// Waits until all that it said is in the log. Something that it has started may still hold its standard error, so not for long.
    fn hear_out(&self) {
        let deadline = now() + GRACE;
        while !self.listener.is_finished() && now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send(b"{\"type\":\"quit\"}\n".to_vec());
        self.quit(GRACE);
        self.kill();
    }
}
