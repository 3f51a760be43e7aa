//! A definition of what the fields say, or the places of what does not go together.
//!
//! What goes together is known to [`Conversation`](crate::Conversation) alone. It tells the first thing that does not; that is
//! noted with its place, mended in the draft, and asked again.

use std::collections::HashSet;

use answerplane_statechart::{Failed, InvalidDefinition};

use crate::conversation::definition::{Conversation, ConversationState, InvalidConversation};
use crate::conversation::file::decode::{Answer, Draft, DraftRoute, Matcher, below};
use crate::conversation::file::fault::{FileFault, Findings, Found};
use crate::conversation::file::taken;
use crate::conversation::file::tree::Text;
use crate::conversation::route::{Route, Said};
use crate::snapshot_session::Definition;

pub(super) fn assemble(mut draft: Draft, findings: &mut Findings) -> Option<Definition> {
    taken::check(&draft, findings);
    if draft.states.is_none() {
        // Which states there are is not known: nothing that names one is wrong.
        draft.initial = None;
        draft.routes.iter_mut().for_each(|route| route.states = None);
    }
    loop {
        let invalid = match conversation(&draft) {
            Ok(conversation) => {
                let (id, revision) = (draft.id?, draft.revision?);
                return Some(Definition { id, revision, conversation: Some(conversation) });
            }
            Err(invalid) => invalid,
        };
        let mended = match &invalid {
            InvalidConversation::Machine(machine) => mend_states(&mut draft, machine, findings),
            invalid => mend_route(&mut draft, invalid, findings),
        };
        if mended.is_none() || findings.is_full() {
            return None;
        }
    }
}

/// A state to begin in where a file names none that can be begun in.
const SOMEWHERE: &str = "\n(somewhere)";

fn conversation(draft: &Draft) -> Result<Conversation, InvalidConversation> {
    let initial = draft.initial.as_ref().map(|initial| initial.text.as_str());
    let mut builder = Conversation::builder(initial.unwrap_or(SOMEWHERE));
    if initial.is_none() {
        // That it is absent, or what is wrong with it, was noted.
        builder = builder.state(ConversationState::new(SOMEWHERE));
    }
    for draft in draft.states.iter().flatten() {
        let mut state = ConversationState::new(&draft.name.text).actions(&draft.actions);
        for (event, target) in &draft.on {
            state = state.on(&event.text, &target.text);
        }
        builder = builder.state(state);
    }
    draft.routes.iter().map(route).fold(builder, |builder, route| builder.route(route)).build()
}

fn route(draft: &DraftRoute) -> Route {
    let command = match &draft.matcher {
        Some(Matcher::Command(command)) => Some(command.text.clone()),
        Some(Matcher::Any) | None => None,
    };
    let (expected, answer) = (command.clone(), draft.answer.clone());
    let matches = move |said: &str| Ok(expected.as_ref().is_none_or(|expected| said == expected));
    let answered = move |said: &str, place: Said<'_>| match &answer {
        Some(Answer::Fixed(answer)) => Ok(answer.clone()),
        Some(Answer::Filled(template)) => template.fill(said, place),
        None => Err(Failed),
    };
    // What is absent was noted: the route is never taken, but goes together with the others.
    let absent = unlike_names(draft.number);
    let text = |text: &Option<Text>| text.as_ref().map_or_else(|| absent.clone(), |text| text.text.clone());
    let mut route = Route::new(text(&draft.id), text(&draft.event), matches, answered).traced_as(draft.kind);
    route.takes_all = command.is_none();
    route.command = command;
    match &draft.states {
        Some(states) => route.only_in(states.names.iter().map(|(_, state)| &state.text)),
        None => route,
    }
}

/// Notes what is wrong with the states, and mends it; nothing where it cannot be mended.
fn mend_states(draft: &mut Draft, machine: &InvalidDefinition, findings: &mut Findings) -> Option<()> {
    let found = Found::new(FileFault::Conversation(InvalidConversation::Machine(machine.clone())));
    let place = machine.place();
    let states = draft.states.as_mut()?;
    let names: Vec<&str> = states.iter().map(|state| state.name.text.as_str()).collect();
    let Some(name) = place.state() else {
        if place.field() != Some("initial") {
            findings.push(found.at(draft.states_at).field("states"));
            return None;
        }
        let initial = draft.initial.take()?;
        findings.push(found.at(initial.at).field("initial").near(&initial.text, names));
        return Some(());
    };
    let number = names.iter().position(|known| *known == name)?;
    let path = below("states", name);
    let Some(event) = place.event() else {
        let state = &mut states.get_mut(number)?.name;
        findings.push(found.at(state.at).field(path));
        state.text = unlike_names(number);
        return Some(());
    };
    let field = below(&below(&path, "on"), event);
    let at = states.get(number)?.on.iter().position(|(known, _)| known.text == event)?;
    let (event, target) = states.get(number)?.on.get(at)?;
    findings.push(match place.field() {
        Some(_) => found.at(target.at).field(field).near(&target.text, names),
        None => found.at(event.at).field(field),
    });
    states.get_mut(number)?.on.remove(at);
    Some(())
}

/// Notes what is wrong with a route, and mends it; nothing where it cannot be mended.
fn mend_route(draft: &mut Draft, invalid: &InvalidConversation, findings: &mut Findings) -> Option<()> {
    use InvalidConversation as Invalid;

    let at = match invalid {
        Invalid::RouteWithoutId(at) | Invalid::RouteRepeated(at) | Invalid::UnknownState(at) => *at,
        Invalid::EmptyCommand(at) | Invalid::RouteWithoutEvent(at) => *at,
        Invalid::Machine(_) => return None,
    };
    let route = draft.routes.get_mut(at)?;
    // The file has another number where routes before this one were left out.
    let (number, name) = (route.number, route.name.clone());
    let note = |invalid: Invalid, at: usize, field: &str| {
        let found = Found::new(FileFault::Conversation(invalid)).at(at);
        found.field(format!("routes[{number}].{field}")).route(name.as_deref())
    };
    match invalid {
        Invalid::RouteWithoutId(_) => {
            findings.push(note(Invalid::RouteWithoutId(number), route.id.take()?.at, "id"));
        }
        Invalid::RouteRepeated(_) => {
            findings.push(note(Invalid::RouteRepeated(number), route.id.take()?.at, "id"));
        }
        Invalid::UnknownState(_) => {
            let names = || draft.states.iter().flatten().map(|state| state.name.text.as_str());
            let is_known: HashSet<&str> = names().collect();
            let states = route.states.as_mut()?;
            let (known, unknown) = std::mem::take(&mut states.names)
                .into_iter()
                .partition(|(_, state)| is_known.contains(state.text.as_str()));
            states.names = known;
            let unknown: Vec<(usize, Text)> = unknown;
            for (place, state) in unknown {
                if findings.is_full() {
                    break;
                }
                let found = note(Invalid::UnknownState(number), state.at, &format!("states[{place}]"));
                findings.push(found.near(&state.text, names()));
            }
        }
        Invalid::EmptyCommand(_) => {
            let Matcher::Command(command) = route.matcher.take()? else { return None };
            findings.push(note(Invalid::EmptyCommand(number), command.at, "command"));
        }
        Invalid::RouteWithoutEvent(_) => {
            findings.push(note(Invalid::RouteWithoutEvent(number), route.event.take()?.at, "event"));
        }
        Invalid::Machine(_) => return None,
    }
    Some(())
}

/// A text in place of one that was refused: a name, but no identifier, and none that anybody would give.
fn unlike_names(number: usize) -> String {
    format!("\n({number})")
}
