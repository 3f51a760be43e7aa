//! Generated records: states of a run with few ids, words and numbers, so that they meet; and any JSON at all.

use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// What the generated persons say, and nobody else.
pub(crate) const SAID: &str = "which ones?";

/// An object with these members, each there or not.
fn members(entries: Vec<(&'static str, BoxedStrategy<Option<Value>>)>) -> BoxedStrategy<Value> {
    let (names, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
    values
        .prop_map(move |values| {
            let present = names.iter().zip(values).filter_map(|(name, value)| Some(((*name).into(), value?)));
            Value::Object(present.collect::<Map<_, _>>())
        })
        .boxed()
}

fn always(value: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Option<Value>> {
    value.prop_map(Some).boxed()
}

fn often(value: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Option<Value>> {
    weighted(0.8, value).boxed()
}

fn rarely(value: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Option<Value>> {
    weighted(0.15, value).boxed()
}

fn one_of(values: Vec<Value>) -> impl Strategy<Value = Value> {
    select(values)
}

fn word(words: &[&str]) -> impl Strategy<Value = Value> + use<> {
    one_of(words.iter().map(|word| json!(word)).collect())
}

fn call() -> impl Strategy<Value = Value> {
    word(&["c1", "c2", "c3", "old1", "old2", ""])
}

fn turn() -> impl Strategy<Value = Value> {
    one_of(vec![json!(1), json!(2), json!(2.0), json!(3)])
}

fn ground() -> impl Strategy<Value = Value> {
    one_of(vec![json!([]), json!(["x"]), json!([{ "what": "x" }]), json!(null), json!("x")])
}

/// An absence envelope.
pub(crate) fn absence() -> BoxedStrategy<Value> {
    members(vec![
        ("af_absent", always(Just(json!(true)))),
        ("checked", always(Just(json!(["a"])))),
        ("not_checked", of(ground()).boxed()),
        ("cannot_cover", of(ground()).boxed()),
    ])
}

/// The gaps of an absence envelope, as a row spells them.
pub(crate) fn gaps_of(absence: &Value) -> (Value, Value) {
    (absence["not_checked"].clone(), absence["cannot_cover"].clone())
}

fn result() -> BoxedStrategy<Value> {
    let reference = "art_0123456789abcdefABCDEF";
    let ticket = members(vec![
        ("ref", always(one_of(vec![json!(reference), json!("art_x"), json!(1)]))),
        ("rows", often(one_of(vec![json!(0), json!(2), json!(-1), json!(1.5)]))),
        ("sourceField", of(word(&["volumes", "other"])).boxed()),
    ]);
    let plain = prop_oneof![
        3 => one_of(vec![json!([]), json!([1]), json!([{ "id": 1 }]), json!([[]])]),
        2 => one_of(vec![json!({ "volumes": [] }), json!({ "volumes": [1] }), json!({ "volumes": 1 }), json!({})]),
        1 => ticket.clone().prop_map(|ticket| json!({ "datasets": { "volumes": ticket } })),
        1 => ticket.prop_map(|ticket| json!({ "dataset": ticket })),
        1 => one_of(vec![
            json!({ "placed": true, "ref": "r", "reason": "size", "volumes": [] }),
            json!({ "af_absent": true, "checked": [] }),
            json!({ "af_coverage": {} }),
            json!("down"), json!(null), json!(7),
        ]),
        2 => absence(),
    ];
    let levels = prop_oneof![6 => Just(0), 2 => 1..3usize, 1 => 7..11usize];
    (plain, levels, vec((ground(), ground()), 11))
        .prop_map(|(result, levels, grounds)| {
            grounds.into_iter().take(levels).fold(result, |result, (not_checked, cannot_cover)| {
                json!({ "af_coverage": { "not_checked": not_checked, "cannot_cover": cannot_cover }, "result": result })
            })
        })
        .boxed()
}

fn message() -> BoxedStrategy<Value> {
    let tool = members(vec![
        ("role", always(Just(json!("tool")))),
        ("toolCallId", often(call())),
        ("toolName", often(word(&["lookup", "vols"]))),
        (
            "content",
            always(result().prop_map(|value| match value {
                Value::String(text) => json!(text),
                other => json!(other.to_string()),
            })),
        ),
        ("toolChars", rarely(one_of(vec![json!(2), json!(-1), json!(2.5), json!(999), json!("2")]))),
    ]);
    prop_oneof![
        6 => tool,
        2 => Just(json!({ "role": "user", "content": SAID })),
        1 => Just(json!({ "role": "user", "content": "[schema check] again" })),
        1 => Just(json!({ "role": "user", "content": "x", "injectedBy": null })),
        1 => Just(json!({ "role": "assistant", "content": "well" })),
        1 => junk(),
    ]
    .boxed()
}

fn junk() -> impl Strategy<Value = Value> {
    one_of(vec![json!(null), json!(3), json!("x"), json!([]), json!({}), json!(true), json!({ "kind": 7 })])
}

fn coverage_row() -> BoxedStrategy<Value> {
    let row = members(vec![
        ("kind", always(word(&["absence", "ledger", "ledger", "other"]))),
        ("toolCallId", often(call())),
        ("notChecked", of(ground()).boxed()),
        ("cannotCover", of(ground()).boxed()),
    ]);
    prop_oneof![8 => row, 1 => junk()].boxed()
}

fn argument_row() -> BoxedStrategy<Value> {
    members(vec![
        ("kind", always(Just(json!("argument")))),
        ("turn", often(turn())),
        ("toolCallId", often(call())),
        ("toolName", often(word(&["search", "line\nbreak"]))),
        ("argument", often(word(&["window", "size"]))),
        ("rule", of(word(&["ask", "assume"])).boxed()),
        ("period", rarely(one_of(vec![json!(true), json!(false)]))),
        ("source", often(word(&["said", "answered", "result", "app", "default", "model"]))),
        ("asked", rarely(word(&["missing"]))),
        ("claimed", of(word(&["user", "assumed"])).boxed()),
        ("failed", rarely(one_of(vec![json!("uncheckable"), json!("not-in-result"), json!(null)]))),
        ("reading", rarely(Just(json!(true)))),
        ("setAside", rarely(one_of(vec![json!("noise"), json!(null)]))),
        ("value", of(one_of(vec![json!("2h"), json!(7), json!([]), json!("\u{2028}")])).boxed()),
    ])
}

fn ledger_row() -> BoxedStrategy<Value> {
    let witnesses =
        || vec(prop_oneof![4 => call().prop_map(|call| json!({ "toolCallId": call })), 1 => junk()], 0..3);
    let contingent = (
        of(turn()),
        prop_oneof![Just(json!("answer")), call().prop_map(|call| json!({ "toolCallId": call })), junk(),],
    )
        .prop_map(|(turn, on)| {
            stamped(json!({ "kind": "contingent", "declaredOn": on, "value": "v" }), turn)
        });
    let conflict = (of(turn()), witnesses())
        .prop_map(|(turn, witnesses)| stamped(json!({ "kind": "conflict", "witnesses": witnesses }), turn));
    let period = members(vec![
        ("kind", always(Just(json!("period")))),
        ("turn", often(turn())),
        ("toolCallId", often(call())),
        ("argument", of(word(&["window", "size"])).boxed()),
        ("verdict", often(word(&["covered", "partly-held", "not-held", "unknown", "undeclared", "perhaps"]))),
        ("differs", rarely(one_of(vec![json!({}), json!([])]))),
        ("beyondRetention", rarely(one_of(vec![json!(true), json!("true")]))),
    ]);
    let plain =
        (of(turn()), word(&["grounded", "steps-unfinished", "time-derived", "basis"]), 0..3, of(call()))
            .prop_map(|(turn, kind, looked_up, call)| {
                let mut row = stamped(json!({ "kind": kind, "lookedUp": looked_up, "values": [] }), turn);
                if let Some(call) = call {
                    row["toolCallId"] = call;
                }
                row
            });
    prop_oneof![
        6 => argument_row(),
        2 => contingent,
        2 => conflict,
        3 => period,
        3 => plain,
        1 => junk(),
    ]
    .boxed()
}

fn stamped(mut row: Value, turn: Option<Value>) -> Value {
    if let Some(turn) = turn {
        row["turn"] = turn;
    }
    row
}

fn decision() -> BoxedStrategy<Value> {
    let from = one_of(vec![
        json!({ "window": "person" }),
        json!({ "window": "default" }),
        json!({ "size": "app" }),
        json!(7),
    ]);
    members(vec![
        ("at", always(word(&["tool", "tool", "llm"]))),
        ("toolCallId", often(call())),
        (
            "changedKeys",
            often(one_of(vec![json!(["window"]), json!(["window", "size"]), json!([3]), json!("window")])),
        ),
        ("from", of(from).boxed()),
    ])
}

/// A list, short or empty.
fn rows(row: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    vec(row, 0..5).prop_map(Value::Array).boxed()
}

/// A committed state, with a history.
pub(crate) fn state() -> BoxedStrategy<Value> {
    let report = members(vec![
        ("mode", often(word(&["enforce", "enforce", "observe"]))),
        ("status", often(word(&["passed", "passed", "failed", "unverified", "skipped"]))),
        ("candidateDigest", often(word(&["sha256:abc", ""]))),
    ]);
    members(vec![
        ("history", always(rows(message()))),
        ("turnNumber", of(turn()).boxed()),
        ("pausedToolCallId", rarely(one_of(vec![json!("c1"), json!(""), json!(7)]))),
        (
            "argumentAsk",
            rarely(one_of(vec![
                json!({ "waiting": { "requestId": "r" } }),
                json!({}),
                json!({ "waiting": 1 }),
            ])),
        ),
        ("coverageDeclared", weighted(0.4, rows(coverage_row())).boxed()),
        ("findingsLedger", weighted(0.5, rows(ledger_row())).boxed()),
        ("middlewareDecisions", weighted(0.4, rows(decision())).boxed()),
        ("unsupportedValues", rarely(one_of(vec![json!({}), json!({ "revised": true }), json!([])]))),
        ("stoppedEarly", rarely(one_of(vec![json!({ "iteration": 3 }), json!(null)]))),
        ("answerValidation", weighted(0.4, report).boxed()),
    ])
}

/// A record around a state, in any carrier, now and then served under a policy with keys kept out.
pub(crate) fn record() -> BoxedStrategy<Value> {
    let keys = answerplane_assessment::StateKey::ALL.iter().map(|key| key.as_str()).chain(["userMessage"]);
    let kept_out = vec((select(keys.collect::<Vec<_>>()), word(&["REDACTED", "[REDACTED]"])), 0..3);
    let reachable = prop_oneof![
        10 => state(),
        1 => Just(json!({})),
        1 => Just(json!({ "answerValidation": { "mode": "enforce", "status": "passed", "candidateDigest": "d" } })),
    ];
    (reachable, 0..8, kept_out)
        .prop_map(|(mut state, carrier, kept_out)| match carrier {
            0 => {
                for (key, placeholder) in kept_out {
                    state[key] = placeholder;
                }
                json!({ "snapshot": {
                    "sharedState": state, "recorders": [{ "id": answerplane_assessment::REDACTION_MARKER }],
                } })
            }
            1 => json!({ "checkpoint": { "sharedState": state } }),
            2 => json!({ "snapshot": 3, "checkpoint": { "sharedState": state } }),
            _ => json!({ "snapshot": { "sharedState": state } }),
        })
        .boxed()
}

/// Every word that means something somewhere, as a key or as a text.
const WORDS: [&str; 64] = [
    "snapshot",
    "checkpoint",
    "sharedState",
    "recorders",
    "id",
    "agentfootprint.redaction",
    "events",
    "type",
    "turn_end",
    "history",
    "role",
    "content",
    "toolCallId",
    "toolName",
    "toolChars",
    "injectedBy",
    "tool",
    "user",
    "c1",
    "[]",
    "{\"af_absent\":true,\"checked\":[0]}",
    "coverageDeclared",
    "kind",
    "absence",
    "ledger",
    "notChecked",
    "cannotCover",
    "findingsLedger",
    "argument",
    "contingent",
    "period",
    "conflict",
    "grounded",
    "steps-unfinished",
    "time-derived",
    "turn",
    "rule",
    "source",
    "default",
    "model",
    "said",
    "result",
    "reading",
    "setAside",
    "asked",
    "claimed",
    "failed",
    "declaredOn",
    "answer",
    "verdict",
    "not-held",
    "differs",
    "beyondRetention",
    "witnesses",
    "lookedUp",
    "middlewareDecisions",
    "at",
    "changedKeys",
    "from",
    "argumentAsk",
    "waiting",
    "REDACTED",
    "answerValidation",
    "status",
];

fn json_with(text: BoxedStrategy<String>) -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        2 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        2 => (0..3).prop_map(Value::from),
        4 => text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 8, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::Array),
            vec((text.clone(), inner), 0..8)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
    .boxed()
}

/// JSON of any shape, with any keys or with those that mean something.
pub(crate) fn any_json() -> BoxedStrategy<Value> {
    prop_oneof![json_with(any::<String>().boxed()), json_of_words()].boxed()
}

fn json_of_words() -> BoxedStrategy<Value> {
    json_with(select(WORDS.to_vec()).prop_map(str::to_owned).boxed())
}

/// A record whose keys hold lists of anything made of the words.
pub(crate) fn record_of_words() -> BoxedStrategy<Value> {
    let values = answerplane_assessment::StateKey::ALL.iter().map(|key| {
        let loose = prop_oneof![2 => vec(json_of_words(), 0..4).prop_map(Value::Array), 1 => json_of_words()];
        (key.as_str(), of(loose).boxed())
    });
    members(values.collect()).prop_map(|state| json!({ "snapshot": { "sharedState": state } })).boxed()
}
