//! What goes wrong, without any of what was sent or said.

use std::fmt;

use crate::retry_after::RetryAfter;

/// Why an [`OpenAiBackend`](crate::OpenAiBackend) cannot be made as it is asked for. Contract: `docs/errors.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenAiRefused {
    /// The base address is no http or https address, or has credentials in it.
    #[error("the base address is no http or https address without credentials")]
    BaseUrl,
    /// The account is no name of letters and digits.
    #[error("the account is no name of letters and digits")]
    Account,
    /// The key is empty, or has characters that a header cannot hold.
    #[error("the key cannot be sent")]
    Key,
    /// There is no such environment variable.
    #[error("the environment variable of the key is not set")]
    KeyMissing,
    /// The parameter is one that the backend sets itself, or that would bring answers which it does not read.
    #[error("this parameter cannot be set")]
    Parameter,
    /// No secure connection can be made, since this system has no trusted certificates.
    #[error("this system has no trusted certificates")]
    Certificates,
}

impl OpenAiRefused {
    /// Every reason.
    pub const ALL: &'static [Self] =
        &[Self::BaseUrl, Self::Account, Self::Key, Self::KeyMissing, Self::Parameter, Self::Certificates];

    /// A stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::BaseUrl => "OPENAI_INVALID_BASE_URL",
            Self::Account => "OPENAI_INVALID_ACCOUNT",
            Self::Key => "OPENAI_INVALID_KEY",
            Self::KeyMissing => "OPENAI_KEY_MISSING",
            Self::Parameter => "OPENAI_INVALID_PARAMETER",
            Self::Certificates => "OPENAI_NO_CERTIFICATES",
        }
    }
}

/// Why a turn has no answer, or none that is whole: the source of
/// [`BackendFailed::Failed`](answerplane_session::BackendFailed). Contract: `docs/errors.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenAiFailed {
    /// The turn has no message that could be sent. Nothing was.
    #[error("there is nothing to ask")]
    NothingAsked,
    /// No connection could be made. Nothing was sent.
    #[error("no connection could be made")]
    Unreachable,
    /// No answer had begun in time.
    #[error("no answer began in time")]
    Silent,
    /// The server answered with another status than success.
    #[error("{class} ({status})")]
    Status {
        /// What kind of status.
        class: StatusClass,
        /// The status itself.
        status: u16,
        /// When the server wants to be asked again, where it says so.
        retry_after: Option<RetryAfter>,
    },
    /// The connection broke off, or what came over it was no HTTP.
    #[error("the connection broke off")]
    BrokeOff,
    /// The stream ended without saying that the answer has ended.
    #[error("the answer ended before its end")]
    Unfinished,
    /// An event is no chunk of a chat completion. It is not mended.
    #[error("an event of the answer cannot be read")]
    Malformed,
    /// An event has more than 1,048,576 bytes.
    #[error("an event of the answer is too long")]
    EventTooLong,
    /// The server reported an error in the middle of its answer.
    #[error("the server reported an error")]
    Reported,
}

impl OpenAiFailed {
    /// A stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NothingAsked => "OPENAI_NOTHING_ASKED",
            Self::Unreachable => "OPENAI_UNREACHABLE",
            Self::Silent => "OPENAI_SILENT",
            Self::Status { class, .. } => class.code(),
            Self::BrokeOff => "OPENAI_BROKE_OFF",
            Self::Unfinished => "OPENAI_UNFINISHED",
            Self::Malformed => "OPENAI_MALFORMED_EVENT",
            Self::EventTooLong => "OPENAI_EVENT_TOO_LONG",
            Self::Reported => "OPENAI_REPORTED_ERROR",
        }
    }
}

/// What kind of status a server answered with that is not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusClass {
    /// 401 and 403: the key is missing, wrong, or not enough.
    Unauthorized,
    /// 404 and 410: there is no such address, or no such model.
    NotFound,
    /// 429: too much was asked, or the account is used up.
    RateLimited,
    /// From 500 on: the server's fault.
    Unavailable,
    /// Anything else, redirects too: the request is not one that this server takes.
    Rejected,
}

impl StatusClass {
    /// Every class.
    pub const ALL: &'static [Self] =
        &[Self::Unauthorized, Self::NotFound, Self::RateLimited, Self::Unavailable, Self::Rejected];

    /// The class of a status.
    pub(crate) const fn of(status: u16) -> Self {
        match status {
            401 | 403 => Self::Unauthorized,
            404 | 410 => Self::NotFound,
            429 => Self::RateLimited,
            500.. => Self::Unavailable,
            _ => Self::Rejected,
        }
    }

    /// A stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unauthorized => "OPENAI_UNAUTHORIZED",
            Self::NotFound => "OPENAI_NOT_FOUND",
            Self::RateLimited => "OPENAI_RATE_LIMITED",
            Self::Unavailable => "OPENAI_UNAVAILABLE",
            Self::Rejected => "OPENAI_REJECTED",
        }
    }
}

impl fmt::Display for StatusClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unauthorized => "the server does not accept the key",
            Self::NotFound => "the server does not know the address or the model",
            Self::RateLimited => "the server was asked too much",
            Self::Unavailable => "the server failed",
            Self::Rejected => "the server rejected the request",
        })
    }
}
