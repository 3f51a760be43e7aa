//! Decoding ordered content, against one parse of the same records into values.

use answerplane_protocol::{
    ComponentFallback, Content, ContentEncoder, ContentPart, ContentReader, Props, RenderFrame,
};
use serde_json::{Value, json};

use crate::measure::{Measurement, nanos};

/// The greatest allowed ratio of decoding to parsing.
const LIMIT: f64 = 1.5;
/// How large the content is, in bytes.
const BYTES: usize = 250_000;

/// The part at a place.
type Part = fn(usize) -> Option<ContentPart>;

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    let kinds: [(&str, Part); 3] = [
        ("text", text),
        ("components", component),
        ("text and components", |at| if at.is_multiple_of(4) { component(at) } else { text(at) }),
    ];
    kinds.into_iter().filter_map(|(name, part)| measure(name, part, rounds)).flatten().collect()
}

fn measure(name: &str, part: fn(usize) -> Option<ContentPart>, rounds: usize) -> Option<[Measurement; 2]> {
    let mut encoder = ContentEncoder::new();
    let mut content = String::new();
    for at in 0..Content::MAX_RECORDS {
        let record = encoder.encode(&part(at)?);
        if content.len() + record.len() > BYTES {
            break;
        }
        content.push_str(&record);
    }
    Content::decode(&content).ok()?;
    let mut whole = (Vec::new(), Vec::new());
    let mut pieces = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let parse = nanos(|| {
            content.lines().skip(1).map(serde_json::from_str::<Value>).collect::<Result<Vec<Value>, _>>()
        });
        let decode = nanos(|| Content::decode(&content));
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
        pieces.0.push(read / parse);
        pieces.1.push(read);
    }
    let kilobytes = content.len() / 1_000;
    Some([
        Measurement::new(format!("content decode {name}, {kilobytes} KB"), LIMIT, whole.0, whole.1),
        Measurement::new(format!("content in pieces {name}, {kilobytes} KB"), LIMIT, pieces.0, pieces.1),
    ])
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
