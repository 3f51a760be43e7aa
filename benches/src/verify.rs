//! Verifying and indexing an artifact, against hashing and parsing the same bytes.

use std::borrow::Cow;
use std::path::Path;

use answerplane_artifact::VerifiedArtifact;
use answerplane_protocol::SiteConfig;
use answerplane_resolver::Resolver;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::measure::{Measurement, nanos};

/// The greatest allowed ratio of verifying to hashing plus parsing.
const LIMIT: f64 = 2.0;

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real/sites");
    ["bench-16-aliases", "bench-rust-faq-multilang"]
        .iter()
        .filter_map(|name| {
            let site = sites.join(name);
            let read = |file: &str| std::fs::read(site.join(file)).ok();
            let (Some(config), Some(artifact)) = (read("site-config.json"), read("knowledge.json")) else {
                eprintln!("skipped: verify {name}: the site is not there");
                return None;
            };
            measure(name, &config, &artifact, rounds)
        })
        .collect()
}

fn measure(name: &str, config: &[u8], artifact: &[u8], rounds: usize) -> Option<Measurement> {
    let trust = SiteConfig::decode(config).ok()?.trust();
    VerifiedArtifact::verify(artifact, &trust).ok()?;
    let mut ratios = Vec::new();
    let mut times = Vec::new();
    for _ in 0..rounds {
        let hash = nanos(|| Sha256::digest(artifact));
        let parse = nanos(|| serde_json::from_slice::<Borrowed>(artifact).map(drop));
        let verify = nanos(|| Resolver::new(VerifiedArtifact::verify(artifact, &trust)));
        ratios.push(verify / (hash + parse));
        times.push(verify);
    }
    Some(Measurement::new(format!("verify {name}"), LIMIT, ratios, times))
}

/// A text that is borrowed wherever JSON allows, in lists too.
#[derive(Deserialize)]
struct Text<'t>(
    #[serde(borrow)]
    #[allow(dead_code)]
    Cow<'t, str>,
);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Borrowed<'t> {
    #[serde(borrow)]
    protocol: Text<'t>,
    version: u32,
    #[serde(borrow)]
    artifact_id: Text<'t>,
    #[serde(borrow)]
    site_id: Text<'t>,
    #[serde(borrow)]
    content_hash: Text<'t>,
    #[serde(borrow)]
    generated_at: Text<'t>,
    #[serde(borrow)]
    expires_at: Option<Text<'t>>,
    #[serde(borrow)]
    entries: Vec<Entry<'t>>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Entry<'t> {
    #[serde(borrow)]
    id: Text<'t>,
    #[serde(borrow)]
    kind: Text<'t>,
    #[serde(borrow)]
    label: Text<'t>,
    #[serde(borrow)]
    r#match: Match<'t>,
    #[serde(borrow)]
    answer: Answer<'t>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Match<'t> {
    #[serde(borrow)]
    r#type: Text<'t>,
    #[serde(borrow)]
    values: Vec<Text<'t>>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Answer<'t> {
    #[serde(borrow)]
    markdown: Text<'t>,
    #[serde(borrow)]
    citations: Vec<Citation<'t>>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Citation<'t> {
    #[serde(borrow)]
    id: Text<'t>,
    #[serde(borrow)]
    title: Text<'t>,
    #[serde(borrow)]
    href: Text<'t>,
}
