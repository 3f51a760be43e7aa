//! A connection between a store and its server that goes wrong on demand.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

/// What happens to the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The connection ends, and the server never hears of it.
    Before,
    /// The server answers, the connection ends, and nobody hears the answer.
    After,
    /// The connection ends, and the server hears of it when [`Proxy::land`] is called.
    Late,
    /// The server answers, and the answer never arrives; the connection stays.
    Silence,
}

/// A proxy on a port of this machine. It knows no protocol: a request is whatever a client sends at once.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    server: Mutex<String>,
    next: Mutex<Option<Cut>>,
    landing: watch::Sender<bool>,
    landed: Notify,
    down: watch::Sender<bool>,
}

impl Proxy {
    /// A proxy in front of a server, which is given as host and port.
    ///
    /// # Panics
    /// Where this machine has no port.
    pub async fn new(server: impl Into<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            server: Mutex::new(server.into()),
            next: Mutex::new(None),
            landing: watch::Sender::new(false),
            landed: Notify::new(),
            down: watch::Sender::new(false),
        });
        let accepting = state.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(connect(client, accepting.clone()));
            }
        });
        Self { address, state }
    }

    /// Where the proxy listens: host and port.
    #[must_use]
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// Lets the next request go wrong, on whatever connection it comes.
    pub fn cut(&self, cut: Cut) {
        *locked(&self.state.next) = Some(cut);
        self.state.landing.send_replace(false);
    }

    /// Lets a request that is [late](Cut::Late) reach the server, and waits for its answer.
    pub async fn land(&self) {
        self.state.landing.send_replace(true);
        self.state.landed.notified().await;
    }

    /// Ends every connection and takes no other, or takes them again.
    pub fn set_down(&self, down: bool) {
        self.state.down.send_replace(down);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn connect(client: TcpStream, state: Arc<State>) {
    let mut down = state.down.subscribe();
    if *down.borrow_and_update() {
        return;
    }
    let address = locked(&state.server).clone();
    let Ok(server) = TcpStream::connect(address).await else { return };
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let silent = watch::Sender::new(false);
    let answers = tokio::spawn(answer(from_server, to_client, silent.subscribe()));
    tokio::select! {
        () = ask(from_client, to_server, &state, &silent, answers) => {}
        _ = down.wait_for(|down| *down) => {}
    }
}

/// Carries what the server says, and gives both ends back when nobody is to hear more of it.
async fn answer(
    mut server: OwnedReadHalf,
    mut client: OwnedWriteHalf,
    mut silent: watch::Receiver<bool>,
) -> (OwnedReadHalf, OwnedWriteHalf) {
    let mut bytes = vec![0; 1 << 16];
    loop {
        let read = tokio::select! {
            biased;
            _ = silent.wait_for(|silent| *silent) => return (server, client),
            read = server.read(&mut bytes) => read,
        };
        match read {
            Ok(length @ 1..) if client.write_all(&bytes[..length]).await.is_ok() => {}
            _ => return (server, client),
        }
    }
}

/// Carries what the client says, until it ends or is to be cut. The connection ends with this function.
async fn ask(
    mut client: OwnedReadHalf,
    mut server: OwnedWriteHalf,
    state: &State,
    silent: &watch::Sender<bool>,
    answers: tokio::task::JoinHandle<(OwnedReadHalf, OwnedWriteHalf)>,
) {
    let mut bytes = vec![0; 1 << 16];
    let mut answers = Some(answers);
    while let Ok(length @ 1..) = client.read(&mut bytes).await {
        let cut = locked(&state.next).take();
        let Some(cut) = cut else {
            if server.write_all(&bytes[..length]).await.is_err() {
                break;
            }
            continue;
        };
        // From here on nobody hears the server.
        silent.send_replace(true);
        let Some((mut from_server, to_client)) = (match answers.take() {
            Some(answers) => answers.await.ok(),
            None => None,
        }) else {
            return;
        };
        match cut {
            Cut::Before => {}
            Cut::After => {
                let _ = server.write_all(&bytes[..length]).await;
                let _ = from_server.read(&mut bytes).await;
            }
            Cut::Late => {
                let request = bytes[..length].to_vec();
                drop((client, to_client));
                let _ = state.landing.subscribe().wait_for(|landing| *landing).await;
                let _ = server.write_all(&request).await;
                let _ = from_server.read(&mut bytes).await;
                state.landed.notify_one();
                return;
            }
            Cut::Silence => {
                let _ = server.write_all(&bytes[..length]).await;
                let mut rest = Vec::new();
                let _ = client.read_to_end(&mut rest).await;
                drop(to_client);
            }
        }
        return;
    }
    if let Some(answers) = answers {
        answers.abort();
    }
}
