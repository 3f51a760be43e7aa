//! Panics of code that is not ours.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a closure gives, or nothing where it panics. What it panicked with is leaked: dropping it may panic as well.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).map_err(std::mem::forget).ok()
}
