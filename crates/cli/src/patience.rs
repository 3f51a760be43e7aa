//! Telling a person who waits what for.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use crate::output;

/// How long nothing is said.
const PATIENCE: Duration = Duration::from_secs(1);

/// Work that is going on; dropping it ends the telling.
pub(crate) struct Waiting(Option<Sender<()>>);

/// Says on a terminal what is going on, should it take longer than a second.
pub(crate) fn tell(work: &'static str) -> Waiting {
    if !io::stderr().is_terminal() {
        return Waiting(None);
    }
    let (done, waits) = mpsc::channel::<()>();
    let tell = move || {
        if waits.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            output::complain(&format!("{work} …"));
        }
    };
    let _ = thread::Builder::new().name("patience".into()).spawn(tell);
    Waiting(Some(done))
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.0.take());
    }
}
