//! Characters that do something instead of standing for something.

/// Whether a character steers what shows it: a control character but the line feed and the tab, an embedding, override
/// or isolate of the direction of text (U+202A–U+202E, U+2066–U+2069), a line or paragraph separator, or an
/// interlinear annotation (U+FFF9–U+FFFB). Renderers show a sign in its place.
///
/// Marks that only give their own direction (U+200E, U+200F, U+061C), joiners and variation selectors stay: scripts and
/// emoji need them. Contract: `docs/renderers.md`.
///
/// ```
/// use answerplane_protocol::render::steers;
///
/// assert!(steers('\u{1b}') && steers('\u{9b}') && steers('\u{202e}'));
/// assert!(!steers('\n') && !steers('\u{200d}') && !steers('a'));
/// ```
#[must_use]
pub const fn steers(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fff9}'..='\u{fffb}' => true,
        _ => false,
    }
}

/// Whether anything of a text is seen: a character that is neither white space nor one that shows nothing of its own.
///
/// What would be a button, link or group without a name is named otherwise.
///
/// ```
/// use answerplane_protocol::render::is_seen;
///
/// assert!(is_seen(" a"));
/// assert!(!is_seen(" \u{200b}\u{feff}\n"));
/// ```
#[must_use]
pub fn is_seen(text: &str) -> bool {
    text.chars().any(|character| {
        !character.is_whitespace()
            && !matches!(character,
                '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2065}'
                | '\u{206a}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
                | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
    })
}
