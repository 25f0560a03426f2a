//! The facts of a log.

use super::format::FORMAT;
use super::log::Overwritten;
use super::log_info::{CoreLogInfo, LogInfo};
use crate::black_box::BlackBox;
use crate::format::facts::members;
use crate::format::{FactColumn, FactSection, FactTable, FormatFacts};
use rtoscope_trace::diagnostic::pluralise;
use serde_json::{Value, json};

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
    let mut facts = members([
        ("endianness", json!(layout.order.name())),
        ("pointer_bytes", json!(layout.pointer.bytes())),
        ("counter_bits", json!(layout.counter_bits)),
        ("contained", json!(info.is_self_contained)),
        (
            "black_box",
            json!(info.black_box.as_ref().map(BlackBox::members)),
        ),
        ("logs", info.cores.iter().map(core_members).collect()),
        ("threads", json!(info.threads)),
        ("named_threads", json!(info.named_threads)),
        ("code_addresses", json!(info.addresses)),
        ("resolved_code_addresses", json!(info.resolved_addresses)),
    ]);
    if let Some(black_box) = &info.black_box {
        facts.insert("black_box".to_owned(), Value::Object(black_box.members()));
    }
    FormatFacts {
        description,
        lines,
        sections,
        members: facts,
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

fn core_members(core: &CoreLogInfo) -> Value {
    Value::Object(members([
        ("core", json!(core.core)),
        ("entries", json!(core.entries)),
        ("skipped", json!(core.skipped_entries)),
        ("cyclic", json!(core.cyclic)),
        ("overwritten", json!(core.overwritten.known())),
        ("overwritten_entries", json!(core.overwritten.entries())),
        ("lost", json!(core.lost_entries)),
        ("idle_ticks", json!(core.idle_ticks)),
    ]))
}
