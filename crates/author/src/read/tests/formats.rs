//! Rows, llms.txt, manifests, entries and artifacts.

use super::{drafts, file, found, only, titles};
use crate::draft::{Draft, DraftId};

#[test]
fn csv_rows_are_drafts() {
    let text = "id,question,aliases,answer,url,lang\r\n\r\nq1,\"What,\nnow?\",a|b,Yes.,https://x.example/faq#now,en\r\nq2,Was?,,Ja.,https://x.example/de,de\r\n,Where?,,Here [a](b),/c,en\r\n";
    let reading = file("faq.csv", text, "kind = \"restricted-faq\"\nwhere = {lang = \"en\"}\n");
    assert_eq!(found(&reading), [""; 0]);
    let drafts = drafts(&reading);
    assert_eq!(drafts.len(), 2);
    assert_eq!(drafts[0].title, "What, now?");
    assert_eq!(drafts[0].aliases, ["What, now?", "a", "b"]);
    assert_eq!(drafts[0].id, DraftId::Declared("q1".into()));
    assert_eq!(drafts[0].place.line, Some(3));
    assert_eq!(drafts[0].kind.as_str(), "restricted-faq");
    assert_eq!(drafts[0].markdown, "Yes.\n\n[What, now?](https://x.example/faq#now)");
    assert_eq!(drafts[1].id, DraftId::Address("c".into()));
    assert_eq!(drafts[1].place.line, Some(6));
    assert_eq!(drafts[1].markdown, "Here [a](https://x.example/docs/b)\n\n[Where?](https://x.example/c)");
}

#[test]
fn csv_problems_have_lines() {
    let text = "q,answer,kind\na,b,document\nc,d\ne,f,page\n,x,document\n";
    assert_eq!(
        found(&file("f.csv", text, "")),
        [
            "f.csv:3: error AUTHOR_ROW_SYNTAX: the row has another number of fields than line 1 (2, at most 3)",
            "f.csv:4 (kind): error AUTHOR_KIND_UNKNOWN: there is no kind page",
            "f.csv:5: warning AUTHOR_NO_TITLE: nothing gives the row a title; it was left out",
        ]
    );
    assert_eq!(
        found(&file("f.csv", "a,a\n", "")),
        ["f.csv:1 (a): error AUTHOR_ROW_SYNTAX: two columns have this name"]
    );
    for (text, separators) in [("q;answer\nA?;a\n", "semicolons"), ("q\tanswer\nA?\ta\n", "tabs")] {
        assert_eq!(
            found(&file("f.csv", text, "")),
            [format!(
                "f.csv:1: error AUTHOR_ROW_SYNTAX: the columns are separated by {separators}; write commas"
            )]
        );
    }
    let mapped = "columns = {title = \"b\", text = [\"c\", \"a\"]}\nwhere = {d = \"1\"}\n";
    assert_eq!(
        found(&file("f.csv", "a\n1\n", mapped)),
        [
            "f.csv:1: error AUTHOR_ROW_FIELD: there is no column b, which the configuration names for title",
            "f.csv:1: error AUTHOR_ROW_FIELD: there is no column d, which the configuration names for where",
        ]
    );
}

#[test]
fn a_quote_that_is_not_closed_swallows_no_rows() {
    let quotes = "error AUTHOR_ROW_QUOTES";
    assert_eq!(
        found(&file("f.csv", "question,answer\nHow?,\"yes\nA?,b\nC?,d\n", "")),
        [format!("f.csv:2: {quotes}: the quote that opens here is not closed")]
    );
    let text = "q,answer,kind\nx,y,zz\n\"Quoted \"inner\" q?\",yes,document\nb,\"yes\" x,document\nc,d,zz\n";
    assert_eq!(
        found(&file("f.csv", text, "")),
        [
            "f.csv:2 (kind): error AUTHOR_KIND_UNKNOWN: there is no kind zz".to_owned(),
            format!("f.csv:3: {quotes}: a quote within a quoted field is not doubled"),
            format!("f.csv:4: {quotes}: a quote within a quoted field is not doubled"),
        ]
    );
}

#[test]
fn json_lines_are_drafts() {
    let text = "{\"frontmatter\": {\"title\": null}, \"h1\": \"Two\", \"path\": \"a/b.md\"}\n\n{\"frontmatter\": {\"title\": \"One\"}, \"h1\": \"x\", \"n\": 1.5, \"path\": null}\n{\n{\"frontmatter\": {\"title\": {}}}\n";
    let reading = file(
        "r.jsonl",
        text,
        "columns = {title = [\"frontmatter.title\", \"h1\"]}\nanswer = \"{link} {title}\"\n",
    );
    assert_eq!(titles(&reading), ["Two"]);
    assert_eq!(drafts(&reading)[0].markdown, "https://x.example/docs/a/b.md Two");
    assert_eq!(drafts(&reading)[0].id, DraftId::Address("docs/a/b.md".into()));
    assert_eq!(
        found(&reading),
        [
            "r.jsonl:3: warning AUTHOR_NO_ANSWER: nothing gives the row an answer; it was left out",
            "r.jsonl:4: error AUTHOR_ROW_SYNTAX: EOF while parsing an object",
            "r.jsonl:5: warning AUTHOR_NO_TITLE: nothing gives the row a title; it was left out",
        ]
    );
}

#[test]
fn a_row_without_an_answer_is_left_out_unless_it_has_a_link() {
    let reading = file("f.csv", "question,answer,url\nA?,,\nB?,,/b\nC?,c,\n", "");
    assert_eq!(titles(&reading), ["B?", "C?"]);
    assert_eq!(drafts(&reading)[0].markdown, "[B?](https://x.example/b)");
    assert_eq!(
        found(&reading),
        ["f.csv:2: warning AUTHOR_NO_ANSWER: nothing gives the row an answer; it was left out"]
    );
    assert_eq!(titles(&file("f.csv", "question,answer\nA?,\n", "answer = \"See {title}\"")), ["A?"]);
    let text = "[{\"question\": \"A?\", \"url\": \"/a\",\n\"answer\": {\"en\": \"a\"}}]";
    let no_text = ["f.json:2 ([0].answer): error AUTHOR_ROW_FIELD: this is no text"];
    for settings in ["", "columns = {text = \"answer\"}"] {
        assert_eq!(found(&file("f.json", text, settings)), no_text);
    }
    let described = "[{\"question\": \"A?\", \"text\": {\"by\": \"chance\"}, \"answer\": \"a\"}]";
    assert_eq!(found(&file("f.json", described, "")), [""; 0]);
}

#[test]
fn lists_are_drafts() {
    let yaml = "- question: One?\n  aliases: [uno, 1]\n  category: [Numbers, x]\n\n- question: Two?\n  kind: page\n  url: javascript:x\n";
    let json = "[{\"question\": \"One?\", \"aliases\": [\"uno\", 1], \"category\": [\"Numbers\", \"x\"]},\n\n\n\n {\"question\": \"Two?\", \"kind\": \"page\",\n  \"url\": \"javascript:x\"}]";
    for (name, text, kind_line) in [("f.yaml", yaml, 6), ("f.json", json, 5)] {
        let reading = file(name, text, "answer = \"A\"");
        assert_eq!(titles(&reading), ["One?", "Two?"]);
        assert_eq!(drafts(&reading)[0].aliases, ["One?", "uno", "1"]);
        assert_eq!(drafts(&reading)[0].qualifiers, ["Numbers"]);
        assert_eq!(drafts(&reading)[1].place.line, Some(5));
        assert_eq!(
            found(&reading),
            [
                format!("{name}:{kind_line} ([1].kind): error AUTHOR_KIND_UNKNOWN: there is no kind page"),
                format!(
                    "{name}:{} ([1].url): error AUTHOR_LINK_UNSAFE: the link javascript:x is not safe",
                    kind_line + 1
                ),
            ]
        );
    }
    assert_eq!(found(&file("f.yaml", "a: [b\n", "")).len(), 1);
    assert_eq!(
        found(&file("f.yaml", "- question: A?\n  answer: a\n- question: B?\n  answer: b\n  answer: c\n", "")),
        ["f.yaml:5: error AUTHOR_ROW_SYNTAX: the field answer stands there twice"]
    );
    assert_eq!(
        found(&file("f.yaml", "a: b\n", "")),
        ["f.yaml:1: error AUTHOR_ROW_SYNTAX: a list is expected"]
    );
    assert_eq!(found(&file("f.json", "[\n1,]", "")), ["f.json:2: error AUTHOR_ROW_SYNTAX: trailing comma"]);
    assert_eq!(
        found(&file("f.json", "[{}, 1]", "answer = \"x\"")),
        [
            "f.json:1 ([0]): warning AUTHOR_NO_TITLE: nothing gives the row a title; it was left out",
            "f.json:1 ([1]): error AUTHOR_ROW_FIELD: a row with names is expected",
        ]
    );
}

#[test]
fn the_same_row_is_taken_once() {
    let text = "q,a\nWhy?,x\nWhy?,y\nWhy?,x\n";
    let reading = file("f.csv", text, "columns = {text = \"a\"}");
    assert_eq!(titles(&reading), ["Why?", "Why?"]);
    assert_eq!(
        found(&reading),
        [
            "f.csv:4: warning AUTHOR_REPEATED_ROW: the same title, answer and link stand in an earlier row; see f.csv:2"
        ]
    );
}

#[test]
fn llms_lists_are_drafts() {
    let text = "# Site\n\n> About\n\n- Not a link: https://x.example\n\n## Docs\n\n- [Start `here`](https://x.example/start): Begin &lt;now [up](../../../x.md).\n- [Next](next.md) — more\n  lines\n    - [Nested](/n)\n\n* [Loose](https://x.example/l)\n\n  Second paragraph.\n";
    let reading = file("llms.txt", text, "");
    let seen: Vec<_> = drafts(&reading)
        .into_iter()
        .map(|Draft { title, markdown, qualifiers, place, .. }| {
            (title.as_str(), markdown.as_str(), qualifiers.join(" < "), place.line.unwrap())
        })
        .collect();
    let docs = || "Docs < Site".to_owned();
    assert_eq!(
        seen,
        [
            ("Start here", "Begin \\<now up.\n\n[Start here](https://x.example/start)", docs(), 9),
            ("Next", "more\nlines\n\n[Next](https://x.example/docs/next.md)", docs(), 10),
            ("Nested", "[Nested](https://x.example/n)", docs(), 12),
            ("Loose", "[Loose](https://x.example/l)", docs(), 14),
        ]
    );
    assert_eq!(drafts(&reading)[0].kind.as_str(), "navigation");
    assert_eq!(
        found(&reading),
        [
            "llms.txt:9: warning AUTHOR_LINK_OUTSIDE: the link ../../../x.md leads above the base URL; only its text was kept"
        ]
    );
}

#[test]
fn what_an_llms_list_links_to_has_an_address() {
    assert_eq!(
        found(&file("llms.txt", "# S\n\n- [Up](../../up.md): x\n- [Empty](): y\n- [In](in): z\n", "")),
        [
            "llms.txt:3: error AUTHOR_LINK_OUTSIDE: the address ../../up.md leads above the base URL",
            "llms.txt:4: error AUTHOR_LINK_UNSAFE: the link is empty",
        ]
    );
}

#[test]
fn manifests_are_drafts() {
    let npm = "{\"name\": \"@a/b\", \"description\": \"Does *it*.\", \"private\": true,\n \"repository\": {\"url\": \"git+https://github.com/a/b.git\"}}";
    let reading = file("package.json", npm, "");
    let draft = only(&reading);
    assert_eq!(draft.markdown, "Does *it*.\n\n[@a/b](https://github.com/a/b)");
    assert_eq!((draft.kind.as_str(), &draft.id), ("package", &DraftId::Address("@a/b".into())));

    let cargo = "[package]\nname = \"b\"\nversion.workspace = true\ndescription = { workspace = true }\nhomepage = \"https://b.example\"\n";
    assert_eq!(only(&file("Cargo.toml", cargo, "")).markdown, "[b](https://b.example)");
    let nothing = |name: &str| {
        vec![format!("{name}: error AUTHOR_NOTHING_FOUND: nothing in this source becomes an entry")]
    };
    assert_eq!(found(&file("Cargo.toml", "[workspace]\nmembers = []\n", "")), nothing("Cargo.toml"));
    assert_eq!(found(&file("package.json", "{\"type\": \"module\"}", "")), nothing("package.json"));
    assert_eq!(
        found(&file("package.json", "{\"name\": \"a\",\n}", "")),
        ["package.json:2: error AUTHOR_MANIFEST: trailing comma"]
    );
    assert_eq!(found(&file("Cargo.toml", "[package]\nname = 1 2\n", "")).len(), 1);
    assert_eq!(
        found(&file("package.json", "{\"name\": \"a\",\n\"homepage\": \"ftp://x\"}", "answer = \"x\"")),
        ["package.json:2 (homepage): error AUTHOR_LINK_UNSAFE: the link ftp://x is not safe"]
    );
}

#[test]
fn entries_are_drafts() {
    let toml = "[[entry]]\nid = \"a.b\"\nkind = \"command\"\nlabel = \"Install\"\naliases = [\"get it\"]\nanswer = \"\"\"\nRun *it*.\n\"\"\"\nsection = \"Start\"\npriority = 5\ncitations = [{ title = \"Docs\", href = \"/d\" }, { id = \"x\", title = \"Y\", href = \"https://y.example\" }]\n\n[[entry]]\ntitle = \"Second\"\nanswer = \"B\"\n";
    let yaml = "- id: a.b\n  kind: command\n  label: Install\n  aliases: [get it]\n  answer: |\n    Run *it*.\n  section: Start\n  priority: 5\n  citations:\n    - {title: Docs, href: /d}\n    - {id: x, title: Y, href: 'https://y.example'}\n\n\n- title: Second\n  answer: B\n";
    for (name, text, settings, second) in
        [("e.toml", toml, "", 13), ("e.yaml", yaml, "format = \"entries\"", 14)]
    {
        let reading = file(name, text, settings);
        assert_eq!(found(&reading), [""; 0]);
        let drafts = drafts(&reading);
        assert_eq!(drafts[0].aliases, ["Install", "get it"]);
        assert_eq!(drafts[0].markdown, "Run *it*.");
        assert_eq!(drafts[0].id, DraftId::Declared("a.b".into()));
        assert_eq!(drafts[0].qualifiers, ["Start"]);
        assert_eq!(drafts[0].priority, 5);
        assert_eq!(drafts[0].citations[0].href, "https://x.example/d");
        assert_eq!(drafts[0].citations[1].id.as_deref(), Some("x"));
        assert_eq!(drafts[1].id, DraftId::Address("Second".into()));
        assert_eq!(drafts[1].place.line, Some(second), "{name}");
    }
}

#[test]
fn problems_of_entries_have_lines() {
    let toml = "[[entry]]\nlabel = \"A\"\nanswer = \"[x](data:y)\"\n\n[[entry]]\nlabel = \"B\"\nlable = \"C\"\ncitations = [{ title = \"T\" }]\n";
    assert_eq!(
        found(&file("e.toml", toml, "")),
        [
            "e.toml:3 (entry[0].answer): error AUTHOR_LINK_UNSAFE: the link data:y is not safe",
            "e.toml:5 (entry[1].answer): error AUTHOR_ROW_FIELD: an entry needs answer",
            "e.toml:7 (entry[1].lable): error AUTHOR_ROW_FIELD: this field is not known: id, kind, label or title, aliases, answer, citations, section and priority are possible",
            "e.toml:8 (entry[1].citations[0]): error AUTHOR_ROW_FIELD: a citation needs title and href",
        ]
    );
    assert_eq!(
        found(&file("e.toml", "\n[entries]\n", "")),
        ["e.toml:2: error AUTHOR_ROW_SYNTAX: there is a list `entry` and nothing else, not `entries`"]
    );
}

#[test]
fn entries_of_an_artifact_that_continue_another_are_known() {
    let entry = |id: &str, alias: &str, answer: &str| {
        format!(
            r#"{{"id":"{id}","kind":"document","label":"L","match":{{"type":"exact","values":["{alias}"]}},"answer":{{"markdown":"{answer}","citations":[]}}}}"#
        )
    };
    let entries =
        [entry("x", "1", "A"), entry("x.2", "2", "A"), entry("x.3", "3", "B"), entry("y.2", "4", "A")];
    let json = format!(
        r#"{{"protocol":"agentskit.chat.knowledge","version":1,"artifactId":"a","siteId":"s","generatedAt":"2026-01-01T00:00:00Z","entries":[{}]}}"#,
        entries.join(",")
    );
    let reading = file("old.json", &json, "");
    let continued: Vec<Option<usize>> = drafts(&reading).iter().map(|draft| draft.continues).collect();
    assert_eq!(continued, [None, Some(0), None, None]);
}

#[test]
fn artifacts_are_taken_over() {
    let json = r#"{"protocol":"agentskit.chat.knowledge","version":1,"artifactId":"a","siteId":"s","generatedAt":"2026-01-01T00:00:00Z","entries":[{"id":"x","kind":"document","label":"L","match":{"type":"exact","values":["one","t\u200bwo"]},"answer":{"markdown":"A","citations":[{"id":"c","title":"T","href":"/h"}]}}]}"#;
    for settings in ["", "format = \"artifact\""] {
        let reading = file("old.json", json, settings);
        let draft = drafts(&reading)[0];
        assert_eq!(
            (draft.title.as_str(), &draft.aliases[..]),
            ("L", &["one".to_owned(), "t\u{200b}wo".to_owned()][..])
        );
        assert_eq!(draft.id, DraftId::Declared("x".into()));
        assert_eq!(draft.citations[0].id.as_deref(), Some("c"));
        assert_eq!(
            found(&reading),
            ["old.json (entries[0].match.values[1]): error AUTHOR_ALIAS_INVISIBLE: the alias holds U+200B"]
        );
    }
    assert_eq!(
        found(&file("old.json", "{}", "format = \"artifact\"")),
        ["old.json: error AUTHOR_ARTIFACT: Deterministic payload is invalid."]
    );
}
