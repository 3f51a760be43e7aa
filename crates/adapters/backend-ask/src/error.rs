//! What goes wrong, without any of what was sent or said.

/// Why an [`AskBackend`](crate::AskBackend) cannot be made. Contract: `docs/errors.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskRefused {
    /// The endpoint is no http or https address, or has credentials in it.
    #[error("the endpoint is no http or https address without credentials")]
    Endpoint,
    /// A token is empty, or has characters that a header cannot hold.
    #[error("the token cannot be sent")]
    Token,
    /// No secure connection can be made, since this system has no trusted certificates.
    #[error("this system has no trusted certificates")]
    Certificates,
}

impl AskRefused {
    /// Every reason.
    pub const ALL: &'static [Self] = &[Self::Endpoint, Self::Token, Self::Certificates];

    /// A stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Endpoint => "ASK_BACKEND_INVALID_ENDPOINT",
            Self::Token => "ASK_BACKEND_INVALID_TOKEN",
            Self::Certificates => "ASK_BACKEND_NO_CERTIFICATES",
        }
    }
}

/// Why a turn has no answer, or none that is whole: the source of
/// [`BackendFailed::Failed`](answerplane_session::BackendFailed). Contract: `docs/errors.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskFailed {
    /// The turn has no message that could be sent. Nothing was.
    #[error("there is nothing to ask")]
    NothingAsked,
    /// The question has more than 16,384 UTF-16 code units. Nothing was sent.
    #[error("the question is too long")]
    QuestionTooLong,
    /// No connection could be made. Nothing was sent.
    #[error("no connection could be made")]
    Unreachable,
    /// No answer had begun in time.
    #[error("no answer began in time")]
    Silent,
    /// The connection broke off, or what came over it was no HTTP.
    #[error("the connection broke off")]
    BrokeOff,
    /// The answer is encoded in a way that was not asked for.
    #[error("the answer is encoded in a way that was not asked for")]
    Encoded,
    /// There was no answer, or the records ended without the one that ends an answer.
    #[error("the answer ended before its end")]
    Unfinished,
}

impl AskFailed {
    /// Every reason.
    pub const ALL: &'static [Self] = &[
        Self::NothingAsked,
        Self::QuestionTooLong,
        Self::Unreachable,
        Self::Silent,
        Self::BrokeOff,
        Self::Encoded,
        Self::Unfinished,
    ];

    /// A stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NothingAsked => "ASK_BACKEND_NOTHING_ASKED",
            Self::QuestionTooLong => "ASK_BACKEND_QUESTION_TOO_LONG",
            Self::Unreachable => "ASK_BACKEND_UNREACHABLE",
            Self::Silent => "ASK_BACKEND_SILENT",
            Self::BrokeOff => "ASK_BACKEND_BROKE_OFF",
            Self::Encoded => "ASK_BACKEND_ENCODED",
            Self::Unfinished => "ASK_BACKEND_UNFINISHED",
        }
    }
}
