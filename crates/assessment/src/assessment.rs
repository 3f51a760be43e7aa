//! The result of the fold.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use serde::Serialize;
use serde::ser::Serializer;

use crate::check::Check;
use crate::pointer::Pointer;
use crate::reason::{Class, Reason};
use crate::standing::{AssessmentValue, Standing, TurnFrom};
use crate::state::StateKey;

/// How an answer stands against what its record can check.
///
/// It borrows call ids and the digest from the record and holds no other text of it. Serialized, it is the
/// assessment of the protocol, members in fixed order, and equal records give equal bytes.
///
/// ```
/// use answerplane_assessment::{Declarations, Reason, Record, Standing, assess};
/// use serde_json::json;
///
/// let record = json!({ "snapshot": { "sharedState": { "history": [
///     { "role": "user", "content": "Which ports are free?" },
///     { "role": "tool", "toolName": "list_ports", "toolCallId": "c1", "content": "[]" },
/// ] } } });
/// let assessment = assess(Record::new(&record)?, &Declarations::default());
/// assert_eq!(assessment.standing(), Standing::NotSure);
/// assert_eq!(assessment.reasons()[0].reason(), Reason::EmptyUndeclared);
/// assert_eq!(assessment.rests_on().collect::<Vec<_>>(), ["c1"]);
/// # Ok::<(), answerplane_assessment::CallerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment<'a> {
    pub(crate) outcome: Outcome<'a>,
    pub(crate) checked: Vec<CheckRun<'a>>,
    pub(crate) turn_from: TurnFrom,
    pub(crate) rests_on: Vec<Cow<'a, str>>,
}

/// What the fold came to, with what belongs to just that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// No reason fired, and this supports the answer.
    Known(Support<'a>),
    /// No reason fired, and some check ran.
    Unrefuted,
    /// These reasons fired.
    Unknown(FiredReasons<'a>),
    /// No reason fired, and no check ran.
    NotApplicable,
    /// The record was served under a policy that keeps out keys the fold asked for, in ascending order.
    KeptOut(Vec<StateKey>),
}

/// What makes an answer known: a passed, enforced validation report that names the judged bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support<'a> {
    pub(crate) report_digest: Cow<'a, str>,
}

impl Support<'_> {
    /// The digest in the report, as it stands there. Never empty.
    #[must_use]
    pub fn report_digest(&self) -> &str {
        &self.report_digest
    }
}

/// Reasons that fired, at least one, each once, in report order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FiredReasons<'a>(Vec<FiredReason<'a>>);

impl<'a> FiredReasons<'a> {
    pub(crate) fn new(reasons: Vec<FiredReason<'a>>) -> Option<Self> {
        (!reasons.is_empty()).then_some(Self(reasons))
    }

    /// The reasons, at least one.
    #[must_use]
    pub fn as_slice(&self) -> &[FiredReason<'a>] {
        &self.0
    }

    /// Whether the person can settle one of them by replying.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.0.iter().any(|fired| fired.reason.class() == Class::Ask)
    }
}

/// A reason with the places it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FiredReason<'a> {
    pub(crate) reason: Reason,
    pub(crate) witness: Vec<Pointer<'a>>,
}

impl<'a> FiredReason<'a> {
    /// Which reason.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// One pointer or more for each time it fired, in that order.
    #[must_use]
    pub fn witness(&self) -> &[Pointer<'a>] {
        &self.witness
    }
}

/// A check that had something to look at. That it ran never says that it passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckRun<'a> {
    pub(crate) check: Check,
    pub(crate) ran: usize,
    pub(crate) of: usize,
    pub(crate) witness: Vec<Pointer<'a>>,
}

impl<'a> CheckRun<'a> {
    /// Which check.
    #[must_use]
    pub fn check(&self) -> Check {
        self.check
    }

    /// On how many things it came to a verdict.
    #[must_use]
    pub fn ran(&self) -> usize {
        self.ran
    }

    /// How many things there were to look at. Never zero, and never less than [`CheckRun::ran`].
    #[must_use]
    pub fn of(&self) -> usize {
        self.of
    }

    /// What is behind the verdicts.
    #[must_use]
    pub fn witness(&self) -> &[Pointer<'a>] {
        &self.witness
    }
}

impl<'a> Assessment<'a> {
    /// What the fold came to.
    #[must_use]
    pub fn outcome(&self) -> &Outcome<'a> {
        &self.outcome
    }

    /// The value on the wire.
    #[must_use]
    pub fn value(&self) -> AssessmentValue {
        match &self.outcome {
            Outcome::Known(_) => AssessmentValue::Known,
            Outcome::Unrefuted => AssessmentValue::Unrefuted,
            Outcome::Unknown(_) => AssessmentValue::Unknown,
            Outcome::NotApplicable | Outcome::KeptOut(_) => AssessmentValue::NotApplicable,
        }
    }

    /// The word the answer is served under.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match &self.outcome {
            Outcome::Known(_) => Standing::Known,
            Outcome::Unrefuted => Standing::Consistent,
            Outcome::Unknown(reasons) if reasons.asks() => Standing::Ask,
            Outcome::Unknown(_) => Standing::NotSure,
            Outcome::NotApplicable | Outcome::KeptOut(_) => Standing::NotAssessed,
        }
    }

    /// The reasons that fired, in report order; none for any outcome but [`Outcome::Unknown`].
    #[must_use]
    pub fn reasons(&self) -> &[FiredReason<'a>] {
        match &self.outcome {
            Outcome::Unknown(reasons) => reasons.as_slice(),
            _ => &[],
        }
    }

    /// What supports the answer, where it is known.
    #[must_use]
    pub fn support(&self) -> Option<&Support<'a>> {
        match &self.outcome {
            Outcome::Known(support) => Some(support),
            _ => None,
        }
    }

    /// The checks that had something to look at, in their fixed order.
    #[must_use]
    pub fn checked(&self) -> &[CheckRun<'a>] {
        &self.checked
    }

    /// Where the turn that was read begins.
    #[must_use]
    pub fn turn_from(&self) -> TurnFrom {
        self.turn_from
    }

    /// The keys that were asked for and are kept out, where there are any.
    #[must_use]
    pub fn kept_out(&self) -> Option<&[StateKey]> {
        match &self.outcome {
            Outcome::KeptOut(keys) => Some(keys),
            _ => None,
        }
    }

    /// The ids of this turn's calls, in first-seen order: those of its results, then those of coverage rows.
    /// None where keys are kept out. Not part of the wire value.
    pub fn rests_on(&self) -> impl Iterator<Item = &str> {
        self.rests_on.iter().map(AsRef::as_ref)
    }

    /// The same with no borrow of the record.
    #[must_use]
    pub fn into_owned(self) -> Assessment<'static> {
        Assessment {
            outcome: match self.outcome {
                Outcome::Known(support) => {
                    Outcome::Known(Support { report_digest: owned(support.report_digest) })
                }
                Outcome::Unrefuted => Outcome::Unrefuted,
                Outcome::Unknown(reasons) => {
                    let reasons = reasons.0.into_iter();
                    let reasons = reasons.map(|FiredReason { reason, witness }| FiredReason {
                        reason,
                        witness: all_owned(witness),
                    });
                    Outcome::Unknown(FiredReasons(reasons.collect()))
                }
                Outcome::NotApplicable => Outcome::NotApplicable,
                Outcome::KeptOut(keys) => Outcome::KeptOut(keys),
            },
            checked: self
                .checked
                .into_iter()
                .map(|CheckRun { check, ran, of, witness }| CheckRun {
                    check,
                    ran,
                    of,
                    witness: all_owned(witness),
                })
                .collect(),
            turn_from: self.turn_from,
            rests_on: self.rests_on.into_iter().map(owned).collect(),
        }
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

fn all_owned(witness: Vec<Pointer<'_>>) -> Vec<Pointer<'static>> {
    witness.into_iter().map(Pointer::into_owned).collect()
}

/// How an answer stands against the record of its run.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Assessment"))]
pub(crate) struct AssessmentWire<'w> {
    assessment: AssessmentValue,
    standing: Standing,
    reasons: Vec<ReasonWire<'w>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    support: Option<SupportWire<'w>>,
    checked: Vec<CheckWire<'w>>,
    turn_from: TurnFrom,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept_out: Option<&'w [StateKey]>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FiredReason"))]
struct ReasonWire<'w> {
    reason: Reason,
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<u8>,
    witness: &'w [Pointer<'w>],
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Support"))]
enum SupportWire<'w> {
    AnswerValidation { report_digest: &'w str },
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CheckRun"))]
struct CheckWire<'w> {
    layer: u8,
    check: Check,
    ran: usize,
    of: usize,
    witness: &'w [Pointer<'w>],
}

impl Serialize for Assessment<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let reasons = self.reasons().iter().map(|fired| ReasonWire {
            reason: fired.reason,
            layer: fired.reason.layer().map(crate::Layer::number),
            witness: &fired.witness,
        });
        let checked = self.checked.iter().map(|run| CheckWire {
            layer: run.check.layer().number(),
            check: run.check,
            ran: run.ran,
            of: run.of,
            witness: &run.witness,
        });
        let wire = AssessmentWire {
            assessment: self.value(),
            standing: self.standing(),
            reasons: reasons.collect(),
            support: self
                .support()
                .map(|support| SupportWire::AnswerValidation { report_digest: support.report_digest() }),
            checked: checked.collect(),
            turn_from: self.turn_from,
            kept_out: self.kept_out(),
        };
        wire.serialize(serializer)
    }
}
