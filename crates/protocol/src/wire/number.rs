//! Numbers, compared as their nearest double however they are spelled.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// The greatest integer that a double holds together with all smaller ones: 2^53 − 1.
pub(crate) const MAX_INTEGER: u64 = (1 << 53) - 1;

/// An integer of `MIN` to `MAX`, on the wire any number whose nearest double is one: `1`, `1.0` and `10e-1` are
/// the same.
///
/// ```
/// use answerplane_protocol::Integer;
///
/// assert_eq!(Integer::<1, 64>::new(12).map(Integer::get), Some(12));
/// assert!(Integer::<1, 64>::new(0).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Integer<const MIN: u64 = 0, const MAX: u64 = MAX_INTEGER>(u64);

impl<const MIN: u64, const MAX: u64> Integer<MIN, MAX> {
    /// The integer, or `None` when it is too small or too large.
    #[must_use]
    pub const fn new(number: u64) -> Option<Self> {
        if number < MIN || number > MAX || number > MAX_INTEGER { None } else { Some(Self(number)) }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl<const MIN: u64, const MAX: u64> fmt::Display for Integer<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number of `MIN` to `MAX` that a double holds; `MAX` of [`i64::MAX`] is no limit.
///
/// ```
/// use answerplane_protocol::Number;
///
/// assert_eq!(Number::<0, 100>::new(12.5).map(Number::get), Some(12.5));
/// assert!(Number::<0, 100>::new(f64::NAN).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Number<const MIN: i64, const MAX: i64>(f64);

impl<const MIN: i64, const MAX: i64> Number<MIN, MAX> {
    /// The number, or `None` when it is not finite, too small or too large.
    #[must_use]
    pub fn new(number: f64) -> Option<Self> {
        let fits = number.is_finite() && number >= MIN as f64 && (MAX == i64::MAX || number <= MAX as f64);
        // Negative zero is zero.
        fits.then_some(Self(number + 0.0))
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// The integer that a double is, or `None` where it has a fraction or is larger than 2^53 − 1 in size.
pub(crate) fn integer(number: f64) -> Option<i64> {
    let whole = number as i64;
    (whole.unsigned_abs() <= MAX_INTEGER && whole as f64 == number).then_some(whole)
}

/// Reads a number as its nearest double.
fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    struct NumberVisitor;

    impl Visitor<'_> for NumberVisitor {
        type Value = f64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number")
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
            Ok(number as f64)
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
            Ok(number as f64)
        }

        fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
            Ok(number)
        }
    }

    deserializer.deserialize_f64(NumberVisitor)
}

/// Writes a number without a fraction as an integer.
fn write<Z: Serializer>(number: f64, serializer: Z) -> Result<Z::Ok, Z::Error> {
    match integer(number) {
        Some(whole) => serializer.serialize_i64(whole),
        None => serializer.serialize_f64(number),
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Integer<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        integer(read(deserializer)?)
            .and_then(|number| Self::new(number.try_into().ok()?))
            .ok_or_else(|| D::Error::custom("a number is no integer, too small or too large"))
    }
}

impl<const MIN: u64, const MAX: u64> Serialize for Integer<MIN, MAX> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de, const MIN: i64, const MAX: i64> Deserialize<'de> for Number<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(read(deserializer)?).ok_or_else(|| D::Error::custom("a number is too small or too large"))
    }
}

impl<const MIN: i64, const MAX: i64> Serialize for Number<MIN, MAX> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        write(self.0, serializer)
    }
}

#[cfg(feature = "schema")]
impl<const MIN: u64, const MAX: u64> schemars::JsonSchema for Integer<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        alloc::format!("Integer{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

#[cfg(feature = "schema")]
impl<const MIN: i64, const MAX: i64> schemars::JsonSchema for Number<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        alloc::format!("Number{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = schemars::json_schema!({ "type": "number", "minimum": MIN });
        if MAX != i64::MAX {
            schema.insert("maximum".into(), MAX.into());
        }
        schema
    }
}
