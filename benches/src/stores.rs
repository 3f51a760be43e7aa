//! Compare-and-set through a store, against the bare statement that changes one row if it has a version.
//!
//! A round changes 32 documents of 2 KiB, each at the version that it has, first through the store and then without it, on
//! the same server or in the same file and at the same durability. Both have as many writers, and as many
//! connections. SQLite is always measured, PostgreSQL and Redis where `ANSWERPLANE_POSTGRES_URL` and
//! `ANSWERPLANE_REDIS_URL` name a server: `cargo xtask services cargo xtask bench stores`.

mod bare;

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use answerplane_store::{Expected, Key, Store, Version, Write};
use answerplane_store_postgres::PostgresOptions;
use answerplane_store_redis::RedisOptions;
use answerplane_store_sqlite::SqliteStore;
use bare::Bare;
use tokio::task::JoinSet;

use crate::measure::Measurement;

/// How many documents a round changes, and how large they are.
const DOCUMENTS: usize = 32;
const BYTES: usize = 2_048;

/// At least 60 % of the throughput: at most so many times the time.
const LIMIT: f64 = 1.0 / 0.6;

type Failure = Box<dyn Error + Send + Sync>;

pub(crate) fn run(rounds: usize) -> Vec<Measurement> {
    let Ok(runtime) = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
    else {
        return Vec::new();
    };
    runtime.block_on(all(rounds)).unwrap_or_else(|error| {
        eprintln!("stores: {error}");
        // Nothing measured is not within any limit.
        vec![Measurement::new("stores".into(), 0.0, Vec::new(), Vec::new())]
    })
}

async fn all(rounds: usize) -> Result<Vec<Measurement>, Failure> {
    let mut measurements = Vec::new();
    for writers in [1, 8] {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("store.db");
        let store = Arc::new(SqliteStore::open(&file).await?);
        let bare = Bare::sqlite(&file)?;
        measurements.push(measure("SQLite", writers, rounds, store, bare).await?);
    }
    if let Ok(url) = std::env::var("ANSWERPLANE_POSTGRES_URL") {
        for writers in [1, 8] {
            let bare = Bare::postgres(&url, writers).await?;
            let options = PostgresOptions::new(&url).schema("answerplane_bench").connections(writers);
            let store = Arc::new(options.open().await?);
            measurements.push(measure("PostgreSQL", writers, rounds, store, bare).await?);
        }
    }
    if let Ok(url) = std::env::var("ANSWERPLANE_REDIS_URL") {
        for writers in [1, 8] {
            let store = Arc::new(RedisOptions::new(&url).prefix("answerplane_bench").open().await?);
            let bare = Bare::redis(&url).await?;
            measurements.push(measure("Redis", writers, rounds, store, bare).await?);
        }
    }
    Ok(measurements)
}

async fn measure(
    name: &str,
    writers: usize,
    rounds: usize,
    store: Arc<dyn Store>,
    bare: Bare,
) -> Result<Measurement, Failure> {
    let bare = Arc::new(bare);
    let mut kept = Vec::new();
    for number in 0..DOCUMENTS {
        let key = Key::new(["bench".to_owned(), number.to_string()])?;
        if let Some(found) = store.load(&key, 0).await? {
            store.delete(&key, found.version, 0).await?;
        }
        let version = store.replace(&key, Expected::Absent, Write::new(body(number as u64)), 0).await?;
        bare.make(number).await?;
        kept.push((key, version));
    }
    let (mut ratios, mut times) = (Vec::new(), Vec::new());
    for round in 0..rounds + 5 {
        let bodies: Vec<Vec<u8>> =
            (0..DOCUMENTS).map(|number| body((round * DOCUMENTS + number) as u64)).collect();
        let (subject, changed) = through(&store, kept, &bodies, writers).await?;
        kept = changed;
        let reference = without(&bare, round as i64, bodies, writers).await?;
        // The first rounds fill caches and prepare statements.
        if round >= 5 {
            ratios.push(subject / reference);
            times.push(subject / DOCUMENTS as f64);
        }
    }
    let plural = if writers == 1 { "" } else { "s" };
    Ok(Measurement::new(format!("store {name}, {writers} writer{plural}"), LIMIT, ratios, times))
}

/// Changes every document through the store.
async fn through(
    store: &Arc<dyn Store>,
    kept: Vec<(Key, Version)>,
    bodies: &[Vec<u8>],
    writers: usize,
) -> Result<(f64, Vec<(Key, Version)>), Failure> {
    let mut shares = vec![Vec::new(); writers];
    for (number, ((key, version), body)) in kept.into_iter().zip(bodies.to_vec()).enumerate() {
        shares[number % writers].push((number, key, version, body));
    }
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for share in shares {
        let store = store.clone();
        tasks.spawn(async move {
            let mut changed = Vec::new();
            for (number, key, version, body) in share {
                let version = store.replace(&key, Expected::At(version), Write::new(body), 0).await?;
                changed.push((number, key, version));
            }
            Ok::<_, Failure>(changed)
        });
    }
    let mut changed = Vec::new();
    while let Some(done) = tasks.join_next().await {
        changed.append(&mut done??);
    }
    let nanos = start.elapsed().as_nanos() as f64;
    changed.sort_by_key(|(number, ..)| *number);
    Ok((nanos, changed.into_iter().map(|(_, key, version)| (key, version)).collect()))
}

/// Changes every row without the store.
async fn without(
    bare: &Arc<Bare>,
    version: i64,
    bodies: Vec<Vec<u8>>,
    writers: usize,
) -> Result<f64, Failure> {
    let mut shares = vec![Vec::new(); writers];
    for (number, body) in bodies.into_iter().enumerate() {
        shares[number % writers].push((number, body));
    }
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for (writer, share) in shares.into_iter().enumerate() {
        let bare = bare.clone();
        tasks.spawn(async move {
            for (number, body) in share {
                bare.change(writer, number, version, body).await?;
            }
            Ok::<_, Failure>(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(start.elapsed().as_nanos() as f64)
}

/// Bytes that do not compress, like those of a head that is encrypted.
fn body(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..BYTES).map(|_| next()).collect()
}
