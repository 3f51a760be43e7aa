//! 106 to 110: what a person is shown.

use answerplane_assessment::{
    AssumedValues, Fact, FactStatus, HowSure, Missing, Projection, TurnEnd, how_sure, standing_line,
};

use super::*;

fn row_of(record: &Value, end: TurnEnd) -> HowSure<'_> {
    let record = Record::new(record).unwrap();
    how_sure(&assess(record, &Declarations::default()), record, end)
}

fn line_of(record: &Value) -> String {
    let record = Record::new(record).unwrap();
    let assessment = assess(record, &Declarations::default());
    standing_line(&Projection::of(&assessment), &AssumedValues::read(&assessment, record))
}

#[test]
fn s106_two_witnesses_of_one_call() {
    let record = carried(coverage::boundary_around_an_absence());
    let row = row_of(&record, TurnEnd::Shown);
    assert_eq!(row.headline(), "Not sure: the record holds 2 reasons.");
    let lines: Vec<_> = row.lines().iter().map(|line| line.text()).collect();
    assert_eq!(
        lines,
        [
            "1 call: a tool named ground that it did not check or cannot cover",
            "1 call: a tool reported that it found nothing",
        ]
    );
    assert_eq!(
        serde_json::to_value(&row).unwrap(),
        json!({
            "headline": row.headline(),
            "fact": { "value": "not-sure", "status": "recorded" },
            "lines": [
                { "text": lines[0], "reason": "coverage-gap", "status": "recorded",
                  "pointer": { "kind": "state", "key": "coverageDeclared", "path": "/0/kind" } },
                { "text": lines[1], "reason": "declared-absent", "status": "recorded",
                  "pointer": { "kind": "state", "key": "coverageDeclared", "path": "/1/kind" } },
            ],
        })
    );
}

#[test]
fn s107_a_run_that_failed() {
    let record = carried(json!({ "stoppedEarly": {} }));
    let row = row_of(&record, Record::new(&record).unwrap().turn_end());
    assert!(row.headline().contains("no answer was shown"));
    assert_eq!(row.fact(), &Fact::NotRecorded(Missing::NoEvent));
    assert_eq!(
        serde_json::to_value(row.fact()).unwrap(),
        json!({ "value": null, "status": "not-recorded", "missing": "no-event" })
    );
    // A question needs no answer, and a record without a state has neither.
    let paused = carried(json!({ "pausedToolCallId": "c1" }));
    assert_eq!(
        row_of(&paused, TurnEnd::NotShown).headline(),
        "Ask: the run stopped to ask before it could answer."
    );
    let empty = json!({ "events": [{ "type": "agentfootprint.agent.turn_end" }] });
    assert_eq!(Record::new(&empty).unwrap().turn_end(), TurnEnd::Shown);
    assert!(row_of(&empty, TurnEnd::Shown).headline().contains("no committed state"));
}

#[test]
fn s108_kept_out() {
    let record = redaction::served(redaction::paused_out());
    let row = row_of(&record, TurnEnd::Shown);
    assert!(row.headline().contains("kept out"));
    assert_eq!(row.fact(), &Fact::NotRecorded(Missing::Redacted));
    assert!(row.lines().is_empty());
}

#[test]
fn s109_the_line_of_a_consistent_answer() {
    let record = carried(json!({
        "turnNumber": 1,
        "history": [u("q"), t("c1", json!([1]))],
        "findingsLedger": [{ "kind": "grounded", "turn": 1, "lookedUp": 3 }],
    }));
    let line = line_of(&record);
    assert_eq!(
        line,
        "Consistent with the run's record — 2 checks ran and none of them fired \
         (what came back · names and numbers). That is not a verification."
    );
    assert!(!line.contains("verified"));
}

#[test]
fn s110_the_line_of_an_answer_that_is_not_sure() {
    let assumed = (0..20).map(|at| json!({
        "kind": "argument", "turn": 1, "toolCallId": "c1", "toolName": "search", "argument": format!("a{at}"),
        "source": "default", "value": format!("v{at}"),
    }));
    let periods = ["not-held", "partly-held", "unknown", "undeclared"].map(|verdict| json!({
        "kind": "period", "turn": 1, "toolCallId": "c1", "verdict": verdict, "differs": {}, "beyondRetention": true,
    }));
    let record = carried(json!({
        "turnNumber": 1,
        "history": [u("q"), t("c1", json!([])), t("c2", abs(json!({ "not_checked": ["b"] })))],
        "findingsLedger": assumed.chain(periods).chain([
            json!({ "kind": "argument", "turn": 1, "toolCallId": "c1", "argument": "r", "source": "said", "reading": true }),
            json!({ "kind": "argument", "turn": 1, "toolCallId": "c1", "argument": "m", "source": "model", "rule": "ask" }),
            json!({ "kind": "contingent", "turn": 1, "declaredOn": "answer" }),
            json!({ "kind": "conflict", "turn": 1, "witnesses": [{ "toolCallId": "c1" }] }),
        ]).collect::<Vec<_>>(),
    }));
    let line = line_of(&record);
    // Fourteen reasons, one of which is the assumed values.
    for at in 0..20 {
        let clause = format!("a{at} = \"v{at}\" was assumed by search");
        assert_eq!(line.matches(&clause).count(), 1, "{line}");
    }
    assert!(
        line.starts_with("Not sure — a0 = ") && line.ends_with("and 1 more, which the run's record holds.")
    );
    assert_eq!(line.split("; ").count(), 20 + 12 + 1);
}

#[test]
fn an_assumed_value_may_be_hidden_or_unknown() {
    let read = |rows: Value, decisions: Value| {
        line_of(&carried(json!({ "findingsLedger": rows, "middlewareDecisions": decisions })))
    };
    let assumed = |more: Value| {
        with(
            json!({ "kind": "argument", "toolCallId": "c1", "toolName": "t", "argument": "a\nb", "source": "default" }),
            more,
        )
    };
    for hidden in [json!({}), json!({ "value": { "deep": [] } }), json!({ "value": [1] })] {
        assert_eq!(
            read(json!([assumed(hidden)]), json!([])),
            "Not sure — a b was assumed by t (its value is hidden), you did not give it."
        );
    }
    let twice = json!([assumed(json!({ "value": 7 })), assumed(json!({ "value": 7, "toolCallId": "c2" }))]);
    assert_eq!(read(twice.clone(), json!([])), "Not sure — a b = 7 was assumed by t, you did not give it.");
    let rewritten = read(twice, json!([{ "at": "tool", "toolCallId": "c2", "changedKeys": ["a\nb"] }]));
    assert_eq!(
        rewritten,
        "Not sure — a b = 7 was assumed by t, you did not give it; \
         a value that a call ran with was set on the way, with no source named."
    );
    let served = redaction::served(json!({ "findingsLedger": [assumed(json!({ "value": "[REDACTED]" }))] }));
    assert!(line_of(&served).contains("hidden"));
}

#[test]
fn every_standing_has_its_line_and_its_row() {
    let known =
        json!({ "answerValidation": { "mode": "enforce", "status": "passed", "candidateDigest": "d" } });
    for (state, line, headline, status) in [
        (
            known,
            "Known — the app's checks passed exactly this answer.",
            "Known: the app's checks passed exactly this answer.",
            FactStatus::Recorded,
        ),
        (
            json!({ "answerValidation": { "mode": "observe", "status": "passed" } }),
            "Consistent with the run's record — 1 check ran and did not fire (app checks). That is not a verification.",
            "Consistent with the run's record: 1 check ran and none fired; this is not a verification.",
            FactStatus::Recorded,
        ),
        (
            json!({ "stoppedEarly": {} }),
            "Not sure — the run reached a limit before it was done.",
            "Not sure: the record holds 1 reason.",
            FactStatus::Recorded,
        ),
        (
            json!({ "pausedToolCallId": "c" }),
            "Ask — the run stopped to ask first, before it could answer.",
            "Ask: the run stopped to ask before it could answer.",
            FactStatus::Recorded,
        ),
        (
            json!({}),
            "Not assessed — no check applied to this answer.",
            "Not assessed: the record has no verdict to rest on.",
            FactStatus::NotApplicable,
        ),
    ] {
        let record = carried(state);
        assert_eq!(line_of(&record), line);
        let row = row_of(&record, TurnEnd::Shown);
        assert_eq!((row.headline(), row.fact().status()), (headline, status));
        let points = matches!(row.fact(), Fact::Recorded { pointer: Some(_), .. });
        assert_eq!(points, line.starts_with("Known"));
    }
}

#[test]
fn without_values_an_assumption_is_still_named() {
    let record = carried(json!({ "findingsLedger": [{
        "kind": "argument", "toolCallId": "c1", "toolName": "t", "argument": "a", "source": "default", "value": 7,
    }] }));
    let projection = Projection::of(&assess(Record::new(&record).unwrap(), &Declarations::default()));
    let read_back = Projection::read(&serde_json::to_value(&projection).unwrap()).unwrap();
    assert_eq!(
        standing_line(&read_back, &AssumedValues::default()),
        "Not sure — a value that a call ran with was set on the way, with no source named."
    );
}

#[test]
fn the_line_is_one_line_and_moves_no_text() {
    let moving = "a\u{85}b\u{2028}c\u{9b}31m\u{202e}d\u{200f}\u{2066}\r\ne\u{1b}";
    let record = carried(json!({ "findingsLedger": [{
        "kind": "argument", "toolCallId": "c1", "toolName": moving, "argument": moving, "source": "default",
        "value": moving,
    }] }));
    assert_eq!(
        line_of(&record),
        "Not sure — a b c 31m d e = \"a\\u0085b\\u2028c\\u009b31m\\u202ed\\u200f\\u2066\\r\\ne\\u001b\" \
         was assumed by a b c 31m d e, you did not give it."
    );
    // A placeholder is a value like any other where nothing was redacted.
    let plain = carried(json!({ "findingsLedger": [{
        "kind": "argument", "toolCallId": "c1", "argument": "a", "source": "default", "value": "[REDACTED]",
    }] }));
    assert!(line_of(&plain).contains("a = \"[REDACTED]\""));
}
