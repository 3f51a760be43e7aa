//! The one entry for everything beyond cargo. `cargo xtask help` lists the commands.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a program for people at a terminal

mod assessments;
mod diagrams;
mod fixtures;
mod generated;
mod renderers;

mod schemas;
mod services;
mod steps;
mod tables;
mod test;
mod tools;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const HELP: &str = "\
cargo xtask COMMAND

  test [--all]          run every check; without --all what cannot run here is counted as skipped,
                        with it what is missing is installed, PostgreSQL and Redis are started, and
                        a skip is a failure
  bench [ARGUMENTS]     measure the project's speed limits in release mode (see benches/)
  services COMMAND…     run a command with PostgreSQL and Redis started for it (`cargo test`, `cargo xtask bench`)
  judge NAME            one of the judges of `test` alone, which is installed where it is not: ajv, jsonschema,
                        mermaid, chromium
  soak                  the long test runs in full: changed bytes, every generated case, and 50 kills at
                        each place with each store
  fixtures [--check]    sample sites: their hashes and broken variants; diagrams of the statecharts;
                        assessments of the vectors
  schemas [--check]     export the JSON Schema of every wire type to schemas/
  renderers [--check]   the table of what renderers show, in docs/renderers.md
  tables [--check]      make the character classes of answerplane-normalize

With --check nothing is written, and a stale file is a failure.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test::run(false),
        ["test", "--all"] => test::run(true),
        ["bench", rest @ ..] => bench(rest),
        ["services", command @ ..] if !command.is_empty() => services::run(command),
        ["judge", name] => test::judge(name),
        ["soak"] => soak(),
        ["fixtures"] => fixtures::generate().and_then(|files| generated::write(&files)),
        ["fixtures", "--check"] => fixtures::generate().and_then(|files| generated::check(&files)),
        ["schemas"] => schemas::generate().and_then(|files| generated::write(&files)),
        ["schemas", "--check"] => schemas::generate().and_then(|files| generated::check(&files)),
        ["renderers"] => renderers::generate().and_then(|files| generated::write(&files)),
        ["renderers", "--check"] => renderers::generate().and_then(|files| generated::check(&files)),
        ["tables"] => tables::generate().and_then(|files| generated::write(&files)),
        ["tables", "--check"] => tables::generate().and_then(|files| generated::check(&files)),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The cargo that runs us, in the folder of the workspace.
fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

fn bench(arguments: &[&str]) -> Result<(), String> {
    let mut command = cargo(&["run", "--release", "--quiet", "--package", "benches", "--"]);
    steps::succeed(command.args(arguments))
}

fn soak() -> Result<(), String> {
    let seed = std::time::UNIX_EPOCH.elapsed().map_or(1, |since| since.as_nanos() as u64 | 1);
    println!("seed {seed}");
    let mut command = cargo(&["test", "--release", "--workspace", "--all-features"]);
    command
        .env("ANSWERPLANE_SEED", seed.to_string())
        .env("ANSWERPLANE_PLACES", "20000")
        .env("ANSWERPLANE_CASES", "100000");
    steps::succeed(&mut command)?;
    // Any JSON whatsoever, a million times.
    let mut total = cargo(&["test", "--release", "--package", "answerplane-assessment", "--test", "laws"]);
    steps::succeed(total.arg("the_laws_hold_for_any_json").env("ANSWERPLANE_CASES", "1000000"))?;
    test::on_each_store(&services::Services::start()?, &["kills"], &[("ANSWERPLANE_KILLS", "50")])
}
