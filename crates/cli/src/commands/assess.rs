//! `assess`: how an answer stands on the record of its run.

use std::path::{Path, PathBuf};

use answerplane_assessment::{
    Assessment, AssessmentValue, AssumedValues, CallerError, Declarations, FactStatus, Projection, Record,
    SavedRecord, Standing, TurnEnd, assess, how_sure, standing_line,
};

use crate::file;
use crate::output::{BAD, CAUTION, FAINT, GOOD, Output, STRONG};
use crate::problem::{Cause, Problem};
use crate::status::Status;

/// How many bytes of a record are read.
const MAX_RECORD_BYTES: usize = 64 << 20;

const EXAMPLES: &str = "\
Examples:
  answerplane assess run.json
  answerplane assess run.json --declarations tools.json --explain
  answerplane assess run.json --json

Exit status: 0 known or consistent, 1 ask, not sure or not assessed, 2 the record or the declarations are unreadable
or refused.";

/// Say how an answer stands, folded from the record of the run that gave it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A recording of a run, a snapshot or a checkpoint, as JSON; - reads standard input
    record: PathBuf,

    /// What the tools of the run declare about their results, as JSON
    #[arg(long, value_name = "FILE")]
    declarations: Option<PathBuf>,

    /// Name every reason and check, and the places of the record that they rest on
    #[arg(long, conflicts_with = "json")]
    explain: bool,

    /// Print the assessment as one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let declarations = match &arguments.declarations {
        Some(path) => read(path, file::read_within, |text| Declarations::decode(text))?,
        None => Declarations::default(),
    };
    let saved = read(&arguments.record, file::read_input_within, |text| SavedRecord::decode(text))?;
    let record = saved.record();
    let assessment = assess(record, &declarations);
    if arguments.json {
        output.json(&assessment);
    } else {
        show(&assessment, record, output);
        if arguments.explain {
            explain(&assessment, record, output);
        }
    }
    Ok(Status::good_if(matches!(assessment.value(), AssessmentValue::Known | AssessmentValue::Unrefuted)))
}

fn read<T>(
    path: &Path,
    bytes: impl FnOnce(&Path, usize) -> Result<Vec<u8>, Cause>,
    decode: impl FnOnce(&[u8]) -> Result<T, CallerError>,
) -> Result<T, Problem> {
    let bytes = bytes(path, MAX_RECORD_BYTES).map_err(|cause| Problem::new(path.display(), cause))?;
    decode(&bytes).map_err(|error| Problem::new(path.display(), Cause::NotAssessable(error)))
}

fn show(assessment: &Assessment<'_>, record: Record<'_>, output: &mut Output) {
    let line = standing_line(&Projection::of(assessment), &AssumedValues::read(assessment, record));
    let style = match assessment.standing() {
        Standing::Known => GOOD,
        Standing::Consistent | Standing::Ask => CAUTION,
        Standing::NotSure => BAD,
        Standing::NotAssessed => FAINT,
    };
    let (standing, rest) = line.split_once(" — ").unwrap_or((&line, ""));
    output.styled(style, standing).line(&format!(" — {rest}"));
}

fn explain(assessment: &Assessment<'_>, record: Record<'_>, output: &mut Output) {
    for fired in assessment.reasons() {
        output.end_line();
        output.styled(STRONG, fired.reason().as_str()).line(&format!("  {}", fired.reason().reads()));
        witnesses(fired.witness(), output);
    }
    for run in assessment.checked() {
        output.end_line();
        output.styled(STRONG, run.check().as_str()).line(&format!("  ran {} of {}", run.ran(), run.of()));
        witnesses(run.witness(), output);
    }
    let rests_on: Vec<&str> = assessment.rests_on().collect();
    if !rests_on.is_empty() {
        output.end_line();
        output.styled(STRONG, "rests on").line(&format!("  {}", rests_on.join(", ")));
    }
    if let Some(keys) = assessment.kept_out() {
        let keys: Vec<&str> = keys.iter().map(|key| key.as_str()).collect();
        output.end_line();
        output.styled(STRONG, "kept out").line(&format!("  {}", keys.join(", ")));
    }
    if let Some(support) = assessment.support() {
        output.end_line();
        output.styled(STRONG, "judged").line(&format!("  {}", support.report_digest()));
    }
    // Whoever asks how an answer stands has one. Whether it was given, only events tell, and many a record has none.
    let sure = how_sure(assessment, record, TurnEnd::Shown);
    output.end_line();
    output.line(sure.headline());
    for line in sure.lines() {
        output.line(&format!("  {}", line.text()));
    }
    if record.turn_end() == TurnEnd::NotShown
        && sure.fact().status() == FactStatus::Recorded
        && assessment.standing() != Standing::Ask
    {
        output.end_line();
        output.line("No event of the record shows the end of the turn: this is how the answer stands if it was given.");
    }
}

/// Places in the record, never what stands there.
fn witnesses(pointers: &[answerplane_assessment::Pointer<'_>], output: &mut Output) {
    for pointer in pointers {
        let place = serde_json::to_string(pointer).unwrap_or_default();
        output.styled(FAINT, &format!("  {place}")).end_line();
    }
}
