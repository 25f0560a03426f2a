//! The facts of a log.

use super::format::FORMAT;
use super::log::Overwritten;
use super::log_info::{CoreLogInfo, LogInfo};
use crate::black_box::{BlackBox, BlackBoxMembers};
use crate::format::facts::members;
use crate::format::{FactColumn, FactSection, FactTable, FormatFacts};
use rtoscope_trace::diagnostic::pluralise;
use schemars::JsonSchema;
use serde::Serialize;

/// The members of `info` that only a log has.
#[derive(Serialize, JsonSchema)]
pub(super) struct LogMembers {
    /// Byte order: `little` or `big`.
    endianness: &'static str,
    /// 4 or 8.
    pointer_bytes: usize,
    /// 1 to 32.
    counter_bits: u8,
    /// Whether it is a CSWL file.
    contained: bool,
    black_box: Option<BlackBoxMembers>,
    /// The logs of the cores.
    logs: Vec<CoreLogMembers>,
    threads: usize,
    /// Threads whose name could be read.
    named_threads: usize,
    /// Distinct code addresses.
    code_addresses: usize,
    /// Those in known functions.
    resolved_code_addresses: usize,
}

#[derive(Serialize, JsonSchema)]
struct CoreLogMembers {
    core: u8,
    /// Entries that became events.
    entries: u64,
    /// Entries without information.
    skipped: u64,
    /// Whether the buffer is a ring; `None` if unknown.
    cyclic: Option<bool>,
    /// Whether older entries were overwritten; `None` if unknown.
    overwritten: Option<bool>,
    /// Their number; `None` if unknown.
    overwritten_entries: Option<u64>,
    /// Entries that were not recorded; `None` if they are not counted.
    lost: Option<u64>,
    /// `None` if they are not counted.
    idle_ticks: Option<u64>,
}

pub(super) fn facts(info: &LogInfo) -> FormatFacts {
    let layout = &info.layout;
    let container = if info.is_self_contained {
        " (CSWL)"
    } else {
        ""
    };
    let description = format!(
        "{}{container}, {} endian, {}-byte pointers",
        FORMAT.title(),
        layout.order.name(),
        layout.pointer.bytes()
    );
    let names = format!(
        "{} of {}",
        info.named_threads,
        pluralise(info.threads as u64, "thread", "threads")
    );
    let code = format!(
        "{} of {} in known functions",
        info.resolved_addresses,
        pluralise(info.addresses as u64, "address", "addresses")
    );
    let mut lines = vec![
        ("names", names),
        ("code", code),
        ("losses", losses_text(info)),
    ];
    lines.extend(info.black_box.iter().flat_map(BlackBox::lines));
    let mut sections = vec![log_section(&info.cores)];
    sections.extend(info.black_box.as_ref().and_then(BlackBox::section));
    let log_members = LogMembers {
        endianness: layout.order.name(),
        pointer_bytes: layout.pointer.bytes(),
        counter_bits: layout.counter_bits,
        contained: info.is_self_contained,
        black_box: info.black_box.as_ref().map(BlackBox::members),
        logs: info.cores.iter().map(core_members).collect(),
        threads: info.threads,
        named_threads: info.named_threads,
        code_addresses: info.addresses,
        resolved_code_addresses: info.resolved_addresses,
    };
    FormatFacts {
        description,
        lines,
        sections,
        members: members(&log_members),
    }
}

fn losses_text(info: &LogInfo) -> String {
    let lost = info.cores.iter().map(|core| core.lost_entries);
    let lost = match lost.sum::<Option<u64>>() {
        Some(lost) => pluralise(lost, "entry", "entries") + " dropped",
        None => "dropped entries are not counted".to_owned(),
    };
    let skipped: u64 = info.cores.iter().map(|core| core.skipped_entries).sum();
    format!("{lost}, {skipped} skipped")
}

fn log_section(cores: &[CoreLogInfo]) -> FactSection {
    let row = |core: &CoreLogInfo| {
        vec![
            core.core.to_string(),
            core.entries.to_string(),
            buffer_kind(core).to_owned(),
            overwritten_text(core.overwritten),
            count_or_unknown(core.lost_entries),
            count_or_unknown(core.idle_ticks),
        ]
    };
    FactSection {
        title: "Logs".to_owned(),
        table: FactTable::Rows {
            columns: vec![
                FactColumn::number("core"),
                FactColumn::number("entries"),
                FactColumn::text("buffer"),
                FactColumn::number("overwritten"),
                FactColumn::number("lost"),
                FactColumn::number("idle ticks"),
            ],
            rows: cores.iter().map(row).collect(),
        },
    }
}

fn buffer_kind(core: &CoreLogInfo) -> &'static str {
    match (core.cyclic, core.overwritten) {
        (_, Overwritten::Yes { .. }) => "ring, wrapped",
        (Some(true), _) => "ring",
        (Some(false), _) => "one-shot",
        (None, Overwritten::No) => "not wrapped",
        (None, Overwritten::Unknown) => "unknown",
    }
}

fn overwritten_text(overwritten: Overwritten) -> String {
    match overwritten {
        Overwritten::Yes { entries: None } => "yes".to_owned(),
        other => count_or_unknown(other.entries()),
    }
}

fn count_or_unknown(count: Option<u64>) -> String {
    count.map_or("unknown".to_owned(), |count| count.to_string())
}

fn core_members(core: &CoreLogInfo) -> CoreLogMembers {
    CoreLogMembers {
        core: core.core,
        entries: core.entries,
        skipped: core.skipped_entries,
        cyclic: core.cyclic,
        overwritten: core.overwritten.known(),
        overwritten_entries: core.overwritten.entries(),
        lost: core.lost_entries,
        idle_ticks: core.idle_ticks,
    }
}
