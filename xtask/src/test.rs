//! `cargo xtask test`: every check there is, in the order in which a failure is cheapest to find.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::services::Services;
use crate::steps::{Outcome, succeed};
use crate::tools::{JUDGES, Judge, target};
use crate::{cargo, fixtures, generated, renderers, root, schemas, tables};

/// Runs every step. With `all`, what is missing is installed, and a skip is a failure unless it is for absent
/// shared material.
pub(crate) fn run(all: bool) -> Result<(), String> {
    let mut run = Run { all, passed: 0, failed: Vec::new(), skipped: Vec::new() };

    run.step("formatting", || succeed(&mut cargo(&["fmt", "--all", "--check"])).into());
    run.step("generated files", || generated_files().into());
    run.step("lints", || {
        let mut clippy = cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"]);
        succeed(clippy.args(["--", "--deny", "warnings"])).into()
    });
    let skips = target().join("skipped-tests.txt");
    run.step("tests", || tests(&skips, all).into());
    run.step("sessions on each store", || sessions(all));
    run.step("documentation", || {
        let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--all-features", "--quiet"]);
        succeed(doc.env("RUSTDOCFLAGS", "--deny warnings")).into()
    });
    for judge in JUDGES {
        run.step(&format!("{}, judged by {}", judge.judges, judge.name), || judged(&judge, all));
    }
    run.step("a project outside depends on the resolver", || outside_project().into());
    run.step("packages", || packages(all));

    for skip in std::fs::read_to_string(&skips).unwrap_or_default().lines() {
        run.skipped.push(skip.to_string());
    }
    run.report()
}

struct Run {
    all: bool,
    passed: usize,
    failed: Vec<String>,
    skipped: Vec<String>,
}

impl Run {
    fn step(&mut self, name: &str, run: impl FnOnce() -> Outcome) {
        println!("== {name}");
        let start = Instant::now();
        match run() {
            Outcome::Passed => {
                self.passed += 1;
                println!("   passed in {:.1} s", start.elapsed().as_secs_f64());
            }
            Outcome::Skipped(why) => {
                println!("   skipped: {why}");
                self.skipped.push(format!("{name}: {why}"));
            }
            Outcome::Failed(why) => {
                println!("   FAILED: {why}");
                self.failed.push(format!("{name}: {why}"));
            }
        }
    }

    fn report(self) -> Result<(), String> {
        println!();
        for skip in &self.skipped {
            println!("skipped  {skip}");
        }
        for failure in &self.failed {
            println!("FAILED   {failure}");
        }
        println!("{} passed, {} failed, {} skipped", self.passed, self.failed.len(), self.skipped.len());
        let inexcusable = self.skipped.iter().any(|skip| !skip.ends_with("no ../shared material"));
        if !self.failed.is_empty() {
            return Err("a step failed".into());
        }
        if self.all && inexcusable {
            return Err("something was skipped that --all has to run".into());
        }
        Ok(())
    }
}

fn generated_files() -> Result<(), String> {
    for files in [tables::generate()?, schemas::generate()?, fixtures::generate()?, renderers::generate()?] {
        generated::check(&files)?;
    }
    Ok(())
}

fn tests(skips: &Path, all: bool) -> Result<(), String> {
    let services = if all { Services::start()? } else { Services::named() };
    if skips.exists() {
        std::fs::remove_file(skips).map_err(|error| error.to_string())?;
    }
    let mut test = cargo(&["test", "--workspace", "--all-features", "--quiet"]);
    succeed(services.name_to(test.env("ANSWERPLANE_SKIPS", skips)))
}

/// The tests of sessions on each store that is there, with fewer cases, since a store that writes to a disk takes its time.
fn sessions(all: bool) -> Outcome {
    const TESTS: [&str; 9] =
        ["session", "reports", "confirmations", "clients", "format", "laws", "offers", "faults", "kills"];
    let run = || {
        let services = if all { Services::start()? } else { Services::named() };
        on_each_store(&services, &TESTS, &[("ANSWERPLANE_CASES", "100")])
    };
    run().into()
}

/// Runs tests of sessions on SQLite and on each server that there is.
pub(crate) fn on_each_store(
    services: &Services,
    tests: &[&str],
    variables: &[(&str, &str)],
) -> Result<(), String> {
    let folder = tempfile::tempdir_in(target()).map_err(|error| error.to_string())?;
    let sqlite = format!("sqlite:{}", folder.path().join("sessions.db").display());
    for address in std::iter::once(sqlite).chain(services.urls()) {
        let mut test = cargo(&["test", "--package", "answerplane-session", "--quiet"]);
        test.args(tests.iter().flat_map(|name| ["--test", name]));
        succeed(test.env("ANSWERPLANE_STORE", address).envs(variables.iter().copied()))?;
    }
    Ok(())
}

/// Lets one judge judge, by name.
pub(crate) fn judge(name: &str) -> Result<(), String> {
    let judge = JUDGES.iter().find(|judge| judge.name == name).ok_or("there is no such judge")?;
    match judged(judge, true) {
        Outcome::Failed(why) | Outcome::Skipped(why) => Err(why),
        Outcome::Passed => Ok(()),
    }
}

fn judged(judge: &Judge, all: bool) -> Outcome {
    if !judge.is_installed() {
        if !all {
            return Outcome::Skipped("not installed; `cargo xtask test --all` installs it".into());
        }
        if let Err(why) = judge.install() {
            return Outcome::Failed(why);
        }
    }
    let prepared = (judge.prepare)();
    prepared.and_then(|()| succeed(&mut judge.command())).into()
}

/// A new project that knows nothing but the path of the resolver compiles and runs the example of its README.
fn outside_project() -> Result<(), String> {
    let folder = target().join("outside-project");
    let readme = std::fs::read_to_string(root().join("crates/resolver/README.md"))
        .map_err(|error| error.to_string())?;
    let example = readme
        .split_once("```rust\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .map(|(example, _)| example.replace("\n# ", "\n"))
        .ok_or("the resolver's README has no example")?;
    let resolver = std::path::absolute(root().join("crates/resolver")).map_err(|error| error.to_string())?;
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         answerplane-resolver = {{ path = {:?} }}\n\n[workspace]\n",
        resolver.display().to_string()
    );
    let program =
        format!("fn main() -> Result<(), answerplane_resolver::DeterministicDiagnostic> {{\n{example}}}\n");
    let write = |name: &str, text: &str| -> Result<PathBuf, std::io::Error> {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        std::fs::write(&path, text)?;
        Ok(path)
    };
    write("Cargo.toml", &manifest)
        .and_then(|_| write("src/main.rs", &program))
        .and_then(|_| std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut run = Command::new(cargo(&[]).get_program());
    succeed(
        run.args(["run", "--quiet"])
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", target().join("outside-build")),
    )
}

/// Every crate can be packaged and builds from its package.
///
/// The folder is a new one every time: cargo takes a package of the same name, version and folder for the one
/// that it unpacked or built before, whatever is in it now.
fn packages(all: bool) -> Outcome {
    if !all {
        return Outcome::Skipped("takes long; `cargo xtask test --all` runs it".into());
    }
    let mut package = cargo(&["package", "--workspace", "--quiet", "--allow-dirty", "--target-dir"]);
    let folder = match tempfile::tempdir_in(target()) {
        Ok(folder) => folder,
        Err(error) => return Outcome::Failed(format!("{}: {error}", target().display())),
    };
    succeed(package.arg(folder.path())).into()
}
