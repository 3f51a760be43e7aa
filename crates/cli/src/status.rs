//! What a run came to, as its exit status.

use std::process::ExitCode;

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Answered, offered as choices, or fine: 0.
    Good,
    /// Escalated, found wrong, or with problems: 1.
    Wrong,
    /// Could not be done: 2.
    Undone,
}

impl Status {
    /// Good where the condition holds, wrong where it does not.
    pub(crate) fn good_if(condition: bool) -> Self {
        if condition { Self::Good } else { Self::Wrong }
    }

    /// The worse of two.
    pub(crate) fn and(self, other: Self) -> Self {
        if other.code() > self.code() { other } else { self }
    }

    fn code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Wrong => 1,
            Self::Undone => 2,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        status.code().into()
    }
}
