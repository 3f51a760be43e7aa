//! Routes that are never taken.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::conversation::file::decode::{Draft, DraftRoute, Matcher};
use crate::conversation::file::fault::{FileFault, Findings, Found, shown};

/// The states that accept an event, by their numbers.
type Accepting<'d> = HashMap<&'d str, BTreeSet<usize>>;

/// Notes every route that can never be taken, as far as its fields and the events of the states could be read.
pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let Some(states) = draft.states.as_ref().filter(|_| draft.has_all_events) else { return };
    let (mut numbers, mut accepting) = (HashMap::new(), Accepting::new());
    for (number, state) in states.iter().enumerate() {
        numbers.insert(state.name.text.as_str(), number);
        for (event, _) in &state.on {
            accepting.entry(event.text.as_str()).or_default().insert(number);
        }
    }
    let mut readable = Vec::new();
    for draft in &draft.routes {
        let Some((event, restricted)) = place(draft, &numbers) else { continue };
        let empty = BTreeSet::new();
        let accepted = accepting.get(event).unwrap_or(&empty);
        let is_taken = match &restricted {
            Some(states) => states.iter().any(|state| accepted.contains(state)),
            None => !accepted.is_empty(),
        };
        if is_taken {
            readable.push(Place { draft, event, restricted });
            continue;
        }
        if findings.is_full() {
            return;
        }
        let places = restricted.as_ref().map(|places| places.iter().filter_map(|place| states.get(*place)));
        let events = match places {
            Some(states) => {
                states.flat_map(|state| &state.on).map(|(event, _)| event.text.as_str()).collect()
            }
            None => accepting.keys().copied().collect::<BTreeSet<&str>>(),
        };
        let found =
            found(draft, FileFault::UnacceptedEvent, "event", draft.event.as_ref().map(|event| event.at));
        findings.push(found.near(event, events));
    }
    check_order(&readable, &accepting, states.len(), findings);
}

/// A route, and where it may be taken.
struct Place<'d> {
    draft: &'d DraftRoute,
    event: &'d str,
    /// The states that it is restricted to, by their numbers.
    restricted: Option<BTreeSet<usize>>,
}

/// Event and states of a route; nothing where they are not known, or something is wrong with them.
fn place<'d>(
    draft: &'d DraftRoute,
    numbers: &HashMap<&str, usize>,
) -> Option<(&'d str, Option<BTreeSet<usize>>)> {
    let event = draft.event.as_ref().map(|event| event.text.as_str()).filter(|event| !event.is_empty())?;
    let Some(states) = &draft.states else { return Some((event, None)) };
    let known = states.names.iter().map(|(_, name)| numbers.get(name.text.as_str()).copied());
    let known: Option<BTreeSet<usize>> = known.collect();
    Some((event, Some(known.filter(|known| states.is_whole && !known.is_empty())?)))
}

fn found(draft: &DraftRoute, fault: FileFault, field: &str, at: Option<usize>) -> Found {
    let found = Found::new(fault).field(format!("routes[{}].{field}", draft.number));
    let found = found.route(draft.name.as_deref());
    match at {
        Some(at) => found.at(at),
        None => found,
    }
}

impl Place<'_> {
    /// The states in which it may be taken.
    fn states<'s>(&'s self, accepting: &'s Accepting<'_>) -> impl Iterator<Item = usize> + 's {
        let accepted = accepting.get(self.event).into_iter();
        let all = accepted.clone().filter(|_| self.restricted.is_none()).flatten();
        let some =
            accepted.zip(&self.restricted).flat_map(|(accepted, states)| states.intersection(accepted));
        all.chain(some).copied()
    }
}

/// Notes the routes before which an earlier one always comes: of the same command, or for everything.
fn check_order(routes: &[Place<'_>], accepting: &Accepting<'_>, count: usize, findings: &mut Findings) {
    // The first route for everything in each state.
    let mut takes_all: Vec<Option<usize>> = vec![None; count];
    let mut events = HashSet::new();
    let mut by_command: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, route) in routes.iter().enumerate() {
        match &route.draft.matcher {
            // Of another one for the same event in all states nothing is new.
            Some(Matcher::Any) if route.restricted.is_some() || events.insert(route.event) => {
                for state in route.states(accepting) {
                    if let Some(first) = takes_all.get_mut(state) {
                        first.get_or_insert(number);
                    }
                }
            }
            Some(Matcher::Command(command)) => {
                by_command.entry(command.text.as_str()).or_default().push(number);
            }
            Some(Matcher::Any) | None => {}
        }
    }
    // The first route of the same command in each state, for one command after the other.
    let mut taken: Vec<Option<(usize, usize)>> = vec![None; count];
    let mut groups: Vec<Vec<usize>> = by_command.into_values().collect();
    let any = |route: &Place<'_>| matches!(route.draft.matcher, Some(Matcher::Any));
    groups.push((0..routes.len()).filter(|number| routes.get(*number).is_some_and(any)).collect());
    for (group, numbers) in groups.iter().enumerate() {
        for number in numbers {
            let Some(route) = routes.get(*number) else { continue };
            let before = |state: usize| {
                let all = takes_all.get(state).copied().flatten().filter(|first| first < number);
                let same = taken.get(state).copied().flatten().filter(|(of, _)| *of == group);
                all.or(same.map(|(_, first)| first))
            };
            let earlier: Option<BTreeSet<usize>> = route.states(accepting).map(before).collect();
            if let Some(earlier) = earlier {
                note(route, &earlier, routes, findings);
            } else if numbers.len() > 1 && !any(route) {
                for state in route.states(accepting) {
                    if let Some(first) =
                        taken.get_mut(state).filter(|first| first.is_none_or(|(of, _)| of != group))
                    {
                        *first = Some((group, *number));
                    }
                }
            }
        }
    }
}

/// Notes that these routes come before one.
fn note(route: &Place<'_>, earlier: &BTreeSet<usize>, routes: &[Place<'_>], findings: &mut Findings) {
    if findings.is_full() {
        return;
    }
    let (field, at) = match &route.draft.matcher {
        Some(Matcher::Command(command)) => ("command", Some(command.at)),
        _ => ("id", None),
    };
    let id = route.draft.id.as_ref().map(|id| id.at);
    let first = earlier.first().and_then(|first| routes.get(*first)).map(|first| first.draft);
    let first = first.map(|first| match &first.name {
        Some(name) => shown(name),
        None => format!("routes[{}]", first.number),
    });
    let others = if earlier.len() > 1 { " and others" } else { "" };
    let found = found(route.draft, FileFault::Shadowed, field, at.or(id));
    findings.push(found.detail(format!("{}{others}", first.unwrap_or_default())));
}
