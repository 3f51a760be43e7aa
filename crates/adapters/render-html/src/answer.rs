//! Answers: who vouches for them, what can be chosen, and why there is none.

use answerplane_protocol::{Choices, Citation, Escalation, EscalationReason, LocalSource, Provenance};
use maud::{Markup, html};

use crate::component::named;
use crate::escape::{Href, Shown};

/// What an answer rests on, and who vouches for it.
pub(crate) fn provenance(provenance: &Provenance, citations: &[Citation]) -> Markup {
    html! {
        div.ap-provenance role="note" aria-label="Where this answer comes from" {
            @if !citations.is_empty() {
                ol.ap-citations {
                    @for citation in citations {
                        li {
                            a.ap-link dir="auto" href=(Href(citation.href().as_str())) rel="nofollow noopener noreferrer" {
                                (Shown(named(citation.title().as_str(), citation.href().as_str())))
                            }
                        }
                    }
                }
            }
            @match provenance {
                Provenance::Local { source, entry_id } => p {
                    strong.ap-badge { "Declared answer" }
                    " " code { (Shown(entry_id.as_str())) } " of " (local(source))
                },
                Provenance::Backend { provider, model } => p {
                    strong.ap-badge.ap-backend { "Backend answer" }
                    @for name in [provider, model].into_iter().flatten() {
                        " " bdi { (Shown(name.as_str())) }
                    }
                },
            }
        }
    }
}

/// Declared answers to choose from: each button says what to ask.
pub(crate) fn choices(choices: &Choices, is_inert: bool) -> Markup {
    html! {
        fieldset.ap-component.ap-choices {
            legend dir="auto" { (Shown(named(choices.message(), "Choices"))) }
            div.ap-list {
                @for suggestion in choices.suggestions() {
                    button.ap-choice type="button" disabled[is_inert]
                        data-ap-choice=(suggestion.id().as_str()) data-ap-say=(Shown(suggestion.value())) {
                        span dir="auto" { (Shown(named(suggestion.label(), suggestion.id().as_str()))) }
                        span.ap-description dir="auto" { (Shown(suggestion.value())) }
                    }
                }
            }
            p.ap-source { "from " (local(choices.source())) }
        }
    }
}

/// Why there is no declared answer.
pub(crate) fn escalation(escalation: &Escalation) -> Markup {
    let reason = escalation.reason();
    let says = match reason {
        EscalationReason::Miss => "Not declared",
        EscalationReason::Stale => "Out of date",
        EscalationReason::Corrupt => "Not trusted",
        EscalationReason::Offline => "Offline",
    };
    html! {
        div.ap-escalation role="status" data-ap-reason=(reason.as_str()) {
            p dir="auto" { strong.ap-badge { (says) } " " (Shown(escalation.message())) }
        }
    }
}

fn local(source: &LocalSource) -> Markup {
    html! { code { (Shown(source.artifact_id.as_str())) } ", " code { (source.content_hash.to_string()) } }
}
