//! Rules about switches, and the states of threads.

use super::{Finding, Occurrences, Subject};
use crate::schedule::InterruptsOffEnding;
use rtoscope_trace::DiagnosticKind;
use rtoscope_trace::diagnostic::pluralise;

/// Minimum number of times in which the core must have been idle without a record.
const MIN_UNRECORDED_IDLE: u64 = 3;

const NOT_EXPLICIT: &str = "the format records calls: switches follow from them";
const ACTIVE_OBJECTS: &str = "active objects run in steps, and their queues are not checked";
const NO_STATES: &str = "the trace has no entries for ready and wait";

pub(super) fn switches(subject: &Subject<'_>) -> Finding {
    let scan = &subject.scan;
    if !subject.is_explicit() {
        return Finding::not_checked(NOT_EXPLICIT);
    }
    match scan.switches {
        0 if scan.readies + scan.waits > 0 => {
            Finding::failed(1, None, "threads become ready or wait, and none runs")
        }
        0 => Finding::not_checked("the trace has no threads"),
        switches => Finding::passed(pluralise(switches, "switch", "switches")),
    }
}

pub(super) fn readies(subject: &Subject<'_>) -> Finding {
    let scan = &subject.scan;
    let schedule = subject.schedule();
    if subject.has_active_objects() {
        return Finding::not_checked(ACTIVE_OBJECTS);
    }
    if !subject.is_explicit() {
        if scan.readies + scan.waits == 0 {
            return Finding::not_checked("the trace has no entries of a scheduler");
        }
        let unrecorded = Occurrences {
            count: schedule.unrecorded,
            first: schedule.first_unrecorded,
        };
        return unrecorded.none_or("each change of a thread is recorded", |_| {
            "threads ran or stopped without an entry".to_owned()
        });
    }
    match (scan.readies, scan.waits) {
        (0, 0) => Finding::not_checked(NO_STATES),
        (0, _) => Finding::not_checked("waits are recorded, and ready is not"),
        _ if scan.waits == 0 => Finding::not_checked("waits are not recorded"),
        (readies, _) => {
            let passed = pluralise(readies, "entry", "entries");
            scan.ran_unready.none_or(&passed, |count| {
                let threads = pluralise(count, "time", "times");
                format!("{threads} a thread runs after a wait without becoming ready")
            })
        }
    }
}

pub(super) fn waits(subject: &Subject<'_>) -> Finding {
    let scan = &subject.scan;
    if !subject.is_explicit() {
        return Finding::not_checked("the format records calls: see ready-recorded");
    }
    match (scan.readies, scan.waits) {
        (0, 0) => return Finding::not_checked(NO_STATES),
        (_, 0) => {
            let message = "threads become ready, and no wait is recorded";
            return Finding::failed(1, None, message);
        }
        _ => {}
    }
    if scan.waits_in_idle.count > 0 {
        return scan.waits_in_idle.none_or("", |count| {
            let waits = pluralise(count, "wait", "waits");
            format!("{waits} recorded after the core became idle")
        });
    }
    let passed = pluralise(scan.waits, "entry", "entries");
    scan.idle_unwaited.none_or(&passed, |count| {
        let times = pluralise(count, "time", "times");
        format!("{times} a thread gives the core to idle without a wait, and becomes ready later")
    })
}

pub(super) fn idle(subject: &Subject<'_>) -> Finding {
    let scan = &subject.scan;
    if !subject.is_explicit() {
        return Finding::not_checked(NOT_EXPLICIT);
    }
    if scan.sleeps > 0 {
        return Finding::passed(pluralise(scan.sleeps, "entry", "entries"));
    }
    if scan.switches == 0 {
        return Finding::not_checked("the trace has no threads");
    }
    if scan.readies == 0 || scan.waits == 0 {
        return Finding::not_checked(
            "no idle time is recorded; without entries for ready and wait, the core may have \
             been busy",
        );
    }
    let idle = scan.unrecorded_idle;
    if idle.count < MIN_UNRECORDED_IDLE || idle.count < scan.waits / 10 {
        return Finding::passed("a thread is always ready");
    }
    idle.none_or("", |count| {
        let times = pluralise(count, "time", "times");
        format!("{times} no thread was ready, and idle is not recorded")
    })
}

pub(super) fn sleep_and_wake(subject: &Subject<'_>) -> Finding {
    if !subject.is_explicit() {
        return Finding::not_checked(NOT_EXPLICIT);
    }
    if subject.scan.wakes == 0 {
        return Finding::not_checked("the trace has no entries for wake: none are needed");
    }
    let odd = subject.trace().diagnostics.iter().filter(|it| {
        matches!(
            it.kind,
            DiagnosticKind::DoubleSleep | DiagnosticKind::WakeWhileAwake
        )
    });
    let odd: Vec<_> = odd.collect();
    let Some(first) = odd.first() else {
        return Finding::passed(pluralise(subject.scan.wakes, "wake", "wakes"));
    };
    let count = odd.iter().map(|it| it.count).fold(0, u64::saturating_add);
    Finding::failed(count, first.event, &*first.message)
}

pub(super) fn possible_states(subject: &Subject<'_>) -> Finding {
    let scan = &subject.scan;
    if subject.has_active_objects() {
        return Finding::not_checked(ACTIVE_OBJECTS);
    }
    if scan.readies + scan.waits == 0 {
        return Finding::not_checked(NO_STATES);
    }
    if subject.is_explicit() {
        // A thread of idle's priority may be ready while the core is idle.
        return scan
            .idle_while_ready
            .none_or("all states are possible", |count| {
                let times = pluralise(count, "time", "times");
                format!("{times} a ready thread gets no core that is idle, and becomes ready again")
            });
    }
    let all = &subject.schedule().contradictions;
    let Some(first) = all.iter().min_by_key(|it| it.event) else {
        return Finding::passed("all states are possible");
    };
    let count = all.iter().map(|it| it.count).fold(0, u64::saturating_add);
    let message = first.diagnostic(subject.trace()).message;
    Finding::failed(count, Some(first.event), message)
}

pub(super) fn interrupts_restored(subject: &Subject<'_>) -> Finding {
    let sections = &subject.schedule().interrupts_off;
    if sections.is_empty() {
        return Finding::not_checked("the trace has no interrupts-off sections");
    }
    let unrecorded = sections
        .iter()
        .filter(|it| it.ending == InterruptsOffEnding::Unrecorded);
    let unrecorded: Occurrences = unrecorded.map(|it| it.first).collect();
    let passed = pluralise(sections.len() as u64, "section", "sections");
    unrecorded.none_or(&passed, |count| {
        format!("{} without an end", pluralise(count, "section", "sections"))
    })
}
