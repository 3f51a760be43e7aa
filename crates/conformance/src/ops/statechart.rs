//! `statechart`.

use answerplane_statechart::{Builder, Definition, Instance, NonBlank};
use serde_json::{Value, json};

use crate::request::{BadRequest, Request};

pub(super) fn statechart(request: &Request) -> Result<Value, BadRequest> {
    let Some(Value::Array(events)) = request.value("events")? else { return Err(BadRequest) };
    let event_now = request.value("eventNow")?.unwrap_or_else(|| "2026-01-01T00:00:01.000Z".into());
    let Some(definition) = definition(request)? else { return Ok(refused("define")) };
    let Some(created) = create(request, &definition)? else { return Ok(refused("create")) };
    let created = json!(created);

    let mut instance = created.clone();
    if let (Value::Object(instance), Some(Value::Object(patch))) =
        (&mut instance, request.value("instancePatch").ok().flatten())
    {
        instance.extend(patch);
    }
    let mut results = Vec::with_capacity(events.len());
    for event in events {
        let result = definition.transition_value(&instance, &event, &event_now);
        instance.clone_from(&result["instance"]);
        results.push(result);
    }
    let mut done = json!({ "stage": "done", "created": created, "results": results });
    if request.optional("serialize").unwrap_or(false) {
        let instance = definition.instance_from_value(&instance);
        done["serialized"] =
            instance.map_or_else(|_| json!({ "refused": true }), |instance| json!(instance.snapshot()));
    }
    if let Some(snapshot) = request.raw("restore") {
        done["restored"] = match definition.restore(snapshot) {
            Ok(instance) => json!({ "status": "restored", "instance": instance }),
            Err(diagnostic) => json!({ "status": "rejected", "diagnostic": diagnostic }),
        };
    }
    Ok(done)
}

fn refused(stage: &str) -> Value {
    json!({ "stage": stage, "refused": true })
}

fn definition(request: &Request) -> Result<Option<Definition>, BadRequest> {
    let text: String;
    let definition = match request.raw("definition") {
        Some(definition) => definition,
        None => {
            text = request.required("text")?;
            &text
        }
    };
    let only_empty = request.optional::<String>("contextMode").is_some_and(|mode| mode == "empty");
    let builder = Builder::decode(definition);
    Ok(builder
        .and_then(|builder| builder.context_rule(move |context| !only_empty || context.is_empty()).build())
        .ok())
}

fn create(request: &Request, definition: &Definition) -> Result<Option<Instance>, BadRequest> {
    let id = request.value("instanceId")?.unwrap_or_else(|| "instance-1".into());
    let now = request.value("now")?.unwrap_or_else(|| "2026-01-01T00:00:00.000Z".into());
    let context = request.value("context")?.unwrap_or_else(|| json!({}));
    let non_blank = |value: &Value| NonBlank::new(value.as_str()?).ok();
    Ok(match (non_blank(&id), context, non_blank(&now)) {
        (Some(id), Value::Object(context), Some(now)) => definition.start(&id, context, &now).ok(),
        _ => None,
    })
}
