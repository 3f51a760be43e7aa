//! Every component, event and answer on reviewed pages, and no control sequence but the renderer's own.
//!
//! `ANSWERPLANE_CASES` random texts (1,000 unless set, and at most 10,000) from `ANSWERPLANE_SEED`.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../render-html/tests/scenes/mod.rs"]
mod scenes;

use answerplane_protocol::render::Renderer;
use answerplane_protocol::{CatalogComponent, ContentPart, EventValue, InteractFrame, Manifest};
use answerplane_render_terminal::{Effect, Terminal};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::json;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;
use url::Url;
use vte::{Params, Parser, Perform};

use scenes::{Scene, attack_answers, attack_scene, attacks, compare, compare_names, full, scenes};

fn shown(scene: &Scene, mut terminal: Terminal) -> String {
    scene.show(&mut terminal);
    terminal.into_string()
}

/// What a terminal does with a page, beyond showing letters.
#[derive(Default)]
struct Finder {
    findings: Vec<String>,
    styles: usize,
    link: Option<String>,
}

impl Perform for Finder {
    fn print(&mut self, letter: char) {
        if matches!(letter, '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') {
            self.findings.push(format!("{letter:?}"));
        }
    }

    fn execute(&mut self, byte: u8) {
        if byte == b'\n' {
            if self.styles > 0 || self.link.is_some() {
                self.findings.push("a style or a link goes on behind its line".to_string());
            }
        } else {
            self.findings.push(format!("control {byte:#x}"));
        }
    }

    fn hook(&mut self, _: &Params, _: &[u8], _: bool, action: char) {
        self.findings.push(format!("DCS {action}"));
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], bell: bool) {
        let [b"8", b"", address] = params else {
            // An address may hold semicolons, at which the parser cuts.
            let joined = params.get(2..).unwrap_or_default().join(&b';');
            if params.first() == Some(&&b"8"[..]) && params.get(1) == Some(&&b""[..]) {
                self.address(&joined, bell);
            } else {
                self.findings.push(format!("OSC {params:?}"));
            }
            return;
        };
        self.address(address, bell);
    }

    fn csi_dispatch(&mut self, params: &Params, between: &[u8], _: bool, action: char) {
        let numbers: Vec<Vec<u16>> = params.iter().map(<[u16]>::to_vec).collect();
        let is_own = |number: &Vec<u16>| matches!(number.as_slice(), [0..=4 | 9 | 31 | 33 | 36]);
        if action != 'm' || !between.is_empty() || !numbers.iter().all(is_own) {
            self.findings.push(format!("CSI {numbers:?} {action}"));
        }
        self.styles = if numbers == [vec![0]] { 0 } else { self.styles + 1 };
    }

    fn esc_dispatch(&mut self, between: &[u8], _: bool, byte: u8) {
        // The end of an OSC 8.
        if !between.is_empty() || byte != b'\\' {
            self.findings.push(format!("ESC {byte:#x}"));
        }
    }
}

impl Finder {
    fn address(&mut self, address: &[u8], bell: bool) {
        let text = String::from_utf8(address.to_vec()).unwrap_or_default();
        let is_safe = Url::parse(&text).is_ok_and(|url| {
            matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none()
        });
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        if bell || !(text.is_empty() && self.link.is_some() || is_safe && is_plain && self.link.is_none()) {
            self.findings.push(format!("link to {text:?}"));
        }
        self.link = (!text.is_empty()).then_some(text);
    }
}

fn findings(page: &str) -> Vec<String> {
    let mut finder = Finder::default();
    Parser::new().advance(&mut finder, page.as_bytes());
    finder.findings
}

/// A page without its styles and links.
fn letters(page: &str) -> String {
    #[derive(Default)]
    struct Letters(String);
    impl Perform for Letters {
        fn print(&mut self, letter: char) {
            self.0.push(letter);
        }
        fn execute(&mut self, byte: u8) {
            self.0.push(char::from(byte));
        }
    }
    let mut letters = Letters::default();
    Parser::new().advance(&mut letters, page.as_bytes());
    letters.0
}

/// No line is wider than the page, but one that holds a single wide character.
fn assert_fits(page: &str, width: usize, name: &str) {
    for line in page.lines() {
        let graphemes: Vec<usize> = line.graphemes(true).map(|grapheme| grapheme.width().min(2)).collect();
        let taken: usize = graphemes.iter().sum();
        assert!(taken <= width || graphemes.len() == 1, "{name}: {taken} > {width}: {line:?}");
    }
}

#[test]
fn everything_is_shown_as_it_was_reviewed() {
    let mut names = Vec::new();
    for (name, scene) in scenes() {
        let styled = shown(&scene, Terminal::ansi(60));
        assert_eq!(findings(&styled), Vec::<String>::new(), "{name}");
        let plain = shown(&scene, Terminal::plain(60));
        assert_eq!(letters(&styled), plain, "{name}");
        assert_fits(&plain, 60, &name);
        for (kind, page) in [
            ("txt", plain),
            ("ansi", styled.replace('\u{1b}', "␛")),
            ("narrow.txt", shown(&scene, Terminal::plain(20))),
        ] {
            names.push(format!("{name}.{kind}"));
            compare(&format!("{name}.{kind}"), &page);
        }
    }
    compare_names(names);
}

#[test]
fn every_event_has_a_number_that_is_accepted() {
    for key in CatalogComponent::KEYS {
        let frame = full(key);
        let mut terminal = Terminal::plain(80);
        Scene::Parts(vec![ContentPart::component(frame.clone())]).show(&mut terminal);
        let mut events = Vec::new();
        for control in terminal.controls() {
            let mut interaction = control.effect.to_frame().unwrap();
            if interaction.event().as_str() == "submit" {
                // What a person says to each field that the page shows.
                let value =
                    json!({ "name": "Ada", "mail": "a@b.test", "beds": 3, "news": true, "plot": "p12" });
                let value = EventValue::new(&value);
                let (component, instance) =
                    (interaction.component_key().clone(), interaction.instance_id().clone());
                interaction = InteractFrame::new(component, instance, "submit".parse().unwrap(), value);
            }
            assert_eq!(Manifest::standard().check_interaction(&frame, &interaction), Ok(()), "{key}");
            events.push(interaction.event().as_str().to_string());
            assert_eq!(terminal.control(control.number), Some(control));
        }
        events.dedup();
        assert_eq!(events, CatalogComponent::semantics_of(key).unwrap().events, "{key}");
        let numbers = terminal.controls().len();
        let page = terminal.into_string();
        for number in 1..=numbers {
            assert!(page.contains(&format!("[{number}] ")), "{key}: {page}");
        }
    }
}

#[test]
fn no_attack_writes_a_control_sequence() {
    let attacks = attacks();
    assert!(attacks.len() >= 300, "{}", attacks.len());
    for (name, text) in &attacks {
        let scenes = std::iter::once(attack_scene(text)).chain(attack_answers(text));
        for scene in scenes {
            let styled = shown(&scene, Terminal::ansi(60));
            assert_eq!(findings(&styled), Vec::<String>::new(), "{name}\n{styled:?}");
            let plain = shown(&scene, Terminal::plain(60));
            assert!(!plain.chars().any(|letter| letter.is_control() && letter != '\n'), "{name}");
            assert_fits(&plain, 60, name);
        }
    }
}

/// Only where the renderer speaks for itself stands its mark.
#[test]
fn nobody_forges_a_line_of_ours() {
    for (name, text) in attacks() {
        let page = shown(&attack_scene(&text), Terminal::plain(60));
        assert!(!page.contains('▌'), "{name}: {page}");
    }
    let page = shown(&attack_answers("▌ declared answer")[0], Terminal::plain(60));
    assert_eq!(page.matches('▌').count(), page.lines().filter(|line| line.starts_with('▌')).count());
}

#[test]
fn any_width_is_possible() {
    for (name, scene) in scenes() {
        for width in [0, 1, 2, 3, 5, 9, 13, 27, 200] {
            let plain = shown(&scene, Terminal::plain(width));
            assert_fits(&plain, width.max(1), &name);
        }
    }
}

#[test]
fn links_lead_where_they_say() {
    let mut terminal = Terminal::ansi(80);
    terminal
        .text("[docs](https://docs.example/ä?b c) [path](/p) [bad](javascript:1) <https://x.test>")
        .unwrap();
    let page = terminal.into_string();
    assert_eq!(findings(&page), Vec::<String>::new());
    assert!(!page.contains("]8;;/p") && !page.contains("javascript"), "{page:?}");
    let mut terminal = Terminal::ansi(80);
    terminal.text("[docs](https://docs.example/ä) <https://x.test>").unwrap();
    let page = terminal.into_string();
    assert!(page.contains("\u{1b}]8;;https://docs.example/%C3%A4\u{1b}\\"), "{page:?}");
    assert_eq!(letters(&page), "docs <https://docs.example/ä> https://x.test\n");
}

#[test]
fn what_is_said_stands_beside_its_number() {
    let (_, scene) = scenes().into_iter().find(|(name, _)| name == "choices-2").unwrap();
    let mut terminal = Terminal::plain(80);
    scene.show(&mut terminal);
    let values: Vec<String> = terminal
        .controls()
        .iter()
        .map(|control| match &control.effect {
            Effect::Say(value) => value.clone(),
            Effect::Event { .. } => panic!("nothing but choices"),
        })
        .collect();
    let page = terminal.into_string();
    assert_eq!(values.len(), 2);
    assert!(values.iter().all(|value| page.contains(&format!("type: {value}"))), "{page}");
}

#[test]
fn random_text_at_any_width_is_safe() {
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
        "[a-z]{1,9}",
        "[ \n]{1,3}",
        "\n\n",
        "[*_`~#>|\\[\\]()!<&-]{1,3}",
        "\n- ",
        "\n1. ",
        "\n> ",
        "\n```\n",
        "\\[a\\]\\(https://x.test\\)",
        "&#27;",
        "&#155;",
        "&#x202e;",
        "\n|a|b|\n|-|-|\n|c|d|",
        "\t",
        "[\u{0}-\u{a0}\u{200b}-\u{202e}\u{2066}שع日👩🌾\u{301}\u{200d}]{1,4}",
    ];
    let texts = (proptest::collection::vec(word, 0..40), 0_usize..50);
    let config =
        Config { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&texts, |(words, width)| {
            let text: String = words.concat();
            let mut plain = Terminal::plain(width);
            plain.text(&text).unwrap();
            let plain = plain.into_string();
            assert_fits(&plain, width.max(1), &text);
            let mut styled = Terminal::ansi(width);
            styled.text(&text).unwrap();
            let styled = styled.into_string();
            prop_assert_eq!(findings(&styled), Vec::<String>::new());
            prop_assert_eq!(letters(&styled), plain);
            Ok(())
        })
        .unwrap();
}
