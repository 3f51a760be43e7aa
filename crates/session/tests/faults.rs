//! The turn machine on a store that goes wrong: a fault at every call of every operation, one by one and in pairs, beside
//! another controller. Of all pairs a tenth is tried; `ANSWERPLANE_CASES` says how many worlds of each kind, from 100,000 on
//! all, and `ANSWERPLANE_SEED` which.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod scene;

use std::sync::Arc;
use std::time::Duration;

use answerplane_protocol::session_snapshot::ConfirmationStatus;
use answerplane_session::testing::{FaultyStore, Trouble};
use answerplane_session::{ConfirmError, Proposal, Session, SessionError, Start, TurnEnd, TurnError};
use serde_json::{Map, Value, json};

use scene::{AMBIGUOUS, CHOICE, Scene, frame, id, said};

/// Something that is done to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Open,
    Send,
    Known,
    Regenerate,
    Retry,
    EditAndAnswer,
    Choose,
    Stop,
    Drop,
    Edit,
    Select,
    Clear,
    Trim,
    Save,
    Propose,
    Approve,
    Reject,
    Erase,
}

use Op::*;

const OPS: [Op; 18] = [
    Open,
    Send,
    Known,
    Regenerate,
    Retry,
    EditAndAnswer,
    Choose,
    Stop,
    Drop,
    Edit,
    Select,
    Clear,
    Trim,
    Save,
    Propose,
    Approve,
    Reject,
    Erase,
];

/// What the other controller does meanwhile.
const OTHERS: [Op; 9] = [Save, Send, Known, Choose, Stop, Approve, Reject, Clear, Erase];

/// What the caller of an operation was told.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Told {
    /// It is done. Of a turn: its last chunk came.
    Done,
    /// It is not done, and will not be.
    NotDone,
    /// Neither is certain.
    Unknown,
    /// Of a turn: it was given up.
    GivenUp,
    /// Nobody was left to be told.
    Crashed,
}

/// When late writes reach the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Landing {
    BeforeOther,
    AfterOther,
    AtEnd,
}

#[derive(Clone, Debug)]
struct World {
    op: Op,
    other: Op,
    faults: Vec<(u64, Trouble)>,
    other_faults: Vec<(u64, Trouble)>,
    landing: Landing,
}

/// The turn of an operation: its id, under which its backend is counted.
fn turn_of(op: Op, who: &str) -> String {
    format!("{who}-{op:?}")
}

fn start(op: Op, who: &str, view: &Facts) -> Start {
    let text = format!("{who} says {op:?}");
    let start = match op {
        Known => Start::send(if who == "a" { "/reserve" } else { "/cancel" }),
        Regenerate => Start::regenerate(Some(&view.answer)),
        Retry => Start::retry(Some(&id("lapsed"))),
        EditAndAnswer => Start::edit(view.said.as_str(), text),
        Choose => Start::choose(&view.frame, CHOICE.0),
        _ => Start::send(text),
    };
    let name = turn_of(op, who);
    let mut context = Map::new();
    context.insert("op".into(), json!(name));
    if matches!(op, Stop | Drop) {
        context.insert("hang".into(), json!(true));
    }
    start.turn(id(&name)).context(context)
}

/// What every session of this test begins with.
struct Facts {
    said: String,
    answer: String,
    old_node: u64,
    frame: answerplane_protocol::RenderFrame,
}

fn told(error: &SessionError) -> Told {
    match error {
        SessionError::OutcomeUnknown => Told::Unknown,
        _ => Told::NotDone,
    }
}

async fn perform(op: Op, who: &str, session: &Session, facts: &Facts) -> Told {
    let done = |outcome: Result<(), SessionError>| match outcome {
        Ok(()) => Told::Done,
        Err(error) => told(&error),
    };
    match op {
        Open => Told::Done,
        Edit => done(session.edit_only(&facts.said, format!("{who} says {op:?}")).await),
        Select => done(session.select(facts.old_node).await),
        Clear => done(session.clear().await),
        Trim => done(session.trim_front(&facts.answer).await),
        Save => done(session.save().await),
        Erase => done(session.erase().await),
        Propose => {
            let proposal = Proposal::new(id("refund"), Map::new()).id(format!("{who}-new"));
            match session.propose(proposal).await {
                Ok(_) => Told::Done,
                Err(ConfirmError::Session(error)) => told(&error),
                Err(_) => Told::NotDone,
            }
        }
        Approve | Reject => {
            let token = id("confirm-first");
            let outcome = match op {
                Approve => session.approve(&token).await,
                _ => session.reject(&token).await,
            };
            let wanted = match op {
                Approve => ConfirmationStatus::Approved,
                _ => ConfirmationStatus::Rejected,
            };
            match outcome {
                Ok(confirmation) if confirmation.status == wanted => Told::Done,
                Ok(_) | Err(ConfirmError::AlreadyResolved) => Told::NotDone,
                Err(_) => Told::Unknown,
            }
        }
        _ => {
            let mut turn = match session.start(start(op, who, facts)).await {
                Ok(turn) => turn,
                Err(error) => return told(&error),
            };
            if matches!(op, Stop | Drop) {
                match turn.next().await {
                    Some(Ok(_)) => {}
                    _ => return Told::Unknown,
                }
                if op == Drop {
                    drop(turn);
                    return match session.save().await {
                        Ok(()) => Told::Done,
                        Err(_) => Told::Unknown,
                    };
                }
                return match turn.stop().await {
                    Ok(TurnEnd::Stopped) => Told::Done,
                    Ok(_) => Told::GivenUp,
                    Err(SessionError::Erased) => Told::GivenUp,
                    Err(_) => Told::Unknown,
                };
            }
            let mut is_done = false;
            while let Some(next) = turn.next().await {
                match next {
                    Ok(chunk) => is_done |= chunk.kind() == answerplane_session::ChunkKind::Done,
                    Err(TurnError::Indeterminate | TurnError::Record(SessionError::Erased)) => {
                        return Told::GivenUp;
                    }
                    Err(_) => return Told::Unknown,
                }
            }
            if is_done { Told::Done } else { Told::GivenUp }
        }
    }
}

/// A session with a turn that was given up, an edited message, choices, and something to be confirmed.
async fn prepare(scene: &Scene) -> Facts {
    let lost = scene.open(90).await;
    let turn = lost.start(Start::send("what was lost").turn(id("lapsed"))).await.unwrap();
    scene.clock.advance(Duration::from_secs(311));
    let session = scene.open(91).await;
    said(&session, "first").await;
    drop(turn);
    let view = session.view().await;
    let (first, old_node) = (view.messages[0].id.clone(), view.messages[0].node);
    session.edit(&first, "edited").await.unwrap().text().await.unwrap();
    said(&session, AMBIGUOUS).await;
    let frame = frame(&session).await;
    session.propose(Proposal::new(id("refund"), Map::new()).id("first")).await.unwrap();
    let answer = session.view().await.messages[1].id.clone();
    Facts { said: first, answer, old_node, frame }
}

/// Does something on a store that goes wrong, until it is done, its process has crashed, or `meanwhile` has run while it was
/// delayed.
async fn on_faulty<F: Future<Output = ()>>(
    store: &FaultyStore,
    operation: impl Future<Output = Told>,
    mut meanwhile: Option<impl FnOnce() -> F>,
) -> Told {
    let mut operation = std::pin::pin!(operation);
    loop {
        tokio::select! {
            biased;
            told = &mut operation => return told,
            () = store.crashed() => return Told::Crashed,
            () = store.delayed() => {
                if let Some(meanwhile) = meanwhile.take() {
                    meanwhile().await;
                }
                store.resume();
            }
        }
    }
}

struct Seen {
    told: Told,
    other: Told,
    calls: u64,
}

async fn run(world: &World) -> Seen {
    let scene = Scene::new();
    let facts = prepare(&scene).await;
    let store = Arc::new(FaultyStore::new(scene.store.clone()));
    let other_store = Arc::new(FaultyStore::new(scene.store.clone()));
    let opened = if world.op == Open { None } else { scene.open_on(store.clone(), 1).await.ok() };
    let other = scene.open_on(other_store.clone(), 2).await.unwrap();
    if world.op == Open {
        // There is nothing to be opened: it is made.
        other.erase().await.unwrap();
    }
    let other = if world.op == Open { None } else { Some(other) };
    let before = store.calls();
    for (number, trouble) in &world.faults {
        store.plan(*number, *trouble);
    }
    for (number, trouble) in &world.other_faults {
        other_store.plan(*number, *trouble);
    }

    let other_told = std::cell::RefCell::new(None);
    let other_does = async || {
        let operation = async {
            let session = match &other {
                Some(session) => session.clone(),
                None => match scene.open_on(other_store.clone(), 3).await {
                    Ok(session) => session,
                    Err(error) => return told(&error),
                },
            };
            perform(world.other, "b", &session, &facts).await
        };
        let told = on_faulty(&other_store, operation, None::<fn() -> std::future::Ready<()>>).await;
        *other_told.borrow_mut() = Some(told);
    };
    let mut session = opened;
    let first = async {
        if session.is_none() {
            match scene.open_on(store.clone(), 1).await {
                Ok(opened) => session = Some(opened),
                Err(error) => return told(&error),
            }
        }
        perform(world.op, "a", session.as_ref().unwrap(), &facts).await
    };
    let outcome = on_faulty(&store, first, Some(&other_does)).await;
    let calls = store.calls() - before;
    if world.landing == Landing::BeforeOther {
        store.land().await;
    }
    if other_told.borrow().is_none() {
        other_does().await;
    }
    if world.landing == Landing::AfterOther {
        store.land().await;
    }
    other_store.land().await;
    // The next operation of a process that lives finds out what became of the one before.
    if let (Some(session), true) = (&session, outcome != Told::Crashed) {
        let next = on_faulty(
            &store,
            async { perform(Save, "a", session, &facts).await },
            None::<fn() -> std::future::Ready<()>>,
        );
        let _ = next.await;
    }
    scene.clock.advance(Duration::from_secs(400));
    let last = scene.open(5).await;
    let mut turn = last.start(Start::send("the last").turn(id("last"))).await.unwrap();
    store.land().await;
    while let Some(chunk) = turn.next().await {
        chunk.unwrap();
    }
    store.land().await;
    let told = (outcome, other_told.into_inner().unwrap());
    check(world, &scene, &told).await;
    Seen { told: told.0, other: told.1, calls }
}

/// No turn is done twice, none that was acknowledged is lost, no confirmation is executed twice, no choice settled twice, and
/// of each claim there is exactly one record.
async fn check(world: &World, scene: &Scene, told: &(Told, Told)) {
    let (head, nodes) = scene.raw().await.unwrap();
    let context = || format!("{world:?} told {told:?}: {head:#} {nodes:#?} {:?}", scene.counts.all());
    for (what, count) in scene.counts.all() {
        assert!(what == "asked unnamed" || count <= 1, "{what} {count} times in {}", context());
    }
    let token = "confirm-first";
    let (ran, denied) =
        (scene.counts.of(&format!("ran {token}")), scene.counts.of(&format!("denied {token}")));
    assert!(ran + denied <= 1, "{}", context());

    let terminal = head["terminal"].as_array().unwrap();
    assert!(head.get("active").is_none(), "{}", context());
    let turn = |node: &Value| node["turn"][0].as_str().map(str::to_string);
    let answers = |name: &str| -> Vec<&Value> {
        let is_answer = |node: &&Value| turn(node).as_deref() == Some(name) && node.get("end").is_some();
        nodes.iter().map(|(_, node)| node).filter(is_answer).collect()
    };
    let listed = |name: &str| terminal.iter().filter(|ended| ended["turn"] == name).collect::<Vec<_>>();
    for (_, node) in &nodes {
        let Some(name) = turn(node) else { continue };
        let written = answers(&name).len();
        let given_up = listed(&name).iter().filter(|ended| ended["end"] == "indeterminate").count();
        assert_eq!(written + given_up, 1, "records of {name} in {}", context());
    }
    for ended in terminal {
        let name = ended["turn"].as_str().unwrap();
        assert_eq!(listed(name).len(), 1, "{}", context());
    }

    // What the other one clears or erases may be gone, whoever was told that it is done.
    let removes = |op| matches!(op, Clear | Erase | Trim);
    for (op, who, told, other) in
        [(world.op, "a", &told.0, world.other), (world.other, "b", &told.1, world.op)]
    {
        let name = turn_of(op, who);
        let text = format!("{who} says {op:?}");
        let is_turn = matches!(op, Send | Known | Regenerate | Retry | EditAndAnswer | Choose | Stop | Drop);
        let said = nodes.iter().filter(|(_, node)| node["content"] == text.as_str()).count();
        assert!(said <= 1, "said {said} times in {}", context());
        match told {
            Told::Done if !removes(other) && is_turn => {
                let end = if matches!(op, Stop | Drop) { "stopped" } else { "done" };
                let kept = answers(&name).iter().any(|node| node["end"] == end);
                assert!(kept, "{name} lost in {}", context());
            }
            Told::Done if op == Edit && !removes(other) => assert_eq!(said, 1, "{}", context()),
            Told::NotDone if matches!(op, Approve | Reject) && !matches!(other, Approve | Reject | Erase) => {
                let confirmations =
                    head["confirmations"].as_array().into_iter().flatten().collect::<Vec<_>>();
                let first = confirmations.iter().find(|it| it["id"] == "first");
                assert!(first.is_none_or(|first| first["status"] == "pending"), "{}", context());
            }
            Told::NotDone => {
                assert_eq!(answers(&name).len(), 0, "{name} was done in {}", context());
                assert_eq!(said, 0, "{name} was said in {}", context());
                if is_turn {
                    assert_eq!(scene.counts.of(&format!("asked {name}")), 0, "{}", context());
                }
            }
            Told::GivenUp => {
                let kept = answers(&name).iter().any(|node| node["end"] == "done");
                assert!(!kept, "{name} was done in {}", context());
            }
            _ => {}
        }
    }
    let chosen = nodes.iter().filter(|(_, node)| node["content"] == CHOICE.1);
    let settled = chosen.filter(|(_, node)| {
        let name = turn(node).unwrap();
        answers(&name).iter().any(|answer| answer["end"] == "done" || answer["end"] == "stopped")
    });
    assert!(settled.count() <= 1, "{}", context());

    // What is kept can be read, and goes on.
    let session = scene.open(6).await;
    session.snapshot().await.unwrap();
    let view = session.view().await;
    assert_eq!(view.messages.last().unwrap().text, "answer to the last", "{}", context());
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// How many calls an operation makes at most, alone and with faults before.
fn calls(op: Op) -> u64 {
    let world = World { op, other: Save, faults: vec![], other_faults: vec![], landing: Landing::AtEnd };
    block_on(run(&world)).calls
}

#[test]
fn without_faults_everything_is_done() {
    for op in OPS {
        let world = World { op, other: Save, faults: vec![], other_faults: vec![], landing: Landing::AtEnd };
        let seen = block_on(run(&world));
        assert_eq!(seen.told, Told::Done, "{op:?}");
        assert_eq!(seen.other, if op == Erase { Told::NotDone } else { Told::Done }, "{op:?}");
    }
}

const LANDINGS: [Landing; 3] = [Landing::BeforeOther, Landing::AfterOther, Landing::AtEnd];

/// One fault at every call of every operation. It makes for more calls: those are reached in pairs.
fn singles() -> Vec<World> {
    let mut worlds = Vec::new();
    for op in OPS {
        for number in 0..calls(op) + 1 {
            for trouble in Trouble::ALL {
                for other in OTHERS {
                    for landing in LANDINGS {
                        let faults = vec![(number, trouble)];
                        worlds.push(World { op, other, faults, other_faults: vec![], landing });
                    }
                }
            }
        }
    }
    worlds
}

/// A fault and another at the next call.
fn neighbours() -> Vec<World> {
    let mut worlds = Vec::new();
    for op in OPS {
        for number in 0..calls(op) + 2 {
            for first in Trouble::ALL {
                for second in Trouble::ALL {
                    for landing in [Landing::BeforeOther, Landing::AtEnd] {
                        let faults = vec![(number, first), (number + 1, second)];
                        worlds.push(World { op, other: Save, faults, other_faults: vec![], landing });
                    }
                }
            }
        }
    }
    worlds
}

/// All pairs: two faults of one process, or one of each.
fn pairs() -> Vec<World> {
    let mut worlds = Vec::new();
    for op in OPS {
        let calls = calls(op) + 5;
        for first in 0..calls {
            for trouble in Trouble::ALL {
                for second in 0..calls {
                    for second_trouble in Trouble::ALL {
                        for other in OTHERS {
                            let landing = LANDINGS[(first + second) as usize % 3];
                            let two = vec![(first, trouble), (first + 1 + second, second_trouble)];
                            let mut world = World { op, other, faults: two, other_faults: vec![], landing };
                            worlds.push(world.clone());
                            world.faults.truncate(1);
                            world.other_faults = vec![(second, second_trouble)];
                            worlds.push(world);
                        }
                    }
                }
            }
        }
    }
    worlds
}

/// Runs as many of the worlds as `ANSWERPLANE_CASES` says, spread over all of them; from 100,000 on, all.
fn run_all(worlds: &[World], usual: usize) {
    let number = |name: &str| std::env::var(name).ok().map(|it| it.parse::<usize>().unwrap());
    let wanted = match number("ANSWERPLANE_CASES") {
        Some(cases) if cases < 100_000 => cases.clamp(1, worlds.len()),
        Some(_) => worlds.len(),
        None => usual,
    };
    let seed = number("ANSWERPLANE_SEED").unwrap_or(1);
    eprintln!("{wanted} of {} worlds, seed {seed}", worlds.len());
    let step = worlds.len() / wanted;
    for number in 0..wanted {
        let within = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(number * 7_919) % step;
        block_on(run(&worlds[number * step + within]));
    }
}

#[test]
fn a_fault_at_every_call_does_no_harm() {
    let worlds = singles();
    assert!(worlds.len() > 5_000, "{}", worlds.len());
    run_all(&worlds, worlds.len());
}

#[test]
fn a_fault_right_after_another_does_no_harm() {
    let worlds = neighbours();
    run_all(&worlds, worlds.len());
}

#[test]
fn faults_in_pairs_do_no_harm() {
    let worlds = pairs();
    run_all(&worlds, worlds.len() / 10);
}
