//! A text that stays on its line.

/// The text with a space for each character that ends a line or moves along it.
pub(crate) fn one_line(text: &str) -> impl Iterator<Item = char> {
    let is_move = |letter| matches!(letter, '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    text.chars().map(move |letter| if is_move(letter) { ' ' } else { letter })
}
