//! The page: lines with what stands before them, in colours or without.

use std::fmt::Write as _;

use crate::text::Span;
use crate::wrap::{Breaks, columns, wrap};

/// What stands before the lines of something: once, and then on each line after.
#[derive(Clone, Debug)]
struct Margin {
    first: Option<String>,
    rest: String,
}

/// The page and how it is written.
#[derive(Clone, Debug)]
pub(crate) struct Screen {
    pub(crate) page: String,
    pub(crate) width: usize,
    pub(crate) is_styled: bool,
    margins: Vec<Margin>,
    /// Behind how many margins an empty line belongs before the next block, if any does.
    gap: Option<usize>,
}

impl Screen {
    pub(crate) fn new(width: usize, is_styled: bool) -> Self {
        Self { page: String::new(), width: width.max(1), is_styled, margins: Vec::new(), gap: None }
    }

    /// Lets what follows stand behind a margin. On narrow pages the inner ones are left out.
    pub(crate) fn enter(&mut self, first: &str, rest: &str) {
        self.margins.push(Margin { first: Some(first.to_string()), rest: rest.to_string() });
    }

    /// Ends the innermost margin. What never had a line has an empty one.
    pub(crate) fn leave(&mut self) {
        if self.margins.last().is_some_and(|margin| margin.first.is_some()) {
            self.lines(&[], Breaks::Words);
        }
        self.margins.pop();
    }

    /// How many columns are left behind the margins.
    pub(crate) fn room(&self) -> usize {
        let taken: usize = self.shown_margins().map(|margin| columns(&margin.rest)).sum();
        self.width - taken
    }

    /// The margins for which there is room: they take up half of the page at most.
    fn shown_margins(&self) -> impl Iterator<Item = &Margin> {
        let mut taken = 0;
        self.margins.iter().take_while(move |margin| {
            taken += columns(&margin.rest);
            taken <= self.width / 2
        })
    }

    /// An empty line before the next block, unless the page is at its beginning.
    pub(crate) fn gap(&mut self) {
        if !self.page.is_empty() {
            self.gap = Some(self.gap.map_or(self.margins.len(), |gap| gap.min(self.margins.len())));
        }
    }

    /// Writes a paragraph.
    pub(crate) fn lines(&mut self, spans: &[Span], breaks: Breaks) {
        for line in wrap(spans, self.room(), breaks) {
            self.line(&line);
        }
    }

    /// Writes one line as it is.
    pub(crate) fn line(&mut self, spans: &[Span]) {
        if let Some(behind) = self.gap.take() {
            self.write_margins(behind, false);
            self.end_line();
        }
        self.write_margins(usize::MAX, true);
        // White space at the end of a line is left out, whatever its style.
        let text = |span: &Span| span.text.trim_end_matches(' ').len();
        let last = spans.iter().rposition(|span| text(span) > 0);
        for (span, at) in spans.iter().zip(0..).take(last.map_or(0, |last| last + 1)) {
            let end = if Some(at) == last { text(span) } else { span.text.len() };
            self.write(span, &span.text[..end]);
        }
        self.end_line();
    }

    fn end_line(&mut self) {
        let kept = self.page.trim_end_matches(' ').len();
        self.page.truncate(kept);
        self.page.push('\n');
    }

    fn write_margins(&mut self, most: usize, takes_first: bool) {
        let shown = self.shown_margins().count().min(most);
        for at in 0..shown {
            let Margin { first, rest } = &mut self.margins[at];
            match first.take_if(|_| takes_first) {
                Some(first) => self.page.push_str(&first),
                None => self.page.push_str(rest),
            }
        }
        for margin in self.margins.iter_mut().skip(shown).filter(|_| takes_first) {
            margin.first = None;
        }
    }

    /// The only place that writes control sequences: styles of `anstyle`, and links whose address is visible ASCII.
    fn write(&mut self, span: &Span, text: &str) {
        if !self.is_styled || text.is_empty() {
            self.page.push_str(text);
            return;
        }
        if let Some(link) = &span.link {
            let _ = write!(self.page, "\u{1b}]8;;{link}\u{1b}\\");
        }
        let _ = write!(self.page, "{}{text}{}", span.style.render(), span.style.render_reset());
        if span.link.is_some() {
            self.page.push_str("\u{1b}]8;;\u{1b}\\");
        }
    }
}
