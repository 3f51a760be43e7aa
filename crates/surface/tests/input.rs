//! What is read as the result of an engine, what is refused, and that no error holds any of it.
#![allow(clippy::unwrap_used)]

mod scene;

use answerplane_surface::{Address, InputError, NavResult, Verdict, build, navigate};
use proptest::prelude::*;
use scene::{full, generated};
use serde_json::{Value, json};

#[test]
fn addresses() {
    let longest = format!("{}:x", "s".repeat(32));
    for good in ["kb:a", "a:b/c/d", "a-1:A.b_c~d-e/0#f", "kb:../.", "kb:a#~", &longest] {
        let address: Address = good.parse().unwrap();
        assert_eq!(address.to_token(), good);
        let fragment = address.fragment().map_or(String::new(), |fragment| format!("#{fragment}"));
        assert_eq!(format!("{}:{}{fragment}", address.scheme(), address.path()), good);
    }
    let too_long = format!("{}:x", "s".repeat(33));
    for bad in [
        "", ":", "kb", "kb:", ":a", "1b:a", "-b:a", "Kb:a", "k_b:a", "kb:/a", "kb:a/", "kb:a//b", "kb:a#",
        "kb:#a", "kb:a#b#c", "kb:a#b/c", "kb:a:b", "kb:a b", " kb:a", "kb:a ", "kb:a\n", "kb:a?b", "kb:%41",
        "kb:é", "ĸb:a", &too_long,
    ] {
        assert!(bad.parse::<Address>().is_err(), "{bad:?}");
        assert!(
            NavResult::decode_value(&{
                let mut input = full();
                input["envelope"]["nodes"][0]["address"] = json!(bad);
                input
            })
            .is_err()
        );
    }
}

proptest! {
    #[test]
    fn an_address_is_what_it_prints(text in "[a-zA-Z0-9:/#._~ -]{0,12}|[a-z-]{1,3}:[a-z/]{0,5}(#[a-z]{0,2})?") {
        match Address::parse(&text) {
            Ok(address) => prop_assert_eq!(address.to_token(), text),
            Err(error) => prop_assert_eq!(error.code(), "SURFACE_ADDRESS"),
        }
    }

    #[test]
    fn no_text_makes_reading_fail_otherwise(text in ".{0,60}") {
        let read = NavResult::decode(&text);
        prop_assert!(matches!(read, Ok(_) | Err(InputError::NotJson | InputError::Invalid)));
    }
}

#[test]
fn an_input_that_abstains_needs_little() {
    let input = json!({
        "decision": { "verdict": "abstain", "outdated": false, "detail": "", "claim_verdicts": {} },
        "node_verdicts": {},
    });
    assert_eq!(NavResult::decode_value(&input).unwrap().decision.verdict, Verdict::Abstain);
}

#[test]
fn what_is_not_optional_has_to_be_there() {
    for (object, names) in [
        ("", &["decision", "node_verdicts"][..]),
        ("/decision", &["verdict", "outdated", "detail", "claim_verdicts"]),
        ("/decision/traceability", &["ok"]),
        ("/decision/claim_verdicts/end", &["status", "outdated"]),
        ("/output", &["claims", "conclusion", "prose_citations"]),
        ("/output/claims/0", &["id", "text", "premises", "cites"]),
        ("/output/prose_citations/0", &["claim_ids"]),
        ("/envelope", &["nodes"]),
        ("/envelope/nodes/0", &["ref", "address"]),
    ] {
        for name in names {
            let mut input = full();
            let fields = input.pointer_mut(object).unwrap().as_object_mut().unwrap();
            assert!(fields.remove(*name).is_some());
            assert_eq!(NavResult::decode_value(&input), Err(InputError::Invalid), "{object}/{name}");
        }
        // A list is no object, whatever order its items have.
        let mut input = full();
        let fields = input.pointer_mut(object).unwrap();
        let list: Vec<Value> = fields.as_object().unwrap().values().cloned().collect();
        *fields = list.into();
        assert_eq!(NavResult::decode_value(&input), Err(InputError::Invalid), "{object}");
        assert_eq!(NavResult::decode(input.to_string()), Err(InputError::Invalid), "{object}");
    }
}

#[test]
fn null_is_not_absent() {
    for place in [
        "/output",
        "/envelope",
        "/decision/status",
        "/decision/conclusion",
        "/decision/traceability",
        "/output/prose",
        "/output/claims/0/form",
    ] {
        let mut input = full();
        *input.pointer_mut(place).unwrap() = Value::Null;
        assert_eq!(NavResult::decode_value(&input), Err(InputError::Invalid), "{place}");
    }
}

#[test]
fn unknown_fields_are_skipped_and_repeated_ones_refused() {
    let nav = scene::decode(&full());
    let text = full().to_string();
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    for extra in ["null", r#""\ud800""#, &deep] {
        let more = text.replacen('{', &format!(r#"{{"extra":{extra},"\udfff":1,"#), 1);
        assert_eq!(NavResult::decode(more).as_ref(), Ok(&nav));
    }
    for (from, to) in [
        (r#""text":"The first.""#, r#""text":"The first.","text":"The first.""#),
        (r#""text":"The first.""#, r#""text":"The first.","t\u0065xt":"Another.""#),
        (r#""n1":{"#, r#""n1":{"status":"known","outdated":false},"n1":{"#),
        (r#""first":{"#, r#""first":{"status":"known","outdated":false},"first":{"#),
    ] {
        assert!(text.contains(from), "{from}");
        assert_eq!(NavResult::decode(text.replacen(from, to, 1)), Err(InputError::Invalid), "{to}");
    }
}

#[test]
fn what_is_not_json_is_said_to_be() {
    let text = full().to_string();
    let cases: [Vec<u8>; 6] = [
        b"".to_vec(),
        text.as_bytes()[..text.len() - 1].to_vec(),
        format!("{text}x").into_bytes(),
        format!("\u{feff}{text}").into_bytes(),
        text.replace("The first.", r"\ud800").into_bytes(),
        [text.as_bytes(), b"\xff"].concat(),
    ];
    for case in cases {
        assert_eq!(NavResult::decode(case), Err(InputError::NotJson));
    }
    // Also where something else is wrong before the end.
    assert_eq!(NavResult::decode(r#"{"decision":[],"#), Err(InputError::NotJson));
    assert_eq!(NavResult::decode(r#"{"decision":[]}"#), Err(InputError::Invalid));
}

#[test]
fn no_error_and_no_label_holds_a_text_of_the_input() {
    const CANARY: &str = "canary";
    let marked = |value: &Value| {
        let text = value.to_string();
        let ids = [
            "c0", "c1", "c2", "c3", "c4", "c5", "c6", "n0", "n1", "n2", "n3", "n4", "Text ", "Prose",
            "because",
        ];
        let text = ids.iter().fold(text, |text, id| text.replace(id, &format!("{CANARY}{id}")));
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let mut errors = 0;
    for seed in 0..200 {
        let input = marked(&json!(generated(seed)));
        for place in ["/decision/status", "/decision/conclusion", "/decision/detail", "/output/conclusion"] {
            for other in [json!(CANARY), json!({ CANARY: CANARY }), json!("known"), json!("")] {
                let mut input = input.clone();
                *input.pointer_mut(place).unwrap() = other;
                let said = match NavResult::decode_value(&input) {
                    Err(error) => format!("{error} {error:?} {}", error.code()),
                    Ok(nav) => match build(&nav) {
                        Err(error) => format!("{error} {error:?} {} {:?}", error.code(), navigate(&nav)),
                        Ok(_) => continue,
                    },
                };
                assert!(!said.contains(CANARY), "{said}");
                errors += 1;
            }
        }
        let nav = scene::decode(&input);
        for at in 0..nav.output.as_ref().unwrap().claims.len() {
            for change in 0..4 {
                let mut nav = nav.clone();
                let claim = &mut nav.output.as_mut().unwrap().claims[at];
                match change {
                    0 => claim.premises.push(CANARY.into()),
                    1 => claim.cites.push(CANARY.into()),
                    2 => claim.id = format!("{CANARY}-other"),
                    _ => claim.text.clear(),
                }
                if let Err(error) = build(&nav) {
                    assert!(!format!("{error} {error:?} {:?}", navigate(&nav)).contains(CANARY));
                    errors += 1;
                }
            }
        }
    }
    assert!(errors > 1_000);
}
