//! The pool of connections, and how they are encrypted.

use std::net::IpAddr;
use std::sync::Arc;

use answerplane_store::{Fault, StoreError};
use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Pool, RecyclingMethod};
use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls_platform_verifier::Verifier;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::options::PostgresOptions;

/// A pool that connects when a connection is asked for, and how its connections are encrypted; nothing where they are not.
pub(crate) fn pool(options: &PostgresOptions) -> Result<(Pool, Option<MakeRustlsConnect>), StoreError> {
    let mut config: Config = options.url.parse().map_err(unusable)?;
    if config.get_application_name().is_none() {
        config.application_name("answerplane");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(options.timeout);
    }
    if config.get_ssl_mode() == SslMode::Prefer {
        config.ssl_mode(if is_here(&config) { SslMode::Disable } else { SslMode::Require });
    }
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let tls = match config.get_ssl_mode() {
        SslMode::Disable => None,
        _ => Some(MakeRustlsConnect::new(encryption(&options.certificates)?)),
    };
    let manager = match &tls {
        None => Manager::from_config(config, NoTls, recycling),
        Some(tls) => Manager::from_config(config, tls.clone(), recycling),
    };
    // Somewhat less than we wait: then the server still says that nothing has happened.
    let limit = (options.timeout * 4 / 5).as_millis().max(1);
    let settings =
        format!("SET statement_timeout = {limit}; SET default_transaction_isolation = 'read committed'");
    let pool = Pool::builder(manager)
        .max_size(options.connections)
        .post_create(Hook::async_fn(move |client, _| {
            let settings = settings.clone();
            Box::pin(async move { client.batch_execute(&settings).await.map_err(HookError::Backend) })
        }))
        .build()
        .map_err(unusable)?;
    Ok((pool, tls))
}

fn unusable(error: impl ToString) -> StoreError {
    StoreError::new(Fault::Unavailable, error.to_string())
}

/// Whether every server is on this machine.
fn is_here(config: &Config) -> bool {
    let is_loopback =
        |host: &str| host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => is_loopback(name),
        #[cfg(unix)]
        Host::Unix(_) => true,
    }) && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

fn encryption(certificates: &[u8]) -> Result<ClientConfig, StoreError> {
    let roots: Vec<_> =
        CertificateDer::pem_slice_iter(certificates).collect::<Result<_, _>>().map_err(unusable)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = Verifier::new_with_extra_roots(roots, provider.clone()).map_err(unusable)?;
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(unusable)?.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
    Ok(config.with_no_client_auth())
}
