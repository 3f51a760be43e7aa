//! The decision in its order, and what it costs.

use answerplane_resolver::{
    Cause, DeterministicDiagnostic, EscalationReason, Outcome, Resolution, Resolver, Timestamp, Trust,
    VerifiedArtifact,
};
use serde_json::Value;

use crate::artifacts::{NOW, entry, verified};

fn resolver(entries: &[Value]) -> Resolver {
    verified("a", entries, None).into()
}

#[track_caller]
fn assert_cause(resolution: &Resolution<'_>, expected: Cause) {
    assert!(matches!(resolution, Resolution::Escalation(cause) if *cause == expected), "{resolution:?}");
}

#[track_caller]
fn assert_answer(resolution: &Resolution<'_>, id: &str) {
    assert!(matches!(resolution, Resolution::Answer(answer) if answer.entry().id() == id), "{resolution:?}");
}

#[test]
fn without_an_artifact_everything_is_corrupt() {
    let refused =
        VerifiedArtifact::verify("{}", &Trust::parse(&format!("sha256:{}", "0".repeat(64)), "s").unwrap());
    assert!(matches!(refused, Err(DeterministicDiagnostic::Invalid)));
    for resolver in [Resolver::new(refused), Resolver::without_artifact()] {
        assert_cause(&resolver.resolve("anything", NOW), Cause::Corrupt);
        assert_cause(&resolver.resolve(&"x".repeat(600), NOW), Cause::Corrupt);
        assert_cause(&resolver.resolve_choice("a", "anything", NOW), Cause::Corrupt);
        assert!(resolver.artifact().is_none());
    }
}

#[test]
fn an_expired_artifact_is_stale_whatever_is_asked() {
    let resolver = Resolver::from(verified("a", &[entry("a", &["one"])], Some("2026-06-01T00:00:00Z")));
    let end = "2026-06-01T00:00:00Z".parse::<answerplane_protocol::DateTime>().unwrap().timestamp();
    let before = Timestamp::from_millis(end.as_millis() - 1);
    assert_answer(&resolver.resolve("one", before), "a");
    for query in ["one", "other", "", &"x".repeat(513)] {
        assert_cause(&resolver.resolve(query, end), Cause::Stale);
        assert_cause(&resolver.resolve_choice("a", query, end), Cause::Stale);
    }
}

#[test]
fn only_the_whole_key_matches() {
    let resolver = resolver(&[
        entry("gitlab", &["GitLab"]),
        entry("ci", &["gitlab ci"]),
        entry("snake", &["snake_case"]),
        entry("mail", &["email me@example.com"]),
        entry("yes", &["sí"]),
        entry("cafe", &["café"]),
    ]);
    assert_answer(&resolver.resolve(" gitlab ", NOW), "gitlab");
    assert_answer(&resolver.resolve("GITLAB\u{3000}CI", NOW), "ci");
    assert_answer(&resolver.resolve("snake_case", NOW), "snake");
    assert_answer(&resolver.resolve("Email ME@example.com", NOW), "mail");
    assert_answer(&resolver.resolve("SI\u{301}", NOW), "yes");
    assert_answer(&resolver.resolve("cafe\u{301}", NOW), "cafe");
    for miss in [
        "gitlab c",
        "git",
        "gitlab?",
        "case",
        "cafe",
        "Answer of ci.",
        "Label of ci",
        "",
        "  ",
        "?!",
        "git\u{200b}lab",
        "gitlab\u{85}ci",
    ] {
        assert_cause(&resolver.resolve(miss, NOW), Cause::Miss);
    }
}

#[test]
fn a_shared_key_offers_the_first_eight_each_with_an_alias_of_its_own() {
    let entries: Vec<Value> =
        (0..10).map(|at| entry(&format!("e{at}"), &["Pricing", &format!(" Plan  {at} ")])).collect();
    let resolver = resolver(&entries);
    let Resolution::Choices(offer) = resolver.resolve("pricing", NOW) else { panic!("no choices") };
    let ids: Vec<&str> = offer.entries().map(|entry| entry.id()).collect();
    assert_eq!(ids, ["e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7"]);
    for entry in offer.entries() {
        assert_answer(&resolver.resolve(entry.own_alias(), NOW), entry.id());
        assert_answer(&resolver.resolve_choice(entry.id(), "PRICING", NOW), entry.id());
    }
    assert_eq!(offer.entries().next().unwrap().own_alias(), "Plan  0");
    assert_cause(&resolver.resolve_choice("e8", "pricing", NOW), Cause::NotOffered);
    assert_cause(&resolver.resolve_choice("nobody", "pricing", NOW), Cause::NotOffered);
    assert_cause(&resolver.resolve_choice("e0", "unknown", NOW), Cause::NotOffered);
    assert_answer(&resolver.resolve_choice("e8", "plan  8", NOW), "e8");
    assert_cause(&resolver.resolve_choice("e0", "plan  8", NOW), Cause::NotOffered);

    let Outcome::Choices(choices) = resolver.answer("pricing", NOW).outcome().clone() else {
        panic!("no choices")
    };
    assert_eq!(choices.suggestions()[7].value(), "Plan  7");
    let Outcome::Escalation(escalation) =
        resolver.resolve_choice("e8", "pricing", NOW).to_envelope("pricing").outcome().clone()
    else {
        panic!("no escalation")
    };
    assert_eq!(escalation.reason(), EscalationReason::Miss);
    assert_eq!(
        escalation.message(),
        "The selected local answer is unavailable. A backend answer is required."
    );
}

#[test]
fn an_overlong_query_misses_and_is_cut_on_a_scalar_value() {
    let longest = "x".repeat(512);
    let resolver = resolver(&[entry("a", &[&longest])]);
    assert_answer(&resolver.resolve(&longest, NOW), "a");
    // Never cut into a match.
    assert_cause(&resolver.resolve(&format!("{longest}y"), NOW), Cause::Miss);
    assert_cause(&resolver.resolve(&format!("{longest} "), NOW), Cause::Miss);
    assert_cause(&resolver.resolve_choice("a", &format!("{longest} "), NOW), Cause::NotOffered);
    // A query within the limit whose key is not.
    assert_cause(&resolver.resolve(&"ﷺ".repeat(40), NOW), Cause::Miss);
    let envelope = resolver.answer(&format!("{}🚀", "x".repeat(511)), NOW);
    assert_eq!(envelope.query(), "x".repeat(511));
    assert_eq!(envelope.normalized_query(), "x".repeat(511));
    assert_eq!(resolver.answer(&"ﷺ".repeat(40), NOW).normalized_query().chars().count(), 512);
}

#[test]
fn a_resolver_is_shared_between_threads_and_swapped_whole() {
    let old = resolver(&[entry("old", &["version"])]);
    let new = resolver(&[entry("new", &["version"])]);
    let current = std::sync::RwLock::new(old.clone());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1_000 {
                    let seen = current.read().unwrap().clone();
                    let Resolution::Answer(answer) = seen.resolve("version", NOW) else {
                        panic!("no answer")
                    };
                    let artifact = seen.artifact().unwrap();
                    assert_eq!(answer.artifact().content_hash(), artifact.content_hash());
                }
            });
        }
        *current.write().unwrap() = new.clone();
    });
    assert_answer(&old.resolve("version", NOW), "old");
}

#[test]
fn a_lower_case_ascii_query_allocates_nothing() {
    let resolver = resolver(&[
        entry("a", &["how do i install the command line tool"]),
        entry("b", &["x", "y"]),
        entry("c", &["x", "z"]),
    ]);
    for query in ["how do i install the command line tool", "x", "nobody declared this", ""] {
        let cost = allocation_counter::measure(|| {
            if let Resolution::Choices(offer) = resolver.resolve(query, NOW) {
                assert_eq!(offer.entries().map(|entry| entry.own_alias().len()).sum::<usize>(), 2);
            }
        });
        assert_eq!(cost.count_total, 0, "{query:?}");
    }
    // The counter counts.
    assert!(allocation_counter::measure(|| drop(resolver.resolve("X", NOW))).count_total > 0);
}
