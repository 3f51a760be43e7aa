//! Choices, in random interleavings: what may be taken, by whom, and how often. `ANSWERPLANE_CASES` interleavings (10,000
//! unless set, and at most) of each kind, from `ANSWERPLANE_SEED`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod scene;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use answerplane_protocol::RenderFrame;
use answerplane_session::testing::ManualClock;
use answerplane_session::{
    AnswerPlane, Backend, BackendFailed, Chunk, ChunkKind, ChunkStream, Message, Reservation, Role, Session,
    SessionError, Start, Submission, Turn, TurnRequest,
};
use futures_util::{FutureExt, StreamExt, stream};
use serde_json::json;

use scene::{AMBIGUOUS, CHOICE, NOW, Scene, artifact, frame_in, id};

/// Numbers that look random, and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % sides as u64) as usize
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}

fn interleavings() -> impl Iterator<Item = Dice> {
    let seed = number("ANSWERPLANE_SEED", 1);
    eprintln!("seed {seed}");
    let cases = number("ANSWERPLANE_CASES", 10_000).min(10_000);
    (0..cases).map(move |case| Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(case)))
}

/// What is known of an offer in memory.
struct Known {
    message: String,
    frame: RenderFrame,
    offered: usize,
    claimed: bool,
}

/// Sessions in the order in which they were used, each with its offers.
#[derive(Default)]
struct Model {
    moment: usize,
    sessions: Vec<(String, usize, Vec<Known>)>,
}

impl Model {
    fn session(&mut self, name: &str) -> Option<&mut (String, usize, Vec<Known>)> {
        self.sessions.iter_mut().find(|(known, ..)| known == name)
    }

    fn offer(&mut self, session: &str, message: &str, frame: RenderFrame) {
        self.moment += 1;
        let moment = self.moment;
        if self.session(session).is_none() {
            if self.sessions.len() == answerplane_session::MAX_SESSIONS {
                let free = self.sessions.iter().enumerate();
                let free = free.filter(|(_, (_, _, offers))| offers.iter().all(|offer| !offer.claimed));
                let Some((oldest, _)) = free.min_by_key(|(_, (_, used, _))| *used) else { return };
                self.sessions.remove(oldest);
            }
            self.sessions.push((session.to_string(), moment, Vec::new()));
        }
        let (_, used, offers) = self.session(session).unwrap();
        *used = moment;
        let known = Known { message: message.to_string(), frame, offered: moment, claimed: false };
        if let Some(same) = offers.iter_mut().find(|offer| offer.message == message) {
            if !same.claimed {
                *same = known;
            }
            return;
        }
        if offers.len() == answerplane_session::MAX_OFFERS {
            let free = offers.iter().enumerate().filter(|(_, offer)| !offer.claimed);
            let Some((oldest, _)) = free.min_by_key(|(_, offer)| offer.offered) else { return };
            offers.remove(oldest);
        }
        offers.push(known);
    }

    fn claim(&mut self, session: &str, message: &str) -> bool {
        self.moment += 1;
        let moment = self.moment;
        let Some((_, used, offers)) = self.session(session) else { return false };
        let Some(offer) = offers.iter_mut().find(|offer| offer.message == message && !offer.claimed) else {
            return false;
        };
        offer.claimed = true;
        *used = moment;
        true
    }
}

fn offered(plane: &AnswerPlane, session: &str, message: &str) -> RenderFrame {
    let mut request = TurnRequest::new(vec![Message::of_user(message, AMBIGUOUS)]);
    request.session = Some(id(session));
    let chunk = plane.dispatch(request).next().now_or_never().unwrap().unwrap().unwrap();
    let ChunkKind::Text(text) = chunk.kind() else { panic!("a text") };
    frame_in(text)
}

#[test]
fn in_memory_the_rules_hold_in_every_interleaving() {
    let artifact = artifact();
    for (case, mut dice) in interleavings().enumerate() {
        let plane = AnswerPlane::new(artifact.clone()).clock(ManualClock::at(NOW));
        let mut model = Model::default();
        // Some begin where room runs out: of sessions, or of offers in one.
        let crowd = match case % 50 {
            0 => (254, 1),
            1 => (1, 254),
            _ => (0, 0),
        };
        for session in 0..crowd.0 {
            for message in 0..crowd.1 {
                let (session, message) = (format!("s{session}"), format!("m{message}"));
                let frame = offered(&plane, &session, &message);
                model.offer(&session, &message, frame);
            }
        }
        let mut held: Vec<(Reservation, String, String, bool)> = Vec::new();
        let sample = offered(&plane, "sample", "sample");
        model.offer("sample", "sample", sample.clone());
        for _ in 0..20 {
            let session = format!("s{}", if crowd.0 > 1 { dice.roll(260) } else { dice.roll(3) });
            let message = format!("m{}", if crowd.1 > 1 { dice.roll(260) } else { dice.roll(3) });
            match dice.roll(8) {
                0..=2 => {
                    let frame = offered(&plane, &session, &message);
                    model.offer(&session, &message, frame);
                }
                3..=4 => {
                    let known = model.session(&session).and_then(|(_, _, offers)| {
                        offers.iter().find(|it| it.message == message).map(|it| it.frame.clone())
                    });
                    let frame = known.unwrap_or_else(|| sample.clone());
                    let at = if frame == sample { "sample" } else { &message };
                    let expected = model.claim(&session, at);
                    match plane.reserve(&session, &frame, CHOICE.0) {
                        Submission::Reserved(reservation) => {
                            assert!(expected);
                            assert_eq!(reservation.value(), CHOICE.1);
                            held.push((reservation, session, at.to_string(), true));
                        }
                        Submission::Unavailable => assert!(!expected, "{session} {at}"),
                        Submission::NotOurs => panic!("it is ours"),
                    }
                }
                5..=6 if !held.is_empty() => {
                    let (reservation, session, message, is_valid) = held.swap_remove(dice.roll(held.len()));
                    let is_committed = dice.roll(2) == 0;
                    if is_committed {
                        reservation.commit();
                    } else if dice.roll(2) == 0 {
                        reservation.release();
                    } else {
                        drop(reservation);
                    }
                    if let Some((_, _, offers)) = model.session(&session).filter(|_| is_valid) {
                        let at = offers.iter().position(|offer| offer.message == message).unwrap();
                        if is_committed {
                            offers.remove(at);
                        } else {
                            offers[at].claimed = false;
                        }
                    }
                }
                7 => {
                    plane.release_session(&session);
                    model.sessions.retain(|(name, ..)| *name != session);
                    for (_, of, _, is_valid) in &mut held {
                        *is_valid &= *of != session;
                    }
                }
                _ => {}
            }
        }
    }
}

/// The plane, but where it is told to fail.
struct Failing(AnswerPlane);

impl Backend for Failing {
    fn answer(&self, request: TurnRequest) -> ChunkStream {
        if request.context.contains_key("fail") {
            return Box::pin(stream::iter([
                Ok(Chunk::text("half")),
                Err(BackendFailed::new("as it was told")),
            ]));
        }
        self.0.answer(request)
    }
}

async fn open(scene: &Scene, process: u64) -> Session {
    let plane = AnswerPlane::new(artifact()).clock(scene.clock.clone());
    let store = scene.store.clone();
    let options = scene.options(process);
    Session::open_with(id("visitor-17"), &scene.definition, Arc::new(Failing(plane)), store, options)
        .await
        .unwrap()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Open,
    Claimed,
    Consumed,
}

/// What is known of the offers in a store: message of the answer, frame, status; in the order in which they were made.
type Offers = Vec<(String, RenderFrame, Status)>;

fn make_room(offers: &mut Offers) {
    if offers.len() >= 256 {
        let consumed = offers.iter().position(|(_, _, status)| *status == Status::Consumed);
        let oldest = consumed.or_else(|| offers.iter().position(|(_, _, status)| *status == Status::Open));
        offers.remove(oldest.unwrap());
    }
}

/// The last answer: its message and its frame.
async fn last(session: &Session) -> (String, RenderFrame) {
    let message = session.view().await.messages.pop().unwrap();
    assert_eq!(message.role, Role::Assistant);
    let frame = frame_in(&message.text);
    (message.id, frame)
}

async fn walk(dice: &mut Dice, crowd: usize) {
    let mut scene = Scene::new();
    scene.retention = Some(Duration::from_secs(100_000));
    let mut sessions = [open(&scene, 1).await, open(&scene, 2).await];
    let mut processes = 2;
    let mut offers: Offers = Vec::new();
    let mut shown: VecDeque<(String, RenderFrame)> = VecDeque::new();
    // A turn that holds a choice, and which process runs it.
    let mut running: Option<(usize, Turn, Option<usize>)> = None;
    for _ in 0..crowd {
        sessions[0].send(AMBIGUOUS).await.unwrap().text().await.unwrap();
        let (message, frame) = last(&sessions[0]).await;
        offers.push((message, frame, Status::Open));
    }
    for _ in 0..14 {
        let who = dice.roll(2);
        let other_runs = running.as_ref().is_some_and(|(runner, ..)| *runner != who);
        match dice.roll(9) {
            0..=2 => {
                let again = shown.get(dice.roll(shown.len() + 1)).cloned();
                // Made anew where it still stands on the path; a newer operation stops the own turn.
                let on_path = match &again {
                    Some((message, _)) if !other_runs => {
                        if running.is_some() {
                            sessions[who].stop().await.unwrap();
                        }
                        sessions[who].refresh().await.unwrap();
                        sessions[who].view().await.messages.iter().any(|it| it.id == *message)
                    }
                    _ => false,
                };
                let start = match &again {
                    Some((message, _)) if on_path => Start::regenerate(Some(message)),
                    _ => Start::send(AMBIGUOUS),
                };
                let started = sessions[who].start(start).await;
                if other_runs {
                    assert!(matches!(started, Err(SessionError::Busy)));
                    continue;
                }
                if let Some((_, _, held)) = running.take() {
                    held.into_iter().for_each(|held| offers[held].2 = Status::Consumed);
                }
                started.unwrap().text().await.unwrap();
                let (message, frame) = last(&sessions[who]).await;
                if let Some(same) = offers.iter().position(|(_, known, _)| known == &frame) {
                    offers.remove(same);
                } else {
                    make_room(&mut offers);
                }
                offers.push((message.clone(), frame.clone(), Status::Open));
                shown.push_front((message, frame));
                shown.truncate(4);
            }
            3..=5 if !shown.is_empty() => {
                let (_, frame) = shown[dice.roll(shown.len())].clone();
                let fails = dice.roll(3) == 0;
                let mut start = Start::choose(&frame, CHOICE.0);
                if fails {
                    start = start.context(json!({ "fail": true }).as_object().unwrap().clone());
                }
                let started = sessions[who].start(start).await;
                if other_runs {
                    // Also where the other one holds this very choice.
                    assert!(matches!(started, Err(SessionError::Busy)), "{started:?}");
                    continue;
                }
                if let Some((_, _, held)) = running.take() {
                    held.into_iter().for_each(|held| offers[held].2 = Status::Consumed);
                }
                let at = offers.iter().position(|(_, known, _)| known == &frame);
                let is_open = at.filter(|at| offers[*at].2 == Status::Open);
                let mut turn = match (started, is_open) {
                    (Ok(turn), Some(_)) => turn,
                    (Err(SessionError::ChoiceUnavailable), None) => continue,
                    (started, is_open) => panic!("{started:?} where {is_open:?} is open"),
                };
                let at = is_open.unwrap();
                match dice.roll(3) {
                    0 => {
                        offers[at].2 = Status::Claimed;
                        running = Some((who, turn, Some(at)));
                    }
                    1 => {
                        drop(turn);
                        sessions[who].save().await.unwrap();
                        offers[at].2 = Status::Consumed;
                    }
                    _ => {
                        let outcome = turn.text().await;
                        assert_eq!(outcome.is_err(), fails);
                        offers[at].2 = if fails { Status::Open } else { Status::Consumed };
                    }
                }
            }
            6 => {
                // The process ends, and another one begins in its place.
                processes += 1;
                sessions[who] = open(&scene, processes).await;
                if let Some((_, turn, held)) = running.take_if(|(runner, ..)| *runner == who) {
                    std::mem::forget(turn);
                    scene.clock.advance(Duration::from_secs(311));
                    sessions[who].save().await.unwrap();
                    held.into_iter().for_each(|held| offers[held].2 = Status::Open);
                }
            }
            7 => {
                let other = 1 - who;
                if running.as_ref().is_some_and(|(runner, ..)| *runner == who) {
                    // The lease ends, and the other one goes on.
                    scene.clock.advance(Duration::from_secs(311));
                    sessions[other].save().await.unwrap();
                    let (_, turn, held) = running.take().unwrap();
                    held.into_iter().for_each(|held| offers[held].2 = Status::Open);
                    drop(turn);
                    let _ = sessions[who].stop().await;
                }
            }
            8 if dice.roll(4) == 0 && running.is_none() => {
                // Everything is forgotten, and begins anew.
                scene.clock.advance(Duration::from_secs(100_001));
                processes += 2;
                sessions = [open(&scene, processes - 1).await, open(&scene, processes).await];
                offers.clear();
            }
            _ => {}
        }
        // Nobody takes another's claim for the own.
        let claimed = offers.iter().filter(|(_, _, status)| *status == Status::Claimed).count();
        assert!(claimed <= 1);
    }
}

#[test]
fn in_a_store_the_rules_hold_in_every_interleaving() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for (case, mut dice) in interleavings().enumerate() {
        let crowd = if case % 100 == 0 { 252 } else { 0 };
        runtime.block_on(walk(&mut dice, crowd));
    }
}

#[tokio::test]
async fn an_offer_works_from_any_replica_and_after_a_restart_and_once() {
    let scene = Scene::new();
    let session = open(&scene, 1).await;
    session.send(AMBIGUOUS).await.unwrap().text().await.unwrap();
    let (_, frame) = last(&session).await;
    drop(session);
    let (one, two) = (open(&scene, 2).await, open(&scene, 3).await);
    let (first, second) = tokio::join!(one.choose(&frame, CHOICE.0), two.choose(&frame, CHOICE.0));
    let (mut won, mut lost) = (Vec::new(), Vec::new());
    for outcome in [first, second] {
        match outcome {
            Ok(turn) => won.push(turn),
            Err(error) => lost.push(error),
        }
    }
    assert!(matches!(lost[..], [SessionError::Busy]));
    won[0].text().await.unwrap();
    assert!(matches!(two.choose(&frame, CHOICE.0).await, Err(SessionError::ChoiceUnavailable)));
    let mut changed = json!(frame);
    changed["props"]["label"] = json!("another");
    let changed = RenderFrame::decode_value(&changed).unwrap();
    assert!(matches!(two.choose(&changed, CHOICE.0).await, Err(SessionError::ChoiceUnavailable)));
    let mut foreign = json!(frame);
    foreign["instanceId"] = json!("something-else");
    let foreign = RenderFrame::decode_value(&foreign).unwrap();
    assert!(matches!(two.choose(&foreign, CHOICE.0).await, Err(SessionError::NotOurs)));
}
