//! Several shards: the first that knows the key decides, and where none does, the worst state is the reason.

use answerplane_resolver::{Cause, Resolution, Resolver, VerifiedArtifact};
use proptest::prelude::*;

use crate::artifacts::{NOW, PAST, entry, verified};

/// A shard as it is made: nothing, or whether it has expired and its entries, each with the aliases that it shares.
type Made = Option<(bool, Vec<Vec<&'static str>>)>;

/// What is decided, in words of the definition.
#[derive(Debug, PartialEq)]
enum Decided {
    Entries(String, Vec<String>),
    Escalated(Cause),
}

const SHARED: [&str; 3] = ["one", "two", "three"];

fn own(shard: usize, entry: usize) -> String {
    format!("own {shard} {entry}")
}

fn resolver(shards: &[Made]) -> Resolver {
    Resolver::over_shards(shards.iter().enumerate().map(|(at, made)| {
        let (expired, entries) = made.as_ref().ok_or(())?;
        let entries: Vec<_> = entries
            .iter()
            .enumerate()
            .map(|(number, shared)| {
                let own = own(at, number);
                let values: Vec<&str> = shared.iter().copied().chain([own.as_str()]).collect();
                entry(&format!("e{number}"), &values)
            })
            .collect();
        Ok::<_, ()>(verified(&format!("shard-{at}"), &entries, expired.then_some(PAST)))
    }))
}

/// The definition, by looking at every alias of every shard.
fn defined(shards: &[Made], query: &str) -> Decided {
    let mut states = Vec::new();
    for (at, made) in shards.iter().enumerate() {
        match made {
            None => states.push(Cause::Corrupt),
            Some((true, _)) => states.push(Cause::Stale),
            Some((false, entries)) => {
                let knows = |(number, shared): &(usize, &Vec<&str>)| {
                    shared.contains(&query) || own(at, *number) == query
                };
                let known = entries.iter().enumerate().filter(knows);
                let ids: Vec<String> = known.map(|(number, _)| format!("e{number}")).take(8).collect();
                if !ids.is_empty() {
                    return Decided::Entries(format!("shard-{at}"), ids);
                }
            }
        }
    }
    let worst = if shards.is_empty() || states.contains(&Cause::Corrupt) {
        Cause::Corrupt
    } else if states.contains(&Cause::Stale) {
        Cause::Stale
    } else {
        Cause::Miss
    };
    Decided::Escalated(worst)
}

fn decided(resolution: &Resolution<'_>) -> Decided {
    match resolution {
        Resolution::Answer(answer) => {
            let artifact = answer.artifact().artifact_id().to_string();
            Decided::Entries(artifact, vec![answer.entry().id().to_owned()])
        }
        Resolution::Choices(offer) => Decided::Entries(
            offer.artifact().artifact_id().to_string(),
            offer.entries().map(|entry| entry.id().to_owned()).collect(),
        ),
        Resolution::Escalation(cause) => Decided::Escalated(*cause),
    }
}

fn shard() -> impl Strategy<Value = Made> {
    let aliases = prop::sample::subsequence(SHARED.to_vec(), 0..=SHARED.len());
    let entries = prop::collection::vec(aliases, 0..11);
    prop::option::weighted(0.8, (prop::bool::weighted(0.3), entries))
}

proptest! {
    #[test]
    fn a_resolver_over_shards_is_its_definition(shards in prop::collection::vec(shard(), 0..5)) {
        let resolver = resolver(&shards);
        let mut queries: Vec<String> = SHARED.map(String::from).into();
        queries.extend((0..5).map(|at| own(at, at)));
        queries.extend(["nobody declared this".into(), "x".repeat(513)]);
        for query in queries {
            let expected = defined(&shards, &query);
            prop_assert_eq!(&decided(&resolver.resolve(&query, NOW)), &expected, "{}", query);
            for number in 0..11 {
                let id = format!("e{number}");
                let chosen = decided(&resolver.resolve_choice(&id, &query, NOW));
                let expected = match &expected {
                    Decided::Entries(artifact, ids) if ids.contains(&id) => {
                        Decided::Entries(artifact.clone(), vec![id])
                    }
                    Decided::Escalated(Cause::Corrupt) => Decided::Escalated(Cause::Corrupt),
                    Decided::Escalated(Cause::Stale) => Decided::Escalated(Cause::Stale),
                    _ => Decided::Escalated(Cause::NotOffered),
                };
                prop_assert_eq!(chosen, expected, "{} of {}", number, query);
            }
        }
    }
}

#[test]
fn the_shard_that_decides_stands_in_the_provenance() {
    let resolver = resolver(&[None, Some((true, vec![vec!["one"]])), Some((false, vec![vec!["one"]]))]);
    let envelope = serde_json::json!(resolver.answer("ONE", NOW));
    assert_eq!(envelope["provenance"]["artifactId"], "shard-2");
    let last = resolver.shards().last().flatten().unwrap();
    assert_eq!(envelope["provenance"]["contentHash"], serde_json::json!(last.content_hash()));
    assert_eq!(serde_json::json!(resolver.answer("other", NOW))["reason"], "corrupt");
    assert_eq!(resolver.shards().map(|shard| shard.is_some()).collect::<Vec<_>>(), [false, true, true]);
    assert!(resolver.artifact().is_none());
}

#[test]
fn no_shard_is_no_artifact() {
    let none = Resolver::over_shards(Vec::<Result<VerifiedArtifact, ()>>::new());
    assert_eq!(none.shards().len(), 1);
    assert!(matches!(none.resolve("one", NOW), Resolution::Escalation(Cause::Corrupt)));
}

#[test]
fn a_query_over_many_shards_allocates_nothing() {
    let shards: Vec<Made> = (0..20).map(|_| Some((false, vec![vec!["one"]]))).collect();
    let resolver = resolver(&shards);
    for query in ["one", "own 19 0", "nobody declared this"] {
        let cost = allocation_counter::measure(|| drop(resolver.resolve(query, NOW)));
        assert_eq!(cost.count_total, 0, "{query:?}");
    }
}
