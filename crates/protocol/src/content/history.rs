//! Ordered content as a message of a history, for whoever reads text only.

use alloc::borrow::Cow;
use alloc::string::String;

use answerplane_normalize::trim;

use crate::content::{Content, ContentPart, ContentReader};

impl Content {
    /// What a message says to a backend that reads text only: the texts of ordered content, and `[component-key]` for
    /// each component, joined by line feeds and trimmed. Of content that is unfinished, or refused from some record on,
    /// it is what stands before that. Ordinary text is left as it is. Contract: `docs/protocol/content.md`.
    ///
    /// ```
    /// use answerplane_protocol::{Content, ContentEncoder, ContentPart};
    ///
    /// let parts = ["Hello", "there"].map(|text| ContentPart::text(text).unwrap());
    /// assert_eq!(Content::as_text(&ContentEncoder::encode_all(&parts)), "Hello\nthere");
    /// assert_eq!(Content::as_text(" as it is "), " as it is ");
    /// ```
    #[must_use]
    pub fn as_text(message: &str) -> Cow<'_, str> {
        if !Self::is_ordered(message) {
            return Cow::Borrowed(message);
        }
        let mut text = String::new();
        // What is refused has said all that it says.
        let _ = ContentReader::new().push(message.as_bytes(), |part| {
            if !text.is_empty() {
                text.push('\n');
            }
            match part {
                ContentPart::Text(part) => text.push_str(part.text()),
                ContentPart::Component(part) => {
                    text.extend(["[", part.frame().component_key().as_str(), "]"]);
                }
            }
        });
        Cow::Owned(String::from(trim(&text)))
    }
}
