mod interrupts_off;
mod naive;

use super::*;
use crate::fixture::switch_log::{
    A, B, C, DISABLE, DISABLE_AGAIN, LogEvent, RESTORE, SLEEP, WAKE, back, enter, exit, log,
    on_one_core, resume, with_trace_view, with_view,
};
use crate::report::findings::{FindingCategory, findings};
use crate::report::profile::{self, profile};
use crate::report::{ReportDocument, ReportKind, ReportOptions, Scope, isr};
use crate::schedule::{SwitchCause, ThreadState};
use rtoscope_trace::{EventIndex, Gap, SchedEvent};

/// A runs, locks, and is interrupted by two handlers in one exception, and the
/// first interrupts the second; B runs, then idle, which the first handler
/// interrupts twice: once spuriously, once for A.
#[rustfmt::skip]
fn story() -> Vec<LogEvent> {
    on_one_core(&[
        (0, resume(A)),
        (10, DISABLE),
        (12, DISABLE_AGAIN),
        (15, DISABLE_AGAIN),
        (20, RESTORE),
        // 5
        (30, enter(0)),
        (34, exit(0)),
        (35, enter(1)),
        (36, enter(0)),
        (38, exit(0)),
        // 10
        (40, exit(1)),
        (42, back(A)),
        (50, enter(0)),
        (53, exit(0)),
        (56, resume(B)),
        // 15
        (70, SLEEP),
        (80, WAKE),
        (81, enter(0)),
        (84, exit(0)),
        (85, SLEEP),
        // 20
        (90, WAKE),
        (91, enter(0)),
        (92, exit(0)),
        (94, resume(A)),
        (96, resume(A)),
        // 25
        (100, DISABLE),
    ])
}

fn ticks(rows: &[profile::ProfileRow]) -> Vec<(&str, u64)> {
    let rows = rows.iter().map(|row| (row.context.as_str(), row.duration));
    rows.filter(|(_, ticks)| *ticks > 0).collect()
}

#[test]
fn switches_are_counted_with_their_causes() {
    with_view(&story(), true, &Scope::default(), |view| {
        let dispatches = view.schedule.dispatches.iter();
        let dispatches: Vec<_> = dispatches
            .map(|it| (it.time.0, it.thread, it.previous, it.cause))
            .collect();
        let unknown = ContextId::UNKNOWN;
        let expected = [
            (0, A, unknown, SwitchCause::Unknown),
            (56, B, A, SwitchCause::Unknown),
            (94, A, rtoscope_trace::Contexts::IDLE, SwitchCause::Idle),
        ];
        assert_eq!(dispatches, expected);
        assert!(view.schedule.preemptions.is_empty());
        let found = context_switches(view);
        assert_eq!((found.dispatches, found.context_switches), (3, 2));
        // The last one is for a thread that follows itself.
        let resumes: Vec<_> = found.resumes.into_iter().collect();
        assert_eq!(resumes, [("RESUME".to_owned(), 4)]);
        let threads = found.threads.iter();
        let threads: Vec<_> = threads
            .map(|it| (&*it.name, it.dispatches, it.resumes, it.share.total))
            .collect();
        let expected = [("0x100", 2, 3, 44), ("0x101", 1, 1, 14), ("0x102", 0, 0, 0)];
        assert_eq!(threads, expected);
        assert_eq!(found.dispatches_per_second, None);
    });
}

#[test]
fn handlers_have_names_and_nest_only_in_handlers() {
    with_view(&story(), true, &Scope::default(), |view| {
        let rows = isr::isr(view);
        let rows: Vec<_> = rows
            .iter()
            .map(|row| (&*row.name, row.activations, row.nested, row.max_nesting))
            .collect();
        assert_eq!(rows, [("uart_isr", 5, 1, 2), ("0x90", 1, 0, 1)]);
        let found = context_switches(view).handlers;
        let longest: Vec<_> = found.iter().map(|it| (it.max, it.max_event)).collect();
        assert_eq!(longest, [(Some(4), Some(6)), (Some(5), Some(10))]);
        assert_eq!(found[0].address, Some(Hex(rtoscope_trace::Address(0x80))));
    });
}

#[test]
fn the_scope_limits_the_threads() {
    let scope = Scope {
        threads: Some([B].into()),
        ..Scope::default()
    };
    with_view(&story(), true, &scope, |view| {
        let found = context_switches(view);
        assert_eq!((found.dispatches, found.threads.len()), (1, 1));
        assert_eq!(found.interrupts_off.unwrap().count, 0);
    });
}

#[test]
fn after_a_gap_the_context_is_unknown_until_a_switch() {
    let log_events = on_one_core(&[
        (0, resume(A)),
        (10, DISABLE),
        (15, enter(0)),
        (20, DISABLE_AGAIN),
        // Here events are missing.
        (40, exit(1)),
        (45, RESTORE),
        (50, resume(C)),
        (60, SLEEP),
        (70, WAKE),
    ]);
    let mut trace = log(&log_events, true);
    trace.gaps.push(Gap {
        next_event: EventIndex(4),
        missing: Some(3),
        core: None,
        is_restart: false,
    });
    with_trace_view(&trace, &log_events, &Scope::default(), |view| {
        let found = context_switches(view);
        assert_eq!((found.gaps, found.unknown.total), (1, 20));
        let off = found.interrupts_off.unwrap();
        assert_eq!((off.count, off.share.total, off.unknown.lost), (1, 10, 1));
        assert_eq!(off.duration, None);
        // The ISR that continues in the gap, and the one that only ends.
        let rows = isr::isr(view);
        let rows: Vec<_> = rows
            .iter()
            .map(|it| (it.activations, it.unfinished, it.total))
            .collect();
        assert_eq!(rows, [(1, 1, 5), (1, 1, 0)]);
        // No time passes after the event that ends it, which is the end of the
        // log.
        assert_eq!((found.idle.periods, found.idle.duration), (1, None));
        let dispatch = view.schedule.dispatches.last().unwrap();
        assert_eq!(
            (dispatch.thread, dispatch.previous),
            (C, ContextId::UNKNOWN)
        );
        assert_eq!((found.dispatches, found.context_switches), (2, 0));
    });
}

#[test]
fn unfinished_handlers_are_named() {
    let log_events = on_one_core(&[
        (0, resume(A)),
        (10, enter(0)),
        (12, RESTORE),
        (30, resume(B)),
        (40, SLEEP),
    ]);
    with_view(&log_events, true, &Scope::default(), |view| {
        // It ran at least until interrupts were restored; up to the switch the
        // context is unknown.
        let rows = profile(view);
        let expected = [
            ("0x100", 10),
            ("0x101", 10),
            ("uart_isr", 2),
            ("(unknown)", 18),
        ];
        assert_eq!(ticks(&rows), expected);
        let all = findings(view);
        let unfinished = all
            .iter()
            .find(|it| it.category == FindingCategory::UnfinishedIsr);
        assert!(unfinished.unwrap().message.contains("uart_isr"));
    });
}

#[test]
fn reports_that_do_not_apply_are_skipped() {
    with_view(&story(), true, &Scope::default(), |view| {
        let document = ReportDocument::new("log", view, &ReportOptions::default());
        let json = serde_json::to_value(&document).unwrap();
        let is_present = |kind: &ReportKind| json.get(kind.name().replace('-', "_")).is_some();
        for kind in ReportKind::ALL {
            let skipped = document.skipped.contains(kind);
            assert_eq!(is_present(kind), !skipped, "{kind}");
        }
        let present = ReportKind::ALL.iter().filter(|kind| is_present(kind));
        let present: Vec<_> = present.map(|kind| kind.name()).collect();
        assert_eq!(
            present,
            [
                "profile",
                "threads",
                "services",
                "latency",
                "periods",
                "cycles",
                "isr",
                "load",
                "context-switches",
                "health"
            ]
        );
        assert_eq!(json["health"]["coverage"]["percent"], 100.0);
    });
}

#[test]
fn what_a_log_does_not_record_is_unknown() {
    with_view(&story(), true, &Scope::default(), |view| {
        let document = ReportDocument::new("log", view, &ReportOptions::default());
        let switches = document.context_switches.as_ref().unwrap();
        for thread in document.threads.as_ref().unwrap() {
            assert_eq!((thread.suspensions, thread.resumptions), (None, None));
            assert_eq!((thread.preemptions, thread.inversions), (None, None));
            assert_eq!(thread.states.ready, None);
            assert!(thread.states.waiting.is_empty());
            let mut rows = switches.threads.iter();
            let row = rows.find(|row| row.address == thread.address).unwrap();
            assert_eq!(thread.dispatches, row.dispatches);
            assert_eq!(thread.states.running, row.share.total);
        }
        let latency = document.latency.as_ref().unwrap();
        assert!(latency.not_recorded.unwrap().contains("becomes ready"));
        assert_eq!(latency.threads, []);
        assert_eq!(latency.isr_to_thread, None);
        assert!(latency.max_interrupt_burst.is_some());
    });
}

#[test]
fn a_thread_resumed_by_another_core_has_left_the_first() {
    let log_events = [
        on(0, 0, resume(A)),
        on(1, 0, SLEEP),
        on(0, 10, RESTORE),
        on(1, 30, resume(A)),
        on(0, 50, resume(B)),
        on(1, 60, SLEEP),
    ];
    with_view(&log_events, true, &Scope::default(), |view| {
        let expected = [
            ("0x100", 10 + 30),
            ("0x101", 10),
            ("(idle)", 30),
            ("(unknown)", 40),
        ];
        assert_eq!(ticks(&profile(view)), expected);
    });
}

fn on(core: u8, time: u64, sched_event: SchedEvent) -> LogEvent {
    LogEvent {
        core,
        ..on_one_core(&[(time, sched_event)])[0]
    }
}

/// A log in which a core lacks events before one.
fn with_gap(log_events: &[LogEvent], before: usize) -> rtoscope_trace::Trace {
    let mut trace = log(log_events, false);
    trace.gaps.push(Gap {
        next_event: EventIndex(before as u32),
        missing: Some(3),
        core: Some(log_events[before].core),
        is_restart: false,
    });
    trace
}

#[test]
fn a_gap_of_one_core_does_not_affect_the_others() {
    let log_events = [
        on(0, 0, resume(A)),
        on(1, 0, resume(B)),
        on(1, 10, DISABLE),
        on(0, 20, enter(0)),
        on(0, 24, exit(0)),
        // Since 10, events of core 1 are missing.
        on(1, 70, resume(C)),
        on(0, 80, enter(0)),
        on(0, 85, exit(0)),
        on(1, 90, SLEEP),
        on(0, 100, SLEEP),
    ];
    with_trace_view(
        &with_gap(&log_events, 5),
        &log_events,
        &Scope::default(),
        |view| {
            let expected = [
                ("0x100", 100 - 4 - 5),
                ("0x101", 10),
                ("0x102", 20),
                ("uart_isr", 4 + 5),
                ("(idle)", 10),
                ("(unknown)", 60),
            ];
            assert_eq!(ticks(&profile(view)), expected);
            let times = isr::isr(view)[0].interarrival.as_ref().map(|it| it.max);
            assert_eq!(times, Some(60));
            let off = context_switches(view).interrupts_off.unwrap();
            assert_eq!(off.unknown.lost, 1);
        },
    );
    // Interrupts of the core itself may be missing.
    let log_events = [
        on(0, 0, resume(A)),
        on(1, 0, SLEEP),
        on(1, 10, enter(0)),
        on(1, 12, exit(0)),
        on(1, 70, enter(0)),
        on(1, 75, exit(0)),
        on(0, 80, SLEEP),
    ];
    with_trace_view(
        &with_gap(&log_events, 4),
        &log_events,
        &Scope::default(),
        |view| {
            assert!(isr::isr(view)[0].interarrival.is_none());
        },
    );
}

#[test]
fn a_thread_that_moves_during_a_gap_is_known_elsewhere() {
    let log_events = [
        on(0, 0, SLEEP),
        on(1, 0, resume(A)),
        on(1, 5, RESTORE),
        on(0, 40, resume(A)),
        // Since 5, events of core 1 are missing.
        on(1, 70, resume(B)),
        on(0, 80, SLEEP),
    ];
    with_trace_view(
        &with_gap(&log_events, 4),
        &log_events,
        &Scope::default(),
        |view| {
            let expected = [
                ("0x100", 5 + 40),
                ("0x101", 10),
                ("(idle)", 40),
                ("(unknown)", 65),
            ];
            assert_eq!(ticks(&profile(view)), expected);
            let intervals = view.schedule.threads[A.index()].iter();
            let intervals: Vec<_> = intervals.map(|it| (it.start.0, it.state)).collect();
            let (unknown, running) = (ThreadState::Unknown, ThreadState::Running);
            let expected = [(0, running), (5, unknown), (40, running), (80, unknown)];
            assert_eq!(intervals, expected);
        },
    );
}
