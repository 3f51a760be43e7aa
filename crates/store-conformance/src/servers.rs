//! Servers for tests: those that the environment names, and ones of a test's own that it may kill.
//!
//! `ANSWERPLANE_POSTGRES_URL` and `ANSWERPLANE_REDIS_URL` name servers that run, `ANSWERPLANE_POSTGRES_BIN` the folder
//! with `initdb` and `postgres`, `ANSWERPLANE_REDIS_BIN` the program `redis-server`. `cargo xtask test --all` sets
//! them. A test whose variable is not set passes after it has noted that it was skipped.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// What a server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A PostgreSQL server. Its program is a folder with `initdb` and `postgres`.
    Postgres,
    /// A Redis server. Its program is `redis-server`.
    Redis,
}

impl Kind {
    /// The variable that names a server that runs.
    #[must_use]
    pub const fn url_variable(self) -> &'static str {
        match self {
            Self::Postgres => "ANSWERPLANE_POSTGRES_URL",
            Self::Redis => "ANSWERPLANE_REDIS_URL",
        }
    }

    /// The variable that names its program.
    #[must_use]
    pub const fn program_variable(self) -> &'static str {
        match self {
            Self::Postgres => "ANSWERPLANE_POSTGRES_BIN",
            Self::Redis => "ANSWERPLANE_REDIS_BIN",
        }
    }

    /// The server that the environment names. Nothing, after a skip has been noted, where it names none.
    #[must_use]
    pub fn url(self) -> Option<String> {
        let url = std::env::var(self.url_variable()).ok();
        if url.is_none() {
            skip(self.url_variable());
        }
        url
    }

    /// A server of the test's own, not started yet. Nothing, after a skip has been noted, where the environment names no
    /// program.
    ///
    /// # Panics
    /// Where its files cannot be made.
    #[must_use]
    pub fn server(self) -> Option<Server> {
        let Some(program) = std::env::var_os(self.program_variable()) else {
            skip(self.program_variable());
            return None;
        };
        Some(Server::new(self, Path::new(&program)).unwrap())
    }
}

/// Notes, once in a process, that tests were skipped since something is missing: a variable that is not set, say.
fn skip(missing: &'static str) {
    static NOTED: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    if noted.contains(&missing) {
        return;
    }
    noted.push(missing);
    let tests = std::env::current_exe().unwrap_or_default();
    let tests = tests.file_stem().unwrap_or_default().to_string_lossy();
    let tests = tests.rsplit_once('-').map_or(&*tests, |(name, _)| name);
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    if let Some(list) = std::env::var_os("ANSWERPLANE_SKIPS") {
        let mut list = OpenOptions::new().append(true).create(true).open(list).unwrap();
        writeln!(list, "{package}, {tests}: {missing} is missing").unwrap();
    }
}

/// A server with files of its own, on a port of its own. It ends with this value, and so do its files.
#[derive(Debug)]
pub struct Server {
    kind: Kind,
    program: PathBuf,
    folder: TempDir,
    port: u16,
    settings: Vec<(String, String)>,
    /// The user and group that it runs as, where that is not ours.
    user: Option<(u32, u32)>,
    running: Option<Child>,
}

impl Server {
    /// A server that is not started yet, with durable writes.
    ///
    /// # Errors
    /// Where its files cannot be made.
    pub fn new(kind: Kind, program: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("answerplane-server-").tempdir()?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let mut server = Self {
            kind,
            program: program.into(),
            folder,
            port,
            settings: Vec::new(),
            user: None,
            running: None,
        };
        match kind {
            Kind::Postgres => {
                server.user = unprivileged(server.folder())?;
                server.init()?;
            }
            Kind::Redis => server.settings = durable_redis(),
        }
        Ok(server)
    }

    /// Changes a setting, from the next start on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.settings.push((name.to_owned(), value.to_owned()));
    }

    /// The folder of its files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where it listens: host and port.
    #[must_use]
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Its address, as a store takes it.
    #[must_use]
    pub fn url(&self) -> String {
        self.url_at(&self.address())
    }

    /// The same at another address, as of a proxy.
    #[must_use]
    pub fn url_at(&self, address: &str) -> String {
        match self.kind {
            Kind::Postgres => format!("postgres://postgres@{address}/postgres"),
            Kind::Redis => format!("redis://{address}/"),
        }
    }

    /// Starts it, and waits until it answers.
    ///
    /// # Errors
    /// Where it does not within a minute; its log is part of the error.
    pub fn start(&mut self) -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(60) {
            if self.running.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None))) {
                // What is left of a killed server can stand in the way for a moment.
                self.running = Some(self.spawn()?);
            }
            if self.answers() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let log = std::fs::read_to_string(self.folder().join("log")).unwrap_or_default();
        Err(Error::new(ErrorKind::TimedOut, format!("{} does not start: {log}", self.program.display())))
    }

    /// Ends it by force, as `kill -9` does.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.running.take() {
            let _ = (child.kill(), child.wait());
        }
    }

    /// Whether it runs.
    pub fn is_running(&mut self) -> bool {
        self.running.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    fn init(&self) -> Result<()> {
        let mut init = Command::new(self.program.join("initdb"));
        init.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]);
        init.arg("--pgdata").arg(self.folder().join("data")).current_dir(self.folder());
        self.lower(&mut init);
        let output = init.stdin(Stdio::null()).output()?;
        if output.status.success() {
            return Ok(());
        }
        Err(Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
    }

    fn spawn(&self) -> Result<Child> {
        let mut command = match self.kind {
            Kind::Postgres => {
                let mut command = Command::new(self.program.join("postgres"));
                command.arg("-D").arg(self.folder().join("data")).arg("-k").arg(self.folder());
                command.args(["-h", "127.0.0.1", "-p", &self.port.to_string()]);
                for (name, value) in &self.settings {
                    command.arg("-c").arg(format!("{name}={value}"));
                }
                self.lower(&mut command);
                command
            }
            Kind::Redis => {
                let mut command = Command::new(&self.program);
                command.args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--dir"]);
                command.arg(self.folder());
                for (name, value) in &self.settings {
                    command.arg(format!("--{name}")).arg(value);
                }
                command
            }
        };
        let log = File::options().append(true).create(true).open(self.folder().join("log"))?;
        command.current_dir(self.folder()).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()
    }

    #[cfg(unix)]
    fn lower(&self, command: &mut Command) {
        use std::os::unix::process::CommandExt;
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
    }

    #[cfg(not(unix))]
    fn lower(&self, _: &mut Command) {}

    fn answers(&self) -> bool {
        let ask = || -> Result<bool> {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
            let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
            stream.set_read_timeout(Some(Duration::from_secs(1)))?;
            let (question, answer) = match self.kind {
                Kind::Postgres => (startup_message(), b'R'),
                Kind::Redis => (b"EXISTS x\r\n".to_vec(), b':'),
            };
            stream.write_all(&question)?;
            let mut byte = [0];
            stream.read_exact(&mut byte)?;
            Ok(byte == [answer])
        };
        ask().unwrap_or(false)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn durable_redis() -> Vec<(String, String)> {
    [("appendonly", "yes"), ("appendfsync", "always"), ("save", "")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}

/// What a client of PostgreSQL says first.
fn startup_message() -> Vec<u8> {
    let mut message = 196_608_u32.to_be_bytes().to_vec();
    message.extend(b"user\0postgres\0database\0postgres\0\0");
    let length = u32::try_from(message.len() + 4).unwrap_or_default();
    [&length.to_be_bytes()[..], &message].concat()
}

/// PostgreSQL refuses to run as root: then it runs as the user `postgres`, or as `nobody`, who gets the folder.
#[cfg(unix)]
fn unprivileged(folder: &Path) -> Result<Option<(u32, u32)>> {
    use std::os::unix::fs::{MetadataExt, chown};
    if folder.metadata()?.uid() != 0 {
        return Ok(None);
    }
    let users = std::fs::read_to_string("/etc/passwd")?;
    let named = |name: &str| {
        let fields = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
        let fields = fields.into_iter().find(|fields| fields.first() == Some(&name))?;
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    };
    let user = named("postgres").or_else(|| named("nobody"));
    let (user, group) = user.ok_or_else(|| Error::other("there is no user to run PostgreSQL as"))?;
    chown(folder, Some(user), Some(group))?;
    Ok(Some((user, group)))
}

#[cfg(not(unix))]
fn unprivileged(_: &Path) -> Result<Option<(u32, u32)>> {
    Ok(None)
}

/// A small disk of its own, which ends with this value. Nothing, after a skip has been noted, where this user may mount
/// none.
#[derive(Debug)]
pub struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    /// A disk of so many bytes.
    ///
    /// # Panics
    /// Where there is no place for it.
    #[must_use]
    pub fn new(bytes: usize) -> Option<Self> {
        let folder = tempfile::Builder::new().prefix("answerplane-disk-").tempdir().unwrap();
        let size = format!("size={bytes},mode=777");
        if mount(&["-t", "tmpfs", "-o", &size, "tmpfs"], folder.path()) {
            return Some(Self { folder });
        }
        skip("a small disk: the right to mount one");
        None
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Lets it only be read from here on, as soon as nobody has anything on it open for writing.
    ///
    /// # Panics
    /// Where that takes longer than ten seconds.
    pub fn set_read_only(&self) {
        let start = Instant::now();
        while !mount(&["-o", "remount,ro"], self.path()) {
            assert!(start.elapsed() < Duration::from_secs(10), "something on the disk is still open");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

fn mount(arguments: &[&str], folder: &Path) -> bool {
    let mut mount = Command::new("mount");
    mount.args(arguments).arg(folder).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
