//! `adapter`: the answer plane in front of a scripted backend.

use answerplane_artifact::VerifiedArtifact;
use answerplane_protocol::{
    Artifact, Content, ContentPart, FallbackMode, Identifier, RenderFrame, SiteConfig, Timestamp,
};
use answerplane_resolver::Resolver;
use answerplane_session::testing::{ManualClock, ScriptedBackend, Step};
use answerplane_session::{AnswerPlane, Chunk, Message, Observations, Reservation, Submission, TurnRequest};
use futures_util::{FutureExt, StreamExt};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::ops::artifact::trust;
use crate::request::{BadRequest, Request, decoded};

pub(super) fn adapter(request: &Request) -> Result<Value, BadRequest> {
    let mut result = Map::new();
    let site = request.raw("site").map(SiteConfig::decode_embedded);
    if let Some(site) = &site {
        result.insert("site".into(), decoded(Ok(site.clone().map(|site| json!(site))))?);
    }
    let site = site.and_then(Result::ok);
    let Some(scene) = Scene::of(request, site.as_ref())? else {
        return Ok(json!({ "refused": true }));
    };
    let steps = scene.run(steps(request)?)?;
    result.insert("steps".into(), steps.into());
    result.insert("capabilities".into(), json!({ "streaming": true, "structuredOutput": true }));
    Ok(result.into())
}

/// One step: what is asked of the plane.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    turn: Option<Turn>,
    session_id: Option<Identifier>,
    context: Option<Map<String, Value>>,
    abort: Option<String>,
    submit: Option<Submit>,
    commit: Option<usize>,
    release: Option<usize>,
    release_session: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Turn {
    Query(String),
    History { messages: Vec<TurnMessage> },
}

#[derive(Deserialize)]
struct TurnMessage {
    id: String,
    role: answerplane_session::Role,
    content: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Submit {
    frame: Option<Value>,
    frame_from: Option<usize>,
    mutate: Option<Map<String, Value>>,
    choice_id: String,
    session_id: Option<String>,
    action: Option<String>,
}

fn steps(request: &Request) -> Result<Vec<Asked>, BadRequest> {
    if let Some(steps) = request.optional("steps") {
        return Ok(steps);
    }
    let turns: Vec<Value> = request.required("turns")?;
    let steps = turns.into_iter().map(|turn| serde_json::from_value(json!({ "turn": turn })));
    steps.collect::<Result<_, _>>().map_err(|_| BadRequest)
}

struct Scene {
    plane: AnswerPlane,
    backend: Option<ScriptedBackend>,
    observations: Observations,
    /// Of each step the frame that it showed, and the choice that it took.
    frames: Vec<Option<Value>>,
    reservations: Vec<Option<Reservation>>,
}

impl Scene {
    /// `None` where the plane cannot be built.
    fn of(request: &Request, site: Option<&SiteConfig>) -> Result<Option<Self>, BadRequest> {
        let text = match request.raw("text") {
            Some(_) => request.required("text")?,
            None => request.raw("artifact").ok_or(BadRequest)?.to_string(),
        };
        let trust = site.map_or_else(|| trust(request), |site| Ok(site.trust()));
        let artifact = Artifact::decode_embedded(&text);
        let verified = trust.and_then(|trust| VerifiedArtifact::of(artifact?, &trust));
        let mut plane = AnswerPlane::new(Resolver::new(verified));
        plane = match (site, request.optional::<FallbackMode>("fallbackMode")) {
            (Some(site), _) => plane.of_site(site),
            (None, Some(mode)) => plane.mode(mode),
            (None, None) => plane,
        };
        if let Some(now) = request.optional::<f64>("nowMs") {
            plane = plane.clock(ManualClock::at(Timestamp::from_millis(now.floor() as i64)));
        }
        if let Some(identity) = request.optional::<Map<String, Value>>("backend") {
            let name = |name: &str| identity.get(name).and_then(Value::as_str);
            match plane.identity(name("provider"), name("model")) {
                Ok(identified) => plane = identified,
                Err(_) => return Ok(None),
            }
        }
        let backend = request.optional::<Vec<Value>>("backendChunks").map(script);
        if let Some(backend) = &backend {
            plane = plane.fallback(backend.clone());
        }
        let observations = plane.observe();
        Ok(Some(Self { plane, backend, observations, frames: Vec::new(), reservations: Vec::new() }))
    }

    fn run(mut self, steps: Vec<Asked>) -> Result<Vec<Value>, BadRequest> {
        steps.into_iter().map(|step| self.step(step)).collect()
    }

    fn step(&mut self, step: Asked) -> Result<Value, BadRequest> {
        self.frames.push(None);
        self.reservations.push(None);
        if let Some(turn) = step.turn {
            return Ok(self.turn(request_of(turn, step.session_id, step.context), step.abort.as_deref()));
        }
        if let Some(submit) = step.submit {
            return Ok(json!({ "submission": self.submit(submit) }));
        }
        if let Some(number) = step.commit {
            if let Some(reservation) = self.taken(number) {
                reservation.commit();
            }
            return Ok(json!({ "committed": number }));
        }
        if let Some(number) = step.release {
            drop(self.taken(number));
            return Ok(json!({ "released": number }));
        }
        let session = step.release_session.ok_or(BadRequest)?;
        self.plane.release_session(&session);
        Ok(json!({ "releasedSession": session }))
    }

    fn turn(&mut self, request: TurnRequest, abort: Option<&str>) -> Value {
        let asked = self.backend.as_ref().map_or(0, |backend| backend.asked().len());
        let mut answer = self.plane.dispatch(request);
        let most = match abort {
            Some("before") => 0,
            Some(_) => 1,
            None => usize::MAX,
        };
        let mut chunks = Vec::new();
        let mut failed = false;
        while chunks.len() < most
            && let Some(Some(next)) = answer.next().now_or_never()
        {
            match next {
                Ok(chunk) => chunks.push(json!(chunk)),
                Err(_) => {
                    failed = true;
                    break;
                }
            }
        }
        drop(answer);
        if let Some(shown) = self.frames.last_mut() {
            *shown = chunks.iter().find_map(frame_in);
        }
        let mut decisions = Vec::new();
        while let Ok(decision) = self.observations.try_recv() {
            decisions.push(json!(*decision));
        }
        let contexts = self.backend.as_ref().map(|backend| backend.asked()).unwrap_or_default();
        let contexts: Vec<_> = contexts.into_iter().skip(asked).map(|request| request.context).collect();
        let mut result = json!({ "chunks": chunks, "decisions": decisions, "backendContexts": contexts });
        if failed {
            result["streamFailed"] = true.into();
        }
        result
    }

    fn submit(&mut self, submit: Submit) -> Value {
        let from = submit.frame_from.and_then(|step| self.frames.get(step)?.clone());
        let mut frame = submit.frame.or(from).unwrap_or_default();
        if let (Value::Object(fields), Some(mutate)) = (&mut frame, submit.mutate) {
            fields.extend(mutate);
        }
        let Ok(frame) = RenderFrame::decode_value(&frame) else { return Value::Null };
        let session = submit.session_id.as_deref().unwrap_or(TurnRequest::UNSCOPED);
        match self.plane.reserve(session, &frame, &submit.choice_id) {
            Submission::NotOurs => Value::Null,
            Submission::Unavailable => json!({ "unavailable": true }),
            Submission::Reserved(reservation) => {
                let value = json!({ "value": reservation.value() });
                match submit.action.as_deref() {
                    Some("commit") => reservation.commit(),
                    Some(_) => reservation.release(),
                    None => {
                        if let Some(kept) = self.reservations.last_mut() {
                            *kept = Some(reservation);
                        }
                    }
                }
                value
            }
        }
    }

    fn taken(&mut self, step: usize) -> Option<Reservation> {
        self.reservations.get_mut(step)?.take()
    }
}

fn script(chunks: Vec<Value>) -> ScriptedBackend {
    ScriptedBackend::new(chunks.into_iter().map(|chunk| match Chunk::from_value(chunk.clone()) {
        Some(said) if chunk.get("throw").is_none() => Step::Chunk(said),
        _ => Step::Fail,
    }))
}

fn request_of(turn: Turn, session: Option<Identifier>, context: Option<Map<String, Value>>) -> TurnRequest {
    let mut request = match turn {
        Turn::Query(query) => TurnRequest::of_query(query),
        Turn::History { messages } => TurnRequest::new(
            messages
                .into_iter()
                .map(|TurnMessage { id, role, content }| Message { id, role, content })
                .collect::<Vec<_>>(),
        ),
    };
    request.session = session;
    request.context = context.unwrap_or_default();
    request
}

/// The first frame in a chunk of ordered content.
fn frame_in(chunk: &Value) -> Option<Value> {
    let content = Content::decode(chunk["content"].as_str()?).ok()?;
    content.parts().iter().find_map(|part| match part {
        ContentPart::Component(component) => Some(json!(component.frame())),
        ContentPart::Text(_) => None,
    })
}
