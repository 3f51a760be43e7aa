//! Completion and "did you mean", against looking at every text.

use answerplane_protocol::Timestamp;
use answerplane_resolver::complete::Completer;

use crate::artifact::verified;
use crate::measure::{Measurement, nanos};

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);
const ENTRIES: usize = 1_024;
const ALIASES: usize = 16;

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    // A round of the slow reference takes long.
    measure(rounds.min(60)).unwrap_or_default()
}

fn measure(rounds: usize) -> Option<Vec<Measurement>> {
    let texts: Vec<String> = (0..ENTRIES * ALIASES).map(text).collect();
    let completer = Completer::new([verified(&texts, ALIASES)?]);
    let asked: Vec<&String> = texts.iter().step_by(1_031).collect();
    let beginnings: Vec<&str> =
        asked.iter().flat_map(|text| (1..=12.min(text.len())).map(|end| &text[..end])).collect();
    let misspelt: Vec<String> = asked
        .iter()
        .map(|text| format!("{}{}?", &text[..text.len() / 2], &text[text.len() / 2 + 1..]))
        .collect();

    let complete = paired(
        "completion",
        1.0,
        rounds,
        beginnings.len(),
        || beginnings.iter().map(|typed| completer.complete(typed, NOW).len()).sum(),
        || {
            let begins = |typed: &&str| texts.iter().filter(|text| text.starts_with(*typed)).count();
            beginnings.iter().map(begins).sum()
        },
    );
    let meant = paired(
        "did you mean",
        0.2,
        rounds,
        misspelt.len(),
        || misspelt.iter().map(|query| completer.did_you_mean(query, NOW).len()).sum(),
        || {
            let near =
                |query: &String| texts.iter().filter(|text| strsim::osa_distance(text, query) <= 4).count();
            misspelt.iter().map(near).sum()
        },
    );
    Some(vec![complete, meant])
}

fn paired(
    name: &str,
    limit: f64,
    rounds: usize,
    queries: usize,
    subject: impl Fn() -> usize,
    reference: impl Fn() -> usize,
) -> Measurement {
    let mut ratios = Vec::new();
    let mut times = Vec::new();
    for _ in 0..rounds {
        let (subject, reference) = (nanos(&subject), nanos(&reference));
        ratios.push(subject / reference);
        times.push(subject / queries as f64);
    }
    Measurement::new(format!("{name}, 16,384 aliases of 1,024 entries"), limit, ratios, times)
}

/// A text of about 20 bytes. Few words, so that many texts begin alike and are near each other.
fn text(number: usize) -> String {
    const VERBS: [&str; 8] = ["add", "move", "copy", "delete", "export", "import", "rename", "restore"];
    const NOUNS: [&str; 8] = ["token", "server", "profile", "backup", "invoice", "plot", "account", "file"];
    let scattered = number * 7_919 % (ENTRIES * ALIASES);
    format!("{} {} {number}", VERBS[scattered % 8], NOUNS[scattered / 8 % 8])
}
