//! A run of text while it comes in: blocks that are finished are written once.

use std::collections::HashMap;

use pulldown_cmark::{BrokenLink, CowStr, Event, Parser};

use crate::markdown::{Headings, OPTIONS, Writer};

/// A run of text in Markdown, of which some blocks are finished.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    text: String,
    /// Where the blocks end that are written already.
    written: usize,
    /// Up to where lines have been looked through for the ends of blocks.
    seen: usize,
    headings: Headings,
    /// Definitions of references in blocks that are written, by label.
    definitions: HashMap<String, String>,
    /// How many blocks were written, those of an open end counted each time.
    pub(crate) blocks: usize,
}

impl Run {
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Writes the blocks that nothing can change any more but a definition.
    ///
    /// A block is finished once another one begins behind it on a line that is complete.
    pub(crate) fn write_finished(&mut self, out: &mut String) {
        let complete = self.text.rfind('\n').map_or(0, |end| end + 1);
        if complete <= self.seen {
            return;
        }
        self.seen = complete;
        let mut ends = Vec::new();
        let mut depth = 0_usize;
        for (event, range) in Parser::new_ext(&self.text[self.written..complete], OPTIONS).into_offset_iter()
        {
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => {
                    depth -= 1;
                    if depth == 0 {
                        ends.push(range.end);
                    }
                }
                Event::Rule if depth == 0 => ends.push(range.end),
                _ => {}
            }
        }
        ends.pop();
        if let Some(end) = ends.last() {
            self.write_for_good(self.written + end, out);
        }
    }

    /// Writes what is open, as it stands; it may look otherwise next time.
    pub(crate) fn write_open(&mut self, out: &mut String) {
        let headings = self.headings.clone();
        self.write(self.text.len(), out);
        self.headings = headings;
    }

    /// Writes the whole run, from its beginning.
    pub(crate) fn write_whole(&mut self, out: &mut String) {
        self.written = 0;
        self.headings = Headings::default();
        self.definitions.clear();
        self.write_for_good(self.text.len(), out);
    }

    /// Writes the rest of the run. Says whether the whole would be another one, now that every definition is known.
    pub(crate) fn write_rest(&mut self, out: &mut String) -> bool {
        let was_begun = self.written > 0;
        self.write_for_good(self.text.len(), out);
        was_begun && !self.definitions.is_empty()
    }

    /// Writes blocks that will not change, and keeps the definitions between them.
    fn write_for_good(&mut self, end: usize, out: &mut String) {
        for (name, href) in self.write(end, out) {
            self.definitions.entry(name).or_insert(href);
        }
        self.written = end;
    }

    /// Writes blocks. Gives the definitions between them.
    fn write(&mut self, end: usize, out: &mut String) -> Vec<(String, String)> {
        let known = &self.definitions;
        let mut broken = |link: BrokenLink<'_>| {
            known.get(&label(&link.reference)).map(|href| (CowStr::from(href.clone()), CowStr::Borrowed("")))
        };
        let callback = (!known.is_empty()).then_some(&mut broken);
        let parser = Parser::new_with_broken_link_callback(&self.text[self.written..end], OPTIONS, callback);
        let found: Vec<(String, String)> = parser
            .reference_definitions()
            .iter()
            .map(|(name, definition)| (label(name), definition.dest.to_string()))
            .collect();
        let mut depth = 0_usize;
        let mut writer = Writer::new(out, &mut self.headings);
        for event in parser {
            match &event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.blocks += 1;
            }
            writer.event(event);
        }
        found
    }
}

/// A label of a reference, as labels are compared.
fn label(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
