//! The backend that asks an Ask service.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use answerplane_protocol::ask::AskTool;
use answerplane_protocol::{Identifier, RenderFrame};
use answerplane_session::{Backend, ChunkStream, Role, TurnRequest};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Method, Request};
use url::Url;

use crate::answer::{Answer, Projector};
use crate::error::{AskFailed, AskRefused};
use crate::question::question;
use crate::transport::client;
use crate::turn::Turn;

/// How long the head of an answer may take.
const CONNECT: Duration = Duration::from_secs(30);

/// A backend that asks an Ask service. Contract: `docs/backends.md`, `docs/protocol/ask.md`.
///
/// Cloning is cheap, and clones ask the same service.
#[derive(Clone)]
pub struct AskBackend {
    client: Client,
    endpoint: Url,
    token: Option<HeaderValue>,
    connect: Duration,
    projector: Option<Projector>,
}

impl AskBackend {
    /// A backend that posts each turn to this http or https address.
    ///
    /// ```
    /// use answerplane_backend_ask::{AskBackend, AskRefused};
    ///
    /// assert!(AskBackend::new("http://localhost:8080/v1/ask?tenant=7").is_ok());
    /// assert_eq!(AskBackend::new("ftp://localhost/").err(), Some(AskRefused::Endpoint));
    /// ```
    ///
    /// # Errors
    ///
    /// [`AskRefused::Endpoint`] for anything else, and for an address with credentials: those are a
    /// [token](Self::token)'s. [`AskRefused::Certificates`] where https is asked for on a system that trusts nobody.
    pub fn new(endpoint: &str) -> Result<Self, AskRefused> {
        let mut endpoint = Url::parse(endpoint).map_err(|_| AskRefused::Endpoint)?;
        let is_plain = endpoint.username().is_empty() && endpoint.password().is_none();
        if !matches!(endpoint.scheme(), "http" | "https") || !is_plain {
            return Err(AskRefused::Endpoint);
        }
        endpoint.set_fragment(None);
        Ok(Self { client: client(&endpoint)?, endpoint, token: None, connect: CONNECT, projector: None })
    }

    /// Tells the service which corpus is meant, as `corpus` in the query of its address. It may refuse another than its own.
    #[must_use]
    pub fn corpus(self, corpus: &Identifier) -> Self {
        self.hint("corpus", corpus)
    }

    /// Tells the service which assistant is meant, as `persona` in the query of its address. It may refuse another than its
    /// own.
    #[must_use]
    pub fn persona(self, persona: &Identifier) -> Self {
        self.hint("persona", persona)
    }

    fn hint(mut self, name: &str, value: &Identifier) -> Self {
        self.endpoint.query_pairs_mut().append_pair(name, value.as_str());
        self
    }

    /// Sends a token with each turn, as `Authorization: Bearer …`. Nothing shows it.
    ///
    /// # Errors
    ///
    /// [`AskRefused::Token`] where it is empty or has characters that a header cannot hold.
    pub fn token(mut self, token: &str) -> Result<Self, AskRefused> {
        if token.is_empty() {
            return Err(AskRefused::Token);
        }
        let mut header = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| AskRefused::Token)?;
        header.set_sensitive(true);
        self.token = Some(header);
        Ok(self)
    }

    /// How long the head of an answer may take, connecting included: 30 seconds unless something else is said. What comes
    /// after it may take as long as it does; a turn's own deadline is its session's.
    #[must_use]
    pub fn connect_deadline(mut self, time: Duration) -> Self {
        self.connect = time;
        self
    }

    /// Shows the tools that an answer uses, but for `answer` and `cite`, as the components that this makes of them. Without it
    /// they are not shown.
    #[must_use]
    pub fn projector(
        mut self,
        projector: impl Fn(&AskTool) -> Option<RenderFrame> + Send + Sync + 'static,
    ) -> Self {
        self.projector = Some(Arc::new(projector));
        self
    }

    fn request(&self, turn: &TurnRequest) -> Result<Request, AskFailed> {
        let mut request = Request::new(Method::POST, self.endpoint.clone());
        *request.body_mut() = Some(question(turn)?.into());
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/x-ndjson"));
        if let Some(token) = &self.token {
            headers.insert(AUTHORIZATION, token.clone());
        }
        Ok(request)
    }
}

impl Backend for AskBackend {
    fn answer(&self, turn: TurnRequest) -> ChunkStream {
        let asked = turn.messages.iter().rfind(|message| message.role == Role::User);
        let asked = asked.map_or_else(|| String::from("ask"), |message| message.id.clone());
        let answer = Answer::new(asked, self.projector.clone());
        let turn = match self.request(&turn) {
            Ok(request) => Turn::new(self.client.clone(), request, self.connect, answer),
            Err(reason) => Turn::refused(reason, answer),
        };
        turn.into_stream()
    }
}

/// Neither address nor token is shown.
impl fmt::Debug for AskBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskBackend").finish_non_exhaustive()
    }
}
