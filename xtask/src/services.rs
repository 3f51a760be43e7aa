//! PostgreSQL and Redis for tests and benches: those that the environment names, or ones started for one command.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use answerplane_store_conformance::servers::{Kind, Server};

use crate::steps::succeed;
use crate::tools::debian_packages;

/// Servers that end with this value, and the variables by which tests find them.
pub(crate) struct Services {
    variables: Vec<(&'static str, OsString)>,
    _servers: Vec<Server>,
}

impl Services {
    /// Only what the environment names.
    pub(crate) fn named() -> Self {
        Self { variables: Vec::new(), _servers: Vec::new() }
    }

    /// Starts, on free ports and with files of their own, each server that the environment does not name, after
    /// installing what is missing.
    pub(crate) fn start() -> Result<Self, String> {
        let mut services = Self::named();
        for kind in [Kind::Postgres, Kind::Redis] {
            let program = match program(kind) {
                Some(program) => program,
                None => {
                    debian_packages(&[match kind {
                        Kind::Postgres => ("postgres", "postgresql"),
                        Kind::Redis => ("redis-server", "redis-server"),
                    }])?;
                    program(kind).ok_or_else(|| format!("{kind:?} is installed and cannot be found"))?
                }
            };
            if std::env::var_os(kind.url_variable()).is_none() {
                let server = Server::new(kind, &program).and_then(|mut server| {
                    server.start()?;
                    Ok(server)
                });
                let server = server.map_err(|error| format!("{}: {error}", program.display()))?;
                services.variables.push((kind.url_variable(), server.url().into()));
                services._servers.push(server);
            }
            services.variables.push((kind.program_variable(), program.into()));
        }
        Ok(services)
    }

    /// The addresses of the servers that there are.
    pub(crate) fn urls(&self) -> impl Iterator<Item = String> {
        [Kind::Postgres, Kind::Redis].into_iter().filter_map(|kind| {
            let name = kind.url_variable();
            let started = self.variables.iter().find(|(variable, _)| *variable == name);
            let url = started.map(|(_, url)| url.clone()).or_else(|| std::env::var_os(name))?;
            url.into_string().ok()
        })
    }

    /// Lets a command find them.
    pub(crate) fn name_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.envs(self.variables.iter().cloned())
    }
}

/// Runs a command with servers that are started for it.
pub(crate) fn run(command: &[&str]) -> Result<(), String> {
    let [program, arguments @ ..] = command else { return Err("no command".into()) };
    let services = Services::start()?;
    succeed(services.name_to(Command::new(program).args(arguments)))
}

/// Where a server's program is, if it is on this machine: for PostgreSQL the folder that also holds `initdb`, which
/// Debian keeps out of the path.
fn program(kind: Kind) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(kind.program_variable()) {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    match kind {
        Kind::Postgres => {
            let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
            let mut versions: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
            versions.sort();
            folders.extend(versions.into_iter().rev());
            let holds_both =
                |folder: &PathBuf| ["initdb", "postgres"].iter().all(|name| folder.join(name).exists());
            folders.into_iter().find(holds_both)
        }
        Kind::Redis => {
            folders.into_iter().map(|folder| folder.join("redis-server")).find(|path| path.exists())
        }
    }
}
