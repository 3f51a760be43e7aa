//! Which sessions there are, and who may use one.

use answerplane_protocol::Identifier;
use answerplane_store::{Fault, ReplaceError, Store};

use crate::session::context::SessionOptions;
use crate::session::error::SessionError;
use crate::session::stored::{Additions, Written};
use crate::session::{Session, Update};
use crate::snapshot_session::Definition;

/// How often a session is tried to be erased.
const ATTEMPTS: usize = 16;

impl Session {
    /// Whether there is a session: one in which something has happened. Nothing is made.
    ///
    /// # Errors
    ///
    /// [`Store`](SessionError::Store), [`InvalidKey`](SessionError::InvalidKey).
    pub async fn exists(
        id: &Identifier,
        definition: &Definition,
        store: &dyn Store,
        options: &SessionOptions,
    ) -> Result<bool, SessionError> {
        let document = store.load(&options.key(id, definition)?, options.now()).await?;
        Ok(document.is_some_and(|document| document.version != document.birth))
    }

    /// Up to so many sessions of a definition in which something has happened, in the order of their ids, from the first one
    /// after `after`.
    ///
    /// # Errors
    ///
    /// As for [`exists`](Self::exists).
    pub async fn list(
        definition: &Definition,
        store: &dyn Store,
        options: &SessionOptions,
        after: Option<&Identifier>,
        limit: usize,
    ) -> Result<Vec<Identifier>, SessionError> {
        let prefix = options.prefix(definition)?;
        let mut after = after.map(|id| options.key(id, definition)).transpose()?;
        let mut sessions = Vec::new();
        while sessions.len() < limit {
            let keys = store.list(&prefix, after.as_ref(), limit, options.now()).await?;
            for key in &keys {
                let is_whole = key.parts().len() == prefix.parts().len() + 1;
                let id = key.parts().last().filter(|_| is_whole).and_then(|id| id.parse().ok());
                let Some(id) = id else { continue };
                if sessions.len() < limit && Self::exists(&id, definition, store, options).await? {
                    sessions.push(id);
                }
            }
            if keys.len() < limit {
                break;
            }
            after = keys.last().cloned();
        }
        Ok(sessions)
    }

    /// Erases a session without opening it: whatever is stored under its id, of whatever revision, readable or not.
    ///
    /// # Errors
    ///
    /// [`Store`](SessionError::Store), [`OutcomeUnknown`](SessionError::OutcomeUnknown),
    /// [`InvalidKey`](SessionError::InvalidKey). That there is nothing is none.
    pub async fn erase_unopened(
        id: &Identifier,
        definition: &Definition,
        store: &dyn Store,
        options: &SessionOptions,
    ) -> Result<(), SessionError> {
        let key = options.key(id, definition)?;
        let mut found = store.load(&key, options.now()).await?;
        let Some(birth) = found.as_ref().map(|document| document.birth) else { return Ok(()) };
        let mut was_unknown = false;
        for _ in 0..ATTEMPTS {
            let Some(document) = found.as_ref().filter(|document| document.birth == birth) else {
                return Ok(());
            };
            match store.delete(&key, document.version, options.now()).await {
                Ok(()) => return Ok(()),
                Err(ReplaceError::Failed(error)) if !was_unknown => return Err(error.into()),
                Err(ReplaceError::Failed(_)) => {}
                Err(ReplaceError::Unknown(_)) => was_unknown = true,
                Err(ReplaceError::Conflict) => match store.load(&key, options.now()).await {
                    Ok(document) => found = document,
                    Err(_) if was_unknown => return Err(SessionError::OutcomeUnknown),
                    Err(error) => return Err(error.into()),
                },
            }
        }
        Err(if was_unknown { SessionError::OutcomeUnknown } else { Fault::Unavailable.into() })
    }

    /// The hash of the token that the session is used with; nothing where none was bound.
    ///
    /// # Errors
    ///
    /// [`SessionError`] where it cannot be read.
    pub async fn token_hash(&self) -> Result<Option<String>, SessionError> {
        let stored = &mut *self.inner.stored.lock().await;
        if stored.head.token_hash.is_none() {
            self.inner.settle(stored).await?;
            stored.load(&self.inner.context).await?;
        }
        Ok(stored.head.token_hash.clone())
    }

    /// Binds the session to a token, by its hash, for good. False where it is bound to another one.
    ///
    /// # Errors
    ///
    /// As of every operation that writes.
    pub async fn bind_token(&self, hash: &str) -> Result<bool, SessionError> {
        let context = &self.inner.context;
        let stored = &mut *self.inner.stored.lock().await;
        self.inner.settle(stored).await?;
        loop {
            if let Some(bound) = &stored.head.token_hash {
                return Ok(bound == hash);
            }
            let mut head = stored.next_head(context.write_id()?);
            head.token_hash = Some(hash.to_string());
            match stored.replace(context, head, Additions::default()).await? {
                Written::Done => self.inner.tell(Update::Changed(stored.head.cursor)),
                Written::Conflict { after_unknown } => stored.load_after(context, after_unknown).await?,
            }
        }
    }
}
