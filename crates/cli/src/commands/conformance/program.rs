//! Somebody else's implementation, driven over its standard input and output.

use std::io::{self, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::commands::conformance::group::Group;
use crate::problem::Cause;

/// How many bytes a result may have.
const MAX_RESULT_BYTES: usize = 64 << 20;
/// How many bytes of output are taken at once.
const CHUNK_BYTES: usize = 64 << 10;
/// How many chunks wait at most to be looked at.
const WAITING: usize = 4;
/// How often a program that should end is looked at.
const GLANCE: Duration = Duration::from_millis(5);

/// A running program. It is ended with this value, and all that it has started with it.
pub(super) struct Program {
    group: Group,
    output: Receiver<io::Result<Vec<u8>>>,
    /// What has been taken of the output and is not looked at yet.
    chunk: Vec<u8>,
    at: usize,
    deadline: Duration,
    asked: usize,
    given: usize,
}

/// A line of output without its end; of a long one the beginning.
pub(super) struct Line {
    pub(super) text: Vec<u8>,
    pub(super) is_whole: bool,
}

impl Program {
    /// Starts a program and gives it requests, a line each; its standard error goes where ours does.
    ///
    /// Requests are written by one thread and output is read by another, so neither side can block the other.
    pub(super) fn start(
        words: &[String],
        deadline: Duration,
        requests: impl ExactSizeIterator<Item = Vec<u8>> + Send + 'static,
    ) -> Result<Self, Cause> {
        let (program, arguments) = words.split_first().ok_or_else(|| broken("is missing"))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut group = Group::start(&mut command).map_err(Cause::NotStarted)?;
        let (stdin, stdout) = group.pipes().ok_or_else(|| broken("has no input and output"))?;
        let asked = requests.len();
        thread::spawn(move || write_requests(stdin, requests));
        let output = read_chunks(stdout);
        Ok(Self { group, output, chunk: Vec::new(), at: 0, deadline, asked, given: 0 })
    }

    /// The next result. Of a longer one only the first `keep` bytes are kept.
    pub(super) fn next(&mut self, keep: usize) -> Result<Line, Cause> {
        let end = Instant::now() + self.deadline;
        let mut line = Vec::new();
        let mut length = 0;
        loop {
            let rest = &self.chunk[self.at..];
            let feed = rest.iter().position(|byte| *byte == b'\n');
            let part = &rest[..feed.unwrap_or(rest.len())];
            line.extend_from_slice(&part[..part.len().min(keep - line.len())]);
            length += part.len();
            self.at += part.len() + usize::from(feed.is_some());
            if length > MAX_RESULT_BYTES {
                return Err(broken(format!("gave a result of more than {MAX_RESULT_BYTES} bytes")));
            }
            let at_end = feed.is_none() && !self.read_more(end, length > 0)?;
            if at_end && length == 0 {
                return Err(self.ended_early());
            }
            if at_end || feed.is_some() {
                self.given += 1;
                return Ok(Line { is_whole: length == line.len(), text: line });
            }
        }
    }

    /// Takes the next chunk of output; whether there is one.
    fn read_more(&mut self, end: Instant, began: bool) -> Result<bool, Cause> {
        let left = end.saturating_duration_since(Instant::now());
        let read =
            if left.is_zero() { Err(RecvTimeoutError::Timeout) } else { self.output.recv_timeout(left) };
        self.at = 0;
        self.chunk = match read {
            Ok(chunk) => chunk.map_err(unreadable)?,
            Err(RecvTimeoutError::Disconnected) => Vec::new(),
            // What it has started may still hold the output open.
            Err(RecvTimeoutError::Timeout) if self.group.has_ended() => return Err(self.ended_early()),
            Err(RecvTimeoutError::Timeout) => {
                let what = if began { "gave no complete line" } else { "was silent" };
                let (seconds, given) = (self.deadline.as_secs_f64(), self.given);
                return Err(broken(format!("{what} for {seconds} s after {given} results")));
            }
        };
        Ok(!self.chunk.is_empty())
    }

    /// After the last result: the program says no more and ends in peace.
    pub(super) fn finish(mut self) -> Result<(), Cause> {
        let end = Instant::now() + self.deadline;
        loop {
            if self.at < self.chunk.len() {
                return Err(broken(format!("gave more than the {} results that were asked for", self.asked)));
            }
            match self.output.recv_timeout(GLANCE) {
                Ok(chunk) => {
                    self.at = 0;
                    self.chunk = chunk.map_err(unreadable)?;
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if Instant::now() >= end => break,
                // What it has started may still hold the output open.
                Err(RecvTimeoutError::Timeout) if self.group.has_ended() => self.group.kill(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        match self.exit_status(end) {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(broken(format!("gave every result but ended with {status}"))),
            None => Err(broken(format!(
                "did not end within {} s of its last result",
                self.deadline.as_secs_f64()
            ))),
        }
    }

    fn ended_early(&mut self) -> Cause {
        let status = self.exit_status(Instant::now() + self.deadline);
        let end = status.map_or("closed its output".into(), |status| format!("ended with {status}"));
        broken(format!("{end} after {} of {} results", self.given, self.asked))
    }

    fn exit_status(&mut self, end: Instant) -> Option<ExitStatus> {
        while !self.group.has_ended() {
            if Instant::now() >= end {
                return None;
            }
            thread::sleep(GLANCE);
        }
        self.group.end().ok()
    }
}

fn broken(what: impl Into<String>) -> Cause {
    Cause::Program(what.into())
}

fn unreadable(error: io::Error) -> Cause {
    broken(format!("cannot be read from: {}", error.kind()))
}

/// Writes all requests and closes the input. A program that stops reading shows that by its results.
fn write_requests(stdin: ChildStdin, requests: impl Iterator<Item = Vec<u8>>) {
    let mut input = io::BufWriter::with_capacity(CHUNK_BYTES, stdin);
    for mut request in requests {
        request.push(b'\n');
        if input.write_all(&request).is_err() {
            break;
        }
    }
    let _ = input.flush();
}

fn read_chunks(stdout: ChildStdout) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::spawn(move || send_chunks(stdout, &sender));
    receiver
}

fn send_chunks(mut output: ChildStdout, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        let read = match output.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => Ok(buffer[..length].to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let failed = read.is_err();
        if sender.send(read).is_err() || failed {
            return;
        }
    }
}
