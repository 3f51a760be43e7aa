//! A diff in Markdown, for a pull request.

use std::fmt::Write;

use answerplane_normalize::truncate_utf16;

use crate::diff::lines::{Line, changed_lines};
use crate::diff::{Change, Consequence, Diff, Side, Verdict, View};

/// How many consequences of one kind are written out.
const SHOWN: usize = 20;
/// How many aliases of a consequence are written out.
const ALIASES: usize = 6;
/// How many lines of a changed answer are written out.
const LINES: usize = 30;
/// Where a text is cut, in UTF-16 units.
const UNITS: usize = 200;

impl Verdict {
    /// What it means, in a sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Identical => "Nothing changed.",
            Self::OnlyTimes => "A no-op: only the times changed, generatedAt and perhaps expiresAt.",
            Self::Unseen => {
                "No reader sees a difference; only what is not shown changed, such as order, kinds or spelling."
            }
            Self::Changed => "Readers see a difference.",
        }
    }
}

impl Diff {
    /// The diff in Markdown, of bounded length. Texts of the sites cannot act as markup.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut page = format!("### What changes for readers\n\n{}\n", self.verdict.sentence());
        for change in Change::ALL {
            let group: Vec<&Consequence> =
                self.consequences.iter().filter(|consequence| consequence.change == *change).collect();
            if !group.is_empty() {
                write_group(*change, &group, &mut page);
            }
        }
        write_sides(&self.old, &self.new, &mut page);
        page
    }
}

// Writing to a string does not fail.
fn write_group(change: Change, group: &[&Consequence], page: &mut String) {
    let keys: usize = group.iter().map(|consequence| consequence.aliases.len()).sum();
    let _ = writeln!(page, "\n<details><summary>{}: {keys}</summary>\n", change.title());
    for consequence in group.iter().take(SHOWN) {
        let mut aliases: Vec<String> =
            consequence.aliases.iter().take(ALIASES).map(|alias| code(alias)).collect();
        if consequence.aliases.len() > ALIASES {
            aliases.push(format!("and {} more", consequence.aliases.len() - ALIASES));
        }
        let _ = writeln!(page, "- {}", aliases.join(", "));
        let (before, after) = (&consequence.before, &consequence.after);
        match change {
            Change::AnswerChanged => write_lines(before, after, page),
            Change::CitationsChanged => {
                let _ = writeln!(page, "  - sources: {} → {}", sources(before), sources(after));
            }
            _ => {
                let _ = writeln!(page, "  - {} → {}", described(before), described(after));
            }
        }
    }
    if group.len() > SHOWN {
        let _ = writeln!(page, "- and {} more", group.len() - SHOWN);
    }
    page.push_str("\n</details>\n");
}

fn write_lines(before: &View, after: &View, page: &mut String) {
    let (old, new) = (before.markdown.as_deref().unwrap_or(""), after.markdown.as_deref().unwrap_or(""));
    let lines = changed_lines(old, new);
    let longest = old.split(|c| c != '`').chain(new.split(|c| c != '`')).map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(page, "\n  {fence}diff");
    for line in lines.iter().take(LINES) {
        let _ = match line {
            Line::Old(text) => writeln!(page, "  - {}", cut(text)),
            Line::New(text) => writeln!(page, "  + {}", cut(text)),
        };
    }
    if lines.len() > LINES {
        let _ = writeln!(page, "  … {} more lines", lines.len() - LINES);
    }
    let _ = writeln!(page, "  {fence}\n");
}

fn write_sides(old: &Side, new: &Side, page: &mut String) {
    let time = |time: &Option<String>| time.clone().unwrap_or_else(|| "never".to_owned());
    let _ = write!(
        page,
        "\n| | old | new |\n| --- | --- | --- |\n| shards | {} | {} |\n| entries | {} | {} |\n| aliases | {} | {} |\n\
         | keys | {} | {} |\n| bytes | {} | {} |\n| generated | {} | {} |\n| expires | {} | {} |\n",
        old.shards,
        new.shards,
        old.entries,
        new.entries,
        old.aliases,
        new.aliases,
        old.keys,
        new.keys,
        old.bytes,
        new.bytes,
        time(&old.generated_at),
        time(&new.generated_at),
        time(&old.expires_at),
        time(&new.expires_at),
    );
}

fn described(view: &View) -> String {
    let entries: Vec<String> = view.entries.iter().map(|entry| code(&entry.id)).collect();
    if entries.is_empty() {
        view.outcome.as_str().to_owned()
    } else {
        format!("{} {}", view.outcome.as_str(), entries.join(", "))
    }
}

fn sources(view: &View) -> String {
    let sources: Vec<String> = view.citations.iter().map(|source| code(&source.href)).collect();
    if sources.is_empty() { "none".to_owned() } else { sources.join(", ") }
}

/// A text as inline code, on one line.
fn code(text: &str) -> String {
    let text = cut(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// A text on one line, cut where it is long; what is not seen becomes its number.
fn cut(text: &str) -> String {
    let short = truncate_utf16(text, UNITS);
    let mut line = String::with_capacity(short.len());
    for character in short.chars() {
        match character {
            '\t' => line.push(' '),
            _ if character.is_control() || crate::characters::is_unseen(character) => {
                let _ = write!(line, "<U+{:04X}>", u32::from(character));
            }
            _ => line.push(character),
        }
    }
    if short.len() < text.len() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{code, cut};

    #[test]
    fn texts_cannot_act_as_markup() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`</details>``b"), "``` a`</details>``b ```");
        assert_eq!(cut("a\nb\u{202e}c"), "a<U+000A>b<U+202E>c");
        assert!(cut(&"x".repeat(300)).ends_with('…'));
    }
}
