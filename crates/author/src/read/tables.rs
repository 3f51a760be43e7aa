//! Files of rows: CSV, YAML, JSON and JSON Lines.

use crate::diagnostic::Diagnostic;
use crate::quoting::{self, Fault};
use crate::read::front_matter::without_place;
use crate::read::items::{self, Item, Problem};
use crate::read::rows::{Row, mapped};
use crate::read::sheet::Sheet;
use crate::read::value::Value;
use crate::rule::Rule;

/// Reads a CSV file whose first line holds the names of the columns.
pub(super) fn csv(text: &str, sheet: &mut Sheet<'_>) {
    let faults = quoting::faults(text);
    for Fault { line, message, .. } in &faults {
        sheet.report(Rule::RowQuotes, *line, "", message);
    }
    // From there on nobody knows where a field ends.
    let end = faults.first().map_or(text.len(), |fault| fault.at);
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let names: Vec<String> = match reader.headers() {
        Ok(names) => names.iter().map(|name| answerplane_normalize::trim(name).to_owned()).collect(),
        Err(error) => return sheet.report(Rule::RowSyntax, 1, "", error.to_string()),
    };
    if reader.position().byte() as usize > end || !are_columns(&names, sheet) {
        return;
    }
    let mut record = csv::StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) if reader.position().byte() as usize <= end => {}
            Ok(_) => break,
            Err(error) => {
                let line = error.position().map_or(0, |position| position.line() as usize);
                return sheet.report(Rule::RowSyntax, line, "", error.to_string());
            }
        }
        let start = record.position().map_or(0, |position| position.byte() as usize);
        let line = first_line(text, start, record.position().map_or(1, |position| position.line() as usize));
        if record.len() != names.len() {
            let place = sheet.place(line, "");
            let diagnostic =
                Diagnostic::new(Rule::RowSyntax, place, "the row has another number of fields than line 1");
            sheet.diagnostics.push(diagnostic.beyond(names.len(), record.len()));
            continue;
        }
        let fields = names.iter().cloned().zip(record.iter().map(|field| Value::Text(field.to_owned())));
        let value = Value::Map(fields.collect());
        Row { value, line, at: "", line_of: &|_| line }.add_to(sheet);
    }
}

/// The line where a record begins: blank lines before it belong to no record.
fn first_line(text: &str, start: usize, line: usize) -> usize {
    let blank = text.as_bytes().get(start..).unwrap_or_default();
    line + blank
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .filter(|byte| **byte == b'\n')
        .count()
}

/// Whether the names of a CSV file are distinct and among them is what the configuration names.
fn are_columns(names: &[String], sheet: &mut Sheet<'_>) -> bool {
    let mut is_fine = true;
    let separators = [(';', "semicolons"), ('\t', "tabs"), ('|', "bars")];
    if let [only] = names
        && let Some((_, separator)) = separators.iter().find(|(separator, _)| only.contains(*separator))
    {
        let message = format!("the columns are separated by {separator}; write commas");
        sheet.report(Rule::RowSyntax, 1, "", message);
        return false;
    }
    for (name, number) in names.iter().zip(0..) {
        if names[..number].contains(name) {
            sheet.report(Rule::RowSyntax, 1, name, "two columns have this name");
            is_fine = false;
        }
    }
    let source = sheet.settings.source;
    let mut missing = Vec::new();
    for (field, wanted) in mapped(&source.columns) {
        if !wanted.as_slice().iter().any(|name| names.contains(name)) {
            missing.push((field.to_owned(), wanted.as_slice().join(", ")));
        }
    }
    for name in source.filter.keys().filter(|name| !names.contains(name)) {
        missing.push(("where".to_owned(), name.clone()));
    }
    for (field, name) in missing {
        let message = format!("there is no column {name}, which the configuration names for {field}");
        sheet.report(Rule::RowField, 1, "", message);
        is_fine = false;
    }
    is_fine
}

/// Reads JSON rows, one a line.
pub(super) fn jsonl(text: &str, sheet: &mut Sheet<'_>) {
    for (line, number) in text.lines().zip(1..) {
        if line.trim().is_empty() {
            continue;
        }
        match items::json_value(line) {
            Ok(value) => Row { value, line: number, at: "", line_of: &|_| number }.add_to(sheet),
            Err(error) => sheet.report(Rule::RowSyntax, number, "", without_place(&error.to_string())),
        }
    }
}

/// Reads a JSON list of rows.
pub(super) fn json(text: &str, sheet: &mut Sheet<'_>) {
    list(text, items::json(text), sheet);
}

/// Reads a YAML list of rows.
pub(super) fn yaml(text: &str, sheet: &mut Sheet<'_>) {
    list(text, items::yaml(text), sheet);
}

fn list(text: &str, items: Result<Vec<Item>, Problem>, sheet: &mut Sheet<'_>) {
    match items {
        Ok(items) => {
            for (item, number) in items.into_iter().zip(0..) {
                let Item { value, line, range } = item;
                let source = &text[range];
                let line_of = |name: &str| items::field_line(source, line, name);
                Row { value, line, at: &format!("[{number}]"), line_of: &line_of }.add_to(sheet);
            }
        }
        Err(Problem { line, message }) => sheet.report(Rule::RowSyntax, line, "", message),
    }
}
