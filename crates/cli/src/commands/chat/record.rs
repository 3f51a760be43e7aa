//! A turn for a program.

use answerplane_protocol::{AnswerEnvelope, Identifier};
use answerplane_session::StateView;
use serde::Serialize;

use crate::commands::chat::offered::Offer;
use crate::commands::chat::talk::{Failure, Turned, plain, word};

/// A turn, with what may be taken after it and where the conversation stands. What there is not is left out.
#[derive(Serialize)]
pub(super) struct Record<'a> {
    turn: &'a Identifier,
    said: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'static str>,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a AnswerEnvelope>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a Failure>,
    #[serde(skip_serializing_if = "<[Offer]>::is_empty")]
    offered: &'a [Offer],
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'a StateView>,
}

impl<'a> Record<'a> {
    pub(super) fn new(turned: &'a Turned, offered: &'a [Offer], state: Option<&'a StateView>) -> Self {
        Self {
            turn: &turned.turn,
            said: &turned.said,
            end: turned.end.map(word),
            text: plain(&turned.text),
            answer: turned.answer.as_ref(),
            route: turned.route.as_deref(),
            failure: turned.failure.as_ref(),
            offered,
            state,
        }
    }
}
