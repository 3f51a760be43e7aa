//! `schema`: JSON Schema of the wire types.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::file;
use crate::output::Output;
use crate::problem::{Cause, Problem};
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  answerplane schema
  answerplane schema artifact > artifact.schema.json
  answerplane schema --all schemas";

/// Print the JSON Schema (2020-12) of a wire type, or list them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The wire type; without it, all names are listed
    name: Option<String>,

    /// Write every schema to DIR, as NAME.schema.json
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    all: Option<PathBuf>,

    /// Print lists as one line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Problem> {
    let schemas = answerplane_conformance::schemas();
    let listed: Vec<String> = match (&arguments.name, &arguments.all) {
        (Some(name), _) => {
            let found = schemas.iter().find(|(known, _)| known == name);
            let (_, schema) = found.ok_or_else(|| Problem::new("NAME", Cause::NoSchema))?;
            output.write(pretty(schema, "NAME".as_ref())?.as_bytes());
            return Ok(Status::Good);
        }
        (None, Some(folder)) => {
            fs::create_dir_all(folder)
                .map_err(|error| Problem::new(folder.display(), Cause::Unwritable(error)))?;
            let write = |(name, schema): &(&str, _)| write(folder, name, schema);
            schemas.iter().map(write).collect::<Result<_, _>>()?
        }
        (None, None) => schemas.iter().map(|(name, _)| (*name).into()).collect(),
    };
    if arguments.json {
        output.json(&listed);
    } else {
        listed.iter().for_each(|line| output.line(line));
    }
    Ok(Status::Good)
}

fn write(folder: &Path, name: &str, schema: &impl Serialize) -> Result<String, Problem> {
    let path = folder.join(format!("{name}.schema.json"));
    let text = pretty(schema, &path)?;
    file::write(&path, text.as_bytes()).map_err(|cause| Problem::new(path.display(), cause))?;
    Ok(path.display().to_string())
}

fn pretty(schema: &impl Serialize, path: &Path) -> Result<String, Problem> {
    serde_json::to_string_pretty(schema)
        .map(|text| text + "\n")
        .map_err(|error| Problem::new(path.display(), Cause::Unwritable(error.into())))
}
