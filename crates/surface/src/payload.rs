//! Reading a surface from the JSON value that travelled.

use alloc::string::String;
use alloc::vec::Vec;

use answerplane_protocol::ForeignValue;
use serde_json::{Map, Value};

use crate::address::Address;
use crate::index::Index;
use crate::payload_error::{Field, PayloadError, PayloadFault, Place};
use crate::repeats::has_repeated_name;
use crate::surface::{Surface, SurfaceCitation};
use crate::vocabulary::{EpistemicStatus, InferenceForm, OUTDATED_DISCLOSURE};

/// Finds out whether a JSON value is a surface, for whoever has nothing else. The order of the checks is that of
/// `docs/surface.md`.
///
/// It proves the shape and nothing more: whether anybody vouches for the answer, only
/// [`build`](crate::build()) can know.
///
/// ```
/// use answerplane_surface::validate;
/// use serde_json::json;
///
/// let mut payload = json!({
///     "version": 1,
///     "text": "From sunrise to sunset.",
///     "conclusion_claim_id": "c1",
///     "inference_form": "direct",
///     "status": "known",
///     "premise_claim_ids": [],
///     "citations": [{ "address": "kb:hours", "claim_ids": ["c1"], "status": "known", "outdated": false }],
///     "outdated": false,
///     "disclosure": null,
/// });
/// assert!(validate(&payload).is_ok());
///
/// payload["citations"][0]["status"] = json!("certain");
/// let error = validate(&payload).unwrap_err();
/// assert_eq!(error.to_string(), "citations[0].status: is not a word of its vocabulary: certain");
/// ```
///
/// # Errors
///
/// The first thing that is wrong.
pub fn validate(payload: &Value) -> Result<(), PayloadError> {
    Surface::from_payload(payload).map(drop)
}

/// Finds out whether a JSON text is a surface. Unlike a value, a text still shows a field that stands twice.
///
/// ```
/// use answerplane_surface::{PayloadFault, validate_text};
///
/// let error = validate_text(r#"{ "version": 1, "version": 1 }"#).unwrap_err();
/// assert_eq!(error.fault(), PayloadFault::RepeatedField);
/// ```
///
/// # Errors
///
/// [`NotAnObject`](PayloadFault::NotAnObject) where the text is no JSON that can be read,
/// [`RepeatedField`](PayloadFault::RepeatedField), then those of [`validate`].
pub fn validate_text(text: &str) -> Result<(), PayloadError> {
    let payload: ForeignValue =
        serde_json::from_str(text).map_err(|_| fault(PayloadFault::NotAnObject, Place::Payload))?;
    if has_repeated_name(text) {
        return Err(fault(PayloadFault::RepeatedField, Place::Payload));
    }
    validate(payload.as_value())
}

impl Surface {
    /// Reads a surface that travelled, as [`validate`] does. What is written of it is the payload again.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub fn from_payload(payload: &Value) -> Result<Self, PayloadError> {
        let fields = exactly(payload, Field::OF_PAYLOAD, Place::Payload, Place::Field)?;
        if fields.get(Field::Version).as_f64() != Some(1.0) {
            return Err(fault(PayloadFault::Version, Place::Field(Field::Version)));
        }
        let text = fields.text(Field::Text)?;
        let conclusion_claim_id = fields.text(Field::ConclusionClaimId)?;
        let form = fields.text(Field::InferenceForm)?;
        let status = fields.text(Field::Status)?;
        let inference_form = InferenceForm::from_word(form)
            .ok_or_else(|| PayloadError::unknown_word(Place::Field(Field::InferenceForm), form))?;
        let status = EpistemicStatus::from_word(status)
            .ok_or_else(|| PayloadError::unknown_word(Place::Field(Field::Status), status))?;
        let premise_claim_ids =
            claim_ids(fields.list(Field::PremiseClaimIds)?, |at| Place::Item(Field::PremiseClaimIds, at))?;
        let citations = citations(fields.list(Field::Citations)?)?;
        let outdated = fields.boolean(Field::Outdated)?;
        let disclosure = fields.get(Field::Disclosure);
        let belongs =
            if outdated { disclosure.as_str() == Some(OUTDATED_DISCLOSURE) } else { disclosure.is_null() };
        if !belongs {
            return Err(fault(PayloadFault::Disclosure, Place::Field(Field::Disclosure)));
        }
        Ok(Self {
            text: text.into(),
            conclusion_claim_id: conclusion_claim_id.into(),
            inference_form,
            status,
            premise_claim_ids,
            citations,
            outdated,
        })
    }
}

/// An object with exactly its fields, and how to say where each of them is.
struct Fields<'p, P> {
    object: &'p Map<String, Value>,
    place: P,
}

/// An object with exactly the fields `names`: first it is one, then none is missing, then there is no other.
fn exactly<'p, P: Fn(Field) -> Place>(
    value: &'p Value,
    names: &[Field],
    whole: Place,
    place: P,
) -> Result<Fields<'p, P>, PayloadError> {
    let object = value.as_object().ok_or_else(|| fault(PayloadFault::NotAnObject, whole))?;
    if let Some(missing) = names.iter().find(|name| !object.contains_key(name.as_str())) {
        return Err(fault(PayloadFault::MissingField, place(*missing)));
    }
    if object.len() > names.len() {
        return Err(fault(PayloadFault::UnexpectedField, whole));
    }
    Ok(Fields { object, place })
}

impl<'p, P: Fn(Field) -> Place> Fields<'p, P> {
    fn get(&self, field: Field) -> &'p Value {
        self.object.get(field.as_str()).unwrap_or(&Value::Null)
    }

    /// A text that is not empty.
    fn text(&self, field: Field) -> Result<&'p str, PayloadError> {
        text(self.get(field), (self.place)(field))
    }

    fn list(&self, field: Field) -> Result<&'p [Value], PayloadError> {
        let list = self.get(field).as_array().map(Vec::as_slice);
        list.ok_or_else(|| fault(PayloadFault::NotAList, (self.place)(field)))
    }

    fn boolean(&self, field: Field) -> Result<bool, PayloadError> {
        self.get(field).as_bool().ok_or_else(|| fault(PayloadFault::NotABoolean, (self.place)(field)))
    }
}

/// One citation after the other; in each its fields, its address, then whether an earlier one has it, the claims,
/// the status, outdated.
fn citations(list: &[Value]) -> Result<Vec<SurfaceCitation>, PayloadError> {
    if list.is_empty() {
        return Err(fault(PayloadFault::NoItem, Place::Field(Field::Citations)));
    }
    let repeated = first_repeated(list.iter().map(|item| item.get(Field::Address.as_str())));
    let mut citations = Vec::with_capacity(list.len());
    for (at, item) in list.iter().enumerate() {
        let place = |field| Place::CitationField(at, field);
        let fields = exactly(item, Field::OF_CITATION, Place::Item(Field::Citations, at), place)?;
        let address = fields.get(Field::Address).as_str();
        let address = address.ok_or_else(|| fault(PayloadFault::NotAText, place(Field::Address))).and_then(
            |token| {
                Address::parse(token).map_err(|_| fault(PayloadFault::NotAnAddress, place(Field::Address)))
            },
        )?;
        if repeated == Some(at) {
            return Err(fault(PayloadFault::Repeated, place(Field::Address)));
        }
        let ids = fields.list(Field::ClaimIds)?;
        if ids.is_empty() {
            return Err(fault(PayloadFault::NoItem, place(Field::ClaimIds)));
        }
        let claim_ids = claim_ids(ids, |claim| Place::CitationClaim(at, claim))?;
        let word = fields.get(Field::Status).as_str();
        let word = word.ok_or_else(|| fault(PayloadFault::NotAText, place(Field::Status)))?;
        let status = EpistemicStatus::from_word(word)
            .ok_or_else(|| PayloadError::unknown_word(place(Field::Status), word))?;
        let outdated = fields.boolean(Field::Outdated)?;
        citations.push(SurfaceCitation { address, claim_ids, status, outdated });
    }
    Ok(citations)
}

/// Distinct texts that are not empty, one after the other.
fn claim_ids(list: &[Value], place: impl Fn(usize) -> Place) -> Result<Vec<String>, PayloadError> {
    let repeated = first_repeated(list.iter().map(Some));
    let mut ids = Vec::with_capacity(list.len());
    for (at, item) in list.iter().enumerate() {
        ids.push(text(item, place(at))?.into());
        if repeated == Some(at) {
            return Err(fault(PayloadFault::Repeated, place(at)));
        }
    }
    Ok(ids)
}

/// The first position whose text stands at an earlier one too.
///
/// What is no text counts as an empty one here, and is refused where it stands for the first time.
fn first_repeated<'p>(items: impl ExactSizeIterator<Item = Option<&'p Value>>) -> Option<usize> {
    Index::new(items.map(|item| item.and_then(Value::as_str).unwrap_or_default())).first_repeated()
}

fn text(value: &Value, place: Place) -> Result<&str, PayloadError> {
    match value.as_str() {
        None => Err(fault(PayloadFault::NotAText, place)),
        Some("") => Err(fault(PayloadFault::Empty, place)),
        Some(text) => Ok(text),
    }
}

fn fault(fault: PayloadFault, place: Place) -> PayloadError {
    PayloadError::new(fault, place)
}
