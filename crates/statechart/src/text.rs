//! Names, identities and times: texts that are not blank.

use alloc::borrow::ToOwned;
use alloc::sync::Arc;
use core::borrow::Borrow;
use core::fmt;
use core::ops::Deref;
use core::str::FromStr;

use answerplane_normalize::is_blank;
use serde::{Serialize, Serializer};

/// A text that is neither empty nor white space only. Cloning shares it.
///
/// White space is the ECMAScript set of `answerplane-normalize`. The text is kept as it is, spaces around it
/// included: `"GO"` and `" GO"` are two names.
///
/// ```
/// use answerplane_statechart::NonBlank;
///
/// assert_eq!(NonBlank::new(" GO")?.as_str(), " GO");
/// assert!(NonBlank::new("\u{feff} \n").is_err());
/// # Ok::<(), answerplane_statechart::Blank>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NonBlank(Arc<str>);

/// A text that is blank where one that says something is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("the text is blank")]
pub struct Blank;

impl NonBlank {
    /// The text as a name, an identity or a time.
    ///
    /// # Errors
    ///
    /// When it is empty or white space only.
    pub fn new(text: &str) -> Result<Self, Blank> {
        if is_blank(text) { Err(Blank) } else { Ok(Self(text.into())) }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for NonBlank {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for NonBlank {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for NonBlank {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl FromStr for NonBlank {
    type Err = Blank;

    fn from_str(text: &str) -> Result<Self, Blank> {
        Self::new(text)
    }
}

impl TryFrom<&str> for NonBlank {
    type Error = Blank;

    fn try_from(text: &str) -> Result<Self, Blank> {
        Self::new(text)
    }
}

impl From<NonBlank> for alloc::string::String {
    fn from(text: NonBlank) -> Self {
        text.0.as_ref().to_owned()
    }
}

impl PartialEq<str> for NonBlank {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for NonBlank {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl Serialize for NonBlank {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_str(self)
    }
}

impl fmt::Display for NonBlank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for NonBlank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
