//! The answer of an entry, by a template.

use crate::read::links::tidy;
use crate::read::text::escaped;

/// The template of sources that have none: the text, and a link to where it stands.
const DEFAULT: &str = "{text}\n\n[{title}]({link})";

/// What an answer is made of. What is missing is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts<'a> {
    /// The title, in plain text.
    pub(super) title: &'a str,
    /// The description, in Markdown.
    pub(super) description: &'a str,
    /// The first paragraph, in Markdown.
    pub(super) paragraph: &'a str,
    /// The address.
    pub(super) link: &'a str,
}

/// A name in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Title,
    Text,
    Description,
    Paragraph,
    Link,
}

const NAMES: [(&str, Name); 5] = [
    ("{title}", Name::Title),
    ("{text}", Name::Text),
    ("{description}", Name::Description),
    ("{paragraph}", Name::Paragraph),
    ("{link}", Name::Link),
];

impl Parts<'_> {
    fn is_empty(&self, name: Name) -> bool {
        match name {
            Name::Title => self.title.is_empty(),
            Name::Text => self.description.is_empty() && self.paragraph.is_empty(),
            Name::Description => self.description.is_empty(),
            Name::Paragraph => self.paragraph.is_empty(),
            Name::Link => self.link.is_empty(),
        }
    }

    fn push(&self, name: Name, answer: &mut String) {
        match name {
            Name::Title => answer.push_str(&escaped(self.title)),
            Name::Text if self.description.is_empty() => answer.push_str(self.paragraph),
            Name::Text | Name::Description => answer.push_str(self.description),
            Name::Paragraph => answer.push_str(self.paragraph),
            Name::Link => answer.push_str(&tidy(self.link)),
        }
    }
}

/// The answer that a template makes of its parts; empty where nothing is left.
///
/// A line is left out where it has names and all of them are empty. The title, which never is, does not hold a line
/// that has other names.
pub(super) fn answer(template: Option<&str>, parts: &Parts<'_>) -> String {
    let mut answer = String::new();
    for line in template.unwrap_or(DEFAULT).lines() {
        let names = || names(line).map(|(_, _, name)| name);
        let is_held = names().any(|name| name != Name::Title && !parts.is_empty(name));
        let has_others = names().any(|name| name != Name::Title);
        if has_others && !is_held {
            continue;
        }
        if answer.is_empty() && line.trim().is_empty() {
            continue;
        }
        let mut done = 0;
        for (start, end, name) in self::names(line) {
            answer.push_str(&line[done..start]);
            parts.push(name, &mut answer);
            done = end;
        }
        answer.push_str(&line[done..]);
        answer.push('\n');
    }
    answer.truncate(answer.trim_end().len());
    answer
}

/// Whether a template needs the first paragraph even where there is a description.
pub(super) fn needs_paragraph(template: Option<&str>) -> bool {
    template.is_some_and(|template| template.contains("{paragraph}"))
}

/// A name in a template that is none of those that are known.
pub(crate) fn unknown_name(template: &str) -> Option<&str> {
    template.match_indices('{').find_map(|(start, _)| {
        let end = start + template[start..].find('}')? + 1;
        let name = &template[start..end];
        let is_name = name.len() > 2 && name[1..name.len() - 1].bytes().all(|byte| byte.is_ascii_lowercase());
        (is_name && NAMES.iter().all(|(known, _)| *known != name)).then_some(name)
    })
}

/// The names in a line, with where they begin and end.
fn names(line: &str) -> impl Iterator<Item = (usize, usize, Name)> {
    line.match_indices('{').filter_map(|(start, _)| {
        let rest = &line[start..];
        let (text, name) = NAMES.iter().find(|(text, _)| rest.starts_with(text))?;
        Some((start, start + text.len(), *name))
    })
}

#[cfg(test)]
mod tests {
    use super::{Parts, answer};

    const PARTS: Parts<'static> =
        Parts { title: "Use `rg`", description: "", paragraph: "It *searches*.", link: "/use (1)" };

    #[test]
    fn the_default_is_the_text_and_a_link() {
        assert_eq!(answer(None, &PARTS), "It *searches*.\n\n[Use \\`rg\\`](/use%20%281%29)");
        assert_eq!(answer(None, &Parts { description: "D", ..PARTS }), "D\n\n[Use \\`rg\\`](/use%20%281%29)");
        assert_eq!(answer(None, &Parts { link: "", ..PARTS }), "It *searches*.");
        assert_eq!(answer(None, &Parts { paragraph: "", ..PARTS }), "[Use \\`rg\\`](/use%20%281%29)");
        assert_eq!(answer(None, &Parts { title: "T", ..Parts::default() }), "");
    }

    #[test]
    fn a_line_without_values_is_left_out() {
        let template = Some("**{title}**\n{description}\n{paragraph}\nSee {link} {unknown}\nBye");
        assert_eq!(
            answer(template, &PARTS),
            "**Use \\`rg\\`**\nIt *searches*.\nSee /use%20%281%29 {unknown}\nBye"
        );
        assert_eq!(answer(template, &Parts { title: "T", ..Parts::default() }), "**T**\nBye");
    }
}
