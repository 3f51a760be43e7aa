//! Whether the quotes of a CSV text are where RFC 4180 has them.
//!
//! A reader of CSV that takes anything makes one long field of everything after a quote that is not closed.

/// A quote that is not where it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The byte of the quote.
    pub(crate) at: usize,
    /// The line, from 1, where its field opens.
    pub(crate) line: usize,
    /// What is the matter.
    pub(crate) message: String,
}

/// A field whose quote has opened.
struct Open {
    at: usize,
    line: usize,
    /// Whether something is wrong with it already. Its line then ends it, so that what follows is looked at too.
    is_broken: bool,
}

/// Everything that is wrong with the quotes of a text, in order, once for each field.
pub(crate) fn faults(text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut line = 1;
    let mut begins_field = true;
    let mut open: Option<Open> = None;
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        let is_end = matches!(byte, b'\n' | b'\r');
        match &mut open {
            None if byte == b'"' && begins_field => {
                open = Some(Open { at, line, is_broken: false });
            }
            None => begins_field = is_end || byte == b',',
            Some(field) if byte == b'"' => match bytes.peek() {
                Some((_, b'"')) => drop(bytes.next()),
                Some((_, b',' | b'\n' | b'\r')) | None => {
                    open = None;
                    begins_field = false;
                }
                Some(_) if !field.is_broken => {
                    field.is_broken = true;
                    faults.push(Fault { at, line: field.line, message: not_doubled(field.line, line) });
                }
                Some(_) => {}
            },
            Some(field) if field.is_broken && is_end => {
                open = None;
                begins_field = true;
            }
            Some(_) => {}
        }
        line += usize::from(byte == b'\n');
    }
    let unclosed = open.filter(|field| !field.is_broken);
    faults.extend(unclosed.map(|Open { at, line, .. }| Fault {
        at,
        line,
        message: "the quote that opens here is not closed".into(),
    }));
    faults
}

fn not_doubled(opens: usize, line: usize) -> String {
    if opens == line {
        "a quote within a quoted field is not doubled".into()
    } else {
        format!("the quote that opens here is not closed, or a quote in line {line} is not doubled")
    }
}

#[cfg(test)]
mod tests {
    use super::faults;

    fn lines(text: &str) -> Vec<(usize, String)> {
        faults(text).into_iter().map(|fault| (fault.line, fault.message)).collect()
    }

    #[test]
    fn quotes_where_they_may_be_are_no_fault() {
        for text in [
            "",
            "a,b\n",
            "\"a\",\"\"\r\n\"b\n\"\"c\"\",\",d",
            "5\" nails,a \"b\" c\n",
            "\"\"\"\"",
            "\"a\"\r\"b\"",
        ] {
            assert_eq!(lines(text), [], "{text:?}");
        }
    }

    #[test]
    fn every_fault_is_found_where_its_field_opens() {
        let unclosed = "the quote that opens here is not closed";
        let single = "a quote within a quoted field is not doubled";
        assert_eq!(lines("q,a\nx,\"y\nz,w\n"), [(2, unclosed.to_owned())]);
        assert_eq!(
            lines("q,a\n\"A \"b\" c\",d\n\"y\" x,z\ne,f\n\"g"),
            [(2, single.to_owned()), (3, single.to_owned()), (5, unclosed.to_owned())]
        );
        assert_eq!(
            lines("q,a\nx,\"y\nz,\"w\"\n"),
            [(2, format!("{unclosed}, or a quote in line 3 is not doubled"))]
        );
    }
}
