//! Which lines of a text changed.

/// A line of a changed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'t> {
    /// Only the old text has it.
    Old(&'t str),
    /// Only the new text has it.
    New(&'t str),
}

/// The lines of two texts between what they have in common at both ends: those of the old, then those of the new.
///
/// ```
/// use answerplane_author::diff::{Line, changed_lines};
///
/// assert_eq!(changed_lines("a\nb\nc", "a\nB\nc"), [Line::Old("b"), Line::New("B")]);
/// ```
#[must_use]
pub fn changed_lines<'t>(old: &'t str, new: &'t str) -> Vec<Line<'t>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    old.iter().map(|line| Line::Old(line)).chain(new.iter().map(|line| Line::New(line))).collect()
}

#[cfg(test)]
mod tests {
    use super::{Line, changed_lines};

    #[test]
    fn only_what_differs_is_left() {
        assert_eq!(changed_lines("a", "a"), []);
        assert_eq!(changed_lines("", "a"), [Line::New("a")]);
        assert_eq!(changed_lines("a\na", "a"), [Line::Old("a")]);
        assert_eq!(changed_lines("x\na\ny", "x\nb\nc\ny"), [Line::Old("a"), Line::New("b"), Line::New("c")]);
    }
}
