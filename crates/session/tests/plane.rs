//! The rules of `docs/plane.md`, one by one.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::task::Poll;

use answerplane_artifact::{VerifiedArtifact, content_hash};
use answerplane_protocol::{
    AnswerEnvelope, ArtifactContent, BackendFault, Content, ContentPart, EscalationReason, FallbackMode,
    Outcome, RenderFrame, Timestamp, Trust,
};
use answerplane_resolver::Resolver;
use answerplane_session::testing::{ManualClock, ScriptedBackend, Step};
use answerplane_session::{
    AnswerPlane, Backend, BackendFailed, Chunk, ChunkKind, ChunkStream, MAX_OFFERS, MAX_SESSIONS, Message,
    Role, Submission, TurnRequest,
};
use futures_util::{FutureExt, StreamExt, stream};
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);

fn artifact() -> VerifiedArtifact {
    let entry = |id: &str, aliases: &[&str], citations: Value| {
        json!({
            "id": id, "kind": "document", "label": format!("Label of {id}"),
            "match": { "type": "exact", "values": aliases },
            "answer": { "markdown": format!("Answer of {id}."), "citations": citations },
        })
    };
    let cited = json!([
        { "id": "rules", "title": "Rules", "href": "/rules" },
        { "id": "rules", "title": "More rules", "href": "/more" },
    ]);
    let mut artifact = json!({
        "protocol": "agentskit.chat.knowledge", "version": 1, "artifactId": "garden", "siteId": "garden",
        "generatedAt": "2026-01-01T00:00:00Z", "expiresAt": "2027-01-01T00:00:00Z",
        "entries": [
            entry("plot", &["plot"], cited),
            entry("water", &["hours", "water hours"], json!([])),
            entry("shed", &["hours", "shed hours"], json!([])),
        ],
    });
    let hash = content_hash(&ArtifactContent::decode_value(&artifact).unwrap());
    artifact["contentHash"] = json!(hash);
    let trust = Trust { content_hash: hash, site_id: "garden".parse().unwrap() };
    VerifiedArtifact::verify(artifact.to_string(), &trust).unwrap()
}

fn plane() -> AnswerPlane {
    AnswerPlane::new(artifact()).clock(ManualClock::at(NOW))
}

/// Everything that an answer says at once, and how it failed.
fn read(mut answer: ChunkStream) -> (Vec<Chunk>, Option<BackendFailed>) {
    let mut chunks = Vec::new();
    while let Some(Some(next)) = answer.next().now_or_never() {
        match next {
            Ok(chunk) => chunks.push(chunk),
            Err(failed) => return (chunks, Some(failed)),
        }
    }
    (chunks, None)
}

fn said(text: &str) -> Step {
    Step::Chunk(Chunk::text(text))
}

fn done() -> Step {
    Step::Chunk(Chunk::done())
}

fn envelopes(chunks: &[Chunk]) -> Vec<&AnswerEnvelope> {
    chunks.iter().filter_map(Chunk::answer).collect()
}

/// What a backend with this script is worth at each end of its answer.
fn worth(script: impl IntoIterator<Item = Step>) -> Vec<Value> {
    let (chunks, _) =
        read(plane().fallback(ScriptedBackend::new(script)).dispatch(TurnRequest::of_query("else")));
    envelopes(&chunks).into_iter().map(|envelope| json!(envelope)).collect()
}

fn frame_of(chunk: &Chunk) -> RenderFrame {
    let ChunkKind::Text(content) = chunk.kind() else { panic!("a text") };
    let content = Content::decode(content).unwrap();
    let frame = content.parts().iter().find_map(|part| match part {
        ContentPart::Component(component) => Some(component.frame().clone()),
        ContentPart::Text(_) => None,
    });
    frame.unwrap()
}

fn in_session(session: &str, message: &str, query: &str) -> TurnRequest {
    let mut request = TurnRequest::new(vec![Message::of_user(message, query)]);
    request.session = Some(session.parse().unwrap());
    request
}

/// Offers the choices of `hours` to a session, and gives their frame.
fn offered(plane: &AnswerPlane, session: &str, message: &str) -> RenderFrame {
    let (chunks, _) = read(plane.dispatch(in_session(session, message, "hours")));
    frame_of(&chunks[0])
}

fn taken(submission: Submission) -> Option<String> {
    match submission {
        Submission::Reserved(reservation) => Some(reservation.value().to_string()),
        _ => None,
    }
}

#[test]
fn the_query_is_the_latest_message_of_a_person() {
    let message = |role: Role, content: &str| Message { id: "m".into(), role, content: content.into() };
    let history = vec![
        message(Role::User, "else"),
        message(Role::User, "plot"),
        message(Role::Assistant, "hours"),
        message(Role::System, "else"),
    ];
    let (chunks, _) = read(plane().dispatch(TurnRequest::new(history)));
    assert_eq!(chunks[0].answer().unwrap().query(), "plot");
    let (chunks, _) = read(plane().dispatch(TurnRequest::new(Vec::new())));
    let envelope = chunks[0].answer().unwrap();
    assert_eq!(envelope.query(), "");
    assert!(
        matches!(envelope.outcome(), Outcome::Escalation(it) if it.reason() == EscalationReason::Offline)
    );
}

#[test]
fn what_is_declared_never_reaches_the_backend() {
    let backend = ScriptedBackend::saying("never");
    let plane = plane().fallback(backend.clone());
    for query in ["plot", " PLOT ", "hours"] {
        let (chunks, failed) = read(plane.dispatch(TurnRequest::of_query(query)));
        assert_eq!((chunks.len(), failed.is_none()), (2, true));
        assert_eq!(chunks[1], Chunk::done());
    }
    assert!(backend.asked().is_empty());
}

#[test]
fn citations_of_one_id_are_told_apart() {
    let (chunks, _) = read(plane().dispatch(TurnRequest::of_query("plot")));
    let frame = frame_of(&chunks[0]);
    assert_eq!(frame.instance_id().as_str(), "sources-user-1");
    let ids: Vec<&str> =
        frame.props()["sources"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["rules", "rules-2"]);
    assert_eq!(frame.fallback().summary(), "Sources: Rules, More rules.");
}

#[test]
fn a_site_may_keep_the_backend_out() {
    let backend = ScriptedBackend::saying("never");
    let disabled = plane().fallback(backend.clone()).mode(FallbackMode::Disabled);
    let reason = |plane: &AnswerPlane, query: &str| {
        let (chunks, _) = read(plane.dispatch(TurnRequest::of_query(query)));
        match chunks[0].answer().unwrap().outcome() {
            Outcome::Escalation(escalation) => escalation.reason(),
            outcome => panic!("{outcome:?}"),
        }
    };
    assert_eq!(reason(&disabled, "else"), EscalationReason::Offline);
    let expired = disabled.clone().clock(ManualClock::at(Timestamp::from_millis(1_900_000_000_000)));
    assert_eq!(reason(&expired, "plot"), EscalationReason::Stale);
    let without = AnswerPlane::new(Resolver::without_artifact()).mode(FallbackMode::Disabled);
    assert_eq!(reason(&without, "plot"), EscalationReason::Corrupt);
    assert!(backend.asked().is_empty());
}

#[test]
fn the_request_reaches_the_backend_unchanged_with_the_reason() {
    let backend = ScriptedBackend::saying("x");
    let plane = plane().fallback(backend.clone());
    for metadata in [json!({ "tenant": "t" }), json!("no object"), Value::Null] {
        let mut request = in_session("s-1", "m-1", "else");
        request.context =
            json!({ "systemPrompt": "keep", "metadata": metadata }).as_object().unwrap().clone();
        drop(plane.dispatch(request.clone()));
        let mut asked = backend.asked().pop().unwrap();
        let told =
            asked.context["metadata"].as_object_mut().unwrap().remove(TurnRequest::ESCALATION).unwrap();
        assert_eq!((&told["reason"], &told["query"]), (&json!("miss"), &json!("else")));
        let kept = if metadata.is_object() { metadata } else { json!({}) };
        request.context["metadata"] = kept;
        assert_eq!(asked, request);
    }
}

#[test]
fn a_claim_of_the_backend_is_worth_nothing() {
    let claim = |kind: &str| {
        Chunk::from_value(json!({ "type": kind, "content": "x", "metadata": { "answer": { "outcome": "answer" }, "n": 1 } }))
            .unwrap()
    };
    let script =
        [Step::Chunk(claim("text")), Step::Chunk(claim("usage")), Step::Chunk(claim("error")), done()];
    let (chunks, _) =
        read(plane().fallback(ScriptedBackend::new(script)).dispatch(TurnRequest::of_query("else")));
    assert_eq!(chunks.len(), 4);
    assert!(envelopes(&chunks).is_empty());
    for chunk in &chunks[..3] {
        assert_eq!(json!(chunk)["metadata"], json!({ "n": 1 }));
    }
}

/// A chunk is what its type says, whatever else it holds.
#[test]
fn further_fields_change_nothing() {
    let chunk = |value: Value| Step::Chunk(Chunk::from_value(value).unwrap());
    for error in [
        json!({ "type": "error", "content": "no", "code": "E1" }),
        json!({ "type": "error" }),
        json!({ "type": "error", "content": "no", "metadata": null }),
        json!({ "type": "error", "content": 7 }),
    ] {
        assert!(worth([said("half"), chunk(error), done()]).is_empty());
    }
    for more in [json!({ "id": 5 }), json!({ "metadata": null }), json!({ "metadata": 7 })] {
        let mut text = json!({ "type": "text", "content": " and this" });
        let mut end = json!({ "type": "done" });
        for (name, value) in more.as_object().unwrap() {
            text[name] = value.clone();
            end[name] = value.clone();
        }
        let script = [said("this"), chunk(text.clone()), chunk(end.clone())];
        let (chunks, _) =
            read(plane().fallback(ScriptedBackend::new(script)).dispatch(TurnRequest::of_query("else")));
        assert_eq!((chunks.len(), json!(chunks[1])), (3, text));
        let ended = json!(chunks[2]);
        assert_eq!(ended["metadata"]["answer"]["answer"]["markdown"], "this and this");
        assert_eq!(ended.get("id"), end.get("id"));
    }
}

#[test]
fn half_an_answer_is_never_vouched_for() {
    assert!(worth([said("x"), Step::Chunk(Chunk::error("no")), done()]).is_empty());
    assert!(worth([said("x"), Step::Fail]).is_empty());
    assert!(worth([said("x"), Step::Panic, done()]).is_empty());
    assert!(worth([said("x"), Step::Hang]).is_empty());
    assert!(worth([said(" \n\u{feff}"), done()]).is_empty());
    assert!(worth([]).is_empty());
}

#[test]
fn each_end_says_what_was_said_so_far() {
    let markdown = |envelope: &Value| envelope["answer"]["markdown"].clone();
    let ends = worth([said(" a"), done(), said("b "), done()]);
    assert_eq!(ends.iter().map(markdown).collect::<Vec<_>>(), [json!("a"), json!("ab")]);
    assert_eq!(worth([said("no end")]).iter().map(markdown).collect::<Vec<_>>(), [json!("no end")]);
}

#[test]
fn what_cannot_be_vouched_for_says_why() {
    let fault = |script: Vec<Step>| worth(script).pop().unwrap()["message"].clone();
    for (text, expected) in [
        ("\u{1e}x".to_string(), BackendFault::InvalidContent),
        ("\u{1e}agentskit.chat.content/1\n{".to_string(), BackendFault::IncompleteContent),
        ("x".repeat(16_385), BackendFault::TooLong),
        ("x".repeat(262_145), BackendFault::TooMuch),
    ] {
        assert_eq!(fault(vec![said(&text), done()]), expected.message());
    }
    let pieces = (0..9).map(|_| said(&"😀".repeat(16_384))).chain([done()]).collect();
    assert_eq!(fault(pieces), BackendFault::TooMuch.message());
}

#[test]
fn a_panic_is_a_failure_wherever_it_happens() {
    struct Panics;

    impl Backend for Panics {
        fn answer(&self, _: TurnRequest) -> ChunkStream {
            panic!("canary")
        }
    }

    struct PanicsWhenDropped;

    impl Drop for PanicsWhenDropped {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                panic!("canary");
            }
        }
    }

    struct LeavesBadly;

    impl Backend for LeavesBadly {
        fn answer(&self, _: TurnRequest) -> ChunkStream {
            let guard = PanicsWhenDropped;
            Box::pin(stream::once(async move {
                let _guard = guard;
                std::future::pending().await
            }))
        }
    }

    struct Bombs;

    impl Backend for Bombs {
        fn answer(&self, _: TurnRequest) -> ChunkStream {
            Box::pin(stream::once(async { std::panic::panic_any(PanicsWhenDropped) }))
        }
    }

    let (_, failed) = read(plane().fallback(Bombs).dispatch(TurnRequest::of_query("else")));
    assert!(matches!(failed, Some(BackendFailed::Panicked)));
    let (chunks, failed) = read(plane().fallback(Panics).dispatch(TurnRequest::of_query("else")));
    assert!(chunks.is_empty() && matches!(failed, Some(BackendFailed::Panicked)));
    let script = [said("x"), Step::Panic];
    let (chunks, failed) =
        read(plane().fallback(ScriptedBackend::new(script)).dispatch(TurnRequest::of_query("else")));
    assert_eq!(chunks.len(), 1);
    assert_eq!(failed.unwrap().to_string(), "the backend panicked");
    drop(plane().fallback(LeavesBadly).dispatch(TurnRequest::of_query("else")));
}

#[test]
fn nothing_comes_after_a_failure() {
    let script = [said("x"), Step::Fail, said("y"), done()];
    let mut answer = plane().fallback(ScriptedBackend::new(script)).dispatch(TurnRequest::of_query("else"));
    assert!(answer.next().now_or_never().unwrap().unwrap().is_ok());
    assert!(answer.next().now_or_never().unwrap().unwrap().is_err());
    assert!(answer.next().now_or_never().unwrap().is_none());
}

#[test]
fn dropping_the_answer_cancels_the_backend() {
    struct Held(std::sync::Arc<()>);

    impl Backend for Held {
        fn answer(&self, _: TurnRequest) -> ChunkStream {
            let held = self.0.clone();
            Box::pin(stream::poll_fn(move |_| {
                let _ = &held;
                Poll::Pending
            }))
        }
    }

    let held = std::sync::Arc::new(());
    let plane = plane().fallback(Held(held.clone()));
    let answer = plane.dispatch(TurnRequest::of_query("else"));
    assert_eq!(std::sync::Arc::strong_count(&held), 3);
    drop(answer);
    assert_eq!(std::sync::Arc::strong_count(&held), 2);
}

#[test]
fn observers_receive_decisions_and_cannot_hold_up_a_turn() {
    let plane = plane().fallback(ScriptedBackend::saying("x"));
    let mut observations = plane.observe();
    let stalled = plane.observe();
    // The decision is there although nobody reads the answer.
    drop(plane.dispatch(TurnRequest::of_query("plot")));
    assert!(matches!(observations.try_recv().unwrap().outcome(), Outcome::Answer { .. }));
    read(plane.dispatch(TurnRequest::of_query("else")));
    assert!(matches!(observations.try_recv().unwrap().outcome(), Outcome::Escalation(_)));
    assert!(matches!(observations.try_recv().unwrap().outcome(), Outcome::Answer { .. }));
    for _ in 0..1_000 {
        read(plane.dispatch(TurnRequest::of_query("plot")));
    }
    drop(stalled);
}

#[test]
fn names_of_a_backend_are_checked_when_the_plane_is_built() {
    for wrong in ["", " ", &"x".repeat(129)] {
        assert!(plane().identity(Some(wrong), None).is_err());
        assert!(plane().identity(None, Some(wrong)).is_err());
    }
    let observed = plane();
    let mut observations = observed.observe();
    let named = observed.identity(Some(" ask "), Some("m")).unwrap().fallback(ScriptedBackend::saying("x"));
    let (chunks, _) = read(named.dispatch(TurnRequest::of_query("else")));
    let provenance = json!(chunks[1].answer().unwrap())["provenance"].clone();
    assert_eq!(provenance, json!({ "source": "backend", "provider": "ask", "model": "m" }));
    assert!(observations.try_recv().is_ok(), "who observed before still does");
}

#[test]
fn an_offer_exists_once_its_chunk_was_taken() {
    let plane = plane();
    let frame = offered(&plane, "s-1", "m-1");
    // The same of a turn that was dispatched and never read.
    let mut unread = plane.dispatch(in_session("s-2", "m-1", "hours"));
    assert!(taken(plane.reserve("s-2", &frame, "water")).is_none());
    assert!(unread.next().now_or_never().is_some());
    assert_eq!(taken(plane.reserve("s-2", &frame, "water")).as_deref(), Some("water hours"));
    assert_eq!(taken(plane.reserve("s-1", &frame, "shed")).as_deref(), Some("shed hours"));
}

#[test]
fn a_reservation_is_settled_once() {
    let plane = plane();
    let frame = offered(&plane, "s-1", "m-1");
    let Submission::Reserved(held) = plane.reserve("s-1", &frame, "water") else { panic!("it is free") };
    assert!(matches!(plane.reserve("s-1", &frame, "shed"), Submission::Unavailable));
    // The same offer again leaves the claim alone.
    offered(&plane, "s-1", "m-1");
    assert!(matches!(plane.reserve("s-1", &frame, "shed"), Submission::Unavailable));
    held.release();
    let Submission::Reserved(held) = plane.reserve("s-1", &frame, "shed") else { panic!("it was released") };
    held.commit();
    assert!(matches!(plane.reserve("s-1", &frame, "shed"), Submission::Unavailable));
    offered(&plane, "s-1", "m-1");
    assert!(matches!(plane.reserve("s-1", &frame, "shed"), Submission::Reserved(_)));
}

#[test]
fn a_late_settlement_does_not_touch_the_next_life_of_a_session() {
    let plane = plane();
    let frame = offered(&plane, "s-1", "m-1");
    for commits in [true, false] {
        let Submission::Reserved(late) = plane.reserve("s-1", &frame, "water") else { panic!("it is free") };
        plane.release_session("s-1");
        assert!(matches!(plane.reserve("s-1", &frame, "water"), Submission::Unavailable));
        offered(&plane, "s-1", "m-1");
        let Submission::Reserved(held) = plane.reserve("s-1", &frame, "water") else { panic!("it is new") };
        if commits {
            late.commit()
        } else {
            late.release()
        }
        assert!(matches!(plane.reserve("s-1", &frame, "water"), Submission::Unavailable));
        held.release();
    }
}

#[test]
fn what_is_held_is_not_forgotten_and_where_there_is_no_room_nothing_is_authorized() {
    let plane = plane();
    let frames: Vec<RenderFrame> =
        (0..MAX_OFFERS).map(|at| offered(&plane, "s-0", &format!("m-{at}"))).collect();
    let held: Vec<_> = frames.iter().map(|frame| plane.reserve("s-0", frame, "water")).collect();
    assert!(held.iter().all(|it| matches!(it, Submission::Reserved(_))));
    let another = offered(&plane, "s-0", "m-more");
    assert!(matches!(plane.reserve("s-0", &another, "water"), Submission::Unavailable));
    drop(held);
    // The oldest goes now.
    offered(&plane, "s-0", "m-more");
    assert!(matches!(plane.reserve("s-0", &another, "water"), Submission::Reserved(_)));
    assert!(matches!(plane.reserve("s-0", &frames[0], "water"), Submission::Unavailable));
    assert!(matches!(plane.reserve("s-0", &frames[1], "water"), Submission::Reserved(_)));

    let plane = self::plane();
    let frame = offered(&plane, "s-0", "m-1");
    let holds: Vec<_> = (0..MAX_SESSIONS)
        .map(|at| {
            offered(&plane, &format!("s-{at}"), "m-1");
            plane.reserve(&format!("s-{at}"), &frame, "water")
        })
        .collect();
    offered(&plane, "late", "m-1");
    assert!(matches!(plane.reserve("late", &frame, "water"), Submission::Unavailable));
    drop(holds);
    offered(&plane, "late", "m-1");
    assert!(matches!(plane.reserve("late", &frame, "water"), Submission::Reserved(_)));
    assert!(matches!(plane.reserve("s-0", &frame, "water"), Submission::Unavailable));
}
