//! One call of the database, within its time limit, and what has become of it.

use std::time::Duration;

use answerplane_store::{Fault, ReplaceError, StoreError};
use deadpool_postgres::{Client, Object, Pool};
use tokio::time::{Instant, timeout_at};
use tokio_postgres::types::ToSql;
use tokio_postgres::{NoTls, Row, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::failure::{of, of_pool, of_write};

/// Connections, and how long a call may take.
pub(crate) struct Calls {
    pub(crate) pool: Pool,
    pub(crate) tls: Option<MakeRustlsConnect>,
    pub(crate) timeout: Duration,
}

type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Calls {
    /// Asks something.
    pub(crate) async fn read(&self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>, StoreError> {
        let deadline = Instant::now() + self.timeout;
        let (client, statement) = self.prepared(sql, deadline).await?;
        let result = match timeout_at(deadline, client.query(&statement, parameters)).await {
            Ok(Ok(rows)) => return Ok(rows),
            Ok(Err(error)) => of(&error),
            Err(_) => self.give_up(&client, Fault::TimedOut.into()),
        };
        forget(client);
        Err(result)
    }

    /// Lets a statement have its effect, in a transaction of its own. It has one row.
    pub(crate) async fn write(&self, sql: &str, parameters: Parameters<'_>) -> Result<Row, ReplaceError> {
        let deadline = Instant::now() + self.timeout;
        let (client, statement) = self.prepared(sql, deadline).await.map_err(ReplaceError::Failed)?;
        // From here on it may have been sent. Success is not reported before the server is ready for another one, which
        // is after the transaction has ended.
        let result = match timeout_at(deadline, client.query_one(&statement, parameters)).await {
            Ok(Ok(row)) => return Ok(row),
            Ok(Err(error)) => of_write(&error),
            Err(_) => self.give_up(&client, ReplaceError::Unknown(Fault::TimedOut.into())),
        };
        forget(client);
        Err(result)
    }

    /// A connection with the statement. Nothing that was asked for has been sent yet.
    async fn prepared(&self, sql: &str, deadline: Instant) -> Result<(Client, Statement), StoreError> {
        let Ok(client) = timeout_at(deadline, self.pool.get()).await else {
            return Err(Fault::TimedOut.into());
        };
        let client = client.map_err(of_pool)?;
        let statement = match timeout_at(deadline, client.prepare_cached(sql)).await {
            Ok(Ok(statement)) => return Ok((client, statement)),
            Ok(Err(error)) => of(&error),
            Err(_) => Fault::TimedOut.into(),
        };
        forget(client);
        Err(statement)
    }
}

impl Calls {
    /// Tells the server that nobody waits any more. It would notice the end of the connection only when it has something to
    /// say, and hold the connection until then.
    fn give_up<E>(&self, client: &Client, error: E) -> E {
        let (token, tls, timeout) = (client.cancel_token(), self.tls.clone(), self.timeout);
        tokio::spawn(tokio::time::timeout(timeout, async move {
            match tls {
                Some(tls) => token.cancel_query(tls).await,
                None => token.cancel_query(NoTls).await,
            }
        }));
        error
    }
}

/// Ends a connection on which something went wrong, rather than give it to somebody else.
fn forget(client: Client) {
    drop(Object::take(client));
}
