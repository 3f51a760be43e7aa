//! Actions that are confirmed, and the policy that decides who may have them done.
#![allow(clippy::unwrap_used, clippy::panic)]

mod scene;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use answerplane_protocol::session_snapshot::ConfirmationStatus;
use answerplane_protocol::{ForeignValue, Identifier};
use answerplane_session::testing::{FaultyStore, ScriptedBackend, Trouble};
use answerplane_session::{
    Action, ActionFailed, Actions, ConfirmError, Confirmed, InnerPolicy, PolicyReason, Proposal, Session,
    SessionError, Stage, TrustedContext,
};
use serde_json::{Map, json};

use scene::{Scene, id, said};

fn refund() -> Proposal {
    Proposal::new(id("refund"), json!({ "amount": 12 }).as_object().unwrap().clone())
}

#[tokio::test]
async fn what_is_approved_is_done_once_and_says_what_came_of_it() {
    let scene = Scene::new();
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    let proposed = one.propose(refund().id("r-1")).await.unwrap();
    assert_eq!(proposed.token, id("confirm-r-1"));
    assert_eq!(proposed.tool_call_id, id("app-r-1"));
    assert_eq!(proposed.expires_at, scene::NOW.as_millis() + 300_000);
    assert_eq!(proposed.status, ConfirmationStatus::Pending);
    let (first, second) = tokio::join!(one.approve(&proposed.token), two.approve(&proposed.token));
    let outcomes = [first, second];
    let approved = outcomes.iter().flatten().filter(|it| it.status == ConfirmationStatus::Approved).count();
    assert!(approved >= 1, "{outcomes:?}");
    assert_eq!(scene.counts.of("ran confirm-r-1"), 1);
    let again = two.approve(&proposed.token).await.unwrap();
    assert_eq!(again.status, ConfirmationStatus::Approved);
    assert_eq!(again.receipt, Some(json!({ "paid": true })));
    assert_eq!(two.reject(&proposed.token).await.unwrap(), again);
    assert_eq!(scene.counts.of("ran confirm-r-1"), 1);
    assert_eq!(scene.open(3).await.confirmations().await.unwrap(), [again]);
    let snapshot = one.snapshot().await.unwrap();
    assert_eq!(snapshot.confirmations()[0].status(), &ConfirmationStatus::Approved);
}

#[tokio::test]
async fn what_is_rejected_or_late_is_denied_once() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    let first = session.propose(refund().id("r-1")).await.unwrap().token;
    let second = session.propose(refund().id("r-2").life(1_000)).await.unwrap().token;
    assert_eq!(session.reject(&first).await.unwrap().status, ConfirmationStatus::Rejected);
    assert_eq!(session.approve(&first).await.unwrap().status, ConfirmationStatus::Rejected);
    scene.clock.advance(Duration::from_millis(1_000));
    assert_eq!(session.approve(&second).await.unwrap().status, ConfirmationStatus::Expired);
    assert_eq!(session.reject(&second).await.unwrap().status, ConfirmationStatus::Expired);
    assert_eq!(scene.counts.of("denied confirm-r-1"), 1);
    assert_eq!(scene.counts.of("denied confirm-r-2"), 1);
    assert_eq!(scene.counts.of("ran confirm-r-1") + scene.counts.of("ran confirm-r-2"), 0);
}

#[tokio::test]
async fn what_fails_stays_as_it_was_claimed_and_is_not_done_again() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    let input = json!({ "fails": true }).as_object().unwrap().clone();
    let token = session.propose(Proposal::new(id("refund"), input).id("r-1")).await.unwrap().token;
    assert!(matches!(session.approve(&token).await, Err(ConfirmError::Failed(_))));
    assert_eq!(session.approve(&token).await.unwrap().status, ConfirmationStatus::Approving);
    assert_eq!(scene.counts.of("ran confirm-r-1"), 1);
}

#[tokio::test]
async fn what_is_not_put_up_for_confirmation_is_rejected_at_once() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    let input = json!({ "unasked": true }).as_object().unwrap().clone();
    let proposed = session.propose(Proposal::new(id("refund"), input)).await.unwrap();
    assert_eq!(proposed.status, ConfirmationStatus::Rejected);
}

#[tokio::test]
async fn bad_proposals_and_tokens_are_refused() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    for bad in ["", "a b", &"x".repeat(121)] {
        assert!(matches!(session.propose(refund().id(bad)).await, Err(ConfirmError::InvalidId)), "{bad}");
    }
    session.propose(refund().id("x".repeat(120))).await.unwrap();
    session.propose(refund().id("r-1")).await.unwrap();
    assert!(matches!(session.propose(refund().id("r-1")).await, Err(ConfirmError::IdUsed)));
    let mut deep = json!(1);
    for _ in 0..40 {
        deep = json!([deep]);
    }
    let input = json!({ "deep": deep }).as_object().unwrap().clone();
    let refused = session.propose(Proposal::new(id("refund"), input)).await;
    assert!(matches!(refused, Err(ConfirmError::InvalidInput)));
    for token in ["confirm-none", "app-r-1", "r-1"] {
        assert!(matches!(session.approve(&id(token)).await, Err(ConfirmError::UnknownToken)));
    }
    // Another session has none of them.
    let plane = ScriptedBackend::saying("x");
    let other = Session::open_with(
        id("visitor-18"),
        &scene.definition,
        Arc::new(plane),
        scene.store.clone(),
        scene.options(2),
    );
    let other = other.await.unwrap();
    assert!(matches!(other.approve(&id("confirm-r-1")).await, Err(ConfirmError::UnknownToken)));
}

#[tokio::test]
async fn of_more_than_a_thousand_the_oldest_settled_leaves() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    for number in 0..1_000 {
        session.propose(refund().id(format!("r-{number}"))).await.unwrap();
    }
    assert!(matches!(session.propose(refund()).await, Err(ConfirmError::Full)));
    session.reject(&id("confirm-r-500")).await.unwrap();
    session.propose(refund().id("new")).await.unwrap();
    assert!(matches!(session.approve(&id("confirm-r-500")).await, Err(ConfirmError::UnknownToken)));
    assert_eq!(session.confirmations().await.unwrap().len(), 1_000);
    assert_eq!(session.snapshot().await.unwrap().confirmations().len(), 1_000);
}

#[tokio::test]
async fn erased_while_it_is_done_it_is_done_once_and_the_approver_is_told() {
    let scene = Scene::new();
    let faulty = Arc::new(FaultyStore::new(scene.store.clone()));
    let one = scene.open_on(faulty.clone(), 1).await.unwrap();
    let token = one.propose(refund().id("r-1")).await.unwrap().token;
    // A load, the payload, the claim, and then what came of it waits.
    faulty.plan(3, Trouble::Delays);
    let erase = async {
        faulty.delayed().await;
        scene.open(2).await.erase().await.unwrap();
        faulty.resume();
    };
    let (approved, ()) = tokio::join!(one.approve(&token), erase);
    assert!(matches!(approved, Err(ConfirmError::Session(SessionError::Erased))), "{approved:?}");
    assert_eq!(scene.counts.of("ran confirm-r-1"), 1);
    assert!(scene.raw().await.is_none());
}

#[tokio::test]
async fn confirmations_go_on_while_a_turn_runs() {
    let scene = Scene::new();
    let (one, two) = (scene.open(1).await, scene.open(2).await);
    let mut turn = one.send("anything").await.unwrap();
    let token = two.propose(refund()).await.unwrap().token;
    assert_eq!(two.approve(&token).await.unwrap().status, ConfirmationStatus::Approved);
    let confirmation = one.propose(refund()).await.unwrap();
    assert_eq!(confirmation.turn.as_deref(), Some(turn.id().as_str()));
    assert_eq!(turn.text().await.unwrap(), "answer to anything");
    said(&one, "/reserve").await;
    assert_eq!(scene.open(3).await.view().await.messages.len(), 4);
}

#[tokio::test]
async fn what_a_turn_decides_is_written_with_its_record_and_never_before() {
    let scene = Scene::new();
    let session = scene.open(1).await;
    let turn = session.send("/reserve").await.unwrap();
    session.propose(refund()).await.unwrap();
    std::mem::forget((turn, session));
    scene.clock.advance(Duration::from_secs(311));
    let session = scene.open(2).await;
    session.save().await.unwrap();
    assert_eq!(scene.open(3).await.state().await.unwrap().state, "idle");
    assert!(session.snapshot().await.unwrap().conversation().unwrap().decisions().is_empty());
}

/// Nothing that is done, and whoever is asked.
struct Nothing;

#[async_trait::async_trait]
impl Action for Nothing {
    async fn run(&self, _: &Confirmed) -> Result<ForeignValue, ActionFailed> {
        panic!("canary")
    }
}

/// A policy that takes a capability away while it is asked, fails, or panics.
struct Inner(&'static str, Arc<AtomicUsize>);

#[async_trait::async_trait]
impl InnerPolicy for Inner {
    async fn allows(&self, _: &Identifier, _: &TrustedContext) -> Result<bool, ActionFailed> {
        match self.0 {
            "takes" => {
                self.1.store(0, Ordering::SeqCst);
                Ok(true)
            }
            "denies" => Ok(false),
            "fails" => Err(ActionFailed),
            _ => panic!("canary"),
        }
    }
}

#[tokio::test]
async fn a_policy_decides_from_what_is_certain_and_says_why() {
    let scene = Scene::new();
    let knows = |session: &'static str, capabilities: &'static [&'static str]| {
        Actions::default().action(id("refund"), ["refunds", "money"], Nothing).trust(move |_| {
            Some(TrustedContext {
                session: id(session),
                capabilities: capabilities.iter().map(|it| (*it).to_string()).collect(),
            })
        })
    };
    let able = Arc::new(AtomicUsize::new(1));
    let losing = {
        let able = able.clone();
        Actions::default().action(id("refund"), ["money"], Nothing).trust(move |session| {
            let capabilities =
                if able.load(Ordering::SeqCst) == 1 { vec!["money".to_string()] } else { vec![] };
            Some(TrustedContext {
                session: session.clone(),
                capabilities: capabilities.into_iter().collect(),
            })
        })
    };
    let all = &["refunds", "money"];
    let inner = |what| Inner(what, able.clone());
    let cases = [
        (Actions::default(), PolicyReason::MissingContext),
        (knows("visitor-18", all), PolicyReason::SessionMismatch),
        (knows("visitor-17", &["refunds"]), PolicyReason::MissingCapability),
        (knows("visitor-17", all), PolicyReason::Allowed),
        (knows("visitor-17", all).trust(|_| panic!("canary")), PolicyReason::PolicyFailure),
        (knows("visitor-17", all).policy(inner("denies")), PolicyReason::ComposedPolicyDenied),
        (knows("visitor-17", all).policy(inner("fails")), PolicyReason::PolicyFailure),
        (knows("visitor-17", all).policy(inner("panics")), PolicyReason::PolicyFailure),
        (losing.policy(inner("takes")), PolicyReason::MissingCapability),
    ];
    for (number, (actions, reason)) in cases.into_iter().enumerate() {
        let mut decided = actions.decided();
        let options = scene.options(number as u64).actions(actions);
        let backend = Arc::new(ScriptedBackend::saying("x"));
        let session =
            Session::open_with(id("visitor-17"), &scene.definition, backend, scene.store.clone(), options);
        let session = session.await.unwrap();
        let proposed = session.propose(Proposal::new(id("refund"), Map::new())).await;
        let trace = decided.try_recv().unwrap();
        assert_eq!((trace.reason, trace.stage, trace.action), (reason, Stage::Proposal, id("refund")));
        match (proposed, reason) {
            (Ok(confirmation), PolicyReason::Allowed) => {
                assert_eq!(trace.required, ["refunds", "money"]);
                // An action that panics has failed.
                let failed = session.approve(&confirmation.token).await;
                assert!(matches!(failed, Err(ConfirmError::Failed(_))));
                assert_eq!(decided.try_recv().unwrap().stage, Stage::Execution);
            }
            (Err(ConfirmError::Denied(denied)), _) => assert_eq!(denied, reason),
            (proposed, reason) => panic!("{proposed:?} for {reason:?}"),
        }
        let other = session.propose(Proposal::new(id("other"), Map::new())).await;
        assert!(matches!(other, Err(ConfirmError::Denied(_))));
    }
    let unregistered = scene.open(50).await.propose(Proposal::new(id("other"), Map::new())).await;
    assert!(matches!(unregistered, Err(ConfirmError::Denied(PolicyReason::ActionUnregistered))));
}

#[test]
fn without_a_store_what_failed_is_pending_again() {
    use answerplane_protocol::session_snapshot::{Confirmation, ConfirmationInput};
    use answerplane_session::{Decided, NotProposed, SnapshotSession};
    let mut session = SnapshotSession::new(id("visitor-17"), &scene::definition());
    let input = ConfirmationInput::new(&json!({})).unwrap();
    let until = answerplane_protocol::Integer::new(scene::NOW.as_millis() as u64 + 1_000).unwrap();
    let pending = Confirmation::pending(id("confirm-1"), id("refund"), input, id("app-1"), until);
    session.propose(pending.clone()).unwrap();
    assert_eq!(session.propose(pending.clone()), Err(NotProposed));
    let token = id("confirm-1");
    assert!(session.decide(&id("confirm-2"), true, scene::NOW).is_none());
    assert!(session.decided(&token).is_none());
    assert!(matches!(session.decide(&token, true, scene::NOW), Some(Decided::Run(_))));
    assert!(matches!(session.decide(&token, true, scene::NOW), Some(Decided::Before(_))));
    assert_eq!(session.undecided(&token), Some(pending));
    assert!(matches!(session.decide(&token, false, scene::NOW), Some(Decided::Deny(_))));
    assert_eq!(session.decided(&token).unwrap().status(), &ConfirmationStatus::Rejected);
    assert!(session.undecided(&token).is_none());
    let snapshot = session.snapshot(scene::NOW).unwrap();
    let mut resumed = SnapshotSession::resume(id("visitor-17"), &scene::definition(), &snapshot).unwrap();
    assert!(matches!(resumed.decide(&token, true, scene::NOW), Some(Decided::Before(_))));
}
