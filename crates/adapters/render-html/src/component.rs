//! The components of the catalog as HTML.

use answerplane_protocol::render::is_seen;
use answerplane_protocol::{
    ApprovalRequest, ButtonGroup, ButtonVariant, CatalogComponent, ChoiceList, Component, ConfirmationCard,
    ErrorNotice, FieldKind, FileAttachment, Form, FormField, Identifier, LinkCard, Progress, SourceList,
    Table, ToolCallCard, ToolCallState,
};
use maud::{Markup, html};
use serde_json::Value;

use crate::escape::{Href, Shown};

/// A component: its markup within an element that says which one it is.
pub(crate) fn component(instance: &Identifier, component: &Component<'_>, is_inert: bool) -> Markup {
    let (key, live) = (key(component), component.semantics().live.as_str());
    let body = match component {
        Component::Standard(component) => standard(component, is_inert),
        Component::Custom { .. } => html! { p.ap-raw dir="auto" { (Shown(component.text().trim_end())) } },
    };
    // An alert announces itself.
    let live = (live == "polite").then_some(live);
    html! {
        div.{ "ap-component ap-" (key) } data-ap-component=(key) data-ap-instance=(instance.as_str()) aria-live=[live] {
            (body)
        }
    }
}

fn key<'c>(component: &'c Component<'_>) -> &'c str {
    match component {
        Component::Standard(component) => component.key(),
        Component::Custom { component, .. } => component.key().as_str(),
    }
}

fn standard(component: &CatalogComponent, is_inert: bool) -> Markup {
    match component {
        CatalogComponent::ButtonGroup(props) => button_group(props, is_inert),
        CatalogComponent::ChoiceList(props) => choice_list(props, is_inert),
        CatalogComponent::Form(props) => form(props, is_inert),
        CatalogComponent::Confirmation(props) => confirmation(props, is_inert),
        CatalogComponent::Progress(props) => progress(props),
        CatalogComponent::SourceList(props) => source_list(props),
        CatalogComponent::LinkCard(props) => link_card(props),
        CatalogComponent::ErrorNotice(props) => error_notice(props, is_inert),
        CatalogComponent::ToolCall(props) => tool_call(props),
        CatalogComponent::ApprovalRequest(props) => approval_request(props, is_inert),
        CatalogComponent::Table(props) => table(props),
        CatalogComponent::FileAttachment(props) => file_attachment(props),
    }
}

/// A text that names something; where nothing of it is seen, what else it is called.
pub(crate) fn named<'t>(text: &'t str, otherwise: &'t str) -> &'t str {
    if is_seen(text) { text } else { otherwise }
}

fn button_group(props: &ButtonGroup, is_inert: bool) -> Markup {
    html! {
        fieldset {
            legend dir="auto" { (Shown(named(props.label().as_str(), "Buttons"))) }
            div.ap-buttons {
                @for button in props.buttons().iter() {
                    @let look = button.variant().copied().unwrap_or(ButtonVariant::Secondary);
                    button.{ "ap-button ap-" (look.as_str()) } type="button" dir="auto"
                        disabled[is_inert || button.disabled() == Some(&true)]
                        data-ap-event="select" data-ap-value=(button.id().as_str()) {
                        (Shown(named(button.label().as_str(), button.id().as_str())))
                    }
                }
            }
        }
    }
}

fn choice_list(props: &ChoiceList, is_inert: bool) -> Markup {
    html! {
        fieldset {
            legend dir="auto" { (Shown(named(props.prompt().as_str(), "Choices"))) }
            div.ap-list {
                @for choice in props.choices().iter() {
                    button.ap-choice type="button" disabled[is_inert]
                        data-ap-event="select" data-ap-value=(choice.id().as_str()) {
                        span dir="auto" { (Shown(named(choice.label().as_str(), choice.id().as_str()))) }
                        @if let Some(description) = choice.description() {
                            span.ap-description dir="auto" { (Shown(description.as_str())) }
                        }
                    }
                }
            }
        }
    }
}

/// The method `dialog` sends nothing anywhere, even where no program listens.
fn form(props: &Form, is_inert: bool) -> Markup {
    let title = props.title().map(|title| title.as_str()).filter(|title| is_seen(title));
    let submit = named(props.submit_label().as_str(), "Submit");
    html! {
        form method="dialog" aria-label=(Shown(title.unwrap_or(submit))) data-ap-event="submit" {
            @if let Some(title) = title { p.ap-title dir="auto" { (Shown(title)) } }
            @for field in props.fields().iter() { (form_field(field, is_inert)) }
            button.ap-button.ap-primary type="submit" dir="auto" disabled[is_inert] { (Shown(submit)) }
        }
    }
}

fn form_field(field: &FormField, is_inert: bool) -> Markup {
    let id = field.id().as_str();
    let is_required = field.required() == Some(&true);
    let label = html! {
        span dir="auto" { (Shown(named(field.label().as_str(), id))) }
        @if is_required { span.ap-required aria-hidden="true" { " *" } }
    };
    let placeholder = field.placeholder().map(|text| Shown(text.as_str()));
    let kind = match field.kind() {
        FieldKind::Checkbox => {
            return html! {
                label.ap-field.ap-check {
                    input type="checkbox" data-ap-field=(id) disabled[is_inert];
                    span { (label) }
                }
            };
        }
        FieldKind::Select => {
            return html! {
                label.ap-field {
                    span { (label) }
                    select data-ap-field=(id) required[is_required] disabled[is_inert] {
                        option value="" { (placeholder.unwrap_or(Shown("—"))) }
                        @for option in field.options().iter().flat_map(|options| options.iter()) {
                            option value=(option.id().as_str()) { (Shown(named(option.label().as_str(), option.id().as_str()))) }
                        }
                    }
                }
            };
        }
        FieldKind::Text => ("text", None, None),
        FieldKind::Email => ("email", None, Some("email")),
        FieldKind::Number => ("number", Some("any"), None),
    };
    let (kind, step, fills_in) = kind;
    html! {
        label.ap-field {
            span { (label) }
            input type=(kind) dir="auto" data-ap-field=(id) step=[step] autocomplete=[fills_in] placeholder=[placeholder]
                required[is_required] disabled[is_inert];
        }
    }
}

/// Two buttons under a question.
fn decision(
    (title, message): (&str, &str),
    buttons: [(&'static str, &str, &'static str); 2],
    is_inert: bool,
) -> Markup {
    html! {
        fieldset {
            legend dir="auto" { (Shown(named(title, "Decision"))) }
            p.ap-message dir="auto" { (Shown(message)) }
            div.ap-buttons {
                @for (event, label, look) in buttons {
                    button.{ "ap-button " (look) } type="button" dir="auto" disabled[is_inert] data-ap-event=(event) {
                        (Shown(named(label, event)))
                    }
                }
            }
        }
    }
}

fn confirmation(props: &ConfirmationCard, is_inert: bool) -> Markup {
    let buttons = [
        ("confirm", props.confirm_label().as_str(), "ap-primary"),
        ("cancel", props.cancel_label().as_str(), "ap-secondary"),
    ];
    decision((props.title().as_str(), props.message().as_str()), buttons, is_inert)
}

fn approval_request(props: &ApprovalRequest, is_inert: bool) -> Markup {
    let buttons = [
        ("approve", props.approve_label().as_str(), "ap-primary"),
        ("deny", props.deny_label().as_str(), "ap-secondary"),
    ];
    decision((props.title().as_str(), props.description().as_str()), buttons, is_inert)
}

fn progress(props: &Progress) -> Markup {
    let value = props.value().get();
    html! {
        label {
            span dir="auto" { (Shown(named(props.label().as_str(), "Progress"))) }
            " " span.ap-value dir="ltr" { (value) " %" }
            progress max="100" value=(value) { (value) " %" }
        }
        @if let Some(status) = props.status() { p.ap-description dir="auto" { (Shown(status.as_str())) } }
    }
}

fn source_list(props: &SourceList) -> Markup {
    let label = named(props.label().as_str(), "Sources");
    html! {
        p.ap-title dir="auto" { (Shown(label)) }
        ul role="list" aria-label=(Shown(label)) {
            @for source in props.sources().iter() {
                li {
                    @let title = named(source.title().as_str(), source.id().as_str());
                    @if let Some(url) = source.url() {
                        a.ap-link dir="auto" href=(Href(url.as_str())) rel="nofollow noopener noreferrer"
                            data-ap-event="open" data-ap-value=(source.id().as_str()) { (Shown(title)) }
                    } @else {
                        span dir="auto" { (Shown(title)) }
                    }
                    @if let Some(snippet) = source.snippet() { p.ap-description dir="auto" { (Shown(snippet.as_str())) } }
                }
            }
        }
    }
}

fn link_card(props: &LinkCard) -> Markup {
    let href = props.href().as_str();
    let title = named(props.title().as_str(), href);
    html! {
        a.ap-card href=(Href(href)) rel="nofollow noopener noreferrer" data-ap-event="open" data-ap-value=(Shown(href)) {
            span.ap-title dir="auto" { (Shown(title)) }
            @if let Some(description) = props.description() {
                span.ap-description dir="auto" { (Shown(description.as_str())) }
            }
            span.ap-action dir="auto" { (Shown(props.label().map_or(href, |label| named(label.as_str(), href)))) }
        }
    }
}

fn error_notice(props: &ErrorNotice, is_inert: bool) -> Markup {
    html! {
        div role="alert" {
            p.ap-title dir="auto" { (Shown(props.title().as_str())) }
            p.ap-message dir="auto" { (Shown(props.message().as_str())) }
            @if let Some(code) = props.code() { p.ap-description { code dir="auto" { (Shown(code.as_str())) } } }
        }
        @if let Some(label) = props.retry_label() {
            div.ap-buttons {
                button.ap-button.ap-secondary type="button" dir="auto" disabled[is_inert] data-ap-event="retry" {
                    (Shown(named(label.as_str(), "Retry")))
                }
            }
        }
    }
}

fn tool_call(props: &ToolCallCard) -> Markup {
    let state = match props.status() {
        ToolCallState::Pending => "Waiting",
        ToolCallState::Running => "Running",
        ToolCallState::Complete => "Done",
        ToolCallState::Error => "Failed",
    };
    html! {
        p role="status" {
            "Tool " code dir="auto" { (Shown(props.name().as_str())) } " "
            strong.{ "ap-badge ap-" (props.status().as_str()) } { (state) }
        }
        @if let Some(arguments) = props.arguments() { (data("Arguments", arguments.as_value())) }
        @if let Some(result) = props.result() { (data("Result", result.as_value())) }
    }
}

fn data(name: &str, value: &Value) -> Markup {
    html! {
        details {
            summary { (name) }
            pre.ap-code dir="ltr" role="group" tabindex="0" aria-label=(name) { code { (Shown(&format!("{value:#}"))) } }
        }
    }
}

fn table(props: &Table) -> Markup {
    let caption = named(props.caption().as_str(), "Table");
    html! {
        div.ap-scroll role="group" tabindex="0" aria-label=(Shown(caption)) {
            table.ap-table {
                caption dir="auto" { (Shown(caption)) }
                thead { tr {
                    @for column in props.columns().iter() {
                        th scope="col" dir="auto" { (Shown(named(column.label().as_str(), column.key().as_str()))) }
                    }
                } }
                tbody {
                    @for row in props.rows().iter() {
                        tr {
                            @for column in props.columns().iter() {
                                @let is_number = row.cell(column.key().as_str()).is_some_and(Value::is_number);
                                td dir=[(!is_number).then_some("auto")] class=[is_number.then_some("ap-number")] {
                                    (Shown(&row.cell_text(column.key().as_str())))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn file_attachment(props: &FileAttachment) -> Markup {
    let name = named(props.name().as_str(), "File");
    html! {
        p {
            @if let Some(url) = props.url() {
                a.ap-link dir="auto" href=(Href(url.as_str())) rel="nofollow noopener noreferrer"
                    data-ap-event="open" data-ap-value=(Shown(url.as_str())) { (Shown(name)) }
            } @else {
                span.ap-title dir="auto" { (Shown(name)) }
            }
            " " span.ap-description { bdi { (Shown(props.mime_type().as_str())) } }
            @if let Some(bytes) = props.size_bytes() { span.ap-description { " · " bdi dir="ltr" { (size(bytes.get())) } } }
        }
    }
}

/// A number of bytes as people say it.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
    if bytes < 1_000 {
        return format!("{bytes} bytes");
    }
    let mut rest = bytes as f64 / 1_000.0;
    let mut unit = 0;
    while rest >= 999.95 && unit + 1 < UNITS.len() {
        rest /= 1_000.0;
        unit += 1;
    }
    format!("{rest:.1} {}", UNITS[unit])
}
