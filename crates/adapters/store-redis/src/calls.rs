//! One call of the server, within its time limit, and what has become of it.

use std::time::Duration;

use answerplane_store::{Fault, ReplaceError, StoreError};
use redis::aio::MultiplexedConnection;
use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, FromRedisValue, IntoConnectionInfo, RedisError,
    ScriptInvocation, TlsCertificates,
};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::failure::{of, of_write};
use crate::options::RedisOptions;

/// A connection that all calls share, and that is made anew after something went wrong on it.
///
/// The connection manager of the crate `redis` does not tell whether a request was sent or there was no connection to send it on,
/// which is the difference between a failure and an unknown outcome.
pub(crate) struct Calls {
    client: Client,
    timeout: Duration,
    connection: Mutex<Numbered>,
}

#[derive(Default)]
struct Numbered {
    number: u64,
    connection: Option<MultiplexedConnection>,
}

/// Why a call has no result.
enum Problem {
    /// Nothing was sent.
    Unsent(StoreError),
    /// It was sent, or may have been.
    Sent(RedisError),
    /// It was sent, or may have been, and nobody has answered.
    Unanswered,
}

impl Calls {
    /// Nothing is connected yet.
    pub(crate) fn new(options: &RedisOptions) -> Result<Self, StoreError> {
        let unusable = |error: RedisError| StoreError::new(Fault::Unavailable, error.category().to_owned());
        let info = options.url.as_str().into_connection_info().map_err(unusable)?;
        let client = if matches!(info.addr(), ConnectionAddr::TcpTls { .. }) {
            // The crate `redis` takes the provider of the process. Where the program has chosen none, it is this one.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let certificates = TlsCertificates { client_tls: None, root_cert: options.certificates.clone() };
            Client::build_with_tls(info, certificates)
        } else {
            Client::open(info)
        };
        let client = client.map_err(unusable)?;
        Ok(Self { client, timeout: options.timeout, connection: Mutex::default() })
    }

    /// Asks something.
    pub(crate) async fn read<T: FromRedisValue>(&self, request: Request<'_>) -> Result<T, StoreError> {
        self.call(request).await.map_err(|problem| match problem {
            Problem::Unsent(error) => error,
            Problem::Sent(error) => of(&error),
            Problem::Unanswered => Fault::TimedOut.into(),
        })
    }

    /// Lets a script have its effect.
    pub(crate) async fn write<T: FromRedisValue>(&self, request: Request<'_>) -> Result<T, ReplaceError> {
        self.call(request).await.map_err(|problem| match problem {
            Problem::Unsent(error) => ReplaceError::Failed(error),
            Problem::Sent(error) => of_write(&error),
            Problem::Unanswered => ReplaceError::Unknown(Fault::TimedOut.into()),
        })
    }

    async fn call<T: FromRedisValue>(&self, request: Request<'_>) -> Result<T, Problem> {
        let mut is_sent = false;
        let mut number = None;
        let called = timeout(self.timeout, async {
            let (connected, mut connection) = self.connected().await.map_err(Problem::Unsent)?;
            number = Some(connected);
            is_sent = true;
            let answer = match request {
                Request::Script(script) => script.invoke_async(&mut connection).await,
                Request::Command(command) => command.query_async(&mut connection).await,
            };
            answer.map_err(Problem::Sent)
        })
        .await;
        let result = match called {
            Ok(result) => result,
            Err(_) if is_sent => Err(Problem::Unanswered),
            Err(_) => Err(Problem::Unsent(Fault::TimedOut.into())),
        };
        if let (Err(_), Some(number)) = (&result, number) {
            self.forget(number).await;
        }
        result
    }

    async fn connected(&self) -> Result<(u64, MultiplexedConnection), StoreError> {
        let mut kept = self.connection.lock().await;
        if let Some(connection) = &kept.connection {
            return Ok((kept.number, connection.clone()));
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.timeout))
            .set_response_timeout(None);
        let connection = self.client.get_multiplexed_async_connection_with_config(&config).await;
        let connection = connection.map_err(|error| of(&error))?;
        kept.number += 1;
        kept.connection = Some(connection.clone());
        Ok((kept.number, connection))
    }

    /// Lets the next call connect anew, unless another one has done so already.
    async fn forget(&self, number: u64) {
        let mut kept = self.connection.lock().await;
        if kept.number == number {
            kept.connection = None;
        }
    }
}

/// What is asked for.
pub(crate) enum Request<'a> {
    /// A script, which is loaded where the server does not know it.
    Script(&'a ScriptInvocation<'a>),
    /// A command that changes nothing.
    Command(&'a redis::Cmd),
}
