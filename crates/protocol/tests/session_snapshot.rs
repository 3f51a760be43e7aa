//! Session snapshots: the rules of `docs/protocol/session-snapshot.md`, one by one.
#![allow(clippy::unwrap_used)]

use answerplane_protocol::session_snapshot::{
    ActiveTurn, Confirmation, ConfirmationInput, ConfirmationStatus, Conversation, Decision, DecisionKind,
    SessionDiagnostic, SessionSnapshot, SnapshotHead, TerminalTurn, TurnOutcome,
};
use answerplane_protocol::{Identifier, Integer, List};
use proptest::prelude::*;
use serde_json::{Value, json};

fn empty() -> Value {
    json!({
        "protocol": "agentskit.chat.session", "version": 1, "sessionId": "s-1", "definitionId": "garden",
        "definitionRevision": 1, "updatedAt": "2031-04-05T06:07:08Z", "cursor": 3, "confirmations": [],
    })
}

fn verdict(snapshot: &Value) -> Result<SessionSnapshot, SessionDiagnostic> {
    let decoded = SessionSnapshot::decode(snapshot.to_string());
    assert_eq!(decoded, SessionSnapshot::decode_value(snapshot));
    decoded
}

fn with(name: &str, value: Value) -> Result<SessionSnapshot, SessionDiagnostic> {
    let mut snapshot = empty();
    snapshot[name] = value;
    verdict(&snapshot)
}

fn id(text: &str) -> Identifier {
    text.parse().unwrap()
}

fn head() -> SnapshotHead {
    SnapshotHead {
        session_id: id("s-1"),
        definition_id: id("garden"),
        definition_revision: Integer::new(1).unwrap(),
        updated_at: "2031-04-05T06:07:08Z".parse().unwrap(),
        cursor: Integer::new(3).unwrap(),
    }
}

#[test]
fn version_0_migrates_whatever_the_protocol_says() {
    let current = json!(verdict(&empty()).unwrap());
    for protocol in [json!("agentskit.chat.session"), json!("something.else"), json!(null), json!([1])] {
        let mut snapshot = empty();
        (snapshot["version"], snapshot["protocol"]) = (json!(0), protocol);
        assert_eq!(json!(verdict(&snapshot).unwrap()), current);
    }
    for token in ["0", "0.0", "-0", "0e9", "1e-400"] {
        let text = empty().to_string().replace("\"version\":1", &format!("\"version\":{token}"));
        assert_eq!(json!(SessionSnapshot::decode(text).unwrap()), current, "{token}");
    }
    let mut broken = empty();
    (broken["version"], broken["cursor"]) = (json!(0), json!(-1));
    assert_eq!(verdict(&broken), Err(SessionDiagnostic::Invalid));
}

#[test]
fn any_other_version_is_unsupported_whatever_the_protocol_says() {
    for version in [json!(2), json!(-1), json!(0.5)] {
        assert_eq!(with("version", version.clone()), Err(SessionDiagnostic::UnsupportedVersion));
        assert_eq!(verdict(&json!({ "version": version })), Err(SessionDiagnostic::UnsupportedVersion));
    }
    for version in [json!("1"), json!(true), json!(null)] {
        assert_eq!(with("version", version), Err(SessionDiagnostic::Invalid));
    }
    assert_eq!(with("protocol", json!("x")), Err(SessionDiagnostic::Invalid));
    assert_eq!(SessionSnapshot::decode("{"), Err(SessionDiagnostic::NotJson));
}

#[test]
fn numbers_have_their_bounds() {
    for (name, least) in [("definitionRevision", 1), ("cursor", 0)] {
        assert!(with(name, json!(least)).is_ok());
        assert!(with(name, json!(9_007_199_254_740_991_u64)).is_ok());
        for bad in [json!(least - 1), json!(1.5), json!(9_007_199_254_740_992_u64), json!("1"), json!(null)] {
            assert_eq!(with(name, bad), Err(SessionDiagnostic::Invalid));
        }
    }
}

#[test]
fn finished_turns_are_at_most_64_and_unique() {
    let turns = |count: usize| {
        (0..count).map(|at| json!({ "turnId": format!("t-{at}"), "outcome": "completed" })).collect::<Value>()
    };
    assert_eq!(with("terminalTurns", turns(64)).unwrap().terminal_turns().len(), 64);
    assert!(with("terminalTurns", turns(65)).is_err());
    let mut twice = turns(2);
    twice[1]["turnId"] = json!("t-0");
    assert!(with("terminalTurns", twice).is_err());
    let list = List::new(vec![TerminalTurn::new(id("t"), TurnOutcome::Completed); 2]).unwrap();
    assert!(SessionSnapshot::new(head()).with_terminal_turns(list).is_none());
}

fn decision(message: usize) -> Value {
    json!({
        "messageId": format!("m-{message}"), "input": "", "routeId": "open", "kind": "deterministic", "content": "",
        "fromState": "idle", "toState": "open",
    })
}

#[test]
fn a_conversation_has_at_most_1000_decisions_one_for_each_message() {
    let conversation = |decisions: Vec<Value>| json!({ "state": "open", "decisions": decisions });
    assert!(with("conversation", conversation((0..1_000).map(decision).collect())).is_ok());
    assert!(with("conversation", conversation((0..1_001).map(decision).collect())).is_err());
    assert!(with("conversation", conversation(vec![decision(1), decision(1)])).is_err());
    assert!(with("conversation", json!({ "state": "constructor", "decisions": [] })).is_ok());
    assert!(with("conversation", json!(null)).is_err());
}

#[test]
fn a_base_state_is_optional_and_kept() {
    let conversation = json!({ "state": "open", "baseState": "idle", "decisions": [] });
    let snapshot = with("conversation", conversation.clone()).unwrap();
    assert_eq!(snapshot.conversation().unwrap().base_state().unwrap().as_str(), "idle");
    assert_eq!(json!(snapshot)["conversation"], conversation);
    assert!(with("conversation", json!({ "state": "open", "baseState": "", "decisions": [] })).is_err());
    for (units, accepted) in [(128, true), (129, false)] {
        let conversation = json!({ "state": "open", "baseState": "x".repeat(units), "decisions": [] });
        assert_eq!(with("conversation", conversation).is_ok(), accepted, "{units}");
    }
}

#[test]
fn texts_of_a_decision_have_their_bounds() {
    for (name, least, most) in
        [("input", 0, 16_384), ("content", 0, 65_536), ("fromState", 1, 128), ("toState", 1, 128)]
    {
        let with_length = |length: usize| {
            let mut decision = decision(1);
            decision[name] = json!("x".repeat(length));
            with("conversation", json!({ "state": "open", "decisions": [decision] })).is_ok()
        };
        assert!(with_length(most) && !with_length(most + 1), "{name}");
        assert_eq!(with_length(0), least == 0, "{name}");
    }
}

#[test]
fn confirmations_share_neither_token_nor_tool_call() {
    let confirmation = |token: usize, call: usize| {
        json!({
            "token": format!("confirm-{token}"), "action": "reserve", "input": {}, "toolCallId": format!("app-{call}"),
            "expiresAt": 0, "status": "pending",
        })
    };
    assert!(with("confirmations", json!([confirmation(1, 1), confirmation(2, 2)])).is_ok());
    assert!(with("confirmations", json!([confirmation(1, 1), confirmation(1, 2)])).is_err());
    assert!(with("confirmations", json!([confirmation(1, 1), confirmation(2, 1)])).is_err());
    let many = |count: usize| (0..count).map(|at| confirmation(at, at)).collect::<Value>();
    assert!(with("confirmations", many(1_000)).is_ok());
    assert!(with("confirmations", many(1_001)).is_err());
}

#[test]
fn the_input_of_a_confirmation_is_a_bounded_object() {
    let with_input = |input: Value| {
        let confirmation = json!({
            "token": "c", "action": "reserve", "input": input, "toolCallId": "app", "expiresAt": 0, "status": "expired",
        });
        with("confirmations", json!([confirmation])).is_ok()
    };
    assert!(with_input(json!({})) && !with_input(json!([])) && !with_input(json!(null)));
    assert!(with_input(json!({ "a": vec![0; 998] })) && !with_input(json!({ "a": vec![0; 999] })));
    let nested = |depth: usize| (0..depth).fold(json!({}), |value, _| json!({ "a": value }));
    assert!(with_input(nested(20)) && !with_input(nested(21)));
    assert!(with_input(json!({ "k".repeat(256): 0 })) && !with_input(json!({ "k".repeat(257): 0 })));
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = SessionSnapshot::decode(&bytes);
    }

    #[test]
    fn what_is_made_is_written_and_reads_back(
        active in any::<bool>(), turns in 0..64_usize, decisions in prop::option::of(0..40_usize), base in any::<bool>(),
        confirmations in 0..20_usize, text in ".{1,40}", status in 0..7_usize,
    ) {
        let number = Integer::new(turns as u64).unwrap();
        let mut snapshot = SessionSnapshot::new(head())
            .with_active_turn(active.then(|| ActiveTurn::new(id("t-x"), number)));
        if turns > 0 {
            let turns = (0..turns).map(|at| TerminalTurn::new(id(&format!("t-{at}")), TurnOutcome::Indeterminate));
            snapshot = snapshot.with_terminal_turns(List::new(turns.collect()).unwrap()).unwrap();
        }
        if let Some(decisions) = decisions {
            let decisions = (0..decisions).map(|at| Decision::new(
                (id(&format!("m-{at}")), text.parse().unwrap()),
                (id("open"), DecisionKind::Repaired),
                text.parse().unwrap(),
                (text.parse().unwrap(), text.parse().unwrap()),
            ));
            let base = base.then(|| text.parse().unwrap());
            let decisions = List::new(decisions.collect()).unwrap();
            snapshot = snapshot.with_conversation(Conversation::new(text.parse().unwrap(), base, decisions).unwrap());
        }
        let confirmations = (0..confirmations).map(|at| Confirmation::pending(
            id(&format!("confirm-{at}")),
            id("reserve"),
            ConfirmationInput::new(&json!({ "text": text, "at": at })).unwrap(),
            id(&format!("app-{at}")),
            number,
        ).with_status(ConfirmationStatus::ALL[status]));
        let snapshot = snapshot.with_confirmations(List::new(confirmations.collect()).unwrap()).unwrap();
        prop_assert_eq!(verdict(&json!(snapshot)), Ok(snapshot));
    }
}
