//! Signals: Ctrl-C and SIGTERM ask a command to keep what is finished and to end.

use super::exit::{Exit, say};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// The signals that ask a command to end, and what they ask for. The second of a kind ends it at once.
const SIGNALS: [(i32, Exit); 2] = [(SIGINT, Exit::Interrupted), (SIGTERM, Exit::TryAgain)];

/// What signals raise.
struct Signals {
    /// Whether any came.
    stop: Arc<AtomicBool>,
    /// The place of the last among [`SIGNALS`].
    last: Arc<AtomicUsize>,
}

static RAISED: OnceLock<Signals> = OnceLock::new();

/// A flag that Ctrl-C and SIGTERM raise; the second time they end the command at once. It is the same whenever it is asked for.
pub fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    if let Some(signals) = RAISED.get() {
        return Ok(Arc::clone(&signals.stop));
    }
    let signals = RAISED.get_or_init(|| Signals { stop: Arc::default(), last: Arc::default() });
    let again = Arc::<AtomicBool>::default();
    for (place, (signal, exit)) in SIGNALS.into_iter().enumerate() {
        flag::register_conditional_shutdown(signal, exit.code().into(), Arc::clone(&again))?;
        flag::register_usize(signal, Arc::clone(&signals.last), place)?;
        flag::register(signal, Arc::clone(&signals.stop))?;
    }
    acknowledge(Arc::clone(&signals.stop), again)?;
    Ok(Arc::clone(&signals.stop))
}

/// Says at once that a signal has come, for a decision or a deal may take its time, and lets a further one stop the process soon
/// after: who ends a job often sends one signal twice, to the process and to its group.
fn acknowledge(stop: Arc<AtomicBool>, again: Arc<AtomicBool>) -> io::Result<()> {
    const LOOK: Duration = Duration::from_millis(50);
    const ONE: Duration = Duration::from_millis(500);
    let wait = move || {
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
        }
        say("Stopping; once more stops at once");
        thread::sleep(ONE);
        again.store(true, Ordering::Relaxed);
    };
    // It ends with the process.
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// A flag of its own that they raise, too: for a command that also raises it itself.
pub fn also_stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    let own = Arc::<AtomicBool>::default();
    for (signal, _) in SIGNALS {
        flag::register(signal, Arc::clone(&own))?;
    }
    Ok(own)
}

/// Has a write beyond a limit of the system on files (`ulimit -f`) fail like one to a full disk: it would end the process without a word.
#[cfg(unix)]
pub fn fail_beyond_file_limit() {
    // Where this cannot be had, all else can.
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Elsewhere there is no such limit.
#[cfg(not(unix))]
pub fn fail_beyond_file_limit() {}

/// Has SIGTERM leave the terminal as it is now, whatever an editor of lines has made of it, and end the command.
#[cfg(unix)]
pub fn restore_terminal_at_end() -> io::Result<()> {
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    use std::io::{Read as _, Write as _};
    const NO_BRACKETED_PASTE: &[u8] = b"\x1b[?2004l\r\n";
    let before = tcgetattr(io::stdin())?;
    let (mut raised, raise) = std::os::unix::net::UnixStream::pair()?;
    signal_hook::low_level::pipe::register(SIGTERM, raise)?;
    let wait = move || {
        if raised.read_exact(&mut [0]).is_ok() {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
            let _ = io::stderr().write_all(NO_BRACKETED_PASTE);
            std::process::exit(Exit::Ended.code().into());
        }
    };
    thread::Builder::new().name("terminal".to_owned()).spawn(wait).map(drop)
}

/// Elsewhere the terminal belongs to nobody else.
#[cfg(not(unix))]
pub fn restore_terminal_at_end() -> io::Result<()> {
    Ok(())
}

/// How a command ends that a signal has stopped, where it saves what is finished.
pub fn stopped() -> Exit {
    let last = RAISED.get().map_or(0, |signals| signals.last.load(Ordering::Relaxed));
    SIGNALS[last].1
}

/// The same for a command that saves nothing.
pub fn stopped_for_good() -> Exit {
    match stopped() {
        Exit::TryAgain => Exit::Ended,
        exit => exit,
    }
}
