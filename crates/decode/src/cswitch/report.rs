//! What is odd about a log, said in diagnostics.

use super::columns::{Met, Odd};
use super::firmware::Files;
use super::log::{CoreLog, Log};
use super::symbolise::{Failures, Named};
use super::timeline::Timeline;
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind, EventIndex};

/// What was left out, lost or overwritten on each core.
pub(super) fn cores<W>(log: &Log<'_>, met: &[Met], timeline: &Timeline<W>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (place, (core, met)) in log.cores.iter().zip(met).enumerate() {
        let of = match log.cores.len() {
            1 => String::new(),
            _ => format!(" of core {}", core.core),
        };
        left_out(&of, met, &mut found);
        if let Some((kind, event)) = met.first_unknown {
            let message = format!(
                "{}{of} of types that there are not, the first of type {kind:#x}; left out",
                counted(met.unknown, "entry", "entries")
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::UnknownEntry, message);
            let diagnostic = diagnostic.times(met.unknown);
            found.push(match timeline.event(place, event) {
                Some(event) => diagnostic.on(event),
                None => diagnostic,
            });
        }
        idle(&of, met, |event| timeline.event(place, event), &mut found);
        history(&of, core, &mut found);
    }
    found.extend(no_handlers(log, met));
    if timeline.time.is_empty() {
        found.push(Diagnostic::new(
            DiagnosticKind::NoEvents,
            "the log has no entries",
        ));
    }
    found
}

fn left_out(of: &str, met: &Met, found: &mut Vec<Diagnostic>) {
    if met.unfinished > 0 {
        let message = format!(
            "{}{of} had been begun and not finished when the target was halted; left out",
            counted(met.unfinished, "entry", "entries")
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::HalfWrittenEntry, message);
        found.push(diagnostic.times(met.unfinished));
    }
    if met.unused > 0 {
        let slots = counted(met.unused, "slot", "slots");
        let message = format!("{slots}{of} between entries were never written");
        found.push(Diagnostic::new(DiagnosticKind::UnusedSlots, message).times(met.unused));
    }
}

/// Sleeps and wakes that contradict what came before them.
fn idle(
    of: &str,
    met: &Met,
    event: impl Fn(usize) -> Option<EventIndex>,
    found: &mut Vec<Diagnostic>,
) {
    let mut add = |kind, odd: Odd, message: String| {
        if odd.count > 0 {
            let diagnostic = Diagnostic::new(kind, message).times(odd.count);
            found.push(match event(odd.first) {
                Some(event) => diagnostic.on(event),
                None => diagnostic,
            });
        }
    };
    let sleeps = counted(met.double_sleeps.count, "sleep follows", "sleeps follow");
    add(
        DiagnosticKind::DoubleSleep,
        met.double_sleeps,
        format!(
            "{sleeps}{of} another sleep without a wake or a resumed thread in between: the target's \
             hooks are at odds, and its sum of idle ticks leaves out the sleeps before these"
        ),
    );
    let wakes = counted(met.needless_wakes.count, "wake follows", "wakes follow");
    add(
        DiagnosticKind::WakeWhileAwake,
        met.needless_wakes,
        format!(
            "{wakes}{of} another wake or a resumed thread without a sleep in between: sleeps are not \
             recorded, or recorded too late, so that idle time is too short"
        ),
    );
}

/// A log with threads but without interrupt handlers. Of a log that is read as it
/// comes this is only a part.
fn no_handlers(log: &Log<'_>, met: &[Met]) -> Option<Diagnostic> {
    let resumes = met.iter().any(|met| met.resumes);
    let handlers = met.iter().any(|met| met.handlers);
    if !resumes || handlers || log.course.is_some() {
        return None;
    }
    let returns = if met.iter().any(|met| met.returns) {
        ", although interrupts return to threads"
    } else {
        ""
    };
    let message = format!(
        "no interrupt handler was recorded{returns}: the time of interrupts counts as that of the \
             threads, or of the idle time, that they interrupted"
    );
    Some(Diagnostic::new(DiagnosticKind::NoHandlers, message))
}

fn history(of: &str, core: &CoreLog<'_>, found: &mut Vec<Diagnostic>) {
    if core.wrapped {
        let message = format!("the ring{of} has wrapped: older entries were overwritten");
        found.push(Diagnostic::new(DiagnosticKind::Overwritten, message));
    }
    if core.full && core.lost.is_none() {
        let message = match core.cyclic {
            Some(_) => format!(
                "the buffer{of} is full and no ring: the log ends where it was full, the recording may \
                 have gone on, and how many entries were not taken is not known"
            ),
            None => format!(
                "the buffer{of} is full: unless it is a ring, the log ends before the recording may have \
                 done, and how many entries were not taken is not known"
            ),
        };
        found.push(Diagnostic::new(DiagnosticKind::BufferFull, message));
    }
    if let Some(lost) = core.lost.filter(|lost| *lost > 0) {
        let message = format!(
            "{}{of} not taken, as the buffer was full: the log ends before the recording did",
            match lost {
                1 => "1 entry was".to_owned(),
                lost => format!("{lost} entries were"),
            }
        );
        found.push(Diagnostic::new(DiagnosticKind::LostEntries, message).times(lost));
    }
}

/// Threads without a name, and firmware that does not fit.
pub(super) fn names(named: &Named, contained: bool, firmware: Files<'_>) -> Vec<Diagnostic> {
    let census = &named.census;
    let mut found = Vec::new();
    let nameless = census.nameless();
    let threads = counted(census.threads as u64, "thread", "threads");
    let unresolved = |message: String, count: usize| {
        let diagnostic = Diagnostic::new(DiagnosticKind::UnresolvedName, message);
        diagnostic.times(count as u64)
    };
    if nameless > 0 && nameless == census.threads && firmware.is_empty() && !contained {
        let message = format!(
            "the names of {threads} are not in the input: give the firmware's ELF file with --symbols; \
             until then they are shown by the addresses of their names"
        );
        found.push(unresolved(message, nameless));
    } else {
        let mut fail = |failures: Failures, what: &str| {
            if failures.count > 0 {
                let message = format!(
                    "{} of {threads} without a name: {what} at the address of its name, {}{}",
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
        fail(census.outside, "nothing that is known lies");
        fail(census.unprintable, "no printable text lies");
    }
    let none_named = census.threads > 0 && named.names.is_empty();
    // Names that lie where the firmware has them are those of this firmware.
    let few_placed = census.confirmed == 0 && census.placed * 2 < census.code();
    let what = match (none_named, few_placed) {
        _ if firmware.is_empty() || contained && !few_placed => None,
        (true, true) => {
            Some("it has no thread's name, and most addresses lie outside its functions")
        }
        (true, false) if firmware.layout().is_some() => Some("it has no thread's name"),
        (_, true) => Some("most addresses of the log lie outside its functions"),
        (_, false) => None,
    };
    if let Some(what) = what {
        let message = format!(
            "the firmware's file does not seem to be that of the recording: {what} ({} of {} addresses \
             lie in a function)",
            census.placed,
            census.code()
        );
        found.push(Diagnostic::new(DiagnosticKind::OtherFirmware, message));
    }
    found
}
