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

/// How many bytes all messages take at most, the last aside: a service reads 65,536 of a request.
const MAX_BYTES: usize = 60_000;

/// The request of a turn, as JSON.
pub(crate) fn question(turn: &TurnRequest) -> Result<Vec<u8>, AskFailed> {
    let asked = turn.messages.iter().rfind(|message| message.role == Role::User);
    let asked = asked.map(|message| Content::as_text(&message.content)).ok_or(AskFailed::NothingAsked)?;
    if is_blank(&asked) {
        return Err(AskFailed::NothingAsked);
    }
    if utf16_len(&asked) > MAX_UNITS {
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
    let mut left = MAX_BYTES;
    let fitting = said.take(MAX_MESSAGES).enumerate().take_while(|(number, message)| {
        let bytes = serde_json::to_vec(message).map_or(0, |message| message.len() + 1);
        left = left.saturating_sub(bytes);
        *number == 0 || left > 0
    });
    let mut messages: Vec<AskMessage> = fitting.map(|(_, message)| message).collect();
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
