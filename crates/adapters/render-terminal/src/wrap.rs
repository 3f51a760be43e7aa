//! Lines of a width: counted in columns of a terminal, never cut within what a person sees as one character.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::text::Span;

/// How text is broken into lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breaks {
    /// Between words and between wide characters; white space at a break is left out.
    Words,
    /// Only where the width ends, every space kept: code.
    Letters,
}

/// How many columns a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.graphemes(true).map(grapheme_columns).sum()
}

fn grapheme_columns(grapheme: &str) -> usize {
    grapheme.width().min(2)
}

/// What a person sees as one character.
#[derive(Clone, Copy)]
struct Atom<'s> {
    text: &'s str,
    span: usize,
    columns: usize,
}

impl Atom<'_> {
    fn is_space(&self) -> bool {
        self.text == " "
    }
}

/// Breaks spans into lines of at most `width` columns. A character that is wider than that stands alone.
pub(crate) fn wrap(spans: &[Span], width: usize, breaks: Breaks) -> Vec<Vec<Span>> {
    let mut lines = Vec::new();
    let mut line: Vec<Atom<'_>> = Vec::new();
    let mut taken = 0;
    for (span, at) in spans.iter().zip(0..) {
        for text in span.text.graphemes(true) {
            if matches!(text, "\n" | "\r\n") {
                lines.push(std::mem::take(&mut line));
                taken = 0;
                continue;
            }
            let atom = Atom { text, span: at, columns: grapheme_columns(text) };
            if breaks == Breaks::Words && atom.is_space() && line.is_empty() && !lines.is_empty() {
                continue;
            }
            if taken + atom.columns > width && !line.is_empty() {
                let rest = match breaks {
                    Breaks::Letters => Vec::new(),
                    Breaks::Words if atom.is_space() => {
                        lines.push(std::mem::take(&mut line));
                        taken = 0;
                        continue;
                    }
                    Breaks::Words => line.split_off(last_break(&line, atom)),
                };
                lines.push(std::mem::replace(&mut line, rest));
                taken = line.iter().map(|atom| atom.columns).sum();
            }
            taken += atom.columns;
            line.push(atom);
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines.into_iter().map(|line| joined(&line, spans, breaks)).collect()
}

/// Where a line that is full is broken: behind the last space, beside the last wide character, or at its end.
fn last_break(line: &[Atom<'_>], next: Atom<'_>) -> usize {
    let is_break = |at: usize| {
        let after = line.get(at).copied().unwrap_or(next);
        let before = line[at - 1];
        before.is_space() || before.columns == 2 || after.columns == 2
    };
    (1..=line.len()).rev().find(|at| is_break(*at)).unwrap_or(line.len())
}

fn joined(line: &[Atom<'_>], spans: &[Span], breaks: Breaks) -> Vec<Span> {
    let end = match breaks {
        Breaks::Words => line.iter().rposition(|atom| !atom.is_space()).map_or(0, |last| last + 1),
        Breaks::Letters => line.len(),
    };
    let mut joined: Vec<(usize, Span)> = Vec::new();
    for atom in &line[..end] {
        match joined.last_mut() {
            Some((span, piece)) if *span == atom.span => piece.text.push_str(atom.text),
            _ => {
                let Span { style, link, .. } = &spans[atom.span];
                let text = atom.text.to_string();
                joined.push((atom.span, Span { text, style: *style, link: link.clone() }));
            }
        }
    }
    joined.into_iter().map(|(_, span)| span).collect()
}

#[cfg(test)]
mod tests {
    use super::{Breaks, columns, wrap};
    use crate::text::{PLAIN, Span};

    fn wrapped(text: &str, width: usize) -> Vec<String> {
        let lines = wrap(&[Span::new(text, PLAIN)], width, Breaks::Words);
        lines.into_iter().map(|line| line.into_iter().map(|span| span.text).collect()).collect()
    }

    #[test]
    fn lines_end_between_words() {
        assert_eq!(wrapped("Water the beds at dawn", 10), ["Water the", "beds at", "dawn"]);
        assert_eq!(wrapped("Wateringcans", 5), ["Water", "ingca", "ns"]);
        assert_eq!(wrapped("", 5), [""]);
    }

    /// The time is that of the text, however many lines it has.
    #[test]
    fn a_long_word_is_wrapped_in_no_time() {
        assert_eq!(wrapped(&"x".repeat(500_000), 1).len(), 500_000);
    }

    #[test]
    fn wide_scripts_break_anywhere() {
        assert_eq!(wrapped("日の出の前に", 6), ["日の出", "の前に"]);
        assert_eq!(wrapped("日の出", 1), ["日", "の", "出"]);
    }

    #[test]
    fn what_is_seen_as_one_character_stays_whole() {
        assert_eq!(wrapped("👩‍🌾👩‍🌾", 2), ["👩‍🌾", "👩‍🌾"]);
        assert_eq!(wrapped("e\u{301}e\u{301}", 1), ["e\u{301}", "e\u{301}"]);
        assert_eq!((columns("👩‍🌾"), columns("e\u{301}"), columns("日本")), (2, 1, 4));
    }
}
