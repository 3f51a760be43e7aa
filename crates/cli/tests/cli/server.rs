//! Web servers on the loopback, good and hostile.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// A server that lives as long as the test.
pub(crate) struct Server {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
}

impl Server {
    /// A server that answers each connection, given the path that was asked for.
    pub(crate) fn start(answer: impl Fn(&str, &mut dyn Connection) + Send + Sync + 'static) -> Self {
        Self::over(Ok, answer)
    }

    /// The same, over connections that are made into something else first.
    pub(crate) fn over<C: Connection>(
        open: impl Fn(TcpStream) -> std::io::Result<C> + Send + Sync + 'static,
        answer: impl Fn(&str, &mut dyn Connection) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server =
            Self { address: listener.local_addr().unwrap(), requests: Arc::new(AtomicUsize::new(0)) };
        let requests = server.requests.clone();
        let work = Arc::new((open, answer));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (work, requests) = (work.clone(), requests.clone());
                thread::spawn(move || {
                    if let Ok(mut connection) = work.0(stream)
                        && let Some(path) = asked_for(&mut connection)
                    {
                        requests.fetch_add(1, Ordering::SeqCst);
                        work.1(&path, &mut connection);
                    }
                });
            }
        });
        server
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address of a path.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// How many requests there have been.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

/// Something to read a request from and to write an answer to.
pub(crate) trait Connection: Read + Write {}

impl<C: Read + Write> Connection for C {}

/// The path of a request, after all of it has been read.
fn asked_for(connection: &mut impl Read) -> Option<String> {
    let mut lines = BufReader::new(connection).lines();
    let first = lines.next()?.ok()?;
    while !lines.next()?.ok()?.is_empty() {}
    first.split(' ').nth(1).map(str::to_owned)
}

/// Answers with a status, header lines and a body.
pub(crate) fn respond(connection: &mut dyn Connection, status: &str, headers: &str, body: &[u8]) {
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n", body.len());
    // A client that has gone away wants no more.
    let _ = connection.write_all(head.as_bytes()).and_then(|()| connection.write_all(body));
    let _ = connection.flush();
}

/// Writes the same bytes until the client goes away.
pub(crate) fn drip(connection: &mut dyn Connection, bytes: &[u8], pause: Duration) {
    while connection.write_all(bytes).and_then(|()| connection.flush()).is_ok() {
        thread::sleep(pause);
    }
}
