#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod word;

mod answer;
mod arguments;
mod assessment;
mod calls;
mod check;
mod conflict;
mod contingent;
mod coverage;
mod declarations;
mod emptiness;
mod envelope;
mod error;
mod fold;
mod how_sure;
mod json;
mod key;
mod ledger;
mod line;
mod live;
mod period;
mod pointer;
mod projection;
mod reason;
mod record;
mod saved;
#[cfg(feature = "schema")]
pub mod schema;
mod standing;
mod state;
mod tally;
mod turn;
mod words;
pub mod write;

pub use assessment::{Assessment, CheckRun, FiredReason, FiredReasons, Outcome, Support};
pub use check::Check;
pub use declarations::{Declarations, FRAME_OPENINGS};
pub use error::CallerError;
pub use fold::{assess, fold_state};
pub use how_sure::{Fact, FactStatus, HowSure, HowSureLine, Item, Missing, TurnEnd, how_sure};
pub use line::{AssumedValues, below_answer, standing_line};
pub use live::{LiveRun, assess_live};
pub use pointer::{Pointer, StatePath};
pub use projection::{CheckCount, Projection};
pub use reason::{Class, Layer, Reason};
pub use record::{REDACTION_MARKER, Record, Served};
pub use saved::SavedRecord;
pub use standing::{AssessmentValue, Standing, TurnFrom};
pub use state::{PLACEHOLDERS, StateKey};

// The page's examples run as this crate's own.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/assessment.md")]
struct Page;
