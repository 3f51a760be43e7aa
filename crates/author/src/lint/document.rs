//! An artifact read leniently: whatever can be read of it, and every rule of the protocol that it breaks, with its
//! place. Readers of artifacts give one reason for a refusal and no place, which is too little for an author.

use std::collections::{HashMap, HashSet};

use answerplane_normalize::{normalize_key, trim, utf16_len};
use answerplane_protocol::declare::RawMembers;
use answerplane_protocol::{Artifact, ArtifactContent, DateTime, EntryKind, Identifier, SafeLink, Timestamp};
use serde_json::value::RawValue;

use crate::characters::quoted;
use crate::diagnostic::{Diagnostic, Place};
use crate::rule::Rule;

/// An artifact as far as it can be read, and what is wrong with its form.
#[derive(Clone, Debug)]
pub struct Document {
    /// Where it stands: its file or address.
    pub(super) file: String,
    pub(super) expires_at: Option<Timestamp>,
    /// The line of `expiresAt`.
    pub(super) expires_line: Option<u32>,
    pub(super) entries: Vec<LintEntry>,
    pub(super) problems: Vec<Diagnostic>,
}

/// An entry as far as it can be read; what cannot be read is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct LintEntry {
    pub(super) place: Place,
    pub(super) id: String,
    pub(super) label: String,
    pub(super) aliases: Vec<LintAlias>,
    pub(super) markdown: String,
    pub(super) markdown_line: Option<u32>,
    pub(super) citations: Vec<LintCitation>,
}

/// An alias, and its key.
#[derive(Clone, Debug)]
pub(super) struct LintAlias {
    pub(super) text: String,
    pub(super) key: String,
    /// Its number in the list, from 0.
    pub(super) number: usize,
    pub(super) line: Option<u32>,
}

/// A source of an answer.
#[derive(Clone, Debug)]
pub(super) struct LintCitation {
    pub(super) href: String,
    pub(super) place: Place,
}

impl Document {
    /// Reads the text of an artifact. What is wrong with it, even that it is none, becomes a finding of [`lint`].
    ///
    /// [`lint`]: crate::lint::lint
    #[must_use]
    pub fn read(file: impl Into<String>, text: &[u8]) -> Self {
        Self::parse(file.into(), text, true)
    }

    /// An artifact that was read already. Its findings name no lines.
    #[must_use]
    pub fn of(file: impl Into<String>, artifact: &Artifact) -> Self {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = artifact.write(&mut text);
        Self::parse(file.into(), text.as_bytes(), false)
    }

    fn parse(file: String, bytes: &[u8], with_lines: bool) -> Self {
        let mut document = Self {
            file: file.clone(),
            expires_at: None,
            expires_line: None,
            entries: Vec::new(),
            problems: Vec::new(),
        };
        if bytes.len() > Artifact::MAX_TEXT_BYTES {
            let problem = invalid(Place::file(&file), "it has too many bytes");
            document.problems.push(problem.beyond(Artifact::MAX_TEXT_BYTES, bytes.len()));
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
                document.problems.push(invalid(Place::file(&file).line(line), "this is not UTF-8"));
                return document;
            }
        };
        match serde_json::from_str::<&RawValue>(text) {
            Ok(value) => {
                let mut reader = Reader::new(file, text, with_lines);
                reader.artifact(value, &mut document);
                document.problems.append(&mut reader.problems);
                document.add_what_readers_refuse(bytes);
            }
            Err(error) => {
                let place = Place::file(&file).line(error.line().max(1));
                let what = format!("this is not JSON, at column {}", error.column());
                document.problems.push(invalid(place, what));
            }
        }
        document
    }

    /// Nothing that readers refuse stays without a finding.
    fn add_what_readers_refuse(&mut self, bytes: &[u8]) {
        if self.problems.is_empty()
            && !self.is_unreachable_somewhere()
            && let Err(diagnostic) = ArtifactContent::decode(bytes)
        {
            self.problems.push(invalid(Place::file(&self.file), format!("readers refuse it: {diagnostic}")));
        }
    }

    /// Whether an entry has no key of its own, which is a finding of another rule.
    fn is_unreachable_somewhere(&self) -> bool {
        let mut owners: HashMap<&str, usize> = HashMap::new();
        for alias in self.entries.iter().flat_map(|entry| &entry.aliases) {
            *owners.entry(&alias.key).or_default() += 1;
        }
        self.entries.iter().any(|entry| entry.aliases.iter().all(|alias| owners[alias.key.as_str()] > 1))
    }
}

impl LintEntry {
    /// The place of an alias.
    pub(super) fn place_of(&self, alias: &LintAlias) -> Place {
        let entry = self.place.field.as_deref().unwrap_or_default();
        Place {
            file: self.place.file.clone(),
            line: alias.line,
            field: Some(format!("{entry}.match.values[{}]", alias.number)),
        }
    }

    /// The place of the answer.
    pub(super) fn markdown_place(&self) -> Place {
        let entry = self.place.field.as_deref().unwrap_or_default();
        Place {
            file: self.place.file.clone(),
            line: self.markdown_line,
            field: Some(format!("{entry}.answer.markdown")),
        }
    }
}

fn invalid(place: Place, what: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Rule::LintInvalid, place, what)
}

struct Reader<'t> {
    file: String,
    text: &'t str,
    /// Where the lines end; `None` where lines do not count.
    ends: Option<Vec<usize>>,
    problems: Vec<Diagnostic>,
}

/// A value and what it is called.
#[derive(Clone, Copy)]
struct Spot<'a, 't> {
    value: Option<&'t RawValue>,
    field: &'a str,
    /// Where it would stand.
    parent: &'t RawValue,
}

impl<'t> Reader<'t> {
    fn new(file: String, text: &'t str, with_lines: bool) -> Self {
        let ends = with_lines.then(|| text.match_indices('\n').map(|(at, _)| at).collect());
        Self { file, text, ends, problems: Vec::new() }
    }

    fn line(&self, value: &RawValue) -> Option<u32> {
        let ends = self.ends.as_ref()?;
        let offset = (value.get().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        u32::try_from(1 + ends.partition_point(|end| *end < offset)).ok()
    }

    fn place(&self, value: &RawValue, field: &str) -> Place {
        Place { file: self.file.clone(), line: self.line(value), field: Some(field.to_owned()) }
    }

    fn spot_place(&self, spot: Spot<'_, 't>) -> Place {
        self.place(spot.value.unwrap_or(spot.parent), spot.field)
    }

    fn refuse(&mut self, spot: Spot<'_, 't>, what: impl Into<String>) {
        let problem = invalid(self.spot_place(spot), what);
        self.problems.push(problem);
    }

    /// The members of an object, none of which that the protocol names is repeated.
    fn object(&mut self, spot: Spot<'_, 't>, names: &[&str]) -> Option<RawMembers<'t>> {
        let value = self.present(spot)?;
        let Ok(members) = serde_json::from_str::<RawMembers<'t>>(value.get()) else {
            self.refuse(spot, "this is not an object");
            return None;
        };
        for name in names.iter().filter(|name| members.repeats(name)) {
            self.refuse(spot, format!("`{name}` stands there twice"));
        }
        Some(members)
    }

    fn list(&mut self, spot: Spot<'_, 't>) -> Option<Vec<&'t RawValue>> {
        let value = self.present(spot)?;
        let list = serde_json::from_str::<Vec<&'t RawValue>>(value.get()).ok();
        if list.is_none() {
            self.refuse(spot, "this is not a list");
        }
        list
    }

    fn present(&mut self, spot: Spot<'_, 't>) -> Option<&'t RawValue> {
        if spot.value.is_none() {
            self.refuse(spot, "it is missing");
        }
        spot.value
    }

    fn text(&mut self, spot: Spot<'_, 't>) -> Option<String> {
        let value = self.present(spot)?;
        let text = serde_json::from_str::<String>(value.get()).ok();
        if text.is_none() {
            let is_text = value.get().starts_with('"');
            let what = if is_text { "this holds half a surrogate pair" } else { "this is not a text" };
            self.refuse(spot, what);
        }
        text
    }

    /// A text of 1 to `most` units without the white space around it.
    fn trimmed(&mut self, spot: Spot<'_, 't>, most: usize) -> Option<String> {
        let text = self.text(spot)?;
        let trimmed = trim(&text);
        let units = utf16_len(trimmed);
        if trimmed.is_empty() {
            self.refuse(spot, "there is nothing but white space");
        } else if units > most {
            let problem = invalid(self.spot_place(spot), "it has too many UTF-16 units").beyond(most, units);
            self.problems.push(problem);
        }
        Some(trimmed.to_owned())
    }

    fn identifier(&mut self, spot: Spot<'_, 't>) -> Option<String> {
        let text = self.text(spot)?;
        if text.parse::<Identifier>().is_err() {
            let what =
                "this is no identifier: 1 to 128 of A-Z a-z 0-9 . _ : -, beginning with a letter or digit";
            self.refuse(spot, what);
        }
        Some(text)
    }

    fn date_time(&mut self, spot: Spot<'_, 't>) -> Option<Timestamp> {
        let time = self.text(spot)?.parse::<DateTime>().ok();
        if time.is_none() {
            self.refuse(spot, "this is no date-time with a zone, such as 2026-03-01T09:00:00Z");
        }
        time.map(|time| time.timestamp())
    }

    fn word(&mut self, spot: Spot<'_, 't>, word: &str) {
        if self.text(spot).is_some_and(|text| text != word) {
            self.refuse(spot, format!("only `{word}` is possible"));
        }
    }

    fn artifact(&mut self, value: &'t RawValue, document: &mut Document) {
        const NAMES: [&str; 8] = [
            "protocol",
            "version",
            "artifactId",
            "siteId",
            "contentHash",
            "generatedAt",
            "expiresAt",
            "entries",
        ];
        let whole = Spot { value: Some(value), field: "artifact", parent: value };
        let Some(members) = self.object(whole, &NAMES) else { return };
        let spot = |name: &'static str| Spot { value: members.get(name), field: name, parent: value };
        self.word(spot("protocol"), "agentskit.chat.knowledge");
        let is_one = |version: &RawValue| serde_json::from_str::<f64>(version.get()).is_ok_and(|v| v == 1.0);
        if self.present(spot("version")).is_some_and(|version| !is_one(version)) {
            self.refuse(spot("version"), "only 1 is possible");
        }
        self.identifier(spot("artifactId"));
        self.identifier(spot("siteId"));
        let generated = self.date_time(spot("generatedAt"));
        if let Some(expires) = members.get("expiresAt") {
            document.expires_line = self.line(expires);
            document.expires_at = self.date_time(spot("expiresAt"));
            if let (Some(from), Some(to)) = (generated, document.expires_at)
                && to <= from
            {
                self.refuse(spot("expiresAt"), "it is not later than `generatedAt`");
            }
        }
        let Some(entries) = self.list(spot("entries")) else { return };
        if entries.len() > Artifact::MAX_ENTRIES {
            let problem = invalid(self.spot_place(spot("entries")), "there are too many entries");
            self.problems.push(problem.beyond(Artifact::MAX_ENTRIES, entries.len()));
        }
        let mut ids: HashMap<String, Place> = HashMap::new();
        for (entry, number) in entries.into_iter().zip(0..) {
            let entry = self.entry(entry, number);
            if let Some(first) = ids.get(&entry.id) {
                let what = format!("another entry has the id {} too", quoted(&entry.id));
                self.problems.push(invalid(entry.place.clone(), what).with([first.clone()]));
            } else if !entry.id.is_empty() {
                ids.insert(entry.id.clone(), entry.place.clone());
            }
            document.entries.push(entry);
        }
    }

    fn entry(&mut self, value: &'t RawValue, number: usize) -> LintEntry {
        let field = format!("entries[{number}]");
        let mut entry = LintEntry { place: self.place(value, &field), ..LintEntry::default() };
        let whole = Spot { value: Some(value), field: &field, parent: value };
        let Some(members) = self.object(whole, &["id", "kind", "label", "match", "answer"]) else {
            return entry;
        };
        let named = |name: &str| format!("{field}.{name}");
        let spot = |name: &str, field| Spot { value: members.get(name), field, parent: value };
        let (id_field, label_field, kind_field) = (named("id"), named("label"), named("kind"));
        entry.id = self.identifier(spot("id", &id_field)).unwrap_or_default();
        entry.label = self.trimmed(spot("label", &label_field), 256).unwrap_or_default();
        let kind = self.text(spot("kind", &kind_field));
        if kind.is_some_and(|kind| !EntryKind::ALL.iter().any(|known| known.as_str() == kind)) {
            let kinds: Vec<&str> = EntryKind::ALL.iter().map(|kind| kind.as_str()).collect();
            let what = format!("this is no kind of entry: {} are possible", kinds.join(", "));
            self.refuse(spot("kind", &kind_field), what);
        }
        let match_field = named("match");
        let matching = spot("match", &match_field);
        if let Some(members) = self.object(matching, &["type", "values"]) {
            let parent = matching.value.unwrap_or(value);
            let field = named("match.type");
            self.word(Spot { value: members.get("type"), field: &field, parent }, "exact");
            let field = named("match.values");
            entry.aliases = self.aliases(Spot { value: members.get("values"), field: &field, parent });
        }
        let answer_field = named("answer");
        let answer = spot("answer", &answer_field);
        if let Some(members) = self.object(answer, &["markdown", "citations"]) {
            let parent = answer.value.unwrap_or(value);
            let field = named("answer.markdown");
            let markdown = Spot { value: members.get("markdown"), field: &field, parent };
            entry.markdown_line = markdown.value.and_then(|value| self.line(value));
            entry.markdown = self.trimmed(markdown, 16_384).unwrap_or_default();
            let field = named("answer.citations");
            entry.citations = self.citations(Spot { value: members.get("citations"), field: &field, parent });
        }
        entry
    }

    fn aliases(&mut self, spot: Spot<'_, 't>) -> Vec<LintAlias> {
        let Some(values) = self.list(spot) else { return Vec::new() };
        if values.is_empty() {
            self.refuse(spot, "there is no alias");
        } else if values.len() > 16 {
            let problem = invalid(self.spot_place(spot), "there are too many aliases");
            self.problems.push(problem.beyond(16, values.len()));
        }
        let mut keys: HashSet<String> = HashSet::new();
        let mut aliases = Vec::with_capacity(values.len());
        for (value, number) in values.into_iter().zip(0..) {
            let field = format!("{}[{number}]", spot.field);
            let alias = Spot { value: Some(value), field: &field, parent: value };
            let Some(text) = self.trimmed(alias, 512) else { continue };
            let key = normalize_key(&text).into_cow().into_owned();
            let units = utf16_len(&key);
            if units > 512 && utf16_len(&text) <= 512 {
                let problem = invalid(self.spot_place(alias), "its key has too many UTF-16 units");
                self.problems.push(problem.beyond(512, units));
            }
            if !keys.insert(key.clone()) {
                self.refuse(
                    alias,
                    format!("its key is that of another alias of the entry: {}", quoted(&key)),
                );
                continue;
            }
            aliases.push(LintAlias { text, key, number, line: self.line(value) });
        }
        aliases
    }

    fn citations(&mut self, spot: Spot<'_, 't>) -> Vec<LintCitation> {
        let Some(values) = self.list(spot) else { return Vec::new() };
        if values.len() > 8 {
            let problem = invalid(self.spot_place(spot), "there are too many citations");
            self.problems.push(problem.beyond(8, values.len()));
        }
        let mut citations = Vec::with_capacity(values.len());
        for (value, number) in values.into_iter().zip(0..) {
            let field = format!("{}[{number}]", spot.field);
            let whole = Spot { value: Some(value), field: &field, parent: value };
            let Some(members) = self.object(whole, &["id", "title", "href"]) else { continue };
            let (id, title, href) =
                (format!("{field}.id"), format!("{field}.title"), format!("{field}.href"));
            self.identifier(Spot { value: members.get("id"), field: &id, parent: value });
            self.trimmed(Spot { value: members.get("title"), field: &title, parent: value }, 256);
            let link = Spot { value: members.get("href"), field: &href, parent: value };
            let Some(text) = self.text(link) else { continue };
            let place = self.spot_place(link);
            if text.parse::<SafeLink>().is_err() {
                let what = format!("readers refuse an artifact that cites {}", quoted(&text));
                self.problems.push(Diagnostic::new(Rule::LintUnsafeLink, place.clone(), what));
            }
            citations.push(LintCitation { href: text, place });
        }
        citations
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use answerplane_protocol::ArtifactContent;

    use super::Document;
    use crate::lint::{LintOptions, lint};
    use crate::rule::Rule;

    /// Whether any finding says that readers refuse the text.
    fn is_refused(text: &[u8]) -> bool {
        let refusals = [Rule::LintInvalid, Rule::LintUnsafeLink, Rule::LintUnreachable];
        lint(&[Document::read("a.json", text)], &LintOptions::default())
            .iter()
            .any(|finding| refusals.contains(&finding.rule))
    }

    #[test]
    fn it_agrees_with_the_readers_of_artifacts() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/schema/artifact");
        let mut count = 0;
        for kind in ["valid", "invalid", "beyond-schema"] {
            for file in std::fs::read_dir(folder.join(kind)).unwrap() {
                let path = file.unwrap().path();
                let text = std::fs::read(&path).unwrap();
                let refused = ArtifactContent::decode(&text).is_err();
                assert_eq!(is_refused(&text), refused, "{}", path.display());
                count += 1;
            }
        }
        assert!(count > 60, "{count}");
    }

    #[test]
    fn what_is_no_artifact_is_a_finding_with_its_line() {
        for (text, line) in [
            (&b""[..], 1),
            (b"[]", 1),
            (b"{\n\n\"a\": ?}", 3),
            (b"\xef\xbb\xbf{}", 1),
            (b"{\n\"\xff\"}", 2),
            (b"null", 1),
        ] {
            let document = Document::read("a.json", text);
            assert_eq!(document.problems[0].rule, Rule::LintInvalid);
            assert_eq!(document.problems[0].place.line, Some(line), "{text:?}");
        }
    }

    #[test]
    fn every_problem_is_named_at_once() {
        let text = format!(
            r#"{{
"protocol": "agentskit.chat.knowledge", "version": 1, "artifactId": "a", "siteId": "a b",
"generatedAt": "yesterday",
"entries": [
  {{"id": "x", "kind": "page", "match": {{"type": "exact", "values": ["One", "one", "{}"]}}, "answer": {{"markdown": " ", "citations": []}}}},
  7,
  {{"id": "x", "kind": "document", "label": "X", "label": "Y", "match": {{"type": "exact", "values": []}}, "answer": {{"markdown": "\ud800", "citations": [{{"id": "c", "title": "C", "href": "javascript:x"}}]}}}}
]}}"#,
            "long ".repeat(120)
        );
        let document = Document::read("a.json", text.as_bytes());
        let found: Vec<String> = document.problems.iter().map(|problem| problem.place.to_string()).collect();
        assert_eq!(
            found,
            [
                "a.json:2 (siteId)",
                "a.json:3 (generatedAt)",
                "a.json:5 (entries[0].label)",
                "a.json:5 (entries[0].kind)",
                "a.json:5 (entries[0].match.values[1])",
                "a.json:5 (entries[0].match.values[2])",
                "a.json:5 (entries[0].answer.markdown)",
                "a.json:6 (entries[1])",
                "a.json:7 (entries[2])",
                "a.json:7 (entries[2].match.values)",
                "a.json:7 (entries[2].answer.markdown)",
                "a.json:7 (entries[2].answer.citations[0].href)",
                "a.json:7 (entries[2])",
            ]
        );
        let limits = document.problems.iter().find_map(|problem| problem.limit.zip(problem.actual));
        assert_eq!(limits, Some((512, 599)));
    }
}
