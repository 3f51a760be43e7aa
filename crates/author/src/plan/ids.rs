//! Identifiers from paths, addresses and texts.

/// The greatest length of an identifier.
const MAX_UNITS: usize = 128;

/// An identifier that resembles a text: every run of other characters becomes one `-`, and what cannot begin or end
/// one is left out. Nothing where no letter or digit is left.
///
/// ```
/// use answerplane_author::plan::ids::sanitize;
///
/// assert_eq!(sanitize("guide/Getting started.md").as_deref(), Some("guide-Getting-started.md"));
/// assert_eq!(sanitize("始め方"), None);
/// ```
#[must_use]
pub fn sanitize(text: &str) -> Option<String> {
    let mut id = String::with_capacity(text.len().min(MAX_UNITS));
    for character in text.chars() {
        let is_kept = character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | ':');
        match character {
            _ if is_kept && (!id.is_empty() || character.is_ascii_alphanumeric()) => id.push(character),
            _ if id.is_empty() || id.ends_with('-') => {}
            _ => id.push('-'),
        }
        if id.len() == MAX_UNITS {
            break;
        }
    }
    let end = id.trim_end_matches(['-', '.', ':', '_']).len();
    id.truncate(end);
    (!id.is_empty()).then_some(id)
}
