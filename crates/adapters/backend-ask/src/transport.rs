//! Asking over HTTP.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Request, Response, retry};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;
use url::Url;

use crate::error::{AskFailed, AskRefused};

/// How long is waited before each further attempt to connect.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];

/// A client for this address. Each turn has a connection of its own, which speaks HTTP/1.1: so whoever drops a turn closes
/// its connection, and no request goes out over one that the server is just closing.
pub(crate) fn client(address: &Url) -> Result<Client, AskRefused> {
    Client::builder()
        .user_agent(concat!("answerplane/", env!("CARGO_PKG_VERSION")))
        .http1_only()
        .pool_max_idle_per_host(0)
        .redirect(Policy::none())
        .retry(retry::never())
        .tls_backend_preconfigured(encryption(address.scheme() == "https")?)
        .build()
        .map_err(|_| AskRefused::Certificates)
}

/// TLS with ring, with certificates judged as the system judges them. Where none is looked at, a system without any is no
/// obstacle.
fn encryption(is_used: bool) -> Result<ClientConfig, AskRefused> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions();
    let config = config.map_err(|_| AskRefused::Certificates)?;
    if !is_used {
        return Ok(config.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
    }
    let verifier = Verifier::new(provider).map_err(|_| AskRefused::Certificates)?;
    Ok(config.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth())
}

/// The head of the answer, which has to be there in time. Only where no connection could be made, and so nothing was sent,
/// it is tried again.
pub(crate) async fn send(client: &Client, request: Request, time: Duration) -> Result<Response, AskFailed> {
    let attempts = async {
        for pause in PAUSES {
            let Some(again) = request.try_clone() else { break };
            match client.execute(again).await {
                Err(error) if error.is_connect() => tokio::time::sleep(pause).await,
                answer => return answer,
            }
        }
        client.execute(request).await
    };
    match tokio::time::timeout(time, attempts).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) if error.is_connect() => Err(AskFailed::Unreachable),
        Ok(Err(_)) => Err(AskFailed::BrokeOff),
        Err(_) => Err(AskFailed::Silent),
    }
}
