//! Coverage and suggestions, on small sites and on real questions.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod material;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Read;
use std::path::Path;

use answerplane_artifact::content_hash;
use answerplane_author::coverage::{Coverage, Intents, coverage};
use answerplane_author::plan::variants::VariantRule;
use answerplane_author::queries::{self, Query};
use answerplane_author::suggest::{Suggestions, suggest};
use answerplane_normalize::normalize_key;
use answerplane_protocol::{Artifact, ArtifactContent, Timestamp};
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::from_millis(1_780_000_000_000);

fn artifact(entries: &[(String, Vec<String>)]) -> Artifact {
    let entries: Vec<Value> = entries
        .iter()
        .map(|(id, aliases)| {
            json!({
                "id": id, "kind": "restricted-faq", "label": id, "match": { "type": "exact", "values": aliases },
                "answer": { "markdown": format!("The answer to {}.", id.split('.').next().unwrap()), "citations": [] },
            })
        })
        .collect();
    let mut value = json!({
        "protocol": "agentskit.chat.knowledge", "version": 1, "artifactId": "a", "siteId": "a",
        "generatedAt": "2026-01-01T00:00:00Z", "entries": entries,
    });
    let hash = content_hash(&ArtifactContent::decode(value.to_string()).unwrap());
    value["contentHash"] = hash.to_string().into();
    Artifact::decode(value.to_string()).unwrap()
}

fn site(entries: &[(&str, &[&str])]) -> Artifact {
    let own = |(id, aliases): &(&str, &[&str])| {
        ((*id).to_owned(), aliases.iter().map(ToString::to_string).collect::<Vec<String>>())
    };
    artifact(&entries.iter().map(own).collect::<Vec<_>>())
}

fn asked(texts: &[&str]) -> Vec<Query> {
    texts.iter().zip(1..).map(|(text, line)| Query { text: (*text).into(), intent: None, line }).collect()
}

#[test]
fn queries_are_counted_by_outcome() {
    let site = site(&[("card", &["Where is my card?", "card"]), ("top-up", &["How do I top up?", "card "])]);
    let queries = asked(&[
        "where is my CARD?",
        "card",
        "Where is my card",
        "where is my card",
        "How-do-I-top-up?",
        "Weather",
        "weather ",
        " ",
    ]);
    let found = coverage(&[&site], &queries, NOW);
    assert_eq!(
        (found.queries, found.keys, found.answers, found.choices, found.misses, found.stale),
        (8, 6, 1, 1, 6, 0)
    );
    let wins: Vec<(VariantRule, usize)> =
        found.variants.iter().map(|share| (share.rule, share.queries)).collect();
    assert_eq!(wins, [(VariantRule::FinalPunctuation, 2), (VariantRule::HyphenSpace, 1)]);
    let top: Vec<(&str, usize)> =
        found.top_misses.iter().map(|group| (group.key.as_str(), group.queries)).collect();
    assert_eq!(top[..2], [("where is my card", 2), ("weather", 2)]);
    assert_eq!(found.top_misses[0].nearest.as_ref().unwrap().edits, 1);
    assert_eq!(found.intents, None);
    assert_eq!(coverage(&[], &[], NOW), Coverage::default());
    assert_eq!(coverage(&[], &queries, NOW).misses, 8);
}

#[test]
fn intents_are_compared_where_they_are_named() {
    let site = site(&[("a", &["one"]), ("a.2", &["two"]), ("b", &["three"])]);
    let query = |text: &str, intent: &str| Query { text: text.into(), intent: Some(intent.into()), line: 1 };
    let queries = [query("one", "a"), query("two", "a"), query("three", "a"), query("four", "a")];
    let found = coverage(&[&site], &queries, NOW);
    assert_eq!(found.intents, Some(Intents { named: 4, right: 2, wrong: 1 }));
}

#[test]
fn proposals_are_near_one_entry_only() {
    let site = site(&[
        ("card", &["Where is my new card?", "My card has not arrived yet", "track the delivery of my card"]),
        ("top-up", &["How do I top up?", "Which ways to top up are there?", "top up by bank transfer"]),
        ("pin", &["How do I change my PIN?", "PIN change", "set another PIN"]),
    ]);
    let queries = asked(&[
        "my new card has not arrived",
        "My new card has not arrived",
        "can I change the PIN?",
        "card top up",
        "do you sell insurance",
        "Do you sell insurance?",
        "do you sell any insurance",
        "zebra\u{200b}crossing",
        "x",
    ]);
    let found = suggest(&[&site], &queries, NOW);
    let proposals: Vec<(&str, &str, usize)> = found
        .proposals
        .iter()
        .map(|proposal| (proposal.entry.as_str(), proposal.alias.as_str(), proposal.queries))
        .collect();
    assert_eq!(proposals, [("card", "my new card has not arrived", 2), ("pin", "can I change the PIN?", 1)]);
    assert_eq!(found.stubs.len(), 1, "{found:?}");
    assert_eq!((found.stubs[0].id.as_str(), found.stubs[0].queries), ("do-you-sell-insurance", 3));
    let source: toml::Table = found.to_toml(&[&site]).parse().unwrap();
    let entries = source["entry"].as_array().unwrap();
    assert_eq!(entries[0]["id"].as_str(), Some("card"));
    assert_eq!(entries[0]["aliases"].as_array().unwrap().len(), 4);
    assert_eq!(entries[2]["answer"].as_str(), Some(""));
    assert_eq!(suggest(&[], &[], NOW), Suggestions::default());
    assert_eq!(suggest(&[], &queries, NOW).proposals, []);
}

/// The questions of a file of the shared material.
fn banking(name: &str) -> Option<Vec<Query>> {
    let path = material::shared("real_questions_are_covered", &format!("real/queries/{name}"))?;
    let bytes = std::fs::read(path).unwrap();
    let mut text = Vec::new();
    match name.strip_suffix(".gz") {
        Some(_) => drop(flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut text).unwrap()),
        None => text = bytes,
    }
    Some(queries::read(name.trim_end_matches(".gz"), &text).unwrap())
}

/// An id for an intent, some of which are no identifiers.
fn id(intent: &str) -> String {
    intent.trim_end_matches('?').to_owned()
}

/// Up to `count` questions of each intent, no key twice.
fn declared(training: &[Query], count: usize) -> BTreeMap<String, Vec<String>> {
    let mut keys: HashSet<String> = HashSet::new();
    let mut entries: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for query in training {
        let aliases = entries.entry(id(query.intent.as_deref().unwrap())).or_default();
        if aliases.len() < count && keys.insert(normalize_key(&query.text).as_str().to_owned()) {
            aliases.push(query.text.clone());
        }
    }
    entries
}

/// Entries of at most 16 aliases: what is more goes to entries that continue them.
fn continued(entries: &BTreeMap<String, Vec<String>>) -> Artifact {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for (id, aliases) in entries {
        for (part, number) in aliases.chunks(16).zip(1..) {
            let id = if number == 1 { id.clone() } else { format!("{id}.{number}") };
            all.push((id, part.to_vec()));
        }
    }
    artifact(&all)
}

fn row(name: &str, found: &Coverage) -> String {
    let share = |count: usize| format!("{count} ({:.1} %)", count as f64 * 100.0 / found.queries as f64);
    let wrong = found.intents.unwrap().wrong;
    format!(
        "| {name} | {} | {} | {} | {wrong} |\n",
        share(found.answers),
        share(found.choices),
        share(found.misses)
    )
}

#[test]
fn real_questions_are_covered_and_suggestions_win_some() {
    let (Some(training), Some(mut test)) =
        (banking("banking77-train.jsonl.gz"), banking("banking77-test.jsonl"))
    else {
        return;
    };
    for query in &mut test {
        query.intent = query.intent.as_deref().map(id);
    }
    let mut entries = declared(&training, 8);
    assert_eq!((entries.len(), entries.values().map(Vec::len).sum::<usize>()), (77, 616));
    let site = continued(&entries);
    let before = coverage(&[&site], &test, NOW);
    // No question ever gets another intent.
    assert_eq!(before.intents.unwrap().wrong, 0);

    let found = suggest(&[&site], &test, NOW);
    let mut intents: HashMap<String, HashSet<&str>> = HashMap::new();
    for query in &test {
        let key = normalize_key(&query.text).as_str().to_owned();
        intents.entry(key).or_default().insert(query.intent.as_deref().unwrap());
    }
    // Whoever reviews accepts what is meant, and nothing else.
    let is_right = |proposal: &&answerplane_author::suggest::Proposal| {
        intents[normalize_key(&proposal.alias).as_str()] == HashSet::from([proposal.entry.as_str()])
    };
    let right: Vec<_> = found.proposals.iter().filter(is_right).collect();
    for proposal in &right {
        entries.get_mut(&proposal.entry).unwrap().push(proposal.alias.clone());
    }
    let site = continued(&entries);
    let after = coverage(&[&site], &test, NOW);
    assert_eq!(after.intents.unwrap().wrong, 0);
    let won: usize = right.iter().map(|proposal| proposal.queries).sum();
    assert_eq!(after.answers, before.answers + won);

    let wrong = found.proposals.len() - right.len();
    let mut figures = format!(
        "| | answered | choices | missed | another intent |\n| --- | --- | --- | --- | --- |\n{}{}",
        row("8 questions declared for each intent", &before),
        row("with the proposals that were accepted", &after)
    );
    figures += &format!(
        "\nOf {} proposals {} name the right entry and {wrong} ({:.1} %) another.\n",
        found.proposals.len(),
        right.len(),
        wrong as f64 * 100.0 / found.proposals.len() as f64
    );
    let stubs: usize = found.stubs.iter().map(|stub| stub.queries).sum();
    figures += &format!(
        "Of {} missed questions that are short enough to be typed {stubs} went into {} stubs of new entries, and {} are \
         left alone.\n",
        found.missed,
        found.stubs.len(),
        found.left,
    );
    println!("{figures}");
    for stub in found.stubs.iter().take(5) {
        println!("stub {} {:?}", stub.queries, stub.aliases);
    }
    // Nearly every question is asked once: grouping by key finds next to nothing here.
    let asked_again = before.top_misses.iter().filter(|group| group.queries > 1).count();
    assert_eq!((asked_again, before.top_misses[0].key.as_str()), (1, "which atms accept this card?"));
    assert!(wrong * 10 <= found.proposals.len(), "{wrong} wrong proposals");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/coverage-banking77.md");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains(&figures), "docs/coverage-banking77.md has other figures than:\n{figures}");
}

#[test]
fn the_largest_site_and_many_queries_are_quick() {
    let entries: Vec<(String, Vec<String>)> = (0..1_024)
        .map(|entry| {
            let aliases = (0..16).map(|alias| format!("do {entry} by {alias}")).collect();
            (format!("e{entry}"), aliases)
        })
        .collect();
    let site = artifact(&entries);
    let texts: Vec<String> = (0..2_000).map(|n| format!("how can i do {} without {}", n % 700, n)).collect();
    let queries = asked(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let start = std::time::Instant::now();
    assert_eq!(coverage(&[&site], &queries, NOW).misses, 2_000);
    assert_eq!(suggest(&[&site], &queries, NOW).missed, 2_000);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}
