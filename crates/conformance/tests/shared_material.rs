//! Public material that lies beside a checkout, in `../shared`, and is not part of the project.
//!
//! Where it is absent, a test that needs it says so and counts as skipped: `cargo xtask test` names a file in
//! `ANSWERPLANE_SKIPS` to which each adds a line.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use answerplane_artifact::VerifiedArtifact;
use answerplane_normalize::normalize_key;
use answerplane_protocol::{
    Artifact, DateTime, DeterministicDiagnostic, SafeLink, SiteConfig, Timestamp, Trust,
};
use answerplane_resolver::{Resolution, Resolver};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Before every site expires.
const NOW: Timestamp = Timestamp::from_millis(1_785_000_000_000);

/// A place in the shared material, or `None` after the skip has been noted.
fn shared(test: &str, path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped {test}: no shared material");
    if let Some(list) = std::env::var_os("ANSWERPLANE_SKIPS") {
        let mut list = OpenOptions::new().append(true).create(true).open(list).unwrap();
        writeln!(list, "{test}: no ../shared material").unwrap();
    }
    None
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

struct Site {
    name: String,
    trust: Trust,
    text: Vec<u8>,
    artifact: VerifiedArtifact,
}

fn sites(test: &str) -> Vec<Site> {
    let Some(folder) = shared(test, "real/sites") else { return Vec::new() };
    let mut sites: Vec<Site> = std::fs::read_dir(folder)
        .unwrap()
        .map(|site| {
            let site = site.unwrap().path();
            let trust =
                SiteConfig::decode(std::fs::read(site.join("site-config.json")).unwrap()).unwrap().trust();
            let text = std::fs::read(site.join("knowledge.json")).unwrap();
            let artifact = VerifiedArtifact::verify(&text, &trust).unwrap();
            let name = site.file_name().unwrap().to_string_lossy().into_owned();
            Site { name, trust, text, artifact }
        })
        .collect();
    sites.sort_by_key(|site| site.text.len());
    sites
}

#[test]
fn real_texts_normalize() {
    let Some(path) = shared("real_texts_normalize", "vectors/real_normalize.jsonl") else { return };
    for case in lines(&path) {
        assert_eq!(normalize_key(case["input"].as_str().unwrap()).as_str(), case["normalized"], "{case}");
    }
}

#[test]
fn all_code_points_have_the_known_digest() {
    let Some(path) =
        shared("all_code_points_have_the_known_digest", "vectors/real_normalize_all_codepoints.json")
    else {
        return;
    };
    let known: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut hasher = Sha256::new();
    let mut code_points = 0;
    for character in '\0'..=char::MAX {
        hasher.update(normalize_key(&format!("x{character}y")).as_str());
        hasher.update("\n");
        code_points += 1;
    }
    let digest: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(json!(code_points), known["codepoints"]);
    assert_eq!(json!(digest), known["sha256"]);
}

#[test]
fn real_date_times_are_judged() {
    let Some(path) = shared("real_date_times_are_judged", "vectors/real_datetime.jsonl") else { return };
    for case in lines(&path) {
        let parsed = case["value"].as_str().unwrap().parse::<DateTime>();
        assert_eq!(json!(parsed.is_ok()), case["accepted"], "{case}");
        if let Ok(parsed) = parsed {
            assert_eq!(json!(parsed.timestamp().as_millis()), case["epochMs"], "{case}");
        }
    }
}

#[test]
fn real_links_are_judged() {
    let Some(path) = shared("real_links_are_judged", "vectors/real_href.jsonl") else { return };
    for case in lines(&path) {
        assert_eq!(json!(case["href"].as_str().unwrap().parse::<SafeLink>().is_ok()), case["safe"], "{case}");
    }
}

#[test]
fn real_queries_resolve() {
    let test = "real_queries_resolve";
    let Some(path) = shared(test, "vectors/real_resolve_playbook-2026-07-20.jsonl") else { return };
    let site = sites(test).into_iter().find(|site| site.name == "playbook-2026-07-20").unwrap();
    let resolver = Resolver::from(site.artifact);
    for case in lines(&path) {
        let envelope = json!(resolver.answer(case["query"].as_str().unwrap(), NOW));
        assert_eq!(envelope["outcome"], case["outcome"], "{case}");
        assert_eq!(envelope["confidence"]["basis"], case["basis"], "{case}");
        assert_eq!(envelope["normalizedQuery"], case["normalizedQuery"], "{case}");
        if let Some(ids) = case.get("entryIds") {
            let found = envelope["provenance"].get("entryIds").cloned().unwrap_or(json!([]));
            assert_eq!(found, *ids, "{case}");
        }
        for name in ["reason", "suggestions"] {
            if let Some(expected) = case.get(name) {
                assert_eq!(envelope[name], *expected, "{case}");
            }
        }
    }
}

#[test]
fn every_alias_of_every_site_leads_to_its_entry() {
    for site in sites("every_alias_of_every_site_leads_to_its_entry") {
        let resolver = Resolver::from(site.artifact.clone());
        for entry in site.artifact.entries() {
            for alias in entry.aliases() {
                match resolver.resolve(alias, NOW) {
                    Resolution::Answer(answer) => assert_eq!(answer.entry().id(), entry.id()),
                    Resolution::Choices(offer) => {
                        let offered = offer.entries().any(|offered| offered.id() == entry.id());
                        assert!(offered || offer.entries().len() == 8, "{}: {alias}", site.name);
                        for offered in offer.entries() {
                            let Resolution::Answer(answer) = resolver.resolve(offered.own_alias(), NOW)
                            else {
                                panic!("{}: {} is ambiguous itself", site.name, offered.own_alias());
                            };
                            assert_eq!(answer.entry().id(), offered.id());
                        }
                    }
                    Resolution::Escalation(cause) => panic!("{}: {alias}: {cause}", site.name),
                }
            }
        }
    }
}

#[test]
fn one_changed_byte_is_refused_or_changes_nothing() {
    let sites = sites("one_changed_byte_is_refused_or_changes_nothing");
    let places: usize = std::env::var("ANSWERPLANE_PLACES").map_or(2_000, |places| places.parse().unwrap());
    let mut random: u64 = std::env::var("ANSWERPLANE_SEED").map_or(0x5eed, |seed| seed.parse().unwrap());
    println!("{places} places of each larger site, seed {random}");
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize
    };
    for (at, site) in sites.iter().enumerate() {
        let mut text = site.text.clone();
        let chosen: Vec<usize> = if at == 0 {
            (0..text.len()).collect()
        } else {
            (0..places).map(|_| next() % text.len()).collect()
        };
        let accepted = written(&site.artifact);
        for place in chosen {
            let original = text[place];
            text[place] = original ^ (1 << (next() % 8));
            match VerifiedArtifact::verify(&text, &site.trust) {
                Ok(changed) => assert_eq!(written(&changed), accepted, "{}: byte {place}", site.name),
                Err(DeterministicDiagnostic::LimitExceeded) => panic!("the size has not changed"),
                Err(_) => {}
            }
            text[place] = original;
        }
    }
}

fn written(artifact: &Artifact) -> String {
    let mut text = String::new();
    artifact.write(&mut text).unwrap();
    text
}
