//! Transitions allocate nothing but what a reducer makes: 10,000 of them, or with `ANSWERPLANE_CASES` so many and at
//! least a million.
#![allow(clippy::unwrap_used)] // in the helpers of tests too

use answerplane_statechart::{Definition, Edge, Event, Map, NonBlank, State, Transition, Value};

fn machine() -> Definition {
    Definition::builder("m", "1", "a")
        .context_rule(|context| context.len() < 9)
        .state(
            State::new("a")
                .on("GO", Edge::to("b").guard(|context, _| Ok(!context.is_empty())))
                .on("NO", Edge::to("b").guard(|_, _| Ok(false)))
                .on("COUNT", Edge::to("a").reduce(|_, _| Ok(Map::new()))),
        )
        .state(State::new("b").on("GO", "a"))
        .build()
        .unwrap()
}

fn count() -> u64 {
    std::env::var("ANSWERPLANE_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .map_or(10_000, |cases: u64| cases.max(1_000_000))
}

#[test]
fn transitions_allocate_nothing_beyond_what_they_return() {
    let (machine, count) = (machine(), count());
    let [id, now] = ["i", "2026-03-01T09:00:00Z"].map(|text| NonBlank::new(text).unwrap());
    let context = Map::from_iter([("name".to_string(), Value::from("x".repeat(1_000)))]);
    let [go, no, unknown, reduce] = ["GO", "NO", "UNKNOWN", "COUNT"].map(|kind| Event::new(kind).unwrap());
    let mut instance = machine.start(&id, context, &now).unwrap();

    let cost = allocation_counter::measure(|| {
        for _ in 0..count {
            instance = machine.transition(&instance, &go, &now).into_result().unwrap();
        }
    });
    assert_eq!((cost.count_total, cost.count_current), (0, 0));
    assert_eq!(instance.revision(), count);

    // Nor do refusals.
    let instance = machine.start(&id, Map::new(), &now).unwrap();
    let cost = allocation_counter::measure(|| {
        for event in [&no, &unknown].into_iter().cycle().take(usize::try_from(count).unwrap()) {
            assert!(matches!(machine.transition(&instance, event, &now), Transition::Rejected(_)));
        }
    });
    assert_eq!(cost.count_total, 0);

    // A reducer's context lies in one cell; here the reducer itself allocates nothing.
    let mut reduced = instance;
    let cost = allocation_counter::measure(|| {
        for _ in 0..count {
            reduced = machine.transition(&reduced, &reduce, &now).into_result().unwrap();
        }
    });
    assert_eq!(cost.count_total, count);
    assert!(cost.count_max <= 2, "old instances are freed");

    // The counter counts.
    assert!(allocation_counter::measure(|| drop(NonBlank::new("x"))).count_total > 0);
}
