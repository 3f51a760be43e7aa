//! Input that nobody writes on purpose, or only on purpose.

use proptest::prelude::*;

use super::{Tree, drafts, file, found, page, titles};

const NAMES: [&str; 12] = [
    "a.md",
    "a.mdx",
    "a.csv",
    "a.yaml",
    "a.json",
    "a.jsonl",
    "llms.txt",
    "package.json",
    "Cargo.toml",
    "a.toml",
    "e.yaml",
    "e.json",
];

fn read_anything(bytes: &[u8]) {
    for name in NAMES {
        let format = if name.starts_with("e.") { "format = \"entries\"\n" } else { "" };
        let sources = format!("[[source]]\npath = \"{name}\"\nheadings = true\n{format}");
        let reading = Tree::new(&sources, &[(name, bytes)]).read();
        for draft in drafts(&reading) {
            let units = |text: &str| answerplane_normalize::utf16_len(text);
            assert!((1..=256).contains(&units(&draft.title)), "{draft:?}");
            assert!((1..=16_384).contains(&units(&draft.markdown)), "{draft:?}");
            assert!(draft.aliases.iter().all(|alias| (1..=512).contains(&units(alias))), "{draft:?}");
            assert!(
                draft
                    .citations
                    .iter()
                    .all(|citation| citation.href.parse::<answerplane_protocol::SafeLink>().is_ok())
            );
            assert_eq!(draft.title.trim(), draft.title);
            assert!(crate::invisible::first(&draft.title).is_none(), "{draft:?}");
        }
    }
}

#[test]
fn deep_and_broken_texts_are_survived() {
    let deep = 100_000;
    for text in [
        "[".repeat(deep),
        "{\"a\":".repeat(deep),
        format!("# T\n\n{}x", "> ".repeat(deep)),
        format!("# T\n\n{}", (0..2_000).map(|n| format!("{}- x\n", " ".repeat(n * 2))).collect::<String>()),
        format!("# T\n\n{}a{}", "[".repeat(deep), "](b)".repeat(deep)),
        format!("# T\n\n{}", "*a _b ".repeat(deep)),
        format!("---\na: {}\n---\n# T\n", "[".repeat(10_000)),
        format!("x{}", "- ".repeat(deep)),
        "a,b\n".repeat(deep),
        "\"".repeat(deep),
        "\0\0\0# \0\n".to_owned(),
        "x".repeat(1 << 20),
        "---".to_owned(),
        "---\n---".to_owned(),
        "---\n---\n".to_owned(),
        "+++\r\n+++\r\n".to_owned(),
        "---\r\na: b".to_owned(),
        "`".repeat(deep),
        "<".repeat(deep),
        "{".repeat(deep),
        "<a {".repeat(10_000),
        "&".repeat(deep),
    ] {
        read_anything(text.as_bytes());
    }
}

#[test]
fn many_aliases_of_yaml_are_refused() {
    let mut yaml = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for level in 1..12 {
        yaml.push_str(&format!("a{level}: &a{level} [{}]\n", format!("*a{},", level - 1).repeat(10)));
    }
    // What means nothing is not even looked at.
    assert_eq!(titles(&page("p.md", &format!("---\n{yaml}---\n# T\n"), "")), ["T"]);
    let reading = page("p.md", &format!("---\n{yaml}aliases: *a11\n---\n# T\n"), "");
    assert!(found(&reading)[0].contains("AUTHOR_FRONT_MATTER"), "{:?}", found(&reading));
    let reading = file("f.yaml", &format!("- {}", yaml.replace('\n', "\n  ")), "");
    assert!(found(&reading)[0].contains("AUTHOR_ROW_SYNTAX"), "{:?}", found(&reading));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn arbitrary_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_anything(&bytes);
    }

    #[test]
    fn arbitrary_pieces_are_survived(pieces in prop::collection::vec(prop::sample::select(&[
        "---\n", "+++\n", "# ", "title: ", "title = ", "\"", "'", "[", "]", "(", ")", "{", "}", "<", ">", "/", "*", "_",
        "`", "```\n", "\n", "\r\n", " ", "    ", "- ", ": ", ", ", "x", "é", "😀", "\u{200b}", "\u{feff}", "\0", "&amp;", "&",
        "{#a}", "{/*b*/}", "<h3 id=\"c\">", "</h3>", "[a](b.md)", "[c]: d\n", "![", "[[entry]]\n", "label = ", "answer: ",
        "import x\n", "<T a={1}>", "http://", "javascript:", "../", "name", "{\"name\": \"a\"}", "|", "\\", "=", "===\n",
    ][..]), 0..40)) {
        read_anything(pieces.concat().as_bytes());
    }
}
