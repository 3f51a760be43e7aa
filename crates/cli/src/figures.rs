//! Numbers as a person reads them.

use crate::output::{FAINT, Output};

/// The length of the longest bar.
const BAR: usize = 30;

/// A number, its share of a limit, and on a terminal a bar.
pub(crate) fn show_share(name: &str, count: usize, limit: usize, output: &mut Output) {
    let percent = count as f64 * 100.0 / limit as f64;
    output.print(&format!("  {name:<8} {:>9} of {:>7}  {percent:>5.1} %", grouped(count), grouped(limit)));
    if output.is_terminal() {
        output.print("  ").styled(FAINT, &bar(count, limit));
    }
    output.end_line();
}

/// A bar for a share of the longest one; something is never nothing.
pub(crate) fn bar(count: usize, most: usize) -> String {
    let length = if most == 0 { 0 } else { (count * BAR).div_ceil(most) };
    "█".repeat(length)
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, as in `1 note` and `2 notes`.
pub(crate) fn counted(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::{bar, counted, grouped};

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [0, 999, 1_000, 524_288, 1_234_567].map(grouped),
            ["0", "999", "1,000", "524,288", "1,234,567"]
        );
        assert_eq!([0, 1, 1_000].map(|n| counted(n, "note")), ["0 notes", "1 note", "1,000 notes"]);
    }

    #[test]
    fn bars_are_in_proportion() {
        assert_eq!([bar(0, 0), bar(0, 9), bar(1, 1_000)], ["", "", "█"]);
        assert_eq!(bar(5, 10).chars().count() * 2, bar(10, 10).chars().count());
    }
}
