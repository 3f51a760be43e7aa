//! An assessment as names and counts, the part of it that travels.

use alloc::vec::Vec;

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use serde_json::Value;

use crate::assessment::Assessment;
use crate::check::Check;
use crate::json::whole_number;
use crate::reason::{Class, Reason};
use crate::standing::{AssessmentValue, Standing};

/// An assessment without witness, digest or any other value of the record: what a turn's metadata carries.
///
/// ```
/// use answerplane_assessment::{Declarations, Projection, Record, assess};
/// use serde_json::json;
///
/// let record = json!({ "snapshot": { "sharedState": { "stoppedEarly": {} } } });
/// let projection = Projection::of(&assess(Record::new(&record)?, &Declarations::default()));
/// let sent = serde_json::to_value(&projection).unwrap();
/// assert_eq!(sent, json!({
///     "assessment": "unknown", "standing": "not-sure", "reasons": ["stopped-early"], "checked": []
/// }));
/// assert_eq!(Projection::read(&sent), Some(projection));
/// # Ok::<(), answerplane_assessment::CallerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Projection {
    assessment: AssessmentValue,
    standing: Standing,
    reasons: Vec<Reason>,
    checked: Vec<CheckCount>,
}

/// How far a check came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckCount {
    check: Check,
    ran: usize,
    of: usize,
}

impl CheckCount {
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

    /// How many things there were to look at.
    #[must_use]
    pub fn of(&self) -> usize {
        self.of
    }
}

impl Projection {
    /// The projection of an assessment.
    #[must_use]
    pub fn of(assessment: &Assessment<'_>) -> Self {
        let checked = assessment.checked().iter();
        Self {
            assessment: assessment.value(),
            standing: assessment.standing(),
            reasons: assessment.reasons().iter().map(|fired| fired.reason()).collect(),
            checked: checked
                .map(|run| CheckCount { check: run.check(), ran: run.ran(), of: run.of() })
                .collect(),
        }
    }

    /// A projection read back from where it was kept.
    ///
    /// Nothing, rather than a part of it, when a word is not of this version, a count is no whole number from 0,
    /// a check's layer is not its own, value and standing do not follow from reasons and counts (an answer is known only
    /// where the app's checks ran, consistent only where a check did), a check had nothing to look at or ran more
    /// often than it could, or reasons or checks are repeated or not in the order of the report. Which check is behind which
    /// reason is not compared.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        let word = |member| value.get(member).and_then(Value::as_str);
        let assessment = AssessmentValue::from_word(word("assessment")?)?;
        let standing = Standing::from_word(word("standing")?)?;
        let reasons = value.get("reasons")?.as_array()?.iter();
        let reasons: Vec<_> =
            reasons.map(|reason| Reason::from_word(reason.as_str()?)).collect::<Option<_>>()?;
        let checked: Vec<_> =
            value.get("checked")?.as_array()?.iter().map(read_check).collect::<Option<_>>()?;
        if !reasons.is_sorted_by(|one, next| one < next)
            || !checked.is_sorted_by(|one: &CheckCount, next| one.check < next.check)
        {
            return None;
        }

        let asks = reasons.iter().any(|reason| reason.class() == Class::Ask);
        let follows = match assessment {
            AssessmentValue::Known => Standing::Known,
            AssessmentValue::Unrefuted => Standing::Consistent,
            AssessmentValue::Unknown if asks => Standing::Ask,
            AssessmentValue::Unknown => Standing::NotSure,
            AssessmentValue::NotApplicable => Standing::NotAssessed,
        };
        let is_unknown = assessment == AssessmentValue::Unknown;
        let any_ran = checked.iter().any(|count| count.ran > 0);
        let counts_fit = match assessment {
            AssessmentValue::Unrefuted => any_ran,
            AssessmentValue::NotApplicable => !any_ran,
            AssessmentValue::Known => {
                checked.iter().any(|count| count.check == Check::AnswerChecks && count.ran > 0)
            }
            AssessmentValue::Unknown => true,
        };
        (standing == follows && is_unknown != reasons.is_empty() && counts_fit).then_some(Self {
            assessment,
            standing,
            reasons,
            checked,
        })
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> AssessmentValue {
        self.assessment
    }

    /// The word the answer is served under.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// The reasons, in report order.
    #[must_use]
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// The checks that had something to look at.
    #[must_use]
    pub fn checked(&self) -> &[CheckCount] {
        &self.checked
    }
}

fn read_check(entry: &Value) -> Option<CheckCount> {
    let check = Check::from_word(entry.get("check")?.as_str()?)?;
    let count = |member| usize::try_from(whole_number(entry.get(member)?)?).ok();
    if whole_number(entry.get("layer")?)? != u64::from(check.layer().number()) {
        return None;
    }
    let (ran, of) = (count("ran")?, count("of")?);
    (of > 0 && ran <= of).then_some(CheckCount { check, ran, of })
}

impl Serialize for CheckCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("CheckCount", 4)?;
        out.serialize_field("layer", &self.check.layer().number())?;
        out.serialize_field("check", &self.check)?;
        out.serialize_field("ran", &self.ran)?;
        out.serialize_field("of", &self.of)?;
        out.end()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for CheckCount {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "CheckCount".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let check = generator.subschema_for::<Check>();
        schemars::json_schema!({
            "type": "object",
            "properties": {
                "layer": { "enum": [2, 3, 4] },
                "check": check,
                "ran": { "type": "integer", "minimum": 0 },
                "of": { "type": "integer", "minimum": 0 }
            },
            "required": ["layer", "check", "ran", "of"]
        })
    }
}
