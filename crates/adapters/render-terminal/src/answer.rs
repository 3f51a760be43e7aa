//! Answers: who vouches for them, what can be chosen, and why there is none.

use answerplane_protocol::{Choices, Citation, Escalation, LocalSource, Provenance};

use crate::control::Effect;
use crate::terminal::Terminal;
use crate::text::{CAUTION, FAINT, MARK, PLAIN, STRONG, Span, destination, target};
use crate::wrap::Breaks;

impl Terminal {
    pub(crate) fn show_provenance(&mut self, provenance: &Provenance, citations: &[Citation]) {
        for (citation, number) in citations.iter().zip(1..) {
            let title = Span::on_one_line(citation.title().as_str(), PLAIN).leading(target(citation.href()));
            let spans = [
                Span::new(&format!("({number}) "), FAINT),
                title,
                Span::new(" ", PLAIN),
                destination(citation.href()),
            ];
            self.marked(&spans);
        }
        let says = match provenance {
            Provenance::Local { source, entry_id } => {
                format!("declared answer: {entry_id} of {}", local(source))
            }
            Provenance::Backend { provider, model } => {
                let mut says = "answer of the backend".to_string();
                for name in [provider, model].into_iter().flatten() {
                    says.push_str(", ");
                    says.push_str(name.as_str());
                }
                says
            }
        };
        self.marked(&[Span::on_one_line(&says, FAINT)]);
    }

    pub(crate) fn show_choices(&mut self, choices: &Choices) {
        self.put(choices.message(), STRONG);
        for suggestion in choices.suggestions() {
            let says = Effect::Say(suggestion.value().to_string());
            self.offer(says, vec![Span::on_one_line(suggestion.label(), PLAIN)]);
            self.beneath(&format!("type: {}", suggestion.value()));
        }
        self.marked(&[Span::on_one_line(&format!("from {}", local(choices.source())), FAINT)]);
    }

    pub(crate) fn show_escalation(&mut self, escalation: &Escalation) {
        let spans = [
            Span::on_one_line(escalation.message(), CAUTION),
            Span::new(&format!(" ({})", escalation.reason()), PLAIN),
        ];
        self.marked(&spans);
    }

    /// Writes a line of ours.
    fn marked(&mut self, spans: &[Span]) {
        let mark = format!("{MARK} ");
        self.screen.enter(&mark, &mark);
        self.screen.lines(spans, Breaks::Words);
        self.screen.leave();
    }

    /// Writes what belongs to the line above.
    pub(crate) fn beneath(&mut self, text: &str) {
        self.screen.enter("    ", "    ");
        self.put(text, FAINT);
        self.screen.leave();
    }
}

fn local(source: &LocalSource) -> String {
    format!("{}, {}", source.artifact_id, source.content_hash)
}
