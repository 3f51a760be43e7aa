//! Markdown and MDX pages.

use super::{drafts, found, only, page, titles};
use crate::draft::DraftId;
use crate::rule::Rule;

#[test]
fn a_page_is_a_draft() {
    let text = "---\ntitle: Install &amp; run\ndescription: How to [install](../x.md).\naliases:\n  - get it\n  - install me\nkind: command\npriority: 3\nother: {a: [b]}\n---\n\n# Install & run\n\nText.\n";
    let reading = page("cli/install.md", text, "");
    let draft = only(&reading);
    assert_eq!(draft.title, "Install & run");
    assert_eq!(draft.aliases, ["Install & run", "get it", "install me"]);
    assert_eq!(draft.id, DraftId::Path("cli/install".into()));
    assert_eq!(draft.kind.as_str(), "command");
    assert_eq!(draft.priority, 3);
    assert_eq!(draft.path, "cli install");
    assert_eq!(draft.qualifiers, ["cli"]);
    assert_eq!(
        draft.markdown,
        "How to [install](https://x.example/docs/x).\n\n[Install & run](https://x.example/docs/cli/install)"
    );
    assert_eq!(draft.citations[0].href, "https://x.example/docs/cli/install");
    assert_eq!(draft.citations[0].title, "Install & run");
    assert!(draft.place.to_string().ends_with("docs/cli/install.md:2"), "{}", draft.place);
}

#[test]
fn titles_come_from_the_first_heading() {
    for (text, title, line) in [
        ("```\n# no\n```\n\ntext\n\n### The `real` *one* &lt;x> {#id}\n", "The real one <x>", 7),
        ("Setext\n===\n", "Setext", 1),
        ("<h3 name=\"a\">\nIn HTML?\n</h3>\n", "In HTML?", 1),
        ("---\ntitle:\n---\n# Below\n", "Below", 4),
        ("+++\ntitle = \"In TOML\"\n+++\n", "In TOML", 2),
        ("\u{feff}---\r\ntitle: 3.10\r\n---\r\n", "3.10", 2),
        ("# ![logo](x.png) Name\n", "Name", 1),
        ("---\n\n# After a rule\n", "After a rule", 3),
        ("# Use {/*use*/}\n", "Use", 1),
    ] {
        let reading = page("p.md", text, "");
        let draft = only(&reading);
        assert_eq!((draft.title.as_str(), draft.place.line), (title, Some(line)), "{text}");
    }
    let mdx =
        "import X from 'x'\n\n{/* # no */}\n<X a={1}>\n\n# Yes <b>and</b> {no}\n\nText <X/> here.\n\n</X>\n";
    let reading = page("p.mdx", mdx, "");
    assert_eq!(only(&reading).title, "Yes and");
    assert_eq!(only(&reading).markdown, "Text here.\n\n[Yes and](https://x.example/docs/p)");
}

#[test]
fn a_leading_heading_in_other_words_is_an_alias() {
    let reading = page("p.md", "---\ntitle: Install\n---\n# Installing it\n\nFirst.\n\n# More\n", "");
    let draft = only(&reading);
    assert_eq!(draft.aliases, ["Install", "Installing it"]);
    assert!(draft.markdown.starts_with("First.\n"), "{}", draft.markdown);
}

#[test]
fn the_first_paragraph_is_the_answer() {
    for (text, answer) in [
        (
            "# T\n\n[![b](b.svg)](c)\n\n> quote\n\n* list\n\n    code\n\nReal\ntext.\n\nSecond.\n",
            "Real\ntext.",
        ),
        ("before\n\n# T\n\nafter <kbd>x</kbd><!-- no -->\n", "after x"),
        ("# T\n\n## U\n\nof another\n", ""),
        (
            "# T\n\n[r][r] ![alt](x) [y](y.md#z)\n\n[r]: ../top.md\n",
            "[r](https://x.example/docs/top) alt [y](https://x.example/docs/a/y#z)",
        ),
    ] {
        let reading = page("a/p.md", text, "answer = \"{paragraph}\"");
        let drafts = drafts(&reading);
        let expected = if answer.is_empty() { "T" } else { answer };
        assert_eq!(drafts[0].markdown, expected, "{text}");
        let notes: &[&str] = if answer.is_empty() {
            &["docs/a/p.md:1: note AUTHOR_ANSWER_IS_TITLE: the answer is the title"]
        } else {
            &[]
        };
        assert_eq!(found(&reading), notes);
    }
}

#[test]
fn headings_are_entries_with_anchors() {
    let text = "# Guide\n\nIntro.\n\n## Install {#get}\n\nFirst.\n\nSecond.\n\n### On Linux\n\n* list\n\n## Use\n\nAbout use.\n\n### On Linux\n\n<h3 name=\"faq\">\nWhy &amp; how?\n</h3>\n\nBecause.\n\n> ## quoted\n";
    let reading = page("g/index.md", text, "headings = true");
    assert_eq!(found(&reading), [""; 0]);
    let drafts = drafts(&reading);
    let seen: Vec<_> = drafts
        .iter()
        .map(|draft| {
            let (DraftId::Address(id) | DraftId::Path(id) | DraftId::Declared(id)) = &draft.id;
            (draft.title.as_str(), id.as_str(), draft.qualifiers.join(" < "), draft.place.line.unwrap())
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("Guide", "g", String::new(), 1),
            ("Install", "g#get", "Guide".into(), 5),
            ("On Linux", "g#on-linux", "Install < Guide".into(), 11),
            ("Use", "g#use", "Guide".into(), 15),
            ("On Linux", "g#on-linux-1", "Use < Guide".into(), 19),
            ("Why & how?", "g#faq", "Use < Guide".into(), 21),
        ]
    );
    assert_eq!(drafts[1].markdown, "First.\n\n[Install](https://x.example/docs/g/#get)");
    assert_eq!(drafts[2].markdown, "[On Linux](https://x.example/docs/g/#on-linux)");
    assert_eq!(drafts[5].markdown, "Because.\n\n[Why & how?](https://x.example/docs/g/#faq)");
    assert_eq!(drafts[5].citations[0].href, "https://x.example/docs/g/#faq");
    assert_eq!(drafts[1].path, "g get");
}

#[test]
fn pages_have_the_address_that_they_say() {
    for (front, settings, address) in [
        ("slug: /start", "", "https://x.example/docs/start"),
        ("slug: other", "", "https://x.example/docs/a/other"),
        ("permalink: /a/b/", "", "https://x.example/docs/a/b/"),
        ("slug: /", "", "https://x.example/docs/"),
        ("url: https://y.example/z", "", "https://y.example/z"),
        ("x: 1", "page-extension = \".html\"", "https://x.example/docs/a/p.html"),
        ("x: 1", "base-url = \"/v2\"", "/v2/a/p"),
    ] {
        let reading = page("a/p.md", &format!("---\n{front}\n---\n# T\n"), settings);
        assert_eq!(only(&reading).citations[0].href, address, "{front}");
    }
}

#[test]
fn what_is_wrong_has_a_place() {
    for (text, problems) in [
        (
            "---\ntitle: a: b\n---\n",
            &["docs/p.md:2: error AUTHOR_FRONT_MATTER: mapping values are not allowed in this context"][..],
        ),
        (
            "---\ntitle: a\ntitle: b\n---\n",
            &["docs/p.md:3 (title): error AUTHOR_FRONT_MATTER: the field title stands there twice"],
        ),
        (
            "---\nx: 1\ntitle: [a]\n---\n",
            &[
                "docs/p.md:3 (title): error AUTHOR_FRONT_MATTER: title: invalid type: sequence, expected a text",
            ],
        ),
        ("---\ntitle: a\n", &["docs/p.md:1: error AUTHOR_FRONT_MATTER: the front matter has no end"]),
        (
            "+++\n\ntitle = \n+++\n",
            &[
                "docs/p.md:3: error AUTHOR_FRONT_MATTER: string values must be quoted, expected literal string",
            ],
        ),
        (
            "---\nkind: page\nid: a b\npriority: x\n---\n# T\n",
            &[
                "docs/p.md:2 (kind): error AUTHOR_KIND_UNKNOWN: there is no kind page",
                "docs/p.md:3 (id): error AUTHOR_ID_INVALID: this is no identifier",
                "docs/p.md:4 (priority): error AUTHOR_FRONT_MATTER: the priority is no whole number",
            ],
        ),
        (
            "---\naliases:\n  - \"a\\u200Bb\"\n  - \"\"\n  - c\n---\n# T\n",
            &[
                "docs/p.md:3 (aliases[0]): error AUTHOR_ALIAS_INVISIBLE: the alias holds U+200B",
                "docs/p.md:4 (aliases[1]): error AUTHOR_ALIAS_EMPTY: the alias is empty",
            ],
        ),
        (
            "# So\u{ad}ft\n",
            &["docs/p.md:1: warning AUTHOR_ALIAS_INVISIBLE: U+00AD was left out of the title"],
        ),
        (
            "text\n",
            &[
                "docs/p.md:1 (title): warning AUTHOR_NO_TITLE: nothing gives a title; the page was left out",
                "docs: error AUTHOR_NOTHING_FOUND: nothing in this source becomes an entry",
            ],
        ),
        (
            "# T\n\nOne\n[two](javascript:x) [three](http://a:b@c.example) [m](mailto:a@b.example)\n",
            &[
                "docs/p.md:4: error AUTHOR_LINK_UNSAFE: the link javascript:x is not safe",
                "docs/p.md:4: error AUTHOR_LINK_UNSAFE: the link http://a:b@c.example is not safe",
            ],
        ),
        (
            "# T\n\n[out](../../outside.md) [up](../../x.html) [missing](missing.md)\n\n[not published](../x.md)\n",
            &[
                "docs/p.md:3: error AUTHOR_LINK_OUTSIDE: the link ../../outside.md leads to a page outside of the tree",
                "docs/p.md:3: warning AUTHOR_LINK_OUTSIDE: the link ../../x.html leads above the base URL; only its text was kept",
            ],
        ),
        (
            "---\ndescription: '[a](data:x)'\nslug: javascript:x\n---\n# T\n",
            &["docs/p.md:3 (slug): error AUTHOR_LINK_UNSAFE: the link javascript:x is not safe"],
        ),
        (
            "---\nslug: ../../us\n---\n# T\n",
            &["docs/p.md:2 (slug): error AUTHOR_LINK_OUTSIDE: the address ../../us leads above the base URL"],
        ),
        (
            "---\nx: 1\ndescription: '[a](data:x)'\n---\n# T\n",
            &["docs/p.md:3 (description): error AUTHOR_LINK_UNSAFE: the link data:x is not safe"],
        ),
    ] {
        let mut problems: Vec<&str> = problems.to_vec();
        problems.sort_by_key(|problem| problem.starts_with("docs/"));
        assert_eq!(found(&page("p.md", text, "")), problems, "{text}");
    }
}

#[test]
fn limits_name_limit_and_value() {
    let long = format!("https://y.example/{}", "x".repeat(2_100));
    let reading = page("p.md", &format!("# T\n\n[a]({long})\n"), "");
    let told = &reading.diagnostics[0];
    assert_eq!((told.rule, told.limit, told.actual), (Rule::LinkTooLong, Some(2_048), Some(2_118)));
    assert!(told.message.chars().count() < 300, "{told}");
    let reading = page("p.md", &format!("\n# {}\n", "x".repeat(257)), "");
    assert_eq!(
        found(&reading),
        ["docs/p.md:2: error AUTHOR_TITLE_TOO_LONG: the title has too many UTF-16 units (257, at most 256)"]
    );
    let reading = page("p.md", &format!("---\naliases: {}\n---\n# T\n", "😀".repeat(257)), "");
    assert_eq!(
        found(&reading),
        [
            "docs/p.md:2 (aliases[0]): error AUTHOR_ALIAS_TOO_LONG: the alias, or its normalized form, has too many UTF-16 units (514, at most 512)"
        ]
    );
    let reading = page("p.md", &format!("# T\n\n{}\n", "x".repeat(16_385)), "answer = \"{text}\"");
    assert_eq!(
        found(&reading),
        [
            "docs/p.md:1 (answer): error AUTHOR_ANSWER_TOO_LONG: the answer has too many UTF-16 units (16385, at most 16384)"
        ]
    );
}

#[test]
fn drafts_are_skipped_and_rules_apply() {
    let reading = page("p.md", "---\ndraft: true\n---\n# T\n", "");
    assert_eq!(
        found(&reading),
        ["docs: error AUTHOR_NOTHING_FOUND: nothing in this source becomes an entry"]
    );
    let rules = "kind = \"command\"\n[[source.rule]]\nmatch = \"api/**\"\nkind = \"ecosystem\"\nheadings = true\nanswer = \"{title}!\"\npriority = 2\nshared = \"drop\"\n";
    let reading = page("api/p.md", "# T\n\nX.\n\n## U\n", rules);
    assert_eq!(titles(&reading), ["T", "U"]);
    let draft = drafts(&reading)[0];
    assert_eq!((draft.kind.as_str(), draft.markdown.as_str(), draft.priority), ("ecosystem", "T!", 2));
    assert_eq!(draft.shared, crate::config::Shared::Drop);
    let reading = page("p.md", "# T\n\nX.\n\n## U\n", rules);
    assert_eq!(only(&reading).kind.as_str(), "command");
}
