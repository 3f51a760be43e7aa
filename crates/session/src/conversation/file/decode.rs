//! What the fields of a file say: each of its type, and none that is not known.

use std::collections::HashSet;

use answerplane_normalize::utf16_len;
use answerplane_protocol::session_snapshot::{DecisionKind, StateName};
use answerplane_protocol::{BoundedText, Identifier, Integer, InvalidScalar};

use crate::conversation::file::fault::{FileFault, Findings, Found, shown};
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

/// A definition whose fields have their types, with the places of whatever can still be wrong.
pub(super) struct Draft {
    pub(super) id: Option<Identifier>,
    pub(super) revision: Option<Integer<1>>,
    pub(super) initial: Option<Text>,
    /// Where the states stand.
    pub(super) states_at: usize,
    pub(super) states: Vec<DraftState>,
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
    pub(super) id: Text,
    pub(super) event: Text,
    /// The command that it matches; nothing: whatever is said.
    pub(super) command: Option<Text>,
    pub(super) states: Option<Vec<(usize, Text)>>,
    pub(super) answer: Answer,
    pub(super) kind: DecisionKind,
}

#[derive(Clone)]
pub(super) enum Answer {
    Fixed(String),
    Filled(Template),
}

/// Reads the fields of a file. Nothing where there are no states to go on with.
pub(super) fn decode(root: &Node, findings: &mut Findings) -> Option<Draft> {
    let mut reader = Reader { findings, route: None };
    let fields = reader.fields(root, "", ROOT)?;
    let id = reader.required(&fields, "id").and_then(|node| reader.scalar(node, "id"));
    let revision = match fields.get("revision") {
        Some(node) => reader.revision(node),
        None => Integer::new(1),
    };
    let initial = reader.required(&fields, "initial").and_then(|node| reader.text(node, "initial"));
    let states_node = reader.required(&fields, "states");
    let states = states_node.and_then(|node| reader.states(node));
    let routes = fields.get("routes").map_or(Vec::new(), |node| reader.routes(node));
    Some(Draft { id, revision, initial, states_at: states_node?.at, states: states?, routes })
}

struct Reader<'f> {
    findings: &'f mut Findings,
    /// The id of the route that is read, where it has one.
    route: Option<String>,
}

/// A table whose fields are known.
struct Fields<'n> {
    node: &'n Node,
    path: String,
    entries: Vec<&'n (Text, Node)>,
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
        self.report(Found::new(FileFault::WrongType).at(node.at).field(path).detail(detail));
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
    fn fields<'n>(&mut self, node: &'n Node, path: &str, known: &[&str]) -> Option<Fields<'n>> {
        let entries = self.table(node, path)?;
        let is_unknown = |(name, _): &&&(Text, Node)| !known.contains(&name.text.as_str());
        for (name, _) in entries.iter().filter(is_unknown) {
            if self.findings.is_full() {
                break;
            }
            let found = Found::new(FileFault::UnknownField).at(name.at).field(below(path, &name.text));
            let found = found.detail(format!("known are {}", known.join(", ")));
            self.report(found.near(&name.text, known.iter().copied()));
        }
        Some(Fields { node, path: path.to_owned(), entries })
    }

    fn required<'n>(&mut self, fields: &Fields<'n>, name: &str) -> Option<&'n Node> {
        let node = fields.get(name);
        if node.is_none() {
            self.missing(fields, name);
        }
        node
    }

    fn missing(&mut self, fields: &Fields<'_>, name: &str) {
        let found = Found::new(FileFault::Missing).at(fields.node.at);
        self.report(found.field(fields.path(name)));
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

    /// A list of texts; nothing where one of them is none, after all of them were read.
    fn texts(&mut self, node: &Node, path: &str) -> Option<Vec<Text>> {
        let items = self.list(node, path)?.iter().enumerate();
        let texts: Vec<Option<Text>> =
            items.map(|(number, item)| self.text(item, &format!("{path}[{number}]"))).collect();
        texts.into_iter().collect()
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
    fn word<T: Copy>(&mut self, node: &Node, path: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, path)?;
        let known = words.iter().find(|(word, _)| *word == text.text);
        if known.is_none() {
            let possible: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let found = Found::new(FileFault::UnknownWord).at(text.at).field(path);
            let found = found.detail(format!("possible are {}", possible.join(", ")));
            self.report(found.near(&text.text, words.iter().map(|(word, _)| *word)));
        }
        known.map(|(_, value)| *value)
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
        let Some(fields) = self.fields(node, path, STATE) else { return };
        if let Some(node) = fields.get("on") {
            let path = fields.path("on");
            for (event, target) in self.table(node, &path).unwrap_or_default() {
                let target = self.text(target, &below(&path, &event.text));
                state.on.extend(target.map(|target| (event.clone(), target)));
            }
        }
        if let Some(node) = fields.get("actions") {
            let actions = self.texts(node, &fields.path("actions")).unwrap_or_default();
            state.actions = actions.into_iter().map(|action| action.text).collect();
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

    /// A route; nothing where something is wrong with one of its fields, after all of them were read.
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
        let command = self.one_of(&fields, ["command", "match"]).and_then(|name| self.matcher(&fields, name));
        let states = match fields.get("states") {
            Some(node) => self.texts(node, &fields.path("states")).map(Some),
            None => Some(None),
        };
        let answer =
            self.one_of(&fields, ["response", "template"]).and_then(|name| self.answer(&fields, name));
        let kinds: Vec<_> = DecisionKind::ALL.iter().map(|kind| (kind.as_str(), *kind)).collect();
        let kind = match fields.get("kind") {
            Some(node) => self.word(node, &fields.path("kind"), &kinds),
            None => Some(DecisionKind::Deterministic),
        };
        Some(DraftRoute {
            number,
            name: self.route.clone().filter(|name| !name.is_empty()),
            id: id?,
            event: event?,
            command: command?,
            states: states?.map(|states| states.into_iter().enumerate().collect()),
            answer: answer?,
            kind: kind?,
        })
    }

    fn route_id(&mut self, node: &Node, path: &str) -> Option<Text> {
        let id = self.text(node, path)?;
        // An empty id is refused with the rest of the conversation.
        if !id.text.is_empty() {
            self.check(id.text.parse::<Identifier>(), &id, path)?;
        }
        Some(id)
    }

    /// Which of two fields is there, where exactly one is.
    fn one_of<'f>(&mut self, fields: &Fields<'_>, names: [&'f str; 2]) -> Option<&'f str> {
        let [one, other] = names;
        match names.map(|name| fields.get(name)) {
            [Some(_), None] => Some(one),
            [None, Some(_)] => Some(other),
            [None, None] => {
                let found = Found::new(FileFault::Missing).at(fields.node.at).field(fields.path(one));
                self.report(found.detail(format!("{one} or {other}")));
                None
            }
            [Some(first), Some(second)] => {
                let at = first.at.max(second.at);
                let name = if at == second.at { other } else { one };
                let found = Found::new(FileFault::Exclusive).at(at).field(fields.path(name));
                self.report(found.detail(format!("{one} or {other}")));
                None
            }
        }
    }

    /// The command of a route; an inner nothing for whatever is said.
    fn matcher(&mut self, fields: &Fields<'_>, name: &str) -> Option<Option<Text>> {
        let (node, path) = (fields.get(name)?, fields.path(name));
        if name == "match" {
            return self.word(node, &path, &[("any", ())]).map(|()| None);
        }
        let command = self.text(node, &path)?;
        self.check(command.text.parse::<Input>(), &command, &path)?;
        Some(Some(command))
    }

    fn answer(&mut self, fields: &Fields<'_>, name: &str) -> Option<Answer> {
        let (node, path) = (fields.get(name)?, fields.path(name));
        let text = self.text(node, &path)?;
        if name == "response" {
            self.check(text.text.parse::<Content>(), &text, &path)?;
            return Some(Answer::Fixed(text.text));
        }
        let template = Template::parse(&text.text);
        let template = template.map_err(|found| self.report(found.at(text.at).field(&path))).ok()?;
        let fixed = Text { at: text.at, text: template.fixed() };
        self.check(fixed.text.parse::<Content>(), &fixed, &path)?;
        Some(Answer::Filled(template))
    }
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
