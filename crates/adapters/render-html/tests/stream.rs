//! Text that comes in pieces: what is finished is written once, and in the end it is as if it had come as a whole.
//!
//! `ANSWERPLANE_CASES` random texts (1,000 unless set, and at most 10,000) from `ANSWERPLANE_SEED`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod scenes;
mod walker;

use answerplane_protocol::render::Renderer;
use answerplane_render_html::{Html, Update};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use scenes::{attacks, fixture};
use walker::findings;

fn whole(text: &str) -> String {
    let mut html = Html::new();
    html.text(text).unwrap();
    html.into_string()
}

/// What a client shows that does as it is told, and how often blocks were written.
fn streamed<'p>(pieces: impl IntoIterator<Item = &'p str>) -> (String, usize) {
    let mut html = Html::new();
    let mut shown = String::new();
    let take = |shown: &mut String, update: Update| {
        if update.replaces {
            shown.clear();
        }
        shown.push_str(&update.finished);
        update.open
    };
    for piece in pieces {
        html.text(piece).unwrap();
        let update = html.update();
        let open = take(&mut shown, update);
        assert_eq!(findings(&format!("{shown}{open}")), Vec::<String>::new());
    }
    let update = html.finish();
    assert_eq!(take(&mut shown, update), "");
    let blocks = html.blocks_written();
    assert_eq!(html.into_string(), shown);
    (shown, blocks)
}

fn pieces(text: &str, length: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.char_indices().map(|(at, _)| at).chain([rest.len()]).nth(length).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

#[test]
fn pieces_end_as_the_whole() {
    let texts = attacks().into_iter().map(|(_, text)| text).filter(|text| text.len() < 700);
    for text in texts.chain([fixture("render/markdown.md")]) {
        for length in [1, 7, 40] {
            assert_eq!(streamed(pieces(&text, length)).0, whole(&text), "{text}");
        }
    }
}

/// Each block is written once when it is finished, and the open one once with each piece.
#[test]
fn finished_blocks_are_written_once() {
    let paragraphs = |count: usize| "Water the *beds* at dawn, before the sun stands high.\n\n".repeat(count);
    let mixed = fixture("render/markdown.md").replace("\n\nالحديقة", "\n\nx\n\nالحديقة");
    for text in [paragraphs(300), mixed.repeat(20)] {
        let pieces = pieces(&text, 12);
        let blocks = pulldown_blocks(&text);
        let written = streamed(pieces.iter().copied()).1;
        // The last block is written once more when the text ends.
        assert!(written <= blocks + pieces.len() * 2 + 1, "{written} of {blocks} in {} pieces", pieces.len());
    }
    let count = |blocks: usize| {
        let text = paragraphs(blocks);
        let mut html = Html::new();
        let pieces = pieces(&text, 56);
        for piece in &pieces {
            html.text(piece).unwrap();
            html.update();
        }
        html.finish();
        html.blocks_written()
    };
    // Ten times as many blocks are ten times the work, not a hundred times.
    assert!(count(3_000) <= 10 * count(300) + 10, "{} and {}", count(3_000), count(300));
}

fn pulldown_blocks(text: &str) -> usize {
    whole(text).matches("\n<").count() + 1
}

/// A definition holds for what stands before it too; only then is anything shown anew.
#[test]
fn a_late_definition_shows_the_text_anew() {
    let mut html = Html::new();
    html.text("See [the rules][r].\n\nMore.\n\n").unwrap();
    let first = html.update();
    assert!(first.finished.contains("[the rules][r]") && first.open.contains("More."));
    html.text("[r]: /rules\n\nThe [end][r].").unwrap();
    assert!(html.update().open.contains("<a"));
    let last = html.finish();
    assert!(last.replaces && last.finished.contains(">the rules</a>") && last.open.is_empty(), "{last:?}");
}

#[test]
fn random_text_is_safe_and_ends_as_the_whole() {
    let number = |name: &str, usual: u64| {
        std::env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
    };
    let seed = number("ANSWERPLANE_SEED", 1);
    let cases = number("ANSWERPLANE_CASES", 1_000).min(10_000) as u32;
    #[allow(clippy::print_stderr)]
    {
        eprintln!("seed {seed}");
    }
    let word = prop_oneof![
        "[a-z]{1,4}",
        "[ \n]{1,3}",
        "\n\n",
        "[*_`~#>|\\[\\]()!<&-]{1,3}",
        "\n    ",
        "\n- ",
        "\n1. ",
        "\n> ",
        "\n```\n",
        "\\[a\\]: /b\n",
        "\\[a\\]",
        "\\(javascript:x\\)",
        "\\(https://x.test\\)",
        "<b onclick=x>",
        "</div>",
        "<!--",
        "-->",
        "&#27;",
        "&#x202e;",
        "\n|a|b|\n|-|-|\n|c|d|",
        "\n---\n",
        "\n===\n",
        "\t",
        "[\u{0}-\u{a0}\u{200b}-\u{202e}\u{2066}שع日]",
    ];
    let texts = (proptest::collection::vec(word, 0..40), 1_usize..30);
    let config =
        Config { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&texts, |(words, length)| {
            let text: String = words.concat();
            prop_assert_eq!(streamed(pieces(&text, length)).0, whole(&text));
            Ok(())
        })
        .unwrap();
}
