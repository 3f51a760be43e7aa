//! Fixed words, closed lists of words, and the version number.

use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::document::Version;

/// Reads a text through `known`, which says what it stands for.
pub fn word<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    known: fn(&str) -> Option<T>,
) -> Result<T, D::Error> {
    struct WordVisitor<T>(fn(&str) -> Option<T>, PhantomData<T>);

    impl<T> Visitor<'_> for WordVisitor<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a word of a closed list")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            (self.0)(text).ok_or_else(|| E::custom("a word is not of its list"))
        }
    }

    deserializer.deserialize_str(WordVisitor(known, PhantomData))
}

/// Declares a type with one value: a text that has to be exactly this.
macro_rules! wire_constant {
    ($($name:ident = $word:literal;)*) => {
        $(
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub(crate) struct $name;

            impl<'de> serde::Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    $crate::wire::word(deserializer, |text| (text == $word).then_some(Self))
                }
            }

            impl serde::Serialize for $name {
                fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                    serializer.serialize_str($word)
                }
            }

            #[cfg(feature = "schema")]
            impl schemars::JsonSchema for $name {
                fn inline_schema() -> bool {
                    true
                }

                fn schema_name() -> alloc::borrow::Cow<'static, str> {
                    stringify!($name).into()
                }

                fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                    schemars::json_schema!({ "const": $word })
                }
            }
        )*
    };
}

/// Declares an enum whose variants are the words of a closed list.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_enum {
    (
        $(#[doc = $doc:literal])*
        $visibility:vis enum $name:ident {
            $( $(#[doc = $variant_doc:literal])* $variant:ident = $word:literal, )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $name {
            $( $(#[doc = $variant_doc])* $variant, )*
        }

        impl $name {
            /// Every value, in the order of the protocol's page.
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

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::declare::word(deserializer, Self::from_word)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
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
                    "description": $crate::declare::text(&[$($doc),*]),
                    "enum": [$($word),*],
                })
            }
        }
    };
}

pub(crate) use {wire_constant, wire_enum};

/// The number 1, however spelled: `1`, `1.0` and `1e0` are the same number.
///
/// Read as a token, since a version that no double can hold is still just another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Version1;

impl Version1 {
    /// Which version a JSON token is, or `None` when it is no number.
    pub(crate) fn number(token: &str) -> Option<Version> {
        let is_number = token.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        is_number.then(|| match token.parse::<f64>() {
            Ok(0.0) => Version::Zero,
            Ok(1.0) => Version::One,
            _ => Version::Other,
        })
    }
}

impl<'de> Deserialize<'de> for Version1 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let token = Box::<RawValue>::deserialize(deserializer)?;
        match Self::number(token.get()) {
            Some(Version::One) => Ok(Self),
            _ => Err(D::Error::custom("another version")),
        }
    }
}

impl Serialize for Version1 {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_u8(1)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Version1 {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Version1".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "const": 1 })
    }
}
