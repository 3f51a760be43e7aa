//! What can go wrong, in one line: where, what, and what to do about it.
//!
//! A problem never holds a byte of what was read.

mod kind;

use std::fmt;
use std::io;
use std::time::Duration;

use answerplane_assessment::CallerError;
use answerplane_protocol::{ContentDiagnostic, DeterministicDiagnostic};
use answerplane_session::SessionError;
use answerplane_surface::InputError;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::problem::kind::Kind;

/// What is wrong, and with which file or address.
#[derive(Debug)]
pub(crate) struct Problem {
    place: String,
    cause: Cause,
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Cause {
    /// Nothing is there.
    #[error("there is no such file or folder")]
    Missing,
    /// Something else than a file is there.
    #[error("this is not a file")]
    NotAFile,
    /// Something else than a folder is there.
    #[error("this is not a folder")]
    NotAFolder,
    /// It cannot be read.
    #[error("it cannot be read: {}", reason(.0))]
    Unreadable(io::Error),
    /// It cannot be written.
    #[error("it cannot be written: {}", reason(.0))]
    Unwritable(io::Error),
    /// A file cannot be written, and is as it was.
    #[error("it cannot be written: {}", reason(.0))]
    Unreplaced(io::Error),
    /// A file cannot be written, after another that belongs to it was.
    #[error("{written} was written, but this was not and still holds the old hash: {}", reason(.error))]
    HalfWritten {
        /// The file that was.
        written: String,
        /// Why this one was not.
        error: io::Error,
    },
    /// It has more bytes than are read.
    #[error("it has more than {0} bytes")]
    TooLarge(usize),
    /// It is not UTF-8.
    #[error("this is not UTF-8 text")]
    NotText,
    /// It is not JSON.
    #[error("this is not JSON")]
    NotJson,
    /// A record or declarations that cannot be folded.
    #[error("{code}: {0}", code = .0.code())]
    NotAssessable(CallerError),
    /// A document that is no reasoning result.
    #[error("{code}: {0}", code = .0.code())]
    NotReasoning(InputError),
    /// Ordered content that is refused.
    #[error("{code}: {0}", code = .0.code())]
    NotContent(ContentDiagnostic),
    /// An answer that is refused.
    #[error("{code}: {0}", code = .0.code())]
    NotAnswer(DeterministicDiagnostic),
    /// A page of something else than HTML.
    #[error("a page is HTML")]
    NotHtml,
    /// A file that is not UTF-8.
    #[error("this is not UTF-8 text")]
    NotTextFile,
    /// The folder of a site holds no artifact.
    #[error(
        "there is no artifact, neither at the path of artifact.href, nor at its last segment, nor at knowledge.json"
    )]
    NoArtifact,
    /// The folder of a site holds no artifact of a further shard.
    #[error(
        "there is no artifact of this shard, neither at the path of artifact.href, nor at its last segment"
    )]
    NoFurtherArtifact,
    /// The artifact of a folder lies elsewhere.
    #[error("artifact.href leads out of the folder of the site")]
    OutsideFolder,
    /// The link to the artifact names what no folder can hold.
    #[error("artifact.href has an escape that no file name can hold: a separator, a zero byte, or no UTF-8")]
    NoFileName,
    /// An address that cannot be one.
    #[error("this is not an http or https address")]
    Address,
    /// A server that cannot be reached, or breaks off.
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// A server that takes too long.
    #[error("it did not answer completely within {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// A server that has something else to say.
    #[error("the server answered with HTTP status {0}")]
    HttpStatus(u16),
    /// A redirect to another scheme, host or port, or to no address.
    #[error("it redirects to another scheme, host or port")]
    RedirectElsewhere,
    /// A chain of redirects without an end in sight.
    #[error("it redirects more than {0} times")]
    TooManyRedirects(usize),
    /// A document that breaks the rules of its protocol.
    #[error("{}: {diagnostic}", .diagnostic.code())]
    Refused {
        /// Which rules.
        diagnostic: DeterministicDiagnostic,
        /// What the document should be.
        document: Document,
    },
    /// An artifact that has expired.
    #[error("it expired at {0}")]
    Expired(String),
    /// The configuration of a further shard, which is not that of the site's.
    #[error("its siteId is not that of the first configuration with the number of the shard")]
    ForeignShard,
    /// More shards than are read.
    #[error("the site has more than {0} shards")]
    TooManyShards(usize),
    /// A hash that stands in a document more than once.
    #[error("contentHash stands in it more than once")]
    RepeatedHash,
    /// A choice among the choices of no question, or of several.
    #[error("exactly one QUERY is needed with it")]
    NotOneQuery,
    /// A name of no schema.
    #[error("there is no such schema")]
    NoSchema,
    /// A list of deliberate differences that is none.
    #[error("this is not a JSON object of ids and reasons")]
    NotDeliberate,
    /// A moment in the environment that is none.
    #[error("this is no whole number of seconds")]
    NotSeconds,
    /// A file that a build would replace or remove, and that is no configuration of this site.
    #[error("it is no configuration of the site {0}")]
    AnotherSite(String),
    /// Sources that cannot be watched.
    #[error("the sources cannot be watched: {0}")]
    NotWatched(String),
    /// A program that cannot be started.
    #[error("the program cannot be started: {}", reason(.0))]
    NotStarted(io::Error),
    /// A program that does not keep the contract.
    #[error("the program {0}")]
    Program(String),
    /// A file that would be replaced and that nobody said may be.
    #[error("there is a file of this name already")]
    Exists,
    /// A file in a folder that there is not.
    #[error("it cannot be written: its folder does not exist")]
    NoFolder,
    /// A number of a list that has fewer.
    #[error("the list that was offered last has no such number: it ends with {0}, and is still there")]
    NoSuchNumber(usize),
    /// What was typed that a session does not take.
    #[error("{code}: {0}", code = .0.code())]
    NotSaid(SessionError),
}

/// The documents that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Document {
    /// A site configuration.
    Site,
    /// An artifact.
    Artifact,
}

impl Problem {
    /// Something is wrong with a file or an address.
    pub(crate) fn new(place: impl fmt::Display, cause: Cause) -> Self {
        Self { place: place.to_string(), cause }
    }

    /// The file or address.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        self.cause.code()
    }

    /// Whether nothing is there.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self.cause, Cause::Missing | Cause::HttpStatus(404 | 410))
    }

    /// Whether a document breaks the rules of its protocol by itself.
    pub(crate) fn is_refusal(&self) -> bool {
        use DeterministicDiagnostic as D;
        let Cause::Refused { diagnostic, .. } = &self.cause else { return false };
        matches!(diagnostic, D::NotJson | D::Invalid | D::UnsupportedVersion | D::LimitExceeded)
    }

    /// Whether there was not time enough.
    pub(crate) fn is_timeout(&self) -> bool {
        matches!(self.cause, Cause::Timeout(_))
    }
}

impl Cause {
    /// The stable code: that of the diagnostic where there is one.
    pub(crate) fn code(&self) -> &'static str {
        self.explained().0
    }

    /// What to do about it.
    pub(crate) fn remedy(&self) -> &'static str {
        self.explained().1
    }

    /// Code and remedy.
    fn explained(&self) -> (&'static str, &'static str) {
        let kind = match self {
            Self::Refused { diagnostic, document } => {
                return (diagnostic.code(), refusal_remedy(*diagnostic, *document));
            }
            Self::NotAssessable(error) => {
                let remedy = match error {
                    CallerError::NotJson => "Check it with any JSON tool; it has to be UTF-8.",
                    _ => "See docs/assessment.md for what is read.",
                };
                return (error.code(), remedy);
            }
            Self::NotReasoning(error) => {
                let remedy = match error {
                    InputError::NotJson => {
                        "Check it with any JSON tool; it has to be UTF-8, without half a surrogate pair such as \\ud800."
                    }
                    InputError::Invalid => "Check it against `answerplane schema surface-input`.",
                };
                return (error.code(), remedy);
            }
            Self::NotContent(why) => return (why.code(), not_content_remedy(*why)),
            Self::NotAnswer(why) => return (why.code(), "Check it against `answerplane schema answer`."),
            Self::NotSaid(error) => return (error.code(), not_said_remedy(error)),
            Self::Missing => Kind::Missing,
            Self::NotAFile => Kind::NotAFile,
            Self::NotAFolder => Kind::NotAFolder,
            Self::Unreadable(_) => Kind::Unreadable,
            Self::Unwritable(_) => Kind::Unwritable,
            Self::Unreplaced(_) => Kind::Unreplaced,
            Self::HalfWritten { .. } => Kind::HalfWritten,
            Self::TooLarge(_) => Kind::TooLarge,
            Self::NotText => Kind::NotText,
            Self::NotJson => Kind::NotJson,
            Self::NotHtml => Kind::NotHtml,
            Self::NotTextFile => Kind::NotTextFile,
            Self::NoArtifact | Self::NoFurtherArtifact => Kind::NoArtifact,
            Self::OutsideFolder => Kind::OutsideFolder,
            Self::NoFileName => Kind::NoFileName,
            Self::Address => Kind::Address,
            Self::Unreachable(_) => Kind::Unreachable,
            Self::Timeout(_) => Kind::Timeout,
            Self::HttpStatus(_) => Kind::HttpStatus,
            Self::RedirectElsewhere => Kind::RedirectElsewhere,
            Self::TooManyRedirects(_) => Kind::TooManyRedirects,
            Self::Expired(_) => Kind::Expired,
            Self::ForeignShard => Kind::ForeignShard,
            Self::TooManyShards(_) => Kind::TooManyShards,
            Self::RepeatedHash => Kind::RepeatedHash,
            Self::NotOneQuery => Kind::NotOneQuery,
            Self::NoSchema => Kind::NoSchema,
            Self::NotDeliberate => Kind::NotDeliberate,
            Self::NotSeconds => Kind::NotSeconds,
            Self::AnotherSite(_) => Kind::AnotherSite,
            Self::NotWatched(_) => Kind::NotWatched,
            Self::NotStarted(_) => Kind::NotStarted,
            Self::Program(_) => Kind::Program,
            Self::Exists => Kind::Exists,
            Self::NoFolder => Kind::NoFolder,
            Self::NoSuchNumber(_) => Kind::NoSuchNumber,
        };
        (kind.code(), kind.remedy())
    }
}

fn refusal_remedy(diagnostic: DeterministicDiagnostic, document: Document) -> &'static str {
    use DeterministicDiagnostic as D;
    match (diagnostic, document) {
        (D::NotJson, _) => "Check it with any JSON tool; it has to be UTF-8 without a byte order mark.",
        (D::Invalid, Document::Site) => "Check it against `answerplane schema site`.",
        (D::Invalid, Document::Artifact) => {
            "Check it against `answerplane schema artifact` and the rules across fields that stand there."
        }
        (D::UnsupportedVersion, _) => "Publish version 1, or use a newer release of this program.",
        (D::LimitExceeded, Document::Site) => "A site configuration has at most 16,384 bytes.",
        (D::LimitExceeded, Document::Artifact) => "An artifact has at most 524,288 bytes: split it.",
        (D::UnexpectedHash, _) => {
            "Publish artifact and configuration together: `answerplane hash ARTIFACT --write --site-config CONFIG`."
        }
        (D::ForeignSite, _) => "Artifact and site configuration need the same siteId.",
        (D::HashMismatch, _) => {
            "Its content was changed after it was hashed: publish the original again, or hash it anew if the change was meant."
        }
        (D::InvalidTrust, _) => "Check siteId and contentHash of the site configuration.",
    }
}

fn not_content_remedy(why: ContentDiagnostic) -> &'static str {
    match why {
        ContentDiagnostic::InvalidHeader => "Only what begins with U+001E is ordered content.",
        ContentDiagnostic::UnsupportedVersion => "Write version 1, or use a newer release of this program.",
        ContentDiagnostic::TooManyBytes => "Ordered content has at most 262,144 bytes.",
        ContentDiagnostic::TooManyRecords => "Ordered content has at most 512 records.",
        ContentDiagnostic::InvalidRecord => "Check the line against `answerplane schema content-record`.",
    }
}

fn not_said_remedy(error: &SessionError) -> &'static str {
    match error {
        SessionError::Blank => "Write what is to be said behind the command.",
        SessionError::TooLong => "Say it in several lines.",
        SessionError::NothingToRetry | SessionError::UnknownMessage => "Say something first.",
        SessionError::ChoiceUnavailable | SessionError::NotOurs => "Ask again, and it is offered anew.",
        _ => "Begin another chat.",
    }
}

/// What the system says, without a path.
fn reason(error: &io::Error) -> String {
    if error.raw_os_error().is_some() { error.to_string() } else { error.kind().to_string() }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.cause.to_string().ends_with('.') { "" } else { "." };
        write!(f, "{}: ", self.place)?;
        let (code, message) = (self.code(), self.cause.to_string());
        // Some begin with it themselves.
        if !message.starts_with(code) {
            write!(f, "{code}: ")?;
        }
        write!(f, "{message}{end} {}", self.cause.remedy())
    }
}

impl Serialize for Problem {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let message = match &self.cause {
            Cause::Refused { diagnostic, .. } => diagnostic.to_string(),
            Cause::NotAssessable(error) => error.to_string(),
            Cause::NotReasoning(error) => error.to_string(),
            Cause::NotContent(why) => why.to_string(),
            Cause::NotAnswer(why) => why.to_string(),
            Cause::NotSaid(error) => error.to_string(),
            cause => cause.to_string(),
        };
        let mut problem = serializer.serialize_struct("Problem", 4)?;
        problem.serialize_field("place", &self.place)?;
        problem.serialize_field("code", self.code())?;
        problem.serialize_field("message", &message)?;
        problem.serialize_field("remedy", self.cause.remedy())?;
        problem.end()
    }
}
