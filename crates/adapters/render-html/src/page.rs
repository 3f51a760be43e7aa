//! A whole page: a conversation that anybody can open, without a program and without a network.

use maud::{DOCTYPE, PreEscaped, Render, html};

use crate::component::named;
use crate::escape::Shown;

/// What the fragments look like. Colours, lengths and fonts are the custom properties of `.ap`, which a host sets anew.
pub const STYLESHEET: &str = include_str!("style.css");

/// What a page may do: show itself. Programs and requests are refused, should anything on it ask for them.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// In which direction a page is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From left to right.
    #[default]
    LeftToRight,
    /// From right to left.
    RightToLeft,
}

/// A static page of a conversation: one file without programs, which loads nothing.
///
/// ```
/// use answerplane_protocol::render::Renderer;
/// use answerplane_render_html::{Html, Page};
///
/// let mut answer = Html::inert();
/// answer.text("Every day from **7:00**.").unwrap();
/// let mut page = Page::new("The garden");
/// page.said("When is the garden open?");
/// page.answered(answer);
/// let page = page.into_string();
/// assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\" dir=\"ltr\">"));
/// assert!(page.contains("Every day from <strong>7:00</strong>."));
/// ```
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    language: String,
    direction: Direction,
    messages: String,
}

impl Page {
    /// A page in English without a message.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_string(),
            language: "en".to_string(),
            direction: Direction::default(),
            messages: String::new(),
        }
    }

    /// The same in another language, as BCP 47 names it, with its direction. What is no such name is left out.
    #[must_use]
    pub fn with_language(mut self, language: &str, direction: Direction) -> Self {
        let is_tag = !language.is_empty()
            && language.len() <= 64
            && language.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        self.language = if is_tag { language.to_string() } else { "und".to_string() };
        self.direction = direction;
        self
    }

    /// Shows what a person said, letter by letter.
    pub fn said(&mut self, text: &str) {
        let message = html! {
            article.ap-message.ap-person {
                h2 { "You" }
                p.ap-raw dir="auto" { (Shown(text)) }
            }
        };
        message.render_to(&mut self.messages);
    }

    /// Shows what was answered.
    pub fn answered(&mut self, answer: crate::Html) {
        let message = html! {
            article.ap-message.ap-assistant {
                h2 { "Assistant" }
                (PreEscaped(answer.into_string()))
            }
        };
        message.render_to(&mut self.messages);
    }

    /// The page.
    #[must_use]
    pub fn into_string(self) -> String {
        let direction = match self.direction {
            Direction::LeftToRight => "ltr",
            Direction::RightToLeft => "rtl",
        };
        let title = named(&self.title, "Conversation");
        let page = html! {
            (DOCTYPE)
            html lang=(self.language) dir=(direction) {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="referrer" content="no-referrer";
                    title { (Shown(title)) }
                    style { (PreEscaped(STYLESHEET)) }
                }
                body.ap-page {
                    main.ap {
                        h1 dir="auto" { (Shown(title)) }
                        div.ap-log role="log" aria-label="Conversation" { (PreEscaped(self.messages)) }
                    }
                }
            }
        };
        page.into_string()
    }
}
