//! Folding the record of a run, against parsing it and against a tenth of it.

use answerplane_assessment::{Declarations, Record, assess};
use serde_json::{Value, json};

use crate::measure::{Measurement, nanos};

/// Rounds are long here, and the machine is busy enough with this many.
const MAX_ROUNDS: usize = 60;

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    let rounds = rounds.min(MAX_ROUNDS);
    let Ok(declarations) = Declarations::default().with_rows_at("vols", "volumes") else { return Vec::new() };
    let text = record(2_000, 1_000, 1_000);
    let small = parsed(&text);
    let mut measurements = vec![compare(
        "assess 2,000 results against parsing the record",
        3.0,
        rounds,
        || fold(&small, &declarations),
        || nanos(|| parsed(&text)),
    )];
    for (rows, findings, name) in [
        (0, 0, "assess 100,000 results against 10,000"),
        (50_000, 100_000, "assess 100,000 with rows and findings against a tenth"),
    ] {
        let tenth = parsed(&record(10_000, rows / 10, findings / 10));
        let whole = parsed(&record(100_000, rows, findings));
        let subject = || fold(&whole, &declarations);
        measurements.push(compare(name, 12.0, rounds, subject, || fold(&tenth, &declarations)));
    }
    measurements
}

fn compare(
    name: &str,
    limit: f64,
    rounds: usize,
    subject: impl Fn() -> f64,
    reference: impl Fn() -> f64,
) -> Measurement {
    let pairs: Vec<(f64, f64)> = (0..rounds).map(|_| (subject(), reference())).collect();
    let ratios = pairs.iter().map(|(subject, reference)| subject / reference).collect();
    Measurement::new(name.into(), limit, ratios, pairs.iter().map(|(subject, _)| *subject).collect())
}

fn fold(record: &Value, declarations: &Declarations) -> f64 {
    Record::new(record).map_or(f64::NAN, |record| nanos(|| assess(record, declarations)))
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

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
