//! The two envelopes by which a tool declares something about its own result.

use crate::json::Json;

/// What an object is, as an envelope. One object can be both.
#[derive(Clone, Copy)]
pub(crate) struct Envelope<'a> {
    /// An absence: `af_absent` is true and `checked` lists something.
    pub(crate) absence: Option<Gap>,
    /// A boundary: `af_coverage` is an object, and there is a `result`.
    pub(crate) boundary: Option<(Gap, Json<'a>)>,
}

/// Whether an envelope lists ground that was not checked or cannot be covered.
#[derive(Clone, Copy)]
pub(crate) struct Gap(pub(crate) bool);

impl Gap {
    fn of(not_checked: Option<Json<'_>>, cannot_cover: Option<Json<'_>>) -> Self {
        Self([not_checked, cannot_cover].into_iter().flatten().any(Json::is_list_with_items))
    }
}

impl<'a> Envelope<'a> {
    /// Recognition is strict: a marker alone is plain data.
    pub(crate) fn of(value: Json<'a>) -> Self {
        let [absent, checked, not_checked, cannot_cover, coverage, result] =
            value.members(["af_absent", "checked", "not_checked", "cannot_cover", "af_coverage", "result"]);
        let is_absence = absent.is_some_and(Json::is_true) && checked.is_some_and(Json::is_list_with_items);
        let boundary = coverage.filter(|coverage| coverage.is_object()).zip(result);
        Self {
            absence: is_absence.then(|| Gap::of(not_checked, cannot_cover)),
            boundary: boundary.map(|(coverage, result)| {
                let [not_checked, cannot_cover] = coverage.members(["not_checked", "cannot_cover"]);
                (Gap::of(not_checked, cannot_cover), result)
            }),
        }
    }
}

/// What a value declares by itself, for a call on which the record holds no coverage row.
#[derive(Clone, Copy, Default)]
pub(crate) struct Declared {
    pub(crate) absent: bool,
    pub(crate) bounded: bool,
    pub(crate) gap: bool,
}

impl Declared {
    pub(crate) fn by(value: Json<'_>) -> Self {
        let envelope = Envelope::of(value);
        let inner = envelope.boundary.and_then(|(_, result)| Envelope::of(result).absence);
        Self {
            absent: envelope.absence.or(inner).is_some(),
            bounded: envelope.boundary.is_some(),
            gap: [envelope.absence, inner, envelope.boundary.map(|(gap, _)| gap)]
                .into_iter()
                .flatten()
                .any(|gap| gap.0),
        }
    }

    /// Whether it declares anything.
    pub(crate) fn anything(self) -> bool {
        self.absent || self.bounded
    }
}
