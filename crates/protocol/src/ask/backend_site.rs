//! What an Ask service knows of a site, from a source that it trusts.

use alloc::vec::Vec;

use crate::ask::AskDiagnostic;
use crate::document::document;
use crate::scalar::{ComponentKey, Identifier, TrimmedText};
use crate::wire::{Integer, List, Version1, wire_constant, wire_enum, wire_record};

wire_constant! {
    BackendSiteProtocol = "agentskit.chat.backend-site";
}

wire_record! {
    /// What a request to an Ask service may do at a site. Contract: `docs/protocol/ask.md`.
    pub struct BackendSite strict document {
        /// The name of the protocol.
        fixed protocol: BackendSiteProtocol = "protocol",
        /// The version of the protocol.
        fixed version: Version1 = "version",
        /// The site.
        required site_id: Identifier = "siteId",
        /// Who answers.
        required assistant: Assistant = "assistant",
        /// What the answers rest on.
        required corpus: Corpus = "corpus",
        /// The components that an answer may show.
        required components: List<ComponentKey, 0, 64> = "components",
        /// The actions that an answer may propose.
        required actions: List<Identifier, 0, 64> = "actions",
        /// How long each step may take, and how many sources an answer may have.
        required limits: AskLimits = "limits",
        /// Whether sessions are kept.
        required persistence: Persistence = "persistence",
    }
}

wire_record! {
    /// Who answers at a site.
    pub struct Assistant strict {
        /// The assistant; a request may name it as its `persona`.
        required id: Identifier = "id",
        /// What it is called.
        required name: TrimmedText<1, 128> = "name",
        /// What a person might ask first.
        required suggestions: List<TrimmedText<1, 256>, 0, 8> = "suggestions",
    }
}

wire_record! {
    /// What the answers at a site rest on.
    pub struct Corpus strict {
        /// The corpus; a request may name it.
        required id: Identifier = "id",
        /// Where it is.
        required mode: CorpusMode = "mode",
    }
}

wire_enum! {
    /// Where a corpus is.
    pub enum CorpusMode {
        /// With the service.
        Local = "local",
        /// With others that are asked.
        Federated = "federated",
    }
}

wire_record! {
    /// How long the steps of an answer may take, and how many sources it may have.
    pub struct AskLimits strict {
        /// Milliseconds for the whole.
        required request_timeout_ms: Integer<100, 120_000> = "requestTimeoutMs",
        /// Milliseconds to look for sources.
        required retrieval_timeout_ms: Integer<100, 60_000> = "retrievalTimeoutMs",
        /// Milliseconds to write the answer.
        required generation_timeout_ms: Integer<100, 120_000> = "generationTimeoutMs",
        /// The greatest number of sources.
        required max_sources: Integer<1, 8> = "maxSources",
    }
}

wire_enum! {
    /// Whether sessions are kept.
    pub enum Persistence {
        /// An answer that cannot be kept is none.
        Required = "required",
        /// Nothing is kept.
        Disabled = "disabled",
    }
}

document!(BackendSite: "agentskit.chat.backend-site", refused as AskDiagnostic,);

impl BackendSite {
    /// What a request may do at a site where no component is shown and no action proposed.
    #[must_use]
    pub fn new(
        site_id: Identifier,
        assistant: Assistant,
        corpus: Corpus,
        limits: AskLimits,
        persistence: Persistence,
    ) -> Self {
        Self {
            protocol: BackendSiteProtocol,
            version: Version1,
            site_id,
            assistant,
            corpus,
            components: List::proven(Vec::new()),
            actions: List::proven(Vec::new()),
            limits,
            persistence,
        }
    }

    /// The same with the components that an answer may show.
    #[must_use]
    pub fn with_components(self, components: List<ComponentKey, 0, 64>) -> Self {
        Self { components, ..self }
    }

    /// The same with the actions that an answer may propose.
    #[must_use]
    pub fn with_actions(self, actions: List<Identifier, 0, 64>) -> Self {
        Self { actions, ..self }
    }

    /// Whether the hints that a request may give agree with the site: none, or the right ones.
    #[must_use]
    pub fn agrees_with(&self, corpus: Option<&str>, persona: Option<&str>) -> bool {
        corpus.is_none_or(|corpus| corpus == self.corpus.id.as_str())
            && persona.is_none_or(|persona| persona == self.assistant.id.as_str())
    }
}

impl Assistant {
    /// Who answers: its id, what it is called, and what a person might ask first.
    #[must_use]
    pub fn new(
        id: Identifier,
        name: TrimmedText<1, 128>,
        suggestions: List<TrimmedText<1, 256>, 0, 8>,
    ) -> Self {
        Self { id, name, suggestions }
    }
}

impl Corpus {
    /// What the answers rest on, and where it is.
    #[must_use]
    pub fn new(id: Identifier, mode: CorpusMode) -> Self {
        Self { id, mode }
    }
}

impl AskLimits {
    /// Milliseconds for the whole, to look for sources and to write the answer; the greatest number of sources.
    #[must_use]
    pub fn new(
        request_timeout_ms: Integer<100, 120_000>,
        retrieval_timeout_ms: Integer<100, 60_000>,
        generation_timeout_ms: Integer<100, 120_000>,
        max_sources: Integer<1, 8>,
    ) -> Self {
        Self { request_timeout_ms, retrieval_timeout_ms, generation_timeout_ms, max_sources }
    }
}
