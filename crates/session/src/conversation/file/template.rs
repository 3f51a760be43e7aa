//! Answers with names that are filled in.

use answerplane_normalize::utf16_len;
use answerplane_statechart::Failed;

use crate::conversation::file::decode::MAX_CONTENT;
use crate::conversation::file::fault::{FileFault, Found};
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
    /// Reads a template; what it refuses has no place yet.
    pub(super) fn parse(text: &str) -> Result<Self, Box<Found>> {
        let refused = |detail: &str| Box::new(Found::new(FileFault::Placeholder).detail(detail));
        let (mut pieces, mut fixed) = (Vec::new(), String::new());
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, brace) = rest.split_at(at);
            fixed.push_str(before);
            if let Some(after) = brace.strip_prefix("{{").or(brace.strip_prefix("}}")) {
                fixed.push_str(&brace[..1]);
                rest = after;
                continue;
            }
            let open = brace.strip_prefix('{').ok_or_else(|| refused("a } without a {"))?;
            let (name, after) = open.split_once('}').ok_or_else(|| refused("a { without a }"))?;
            let known = NAMES.iter().find(|(known, _)| *known == name).ok_or_else(|| {
                let found = Found::new(FileFault::Placeholder).detail("a name that is not known");
                Box::new(found.near(name, NAMES.map(|(known, _)| known)))
            })?;
            pieces.push(Piece::Fixed(std::mem::take(&mut fixed)));
            pieces.push(Piece::Filled(known.1));
            rest = after;
        }
        fixed.push_str(rest);
        pieces.push(Piece::Fixed(fixed));
        Ok(Self(pieces))
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
