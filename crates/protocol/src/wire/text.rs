//! Texts that a rule accepts, owned or borrowed from the input.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserializer, Error, Visitor};

/// Where an accepted text is kept: `Box<str>` owns it, `Cow<str>` borrows it from the input where JSON allows.
pub trait TextStorage<'de>: AsRef<str> {
    /// Keeps a text that lives as long as the input.
    fn keep_borrowed(text: &'de str) -> Self;
    /// Keeps a text that is gone after this call.
    fn keep(text: &str) -> Self;
}

impl<'de> TextStorage<'de> for Box<str> {
    fn keep_borrowed(text: &'de str) -> Self {
        text.into()
    }

    fn keep(text: &str) -> Self {
        text.into()
    }
}

impl<'de> TextStorage<'de> for Cow<'de, str> {
    fn keep_borrowed(text: &'de str) -> Self {
        Cow::Borrowed(text)
    }

    fn keep(text: &str) -> Self {
        Cow::Owned(text.into())
    }
}

/// What a scalar accepts.
pub(crate) trait TextRule {
    /// The accepted value of `text`, which may be shorter than it, or `None`.
    fn accept(text: &str) -> Option<&str>;
}

/// Reads a text by the rule `R`.
pub(crate) fn read_text<'de, R: TextRule, S: TextStorage<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<S, D::Error> {
    struct TextVisitor<R, S>(PhantomData<(R, S)>);

    impl<'de, R: TextRule, S: TextStorage<'de>> Visitor<'de> for TextVisitor<R, S> {
        type Value = S;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text")
        }

        #[inline]
        fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<S, E> {
            R::accept(text).map(S::keep_borrowed).ok_or_else(|| E::custom("a text breaks its rule"))
        }

        #[inline]
        fn visit_str<E: Error>(self, text: &str) -> Result<S, E> {
            R::accept(text).map(S::keep).ok_or_else(|| E::custom("a text breaks its rule"))
        }
    }

    deserializer.deserialize_str(TextVisitor::<R, S>(PhantomData))
}

/// Gives a tuple struct around a text everything that its rule implies.
///
/// The type itself and its `TextRule` stand beside the call; `$error` is the reason of a refused text.
macro_rules! text_scalar {
    ([$($parameter:tt)*] $name:ident [$($argument:tt)*] refused as $error:expr) => {
        impl<$($parameter)*> $name<$($argument)*> {
            /// The value that `text` stands for.
            ///
            /// # Errors
            ///
            /// When the rule of this type refuses `text`.
            pub fn parse(text: &str) -> Result<Self, $crate::scalar::InvalidScalar> {
                use $crate::wire::TextRule as _;
                Self::accept(text).map(|accepted| Self(accepted.into())).ok_or($error)
            }
        }

        impl<$($parameter)*> $name<$($argument)*> {
            /// The value of a text that is known to keep the rule already.
            #[allow(dead_code)]
            pub(crate) fn proven(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl<$($parameter)*> core::str::FromStr for $name<$($argument)*> {
            type Err = $crate::scalar::InvalidScalar;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text)
            }
        }

        impl<S: AsRef<str>, $($parameter)*> $name<$($argument)* S> {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                self.0.as_ref()
            }
        }

        impl<S: AsRef<str>, $($parameter)*> AsRef<str> for $name<$($argument)* S> {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl<S: AsRef<str>, $($parameter)*> core::fmt::Display for $name<$($argument)* S> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl<'de, S: $crate::wire::TextStorage<'de>, $($parameter)*> serde::Deserialize<'de>
            for $name<$($argument)* S>
        {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::wire::read_text::<$name<$($argument)*>, S, D>(deserializer).map(Self)
            }
        }

        impl<S: AsRef<str>, $($parameter)*> serde::Serialize for $name<$($argument)* S> {
            fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

pub(crate) use text_scalar;
