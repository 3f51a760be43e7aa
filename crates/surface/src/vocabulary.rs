//! The closed lists of words, and the one sentence, that engine and surface share.
//!
//! A host whose engine has other words maps them here and nowhere else.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// What is said of an answer that rests on outdated sources.
pub const OUTDATED_DISCLOSURE: &str = "This answer rests on sources that are marked as outdated.";

/// Declares an enum whose variants are the words of a closed list.
macro_rules! vocabulary {
    (
        $(#[doc = $doc:literal])*
        pub enum $name:ident {
            $( $(#[doc = $variant_doc:literal])* $variant:ident = $word:literal, )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $( $(#[doc = $variant_doc])* $variant, )*
        }

        impl $name {
            /// Every value, in the order of the contract.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $( Self::$variant => $word, )*
                }
            }

            /// The value whose word on the wire is `text`.
            #[must_use]
            pub fn from_word(text: &str) -> Option<Self> {
                match text {
                    $( $word => Some(Self::$variant), )*
                    _ => None,
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct WordVisitor;

                impl Visitor<'_> for WordVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("a word of a closed list")
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$name, E> {
                        $name::from_word(text).ok_or_else(|| E::custom("a word is not of its list"))
                    }
                }

                deserializer.deserialize_str(WordVisitor)
            }
        }

        impl Serialize for $name {
            fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "description": crate::schema::text(&[$($doc),*]),
                    "enum": [$($word),*],
                })
            }
        }
    };
}

vocabulary! {
    /// How well something is known. Only the router sets it.
    pub enum EpistemicStatus {
        /// The sources settle it.
        Known = "known",
        /// The sources speak for it.
        Likely = "likely",
        /// The sources disagree.
        Contested = "contested",
        /// The sources do not say.
        Unknown = "unknown",
    }
}

vocabulary! {
    /// How a claim follows from its premises and citations.
    pub enum InferenceForm {
        /// A source says so.
        Direct = "direct",
        /// It has to be so.
        Deduction = "deduction",
        /// It was so in every case seen.
        Induction = "induction",
        /// It explains what was seen best.
        Abduction = "abduction",
        /// It is so in a like case.
        Analogy = "analogy",
        /// Several sources put together.
        Aggregation = "aggregation",
    }
}

vocabulary! {
    /// What the router decided about a question.
    pub enum Verdict {
        /// It may be answered.
        Answer = "answer",
        /// It may not be answered.
        Abstain = "abstain",
        /// It has to be asked more clearly.
        Clarify = "clarify",
        /// Somebody else has to answer.
        Escalate = "escalate",
    }
}
