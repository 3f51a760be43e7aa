//! A site at an http or https address.
//!
//! Everything that a server can do is bounded: the size of what it sends, the time that all of it takes, the number
//! of redirects and where they lead. Certificates are judged as the operating system judges them, so an
//! organization's own authorities work and withdrawn ones do not, without a release of this program.

use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::pin::pin;
use std::time::{Duration, Instant};

use answerplane_protocol::SafeLink;
use reqwest::header::{ACCEPT, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use rustls::{CertificateError, ClientConfig, RootCertStore};
use tokio::runtime::{Builder, Runtime};
use url::Url;

use crate::output;
use crate::problem::{Cause, Document, Problem};
use crate::site::{Found, Source, limit};

/// The name of the configuration below an address that is not that of a JSON file.
const CONFIG: &str = "site-config.json";
/// How many redirects are followed.
const MAX_REDIRECTS: usize = 5;
/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(5);
/// How long nothing is said.
const PATIENCE: Duration = Duration::from_secs(1);

/// The address that SITE is, unless it is a path; or what is wrong with it.
pub(super) fn address(site: &OsStr) -> Option<Result<Url, Problem>> {
    let text = site.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return None;
    }
    Some(match Url::parse(text) {
        Ok(url) => Ok(url),
        Err(_) => Err(Problem::new("SITE", Cause::Address)),
    })
}

pub(super) struct Web {
    config: Url,
    timeout: Duration,
    deadline: Instant,
    runtime: Option<Runtime>,
}

impl Web {
    /// The site at an address; all that is read of it has to be there within `timeout` from now.
    pub(super) fn new(mut config: Url, timeout: Duration) -> Result<Self, Problem> {
        if !config.path().ends_with(".json") {
            let folder = config.path().trim_end_matches('/').to_owned();
            config.set_path(&format!("{folder}/{CONFIG}"));
        }
        config.set_fragment(None);
        let unreachable =
            |error: io::Error| Problem::new(shown(&config), Cause::Unreachable(error.to_string()));
        let runtime = Builder::new_current_thread().enable_all().build().map_err(unreachable)?;
        Ok(Self { config, timeout, deadline: Instant::now() + timeout, runtime: Some(runtime) })
    }

    fn read(&self, address: &Url, document: Document) -> Result<Found, Problem> {
        let place = shown(address);
        let deadline = tokio::time::Instant::from_std(self.deadline);
        let bytes = self.runtime.as_ref().map_or(Err(Cause::Timeout(self.timeout)), |runtime| {
            runtime.block_on(async {
                let body = with_patience(&place, get(address.clone(), limit(document)));
                tokio::time::timeout_at(deadline, body).await.unwrap_or(Err(Cause::Timeout(self.timeout)))
            })
        });
        match bytes {
            Ok(bytes) => Ok(Found { place, bytes }),
            Err(cause) => Err(Problem::new(place, cause)),
        }
    }
}

impl Source for Web {
    fn config(&self) -> Result<Found, Problem> {
        self.read(&self.config, Document::Site)
    }

    fn further_config(&self, number: usize) -> Result<Option<Found>, Problem> {
        let mut address = self.config.clone();
        // The path of the first ends in `.json`, by `new`.
        let path = self.config.path();
        let stem = path.strip_suffix(".json").unwrap_or(path);
        address.set_path(&format!("{stem}.{number}.json"));
        match self.read(&address, Document::Site) {
            Err(problem) if problem.is_missing() => Ok(None),
            Ok(found) if is_page(&found.bytes) => Ok(None),
            read => read.map(Some),
        }
    }

    fn artifact(&self, _: usize, link: &SafeLink) -> Result<Found, Problem> {
        match self.config.join(link.as_str()) {
            Ok(address) => self.read(&address, Document::Artifact),
            Err(_) => Err(Problem::new(shown(&self.config), Cause::Address)),
        }
    }
}

/// Whether something that a server sends is no object at all, not even a broken one: hosts of single-page applications
/// send their page where nothing is. What is empty may be a shard that was not completely published.
fn is_page(body: &[u8]) -> bool {
    let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
    body.trim_ascii_start().first().is_some_and(|first| *first != b'{')
}

impl Drop for Web {
    fn drop(&mut self) {
        // A name that is still being looked up is not waited for.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Whatever comes of this; a person who waits for long is told what for.
async fn with_patience<T>(place: &str, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    match tokio::time::timeout(PATIENCE, &mut work).await {
        Ok(done) => done,
        Err(_) => {
            if io::stderr().is_terminal() {
                output::complain(&format!("waiting for {place}"));
            }
            work.await
        }
    }
}

/// The body at an address: at most `limit` bytes and one more.
async fn get(mut address: Url, limit: usize) -> Result<Vec<u8>, Cause> {
    let client = client(&address)?;
    for _ in 0..=MAX_REDIRECTS {
        let request = client.get(address.clone()).header(ACCEPT, "application/json");
        let response = request.send().await.map_err(unreachable)?;
        if response.status().is_redirection() && response.headers().contains_key(LOCATION) {
            address = redirected(&address, &response).ok_or(Cause::RedirectElsewhere)?;
        } else if response.status().is_success() {
            return body(response, limit).await;
        } else {
            return Err(Cause::HttpStatus(response.status().as_u16()));
        }
    }
    Err(Cause::TooManyRedirects(MAX_REDIRECTS))
}

async fn body(mut response: Response, limit: usize) -> Result<Vec<u8>, Cause> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > limit {
            bytes.truncate(limit + 1);
            break;
        }
    }
    Ok(bytes)
}

/// Where a redirect leads, if that is on the same server.
fn redirected(from: &Url, response: &Response) -> Option<Url> {
    let to = from.join(response.headers().get(LOCATION)?.to_str().ok()?).ok()?;
    (to.origin() == from.origin()).then_some(to)
}

fn client(address: &Url) -> Result<Client, Cause> {
    // Installed once; a second time changes nothing.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .user_agent(concat!("answerplane/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        .redirect(Policy::none());
    let builder = if address.scheme() == "https" {
        builder
    } else {
        // No certificate is looked at, so a system without any is no obstacle.
        let nothing_trusted =
            ClientConfig::builder().with_root_certificates(RootCertStore::empty()).with_no_client_auth();
        builder.tls_backend_preconfigured(nothing_trusted)
    };
    builder.build().map_err(|_| {
        Cause::Unreachable(
            "this system has no trusted certificates (SSL_CERT_FILE can name a file of them)".into(),
        )
    })
}

/// An address without what may be secret in it.
fn shown(address: &Url) -> String {
    let mut shown = address.clone();
    // Only addresses without a host refuse this, and they have nothing to hide.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    shown.set_query(None);
    shown.set_fragment(None);
    shown.into()
}

/// Why there was no answer, in words of our own: what a server sends is never repeated.
fn unreachable(error: reqwest::Error) -> Cause {
    let mut next: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(cause) = next {
        if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
            return Cause::Unreachable(why_not_trusted(tls).into());
        }
        next = match cause.downcast_ref::<io::Error>() {
            Some(io) if io.raw_os_error().is_some() => return Cause::Unreachable(io.to_string()),
            // What an error of this type wraps is not its source but the error itself.
            Some(io) => io.get_ref().map(|inner| inner as &(dyn Error + 'static)),
            None => cause.source(),
        };
    }
    Cause::Unreachable(
        if error.is_timeout() {
            "no connection was made in time"
        } else if error.is_connect() {
            "no connection could be made"
        } else if error.is_body() || error.is_decode() {
            "the connection broke off"
        } else {
            "it does not speak HTTP"
        }
        .into(),
    )
}

fn why_not_trusted(error: &rustls::Error) -> &'static str {
    use CertificateError as C;
    match error {
        rustls::Error::InvalidCertificate(C::Expired | C::ExpiredContext { .. }) => {
            "its certificate has expired"
        }
        rustls::Error::InvalidCertificate(C::NotValidForName | C::NotValidForNameContext { .. }) => {
            "its certificate is for another name"
        }
        rustls::Error::InvalidCertificate(C::Revoked) => "its certificate has been revoked",
        rustls::Error::InvalidCertificate(_) => "its certificate is not trusted on this system",
        _ => "no secure connection could be made",
    }
}
