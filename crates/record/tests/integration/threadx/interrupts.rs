//! An interrupt that records occurs at every possible point: at every boundary of a
//! masked section, and again inside another interrupt.

use super::buffer::{self, Words};
use super::support::memory;
use crate::preemption::{Core, PreemptingMask, TickingClock};
use rtoscope_record::threadx::{ObjectType, Thread, ThreadState, ThreadXRecorder, buffer_words};

type TestRecorder = ThreadXRecorder<PreemptingMask, TickingClock, u32>;

const SOURCE: u32 = 7;
const INTERRUPT_EVENT: u32 = 5000;

fn interrupt(recorder: &TestRecorder, point: u32) {
    recorder.isr_enter(SOURCE);
    recorder.user_event(INTERRUPT_EVENT, [point, !point, point, !point]);
    recorder.register(ObjectType::TIMER, 0x9000, "from an interrupt", [0, 0]);
    let pending = recorder.resume(0x200, ThreadState::SLEEP);
    recorder.complete_field(pending, 0x100);
    recorder.isr_exit(SOURCE);
}

/// The actions of the thread: events with recognisable content, one with a pending field,
/// an object, a change of the running thread.
fn thread(recorder: &TestRecorder) {
    recorder.enter_thread(Thread::new(0x100, 4));
    recorder.user_event(4096, [0, 1, 2, 3]);
    let pending = recorder.suspend(0x100, ThreadState::QUEUE);
    recorder.register(ObjectType::QUEUE, 0x8000, "from the thread", [1, 2]);
    recorder.complete_field(pending, 0x200);
    recorder.enter_thread(Thread::new(0x200, 6));
    recorder.user_event(4097, [4, 5, 6, 7]);
    recorder.unregister(0x8000);
    recorder.isr_enter(1);
    recorder.isr_exit(1);
    recorder.user_event(4098, [8, 9, 10, 11]);
}

/// Records with interrupts at these points; returns the events in the order of time and
/// the number of points.
fn record(events: usize, comes: [Option<u32>; 2]) -> (Vec<Words>, u32) {
    let core = Core::new(2);
    let recorder: &'static TestRecorder = Box::leak(Box::new(ThreadXRecorder::new(
        PreemptingMask(core.clone()),
        TickingClock(core.clone()),
    )));
    recorder
        .enable(memory(buffer_words::<u32>(3, events)), 3)
        .unwrap();
    core.interrupt(move |point| {
        if comes.contains(&Some(point)) {
            interrupt(recorder, point);
        }
    });
    thread(recorder);
    let points = core.calm();
    recorder.disable().unwrap();
    let words = recorder.take_buffer().unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let found = buffer::read(buffer::layout::<u32>(), &bytes);
    assert_eq!(
        found
            .registry
            .iter()
            .filter(|it| it.pointer == 0x8000)
            .count(),
        1
    );
    let (newer, older) = found.ring.split_at(found.current);
    let used = older.iter().chain(newer).filter(|entry| entry[0] != 0);
    (used.copied().collect(), points)
}

/// Checks each entry on its own and removes those of the interrupts.
fn check(events: &[Words], wrapped: bool) -> Vec<Words> {
    let mut of_thread = Vec::new();
    let mut opened = 0;
    for (index, entry) in events.iter().enumerate() {
        let [context, priority, id, timestamp, i1, i2, i3, i4] = *entry;
        let first = events[0][3];
        assert_eq!(
            timestamp,
            first + index as u64,
            "nothing lost, doubled or disordered"
        );
        let inside = context == 0xFFFF_FFFF;
        if inside {
            assert!([0, 0x100, 0x200].contains(&priority) || priority == 0);
        }
        match id {
            4096..=4098 => {
                let first = (id - 4096) * 4;
                assert_eq!([i1, i2, i3, i4], [first, first + 1, first + 2, first + 3]);
            }
            5000 => {
                assert!(inside || context == 0xF0F0_F0F0);
                assert_eq!(
                    [i1, i2, i3, i4],
                    [i1, !i1 & 0xFFFF_FFFF, i1, !i1 & 0xFFFF_FFFF]
                );
            }
            1 => assert_eq!([i1, i2, i4], [0x200, 4, 0x100]),
            2 => assert_eq!([i1, i2, i4], [0x100, 5, 0x200]),
            3 if i2 == u64::from(SOURCE) => opened += 1,
            4 if i2 == u64::from(SOURCE) => {
                assert!(opened > 0 || wrapped);
                opened -= i32::from(opened > 0);
            }
            3 | 4 => assert_eq!((i2, i4), (1, 0)),
            6 => assert_eq!([i1, i2, i3, i4], [0; 4]),
            _ => panic!("an event that was not recorded: {entry:x?}"),
        }
        if !matches!((id, i2), (3 | 4, 7) | (1 | 5000, _)) {
            let mut entry = *entry;
            // The timestamp and the stack pointer differ between runs.
            entry[3] = 0;
            if matches!(id, 3 | 4) {
                entry[4] = 0;
            }
            if id == 2 {
                entry[6] = 0;
            }
            of_thread.push(entry);
        }
    }
    assert_eq!(opened, 0);
    of_thread
}

#[test]
fn interrupts_at_any_point_change_nothing() {
    let (undisturbed, points) = record(100, [None; 2]);
    let expected = check(&undisturbed, false);
    assert_eq!(expected.len(), 2 + 6);
    assert!(points >= 2 * 10);
    for point in 0..points {
        let (events, inner_points) = record(100, [Some(point), None]);
        assert_eq!(events.len(), expected.len() + 4, "at {point}");
        assert_eq!(check(&events, false), expected, "at {point}");
        for nested in point + 1..inner_points {
            let (events, _) = record(100, [Some(point), Some(nested)]);
            assert_eq!(events.len(), expected.len() + 8, "at {point} and {nested}");
            assert_eq!(check(&events, false), expected, "at {point} and {nested}");
        }
    }
}

#[test]
fn interrupts_change_nothing_while_the_ring_wraps() {
    let (_, points) = record(100, [None; 2]);
    for events in 1..10 {
        for point in 0..points {
            let (all, _) = record(100, [Some(point), None]);
            let (last, _) = record(events, [Some(point), None]);
            let expected = &all[all.len().saturating_sub(events)..];
            // A field completed too late is not written: only the newest events of both
            // runs are compared completely.
            let key = |entry: &Words| [entry[2], entry[3]];
            assert_eq!(
                last.iter().map(key).collect::<Vec<_>>(),
                expected.iter().map(key).collect::<Vec<_>>(),
                "{events} events, at {point}"
            );
        }
    }
}
