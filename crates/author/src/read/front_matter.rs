//! What stands before a page: YAML between `---` lines, or TOML between `+++` lines.

use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::config::line_of;
use crate::read::items::check_depth;
use crate::read::sheet::{Said, Sheet};
use crate::rule::Rule;

/// The fields of front matter that mean something here.
#[derive(Debug, Default)]
pub(super) struct FrontMatter {
    pub(super) title: Option<Said>,
    pub(super) description: Option<Said>,
    pub(super) aliases: Vec<Said>,
    pub(super) id: Option<Said>,
    /// The address of the page: `slug`, `permalink` or `url`.
    pub(super) address: Option<Said>,
    pub(super) kind: Option<Said>,
    pub(super) priority: Option<Said>,
    pub(super) is_draft: bool,
}

/// A page's front matter and where its text begins; nothing where the front matter is broken, which is noted.
pub(super) fn read(text: &str, sheet: &mut Sheet<'_>) -> Option<(FrontMatter, usize)> {
    let Some((block, is_toml)) = block(text) else { return Some((FrontMatter::default(), 0)) };
    let Some(block) = block else {
        sheet.report(Rule::FrontMatter, 1, "", "the front matter has no end");
        return None;
    };
    let source = &text[block.start..block.end];
    let parsed = if is_toml { parse_toml(source) } else { parse_yaml(source) };
    match parsed {
        Ok(fields) => Some((fields.placed(source), block.body)),
        Err((line, message)) => {
            // The first line is that of the dashes.
            let twice = message.strip_prefix(TWICE.0).and_then(|rest| rest.strip_suffix(TWICE.1));
            let named = twice.or(message.split(':').next().filter(|name| KNOWN.contains(name)));
            let field = named.unwrap_or_default().to_owned();
            sheet.report(Rule::FrontMatter, line.map_or(1, |line| line + 1), &field, message);
            None
        }
    }
}

/// Where front matter stands, and where the page begins.
struct Block {
    start: usize,
    end: usize,
    body: usize,
}

/// The front matter of a text, if it has any, and whether it is TOML. Without an end it is `None`.
fn block(text: &str) -> Option<(Option<Block>, bool)> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next()?;
    let is_toml = match first.trim_end() {
        "---" => false,
        "+++" => true,
        _ => return None,
    };
    let start = first.len();
    let mut at = start;
    for line in lines {
        let is_end = match line.trim_end() {
            "---" | "..." => !is_toml,
            "+++" => is_toml,
            _ => false,
        };
        if is_end {
            return Some((Some(Block { start, end: at, body: at + line.len() }), is_toml));
        }
        at += line.len();
    }
    // A rule at the top of a page is no front matter.
    let has_field = text[start..].lines().next().is_some_and(|line| line.contains([':', '=']));
    has_field.then_some((None, is_toml))
}

type Problem = (Option<usize>, String);

fn parse_yaml(source: &str) -> Result<Fields, Problem> {
    if !source.contains([':', '{'])
        && source.lines().all(|line| line.trim().is_empty() || line.starts_with('#'))
    {
        return Ok(Fields::default());
    }
    check_depth(source).map_err(|problem| (Some(problem.line), problem.message))?;
    serde_yaml_ng::from_str(source).map_err(|error| {
        let message = without_place(&error.to_string());
        let line = twice_line(source, &message).or(error.location().map(|location| location.line()));
        (line, message)
    })
}

/// Where a field that stands there twice does so for the second time.
fn twice_line(source: &str, message: &str) -> Option<usize> {
    let name = message.strip_prefix(TWICE.0)?.strip_suffix(TWICE.1)?;
    let lines = source.lines().zip(1..).filter(|(line, _)| begins_field(line, name));
    lines.map(|(_, line)| line).nth(1)
}

/// What stands around the name of a field that stands there twice.
pub(super) const TWICE: (&str, &str) = ("the field ", " stands there twice");

fn parse_toml(source: &str) -> Result<Fields, Problem> {
    toml::from_str(source).map_err(|error| {
        let line = error.span().map(|span| line_of(source, span.start));
        (line, error.message().trim().to_owned())
    })
}

/// The message of a parser without the place, which is reported apart.
pub(super) fn without_place(message: &str) -> String {
    let end = message.rfind(" at line ").filter(|end| message[*end..].contains(" column "));
    message[..end.unwrap_or(message.len())].to_owned()
}

const KNOWN: [&str; 10] =
    ["title", "description", "aliases", "id", "slug", "permalink", "url", "kind", "priority", "draft"];

/// The fields as they were parsed.
#[derive(Default)]
struct Fields {
    /// Texts by the number of their name in [`KNOWN`].
    texts: [Option<String>; KNOWN.len()],
    aliases: Vec<Option<String>>,
}

impl Fields {
    /// The fields with the lines where they stand.
    fn placed(mut self, source: &str) -> FrontMatter {
        let mut take = |name: &str| {
            let number = KNOWN.iter().position(|known| *known == name)?;
            let text = self.texts[number].take()?;
            let line = field_line(source, name).map_or(1, |line| line + 1);
            Some(Said { text, line, field: name.to_owned() })
        };
        let title = take("title");
        let description = take("description");
        let id = take("id");
        let address = ["permalink", "slug", "url"].iter().filter_map(|name| take(name)).next();
        let kind = take("kind");
        let priority = take("priority");
        let is_draft = take("draft").is_some_and(|said| said.text.eq_ignore_ascii_case("true"));
        let first = field_line(source, "aliases").unwrap_or(0);
        let below = source.lines().zip(1..).skip(first);
        let below =
            below.take_while(|(line, _)| line.trim().is_empty() || line.starts_with([' ', '\t', '-', '#']));
        let items = below.filter(|(line, _)| line.trim_start().starts_with('-'));
        let items: Vec<usize> = items.map(|(_, line)| line).collect();
        let aliases = self.aliases.into_iter().zip(0_usize..);
        let aliases = aliases.filter_map(|(text, number)| {
            let text = text?;
            // One below the other, or all in one line.
            let line = items.get(number).copied().unwrap_or(first);
            Some(Said { text, line: line + 1, field: format!("aliases[{number}]") })
        });
        let aliases = aliases.collect();
        FrontMatter { title, description, aliases, id, address, kind, priority, is_draft }
    }
}

/// The line, from 1, where a field of this name begins.
pub(super) fn field_line(source: &str, name: &str) -> Option<usize> {
    source.lines().zip(1..).find(|(line, _)| begins_field(line, name)).map(|(_, line)| line)
}

/// Whether a line begins with a field of this name, in YAML, TOML or JSON.
pub(super) fn begins_field(line: &str, name: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '-', '{', ',', '"', '\'']);
    line.strip_prefix(name)
        .is_some_and(|rest| rest.trim_start_matches(['"', '\'', ' ', '\t']).starts_with([':', '=']))
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;

        impl<'de> Visitor<'de> for Read {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("fields")
            }

            fn visit_unit<E: Error>(self) -> Result<Fields, E> {
                Ok(Fields::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Fields::default();
                let mut seen = HashSet::new();
                while let Some(Text(name)) = map.next_key()? {
                    let number = KNOWN.iter().position(|known| *known == name);
                    match number {
                        Some(2) => fields.aliases = map.next_value::<Texts>()?.0,
                        Some(number) => {
                            fields.texts[number] = map.next_value::<Option<Text>>()?.map(|text| text.0)
                        }
                        None => _ = map.next_value::<IgnoredAny>()?,
                    }
                    if seen.contains(&name) {
                        return Err(A::Error::custom(format_args!("{}{name}{}", TWICE.0, TWICE.1)));
                    }
                    seen.insert(name);
                }
                Ok(fields)
            }
        }

        deserializer.deserialize_any(Read)
    }
}

/// A text, number or truth value, in YAML as it is spelled.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(ReadText).map(Text)
    }
}

struct ReadText;

impl Visitor<'_> for ReadText {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<String, E> {
        Ok(text)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<String, E> {
        Ok(value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<String, E> {
        Ok(value.to_string())
    }
}

/// A list of texts, or one.
struct Texts(Vec<Option<String>>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;

        impl<'de> Visitor<'de> for Read {
            type Value = Texts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of texts")
            }

            fn visit_unit<E: Error>(self) -> Result<Texts, E> {
                Ok(Texts(Vec::new()))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Texts, E> {
                Ok(Texts(vec![Some(text.to_owned())]))
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Texts, E> {
                self.visit_str(&value.to_string())
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Texts, E> {
                self.visit_str(&value.to_string())
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Texts, E> {
                self.visit_str(&value.to_string())
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Texts, E> {
                self.visit_str(&value.to_string())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Texts, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = list.next_element::<Option<Text>>()? {
                    texts.push(text.map(|text| text.0));
                }
                Ok(Texts(texts))
            }
        }

        deserializer.deserialize_any(Read)
    }
}
