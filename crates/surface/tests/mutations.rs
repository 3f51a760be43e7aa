//! Generated inputs, and what becomes of them when somebody changes one thing.
//!
//! `ANSWERPLANE_CASES` says how many inputs are generated, `ANSWERPLANE_SEED` with which one to begin.
#![allow(clippy::unwrap_used)]

#[path = "scene/plain.rs"]
mod plain;
#[path = "scene/mod.rs"]
mod scene;

use answerplane_surface::{ClaimVerdict, NavResult, Surface, Verdict, build, validate};
use scene::{full, generated};
use serde_json::{Value, json};

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |number| number.parse().unwrap())
}

fn seeds() -> impl Iterator<Item = u64> {
    let first = number("ANSWERPLANE_SEED", 1);
    (0..number("ANSWERPLANE_CASES", 2_000)).map(move |at| first.wrapping_add(at))
}

/// The places of a value, each as a pointer.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_string());
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| places(field, &format!("{at}/{}", escaped(name)), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(item, value)| places(value, &format!("{at}/{item}"), found));
        }
        _ => {}
    }
}

fn places_of(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    places(value, "", &mut found);
    found
}

fn removed(value: &Value, place: &str) -> Option<Value> {
    let mut value = value.clone();
    let (parent, name) = place.rsplit_once('/')?;
    match value.pointer_mut(parent)? {
        Value::Object(fields) => drop(fields.remove(&name.replace("~1", "/").replace("~0", "~"))),
        Value::Array(items) => drop(items.remove(name.parse().ok()?)),
        _ => return None,
    }
    Some(value)
}

fn replaced(value: &Value, place: &str, by: Value) -> Value {
    let mut value = value.clone();
    *value.pointer_mut(place).unwrap() = by;
    value
}

/// What could stand in a place instead.
fn alternatives(value: &Value) -> Vec<Value> {
    let mut others = vec![Value::Null, json!(0), json!([]), json!({}), json!("")];
    match value {
        Value::Bool(it) => others.push(json!(!it)),
        Value::Array(items) => {
            others.push(items.iter().rev().cloned().collect());
            others.extend(items.first().map(|first| items.iter().chain([first]).cloned().collect()));
        }
        Value::String(text) => {
            let words = ["known", "likely", "contested", "unknown", "direct", "analogy", "answer", "abstain"];
            let names = ["c0", "c1", "n0", "n1", "kb:p/0", "web:p/x.1", "first", "end", "kb:hours", "Other."];
            others.extend(words.iter().chain(&names).map(|word| json!(word)));
            others.push(json!(format!("{text}x")));
        }
        _ => {}
    }
    others.retain(|other| other != value);
    others
}

/// Agrees with the plain projection, and says nothing that router and envelope did not.
fn check(nav: &NavResult) -> Result<Option<Value>, u8> {
    let built = build(nav);
    let json =
        built.as_ref().map(|surface| surface.as_ref().map(|it| json!(it))).map_err(|error| error.check());
    assert_eq!(json, plain::project(nav), "{nav:?}");
    if let Ok(Some(surface)) = &built {
        says_only_what_was_given(nav, surface);
    }
    json
}

fn says_only_what_was_given(nav: &NavResult, surface: &Surface) {
    assert_eq!(Some(surface.status()), nav.decision.status);
    assert_eq!(surface.outdated(), nav.decision.outdated);
    let nodes = &nav.envelope.as_ref().unwrap().nodes;
    for citation in surface.citations() {
        let node = nodes.iter().find(|node| node.address == *citation.address()).unwrap();
        let verdict = ClaimVerdict { status: citation.status(), outdated: citation.outdated() };
        let names = [node.name.as_str(), node.address.as_str()];
        assert!(names.iter().any(|name| nav.node_verdicts.get(name) == Some(verdict)));
    }
    assert_eq!(validate(&json!(surface)), Ok(()));
    assert_eq!(Surface::from_payload(&json!(surface)).as_ref(), Ok(surface));
}

#[test]
fn generated_inputs_give_valid_surfaces_that_travel_and_repeat() {
    let mut with_prose = 0;
    let mut outdated = 0;
    for seed in seeds() {
        let nav = generated(seed);
        let before = nav.clone();
        let surface = build(&nav).unwrap().unwrap();
        assert_eq!(nav, before);
        assert!(check(&nav).is_ok());
        let text = serde_json::to_string(&surface).unwrap();
        assert_eq!(serde_json::to_string(&build(&nav).unwrap()).unwrap(), text);
        // By way of JSON text and value the input is the same.
        let json = json!(nav);
        assert_eq!(NavResult::decode(json.to_string()).as_ref(), Ok(&nav));
        assert_eq!(NavResult::decode_value(&json).as_ref(), Ok(&nav));
        with_prose += usize::from(surface.text() == "Prose.");
        outdated += usize::from(surface.outdated());
    }
    assert!(with_prose > 0 && outdated > 0);
}

#[test]
fn altering_one_place_gives_an_error_or_the_surface_of_what_it_now_says() {
    let rich = [full()].into_iter().chain(seeds().step_by(40).map(|seed| json!(generated(seed))));
    let mut outcomes = [0; 18];
    let mut surfaces = 0;
    for input in rich {
        for place in places_of(&input) {
            let altered = alternatives(input.pointer(&place).unwrap());
            let altered = altered.into_iter().map(|other| replaced(&input, &place, other));
            for altered in altered.chain(removed(&input, &place)) {
                match NavResult::decode_value(&altered).map(|nav| check(&nav)) {
                    Ok(Ok(Some(_))) => surfaces += 1,
                    Ok(Err(number)) => outcomes[usize::from(number)] += 1,
                    Ok(Ok(None)) => assert_eq!(place, "/decision/verdict"),
                    Err(_) => {}
                }
            }
        }
    }
    assert!(surfaces > 100 && outcomes[1..].iter().all(|count| *count > 0), "{surfaces} {outcomes:?}");
}

/// The places where one of the three says what another says too.
fn said_twice(nav: &NavResult) -> Vec<String> {
    let input = json!(nav);
    let surface = build(nav).unwrap().unwrap();
    let conclusion = surface.conclusion_claim_id();
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    let mut places: Vec<String> = ["status", "outdated", "conclusion"]
        .iter()
        .map(|name| format!("/decision/{name}"))
        .chain(
            ["", "/status", "/outdated"].map(|name| format!("/decision/claim_verdicts/{conclusion}{name}")),
        )
        .chain(["/output".to_string(), "/output/conclusion".to_string(), "/envelope".to_string()])
        .collect();
    places.extend(surface.outdated().then(|| "/decision/detail".to_string()));
    let ids = surface.premise_claim_ids();
    places.extend(ids.iter().map(|id| format!("/decision/claim_verdicts/{id}")));
    let cites: Vec<&str> = input["output"]["claims"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|claim| claim["id"] == conclusion || ids.iter().any(|id| claim["id"] == **id))
        .flat_map(|claim| claim["cites"].as_array().unwrap())
        .filter_map(Value::as_str)
        .collect();
    for (at, node) in nav.envelope.as_ref().unwrap().nodes.iter().enumerate() {
        let names = [("ref", node.name.as_str()), ("address", node.address.as_str())];
        let cited: Vec<&(&str, &str)> = names.iter().filter(|(_, name)| cites.contains(name)).collect();
        for (field, name) in &cited {
            places.push(format!("/envelope/nodes/{at}"));
            places.push(format!("/envelope/nodes/{at}/{field}"));
            places.push(format!("/node_verdicts/{}", escaped(name)));
            if cited.len() == 2 {
                places.push(format!("/node_verdicts/{}/status", escaped(name)));
                places.push(format!("/node_verdicts/{}/outdated", escaped(name)));
            }
        }
    }
    places
}

#[test]
fn altering_or_removing_what_two_say_is_an_integrity_error() {
    let mut altered_places = 0;
    for nav in [scene::decode(&full())].into_iter().chain(seeds().step_by(10).map(generated)) {
        let input = json!(nav);
        for place in said_twice(&nav) {
            let value = input.pointer(&place).unwrap_or_else(|| panic!("{place}"));
            let mut altered: Vec<Value> = removed(&input, &place).into_iter().collect();
            let whole = value.is_object();
            let others = alternatives(value).into_iter().filter(|_| !whole);
            altered.extend(others.map(|other| replaced(&input, &place, other)));
            for altered in altered {
                // What has not even the shape any more is refused before.
                let Ok(altered) = NavResult::decode_value(&altered) else { continue };
                let error = check(&altered);
                assert!(error.is_err(), "{place} of {input}: {error:?}");
                altered_places += 1;
            }
        }
    }
    assert!(altered_places > 1_000);
}

#[test]
fn another_verdict_is_no_surface() {
    for seed in seeds().step_by(100) {
        for verdict in [Verdict::Abstain, Verdict::Clarify, Verdict::Escalate] {
            let mut nav = generated(seed);
            nav.decision.verdict = verdict;
            assert_eq!(build(&nav), Ok(None));
        }
    }
}

#[test]
fn every_mutation_of_the_shape_of_a_payload_is_caught() {
    let mut mutations = 0;
    for nav in [scene::decode(&full())].into_iter().chain(seeds().step_by(20).map(generated)) {
        let payload = json!(build(&nav).unwrap());
        for place in places_of(&payload) {
            let value = payload.pointer(&place).unwrap();
            let is_premise = place.starts_with("/premise_claim_ids");
            let is_item = place.rsplit('/').next().is_some_and(|name| name.parse::<usize>().is_ok());
            // Another type; an empty text, an empty list where an item is needed; one field less or more; an item
            // twice.
            let mut mutated: Vec<Value> = [json!(null), json!(7), json!([7]), json!({ "x": 7 }), json!("")]
                .into_iter()
                .filter(|other| *other != *value)
                .map(|other| replaced(&payload, &place, other))
                .collect();
            if !is_premise && *value != json!([]) {
                mutated.push(replaced(&payload, &place, json!([])));
            }
            if !is_item {
                mutated.extend(removed(&payload, &place));
            }
            if let Value::Object(fields) = value {
                let mut fields = fields.clone();
                fields.insert("extra".into(), Value::Null);
                mutated.push(replaced(&payload, &place, fields.into()));
            }
            if let Value::Array(items) = value
                && let Some(first) = items.first()
            {
                mutated.push(replaced(&payload, &place, items.iter().chain([first]).cloned().collect()));
            }
            if place == "/outdated" {
                mutated.push(replaced(&payload, &place, json!(value != true)));
            }
            for mutated in mutated {
                assert!(validate(&mutated).is_err(), "{place}: {mutated}");
                mutations += 1;
            }
        }
    }
    assert!(mutations > 5_000);
}
