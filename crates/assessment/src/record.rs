//! The carriers of a record: where the committed state stands in it.

use alloc::string::String;

use serde_json::{Map, Value};

use crate::error::CallerError;
use crate::how_sure::TurnEnd;

/// The id among a snapshot's recorders that says its state was written under a redaction policy.
pub const REDACTION_MARKER: &str = "agentfootprint.redaction";

/// Whether a state was served under a redaction policy, so that placeholders in it stand for kept-out keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// As it was written by the run.
    Plain,
    /// Under a policy: a key whose whole value is a placeholder is kept out.
    UnderPolicy,
}

/// A record to be assessed: an object that carries a run's committed state, borrowed.
///
/// The state is `snapshot.sharedState` when that is an object, else `checkpoint.sharedState` by the same test,
/// else empty. A record that holds nothing readable is a record all the same.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    members: &'a Map<String, Value>,
    state: Option<&'a Value>,
    served: Served,
}

impl<'a> Record<'a> {
    /// A record around `value`, which is not copied and never changed. Text is read with
    /// [`SavedRecord`](crate::SavedRecord), which takes what no `Value` can hold.
    ///
    /// ```
    /// use answerplane_assessment::{Declarations, Record, Standing, assess};
    /// use serde_json::json;
    ///
    /// let saved = json!({ "snapshot": { "sharedState": { "pausedToolCallId": "c1" } } });
    /// let assessment = assess(Record::new(&saved)?, &Declarations::default());
    /// assert_eq!(assessment.standing(), Standing::Ask);
    /// # Ok::<(), answerplane_assessment::CallerError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`CallerError::RecordNotObject`] when `value` is no object. There is no other.
    pub fn new(value: &'a Value) -> Result<Self, CallerError> {
        value.as_object().map(Self::of).ok_or(CallerError::RecordNotObject)
    }

    pub(crate) fn of(members: &'a Map<String, Value>) -> Self {
        let snapshot = members.get("snapshot").and_then(Value::as_object);
        let state_in = |carrier: Option<&'a Map<String, Value>>| {
            carrier.and_then(|carrier| carrier.get("sharedState")).filter(|state| state.is_object())
        };
        if let Some(state) = state_in(snapshot) {
            let served = snapshot.map_or(Served::Plain, served);
            return Self { members, state: Some(state), served };
        }
        // The guard looks at the carrier that the state came from, and a checkpoint is never served.
        let state = state_in(members.get("checkpoint").and_then(Value::as_object));
        Self { members, state, served: Served::Plain }
    }

    /// The committed state, when a carrier held one.
    #[must_use]
    pub fn state(&self) -> Option<&'a Value> {
        self.state
    }

    /// Whether that state was served under a redaction policy.
    #[must_use]
    pub fn served(&self) -> Served {
        self.served
    }

    /// Whether the record's events show that the turn ended with an answer: one whose `type` is `turn_end`, or
    /// ends in `.turn_end`. The fold never looks at events; the how-sure row does.
    #[must_use]
    pub fn turn_end(&self) -> TurnEnd {
        let shown = self.members.get("events").and_then(Value::as_array).is_some_and(|events| {
            events.iter().filter_map(|event| event.get("type")?.as_str()).any(|name| {
                name.strip_suffix("turn_end").is_some_and(|of| of.is_empty() || of.ends_with('.'))
            })
        });
        if shown { TurnEnd::Shown } else { TurnEnd::NotShown }
    }
}

impl core::fmt::Debug for Record<'_> {
    /// Says which state it has, never what is in it.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Record")
            .field("has_state", &self.state.is_some())
            .field("served", &self.served)
            .finish_non_exhaustive()
    }
}

fn served(snapshot: &Map<String, Value>) -> Served {
    let recorders = snapshot.get("recorders").and_then(Value::as_array);
    let marked = recorders.is_some_and(|recorders| {
        recorders.iter().any(|recorder| recorder.get("id").and_then(Value::as_str) == Some(REDACTION_MARKER))
    });
    if marked { Served::UnderPolicy } else { Served::Plain }
}
