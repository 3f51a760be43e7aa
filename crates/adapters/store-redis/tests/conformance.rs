//! The store in Redis keeps every rule, on the server that `ANSWERPLANE_REDIS_URL` names.
#![allow(clippy::unwrap_used)]

mod prefixes;

use std::sync::Arc;

use answerplane_store::Store;
use answerplane_store_conformance::servers::Kind;
use answerplane_store_redis::RedisOptions;

async fn open() -> Option<Arc<dyn Store>> {
    let url = Kind::Redis.url()?;
    let prefix = prefixes::emptied(&url).await;
    Some(Arc::new(RedisOptions::new(url).prefix(prefix).open().await.unwrap()))
}

answerplane_store_conformance::store_conformance!(open);
