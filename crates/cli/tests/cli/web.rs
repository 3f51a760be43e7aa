//! Sites at an address.

use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;

use crate::run::{CANARY, Run, Scene, answerplane, program, site};
use crate::server::{Connection, Server, drip, respond};

fn verify(address: &str) -> Run {
    answerplane(["verify", address, "--timeout", "2"])
}

fn garden(path: &str, connection: &mut dyn Connection) {
    let file = match path {
        "/site-config.json" | "/docs/site-config.json" | "/docs/other.json?v=1" => "site-config.json",
        "/knowledge.json" => "knowledge.json",
        _ => return respond(connection, "404 Not Found", "", CANARY.as_bytes()),
    };
    let body = std::fs::read(site("garden").join(file)).unwrap();
    respond(connection, "200 OK", "Content-Type: text/plain\r\n", &body);
}

/// A server of the garden's configuration, and of something else in the place of its artifact.
fn with_artifact(answer: impl Fn(&mut dyn Connection) + Send + Sync + 'static) -> Server {
    Server::start(move |path, connection| match path {
        "/knowledge.json" => answer(connection),
        _ => garden(path, connection),
    })
}

#[test]
fn an_address_is_a_site() {
    let server = Server::start(garden);
    for path in ["", "/", "/docs", "/docs/", "/docs/other.json?v=1", "/site-config.json#top"] {
        let run = answerplane(["ask", &server.at(path), "Waiting list", "--json"]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{path}");
        assert_eq!(run.json()[0]["outcome"], "answer");
    }
    let run = answerplane(["verify", &server.at("/docs"), "--json"]);
    assert_eq!(run.json()[0]["config"], json!(server.at("/docs/site-config.json")));
    assert_eq!(run.json()[0]["artifact"], json!(server.at("/knowledge.json")));
    assert_eq!(answerplane(["inspect", &server.at("/").replace("http", "HTTP")]).status, 0);
}

#[test]
fn an_artifact_may_lie_on_another_server() {
    let artifact = Server::start(garden);
    let link = artifact.at("/knowledge.json");
    let server = Server::start(move |path, connection| {
        if path != "/site-config.json" {
            return respond(connection, "404 Not Found", "", b"");
        }
        let config = std::fs::read_to_string(site("garden").join("site-config.json")).unwrap();
        respond(connection, "200 OK", "", config.replace("/knowledge.json", &link).as_bytes());
    });
    assert_eq!(verify(&server.at("/")).status, 0);
}

#[test]
fn a_status_that_is_not_success() {
    let server = Server::start(garden);
    verify(&server.at("/none")).complained(
        2,
        &["/none/site-config.json: CLI_HTTP_STATUS: the server answered with HTTP status 404"],
    );
    let server = with_artifact(|connection| respond(connection, "503 CANARY-7f3a", "", CANARY.as_bytes()));
    verify(&server.at("/"))
        .complained(1, &["/knowledge.json: CLI_HTTP_STATUS: the server answered with HTTP status 503"]);
    let ask = answerplane(["ask", &server.at("/"), "Waiting list", "--json"]);
    ask.complained(1, &["HTTP status 503", "(corrupt)"]);
    assert_eq!(ask.json()[0]["reason"], "corrupt");
}

#[test]
fn content_that_is_something_else() {
    let page = format!("<!doctype html><title>{CANARY}</title>");
    let server = Server::start(move |_, connection| respond(connection, "200 OK", "", page.as_bytes()));
    verify(&server.at("/"))
        .complained(2, &["site-config.json: DETERMINISTIC_INVALID_PAYLOAD", "not valid JSON"]);
    let server =
        with_artifact(|connection| respond(connection, "200 OK", "", format!("[\"{CANARY}\"]").as_bytes()));
    verify(&server.at("/")).complained(1, &["/knowledge.json: DETERMINISTIC_INVALID_PAYLOAD"]);
    let server = with_artifact(|connection| respond(connection, "304 Not Modified", "", b""));
    verify(&server.at("/")).complained(1, &["HTTP status 304"]);
}

#[test]
fn a_body_that_is_too_large_is_not_read_to_its_end() {
    let declared =
        with_artifact(|connection| respond(connection, "200 OK", "", CANARY.repeat(60_000).as_bytes()));
    verify(&declared.at("/")).complained(1, &["/knowledge.json: DETERMINISTIC_LIMIT_EXCEEDED"]);
    let endless = Server::start(|_, connection| {
        let _ = connection.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        drip(connection, CANARY.repeat(1_000).as_bytes(), Duration::ZERO);
    });
    verify(&endless.at("/")).complained(2, &["site-config.json: DETERMINISTIC_LIMIT_EXCEEDED", "16,384"]);
}

#[test]
fn a_server_that_takes_its_time_meets_the_deadline() {
    let pause = Duration::from_millis(50);
    let body = with_artifact(move |connection| {
        let _ = connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n");
        drip(connection, b" ", pause);
    });
    let head = Server::start(move |_, connection| {
        let _ = connection.write_all(b"HTTP/1.1 200 OK\r\nX: ");
        drip(connection, b"CANARY-7f3a", pause);
    });
    let silent = Server::start(|_, connection| drip(connection, b"", Duration::from_secs(1)));
    // Both documents together have one deadline.
    let halves = Server::start(|path, connection| {
        std::thread::sleep(Duration::from_millis(700));
        garden(path, connection);
    });
    for (server, status) in [(body, 1), (head, 2), (silent, 2), (halves, 1)] {
        let began = Instant::now();
        let run = answerplane(["verify", &server.at("/"), "--timeout", "1"]);
        run.complained(status, &["it did not answer completely within 1 s", "--timeout"]);
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }
}

#[test]
fn redirects_stay_on_the_server() {
    let followed = Server::start(|path, connection| match path {
        "/site-config.json" => respond(connection, "302 Found", "Location: /docs/site-config.json\r\n", b""),
        "/knowledge.json" => respond(connection, "307 Temporary Redirect", "Location: deep/../kb\r\n", b""),
        "/kb" => garden("/knowledge.json", connection),
        _ => garden(path, connection),
    });
    assert_eq!(verify(&followed.at("/")).status, 0);

    let other = Server::start(garden);
    let port = other.port();
    for location in [
        other.at("/CANARY-7f3a"),
        format!("http://localhost:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        "file:///etc/passwd".to_owned(),
        "//elsewhere.example/".to_owned(),
        "http://[CANARY-7f3a".to_owned(),
    ] {
        let server = with_artifact(move |connection| {
            respond(connection, "301 Moved Permanently", &format!("Location: {location}\r\n"), b"");
        });
        verify(&server.at("/"))
            .complained(1, &["/knowledge.json: CLI_REDIRECT: it redirects to another scheme, host or port"]);
    }
    assert_eq!(other.requests(), 0);
}

#[test]
fn redirects_end_after_five() {
    let server = Server::start(|_, connection| respond(connection, "302 Found", "Location: /again\r\n", b""));
    verify(&server.at("/")).complained(2, &["it redirects more than 5 times"]);
    assert_eq!(server.requests(), 6);
}

#[test]
fn a_connection_that_breaks() {
    let reset = Server::over(
        |stream| {
            // Closing with unread input resets the connection.
            drop(stream);
            Err::<TcpStream, _>(std::io::ErrorKind::Other.into())
        },
        |_, _| {},
    );
    verify(&reset.at("/")).complained(2, &["site-config.json: CLI_UNREACHABLE: it cannot be reached: "]);
    let cut = with_artifact(|connection| {
        let _ = connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4454\r\n\r\n{\"CANARY-7f3a\"");
    });
    verify(&cut.at("/"))
        .complained(1, &["/knowledge.json: CLI_UNREACHABLE: it cannot be reached: the connection broke off"]);
    let no_http = Server::start(|_, connection| {
        let _ = connection.write_all(b"CANARY-7f3a\r\n\r\n");
    });
    verify(&no_http.at("/")).complained(2, &["it does not speak HTTP"]);
}

#[test]
fn a_server_that_is_not_there() {
    let port = Server::start(garden).port();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_ne!(port, closed.port());
    verify(&format!("http://{closed}"))
        .complained(2, &["it cannot be reached: Connection refused", "Check address"]);
    verify("http://no-such-host.invalid/a.json")
        .complained(2, &["http://no-such-host.invalid/a.json: CLI_UNREACHABLE: it "]);
    for address in ["http://", "https://[", "http://a b/"] {
        verify(address).complained(2, &["not an http or https address"]);
    }
    verify("ftp://docs.example/site-config.json").complained(2, &["ftp://docs.example", "no such file"]);
}

#[test]
fn secrets_of_an_address_are_not_repeated() {
    let server = Server::start(garden);
    let address = server.at("/none.json?token=CANARY-7f3a").replace("http://", "http://user:CANARY-7f3a@");
    let run = verify(&address);
    run.complained(2, &[&format!("{}: CLI_HTTP_STATUS: the server answered", server.at("/none.json"))]);
}

#[test]
fn secure_addresses_are_trusted_as_the_system_says() {
    let certified = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let scene = Scene::empty();
    let trusted = scene.write("trusted.pem", certified.cert.pem());
    let key = PrivateKeyDer::Pkcs8(certified.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certified.cert.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let server = Server::over(
        move |stream| {
            let session = ServerConnection::new(config.clone()).map_err(std::io::Error::other)?;
            Ok(StreamOwned::new(session, stream))
        },
        garden,
    );
    let on = |host: &str, certificates: &std::path::Path| {
        let address = format!("https://{host}:{}", server.port());
        let mut command = program();
        command.env("SSL_CERT_FILE", certificates).env("SSL_CERT_DIR", scene.folder());
        Run::of(command.args(["verify", &address, "--timeout", "5"]).output().unwrap())
    };
    let run = on("localhost", &trusted);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    on("127.0.0.1", &trusted).complained(2, &["its certificate is for another name"]);

    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::remove_file(&trusted).unwrap();
    let other = scene.write("other.pem", other.cert.pem());
    on("localhost", &other).complained(2, &["its certificate is not trusted on this system"]);

    std::fs::remove_file(&other).unwrap();
    let nothing = Scene::empty();
    let none = nothing.write("none.pem", "");
    on("localhost", &none).complained(2, &["no trusted certificates", "SSL_CERT_FILE"]);
    // Nothing of that matters without a certificate to look at.
    let plain = Server::start(garden);
    let mut command = program();
    command.env("SSL_CERT_FILE", &none).env("SSL_CERT_DIR", nothing.folder());
    assert_eq!(command.args(["verify", &plain.at("/")]).output().unwrap().status.code(), Some(0));
}
