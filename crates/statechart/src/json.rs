//! A transition asked for in JSON, where nothing is known yet of what it is asked with.

use serde_json::{Value, json};

use crate::context::is_buildable;
use crate::definition::Definition;
use crate::diagnostic::Diagnostic;
use crate::event::Event;
use crate::text::NonBlank;
use crate::transition::Transition;

impl Definition {
    /// [`transition`](Self::transition) over any JSON values, and its result as one:
    /// `{ status, from, to?, diagnostic?, event, instance }`.
    ///
    /// Before the checks of a transition: the event is well-formed (a malformed one comes back as
    /// `{ "type": "" }`), then the time, then the instance. A malformed instance comes back as it is, or
    /// as `null` where it nests 128 levels or more.
    ///
    /// ```
    /// use answerplane_statechart::{Definition, State};
    /// use serde_json::json;
    ///
    /// let definition = Definition::builder("m", "1", "a").state(State::new("a")).build()?;
    /// let result = definition.transition_value(&json!({ "state": 5 }), &json!({ "type": "GO" }), &json!("now"));
    /// assert_eq!(result["from"], 5);
    /// assert_eq!(result["diagnostic"]["code"], "AK_STATECHART_INSTANCE_MISMATCH");
    /// # Ok::<(), answerplane_statechart::InvalidDefinition>(())
    /// ```
    #[must_use]
    pub fn transition_value(&self, instance: &Value, event: &Value, now: &Value) -> Value {
        let instance = if is_buildable(instance) { instance } else { &Value::Null };
        let rejected = |diagnostic: Diagnostic, event: &Value| {
            json!({
                "status": "rejected",
                "from": instance.get("state"),
                "diagnostic": diagnostic,
                "event": event,
                "instance": instance,
            })
        };
        let typed_event = Some(event).filter(|event| is_buildable(event)).cloned();
        let Some(Ok(typed_event)) = typed_event.map(Event::from_value) else {
            return rejected(Diagnostic::InvalidEvent, &json!({ "type": "" }));
        };
        let Some(now) = now.as_str().and_then(|now| NonBlank::new(now).ok()) else {
            return rejected(Diagnostic::InvalidNow, event);
        };
        let Ok(typed_instance) = self.instance_from_value(instance) else {
            return rejected(Diagnostic::ForeignInstance, event);
        };
        match self.transition(&typed_instance, &typed_event, &now) {
            Transition::Rejected(why) => rejected(why.diagnostic().clone(), event),
            accepted @ Transition::Accepted(_) => json!(accepted),
        }
    }
}
