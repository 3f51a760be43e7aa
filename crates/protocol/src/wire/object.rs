//! Objects with named fields.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// The names that an object declares; anything else is an unknown field.
pub trait FieldName: Sized {
    /// The field of this name.
    fn named(name: &[u8]) -> Self;
}

/// A key, looked up without building it.
///
/// Read as bytes: a key that no text can hold (a lone surrogate) is an unknown field, not an error.
pub struct Name<F>(pub F);

impl<'de, F: FieldName> Deserialize<'de> for Name<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor<F>(PhantomData<F>);

        impl<F: FieldName> Visitor<'_> for NameVisitor<F> {
            type Value = Name<F>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a field name")
            }

            fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Self::Value, E> {
                Ok(Name(F::named(name)))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Name(F::named(name.as_bytes())))
            }
        }

        deserializer.deserialize_bytes(NameVisitor(PhantomData))
    }
}

/// How a field that has to be there is kept, read and written.
pub mod required {
    use serde::de::Error;
    use serde::ser::{Serialize, SerializeMap};

    /// How it is kept.
    pub type Slot<T> = T;

    /// Takes what was read.
    pub fn take<T, E: Error>(field: Option<T>) -> Result<Slot<T>, E> {
        field.ok_or_else(|| E::custom("a required field is missing"))
    }

    /// Writes it.
    pub fn write<M: SerializeMap>(map: &mut M, name: &str, field: &impl Serialize) -> Result<(), M::Error> {
        map.serialize_entry(name, field)
    }
}

/// How a field that can hold one value only is kept, read and written: as one that has to be there.
pub mod fixed {
    pub use super::required::{Slot, take, write};
}

/// How a field that may be absent is kept, read and written.
pub mod optional {
    use serde::de::Error;
    use serde::ser::{Serialize, SerializeMap};

    /// How it is kept.
    pub type Slot<T> = Option<T>;

    /// Takes what was read.
    pub fn take<T, E: Error>(field: Option<T>) -> Result<Slot<T>, E> {
        Ok(field)
    }

    /// Writes it.
    pub fn write<M: SerializeMap>(
        map: &mut M,
        name: &str,
        field: &Option<impl Serialize>,
    ) -> Result<(), M::Error> {
        field.as_ref().map_or(Ok(()), |field| map.serialize_entry(name, field))
    }
}

/// Whether the marker `strict` stands behind the name of an object.
#[doc(hidden)]
#[macro_export]
macro_rules! is_strict {
    () => {
        false
    };
    (strict $($marker:ident)*) => {
        true
    };
    ($other:ident $($marker:ident)*) => {
        $crate::is_strict!($($marker)*)
    };
}

/// Whether an object keeps the rules across its fields: its own `is_sound` says so where the marker `sound` stands
/// behind its name.
#[doc(hidden)]
#[macro_export]
macro_rules! is_sound {
    ($object:ident:) => {
        true
    };
    ($object:ident: sound $($marker:ident)*) => {
        $object.is_sound()
    };
    ($object:ident: $other:ident $($marker:ident)*) => {
        $crate::is_sound!($object: $($marker)*)
    };
}

/// The type that can be deserialized: the declared one, or where the marker `document` stands behind its name, one
/// around it that only this crate knows.
#[doc(hidden)]
#[macro_export]
macro_rules! deserialized {
    ($object:ty:) => {
        $object
    };
    ($object:ty: document $($marker:ident)*) => {
        $crate::wire::Wire<$object>
    };
    ($object:ty: $other:ident $($marker:ident)*) => {
        $crate::deserialized!($object: $($marker)*)
    };
}

/// A document as it is read. Since nobody else can name this type, a document is decoded and never deserialized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wire<T>(pub(crate) T);

impl<T> From<T> for Wire<T> {
    fn from(document: T) -> Self {
        Self(document)
    }
}

impl<T: serde::Serialize> serde::Serialize for Wire<T> {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Wire<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> alloc::borrow::Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

/// How a field that can hold one value only, and may be absent, is kept, read and written.
pub mod optional_fixed {
    pub use super::optional::{Slot, take, write};
}

/// Declares an object that is only read: each field `required` or `optional`, its Rust name and type, its name on the wire.
///
/// Reading takes objects only (never a list in an object's place), skips unknown fields without building them,
/// and refuses a repeated declared name. An optional field may be absent; `null` is a value like any other.
/// With `strict` behind the name an unknown field is refused instead, with `sound` the object's `is_sound` is asked,
/// and with `document` it can be read by this crate alone. With `<S>` the texts of the object are
/// either owned or borrowed from the input.
macro_rules! wire_input {
    ($($object:tt)*) => {
        $crate::wire_reader! { [pub(crate)] $($object)* }
    };
}

/// Declares an object as [`wire_input!`](wire_input) does, and writes it too, its fields in declared order.
macro_rules! wire_object {
    ($($object:tt)*) => {
        $crate::wire_reader! { [pub(crate)] $($object)* }
        $crate::wire_writer! { $($object)* }
    };
}

/// Declares an object as [`wire_object!`](wire_object) does, with fields that everybody may set: of a document in which
/// every field is what somebody says, and no rule holds between them.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_open_object {
    ($($object:tt)*) => {
        $crate::wire_reader! { [pub] $($object)* }
        $crate::wire_writer! { $($object)* }
    };
}

/// The type of an object with its reader and its schema; its fields have this visibility.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_reader {
    (
        [$field_visibility:vis]
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $visibility:vis struct $name:ident $(<$storage:ident>)? $($marker:ident)* {
            $(
                $(#[doc = $field_doc:literal])*
                $presence:ident $field:ident: $type:ty = $wire:literal,
            )*
        }
    ) => {
        $(#[doc = $doc])*
        $(#[derive($($derive),*)])?
        $visibility struct $name $(<$storage = alloc::boxed::Box<str>>)? {
            $( $(#[doc = $field_doc])* $field_visibility $field: $crate::declare::$presence::Slot<$type>, )*
        }

        impl $name {
            /// The field names of the object, in the order of writing.
            #[allow(dead_code)]
            pub(crate) const NAMES: &'static [&'static str] = &[$($wire),*];

            /// Whether a field that is not declared is refused.
            #[allow(dead_code)]
            pub(crate) const STRICT: bool = $crate::is_strict!($($marker)*);
        }

        impl<'de $(, $storage: $crate::TextStorage<'de>)?> serde::Deserialize<'de>
            for $crate::deserialized!($name $(<$storage>)?: $($marker)*)
        {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[allow(non_camel_case_types, clippy::enum_variant_names)]
                enum Field { $($field,)* Unknown }

                impl $crate::declare::FieldName for Field {
                    fn named(name: &[u8]) -> Self {
                        $( if name == $wire.as_bytes() { return Self::$field; } )*
                        Self::Unknown
                    }
                }

                struct Object<T>(core::marker::PhantomData<T>);

                impl<'de $(, $storage: $crate::TextStorage<'de>)?> serde::de::Visitor<'de>
                    for Object<$name $(<$storage>)?>
                {
                    type Value = $name $(<$storage>)?;

                    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> Result<Self::Value, A::Error> {
                        $( let mut $field: Option<$type> = None; )*
                        while let Some($crate::declare::Name(field)) = map.next_key()? {
                            match field {
                                $(
                                    Field::$field => {
                                        if $field.is_some() {
                                            return Err(serde::de::Error::custom("a field is repeated"));
                                        }
                                        $field = Some(map.next_value()?);
                                    }
                                )*
                                Field::Unknown => {
                                    if const { $crate::is_strict!($($marker)*) } {
                                        return Err(serde::de::Error::custom("a field is unknown"));
                                    }
                                    map.next_value::<serde::de::IgnoredAny>()?;
                                }
                            }
                        }
                        let object = $name { $( $field: $crate::declare::$presence::take($field)?, )* };
                        if $crate::is_sound!(object: $($marker)*) {
                            Ok(object)
                        } else {
                            Err(serde::de::Error::custom("a rule across fields is broken"))
                        }
                    }
                }

                let object = Object::<$name $(<$storage>)?>(core::marker::PhantomData);
                deserializer.deserialize_map(object).map(Self::from)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $( type $storage = alloc::boxed::Box<str>; )?
                let mut object = $crate::declare::Object::new(&[$($doc),*]);
                $( object.$presence::<$type>(generator, $wire, &[$($field_doc),*]); )*
                object.finish($crate::is_strict!($($marker)*))
            }
        }
    };
}

/// The writer of an object, its fields in declared order.
#[doc(hidden)]
#[macro_export]
macro_rules! wire_writer {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $visibility:vis struct $name:ident $(<$storage:ident>)? $($marker:ident)* {
            $(
                $(#[doc = $field_doc:literal])*
                $presence:ident $field:ident: $type:ty = $wire:literal,
            )*
        }
    ) => {
        impl $(<$storage: AsRef<str>>)? serde::Serialize for $name $(<$storage>)? {
            fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                use serde::ser::SerializeMap as _;
                let mut map = serializer.serialize_map(None)?;
                $( $crate::declare::$presence::write(&mut map, $wire, &self.$field)?; )*
                map.end()
            }
        }
    };
}

/// Declares a public object as [`wire_object!`](wire_object) does, with a getter for each field that is
/// `required` or `optional`. A field that can hold one value only is `fixed` or `optional_fixed`, and has none.
macro_rules! wire_record {
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident $($marker:ident)* {
            $(
                $(#[doc = $field_doc:literal])*
                $presence:ident $field:ident: $type:ty = $wire:literal,
            )*
        }
    ) => {
        $crate::wire::wire_object! {
            $(#[doc = $doc])*
            #[derive(Clone, Debug, PartialEq)]
            pub struct $name $($marker)* {
                $( $(#[doc = $field_doc])* $presence $field: $type = $wire, )*
            }
        }

        impl Eq for $name {}

        impl $name {
            $( $crate::wire::getter!($(#[doc = $field_doc])* $presence $field: $type); )*
        }
    };
}

/// The getter of one field.
macro_rules! getter {
    ($(#[doc = $doc:literal])* fixed $field:ident: $type:ty) => {};
    ($(#[doc = $doc:literal])* optional_fixed $field:ident: $type:ty) => {};
    ($(#[doc = $doc:literal])* required $field:ident: $type:ty) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $field(&self) -> &$type {
            &self.$field
        }
    };
    ($(#[doc = $doc:literal])* optional $field:ident: $type:ty) => {
        $(#[doc = $doc])*
        #[must_use]
        pub fn $field(&self) -> Option<&$type> {
            self.$field.as_ref()
        }
    };
}

pub(crate) use {getter, wire_input, wire_object, wire_record};
