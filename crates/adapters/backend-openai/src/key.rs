//! The key of a server.

use std::env;
use std::fmt;

use reqwest::header::HeaderValue;

use crate::error::OpenAiRefused;

/// The key that a server asks for. It is sent in a header, and nothing shows it.
///
/// ```
/// use answerplane_backend_openai::ApiKey;
///
/// let key = ApiKey::new("sk-0123456789")?;
/// assert_eq!(format!("{key:?}"), "ApiKey");
/// # Ok::<(), answerplane_backend_openai::OpenAiRefused>(())
/// ```
#[derive(Clone)]
pub struct ApiKey(HeaderValue);

impl ApiKey {
    /// A key, without the white space around it.
    ///
    /// # Errors
    ///
    /// [`OpenAiRefused::Key`] where it is empty or has characters that a header cannot hold.
    pub fn new(key: &str) -> Result<Self, OpenAiRefused> {
        let key = key.trim();
        if key.is_empty() {
            return Err(OpenAiRefused::Key);
        }
        let mut header = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| OpenAiRefused::Key)?;
        header.set_sensitive(true);
        Ok(Self(header))
    }

    /// The key that an environment variable holds.
    ///
    /// # Errors
    ///
    /// [`OpenAiRefused::KeyMissing`] where there is no such variable, [`OpenAiRefused::Key`] where it holds no key.
    pub fn from_env(variable: &str) -> Result<Self, OpenAiRefused> {
        let key = env::var_os(variable).ok_or(OpenAiRefused::KeyMissing)?;
        Self::new(key.to_str().ok_or(OpenAiRefused::Key)?)
    }

    /// The header that carries it.
    pub(crate) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}

/// The key is not shown.
impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey")
    }
}
