//! `source-list`: where an answer comes from.

use alloc::string::String;

use serde_json::Value;

use crate::component::catalog::{StandardComponent, is_id_of, unique, write_line};
use crate::component::semantics::{Capability, Keyboard, Live, Role, Semantics};
use crate::scalar::{BoundedText, Identifier, SafeLink};
use crate::wire::{List, wire_record};

wire_record! {
    /// Where an answer comes from. Beyond this schema: the ids are unique.
    pub struct SourceList strict sound {
        /// What the sources are for.
        required label: BoundedText<1, 256> = "label",
        /// The sources.
        required sources: List<Source, 1, 50> = "sources",
    }
}

wire_record! {
    /// A source.
    pub struct Source strict {
        /// The source, unique in its list.
        required id: Identifier = "id",
        /// What it is called.
        required title: BoundedText<1, 4_096> = "title",
        /// Where it is.
        optional url: SafeLink = "url",
        /// What it says.
        optional snippet: BoundedText<1, 4_096> = "snippet",
    }
}

impl SourceList {
    /// Where an answer comes from; `None` where two sources have one id.
    #[must_use]
    pub fn new(label: BoundedText<1, 256>, sources: List<Source, 1, 50>) -> Option<Self> {
        let list = Self { label, sources };
        list.is_sound().then_some(list)
    }
}

impl Source {
    /// A source, where it is, and what it says.
    #[must_use]
    pub fn new(
        id: Identifier,
        title: BoundedText<1, 4_096>,
        url: Option<SafeLink>,
        snippet: Option<BoundedText<1, 4_096>>,
    ) -> Self {
        Self { id, title, url, snippet }
    }
}

impl SourceList {
    /// Whether the ids are unique.
    fn is_sound(&self) -> bool {
        unique(self.sources.iter().map(Source::id))
    }
}

impl StandardComponent for SourceList {
    const SEMANTICS: Semantics = Semantics {
        role: Role::List,
        live: Live::Off,
        keyboard: Keyboard::Links,
        capabilities: &[Capability::Display, Capability::Navigate],
        events: &["open"],
    };

    fn takes(&self, _: &str, value: Option<&Value>) -> bool {
        let linked = self.sources.iter().filter(|source| source.url.is_some());
        is_id_of(value, linked.map(Source::id))
    }

    fn write_text(&self, out: &mut String) {
        write_line(out, &[self.label.as_str()]);
        for source in self.sources.iter() {
            match &source.url {
                Some(url) => write_line(out, &["- ", source.title.as_str(), " <", url.as_str(), ">"]),
                None => write_line(out, &["- ", source.title.as_str()]),
            }
            if let Some(snippet) = &source.snippet {
                write_line(out, &["  ", snippet.as_str()]);
            }
        }
    }
}
