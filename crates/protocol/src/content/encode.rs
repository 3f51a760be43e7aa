//! Writing ordered content.

use alloc::string::String;

use serde::Serialize;

use crate::component::{CatalogComponent, ComponentFallback, Props, RenderFrame};
use crate::content::ContentPart;
use crate::content::decode::HEADER;
use crate::scalar::{ComponentKey, Identifier};

/// How a frame without props is written at the place of its props.
const NO_PROPS: &str = "\"props\":null";

/// What we write has text keys and finite numbers only, so writing it cannot fail.
fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

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
        let mut text = self.header();
        text.push_str(&written(part));
        text.push('\n');
        text
    }

    /// The text of the next part, a component of the catalog with its props in the order of their declaration. (The props
    /// of a [`RenderFrame`] are anybody's JSON, which keeps no order.)
    ///
    /// ```
    /// use answerplane_protocol::{
    ///     Choice, ChoiceList, CatalogComponent, ComponentFallback, Content, ContentEncoder, List,
    /// };
    ///
    /// let choice = Choice::new("a".parse()?, "An answer".parse()?);
    /// let list = ChoiceList::new("Which?".parse()?, List::new(vec![choice]).unwrap()).unwrap();
    /// let fallback = ComponentFallback::new("choice-list".parse()?, "Which? An answer.".parse()?);
    /// let component = CatalogComponent::ChoiceList(list);
    /// let text = ContentEncoder::new().encode_component(&"choices-1".parse()?, &component, &fallback);
    /// assert!(text.contains(r#""props":{"prompt":"Which?","choices":["#));
    /// assert!(Content::decode(&text).is_ok());
    /// # Ok::<(), answerplane_protocol::InvalidScalar>(())
    /// ```
    #[must_use]
    pub fn encode_component(
        &mut self,
        instance: &Identifier,
        component: &CatalogComponent,
        fallback: &ComponentFallback,
    ) -> String {
        let key = ComponentKey::proven(component.key());
        let frame = RenderFrame::new(key, instance.clone(), Props::null(), fallback.clone());
        let record = written(&ContentPart::component(frame));
        // What stands before the props holds no quotation mark of anybody else's.
        let (before, after) = record.split_once(NO_PROPS).unwrap_or((&record, ""));
        let mut text = self.header();
        for part in [before, "\"props\":", &written(component), after, "\n"] {
            text.push_str(part);
        }
        text
    }

    /// The header, before the first part.
    fn header(&mut self) -> String {
        let is_first = !core::mem::replace(&mut self.begun, true);
        String::from(if is_first { HEADER } else { "" })
    }

    /// The text of a whole message.
    #[must_use]
    pub fn encode_all<'p>(parts: impl IntoIterator<Item = &'p ContentPart>) -> String {
        let mut encoder = Self::new();
        parts.into_iter().map(|part| encoder.encode(part)).collect()
    }
}
