//! What the database holds, and how an older one is brought up to date.

use answerplane_store::{Fault, StoreError};
use tokio_postgres::{Client, Error};

use crate::failure::{damaged, of};

/// The steps from nothing to the present schema; the table `schema_steps` says how many were made. A step that was
/// released is never changed.
const STEPS: [&str; 1] = [include_str!("schema/1.sql")];

/// Brings a schema up to date. One process does it, others wait for it.
pub(crate) async fn migrate(client: &mut Client, schema: &str) -> Result<(), StoreError> {
    if made(client, schema).await? == STEPS.len() {
        return Ok(());
    }
    let step = async |client: &Client, step: String| {
        client.batch_execute(&step).await.map_err(|error: Error| of(&error))
    };
    let transaction = client.transaction().await.map_err(|error| of(&error))?;
    let client = transaction.client();
    step(client, format!("SELECT pg_advisory_xact_lock(hashtext('answerplane'), hashtext('{schema}'))"))
        .await?;
    let done = made(client, schema).await?;
    if done == 0 {
        let is_there = client.query_opt("SELECT FROM pg_namespace WHERE nspname = $1", &[&schema]).await;
        if is_there.map_err(|error| of(&error))?.is_none() {
            step(client, format!("CREATE SCHEMA {schema}")).await?;
        }
        let table = "CREATE TABLE {schema}.schema_steps (made integer NOT NULL);
                     INSERT INTO {schema}.schema_steps VALUES (0)";
        step(client, table.replace("{schema}", schema)).await?;
    }
    for missing in STEPS.iter().skip(done) {
        step(client, missing.replace("{schema}", schema)).await?;
    }
    step(client, format!("UPDATE {schema}.schema_steps SET made = {}", STEPS.len())).await?;
    transaction.commit().await.map_err(|error| of(&error))
}

/// How many steps were made. An error where a newer release has made more.
async fn made(client: &Client, schema: &str) -> Result<usize, StoreError> {
    // Not `to_regclass`, which may remember what was not there before another process made it.
    let table = "SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = 'schema_steps'";
    if client.query_opt(table, &[&schema]).await.map_err(|error| of(&error))?.is_none() {
        return Ok(0);
    }
    let made = client.query_one(&format!("SELECT made FROM {schema}.schema_steps"), &[]).await;
    let made = made.and_then(|row| row.try_get::<_, i32>(0)).map_err(|error| of(&error))?;
    match usize::try_from(made) {
        Ok(made) if made <= STEPS.len() => Ok(made),
        Ok(_) => Err(Fault::TooNew.into()),
        Err(_) => Err(damaged("the schema has made a negative number of steps")),
    }
}

/// Whether a name needs no quotes anywhere.
pub(crate) fn is_plain(schema: &str) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'_';
    schema.as_bytes().first().is_some_and(is_letter)
        && schema.len() <= 48
        && schema.bytes().all(|byte| is_letter(&byte) || byte.is_ascii_digit())
}
