//! An answer in Markdown, as what it says and where it leads.

use answerplane_normalize::{normalize_key, utf16_len};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// A paragraph has to be this long to count as a text that could be taken for a question.
const PARAGRAPH_UNITS: usize = 25;

/// A sentence has to be this long.
const SENTENCE_UNITS: usize = 8;

/// What an answer says and where it leads.
pub(crate) struct Prose {
    /// The key of its text without markup.
    pub(crate) key: String,
    /// The keys of its longer paragraphs outside of lists.
    pub(crate) paragraphs: Vec<String>,
    /// Where its links and images lead.
    pub(crate) links: Vec<String>,
}

impl Prose {
    pub(crate) fn read(markdown: &str) -> Self {
        let (text, paragraphs, links) = Self::parts(markdown);
        Self { key: normalize_key(&text).into_cow().into_owned(), paragraphs, links }
    }

    /// The text without markup, a block a line; its longer paragraphs, and its links.
    fn parts(markdown: &str) -> (String, Vec<String>, Vec<String>) {
        let (mut text, mut paragraphs, mut links) = (String::new(), Vec::new(), Vec::new());
        let (mut lists, mut start) = (0usize, None);
        for event in Parser::new(markdown) {
            match event {
                Event::Start(Tag::List(_)) => lists += 1,
                Event::End(TagEnd::List(_)) => lists = lists.saturating_sub(1),
                Event::Start(Tag::Paragraph) => start = (lists == 0).then_some(text.len()),
                Event::End(TagEnd::Paragraph) => {
                    if let Some(start) =
                        start.take().filter(|start| utf16_len(&text[*start..]) >= PARAGRAPH_UNITS)
                    {
                        paragraphs.push(normalize_key(&text[start..]).into_cow().into_owned());
                    }
                    text.push('\n');
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    links.push(dest_url.into_string());
                }
                Event::Text(part) | Event::Code(part) => text.push_str(&part),
                Event::SoftBreak | Event::HardBreak => text.push(' '),
                Event::End(TagEnd::Heading(_) | TagEnd::Item | TagEnd::CodeBlock) => text.push('\n'),
                _ => {}
            }
        }
        (text, paragraphs, links)
    }
}

/// Whether an answer has a block or sentence with this key.
pub(crate) fn says(markdown: &str, key: &str) -> bool {
    const ENDS: [char; 8] = ['.', '?', '!', ':', '。', '？', '！', '؟'];
    if utf16_len(key) < SENTENCE_UNITS {
        return false;
    }
    let (text, ..) = Prose::parts(markdown);
    text.lines().any(|line| {
        let line = normalize_key(line);
        line.as_str().match_indices(key).any(|(at, _)| {
            let before = line.as_str()[..at].trim_end();
            let after = &line.as_str()[at + key.len()..];
            let begins = before.is_empty() || before.ends_with(ENDS);
            begins && (after.is_empty() || after.starts_with(ENDS) || key.ends_with(ENDS))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Prose, says};

    #[test]
    fn sentences_and_blocks_are_said() {
        let markdown = "# Plots\n\nPut **your name** on the list. It takes a year!\n\n- Come by";
        for key in
            ["put your name on the list", "put your name on the list.", "it takes a year!", "it takes a year"]
        {
            assert!(says(markdown, key), "{key}");
        }
        for key in ["name on the list", "put your name", "plots", "plots put your name on the list"] {
            assert!(!says(markdown, key), "{key}");
        }
    }

    #[test]
    fn an_answer_is_read_without_its_markup() {
        let prose = Prose::read(
            "# Hours\n\nThe garden is **open** from\n`7:00`, see [here](https://a.test).\n\n- one long item of a list, no paragraph\n\n![x](/y.png)",
        );
        assert_eq!(prose.paragraphs, ["the garden is open from 7:00, see here."]);
        assert_eq!(prose.links, ["https://a.test", "/y.png"]);
        assert!(prose.key.starts_with("hours the garden is open"), "{}", prose.key);
    }
}
