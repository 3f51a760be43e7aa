//! Titles, aliases and other texts as they may be published.

use std::borrow::Cow;
use std::fmt::Write;

use answerplane_normalize::{normalize_key, trim, utf16_len};
use pulldown_cmark::{Event, Parser};

use crate::invisible;

/// The greatest length of a label in UTF-16 units.
pub(super) const MAX_TITLE: usize = 256;
/// The greatest length of an alias and of its key in UTF-16 units.
pub(super) const MAX_ALIAS: usize = 512;
/// The greatest length of an answer in UTF-16 units.
pub(super) const MAX_MARKDOWN: usize = 16_384;

/// A text on one line: trimmed, and every run of white space that is more than one space is one.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    let text = trim(text);
    let breaks = |character: char| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
    if !text.contains("  ")
        && !text.contains(|character: char| character.is_whitespace() && breaks(character))
    {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(char::is_whitespace) {
        line.push_str(&rest[..start]);
        let space = &rest[start..];
        let end = space.find(|character: char| !character.is_whitespace()).unwrap_or(space.len());
        let mut run = space[..end].chars();
        match (run.next(), run.next()) {
            (Some(only), None) if !breaks(only) => line.push(only),
            _ => line.push(' '),
        }
        rest = &space[end..];
    }
    line.push_str(rest);
    Cow::Owned(line)
}

/// Why a text is no alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoAlias {
    /// Nothing is left to type.
    Empty,
    /// It, or its key, has so many UTF-16 units.
    TooLong(usize),
    /// It holds this character, which nobody sees or types.
    Invisible(char),
}

/// An alias as it may be published, with its key.
pub(super) fn alias(text: &str) -> Result<(Cow<'_, str>, String), NoAlias> {
    let alias = one_line(text);
    if let Some(character) = invisible::first(&alias) {
        return Err(NoAlias::Invisible(character));
    }
    let key = normalize_key(&alias);
    if key.is_empty() {
        return Err(NoAlias::Empty);
    }
    let units = utf16_len(&alias).max(key.utf16_len());
    if units > MAX_ALIAS {
        return Err(NoAlias::TooLong(units));
    }
    let key = key.into_cow().into_owned();
    Ok((alias, key))
}

/// A character by its code point.
pub(super) fn code_point(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}

/// A text in Markdown that shows it as it is.
///
/// What has no meaning where it stands, such as `_` inside a word, stays as it is.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    let special = |character: char| "\\`*_[]<>&~|#+-=.)!".contains(character);
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    let mut rest = text.char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        let after = rest.peek().map_or(' ', |(_, after)| *after);
        let is_inside = before.is_alphanumeric() && after.is_alphanumeric();
        let has_meaning = match character {
            '\\' => after.is_ascii_punctuation() || after == ' ',
            '`' | '*' | '[' | ']' | '|' => true,
            '<' => after.is_ascii_alphabetic() || matches!(after, '/' | '!' | '?'),
            '>' | '#' | '+' | '-' | '=' => at == 0,
            '~' => before == '~' || after == '~',
            '_' => !is_inside,
            '&' => after.is_ascii_alphanumeric() || after == '#',
            '!' => after == '[',
            '.' | ')' => digits > 0 && at == digits,
            _ => false,
        };
        if has_meaning {
            escaped.push('\\');
        }
        escaped.push(character);
        before = character;
    }
    Cow::Owned(escaped)
}

/// A text whose HTML entities are the characters that they stand for, and which is otherwise the same.
pub(super) fn without_entities(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    // A Markdown text in which nothing but entities means anything. The first letter keeps white space before it.
    let mut source = String::with_capacity(text.len() * 2);
    source.push('x');
    for character in text.chars() {
        match character {
            '&' | ';' | '#' => {}
            '\n' | '\r' | '\t' | '\0' => {
                source.push(' ');
                continue;
            }
            _ if character.is_ascii_punctuation() => source.push('\\'),
            _ => {}
        }
        source.push(character);
    }
    let mut plain = String::new();
    for event in Parser::new(&source) {
        if let Event::Text(part) | Event::Code(part) = event {
            plain.push_str(&part);
        }
    }
    Cow::Owned(plain.strip_prefix('x').unwrap_or(&plain).to_owned())
}

/// A path or address in words that can be typed.
pub(super) fn words(path: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
    let mut words = String::with_capacity(decoded.len());
    for word in decoded.split(|c: char| c.is_whitespace() || c.is_control() || "/-_.#?&=+".contains(c)) {
        if word.is_empty() {
            continue;
        }
        let gap = if words.is_empty() { "" } else { " " };
        let _ = write!(words, "{gap}{word}");
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{NoAlias, alias, escaped, one_line, without_entities, words};

    #[test]
    fn titles_stand_on_one_line() {
        assert_eq!(one_line(" a\r\n  b\t c "), "a b c");
        assert_eq!(one_line("Node.js\u{3000}とは"), "Node.js\u{3000}とは");
        assert_eq!(one_line("a\u{2028}b"), "a b");
        assert_eq!(one_line("a b"), "a b");
    }

    #[test]
    fn aliases_keep_their_bounds() {
        assert_eq!(alias(" How  Much? ").unwrap(), ("How Much?".into(), "how much?".to_owned()));
        assert_eq!(alias("\u{feff} \t"), Err(NoAlias::Empty));
        assert_eq!(alias("a\u{200b}b"), Err(NoAlias::Invisible('\u{200b}')));
        assert!(alias(&"é".repeat(512)).is_ok());
        assert_eq!(alias(&"é".repeat(513)), Err(NoAlias::TooLong(513)));
        // One character whose key has eighteen.
        assert_eq!(alias(&"\u{fdfa}".repeat(100)), Err(NoAlias::TooLong(1_800)));
    }

    #[test]
    fn titles_are_shown_as_they_are() {
        for (title, markdown) in [
            ("What's new?", "What's new?"),
            ("The `-f/--file` flag", "The \\`-f/--file\\` flag"),
            ("[x](javascript:y)", "\\[x\\](javascript:y)"),
            ("snake_case and _it_", "snake_case and \\_it\\_"),
            ("<link> & &amp; a < b", "\\<link> & \\&amp; a < b"),
            ("1. First", "1\\. First"),
            ("# C#", "\\# C#"),
            ("C:\\!", "C:\\\\!"),
        ] {
            assert_eq!(escaped(title), markdown);
            let mut html = String::new();
            for event in pulldown_cmark::Parser::new(markdown) {
                if let pulldown_cmark::Event::Text(part) = event {
                    html.push_str(&part);
                }
            }
            assert_eq!(html, title);
        }
    }

    #[test]
    fn entities_become_characters_and_nothing_else_changes() {
        for (text, plain) in [
            ("R&amp;D &lt;b&gt; &#39;x&#x27; &unknown; & more", "R&D <b> 'x' &unknown; & more"),
            ("*a* `b` [c](d) # e &copy; \\n", "*a* `b` [c](d) # e © \\n"),
            ("&nbsp;x", "\u{a0}x"),
        ] {
            assert_eq!(without_entities(text), plain);
        }
    }

    #[test]
    fn paths_become_words() {
        assert_eq!(words("cli/getting-started_now.html#a%20b"), "cli getting started now html a b");
    }
}
