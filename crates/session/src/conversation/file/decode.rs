//! What the fields of a file say: each of its type, and none that is not known.

use std::collections::HashSet;

use answerplane_normalize::utf16_len;
use answerplane_protocol::session_snapshot::{DecisionKind, StateName};
use answerplane_protocol::{BoundedText, Identifier, Integer, InvalidScalar};

use crate::conversation::file::Format;
use crate::conversation::file::advice;
use crate::conversation::file::fault::{FileFault, Findings, Found, nearest, shown};
use crate::conversation::file::template::Template;
use crate::conversation::file::tree::{Node, Text, Value};

/// The greatest length of an answer that a decision can hold.
pub(super) const MAX_CONTENT: usize = 65_536;

/// What a decision holds of an answer, and of what was said.
type Content = BoundedText<0, MAX_CONTENT>;
type Input = BoundedText<0, 16_384>;

const ROOT: &[&str] = &["id", "revision", "initial", "states", "routes"];
const STATE: &[&str] = &["on", "actions"];
const ROUTE: &[&str] = &["id", "event", "command", "match", "states", "response", "template", "kind"];

/// A definition whose fields have their types, with the places of whatever can still be wrong. What is not there was noted.
pub(super) struct Draft {
    pub(super) id: Option<Identifier>,
    pub(super) revision: Option<Integer<1>>,
    pub(super) initial: Option<Text>,
    /// Where the states stand.
    pub(super) states_at: usize,
    pub(super) states: Option<Vec<DraftState>>,
    /// Whether the events of all states could be read.
    pub(super) has_all_events: bool,
    pub(super) routes: Vec<DraftRoute>,
}

pub(super) struct DraftState {
    pub(super) name: Text,
    /// Events and where they lead.
    pub(super) on: Vec<(Text, Text)>,
    pub(super) actions: Vec<String>,
}

pub(super) struct DraftRoute {
    /// Its number in the file, from 0.
    pub(super) number: usize,
    /// Its id as the file has it, unless that is empty.
    pub(super) name: Option<String>,
    pub(super) id: Option<Text>,
    pub(super) event: Option<Text>,
    pub(super) matcher: Option<Matcher>,
    pub(super) states: Option<States>,
    pub(super) answer: Option<Answer>,
    pub(super) kind: DecisionKind,
}

#[derive(Clone)]
pub(super) enum Matcher {
    Command(Text),
    /// Whatever is said.
    Any,
}

/// The states that a route is restricted to.
pub(super) struct States {
    /// Each with its number in the list.
    pub(super) names: Vec<(usize, Text)>,
    /// Whether every one of them could be read.
    pub(super) is_whole: bool,
}

#[derive(Clone)]
pub(super) enum Answer {
    Fixed(String),
    Filled(Template),
}

/// Reads the fields of a file. Nothing where it has none.
pub(super) fn decode(root: &Node, text: &str, format: Format, findings: &mut Findings) -> Option<Draft> {
    let mut reader =
        Reader { findings, text, format, route: None, has_all_events: true, misplaced: HashSet::new() };
    let fields = reader.fields(root, "", ROOT)?;
    // What stands in them in vain is not missing.
    let states = fields.get("states").and_then(|node| reader.states(node));
    let routes = fields.get("routes").map_or(Vec::new(), |node| reader.routes(node));
    let id = reader.required(&fields, "id").and_then(|node| reader.scalar(node, "id"));
    let revision = match fields.get("revision") {
        Some(node) => reader.revision(node),
        None => Integer::new(1),
    };
    let initial = reader.required(&fields, "initial").and_then(|node| reader.text(node, "initial"));
    let states_at = reader.required(&fields, "states").map_or(0, |node| node.at);
    let has_all_events = reader.has_all_events && states.is_some();
    Some(Draft { id, revision, initial, states_at, states, has_all_events, routes })
}

struct Reader<'f> {
    findings: &'f mut Findings,
    /// What is read.
    text: &'f str,
    format: Format,
    /// The id of the route that is read, where it has one.
    route: Option<String>,
    /// Whether the events of all states could be read so far.
    has_all_events: bool,
    /// Fields of the whole file that stand in a table of TOML.
    misplaced: HashSet<&'static str>,
}

/// A table whose fields are known.
struct Fields<'n> {
    node: &'n Node,
    path: String,
    entries: Vec<&'n (Text, Node)>,
    /// The known fields that the unknown ones are nearest to.
    meant: HashSet<&'static str>,
}

impl<'n> Fields<'n> {
    fn get(&self, name: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(field, _)| field.text == name).map(|(_, node)| node)
    }

    fn path(&self, name: &str) -> String {
        below(&self.path, name)
    }
}

/// The path of a name below another.
pub(super) fn below(path: &str, name: &str) -> String {
    if path.is_empty() { shown(name) } else { format!("{path}.{}", shown(name)) }
}

impl Reader<'_> {
    fn report(&mut self, found: Found) {
        let found = found.route(self.route.as_deref());
        self.findings.push(found);
    }

    fn wrong_type(&mut self, node: &Node, path: &str, expected: &str) {
        let detail = format!("expected {expected}, found {}", node.value.what());
        let found = Found::new(FileFault::WrongType).at(node.at).field(path).detail(detail);
        self.report(found.advice(advice::of_type(expected, &node.value, path)));
    }

    /// The entries of a table, without those whose name stands there for the second time.
    fn table<'n>(&mut self, node: &'n Node, path: &str) -> Option<Vec<&'n (Text, Node)>> {
        let Value::Table(entries) = &node.value else {
            self.wrong_type(node, path, "a table");
            return None;
        };
        let mut names = HashSet::new();
        let (first, again): (Vec<_>, Vec<_>) =
            entries.iter().partition(|(name, _)| names.insert(name.text.as_str()));
        for (name, _) in again {
            self.report(Found::new(FileFault::Repeated).at(name.at).field(below(path, &name.text)));
        }
        Some(first)
    }

    /// The fields of a table, all of them known.
    fn fields<'n>(&mut self, node: &'n Node, path: &str, known: &[&'static str]) -> Option<Fields<'n>> {
        let entries = self.table(node, path)?;
        let mut meant = HashSet::new();
        let is_unknown = |(name, _): &&&(Text, Node)| !known.contains(&name.text.as_str());
        for (name, _) in entries.iter().filter(is_unknown) {
            if self.findings.is_full() {
                break;
            }
            let found = Found::new(FileFault::UnknownField).at(name.at).field(below(path, &name.text));
            let found = found.detail(format!("known are {}", known.join(", ")));
            let of_file = ROOT.iter().find(|field| **field == name.text);
            if let Some(field) = of_file.filter(|_| self.format == Format::Toml) {
                self.misplaced.insert(field);
                self.report(found.advice(Some(advice::MISPLACED)));
                continue;
            }
            meant.extend(
                nearest(&name.text, known.iter().copied())
                    .and_then(|meant| known.iter().find(|known| **known == meant)),
            );
            self.report(found.near(&name.text, known.iter().copied()));
        }
        Some(Fields { node, path: path.to_owned(), entries, meant })
    }

    fn required<'n>(&mut self, fields: &Fields<'n>, name: &str) -> Option<&'n Node> {
        let node = fields.get(name);
        let is_of_file = fields.path.is_empty();
        // What stands there by another name, or elsewhere, was noted.
        let is_noted = fields.meant.contains(name) || is_of_file && self.misplaced.contains(name);
        if node.is_none() && !is_noted {
            let found = Found::new(FileFault::Missing).at(fields.node.at).field(fields.path(name));
            let is_before_tables = is_of_file && name != "states" && self.format == Format::Toml;
            self.report(found.advice(is_before_tables.then_some(advice::MISSING)));
        }
        node
    }

    fn list<'n>(&mut self, node: &'n Node, path: &str) -> Option<&'n [Node]> {
        let Value::List(items) = &node.value else {
            self.wrong_type(node, path, "a list");
            return None;
        };
        Some(items)
    }

    fn text(&mut self, node: &Node, path: &str) -> Option<Text> {
        let Value::Text(text) = &node.value else {
            self.wrong_type(node, path, "a text");
            return None;
        };
        Some(Text { at: node.at, text: text.clone() })
    }

    /// A list of texts, without the items that are none.
    fn texts(&mut self, node: &Node, path: &str) -> Option<Vec<(usize, Text)>> {
        let items = self.list(node, path)?.iter().enumerate();
        let texts = items.filter_map(|(number, item)| {
            self.text(item, &format!("{path}[{number}]")).map(|text| (number, text))
        });
        Some(texts.collect())
    }

    /// Reports what a type of the protocol says about a text.
    fn check<T>(&mut self, parsed: Result<T, InvalidScalar>, text: &Text, path: &str) -> Option<T> {
        let invalid = match parsed {
            Ok(value) => return Some(value),
            Err(invalid) => invalid,
        };
        let mut found = Found::new(FileFault::Scalar(invalid)).at(text.at).field(path);
        if let InvalidScalar::Text { max, .. } = invalid {
            found = found.beyond(max as u64, Some(utf16_len(&text.text) as u64));
        }
        self.report(found);
        None
    }

    fn scalar(&mut self, node: &Node, path: &str) -> Option<Identifier> {
        let text = self.text(node, path)?;
        self.check(text.text.parse(), &text, path)
    }

    fn revision(&mut self, node: &Node) -> Option<Integer<1>> {
        let Value::Integer(number) = node.value else {
            self.wrong_type(node, "revision", "a whole number");
            return None;
        };
        let revision = u64::try_from(number).ok().and_then(Integer::new);
        if revision.is_none() {
            let found = Found::new(FileFault::OutOfRange).at(node.at).field("revision").detail("at least 1");
            self.report(found.beyond(MAX_REVISION, u64::try_from(number).ok()));
        }
        revision
    }

    /// One of these words.
    fn word<T: Clone>(&mut self, node: &Node, path: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, path)?;
        let known = words.iter().find(|(word, _)| *word == text.text);
        if known.is_none() {
            let possible: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
            let found = Found::new(FileFault::UnknownWord).at(text.at).field(path);
            let found = match possible.as_slice() {
                [only] => found.detail(format!("the only one is {only}")).advice(Some(advice::ONLY_WORD)),
                possible => found.detail(format!("possible are {}", possible.join(", "))),
            };
            self.report(found.near(&text.text, words.iter().map(|(word, _)| *word)));
        }
        known.map(|(_, value)| value.clone())
    }

    fn states(&mut self, node: &Node) -> Option<Vec<DraftState>> {
        let entries = self.table(node, "states")?;
        let states = entries.iter().map(|(name, node)| {
            let path = below("states", &name.text);
            // An empty name is refused with all other blank ones.
            if !name.text.is_empty() {
                self.check(name.text.parse::<StateName>(), name, &path);
            }
            let mut state = DraftState { name: name.clone(), on: Vec::new(), actions: Vec::new() };
            self.state(node, &path, &mut state);
            state
        });
        Some(states.collect())
    }

    fn state(&mut self, node: &Node, path: &str, state: &mut DraftState) {
        let Some(fields) = self.fields(node, path, STATE) else {
            self.has_all_events = false;
            return;
        };
        let mut is_whole = fields.entries.iter().all(|(name, _)| STATE.contains(&name.text.as_str()));
        if let Some(node) = fields.get("on") {
            let path = fields.path("on");
            let events = self.table(node, &path);
            is_whole &= events.is_some();
            for (event, target) in events.unwrap_or_default() {
                let target = self.text(target, &below(&path, &event.text));
                is_whole &= target.is_some();
                state.on.extend(target.map(|target| (event.clone(), target)));
            }
        }
        self.has_all_events &= is_whole;
        if let Some(node) = fields.get("actions") {
            let actions = self.texts(node, &fields.path("actions")).unwrap_or_default();
            state.actions = actions.into_iter().map(|(_, action)| action.text).collect();
        }
    }

    fn routes(&mut self, node: &Node) -> Vec<DraftRoute> {
        let items = self.list(node, "routes").unwrap_or_default();
        let routes = items.iter().enumerate().filter_map(|(number, node)| {
            let route = self.route(node, number);
            self.route = None;
            route
        });
        routes.collect()
    }

    /// A route, without the fields with which something is wrong; nothing where it has none.
    fn route(&mut self, node: &Node, number: usize) -> Option<DraftRoute> {
        if let Value::Table(entries) = &node.value
            && let Some((_, id)) = entries.iter().find(|(name, _)| name.text == "id")
            && let Value::Text(id) = &id.value
        {
            self.route = Some(id.clone());
        }
        let fields = self.fields(node, &format!("routes[{number}]"), ROUTE)?;
        let id = self.required(&fields, "id").and_then(|node| self.route_id(node, &fields.path("id")));
        let event = self.required(&fields, "event").and_then(|node| self.text(node, &fields.path("event")));
        let command = fields.get("command").map(|node| self.command(node, &fields.path("command")));
        let any =
            fields.get("match").map(|node| self.word(node, &fields.path("match"), &[("any", Matcher::Any)]));
        self.one_of(&fields, ["command", "match"]);
        let states = fields.get("states").map(|node| self.route_states(node, &fields.path("states")));
        let response = fields.get("response").map(|node| self.response(node, &fields.path("response")));
        let template = fields.get("template").map(|node| self.template(node, &fields.path("template")));
        self.one_of(&fields, ["response", "template"]);
        let kinds: Vec<_> = DecisionKind::ALL.iter().map(|kind| (kind.as_str(), *kind)).collect();
        let kind = match fields.get("kind") {
            Some(node) => self.word(node, &fields.path("kind"), &kinds),
            None => None,
        };
        Some(DraftRoute {
            number,
            name: self.route.clone().filter(|name| !name.is_empty()),
            id,
            event,
            matcher: command.or(any).flatten(),
            states,
            answer: response.or(template).flatten(),
            kind: kind.unwrap_or(DecisionKind::Deterministic),
        })
    }

    fn route_id(&mut self, node: &Node, path: &str) -> Option<Text> {
        let id = self.text(node, path)?;
        // An empty id is refused with the rest of the conversation.
        if !id.text.is_empty() {
            self.check(id.text.parse::<Identifier>(), &id, path);
        }
        Some(id)
    }

    fn route_states(&mut self, node: &Node, path: &str) -> States {
        let names = self.texts(node, path);
        let count = if let Value::List(items) = &node.value { items.len() } else { 0 };
        let is_whole = names.as_ref().is_some_and(|names| names.len() == count);
        if is_whole && count == 0 {
            self.report(Found::new(FileFault::NoStates).at(node.at).field(path));
        }
        States { names: names.unwrap_or_default(), is_whole }
    }

    /// Notes where not exactly one of two fields is there.
    fn one_of(&mut self, fields: &Fields<'_>, names: [&str; 2]) {
        let [one, other] = names;
        let (fault, at, name) = match names.map(|name| fields.get(name)) {
            [None, None] if names.iter().any(|name| fields.meant.contains(name)) => return,
            [None, None] => (FileFault::Missing, fields.node.at, one),
            [Some(first), Some(second)] if first.at > second.at => (FileFault::Exclusive, first.at, one),
            [Some(_), Some(second)] => (FileFault::Exclusive, second.at, other),
            _ => return,
        };
        let found = Found::new(fault).at(at).field(fields.path(name));
        self.report(found.detail(format!("{one} or {other}")));
    }

    fn command(&mut self, node: &Node, path: &str) -> Option<Matcher> {
        let command = self.text(node, path)?;
        self.check(command.text.parse::<Input>(), &command, path)?;
        if command.text.trim() != command.text {
            self.report(Found::new(FileFault::SpacedCommand).at(command.at).field(path));
        }
        Some(Matcher::Command(command))
    }

    fn response(&mut self, node: &Node, path: &str) -> Option<Answer> {
        let text = self.text(node, path)?;
        self.check(text.text.parse::<Content>(), &text, path)?;
        Some(Answer::Fixed(text.text))
    }

    fn template(&mut self, node: &Node, path: &str) -> Option<Answer> {
        let text = self.text(node, path)?;
        match Template::parse(&text.text) {
            Ok(template) => {
                let fixed = Text { at: text.at, text: template.fixed() };
                self.check(fixed.text.parse::<Content>(), &fixed, path)?;
                Some(Answer::Filled(template))
            }
            Err(refused) => {
                for (at, found) in refused {
                    if self.findings.is_full() {
                        break;
                    }
                    let at = place_within(self.text, &text, at);
                    self.report(found.at(at).field(path));
                }
                None
            }
        }
    }
}

/// Where a byte of a text stands in the file; where the text begins if what is before it is written in another way there.
fn place_within(file: &str, text: &Text, at: usize) -> usize {
    let written = file.get(text.at..).unwrap_or_default();
    let until = text.text.get(..=at).unwrap_or_default();
    ["\"\"\"\r\n", "\"\"\"\n", "\"\"\"", "'''\r\n", "'''\n", "'''", "\"", "'", ""]
        .iter()
        .find(|open| written.strip_prefix(**open).is_some_and(|rest| rest.starts_with(until)))
        .map_or(text.at, |open| text.at + open.len() + at)
}

/// The greatest integer that every double holds.
const MAX_REVISION: u64 = (1 << 53) - 1;

#[cfg(test)]
mod tests {
    use answerplane_protocol::session_snapshot::{Decision, DecisionKind, StateName};

    use super::{Content, Input};

    #[test]
    fn a_file_has_the_limits_of_a_decision() {
        let id = || "m1".parse().unwrap();
        let (input, content): (Input, Content) = ("a".parse().unwrap(), "b".parse().unwrap());
        let state = || "idle".parse::<StateName>().unwrap();
        let _: Decision =
            Decision::new((id(), input), (id(), DecisionKind::Deterministic), content, (state(), state()));
    }
}
