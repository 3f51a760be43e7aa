//! Answers with names that are filled in.

use answerplane_normalize::utf16_len;
use answerplane_statechart::Failed;

use crate::conversation::file::decode::MAX_CONTENT;
use crate::conversation::file::fault::{FileFault, Found, MAX_PROBLEMS};
use crate::conversation::route::Said;

/// What is filled in.
const NAMES: [(&str, Name); 3] =
    [("input", Name::Input), ("sessionId", Name::SessionId), ("messageId", Name::MessageId)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Input,
    SessionId,
    MessageId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Fixed(String),
    Filled(Name),
}

/// An answer with names that are filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Piece>);

impl Template {
    /// Reads a template. Of each brace that it refuses it tells the byte where it stands in the text.
    pub(super) fn parse(text: &str) -> Result<Self, Vec<(usize, Found)>> {
        let (mut pieces, mut fixed, mut refused) = (Vec::new(), String::new(), Vec::new());
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}'])
            && refused.len() < MAX_PROBLEMS
        {
            let (before, brace) = rest.split_at(at);
            fixed.push_str(before);
            if let Some(after) = brace.strip_prefix("{{").or(brace.strip_prefix("}}")) {
                fixed.push_str(&brace[..1]);
                rest = after;
                continue;
            }
            let mut refuse = |detail: &str, name: &str| {
                let found = Found::new(FileFault::Placeholder).detail(detail);
                refused.push((text.len() - brace.len(), found.near(name, NAMES.map(|(known, _)| known))));
            };
            let after = &brace[1..];
            // A name ends where the next brace begins.
            let name = brace.strip_prefix('{').map(|open| open.split(['{', '}']).next().unwrap_or(open));
            rest = match name {
                None => {
                    refuse("a } without a {", "");
                    after
                }
                Some(name) if !after[name.len()..].starts_with('}') => {
                    refuse("a { without a }", "");
                    after
                }
                Some(name) => {
                    match NAMES.iter().find(|(known, _)| *known == name) {
                        Some((_, known)) => {
                            pieces.push(Piece::Fixed(std::mem::take(&mut fixed)));
                            pieces.push(Piece::Filled(*known));
                        }
                        None => refuse("a name that is not known", name),
                    }
                    &after[name.len() + 1..]
                }
            };
        }
        fixed.push_str(rest);
        pieces.push(Piece::Fixed(fixed));
        if refused.is_empty() { Ok(Self(pieces)) } else { Err(refused) }
    }

    /// Everything in it that is not filled in.
    pub(super) fn fixed(&self) -> String {
        let fixed = self.0.iter().filter_map(|piece| match piece {
            Piece::Fixed(text) => Some(text.as_str()),
            Piece::Filled(_) => None,
        });
        fixed.collect()
    }

    /// The answer. It fails where it would be too long to be saved.
    pub(super) fn fill(&self, input: &str, place: Said<'_>) -> Result<String, Failed> {
        let (mut answer, mut length) = (String::new(), 0);
        for piece in &self.0 {
            let text = match piece {
                Piece::Fixed(text) => text,
                Piece::Filled(Name::Input) => input,
                Piece::Filled(Name::SessionId) => place.session_id,
                Piece::Filled(Name::MessageId) => place.message_id.unwrap_or_default(),
            };
            length += utf16_len(text);
            if length > MAX_CONTENT {
                return Err(Failed);
            }
            answer.push_str(text);
        }
        Ok(answer)
    }
}
