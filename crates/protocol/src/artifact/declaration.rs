//! The objects of an artifact as they stand on the wire.

use crate::artifact::entries::Entries;
use crate::scalar::{ContentHash, DateTime, Identifier, SafeLink, TrimmedText};
use crate::wire::{List, Version1, wire_constant, wire_enum, wire_input, wire_object};

wire_constant! {
    KnowledgeProtocol = "agentskit.chat.knowledge";
    ExactMatch = "exact";
}

wire_input! {
    /// A site's declared questions and answers. Contract: `docs/protocol/artifact.md`. At most 524,288 bytes.
    /// Beyond this schema: entry ids are unique, every entry has an alias whose normalized key no other entry
    /// has, `expiresAt` is later than `generatedAt`, and `contentHash` covers the canonical bytes.
    pub(crate) struct KnowledgeArtifact {
        /// The name of the protocol.
        required _protocol: KnowledgeProtocol = "protocol",
        /// The version of the protocol.
        required _version: Version1 = "version",
        /// The identifier of the artifact.
        required artifact_id: Identifier = "artifactId",
        /// The identifier of the site that the artifact belongs to.
        required site_id: Identifier = "siteId",
        /// The hash of the canonical bytes.
        required content_hash: ContentHash = "contentHash",
        /// When the artifact was made.
        required generated_at: DateTime = "generatedAt",
        /// When the artifact stops answering.
        optional expires_at: DateTime = "expiresAt",
        /// The questions and answers, at most 1,024.
        required entries: Entries = "entries",
    }
}

wire_input! {
    /// An artifact before its content hash exists; a hash that is there is an unknown field.
    pub(crate) struct UnhashedArtifact {
        /// The name of the protocol.
        required _protocol: KnowledgeProtocol = "protocol",
        /// The version of the protocol.
        required _version: Version1 = "version",
        /// The identifier of the artifact.
        required artifact_id: Identifier = "artifactId",
        /// The identifier of the site that the artifact belongs to.
        required site_id: Identifier = "siteId",
        /// When the artifact was made.
        required generated_at: DateTime = "generatedAt",
        /// When the artifact stops answering.
        optional expires_at: DateTime = "expiresAt",
        /// The questions and answers, at most 1,024.
        required entries: Entries = "entries",
    }
}

impl From<KnowledgeArtifact> for UnhashedArtifact {
    fn from(artifact: KnowledgeArtifact) -> Self {
        let KnowledgeArtifact {
            _protocol,
            _version,
            artifact_id,
            site_id,
            content_hash: _,
            generated_at,
            expires_at,
            entries,
        } = artifact;
        Self { _protocol, _version, artifact_id, site_id, generated_at, expires_at, entries }
    }
}

wire_input! {
    /// One answer and the questions that it answers.
    pub(crate) struct KnowledgeEntry<S> {
        /// The identifier of the entry, unique in its artifact.
        required id: Identifier<S> = "id",
        /// What the entry is about.
        required kind: EntryKind = "kind",
        /// What a person sees in a list of choices.
        required label: TrimmedText<1, 256, S> = "label",
        /// The questions.
        required matching: Match<S> = "match",
        /// The answer.
        required answer: DeclaredAnswer<S> = "answer",
    }
}

wire_input! {
    /// How a question is recognized.
    pub(crate) struct Match<S> {
        /// The rule: equal normalized keys.
        required _rule: ExactMatch = "type",
        /// The aliases. Their normalized keys are distinct and have at most 512 UTF-16 code units.
        required values: List<TrimmedText<1, 512, S>, 1, 16> = "values",
    }
}

wire_input! {
    /// The answer of an entry.
    pub(crate) struct DeclaredAnswer<S> {
        /// The text in Markdown.
        required markdown: TrimmedText<1, 16_384, S> = "markdown",
        /// Where the answer comes from.
        required citations: List<Citation<S>, 0, 8> = "citations",
    }
}

wire_object! {
    /// A source of an answer.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Citation<S> {
        /// The identifier of the source. It may repeat.
        required id: Identifier<S> = "id",
        /// What a person sees.
        required title: TrimmedText<1, 256, S> = "title",
        /// Where the source is.
        required href: SafeLink<S> = "href",
    }
}

impl Citation {
    /// A source of an answer.
    #[must_use]
    pub fn new(id: Identifier, title: TrimmedText<1, 256>, href: SafeLink) -> Self {
        Self { id, title, href }
    }

    /// The source.
    #[must_use]
    pub fn id(&self) -> &Identifier {
        &self.id
    }

    /// What a person sees.
    #[must_use]
    pub fn title(&self) -> &TrimmedText<1, 256> {
        &self.title
    }

    /// Where the source is.
    #[must_use]
    pub fn href(&self) -> &SafeLink {
        &self.href
    }
}

wire_enum! {
    /// What an entry is about.
    pub enum EntryKind {
        /// Something to type.
        Command = "command",
        /// Something to install.
        Package = "package",
        /// A place in a product or a site.
        Navigation = "navigation",
        /// How to take part.
        Contribution = "contribution",
        /// Something beside the product.
        Ecosystem = "ecosystem",
        /// A question whose answer is fixed.
        RestrictedFaq = "restricted-faq",
        /// A document.
        Document = "document",
    }
}
