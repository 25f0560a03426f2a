//! Rules about lost and damaged entries.

use super::{Finding, Subject};
use crate::report::health;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Severity};

/// A wrapped ring with fewer events is too small.
const MIN_RING_EVENTS: usize = 256;

pub(super) fn complete(subject: &Subject<'_>) -> Finding {
    let health = health::health(&subject.recording.view());
    if let Some(gap) = health.gaps.first() {
        let gaps = pluralise(health.gaps.len() as u64, "gap", "gaps");
        let message = format!("{gaps}, {} recorded as lost", health.lost_events);
        let event = EventIndex(gap.before_event);
        return Finding::failed(health.gaps.len() as u64, Some(event), message);
    }
    let lost = |it: &&Diagnostic| {
        matches!(
            it.kind,
            DiagnosticKind::LostEntries | DiagnosticKind::MissingBytes | DiagnosticKind::Truncated
        )
    };
    match subject.trace().diagnostics.iter().find(lost) {
        Some(lost) => Finding::failed(lost.count, lost.event, &*lost.message),
        None => {
            let has = |kind| subject.trace().diagnostics.iter().any(|it| it.kind == kind);
            Finding::passed(match health.overwritten {
                Some(true) => {
                    "no entry is lost after the first one, before which some were overwritten"
                }
                None => {
                    "no entry is lost after the first one; whether some were overwritten before is unknown"
                }
                Some(false) if has(DiagnosticKind::BufferFull) => {
                    "no entry is lost before the last one; how many are lost after it is unknown"
                }
                Some(false) => "no entry is lost",
            })
        }
    }
}

pub(super) fn valid(subject: &Subject<'_>) -> Finding {
    let damaged = |it: &&Diagnostic| {
        let incomplete = matches!(
            it.kind,
            DiagnosticKind::Gap | DiagnosticKind::MissingBytes | DiagnosticKind::Truncated
        );
        it.severity() == Severity::Error && !incomplete
    };
    let mut all = subject.trace().diagnostics.iter().filter(damaged);
    let Some(first) = all.next() else {
        return Finding::passed("all entries could be decoded");
    };
    let count = all
        .map(|it| it.count)
        .fold(first.count, u64::saturating_add);
    Finding::failed(count, first.event, &*first.message)
}

pub(super) fn length(subject: &Subject<'_>) -> Finding {
    let trace = subject.trace();
    let events = trace.events.len();
    let message = format!(
        "{} in {}",
        pluralise(events as u64, "event", "events"),
        trace.timescale().duration_text(trace.events.span())
    );
    let has = |kind| trace.diagnostics.iter().any(|it| it.kind == kind);
    if has(DiagnosticKind::Fault) || has(DiagnosticKind::UnfrozenReset) {
        return Finding::not_checked("a black box holds only the last entries");
    }
    match has(DiagnosticKind::Overwritten) && events < MIN_RING_EVENTS {
        true => Finding::failed(1, None, format!("the ring has wrapped and holds {message}")),
        false => Finding::passed(message),
    }
}
