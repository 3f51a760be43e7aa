//! Markdown on a terminal.

use std::rc::Rc;

use anstyle::Style;
use answerplane_protocol::SafeLink;
use answerplane_protocol::render::is_seen;
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::screen::Screen;
use crate::table::{Grid, Side};
use crate::text::{CODE, FAINT, PLAIN, STRONG, Span, destination, target};
use crate::wrap::Breaks;

const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// Writes a text in Markdown.
pub(crate) fn markdown(text: &str, screen: &mut Screen) {
    let mut writer = Writer {
        screen,
        spans: Vec::new(),
        looks: Vec::new(),
        lists: Vec::new(),
        links: Vec::new(),
        in_code: false,
        grid: None,
    };
    for event in Parser::new_ext(text, OPTIONS) {
        writer.event(event);
    }
    writer.flush();
}

struct Writer<'s> {
    screen: &'s mut Screen,
    /// What has come in of a paragraph, heading, item or cell.
    spans: Vec<Span>,
    looks: Vec<Style>,
    /// The next number of each list that is open, or none where it has no numbers.
    lists: Vec<Option<u64>>,
    links: Vec<Link>,
    in_code: bool,
    grid: Option<Grid>,
}

/// A link or image that is open.
struct Link {
    to: Option<SafeLink>,
    target: Option<Rc<str>>,
    /// Where its text begins.
    begin: usize,
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => self.text(&text, self.look()),
            Event::Code(code) => self.text(&format!("`{code}`"), CODE),
            Event::SoftBreak => self.text(" ", self.look()),
            Event::HardBreak if self.grid.is_some() => self.text(" ", PLAIN),
            Event::HardBreak => self.text("\n", PLAIN),
            Event::Rule => {
                self.flush();
                self.gap();
                let width = self.screen.room().min(40);
                self.screen.line(&[Span::new(&"─".repeat(width), FAINT)]);
                self.gap();
            }
            Event::TaskListMarker(is_done) => self.text(if is_done { "[x] " } else { "[ ] " }, PLAIN),
        }
    }

    fn look(&self) -> Style {
        self.looks.last().copied().unwrap_or(PLAIN)
    }

    fn text(&mut self, text: &str, style: Style) {
        let link = self.links.iter().find_map(|link| link.target.clone());
        let style = if link.is_some() { style.underline() } else { style };
        self.spans.push(Span::new(text, style).leading(link));
    }

    /// A gap between blocks, but not within lists.
    fn gap(&mut self) {
        if self.lists.is_empty() {
            self.screen.gap();
        }
    }

    /// Ends the paragraph that has come in.
    fn flush(&mut self) {
        if self.spans.is_empty() {
            return;
        }
        let spans = std::mem::take(&mut self.spans);
        self.screen.lines(&spans, if self.in_code { Breaks::Letters } else { Breaks::Words });
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.flush(),
            Tag::Heading { level, .. } => {
                self.flush();
                self.gap();
                let marks = "#".repeat(level as usize);
                self.spans.push(Span::new(&format!("{marks} "), FAINT));
                self.looks.push(if level == HeadingLevel::H1 { STRONG.underline() } else { STRONG });
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.screen.enter("│ ", "│ ");
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                self.gap();
                self.screen.enter("    ", "    ");
                if let CodeBlockKind::Fenced(info) = kind
                    && is_seen(&info)
                {
                    self.screen.lines(&[Span::on_one_line(&info, FAINT)], Breaks::Words);
                }
                self.in_code = true;
                self.looks.push(CODE);
            }
            Tag::List(first) => {
                self.flush();
                self.gap();
                self.lists.push(first);
            }
            Tag::Item => {
                let first = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let first = format!("{number}. ");
                        *number = number.saturating_add(1);
                        first
                    }
                    _ => "• ".to_string(),
                };
                let rest = " ".repeat(first.chars().count());
                self.screen.enter(&first, &rest);
            }
            Tag::Table(alignments) => {
                self.flush();
                let sides = alignments.iter().map(|alignment| match alignment {
                    Alignment::Right => Side::Right,
                    Alignment::Center => Side::Centre,
                    Alignment::Left | Alignment::None => Side::Left,
                });
                self.grid = Some(Grid { head: Vec::new(), rows: Vec::new(), sides: sides.collect() });
            }
            Tag::TableRow => {
                if let Some(grid) = &mut self.grid {
                    grid.rows.push(Vec::new());
                }
            }
            Tag::Emphasis => self.looks.push(self.look().italic()),
            Tag::Strong => self.looks.push(self.look().bold()),
            Tag::Strikethrough => self.looks.push(self.look().strikethrough()),
            Tag::Link { dest_url, .. } => self.link(&dest_url),
            Tag::Image { dest_url, .. } => {
                self.text("[image: ", self.look());
                self.link(&dest_url);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.flush();
                self.gap();
            }
            TagEnd::Heading(_) => {
                self.looks.pop();
                self.flush();
                self.gap();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.screen.leave();
                self.gap();
            }
            TagEnd::CodeBlock => {
                if let Some(last) = self.spans.last_mut()
                    && last.text.ends_with('\n')
                {
                    last.text.pop();
                }
                self.flush();
                self.in_code = false;
                self.looks.pop();
                self.screen.leave();
                self.gap();
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                self.gap();
            }
            TagEnd::Item => {
                self.flush();
                self.screen.leave();
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.spans);
                if let Some(grid) = &mut self.grid {
                    grid.rows.last_mut().unwrap_or(&mut grid.head).push(cell);
                }
            }
            TagEnd::Table => {
                if let Some(grid) = self.grid.take() {
                    grid.write(self.screen);
                }
                self.gap();
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.looks.pop();
            }
            TagEnd::Link => self.end_link(),
            TagEnd::Image => {
                self.text("]", self.look());
                self.end_link();
            }
            _ => {}
        }
    }

    fn link(&mut self, to: &str) {
        let to = to.parse::<SafeLink>().ok();
        let target = to.as_ref().and_then(target);
        self.links.push(Link { to, target, begin: self.spans.len() });
    }

    /// Behind its text stands where a link leads, unless the text says it.
    fn end_link(&mut self) {
        let Some(Link { to: Some(to), begin, .. }) = self.links.pop() else { return };
        let text: String = self.spans.iter().skip(begin).map(|span| span.text.as_str()).collect();
        if text == to.as_str() {
            return;
        }
        self.spans.push(Span::new(if is_seen(&text) { " " } else { "" }, PLAIN));
        self.spans.push(destination(&to));
    }
}
