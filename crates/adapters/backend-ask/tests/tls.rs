//! Secure connections: certificates are judged as the system judges them.
#![allow(clippy::unwrap_used, clippy::panic)]

mod server;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::Arc;
use std::thread;

use answerplane_backend_ask::AskBackend;
use answerplane_session::{Backend, TurnRequest};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

const ANSWER: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n\
    {\"type\":\"text\",\"delta\":\"secure\"}\n{\"type\":\"done\"}\n";

/// Names the address that a run of this program within a run of it asks.
const ASKED: &str = "ANSWERPLANE_TLS_ADDRESS";

/// A server with this certificate; gives its port.
fn serve(config: Arc<ServerConfig>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = StreamOwned::new(ServerConnection::new(config.clone()).unwrap(), stream);
            // Who does not trust it goes away.
            if stream.read(&mut [0; 8_192]).is_ok_and(|read| read > 0) {
                let _ = stream.write_all(ANSWER.as_bytes());
                stream.conn.send_close_notify();
                let _ = stream.flush();
            }
        }
    });
    port
}

#[test]
fn a_server_is_asked_where_the_system_trusts_its_certificate() {
    if let Ok(address) = std::env::var(ASKED) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let backend = AskBackend::new(&address).unwrap();
        let (chunks, failure) =
            runtime.block_on(server::whole(backend.answer(TurnRequest::of_query("How many beds?"))));
        println!("said: {:?}", (server::said(&chunks), failure.map(|it| format!("{it:?}"))));
        return;
    }
    let certified = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(certified.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config =
        config.with_no_client_auth().with_single_cert(vec![certified.cert.der().clone()], key).unwrap();
    let port = serve(Arc::new(config));

    let folder = tempfile::tempdir().unwrap();
    let [trusted, other] = ["trusted.pem", "other.pem"].map(|name| folder.path().join(name));
    std::fs::write(&trusted, certified.cert.pem()).unwrap();
    let stranger = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(&other, stranger.cert.pem()).unwrap();
    let empty = tempfile::tempdir().unwrap();
    for (host, certificates, said) in [
        ("localhost", &trusted, "secure"),
        ("127.0.0.1", &trusted, "Unreachable"),
        ("localhost", &other, "Unreachable"),
    ] {
        let mut again = Command::new(std::env::current_exe().unwrap());
        let name = "a_server_is_asked_where_the_system_trusts_its_certificate";
        again.args(["--exact", name, "--nocapture"]).env(ASKED, format!("https://{host}:{port}"));
        let output =
            again.env("SSL_CERT_FILE", certificates).env("SSL_CERT_DIR", empty.path()).output().unwrap();
        let output = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = output.lines().find(|line| line.contains("said: ")).unwrap_or(&output);
        assert!(line.contains(said), "{host}: {line}");
    }
}
