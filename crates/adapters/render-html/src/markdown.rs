//! Markdown as HTML: each event of the parser becomes tags of ours, or text.

use answerplane_protocol::SafeLink;
use answerplane_protocol::render::is_seen;
use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Tag, TagEnd};

use crate::escape::{escape, escape_href};

/// What is read beyond CommonMark.
pub(crate) const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// How deep quotes, lists and emphasis lie in each other; what lies deeper is shown flat.
const MAX_DEPTH: usize = 32;
/// The level of the outermost heading: above it stand those of the page and of the message.
const OUTERMOST_HEADING: usize = 3;

/// The headings under which the next block stands. No level is left out on the way down, whatever the author wrote.
#[derive(Clone, Debug, Default)]
pub(crate) struct Headings(Vec<HeadingLevel>);

impl Headings {
    fn enter(&mut self, level: HeadingLevel) -> usize {
        while self.0.last().is_some_and(|open| *open >= level) {
            self.0.pop();
        }
        self.0.push(level);
        (OUTERMOST_HEADING + self.0.len() - 1).min(6)
    }
}

/// Writes the events of whole blocks.
pub(crate) struct Writer<'w> {
    out: &'w mut String,
    headings: &'w mut Headings,
    /// How many quotes, lists and emphases are open, written or not.
    depth: usize,
    /// How many images are open; what stands in one is its alternative text.
    images: usize,
    /// The link that is open.
    link: Option<Link>,
    /// The image that is open outside any link.
    image: Option<Link>,
    /// Where the heading or head cell that is open begins, and whether anything in it is seen.
    begin: usize,
    is_seen: bool,
    heading: usize,
    alignments: Vec<Alignment>,
    cell: usize,
    is_head: bool,
}

/// A link that is open: where it leads, if that is safe.
struct Link {
    href: Option<String>,
    is_seen: bool,
}

impl<'w> Writer<'w> {
    pub(crate) fn new(out: &'w mut String, headings: &'w mut Headings) -> Self {
        Self {
            out,
            headings,
            depth: 0,
            images: 0,
            link: None,
            image: None,
            begin: 0,
            is_seen: false,
            heading: 0,
            alignments: Vec::new(),
            cell: 0,
            is_head: false,
        }
    }

    pub(crate) fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(code) => {
                self.tag("<code dir=\"auto\">");
                self.text(&code);
                self.tag("</code>");
            }
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.tag("<br>"),
            Event::Rule => self.out.push_str("<hr>\n"),
            Event::TaskListMarker(true) => self.tag("<span role=\"img\" aria-label=\"done\">☑</span> "),
            Event::TaskListMarker(false) => self.tag("<span role=\"img\" aria-label=\"to do\">☐</span> "),
            // Extensions that are not enabled.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.text(&text)
            }
        }
    }

    /// Writes a tag, unless what stands here is the alternative text of an image.
    fn tag(&mut self, tag: &str) {
        if self.images == 0 {
            self.out.push_str(tag);
        }
    }

    fn text(&mut self, text: &str) {
        if !self.is_seen && is_seen(text) {
            self.is_seen = true;
        }
        for link in [&mut self.link, &mut self.image].into_iter().flatten() {
            link.is_seen = link.is_seen || is_seen(text);
        }
        escape(text, self.out);
    }

    /// The direction of an outermost block is that of its first letter.
    fn block(&mut self, name: &str) {
        self.out.push('<');
        self.out.push_str(name);
        self.out.push_str(if self.depth == 0 { " dir=\"auto\">" } else { ">" });
    }

    fn begin(&mut self) {
        self.begin = self.out.len();
        self.is_seen = false;
    }

    fn enter(&mut self, tag: &str) {
        if self.depth < MAX_DEPTH {
            self.tag(tag);
        }
        self.depth += 1;
    }

    fn leave(&mut self, tag: &str) {
        self.depth -= 1;
        if self.depth < MAX_DEPTH {
            self.tag(tag);
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.block("p"),
            Tag::Heading { level, .. } => {
                self.begin();
                self.heading = self.headings.enter(level);
                let heading = ["h3", "h4", "h5", "h6"][self.heading - OUTERMOST_HEADING];
                self.block(heading);
            }
            Tag::BlockQuote(_) => {
                self.enter(if self.depth == 0 { "<blockquote dir=\"auto\">" } else { "<blockquote>" });
            }
            Tag::CodeBlock(kind) => self.code_block(&kind),
            Tag::HtmlBlock => self.out.push_str("<p class=\"ap-raw\" dir=\"auto\">"),
            Tag::List(None) => self.enter(if self.depth == 0 { "<ul dir=\"auto\">" } else { "<ul>" }),
            Tag::List(Some(first)) => {
                let direction = if self.depth == 0 { " dir=\"auto\"" } else { "" };
                let tag = if first == 1 {
                    format!("<ol{direction}>")
                } else {
                    format!("<ol{direction} start=\"{first}\">")
                };
                self.enter(&tag);
            }
            Tag::Item if self.depth <= MAX_DEPTH => self.out.push_str("<li>"),
            Tag::Table(alignments) => {
                self.alignments = alignments;
                self.out.push_str(
                    "<div class=\"ap-scroll\" role=\"group\" aria-label=\"Table\" tabindex=\"0\"><table class=\"ap-table\">\n",
                );
            }
            Tag::TableHead => {
                self.is_head = true;
                self.cell = 0;
                self.out.push_str("<thead><tr>");
            }
            Tag::TableRow => {
                self.cell = 0;
                self.out.push_str("<tr>");
            }
            Tag::TableCell => {
                self.begin();
                self.out.push_str(if self.is_head {
                    "<th scope=\"col\" dir=\"auto\""
                } else {
                    "<td dir=\"auto\""
                });
                self.out.push_str(self.alignment());
            }
            Tag::Emphasis => self.enter("<em>"),
            Tag::Strong => self.enter("<strong>"),
            Tag::Strikethrough => self.enter("<del>"),
            Tag::Link { dest_url, .. } if self.images == 0 => {
                let href = safe(&dest_url);
                self.anchor(href.as_deref(), "ap-link");
                self.link = Some(Link { href, is_seen: false });
            }
            Tag::Image { dest_url, .. } => {
                if self.images == 0 && self.link.is_none() {
                    let href = safe(&dest_url);
                    self.anchor(href.as_deref(), "ap-image");
                    self.image = Some(Link { href, is_seen: false });
                }
                self.images += 1;
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.out.push_str("</p>\n"),
            TagEnd::Heading(_) if !self.is_seen => self.out.truncate(self.begin),
            TagEnd::Heading(_) => {
                self.out
                    .push_str(["</h3>\n", "</h4>\n", "</h5>\n", "</h6>\n"][self.heading - OUTERMOST_HEADING]);
            }
            TagEnd::BlockQuote(_) => self.leave("</blockquote>\n"),
            TagEnd::CodeBlock => self.out.push_str("</code></pre>\n"),
            TagEnd::List(is_ordered) => self.leave(if is_ordered { "</ol>\n" } else { "</ul>\n" }),
            TagEnd::Item if self.depth <= MAX_DEPTH => self.out.push_str("</li>\n"),
            TagEnd::Table => self.out.push_str("</tbody></table></div>\n"),
            TagEnd::TableHead => {
                self.is_head = false;
                self.out.push_str("</tr></thead><tbody>\n");
            }
            TagEnd::TableRow => self.out.push_str("</tr>\n"),
            TagEnd::TableCell => {
                // A head cell that says nothing is no head.
                if self.is_head && !self.is_seen {
                    self.out.truncate(self.begin);
                    self.out.push_str("<td></td>");
                } else {
                    self.out.push_str(if self.is_head { "</th>" } else { "</td>" });
                }
                self.cell += 1;
            }
            TagEnd::Emphasis => self.leave("</em>"),
            TagEnd::Strong => self.leave("</strong>"),
            TagEnd::Strikethrough => self.leave("</del>"),
            TagEnd::Link if self.images == 0 => {
                let link = self.link.take();
                self.end_anchor(link);
            }
            TagEnd::Image => {
                self.images -= 1;
                if self.images == 0 {
                    let image = self.image.take();
                    if image.is_some() {
                        self.end_anchor(image);
                    }
                }
            }
            _ => {}
        }
    }

    fn anchor(&mut self, href: Option<&str>, class: &str) {
        match href {
            Some(href) => {
                self.out.push_str("<a class=\"");
                self.out.push_str(class);
                self.out.push_str("\" href=\"");
                escape_href(href, self.out);
                self.out.push_str("\" rel=\"nofollow noopener noreferrer\">");
            }
            None => {
                self.out.push_str("<span class=\"ap-unlinked\">");
            }
        }
    }

    /// A link that shows nothing shows where it leads.
    fn end_anchor(&mut self, link: Option<Link>) {
        let Some(Link { href, is_seen }) = link else { return };
        if let Some(href) = &href
            && !is_seen
        {
            self.is_seen = true;
            escape(href, self.out);
        }
        self.out.push_str(if href.is_some() { "</a>" } else { "</span>" });
    }

    fn code_block(&mut self, kind: &CodeBlockKind<'_>) {
        let language = match kind {
            CodeBlockKind::Fenced(info) => language(info),
            CodeBlockKind::Indented => String::new(),
        };
        self.out
            .push_str("<pre class=\"ap-code\" dir=\"ltr\" role=\"group\" tabindex=\"0\" aria-label=\"Code");
        if language.is_empty() {
            self.out.push_str("\"><code>");
        } else {
            self.out.push_str(&format!(": {language}\"><code class=\"language-{language}\">"));
        }
    }

    fn alignment(&self) -> &'static str {
        match self.alignments.get(self.cell) {
            Some(Alignment::Left) => " class=\"ap-left\">",
            Some(Alignment::Center) => " class=\"ap-center\">",
            Some(Alignment::Right) => " class=\"ap-right\">",
            Some(Alignment::None) | None => ">",
        }
    }
}

/// A destination as it may be linked to, or nothing.
fn safe(destination: &str) -> Option<String> {
    destination.parse::<SafeLink>().ok().map(|link| link.as_str().to_string())
}

/// The first word of an info string, as far as it is one that names languages.
fn language(info: &str) -> String {
    let word = info.split([' ', '\t', ',', '{']).next().unwrap_or_default();
    let is_plain =
        |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '#' | '-' | '_' | '.');
    word.chars().filter(is_plain).take(32).collect()
}
