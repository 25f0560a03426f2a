use super::*;
use crate::fixture::switch_log::{A, B, SLEEP, enter, exit, log, on_one_core, resume};
use rtoscope_trace::Gap;

fn definition(from: &str, to: &str, by: &str, repeated: RepeatedStart) -> IntervalDefinition {
    IntervalDefinition {
        from: Filter::parse(from).unwrap(),
        to: Filter::parse(to).unwrap(),
        pairing: Pairing::parse(by),
        repeated,
    }
}

/// A trace with an event at each of these times.
fn trace(times: &[u64]) -> Trace {
    let events: Vec<_> = times.iter().map(|time| (*time, resume(A))).collect();
    log(&on_one_core(&events), false)
}

/// The starts and ends of intervals, by the numbers of their events.
fn found(series: &IntervalSeries) -> Vec<(u32, Option<u32>, &'static str)> {
    let all = series.intervals.iter();
    all.map(|it| (it.first.0, it.last.map(|event| event.0), it.ending.name()))
        .collect()
}

fn numbers(events: &[EventIndex]) -> Vec<u32> {
    events.iter().map(|event| event.0).collect()
}

#[test]
fn a_repeated_start_restarts_is_ignored_or_nests() {
    let trace = trace(&[0, 10, 20, 30, 40, 50]);
    // Start, start, end, end, start.
    let of = |repeated| {
        let from = "event in (0, 1, 4)";
        definition(from, "event in (2, 3)", "", repeated)
            .find(&trace)
            .unwrap()
    };
    let restart = of(RepeatedStart::Restart);
    let open = (4, None, "open");
    assert_eq!(found(&restart), [(1, Some(2), "ended"), open]);
    assert_eq!(numbers(&restart.repeated), [0]);
    assert_eq!(numbers(&restart.unmatched), [3]);
    assert_eq!(restart.intervals[0].duration(), Some(Ticks(10)));
    assert_eq!(restart.intervals[1].duration(), None);
    assert_eq!(restart.intervals[1].until, Ticks(50));
    let first = of(RepeatedStart::First);
    assert_eq!(found(&first), [(0, Some(2), "ended"), open]);
    assert_eq!(numbers(&first.repeated), [1]);
    assert_eq!(numbers(&first.unmatched), [3]);
    let nested = of(RepeatedStart::Nested);
    let expected = [(0, Some(3), "ended"), (1, Some(2), "ended"), open];
    assert_eq!(found(&nested), expected);
    assert_eq!((nested.repeated.len(), nested.unmatched.len()), (0, 0));
}

#[test]
fn an_event_that_is_both_ends_one_interval_and_starts_the_next() {
    let trace = trace(&[0, 10, 25]);
    let all = definition("event >= 0", "event >= 0", "", RepeatedStart::Nested);
    let series = all.find(&trace).unwrap();
    let expected = [
        (0, Some(1), "ended"),
        (1, Some(2), "ended"),
        (2, None, "open"),
    ];
    assert_eq!(found(&series), expected);
    // What came before the trace is unknown.
    assert_eq!(numbers(&series.start_unknown), [0]);
}

#[test]
fn missing_events_leave_the_duration_unknown() {
    let mut trace = trace(&[0, 10, 20, 30, 40]);
    trace.gaps.push(Gap {
        next_event: EventIndex(2),
        missing: None,
        core: None,
        is_restart: false,
    });
    let definition = definition("event in (1, 3)", "event in (2, 4)", "", Default::default());
    let series = definition.find(&trace).unwrap();
    assert_eq!(found(&series), [(1, None, "lost"), (3, Some(4), "ended")]);
    assert_eq!(series.intervals[0].until, Ticks(10));
    assert_eq!(numbers(&series.start_unknown), [2]);
    assert!(series.unmatched.is_empty());
}

#[test]
fn a_gap_after_the_last_end_loses_what_is_open() {
    let mut trace = trace(&[0, 10, 20]);
    trace.gaps.push(Gap {
        next_event: EventIndex(2),
        missing: None,
        core: None,
        is_restart: false,
    });
    let definition = definition("event == 1", "event == 0", "", Default::default());
    let series = definition.find(&trace).unwrap();
    assert_eq!(found(&series), [(1, None, "lost")]);
}

#[test]
fn pairing_keeps_threads_apart() {
    let events = on_one_core(&[
        (0, resume(A)),
        (10, resume(B)),
        (20, enter(0)),
        (25, exit(0)),
        (30, resume(A)),
        (50, resume(B)),
        (60, SLEEP),
    ]);
    let trace = log(&events, false);
    let runs = |by| {
        let definition = definition("event in (0, 1)", "event in (4, 5)", by, Default::default());
        definition.find(&trace).unwrap()
    };
    let by_thread = runs("thread");
    let expected = [(0, Some(4), "ended"), (1, Some(5), "ended")];
    assert_eq!(found(&by_thread), expected);
    assert_eq!(by_thread.intervals[1].context, B);
    assert_eq!(found(&runs("")), [(1, Some(4), "ended")]);
}

#[test]
fn an_argument_that_no_event_has_is_an_error() {
    let trace = trace(&[0, 10]);
    let named = definition("event == 0", "event == 1", "size", Default::default());
    let error = named.find(&trace).unwrap_err();
    assert!(
        error.starts_with("from: no event has the argument"),
        "{error}"
    );
}
