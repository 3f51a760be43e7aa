//! What of a turn is sent.

use answerplane_normalize::{is_blank, utf16_len};
use answerplane_protocol::ask::{AskMessage, AskRequest, AskRole, EscalationEnvelope};
use answerplane_protocol::{AnswerEnvelope, BoundedText, Content, List};
use answerplane_session::{Role, TurnRequest};

use crate::error::AskFailed;

/// The greatest number of messages of a request.
const MAX_MESSAGES: usize = 64;
/// The greatest length of a message, in UTF-16 code units.
const MAX_UNITS: usize = 16_384;

/// The request of a turn, as JSON.
pub(crate) fn question(turn: &TurnRequest) -> Result<Vec<u8>, AskFailed> {
    let asked = turn.messages.iter().rfind(|message| message.role == Role::User);
    if asked.is_some_and(|message| utf16_len(&Content::as_text(&message.content)) > MAX_UNITS) {
        return Err(AskFailed::QuestionTooLong);
    }
    let said = turn.messages.iter().rev().filter_map(|message| {
        let role = match message.role {
            Role::User => AskRole::User,
            Role::Assistant => AskRole::Assistant,
            Role::System | Role::Tool => return None,
        };
        let text = Content::as_text(&message.content);
        (!is_blank(&text)).then(|| AskMessage::new(role, BoundedText::cut(&text)))
    });
    let mut messages: Vec<AskMessage> = said.take(MAX_MESSAGES).collect();
    messages.reverse();
    let messages = List::new(messages).ok_or(AskFailed::NothingAsked)?;
    let request = AskRequest::new(turn.session.clone(), messages, escalation(turn));
    // What has text keys and no numbers of its own cannot fail to be written.
    Ok(serde_json::to_vec(&request).unwrap_or_default())
}

/// Why there is no declared answer, where a plane says so.
fn escalation(turn: &TurnRequest) -> Option<EscalationEnvelope> {
    let envelope = turn.context.get("metadata")?.get(TurnRequest::ESCALATION)?;
    AnswerEnvelope::decode_value(envelope).ok().and_then(EscalationEnvelope::new)
}
