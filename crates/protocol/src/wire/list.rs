//! Lists with a bounded number of items.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// A list of at least `MIN` and at most `MAX` items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T, const MIN: usize, const MAX: usize>(Vec<T>);

impl<T, const MIN: usize, const MAX: usize> List<T, MIN, MAX> {
    /// The list of these items, or `None` when there are too few or too many.
    #[must_use]
    pub fn new(items: Vec<T>) -> Option<Self> {
        (MIN..=MAX).contains(&items.len()).then_some(Self(items))
    }

    /// The list of items that are known to be neither too few nor too many.
    pub(crate) fn proven(items: Vec<T>) -> Self {
        Self(items)
    }

    /// The items.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T, const MAX: usize> List<T, 1, MAX> {
    /// The list of this one item.
    #[must_use]
    pub fn one(item: T) -> Self {
        Self(alloc::vec![item])
    }
}

impl<T, const MIN: usize, const MAX: usize> List<T, MIN, MAX> {
    /// The list of what `f` makes of each item.
    #[must_use]
    pub fn map<U>(&self, f: impl FnMut(&T) -> U) -> List<U, MIN, MAX> {
        List(self.0.iter().map(f).collect())
    }
}

impl<T, const MIN: usize, const MAX: usize> Deref for List<T, MIN, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>, const MIN: usize, const MAX: usize> Deserialize<'de> for List<T, MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ListVisitor<T, const MIN: usize, const MAX: usize>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>, const MIN: usize, const MAX: usize> Visitor<'de> for ListVisitor<T, MIN, MAX> {
            type Value = List<T, MIN, MAX>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of {MIN} to {MAX} items")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    if items.len() == MAX {
                        return Err(A::Error::custom("a list has too many items"));
                    }
                    if items.capacity() == 0 {
                        items.reserve_exact(MAX.min(16));
                    }
                    items.push(item);
                }
                List::new(items).ok_or_else(|| A::Error::custom("a list has too few items"))
            }
        }

        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

impl<T: Serialize, const MIN: usize, const MAX: usize> Serialize for List<T, MIN, MAX> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema, const MIN: usize, const MAX: usize> schemars::JsonSchema for List<T, MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        alloc::format!("ListOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "array",
            "items": generator.subschema_for::<T>(),
            "minItems": MIN,
            "maxItems": MAX,
        })
    }
}
