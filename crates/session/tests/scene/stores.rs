//! The store that a test runs on: one in memory, or what `ANSWERPLANE_STORE` names, in a part of it that no other test uses.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use answerplane_store::{
    Document, Expected, Key, KeyPrefix, MemoryStore, ReadError, ReplaceError, Store, StoreError, Version,
    Write,
};
use answerplane_store_postgres::PostgresStore;
use answerplane_store_redis::RedisStore;
use answerplane_store_sqlite::SqliteStore;
use tokio::sync::OnceCell;

/// A store of its own.
pub(crate) fn store() -> Arc<dyn Store> {
    static OPENED: AtomicU64 = AtomicU64::new(0);
    let Ok(address) = std::env::var("ANSWERPLANE_STORE") else { return Arc::new(MemoryStore::new()) };
    let started = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos());
    let number = OPENED.fetch_add(1, Ordering::SeqCst);
    part_of(&address, &format!("{started}-{}-{number}", std::process::id()))
}

/// The part with this name of the store with this address.
pub(crate) fn part_of(address: &str, part: &str) -> Arc<dyn Store> {
    Arc::new(Part { address: address.to_string(), part: part.to_string(), store: OnceCell::new() })
}

/// A part of a store: all its keys begin alike. It is opened when it is first used, by the runtime that uses it.
struct Part {
    address: String,
    part: String,
    store: OnceCell<Arc<dyn Store>>,
}

impl Part {
    async fn store(&self) -> &dyn Store {
        self.store.get_or_init(|| open(&self.address)).await.as_ref()
    }

    fn within(&self, key: &Key) -> Key {
        Key::new([self.part.clone()].into_iter().chain(key.parts().iter().cloned())).unwrap()
    }
}

#[async_trait::async_trait]
impl Store for Part {
    async fn load(&self, key: &Key, now: i64) -> Result<Option<Document>, StoreError> {
        self.store().await.load(&self.within(key), now).await
    }

    async fn replace(
        &self,
        key: &Key,
        expected: Expected,
        write: Write,
        now: i64,
    ) -> Result<Version, ReplaceError> {
        self.store().await.replace(&self.within(key), expected, write, now).await
    }

    async fn read(
        &self,
        key: &Key,
        birth: Version,
        journal: &str,
        range: Range<u64>,
        now: i64,
    ) -> Result<Vec<Vec<u8>>, ReadError> {
        self.store().await.read(&self.within(key), birth, journal, range, now).await
    }

    async fn delete(&self, key: &Key, expected: Version, now: i64) -> Result<(), ReplaceError> {
        self.store().await.delete(&self.within(key), expected, now).await
    }

    async fn list(
        &self,
        prefix: &KeyPrefix,
        after: Option<&Key>,
        limit: usize,
        now: i64,
    ) -> Result<Vec<Key>, StoreError> {
        let parts = [self.part.clone()].into_iter().chain(prefix.parts().iter().cloned());
        let after = after.map(|key| self.within(key));
        let keys =
            self.store().await.list(&KeyPrefix::new(parts).unwrap(), after.as_ref(), limit, now).await?;
        Ok(keys.iter().map(|key| Key::new(key.parts()[1..].to_vec()).unwrap()).collect())
    }

    async fn purge(&self, now: i64, limit: usize) -> Result<usize, StoreError> {
        self.store().await.purge(now, limit).await
    }
}

/// Opens what an address names: `sqlite:` and a path, or the address of a PostgreSQL or Redis server.
async fn open(address: &str) -> Arc<dyn Store> {
    match address.split_once(':').unwrap() {
        ("sqlite", path) => Arc::new(SqliteStore::open(path).await.unwrap()),
        ("redis", _) => Arc::new(RedisStore::open(address).await.unwrap()),
        _ => Arc::new(PostgresStore::open(address).await.unwrap()),
    }
}
