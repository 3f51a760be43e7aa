//! Date-times of the wire and instants to compare them with.

use alloc::boxed::Box;
use core::fmt;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::scalar::InvalidScalar;
use crate::wire::word;

/// An instant: milliseconds since 1970-01-01T00:00:00Z, negative before it.
///
/// The pure crates have no clock; whoever calls them says what time it is.
///
/// ```
/// use answerplane_protocol::Timestamp;
///
/// let now = Timestamp::from_millis(1_783_900_800_000);
/// assert!(now > Timestamp::from_millis(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The instant so many milliseconds after the epoch.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// The milliseconds since the epoch.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }
}

/// A date-time as written, with the instant it stands for.
///
/// `YYYY-MM-DDTHH:MM[:SS[.fraction]]` followed by `Z` or `±hh:mm`, on a day that exists. The spelling is kept:
/// it is part of what a content hash covers. Digits of the fraction beyond the third do not count.
/// The rule is in `docs/protocol/scalars.md`.
///
/// ```
/// use answerplane_protocol::DateTime;
///
/// let published: DateTime = "2026-07-13T02:00+02:00".parse()?;
/// assert_eq!(published.timestamp().as_millis(), 1_783_900_800_000);
/// assert_eq!(published.as_str(), "2026-07-13T02:00+02:00");
/// assert!("2026-02-29T00:00Z".parse::<DateTime>().is_err());
/// # Ok::<(), answerplane_protocol::InvalidScalar>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DateTime {
    spelling: Box<str>,
    timestamp: Timestamp,
}

impl DateTime {
    /// The date-time as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.spelling
    }

    /// The instant, its fraction truncated to milliseconds.
    #[must_use]
    pub const fn timestamp(&self) -> Timestamp {
        self.timestamp
    }

    fn from_text(text: &str) -> Option<Self> {
        let timestamp = Timestamp(Reader(text.as_bytes()).date_time()?);
        Some(Self { spelling: text.into(), timestamp })
    }
}

impl FromStr for DateTime {
    type Err = InvalidScalar;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_text(text).ok_or(InvalidScalar::DateTime)
    }
}

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelling)
    }
}

impl<'de> Deserialize<'de> for DateTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        word(deserializer, Self::from_text)
    }
}

impl Serialize for DateTime {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_str(&self.spelling)
    }
}

/// An instant in UTC, always written `YYYY-MM-DDTHH:MM:SS.mmmZ`.
///
/// ```
/// use answerplane_protocol::UtcTime;
///
/// let created: UtcTime = "2026-07-13T00:00:00.000Z".parse()?;
/// assert_eq!(created.timestamp().as_millis(), 1_783_900_800_000);
/// assert!("2026-07-13T00:00:00Z".parse::<UtcTime>().is_err());
/// # Ok::<(), answerplane_protocol::InvalidScalar>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UtcTime(DateTime);

impl UtcTime {
    /// The time at an instant, in the years 0 to 9999.
    ///
    /// ```
    /// use answerplane_protocol::{Timestamp, UtcTime};
    ///
    /// let time = UtcTime::at(Timestamp::from_millis(1_783_900_800_007)).unwrap();
    /// assert_eq!(time.as_str(), "2026-07-13T00:00:00.007Z");
    /// assert!(UtcTime::at(Timestamp::from_millis(i64::MAX)).is_none());
    /// ```
    #[must_use]
    pub fn at(instant: Timestamp) -> Option<Self> {
        const DAY: i64 = 86_400_000;
        let millis = instant.as_millis();
        let (year, month, day) = date_of(millis.div_euclid(DAY));
        let rest = millis.rem_euclid(DAY);
        let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
        let (second, millis) = (rest / 1_000 % 60, rest % 1_000);
        let spelling =
            alloc::format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z");
        Self::from_text(&spelling)
    }

    /// The time as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The instant.
    #[must_use]
    pub const fn timestamp(&self) -> Timestamp {
        self.0.timestamp()
    }

    fn from_text(text: &str) -> Option<Self> {
        let exact = text.len() == 24 && text.as_bytes()[19] == b'.' && text.ends_with('Z');
        exact.then(|| DateTime::from_text(text).map(Self))?
    }
}

impl From<UtcTime> for DateTime {
    fn from(time: UtcTime) -> Self {
        time.0
    }
}

impl FromStr for UtcTime {
    type Err = InvalidScalar;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_text(text).ok_or(InvalidScalar::UtcTime)
    }
}

impl<'de> Deserialize<'de> for UtcTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        word(deserializer, Self::from_text)
    }
}

impl Serialize for UtcTime {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for UtcTime {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "UtcTime".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A time in UTC with milliseconds, on a day that exists.",
            "pattern": "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$(?!\\n)",
        })
    }
}

/// What is left of the text to read.
struct Reader<'t>(&'t [u8]);

impl Reader<'_> {
    /// The milliseconds since the epoch, when the whole text is a date-time.
    fn date_time(&mut self) -> Option<i64> {
        let year = self.number(4, 0, 9_999)?;
        self.mark(b'-')?;
        let month = self.number(2, 1, 12)?;
        self.mark(b'-')?;
        let day = self.number(2, 1, days_in_month(year, month))?;
        self.mark(b'T')?;
        let hour = self.number(2, 0, 23)?;
        self.mark(b':')?;
        let minute = self.number(2, 0, 59)?;
        let mut second = 0;
        let mut millis = 0;
        if self.mark(b':').is_some() {
            second = self.number(2, 0, 59)?;
            if self.mark(b'.').is_some() {
                millis = self.fraction()?;
            }
        }
        let offset = self.offset()?;
        let minutes = (days_since_epoch(year, month, day) * 24 + hour) * 60 + minute - offset;
        self.0.is_empty().then_some((minutes * 60 + second) * 1_000 + millis)
    }

    fn number(&mut self, digits: usize, least: i64, greatest: i64) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(digits)?;
        let mut number = 0;
        for digit in digits {
            number = number * 10 + digit.is_ascii_digit().then(|| i64::from(digit - b'0'))?;
        }
        self.0 = rest;
        (least..=greatest).contains(&number).then_some(number)
    }

    fn mark(&mut self, mark: u8) -> Option<()> {
        let (first, rest) = self.0.split_first()?;
        (*first == mark).then(|| self.0 = rest)
    }

    /// Any number of digits, at least one; their first three are the milliseconds.
    fn fraction(&mut self) -> Option<i64> {
        let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(digits);
        self.0 = rest;
        let digit = |at: usize| digits.get(at).map_or(0, |digit| i64::from(digit - b'0'));
        (!digits.is_empty()).then(|| digit(0) * 100 + digit(1) * 10 + digit(2))
    }

    /// Minutes ahead of UTC.
    fn offset(&mut self) -> Option<i64> {
        if self.mark(b'Z').is_some() {
            return Some(0);
        }
        let sign = if self.mark(b'+').is_some() { 1 } else { self.mark(b'-').map(|()| -1)? };
        let hours = self.number(2, 0, 23)?;
        self.mark(b':')?;
        let minutes = self.number(2, 0, 59)?;
        Some(sign * (hours * 60 + minutes))
    }
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a day of the proleptic Gregorian calendar, counting years from March so that the
/// leap day comes last.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 + day - 719_469
}

/// The year, month and day that lie so many days after 1970-01-01. Years are counted from March here too, in periods of
/// 400, which all have as many days.
fn date_of(days: i64) -> (i64, i64, i64) {
    const PERIOD: i64 = 146_097;
    let days = days + 719_468;
    let in_period = days.rem_euclid(PERIOD);
    // Without the leap days before it every year has 365.
    let year = (in_period - in_period / 1_460 + in_period / 36_524 - in_period / (PERIOD - 1)) / 365;
    let in_year = in_period - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    (year + 400 * days.div_euclid(PERIOD), month, day)
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for DateTime {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "DateTime".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A date-time with a zone, on a day that exists.",
            "pattern": "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]+)?)?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$(?!\\n)",
        })
    }
}
