//! Somebody else's implementation, driven over its standard input and output.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::problem::Cause;

/// How many bytes a result may have.
const MAX_RESULT_BYTES: u64 = 64 << 20;
/// How many results wait at most to be looked at.
const WAITING: usize = 256;
/// How often a program that should end is looked at.
const GLANCE: Duration = Duration::from_millis(5);

/// A running program, ended with this value if it has not ended by itself.
pub(super) struct Program {
    child: Child,
    deadline: Duration,
}

/// A line of the program's output, without its end.
type Line = io::Result<Vec<u8>>;

impl Program {
    /// Starts a program; its standard error goes where ours does.
    pub(super) fn start(words: &[String], deadline: Duration) -> Result<Self, Cause> {
        let (program, arguments) = words.split_first().ok_or_else(|| broken("is missing"))?;
        Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map(|child| Self { child, deadline })
            .map_err(Cause::NotStarted)
    }

    /// The result of every request, in order, from a program that then ends in peace.
    ///
    /// Requests are written by one thread and results read by another, so neither side can block the other.
    pub(super) fn answer(mut self, requests: &[&[u8]]) -> Result<Vec<Value>, Cause> {
        let (Some(stdin), Some(stdout)) = (self.child.stdin.take(), self.child.stdout.take()) else {
            return Err(broken("has no input and output"));
        };
        write_requests(stdin, requests);
        let lines = read_lines(stdout);
        let mut results = Vec::with_capacity(requests.len());
        for _ in requests {
            match self.next(&lines, results.len())? {
                Some(line) => results.push(result(&line)),
                None => return Err(self.ended_early(results.len(), requests.len())),
            }
        }
        if self.next(&lines, results.len())?.is_some() {
            return Err(broken(format!("gave more than the {} results that were asked for", requests.len())));
        }
        match self.exit_status() {
            Some(status) if status.success() => Ok(results),
            Some(status) => Err(broken(format!("gave every result but ended with {status}"))),
            None => Err(broken(format!(
                "did not end within {} s of its last result",
                self.deadline.as_secs_f64()
            ))),
        }
    }

    /// The next line, or nothing at the end of output.
    fn next(&self, lines: &Receiver<Line>, before: usize) -> Result<Option<Vec<u8>>, Cause> {
        match lines.recv_timeout(self.deadline) {
            Ok(Ok(line)) => Ok(Some(line)),
            Ok(Err(error)) => Err(broken(format!("cannot be read from: {}", error.kind()))),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(broken(format!(
                "was silent for {} s after {before} results",
                self.deadline.as_secs_f64()
            ))),
        }
    }

    fn ended_early(&mut self, given: usize, asked: usize) -> Cause {
        let end =
            self.exit_status().map_or("closed its output".into(), |status| format!("ended with {status}"));
        broken(format!("{end} after {given} of {asked} results"))
    }

    fn exit_status(&mut self) -> Option<std::process::ExitStatus> {
        let end = Instant::now() + self.deadline;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < end => thread::sleep(GLANCE),
                _ => return None,
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // One that has ended already needs neither.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn broken(what: impl Into<String>) -> Cause {
    Cause::Program(what.into())
}

/// Writes all requests and closes the input. A program that stops reading shows that by its results.
fn write_requests(mut stdin: ChildStdin, requests: &[&[u8]]) {
    let mut text = Vec::with_capacity(requests.iter().map(|request| request.len() + 1).sum());
    for request in requests {
        text.extend_from_slice(request);
        text.push(b'\n');
    }
    thread::spawn(move || stdin.write_all(&text));
}

fn read_lines(stdout: ChildStdout) -> Receiver<Line> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::spawn(move || send_lines(BufReader::new(stdout), &sender));
    receiver
}

fn send_lines(mut output: BufReader<ChildStdout>, sender: &SyncSender<Line>) {
    loop {
        let mut line = Vec::new();
        let read = match output.by_ref().take(MAX_RESULT_BYTES).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_)
                if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() as u64 == MAX_RESULT_BYTES =>
            {
                Err(io::ErrorKind::FileTooLarge.into())
            }
            Ok(_) => Ok(line),
            Err(error) => Err(error),
        };
        let failed = read.is_err();
        if sender.send(read).is_err() || failed {
            return;
        }
    }
}

/// A result; a line that is none differs from every result.
fn result(line: &[u8]) -> Value {
    serde_json::from_slice(line).unwrap_or_else(|_| json!({ "error": "not-json" }))
}
