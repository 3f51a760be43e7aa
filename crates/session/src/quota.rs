//! Who may ask a backend, and how much is left.

use async_trait::async_trait;
use serde::Serialize;

use crate::backend::BackendFailed;
use crate::request::TurnRequest;

/// A host's limit on what backends are asked. Local answers cost nothing and are not counted.
#[async_trait]
pub trait Quota: Send + Sync {
    /// Whether the turn may be asked, and how much is used up where its session should know. It is asked before the backend.
    ///
    /// # Errors
    ///
    /// [`BackendFailed::QuotaExceeded`] where the limit is reached; another where it cannot tell: the backend is not asked
    /// then either.
    async fn admit(&self, request: &TurnRequest) -> Result<Option<QuotaNotice>, BackendFailed>;
}

/// How much of a quota is used up. It comes as a chunk of the type `quota` before the answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct QuotaNotice {
    /// The part that is used up, from 0 to 1.
    pub utilization: f64,
    /// Whether the session should be warned.
    pub warning: bool,
}
