//! A record as it was saved: JSON text.

use alloc::string::String;

use serde_json::{Map, Value};

use crate::error::CallerError;
use crate::json::Json;
use crate::record::Record;
use crate::state::StateKey;

/// How deep below a key of the state anything is kept. The fold looks at no more than 13 levels: a message, its
/// content, eight boundaries around each other, and a dataset's ticket in the innermost.
const STATE_LEVELS: usize = 16;
/// The same below `recorders` and `events`: an item and its members.
const ITEM_LEVELS: usize = 2;

/// A record that was read from JSON text, reduced to what is ever looked at.
///
/// The keys that the fold knows are kept, each to the depth that it reads. Whatever else the text holds only has to
/// be JSON, and may nest as deep as it likes. In what is kept, half a surrogate pair reads as U+FFFD, a number beyond
/// a double as the largest double of its sign, and of members of one name the last one counts.
///
/// ```
/// use answerplane_assessment::{Declarations, SavedRecord, Standing, assess};
///
/// let text = r#"{
///     "snapshot": { "sharedState": { "pausedToolCallId": "c1", "scratch": "\ud800" } },
///     "cost": 1e999
/// }"#;
/// let saved = SavedRecord::decode(text)?;
/// assert_eq!(assess(saved.record(), &Declarations::default()).standing(), Standing::Ask);
/// # Ok::<(), answerplane_assessment::CallerError>(())
/// ```
pub struct SavedRecord(Map<String, Value>);

impl SavedRecord {
    /// Reads a JSON text. Nothing that a record holds is an error.
    ///
    /// # Errors
    ///
    /// [`CallerError::NotJson`] when the text is no JSON, [`CallerError::RecordNotObject`] when it is no object.
    pub fn decode(text: impl AsRef<[u8]>) -> Result<Self, CallerError> {
        let record = Json::of_text(text.as_ref()).ok_or(CallerError::NotJson)?;
        if !record.is_object() {
            return Err(CallerError::RecordNotObject);
        }
        let [snapshot, checkpoint, events] = record.members(["snapshot", "checkpoint", "events"]);
        let kept = [
            ("snapshot", snapshot.map(carrier)),
            ("checkpoint", checkpoint.map(carrier)),
            ("events", events.map(|events| built(events, ITEM_LEVELS))),
        ];
        Ok(Self(present(kept)))
    }

    /// The record, to be assessed.
    #[must_use]
    pub fn record(&self) -> Record<'_> {
        Record::of(&self.0)
    }
}

impl core::fmt::Debug for SavedRecord {
    /// Shows nothing of the record.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.record().fmt(f)
    }
}

/// A snapshot or a checkpoint. A state that is no object is none.
fn carrier(carrier: Json<'_>) -> Value {
    let [state, recorders] = carrier.members(["sharedState", "recorders"]);
    let state = state.filter(|state| state.is_object()).map(|state| {
        let known = state.entries().into_iter().filter(|(name, _)| StateKey::from_word(name).is_some());
        known.map(|(name, value)| (name.into_owned(), built(value, STATE_LEVELS))).collect()
    });
    let recorders = recorders.map(|recorders| built(recorders, ITEM_LEVELS));
    present([("sharedState", state), ("recorders", recorders)]).into()
}

fn present<const N: usize>(members: [(&str, Option<Value>); N]) -> Map<String, Value> {
    members.into_iter().filter_map(|(name, value)| Some((name.into(), value?))).collect()
}

/// A value, with null in place of the lists and objects that lie more than so many levels below it.
fn built(value: Json<'_>, levels: usize) -> Value {
    let Some(below) = levels.checked_sub(1).filter(|_| value.is_nested()) else { return value.scalar() };
    if value.is_object() {
        let members = value.entries().into_iter();
        members.map(|(name, member)| (name.into_owned(), built(member, below))).collect()
    } else {
        value.items().into_iter().map(|item| built(item, below)).collect()
    }
}
