//! What comes in: lines, one when it is wanted, and a signal at any time.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::interrupt;
use crate::lines::next_line;

/// How many bytes of a line are kept. A text of so many has more UTF-16 units than a session takes, at three bytes a unit.
const MAX_LINE_BYTES: usize = 3 * 16_384 + 4;

/// What has come in.
#[derive(Debug)]
pub(super) enum Heard {
    /// A line of text.
    Line(String),
    /// A line that is no text.
    NotText,
    /// The end of input.
    End,
    /// The input cannot be read any further.
    Unreadable(io::Error),
    /// Somebody ends the program.
    Signal,
}

/// Standard input.
pub(super) struct Listener {
    wanted: Sender<()>,
    heard: Receiver<Heard>,
    hears: Sender<Heard>,
}

impl Listener {
    /// Begins to listen. A line is read when it is wanted, not before.
    pub(super) fn new() -> io::Result<Self> {
        let (wanted, wants) = channel::<()>();
        let (hears, heard) = channel();
        let lines = hears.clone();
        let read = move || {
            let mut input = io::stdin().lock();
            while wants.recv().is_ok() {
                let line = match next_line(&mut input, MAX_LINE_BYTES) {
                    Ok(Some(Some(line))) => Heard::Line(line),
                    Ok(Some(None)) => Heard::NotText,
                    Ok(None) => Heard::End,
                    Err(error) => Heard::Unreadable(error),
                };
                if lines.send(line).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().name("input".into()).spawn(read)?;
        Ok(Self { wanted, heard, hears })
    }

    /// From now on a signal is heard instead of ending the program.
    pub(super) fn heed_signals(&self) {
        let hears = self.hears.clone();
        interrupt::tell(move || drop(hears.send(Heard::Signal)));
    }

    /// What comes next.
    pub(super) fn next(&self) -> Heard {
        match self.wanted.send(()).map(|()| self.heard.recv()) {
            Ok(Ok(heard)) => heard,
            _ => Heard::End,
        }
    }
}
