//! The bare statement: change one row if it has a version. Nothing else is done with it.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use redis::Script;
use redis::aio::MultiplexedConnection;
use rusqlite::{Connection, params};
use tokio_postgres::{Client, NoTls, Statement};

use super::Failure;

/// A table with a key, a version and a body.
pub(crate) enum Bare {
    Sqlite(Mutex<Connection>),
    Postgres(Vec<(Client, Statement)>),
    Redis(MultiplexedConnection, Script),
}

const SQLITE: &str = "UPDATE bare SET version = version + 1, body = ?3 WHERE key = ?1 AND version = ?2";
const POSTGRES: &str =
    "UPDATE answerplane_bare SET version = version + 1, body = $3 WHERE key = $1 AND version = $2";
const REDIS: &str = "if redis.call('HGET', KEYS[1], 'v') ~= ARGV[1] then return 0 end
    redis.call('HSET', KEYS[1], 'v', ARGV[1] + 1, 'd', ARGV[2])
    return 1";

impl Bare {
    pub(crate) fn sqlite(file: &Path) -> Result<Self, Failure> {
        let connection = Connection::open(file)?;
        connection.execute_batch(
            "PRAGMA synchronous = FULL;
             CREATE TABLE bare (key BLOB PRIMARY KEY, version INTEGER NOT NULL, body BLOB NOT NULL)",
        )?;
        Ok(Self::Sqlite(Mutex::new(connection)))
    }

    pub(crate) async fn postgres(url: &str, writers: usize) -> Result<Self, Failure> {
        let mut clients = Vec::new();
        for writer in 0..writers {
            let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
            tokio::spawn(connection);
            if writer == 0 {
                client
                    .batch_execute(
                        "DROP TABLE IF EXISTS answerplane_bare;
                         CREATE TABLE answerplane_bare
                           (key bytea PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL)",
                    )
                    .await?;
            }
            let statement = client.prepare(POSTGRES).await?;
            clients.push((client, statement));
        }
        Ok(Self::Postgres(clients))
    }

    pub(crate) async fn redis(url: &str) -> Result<Self, Failure> {
        let connection = redis::Client::open(url)?.get_multiplexed_async_connection().await?;
        Ok(Self::Redis(connection, Script::new(REDIS)))
    }

    /// Makes a row at version 0.
    pub(crate) async fn make(&self, number: usize) -> Result<(), Failure> {
        let key = key(number);
        match self {
            Self::Sqlite(connection) => {
                let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                connection.execute("INSERT INTO bare VALUES (?1, 0, x'')", [key])?;
            }
            Self::Postgres(clients) => {
                let (client, _) = clients.first().ok_or("no connection")?;
                client.execute("INSERT INTO answerplane_bare VALUES ($1, 0, '')", &[&key]).await?;
            }
            Self::Redis(connection, _) => {
                let mut command = redis::cmd("HSET");
                command.arg(key).arg("v").arg(0).arg("d").arg("");
                let _: u64 = command.query_async(&mut connection.clone()).await?;
            }
        }
        Ok(())
    }

    /// Changes a row that has this version.
    pub(crate) async fn change(
        &self,
        writer: usize,
        number: usize,
        version: i64,
        body: Vec<u8>,
    ) -> Result<(), Failure> {
        let key = key(number);
        let changed = match self {
            Self::Sqlite(connection) => {
                let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                connection.prepare_cached(SQLITE)?.execute(params![key, version, body])? as u64
            }
            Self::Postgres(clients) => {
                let (client, statement) = clients.get(writer).ok_or("no connection")?;
                client.execute(statement, &[&key, &version, &body]).await?
            }
            Self::Redis(connection, script) => {
                let mut script = script.prepare_invoke();
                script.key(key).arg(version).arg(body);
                script.invoke_async(&mut connection.clone()).await?
            }
        };
        if changed == 1 { Ok(()) } else { Err("a row has another version".into()) }
    }
}

fn key(number: usize) -> Vec<u8> {
    format!("answerplane_bare:{number}").into_bytes()
}
