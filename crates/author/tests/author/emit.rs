//! Shards, dates, bytes.

use std::collections::{BTreeMap, BTreeSet};

use answerplane_artifact::VerifiedArtifact;
use answerplane_author::config::{Config, Life, Over};
use answerplane_author::draft::Draft;
use answerplane_author::emit::{Dates, Emission, Emitter, Expiry, Layout, Made, Publication};
use answerplane_author::plan::Planner;
use answerplane_author::{Rule, has_errors};
use answerplane_protocol::{SiteConfig, Timestamp};
use answerplane_resolver::{Resolution, Resolver};

use crate::drafts::{config, of_file, page};

const DAY: i64 = 86_400_000;
const NOW: i64 = 20_000 * DAY;

fn dates(made: Made) -> Dates {
    Dates { made, expiry: Expiry::After(Life::default()), now: Timestamp::from_millis(NOW) }
}

fn found_at(millis: i64) -> Dates {
    dates(Made::Found(Timestamp::from_millis(millis)))
}

fn said_at(millis: i64) -> Dates {
    dates(Made::Said(Timestamp::from_millis(millis)))
}

fn emit(pages: Vec<Draft>, config: &Config, dates: &Dates, previous: &[VerifiedArtifact]) -> Emission {
    let drafts = of_file(pages);
    let plan = Planner::new().plan(&drafts, &config.policy);
    let publication = Publication { config, dates, layout: Layout::Compact, previous };
    Emitter::new().emit(plan, &publication)
}

fn pages(count: usize) -> Vec<Draft> {
    (0..count).map(|at| page(&format!("page-{at}"), &format!("Title {at}"), &[])).collect()
}

fn small(entries: usize) -> Config {
    let mut config = config();
    config.policy.max_entries = entries;
    config
}

/// Every artifact verifies with its configuration.
fn verified(emission: &Emission) -> Vec<VerifiedArtifact> {
    let verify = |shard: &answerplane_author::emit::Shard| {
        let site = SiteConfig::decode(&shard.config).unwrap();
        assert!(site.artifact().href().as_str().ends_with(&shard.artifact_name));
        VerifiedArtifact::verify(&*shard.artifact, &site.trust()).unwrap()
    };
    emission.shards.iter().map(verify).collect()
}

/// Of every entry the number of its shard.
fn places(emission: &Emission) -> BTreeMap<String, usize> {
    let shards = verified(emission);
    let ids = |artifact: &VerifiedArtifact| artifact.entries().map(|entry| entry.id().to_owned()).collect();
    shards
        .iter()
        .zip(0..)
        .flat_map(|(artifact, number)| {
            let ids: Vec<String> = ids(artifact);
            ids.into_iter().map(move |id| (id, number))
        })
        .collect()
}

#[test]
fn a_site_is_one_artifact_that_verifies() {
    let emission = emit(pages(3), &config(), &found_at(NOW), &[]);
    assert_eq!(emission.shards.len(), 1);
    let shard = &emission.shards[0];
    assert_eq!((shard.site_id.as_str(), shard.config_name.as_str()), ("handbook", "site-config.json"));
    let artifact = verified(&emission).remove(0);
    let resolver = Resolver::from(artifact);
    let now = Timestamp::from_millis(NOW);
    assert!(
        matches!(resolver.resolve("title 2?", now), Resolution::Answer(answer) if answer.entry().id() == "page-2")
    );
    assert_eq!(emission.report.entries, 3);
    assert_eq!(emission.report.shards[0].bytes, shard.artifact.len());
}

#[test]
fn a_pretty_artifact_has_the_same_hash() {
    let drafts = of_file(pages(3));
    let plan = |layout| {
        let config = config();
        let publication = Publication { config: &config, dates: &said_at(NOW), layout, previous: &[] };
        Emitter::new().emit(Planner::new().plan(&drafts, &config.policy), &publication)
    };
    let (compact, pretty) = (plan(Layout::Compact), plan(Layout::Pretty));
    assert_eq!(compact.shards[0].content_hash, pretty.shards[0].content_hash);
    assert!(pretty.shards[0].artifact.lines().count() > 30);
    verified(&pretty);
}

#[test]
fn what_has_not_changed_keeps_its_bytes() {
    let first = emit(pages(3), &config(), &found_at(NOW), &[]);
    let later = emit(pages(3), &config(), &found_at(NOW + 5), &verified(&first));
    assert_eq!(later.shards[0].artifact, first.shards[0].artifact);
    let changed = emit(pages(4), &config(), &found_at(NOW + 5), &verified(&first));
    assert_ne!(changed.shards[0].content_hash, first.shards[0].content_hash);
    let said = emit(pages(3), &config(), &said_at(NOW + 5), &verified(&first));
    assert_ne!(said.shards[0].content_hash, first.shards[0].content_hash, "who says a date gets it");
    let mut shorter = config();
    shorter.policy.expires_in = Life::Millis(DAY * 30);
    let dates = Dates { expiry: Expiry::After(shorter.policy.expires_in), ..found_at(NOW + 5) };
    let shorter = emit(pages(3), &shorter, &dates, &verified(&first));
    assert_ne!(shorter.shards[0].content_hash, first.shards[0].content_hash, "another policy is a change");
}

#[test]
fn a_change_is_never_older_than_what_it_replaces() {
    let first = emit(pages(3), &config(), &found_at(NOW), &[]);
    let changed = emit(pages(4), &config(), &found_at(NOW - DAY), &verified(&first));
    let moment = |emission: &Emission| verified(emission)[0].generated_at().timestamp();
    assert_eq!(moment(&changed), moment(&first), "hosts refuse what is older");
}

#[test]
fn lives_are_finite_unless_somebody_says_otherwise() {
    let artifact = |expiry| {
        let dates = Dates { expiry, ..found_at(NOW) };
        let emission = emit(pages(1), &config(), &dates, &[]);
        (verified(&emission).first().and_then(|artifact| artifact.expires_at().cloned()), emission)
    };
    let (expires, _) = artifact(Expiry::After(Life::default()));
    assert_eq!(expires.unwrap().timestamp().as_millis(), NOW + 90 * DAY);
    assert_eq!(artifact(Expiry::After(Life::Unlimited)).0, None);
    let at = "2030-01-01T00:00:00Z".parse().unwrap();
    assert_eq!(artifact(Expiry::At(at)).0.unwrap().as_str(), "2030-01-01T00:00:00Z");
    let rules =
        |emission: &Emission| -> Vec<Rule> { emission.diagnostics.iter().map(|found| found.rule).collect() };
    let (_, soon) = artifact(Expiry::After(Life::Millis(13 * DAY)));
    assert!(rules(&soon).contains(&Rule::ExpirySoon));
    let (_, past) = artifact(Expiry::At("2001-01-01T00:00:00Z".parse().unwrap()));
    assert!(rules(&past).contains(&Rule::ExpiryPast) && past.shards.is_empty());
}

#[test]
fn shards_hold_everything_once_and_are_named_in_order() {
    let emission = emit(pages(100), &small(16), &found_at(NOW), &[]);
    assert!(emission.shards.len() >= 7, "{}", emission.shards.len());
    assert!(emission.shards.iter().all(|shard| (1..=16).contains(&shard.entries)));
    assert_eq!(places(&emission).len(), 100);
    let names: Vec<&str> = emission.shards.iter().take(3).map(|shard| shard.site_id.as_str()).collect();
    assert_eq!(names, ["handbook", "handbook.2", "handbook.3"]);
    assert_eq!(emission.shards[1].config_name, "site-config.2.json");
    let mut backwards = pages(100);
    backwards.reverse();
    assert_eq!(places(&emit(backwards, &small(16), &found_at(NOW), &[])), places(&emission));
}

#[test]
fn entries_that_share_a_key_stay_together() {
    let shared =
        (0..90).map(|at| page(&format!("page-{at}"), &format!("Title {at}"), &[["a", "b", "c"][at % 3]]));
    let mut shared: Vec<Draft> = shared.collect();
    shared.truncate(24);
    shared.extend(pages(60).into_iter().skip(24));
    let emission = emit(shared, &small(20), &found_at(NOW), &[]);
    let places = places(&emission);
    for at in 3..24 {
        assert_eq!(places[&format!("page-{at}")], places[&format!("page-{}", at % 3)]);
    }
}

#[test]
fn an_added_page_moves_only_entries_of_a_shard_that_overflowed() {
    let config = small(16);
    let mut moved_at_all = false;
    for count in 20..200 {
        let before = places(&emit(pages(count), &config, &found_at(NOW), &[]));
        let after = places(&emit(pages(count + 1), &config, &found_at(NOW), &[]));
        let moved: BTreeSet<usize> =
            before.iter().filter(|(id, shard)| after[*id] != **shard).map(|(_, shard)| *shard).collect();
        moved_at_all |= !moved.is_empty();
        // A shard overflowed if what it had, with what reached it, is more than it may hold.
        let reached = |shard: usize| {
            let stayed = before.iter().filter(|(_, at)| **at == shard).count();
            let arrived =
                after.iter().filter(|(id, at)| before.get(*id) != Some(*at) && **at >= shard).count();
            stayed + arrived
        };
        for shard in moved {
            assert!(reached(shard) > 16, "{count}: {shard} had room");
        }
    }
    assert!(moved_at_all);
}

#[test]
fn a_group_too_large_for_a_shard_is_an_error() {
    let shared: Vec<Draft> =
        (0..6).map(|at| page(&format!("page-{at}"), &format!("T{at}"), &["same"])).collect();
    let emission = emit(shared, &small(5), &found_at(NOW), &[]);
    let found = emission.diagnostics.iter().find(|found| found.rule == Rule::GroupTooLarge).unwrap();
    assert_eq!((found.limit, found.actual), (Some(5), Some(6)));
    assert!(emission.shards.is_empty());

    let mut large = pages(2);
    large[0].markdown = "m".repeat(16_384);
    let mut config = config();
    config.policy.max_bytes = 10_000;
    let emission = emit(large, &config, &found_at(NOW), &[]);
    assert!(emission.diagnostics.iter().any(|found| found.rule == Rule::EntryTooLarge));
}

#[test]
fn the_lowest_priority_goes_first_where_nothing_may_be_divided() {
    let mut config = small(3);
    config.policy.over = Over::Shed;
    let mut pages = pages(5);
    pages[3].priority = 5;
    pages[4].priority = 1;
    let emission = emit(pages, &config, &found_at(NOW), &[]);
    let places = places(&emission);
    let stayed: Vec<&str> = places.keys().map(String::as_str).collect();
    assert_eq!(stayed, ["page-0", "page-3", "page-4"]);
    let shed: Vec<&str> = emission
        .diagnostics
        .iter()
        .filter(|found| found.rule == Rule::Shed)
        .map(|found| found.place.file.as_str())
        .collect();
    assert_eq!(shed, ["page-1.md", "page-2.md"], "nothing goes in silence");
}

#[test]
fn bytes_are_counted_to_the_last() {
    let mut config = config();
    let all = emit(pages(50), &config, &found_at(NOW), &[]).shards[0].artifact.len();
    for max_bytes in [all / 2, all / 3, all - 1] {
        config.policy.max_bytes = max_bytes;
        let emission = emit(pages(50), &config, &found_at(NOW), &[]);
        assert!(emission.shards.len() > 1);
        assert!(emission.shards.iter().all(|shard| shard.artifact.len() <= max_bytes));
        assert_eq!(places(&emission).len(), 50);
    }
}

#[test]
fn nothing_to_publish_is_an_error() {
    let emission = emit(Vec::new(), &config(), &found_at(NOW), &[]);
    assert!(has_errors(&emission.diagnostics) && emission.shards.is_empty());
}

#[test]
fn aliases_that_were_added_are_counted_as_they_are_told() {
    let twins = |title: &str| ["a", "b"].map(|part| page(&format!("{part}/{title}"), title, &[]));
    let mut drafts: Vec<_> = [twins("Overview"), twins("Refund")].concat();
    // With an alias of its own it needs none, but its label is one.
    drafts[0].aliases.push("all of it".into());
    let emission = emit(drafts, &config(), &found_at(NOW), &[]);
    let told = emission.diagnostics.iter().filter(|found| found.rule == Rule::AliasInvented).count();
    assert_eq!((told, emission.report.invented, emission.report.labels), (3, 3, 1));
}
