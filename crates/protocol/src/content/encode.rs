//! Writing ordered content.

use alloc::string::String;

use crate::content::ContentPart;
use crate::content::decode::HEADER;

/// Writes the parts of one message.
///
/// ```
/// use answerplane_protocol::{ContentEncoder, ContentPart};
///
/// let mut encoder = ContentEncoder::new();
/// let hello = ContentPart::text("Hello").unwrap();
/// assert_eq!(encoder.encode(&hello), "\u{1e}agentskit.chat.content/1\n{\"kind\":\"text\",\"text\":\"Hello\"}\n");
/// assert_eq!(encoder.encode(&hello), "{\"kind\":\"text\",\"text\":\"Hello\"}\n");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ContentEncoder {
    begun: bool,
}

impl ContentEncoder {
    /// An encoder at the beginning of a message.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The text of the next part; that of the first begins with the header.
    ///
    /// Text is escaped, so nothing that a model writes can begin a record. Whoever streams counts: a message of
    /// too many bytes or records is not refused here.
    #[must_use]
    pub fn encode(&mut self, part: &ContentPart) -> String {
        let mut text = String::new();
        if !self.begun {
            self.begun = true;
            text.push_str(HEADER);
        }
        // A part has text keys and finite numbers only, so writing it cannot fail.
        text.push_str(&serde_json::to_string(part).unwrap_or_default());
        text.push('\n');
        text
    }

    /// The text of a whole message.
    #[must_use]
    pub fn encode_all<'p>(parts: impl IntoIterator<Item = &'p ContentPart>) -> String {
        let mut encoder = Self::new();
        parts.into_iter().map(|part| encoder.encode(part)).collect()
    }
}
