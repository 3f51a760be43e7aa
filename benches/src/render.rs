//! Rendering Markdown to HTML, against pulldown-cmark's own HTML writer.

use answerplane_protocol::render::Renderer;
use answerplane_render_html::Html;
use pulldown_cmark::{Options, Parser, html};

use crate::measure::{Measurement, nanos};

/// The greatest allowed ratio to pulldown-cmark's own writer.
const LIMIT: f64 = 3.0;
/// The greatest allowed growth of the time for each byte when an answer in pieces is four times as long.
const GROWTH_LIMIT: f64 = 1.5;
/// How long an answer is, in bytes.
const BYTES: usize = 16_384;
/// How long the pieces are in which an answer comes in, in bytes.
const PIECE: usize = 64;

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    let kinds = [
        ("prose", cut(PROSE, BYTES)),
        ("links and emphasis", cut(LINKS, BYTES)),
        ("lists, tables, code", cut(STRUCTURE, BYTES)),
        ("Japanese", cut(JAPANESE, BYTES)),
    ];
    let mut measurements: Vec<Measurement> =
        kinds.iter().map(|(name, text)| whole(name, text, rounds)).collect();
    measurements.push(growth(rounds));
    measurements
}

/// So many bytes of a text, again and again.
fn cut(text: &str, bytes: usize) -> String {
    let mut all = text.repeat(bytes / text.len() + 1);
    while all.len() > bytes {
        all.pop();
    }
    all
}

fn rendered(text: &str) -> String {
    let mut html = Html::new();
    match html.text(text) {
        Ok(()) => html.into_string(),
    }
}

fn reference(text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut out = String::new();
    html::push_html(&mut out, Parser::new_ext(text, options));
    out
}

fn whole(name: &str, text: &str, rounds: usize) -> Measurement {
    let (mut ratios, mut times) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let theirs = nanos(|| reference(text));
        let ours = nanos(|| rendered(text));
        ratios.push(ours / theirs);
        times.push(ours);
    }
    Measurement::new(format!("HTML of Markdown, 16 KiB of {name}"), LIMIT, ratios, times)
}

/// Every piece is followed by an update.
fn streamed(text: &str) -> usize {
    let mut html = Html::new();
    let mut told = 0;
    for piece in text.as_bytes().chunks(PIECE) {
        match html.text(&String::from_utf8_lossy(piece)) {
            Ok(()) => told += html.update().finished.len(),
        }
    }
    told + html.finish().finished.len()
}

/// Four times as many blocks take four times as long, not sixteen times.
fn growth(rounds: usize) -> Measurement {
    let (short, long) = (cut(PROSE, BYTES), cut(PROSE, 4 * BYTES));
    let (mut ratios, mut times) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let once = nanos(|| streamed(&short));
        let four = nanos(|| streamed(&long));
        ratios.push(four / (4.0 * once));
        times.push(four);
    }
    Measurement::new("HTML in pieces, 64 KiB against 4 × 16 KiB".to_string(), GROWTH_LIMIT, ratios, times)
}

const PROSE: &str = "Water the beds at dawn, before the sun stands high. Little and often is wrong; what is \
wanted is a *deep* watering, **twice a week**, which lets the roots grow down.\n\nA bed that is dry a finger deep \
wants water. Whoever has the key fills the tank in the evening.\n\n";
const LINKS: &str = "See the [house rules](https://garden.example.org/rules#water), the **[map](/map)**, and \
<https://garden.example.org/board>; *not* [this](javascript:alert(1)) & `that <b>`.\n\n";
const STRUCTURE: &str = "## Plots\n\n- Plot 12 is sunny\n- Plot 13 is not\n  1. the pear tree\n  2. the wall\n\n\
| plot | litres |\n|---|--:|\n| 12 | 20 |\n| 13 | 5 |\n\n```rust\nfn litres(plot: u8) -> u32 { 20 }\n```\n\n> Says the board.\n\n";
const JAPANESE: &str = "日の出の前に畝に水をやってください。**少しずつ**何度もやるのは間違いです。\n\n";
