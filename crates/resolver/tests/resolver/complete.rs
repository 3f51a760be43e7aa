//! What is offered while a person types, and after a miss.

use answerplane_resolver::complete::{Completer, Completion};
use answerplane_resolver::{Resolution, Resolver, VerifiedArtifact};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::artifacts::{NOW, PAST, entry, labelled, verified};

fn completer(entries: &[Value]) -> Completer {
    Completer::new([verified("a", entries, None)])
}

fn seen<'c>(completions: &[Completion<'c>]) -> Vec<(&'c str, &'c str)> {
    completions.iter().map(|completion| (completion.entry_id(), completion.alias())).collect()
}

#[test]
fn labels_and_aliases_are_completed_in_their_folded_form() {
    let completer = completer(&[
        labelled("install", "Install it", &["How do I install it?", "set-up"]),
        labelled("cafe", "Café", &["Where's the café?"]),
    ]);
    for typed in ["h", "How do", "how-do I", "“How do", " HOW  DO ", "How do I install it?!"] {
        assert_eq!(seen(&completer.complete(typed, NOW)), [("install", "How do I install it?")], "{typed}");
    }
    // A label that is no alias: the first alias of its own.
    assert_eq!(seen(&completer.complete("inst", NOW)), [("install", "How do I install it?")]);
    assert_eq!(seen(&completer.complete("set u", NOW)), [("install", "set-up")]);
    assert_eq!(seen(&completer.complete("CAFE\u{301}", NOW)), [("cafe", "Where's the café?")]);
    assert_eq!(seen(&completer.complete("wheres th", NOW)), [("cafe", "Where's the café?")]);
    for typed in ["", "  ", "\u{3000}", "it", "install it now", "?", "…"] {
        assert_eq!(seen(&completer.complete(typed, NOW)), [], "{typed:?}");
    }
    assert_eq!(completer.complete("w", NOW)[0].label(), "Café");
}

#[test]
fn the_shortest_text_comes_first_and_an_entry_once() {
    let entries: Vec<Value> = (0..12)
        .map(|at| entry(&format!("e{at}"), &[&format!("plan {}", "x".repeat(12 - at)), "plan", "plans"]))
        .collect();
    let mut entries: Vec<Value> = entries;
    entries.push(entry("own", &["plan x"]));
    entries.retain(|entry| entry["id"] != "e11");
    let completer = completer(&entries);
    let offered = completer.complete("pl", NOW);
    let ids: Vec<&str> = offered.iter().map(|completion| completion.entry_id()).collect();
    assert_eq!(ids, ["e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7"]);
    // Several entries have the alias that matched, so each has its own submitted.
    assert_eq!(offered[0].alias(), format!("plan {}", "x".repeat(12)));
    assert_eq!(completer.complete("plan x", NOW)[0].entry_id(), "own");
    assert_eq!(completer.complete("plan x", NOW)[1].entry_id(), "e10");
}

#[test]
fn a_continuation_belongs_to_what_it_continues() {
    let answer = |mut entry: Value, markdown: &str| {
        entry["answer"]["markdown"] = json!(markdown);
        entry
    };
    let same = |id: &str, values: &[&str]| answer(labelled(id, "Hours", values), "9 to 17.");
    let first = verified(
        "a",
        &[same("hours", &["hours", "when open"]), same("hours.2", &["hours?", "open when"])],
        None,
    );
    let second = verified(
        "b",
        &[
            same("hours.3", &["hours!", "when do you open"]),
            answer(labelled("hours.4", "Hours", &["hours of winter"]), "Closed."),
            same("hours.1", &["hours one"]),
            same("hours.02", &["hours two"]),
        ],
        None,
    );
    let completer = Completer::new([first, second]);
    assert_eq!(
        seen(&completer.complete("hours", NOW)),
        [
            ("hours", "hours"),
            ("hours.4", "hours of winter"),
            ("hours.1", "hours one"),
            ("hours.02", "hours two")
        ]
    );
    assert_eq!(seen(&completer.complete("open", NOW)), [("hours", "open when")]);
    assert_eq!(seen(&completer.did_you_mean("wen do you open", NOW)), [("hours", "when do you open")]);
}

#[test]
fn what_is_near_is_offered_and_what_is_far_is_not() {
    let completer = completer(&[
        entry("password", &["Reset password"]),
        entry("install", &["How do I install it?"]),
        entry("remove", &["How do I remove it?"]),
        entry("ls", &["ls"]),
        entry("git", &["git"]),
    ]);
    let meant = |query| -> Vec<&str> {
        completer.did_you_mean(query, NOW).iter().map(|completion| completion.entry_id()).collect()
    };
    assert_eq!(meant("reset pasword."), ["password"]);
    assert_eq!(meant("reste password"), ["password"]);
    assert_eq!(meant("reset-passwords"), ["password"]);
    assert_eq!(meant("how do i instal it"), ["install"]);
    assert_eq!(meant("gti"), ["git"]);
    assert_eq!(meant("‘ls’"), ["ls"]);
    for far in ["reset the moon", "how do i use it", "password", "lt", "gut it", "", " ", "?", "\u{301}"] {
        assert_eq!(meant(far), Vec::<&str>::new(), "{far:?}");
    }
}

#[test]
fn an_expired_shard_offers_nothing() {
    let completer = Completer::new([
        verified("a", &[entry("old", &["question one"])], Some(PAST)),
        verified("b", &[entry("new", &["question two"])], None),
    ]);
    assert_eq!(seen(&completer.complete("question", NOW)), [("new", "question two")]);
    assert_eq!(seen(&completer.did_you_mean("question oen", NOW)), [("new", "question two")]);
    let before = answerplane_resolver::Timestamp::from_millis(0);
    assert_eq!(completer.complete("question", before).len(), 2);
    assert_eq!(completer.did_you_mean("question oen", before)[0].entry_id(), "old");
    assert!(Completer::new([]).complete("question", NOW).is_empty());
}

#[test]
fn every_text_can_be_typed() {
    let punctuation = completer(&[entry("macro", &["?"]), entry("dash", &["--"])]);
    assert_eq!(seen(&punctuation.complete("?", NOW)), [("macro", "?")]);
    assert_eq!(seen(&punctuation.did_you_mean("—", NOW)), []);
    let longest = "ﷺ".repeat(28);
    let completer = completer(&[
        entry("a", &[&"x".repeat(512)]),
        entry("b", &[&longest]),
        entry("c", &["각".repeat(512)]),
    ]);
    assert_eq!(seen(&completer.did_you_mean(&"x".repeat(520), NOW)).len(), 1);
    assert_eq!(completer.did_you_mean(&"x".repeat(521), NOW).len(), 0);
    assert_eq!(completer.did_you_mean(&"각".repeat(510), NOW)[0].entry_id(), "c");
    for unit in ["x", "?", " ", "-", "ﷺ", "\u{301}", "ß", "👨\u{200d}👩", "각", "\u{10ffff}", "İ", "\0"]
    {
        for length in [1, 511, 513, 100_000] {
            let text = unit.repeat(length);
            let _ = (completer.complete(&text, NOW), completer.did_you_mean(&text, NOW));
        }
    }
}

/// A shard: whether it has expired, and of each entry the label and the aliases.
type Made = (bool, Vec<(String, Vec<String>)>);

fn shards() -> impl Strategy<Value = Vec<Made>> {
    let text = || "[ab]{1,6}( [ab]{1,3})?";
    let aliases = prop::collection::btree_set(text(), 0..4).prop_map(Vec::from_iter);
    let entries = prop::collection::vec((text(), aliases), 0..8);
    prop::collection::vec((prop::bool::weighted(0.2), entries), 0..4)
}

fn artifacts(shards: &[Made]) -> Vec<VerifiedArtifact> {
    let make = |(shard, (expired, entries)): (usize, &Made)| {
        let make = |(number, (label, aliases)): (usize, &(String, Vec<String>))| {
            let own = format!("own {shard} {number}");
            labelled(&format!("e{shard}-{number}"), label, &[&aliases[..], &[own]].concat())
        };
        let entries: Vec<Value> = entries.iter().enumerate().map(make).collect();
        verified(&format!("shard-{shard}"), &entries, expired.then_some(PAST))
    };
    shards.iter().enumerate().map(make).collect()
}

/// The entries that have a text of a rank, by the least rank and their place.
fn ranked(shards: &[Made], limit: usize, rank: impl Fn(&str) -> Option<usize>) -> Vec<String> {
    let mut found = Vec::new();
    for (shard, (expired, entries)) in shards.iter().enumerate() {
        for (number, (label, aliases)) in entries.iter().enumerate() {
            let own = format!("own {shard} {number}");
            let texts = aliases.iter().chain([label, &own]);
            if let (false, Some(rank)) = (expired, texts.filter_map(|text| rank(text)).min()) {
                found.push((rank, shard, number));
            }
        }
    }
    found.sort_unstable();
    found.truncate(limit);
    found.into_iter().map(|(_, shard, number)| format!("e{shard}-{number}")).collect()
}

fn check(
    resolver: &Resolver,
    completions: &[Completion<'_>],
    expected: &[String],
) -> Result<(), TestCaseError> {
    let ids: Vec<&str> = completions.iter().map(|completion| completion.entry_id()).collect();
    prop_assert_eq!(ids, expected);
    for completion in completions {
        let resolution = resolver.resolve(completion.alias(), NOW);
        let Resolution::Answer(answer) = &resolution else {
            return Err(TestCaseError::fail(format!("{completion:?} leads to {resolution:?}")));
        };
        prop_assert_eq!(answer.entry().id(), completion.entry_id());
    }
    Ok(())
}

proptest! {
    /// The index gives what looking at every text gives, and what is submitted leads to what was shown.
    #[test]
    fn the_index_is_its_definition(shards in shards(), queries in prop::collection::vec("[ab]{1,6}( [ab]{1,3})?", 8)) {
        let artifacts = artifacts(&shards);
        let completer = Completer::new(artifacts.clone());
        let resolver = Resolver::over_shards(artifacts.into_iter().map(Ok::<_, ()>));
        for query in queries {
            let begins = |text: &str| text.starts_with(&query).then_some(text.len());
            check(&resolver, &completer.complete(&query, NOW), &ranked(&shards, 8, begins))?;
            let bound = match query.len() {
                0..=2 => 0,
                length => (length / 4).clamp(1, 8),
            };
            let near = |text: &str| Some(strsim::osa_distance(text, &query)).filter(|near| *near <= bound);
            check(&resolver, &completer.did_you_mean(&query, NOW), &ranked(&shards, 3, near))?;
        }
    }

    #[test]
    fn nothing_that_is_typed_panics(typed in any::<String>(), texts in prop::collection::vec(any::<String>(), 1..5)) {
        let texts: Vec<&String> = texts.iter().filter(|text| !answerplane_normalize::is_blank(text)).collect();
        let entries: Vec<Value> =
            texts.iter().enumerate().map(|(at, text)| labelled(&format!("e{at}"), "Label", &[text.as_str(), &format!("own {at}")])).collect();
        let completer = completer(&entries);
        let _ = (completer.complete(&typed, NOW), completer.did_you_mean(&typed, NOW));
        for text in texts {
            prop_assert!(!completer.complete(text, NOW).is_empty());
            prop_assert!(!completer.did_you_mean(text, NOW).is_empty());
        }
    }
}
