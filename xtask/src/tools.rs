//! Programs that are not part of a Rust toolchain: where they are, and how to get them.
//!
//! They are installed below `target/tools` by their ordinary package managers and nowhere else.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::succeed;
use crate::{renderers, root};

/// A program that is not ours and knows what is right, and the script that lets it judge.
pub(crate) struct Judge {
    pub(crate) name: &'static str,
    /// What it judges.
    pub(crate) judges: &'static str,
    program: &'static str,
    script: &'static str,
    /// A file that is there once everything has been installed.
    installed: &'static str,
    /// Programs that installing takes, with the Debian packages that hold them.
    needs: &'static [(&'static str, &'static str)],
    install: fn(&Path) -> Result<(), String>,
    /// Writes what it judges, where that is not kept.
    pub(crate) prepare: fn() -> Result<(), String>,
}

pub(crate) const JUDGES: [Judge; 4] = [
    Judge {
        name: "ajv",
        judges: "schemas",
        program: "node",
        script: "xtask/judges/ajv.mjs",
        installed: "node/node_modules/.installed",
        needs: &[("node", "nodejs"), ("npm", "npm")],
        install: |tools| npm(&tools.join("node"), &["ajv@8.17.1"]),
        prepare: || Ok(()),
    },
    Judge {
        name: "jsonschema",
        judges: "schemas",
        program: "python/bin/python",
        script: "xtask/judges/jsonschema_judge.py",
        installed: "python/.installed",
        needs: &[("python3", "python3"), ("ensurepip", "python3-venv")],
        install: |tools| {
            let folder = tools.join("python");
            succeed(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
            succeed(Command::new(folder.join("bin/python")).args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "jsonschema==4.25.1",
            ]))
        },
        prepare: || Ok(()),
    },
    // Mermaid reads within a document; happy-dom is one.
    Judge {
        name: "mermaid",
        judges: "diagrams",
        program: "node",
        script: "xtask/judges/mermaid.mjs",
        installed: "mermaid/node_modules/.installed",
        needs: &[("node", "nodejs"), ("npm", "npm")],
        install: |tools| npm(&tools.join("mermaid"), &["mermaid@11.17.2", "happy-dom@20.14.6"]),
        prepare: || Ok(()),
    },
    Judge {
        name: "chromium",
        judges: "pages",
        program: "node",
        script: "xtask/judges/browser.mjs",
        installed: "browser/node_modules/.installed",
        needs: &[("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium")],
        install: |tools| npm(&tools.join("browser"), &["playwright-core@1.65.1", "axe-core@4.14.1"]),
        prepare: || renderers::write_pages(&pages()),
    },
];

/// Installs packages of Node. Each judge has a folder of its own, since npm removes what it was not asked for.
fn npm(folder: &Path, packages: &[&str]) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--silent", "--prefix"]).arg(folder);
    succeed(npm.args(packages))
}

impl Judge {
    pub(crate) fn is_installed(&self) -> bool {
        tools().join(self.installed).exists()
    }

    pub(crate) fn install(&self) -> Result<(), String> {
        debian_packages(self.needs)?;
        (self.install)(&tools())?;
        std::fs::write(tools().join(self.installed), "").map_err(|error| error.to_string())
    }

    /// The command that judges every fixture of its kind; it prints what it disagrees with.
    pub(crate) fn command(&self) -> Command {
        let program =
            if self.program.contains('/') { tools().join(self.program) } else { self.program.into() };
        let mut command = Command::new(program);
        command.arg(self.script).current_dir(root());
        // Where the packages of Node lie: the folder that holds the one that is looked for.
        if let Some(packages) = tools().join(self.installed).parent() {
            command.env("NODE_PATH", packages);
        }
        command.env("ANSWERPLANE_PAGES", pages());
        command
    }
}

/// Installs the Debian packages of programs that are not there.
pub(crate) fn debian_packages(needs: &[(&str, &str)]) -> Result<(), String> {
    let is_there = |program: &str| {
        let mut probe = match program {
            "ensurepip" => Command::new("python3"),
            program => Command::new(program),
        };
        match program {
            "ensurepip" => probe.args(["-c", "import ensurepip"]),
            _ => probe.arg("--version"),
        };
        probe.output().is_ok_and(|output| output.status.success())
    };
    let missing: Vec<&str> =
        needs.iter().filter(|(program, _)| !is_there(program)).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    succeed(Command::new("apt-get").args(["update", "-qq"]))?;
    succeed(Command::new("apt-get").args(["install", "-y", "-qq", "--no-install-recommends"]).args(missing))
}

/// Where pages are written for a browser to judge, and their screenshots.
fn pages() -> PathBuf {
    target().join("pages")
}

/// Where programs are installed.
fn tools() -> PathBuf {
    target().join("tools")
}

/// The folder that cargo builds in.
pub(crate) fn target() -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    std::path::absolute(&folder).unwrap_or(folder)
}
