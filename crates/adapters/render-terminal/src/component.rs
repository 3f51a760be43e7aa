//! The components of the catalog on a terminal.

use answerplane_protocol::render::is_seen;
use answerplane_protocol::{
    ButtonGroup, CatalogComponent, ChoiceList, Component, ErrorNotice, FieldKind, FileAttachment, Form,
    Identifier, LinkCard, Progress, SourceList, Table, ToolCallCard, ToolCallState,
};
use serde_json::Value;

use crate::control::Effect;
use crate::table::{Grid, Side};
use crate::terminal::Terminal;
use crate::text::{BAD, CODE, FAINT, PLAIN, STRONG, Span, destination, target};
use crate::wrap::Breaks;

/// The component that is shown: what its events name.
#[derive(Clone, Copy)]
struct Shown<'c> {
    key: &'c str,
    instance: &'c Identifier,
}

impl Shown<'_> {
    fn event(self, event: &'static str, value: Option<&str>) -> Effect {
        Effect::Event {
            component: self.key.to_string(),
            instance: self.instance.clone(),
            event,
            value: value.map(Value::from),
        }
    }
}

fn named<'t>(text: &'t str, otherwise: &'t str) -> &'t str {
    if is_seen(text) { text } else { otherwise }
}

fn label(text: &str, otherwise: &str) -> Vec<Span> {
    vec![Span::on_one_line(named(text, otherwise), PLAIN)]
}

impl Terminal {
    pub(crate) fn show_component(&mut self, instance: &Identifier, component: &Component<'_>) {
        let component = match component {
            Component::Standard(component) => component,
            Component::Custom { .. } => {
                component.text().lines().for_each(|line| self.put(line, PLAIN));
                return;
            }
        };
        let shown = Shown { key: component.key(), instance };
        match component {
            CatalogComponent::ButtonGroup(props) => self.button_group(shown, props),
            CatalogComponent::ChoiceList(props) => self.choice_list(shown, props),
            CatalogComponent::Form(props) => self.form(shown, props),
            CatalogComponent::Confirmation(props) => {
                let events =
                    [("confirm", props.confirm_label().as_str()), ("cancel", props.cancel_label().as_str())];
                self.decision(shown, (props.title().as_str(), props.message().as_str()), events);
            }
            CatalogComponent::Progress(props) => self.progress(props),
            CatalogComponent::SourceList(props) => self.source_list(shown, props),
            CatalogComponent::LinkCard(props) => self.link_card(shown, props),
            CatalogComponent::ErrorNotice(props) => self.error_notice(shown, props),
            CatalogComponent::ToolCall(props) => self.tool_call(props),
            CatalogComponent::ApprovalRequest(props) => {
                let events =
                    [("approve", props.approve_label().as_str()), ("deny", props.deny_label().as_str())];
                self.decision(shown, (props.title().as_str(), props.description().as_str()), events);
            }
            CatalogComponent::Table(props) => self.table(props),
            CatalogComponent::FileAttachment(props) => self.file_attachment(shown, props),
        }
    }

    fn button_group(&mut self, shown: Shown<'_>, props: &ButtonGroup) {
        self.put(props.label().as_str(), STRONG);
        for button in props.buttons().iter() {
            let id = button.id().as_str();
            if button.disabled() == Some(&true) {
                self.put(&format!("[-] {} (not available)", named(button.label().as_str(), id)), FAINT);
            } else {
                self.offer(shown.event("select", Some(id)), label(button.label().as_str(), id));
            }
        }
    }

    fn choice_list(&mut self, shown: Shown<'_>, props: &ChoiceList) {
        self.put(props.prompt().as_str(), STRONG);
        for choice in props.choices().iter() {
            let id = choice.id().as_str();
            self.offer(shown.event("select", Some(id)), label(choice.label().as_str(), id));
            if let Some(description) = choice.description() {
                self.beneath(description.as_str());
            }
        }
    }

    fn form(&mut self, shown: Shown<'_>, props: &Form) {
        if let Some(title) = props.title() {
            self.put(title.as_str(), STRONG);
        }
        for field in props.fields().iter() {
            let id = field.id().as_str();
            let takes = match field.kind() {
                FieldKind::Text => "text",
                FieldKind::Email => "e-mail address",
                FieldKind::Number => "number",
                FieldKind::Checkbox => "yes or no",
                FieldKind::Select => "one of",
            };
            let required = if field.required() == Some(&true) { ", required" } else { "" };
            let hint =
                field.placeholder().map(|hint| format!(", such as {}", hint.as_str())).unwrap_or_default();
            self.screen.enter("- ", "  ");
            let spans = [
                Span::on_one_line(named(field.label().as_str(), id), PLAIN),
                Span::on_one_line(&format!(" ({id}: {takes}{required}{hint})"), FAINT),
            ];
            self.screen.lines(&spans, Breaks::Words);
            for option in field.options().iter().flat_map(|options| options.iter()) {
                let name = named(option.label().as_str(), option.id().as_str());
                self.put(&format!("· {name} ({})", option.id()), PLAIN);
            }
            self.screen.leave();
        }
        self.offer(shown.event("submit", None), label(props.submit_label().as_str(), "Submit"));
    }

    fn decision(
        &mut self,
        shown: Shown<'_>,
        (title, message): (&str, &str),
        events: [(&'static str, &str); 2],
    ) {
        self.put(title, STRONG);
        self.put(message, PLAIN);
        for (event, text) in events {
            self.offer(shown.event(event, None), label(text, event));
        }
    }

    fn progress(&mut self, props: &Progress) {
        let value = props.value().get();
        let length = self.screen.room().min(30);
        let full = (value / 100.0 * length as f64).round() as usize;
        let bar = format!("{}{}", "█".repeat(full), "░".repeat(length - full));
        let spans =
            [Span::on_one_line(props.label().as_str(), STRONG), Span::new(&format!(" {value} %"), PLAIN)];
        self.screen.lines(&spans, Breaks::Words);
        self.put(&bar, CODE);
        if let Some(status) = props.status() {
            self.put(status.as_str(), FAINT);
        }
    }

    fn source_list(&mut self, shown: Shown<'_>, props: &SourceList) {
        self.put(props.label().as_str(), STRONG);
        for source in props.sources().iter() {
            let (id, title) = (source.id().as_str(), source.title().as_str());
            match source.url() {
                Some(url) => {
                    let title = Span::on_one_line(named(title, id), PLAIN).leading(target(url));
                    let spans = vec![title, Span::new(" ", FAINT), destination(url)];
                    self.offer(shown.event("open", Some(id)), spans);
                }
                None => self.put(&format!("[-] {}", named(title, id)), PLAIN),
            }
            if let Some(snippet) = source.snippet() {
                self.beneath(snippet.as_str());
            }
        }
    }

    fn link_card(&mut self, shown: Shown<'_>, props: &LinkCard) {
        let href = props.href();
        self.put(props.title().as_str(), STRONG);
        if let Some(description) = props.description() {
            self.put(description.as_str(), PLAIN);
        }
        let mut spans = Vec::new();
        if let Some(label) = props.label().filter(|label| is_seen(label.as_str())) {
            spans.push(Span::on_one_line(label.as_str(), PLAIN).leading(target(href)));
            spans.push(Span::new(" ", FAINT));
        }
        spans.push(destination(href));
        self.offer(shown.event("open", Some(href.as_str())), spans);
    }

    fn error_notice(&mut self, shown: Shown<'_>, props: &ErrorNotice) {
        self.put(&format!("✗ {}", props.title().as_str()), BAD.bold());
        self.put(props.message().as_str(), PLAIN);
        if let Some(code) = props.code() {
            self.put(code.as_str(), FAINT);
        }
        if let Some(text) = props.retry_label() {
            self.offer(shown.event("retry", None), label(text.as_str(), "Retry"));
        }
    }

    fn tool_call(&mut self, props: &ToolCallCard) {
        let (state, look) = match props.status() {
            ToolCallState::Pending => ("waiting", FAINT),
            ToolCallState::Running => ("running", CODE),
            ToolCallState::Complete => ("done", PLAIN),
            ToolCallState::Error => ("failed", BAD),
        };
        let spans = [
            Span::new("Tool ", PLAIN),
            Span::on_one_line(props.name().as_str(), STRONG),
            Span::new(": ", PLAIN),
            Span::new(state, look),
        ];
        self.screen.lines(&spans, Breaks::Words);
        for (name, data) in [("Arguments", props.arguments()), ("Result", props.result())] {
            let Some(data) = data else { continue };
            self.put(name, FAINT);
            self.screen.enter("    ", "    ");
            self.screen.lines(&[Span::new(&format!("{:#}", data.as_value()), CODE)], Breaks::Letters);
            self.screen.leave();
        }
    }

    fn table(&mut self, props: &Table) {
        let columns = props.columns();
        let is_number = |key: &str| {
            let mut cells =
                props.rows().iter().filter_map(|row| row.cell(key)).filter(|cell| !cell.is_null()).peekable();
            cells.peek().is_some() && cells.all(Value::is_number)
        };
        let grid = Grid {
            head: columns
                .iter()
                .map(|column| label(column.label().as_str(), column.key().as_str()))
                .collect(),
            rows: props
                .rows()
                .iter()
                .map(|row| {
                    let cells = columns.iter().map(|column| row.cell_text(column.key().as_str()));
                    cells.map(|cell| vec![Span::on_one_line(&cell, PLAIN)]).collect()
                })
                .collect(),
            sides: columns
                .iter()
                .map(|column| if is_number(column.key().as_str()) { Side::Right } else { Side::Left })
                .collect(),
        };
        self.put(props.caption().as_str(), STRONG);
        grid.write(&mut self.screen);
    }

    fn file_attachment(&mut self, shown: Shown<'_>, props: &FileAttachment) {
        let name = named(props.name().as_str(), "File");
        let size = props.size_bytes().map(|size| format!(", {size} bytes")).unwrap_or_default();
        let about = Span::on_one_line(&format!(" ({}{size})", props.mime_type().as_str()), FAINT);
        match props.url() {
            Some(url) => {
                let name = Span::on_one_line(name, PLAIN).leading(target(url));
                let spans = vec![name, about, Span::new(" ", FAINT), destination(url)];
                self.offer(shown.event("open", Some(url.as_str())), spans);
            }
            None => self.screen.lines(&[Span::on_one_line(name, STRONG), about], Breaks::Words),
        }
    }
}
