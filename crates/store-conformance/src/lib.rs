#![doc = include_str!("../README.md")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // what fails here is a test

pub mod endurance;
mod expiry;
mod hostile;
mod journals;
mod listing;
mod outcomes;
pub mod proxy;
mod races;
pub mod servers;
mod writes;

use std::sync::Arc;

use answerplane_store::{Key, Store, Version, Write};

/// The rules, one function each, as [`store_conformance!`] runs them. Each takes a store that holds nothing.
pub mod rules {
    pub use crate::expiry::*;
    pub use crate::hostile::*;
    pub use crate::journals::*;
    pub use crate::listing::*;
    pub use crate::outcomes::*;
    pub use crate::races::*;
    pub use crate::writes::*;
}

/// A test for every rule, for the stores that a function opens: `async fn() -> Option<Arc<dyn Store>>`, `None` where
/// the store cannot be had on this machine.
#[macro_export]
macro_rules! store_conformance {
    ($open:expr) => {
        $crate::store_conformance! { @each $open;
            a_document_is_made_changed_and_deleted
            what_is_not_as_expected_conflicts
            a_conflict_leaves_nothing
            versions_never_return
            a_new_life_has_nothing_of_the_old
            records_are_numbered_by_their_order
            a_cut_keeps_the_numbers
            a_cut_beyond_the_length_cuts_everything
            what_is_not_kept_is_gone
            appends_come_before_cuts
            what_has_expired_is_absent
            the_last_write_decides_about_expiry
            an_expired_document_is_replaced_as_absent
            only_the_callers_clock_counts
            a_purge_removes_what_has_expired
            keys_are_listed_in_their_order
            keys_are_listed_in_pages
            any_text_is_a_part_of_a_key
            any_text_names_a_journal
            bytes_are_kept_as_they_are
            a_write_has_a_limit
            many_records_in_one_write
            of_many_that_make_one_wins
            of_many_that_change_none_is_lost
            a_reader_never_sees_half_a_write
            a_dropped_write_is_whole_or_nothing
            equal_content_is_no_success
            a_failed_write_leaves_no_record
            a_lost_request_leaves_no_record
            a_lost_acknowledgement_conflicts_when_repeated
            a_foreign_write_ends_an_unknown_one
            a_delayed_write_meets_what_came_before_it
            a_late_write_never_reaches_the_next_life
            a_late_delete_never_reaches_the_next_life
        }
    };
    (@each $open:expr; $($rule:ident)*) => {
        $(
            #[test]
            fn $rule() {
                $crate::run($open, $crate::rules::$rule);
            }
        )*
    };
}

/// Runs one rule on a store that was opened for it.
#[doc(hidden)]
pub fn run<O, R>(open: impl FnOnce() -> O, rule: impl FnOnce(Arc<dyn Store>) -> R)
where
    O: Future<Output = Option<Arc<dyn Store>>>,
    R: Future<Output = ()>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        if let Some(store) = open().await {
            rule(store).await;
        }
    });
}

/// A moment in 2026, in milliseconds since 1970.
pub(crate) const NOW: i64 = 1_780_000_000_000;

pub(crate) fn key(name: &str) -> Key {
    Key::new(["conformance", name]).expect("it is short")
}

/// Makes a document from nothing.
pub(crate) async fn make(store: &dyn Store, key: &Key, write: Write) -> Version {
    store.replace(key, answerplane_store::Expected::Absent, write, NOW).await.expect("it is absent")
}
