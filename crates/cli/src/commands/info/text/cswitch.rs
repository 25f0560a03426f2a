//! Text output for context-switch logs.

use super::FormatSummary;
use crate::commands::info::document::{CswitchDocument, LogDocument};
use rtoscope_command::output::{self, append_section};
use rtoscope_trace::diagnostic::pluralise;

pub(super) fn summary_rows(document: &CswitchDocument) -> FormatSummary {
    let format = format!(
        "context-switch log{}, {} endian, {}-byte pointers",
        if document.contained { " (CSWL)" } else { "" },
        document.endianness,
        document.pointer_bytes
    );
    let names = format!(
        "{} of {}",
        document.named_threads,
        pluralise(document.threads as u64, "thread", "threads")
    );
    let code = format!(
        "{} of {} in known functions",
        document.resolved_code_addresses,
        pluralise(document.code_addresses as u64, "address", "addresses")
    );
    let lost = document
        .logs
        .iter()
        .map(|log| log.lost)
        .sum::<Option<u64>>();
    let skipped: u64 = document.logs.iter().map(|log| log.skipped).sum();
    let lost = match lost {
        Some(lost) => pluralise(lost, "entry", "entries") + " dropped",
        None => "dropped entries are not counted".to_owned(),
    };
    let losses = format!("{lost}, {skipped} skipped");
    let facts = vec![("names", names), ("code", code), ("losses", losses)];
    (format, facts)
}

pub(super) fn append_sections(text: &mut String, document: &CswitchDocument) {
    let rows = document.logs.iter().map(|log| {
        vec![
            log.core.to_string(),
            log.entries.to_string(),
            buffer_kind(log).to_owned(),
            count_or_unknown(log.lost),
            count_or_unknown(log.idle_ticks),
        ]
    });
    let header = ["core", "entries", "buffer", "lost", "idle ticks"];
    let table = output::format_table(&header, &["core", "entries", "lost", "idle ticks"], rows);
    append_section(text, "Logs", &table);
}

fn buffer_kind(log: &LogDocument) -> &'static str {
    match (log.cyclic, log.wrapped) {
        (_, true) => "ring, wrapped",
        (Some(true), false) => "ring",
        (Some(false), false) => "one-shot",
        (None, false) => "not wrapped",
    }
}

fn count_or_unknown(count: Option<u64>) -> String {
    count.map_or("unknown".to_owned(), |count| count.to_string())
}
