//! Which sessions there are, and who may use one.

use answerplane_protocol::Identifier;
use answerplane_store::{Key, ReplaceError, Store, Version};

use crate::session::context::SessionOptions;
use crate::session::error::SessionError;
use crate::session::stored::{ATTEMPTS, Additions, Written};
use crate::session::{Session, Update};
use crate::snapshot_session::Definition;

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
        let Some(found) = store.load(&key, options.now()).await? else { return Ok(()) };
        erase(store, &key, (found.birth, found.version), options, &mut false).await
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

/// Deletes the document with this birth, first at the version that is known. No earlier write can land afterwards, since a
/// version never comes back. `is_unknown` says whether it may have happened, and does so too when nobody waits for the end.
pub(super) async fn erase(
    store: &dyn Store,
    key: &Key,
    (birth, mut version): (Version, Version),
    options: &SessionOptions,
    is_unknown: &mut bool,
) -> Result<(), SessionError> {
    let mut was_unknown = std::mem::replace(is_unknown, true);
    for _ in 0..ATTEMPTS {
        let mut deleted = store.delete(key, version, options.now()).await;
        while let Err(ReplaceError::Conflict) = deleted {
            deleted = match store.load(key, options.now()).await {
                Ok(Some(document)) if document.birth == birth => {
                    version = document.version;
                    store.delete(key, version, options.now()).await
                }
                Ok(_) => Ok(()),
                Err(_) if was_unknown => return Err(SessionError::OutcomeUnknown),
                Err(error) => Err(ReplaceError::Failed(error)),
            };
        }
        match deleted {
            Ok(()) => return Ok(()),
            Err(ReplaceError::Failed(error)) if !was_unknown => {
                *is_unknown = false;
                return Err(error.into());
            }
            Err(_) => was_unknown = true,
        }
    }
    Err(SessionError::OutcomeUnknown)
}
