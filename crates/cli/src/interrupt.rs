//! What must not be left behind when somebody ends the program: files that are half written, programs that it runs.
//!
//! Whatever is loose is noted here. On Ctrl-C, SIGTERM or SIGQUIT it is removed, and the program ends by that signal
//! as it would have ended anyhow. While the notes are locked a signal waits: what is done in one go stays in one go.
//! Whoever has something to finish is told of the first signal instead, and ends the program by it afterwards.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

static NOTES: Mutex<Noted> = Mutex::new(Noted { loose: Vec::new(), tell: None, told: None });
static WATCH: Once = Once::new();

/// Something that ends with the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Loose {
    /// A file that is still being written.
    File(PathBuf),
    /// A program and all that it has started. It is told the signal first, and has a moment to follow it.
    #[cfg(unix)]
    Group(rustix::process::Pid),
}

/// What is noted.
#[cfg_attr(not(unix), allow(dead_code, reason = "there are no signals"))]
struct Noted {
    loose: Vec<Loose>,
    /// Who is told of the next signal, which then does not end the program.
    tell: Option<Box<dyn FnOnce() + Send>>,
    /// The signal that somebody was told of.
    told: Option<i32>,
}

/// The notes, locked: no signal ends the program meanwhile.
pub(crate) struct Notes(MutexGuard<'static, Noted>);

/// Locks the notes. From the first time on, signals are watched.
pub(crate) fn notes() -> Notes {
    WATCH.call_once(signals::watch);
    lock()
}

fn lock() -> Notes {
    Notes(NOTES.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Tells somebody of the first signal instead of ending the program by it; a second one ends it.
pub(crate) fn tell(listener: impl FnOnce() + Send + 'static) {
    notes().0.tell = Some(Box::new(listener));
}

/// Ends the program by the signal that somebody was told of, if there was one.
pub(crate) fn follow() {
    #[cfg(unix)]
    if let Some(signal) = lock().0.told {
        signals::follow(signal);
    }
}

impl Notes {
    /// Notes what is loose now.
    pub(crate) fn add(&mut self, loose: Loose) {
        self.0.loose.push(loose);
    }

    /// What was loose is in order.
    pub(crate) fn strike(&mut self, loose: &Loose) {
        self.0.loose.retain(|noted| noted != loose);
    }
}

#[cfg(unix)]
mod signals {
    use std::fs;
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use signal_hook::consts::{SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{Loose, lock};

    /// How long a program may take to follow a signal.
    const GRACE: Duration = Duration::from_millis(500);
    /// How often it is looked at.
    const GLANCE: Duration = Duration::from_millis(5);

    /// Where signals cannot be watched they do what they always do.
    pub(super) fn watch() {
        // A file that grows beyond its limit is an error of writing once this signal is taken.
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGQUIT, SIGXFSZ]) {
            let work = move || signals.forever().filter(|signal| *signal != SIGXFSZ).for_each(end);
            let _ = thread::Builder::new().name("signals".into()).spawn(work);
        }
    }

    fn end(signal: i32) {
        let mut notes = lock();
        if let Some(tell) = notes.0.tell.take() {
            notes.0.told = Some(signal);
            drop(notes);
            return tell();
        }
        // Locked until the end of the program.
        for loose in &notes.0.loose {
            match loose {
                // It may have taken its place already.
                Loose::File(path) => drop(fs::remove_file(path)),
                Loose::Group(leader) => end_group(*leader, signal),
            }
        }
        follow(signal);
    }

    pub(super) fn follow(signal: i32) -> ! {
        let _ = emulate_default_handler(signal);
        std::process::exit(128 + signal);
    }

    fn end_group(leader: Pid, signal: i32) {
        let signal = match signal {
            SIGINT => Signal::INT,
            SIGQUIT => Signal::QUIT,
            _ => Signal::TERM,
        };
        let _ = kill_process_group(leader, signal);
        let end = Instant::now() + GRACE;
        while !has_ended(leader) && Instant::now() < end {
            thread::sleep(GLANCE);
        }
        let _ = kill_process_group(leader, Signal::KILL);
    }

    /// Whether a child has ended, without letting go of its number.
    pub(crate) fn has_ended(child: Pid) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(child), options), Ok(None))
    }
}

#[cfg(unix)]
pub(crate) use signals::has_ended;

#[cfg(not(unix))]
mod signals {
    pub(super) fn watch() {}
}
