//! Turn events: the rules of `docs/protocol/turn-events.md`, one by one.
#![allow(clippy::unwrap_used)]

use answerplane_protocol::turn::{
    Correlation, DecideEvent, Decision, DerivedOperation, Envelope, ImageDetail, Lineage, MediaKind,
    MessagePart, MessageStatus, Metadata, Quota, Role, Shared, Snapshot, SnapshotCursor, SnapshotEvent,
    Submission, SubmitEvent, ToolArguments, ToolCall, ToolCallStatus, Transcript, TurnError, TurnEvent,
    TurnMessage, TurnRefusal, TurnStatus, Usage, Verdict,
};
use answerplane_protocol::{FreeText, Integer, List, Number};
use proptest::prelude::*;
use serde_json::{Value, json};

fn submit() -> Value {
    json!({
        "protocol": "agentskit.chat.turn", "version": 1, "eventId": "ev-1", "sessionId": "s-1", "turnId": "t-1",
        "sequence": 0, "emittedAt": "2031-04-05T06:07:08Z", "event": "client.turn.submit",
        "payload": { "input": "Where is plot 12?" },
    })
}

fn message() -> Value {
    json!({
        "id": "m-1", "role": "user", "content": "", "status": "complete", "createdAt": "2031-04-05T06:07:08.000Z",
    })
}

fn snapshot(messages: &[Value]) -> Value {
    let mut event = submit();
    event["event"] = json!("server.turn.snapshot");
    event["payload"] = json!({
        "messages": messages, "status": "complete",
        "usage": { "promptTokens": 3, "completionTokens": 4, "totalTokens": 7 },
    });
    event
}

/// The verdict on an event; text and value agree.
fn verdict(event: &Value) -> Result<TurnEvent, TurnRefusal> {
    let decoded = TurnEvent::decode(event.to_string());
    assert_eq!(decoded, TurnEvent::decode_value(event));
    decoded.map_err(|diagnostic| diagnostic.reason())
}

fn with(mut event: Value, pointer: &str, value: Value) -> Result<TurnEvent, TurnRefusal> {
    *event.pointer_mut(pointer).unwrap() = value;
    verdict(&event)
}

fn envelope(sequence: u64) -> Envelope {
    Envelope {
        event_id: "ev-1".parse().unwrap(),
        session_id: "s-1".parse().unwrap(),
        turn_id: "t-1".parse().unwrap(),
        sequence: Integer::new(sequence).unwrap(),
        emitted_at: "2031-04-05T06:07:08Z".parse().unwrap(),
        correlation: None,
    }
}

#[test]
fn version_comes_before_the_kind_and_the_kind_before_the_rest() {
    let mut event = submit();
    (event["version"], event["event"], event["sequence"]) = (json!(2), json!("x"), json!(-1));
    assert_eq!(verdict(&event), Err(TurnRefusal::UnsupportedVersion));
    event["version"] = json!(1);
    assert_eq!(verdict(&event), Err(TurnRefusal::UnknownEvent));
    event["event"] = json!("client.turn.submit");
    assert_eq!(verdict(&event), Err(TurnRefusal::Invalid));
    assert_eq!(with(submit(), "/event", json!(1)), Err(TurnRefusal::Invalid));
    event["protocol"] = json!("agentskit.chat.ask");
    event["version"] = json!(2);
    assert_eq!(verdict(&event), Err(TurnRefusal::Invalid));
    assert_eq!(TurnEvent::decode("{").unwrap_err().reason(), TurnRefusal::NotJson);
}

/// What has to be read and cannot be built is "not valid JSON", also where it says what kind of event it is.
#[test]
fn a_lone_surrogate_as_the_kind_is_not_json() {
    let reason = |text: &str| TurnEvent::decode(text).unwrap_err().reason();
    let event = submit().to_string();
    let lone = event.replace("client.turn.submit", "\\ud800");
    assert_ne!(lone, event);
    assert_eq!(reason(&lone), TurnRefusal::NotJson);
    assert_eq!(reason(&event.replace("Where is plot 12?", "\\ud800")), TurnRefusal::NotJson);
    assert_eq!(reason(&lone.replace("\"version\":1", "\"version\":2")), TurnRefusal::UnsupportedVersion);
    assert_eq!(reason(&event.replace("\"client.turn.submit\"", "1e999")), TurnRefusal::Invalid);
}

#[test]
fn the_diagnostic_repeats_a_well_formed_event_id_and_nothing_else() {
    let mut event = submit();
    event["payload"] = json!(null);
    let diagnostic = TurnEvent::decode(event.to_string()).unwrap_err();
    assert_eq!(
        json!(diagnostic),
        json!({
            "code": "PROTOCOL_INVALID_PAYLOAD", "message": "Turn event payload is invalid.", "retryable": false,
            "eventId": "ev-1",
        })
    );
    event["eventId"] = json!("<script>");
    assert_eq!(TurnEvent::decode(event.to_string()).unwrap_err().event_id(), None);
    assert!(json!(TurnEvent::decode("{").unwrap_err()).get("eventId").is_none());
    // Also where a text that cannot be built is met.
    for (field, lone) in
        [("\"sequence\":0", "\"sequence\":\"\\ud800\""), ("\"input\":\"", "\"input\":\"\\udc00")]
    {
        let text = submit().to_string();
        assert!(text.contains(field), "{text}");
        let diagnostic = TurnEvent::decode(text.replacen(field, lone, 1)).unwrap_err();
        assert_eq!(diagnostic.reason(), TurnRefusal::NotJson);
        assert_eq!(json!(diagnostic)["eventId"], "ev-1");
    }
}

#[test]
fn a_repeated_event_id_is_not_echoed() {
    let text = submit().to_string().replacen('{', "{\"eventId\":\"ev-2\",", 1);
    let diagnostic = TurnEvent::decode(text).unwrap_err();
    assert_eq!((diagnostic.reason(), diagnostic.event_id()), (TurnRefusal::Invalid, None));
}

#[test]
fn an_input_is_not_blank_and_not_trimmed() {
    for blank in ["", " ", "\u{a0}\u{feff}\u{2028}\t"] {
        assert_eq!(with(submit(), "/payload/input", json!(blank)), Err(TurnRefusal::Invalid), "{blank:?}");
    }
    let Ok(TurnEvent::Submit(event)) = with(submit(), "/payload/input", json!(" a ")) else {
        panic!("accepted")
    };
    assert_eq!(event.payload().input().as_str(), " a ");
    assert!(with(submit(), "/payload/input", json!("x".repeat(1_000_000))).is_ok(), "no upper limit");
}

#[test]
fn integers_are_doubles_without_fraction() {
    for (token, accepted) in [
        ("1.0", true),
        ("1e3", true),
        ("-0", true),
        ("9007199254740991", true),
        ("9007199254740992", false),
        ("-1", false),
        ("0.5", false),
        ("1e400", false),
        ("\"1\"", false),
        ("null", false),
    ] {
        let text = submit().to_string().replace("\"sequence\":0", &format!("\"sequence\":{token}"));
        assert_eq!(TurnEvent::decode(text).is_ok(), accepted, "{token}");
    }
}

#[test]
fn a_decision_names_a_token_and_a_verdict() {
    let mut event = submit();
    event["event"] = json!("client.action.decide");
    event["payload"] = json!({ "token": "confirm-1", "decision": "deny", "reason": "Not now." });
    let Ok(TurnEvent::Decide(decision)) = verdict(&event) else { panic!("accepted") };
    assert_eq!(*decision.payload().decision(), Verdict::Deny);
    assert!(with(event.clone(), "/payload/reason", json!("")).is_ok());
    assert!(with(event.clone(), "/payload/reason", json!(null)).is_err());
    assert!(with(event.clone(), "/payload/decision", json!("later")).is_err());
    assert!(with(event, "/payload/token", json!("a b")).is_err());
    let made = DecideEvent::new(envelope(3), Decision::new("c".parse().unwrap(), Verdict::Approve, None));
    assert_eq!(verdict(&json!(made)), Ok(made.into()));
}

#[test]
fn correlation_is_kept() {
    let correlation = json!({ "operationId": "op-1", "traceId": "tr-1", "unknown": 1 });
    let mut event = submit();
    event["correlation"] = correlation;
    let decoded = verdict(&event).unwrap();
    assert_eq!(json!(decoded)["correlation"], json!({ "operationId": "op-1", "traceId": "tr-1" }));
    let envelope = decoded.envelope();
    assert_eq!(envelope.correlation.as_ref().and_then(Correlation::trace_id).unwrap().as_str(), "tr-1");
    event["correlation"] = json!({ "traceId": "tr-1" });
    assert_eq!(verdict(&event), Err(TurnRefusal::Invalid));
}

#[test]
fn capabilities_and_quota_are_optional() {
    let usage = Usage::new(Integer::new(3).unwrap(), Integer::new(4).unwrap()).unwrap();
    let plain = Snapshot::new(Transcript::default(), TurnStatus::Streaming, usage);
    assert!(!plain.has_capability(Snapshot::ACTION_DECIDE));
    let first = plain
        .with_capabilities(List::new(vec![Snapshot::ACTION_DECIDE.parse().unwrap()]).unwrap())
        .with_quota(Quota::new(Number::new(0.75).unwrap(), true))
        .with_lineage(Lineage::derived(
            DerivedOperation::Edit,
            "t-0".parse().unwrap(),
            "m-0".parse().unwrap(),
        ))
        .with_error(TurnError::new("CLOSED".parse().unwrap(), "Closed.".parse().unwrap(), false));
    assert!(first.has_capability(Snapshot::ACTION_DECIDE));
    let event = SnapshotEvent::new(envelope(0), first);
    let written = json!(event);
    assert_eq!(written["payload"]["quota"], json!({ "utilization": 0.75, "warning": true }));
    assert_eq!(verdict(&written), Ok(event.into()));
}

#[test]
fn capabilities_are_at_most_64() {
    let with = |count: usize| {
        let mut event = snapshot(&[]);
        event["payload"]["capabilities"] = json!(vec!["action-decide-v1"; count]);
        verdict(&event).is_ok()
    };
    assert!(with(0) && with(64) && !with(65));
}

#[test]
fn a_cursor_accepts_newer_snapshots_of_its_session() {
    let usage = Usage::new(Integer::new(0).unwrap(), Integer::new(0).unwrap()).unwrap();
    let at = |sequence, session: &str| {
        let envelope = Envelope { session_id: session.parse().unwrap(), ..envelope(sequence) };
        SnapshotEvent::new(envelope, Snapshot::new(Transcript::default(), TurnStatus::Idle, usage.clone()))
    };
    let mut cursor = SnapshotCursor::new("s-1".parse().unwrap());
    assert!(cursor.accept(&at(0, "s-1")));
    assert!(!cursor.accept(&at(0, "s-1")), "the same again");
    assert!(!cursor.accept(&at(9, "s-2")), "another session");
    assert!(cursor.accept(&at(7, "s-1")), "a gap");
    assert!(!cursor.accept(&at(6, "s-1")), "out of order");
    assert_eq!(cursor.newest().map(Integer::get), Some(7));
}

#[test]
fn created_at_is_written_one_way_only() {
    for (time, accepted) in [
        ("2031-04-05T06:07:08.000Z", true),
        ("0000-01-01T00:00:00.000Z", true),
        ("2032-02-29T23:59:59.999Z", true),
        ("2031-02-29T00:00:00.000Z", false),
        ("2031-04-05T06:07:08Z", false),
        ("2031-04-05T06:07:08.0Z", false),
        ("2031-04-05T06:07:08.0000Z", false),
        ("2031-04-05T06:07:08.000+00:00", false),
        ("2031-04-05T24:00:00.000Z", false),
    ] {
        let mut message = message();
        message["createdAt"] = json!(time);
        assert_eq!(verdict(&snapshot(&[message])).is_ok(), accepted, "{time}");
    }
}

#[test]
fn messages_are_bounded_together() {
    // The record, its version, the list, and six values for each message.
    let nodes = |messages: usize| 3 + 6 * messages;
    assert!(nodes(1_666) <= 10_000 && nodes(1_667) > 10_000);
    assert!(verdict(&snapshot(&vec![message(); 1_666])).is_ok());
    assert_eq!(verdict(&snapshot(&vec![message(); 1_667])), Err(TurnRefusal::Invalid));
    let with_metadata = |metadata: Value| {
        let mut message = message();
        message["metadata"] = metadata;
        verdict(&snapshot(&[message]))
    };
    let list = |length: usize| json!({ "a": vec![0; length] });
    // Beside the list itself: 3 for the record, 6 for the message, the metadata and the list.
    assert!(with_metadata(list(10_000 - 11)).is_ok());
    assert!(with_metadata(list(10_000 - 10)).is_err());
    let nested = |depth: usize| (0..depth).fold(json!(0), |value, _| json!([value]));
    assert!(with_metadata(json!({ "a": nested(28) })).is_ok());
    assert!(with_metadata(json!({ "a": nested(29) })).is_err());
    assert!(with_metadata(json!({ "k".repeat(256): 0 })).is_ok());
    assert!(with_metadata(json!({ "k".repeat(257): 0 })).is_err());
    assert!(with_metadata(json!({ "a": "x".repeat(100_000) })).is_ok(), "texts have no limit");
}

#[test]
fn a_transcript_that_is_made_keeps_the_same_limits() {
    let made = |id: usize| {
        TurnMessage::new(
            format!("m-{id}").parse().unwrap(),
            Role::User,
            "".parse().unwrap(),
            MessageStatus::Complete,
            "2031-04-05T06:07:08.000Z".parse().unwrap(),
        )
    };
    assert_eq!(Transcript::new((0..1_666).map(made).collect()).unwrap().messages().len(), 1_666);
    assert!(Transcript::new((0..1_667).map(made).collect()).is_none());
}

#[test]
fn a_message_with_everything_reads_back() {
    let text = |text: &str| -> FreeText { text.parse().unwrap() };
    let call = |status| {
        let args = ToolArguments::new(&json!({ "plot": 12 })).unwrap();
        ToolCall::new("c-1".parse().unwrap(), "water".parse().unwrap(), args, status)
    };
    let message = TurnMessage::new(
        "m-1".parse().unwrap(),
        Role::Assistant,
        text(""),
        MessageStatus::Complete,
        "2031-04-05T06:07:08.000Z".parse().unwrap(),
    )
    .with_parts(
        List::new(vec![
            MessagePart::text(text("")),
            MessagePart::image(text("a"), None, Some(ImageDetail::Auto)),
            MessagePart::media(MediaKind::Video, text("b"), Some(text("video/mp4")), Number::new(1.5)),
            MessagePart::file(text("c"), None, Some(text("c.txt"))),
        ])
        .unwrap(),
    )
    .with_tool_calls(
        List::new(vec![
            call(ToolCallStatus::Complete).with_result(text("wet")),
            call(ToolCallStatus::Error).with_error(text("dry")),
        ])
        .unwrap(),
    )
    .with_tool_call_id(text("c-0"))
    .with_metadata(Metadata::new(&json!({ "k": [null] })).unwrap());
    let usage = Usage::new(Integer::new(0).unwrap(), Integer::new(0).unwrap()).unwrap();
    let shared = Shared { trace_id: Some("tr-1".parse().unwrap()), ..Shared::default() };
    let envelope =
        Envelope { correlation: Some(Correlation::new("op-1".parse().unwrap(), shared)), ..envelope(1) };
    let transcript = Transcript::new(vec![message]).unwrap();
    let event = SnapshotEvent::new(envelope, Snapshot::new(transcript, TurnStatus::Complete, usage));
    assert_eq!(verdict(&json!(event)), Ok(event.into()));
}

#[test]
fn what_is_made_is_written_in_declared_order() {
    let event = SubmitEvent::new(envelope(0), Submission::new("Where?".parse().unwrap()));
    assert_eq!(
        serde_json::to_string(&TurnEvent::from(event)).unwrap(),
        "{\"protocol\":\"agentskit.chat.turn\",\"version\":1,\"eventId\":\"ev-1\",\"sessionId\":\"s-1\",\"turnId\":\"t-1\",\
         \"sequence\":0,\"emittedAt\":\"2031-04-05T06:07:08Z\",\"event\":\"client.turn.submit\",\"payload\":{\"input\":\"Where?\"}}"
    );
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = TurnEvent::decode(&bytes);
    }

    #[test]
    fn what_is_written_reads_back(
        contents in prop::collection::vec((".{0,20}", 0..4_usize, 0..4_usize), 0..6),
        usage in (0..1_u64 << 40, 0..1_u64 << 40),
        metadata in prop::option::of(prop::collection::btree_map(".{0,8}", any::<i32>(), 0..4)),
        duration in prop::option::of(0.0..1e9_f64),
    ) {
        let messages: Vec<Value> = contents
            .iter()
            .map(|(content, role, status)| {
                let mut message = message();
                message["content"] = json!(content);
                message["role"] = json!(["user", "assistant", "system", "tool"][*role]);
                message["status"] = json!(["pending", "streaming", "complete", "error"][*status]);
                if let Some(metadata) = &metadata {
                    message["metadata"] = json!(metadata);
                }
                if let Some(duration) = duration {
                    message["parts"] = json!([{ "type": "audio", "source": content, "durationSec": duration }]);
                }
                message
            })
            .collect();
        let mut event = snapshot(&messages);
        event["payload"]["usage"] = json!({ "promptTokens": usage.0, "completionTokens": usage.1, "totalTokens": usage.0 });
        let decoded = verdict(&event).unwrap();
        prop_assert_eq!(verdict(&json!(decoded)), Ok(decoded));
    }
}
