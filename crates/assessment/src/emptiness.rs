//! Whether a result is empty, and whether somebody declared that.

use crate::envelope::Envelope;
use crate::json::Json;

/// How many boundaries around each other are opened.
const MAX_BOUNDARIES: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Emptiness {
    DeclaredAbsent,
    UndeclaredEmpty,
    NonEmpty,
    /// No list of rows, or none that anybody pointed out.
    Unknown,
}

/// What is declared about a call, by its coverage rows or else by its result.
#[derive(Clone, Copy)]
pub(crate) struct Door {
    pub(crate) absent: bool,
    pub(crate) bounded: bool,
}

impl Emptiness {
    /// The reading of a result, behind what is declared about its call. `rows_at` tells where an object of its
    /// tool keeps its rows.
    pub(crate) fn of<'d>(mut value: Json<'_>, door: Door, rows_at: impl FnOnce() -> Option<&'d str>) -> Self {
        if door.absent {
            return Self::DeclaredAbsent;
        }
        let mut opened = 0;
        while door.bounded
            && let Some((_, inner)) = Envelope::of(value).boundary
        {
            if opened == MAX_BOUNDARIES {
                return Self::Unknown;
            }
            opened += 1;
            value = inner;
        }
        match Self::of_rows(value, rows_at) {
            Self::UndeclaredEmpty if opened > 0 => Self::DeclaredAbsent,
            read => read,
        }
    }

    /// The reading of the rows themselves.
    fn of_rows<'d>(value: Json<'_>, rows_at: impl FnOnce() -> Option<&'d str>) -> Self {
        if let Some(empty) = value.is_empty_list() {
            return Self::counted(empty);
        }
        if !value.is_object() {
            return Self::Unknown;
        }
        let Some(key) = rows_at() else { return Self::Unknown };
        if is_placement_ticket(value) {
            return Self::Unknown;
        }
        if let [Some(rows)] = value.members([key]) {
            return rows.is_empty_list().map_or(Self::Unknown, Self::counted);
        }
        dataset_ticket(value, key)
            .and_then(|ticket| {
                let [rows] = ticket.members(["rows"]);
                rows?.whole_number()
            })
            .map_or(Self::Unknown, |rows| Self::counted(rows == 0))
    }

    fn counted(empty: bool) -> Self {
        if empty { Self::UndeclaredEmpty } else { Self::NonEmpty }
    }
}

/// A result that was put elsewhere whole, and left a ticket.
fn is_placement_ticket(value: Json<'_>) -> bool {
    let [placed, reference, reason] = value.members(["placed", "ref", "reason"]);
    placed.is_some_and(Json::is_true)
        && reference.is_some_and(Json::is_string)
        && reason.is_some_and(Json::is_string)
}

/// The ticket that stands for the rows under `key`, where those were put elsewhere.
fn dataset_ticket<'a>(value: Json<'a>, key: &str) -> Option<Json<'a>> {
    let [datasets, dataset] = value.members(["datasets", "dataset"]);
    let named = datasets.and_then(|datasets| {
        let [ticket] = datasets.members([key]);
        ticket
    });
    named
        .filter(|ticket| is_ticket_for(*ticket, key, true))
        .or_else(|| dataset.filter(|ticket| is_ticket_for(*ticket, key, false)))
}

fn is_ticket_for(ticket: Json<'_>, key: &str, named: bool) -> bool {
    let [reference, source_field] = ticket.members(["ref", "sourceField"]);
    reference.is_some_and(|reference| reference.is_string_with(is_artifact_reference))
        && source_field.map_or(named, |field| field.is_string_with(|field| field == key))
}

fn is_artifact_reference(text: &str) -> bool {
    text.strip_prefix("art_")
        .is_some_and(|id| id.len() == 22 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}
