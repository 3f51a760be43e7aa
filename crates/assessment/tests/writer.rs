//! Records written with the typed writer: what they look like, and that they are read as they were meant.

#![allow(clippy::unwrap_used)] // in the helpers of tests too

use answerplane_assessment::write::*;
use answerplane_assessment::{Declarations, Reason, Record, Standing, StateKey, TurnEnd, assess};
use serde_json::{Map, json};

fn id(text: &str) -> CallId {
    text.parse().unwrap()
}

fn argument(call: &str, name: &str, state: ArgumentState) -> ArgumentRow {
    ArgumentRow::new(2, id(call), "search_logs", 1, name, state)
}

fn given(source: Source) -> ArgumentState {
    ArgumentState::Given { source, value: json!("2h") }
}

fn reasons(record: &RecordWriter) -> Vec<Reason> {
    let value = record.to_value();
    let assessment = assess(Record::new(&value).unwrap(), &Declarations::default());
    assessment.reasons().iter().map(|fired| fired.reason()).collect()
}

/// A record that uses every part of the writer.
fn everything() -> RecordWriter {
    let mut record = RecordWriter::new();
    record
        .turn(2)
        .message(Message::person("Which backups ran?"))
        .message(Message::delivered("[schema check] again", json!({ "kind": "schema" })))
        .message(Message::System { content: "Be brief.".into() })
        .message(ToolMessage::new("backup_runs", "[]").of_call(id("c1")).with_note("\nnote").with_note("!"))
        .message(Message::assistant("None."))
        .paused(Some(id("c9")))
        .waiting(Some("r1"))
        .coverage(
            CoverageRow::ledger(id("c1"), "backup_runs", 1)
                .checked([Ground::new("site A")])
                .cannot_cover([Ground::new("tapes").because("no reader")]),
        )
        .coverage(CoverageRow::absence(id("c2"), "find_vm", 1, "vm 7").not_checked([Ground::new("archive")]))
        .finding(
            argument("c1", "asked", ArgumentState::Asked { asked: AskedBecause::Missing }).under(Rule::Ask),
        )
        .finding(argument("c1", "window", given(Source::Default)).under(Rule::Assume).of_period())
        .finding(
            argument("c1", "host", given(Source::Model))
                .claiming(Claim::failed(ClaimedSource::User, ClaimFailure::QuoteNotFound).quoting("h1")),
        )
        .finding(
            argument("c1", "day", given(Source::Said { reading: true }))
                .claiming(Claim::held(ClaimedSource::User)),
        )
        .finding(argument(
            "c1",
            "id",
            given(Source::Result { result: id("c0"), set_aside: Some(SetAside::RuledOut) }),
        ))
        .finding(
            ContingentRow::new(2, 1, ContingentOn::Answer, "fc1/7").carried_by(id("c0"), SetAside::Noise),
        )
        .finding(ContingentRow::new(2, 1, ContingentOn::Call(id("c1")), "fc1/8"))
        .finding(
            PeriodRow::new(2, id("c1"), "backup_runs", 1, PeriodVerdict::PartlyHeld)
                .set_by("window")
                .differing(Map::new())
                .beyond_retention(),
        )
        .finding(ConflictRow::new(
            2,
            2,
            "host h1 state",
            [Witness::new(id("c1")).about(json!({ "id": "h1" }), "state")],
        ))
        .finding(GroundedRow::new(2, 2, 4, 3).after_revision())
        .finding(StepsUnfinishedRow::new(2, 4, "refund", [CalledStep::new(2, "charge")], 3))
        .finding(TimeDerivedRow::new(2, [json!("14:00")]))
        .decision(
            MiddlewareDecision::on(id("c1")).changing("window", Some(Origin::Default)).changing("x", None),
        )
        .unsupported(UnsupportedValues::new(3, false).with("7", "number"))
        .stopped_early(StoppedEarly::new(StopReason::MaxIterations, 5, 1, false))
        .validation(ValidationReport::new("v", "1", CheckMode::Enforce, CheckStatus::Failed).on("sha256:abc"))
        .ended();
    record
}

#[test]
fn everything_is_read_as_it_was_meant() {
    let all_but = [
        Reason::EmptyUndeclared, // c1 declared its ground
        Reason::PeriodNotHeld,
        Reason::PeriodUnknown,
        Reason::PeriodUndeclared,
        Reason::ValueSurvivedRevision,
        Reason::CheckUnreachable,
    ];
    let expected: Vec<_> = Reason::ALL.iter().copied().filter(|reason| !all_but.contains(reason)).collect();
    assert_eq!(reasons(&everything()), expected);
    let value = everything().to_value();
    assert_eq!(Record::new(&value).unwrap().turn_end(), TurnEnd::Shown);
}

#[test]
fn everything_has_the_contracts_form() {
    let text = serde_json::to_string(&everything()).unwrap();
    assert_eq!(
        text,
        include_str!("../../../fixtures/schema/assessment-record/valid/everything.json").trim_end()
    );
    // The value and the text are one record, and equal writers write equal bytes.
    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), everything().to_value());
    assert_eq!(serde_json::to_string(&everything()).unwrap(), text);
}

#[test]
fn a_note_is_no_part_of_the_result() {
    let mut record = RecordWriter::new();
    record.message(ToolMessage::new("lookup", "[\"🚀\"]").of_call(id("c1")).with_note(" cut"));
    assert_eq!(record.to_value()["snapshot"]["sharedState"]["history"][0]["toolChars"], 6);
    assert_eq!(reasons(&record), []);
}

#[test]
fn what_is_settled_is_gone() {
    let mut record = RecordWriter::new();
    record.paused(Some(id("c1"))).waiting(Some("r"));
    assert_eq!(reasons(&record), [Reason::Asked, Reason::ArgumentAsked]);
    record.paused(None).waiting(None);
    assert_eq!(record.to_value(), json!({ "snapshot": { "sharedState": {} } }));
}

#[test]
fn kept_out_keys_never_leave_the_writer() {
    const CANARY: &str = "canary-77b";
    let mut record = RecordWriter::new();
    record
        .message(Message::person(CANARY))
        .serve_without([StateKey::History, StateKey::PausedToolCallId])
        .message(Message::assistant(CANARY))
        .paused(Some(id(CANARY)));
    let text = serde_json::to_string(&record).unwrap();
    assert!(!text.contains(CANARY) && !format!("{record:?}").contains(CANARY), "{text}");
    let value = record.to_value();
    let assessment = assess(Record::new(&value).unwrap(), &Declarations::default());
    assert_eq!(assessment.kept_out(), Some(&[StateKey::History, StateKey::PausedToolCallId][..]));
    // Every key can be kept out, and reads as kept out.
    for key in StateKey::ALL {
        let mut record = everything();
        record.serve_without([*key]);
        let value = record.to_value();
        let assessment = assess(Record::new(&value).unwrap(), &Declarations::default());
        assert_eq!(assessment.kept_out(), Some(&[*key][..]));
        assert_eq!(assessment.standing(), Standing::NotAssessed);
    }
}

#[test]
fn only_an_enforced_pass_of_named_bytes_is_known() {
    for mode in CheckMode::ALL {
        for status in CheckStatus::ALL {
            for digest in ["", "sha256:abc"] {
                let mut record = RecordWriter::new();
                record.validation(ValidationReport::new("v", "1", *mode, *status).on(digest));
                let value = record.to_value();
                let standing = assess(Record::new(&value).unwrap(), &Declarations::default()).standing();
                let enforced = *mode == CheckMode::Enforce && *status == CheckStatus::Passed;
                assert_eq!(standing == Standing::Known, enforced && !digest.is_empty());
            }
        }
    }
}
