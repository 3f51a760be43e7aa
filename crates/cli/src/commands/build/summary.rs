//! What a person sees of a build.

use std::path::Path;

use answerplane_author::emit::Report;
use answerplane_protocol::Artifact;

use crate::commands::build::publish::Published;
use crate::figures::{bar, counted, grouped, show_share};
use crate::output::{CAUTION, FAINT, GOOD, Output, STRONG};

/// How many removed files are named.
const NAMED: usize = 3;

pub(super) fn show(report: &Report, published: &Published, folder: &Path, output: &mut Output) {
    if published.written.is_empty() {
        output.styled(GOOD, "unchanged").line(&format!("  {}", folder.display()));
    } else {
        output.styled(GOOD, "written").line(&format!("  {}", folder.display()));
    }
    if published.removed.len() > NAMED {
        let files = counted(published.removed.len(), "file");
        output.styled(FAINT, &format!("removed  {files} of earlier builds (--json names them)")).end_line();
    } else {
        for name in &published.removed {
            output.styled(FAINT, &format!("removed  {name}, of an earlier build")).end_line();
        }
    }
    output.styled(STRONG, "Entries").end_line();
    let most = report.kinds.iter().map(|kind| kind.entries).max().unwrap_or(0);
    for kind in &report.kinds {
        output.print(&format!(
            "  {:<15} {:>6} {:>11} bytes",
            kind.kind,
            grouped(kind.entries),
            grouped(kind.bytes)
        ));
        if output.is_terminal() {
            output.print("  ").styled(FAINT, &bar(kind.entries, most));
        }
        output.end_line();
    }
    output.styled(STRONG, "Aliases").end_line();
    let variants: usize = report.variants.values().sum();
    output.line(&format!(
        "  {} with {} keys: {} typing variants, {} added, {} qualified",
        grouped(report.aliases),
        grouped(report.keys),
        grouped(variants),
        grouped(report.invented + report.labels),
        grouped(report.qualified)
    ));
    if report.continuations > 0 {
        output.line(&format!(
            "  {} for keys beyond the 16 of an entry: {} bytes",
            counted(report.continuations, "continuation"),
            grouped(report.continuation_bytes)
        ));
    }
    let style = if report.ambiguous_keys == 0 { GOOD } else { CAUTION };
    output.print("  ").styled(style, &counted(report.ambiguous_keys, "ambiguous key")).end_line();
    output.styled(STRONG, "Size").end_line();
    for shard in &report.shards {
        show_share(&shard.site_id, shard.bytes, Artifact::MAX_TEXT_BYTES, output);
    }
    output
        .styled(FAINT, &format!("  room for {} more entries of average size", grouped(report.room_entries)))
        .end_line();
    output.styled(STRONG, "Largest entries").end_line();
    for entry in &report.largest {
        output.print(&format!("  {:>11} bytes  {}", grouped(entry.bytes), entry.id));
        output.styled(FAINT, &format!("  {}", entry.file)).end_line();
    }
}
