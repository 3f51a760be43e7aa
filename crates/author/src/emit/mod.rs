//! Entries become shards: artifacts and their site configurations, byte for byte the same each time.
//!
//! Nothing is written to a disk here. Contract: `docs/authoring.md`.

mod dates;
mod report;
mod shards;
mod text;

use std::collections::HashMap;
use std::sync::Arc;

use answerplane_artifact::{VerifiedArtifact, content_hash};
use answerplane_protocol::{Artifact, ArtifactContent, ContentHash, DeterministicDiagnostic, SiteConfig};

pub use dates::{Dates, Expiry, Made, SOON};
pub use report::{KindReport, LargestEntry, Report, ShardReport};
pub use text::Layout;

use foldhash::fast::RandomState;

use crate::config::{Config, Over, SiteSettings};
use crate::diagnostic::{Diagnostic, Level, Place, has_errors};
use crate::emit::dates::{MAX_DATE_BYTES, Written};
use crate::emit::shards::{Group, Room};
use crate::emit::text::Head;
use crate::plan::{Plan, PlannedEntry};
use crate::rule::Rule;

/// The greatest number of shards that are read of a site.
pub const MAX_SHARDS: usize = 1_000;

/// The name of the protocol of artifacts.
const PROTOCOL: &str = "agentskit.chat.knowledge";

/// What is to be published, and what was found on the way. With an error there are no shards.
#[derive(Clone, Debug)]
pub struct Emission {
    /// The shards, in order.
    pub shards: Vec<Shard>,
    /// Everything that was found, that of the plan included.
    pub diagnostics: Vec<Diagnostic>,
    /// What it holds.
    pub report: Report,
}

/// One artifact and its site configuration.
#[derive(Clone, Debug)]
pub struct Shard {
    /// The identifier of its site: that of the configuration, with `.2`, `.3` and so on from the second on.
    pub site_id: String,
    /// The name of the artifact's file: its hash and `.json`.
    pub artifact_name: String,
    /// The text of the artifact.
    pub artifact: Arc<str>,
    /// The hash of the artifact.
    pub content_hash: ContentHash,
    /// The name of the site configuration's file: `site-config.json`, `site-config.2.json` and so on.
    pub config_name: String,
    /// The text of the site configuration.
    pub config: String,
    /// The number of entries.
    pub entries: usize,
    /// The identifier of the artifact, numbered as that of the site.
    pub artifact_id: String,
    dates: Written,
}

/// How a plan is published.
#[derive(Clone, Copy, Debug)]
pub struct Publication<'a> {
    /// The site and the policies.
    pub config: &'a Config,
    /// The moments.
    pub dates: &'a Dates,
    /// How the artifacts are laid out.
    pub layout: Layout,
    /// What was published before: a shard with the same entries keeps its dates, and with them its bytes, hash and
    /// address, unless somebody said when it was made.
    pub previous: &'a [VerifiedArtifact],
}

/// Makes shards; keeps the texts of the last ones, so that what has not changed costs little.
#[derive(Clone, Debug, Default)]
pub struct Emitter {
    layout: Layout,
    /// The entries of the last emission and their texts.
    entries: Vec<PlannedEntry>,
    texts: Vec<Arc<str>>,
    made: Option<MadeBy>,
    /// The shards of the last emission, in order, and the texts of their entries.
    shards: Vec<(Vec<Arc<str>>, Shard)>,
}

/// What shards depend on beside their entries.
#[derive(Clone, Debug, PartialEq)]
struct MadeBy {
    site: SiteSettings,
    dates: Dates,
    previous: Vec<ContentHash>,
}

impl Emitter {
    /// An emitter that knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The shards of a plan.
    #[must_use]
    pub fn emit(&mut self, plan: Plan, publication: &Publication<'_>) -> Emission {
        let Publication { config, layout, .. } = *publication;
        let Plan { entries, mut diagnostics } = plan;
        let failed = |diagnostics| Emission { shards: Vec::new(), diagnostics, report: Report::default() };
        if has_errors(&diagnostics) {
            return failed(diagnostics);
        }
        if entries.is_empty() {
            let place = Place::file(config.artifact_id().as_str());
            diagnostics.push(Diagnostic::new(Rule::NoEntries, place, "no source holds an entry"));
            return failed(diagnostics);
        }
        let texts = self.texts(&entries, layout);
        let bytes: Vec<usize> = texts.iter().map(|text| text.len() + layout.separator_bytes()).collect();
        let room = room(config, layout);
        let Some(divided) = divide(&entries, &bytes, config, room, &mut diagnostics) else {
            return failed(diagnostics);
        };
        let mut before = self.shards_before(publication).into_iter();
        let mut shards = Vec::with_capacity(divided.len());
        for (numbers, number) in divided.iter().zip(1..) {
            let texts: Vec<Arc<str>> = numbers.iter().map(|at| Arc::clone(&texts[*at])).collect();
            let is_same = |before: &[Arc<str>]| {
                before.len() == texts.len() && before.iter().zip(&texts).all(|(a, b)| Arc::ptr_eq(a, b))
            };
            let shard = match before.next() {
                Some((before, shard)) if is_same(&before) => Some(shard),
                _ => shard(&texts, number, publication, &mut diagnostics),
            };
            if let Some(shard) = shard {
                let place = Place::file(&shard.artifact_id);
                diagnostics.extend(publication.dates.judge(&shard.dates, place));
                self.shards.push((texts, shard.clone()));
                shards.push(shard);
            }
        }
        let failed_late = has_errors(&diagnostics);
        let report = Report::of(&entries, &bytes, &divided, &shards, room, &diagnostics);
        (self.entries, self.texts) = (entries, texts);
        if failed_late { failed(diagnostics) } else { Emission { shards, diagnostics, report } }
    }

    /// The text of every entry: that of the last emission where it is published alike.
    fn texts(&mut self, entries: &[PlannedEntry], layout: Layout) -> Vec<Arc<str>> {
        let (before, texts) = (std::mem::take(&mut self.entries), std::mem::take(&mut self.texts));
        let is_layout = std::mem::replace(&mut self.layout, layout) == layout;
        let mut by_id: Option<HashMap<&str, usize, RandomState>> = None;
        let known = |entry: &PlannedEntry, at: usize| {
            let is_same = |at: &usize| before.get(*at).is_some_and(|known| known.is_published_like(entry));
            if is_same(&at) {
                return Some(at);
            }
            // Entries before it have come or gone.
            let by_id = by_id.get_or_insert_with(|| {
                before.iter().enumerate().map(|(at, known)| (&*known.id, at)).collect()
            });
            by_id.get(&*entry.id).copied().filter(is_same)
        };
        let mut known = known;
        let found = entries.iter().enumerate().map(|(at, entry)| match known(entry, at) {
            Some(at) if is_layout => Arc::clone(&texts[at]),
            _ => layout.entry(entry).into(),
        });
        found.collect()
    }

    /// The shards of the last emission, if nothing but entries can have changed since.
    fn shards_before(&mut self, publication: &Publication<'_>) -> Vec<(Vec<Arc<str>>, Shard)> {
        let made = MadeBy {
            site: publication.config.site.clone(),
            dates: publication.dates.clone(),
            previous: publication.previous.iter().map(|previous| previous.content_hash()).collect(),
        };
        let before = std::mem::take(&mut self.shards);
        let is_same = self.made.as_ref() == Some(&made);
        self.made = Some(made);
        if is_same { before } else { Vec::new() }
    }
}

/// One shard, unless it cannot be.
fn shard(
    entries: &[Arc<str>],
    number: usize,
    publication: &Publication<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Shard> {
    let Publication { config, dates, layout, .. } = *publication;
    let site_id = numbered(config.site.id.as_str(), number);
    let artifact_id = numbered(config.artifact_id().as_str(), number);
    let place = Place::file(&artifact_id);
    let text = |written: &Written, hash: Option<ContentHash>| {
        let head = Head {
            protocol: PROTOCOL,
            version: 1,
            artifact_id: &artifact_id,
            site_id: &site_id,
            content_hash: hash.map(|hash| hash.to_string()),
            generated_at: &written.generated_at,
            expires_at: written.expires_at.as_deref(),
        };
        layout.artifact(&head, entries.iter().map(|entry| &**entry))
    };
    let mut refuse = |message: String| {
        diagnostics.push(Diagnostic::new(Rule::ConfigValue, place.clone(), message));
    };
    let replaced = || publication.previous.iter().filter(|previous| previous.site_id().as_str() == site_id);
    let kept = replaced().find_map(|previous| {
        let same = previous.artifact_id().as_str() == artifact_id;
        let kept = same.then(|| dates.kept(previous))??;
        let hash = hash(&text(&kept, None)).ok()?;
        (hash == previous.content_hash()).then_some((kept, hash))
    });
    let (written, content_hash) = match kept {
        Some(kept) => kept,
        None => {
            let Some(written) = dates.fresh(replaced().map(|previous| &***previous)) else {
                refuse("a date lies outside the years 0 to 9999".into());
                return None;
            };
            if let Some(found) =
                dates.judge(&written, place.clone()).filter(|found| found.level == Level::Error)
            {
                diagnostics.push(found);
                return None;
            }
            match hash(&text(&written, None)) {
                Ok(hash) => (written, hash),
                Err(refusal) => {
                    refuse(format!("the artifact would be refused: {refusal} ({})", refusal.code()));
                    return None;
                }
            }
        }
    };
    let hash_text = content_hash.to_string();
    let artifact_name = format!("{}.json", hash_text.trim_start_matches("sha256:"));
    let href = format!("{}{artifact_name}", config.publish_url());
    let config_text = text::site_config(&site_id, &href, content_hash, config.site.fallback);
    if let Err(refusal) = SiteConfig::decode(&config_text) {
        refuse(format!("the site configuration would be refused: {refusal} ({})", refusal.code()));
        return None;
    }
    Some(Shard {
        artifact: text(&written, Some(content_hash)).into(),
        config_name: config_name(number),
        site_id,
        artifact_id,
        artifact_name,
        content_hash,
        config: config_text,
        entries: entries.len(),
        dates: written,
    })
}

/// The content hash of an artifact's text. It is decoded, so that every rule is checked before it is published.
fn hash(text: &str) -> Result<ContentHash, DeterministicDiagnostic> {
    Ok(content_hash(&ArtifactContent::decode(text)?))
}

/// The name of a site configuration: the first has no number.
#[must_use]
pub fn config_name(number: usize) -> String {
    if number < 2 { "site-config.json".into() } else { format!("site-config.{number}.json") }
}

/// The identifier of a shard of a site or artifact, by its number from 1 on.
#[must_use]
pub fn numbered(id: &str, number: usize) -> String {
    if number < 2 {
        return id.to_owned();
    }
    let end = format!(".{number}");
    let length = id.len().min(128 - end.len());
    format!("{}{end}", &id[..length])
}

/// What the entries of a shard may take: what its limits leave beside everything else in it.
fn room(config: &Config, layout: Layout) -> Room {
    let date = "9".repeat(MAX_DATE_BYTES);
    let id = numbered(config.site.id.as_str(), 9_999);
    let artifact_id = numbered(config.artifact_id().as_str(), 9_999);
    let head = Head {
        protocol: PROTOCOL,
        version: 1,
        artifact_id: &artifact_id,
        site_id: &id,
        content_hash: Some(ContentHash::from_bytes([0; 32]).to_string()),
        generated_at: &date,
        expires_at: Some(&date),
    };
    let around = layout.artifact(&head, std::iter::empty()).len();
    Room {
        bytes: config.policy.max_bytes.min(Artifact::MAX_TEXT_BYTES).saturating_sub(around),
        entries: config.policy.max_entries.min(Artifact::MAX_ENTRIES),
    }
}

/// The numbers of the entries of every shard, or nothing where that cannot be.
fn divide(
    entries: &[PlannedEntry],
    bytes: &[usize],
    config: &Config,
    room: Room,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Vec<usize>>> {
    let total: usize = bytes.iter().sum();
    if total <= room.bytes && entries.len() <= room.entries {
        return Some(vec![(0..entries.len()).collect()]);
    }
    if config.policy.over == Over::Shed {
        return Some(vec![shed(entries, bytes, room, diagnostics)]);
    }
    let groups = shards::groups(entries, bytes);
    let too_large = shards::too_large(&groups, room);
    if too_large.is_empty() {
        let shards = shards::divide(groups, room);
        if shards.len() <= MAX_SHARDS {
            return Some(shards);
        }
        let place = Place::file(config.artifact_id().as_str());
        let found = Diagnostic::new(Rule::TooManyShards, place, "the site needs too many shards");
        diagnostics.push(found.beyond(MAX_SHARDS, shards.len()));
        return None;
    }
    diagnostics.extend(too_large.into_iter().map(|group| oversized(group, entries, bytes, room)));
    None
}

fn oversized(group: &Group, entries: &[PlannedEntry], bytes: &[usize], room: Room) -> Diagnostic {
    let mut places = group.entries.iter().map(|at| entries[*at].draft().place.clone());
    let first = places.next().unwrap_or_default();
    let mut others: Vec<Place> = places.collect();
    others.dedup();
    if let [at] = group.entries.as_slice() {
        let found =
            Diagnostic::new(Rule::EntryTooLarge, first, "the entry has too many bytes for an artifact");
        return found.beyond(room.bytes, bytes[*at]);
    }
    others.truncate(8);
    let count = group.entries.len();
    let found = if count > room.entries {
        Diagnostic::new(Rule::GroupTooLarge, first, "too many entries share keys").beyond(room.entries, count)
    } else {
        let message = format!("{count} entries that share keys have too many bytes");
        Diagnostic::new(Rule::GroupTooLarge, first, message).beyond(room.bytes, group.bytes())
    };
    found.with(others)
}

/// The entries that stay when those of the lowest priority go, the last ones first.
fn shed(
    entries: &[PlannedEntry],
    bytes: &[usize],
    room: Room,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<usize> {
    let base = |at: usize| entries[at].continues.unwrap_or(at);
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(entries[*at].draft().priority), base(*at), *at));
    let (mut used, mut kept) = (0, Vec::new());
    let mut full = false;
    for at in order {
        full |= used + bytes[at] > room.bytes || kept.len() == room.entries;
        if full {
            let message = format!(
                "{} was left out: {} bytes, priority {}",
                entries[at].id,
                bytes[at],
                entries[at].draft().priority
            );
            diagnostics.push(Diagnostic::new(Rule::Shed, entries[at].draft().place.clone(), message));
        } else {
            used += bytes[at];
            kept.push(at);
        }
    }
    kept.sort_unstable();
    kept
}
