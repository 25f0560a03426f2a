//! What is told of a context-switch log.

use super::Facts;
use crate::commands::info::document::{Cswitch, LogDocument};
use rtoscope_command::output::{self, section};
use rtoscope_trace::diagnostic::counted;

pub(super) fn facts(document: &Cswitch) -> Facts {
    let format = format!(
        "context-switch log{}, {} endian, {}-byte pointers",
        if document.contained { " (CSWL)" } else { "" },
        document.endianness,
        document.pointer_bytes
    );
    let names = format!(
        "{} of {}",
        document.named_threads,
        counted(document.threads as u64, "thread", "threads")
    );
    let code = format!(
        "{} of {} in known functions",
        document.placed_code_addresses,
        counted(document.code_addresses as u64, "address", "addresses")
    );
    let lost = document
        .logs
        .iter()
        .map(|log| log.lost)
        .sum::<Option<u64>>();
    let left_out: u64 = document.logs.iter().map(|log| log.left_out).sum();
    let lost = match lost {
        Some(lost) => counted(lost, "entry", "entries") + " not taken",
        None => "entries not taken are not counted".to_owned(),
    };
    let losses = format!("{lost}, {left_out} left out");
    let facts = vec![("names", names), ("code", code), ("losses", losses)];
    (format, facts)
}

pub(super) fn sections(text: &mut String, document: &Cswitch) {
    let rows = document.logs.iter().map(|log| {
        vec![
            log.core.to_string(),
            log.entries.to_string(),
            buffer(log).to_owned(),
            count(log.lost),
            count(log.idle_ticks),
        ]
    });
    let header = ["core", "entries", "buffer", "lost", "idle ticks"];
    let table = output::table(&header, &["core", "entries", "lost", "idle ticks"], rows);
    section(text, "Logs", &table);
}

fn buffer(log: &LogDocument) -> &'static str {
    match (log.cyclic, log.wrapped) {
        (_, true) => "ring, wrapped",
        (Some(true), false) => "ring",
        (Some(false), false) => "one-shot",
        (None, false) => "not wrapped",
    }
}

fn count(count: Option<u64>) -> String {
    count.map_or("unknown".to_owned(), |count| count.to_string())
}
