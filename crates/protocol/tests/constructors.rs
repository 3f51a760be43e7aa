//! Every component of the catalog and what stands beside it, made in a program: what is made is what is read.
#![allow(clippy::unwrap_used, clippy::panic)] // in the helpers of tests too

use answerplane_protocol::ask::{AskLimits, Assistant, BackendSite, Corpus, CorpusMode, Persistence};
use answerplane_protocol::{
    ApprovalRequest, Button, ButtonGroup, ButtonVariant, CatalogComponent, Column, Component,
    ComponentFallback, ConfirmationCard, ErrorNotice, FieldKind, FieldOption, FileAttachment, Form,
    FormField, Integer, LinkCard, List, Manifest, Number, Progress, Props, Row, Table, ToolCallCard,
    ToolCallState,
};
use serde_json::{Value, json};

fn to<T: std::str::FromStr>(text: &str) -> T
where
    T::Err: std::fmt::Debug,
{
    text.parse().unwrap()
}

/// A component becomes a frame that the manifest reads as the same component.
fn survives(component: CatalogComponent, props: &Value) {
    assert_eq!(json!(component), *props);
    let frame = component.to_frame(to("i-1"), ComponentFallback::new(to("x"), to("A summary."))).unwrap();
    let manifest = Manifest::standard();
    let Component::Standard(read) = manifest.component(&frame).unwrap() else { panic!("standard") };
    assert_eq!(read, component);
}

#[test]
fn buttons() {
    let buttons = vec![
        Button::new(to("dig"), to("Dig")).with_variant(ButtonVariant::Primary),
        Button::new(to("burn"), to("Burn")).with_disabled(true),
    ];
    let group = ButtonGroup::new(to("What now?"), List::new(buttons.clone()).unwrap()).unwrap();
    survives(
        CatalogComponent::ButtonGroup(group),
        &json!({ "label": "What now?", "buttons": [
            { "id": "dig", "label": "Dig", "variant": "primary" },
            { "id": "burn", "label": "Burn", "disabled": true },
        ] }),
    );
    let twice = vec![buttons[0].clone(), buttons[0].clone()];
    assert_eq!(ButtonGroup::new(to("What now?"), List::new(twice).unwrap()), None);
}

#[test]
fn forms() {
    let options = || List::new(vec![FieldOption::new(to("clay"), to("Clay"))]);
    let field = |id: &str, kind, options| FormField::new(to(id), to("Label"), kind, options);
    let soil = field("soil", FieldKind::Select, options()).unwrap().with_required(true);
    let name = field("name", FieldKind::Text, None).unwrap().with_placeholder(to("Rosa"));
    let form = |fields| Form::new(List::new(fields).unwrap(), to("Send"));
    survives(
        CatalogComponent::Form(form(vec![soil.clone(), name]).unwrap().with_title(to("Plot"))),
        &json!({ "title": "Plot", "fields": [
            { "id": "soil", "label": "Label", "type": "select", "required": true,
              "options": [{ "id": "clay", "label": "Clay" }] },
            { "id": "name", "label": "Label", "type": "text", "placeholder": "Rosa" },
        ], "submitLabel": "Send" }),
    );
    assert_eq!(form(vec![soil.clone(), soil]), None);
    assert_eq!(field("x", FieldKind::Select, None), None);
    assert_eq!(field("x", FieldKind::Email, options()), None);
    let twice = vec![FieldOption::new(to("clay"), to("Clay")), FieldOption::new(to("clay"), to("Loam"))];
    assert_eq!(field("x", FieldKind::Select, List::new(twice)), None);
}

#[test]
fn tables() {
    let column = || Column::new(to("plot"), to("Plot"));
    let row = |value: Value| Row::new([("plot".to_owned(), value)]);
    let rows = || List::new(vec![row(json!(12)).unwrap(), row(json!("x")).unwrap()]).unwrap();
    let table = Table::new(to("Plots"), List::new(vec![column()]).unwrap(), rows()).unwrap();
    survives(
        CatalogComponent::Table(table),
        &json!({ "caption": "Plots", "columns": [{ "key": "plot", "label": "Plot" }],
                 "rows": [{ "plot": 12 }, { "plot": "x" }] }),
    );
    assert_eq!(Table::new(to("Plots"), List::new(vec![column(), column()]).unwrap(), rows()), None);
    assert!(row(json!("x".repeat(4_096))).is_some() && row(json!("x".repeat(4_097))).is_none());
    assert!(row(json!([])).is_none() && row(json!({})).is_none() && row(Value::Null).is_some());
    let keyed = |units: usize| Row::new([("k".repeat(units), json!(1))]);
    assert!(keyed(256).is_some() && keyed(257).is_none());
    let wide = |cells: usize| Row::new((0..cells).map(|at| (at.to_string(), json!(1))));
    assert!(wide(999).is_some() && wide(1_000).is_none(), "1,000 values, the row one of them");
}

#[test]
fn the_rest_of_the_catalog() {
    let buttons = || (to("Yes"), to("No"));
    survives(
        CatalogComponent::Confirmation(ConfirmationCard::new(to("Dig?"), to("It is deep."), buttons())),
        &json!({ "title": "Dig?", "message": "It is deep.", "confirmLabel": "Yes", "cancelLabel": "No" }),
    );
    survives(
        CatalogComponent::ApprovalRequest(ApprovalRequest::new(to("Dig"), to("It is deep."), buttons())),
        &json!({ "title": "Dig", "description": "It is deep.", "approveLabel": "Yes", "denyLabel": "No" }),
    );
    survives(
        CatalogComponent::Progress(
            Progress::new(to("Digging"), Number::new(40.5).unwrap()).with_status(to("Clay")),
        ),
        &json!({ "label": "Digging", "value": 40.5, "status": "Clay" }),
    );
    survives(
        CatalogComponent::LinkCard(
            LinkCard::new(to("Plots"), to("/plots"))
                .with_description(to("All of them"))
                .with_label(to("Open")),
        ),
        &json!({ "title": "Plots", "description": "All of them", "href": "/plots", "label": "Open" }),
    );
    survives(
        CatalogComponent::ErrorNotice(
            ErrorNotice::new(to("No spade"), to("It broke."))
                .with_code(to("E1"))
                .with_retry_label(to("Again")),
        ),
        &json!({ "title": "No spade", "message": "It broke.", "code": "E1", "retryLabel": "Again" }),
    );
    let props = |value: Value| Props::new(&value).unwrap();
    survives(
        CatalogComponent::ToolCall(
            ToolCallCard::new(to("dig"), ToolCallState::Complete)
                .with_arguments(props(json!({ "depth": 2 })))
                .with_result(props(Value::Null)),
        ),
        &json!({ "name": "dig", "status": "complete", "arguments": { "depth": 2 }, "result": null }),
    );
    survives(
        CatalogComponent::FileAttachment(
            FileAttachment::new(to("plan.pdf"), to("application/pdf"))
                .with_size_bytes(Integer::new(9).unwrap())
                .with_url(to("/plan.pdf")),
        ),
        &json!({ "name": "plan.pdf", "mimeType": "application/pdf", "sizeBytes": 9, "url": "/plan.pdf" }),
    );
}

#[test]
fn a_backend_site() {
    let number = |number| Integer::new(number).unwrap();
    let limits = AskLimits::new(
        number(60_000),
        Integer::new(5_000).unwrap(),
        number(30_000),
        Integer::new(4).unwrap(),
    );
    let site = BackendSite::new(
        to("garden-help"),
        Assistant::new(to("gardener"), to("The gardener"), List::new(vec![to("Where is plot 12?")]).unwrap()),
        Corpus::new(to("garden"), CorpusMode::Local),
        limits,
        Persistence::Required,
    )
    .with_components(List::new(vec![to("source-list")]).unwrap())
    .with_actions(List::new(vec![to("dig")]).unwrap());
    assert_eq!(BackendSite::decode(json!(site).to_string()), Ok(site.clone()));
    assert_eq!(json!(site)["limits"]["maxSources"], json!(4));
}
