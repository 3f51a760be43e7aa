//! Running the program and looking at what it says.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A text that stands in every bad input and must never be repeated.
pub(crate) const CANARY: &str = "CANARY-7f3a";

/// What a run came to.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The program, free of what the environment says about colours and proxies.
pub(crate) fn program() -> Command {
    clean(Command::new(env!("CARGO_BIN_EXE_answerplane")))
}

pub(crate) fn clean(mut command: Command) -> Command {
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "SSL_CERT_FILE", "SSL_CERT_DIR"] {
        command.env_remove(name);
    }
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        command.env_remove(name);
    }
    command
}

/// Runs the program without input.
pub(crate) fn answerplane<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    Run::of(program().args(arguments).stdin(Stdio::null()).output().unwrap())
}

/// Runs the program with an input.
pub(crate) fn answerplane_with<A: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = A>,
    input: impl AsRef<[u8]>,
) -> Run {
    let mut command = program();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let run = Run::of(child.wait_with_output().unwrap());
    let _ = writer.join().unwrap();
    run
}

impl Run {
    pub(crate) fn of(output: Output) -> Self {
        let run = Self {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        assert!(!run.stdout.contains(CANARY) && !run.stderr.contains(CANARY), "{}{}", run.stdout, run.stderr);
        run
    }

    /// The run had this status and printed this, and nothing on standard error.
    #[track_caller]
    pub(crate) fn printed(&self, status: i32, stdout: &str) {
        assert_eq!((self.stdout.as_str(), self.stderr.as_str(), self.status), (stdout, "", status));
    }

    /// The run had this status and said on standard error one line that holds these texts.
    #[track_caller]
    pub(crate) fn complained(&self, status: i32, parts: &[&str]) {
        let lines: Vec<&str> = self.stderr.lines().collect();
        let [line] = lines.as_slice() else { panic!("not one line: {:?}", self.stderr) };
        assert!(line.starts_with("answerplane: "), "{line}");
        for part in parts {
            assert!(line.contains(part), "{line:?} lacks {part:?}");
        }
        assert_eq!(self.status, status, "{line}");
    }

    /// The JSON of each line.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn site(name: &str) -> PathBuf {
    root().join("fixtures/sites").join(name)
}

pub(crate) const GARDEN_HASH: &str =
    "sha256:47b1ef9ed7a2b9a9c555dd47751532bd5471badca1b49da0db8d765556102511";
pub(crate) const ATLAS_HASH: &str = "sha256:d82b5c9f5e65d412b98284ad3215a5a556a55247c9ea2e68459066bb6c4d3de2";

/// A site in a folder of its own, made for one test.
pub(crate) struct Scene {
    folder: TempDir,
}

impl Scene {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A copy of the garden.
    pub(crate) fn garden() -> Self {
        let scene = Self::empty();
        for name in ["site-config.json", "knowledge.json"] {
            std::fs::copy(site("garden").join(name), scene.path(name)).unwrap();
        }
        scene
    }

    /// A site whose artifact expires, with its right hash.
    pub(crate) fn with_expiry(expires_at: &str) -> Self {
        let scene = Self::garden();
        scene.change(
            "knowledge.json",
            "\"generatedAt\"",
            &format!("\"expiresAt\": \"{expires_at}\", \"generatedAt\""),
        );
        scene.hash();
        scene
    }

    /// Writes the right hash into both files.
    pub(crate) fn hash(&self) {
        let run = answerplane([
            "hash".as_ref(),
            self.path("knowledge.json").as_os_str(),
            "--write".as_ref(),
            "--site-config".as_ref(),
            self.path("site-config.json").as_os_str(),
        ]);
        assert_eq!(run.status, 0, "{}", run.stderr);
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Replaces a text that stands in a file.
    #[track_caller]
    pub(crate) fn change(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} lacks {from:?}");
        self.write(name, text.replacen(from, to, 1));
    }

    /// The names of everything in the folder.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.folder())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// Runs the program as a user without privileges, whom permissions stop.
#[cfg(unix)]
pub(crate) fn unprivileged(scene: &Scene, arguments: &[&OsStr]) -> Run {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    const NOBODY: u32 = 65_534;
    let mut command = program();
    if std::fs::metadata(scene.folder()).unwrap().uid() == 0 {
        // The program may lie where nobody else may look.
        let copy = scene.path("answerplane");
        std::fs::copy(env!("CARGO_BIN_EXE_answerplane"), &copy).unwrap();
        std::fs::set_permissions(&copy, PermissionsExt::from_mode(0o755)).unwrap();
        command = clean(Command::new(copy));
        command.uid(NOBODY).gid(NOBODY);
    }
    command.args(arguments).stdin(Stdio::null());
    for _ in 0..50 {
        match command.output() {
            // Another thread started a program while the copy was still open for writing.
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            output => return Run::of(output.unwrap()),
        }
    }
    panic!("the copy of the program stays busy")
}
