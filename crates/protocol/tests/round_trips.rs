//! What is decoded, written and decoded again is the same: for generated values of every document that is read.
//!
//! Contents, catalog props, session snapshots and Ask records have such a test beside their rules.
#![allow(clippy::unwrap_used)]

use std::fmt::Debug;

use answerplane_normalize::{is_blank, normalize_key, trim, truncate_utf16};
use answerplane_protocol::ask::{AskBuffer, AskDiagnostic, AskMetric, AskRecord, AskRequest, BackendSite};
use answerplane_protocol::session_snapshot::SessionDiagnostic;
use answerplane_protocol::turn::{TurnEvent, TurnRefusal};
use answerplane_protocol::{
    AnswerEnvelope, Artifact, ArtifactContent, ComponentDiagnostic, ContentDiagnostic,
    DeterministicDiagnostic, ForeignValue, InteractFrame, RenderFrame, SelectFrame, SiteConfig,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde::Serialize;
use serde_json::{Map, Value, json};

type Json = BoxedStrategy<Value>;

fn config() -> ProptestConfig {
    let cases = std::env::var("ANSWERPLANE_CASES").map_or(256, |cases| cases.parse().unwrap());
    ProptestConfig::with_cases(cases)
}

/// Equal, but for the spelling of numbers: what decides is the nearest double.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && same(a.1, b.1))
        }
        _ => a == b,
    }
}

/// Value to document to text to document: nothing is lost, and the second text is the first one.
fn reads_back<T: Serialize + PartialEq + Debug, E: Debug>(
    value: &Value,
    from_value: impl Fn(&Value) -> Result<T, E>,
    from_text: impl Fn(&str) -> Result<T, E>,
) {
    let document = from_value(value).unwrap();
    assert_eq!(from_text(&value.to_string()).unwrap(), document, "text and value agree");
    let written = serde_json::to_string(&document).unwrap();
    let again = from_text(&written).unwrap();
    assert_eq!(again, document);
    assert_eq!(serde_json::to_string(&again).unwrap(), written);
    let as_value = serde_json::to_value(&document).unwrap();
    assert!(same(&as_value, value), "{as_value} of {value}");
    assert_eq!(from_value(&as_value).unwrap(), document);
}

macro_rules! reads_back {
    ($type:ty, $value:expr) => {
        reads_back($value, <$type>::decode_value, |text| <$type>::decode(text));
        reads_back($value, <$type>::decode_value, <$type>::decode_embedded);
    };
}

const MAX_INTEGER: u64 = (1 << 53) - 1;
const HOST: &str = "(http|https|HTTPS)://[a-z]{1,8}(\\.[a-z]{2,5}){1,2}(:[1-9][0-9]{0,3})?";
const PATH: &str = "(/[a-zA-Zé%._~-]{0,8}){0,3}([?#][ -\\[\\]-~]{0,8})?";
const DAY: &str = "(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]";
const REST: &str = "(:[0-5][0-9](\\.[0-9]{1,9})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])";

/// Values like this one. An object has these fields, of which those with a question mark may be absent; a list
/// `[item, least, greatest]` has so many such items; a text is what `scalar` says; the rest stands for itself.
fn like(template: &Value) -> Json {
    match template {
        Value::Object(fields) => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let fields: Vec<_> = fields.values().map(|field| (like(field), any::<bool>())).collect();
            let object = move |fields: Vec<(Value, bool)>| {
                let fields = names.iter().zip(fields);
                let present = fields.filter(|(name, (_, present))| *present || !name.ends_with('?'));
                present.map(|(name, (value, _))| (name.trim_end_matches('?').to_owned(), value)).collect()
            };
            fields.prop_map(object).prop_map(Value::Object).boxed()
        }
        Value::Array(list) => {
            let [least, greatest] = [1, 2].map(|at| list[at].as_u64().unwrap() as usize);
            let some = prop::collection::vec(like(&list[0]), least..=greatest.min(least + 4));
            some.prop_map(Value::Array).boxed()
        }
        Value::String(name) => scalar(name),
        constant => Just(constant.clone()).boxed(),
    }
}

fn one_of(templates: &[Value]) -> Json {
    prop::strategy::Union::new(templates.iter().map(like)).boxed()
}

fn scalar(name: &str) -> Json {
    let parts: Vec<&str> = name.split(' ').collect();
    let bound = |at: usize| parts[at].parse::<usize>().unwrap_or(usize::MAX);
    let matching = |pattern: &str| prop::string::string_regex(pattern).unwrap().prop_map(Value::from).boxed();
    match parts[0] {
        "$version" => integer(1, 1),
        "$id" => matching("[A-Za-z0-9]([A-Za-z0-9._:-]{0,9}|[A-Za-z0-9._:-]{127})"),
        "$key" => matching("[a-z]([a-z0-9-]{0,9}|[a-z0-9-]{63})"),
        "$code" => matching("[A-Z][A-Z0-9_]{0,30}"),
        "$hash" => matching("sha256:[0-9a-f]{64}"),
        "$link" => prop_oneof![
            matching("/([^/\\\\\u{0}-\u{1f}\u{7f}][^\\\\\u{0}-\u{1f}\u{7f}]{0,20})?"),
            matching(&format!("{HOST}{PATH}")),
        ]
        .boxed(),
        "$time" => matching(&format!("{}-{DAY}{REST}", parts[1])),
        "$utc" => matching(&format!("[0-9]{{4}}-{DAY}:[0-5][0-9]\\.[0-9]{{3}}Z")),
        "$text" => raw_text(bound(1), bound(2)).prop_map(Value::from).boxed(),
        "$trimmed" => trimmed(bound(1)).prop_map(Value::from).boxed(),
        "$input" => raw_text(1, usize::MAX)
            .prop_map(|text| if is_blank(&text) { json!("x") } else { json!(text) })
            .boxed(),
        "$integer" => integer(bound(1) as u64, (bound(2) as u64).min(MAX_INTEGER)),
        "$flag" => any::<bool>().prop_map(Value::from).boxed(),
        "$part" => prop_oneof![Just(-0.0), Just(1.0), Just(5e-324), 0.0..1.0].prop_map(Value::from).boxed(),
        "$seconds" => {
            prop_oneof![Just(-0.0), Just(f64::MAX), 0.0..1e9, Just(7.0)].prop_map(Value::from).boxed()
        }
        "$foreign" => foreign(),
        "$object" => foreign_object(foreign()),
        "$message-part" => one_of(&message_parts()),
        "$lineage" => one_of(&[
            json!({ "operation": "submit" }),
            json!({ "operation": "retry|edit|regenerate", "parentTurnId": "$id", "sourceMessageId": "$id" }),
        ]),
        "$escalation" => escalation(),
        "$aliases" => aliases(),
        _ => select(name.split('|').map(str::to_owned).collect::<Vec<_>>()).prop_map(Value::from).boxed(),
    }
}

/// A text of at most `units` UTF-16 code units, often hard to write.
fn raw_text(min: usize, units: usize) -> BoxedStrategy<String> {
    let hard = "[\"\\\\/\u{0}-\u{1f}\u{7f}-\u{a0}\u{2028}\u{feff}\u{e000}é🚀\u{10ffff}]{0,9}";
    prop_oneof!["(?s).{0,20}", hard, "[ -~]{0,20}", Just("🚀".repeat(units.min(5_000) / 2))]
        .prop_map(
            move |text| if text.len() < min { "x".repeat(min) } else { truncate_utf16(&text, units).into() },
        )
        .boxed()
}

fn trimmed(units: usize) -> BoxedStrategy<String> {
    raw_text(1, units).prop_map(|text| if is_blank(&text) { "x".into() } else { trim(&text).into() }).boxed()
}

/// An integer, as such or as a double.
fn integer(min: u64, max: u64) -> Json {
    let number = prop_oneof![Just(min), min..=max, Just(max)];
    (number, any::<bool>())
        .prop_map(|(number, double)| if double { json!(number as f64) } else { json!(number) })
        .boxed()
}

/// JSON of somebody else, its keys and numbers as inconvenient as they may be.
fn foreign() -> Json {
    use prop::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-9_i32..9).prop_map(Value::from),
        select(vec![MAX_INTEGER as f64, MAX_INTEGER as f64 + 1.0, -0.0, 1e21, f64::MAX, 5e-324])
            .prop_map(Value::from),
        (POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO).prop_map(Value::from),
        raw_text(0, 16_384).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from), foreign_object(inner)]
    })
    .boxed()
}

fn foreign_object(inner: impl Strategy<Value = Value> + 'static) -> Json {
    let private = select(vec!["$serde_json::private::RawValue", "$serde_json::private::Number", "type", ""]);
    let name = prop_oneof![4 => "(?s).{0,9}", 1 => private.prop_map(String::from)];
    prop::collection::btree_map(name, inner, 0..5)
        .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()))
        .boxed()
}

fn site() -> Json {
    like(&json!({
        "protocol": SiteConfig::PROTOCOL, "version": "$version", "siteId": "$id",
        "artifact": { "href": "$link", "contentHash": "$hash" },
        "fallback": { "mode": "backend|disabled" },
    }))
}

fn citations() -> Value {
    json!([{ "id": "$id", "title": "$trimmed 256", "href": "$link" }, 0, 8])
}

/// Aliases; `own` stands for one that no other entry has, at any place.
fn aliases() -> Json {
    let shared = select(vec!["shared", "Sháred", "common", "!"]).prop_map(String::from);
    let others = prop::collection::vec(prop_oneof![shared, trimmed(24)], 0..6);
    let with_own = |(mut aliases, at): (Vec<String>, prop::sample::Index)| {
        aliases.insert(at.index(aliases.len() + 1), "own".into());
        Value::from(aliases)
    };
    (others, any::<prop::sample::Index>()).prop_map(with_own).boxed()
}

/// Artifacts whose entries have ids of their own, and each an alias of its own and none twice.
fn artifact() -> Json {
    let entry = json!({
        "id": "$id", "label": "$trimmed 256",
        "kind": "command|package|navigation|contribution|ecosystem|restricted-faq|document",
        "match": { "type": "exact", "values": "$aliases" },
        "answer": { "markdown": "$trimmed 16384", "citations": citations() },
    });
    let artifact = like(&json!({
        "protocol": Artifact::PROTOCOL, "version": "$version", "artifactId": "$id", "siteId": "$id",
        "contentHash": "$hash", "generatedAt": "$time [01][0-9]{3}", "expiresAt?": "$time 2[1-9][0-9]{2}",
        "entries": [entry, 0, 6],
    }));
    let repaired = |mut artifact: Value| {
        for (at, entry) in artifact["entries"].as_array_mut().unwrap().iter_mut().enumerate() {
            entry["id"] = json!(format!("{at}:{}", &entry["id"].as_str().unwrap()[..1]));
            let mut keys: Vec<String> = (0..9).map(|at| format!("own alias {at}")).collect();
            entry["match"]["values"].as_array_mut().unwrap().retain_mut(|alias| {
                if alias == "own" {
                    *alias = json!(format!("Own alias {at}"));
                    return true;
                }
                let key = normalize_key(alias.as_str().unwrap()).as_str().to_owned();
                let is_new = !keys.contains(&key);
                keys.push(key);
                is_new
            });
        }
        artifact
    };
    artifact.prop_map(repaired).boxed()
}

/// The same with white space around every text that is trimmed.
fn padded(mut artifact: Value) -> Value {
    let pad = |text: &mut Value| *text = json!(format!("\u{feff}\t{}\u{2028} ", text.as_str().unwrap()));
    for entry in artifact["entries"].as_array_mut().unwrap() {
        pad(&mut entry["label"]);
        pad(&mut entry["answer"]["markdown"]);
        entry["match"]["values"].as_array_mut().unwrap().iter_mut().for_each(pad);
        let citations = entry["answer"]["citations"].as_array_mut().unwrap();
        citations.iter_mut().for_each(|citation| pad(&mut citation["title"]));
    }
    artifact
}

/// Envelopes with this outcome, and a query as it is asked and as it is normalized.
fn envelope(outcome: &Value) -> Json {
    let query = prop_oneof![raw_text(0, 512), (0..512_usize).prop_map(|times| "ﷺ".repeat(times))];
    let whole = |(query, mut envelope): (String, Value)| {
        envelope["protocol"] = json!(AnswerEnvelope::PROTOCOL);
        envelope["normalizedQuery"] = json!(truncate_utf16(normalize_key(&query).as_str(), 512));
        envelope["query"] = json!(query);
        envelope
    };
    (query, like(outcome)).prop_map(whole).boxed()
}

fn answer(provenance: &Value, basis: &str) -> Json {
    envelope(&json!({
        "version": "$version", "outcome": "answer", "provenance": provenance,
        "answer": { "markdown": "$text 1 16384", "citations": citations() },
        "confidence": { "level": "high", "basis": basis },
    }))
}

fn choices() -> Json {
    let choices = envelope(&json!({
        "version": "$version", "outcome": "choices", "message": "$text 1 4096",
        "suggestions": [{ "id": "$id", "label": "$trimmed 256", "value": "$trimmed 512" }, 2, 8],
        "provenance": { "source": "local", "artifactId": "$id", "contentHash": "$hash" },
        "confidence": { "level": "medium", "basis": "ambiguous" },
    }));
    let with_ids = |mut choices: Value| {
        let suggestions = choices["suggestions"].as_array().unwrap();
        let ids: Vec<Value> = suggestions.iter().map(|suggestion| suggestion["id"].clone()).collect();
        choices["provenance"]["entryIds"] = json!(ids);
        choices
    };
    choices.prop_map(with_ids).boxed()
}

fn escalation() -> Json {
    let of = |reason| {
        envelope(&json!({
            "version": "$version", "outcome": "escalation", "message": "$text 1 4096", "reason": reason,
            "candidateEntryIds?": ["$id", 0, 8], "confidence": { "level": "low", "basis": reason },
        }))
    };
    select(vec!["miss", "stale", "corrupt", "offline"]).prop_flat_map(of).boxed()
}

fn answers() -> Json {
    let local = json!({
        "source": "local", "artifactId": "$id", "contentHash": "$hash", "entryIds": ["$id", 1, 1],
    });
    let backend = json!({ "source": "backend", "provider?": "$trimmed 128", "model?": "$trimmed 128" });
    prop_oneof![answer(&local, "exact"), answer(&backend, "backend"), choices(), escalation()].boxed()
}

fn frame(word: &str, own: Value) -> Json {
    let mut frame = json!({
        "protocol": RenderFrame::PROTOCOL, "version": "$version", "type": word,
        "componentKey": "$key", "instanceId": "$id",
    });
    frame.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
    like(&frame)
}

fn event(word: &str, payload: &Value) -> Json {
    like(&json!({
        "protocol": TurnEvent::PROTOCOL, "version": "$version", "eventId": "$id", "sessionId": "$id",
        "turnId": "$id", "sequence": "$integer 0 max", "emittedAt": "$time [0-9]{4}",
        "correlation?": {
            "operationId": "$id", "runId?": "$id", "sessionId?": "$id", "turnId?": "$id", "actionId?": "$id",
            "traceId?": "$id",
        },
        "event": word, "payload": payload,
    }))
}

fn message_parts() -> [Value; 4] {
    let [source, kind] = ["$text 0 max"; 2];
    [
        json!({ "type": "text", "text": "$text 0 max" }),
        json!({ "type": "image", "source": source, "mimeType?": kind, "detail?": "low|high|auto" }),
        json!({ "type": "audio|video", "source": source, "mimeType?": kind, "durationSec?": "$seconds" }),
        json!({ "type": "file", "source": source, "mimeType?": kind, "filename?": "$text 0 max" }),
    ]
}

fn turn_error() -> Value {
    json!({ "version": "$version", "code": "$code", "message": "$text 1 max", "retryable": "$flag" })
}

fn snapshot() -> Value {
    let call = json!({
        "id": "$text 1 max", "name": "$text 1 max", "args": "$object",
        "status": "pending|running|complete|error|requires_confirmation",
        "result?": "$text 0 max", "error?": "$text 0 max",
    });
    let message = json!({
        "id": "$text 1 max", "role": "user|assistant|system|tool", "content": "$text 0 max",
        "status": "pending|streaming|complete|error", "createdAt": "$utc", "parts?": ["$message-part", 0, 4],
        "toolCalls?": [call, 0, 2], "toolCallId?": "$text 0 max", "metadata?": "$object",
    });
    let tokens = "$integer 0 max";
    json!({
        "messages": [message, 0, 3], "status": "idle|streaming|complete|error",
        "usage": { "promptTokens": tokens, "completionTokens": tokens, "totalTokens": tokens },
        "error?": turn_error(), "lineage?": "$lineage", "capabilities?": ["$id", 0, 64],
        "quota?": { "utilization": "$part", "warning": "$flag" },
    })
}

fn ask_request() -> Json {
    like(&json!({
        "protocol?": AskRequest::PROTOCOL, "version?": "$version", "sessionId?": "$id",
        "messages": [{ "role": "user|assistant", "content": "$text 0 16384" }, 1, 64],
        "deterministic?": "$escalation",
    }))
}

fn backend_site() -> Json {
    like(&json!({
        "protocol": BackendSite::PROTOCOL, "version": "$version", "siteId": "$id",
        "assistant": { "id": "$id", "name": "$trimmed 128", "suggestions": ["$trimmed 256", 0, 8] },
        "corpus": { "id": "$id", "mode": "local|federated" },
        "components": ["$key", 0, 64], "actions": ["$id", 0, 64], "persistence": "required|disabled",
        "limits": {
            "requestTimeoutMs": "$integer 100 120000", "retrievalTimeoutMs": "$integer 100 60000",
            "generationTimeoutMs": "$integer 100 120000", "maxSources": "$integer 1 8",
        },
    }))
}

fn text_of(write: impl Fn(&mut String) -> std::fmt::Result) -> String {
    let mut text = String::new();
    write(&mut text).unwrap();
    text
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn artifacts(value in artifact()) {
        let written = |artifact: Artifact| text_of(|text| artifact.write(text));
        let text = written(Artifact::decode_value(&value).unwrap());
        prop_assert!(same(&serde_json::from_str(&text).unwrap(), &value), "{}", text);
        for again in [&text, &value.to_string(), &padded(value.clone()).to_string()] {
            prop_assert_eq!(&written(Artifact::decode(again).unwrap()), &text);
            prop_assert_eq!(&written(Artifact::decode_embedded(again).unwrap()), &text);
        }
        let mut content = value;
        content.as_object_mut().unwrap().remove("contentHash");
        let canonical = |content: ArtifactContent| text_of(|text| content.write_canonical(text));
        let text = canonical(ArtifactContent::decode_value(&content).unwrap());
        prop_assert!(same(&serde_json::from_str(&text).unwrap(), &content), "{}", text);
        prop_assert_eq!(canonical(ArtifactContent::decode(&text).unwrap()), text);
    }

    #[test]
    fn answer_envelopes(answer in answers()) {
        reads_back!(AnswerEnvelope, &answer);
    }

    #[test]
    fn render_frames(frame in frame("render", json!({
        "props": "$foreign", "fallback": { "kind": "$text 1 64", "summary": "$text 1 4096" },
    }))) {
        reads_back!(RenderFrame, &frame);
    }

    #[test]
    fn frames_that_answer(
        select in frame("select", json!({ "choiceId": "$id" })),
        interact in frame("interact", json!({ "event": "$key", "value?": "$foreign" })),
    ) {
        reads_back!(SelectFrame, &select);
        reads_back!(InteractFrame, &interact);
    }

    #[test]
    fn turn_events(
        submit in event("client.turn.submit", &json!({ "input": "$input" })),
        decide in event("client.action.decide", &json!({
            "token": "$id", "decision": "approve|deny", "reason?": "$text 0 max",
        })),
        diagnostic in event("server.turn.diagnostic", &turn_error()),
    ) {
        for event in [submit, decide, diagnostic] {
            reads_back!(TurnEvent, &event);
        }
    }

    #[test]
    fn snapshot_events(event in event("server.turn.snapshot", &snapshot())) {
        reads_back!(TurnEvent, &event);
    }

    #[test]
    fn sites_and_requests(site in site(), backend in backend_site(), request in ask_request()) {
        reads_back!(SiteConfig, &site);
        reads_back!(BackendSite, &backend);
        reads_back!(AskRequest, &request);
    }

    #[test]
    fn foreign_values(value in foreign()) {
        reads_back(&value, |value| ForeignValue::new(value).ok_or(()), |text| {
            serde_json::from_str::<ForeignValue>(text).map_err(|_| ())
        });
    }

    /// A diagnostic is written only; as the payload of an event it is read.
    #[test]
    fn diagnostics_in_events(event in event("server.turn.diagnostic", &turn_error())) {
        let mut diagnostics: Vec<Value> = AskDiagnostic::ALL.iter().map(|reason| json!(reason)).collect();
        diagnostics.extend(DeterministicDiagnostic::ALL.iter().map(|reason| json!(reason)));
        diagnostics.extend(ComponentDiagnostic::ALL.iter().map(|reason| json!(reason)));
        diagnostics.extend(ContentDiagnostic::ALL.iter().map(|reason| json!(reason)));
        diagnostics.extend(SessionDiagnostic::ALL.iter().map(|reason| json!(reason)));
        for mut diagnostic in diagnostics {
            diagnostic["version"] = json!(1);
            let mut event = event.clone();
            event["payload"] = diagnostic;
            reads_back!(TurnEvent, &event);
        }
        let mut refused = event.clone();
        refused["payload"] = Value::Null;
        let diagnostic = TurnEvent::decode_value(&refused).unwrap_err();
        prop_assert_eq!(diagnostic.reason(), TurnRefusal::Invalid);
        prop_assert_eq!(&json!(diagnostic)["eventId"], &event["eventId"]);
    }
}

#[test]
fn ask_diagnostics_and_metrics() {
    for diagnostic in AskDiagnostic::ALL {
        let record = AskRecord::from(*diagnostic);
        assert_eq!(AskBuffer::decode(&record.to_line().unwrap()).records, [record]);
    }
    for metric in AskMetric::ALL {
        assert_eq!(serde_json::from_value::<AskMetric>(json!(metric)).unwrap(), *metric);
    }
}
