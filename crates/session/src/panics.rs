//! Panics of code that is not ours.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

/// What a closure gives, or nothing where it panics. What it panicked with is leaked: dropping it may panic as well.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).map_err(std::mem::forget).ok()
}

/// What comes of a call that is waited for, or nothing where it panics, at once or later.
pub(crate) async fn caught_call<'c, T>(
    call: impl FnOnce() -> Pin<Box<dyn Future<Output = T> + Send + 'c>> + Send,
) -> Option<T> {
    let mut future = caught(call)?;
    let outcome = poll_fn(|task| match caught(|| future.as_mut().poll(task)) {
        Some(Poll::Pending) => Poll::Pending,
        Some(Poll::Ready(outcome)) => Poll::Ready(Some(outcome)),
        None => Poll::Ready(None),
    });
    let outcome = outcome.await;
    let _ = caught(|| drop(future));
    outcome
}
