//! What is wrong with a payload, and where.

use alloc::boxed::Box;
use core::fmt;

/// The greatest number of characters of a word that an error repeats.
const MAX_WORD: usize = 64;

/// Why a JSON value is not a surface: what is wrong and where.
///
/// It names fields and positions. Of the value itself it holds nothing but an unknown word of a vocabulary, and that
/// only where it is one (see [`UnknownWord`]).
///
/// ```
/// use answerplane_surface::{PayloadFault, validate};
/// use serde_json::json;
///
/// let error = validate(&json!({ "version": 1 })).unwrap_err();
/// assert_eq!((error.fault(), error.code()), (PayloadFault::MissingField, "SURFACE_PAYLOAD_MISSING_FIELD"));
/// assert_eq!(error.to_string(), "text: is missing");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PayloadError {
    fault: PayloadFault,
    place: Place,
    word: Option<UnknownWord>,
}

/// What is wrong at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum PayloadFault {
    /// An object is needed.
    #[error("is not an object")]
    NotAnObject,
    /// A field is missing.
    #[error("is missing")]
    MissingField,
    /// An object has a field that does not belong to it.
    #[error("has a field that does not belong to it")]
    UnexpectedField,
    /// An object of the text has a field twice.
    #[error("has a field twice")]
    RepeatedField,
    /// The version is another one.
    #[error("is not 1")]
    Version,
    /// A text is needed.
    #[error("is not a text")]
    NotAText,
    /// A text has to say something.
    #[error("is empty")]
    Empty,
    /// A word is not of its vocabulary.
    #[error("is not a word of its vocabulary")]
    UnknownWord,
    /// A list is needed.
    #[error("is not a list")]
    NotAList,
    /// A list needs an item.
    #[error("has no item")]
    NoItem,
    /// An earlier item of the list is the same, or has the same address.
    #[error("repeats an earlier one")]
    Repeated,
    /// An address is not canonical.
    #[error("is not a canonical address")]
    NotAnAddress,
    /// True or false is needed.
    #[error("is neither true nor false")]
    NotABoolean,
    /// The disclosure is not the constant of an outdated answer, or not the null of another one.
    #[error("does not belong to outdated")]
    Disclosure,
}

/// Where in a payload something is wrong. It prints as a path: `citations[2].claim_ids[0]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The payload as a whole.
    Payload,
    /// A field.
    Field(Field),
    /// An item of a field that is a list: a premise or a citation.
    Item(Field, usize),
    /// A field of a citation.
    CitationField(usize, Field),
    /// A claim of a citation: the positions of both.
    CitationClaim(usize, usize),
}

/// The fields of a payload and of its citations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// `version`
    Version,
    /// `text`
    Text,
    /// `conclusion_claim_id`
    ConclusionClaimId,
    /// `inference_form`
    InferenceForm,
    /// `status`, also of a citation
    Status,
    /// `premise_claim_ids`
    PremiseClaimIds,
    /// `citations`
    Citations,
    /// `outdated`, also of a citation
    Outdated,
    /// `disclosure`
    Disclosure,
    /// `address` of a citation
    Address,
    /// `claim_ids` of a citation
    ClaimIds,
}

/// A word that is not of its vocabulary: 1 to 64 of `A-Z a-z 0-9 _ -`. Anything else is no word, and is not repeated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnknownWord(Box<str>);

impl PayloadError {
    pub(crate) fn new(fault: PayloadFault, place: Place) -> Self {
        Self { fault, place, word: None }
    }

    pub(crate) fn unknown_word(place: Place, text: &str) -> Self {
        Self { fault: PayloadFault::UnknownWord, place, word: UnknownWord::of(text) }
    }

    /// What is wrong.
    #[must_use]
    pub fn fault(&self) -> PayloadFault {
        self.fault
    }

    /// Where it is wrong.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// The word that is not of its vocabulary, where it is a word.
    #[must_use]
    pub fn word(&self) -> Option<&str> {
        self.word.as_ref().map(|word| &*word.0)
    }

    /// The stable code of the fault.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.fault.code()
    }
}

impl PayloadFault {
    /// Every fault.
    pub const ALL: &'static [Self] = &[
        Self::NotAnObject,
        Self::MissingField,
        Self::UnexpectedField,
        Self::RepeatedField,
        Self::Version,
        Self::NotAText,
        Self::Empty,
        Self::UnknownWord,
        Self::NotAList,
        Self::NoItem,
        Self::Repeated,
        Self::NotAnAddress,
        Self::NotABoolean,
        Self::Disclosure,
    ];

    /// The stable code of the fault.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotAnObject => "SURFACE_PAYLOAD_NOT_AN_OBJECT",
            Self::MissingField => "SURFACE_PAYLOAD_MISSING_FIELD",
            Self::UnexpectedField => "SURFACE_PAYLOAD_UNEXPECTED_FIELD",
            Self::RepeatedField => "SURFACE_PAYLOAD_REPEATED_FIELD",
            Self::Version => "SURFACE_PAYLOAD_VERSION",
            Self::NotAText => "SURFACE_PAYLOAD_NOT_A_TEXT",
            Self::Empty => "SURFACE_PAYLOAD_EMPTY",
            Self::UnknownWord => "SURFACE_PAYLOAD_UNKNOWN_WORD",
            Self::NotAList => "SURFACE_PAYLOAD_NOT_A_LIST",
            Self::NoItem => "SURFACE_PAYLOAD_NO_ITEM",
            Self::Repeated => "SURFACE_PAYLOAD_REPEATED",
            Self::NotAnAddress => "SURFACE_PAYLOAD_NOT_AN_ADDRESS",
            Self::NotABoolean => "SURFACE_PAYLOAD_NOT_A_BOOLEAN",
            Self::Disclosure => "SURFACE_PAYLOAD_DISCLOSURE",
        }
    }
}

impl Field {
    /// The fields of a payload, in the order of writing.
    pub const OF_PAYLOAD: &'static [Self] = &[
        Self::Version,
        Self::Text,
        Self::ConclusionClaimId,
        Self::InferenceForm,
        Self::Status,
        Self::PremiseClaimIds,
        Self::Citations,
        Self::Outdated,
        Self::Disclosure,
    ];

    /// The fields of a citation, in the order of writing.
    pub const OF_CITATION: &'static [Self] = &[Self::Address, Self::ClaimIds, Self::Status, Self::Outdated];

    /// The name of the field.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Version => "version",
            Self::Text => "text",
            Self::ConclusionClaimId => "conclusion_claim_id",
            Self::InferenceForm => "inference_form",
            Self::Status => "status",
            Self::PremiseClaimIds => "premise_claim_ids",
            Self::Citations => "citations",
            Self::Outdated => "outdated",
            Self::Disclosure => "disclosure",
            Self::Address => "address",
            Self::ClaimIds => "claim_ids",
        }
    }
}

impl UnknownWord {
    fn of(text: &str) -> Option<Self> {
        let is_word = (1..=MAX_WORD).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        is_word.then(|| Self(text.into()))
    }
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)?;
        match &self.word {
            Some(word) => write!(f, ": {}", word.0),
            None => Ok(()),
        }
    }
}

impl core::error::Error for PayloadError {}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Payload => f.write_str("payload"),
            Self::Field(field) => write!(f, "{field}"),
            Self::Item(field, at) => write!(f, "{field}[{at}]"),
            Self::CitationField(at, field) => write!(f, "citations[{at}].{field}"),
            Self::CitationClaim(at, claim) => write!(f, "citations[{at}].claim_ids[{claim}]"),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
