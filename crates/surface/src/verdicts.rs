//! What the router found about claims and nodes.

use alloc::collections::BTreeMap;
use alloc::string::String;
use core::fmt;

use answerplane_protocol::declare::wire_open_object;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::vocabulary::EpistemicStatus;

wire_open_object! {
    /// What the router found about one claim or one node.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct ClaimVerdict {
        /// How well it is known.
        required status: EpistemicStatus = "status",
        /// Whether it rests on sources that are marked as outdated.
        required outdated: bool = "outdated",
    }
}

/// Verdicts by the id of a claim, or by a citation as it stands in `cites`.
///
/// ```
/// use answerplane_surface::{ClaimVerdict, EpistemicStatus, Verdicts};
///
/// let known = ClaimVerdict { status: EpistemicStatus::Known, outdated: false };
/// let verdicts: Verdicts = [("c1".to_string(), known)].into_iter().collect();
/// assert_eq!(verdicts.get("c1"), Some(known));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdicts(BTreeMap<String, ClaimVerdict>);

impl Verdicts {
    /// The verdict under `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<ClaimVerdict> {
        self.0.get(name).copied()
    }

    /// Puts a verdict under `name`, and gives the one that stood there.
    pub fn insert(&mut self, name: impl Into<String>, verdict: ClaimVerdict) -> Option<ClaimVerdict> {
        self.0.insert(name.into(), verdict)
    }

    /// Takes the verdict under `name` away.
    pub fn remove(&mut self, name: &str) -> Option<ClaimVerdict> {
        self.0.remove(name)
    }

    /// All verdicts, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, ClaimVerdict)> {
        self.0.iter().map(|(name, verdict)| (name.as_str(), *verdict))
    }
}

impl FromIterator<(String, ClaimVerdict)> for Verdicts {
    fn from_iter<I: IntoIterator<Item = (String, ClaimVerdict)>>(verdicts: I) -> Self {
        Self(verdicts.into_iter().collect())
    }
}

impl<'de> Deserialize<'de> for Verdicts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct VerdictsVisitor;

        impl<'de> Visitor<'de> for VerdictsVisitor {
            type Value = Verdicts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Verdicts, A::Error> {
                let mut verdicts = BTreeMap::new();
                while let Some((name, verdict)) = map.next_entry::<String, ClaimVerdict>()? {
                    if verdicts.insert(name, verdict).is_some() {
                        return Err(A::Error::custom("a name is repeated"));
                    }
                }
                Ok(Verdicts(verdicts))
            }
        }

        deserializer.deserialize_map(VerdictsVisitor)
    }
}

impl Serialize for Verdicts {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.collect_map(&self.0)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Verdicts {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Verdicts".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let verdict = generator.subschema_for::<ClaimVerdict>();
        schemars::json_schema!({ "type": "object", "additionalProperties": verdict })
    }
}
