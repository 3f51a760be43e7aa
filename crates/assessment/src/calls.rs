//! The calls of this turn, and what the record holds about each.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::key::Key;

/// The calls that an answer rests on.
///
/// Ordered maps on purpose: their cost has no bad case that the ids of a record could be chosen for.
#[derive(Default)]
pub(crate) struct Calls<'a> {
    positions: BTreeMap<Key<'a>, usize>,
    calls: Vec<Call<'a>>,
}

#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) id: &'a str,
    /// The record holds a coverage row of kind `absence` for it.
    pub(crate) absence_row: bool,
    /// The record holds a coverage row of kind `ledger` for it.
    pub(crate) ledger_row: bool,
    /// A result of it declares something by itself, and there is no row.
    pub(crate) declares: bool,
}

impl Call<'_> {
    pub(crate) fn has_rows(&self) -> bool {
        self.absence_row || self.ledger_row
    }
}

impl<'a> Calls<'a> {
    /// The position of the call of this id, entered where it is new.
    pub(crate) fn enter(&mut self, id: &'a str) -> usize {
        let next = self.calls.len();
        let at = *self.positions.entry(id.into()).or_insert(next);
        if at == next {
            self.calls.push(Call { id, absence_row: false, ledger_row: false, declares: false });
        }
        at
    }

    /// The call at a position that [`Calls::enter`] gave.
    pub(crate) fn at(&mut self, position: usize) -> &mut Call<'a> {
        &mut self.calls[position]
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.positions.contains_key(&Key::from(id))
    }

    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    /// How many of the calls declared their ground, by a row or by a result.
    pub(crate) fn declaring(&self) -> usize {
        self.calls.iter().filter(|call| call.has_rows() || call.declares).count()
    }

    /// The ids at these positions, each once, in their first-seen order.
    pub(crate) fn ids_in_order(&self, positions: impl Iterator<Item = usize>) -> Vec<Cow<'a, str>> {
        let mut left: Vec<_> = self.calls.iter().map(|call| Some(call.id)).collect();
        positions.filter_map(|at| left.get_mut(at)?.take()).map(Cow::Borrowed).collect()
    }
}
