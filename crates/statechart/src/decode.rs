//! A definition in JSON.

use alloc::string::String;
use alloc::vec::Vec;

use crate::builder::{Builder, Edge, State};
use crate::definition::Definition;
use crate::invalid::{Fault, InvalidDefinition, Place};
use crate::members::{Members, NoMembers, text};

impl Definition {
    /// Decodes a definition from its JSON text.
    ///
    /// # Errors
    ///
    /// The first fault and its place. See [`Builder::decode`].
    pub fn decode(text: &str) -> Result<Self, InvalidDefinition> {
        Builder::decode(text)?.build()
    }
}

impl Builder {
    /// Reads a declaration from its JSON text, so that a rule of the context can be added in Rust.
    ///
    /// Unknown fields are ignored. `guard` and `reduce` are refused, whatever they hold: a text cannot carry
    /// code, and ignoring a guard would let everything pass. So is a name of ours that stands there twice.
    ///
    /// # Errors
    ///
    /// The first fault of the shape and its place. Everything else is for [`build`](Self::build).
    pub fn decode(text: &str) -> Result<Self, InvalidDefinition> {
        let place = Place::of_definition;
        let fields = object(text, place)?;
        let mut builder = Definition::builder(
            needed_text(&fields, "id", place)?,
            needed_text(&fields, "version", place)?,
            needed_text(&fields, "initial", place)?,
        );
        let states = needed(&fields, "states", place)?;
        for (name, state) in names(&object(states, || place().at("states"))?, || place().at("states"))? {
            builder.states.push(read_state(name, state)?);
        }
        Ok(builder)
    }
}

fn read_state(name: String, text: &str) -> Result<State, InvalidDefinition> {
    let place = || Place::of_state(&name);
    let events = match field(&object(text, place)?, "on", place)? {
        Some(on) => names(&object(on, || place().at("on"))?, || place().at("on"))?,
        None => Vec::new(),
    };
    let edges: Result<Vec<_>, _> = events
        .into_iter()
        .map(|(event, edge)| {
            let place = || Place::of_event(&name, &event);
            let fields = object(edge, place)?;
            let target = needed_text(&fields, "target", place)?;
            for code in ["guard", "reduce"] {
                if field(&fields, code, place)?.is_some() {
                    return Err(place().at(code).is(Fault::Code));
                }
            }
            Ok((event, Edge::to(target)))
        })
        .collect();
    Ok(edges?.into_iter().fold(State::new(name), |state, (event, edge)| state.on(event, edge)))
}

fn object(text: &str, place: impl FnOnce() -> Place) -> Result<Members<'_>, InvalidDefinition> {
    Members::read(text).map_err(|why| {
        place().is(match why {
            NoMembers::NotJson => Fault::NotJson,
            NoMembers::NotObject => Fault::NotObject,
        })
    })
}

/// The members whose names are the author's own.
fn names<'t>(
    members: &Members<'t>,
    place: impl Fn() -> Place,
) -> Result<Vec<(String, &'t str)>, InvalidDefinition> {
    members
        .iter()
        .map(|(name, value)| Ok((name.ok_or_else(|| place().is(Fault::NotText))?.into(), value)))
        .collect()
}

fn field<'t>(
    members: &Members<'t>,
    name: &'static str,
    place: impl FnOnce() -> Place,
) -> Result<Option<&'t str>, InvalidDefinition> {
    members.one(name).map_err(|_| place().at(name).is(Fault::Repeated))
}

fn needed<'t>(
    members: &Members<'t>,
    name: &'static str,
    place: impl Fn() -> Place,
) -> Result<&'t str, InvalidDefinition> {
    field(members, name, &place)?.ok_or_else(|| place().at(name).is(Fault::Missing))
}

fn needed_text(
    members: &Members<'_>,
    name: &'static str,
    place: impl Fn() -> Place,
) -> Result<String, InvalidDefinition> {
    text(needed(members, name, &place)?).ok_or_else(|| place().at(name).is(Fault::NotText))
}
