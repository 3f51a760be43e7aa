//! How long an artifact answers.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// How long an artifact answers, from when it was made.
///
/// ```
/// use answerplane_author::config::Life;
///
/// assert_eq!("90d".parse::<Life>()?, Life::Millis(90 * 86_400_000));
/// assert_eq!("never".parse::<Life>()?, Life::Unlimited);
/// # Ok::<(), answerplane_author::config::NoLife>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// So many milliseconds.
    Millis(i64),
    /// It never expires.
    Unlimited,
}

/// 90 days.
impl Default for Life {
    fn default() -> Self {
        Self::Millis(90 * DAY)
    }
}

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
const UNITS: [(char, i64); 4] = [('m', 60_000), ('h', HOUR), ('d', DAY), ('w', 7 * DAY)];

/// A text that is no length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a length of time: a whole number and m, h, d or w, such as 90d, or never")]
pub struct NoLife;

impl FromStr for Life {
    type Err = NoLife;

    fn from_str(text: &str) -> Result<Self, NoLife> {
        if text == "never" {
            return Ok(Self::Unlimited);
        }
        let unit = UNITS.iter().find(|(unit, _)| text.ends_with(*unit)).ok_or(NoLife)?;
        let number = &text[..text.len() - 1];
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let number: i64 = is_number.then(|| number.parse().ok()).flatten().ok_or(NoLife)?;
        // More than a thousand years are a slip of the finger.
        let millis = number.checked_mul(unit.1).filter(|millis| (1..=366_000 * DAY).contains(millis));
        millis.map(Self::Millis).ok_or(NoLife)
    }
}

impl fmt::Display for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Millis(millis) = self else { return f.write_str("never") };
        let (unit, length) = UNITS.iter().rev().find(|(_, length)| millis % length == 0).unwrap_or(&UNITS[0]);
        write!(f, "{}{unit}", millis / length)
    }
}

impl<'de> Deserialize<'de> for Life {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{Life, NoLife};

    #[test]
    fn lengths_are_read_and_written() {
        for text in ["1m", "90m", "36h", "90d", "6w", "never"] {
            assert_eq!(text.parse::<Life>().unwrap().to_string(), text);
        }
        assert_eq!("14d".parse::<Life>().unwrap().to_string(), "2w");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "d", "0d", "-1d", "1.5d", "1 d", "90", "1y", "9999999999w", "٣d"] {
            assert_eq!(text.parse::<Life>(), Err(NoLife), "{text}");
        }
    }
}
