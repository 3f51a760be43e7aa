//! Files of real queries: one a line, JSON Lines with `query` and perhaps `intent`, or CSV with a column `query`.

use std::path::Path;

use answerplane_normalize::{is_blank, trim};
use serde::Deserialize;

use crate::diagnostic::{Diagnostic, Place};
use crate::quoting;
use crate::rule::Rule;

/// What somebody asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// What was asked.
    pub text: String,
    /// The id of the entry that should answer it, where somebody says so.
    pub intent: Option<String>,
    /// The line of the file, from 1.
    pub line: usize,
}

/// Reads queries. `file` says what they are by its extension: `.jsonl` or `.ndjson`, `.csv`, anything else one a line.
/// Blank lines are no queries.
///
/// # Errors
///
/// Everything that is wrong with the file, with its line.
pub fn read(file: &str, bytes: &[u8]) -> Result<Vec<Query>, Vec<Diagnostic>> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        vec![Diagnostic::new(Rule::NotUtf8, Place::file(file).line(line), "this is not UTF-8")]
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let extension = Path::new(file).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "jsonl" | "ndjson" => json_lines(file, text),
        "csv" => csv_rows(file, text),
        _ => {
            Ok(lines(text).map(|(line, text)| Query { text: text.to_owned(), intent: None, line }).collect())
        }
    }
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().zip(1..).map(|(text, line)| (line, trim(text))).filter(|(_, text)| !text.is_empty())
}

fn json_lines(file: &str, text: &str) -> Result<Vec<Query>, Vec<Diagnostic>> {
    #[derive(Deserialize)]
    struct Row {
        query: String,
        intent: Option<String>,
    }

    let (mut queries, mut problems) = (Vec::new(), Vec::new());
    for (line, text) in lines(text) {
        match serde_json::from_str::<Row>(text) {
            Ok(row) if is_blank(&row.query) => {}
            Ok(row) => queries.push(Query { text: row.query, intent: row.intent, line }),
            Err(error) => {
                let is_syntax = error.is_syntax() || error.is_eof();
                let rule = if is_syntax { Rule::RowSyntax } else { Rule::RowField };
                let what =
                    if is_syntax { "this is not JSON" } else { "this is no object with a text `query`" };
                problems.push(Diagnostic::new(rule, Place::file(file).line(line), what));
            }
        }
    }
    if problems.is_empty() { Ok(queries) } else { Err(problems) }
}

fn csv_rows(file: &str, text: &str) -> Result<Vec<Query>, Vec<Diagnostic>> {
    let faults = quoting::faults(text)
        .into_iter()
        .map(|fault| Diagnostic::new(Rule::RowQuotes, Place::file(file).line(fault.line), fault.message));
    let faults: Vec<Diagnostic> = faults.collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let names = reader.headers().cloned().unwrap_or_default();
    let column = |wanted: &str| names.iter().position(|name| trim(name).eq_ignore_ascii_case(wanted));
    let Some(query) = column("query") else {
        let place = Place::file(file).line(1).field("query");
        return Err(vec![Diagnostic::new(Rule::RowField, place, "there is no column of this name")]);
    };
    let intent = column("intent");
    let mut begin = Begin { text: text.as_bytes(), byte: 0, line: 1 };
    let (mut queries, mut problems) = (Vec::new(), Vec::new());
    for row in reader.records() {
        match row {
            Ok(row) => {
                let line = row.position().map_or(1, |position| begin.line_of(position.byte()));
                let field = |column: usize| row.get(column).map(trim).filter(|text| !text.is_empty());
                let Some(text) = field(query) else { continue };
                queries.push(Query {
                    text: text.to_owned(),
                    intent: intent.and_then(field).map(str::to_owned),
                    line,
                });
            }
            Err(error) => {
                let line = error.position().map_or(1, |position| begin.line_of(position.byte()));
                let place = Place::file(file).line(line);
                problems.push(Diagnostic::new(Rule::RowSyntax, place, "this row cannot be read"));
            }
        }
    }
    if problems.is_empty() { Ok(queries) } else { Err(problems) }
}

/// Where the rows of a text begin, one after the other.
struct Begin<'t> {
    text: &'t [u8],
    byte: usize,
    line: usize,
}

impl Begin<'_> {
    /// The line of the row at or after a byte; a reader of CSV counts blank lines before a row to it.
    fn line_of(&mut self, byte: u64) -> usize {
        let is_before = |at: usize| at < usize::try_from(byte).unwrap_or(usize::MAX);
        while let Some(next) = self.text.get(self.byte) {
            if !is_before(self.byte) && !matches!(next, b'\r' | b'\n') {
                break;
            }
            self.line += usize::from(*next == b'\n');
            self.byte += 1;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::{Query, read};
    use crate::rule::Rule;

    fn query(text: &str, intent: Option<&str>, line: usize) -> Query {
        Query { text: text.into(), intent: intent.map(Into::into), line }
    }

    #[test]
    fn each_format_is_read() {
        let expected = [query("How, exactly?", Some("a"), 2), query("Two", None, 4)];
        let jsonl = "\n{\"query\":\"How, exactly?\",\"intent\":\"a\",\"more\":[1]}\n\n{\"query\":\"Two\"}\n{\"query\":\" \"}";
        assert_eq!(read("q.JSONL", jsonl.as_bytes()).unwrap(), expected);
        let csv = "\u{feff}Intent,query\na,\"How, exactly?\"\n\n,Two\n,\n";
        assert_eq!(read("q.csv", csv.as_bytes()).unwrap(), expected);
        let plain = "\n How, exactly? \r\n\nTwo";
        let plain = read("q", plain.as_bytes()).unwrap();
        assert_eq!(plain, [query("How, exactly?", None, 2), query("Two", None, 4)]);
        assert_eq!(read("q.csv", b"query\n").unwrap(), []);
        assert_eq!(read("q.txt", b"").unwrap(), []);
    }

    #[test]
    fn everything_wrong_is_named_at_once() {
        let problems = read("q.jsonl", b"{\n{\"query\":\"a\"}\n[]\n{\"query\":1}").unwrap_err();
        let found: Vec<(Rule, Option<u32>)> = problems.iter().map(|p| (p.rule, p.place.line)).collect();
        assert_eq!(found, [(Rule::RowSyntax, Some(1)), (Rule::RowField, Some(3)), (Rule::RowField, Some(4))]);
        assert_eq!(read("q.csv", b"text\na").unwrap_err()[0].rule, Rule::RowField);
        let problems = read("q.csv", b"query\n\"a\nb\n").unwrap_err();
        assert_eq!((problems[0].rule, problems[0].place.line), (Rule::RowQuotes, Some(2)));
        let problems = read("q.txt", b"a\n\xff").unwrap_err();
        assert_eq!((problems[0].rule, problems[0].place.line), (Rule::NotUtf8, Some(2)));
    }
}
