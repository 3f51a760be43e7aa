//! The backend that asks a server with the chat-completions API.

use std::fmt;
use std::time::Duration;

use answerplane_session::{Backend, ChunkStream, TurnRequest};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Method, Request};
use serde_json::Value;
use url::Url;

use crate::error::{OpenAiFailed, OpenAiRefused};
use crate::key::ApiKey;
use crate::request::Template;
use crate::transport::client;
use crate::turn::Turn;

/// How long the head of an answer may take.
const CONNECT: Duration = Duration::from_secs(30);

/// A backend that asks a model on a server with the OpenAI chat-completions API. Contract: `docs/backends.md`.
///
/// Cloning is cheap, and clones ask the same model.
#[derive(Clone)]
pub struct OpenAiBackend {
    client: Client,
    address: Url,
    key: Option<ApiKey>,
    connect: Duration,
    template: Template,
}

impl OpenAiBackend {
    /// A backend that asks this model below this base address, which ends in front of `/chat/completions`.
    ///
    /// ```
    /// use answerplane_backend_openai::{OpenAiBackend, OpenAiRefused};
    ///
    /// assert!(OpenAiBackend::new("http://localhost:8000/v1", "a-model").is_ok());
    /// let refused = OpenAiBackend::new("https://key@models.example/v1", "a-model").err();
    /// assert_eq!(refused, Some(OpenAiRefused::BaseUrl));
    /// ```
    ///
    /// # Errors
    ///
    /// [`OpenAiRefused::BaseUrl`] for anything but an http or https address, and for one with credentials: those are a
    /// [key](Self::key). [`OpenAiRefused::Certificates`] where https is asked for on a system that trusts nobody.
    pub fn new(base_url: &str, model: &str) -> Result<Self, OpenAiRefused> {
        let mut address = Url::parse(base_url).map_err(|_| OpenAiRefused::BaseUrl)?;
        let is_plain = address.username().is_empty() && address.password().is_none();
        if !matches!(address.scheme(), "http" | "https") || !is_plain {
            return Err(OpenAiRefused::BaseUrl);
        }
        let path = format!("{}/chat/completions", address.path().trim_end_matches('/'));
        address.set_path(&path);
        address.set_fragment(None);
        let client = client(&address)?;
        Ok(Self { client, address, key: None, connect: CONNECT, template: Template::new(model) })
    }

    /// A backend that asks a model of Cloudflare Workers AI, such as `@cf/meta/llama-3.1-8b-instruct`, on this account. It
    /// needs a [key](Self::key): an API token that may run Workers AI.
    ///
    /// ```
    /// use answerplane_backend_openai::{OpenAiBackend, OpenAiRefused};
    ///
    /// let account = "0123456789abcdef0123456789abcdef";
    /// assert!(OpenAiBackend::cloudflare(account, "@cf/meta/llama-3.1-8b-instruct").is_ok());
    /// assert_eq!(OpenAiBackend::cloudflare("../x", "a-model").err(), Some(OpenAiRefused::Account));
    /// ```
    ///
    /// # Errors
    ///
    /// [`OpenAiRefused::Account`] where the account is not 1 to 64 ASCII letters and digits; otherwise as [`new`](Self::new).
    pub fn cloudflare(account: &str, model: &str) -> Result<Self, OpenAiRefused> {
        let is_name = account.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if account.is_empty() || account.len() > 64 || !is_name {
            return Err(OpenAiRefused::Account);
        }
        Self::new(&format!("https://api.cloudflare.com/client/v4/accounts/{account}/ai/v1"), model)
    }

    /// Sends a key with each turn, as `Authorization: Bearer …`.
    #[must_use]
    pub fn key(mut self, key: ApiKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Says something to the model before every history.
    #[must_use]
    pub fn system(mut self, prompt: impl Into<String>) -> Self {
        self.template.set_system(prompt.into());
        self
    }

    /// Sets a parameter of every request, such as `temperature`, `max_tokens` or `max_completion_tokens`, as the server
    /// names it. `null` leaves one out, which servers that do not know `stream_options` need.
    ///
    /// ```
    /// # use answerplane_backend_openai::{OpenAiBackend, OpenAiRefused};
    /// let backend = OpenAiBackend::new("http://localhost:8000/v1", "a-model")?
    ///     .parameter("temperature", 0.2)?
    ///     .parameter("max_tokens", 800)?;
    /// # Ok::<(), OpenAiRefused>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`OpenAiRefused::Parameter`] for `model`, `messages`, `stream`, `n` and `modalities`, and for those that offer tools.
    pub fn parameter(mut self, name: &str, value: impl Into<Value>) -> Result<Self, OpenAiRefused> {
        self.template.set(name, value.into())?;
        Ok(self)
    }

    /// How long the head of an answer may take, connecting included: 30 seconds unless something else is said. What comes
    /// after it may take as long as it does; a turn's own deadline is its session's.
    #[must_use]
    pub fn connect_deadline(mut self, time: Duration) -> Self {
        self.connect = time;
        self
    }

    fn request(&self, turn: &TurnRequest) -> Result<Request, OpenAiFailed> {
        let mut request = Request::new(Method::POST, self.address.clone());
        *request.body_mut() = Some(self.template.request(turn)?.into());
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(key) = &self.key {
            headers.insert(AUTHORIZATION, key.header());
        }
        Ok(request)
    }
}

impl Backend for OpenAiBackend {
    fn answer(&self, turn: TurnRequest) -> ChunkStream {
        Turn::new(self.client.clone(), self.request(&turn), self.connect).into_stream()
    }
}

/// Neither address nor key nor anything that is said to the model is shown.
impl fmt::Debug for OpenAiBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiBackend").finish_non_exhaustive()
    }
}
