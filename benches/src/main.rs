//! Measures the limits that the project sets itself, as ratios against a stated reference.
//!
//! `cargo xtask bench [NAME…] [--json] [--rounds N]`. Subject and reference take turns in one process and, but for
//! stores, one thread; what is printed is the median of the ratios of each turn, with p10 and p90.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a program for people at a terminal

mod artifact;
mod assessment;
mod backends;
mod build;
mod complete;
mod content;
mod lookup;
mod measure;
mod phrases;
mod render;
mod session;
mod stores;
mod surface;
mod verify;

use std::process::ExitCode;

use measure::Measurement;

/// Measures in so many rounds.
type Bench = fn(usize) -> Vec<Measurement>;

/// Every benchmark, by name.
const BENCHES: &[(&str, Bench)] = &[
    ("verify", verify::run),
    ("lookup", lookup::run),
    ("complete", complete::run),
    ("build", build::run),
    ("content", content::run),
    ("render", render::run),
    ("surface", surface::run),
    ("assess", assessment::run),
    ("session", session::run),
    ("backends", backends::run),
    ("stores", stores::run),
];

fn main() -> ExitCode {
    let mut rounds = 300;
    let mut json = false;
    let mut names = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => json = true,
            "--rounds" => match arguments.next().and_then(|rounds| rounds.parse().ok()) {
                Some(number) if number >= 30 => rounds = number,
                _ => return usage(),
            },
            name if !name.starts_with('-') => names.push(name.to_string()),
            _ => return usage(),
        }
    }
    if names.iter().any(|name| BENCHES.iter().all(|(known, _)| known != name)) {
        return usage();
    }
    let wanted =
        BENCHES.iter().filter(|(name, _)| names.is_empty() || names.iter().any(|wanted| wanted == name));
    let measurements: Vec<Measurement> = wanted.flat_map(|(_, run)| run(rounds)).collect();
    if json {
        let values: Vec<serde_json::Value> = measurements.iter().map(Measurement::to_json).collect();
        println!("{}", serde_json::json!({ "rounds": rounds, "measurements": values }));
    } else {
        println!("{:<52} {:>8} {:>8} {:>8} {:>8}", "ratio", "median", "p10", "p90", "limit");
        for measurement in &measurements {
            println!("{measurement}");
        }
    }
    if measurements.iter().all(Measurement::is_within_limit) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn usage() -> ExitCode {
    let names: Vec<&str> = BENCHES.iter().map(|(name, _)| *name).collect();
    eprintln!(
        "usage: cargo xtask bench [NAME…] [--json] [--rounds N, at least 30]; NAME: {}",
        names.join(", ")
    );
    ExitCode::from(2)
}
