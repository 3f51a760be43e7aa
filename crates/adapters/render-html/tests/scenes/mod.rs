//! What every renderer is shown: each component of the catalog, each kind of answer, Markdown, and what is inert.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use answerplane_protocol::render::{Renderer, render_answer, render_parts};
use answerplane_protocol::{
    AnswerEnvelope, CatalogComponent, ComponentFallback, ContentPart, Manifest, Props, RenderFrame,
};
use serde_json::Value;

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fixtures")
}

pub(crate) fn fixture(path: &str) -> String {
    std::fs::read_to_string(fixtures().join(path)).unwrap()
}

pub(crate) enum Scene {
    Parts(Vec<ContentPart>),
    Answer(AnswerEnvelope),
}

impl Scene {
    pub(crate) fn show<R: Renderer<Error = Infallible>>(&self, renderer: &mut R) {
        let shown = match self {
            Self::Parts(parts) => render_parts(parts, &Manifest::standard(), renderer),
            Self::Answer(envelope) => render_answer(envelope, renderer),
        };
        match shown {
            Ok(()) => {}
        }
    }
}

pub(crate) fn frame(key: &str, props: &Value) -> RenderFrame {
    RenderFrame::new(
        key.parse().unwrap(),
        "i-1".parse().unwrap(),
        Props::new(props).unwrap(),
        ComponentFallback::new("plot".parse().unwrap(), "Plot 12 is sunny.".parse().unwrap()),
    )
}

/// The component of a case, with every prop.
pub(crate) fn full(key: &str) -> RenderFrame {
    let case: Value = serde_json::from_str(&fixture(&format!("catalog/{key}.json"))).unwrap();
    frame(key, &case["accepted"][0]["props"])
}

pub(crate) fn scenes() -> Vec<(String, Scene)> {
    let mut scenes = Vec::new();
    for key in CatalogComponent::KEYS {
        scenes.push((key.to_string(), Scene::Parts(vec![ContentPart::component(full(key))])));
    }
    for name in [
        "answer-local",
        "answer-backend",
        "choices-2",
        "escalation-miss",
        "escalation-stale",
        "escalation-corrupt",
        "escalation-offline",
    ] {
        let envelope = fixture(&format!("schema/answer/valid/{name}.json"));
        scenes.push((name.to_string(), Scene::Answer(AnswerEnvelope::decode(envelope).unwrap())));
    }
    let inert = vec![
        ContentPart::component(frame("plot-card", &Value::Null)),
        ContentPart::component(frame("progress", &Value::Null)),
    ];
    scenes.push(("inert".to_string(), Scene::Parts(inert)));
    let markdown = ContentPart::text(&fixture("render/markdown.md")).unwrap();
    scenes.push(("markdown".to_string(), Scene::Parts(vec![markdown])));
    scenes
}

/// Compares with a reviewed file, or writes it anew where `ANSWERPLANE_WRITE` is set.
pub(crate) fn compare(name: &str, shown: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("ANSWERPLANE_WRITE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, shown).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(shown, expected, "{name} is another one: look at it, then run with ANSWERPLANE_WRITE=1");
}

/// No file stands there that no test knows.
pub(crate) fn compare_names(mut names: Vec<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let mut there: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    names.sort();
    assert_eq!(there, names);
}

/// The attacks by name.
pub(crate) fn attacks() -> Vec<(String, String)> {
    let mut attacks = Vec::new();
    for file in ["links", "html", "markdown", "direction", "terminal"] {
        for line in fixture(&format!("attacks/{file}.jsonl")).lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let text = |name: &str| case[name].as_str().unwrap().to_string();
            attacks.push((format!("{file}: {}", text("name")), text("text")));
        }
    }
    attacks
}

/// The props of every component with a text of somebody else's wherever one may stand.
pub(crate) fn attacked(text: &str) -> Vec<RenderFrame> {
    let mut frames = Vec::new();
    for key in CatalogComponent::KEYS {
        let case: Value = serde_json::from_str(&fixture(&format!("catalog/{key}.json"))).unwrap();
        let mut props = case["accepted"][0]["props"].clone();
        replace(&mut props, key, text);
        let frame = Props::new(&props).map(|_| frame(key, &props));
        if let Some(frame) = frame {
            frames.push(frame);
        }
    }
    frames
}

/// Replaces each text that may be any text, as far as the component takes it.
fn replace(props: &mut Value, key: &str, text: &str) {
    let paths = texts(props, String::new());
    for path in paths {
        let before = props.pointer(&path).unwrap().clone();
        *props.pointer_mut(&path).unwrap() = Value::from(text);
        let is_fit =
            Props::new(props).is_some_and(|_| Manifest::standard().component(&frame(key, props)).is_ok());
        if !is_fit {
            *props.pointer_mut(&path).unwrap() = before;
        }
    }
}

fn texts(value: &Value, path: String) -> Vec<String> {
    match value {
        Value::String(_) => vec![path],
        Value::Array(list) => {
            list.iter().enumerate().flat_map(|(at, value)| texts(value, format!("{path}/{at}"))).collect()
        }
        Value::Object(object) => object
            .iter()
            .flat_map(|(name, value)| {
                texts(value, format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")))
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Everything that an attack can be: a text, and the props of each component.
pub(crate) fn attack_scene(text: &str) -> Scene {
    let mut parts: Vec<ContentPart> = ContentPart::text(text).into_iter().collect();
    parts.extend(attacked(text).into_iter().map(ContentPart::component));
    let fallback = text.parse().ok().map(|summary| ComponentFallback::new("x".parse().unwrap(), summary));
    parts.extend(fallback.map(|fallback| {
        let none = Props::new(&Value::Null).unwrap();
        ContentPart::component(RenderFrame::new("x".parse().unwrap(), "i-2".parse().unwrap(), none, fallback))
    }));
    Scene::Parts(parts)
}

/// An answer of a backend and an escalation that say an attack.
pub(crate) fn attack_answers(text: &str) -> Vec<Scene> {
    let mut answers = Vec::new();
    for name in ["answer-backend", "answer-local", "choices-2", "escalation-miss"] {
        let mut envelope: Value =
            serde_json::from_str(&fixture(&format!("schema/answer/valid/{name}.json"))).unwrap();
        for path in [
            "/answer/markdown",
            "/answer/citations/0/title",
            "/answer/citations/0/href",
            "/provenance/provider",
            "/provenance/model",
            "/message",
            "/suggestions/0/label",
            "/suggestions/0/value",
        ] {
            let Some(place) = envelope.pointer_mut(path) else { continue };
            let before = std::mem::replace(place, Value::from(text));
            if AnswerEnvelope::decode_value(&envelope).is_err() {
                *envelope.pointer_mut(path).unwrap() = before;
            }
        }
        answers.push(Scene::Answer(AnswerEnvelope::decode_value(&envelope).unwrap()));
    }
    answers
}
