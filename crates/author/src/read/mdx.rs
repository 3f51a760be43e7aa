//! MDX as Markdown: imports, exports, comments, expressions and tags become spaces, so that nothing else moves.

use std::borrow::Cow;

/// The text with spaces for what only MDX knows. Code stays as it is; so do the tags of headings.
pub(super) fn as_markdown(text: &str) -> Cow<'_, str> {
    if !text.contains(['{', '<']) && !text.contains("import ") && !text.contains("export ") {
        return Cow::Borrowed(text);
    }
    let mut blanks = Vec::new();
    let mut at = 0;
    let mut fence: Option<(u8, usize)> = None;
    let mut after_blank = true;
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
        let line = &text[at..end];
        let trimmed = line.trim();
        if let Some((token, length)) = fence {
            let run = trimmed.bytes().take_while(|byte| *byte == token).count();
            if run >= length && run == trimmed.len() {
                fence = None;
            }
            (at, after_blank) = (end, false);
            continue;
        }
        if let Some(token @ (b'`' | b'~')) = trimmed.bytes().next() {
            let run = trimmed.bytes().take_while(|byte| *byte == token).count();
            if run >= 3 && !(token == b'`' && trimmed[run..].contains('`')) {
                fence = Some((token, run));
                (at, after_blank) = (end, false);
                continue;
            }
        }
        if after_blank && (line.starts_with("import ") || line.starts_with("export ")) {
            let end = module_end(text, at);
            blanks.push(at..end);
            (at, after_blank) = (end, true);
            continue;
        }
        after_blank = trimmed.is_empty();
        // What begins in this line may end in a later one.
        at = inline(text, at, end, &mut blanks);
    }
    blanked(text, &blanks)
}

/// Where an import or export ends: at a blank line outside of its braces.
fn module_end(text: &str, start: usize) -> usize {
    let mut depth = 0_i64;
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        if line.trim().is_empty() && depth <= 0 {
            break;
        }
        depth += line.bytes().map(|byte| i64::from(byte == b'{') - i64::from(byte == b'}')).sum::<i64>();
        at += line.len();
    }
    at
}

/// Looks for expressions and tags that begin between `at` and `end`; says where to go on.
fn inline(text: &str, mut at: usize, mut end: usize, blanks: &mut Vec<std::ops::Range<usize>>) -> usize {
    let bytes = text.as_bytes();
    loop {
        while at < end {
            let blank = match bytes[at] {
                b'`' => {
                    let run = bytes[at..].iter().take_while(|byte| **byte == b'`').count();
                    at = code_end(bytes, at + run, run).unwrap_or(at + run);
                    continue;
                }
                b'{' if bytes.get(at + 1) != Some(&b'#') => expression_end(bytes, at),
                b'<' => tag_end(bytes, at),
                b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => Some(at + 2),
                _ => None,
            };
            match blank {
                Some(end) => {
                    if bytes[at] != b'\\' {
                        blanks.push(at..end);
                    }
                    at = end;
                }
                None => at += 1,
            }
        }
        if at >= text.len() || bytes[at - 1] == b'\n' {
            return at;
        }
        end = text[at..].find('\n').map_or(text.len(), |rest| at + rest + 1);
    }
}

/// Where a code span ends that `run` backticks began; not beyond its paragraph.
fn code_end(bytes: &[u8], mut at: usize, run: usize) -> Option<usize> {
    let mut is_blank = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'`' => {
                let length = bytes[at..].iter().take_while(|byte| **byte == b'`').count();
                at += length;
                if length == run {
                    return Some(at);
                }
                is_blank = false;
                continue;
            }
            b'\n' if is_blank => return None,
            b'\n' => is_blank = true,
            b' ' | b'\t' | b'\r' => {}
            _ => is_blank = false,
        }
        at += 1;
    }
    None
}

/// The longest expression or tag that is looked for, so that one without an end costs little.
const MAX_BYTES: usize = 10_000;

/// The deepest expression that is looked for.
const MAX_DEPTH: usize = 100;

/// Where an expression in braces ends.
fn expression_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0;
    let mut at = start;
    let limit = bytes.len().min(start + MAX_BYTES);
    while at < limit {
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let close = bytes[at + 2..limit].windows(2).position(|pair| pair == b"*/")?;
                at += close + 4;
                continue;
            }
            b'{' if depth == MAX_DEPTH => return None,
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at + 1),
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where a tag ends; nothing where it is none, or that of a heading.
fn tag_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    if bytes.get(at) == Some(&b'/') {
        at += 1;
    }
    let name =
        bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte)).count();
    let is_heading =
        name == 2 && bytes[at].eq_ignore_ascii_case(&b'h') && (b'1'..=b'6').contains(&bytes[at + 1]);
    let is_fragment = name == 0 && bytes.get(at) == Some(&b'>');
    let is_name = name > 0 && bytes[at].is_ascii_alphabetic() && !is_heading;
    if !is_name && !is_fragment {
        return None;
    }
    at += name;
    // `<https://…>` is a link.
    if bytes.get(at) == Some(&b':') || bytes.get(at) == Some(&b'@') {
        return None;
    }
    let limit = bytes.len().min(start + MAX_BYTES);
    let mut quote = None;
    while at < limit {
        match (bytes[at], quote) {
            (byte, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (byte @ (b'"' | b'\''), None) => quote = Some(byte),
            (b'{', None) => {
                at = expression_end(bytes, at)?;
                continue;
            }
            (b'>', None) => return Some(at + 1),
            (b'<', None) => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

fn blanked<'t>(text: &'t str, blanks: &[std::ops::Range<usize>]) -> Cow<'t, str> {
    if blanks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut markdown = String::with_capacity(text.len());
    let mut done = 0;
    for blank in blanks {
        markdown.push_str(&text[done..blank.start]);
        markdown.extend(text[blank.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        done = blank.end;
    }
    markdown.push_str(&text[done..]);
    Cow::Owned(markdown)
}

#[cfg(test)]
mod tests {
    use super::as_markdown;

    fn check(mdx: &str, markdown: &str) {
        let read = as_markdown(mdx);
        assert_eq!(read.len(), mdx.len());
        let lines: Vec<&str> = read.lines().map(str::trim_end).collect();
        assert_eq!(lines.join("\n"), markdown, "{mdx}");
    }

    #[test]
    fn what_only_mdx_knows_is_left_out() {
        check("import A from 'a'\nexport const b = {\n\n c: 1 }\n\n# T", "\n\n\n\n\n# T");
        check("{/* comment\nof two lines */}\n# T {/*id*/}", "\n\n# T");
        check("<Tabs items={['a', '>']}>\n\n  text\n\n</Tabs>", "\n\n  text\n\n");
        check("a <b>c</b> {x} d", "a    c         d");
        check("`{a}` ``<b> ` `` \\{c} <https://x.example>", "`{a}` ``<b> ` `` \\{c} <https://x.example>");
        check("```js\nimport a\n<b>{c}\n```\n\n{d}é", "```js\nimport a\n<b>{c}\n```\n\n   é");
        check("<h2 id=\"x\">T</h2> {#id} 1 < 2 { open", "<h2 id=\"x\">T</h2> {#id} 1 < 2 { open");
        check("\\é é {\"é\"}", "\\é é");
        check("text\nimport it all", "text\nimport it all");
    }
}
