//! Diagnostics about a log.

use super::columns::{AnomalyCount, DecodeStats};
use super::firmware::FirmwareFiles;
use super::log::{CoreLog, Overwritten, SwitchLog};
use super::symbolise::{NameFailures, ResolvedNames};
use super::timeline::MergedTimeline;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind, EventIndex};
use rtoscope_wire::cswitch::command::EntryGroup;

/// Skipped, lost and overwritten entries of each core.
pub(super) fn core_diagnostics<W>(
    log: &SwitchLog<'_>,
    stats: &[DecodeStats],
    timeline: &MergedTimeline<W>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (place, (core, stats)) in log.cores.iter().zip(stats).enumerate() {
        let of = match log.cores.len() {
            1 => String::new(),
            _ => format!(" of core {}", core.core),
        };
        report_skipped(&of, stats, &mut found);
        if let Some((kind, event)) = stats.first_unknown_entry {
            let message = format!(
                "skipped {}{of} of unknown types, the first of type {kind:#x}",
                pluralise(stats.unknown_entries, "entry", "entries")
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::UnknownEntry, message);
            let diagnostic = diagnostic.with_count(stats.unknown_entries);
            found.push(match timeline.event(place, event) {
                Some(event) => diagnostic.at_event(event),
                None => diagnostic,
            });
        }
        report_sleep_anomalies(&of, stats, |event| timeline.event(place, event), &mut found);
        if !log.is_continuation {
            report_overwritten(&of, core, &mut found);
        }
        report_lost(&of, core, log.merge_order.is_some(), &mut found);
    }
    found.extend(no_handlers_diagnostic(log, stats));
    if timeline.time.is_empty() {
        let is_cut = |it: &Diagnostic| {
            matches!(
                it.kind,
                DiagnosticKind::MissingBytes | DiagnosticKind::Truncated
            )
        };
        let message = match log.diagnostics.iter().any(is_cut) {
            true => "no entry of the log is in the input",
            false => "the log has no entries",
        };
        found.push(Diagnostic::new(DiagnosticKind::NoEvents, message));
    }
    found.extend(suppressed_entries(stats));
    found
}

fn report_skipped(of: &str, stats: &DecodeStats, found: &mut Vec<Diagnostic>) {
    if stats.unfinished_entries > 0 {
        let message = format!(
            "skipped {}{of}: unfinished when the target was halted",
            pluralise(stats.unfinished_entries, "entry", "entries")
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::HalfWrittenEntry, message);
        found.push(diagnostic.with_count(stats.unfinished_entries));
    }
    if stats.unused_slots > 0 {
        let slots = pluralise(stats.unused_slots, "slot", "slots");
        let message = format!("{slots}{of} between entries were never written");
        found.push(
            Diagnostic::new(DiagnosticKind::UnusedSlots, message).with_count(stats.unused_slots),
        );
    }
}

/// Sleep and wake entries that contradict earlier ones.
fn report_sleep_anomalies(
    of: &str,
    stats: &DecodeStats,
    event: impl Fn(usize) -> Option<EventIndex>,
    found: &mut Vec<Diagnostic>,
) {
    let mut add = |kind, odd: AnomalyCount, message: String| {
        if odd.count > 0 {
            let diagnostic = Diagnostic::new(kind, message).with_count(odd.count);
            found.push(match event(odd.first) {
                Some(event) => diagnostic.at_event(event),
                None => diagnostic,
            });
        }
    };
    let sleeps = pluralise(
        stats.repeated_sleeps.count,
        "sleep follows",
        "sleeps follow",
    );
    add(
        DiagnosticKind::DoubleSleep,
        stats.repeated_sleeps,
        format!(
            "{sleeps}{of} another sleep without a wake or a resumed thread in between: the \
             target's hooks are inconsistent, and its total of idle ticks lacks the earlier \
             sleeps"
        ),
    );
    let wakes = pluralise(stats.redundant_wakes.count, "wake follows", "wakes follow");
    add(
        DiagnosticKind::WakeWhileAwake,
        stats.redundant_wakes,
        format!(
            "{wakes}{of} another wake or a resumed thread without a sleep in between: sleeps are not \
             recorded, or recorded too late, so that idle time is too short"
        ),
    );
}

/// A log with threads but without interrupt handlers. Not reported for a live
/// log, because each chunk is only a part of it.
fn no_handlers_diagnostic(log: &SwitchLog<'_>, stats: &[DecodeStats]) -> Option<Diagnostic> {
    let resumes = stats.iter().any(|stats| stats.records_resumes);
    let handlers = stats.iter().any(|stats| stats.records_handlers);
    if !resumes || handlers || log.merge_order.is_some() {
        return None;
    }
    let returns = if stats.iter().any(|stats| stats.records_handler_exits) {
        ", although interrupts return to threads"
    } else {
        ""
    };
    let message = format!(
        "no interrupt handler was recorded{returns}: interrupt time counts as time of the \
         interrupted threads, or as idle time"
    );
    Some(Diagnostic::new(DiagnosticKind::NoHandlers, message))
}

/// Entries that the target suppressed.
fn suppressed_entries(stats: &[DecodeStats]) -> Option<Diagnostic> {
    let is_suppressed = |group: &EntryGroup| stats.iter().any(|it| it.suppresses(*group));
    let groups = EntryGroup::ALL.into_iter().filter(is_suppressed);
    let names: Vec<_> = groups.map(EntryGroup::name).collect();
    let message = format!(
        "the target's filter suppressed entries: {}",
        names.join(", ")
    );
    (!names.is_empty()).then(|| Diagnostic::new(DiagnosticKind::SuppressedEntries, message))
}

fn report_overwritten(of: &str, core: &CoreLog<'_>, found: &mut Vec<Diagnostic>) {
    match core.overwritten {
        Overwritten::Yes { .. } => {
            let message = format!("the ring{of} has wrapped: older entries were overwritten");
            found.push(Diagnostic::new(DiagnosticKind::Overwritten, message));
        }
        Overwritten::Unknown => {
            let message = format!(
                "whether the ring{of} has wrapped is unknown: older entries may have been \
                 overwritten"
            );
            found.push(Diagnostic::new(DiagnosticKind::PerhapsOverwritten, message));
        }
        Overwritten::No => {}
    }
}

fn report_lost(of: &str, core: &CoreLog<'_>, is_live: bool, found: &mut Vec<Diagnostic>) {
    if core.is_full && core.lost_entries.is_none() {
        let message = match core.cyclic {
            Some(_) => format!(
                "the buffer{of} is full and not a ring: the recording may have continued, and \
                 the number of lost entries is unknown"
            ),
            None => format!(
                "the buffer{of} is full: unless it is a ring, the recording may have continued, \
                 and the number of lost entries is unknown"
            ),
        };
        found.push(Diagnostic::new(DiagnosticKind::BufferFull, message));
    }
    // Entries that a ring loses while others are read are gaps.
    let is_gap = is_live && core.cyclic == Some(true);
    if let Some(lost) = core.lost_entries.filter(|lost| *lost > 0 && !is_gap) {
        let message = format!(
            "{}{of} lost because the buffer was full: the log ends before the recording",
            match lost {
                1 => "1 entry was".to_owned(),
                lost => format!("{lost} entries were"),
            }
        );
        found.push(Diagnostic::new(DiagnosticKind::LostEntries, message).with_count(lost));
    }
}

/// Threads without a name, and firmware that does not match.
pub(super) fn name_diagnostics(
    named: &ResolvedNames,
    contained: bool,
    in_sequence: bool,
    firmware: FirmwareFiles<'_>,
) -> Vec<Diagnostic> {
    let census = &named.stats;
    let mut found = Vec::new();
    let nameless = census.unnamed_threads();
    let threads = pluralise(census.threads as u64, "thread", "threads");
    let unresolved = |message: String, count: usize| {
        let diagnostic = Diagnostic::new(DiagnosticKind::UnresolvedName, message);
        diagnostic.with_count(count as u64)
    };
    if nameless > 0 && nameless == census.threads && firmware.is_empty() && !contained {
        let message = format!(
            "the names of {threads} are not in the input: pass the firmware's ELF file with \
             --symbols; \
             until then they are shown by the addresses of their names"
        );
        found.push(unresolved(message, nameless));
    } else {
        let mut fail = |failures: NameFailures, what: &str| {
            if failures.count > 0 {
                let message = format!(
                    "{} of {threads} without a name: {what} {}{}",
                    failures.count,
                    Address(failures.first),
                    if failures.count > 1 {
                        " for the first"
                    } else {
                        ""
                    }
                );
                found.push(unresolved(message, failures.count));
            }
        };
        let unmapped = match in_sequence {
            true => "no container brought one for number",
            false => "unknown memory at the address of its name,",
        };
        fail(census.unmapped_names, unmapped);
        let unprintable = "no printable text at the address of its name,";
        fail(census.unprintable_names, unprintable);
        let refused = "the recorder had no room for more names (RTO_STREAM_NAMES) at number";
        fail(census.refused_names, refused);
    }
    let unnamed = census.unnamed_markers;
    if unnamed.count > 0 {
        let message = format!(
            "{} of {} without a readable name, the first at {}",
            unnamed.count,
            pluralise(census.markers as u64, "marker", "markers"),
            Address(unnamed.first)
        );
        found.push(unresolved(message, unnamed.count));
    }
    let none_named = census.threads > 0 && named.names.is_empty();
    // If the firmware has the same names at the same addresses, it is the right
    // firmware.
    let few_placed =
        census.confirmed_names == 0 && census.resolved_addresses * 2 < census.code_addresses();
    let what = match (none_named, few_placed) {
        _ if firmware.is_empty() || contained && !few_placed => None,
        (true, true) => {
            Some("it contains no thread's name, and most addresses are outside its functions")
        }
        (true, false) if firmware.layout().is_some() => Some("it contains no thread's name"),
        (_, true) => Some("most addresses of the log are outside its functions"),
        (_, false) => None,
    };
    if let Some(what) = what {
        let message = format!(
            "the firmware's file does not seem to match the recording: {what} ({} of {} \
             addresses are in a function)",
            census.resolved_addresses,
            census.code_addresses()
        );
        found.push(Diagnostic::new(DiagnosticKind::OtherFirmware, message));
    }
    found
}
