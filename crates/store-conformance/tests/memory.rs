//! The store in memory keeps every rule.

use std::sync::Arc;

use answerplane_store::{MemoryStore, Store};

async fn open() -> Option<Arc<dyn Store>> {
    Some(Arc::new(MemoryStore::new()))
}

answerplane_store_conformance::store_conformance!(open);
