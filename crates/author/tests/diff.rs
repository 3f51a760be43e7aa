//! Diffs: empty exactly where every key resolves alike, and telling about real sites.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod material;

use std::collections::BTreeSet;

use answerplane_artifact::{VerifiedArtifact, content_hash};
use answerplane_author::diff::{Change, Diff, Verdict, diff};
use answerplane_normalize::normalize_key;
use answerplane_protocol::{Artifact, ArtifactContent, DateTime, SiteConfig, Timestamp, Trust};
use answerplane_resolver::{AnswerEnvelope, Outcome, Provenance, Resolver};
use proptest::prelude::*;
use serde_json::{Value, json};

const AT: &str = "2026-06-01T00:00:00Z";

fn at(time: &str) -> Timestamp {
    time.parse::<DateTime>().unwrap().timestamp()
}

/// A verified artifact of these entries and times.
fn artifact(entries: &Value, generated: &str, expires: Option<&str>) -> Option<VerifiedArtifact> {
    let mut value = json!({
        "protocol": "agentskit.chat.knowledge", "version": 1, "artifactId": "a", "siteId": "a",
        "generatedAt": generated, "entries": entries,
    });
    if let Some(expires) = expires {
        value["expiresAt"] = expires.into();
    }
    let hash = content_hash(&ArtifactContent::decode(value.to_string()).ok()?);
    value["contentHash"] = hash.to_string().into();
    let trust = Trust { content_hash: hash, site_id: "a".parse().unwrap() };
    Some(VerifiedArtifact::verify(value.to_string(), &trust).unwrap())
}

fn entry(id: &str, label: &str, values: &[&str], markdown: &str) -> Value {
    json!({
        "id": id, "kind": "document", "label": label, "match": { "type": "exact", "values": values },
        "answer": { "markdown": markdown, "citations": [{ "id": "c", "title": "C", "href": "/c" }] },
    })
}

fn of(entries: &[Value]) -> VerifiedArtifact {
    artifact(&json!(entries), "2026-01-01T00:00:00Z", None).unwrap()
}

fn compared(old: &[Value], new: &[Value]) -> Diff {
    diff(&[&of(old)], &[&of(new)], at(AT))
}

fn changes(diff: &Diff) -> Vec<(Change, Vec<&str>)> {
    diff.consequences.iter().map(|c| (c.change, c.aliases.iter().map(String::as_str).collect())).collect()
}

#[test]
fn each_consequence_has_its_name() {
    let a = || entry("a", "A", &["a", "more of a"], "Answer A");
    let b = || entry("b", "B", &["b"], "Answer B");
    let shared = |id: &str| entry(id, id, &[id, "both"], &format!("Answer {id}"));
    assert_eq!(changes(&compared(&[a()], &[a(), b()])), [(Change::Answered, vec!["b"])]);
    assert_eq!(changes(&compared(&[a(), b()], &[b()])), [(Change::Lost, vec!["a", "more of a"])]);
    let other = entry("a", "A", &["a", "more of a"], "Another");
    assert_eq!(changes(&compared(&[a()], &[other])), [(Change::AnswerChanged, vec!["a", "more of a"])]);
    let mut cited = a();
    cited["answer"]["citations"] = json!([]);
    assert_eq!(changes(&compared(&[a()], &[cited])), [(Change::CitationsChanged, vec!["a", "more of a"])]);
    assert_eq!(
        changes(&compared(
            &[entry("a", "A", &["a", "x"], "A"), b()],
            &[entry("a", "A", &["a"], "A"), entry("b", "B", &["b", "X"], "Answer B")]
        )),
        [(Change::Moved, vec!["X"])]
    );
    let alone = entry("p", "p", &["p", "both"], "Answer p");
    let two = [shared("p"), shared("q")];
    let now = compared(std::slice::from_ref(&alone), &two);
    assert_eq!(changes(&now), [(Change::NowAmbiguous, vec!["both"]), (Change::Answered, vec!["q"])]);
    let then = compared(&two, std::slice::from_ref(&alone));
    assert_eq!(changes(&then), [(Change::Lost, vec!["q"]), (Change::NowUnambiguous, vec!["both"])]);
    let three = [shared("p"), shared("q"), shared("r")];
    assert_eq!(
        changes(&compared(&two, &three)),
        [(Change::ChoicesChanged, vec!["both"]), (Change::Answered, vec!["r"])]
    );
    let none = compared(&two, &[entry("p", "p", &["p"], "Answer p"), entry("q", "q", &["q"], "Answer q")]);
    assert_eq!(changes(&none), [(Change::Withdrawn, vec!["both"])]);
}

#[test]
fn a_rebuild_with_a_new_time_is_a_no_op() {
    let entries = json!([entry("a", "A", &["a"], "Answer A")]);
    let old = artifact(&entries, "2026-01-01T00:00:00Z", Some("2026-12-01T00:00:00Z")).unwrap();
    let new = artifact(&entries, "2026-02-01T00:00:00Z", Some("2027-01-01T00:00:00Z")).unwrap();
    let found = diff(&[&old], &[&new], at(AT));
    assert_eq!((found.verdict, found.consequences.len()), (Verdict::OnlyTimes, 0));
    assert!(found.to_markdown().contains("\nA no-op: only the times changed"), "{}", found.to_markdown());
    assert_eq!(diff(&[&old], &[&old], at(AT)).verdict, Verdict::Identical);
    // What is respelled or relabelled where only one entry answers is not seen.
    let respelled = of(&[entry("a", "Ah", &["A"], "Answer A")]);
    assert_eq!(diff(&[&old], &[&respelled], at(AT)).verdict, Verdict::Unseen);
}

#[test]
fn expiry_is_judged_at_the_instant() {
    let entries = json!([entry("a", "A", &["a"], "Answer A")]);
    let old = artifact(&entries, "2026-01-01T00:00:00Z", Some("2026-05-01T00:00:00Z")).unwrap();
    let new = artifact(&entries, "2026-04-01T00:00:00Z", None).unwrap();
    assert_eq!(changes(&diff(&[&old], &[&new], at(AT))), [(Change::Revived, vec!["a"])]);
    assert_eq!(changes(&diff(&[&new], &[&old], at(AT))), [(Change::Expired, vec!["a"])]);
    assert_eq!(diff(&[&old], &[&new], at("2026-04-30T23:59:59Z")).verdict, Verdict::OnlyTimes);
    assert_eq!(diff(&[&old], &[&old], at(AT)).consequences.len(), 0);
}

#[test]
fn a_site_may_be_empty_or_of_several_shards() {
    let (a, b) = (of(&[entry("a", "A", &["a"], "A")]), of(&[entry("b", "B", &["b"], "B")]));
    let both = of(&[entry("a", "A", &["a"], "A"), entry("b", "B", &["b"], "B")]);
    let found = diff(&[&both], &[&a, &b], at(AT));
    assert_eq!((found.verdict, found.new.shards, found.new.keys), (Verdict::Unseen, 2, 2));
    assert_eq!(changes(&diff(&[&a, &b], &[&a], at(AT))), [(Change::Lost, vec!["b"])]);
    let nothing = of(&[]);
    assert_eq!(diff(&[&nothing], &[&nothing], at(AT)).verdict, Verdict::Identical);
    assert_eq!(diff(&[], &[], at(AT)).verdict, Verdict::Identical);
    assert_eq!(diff(&[], &[&nothing], at(AT)).verdict, Verdict::Unseen);
    assert_eq!(changes(&diff(&[], &[&a], at(AT))), [(Change::Answered, vec!["a"])]);
}

#[test]
fn markdown_is_bounded_and_holds_no_markup_of_the_sites() {
    let hostile = "</details>\n```\n@everyone <script>alert(1)</script> | \u{202e}";
    let old: Vec<Value> =
        (0..200).map(|n| entry(&format!("e{n}"), "L", &[&format!("{n} ``` </summary>")], "Old")).collect();
    let new: Vec<Value> =
        (0..200).map(|n| entry(&format!("e{n}"), "L", &[&format!("{n} ``` </summary>")], hostile)).collect();
    let page = compared(&old, &new).to_markdown();
    assert!(page.len() < 60_000, "{}", page.len());
    assert!(page.contains("````diff\n  - Old\n  + </details>\n  + ```\n"), "{}", &page[..800]);
    assert!(page.contains("\n- and 180 more\n") && !page.contains('\u{202e}'));
}

/// What a reader gets: the envelope without the artifact that it comes from.
fn seen(envelope: &AnswerEnvelope) -> String {
    let mut value = serde_json::to_value(envelope).unwrap();
    if let Some(provenance) = value.get_mut("provenance").and_then(Value::as_object_mut) {
        provenance.remove("artifactId");
        provenance.remove("contentHash");
    }
    assert!(!matches!(envelope.outcome(), Outcome::Answer { provenance: Provenance::Backend { .. }, .. }));
    value.to_string()
}

/// What a resolver over shards says: the first that has not expired and knows the key decides.
fn resolved(shards: &[VerifiedArtifact], query: &str, at: Timestamp) -> String {
    let said = |shard: &VerifiedArtifact| Resolver::from(shard.clone()).answer(query, at);
    let answers: Vec<AnswerEnvelope> = shards.iter().map(said).collect();
    let is_known = |answer: &&AnswerEnvelope| !matches!(answer.outcome(), Outcome::Escalation { .. });
    let worst = || answers.iter().find(|answer| seen(answer).contains("\"stale\"")).or(answers.first());
    answers.iter().find(is_known).or_else(worst).map_or_else(String::new, seen)
}

/// Entries of few ids, aliases and texts, so that they collide.
fn entries() -> impl Strategy<Value = Value> {
    let aliases = proptest::collection::btree_set("[a-d]", 1..3);
    let draft = (0..4usize, aliases, "[xy]", 0..2usize, "[LM]");
    proptest::collection::vec(draft, 0..5).prop_map(|drafts| {
        let mut ids: BTreeSet<usize> = BTreeSet::new();
        let entries =
            drafts.into_iter().filter(|(id, ..)| ids.insert(*id)).map(|(id, aliases, text, cites, label)| {
                let own = format!("own {id}");
                let values: Vec<&str> = aliases.iter().map(String::as_str).chain([own.as_str()]).collect();
                let mut entry = entry(&format!("e{id}"), &label, &values, &text);
                if cites == 0 {
                    entry["answer"]["citations"] = json!([]);
                }
                entry
            });
        json!(entries.collect::<Vec<Value>>())
    })
}

fn expiries() -> impl Strategy<Value = Option<&'static str>> {
    prop_oneof![3 => Just(None), 1 => Just(Some("2026-05-01T00:00:00Z")), 1 => Just(Some("2026-07-01T00:00:00Z"))]
}

fn shards() -> impl Strategy<Value = Vec<VerifiedArtifact>> {
    let shard = (entries(), expiries()).prop_filter_map("an artifact", |(entries, expires)| {
        artifact(&entries, "2026-01-01T00:00:00Z", expires)
    });
    proptest::collection::vec(shard, 1..3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn there_are_no_consequences_exactly_when_every_key_resolves_alike(old in shards(), new in shards()) {
        let one: Vec<&Artifact> = old.iter().map(|shard| -> &Artifact { shard }).collect();
        let two: Vec<&Artifact> = new.iter().map(|shard| -> &Artifact { shard }).collect();
        let found = diff(&one, &two, at(AT));
        let mut different: BTreeSet<String> = BTreeSet::new();
        for alias in old.iter().chain(&new).flat_map(|shard| shard.entries()).flat_map(|entry| entry.aliases()) {
            // The query is part of an envelope, so the same spelling is asked of both.
            if resolved(&old, alias, at(AT)) != resolved(&new, alias, at(AT)) {
                different.insert(normalize_key(alias).as_str().to_owned());
            }
        }
        let named: BTreeSet<String> = found
            .consequences
            .iter()
            .flat_map(|consequence| &consequence.aliases)
            .map(|alias| normalize_key(alias).as_str().to_owned())
            .collect();
        prop_assert_eq!(named, different);
    }
}

/// A site of the shared material.
fn site(name: &str) -> Option<VerifiedArtifact> {
    let folder = material::shared("diffs_of_real_sites", &format!("real/sites/{name}"))?;
    let trust = SiteConfig::decode(std::fs::read(folder.join("site-config.json")).unwrap()).unwrap().trust();
    Some(VerifiedArtifact::verify(std::fs::read(folder.join("knowledge.json")).unwrap(), &trust).unwrap())
}

#[test]
fn diffs_of_real_sites_say_what_changed_for_a_reader() {
    let (Some(old), Some(new)) = (site("playbook-2026-07-14"), site("playbook-2026-07-20")) else { return };
    let now = at("2026-08-01T00:00:00Z");
    let found = diff(&[&old], &[&new], now);
    assert_eq!((found.verdict, found.old.entries, found.new.entries), (Verdict::Changed, 150, 153));
    let count = |change| {
        let of_it = found.consequences.iter().filter(|consequence| consequence.change == change);
        (of_it.clone().count(), of_it.map(|consequence| consequence.aliases.len()).sum::<usize>())
    };
    println!("{:?}", Change::ALL.iter().map(|change| (*change, count(*change))).collect::<Vec<_>>());
    assert!(count(Change::Answered).0 >= 3);
    let reverse = diff(&[&new], &[&old], now);
    assert_eq!(count(Change::Answered).1, {
        let of_it = reverse.consequences.iter().filter(|consequence| consequence.change == Change::Lost);
        of_it.map(|consequence| consequence.aliases.len()).sum::<usize>()
    });
    assert_eq!(diff(&[&new], &[&new], now).verdict, Verdict::Identical);
}

#[test]
fn a_continuation_answers_as_the_entry_that_it_continues() {
    let with = |second: &str, third: &str| {
        [
            entry("x", "X", &["one"], "The answer."),
            entry("x.2", "X", &[second], "The answer."),
            entry("x.3", "X", &[third], "The answer."),
        ]
    };
    let exchanged = compared(&with("two", "three"), &with("three", "two"));
    assert_eq!((exchanged.verdict, exchanged.consequences.len()), (Verdict::Unseen, 0));
    let moved = compared(&[entry("x", "X", &["one"], "A.")], &[entry("x.2", "Y", &["one"], "A.")]);
    assert_eq!(moved.verdict, Verdict::Changed, "under another label it is another entry");
}
