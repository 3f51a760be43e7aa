//! The diagrams: what is drawn, and that no name is ever more than a label.
#![allow(clippy::unwrap_used, clippy::panic)] // in the helpers of tests too

use std::io::Write;
use std::process::{Command, Stdio};

use answerplane_statechart::{Definition, Edge, State};
use proptest::prelude::*;

fn chart(states: &[&str], event: &str) -> Definition {
    let declared = states.iter().zip(states.iter().cycle().skip(1));
    let builder = declared
        .fold(Definition::builder("m", "1", states[0]), |builder, (from, to)| {
            builder.state(State::new(*from).on(event, *to))
        })
        .build();
    builder.unwrap()
}

#[test]
fn guards_and_reducers_are_marked() {
    let edge = || Edge::to("a");
    let chart = Definition::builder("m", "1", "a")
        .state(
            State::new("a")
                .on("PLAIN", edge())
                .on("GUARDED", edge().guard(|_, _| Ok(true)))
                .on("REDUCED", edge().reduce(|context, _| Ok(context.clone())))
                .on("BOTH", edge().guard(|_, _| Ok(true)).reduce(|context, _| Ok(context.clone()))),
        )
        .build()
        .unwrap();
    let mermaid = chart.to_mermaid();
    let arrows: Vec<&str> =
        mermaid.lines().filter_map(|line| line.strip_prefix("    s0 --> s0 : ")).collect();
    assert_eq!(arrows, ["PLAIN", "GUARDED [guard]", "REDUCED / reduce", "BOTH [guard] / reduce"]);
    for arrow in arrows {
        assert!(chart.to_dot().contains(&format!("    s0 -> s0 [label=\"{arrow}\"];\n")));
    }
}

#[test]
fn what_cannot_be_seen_is_shown_as_an_escape() {
    let label = |name: &str| {
        let dot = chart(&[name], "GO").to_dot();
        let line = dot.lines().find(|line| line.starts_with("    s0 [label=\"")).unwrap();
        line["    s0 [label=\"".len()..line.len() - "\"];".len()].to_string()
    };
    assert_eq!(label("a b"), "a b");
    assert_eq!(label(" a  b "), "\\\\u{20}a  b\\\\u{20}");
    assert_eq!(label("a\nb\u{202e}c\u{a0}d\u{feff}"), "a\\\\u{a}b\\\\u{202e}c\\\\u{a0}d\\\\u{feff}");
    assert_eq!(label("a\\u{a}"), "a\\\\\\\\u{a}");
    assert_eq!(label("\"&"), "\\\"&amp;");
}

/// The quoted texts of a DOT graph, unquoted, and what stands around them.
fn split_quotes(dot: &str) -> (Vec<String>, String) {
    let (mut quoted, mut around) = (Vec::new(), String::new());
    let mut letters = dot.chars();
    while let Some(letter) = letters.next() {
        around.push(letter);
        if letter == '"' {
            let mut text = String::new();
            loop {
                match letters.next().unwrap() {
                    '"' => break,
                    '\\' => text.push(letters.next().unwrap()),
                    letter => text.push(letter),
                }
            }
            quoted.push(text);
        }
    }
    (quoted, around)
}

/// Mermaid looks for its direction in every line, labels included.
#[test]
fn a_direction_in_a_name_is_no_direction() {
    for (name, label) in [
        ("direction LR", "direction#32;LR"),
        ("a Direction  tb b", "a Direction#32; tb b"),
        ("redirection BT", "redirection#32;BT"),
        ("DIRECTION", "DIRECTION"),
        ("directionRL", "directionRL"),
        ("no direction here", "no direction#32;here"),
    ] {
        let mermaid = chart(&[name], name).to_mermaid();
        assert!(mermaid.contains(&format!("    state \"{label}\" as s0\n")), "{mermaid}");
        assert!(mermaid.contains(&format!("    s0 --> s0 : {label}\n")), "{mermaid}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_name_is_ever_more_than_a_label(
        one in hostile(), other in hostile(), event in hostile(),
    ) {
        prop_assume!(one != other);
        let plain = chart(&["x", "y"], "z");
        let chart = chart(&[&one, &other], &event);

        let (labels, around) = split_quotes(&chart.to_dot());
        prop_assert_eq!(around, split_quotes(&plain.to_dot()).1);
        prop_assert!(labels.iter().all(|label| !label.contains(char::is_control)));
        prop_assert_ne!(&labels[1], &labels[2], "two names are never shown alike");

        let mermaid = chart.to_mermaid();
        prop_assert_eq!(mermaid.lines().count(), plain.to_mermaid().lines().count());
        let between = |line: &str, before: &str, after: &str| {
            line.strip_prefix(before).and_then(|line| line.strip_suffix(after)).map(str::to_string)
        };
        let lines: Vec<&str> = mermaid.lines().collect();
        for label in [
            between(lines[1], "    state \"", "\" as s0"),
            between(lines[2], "    state \"", "\" as s1"),
            between(lines[4], "    s0 --> s1 : ", ""),
        ] {
            let label = label.unwrap();
            prop_assert!(label.chars().all(|c| c.is_alphanumeric() || " _-.,/#;".contains(c)), "{}", label);
            let words: Vec<String> = label.split(' ').map(str::to_lowercase).collect();
            prop_assert!(words[..words.len() - 1].iter().all(|word| !word.ends_with("direction")), "{}", label);
            // Each `#` begins an entity, and each `;` ends one.
            for entity in label.split('#').skip(1) {
                let digits = entity.split(';').next().unwrap();
                prop_assert!(!digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()), "{}", label);
            }
            prop_assert_eq!(label.matches('#').count(), label.matches(';').count());
        }
    }
}

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "\"",
            "\\",
            "\n",
            "-->",
            "[*]",
            "#quot;",
            "#34;",
            ";",
            ":",
            "%%",
            "{",
            "}",
            "end",
            "note",
            "<b>",
            "&amp;",
            "style",
            "direction",
            "LR",
            " ",
            "\u{202e}",
            "\u{0}",
            "]",
            "->",
        ])
        .prop_map(String::from),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat() + "x")
}

/// Graphviz reads the graphs, where it is installed.
#[test]
fn graphviz_reads_the_fixtures() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/statechart");
    for name in ["door", "guarded", "hostile"] {
        let dot = std::fs::read(format!("{folder}/{name}.dot")).unwrap();
        let graphviz = Command::new("dot").arg("-Tcanon").stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let Ok(mut graphviz) = graphviz else { return };
        graphviz.stdin.take().unwrap().write_all(&dot).unwrap();
        assert!(graphviz.wait().unwrap().success(), "{name}");
    }
}
