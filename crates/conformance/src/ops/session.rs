//! `session`: a conversation over histories that are handed over in whole, in front of an echo.

use answerplane_protocol::session_snapshot::{DecisionKind, SessionSnapshot, TurnOutcome};
use answerplane_protocol::{DateTime, Identifier, Integer, Timestamp};
use answerplane_session::{
    Chunk, Conversation, ConversationState, Definition, Message, Role, Route, SnapshotSession, Trace, Turned,
};
use answerplane_statechart::Failed;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::request::{BadRequest, Request};

const NOW: &str = "2026-01-01T00:00:00.000Z";
/// What a person is told of a route that failed.
const ROUTE_FAILED: &str = "Deterministic route failed.";

pub(super) fn session(request: &Request) -> Result<Value, BadRequest> {
    let asked: AskedDefinition = request.required("definition")?;
    let turns: Vec<AskedTurn> = request.required("turns")?;
    let session_id: String = request.optional("sessionId").unwrap_or_else(|| "session-1".into());
    let now: DateTime = request.optional("now").map_or_else(|| NOW.parse(), Ok).map_err(|_| BadRequest)?;
    let revision = asked.revision.clone();
    let Some(session) = begin(request, asked, &session_id)? else { return Ok(json!({ "refused": true })) };
    let saves = request.optional("storage").unwrap_or(false)
        || request.raw("stored").is_some()
        || request.raw("storedText").is_some();
    let mut scene = Scene {
        is_stored: session.cursor() > 0,
        session,
        fallback: request.optional("fallbackText"),
        saves,
        conflicts: request.optional("storageConflict").unwrap_or(false),
        now: now.timestamp(),
    };
    let initial = json!({ "snapshot": scene.session.view(), "cursor": scene.session.cursor() });
    let turns = turns.into_iter().map(|turn| scene.turn(turn)).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({
        "sessionId": session_id,
        "definitionRevision": revision,
        "initial": initial,
        "turns": turns,
    }))
}

#[derive(Deserialize)]
struct AskedDefinition {
    id: Value,
    #[serde(default = "one")]
    revision: Value,
    initial: Option<String>,
    states: Option<States>,
    #[serde(default)]
    routes: Vec<AskedRoute>,
}

fn one() -> Value {
    json!(1)
}

/// States in the order of their text.
#[derive(Deserialize)]
struct States(#[serde(deserialize_with = "in_order")] Vec<(String, AskedState)>);

#[derive(Deserialize, Default)]
struct AskedState {
    #[serde(default, deserialize_with = "in_order")]
    on: Vec<(String, String)>,
    #[serde(default)]
    actions: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AskedRoute {
    id: String,
    event: String,
    states: Option<Vec<String>>,
    trace_kind: Option<DecisionKind>,
    command: Option<String>,
    #[serde(rename = "match")]
    matches: Option<String>,
    #[serde(default)]
    response: String,
    #[serde(default)]
    template: bool,
    #[serde(default)]
    response_throws: bool,
}

#[derive(Deserialize)]
struct AskedTurn {
    messages: Option<Vec<AskedMessage>>,
    abort: Option<String>,
    stream: Option<bool>,
    now: Option<DateTime>,
    claim: Option<Map<String, Value>>,
    release: Option<Map<String, Value>>,
    persist: Option<bool>,
}

#[derive(Deserialize)]
struct AskedMessage {
    id: String,
    role: Role,
    content: String,
}

/// The members of an object in the order of its text.
fn in_order<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<(String, T)>, D::Error> {
    struct InOrder<T>(std::marker::PhantomData<T>);

    impl<'de, T: Deserialize<'de>> serde::de::Visitor<'de> for InOrder<T> {
        type Value = Vec<(String, T)>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = map.next_entry()? {
                members.push(member);
            }
            Ok(members)
        }
    }

    deserializer.deserialize_map(InOrder(std::marker::PhantomData))
}

/// The session, or nothing where it is refused.
fn begin(
    request: &Request,
    asked: AskedDefinition,
    session_id: &str,
) -> Result<Option<SnapshotSession>, BadRequest> {
    let (Ok(session_id), Some(definition)) = (session_id.parse::<Identifier>(), definition(asked)) else {
        return Ok(None);
    };
    let stored = match (request.raw("stored"), request.optional::<String>("storedText")) {
        (None, None) | (Some("null"), _) => return Ok(Some(SnapshotSession::new(session_id, &definition))),
        (Some(value), _) => SessionSnapshot::decode_embedded(value),
        (None, Some(text)) => SessionSnapshot::decode(text),
    };
    let resumed = stored.ok().map(|snapshot| SnapshotSession::resume(session_id, &definition, &snapshot));
    Ok(resumed.and_then(Result::ok))
}

fn definition(asked: AskedDefinition) -> Option<Definition> {
    let revision = asked.revision.as_f64().filter(|number| number.fract() == 0.0 && *number >= 1.0)?;
    let revision = Integer::new(revision as u64)?;
    // The id counts where something is saved under it.
    let id = asked.id.as_str()?.parse().or_else(|_| "definition".parse()).ok()?;
    let Some(initial) = asked.initial else { return Some(Definition { id, revision, conversation: None }) };
    let mut builder = Conversation::builder(initial);
    for (name, AskedState { on, actions }) in asked.states?.0 {
        let state = ConversationState::new(name).actions(actions);
        builder = builder.state(on.into_iter().fold(state, |state, (event, target)| state.on(event, target)));
    }
    for route in asked.routes {
        builder = builder.route(made(route));
    }
    Some(Definition { id, revision, conversation: Some(builder.build().ok()?) })
}

fn made(asked: AskedRoute) -> Route {
    let AskedRoute { id, event, states, trace_kind, command, matches, response, template, response_throws } =
        asked;
    let is_empty_command = matches.is_none() && command.as_deref() == Some("");
    let matcher = move |said: &str| match (matches.as_deref(), &command) {
        (Some("throw"), _) => Err(Failed),
        (None, Some(command)) => Ok(said == command),
        _ => Ok(true),
    };
    let answer = move |said: &str, place: answerplane_session::Said<'_>| {
        if response_throws {
            return Err(Failed);
        }
        if !template {
            return Ok(response.clone());
        }
        Ok(response
            .replace("{input}", said)
            .replace("{sessionId}", place.session_id)
            .replace("{messageId}", place.message_id.unwrap_or("(none)")))
    };
    let mut route = if is_empty_command {
        Route::command(id, "", event, "")
    } else {
        Route::new(id, event, matcher, answer)
    };
    if let Some(states) = states {
        route = route.only_in(states);
    }
    match trace_kind {
        Some(kind) => route.traced_as(kind),
        None => route,
    }
}

struct Scene {
    session: SnapshotSession,
    fallback: Option<String>,
    /// Whether there is a store.
    saves: bool,
    conflicts: bool,
    /// Whether something is stored already.
    is_stored: bool,
    now: Timestamp,
}

impl Scene {
    fn turn(&mut self, turn: AskedTurn) -> Result<Value, BadRequest> {
        if let Some(now) = turn.now {
            self.now = now.timestamp();
        }
        let before = self.session.clone();
        if let Some(claim) = turn.claim {
            let lease = claim.get("leaseMs").and_then(Value::as_f64);
            let lease = lease.filter(|lease| lease.fract() == 0.0 && *lease >= 1.0).map(|lease| lease as u64);
            let (Some(turn), Some(lease)) = (identifier(&claim, "turnId"), lease.and_then(Integer::new))
            else {
                return Ok(self.ended("refused", true, Vec::new()));
            };
            let claimed = self.session.claim_turn(&turn, lease, self.now);
            return Ok(self.settled(before, claimed, "claimed", claimed));
        }
        if let Some(release) = turn.release {
            let outcome = release.get("outcome").cloned().unwrap_or_default();
            let outcome = serde_json::from_value::<TurnOutcome>(outcome);
            let (Some(turn), Ok(outcome)) = (identifier(&release, "turnId"), outcome) else {
                return Ok(self.ended("refused", true, Vec::new()));
            };
            let changed = self.session.release_turn(&turn, outcome);
            return Ok(self.settled(before, changed, "released", true));
        }
        if turn.persist == Some(true) {
            return Ok(self.settled(before, true, "persisted", true));
        }
        let messages = turn.messages.ok_or(BadRequest)?.into_iter();
        let history: Vec<Message> =
            messages.map(|AskedMessage { id, role, content }| Message { id, role, content }).collect();
        let (said, traces, backend_calls) = self.dispatch(&history);
        let most = match (turn.stream, turn.abort.as_deref()) {
            (Some(false), _) | (_, Some("before")) => 0,
            (_, Some(_)) => 1,
            _ => said.len(),
        };
        let mut result = json!({
            "chunks": said.into_iter().take(most).collect::<Vec<_>>(),
            "traces": traces,
            "snapshot": self.session.view(),
            "backendCalls": backend_calls,
        });
        let mut saves = Vec::new();
        if self.session.view().is_some() {
            if self.saves {
                saves.extend(self.save());
            } else {
                self.session.saved();
            }
        }
        result["cursor"] = self.session.cursor().into();
        if self.saves {
            result["saves"] = saves.into();
        }
        Ok(result)
    }

    /// What is said, the traces, and how often the backend was asked.
    fn dispatch(&mut self, history: &[Message]) -> (Vec<Chunk>, Vec<Trace>, u64) {
        let (traces, delegated) = match self.session.turn(history) {
            Some(Turned::Answered { content, trace }) => {
                return (vec![Chunk::text(content), Chunk::done()], vec![trace], 0);
            }
            Some(Turned::Failed) => return (vec![Chunk::error(ROUTE_FAILED)], Vec::new(), 0),
            Some(Turned::Delegated(trace)) => (vec![trace], true),
            None => (Vec::new(), true),
        };
        let latest = history.iter().rfind(|message| message.role == Role::User);
        let echo = format!("echo: {}", latest.map_or("", |message| &message.content));
        let text = self.fallback.clone().unwrap_or(echo);
        (vec![Chunk::text(text), Chunk::done()], traces, u64::from(delegated))
    }

    /// Saves a change, and undoes it where that fails.
    fn settled(&mut self, before: SnapshotSession, changed: bool, name: &str, value: bool) -> Value {
        let mut saves = Vec::new();
        if changed && self.saves {
            let cursor = self.session.cursor();
            saves.extend(self.save());
            if self.session.cursor() == cursor {
                self.session = before;
                return self.ended("refused", true, saves);
            }
        }
        self.ended(name, value, saves)
    }

    fn ended(&self, name: &str, value: bool, saves: Vec<Value>) -> Value {
        json!({ name: value, "cursor": self.session.cursor(), "saves": saves })
    }

    /// What is given to the store, if it can be saved at all.
    fn save(&mut self) -> Option<Value> {
        let snapshot = self.session.snapshot(self.now).ok()?;
        let expected = self.is_stored.then(|| self.session.cursor());
        if !self.conflicts {
            self.session.saved();
            self.is_stored = true;
        }
        Some(json!({ "expectedCursor": expected, "snapshot": snapshot }))
    }
}

fn identifier(fields: &Map<String, Value>, name: &str) -> Option<Identifier> {
    fields.get(name)?.as_str()?.parse().ok()
}
