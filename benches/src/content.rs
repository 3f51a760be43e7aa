//! Decoding ordered content, against one parse of the same records into values.

use answerplane_protocol::{
    ComponentFallback, Content, ContentEncoder, ContentPart, ContentReader, Props, RenderFrame,
};
use serde_json::{Map, Value, json};

use crate::measure::{Measurement, nanos};

/// The greatest allowed ratio of decoding to parsing.
const LIMIT: f64 = 1.5;
/// How large the content is, in bytes.
const BYTES: usize = 250_000;

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    let kinds: [(&str, String); 11] = [
        ("text", encoded(text)),
        ("components", encoded(component)),
        ("text and components", encoded(|at| if at.is_multiple_of(4) { component(at) } else { text(at) })),
        ("text without escapes", encoded(|at| prose(at, 500, ENGLISH))),
        ("text of 2 KB a record", encoded(|at| prose(at, 2_000, ENGLISH))),
        ("text of 16 KB a record", encoded(|at| prose(at, 16_000, ENGLISH))),
        ("German text", encoded(|at| prose(at, 550, GERMAN))),
        ("Japanese text", encoded(|at| prose(at, 1_300, JAPANESE))),
        ("text, another order", reordered(|at| prose(at, 500, ENGLISH), "")),
        ("components, another order", reordered(component, "")),
        ("components, another order and tabs", reordered(component, "\t")),
    ];
    kinds.into_iter().filter_map(|(name, content)| measure(name, &content, rounds)).flatten().collect()
}

/// The content of as many parts as fit.
fn encoded(part: impl Fn(usize) -> Option<ContentPart>) -> String {
    let mut encoder = ContentEncoder::new();
    let mut content = String::new();
    for at in 0..Content::MAX_RECORDS {
        let Some(part) = part(at) else { break };
        let record = encoder.encode(&part);
        if content.len() + record.len() > BYTES {
            break;
        }
        content.push_str(&record);
    }
    content
}

/// The same with the fields of each record in another order, its kind last, and `between` the first of its tokens.
fn reordered(part: impl Fn(usize) -> Option<ContentPart>, between: &str) -> String {
    let content = encoded(part);
    let mut lines = content.lines();
    let mut out = format!("{}\n", lines.next().unwrap_or_default());
    for line in lines {
        let mut record: Map<String, Value> = serde_json::from_str(line).unwrap_or_default();
        let kind = record.remove("kind").unwrap_or_default();
        for (name, value) in record {
            out.push_str(&format!("{{\"{name}\":{between}{value},\"kind\":{kind}}}\n"));
        }
    }
    out
}

fn measure(name: &str, content: &str, rounds: usize) -> Option<[Measurement; 2]> {
    Content::decode(content).ok()?;
    let lines: Vec<&str> = content.lines().skip(1).collect();
    let mut whole = (Vec::new(), Vec::new());
    let mut pieces = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let parse =
            nanos(|| lines.iter().map(|line| serde_json::from_str(line)).collect::<Result<Vec<Value>, _>>());
        // Pieces are bytes, so what they are compared with has to find out too whether they are text.
        let parse_bytes = nanos(|| {
            lines
                .iter()
                .map(|line| serde_json::from_slice(line.as_bytes()))
                .collect::<Result<Vec<Value>, _>>()
        });
        let decode = nanos(|| Content::decode(content));
        let read = nanos(|| {
            let mut reader = ContentReader::new();
            let mut parts = Vec::new();
            for piece in content.as_bytes().chunks(1_400) {
                reader.push(piece, |part| parts.push(part))?;
            }
            Ok::<_, answerplane_protocol::ContentDiagnostic>(parts)
        });
        whole.0.push(decode / parse);
        whole.1.push(decode);
        pieces.0.push(read / parse_bytes);
        pieces.1.push(read);
    }
    let kilobytes = content.len() / 1_000;
    Some([
        Measurement::new(format!("content decode {name}, {kilobytes} KB"), LIMIT, whole.0, whole.1),
        Measurement::new(format!("content in pieces {name}, {kilobytes} KB"), LIMIT, pieces.0, pieces.1),
    ])
}

const ENGLISH: &str = "Water the beds at dawn, before the sun stands high. Little and often is wrong. ";
const GERMAN: &str =
    "Gieße die Beete früh am Morgen, bevor die Sonne höher steht; wenig und häufig ist falsch. ";
const JAPANESE: &str = "日の出の前に畝に水をやってください。少しずつ何度もやるのは間違いです。";

/// Text of about so many bytes, with nothing that JSON escapes.
fn prose(at: usize, bytes: usize, sentence: &str) -> Option<ContentPart> {
    ContentPart::text(&format!("{at}. {}", sentence.repeat(bytes / sentence.len()))).ok()
}

fn text(at: usize) -> Option<ContentPart> {
    let sentence = "Water the beds at dawn, before the sun stands high. \"Little and often\" is wrong.\n";
    ContentPart::text(&format!("{at}. {}", sentence.repeat(6))).ok()
}

fn component(at: usize) -> Option<ContentPart> {
    let rows: Vec<Value> = (0..8)
        .map(|row| json!({ "bed": format!("Bed {row} of plot {at}"), "wet": row % 2 == 0, "depth": 12.5, "rows": row }))
        .collect();
    let props = json!({
        "caption": "Beds and how they stand",
        "columns": [{ "key": "bed", "label": "Bed" }, { "key": "wet", "label": "Wet" }],
        "rows": rows,
    });
    Some(ContentPart::component(RenderFrame::new(
        "table".parse().ok()?,
        format!("table-{at}").parse().ok()?,
        Props::new(&props)?,
        ComponentFallback::new("table".parse().ok()?, "Eight beds.".parse().ok()?),
    )))
}
