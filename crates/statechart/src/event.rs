//! What happens to an instance: an object with a type.

use alloc::string::String;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::context::is_buildable;
use crate::diagnostic::Diagnostic;
use crate::text::NonBlank;
use crate::value::read_object;

/// An event: its type, which a state accepts or not, and whatever else it carries for guards and reducers.
///
/// ```
/// use answerplane_statechart::{Diagnostic, Event};
/// use serde_json::json;
///
/// let plain = Event::new("PAY")?;
/// let event = Event::from_value(json!({ "type": "PAY", "amount": 12 }))?;
/// assert_eq!(plain.kind(), event.kind());
/// assert_eq!(event.get("amount"), Some(&json!(12)));
/// assert_eq!(Event::from_value(json!({ "amount": 12 })), Err(Diagnostic::InvalidEvent));
/// # Ok::<(), Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    kind: NonBlank,
    rest: Map<String, Value>,
}

impl Event {
    /// An event that carries nothing but its type.
    ///
    /// # Errors
    ///
    /// [`Diagnostic::InvalidEvent`] when the type is blank.
    pub fn new(kind: &str) -> Result<Self, Diagnostic> {
        NonBlank::new(kind).map(Self::from).map_err(|_| Diagnostic::InvalidEvent)
    }

    /// An event as a JSON object.
    ///
    /// # Errors
    ///
    /// [`Diagnostic::InvalidEvent`] when it is no object, nests 128 levels or more, or its `type` is no text or
    /// blank.
    pub fn from_value(event: Value) -> Result<Self, Diagnostic> {
        if !is_buildable(&event) {
            return Err(Diagnostic::InvalidEvent);
        }
        let Value::Object(mut rest) = event else { return Err(Diagnostic::InvalidEvent) };
        let Some(Value::String(kind)) = rest.remove("type") else { return Err(Diagnostic::InvalidEvent) };
        Ok(Self { rest, ..Self::new(&kind)? })
    }

    /// An event as JSON text, which nobody has to trust. See [`read_object`](crate::read_object).
    ///
    /// ```
    /// use answerplane_statechart::{Diagnostic, Event};
    ///
    /// let event = Event::decode(r#"{ "type": "PAY", "amount": 12 }"#)?;
    /// assert_eq!(event.kind().as_str(), "PAY");
    /// assert_eq!(Event::decode(r#"{ "type": " " }"#), Err(Diagnostic::InvalidEvent));
    /// # Ok::<(), Diagnostic>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Diagnostic::InvalidEvent`] when it is no JSON object that can be built, or its `type` is no text or blank.
    pub fn decode(event: &str) -> Result<Self, Diagnostic> {
        let event = read_object(event).ok_or(Diagnostic::InvalidEvent)?;
        Self::from_value(Value::Object(event))
    }

    /// The type.
    #[must_use]
    pub const fn kind(&self) -> &NonBlank {
        &self.kind
    }

    /// What the event carries under a name other than `type`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.rest.get(name)
    }
}

impl From<NonBlank> for Event {
    fn from(kind: NonBlank) -> Self {
        Self { kind, rest: Map::new() }
    }
}

impl Serialize for Event {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let mut event = serializer.serialize_map(Some(self.rest.len() + 1))?;
        event.serialize_entry("type", &self.kind)?;
        for (name, value) in &self.rest {
            event.serialize_entry(name, value)?;
        }
        event.end()
    }
}
