//! What is sent to a service, and what its records become.
#![allow(clippy::unwrap_used, clippy::panic)]

mod server;

use std::error::Error;

use answerplane_backend_ask::{AskBackend, AskFailed};
use answerplane_protocol::{
    CatalogComponent, ComponentFallback, Content, ContentEncoder, ContentPart, Manifest, Props, RenderFrame,
};
use answerplane_resolver::Resolver;
use answerplane_session::{AnswerPlane, Backend, ChunkKind, Message, Role, TurnRequest};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use server::{Asked, ends, head, said, serve, serve_bytes, whole, write};

async fn recording() -> (String, mpsc::UnboundedReceiver<Asked>) {
    let (say, heard) = mpsc::unbounded_channel();
    let address = serve(move |asked, mut stream| {
        say.send(asked).unwrap();
        async move {
            write(&mut stream, (head("application/x-ndjson") + "{\"type\":\"done\"}\n").as_bytes()).await
        }
    });
    (address.await, heard)
}

fn message(role: Role, content: impl Into<String>) -> Message {
    Message { id: "m".into(), role, content: content.into() }
}

fn frame(instance: &str) -> RenderFrame {
    let fallback = ComponentFallback::new("progress".parse().unwrap(), "Half.".parse().unwrap());
    let props = Props::new(&json!({ "label": "Beds", "value": 50 })).unwrap();
    RenderFrame::new("progress".parse().unwrap(), instance.parse().unwrap(), props, fallback)
}

async fn parts(records: &[Value], backend: impl Fn(AskBackend) -> AskBackend) -> Vec<ContentPart> {
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    let address = serve_bytes(head("application/x-ndjson") + &lines + "{\"type\":\"done\"}\n").await;
    let turn = TurnRequest::new(vec![Message::of_user("user 1", "How many beds?")]);
    let (chunks, failure) = whole(backend(AskBackend::new(&address).unwrap()).answer(turn)).await;
    assert!(failure.is_none());
    if said(&chunks).is_empty() { Vec::new() } else { Content::decode(&said(&chunks)).unwrap().into_parts() }
}

#[tokio::test]
async fn a_request_holds_the_history_the_session_and_the_reason() {
    let (address, mut heard) = recording().await;
    let hint = |name: &str| name.parse().unwrap();
    let backend = AskBackend::new(&format!("{address}/ask?tenant=7#x")).unwrap();
    let backend = backend.corpus(&hint("handbook")).persona(&hint("gardener")).token("t-1").unwrap();
    let plane = AnswerPlane::new(Resolver::without_artifact()).fallback(backend);
    let ordered = ContentEncoder::encode_all(&[
        ContentPart::text("Twelve. ").unwrap(),
        ContentPart::component(frame("p-1")),
        ContentPart::text("Half are wet.").unwrap(),
    ]);
    let mut turn = TurnRequest::new(vec![
        message(Role::System, "a system prompt"),
        message(Role::User, "How many beds?"),
        message(Role::Tool, "a result"),
        message(Role::Assistant, " \n"),
        message(Role::Assistant, ordered),
        message(Role::User, "And how many are wet?"),
    ]);
    turn.session = Some("visitor-17".parse().unwrap());
    whole(plane.answer(turn)).await;

    let asked = heard.recv().await.unwrap();
    assert!(
        asked.head.starts_with("POST /ask?tenant=7&corpus=handbook&persona=gardener HTTP/1.1\r\n"),
        "{}",
        asked.head
    );
    for header in
        ["content-type: application/json", "accept: application/x-ndjson", "authorization: Bearer t-1"]
    {
        assert!(asked.head.contains(&format!("\r\n{header}\r\n")), "{header}");
    }
    let mut sent: Value = serde_json::from_str(&asked.body).unwrap();
    let reason = sent.as_object_mut().unwrap().remove("deterministic").unwrap();
    assert_eq!(reason["reason"], "corrupt");
    let expected = json!({
        "protocol": "agentskit.chat.ask", "version": 1, "sessionId": "visitor-17",
        "messages": [
            { "role": "user", "content": "How many beds?" },
            { "role": "assistant", "content": "Twelve. \n[progress]\nHalf are wet." },
            { "role": "user", "content": "And how many are wet?" },
        ],
    });
    assert_eq!(sent, expected);
}

#[tokio::test]
async fn of_a_long_history_the_latest_messages_are_sent() {
    let (address, mut heard) = recording().await;
    let messages: Vec<Message> = (0..200).map(|number| message(Role::User, number.to_string())).collect();
    whole(AskBackend::new(&address).unwrap().answer(TurnRequest::new(messages))).await;
    let sent: Value = serde_json::from_str(&heard.recv().await.unwrap().body).unwrap();
    let sent: Vec<&str> =
        sent["messages"].as_array().unwrap().iter().map(|it| it["content"].as_str().unwrap()).collect();
    assert_eq!((sent.len(), sent[0], sent[63]), (64, "136", "199"));
}

/// A service reads 64 KiB of a request.
#[tokio::test]
async fn of_a_large_history_as_much_is_sent_as_a_service_reads() {
    let (address, mut heard) = recording().await;
    let messages: Vec<Message> = (0..20).map(|_| message(Role::User, "é".repeat(4_000))).collect();
    whole(AskBackend::new(&address).unwrap().answer(TurnRequest::new(messages))).await;
    let body = heard.recv().await.unwrap().body;
    assert!(body.len() <= 65_536 && body.len() > 48_000, "{}", body.len());
    let large = vec![message(Role::User, "old"), message(Role::User, "\u{1}".repeat(16_000))];
    whole(AskBackend::new(&address).unwrap().answer(TurnRequest::new(large))).await;
    let sent: Value = serde_json::from_str(&heard.recv().await.unwrap().body).unwrap();
    assert_eq!(sent["messages"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_cannot_be_asked_is_not_sent() {
    let (address, mut heard) = recording().await;
    let cases = [
        (vec![message(Role::User, "old"), message(Role::User, " ")], AskFailed::NothingAsked),
        (vec![], AskFailed::NothingAsked),
        (vec![message(Role::System, "x"), message(Role::User, " ")], AskFailed::NothingAsked),
        (vec![message(Role::User, "x".repeat(16_385))], AskFailed::QuestionTooLong),
    ];
    for (messages, reason) in cases {
        let (_, failure) = whole(AskBackend::new(&address).unwrap().answer(TurnRequest::new(messages))).await;
        assert_eq!(failure.unwrap().source().unwrap().downcast_ref(), Some(&reason));
    }
    assert!(heard.try_recv().is_err());
}

#[tokio::test]
async fn text_and_the_tool_answer_are_text_and_other_tools_are_not_shown() {
    let parts = parts(
        &[
            json!({ "type": "text", "delta": "One. " }),
            json!({ "type": "tool", "id": "1", "name": "answer", "args": { "markdown": "Two." } }),
            json!({ "type": "tool", "id": "2", "name": "answer", "args": { "markdown": 7 } }),
            json!({ "type": "tool", "id": "3", "name": "delete-everything", "args": {} }),
            json!({ "type": "text", "delta": "y".repeat(20_000) }),
        ],
        |backend| backend,
    )
    .await;
    let texts = [String::from("One. "), "Two.".into(), "y".repeat(16_384), "y".repeat(3_616)];
    assert_eq!(parts, texts.map(|text| ContentPart::text(&text).unwrap()));
}

#[tokio::test]
async fn the_tool_cite_is_a_source_where_its_link_is_safe() {
    let cite = |args: Value| json!({ "type": "tool", "id": "1", "name": "cite", "args": args });
    let good = [
        (json!({ "title": "Rules", "url": "https://x.test/r" }), "Rules", "https://x.test/r"),
        (json!({ "title": "Rules", "path": "guide/rules", "anchor": "beds" }), "Rules", "/guide/rules#beds"),
        (json!({ "href": "/guide", "anchor": "#beds" }), "/guide#beds", "/guide#beds"),
        (json!({ "title": " ", "url": "/guide#here", "anchor": "beds" }), "/guide#here", "/guide#here"),
    ];
    let bad = [
        "javascript:alert(1)",
        "java\tscript:alert(1)",
        "//evil.test",
        "\\\\evil.test",
        "https://u:p@x.test",
        "data:x",
        "",
        "x\u{7}y",
        "mailto:a@b.test",
    ];
    let records: Vec<Value> = good
        .iter()
        .map(|(args, _, _)| args.clone())
        .chain(
            bad.iter()
                .map(|url| json!({ "title": "Bad", "url": url }))
                .chain([json!({ "title": "None" }), json!({ "url": 7 })]),
        )
        .map(cite)
        .collect();
    let parts = parts(&records, |backend| backend).await;
    assert_eq!(parts.len(), good.len());
    for (number, (part, (_, title, url))) in parts.iter().zip(&good).enumerate() {
        let ContentPart::Component(part) = part else { panic!("{part:?}") };
        let frame = part.frame();
        assert_eq!(frame.instance_id().as_str(), format!("sources-user-1-{}", number + 1));
        assert_eq!(frame.fallback().summary(), format!("Sources: {title}."));
        let manifest = Manifest::standard();
        let component = manifest.component(frame).unwrap();
        let answerplane_protocol::Component::Standard(CatalogComponent::SourceList(list)) = component else {
            panic!("no source list")
        };
        assert_eq!(list.sources()[0].url().unwrap().as_str(), *url);
        assert_eq!(list.sources()[0].title().as_str(), *title);
    }
}

#[tokio::test]
async fn a_plane_finds_the_citations_of_an_answer() {
    let records = [
        json!({ "type": "text", "delta": "Twelve." }),
        json!({ "type": "tool", "id": "1", "name": "cite", "args": { "title": "Rules", "url": "/rules" } }),
        json!({ "type": "done", "model": "m-1" }),
    ];
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    let address = serve_bytes(head("application/x-ndjson") + &lines).await;
    let plane = AnswerPlane::new(Resolver::without_artifact()).fallback(AskBackend::new(&address).unwrap());
    let (chunks, _) = whole(plane.answer(TurnRequest::of_query("How many beds?"))).await;
    let done = chunks.last().unwrap();
    assert_eq!((done.kind(), &done.fields()["metadata"]), (ChunkKind::Done, &json!({ "model": "m-1" })));
    let answer = json!(done.answer().unwrap())["answer"].clone();
    assert_eq!(answer["markdown"], "Twelve.");
    assert_eq!(answer["citations"][0]["href"], "/rules");
}

#[tokio::test]
async fn other_tools_are_shown_as_the_projector_says() {
    let records = [
        json!({ "type": "text", "delta": "So far: " }),
        json!({ "type": "tool", "id": "p-9", "name": "progress", "args": {} }),
        json!({ "type": "tool", "id": "x", "name": "unknown", "args": {} }),
    ];
    let parts = parts(&records, |backend| {
        backend.projector(|tool| (tool.name().as_str() == "progress").then(|| frame(tool.id().as_str())))
    });
    assert_eq!(parts.await, [ContentPart::text("So far: ").unwrap(), ContentPart::component(frame("p-9"))]);
}

#[tokio::test]
async fn an_error_record_ends_the_answer_and_is_told_as_it_is() {
    let records = "{\"type\":\"text\",\"delta\":\"Half\"}\n\
                   {\"type\":\"error\",\"message\":\"Too many requests.\",\"code\":\"ASK_RATE_LIMITED\",\"retryable\":true}\n\
                   {\"type\":\"text\",\"delta\":\"never read\"}\n{\"type\":\"done\"}\n";
    let address = serve_bytes(head("application/x-ndjson") + records).await;
    let (chunks, failure) =
        whole(AskBackend::new(&address).unwrap().answer(TurnRequest::of_query("x"))).await;
    assert!(failure.is_none());
    assert_eq!(ends(&chunks), (vec!["Too many requests."], 0));
    let metadata = json!({ "code": "ASK_RATE_LIMITED", "retryable": true });
    assert_eq!(chunks.last().unwrap().fields()["metadata"], metadata);
    assert!(!said(&chunks).contains("never read"));
}
