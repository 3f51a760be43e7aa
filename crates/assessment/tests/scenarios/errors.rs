//! 99 to 105: callers' errors, and what the fold promises whatever it is given.

use answerplane_assessment::CallerError;

use super::*;

#[test]
fn s099_a_record_that_is_no_object() {
    for value in [json!(null), json!("run"), json!([]), json!(3), json!(true)] {
        let error = Record::new(&value).unwrap_err();
        assert_eq!(error, CallerError::RecordNotObject);
        let said = error.to_string();
        assert!(said.starts_with("assess: the record must be an object"), "{said}");
        assert!(["recording", "snapshot", "checkpoint"].iter().all(|carrier| said.contains(carrier)));
    }
}

#[test]
fn s100_declarations_that_are_wrong() {
    let tool = |rows_at: Value| json!({ "tools": { "vols": { "rowsAt": rows_at } } });
    for (declarations, code, said) in [
        (json!(null), "ASSESSMENT_DECLARATIONS_NOT_OBJECT", "must be an object"),
        (json!([]), "ASSESSMENT_DECLARATIONS_NOT_OBJECT", "must be an object"),
        (json!("x"), "ASSESSMENT_DECLARATIONS_NOT_OBJECT", "must be an object"),
        (json!({ "tools": "x" }), "ASSESSMENT_TOOLS_NOT_OBJECT", "keyed by tool name"),
        (json!({ "tools": null }), "ASSESSMENT_TOOLS_NOT_OBJECT", "keyed by tool name"),
        (json!({ "tools": [] }), "ASSESSMENT_TOOLS_NOT_OBJECT", "keyed by tool name"),
        (json!({ "tools": { "vols": 5 } }), "ASSESSMENT_TOOL_NOT_OBJECT", "\"vols\""),
        (json!({ "tools": { "vols": null } }), "ASSESSMENT_TOOL_NOT_OBJECT", "\"vols\""),
        (tool(json!("")), "ASSESSMENT_ROWS_AT_NOT_KEY", "\"vols\"].rowsAt must be a non-empty key"),
        (tool(json!(null)), "ASSESSMENT_ROWS_AT_NOT_KEY", "\"vols\"].rowsAt must be a non-empty key"),
        (tool(json!(7)), "ASSESSMENT_ROWS_AT_NOT_KEY", "\"vols\"].rowsAt must be a non-empty key"),
        (tool(json!("a.b")), "ASSESSMENT_ROWS_AT_NOT_TOP_LEVEL", "\"vols\"].rowsAt must be a top-level key"),
        (tool(json!("a/b")), "ASSESSMENT_ROWS_AT_NOT_TOP_LEVEL", "\"vols\"].rowsAt must be a top-level key"),
    ] {
        let error = Declarations::decode_value(&declarations).unwrap_err();
        assert_eq!(error.code(), code, "{declarations}");
        assert!(error.to_string().starts_with("assess: declarations"));
        assert!(error.to_string().contains(said), "{error}");
    }
    // The first problem wins.
    let two = json!({ "tools": { "a": { "rowsAt": "x.y" }, "b": 5 } });
    assert_eq!(
        Declarations::decode_value(&two).unwrap_err(),
        CallerError::RowsAtNotTopLevel { tool: "a".into() }
    );
    // A name is shown, but not all of a long one.
    let long = json!({ "tools": { "n".repeat(1000): 5 } });
    assert!(Declarations::decode_value(&long).unwrap_err().to_string().len() < 150);
}

#[test]
fn s101_declarations_may_say_more() {
    let declarations =
        json!({ "version": 3, "tools": { "vols": { "rowsAt": "volumes", "cost": 1 }, "b": {} } });
    assert_eq!(Declarations::decode_value(&declarations).unwrap(), rows_at("vols", "volumes"));
    assert_eq!(Declarations::decode_value(&json!({})).unwrap(), Declarations::default());
}

#[test]
fn s102_events_have_no_effect() {
    let state = json!({ "history": [u("q"), t("c1", json!([1]))] });
    let mut record = carried(state.clone());
    record["events"] =
        json!([{ "type": "agentfootprint.error.fatal" }, { "type": "claim", "disposition": "refuted" }]);
    record["structure"] = json!("loud");
    assert_eq!(told_record(&record, &Declarations::default()), told(state));
}

#[test]
fn s103_two_thousand_results_and_a_thousand_rows() {
    let history = [u("q")].into_iter().chain((0..2000).map(|at| t(&format!("c{at}"), json!([{ "id": at }]))));
    let rows = (0..1000).map(|at| row("ledger", &format!("c{at}"), json!({})));
    let record = carried(json!({
        "history": history.collect::<Vec<_>>(),
        "coverageDeclared": rows.collect::<Vec<_>>(),
    }));
    let none = Declarations::default();
    let first = assess(Record::new(&record).unwrap(), &none);
    let shape = first.checked().iter().find(|run| run.check().as_str() == "result-shape").unwrap();
    assert_eq!((shape.ran(), shape.of(), first.standing().as_str()), (2000, 2000, "consistent"));
    let bytes = serde_json::to_vec(&first).unwrap();
    for repeat in 0..500 {
        let again = assess(Record::new(&record).unwrap(), &none);
        assert!(again == first, "{repeat}");
        if repeat % 50 == 0 {
            assert_eq!(serde_json::to_vec(&again).unwrap(), bytes);
        }
    }
}

#[test]
fn s104_the_input_is_only_read() {
    // The borrow says so to the compiler, and here to everybody: two folds share one record at once.
    let record = carried(json!({ "history": [u("q"), t("c1", json!([]))] }));
    let before = record.clone();
    let shared = Record::new(&record).unwrap();
    let none = Declarations::default();
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(|| assess(shared, &none));
        (assess(shared, &none), other.join().unwrap())
    });
    assert_eq!(one, other);
    assert_eq!(record, before);
    // What is kept longer than the record can be had without a borrow.
    let owned = one.clone().into_owned();
    drop(one);
    drop(record);
    assert_eq!(line(&owned).split(':').next(), Some("not-sure"));
}

#[test]
fn s105_junk_is_passed_over_and_keeps_its_place() {
    let junk = || vec![json!(null), json!(3), json!("x"), json!([]), json!({}), json!(true)];
    let among = |row: Value| json!(junk().into_iter().chain([row]).chain(junk()).collect::<Vec<_>>());
    assert_eq!(
        told(json!({
            "history": among(u("q")).as_array().unwrap().iter().cloned()
                .chain(among(t("c1", json!([]))).as_array().unwrap().iter().cloned()).collect::<Vec<_>>(),
            "coverageDeclared": among(row("absence", "c2", json!({}))),
            "findingsLedger": among(
                json!({ "kind": "argument", "toolCallId": "c1", "argument": "a", "source": "said" })
            ),
            "middlewareDecisions": among(json!({ "at": "tool", "toolCallId": "c1", "changedKeys": junk().into_iter().chain([json!("a")]).collect::<Vec<_>>() })),
        })),
        "not-sure: argument-assumed@2[middlewareDecisions/6/changedKeys], \
         declared-absent@3[coverageDeclared/6/kind], empty-undeclared@3[H(19,c1)] \
         | argument-rules@2 1/1 [findingsLedger/6/argument], tool-coverage@3 1/2 [coverageDeclared/6/kind], \
         result-shape@3 1/1 [H(19,c1)] | person"
    );
}
