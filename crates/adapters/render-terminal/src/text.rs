//! Pieces of text of one look, cleaned of all that steers a terminal.

use std::rc::Rc;

use anstyle::{AnsiColor, Style};
use answerplane_protocol::SafeLink;
use answerplane_protocol::render::steers;
use url::Url;

/// What begins a line in which the renderer speaks for itself. In a text of somebody else's it never stands.
pub(crate) const MARK: char = '▌';

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const CODE: Style = AnsiColor::Cyan.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const CAUTION: Style = AnsiColor::Yellow.on_default();

/// A piece of text of one look, which may lead somewhere.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) style: Style,
    /// Where it leads: ASCII that can be seen, of a safe link.
    pub(crate) link: Option<Rc<str>>,
}

impl Span {
    /// A text of somebody else's.
    pub(crate) fn new(text: &str, style: Style) -> Self {
        Self { text: clean(text), style, link: None }
    }

    /// A text of somebody else's on one line.
    pub(crate) fn on_one_line(text: &str, style: Style) -> Self {
        Self::new(&text.replace(['\n', '\t'], " "), style)
    }

    pub(crate) fn leading(self, link: Option<Rc<str>>) -> Self {
        Self { link, ..self }
    }
}

/// A text in which nothing steers: what would becomes U+FFFD, and a tab four spaces.
pub(crate) fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => clean.push_str("    "),
            MARK => clean.push(char::REPLACEMENT_CHARACTER),
            _ if steers(character) => clean.push(char::REPLACEMENT_CHARACTER),
            _ => clean.push(character),
        }
    }
    clean
}

/// Where a terminal is told that a link leads: only whole addresses, as a browser writes them, so ASCII alone.
pub(crate) fn target(link: &SafeLink) -> Option<Rc<str>> {
    let url = Url::parse(link.as_str()).ok()?;
    let is_ascii = url.as_str().bytes().all(|byte| byte.is_ascii_graphic());
    is_ascii.then(|| url.as_str().into())
}

/// What is shown behind the text of a link: where it leads.
pub(crate) fn destination(link: &SafeLink) -> Span {
    Span::on_one_line(&format!("<{link}>"), FAINT).leading(target(link))
}
