//! Package manifests: package.json and Cargo.toml.

use crate::config::line_of;
use crate::draft::{DraftId, Origin};
use crate::read::front_matter::without_place;
use crate::read::items::json_value;
use crate::read::rows::published;
use crate::read::sheet::{Answer, Piece, Said, Sheet};
use crate::read::text::words;
use crate::read::value::{Read, Value};
use crate::rule::Rule;
use serde::de::DeserializeSeed;

/// Reads a package.json. One without a name is no package.
pub(super) fn npm(text: &str, below: &str, sheet: &mut Sheet<'_>) {
    match json_value(text) {
        Ok(value) => {
            let repository = value.get("repository").and_then(|repository| match repository {
                Value::Map(_) => repository.get("url").and_then(Value::text),
                other => other.text(),
            });
            let link = field(&value, "homepage", text).or_else(|| {
                let text = web_address(repository?)?;
                Some(Said { text, line: 0, field: "repository".into() })
            });
            add(&value, text, link, below, sheet);
        }
        Err(error) => {
            sheet.report(Rule::Manifest, error.line(), "", without_place(&error.to_string()));
        }
    }
}

/// Reads a Cargo.toml. One without a package is that of a workspace only.
pub(super) fn cargo(text: &str, below: &str, sheet: &mut Sheet<'_>) {
    let problem = |error: toml::de::Error| {
        let line = error.span().map_or(0, |span| line_of(text, span.start));
        (line, error.message().trim().to_owned())
    };
    let value = toml::Deserializer::parse(text)
        .map_err(problem)
        .and_then(|value| Read::within(&Read::budget(text)).deserialize(value).map_err(problem));
    match value {
        Ok(value) => {
            let Some(package) = value.get("package") else { return };
            let link = ["documentation", "homepage", "repository"]
                .iter()
                .find_map(|name| field(package, name, text));
            add(package, text, link, below, sheet);
        }
        Err((line, message)) => sheet.report(Rule::Manifest, line, "", message),
    }
}

fn add(value: &Value, text: &str, link: Option<Said>, below: &str, sheet: &mut Sheet<'_>) {
    let Some(name) = field(value, "name", text) else { return };
    let description =
        field(value, "description", text).map(|said| published(&said, sheet)).unwrap_or_default();
    let link = link.and_then(|said| sheet.link(&said));
    let folder = below.rsplit_once('/').map_or("", |(folder, _)| folder);
    let qualifiers = folder.split('/').rev().map(words).filter(|name| !name.is_empty()).collect();
    sheet.add(Piece {
        origin: Origin::Page,
        id: DraftId::Address(format!("{}{}", sheet.settings.source.id_prefix, name.text)),
        id_line: 0,
        path: words(&name.text),
        title: name,
        aliases: Vec::new(),
        kind: sheet.settings.kind,
        qualifiers,
        link,
        answer: Answer::Parts { description, paragraph: String::new() },
        citations: Vec::new(),
        priority: sheet.settings.priority,
    });
}

/// A field that is a text; what is inherited from a workspace is none.
fn field(value: &Value, name: &str, source: &str) -> Option<Said> {
    let text = value.get(name)?.text()?.to_owned();
    let line = crate::read::front_matter::field_line(source, name).unwrap_or(0);
    Some(Said { text, line, field: name.to_owned() })
}

/// The web address of a repository as package.json may write it.
fn web_address(repository: &str) -> Option<String> {
    let address = repository.strip_prefix("git+").unwrap_or(repository);
    let address = address.strip_suffix(".git").unwrap_or(address);
    if address.starts_with("https://") || address.starts_with("http://") {
        return Some(address.to_owned());
    }
    let at_host = |rest: &str, host: &str| {
        let is_path = rest.split('/').count() == 2 && !rest.contains([':', '@', ' ']);
        is_path.then(|| format!("https://{host}/{rest}"))
    };
    for (prefix, host) in [
        ("github:", "github.com"),
        ("gitlab:", "gitlab.com"),
        ("bitbucket:", "bitbucket.org"),
        ("git://github.com/", "github.com"),
        ("ssh://git@github.com/", "github.com"),
        ("git@github.com:", "github.com"),
    ] {
        if let Some(rest) = address.strip_prefix(prefix) {
            return at_host(rest, host);
        }
    }
    at_host(address, "github.com")
}
