//! A program with everything that it starts, ended together.

use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};

use crate::interrupt;
#[cfg(unix)]
use crate::interrupt::Loose;

/// A running program in a process group of its own. What is left of the group ends with this value, and when a
/// signal ends us.
pub(super) struct Group {
    leader: Child,
    status: Option<ExitStatus>,
}

impl Group {
    /// Starts a program.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        // From before there is a program until it is noted.
        let mut notes = interrupt::notes();
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let leader = command.spawn()?;
        #[cfg(unix)]
        notes.add(Loose::Group(Pid::from_child(&leader)));
        #[cfg(not(unix))]
        let _ = &mut notes;
        Ok(Self { leader, status: None })
    }

    /// The program's input and output, once.
    pub(super) fn pipes(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        self.leader.stdin.take().zip(self.leader.stdout.take())
    }

    /// Whether the program has ended; what it has started may still run.
    pub(super) fn has_ended(&mut self) -> bool {
        #[cfg(unix)]
        return self.status.is_some() || interrupt::has_ended(Pid::from_child(&self.leader));
        #[cfg(not(unix))]
        return !matches!(self.leader.try_wait(), Ok(None));
    }

    /// Ends whatever still runs. The program's number stays taken until `end`, so no other is hit.
    pub(super) fn kill(&mut self) {
        if self.status.is_none() {
            // Those that have ended need no killing.
            #[cfg(unix)]
            let _ = kill_process_group(Pid::from_child(&self.leader), Signal::KILL);
            #[cfg(not(unix))]
            let _ = self.leader.kill();
        }
    }

    /// Ends whatever still runs and says how the program ended.
    pub(super) fn end(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        self.kill();
        // A signal that arrived before goes first: this waits for ever then.
        #[cfg(unix)]
        interrupt::notes().strike(&Loose::Group(Pid::from_child(&self.leader)));
        let status = self.leader.wait()?;
        self.status = Some(status);
        Ok(status)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.end();
    }
}
