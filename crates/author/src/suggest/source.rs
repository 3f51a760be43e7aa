//! Proposals in the format of entries that are written by hand.

use std::collections::HashSet;
use std::fmt::Write;

use answerplane_normalize::normalize_key;
use answerplane_protocol::{Artifact, Entry};

use crate::characters::is_unseen;
use crate::outcome::base_id;
use crate::plan::variants::variants;
use crate::suggest::{Proposal, Suggestions};

impl Suggestions {
    /// The proposals as `[[entry]]` tables of TOML: entries that are there with their aliases and the proposed ones, then
    /// stubs whose answer is still empty. Comments say why. Typing variants are left out, since a build adds them itself
    /// where there is room.
    #[must_use]
    pub fn to_toml(&self, shards: &[&Artifact]) -> String {
        let mut text = String::from(
            "# Proposals from queries that were asked in vain. Review each; nothing of this is published.\n",
        );
        let entries = || shards.iter().flat_map(|shard| shard.entries());
        for proposals in self.proposals.chunk_by(|one, two| one.entry == two.entry) {
            if let Some(entry) = entries().find(|entry| entry.id() == proposals[0].entry) {
                let own = own_aliases(entry, entries().filter(|other| is_part(entry, other)));
                write_entry(entry, &own, proposals, &mut text);
            }
        }
        for stub in &self.stubs {
            let _ = write!(
                text,
                "\n# Asked {}, and like no entry that is there. Write the answer, or remove this.\n[[entry]]\nid = {}\n\
                 kind = \"document\"\nlabel = {}\naliases = [\n",
                times(stub.queries),
                quoted(&stub.id),
                quoted(&stub.label)
            );
            for alias in &stub.aliases {
                let _ = writeln!(text, "  {},", quoted(alias));
            }
            text.push_str("]\nanswer = \"\"\n");
        }
        text
    }
}

/// Whether an entry is this one or continues it.
fn is_part(entry: Entry<'_>, other: &Entry<'_>) -> bool {
    let is_same = entry.label() == other.label() && entry.markdown() == other.markdown();
    is_same && base_id(other.id(), |id| id == entry.id()) == entry.id()
}

/// The aliases of an entry and of those that continue it, without typing variants of the label or of an alias before.
fn own_aliases<'a>(entry: Entry<'a>, parts: impl Iterator<Item = Entry<'a>>) -> Vec<&'a str> {
    let keys_of_variants = |alias: &str| -> Vec<String> {
        variants(alias, entry.kind(), &[]).into_iter().map(|(_, variant)| key(&variant)).collect()
    };
    let mut made: HashSet<String> = keys_of_variants(entry.label()).into_iter().collect();
    let mut own = Vec::new();
    for alias in parts.flat_map(|part| part.aliases()) {
        if !made.contains(&key(alias)) {
            own.push(alias);
            made.extend(keys_of_variants(alias));
        }
    }
    own
}

fn key(text: &str) -> String {
    normalize_key(text).into_cow().into_owned()
}

// Writing to a string does not fail.
fn write_entry(entry: Entry<'_>, aliases: &[&str], proposals: &[Proposal], text: &mut String) {
    let _ = write!(
        text,
        "\n[[entry]]\nid = {}\nkind = {}\nlabel = {}\naliases = [\n",
        quoted(entry.id()),
        quoted(entry.kind().as_str()),
        quoted(entry.label())
    );
    for alias in aliases {
        let _ = writeln!(text, "  {},", quoted(alias));
    }
    for proposal in proposals {
        let _ = writeln!(
            text,
            "  # proposed: asked {}, most like {}",
            times(proposal.queries),
            quoted(&proposal.declared)
        );
        let _ = writeln!(text, "  {},", quoted(&proposal.alias));
    }
    let _ = writeln!(text, "]\nanswer = {}", quoted(entry.markdown()));
    if entry.citations().len() > 0 {
        text.push_str("citations = [\n");
        for source in entry.citations() {
            let (id, title, href) = (quoted(source.id()), quoted(source.title()), quoted(source.href()));
            let _ = writeln!(text, "  {{ id = {id}, title = {title}, href = {href} }},");
        }
        text.push_str("]\n");
    }
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// A text as TOML writes it on one line, which is safe in a comment too. What is not seen is an escape.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            _ if character.is_control() || is_unseen(character) || is_odd(character) => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// Separators of lines, and what marks annotations and lines of a program.
fn is_odd(character: char) -> bool {
    matches!(character, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}' | '▌')
}

#[cfg(test)]
mod tests {
    use toml::Value;

    use super::quoted;

    #[test]
    fn every_text_is_read_back_as_it_was() {
        for text in ["", "a\"b\\c", "line\nfeed\ttab\r\u{7f}\0\u{85}", "naïve 😀 \u{202e}", "'''\"\"\""] {
            let table: toml::Table = format!("a = {}", quoted(text)).parse().unwrap();
            assert_eq!(table["a"], Value::String(text.into()));
            assert_eq!(quoted(text).lines().count(), 1, "{text:?}");
        }
    }
}
