//! Records and declarations as JSON text: nothing but what is no JSON is refused, and what no value can hold is read.
#![allow(clippy::unwrap_used)] // in the helpers of tests too

use answerplane_assessment::{
    Assessment, AssumedValues, CallerError, Declarations, Projection, Record, SavedRecord, TurnEnd, assess,
    standing_line,
};
use serde_json::{Value, json};

fn assessed(text: &str, declarations: &Declarations) -> Assessment<'static> {
    let saved = SavedRecord::decode(text).unwrap();
    assess(saved.record(), declarations).into_owned()
}

/// The wire form of a state's assessment.
fn wire(state: &str) -> Value {
    let text = format!(r#"{{"snapshot":{{"sharedState":{state}}}}}"#);
    serde_json::to_value(assessed(&text, &Declarations::default())).unwrap()
}

/// A history with one result, whose content is this JSON.
fn result(content: &str) -> Value {
    wire(&format!(
        r#"{{"history":[{{"role":"user","content":"q"}},{{"role":"tool","toolCallId":"c1","content":{content}}}]}}"#
    ))
}

fn deep(levels: usize) -> String {
    ["[".repeat(levels), "]".repeat(levels)].concat()
}

#[test]
fn what_no_value_can_hold_harms_nothing_wherever_it_stands() {
    let plain = result("\"[]\"");
    assert_eq!(plain["standing"], "not-sure");
    for odd in [r#""\ud800""#, r#"{"\udc00":1}"#, "1e999", "-1e999", &deep(127), &deep(200_000)] {
        let history = r#"[{"role":"user","content":"q"},{"role":"tool","toolCallId":"c1","content":"[]"}]"#;
        let text = format!(
            r#"{{"structure":{odd},"events":[{odd},{{"type":{odd},"data":{odd}}}],
                "checkpoint":{odd},
                "snapshot":{{"extra":{odd},"recorders":[{odd},{{"id":{odd}}}],
                    "sharedState":{{"scratch":{odd},"history":{history},
                        "unsupportedValues":[{odd}],"coverageDeclared":[{odd},{{"kind":{odd}}}]}}}}}}"#
        );
        assert_eq!(serde_json::to_value(assessed(&text, &Declarations::default())).unwrap(), plain);
        // A key that the fold reads, and does not find readable.
        for key in ["history", "findingsLedger", "coverageDeclared", "argumentAsk", "answerValidation"] {
            let told = wire(&format!(r#"{{"{key}":{odd}}}"#));
            assert_eq!(told["standing"], "not-assessed", "{key}");
        }
        assert_eq!(result(&format!(r#"[{odd}]"#))["standing"], "consistent");
    }
}

#[test]
fn half_a_surrogate_pair_is_one_unknown_character() {
    let told = wire(r#"{"history":[{"role":"tool","toolCallId":"c\ud800\u0031","content":[]}]}"#);
    assert_eq!(told["reasons"][0]["witness"][0]["toolCallId"], "c\u{fffd}1");
    // Whole pairs, and what only looks like half of one, stay what they are.
    let told = wire(
        r#"{"history":[{"role":"tool","toolCallId":"\ud83d\ude80\ud7ff\ue000\udc00\ud800","content":[]}]}"#,
    );
    let call = "\u{1f680}\u{d7ff}\u{e000}\u{fffd}\u{fffd}";
    assert_eq!(told["reasons"][0]["witness"][0]["toolCallId"], call);
    // It is one UTF-16 unit, as it was, so a length still ends where it did.
    let told = wire(
        r#"{"history":[{"role":"tool","content":"[\"\udc00\"]note","toolChars":5},
            {"role":"tool","content":"[\"\udc00\"]note","toolChars":6}]}"#,
    );
    assert_eq!(told["checked"][1]["ran"], 1);
    // It opens a turn like any other text.
    let told = wire(r#"{"history":[{"role":"tool","content":[]},{"role":"user","content":"\udc00"}]}"#);
    assert_eq!((&told["turnFrom"], &told["standing"]), (&json!("person"), &json!("not-assessed")));
}

#[test]
fn a_number_beyond_a_double_is_the_largest() {
    let stamped = |turn: &str| {
        wire(&format!(
            r#"{{"turnNumber":1e999,"findingsLedger":[{{"kind":"steps-unfinished","turn":{turn}}}]}}"#
        ))
    };
    assert_eq!(stamped("1e999")["standing"], "not-sure");
    assert_eq!(stamped("2e999")["standing"], "not-sure");
    assert_eq!(stamped("-1e999")["standing"], "not-assessed");
    assert_eq!(stamped("2")["standing"], "not-assessed");
    let text = r#"{"snapshot":{"sharedState":{"findingsLedger":[{"kind":"argument","toolCallId":"c1",
        "toolName":"t","argument":"a","source":"default","value":1e999}]}}}"#;
    let saved = SavedRecord::decode(text).unwrap();
    let assessment = assess(saved.record(), &Declarations::default());
    let line = standing_line(&Projection::of(&assessment), &AssumedValues::read(&assessment, saved.record()));
    assert!(line.contains("a = 1.797"), "{line}");
}

#[test]
fn of_equal_names_the_last_counts() {
    assert_eq!(wire(r#"{"pausedToolCallId":"c1","pausedToolCallId":""}"#)["standing"], "not-assessed");
    let text = r#"{"snapshot":{"sharedState":{"stoppedEarly":{}}},"snapshot":{"sharedState":{}}}"#;
    assert_eq!(assessed(text, &Declarations::default()).standing().as_str(), "not-assessed");
}

/// Nothing that a fold of the whole value would see lies too deep for a text.
#[test]
fn a_text_is_read_as_deep_as_the_fold_looks() {
    let declarations = Declarations::default().with_rows_at("t", "vols").unwrap();
    let ticket = json!({ "datasets": { "vols": { "ref": format!("art_{}", "a".repeat(22)), "rows": 0 } } });
    let gap = json!({ "af_absent": true, "checked": [[[]]], "not_checked": [[[]]] });
    let inner = [ticket, gap, json!([]), json!([[]]), json!({ "vols": [] }), json!({ "vols": [{}] })];
    for boundaries in 0..=10 {
        for inner in &inner {
            let content = (0..boundaries).fold(
                inner.clone(),
                |inner, _| json!({ "af_coverage": { "cannot_cover": [[[]]] }, "result": inner }),
            );
            for rows in [json!([]), json!([{ "kind": "ledger", "toolCallId": "c1", "notChecked": [[[]]] }])] {
                let message =
                    json!({ "role": "tool", "toolName": "t", "toolCallId": "c1", "content": content });
                let record = json!({ "snapshot": { "sharedState": {
                    "history": [message], "coverageDeclared": rows,
                } } });
                let from_value = assess(Record::new(&record).unwrap(), &declarations);
                assert_eq!(assessed(&record.to_string(), &declarations), from_value, "{boundaries} {inner}");
            }
        }
    }
}

#[test]
fn events_and_recorders_are_read_from_text_too() {
    for (events, end) in [
        (r#"[{"type":"agentfootprint.agent.turn_end"}]"#, TurnEnd::Shown),
        (r#"[{"type":"start"},7]"#, TurnEnd::NotShown),
        (r#"{"type":"turn_end"}"#, TurnEnd::NotShown),
    ] {
        let saved = SavedRecord::decode(format!(r#"{{"events":{events}}}"#)).unwrap();
        assert_eq!(saved.record().turn_end(), end);
    }
    let text = r#"{"snapshot":{"recorders":[{"id":"agentfootprint.redaction"}],
        "sharedState":{"history":"REDACTED"}}}"#;
    let kept_out = serde_json::to_value(assessed(text, &Declarations::default())).unwrap();
    assert_eq!(kept_out["keptOut"], json!(["history"]));
}

#[test]
fn only_what_is_no_json_is_refused() {
    for text in ["", "{", "{} x", "[1,]", "{\"a\":01}", "\u{feff}{}", "{\"a\u{1}\":0}", "{'a':1}", "NaN"] {
        assert_eq!(SavedRecord::decode(text).unwrap_err(), CallerError::NotJson, "{text:?}");
        assert_eq!(Declarations::decode(text).unwrap_err(), CallerError::NotJson, "{text:?}");
    }
    assert_eq!(SavedRecord::decode(b"{\"\xff\":1}").unwrap_err(), CallerError::NotJson);
    for text in ["null", "\"run\"", "[]", "3", " true ", &deep(200_000), r#""\ud800""#, "1e999"] {
        assert_eq!(SavedRecord::decode(text).unwrap_err(), CallerError::RecordNotObject, "{text:.9}");
        assert_eq!(Declarations::decode(text).unwrap_err(), CallerError::DeclarationsNotObject, "{text:.9}");
    }
    assert!(SavedRecord::decode(" {\n} ").is_ok());
}

#[test]
fn the_first_wrong_tool_of_a_text_is_named() {
    let named = |text: &str| match Declarations::decode(text).unwrap_err() {
        CallerError::ToolNotObject { tool }
        | CallerError::RowsAtNotKey { tool }
        | CallerError::RowsAtNotTopLevel { tool } => tool,
        error => panic!("{error}"),
    };
    assert_eq!(named(r#"{"tools":{"z":5,"a":{"rowsAt":"x.y"}}}"#), "z");
    assert_eq!(named(r#"{"tools":{"a":5,"z":{"rowsAt":"x.y"}}}"#), "a");
    assert_eq!(named(r#"{"tools":{"m":{},"z":{"rowsAt":""},"a":7,"b":7}}"#), "z");
    // A tool that stands twice counts where it stands last.
    assert_eq!(named(r#"{"tools":{"z":5,"a":5,"z":{}}}"#), "a");
    assert_eq!(named(r#"{"tools":{"z":{},"a":5,"z":5}}"#), "a");
}

#[test]
fn declarations_read_alike_from_text_and_value() {
    let text = r#"{"scratch":["\ud800",1e999],"tools":{"z":{"rowsAt":"rows","x":1e999},"a":{}}}"#;
    let value = json!({ "tools": { "z": { "rowsAt": "rows" } } });
    let built = Declarations::default().with_rows_at("z", "rows").unwrap();
    assert_eq!(Declarations::decode(text).unwrap(), built);
    assert_eq!(Declarations::decode_value(&value).unwrap(), built);
}
