//! The order of a schedule's changes, and its wake-ups, against plain
//! definitions: collect all, then sort.

use crate::common::decode;
use proptest::prelude::*;
use rtoscope_analysis::Schedule;
use rtoscope_analysis::schedule::{ChangeKind, ThreadState};
use rtoscope_generate::cswitch::CswitchOptions;
use rtoscope_generate::rkh::RkhOptions;
use rtoscope_generate::{ThreadXOptions, cswitch, rkh, write};

fn schedule(bytes: &[u8]) -> Option<Schedule> {
    let recording = decode(bytes, None)?;
    let trace = &recording.trace;
    let mut interpreter = recording.format_info.interpreter(trace);
    Some(Schedule::from_trace(trace, &mut interpreter))
}

/// Time, event, and the order of changes at one event.
type ChangeKey = (u64, u32, [u64; 3]);

/// All changes, collected and sorted.
fn naive_changes(schedule: &Schedule) -> Vec<ChangeKey> {
    let mut all = Vec::new();
    for (intervals, thread) in schedule.threads.iter().zip(0..) {
        for (interval, number) in intervals.iter().zip(0..) {
            all.push((interval.start.0, interval.event.0, [0, thread, number]));
        }
    }
    for (activation, number) in schedule.activations.iter().zip(0..) {
        let (start, end) = (activation.start.0, activation.end.0);
        all.push((start, activation.first.0, [1, number, 0]));
        // Inner routines have higher numbers and end first.
        all.push((end, activation.last.0, [2, u64::MAX - number, 0]));
    }
    for (core, place) in schedule.cores.iter().zip(0..) {
        for (slice, number) in core.slices.iter().zip(0..) {
            all.push((slice.start.0, slice.event.0, [3, place, number]));
        }
    }
    all.sort_unstable();
    all
}

fn check_changes(schedule: &Schedule) {
    let changes: Vec<_> = schedule.changes().collect();
    assert!(changes.is_sorted());
    let key = |change: &rtoscope_analysis::schedule::ScheduleChange| {
        let kind = match change.kind {
            ChangeKind::ThreadState { thread, interval } => [0, thread.0.into(), interval.into()],
            ChangeKind::IsrStart(id) => [1, id.0.into(), 0],
            ChangeKind::IsrEnd(id) => [2, u64::MAX - u64::from(id.0), 0],
            ChangeKind::Slice { core_index, slice } => [3, core_index.into(), slice.into()],
        };
        (change.time.0, change.event.0, kind)
    };
    let keys: Vec<_> = changes.iter().map(key).collect();
    assert_eq!(keys, naive_changes(schedule));
}

/// A thread waits, and a recorded event makes it ready.
fn check_wake_ups(schedule: &Schedule) -> usize {
    let mut expected = Vec::new();
    for (intervals, thread) in schedule.threads.iter().zip(0..) {
        let intervals: Vec<_> = intervals.iter().collect();
        for (at, pair) in (1..).zip(intervals.windows(2)) {
            let waited = matches!(pair[0].state, ThreadState::Waiting { .. });
            if waited && pair[1].state == ThreadState::Ready && pair[1].start_known {
                let next = intervals.get(at + 1);
                let runs = next.filter(|next| next.state == ThreadState::Running);
                let runs = runs.map(|runs| (runs.start.0, runs.event.0.max(pair[1].event.0)));
                let next = next.copied();
                expected.push((
                    pair[1].start.0,
                    pair[1].event.0,
                    thread,
                    runs,
                    pair[0],
                    next,
                ));
            }
        }
    }
    expected.sort_by_key(|it| (it.0, it.1, it.2));
    let found = schedule.wake_ups().map(|wake_up| {
        let running = wake_up.running();
        let runs = running.map(|running| (running.start.0, wake_up.effect().unwrap().0));
        let (time, event) = (wake_up.ready.start.0, wake_up.cause().0);
        let (before, next) = (wake_up.waiting, wake_up.next);
        (time, event, wake_up.thread.0, runs, before, next)
    });
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|it| (it.0, it.1, it.2));
    assert_eq!(found, expected);
    found.len()
}

fn check(bytes: &[u8]) -> usize {
    let Some(schedule) = schedule(bytes) else {
        return 0;
    };
    check_changes(&schedule);
    check_wake_ups(&schedule)
}

/// Removes a part, so that events are missing.
fn cut(bytes: &mut Vec<u8>, position: f64, length: usize) {
    let start = (position * bytes.len() as f64) as usize;
    let end = bytes.len().min(start + length);
    bytes.drain(start..end);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn changes_of_threadx_are_sorted_and_complete(
        seed: u64,
        cores in 1..5_u8,
        threads in 4..9_u16,
        capacity in proptest::option::of(50..900_u64),
        [bare_ticks, timeouts, inheritance, thread_control, shared_objects]: [bool; 5],
    ) {
        let options = ThreadXOptions {
            events: 1000,
            seed,
            cores,
            threads,
            capacity,
            bare_ticks,
            timeouts,
            inheritance,
            thread_control: thread_control && cores == 1,
            shared_objects,
            ..ThreadXOptions::default()
        };
        let mut bytes = Vec::new();
        write(&options, &mut bytes, &mut |_| ()).unwrap();
        check(&bytes);
    }

    #[test]
    fn changes_of_rkh_are_sorted_and_complete(
        seed: u64,
        position in 0.0..1.0,
        length in 0..200_usize,
    ) {
        let options = RkhOptions { records: 1000, seed, ..RkhOptions::default() };
        let mut bytes = Vec::new();
        rkh::write(&options, &mut bytes, &mut |_| ()).unwrap();
        cut(&mut bytes, position, length);
        check(&bytes);
    }

    #[test]
    fn changes_of_context_switch_logs_are_sorted_and_complete(seed: u64, cores in 1..4_u8) {
        let options = CswitchOptions { entries: 1000, seed, cores, ..CswitchOptions::default() };
        let mut bytes = Vec::new();
        cswitch::write(&options, &mut bytes, &mut |_| ()).unwrap();
        check(&bytes);
    }
}

#[test]
fn changes_of_recordings_are_sorted_and_complete() {
    let mut wake_ups = 0;
    for folder in ["threadx", "rkh"] {
        for path in rtoscope_fixtures::recordings(folder) {
            wake_ups += check(&std::fs::read(path).unwrap());
        }
    }
    assert!(wake_ups > 4_000, "{wake_ups}");
}
