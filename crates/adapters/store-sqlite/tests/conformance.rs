//! The store in a SQLite file keeps every rule.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use answerplane_store::Store;
use answerplane_store_sqlite::SqliteStore;

/// A file of its own for each test, which the next run replaces.
async fn open() -> Option<Arc<dyn Store>> {
    let test = std::thread::current().name().unwrap().to_owned();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance").join(test);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    Some(Arc::new(SqliteStore::open(folder.join("store.db")).await.unwrap()))
}

answerplane_store_conformance::store_conformance!(open);
