//! `docs/protocol/statechart.md` and the code say the same.
#![allow(clippy::unwrap_used)] // in the helpers of tests too

use answerplane_statechart::{Code, Definition, Event, MAX_CONTEXT_DEPTH, Map, NonBlank, Value};

const PAGE: &str = include_str!("../../../docs/protocol/statechart.md");

/// The JSON blocks of the page.
fn samples() -> Vec<&'static str> {
    PAGE.split("```json\n").skip(1).map(|block| block.split("```").next().unwrap()).collect()
}

#[test]
fn its_samples_are_a_definition_and_an_instance_of_it() {
    let [definition, instance] = samples()[..] else { unreachable!() };
    let door = Definition::decode(definition).unwrap();
    let instance: Value = serde_json::from_str(instance).unwrap();
    let text = |text: &str| NonBlank::new(text).unwrap();
    let now = text("2026-03-01T09:00:00.000Z");
    let begun = door.start(&text("front-door"), Map::new(), &now).unwrap();
    let opened = door.transition(&begun, &Event::new("OPEN").unwrap(), &now).into_result().unwrap();
    assert_eq!(serde_json::to_value(&opened).unwrap(), instance);
    assert_eq!(door.instance_from_value(&instance).unwrap(), opened);
}

#[test]
fn it_names_every_code_that_is_used_and_the_limit() {
    for code in Code::ALL.iter().filter(|code| **code != Code::ObserverFailed) {
        let short = code.as_str().strip_prefix("AK_STATECHART_").unwrap();
        let is_named =
            PAGE.contains(&format!("`…{short}`")) || PAGE.contains(&format!("`{}`", code.as_str()));
        assert!(is_named, "{short}");
    }
    assert!(PAGE.contains(&format!("at most {MAX_CONTEXT_DEPTH} levels")));
}
