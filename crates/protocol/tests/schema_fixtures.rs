//! The decoders over the same files that the schema validators judge (`cargo xtask test`).
#![allow(clippy::unwrap_used)]

use std::fmt::Debug;
use std::path::Path;

use answerplane_protocol::ask::{AskRecord, AskRequest, BackendSite};
use answerplane_protocol::session_snapshot::SessionSnapshot;
use answerplane_protocol::turn::TurnEvent;
use answerplane_protocol::{
    AnswerEnvelope, Artifact, CatalogComponent, Component, Content, ContentEncoder, ContentPart,
    DeterministicDiagnostic, InteractFrame, Manifest, RenderFrame, SelectFrame, SiteConfig,
};
use serde::Serialize;
use serde_json::{Value, json};

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/schema").join(name)
}

/// Judges every file of a wire type; at least so many stand in each folder.
fn judge<T, E>(name: &str, least: usize, decode: impl Fn(&[u8]) -> Result<T, E>, accepted: impl Fn(T)) {
    for (verdict, is_accepted) in [("valid", true), ("invalid", false), ("beyond-schema", false)] {
        let mut judged = 0;
        for file in std::fs::read_dir(folder(name).join(verdict)).unwrap() {
            let path = file.unwrap().path();
            let decoded = decode(&std::fs::read(&path).unwrap());
            assert_eq!(decoded.is_ok(), is_accepted, "{}", path.display());
            decoded.into_iter().for_each(&accepted);
            judged += 1;
        }
        assert!(judged >= least, "{name}/{verdict}");
    }
}

/// What is written of each reason is a fixture that the schema accepts.
#[test]
fn diagnostics() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/schema/diagnostic/valid");
    let fixtures: Vec<serde_json::Value> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| serde_json::from_slice(&std::fs::read(file.unwrap().path()).unwrap()).unwrap())
        .collect();
    assert_eq!(fixtures.len(), DeterministicDiagnostic::ALL.len());
    for reason in DeterministicDiagnostic::ALL {
        assert!(fixtures.contains(&serde_json::to_value(reason).unwrap()), "{reason}");
    }
}

/// What is written reads back, from a text and from a value.
fn round_trip<T: Serialize + PartialEq + Debug, E: PartialEq + Debug>(
    decode: impl Fn(&[u8]) -> Result<T, E>,
    decode_value: impl Fn(&Value) -> Result<T, E>,
) -> impl Fn(T) {
    move |document| {
        let written = serde_json::to_string(&document).unwrap();
        assert_eq!(decode(written.as_bytes()).unwrap(), document);
        assert_eq!(decode_value(&json!(document)).unwrap(), document);
    }
}

macro_rules! judged {
    ($($test:ident: $name:literal, $type:ident;)*) => {
        $(
            #[test]
            fn $test() {
                let decode = |text: &[u8]| $type::decode(text);
                judge($name, 2, decode, round_trip(decode, $type::decode_value));
            }
        )*
    };
}

judged! {
    component_frames: "component-render", RenderFrame;
    selections: "component-select", SelectFrame;
    interactions: "component-interact", InteractFrame;
    turn_events: "turn-event", TurnEvent;
    session_snapshots: "session-snapshot", SessionSnapshot;
    ask_requests: "ask-request", AskRequest;
    backend_sites: "backend-site", BackendSite;
    site_configurations: "site", SiteConfig;
    answers: "answer", AnswerEnvelope;
}

#[test]
fn artifacts() {
    judge("artifact", 10, |text| Artifact::decode(text), |_| ());
}

#[test]
fn content_records() {
    let decode = |text: &[u8]| ContentPart::decode(text_of(text));
    let decode_value = |value: &Value| ContentPart::decode(&value.to_string());
    judge("content-record", 3, decode, round_trip(decode, decode_value));
}

#[test]
fn ask_records() {
    let decode = |text: &[u8]| AskRecord::decode(text_of(text)).ok_or(());
    let decode_value = |value: &Value| AskRecord::decode(&value.to_string()).ok_or(());
    judge("ask-record", 3, decode, round_trip(decode, decode_value));
}

#[test]
fn component_props() {
    let decode = |text: &[u8]| {
        let component: Value = serde_json::from_slice(text).unwrap();
        let frame = RenderFrame::decode_value(&json!({
            "protocol": "agentskit.chat.component", "version": 1, "type": "render",
            "componentKey": component["componentKey"], "instanceId": "i-1", "props": component["props"],
            "fallback": { "kind": "k", "summary": "s" },
        }))?;
        Manifest::standard().component(&frame).map(|_| ())
    };
    judge("component-props", 10, decode, |()| ());
}

/// Every document of version 1 that was ever accepted is accepted for ever, and read as the same.
fn text_of(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn version_1_is_read_for_ever() {
    let mut read = 0;
    for file in std::fs::read_dir(folder("../version-1")).unwrap() {
        let path = file.unwrap().path();
        // The wire type, and which of its documents where there are several.
        let file = path.file_name().unwrap().to_str().unwrap();
        let (name, which) = file.split_once('.').unwrap();
        let text = std::fs::read(&path).unwrap();
        let same = |written: Result<String, serde_json::Error>| {
            let written: Value = serde_json::from_str(&written.unwrap()).unwrap();
            assert_eq!(written, serde_json::from_slice::<Value>(&text).unwrap(), "{name}");
        };
        match name {
            "site" => same(serde_json::to_string(&SiteConfig::decode(&text).unwrap())),
            "answer" => same(serde_json::to_string(&AnswerEnvelope::decode(&text).unwrap())),
            "artifact" => {
                let mut written = String::new();
                Artifact::decode(&text).unwrap().write(&mut written).unwrap();
                same(Ok(written));
            }
            "component-render" => {
                let frame = RenderFrame::decode(&text).unwrap();
                same(serde_json::to_string(&frame));
                if which != "json" {
                    let manifest = Manifest::standard();
                    let Component::Standard(component) = manifest.component(&frame).unwrap() else {
                        panic!()
                    };
                    assert_eq!(which, format!("{}.json", component.key()));
                    assert_eq!(json!(component), *frame.props());
                }
            }
            "content" => {
                let content = Content::decode(text_of(&text)).unwrap();
                assert!(content.is_complete());
                let again = ContentEncoder::encode_all(content.parts());
                assert_eq!(Content::decode(&again).unwrap(), content);
                assert_eq!(again.lines().count(), 4);
            }
            "component-select" => same(serde_json::to_string(&SelectFrame::decode(&text).unwrap())),
            "component-interact" => same(serde_json::to_string(&InteractFrame::decode(&text).unwrap())),
            "turn-event" => same(serde_json::to_string(&TurnEvent::decode(&text).unwrap())),
            "session-snapshot" => same(serde_json::to_string(&SessionSnapshot::decode(&text).unwrap())),
            "ask-request" => same(serde_json::to_string(&AskRequest::decode(&text).unwrap())),
            "backend-site" => same(serde_json::to_string(&BackendSite::decode(&text).unwrap())),
            "content-record" => same(serde_json::to_string(&ContentPart::decode(text_of(&text)).unwrap())),
            "ask-record" => same(serde_json::to_string(&AskRecord::decode(text_of(&text)).unwrap())),
            other => panic!("nobody reads {other}"),
        }
        read += 1;
    }
    assert_eq!(read, 33);
    for key in CatalogComponent::KEYS {
        assert!(folder("../version-1").join(format!("component-render.{key}.json")).exists(), "{key}");
    }
}

/// The text of an object with its members in another order: the `first`-th comes first, and so on around.
fn turned(object: &Value, first: usize) -> String {
    let members = object.as_object().unwrap();
    let turned = members.iter().cycle().skip(first).take(members.len());
    let written: Vec<String> = turned.map(|(name, value)| format!("{}:{value}", json!(name))).collect();
    format!("{{{}}}", written.join(","))
}

/// A record whose word comes first is read in one go, any other is not: the result is the same, also of a bad one.
#[test]
fn members_in_any_order_read_alike() {
    type Read = fn(&str) -> Option<Value>;
    let content: Read = |text| ContentPart::decode(text).ok().map(|part| json!(part));
    let ask: Read = |text| AskRecord::decode(text).map(|record| json!(record));
    let turn: Read = |text| TurnEvent::decode(text).map(|event| json!(event)).ok();
    for (name, read) in [("content-record", content), ("ask-record", ask), ("turn-event", turn)] {
        for verdict in ["valid", "invalid", "beyond-schema"] {
            for file in std::fs::read_dir(folder(name).join(verdict)).unwrap() {
                let path = file.unwrap().path();
                // Some repeat a name, and some nest too deep for a value.
                let Ok(object) = serde_json::from_slice::<Value>(&std::fs::read(&path).unwrap()) else {
                    continue;
                };
                let Some(members) = object.as_object() else { continue };
                let expected = read(&object.to_string());
                for first in 0..members.len() {
                    assert_eq!(read(&turned(&object, first)), expected, "{} from {first}", path.display());
                }
            }
        }
    }
}
