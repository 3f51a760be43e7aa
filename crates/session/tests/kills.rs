//! Processes that are killed before, inside and after each write of a turn, a choice and a confirmation. Another one goes on:
//! nothing is done twice, nothing that was acknowledged is lost, every session resumes. `ANSWERPLANE_KILLS` says how many
//! kills at each place; without `ANSWERPLANE_STORE` the store is a SQLite file.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod scene;

use std::fs::{File, OpenOptions};
use std::future::pending;
use std::io::{BufRead, BufReader, Write as _};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use answerplane_protocol::RenderFrame;
use answerplane_session::{ConfirmError, Proposal, Session, SessionError, Start};
use answerplane_store::{
    Document, Expected, Key, KeyPrefix, ReadError, ReplaceError, Store, StoreError, Version, Write,
};
use serde_json::{Map, Value, json};

use scene::stores::part_of;
use scene::{AMBIGUOUS, CHOICE, Counts, Scene, frame_in, id, said};

/// What a process that is going to be killed does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Turn,
    Choice,
    Approve,
    Reject,
    Propose,
}

/// The operations with their numbers of writes.
const OPS: [(Op, u64); 5] =
    [(Op::Turn, 2), (Op::Choice, 2), (Op::Approve, 2), (Op::Reject, 2), (Op::Propose, 1)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Before,
    Inside,
    After,
}

const MOMENTS: [Moment; 3] = [Moment::Before, Moment::Inside, Moment::After];

/// What a process is told by its parent, by variables: the store, what to do, where to be killed, and where its counts go.
const STORE: &str = "ANSWERPLANE_TEST_STORE";
const PART: &str = "ANSWERPLANE_TEST_PART";
const PLACE: &str = "ANSWERPLANE_TEST_PLACE";
const COUNTS: &str = "ANSWERPLANE_TEST_COUNTS";

/// Tells the parent where this process is.
fn tell(what: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "told {what}").unwrap();
    out.flush().unwrap();
}

/// A store that tells when it is at the write where its process is to be killed, and waits there.
struct Deadly {
    store: Arc<dyn Store>,
    write: u64,
    moment: Moment,
    /// How many writes there were, since it was armed.
    writes: AtomicU64,
}

impl Deadly {
    const UNARMED: u64 = u64::MAX / 2;

    fn arm(&self) {
        self.writes.store(0, Ordering::SeqCst);
    }
}

#[async_trait::async_trait]
impl Store for Deadly {
    async fn load(&self, key: &Key, now: i64) -> Result<Option<Document>, StoreError> {
        self.store.load(key, now).await
    }

    async fn replace(
        &self,
        key: &Key,
        expected: Expected,
        write: Write,
        now: i64,
    ) -> Result<Version, ReplaceError> {
        if self.writes.fetch_add(1, Ordering::SeqCst) != self.write {
            return self.store.replace(key, expected, write, now).await;
        }
        if self.moment != Moment::After {
            tell("here");
        }
        if self.moment == Moment::Before {
            pending::<()>().await;
        }
        let written = self.store.replace(key, expected, write, now).await;
        written.unwrap();
        tell(if self.moment == Moment::After { "here" } else { "written" });
        pending().await
    }

    async fn read(
        &self,
        key: &Key,
        birth: Version,
        journal: &str,
        range: Range<u64>,
        now: i64,
    ) -> Result<Vec<Vec<u8>>, ReadError> {
        self.store.read(key, birth, journal, range, now).await
    }

    async fn delete(&self, key: &Key, expected: Version, now: i64) -> Result<(), ReplaceError> {
        self.store.delete(key, expected, now).await
    }

    async fn list(
        &self,
        prefix: &KeyPrefix,
        after: Option<&Key>,
        limit: usize,
        now: i64,
    ) -> Result<Vec<Key>, StoreError> {
        self.store.list(prefix, after, limit, now).await
    }

    async fn purge(&self, now: i64, limit: usize) -> Result<usize, StoreError> {
        self.store.purge(now, limit).await
    }
}

/// The choices that were offered in the second turn, whatever came after it.
async fn offered(session: &Session) -> RenderFrame {
    frame_in(&session.view().await.messages[3].text)
}

/// The turn that the killed process runs, as it begins it and as another begins it again.
async fn start(op: Op, session: &Session) -> Start {
    let start = match op {
        Op::Choice => Start::choose(&offered(session).await, CHOICE.0),
        _ => Start::send("what was being said"),
    };
    let context = Map::from_iter([("op".to_string(), json!("turn"))]);
    start.turn(id("turn")).context(context)
}

fn proposal() -> Proposal {
    Proposal::new(id("refund"), Map::new()).id("new")
}

async fn perform(op: Op, session: &Session) {
    match op {
        Op::Turn | Op::Choice => {
            session.start(start(op, session).await).await.unwrap().text().await.unwrap();
        }
        Op::Approve => drop(session.approve(&id("confirm-first")).await.unwrap()),
        Op::Reject => drop(session.reject(&id("confirm-first")).await.unwrap()),
        Op::Propose => drop(session.propose(proposal()).await.unwrap()),
    }
}

/// Not a test by itself: what a process does that is going to be killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn as_a_child() {
    let Ok(address) = std::env::var(STORE) else { return };
    let place = std::env::var(PLACE).unwrap();
    let mut place = place.split(' ').map(|number| number.parse::<usize>().unwrap());
    let mut next = || place.next().unwrap();
    let (op, write, moment) = (OPS[next()].0, next() as u64, MOMENTS[next()]);
    let counts = OpenOptions::new().append(true).create(true).open(std::env::var(COUNTS).unwrap()).unwrap();
    let mut scene = Scene::new();
    scene.store = part_of(&address, &std::env::var(PART).unwrap());
    scene.counts = Counts::in_file(counts);
    let writes = AtomicU64::new(Deadly::UNARMED);
    let store = Arc::new(Deadly { store: scene.store.clone(), write, moment, writes });
    let session = scene.open_on(store.clone(), 1).await.unwrap();
    store.arm();
    perform(op, &session).await;
    panic!("{op:?} has no write {write}");
}

fn child(address: &str, part: &str, place: &str, counts: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "as_a_child", "--nocapture"])
        .env(STORE, address)
        .env(PART, part)
        .env(PLACE, place)
        .env(COUNTS, counts)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// How long the last write took that was awaited: what "inside" is aimed at.
struct Aim(Duration);

/// Kills a process at its place. Says whether its write was known to be done.
fn kill(mut child: Child, moment: Moment, part_of_write: f64, aim: &mut Aim) -> bool {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let here = lines.by_ref().any(|line| line.ends_with("told here"));
    assert!(here, "the process never came to its place");
    if moment == Moment::Inside {
        let begun = Instant::now();
        let wait = aim.0.mul_f64(part_of_write);
        std::thread::sleep(wait);
        child.kill().unwrap();
        let written = lines.any(|line| line.ends_with("told written"));
        // Too early as often as too late: half of it should be either.
        aim.0 = if written { begun.elapsed().mul_f64(0.8) } else { aim.0.mul_f64(1.15) };
        aim.0 = aim.0.clamp(Duration::from_micros(20), Duration::from_millis(50));
        child.wait().unwrap();
        return written;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    moment == Moment::After
}

/// The counts of the process that was killed and of the one that goes on.
fn count(file: &Path, scene: &Scene, what: &str) -> usize {
    let counted = std::fs::read_to_string(file).unwrap_or_default();
    counted.lines().filter(|line| *line == what).count() + scene.counts.of(what)
}

/// The ends of the turn that are on record.
fn ends(head: &Value, nodes: &[(u64, Value)]) -> Vec<String> {
    let listed = head["terminal"].as_array().unwrap().iter().filter(|ended| ended["turn"] == "turn");
    let given_up = listed.map(|ended| &ended["end"]).filter(|end| *end == "indeterminate");
    let answers =
        nodes.iter().filter(|(_, node)| node["turn"][0] == "turn").filter_map(|(_, node)| node.get("end"));
    given_up.chain(answers).map(|end| end.as_str().unwrap().to_string()).collect()
}

/// Another process runs the same turn: at once, and when the lease has ended.
async fn run_again(op: Op, write: u64, is_written: bool, scene: &Scene, counts: &Path) {
    let session = scene.open(2).await;
    let again = start(op, &session).await;
    let is_acknowledged = match session.start(again.clone()).await {
        Ok(mut turn) => {
            turn.text().await.unwrap();
            true
        }
        Err(SessionError::Busy) => false,
        Err(error) => panic!("{error}"),
    };
    assert!(is_acknowledged || !(write == 1 && is_written), "a turn that is done still runs");
    scene.clock.advance(Duration::from_secs(400));
    let session = scene.open(3).await;
    // Answered from the record, or told that it has been given up.
    let _ = session.start(again).await;
    let (head, nodes) = scene.raw().await.unwrap();
    let ends = ends(&head, &nodes);
    let is_done = ends == ["done"];
    assert!(is_done || ends == ["indeterminate"], "{ends:?}");
    assert!(is_done || !is_acknowledged, "a turn that was acknowledged is lost");
    match op {
        Op::Turn => {
            // A claim that was made without an answer costs nothing; with one, or with none made, it is asked once.
            let asked = usize::from(write == 1 || is_done);
            assert_eq!(count(counts, scene, "asked turn"), asked, "{ends:?}");
        }
        _ => {
            let anew = Start::choose(&offered(&session).await, CHOICE.0).turn(id("anew"));
            match session.start(anew).await {
                Ok(mut turn) => {
                    assert!(!is_done, "a choice that is settled is offered");
                    turn.text().await.unwrap();
                }
                Err(SessionError::ChoiceUnavailable) => {
                    assert!(is_done, "a choice that was given up is not offered")
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// Another process settles the same confirmation.
async fn settle_again(op: Op, write: u64, is_written: bool, scene: &Scene, counts: &Path) {
    let session = scene.open(2).await;
    let token = id("confirm-first");
    let (settled, claimed, effect) = match op {
        Op::Approve => ("approved", "approving", "ran confirm-first"),
        _ => ("rejected", "rejecting", "denied confirm-first"),
    };
    let outcome = match op {
        Op::Approve => session.approve(&token).await,
        _ => session.reject(&token).await,
    };
    assert!(matches!(outcome, Ok(_) | Err(ConfirmError::AlreadyResolved)), "{outcome:?}");
    let (head, _) = scene.raw().await.unwrap();
    let listed = head["confirmations"].as_array().unwrap();
    let status = &listed.iter().find(|it| it["id"] == "first").unwrap()["status"];
    let is_settled = status == settled;
    assert!(is_settled || status == claimed, "{status}");
    assert!(is_settled || !(write == 1 && is_written), "what was settled is forgotten");
    // A claim that was made without its effect is never taken over.
    let ran = usize::from(write == 1 || is_settled);
    assert_eq!(count(counts, scene, effect), ran, "{status}");
    let effects = ["ran confirm-first", "denied confirm-first"].map(|effect| count(counts, scene, effect));
    assert_eq!(effects.iter().sum::<usize>(), ran);
}

/// Another process proposes the same.
async fn propose_again(scene: &Scene) {
    let _ = scene.open(2).await.propose(proposal()).await;
    let (head, _) = scene.raw().await.unwrap();
    let listed = head["confirmations"].as_array().unwrap();
    assert_eq!(listed.iter().filter(|it| it["id"] == "new").count(), 1);
}

/// What another process finds and does.
async fn go_on(op: Op, write: u64, is_written: bool, scene: &Scene, counts: &Path) {
    match op {
        Op::Turn | Op::Choice => run_again(op, write, is_written, scene, counts).await,
        Op::Approve | Op::Reject => settle_again(op, write, is_written, scene, counts).await,
        Op::Propose => propose_again(scene).await,
    }
    let session = scene.open(4).await;
    assert_eq!(said(&session, "and then").await, "answer to and then");
    session.snapshot().await.unwrap();
    let (head, _) = scene.raw().await.unwrap();
    assert!(head.get("active").is_none());
}

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).map_or(usual, |number| number.parse().unwrap())
}

#[test]
fn a_killed_process_does_nothing_twice_and_its_session_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = format!("sqlite:{}", folder.path().join("sessions.db").display());
    let address = std::env::var("ANSWERPLANE_STORE").unwrap_or(sqlite);
    let kills = number("ANSWERPLANE_KILLS", 5);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let started = std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos();
    let mut aim = Aim(Duration::from_millis(1));
    let (mut landed, mut inside) = (0, 0);
    for (op_number, (op, writes)) in OPS.into_iter().enumerate() {
        for write in 0..writes {
            for (moment_number, moment) in MOMENTS.into_iter().enumerate() {
                for kill_number in 0..kills {
                    let part = format!("{started}-{op_number}-{write}-{moment_number}-{kill_number}");
                    let counts = folder.path().join(&part);
                    File::create(&counts).unwrap();
                    let mut scene = Scene::new();
                    scene.store = part_of(&address, &part);
                    runtime.block_on(async {
                        let session = scene.open(9).await;
                        said(&session, "first").await;
                        said(&session, AMBIGUOUS).await;
                        session.propose(Proposal::new(id("refund"), Map::new()).id("first")).await.unwrap();
                    });
                    let place = format!("{op_number} {write} {moment_number}");
                    let part_of_write = (kill_number * 7 % 10) as f64 / 10.0;
                    let child = child(&address, &part, &place, &counts);
                    let is_written = kill(child, moment, part_of_write, &mut aim);
                    if moment == Moment::Inside {
                        inside += 1;
                        landed += usize::from(is_written);
                    }
                    runtime.block_on(go_on(op, write, is_written, &scene, &counts));
                }
            }
        }
    }
    eprintln!("{inside} kills inside a write, {landed} of them after it");
}
