//! What fired and what ran, while a record is read.

use alloc::vec::Vec;
use core::array;

use crate::assessment::{CheckRun, FiredReason};
use crate::check::Check;
use crate::pointer::Pointer;
use crate::reason::Reason;

const REASONS: usize = Reason::ALL.len();

/// Reasons by their place in the report, and checks in the order they are entered.
pub(crate) struct Tally<'a> {
    witness: [Vec<Pointer<'a>>; REASONS],
    checked: Vec<CheckRun<'a>>,
}

impl<'a> Tally<'a> {
    pub(crate) fn new() -> Self {
        Self { witness: array::from_fn(|_| Vec::new()), checked: Vec::new() }
    }

    /// One occurrence of a reason.
    pub(crate) fn fire(&mut self, reason: Reason, witness: Pointer<'a>) {
        self.witness[reason as usize].push(witness);
    }

    /// A check that had `of` things to look at and came to a verdict on `ran`; none where there was nothing.
    pub(crate) fn check(&mut self, check: Check, ran: usize, of: usize, witness: Vec<Pointer<'a>>) {
        if of > 0 {
            self.checked.push(CheckRun { check, ran, of, witness });
        }
    }

    /// A check with a verdict on each of the things it looked at.
    pub(crate) fn check_all(&mut self, check: Check, witness: Vec<Pointer<'a>>) {
        self.check(check, witness.len(), witness.len(), witness);
    }

    /// The reasons in report order, and the checks.
    pub(crate) fn finish(self) -> (Vec<FiredReason<'a>>, Vec<CheckRun<'a>>) {
        let fired = Reason::ALL.iter().zip(self.witness).filter(|(_, witness)| !witness.is_empty());
        (fired.map(|(reason, witness)| FiredReason { reason: *reason, witness }).collect(), self.checked)
    }
}
