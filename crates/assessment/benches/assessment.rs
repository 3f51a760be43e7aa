//! What the fold costs, against parsing the record that it reads: `cargo bench -p answerplane-assessment`.
//!
//! Subject and reference run in turns in one process and on one thread. A figure is the median of paired
//! ratios, with p10 and p90.

#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)] // a program for people at a terminal

use std::hint::black_box;
use std::time::{Duration, Instant};

use answerplane_assessment::{Declarations, Record, assess};
use serde_json::{Value, json};

const ROUNDS: usize = 31;

/// A record with so many results, coverage rows and rows of the ledger.
fn record(results: usize, rows: usize, findings: usize) -> String {
    let person = json!({ "role": "user", "content": "Which volumes are full?" });
    let messages = (0..results).map(|at| {
        let content = match at % 4 {
            0 => json!([{ "id": at, "name": format!("vol{at}"), "free": 12.5, "host": "h1" }]),
            1 => json!({ "af_coverage": { "checked": ["rack 4"] }, "result": [{ "id": at, "free": 0 }] }),
            2 => json!({ "volumes": [{ "id": at, "note": "a \"quoted\" note" }], "total": 1 }),
            _ => json!([[at, 1, 2, 3], [at, 4, 5, 6]]),
        };
        json!({ "role": "tool", "toolName": "vols", "toolCallId": format!("call_{at:06}"), "content": content.to_string() })
    });
    let coverage = (0..rows).map(|at| {
        json!({ "kind": "ledger", "toolName": "vols", "toolCallId": format!("call_{:06}", at * 2), "iteration": 1,
                "checked": [{ "what": "rack 4" }], "notChecked": [], "cannotCover": [] })
    });
    let ledger = (0..findings).map(|at| {
        let call = format!("call_{at:06}");
        match at % 4 {
            0 => json!({ "kind": "argument", "turn": 1, "toolCallId": call, "argument": "window", "source": "said" }),
            1 => json!({ "kind": "period", "turn": 1, "toolCallId": call, "verdict": "covered", "argument": "window" }),
            2 => json!({ "kind": "conflict", "turn": 1, "witnesses": [{ "toolCallId": call }] }),
            _ => json!({ "kind": "basis", "turn": 1, "toolCallId": call }),
        }
    });
    let history: Vec<_> = [person].into_iter().chain(messages).collect();
    json!({ "snapshot": { "sharedState": {
        "turnNumber": 1,
        "history": history,
        "coverageDeclared": coverage.collect::<Vec<_>>(),
        "findingsLedger": ledger.collect::<Vec<_>>(),
    } } })
    .to_string()
}

fn fold(record: &Value, declarations: &Declarations) -> Duration {
    let record = Record::new(record).unwrap();
    let start = Instant::now();
    drop(black_box(assess(black_box(record), declarations)));
    start.elapsed()
}

fn parse(text: &str) -> Duration {
    let start = Instant::now();
    drop(black_box(serde_json::from_str::<Value>(black_box(text)).unwrap()));
    start.elapsed()
}

/// Prints the median of the subject's share of the reference, and both medians.
fn compare(what: &str, mut subject: impl FnMut() -> Duration, mut reference: impl FnMut() -> Duration) {
    let mut pairs: Vec<_> = (0..ROUNDS).map(|_| (subject(), reference())).collect();
    let at = |share: usize| (ROUNDS - 1) * share / 100;
    pairs.sort_unstable_by_key(|pair| pair.0);
    let subject = pairs[at(50)].0;
    pairs.sort_unstable_by_key(|pair| pair.1);
    let reference = pairs[at(50)].1;
    let mut ratios: Vec<_> = pairs.iter().map(|pair| pair.0.as_secs_f64() / pair.1.as_secs_f64()).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let [p10, p50, p90] = [10, 50, 90].map(|share| ratios[at(share)]);
    println!("{what}: ×{p50:.2} (p10 {p10:.2}, p90 {p90:.2}); {subject:?} against {reference:?}");
}

fn main() {
    let declarations = Declarations::default().with_rows_at("vols", "volumes").unwrap();
    let text = record(2_000, 1_000, 1_000);
    let small: Value = serde_json::from_str(&text).unwrap();
    compare(
        "2,000 results and 1,000 coverage rows against parsing that record",
        || fold(&small, &declarations),
        || parse(&text),
    );
    for (rows, findings, what) in [
        (0, 0, "100,000 results against 10,000"),
        (
            50_000,
            100_000,
            "100,000 results, 50,000 coverage rows and 100,000 findings against a tenth of that",
        ),
    ] {
        let tenth: Value = serde_json::from_str(&record(10_000, rows / 10, findings / 10)).unwrap();
        let whole: Value = serde_json::from_str(&record(100_000, rows, findings)).unwrap();
        compare(what, || fold(&whole, &declarations), || fold(&tenth, &declarations));
    }
}
