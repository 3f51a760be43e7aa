//! The store in a PostgreSQL database keeps every rule, on the server that `ANSWERPLANE_POSTGRES_URL` names.
#![allow(clippy::unwrap_used)]

mod schemas;

use std::sync::Arc;

use answerplane_store::Store;
use answerplane_store_conformance::servers::Kind;
use answerplane_store_postgres::PostgresOptions;

async fn open() -> Option<Arc<dyn Store>> {
    let url = Kind::Postgres.url()?;
    let schema = schemas::emptied(&url).await;
    Some(Arc::new(PostgresOptions::new(url).schema(schema).open().await.unwrap()))
}

answerplane_store_conformance::store_conformance!(open);
